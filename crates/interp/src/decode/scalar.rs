//! Arithmetic, comparisons and conversions: which of them have a fast form.

use ir::syntax::{BinaryOp, CastOp, CompareOp, FloatTy, InstData, Op, Operand, Type, UnaryOp};

use super::{Decoder, Wrong, keeps_bits, move_words};
use crate::arith::Plain;
use crate::code::{Convert, Ins, PlainSite, Slot, words_of};

impl Decoder<'_> {
    pub(super) fn emit_scalar(&mut self, data: &InstData) -> Result<(), Wrong> {
        match &data.op {
            Op::Binary(op, a, b) => {
                let ty = self.type_of(a)?;
                let to = self.result(data, ty)?;
                self.check_class(op.is_float(), ty)?;
                let (x, y) = (self.word(a)?, self.typed(b, ty)?);
                match fast_binary(*op, ty, to, x, y) {
                    Some(ins) => self.push(ins),
                    None => self.plain(to, Plain::Binary(*op, ty), &[a, b])?,
                }
                Ok(())
            }
            Op::Unary(op, a) => {
                let ty = self.type_of(a)?;
                let to = self.result(data, ty)?;
                self.check_class(op.is_float(), ty)?;
                let x = self.word(a)?;
                if *op == UnaryOp::BSwap && self.bits(ty) % 16 != 0 {
                    return Err("bswap needs a multiple of 16 bits".to_string());
                }
                match ty {
                    Type::Float(FloatTy::F32) => self.push(Ins::UnaryF32 { op: *op, to, a: x }),
                    Type::Float(FloatTy::F64) => self.push(Ins::UnaryF64 { op: *op, to, a: x }),
                    Type::Int(width @ 1..=64) => self.push(Ins::Count {
                        op: *op,
                        to,
                        a: x,
                        shift: 64 - width as u8,
                    }),
                    Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Mem(_) => {
                        self.plain(to, Plain::Unary(*op, ty), &[a])?;
                    }
                }
                Ok(())
            }
            Op::Compare(op, a, b) => {
                let ty = self.type_of(a)?;
                let to = self.result(data, Type::BOOL)?;
                let (x, y) = (self.word(a)?, self.typed(b, ty)?);
                if ty != Type::Ptr {
                    self.check_class(op.is_float(), ty)?;
                } else if op.is_float() {
                    return Err(format!("{op:?} of pointers"));
                }
                let pointer_bits = self.image.module.machine.pointer_bits;
                match fast_compare(*op, ty, pointer_bits, to, x, y) {
                    Some(ins) => self.push(ins),
                    None => self.plain(to, Plain::Compare(*op, ty), &[a, b])?,
                }
                Ok(())
            }
            Op::Overflow(op, a, b) => {
                let ty = self.type_of(a)?;
                let to = self.result(data, Type::BOOL)?;
                self.check_class(false, ty)?;
                let (x, y) = (self.word(a)?, self.typed(b, ty)?);
                match ty {
                    Type::Int(width @ 1..=64) => self.push(Ins::Overflow {
                        op: *op,
                        to,
                        a: x,
                        b: y,
                        shift: 64 - width as u8,
                    }),
                    Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Mem(_) => {
                        self.plain(to, Plain::Overflow(*op), &[a, b])?;
                    }
                }
                Ok(())
            }
            Op::Cast(op, a, ty) => self.emit_cast(data, *op, a, *ty),
            other => Err(format!("{other:?} is no scalar operation")),
        }
    }

    /// Floating-point operations are for floats, the others for integers.
    fn check_class(&self, float: bool, ty: Type) -> Result<(), Wrong> {
        let fits = match ty {
            Type::Int(_) => !float,
            Type::Float(_) => float,
            Type::Ptr | Type::Mem(_) => false,
        };
        match fits {
            true => Ok(()),
            false => Err(format!("the operation is not for {ty:?}")),
        }
    }

    fn plain(&mut self, to: Slot, op: Plain, operands: &[&Operand]) -> Result<(), Wrong> {
        let mut args = Vec::new();
        for operand in operands {
            let width = self.bits(self.type_of(operand)?);
            args.push((self.word(operand)?, width));
        }
        let site = self.code.plain.len() as u32;
        self.code.plain.push(PlainSite { op, args });
        self.push(Ins::Plain { to, site });
        Ok(())
    }

    fn emit_cast(
        &mut self,
        data: &InstData,
        op: CastOp,
        operand: &Operand,
        ty: Type,
    ) -> Result<(), Wrong> {
        let from = self.type_of(operand)?;
        let to = self.result(data, ty)?;
        let a = self.word(operand)?;
        let (from_bits, to_bits) = (self.bits(from), self.bits(ty));
        let (source, target) = match op {
            CastOp::ZExt | CastOp::SExt | CastOp::Trunc => (Class::Int, Class::Int),
            CastOp::FToS | CastOp::FToU => (Class::Float, Class::Int),
            CastOp::SToF | CastOp::UToF => (Class::Int, Class::Float),
            CastOp::FToF => (Class::Float, Class::Float),
            CastOp::Bits if class(from) == Class::Float => (Class::Float, Class::Int),
            CastOp::Bits => (Class::Int, Class::Float),
            CastOp::PtrToInt => (Class::Ptr, Class::Int),
            CastOp::IntToPtr => (Class::Int, Class::Ptr),
        };
        let widths_fit = match op {
            CastOp::ZExt | CastOp::SExt => from_bits <= to_bits,
            CastOp::Trunc => from_bits >= to_bits,
            CastOp::Bits => from_bits == to_bits,
            CastOp::FToS
            | CastOp::FToU
            | CastOp::SToF
            | CastOp::UToF
            | CastOp::FToF
            | CastOp::PtrToInt
            | CastOp::IntToPtr => true,
        };
        if class(from) != source || class(ty) != target || !widths_fit {
            return Err(format!("{op:?} from {from:?} to {ty:?}"));
        }
        let one_word = from_bits <= 64 && to_bits <= 64;
        let shift = 64u8.saturating_sub(to_bits.min(64) as u8);
        let ins = match op {
            CastOp::ZExt | CastOp::Bits if keeps_bits(op) && words_of(from) == words_of(ty) => {
                move_words(to, a, words_of(ty))
            }
            CastOp::SExt if one_word => Ins::SExt {
                to,
                a,
                from: 64 - from_bits as u8,
                shift,
            },
            CastOp::Trunc if to_bits <= 64 => Ins::Trunc { to, a, shift },
            CastOp::PtrToInt if to_bits <= 64 => {
                let ptr = self.ptr(operand)?;
                self.push(Ins::Expose { ptr });
                Ins::Trunc { to, a, shift }
            }
            CastOp::IntToPtr => Ins::IntToPtr { to, a },
            CastOp::FToS | CastOp::FToU | CastOp::SToF | CastOp::UToF | CastOp::FToF
                if one_word && self.fast_convert(op, from, ty).is_some() =>
            {
                let (how, shift) = self
                    .fast_convert(op, from, ty)
                    .ok_or_else(|| "a conversion vanished".to_string())?;
                Ins::Convert { how, to, a, shift }
            }
            CastOp::ZExt
            | CastOp::SExt
            | CastOp::Trunc
            | CastOp::FToS
            | CastOp::FToU
            | CastOp::SToF
            | CastOp::UToF
            | CastOp::FToF
            | CastOp::Bits
            | CastOp::PtrToInt => {
                return self.plain(to, Plain::Cast(op, from, ty), &[operand]);
            }
        };
        self.push(ins);
        Ok(())
    }

    /// The conversion that the machine has, with the shift of its integer.
    fn fast_convert(&self, op: CastOp, from: Type, to: Type) -> Option<(Convert, u8)> {
        use Type::{Float, Int};
        let shift = |width: u32| (width <= 64).then(|| 64 - width as u8);
        Some(match (op, from, to) {
            (CastOp::FToS, Float(FloatTy::F32), Int(w)) => (Convert::F32ToSigned, shift(w)?),
            (CastOp::FToU, Float(FloatTy::F32), Int(w)) => (Convert::F32ToUnsigned, shift(w)?),
            (CastOp::FToS, Float(FloatTy::F64), Int(w)) => (Convert::F64ToSigned, shift(w)?),
            (CastOp::FToU, Float(FloatTy::F64), Int(w)) => (Convert::F64ToUnsigned, shift(w)?),
            (CastOp::SToF, Int(w), Float(FloatTy::F32)) => (Convert::SignedToF32, shift(w)?),
            (CastOp::UToF, Int(w), Float(FloatTy::F32)) => (Convert::UnsignedToF32, shift(w)?),
            (CastOp::SToF, Int(w), Float(FloatTy::F64)) => (Convert::SignedToF64, shift(w)?),
            (CastOp::UToF, Int(w), Float(FloatTy::F64)) => (Convert::UnsignedToF64, shift(w)?),
            (CastOp::FToF, Float(FloatTy::F32), Float(FloatTy::F64)) => (Convert::F32ToF64, 0),
            (CastOp::FToF, Float(FloatTy::F64), Float(FloatTy::F32)) => (Convert::F64ToF32, 0),
            (_, _, _) => return None,
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Int,
    Float,
    Ptr,
    Mem,
}

fn class(ty: Type) -> Class {
    match ty {
        Type::Int(_) => Class::Int,
        Type::Float(_) => Class::Float,
        Type::Ptr => Class::Ptr,
        Type::Mem(_) => Class::Mem,
    }
}

fn fast_binary(op: BinaryOp, ty: Type, to: Slot, a: u32, b: u32) -> Option<Ins> {
    let shift = match ty {
        Type::Float(FloatTy::F32) => return Some(Ins::F32 { op, to, a, b }),
        Type::Float(FloatTy::F64) => return Some(Ins::F64 { op, to, a, b }),
        Type::Int(width @ 1..=64) => 64 - width as u8,
        Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Mem(_) => return None,
    };
    Some(match op {
        BinaryOp::Add => Ins::Add { to, a, b, shift },
        BinaryOp::Sub => Ins::Sub { to, a, b, shift },
        BinaryOp::Mul => Ins::Mul { to, a, b, shift },
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => Ins::Divide {
            op,
            to,
            a,
            b,
            shift,
        },
        BinaryOp::And => Ins::And { to, a, b },
        BinaryOp::Or => Ins::Or { to, a, b },
        BinaryOp::Xor => Ins::Xor { to, a, b },
        BinaryOp::Shl => Ins::Shl { to, a, b, shift },
        BinaryOp::LShr => Ins::LShr { to, a, b, shift },
        BinaryOp::AShr => Ins::AShr { to, a, b, shift },
        BinaryOp::FAdd
        | BinaryOp::FSub
        | BinaryOp::FMul
        | BinaryOp::FDiv
        | BinaryOp::FRem
        | BinaryOp::FMin
        | BinaryOp::FMax => return None,
    })
}

fn fast_compare(
    op: CompareOp,
    ty: Type,
    pointer_bits: u32,
    to: Slot,
    a: u32,
    b: u32,
) -> Option<Ins> {
    let shift = match ty {
        Type::Float(FloatTy::F32) => return Some(Ins::CompareF32 { op, to, a, b }),
        Type::Float(FloatTy::F64) => return Some(Ins::CompareF64 { op, to, a, b }),
        Type::Int(width @ 1..=64) => 64 - width as u8,
        // By address, which is the pointer's first word.
        Type::Ptr => 64 - pointer_bits as u8,
        Type::Int(_) | Type::Float(_) | Type::Mem(_) => return None,
    };
    Some(match op {
        CompareOp::Eq => Ins::Eq { to, a, b },
        CompareOp::Ne => Ins::Ne { to, a, b },
        CompareOp::Ult => Ins::Ult { to, a, b },
        CompareOp::Ule => Ins::Ule { to, a, b },
        CompareOp::Slt => Ins::Slt { to, a, b, shift },
        CompareOp::Sle => Ins::Sle { to, a, b, shift },
        CompareOp::FOeq
        | CompareOp::FOlt
        | CompareOp::FOle
        | CompareOp::FOne
        | CompareOp::FOrd
        | CompareOp::FUeq
        | CompareOp::FUlt
        | CompareOp::FUle
        | CompareOp::FUne
        | CompareOp::FUno => return None,
    })
}
