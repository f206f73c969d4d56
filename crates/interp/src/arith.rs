//! Operations on bit-vectors of any width and floats of any format: the plain meaning of the IR.
//!
//! The machine's fast path for values of one word is [`exec`](crate::exec); a test compares the
//! two. This module never looks at `terms`, nor `encode` at this one.

use base::Bv;
use ir::syntax::{BinaryOp, CastOp, CompareOp, FloatTy, OverflowOp, Type, UnaryOp};

use crate::float::soft::{self, Sign};

/// An operation that is not on the fast path, with the types that its meaning depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Plain {
    /// Two operands of a type.
    Binary(BinaryOp, Type),
    /// One operand of a type.
    Unary(UnaryOp, Type),
    /// A comparison of a type.
    Compare(CompareOp, Type),
    /// An overflow predicate.
    Overflow(OverflowOp),
    /// A conversion from a type to another (neither of them a pointer).
    Cast(CastOp, Type, Type),
}

/// Evaluates an operation; operands and result are the bits of the values.
pub(crate) fn evaluate(op: Plain, args: &[Bv]) -> Bv {
    match op {
        Plain::Binary(op, ty) => match ty {
            Type::Float(float) => float_bits(
                float,
                soft::binary(op, float, float_of(&args[0]), float_of(&args[1])),
            ),
            Type::Int(_) | Type::Ptr | Type::Mem(_) => int_binary(op, &args[0], &args[1]),
        },
        Plain::Unary(op, ty) => match ty {
            Type::Float(float) => float_bits(float, soft::unary(op, float, float_of(&args[0]))),
            Type::Int(_) | Type::Ptr | Type::Mem(_) => int_unary(op, &args[0]),
        },
        Plain::Compare(op, ty) => Bv::from_bool(match ty {
            Type::Float(float) => soft::compare(op, float, float_of(&args[0]), float_of(&args[1])),
            Type::Int(_) | Type::Ptr | Type::Mem(_) => int_compare(op, &args[0], &args[1]),
        }),
        Plain::Overflow(op) => Bv::from_bool(overflows(op, &args[0], &args[1])),
        Plain::Cast(op, from, to) => cast(op, from, to, &args[0]),
    }
}

fn float_of(bits: &Bv) -> u128 {
    bits.to_u128().expect("floats have at most 128 bits")
}

fn float_bits(ty: FloatTy, bits: u128) -> Bv {
    Bv::from_u128(bits, ty.bits())
}

fn int_binary(op: BinaryOp, a: &Bv, b: &Bv) -> Bv {
    match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::UDiv => a.udiv(b),
        BinaryOp::SDiv => a.sdiv(b),
        BinaryOp::URem => a.urem(b),
        BinaryOp::SRem => a.srem(b),
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
        BinaryOp::Shl => a.shl(b),
        BinaryOp::LShr => a.lshr(b),
        BinaryOp::AShr => a.ashr(b),
        BinaryOp::FAdd
        | BinaryOp::FSub
        | BinaryOp::FMul
        | BinaryOp::FDiv
        | BinaryOp::FRem
        | BinaryOp::FMin
        | BinaryOp::FMax => unreachable!("{op:?} of integers"),
    }
}

fn int_unary(op: UnaryOp, a: &Bv) -> Bv {
    let width = a.width();
    match op {
        UnaryOp::CtPop => Bv::from_u64(a.count_ones().into(), width),
        UnaryOp::CtLz => Bv::from_u64(a.leading_zeros().into(), width),
        UnaryOp::CtTz => Bv::from_u64(a.trailing_zeros().into(), width),
        UnaryOp::BSwap => {
            let byte = |index: u32| a.extract(8 * index + 7, 8 * index);
            (1..width / 8).fold(byte(0), |high, index| high.concat(&byte(index)))
        }
        UnaryOp::BitReverse => {
            let bit = |index: u32| Bv::from_bool(a.bit(index));
            (1..width).fold(bit(0), |high, index| high.concat(&bit(index)))
        }
        UnaryOp::FNeg
        | UnaryOp::FAbs
        | UnaryOp::FSqrt
        | UnaryOp::FFloor
        | UnaryOp::FCeil
        | UnaryOp::FTrunc
        | UnaryOp::FRound
        | UnaryOp::FRint => unreachable!("{op:?} of an integer"),
    }
}

fn int_compare(op: CompareOp, a: &Bv, b: &Bv) -> bool {
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Ult => a.ult(b),
        CompareOp::Ule => a.ule(b),
        CompareOp::Slt => a.slt(b),
        CompareOp::Sle => a.sle(b),
        CompareOp::FOeq
        | CompareOp::FOlt
        | CompareOp::FOle
        | CompareOp::FOne
        | CompareOp::FOrd
        | CompareOp::FUeq
        | CompareOp::FUlt
        | CompareOp::FUle
        | CompareOp::FUne
        | CompareOp::FUno => unreachable!("{op:?} of integers"),
    }
}

fn overflows(op: OverflowOp, a: &Bv, b: &Bv) -> bool {
    match op {
        OverflowOp::UAdd => a.uaddo(b),
        OverflowOp::SAdd => a.saddo(b),
        OverflowOp::USub => a.usubo(b),
        OverflowOp::SSub => a.ssubo(b),
        OverflowOp::UMul => a.umulo(b),
        OverflowOp::SMul => a.smulo(b),
    }
}

fn cast(op: CastOp, from: Type, to: Type, a: &Bv) -> Bv {
    let float = |ty: Type| match ty {
        Type::Float(float) => float,
        Type::Int(_) | Type::Ptr | Type::Mem(_) => unreachable!("{op:?} of {ty:?}"),
    };
    let width = |ty: Type| match ty {
        Type::Int(width) => width,
        Type::Float(float) => float.bits(),
        Type::Ptr | Type::Mem(_) => unreachable!("{op:?} to {ty:?}"),
    };
    match op {
        CastOp::ZExt => a.zext(width(to)),
        CastOp::SExt => a.sext(width(to)),
        CastOp::Trunc => a.trunc(width(to)),
        CastOp::FToS => soft::to_int(float(from), float_of(a), Sign::Signed, width(to)),
        CastOp::FToU => soft::to_int(float(from), float_of(a), Sign::Unsigned, width(to)),
        CastOp::SToF => float_bits(float(to), soft::from_int(float(to), a, Sign::Signed)),
        CastOp::UToF => float_bits(float(to), soft::from_int(float(to), a, Sign::Unsigned)),
        CastOp::FToF => float_bits(
            float(to),
            soft::convert(float(from), float(to), float_of(a)),
        ),
        CastOp::Bits => a.clone(),
        // Addresses: the caller takes pointers apart.
        CastOp::PtrToInt | CastOp::IntToPtr => a.zext_or_trunc(width(to)),
    }
}
