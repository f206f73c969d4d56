//! With the check `deref` off, assumes that every write is valid.
//!
//! A read outside of a live object gives any value; a write there would have to change anything
//! else, so it is assumed not to happen, and the ledger says so. Writes to a constant place inside a
//! global need no assumption.

use ir::syntax::{Access, Body, Const, Module, Op, Operand, Type};

use crate::edit;
use crate::pass::{Config, Error, Pass};

/// See the module.
pub struct AssumeWrites;

impl Pass for AssumeWrites {
    fn name(&self) -> &'static str {
        "assume-writes"
    }

    fn about(&self) -> &'static str {
        "Assumes that writes are valid where the check deref is off."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        if config.checks.contains("deref") {
            return Ok(());
        }
        let mut assumed = false;
        for func in module.funcs.keys() {
            let Some(mut body) = module.funcs[func].body.take() else {
                continue;
            };
            assumed |= assume(module, &mut body);
            module.funcs[func].body = Some(body);
        }
        if assumed {
            let note = "writes outside of live objects are assumed not to happen".to_owned();
            if !module.notes.contains(&note) {
                module.notes.push(note);
            }
        }
        Ok(())
    }
}

/// The address and length that an instruction writes.
fn written(module: &Module, op: &Op) -> Option<(Operand, Operand)> {
    match op {
        Op::Store { ty, ptr, .. } => {
            let bytes = ty.bytes(module.machine);
            (!inside_global(module, ptr, *ty))
                .then(|| (ptr.clone(), Operand::size(bytes, module.machine)))
        }
        Op::MemCopy { dst, len, .. } | Op::MemSet { dst, len, .. } | Op::MemHavoc { dst, len } => {
            Some((dst.clone(), len.clone()))
        }
        _ => None, // Not a write, or one that makes or ends an object.
    }
}

/// Is the write certainly inside a global that may be written?
fn inside_global(module: &Module, ptr: &Operand, ty: Type) -> bool {
    let Operand::Const(Const::Global(global, offset)) = ptr else {
        return false;
    };
    let data = &module.globals[*global];
    let end = u64::try_from(*offset)
        .ok()
        .and_then(|start| start.checked_add(ty.bytes(module.machine)));
    !data.constant && end.is_some_and(|end| end <= data.size)
}

fn assume(module: &Module, body: &mut Body) -> bool {
    let mut changed = false;
    for block in body.blocks.keys() {
        let mut guarded = Vec::new();
        for inst in edit::take_insts(body, block) {
            if let Some((ptr, len)) = written(module, &body.insts[inst].op) {
                let place = body.insts[inst].place;
                let question = Op::IsDeref {
                    ptr,
                    len,
                    access: Access::Write,
                };
                let question = body.new_inst(question, Vec::new(), place, module.machine);
                let answer = body.insts[question].results[0];
                let assumption = Op::Assume(answer.into());
                guarded.push(question);
                guarded.push(body.new_inst(assumption, Vec::new(), place, module.machine));
                changed = true;
            }
            guarded.push(inst);
        }
        body.blocks[block].insts = guarded;
    }
    if changed {
        edit::tidy_in_place(body);
    }
    changed
}
