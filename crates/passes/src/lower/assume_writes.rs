//! With the check `deref` off, a write outside of live objects is something that is not modelled.
//!
//! A read outside of a live object gives any value; a write there would have to change anything
//! else. It is an obligation `unsupported`: violations are looked for without it, and there is no
//! proof if it can be reached. Writes to a constant place inside a global need none.

use ir::syntax::{Access, Body, Const, Func, Module, Op, Operand, Type};

use crate::edit::{self, Obligations};
use crate::pass::{Config, Error, Pass};

/// See the module.
pub struct AssumeWrites;

impl Pass for AssumeWrites {
    fn name(&self) -> &'static str {
        "assume-writes"
    }

    fn about(&self) -> &'static str {
        "Says that writes outside of live objects are not modelled where the check deref is off."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        if config.checks.contains("deref") {
            return Ok(());
        }
        let mut obligations = Obligations::new(module);
        for func in module.funcs.keys() {
            let Some(mut body) = module.funcs[func].body.take() else {
                continue;
            };
            guard(module, func, &mut body, &mut obligations);
            module.funcs[func].body = Some(body);
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

fn guard(module: &mut Module, func: Func, body: &mut Body, obligations: &mut Obligations) {
    let mut changed = false;
    for block in body.blocks.keys() {
        let mut guarded = Vec::new();
        let mut guards = Vec::new();
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
                let name = module.funcs[func].name.clone();
                let text = "a write outside of live objects".to_owned();
                let obligation = obligations.add(module, &name, "unsupported", text, place);
                // Whoever goes on after a violated check does not go on from here.
                for op in [
                    Op::Check(obligation, answer.into()),
                    Op::Assume(answer.into()),
                ] {
                    guards.push(body.new_inst(op, Vec::new(), place, module.machine));
                }
                guarded.push(question);
                guarded.append(&mut guards);
                changed = true;
            }
            guarded.push(inst);
        }
        body.blocks[block].insts = guarded;
    }
    if changed {
        edit::tidy_in_place(body);
    }
}
