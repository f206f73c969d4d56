//! What unknown code may do (`--extern havoc`): call functions by name or by address, change what they
//! change, and free. With `--extern pure` it does none of this, but knows what it was shown.

use std::path::Path;
use std::process::Command;

/// Verifies a program at every `--opt`; the reports.
fn reports(name: &str, source: &str, options: &[&str]) -> Vec<String> {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("unknown-code-{name}.c"));
    std::fs::write(&path, source).expect("the program is written");
    let run = |opt: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
            .args(["verify", "--opt", opt])
            .args(options)
            .arg(&path)
            .output()
            .expect("selkie runs");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    ["0", "1", "2"].map(run).to_vec()
}

/// The program's result is the same at every `--opt`.
fn expect(name: &str, source: &str, options: &[&str], result: &str) {
    for report in reports(name, source, options) {
        let end = format!("RESULT: {result}\n");
        assert!(report.ends_with(&end), "{name} {options:?}:\n{report}");
    }
}

#[test]
fn functions_that_can_be_named_change_statics() {
    let source = "#include <assert.h>
extern void unknown(void);
static int state = 1, mine = 1;
static void put(int x) { state = x; }
void set(int x) { assert(x > 0); put(x); }
int main(void) {
    unknown();
    assert(mine == 1);
    assert(STATE);
    return 0;
}
";
    let claim = |text: &str| source.replace("STATE", text);
    expect("named", &claim("state == 1"), &[], "unknown(unsupported)");
    expect("named-any", &claim("state + 0L < 1L << 40"), &[], "true");
    expect(
        "named-pure",
        &claim("state == 1"),
        &["--extern", "pure"],
        "true",
    );
    let hidden = claim("state == 1").replace("void set", "static void set");
    expect("hidden", &hidden, &[], "true");
    for report in reports("ledger", &claim("1"), &[]) {
        assert!(report.contains("unknown code may call set:"), "{report}");
        assert!(!report.contains("[set.assert.1]"), "{report}");
    }
    for report in reports("ledger-pure", &claim("1"), &["--extern", "pure"]) {
        let sentence = "is assumed to change no memory, to free nothing and to call nothing back";
        assert!(report.contains(sentence), "{report}");
    }
    // A violation that needs no call back is one.
    expect("not-needed", &claim("state == 2"), &[], "false(assert)");
}

#[test]
fn functions_whose_address_is_handed_over_are_called() {
    let source = |body: &str, claim: &str| {
        format!(
            "#include <assert.h>
extern void unknown(void (*)(int));
static int state = 1;
static void back(int x) {{ {body} }}
int main(void) {{
    unknown(back);
    assert({claim});
    return 0;
}}
"
        )
    };
    let set = source("state = 5;", "state == 1");
    expect("back", &set, &[], "false(assert)");
    let given = source("state = x;", "state == 1");
    expect("back-given", &given, &[], "unknown(unsupported)");
    expect(
        "back-fails",
        &source("assert(state == 0);", "1"),
        &[],
        "false(assert)",
    );
    // Rests on an argument that nobody gave.
    let invented = source("assert(x > 0);", "1");
    expect("back-invented", &invented, &[], "unknown(unsupported)");
    expect(
        "back-holds",
        &source("if (x > 0) assert(x != 0);", "1"),
        &[],
        "true",
    );
    let several = source("if (state < 9) state++;", "state <= 2");
    expect("back-often", &several, &[], "unknown(unsupported)");
    expect(
        "back-pure",
        &source("state = x;", "state == 1"),
        &["--extern", "pure"],
        "true",
    );
}

#[test]
fn what_is_kept_is_not_called() {
    let source = "#include <assert.h>
#include <stdlib.h>
extern void unknown(int);
static int state = 1;
static void set(int x) { state = x; assert(x == 2); }
static void (*table[])(int) = {set};
int main(void) {
    int *p = malloc(sizeof *p);
    unknown(3);
    assert(state == 1);
    *p = 1;
    free(p);
    table[0](2);
    unknown(4);
    assert(state == 2);
    return 0;
}
";
    expect("kept", source, &[], "true");
}

#[test]
fn heap_objects_that_unknown_code_reaches_may_be_freed() {
    let source = "#include <stdlib.h>
extern void unknown(void *);
int main(void) {
    char *p = malloc(4), *q = malloc(4);
    unknown(p);
    *X = 1;
    free(q);
    return 0;
}
";
    let reached = source.replace('X', "p");
    expect("freed", &reached, &[], "unknown(unsupported)");
    expect("freed-pure", &reached, &["--extern", "pure"], "true");
    expect("not-freed", &source.replace('X', "q"), &[], "true");
}

#[test]
fn what_visible_objects_point_to_is_in_reach() {
    let source = "#include <assert.h>
extern void unknown(void);
static int state = 1;
int *visible = &state;
int main(void) { unknown(); assert(state == 1); return 0; }
";
    expect("visible", source, &[], "false(assert)");
    expect("visible-pure", source, &["--extern", "pure"], "true");
    let hidden = source.replace("int *visible", "static int *visible");
    expect("visible-not", &hidden, &[], "true");
    // Nothing but the table names the function, and nothing here uses the table.
    let table = "#include <assert.h>
extern void unknown(void);
static int state = 1;
static void set(void) { state = 2; }
void (*const table[])(void) = {set};
int main(void) { unknown(); assert(state == 1); return 0; }
";
    expect("table", table, &[], "false(assert)");
    let hidden = table.replace("void (*const", "static void (*const");
    expect("table-not", &hidden, &[], "true");
}

#[test]
fn addresses_are_handed_over_as_integers() {
    let source = "#include <assert.h>
union word { int *pointer; long number; };
extern void number(long), both(union word);
int main(void) { int x = 1, y = 1; union word w = {&x}; CALL; assert(x == 1); assert(y == 1); return w.pointer != &x; }
";
    let call = |text: &str| source.replace("CALL", text);
    expect("cast", &call("number((long)&x)"), &[], "false(assert)");
    expect("union", &call("both(w)"), &[], "false(assert)");
    expect("number", &call("number(5)"), &[], "true");
    // The upper word of a wider integer, structures in registers and by reference, further arguments.
    let more = "#include <assert.h>
struct small { int *pointer; int number; };
struct large { long a, b, c; int *pointer; };
struct two { union { int *pointer; long number; } first, second; };
extern void wide(__int128), small(struct small), large(struct large), two(struct two), some(int, ...);
int main(void) { int x = 1, y = 1; int *px = X; CALL; assert(x == 1); return y == 1; }
";
    for (name, call) in [
        ("wide", "wide((__int128)(unsigned long)px << 64)"),
        ("small", "struct small s = {px, 1}; small(s)"),
        ("large", "struct large s = {1, 2, 3, px}; large(s)"),
        (
            "two",
            "struct two s; s.first.number = 1; s.second.pointer = px; two(s)",
        ),
        ("some", "some(1, 2, px)"),
        ("some-number", "some(1, 2, (unsigned long)px)"),
    ] {
        let with = |target: &str| more.replace("CALL", call).replace('X', target);
        expect(name, &with("&x"), &[], "false(assert)");
        expect(&format!("{name}-not"), &with("&y"), &[], "true");
    }
    let pure = ["--extern", "pure"];
    expect("cast-pure", &call("number((long)&x)"), &pure, "true");
}

/// Programs in which unknown code may come back with the address that stands for X, and what is claimed of it.
const SHOWN: &[(&str, &str)] = &[
    ("argument", "int *q = same(X); sk_assert(q != &x);"),
    (
        "earlier",
        "put((unsigned long)X); int *q = get(); sk_assert(q != &x);",
    ),
    (
        "reached",
        "struct node last = {X, 0}, first = {0, &last}; show(&first); int *q = get(); sk_assert(q != &x);",
    ),
    (
        "on-heap",
        "int **p = malloc(sizeof *p); *p = X; keep(p); int *q = get(); free(p); sk_assert(q != &x);",
    ),
    ("visible", "seen = X; int *q = get(); sk_assert(q != &x);"),
    (
        "structure",
        "struct large s = {1, 2, 3, X}; large(s); int *q = get(); sk_assert(q != &x);",
    ),
    (
        "parts",
        "unsigned long a = (unsigned long)X; halves((unsigned)a, (unsigned)(a >> 32)); int *q = get(); sk_assert(q != &x);",
    ),
    (
        "number",
        "put((unsigned long)X); int *q = (int *)number(); if (sk_is_deref(q, 4)) *q = 5; sk_assert(x == 0);",
    ),
    (
        "written",
        "int *q = same(X); if (sk_is_deref(q, 4)) *q = 1; sk_assert(x == 0);",
    ),
];

fn shown(body: &str, what: &str) -> String {
    let body = body.replace('X', what);
    format!(
        "#include <selkie.h>
#include <stdlib.h>
struct node {{ int *what; struct node *next; }};
struct large {{ long a, b, c; int *what; }};
extern int *same(int *), *get(void);
extern unsigned long number(void);
extern void put(unsigned long), show(struct node *), keep(int **), large(struct large), halves(unsigned, unsigned);
int *seen;
int main(void) {{ int x = 0, y = 0; {body} return 0; }}
"
    )
}

#[test]
fn pure_functions_know_what_they_were_shown() {
    let options = ["--extern", "pure", "--extern-pointers", "valid"];
    for &(name, body) in SHOWN {
        let name = format!("shown-{name}");
        expect(&name, &shown(body, "&x"), &options, "false(assert)");
        // What it never saw it cannot come back with.
        expect(&format!("{name}-not"), &shown(body, "&y"), &options, "true");
    }
    // Whatever the program's logic is made of.
    for more in [
        ["--vc", "path"],
        ["--vc", "dataflow"],
        ["--regions", "dsa"],
        ["--engine", "chc"],
    ] {
        let options = [&options[..], &more].concat();
        for &(name, body) in SHOWN
            .iter()
            .filter(|(name, _)| matches!(*name, "argument" | "reached" | "written"))
        {
            let name = format!("shown-{name}-{}", more[1]);
            expect(&name, &shown(body, "&x"), &options, "false(assert)");
            let havoc = [&["--extern", "havoc"], &options[2..]].concat();
            expect(&name, &shown(body, "&x"), &havoc, "false(assert)");
        }
    }
}

/// An object whose address became a number is known to unknown code, whatever became of the number: it may
/// have got there bit by bit, by the way that the program took, or not at all.
#[test]
fn unknown_code_may_guess_what_became_a_number() {
    let uses = [
        ("bits", "for (int i = 0; i < 64; i++) bit((a >> i) & 1);"),
        ("way", "if (a & 16) bit(1); else bit(0);"),
        ("calls", "if (a & 16) one(); else two();"),
        ("nowhere", "(void)a;"),
        ("float", "real((double)a);"),
    ];
    for (name, body) in uses {
        let source = |what: &str| {
            format!(
                "#include <selkie.h>
extern int *get(void);
extern void bit(int), real(double), one(void), two(void);
int main(void) {{
    int x = 0, y = 0;
    unsigned long a = (unsigned long)&{what};
    {body}
    sk_assert(get() != &x);
    return y;
}}
"
            )
        };
        for mode in ["pure", "havoc"] {
            let options = ["--extern", mode, "--extern-pointers", "valid"];
            let name = format!("guess-{name}-{mode}");
            expect(&name, &source("x"), &options, "false(assert)");
            expect(&format!("{name}-not"), &source("y"), &options, "true");
            let options = [&options[..], &["--vc", "dataflow"]].concat();
            expect(&name, &source("x"), &options, "false(assert)");
        }
    }
}

#[test]
fn what_pure_functions_were_shown_keeps_its_contents() {
    let source = "#include <selkie.h>
struct node { int value; struct node *next; };
extern struct node *find(struct node *);
int shared;
int main(void) {
    struct node last = {1, 0}, first = {2, &last};
    shared = 3;
    struct node *found = find(&first);
    sk_assert(last.value == 1 && first.value == 2 && first.next == &last && shared == 3);
    if (found == &last) sk_assert(found->value == 1);
    return 0;
}
";
    expect("kept-pure", source, &["--extern", "pure"], "true");
    expect("kept-havoc", source, &[], "false(assert)");
}

/// What a function without a body was shown in a loop, it knows behind the loop, whoever cuts the loop.
#[test]
fn what_was_shown_in_a_loop_is_known_behind_it() {
    let source = "#include <selkie.h>
extern void keep(int *);
extern int *get(void);
int main(void) {
    int x = 0, y = 0;
    while (sk_nondet_int() == 12345) keep(&y);
    int *q = get();
    sk_assert(q != &OBJECT);
    return x;
}
";
    for engine in ["absint", "kind", "auto"] {
        let options = [
            "--extern",
            "pure",
            "--check",
            "assert",
            "--timeout",
            "10",
            "--engine",
            engine,
        ];
        let shown = source.replace("OBJECT", "y");
        for report in reports("shown-in-a-loop", &shown, &options) {
            assert!(!report.ends_with("RESULT: true\n"), "{engine}:\n{report}");
        }
    }
    let hidden = source.replace("OBJECT", "x");
    let options = ["--extern", "pure", "--check", "assert"];
    expect("not-shown-in-a-loop", &hidden, &options, "true");
}

/// What functions that unknown code can name give away is in its reach, by however many steps.
#[test]
fn exported_functions_give_away_what_they_mention() {
    let source = |given: &str| {
        format!(
            "#include <selkie.h>
extern void unknown(void);
extern void keep(void (*)(void));
static int state = 1;
static void set(void) {{ state = 2; }}
{given}
int main(void) {{ unknown(); sk_assert(state == 1); return 0; }}
"
        )
    };
    let rough = "unknown(unsupported)";
    let ways = [
        (
            "returned",
            "void (*give(void))(void) { return set; }",
            rough,
        ),
        (
            "number",
            "unsigned long give(void) { return (unsigned long)set; }",
            rough,
        ),
        ("registered", "void give(void) { keep(set); }", rough),
        (
            "hook",
            "void (*hook)(void); void give(void) { hook = set; }",
            rough,
        ),
        (
            "table",
            "static void (*const table[])(void) = {set}; const void *give(void) { return table; }",
            rough,
        ),
        (
            "linked",
            "struct node { struct node *next; int *value; };
static struct node leaf = {0, &state}, root = {&leaf, 0};
void *give(void) { return &root; }",
            rough,
        ),
        (
            "constant",
            "static int *const place = &state; int *const *give(void) { return &place; }",
            rough,
        ),
        (
            "alias",
            "extern void other(void) __attribute__((alias(\"set\")));",
            rough,
        ),
        (
            "object-alias",
            "extern int other __attribute__((alias(\"state\")));",
            "false(assert)",
        ),
    ];
    for (name, given, result) in ways {
        expect(&format!("gives-{name}"), &source(given), &[], result);
    }
    let hidden = "static void (*give(void))(void) { return set; } int (*use)(void) = 0;";
    expect("gives-nothing", &source(hidden), &[], "true");
    let pure = ["--extern", "pure"];
    expect("gives-pure", &source(ways[0].1), &pure, "true");
}

/// Unknown code calls the library as well.
#[test]
fn unknown_code_changes_the_state_of_the_library() {
    let source = |before: &str, claim: &str| {
        format!(
            "#include <errno.h>
#include <selkie.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
extern void unknown(void);
int main(void) {{ {before} unknown(); sk_assert({claim}); return 0; }}
"
        )
    };
    let rough = "unknown(unsupported)";
    for (name, before, claim, result) in [
        ("errno", "errno = 0;", "errno == 0", "false(assert)"),
        (
            "rand",
            "srand(1); int a = rand(); srand(1);",
            "rand() == a",
            rough,
        ),
        ("umask", "umask(0);", "umask(0) == 0", rough),
        (
            "signal",
            "signal(SIGINT, SIG_IGN);",
            "signal(SIGINT, SIG_IGN) == SIG_IGN",
            rough,
        ),
        (
            "environment",
            "if (setenv(\"Q\", \"1\", 1)) return 0;",
            "getenv(\"Q\") != 0",
            rough,
        ),
        (
            "time",
            "time_t z = 0; struct tm *t = gmtime(&z); if (!t) return 0; t->tm_sec = 7;",
            "t->tm_sec == 7",
            rough,
        ),
        (
            "seed",
            "srand(1); int a = rand();",
            "(srand(1), rand() == a)",
            "true",
        ),
        ("range", "umask(0);", "umask(0) <= 0777", "true"),
    ] {
        expect(
            &format!("library-{name}"),
            &source(before, claim),
            &[],
            result,
        );
    }
    let pure = ["--extern", "pure"];
    let errno = source("errno = 0;", "errno == 0");
    expect("library-pure", &errno, &pure, "true");
}

/// What a function of the standard library returns is not free, but what nobody knows here.
#[test]
fn numbers_of_the_library_without_a_model_are_rough() {
    let source = "#include <wchar.h>
#include <assert.h>
long other(const wchar_t *);
int main(void) {
    long n = CALL;
    assert(n == 12);
    assert(n != 13 || n > 12);
    return 0;
}
";
    let standard = ["--define", "CALL=wcstol(L\"12\", 0, 10)"];
    expect("library", source, &standard, "unknown(unsupported)");
    let other = ["--define", "CALL=other(L\"12\")"];
    expect("other", source, &other, "false(assert)");
}
