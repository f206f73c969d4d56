//! A program of which some obligations are asked for, and the others are not.
//!
//! A check that fails ends the execution, asked for or not: whatever comes behind it has passed it. So the checks of the others
//! become assumptions, and an obligation has the same status as if all had been asked for. Where executions go on after a
//! violation, the checks go.

use base::Map;
use ir::syntax::{Module, NondetKind, Obligation, Op, Origin, Type};

use crate::edit;

/// What an execution does at a check that nobody asks for, and that fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// It ends.
    End,
    /// It goes on.
    GoOn,
}

/// Makes the obligations that are asked for fail, or not, as it is chosen, wherever an execution comes to them: what is proved of the
/// program that is left, nothing comes to. One that always failed would hide those behind it. Executions end at the checks of the others, if
/// these fail.
pub fn ask_whether_reached(module: &mut Module, asked: &Map<Obligation, bool>) {
    ask_only(module, asked, Others::End);
    let machine = module.machine;
    let funcs = module.funcs.values_mut();
    for body in funcs.filter_map(|func| func.body.as_mut()) {
        for block in body.blocks.keys() {
            for inst in edit::take_insts(body, block) {
                if let Op::Check(obligation, _) = body.insts[inst].op {
                    let choice = Op::Nondet(Type::BOOL, NondetKind::Input);
                    let holds = body.append_one(block, choice, machine);
                    body.insts[inst].op = Op::Check(obligation, holds.into());
                }
                body.blocks[block].insts.push(inst);
            }
        }
        edit::tidy_in_place(body);
    }
}

/// Leaves the obligations that are asked for; the rest goes from the table. The module has no facts, which might rest on it.
pub fn ask_only(module: &mut Module, asked: &Map<Obligation, bool>, others: Others) {
    assert!(module.facts.is_empty(), "facts may rest on any obligation");
    let funcs = module.funcs.values_mut();
    for body in funcs.filter_map(|func| func.body.as_mut()) {
        for block in body.blocks.keys() {
            let mut kept = Vec::with_capacity(body.blocks[block].insts.len());
            for inst in edit::take_insts(body, block) {
                if let Op::Check(obligation, cond) = &body.insts[inst].op
                    && !asked[*obligation]
                {
                    match others {
                        Others::End => {
                            body.insts[inst].op = Op::Assume(cond.clone(), Origin::Unchecked);
                        }
                        Others::GoOn => continue,
                    }
                }
                kept.push(inst);
            }
            body.blocks[block].insts = kept;
        }
        edit::tidy_in_place(body);
    }
    edit::keep_obligations(module, asked);
}
