//! Linear forms: sums of terms with constant factors, as addresses are.
//!
//! A sum is taken apart into `c0 + c1*x1 + … + cn*xn`, up to a few summands, through additions, negations, and
//! multiplications and shifts by constants. Where summands of two sides or of one sum cancel, the sum is put together
//! again from what is left. Nothing happens otherwise, so the rules never make a term larger.

use base::Bv;

use crate::arena::{Level, Term, Terms};
use crate::op::Op;
use crate::rules::{Rule, shape};

/// The most summands that are looked at.
const MOST: usize = 12;

/// A sum: a constant, and terms with their factors, none of them zero, sorted by term.
struct Sum {
    constant: Bv,
    parts: Vec<(Term, Bv)>,
}

impl Sum {
    fn new(width: u32) -> Sum {
        Sum {
            constant: Bv::zero(width),
            parts: Vec::new(),
        }
    }

    /// Adds `factor * t`, taking `t` apart; nothing if there are too many summands.
    fn add(&mut self, terms: &Terms, t: Term, factor: Bv) -> Option<()> {
        let mut stack = vec![(t, factor)];
        let mut met = 0;
        while let Some((t, factor)) = stack.pop() {
            let [a, b, _] = terms.raw_args(t);
            match terms.op(t) {
                Op::BvConst(_) => {
                    self.constant = self.constant.add(&factor.mul(&terms.as_bv(t)?));
                    continue;
                }
                Op::Add => {
                    stack.push((b, factor.clone()));
                    stack.push((a, factor));
                    continue;
                }
                Op::Sub => {
                    stack.push((b, factor.neg()));
                    stack.push((a, factor));
                    continue;
                }
                Op::Neg => {
                    stack.push((a, factor.neg()));
                    continue;
                }
                Op::Mul => {
                    if let Some(k) = terms.as_bv(b) {
                        stack.push((a, factor.mul(&k)));
                        continue;
                    }
                }
                Op::Shl => {
                    if let Some(k) = terms.as_bv(b) {
                        stack.push((a, factor.shl(&k)));
                        continue;
                    }
                }
                _ => {}
            }
            met += 1;
            if met > MOST || stack.len() > MOST {
                return None;
            }
            match self.parts.binary_search_by_key(&t, |&(t, _)| t) {
                Ok(place) => self.parts[place].1 = self.parts[place].1.add(&factor),
                Err(place) => self.parts.insert(place, (t, factor)),
            }
        }
        Some(())
    }

    /// Forgets the terms whose factor has become zero.
    fn settle(&mut self) {
        self.parts.retain(|(_, factor)| !factor.is_zero());
    }

    /// The sum as a term: positive summands first, then negative ones, then the constant.
    fn build(&self, terms: &mut Terms) -> Term {
        let mut sum: Option<Term> = None;
        let mut negative: Option<Term> = None;
        for (t, factor) in &self.parts {
            // The sign that gives the smaller factor.
            let subtract = factor.is_negative() && !factor.is_int_min();
            let factor = terms.bv(if subtract {
                factor.neg()
            } else {
                factor.clone()
            });
            let product = terms.mul(*t, factor);
            let side = if subtract { &mut negative } else { &mut sum };
            *side = Some(match *side {
                Some(before) => terms.add(before, product),
                None => product,
            });
        }
        let negative = negative.map(|t| terms.neg(t));
        let sum = match (sum, negative) {
            (Some(a), Some(b)) => Some(terms.add(a, b)),
            (a, b) => a.or(b),
        };
        let constant = terms.bv(self.constant.clone());
        match sum {
            Some(sum) if self.constant.is_zero() => sum,
            Some(sum) => terms.add(sum, constant),
            None => constant,
        }
    }
}

/// The terms that a sum is made of, up to [`MOST`], without their factors; nothing if there are more.
struct Leaves {
    leaves: [Term; MOST],
    count: usize,
}

impl Leaves {
    fn of(terms: &Terms, t: Term) -> Option<Leaves> {
        let mut found = Leaves {
            leaves: [t; MOST],
            count: 0,
        };
        let mut stack = [t; MOST];
        let mut open = 1;
        while open > 0 {
            open -= 1;
            let t = stack[open];
            let [a, b, _] = terms.raw_args(t);
            match terms.op(t) {
                Op::BvConst(_) => {}
                Op::Add | Op::Sub => {
                    if open + 2 > MOST {
                        return None;
                    }
                    stack[open] = b;
                    stack[open + 1] = a;
                    open += 2;
                }
                Op::Neg => {
                    stack[open] = a;
                    open += 1;
                }
                Op::Mul | Op::Shl if terms.is_const(b) => {
                    stack[open] = a;
                    open += 1;
                }
                _ => {
                    if found.count == MOST {
                        return None;
                    }
                    found.leaves[found.count] = t;
                    found.count += 1;
                }
            }
        }
        Some(found)
    }

    fn all(&self) -> &[Term] {
        &self.leaves[..self.count]
    }
}

/// Whether two sums share a term, so that something may cancel.
fn share(terms: &Terms, a: Term, b: Term) -> bool {
    let (Some(left), Some(right)) = (Leaves::of(terms, a), Leaves::of(terms, b)) else {
        return false;
    };
    left.all().iter().any(|t| right.all().contains(t))
}

/// Whether a summand is, or visibly contains, a negation or a multiple: otherwise there is nothing to gain. This looks
/// at two levels only, since it is asked for every sum.
fn may_cancel(terms: &Terms, t: Term) -> bool {
    let is_multiple = |t: Term| matches!(terms.op(t), Op::Neg | Op::Mul | Op::Shl);
    match terms.bin(t, Op::Add) {
        Some((a, b)) => is_multiple(a) || is_multiple(b),
        None => is_multiple(t),
    }
}

pub(crate) const ADD: &[Rule] = &[
    // (bvadd (bvadd x y) (bvneg x)) => y
    Rule {
        name: "add_linear",
        level: Level::Full,
        needs: shape::LINEAR,
        applies: &[
            "(bvadd (bvadd x y) (bvneg x))",
            "(bvadd (bvmul x k3) x)",
            "(bvadd (bvadd (bvshl x k2) y) (bvneg (bvadd y (bvmul x k3))))",
            "(bvadd (bvadd x (bvadd y k3)) (bvneg y))",
        ],
        ignores: &["(bvadd (bvadd x y) (bvneg z))", "(bvadd x (bvmul x y))"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if !may_cancel(terms, a) && !may_cancel(terms, b) {
                return None;
            }
            // Within one side nothing is left to cancel, so only what the sides share is news.
            if !share(terms, a, b) {
                return None;
            }
            let width = draft.sort.bv_width()?;
            let mut sum = Sum::new(width);
            sum.add(terms, a, Bv::one(width))?;
            sum.add(terms, b, Bv::one(width))?;
            sum.settle();
            Some(sum.build(terms))
        },
    },
];

pub(crate) const EQ: &[Rule] = &[
    // (= (bvadd x (bvadd y k3)) (bvadd z (bvadd x k5))) => (= y (bvadd z k2))
    Rule {
        name: "eq_linear",
        level: Level::Full,
        needs: shape::ADD,
        applies: &[
            "(= (bvadd x (bvadd y k3)) (bvadd z (bvadd x k5)))",
            "(= (bvadd (bvmul x k3) y) (bvadd (bvmul x k3) z))",
        ],
        ignores: &["(= (bvadd x y) (bvadd z u))", "(= (bvadd x y) z)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let width = terms.sort(a).bv_width()?;
            if !share(terms, a, b) {
                return None;
            }
            let (mut left, mut right) = (Sum::new(width), Sum::new(width));
            left.add(terms, a, Bv::one(width))?;
            right.add(terms, b, Bv::one(width))?;
            left.settle();
            right.settle();
            let shared = left.parts.iter().any(|part| right.parts.contains(part));
            if !shared {
                return None;
            }
            let common: Vec<_> = left
                .parts
                .iter()
                .filter(|part| right.parts.contains(part))
                .cloned()
                .collect();
            left.parts.retain(|part| !common.contains(part));
            right.parts.retain(|part| !common.contains(part));
            right.constant = right.constant.sub(&left.constant);
            left.constant = Bv::zero(width);
            let (left, right) = (left.build(terms), right.build(terms));
            Some(terms.eq(left, right))
        },
    },
];
