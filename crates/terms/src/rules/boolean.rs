//! Boolean connectives.
//!
//! Normal form: no double negations, no exclusive disjunction (it is a negated equality), and of two negated arguments
//! the negation moves out, so that a formula and its negation share a node.

use crate::arena::{Level, Term, Terms};
use crate::implied::Literal;
use crate::op::Op;
use crate::rules::{Rule, either, shape};
use crate::sort::Sort;

pub(crate) const NOT: &[Rule] = &[
    // (not (not p)) => p
    Rule {
        name: "not_not",
        level: Level::Fold,
        needs: shape::NOT,
        applies: &["(not (not p))", "(not (not (and p q)))"],
        ignores: &["(not p)", "(not (and p q))"],
        apply: |terms, draft| terms.un(draft.args[0], Op::Not),
    },
    // (not (ite p true q)) => (ite p false (not q)), if a case is a constant or a negation
    Rule {
        name: "not_ite",
        level: Level::Local,
        needs: shape::ITE,
        applies: &["(not (ite p (not q) r))", "(not (ite p q false))"],
        ignores: &["(not (ite p q r))"],
        apply: |terms, draft| {
            let (c, a, b) = terms.as_ite(draft.args[0])?;
            let free = |terms: &Terms, t: Term| terms.is_const(t) || terms.op(t) == Op::Not;
            if !free(terms, a) && !free(terms, b) {
                return None;
            }
            let (a, b) = (terms.not(a), terms.not(b));
            Some(terms.ite(c, a, b))
        },
    },
];

pub(crate) const AND: &[Rule] = &[
    // (and p true) => p, (and p false) => false
    Rule {
        name: "and_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(and p true)", "(and p false)"],
        ignores: &["(and p q)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            Some(if terms.as_bool(b)? { a } else { b })
        },
    },
    // (and p p) => p
    Rule {
        name: "and_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(and p p)"],
        ignores: &["(and p q)"],
        apply: |_, draft| Some(draft.args[0]),
    },
    // (and p (not p)) => false
    Rule {
        name: "and_complement",
        level: Level::Fold,
        needs: shape::NOT,
        applies: &["(and p (not p))", "(and (not (or p q)) (or p q))"],
        ignores: &["(and p (not q))"],
        apply: |terms, draft| {
            terms
                .complementary(draft.args[0], draft.args[1])
                .then(|| terms.fls())
        },
    },
    // (and p (and p q)) => (and p q), (and p (and (not p) q)) => false
    Rule {
        name: "and_in_and",
        level: Level::Local,
        needs: shape::AND,
        applies: &["(and p (and q p))", "(and (and p (not q)) q)"],
        ignores: &["(and p (and q r))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (x, y) = terms.bin(b, Op::And)?;
                if a == x || a == y {
                    return Some(b);
                }
                (terms.complementary(a, x) || terms.complementary(a, y)).then(|| terms.fls())
            })
        },
    },
    // (and p (or p q)) => p, (and p (or (not p) q)) => (and p q)
    Rule {
        name: "and_over_or",
        level: Level::Local,
        needs: shape::OR,
        applies: &[
            "(and p (or q p))",
            "(and (or (not p) q) p)",
            "(and (not p) (or p q))",
        ],
        ignores: &["(and p (or q r))"],
        apply: |terms, draft| absorb(terms, draft.args, Op::Or, Terms::and),
    },
    // (and p (not (or p q))) => false, (and p (not (and p q))) => (and p (not q)), (and (not p) (not (or p q))) => (not (or p q))
    Rule {
        name: "and_over_not",
        level: Level::Local,
        needs: shape::NOT,
        applies: &[
            "(and p (not (or q p)))",
            "(and (not (and p q)) p)",
            "(and (not p) (not (or p q)))",
            "(and (not p) (not (and p q)))",
        ],
        ignores: &["(and p (not (or q r)))", "(and p (not (and q r)))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let inner = terms.un(b, Op::Not)?;
                if let Some((x, y)) = terms.bin(inner, Op::Or) {
                    // b is (and (not x) (not y))
                    if a == x || a == y {
                        return Some(terms.fls());
                    }
                    return (terms.complementary(a, x) || terms.complementary(a, y)).then_some(b);
                }
                // b is (or (not x) (not y))
                let (x, y) = terms.bin(inner, Op::And)?;
                if terms.complementary(a, x) || terms.complementary(a, y) {
                    return Some(a);
                }
                let rest = if a == x {
                    y
                } else if a == y {
                    x
                } else {
                    return None;
                };
                let rest = terms.not(rest);
                Some(terms.and(a, rest))
            })
        },
    },
    // (and (or p q) (or p (not q))) => p
    Rule {
        name: "and_resolve",
        level: Level::Local,
        needs: shape::OR,
        applies: &["(and (or p q) (or (not q) p))"],
        ignores: &["(and (or p q) (or p r))", "(and (or p q) (or r (not q)))"],
        apply: |terms, draft| resolve(terms, draft.args, Op::Or),
    },
    // (and (= x k2) (= x k3)) => false
    Rule {
        name: "and_eq_consts",
        level: Level::Local,
        needs: shape::EQ,
        applies: &["(and (= x k2) (= x k3))"],
        ignores: &["(and (= x k2) (= y k3))", "(and (= x k2) (= x y))"],
        apply: |terms, draft| {
            let (x, k) = eq_const(terms, draft.args[0])?;
            let (y, l) = eq_const(terms, draft.args[1])?;
            (x == y && k != l).then(|| terms.fls())
        },
    },
    // (and (= x k2) (not (= x k3))) => (= x k2)
    Rule {
        name: "and_eq_not_eq",
        level: Level::Local,
        needs: shape::EQ | shape::NOT,
        applies: &["(and (= x k2) (not (= x k3)))"],
        ignores: &[
            "(and (= x k2) (not (= y k3)))",
            "(and (= x k2) (not (= x y)))",
        ],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (x, k) = eq_const(terms, a)?;
                let (y, l) = eq_const(terms, terms.un(b, Op::Not)?)?;
                (x == y && k != l).then_some(a)
            })
        },
    },
    // (and (not (bvult x y)) (not (bvult y x))) => (= x y)
    Rule {
        name: "and_not_less",
        level: Level::Full,
        needs: shape::NOT,
        applies: &["(and (not (bvult x y)) (not (bvult y x)))"],
        ignores: &[
            "(and (not (bvult x y)) (not (bvslt y x)))",
            "(and (not (bvult x y)) (not (bvult y z)))",
        ],
        apply: |terms, draft| {
            let (a, b) = (
                terms.un(draft.args[0], Op::Not)?,
                terms.un(draft.args[1], Op::Not)?,
            );
            let op = terms.op(a);
            let (x, y) = terms.bin(a, Op::Ult).or_else(|| terms.bin(a, Op::Slt))?;
            (terms.bin(b, op) == Some((y, x))).then(|| terms.eq(x, y))
        },
    },
    // (and p q) => p if p implies q, false if p excludes q: parts of conjunctions, comparisons with constants, of two terms
    Rule {
        name: "and_implied",
        level: Level::Full,
        needs: shape::ANY,
        applies: &[
            "(and (and (and p q) r) p)",
            "(and (not q) (and r (and p q)))",
            "(and (not (or (or p q) r)) (not q))",
            "(and (bvult x y) (bvult y x))",
            "(and (bvslt x y) (not (bvslt y x)))",
            "(and (= x y) (bvult x y))",
            "(and (bvult x k3) (bvult x k5))",
            "(and (not (bvult k3 x)) (not (bvult k5 x)))",
            "(and (bvult x k3) (bvult k5 x))",
            "(and (= x k3) (bvslt zero x))",
            "(and (and (= x k3) p) (= x k5))",
        ],
        ignores: &[
            "(and (and (and p q) r) s)",
            "(and (or (and p q) r) p)",
            "(and (bvult x y) (bvslt y x))",
            "(and (bvult x k5) (bvult k2 x))",
            "(and (bvult x k3) (bvult y k5))",
        ],
        apply: |terms, draft| {
            either(draft, |a, b| match terms.decide_given(a, b)? {
                true => Some(a),
                false => Some(terms.fls()),
            })
        },
    },
    // (and (or p q) (or p r)) => (or p (and q r))
    Rule {
        name: "and_factor",
        level: Level::Full,
        needs: shape::OR,
        applies: &["(and (or p q) (or p r))", "(and (or p q) (or r q))"],
        ignores: &["(and (or p q) (or r s))", "(and (or p q) p)"],
        apply: |terms, draft| {
            let (shared, left, right) = factor(terms, draft.args, Op::Or)?;
            let both = terms.and(left, right);
            Some(terms.or(shared, both))
        },
    },
    // (and (not p) (not q)) => (not (or p q))
    Rule {
        name: "and_nots",
        level: Level::Local,
        needs: shape::NOT,
        applies: &["(and (not p) (not q))"],
        ignores: &["(and p (not q))"],
        apply: |terms, draft| {
            let (a, b) = (
                terms.un(draft.args[0], Op::Not)?,
                terms.un(draft.args[1], Op::Not)?,
            );
            let joined = terms.or(a, b);
            Some(terms.not(joined))
        },
    },
];

pub(crate) const OR: &[Rule] = &[
    // (or p false) => p, (or p true) => true
    Rule {
        name: "or_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(or p true)", "(or p false)"],
        ignores: &["(or p q)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            Some(if terms.as_bool(b)? { b } else { a })
        },
    },
    // (or p p) => p
    Rule {
        name: "or_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(or p p)"],
        ignores: &["(or p q)"],
        apply: |_, draft| Some(draft.args[0]),
    },
    // (or p (not p)) => true
    Rule {
        name: "or_complement",
        level: Level::Fold,
        needs: shape::NOT,
        applies: &["(or p (not p))", "(or (not (and p q)) (and p q))"],
        ignores: &["(or p (not q))"],
        apply: |terms, draft| {
            terms
                .complementary(draft.args[0], draft.args[1])
                .then(|| terms.tru())
        },
    },
    // (or p (or p q)) => (or p q), (or p (or (not p) q)) => true
    Rule {
        name: "or_in_or",
        level: Level::Local,
        needs: shape::OR,
        applies: &["(or p (or q p))", "(or (or p (not q)) q)"],
        ignores: &["(or p (or q r))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (x, y) = terms.bin(b, Op::Or)?;
                if a == x || a == y {
                    return Some(b);
                }
                (terms.complementary(a, x) || terms.complementary(a, y)).then(|| terms.tru())
            })
        },
    },
    // (or p (and p q)) => p, (or p (and (not p) q)) => (or p q)
    Rule {
        name: "or_over_and",
        level: Level::Local,
        needs: shape::AND,
        applies: &[
            "(or p (and q p))",
            "(or (and (not p) q) p)",
            "(or (not p) (and p q))",
        ],
        ignores: &["(or p (and q r))"],
        apply: |terms, draft| absorb(terms, draft.args, Op::And, Terms::or),
    },
    // (or p (not (and p q))) => true, (or p (not (or p q))) => (or p (not q)), (or (not p) (not (and p q))) => (not (and p q))
    Rule {
        name: "or_over_not",
        level: Level::Local,
        needs: shape::NOT,
        applies: &[
            "(or p (not (and q p)))",
            "(or (not (or p q)) p)",
            "(or (not p) (not (and p q)))",
            "(or (not p) (not (or p q)))",
        ],
        ignores: &["(or p (not (or q r)))", "(or p (not (and q r)))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let inner = terms.un(b, Op::Not)?;
                if let Some((x, y)) = terms.bin(inner, Op::And) {
                    // b is (or (not x) (not y))
                    if a == x || a == y {
                        return Some(terms.tru());
                    }
                    return (terms.complementary(a, x) || terms.complementary(a, y)).then_some(b);
                }
                // b is (and (not x) (not y))
                let (x, y) = terms.bin(inner, Op::Or)?;
                if terms.complementary(a, x) || terms.complementary(a, y) {
                    return Some(a);
                }
                let rest = if a == x {
                    y
                } else if a == y {
                    x
                } else {
                    return None;
                };
                let rest = terms.not(rest);
                Some(terms.or(a, rest))
            })
        },
    },
    // (or (and p q) (and p (not q))) => p
    Rule {
        name: "or_resolve",
        level: Level::Local,
        needs: shape::AND,
        applies: &["(or (and p q) (and (not q) p))"],
        ignores: &["(or (and p q) (and p r))", "(or (and p q) (and r (not q)))"],
        apply: |terms, draft| resolve(terms, draft.args, Op::And),
    },
    // (or (bvult x y) (= x y)) => (not (bvult y x))
    Rule {
        name: "or_less",
        level: Level::Full,
        needs: shape::LESS,
        applies: &["(or (bvult x y) (= y x))", "(or (= x y) (bvslt x y))"],
        ignores: &[
            "(or (bvult x y) (= x z))",
            "(or (bvult x y) (not (bvslt y x)))",
        ],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let op = terms.op(a);
                let (x, y) = terms.bin(a, Op::Ult).or_else(|| terms.bin(a, Op::Slt))?;
                let sides = terms.bin(b, Op::Eq)?;
                if sides != (x, y) && sides != (y, x) {
                    return None;
                }
                let above = terms.make2(op, Sort::Bool, y, x);
                Some(terms.not(above))
            })
        },
    },
    // (or p q) => p if q implies p, true if (not p) implies q
    Rule {
        name: "or_implied",
        level: Level::Full,
        needs: shape::ANY,
        applies: &[
            "(or (or (or p q) r) p)",
            "(or (not q) (or r (or p q)))",
            "(or (not (and (and p q) r)) (not q))",
            "(or (bvult x k3) (bvult x k5))",
            "(or (bvult x k5) (bvult k3 x))",
            "(or (= x k3) (bvult x k5))",
            "(or (bvslt x y) (not (bvslt y x)))",
        ],
        ignores: &[
            "(or (or (or p q) r) s)",
            "(or (and (or p q) r) p)",
            "(or (bvult x k3) (bvult k5 x))",
            "(or (bvult x y) (= x y))",
        ],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (not_a, not_b) = (
                    Literal::of(terms, a).negated(),
                    Literal::of(terms, b).negated(),
                );
                match terms.decide_given_literal(not_a, not_b)? {
                    true => Some(a),
                    false => Some(terms.tru()),
                }
            })
        },
    },
    // (or (and p q) (and p r)) => (and p (or q r))
    Rule {
        name: "or_factor",
        level: Level::Full,
        needs: shape::AND,
        applies: &["(or (and p q) (and p r))", "(or (and p q) (and r q))"],
        ignores: &["(or (and p q) (and r s))", "(or (and p q) p)"],
        apply: |terms, draft| {
            let (shared, left, right) = factor(terms, draft.args, Op::And)?;
            let any = terms.or(left, right);
            Some(terms.and(shared, any))
        },
    },
    // (or (not p) (not q)) => (not (and p q))
    Rule {
        name: "or_nots",
        level: Level::Local,
        needs: shape::NOT,
        applies: &["(or (not p) (not q))"],
        ignores: &["(or p (not q))"],
        apply: |terms, draft| {
            let (a, b) = (
                terms.un(draft.args[0], Op::Not)?,
                terms.un(draft.args[1], Op::Not)?,
            );
            let joined = terms.and(a, b);
            Some(terms.not(joined))
        },
    },
];

pub(crate) const XOR: &[Rule] = &[
    // (xor p q) => (not (= p q))
    Rule {
        name: "xor_as_eq",
        level: Level::Fold,
        needs: shape::ANY,
        applies: &["(xor p q)", "(xor p true)"],
        ignores: &["(= p q)"],
        apply: |terms, draft| {
            let equal = terms.eq(draft.args[0], draft.args[1]);
            Some(terms.not(equal))
        },
    },
];

pub(crate) const EQ: &[Rule] = &[
    // (= p true) => p, (= p false) => (not p)
    Rule {
        name: "eq_bool_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(= p true)", "(= p false)"],
        ignores: &["(= p q)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if terms.as_bool(b)? {
                Some(a)
            } else {
                Some(terms.not(a))
            }
        },
    },
    // (= p (not p)) => false
    Rule {
        name: "eq_complement",
        level: Level::Fold,
        needs: shape::NOT,
        applies: &["(= p (not p))"],
        ignores: &["(= p (not q))"],
        apply: |terms, draft| {
            terms
                .complementary(draft.args[0], draft.args[1])
                .then(|| terms.fls())
        },
    },
    // (= (not p) q) => (not (= p q)), (= (not p) (not q)) => (= p q)
    Rule {
        name: "eq_not",
        level: Level::Local,
        needs: shape::NOT,
        applies: &["(= p (not q))", "(= (not p) (not q))"],
        ignores: &["(= p q)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            match (terms.un(a, Op::Not), terms.un(b, Op::Not)) {
                (Some(a), Some(b)) => Some(terms.eq(a, b)),
                (Some(a), None) | (None, Some(a)) => {
                    let other = if terms.un(b, Op::Not).is_some() {
                        draft.args[0]
                    } else {
                        b
                    };
                    let equal = terms.eq(a, other);
                    Some(terms.not(equal))
                }
                (None, None) => None,
            }
        },
    },
];

/// `p op (p inner q)` is `p`, and `p op (not p inner q)` is `p op q`, where `inner` is the dual of `op`.
fn absorb(
    terms: &mut Terms,
    args: [Term; 3],
    inner: Op,
    op: fn(&mut Terms, Term, Term) -> Term,
) -> Option<Term> {
    let [a, b, _] = args;
    for (a, b) in [(a, b), (b, a)] {
        let Some((x, y)) = terms.bin(b, inner) else {
            continue;
        };
        if a == x || a == y {
            return Some(a);
        }
        if terms.complementary(a, x) {
            return Some(op(terms, a, y));
        }
        if terms.complementary(a, y) {
            return Some(op(terms, a, x));
        }
    }
    None
}

/// `(p inner q) op (p inner not q)` is `p`, where `inner` is the dual of `op`.
fn resolve(terms: &Terms, args: [Term; 3], inner: Op) -> Option<Term> {
    let (x, y) = terms.bin(args[0], inner)?;
    let (u, v) = terms.bin(args[1], inner)?;
    let cases = [(x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)];
    cases
        .into_iter()
        .find(|&(x, y, u, v)| x == u && terms.complementary(y, v))
        .map(|(x, ..)| x)
}

/// The sides of an equality with a constant, the constant second.
fn eq_const(terms: &Terms, t: Term) -> Option<(Term, Term)> {
    let (x, k) = terms.bin(t, Op::Eq)?;
    terms.is_const(k).then_some((x, k))
}

/// What two conjunctions (or disjunctions) share, and what is left of each.
fn factor(terms: &Terms, args: [Term; 3], op: Op) -> Option<(Term, Term, Term)> {
    let (x, y) = terms.bin(args[0], op)?;
    let (u, v) = terms.bin(args[1], op)?;
    let cases = [(x, y, u, v), (x, y, v, u), (y, x, u, v), (y, x, v, u)];
    cases
        .into_iter()
        .find(|&(x, _, u, _)| x == u)
        .map(|(shared, left, _, right)| (shared, left, right))
}

/// What is tried when no other rule of a connective applies.
pub(crate) const SAME: &[Rule] = &[
    // (and (or p q) (not p)) => what is there already and the same, or a constant
    Rule {
        name: "bool_same",
        level: Level::Full,
        needs: shape::ANY,
        applies: &[
            "(and (and p q) (or (not p) (not q)))",
            "(or (and p q) (or (and p (not q)) (not p)))",
            "(ite p (and q p) (and q (not p)))",
            "(xor p (= p q))",
        ],
        ignores: &["(and p q)", "(ite p q (or r s))", "(= x y)", "(ite p x y)"],
        apply: |terms, draft| terms.same_guard(draft),
    },
];
