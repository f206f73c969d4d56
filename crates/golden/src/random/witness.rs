//! Changes of memory that are looked at at once.
//!
//! A formula that gets a change wrong is noticed only if somebody looks at the very bytes before anything
//! else is written there, which hardly ever happens by chance. Here the one follows the other: a write
//! through a pointer to one of two objects and a look at both, a write on one side of a branch and a look
//! behind it, the end of a part of the stack and a question about what was there, memory of no object.

use checks::registry::CheckId;
use ir::syntax::{
    Access, AllocKind, BinaryOp, CastOp, CompareOp, NondetKind, Op, Operand, Target, Terminator,
    Type, Value,
};

use crate::random::func::{Gen, Object, ObjectKind};

/// The widest access.
const WIDEST: u64 = 8;
/// Addresses where programs look for memory of no object: far from everything, at the end of the first
/// page, and at the end of all memory.
const NOWHERE: [u64; 3] = [0x4000_0000, 0x0ff8, 0x2000_u64.wrapping_neg() - 12];
/// How many bytes from there on.
const NEAR: u64 = 12;

/// The addresses of no object that programs access: first and number of bytes.
pub fn nowhere(pointer_bits: u32) -> impl Iterator<Item = (u64, u64)> {
    let mask = u64::MAX >> (64 - pointer_bits);
    NOWHERE
        .into_iter()
        .map(move |first| (first & mask, NEAR + WIDEST))
}

impl Gen<'_> {
    /// One of them; objects must be allowed.
    pub fn witness_statement(&mut self) {
        match self.rng.below(9) {
            0..2 => self.write_through_either(),
            2..4 => self.write_on_one_side(),
            4 => self.stack_scope(),
            5 => self.compare_any(),
            6 => self.parts_of_pointers(),
            _ => self.access_nowhere(),
        }
    }

    /// An object that nobody else knows.
    fn own_object(&mut self, kind: AllocKind, size: u64) -> Object {
        let mut bytes = self.size(size);
        if self.rng.one_in(4) {
            let more = self.below(8);
            bytes = self
                .value(Op::Binary(BinaryOp::Add, bytes, more.into()))
                .into();
        }
        let op = Op::Alloc {
            kind,
            size: bytes,
            align: 1 << self.rng.below(5),
            zeroed: self.rng.one_in(2),
            var: None,
        };
        let ptr = self.value(op);
        Object {
            ptr: ptr.into(),
            size,
            kind: ObjectKind::Data,
            heap: false,
            scoped: true,
        }
    }

    /// One of two pointers.
    fn either(&mut self, a: &Object, b: &Object) -> Operand {
        let cond = self.pick(Type::BOOL);
        let (x, y) = (a.ptr.clone(), b.ptr.clone());
        if self.rng.one_in(2) {
            return self.value(Op::Select(cond, x, y)).into();
        }
        let join = self.body.new_block(&[Type::Ptr]);
        let with = |ptr| Target::with_args(join, vec![ptr]);
        self.finish(Terminator::Branch(cond, with(x), with(y)));
        self.block = join;
        self.body.blocks[join].params[0].into()
    }

    /// An offset at which an access of any width is inside.
    fn some_offset(&mut self, size: u64) -> Operand {
        let places = size - WIDEST + 1;
        match self.rng.one_in(3) {
            true => {
                let offset = self.rng.below(places);
                self.size(offset)
            }
            false => self.below(places).into(),
        }
    }

    fn at(&mut self, ptr: &Operand, offset: &Operand) -> Operand {
        self.value(Op::Offset(ptr.clone(), offset.clone())).into()
    }

    /// Writes a few bytes at an offset.
    fn write_at(&mut self, ptr: &Operand, offset: &Operand, source: &Object) {
        let dst = self.at(ptr, offset);
        // At most as many as fit behind every offset.
        let len = match self.rng.one_in(2) {
            true => self.size(WIDEST / 2),
            false => self.below(WIDEST + 1).into(),
        };
        match self.rng.below(6) {
            0 => {
                let byte = self.pick(Type::Int(8));
                self.emit(Op::MemSet { dst, byte, len });
            }
            1 => {
                let from = self.some_offset(source.size);
                let src = self.at(&source.ptr, &from);
                self.emit(Op::MemCopy { dst, src, len });
            }
            2 => {
                self.emit(Op::MemHavoc { dst, len });
            }
            _ => {
                let ty = Type::Int(*self.rng.pick(&[8, 16, 32, 64]));
                let value = match self.rng.one_in(2) {
                    true => self.free(ty, NondetKind::Input).into(),
                    false => self.pick(ty),
                };
                self.emit(Op::Store {
                    ty,
                    ptr: dst,
                    value,
                    align: 1,
                });
            }
        }
    }

    fn look_at(&mut self, ptr: &Operand, offset: &Operand) {
        let ptr = self.at(ptr, offset);
        let ty = Type::Int(*self.rng.pick(&[8, 32, 64, 64]));
        let seen = self.value(Op::Load {
            ty,
            ptr,
            align: 1,
            volatile: false,
        });
        self.observe(seen);
    }

    /// What is not the object that a pointer means keeps what it holds, and its life.
    fn write_through_either(&mut self) {
        let kind = *self.rng.pick(&[AllocKind::Stack, AllocKind::Heap]);
        let size = self.rng.between(WIDEST, 3 * WIDEST);
        let (a, b) = (self.own_object(kind, size), self.own_object(kind, size));
        let ptr = self.either(&a, &b);
        if kind == AllocKind::Heap && self.rng.one_in(3) {
            let ok = self.value(Op::IsFreeable(ptr.clone()));
            self.check(CheckId::Free, ok);
            self.emit(Op::Free(ptr));
            for object in [a, b] {
                let op = match self.rng.one_in(2) {
                    true => Op::IsAlive(object.ptr),
                    false => Op::IsFreeable(object.ptr),
                };
                let alive = self.value(op);
                self.observe_bool(alive);
            }
            return;
        }
        if self.rng.one_in(4) {
            self.emit(Op::ResetModified(ptr.clone()));
        }
        let offset = self.some_offset(size);
        let source = a.clone();
        self.write_at(&ptr, &offset, &source);
        for object in [&a, &b] {
            self.look_at(&object.ptr, &offset);
        }
        if self.rng.one_in(2) {
            let modified = self.value(Op::IsModified(a.ptr));
            self.observe_bool(modified);
        }
    }

    /// A write that happens on one side of a branch, and perhaps another one on the other.
    fn write_on_one_side(&mut self) {
        let kind = *self.rng.pick(&[AllocKind::Stack, AllocKind::Heap]);
        let size = self.rng.between(2 * WIDEST, 8 * WIDEST);
        let (object, source) = (self.own_object(kind, size), self.own_object(kind, size));
        let offset = self.some_offset(size);
        if self.rng.one_in(2) {
            let first = self.some_offset(size);
            self.write_at(&object.ptr, &first, &source);
        }
        let cond = self.pick(Type::BOOL);
        let (yes, no) = (self.body.new_block(&[]), self.body.new_block(&[]));
        let join = self.body.new_block(&[]);
        self.branch_to(cond, yes, no);
        let scope = self.values.len();
        self.block = yes;
        self.write_at(&object.ptr, &offset, &source);
        self.values.truncate(scope);
        self.finish(Terminator::Jump(Target::new(join)));
        self.block = no;
        for _ in 0..self.rng.below(3) {
            let other = self.some_offset(size);
            self.write_at(&object.ptr, &other, &source);
        }
        self.values.truncate(scope);
        self.finish(Terminator::Jump(Target::new(join)));
        self.block = join;
        self.look_at(&object.ptr, &offset);
        let other = self.some_offset(size);
        self.look_at(&object.ptr, &other);
        if self.rng.one_in(3) {
            let modified = self.value(Op::IsModified(object.ptr));
            self.observe_bool(modified);
        }
    }

    /// A pointer of which a part is overwritten by a part of another, or that is put together of its parts.
    fn parts_of_pointers(&mut self) {
        let bytes = self.pointer_bytes();
        let half = bytes / 2;
        let (slots, copy) = (
            self.own_object(AllocKind::Stack, 2 * bytes),
            self.own_object(AllocKind::Stack, 2 * bytes),
        );
        let (a, b) = (
            self.own_object(AllocKind::Heap, WIDEST),
            self.own_object(AllocKind::Heap, WIDEST),
        );
        let store = |this: &mut Gen<'_>, at: u64, value: &Operand| {
            let at = this.size(at);
            let ptr = this.at(&slots.ptr, &at);
            this.emit(Op::Store {
                ty: Type::Ptr,
                ptr,
                value: value.clone(),
                align: 1,
            });
        };
        store(self, 0, &a.ptr);
        let mut from = slots.ptr.clone();
        if self.rng.one_in(2) {
            store(self, half, &b.ptr);
        } else {
            // Both halves as numbers, one after the other.
            let ty = Type::Int(half as u32 * 8);
            for part in [0, half] {
                let at = self.size(part);
                let (src, dst) = (self.at(&slots.ptr, &at), self.at(&copy.ptr, &at));
                let value = self.value(Op::Load {
                    ty,
                    ptr: src,
                    align: 1,
                    volatile: false,
                });
                self.emit(Op::Store {
                    ty,
                    ptr: dst,
                    value: value.into(),
                    align: 1,
                });
            }
            from = copy.ptr.clone();
        }
        let loaded = self.value(Op::Load {
            ty: Type::Ptr,
            ptr: from,
            align: 1,
            volatile: false,
        });
        let len = self.size(WIDEST);
        let valid = self.value(Op::IsDeref {
            ptr: loaded.into(),
            len,
            access: Access::Read,
        });
        self.observe_bool(valid);
    }

    /// What lies on the stack since a mark dies, and nothing else.
    fn stack_scope(&mut self) {
        let mut made = vec![self.own_object(AllocKind::Stack, WIDEST)];
        // Its value differs between readers of the program.
        let mark = self.emit(Op::StackSave).expect("a mark");
        for _ in 0..self.rng.between(1, 2) {
            made.push(self.own_object(AllocKind::Stack, WIDEST));
        }
        self.emit(Op::StackRestore(mark.into()));
        for object in made {
            let len = self.size(1);
            let op = match self.rng.one_in(2) {
                true => Op::IsAlive(object.ptr),
                false => Op::IsDeref {
                    ptr: object.ptr,
                    len,
                    access: Access::Read,
                },
            };
            let alive = self.value(op);
            self.observe_bool(alive);
        }
    }

    /// Any two pointers, dead or alive.
    fn compare_any(&mut self) {
        let kinds = [
            ObjectKind::Data,
            ObjectKind::ConstData,
            ObjectKind::Pointers,
        ];
        let mut some = || {
            if self.rng.one_in(3) {
                return self.unknown_pointer();
            }
            let object = self.pick_object(&kinds, 1)?;
            match self.rng.one_in(2) {
                true => Some(object.ptr),
                false => {
                    let skip = self.below(object.size + 1);
                    Some(self.at(&object.ptr, &skip.into()))
                }
            }
        };
        let (Some(a), Some(b)) = (some(), some()) else {
            return self.scalar_statement();
        };
        let op = *self.rng.pick(&[
            CompareOp::Eq,
            CompareOp::Ne,
            CompareOp::Ult,
            CompareOp::Ule,
            CompareOp::Slt,
            CompareOp::Sle,
        ]);
        let result = self.value(Op::Compare(op, a, b));
        self.observe_bool(result);
    }

    /// Writes and reads where no object is, if there is memory.
    fn access_nowhere(&mut self) {
        let first = *self.rng.pick(&NOWHERE);
        let near = self.below(NEAR);
        let first = self.size(first);
        let number = self.value(Op::Binary(BinaryOp::Add, first.clone(), near.into()));
        let other = self.rng.below(NEAR);
        let other = self.size(other);
        let other = self.value(Op::Binary(BinaryOp::Add, first, other));
        let pointer = |this: &mut Gen<'_>, number: Value| -> Operand {
            let cast = Op::Cast(CastOp::IntToPtr, number.into(), Type::Ptr);
            this.value(cast).into()
        };
        let (ptr, other) = (pointer(self, number), pointer(self, other));
        if self.rng.one_in(2) {
            self.if_valid(&ptr, Access::Change, |this| {
                let source = this.own_object(AllocKind::Stack, WIDEST);
                let zero = this.size(0);
                this.write_at(&ptr, &zero, &source);
            });
        }
        for ptr in [other, ptr] {
            self.if_valid(&ptr, Access::Look, |this| {
                let zero = this.size(0);
                match this.rng.one_in(4) {
                    false => this.look_at(&ptr, &zero),
                    true => {
                        let copy = this.own_object(AllocKind::Stack, WIDEST);
                        let len = this.size(WIDEST);
                        this.emit(Op::MemCopy {
                            dst: copy.ptr.clone(),
                            src: ptr.clone(),
                            len,
                        });
                        this.look_at(&copy.ptr, &zero);
                    }
                }
            });
        }
    }

    /// Statements behind a branch that asks whether an access is valid.
    fn if_valid(&mut self, ptr: &Operand, access: Access, then: impl FnOnce(&mut Self)) {
        let len = self.size(WIDEST);
        let valid = self.value(Op::IsDeref {
            ptr: ptr.clone(),
            len,
            access,
        });
        let (inside, join) = (self.body.new_block(&[]), self.body.new_block(&[]));
        self.branch_to(valid.into(), inside, join);
        let scope = self.values.len();
        self.block = inside;
        then(self);
        self.values.truncate(scope);
        self.finish(Terminator::Jump(Target::new(join)));
        self.block = join;
    }
}
