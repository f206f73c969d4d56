//! The meaning of operations on numbers of at most 64 bits, for operands that are known.

use ir::syntax::{BinaryOp, CompareOp};

use super::{mask, signed};

/// The result; none for floating-point operations, which are not followed.
pub fn binary(op: BinaryOp, a: u64, b: u64, width: u32) -> Option<u64> {
    let (sa, sb) = (i128::from(signed(a, width)), i128::from(signed(b, width)));
    let all = mask(width);
    let shift_out = b >= u64::from(width);
    let result = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::UDiv => a.checked_div(b).unwrap_or(all),
        BinaryOp::SDiv if b == 0 => {
            if sa < 0 {
                1
            } else {
                all
            }
        }
        BinaryOp::SDiv => (sa / sb) as u64,
        BinaryOp::URem => a.checked_rem(b).unwrap_or(a),
        BinaryOp::SRem if b == 0 => a,
        BinaryOp::SRem => (sa % sb) as u64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl if shift_out => 0,
        BinaryOp::Shl => a << b,
        BinaryOp::LShr if shift_out => 0,
        BinaryOp::LShr => a >> b,
        BinaryOp::AShr => (sa >> b.min(127)) as u64,
        BinaryOp::FAdd
        | BinaryOp::FSub
        | BinaryOp::FMul
        | BinaryOp::FDiv
        | BinaryOp::FRem
        | BinaryOp::FMin
        | BinaryOp::FMax => return None,
    };
    Some(result & all)
}

/// The result; none for floating-point comparisons.
pub fn compare(op: CompareOp, a: u64, b: u64, width: u32) -> Option<bool> {
    let (sa, sb) = (signed(a, width), signed(b, width));
    match op {
        CompareOp::Eq => Some(a == b),
        CompareOp::Ne => Some(a != b),
        CompareOp::Ult => Some(a < b),
        CompareOp::Ule => Some(a <= b),
        CompareOp::Slt => Some(sa < sb),
        CompareOp::Sle => Some(sa <= sb),
        CompareOp::FOeq
        | CompareOp::FOlt
        | CompareOp::FOle
        | CompareOp::FOne
        | CompareOp::FOrd
        | CompareOp::FUeq
        | CompareOp::FUlt
        | CompareOp::FUle
        | CompareOp::FUne
        | CompareOp::FUno => None,
    }
}
