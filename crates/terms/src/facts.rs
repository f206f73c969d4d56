//! Facts: known bits and intervals of bit-vector terms up to 64 bits.
//!
//! A fact over-approximates the values of a term whatever its variables are:
//!
//! ```text
//!   zeros, ones     bits that are always 0, always 1
//!   umin ..= umax   the unsigned values
//!   smin ..= smax   the signed values
//! ```
//!
//! A node's fact is computed once, from its arguments' facts, when the node is made; since arguments exist before, no
//! walk is needed. Most terms have nothing to tell and share fact zero, and the others share few distinct facts, so a
//! node keeps a 21-bit number. Rules read facts to decide comparisons, to drop masks and to rule out overflow.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::arena::{Draft, Term, Terms};
use crate::op::Op;
use crate::sort::Sort;
use crate::values;

/// What is known of a bit-vector term of at most 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fact {
    /// The width.
    pub width: u32,
    /// Bits that are always zero.
    pub zeros: u64,
    /// Bits that are always one.
    pub ones: u64,
    /// The least unsigned value.
    pub umin: u64,
    /// The greatest unsigned value.
    pub umax: u64,
    /// The least signed value.
    pub smin: i64,
    /// The greatest signed value.
    pub smax: i64,
    /// The number of its value set; zero if the values are not known one by one. See [`crate::values`].
    pub(crate) set: u32,
}

/// The distinct facts of an arena. Number zero stands for knowing nothing.
pub(crate) struct FactTable {
    facts: Vec<Fact>,
    ids: HashMap<Fact, u32, FxBuildHasher>,
    sets: Vec<Box<[u64]>>,
    set_ids: HashMap<Box<[u64]>, u32, FxBuildHasher>,
}

/// More distinct value sets than this are not kept.
const MOST_SETS: usize = 1 << 20;

/// More distinct facts than this are not kept: the table must stay small beside the nodes.
const MOST_FACTS: usize = (1 << 21) - 1;

impl FactTable {
    pub(crate) fn new() -> FactTable {
        FactTable {
            facts: Vec::new(),
            ids: HashMap::default(),
            sets: Vec::new(),
            set_ids: HashMap::default(),
        }
    }

    /// The values of the term with this fact, if they are known one by one.
    #[inline]
    pub(crate) fn values(&self, fact: u32) -> Option<&[u64]> {
        let set = self.facts.get((fact as usize).checked_sub(1)?)?.set as usize;
        self.sets.get(set.checked_sub(1)?).map(|values| &**values)
    }

    /// The fact of a term that has exactly these values, ascending; nothing for more sets than are kept.
    pub(crate) fn of_values(&mut self, values: &[u64], width: u32) -> Option<Fact> {
        let set = match self.set_ids.get(values) {
            Some(&set) => set,
            None if self.sets.len() >= MOST_SETS => return None,
            None => {
                self.sets.push(values.into());
                let set = self.sets.len() as u32;
                self.set_ids.insert(values.into(), set);
                set
            }
        };
        let (first, last) = (*values.first()?, *values.last()?);
        let numbers = || values.iter().map(|&value| signed(value, width));
        Some(Fact {
            width,
            zeros: !values.iter().fold(0, |all, value| all | value) & mask(width),
            ones: values.iter().fold(mask(width), |all, value| all & value),
            umin: first,
            umax: last,
            smin: numbers().min()?,
            smax: numbers().max()?,
            set,
        })
    }

    #[inline]
    pub(crate) fn intern(&mut self, fact: Option<Fact>) -> u32 {
        let Some(fact) = fact else { return 0 };
        if let Some(&id) = self.ids.get(&fact) {
            return id;
        }
        if self.facts.len() >= MOST_FACTS {
            return 0;
        }
        self.facts.push(fact);
        let id = self.facts.len() as u32;
        self.ids.insert(fact, id);
        id
    }
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

fn signed(word: u64, width: u32) -> i64 {
    let unused = 64 - width;
    (word << unused) as i64 >> unused
}

impl Terms {
    /// What is known of a term about to be made.
    #[inline]
    pub(crate) fn fact_of(&mut self, draft: &Draft) -> Option<Fact> {
        let Sort::BitVec(width @ 1..=64) = draft.sort else {
            return None;
        };
        let from_values =
            values::of_draft(self, draft).and_then(|values| self.facts.of_values(&values, width));
        from_values.or_else(|| Fact::of_draft(self, draft))
    }

    /// What is known of a bit-vector term; `None` above 64 bits and for other sorts.
    pub fn fact(&self, t: Term) -> Option<Fact> {
        let Sort::BitVec(width @ 1..=64) = self.sort(t) else {
            return None;
        };
        Some(match self.op(t) {
            Op::BvConst(bits) => Fact::constant(bits.word(), width),
            _ => match self.fact_id(t) {
                0 => Fact::top(width),
                id => self.facts.facts[id as usize - 1],
            },
        })
    }

    /// Whether nothing beyond the sort is known of a term.
    #[inline]
    pub(crate) fn has_fact(&self, t: Term) -> bool {
        self.fact_id(t) != 0 || matches!(self.op(t), Op::BvConst(_))
    }
}

impl Terms {
    /// How many low bits of a bit-vector are certainly zero; a cheap look at the top of the term.
    pub fn trailing_zeros(&self, term: Term) -> u32 {
        let width = self.width(term);
        // Depth-limited: a conservative answer is 0.
        fn look(terms: &Terms, term: Term, depth: u32) -> u32 {
            let width = terms.width(term);
            if let Some(value) = terms.as_bv(term) {
                return if value.is_zero() {
                    width
                } else {
                    value.trailing_zeros()
                };
            }
            if depth == 0 {
                return 0;
            }
            let args = terms.args(term);
            let sub = |index: usize| look(terms, args[index], depth - 1);
            match terms.op(term) {
                Op::Add | Op::Sub | Op::BvOr | Op::BvXor => sub(0).min(sub(1)),
                Op::Mul => (sub(0) + sub(1)).min(width),
                Op::Neg | Op::Zext | Op::Sext => sub(0),
                Op::BvAnd => sub(0).max(sub(1)),
                Op::Shl => match terms.as_u64(args[1]) {
                    Some(amount) => (sub(0) as u64 + amount).min(width as u64) as u32,
                    None => sub(0),
                },
                Op::Concat => {
                    let low = sub(1);
                    let low_width = terms.width(args[1]);
                    if low == low_width { low + sub(0) } else { low }
                }
                Op::Ite => sub(1).min(sub(2)),
                _ => 0,
            }
        }
        look(self, term, 12).min(width)
    }
}

impl Fact {
    /// Nothing is known.
    pub fn top(width: u32) -> Fact {
        let half = 1u64 << (width - 1);
        let smin = signed(half, width);
        Fact {
            width,
            zeros: 0,
            ones: 0,
            umin: 0,
            umax: mask(width),
            smin,
            smax: signed(half - 1, width),
            set: 0,
        }
    }

    /// Exactly one value.
    pub fn constant(word: u64, width: u32) -> Fact {
        let value = signed(word, width);
        Fact {
            width,
            zeros: !word & mask(width),
            ones: word,
            umin: word,
            umax: word,
            smin: value,
            smax: value,
            set: 0,
        }
    }

    /// Whether the value is possible.
    pub fn contains(&self, word: u64) -> bool {
        let value = signed(word, self.width);
        word & self.zeros == 0
            && !word & self.ones == 0
            && (self.umin..=self.umax).contains(&word)
            && (self.smin..=self.smax).contains(&value)
    }

    /// The value, if only one is possible.
    pub fn single(&self) -> Option<u64> {
        (self.umin == self.umax).then_some(self.umin)
    }

    /// Whether no value is possible for both, so that the two terms differ.
    pub fn disjoint(&self, other: &Fact) -> bool {
        self.zeros & other.ones != 0
            || self.ones & other.zeros != 0
            || self.umax < other.umin
            || other.umax < self.umin
            || self.smax < other.smin
            || other.smax < self.smin
    }

    fn bits(width: u32, zeros: u64, ones: u64) -> Fact {
        Fact {
            zeros: zeros & mask(width),
            ones: ones & mask(width),
            ..Fact::top(width)
        }
    }

    fn with_unsigned(mut self, umin: u64, umax: u64) -> Fact {
        self.umin = self.umin.max(umin);
        self.umax = self.umax.min(umax);
        self
    }

    fn with_signed(mut self, smin: i128, smax: i128) -> Fact {
        let all = Fact::top(self.width);
        if smin >= i128::from(all.smin) && smax <= i128::from(all.smax) {
            self.smin = self.smin.max(smin as i64);
            self.smax = self.smax.min(smax as i64);
        }
        self
    }

    /// Lets bits and intervals inform each other; `None` if nothing is known in the end.
    fn settle(mut self) -> Option<Fact> {
        let width = self.width;
        let sign = 1u64 << (width - 1);
        for _ in 0..2 {
            // Intervals of one sign say the same of signed and unsigned values.
            if self.smin >= 0 || self.umax < sign {
                self = self.with_unsigned(self.smin.max(0) as u64, self.smax.max(0) as u64);
                self = self.with_signed(i128::from(self.umin), i128::from(self.umax));
            } else if self.smax < 0 || self.umin >= sign {
                let (low, high) = (
                    self.smin as u64 & mask(width),
                    self.smax.min(-1) as u64 & mask(width),
                );
                self = self.with_unsigned(low, high);
                self = self.with_signed(
                    i128::from(signed(self.umin, width)),
                    i128::from(signed(self.umax, width)),
                );
            }
            self = self.with_unsigned(self.ones, !self.zeros & mask(width));
            let least = self.ones | if self.zeros & sign == 0 { sign } else { 0 };
            let greatest =
                !self.zeros & mask(width) & !(if self.ones & sign == 0 { sign } else { 0 });
            self = self.with_signed(
                i128::from(signed(least, width)),
                i128::from(signed(greatest, width)),
            );
            // Leading bits in which the two ends agree.
            let differ = self.umin ^ self.umax;
            let known = if differ == 0 {
                u64::MAX
            } else {
                !(u64::MAX >> differ.leading_zeros())
            };
            self.ones |= self.umin & known & mask(width);
            self.zeros |= !self.umin & known & mask(width);
        }
        (self != Fact::top(width)).then_some(self)
    }

    /// What is known of a term about to be made, from its arguments' facts.
    pub(crate) fn of_draft(terms: &Terms, draft: &Draft) -> Option<Fact> {
        let Sort::BitVec(width @ 1..=64) = draft.sort else {
            return None;
        };
        let [a, b, c] = draft.args;
        let one = |t: Term| terms.has_fact(t).then(|| terms.fact(t)).flatten();
        // Either argument, if at least one of them has something to tell.
        let two = |x: Term, y: Term| {
            (terms.has_fact(x) || terms.has_fact(y))
                .then(|| Some((terms.fact(x)?, terms.fact(y)?)))
                .flatten()
        };
        let fact = match draft.op {
            Op::Ite => {
                let (x, y) = (one(b)?, one(c)?);
                Fact {
                    width,
                    zeros: x.zeros & y.zeros,
                    ones: x.ones & y.ones,
                    umin: x.umin.min(y.umin),
                    umax: x.umax.max(y.umax),
                    smin: x.smin.min(y.smin),
                    smax: x.smax.max(y.smax),
                    set: 0,
                }
            }
            Op::BvNot => {
                let x = one(a)?;
                let all = mask(width);
                Fact::bits(width, x.ones, x.zeros)
                    .with_unsigned(!x.umax & all, !x.umin & all)
                    .with_signed(-1 - i128::from(x.smax), -1 - i128::from(x.smin))
            }
            Op::BvAnd => {
                let (x, y) = two(a, b)?;
                Fact::bits(width, x.zeros | y.zeros, x.ones & y.ones)
                    .with_unsigned(0, x.umax.min(y.umax))
            }
            Op::BvOr => {
                let (x, y) = two(a, b)?;
                Fact::bits(width, x.zeros & y.zeros, x.ones | y.ones)
                    .with_unsigned(x.umin.max(y.umin), u64::MAX)
            }
            Op::BvXor => {
                let (x, y) = two(a, b)?;
                Fact::bits(
                    width,
                    x.zeros & y.zeros | x.ones & y.ones,
                    x.zeros & y.ones | x.ones & y.zeros,
                )
            }
            Op::Neg => difference(&Fact::constant(0, width), &one(a)?),
            Op::Add => {
                let (x, y) = two(a, b)?;
                sum(&x, &y)
            }
            Op::Sub => {
                let (x, y) = two(a, b)?;
                difference(&x, &y)
            }
            Op::Mul => {
                let (x, y) = two(a, b)?;
                product(&x, &y)
            }
            Op::Udiv => {
                let (x, y) = two(a, b)?;
                if y.umin == 0 {
                    return None;
                }
                Fact::top(width).with_unsigned(x.umin / y.umax, x.umax / y.umin)
            }
            Op::Urem => {
                let (x, y) = two(a, b)?;
                let below = if y.umin > 0 { y.umax - 1 } else { u64::MAX };
                Fact::top(width).with_unsigned(0, x.umax.min(below))
            }
            Op::Sdiv => {
                let (x, y) = two(a, b)?;
                if y.smin <= 0 {
                    return None;
                }
                let ends = [
                    x.smin / y.smin,
                    x.smin / y.smax,
                    x.smax / y.smin,
                    x.smax / y.smax,
                ];
                let (low, high) = (
                    ends.iter().min().expect("four"),
                    ends.iter().max().expect("four"),
                );
                Fact::top(width).with_signed(i128::from(*low), i128::from(*high))
            }
            Op::Srem => {
                let (x, y) = two(a, b)?;
                let largest = i128::from(y.smin).abs().max(i128::from(y.smax).abs()) - 1;
                let has_zero = y.smin <= 0 && y.smax >= 0;
                let bound = if has_zero { i128::MAX } else { largest };
                let low = i128::from(x.smin).min(0).max(-bound);
                let high = i128::from(x.smax).max(0).min(bound);
                Fact::top(width).with_signed(low, high)
            }
            Op::Shl => {
                let (x, y) = two(a, b)?;
                let amount = y.single().filter(|&amount| amount < u64::from(width))? as u32;
                let low = (1u64 << amount) - 1;
                let fact = Fact::bits(width, x.zeros << amount | low, x.ones << amount);
                let fact = match x.umax.leading_zeros() >= 64 - width + amount {
                    true => fact.with_unsigned(x.umin << amount, x.umax << amount),
                    false => fact,
                };
                fact.with_signed(i128::from(x.smin) << amount, i128::from(x.smax) << amount)
            }
            Op::Lshr => {
                let (x, y) = two(a, b)?;
                match y.single().filter(|&amount| amount < u64::from(width)) {
                    Some(amount) => {
                        let high = !(mask(width) >> amount);
                        Fact::bits(width, x.zeros >> amount | high, x.ones >> amount)
                            .with_unsigned(x.umin >> amount, x.umax >> amount)
                    }
                    None => Fact::top(width).with_unsigned(0, x.umax),
                }
            }
            Op::Ashr => {
                let (x, y) = two(a, b)?;
                let least = y.umin.min(63);
                let ends = [x.smin >> least, x.smin >> 63, x.smax >> least, x.smax >> 63];
                let (low, high) = (
                    ends.iter().min().expect("four"),
                    ends.iter().max().expect("four"),
                );
                let fact = match y.single().filter(|&amount| amount < u64::from(width)) {
                    Some(amount) => {
                        let shift = |bits: u64| (signed(bits, width) >> amount) as u64;
                        Fact::bits(width, shift(x.zeros), shift(x.ones))
                    }
                    None => Fact::top(width),
                };
                fact.with_signed(i128::from(*low), i128::from(*high))
            }
            Op::Concat => {
                let (x, y) = two(a, b)?;
                let join = |high: u64, low: u64| high << y.width | low;
                Fact::bits(width, join(x.zeros, y.zeros), join(x.ones, y.ones))
                    .with_unsigned(join(x.umin, y.umin), join(x.umax, y.umax))
            }
            Op::Extract { hi, lo } => {
                let x = one(a)?;
                let fact = Fact::bits(width, x.zeros >> lo, x.ones >> lo);
                let nothing_above = hi + 1 == x.width || x.umax >> (hi + 1) == 0;
                let fact = if nothing_above {
                    fact.with_unsigned(x.umin >> lo, x.umax >> lo)
                } else {
                    fact
                };
                if lo == 0 {
                    fact.with_signed(i128::from(x.smin), i128::from(x.smax))
                } else {
                    fact
                }
            }
            Op::Zext => {
                let x = terms.fact(a)?;
                Fact::bits(width, x.zeros | !mask(x.width), x.ones).with_unsigned(x.umin, x.umax)
            }
            Op::Sext => {
                let x = terms.fact(a)?;
                let extend = |bits: u64| signed(bits, x.width) as u64;
                Fact::bits(width, extend(x.zeros), extend(x.ones))
                    .with_signed(i128::from(x.smin), i128::from(x.smax))
            }
            _ => return None,
        };
        fact.settle()
    }
}

/// The known bits of `x + y + carry`: a bit is known where the bits and the carry into it are, and the carry is known
/// where the least and the greatest sum agree on it.
fn sum_bits(x: &Fact, y_zeros: u64, y_ones: u64, carry: u64) -> (u64, u64) {
    let all = mask(x.width);
    let most = (!x.zeros & all)
        .wrapping_add(!y_zeros & all)
        .wrapping_add(carry);
    let least = x.ones.wrapping_add(y_ones).wrapping_add(carry);
    let carry_zero = !(most ^ x.zeros ^ y_zeros ^ all ^ all);
    let carry_one = least ^ x.ones ^ y_ones;
    // In `most`, operands are the complements of the zeros; xoring two complements gives the xor of the zeros.
    let known = (x.zeros | x.ones) & (y_zeros | y_ones) & (carry_zero | carry_one) & all;
    (!most & known, least & known)
}

fn sum(x: &Fact, y: &Fact) -> Fact {
    let (zeros, ones) = sum_bits(x, y.zeros, y.ones, 0);
    let fact = Fact::bits(x.width, zeros, ones);
    let limit = u128::from(mask(x.width));
    let (low, high) = (
        u128::from(x.umin) + u128::from(y.umin),
        u128::from(x.umax) + u128::from(y.umax),
    );
    let fact = if high <= limit {
        fact.with_unsigned(low as u64, high as u64)
    } else if low > limit {
        fact.with_unsigned((low - limit - 1) as u64, (high - limit - 1) as u64)
    } else {
        fact
    };
    fact.with_signed(
        i128::from(x.smin) + i128::from(y.smin),
        i128::from(x.smax) + i128::from(y.smax),
    )
}

fn difference(x: &Fact, y: &Fact) -> Fact {
    // x - y = x + not y + 1, and the complement's zeros are y's ones.
    let (zeros, ones) = sum_bits(x, y.ones, y.zeros, 1);
    let fact = Fact::bits(x.width, zeros, ones);
    let fact = if x.umin >= y.umax {
        fact.with_unsigned(x.umin - y.umax, x.umax - y.umin)
    } else if x.umax < y.umin {
        let all = mask(x.width);
        fact.with_unsigned(
            x.umin.wrapping_sub(y.umax) & all,
            x.umax.wrapping_sub(y.umin) & all,
        )
    } else {
        fact
    };
    fact.with_signed(
        i128::from(x.smin) - i128::from(y.smax),
        i128::from(x.smax) - i128::from(y.smin),
    )
}

fn product(x: &Fact, y: &Fact) -> Fact {
    let low_zeros = |fact: &Fact| (!fact.zeros).trailing_zeros();
    let zeros = (low_zeros(x) + low_zeros(y)).min(x.width);
    let fact = Fact::bits(x.width, if zeros == 0 { 0 } else { mask(zeros) }, 0);
    let high = u128::from(x.umax) * u128::from(y.umax);
    let fact = match high <= u128::from(mask(x.width)) {
        true => fact.with_unsigned(x.umin * y.umin, high as u64),
        false => fact,
    };
    let ends = [
        (x.smin, y.smin),
        (x.smin, y.smax),
        (x.smax, y.smin),
        (x.smax, y.smax),
    ];
    let ends = ends.map(|(a, b)| i128::from(a) * i128::from(b));
    let (low, high) = (
        ends.iter().min().expect("four"),
        ends.iter().max().expect("four"),
    );
    fact.with_signed(*low, *high)
}
