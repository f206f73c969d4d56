//! From invariants over integers back to formulas over bit-vectors.
//!
//! An integer term becomes a bit-vector that is wide enough for all values that its parts can have, so that nothing wraps: the
//! formula says of bit-vectors exactly what the invariant says of their values. What it cannot say is left out; the rest is weaker, and
//! whoever uses it checks it anyway.

use num_bigint::BigInt;
use terms::{Fun, Op, Sort, Term, Terms};

use super::{IntSystem, Map, View, power};
use crate::horn::Invariant;

/// What integer variables are: those of the original, and how they are seen.
pub(super) type Views = Map<Term, (Term, View)>;

/// Wider formulas are left out.
const WIDEST: u32 = 256;

impl IntSystem {
    /// Is a clause of the system none of the original, but a query that asks whether anything wraps?
    pub fn is_about_wraps(&self, clause: usize) -> bool {
        clause >= self.translated
    }

    /// What the invariants say of the original predicates.
    pub fn back(&self, terms: &mut Terms, invariants: &[Invariant]) -> Vec<Invariant> {
        let mut list = Vec::new();
        for invariant in invariants {
            let Some((original, parameters, known)) = self.original(terms, invariant) else {
                continue;
            };
            let mut formula = terms.tru();
            for part in conjuncts(terms, invariant.formula) {
                if let Some(part) = translate(terms, part, &known) {
                    formula = terms.and(formula, part);
                }
            }
            list.push(Invariant {
                predicate: original,
                parameters,
                formula,
            });
        }
        list
    }

    /// The predicate that an invariant's predicate comes from, parameters for it, and what the invariant's own are of these.
    pub(super) fn original(
        &self,
        terms: &mut Terms,
        invariant: &Invariant,
    ) -> Option<(Fun, Vec<Term>, Views)> {
        let mut predicates = self.system.predicates.iter();
        let index = predicates.position(|&predicate| predicate == invariant.predicate)?;
        let original = self.predicates[index];
        let sorts = terms.fun(original).params.clone();
        let parameters: Vec<Term> = sorts.iter().map(|&sort| terms.fresh("arg", sort)).collect();
        let mut known = Views::default();
        for (&parameter, &(place, view)) in invariant.parameters.iter().zip(&self.views[index]) {
            known.insert(parameter, (parameters[place], view));
        }
        Some((original, parameters, known))
    }
}

/// The parts of a conjunction.
fn conjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    let mut list = Vec::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            Op::And => stack.extend_from_slice(terms.args(term)),
            Op::True => {}
            _ => list.push(term), // One of them.
        }
    }
    list
}

type Bounds = (BigInt, BigInt);

pub(super) fn translate(terms: &mut Terms, formula: Term, known: &Views) -> Option<Term> {
    let order = terms.post_order(&[formula]);
    let mut bounds: Map<Term, Bounds> = Map::default();
    let mut width = 2;
    for &term in &order {
        if terms.sort(term) == Sort::Int {
            let found = bounds_of(terms, term, known, &bounds)?;
            width = width.max(bits(&found));
            bounds.insert(term, found);
        }
    }
    if width > WIDEST {
        return None;
    }
    let mut done: Map<Term, Term> = Map::default();
    for &term in &order {
        let new = match terms.sort(term) {
            Sort::Int => number(terms, term, known, &done, width)?,
            Sort::Bool => truth(terms, term, known, &done)?,
            _ => return None, // No part of an invariant over integers.
        };
        done.insert(term, new);
    }
    Some(done[&formula])
}

/// How many bits a signed number of these bounds needs.
fn bits((low, high): &Bounds) -> u32 {
    let size = |value: &BigInt| value.bits() as u32 + 1;
    size(low).max(size(high)) + 1
}

fn bounds_of(
    terms: &Terms,
    term: Term,
    known: &Views,
    bounds: &Map<Term, Bounds>,
) -> Option<Bounds> {
    let args = terms.args(term);
    let of = |index: usize| &bounds[&args[index]];
    Some(match terms.op(term) {
        Op::IntConst(_) => {
            let value = terms.as_int(term)?.clone();
            (value.clone(), value)
        }
        Op::Var(_) => match known.get(&term)?.1 {
            View::Signed(width) => (-power(width - 1), power(width - 1) - 1),
            View::Unsigned(width) => (BigInt::ZERO, power(width) - 1),
            View::Bool => return None,
        },
        Op::IntNeg => (-&of(0).1, -&of(0).0),
        Op::IntAdd => (&of(0).0 + &of(1).0, &of(0).1 + &of(1).1),
        Op::IntSub => (&of(0).0 - &of(1).1, &of(0).1 - &of(1).0),
        Op::IntMul => {
            let (a, b) = (of(0), of(1));
            let ends = [&a.0 * &b.0, &a.0 * &b.1, &a.1 * &b.0, &a.1 * &b.1];
            let low = ends.iter().min()?.clone();
            (low, ends.iter().max()?.clone())
        }
        Op::IntDiv | Op::IntMod => {
            let divisor = terms.as_int(args[1])?;
            if *divisor <= BigInt::ZERO {
                return None;
            }
            // The quotient is nearer to zero than the number, or -1; the divisor itself has its bounds.
            let (low, high) = of(0);
            match terms.op(term) {
                Op::IntDiv => (low - BigInt::from(1), high.clone().max(BigInt::ZERO)),
                _ => (-divisor, divisor.clone()),
            }
        }
        Op::Ite => {
            let (a, b) = (of(1), of(2));
            (a.0.clone().min(b.0.clone()), a.1.clone().max(b.1.clone()))
        }
        _ => return None, // Not linear, or about something else.
    })
}

fn number(
    terms: &mut Terms,
    term: Term,
    known: &Views,
    done: &Map<Term, Term>,
    width: u32,
) -> Option<Term> {
    let args = terms.args(term).to_vec();
    let of = |index: usize| done[&args[index]];
    Some(match terms.op(term) {
        Op::IntConst(_) => {
            let value = terms.as_int(term)?.clone();
            constant(terms, &value, width)
        }
        Op::Var(_) => match *known.get(&term)? {
            (original, View::Signed(_)) => terms.sext(original, width),
            (original, View::Unsigned(_)) => terms.zext(original, width),
            (_, View::Bool) => return None,
        },
        Op::IntNeg => terms.neg(of(0)),
        Op::IntAdd => terms.add(of(0), of(1)),
        Op::IntSub => terms.sub(of(0), of(1)),
        Op::IntMul => terms.mul(of(0), of(1)),
        Op::IntDiv | Op::IntMod => {
            let rest = terms.srem(of(0), of(1));
            let zero = terms.bv_u64(0, width);
            let negative = terms.slt(rest, zero);
            let raised = terms.add(rest, of(1));
            let rest = terms.ite(negative, raised, rest);
            match terms.op(term) {
                Op::IntMod => rest,
                _ => {
                    let multiple = terms.sub(of(0), rest);
                    terms.sdiv(multiple, of(1))
                }
            }
        }
        Op::Ite => terms.ite(of(0), of(1), of(2)),
        _ => return None, // Not linear, or about something else.
    })
}

pub(super) fn constant(terms: &mut Terms, value: &BigInt, width: u32) -> Term {
    let modulus = power(width);
    let number = super::modulo(value, &modulus);
    let mut words = number.to_u64_digits().1;
    words.resize(width.div_ceil(64) as usize, 0);
    terms.bv(base::Bv::from_words(&words, width))
}

fn truth(terms: &mut Terms, term: Term, known: &Views, done: &Map<Term, Term>) -> Option<Term> {
    let args = terms.args(term).to_vec();
    let of = |index: usize| done[&args[index]];
    Some(match terms.op(term) {
        Op::True | Op::False => term,
        Op::Var(_) => match *known.get(&term)? {
            (original, View::Bool) => original,
            (_, View::Signed(_) | View::Unsigned(_)) => return None,
        },
        Op::Not => terms.not(of(0)),
        Op::And => terms.and(of(0), of(1)),
        Op::Or => terms.or(of(0), of(1)),
        Op::Xor => terms.xor(of(0), of(1)),
        Op::Eq => terms.eq(of(0), of(1)),
        Op::Ite => terms.ite(of(0), of(1), of(2)),
        Op::IntLe => terms.sle(of(0), of(1)),
        Op::IntLt => terms.slt(of(0), of(1)),
        _ => return None, // Not linear, or about something else.
    })
}
