//! IEEE 754 arithmetic of any format, in exact integers.
//!
//! A float is its interchange image, a bit-vector. An operation unpacks its operands into sign, integer significand and
//! exponent, computes the exact result (or enough leading bits of it and whether anything lies below, the *sticky* bit),
//! and rounds once. There is no fast path: this is the judge of solvers' models and the folder of constants, and it
//! must be obviously right. It is tested against the machine's own `f32` and `f64` and against another library.
//!
//! ```text
//!   image    [ sign : 1 ][ exponent : exp ][ fraction : sig - 1 ]
//!   value    (-1)^sign * significand * 2^exponent      significand an integer, hidden bit included
//! ```
//!
//! There is one NaN: positive, quiet, no payload. Every operation returns that image.

use std::cmp::Ordering;

use base::Bv;
use num_bigint::{BigInt, BigUint, Sign};

use crate::op::Rounding;
use crate::sort::FloatSort;

/// A float taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Parts {
    Nan,
    Inf { neg: bool },
    Zero { neg: bool },
    Finite(Number),
}

/// A finite value that is not zero: `sig * 2^exp`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Number {
    neg: bool,
    sig: BigUint,
    exp: i64,
}

fn bias(sort: FloatSort) -> i64 {
    (1 << (sort.exp - 1)) - 1
}

/// The exponent of the least normal value's leading bit.
fn least_exp(sort: FloatSort) -> i64 {
    1 - bias(sort)
}

fn to_big(value: &Bv) -> BigUint {
    let digits = value
        .words()
        .iter()
        .flat_map(|&word| [word as u32, (word >> 32) as u32]);
    BigUint::new(digits.collect())
}

fn from_big(value: &BigUint, width: u32) -> Bv {
    Bv::from_words(&value.to_u64_digits(), width)
}

/// The unsigned value of a bit-vector.
pub(crate) fn bv_to_nat(value: &Bv) -> BigInt {
    to_big(value).into()
}

/// The signed value of a bit-vector.
pub(crate) fn bv_to_int(value: &Bv) -> BigInt {
    if value.is_negative() {
        -BigInt::from(to_big(&value.neg()))
    } else {
        bv_to_nat(value)
    }
}

/// The bit-vector that is congruent to an integer.
pub(crate) fn int_to_bv(value: &BigInt, width: u32) -> Bv {
    let magnitude = from_big(value.magnitude(), width);
    if value.sign() == Sign::Minus {
        magnitude.neg()
    } else {
        magnitude
    }
}

fn unpack(bits: &Bv, sort: FloatSort) -> Parts {
    let fraction_bits = sort.sig - 1;
    let neg = bits.is_negative();
    let exponent = bits.extract(sort.width() - 2, fraction_bits);
    let fraction = bits.trunc(fraction_bits);
    let lowest = least_exp(sort) - i64::from(fraction_bits);
    match (exponent.is_ones(), exponent.is_zero(), fraction.is_zero()) {
        (true, _, true) => Parts::Inf { neg },
        (true, _, false) => Parts::Nan,
        (_, true, true) => Parts::Zero { neg },
        (_, true, false) => Parts::Finite(Number {
            neg,
            sig: to_big(&fraction),
            exp: lowest,
        }),
        (false, false, _) => {
            let field = exponent.to_u64().expect("an exponent has at most 30 bits") as i64;
            let sig = to_big(&fraction) | BigUint::from(1u32) << fraction_bits;
            Parts::Finite(Number {
                neg,
                sig,
                exp: lowest + field - 1,
            })
        }
    }
}

fn signed(neg: bool, magnitude: Bv) -> Bv {
    if neg {
        magnitude.or(&Bv::int_min(magnitude.width()))
    } else {
        magnitude
    }
}

/// The NaN.
pub(crate) fn nan(sort: FloatSort) -> Bv {
    let fraction_bits = sort.sig - 1;
    let exponent = Bv::ones(sort.exp).zext(sort.width()).shl_by(fraction_bits);
    exponent.or(&Bv::one(sort.width()).shl_by(fraction_bits - 1))
}

/// An infinity.
pub(crate) fn infinity(neg: bool, sort: FloatSort) -> Bv {
    signed(
        neg,
        Bv::ones(sort.exp).zext(sort.width()).shl_by(sort.sig - 1),
    )
}

/// A zero.
pub(crate) fn zero(neg: bool, sort: FloatSort) -> Bv {
    signed(neg, Bv::zero(sort.width()))
}

/// The greatest finite magnitude.
fn greatest(neg: bool, sort: FloatSort) -> Bv {
    signed(neg, infinity(false, sort).sub(&Bv::one(sort.width())))
}

/// The image with NaN made the one NaN.
pub(crate) fn canonical(bits: Bv, sort: FloatSort) -> Bv {
    if is_nan(&bits, sort) { nan(sort) } else { bits }
}

/// Plus or minus 2^log2; an infinity if the format does not reach so far.
pub(crate) fn power_of_two(log2: u32, neg: bool, sort: FloatSort) -> Bv {
    if !has_power_of_two(log2, sort) {
        return infinity(neg, sort);
    }
    let field = Bv::from_i64(i64::from(log2) + bias(sort), sort.width());
    signed(neg, field.shl_by(sort.sig - 1))
}

/// Whether 2^log2 is a finite value of the format.
pub(crate) fn has_power_of_two(log2: u32, sort: FloatSort) -> bool {
    i64::from(log2) <= bias(sort)
}

/// The image of `-2^log2 - 1`, if the format has that number.
pub(crate) fn below_negative_power(log2: u32, sort: FloatSort) -> Option<Bv> {
    // Wider than the significand it is not representable, and the shift below would be large for nothing.
    if log2 >= sort.sig {
        return None;
    }
    let sig = (BigUint::from(1u32) << log2) + 1u32;
    let number = Number {
        neg: true,
        sig,
        exp: 0,
    };
    let down = round(Rounding::TowardPositive, &number, false, sort);
    let up = round(Rounding::TowardNegative, &number, false, sort);
    (down == up).then_some(down)
}

/// Rounds `number`, or a value just above it in magnitude if `sticky`, to the format. With `sticky` the significand
/// must have at least two bits more than the format's.
fn round(mode: Rounding, number: &Number, sticky: bool, sort: FloatSort) -> Bv {
    let Number { neg, ref sig, exp } = *number;
    let precision = i64::from(sort.sig);
    let length = sig.bits() as i64;
    debug_assert!(length > 0 && (!sticky || length >= precision + 2));
    // The exponent of the last place of the result.
    let place = (exp + length - precision).max(least_exp(sort) - (precision - 1));
    let drop = place - exp;
    let (mut kept, remainder) = if drop <= 0 {
        (sig << (-drop) as u64, Ordering::Less)
    } else if drop > length {
        // Less than half of the last place.
        (BigUint::ZERO, Ordering::Less)
    } else {
        let drop = drop as u64;
        let kept = sig >> drop;
        let below = sig - (&kept << drop);
        let half = BigUint::from(1u32) << (drop - 1);
        (
            kept,
            below.cmp(&half).then(if sticky {
                Ordering::Greater
            } else {
                Ordering::Equal
            }),
        )
    };
    let nothing_dropped = drop <= 0 || drop <= length && &kept << drop as u64 == *sig;
    let exact = nothing_dropped && !sticky;
    let up = !exact
        && match mode {
            Rounding::NearestEven => {
                remainder == Ordering::Greater || remainder == Ordering::Equal && kept.bit(0)
            }
            Rounding::NearestAway => remainder != Ordering::Less,
            Rounding::TowardPositive => !neg,
            Rounding::TowardNegative => neg,
            Rounding::TowardZero => false,
        };
    if up {
        kept += 1u32;
    }
    // A carry out of the significand leaves a power of two, which the exponent field absorbs below.
    let top = place + kept.bits() as i64 - 1;
    if kept.bits() > 0 && top > bias(sort) {
        let to_infinity = match mode {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::TowardPositive => !neg,
            Rounding::TowardNegative => neg,
            Rounding::TowardZero => false,
        };
        return if to_infinity {
            infinity(neg, sort)
        } else {
            greatest(neg, sort)
        };
    }
    // Adding the significand, hidden bit included, to the exponent field shifted by one less: the hidden bit carries into it.
    let field = place + (precision - 1) - least_exp(sort);
    let base = Bv::from_i64(field, sort.width()).shl_by(sort.sig - 1);
    signed(neg, base.add(&from_big(&kept, sort.width())))
}

/// Whether the image is a NaN.
pub(crate) fn is_nan(bits: &Bv, sort: FloatSort) -> bool {
    abs(bits).ugt(&infinity(false, sort))
}

/// Whether the image is an infinity.
pub(crate) fn is_inf(bits: &Bv, sort: FloatSort) -> bool {
    abs(bits) == infinity(false, sort)
}

/// Whether the image is a zero.
pub(crate) fn is_zero(bits: &Bv) -> bool {
    abs(bits).is_zero()
}

/// Whether the image is subnormal.
pub(crate) fn is_subnormal(bits: &Bv, sort: FloatSort) -> bool {
    !is_zero(bits) && bits.extract(sort.width() - 2, sort.sig - 1).is_zero()
}

/// Whether the image is normal.
pub(crate) fn is_normal(bits: &Bv, sort: FloatSort) -> bool {
    let field = bits.extract(sort.width() - 2, sort.sig - 1);
    !field.is_zero() && !field.is_ones()
}

/// Whether the sign is negative, and it is not NaN.
pub(crate) fn is_negative(bits: &Bv, sort: FloatSort) -> bool {
    bits.is_negative() && !is_nan(bits, sort)
}

/// The sign cleared.
pub(crate) fn abs(bits: &Bv) -> Bv {
    bits.and(&Bv::int_max(bits.width()))
}

/// The sign flipped, except of NaN.
pub(crate) fn neg(bits: &Bv, sort: FloatSort) -> Bv {
    if is_nan(bits, sort) {
        nan(sort)
    } else {
        bits.xor(&Bv::int_min(bits.width()))
    }
}

/// IEEE order; `None` if one is NaN.
pub(crate) fn compare(a: &Bv, b: &Bv, sort: FloatSort) -> Option<Ordering> {
    if is_nan(a, sort) || is_nan(b, sort) {
        return None;
    }
    if is_zero(a) && is_zero(b) {
        return Some(Ordering::Equal);
    }
    // Magnitudes of one sign are ordered as their images.
    Some(match (a.is_negative(), b.is_negative()) {
        (false, false) => a.unsigned_cmp(b),
        (true, true) => b.unsigned_cmp(a),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    })
}

/// The sign of an exact zero that is the sum of two values of different sign.
fn cancelled(mode: Rounding) -> bool {
    mode == Rounding::TowardNegative
}

/// Sum.
pub(crate) fn add(mode: Rounding, a: &Bv, b: &Bv, sort: FloatSort) -> Bv {
    match (unpack(a, sort), unpack(b, sort)) {
        (Parts::Nan, _) | (_, Parts::Nan) => nan(sort),
        (Parts::Inf { neg: x }, Parts::Inf { neg: y }) if x != y => nan(sort),
        (Parts::Inf { neg }, _) | (_, Parts::Inf { neg }) => infinity(neg, sort),
        (Parts::Zero { neg: x }, Parts::Zero { neg: y }) => {
            zero(if x == y { x } else { cancelled(mode) }, sort)
        }
        (Parts::Zero { .. }, Parts::Finite(_)) => b.clone(),
        (Parts::Finite(_), Parts::Zero { .. }) => a.clone(),
        (Parts::Finite(x), Parts::Finite(y)) => add_numbers(mode, x, y, sort),
    }
}

/// Difference.
pub(crate) fn sub(mode: Rounding, a: &Bv, b: &Bv, sort: FloatSort) -> Bv {
    add(mode, a, &neg(b, sort), sort)
}

/// The rounded sum of two numbers of any precision.
fn add_numbers(mode: Rounding, x: Number, y: Number, sort: FloatSort) -> Bv {
    let (mut x, mut y) = if top(&x) >= top(&y) { (x, y) } else { (y, x) };
    // Far below the greater one's last place, the lesser one only says in which direction the sum is inexact: any
    // number of its sign below the precision does, and keeps the shift short. `x` may have twice the format's bits.
    let reach = top(&x) - 2 * i64::from(sort.sig) - 4;
    if top(&y) < reach.min(x.exp - 2) {
        y.sig = BigUint::from(1u32);
        y.exp = reach.min(x.exp - 2);
    }
    let exp = x.exp.min(y.exp);
    x.sig <<= (x.exp - exp) as u64;
    y.sig <<= (y.exp - exp) as u64;
    let (neg, sig) = match (x.neg == y.neg, x.sig.cmp(&y.sig)) {
        (true, _) => (x.neg, x.sig + y.sig),
        (false, Ordering::Equal) => return zero(cancelled(mode), sort),
        (false, Ordering::Greater) => (x.neg, x.sig - y.sig),
        (false, Ordering::Less) => (y.neg, y.sig - x.sig),
    };
    round(mode, &Number { neg, sig, exp }, false, sort)
}

/// The exponent of the leading bit.
fn top(x: &Number) -> i64 {
    x.exp + x.sig.bits() as i64 - 1
}

fn multiply(x: &Number, y: &Number) -> Number {
    Number {
        neg: x.neg != y.neg,
        sig: &x.sig * &y.sig,
        exp: x.exp + y.exp,
    }
}

/// Product.
pub(crate) fn mul(mode: Rounding, a: &Bv, b: &Bv, sort: FloatSort) -> Bv {
    let neg = a.is_negative() != b.is_negative();
    match (unpack(a, sort), unpack(b, sort)) {
        (Parts::Nan, _) | (_, Parts::Nan) => nan(sort),
        (Parts::Inf { .. }, Parts::Zero { .. }) | (Parts::Zero { .. }, Parts::Inf { .. }) => {
            nan(sort)
        }
        (Parts::Inf { .. }, _) | (_, Parts::Inf { .. }) => infinity(neg, sort),
        (Parts::Zero { .. }, _) | (_, Parts::Zero { .. }) => zero(neg, sort),
        (Parts::Finite(x), Parts::Finite(y)) => round(mode, &multiply(&x, &y), false, sort),
    }
}

/// Quotient.
pub(crate) fn div(mode: Rounding, a: &Bv, b: &Bv, sort: FloatSort) -> Bv {
    let neg = a.is_negative() != b.is_negative();
    match (unpack(a, sort), unpack(b, sort)) {
        (Parts::Nan, _) | (_, Parts::Nan) => nan(sort),
        (Parts::Inf { .. }, Parts::Inf { .. }) | (Parts::Zero { .. }, Parts::Zero { .. }) => {
            nan(sort)
        }
        (Parts::Inf { .. }, _) | (_, Parts::Zero { .. }) => infinity(neg, sort),
        (Parts::Zero { .. }, _) | (_, Parts::Inf { .. }) => zero(neg, sort),
        (Parts::Finite(x), Parts::Finite(y)) => {
            // Enough bits that the quotient has two more than the format.
            let shift = u64::from(sort.sig) + 3 + y.sig.bits();
            let dividend = x.sig << shift;
            let sig = &dividend / &y.sig;
            let sticky = &sig * &y.sig != dividend;
            round(
                mode,
                &Number {
                    neg,
                    sig,
                    exp: x.exp - y.exp - shift as i64,
                },
                sticky,
                sort,
            )
        }
    }
}

/// `a * b + c`, rounded once.
pub(crate) fn fma(mode: Rounding, a: &Bv, b: &Bv, c: &Bv, sort: FloatSort) -> Bv {
    let neg = a.is_negative() != b.is_negative();
    let (x, y, z) = (unpack(a, sort), unpack(b, sort), unpack(c, sort));
    match (x, y, z) {
        (Parts::Nan, _, _) | (_, Parts::Nan, _) | (_, _, Parts::Nan) => nan(sort),
        (Parts::Inf { .. }, Parts::Zero { .. }, _) | (Parts::Zero { .. }, Parts::Inf { .. }, _) => {
            nan(sort)
        }
        (Parts::Inf { .. }, _, Parts::Inf { neg: z })
        | (_, Parts::Inf { .. }, Parts::Inf { neg: z })
            if neg != z =>
        {
            nan(sort)
        }
        (Parts::Inf { .. }, _, _) | (_, Parts::Inf { .. }, _) => infinity(neg, sort),
        (_, _, Parts::Inf { neg }) => infinity(neg, sort),
        (Parts::Zero { .. }, _, _) | (_, Parts::Zero { .. }, _) => {
            add(mode, &zero(neg, sort), c, sort)
        }
        (Parts::Finite(x), Parts::Finite(y), Parts::Zero { .. }) => {
            round(mode, &multiply(&x, &y), false, sort)
        }
        (Parts::Finite(x), Parts::Finite(y), Parts::Finite(z)) => {
            add_numbers(mode, multiply(&x, &y), z, sort)
        }
    }
}

/// Square root.
pub(crate) fn sqrt(mode: Rounding, a: &Bv, sort: FloatSort) -> Bv {
    match unpack(a, sort) {
        Parts::Nan => nan(sort),
        Parts::Zero { .. } => a.clone(),
        Parts::Inf { neg: true } | Parts::Finite(Number { neg: true, .. }) => nan(sort),
        Parts::Inf { neg: false } => a.clone(),
        Parts::Finite(Number {
            neg: false,
            sig,
            exp,
        }) => {
            // An even exponent, and enough bits that the root has two more than the format.
            let shift = 2 * (u64::from(sort.sig) + 2) + u64::from(exp & 1 == 1);
            let square = sig << shift;
            let root = square.sqrt();
            let sticky = &root * &root != square;
            round(
                mode,
                &Number {
                    neg: false,
                    sig: root,
                    exp: (exp - shift as i64) / 2,
                },
                sticky,
                sort,
            )
        }
    }
}

/// IEEE remainder: `a - b * n`, `n` the integer nearest to `a / b`, ties to even. Always exact.
pub(crate) fn rem(a: &Bv, b: &Bv, sort: FloatSort) -> Bv {
    let (x, y) = match (unpack(a, sort), unpack(b, sort)) {
        (Parts::Nan, _) | (_, Parts::Nan) | (Parts::Inf { .. }, _) | (_, Parts::Zero { .. }) => {
            return nan(sort);
        }
        (Parts::Zero { .. }, _) | (_, Parts::Inf { .. }) => return a.clone(),
        (Parts::Finite(x), Parts::Finite(y)) => (x, y),
    };
    if top(&x) < top(&y) - 1 {
        // Less than half of the divisor.
        return a.clone();
    }
    // In units of the lesser exponent. Twice the divisor as the modulus keeps the quotient's last bit.
    let exp = x.exp.min(y.exp);
    let divisor = y.sig << (y.exp - exp) as u64;
    let modulus = &divisor << 1u32;
    let power = BigUint::from(2u32).modpow(&BigUint::from((x.exp - exp) as u64), &modulus);
    let mut rest = x.sig * power % &modulus;
    let odd = rest >= divisor;
    if odd {
        rest -= &divisor;
    }
    let round_up = match (&rest << 1u32).cmp(&divisor) {
        Ordering::Less => false,
        Ordering::Equal => odd,
        Ordering::Greater => true,
    };
    let (neg, sig) = if round_up {
        (!x.neg, divisor - rest)
    } else {
        (x.neg, rest)
    };
    if sig == BigUint::ZERO {
        return zero(x.neg, sort);
    }
    round(
        Rounding::NearestEven,
        &Number { neg, sig, exp },
        false,
        sort,
    )
}

/// The magnitude of a number rounded to an integer.
fn round_magnitude(mode: Rounding, x: &Number) -> BigUint {
    if x.exp >= 0 {
        return &x.sig << x.exp as u64;
    }
    let drop = (-x.exp) as u64;
    if drop > x.sig.bits() + 1 {
        let up = match mode {
            Rounding::NearestEven | Rounding::NearestAway | Rounding::TowardZero => false,
            Rounding::TowardPositive => !x.neg,
            Rounding::TowardNegative => x.neg,
        };
        return BigUint::from(u32::from(up));
    }
    let kept = &x.sig >> drop;
    let below = &x.sig - (&kept << drop);
    let half = BigUint::from(1u32) << (drop - 1);
    let up = below != BigUint::ZERO
        && match (mode, below.cmp(&half)) {
            (Rounding::NearestEven, Ordering::Equal) => kept.bit(0),
            (Rounding::NearestEven, order) => order == Ordering::Greater,
            (Rounding::NearestAway, order) => order != Ordering::Less,
            (Rounding::TowardPositive, _) => !x.neg,
            (Rounding::TowardNegative, _) => x.neg,
            (Rounding::TowardZero, _) => false,
        };
    if up { kept + 1u32 } else { kept }
}

/// Rounded to an integral value; zero keeps the sign.
pub(crate) fn round_to_integral(mode: Rounding, a: &Bv, sort: FloatSort) -> Bv {
    match unpack(a, sort) {
        Parts::Nan => nan(sort),
        Parts::Inf { .. } | Parts::Zero { .. } => a.clone(),
        Parts::Finite(x) if x.exp >= 0 => a.clone(),
        Parts::Finite(x) => {
            let sig = round_magnitude(mode, &x);
            if sig == BigUint::ZERO {
                return zero(x.neg, sort);
            }
            round(
                mode,
                &Number {
                    neg: x.neg,
                    sig,
                    exp: 0,
                },
                false,
                sort,
            )
        }
    }
}

/// Converted to another format.
pub(crate) fn convert(mode: Rounding, a: &Bv, from: FloatSort, to: FloatSort) -> Bv {
    match unpack(a, from) {
        Parts::Nan => nan(to),
        Parts::Inf { neg } => infinity(neg, to),
        Parts::Zero { neg } => zero(neg, to),
        Parts::Finite(x) => round(mode, &x, false, to),
    }
}

/// An integer as a float; zero is positive.
pub(crate) fn from_int(mode: Rounding, value: &BigInt, sort: FloatSort) -> Bv {
    if value.sign() == Sign::NoSign {
        return zero(false, sort);
    }
    let number = Number {
        neg: value.sign() == Sign::Minus,
        sig: value.magnitude().clone(),
        exp: 0,
    };
    round(mode, &number, false, sort)
}

/// A rational number as a float; the denominator is positive.
pub(crate) fn from_ratio(
    mode: Rounding,
    numerator: &BigInt,
    denominator: &BigInt,
    sort: FloatSort,
) -> Bv {
    if numerator.sign() == Sign::NoSign {
        return zero(false, sort);
    }
    let shift = u64::from(sort.sig) + 3 + denominator.bits();
    let dividend = numerator.magnitude() << shift;
    let sig = &dividend / denominator.magnitude();
    let sticky = &sig * denominator.magnitude() != dividend;
    let neg = numerator.sign() == Sign::Minus;
    round(
        mode,
        &Number {
            neg,
            sig,
            exp: -(shift as i64),
        },
        sticky,
        sort,
    )
}

/// Rounded to an integer of at most `bits` bits of magnitude; `None` for NaN, infinities and what is too great.
pub(crate) fn to_int(mode: Rounding, a: &Bv, bits: u32, sort: FloatSort) -> Option<BigInt> {
    match unpack(a, sort) {
        Parts::Nan | Parts::Inf { .. } => None,
        Parts::Zero { .. } => Some(BigInt::ZERO),
        Parts::Finite(x) if top(&x) > i64::from(bits) => None,
        Parts::Finite(x) => {
            let sign = if x.neg { Sign::Minus } else { Sign::Plus };
            Some(BigInt::from_biguint(sign, round_magnitude(mode, &x)))
        }
    }
}
