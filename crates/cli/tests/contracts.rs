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

/// What a clause calls is replaced by its contract, too: a function would be believed to do what is being found out.
#[test]
fn a_contract_does_not_rest_on_itself() {
    let verify = |name: &str, source: &str, options: &[&str]| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("contracts-{name}.c"));
        std::fs::write(&file, format!("#include <selkie.h>\n{source}\n")).expect("it is written");
        let (report, errors) = verify(&file, options);
        let last = report.lines().last().unwrap_or_default().to_owned();
        (last, format!("{report}{errors}"))
    };
    let itself = "int f(int x) sk_ensures(f(x) == 7) { return 5; }
int g(int x) sk_ensures(sk_result == 7) { return f(x); }";
    for function in ["f", "g"] {
        let (last, report) = verify("itself", itself, &["--function", function]);
        assert_eq!(last, "RESULT: unknown(unsupported)", "{report}");
    }
    let each_other = "int h(int x);
int f(int x) sk_ensures(h(x) == 7) { return 5; }
static int by_way(int x) { return f(x); }
int h(int x) sk_ensures(by_way(x) == 7) { return 5; }";
    let (last, report) = verify("each-other", each_other, &["--all"]);
    assert_eq!(last, "RESULT: unknown(unsupported)", "{report}");
    let others = "int half(int x) sk_ensures(sk_result == x / 2) { return x / 2; }
int f(int x) sk_requires(half(x) > 3) sk_ensures(half(sk_result) == 1) { return MADE; }
int g(int x) sk_ensures(x <= 20 || sk_result == 2 || sk_result == 3) { return x > 20 ? f(x) : 0; }";
    for (made, function, expected) in [
        ("3", "f", "true"),
        ("x", "f", "false(assert)"),
        ("3", "g", "true"),
    ] {
        let source = others.replace("MADE", made);
        let (last, report) = verify("others", &source, &["--function", function]);
        assert_eq!(last, format!("RESULT: {expected}"), "{report}");
    }
}

/// A pointer that is returned may lead to what the function was given: to say only that something is there says nothing of which object it is.
#[test]
fn pointers_that_are_returned_lead_to_new_objects() {
    let verify = |function: &str, source: &str| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contracts-returned.c");
        let source = format!("#include <selkie.h>\n#include <stdlib.h>\n{source}\n");
        std::fs::write(&file, source).expect("it is written");
        let (report, errors) = verify(&file, &["--function", function]);
        let last = report.lines().last().unwrap_or_default().to_owned();
        (last, format!("{report}{errors}"))
    };
    let given = "int *id(int *p) sk_requires(sk_writable(p)) sk_ensures(sk_writable(sk_result)) { return p; }
int g(int x) sk_ensures(sk_result == x) { int y = x; int *q = id(&y); *q = x ^ 1; return y; }";
    let own = "static int kept;
int *own(void) sk_ensures(sk_writable(sk_result)) { return &kept; }
int g(int x) sk_assigns(kept) sk_ensures(kept == x) { kept = x; *own() = x ^ 1; return 0; }";
    let inside = "struct both { int n; const char *text; };
struct both get(int n) sk_ensures(sk_result.n == n) { struct both b = {n, \"x\"}; return b; }
int g(int x) sk_ensures(sk_result == x) { return get(x).n; }";
    for source in [given, own, inside] {
        let (last, report) = verify("g", source);
        assert_eq!(last, "RESULT: unknown(unsupported)", "{report}");
    }
    let new = "int *make(int n) sk_ensures(sk_fresh(sk_result, sizeof(int)) && *sk_result == n) { int *p = malloc(sizeof *p); *p = n; return p; }
int g(int x) sk_ensures(sk_result == WANTED) { int *p = make(x), r = *p; free(p); return r; }";
    for (wanted, expected) in [("x", "true"), ("3", "false(assert)")] {
        let (last, report) = verify("g", &new.replace("WANTED", wanted));
        assert_eq!(last, format!("RESULT: {expected}"), "{report}");
    }
}
