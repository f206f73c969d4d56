//! Foreign code cannot write into the results.

use std::io::Write;
use std::process::Command;

const CHILD: &str = "SELKIE_TEST_CLAIMS_STDOUT";

/// Runs as a child of the other test; otherwise does nothing.
#[test]
fn child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let mut results = solve::claim_stdout().expect("standard output can be claimed");
    // What foreign code does: a write to descriptor 1, here by another program.
    let status = Command::new("echo")
        .arg("noise")
        .status()
        .expect("echo runs");
    assert!(status.success());
    writeln!(results, "result").expect("results can be written");
}

#[test]
fn noise_goes_to_standard_error() {
    let output = Command::new(std::env::current_exe().expect("this test is a program"))
        .args(["--exact", "child", "--nocapture"])
        .env(CHILD, "1")
        .output()
        .expect("the child runs");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(out.contains("result\n") && !out.contains("noise"), "{out}");
    assert!(
        err.contains("noise\n") && !err.contains("result\n"),
        "{err}"
    );
}
