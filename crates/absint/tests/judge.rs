//! What the analysis alone says of obligations: each program stands beside one in which nothing may be said.

use absint::engine;
use absint::fixpoint::Judgement;

fn judgement(body: &str) -> Judgement {
    let text =
        format!("module pure ptr64\nentry @start\nobligation o0 main.assert.1 \"claim\"\n{body}");
    let module = ir::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(complaints) = ir::wellformed::check(&module) {
        panic!("{}\n{text}", ir::wellformed::explain(&complaints));
    }
    let found = engine::judge(&module, None).expect("no deadline");
    found[0].1
}

/// The first is judged so; each of the others, with a word replaced, is open.
#[track_caller]
fn only_the_first(expected: Judgement, body: &str, replaced: &[(&str, &str)]) {
    assert_eq!(judgement(body), expected, "{body}");
    for (word, by) in replaced {
        assert!(body.contains(word), "no `{word}` in\n{body}");
        let other = body.replacen(word, by, 1);
        assert_eq!(judgement(&other), Judgement::Open, "{other}");
    }
}

#[test]
fn what_may_be_touched_need_not_be_inside_of_an_object() {
    only_the_first(
        Judgement::NotReached,
        "fn @start(v0: mem r0) {
region r0 unknown
b0:
    v1, v2 = alloc.stack 6 align 16 in v0
    v3 = is_deref.read v1, 7 in v2
    branch v3, b1, b2
b1:
    check o0, 0:i1
    jump b2
b2:
    return
}
",
        &[("is_deref.read", "is_deref.touch")],
    );
}

#[test]
fn the_newest_object_of_an_allocation_is_written_for_sure() {
    // A list grows: the newest element holds 1, whatever the others hold.
    only_the_first(
        Judgement::Holds,
        "fn @start(v0: mem r0) {
region r0 unknown
b0:
    v1, v2 = alloc.heap 8 align 8 zeroed in v0
    jump b1(v1, v2)
b1(v3: ptr, v4: mem r0):
    v5, v6 = alloc.heap 8 align 8 zeroed in v4
    v7 = store.i32 v5, 1 align 4 in v6
    v8 = load.i32 v5 align 4 in v7
    v9 = eq.i32 v8, 1
    check o0, v9
    v10 = nondet.i1 input
    branch v10, b1(v5, v7), b2
b2:
    return
}
",
        &[("load.i32 v5", "load.i32 v3")],
    );
}

#[test]
fn all_other_objects_of_an_allocation_have_what_each_was_left_with() {
    // Each element but the newest holds 1 or 2: an element is written once before the next one is made.
    only_the_first(
        Judgement::Holds,
        "fn @start(v0: mem r0) {
region r0 unknown
b0:
    v1, v2 = alloc.heap 8 align 8 zeroed in v0
    v3 = store.i32 v1, 2 align 4 in v2
    jump b1(v1, v3)
b1(v4: ptr, v5: mem r0):
    v6 = load.i32 v4 align 4 in v5
    v7 = ule.i32 v6, 2
    check o0, v7
    v8, v9 = alloc.heap 8 align 8 zeroed in v5
    v10 = store.i32 v8, 1 align 4 in v9
    v11 = nondet.i1 input
    v12 = select.ptr v11, v4, v8
    v13 = nondet.i1 input
    branch v13, b1(v12, v10), b2
b2:
    return
}
",
        &[("store.i32 v8, 1", "store.i32 v4, 3")],
    );
}

#[test]
fn states_are_kept_apart_by_a_variable_that_is_not_initialised() {
    // A state machine whose next state nobody has set at first: 1 leads to 2, where the flag is set, and 2 back to 1.
    only_the_first(
        Judgement::Holds,
        "fn @start() {
b0:
    v0 = nondet.i32 undef
    jump b1(1:i32, v0, 0:i32)
b1(v1: i32, v2: i32, v3: i32):
    v4 = eq.i32 v1, 1
    branch v4, b2, b3
b2:
    v5 = eq.i32 v3, 0
    check o0, v5
    jump b5(2:i32, 5:i32)
b3:
    v6 = eq.i32 v1, 2
    branch v6, b4, b6
b4:
    jump b5(1:i32, 0:i32)
b5(v7: i32, v8: i32):
    v9 = nondet.i1 input
    branch v9, b1(v7, v7, v8), b7
b6:
    jump b1(v2, v2, v3)
b7:
    return
}
",
        &[("jump b5(1:i32, 0:i32)", "jump b5(1:i32, 1:i32)")],
    );
}

#[test]
fn a_loop_that_changes_its_mind_has_two_phases() {
    // The second number stands still for ten rounds, and then keeps up with the first.
    only_the_first(
        Judgement::Holds,
        "fn @start() {
b0:
    jump b1(0:i32, 5:i32)
b1(v0: i32, v1: i32):
    v2 = ult.i32 v0, 1000
    branch v2, b2, b3
b2:
    v3 = ult.i32 v0, 10
    v4 = add.i32 v1, 1
    v5 = select.i32 v3, v1, v4
    v6 = add.i32 v0, 1
    jump b1(v6, v5)
b3:
    v7 = eq.i32 v1, 995
    check o0, v7
    return
}
",
        &[("v3 = ult.i32 v0, 10", "v3 = ult.i32 v0, 11")],
    );
}
