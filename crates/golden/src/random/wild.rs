//! What only one who knows the addresses can follow: see [`Options::wild`](super::Options::wild).
//!
//! Pointers are merged, left in memory until their objects are dead, and made of numbers; nobody knows
//! where they point, so that every access through them stands behind a branch on `is_deref`. Loops go
//! round as often as a free choice says, with nothing that counts, and are entered in the middle.

use ir::syntax::{
    Access, BinaryOp, Block, CastOp, NondetKind, Op, Operand, Target, Terminator, Type, UnaryOp,
    Value,
};

use crate::random::func::{Gen, Object, ObjectKind};

/// How often a loop without a counter is taken to go round.
const ROUNDS: u64 = 4;

impl Gen<'_> {
    /// One of them; objects must be allowed.
    pub fn wild_statement(&mut self) {
        match self.rng.below(22) {
            10..14 => self.look(),
            14.. => self.witness_statement(),
            0..2 => self.merge_pointers(),
            2..4 => self.keep_pointer(),
            4..7 => {
                if let Some(pointer) = self.unknown_pointer() {
                    self.access_if_valid(pointer);
                }
            }
            7 => self.address_as_data(),
            _ => self.question_about_unknown(),
        }
    }

    /// A pointer that is one of two.
    fn merge_pointers(&mut self) {
        let kinds = [*self.rng.pick(&[ObjectKind::Data, ObjectKind::Pointers])];
        let bytes = self.pointer_bytes();
        let (Some(a), Some(b)) = (
            self.pick_object(&kinds, bytes),
            self.pick_object(&kinds, bytes),
        ) else {
            return self.scalar_statement();
        };
        let cond = self.pick(Type::BOOL);
        let ptr = match self.rng.one_in(2) {
            true => self.value(Op::Select(cond, a.ptr, b.ptr)),
            false => {
                let join = self.body.new_block(&[Type::Ptr]);
                let with = |ptr| Target::with_args(join, vec![ptr]);
                let (yes, no) = (with(a.ptr), with(b.ptr));
                self.finish(Terminator::Branch(cond, yes, no));
                self.block = join;
                self.body.blocks[join].params[0]
            }
        };
        let units = a.size.min(b.size) / bytes;
        self.objects.push(Object {
            ptr: ptr.into(),
            size: units * bytes,
            kind: a.kind,
            heap: false,
            scoped: true,
        });
    }

    /// A place for a pointer in memory.
    fn slot(&mut self) -> Option<Operand> {
        let bytes = self.pointer_bytes();
        let kinds = [ObjectKind::Pointers, ObjectKind::Pointers, ObjectKind::Data];
        let kind = *self.rng.pick(&kinds);
        let slots = self.pick_object(&[kind], bytes)?;
        let number: Operand = match self.rng.one_in(2) {
            true => self.below(slots.size / bytes).into(),
            false => {
                let number = self.rng.below(slots.size / bytes);
                self.size(number)
            }
        };
        let unit = self.size(bytes);
        let offset = self.value(Op::Binary(BinaryOp::Mul, number, unit));
        Some(self.value(Op::Offset(slots.ptr, offset.into())).into())
    }

    /// Leaves a pointer in memory, where it may outlive its object.
    fn keep_pointer(&mut self) {
        let kinds = [
            ObjectKind::Data,
            ObjectKind::ConstData,
            ObjectKind::Pointers,
        ];
        let (Some(slot), Some(target)) = (self.slot(), self.pick_object(&kinds, 1)) else {
            return self.scalar_statement();
        };
        let value = self.inside(&target, 1);
        self.emit(Op::Store {
            ty: Type::Ptr,
            ptr: slot,
            value,
            align: 1,
        });
    }

    /// A pointer of which nothing is known.
    pub fn unknown_pointer(&mut self) -> Option<Operand> {
        if self.rng.one_in(4) {
            let int = self.module.machine.pointer_int();
            let number = self.pick(int);
            let pointer = Op::Cast(CastOp::IntToPtr, number, Type::Ptr);
            return Some(self.value(pointer).into());
        }
        let slot = self.slot()?;
        let loaded = self.value(Op::Load {
            ty: Type::Ptr,
            ptr: slot,
            align: 1,
            volatile: false,
        });
        match self.rng.one_in(2) {
            true => Some(loaded.into()),
            false => {
                let skip = self.below(6);
                Some(self.value(Op::Offset(loaded.into(), skip.into())).into())
            }
        }
    }

    /// An access behind a branch that asks whether it is valid.
    fn access_if_valid(&mut self, ptr: Operand) {
        let ty = Type::Int(*self.rng.pick(&[8, 16, 32, 64, 96]));
        let bytes = ty.bytes(self.module.machine);
        // The other kinds may hold beside objects.
        let access = *self.rng.pick(&[Access::Read, Access::Write]);
        let len = self.size(bytes);
        let valid = self.value(Op::IsDeref {
            ptr: ptr.clone(),
            len: len.clone(),
            access,
        });
        let (value, otherwise) = (self.pick(ty), self.pick(ty));
        let join = self.body.new_block(&[ty]);
        let inside = self.body.new_block(&[]);
        let missed = Target::with_args(join, vec![otherwise]);
        let reached = Target::new(inside);
        self.finish(Terminator::Branch(valid.into(), reached, missed));
        self.block = inside;
        let result: Operand = match access {
            Access::Write | Access::Change => {
                match self.rng.one_in(4) {
                    true => {
                        let byte = Operand::int(7, 8);
                        self.emit(Op::MemSet {
                            dst: ptr,
                            byte,
                            len,
                        });
                    }
                    false => {
                        self.emit(Op::Store {
                            ty,
                            ptr,
                            value: value.clone(),
                            align: 1,
                        });
                    }
                }
                value
            }
            Access::Read | Access::Look | Access::Touch | Access::Stray => {
                let loaded = self.emit(Op::Load {
                    ty,
                    ptr,
                    align: 1,
                    volatile: false,
                });
                loaded.expect("a load has a result").into()
            }
        };
        self.finish(Terminator::Jump(Target::with_args(join, vec![result])));
        self.enter_with_params(join);
        let seen = self.body.blocks[join].params[0];
        self.observe(seen);
    }

    /// Looks at the contents of an object.
    pub fn look(&mut self) {
        let kinds = [ObjectKind::Data, ObjectKind::ConstData];
        let Some(object) = self.pick_object(&kinds, 1) else {
            return self.scalar_statement();
        };
        let bytes = [8, 4, 1].into_iter().find(|&bytes| bytes <= object.size);
        let bytes = bytes.expect("an object has a byte");
        let ptr = self.inside(&object, bytes);
        let ty = Type::Int(bytes as u32 * 8);
        let seen = self.value(Op::Load {
            ty,
            ptr,
            align: 1,
            volatile: false,
        });
        self.observe(seen);
    }

    /// Makes a choice if an integer has an odd number of ones: who disagrees about any bit of it
    /// disagrees about the choices that are made.
    pub fn observe(&mut self, value: Value) {
        let ones = self.value(Op::Unary(UnaryOp::CtPop, value.into()));
        let odd = self.value(Op::Cast(CastOp::Trunc, ones.into(), Type::BOOL));
        self.observe_bool(odd);
    }

    /// Makes a choice if the condition holds.
    pub fn observe_bool(&mut self, holds: Value) {
        let chosen = self.body.new_block(&[]);
        let join = self.body.new_block(&[]);
        self.branch_to(holds.into(), chosen, join);
        self.block = chosen;
        self.emit(Op::Nondet(Type::BOOL, NondetKind::Input));
        self.finish(Terminator::Jump(Target::new(join)));
        self.block = join;
    }

    /// An address that is a number from now on.
    fn address_as_data(&mut self) {
        let kinds = [
            ObjectKind::Data,
            ObjectKind::ConstData,
            ObjectKind::Pointers,
        ];
        let Some(object) = self.pick_object(&kinds, 1) else {
            return self.scalar_statement();
        };
        let ptr = self.inside(&object, 1);
        let int = self.module.machine.pointer_int();
        self.value(Op::Cast(CastOp::PtrToInt, ptr, int));
    }

    fn question_about_unknown(&mut self) {
        let Some(ptr) = self.unknown_pointer() else {
            return self.scalar_statement();
        };
        let op = match self.rng.below(5) {
            0 => Op::IsAlive(ptr),
            1 => Op::IsFreeable(ptr),
            2 => Op::ObjectSize(ptr),
            3 => Op::ObjectOffset(ptr),
            _ => {
                let len = self.below(12).into();
                let access = *self.rng.pick(&super::memory::ACCESSES);
                Op::IsDeref { ptr, len, access }
            }
        };
        let answer = self.value(op);
        match self.body.values[answer].ty {
            Type::BOOL => self.observe_bool(answer),
            _ => self.observe(answer),
        }
    }

    /// A loop that goes round as often as a free choice says, mostly entered in the middle.
    pub fn free_loop(&mut self) {
        if !self.may_repeat(ROUNDS) {
            return self.branch();
        }
        let counted = self.rng.one_in(3);
        let counter: &[Type] = match counted {
            true => &[Type::Int(8)],
            false => &[],
        };
        let top = self.body.new_block(counter);
        let middle = self.body.new_block(counter);
        let exit = self.body.new_block(&[]);
        let start = |block: Block| {
            let zero = Operand::int(0, 8);
            Target::with_args(block, counter.iter().map(|_| zero.clone()).collect())
        };
        let entry = match self.rng.below(4) {
            0 => Terminator::Jump(start(top)),
            1 => Terminator::Jump(start(middle)),
            2 => Terminator::Branch(self.pick(Type::BOOL), start(top), start(middle)),
            _ => Terminator::Branch(self.pick(Type::BOOL), start(middle), start(top)),
        };
        self.finish(entry);
        let before = self.times;
        self.times *= ROUNDS;
        for (own, next) in [(top, middle), (middle, top)] {
            let scope = self.scope();
            self.enter_with_params(own);
            for _ in 0..self.rng.below(3) {
                self.statement();
            }
            self.end_scope(scope.objects);
            let mut args: Vec<Operand> = Vec::new();
            if let [count] = *self.body.blocks[own].params.as_slice() {
                args.push(self.add_one(count, 8));
            }
            let again = Target::with_args(next, args);
            if own == top && self.rng.one_in(2) {
                self.finish(Terminator::Jump(again));
            } else {
                let go_on = self.free(Type::BOOL, NondetKind::Input);
                let go_on = match self.rng.one_in(3) {
                    true => {
                        let other = self.pick(Type::BOOL);
                        self.value(Op::Binary(BinaryOp::And, go_on.into(), other))
                    }
                    false => go_on,
                };
                let leave = Target::new(exit);
                self.finish(Terminator::Branch(go_on.into(), again, leave));
            }
            self.values.truncate(scope.values);
        }
        self.times = before;
        self.block = exit;
    }
}
