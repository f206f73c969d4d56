//! With the check `deref` off, accesses go where they go.
//!
//! An address that belongs to no object is one of memory that is nobody's, with contents of its own.
//! Its first page and its last ones do not exist: an access there ends the execution, as it does on
//! the machine. A write through a pointer to an object that is dead, or not that large, would have to
//! change anything else: it is an obligation `unsupported`, so that violations are looked for without
//! it and there is no proof if it can be reached. (A read there gives any value.)

use ir::syntax::{Access, Body, Const, Def, Func, Module, Op, Operand, Type};

use crate::edit::{self, Obligations};
use crate::pass::{Config, Error, Pass};

/// See the module.
pub struct PlaceAccesses;

impl Pass for PlaceAccesses {
    fn name(&self) -> &'static str {
        "place-accesses"
    }

    fn about(&self) -> &'static str {
        "Says where accesses may go where the check deref is off."
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

/// The addresses and lengths that an instruction accesses, but those that certainly lie in an object.
fn accessed(module: &Module, body: &Body, op: &Op) -> Vec<(Operand, Operand)> {
    let machine = module.machine;
    let mut list = match op {
        Op::Load { ty, ptr, .. } | Op::Store { ty, ptr, .. } => {
            vec![(ptr.clone(), Operand::size(ty.bytes(machine), machine))]
        }
        Op::MemCopy { dst, src, len } => {
            vec![(dst.clone(), len.clone()), (src.clone(), len.clone())]
        }
        Op::MemCompare { left, right, len } => {
            vec![(left.clone(), len.clone()), (right.clone(), len.clone())]
        }
        Op::MemSet { dst, len, .. } | Op::MemHavoc { dst, len } => {
            vec![(dst.clone(), len.clone())]
        }
        _ => Vec::new(), // Not an access.
    };
    list.retain(|(ptr, _)| match ptr {
        Operand::Const(Const::Global(..)) => false,
        Operand::Const(_) => true,
        Operand::Value(value) => match body.values[*value].def {
            Def::Result(inst, _) => !matches!(body.insts[inst].op, Op::Alloc { .. }),
            Def::Param(_) | Def::BlockParam(..) => true,
        },
    });
    list
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
            let place = body.insts[inst].place;
            for (ptr, len) in accessed(module, body, &body.insts[inst].op) {
                let access = Access::Touch;
                let question = Op::IsDeref { ptr, len, access };
                let question = body.new_inst(question, Vec::new(), place, module.machine);
                let answer = body.insts[question].results[0];
                let assumption = Op::Assume(answer.into());
                guarded.push(question);
                guarded.push(body.new_inst(assumption, Vec::new(), place, module.machine));
                changed = true;
            }
            if let Some((ptr, len)) = written(module, &body.insts[inst].op) {
                let question = Op::IsDeref {
                    ptr,
                    len,
                    access: Access::Change,
                };
                let question = body.new_inst(question, Vec::new(), place, module.machine);
                let answer = body.insts[question].results[0];
                let name = module.funcs[func].name.clone();
                let text = "a write outside of a live object".to_owned();
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
