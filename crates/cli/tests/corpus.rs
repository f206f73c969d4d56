//! The corpus, through `selkie bench`: programs of our own with known verdicts (`tests/corpus`), and random ones whose
//! verdicts are known from running them.
//!
//! No answer may be wrong. Every task must be answered, but for those with the tag `needs-invariant`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    folder.canonicalize().expect("the checkout is there")
}

/// Runs a list; the exit code and the report.
fn bench(list: &Path, name: &str, options: &[&str]) -> (Option<i32>, Value) {
    let report = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(name)
        .with_extension("json");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("bench")
        .arg(list)
        .args(["--jobs", "2", "--quiet", "--json"])
        .arg(&report)
        .args(options)
        .output()
        .expect("selkie runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let text = std::fs::read_to_string(&report).unwrap_or_else(|_| panic!("no report: {said}"));
    println!("{}", String::from_utf8_lossy(&output.stdout));
    let value = serde_json::from_str(&text).expect("the report is JSON");
    (output.status.code(), value)
}

/// One line for each task that was not answered right.
fn failures(report: &Value) -> Vec<String> {
    let tasks = report["tasks"].as_array().expect("a list of tasks");
    assert!(!tasks.is_empty());
    tasks
        .iter()
        .filter(|task| task["result"] != "right")
        .map(|task| {
            let field = |name: &str| task[name].as_str().unwrap_or_default().to_owned();
            let words = [
                "id", "property", "expected", "verdict", "message", "command",
            ];
            words.map(field).join(" | ")
        })
        .collect()
}

#[test]
fn the_corpus_is_answered_right() {
    let list = root().join("tests/corpus/tasks.csv");
    let decided = ["--filter", "tags!~needs-invariant"];
    let (code, report) = bench(&list, "corpus", &decided);
    let failures = failures(&report);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(code, Some(0));
    // What needs an invariant may be left open, soon.
    let open = ["--filter", "tags~needs-invariant", "--timeout", "5"];
    let (code, report) = bench(&list, "corpus-open", &open);
    assert_eq!(code, Some(0), "{report}");
}

#[test]
fn fifty_random_programs_are_answered_right() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random");
    xtask::generate::generate(50, 1, &folder, 2).expect("programs can be made");
    let (code, report) = bench(&folder.join("tasks.csv"), "random", &[]);
    let failures = failures(&report);
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(code, Some(0));
}

#[test]
fn the_corpus_has_each_property_both_ways() {
    let text =
        std::fs::read_to_string(root().join("tests/corpus/tasks.csv")).expect("the list is there");
    // `cover` is a question of its own command line, not a task's.
    let later = ["no-uninit", "no-misaligned", "no-pointer-overflow", "cover"];
    for name in bench::property::Property::names() {
        for verdict in ["true", "false"] {
            let row = |line: &str| {
                let cells: Vec<&str> = line.split(',').collect();
                let property = cells[6] == name || cells[7] == name;
                property && cells[8] == verdict
            };
            let parts = ["valid-deref", "valid-free", "valid-memtrack"];
            let part_holds = verdict == "true" && parts.contains(&name);
            let there = part_holds || text.lines().any(row);
            assert!(
                there || later.contains(&name),
                "no task where {name} is {verdict}"
            );
        }
    }
}
