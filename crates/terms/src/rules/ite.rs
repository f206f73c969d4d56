//! Ites: deciding, merging, and letting operators through to constant cases.

use crate::arena::{Draft, Level, Term, Terms};
use crate::op::Op;
use crate::rules::{Rule, shape};
use crate::sort::Sort;

pub(crate) const ITE: &[Rule] = &[
    // (ite true x y) => x
    Rule {
        name: "ite_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(ite true x y)", "(ite false x y)"],
        ignores: &["(ite p x one)"],
        apply: |terms, draft| {
            let [c, a, b] = draft.args;
            Some(if terms.as_bool(c)? { a } else { b })
        },
    },
    // (ite p x x) => x
    Rule {
        name: "ite_same",
        level: Level::Fold,
        needs: shape::ANY,
        applies: &["(ite p x x)", "(ite p a a)"],
        ignores: &["(ite p x y)"],
        apply: |_, draft| (draft.args[1] == draft.args[2]).then_some(draft.args[1]),
    },
    // (ite (not p) x y) => (ite p y x)
    Rule {
        name: "ite_not",
        level: Level::Fold,
        needs: shape::NOT,
        applies: &["(ite (not p) x y)"],
        ignores: &["(ite p x y)", "(ite p (not q) r)"],
        apply: |terms, draft| {
            let [c, a, b] = draft.args;
            let c = terms.un(c, Op::Not)?;
            Some(terms.ite(c, b, a))
        },
    },
    // (ite p true q) => (or p q), (ite p q false) => (and p q) …
    Rule {
        name: "ite_bool_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &[
            "(ite p true q)",
            "(ite p false q)",
            "(ite p q true)",
            "(ite p q false)",
            "(ite p true false)",
            "(ite p false true)",
        ],
        ignores: &["(ite p one zero)", "(ite p q r)"],
        apply: |terms, draft| {
            let [c, a, b] = draft.args;
            match (terms.as_bool(a), terms.as_bool(b)) {
                (Some(true), Some(false)) => Some(c),
                (Some(false), Some(true)) => Some(terms.not(c)),
                (Some(true), _) => Some(terms.or(c, b)),
                (_, Some(false)) => Some(terms.and(c, a)),
                (Some(false), _) => {
                    let not_c = terms.not(c);
                    Some(terms.and(not_c, b))
                }
                (_, Some(true)) => {
                    let not_c = terms.not(c);
                    Some(terms.or(not_c, a))
                }
                (None, None) => None,
            }
        },
    },
    // (ite p p q) => (or p q), (ite p q p) => (and p q), and with (not p) in a case
    Rule {
        name: "ite_bool_cond",
        level: Level::Local,
        needs: shape::ANY,
        applies: &[
            "(ite p p q)",
            "(ite p q p)",
            "(ite p (not p) q)",
            "(ite p q (not p))",
        ],
        ignores: &["(ite p q r)", "(ite p q (not r))"],
        apply: |terms, draft| {
            let [c, a, b] = draft.args;
            if draft.sort != Sort::Bool {
                return None;
            }
            if c == a {
                Some(terms.or(c, b))
            } else if c == b {
                Some(terms.and(c, a))
            } else if terms.complementary(c, a) {
                Some(terms.and(a, b))
            } else if terms.complementary(c, b) {
                Some(terms.or(a, b))
            } else {
                None
            }
        },
    },
    // (ite p q (not q)) => (= p q)
    Rule {
        name: "ite_bool_eq",
        level: Level::Local,
        needs: shape::NOT,
        applies: &["(ite p q (not q))", "(ite p (not q) q)"],
        ignores: &["(ite p q (not r))"],
        apply: |terms, draft| {
            let [c, a, b] = draft.args;
            terms.complementary(a, b).then(|| terms.eq(c, a))
        },
    },
    // (ite p (ite p x y) z) => (ite p x z)
    Rule {
        name: "ite_nested_same_cond",
        level: Level::Local,
        needs: shape::ITE,
        applies: &["(ite p (ite p x y) z)", "(ite p x (ite p y z))"],
        ignores: &["(ite p (ite q x y) z)"],
        apply: |terms, draft| {
            let [c, a, b] = draft.args;
            let left = terms.as_ite(a).filter(|&(d, ..)| d == c).map(|(_, x, _)| x);
            let right = terms.as_ite(b).filter(|&(d, ..)| d == c).map(|(.., x)| x);
            if left.is_none() && right.is_none() {
                return None;
            }
            Some(terms.ite(c, left.unwrap_or(a), right.unwrap_or(b)))
        },
    },
    // (ite p k2 (ite q k3 k2)) => the leaves in order, each once, with its guard
    Rule {
        name: "ite_cases",
        level: Level::Full,
        needs: shape::ITE,
        applies: &[
            "(ite p k2 (ite q k3 k2))",
            "(ite p (ite q k2 k3) (ite r k3 k5))",
            "(ite p (ite q x y) (ite q y z))",
            "(ite p x (ite q y k2))",
        ],
        ignores: &["(ite p x y)", "(ite p q (ite r s q))"],
        apply: |terms, draft| {
            let [c, a, b] = draft.args;
            draft.sort.bv_width()?;
            terms.ite_by_cases(c, a, b)
        },
    },
    // (ite p x (ite q x y)) => (ite (or p q) x y), and the three like it
    Rule {
        name: "ite_nested_same_case",
        level: Level::Full,
        needs: shape::ITE,
        applies: &[
            "(ite p x (ite q x y))",
            "(ite p x (ite q y x))",
            "(ite p (ite q x y) x)",
            "(ite p (ite q x y) y)",
        ],
        ignores: &["(ite p x (ite q y z))", "(ite p (ite q x y) z)"],
        apply: |terms, draft| {
            let [c, a, b] = draft.args;
            if let Some((d, x, y)) = terms.as_ite(b) {
                if x == a {
                    let either = terms.or(c, d);
                    return Some(terms.ite(either, a, y));
                }
                if y == a {
                    let not_d = terms.not(d);
                    let either = terms.or(c, not_d);
                    return Some(terms.ite(either, a, x));
                }
            }
            let (d, x, y) = terms.as_ite(a)?;
            if y == b {
                let both = terms.and(c, d);
                return Some(terms.ite(both, x, b));
            }
            (x == b).then(|| {
                let not_d = terms.not(d);
                let both = terms.and(c, not_d);
                terms.ite(both, y, b)
            })
        },
    },
    // (ite (= x y) x y) => y
    Rule {
        name: "ite_eq_cases",
        level: Level::Local,
        needs: shape::EQ,
        applies: &[
            "(ite (= x y) x y)",
            "(ite (= x y) y x)",
            "(ite (= x one) one x)",
        ],
        ignores: &["(ite (= x y) x z)", "(ite (= x y) z y)"],
        apply: |terms, draft| {
            let [c, a, b] = draft.args;
            let (x, y) = terms.bin(c, Op::Eq)?;
            ((x, y) == (a, b) || (x, y) == (b, a)).then_some(b)
        },
    },
    // (ite (= t #b1) #b1 #b0) => t
    Rule {
        name: "ite_one_bit",
        level: Level::Local,
        needs: shape::EQ | shape::CONST,
        applies: &["(ite (= t #b1) #b1 #b0)", "(ite (= t #b1) #b0 #b1)"],
        ignores: &["(ite (= x one) one zero)", "(ite (= t #b1) x zero)"],
        apply: |terms, draft| {
            let [c, a, b] = draft.args;
            let (x, k) = terms.bin(c, Op::Eq)?;
            if draft.sort != Sort::BitVec(1) || terms.sort(x) != Sort::BitVec(1) {
                return None;
            }
            let (k, a, b) = (terms.as_u64(k)?, terms.as_u64(a)?, terms.as_u64(b)?);
            match a == b {
                true => None,
                false if a == k => Some(x),
                false => Some(terms.bvnot(x)),
            }
        },
    },
    // (ite p (bvadd x k2) (bvadd x k3)) => (bvadd x (ite p k2 k3)), and (ite p x (bvadd x k3)) alike
    Rule {
        name: "ite_add_const",
        level: Level::Full,
        needs: shape::ADD,
        applies: &[
            "(ite p (bvadd x k2) (bvadd x k3))",
            "(ite p x (bvadd x k3))",
            "(ite p (bvadd x k3) x)",
        ],
        ignores: &["(ite p (bvadd x k2) (bvadd y k3))", "(ite p x (bvadd x y))"],
        apply: |terms, draft| {
            let [c, a, b] = draft.args;
            let (x, k) = base_and_offset(terms, a);
            let (y, l) = base_and_offset(terms, b);
            if x != y || k.is_none() && l.is_none() {
                return None;
            }
            let width = draft.sort.bv_width()?;
            let zero = terms.bv_u64(0, width);
            let offset = terms.ite(c, k.unwrap_or(zero), l.unwrap_or(zero));
            Some(terms.add(x, offset))
        },
    },
];

/// `x` and `k` of `x + k`; otherwise the term itself.
fn base_and_offset(terms: &Terms, t: Term) -> (Term, Option<Term>) {
    match terms.bin(t, Op::Add) {
        Some((x, k)) if terms.is_const(k) => (x, Some(k)),
        _ => (t, None),
    }
}

/// The greatest number of ites that a comparison is let through to.
const LIFT_LIMIT: usize = 16;

/// The tree of ites `t` with every leaf replaced by a Boolean, if the tree is small and at most one leaf is no constant.
/// `leaf` gives the Boolean; of constants it makes a constant. What is left of the tree are its conditions.
pub(crate) fn lift(
    terms: &mut Terms,
    t: Term,
    leaf: impl Fn(&mut Terms, Term) -> Term,
) -> Option<Term> {
    // The ites of the tree, each after those that it occurs in; shared ones once.
    let mut ites = vec![t];
    let mut others = None;
    let mut next = 0;
    while let Some(&ite) = ites.get(next) {
        next += 1;
        let (_, a, b) = terms.as_ite(ite)?;
        for case in [a, b] {
            match terms.op(case) {
                Op::Ite if ites.contains(&case) => {}
                Op::Ite => ites.push(case),
                _ if terms.is_const(case) || others == Some(case) => {}
                _ if others.is_none() => others = Some(case),
                _ => return None,
            }
        }
        if ites.len() > LIFT_LIMIT {
            return None;
        }
    }
    // Arguments are older, so ascending order is bottom-up.
    ites.sort_unstable();
    let mut lifted: Vec<Term> = Vec::with_capacity(ites.len());
    for &ite in &ites {
        let (c, a, b) = terms.as_ite(ite).expect("only ites are in the list");
        let mut cases = [a, b];
        for case in &mut cases {
            *case = match ites.binary_search(case) {
                Ok(place) => lifted[place],
                Err(_) => leaf(terms, *case),
            };
        }
        let made = terms.ite(c, cases[0], cases[1]);
        lifted.push(made);
    }
    lifted.pop()
}

/// Operators that are let through to the cases of ites of constants. The result is again an ite of constants.
pub(crate) const PULL: &[Rule] = &[
    // (bvnot (ite p k2 k3)) => (ite p (bvnot k2) (bvnot k3))
    Rule {
        name: "pull_unary",
        level: Level::Local,
        needs: shape::ITE,
        applies: &[
            "(bvnot (ite p k2 k3))",
            "(bvneg (ite p k2 k3))",
            "((_ extract 0 0) (ite p k2 k3))",
            "((_ zero_extend 2) (ite p k2 k3))",
            "((_ sign_extend 2) (ite p k2 k3))",
        ],
        ignores: &["(bvnot (ite p x k3))", "(bvneg x)"],
        apply: |terms, draft| {
            if draft.op.arity() != Some(1) {
                return None;
            }
            let (c, x, y) = const_ite(terms, draft.args[0])?;
            pull(terms, draft, c, [x, draft.args[1]], [y, draft.args[1]])
        },
    },
    // (bvadd (ite p k2 k3) k5) => (ite p (bvadd k2 k5) (bvadd k3 k5))
    Rule {
        name: "pull_binary_const",
        level: Level::Local,
        needs: shape::ITE | shape::CONST,
        applies: &[
            "(bvadd (ite p k2 k3) k5)",
            "(bvshl one (ite p k2 k3))",
            "(concat (ite p k2 k3) one)",
        ],
        ignores: &["(bvadd (ite p k2 k3) x)", "(bvadd (ite p x k3) one)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if draft.op.arity() != Some(2) {
                return None;
            }
            if terms.is_const(b) {
                let (c, x, y) = const_ite(terms, a)?;
                return pull(terms, draft, c, [x, b], [y, b]);
            }
            let (c, x, y) = const_ite(terms, b)?;
            terms
                .is_const(a)
                .then(|| pull(terms, draft, c, [a, x], [a, y]))
                .flatten()
        },
    },
    // (bvadd (ite p k2 k3) (ite p k5 k7)) => (ite p (bvadd k2 k5) (bvadd k3 k7))
    Rule {
        name: "pull_binary_ites",
        level: Level::Local,
        needs: shape::ITE,
        applies: &["(bvadd (ite p k2 k3) (ite p k5 k7))"],
        ignores: &[
            "(bvadd (ite p k2 k3) (ite q k5 k7))",
            "(bvadd (ite p x k3) (ite p k5 k7))",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if draft.op.arity() != Some(2) {
                return None;
            }
            let (c, x, y) = const_ite(terms, a)?;
            let (d, u, v) = const_ite(terms, b)?;
            (c == d)
                .then(|| pull(terms, draft, c, [x, u], [y, v]))
                .flatten()
        },
    },
    // (bvand (ite p one zero) (ite q one zero)) => (ite (and p q) one zero): Booleans that were made numbers
    Rule {
        name: "pull_bits",
        level: Level::Full,
        needs: shape::ITE,
        applies: &[
            "(bvand (ite p one zero) (ite q one zero))",
            "(bvor (ite p one zero) (ite q one zero))",
            "(bvxor (ite p one zero) (ite q zero one))",
            "(bvand (ite p ones zero) (ite q zero ones))",
        ],
        ignores: &[
            "(bvand (ite p one zero) (ite q k3 zero))",
            "(bvadd (ite p one zero) (ite q one zero))",
        ],
        apply: |terms, draft| {
            let join: fn(&mut Terms, Term, Term) -> Term = match draft.op {
                Op::BvAnd => Terms::and,
                Op::BvOr => Terms::or,
                Op::BvXor => Terms::xor,
                _ => return None,
            };
            let (p, k) = zero_or(terms, draft.args[0])?;
            let (q, l) = zero_or(terms, draft.args[1])?;
            if k != l {
                return None;
            }
            let condition = |terms: &mut Terms, (c, negated): (Term, bool)| {
                if negated { terms.not(c) } else { c }
            };
            let (p, q) = (condition(terms, p), condition(terms, q));
            let joined = join(terms, p, q);
            let zero = terms.bv(base::Bv::zero(draft.sort.bv_width()?));
            Some(terms.ite(joined, k, zero))
        },
    },
    // (bvadd (ite p k2 (ite q k3 k5)) k7), case by case
    Rule {
        name: "pull_cases",
        level: Level::Full,
        needs: shape::ITE,
        applies: &[
            "(bvnot (ite p k2 k3))",
            "(bvadd (ite p k2 k3) k5)",
            "(bvshl one (ite p k2 k3))",
            "(bvadd (ite p k2 k3) (ite q k5 k7))",
            "(bvmul (ite p one zero) (ite q k5 zero))",
            "(bvmul (ite p x k3) k5)",
        ],
        ignores: &["(bvadd (ite p x y) k5)", "(bvadd (ite p k2 k3) x)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let make = |terms: &mut Terms, x: Term, y: Term| {
                let args = [x, y, draft.args[2]];
                terms.make(Draft { args, ..*draft })
            };
            match draft.op.arity()? {
                1 => terms.map_cases(a, |terms, x| make(terms, x, b)),
                2 if terms.is_const(b) => terms.map_cases(a, |terms, x| make(terms, x, b)),
                2 if terms.is_const(a) => terms.map_cases(b, |terms, y| make(terms, a, y)),
                2 => terms.join_cases(a, b, make),
                _ => None,
            }
        },
    },
];

/// Condition and cases of an ite of two constants.
fn const_ite(terms: &Terms, t: Term) -> Option<(Term, Term, Term)> {
    terms
        .as_ite(t)
        .filter(|&(_, a, b)| terms.is_const(a) && terms.is_const(b))
}

/// `(ite c (op left) (op right))`.
fn pull(
    terms: &mut Terms,
    draft: &Draft,
    c: Term,
    left: [Term; 2],
    right: [Term; 2],
) -> Option<Term> {
    let with = |args: [Term; 2]| Draft {
        args: [args[0], args[1], draft.args[2]],
        ..*draft
    };
    let left = terms.make(with(left));
    let right = terms.make(with(right));
    Some(terms.ite(c, left, right))
}

/// The constant that an ite chooses besides zero, and its condition with whether that is negated.
fn zero_or(terms: &Terms, t: Term) -> Option<((Term, bool), Term)> {
    let (c, x, y) = const_ite(terms, t)?;
    let (a, b) = (terms.as_bv(x)?, terms.as_bv(y)?);
    match (a.is_zero(), b.is_zero()) {
        (false, true) => Some(((c, false), x)),
        (true, false) => Some(((c, true), y)),
        (true, true) | (false, false) => None,
    }
}
