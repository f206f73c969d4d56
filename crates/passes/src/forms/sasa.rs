//! Single assume, single assert: all assumptions of a path become one register, which is assumed
//! directly before the check.
//!
//! An execution that violates an assumption now runs on; what it meets does not count, since the
//! register stays 0. A block takes the register over from its predecessors and gets a parameter
//! for it if they disagree.

use base::Map;
use ir::syntax::{BinaryOp, Block, Body, Machine, Module, Op, Operand, Origin, Phase, Type};

use super::error_block;
use crate::edit;
use crate::fold::is_true;
use crate::pass::{self, Config, Error, Pass};

/// See the module.
pub struct SingleAssume;

impl Pass for SingleAssume {
    fn name(&self) -> &'static str {
        "sasa"
    }

    fn about(&self) -> &'static str {
        "Merges all assumptions of a path into one, directly before the single check."
    }

    fn run(&self, module: &mut Module, _config: &Config) -> Result<(), Error> {
        pass::expect_phase(self.name(), Phase::Unrolled, module)?;
        let machine = module.machine;
        for func in module.funcs.values_mut() {
            if let Some(body) = &mut func.body {
                single_assume(body, machine)?;
            }
        }
        Ok(())
    }
}

fn single_assume(body: &mut Body, machine: Machine) -> Result<(), Error> {
    edit::tidy_in_place(body);
    let (error, _) = error_block(body, SingleAssume.name())?;
    let edges = edit::edges_into(body);
    let mut after: Map<Block, Operand> = Map::filled(Operand::bool(true), body.blocks.len());
    for block in ir::cfg::text_order(body) {
        let mut ends = edges[block].iter().map(|edge| &after[edge.from]);
        let first = ends.next().cloned().unwrap_or(Operand::bool(true));
        let mut assumed = first.clone();
        if !ends.all(|end| *end == first) {
            assumed = body.new_block_param(block, Type::BOOL).into();
            for edge in &edges[block] {
                let mut targets = body.blocks[edge.from].terminator.targets_mut();
                targets[edge.slot].args.push(after[edge.from].clone());
            }
        }
        for inst in edit::take_insts(body, block) {
            let Op::Assume(cond, _) = &body.insts[inst].op else {
                body.blocks[block].insts.push(inst);
                continue;
            };
            assumed = if is_true(&assumed) {
                cond.clone()
            } else {
                let both = Op::Binary(BinaryOp::And, assumed, cond.clone());
                let place = body.insts[inst].place;
                let both = body.append(block, both, Vec::new(), place, machine);
                body.insts[both].results[0].into()
            };
        }
        after[block] = assumed;
    }
    let assume = Op::Assume(after[error].clone(), Origin::Program);
    let assume = body.new_inst(assume, Vec::new(), None, machine);
    let last = body.blocks[error].insts.len() - 1;
    body.blocks[error].insts.insert(last, assume);
    edit::tidy_in_place(body);
    Ok(())
}
