//! Arithmetic, shifts and overflow predicates of [`Bv`].
//!
//! Up to 64 bits every operation is a handful of machine instructions, with `u128`/`i128` where exactness needs it.
//! Above, multiplication is the schoolbook method and division is Knuth's algorithm D (The Art of Computer
//! Programming 4.3.1) on 64-bit digits: values that wide are rare, and their widths small.

use crate::bv::{Bv, mask, shifted_right, sign_extend, word_count};

#[allow(
    clippy::should_implement_trait,
    reason = "operations are methods on references, for every operator alike"
)]
impl Bv {
    /// Addition.
    #[inline]
    pub fn add(&self, other: &Bv) -> Bv {
        self.check_same(other);
        if let (Some(a), Some(b)) = (self.small(), other.small()) {
            return Bv::from_u64(a.wrapping_add(b), self.width());
        }
        let mut carry = false;
        let words = self.words().iter().zip(other.words()).map(|(&a, &b)| {
            let (sum, over1) = a.overflowing_add(b);
            let (sum, over2) = sum.overflowing_add(u64::from(carry));
            carry = over1 | over2;
            sum
        });
        Bv::from_vec(words.collect(), self.width())
    }

    /// Subtraction.
    #[inline]
    pub fn sub(&self, other: &Bv) -> Bv {
        self.check_same(other);
        if let (Some(a), Some(b)) = (self.small(), other.small()) {
            return Bv::from_u64(a.wrapping_sub(b), self.width());
        }
        self.add(&other.neg())
    }

    /// Two's complement negation.
    #[inline]
    pub fn neg(&self) -> Bv {
        match self.small() {
            Some(word) => Bv::from_u64(word.wrapping_neg(), self.width()),
            None => self.not().add(&Bv::one(self.width())),
        }
    }

    /// Multiplication.
    #[inline]
    pub fn mul(&self, other: &Bv) -> Bv {
        self.check_same(other);
        if let (Some(a), Some(b)) = (self.small(), other.small()) {
            return Bv::from_u64(a.wrapping_mul(b), self.width());
        }
        let count = word_count(self.width());
        let mut product = vec![0; count];
        for (shift, &a) in self.words().iter().enumerate() {
            let mut carry = 0u128;
            for (&b, digit) in other.words().iter().zip(&mut product[shift..]) {
                carry += u128::from(a) * u128::from(b) + u128::from(*digit);
                *digit = carry as u64;
                carry >>= 64;
            }
        }
        Bv::from_vec(product, self.width())
    }

    /// Unsigned division; all ones if `other` is zero.
    #[inline]
    pub fn udiv(&self, other: &Bv) -> Bv {
        self.check_same(other);
        match (self.small(), other.small()) {
            (Some(a), Some(b)) => match a.checked_div(b) {
                Some(quotient) => Bv::from_u64(quotient, self.width()),
                None => Bv::ones(self.width()),
            },
            _ if other.is_zero() => Bv::ones(self.width()),
            _ => self.divide(other).0,
        }
    }

    /// Unsigned remainder; the dividend if `other` is zero.
    #[inline]
    pub fn urem(&self, other: &Bv) -> Bv {
        self.check_same(other);
        match (self.small(), other.small()) {
            (Some(a), Some(b)) => Bv::from_u64(a.checked_rem(b).unwrap_or(a), self.width()),
            _ if other.is_zero() => self.clone(),
            _ => self.divide(other).1,
        }
    }

    /// Signed division, rounding towards zero; by zero it gives one for negative dividends and minus one for others.
    #[inline]
    pub fn sdiv(&self, other: &Bv) -> Bv {
        let quotient = self.abs().udiv(&other.abs());
        if self.is_negative() == other.is_negative() {
            quotient
        } else {
            quotient.neg()
        }
    }

    /// Signed remainder, with the sign of the dividend; the dividend if `other` is zero.
    #[inline]
    pub fn srem(&self, other: &Bv) -> Bv {
        let remainder = self.abs().urem(&other.abs());
        if self.is_negative() {
            remainder.neg()
        } else {
            remainder
        }
    }

    /// Signed remainder, with the sign of the divisor; the dividend if `other` is zero.
    pub fn smod(&self, other: &Bv) -> Bv {
        let remainder = self.srem(other);
        let wrong_sign = !remainder.is_zero() && remainder.is_negative() != other.is_negative();
        if wrong_sign && !other.is_zero() {
            remainder.add(other)
        } else {
            remainder
        }
    }

    /// The absolute value; the least signed value stays as it is.
    #[inline]
    pub fn abs(&self) -> Bv {
        if self.is_negative() {
            self.neg()
        } else {
            self.clone()
        }
    }

    /// Shift towards the sign; zero if `amount` is the width or more.
    #[inline]
    pub fn shl(&self, amount: &Bv) -> Bv {
        self.check_same(amount);
        match self.shift_amount(amount) {
            Some(amount) => self.shl_by(amount),
            None => Bv::zero(self.width()),
        }
    }

    /// Shift away from the sign, filling with zeros; zero if `amount` is the width or more.
    #[inline]
    pub fn lshr(&self, amount: &Bv) -> Bv {
        self.check_same(amount);
        match self.shift_amount(amount) {
            Some(amount) => self.lshr_by(amount),
            None => Bv::zero(self.width()),
        }
    }

    /// Shift away from the sign, filling with copies of it; all copies if `amount` is the width or more.
    #[inline]
    pub fn ashr(&self, amount: &Bv) -> Bv {
        self.check_same(amount);
        let amount = self.shift_amount(amount).unwrap_or(self.width());
        if let Some(word) = self.small() {
            return Bv::from_i64(
                sign_extend(word, self.width()) >> amount.min(63),
                self.width(),
            );
        }
        // Shifting the complement in zeros and complementing again shifts in ones.
        if self.is_negative() {
            self.not().lshr_by(amount).not()
        } else {
            self.lshr_by(amount)
        }
    }

    /// The amount as a number, if it is less than the width.
    #[inline]
    fn shift_amount(&self, amount: &Bv) -> Option<u32> {
        let amount = amount.to_u64()?;
        (amount < u64::from(self.width())).then_some(amount as u32)
    }

    /// Shift towards the sign by a number; zero if it is the width or more.
    #[inline]
    pub fn shl_by(&self, amount: u32) -> Bv {
        if amount >= self.width() {
            return Bv::zero(self.width());
        }
        if let Some(word) = self.small() {
            return Bv::from_u64(word << amount, self.width());
        }
        let (skip, bits) = ((amount / 64) as usize, amount % 64);
        let words = self.words();
        let word = |index: usize| if index < skip { 0 } else { words[index - skip] };
        let shifted = (0..words.len()).map(|index| match (bits, index) {
            (0, _) => word(index),
            (_, 0) => word(0) << bits,
            (_, _) => word(index) << bits | word(index - 1) >> (64 - bits),
        });
        Bv::from_vec(shifted.collect(), self.width())
    }

    /// Shift away from the sign by a number, filling with zeros; zero if it is the width or more.
    #[inline]
    pub fn lshr_by(&self, amount: u32) -> Bv {
        if amount >= self.width() {
            return Bv::zero(self.width());
        }
        match self.small() {
            Some(word) => Bv::from_u64(word >> amount, self.width()),
            None => {
                let words = self.words();
                Bv::from_vec(
                    shifted_right(words, amount, words.len()).collect(),
                    self.width(),
                )
            }
        }
    }

    /// Whether the unsigned sum does not fit.
    #[inline]
    pub fn uaddo(&self, other: &Bv) -> bool {
        self.add(other).ult(self)
    }

    /// Whether the signed sum does not fit.
    #[inline]
    pub fn saddo(&self, other: &Bv) -> bool {
        let same_sign = self.is_negative() == other.is_negative();
        same_sign && self.add(other).is_negative() != self.is_negative()
    }

    /// Whether the unsigned difference is negative.
    #[inline]
    pub fn usubo(&self, other: &Bv) -> bool {
        self.ult(other)
    }

    /// Whether the signed difference does not fit.
    #[inline]
    pub fn ssubo(&self, other: &Bv) -> bool {
        let other_sign = self.is_negative() != other.is_negative();
        other_sign && self.sub(other).is_negative() != self.is_negative()
    }

    /// Whether the unsigned product does not fit.
    #[inline]
    pub fn umulo(&self, other: &Bv) -> bool {
        self.check_same(other);
        if let (Some(a), Some(b)) = (self.small(), other.small()) {
            return u128::from(a) * u128::from(b) > u128::from(mask(self.width()));
        }
        let wide = 2 * self.width();
        self.zext(wide).mul(&other.zext(wide)).leading_zeros() < self.width()
    }

    /// Whether the signed product does not fit.
    #[inline]
    pub fn smulo(&self, other: &Bv) -> bool {
        self.check_same(other);
        let width = self.width();
        if let (Some(a), Some(b)) = (self.small(), other.small()) {
            let product = i128::from(sign_extend(a, width)) * i128::from(sign_extend(b, width));
            return product != i128::from(sign_extend(product as u64, width));
        }
        let product = self.sext(2 * width).mul(&other.sext(2 * width));
        product.trunc(width).sext(2 * width) != product
    }

    /// Whether negation does not fit: of the least signed value only.
    #[inline]
    pub fn nego(&self) -> bool {
        self.is_int_min()
    }

    /// Whether the signed quotient does not fit: of the least signed value by minus one only.
    #[inline]
    pub fn sdivo(&self, other: &Bv) -> bool {
        self.check_same(other);
        self.is_int_min() && other.is_ones()
    }

    /// Quotient and remainder by a divisor that is not zero.
    fn divide(&self, divisor: &Bv) -> (Bv, Bv) {
        let width = self.width();
        let (quotient, remainder) = divide_words(self.words(), divisor.words());
        (
            Bv::from_words(&quotient, width),
            Bv::from_words(&remainder, width),
        )
    }
}

/// Quotient and remainder of two numbers in words, least significant first; the divisor is not zero.
pub(crate) fn divide_words(dividend: &[u64], divisor: &[u64]) -> (Vec<u64>, Vec<u64>) {
    let len = divisor
        .iter()
        .rposition(|&word| word != 0)
        .expect("the divisor is not zero")
        + 1;
    let divisor = &divisor[..len];
    if len == 1 {
        let (quotient, remainder) = divide_by_word(dividend, divisor[0]);
        return (quotient, vec![remainder]);
    }
    if dividend.len() < len {
        return (vec![0], dividend.to_vec());
    }
    // Normalise: shift both so that the divisor's top bit is set, which bounds the error of a guessed digit by two.
    let shift = divisor[len - 1].leading_zeros();
    let shl = |words: &[u64], count: usize| -> Vec<u64> {
        let word = |index: usize| words.get(index).copied().unwrap_or(0);
        let low = |index: usize| {
            if index == 0 || shift == 0 {
                0
            } else {
                word(index - 1) >> (64 - shift)
            }
        };
        (0..count)
            .map(|index| word(index) << shift | low(index))
            .collect()
    };
    let divisor = shl(divisor, len);
    let mut rest = shl(dividend, dividend.len() + 1);
    let (top, next) = (u128::from(divisor[len - 1]), u128::from(divisor[len - 2]));
    let mut quotient = vec![0; dividend.len() - len + 1];
    for place in (0..quotient.len()).rev() {
        let head = u128::from(rest[place + len]) << 64 | u128::from(rest[place + len - 1]);
        let (mut digit, mut left) = (head / top, head % top);
        while digit >> 64 != 0 || digit * next > (left << 64 | u128::from(rest[place + len - 2])) {
            digit -= 1;
            left += top;
            if left >> 64 != 0 {
                break;
            }
        }
        if subtract_multiple(&mut rest[place..=place + len], &divisor, digit as u64) {
            // The guess was one too great; add the divisor back.
            digit -= 1;
            let mut carry = 0u128;
            for (word, &b) in rest[place..].iter_mut().zip(divisor.iter().chain([&0])) {
                carry += u128::from(*word) + u128::from(b);
                *word = carry as u64;
                carry >>= 64;
            }
        }
        quotient[place] = digit as u64;
    }
    let remainder = shifted_right(&rest, shift, len).collect();
    (quotient, remainder)
}

/// Subtracts `digit * divisor` from `rest`, which is one word longer; returns whether it went below zero.
fn subtract_multiple(rest: &mut [u64], divisor: &[u64], digit: u64) -> bool {
    let (mut carry, mut borrow) = (0u128, false);
    for (word, &b) in rest.iter_mut().zip(divisor.iter().chain([&0])) {
        carry += u128::from(digit) * u128::from(b);
        let (difference, under1) = word.overflowing_sub(carry as u64);
        let (difference, under2) = difference.overflowing_sub(u64::from(borrow));
        *word = difference;
        borrow = under1 | under2;
        carry >>= 64;
    }
    borrow
}

/// Quotient and remainder by one word that is not zero.
pub(crate) fn divide_by_word(dividend: &[u64], divisor: u64) -> (Vec<u64>, u64) {
    let mut quotient = vec![0; dividend.len()];
    let mut rest = 0u128;
    for (index, &word) in dividend.iter().enumerate().rev() {
        let head = rest << 64 | u128::from(word);
        quotient[index] = (head / u128::from(divisor)) as u64;
        rest = head % u128::from(divisor);
    }
    (quotient, rest as u64)
}
