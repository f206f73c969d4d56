//! Loops that are cut: what holds after every number of rounds is proved, and what fails only after several is not.
//!
//! Each program stands beside one that differs in a word and is violated in a later round, through whatever a loop can
//! carry on: numbers, cells, arrays, pointers, an inner loop.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use absint::choice::Choice;
use absint::engine::{self, Effort};
use results::engine::Silence;
use results::{Sink, Status};

fn options() -> bmc::Options {
    bmc::Options {
        solver: "bitwuzla".to_owned(),
        second: None,
        unwind: None,
        deepest: None,
        unwind_loops: Default::default(),
        depth: None,
        deadline: Some(Instant::now() + Duration::from_secs(20)),
        patience: None,
        memory: None,
        violations: bmc::Violations::Each,
        vacuity: false,
        induction: false,
        inventor: None,
        count_rules: false,
        calls: bmc::Calls::Inline,
        maps: None,
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
fn is_proved(body: &str, effort: Effort) -> bool {
    let text =
        format!("module pure ptr64\nentry @start\nobligation o0 main.assert.1 \"claim\"\n{body}");
    let module = ir::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(complaints) = ir::wellformed::check(&module) {
        panic!("{}\n{text}", ir::wellformed::explain(&complaints));
    }
    let silence: Arc<dyn Sink> = Arc::new(Silence);
    let mut options = options();
    if effort == Effort::Quick {
        // Nothing is unrolled: the deadline is there for a busy machine only.
        options.deadline = Some(Instant::now() + Duration::from_secs(60));
    }
    let outcome = engine::check(&module, &options, effort, &Choice::default(), &silence)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert!(outcome.violations.is_empty(), "this engine claims nothing");
    let proved = |status: &Status| matches!(status, Status::Proved | Status::Unreachable);
    outcome.statuses.values().all(proved) && outcome.reason.is_none()
}

/// The first is proved; each of the others, with a word replaced, is not.
fn only_the_first(body: &str, replaced: &[(&str, &str)]) {
    only_the_first_with(Effort::Full, body, replaced);
}

fn only_the_first_with(effort: Effort, body: &str, replaced: &[(&str, &str)]) {
    assert!(is_proved(body, effort), "not proved:\n{body}");
    for (word, by) in replaced {
        assert!(body.contains(word), "no `{word}` in\n{body}");
        let other = body.replacen(word, by, 1);
        assert!(!is_proved(&other, effort), "proved:\n{other}");
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

#[test]
fn elements_behind_a_loop() {
    // Written in one loop, looked at in another one.
    only_the_first_with(
        Effort::Quick,
        "global @a size 4000 align 4 = zero 4000
fn @start(v0: mem r0) {
region r0 globals @a
b0:
    jump b1(0:i64, v0)
b1(v1: i64, v2: mem r0):
    v3 = slt.i64 v1, 1000
    branch v3, b2, b3
b2:
    v4 = mul.i64 v1, 4
    v5 = offset @a, v4
    v6 = store.i32 v5, 7 align 4 in v2
    v7 = add.i64 v1, 1
    jump b1(v7, v6)
b3:
    jump b4(0:i64)
b4(v8: i64):
    v9 = slt.i64 v8, 1000
    branch v9, b5, b6
b5:
    v10 = mul.i64 v8, 4
    v11 = offset @a, v10
    v12 = load.i32 v11 align 4 in v2
    v13 = eq.i32 v12, 7
    check o0, v13
    v14 = add.i64 v8, 1
    jump b4(v14)
b6:
    return
}
",
        &[
            // The last element is left out; one is skipped; another one is written; not all of what is read was written.
            ("slt.i64 v1, 1000", "slt.i64 v1, 999"),
            ("jump b1(0:i64, v0)", "jump b1(1:i64, v0)"),
            ("add.i64 v1, 1", "add.i64 v1, 2"),
            ("eq.i32 v12, 7", "eq.i32 v12, 8"),
            ("jump b4(0:i64)", "jump b4(-1:i64)"),
        ],
    );
}

#[test]
fn elements_that_are_written_again() {
    // The second loop counts down and writes to what it has not yet looked at, or already has.
    only_the_first_with(
        Effort::Quick,
        "fn @start() {
region r0 local
b0:
    v0 = new_region r0
    v1, v2 = alloc.stack 800 align 4 in v0
    jump b1(0:i64, v2)
b1(v3: i64, v4: mem r0):
    v5 = slt.i64 v3, 200
    branch v5, b2, b3
b2:
    v6 = mul.i64 v3, 4
    v7 = offset v1, v6
    v8 = store.i32 v7, 3 align 4 in v4
    v9 = add.i64 v3, 1
    jump b1(v9, v8)
b3:
    jump b4(199:i64, v4)
b4(v10: i64, v11: mem r0):
    v12 = sle.i64 0, v10
    branch v12, b5, b6
b5:
    v13 = mul.i64 v10, 4
    v14 = offset v1, v13
    v15 = load.i32 v14 align 4 in v11
    v16 = eq.i32 v15, 3
    check o0, v16
    v17 = store.i32 v14, 5 align 4 in v11
    v18 = add.i64 v10, -1
    jump b4(v18, v17)
b6:
    return
}
",
        &[
            (
                "store.i32 v14, 5 align 4 in v11",
                "store.i32 v1, 5 align 4 in v11",
            ),
            ("jump b4(199:i64, v4)", "jump b4(200:i64, v4)"),
        ],
    );
}

#[test]
fn the_greatest_so_far_and_flags() {
    only_the_first_with(
        Effort::Quick,
        "fn @start() {
region r0 local
b0:
    v20 = new_region r0
    v21, v0 = alloc.stack 400000 align 4 in v20
    v1 = load.i32 v21 align 4 in v0
    jump b1(1:i64, v1)
b1(v2: i64, v3: i32):
    v4 = slt.i64 v2, 100000
    branch v4, b2, b3
b2:
    v5 = mul.i64 v2, 4
    v6 = offset v21, v5
    v7 = load.i32 v6 align 4 in v0
    v8 = slt.i32 v3, v7
    v9 = select.i32 v8, v7, v3
    v10 = add.i64 v2, 1
    jump b1(v10, v9)
b3:
    jump b4(0:i64)
b4(v11: i64):
    v12 = slt.i64 v11, 100000
    branch v12, b5, b6
b5:
    v13 = mul.i64 v11, 4
    v14 = offset v21, v13
    v15 = load.i32 v14 align 4 in v0
    v16 = sle.i32 v15, v3
    check o0, v16
    v17 = add.i64 v11, 1
    jump b4(v17)
b6:
    return
}
",
        &[
            ("select.i32 v8, v7, v3", "select.i32 v8, v3, v7"),
            ("slt.i64 v2, 100000", "slt.i64 v2, 99998"),
            ("jump b1(1:i64, v1)", "jump b1(2:i64, v1)"),
        ],
    );
    only_the_first_with(
        Effort::Quick,
        "fn @start() {
region r0 local
region r1 local
b0:
    v40 = new_region r0
    v41 = new_region r1
    v42, v0 = alloc.stack 400000 align 4 in v40
    v43, v20 = alloc.stack 400000 align 4 in v41
    jump b1(0:i64, 1:i32)
b1(v2: i64, v3: i32):
    v4 = slt.i64 v2, 100000
    branch v4, b2, b3
b2:
    v5 = mul.i64 v2, 4
    v6 = offset v42, v5
    v7 = load.i32 v6 align 4 in v0
    v21 = mul.i64 v2, 4
    v22 = offset v43, v21
    v23 = load.i32 v22 align 4 in v20
    v8 = eq.i32 v7, v23
    v9 = select.i32 v8, v3, 0
    v10 = add.i64 v2, 1
    jump b1(v10, v9)
b3:
    v30 = eq.i32 v3, 0
    branch v30, b6, b4(0:i64)
b4(v11: i64):
    v12 = slt.i64 v11, 100000
    branch v12, b5, b6
b5:
    v13 = mul.i64 v11, 4
    v14 = offset v42, v13
    v15 = load.i32 v14 align 4 in v0
    v24 = offset v43, v13
    v25 = load.i32 v24 align 4 in v20
    v16 = eq.i32 v15, v25
    check o0, v16
    v17 = add.i64 v11, 1
    jump b4(v17)
b6:
    return
}
",
        &[
            ("select.i32 v8, v3, 0", "select.i32 v8, 1, 0"),
            ("eq.i32 v3, 0", "eq.i32 v3, 1"),
        ],
    );
}

#[test]
fn writes_inside_of_objects_only() {
    // If the text asks for memory of no object, writes may go there, and nothing says what is there after a round.
    only_the_first_with(
        Effort::Quick,
        "fn @start(v0: mem r0) {
region r0 unknown
b0:
    v1, v2 = alloc.heap 4000 align 4 in v0
    jump b1(v2)
b1(v3: mem r0):
    v4 = nondet.i64 input
    v5 = urem.i64 v4, 1000
    v6 = mul.i64 v5, 4
    v7 = offset v1, v6
    v8 = nondet.i1 input
    v9 = select.ptr v8, v7, v1
    v10 = is_deref.write v9, 4 in v3
    check o0, v10
    v11 = store.i32 v9, 1 align 4 in v3
    v12 = nondet.i1 input
    branch v12, b1(v11), b2
b2:
    return
}
",
        &[
            (
                "is_deref.write v9, 4 in v3\n",
                "is_deref.change v9, 4 in v3\n",
            ),
            ("v4, 1000", "v4, 1001"),
        ],
    );
}

/// A loop, then something that can make a pointer of a number; the object at v1 must still hold 0.
fn with_look(round: &str, look: &str) -> String {
    format!(
        "fn @start() {{
region r0 local
b0:
    v0 = new_region r0
    v1, v2 = alloc.stack 16 align 8 in v0
    v3 = store.i64 v1, 0 align 8 in v2
    jump b1(0:i64)
b1(v4: i64):
    v5 = nondet.i1 input
    branch v5, b2, b3
b2:
    {round}
    jump b1(v6)
b3:
    {look}
    v20 = load.i64 v1 align 8 in v19
    v21 = eq.i64 v20, 0
    check o0, v21
    return
}}
"
    )
}

#[test]
fn addresses_that_become_numbers_in_a_round() {
    let looks = [
        "v19 = clobber in v3",
        "v10 = inttoptr.i64.ptr v4\n    v19 = store.i64 v10, 5 align 8 in v3",
        "v10 = offset null, v4\n    v19 = store.i64 v10, 5 align 8 in v3",
    ];
    for look in looks {
        // Another round than the last one is where it happened.
        only_the_first_with(
            Effort::Quick,
            &with_look("v6 = add.i64 v4, 1", look),
            &[("add.i64 v4, 1", "ptrtoint.ptr.i64 v1")],
        );
    }
    // Nobody makes a pointer of it: it is a number like any other.
    let look = "v19 = store.i64 v1, 0 align 8 in v3";
    let harmless = with_look("v6 = ptrtoint.ptr.i64 v1", look);
    assert!(is_proved(&harmless, Effort::Quick), "{harmless}");
}

#[test]
fn addresses_that_are_read_as_numbers_in_a_round() {
    // The second object holds the address of the first one, and then a number.
    only_the_first_with(
        Effort::Quick,
        "fn @start() {
region r0 local
region r1 local
b0:
    v0 = new_region r0
    v1, v2 = alloc.stack 8 align 8 in v0
    v3 = store.i64 v1, 0 align 8 in v2
    v30 = new_region r1
    v31, v32 = alloc.stack 16 align 8 in v30
    v33 = store.ptr v31, v1 align 8 in v32
    v34 = offset v31, 8
    v35 = store.i64 v34, 7 align 8 in v33
    jump b1(0:i64)
b1(v4: i64):
    v5 = nondet.i1 input
    branch v5, b2, b3
b2:
    v6 = load.i64 v34 align 8 in v35
    v7 = load.ptr v31 align 8 in v35
    v8 = load.i64 v7 align 8 in v3
    jump b1(v6)
b3:
    v10 = inttoptr.i64.ptr v4
    v19 = store.i64 v10, 5 align 8 in v3
    v20 = load.i64 v1 align 8 in v19
    v21 = eq.i64 v20, 0
    check o0, v21
    return
}
",
        &[("load.i64 v34", "load.i64 v31")],
    );
}

#[test]
fn addresses_in_memory_that_are_read_as_numbers_later() {
    // A number in the place of which a round, or what was before all rounds, has put an address.
    only_the_first_with(
        Effort::Quick,
        "global @u size 8 align 8 = zero 8
fn @start(v40: mem r1) {
region r0 local
region r1 globals @u
b0:
    v0 = new_region r0
    v1, v2 = alloc.stack 8 align 8 in v0
    v3 = store.i64 v1, 0 align 8 in v2
    v41 = store.i64 @u, 1 align 8 in v40
    jump b1(v41)
b1(v42: mem r1):
    v5 = nondet.i1 input
    branch v5, b2, b3
b2:
    v43 = store.i64 @u, 2 align 8 in v42
    jump b1(v43)
b3:
    v44 = load.i64 @u align 8 in v42
    v10 = inttoptr.i64.ptr v44
    v19 = store.i64 v10, 5 align 8 in v3
    v20 = load.i64 v1 align 8 in v19
    v21 = eq.i64 v20, 0
    check o0, v21
    return
}
",
        &[
            ("store.i64 @u, 2", "store.ptr @u, v1"),
            ("store.i64 @u, 1", "store.ptr @u, v1"),
        ],
    );
}
