//! Horn clauses: loops that they prove, deep violations that they find, and what they must not prove.

mod common;

use std::path::Path;

use common::{selkie, verdict};

/// The last line of the report.
fn result(name: &str, source: &str, options: &[&str]) -> String {
    let options = [&["--engine", "chc"], options].concat();
    verdict(&selkie("verify", &format!("chc-{name}"), source, &options))
}

fn report(name: &str, source: &str, options: &[&str]) -> String {
    let output = selkie("verify", &format!("chc-{name}"), source, options);
    String::from_utf8(output.stdout).expect("the report is text")
}

#[track_caller]
fn proved(name: &str, source: &str) {
    let said = result(name, source, &["--timeout", "60"]);
    assert_eq!(said, "RESULT: true", "{name}");
}

/// Violated, but so late that nobody finds it here: whatever is said, it is not `true`.
#[track_caller]
fn not_proved(name: &str, source: &str) {
    let said = result(name, source, &["--timeout", "2"]);
    assert_ne!(said, "RESULT: true", "{name}");
}

#[test]
fn two_counters_and_a_length() {
    let equal = "int main(void) {
    unsigned x = 0, y = 0;
    while (sk_nondet_bool()) { x++; y++; }
    sk_assert(x == y);
}";
    proved("equal", equal);
    not_proved(
        "equal-late",
        &equal.replace("y++", "y += 1 + (x == 3000000000u)"),
    );
    let sum = "int main(void) {
    int n = sk_nondet_int(), i = 0, s = 0;
    if (n < 0) return 0;
    while (i < n) { i++; s++; }
    sk_assert(s == n);
}";
    proved("sum", sum);
    not_proved("sum-late", &sum.replace("s++;", "s += 1 + (i == 2000000);"));
}

#[test]
fn one_loop_after_the_other_and_one_in_the_other() {
    let row = "int main(void) {
    int n = sk_nondet_int(), i = 0, j = 0, k = 0;
    if (n < 0 || n > 10000) return 0;
    while (i < n) i++;
    while (j < i) { j++; k += 2; }
    sk_assert(k == 2 * n);
}";
    proved("row", row);
    not_proved("row-late", &row.replace("k += 2;", "k += 2 - (j == 9999);"));
    let nest = "int main(void) {
    int n = sk_nondet_int(), i, j;
    if (n < 0 || n > 1000) return 0;
    for (i = 0; i < n; i++)
        for (j = i; j < n; j++) sk_assert(0 <= i && i <= j && j < 1000);
    sk_assert(i == n);
}";
    proved("nest", nest);
    not_proved("nest-late", &nest.replace("j < 1000)", "i + j < 1998)"));
}

#[test]
fn sums_of_several_variables() {
    let split = "int main(void) {
    int i = 0, j = 0, k = 0, n = sk_nondet_int();
    if (n < 0 || n > 100000) return 0;
    while (i < n) { if (sk_nondet_bool()) j++; else k += 2; i++; }
    sk_assert(2 * j + k == 2 * i);
}";
    proved("split", split);
    not_proved(
        "split-late",
        &split.replace("j++;", "j += 1 + (i == 99999);"),
    );
}

#[test]
fn states_remainders_and_indices() {
    let machine = "int main(void) {
    unsigned s = 0, c = 0;
    while (sk_nondet_bool()) {
        s = (s + 1) % 3;
        c++;
        if (c == 300) c = 0;
        sk_assert(s < 3);
        sk_assert(s == c % 3);
    }
}";
    proved("machine", machine);
    not_proved(
        "machine-late",
        &machine.replace("c == 300", "c == 40000000"),
    );
    let search = "int a[100];
int main(void) {
    int n = sk_nondet_int();
    if (n < 0 || n > 100) return 0;
    int lo = 0, hi = n;
    while (lo < hi) {
        int m = lo + (hi - lo) / 2;
        if (a[m] < sk_nondet_int()) lo = m + 1; else hi = m;
    }
    sk_assert(lo >= 0 && lo <= n);
}";
    proved("search", search);
    let said = result(
        "search-bad",
        &search.replace("n > 100", "n > 102"),
        &["--timeout", "60"],
    );
    assert_eq!(said, "RESULT: false(valid-deref)");
}

#[test]
fn variables_in_memory_and_calls() {
    let source = "int cnt, lim;
static void step(void) { if (cnt < lim) cnt += 2; }
int main(void) {
    lim = sk_nondet_int();
    if (lim < 0 || lim > 1000000) return 0;
    while (sk_nondet_bool()) { step(); sk_assert(cnt <= lim + 1); }
    sk_assert(cnt % 2 == 0);
}";
    proved("memory", source);
    not_proved(
        "memory-late",
        &source.replace("cnt += 2;", "cnt += 2 + (cnt == 600000);"),
    );
}

#[test]
fn a_derivation_says_how_far_to_unroll() {
    let source = "int main(void) {
    unsigned x = 0, y = sk_nondet_uint();
    while (sk_nondet_bool()) {
        x++;
        if (x > 20) y = 3;
        sk_assert(y != 3 || x < 21 || x == y);
    }
}";
    let said = result("deep", source, &["--timeout", "60"]);
    assert_eq!(said, "RESULT: false(assert)");
}

#[test]
fn nobody_has_to_ask_for_an_engine() {
    let source = "#include <stdlib.h>
int main(void) {
    int room = sk_nondet_int(), length = sk_nondet_int();
    if (length < 1 || room < length) return 0;
    char *to = malloc(room), *from = malloc(length);
    sk_havoc(from, length);
    from[length - 1] = 0;
    for (; (*to = *from) != 0; ++from, ++to) {}
}";
    let said = report("auto", source, &["-vv", "--timeout", "60"]);
    let by = |engine: &str| said.contains(&format!("PROVED by {engine}"));
    assert!(by("kind") || by("chc"), "{said}");
    assert!(said.ends_with("RESULT: true\n"), "{said}");
    let late = source.replace("room < length", "room < length - (length > 70000)");
    let said = report("auto-late", &late, &["--timeout", "6"]);
    assert!(!said.contains("RESULT: true"), "{said}");
}

#[test]
fn clauses_can_be_kept() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("chc-kept");
    let folder = folder.to_str().expect("a path");
    let source = "int main(void) {
    unsigned x = 0;
    while (sk_nondet_bool()) if (x < 10) x++;
    sk_assert(x <= 10);
}";
    let said = result("kept", source, &["--timeout", "60", "--save", folder]);
    assert_eq!(said, "RESULT: true");
    let queries = Path::new(folder).join("queries");
    let files = std::fs::read_dir(queries).expect("queries are kept");
    let texts = files.map(|file| std::fs::read_to_string(file.expect("a file").path()));
    let horn = texts.filter(|text| {
        let text = text.as_deref().expect("text");
        text.contains("(set-logic HORN)") && text.contains("(declare-fun head1.int (Int) Bool)")
    });
    assert_eq!(horn.count(), 1);
}

/// Figure 3 of SeaHorn's paper: what is proved needs three facts at once, over integers. Beyond an overflow nothing is claimed.
#[test]
fn figure_three_of_seahorn() {
    let source = "int main(void) {
    int x = 1, y = 0;
    while (sk_nondet_bool()) { x = x + y; y++; }
    sk_assert(x >= y);
}";
    let options = ["--check", "assert", "--overflow", "ends", "--timeout", "60"];
    let math = [&options[..], &["--ints", "math"]].concat();
    assert_eq!(result("figure-3", source, &math), "RESULT: true");
    let zones = [&["--engine", "absint", "--domain", "zone"], &options[..]].concat();
    let said = report("figure-3-zones", source, &zones);
    assert!(said.ends_with("RESULT: true\n"), "{said}");
    let bug = source.replace("x = 1", "x = -1");
    assert_eq!(result("figure-3-bug", &bug, &math), "RESULT: false(assert)");
}

/// Figure 4: a swap by one sum and two differences, with another assertion in a function that is called twice.
#[test]
fn figure_four_of_seahorn() {
    let source = "static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { sk_assert(b >= 0); return a - b; }
int main(void) {
    int x = sk_nondet_int(), y = sk_nondet_int();
    if (x < 0 || y < 0 || x > 1000000 || y > 1000000) return 0;
    int a = x, b = y;
    x = add(x, y); y = sub(x, y); x = sub(x, y);
    sk_assert(x == b && y == a);
}";
    for calls in ["summary", "inline"] {
        let options = ["--calls", calls, "--timeout", "60"];
        let name = format!("figure-4-{calls}");
        assert_eq!(result(&name, source, &options), "RESULT: true", "{calls}");
        // The one in the function that is called, and the one in main.
        for bug in [
            source.replace("b >= 0", "b > 0"),
            source.replace("x = sub(x, y);\n", "x = sub(x, b);\n"),
        ] {
            let said = result(&name, &bug, &options);
            assert_eq!(said, "RESULT: false(assert)", "{bug}");
        }
    }
}

/// What is easy over integers that do not wrap, and hard where wrapping is written out. What wraps is no proof.
#[test]
fn numbers_that_do_not_wrap() {
    let ideal = ["--check", "assert", "--ints", "ideal", "--timeout", "60"];
    let sum = "int main(void) {
    int i = 0, a = 0, b = 0, n = sk_nondet_int();
    if (n < 0 || n > 1000000) return 0;
    while (i < n) {
        if (sk_nondet_int()) { a += 1; b += 2; } else { a += 2; b += 1; }
        i++;
    }
    sk_assert(a + b == 3 * n);
}";
    let moved = "int main(void) {
    int a = sk_nondet_int(), b = sk_nondet_int(), result = a, count = b;
    if (a > 1000000 || b < 0 || b > 1000000) return 0;
    while (count > 0) { count--; result++; }
    sk_assert(result == a + b);
}";
    assert_eq!(result("ideal-moved", moved, &ideal), "RESULT: true");
    let short = ["--check", "assert", "--ints", "ideal", "--timeout", "3"];
    for (name, bug) in [
        ("ideal-sum-late", sum.replace("n > 1000000", "n < 0")),
        (
            "ideal-wraps",
            "int main(void) { unsigned x = 1; while (sk_nondet_bool()) x++; sk_assert(x); }"
                .to_owned(),
        ),
    ] {
        let said = result(name, &bug, &short);
        assert_ne!(said, "RESULT: true", "{name}");
    }
}

/// Whether blocks are cut, and what predicates speak of, decides what is found, and never what is true.
#[test]
fn steps_and_levels_agree() {
    let source = "int last;
int main(void) {
    unsigned n = sk_nondet_uint(), x = 0, y = 0;
    while (x < n) {
        x++;
        if (sk_nondet_bool()) y += 1; else { y++; last = 1; }
        if (last) last--;
    }
    sk_assert(x == y);
}";
    let bug = source.replace("y++;", "y += 1 + (x == 3);");
    for step in ["large", "small"] {
        for track in ["reg", "ptr", "mem"] {
            let options = [
                "--check",
                "assert",
                "--step",
                step,
                "--track",
                track,
                "--timeout",
                "60",
            ];
            let name = format!("levels-{step}-{track}");
            assert_eq!(
                result(&name, source, &options),
                "RESULT: true",
                "{step} {track}"
            );
            assert_eq!(
                result(&name, &bug, &options),
                "RESULT: false(assert)",
                "{step} {track}"
            );
        }
    }
}

/// A call that fails goes on in the entry, and one that returns has not failed.
#[test]
fn mixed_semantics_agree() {
    let source = "static int down(int n) { sk_assert(n >= 0); return n ? down(n - 1) : 0; }
static int twice(int n) { int r = down(n) + down(n); sk_assert(r == 0); return r; }
int main(void) {
    int n = sk_nondet_int() & 7;
    sk_assert(twice(n) + twice(n) == 0);
}";
    for engine in ["bmc", "kind", "chc"] {
        let options = ["--calls", "mixed", "--engine", engine, "--timeout", "60"];
        let said = |name: &str, source: &str| {
            let said = report(&format!("mixed-{engine}-{name}"), source, &options);
            said.lines().last().unwrap_or_default().to_owned()
        };
        assert_eq!(said("true", source), "RESULT: true");
        for bug in ["down(n) + down(n - 9)", "down(n) + n / 7"] {
            let bug = source.replace("down(n) + down(n)", bug);
            assert_eq!(said("bug", &bug), "RESULT: false(assert)", "{bug}");
        }
    }
}

/// What the library calls back fails where it is called.
#[test]
fn mixed_semantics_keep_what_models_call_back() {
    let qsort = "#include <stdlib.h>
static int order(const int *a, const int *b) { sk_assert(*a != 3); return *a - *b; }
static int compare(const void *a, const void *b) { return order(a, b); }
int main(void) { int a[3] = {1, 3, 2}; qsort(a, 3, sizeof *a, compare); return 0; }";
    let atexit = "#include <stdlib.h>
static int left;
static void bye(void) { sk_assert(left != 4); }
static void end(int how) { left = how; sk_assert(how > 3); exit(0); }
int main(void) { atexit(bye); end(4); }";
    for (name, source, fixed) in [
        ("qsort", qsort, qsort.replace("!= 3", "!= 7")),
        ("atexit", atexit, atexit.replace("end(4)", "end(5)")),
    ] {
        let options = ["--calls", "mixed", "--timeout", "60"];
        let said = |name: &str, source: &str| {
            let said = report(&format!("mixed-{name}"), source, &options);
            said.lines().last().unwrap_or_default().to_owned()
        };
        assert_eq!(said(name, source), "RESULT: false(assert)", "{source}");
        assert_eq!(said(name, &fixed), "RESULT: true", "{fixed}");
    }
}
