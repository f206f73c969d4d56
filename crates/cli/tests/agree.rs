//! Programs whose verdict is known: the same at every `--opt`.

use std::path::{Path, PathBuf};
use std::process::Command;

fn verify(name: &str, source: &str, options: &[&str]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("agree-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    let include: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/include");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--include"])
        .arg(include)
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs");
    let report = String::from_utf8(output.stdout).expect("the report is text");
    let last = report.lines().last().unwrap_or("");
    last.trim_start_matches("RESULT: ").to_owned()
}

/// A name, options, what the result is and the program.
type Row = (
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static str,
);

fn all_agree(rows: &[Row]) {
    for (name, options, result, source) in rows {
        for opt in ["0", "1", "2"] {
            let mut options = options.to_vec();
            options.extend(["--opt", opt]);
            let found = verify(&format!("{name}-{opt}"), source, &options);
            assert_eq!(&found, result, "{name} with {options:?}:\n{source}");
        }
    }
}

const CONSTANTS: &[Row] = &[
    (
        "scalar",
        &[],
        "false(valid-deref)",
        "int main(void) { const int x = 5; *(int *)&x = 6; return 0; }\n",
    ),
    (
        "pointer",
        &[],
        "false(valid-deref)",
        "static void set(int *p) { *p = 6; }
int main(void) { const int x = 5; set((int *)&x); return 0; }\n",
    ),
    (
        "array",
        &[],
        "false(valid-deref)",
        "int sk_nondet_int(void);
int main(void) {
    const int x[3] = {sk_nondet_int(), 2, 3};
    int *p = (int *)x;
    p[2] = 4;
    return 0;
}\n",
    ),
    (
        "structure",
        &[],
        "false(valid-deref)",
        "#include <string.h>
struct s { int a, b; };
int main(void) { const struct s v = {1, 2}; memset((void *)&v, 0, sizeof v); return 0; }\n",
    ),
    (
        "typedef",
        &[],
        "false(valid-deref)",
        "typedef const int fixed;
int main(void) { fixed x = 5; int *p = (int *)&x; (*p)++; return 0; }\n",
    ),
    (
        "parameter",
        &[],
        "false(valid-deref)",
        "static int f(const int x) { *(int *)&x = 2; return x; }
int main(void) { return f(1); }\n",
    ),
    (
        "literal",
        &[],
        "false(valid-deref)",
        "int main(void) { const int *p = &(const int){3}; *(int *)p = 6; return 0; }\n",
    ),
    (
        "same-function",
        &[],
        "false(valid-deref)",
        "int sk_nondet_int(void);
int main(void) {
    const int a[2] = {sk_nondet_int(),
                      sk_nondet_int()};
    *(int *)&a[1] = 0;
    return 0;
}\n",
    ),
    (
        "initialised",
        &[],
        "true",
        "#include <assert.h>
struct s { int a, b; };
struct big { int a[9]; };
int sk_nondet_int(void);
static struct big make(int x) { struct big b = {{x}}; b.a[8] = x; return b; }
static int sum(const int x, const struct s v, const struct big w) { return x + v.b + w.a[8]; }
int main(void) {
    int n = sk_nondet_int();
    if (n < 0 || n > 9) return 0;
    for (int i = 0; i < 3; i++) {
        const int x = i;
        const int y[2] = {n, i};
        const struct s v = n ? (struct s){1, 2} : (struct s){1, 3};
        const struct big b = make(n);
        const struct s *const p = &(const struct s){n, i};
        assert(x == i && y[1] == i && b.a[8] == n && p->b == i);
        assert(sum(x, v, b) <= 2 + 3 + 9);
    }
    return 0;
}\n",
    ),
    (
        "not-constant",
        &[],
        "true",
        "#include <assert.h>
struct s { const int a; int b; };
int main(void) {
    int y = 4;
    const int *p = &y;
    *(int *)p = 5;
    const char *words[2] = {\"a\", \"b\"};
    words[1] = \"c\";
    struct s v = {1, 2};
    v.b = 3;
    int *q = (int[]){1, 2};
    q[1] = 3;
    assert(y == 5 && words[1][0] == 'c' && v.b == 3 && q[1] == 3);
    return 0;
}\n",
    ),
    (
        "macros",
        &[],
        "true",
        "#include <assert.h>
struct s { int a[6]; };
int sk_nondet_int(void);
#define DECLARE(name, value) const int name[2] = {value, value}
#define SAME(...) __VA_ARGS__
int main(void) {
    int k = sk_nondet_int();
    struct s x = {{k}}, y = {{k}};
    DECLARE(a, k);
    const struct s v = SAME(k ? x : y);
    const int *p = SAME((const int[]){k, k + 0});
    assert(a[1] == k && v.a[0] == k && p[1] == k);
    return 0;
}\n",
    ),
    (
        "filled",
        &[],
        "true",
        "#include <assert.h>
int sk_nondet_int(void);
int main(void) {
    int n = sk_nondet_int();
    const int y[40] = {[0 ... 39] = n};
    assert(y[39] == n);
    return 0;
}\n",
    ),
];

#[test]
fn constants_are_not_written() {
    all_agree(CONSTANTS);
}

const COPIES: &[Row] = &[
    (
        "copy-any",
        &[],
        "false(assert)",
        "#include <assert.h>
struct s { int a, b; };
volatile struct s g;
int main(void) { struct s l = g; assert(l.a == 0); return 0; }\n",
    ),
    (
        "copy-twice",
        &[],
        "false(assert)",
        "#include <assert.h>
#include <string.h>
struct s { int a[20]; };
static volatile struct s g;
int main(void) {
    struct s l = g, k = g;
    assert(memcmp(&l, &k, sizeof l) == 0);
    return 0;
}\n",
    ),
    (
        "copy-last",
        &["--volatile", "last"],
        "true",
        "#include <assert.h>
struct s { int a[20]; };
static volatile struct s g;
int main(void) { struct s l = g; assert(l.a[3] == 0); return 0; }\n",
    ),
    (
        "copy-local",
        &[],
        "true",
        "#include <assert.h>
struct s { int a, b; };
struct s plain = {7, 8};
int main(void) {
    volatile struct s g = {1, 2};
    struct s l = g;
    volatile struct s k;
    k = l;
    volatile struct s m = plain;
    assert(l.a == 1 && l.b == 2 && k.b == 2 && m.a == 7);
    return 0;
}\n",
    ),
    (
        "copy-pointer",
        &[],
        "true",
        "#include <assert.h>
struct s { int a; int *p; };
int x = 3;
static volatile struct s g = {1, &x};
int main(void) { struct s l = g; assert(*l.p == x); return 0; }\n",
    ),
    (
        "copy-within",
        &[],
        "true",
        "#include <assert.h>
struct s { unsigned a[4]; };
static volatile struct s g;
static unsigned f(volatile struct s *p) { struct s l = *p; return l.a[1] & 7; }
int main(void) { assert(f(&g) < 8); return 0; }\n",
    ),
];

#[test]
fn copies_of_volatile_structures_read_any_value() {
    all_agree(COPIES);
}

const NANS: &[Row] = &[
    (
        "nan-sign",
        &[],
        "false(assert)",
        "#include <assert.h>
#include <string.h>
int main(void) {
    double z = 0.0, n = z / z;
    unsigned long u;
    memcpy(&u, &n, 8);
    assert(u >> 63 == 0);
    return 0;
}\n",
    ),
    (
        "nan-float",
        &[],
        "false(assert)",
        "#include <assert.h>
union u { float f; unsigned u; };
int main(void) {
    float big = 1e30f;
    union u v;
    v.f = big * big - big * big;
    assert(v.u >> 31 == 0);
    return 0;
}\n",
    ),
    (
        "nan-either",
        &[],
        "true",
        "#include <assert.h>
#include <string.h>
int main(void) {
    double z = 0.0, n = z / z, one = 1.0, three = one + one + one;
    unsigned long u;
    memcpy(&u, &n, 8);
    assert(n != n && (u << 1) > 0xffe0000000000000 && three == 3.0);
    return 0;
}\n",
    ),
];

#[test]
fn signs_of_nans_are_nobodys() {
    all_agree(NANS);
}

const ARGUMENTS: &[Row] = &[
    (
        "missing",
        &[],
        "false(assert)",
        "#include <assert.h>
static int second(int a, int b) { return b; }
int main(void) {
    int (*volatile p)() = (int (*)())second;
    assert(p(1) == 0);
    return 0;
}\n",
    ),
    (
        "missing-unused",
        &[],
        "true",
        "#include <assert.h>
static int first(int a, int b) { return a; }
static int other(int a, int b) { return a + 1; }
int main(int argc, char **argv) {
    int (*table[2])() = {(int (*)())first, (int (*)())other};
    int (*p)() = table[argc > 1];
    int r = p(1);
    assert(r == 1 || r == 2);
    return 0;
}\n",
    ),
    (
        "too-many",
        &[],
        "true",
        "#include <assert.h>
static int first(int a) { return a; }
int main(int argc, char **argv) {
    int (*table[1])() = {(int (*)())first};
    assert(table[argc < 0](1, 2, 3) == 1);
    return 0;
}\n",
    ),
];

#[test]
fn arguments_that_a_pointer_leaves_out_are_arbitrary() {
    let std: &[&str] = &["--cflags", "-std=gnu17"];
    let rows: Vec<Row> = ARGUMENTS
        .iter()
        .map(|&(name, _, result, source)| (name, std, result, source))
        .collect();
    all_agree(&rows);
}

const DEVICES: &[&str] = &["--mmio", "0x40000000-0x40000fff"];
const MEMORY: &[Row] = &[
    (
        "device-plain",
        DEVICES,
        "false(assert)",
        "#include <assert.h>
int main(void) {
    int *p = (int *)0x40000000;
    *p = 1;
    int x = *p;
    assert(x == 1);
    return 0;
}\n",
    ),
    (
        "device-twice",
        DEVICES,
        "true",
        "#include <assert.h>
int main(void) {
    int *p = (int *)0x40000010;
    *p = 1;
    int x = *p, y = x;
    assert(x == y);
    return 0;
}\n",
    ),
    (
        "too-large",
        &[],
        "unknown(unconfirmed)",
        "#include <assert.h>
#include <stdlib.h>
unsigned long sk_nondet_ulong(void);
int main(void) {
    unsigned long n = sk_nondet_ulong();
    if (n <= 1UL << 63) return 0;
    char *p = malloc(n);
    assert(p == 0);
    return 0;
}\n",
    ),
    (
        "large",
        &[],
        "false(assert)",
        "#include <assert.h>
#include <stdlib.h>
unsigned long sk_nondet_ulong(void);
int main(void) {
    unsigned long n = sk_nondet_ulong();
    if (n <= 1UL << 40) return 0;
    char *p = malloc(n);
    assert(p == 0);
    return 0;
}\n",
    ),
];

#[test]
fn devices_and_large_objects() {
    all_agree(MEMORY);
}
