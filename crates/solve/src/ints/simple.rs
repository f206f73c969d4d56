//! What invariants over integers say in few words, so that bit-vector solvers are quick with it.
//!
//! Spacer's invariants are inequalities of many variables, and a solver of bit-vectors takes long for one whose sum needs more bits than the
//! variables have. Often they say something simpler together:
//!
//! ```text
//!   3x - y - z <= 0,  y + z - 3x <= 0       3x = y + z     an equation, and as one modulo 2^w it needs no more bits
//!   y + z - 3n <= 0                          x <= n         by the equation, divided by 3
//! ```
//!
//! Equations are kept modulo 2^w, inequalities of up to two variables exactly. It may be too little for a proof; whoever uses it has the whole as well.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use terms::{Op, Sort, Term, Terms};

use super::back::{constant, translate};
use super::{IntSystem, Map, View, floor_div};
use crate::horn::Invariant;

/// The most variables of an inequality.
const MOST_VARIABLES: usize = 2;
/// The most equations that are used for others.
const MOST_EQUATIONS: usize = 16;

/// A sum of multiples of variables, and a constant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Linear {
    factors: BTreeMap<Term, BigInt>,
    constant: BigInt,
}

impl Linear {
    fn plus(&mut self, other: &Linear, times: &BigInt) {
        for (&var, factor) in &other.factors {
            let entry = self.factors.entry(var).or_default();
            *entry += factor * times;
            if *entry == BigInt::ZERO {
                self.factors.remove(&var);
            }
        }
        self.constant += &other.constant * times;
    }

    /// The same fact, with factors that have no common divisor: that this is at most 0.
    fn at_most_zero(mut self) -> Linear {
        let divisor = self.divisor();
        if divisor > BigInt::from(1) {
            for factor in self.factors.values_mut() {
                *factor /= &divisor;
            }
            self.constant = -floor_div(&-self.constant, &divisor);
        }
        self
    }

    /// The greatest common divisor of the factors.
    fn divisor(&self) -> BigInt {
        let mut divisor = BigInt::ZERO;
        for factor in self.factors.values() {
            let (mut a, mut b) = (divisor, factor.clone());
            while b != BigInt::ZERO {
                (a, b) = (b.clone(), a % b);
            }
            divisor = if a < BigInt::ZERO { -a } else { a };
        }
        divisor
    }

    fn negated(&self) -> Linear {
        let mut zero = Linear {
            factors: BTreeMap::new(),
            constant: BigInt::ZERO,
        };
        zero.plus(self, &BigInt::from(-1));
        zero
    }

    /// Without a variable that an equation has once.
    fn without(&self, var: Term, equation: &Linear) -> Linear {
        let mut rest = self.clone();
        if let Some(factor) = self.factors.get(&var) {
            let times = -factor * &equation.factors[&var];
            rest.plus(equation, &times);
        }
        rest
    }
}

impl IntSystem {
    /// What the invariants say simply of the original predicates.
    pub fn back_simply(&self, terms: &mut Terms, invariants: &[Invariant]) -> Vec<Invariant> {
        let mut list = Vec::new();
        for invariant in invariants {
            let Some((original, parameters, known)) = self.original(terms, invariant) else {
                continue;
            };
            let formula = simple(terms, invariant.formula, &known);
            list.push(Invariant {
                predicate: original,
                parameters,
                formula,
            });
        }
        list
    }
}

fn simple(terms: &mut Terms, formula: Term, known: &Map<Term, (Term, View)>) -> Term {
    let (mut less, mut equal) = (Vec::new(), Vec::new());
    let mut result = terms.tru();
    for part in literals(terms, formula) {
        match atom(terms, part) {
            Some(found) => sort_in(found, &mut less, &mut equal),
            None if is_small(terms, part) => {
                if let Some(part) = translate(terms, part, known) {
                    result = terms.and(result, part);
                }
            }
            None => {} // Many variables, and alternatives.
        }
    }
    less.sort();
    less.dedup();
    pair(&less, &mut equal);
    equal.truncate(MOST_EQUATIONS);
    for equation in equal.clone() {
        let one = |factor: &BigInt| *factor == BigInt::from(1) || *factor == BigInt::from(-1);
        let var = equation.factors.iter().find(|(_, factor)| one(factor));
        let Some((&var, _)) = var else { continue };
        let derived: Vec<Linear> = less
            .iter()
            .filter(|other| other.factors.contains_key(&var))
            .map(|other| other.without(var, &equation).at_most_zero())
            .collect();
        less.extend(derived);
    }
    less.sort();
    less.dedup();
    pair(&less, &mut equal);
    for equation in equal {
        if let Some(part) = modular(terms, &equation, known) {
            result = terms.and(result, part);
        }
    }
    for inequality in less {
        if (1..=MOST_VARIABLES).contains(&inequality.factors.len()) {
            let sum = to_term(terms, &inequality);
            let zero = terms.int(0);
            let part = terms.ile(sum, zero);
            if let Some(part) = translate(terms, part, known) {
                result = terms.and(result, part);
            }
        }
    }
    result
}

/// The parts of a conjunction, which may be written as what is not a disjunction.
fn literals(terms: &mut Terms, formula: Term) -> Vec<Term> {
    let mut list = Vec::new();
    let mut stack = vec![(formula, true)];
    while let Some((term, holds)) = stack.pop() {
        let args = terms.args(term);
        match (terms.op(term), holds) {
            (Op::Not, _) => stack.push((args[0], !holds)),
            (Op::And, true) | (Op::Or, false) => {
                stack.extend(args.iter().map(|&arg| (arg, holds)));
            }
            (Op::True, true) | (Op::False, false) => {}
            (_, true) => list.push(term),
            (_, false) => list.push(terms.not(term)),
        }
    }
    list
}

/// An atom of a conjunction: less or equal zero, or equal to it.
enum Found {
    Less(Linear),
    Equal(Linear),
}

fn sort_in(found: Found, less: &mut Vec<Linear>, equal: &mut Vec<Linear>) {
    match found {
        Found::Less(sum) => less.push(sum.at_most_zero()),
        Found::Equal(sum) => {
            less.push(sum.clone().at_most_zero());
            less.push(sum.negated().at_most_zero());
            equal.push(sum);
        }
    }
}

/// What is at most zero and at least zero is zero.
fn pair(less: &[Linear], equal: &mut Vec<Linear>) {
    for one in less {
        let other = one.negated();
        let known = equal.contains(one) || equal.contains(&other);
        if !one.factors.is_empty() && !known && less.binary_search(&other).is_ok() {
            equal.push(one.clone());
        }
    }
}

fn atom(terms: &Terms, part: Term) -> Option<Found> {
    let (inner, holds) = match terms.op(part) {
        Op::Not => (terms.args(part)[0], false),
        _ => (part, true),
    };
    let &[a, b] = terms.args(inner) else {
        return None;
    };
    if terms.sort(a) != Sort::Int {
        return None;
    }
    let (op, a, b) = match (terms.op(inner), holds) {
        // What is not less is greater or equal.
        (Op::IntLe, false) => (Op::IntLt, b, a),
        (Op::IntLt, false) => (Op::IntLe, b, a),
        (op, true) => (op, a, b),
        _ => return None, // Unequal.
    };
    let mut sum = linear(terms, a)?;
    sum.plus(&linear(terms, b)?, &BigInt::from(-1));
    match op {
        Op::IntLe => Some(Found::Less(sum)),
        Op::IntLt => {
            sum.constant += 1;
            Some(Found::Less(sum))
        }
        Op::Eq => Some(Found::Equal(sum)),
        _ => None, // Nothing about an order.
    }
}

fn linear(terms: &Terms, root: Term) -> Option<Linear> {
    let mut sum = Linear {
        factors: BTreeMap::new(),
        constant: BigInt::ZERO,
    };
    let mut stack = vec![(root, BigInt::from(1))];
    while let Some((term, times)) = stack.pop() {
        let args = terms.args(term);
        match terms.op(term) {
            Op::IntConst(_) => sum.constant += terms.as_int(term)? * &times,
            Op::Var(_) => {
                let entry = sum.factors.entry(term).or_default();
                *entry += times;
                if *entry == BigInt::ZERO {
                    sum.factors.remove(&term);
                }
            }
            Op::IntNeg => stack.push((args[0], -times)),
            Op::IntAdd => stack.extend([(args[0], times.clone()), (args[1], times)]),
            Op::IntSub => stack.extend([(args[0], times.clone()), (args[1], -times)]),
            Op::IntMul => {
                let (factor, other) = match (terms.as_int(args[0]), terms.as_int(args[1])) {
                    (Some(factor), _) => (factor, args[1]),
                    (None, Some(factor)) => (factor, args[0]),
                    (None, None) => return None,
                };
                stack.push((other, factor * times));
            }
            _ => return None, // Not linear.
        }
    }
    Some(sum)
}

fn to_term(terms: &mut Terms, sum: &Linear) -> Term {
    let mut term = terms.int(sum.constant.clone());
    for (&var, factor) in &sum.factors {
        let factor = terms.int(factor.clone());
        let product = terms.imul(factor, var);
        term = terms.iadd(term, product);
    }
    term
}

/// Does every comparison of a formula speak of few variables?
fn is_small(terms: &Terms, formula: Term) -> bool {
    let order = terms.post_order(&[formula]);
    order.into_iter().all(|term| {
        let about_ints = |&arg: &Term| terms.sort(arg) == Sort::Int;
        terms.sort(term) != Sort::Bool
            || !terms.args(term).iter().any(about_ints)
            || terms.free_vars(&[term]).len() <= MOST_VARIABLES
    })
}

/// The equation modulo 2^w, where w is the least width.
fn modular(terms: &mut Terms, equation: &Linear, known: &Map<Term, (Term, View)>) -> Option<Term> {
    let mut parts = Vec::new();
    let mut width = u32::MAX;
    for (var, factor) in &equation.factors {
        let (original, view) = *known.get(var)?;
        let (View::Signed(own) | View::Unsigned(own)) = view else {
            return None;
        };
        width = width.min(own);
        parts.push((original, factor));
    }
    if parts.is_empty() {
        return None;
    }
    // Positive and negative parts on either side: no more factors than there are.
    let mut sides = [terms.bv_u64(0, width), terms.bv_u64(0, width)];
    let zero = BigInt::ZERO;
    let constants = [
        equation.constant.clone().max(zero.clone()),
        (-&equation.constant).max(zero.clone()),
    ];
    for (side, value) in sides.iter_mut().zip(&constants) {
        *side = constant(terms, value, width);
    }
    for (original, factor) in parts {
        let low = terms.extract(original, width - 1, 0);
        let side = usize::from(*factor < zero);
        let size = if side == 1 { -factor } else { factor.clone() };
        let size = constant(terms, &size, width);
        let product = terms.mul(size, low);
        sides[side] = terms.add(sides[side], product);
    }
    Some(terms.eq(sides[0], sides[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_found_and_used() {
        let mut terms = Terms::new();
        let [x, y, z, n] = ["x", "y", "z", "n"].map(|name| terms.var(name, Sort::Int));
        let mut known: Map<Term, (Term, View)> = Map::default();
        for (var, name) in [(x, "bx"), (y, "by"), (z, "bz"), (n, "bn")] {
            let original = terms.var(name, Sort::BitVec(8));
            known.insert(var, (original, View::Signed(8)));
        }
        let three = terms.int(3);
        let (x3, n3) = (terms.imul(three, x), terms.imul(three, n));
        let sum = terms.iadd(y, z);
        // Each says little, and together they say 3x = y + z and x <= n.
        let parts = [terms.ile(x3, sum), terms.ile(sum, x3), terms.ile(sum, n3)];
        // Spacer says it so: not one of the opposites.
        let opposites = parts.map(|part| terms.not(part));
        let any = terms.or_all(&opposites);
        let formula = terms.not(any);
        let simple = simple(&mut terms, formula, &known);
        let text = terms.to_smt(simple);
        let vars = terms.free_vars(&[simple]);
        assert_eq!(vars.len(), 4, "{text}");
        // No sum is wider than the order of two numbers needs.
        assert!(!text.contains("sign_extend 4"), "{text}");
        let mut models = 0;
        for (bx, by, bz, bn) in [(3, 4, 5, 3), (3, 4, 5, 2), (3, 4, 6, 9), (100, 44, 0, 100)] {
            let mut model = terms::Model::new();
            let names = [("bx", bx), ("by", by), ("bz", bz), ("bn", bn)];
            for (name, value) in names {
                let var = terms.find_var(name).expect("it was made");
                let value = terms::Value::Bv(base::Bv::from_u64(value, 8));
                model.set(&terms, var, value);
            }
            let holds = terms.eval_bool(&model, simple);
            models += usize::from(holds);
            let expected = (bx * 3) % 256 == (by + bz) % 256 && bx <= bn;
            assert_eq!(holds, expected, "{bx} {by} {bz} {bn}: {text}");
        }
        assert_eq!(models, 2);
    }
}
