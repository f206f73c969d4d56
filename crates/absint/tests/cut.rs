//! Loops that are cut: what holds after every number of rounds is proved, and what fails only after several is not.
//!
//! Each program stands beside one that differs in a word and is violated in a later round, through whatever a loop can
//! carry on: numbers, cells, arrays, pointers, an inner loop.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use absint::engine::{self, Effort};
use results::engine::Silence;
use results::{Sink, Status};

fn options() -> bmc::Options {
    bmc::Options {
        solver: "bitwuzla".to_owned(),
        second: None,
        unwind: None,
        unwind_loops: Default::default(),
        depth: None,
        deadline: Some(Instant::now() + Duration::from_secs(20)),
        patience: None,
        memory: None,
        violations: bmc::Violations::Each,
        vacuity: false,
        induction: false,
        count_rules: false,
        continue_after_failure: false,
        monitors: BTreeSet::new(),
        accesses_checked: true,
        style: bmc::Style::Eval,
        encoding: Default::default(),
        cone: bmc::Cone::Used,
        rewriting: terms::Level::Full,
    }
}

/// Are all obligations proved?
fn is_proved(body: &str) -> bool {
    let text =
        format!("module pure ptr64\nentry @start\nobligation o0 main.assert.1 \"claim\"\n{body}");
    let module = ir::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(complaints) = ir::wellformed::check(&module) {
        panic!("{}\n{text}", ir::wellformed::explain(&complaints));
    }
    let silence: Arc<dyn Sink> = Arc::new(Silence);
    let outcome = engine::check(&module, &options(), Effort::Full, &silence)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(outcome.violations.is_empty(), "this engine claims nothing");
    let proved = |status: &Status| matches!(status, Status::Proved | Status::Unreachable);
    outcome.statuses.values().all(proved) && outcome.reason.is_none()
}

/// The first is proved; each of the others, with a word replaced, is not.
fn only_the_first(body: &str, replaced: &[(&str, &str)]) {
    assert!(is_proved(body), "not proved:\n{body}");
    for (word, by) in replaced {
        assert!(body.contains(word), "no `{word}` in\n{body}");
        let other = body.replacen(word, by, 1);
        assert!(!is_proved(&other), "proved:\n{other}");
    }
}

#[test]
fn numbers() {
    only_the_first(
        "fn @start() {
b0:
    jump b1(0:i32)
b1(v0: i32):
    v1 = ule.i32 v0, 100
    check o0, v1
    v2 = nondet.i1 input
    branch v2, b2, b3
b2:
    v3 = eq.i32 v0, 100
    v4 = add.i32 v0, 1
    v5 = select.i32 v3, 0, v4
    jump b1(v5)
b3:
    return
}
",
        &[
            ("eq.i32 v0, 100", "eq.i32 v0, 101"),
            ("select.i32 v3, 0", "select.i32 v3, 500"),
        ],
    );
}

#[test]
fn cells_of_globals() {
    only_the_first(
        "global @g size 4 align 4 = zero 4
fn @start(v0: mem r0) {
region r0 globals @g
b0:
    jump b1(v0)
b1(v1: mem r0):
    v2 = load.i32 @g align 4 in v1
    v3 = ule.i32 v2, 3
    check o0, v3
    v4 = eq.i32 v2, 3
    v5 = add.i32 v2, 1
    v6 = select.i32 v4, 0, v5
    v7 = store.i32 @g, v6 align 4 in v1
    v8 = nondet.i1 input
    branch v8, b1(v7), b2
b2:
    return
}
",
        &[
            ("select.i32 v4, 0, v5", "add.i32 v2, 1"),
            ("eq.i32 v2, 3", "eq.i32 v2, 4"),
        ],
    );
}

#[test]
fn elements_at_unknown_offsets() {
    // Nothing is claimed of the elements: they may be anything after the first round.
    only_the_first(
        "global @a size 16 align 4 = zero 16
fn @start(v0: mem r0) {
region r0 globals @a
b0:
    jump b1(v0)
b1(v1: mem r0):
    v2 = load.i32 @a align 4 in v1
    v3 = ule.i32 v2, -1
    check o0, v3
    v4 = nondet.i64 input
    v5 = urem.i64 v4, 4
    v6 = mul.i64 v5, 4
    v7 = offset @a, v6
    v8 = store.i32 v7, 7 align 4 in v1
    v9 = nondet.i1 input
    branch v9, b1(v8), b2
b2:
    return
}
",
        &[("ule.i32 v2, -1", "ule.i32 v2, 6")],
    );
}

#[test]
fn pointers_that_move() {
    only_the_first(
        "fn @start() {
region r0 local
b0:
    v0 = new_region r0
    v1, v2 = alloc.stack 16 align 4 in v0
    jump b1(v1, v2, 0:i32)
b1(v3: ptr, v4: mem r0, v5: i32):
    v6 = is_deref.write v3, 4 in v4
    check o0, v6
    v7 = store.i32 v3, 1 align 4 in v4
    v8 = eq.i32 v5, 3
    v9 = offset v3, 4
    v10 = add.i32 v5, 1
    branch v8, b2, b1(v9, v7, v10)
b2:
    return
}
",
        &[
            ("eq.i32 v5, 3", "eq.i32 v5, 4"),
            ("alloc.stack 16", "alloc.stack 12"),
        ],
    );
}

#[test]
fn loops_in_loops() {
    only_the_first(
        "fn @start() {
b0:
    jump b1(0:i32)
b1(v0: i32):
    v1 = ule.i32 v0, 60
    check o0, v1
    jump b2(v0)
b2(v2: i32):
    v3 = ult.i32 v2, 60
    v4 = nondet.i1 input
    v5 = and.i1 v3, v4
    branch v5, b3, b4
b3:
    v6 = add.i32 v2, 1
    jump b2(v6)
b4:
    v7 = nondet.i1 input
    branch v7, b1(v2), b5
b5:
    return
}
",
        &[("ult.i32 v2, 60", "ult.i32 v2, 61")],
    );
}

#[test]
fn what_a_round_keeps_must_hold_at_first() {
    // That the first is at most the second outlives every round, whether it was so at the beginning or not.
    only_the_first(
        "fn @start() {
b0:
    v0 = nondet.i32 input
    v1 = nondet.i32 input
    v2 = or.i32 v0, v1
    jump b1(v0, v2)
b1(v3: i32, v4: i32):
    v5 = ule.i32 v3, v4
    check o0, v5
    v6 = lshr.i32 v3, 1
    v7 = lshr.i32 v4, 1
    v8 = nondet.i1 input
    branch v8, b1(v6, v7), b2
b2:
    return
}
",
        &[("or.i32", "and.i32")],
    );
}
