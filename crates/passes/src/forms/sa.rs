//! Single assert: a failing check jumps to one error block, which holds the only check left.
//!
//! ```text
//! b0:                         b0:
//!     check o0, v1                branch v1, b1, b2(1, 0)
//!     check o1, v2            b1:
//!     return                      branch v2, b3, b2(0, 1)
//!                             b3:
//!                                 jump b2(0, 0)
//!                             b2(v5: i1, v6: i1):
//!                                 v7 = or.i1 v5, v6
//!                                 v8 = xor.i1 v7, 1
//!                                 check o2, v8
//!                                 return
//! ```
//!
//! The error block's parameters are the selector bits, one for each obligation. Every edge into it
//! passes all bits, so with thousands of obligations it would be quadratic; then the edges first
//! meet in groups of eight obligations, eight groups meet in the next, and so on: n log n.

use checks::registry::CheckId;
use std::collections::BTreeMap;

use ir::syntax::{
    BinaryOp, Block, Body, DebugKind, HaltKind, Module, Obligation, ObligationData, Op, Operand,
    Phase, Show, Standing, Target, Terminator, Type, Value, Var, VarData,
};

use super::SELECTOR;
use crate::edit;
use crate::fold::{is_false, is_true};
use crate::pass::{self, Config, Error, Pass};

/// So many obligations, or groups of them, meet in one block.
const FAN: usize = 8;

/// See the module.
pub struct SingleAssert;

impl Pass for SingleAssert {
    fn name(&self) -> &'static str {
        "sa"
    }

    fn about(&self) -> &'static str {
        "Leaves one check, in an error block with a selector bit for each obligation."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        pass::expect_phase(self.name(), Phase::Unrolled, module)?;
        if config.continue_after_failure {
            return Err(Error::WrongForm {
                pass: self.name(),
                missing: "executions that end at the first violation",
            });
        }
        for func in module.funcs.keys() {
            if let Some(mut body) = module.funcs[func].body.take() {
                let name = module.funcs[func].name.clone();
                single_assert(module, &name, &mut body);
                module.funcs[func].body = Some(body);
            }
        }
        Ok(())
    }
}

fn single_assert(module: &mut Module, name: &str, body: &mut Body) {
    edit::tidy_in_place(body);
    let mut obligations: Vec<Obligation> = body
        .insts_in_order()
        .filter_map(|(_, inst)| match body.insts[inst].op {
            Op::Check(obligation, _) => Some(obligation),
            _ => None, // Nothing else is an obligation.
        })
        .collect();
    obligations.sort();
    obligations.dedup();
    let meeting = Meeting::new(body, &obligations);
    let mut order = Vec::new();
    let original: Vec<Block> = body.blocks.keys().take(meeting.first_block).collect();
    for block in original {
        order.push(block);
        split_checks(body, block, &meeting, &mut order);
    }
    order.extend(meeting.blocks.iter().rev());
    finish(module, name, body, &obligations, meeting.error);
    edit::tidy(body, &order);
    edit::renumber(body);
}

/// The blocks where failing edges meet.
struct Meeting {
    /// Blocks of the body before.
    first_block: usize,
    /// For each obligation the block that its failures jump to, and with which arguments.
    failure: BTreeMap<Obligation, Target>,
    /// Where executions go that violate nothing.
    success: Target,
    /// The error block.
    error: Block,
    /// All blocks made, the error block first.
    blocks: Vec<Block>,
}

impl Meeting {
    fn new(body: &mut Body, obligations: &[Obligation]) -> Meeting {
        let first_block = body.blocks.len();
        let error = body.new_block(&vec![Type::BOOL; obligations.len()]);
        let mut meeting = Meeting {
            first_block,
            failure: BTreeMap::new(),
            success: Target::with_args(error, bits(obligations.len(), None)),
            error,
            blocks: vec![error],
        };
        if obligations.len() > FAN {
            let done = body.new_block(&[]);
            body.blocks[done].terminator = Terminator::Jump(meeting.success);
            meeting.success = Target::new(done);
            meeting.blocks.push(done);
        }
        // Each piece of the list that is larger than a group is divided into up to eight groups,
        // whose blocks jump to the piece's.
        let mut work = vec![(error, obligations)];
        while let Some((block, piece)) = work.pop() {
            if piece.len() <= FAN {
                for (index, &obligation) in piece.iter().enumerate() {
                    let target = Target::with_args(block, bits(piece.len(), Some(index)));
                    meeting.failure.insert(obligation, target);
                }
                continue;
            }
            let mut size = FAN;
            while size * FAN < piece.len() {
                size *= FAN;
            }
            for (index, group) in piece.chunks(size).enumerate() {
                let inner = body.new_block(&vec![Type::BOOL; group.len()]);
                meeting.blocks.push(inner);
                let mut args = bits(piece.len(), None);
                for (offset, &param) in body.blocks[inner].params.iter().enumerate() {
                    args[index * size + offset] = param.into();
                }
                body.blocks[inner].terminator = Terminator::Jump(Target::with_args(block, args));
                work.push((inner, group));
            }
        }
        meeting
    }
}

/// So many selector bits, all 0 but perhaps one.
fn bits(count: usize, set: Option<usize>) -> Vec<Operand> {
    (0..count)
        .map(|index| Operand::bool(set == Some(index)))
        .collect()
}

/// Turns the checks of a block into branches, and its end, if it is one, into a jump.
fn split_checks(body: &mut Body, block: Block, meeting: &Meeting, order: &mut Vec<Block>) {
    let mut at = block;
    loop {
        let found = body.blocks[at]
            .insts
            .iter()
            .enumerate()
            .find_map(|(index, &inst)| {
                match &body.insts[inst].op {
                    Op::Check(obligation, cond) => Some((index, inst, *obligation, cond.clone())),
                    _ => None, // Only checks are split.
                }
            });
        let Some((index, inst, obligation, cond)) = found else {
            break;
        };
        if is_true(&cond) {
            body.blocks[at].insts.remove(index);
            continue;
        }
        let place = body.insts[inst].place;
        let rest = edit::split_after(body, at, index);
        body.blocks[at].insts.pop();
        body.blocks[at].place = place;
        let failure = meeting.failure[&obligation].clone();
        if is_false(&cond) {
            body.blocks[at].terminator = Terminator::Jump(failure);
            return;
        }
        body.blocks[at].terminator = Terminator::Branch(cond, Target::new(rest), failure);
        order.push(rest);
        at = rest;
    }
    match &body.blocks[at].terminator {
        Terminator::Return(_)
        | Terminator::Halt(HaltKind::Exit | HaltKind::Abort | HaltKind::Dead) => {
            body.blocks[at].terminator = Terminator::Jump(meeting.success.clone());
        }
        Terminator::Jump(_) | Terminator::Branch(..) | Terminator::Switch(..) => {}
    }
}

/// Fills the error block.
fn finish(
    module: &mut Module,
    name: &str,
    body: &mut Body,
    obligations: &[Obligation],
    error: Block,
) {
    let machine = module.machine;
    let bits: Vec<Value> = body.blocks[error].params.clone();
    for (&obligation, &bit) in obligations.iter().zip(&bits) {
        let var = selector_var(module, name, obligation);
        let mark = Op::Debug {
            var,
            value: bit.into(),
            kind: DebugKind::Value,
        };
        body.append(error, mark, Vec::new(), None, machine);
    }
    let mut any = Operand::bool(false);
    for (index, &bit) in bits.iter().enumerate() {
        any = match index {
            0 => bit.into(),
            _ => {
                let op = Op::Binary(BinaryOp::Or, any, bit.into());
                body.append_one(error, op, machine).into()
            }
        };
    }
    let none = if bits.is_empty() {
        Operand::bool(true)
    } else {
        let op = Op::Binary(BinaryOp::Xor, any, Operand::bool(true));
        body.append_one(error, op, machine).into()
    };
    let ids: Vec<String> = obligations.iter().map(Obligation::to_string).collect();
    let all = module.obligations.push(ObligationData {
        func: name.to_owned(),
        check: CheckId::Any,
        ordinal: 1,
        text: format!("none is violated: {}", ids.join(" ")),
        place: None,
        standing: Standing::Plain,
    });
    let check = Op::Check(all, none);
    body.append(error, check, Vec::new(), None, machine);
    body.blocks[error].terminator = Terminator::Halt(HaltKind::Exit);
}

fn selector_var(module: &mut Module, func: &str, obligation: Obligation) -> Var {
    module.vars.push(VarData {
        name: obligation.to_string(),
        ty: SELECTOR.to_owned(),
        show: Show::Bool,
        bits: 1,
        func: Some(func.to_owned()),
        place: module.obligations[obligation].place,
    })
}
