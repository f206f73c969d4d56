//! What tests of proofs share: a program is written and given to `selkie`, and a verdict is there.

use std::path::Path;
use std::process::{Command, Output};

/// What a command says of a program, whose file has this name.
pub fn selkie(command: &str, name: &str, source: &str, options: &[&str]) -> Output {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
    let source = format!("#include <selkie.h>\n#include <stdlib.h>\n{source}\n");
    std::fs::write(&file, source).expect("the program is written");
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg(command)
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs")
}

/// The last line of a report, which is a verdict: options that are not understood prove nothing, and refute nothing either.
#[track_caller]
pub fn verdict(output: &Output) -> String {
    let report = String::from_utf8_lossy(&output.stdout);
    let last = report.lines().last().unwrap_or_default().to_owned();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(last.starts_with("RESULT: "), "{last:?}\n{said}");
    assert!(!last.starts_with("RESULT: error"), "{last}\n{said}");
    last
}
