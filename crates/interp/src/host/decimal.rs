//! Exact decimal digits of floats, for `printf`.
//!
//! A finite float is `m * 2^e` with an integer `m`. If `e` is negative, the number is
//! `m * 5^-e / 10^-e`: multiply by five as often as needed and put the point. All digits are
//! exact, so that rounding to nearest even looks at the digits that are cut off and nothing else.

use ir::syntax::FloatTy;

/// What a float is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Nan,
    Infinite,
    /// `mantissa * 2^exponent`.
    Finite {
        mantissa: u128,
        exponent: i32,
    },
}

/// A float taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Parts {
    pub(super) negative: bool,
    pub(super) kind: Kind,
}

/// Takes the bits of a float apart.
pub(super) fn parts(ty: FloatTy, bits: u128) -> Parts {
    // Bits of the stored significand and of the exponent.
    let (significand, exponent_bits) = match ty {
        FloatTy::F16 => (10, 5),
        FloatTy::F32 => (23, 8),
        FloatTy::F64 => (52, 11),
        FloatTy::F80 => (64, 15),
        FloatTy::F128 => (112, 15),
    };
    let negative = bits >> (significand + exponent_bits) & 1 == 1;
    let top = (1i32 << exponent_bits) - 1;
    let bias = top >> 1;
    let biased = (bits >> significand) as i32 & top;
    let fraction = bits & ((1 << significand) - 1);
    let explicit = ty == FloatTy::F80;
    let kind = if biased == top {
        let payload = if explicit { fraction << 65 } else { fraction };
        match payload {
            0 => Kind::Infinite,
            _ => Kind::Nan,
        }
    } else {
        let hidden = u128::from(!explicit && biased > 0) << significand;
        // The explicit bit of the x87 format is the first bit before the point.
        let places = if explicit { 63 } else { significand };
        Kind::Finite {
            mantissa: fraction | hidden,
            exponent: biased.max(1) - bias - places,
        }
    };
    Parts { negative, kind }
}

/// Digits with a point: `0.d0 d1 d2 … * 10^point`. No leading zeros; empty for zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Decimal {
    pub(super) digits: Vec<u8>,
    pub(super) point: i32,
}

/// All digits of `mantissa * 2^exponent`.
pub(super) fn expand(mantissa: u128, exponent: i32) -> Decimal {
    const BASE: u64 = 1_000_000_000;
    let mut limbs: Vec<u32> = Vec::new();
    let mut rest = mantissa;
    while rest > 0 {
        limbs.push((rest % u128::from(BASE)) as u32);
        rest /= u128::from(BASE);
    }
    let mut multiply = |factor: u32| {
        let mut carry = 0;
        for limb in &mut limbs {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = (product % BASE) as u32;
            carry = product / BASE;
        }
        if carry > 0 {
            limbs.push(carry as u32);
        }
    };
    let (prime, biggest) = if exponent >= 0 {
        (2u32, 29)
    } else {
        (5u32, 12)
    };
    let mut left = exponent.unsigned_abs();
    while left > 0 {
        let count = left.min(biggest);
        multiply(prime.pow(count));
        left -= count;
    }
    let mut digits = Vec::new();
    for limb in limbs.iter().rev() {
        let text = format!("{limb:09}");
        digits.extend(text.bytes().map(|byte| byte - b'0'));
    }
    let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
    digits.drain(..zeros);
    let fraction = (-exponent).max(0);
    let point = match digits.is_empty() {
        true => 0,
        false => digits.len() as i32 - fraction,
    };
    Decimal { digits, point }
}

impl Decimal {
    /// Keeps `count` digits (which may be zero or negative: then nothing, or the rounded-up unit
    /// before), rounding to nearest even.
    pub(super) fn round(&mut self, count: i32) {
        if count >= self.digits.len() as i32 {
            return;
        }
        if count < 0 {
            self.digits.clear();
            self.point = 0;
            return;
        }
        let count = count as usize;
        let cut = self.digits.split_off(count);
        let above = cut[0] > 5 || (cut[0] == 5 && cut[1..].iter().any(|&digit| digit > 0));
        let odd = self.digits.last().is_some_and(|digit| digit % 2 == 1);
        if !(above || (cut[0] == 5 && odd)) {
            if self.digits.is_empty() {
                self.point = 0;
            }
            return;
        }
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.digits.truncate(count.max(1));
        self.point += 1;
    }

    /// As `%.{precision}f` prints it, without sign.
    pub(super) fn fixed(mut self, precision: usize) -> String {
        self.round(self.point.saturating_add(precision as i32));
        let digit = |place: i32| {
            let index = self.point - 1 - place;
            let digit = usize::try_from(index).ok().and_then(|i| self.digits.get(i));
            char::from(b'0' + digit.copied().unwrap_or(0))
        };
        let mut text = String::new();
        for place in (0..self.point.max(1)).rev() {
            text.push(digit(place));
        }
        if precision > 0 {
            text.push('.');
            for place in 1..=precision as i32 {
                text.push(digit(-place));
            }
        }
        text
    }

    /// The digits and the exponent that `%.{precision}e` prints.
    pub(super) fn scientific(mut self, precision: usize) -> (String, i32) {
        self.round(precision as i32 + 1);
        let exponent = if self.digits.is_empty() {
            0
        } else {
            self.point - 1
        };
        let digit = |index: usize| char::from(b'0' + self.digits.get(index).copied().unwrap_or(0));
        let mut text = String::new();
        text.push(digit(0));
        if precision > 0 {
            text.push('.');
            for index in 1..=precision {
                text.push(digit(index));
            }
        }
        (text, exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, expand, parts};
    use ir::syntax::FloatTy;

    fn decimal(x: f64) -> super::Decimal {
        match parts(FloatTy::F64, x.to_bits().into()).kind {
            Kind::Finite { mantissa, exponent } => expand(mantissa, exponent),
            Kind::Nan | Kind::Infinite => panic!("not finite"),
        }
    }

    #[test]
    fn fixed_is_what_rust_prints() {
        let mut state = 1u64;
        for round in 0..3000 {
            state = crate::choices::mix(state.wrapping_add(round));
            let x = match round % 3 {
                0 => f64::from_bits(state & 0x7fff_ffff_ffff_ffff),
                1 => (state % 100_000) as f64 / 64.0,
                _ => (state % 1_000_000) as f64 / 1000.0,
            };
            if !x.is_finite() {
                continue;
            }
            for precision in [0, 1, 3, 6, 20] {
                let expected = format!("{x:.precision$}");
                assert_eq!(decimal(x).fixed(precision), expected, "{x:?}");
                let expected = format!("{x:.precision$e}");
                let (digits, exponent) = decimal(x).scientific(precision);
                assert_eq!(format!("{digits}e{exponent}"), expected, "{x:?}");
            }
        }
    }

    #[test]
    fn ties_go_to_the_even_digit() {
        assert_eq!(decimal(0.5).fixed(0), "0");
        assert_eq!(decimal(1.5).fixed(0), "2");
        assert_eq!(decimal(2.5).fixed(0), "2");
        assert_eq!(decimal(0.25).fixed(1), "0.2");
        assert_eq!(decimal(9.5).fixed(0), "10");
        assert_eq!(decimal(0.06).fixed(1), "0.1");
        assert_eq!(decimal(0.04).fixed(1), "0.0");
    }

    #[test]
    fn wide_formats_are_taken_apart() {
        // 1.5 in the x87 format and in quadruple precision.
        let x87 = parts(FloatTy::F80, 0x3fff << 64 | 0xc << 60);
        let quad = parts(FloatTy::F128, 0x3fff_8000 << 96);
        for parts in [x87, quad] {
            let Kind::Finite { mantissa, exponent } = parts.kind else {
                panic!("not finite");
            };
            assert_eq!(expand(mantissa, exponent).fixed(2), "1.50");
        }
        assert_eq!(
            parts(FloatTy::F80, 0xffff << 64 | 1 << 63).kind,
            Kind::Infinite
        );
    }
}
