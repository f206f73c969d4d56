//! Facts that nobody has found but that often hold: how a loop's numbers compare to each other and to numbers from before the
//! loop. They are tried like all others, and go if they are refuted.

use ir::syntax::{BinaryOp, Block, Body, Def, Op, Operand, Type};

use crate::facts::{Atom, Fact, Place, Relation};

/// More candidates than these are not tried at one head.
const MAX: usize = 60;
/// More numbers from before a loop are not compared with.
const MAX_OUTER: usize = 8;

fn width(body: &Body, head: Block, place: Place) -> Option<u32> {
    let of = |ty: Type| match ty {
        Type::Int(width) => Some(width),
        Type::Float(_) | Type::Ptr | Type::Mem(_) => None,
    };
    match place {
        Place::Param(index) => of(body.values[body.blocks[head].params[index]].ty),
        Place::Cell(_, _, _, ty) => of(ty),
        Place::Outer(value) => of(body.values[value].ty),
        Place::Offset(_)
        | Place::Number(..)
        | Place::Formula(..)
        | Place::Ghost(_)
        | Place::Element(..) => None,
    }
}

/// Candidates about these places.
pub fn at_head(body: &Body, head: Block, places: &[Place]) -> Vec<Fact> {
    let mut found = Vec::new();
    let outer = outer(body, head);
    let inner = places
        .iter()
        .filter(|place| width(body, head, **place).is_some_and(|width| width > 1));
    let inner: Vec<Place> = inner.copied().take(8).collect();
    let relations = [Relation::Equal, Relation::SignedAtMost, Relation::AtMost];
    for (index, &a) in inner.iter().enumerate() {
        let others = inner
            .iter()
            .enumerate()
            .filter(|(other, _)| *other != index);
        for (other, &b) in others
            .map(|(n, b)| (Some(n), b))
            .chain(outer.iter().map(|b| (None, b)))
        {
            if width(body, head, a) != width(body, head, b) {
                continue;
            }
            for relation in relations {
                let twice = relation == Relation::Equal && other.is_some_and(|other| other < index);
                if !twice {
                    found.push(vec![vec![(a, Atom::Compared(relation, b))]]);
                }
                if other.is_none() && relation != Relation::Equal {
                    found.push(vec![vec![(b, Atom::Compared(relation, a))]]);
                }
            }
        }
    }
    found.truncate(MAX);
    found.extend(growths(body, head, &inner));
    found
}

/// Numbers from before a loop that something in the program is compared to.
pub fn outer(body: &Body, head: Block) -> Vec<Place> {
    let home = crate::partition::home(body);
    let cfg = ir::cfg::Cfg::new(body);
    let dominators = ir::dominators::Dominators::new(&cfg);
    let mut outer: Vec<Place> = Vec::new();
    for (_, inst) in body.insts_in_order() {
        if let Op::Compare(_, a, b) = &body.insts[inst].op {
            for operand in [a, b] {
                if let Operand::Value(value) = operand
                    && matches!(body.values[*value].ty, Type::Int(2..=64))
                    && home[*value]
                        .is_none_or(|home| home != head && dominators.dominates(home, head))
                    && !outer.contains(&Place::Outer(*value))
                {
                    outer.push(Place::Outer(*value));
                }
            }
        }
    }
    outer.truncate(MAX_OUTER);
    outer
}

/// How far things move in a round, and in which ratio.
fn growths(body: &Body, head: Block, inner: &[Place]) -> Vec<Fact> {
    let mut found: Vec<Fact> = Vec::new();
    for &a in inner {
        for relation in [Relation::SignedAtMost, Relation::AtMost] {
            found.push(vec![vec![(a, Atom::Since(relation))]]);
            found.push(vec![vec![(a, Atom::Before(relation))]]);
        }
    }
    let step = |place: Place| match place {
        Place::Param(index) => step_of(body, head, index),
        Place::Cell(..)
        | Place::Offset(_)
        | Place::Outer(_)
        | Place::Number(..)
        | Place::Formula(..)
        | Place::Ghost(_)
        | Place::Element(..) => None,
    };
    for (index, &a) in inner.iter().enumerate() {
        for &b in &inner[..index] {
            if width(body, head, a) != width(body, head, b) {
                continue;
            }
            let mut ratios = vec![(1, 1), (1, -1)];
            if let (Some(by), Some(other)) = (step(a), step(b)) {
                ratios.push((other, by));
            }
            ratios.dedup();
            for (times, of_other) in ratios {
                if times != 0 && of_other != 0 {
                    found.push(vec![vec![(a, Atom::Grown(times, b, of_other))]]);
                }
            }
        }
    }
    found
}

/// By how much a parameter grows in each round, if that is a constant.
pub fn step_of(body: &Body, head: Block, index: usize) -> Option<i64> {
    let param = body.blocks[head].params[index];
    let mut found = None;
    for data in body.blocks.values() {
        for target in data.terminator.targets() {
            if target.block == head
                && let Some(by) = distance(body, &target.args[index], param, 0)
            {
                if by != 0 && found.is_some_and(|known| known != by) {
                    return None;
                }
                if by != 0 {
                    found = Some(by);
                }
            }
        }
    }
    found
}

/// By how much an operand is more than a value, on a way on which it is.
fn distance(body: &Body, operand: &Operand, from: ir::syntax::Value, depth: u32) -> Option<i64> {
    let value = operand.as_value()?;
    if value == from {
        return Some(0);
    }
    if depth > 6 {
        return None;
    }
    let constant = |operand: &Operand| match operand {
        Operand::Const(ir::syntax::Const::Int(bv)) => bv.to_i64(),
        Operand::Const(_) | Operand::Value(_) => None,
    };
    match body.values[value].def {
        Def::Result(inst, _) => match &body.insts[inst].op {
            Op::Binary(BinaryOp::Add, a, b) => {
                distance(body, a, from, depth + 1)?.checked_add(constant(b)?)
            }
            Op::Binary(BinaryOp::Sub, a, b) => {
                distance(body, a, from, depth + 1)?.checked_sub(constant(b)?)
            }
            Op::Copy(a) => distance(body, a, from, depth + 1),
            _ => None,
        },
        Def::BlockParam(block, index) => {
            let targets = body
                .blocks
                .values()
                .flat_map(|data| data.terminator.targets())
                .filter(|target| target.block == block);
            let found: Vec<Option<i64>> = targets
                .map(|target| distance(body, &target.args[index as usize], from, depth + 1))
                .collect();
            found.into_iter().flatten().find(|&by| by != 0)
        }
        Def::Param(_) => None,
    }
}
