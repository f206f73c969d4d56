//! The five forms of SeaBMC on Unrolled IR, each continuing where the one before ended.
//!
//! | form | what is true of it |
//! |---|---|
//! | SA | one check, in the last block: no selector bit is set; a bit for each obligation |
//! | SASA | and one assumption, directly before it |
//! | GSSA | and no block parameters: selects, gated by edge conditions |
//! | PD | and one block |
//! | RPD | and nothing in it that the assumption or the check does not depend on |
//!
//! Source: Priya, Su, Bao, Zhou, Vizel, Gurfinkel, *Bounded model checking for LLVM*, FMCAD 2022.
//! Where we differ: the paper turns its last assertion into an assumption and asserts `false`,
//! which loses which assertion failed; ours keeps a selector bit for each obligation and asserts
//! that none is set, so that one program answers for every obligation.
//!
//! From GSSA on, what is not taken is executed as well. That is harmless: every operation is total,
//! and memory is a value, so that a store on an untaken path makes a version that no select
//! chooses. Free choices and allocations on untaken paths are events that a trace of the original
//! program does not have; who reads a counterexample off these forms drops them.

pub mod gssa;
pub mod pd;
pub mod rpd;
pub mod sa;
pub mod sasa;

use base::Map;
use ir::syntax::{
    Block, BlockData, Body, Func, Inst, Module, Obligation, Op, Operand, Terminator, Var, VarData,
};

use crate::pass::Error;

/// What the source type of a selector's variable says.
pub(crate) const SELECTOR: &str = "selector";

/// The selector bits of a function in one of the forms: the obligation, and the bit that says that
/// it is violated. They are marked by variables named like the obligation (`o3`).
pub fn selectors(module: &Module, func: Func) -> Vec<(Obligation, Operand)> {
    let Some(body) = &module.funcs[func].body else {
        return Vec::new();
    };
    let marked = body.insts_in_order().filter_map(|(_, inst)| {
        let Op::Debug { var, value, .. } = &body.insts[inst].op else {
            return None;
        };
        let data = &module.vars[*var];
        let number = data.name.strip_prefix('o')?.parse().ok()?;
        let is_selector = data.ty == SELECTOR;
        is_selector.then(|| (Obligation::from_index(number), value.clone()))
    });
    marked.collect()
}

/// Is the instruction a selector's mark?
pub(crate) fn is_selector(vars: &Map<Var, VarData>, op: &Op) -> bool {
    match op {
        Op::Debug { var, .. } => vars[*var].ty == SELECTOR,
        _ => false, // Only `debug` marks.
    }
}

/// The block of a single-assert body that holds its check: the last one, where every path ends.
pub(crate) fn error_block(body: &Body, pass: &'static str) -> Result<(Block, Inst), Error> {
    let wrong = Error::WrongForm {
        pass,
        missing: "a single check, in the block where every path ends",
    };
    let mut checks = body
        .insts_in_order()
        .filter(|&(_, inst)| matches!(body.insts[inst].op, Op::Check(..)));
    let (Some((block, inst)), None) = (checks.next(), checks.next()) else {
        return Err(wrong);
    };
    let ends = |(at, data): (Block, &BlockData)| match data.terminator {
        Terminator::Return(_) | Terminator::Halt(_) => at == block,
        Terminator::Jump(_) | Terminator::Branch(..) | Terminator::Switch(..) => at != block,
    };
    if body.blocks.iter().all(ends) && body.blocks[block].insts.last() == Some(&inst) {
        Ok((block, inst))
    } else {
        Err(wrong)
    }
}

/// Refuses a body that is not in SASA form: its only assumption directly before its only check.
pub(crate) fn expect_sasa(body: &Body, pass: &'static str) -> Result<(), Error> {
    let (block, _) = error_block(body, pass)?;
    let is_assume = |inst: Inst| matches!(body.insts[inst].op, Op::Assume(..));
    let assumes = body.insts_in_order().filter(|&(_, inst)| is_assume(inst));
    let before = body.blocks[block].insts.iter().rev().nth(1);
    if assumes.count() == 1 && before.is_some_and(|&inst| is_assume(inst)) {
        Ok(())
    } else {
        Err(Error::WrongForm {
            pass,
            missing: "a single assumption, directly before the check",
        })
    }
}
