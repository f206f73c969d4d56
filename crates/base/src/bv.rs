//! Bit-vector values of any width, with SMT-LIB's total meaning.
//!
//! A value up to 64 bits wide is one inline word; a wider one owns its words, least significant first.
//! The bits above the width are always zero, so that equality and hashing need no care:
//!
//! ```text
//!   width 8        [ 0 0 … 0 | b7 … b0 ]                       one inline word
//!   width 70       [ b63 … b0 ] [ 0 … 0 | b69 … b64 ]          boxed words
//! ```
//!
//! Operations never fail: they wrap modulo 2^width, division by zero gives all ones, the remainder by
//! zero gives the dividend, and a shift by the width or more gives zeros (or copies of the sign).
//! Operations on two values need equal widths; anything else is a bug of the caller and panics.

use std::cmp::Ordering;

/// A bit-vector value. See the [module](self) for its meaning.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bv {
    width: u32,
    bits: Bits,
}

/// The bits; `Wide` exactly when the width is above 64.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Bits {
    Small(u64),
    Wide(Box<[u64]>),
}

/// The widest value that can be made.
pub const MAX_WIDTH: u32 = 1 << 23;

/// A word with the low `width` bits set, for widths 1 to 64.
#[inline]
pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// How many words a value of this width has.
#[inline]
pub(crate) fn word_count(width: u32) -> usize {
    width.div_ceil(64) as usize
}

impl Bv {
    /// The value of this width whose word is `value`, modulo 2^width.
    #[inline]
    pub fn from_u64(value: u64, width: u32) -> Bv {
        check_width(width);
        if width <= 64 {
            return Bv {
                width,
                bits: Bits::Small(value & mask(width)),
            };
        }
        let mut words = vec![0; word_count(width)];
        words[0] = value;
        Bv {
            width,
            bits: Bits::Wide(words.into()),
        }
    }

    /// The value of this width that is congruent to `value`: negative numbers are sign extended.
    #[inline]
    pub fn from_i64(value: i64, width: u32) -> Bv {
        if width <= 64 {
            return Bv::from_u64(value as u64, width);
        }
        Bv::from_u64(value as u64, 64).sext(width)
    }

    /// The value of this width that is congruent to `value`.
    pub fn from_u128(value: u128, width: u32) -> Bv {
        Bv::from_words(&[value as u64, (value >> 64) as u64], width)
    }

    /// The value of this width that is congruent to `value`: negative numbers are sign extended.
    pub fn from_i128(value: i128, width: u32) -> Bv {
        Bv::from_u128(value as u128, 128).sext_or_trunc(width)
    }

    /// The value with these words, least significant first; missing words are zero, and bits above the width are dropped.
    pub fn from_words(words: &[u64], width: u32) -> Bv {
        check_width(width);
        if width <= 64 {
            return Bv::from_u64(words.first().copied().unwrap_or(0), width);
        }
        let mut own = vec![0; word_count(width)];
        let shared = words.len().min(own.len());
        own[..shared].copy_from_slice(&words[..shared]);
        Bv::from_vec(own, width)
    }

    /// Takes ownership of exactly the words of a wide value and clears the bits above its width.
    pub(crate) fn from_vec(mut words: Vec<u64>, width: u32) -> Bv {
        debug_assert!(width > 64 && words.len() == word_count(width));
        if width % 64 != 0 {
            let top = words.len() - 1;
            words[top] &= mask(width % 64);
        }
        Bv {
            width,
            bits: Bits::Wide(words.into()),
        }
    }

    /// `1` for true and `0` for false, one bit wide.
    #[inline]
    pub fn from_bool(value: bool) -> Bv {
        Bv::from_u64(u64::from(value), 1)
    }

    /// Zero.
    #[inline]
    pub fn zero(width: u32) -> Bv {
        Bv::from_u64(0, width)
    }

    /// One.
    #[inline]
    pub fn one(width: u32) -> Bv {
        Bv::from_u64(1, width)
    }

    /// All bits set: the greatest unsigned value, and minus one.
    #[inline]
    pub fn ones(width: u32) -> Bv {
        Bv::from_i64(-1, width)
    }

    /// The least signed value: only the sign bit is set.
    pub fn int_min(width: u32) -> Bv {
        let mut value = Bv::zero(width);
        value.set_bit(width - 1);
        value
    }

    /// The greatest signed value: all bits but the sign are set.
    pub fn int_max(width: u32) -> Bv {
        Bv::int_min(width).not()
    }

    /// The width in bits.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The words, least significant first; bits above the width are zero.
    #[inline]
    pub fn words(&self) -> &[u64] {
        match &self.bits {
            Bits::Small(word) => std::slice::from_ref(word),
            Bits::Wide(words) => words,
        }
    }

    /// The single word of a value of at most 64 bits.
    #[inline]
    pub(crate) fn small(&self) -> Option<u64> {
        match self.bits {
            Bits::Small(word) => Some(word),
            Bits::Wide(_) => None,
        }
    }

    /// The unsigned value, if it fits in 64 bits.
    #[inline]
    pub fn to_u64(&self) -> Option<u64> {
        match &self.bits {
            Bits::Small(word) => Some(*word),
            Bits::Wide(words) => words[1..].iter().all(|&word| word == 0).then(|| words[0]),
        }
    }

    /// The signed value, if it fits in 64 bits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.bits {
            Bits::Small(word) => Some(sign_extend(*word, self.width)),
            Bits::Wide(words) => {
                let low = words[0] as i64;
                (Bv::from_i64(low, self.width) == *self).then_some(low)
            }
        }
    }

    /// The unsigned value, if it fits in 128 bits.
    pub fn to_u128(&self) -> Option<u128> {
        let words = self.words();
        let high = words.get(1).copied().unwrap_or(0);
        let fits = words.iter().skip(2).all(|&word| word == 0);
        fits.then(|| u128::from(words[0]) | u128::from(high) << 64)
    }

    /// The lowest 64 bits, zero extended if the value is narrower.
    #[inline]
    pub fn low_u64(&self) -> u64 {
        self.words()[0]
    }

    /// Whether this is zero.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.words().iter().all(|&word| word == 0)
    }

    /// Whether this is one.
    #[inline]
    pub fn is_one(&self) -> bool {
        self.to_u64() == Some(1)
    }

    /// Whether all bits are set.
    #[inline]
    pub fn is_ones(&self) -> bool {
        match &self.bits {
            Bits::Small(word) => *word == mask(self.width),
            Bits::Wide(_) => self.count_ones() == self.width,
        }
    }

    /// Whether this is the least signed value.
    #[inline]
    pub fn is_int_min(&self) -> bool {
        match &self.bits {
            Bits::Small(word) => *word == 1 << (self.width - 1),
            Bits::Wide(_) => self.is_negative() && self.count_ones() == 1,
        }
    }

    /// Whether the sign bit is set.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.bit(self.width - 1)
    }

    /// The exponent, if this is a power of two.
    pub fn log2_exact(&self) -> Option<u32> {
        (self.count_ones() == 1).then(|| self.trailing_zeros())
    }

    /// Bit `index`, counted from the least significant.
    #[inline]
    pub fn bit(&self, index: u32) -> bool {
        assert!(
            index < self.width,
            "bit {index} of a value of {} bits",
            self.width
        );
        self.words()[(index / 64) as usize] >> (index % 64) & 1 == 1
    }

    pub(crate) fn set_bit(&mut self, index: u32) {
        match &mut self.bits {
            Bits::Small(word) => *word |= 1 << index,
            Bits::Wide(words) => words[(index / 64) as usize] |= 1 << (index % 64),
        }
    }

    /// How many bits are set.
    pub fn count_ones(&self) -> u32 {
        self.words().iter().map(|word| word.count_ones()).sum()
    }

    /// How many bits above the highest set one are clear; the width for zero.
    pub fn leading_zeros(&self) -> u32 {
        let words = self.words();
        let unused = words.len() as u32 * 64 - self.width;
        match words.iter().rposition(|&word| word != 0) {
            Some(top) => (words.len() - 1 - top) as u32 * 64 + words[top].leading_zeros() - unused,
            None => self.width,
        }
    }

    /// How many bits below the lowest set one are clear; the width for zero.
    pub fn trailing_zeros(&self) -> u32 {
        let words = self.words();
        match words.iter().position(|&word| word != 0) {
            Some(low) => low as u32 * 64 + words[low].trailing_zeros(),
            None => self.width,
        }
    }

    /// Bitwise conjunction.
    #[inline]
    pub fn and(&self, other: &Bv) -> Bv {
        self.zip(other, |a, b| a & b)
    }

    /// Bitwise disjunction.
    #[inline]
    pub fn or(&self, other: &Bv) -> Bv {
        self.zip(other, |a, b| a | b)
    }

    /// Bitwise exclusive disjunction.
    #[inline]
    pub fn xor(&self, other: &Bv) -> Bv {
        self.zip(other, |a, b| a ^ b)
    }

    /// Bitwise negation.
    #[inline]
    #[allow(
        clippy::should_implement_trait,
        reason = "operations are methods on references, for every operator alike"
    )]
    pub fn not(&self) -> Bv {
        match &self.bits {
            Bits::Small(word) => Bv {
                width: self.width,
                bits: Bits::Small(!word & mask(self.width)),
            },
            Bits::Wide(words) => Bv::from_vec(words.iter().map(|word| !word).collect(), self.width),
        }
    }

    #[inline]
    fn zip(&self, other: &Bv, f: impl Fn(u64, u64) -> u64) -> Bv {
        self.check_same(other);
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => Bv {
                width: self.width,
                bits: Bits::Small(f(*a, *b)),
            },
            _ => {
                let words = self
                    .words()
                    .iter()
                    .zip(other.words())
                    .map(|(&a, &b)| f(a, b));
                Bv::from_vec(words.collect(), self.width)
            }
        }
    }

    /// Unsigned `<`.
    #[inline]
    pub fn ult(&self, other: &Bv) -> bool {
        self.unsigned_cmp(other) == Ordering::Less
    }

    /// Unsigned `<=`.
    #[inline]
    pub fn ule(&self, other: &Bv) -> bool {
        self.unsigned_cmp(other) != Ordering::Greater
    }

    /// Unsigned `>`.
    #[inline]
    pub fn ugt(&self, other: &Bv) -> bool {
        other.ult(self)
    }

    /// Unsigned `>=`.
    #[inline]
    pub fn uge(&self, other: &Bv) -> bool {
        other.ule(self)
    }

    /// Signed `<`.
    #[inline]
    pub fn slt(&self, other: &Bv) -> bool {
        self.signed_cmp(other) == Ordering::Less
    }

    /// Signed `<=`.
    #[inline]
    pub fn sle(&self, other: &Bv) -> bool {
        self.signed_cmp(other) != Ordering::Greater
    }

    /// Signed `>`.
    #[inline]
    pub fn sgt(&self, other: &Bv) -> bool {
        other.slt(self)
    }

    /// Signed `>=`.
    #[inline]
    pub fn sge(&self, other: &Bv) -> bool {
        other.sle(self)
    }

    /// The order of the unsigned values.
    #[inline]
    pub fn unsigned_cmp(&self, other: &Bv) -> Ordering {
        self.check_same(other);
        match (&self.bits, &other.bits) {
            (Bits::Small(a), Bits::Small(b)) => a.cmp(b),
            _ => self.words().iter().rev().cmp(other.words().iter().rev()),
        }
    }

    /// The order of the signed values.
    #[inline]
    pub fn signed_cmp(&self, other: &Bv) -> Ordering {
        self.check_same(other);
        match (self.is_negative(), other.is_negative()) {
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            (true, true) | (false, false) => self.unsigned_cmp(other),
        }
    }

    /// Widens with zeros to `width`, which is at least this value's.
    #[inline]
    pub fn zext(&self, width: u32) -> Bv {
        assert!(
            width >= self.width,
            "zext of {} bits to {width}",
            self.width
        );
        Bv::from_words(self.words(), width)
    }

    /// Widens with copies of the sign bit to `width`, which is at least this value's.
    #[inline]
    pub fn sext(&self, width: u32) -> Bv {
        assert!(
            width >= self.width,
            "sext of {} bits to {width}",
            self.width
        );
        if let (Some(word), true) = (self.small(), width <= 64) {
            return Bv::from_u64(sign_extend(word, self.width) as u64, width);
        }
        if width == self.width || !self.is_negative() {
            return self.zext(width);
        }
        let mut words = vec![u64::MAX; word_count(width)];
        words[..self.words().len()].copy_from_slice(self.words());
        if self.width % 64 != 0 {
            words[self.words().len() - 1] |= !mask(self.width % 64);
        }
        Bv::from_vec(words, width)
    }

    /// The lowest `width` bits, of which there are at least that many.
    #[inline]
    pub fn trunc(&self, width: u32) -> Bv {
        assert!(
            width <= self.width,
            "trunc of {} bits to {width}",
            self.width
        );
        Bv::from_words(self.words(), width)
    }

    /// Zero extension or truncation to `width`, whichever it takes.
    #[inline]
    pub fn zext_or_trunc(&self, width: u32) -> Bv {
        Bv::from_words(self.words(), width)
    }

    /// Sign extension or truncation to `width`, whichever it takes.
    #[inline]
    pub fn sext_or_trunc(&self, width: u32) -> Bv {
        if width > self.width {
            self.sext(width)
        } else {
            self.trunc(width)
        }
    }

    /// Bits `hi` down to `lo`, both included.
    #[inline]
    pub fn extract(&self, hi: u32, lo: u32) -> Bv {
        assert!(
            lo <= hi && hi < self.width,
            "extract {hi} {lo} of {} bits",
            self.width
        );
        let width = hi - lo + 1;
        if let Some(word) = self.small() {
            return Bv::from_u64(word >> lo, width);
        }
        let words: Vec<u64> = shifted_right(self.words(), lo, word_count(width)).collect();
        Bv::from_words(&words, width)
    }

    /// This value's bits above `low`'s bits.
    #[inline]
    pub fn concat(&self, low: &Bv) -> Bv {
        let width = self.width + low.width;
        if width <= 64 {
            return Bv::from_u64(self.low_u64() << low.width | low.low_u64(), width);
        }
        let shifted = self.zext(width).shl_by(low.width);
        shifted.or(&low.zext(width))
    }

    #[inline]
    pub(crate) fn check_same(&self, other: &Bv) {
        assert!(
            self.width == other.width,
            "widths {} and {} differ",
            self.width,
            other.width
        );
    }
}

/// The words of `words >> amount`, `count` of them.
pub(crate) fn shifted_right(
    words: &[u64],
    amount: u32,
    count: usize,
) -> impl Iterator<Item = u64> + '_ {
    let (skip, bits) = ((amount / 64) as usize, amount % 64);
    let word = move |index: usize| words.get(index).copied().unwrap_or(0);
    (0..count).map(move |index| match bits {
        0 => word(index + skip),
        _ => word(index + skip) >> bits | word(index + skip + 1) << (64 - bits),
    })
}

/// The signed value of the low `width` bits of a word.
#[inline]
pub(crate) fn sign_extend(word: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (word << unused) as i64 >> unused
}

#[inline]
fn check_width(width: u32) {
    assert!(
        (1..=MAX_WIDTH).contains(&width),
        "bit-vector width {width} is not in 1..={MAX_WIDTH}"
    );
}

impl PartialOrd for Bv {
    fn partial_cmp(&self, other: &Bv) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By width, then by unsigned value; a total order for tables, not a logical one.
impl Ord for Bv {
    fn cmp(&self, other: &Bv) -> Ordering {
        self.width
            .cmp(&other.width)
            .then_with(|| self.unsigned_cmp(other))
    }
}
