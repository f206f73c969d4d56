//! With the check `deref` off, accesses go where they go.
//!
//! An address that belongs to no object is one of memory that is nobody's, with contents of its own.
//! Its first page and its last ones do not exist: an access there ends the execution, as it does on
//! the machine. An access through a pointer to an object that is dead, or not that large, would have to
//! read or change anything else: it is an obligation `unsupported`, so that violations are looked for
//! without it and there is no proof if it can be reached. Where the program claims nothing that was asked for, whatever LLVM has made
//! of it since, nothing can be wrong behind such an access, and it is no obligation.

use checks::registry::CheckId;
use ir::syntax::{Access, Body, Const, Func, Module, Op, Operand, Origin, Type};

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
        if config.checks.contains(&CheckId::Deref) {
            return Ok(());
        }
        let mut all = module.obligations.values();
        let claims = all.any(|data| {
            data.check.check().property.is_some() && config.checks.contains(&data.check)
        });
        let mut obligations = Obligations::new(module);
        for func in module.funcs.keys() {
            let Some(mut body) = module.funcs[func].body.take() else {
                continue;
            };
            guard(module, func, &mut body, claims.then_some(&mut obligations));
            module.funcs[func].body = Some(body);
        }
        Ok(())
    }
}

/// The addresses and lengths that an instruction accesses, but those that certainly lie in a global.
fn accessed(module: &Module, op: &Op) -> Vec<(Operand, Operand, Access)> {
    let size = |ty: &Type| Operand::size(ty.bytes(module.machine), module.machine);
    let (look, change) = (Access::Look, Access::Change);
    let mut list = match op {
        Op::Load { ty, ptr, .. } => vec![(ptr, size(ty), look)],
        Op::Store { ty, ptr, .. } => vec![(ptr, size(ty), change)],
        Op::MemCopy { dst, src, len } => {
            vec![(dst, len.clone(), change), (src, len.clone(), look)]
        }
        Op::MemCompare { left, right, len } => {
            vec![(left, len.clone(), look), (right, len.clone(), look)]
        }
        Op::MemSet { dst, len, .. } | Op::MemHavoc { dst, len } => {
            vec![(dst, len.clone(), change)]
        }
        _ => Vec::new(), // Not an access, or one that makes or ends an object.
    };
    list.retain(|(ptr, len, access)| !inside_global(module, ptr, len, *access));
    let owned = list.into_iter();
    owned
        .map(|(ptr, len, access)| (ptr.clone(), len, access))
        .collect()
}

/// Is the access certainly inside a global, and allowed?
fn inside_global(module: &Module, ptr: &Operand, len: &Operand, access: Access) -> bool {
    let (Operand::Const(Const::Global(global, offset)), Operand::Const(Const::Int(len))) =
        (ptr, len)
    else {
        return false;
    };
    let data = &module.globals[*global];
    let end = u64::try_from(*offset)
        .ok()
        .zip(len.to_u64())
        .and_then(|(start, len)| start.checked_add(len));
    let allowed = !data.constant || access == Access::Look;
    allowed && end.is_some_and(|end| end <= data.size)
}

fn guard(
    module: &mut Module,
    func: Func,
    body: &mut Body,
    mut obligations: Option<&mut Obligations>,
) {
    let mut changed = false;
    for block in body.blocks.keys() {
        let mut guarded = Vec::new();
        for inst in edit::take_insts(body, block) {
            let place = body.insts[inst].place;
            for (ptr, len, access) in accessed(module, &body.insts[inst].op) {
                let mut ask = |body: &mut Body, access: Access| {
                    let (ptr, len) = (ptr.clone(), len.clone());
                    let question = Op::IsDeref { ptr, len, access };
                    let question = body.new_inst(question, Vec::new(), place, module.machine);
                    guarded.push(question);
                    Operand::from(body.insts[question].results[0])
                };
                let touches = ask(body, Access::Touch);
                let inside = ask(body, access);
                let what = match access {
                    Access::Change | Access::Write => "a write outside of a live object",
                    Access::Look | Access::Read | Access::Touch | Access::Stray => {
                        "a read outside of a live object"
                    }
                };
                let check = obligations.as_mut().map(|obligations| {
                    let name = module.funcs[func].name.clone();
                    let what = what.to_owned();
                    let id = obligations.add(module, &name, CheckId::Unsupported, what, place);
                    Op::Check(id, inside.clone())
                });
                let mut ops = vec![Op::Assume(touches, Origin::Unchecked)];
                ops.extend(check);
                // Whoever goes on after a violated check does not go on from here.
                ops.push(Op::Assume(inside, Origin::Unchecked));
                for op in ops {
                    guarded.push(body.new_inst(op, Vec::new(), place, module.machine));
                }
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
