//! Pointers that unknown code returns, and memory that no object of the program owns.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Verifies a program; standard output.
fn verify(name: &str, source: &str, options: &[&str]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("unknown-{name}.c"));
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
    String::from_utf8(output.stdout).expect("the report is text")
}

/// The last line of the report.
fn result(report: &str) -> &str {
    report.lines().last().unwrap_or("")
}

const TRUE: &str = "RESULT: true";
const FALSE: &str = "RESULT: false(assert)";
const UNSUPPORTED: &str = "RESULT: unknown(unsupported)";

const HEAD: &str = "#include <selkie.h>
#include <string.h>
struct dev { int on; struct dev *next; int *p; };
extern struct dev *find_dev(int);
extern void touch(void);
extern void reg(void *);
";

/// The body of `main`, and what is said of it when only its assertions are checked.
#[rustfmt::skip]
const PROGRAMS: &[(&str, &str, &str)] = &[
    ("persist-fails", "struct dev *d = find_dev(1); if (!d) return 0; d->on = 1; sk_assert(d->on == 2);", FALSE),
    ("persist-holds", "struct dev *d = find_dev(1); if (!d) return 0; d->on = 1; sk_assert(d->on == 1);", TRUE),
    ("alias-holds", "struct dev *d = find_dev(1), *e = find_dev(2); if (d == e) { d->on = 1; e->on = 2; sk_assert(d->on == 2); }", TRUE),
    ("alias-fails", "struct dev *d = find_dev(1), *e = find_dev(2); d->on = 1; e->on = 2; sk_assert(d->on == 1);", FALSE),
    ("list-holds", "struct dev *d = find_dev(1); struct dev *n = d->next->next->next; n->on = 3; sk_assert(n->on == 3);", TRUE),
    ("list-fails", "struct dev *d = find_dev(1); struct dev *n = d->next->next; d->on = 4; n->on = 3; sk_assert(d->on == 4);", FALSE),
    ("same-holds", "struct dev *d = find_dev(1); sk_assert(d->next->next->on == d->next->next->on);", TRUE),
    ("renew-fails", "struct dev *d = find_dev(1); d->on = 1; touch(); sk_assert(d->on == 1);", FALSE),
    ("hidden-holds", "int x = 1; int *q = &x; struct dev *d = find_dev(1); d->on = 5; sk_assert(*q == 1);", TRUE),
    ("escaped-fails", "int x = 1; reg(&x); struct dev *d = find_dev(1); x = 1; d->on = 5; sk_assert(x == 1);", FALSE),
    ("memset-holds", "struct dev *d = find_dev(1); memset(d, 0, sizeof *d); sk_assert(d->on == 0 && d->next == 0);", TRUE),
    ("copy-holds", "struct dev *d = find_dev(1); struct dev s = *d; sk_assert(s.on == d->on);", TRUE),
    ("copy-fails", "struct dev *d = find_dev(1); struct dev s = *d; sk_assert(s.on == 0);", FALSE),
    ("stored-holds", "int y = 1; struct dev *d = find_dev(1); d->p = &y; int *p = d->p; *p = 3; sk_assert(y == 3);", TRUE),
    ("literal-holds", "*(int *)0x12345678 = 3; sk_assert(*(int *)0x12345678 == 3);", TRUE),
    ("literal-fails", "*(int *)0x12345678 = 3; sk_assert(*(int *)0x12345678 == 4);", FALSE),
    ("literal2-fails", "sk_assert(*(int *)0x12345678 == 4);", FALSE),
    ("null-holds", "int x = 0; int *p = sk_nondet_bool() ? &x : 0; *p = 1; sk_assert(p != 0);", TRUE),
    ("beside-open", "int a[2] = {0}; int i = sk_nondet_int(); a[i] = 1; sk_assert(i >= 0 && i < 2);", UNSUPPORTED),
    ("inside-holds", "int a[2] = {0}; unsigned i = sk_nondet_uint(); if (i < 2) { a[i] = 1; sk_assert(a[i] == 1); }", TRUE),
    ("bytes-holds", "char *p = (char *)find_dev(1); *(int *)p = 0x01020304; sk_assert(p[0] == 4 && p[3] == 1);", TRUE),
    ("cast-holds", "unsigned long n = sk_nondet_ulong(); int *p = (int *)n; *p = 7; sk_assert(*p == 7);", TRUE),
];

/// What LLVM takes away, or what wraps, is not reached, and may be false: but nothing unknown is true.
fn agrees(report: &str, expected: &str) -> bool {
    match expected {
        UNSUPPORTED => result(report) != TRUE,
        expected => result(report) == expected,
    }
}

fn program(body: &str) -> String {
    format!("{HEAD}int main(void) {{ {body} return 0; }}\n")
}

#[test]
fn addresses_of_no_object_are_memory() {
    for (name, body, expected) in PROGRAMS {
        for opt in ["0", "1", "2"] {
            let options = ["--check", "assert", "--opt", opt];
            let report = verify(&format!("{name}-{opt}"), &program(body), &options);
            assert!(agrees(&report, expected), "{name} --opt {opt}\n{report}");
        }
    }
}

#[test]
fn no_encoding_changes_what_addresses_mean() {
    let styles: &[&[&str]] = &[
        &["--memory", "array"],
        &["--pointers", "raw"],
        &["--memory", "array", "--pointers", "raw"],
        &["--regions", "flat"],
        &["--regions", "dsa"],
        &["--regions", "ci"],
        &["--alloc", "relative"],
        &["--vc", "path"],
        &["--vc", "dataflow"],
        &["--word", "1"],
        &["--word", "8"],
        &["--data-model", "ILP32"],
    ];
    for (name, body, expected) in PROGRAMS {
        for (index, style) in styles.iter().enumerate() {
            let options = [&["--check", "assert", "--opt", "1"], *style].concat();
            let report = verify(&format!("{name}-style-{index}"), &program(body), &options);
            // Raw pointers and arrays know less, and say so.
            let may_give_up = style.contains(&"raw") || style.contains(&"array");
            let gave_up = may_give_up && result(&report) == UNSUPPORTED;
            assert!(
                gave_up || agrees(&report, expected),
                "{name} {style:?}\n{report}"
            );
        }
    }
}

#[test]
fn unknown_code_renews_what_is_not_ours_unless_it_is_pure() {
    let renewed = "struct dev *d = find_dev(1); d->on = 1; touch(); sk_assert(d->on == 1);";
    for (mode, expected) in [("havoc", FALSE), ("pure", TRUE)] {
        let options = ["--check", "assert", "--extern", mode];
        let report = verify(&format!("renewed-{mode}"), &program(renewed), &options);
        assert_eq!(result(&report), expected, "{report}");
    }
}

/// A list of unknown length beside objects of our own, of which OURS hands one over or not.
const LIST: &str = "#include <selkie.h>
#include <stdlib.h>
struct node { int on; struct node *next; };
extern struct node *find(int);
extern void keep(struct node *);
static struct node table[4];
int main(void) {
    struct node own = {1, 0};
    struct node *heap = malloc(sizeof *heap);
    if (!heap) return 0;
    heap->on = 1;
    table[2].on = 1;
    OURS
    struct node *p = find(1);
    if (!p) return 0;
    own.on = heap->on = table[2].on = 1;
    p->on = 2;
    if (p->next) { p->next->on = 3; p->next->next = p; }
    int count = 0;
    for (int i = 0; i < 4; i++) count += table[i].on;
    sk_assert(own.on == 1 && heap->on == 1 && count == 1);
    free(heap);
    return 0;
}
";

#[test]
fn unknown_pointers_lead_to_nothing_that_was_never_handed_over() {
    let styles: &[&[&str]] = &[
        &[],
        &["--memory", "array"],
        &["--alloc", "relative"],
        &["--vc", "path"],
        &["--regions", "flat"],
        &["--data-model", "ILP32"],
        &["--pointers", "raw"],
    ];
    for (index, style) in styles.iter().enumerate() {
        let options = [&["--check", "assert"], *style].concat();
        let ask = |name: &str, ours: &str| {
            let name = format!("list-{name}-{index}");
            verify(&name, &LIST.replace("OURS", ours), &options)
        };
        let report = ask("own", "");
        // Raw pointers are numbers: what a number may lead to is known only roughly.
        let gave_up = style.contains(&"raw") && result(&report) != FALSE;
        assert!(gave_up || result(&report) == TRUE, "{style:?}\n{report}");
        for ours in ["keep(&own);", "keep(heap);", "keep(&table[2]);"] {
            let report = ask("kept", ours);
            assert_eq!(result(&report), FALSE, "{ours} {style:?}\n{report}");
        }
    }
}

/// The same, for pointers that know their object.
#[rustfmt::skip]
const COMPARED: &[(&str, &str, &str)] = &[
    ("unseen-holds", "int x = 1; void *q = &x; void *d = find_dev(1); sk_assert(d != q && *(int *)q == 1);", TRUE),
    ("seen-fails", "int x = 1; void *q = &x; reg(q); void *d = find_dev(1); sk_assert(d != q);", FALSE),
    ("number-fails", "int x = 1; void *q = &x; void *d = (void *)sk_nondet_ulong(); sk_assert(d != q || x != 1);", FALSE),
];

#[test]
fn unknown_pointers_are_not_equal_to_what_unknown_code_has_never_seen() {
    for (name, body, expected) in COMPARED {
        let source = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
        for level in ["0", "1", "2"] {
            let options = ["--check", "assert", "--opt", level];
            let report = verify(&format!("{name}-{level}"), &source, &options);
            assert_eq!(result(&report), *expected, "{name}, {options:?}\n{report}");
        }
    }
}

/// An access that nobody models may change what decides about a claim, also one that LLVM took away; where none was ever made, it does not matter.
#[test]
fn accesses_matter_where_something_is_claimed() {
    let program = |claim: &str| {
        format!(
            "#include <selkie.h>
static int flag;
static void bad(void) {{ {claim} }}
int main(void) {{
    int a[2], i = sk_nondet_int();
    a[i] = 1;
    if (flag) bad();
    return a[0];
}}
"
        )
    };
    for opt in ["0", "1", "2"] {
        for (name, claim, checks, expected) in [
            ("claimed", "sk_assert(0);", "assert", UNSUPPORTED),
            ("not-claimed", "", "assert", TRUE),
            ("not-asked", "sk_assert(0);", "reach", TRUE),
            ("deref", "", "assert,deref", "RESULT: false(valid-deref)"),
        ] {
            let options = ["--check", checks, "--opt", opt];
            let report = verify(&format!("{name}-{opt}"), &program(claim), &options);
            assert_eq!(result(&report), expected, "{name} --opt {opt}\n{report}");
        }
    }
}
