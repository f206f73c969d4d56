//! Integers of at most 64 bits in one word. `shift` is 64 minus the width; bits above the width
//! are zero, before and after.

use ir::syntax::{BinaryOp, OverflowOp, UnaryOp};

use crate::code::Convert;
use crate::float;

/// The bits of the width.
#[inline(always)]
pub(crate) fn mask(shift: u8) -> u64 {
    u64::MAX >> shift
}

/// The value as a signed number.
#[inline(always)]
pub(crate) fn signed(word: u64, shift: u8) -> i64 {
    (word << shift) as i64 >> shift
}

/// Division and remainder, total as the IR wants them.
#[inline]
pub(crate) fn divide(op: BinaryOp, a: u64, b: u64, shift: u8) -> u64 {
    let all = mask(shift);
    match op {
        BinaryOp::UDiv => a.checked_div(b).unwrap_or(all),
        BinaryOp::URem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::SDiv => {
            let (x, y) = (signed(a, shift), signed(b, shift));
            match y {
                0 if x < 0 => 1,
                0 => all,
                y => x.wrapping_div(y) as u64 & all,
            }
        }
        BinaryOp::SRem => {
            let (x, y) = (signed(a, shift), signed(b, shift));
            match y {
                0 => a,
                y => x.wrapping_rem(y) as u64 & all,
            }
        }
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::FAdd
        | BinaryOp::FSub
        | BinaryOp::FMul
        | BinaryOp::FDiv
        | BinaryOp::FRem
        | BinaryOp::FMin
        | BinaryOp::FMax => unreachable!("{op:?} is no division"),
    }
}

/// Operations on the bits of one integer.
#[inline]
pub(crate) fn count(op: UnaryOp, a: u64, shift: u8) -> u64 {
    let width = 64 - u32::from(shift);
    match op {
        // At width 1 the number 1 is all that is needed; wider results always fit.
        UnaryOp::CtPop => u64::from(a.count_ones()) & mask(shift),
        UnaryOp::CtLz => u64::from(a.leading_zeros() - u32::from(shift)) & mask(shift),
        UnaryOp::CtTz => u64::from(a.trailing_zeros().min(width)) & mask(shift),
        UnaryOp::BSwap => a.swap_bytes() >> shift,
        UnaryOp::BitReverse => a.reverse_bits() >> shift,
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

/// Does the exact result leave the type's range?
#[inline]
pub(crate) fn overflows(op: OverflowOp, a: u64, b: u64, shift: u8) -> bool {
    let fits = |exact: i128| exact == i128::from(signed(exact as u64, shift));
    let (x, y) = (i128::from(signed(a, shift)), i128::from(signed(b, shift)));
    match op {
        OverflowOp::UAdd => u128::from(a) + u128::from(b) > u128::from(mask(shift)),
        OverflowOp::USub => a < b,
        OverflowOp::UMul => u128::from(a) * u128::from(b) > u128::from(mask(shift)),
        OverflowOp::SAdd => !fits(x + y),
        OverflowOp::SSub => !fits(x - y),
        OverflowOp::SMul => !fits(x * y),
    }
}

/// Conversions among the machine's own types.
#[inline]
pub(crate) fn convert(how: Convert, a: u64, shift: u8) -> u64 {
    let width = 64 - u32::from(shift);
    let f32 = |x: f32| u64::from(x.to_bits());
    match how {
        Convert::F32ToSigned => float::f64_to_signed(f32::from_bits(a as u32).into(), width),
        Convert::F32ToUnsigned => float::f64_to_unsigned(f32::from_bits(a as u32).into(), width),
        Convert::F64ToSigned => float::f64_to_signed(f64::from_bits(a), width),
        Convert::F64ToUnsigned => float::f64_to_unsigned(f64::from_bits(a), width),
        Convert::SignedToF32 => f32(signed(a, shift) as f32),
        Convert::UnsignedToF32 => f32(a as f32),
        Convert::SignedToF64 => (signed(a, shift) as f64).to_bits(),
        Convert::UnsignedToF64 => (a as f64).to_bits(),
        Convert::F32ToF64 => match f32::from_bits(a as u32) {
            x if x.is_nan() => float::nan(ir::syntax::FloatTy::F64) as u64,
            x => f64::from(x).to_bits(),
        },
        Convert::F64ToF32 => match f64::from_bits(a) {
            x if x.is_nan() => float::nan(ir::syntax::FloatTy::F32) as u64,
            x => f32(x as f32),
        },
    }
}
