//! A branch around a block that only fails becomes a check with a condition.
//!
//! ```text
//! b0: branch v1, b2, b1         b0: check o0, v1
//! b1: check o0, 0                   jump b2
//!     halt abort
//! ```
//!
//! The same goes for `assume 0`. This keeps joins and block conditions away from the engines: the
//! front end makes one such block for every obligation of the sanitizer. The two forms differ where
//! the execution would go on after the check: in continue mode, and if the check is switched off.
//! Then a block that ends the execution by itself stays. An assertion stays too: whether an execution comes to it is of interest.

use base::Map;
use checks::registry::CheckId;
use ir::syntax::{
    BinaryOp, Block, Body, HaltKind, Machine, Module, Obligation, Op, Operand, Origin, PlaceId,
    Target, Terminator,
};

use super::select_checks::when_off;
use crate::edit;
use crate::fold::is_false;
use crate::pass::{Config, Error, Pass};

/// See the module.
pub struct StraightenChecks;

impl Pass for StraightenChecks {
    fn name(&self) -> &'static str {
        "straighten-checks"
    }

    fn about(&self) -> &'static str {
        "Turns branches to blocks that only fail into checks with a condition."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        if config.continue_after_failure {
            return Ok(());
        }
        let machine = module.machine;
        let ways: Map<Obligation, Way> = module
            .obligations
            .values()
            .map(|data| match (data.check, when_off(config, data)) {
                (CheckId::Assert, _) => Way::Never,
                (_, None) => Way::Always,
                (_, Some(_)) => Way::IfItEnds,
            })
            .collect();
        for func in module.funcs.values_mut() {
            if let Some(body) = &mut func.body {
                straighten(body, &ways, machine);
            }
        }
        Ok(())
    }
}

/// When branches to a check that fails become checks with a condition.
#[derive(Clone, Copy)]
enum Way {
    Always,
    /// With the check off, a block that aborts must go on aborting.
    IfItEnds,
    /// Whether an execution comes to an assertion is of interest too: it stays where it stands.
    Never,
}

/// How an execution ends at the beginning of a block, whatever follows.
#[derive(Clone, Copy)]
enum End {
    Violates(Obligation),
    DoesNotCount(Origin),
}

fn straighten(body: &mut Body, ways: &Map<Obligation, Way>, machine: Machine) {
    let blocks = body.blocks.keys();
    let ends: Map<Block, Option<(End, Option<PlaceId>)>> =
        blocks.map(|block| end(body, block, ways)).collect();
    let mut changed = false;
    for block in body.blocks.keys() {
        let Terminator::Branch(cond, yes, no) = &body.blocks[block].terminator else {
            continue;
        };
        let (cond, yes, no) = (cond.clone(), yes.clone(), no.clone());
        if let Some((end, place)) = ends[no.block] {
            require(body, block, cond, end, place, yes, machine);
        } else if let Some((end, place)) = ends[yes.block] {
            let op = Op::Binary(BinaryOp::Xor, cond, Operand::bool(true));
            let inst = body.append(block, op, Vec::new(), place, machine);
            let negated = body.insts[inst].results[0].into();
            require(body, block, negated, end, place, no, machine);
        } else {
            continue;
        }
        changed = true;
    }
    if changed {
        edit::tidy_in_place(body);
    }
}

/// How the block ends the execution before doing anything else, if it does, and where.
fn end(body: &Body, block: Block, ways: &Map<Obligation, Way>) -> Option<(End, Option<PlaceId>)> {
    let dead = body.blocks[block].terminator == Terminator::Halt(HaltKind::Dead);
    for &inst in &body.blocks[block].insts {
        let data = &body.insts[inst];
        match &data.op {
            Op::Debug { .. } => {}
            Op::Check(obligation, cond) if is_false(cond) => {
                return match ways[*obligation] {
                    Way::Always => Some((End::Violates(*obligation), data.place)),
                    Way::IfItEnds if dead => Some((End::Violates(*obligation), data.place)),
                    Way::IfItEnds | Way::Never => None,
                };
            }
            Op::Assume(cond, origin) if is_false(cond) => {
                return Some((End::DoesNotCount(*origin), data.place));
            }
            _ => return None, // Something happens first.
        }
    }
    None
}

/// Ends the block with the condition and a jump to where it holds.
fn require(
    body: &mut Body,
    block: Block,
    cond: Operand,
    end: End,
    place: Option<PlaceId>,
    target: Target,
    machine: Machine,
) {
    let op = match end {
        End::Violates(obligation) => Op::Check(obligation, cond),
        End::DoesNotCount(origin) => Op::Assume(cond, origin),
    };
    body.append(block, op, Vec::new(), place, machine);
    body.blocks[block].terminator = Terminator::Jump(target);
}
