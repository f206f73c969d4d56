//! Loops without a bound: what induction proves, and what it must not.

mod common;

use std::path::Path;
use std::process::Command;

use common::{selkie, verdict};

/// The last line of the report.
fn result(name: &str, source: &str, options: &[&str]) -> String {
    let time: &[&str] = match options.contains(&"--timeout") {
        true => &[],
        false => &["--timeout", "60"],
    };
    let options = [time, options].concat();
    verdict(&selkie(
        "verify",
        &format!("induction-{name}"),
        source,
        &options,
    ))
}

/// Proved at every level of optimisation, but not where induction is off.
#[track_caller]
fn proved(name: &str, source: &str) {
    for level in ["0", "2"] {
        let said = result(name, source, &["--opt", level]);
        assert_eq!(said, "RESULT: true", "{name} at --opt {level}");
    }
    let said = result(name, source, &["--engine", "bmc", "--timeout", "2"]);
    assert_ne!(said, "RESULT: true", "{name} needs no induction");
}

/// Violated, but so late that nobody finds it here: whatever is said, it is not `true`.
#[track_caller]
fn not_proved(name: &str, source: &str) {
    for level in ["0", "2"] {
        let said = result(name, source, &["--opt", level, "--timeout", "3"]);
        assert_ne!(said, "RESULT: true", "{name} at --opt {level}");
    }
}

#[test]
fn counters_and_lengths() {
    let sum = "int main(void) {
    int n = sk_nondet_int(), i = 0, s = 0;
    if (n < 0) return 0;
    while (i < n) { i++; s++; }
    sk_assert(s == n);
}";
    proved("sum", sum);
    not_proved("sum-late", &sum.replace("s++;", "s += 1 + (i == 2000000);"));
    let nested = "int main(void) {
    unsigned n = sk_nondet_uint();
    if (n > 1000) return 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < n; j++) sk_assert(i < n && j < n);
}";
    proved("nested", nested);
    not_proved(
        "nested-late",
        &nested.replace("i < n && j < n)", "i + j < 1998)"),
    );
}

/// An inner loop that goes round more often with each round of the outer one: bounds that end it are other ones in
/// the round that is judged than in those before.
#[test]
fn inner_loops_that_grow() {
    // A choice that executions at random do not make.
    let source = "int main(void) {
    for (unsigned i = 0; sk_nondet_int() == 12345; i++)
        for (unsigned j = 0; j < i; j++)
            sk_assert(CHECK);
}";
    proved("grows", &source.replace("CHECK", "j < i"));
    not_proved("grows-late", &source.replace("CHECK", "j != 7"));
    not_proved("grows-later", &source.replace("CHECK", "j != 70"));
    not_proved(
        "grows-out",
        "int main(void) {
    int a[7];
    for (unsigned i = 0; sk_nondet_int() == 12345; i++)
        for (unsigned j = 0; j < i; j++)
            a[j] = 1;
}",
    );
    not_proved(
        "grows-jumps",
        "int main(void) {
    unsigned i = 0, j, sum = 0;
again:
    j = 0;
inner:
    if (j < i) {
        sk_assert(++sum != 30);
        j++;
        goto inner;
    }
    i++;
    if (sk_nondet_int() == 12345) goto again;
}",
    );
    not_proved(
        "grows-calls",
        "static void down(unsigned n) { if (n == 0) return; sk_assert(n != 9); down(n - 1); }
int main(void) {
    for (unsigned i = 0; sk_nondet_int() == 12345; i++) down(i);
}",
    );
}

#[test]
fn memory_that_a_loop_fills() {
    let fill = "int main(void) {
    int n = sk_nondet_int();
    if (n < 1 || n > 100000) return 0;
    int *p = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) p[i] = i;
    free(p);
    return 0;
}";
    proved("fill", fill);
    not_proved("fill-late", &fill.replace("p[i]", "p[i + (i == 65000)]"));
    not_proved(
        "freed-late",
        &fill.replace("p[i] = i;", "{ p[i] = i; if (i == 65000) free(p); }"),
    );
}

#[test]
fn states_and_flags() {
    let machine = "static int state, lock;
int main(void) {
    while (1) {
        switch (state) {
        case 0: sk_assert(!lock); lock = 1; state = 1; break;
        case 1: if (sk_nondet_int()) state = 2; break;
        case 2: sk_assert(lock); lock = 0; state = 0; break;
        default: sk_assert(0);
        }
    }
}";
    proved("machine", machine);
    not_proved(
        "machine-late",
        &machine
            .replace("static int state, lock;", "static int state, lock, rounds;")
            .replace(
                "while (1) {",
                "while (1) { if (++rounds == 3000000) lock = !lock;",
            ),
    );
}

#[test]
fn checks_that_need_each_other() {
    // Each follows from the other one in the round before; neither holds for ever.
    not_proved(
        "both",
        "int main(void) {
    unsigned x = 0, y = 0, n = 0;
    while (1) {
        sk_assert(x == y);
        sk_assert(y < 2);
        if (n++ == 5000000) x = y = 2;
        x = y;
    }
}",
    );
    // The second one is violated by executions only that violate the first one before: these end there.
    not_proved(
        "behind",
        "int main(void) {
    unsigned n = 0;
    while (1) {
        n++;
        sk_assert(n != 70000000);
        sk_assert(n != 70000001);
    }
}",
    );
}

#[test]
fn loops_that_allocate_are_not_taken_for_those_that_do_not() {
    not_proved(
        "list",
        "struct node { struct node *next; int value; };
int main(void) {
    struct node *list = 0;
    for (int i = 0; sk_nondet_int(); i++) {
        struct node *node = malloc(sizeof *node);
        node->next = list;
        node->value = i != 400000;
        list = node;
        sk_assert(list->value);
    }
}",
    );
}

#[test]
fn a_fixed_bound_is_a_bound() {
    let source = "int main(void) {
    unsigned n = sk_nondet_uint(), i = 0;
    while (i < n) i++;
    sk_assert(i == n);
}";
    assert_eq!(result("free", source, &[]), "RESULT: true");
    let said = result("fixed", source, &["--unwind", "3"]);
    assert_eq!(said, "RESULT: unknown(bounded)");
}

/// The whole report.
fn report(name: &str, source: &str, options: &[&str]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("induction-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "-v", "--timeout", "60"])
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs");
    String::from_utf8(output.stdout).expect("the report is text")
}

#[test]
fn invariants_that_the_program_states() {
    let source = "int main(void) {
    unsigned n = sk_nondet_uint(), x = sk_nondet_uint(), y = sk_nondet_uint(), a = x, b = y;
    for (unsigned i = 0; i < n; i++) {
        sk_invariant((a ^ b) == (x ^ y));
        a ^= i;
        b ^= i;
    }
    sk_assert((a ^ b) == (x ^ y));
}";
    proved("stated", source);
    // A wrong one proves nothing, and is not believed.
    let late = source.replace("b ^= i;", "b ^= i == 3000000 ? 1 : i;");
    not_proved("stated-late", &late);
    not_proved(
        "stated-false",
        &source.replace(
            "sk_invariant((a ^ b) == (x ^ y));",
            "sk_invariant(i < 2000000);",
        ),
    );
}

#[test]
fn an_invariant_is_one_obligation() {
    let program = |body: &str| {
        format!("#include <selkie.h>\nint main(void) {{ unsigned j = 0; {body} return 0; }}\n")
    };
    // Loops that go round, or not, or are no loop for LLVM, in a loop that goes round.
    for inner in [
        "INVARIANT",
        "int i = 0; do { INVARIANT i++; } while (i < 1);",
        "int i = 0; do { INVARIANT i++; } while (i < 3);",
        "for (;;) { INVARIANT break; }",
        "while (sk_nondet_bool()) { INVARIANT if (j < 9) break; }",
        "for (int i = 0; i < 1; i++) { INVARIANT }",
    ] {
        let outer = format!("while (sk_nondet_bool()) {{ {inner} if (j < 5) j++; }}");
        for (claim, status) in [
            ("j < 6", "PROVED"),
            ("j < 3", "VIOLATED"),
            ("j > 0", "VIOLATED"),
        ] {
            let body = outer.replace("INVARIANT", &format!("sk_invariant({claim});"));
            for level in ["0", "1", "2"] {
                let options = ["--opt", level, "--only", "main.invariant.1"];
                let said = report("one", &program(&body), &options);
                let line = format!("[main.invariant.1] loop invariant: {status}");
                assert!(said.contains(&line), "{body} --opt {level}:\n{said}");
                assert!(!said.contains("main.invariant.2"), "{body}:\n{said}");
            }
        }
    }
    // As CBMC has it, behind the head of a loop.
    let program = "int main(void) {
    unsigned n = nondet_uint(), a = n, b = 0;
    for (unsigned i = 0; i < n; i++)
        __CPROVER_assigns(i, a, b)
        __CPROVER_loop_invariant((a ^ b) == n)
        __CPROVER_loop_invariant(i <= n)
        __CPROVER_decreases(n - i)
    {
        a ^= i;
        b ^= i;
    }
    __CPROVER_assert((a ^ b) == n, \"kept\");
}";
    let options = ["--cflags=-include cbmc.h"];
    let said = report("cbmc", program, &options);
    assert!(said.contains("3 obligations: 3 proved"), "{said}");
    assert!(said.ends_with("RESULT: true\n"), "{said}");
    let wrong = program.replace("i <= n)", "i < 7)");
    let said = report("cbmc", &wrong, &options);
    assert!(
        said.contains("[main.invariant.2] loop invariant: VIOLATED"),
        "{said}"
    );
}

#[test]
fn addresses_that_become_numbers_in_a_loop() {
    // Which object a number means, and what unknown code reaches, must not depend on the round that is looked at.
    let unknown_code = "void ext(void);
int main(void) {
    int y = 0;
    unsigned long v = 0;
    while (sk_nondet_bool()) v = (unsigned long)&y;
    ext();
    sk_assert(y == 0);
    return (int)v;
}";
    let pointer = "int main(void) {
    int x = 0;
    unsigned long v = 0;
    while (sk_nondet_bool()) v = (unsigned long)&x;
    int *q = (int *)v;
    if (v) *q = 5;
    sk_assert(x == 0);
}";
    let union_of = "union { int *p; unsigned long i; } u;
int x;
int main(void) {
    while (sk_nondet_bool()) u.p = &x;
    int *q = (int *)u.i;
    if (sk_is_deref(q, 4)) *q = 5;
    sk_assert(x == 0);
}";
    let cast = "(unsigned long)&";
    let programs = [
        ("unknown-code", unknown_code, cast),
        ("pointer", pointer, cast),
        ("union", union_of, "u.p = &"),
    ];
    for (name, program, exposing) in programs {
        assert!(program.contains(exposing), "no `{exposing}` in {name}");
        let number = program.replace(exposing, if name == "union" { "u.i = " } else { "" });
        for level in ["0", "2"] {
            let options = ["--engine", "absint", "--check", "assert", "--opt", level];
            for options in [&options[..], &options[2..]] {
                let said = result(name, program, options);
                assert_ne!(said, "RESULT: true", "{name} with {options:?}");
            }
            let said = result(name, &number, &options);
            assert_eq!(said, "RESULT: true", "{name} of numbers at --opt {level}");
        }
    }
}

/// Proved by induction and its own guesses alone.
#[track_caller]
fn proved_alone(name: &str, source: &str) {
    let said = result(name, source, &["--engine", "kind"]);
    assert_eq!(said, "RESULT: true", "{name}");
    not_proved(
        &format!("{name}-never"),
        &source.replace("sk_assert(", "sk_assert(0 && "),
    );
}

#[test]
fn equations_between_many_numbers() {
    let three = "int main(void) {
    unsigned n = sk_nondet_uint(), i = 0, a = 0, b = 0;
    while (i < n) {
        if (sk_nondet_int()) { a += 1; b += 2; } else { a += 2; b += 1; }
        i++;
    }
    sk_assert(a + b == 3 * i);
}";
    proved_alone("three", three);
    not_proved(
        "three-late",
        &three.replace("b += 1;", "b += 1 + (i == 2000000);"),
    );
    // Of the second loop's numbers one is known from the first loop only, which guesses are not about: what is wrong is not proved.
    let two = "int main(void) {
    unsigned n = sk_nondet_uint(), i = 0, k = sk_nondet_uint(), old = k, j = 0;
    while (i < n) { i++; k += 5; }
    while (j < n) { sk_assert(k == old + 5 * i - 3 * j); j++; k -= 3; }
}";
    not_proved(
        "two-late",
        &two.replace("k -= 3;", "k -= 3 + (j == 2000000);"),
    );
    // The lowest bits are enough.
    let even = "int main(void) {
    unsigned x = 6, y = 10;
    while (sk_nondet_int()) { unsigned s = sk_nondet_uint(); x += 4 * s; y += 4 * (s ^ x); }
    sk_assert((x + y) % 4 == 0);
}";
    proved_alone("even", even);
    not_proved(
        "even-late",
        &even.replace("x += 4 * s;", "x += 4 * s + 2 * (s == 77777777);"),
    );
}

#[test]
fn states_that_do_not_go_together() {
    // Waiting in a state for ever is what induction over a few rounds alone does not get over.
    let machine = "int main(void) {
    unsigned state = 10, flag = 0, rounds = 0;
    while (1) {
        switch (state) {
        case 10: state = sk_nondet_int() ? 11 : 12; break;
        case 11: flag = 1; state = 13; break;
        case 12: flag = 2; state = 14; break;
        case 13: if (sk_nondet_int()) state = 15; break;
        case 14: if (sk_nondet_int()) state = 16; break;
        case 15: sk_assert(flag == 1); state = 17; break;
        case 16: sk_assert(flag == 2); state = 18; break;
        case 17: flag = 0; state = 10; break;
        case 18: flag = 0; state = 19; break;
        case 19: state = 10; break;
        default: sk_assert(0);
        }
    }
}";
    proved_alone("states", machine);
    not_proved(
        "states-late",
        &machine.replace(
            "case 19: state = 10;",
            "case 19: state = ++rounds == 3000000 ? 15 : 10;",
        ),
    );
    // The same, with the states in memory that a function changes.
    let global = machine
        .replace(
            "int main(void) {\n    unsigned state = 10, flag = 0, rounds = 0;",
            "static unsigned state = 10, flag, rounds;
static void next(unsigned to) { state = to; }
int main(void) {",
        )
        .replace("flag = 0; state = 10;", "flag = 0; next(10);");
    proved_alone("states-global", &global);
    not_proved(
        "states-global-late",
        &global.replace(
            "case 19: state = 10;",
            "case 19: state = ++rounds == 3000000 ? 15 : 10;",
        ),
    );
}
