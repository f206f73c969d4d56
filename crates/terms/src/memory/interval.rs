//! Intervals of offsets: what an offset may be, from a least to a greatest number.

use crate::arena::{Term, Terms};

/// A set of offsets, ordered by inclusion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Interval {
    /// None.
    Bottom,
    /// From the first to the second, both included.
    Range(u128, u128),
    /// Any.
    Top,
}

impl Interval {
    /// One offset.
    pub fn single(offset: u64) -> Interval {
        Interval::Range(offset.into(), offset.into())
    }

    /// What a term may be, as an unsigned number.
    pub fn of(terms: &Terms, offset: Term) -> Interval {
        match terms.fact(offset) {
            Some(fact) if fact.umin > 0 || fact.umax < u64::MAX >> (64 - fact.width) => {
                Interval::Range(fact.umin.into(), fact.umax.into())
            }
            _ => Interval::Top,
        }
    }

    /// Is the number in the set?
    pub fn contains(self, offset: u128) -> bool {
        match self {
            Interval::Bottom => false,
            Interval::Range(low, high) => (low..=high).contains(&offset),
            Interval::Top => true,
        }
    }

    /// Is the set a part of another one?
    pub fn is_in(self, other: Interval) -> bool {
        match (self, other) {
            (Interval::Bottom, _) | (_, Interval::Top) => true,
            (_, Interval::Bottom) | (Interval::Top, _) => false,
            (Interval::Range(a, b), Interval::Range(c, d)) => c <= a && b <= d,
        }
    }

    /// The least interval with what is in either.
    pub fn join(self, other: Interval) -> Interval {
        match (self, other) {
            (Interval::Bottom, x) | (x, Interval::Bottom) => x,
            (Interval::Top, _) | (_, Interval::Top) => Interval::Top,
            (Interval::Range(a, b), Interval::Range(c, d)) => Interval::Range(a.min(c), b.max(d)),
        }
    }

    /// What is in both.
    pub fn meet(self, other: Interval) -> Interval {
        match (self, other) {
            (Interval::Bottom, _) | (_, Interval::Bottom) => Interval::Bottom,
            (Interval::Top, x) | (x, Interval::Top) => x,
            (Interval::Range(a, b), Interval::Range(c, d)) => {
                let (low, high) = (a.max(c), b.min(d));
                match low <= high {
                    true => Interval::Range(low, high),
                    false => Interval::Bottom,
                }
            }
        }
    }

    /// The sums of what is in the two, as numbers that do not wrap around. Nothing plus anything is nothing.
    pub fn plus(self, other: Interval) -> Interval {
        match (self, other) {
            (Interval::Bottom, _) | (_, Interval::Bottom) => Interval::Bottom,
            (Interval::Top, _) | (_, Interval::Top) => Interval::Top,
            (Interval::Range(a, b), Interval::Range(c, d)) => {
                match (a.checked_add(c), b.checked_add(d)) {
                    (Some(low), Some(high)) => Interval::Range(low, high),
                    _ => Interval::Top,
                }
            }
        }
    }

    /// The same modulo 2^width: anything if some of it wraps around.
    pub fn modulo(self, width: u32) -> Interval {
        match self {
            Interval::Range(_, high) if width < 128 && high >> width != 0 => Interval::Top,
            other => other,
        }
    }
}
