//! Phases of a loop: it asks in each round whether a number that it carries is below a constant, and does one thing while it is and
//! another one afterwards.
//!
//! ```text
//!   while (x < 100) { if (x >= 50) y++; x++; }      x < 50 and y is 50,  or  x >= 50 and y is x
//! ```
//!
//! What holds in both phases says little of either. So states at the head are parted where the loop changes its mind, and not joined
//! across. A question that decides whether the loop is left is none of these: behind it there is no second phase.

use std::collections::BTreeSet;

use ir::cfg::Cfg;
use ir::loops::{Loop, Loops, Shape};
use ir::syntax::{Block, Body, CastOp, CompareOp, Const, Op, Operand, Terminator, Value};

use crate::domains::Int;
use crate::domains::view::{self, View};

/// More phases of one loop are not told apart.
const MAX: usize = 3;

/// A number is below a constant in the first phase, and not in the second.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Phase {
    /// The head's parameter.
    pub param: Value,
    /// How it is read.
    pub view: View,
    /// The least number of the second phase.
    pub bound: i128,
}

impl Phase {
    /// Are all these numbers below? None if some are and some are not.
    pub fn of(&self, x: &Int) -> Option<bool> {
        let (low, high) = view::range(x, self.view);
        match (high < self.bound, low >= self.bound) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            (false, false) => None,
        }
    }

    /// The numbers of a phase.
    pub fn numbers(&self, below: bool, width: u32) -> Option<Int> {
        let (least, most) = view::limits(width, self.view);
        match below {
            true => view::between(least, self.bound - 1, width, self.view),
            false => view::between(self.bound, most, width, self.view),
        }
    }
}

/// The phases of a body's loops, with the heads at which states are parted.
pub fn phases(body: &Body) -> Vec<(Block, Phase)> {
    let loops = Loops::new(&Cfg::new(body));
    let mut found = Vec::new();
    for (own, data) in loops.loops.iter() {
        if data.shape == Shape::Natural {
            let head = data.header;
            found.extend(
                of_loop(body, &loops, own)
                    .into_iter()
                    .map(|one| (head, one)),
            );
        }
    }
    found
}

fn of_loop(body: &Body, loops: &Loops, own: Loop) -> Vec<Phase> {
    let params = &body.blocks[loops.loops[own].header].params;
    let mut deciding: BTreeSet<Value> = BTreeSet::new();
    let mut leaving: BTreeSet<Value> = BTreeSet::new();
    for &block in loops.blocks(own) {
        let data = &body.blocks[block];
        for &inst in &data.insts {
            // A truth value is also added as a number.
            if let Op::Select(Operand::Value(cond), ..)
            | Op::Cast(CastOp::ZExt | CastOp::SExt, Operand::Value(cond), _) =
                &body.insts[inst].op
            {
                deciding.insert(*cond);
            }
        }
        if let Terminator::Branch(Operand::Value(cond), yes, no) = &data.terminator {
            let stays = [yes, no].map(|target| loops.contains(own, target.block));
            match stays {
                [true, true] => deciding.insert(*cond),
                _ => leaving.insert(*cond),
            };
        }
    }
    let mut found = Vec::new();
    for &cond in deciding.difference(&leaving) {
        let Some(phase) = body.def_inst(cond).and_then(|data| question(&data.op)) else {
            continue;
        };
        if params.contains(&phase.param) && !found.contains(&phase) && found.len() < MAX {
            found.push(phase);
        }
    }
    found
}

/// What a comparison with a constant asks.
fn question(op: &Op) -> Option<Phase> {
    let Op::Compare(op, a, b) = op else {
        return None;
    };
    let (view, or_equal) = match op {
        CompareOp::Ult => (View::Unsigned, false),
        CompareOp::Ule => (View::Unsigned, true),
        CompareOp::Slt => (View::Signed, false),
        CompareOp::Sle => (View::Signed, true),
        _ => return None, // Does not ask for an order of integers.
    };
    let number = |constant: &Const| {
        let Const::Int(bv) = constant else {
            return None;
        };
        match view {
            View::Signed => bv.to_i64().map(i128::from),
            View::Unsigned => bv.to_u64().map(i128::from),
        }
    };
    let (param, bound) = match (a, b) {
        (Operand::Value(param), Operand::Const(constant)) => {
            (*param, number(constant)? + i128::from(or_equal))
        }
        (Operand::Const(constant), Operand::Value(param)) => {
            (*param, number(constant)? + i128::from(!or_equal))
        }
        _ => return None, // Not a register and a constant.
    };
    Some(Phase { param, view, bound })
}
