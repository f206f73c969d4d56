//! Pointers that come from unknown code: what fails only for them is no violation and no proof.

use std::path::Path;
use std::process::Command;

const UNKNOWN: &str = "unknown(extern pointer)";

/// Verifies a program at every `--opt`; the reports.
fn reports(name: &str, source: &str, options: &[&str]) -> Vec<String> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("extern-pointer-{name}.c"));
    std::fs::write(&path, source).expect("the program is written");
    let run = |opt: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
            .args(["verify", "-v", "--opt", opt])
            .args(options)
            .arg(&path)
            .output()
            .expect("selkie runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    ["0", "1", "2"].map(run).to_vec()
}

/// What is off in the reports of a program.
fn off(name: &str, source: &str, options: &[&str], result: &str) -> Vec<String> {
    let end = format!("RESULT: {result}\n");
    let reports = reports(name, source, options).into_iter().enumerate();
    let wrong = reports.filter(|(_, report)| !report.ends_with(&end));
    wrong
        .map(|(opt, report)| format!("{name} --opt {opt} {options:?}, not {result}:\n{report}"))
        .collect()
}

fn expect(name: &str, source: &str, options: &[&str], result: &str) {
    let off = off(name, source, options, result);
    assert!(off.is_empty(), "{}", off.join("\n"));
}

const HEAD: &str = "#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct dev { int on; struct dev *next; char name[8]; };
struct box { int size; struct dev *dev; };
extern struct dev *find(int);
extern unsigned long address(void);
extern void fill(struct box *);
extern struct dev *the_device;
extern void keep(void (*)(struct dev *));
extern int *nondet_ptr(void);
";

/// Uses that are unknown by default, and fine if such pointers are valid.
const USES: &[(&str, &str)] = &[
    ("write", "struct dev *d = find(1); if (d) d->on = 1;"),
    ("read", "struct dev *d = find(1); if (d) return d->on & 1;"),
    (
        "persists",
        "struct dev *d = find(1); if (d) { d->on = 1; assert(d->on == 1); }",
    ),
    (
        "chain",
        "struct dev *d = find(1); if (d && d->next && d->next->next) d->next->next->on = 2;",
    ),
    ("free", "free(find(1));"),
    (
        "copy-from",
        "struct dev mine, *d = find(1); if (d) { memcpy(&mine, d, sizeof mine); return mine.on == 3; }",
    ),
    (
        "copy-to",
        "struct dev mine = {0}, *d = find(1); if (d) memcpy(d, &mine, sizeof mine);",
    ),
    (
        "set",
        "struct dev *d = find(1); if (d) memset(d, 0, sizeof *d);",
    ),
    (
        "number",
        "unsigned long a = address(); if (a > 4096 && a < 1ul << 40) ((struct dev *)a)->on = 1;",
    ),
    (
        "bytes",
        "struct dev *d = find(1), *e; for (unsigned i = 0; i < sizeof d; i++) ((char *)&e)[i] = ((char *)&d)[i]; if (e) e->on = 1;",
    ),
    (
        "stored",
        "struct box b = {1, find(1)}; struct box *p = malloc(sizeof *p); *p = b; if (p->dev) p->dev->on = 1; free(p);",
    ),
];

/// Uses of what unknown code may have written.
const WRITTEN: &[(&str, &str)] = &[
    (
        "filled",
        "struct box b = {0}; fill(&b); if (b.dev) b.dev->on = 1;",
    ),
    ("external", "struct dev *d = the_device; if (d) d->on = 1;"),
];

fn program(body: &str) -> String {
    format!("{HEAD}int main(void) {{ {body} return 0; }}\n")
}

#[test]
fn what_fails_only_for_them_is_unknown() {
    for &(name, body) in USES.iter().chain(WRITTEN) {
        expect(
            name,
            &program(body),
            &["--check", "memsafety,assert"],
            UNKNOWN,
        );
        let valid = ["--check", "deref,free,assert", "--extern-pointers", "valid"];
        expect(&format!("{name}-valid"), &program(body), &valid, "true");
    }
    for &(name, body) in USES {
        let pure = ["--check", "memsafety,assert", "--extern", "pure"];
        expect(&format!("{name}-pure"), &program(body), &pure, UNKNOWN);
    }
}

#[test]
fn what_is_wrong_anyway_stays_a_violation() {
    let deref = "false(valid-deref)";
    for (name, body, result) in [
        ("null", "struct dev *d = find(1); d->on = 1;", deref),
        (
            "page",
            "struct dev *d = find(1); if (!d) d[3].on = 1;",
            deref,
        ),
        (
            "chain-null",
            "struct dev *d = find(1); if (d) d->next->on = 2;",
            deref,
        ),
        (
            "freed",
            "struct dev *d = find(1), *e = malloc(sizeof *e); free(e); if (d) d->on = 1; e->on = 1;",
            deref,
        ),
        (
            "small",
            "struct dev *d = find(1); int x; if (d) d->on = 1; ((struct dev *)&x)->next = 0;",
            deref,
        ),
        (
            "free-local",
            "struct dev *d = find(1), e; free(d ? &e : d);",
            "false(valid-free)",
        ),
        (
            "behind",
            "struct dev *d = find(1); if (d) d->on = 1; assert(!d);",
            "false(assert)",
        ),
        (
            "contents",
            "struct dev *d = find(1); if (d) assert(d->on != 7);",
            "false(assert)",
        ),
        (
            "asked",
            "extern int *__VERIFIER_nondet_pointer(void); int *p = __VERIFIER_nondet_pointer(); if (p) *p = 1;",
            deref,
        ),
        (
            "made",
            "int *p = (int *)0x123456780; *p = find(1) != 0;",
            deref,
        ),
        ("uninitialised", "int *p; find(1); *p = 1;", deref),
        ("index", "char *p = 0; p[address()] = 1;", deref),
    ] {
        for mode in ["unknown", "valid"] {
            let options = ["--check", "deref,free,assert", "--extern-pointers", mode];
            expect(&format!("{name}-{mode}"), &program(body), &options, result);
        }
    }
}

#[test]
fn what_does_not_use_them_is_proved() {
    for (name, body) in [
        (
            "kept",
            "struct dev *d = find(1); struct box b = {1, d}; assert(b.dev == d);",
        ),
        ("null-only", "struct dev *d = find(1); if (!d) free(d);"),
        (
            "own",
            "struct dev e = {0}; struct dev *d = find(1) ? &e : 0; if (d) d->on = 1;",
        ),
    ] {
        expect(
            name,
            &program(body),
            &["--check", "deref,free,assert"],
            "true",
        );
    }
}

#[test]
fn arguments_of_callbacks_come_from_unknown_code() {
    let source = |body: &str| {
        format!(
            "{HEAD}static void set(struct dev *d) {{ {body} }}\nint main(void) {{ keep(set); return 0; }}\n"
        )
    };
    let checks = ["--check", "deref,free,assert"];
    expect("callback", &source("if (d) d->on = 1;"), &checks, UNKNOWN);
    let valid = [&checks[..], &["--extern-pointers", "valid"]].concat();
    expect(
        "callback-valid",
        &source("if (d) d->on = 1;"),
        &valid,
        "true",
    );
}

#[test]
fn the_report_says_which_access_it_is() {
    let source = program(
        "struct dev *d = find(1); int *p = &(int){0}; *p = 1; if (d) d->on = 1; assert(*p == 1);",
    );
    for report in reports("rows", &source, &["--check", "deref,assert"]) {
        assert!(report.contains("assertion *p == 1: PROVED"), "{report}");
        assert!(report.contains("UNKNOWN(extern pointer)"), "{report}");
        assert!(
            !report.contains("pointers from unknown code that are not null"),
            "{report}"
        );
    }
    let valid = ["--check", "deref,assert", "--extern-pointers", "valid"];
    for report in reports("rows-valid", &source, &valid) {
        assert!(
            report.contains("pointers from unknown code that are not null"),
            "{report}"
        );
    }
}

#[test]
fn no_encoding_changes_what_they_are() {
    let use_ = program("struct dev *d = find(1); if (d) { d->on = 1; assert(d->on == 1); }");
    let null = program("struct dev *d = find(1); d->on = 1;");
    for options in [
        &["--memory", "array"][..],
        &["--pointers", "raw"],
        &["--alloc", "relative"],
        &["--vc", "path"],
        &["--vc", "dataflow"],
        &["--regions", "dsa"],
        &["--after-failure", "continue"],
        &["--data-model", "ILP32"],
    ] {
        let name = options.concat();
        let options = [&["--check", "deref,free,assert"], options].concat();
        expect(&format!("use{name}"), &use_, &options, UNKNOWN);
        expect(
            &format!("null{name}"),
            &null,
            &options,
            "false(valid-deref)",
        );
    }
}

/// Executions go on behind a pointer that nobody knows, in every encoding: what they violate there is found.
#[test]
fn what_stands_behind_such_a_check_is_asked() {
    let source = format!(
        "{HEAD}int main(void) {{
    char *p = malloc(10);
    struct dev *d = find(1);
    if (!d) return 0;
    d->on = 1;
    free(p + 5);
    return 0;
}}
"
    );
    for vc in ["eval", "path", "dataflow"] {
        let options = ["--vc", vc];
        expect("behind", &source, &options, "false(valid-free)");
    }
}

/// Unknown code may have left in a variable what the program stored there.
#[test]
fn what_unknown_code_left_alone_dangles() {
    let source = |after: &str| {
        format!(
            "{HEAD}extern void look(char **);
int main(void) {{
    char *b = malloc(4), *c = malloc(4);
    look(&b);
    if (b) {{ free(b); {after} }}
    free(c);
    return 0;
}}
"
        )
    };
    for options in [&[][..], &["--extern-pointers", "valid"]] {
        let name = format!("left-{}", options.len());
        expect(&name, &source("b[0] = 1;"), options, "false(valid-deref)");
        expect(&name, &source("free(b);"), options, "false(valid-free)");
    }
    // Unknown code may have freed the object itself, and left the pointer.
    let valid = ["--extern-pointers", "valid"];
    let freed = "unknown(unsupported)";
    expect("left-freed", &source("c[0] = 1;"), &valid, freed);
    let alive = source("").replace("malloc(4), *c", "(char[4]){0}, *c");
    let alive = alive.replace("free(b);", "b[0] = 1;");
    expect("left-alive", &alive, &valid, "true");
}
