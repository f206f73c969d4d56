//! The relational domains: laws of the order, widening that ends, and transfer that keeps every execution, exhaustively at small widths.

use std::collections::BTreeMap;
use std::rc::Rc;

use ir::syntax::{Inst, Module, Op, Value};

use super::{Lit, Relations, SHAPES, Shape};
use crate::domains::view::View;
use crate::domains::{Int, mask, signed};
use crate::state::{Program, State};
use crate::value::Val;

/// A generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % count
    }
}

fn number(lit: Lit, at: &BTreeMap<Value, u64>, width: u32) -> i128 {
    let bits = at[&lit.value];
    let number = match lit.view {
        View::Signed => i128::from(signed(bits, width)),
        View::Unsigned => i128::from(bits),
    };
    if lit.negated { -number } else { number }
}

fn allows(relations: &Relations, at: &BTreeMap<Value, u64>, width: u32) -> bool {
    let mut edges = relations.edges();
    edges.all(|(a, b, c)| number(a, at, width) - number(b, at, width) <= c)
}

/// Some sets of numbers and relations among three registers of a width.
fn random(dice: &mut Dice, shape: &dyn Shape, width: u32) -> (Vec<Int>, Relations) {
    let ints: Vec<Int> = (0..3)
        .map(|_| {
            let (a, b) = (dice.below(1 << width), dice.below(1 << width));
            match dice.below(4) {
                0 => Int::constant(a, width),
                1 => Int::between(a.min(b), a.max(b), width).expect("in order"),
                2 => {
                    let (a, b) = (signed(a, width), signed(b, width));
                    Int::between_signed(a.min(b), a.max(b), width).expect("in order")
                }
                _ => Int::top(width),
            }
        })
        .collect();
    let mut relations = Relations::default();
    let ranges = |value: Value| ints.get(value.index()).copied();
    for _ in 0..dice.below(5) {
        let mut lit = || Lit {
            value: Value::from_index(dice.below(3) as usize),
            view: [View::Signed, View::Unsigned][dice.below(2) as usize],
            negated: dice.below(2) == 1,
        };
        let (a, b) = (lit(), lit());
        let c = i128::from(dice.below(2 << width)) - (1 << width);
        relations.add(a, b, c, shape, &ranges);
    }
    (ints, relations)
}

/// All executions that a description allows.
fn members(ints: &[Int], relations: &Relations, width: u32) -> Vec<BTreeMap<Value, u64>> {
    let mut found = Vec::new();
    for x in 0..=mask(width) {
        for y in 0..=mask(width) {
            for z in 0..=mask(width) {
                let all = [x, y, z];
                let inside = ints.iter().zip(all).all(|(int, value)| int.contains(value));
                let at = (0..).map(Value::from_index).zip(all).collect();
                if inside && allows(relations, &at, width) {
                    found.push(at);
                }
            }
        }
    }
    found
}

#[test]
fn bounds_joins_and_projections_hold_of_every_member() {
    let width = 3;
    let mut dice = Dice(7);
    let mut some = 0;
    for shape in SHAPES {
        for _ in 0..400 {
            let (a, ours) = random(&mut dice, *shape, width);
            let (b, theirs) = random(&mut dice, *shape, width);
            let (mine, yours) = (members(&a, &ours, width), members(&b, &theirs, width));
            let (in_a, in_b) = (
                |value: Value| a.get(value.index()).copied(),
                |value: Value| b.get(value.index()).copied(),
            );
            let joined: Vec<Int> = a.iter().zip(&b).map(|(x, y)| x.join(y)).collect();
            let both = |value: Value| joined.get(value.index()).copied();
            let moved: Vec<Value> = (0..3).map(Value::from_index).collect();
            let (one, two) = ((&ours, &in_a as _), (&theirs, &in_b as _));
            let join = Relations::join(one, two, &moved, *shape, &both);
            let other_way = Relations::join(two, one, &moved, *shape, &both);
            assert_eq!(join, other_way, "a join has no sides");
            assert!(ours.is_within(&join, &in_a) && theirs.is_within(&join, &in_b));
            for at in mine.iter().chain(&yours) {
                assert!(allows(&join, at, width), "{at:?} is lost in {join:?}");
            }
            assert!(ours.is_within(&ours, &in_a), "the order is reflexive");
            let mut less = ours.clone();
            less.keep(|value| value.index() != 1, *shape, &in_a);
            let reduced = ours.reduced(&in_a);
            for at in &mine {
                assert!(allows(&less, at, width), "{at:?} is lost in {less:?}");
                for (x, y, _) in theirs.edges() {
                    let bound = ours.bound(x, y, &in_a).unwrap_or(i128::MAX);
                    let real = number(x, at, width) - number(y, at, width);
                    assert!(real <= bound, "{x:?} - {y:?} is {real}, not {bound}");
                }
            }
            assert_eq!(members(&a, &reduced, width), mine, "{ours:?}");
            assert!(
                less.edges()
                    .all(|(x, y, _)| x.value.index() != 1 && y.value.index() != 1)
            );
            assert!(join.edges().all(|(x, y, _)| shape.keeps(x, y)));
            some += join.edges().count();
        }
    }
    assert!(some > 200, "joins say {some} things only");
}

#[test]
fn widening_ends_above_both() {
    let width = 4;
    let mut dice = Dice(3);
    for shape in SHAPES {
        for _ in 0..200 {
            let (a, mut known) = random(&mut dice, *shape, width);
            let mut steps = 0;
            for _ in 0..200 {
                let (b, new) = random(&mut dice, *shape, width);
                let in_b = |value: Value| b.get(value.index()).copied();
                let wider = known.widen(&new, &in_b);
                assert!(new.is_within(&wider, &in_b), "{new:?} not in {wider:?}");
                let in_a = |value: Value| a.get(value.index()).copied();
                assert!(known.is_within(&wider, &in_a), "{known:?} not in {wider:?}");
                steps += usize::from(wider != known);
                known = wider;
            }
            assert!(steps <= 40, "{steps} steps");
        }
    }
}

/// A program with one instruction of interest: registers v0, v1 and v2 of a width, and the result v3.
fn one(text: &str, width: u32) -> Module {
    let text = format!(
        "module pure ptr64\nentry @start\nfn @start() {{\nb0:\n    v0 = nondet.i{width} input\n    v1 = nondet.i{width} input\n    v2 = nondet.i{width} input\n    {text}\n    return\n}}\n"
    );
    ir::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// What v3 is, given v0, v1 and v2 and the width; none where the execution ends.
type Meaning = fn(u64, u64, u64, u32) -> Option<u64>;

fn sides(width: u32) -> Vec<(String, Meaning)> {
    let mut found: Vec<(String, Meaning)> = Vec::new();
    let mut push = |text: String, meaning| found.push((text, meaning));
    push(format!("v3 = add.i{width} v0, v1"), |x, y, _, w| {
        Some(x.wrapping_add(y) & mask(w))
    });
    push(format!("v3 = sub.i{width} v0, v1"), |x, y, _, w| {
        Some(x.wrapping_sub(y) & mask(w))
    });
    push(format!("v3 = add.i{width} v0, 1"), |x, _, _, w| {
        Some(x.wrapping_add(1) & mask(w))
    });
    push(format!("v3 = add.i{width} v0, -1"), |x, _, _, w| {
        Some(x.wrapping_sub(1) & mask(w))
    });
    push(format!("v3 = sub.i{width} 1, v0"), |x, _, _, w| {
        Some(1u64.wrapping_sub(x) & mask(w))
    });
    push(format!("v3 = and.i{width} v0, v1"), |x, y, _, _| {
        Some(x & y)
    });
    push(format!("v3 = urem.i{width} v0, v1"), |x, y, _, _| {
        Some(x.checked_rem(y).unwrap_or(x))
    });
    push(format!("v3 = udiv.i{width} v0, v1"), |x, y, _, w| {
        Some(x.checked_div(y).unwrap_or(mask(w)))
    });
    push(format!("v3 = lshr.i{width} v0, v1"), |x, y, _, _| {
        Some(x.checked_shr(y as u32).unwrap_or(0))
    });
    push(format!("v3 = copy.i{width} v0"), |x, _, _, _| Some(x));
    for name in ["eq", "ne", "slt", "sle", "ult", "ule"] {
        push(
            format!("v4 = {name}.i{width} v0, v1\n    v3 = select.i{width} v4, v0, v1"),
            chosen(name),
        );
        push(
            format!("v4 = {name}.i{width} v0, v1\n    assume v4\n    v3 = copy.i{width} v2"),
            assumed(name),
        );
    }
    found
}

fn chosen(name: &str) -> Meaning {
    match name {
        "eq" => |_, y, _, _| Some(y),
        "ne" => |x, _, _, _| Some(x),
        "slt" => |x, y, _, w| Some(if signed(x, w) < signed(y, w) { x } else { y }),
        "sle" => |x, y, _, w| Some(if signed(x, w) <= signed(y, w) { x } else { y }),
        "ult" => |x, y, _, _| Some(if x < y { x } else { y }),
        _ => |x, y, _, _| Some(if x <= y { x } else { y }),
    }
}

fn assumed(name: &str) -> Meaning {
    match name {
        "eq" => |x, y, z, _| (x == y).then_some(z),
        "ne" => |x, y, z, _| (x != y).then_some(z),
        "slt" => |x, y, z, w| (signed(x, w) < signed(y, w)).then_some(z),
        "sle" => |x, y, z, w| (signed(x, w) <= signed(y, w)).then_some(z),
        "ult" => |x, y, z, _| (x < y).then_some(z),
        _ => |x, y, z, _| (x <= y).then_some(z),
    }
}

#[test]
fn transfer_keeps_every_execution() {
    for width in [3, 4] {
        let rounds = if width == 3 { 60 } else { 12 };
        for (text, meaning) in sides(width) {
            let module = one(&text, width);
            let body = module.body(module.entry.expect("an entry"));
            let insts: Vec<Inst> = body.blocks[body.entry()].insts.clone();
            let mut dice = Dice(u64::from(width));
            let mut said = 0;
            for shape in SHAPES {
                let program = Program {
                    module: &module,
                    body,
                    shape: Some(*shape),
                };
                for _ in 0..rounds {
                    let (ints, relations) = random(&mut dice, *shape, width);
                    let before = members(&ints, &relations, width);
                    let mut state = State {
                        relations: Rc::new(relations.clone()),
                        ..State::default()
                    };
                    for (index, int) in ints.iter().enumerate() {
                        state.vals.insert(Value::from_index(index), Val::Int(*int));
                    }
                    let mut goes_on = true;
                    for &inst in &insts {
                        let inputs = matches!(body.insts[inst].op, Op::Nondet(..));
                        if !inputs {
                            goes_on = goes_on && program.step(&mut state, inst);
                        }
                    }
                    for at in before {
                        let (x, y, z) = (
                            at[&Value::from_index(0)],
                            at[&Value::from_index(1)],
                            at[&Value::from_index(2)],
                        );
                        let Some(result) = meaning(x, y, z, width) else {
                            continue;
                        };
                        assert!(goes_on, "{text} does not go on from {at:?}");
                        let mut after = at.clone();
                        after.insert(Value::from_index(3), result);
                        let all = state.relations.edges().all(|(a, b, c)| {
                            number(a, &after, width) - number(b, &after, width) <= c
                        });
                        assert!(
                            all,
                            "{text}: {after:?} is lost by {:?} in {:?}",
                            shape.name(),
                            state.relations
                        );
                        for (value, bits) in &after {
                            let known = state.vals.get(value).and_then(Val::as_int);
                            assert!(known.is_none_or(|x| x.contains(*bits)), "{text}: {after:?}");
                        }
                    }
                    said += state.relations.edges().count();
                }
            }
            assert!(said > 0, "{text} says nothing");
        }
    }
}

#[test]
fn transfer_is_monotone_where_it_says_something_exact() {
    // Of more executions no more is said: the result of a smaller state lies within that of a greater one.
    let width = 4;
    for text in [
        format!("v3 = add.i{width} v0, 1"),
        format!("v3 = sub.i{width} v0, v1"),
        format!("v4 = slt.i{width} v0, v1\n    assume v4\n    v3 = copy.i{width} v2"),
    ] {
        let module = one(&text, width);
        let body = module.body(module.entry.expect("an entry"));
        let mut dice = Dice(11);
        for shape in SHAPES {
            let program = Program {
                module: &module,
                body,
                shape: Some(*shape),
            };
            for _ in 0..100 {
                let mut states = Vec::new();
                for _ in 0..2 {
                    // A state without members has contradictions that some steps see and others do not.
                    let (ints, relations) = loop {
                        let (ints, relations) = random(&mut dice, *shape, width);
                        if !members(&ints, &relations, width).is_empty() {
                            break (ints, relations);
                        }
                    };
                    let mut state = State {
                        relations: Rc::new(relations),
                        ..State::default()
                    };
                    for (index, int) in ints.iter().enumerate() {
                        state.vals.insert(Value::from_index(index), Val::Int(*int));
                    }
                    states.push(state);
                }
                let mut greater = program.join(&states[0], &states[1]);
                let mut smaller = states.swap_remove(0);
                let run = |state: &mut State| {
                    let list = &body.blocks[body.entry()].insts;
                    let mut list = list
                        .iter()
                        .filter(|&&inst| !matches!(body.insts[inst].op, Op::Nondet(..)));
                    list.all(|&inst| program.step(state, inst))
                };
                let (one, all) = (run(&mut smaller), run(&mut greater));
                if one {
                    assert!(all, "{text}");
                    assert!(
                        program.relations_within(&smaller, &greater),
                        "{text}: {:?} not in {:?}",
                        smaller.relations,
                        greater.relations
                    );
                }
            }
        }
    }
}
