//! `--function f`: functions and their contracts. Each program of `tests/contracts` begins with what is expected: a function, its
//! verdict, and the ids of what is violated, or a word of the report.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contracts")
}

fn verify(file: &Path, options: &[&str]) -> (String, String) {
    let output: Output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "-v", "--certify", "off"])
        .args(options)
        .arg(file)
        .output()
        .expect("selkie runs");
    let text = String::from_utf8(output.stdout).expect("the report is text");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (text, errors)
}

/// Runs what a program says of itself.
fn run(name: &str, options: &[&str]) {
    let file = folder().join(name);
    let text = std::fs::read_to_string(&file).expect("the program is there");
    let mut wrong = Vec::new();
    let lines = text.lines().map_while(|line| line.strip_prefix("//! "));
    let mut asked = 0;
    for line in lines {
        let (function, expected) = line.split_once(": ").expect("FUNCTION: VERDICT WORDS");
        let mut words = expected.split(' ');
        let verdict = words.next().expect("a verdict");
        let options = [&["--function", function], options].concat();
        let (report, errors) = verify(&file, &options);
        let mut fine = report.ends_with(&format!("RESULT: {verdict}\n"));
        for word in words {
            fine &= report.contains(&format!("({word})")) || report.contains(&format!(": {word}"));
        }
        if !fine {
            wrong.push(format!("{line}\n{report}{errors}"));
        }
        asked += 1;
    }
    assert!(asked > 5, "{name} asks nothing");
    assert!(wrong.is_empty(), "{}", wrong.join("\n----\n"));
}

#[test]
fn a_structure_keeps_its_invariant() {
    run("ring.c", &[]);
}

#[test]
fn pointers_lead_where_contracts_say() {
    run("pointers.c", &[]);
}

#[test]
fn the_spellings_of_cbmc_mean_the_same() {
    run("cbmc.c", &[]);
}

#[test]
fn a_call_does_what_the_contract_says() {
    run("calls.c", &[]);
}
