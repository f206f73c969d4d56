//! Value sets: the few values that a term can have.
//!
//! The state of a state machine is, after some rounds, an ite tree whose leaves are constants. Which constants they are
//! says at once that most comparisons with other constants are false, where intervals and known bits say little. So a
//! term whose values are known and few carries them, as part of its fact:
//!
//! ```text
//!   (ite p k2 (ite q k5 k9))                  {2, 5, 9}
//!   (bvadd (ite p k2 (ite q k5 k9)) k1)       {3, 6, 10}
//! ```
//!
//! Sets over-approximate: an operator on two sets is applied to all pairs, although the conditions may be related.

use base::Bv;

use crate::arena::{Draft, Term, Terms};
use crate::eval;
use crate::op::Op;
use crate::sort::Sort;
use crate::value::Value;

/// The most values in a set.
pub(crate) const MOST: usize = 32;

/// The most pairs that an operator is applied to.
const MOST_PAIRS: usize = 64;

/// The possible values of a term, ascending.
#[derive(Clone, Copy, Debug)]
pub enum Values<'a> {
    /// Only this one.
    One([u64; 1]),
    /// These, at least two.
    Many(&'a [u64]),
}

impl Values<'_> {
    /// The values, ascending.
    pub fn as_slice(&self) -> &[u64] {
        match self {
            Values::One(value) => value,
            Values::Many(values) => values,
        }
    }
}

impl Terms {
    /// The possible values of a bit-vector of at most 64 bits, if they are known one by one.
    #[inline]
    pub fn values(&self, t: Term) -> Option<Values<'_>> {
        match self.op(t) {
            Op::BvConst(_) => self.as_u64(t).map(|value| Values::One([value])),
            _ => self.facts.values(self.fact_id(t)).map(Values::Many),
        }
    }

    /// Whether two terms have known values, and none in common.
    pub(crate) fn values_disjoint(&self, a: Term, b: Term) -> bool {
        let (Some(left), Some(right)) = (self.values(a), self.values(b)) else {
            return false;
        };
        let (short, long) = match left.as_slice().len() <= right.as_slice().len() {
            true => (left.as_slice(), right.as_slice()),
            false => (right.as_slice(), left.as_slice()),
        };
        short.iter().all(|value| long.binary_search(value).is_err())
    }
}

/// The possible values of a term about to be made, if its arguments' are known and few.
#[inline]
pub(crate) fn of_draft(terms: &Terms, draft: &Draft) -> Option<Vec<u64>> {
    let Sort::BitVec(1..=64) = draft.sort else {
        return None;
    };
    let [a, b, c] = draft.args;
    match draft.op {
        Op::Ite => {
            let (left, right) = (terms.values(b)?, terms.values(c)?);
            settle([left.as_slice(), right.as_slice()].concat())
        }
        Op::BvNot | Op::Neg | Op::Extract { .. } | Op::Zext | Op::Sext => {
            let values = terms.values(a)?;
            let width = terms.sort(a).bv_width()?;
            let of = |&value: &u64| apply(draft, &[Value::Bv(Bv::from_u64(value, width))]);
            settle(values.as_slice().iter().map(of).collect())
        }
        Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Udiv
        | Op::Urem
        | Op::Sdiv
        | Op::Srem
        | Op::Shl
        | Op::Lshr
        | Op::Ashr
        | Op::Concat => {
            let (left, right) = (terms.values(a)?, terms.values(b)?);
            if left.as_slice().len() * right.as_slice().len() > MOST_PAIRS {
                return None;
            }
            let widths = (terms.sort(a).bv_width()?, terms.sort(b).bv_width()?);
            let mut all = Vec::with_capacity(MOST_PAIRS);
            for &x in left.as_slice() {
                for &y in right.as_slice() {
                    let pair = [
                        Value::Bv(Bv::from_u64(x, widths.0)),
                        Value::Bv(Bv::from_u64(y, widths.1)),
                    ];
                    all.push(apply(draft, &pair));
                }
            }
            settle(all)
        }
        _ => None,
    }
}

fn apply(draft: &Draft, args: &[Value]) -> u64 {
    let result = match args {
        [a] => eval::apply(draft.op, draft.sort, &[a]),
        [a, b] => eval::apply(draft.op, draft.sort, &[a, b]),
        _ => unreachable!("only operators of one and two arguments are applied to values"),
    };
    result.expect_bv().low_u64()
}

fn settle(mut values: Vec<u64>) -> Option<Vec<u64>> {
    values.sort_unstable();
    values.dedup();
    (values.len() <= MOST).then_some(values)
}
