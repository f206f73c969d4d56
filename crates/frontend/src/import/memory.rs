//! Objects, loads, stores, address arithmetic, atomics.

use ir::syntax::{AllocKind, BinaryOp, CastOp, CompareOp, NondetKind, Op, Operand, Type};

use crate::ffi::{Kind, Meta, Opcode, RmwOp, Ty, Val, ValKind};
use crate::instrument::constants::SEALED;
use crate::options::Volatile;

use super::emit::{Operands, constant};
use super::function::FuncImporter;
use super::scopes::object;

/// What the ledger says of volatile reads.
const LAST: &str = "volatile reads return what was written last";
const ANY: &str = "volatile reads return any value";
const MIXED: &str = "volatile reads return any value, but those of pointers, and those of local \
                     variables and heap objects, what was written last";
const CALLED: &str = "volatile reads return any value, but those of pointers, and those of local \
                      variables by their names, what was written last";

impl<'c> FuncImporter<'_, '_, 'c> {
    /// A local object.
    pub fn alloca(&mut self, inst: Val<'c>) {
        let ty = inst.allocated_type();
        let step = self.importer.layout.size(ty);
        let count = self.operand(inst.operand(0));
        let bits = self.importer.pointer_bits();
        let count = self.resize(count, bits, CastOp::ZExt);
        let step = self.size(step);
        let size = self.binary(BinaryOp::Mul, count, step);
        let align = inst.alignment().max(1);
        let var = self.homes.get(&inst).copied();
        let sealed = inst.has_metadata(self.importer.ctx.metadata_kind(SEALED));
        let kind = match sealed {
            true => AllocKind::Sealed,
            false => AllocKind::Stack,
        };
        let pointer = self.value(Op::Alloc {
            kind,
            size,
            align,
            zeroed: false,
            var,
        });
        self.define_one(inst, pointer);
    }

    /// A load of any type, scalar by scalar.
    pub fn load(&mut self, inst: Val<'c>) {
        let ty = inst.ty();
        let pointer = self.operand(inst.operand(0));
        let align = inst.alignment().max(1);
        let loaded = match self.reads_last(inst) {
            true => self.load_from(ty, pointer, align),
            false => {
                let others = self.may_be_others(object(inst.operand(0)));
                self.load_volatile(ty, pointer, align, others)
            }
        };
        match loaded {
            Some(operands) => self.define(inst, operands),
            None => self.define_unsupported(inst),
        }
    }

    /// Is the function a model of the library?
    fn is_model(&self) -> bool {
        self.llvm.has_string_attribute(crate::instrument::MODEL)
    }

    /// Does a load yield what was written last, wherever it reads?
    fn reads_last(&mut self, inst: Val<'c>) -> bool {
        if !inst.is_volatile() || self.is_model() {
            return true;
        }
        let (last, note) = match self.importer.options.volatile {
            Volatile::Last => (true, LAST),
            Volatile::Any => (false, ANY),
            Volatile::Mixed => (
                object(inst.operand(0)).opcode() == Some(Opcode::LLVMAlloca),
                self.mixed(),
            ),
        };
        self.importer.note(note);
        last
    }

    /// Is the program called by somebody who has objects too?
    fn has_caller(&self) -> bool {
        self.importer.options.entry != "main"
    }

    fn mixed(&self) -> &'static str {
        match self.has_caller() {
            true => CALLED,
            false => MIXED,
        }
    }

    /// May a pointer with this origin lead to an object of the caller, whose volatile parts others write? Of a pointer that is no
    /// variable's own address nobody knows.
    fn may_be_others(&self, origin: Val<'c>) -> bool {
        self.importer.options.volatile == Volatile::Mixed
            && self.has_caller()
            && origin.value_kind() != ValKind::Global
    }

    /// A copy that reads or writes volatile memory, and nobody but the declaration of a global knows which.
    /// What was read may be any value, where others may have written to its source.
    pub fn copy_volatile(&mut self, inst: Val<'c>, dst: Operand, src: Operand, len: Operand) {
        let op = Op::MemCopy {
            dst: dst.clone(),
            src: src.clone(),
            len: len.clone(),
        };
        self.write(dst.clone(), op);
        if self.is_model() {
            return;
        }
        let source = object(inst.operand(1));
        let global = source.value_kind() == ValKind::Global;
        if global && !self.is_volatile_global(source) {
            return;
        }
        let (last, note) = match self.importer.options.volatile {
            Volatile::Last => (true, LAST),
            Volatile::Any => (false, ANY),
            Volatile::Mixed => (source.opcode() == Some(Opcode::LLVMAlloca), self.mixed()),
        };
        self.importer.note(note);
        if last {
            return;
        }
        let whole = global && source == inst.operand(1);
        let ty = whole.then(|| source.content_type());
        let ty = ty.filter(|&ty| inst.operand(2).as_u64() == Some(self.importer.layout.size(ty)));
        let leaves =
            ty.and_then(|ty| self.load_volatile(ty, src, source.alignment().max(1), false));
        if let (Some(ty), Some(leaves)) = (ty, leaves) {
            self.store_to(ty, dst, &leaves, 1);
            return;
        }
        // It is not known whether it was the source that is volatile, and where it holds pointers.
        self.perhaps_written(dst, len);
    }

    /// Others may have written here, or not.
    pub fn perhaps_written(&mut self, dst: Operand, len: Operand) {
        let changed = self.value(Op::Nondet(Type::Int(1), NondetKind::Approx));
        let none = self.size(0);
        let len = self.select(changed, len, none);
        let op = Op::MemHavoc {
            dst: dst.clone(),
            len,
        };
        self.write(dst, op);
    }

    /// Is a global's type volatile?
    fn is_volatile_global(&self, global: Val<'c>) -> bool {
        let ctx = self.importer.ctx;
        let described = global.global_debug(ctx.metadata_kind("dbg"));
        match described.and_then(Meta::global_variable) {
            Some(variable) => variable.qualifiers(ctx).volatile,
            // The contents of an initialiser are not.
            None => !global.is_global_constant(),
        }
    }

    /// Loads what others than the program may have written.
    fn load_volatile(
        &mut self,
        ty: Ty<'c>,
        pointer: Operand,
        align: u64,
        others: bool,
    ) -> Option<Operands> {
        let shape = self.importer.shape(ty);
        if shape.unsupported.is_some() || shape.packed.is_some() {
            return None;
        }
        let any = self.importer.options.volatile == Volatile::Any;
        let mut operands = Operands::new();
        for leaf in &shape.leaves {
            let ptr = self.offset_by(pointer.clone(), leaf.offset);
            let align = align_at(align, leaf.offset).min(1 << 30) as u32;
            let read = self.value(Op::Load {
                ty: leaf.ty,
                ptr,
                align,
                volatile: leaf.ty != Type::Ptr,
            });
            operands.push(match any || (others && leaf.ty != Type::Ptr) {
                true => self.value(Op::Nondet(leaf.ty, NondetKind::Input)),
                false => read,
            });
        }
        Some(operands)
    }

    /// Loads a value of LLVM's type; none if the type is not supported.
    pub fn load_from(&mut self, ty: Ty<'c>, pointer: Operand, align: u64) -> Option<Operands> {
        let shape = self.importer.shape(ty);
        if shape.unsupported.is_some() {
            return None;
        }
        if let Some(bits) = shape.packed {
            let lanes = shape.leaves.len() as u32;
            let whole = self.load_scalar(Type::Int(bits * lanes), pointer, align);
            return Some(self.split_lanes(whole, bits, lanes, shape.leaves[0].ty));
        }
        let mut operands = Operands::new();
        for leaf in &shape.leaves {
            let at = self.offset_by(pointer.clone(), leaf.offset);
            operands.push(self.load_scalar(leaf.ty, at, align_at(align, leaf.offset)));
        }
        Some(operands)
    }

    /// Loads a scalar.
    pub fn load_scalar(&mut self, ty: Type, ptr: Operand, align: u64) -> Operand {
        self.value(Op::Load {
            ty,
            ptr,
            align: align.min(1 << 30) as u32,
            volatile: false,
        })
    }

    /// Stores a scalar.
    pub fn store_scalar(&mut self, ptr: Operand, value: Operand, align: u64) {
        let ty = self.type_of(&value);
        let op = Op::Store {
            ty,
            ptr: ptr.clone(),
            value,
            align: align.min(1 << 30) as u32,
        };
        self.write(ptr, op);
    }

    /// A store of any type, scalar by scalar.
    pub fn store(&mut self, inst: Val<'c>) {
        let value = inst.operand(0);
        let ty = value.ty();
        let operands = self.operands(value);
        let pointer = self.operand(inst.operand(1));
        let align = inst.alignment().max(1);
        self.store_to(ty, pointer, &operands, align);
    }

    /// Stores the scalars of a value of LLVM's type.
    pub fn store_to(&mut self, ty: Ty<'c>, pointer: Operand, operands: &[Operand], align: u64) {
        let shape = self.importer.shape(ty);
        if let Some(what) = shape.unsupported.clone() {
            self.unsupported(&what);
            return;
        }
        if let Some(bits) = shape.packed {
            let whole = self.join_lanes(operands, bits);
            self.store_scalar(pointer, whole, align);
            return;
        }
        for (leaf, operand) in shape.leaves.iter().zip(operands) {
            let at = self.offset_by(pointer.clone(), leaf.offset);
            self.store_scalar(at, operand.clone(), align_at(align, leaf.offset));
        }
    }

    /// Lanes from one integer, lane 0 lowest.
    pub fn split_lanes(&mut self, whole: Operand, bits: u32, lanes: u32, ty: Type) -> Operands {
        let width = bits * lanes;
        let mut operands = Operands::new();
        for lane in 0..lanes {
            let amount = Operand::int(i64::from(lane * bits), width);
            let shifted = self.binary(BinaryOp::LShr, whole.clone(), amount);
            let cut = self.cast(CastOp::Trunc, shifted, Type::Int(bits));
            operands.push(self.value_of_bits(cut, ty));
        }
        operands
    }

    /// One integer from lanes of `bits` bits, lane 0 lowest.
    pub fn join_lanes(&mut self, operands: &[Operand], bits: u32) -> Operand {
        let width = bits * operands.len() as u32;
        let mut whole = Operand::int(0, width);
        for (lane, operand) in operands.iter().enumerate() {
            let lane_bits = self.bits_of(operand.clone());
            let wide = self.cast(CastOp::ZExt, lane_bits, Type::Int(width));
            let amount = Operand::int(lane as i64 * i64::from(bits), width);
            let shifted = self.binary(BinaryOp::Shl, wide, amount);
            whole = self.binary(BinaryOp::Or, shifted, whole);
        }
        whole
    }

    /// `getelementptr`, instruction or expression.
    pub fn element_pointer(&mut self, gep: Val<'c>, pointer: Operand) -> Operand {
        let bits = self.importer.pointer_bits();
        let mut ty = gep.gep_type();
        let mut fixed = 0u64;
        let mut moving: Option<Operand> = None;
        for index in 1..gep.operand_count() {
            let value = gep.operand(index);
            if index > 1 {
                if let Kind::Struct(_) = ty.kind() {
                    let field = value.as_u64().expect("a field's number is constant") as u32;
                    fixed = fixed.wrapping_add(self.importer.layout.offset(ty, field));
                    ty = ty.field(field);
                    continue;
                }
                ty = match ty.kind() {
                    Kind::Array(element, _) | Kind::Vector(element, _) => element,
                    other => panic!("an index into {other:?}"),
                };
            }
            let step = self.importer.layout.size(ty);
            if let Some(number) = value.as_i64() {
                fixed = fixed.wrapping_add((number as u64).wrapping_mul(step));
                continue;
            }
            let number = self.operand(value);
            let number = self.resize(number, bits, CastOp::SExt);
            let step = self.size(step);
            let product = self.binary(BinaryOp::Mul, number, step);
            moving = Some(match moving {
                Some(sum) => self.binary(BinaryOp::Add, sum, product),
                None => product,
            });
        }
        let fixed = self.size(fixed);
        match moving {
            // The constant part first: it may fold into the address of a global.
            Some(sum) => {
                let start = self.offset(pointer, fixed);
                self.offset(start, sum)
            }
            None => self.offset(pointer, fixed),
        }
    }

    /// `getelementptr`, lane by lane if it has vectors.
    pub fn gep(&mut self, inst: Val<'c>) {
        let is_vector = |value: Val<'c>| matches!(value.ty().kind(), Kind::Vector(..));
        if inst.operands().any(is_vector) {
            self.define_unsupported(inst);
            return;
        }
        let pointer = self.operand(inst.operand(0));
        let result = self.element_pointer(inst, pointer);
        self.define_one(inst, result);
    }

    /// An atomic update, as one thread sees it.
    pub fn atomic_update(&mut self, inst: Val<'c>) {
        self.importer
            .note("atomic operations are those of one thread");
        let pointer = self.operand(inst.operand(0));
        let new = self.operand(inst.operand(1));
        let ty = self.type_of(&new);
        let align = inst.alignment().max(1);
        let old = self.load_old(inst, pointer.clone(), align);
        let bits = ty.bits(self.importer.machine()).unwrap_or(1);
        // The old value if it compares so with the new one.
        let pick = |work: &mut Self, op: CompareOp, left: &Operand, right: &Operand| {
            let condition = work.compare(op, left.clone(), right.clone());
            work.select(condition, old.clone(), new.clone())
        };
        let result = match inst.rmw_op() {
            RmwOp::LLVMAtomicRMWBinOpXchg => new.clone(),
            RmwOp::LLVMAtomicRMWBinOpAdd => self.binary(BinaryOp::Add, old.clone(), new.clone()),
            RmwOp::LLVMAtomicRMWBinOpSub => self.binary(BinaryOp::Sub, old.clone(), new.clone()),
            RmwOp::LLVMAtomicRMWBinOpAnd => self.binary(BinaryOp::And, old.clone(), new.clone()),
            RmwOp::LLVMAtomicRMWBinOpNand => {
                let both = self.binary(BinaryOp::And, old.clone(), new.clone());
                self.binary(BinaryOp::Xor, both, Operand::int(-1, bits))
            }
            RmwOp::LLVMAtomicRMWBinOpOr => self.binary(BinaryOp::Or, old.clone(), new.clone()),
            RmwOp::LLVMAtomicRMWBinOpXor => self.binary(BinaryOp::Xor, old.clone(), new.clone()),
            RmwOp::LLVMAtomicRMWBinOpMax => pick(self, CompareOp::Slt, &new, &old),
            RmwOp::LLVMAtomicRMWBinOpMin => pick(self, CompareOp::Slt, &old, &new),
            RmwOp::LLVMAtomicRMWBinOpUMax => pick(self, CompareOp::Ult, &new, &old),
            RmwOp::LLVMAtomicRMWBinOpUMin => pick(self, CompareOp::Ult, &old, &new),
            RmwOp::LLVMAtomicRMWBinOpFAdd => {
                self.value(Op::Binary(BinaryOp::FAdd, old.clone(), new.clone()))
            }
            RmwOp::LLVMAtomicRMWBinOpFSub => {
                self.value(Op::Binary(BinaryOp::FSub, old.clone(), new.clone()))
            }
            other => {
                self.unsupported(&format!("atomic operation {other:?}"));
                self.nondet(ty, NondetKind::Undef)
            }
        };
        self.store_scalar(pointer, result, align);
        self.define_one(inst, old);
    }

    /// An atomic compare and exchange, as one thread sees it; it never fails for no reason.
    pub fn compare_exchange(&mut self, inst: Val<'c>) {
        self.importer
            .note("atomic operations are those of one thread");
        let pointer = self.operand(inst.operand(0));
        let expected = self.operand(inst.operand(1));
        let new = self.operand(inst.operand(2));
        let align = inst.alignment().max(1);
        let old = self.load_old(inst, pointer.clone(), align);
        let equal = self.compare(CompareOp::Eq, old.clone(), expected);
        let result = self.select(equal.clone(), new, old.clone());
        self.store_scalar(pointer, result, align);
        self.define(inst, Operands::from_iter([old, equal]));
    }

    /// What an atomic update finds: a volatile read is one here too.
    fn load_old(&mut self, inst: Val<'c>, pointer: Operand, align: u64) -> Operand {
        let ty = inst.operand(1).ty();
        let loaded = match self.reads_last(inst) {
            true => None,
            false => {
                let others = self.may_be_others(object(inst.operand(0)));
                self.load_volatile(ty, pointer.clone(), align, others)
            }
        };
        let mut old = loaded.into_iter().flatten();
        match old.next() {
            Some(old) => old,
            None => {
                let new = self.operand(inst.operand(1));
                let ty = self.type_of(&new);
                self.load_scalar(ty, pointer, align)
            }
        }
    }

    /// Is the operand the constant zero?
    pub fn is_zero(&self, operand: &Operand) -> bool {
        constant(operand).is_some_and(base::Bv::is_zero)
    }
}

/// The alignment that an aligned address has some bytes further.
fn align_at(align: u64, offset: u64) -> u64 {
    if offset == 0 {
        return align;
    }
    align.min(1 << offset.trailing_zeros())
}
