//! From the IR to the form that is executed.
//!
//! Functions are decoded when they are first called. An instruction that makes no sense (types
//! that do not fit, ids of another table) becomes [`Ins::Malformed`], which ends the run as an
//! internal error if it is reached.

use ir::ops::MemEffect;
use ir::syntax::{Body, CastOp, Const, Func, InstData, Module, Op, Operand, Phase, Type, Value};
use rustc_hash::FxHashMap;

use crate::code::{
    AllocSite, CONST, Code, DebugSite, Ins, NondetSite, SelectSite, Slot, TERMINATOR, Word,
    words_of,
};
use crate::memory::Pointer;
use crate::memory::place::function_address;

mod flow;
mod looks;
mod scalar;

/// What decoding needs to know besides the function.
pub(crate) struct Image<'m> {
    pub(crate) module: &'m Module,
    /// Where each global is.
    pub(crate) globals: Vec<Pointer>,
    /// Does anything ask what is initialised?
    pub(crate) shadows: bool,
    /// Are looks at addresses noted?
    pub(crate) looks: bool,
}

/// Decodes a function that has a body.
pub(crate) fn decode(image: &Image<'_>, func: Func) -> Code {
    let Some(body) = &image.module.funcs[func].body else {
        return Code::default();
    };
    let mut decoder = Decoder {
        image,
        body,
        code: Code::default(),
        consts: FxHashMap::default(),
        vars: FxHashMap::default(),
        spare: 0,
        origin: 0,
        differences: if image.looks {
            looks::differences(body)
        } else {
            FxHashMap::default()
        },
    };
    decoder.lay_out();
    decoder.emit_blocks();
    decoder.code
}

/// Why an instruction cannot be executed.
type Wrong = String;

struct Decoder<'a> {
    image: &'a Image<'a>,
    body: &'a Body,
    code: Code,
    consts: FxHashMap<Vec<u64>, Word>,
    /// Where each source variable's part of the frame begins.
    vars: FxHashMap<usize, Slot>,
    spare: Slot,
    origin: u32,
    /// Addresses that matter by their differences only, with the pointers that they are of.
    differences: FxHashMap<Value, Operand>,
}

impl Decoder<'_> {
    /// Gives each value and source variable its words.
    fn lay_out(&mut self) {
        let body = self.body;
        let mut next = 0;
        let mut slots = vec![u32::MAX; body.values.len()];
        let mut place = |value: Value| {
            if let Some(slot) = slots.get_mut(value.index()) {
                if *slot == u32::MAX {
                    *slot = next;
                    next += words_of(body.values[value].ty);
                }
            }
        };
        body.params.iter().copied().for_each(&mut place);
        for block in body.blocks.values() {
            block.params.iter().copied().for_each(&mut place);
            for &inst in &block.insts {
                if let Some(data) = body.insts.get(inst) {
                    data.results.iter().copied().for_each(&mut place);
                }
            }
        }
        self.spare = next;
        next += 1;
        self.code.debug_start = next as usize;
        let mut sizes: FxHashMap<usize, u32> = FxHashMap::default();
        let mut order = Vec::new();
        for (_, inst) in body.insts_in_order() {
            let Some(Op::Debug { var, value, .. }) = body.insts.get(inst).map(|data| &data.op)
            else {
                continue;
            };
            let words = self.type_of(value).map_or(1, words_of);
            let size = sizes.entry(var.index()).or_insert_with(|| {
                order.push(var.index());
                0
            });
            *size = words.max(*size);
        }
        for var in order {
            self.vars.insert(var, next);
            self.code.vars.push(next);
            next += 1 + sizes[&var];
        }
        self.code.frame = next as usize;
        self.code.slots = slots;
    }

    fn emit_blocks(&mut self) {
        let body = self.body;
        let mut starts: Vec<u32> = Vec::with_capacity(body.blocks.len());
        for (block, data) in body.blocks.iter() {
            starts.push(self.code.ins.len() as u32);
            for &inst in &data.insts {
                self.origin = inst.index() as u32;
                match body.insts.get(inst) {
                    Some(data) => {
                        if let Err(why) = self.emit_inst(data) {
                            self.malformed(why);
                        }
                    }
                    None => self.malformed(format!("{inst} does not exist")),
                }
            }
            self.origin = TERMINATOR | block.index() as u32;
            if let Err(why) = self.emit_terminator(&data.terminator) {
                self.malformed(why);
            }
        }
        if body.blocks.is_empty() {
            self.malformed("the function has no blocks".to_string());
        }
        for edge in &mut self.code.edges {
            edge.pc = starts[edge.pc as usize];
        }
    }

    fn push(&mut self, ins: Ins) {
        self.code.ins.push(ins);
        self.code.origin.push(self.origin);
    }

    fn malformed(&mut self, why: String) {
        let message = self.code.messages.len() as u32;
        self.code.messages.push(why);
        self.push(Ins::Malformed { message });
    }

    fn type_of(&self, operand: &Operand) -> Result<Type, Wrong> {
        match operand {
            Operand::Value(value) => self.type_of_value(*value),
            Operand::Const(constant) => Ok(constant.ty()),
        }
    }

    fn type_of_value(&self, value: Value) -> Result<Type, Wrong> {
        match self.body.values.get(value) {
            Some(data) => Ok(data.ty),
            None => Err(format!("{value} does not exist")),
        }
    }

    fn slot(&self, value: Value) -> Result<Slot, Wrong> {
        match self.code.slots.get(value.index()) {
            Some(&slot) if slot != u32::MAX => Ok(slot),
            Some(_) | None => Err(format!("{value} is not defined")),
        }
    }

    /// The first word of an operand.
    fn word(&mut self, operand: &Operand) -> Result<Word, Wrong> {
        match operand {
            Operand::Value(value) => self.slot(*value),
            Operand::Const(constant) => self.constant(constant),
        }
    }

    /// The first word of an operand of a certain type.
    fn typed(&mut self, operand: &Operand, ty: Type) -> Result<Word, Wrong> {
        let own = self.type_of(operand)?;
        if own != ty {
            return Err(format!("an operand is {own:?}, not {ty:?}"));
        }
        self.word(operand)
    }

    fn constant(&mut self, constant: &Const) -> Result<Word, Wrong> {
        let words = match constant {
            Const::Int(bv) | Const::Float(_, bv) => bv.words().to_vec(),
            Const::Null => vec![0, 0],
            Const::Global(global, offset) => match self.image.globals.get(global.index()) {
                Some(pointer) => {
                    let address = pointer.address.wrapping_add_signed(*offset);
                    vec![address & self.address_mask(), u64::from(pointer.object)]
                }
                None => return Err(format!("{global} does not exist")),
            },
            Const::Func(func) => {
                if !self.image.module.funcs.contains(*func) {
                    return Err(format!("{func} does not exist"));
                }
                let bits = self.image.module.machine.pointer_bits;
                vec![function_address(bits, func.index()), 0]
            }
        };
        Ok(self.intern(words))
    }

    fn intern(&mut self, words: Vec<u64>) -> Word {
        if let Some(&word) = self.consts.get(&words) {
            return word;
        }
        let word = CONST | self.code.consts.len() as u32;
        self.code.consts.extend(&words);
        self.consts.insert(words, word);
        word
    }

    fn address_mask(&self) -> u64 {
        u64::MAX >> (64 - self.image.module.machine.pointer_bits)
    }

    fn pointer_int(&self) -> Type {
        self.image.module.machine.pointer_int()
    }

    /// All words of an operand.
    fn all_words(&mut self, operand: &Operand, into: &mut Vec<Word>) -> Result<Type, Wrong> {
        let ty = self.type_of(operand)?;
        let first = self.word(operand)?;
        into.extend(first..first + words_of(ty));
        Ok(ty)
    }

    fn ptr(&mut self, operand: &Operand) -> Result<Word, Wrong> {
        self.typed(operand, Type::Ptr)
    }

    fn size(&mut self, operand: &Operand) -> Result<Word, Wrong> {
        let ty = self.pointer_int();
        self.typed(operand, ty)
    }

    fn bool(&mut self, operand: &Operand) -> Result<Word, Wrong> {
        self.typed(operand, Type::BOOL)
    }

    fn list(&mut self, words: Vec<Word>) -> u32 {
        self.code.lists.push(words);
        self.code.lists.len() as u32 - 1
    }

    fn ty(&mut self, ty: Type) -> u32 {
        self.code.types.push(ty);
        self.code.types.len() as u32 - 1
    }

    /// The slot of the result that is no memory.
    fn result(&self, data: &InstData, ty: Type) -> Result<Slot, Wrong> {
        let &value = data
            .results
            .first()
            .ok_or_else(|| "a result is missing".to_string())?;
        let own = self.type_of_value(value)?;
        if own != ty {
            return Err(format!("{value} is {own:?}, but the result is {ty:?}"));
        }
        self.slot(value)
    }

    fn emit_inst(&mut self, data: &InstData) -> Result<(), Wrong> {
        let mut mems = Vec::new();
        for &mem in &data.mems {
            match self.type_of_value(mem)? {
                Type::Mem(_) => mems.push(self.slot(mem)?),
                Type::Int(_) | Type::Float(_) | Type::Ptr => {
                    return Err(format!("{mem} is not a memory"));
                }
            }
        }
        self.emit_uses(&data.op, &mems)?;
        if self.image.looks {
            self.emit_looks(data)?;
        }
        self.emit_op(data, &mems)?;
        if self.image.shadows {
            self.emit_shadow(data)?;
        }
        self.emit_versions(data, &mems)
    }

    /// Says which memories the next operation reads.
    fn emit_uses(&mut self, op: &Op, mems: &[Slot]) -> Result<(), Wrong> {
        if self.image.module.phase < Phase::Pure {
            return match mems.is_empty() {
                true => Ok(()),
                false => Err("an operation names memories before phase Pure".to_string()),
            };
        }
        let expect = |count: usize| match mems.len() == count {
            true => Ok(()),
            false => Err(format!(
                "the operation names {} memories instead of {count}",
                mems.len()
            )),
        };
        match op.mem_effect() {
            MemEffect::None | MemEffect::New(_) => expect(0),
            MemEffect::Read(count) | MemEffect::Write(count) => {
                expect(count)?;
                match *mems {
                    [mem] => self.push(Ins::UseMem { mem }),
                    [first, second] => self.push(Ins::UseMem2 { first, second }),
                    [] | [..] => return Err("no operation names more than two".to_string()),
                }
                Ok(())
            }
            MemEffect::ReadAny | MemEffect::WriteAny => {
                for &mem in mems {
                    self.push(Ins::UseMem { mem });
                }
                self.push(Ins::UseAny);
                Ok(())
            }
            MemEffect::Call => Ok(()),
        }
    }

    /// Makes the next versions of the memories that an operation changed.
    fn emit_versions(&mut self, data: &InstData, mems: &[Slot]) -> Result<(), Wrong> {
        let changed = match data.op.mem_effect() {
            _ if self.image.module.phase < Phase::Pure => 0,
            MemEffect::Write(_) => 1,
            MemEffect::WriteAny => mems.len(),
            MemEffect::None
            | MemEffect::Read(_)
            | MemEffect::ReadAny
            | MemEffect::New(_)
            | MemEffect::Call => 0,
        };
        if data.results.len() < changed {
            return Err("a next version is missing among the results".to_string());
        }
        let next = &data.results[data.results.len() - changed..];
        for (&result, &mem) in next.iter().zip(mems) {
            match self.type_of_value(result)? {
                Type::Mem(_) => {
                    let to = self.slot(result)?;
                    self.push(Ins::NextMem { to, mem });
                }
                Type::Int(_) | Type::Float(_) | Type::Ptr => {
                    return Err(format!("{result} is not a memory"));
                }
            }
        }
        Ok(())
    }

    fn emit_op(&mut self, data: &InstData, mems: &[Slot]) -> Result<(), Wrong> {
        let ins = match &data.op {
            Op::Binary(..) | Op::Unary(..) | Op::Compare(..) | Op::Overflow(..) | Op::Cast(..) => {
                return self.emit_scalar(data);
            }
            Op::Select(cond, a, b) => {
                let ty = self.type_of(a)?;
                let to = self.result(data, ty)?;
                let cond = self.bool(cond)?;
                let (a, b) = (self.word(a)?, self.typed(b, ty)?);
                match words_of(ty) {
                    1 => Ins::Select { to, cond, a, b },
                    2 => Ins::Select2 { to, cond, a, b },
                    count => {
                        let site = self.code.selects.len() as u32;
                        self.code.selects.push(SelectSite { a, b, count });
                        Ins::SelectN { to, cond, site }
                    }
                }
            }
            Op::Offset(ptr, by) => Ins::Offset {
                to: self.result(data, Type::Ptr)?,
                ptr: self.ptr(ptr)?,
                by: self.size(by)?,
            },
            Op::Copy(from) => {
                let ty = self.type_of(from)?;
                let to = self.result(data, ty)?;
                let from = self.word(from)?;
                move_words(to, from, words_of(ty))
            }
            Op::Nondet(ty, kind) => {
                let to = self.result(data, *ty)?;
                if ty.is_mem() {
                    return Err("a memory cannot be chosen".to_string());
                }
                let site = self.code.nondets.len() as u32;
                self.code.nondets.push(NondetSite {
                    ty: *ty,
                    kind: *kind,
                });
                Ins::Nondet { to, site }
            }
            Op::Alloc {
                kind,
                size,
                align,
                zeroed,
                var,
            } => {
                let to = self.result(data, Type::Ptr)?;
                let size = self.size(size)?;
                let site = self.code.allocs.len() as u32;
                self.code.allocs.push(AllocSite {
                    kind: *kind,
                    align: *align,
                    zeroed: *zeroed,
                    var: *var,
                });
                Ins::Alloc { to, size, site }
            }
            Op::Free(ptr) => Ins::Free {
                ptr: self.ptr(ptr)?,
            },
            Op::LifetimeStart(ptr) => Ins::LifetimeStart {
                ptr: self.ptr(ptr)?,
            },
            Op::LifetimeEnd(ptr) => Ins::LifetimeEnd {
                ptr: self.ptr(ptr)?,
            },
            Op::StackSave => Ins::StackSave {
                to: self.result(data, self.pointer_int())?,
            },
            Op::StackRestore(mark) => Ins::StackRestore {
                mark: self.size(mark)?,
                mems: self.list(mems.to_vec()),
            },
            Op::Leave => Ins::Leave {
                mems: self.list(mems.to_vec()),
            },
            Op::Load {
                ty, ptr, volatile, ..
            } => {
                let to = self.result(data, *ty)?;
                let ptr = self.ptr(ptr)?;
                match ty {
                    Type::Mem(_) => return Err("a memory cannot be loaded".to_string()),
                    _ if *volatile => {
                        let ty = self.ty(*ty);
                        Ins::LoadVolatile { to, ptr, ty }
                    }
                    Type::Ptr => Ins::LoadPtr { to, ptr },
                    Type::Int(_) | Type::Float(_) => match self.bits(*ty) {
                        8 => Ins::Load8 { to, ptr },
                        16 => Ins::Load16 { to, ptr },
                        32 => Ins::Load32 { to, ptr },
                        64 => Ins::Load64 { to, ptr },
                        _ => {
                            let ty = self.ty(*ty);
                            Ins::LoadAny { to, ptr, ty }
                        }
                    },
                }
            }
            Op::Store { ty, ptr, value, .. } => {
                let ptr = self.ptr(ptr)?;
                let value = self.typed(value, *ty)?;
                match ty {
                    Type::Mem(_) => return Err("a memory cannot be stored".to_string()),
                    Type::Ptr => Ins::StorePtr { ptr, value },
                    Type::Int(_) | Type::Float(_) => match self.bits(*ty).div_ceil(8) {
                        1 => Ins::Store8 { ptr, value },
                        2 => Ins::Store16 { ptr, value },
                        4 => Ins::Store32 { ptr, value },
                        8 => Ins::Store64 { ptr, value },
                        bytes => Ins::StoreAny { ptr, value, bytes },
                    },
                }
            }
            Op::MemCopy { dst, src, len } => Ins::MemCopy {
                dst: self.ptr(dst)?,
                src: self.ptr(src)?,
                len: self.size(len)?,
            },
            Op::MemSet { dst, byte, len } => Ins::MemSet {
                dst: self.ptr(dst)?,
                byte: self.typed(byte, Type::Int(8))?,
                len: self.size(len)?,
            },
            Op::MemCompare { left, right, len } => Ins::MemCompare {
                to: self.result(data, Type::Int(32))?,
                left: self.ptr(left)?,
                right: self.ptr(right)?,
                len: self.size(len)?,
            },
            Op::MemHavoc { dst, len } => Ins::MemHavoc {
                dst: self.ptr(dst)?,
                len: self.size(len)?,
            },
            Op::Clobber(list) | Op::Show(list) => {
                let mut words = Vec::new();
                for pointer in list {
                    words.push(self.ptr(pointer)?);
                }
                let (pointers, mems) = (self.list(words), self.list(mems.to_vec()));
                match &data.op {
                    Op::Show(_) => Ins::Show { pointers, mems },
                    _ => Ins::Clobber { pointers, mems },
                }
            }
            Op::HavocRegion => Ins::HavocRegion,
            Op::NewRegion(region) => Ins::NewRegion {
                to: self.result(data, Type::Mem(*region))?,
            },
            Op::IsDeref { ptr, len, access } => Ins::IsDeref {
                to: self.result(data, Type::BOOL)?,
                ptr: self.ptr(ptr)?,
                len: self.size(len)?,
                access: *access,
            },
            Op::IsFreeable(ptr) => Ins::IsFreeable {
                to: self.result(data, Type::BOOL)?,
                ptr: self.ptr(ptr)?,
            },
            Op::IsDisjoint { left, right, len } => Ins::IsDisjoint {
                to: self.result(data, Type::BOOL)?,
                left: self.ptr(left)?,
                right: self.ptr(right)?,
                len: self.size(len)?,
            },
            Op::AllTracked => Ins::AllTracked {
                to: self.result(data, Type::BOOL)?,
                mems: self.list(mems.to_vec()),
            },
            Op::AllFreed => Ins::AllFreed {
                to: self.result(data, Type::BOOL)?,
                mems: self.list(mems.to_vec()),
            },
            Op::IsAlive(ptr) => Ins::IsAlive {
                to: self.result(data, Type::BOOL)?,
                ptr: self.ptr(ptr)?,
            },
            Op::IsModified(ptr) => Ins::IsModified {
                to: self.result(data, Type::BOOL)?,
                ptr: self.ptr(ptr)?,
            },
            Op::ResetModified(ptr) => Ins::ResetModified {
                ptr: self.ptr(ptr)?,
            },
            Op::LoadShadow { ty, ptr } => Ins::LoadShadow {
                to: self.result(data, *ty)?,
                ptr: self.ptr(ptr)?,
                ty: self.ty(*ty),
            },
            Op::StoreShadow { ty, ptr, value } => Ins::StoreShadow {
                ptr: self.ptr(ptr)?,
                value: self.typed(value, *ty)?,
                bytes: self.bits(*ty).div_ceil(8),
            },
            Op::ObjectSize(ptr) => Ins::ObjectSize {
                to: self.result(data, self.pointer_int())?,
                ptr: self.ptr(ptr)?,
            },
            Op::ObjectOffset(ptr) => Ins::ObjectOffset {
                to: self.result(data, self.pointer_int())?,
                ptr: self.ptr(ptr)?,
            },
            Op::Call { .. } => return self.emit_call(data, mems),
            Op::Assume(cond, _) => Ins::Assume {
                cond: self.bool(cond)?,
            },
            Op::Check(obligation, cond) => {
                if !self.image.module.obligations.contains(*obligation) {
                    return Err(format!("{obligation} does not exist"));
                }
                if self.image.module.obligations[*obligation].lets_pass() {
                    return Ok(());
                }
                Ins::Check {
                    obligation: *obligation,
                    cond: self.bool(cond)?,
                }
            }
            Op::Debug { var, value, kind } => {
                let ty = self.type_of(value)?;
                let value = self.word(value)?;
                let site = self.code.debugs.len() as u32;
                self.code.debugs.push(DebugSite {
                    var: *var,
                    kind: *kind,
                    ty,
                    slot: self.vars[&var.index()],
                    count: words_of(ty),
                });
                Ins::Debug { value, site }
            }
        };
        self.push(ins);
        Ok(())
    }

    /// What an operation does to shadows, after it.
    fn emit_shadow(&mut self, data: &InstData) -> Result<(), Wrong> {
        let ins = match &data.op {
            Op::Alloc { zeroed, .. } => Ins::NewShadow {
                ptr: self.slot(data.results[0])?,
                byte: if *zeroed { 0 } else { 0xff },
            },
            Op::LifetimeStart(ptr) => Ins::NewShadow {
                ptr: self.ptr(ptr)?,
                byte: 0xff,
            },
            Op::Store { ty, ptr, .. } => {
                let bytes = i64::from(self.bits(*ty).div_ceil(8));
                let Type::Int(width) = self.pointer_int() else {
                    return Err("sizes are integers".to_string());
                };
                Ins::ClearShadow {
                    ptr: self.ptr(ptr)?,
                    len: self.size(&Operand::int(bytes, width))?,
                }
            }
            Op::MemSet { dst, len, .. } | Op::MemHavoc { dst, len } => Ins::ClearShadow {
                ptr: self.ptr(dst)?,
                len: self.size(len)?,
            },
            Op::MemCopy { dst, src, len } => Ins::CopyShadow {
                dst: self.ptr(dst)?,
                src: self.ptr(src)?,
                len: self.size(len)?,
            },
            _ => return Ok(()),
        };
        self.push(ins);
        Ok(())
    }

    /// The width of a scalar.
    fn bits(&self, ty: Type) -> u32 {
        ty.bits(self.image.module.machine).unwrap_or(0)
    }
}

/// Types of a call and its callee: memories are named by each function in its own way.
pub(crate) fn same_types(left: &[Type], right: &[Type]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(a, b)| a == b || (a.is_mem() && b.is_mem()))
}

fn move_words(to: Slot, from: Word, count: u32) -> Ins {
    match count {
        1 => Ins::Move { to, from },
        2 => Ins::Move2 { to, from },
        count => Ins::MoveN { to, from, count },
    }
}

/// Is it a conversion whose bits stay as they are?
fn keeps_bits(op: CastOp) -> bool {
    match op {
        CastOp::ZExt | CastOp::Bits => true,
        CastOp::SExt
        | CastOp::Trunc
        | CastOp::FToS
        | CastOp::FToU
        | CastOp::SToF
        | CastOp::UToF
        | CastOp::FToF
        | CastOp::PtrToInt
        | CastOp::IntToPtr => false,
    }
}
