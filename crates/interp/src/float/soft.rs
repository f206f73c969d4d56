//! Formats that the machine does not compute, and conversions at any width.

use base::Bv;
use ir::syntax::{BinaryOp, CompareOp, FloatTy, UnaryOp};
use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};

use super::{compare_order, nan};

/// Evaluates an expression with `$float` standing for the library's type of a format.
macro_rules! with_format {
    ($ty:expr, $float:ident => $body:expr) => {
        match $ty {
            FloatTy::F16 => {
                type $float = Half;
                $body
            }
            FloatTy::F32 => {
                type $float = Single;
                $body
            }
            FloatTy::F64 => {
                type $float = Double;
                $body
            }
            FloatTy::F80 => {
                type $float = X87DoubleExtended;
                $body
            }
            FloatTy::F128 => {
                type $float = Quad;
                $body
            }
        }
    };
}

/// The bits of a result, with our own NaN.
fn bits<F: Float>(ty: FloatTy, x: F) -> u128 {
    if x.is_nan() { nan(ty) } else { x.to_bits() }
}

/// Two operands, by their bits.
pub(crate) fn binary(op: BinaryOp, ty: FloatTy, a: u128, b: u128) -> u128 {
    with_format!(ty, F => {
        let (x, y) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            BinaryOp::FAdd => (x + y).value,
            BinaryOp::FSub => (x - y).value,
            BinaryOp::FMul => (x * y).value,
            BinaryOp::FDiv => (x / y).value,
            BinaryOp::FRem => x.c_fmod(y).value,
            BinaryOp::FMin | BinaryOp::FMax if y.is_nan() => x,
            BinaryOp::FMin | BinaryOp::FMax if x.is_nan() => y,
            BinaryOp::FMin if x == y => if x.is_negative() { x } else { y },
            BinaryOp::FMax if x == y => if x.is_negative() { y } else { x },
            BinaryOp::FMin => if x < y { x } else { y },
            BinaryOp::FMax => if x > y { x } else { y },
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
        bits(ty, result)
    })
}

/// One operand, by its bits.
pub(crate) fn unary(op: UnaryOp, ty: FloatTy, a: u128) -> u128 {
    let sign = 1 << (ty.bits() - 1);
    let round = match op {
        UnaryOp::FNeg => return a ^ sign,
        UnaryOp::FAbs => return a & !sign,
        UnaryOp::FSqrt => return sqrt(ty, a),
        UnaryOp::FFloor => Round::TowardNegative,
        UnaryOp::FCeil => Round::TowardPositive,
        UnaryOp::FTrunc => Round::TowardZero,
        UnaryOp::FRound => Round::NearestTiesToAway,
        UnaryOp::FRint => Round::NearestTiesToEven,
        UnaryOp::CtPop | UnaryOp::CtLz | UnaryOp::CtTz | UnaryOp::BSwap | UnaryOp::BitReverse => {
            unreachable!("{op:?} of a float")
        }
    };
    with_format!(ty, F => bits(ty, F::from_bits(a).round_to_integral(round).value))
}

/// A comparison of two numbers, by their bits.
pub(crate) fn compare(op: CompareOp, ty: FloatTy, a: u128, b: u128) -> bool {
    with_format!(ty, F => compare_order(op, F::from_bits(a).partial_cmp(&F::from_bits(b))))
}

/// A number in another format.
pub(crate) fn convert(from: FloatTy, to: FloatTy, a: u128) -> u128 {
    fn into<F: FloatConvert<G>, G: Float>(x: F, to: FloatTy) -> u128 {
        let mut loses = false;
        let result: G = x.convert(&mut loses).value;
        bits(to, result)
    }
    with_format!(from, F => {
        let x = F::from_bits(a);
        match to {
            FloatTy::F16 => into::<F, Half>(x, to),
            FloatTy::F32 => into::<F, Single>(x, to),
            FloatTy::F64 => into::<F, Double>(x, to),
            FloatTy::F80 => into::<F, X87DoubleExtended>(x, to),
            FloatTy::F128 => into::<F, Quad>(x, to),
        }
    })
}

/// Is an integer signed?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    /// Two's complement.
    Signed,
    /// Natural numbers.
    Unsigned,
}

/// To an integer, rounding to zero; INT_MIN or all ones if it does not fit.
pub(crate) fn to_int(ty: FloatTy, a: u128, sign: Sign, width: u32) -> Bv {
    let misfit = match sign {
        Sign::Signed => Bv::int_min(width),
        Sign::Unsigned => Bv::ones(width),
    };
    with_format!(ty, F => {
        let x = F::from_bits(a);
        if !x.is_finite() {
            return misfit;
        }
        if width > 128 {
            return wide_to_int(x, sign, width).unwrap_or(misfit);
        }
        let mut exact = false;
        match sign {
            Sign::Signed => {
                // The library does not convert to one bit; two hold what does not fit one.
                let result = x.to_i128_r(width.max(2) as usize, Round::TowardZero, &mut exact);
                let misfits = result.status.contains(Status::INVALID_OP)
                    || width == 1 && !(-1..=0).contains(&result.value);
                if misfits { misfit } else { Bv::from_i128(result.value, width) }
            }
            Sign::Unsigned => {
                let result = x.to_u128_r(width as usize, Round::TowardZero, &mut exact);
                if result.status.contains(Status::INVALID_OP) { misfit } else { Bv::from_u128(result.value, width) }
            }
        }
    })
}

/// To an integer of more than 128 bits; none if it does not fit.
fn wide_to_int<F: Float>(x: F, sign: Sign, width: u32) -> Option<Bv> {
    let exponent = if x.is_zero() { 0 } else { x.ilogb() };
    let shift = (exponent - 126).max(0);
    // At most 127 bits remain; the significand has fewer, so that nothing is cut when scaling.
    let scaled = x.scalbn(-shift);
    let mut exact = false;
    let whole = scaled.to_i128_r(128, Round::TowardZero, &mut exact).value;
    if whole < 0 && sign == Sign::Unsigned {
        return None;
    }
    let magnitude_bits = 128 - whole.unsigned_abs().leading_zeros() + shift as u32;
    let value = Bv::from_i128(whole, width);
    let fits = match sign {
        Sign::Unsigned => magnitude_bits <= width,
        Sign::Signed => {
            magnitude_bits < width
                || (magnitude_bits == width && whole < 0 && whole.unsigned_abs().is_power_of_two())
        }
    };
    fits.then(|| value.shl_by(shift as u32))
}

/// From an integer, round to nearest even.
pub(crate) fn from_int(ty: FloatTy, value: &Bv, sign: Sign) -> u128 {
    let negative = sign == Sign::Signed && value.is_negative();
    let magnitude = if negative { value.neg() } else { value.clone() };
    // Keep the top 126 bits; the lowest also says whether anything below was set, which is far
    // below the precision of every format.
    let used = magnitude.width() - magnitude.leading_zeros();
    let cut = used.saturating_sub(126);
    let top = magnitude.lshr_by(cut).zext_or_trunc(128);
    let sticky = cut > 0 && magnitude.trailing_zeros() < cut;
    let top = top.to_u128().expect("cut to 128 bits") | u128::from(sticky);
    with_format!(ty, F => {
        let x = F::from_u128_r(top, Round::NearestTiesToEven).value;
        let x = x.scalbn(cut as i32);
        bits(ty, if negative { -x } else { x })
    })
}

/// The square root, round to nearest even.
fn sqrt(ty: FloatTy, a: u128) -> u128 {
    if matches!(ty, FloatTy::F16 | FloatTy::F32) {
        // The double's precision is more than twice theirs, so that rounding twice is harmless.
        let wide = convert(ty, FloatTy::F64, a) as u64;
        let root = super::unary_f64(UnaryOp::FSqrt, wide);
        return convert(FloatTy::F64, ty, root.into());
    }
    with_format!(ty, F => {
        let x = F::from_bits(a);
        if x.is_nan() || (x.is_negative() && !x.is_zero()) {
            return nan(ty);
        }
        if x.is_zero() || x.is_infinite() {
            return a;
        }
        // x = whole * 2^exponent with an even exponent, and 127 bits or so in `whole`.
        let mut exponent = x.ilogb() - 126;
        if exponent % 2 != 0 {
            exponent += 1;
        }
        let mut exact = false;
        let whole = x.scalbn(-exponent).to_u128_r(128, Round::TowardZero, &mut exact).value;
        let (root, rest) = root_of(&Bv::from_u128(whole, 256).shl_by(120));
        let root = root.to_u128().expect("the root has half the bits");
        let with_sticky = root << 1 | u128::from(!rest.is_zero());
        let result = F::from_u128_r(with_sticky, Round::NearestTiesToEven).value;
        bits(ty, result.scalbn(exponent / 2 - 60 - 1))
    })
}

/// The greatest integer whose square is not above the value, and the difference.
fn root_of(value: &Bv) -> (Bv, Bv) {
    let width = value.width();
    let (mut root, mut rest) = (Bv::zero(width), value.clone());
    let mut bit = Bv::one(width).shl_by(width - 2);
    while bit.ugt(&rest) {
        bit = bit.lshr_by(2);
    }
    while !bit.is_zero() {
        let candidate = root.add(&bit);
        root = root.lshr_by(1);
        if candidate.ule(&rest) {
            rest = rest.sub(&candidate);
            root = root.add(&bit);
        }
        bit = bit.lshr_by(2);
    }
    (root, rest)
}

#[cfg(test)]
mod tests {
    use base::Bv;
    use ir::syntax::{BinaryOp, CompareOp, FloatTy, UnaryOp};

    use super::{Sign, binary, compare, convert, from_int, to_int, unary};
    use crate::choices::mix;
    use crate::float;

    /// Random bits, with many near the ends of the exponent's range and many small numbers.
    fn doubles() -> impl Iterator<Item = (u64, u64)> {
        let pick = |n: u64| {
            let word = mix(n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            match word % 8 {
                0 => ((word >> 8) as i16 as f64 / 16.0).to_bits(),
                1 => word >> 3 & 0x800f_ffff_ffff_ffff,
                2 => word | 0x7fe0 << 48,
                3 => [0.0, f64::INFINITY, f64::NAN, 1.0][(word >> 8) as usize % 4].to_bits(),
                _ => word,
            }
        };
        (0..4000).map(move |n| (pick(2 * n), pick(2 * n + 1)))
    }

    #[test]
    fn the_library_agrees_with_the_machine() {
        for (a, b) in doubles() {
            let (c, d) = ((a >> 17) as u32, (b >> 23) as u32);
            for op in BinaryOp::ALL.iter().copied().filter(|op| op.is_float()) {
                let soft = binary(op, FloatTy::F64, a.into(), b.into());
                assert_eq!(
                    soft as u64,
                    float::binary_f64(op, a, b),
                    "{op:?} {a:x} {b:x}"
                );
                let soft = binary(op, FloatTy::F32, c.into(), d.into());
                assert_eq!(
                    soft as u32,
                    float::binary_f32(op, c, d),
                    "{op:?} {c:x} {d:x}"
                );
            }
            for op in UnaryOp::ALL.iter().copied().filter(|op| op.is_float()) {
                let soft = unary(op, FloatTy::F64, a.into());
                assert_eq!(soft as u64, float::unary_f64(op, a), "{op:?} {a:x}");
                let soft = unary(op, FloatTy::F32, c.into());
                assert_eq!(soft as u32, float::unary_f32(op, c), "{op:?} {c:x}");
            }
            for op in CompareOp::ALL.iter().copied().filter(|op| op.is_float()) {
                let soft = compare(op, FloatTy::F64, a.into(), b.into());
                assert_eq!(soft, float::compare_f64(op, a, b), "{op:?} {a:x} {b:x}");
            }
        }
    }

    #[test]
    fn conversions_agree_with_the_machine() {
        for (a, b) in doubles() {
            let x = f64::from_bits(a);
            for width in [1, 7, 8, 31, 32, 33, 63, 64] {
                let soft = to_int(FloatTy::F64, a.into(), Sign::Signed, width);
                assert_eq!(
                    soft.low_u64(),
                    float::f64_to_signed(x, width),
                    "{x:?} {width}"
                );
                let soft = to_int(FloatTy::F64, a.into(), Sign::Unsigned, width);
                assert_eq!(
                    soft.low_u64(),
                    float::f64_to_unsigned(x, width),
                    "{x:?} {width}"
                );
            }
            let int = Bv::from_u64(b >> (b % 64), 64);
            let signed = int.to_i64().expect("64 bits fit");
            let unsigned = int.low_u64();
            let f64_of = |sign| from_int(FloatTy::F64, &int, sign) as u64;
            assert_eq!(f64_of(Sign::Signed), (signed as f64).to_bits());
            assert_eq!(f64_of(Sign::Unsigned), (unsigned as f64).to_bits());
            let f32_of = |sign| from_int(FloatTy::F32, &int, sign) as u32;
            assert_eq!(f32_of(Sign::Signed), (signed as f32).to_bits());
            assert_eq!(f32_of(Sign::Unsigned), (unsigned as f32).to_bits());
            if !x.is_nan() {
                let narrow = convert(FloatTy::F64, FloatTy::F32, a.into()) as u32;
                assert_eq!(narrow, (x as f32).to_bits());
                for wide in [FloatTy::F80, FloatTy::F128] {
                    let there = convert(FloatTy::F64, wide, a.into());
                    assert_eq!(convert(wide, FloatTy::F64, there) as u64, a);
                }
            }
        }
    }

    #[test]
    fn very_wide_integers_convert_as_narrow_ones_do() {
        for (a, _) in doubles() {
            let x = f64::from_bits(a);
            if x.is_finite() && x.abs() < 1e37 {
                let narrow = to_int(FloatTy::F64, a.into(), Sign::Signed, 128);
                let wide = to_int(FloatTy::F64, a.into(), Sign::Signed, 300);
                assert_eq!(wide, narrow.sext(300), "{x:?}");
            }
            if x.is_finite() {
                // Wide enough for every double: back it comes as its integral part.
                let wide = to_int(FloatTy::F64, a.into(), Sign::Signed, 1100);
                let back = f64::from_bits(from_int(FloatTy::F64, &wide, Sign::Signed) as u64);
                assert_eq!(back, x.trunc(), "{x:?}");
            }
        }
        assert!(
            to_int(
                FloatTy::F64,
                f64::MAX.to_bits().into(),
                Sign::Unsigned,
                1000
            )
            .is_ones()
        );
    }

    #[test]
    fn square_roots_of_wide_floats_are_nearest() {
        // In quadruple precision (113 bits) the square of an 80-bit root (64 bits) is not exact,
        // but close enough to tell the nearest root from its neighbours.
        for (a, _) in doubles() {
            let x = a & !(1 << 63);
            if !f64::from_bits(x).is_normal() {
                continue;
            }
            let x = convert(FloatTy::F64, FloatTy::F80, x.into());
            let root = unary(UnaryOp::FSqrt, FloatTy::F80, x);
            let exact = unary(
                UnaryOp::FSqrt,
                FloatTy::F128,
                convert(FloatTy::F80, FloatTy::F128, x),
            );
            assert_eq!(convert(FloatTy::F128, FloatTy::F80, exact), root, "{x:x}");
        }
    }
}
