//! Options that change what a program means, or how far it is followed.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Verifies a program; standard output.
fn verify(name: &str, source: &str, options: &[&str]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("modes-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    let include: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/include");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "-v"])
        .arg("--include")
        .arg(include)
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs");
    String::from_utf8(output.stdout).expect("the report is text")
}

/// The status of the obligation with this id.
fn status<'a>(report: &'a str, id: &str) -> &'a str {
    let line = report
        .lines()
        .find(|line| line.contains(&format!("[{id}]")))
        .unwrap_or_else(|| panic!("no {id} in\n{report}"));
    line.rsplit(": ").next().expect("a status ends the line")
}

#[test]
fn executions_end_at_a_violation_or_go_on() {
    let source = "#include <selkie.h>
int main(void) {
    int x = sk_nondet_int();
    sk_assume(x == 2147483647);
    int y = x + 1;
    int z = x + 2;
    return y < z;
}
";
    let stop = verify("failure-stop", source, &[]);
    assert_eq!(status(&stop, "main.overflow.1"), "VIOLATED", "{stop}");
    assert_eq!(status(&stop, "main.overflow.2"), "UNREACHABLE", "{stop}");
    let on = verify("failure-on", source, &["--after-failure", "continue"]);
    assert_eq!(status(&on, "main.overflow.1"), "VIOLATED", "{on}");
    assert_eq!(status(&on, "main.overflow.2"), "VIOLATED", "{on}");
}

#[test]
fn a_depth_that_is_too_small_is_no_proof() {
    let source = "#include <selkie.h>
static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
int main(void) {
    int n = sk_nondet_int();
    sk_assume(n >= 0 && n <= 5);
    sk_assert(down(n) == n);
}
";
    let options = ["--check", "assert", "--depth"];
    let with = |depth: &str, name: &str| verify(name, source, &[&options[..], &[depth]].concat());
    let small = with("2", "depth-small");
    assert!(small.ends_with("RESULT: unknown(bounded)\n"), "{small}");
    let enough = with("5", "depth-enough");
    assert!(enough.ends_with("RESULT: true\n"), "{enough}");
    assert!(verify("depth-auto", source, &[]).ends_with("RESULT: true\n"));
}

#[test]
fn a_pointer_to_nothing_known_is_called() {
    let source = "#include <selkie.h>
extern void reach_error(void);
typedef int (*fn)(int);
extern fn anything(void);
static int inc(int x) { return x + 1; }
static int add(int x, int y) { return x + y; }
static int data;
int main(void) {
    fn f = sk_nondet_bool() ? inc : anything();
    if (f(2) < 3) reach_error();
}
";
    // Unknown code returns anything, if that is how it is to be taken.
    let pure = ["--check", "reach", "--extern", "pure"];
    let report = verify("call-unknown", source, &pure);
    assert!(
        report.ends_with("RESULT: false(unreach-call)\n"),
        "{report}"
    );
    assert!(report.contains("unknown code: a call returns any value"));
    let strict = ["--check", "reach", "--extern", "error"];
    let report = verify("call-unknown-error", source, &strict);
    assert!(
        report.ends_with("RESULT: unknown(unsupported)\n"),
        "{report}"
    );
    // Garbage looks the same, so that nothing is proved where it would be an invalid access.
    let not_null = source.replace("    if (f(2)", "    sk_assume(f != 0);\n    if (f(2)");
    let report = verify("call-unknown-deref", &not_null, &["--extern", "pure"]);
    assert!(
        report.ends_with("RESULT: unknown(unsupported)\n"),
        "{report}"
    );
    // What is known to be no such function is not taken for unknown code.
    for other in ["(fn)add", "(fn)&data"] {
        let source = source.replace("anything()", other);
        let report = verify("call-other", &source, &pure);
        assert!(
            report.ends_with("RESULT: unknown(unsupported)\n"),
            "{other}\n{report}"
        );
    }
    // Nor is null, which is nothing that happens when `deref` is not checked.
    let source = source.replace("anything()", "0");
    let report = verify("call-null", &source, &pure);
    assert!(report.ends_with("RESULT: true\n"), "{report}");
}

#[test]
fn what_has_no_model_hides_no_violation() {
    let source = "#include <selkie.h>
#include <setjmp.h>
jmp_buf env;
int main(void) {
    unsigned n = sk_nondet_uint();
    for (unsigned i = 0; i < n; i++) {
        if (i == 0 && n == 100) setjmp(env);
        if (i == 20) sk_assert(n != 30);
    }
}
";
    let report = verify(
        "beyond-a-gap",
        source,
        &["--check", "assert", "--timeout", "60"],
    );
    assert_eq!(status(&report, "main.assert.1"), "VIOLATED", "{report}");
}

#[test]
fn an_assertion_that_an_execution_never_meets_is_vacuous() {
    let source = "#include <selkie.h>
int main(void) {
    unsigned x = 1, y = 0;
    for (int i = 0; i < 1000000; i++) x = x * 1664525 + 1013904223, y ^= x;
    sk_assert(x != 7);
    if (x == 7) sk_assert(y != 8);
}
";
    let report = verify("executed", source, &["--check", "assert"]);
    assert_eq!(status(&report, "main.assert.1"), "PROVED", "{report}");
    assert_eq!(status(&report, "main.assert.2"), "VACUOUS", "{report}");
}

#[test]
fn passes_can_be_watched() {
    let dump = |pass: &str, options: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
            .args(["verify", "--dump-after", pass])
            .args(options)
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/first.c"))
            .output()
            .expect("selkie runs");
        let code = output.status.code();
        let errors = String::from_utf8(output.stderr).expect("text");
        (code, errors)
    };
    let (_, text) = dump("purify", &[]);
    assert!(text.contains("module pure"), "{text}");
    let (_, text) = dump("gssa", &["--vc", "dataflow"]);
    assert!(text.contains("fn @main"), "{text}");
    assert!(!text.contains("branch"), "{text}");
    let (code, text) = dump("gssa", &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("--vc"), "{text}");
    let (code, text) = dump("nonsense", &[]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("only raw, lowered, pure"), "{text}");
}

#[test]
fn a_program_without_checks_needs_no_bound() {
    let source = "extern unsigned sk_nondet_uint(void);
static unsigned id(unsigned x) { return x == 0 ? 0 : id(x - 1) + 1; }
int main(void) {
    unsigned n = sk_nondet_uint();
    while (id(n) != 7) n = n * 3 + 1;
    return 0;
}
";
    let report = verify("nothing", source, &["--check", "overflow,div"]);
    assert!(report.ends_with("RESULT: true\n"), "{report}");
}

#[test]
fn a_bug_behind_a_long_loop_is_found() {
    let source = "#include <selkie.h>
int main(void) {
    unsigned odd = 0, rest = 1;
    for (int i = 0; i < 300000; i++) {
        unsigned x = sk_nondet_uint();
        if (x & 1) odd++;
        rest = rest * 31 + x;
    }
    sk_assert(odd < 120000 || rest == 7);
}
";
    let report = verify("deep", source, &["--check", "assert", "--stop-at-first"]);
    assert!(report.ends_with("RESULT: false(assert)\n"), "{report}");
}

#[test]
fn what_the_contract_names_is_refused_with_a_reason() {
    let refused = |words: &[&str], sentence: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
            .args(words)
            .output()
            .expect("selkie runs");
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(text.contains(sentence), "{text}");
    };
    refused(
        &["verify", "--fmap", "mem", "f.c"],
        "it is `off`, `auto`, or like `s5-a3`",
    );
    refused(&["verify", "--nonsense", "f.c"], "--nonsense");
}

#[test]
fn memory_is_there_or_may_run_out() {
    let source = "#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
}
";
    assert!(verify("malloc", source, &[]).ends_with("RESULT: true\n"));
    let report = verify("malloc-fails", source, &["--malloc-may-fail"]);
    assert!(report.ends_with("RESULT: false(valid-deref)\n"), "{report}");
}

#[test]
fn a_violation_that_only_an_overflow_leads_to_does_not_count() {
    let source = "#include <selkie.h>
extern void reach_error(void);
int main(void) {
    int x = sk_nondet_int();
    if (x > 0 && x + 1 < 0) reach_error();
}
";
    let report = verify("undefined", source, &["--check", "reach"]);
    assert!(report.ends_with("RESULT: unknown(undefined)\n"), "{report}");
    let wraps = ["--check", "reach", "--cflags=-fwrapv"];
    let report = verify("defined", source, &wraps);
    assert!(
        report.ends_with("RESULT: false(unreach-call)\n"),
        "{report}"
    );
}

#[test]
fn a_violation_that_needs_a_rough_value_does_not_count() {
    let source = "#include <math.h>
#include <selkie.h>
extern void reach_error(void);
int main(void) {
    double h = hypot(3, 4);
    if (h < 0) reach_error();
    if (h != 5) reach_error();
    if (sk_nondet_int() == 3) h = -1;
    if (h == -1) reach_error();
}
";
    let report = verify("rough", source, &["--check", "reach"]);
    assert_eq!(status(&report, "main.reach.1"), "PROVED", "{report}");
    let open = status(&report, "main.reach.2");
    assert!(open.starts_with("the exact value of"), "{report}");
    assert_eq!(status(&report, "main.reach.3"), "VIOLATED", "{report}");
}

#[test]
fn a_loop_that_changes_nothing_ends() {
    let source = "#include <selkie.h>
int main(void) {
    while (1) {
        int x = sk_nondet_int();
        if (x > 3) sk_assert(x > 2);
    }
}
";
    let report = verify("forever", source, &[]);
    assert!(report.ends_with("RESULT: true\n"), "{report}");
}

#[test]
fn a_program_that_chooses_nothing_is_executed() {
    let source = "#include <selkie.h>
int main(void) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 3000000; i++) sum = sum * 31 + i;
    sk_assert(sum != 7);
}
";
    let report = verify("never-met", source, &[]);
    assert!(report.ends_with("RESULT: true\n"), "{report}");
    assert!(report.contains("was executed"), "{report}");
}

#[test]
fn an_execution_that_overflows_does_not_count_either() {
    let source = "extern void reach_error(void);
int main(void) {
    int x = 1;
    for (int i = 0; i < 200000; i++) x += 20000;
    if (x < 0) reach_error();
}
";
    let report = verify("executed-undefined", source, &["--check", "reach"]);
    assert!(report.ends_with("RESULT: unknown(undefined)\n"), "{report}");
}

#[test]
fn a_search_that_does_not_end_claims_nothing() {
    let source = "#include <selkie.h>
extern void reach_error(void);
int main(void) {
    unsigned n = sk_nondet_uint();
    int x = sk_nondet_int();
    for (unsigned i = 0; i < n; i++)
        if (x > 0 && x + 1 < 0) reach_error();
}
";
    let report = verify(
        "undefined-bounded",
        source,
        &["--check", "reach", "--unwind", "3"],
    );
    assert!(report.ends_with("RESULT: unknown(bounded)\n"), "{report}");
}

/// What every way to represent memory and programs is tried with.
const REPRESENTATIONS: [&[&str]; 6] = [
    &[],
    &["--memory", "array"],
    &["--memory", "array", "--word", "4", "--pointers", "raw"],
    &["--vc", "path"],
    &["--vc", "dataflow", "--memory", "array"],
    &["--no-coi"],
];

#[test]
fn long_doubles_that_are_not_constant_are_decided() {
    let source = "#include <selkie.h>
int main(void) {
    int i = sk_nondet_int();
    long double x = i, y = x * 2.0L;
    sk_assume(i >= 0 && i < 1000);
    sk_assert((int)x == i);
    sk_assert(y >= x);
    BUG
}
";
    for (number, options) in REPRESENTATIONS.iter().enumerate() {
        let options = [&["--check", "assert", "--timeout", "60"], *options].concat();
        let holds = source.replace("BUG", "");
        let report = verify(&format!("long-double-{number}"), &holds, &options);
        assert!(report.ends_with("RESULT: true\n"), "{options:?}\n{report}");
        let fails = source.replace("BUG", "sk_assert(y != 246.0L);");
        let report = verify(&format!("long-double-bug-{number}"), &fails, &options);
        assert_eq!(status(&report, "main.assert.3"), "VIOLATED", "{report}");
        assert!(report.contains("i = 123"), "{report}");
    }
}

#[test]
fn structures_are_copied_from_places_that_are_not_constant() {
    let source = "#include <selkie.h>
#include <string.h>
struct pair { int a; char b[9]; int *p; };
int g;
int main(void) {
    struct pair x = {1, \"abc\", &g}, y = {2, \"def\", &g}, z, list[3] = {x, y, x};
    z = *(sk_nondet_bool() ? &x : &y);
    sk_assert(z.a == 1 ? z.b[0] == 'a' : z.b[0] == 'd');
    unsigned i = sk_nondet_uint();
    sk_assume(i < 3);
    z = list[i];
    sk_assert((z.a == 2) == (i == 1));
    sk_assert(z.p == &g);
    memcpy((char *)&z + 1, (char *)&list[i] + 1, 6);
    sk_assert(z.b[2] == (i == 1 ? 'f' : 'c'));
    sk_assert(z.a == 1);
}
";
    for (number, options) in REPRESENTATIONS.iter().enumerate() {
        let options = [&["--timeout", "60"], *options].concat();
        let report = verify(&format!("copies-{number}"), source, &options);
        for held in 1..=4 {
            let status = status(&report, &format!("main.assert.{held}"));
            assert_eq!(status, "PROVED", "{options:?}\n{report}");
        }
        assert_eq!(status(&report, "main.assert.5"), "VIOLATED", "{report}");
        assert!(
            report.ends_with("RESULT: false(assert)\n"),
            "{options:?}\n{report}"
        );
    }
}

#[test]
fn writes_before_an_object_whose_size_is_not_constant_are_found() {
    let source = "#include <selkie.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
    unsigned n = sk_nondet_uint(), m = sk_nondet_uint();
    sk_assume(n > 8 && n < 100 && m > 8 && m < 100);
    char *p = malloc(n), *q = malloc(m);
    if (sk_nondet_bool()) *(long *)(p - AT) = 1; else p[0] = 2;
    if (sk_nondet_bool()) memset(q - AT, 1, 7); else q[0] = 2;
    if (sk_nondet_bool()) memcpy(q - AT, p - AT, 5); else q[1] = 2;
    return p[1] + q[1];
}
";
    for (number, options) in REPRESENTATIONS.iter().enumerate() {
        let options = [&["--check", "deref", "--timeout", "60"], *options].concat();
        let fails = source.replace("AT", "4");
        let report = verify(&format!("before-{number}"), &fails, &options);
        assert_eq!(status(&report, "main.deref.1"), "VIOLATED", "{report}");
        assert!(
            report.ends_with("RESULT: false(valid-deref)\n"),
            "{options:?}\n{report}"
        );
        let holds = source.replace("AT", "0");
        let report = verify(&format!("not-before-{number}"), &holds, &options);
        assert!(report.ends_with("RESULT: true\n"), "{options:?}\n{report}");
    }
}

#[test]
fn what_is_known_roughly_violates_nothing_in_any_representation() {
    let source = "#include <selkie.h>
#include <math.h>
int main(void) {
    double x = sk_nondet_int();
    double s = sin(x);
    sk_assert(x != 123.0);
    sk_assert(s <= 0.5);
}
";
    for (number, options) in REPRESENTATIONS.iter().enumerate() {
        let options = [&["--check", "assert", "--timeout", "60"], *options].concat();
        let report = verify(&format!("rough-{number}"), source, &options);
        assert!(
            report.contains("[main.assert.2] sk_assert: UNKNOWN(unsupported"),
            "{options:?}\n{report}"
        );
        assert_eq!(status(&report, "main.assert.1"), "VIOLATED", "{report}");
    }
}

#[test]
fn a_block_that_is_not_known_proves_nothing() {
    // Clang says nothing of a variable whose declaration is dead code.
    let source = "#include <selkie.h>
int main(void) {
    int other = 7, *p = &other;
    switch (sk_nondet_int()) {
        int y;
    case 1:
        y = 3;
        p = &y;
        sk_assert(*p == 3);
        break;
    case 2:
        y = 4;
        for (int i = 0; i < 2; i++)
            y++;
        sk_assert(y == 6);
    }
    return AFTER;
}
";
    for opt in ["0", "1", "2"] {
        let with = |after: &str, name: &str| {
            let source = source.replace("AFTER", after);
            verify(&format!("{name}-{opt}"), &source, &["--opt", opt])
        };
        let report = with("*p", "bypassed-used");
        assert!(!report.ends_with("RESULT: true\n"), "{report}");
        let report = with("other", "bypassed-unused");
        assert!(report.ends_with("RESULT: true\n"), "{report}");
    }
}

#[test]
fn functions_chosen_at_load_time_are_not_modelled() {
    let source = "static int one(void) { return 1; }
static int (*choose(void))(void) { return one; }
int f(void) __attribute__((ifunc(\"choose\")));
int main(int argc, char **argv) { return CALL; }
";
    let called = verify("ifunc-called", &source.replace("CALL", "f()"), &[]);
    assert!(
        called.ends_with("RESULT: unknown(unsupported)\n"),
        "{called}"
    );
    let unused = verify("ifunc-unused", &source.replace("CALL", "one()"), &[]);
    assert!(unused.ends_with("RESULT: true\n"), "{unused}");
}

#[test]
fn every_write_is_a_modification() {
    let source = "#include <selkie.h>
#include <stdlib.h>
int main(void) {
    int x = 3, *p = &x;
    sk_reset_modified(p);
    sk_assert(!sk_is_modified(p));
    x = x;
    sk_assert(sk_is_modified(p));
    int *q = malloc(8);
    *q = 4;
    sk_reset_modified(q);
    if (sk_nondet_bool()) {
        *q = *q;
        sk_assert(sk_is_modified(q));
    } else {
        sk_assert(!sk_is_modified(q));
    }
    free(q);
    return 0;
}
";
    for opt in ["0", "1", "2"] {
        let report = verify(&format!("modified-{opt}"), source, &["--opt", opt]);
        assert!(report.ends_with("RESULT: true\n"), "--opt {opt}: {report}");
    }
}

#[test]
fn what_unknown_code_writes_is_found_in_every_form() {
    let source = "#include <selkie.h>
void tell(unsigned *to);
static void one(unsigned *to) { *to = 1; }
static void two(unsigned *to) { *to = 2; }
static void (*table[2])(unsigned *) = {one, two};
int main(void) {
    unsigned mine = 3, other[2] = {0};
    table[sk_nondet_uint() & 1u](other);
    tell(&mine);
    sk_assert((mine & 3u) != 1u);
}
";
    let holds = source.replace("!= 1u", "<= 3u");
    for form in ["eval", "path", "dataflow"] {
        let options = ["--check", "assert", "--extern", "havoc", "--vc", form];
        let report = verify("clobbered", source, &options);
        assert_eq!(status(&report, "main.assert.1"), "VIOLATED", "{form}");
        let report = verify("clobbered-holds", &holds, &options);
        assert!(report.ends_with("RESULT: true\n"), "{form}\n{report}");
    }
}
