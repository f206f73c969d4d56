//! Branches, switches and loops.

use base::Bv;
use checks::registry::CheckId;
use ir::syntax::{
    BinaryOp, Block, CompareOp, HaltKind, Op, Operand, Phase, Target, Terminator, Type, Value,
};

use crate::random::Use;
use crate::random::func::Gen;

/// What was defined and alive at a point.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    pub values: usize,
    pub objects: usize,
}

/// No more loops and branches inside each other than this.
const DEEPEST: u32 = 4;

/// How often a loop is run at most.
const ROUNDS: u64 = 4;

impl Gen<'_> {
    /// A branch, a switch or a loop.
    pub fn flow_statement(&mut self) {
        if self.depth >= DEEPEST || self.budget < 4 {
            return self.scalar_statement();
        }
        self.depth += 1;
        if self.options.wild == Use::Yes && self.rng.one_in(3) {
            self.free_loop();
            self.depth -= 1;
            return;
        }
        match self.rng.below(8) {
            0..3 => self.branch(),
            3 if self.options.phase == Phase::Raw => self.switch(),
            4 if self.options.irreducible == Use::Yes => self.loop_with_two_entries(),
            5 => self.loop_with_test(Test::AtEnd),
            _ => self.loop_with_test(Test::AtStart),
        }
        self.depth -= 1;
    }

    pub fn scope(&self) -> Scope {
        Scope {
            values: self.values.len(),
            objects: self.objects.len(),
        }
    }

    /// A few statements.
    fn statements(&mut self) {
        for _ in 0..self.rng.between(1, 6) {
            if self.budget == 0 {
                return;
            }
            self.statement();
        }
    }

    /// Forgets what was defined since, and ends the life of what was made since.
    fn leave(&mut self, scope: Scope) {
        self.end_scope(scope.objects);
        self.values.truncate(scope.values);
    }

    pub fn branch_to(&mut self, cond: Operand, yes: Block, no: Block) {
        let (yes, no) = (Target::new(yes), Target::new(no));
        self.finish(Terminator::Branch(cond, yes, no));
    }

    pub fn finish(&mut self, terminator: Terminator) {
        let place = self.any_place();
        let data = &mut self.body.blocks[self.block];
        data.terminator = terminator;
        data.place = place;
    }

    /// Types for a join's parameters, mostly of values that are there.
    fn join_types(&mut self) -> Vec<Type> {
        let count = self.rng.below(3);
        let mut types = Vec::new();
        for _ in 0..count {
            let ty = match self.values.is_empty() {
                true => self.any_type(),
                false => self.rng.pick(&self.values).0,
            };
            types.push(ty);
        }
        types
    }

    pub fn enter_with_params(&mut self, block: Block) {
        self.block = block;
        for &param in &self.body.blocks[block].params {
            self.values.push((self.body.values[param].ty, param));
        }
    }

    pub fn branch(&mut self) {
        let cond = self.pick(Type::BOOL);
        let types = self.join_types();
        let join = self.body.new_block(&types);
        let yes = self.body.new_block(&[]);
        let no = self.body.new_block(&[]);
        self.branch_to(cond, yes, no);
        self.arm(yes, join, &types, Ending::Any);
        self.arm(no, join, &types, Ending::Join);
        self.enter_with_params(join);
    }

    fn switch(&mut self) {
        let width = *self.rng.pick(&[3, 8, 32]);
        let value = self.pick(Type::Int(width));
        let types = self.join_types();
        let join = self.body.new_block(&types);
        let default = self.body.new_block(&[]);
        let count = self.rng.below(4);
        let mut cases: Vec<(Bv, Target)> = Vec::new();
        let mut arms = vec![(default, Ending::Join)];
        for number in 0..count {
            // Some cases share an arm.
            let block = match number > 0 && self.rng.one_in(3) {
                true => arms[arms.len() - 1].0,
                false => {
                    let block = self.body.new_block(&[]);
                    arms.push((block, Ending::Any));
                    block
                }
            };
            cases.push((Bv::from_u64(number * 2, width), Target::new(block)));
        }
        self.finish(Terminator::Switch(value, cases, Target::new(default)));
        for (block, ending) in arms {
            self.arm(block, join, &types, ending);
        }
        self.enter_with_params(join);
    }

    /// Statements of their own that end in a jump to the join.
    fn arm(&mut self, block: Block, join: Block, types: &[Type], ending: Ending) {
        let scope = self.scope();
        self.block = block;
        self.statements();
        match ending {
            Ending::Any if self.rng.one_in(10) => {
                self.leave(scope);
                self.emit_return();
                self.values.truncate(scope.values);
            }
            Ending::Any if self.options.failures == Use::Yes && self.rng.one_in(16) => {
                self.check(CheckId::Reach, Operand::bool(false));
                self.finish(Terminator::Halt(HaltKind::Dead));
                self.objects.truncate(scope.objects);
                self.values.truncate(scope.values);
            }
            Ending::Any if self.rng.one_in(20) => {
                let kind = *self.rng.pick(&[HaltKind::Exit, HaltKind::Abort]);
                self.finish(Terminator::Halt(kind));
                self.objects.truncate(scope.objects);
                self.values.truncate(scope.values);
            }
            Ending::Any | Ending::Join => {
                self.end_scope(scope.objects);
                let args = types.iter().map(|&ty| self.pick(ty)).collect();
                self.finish(Terminator::Jump(Target::with_args(join, args)));
                self.values.truncate(scope.values);
            }
        }
    }

    /// May something be executed so many times as often as this?
    pub fn may_repeat(&self, rounds: u64) -> bool {
        self.times * rounds * 40 + self.cost < self.options.steps / 4
    }

    /// The bound of a loop, a constant or computed, of this width.
    fn bound(&mut self, width: u32) -> Operand {
        match self.rng.one_in(2) {
            true => Operand::int(self.rng.below(ROUNDS + 1) as i64, width),
            false => {
                let any = self.pick(Type::Int(width));
                let limit = Operand::int(ROUNDS as i64 + 1, width);
                self.value(Op::Binary(BinaryOp::URem, any, limit)).into()
            }
        }
    }

    pub fn add_one(&mut self, value: Value, width: u32) -> Operand {
        let sum = Op::Binary(BinaryOp::Add, value.into(), Operand::int(1, width));
        self.value(sum).into()
    }

    fn is_below(&mut self, value: Operand, bound: Operand) -> Operand {
        self.value(Op::Compare(CompareOp::Ult, value, bound)).into()
    }

    fn loop_with_test(&mut self, test: Test) {
        // With the test at the end, the body runs once more than the bound may say.
        let rounds = ROUNDS + 1;
        if !self.may_repeat(rounds) {
            return self.branch();
        }
        let width = *self.rng.pick(&[4, 8, 13, 32, 64]);
        let bound = self.bound(width);
        let carried = self.join_types();
        let mut types = vec![Type::Int(width)];
        types.extend(&carried);
        let mut args = vec![Operand::int(0, width)];
        args.extend(carried.iter().map(|&ty| self.pick(ty)).collect::<Vec<_>>());
        let header = self.body.new_block(&types);
        let body = self.body.new_block(&[]);
        let exit = self.body.new_block(&[]);
        self.finish(Terminator::Jump(Target::with_args(header, args)));
        self.enter_with_params(header);
        let counter = self.body.blocks[header].params[0];
        let before = self.times;
        self.times *= rounds;
        match test {
            Test::AtStart => {
                let go_on = self.is_below(counter.into(), bound.clone());
                self.branch_to(go_on, body, exit);
            }
            Test::AtEnd => self.finish(Terminator::Jump(Target::new(body))),
        }
        let scope = self.scope();
        self.block = body;
        let mark = match self.options.memory == Use::Yes && self.rng.one_in(4) {
            true => self.emit(Op::StackSave),
            false => None,
        };
        self.statements();
        self.end_scope(scope.objects);
        if let Some(mark) = mark {
            self.emit(Op::StackRestore(mark.into()));
        }
        let next = self.add_one(counter, width);
        let mut args = vec![next.clone()];
        args.extend(carried.iter().map(|&ty| self.pick(ty)).collect::<Vec<_>>());
        let again = Target::with_args(header, args);
        match test {
            Test::AtStart => self.finish(Terminator::Jump(again)),
            Test::AtEnd => {
                let go_on = self.is_below(next, bound);
                self.finish(Terminator::Branch(go_on, again, Target::new(exit)));
            }
        }
        self.values.truncate(scope.values);
        self.times = before;
        self.block = exit;
    }

    /// Two blocks that jump to each other, both entered from outside.
    fn loop_with_two_entries(&mut self) {
        let rounds = ROUNDS + 1;
        if !self.may_repeat(rounds) {
            return self.branch();
        }
        let width = 8;
        let cond = self.pick(Type::BOOL);
        let bound = self.bound(width);
        let counter = [Type::Int(width)];
        let left = self.body.new_block(&counter);
        let right = self.body.new_block(&counter);
        let exit = self.body.new_block(&[]);
        let start = |block| Target::with_args(block, vec![Operand::int(0, width)]);
        self.finish(Terminator::Branch(cond, start(left), start(right)));
        let before = self.times;
        self.times *= rounds;
        for (own, other) in [(left, right), (right, left)] {
            let scope = self.scope();
            self.enter_with_params(own);
            let count = self.body.blocks[own].params[0];
            self.statements();
            self.end_scope(scope.objects);
            let next = self.add_one(count, width);
            let go_on = self.is_below(count.into(), bound.clone());
            let target = Target::with_args(other, vec![next]);
            self.finish(Terminator::Branch(go_on, target, Target::new(exit)));
            self.values.truncate(scope.values);
        }
        self.times = before;
        self.block = exit;
    }
}

/// How an arm may end.
#[derive(Clone, Copy)]
enum Ending {
    /// At the join, or by leaving the function or the program.
    Any,
    /// At the join.
    Join,
}

/// Where a loop decides whether to go on.
#[derive(Clone, Copy)]
enum Test {
    AtStart,
    AtEnd,
}
