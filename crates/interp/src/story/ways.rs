//! Branches, jumps and returns: which way an execution goes, and what hangs on it.

use ir::cfg::Cfg;
use ir::dominators::PostDominators;
use ir::syntax::{Block, Operand, Target, Terminator};
use results::story::{Step, What};

use super::{Note, Watcher};
use crate::value::Value;
use crate::view::{Position, View};

impl Watcher<'_> {
    /// The end of a block.
    pub(super) fn end_of(&mut self, view: &View<'_>, block: Block) {
        let func = view.func();
        let body = self.body(func);
        let terminator = &body.blocks[block].terminator;
        let control = self.control();
        match terminator {
            Terminator::Jump(target) => self.go(target, control),
            Terminator::Branch(cond, yes, no) => {
                let is_true = matches!(view.operand(cond), Some(Value::Int(bits)) if bits.is_one());
                let target = if is_true { yes } else { no };
                self.choose(view, block, cond, target);
            }
            Terminator::Switch(on, cases, other) => {
                let now = match view.operand(on) {
                    Some(Value::Int(bits)) => Some(bits),
                    _ => None,
                };
                let mut cases = cases.iter();
                let case = cases.find(|(case, _)| Some(case) == now.as_ref());
                let target = case.map_or(other, |(_, target)| target);
                self.choose(view, block, on, target);
            }
            Terminator::Return(operands) => {
                let parts: Vec<Note> = operands.iter().map(|operand| self.of(operand)).collect();
                self.frames.pop();
                let depth = view.depth() - 1;
                if depth == 0 {
                    return;
                }
                let Some((caller, inst)) = view.call_below() else {
                    return;
                };
                let results = &self.body(caller).insts[inst].results;
                if let Some(frame) = self.frames.last_mut() {
                    frame.registers.extend(results.iter().copied().zip(parts));
                }
                self.last = Some((depth, Position::Inst(inst)));
            }
            Terminator::Halt(_) => {}
        }
    }

    /// A branch is taken.
    fn choose(&mut self, view: &View<'_>, block: Block, on: &Operand, target: &Target) {
        let control = self.control();
        let parts = [self.of(on), control];
        let note = self.note(parts);
        let func = view.func();
        let body = self.body(func);
        let ends = self
            .ends
            .entry(func)
            .or_insert_with(|| PostDominators::new(&Cfg::new(body)));
        let end = ends.immediate(block);
        let frame = self.top();
        while frame
            .branches
            .last()
            .is_some_and(|&(_, other)| other == end)
        {
            frame.branches.pop();
        }
        frame.branches.push((note, end));
        self.go(target, note);
        let constant = matches!(on, Operand::Const(_));
        if constant
            || self.module.funcs[func].model
            || self.stack.is_empty()
            || view.place().is_none()
        {
            return;
        }
        // Several branches of one condition are one.
        if let (Some(index), Some(here)) = (self.branch, &self.here)
            && index + 1 == self.steps.len()
            && let (
                Step {
                    place: Some(at), ..
                },
                other,
            ) = &mut self.steps[index]
            && (at.line, &at.file) == (here.line, &here.file)
        {
            let other = std::mem::replace(other, note);
            if self.slicing {
                let mut parts = self.notes[note as usize].to_vec();
                parts.push(other);
                self.notes[note as usize] = parts.into();
            }
            return;
        }
        let before = self.steps.len();
        self.tell(What::Branch(None), note, view.steps);
        if self.steps.len() > before {
            self.branch = Some(before);
        }
    }

    /// Goes on at a block, whose parameters get values.
    fn go(&mut self, target: &Target, control: Note) {
        let func = self.top().func;
        let body = self.body(func);
        let parts: Vec<Note> = target.args.iter().map(|arg| self.of(arg)).collect();
        let params = &body.blocks[target.block].params;
        let mut given = Vec::with_capacity(parts.len());
        for (&param, part) in params.iter().zip(parts) {
            if !body.values[param].ty.is_mem() {
                given.push((param, self.note([part, control])));
            }
        }
        let frame = self.top();
        frame.registers.extend(given);
        while frame
            .branches
            .last()
            .is_some_and(|&(_, end)| end == Some(target.block))
        {
            frame.branches.pop();
        }
    }
}
