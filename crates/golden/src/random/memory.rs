//! Objects, pointers, and what touches memory.

use checks::registry::CheckId;
use ir::syntax::{
    Access, AllocKind, BinaryOp, CastOp, CompareOp, FloatTy, Op, Operand, Phase, Type, Value, Var,
};

use crate::random::Use;
use crate::random::func::{Gen, Object, ObjectKind};

/// What is asked of pointers at random. Whether one is a mere address is not: where pointers are nothing but
/// addresses, all of them are.
pub(super) const ACCESSES: [Access; 5] = [
    Access::Read,
    Access::Write,
    Access::Look,
    Access::Change,
    Access::Touch,
];

impl Gen<'_> {
    /// Something on memory.
    pub fn memory_statement(&mut self) {
        if self.options.externs == Use::Yes && self.rng.one_in(20) {
            let objects = self.objects.iter().map(|object| object.ptr.clone());
            let pointers = objects.take(2).collect();
            let op = match self.rng.one_in(4) {
                true => Op::Show(pointers),
                false => Op::Clobber(pointers),
            };
            self.emit(op);
            return;
        }
        match self.rng.below(20) {
            0..3 => {
                self.any_object();
            }
            3..7 => self.store_statement(),
            7..11 => self.load_statement(),
            11 => self.pointer_in_memory(),
            12 => self.pointer_through_integer(),
            13 => self.mem_copy(),
            14 => self.fill(),
            15 => self.mem_compare(),
            16 => self.interior_pointer(),
            17..19 => self.query(),
            _ => self.bad_access(),
        }
    }

    pub fn size(&self, bytes: u64) -> Operand {
        Operand::size(bytes, self.module.machine)
    }

    pub fn pointer_bytes(&self) -> u64 {
        u64::from(self.module.machine.pointer_bits / 8)
    }

    /// A new stack object of this size, filled.
    pub fn new_object(&mut self, size: u64) -> Object {
        let object = self.allocate(AllocKind::Stack, size, ObjectKind::Data);
        self.initialise(&object);
        self.objects.push(object.clone());
        object
    }

    /// A new heap object of this size for the caller.
    pub fn fresh(&mut self, size: u64) -> Operand {
        let object = self.allocate(AllocKind::Heap, size, ObjectKind::Data);
        self.initialise(&object);
        object.ptr
    }

    fn allocate(&mut self, kind: AllocKind, size: u64, holds: ObjectKind) -> Object {
        // A size that is computed has the same lower bound.
        let mut bytes = self.size(size);
        if self.rng.one_in(4) {
            let more = self.below(8);
            let sum = Op::Binary(BinaryOp::Add, bytes, more.into());
            bytes = self.value(sum).into();
        }
        let vars = self.module.vars.len();
        let var = Var::from_index(self.rng.index(vars));
        let align = match holds {
            ObjectKind::Pointers => self.pointer_bytes(),
            ObjectKind::Data | ObjectKind::ConstData | ObjectKind::GlobalTable => {
                1 << self.rng.below(5)
            }
        };
        let op = Op::Alloc {
            kind,
            size: bytes,
            align,
            zeroed: self.rng.one_in(4),
            var: self.rng.one_in(3).then_some(var),
        };
        let ptr = self.value(op);
        let scoped = kind.is_stack() && self.rng.one_in(4);
        if scoped {
            self.emit(Op::LifetimeStart(ptr.into()));
        }
        Object {
            ptr: ptr.into(),
            size,
            kind: holds,
            heap: kind == AllocKind::Heap,
            scoped,
        }
    }

    /// Fills an object, most of the time.
    fn initialise(&mut self, object: &Object) {
        let free = self.options.nondet == Use::Yes;
        if free && self.rng.one_in(8) {
            return;
        }
        let (dst, len) = (object.ptr.clone(), self.size(object.size));
        if free && object.kind == ObjectKind::Data && self.rng.one_in(4) {
            self.emit(Op::MemHavoc { dst, len });
            return;
        }
        let byte = match object.kind {
            ObjectKind::Data => self.pick(Type::Int(8)),
            ObjectKind::Pointers | ObjectKind::ConstData | ObjectKind::GlobalTable => {
                Operand::int(0, 8)
            }
        };
        self.emit(Op::MemSet { dst, byte, len });
    }

    fn any_object(&mut self) {
        let kind = *self.rng.pick(&[AllocKind::Stack, AllocKind::Heap]);
        let (holds, size) = match self.rng.one_in(4) {
            true => (
                ObjectKind::Pointers,
                self.pointer_bytes() * self.rng.between(1, 3),
            ),
            false => (ObjectKind::Data, self.rng.between(1, 40)),
        };
        // Of a sealed one, nothing but what it begins with is written.
        let sealed = kind == AllocKind::Stack && holds == ObjectKind::Data && size % 8 == 5;
        let (kind, holds) = match sealed {
            true => (AllocKind::Sealed, ObjectKind::ConstData),
            false => (kind, holds),
        };
        let object = self.allocate(kind, size, holds);
        self.initialise(&object);
        self.objects.push(object);
    }

    /// An object of one of these kinds with at least so many bytes.
    pub fn pick_object(&mut self, kinds: &[ObjectKind], bytes: u64) -> Option<Object> {
        let fits = |object: &&Object| kinds.contains(&object.kind) && object.size >= bytes;
        let objects: Vec<&Object> = self.objects.iter().filter(fits).collect();
        match objects.is_empty() {
            true => None,
            false => Some((*self.rng.pick(&objects)).clone()),
        }
    }

    /// A value of pointer width below the limit.
    pub fn below(&mut self, limit: u64) -> Value {
        let any = self.pick(self.module.machine.pointer_int());
        let limit = self.size(limit);
        self.value(Op::Binary(BinaryOp::URem, any, limit))
    }

    /// A pointer into the object with room for so many bytes behind it.
    pub fn inside(&mut self, object: &Object, bytes: u64) -> Operand {
        let places = object.size - bytes + 1;
        let offset = match self.rng.below(3) {
            0 => return object.ptr.clone(),
            1 => {
                let offset = self.rng.below(places);
                self.size(offset)
            }
            _ => self.below(places).into(),
        };
        self.value(Op::Offset(object.ptr.clone(), offset)).into()
    }

    /// A type for a load or store, and its size.
    fn access_type(&mut self) -> (Type, u64) {
        let ty = match self.any_type() {
            // Bits from memory would not be canonical.
            Type::Float(FloatTy::F80) => Type::Float(FloatTy::F64),
            ty => ty,
        };
        (ty, ty.bytes(self.module.machine))
    }

    fn store_statement(&mut self) {
        let (ty, bytes) = self.access_type();
        let Some(object) = self.pick_object(&[ObjectKind::Data], bytes) else {
            return self.any_object();
        };
        let ptr = self.inside(&object, bytes);
        let value = self.pick(ty);
        self.guard(&ptr, bytes, Access::Write);
        self.emit(Op::Store {
            ty,
            ptr,
            value,
            align: 1,
        });
    }

    fn load_statement(&mut self) {
        let (ty, bytes) = self.access_type();
        let kinds = [ObjectKind::Data, ObjectKind::ConstData];
        let Some(object) = self.pick_object(&kinds, bytes) else {
            return self.any_object();
        };
        let ptr = self.inside(&object, bytes);
        self.guard(&ptr, bytes, Access::Read);
        let volatile = self.options.nondet == Use::Yes && self.rng.one_in(16);
        let op = Op::Load {
            ty,
            ptr,
            align: 1,
            volatile,
        };
        let value = self.emit(op).expect("a load has a result");
        self.receive(ty, value);
    }

    /// Now and then the obligation of an access that is in order.
    fn guard(&mut self, ptr: &Operand, bytes: u64, access: Access) {
        if self.rng.one_in(3) {
            let len = self.size(bytes);
            let ok = self.value(Op::IsDeref {
                ptr: ptr.clone(),
                len,
                access,
            });
            self.check(CheckId::Deref, ok);
        }
    }

    /// An access whose obligation may fail.
    fn bad_access(&mut self) {
        let (ty, bytes) = self.access_type();
        let kinds = [ObjectKind::Data, ObjectKind::ConstData];
        if self.options.failures == Use::No {
            return self.load_statement();
        }
        let Some(object) = self.pick_object(&kinds, 1) else {
            return self.any_object();
        };
        let offset = match self.rng.one_in(2) {
            true => self.below(object.size + 8).into(),
            false => {
                let offset = self.rng.below(object.size + 8);
                self.size(offset)
            }
        };
        let ptr: Operand = self.value(Op::Offset(object.ptr, offset)).into();
        // The other kinds may hold beside objects.
        let access = *self.rng.pick(&[Access::Read, Access::Write]);
        let len = self.size(bytes);
        let ok = self.value(Op::IsDeref {
            ptr: ptr.clone(),
            len,
            access,
        });
        self.check(CheckId::Deref, ok);
        match access {
            Access::Read | Access::Look | Access::Touch | Access::Stray => {
                let op = Op::Load {
                    ty,
                    ptr,
                    align: 1,
                    volatile: false,
                };
                let value = self.emit(op).expect("a load has a result");
                self.receive(ty, value);
            }
            Access::Write | Access::Change => {
                let value = self.pick(ty);
                self.emit(Op::Store {
                    ty,
                    ptr,
                    value,
                    align: 1,
                });
            }
        }
    }

    /// Stores a pointer and loads it again at once, or loads one from the table of globals.
    fn pointer_in_memory(&mut self) {
        let bytes = self.pointer_bytes();
        let kinds = [ObjectKind::Pointers, ObjectKind::GlobalTable];
        let Some(slots) = self.pick_object(&kinds, bytes) else {
            return self.any_object();
        };
        let number = self.rng.below(slots.size / bytes);
        let offset = self.size(number * bytes);
        let slot: Operand = self.value(Op::Offset(slots.ptr, offset)).into();
        let align = 1 << self.rng.below(u64::from(bytes.ilog2()) + 1);
        let target = match slots.kind {
            ObjectKind::GlobalTable => None,
            ObjectKind::Pointers | ObjectKind::Data | ObjectKind::ConstData => {
                let kinds = [
                    ObjectKind::Data,
                    ObjectKind::ConstData,
                    ObjectKind::Pointers,
                ];
                let Some(target) = self.pick_object(&kinds, 1) else {
                    return;
                };
                self.emit(Op::Store {
                    ty: Type::Ptr,
                    ptr: slot.clone(),
                    value: target.ptr.clone(),
                    align,
                });
                Some(target)
            }
        };
        let loaded = self.value(Op::Load {
            ty: Type::Ptr,
            ptr: slot,
            align,
            volatile: false,
        });
        match target {
            Some(target) => self.objects.push(Object {
                ptr: loaded.into(),
                heap: false,
                ..target
            }),
            None => {
                // Into the middle of a global: at least one byte is there.
                self.objects.push(Object {
                    ptr: loaded.into(),
                    size: 1,
                    kind: ObjectKind::ConstData,
                    heap: false,
                    scoped: false,
                });
            }
        }
    }

    /// A pointer as an integer and back.
    fn pointer_through_integer(&mut self) {
        let kinds = [ObjectKind::Data, ObjectKind::ConstData];
        let Some(object) = self.pick_object(&kinds, 1) else {
            return self.any_object();
        };
        let int = self.module.machine.pointer_int();
        let address = Op::Cast(CastOp::PtrToInt, object.ptr.clone(), int);
        let address = self.emit(address).expect("a cast has a result");
        if self.rng.one_in(2) {
            let back = Op::Cast(CastOp::IntToPtr, address.into(), Type::Ptr);
            let back = self.value(back);
            self.objects.push(Object {
                ptr: back.into(),
                heap: false,
                ..object
            });
            return;
        }
        let other = self.inside(&object, 1);
        let other = Op::Cast(CastOp::PtrToInt, other, int);
        let other = self.emit(other).expect("a cast has a result");
        self.value(Op::Binary(BinaryOp::Sub, other.into(), address.into()));
    }

    /// A pointer into the middle of an object, which is an object for what follows.
    fn interior_pointer(&mut self) {
        let Some(object) = self.pick_object(&[ObjectKind::Data], 2) else {
            return self.any_object();
        };
        let skip = self.rng.between(1, object.size - 1);
        let offset = self.size(skip);
        let ptr = self.value(Op::Offset(object.ptr, offset));
        self.objects.push(Object {
            ptr: ptr.into(),
            size: object.size - skip,
            heap: false,
            kind: object.kind,
            scoped: object.scoped,
        });
    }

    /// How many bytes of a range of at most so many: at least one.
    fn length(&mut self, most: u64) -> Operand {
        match self.rng.one_in(2) {
            true => {
                let len = self.rng.between(1, most);
                self.size(len)
            }
            false => {
                let more = self.below(most);
                let one = self.size(1);
                self.value(Op::Binary(BinaryOp::Add, more.into(), one))
                    .into()
            }
        }
    }

    fn mem_copy(&mut self) {
        let kinds = [ObjectKind::Data, ObjectKind::ConstData];
        let dst = self.pick_object(&[ObjectKind::Data], 1);
        let src = self.pick_object(&kinds, 1);
        let (Some(dst), Some(src)) = (dst, src) else {
            return self.any_object();
        };
        let most = dst.size.min(src.size);
        let len = self.length(most);
        let (dst, src) = (self.inside(&dst, most), self.inside(&src, most));
        self.emit(Op::MemCopy { dst, src, len });
    }

    fn fill(&mut self) {
        let Some(object) = self.pick_object(&[ObjectKind::Data], 1) else {
            return self.any_object();
        };
        let len = self.length(object.size);
        let dst = object.ptr;
        if self.options.nondet == Use::Yes && self.rng.one_in(3) {
            self.emit(Op::MemHavoc { dst, len });
        } else {
            let byte = self.pick(Type::Int(8));
            self.emit(Op::MemSet { dst, byte, len });
        }
    }

    fn mem_compare(&mut self) {
        let kinds = [ObjectKind::Data, ObjectKind::ConstData];
        let left = self.pick_object(&kinds, 1);
        let right = self.pick_object(&kinds, 1);
        let (Some(left), Some(right)) = (left, right) else {
            return self.any_object();
        };
        let most = left.size.min(right.size);
        let len = self.length(most);
        let (left, right) = (self.inside(&left, most), self.inside(&right, most));
        self.value(Op::MemCompare { left, right, len });
    }

    /// A question about a pointer.
    fn query(&mut self) {
        let kinds = [
            ObjectKind::Data,
            ObjectKind::ConstData,
            ObjectKind::Pointers,
        ];
        let Some(object) = self.pick_object(&kinds, 1) else {
            return self.any_object();
        };
        let inside = self.inside(&object, 1);
        let base = object.ptr.clone();
        let op = match self.rng.below(9) {
            0 => Op::ObjectSize(inside),
            1 => Op::ObjectOffset(inside),
            2 => {
                let len = self.below(object.size + 4);
                Op::IsDeref {
                    ptr: inside,
                    len: len.into(),
                    access: *self.rng.pick(&ACCESSES),
                }
            }
            3 => Op::IsAlive(inside),
            4 => Op::IsFreeable(inside),
            5 => {
                let len = self.length(object.size);
                Op::IsDisjoint {
                    left: base,
                    right: inside,
                    len,
                }
            }
            6 if !object.scoped => {
                if self.rng.one_in(2) {
                    self.emit(Op::ResetModified(base));
                    return;
                }
                Op::IsModified(inside)
            }
            7 => {
                let ops = [CompareOp::Eq, CompareOp::Ne, CompareOp::Ult, CompareOp::Ule];
                Op::Compare(*self.rng.pick(&ops), base, inside)
            }
            _ => Op::Compare(CompareOp::Eq, inside, Operand::NULL),
        };
        self.value(op);
    }

    /// Ends the life of the objects made since there were so many.
    pub fn end_scope(&mut self, count: usize) {
        while self.objects.len() > count {
            let object = self.objects.pop().expect("there are more than that");
            if object.heap {
                self.free_object(&object);
            } else if object.scoped && self.is_base(&object) && self.rng.one_in(2) {
                self.emit(Op::LifetimeEnd(object.ptr));
            }
        }
    }

    /// Is it the pointer that its allocation yielded?
    fn is_base(&self, object: &Object) -> bool {
        let def = object
            .ptr
            .as_value()
            .and_then(|value| self.body.def_inst(value));
        def.is_some_and(|inst| matches!(inst.op, Op::Alloc { .. }))
    }

    fn free_object(&mut self, object: &Object) {
        let ptr = object.ptr.clone();
        let failures = self.options.failures == Use::Yes;
        if failures && self.rng.one_in(6) {
            return; // A leak.
        }
        let wrong = failures && self.rng.one_in(8);
        let checked = wrong || self.options.phase >= Phase::Lowered || self.rng.one_in(3);
        let target = match wrong && object.size > 1 {
            true => self.inside(object, 1),
            false => ptr.clone(),
        };
        if checked {
            let ok = self.value(Op::IsFreeable(target.clone()));
            self.check(CheckId::Free, ok);
        }
        self.emit(Op::Free(target));
        if self.rng.one_in(3) {
            let op = match self.rng.below(3) {
                0 => Op::IsAlive(ptr),
                1 => Op::IsFreeable(ptr),
                _ => Op::IsDeref {
                    ptr,
                    len: self.size(1),
                    access: Access::Read,
                },
            };
            self.value(op);
        }
    }
}
