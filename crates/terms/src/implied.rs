//! What one literal says about another, at a glance.
//!
//! A literal is a Boolean term or its negation. Comparisons of one term with constants are intervals, in the unsigned or
//! the signed order, and intervals imply or exclude each other; comparisons of the same two terms do as well. Nothing is
//! made and nothing is solved, so this can be asked for every branch of a program.
//!
//! ```text
//!   x < 5      implies x < 9, excludes x = 7 and 8 < x
//!   x = 3      decides every comparison of x with a constant, signed or not
//!   x < y      excludes x = y and y < x
//! ```

use crate::arena::{Term, Terms};
use crate::facts::Fact;
use crate::op::Op;

/// A Boolean term or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Literal {
    pub(crate) atom: Term,
    pub(crate) positive: bool,
}

impl Literal {
    pub(crate) fn of(terms: &Terms, t: Term) -> Literal {
        match terms.un(t, Op::Not) {
            Some(atom) => Literal {
                atom,
                positive: false,
            },
            None => Literal {
                atom: t,
                positive: true,
            },
        }
    }

    pub(crate) fn negated(self) -> Literal {
        Literal {
            positive: !self.positive,
            ..self
        }
    }
}

/// How many parts of a conjunction are looked at.
const MOST_PARTS: usize = 16;

/// How two bit-vectors are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Unsigned,
    Signed,
}

/// The values of `x` that a literal allows: in one order those from `least` to `most`, or all but one.
#[derive(Clone, Copy, Debug)]
struct Bound {
    x: Term,
    /// `None` for an equality, which means the same in both orders.
    order: Option<Order>,
    least: i128,
    most: i128,
    /// Whether the values are all others instead.
    outside: bool,
}

impl Terms {
    /// Whether `asked` holds, or fails, wherever `known` holds, as far as a glance at the two tells. Conjunctions among
    /// the known are looked into, to a limit.
    pub fn decide_given(&self, known: Term, asked: Term) -> Option<bool> {
        match self.as_bool(asked) {
            Some(value) => Some(value),
            None => self.decide_given_literal(Literal::of(self, known), Literal::of(self, asked)),
        }
    }

    /// The same for literals.
    pub(crate) fn decide_given_literal(&self, known: Literal, asked: Literal) -> Option<bool> {
        let compares = self.is_comparison(asked.atom);
        let mut stack = [known; MOST_PARTS];
        let (mut open, mut seen) = (1, 0);
        while open > 0 && seen < MOST_PARTS {
            open -= 1;
            seen += 1;
            let literal = stack[open];
            if literal.atom == asked.atom {
                return Some(literal.positive == asked.positive);
            }
            if compares && self.is_comparison(literal.atom) {
                if let Some(value) = self.decide_comparisons(literal, asked) {
                    return Some(value);
                }
                continue;
            }
            let op = if literal.positive { Op::And } else { Op::Or };
            let Some((a, b)) = self.bin(literal.atom, op) else {
                continue;
            };
            for part in [a, b] {
                let part = Literal::of(self, part);
                let part = if literal.positive {
                    part
                } else {
                    part.negated()
                };
                // What is older than the atom does not contain it, and only comparisons say more than what they contain.
                if open < MOST_PARTS && (compares || part.atom >= asked.atom) {
                    stack[open] = part;
                    open += 1;
                }
            }
        }
        None
    }

    /// What one comparison says about another.
    fn decide_comparisons(&self, known: Literal, asked: Literal) -> Option<bool> {
        if let Some(value) = self.decide_two_terms(known, asked) {
            return Some(value);
        }
        let (known, asked) = (self.bound(known)?, self.bound(asked)?);
        if known.x != asked.x {
            return None;
        }
        let width = self.sort(known.x).bv_width()?;
        let value = decide_bounds(
            width,
            known,
            Bound {
                outside: false,
                ..asked
            },
        )?;
        Some(value != asked.outside)
    }

    #[inline]
    fn is_comparison(&self, t: Term) -> bool {
        matches!(self.op(t), Op::Eq | Op::Ult | Op::Slt)
    }

    /// Comparisons of the same two terms.
    fn decide_two_terms(&self, known: Literal, asked: Literal) -> Option<bool> {
        let [a, b, _] = self.raw_args(known.atom);
        let [c, d, _] = self.raw_args(asked.atom);
        let (straight, crossed) = ((a, b) == (c, d), (a, b) == (d, c));
        if !straight && !crossed {
            return None;
        }
        match (self.op(known.atom), self.op(asked.atom)) {
            // x < y excludes y < x and x = y.
            (Op::Ult, Op::Ult) | (Op::Slt, Op::Slt) if known.positive && crossed => {
                Some(!asked.positive)
            }
            (Op::Ult | Op::Slt, Op::Eq) if known.positive => Some(!asked.positive),
            // x = y excludes x < y and y < x.
            (Op::Eq, Op::Ult | Op::Slt) if known.positive => Some(!asked.positive),
            _ => None,
        }
    }

    /// The interval of a literal that compares a term of at most 64 bits with a constant.
    fn bound(&self, literal: Literal) -> Option<Bound> {
        let [a, b, _] = self.raw_args(literal.atom);
        let width = self.sort(a).bv_width().filter(|&width| width <= 64)?;
        let all = Fact::top(width);
        let order = match self.op(literal.atom) {
            Op::Eq => {
                let k = i128::from(self.as_u64(b)?);
                return Some(Bound {
                    x: a,
                    order: None,
                    least: k,
                    most: k,
                    outside: !literal.positive,
                });
            }
            Op::Ult => Order::Unsigned,
            _ => Order::Signed,
        };
        let (lowest, highest) = match order {
            Order::Unsigned => (i128::from(all.umin), i128::from(all.umax)),
            Order::Signed => (i128::from(all.smin), i128::from(all.smax)),
        };
        let number = |t: Term| match order {
            Order::Unsigned => self.as_u64(t).map(i128::from),
            Order::Signed => self.as_bv(t)?.to_i64().map(i128::from),
        };
        let (x, least, most) = match (number(a), number(b), literal.positive) {
            (None, Some(k), true) => (a, lowest, k - 1),
            (None, Some(k), false) => (a, k, highest),
            (Some(k), None, true) => (b, k + 1, highest),
            (Some(k), None, false) => (b, lowest, k),
            (Some(_), Some(_), _) | (None, None, _) => return None,
        };
        Some(Bound {
            x,
            order: Some(order),
            least,
            most,
            outside: false,
        })
    }
}

/// Whether all values of one bound, or none, are in another, which is no outside.
fn decide_bounds(width: u32, known: Bound, asked: Bound) -> Option<bool> {
    // Without the known point, only that very point is decided.
    if known.outside {
        return (asked.order.is_none() && asked.least == known.least).then_some(false);
    }
    let order = asked.order.or(known.order).unwrap_or(Order::Unsigned);
    let (least, most) = interval(width, known, order)?;
    let (low, high) = interval(width, asked, order)?;
    if least > most {
        return None;
    }
    if low <= least && most <= high {
        return Some(true);
    }
    (most < low || high < least).then_some(false)
}

/// The interval of a bound in an order: the same, or translated if all its values have one sign.
fn interval(width: u32, bound: Bound, order: Order) -> Option<(i128, i128)> {
    let (half, whole) = (1i128 << (width - 1), 1i128 << width);
    let translate = |value: i128, from: Order| match (from, order) {
        (Order::Unsigned, Order::Signed) if value >= half => value - whole,
        (Order::Signed, Order::Unsigned) if value < 0 => value + whole,
        _ => value,
    };
    // An equality's constant is written without a sign.
    let from = bound.order.unwrap_or(Order::Unsigned);
    let one_sign = match from {
        Order::Unsigned => (bound.least >= half) == (bound.most >= half),
        Order::Signed => (bound.least < 0) == (bound.most < 0),
    };
    (from == order || one_sign).then(|| (translate(bound.least, from), translate(bound.most, from)))
}

#[cfg(test)]
mod tests {
    use base::Bv;

    use crate::arena::{Level, Term, Terms};
    use crate::sort::Sort;
    use crate::value::{Model, Value};

    /// All comparisons of two variables and constants, and their negations.
    fn literals(terms: &mut Terms, x: Term, y: Term, width: u32) -> Vec<Term> {
        let mut sides = vec![x, y];
        sides.extend(
            (0..1 << width)
                .map(|value| terms.bv_u64(value, width))
                .collect::<Vec<_>>(),
        );
        let mut literals = Vec::new();
        for &a in &sides {
            for &b in &sides {
                let atoms = [terms.eq(a, b), terms.ult(a, b), terms.slt(a, b)];
                literals.extend(atoms);
                literals.extend(atoms.map(|atom| terms.not(atom)));
            }
        }
        literals
    }

    #[test]
    fn what_is_decided_is_so_for_all_values() {
        for width in 1..=3 {
            let mut terms = Terms::with_level(Level::Off);
            let (x, y) = (
                terms.var("x", Sort::BitVec(width)),
                terms.var("y", Sort::BitVec(width)),
            );
            let literals = literals(&mut terms, x, y, width);
            let mut models = Vec::new();
            for word in 0..1u64 << (2 * width) {
                let mut model = Model::new();
                model.set(&terms, x, Value::Bv(Bv::from_u64(word, width)));
                model.set(&terms, y, Value::Bv(Bv::from_u64(word >> width, width)));
                models.push(model);
            }
            let truth: Vec<Vec<bool>> = literals
                .iter()
                .map(|&literal| {
                    models
                        .iter()
                        .map(|model| terms.eval_bool(model, literal))
                        .collect()
                })
                .collect();
            let mut decided = 0;
            for (known, when) in literals.iter().zip(&truth) {
                for (asked, values) in literals.iter().zip(&truth) {
                    let Some(answer) = terms.decide_given(*known, *asked) else {
                        continue;
                    };
                    decided += 1;
                    let right = when
                        .iter()
                        .zip(values)
                        .all(|(&when, &value)| !when || value == answer);
                    let (known, asked) = (terms.to_smt(*known), terms.to_smt(*asked));
                    assert!(right, "{known} was said to make {asked} {answer}");
                }
            }
            assert!(
                decided > literals.len() * 2,
                "only {decided} pairs were decided"
            );
        }
    }

    #[test]
    fn conjunctions_that_are_known_are_looked_into() {
        let mut terms = Terms::new();
        let (x, p) = (terms.var("x", Sort::BitVec(32)), terms.var("p", Sort::Bool));
        let [three, five, nine] = [3, 5, 9].map(|value| terms.bv_u64(value, 32));
        let small = terms.ult(x, five);
        let known = terms.and(p, small);
        let asked = [
            terms.ult(x, nine),
            terms.eq(x, nine),
            terms.ult(x, three),
            p,
        ];
        let answers = asked.map(|asked| terms.decide_given(known, asked));
        assert_eq!(answers, [Some(true), Some(false), None, Some(true)]);
        let either = terms.or(p, small);
        let neither = terms.not(either);
        let answers = asked.map(|asked| terms.decide_given(neither, asked));
        assert_eq!(answers, [None, None, Some(false), Some(false)]);
    }
}
