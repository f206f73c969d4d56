//! Obligations of checks that are switched off go, each as its registry entry says.
//!
//! | when off | what happens |
//! |---|---|
//! | drop | the check goes: the operation has its total meaning |
//! | assume | the check becomes an assumption |
//! | any | an access that only reads: the check goes, the read gives any value; a write: assumed |
//! | keep | nothing: it cannot be switched off |
//!
//! Where dropping would let an execution run into `halt dead`, which stands for "cannot happen", the
//! check becomes an assumption as well: what the operation would have done is gone from the
//! program. The ledger names every check that was off at some place, and what that meant.

use std::collections::BTreeSet;

use base::Map;
use checks::registry::WhenOff;
use ir::syntax::{
    Access, Block, Body, HaltKind, Module, Obligation, ObligationData, Op, Operand, Origin,
    Terminator,
};

use crate::edit;
use crate::fold::is_false;
use crate::pass::{Config, Error, Pass};

/// See the module.
pub struct SelectChecks;

impl Pass for SelectChecks {
    fn name(&self) -> &'static str {
        "select-checks"
    }

    fn about(&self) -> &'static str {
        "Drops the obligations of checks that are off, or assumes them, and notes it."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        let off: Map<Obligation, Option<WhenOff>> = module
            .obligations
            .values()
            .map(|data| when_off(config, data))
            .collect();
        let mut done = BTreeSet::new();
        for func in module.funcs.values_mut() {
            if let Some(body) = &mut func.body {
                select(body, &off, &mut done);
            }
        }
        let mut sentences = BTreeSet::new();
        for (obligation, what) in done {
            let check = module.obligations[obligation].check;
            sentences.insert(match what {
                Done::Dropped => {
                    format!("check {check} is off: executions go on where it would fail")
                }
                Done::Assumed => {
                    format!("check {check} is off: executions where it would fail do not count")
                }
            });
        }
        for sentence in sentences {
            edit::note(module, sentence);
        }
        Ok(())
    }
}

/// What is to happen to the obligation, if its check is off.
pub(super) fn when_off(config: &Config, data: &ObligationData) -> Option<WhenOff> {
    let when_off = data.check.check().when_off;
    let on = config.checks.contains(&data.check) || when_off == WhenOff::Keep;
    (!on).then_some(when_off)
}

/// What became of an obligation that is off.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Done {
    Dropped,
    Assumed,
}

fn select(
    body: &mut Body,
    off: &Map<Obligation, Option<WhenOff>>,
    done: &mut BTreeSet<(Obligation, Done)>,
) {
    let mut changed = false;
    for block in body.blocks.keys() {
        let mut kept = Vec::with_capacity(body.blocks[block].insts.len());
        for inst in edit::take_insts(body, block) {
            let Op::Check(obligation, cond) = &body.insts[inst].op else {
                kept.push(inst);
                continue;
            };
            let (obligation, cond) = (*obligation, cond.clone());
            let Some(when_off) = off[obligation] else {
                kept.push(inst);
                continue;
            };
            changed = true;
            let what = if drops(body, block, when_off, &cond) {
                Done::Dropped
            } else {
                body.insts[inst].op = Op::Assume(cond, Origin::Unchecked);
                kept.push(inst);
                Done::Assumed
            };
            done.insert((obligation, what));
        }
        body.blocks[block].insts = kept;
    }
    if changed {
        edit::tidy_in_place(body);
    }
}

/// May the check simply go?
fn drops(body: &Body, block: Block, when_off: WhenOff, cond: &Operand) -> bool {
    let only_reads = match cond {
        Operand::Value(value) => body.def_inst(*value).is_some_and(|data| {
            matches!(
                data.op,
                Op::IsDeref {
                    access: Access::Read,
                    ..
                }
            )
        }),
        Operand::Const(_) => false,
    };
    let ends = is_false(cond) && body.blocks[block].terminator == Terminator::Halt(HaltKind::Dead);
    match when_off {
        WhenOff::Drop => !ends,
        WhenOff::Any => only_reads && !ends,
        WhenOff::Assume | WhenOff::Keep => false,
    }
}
