//! What is generated is complete, both true and false, and the same every time.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use xtask::generate::generate;

/// The files of a folder.
fn contents(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            let text = fs::read_to_string(&path).expect("a text");
            (name.into_owned(), text)
        })
        .collect()
}

#[test]
fn the_seed_decides_everything() {
    let folder = tempfile::tempdir().expect("a folder");
    let make = |name: &str, seed: u64, jobs: usize| {
        let out = folder.path().join(name);
        generate(8, seed, &out, jobs).expect("tasks are made");
        contents(&out)
    };
    let (first, second, other) = (make("a", 3, 1), make("b", 3, 2), make("c", 4, 2));
    assert_eq!(first, second);
    assert_ne!(first, other);
}

#[test]
fn a_list_has_a_file_for_each_task_and_both_verdicts() {
    let folder = tempfile::tempdir().expect("a folder");
    generate(8, 2, folder.path(), 2).expect("tasks are made");
    let files = contents(folder.path());
    assert_eq!(files.len(), 9);
    let mut table = csv::Reader::from_reader(files["tasks.csv"].as_bytes());
    let headers = table.headers().expect("headers").clone();
    let column = |name: &str| headers.iter().position(|header| header == name);
    let (file, expected) = (column("files"), column("expected"));
    let mut verdicts = BTreeMap::new();
    for row in table.records() {
        let row = row.expect("a row");
        let text = &files[&row[file.expect("a column of files")]];
        // Nothing in a program tells its verdict.
        assert!(!text.contains("sanitizer") && !text.contains("The bug"));
        *verdicts
            .entry(row[expected.expect("a column of verdicts")].to_owned())
            .or_insert(0) += 1;
    }
    assert_eq!(verdicts.values().sum::<i32>(), 8);
    assert!(verdicts.len() == 2, "{verdicts:?}");
}
