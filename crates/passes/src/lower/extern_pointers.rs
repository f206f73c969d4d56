//! What pointers from unknown code mean for obligations (`--extern-pointers`).
//!
//! A function without a body returns an address, or leaves one in memory that it can reach. If no object of the
//! program lies there, nobody knows whether memory does: an access is neither fine nor a violation.
//! So the question whether such a pointer may be used is asked twice:
//!
//! ```text
//! v2 = is_deref v1, 4, look           ; of an object, or of memory that belongs to none
//! v3 = is_deref v1, 4, read           ; of an object
//! v4 = is_deref v1, 4, stray          ; a mere address
//! v5 = v2 or v4 and v0 != null        ; v1 is v0 moved by some bytes
//! check extern-pointer, v3 or not v5  ; unless --extern-pointers valid
//! check deref, v5
//! assume v2
//! ```
//!
//! Null, and pointers to objects that are dead or too small stay violations. A violated `extern-pointer` is an
//! unknown, and executions go on behind it in memory that belongs to no object. An address that unknown code
//! invents where there is no memory, or too little of an object that it can reach, ends them.

use checks::registry::CheckId;
use std::collections::BTreeSet;

use ir::syntax::{
    Access, BinaryOp, Block, Body, CompareOp, Func, Inst, Machine, Module, Op, Operand, Origin,
    PlaceId, Value,
};

use super::call_back::CALLED_BACK;
use crate::edit::{self, Obligations};
use crate::handed_over::from_unknown;
use crate::pass::{Config, Error, ExternPointers as Mode, Pass};

/// See the module.
pub struct ExternPointers;

impl Pass for ExternPointers {
    fn name(&self) -> &'static str {
        "extern-pointers"
    }

    fn about(&self) -> &'static str {
        "Says what is asked of pointers that come from unknown code."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        if !asks(module) {
            return Ok(());
        }
        let unknown = from_unknown(module);
        if unknown.is_empty() {
            return Ok(());
        }
        let mut obligations = Obligations::new(module);
        let mut any = false;
        for func in module.funcs.keys() {
            // What unknown code does is no obligation of ours.
            if module.funcs[func].name == CALLED_BACK {
                continue;
            }
            let Some(mut body) = module.funcs[func].body.take() else {
                continue;
            };
            let questions = questions(func, &body, &unknown);
            if !questions.is_empty() {
                any = true;
                let mut work = Work {
                    obligations: &mut obligations,
                    mode: config.extern_pointers,
                    questions,
                };
                work.rewrite(module, func, &mut body);
                edit::tidy_in_place(&mut body);
            }
            module.funcs[func].body = Some(body);
        }
        if any && config.extern_pointers == Mode::Valid {
            let note = "pointers from unknown code that are not null and lead to no object of the program are valid";
            edit::note(module, note.to_owned());
        }
        Ok(())
    }
}

/// Does the program ask anything about pointers?
fn asks(module: &Module) -> bool {
    let bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    bodies
        .flat_map(|body| body.insts.values())
        .any(|inst| matches!(inst.op, Op::IsDeref { .. } | Op::IsFreeable(_)))
}

/// The answers to questions about pointers from unknown code that somebody uses.
fn questions(func: Func, body: &Body, unknown: &BTreeSet<(Func, Value)>) -> BTreeSet<Value> {
    let mut used: BTreeSet<Value> = BTreeSet::new();
    for (_, inst) in body.insts_in_order() {
        used.extend(body.insts[inst].uses());
    }
    for block in body.blocks.values() {
        let operands = block.terminator.operands();
        used.extend(operands.into_iter().filter_map(|operand| match operand {
            Operand::Value(value) => Some(*value),
            Operand::Const(_) => None,
        }));
    }
    let mut found = BTreeSet::new();
    for (_, inst) in body.insts_in_order() {
        let pointer = match &body.insts[inst].op {
            Op::IsDeref {
                ptr,
                access: Access::Read | Access::Write,
                ..
            } => ptr,
            Op::IsFreeable(pointer) => pointer,
            _ => continue, // Asks for nothing that unknown code could spoil.
        };
        let answer = body.insts[inst].results[0];
        if let Operand::Value(value) = pointer
            && unknown.contains(&(func, *value))
            && used.contains(&answer)
        {
            found.insert(answer);
        }
    }
    found
}

struct Work<'w> {
    obligations: &'w mut Obligations,
    mode: Mode,
    questions: BTreeSet<Value>,
}

/// A question that was asked twice.
struct Asked {
    answer: Value,
    /// May the pointer be used, as far as the program is to blame?
    fine: Operand,
    /// Does that not rest on unknown code?
    sure: Operand,
    /// What an execution that goes on needs, if it needs anything.
    needs: Option<Operand>,
    place: Option<PlaceId>,
}

impl Work<'_> {
    fn rewrite(&mut self, module: &mut Module, func: Func, body: &mut Body) {
        let machine = module.machine;
        let mut asked: Vec<Asked> = Vec::new();
        let elsewhere = self.used_elsewhere(body);
        for block in body.blocks.keys() {
            let mut kept = Vec::new();
            for inst in edit::take_insts(body, block) {
                let answer = body.insts[inst].results.first();
                if answer.is_some_and(|answer| self.questions.contains(answer)) {
                    asked.push(ask_twice(body, inst, machine, &mut kept));
                } else {
                    kept.push(inst);
                }
            }
            body.blocks[block].insts = kept;
        }
        let name = module.funcs[func].name.clone();
        for asked in asked {
            for block in body.blocks.keys() {
                let mut kept = Vec::new();
                for inst in edit::take_insts(body, block) {
                    let place = body.insts[inst].place;
                    let Op::Check(_, condition) = &mut body.insts[inst].op else {
                        kept.push(inst);
                        continue;
                    };
                    if *condition != asked.answer.into() {
                        kept.push(inst);
                        continue;
                    }
                    *condition = asked.fine.clone();
                    kept.extend(self.ask(module, body, &name, &asked, place));
                    kept.push(inst);
                    if let Some(needs) = &asked.needs {
                        let needs = Op::Assume(needs.clone(), Origin::Unchecked);
                        kept.push(body.new_inst(needs, Vec::new(), place, machine));
                    }
                }
                body.blocks[block].insts = kept;
            }
            if elsewhere.contains(&asked.answer) {
                let (block, index) = made_at(body, &asked.sure);
                let check = self.ask(module, body, &name, &asked, asked.place);
                body.blocks[block].insts.splice(index + 1..index + 1, check);
            }
        }
    }

    /// The check that the pointer leads to an object of the program.
    fn ask(
        &mut self,
        module: &mut Module,
        body: &mut Body,
        name: &str,
        asked: &Asked,
        place: Option<PlaceId>,
    ) -> Option<Inst> {
        if self.mode == Mode::Valid {
            return None;
        }
        let text = "a pointer from unknown code is valid".to_owned();
        let obligation = self
            .obligations
            .add(module, name, CheckId::ExternPointer, text, place);
        let check = Op::Check(obligation, asked.sure.clone());
        Some(body.new_inst(check, Vec::new(), place, module.machine))
    }

    /// The answers that are more than the condition of a check.
    fn used_elsewhere(&self, body: &Body) -> BTreeSet<Value> {
        let mut found = BTreeSet::new();
        for (_, inst) in body.insts_in_order() {
            let data = &body.insts[inst];
            if !matches!(data.op, Op::Check(..)) {
                found.extend(data.uses().filter(|value| self.questions.contains(value)));
            }
        }
        for block in body.blocks.values() {
            for operand in block.terminator.operands() {
                if let Operand::Value(value) = operand
                    && self.questions.contains(value)
                {
                    found.insert(*value);
                }
            }
        }
        found
    }
}

/// Where a value is made.
fn made_at(body: &Body, operand: &Operand) -> (Block, usize) {
    let found = body.blocks.iter().find_map(|(block, data)| {
        let mut insts = data.insts.iter();
        let made = |&inst: &Inst| {
            let mut results = body.insts[inst].results.iter();
            results.any(|&result| *operand == result.into())
        };
        Some((block, insts.position(made)?))
    });
    found.expect("it is made beside its question")
}

/// The pointer that a pointer was moved from.
fn moved_from(body: &Body, pointer: &Operand) -> Operand {
    let mut base = pointer.clone();
    while let Operand::Value(value) = base {
        match body.def_inst(value).map(|data| &data.op) {
            Some(Op::Offset(before, _) | Op::Copy(before)) => base = before.clone(),
            _ => break, // Whatever it is, the pointer begins there.
        }
    }
    base
}

/// Makes a question one that memory of no object answers with yes.
fn ask_twice(body: &mut Body, inst: Inst, machine: Machine, kept: &mut Vec<Inst>) -> Asked {
    let place = body.insts[inst].place;
    let answer = body.insts[inst].results[0];
    let make = |body: &mut Body, kept: &mut Vec<Inst>, op: Op| -> Operand {
        let inst = body.new_inst(op, Vec::new(), place, machine);
        kept.push(inst);
        body.insts[inst].results[0].into()
    };
    let not = |value: Operand| Op::Binary(BinaryOp::Xor, value, Operand::bool(true));
    let or = |left: Operand, right: Operand| Op::Binary(BinaryOp::Or, left, right);
    let and = |left: Operand, right: Operand| Op::Binary(BinaryOp::And, left, right);
    let (pointer, len, access) = match &body.insts[inst].op {
        Op::IsDeref { ptr, len, access } => (ptr.clone(), len.clone(), Some(*access)),
        Op::IsFreeable(pointer) => (pointer.clone(), Operand::size(1, machine), None),
        other => unreachable!("{other:?} asks nothing about a pointer"),
    };
    let ask = |access: Access| Op::IsDeref {
        ptr: pointer.clone(),
        len: len.clone(),
        access,
    };
    let (strict, needs) = match access {
        Some(access) => {
            body.insts[inst].op = ask(match access {
                Access::Read | Access::Look | Access::Touch | Access::Stray => Access::Look,
                Access::Write | Access::Change => Access::Change,
            });
            kept.push(inst);
            (make(body, kept, ask(access)), Some(answer.into()))
        }
        None => {
            let known = make(body, kept, Op::IsFreeable(pointer.clone()));
            let memory = make(body, kept, ask(Access::Look));
            let object = make(body, kept, ask(Access::Read));
            let stranger = make(body, kept, not(object));
            let nobody = make(body, kept, and(memory, stranger));
            body.insts[inst].op = or(known.clone(), nobody);
            body.insts[inst].mems.clear();
            kept.push(inst);
            (known, None)
        }
    };
    let stray = make(body, kept, ask(Access::Stray));
    let base = moved_from(body, &pointer);
    let there = Op::Compare(CompareOp::Ne, base, Operand::NULL);
    let there = make(body, kept, there);
    let invented = make(body, kept, and(stray, there));
    let fine = make(body, kept, or(answer.into(), invented));
    let wrong = make(body, kept, not(fine.clone()));
    let sure = make(body, kept, or(strict, wrong));
    Asked {
        answer,
        fine,
        sure,
        needs,
        place,
    }
}
