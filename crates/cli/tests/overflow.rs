//! `--overflow`: one meaning for proofs and violations.

use std::path::Path;
use std::process::{Command, Output};

fn selkie(name: &str, source: &str, options: &[&str]) -> Output {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("overflow-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("verify")
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs")
}

/// The report, whose last line is this verdict.
#[track_caller]
fn verdict(name: &str, source: &str, options: &[&str], expected: &str) -> String {
    let output = selkie(name, source, options);
    let report = String::from_utf8(output.stdout).expect("the report is text");
    let last = report.lines().last().unwrap_or_default();
    assert_eq!(last, format!("RESULT: {expected}"), "{options:?}\n{report}");
    report
}

#[test]
fn both_sides_mean_the_same() {
    // Fails only after an overflow.
    let grows = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {
    int x = sk_nondet_int();
    int y = x + 1;
    sk_assert(y > x);
    return 0;
}
";
    for opt in ["0", "2"] {
        let ask = |mode: &[&str], expected: &str| {
            let options = [&["--check", "assert", "--opt", opt], mode].concat();
            verdict("grows", grows, &options, expected)
        };
        let report = ask(&[], "unknown(undefined)");
        assert!(report.contains("next step: --overflow checked"), "{report}");
        ask(&["--overflow", "wraps"], "false(assert)");
        let report = ask(&["--overflow", "ends"], "true");
        let sentence = "executions end at a signed overflow, as --overflow says";
        assert!(report.contains(sentence), "{report}");
        assert!(report.contains("1 obligation: 1 proved"), "{report}");
        ask(&["--overflow", "checked"], "false(no-overflow)");
    }
    // Fails without one: that is a violation whatever it means. Behind one it is not, if executions end there.
    let fails = grows.replace("y > x", "x != 7");
    for mode in ["wraps", "ends"] {
        let options = ["--check", "assert", "--overflow", mode];
        verdict("fails", &fails, &options, "false(assert)");
    }
    let behind = fails.replace("x != 7", "x != 2147483647");
    let ask = |mode, expected| {
        let options = ["--check", "assert", "--overflow", mode];
        verdict("behind", &behind, &options, expected);
    };
    ask("wraps", "false(assert)");
    ask("ends", "true");
}

#[test]
fn a_loop_is_proved_with_the_meaning_that_was_chosen() {
    // It comes to an end, or wraps.
    let source = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {
    int i = 1;
    while (sk_nondet_int()) {
        i++;
        sk_assert(i > 0);
    }
    return 0;
}
";
    let options = ["--check", "assert", "--overflow", "ends"];
    verdict("loop", source, &options, "true");
    for engine in ["kind", "absint"] {
        let options = [
            "--check",
            "assert",
            "--overflow",
            "wraps",
            "--engine",
            engine,
            "--timeout",
            "3",
        ];
        let output = selkie("loop-wraps", source, &options);
        let report = String::from_utf8_lossy(&output.stdout);
        assert!(!report.ends_with("RESULT: true\n"), "{report}");
    }
}

#[test]
fn what_contradicts_itself_is_refused() {
    let source = "int main(void) { return 0; }\n";
    for options in [
        ["--overflow", "checked", "--cflags=-fwrapv"].as_slice(),
        &["--overflow", "ends", "--cflags=-fwrapv"],
        &["--overflow", "ends", "--after-failure", "continue"],
    ] {
        let output = selkie("refused", source, options);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{errors}");
        assert!(errors.contains("contradict each other"), "{errors}");
    }
}
