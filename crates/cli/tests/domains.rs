//! Each domain of abstract interpretation proves what it is for, and what is beyond it stays unknown.

use std::path::Path;
use std::process::Command;

fn report(name: &str, source: &str, options: &[&str]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("domains-{name}.c"));
    std::fs::write(&path, source).expect("the program is written");
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib/include");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "-v", "--engine", "absint", "--include"])
        .arg(&include)
        .args(options)
        .arg(&path)
        .output()
        .expect("selkie runs");
    String::from_utf8(output.stdout).expect("the report is text")
}

/// The body of a program is proved by the first domain and not by the second.
#[track_caller]
fn only(name: &str, body: &str, able: &str, unable: &str) {
    let source = format!("#include <selkie.h>\nint main(void) {{\n{body}\n    return 0;\n}}\n");
    for (domain, expected) in [(able, "true"), (unable, "unknown(invariant)")] {
        let options = ["--domain", domain, "--check", "assert"];
        let report = report(&format!("{name}-{domain}"), &source, &options);
        let last = report.lines().last().unwrap_or_default();
        assert_eq!(last, format!("RESULT: {expected}"), "{domain}:\n{report}");
    }
}

#[test]
fn intervals_bound_a_number() {
    let body = "    unsigned x = 0;
    while (sk_nondet_bool()) if (x < 700) x++;
    sk_assert(x <= 700);";
    only("bounded", body, "interval", "congruence");
}

#[test]
fn bits_know_the_low_ones() {
    let body = "    unsigned x = 2;
    while (sk_nondet_bool()) x += 4;
    sk_assert((x & 3) == 2);";
    only("low", body, "bits", "interval");
}

#[test]
fn congruences_know_remainders() {
    let body = "    unsigned x = 1;
    while (sk_nondet_bool()) if (x < 3000000) x += 3;
    sk_assert(x % 3 == 1);";
    only("three", body, "interval,congruence", "interval,bits");
}

#[test]
fn zones_know_differences() {
    let body = "    int n = sk_nondet_int();
    sk_assume(0 <= n && n <= 1000000);
    int i = 0, j = 5;
    while (i < n) { i++; j++; }
    sk_assert(j == n + 5);";
    only("difference", body, "zone", "interval,bits,congruence");
}

#[test]
fn octagons_know_sums() {
    let body = "    int i = 1000, j = 3;
    while (i > 0 && sk_nondet_bool()) { i--; j++; }
    sk_assert(i + j == 1003);";
    only("sum", body, "octagon", "zone");
}

#[test]
fn guesses_know_ratios() {
    let body = "    unsigned i = 0, j = 0;
    while (sk_nondet_bool()) { i++; j += 3; }
    sk_assert(j == 3 * i);";
    only("ratio", body, "guess", "octagon");
}

#[test]
fn partitions_know_what_goes_together() {
    let body = "    int state = 0, held = 0;
    while (sk_nondet_bool()) {
        if (state == 0) { state = 3; held = 7; }
        else if (state == 3) { state = 5; held = 2; }
        else { state = 0; held = 0; }
    }
    sk_assert(state != 3 || held == 7);";
    only("machine", body, "partition", "octagon");
}

#[test]
fn partitions_know_what_an_input_decides() {
    let body = "    int hit = sk_nondet_int(), state = 1, flag = 0;
    while (sk_nondet_bool()) {
        if (state == 1) { state = hit ? 2 : 3; }
        else if (state == 2) { if (!hit) flag = 1; state = 1; }
        else { if (hit) flag = 1; state = 1; }
    }
    sk_assert(flag == 0);";
    only("decided", body, "partition", "interval,octagon");
}

#[test]
fn partitions_know_the_phases_of_a_loop() {
    let body = "    unsigned x = 0, y = 5000;
    while (x < 1000000) {
        if (x >= 5000) y++;
        x++;
    }
    sk_assert(y == 1000000);";
    only("phases", body, "partition,zone", "octagon,guess");
}

#[test]
fn guesses_know_sums_of_three_from_executions() {
    let body = "    unsigned n = sk_nondet_uint(), a = 0, b = 0;
    for (unsigned i = 0; i < n; i++)
        if (sk_nondet_bool()) { a += 1; b += 2; } else { a += 2; b += 1; }
    sk_assert(a + b == 3 * n);";
    only("shares", body, "guess,interval", "octagon,partition");
}

#[test]
fn floats_stay_in_bounds() {
    let body = "    double x = 0.5;
    while (sk_nondet_bool()) { x = x * 0.5; if (sk_nondet_bool()) x = x + 1.0; }
    sk_assert(x <= 2.0);";
    only("float", body, "float", "interval,octagon");
}

#[test]
fn segments_know_what_was_written() {
    let body = "    static int a[5000];
    for (int i = 0; i < 5000; i++) a[i] = 7;
    int k = sk_nondet_int();
    sk_assume(0 <= k && k < 5000);
    sk_assert(a[k] == 7);";
    only("array", body, "interval,segment", "octagon");
}

/// True of mathematical integers: a failing check ends the execution, so that the assertion holds wherever one gets there.
#[test]
fn what_holds_unless_something_overflows() {
    let source = "#include <selkie.h>
int main(void) {
    int x = 1, y = 0;
    while (sk_nondet_bool()) {
        x = x + y;
        y++;
    }
    sk_assert(x >= y);
    return 0;
}
";
    for (domain, asserted) in [("zone", "PROVED"), ("interval", "UNKNOWN(invariant)")] {
        let options = ["--domain", domain, "--check", "assert,overflow"];
        let report = report(&format!("overflow-{domain}"), source, &options);
        let line = |id: &str| {
            let mut lines = report.lines();
            let found = lines.find(|line| line.contains(id));
            found.unwrap_or_else(|| panic!("no {id} in\n{report}"))
        };
        assert!(line("main.assert.1").ends_with(asserted), "{report}");
        let open = line("main.overflow.1");
        assert!(open.ends_with("UNKNOWN(invariant)"), "{report}");
    }
    // Where arithmetic wraps it is not true.
    let options = ["--check", "assert", "--overflow", "wraps"];
    let report = report("wraps", source, &options);
    assert!(report.contains("RESULT: unknown"), "{report}");
}

#[test]
fn a_domain_that_is_none_is_refused() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("domains-none.c");
    std::fs::write(&path, "int main(void) { return 0; }").expect("the program is written");
    let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
        .args(["verify", "--domain", "polyhedra"])
        .arg(&path)
        .output()
        .expect("selkie runs");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("octagon"), "{said}");
}
