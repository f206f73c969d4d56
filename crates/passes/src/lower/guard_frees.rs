//! Puts the obligation `free` before each `free`.
//!
//! A `free` of the constant null needs none, nor does one whose pointer was found freeable by a
//! check in the same block with nothing in between that changes memory (library models check for
//! themselves, with a better text).

use checks::registry::CheckId;
use ir::ops::MemEffect;
use ir::syntax::{Body, Func, Inst, InstData, Module, Op, Operand, Value};

use super::call_back::CALLED_BACK;
use crate::edit::{self, Obligations};
use crate::pass::{Config, Error, Pass};

/// See the module.
pub struct GuardFrees;

impl Pass for GuardFrees {
    fn name(&self) -> &'static str {
        "guard-frees"
    }

    fn about(&self) -> &'static str {
        "Puts an obligation before each free: null, or the base of a live heap object."
    }

    fn run(&self, module: &mut Module, _config: &Config) -> Result<(), Error> {
        let mut obligations = Obligations::new(module);
        for func in module.funcs.keys() {
            // What unknown code does is no obligation of ours.
            if module.funcs[func].name == CALLED_BACK {
                continue;
            }
            let Some(mut body) = module.funcs[func].body.take() else {
                continue;
            };
            guard(module, func, &mut body, &mut obligations);
            module.funcs[func].body = Some(body);
        }
        Ok(())
    }
}

fn guard(module: &mut Module, func: Func, body: &mut Body, obligations: &mut Obligations) {
    let mut changed = false;
    for block in body.blocks.keys() {
        let has_free = body.blocks[block]
            .insts
            .iter()
            .any(|&inst| matches!(body.insts[inst].op, Op::Free(_)));
        if !has_free {
            continue;
        }
        let mut guarded = Vec::new();
        // Pointers that a check has found freeable, in the memory as it is.
        let mut known: Vec<Operand> = Vec::new();
        for inst in edit::take_insts(body, block) {
            if let Op::Free(pointer) = &body.insts[inst].op
                && *pointer != Operand::NULL
                && !known.contains(pointer)
            {
                let (pointer, place) = (pointer.clone(), body.insts[inst].place);
                let text = "the argument of free is null or the base of a live heap object";
                let name = module.funcs[func].name.clone();
                let obligation =
                    obligations.add(module, &name, CheckId::Free, text.to_owned(), place);
                let question = Op::IsFreeable(pointer);
                let question = body.new_inst(question, Vec::new(), place, module.machine);
                let answer = body.insts[question].results[0];
                let check = Op::Check(obligation, answer.into());
                let check = body.new_inst(check, Vec::new(), place, module.machine);
                guarded.extend([question, check]);
                changed = true;
            }
            let data = &body.insts[inst];
            if changes_memory(data) {
                known.clear();
            }
            known.extend(found_freeable(body, &guarded, inst));
            guarded.push(inst);
        }
        body.blocks[block].insts = guarded;
    }
    if changed {
        edit::tidy_in_place(body);
    }
}

/// The pointer, if the instruction checks that it is freeable by a question of this block that no
/// change of memory separates from it.
fn found_freeable(body: &Body, before: &[Inst], check: Inst) -> Option<Operand> {
    let Op::Check(_, Operand::Value(answer)) = body.insts[check].op else {
        return None;
    };
    let question = before
        .iter()
        .rev()
        .take_while(|&&inst| !changes_memory(&body.insts[inst]))
        .find(|&&inst| defines(&body.insts[inst], answer))?;
    match &body.insts[*question].op {
        Op::IsFreeable(pointer) => Some(pointer.clone()),
        _ => None, // Another condition.
    }
}

fn defines(data: &InstData, value: Value) -> bool {
    data.results.contains(&value)
}

fn changes_memory(data: &InstData) -> bool {
    match data.op.mem_effect() {
        MemEffect::None | MemEffect::Read(_) | MemEffect::ReadAny => false,
        MemEffect::Write(_) | MemEffect::WriteAny | MemEffect::New(_) | MemEffect::Call => true,
    }
}
