//! Verdicts do not depend on how a program becomes clauses, nor on how calls, numbers and regions are treated in them: loops without a bound, and recursion, of
//! the corpus. `unknown` is allowed, the opposite verdict is not.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// The ways, and how many of all tasks each has to answer.
const WAYS: &[(&str, usize)] = &[
    ("--step large", 16),
    ("--step small", 12),
    ("--track reg", 10),
    ("--track ptr", 10),
    ("--calls summary", 12),
    ("--calls mixed", 12),
    ("--calls mixed --step small --ints bv", 8),
    ("--ints ideal", 12),
    ("--ints math", 12),
    ("--ints bv", 8),
    ("--regions flat", 10),
];

/// Asks some of the tasks in one way: how many were answered, and what is wrong.
fn ask(way: &str, sample: usize, seed: usize, timeout: u32) -> (usize, Vec<String>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let name = format!("clauses-{sample}-{seed}.json");
    let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let mut command = Command::new(env!("CARGO_BIN_EXE_selkie"));
    command
        .arg("bench")
        .arg(root.join("tests/corpus/tasks.csv"))
        .args(["--jobs", "2", "--quiet", "--timeout", &timeout.to_string()])
        .args(["--sample", &sample.to_string(), "--seed", &seed.to_string()])
        .args([
            "--filter",
            "category=unbounded or tags=needs-invariant",
            "--json",
        ])
        .arg(&report)
        .args(["--", "--engine", "chc"])
        .args(way.split(' '));
    let output = command.output().expect("selkie runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let text = std::fs::read_to_string(&report).unwrap_or_else(|_| panic!("{way}: {said}"));
    let value: Value = serde_json::from_str(&text).expect("the report is JSON");
    let tasks = value["tasks"].as_array().expect("a list of tasks");
    assert!(!tasks.is_empty(), "{way}: {said}");
    let (mut answered, mut complaints) = (0, Vec::new());
    for task in tasks {
        let field = |name: &str| task[name].as_str().unwrap_or_default();
        match field("result") {
            "right" => answered += 1,
            "unknown" if field("verdict").starts_with("unknown") => {}
            result => complaints.push(format!("{way}: {}: {result}", field("id"))),
        }
    }
    (answered, complaints)
}

#[test]
fn no_way_to_clauses_gives_another_verdict() {
    let mut complaints = Vec::new();
    let mut answered = 0;
    for (number, (way, _)) in WAYS.iter().enumerate() {
        let (count, wrong) = ask(way, 2, number, 3);
        answered += count;
        complaints.extend(wrong);
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    assert!(answered >= WAYS.len() / 2, "{answered} answered");
}

#[test]
#[ignore = "long: every task in every way"]
fn no_way_to_clauses_gives_another_verdict_anywhere() {
    let mut complaints = Vec::new();
    for (number, &(way, floor)) in WAYS.iter().enumerate() {
        let (count, wrong) = ask(way, 1000, number, 10);
        complaints.extend(wrong);
        if count < floor {
            complaints.push(format!("{way}: only {count} answered"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
