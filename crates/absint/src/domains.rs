//! The domains of machine integers, one file each, and their reduced product.
//!
//! An [`Int`] is a set of bit-vectors of one width (1 to 64; wider ones have no domain), described by several domains at
//! once. Each domain owns some of its fields, computes them for every operation, and *reduces*:
//! it tightens its fields by what the others know. A value is an `Int` only if the set is not empty;
//! where it would be, functions return none.
//!
//! ```text
//!   { x | umin <= x <= umax (unsigned),  smin <= x <= smax (signed),      interval.rs
//!         bits in `zeros` are 0, bits in `ones` are 1,                    bits.rs
//!         x = rest (mod step), unsigned; step 0: x = rest,                congruence.rs
//!         read as a float: low <= its place in the row <= high, or NaN }  float.rs
//! ```

mod bits;
pub mod compare;
mod concrete;
mod congruence;
mod float;
mod interval;
pub mod view;

use ir::syntax::{BinaryOp, CastOp, UnaryOp};

pub use concrete::{binary as concrete_binary, compare as concrete_compare};

/// One way of describing sets of integers. Its functions narrow `out`, which holds all that
/// earlier domains found for the result; `false` says that the set is empty.
trait Domain: Sync {
    /// A result of an operation on members of `a` and `b`.
    fn binary(&self, op: BinaryOp, a: &Int, b: &Int, out: &mut Int) -> bool;
    /// A result of an operation on members of `a`.
    fn unary(&self, op: UnaryOp, a: &Int, out: &mut Int) -> bool;
    /// A member of `a` converted to the width of `out`.
    fn cast(&self, op: CastOp, a: &Int, out: &mut Int) -> bool;
    /// Fields of the least description above both; `out` starts as the set of everything.
    fn join(&self, a: &Int, b: &Int, out: &mut Int);
    /// Fields above both `old` and `new`, of which there are only finitely many in a row.
    fn widen(&self, old: &Int, new: &Int, thresholds: &Thresholds, out: &mut Int);
    /// Tightens its own fields by those of the others.
    fn reduce(&self, x: &mut Int) -> bool;
    /// Is this a member, as far as its own fields say?
    fn contains(&self, x: &Int, value: u64) -> bool;
}

/// The registry: a domain is a file and a line here. The order is that of reduction.
macro_rules! domains {
    ($($domain:expr,)*) => {
        const DOMAINS: &[&dyn Domain] = &[$(&$domain),*];
    };
}

domains! {
    interval::Interval,
    bits::Bits,
    congruence::Congruence,
    float::Float,
}

/// A set of integers of one width. Fields are meant as the [module](self) draws them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Int {
    /// Width in bits, 1 to 64.
    pub width: u32,
    /// Least unsigned value.
    pub umin: u64,
    /// Greatest unsigned value.
    pub umax: u64,
    /// Least signed value.
    pub smin: i64,
    /// Greatest signed value.
    pub smax: i64,
    /// Bits known to be 0 (bits above the width are not in it).
    pub zeros: u64,
    /// Bits known to be 1.
    pub ones: u64,
    /// Modulus of the unsigned value: 1 says nothing, 0 a single value.
    pub step: u64,
    /// Remainder, below `step` unless that is 0.
    pub rest: u64,
    /// The first float, by its place among them; only of use where floats are followed.
    pub low: i64,
    /// The last float.
    pub high: i64,
    /// May it be a NaN?
    pub nan: bool,
}

/// Where widening stops on its way: constants of the program and their neighbours, sorted.
#[derive(Clone, Debug, Default)]
pub struct Thresholds {
    /// Read as unsigned numbers.
    pub unsigned: Vec<u64>,
    /// Read as signed numbers.
    pub signed: Vec<i64>,
}

/// All bits of a width.
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The low bits read as a signed number.
pub fn signed(value: u64, width: u32) -> i64 {
    let shift = 64 - width;
    ((value << shift) as i64) >> shift
}

/// The least signed number of a width.
pub fn smallest(width: u32) -> i64 {
    signed(1 << (width - 1), width)
}

/// The greatest signed number of a width.
pub fn greatest(width: u32) -> i64 {
    signed(mask(width) >> 1, width)
}

impl Thresholds {
    /// Thresholds at these constants, of any width, and beside them.
    pub fn new(constants: impl Iterator<Item = (u64, u32)>) -> Thresholds {
        let mut found = Thresholds::default();
        for (value, width) in constants {
            let number = signed(value, width);
            for near in [number.saturating_sub(1), number, number.saturating_add(1)] {
                found.signed.push(near);
                found.unsigned.push(near as u64 & mask(width));
            }
        }
        for width in [8, 16, 32, 64] {
            found
                .signed
                .extend([smallest(width), greatest(width), 0, -1]);
            found
                .unsigned
                .extend([mask(width), greatest(width) as u64, 0, 1]);
        }
        found.signed.sort_unstable();
        found.signed.dedup();
        found.unsigned.sort_unstable();
        found.unsigned.dedup();
        found
    }
}

impl Int {
    /// Every value of a width.
    pub fn top(width: u32) -> Int {
        assert!(
            (1..=64).contains(&width),
            "integers of {width} bits have no domain"
        );
        let (low, high, nan) = float::widest(width);
        Int {
            low,
            high,
            nan,
            width,
            umin: 0,
            umax: mask(width),
            smin: smallest(width),
            smax: greatest(width),
            zeros: 0,
            ones: 0,
            step: 1,
            rest: 0,
        }
    }

    /// One value.
    pub fn constant(value: u64, width: u32) -> Int {
        let value = value & mask(width);
        Int {
            umin: value,
            umax: value,
            smin: signed(value, width),
            smax: signed(value, width),
            zeros: !value & mask(width),
            ones: value,
            step: 0,
            rest: value,
            ..Int::top(width)
        }
    }

    /// The values from `low` to `high`, unsigned.
    pub fn between(low: u64, high: u64, width: u32) -> Option<Int> {
        let mut x = Int::top(width);
        x.umin = low;
        x.umax = high.min(mask(width));
        x.reduced()
    }

    /// The values from `low` to `high`, signed.
    pub fn between_signed(low: i64, high: i64, width: u32) -> Option<Int> {
        let mut x = Int::top(width);
        x.smin = low.max(x.smin);
        x.smax = high.min(x.smax);
        x.reduced()
    }

    /// The only member, if there is one.
    pub fn single(&self) -> Option<u64> {
        (self.umin == self.umax).then_some(self.umin)
    }

    /// Is nothing known?
    pub fn is_top(&self) -> bool {
        *self == Int::top(self.width)
    }

    /// Is this a member?
    pub fn contains(&self, value: u64) -> bool {
        DOMAINS.iter().all(|domain| domain.contains(self, value))
    }

    /// How many members the unsigned bounds allow, at most.
    pub fn count(&self) -> u128 {
        let span = u128::from(self.umax - self.umin);
        span / u128::from(self.step.max(1)) + 1
    }

    /// All domains told of each other; none if that shows that there is no member.
    pub fn reduced(mut self) -> Option<Int> {
        for _ in 0..8 {
            let before = self;
            if !DOMAINS.iter().all(|domain| domain.reduce(&mut self)) {
                return None;
            }
            if self == before {
                break;
            }
        }
        Some(self)
    }

    /// The least description above both.
    pub fn join(&self, other: &Int) -> Int {
        let mut out = Int::top(self.width);
        for domain in DOMAINS {
            domain.join(self, other, &mut out);
        }
        out.reduced().expect("a join has the members of both")
    }

    /// A description above both; in a row of such steps only finitely many differ.
    pub fn widen(&self, new: &Int, thresholds: &Thresholds) -> Int {
        let mut out = Int::top(self.width);
        for domain in DOMAINS {
            domain.widen(self, new, thresholds, &mut out);
        }
        out.reduced().expect("a widening has the members of both")
    }

    /// A description of what is in both; none if nothing is.
    pub fn meet(&self, other: &Int) -> Option<Int> {
        let mut out = *self;
        out.umin = out.umin.max(other.umin);
        out.umax = out.umax.min(other.umax);
        out.smin = out.smin.max(other.smin);
        out.smax = out.smax.min(other.smax);
        out.zeros |= other.zeros;
        out.ones |= other.ones;
        (out.step, out.rest) = congruence::meet((self.step, self.rest), (other.step, other.rest))?;
        out.low = out.low.max(other.low);
        out.high = out.high.min(other.high);
        out.nan &= other.nan;
        out.reduced()
    }

    /// Is every member of this one of the other, as far as the descriptions show?
    pub fn is_within(&self, other: &Int) -> bool {
        self.umin >= other.umin
            && self.umax <= other.umax
            && self.smin >= other.smin
            && self.smax <= other.smax
            && self.zeros & other.zeros == other.zeros
            && self.ones & other.ones == other.ones
            && congruence::is_within((self.step, self.rest), (other.step, other.rest))
            && float::is_within(self, other)
    }

    /// What an operation yields. Where an operand has no member, no execution comes, and anything is right.
    pub fn binary(op: BinaryOp, a: &Int, b: &Int) -> Int {
        if let (Some(left), Some(right)) = (a.single(), b.single())
            && let Some(value) = concrete::binary(op, left, right, a.width)
        {
            return Int::constant(value, a.width);
        }
        let mut out = Int::top(a.width);
        for domain in DOMAINS {
            if !domain.binary(op, a, b, &mut out) {
                return Int::top(a.width);
            }
        }
        out.reduced().unwrap_or_else(|| Int::top(a.width))
    }

    /// What an operation yields.
    pub fn unary(op: UnaryOp, a: &Int) -> Int {
        let mut out = Int::top(a.width);
        for domain in DOMAINS {
            if !domain.unary(op, a, &mut out) {
                return Int::top(a.width);
            }
        }
        out.reduced().unwrap_or_else(|| Int::top(a.width))
    }

    /// What a conversion between integers yields; anything for the others.
    pub fn cast(op: CastOp, a: &Int, width: u32) -> Int {
        let mut out = Int::top(width);
        for domain in DOMAINS {
            if !domain.cast(op, a, &mut out) {
                return Int::top(width);
            }
        }
        out.reduced().unwrap_or_else(|| Int::top(width))
    }
}

#[cfg(test)]
mod tests;
