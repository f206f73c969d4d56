//! Programs that come in sizes (`tests/scale`), at a small one, and one at a size that needs guards kept apart: every mutant is
//! found and replayed, everything else is proved.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

#[test]
fn small_sizes_are_answered_right() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let report = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scale.json");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("bench")
        .arg(root.join("tests/scale/tasks.csv"))
        .args(["--jobs", "2", "--quiet", "--timeout", "120", "--json"])
        .arg(&report)
        .args([
            "--filter",
            "size=2 or id~json-tokens:valid-deref.3 or id~tlv-bug.5",
        ])
        .output()
        .expect("selkie runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let text = std::fs::read_to_string(&report).unwrap_or_else(|_| panic!("no report: {said}"));
    let report: Value = serde_json::from_str(&text).expect("the report is JSON");
    let tasks = report["tasks"].as_array().expect("a list of tasks");
    assert!(tasks.len() > 15, "{} tasks", tasks.len());
    let failures: Vec<&Value> = tasks
        .iter()
        .filter(|task| task["result"] != "right")
        .collect();
    assert!(failures.is_empty(), "{failures:#?}");
}
