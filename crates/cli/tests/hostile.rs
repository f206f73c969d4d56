//! Programs that use C oddly, with what they are: each was compiled and run.

use std::path::Path;
use std::process::Command;

const HEAD: &str = "#include <assert.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
";

/// A program without its head, the checks, and the result.
type Case = (&'static str, &'static str, &'static str, &'static str);

const MEMORY: &[Case] = &[
    (
        "kept-in-a-large-global",
        "leak",
        "static struct { int first; char *table[10000]; } big = {1};
int main(void) { big.table[9000] = malloc(8); return 0; }",
        "true",
    ),
    (
        "lost-in-a-large-global",
        "leak",
        "static struct { int first; char *table[10000]; } big = {1};
int main(void) { big.table[9000] = malloc(8); big.table[9000] = 0; return 0; }",
        "false(valid-memtrack)",
    ),
    (
        "lost-beside-a-large-global",
        "leak",
        "static char big[100000], *kept;
int main(void) { unsigned i = __VERIFIER_nondet_int(); if (i < sizeof big) big[i] = 1; kept = malloc(8); kept = 0; return 0; }",
        "false(valid-memtrack)",
    ),
    (
        "kept-beside-a-large-global",
        "leak",
        "static char big[100000], *kept;
int main(void) { unsigned i = __VERIFIER_nondet_int(); if (i < sizeof big) big[i] = 1; kept = malloc(8); return 0; }",
        "true",
    ),
    (
        "kept-somewhere-in-a-large-global",
        "leak",
        "static char *big[100000];
int main(void) { unsigned i = __VERIFIER_nondet_int(); if (i < 100000) big[i] = malloc(8); return 0; }",
        "unknown(unsupported)",
    ),
    (
        "of-an-earlier-round",
        "memsafety",
        "int main(void) { int *p; for (int i = 0; i < 2; i++) { int x = i; if (i) return *p; p = &x; } return 0; }",
        "false(valid-deref)",
    ),
    (
        "in-a-returned-structure",
        "memsafety",
        "struct box { int pad[20], *p; };
static struct box make(void) { int x = 1; struct box made = {{0}, &x}; return made; }
int main(void) { struct box b = make(); return *b.p; }",
        "false(valid-deref)",
    ),
];

const LOOPS: &[Case] = &[
    (
        "loops-within-a-switch",
        "assert",
        "int main(void) {
    int k = 0;
    switch (__VERIFIER_nondet_int() & 3) {
        do { case 0: k++; case 1: k += 2; while (k < 5) { case 2: k += 3; } case 3: k++; } while (k < 12);
    }
    assert(k != 14);
}",
        "false(assert)",
    ),
    (
        "loops-within-a-switch-hold",
        "assert",
        "int main(void) {
    int k = 0;
    switch (__VERIFIER_nondet_int() & 3) {
        do { case 0: k++; case 1: k += 2; while (k < 5) { case 2: k += 3; } case 3: k++; } while (k < 12);
    }
    assert(k == 12 || k == 14 || k == 15);
}",
        "true",
    ),
    (
        "two-entries",
        "assert",
        "int main(void) {
    unsigned x = __VERIFIER_nondet_int();
    int c = 0;
    if (x & 1) goto b;
a:  c++;
    if (c > 20) goto e;
b:  c += 2;
    if (x & 2) goto a;
    if (c < 15) goto b;
e:  assert(c != 22);
}",
        "false(assert)",
    ),
];

const FUNCTIONS: &[Case] = &[
    (
        "free-in-a-table",
        "memsafety",
        "static void (*const hooks[])(void *) = {free, 0};
int main(void) { char *p = malloc(3); hooks[0](p); (hooks[0])(p); }",
        "false(valid-free)",
    ),
    (
        "hooks-of-an-allocator",
        "memsafety,assert",
        "static struct { void *(*make)(size_t); void (*drop)(void *); void *(*grow)(void *, size_t); } h = {malloc, free, realloc};
int main(void) { int *p = h.make(8); p[1] = 3; p = h.grow(p, 12); assert(p[1] == 3); p[2] = 1; h.drop(p); }",
        "true",
    ),
    (
        "atexit-by-its-address",
        "assert",
        "static int n;
static void bye(void) { assert(n == 1); }
static void set(void) { n = 1; }
int main(void) { int (*at)(void (*)(void)) = atexit; at(set); at(bye); exit(0); }",
        "false(assert)",
    ),
];

fn check(cases: &[Case]) {
    let mut wrong = Vec::new();
    for (name, checks, source, result) in cases {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{name}.c"));
        std::fs::write(&file, format!("{HEAD}{source}\n")).expect("the program is written");
        for opt in ["0", "2"] {
            let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
                .args(["verify", "--opt", opt, "--check", checks])
                .arg(&file)
                .output()
                .expect("selkie runs");
            let report = String::from_utf8_lossy(&output.stdout).into_owned();
            if !report.ends_with(&format!("RESULT: {result}\n")) {
                wrong.push(format!("{name} --opt {opt}, not {result}:\n{report}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lives_and_leaks() {
    check(MEMORY);
}

#[test]
fn loops_that_are_entered_in_the_middle() {
    check(LOOPS);
}

#[test]
fn library_functions_by_their_address() {
    check(FUNCTIONS);
}

#[test]
fn unknown_code_that_gets_an_address_in_parts_may_write_there() {
    let words = "#include <assert.h>
#include <stdint.h>
extern void low(uint32_t), high(uint32_t), go(void);
int main(void) {
    int x = 3;
    uintptr_t a = (uintptr_t)&x;
    low((uint32_t)a);
    high((uint32_t)(a >> 16 >> 16));
    go();
    assert(x == 3);
}
";
    let bytes = "#include <assert.h>
extern void give(char), go(void);
int main(void) {
    int x = 3, *p = &x;
    for (unsigned i = 0; i < sizeof p; i++) give(((char *)&p)[i]);
    go();
    assert(x == 3);
}
";
    let kept = "#include <assert.h>
extern void give(int), go(void);
int main(void) { int x = 3, y = 4; give(y); go(); assert(x == 3); }
";
    for (name, source, proved) in [
        ("words", words, false),
        ("bytes", bytes, false),
        ("kept", kept, true),
    ] {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-parts-{name}.c"));
        std::fs::write(&file, source).expect("the program is written");
        for way in [
            &["--regions", "dsa"][..],
            &["--regions", "ci", "--opt", "0"],
            &["--vc", "dataflow"],
            &["--vc", "dataflow", "--opt", "0"],
            &["--vc", "path"],
            &["--memory", "array"],
        ] {
            let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
                .args(["verify", "--check", "assert"])
                .args(way)
                .arg(&file)
                .output()
                .expect("selkie runs");
            let report = String::from_utf8_lossy(&output.stdout).into_owned();
            let result = report.lines().last().unwrap_or_default();
            assert!(result.starts_with("RESULT: "), "{name} {way:?}\n{report}");
            assert_eq!(result == "RESULT: true", proved, "{name} {way:?}\n{report}");
        }
    }
}
