//! What is new since an earlier report, and only that counts if one wants it so.

use std::path::Path;
use std::process::{Command, Output};

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

fn verify(options: &[&str], source: &str) -> Output {
    verify_as("baseline.c", options, source)
}

fn verify_as(file: &str, options: &[&str], source: &str) -> Output {
    std::fs::write(folder().join(file), source).expect("the program is written");
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("verify")
        .args(options)
        .arg(file)
        .current_dir(folder())
        .output()
        .expect("selkie runs")
}

const OLD: &str = "extern int sk_nondet_int(void); extern void sk_assert(_Bool);
int main(void) {
    int n = sk_nondet_int();
    if (n > 5) sk_assert(n != 9);
    return 0;
}
";

#[test]
fn only_what_is_new_counts() {
    let written = verify(&["--check", "assert", "--json", "baseline-old.json"], OLD);
    assert_eq!(written.status.code(), Some(10));
    let options = [
        "--check",
        "assert",
        "--baseline",
        "baseline-old.json",
        "--fail-on",
        "new",
    ];
    let before = OLD.replace("if (n > 5)", "sk_assert(n == n);\n    if (n > 5)");
    let more = OLD.replace(
        "return 0;",
        "if (n > 50) sk_assert(n != 77);\n    return 0;",
    );
    let none = OLD.replace("n != 9", "n != 3");
    for (name, source, code, sentence) in [
        ("the same", OLD, 0, "0 violations new, 1 known, 0 gone"),
        ("moved", &before, 0, "0 violations new, 1 known, 0 gone"),
        ("one more", &more, 10, "1 violation new, 1 known, 0 gone"),
        ("repaired", &none, 0, "0 violations new, 0 known, 1 gone"),
    ] {
        let output = verify(&options, source);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(code), "{name}: {said}");
        assert!(said.contains(sentence), "{name}: {said}");
        // The result line is honest all the same.
        let bad = if name == "repaired" {
            "RESULT: true"
        } else {
            "RESULT: false(assert)"
        };
        assert!(said.trim_end().ends_with(bad), "{name}: {said}");
    }
    // Without --fail-on it is said, and changes nothing.
    let output = verify(&options[..4], OLD);
    assert_eq!(output.status.code(), Some(10));
    // What was proved and is not any more is new as well.
    let endless = "extern int sk_nondet_int(void); extern void sk_assert(_Bool);
int main(void) {
    unsigned a = sk_nondet_int(), b = 0;
    for (unsigned i = 0; i < a; i++) b = b * 3 + i * i;
    sk_assert(b != 12345 || a < 3);
    return 0;
}
";
    let good = endless.replace("b != 12345 || a < 3", "a == a");
    let written = verify(
        &["--check", "assert", "--json", "baseline-good.json"],
        &good,
    );
    assert_eq!(written.status.code(), Some(0));
    let mut options = options;
    options[3] = "baseline-good.json";
    let output = verify(&[&options[..], &["--unwind", "2"]].concat(), endless);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(5), "{said}");
    options[3] = "baseline-old.json";
    let wrong = verify(&options, "int main(void) { return x; }\n");
    assert_eq!(wrong.status.code(), Some(2));
    let sarif = verify(&[&options[..4], &["--sarif", "-"]].concat(), &more);
    let said = String::from_utf8_lossy(&sarif.stdout).into_owned();
    assert_eq!(
        said.matches("\"baselineState\": \"new\"").count(),
        1,
        "{said}"
    );
    assert_eq!(
        said.matches("\"baselineState\": \"unchanged\"").count(),
        1,
        "{said}"
    );
}

#[test]
fn bad_use_is_explained() {
    std::fs::write(folder().join("baseline-no.json"), "{\"tool\": 1}").expect("written");
    for (options, part) in [
        (&["--fail-on", "new"][..], "--fail-on new needs --baseline"),
        (
            &["--baseline", "no-such.json"],
            "it takes what an earlier run wrote with --json",
        ),
        (
            &["--baseline", "baseline-no.json"],
            "is no report of selkie verify --json",
        ),
    ] {
        let output = verify_as("baseline-use.c", options, "int main(void) { return 0; }\n");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{options:?}: {said}");
        assert!(said.contains(part), "{options:?}: {said}");
    }
}
