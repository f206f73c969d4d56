//! Where objects lie: what depends on it is not proved, and what does not is.

use std::path::{Path, PathBuf};
use std::process::Command;

const HEAD: &str = "#include <selkie.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
";

/// Programs that hold for some addresses only; the line of the look is marked.
const DEPENDS: &[(&str, &str)] = &[
    (
        "order",
        "int a, b;
int main(void) {
    sk_assert(&a < &b); // look
}",
    ),
    (
        "order-converse",
        "int a, b;
int main(void) {
    sk_assert(&b < &a); // look
}",
    ),
    (
        "order-of-the-heap",
        "int main(void) {
    int *p = malloc(4), *q = malloc(4);
    sk_assert(p < q); // look
}",
    ),
    (
        "one-past-the-end",
        "int a, b;
int main(void) {
    sk_assert(&a + 1 != &b); // look
}",
    ),
    (
        "freed-and-used-again",
        "int main(void) {
    int *p = malloc(4);
    free(p);
    int *q = malloc(4);
    sk_assert(p != q); // look
}",
    ),
    (
        "moved",
        "int main(void) {
    char *p = malloc(4), *q = realloc(p, 8);
    sk_assert(p != q); // look
    free(q);
}",
    ),
    (
        "aligned-by-chance",
        "char a;
int main(void) {
    sk_assert((uintptr_t)&a % 8 == 0); // look
}",
    ),
    (
        "number",
        "int a;
int main(void) {
    sk_assert(&a != (int *)0x123450); // look
}",
    ),
    (
        "bytes",
        "int a, b;
int main(void) {
    int *p = &a, *q = &b;
    sk_assert(memcmp(&p, &q, sizeof p) < 0); // look
}",
    ),
    (
        "hash",
        "int a, table[8];
int main(void) {
    table[(uintptr_t)&a / 16 % 8] = 1; // look
    sk_assert(table[(uintptr_t)&a / 16 % 4] == 1);
}",
    ),
    (
        "one-past-a-local",
        "int main(void) {
    int a[4], b[4], *p = a + 4;
    sk_assert(p != b); // look
}",
    ),
    (
        "scopes-after-each-other",
        "int main(void) {
    int *p, *q;
    { int a = 1; p = &a; }
    { int b = 2; q = &b; }
    sk_assert(p != q); // look
}",
    ),
    (
        "never-used-otherwise",
        "int main(void) {
    int a, *p = (int *)(uintptr_t)sk_nondet_ulong();
    sk_assert(p != &a); // look
}",
    ),
    (
        "not-reached-here",
        "static char a, b;
int main(void) {
    if ((uintptr_t)&a % 4 == 0 || (uintptr_t)&b % 4 == 0) // look
        return 0;
    sk_assert((uintptr_t)&a > (uintptr_t)&b);
}",
    ),
    (
        "tails-of-literals",
        "int main(void) {
    const char *p = \"xabc\", *q = \"abc\";
    sk_assert(p + 1 != q); // look
}",
    ),
    (
        "functions",
        "void f(void) {}
void g(void) {}
int main(void) {
    sk_assert((uintptr_t)f < (uintptr_t)g); // look
}",
    ),
];

/// Programs that hold wherever objects lie, although they look at addresses.
const HOLDS: &[(&str, &str)] = &[
    (
        "total",
        "int a, b;
int main(void) { sk_assert(&a < &b || &b < &a); sk_assert(&a != &b); }",
    ),
    (
        "literals-that-differ",
        "static const char named[] = \"abc\";
int main(void) {
    const char *p = \"abd\", *q = \"abc\", *r = \"xabc\";
    sk_assert(p != q && p + 1 != q + 1 && r != q && q != named && r + 1 != named);
}",
    ),
    (
        "null",
        "int a;
void f(void) {}
int main(void) {
    int *p = malloc(4);
    void (*g)(void) = f;
    sk_assert(p && &a && g && p > (int *)0);
    free(p);
}",
    ),
    (
        "alive-at-the-same-time",
        "int main(void) {
    int *p = malloc(4), *q = malloc(4);
    free(p);
    sk_assert(p != q);
    free(q);
}",
    ),
    (
        "moved-away-from-others",
        "int main(void) {
    char *p = malloc(4), *q = malloc(4), *r = realloc(p, 8);
    sk_assert(q != r && p != q);
    free(q);
    free(r);
}",
    ),
    (
        "aligned-by-type",
        "int a;
int main(void) { sk_assert((uintptr_t)&a % sizeof a == 0); }",
    ),
    (
        "there-and-back",
        "int a;
int main(void) {
    int *p = (int *)(uintptr_t)&a;
    *p = 3;
    sk_assert(a == 3);
}",
    ),
    (
        "tag",
        "int main(void) {
    int *p = malloc(4);
    uintptr_t tagged = (uintptr_t)p | 1;
    int *q = (int *)(tagged & ~(uintptr_t)1);
    *q = 5;
    sk_assert(*p == 5);
    free(q);
}",
    ),
    (
        "exclusive-or",
        "int a, b;
int main(void) {
    uintptr_t both = (uintptr_t)&a ^ (uintptr_t)&b;
    int *p = (int *)(both ^ (uintptr_t)&a);
    *p = 1;
    sk_assert(b == 1 && p == &b);
}",
    ),
    (
        "round-up",
        "int main(void) {
    char *b = malloc(64);
    char *p = (char *)(((uintptr_t)b + 31) & ~(uintptr_t)31);
    *p = 1;
    sk_assert(p >= b && p < b + 32);
    free(b);
}",
    ),
    (
        "bytes",
        "int a;
int main(void) {
    int *p = &a, *q;
    unsigned char copy[sizeof p];
    for (unsigned i = 0; i < sizeof p; i++) copy[i] = ((unsigned char *)&p)[i];
    for (unsigned i = 0; i < sizeof p; i++) ((unsigned char *)&q)[i] = copy[i];
    sk_assert(memcmp(&p, &q, sizeof p) == 0);
    *q = 1;
    sk_assert(a == 1);
}",
    ),
    (
        "difference",
        "int main(void) {
    int a[10], i = sk_nondet_int();
    sk_assume(0 <= i && i < 10);
    int *p = a + i;
    sk_assert(p - a == i && p <= a + 9);
}",
    ),
    (
        "down-to-the-first",
        "struct part { int a, b, c, d; };
int main(void) {
    struct part parts[3];
    int n = sk_nondet_int(), rounds = 0;
    sk_assume(0 <= n && n <= 3);
    for (struct part *p = parts + n - 1; p >= parts; p--) rounds++;
    sk_assert(rounds == n);
}",
    ),
    (
        "hash",
        "int a, table[8];
int main(void) {
    table[(uintptr_t)&a / 16 % 8] = 1;
    sk_assert(table[(uintptr_t)&a / 16 % 8] == 1);
}",
    ),
    (
        "errors-as-pointers",
        "int main(void) {
    int *p = malloc(4);
    sk_assert((uintptr_t)p < (uintptr_t)-4095);
    free(p);
}",
    ),
];

/// Verifies a program; standard output.
fn verify(name: &str, source: &str, options: &[&str]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("layout-{name}.c"));
    std::fs::write(&file, format!("{HEAD}{source}\n")).expect("the program is written");
    let include: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/include");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("verify")
        .arg("--include")
        .arg(include)
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs");
    String::from_utf8(output.stdout).expect("the report is text")
}

/// The last line of the report.
fn result(report: &str) -> &str {
    report.lines().last().unwrap_or("")
}

/// Every `--opt`, and the other ways to represent memory, pointers and programs at one of them.
const WAYS: &[&[&str]] = &[
    &["--opt", "0"],
    &["--opt", "1"],
    &["--opt", "2"],
    &["--memory", "array"],
    &["--pointers", "raw"],
    &["--alloc", "relative"],
    &["--data-model", "ilp32"],
    &["--vc", "path", "--unwind", "10"],
];

#[test]
fn a_long_execution_that_looks_at_addresses_proves_nothing() {
    let program = |condition: &str| {
        format!(
            "int a[4], b[4];
int main(void) {{
    unsigned long sum = 0;
    for (long i = 0; i < 300000; i++) sum += i;
    int *p = a + 3;
    sk_assert(sum == 0 || {condition});
}}"
        )
    };
    let options = ["--check", "assert", "--timeout", "5"];
    for (name, condition) in [
        ("below", "p < b"),
        ("above", "b < a"),
        ("number", "(uintptr_t)p % 64 < 32"),
    ] {
        let report = verify(&format!("long-{name}"), &program(condition), &options);
        let fails = result(&report) == "RESULT: false(assert)";
        let unknown = result(&report).starts_with("RESULT: unknown(");
        assert!(fails || unknown, "{condition}\n{report}");
    }
    let harmless = program("p - a == 3 && p > a && p != b");
    let report = verify("long-harmless", &harmless, &options);
    assert_eq!(result(&report), "RESULT: true", "{report}");
}

#[test]
fn a_pointer_that_went_through_an_int_is_lost() {
    let source = "int a;
int main(void) {
    int number = (int)(intptr_t)&a;
    int *p = (int *)(intptr_t)number;
    *p = 1;
}";
    for place in ["", "static void f(void) {}\n"] {
        for way in &WAYS[..5] {
            let options = [&["--check", "deref"], *way].concat();
            let report = verify("int", &format!("{place}{source}"), &options);
            assert_eq!(
                result(&report),
                "RESULT: false(valid-deref)",
                "{way:?}\n{report}"
            );
        }
    }
    let report = verify(
        "int-32",
        source,
        &["--check", "deref", "--data-model", "ilp32"],
    );
    assert_eq!(result(&report), "RESULT: true", "{report}");
}

fn each(programs: &[(&str, &str)], kind: &str, judge: impl Fn(&str, &str) -> bool) {
    let mut wrong = Vec::new();
    for (name, source) in programs {
        for (number, way) in WAYS.iter().enumerate() {
            let options = [&["--check", "assert,deref"], *way].concat();
            let report = verify(&format!("{kind}-{name}-{number}"), source, &options);
            if !judge(source, &report) {
                wrong.push(format!("{name} {way:?}\n{report}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_holds_for_some_addresses_only_is_not_proved() {
    each(DEPENDS, "depends", |source, report| {
        let marked = source.lines().position(|line| line.ends_with("// look"));
        let line = marked.expect("a line is marked") + 1 + HEAD.lines().count();
        match result(report) {
            "RESULT: unknown(layout)" => report
                .lines()
                .filter(|said| said.contains("depends on where objects lie"))
                .any(|said| said.contains(&format!(".c:{line}:"))),
            other => other == "RESULT: false(assert)",
        }
    });
}

#[test]
fn what_holds_for_all_addresses_is_proved() {
    each(HOLDS, "holds", |_, report| result(report) == "RESULT: true");
}

#[test]
fn what_was_proved_for_all_addresses_says_what_they_are() {
    let find = |wanted: &str| HOLDS.iter().find(|(name, _)| *name == wanted);
    let (_, source) = find("hash").expect("the program is there");
    let report = verify("ledger", source, &["--check", "assert"]);
    assert!(report.contains("addresses: any, but aligned"), "{report}");
}

#[test]
fn what_no_variable_of_an_open_function_holds_is_lost() {
    let lost = "static void end(void) { exit(0); }
int main(void) {
    char *p = malloc(4);
    *p = 1;
    p = NULL;
    end();
}";
    let dropped = "int main(void) {
    malloc(4);
    exit(0);
}";
    for opt in ["0", "1", "2"] {
        for source in [lost, dropped] {
            let report = verify("lost", source, &["--check", "leak", "--opt", opt]);
            assert_eq!(result(&report), "RESULT: false(valid-memtrack)", "{report}");
        }
    }
}
