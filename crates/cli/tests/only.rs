//! `--only`: what is not asked for is no part of the verdict, and what is has the status that it always has.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn selkie(name: &str, source: &str, options: &[&str]) -> Output {
    let file: PathBuf = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("only-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "-v"])
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs")
}

fn verify(name: &str, source: &str, options: &[&str]) -> String {
    let output = selkie(name, source, options);
    String::from_utf8(output.stdout).expect("the report is text")
}

/// The statuses in a report, by id.
fn statuses(report: &str) -> Vec<(String, String)> {
    let listed = report.lines().filter_map(|line| {
        let (_, rest) = line.split_once(": [")?;
        let (id, rest) = rest.split_once(']')?;
        let status = rest.rsplit(": ").next()?;
        Some((id.to_owned(), status.to_owned()))
    });
    listed.collect()
}

#[track_caller]
fn check(report: &str, expected: &[(&str, &str)], verdict: &str) {
    let found = statuses(report);
    let found: Vec<(&str, &str)> = found.iter().map(|(a, b)| (&**a, &**b)).collect();
    assert_eq!(found, expected, "{report}");
    assert!(
        report.ends_with(&format!("RESULT: {verdict}\n")),
        "{report}"
    );
}

const TWO: &str = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {
    int x = sk_nondet_int();
    sk_assert(x != 5);
    int y = 100 / (x - 5);
    sk_assert(y <= 100);
    sk_assert(x != 7);
    return y;
}
";

#[test]
fn what_is_not_asked_for_is_no_part_of_the_verdict() {
    // The division is safe, because whoever comes there has passed the first assertion: asked for or not.
    for engine in ["auto", "bmc", "absint"] {
        let options = ["--engine", engine, "--only", "div,7"];
        let report = verify("two", TWO, &options);
        let expected = [("main.div.1", "PROVED"), ("main.assert.2", "PROVED")];
        check(&report, &expected, "true");
        let sentence =
            "asked for: div, 7; executions count up to where they violate another obligation";
        assert!(report.contains(sentence), "{report}");
    }
    let report = verify("two", TWO, &["--only", "main.assert.3"]);
    check(&report, &[("main.assert.3", "VIOLATED")], "false(assert)");
    // Everything is asked for: then nothing needs to be said.
    let report = verify("two", TWO, &["--only", "all"]);
    assert!(!report.contains("asked for"), "{report}");
    assert!(statuses(&report).len() > 4, "{report}");
}

#[test]
fn executions_go_on_if_they_do_after_violations() {
    // Without the first assertion in the way the divisor may be zero.
    let options = ["--after-failure", "continue", "--only", "main.div.1"];
    let report = verify("on", TWO, &options);
    check(
        &report,
        &[("main.div.1", "VIOLATED")],
        "false(no-div-by-zero)",
    );
    assert!(report.contains("executions go on"), "{report}");
}

#[test]
fn a_violation_that_rests_on_an_overflow_is_still_none() {
    let source = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {
    int x = sk_nondet_int();
    int y = x + 1;
    sk_assert(y > x);
    sk_assert(x != 3);
    return 0;
}
";
    let ask = |only| verify("wraps", source, &["--check", "assert", "--only", only]);
    check(
        &ask("main.assert.1"),
        &[("main.assert.1", "UNKNOWN(undefined)")],
        "unknown(undefined)",
    );
    check(&ask("7"), &[("main.assert.2", "VIOLATED")], "false(assert)");
}

#[test]
fn what_does_not_exist_is_refused_with_what_does() {
    let refused = |only: &str, sentence: &str| {
        let output = selkie("refused", TWO, &["--only", only]);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains(sentence), "{errors}");
    };
    refused(
        "main.assert.9",
        "there is no such obligation, line or check; obligations are main.",
    );
    refused(
        "9",
        "no obligation stands there; the next are at line 5, line 6, line 7, line 8",
    );
    refused("other.c:7", "no obligation stands in such a file");
    refused(
        "leak",
        "the program has no obligation of that check, only of assert, overflow, div",
    );
    // A file's name by its end, and the place in it.
    let report = verify("file", TWO, &["--only", "only-file.c:8"]);
    check(&report, &[("main.assert.3", "VIOLATED")], "false(assert)");
}
