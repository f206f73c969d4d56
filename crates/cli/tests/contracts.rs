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
fn pointers_that_are_returned_lead_to_what_was_given() {
    let verify = |function: &str, source: &str| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contracts-given.c");
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
    for (source, expected) in [
        (given, "false(assert)"),
        (own, "unknown(unsupported)"),
        (inside, "unknown(unsupported)"),
    ] {
        let (last, report) = verify("g", source);
        assert_eq!(last, format!("RESULT: {expected}"), "{report}");
    }
    let new = "int *make(int n) sk_ensures(sk_fresh(sk_result, sizeof(int)) && *sk_result == n) { int *p = malloc(sizeof *p); *p = n; return p; }
int g(int x) sk_ensures(sk_result == WANTED) { int *p = make(x), r = *p; free(p); return r; }";
    for (wanted, expected) in [("x", "true"), ("3", "false(assert)")] {
        let (last, report) = verify("g", &new.replace("WANTED", wanted));
        assert_eq!(last, format!("RESULT: {expected}"), "{report}");
    }
}

#[test]
fn what_is_returned_leads_anywhere() {
    run("returned.c", &[]);
}

/// Writes files, and checks a function with all of them: the last line, and what is said otherwise.
fn several(name: &str, files: &[&str], function: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("contracts-{name}"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_selkie"));
    command.args(["verify", "-q", "--certify", "off", "--function", function]);
    for (number, text) in files.iter().enumerate() {
        let file = folder.join(format!("{number}.c"));
        std::fs::write(&file, format!("#include <selkie.h>\n{text}")).expect("written");
        command.arg(file);
    }
    let output = command.output().expect("selkie runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let report = text(&output.stdout);
    let last = report.lines().last().unwrap_or_default().to_owned();
    (last, report + &text(&output.stderr))
}

#[test]
fn a_condition_changes_nothing() {
    for (number, (text, complaint)) in [
        ("int f(int x) sk_requires(x++ > 0) { return x; }", "`++`"),
        ("int f(int *p) sk_requires(sk_readable(p)) sk_ensures((*p = 1) == 1) { return 0; }", "`=`"),
        ("static int n; int next(void) { return ++n; } int f(int x) sk_requires(next() > 0) { return x; }", "`next`, which writes"),
        ("static int pos(int x) { sk_assume(x > 0); return 1; } int f(int x) sk_requires(pos(x)) { return x; }", "`sk_assume`, which ends"),
        ("int look(int x); int f(int x) sk_requires(look(x)) { return x; }", "`look`, of which it is not known"),
        ("int f(int (*p)(int)) sk_requires(p(1)) { return 0; }", "through a pointer"),
        ("int f(int x, int *p) sk_requires(sk_writable(p) && !__builtin_add_overflow(1, 1, p)) { return 1 / x; }", "its contract writes"),
        ("int f(int *p) sk_requires((__atomic_store_n(p, 0, 0), 1)) { return 1; }", "its contract writes"),
        ("int f(char *p) sk_requires(__builtin_memset(p, 0, 1) != 0) { return 1; }", "writes or ends executions"),
        ("int f(int x) sk_ensures(sk_result == 7 || (__builtin_trap(), 0)) { return x; }", "writes or ends executions"),
        ("static int sk_reset(int *p) { *p = 0; return 1; } int f(int *p) sk_requires(sk_reset(p)) { return 1; }", "`sk_reset`, which writes"),
        ("static int bump(int x) { if (x != 7) __builtin_trap(); return 1; } int f(int x) sk_ensures(bump(sk_result)) { return x; }", "ends executions"),
        ("int f(int a, int b) sk_requires(a > 0); int f(int b, int a) sk_requires(a > 0) { return a; }", "another contract before"),
    ]
    .into_iter()
    .enumerate()
    {
        let (last, report) = several(&format!("changes-{number}"), &[text], "f");
        assert_eq!(last, "RESULT: error(input)", "{text}\n{report}");
        assert!(report.contains(complaint), "{text}\n{report}");
    }
    let fine = "#include <stdlib.h>
        static int twice(int x) { int y = x; y += x; return y; }
        int f(int x) sk_requires(x > 0 && x < 9 && abs(x) > 0 && twice(x) > 2 && ({ int z = x; z > 1; }))
        sk_ensures(sk_result == sk_old(x)) { return x; }";
    let (last, report) = several("asks", &[fine], "f");
    assert_eq!(last, "RESULT: true", "{report}");
}

/// A function that is hidden in one file, and one of the same name in another.
#[test]
fn a_contract_is_that_of_its_own_function() {
    let one = "static int f(int x) sk_requires(x > 0) sk_ensures(sk_result == 1) { return 1; }
        int one(void) { int r = f(3); sk_assert(r == 1); return r; }";
    let two = "static int f(int x) { return x; }
        int two(void) { int r = f(7); sk_assert(r == 7); return r; }
        int bad(void) { int r = f(7); sk_assert(r == 1); return r; }";
    let three = "static int f(int x) sk_requires(x < 0) sk_ensures(sk_result == 3) { return 3; }
        int three(void) { int r = f(-3); sk_assert(r == 3); return r; }";
    for (name, files) in [("first", [one, two]), ("last", [two, one])] {
        for (function, verdict) in [("one", "true"), ("two", "true"), ("bad", "false(assert)")] {
            let (last, report) = several(&format!("{name}-{function}"), &files, function);
            assert_eq!(
                last,
                format!("RESULT: {verdict}"),
                "{name} {function}\n{report}"
            );
        }
    }
    // A hidden function that nobody calls is compiled for its contract.
    let unused = "static int f(int x) sk_requires(x > 0) sk_ensures(sk_result > 0) { return x; }";
    let (last, report) = several("unused", &[unused], "f");
    assert_eq!(last, "RESULT: true", "{report}");
    for function in ["one", "three"] {
        let (last, report) = several(&format!("both-{function}"), &[one, three], function);
        assert_eq!(last, "RESULT: true", "{function}\n{report}");
    }
}

#[test]
fn files_agree_about_a_function() {
    let caller = "int f(int x) sk_ensures(sk_result > 0); int g(void) { int r = f(1); sk_assert(r > 0); return r; }";
    let callee = "int f(int x) sk_ensures(1) { return -1; }";
    let (last, report) = several("differ", &[caller, callee], "g");
    assert_eq!(last, "RESULT: error(input)", "{report}");
    assert!(report.contains("`f` has another contract in"), "{report}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("contracts-differ");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--all", "--jobs", "1"])
        .args([folder.join("0.c"), folder.join("1.c")])
        .output()
        .expect("selkie runs");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
