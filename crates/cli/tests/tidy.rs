//! Rules of the repository that a program can check: `ARCHITECTURE.md` tells the truth about
//! dependencies, every dependency has its sentence, every file says what it is for, none is too
//! long or names a machine, and every check has its page in the manual.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A file above this many lines is to be split.
const LONGEST: usize = 800;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All files below some parts of the repository, by their paths from its root.
fn files(parts: &[&str]) -> Vec<String> {
    let root = root();
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = parts.iter().map(|part| root.join(part)).collect();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default();
            if name == "target" {
                continue;
            }
            let entries = fs::read_dir(&path).expect("a folder can be read");
            open.extend(entries.map(|entry| entry.expect("an entry").path()));
        } else if path.is_file() {
            let short = path.strip_prefix(&root).expect("below the root");
            found.push(short.to_string_lossy().into_owned());
        }
    }
    found.sort();
    assert!(!found.is_empty());
    found
}

fn is_rust(file: &str) -> bool {
    file.ends_with(".rs")
}

/// The names in a section of a manifest.
fn section(manifest: &str, title: &str) -> BTreeSet<String> {
    manifest
        .lines()
        .skip_while(|line| *line != title)
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter_map(|line| {
            let name = line.split(['.', '=', ' ']).next()?.trim();
            (!name.is_empty()).then(|| name.to_owned())
        })
        .collect()
}

/// The words in backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

fn crates() -> BTreeMap<String, String> {
    let folder = root().join("crates");
    fs::read_dir(folder)
        .expect("the crates are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("Cargo.toml").exists())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), read(&path.join("Cargo.toml")))
        })
        .collect()
}

#[test]
fn the_table_of_crates_is_true() {
    let crates = crates();
    let names: BTreeSet<&String> = crates.keys().collect();
    let text = read(&root().join("ARCHITECTURE.md"));
    let mut told = BTreeSet::new();
    let mut wrong = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, depends] = cells.as_slice() else {
            continue;
        };
        let Some(name) = quoted(name).first().map(|&name| name.to_owned()) else {
            continue;
        };
        let Some(manifest) = crates.get(&name) else {
            wrong.push(format!("there is no crate {name}"));
            continue;
        };
        told.insert(name.clone());
        let listed: BTreeSet<String> = match *depends {
            "nothing" => BTreeSet::new(),
            "all" => continue,
            list => list
                .split(',')
                .map(|name| name.trim().trim_matches('`').to_owned())
                .collect(),
        };
        let ours = |title: &str| -> BTreeSet<String> {
            let all = section(manifest, title).into_iter();
            all.filter(|name| names.contains(name)).collect()
        };
        // A crate of nothing but tests has no other dependencies.
        let actual = match ours("[dependencies]") {
            none if none.is_empty() => ours("[dev-dependencies]"),
            some => some,
        };
        if listed != actual {
            wrong.push(format!("{name} depends on {actual:?}, not on {listed:?}"));
        }
    }
    for name in names {
        if !told.contains(name) {
            wrong.push(format!("{name} is not in the table"));
        }
    }
    assert!(wrong.is_empty(), "ARCHITECTURE.md:\n{}", wrong.join("\n"));
}

#[test]
fn every_dependency_has_its_sentence() {
    let manifest = read(&root().join("Cargo.toml"));
    let ours: BTreeSet<String> = crates().into_keys().collect();
    let text = read(&root().join("docs/dependencies.md"));
    let mut told = BTreeSet::new();
    for line in text.lines().filter(|line| line.starts_with("- `")) {
        if let Some((names, sentence)) = line.split_once("`: ") {
            assert!(sentence.ends_with('.'), "no sentence: {line}");
            told.extend(quoted(&format!("{names}`")).into_iter().map(str::to_owned));
        }
    }
    let used: BTreeSet<String> = section(&manifest, "[workspace.dependencies]")
        .into_iter()
        .filter(|name| !ours.contains(name))
        .collect();
    assert_eq!(told, used, "docs/dependencies.md and Cargo.toml");
}

#[test]
fn every_file_says_what_it_is_for() {
    for file in files(&["crates"]).iter().filter(|file| is_rust(file)) {
        let text = read(&root().join(file));
        assert!(text.starts_with("//! "), "{file} has no documentation");
    }
    for file in files(&["lib/models", "lib/include"]) {
        if file.ends_with(".c") || file.ends_with(".h") {
            let text = read(&root().join(&file));
            assert!(text.starts_with("/* "), "{file} has no first comment");
        }
    }
}

#[test]
fn no_file_is_too_long() {
    let mut long = Vec::new();
    for file in files(&["crates", "lib"]) {
        if is_rust(&file) || file.ends_with(".c") || file.ends_with(".h") {
            let lines = read(&root().join(&file)).lines().count();
            if lines > LONGEST {
                long.push(format!("{file}: {lines} lines"));
            }
        }
    }
    assert!(long.is_empty(), "to be split:\n{}", long.join("\n"));
}

#[test]
fn no_file_names_a_machine() {
    // Taken apart, so that this file does not name any.
    let machines = ["work", "tmp", "root", "home"].map(|name| format!("/{name}/"));
    let mut found = Vec::new();
    let parts = [
        "crates",
        "lib",
        "docs",
        "tests",
        "examples",
        "x",
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
    ];
    for file in files(&parts) {
        let Ok(text) = fs::read_to_string(root().join(&file)) else {
            continue;
        };
        for (index, line) in text.lines().enumerate() {
            let path = machines.iter().any(|machine| line.contains(machine));
            if path || line.contains(&format!("..{}", "/shared")) {
                found.push(format!("{file}:{}: {}", index + 1, line.trim()));
            }
        }
    }
    assert!(
        found.is_empty(),
        "paths of a machine:\n{}",
        found.join("\n")
    );
}

#[test]
fn every_check_has_its_page() {
    let pages: BTreeSet<String> = files(&["tests/checks"])
        .iter()
        .filter_map(|file| Some(Path::new(file).file_stem()?.to_string_lossy().into_owned()))
        .collect();
    // Those without a property guard our own models and bounds.
    let checks: BTreeSet<String> = checks::registry::CHECKS
        .iter()
        .filter(|check| check.property.is_some())
        .map(|check| check.name.to_owned())
        .collect();
    // Other pages are about parts of the language.
    let missing: Vec<&String> = checks.difference(&pages).collect();
    assert!(missing.is_empty(), "no page in tests/checks: {missing:?}");
}
