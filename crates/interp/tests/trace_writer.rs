//! An execution as people see it.

mod common;

use common::read;
use interp::choices::List;
use interp::{Bindings, Config, TraceWriter};

const SOURCE: &str = "int main() {
    int n = sk_nondet_int();
    int s = sum(n);
    sk_assert(s < 40);
}
int sum(int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i;
    return s;
}
";

const PROGRAM: &str = r#"module raw ptr64
entry @start
place p0 "f.c":2:13 in "main"
place p1 "f.c":3:13 in "main"
place p2 "f.c":4:5 in "main"
place p3 "f.c":7:9 in "sum"
place p4 "f.c":8:14 in "sum"
place p5 "f.c":9:9 in "sum"
place p6 "f.c":10:5 in "sum"
var x0 "n" "int" signed 32 in "main"
var x1 "s" "int" signed 32 in "main"
var x2 "n" "int" signed 32 in "sum"
var x3 "s" "int" signed 32 in "sum"
var x4 "i" "int" signed 32 in "sum"
obligation o0 main.assert.1 "s < 40" at p2
fn @start() {
b0:
    call @main()
    return
}
fn @main() {
b0:
    v0 = nondet.i32 input !p0
    debug x0 value v0 !p0
    v1 = call @sum(v0) -> i32 !p1
    debug x1 value v1 !p1
    v2 = slt.i32 v1, 40 !p2
    check o0, v2 !p2
    return !p2
}
fn @sum(v0: i32) -> i32 {
b0:
    debug x2 value v0
    v1 = alloc.stack 4 var x3 !p3
    debug x3 address v1
    store.i32 v1, 0 !p3
    jump b1(0:i32) !p4
b1(v2: i32):
    debug x4 value v2 !p4
    v3 = slt.i32 v2, v0 !p4
    branch v3, b2, b3 !p4
b2:
    v4 = load.i32 v1 !p5
    v5 = add.i32 v4, v2 !p5
    store.i32 v1, v5 !p5
    v6 = add.i32 v2, 1 !p4
    jump b1(v6) !p4
b3:
    v7 = load.i32 v1 !p6
    return v7 !p6
}
"#;

fn check(input: u64, expected: &str) {
    let module = read(PROGRAM);
    let lines: Vec<&str> = SOURCE.lines().collect();
    let source = |file: &str, line: u32| {
        assert_eq!(file, "f.c");
        Some(lines[line as usize - 1].to_string())
    };
    let mut out = Vec::new();
    let mut writer = TraceWriter::new(&mut out, &source);
    let mut choices = List::new([base::Bv::from_u64(input, 32)]);
    let bindings = Bindings {
        observer: Some(&mut writer),
        ..Bindings::new(&mut choices)
    };
    interp::run(&module, &Config::default(), bindings);
    assert_eq!(String::from_utf8_lossy(&out), expected);
}

#[test]
fn a_short_run_is_shown_whole() {
    check(
        2,
        "f.c:2: int n = sk_nondet_int();  // input 2, n = 2
f.c:3: int s = sum(n);
  f.c:7: int s = 0;  // n = 2, s = 0
  f.c:8: for (int i = 0; i < n; i++)  // i = 0
  f.c:9: s += i;
  f.c:8: for (int i = 0; i < n; i++)  // i = 1
  f.c:9: s += i;  // s = 1
  f.c:8: for (int i = 0; i < n; i++)  // i = 2
  f.c:10: return s;
f.c:3: int s = sum(n);  // s = 1
f.c:4: sk_assert(s < 40);
returned
",
    );
}

#[test]
fn a_long_run_is_shown_at_both_ends() {
    check(
        10,
        "f.c:2: int n = sk_nondet_int();  // input 10, n = 10
f.c:3: int s = sum(n);
  f.c:7: int s = 0;  // n = 10, s = 0
  f.c:8: for (int i = 0; i < n; i++)  // i = 0
  f.c:9: s += i;
  f.c:8: for (int i = 0; i < n; i++)  // i = 1
  f.c:9: s += i;  // s = 1
  f.c:8: for (int i = 0; i < n; i++)  // i = 2
  f.c:9: s += i;  // s = 3
  … 7 more lines
  f.c:9: s += i;  // s = 21
  f.c:8: for (int i = 0; i < n; i++)  // i = 7
  f.c:9: s += i;  // s = 28
  f.c:8: for (int i = 0; i < n; i++)  // i = 8
  f.c:9: s += i;  // s = 36
  f.c:8: for (int i = 0; i < n; i++)  // i = 9
  f.c:9: s += i;  // s = 45
  f.c:8: for (int i = 0; i < n; i++)  // i = 10
  f.c:10: return s;
f.c:3: int s = sum(n);  // s = 45
f.c:4: sk_assert(s < 40);
f.c:4:5: [main.assert.1] s < 40: VIOLATED
45 < 40 does not hold
  in main at f.c:4:5: n = 10, s = 45
",
    );
}
