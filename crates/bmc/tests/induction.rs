//! Loops that begin in an arbitrary state: what is proved that way, and what must not be.

use std::time::Duration;

use encode::encoding::{Allocator, Encoding, PointerStyle, Representation};
use encode::eval::arbitrary::{
    Entered, Induction, Invariants, NoInvariants, Place, Plan, Refused, evaluate,
};
use encode::eval::{Config, NoOracle, Val, Vc};
use encode::lives::layouts;
use encode::world::World;
use ir::loops::Loops;
use ir::syntax::Module;
use solve::{Answer, Checked, Limits, Solver};
use terms::{Term, Terms};

fn read(text: &str) -> Module {
    let module = ir::text::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(complaints) = ir::wellformed::check(&module) {
        panic!("{complaints:?}\n{text}");
    }
    module
}

fn is_valid(terms: &mut Terms, assumed: &[Term], claim: Term) -> bool {
    let config = solve::Config {
        limits: Limits {
            time: Some(Duration::from_secs(20)),
            memory: None,
        },
        ..solve::Config::default()
    };
    let mut solver = Checked::open("bitwuzla", &config).expect("the solver is built in");
    let mut question = assumed.to_vec();
    question.push(terms.not(claim));
    match solver.check(terms, &question) {
        Ok(Answer::Unsat) => true,
        Ok(Answer::Sat(_)) => false,
        other => panic!("no answer: {:?}", other.map(|_| "unknown")),
    }
}

/// Does the claim follow where it is reached, from the first so many assumptions?
fn follows(vc: &mut Vc<'_>, assumptions: usize, reached: Term, claim: Term) -> bool {
    let mut assumed = vec![reached];
    let terms = &mut *vc.world.terms;
    for assumption in &vc.assumptions[..assumptions] {
        assumed.push(terms.implies(assumption.reached, assumption.holds));
    }
    if vc.world.is_free() {
        let terms = &mut *vc.world.terms;
        let mut question = assumed.clone();
        question.push(claim);
        let question = terms.and_all(&question);
        assumed.push(layouts(vc, question).expect("few objects"));
    }
    is_valid(vc.world.terms, &assumed, claim)
}

/// All loops of the program.
fn plan(module: &Module, rounds: u32, base: bool) -> Plan {
    let mut plan = Plan::default();
    for (func, data) in module.funcs.iter() {
        let Some(body) = &data.body else { continue };
        let loops = Loops::new(&ir::cfg::Cfg::new(body));
        for found in loops.loops.values() {
            plan.loops
                .insert((func, found.header), Induction { rounds, base });
        }
    }
    plan
}

fn encodings() -> Vec<Encoding> {
    let mut list = Vec::new();
    for memory in [
        Representation::Lambda,
        Representation::Array,
        Representation::Region,
        Representation::Seam,
    ] {
        for pointers in [PointerStyle::Fat, PointerStyle::Raw] {
            list.push(Encoding {
                memory,
                pointers,
                ..Encoding::default()
            });
        }
        list.push(Encoding {
            memory,
            allocator: Allocator::Free,
            ..Encoding::default()
        });
    }
    list
}

/// The obligations that are not proved, and "cut" if a bound can be passed.
fn open(vc: &mut Vc<'_>) -> Vec<String> {
    assert!(vc.stopped.is_none());
    let mut open = Vec::new();
    for instance in vc.instances.clone() {
        if !follows(vc, instance.assumptions, instance.reached, instance.holds) {
            open.push(instance.obligation.to_string());
        }
    }
    let never = vc.world.terms.fls();
    for cut in vc.cuts.clone() {
        if !follows(vc, cut.assumptions, cut.reached, never) {
            open.push("cut".to_owned());
        }
    }
    for (gap, what) in vc.gaps.clone() {
        if !follows(vc, gap.assumptions, gap.reached, gap.holds) {
            open.push(what);
        }
    }
    open.dedup();
    open
}

/// The same with all loops of the program from an arbitrary state, with one encoding.
fn left_with(text: &str, rounds: u32, encoding: Encoding) -> Result<Vec<String>, Refused> {
    let module = read(text);
    let plan = plan(&module, rounds, true);
    let config = Config {
        encoding,
        ..Config::default()
    };
    let mut terms = Terms::new();
    let vc = evaluate(
        &module,
        &mut terms,
        &config,
        &plan,
        &NoInvariants,
        &mut NoOracle,
    );
    vc.map(|mut vc| open(&mut vc))
}

/// With every encoding.
fn left(text: &str, rounds: u32) -> Vec<String> {
    let mut answers: Vec<Vec<String>> = encodings()
        .into_iter()
        .map(|encoding| left_with(text, rounds, encoding).expect("nothing is in the way"))
        .collect();
    let first = answers.remove(0);
    for other in answers {
        assert_eq!(first, other);
    }
    first
}

fn counter(limit: u32) -> String {
    format!(
        "module pure ptr64
entry @start
obligation o0 start.assert.1 \"small\"
fn @start() {{
b0:
    jump b1(0:i32)
b1(v0: i32):
    v1 = ule.i32 v0, {limit}
    check o0, v1
    v2 = nondet.i1 input
    branch v2, b2, b4
b2:
    v3 = ult.i32 v0, 10
    branch v3, b3, b1(v0)
b3:
    v4 = add.i32 v0, 1
    jump b1(v4)
b4:
    return
}}
"
    )
}

#[test]
fn a_check_that_passed_is_known_in_the_next_round() {
    assert_eq!(
        left(&counter(10), 0),
        ["o0"],
        "any state, and nothing known of it"
    );
    assert!(left(&counter(10), 1).is_empty());
    assert!(left(&counter(10), 2).is_empty());
}

#[test]
fn what_fails_later_is_not_proved() {
    for rounds in 0..4 {
        assert_eq!(left(&counter(9), rounds), ["o0"], "{rounds} rounds");
    }
}

/// A loop that ends with a number, and a check behind it.
fn behind(wanted: u32) -> String {
    format!(
        "module pure ptr64
entry @start
obligation o0 start.assert.1 \"the end\"
fn @start() {{
b0:
    v9 = nondet.i32 input
    jump b1(v9)
b1(v0: i32):
    v1 = eq.i32 v0, 10
    branch v1, b3, b2
b2:
    v4 = add.i32 v0, 1
    jump b1(v4)
b3:
    v5 = eq.i32 v0, {wanted}
    check o0, v5
    return
}}
"
    )
}

#[test]
fn what_comes_behind_a_loop_is_judged() {
    for rounds in 0..3 {
        assert!(left(&behind(10), rounds).is_empty());
        assert_eq!(left(&behind(9), rounds), ["o0"]);
    }
}

#[test]
fn the_rounds_from_the_real_beginning_are_judged() {
    // The check fails in the very first round only.
    let text = "module pure ptr64
entry @start
obligation o0 start.assert.1 \"not zero\"
fn @start() {
b0:
    jump b1(0:i32)
b1(v0: i32):
    v1 = ne.i32 v0, 0
    check o0, v1
    v2 = or.i32 v0, 1
    jump b1(v2)
}
";
    for rounds in 1..3 {
        assert_eq!(left(text, rounds), ["o0"]);
    }
    let module = read(text);
    let plan = plan(&module, 1, false);
    let (mut terms, config) = (Terms::new(), Config::default());
    let vc = evaluate(
        &module,
        &mut terms,
        &config,
        &plan,
        &NoInvariants,
        &mut NoOracle,
    );
    let mut vc = vc.unwrap_or_else(|why| panic!("{why:?}"));
    assert!(open(&mut vc).is_empty(), "the step alone holds");
}

#[test]
fn what_the_loop_does_not_write_is_as_it_was() {
    let program = |asked: &str| {
        format!(
            "module pure ptr64
entry @start
obligation o0 start.assert.1 \"as it was\"
global @g size 8 align 4 = zero 8
global @h size 8 align 4 = zero 8
fn @start(v0: mem r0) {{
region r0 globals @g @h
b0:
    v1 = store.i32 @h+4, 7 align 4 in v0
    jump b1(v1)
b1(v2: mem r0):
    v3 = nondet.i32 input
    v4 = store.i32 @g, v3 align 4 in v2
    v5 = nondet.i1 input
    branch v5, b1(v4), b2
b2:
    v6 = load.i32 {asked} align 4 in v4
    v7 = ule.i32 v6, 7
    check o0, v7
    return
}}
"
        )
    };
    for rounds in 0..2 {
        assert!(left(&program("@h+4"), rounds).is_empty());
        assert_eq!(left(&program("@g"), rounds), ["o0"]);
    }
}

/// A list whose only node is followed by itself; a loop walks along it.
fn circle(then: &str) -> String {
    format!(
        "module pure ptr64
entry @start
obligation o0 start.deref.1 \"a node\"
global @n size 16 align 8 = zero 16
fn @start(v0: mem r0) {{
region r0 globals @n
b0:
    v1 = store.ptr @n, @n align 8 in v0
    jump b1(@n, v1)
b1(v2: ptr, v3: mem r0):
    v4 = is_deref.read v2, 16 in v3
    check o0, v4
    v5 = load.ptr v2 align 8 in v3
    v6 = nondet.i1 input
    branch v6, b2, b3
b2:
    {then}
    jump b1(v5, v7)
b3:
    return
}}
"
    )
}

#[test]
fn a_node_that_is_followed_by_itself() {
    let same = circle("v7 = store.i64 @n+8, 5 align 8 in v3");
    assert_eq!(left(&same, 0), ["o0"]);
    for encoding in encodings() {
        // What the node points to may have changed, as far as the loop knows: it writes to the node.
        let left = left_with(&same, 1, encoding).expect("nothing is in the way");
        assert_eq!(left, ["o0"]);
    }
    let kept = circle("").replace("jump b1(v5, v7)", "jump b1(v5, v3)");
    assert!(left(&kept, 1).is_empty());
    let broken = circle("v7 = store.ptr @n, null align 8 in v3");
    for rounds in 0..3 {
        assert_eq!(left(&broken, rounds), ["o0"]);
    }
    let again = circle("v7 = store.ptr v2, @n align 8 in v3");
    for rounds in 2..4 {
        assert!(left(&again, rounds).is_empty(), "{rounds}");
    }
}

/// A loop that writes through a pointer in memory.
fn through(first: &str, last: &str) -> String {
    format!(
        "module pure ptr64
entry @start
obligation o0 start.assert.1 \"unchanged\"
global @a size 4 align 4 = zero 4
global @g size 16 align 8 = zero 16
fn @start(v0: mem r0) {{
region r0 globals @a @g
b0:
    v1 = {first}
    jump b1(v1)
b1(v2: mem r0):
    v3 = load.i32 @a align 4 in v2
    v4 = eq.i32 v3, 0
    check o0, v4
    v5 = load.ptr @g align 8 in v2
    v6 = is_deref.write v5, 4 in v2
    branch v6, b2, b3
b2:
    v7 = store.i32 v5, 1 align 4 in v2
    jump b1(v7)
b3:
    v8 = {last}
    jump b1(v8)
}}
"
    )
}

#[test]
fn what_pointers_in_memory_may_belong_to() {
    // The pointer is stored in the loop, or before it in an object that the loop writes to elsewhere.
    let number = |memory: &str| format!("store.i64 @g+8, 5 align 8 in {memory}");
    let pointer = |memory: &str| format!("store.ptr @g, @a align 8 in {memory}");
    for rounds in 0..4 {
        let inside = through(&number("v0"), &pointer("v2"));
        assert_eq!(left(&inside, rounds), ["o0"], "{rounds}");
        let before = through(&pointer("v0"), &number("v2"));
        assert_eq!(left(&before, rounds), ["o0"], "{rounds}");
    }
    let never = through(&number("v0"), &number("v2"));
    // A raw pointer may be any address.
    let fat = encodings().into_iter();
    for encoding in fat.filter(|encoding| encoding.pointers == PointerStyle::Fat) {
        let left = left_with(&never, 1, encoding).expect("nothing is in the way");
        assert!(left.is_empty(), "nothing points to it");
    }
}

#[test]
fn two_pointers_may_be_one() {
    let program = |claim: &str| {
        format!(
            "module pure ptr64
entry @start
obligation o0 start.assert.1 \"apart\"
global @a size 4 align 4 = zero 4
global @b size 4 align 4 = zero 4
fn @start(v0: mem r0) {{
region r0 globals @a @b
b0:
    jump b1(@a, @b, v0)
b1(v1: ptr, v2: ptr, v3: mem r0):
    v4 = is_deref.write v1, 4 in v3
    assume v4
    v5 = is_deref.write v2, 4 in v3
    assume v5
    v6 = store.i32 v1, 1 align 4 in v3
    v7 = store.i32 v2, 2 align 4 in v6
    v8 = load.i32 v1 align 4 in v7
    v9 = eq.i32 v8, {claim}
    check o0, v9
    v10 = nondet.i1 input
    v11 = select.ptr v10, v1, v2
    v12 = nondet.i1 input
    branch v12, b1(v11, v2, v7), b2
b2:
    return
}}
"
        )
    };
    for rounds in 0..3 {
        // In the second round they may be the same, in the first they are not.
        assert_eq!(left(&program("1"), rounds), ["o0"]);
        assert_eq!(left(&program("2"), rounds), ["o0"]);
    }
    let either = program("1").replace(
        "v9 = eq.i32 v8, 1",
        "v13 = sub.i32 v8, 1\n    v9 = ule.i32 v13, 1",
    );
    assert!(left(&either, 0).is_empty());
}

#[test]
fn an_object_that_may_be_freed() {
    let program = |then: &str| {
        format!(
            "module pure ptr64
entry @start
obligation o0 start.deref.1 \"alive\"
fn @start(v0: mem r0) {{
region r0
b0:
    v1, v2 = alloc.heap 4 align 4 in v0
    jump b1(v2)
b1(v3: mem r0):
    v4 = is_deref.read v1, 4 in v3
    check o0, v4
    v5 = nondet.i1 input
    branch v5, b2, b1(v3)
b2:
    {then}
}}
"
        )
    };
    let freed = program("v6 = free v1 in v3\n    jump b1(v6)");
    let written = program("v6 = store.i32 v1, 3 align 4 in v3\n    jump b1(v6)");
    for rounds in 0..3 {
        assert_eq!(left(&freed, rounds), ["o0"]);
        assert!(left(&written, rounds).is_empty());
    }
}

#[test]
fn a_number_that_is_the_address_of_a_global() {
    let program = |exposed: &str, address: &str| {
        format!(
            "module pure ptr64
entry @start
obligation o0 start.assert.1 \"unchanged\"
global @g size 4 align 4 = zero 4
global @h size 4 align 4 = zero 4
fn @start(v0: mem r0) {{
region r0 globals @g @h
b0:
    v1 = ptrtoint.ptr.i64 {exposed}
    jump b1(v1, v0)
b1(v2: i64, v3: mem r0):
    v4 = load.i32 @h align 4 in v3
    v5 = eq.i32 v4, 0
    check o0, v5
    v6 = inttoptr.i64.ptr {address}
    v7 = is_deref.write v6, 4 in v3
    assume v7
    v8 = store.i32 v6, 1 align 4 in v3
    v9 = nondet.i64 input
    jump b1(v9, v8)
}}
"
        )
    };
    for rounds in 0..3 {
        assert_eq!(left(&program("@h", "v2"), rounds), ["o0"]);
        // What the loop itself makes a number of counts from the first round on.
        let late = program("@g", "v2").replace(
            "    v9 = nondet.i64 input\n",
            "    v9 = ptrtoint.ptr.i64 @h\n",
        );
        assert_eq!(left(&late, rounds), ["o0"]);
    }
    let encoding = Encoding::default();
    let other = left_with(&program("@g", "v1"), 1, encoding).expect("nothing is in the way");
    assert!(other.is_empty(), "only the other one was written");
}

#[test]
fn a_loop_that_allocates_is_refused() {
    let text = "module pure ptr64
entry @start
fn @start(v0: mem r0) {
region r0
b0:
    jump b1(v0)
b1(v1: mem r0):
    v2, v3 = alloc.heap 4 align 4 in v1
    jump b1(v3)
}
";
    for encoding in encodings() {
        let refused = left_with(text, 1, encoding).expect_err("it allocates");
        assert!(matches!(refused, Refused::Allocates(..)), "{refused:?}");
    }
}

/// An outer loop, and an inner one that counts to a bound.
fn nested(bound: u32) -> String {
    format!(
        "module pure ptr64
entry @start
obligation o0 start.assert.1 \"inner\"
obligation o1 start.assert.2 \"outer\"
fn @start() {{
b0:
    jump b1(0:i32)
b1(v0: i32):
    v1 = ule.i32 v0, 3
    check o1, v1
    jump b2(0:i32)
b2(v2: i32):
    v3 = ult.i32 v2, v0
    branch v3, b3, b4
b3:
    v4 = ult.i32 v2, 3
    check o0, v4
    v5 = add.i32 v2, 1
    jump b2(v5)
b4:
    v6 = nondet.i1 input
    branch v6, b5, b6
b5:
    v7 = nondet.i32 input
    v8 = ule.i32 v7, {bound}
    branch v8, b1(v7), b1(v2)
b6:
    return
}}
"
    )
}

#[test]
fn inner_loops_by_induction_or_with_a_bound_that_is_an_obligation() {
    assert!(left(&nested(3), 1).is_empty());
    assert_eq!(left(&nested(4), 1), ["o1"]);
    let module = read(&nested(3));
    let mut outer = plan(&module, 1, true);
    outer.loops.retain(|(_, head), _| head.index() == 1);
    for (unwind, cut) in [(3, false), (2, true)] {
        let config = Config {
            unwind,
            ..Config::default()
        };
        let mut terms = Terms::new();
        let vc = evaluate(
            &module,
            &mut terms,
            &config,
            &outer,
            &NoInvariants,
            &mut NoOracle,
        );
        let mut vc = vc.unwrap_or_else(|why| panic!("{why:?}"));
        let open = open(&mut vc);
        assert_eq!(open.contains(&"cut".to_owned()), cut, "{unwind}: {open:?}");
        assert!(open.iter().all(|open| open == "cut"));
    }
}

/// The first parameter is at most a number.
struct AtMost(u64);

impl AtMost {
    fn of(&self, world: &mut World<'_>, values: &[Val]) -> Term {
        let Val::Term(value) = values[0] else {
            panic!("a number")
        };
        let most = world.terms.bv_u64(self.0, 32);
        world.terms.ule(value, most)
    }
}

impl Invariants for AtMost {
    fn at(&self, world: &mut World<'_>, _: Place, params: &[Val]) -> Vec<Term> {
        vec![self.of(world, params)]
    }
}

#[test]
fn an_invariant_is_assumed_and_can_be_shown() {
    for (most, inductive) in [(10, true), (3, false), (12, true)] {
        let module = read(&counter(12));
        let plan = plan(&module, 0, false);
        let (mut terms, config, invariant) = (Terms::new(), Config::default(), AtMost(most));
        let vc = evaluate(
            &module,
            &mut terms,
            &config,
            &plan,
            &invariant,
            &mut NoOracle,
        );
        let mut vc = vc.unwrap_or_else(|why| panic!("{why:?}"));
        assert!(open(&mut vc).is_empty(), "the check follows from it");
        let mut holds = true;
        let mut entered = [0, 0];
        for head in vc.heads.clone() {
            match head.entered {
                Entered::First => entered[0] += 1,
                Entered::Again => entered[1] += 1,
                Entered::Arbitrary(_) => continue,
            }
            let claim = invariant.of(&mut vc.world, &head.values);
            holds &= follows(&mut vc, head.assumptions, head.reached, claim);
        }
        assert_eq!(entered, [1, 1]);
        assert_eq!(holds, inductive, "{most}");
    }
}
