//! Rules for operations: operand types, results, memories.

use crate::ops::{MemEffect, result_types};
use crate::syntax::{
    CastOp, DebugKind, InstData, Op, Operand, Origin, Phase, Type, UnaryOp, Value,
};
use crate::text::display_operand;
use crate::wellformed::body::Context;

/// What an operation computes with.
#[derive(Clone, Copy)]
enum Kind {
    Int,
    Float,
}

fn kind(is_float: bool) -> Kind {
    if is_float { Kind::Float } else { Kind::Int }
}

impl Context<'_> {
    /// Checks an instruction whose operands are all defined.
    pub(super) fn check_op(&self, data: &InstData) -> Result<(), String> {
        self.check_operand_types(&data.op)?;
        self.check_mems(data)?;
        let wanted = result_types(&data.op, &data.mems, self.body, self.module.machine);
        for &ty in &wanted {
            self.check_type(ty)?;
        }
        if wanted.len() != data.results.len() {
            let actual = data.results.len();
            return Err(format!("it has {} results, not {actual}", wanted.len()));
        }
        for (&result, &ty) in data.results.iter().zip(&wanted) {
            self.expect(&result.into(), ty)?;
        }
        if let Op::Call { .. } = &data.op {
            self.check_call(data)?;
        }
        Ok(())
    }

    fn check_operand_types(&self, op: &Op) -> Result<(), String> {
        let ptr = Type::Ptr;
        let size = self.module.machine.pointer_int();
        let expect_all = |list: &[(&Operand, Type)]| {
            list.iter()
                .try_for_each(|(operand, ty)| self.expect(operand, *ty))
        };
        match op {
            Op::Binary(op, a, b) => {
                let ty = self.number(a, kind(op.is_float()))?;
                self.expect(b, ty)
            }
            Op::Unary(op, a) => {
                let ty = self.number(a, kind(op.is_float()))?;
                match ty {
                    Type::Int(width) if *op == UnaryOp::BSwap && width % 16 != 0 => {
                        Err(format!("`bswap` of {width} bits"))
                    }
                    Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Mem(_) => Ok(()),
                }
            }
            Op::Compare(op, a, b) => {
                let ty = match self.type_of(a) {
                    Some(Type::Ptr) if !op.is_float() => ptr,
                    _ => self.number(a, kind(op.is_float()))?,
                };
                self.expect(b, ty)
            }
            Op::Overflow(_, a, b) => {
                let ty = self.number(a, Kind::Int)?;
                self.expect(b, ty)
            }
            Op::Cast(op, a, to) => {
                self.check_type(*to)?;
                self.check_cast(*op, a, *to)
            }
            Op::Select(cond, a, b) => {
                self.expect(cond, Type::BOOL)?;
                match self.type_of(a) {
                    Some(ty) => self.expect(b, ty),
                    None => Ok(()),
                }
            }
            Op::Offset(a, b) => expect_all(&[(a, ptr), (b, size)]),
            Op::Copy(a) => self.scalar(a),
            Op::Nondet(ty, _) => no_memory(*ty),
            Op::Alloc {
                kind: _,
                size: bytes,
                align,
                zeroed: _,
                var,
            } => {
                power_of_two(*align)?;
                if var.is_some_and(|var| !self.module.vars.contains(var)) {
                    return Err("its variable is not in the table".to_owned());
                }
                self.expect(bytes, size)
            }
            Op::Free(a)
            | Op::LifetimeStart(a)
            | Op::LifetimeEnd(a)
            | Op::IsFreeable(a)
            | Op::IsAlive(a)
            | Op::IsModified(a)
            | Op::ResetModified(a)
            | Op::ObjectSize(a)
            | Op::ObjectOffset(a) => self.expect(a, ptr),
            Op::StackRestore(a) => self.expect(a, size),
            Op::StackSave | Op::Leave | Op::AllTracked | Op::AllFreed => Ok(()),
            Op::Load {
                ty,
                ptr: address,
                align,
                volatile: _,
            } => {
                no_memory(*ty)?;
                power_of_two(u64::from(*align))?;
                self.expect(address, ptr)
            }
            Op::Store {
                ty,
                ptr: address,
                value,
                align,
            } => {
                no_memory(*ty)?;
                power_of_two(u64::from(*align))?;
                expect_all(&[(address, ptr), (value, *ty)])
            }
            Op::LoadShadow { ty, ptr: address } => {
                integer(*ty)?;
                self.expect(address, ptr)
            }
            Op::StoreShadow {
                ty,
                ptr: address,
                value,
            } => {
                integer(*ty)?;
                expect_all(&[(address, ptr), (value, *ty)])
            }
            Op::MemCopy { dst, src, len } => expect_all(&[(dst, ptr), (src, ptr), (len, size)]),
            Op::MemSet { dst, byte, len } => {
                expect_all(&[(dst, ptr), (byte, Type::Int(8)), (len, size)])
            }
            Op::MemCompare { left, right, len } | Op::IsDisjoint { left, right, len } => {
                expect_all(&[(left, ptr), (right, ptr), (len, size)])
            }
            Op::MemHavoc { dst, len } => expect_all(&[(dst, ptr), (len, size)]),
            Op::Clobber(list) | Op::Show(list) => list.iter().try_for_each(|a| self.expect(a, ptr)),
            Op::HavocRegion => Ok(()),
            Op::NewRegion(region) => match self.body.regions.get(*region) {
                None => Err(format!("{region} is not in the table")),
                Some(data) if !data.local => Err(format!("{region} is not local")),
                Some(_) => Ok(()),
            },
            Op::IsDeref {
                ptr: address,
                len,
                access: _,
            } => expect_all(&[(address, ptr), (len, size)]),
            // Calls have a file of their own.
            Op::Call { .. } => Ok(()),
            Op::Assume(cond, origin) => {
                if let Origin::Fact(fact) = origin
                    && !self.module.facts.contains(*fact)
                {
                    return Err(format!("{fact} is not in the table"));
                }
                self.expect(cond, Type::BOOL)
            }
            Op::Check(obligation, cond) => {
                if !self.module.obligations.contains(*obligation) {
                    return Err(format!("{obligation} is not in the table"));
                }
                self.expect(cond, Type::BOOL)
            }
            Op::Debug { var, value, kind } => {
                if !self.module.vars.contains(*var) {
                    return Err(format!("{var} is not in the table"));
                }
                match kind {
                    DebugKind::Value => self.scalar(value),
                    DebugKind::Address => self.expect(value, ptr),
                }
            }
        }
    }

    fn check_cast(&self, op: CastOp, a: &Operand, to: Type) -> Result<(), String> {
        let Some(from) = self.type_of(a) else {
            return Ok(());
        };
        let fits = match (op, from, to) {
            (CastOp::ZExt | CastOp::SExt, Type::Int(from), Type::Int(to)) => from < to,
            (CastOp::Trunc, Type::Int(from), Type::Int(to)) => from > to,
            (CastOp::FToS | CastOp::FToU, Type::Float(_), Type::Int(_)) => true,
            (CastOp::SToF | CastOp::UToF, Type::Int(_), Type::Float(_)) => true,
            (CastOp::FToF, Type::Float(from), Type::Float(to)) => from != to,
            (CastOp::Bits, Type::Float(float), Type::Int(width))
            | (CastOp::Bits, Type::Int(width), Type::Float(float)) => float.bits() == width,
            (CastOp::PtrToInt, Type::Ptr, Type::Int(_)) => true,
            (CastOp::IntToPtr, Type::Int(_), Type::Ptr) => true,
            (
                CastOp::ZExt
                | CastOp::SExt
                | CastOp::Trunc
                | CastOp::FToS
                | CastOp::FToU
                | CastOp::SToF
                | CastOp::UToF
                | CastOp::FToF
                | CastOp::Bits
                | CastOp::PtrToInt
                | CastOp::IntToPtr,
                _,
                _,
            ) => false,
        };
        match fits {
            true => Ok(()),
            false => Err(format!("`{op}` does not lead from {from} to {to}")),
        }
    }

    /// The operand's type, which must be of this kind.
    fn number(&self, operand: &Operand, kind: Kind) -> Result<Type, String> {
        let ty = self.type_of(operand).unwrap_or(Type::BOOL);
        let wanted = match (kind, ty) {
            (Kind::Int, Type::Int(_)) | (Kind::Float, Type::Float(_)) => return Ok(ty),
            (Kind::Int, Type::Float(_) | Type::Ptr | Type::Mem(_)) => "an integer",
            (Kind::Float, Type::Int(_) | Type::Ptr | Type::Mem(_)) => "a float",
        };
        let operand = display_operand(self.module, operand);
        Err(format!("{operand} is {ty}, not {wanted}"))
    }

    fn scalar(&self, operand: &Operand) -> Result<(), String> {
        self.type_of(operand).map_or(Ok(()), no_memory)
    }

    /// From Pure on, each operation has exactly the memories it touches.
    fn check_mems(&self, data: &InstData) -> Result<(), String> {
        let mems = &data.mems;
        for &mem in mems {
            if !self.body.values[mem].ty.is_mem() {
                return Err(format!("{mem} is no memory"));
            }
        }
        let effect = data.op.mem_effect();
        if self.module.phase < Phase::Pure {
            return match (mems.is_empty(), effect) {
                (false, _) => Err(format!("memories in phase {}", self.module.phase)),
                (true, MemEffect::New(_)) => {
                    Err(format!("`new_region` in phase {}", self.module.phase))
                }
                (true, _) if data.op == Op::HavocRegion => {
                    Err(format!("`havoc_region` in phase {}", self.module.phase))
                }
                (true, _) => Ok(()),
            };
        }
        match effect {
            MemEffect::None | MemEffect::New(_) => expect_count(mems, 0),
            MemEffect::Read(count) | MemEffect::Write(count) => expect_count(mems, count),
            MemEffect::ReadAny | MemEffect::WriteAny => {
                let regions = mems.iter().map(|&mem| self.body.values[mem].ty);
                let mut regions: Vec<Type> = regions.collect();
                regions.sort_unstable();
                match regions.windows(2).find(|pair| pair[0] == pair[1]) {
                    Some(pair) => Err(format!("{} occurs twice", pair[0])),
                    None => Ok(()),
                }
            }
            MemEffect::Call => Ok(()),
        }
    }
}

fn expect_count(mems: &[Value], count: usize) -> Result<(), String> {
    match mems.len() == count {
        true => Ok(()),
        false => Err(format!("it takes {count} memories, not {}", mems.len())),
    }
}

fn no_memory(ty: Type) -> Result<(), String> {
    match ty {
        Type::Mem(_) => Err("memories are no scalars".to_owned()),
        Type::Int(_) | Type::Float(_) | Type::Ptr => Ok(()),
    }
}

fn integer(ty: Type) -> Result<(), String> {
    match ty {
        Type::Int(_) => Ok(()),
        Type::Float(_) | Type::Ptr | Type::Mem(_) => Err("a shadow is an integer".to_owned()),
    }
}

fn power_of_two(align: u64) -> Result<(), String> {
    match align.is_power_of_two() {
        true => Ok(()),
        false => Err(format!("the alignment {align} is no power of two")),
    }
}
