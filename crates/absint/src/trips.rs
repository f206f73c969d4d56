//! Loops that go round a few times only, by the look of them: a parameter that starts at a constant, moves by a constant, and is
//! compared to a constant. A guess that decides how a loop is treated, never what is true of it.

use std::collections::BTreeSet;

use ir::loops::{Loop, Loops};
use ir::syntax::{BinaryOp, Block, Body, Const, Def, Op, Operand, Terminator, Value};

/// More rounds than these are many.
const FEW: i64 = 40;

fn constant(operand: &Operand) -> Option<i64> {
    match operand {
        Operand::Const(Const::Int(bv)) => bv.to_i64(),
        Operand::Const(_) | Operand::Value(_) => None,
    }
}

/// The heads of loops with few rounds.
pub fn few(body: &Body, loops: &Loops) -> BTreeSet<Block> {
    let heads = loops.loops.keys();
    heads
        .filter(|&own| rounds(body, loops, own).is_some_and(|rounds| rounds <= FEW))
        .map(|own| loops.loops[own].header)
        .collect()
}

fn rounds(body: &Body, loops: &Loops, own: Loop) -> Option<i64> {
    let head = loops.loops[own].header;
    let mut best: Option<i64> = None;
    for (index, &param) in body.blocks[head].params.iter().enumerate() {
        let (mut start, mut step) = (None, None);
        let mut regular = true;
        for (block, data) in body.blocks.iter() {
            for target in data.terminator.targets() {
                if target.block != head {
                    continue;
                }
                let arg = &target.args[index];
                if loops.contains(own, block) {
                    match moves(body, arg, param) {
                        Some(by) if step.is_none_or(|known| known == by) => step = Some(by),
                        _ => regular = false,
                    }
                } else {
                    start = constant(arg);
                    regular &= start.is_some();
                }
            }
        }
        let (Some(start), Some(step), true) = (start, step, regular) else {
            continue;
        };
        if step == 0 {
            continue;
        }
        for bound in bounds(body, loops, own, param) {
            let distance = bound.checked_sub(start)?;
            let rounds = distance / step;
            if rounds >= 0 {
                best = Some(best.map_or(rounds, |known| known.min(rounds)));
            }
        }
    }
    best
}

/// By how much the operand is more than the parameter.
fn moves(body: &Body, operand: &Operand, param: Value) -> Option<i64> {
    let value = operand.as_value()?;
    if value == param {
        return Some(0);
    }
    match &body.def_inst(value)?.op {
        Op::Binary(BinaryOp::Add, Operand::Value(base), by) if *base == param => constant(by),
        Op::Binary(BinaryOp::Sub, Operand::Value(base), by) if *base == param => {
            constant(by)?.checked_neg()
        }
        _ => None,
    }
}

/// The constants that the parameter, or what it becomes, is compared to where the loop is left.
fn bounds(body: &Body, loops: &Loops, own: Loop, param: Value) -> Vec<i64> {
    let mut found = Vec::new();
    for &block in loops.blocks(own) {
        let Terminator::Branch(cond, yes, no) = &body.blocks[block].terminator else {
            continue;
        };
        if loops.contains(own, yes.block) && loops.contains(own, no.block) {
            continue;
        }
        let Some(value) = cond.as_value() else {
            continue;
        };
        let Def::Result(inst, _) = body.values[value].def else {
            continue;
        };
        if let Op::Compare(_, a, b) = &body.insts[inst].op {
            for (one, other) in [(a, b), (b, a)] {
                if moves(body, one, param).is_some() {
                    found.extend(constant(other));
                }
            }
        }
    }
    found
}
