//! Volatile reads, and addresses of devices.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Verifies a program; the last line of the report and the whole report.
fn verify(name: &str, source: &str, options: &[&str]) -> (String, String) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("volatile-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    let include: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/include");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg("verify")
        .arg("--include")
        .arg(include)
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs");
    let report = String::from_utf8(output.stdout).expect("the report is text");
    let result = report.lines().last().unwrap_or("").to_owned();
    (result, report)
}

const FALSE: &str = "RESULT: false(assert)";
const TRUE: &str = "RESULT: true";

/// Each program with what it is by default, with `any` and with `last`.
const PROGRAMS: &[(&str, &str, [&str; 3])] = &[
    (
        "flag",
        "#include <assert.h>
volatile int ready;
int main(void) { while (!ready) {} assert(0); }
",
        [FALSE, FALSE, TRUE],
    ),
    (
        "atomic",
        "#include <assert.h>
#include <stdatomic.h>
static volatile atomic_int ready;
int main(void) { while (!atomic_exchange(&ready, 0)) {} assert(0); }
",
        [FALSE, FALSE, TRUE],
    ),
    (
        "atomic-local",
        "#include <assert.h>
#include <stdatomic.h>
int main(void) {
    volatile atomic_int x = 3;
    int old = 4;
    assert(atomic_fetch_add(&x, 1) == 3 && atomic_compare_exchange_strong(&x, &old, 9));
}
",
        [TRUE, FALSE, TRUE],
    ),
    (
        "twice",
        "#include <assert.h>
static volatile unsigned status;
int main(void) { status = 3; unsigned a = status, b = status; assert(a == b); }
",
        [FALSE, FALSE, TRUE],
    ),
    (
        "bound",
        "#include <assert.h>
static volatile unsigned status;
int main(void) { unsigned a = status; if (a > 4) return 0; assert(a < 5); }
",
        [TRUE, TRUE, TRUE],
    ),
    (
        "local",
        "#include <assert.h>
int main(void) { volatile int x = 3; x++; assert(x == 4); }
",
        [TRUE, FALSE, TRUE],
    ),
    (
        "through-pointers",
        "#include <assert.h>
volatile int shared;
static int get(volatile int *p) { return *p; }
int main(void) { int x = 3; assert(get(&x) == 3); shared = 1; assert(get(&shared) == 1); }
",
        [FALSE, FALSE, TRUE],
    ),
    (
        "heap",
        "#include <assert.h>
#include <stdlib.h>
static int get(volatile int *p) { return *p; }
int main(void) { int *p = malloc(sizeof *p); *p = 3; assert(get(p) == 3); free(p); }
",
        [TRUE, FALSE, TRUE],
    ),
    (
        "pointer",
        "#include <assert.h>
static int x = 7;
static int *volatile p = &x;
int main(void) { assert(*p == 7); }
",
        [TRUE, "", TRUE],
    ),
    (
        "sync",
        "#include <assert.h>
volatile int ready;
int main(void) { while (!__sync_fetch_and_and(&ready, 0)) {} assert(0); }
",
        [FALSE, FALSE, TRUE],
    ),
    (
        "sync-typedef",
        "#include <assert.h>
typedef volatile long vlong; typedef vlong word;
static word w;
static long get(word *p) { return __sync_val_compare_and_swap(p, 0, 0); }
int main(void) { assert(get(&w) == 0); }
",
        [FALSE, FALSE, TRUE],
    ),
    (
        "sync-member",
        "#include <assert.h>
struct s { int a; volatile unsigned char b; } s;
#define TAKE(p) __sync_lock_test_and_set(p, 1)
int main(void) { int c = TAKE(&s.a) + TAKE(&s.b); assert(c == 0); }
",
        [FALSE, FALSE, TRUE],
    ),
    (
        "sync-plain",
        "#include <assert.h>
#include <stdint.h>
static uint32_t n; static int *volatile q; static int x;
int main(void) { q = &x; __sync_add_and_fetch(&n, 2); assert(__sync_fetch_and_add(&n, 1) == 2); assert(__sync_bool_compare_and_swap(&n, 3, 4)); assert(n == 4); assert(__sync_fetch_and_or(q, 1) == 0); }
",
        [TRUE, "", TRUE],
    ),
    (
        "sync-local",
        "#include <assert.h>
int main(void) { volatile int l = 3; assert(__sync_fetch_and_add(&l, 1) == 3); assert(l == 4); }
",
        [TRUE, FALSE, TRUE],
    ),
    (
        "written",
        "#include <assert.h>
static volatile int x;
static int y = 1;
int main(void) { x = 5; assert(y == 1); }
",
        [TRUE, TRUE, TRUE],
    ),
];

#[test]
fn volatile_reads_are_inputs_where_others_may_write() {
    for (name, source, expected) in PROGRAMS {
        for (mode, expected) in [None, Some("any"), Some("last")].iter().zip(expected) {
            if expected.is_empty() {
                continue;
            }
            for opt in ["0", "1", "2"] {
                let mut options = vec!["--opt", opt, "--check", "assert", "--timeout", "60"];
                if let Some(mode) = mode {
                    options.extend(["--volatile", mode]);
                }
                let (result, report) = verify(&format!("{name}-{opt}-{mode:?}"), source, &options);
                assert_eq!(result, *expected, "{name} --opt {opt} {mode:?}\n{report}");
            }
        }
    }
}

#[test]
fn no_encoding_changes_what_a_volatile_read_is() {
    let styles: &[&[&str]] = &[
        &["--memory", "array"],
        &["--pointers", "raw"],
        &["--memory", "array", "--pointers", "raw"],
        &["--alloc", "relative"],
        &["--regions", "dsa"],
        &["--regions", "flat"],
        &["--vc", "path", "--unwind", "2"],
        &["--vc", "dataflow", "--unwind", "2"],
        &["--data-model", "ILP32"],
    ];
    for (name, source, [expected, ..]) in PROGRAMS {
        for (index, style) in styles.iter().enumerate() {
            let options = [&["--check", "assert", "--timeout", "60"], *style].concat();
            let (result, report) = verify(&format!("{name}-style-{index}"), source, &options);
            assert_eq!(result, *expected, "{name} {style:?}\n{report}");
        }
    }
}

#[test]
fn the_ledger_says_what_volatile_reads_are() {
    let (_, source, _) = PROGRAMS[0];
    let (_, report) = verify("ledger", source, &[]);
    assert!(
        report.contains("volatile reads return any value, but"),
        "{report}"
    );
    let property = Path::new(env!("CARGO_TARGET_TMPDIR")).join("volatile.prp");
    std::fs::write(
        &property,
        "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
    )
    .expect("the property is written");
    let property = property.to_str().expect("a plain path");
    let (_, report) = verify("prp", source, &["--prp", property]);
    assert!(
        report.contains("volatile reads return what was written last"),
        "{report}"
    );
}

#[test]
fn devices_can_be_read_and_written() {
    let source = |body: &str| {
        format!(
            "#include <assert.h>
#define REG(n) (*(volatile unsigned *)(0x40000000UL + (n)))
int main(void) {{ {body} }}
"
        )
    };
    let device = ["--mmio", "0x40000000-0x40000fff"];
    let cases: &[(&str, &str, &[&str], &str)] = &[
        ("write", "REG(4) = 1;", &device, TRUE),
        ("last", "REG(0xffc) = 1;", &device, TRUE),
        (
            "beyond",
            "REG(0x1000) = 1;",
            &device,
            "RESULT: false(valid-deref)",
        ),
        (
            "across",
            "REG(0xffe) = 1;",
            &device,
            "RESULT: false(valid-deref)",
        ),
        ("none", "REG(4) = 1;", &[], "RESULT: false(valid-deref)"),
        ("read", "REG(4) = 1; assert(REG(4) == 1);", &device, FALSE),
        ("wait", "while (REG(8) & 1) {} assert(0);", &device, FALSE),
        (
            "masked",
            "unsigned x = REG(8) & 3; assert(x < 4);",
            &device,
            TRUE,
        ),
    ];
    let styles: &[&[&str]] = &[
        &["--opt", "0"],
        &["--opt", "1"],
        &[],
        &["--memory", "array"],
        &["--pointers", "raw"],
        &["--regions", "dsa"],
        &["--data-model", "ILP32"],
    ];
    for (name, body, options, expected) in cases {
        for (index, style) in styles.iter().enumerate() {
            let options = [*options, *style].concat();
            let (result, report) = verify(&format!("mmio-{name}-{index}"), &source(body), &options);
            assert_eq!(result, *expected, "{name} {style:?}\n{report}");
        }
    }
}
