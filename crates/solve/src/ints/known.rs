//! What a constraint says about values: bounds by constants, under which sums do not wrap.

use num_bigint::BigInt;
use terms::{Op, Sort, Term, Terms};

use super::{Map, power, value};

/// Bounds of terms, by view.
#[derive(Default)]
pub(super) struct Known {
    pub(super) signed: Map<Term, (BigInt, BigInt)>,
    pub(super) unsigned: Map<Term, (BigInt, BigInt)>,
}

/// That a term is in a range, or is not.
pub(super) struct Range {
    pub(super) of: Term,
    /// In which view the range does not wrap.
    pub(super) signed: bool,
    pub(super) low: BigInt,
    pub(super) high: BigInt,
    pub(super) inside: bool,
}

/// The range that an unsigned comparison of `x + c` with a constant says that x is in.
pub(super) fn range(terms: &Terms, term: Term) -> Option<Range> {
    let (strict, args) = match terms.op(term) {
        Op::Ult => (true, terms.args(term)),
        Op::Ule => (false, terms.args(term)),
        _ => return None, // No such comparison.
    };
    // `c < x` is not `x <= c`.
    let (sum, bound, strict, inside) = match value(terms, args[1], false) {
        Some(bound) => (args[0], bound, strict, true),
        None => (args[1], value(terms, args[0], false)?, !strict, false),
    };
    let Op::Add = terms.op(sum) else { return None };
    let (of, constant) = match *terms.args(sum) {
        [x, c] if terms.as_bv(c).is_some() => (x, c),
        [c, x] if terms.as_bv(c).is_some() => (x, c),
        _ => return None, // A sum of others.
    };
    let width = terms.width(of);
    let last = bound - BigInt::from(u8::from(strict));
    if last < BigInt::ZERO {
        return None;
    }
    let low = -value(terms, constant, true)?;
    let high = &low + last;
    let signed = Range {
        of,
        signed: true,
        low: low.clone(),
        high: high.clone(),
        inside,
    };
    if low < power(width - 1) && high < power(width - 1) {
        return Some(signed);
    }
    // As an unsigned number, it begins here.
    let shift = match low < BigInt::ZERO {
        true => power(width),
        false => BigInt::ZERO,
    };
    let (low, high) = (low + &shift, high + shift);
    (high < power(width)).then_some(Range {
        signed: false,
        low,
        high,
        ..signed
    })
}

/// The bounds that hold wherever the constraint does.
pub(super) fn bounds(terms: &Terms, constraint: Term) -> Known {
    let mut known = Known::default();
    let mut differs: Vec<(Term, Term)> = Vec::new();
    let mut stack = vec![(constraint, true)];
    while let Some((term, holds)) = stack.pop() {
        let args = terms.args(term);
        match (terms.op(term), holds) {
            (Op::Not, _) => stack.push((args[0], !holds)),
            (Op::And, true) | (Op::Or, false) => {
                stack.extend(args.iter().map(|&arg| (arg, holds)));
            }
            (Op::Slt | Op::Sle | Op::Ult | Op::Ule, _) => {
                if let Some(range) = range(terms, term)
                    && range.inside == holds
                {
                    let entry = known.entry(terms, range.of, range.signed);
                    entry.0 = entry.0.clone().max(range.low);
                    entry.1 = entry.1.clone().min(range.high);
                }
                let strict = matches!(terms.op(term), Op::Slt | Op::Ult) == holds;
                let signed = matches!(terms.op(term), Op::Slt | Op::Sle);
                // What does not hold holds the other way round.
                let (less, more) = match holds {
                    true => (args[0], args[1]),
                    false => (args[1], args[0]),
                };
                known.order(terms, less, more, strict, signed);
            }
            (Op::Eq, true) if matches!(terms.sort(args[0]), Sort::BitVec(_)) => {
                for signed in [true, false] {
                    known.order(terms, args[0], args[1], false, signed);
                    known.order(terms, args[1], args[0], false, signed);
                }
            }
            (Op::Eq, false) if matches!(terms.sort(args[0]), Sort::BitVec(_)) => {
                differs.extend([(args[0], args[1]), (args[1], args[0])]);
            }
            _ => {} // Says nothing about a value alone.
        }
    }
    for (term, constant) in differs {
        known.exclude(terms, term, constant);
    }
    known
}

impl Known {
    fn entry(&mut self, terms: &Terms, term: Term, signed: bool) -> &mut (BigInt, BigInt) {
        let width = terms.width(term);
        match signed {
            true => self
                .signed
                .entry(term)
                .or_insert_with(|| (-power(width - 1), power(width - 1) - 1)),
            false => self
                .unsigned
                .entry(term)
                .or_insert_with(|| (BigInt::ZERO, power(width) - 1)),
        }
    }

    /// `less` is at most `more`, or less.
    fn order(&mut self, terms: &Terms, less: Term, more: Term, strict: bool, signed: bool) {
        let step = BigInt::from(u8::from(strict));
        if let Some(bound) = value(terms, more, signed) {
            let entry = self.entry(terms, less, signed);
            entry.1 = entry.1.clone().min(bound - &step);
        }
        if let Some(bound) = value(terms, less, signed) {
            let entry = self.entry(terms, more, signed);
            entry.0 = entry.0.clone().max(bound + &step);
        }
    }

    /// The term is not this constant: that matters at an end of its range.
    fn exclude(&mut self, terms: &Terms, term: Term, constant: Term) {
        for signed in [true, false] {
            if let Some(value) = value(terms, constant, signed) {
                let entry = self.entry(terms, term, signed);
                if entry.0 == value {
                    entry.0 += 1;
                } else if entry.1 == value {
                    entry.1 -= 1;
                }
            }
        }
    }
}
