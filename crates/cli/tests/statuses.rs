//! What is said of obligations that nothing violates: proved, not reached, or vacuous.

use std::path::Path;
use std::process::Command;

/// Verifies a program; standard output.
fn verify(name: &str, source: &str, options: &[&str]) -> String {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("statuses-{name}.c"));
    std::fs::write(&file, source).expect("the program is written");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "-v"])
        .args(options)
        .arg(&file)
        .output()
        .expect("selkie runs");
    String::from_utf8(output.stdout).expect("the report is text")
}

/// The status of the obligation with this id.
#[track_caller]
fn status(report: &str, id: &str, expected: &str) {
    let line = report
        .lines()
        .find(|line| line.contains(&format!("[{id}]")))
        .unwrap_or_else(|| panic!("no {id} in\n{report}"));
    let found = line.rsplit(": ").next().expect("a status ends the line");
    assert_eq!(found, expected, "{id} in\n{report}");
}

#[track_caller]
fn result(report: &str, expected: &str) {
    let last = report.lines().last().unwrap_or_default();
    assert_eq!(last, format!("RESULT: {expected}"), "{report}");
}

#[test]
fn what_is_executed_and_holds_is_proved() {
    let source = "extern int sk_nondet_int(void);
int main(void) {
    int x = sk_nondet_int();
    int a = x / 2;
    unsigned char c = (unsigned char)x;
    int b = c + 1;
    int s = 0;
    for (int i = 0; i < 4; i++) s += i;
    int t[4] = {1, 2, 3, 4};
    if (sizeof(int) == 2) b = x / s;
    if (x > 0) b = c % 7 + t[x & 3] % 4;
    return a / 3 + b % 5;
}
";
    for opt in ["0", "1", "2"] {
        let report = verify("holds", source, &["--opt", opt]);
        result(&report, "true");
        let dead = report
            .lines()
            .filter(|line| line.ends_with(": UNREACHABLE"));
        let dead: Vec<&str> = dead.collect();
        // Line 10 alone is never executed.
        assert!(
            dead.iter().all(|line| line.contains(".c:10:")),
            "{opt}\n{report}"
        );
        assert!(!report.contains("VACUOUS"), "{report}");
        status(&report, "main.overflow.1", "PROVED");
        status(&report, "main.overflow.2", "PROVED");
        status(&report, "main.div.1", "PROVED");
    }
    // Alive, though nothing of its check is left.
    let dead = "extern int sk_nondet_int(void);
static int off;
int main(void) {
    int x = sk_nondet_int();
    if (x & 1 && !(x & 1)) x = x / 2;
    return x;
}
";
    let report = verify("dead", dead, &[]);
    result(&report, "true");
    status(&report, "main.div.1", "UNREACHABLE");
}

const CLAIMS: &str = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
extern void sk_assume(_Bool);
extern void sassert(int);
extern void reach_error(void);
void __VERIFIER_assert(int c) {
    if (!c) {
        reach_error();
    }
}
static void claim(int c) {
    if (!c) goto ERROR;
    return;
ERROR:
    reach_error();
}
int main(void) {
    int x = sk_nondet_int();
    sk_assume(x > 10 && x < 100);
    if (x * x == 7) {
        sk_assert(x == 3);
        sassert(x == 4);
        if (x == 12) reach_error();
        claim(x == 5);
    }
    sk_assert(x > 5);
    if (x < 3) reach_error();
    if (x == 51) {
        sk_assert(x != 52);
        sk_assume(0);
    }
    __VERIFIER_assert(x > 1);
    return 0;
}
";

#[test]
fn a_claim_that_no_execution_looks_at_is_vacuous() {
    for opt in ["0", "1", "2"] {
        for vc in ["eval", "path", "dataflow"] {
            let options = ["--opt", opt, "--vc", vc, "--check", "assert,reach"];
            let report = verify("claims", CLAIMS, &options);
            result(&report, "true");
            for id in [
                "main.assert.1",
                "main.assert.2",
                "main.reach.1",
                "claim.reach.1",
            ] {
                status(&report, id, "VACUOUS");
            }
            for id in [
                "main.assert.3",
                "main.reach.2",
                "main.assert.4",
                "__VERIFIER_assert.reach.1",
            ] {
                status(&report, id, "PROVED");
            }
        }
    }
}

/// Proofs by induction and by invariants are about more states than executions have.
#[test]
fn a_claim_without_a_bound_is_vacuous_too() {
    let recursion = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
static unsigned down(int n) {
    if (n < LEAST) sk_assert(n > -9);
    return n <= 0 ? 0 : 1 + down(n - 1);
}
int main(void) {
    int n = sk_nondet_int();
    if (n >= 0) sk_assert(down(n) >= 0);
    return 0;
}
";
    let loops = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {
    int n = 0;
    while (sk_nondet_int()) {
        if (n < LEAST) sk_assert(n > -9);
        if (n < 1000) n++;
    }
    return 0;
}
";
    for (name, source, id) in [
        ("recursion", recursion, "down.assert.1"),
        ("loops", loops, "main.assert.1"),
    ] {
        for opt in ["0", "1", "2"] {
            let common = ["--opt", opt, "--check", "assert", "--fail-on", "vacuous"];
            let reached = [&common[..], &["--define", "LEAST=1"]].concat();
            let report = verify(name, source, &reached);
            status(&report, id, "PROVED");
            result(&report, "true");
            let never = [&common[..], &["--define", "LEAST=0"]].concat();
            let report = verify(name, source, &never);
            status(&report, id, "VACUOUS");
            result(&report, "unknown(vacuous)");
        }
    }
}

/// What an optimiser makes of the conditions does not change who looks at an assertion.
#[test]
fn parts_of_a_condition_are_looked_at_together() {
    let source = "#include <assert.h>
extern int sk_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = sk_nondet_int(), y = sk_nondet_int(), a[3] = {1, 2, 3};
    if (x < 0 || x > 2 || y < 0 || y > 9) return 0;
    assert(x + y <= 18 || x == y);
    assert(a[x] > 0 || x == 5 || y == 3);
    assert(a[x] > 0 && (y < 10 || x == 7));
    if (!(x + y <= 18 || x == y)) reach_error();
    switch (x & 3) {
    case 0: case 1: case 2: case 3: break;
    default: assert(0);
    }
    if (a[x] == 4) assert(x == 7);
    if (a[x] == 4 || x == 3) assert(x == 7 || y == 2);
    return 0;
}
";
    for opt in ["0", "1", "2"] {
        let report = verify("parts", source, &["--opt", opt, "--check", "assert,reach"]);
        result(&report, "true");
        for id in [
            "main.assert.1",
            "main.assert.2",
            "main.assert.3",
            "main.reach.1",
            "main.assert.4",
        ] {
            status(&report, id, "PROVED");
        }
        for id in ["main.assert.5", "main.assert.6"] {
            status(&report, id, "VACUOUS");
        }
    }
}

#[test]
fn vacuous_calls_of_the_error_function_can_fail() {
    let options = ["--fail-on", "vacuous", "--check", "reach"];
    let report = verify("fail-on", CLAIMS, &options);
    result(&report, "unknown(vacuous)");
    let sound = "extern int sk_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = sk_nondet_int();
    if (x == 3 && x == 4) reach_error();
    return 0;
}
";
    result(&verify("fail-on-not", sound, &options), "true");
}

#[test]
fn an_assertion_in_a_long_loop_is_reached_late() {
    let source = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {
    int n = sk_nondet_int();
    for (int i = 0; i < 100; i++) {
        if (i < LATE ? n * 2 == 2 * i + 1 : n == i + 123456) sk_assert(n >= 80);
    }
    return 0;
}
";
    let late = verify(
        "late",
        source,
        &["--define", "LATE=90", "--check", "assert"],
    );
    status(&late, "main.assert.1", "PROVED");
    let never = ["--define", "LATE=100", "--check", "assert"];
    status(&verify("late", source, &never), "main.assert.1", "VACUOUS");
}

#[test]
fn what_stands_behind_a_violation_is_named() {
    let source = "extern int sk_nondet_int(void);
extern void sk_assert(_Bool);
int main(void) {
    int x = sk_nondet_int();
    if (x > 5) {
        sk_assert(FIRST);
        sk_assert(x > 3);
        if (x == 8 && x == 9) sk_assert(x == 4);
    }
    sk_assert(x == x);
    return 0;
}
";
    // Folded so that nothing is left of what follows, and shown by a solver.
    for (first, behind) in [
        (
            "0",
            "main.assert.2 is not reached, or only behind a violation",
        ),
        ("x*x==x*x+x", "main.assert.2 stands behind a violation"),
    ] {
        for opt in ["0", "2"] {
            let define = format!("FIRST={first}");
            let options = ["--define", &define, "--opt", opt, "--check", "assert"];
            let report = verify("behind", source, &options);
            status(&report, "main.assert.1", "VIOLATED");
            status(&report, "main.assert.2", "UNREACHABLE");
            status(&report, "main.assert.4", "PROVED");
            assert!(report.contains(behind), "{report}");
            assert!(!report.contains("main.assert.3 stands"), "{report}");
        }
    }
    let options = ["--define", "FIRST=x!=7", "--check", "assert"];
    let report = verify("behind", source, &options);
    status(&report, "main.assert.2", "PROVED");
    assert!(!report.contains("main.assert.2 stands behind"), "{report}");
}

/// 2^62 - 57 is a prime number, and no solver shows it in a second.
const HARD: &str = "#include <selkie.h>
int main(void) {
    unsigned long x = sk_nondet_uint(), y = sk_nondet_uint();
    int i = sk_nondet_int(), a[16] = {0};
    sk_assume(i >= 0 && i < LIMIT);
    a[i] = i % 1000;
    sk_assert(x < 2 || y < 2 || x * y != 0x3fffffffffffffc7);
    sk_assert(a[i] < 1000);
    return a[i] / (i + 1);
}
";

#[test]
fn what_is_hard_costs_the_others_nothing() {
    let options = ["--seconds-per-obligation", "1"];
    let report = verify("hard", &HARD.replace("LIMIT", "16"), &options);
    status(&report, "main.assert.1", "UNKNOWN(timeout)");
    for id in [
        "deref.1",
        "div.1",
        "assert.2",
        "deref.2",
        "div.2",
        "overflow.3",
    ] {
        status(&report, &format!("main.{id}"), "PROVED");
    }
    result(&report, "unknown(timeout)");
}

#[test]
fn what_is_hard_hides_no_violation() {
    let options = ["--seconds-per-obligation", "1"];
    let report = verify("hard-bug", &HARD.replace("LIMIT", "17"), &options);
    status(&report, "main.assert.1", "UNKNOWN(timeout)");
    status(&report, "main.deref.1", "VIOLATED");
    status(&report, "main.assert.2", "PROVED");
    result(&report, "false(valid-deref)");
}

#[test]
fn rounds_that_were_finished_count_when_a_later_one_is_not() {
    // So large a bound that no execution at random gets there.
    let source = "#include <selkie.h>
int main(void) {
    unsigned long x = sk_nondet_uint(), y = sk_nondet_uint();
    unsigned long n = 0;
    while (sk_nondet_int()) {
        n++;
        sk_assert(n < 1000000000000000);
    }
    sk_assert(x < 2 || y < 2 || x * y != 0x3fffffffffffffc7);
    return 0;
}
";
    let report = verify(
        "hard-loop",
        source,
        &["--seconds-per-obligation", "1", "--unwind", "4"],
    );
    status(&report, "main.assert.1", "PROVED-BOUNDED(4)");
    status(&report, "main.assert.2", "UNKNOWN(timeout)");
}

/// Two that nothing was seen to come to are asked about together: the first one does not stand in the way of the second.
#[test]
fn an_assertion_behind_another_is_reached() {
    // Executions at random do not get past the assumption.
    let source = "void sk_assert(_Bool); void sk_assume(_Bool); unsigned sk_nondet_uint(void);
int main(void) {
    unsigned a = sk_nondet_uint(), s = a;
    sk_assume(a * 2654435761u == 99);
    for (unsigned i = 0; i < 40; i++) {
        sk_assert(s >= a);
        sk_assert(s <= a + 2 * i);
        if (s < a) sk_assert(i == 7);
        s += 2;
    }
}
";
    for engine in ["absint", "kind", "auto"] {
        let options = ["--engine", engine, "--timeout", "60"];
        let report = verify(&format!("behind-{engine}"), source, &options);
        result(&report, "true");
        status(&report, "main.assert.1", "PROVED");
        status(&report, "main.assert.2", "PROVED");
        status(&report, "main.assert.3", "VACUOUS");
    }
}
