//! `--entry f`: a function whose caller nobody knows, without a harness.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const LIBRARY: &str = "#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <selkie.h>

struct node { struct node *next; int key; const char *name; };
struct buffer { char *data; unsigned len; };
static int counter;
static int table[4] = {1, 2, 3, 4};
int level = 3;
const int step = 7;
extern void unknown(void);

int sum(const int *a, size_t n) {
    int s = 0;
    for (size_t i = 0; i < n; i++)
        s ^= a[i];
    return s;
}
int too_far(const int *a, size_t n) {
    int s = 0;
    for (size_t i = 0; i <= n; i++)
        s ^= a[i];
    return s;
}
void four(int *p) { p[3] = 0; }
void copy(void *to, const void *from) { memcpy(to, from, 16); }
size_t length(const char *s) { return strlen(s); }
int first(const char *s) { return s[0]; }
int last(struct buffer *b) { return b->len ? b->data[b->len - 1] : 0; }
int by_value(struct buffer b) { return b.data[0]; }
int key(struct node *l) { return l->next->key ^ l->next->next->key; }
int lookup(unsigned i) { return table[i & 3]; }
int divide(void) { return 10 / level; }
int constant(void) { return 10 / step; }
int count(void) {
    sk_assert(counter >= 0);
    return ++counter;
}
int call(int (*f)(int), int *p) {
    *p = 1;
    int got = f(2);
    sk_assert(*p == 1);
    return got;
}
void apart(int *p, int *q) {
    *p = 1;
    *q = 2;
    sk_assert(*p == 1);
}
void seen(int *p) {
    *p = 1;
    unknown();
    sk_assert(*p == 1);
}
int not_null(int *p) {
    sk_assert(p != 0);
    return p ? *p : 0;
}
void drop(char *p) { free(p); }
int contents(const int *p) {
    sk_assert(*p != 12345);
    return *p;
}
int value(int x) {
    sk_assert(x < 1000);
    return x;
}
int twice(volatile int *p) {
    int a = *p, b = *p;
    sk_assert(a == b);
    return a;
}
int own(void) {
    volatile int x = 1;
    sk_assert(x == 1);
    return x;
}
static int *cache, store;
void init(void) { cache = &store; }
int uncached(int i) { return cache ? 0 : 10 / i; }
int cached(void) { return *cache; }
void (*hook)(void);
void set(void (*f)(void)) { hook = f; }
void hooked(void) { hook(); }
union any { int a; float b; int *p; char c[8]; };
struct tagged { int tag; union any u; };
int in_a_register(union any u) {
    sk_assert(u.a != 7);
    return 0;
}
int in_memory(struct tagged *t) {
    if (t->tag == 0) sk_assert(t->u.a != 7);
    return t->tag == 1 ? *t->u.p : 0;
}
int inside_too_far(struct buffer *b) {
    int s = 0;
    for (unsigned i = 0; i <= b->len; i++)
        s ^= b->data[i];
    return s;
}
int all(int n, ...) {
    __builtin_va_list list;
    int s = 0;
    __builtin_va_start(list, n);
    while (n-- > 0) s ^= __builtin_va_arg(list, int);
    __builtin_va_end(list);
    return s;
}
static int numbers[2] = {1, 2};
static int *const way = (int[]){3, 4};
void write_there(int x) { way[1] = x; numbers[0] = x; }
int unnamed(void) {
    sk_assert(way[1] == 4);
    return way[0];
}
int reads_errno(void) {
    sk_assert(errno == 0);
    return errno;
}
int draws(void) {
    int a = rand();
    srand(1);
    sk_assert(a == rand());
    return a;
}
int starts_again(void) {
    srand(7);
    int a = rand();
    srand(7);
    sk_assert(a == rand());
    return a;
}
int smallest(const int *a) {
    sk_assert(sk_object_size(a) >= 4 && sk_object_offset(a) == 0);
    sk_assert(sk_object_size(a) != 400);
    return a[0];
}
";

fn file() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("entry-library.c");
        std::fs::write(&file, LIBRARY).expect("the library is written");
        file
    })
}

fn selkie(command: &str, options: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_selkie"))
        .arg(command)
        .args(options)
        .arg(file())
        .output()
        .expect("selkie runs")
}

#[track_caller]
fn verify(entry: &str, options: &[&str], verdict: &str) -> String {
    let options = [&["-v", "--entry", entry], options].concat();
    let output = selkie("verify", &options);
    let text = String::from_utf8(output.stdout).expect("the report is text");
    let errors = String::from_utf8_lossy(&output.stderr);
    let said = format!("RESULT: {verdict}\n");
    assert!(text.ends_with(&said), "{entry}: {text}{errors}");
    text
}

#[test]
fn what_holds_for_every_caller_is_proved() {
    for entry in [
        "first", "by_value", "lookup", "constant", "apart", "not_null",
    ] {
        verify(entry, &["--check", "all"], "true");
    }
    verify("first", &["--data-model", "ILP32"], "true");
}

#[test]
fn what_an_object_is_too_small_for_is_a_missing_precondition() {
    for (entry, rule) in [
        ("sum", "a: n elements"),
        ("four", "p: 4 elements"),
        ("length", "s: string"),
        ("last", "b->data: b->len elements"),
        ("drop", "p: heap"),
        ("key", "depth: 3"),
    ] {
        let text = verify(entry, &[], "unknown(precondition)");
        let status = format!("UNKNOWN(precondition: {rule})");
        assert!(text.contains(&status), "{text}");
        assert!(text.contains(&format!("--param '{rule}'")), "{text}");
        // It is what it says it is.
        verify(entry, &["--param", rule], "true");
    }
    let text = verify("copy", &[], "unknown(precondition)");
    for rule in ["to: 16 bytes", "from: 16 bytes"] {
        assert!(text.contains(&format!("--param '{rule}'")), "{text}");
    }
    let both = ["--param", "to: 16 bytes", "--param", "from: 16 bytes"];
    verify("copy", &both, "true");
    let less = ["--param", "to: 16 bytes", "--param", "from: 15 bytes"];
    verify("copy", &less, "false(valid-deref)");
}

#[test]
fn what_no_size_helps_against_is_violated() {
    let text = verify("too_far", &[], "false(valid-deref)");
    assert!(text.contains("`*a`"), "{text}");
    verify(
        "too_far",
        &["--param", "a: n elements"],
        "false(valid-deref)",
    );
    let text = selkie("verify", &["--entry", "inside_too_far"]);
    let text = String::from_utf8(text.stdout).expect("the report is text");
    assert!(!text.contains("precondition"), "{text}");
    verify("contents", &[], "false(assert)");
    verify("value", &[], "false(assert)");
    // Both sizes exist: the smallest, and others.
    let text = verify("smallest", &[], "false(assert)");
    let first = text
        .lines()
        .find(|line| line.contains("[smallest.assert.1]"));
    assert!(
        first.is_some_and(|line| line.ends_with(": PROVED")),
        "{text}"
    );
}

#[test]
fn globals_hold_anything_unless_nothing_writes_them() {
    verify("divide", &[], "false(no-div-by-zero)");
    verify("divide", &["--param", "globals: initial"], "true");
    verify("count", &["--check", "assert"], "false(assert)");
    verify(
        "count",
        &["--check", "assert", "--param", "globals: initial"],
        "true",
    );
}

/// No debug information tells the type of a compound literal, nor anything in bitcode that was made without `-g`.
#[test]
fn globals_that_nobody_describes_hold_anything_too() {
    verify("unnamed", &["--check", "assert"], "false(assert)");
    verify(
        "unnamed",
        &["--check", "assert", "--param", "globals: initial"],
        "true",
    );
    let text = "@level = global i32 3
@hidden = internal global i32 4
@fixed = internal global i32 5
@way = global { i32, ptr } { i32 1, ptr @level }
declare void @sk_assert(i32)
define void @set(i32 %x) {
  store i32 %x, ptr @hidden
  ret void
}
define void @asks(i32 %n, i32 %wanted) {
  %same = icmp eq i32 %n, %wanted
  %claim = zext i1 %same to i32
  call void @sk_assert(i32 %claim)
  ret void
}
define void @visible() {
  %n = load i32, ptr @level
  call void @asks(i32 %n, i32 3)
  ret void
}
define void @written() {
  %n = load i32, ptr @hidden
  call void @asks(i32 %n, i32 4)
  ret void
}
define void @constant() {
  %n = load i32, ptr @fixed
  call void @asks(i32 %n, i32 5)
  ret void
}
define void @leads() {
  %at = getelementptr i8, ptr @way, i64 8
  %p = load ptr, ptr %at
  %none = icmp eq ptr %p, null
  br i1 %none, label %end, label %go
go:
  store i32 8, ptr %p
  %n = load i32, ptr %p
  call void @asks(i32 %n, i32 8)
  br label %end
end:
  ret void
}
";
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("entry-plain.ll");
    std::fs::write(&file, text).expect("the program is written");
    for (entry, verdict) in [
        ("visible", "false(assert)"),
        ("written", "false(assert)"),
        ("constant", "true"),
        ("leads", "unknown(precondition)"),
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_selkie"))
            .args(["verify", "--entry", entry])
            .arg(&file)
            .output()
            .expect("selkie runs");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(
            text.ends_with(&format!("RESULT: {verdict}\n")),
            "{entry}: {text}"
        );
    }
}

#[test]
fn callers_have_called_the_library_before() {
    verify("reads_errno", &[], "false(assert)");
    verify("reads_errno", &["--param", "globals: initial"], "true");
    // What the library keeps is known roughly only.
    verify("draws", &[], "unknown(unsupported)");
    verify("draws", &["--param", "globals: initial"], "true");
    verify("starts_again", &[], "true");
}

#[test]
fn pointers_in_globals_may_be_null() {
    verify("uncached", &[], "false(no-div-by-zero)");
    verify("uncached", &["--param", "cache: not null"], "true");
    for (entry, rule) in [("cached", "cache: not null"), ("hooked", "hook: not null")] {
        let text = verify(entry, &[], "unknown(precondition)");
        assert!(text.contains(&format!("--param '{rule}'")), "{text}");
        verify(entry, &["--param", rule], "true");
    }
}

#[test]
fn what_callers_have_is_volatile_for_them_too() {
    verify("twice", &[], "false(assert)");
    verify("twice", &["--volatile", "last"], "true");
    verify("own", &[], "true");
}

#[test]
fn unions_hold_other_members() {
    verify("in_a_register", &[], "false(assert)");
    let text = verify("in_memory", &["--check", "assert"], "false(assert)");
    assert!(text.contains("[in_memory.assert.1]"), "{text}");
}

#[test]
fn unknown_code_has_the_objects_too() {
    verify("call", &[], "false(assert)");
    verify("seen", &[], "false(assert)");
    verify("seen", &["--extern", "pure"], "true");
}

#[test]
fn rules_weaken_too() {
    verify("first", &["--param", "s: nullable"], "false(valid-deref)");
    verify("not_null", &["--param", "p: nullable"], "false(assert)");
    verify("apart", &["--param", "q: may alias p"], "false(assert)");
    verify("length", &["--param", "s: string, 8 bytes"], "true");
    verify(
        "length",
        &["--param", "s: nullable, string"],
        "false(valid-deref)",
    );
}

#[test]
fn every_assumption_is_in_the_ledger() {
    let text = verify(
        "last",
        &["--param", "b->data: nullable, b->len elements"],
        "false(valid-deref)",
    );
    for line in [
        "`b` points to the start of an object of its own: 1 `struct buffer`",
        "`b->data` is null, or `b->data` points to the start of an object of its own: `b->len` `char`",
        "`b->len` is from 0 to 2147483648",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let text = verify("call", &[], "false(assert)");
    assert!(text.contains("`f` points to unknown code"), "{text}");
}

#[test]
fn a_function_is_run_with_chosen_arguments() {
    let output = selkie("run", &["--entry", "apart", "--seed", "1"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = selkie("run", &["--entry", "four"]);
    assert_eq!(output.status.code(), Some(10), "{output:?}");
}

#[test]
fn rules_that_fit_nothing_are_refused() {
    for (options, why) in [
        (
            &["--entry", "first", "--param", "t: string"][..],
            "there are s",
        ),
        (&["--entry", "all"], "further arguments"),
        (
            &["--entry", "four", "--param", "p: string"],
            "does not point to characters",
        ),
        (
            &["--entry", "sum", "--param", "a: m elements"],
            "there are n",
        ),
        (
            &["--entry", "apart", "--param", "p: may alias r"],
            "no pointer `r`",
        ),
        (&["--entry", "first", "--param", "s"], "NAME: WORDS"),
        (
            &["--entry", "first", "--param", "s: 99999999999 bytes"],
            "at most",
        ),
        (
            &["--entry", "first", "--param", "s: string, 0 bytes"],
            "at least one",
        ),
        (&["--param", "s: string"], "--entry"),
    ] {
        let output = selkie("verify", options);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{options:?}: {errors}");
        assert!(errors.contains(why), "{options:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}
