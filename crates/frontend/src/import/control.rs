//! Terminators: branches, switches, computed jumps, returns.

use base::Bv;
use ir::syntax::{CastOp, HaltKind, Obligation, Op, Operand, Target, Terminator, Type};

use crate::ffi::{self, Opcode, Val};

use super::function::FuncImporter;

impl<'c> FuncImporter<'_, '_, 'c> {
    /// The target of a jump from LLVM's block, with the values of its phis.
    fn target(&mut self, from: ffi::Block<'c>, to: ffi::Block<'c>) -> Target {
        let mut args = Vec::new();
        for phi in to.instructions() {
            if phi.opcode() != Some(Opcode::LLVMPHI) {
                break;
            }
            let incoming = phi.incoming();
            let value = incoming
                .iter()
                .find(|(_, block)| *block == from)
                .map(|&(value, _)| value)
                .expect("a phi has a value for each predecessor");
            args.extend(self.operands(value));
        }
        self.entered.push(to);
        Target::with_args(self.blocks[&to], args)
    }

    /// The obligation that fails in a block, if it does nothing else.
    fn failing(&self, block: ffi::Block<'c>) -> Option<Obligation> {
        let first = block.first()?;
        if !is_call_of(first, "selkie.fail") {
            return None;
        }
        let number = first.operand(0).as_u64()?;
        Some(Obligation::from_index(number as usize))
    }

    /// A branch.
    pub fn branch(&mut self, inst: Val<'c>) {
        let from = inst.block();
        let targets = inst.successors();
        let Some(condition) = inst.branch_condition() else {
            let target = self.target(from, targets[0]);
            self.end(Terminator::Jump(target));
            return;
        };
        if let Some(value) = condition.as_u64() {
            let to = if value == 1 { targets[0] } else { targets[1] };
            let target = self.target(from, to);
            self.end(Terminator::Jump(target));
            return;
        }
        let condition = self.operand(condition);
        if let Some(number) = self.failing(targets[1]) {
            self.check_at(targets[1], number, condition);
            let target = self.target(from, targets[0]);
            self.end(Terminator::Jump(target));
        } else if let Some(number) = self.failing(targets[0]) {
            let condition = self.not(condition);
            self.check_at(targets[0], number, condition);
            let target = self.target(from, targets[1]);
            self.end(Terminator::Jump(target));
        } else {
            let yes = self.target(from, targets[0]);
            let no = self.target(from, targets[1]);
            self.end(Terminator::Branch(condition, yes, no));
        }
    }

    /// A check with the place of the failing call.
    fn check_at(&mut self, block: ffi::Block<'c>, number: Obligation, condition: Operand) {
        let before = self.place;
        if let Some(location) = block.first().and_then(Val::location) {
            self.place = self.importer.place(location);
        }
        self.act(Op::Check(number, condition));
        self.place = before;
    }

    /// A switch.
    pub fn switch(&mut self, inst: Val<'c>) {
        let from = inst.block();
        let value = self.operand(inst.operand(0));
        let targets = inst.successors();
        let default = self.target(from, targets[0]);
        let mut cases = Vec::new();
        for (index, &to) in targets.iter().enumerate().skip(1) {
            let case = inst.switch_case(index as u32);
            let bv = self.importer.int_constant(case);
            let target = self.target(from, to);
            cases.push((bv, target));
        }
        if cases.is_empty() {
            self.end(Terminator::Jump(default));
        } else {
            self.end(Terminator::Switch(value, cases, default));
        }
    }

    /// A computed jump: a switch over the numbers of the blocks whose address is taken.
    pub fn indirect_branch(&mut self, inst: Val<'c>) {
        let from = inst.block();
        let bits = self.importer.pointer_bits();
        let pointer = self.operand(inst.operand(0));
        let value = self.cast(CastOp::PtrToInt, pointer, Type::Int(bits));
        let targets = inst.successors();
        let mut cases = Vec::new();
        for (number, block) in self.labels.clone() {
            if targets.contains(&block) {
                let target = self.target(from, block);
                cases.push((Bv::from_u64(number, bits), target));
            }
        }
        let wrong = self.new_block(&[]);
        if cases.is_empty() {
            self.jump(wrong);
        } else {
            self.end(Terminator::Switch(value, cases, Target::new(wrong)));
        }
        self.switch_to(wrong);
        self.unsupported("a computed goto to no label of the function");
    }

    /// A return.
    pub fn ret(&mut self, inst: Val<'c>) {
        let mut results = Vec::new();
        if inst.operand_count() > 0 {
            results.extend(self.operands(inst.operand(0)));
        }
        self.end(Terminator::Return(results));
    }

    /// Nothing comes here: a guard before it ended the execution.
    pub fn unreachable(&mut self) {
        self.end(Terminator::Halt(HaltKind::Dead));
    }

    /// A call that may unwind: exceptions are not modelled, so it goes on normally.
    pub fn invoke(&mut self, inst: Val<'c>) {
        self.call(inst);
        if self.dead || !self.open {
            return;
        }
        let target = self.target(inst.block(), inst.normal_target());
        self.end(Terminator::Jump(target));
    }
}

/// Is it a call of our own function of that name?
pub fn is_call_of(inst: Val<'_>, name: &str) -> bool {
    inst.called_function()
        .is_some_and(|callee| callee.name() == name)
}
