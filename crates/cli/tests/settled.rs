//! Who settled what: engines that each prove a part, and a report that says so.

use std::path::Path;
use std::process::Command;

/// The report for people, and that for programs.
fn verify(name: &str, source: &str, options: &[&str]) -> (String, serde_json::Value) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("settled-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    let json = file.with_extension("json");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--json"])
        .arg(&json)
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs");
    let text = std::fs::read_to_string(json).expect("there is a report");
    (
        String::from_utf8(output.stdout).expect("the report is text"),
        serde_json::from_str(&text).expect("the report is JSON"),
    )
}

/// Ids, statuses and engines.
fn listed(report: &serde_json::Value) -> Vec<(String, String, String)> {
    let text = |value: &serde_json::Value| value.as_str().unwrap_or("nobody").to_owned();
    let list = report["obligations"].as_array().expect("a list");
    let row = |row: &serde_json::Value| (text(&row["id"]), text(&row["status"]), text(&row["by"]));
    list.iter().map(row).collect()
}

#[track_caller]
fn check(report: &serde_json::Value, expected: &[(&str, &str, &str)]) {
    let found = listed(report);
    let found: Vec<(&str, &str, &str)> = found.iter().map(|(a, b, c)| (&**a, &**b, &**c)).collect();
    assert_eq!(found, expected, "{report}");
}

/// Counters are abstract interpretation's, and what two variables have in common bit by bit is nobody's but induction's.
const MIXED: &str = "extern unsigned sk_nondet_uint(void);
extern void sk_assert(_Bool);
int main(void) {
    unsigned n = sk_nondet_uint(), x = sk_nondet_uint(), y = sk_nondet_uint(), a = x, b = y, i;
    for (i = 0; i < n; i++) {
        sk_assert((a ^ b) == (x ^ y));
        sk_assert(i < n);
        a ^= i;
        b ^= i;
    }
    sk_assert(i == n);
    return 0;
}
";

#[test]
fn each_engine_settles_what_it_can() {
    let (text, json) = verify("mixed", MIXED, &["-vv"]);
    check(
        &json,
        &[
            ("main.assert.1", "PROVED", "kind"),
            ("main.assert.2", "PROVED", "absint"),
            ("main.assert.3", "PROVED", "absint"),
        ],
    );
    assert_eq!(json["verdict"], "true", "{json}");
    assert!(
        text.contains("[main.assert.1] sk_assert: PROVED by kind\n"),
        "{text}"
    );
    assert!(
        text.contains("3 obligations: 3 proved; by absint 2, kind 1 ("),
        "{text}"
    );
    // Both parts are in the ledger.
    let sentences = ["loops are replaced by invariants", "z3 agrees"];
    assert!(sentences.iter().all(|part| text.contains(part)), "{text}");
    // With a single -v nobody is named at the obligations.
    let (text, _) = verify("mixed", MIXED, &["-v"]);
    assert!(
        text.contains("[main.assert.1] sk_assert: PROVED\n"),
        "{text}"
    );
    // Without it what holds is a line for each function; where one engine did it all, it is not named.
    let (text, _) = verify("mixed", MIXED, &[]);
    assert!(text.contains("settled-mixed.c: main: 3 proved\n"), "{text}");
    assert!(!text.contains("[main.assert.1]"), "{text}");
    let one = MIXED.replace("sk_assert((a ^ b) == (x ^ y));", "");
    let (text, json) = verify("one", &one, &[]);
    check(
        &json,
        &[
            ("main.assert.1", "PROVED", "absint"),
            ("main.assert.2", "PROVED", "absint"),
        ],
    );
    assert!(text.contains("2 obligations: 2 proved ("), "{text}");
}

#[test]
fn what_one_engine_proved_does_not_hide_a_violation() {
    let wrong = MIXED.replace("b ^= i;", "b ^= i == 5 && x == 7 ? 1 : i;");
    let (text, json) = verify("wrong", &wrong, &[]);
    check(
        &json,
        &[
            ("main.assert.1", "VIOLATED", "kind"),
            ("main.assert.2", "PROVED", "absint"),
            ("main.assert.3", "PROVED", "absint"),
        ],
    );
    assert!(text.ends_with("RESULT: false(assert)\n"), "{text}");
    // Everything is settled: a higher bound cannot help.
    assert!(!text.contains("next step"), "{text}");
}

/// Each holds as long as the other does, and from some round on neither: too late for anybody to find.
#[test]
fn two_that_need_each_other_are_not_proved() {
    let source = "extern unsigned sk_nondet_uint(void);
extern void sk_assert(_Bool);
int main(void) {
    unsigned n = sk_nondet_uint(), a = 0, b = 0, i = 0;
    while (i < n) {
        sk_assert(a == 0);
        sk_assert(b == 0);
        a = b | (i == 3000000);
        b = a;
        i++;
    }
    return 0;
}
";
    for engine in ["auto", "kind", "absint"] {
        let (text, _) = verify("circle", source, &["--engine", engine, "--timeout", "3"]);
        assert!(!text.ends_with("RESULT: true\n"), "{engine}: {text}");
    }
}

#[test]
fn a_next_step_is_one_that_may_help() {
    let source = "extern unsigned sk_nondet_uint(void);
extern void sk_assert(_Bool);
int main(void) {
    unsigned n = sk_nondet_uint(), i = 0, s = 1;
    while (i < n) { i++; s = s * s + i; }
    sk_assert(s != 77 || n == 0);
    return 0;
}
";
    // The bound was the user's: another one may do. Time was not enough: then more rounds are no help.
    let (text, _) = verify("fixed", source, &["--unwind", "3"]);
    assert!(
        text.contains("next step: --unwind-set main.loop.1=12, or"),
        "{text}"
    );
    let (text, _) = verify("time", source, &["--timeout", "2"]);
    assert!(
        text.contains("next step: state what its rounds keep (sk_invariant), or"),
        "{text}"
    );
    assert!(!text.contains("--unwind-set"), "{text}");
}
