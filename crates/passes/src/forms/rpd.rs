//! Reduced pure data flow: the cone of influence of the assumption and the check.
//!
//! Nothing in pure data flow has an effect but the two of them, so whatever they do not depend on
//! can go: stores that are never read, allocations, free choices, notes for people. The marks of
//! the selectors stay; they are part of the check. Where unknown code is called, so do the call and what makes an address a number,
//! used or not: unknown code may then change the object, or come back with a pointer to it.

use base::Map;
use ir::syntax::{Body, CastOp, Def, Inst, Module, Op, Phase, Var, VarData};

use super::{expect_sasa, is_selector};
use crate::edit;
use crate::pass::{self, Config, Error, Pass};

/// See the module.
pub struct ReducedPureDataflow;

impl Pass for ReducedPureDataflow {
    fn name(&self) -> &'static str {
        "rpd"
    }

    fn about(&self) -> &'static str {
        "Keeps only what the assumption and the check depend on."
    }

    fn run(&self, module: &mut Module, _config: &Config) -> Result<(), Error> {
        pass::expect_phase(self.name(), Phase::Unrolled, module)?;
        let vars = &module.vars;
        for body in module.funcs.values_mut().filter_map(|f| f.body.as_mut()) {
            expect_sasa(body, self.name())?;
            if body.blocks.len() != 1 {
                return Err(Error::WrongForm {
                    pass: self.name(),
                    missing: "pure data flow: one block",
                });
            }
            slice(body, vars);
        }
        Ok(())
    }
}

fn slice(body: &mut Body, vars: &Map<Var, VarData>) {
    let entry = body.entry();
    let mut kept: Map<Inst, bool> = Map::filled(false, body.insts.len());
    let mut work: Vec<Inst> = Vec::new();
    let foreign = body
        .insts
        .values()
        .any(|inst| matches!(inst.op, Op::Clobber(_) | Op::Show(_)));
    for &inst in &body.blocks[entry].insts {
        let op = &body.insts[inst].op;
        if matches!(
            op,
            Op::Assume(..) | Op::Check(..) | Op::Clobber(_) | Op::Show(_)
        ) || is_selector(vars, op)
            || foreign && matches!(op, Op::Cast(CastOp::PtrToInt, ..) | Op::Load { .. })
        {
            kept[inst] = true;
            work.push(inst);
        }
    }
    while let Some(inst) = work.pop() {
        for value in body.insts[inst].uses() {
            if let Def::Result(def, _) = body.values[value].def
                && !kept[def]
            {
                kept[def] = true;
                work.push(def);
            }
        }
    }
    body.blocks[entry].insts.retain(|&inst| kept[inst]);
    edit::tidy_in_place(body);
}
