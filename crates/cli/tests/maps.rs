//! Finite maps: functions that are proved once for all their calls, whichever objects these see; and what must not be proved that way.
//!
//! Most functions call themselves so deep that no bound finds what is wrong: whatever is said of them then, it is not `true`.

mod common;

use std::path::Path;

use common::{selkie, verdict};

/// The last line of the report, and what is said on the way.
fn result(name: &str, source: &str, fmap: &str, timeout: &str) -> (String, String) {
    let options = [
        "--stats",
        "--engine",
        "chc",
        "--calls",
        "summary",
        "--fmap",
        fmap,
        "--timeout",
        timeout,
    ];
    let output = selkie("verify", &format!("maps-{name}"), source, &options);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (verdict(&output), said)
}

#[track_caller]
fn proved(name: &str, source: &str) {
    let (last, said) = result(name, source, "auto", "60");
    assert_eq!(last, "RESULT: true", "{name}: {said}");
}

#[track_caller]
fn violated(name: &str, source: &str) {
    let (last, said) = result(name, source, "auto", "60");
    assert_eq!(last, "RESULT: false(assert)", "{name}: {said}");
}

#[track_caller]
fn not_proved(name: &str, source: &str) {
    let (last, said) = result(name, source, "auto", "3");
    assert_ne!(last, "RESULT: true", "{name}: {said}");
}

/// The clauses of a program.
fn clauses(name: &str, source: &str, fmap: &str) -> String {
    let options = [
        "--emit", "--ints", "bv", "--calls", "summary", "--fmap", fmap,
    ];
    let output = selkie("horn", &format!("maps-{name}"), source, &options);
    String::from_utf8(output.stdout).expect("clauses are text")
}

/// The example that finite maps were invented for, with the calls deep enough that evaluating them in place is no answer.
const MOTIVATING: &str = "typedef struct S { int x; } S;
void init_x(S *s, unsigned n) { if (n) init_x(s, n - 1); else s->x = 0; }
int read_x(S *s, unsigned n) { return n ? read_x(s, n - 1) : s->x; }
int main(void) {
    S *p = malloc(sizeof(S)), *q = malloc(sizeof(S));
    p->x = 10;
    q->x = 20;
    init_x(p, sk_nondet_uint());
    sk_assert(read_x(q, sk_nondet_uint()) == 20);
    S *r = malloc(sizeof(S));
    r->x = 30;
    init_x(r, sk_nondet_uint());
    sk_assert(read_x(q, sk_nondet_uint()) == 20 && read_x(r, sk_nondet_uint()) == 0);
}";

#[test]
fn the_motivating_example_has_a_summary_without_quantifiers() {
    let (last, said) = result("motivating", MOTIVATING, "s5-a5", "60");
    assert_eq!(last, "RESULT: true", "{said}");
    not_proved(
        "motivating-late",
        &MOTIVATING.replace("s->x = 0", "s->x = 0; if (n == 3000000) s->x = 1"),
    );
    let text = clauses("motivating-clauses", MOTIVATING, "s5-a5");
    assert!(text.contains("declare-fun"), "{text}");
    assert!(
        !text.contains("Array") && !text.contains("forall ((i"),
        "{text}"
    );
}

/// Without maps there is no summary for calls that see different objects.
#[test]
fn objects_that_are_not_there_yet() {
    let (last, _) = result("whole", MOTIVATING, "off", "3");
    assert_ne!(last, "RESULT: true");
}

#[test]
fn one_object_by_two_names() {
    let source = "struct s { int x; };
void set(struct s *a, struct s *b, unsigned n) {
    if (n) { set(a, b, n - 1); return; }
    a->x = 1;
    b->x = 2;
}
int main(void) {
    struct s p = { 0 }, q = { 0 };
    set(&p, &p, sk_nondet_uint());
    sk_assert(p.x == 2 && q.x == 0);
    set(&p, &q, sk_nondet_uint());
    sk_assert(p.x == 1 && q.x == 2);
}";
    proved("aliases", source);
    not_proved(
        "aliases-late",
        &source.replace("p.x == 2 &&", "p.x == 1 &&"),
    );
    // Which of them it is depends.
    let source = "struct s { int x; };
void set(struct s *a, struct s *b, unsigned n) {
    if (n) { set(a, b, n - 1); return; }
    a->x = 1;
    b->x = 2;
}
int main(void) {
    struct s p = { 0 }, q = { 0 };
    struct s *r = sk_nondet_bool() ? &p : &q;
    set(&p, r, sk_nondet_uint());
    sk_assert(r->x == 2 && (r == &p || p.x == 1));
}";
    proved("perhaps-aliases", source);
    not_proved("perhaps-aliases-late", &source.replace("(r == &p ||", "("));
}

#[test]
fn a_pointer_on_the_way_is_overwritten() {
    let source = "struct n { struct n *next; int v; };
void f(struct n *p, struct n *q, unsigned n) {
    if (n) { f(p, q, n - 1); return; }
    p->next->v = 5;
    p->next = q;
    p->next->v = 1;
}
int main(void) {
    struct n a = { 0 }, b = { 0 }, c = { 0 };
    a.next = &b;
    f(&a, &c, sk_nondet_uint());
    sk_assert(a.next == &c && c.v == 1 && b.v == 5 && a.v == 0);
}";
    proved("overwritten", source);
    for wrong in ["a.next == &b", "b.v == 1", "c.v == 5"] {
        let other = match wrong {
            "a.next == &b" => "a.next == &c",
            "b.v == 1" => "b.v == 5",
            _ => "c.v == 1", // The other one.
        };
        not_proved(
            &format!("overwritten-{}", other.len() + wrong.len()),
            &source.replace(other, wrong),
        );
    }
}

#[test]
fn what_is_freed_or_made_in_a_callee() {
    not_proved(
        "frees",
        "struct s { int x; };
void f(struct s *p, unsigned n) { if (n) f(p, n - 1); else free(p); }
int main(void) {
    struct s *p = malloc(sizeof *p);
    p->x = 1;
    f(p, sk_nondet_uint());
    sk_assert(p->x == 1);
}",
    );
    not_proved(
        "makes",
        "struct s { struct s *next; int x; };
void f(struct s *p, unsigned n) {
    if (n) { f(p, n - 1); return; }
    p->next = malloc(sizeof *p);
    p->next->x = n == 0;
}
int main(void) {
    struct s p = { 0 };
    f(&p, sk_nondet_uint());
    sk_assert(p.next->x == 0);
}",
    );
}

#[test]
fn a_variable_by_its_name_and_by_a_pointer() {
    let source = "int g, h;
int f(int *p, unsigned n) {
    if (n) return f(p, n - 1);
    g = 1;
    *p = 2;
    return p == &g;
}
int main(void) {
    int r = f(&g, sk_nondet_uint());
    sk_assert(r && g == 2);
    r = f(&h, sk_nondet_uint());
    sk_assert(!r && g == 1 && h == 2);
}";
    proved("by-name", source);
    not_proved(
        "by-name-late",
        &source.replace("r && g == 2", "r && g == 1"),
    );
    not_proved("by-name-other", &source.replace("!r && g", "r && g"));
}

/// Each activation hands a variable of its own to the next one.
#[test]
fn variables_of_activations_are_handed_down() {
    let source = "void f(unsigned n, unsigned *out) {
    unsigned t = 0;
    if (n == 0) { *out = 0; return; }
    f(n - 1, &t);
    *out = t + 1;
}
int main(void) {
    unsigned n = sk_nondet_uint(), r;
    f(n, &r);
    sk_assert(r == n);
}";
    proved("handed", source);
    not_proved(
        "handed-late",
        &source.replace("t + 1", "t + 1 + (n == 3000000)"),
    );
}

#[test]
fn pointers_that_change_places() {
    let source = "struct s { int *a, *b; };
void swap(struct s *p, unsigned n) {
    if (n) { swap(p, n - 1); return; }
    int *t = p->a;
    p->a = p->b;
    p->b = t;
    *t = 7;
}
int main(void) {
    int x = 1, y = 2;
    struct s s = { &x, &y }, t = { &y, &y };
    swap(&s, sk_nondet_uint());
    sk_assert(s.a == &y && s.b == &x && x == 7 && y == 2);
    swap(&t, sk_nondet_uint());
    sk_assert(t.a == &y && t.b == &y && y == 7 && x == 7);
}";
    proved("swap", source);
    not_proved(
        "swap-late",
        &source.replace("x == 7 && y == 2", "x == 7 && y == 7"),
    );
}

#[test]
fn null_is_no_name() {
    let source = "int get(int *p, unsigned n) { return n ? get(p, n - 1) : p ? *p : -1; }
int main(void) {
    int x = 4, y = 5;
    int *p = sk_nondet_bool() ? &x : 0;
    int r = get(p, sk_nondet_uint());
    sk_assert(p ? r == 4 : r == -1);
    sk_assert(get(&y, sk_nondet_uint()) == 5);
}";
    proved("null", source);
    not_proved("null-late", &source.replace("r == -1", "r == 4"));
}

/// What lies behind a window is there all the same.
#[test]
fn the_middle_of_an_object() {
    let source = "void set(int *p, int v, unsigned n) { if (n) set(p, v, n - 1); else *p = v; }
int main(void) {
    int a[4] = { 0 }, b;
    set(a + 1, 7, sk_nondet_uint());
    set(a + 3, 8, sk_nondet_uint());
    set(&b, 9, sk_nondet_uint());
    sk_assert(a[0] == 0 && a[1] == 7 && a[2] == 0 && a[3] == 8 && b == 9);
}";
    proved("middle", source);
    not_proved("middle-late", &source.replace("a[2] == 0", "a[2] == 7"));
}

/// A map that would be larger than it may be: the function is evaluated in place, or nothing is said.
#[test]
fn maps_have_sizes() {
    let source = "struct s { int a, b, c; };
void f(struct s *p, unsigned n) { if (n) { f(p, n - 1); return; } p->a = 1; p->b = 2; p->c = 3; }
int main(void) {
    struct s x = { 0 }, y = { 0 };
    f(&x, sk_nondet_uint());
    struct s *z = malloc(sizeof *z);
    f(z, sk_nondet_uint());
    sk_assert(x.a == 1 && z->b == 2 && y.c == 0);
}";
    let (last, said) = result("sized", source, "s3-a1", "60");
    assert_eq!(last, "RESULT: true", "{said}");
    let (last, _) = result("too-small", source, "s2-a1", "3");
    assert_ne!(last, "RESULT: true");
}

#[test]
fn what_is_wrong_nearby_is_replayed() {
    let source = "struct s { int x; };
void f(struct s *p, unsigned n) { if (n > 2) return; if (n) f(p, n - 1); p->x++; }
int main(void) {
    struct s a = { 0 }, b = { 0 };
    f(&a, sk_nondet_uint());
    f(&b, 1);
    sk_assert(a.x < 3 && b.x == 2);
}";
    violated("nearby", source);
    proved("nearby-not", &source.replace("a.x < 3", "a.x < 4"));
}

/// More objects, callees and depth from one to the next: maps suffice for all of them, whole objects for two at most.
#[test]
fn six_small_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/maps");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("there is a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    assert_eq!(files.len(), 6);
    let mut by_whole_objects = 0;
    for file in &files {
        let name = file.file_stem().expect("a name").to_string_lossy();
        let source = std::fs::read_to_string(file).expect("a program");
        let (last, said) = result(&name, &source, "auto", "60");
        assert_eq!(last, "RESULT: true", "{name}: {said}");
        let maps = said.lines().find(|line| line.starts_with("summaries: "));
        let maps = maps.unwrap_or_else(|| panic!("{name}: {said}"));
        assert!(!maps.contains(" 0 with finite maps"), "{name}: {maps}");
        let (last, _) = result(&name, &source, "off", "3");
        by_whole_objects += usize::from(last == "RESULT: true");
    }
    assert!(by_whole_objects <= 2, "{by_whole_objects}");
}
