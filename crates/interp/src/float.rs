//! Floating-point numbers, by their bits, in every format.
//!
//! `f32` and `f64` are computed by the machine, which is exact for what IEEE defines; the other
//! formats by `rustc_apfloat`, square roots and conversions of very wide integers by ourselves
//! ([`soft`]). A NaN that an operation makes is always the same one, quiet and positive, as the IR
//! says; the pass `nans` chooses others. The lesser of two zeros is the
//! negative one.

use ir::syntax::{BinaryOp, CompareOp, FloatTy, UnaryOp};

pub(crate) mod soft;

/// The NaN that operations make.
pub(crate) fn nan(ty: FloatTy) -> u128 {
    match ty {
        FloatTy::F16 => 0x7e00,
        FloatTy::F32 => 0x7fc0_0000,
        FloatTy::F64 => 0x7ff8 << 48,
        FloatTy::F80 => 0x7fff << 64 | 0xc000 << 48,
        FloatTy::F128 => 0x7fff_8000 << 96,
    }
}

macro_rules! native {
    ($float:ident, $bits:ident, $nan:literal, $binary:ident, $unary:ident, $compare:ident) => {
        /// Two operands, by their bits.
        #[inline]
        pub(crate) fn $binary(op: BinaryOp, a: $bits, b: $bits) -> $bits {
            let (x, y) = ($float::from_bits(a), $float::from_bits(b));
            let result = match op {
                BinaryOp::FAdd => x + y,
                BinaryOp::FSub => x - y,
                BinaryOp::FMul => x * y,
                BinaryOp::FDiv => x / y,
                BinaryOp::FRem => x % y,
                BinaryOp::FMin if y.is_nan() => x,
                BinaryOp::FMax if y.is_nan() => x,
                BinaryOp::FMin if x < y || (x == y && x.is_sign_negative()) => x,
                BinaryOp::FMax if x > y || (x == y && x.is_sign_positive()) => x,
                BinaryOp::FMin | BinaryOp::FMax => y,
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::UDiv
                | BinaryOp::SDiv
                | BinaryOp::URem
                | BinaryOp::SRem
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::Shl
                | BinaryOp::LShr
                | BinaryOp::AShr => unreachable!("{op:?} of floats"),
            };
            if result.is_nan() {
                $nan
            } else {
                result.to_bits()
            }
        }

        /// One operand, by its bits.
        #[inline]
        pub(crate) fn $unary(op: UnaryOp, a: $bits) -> $bits {
            let x = $float::from_bits(a);
            let sign = 1 << ($bits::BITS - 1);
            let result = match op {
                UnaryOp::FNeg => return a ^ sign,
                UnaryOp::FAbs => return a & !sign,
                UnaryOp::FSqrt => x.sqrt(),
                UnaryOp::FFloor => x.floor(),
                UnaryOp::FCeil => x.ceil(),
                UnaryOp::FTrunc => x.trunc(),
                UnaryOp::FRound => x.round(),
                UnaryOp::FRint => x.round_ties_even(),
                UnaryOp::CtPop
                | UnaryOp::CtLz
                | UnaryOp::CtTz
                | UnaryOp::BSwap
                | UnaryOp::BitReverse => unreachable!("{op:?} of a float"),
            };
            if result.is_nan() {
                $nan
            } else {
                result.to_bits()
            }
        }

        /// A comparison of two numbers, by their bits.
        #[inline]
        pub(crate) fn $compare(op: CompareOp, a: $bits, b: $bits) -> bool {
            let (x, y) = ($float::from_bits(a), $float::from_bits(b));
            compare_order(op, x.partial_cmp(&y))
        }
    };
}

native!(f32, u32, 0x7fc0_0000, binary_f32, unary_f32, compare_f32);
native!(
    f64,
    u64,
    0x7ff8_0000_0000_0000,
    binary_f64,
    unary_f64,
    compare_f64
);

/// The answer of a comparison, from the order of the operands (none: one of them is NaN).
#[inline]
pub(crate) fn compare_order(op: CompareOp, order: Option<std::cmp::Ordering>) -> bool {
    use std::cmp::Ordering::{Equal, Greater, Less};
    match op {
        CompareOp::FOeq => order == Some(Equal),
        CompareOp::FOlt => order == Some(Less),
        CompareOp::FOle => matches!(order, Some(Less | Equal)),
        CompareOp::FOne => matches!(order, Some(Less | Greater)),
        CompareOp::FOrd => order.is_some(),
        CompareOp::FUeq => matches!(order, None | Some(Equal)),
        CompareOp::FUlt => matches!(order, None | Some(Less)),
        CompareOp::FUle => order != Some(Greater),
        CompareOp::FUne => order != Some(Equal),
        CompareOp::FUno => order.is_none(),
        CompareOp::Eq
        | CompareOp::Ne
        | CompareOp::Ult
        | CompareOp::Ule
        | CompareOp::Slt
        | CompareOp::Sle => unreachable!("{op:?} of floats"),
    }
}

/// `f64` to a signed integer of at most 64 bits, in the low bits; INT_MIN if it does not fit.
#[inline]
pub(crate) fn f64_to_signed(x: f64, width: u32) -> u64 {
    let bound = (1u64 << (width - 1)) as f64;
    let whole = x.trunc();
    let mask = u64::MAX >> (64 - width);
    if whole >= -bound && whole < bound {
        whole as i64 as u64 & mask
    } else {
        1 << (width - 1)
    }
}

/// `f64` to an unsigned integer of at most 64 bits; all ones if it does not fit.
#[inline]
pub(crate) fn f64_to_unsigned(x: f64, width: u32) -> u64 {
    let bound = 2.0 * (1u64 << (width - 1)) as f64;
    let whole = x.trunc();
    if whole >= 0.0 && whole < bound {
        whole as u64
    } else {
        u64::MAX >> (64 - width)
    }
}
