//! Recursion: functions that are proved from an arbitrary state, for all calls at once, and what must not be proved that way.

mod common;

use std::process::Output;

use common::{selkie, verdict};

fn run(name: &str, source: &str, options: &[&str]) -> Output {
    selkie("verify", &format!("recursion-{name}"), source, options)
}

/// The last line of the report.
fn result(name: &str, source: &str, options: &[&str]) -> String {
    verdict(&run(name, source, options))
}

const CLAUSES: [&str; 4] = ["--engine", "chc", "--timeout", "60"];
const SUMMARIES: [&str; 6] = ["--engine", "chc", "--calls", "summary", "--timeout", "60"];

#[track_caller]
fn proved(name: &str, source: &str) {
    assert_eq!(result(name, source, &CLAUSES), "RESULT: true", "{name}");
}

/// Violated, but so deep that nobody finds it here: whatever is said, it is not `true`.
#[track_caller]
fn not_proved(name: &str, source: &str) {
    // Templates get to an induction where clauses look for a derivation that is too deep.
    for (engine, calls) in [("kind", "inline"), ("chc", "summary")] {
        let options = ["--engine", engine, "--calls", calls, "--timeout", "2"];
        let said = result(&format!("{name}-{calls}"), source, &options);
        assert_ne!(said, "RESULT: true", "{name}");
    }
}

const COUNT: &str = "unsigned f(unsigned n) { return n == 0 ? 0 : 1 + f(n - 1); }
int main(void) {
    unsigned n = sk_nondet_uint();
    sk_assert(f(n) == n);
}";

#[test]
fn a_function_that_calls_itself() {
    proved("count", COUNT);
    not_proved(
        "count-late",
        &COUNT.replace("1 + f", "(n == 3000000) + 1 + f"),
    );
    assert_eq!(result("count-all", COUNT, &SUMMARIES), "RESULT: true");
}

#[test]
fn a_call_in_a_call() {
    let source = "int f(int x) { return x > 100 ? x - 10 : f(f(x + 11)); }
int main(void) {
    int x = sk_nondet_int(), r = f(x);
    sk_assert(r == 91 || x > 101 && r == x - 10);
}";
    let mut options = CLAUSES.to_vec();
    options.extend(["--check", "assert"]);
    assert_eq!(result("in-a-call", source, &options), "RESULT: true");
    not_proved(
        "in-a-call-late",
        &source.replace("x - 10 :", "x - 10 - (x == 2000000000) :"),
    );
}

#[test]
fn functions_that_call_each_other() {
    let source = "int odd(unsigned n);
int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
int main(void) {
    unsigned n = sk_nondet_uint();
    sk_assert(even(n) == (n % 2 == 0));
}";
    proved("each-other", source);
    not_proved(
        "each-other-late",
        &source.replace("? 0 :", "? 0 : n == 4000000 ? 1 :"),
    );
}

#[test]
fn what_a_function_does_to_variables_in_memory() {
    let source = "int depth;
void go(unsigned n) {
    if (n == 0) return;
    depth++;
    sk_assert(depth > 0);
    go(n - 1);
    depth--;
}
int main(void) {
    unsigned n = sk_nondet_uint();
    sk_assume(n < 100000);
    go(n);
    sk_assert(depth == 0);
}";
    proved("variables", source);
    not_proved(
        "variables-late",
        &source.replace("depth--;", "depth -= 1 + (n == 99999);"),
    );
    // Two calls that see different values.
    let source = "int g;
int f(int n) { return n <= 0 ? g : f(n - 1); }
int main(void) {
    g = 1;
    int a = f(sk_nondet_int());
    g = 2;
    int b = f(sk_nondet_int());
    sk_assert(a == 1 && b == 2);
}";
    proved("two-calls", source);
    not_proved(
        "two-calls-late",
        &source.replace("n <= 0 ? g", "n == 5000000 ? 3 : n <= 0 ? g"),
    );
}

#[test]
fn a_check_in_a_body_that_is_called_deep() {
    let source = "unsigned f(unsigned n, unsigned d) {
    sk_assert(d <= 1000000);
    return n == 0 ? d : f(n - 1, d + 1);
}
int main(void) {
    unsigned n = sk_nondet_uint();
    if (n <= 1000000) f(n, 0);
}";
    proved("deep", source);
    not_proved(
        "deep-late",
        &source.replace("n <= 1000000)", "n <= 1000001)"),
    );
}

/// What is assumed after a call says nothing of the calls before it, and what is assumed in a body nothing of others.
#[test]
fn assumptions_stay_where_they_are() {
    not_proved(
        "assumed-after",
        "unsigned f(unsigned n, unsigned d) {
    sk_assert(d != 3000000);
    return n == 0 ? d : f(n - 1, d + 1);
}
int main(void) {
    f(sk_nondet_uint(), 0);
    unsigned y = sk_nondet_uint();
    sk_assume(y * y % 4 == 2);
}",
    );
    not_proved(
        "assumed-in-another",
        "unsigned g(unsigned n) {
    unsigned y = sk_nondet_uint();
    sk_assume(y * y % 4 == 2);
    return n == 0 ? 0 : g(n - 1);
}
unsigned f(unsigned n, unsigned d) {
    sk_assert(d != 3000000);
    return n == 0 ? d : f(n - 1, d + 1);
}
int main(void) {
    if (sk_nondet_bool()) g(sk_nondet_uint());
    else f(sk_nondet_uint(), 0);
}",
    );
}

#[test]
fn loops_in_functions_and_calls_in_loops() {
    let source = "unsigned f(unsigned n) { return n == 0 ? 0 : 1 + f(n - 1); }
int main(void) {
    unsigned s = 0, t = 0;
    while (sk_nondet_bool()) {
        unsigned k = sk_nondet_uint();
        s += f(k);
        t += k;
    }
    sk_assert(s == t);
}";
    proved("in-a-loop", source);
    not_proved(
        "in-a-loop-late",
        &source.replace("1 + f", "(n == 3000000) + 1 + f"),
    );
    let source = "unsigned twice(unsigned n) {
    unsigned s = 0;
    if (n == 0) return 0;
    for (int i = 0; i < 2; i++) s++;
    for (unsigned i = sk_nondet_uint(); i > 5; i--) sk_assert(i != 0);
    return s + twice(n - 1);
}
int main(void) {
    unsigned n = sk_nondet_uint();
    sk_assert(twice(n) == 2 * n);
}";
    proved("with-a-loop", source);
    not_proved(
        "with-a-loop-late",
        &source.replace("i < 2;", "i < 2 + (n == 3000000);"),
    );
}

/// Objects of one activation that another one knows: there is no summary, and no wrong one.
#[test]
fn variables_of_an_activation() {
    let own = "int f(int n) {
    int a[3], i = sk_nondet_uint() % 3;
    if (n <= 0) return 5;
    a[0] = a[1] = a[2] = n;
    int r = f(n - 1);
    sk_assert(a[i] == n);
    return r;
}
int main(void) { sk_assert(f(sk_nondet_int()) == 5); }";
    proved("own", own);
    not_proved(
        "own-late",
        &own.replace("return 5", "return 5; if (n == 2000000) return 6"),
    );
    not_proved(
        "of-the-caller",
        "void f(unsigned n, unsigned *out) {
    unsigned t = 0;
    if (n == 0) { *out = 0; return; }
    f(n - 1, &t);
    *out = t + 1 + (n == 3000000);
}
int main(void) {
    unsigned n = sk_nondet_uint(), r;
    f(n, &r);
    sk_assert(r == n);
}",
    );
    not_proved(
        "kept-by-a-global",
        "int *kept, n0 = 3000000;
int f(int n) {
    int t = n;
    if (n == 0) return *kept;
    if (n == n0) kept = &t;
    int r = f(n - 1);
    return r;
}
int main(void) {
    int z = 7, n = sk_nondet_int();
    sk_assume(n >= 0);
    kept = &z;
    sk_assert(f(n) == 7);
}",
    );
}

/// A pointer that a call is given leads to the caller's variable: not to that of the activation itself, which has the same name.
#[test]
fn a_variable_of_the_caller() {
    let source = "static void f(unsigned depth, const int *up) {
    int own = 1;
    if (sk_nondet_bool()) return;
    own = 2;
    sk_assert(*up == 2);
    if (depth == 300000) own = 3;
    f(depth + 1, &own);
}
int main(void) { int x = 2; f(0, &x); }";
    not_proved("caller-variable", source);
}

#[test]
fn a_derivation_says_how_deep() {
    let source = "unsigned f(unsigned n) {
    if (n == 0) return 0;
    unsigned r = f(n - 1) + 1;
    return r > 12 ? 12 : r;
}
int main(void) {
    unsigned n = sk_nondet_uint();
    sk_assert(f(n) == n);
}";
    assert_eq!(
        result("how-deep", source, &CLAUSES),
        "RESULT: false(assert)"
    );
    assert_eq!(
        result("how-deep-all", source, &SUMMARIES),
        "RESULT: false(assert)"
    );
}

#[test]
fn functions_that_end_the_program() {
    let source = "#include <stdlib.h>
int f(int n) {
    if (n > 5) exit(0);
    return n < 0 ? n : f(n + 1);
}
int main(void) { sk_assert(f(sk_nondet_int()) < 0); }";
    proved("exit", source);
    not_proved(
        "exit-late",
        &source.replace("exit(0)", "return n == 2000000007"),
    );
}

#[test]
fn calls_that_are_no_recursion_are_summarised_if_that_is_wished() {
    let source = "static int less(int a) { sk_assert(a > 0); return a - 1; }
int main(void) {
    int n = sk_nondet_int();
    while (n > 0) n = less(n);
    sk_assert(n <= 0);
}";
    assert_eq!(result("wished", source, &SUMMARIES), "RESULT: true");
    let bad = source.replace("while (n > 0)", "while (n > -1)");
    assert_eq!(
        result("wished-bad", &bad, &SUMMARIES),
        "RESULT: false(assert)"
    );
    let options = ["--engine", "bmc", "--calls", "summary"];
    let output = run("usage", source, &options);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("--calls is about proofs"), "{said}");
}

/// A body that makes objects is no summary of values: what it made would be nobody's.
#[test]
fn what_is_allocated_deep_down_is_not_forgotten() {
    let source = "#include <stdlib.h>
void f(int n) {
    if (n <= 0) return;
    if (n == 9000) malloc(1);
    f(n - 1);
}
int main(void) {
    int n = sk_nondet_int();
    if (n > 20000) return 0;
    f(n);
    return 0;
}";
    for (engine, calls) in [
        ("auto", "inline"),
        ("kind", "inline"),
        ("kind", "summary"),
        ("chc", "summary"),
    ] {
        let options = [
            "--check",
            "leak",
            "--engine",
            engine,
            "--calls",
            calls,
            "--timeout",
            "3",
        ];
        let said = result(&format!("leak-{engine}-{calls}"), source, &options);
        assert_ne!(said, "RESULT: true", "{engine} {calls}");
    }
}
