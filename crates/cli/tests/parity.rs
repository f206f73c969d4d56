//! Verdicts do not depend on how a program becomes logic: the corpus, with every switch.
//!
//! A switch that cannot represent something may say `unknown`; it must never say the opposite.
//! Each switch sees its own sample of the corpus, so that all of them together see most of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The switches, alone and in pairs that share code.
const SWITCHES: &[&str] = &[
    "--vc path",
    "--vc dataflow",
    "--memory array",
    "--memory array --word 1",
    "--memory array --word 4",
    "--memory array --word 8",
    "--memory array --vc dataflow",
    "--word 1",
    "--word 4 --vc path",
    "--word 8",
    "--pointers raw",
    "--pointers raw --memory array",
    "--pointers raw --vc dataflow",
    "--alloc relative",
    "--alloc relative --memory array --vc path",
    "--no-coi",
    "--no-simplify",
    "--no-simplify --no-coi --vc dataflow",
    "--regions flat",
    "--regions flat --vc path",
    "--regions dsa",
    "--regions dsa --vc path",
    "--regions ci --vc dataflow",
    "--opt 0",
    "--opt 1",
    "--solver z3",
];

/// Tasks for each switch.
const SAMPLE: usize = 10;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn every_switch_gives_the_verdicts_of_the_corpus() {
    let mut complaints = Vec::new();
    let mut answered = 0;
    for (number, switch) in SWITCHES.iter().enumerate() {
        let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("parity-{number}.json"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_selkie"));
        command
            .arg("bench")
            .arg(root().join("tests/corpus/tasks.csv"))
            .args(["--jobs", "2", "--timeout", "30", "--quiet"])
            .args(["--sample", &SAMPLE.to_string(), "--seed"])
            .arg(number.to_string())
            .args(["--filter", "tags!~needs-invariant", "--json"])
            .arg(&report)
            .arg("--")
            .args(switch.split(' '));
        let output = command.output().expect("selkie runs");
        let said = String::from_utf8_lossy(&output.stderr);
        let text = std::fs::read_to_string(&report)
            .unwrap_or_else(|_| panic!("{switch}: no report: {said}"));
        let value: Value = serde_json::from_str(&text).expect("the report is JSON");
        let tasks = value["tasks"].as_array().expect("a list of tasks");
        assert_eq!(tasks.len(), SAMPLE, "{switch}: {said}");
        for task in tasks {
            let field = |name: &str| task[name].as_str().unwrap_or_default();
            let (result, verdict) = (field("result"), field("verdict"));
            match result {
                "right" => answered += 1,
                "unknown" if verdict.starts_with("unknown") => {}
                _ => complaints.push(format!("{switch}: {}: {result}, {verdict}", field("id"))),
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    let asked = SAMPLE * SWITCHES.len();
    assert!(
        answered * 100 >= asked * 90,
        "only {answered} of {asked} answered"
    );
}
