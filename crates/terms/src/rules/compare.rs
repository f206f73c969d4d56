//! Comparisons of bit-vectors.
//!
//! Normal form: only `<` of both kinds, `<=` being a negated `<`; what is decided by one value is an equality.

use base::Bv;

use crate::arena::{Level, Term, Terms};
use crate::op::Op;
use crate::rules::ite::lift;
use crate::rules::{Rule, shape};
use crate::sort::Sort;

pub(crate) const ULE: &[Rule] = &[
    // (bvule x y) => (not (bvult y x))
    Rule {
        name: "ule_as_ult",
        level: Level::Fold,
        needs: shape::ANY,
        applies: &["(bvule x y)"],
        ignores: &["(bvult x y)", "(bvsle x y)"],
        apply: |terms, draft| {
            let above = terms.ult(draft.args[1], draft.args[0]);
            Some(terms.not(above))
        },
    },
];

pub(crate) const SLE: &[Rule] = &[
    // (bvsle x y) => (not (bvslt y x))
    Rule {
        name: "sle_as_slt",
        level: Level::Fold,
        needs: shape::ANY,
        applies: &["(bvsle x y)"],
        ignores: &["(bvslt x y)", "(bvule x y)"],
        apply: |terms, draft| {
            let above = terms.slt(draft.args[1], draft.args[0]);
            Some(terms.not(above))
        },
    },
];

pub(crate) const ULT: &[Rule] = &[
    // (bvult x zero) => false, (bvult x one) => (= x zero), (bvult x ones) => (not (= x ones)), and mirrored
    Rule {
        name: "ult_extreme",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &[
            "(bvult x zero)",
            "(bvult x one)",
            "(bvult x ones)",
            "(bvult ones x)",
            "(bvult zero x)",
        ],
        ignores: &["(bvult x k2)", "(bvult k2 x)"],
        apply: |terms, draft| {
            extreme(terms, draft.args, |width| {
                (Bv::zero(width), Bv::ones(width))
            })
        },
    },
    // (bvult ((_ zero_extend 2) x) k) => (bvult x k) or true, and mirrored
    Rule {
        name: "ult_zext_const",
        level: Level::Local,
        needs: shape::ZEXT | shape::CONST,
        applies: &[
            "(bvult ((_ zero_extend 2) x) ((_ zero_extend 2) k3))",
            "(bvult ((_ zero_extend 2) x) (concat #b01 k3))",
            "(bvult ((_ zero_extend 2) k3) ((_ zero_extend 2) x))",
        ],
        ignores: &[
            "(bvult ((_ zero_extend {w}) x) (concat y z))",
            "(bvult ((_ sign_extend 2) x) ((_ zero_extend 2) k3))",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (x, k) = match (terms.un(a, Op::Zext), terms.un(b, Op::Zext)) {
                (Some(x), _) => (x, terms.as_bv(b)?),
                (None, Some(x)) => (x, terms.as_bv(a)?),
                (None, None) => return None,
            };
            let low = k.trunc(terms.width(x));
            let fits = low.zext(k.width()) == k;
            let low = terms.bv(low);
            let left = terms.op(a) == Op::Zext;
            Some(match (left, fits) {
                (true, false) => terms.tru(),
                (false, false) => terms.fls(),
                (true, true) => terms.ult(x, low),
                (false, true) => terms.ult(low, x),
            })
        },
    },
];

pub(crate) const SLT: &[Rule] = &[
    // (bvslt x min) => false, (bvslt max x) => false, (bvslt x max) => (not (= x max)) …
    Rule {
        name: "slt_extreme",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &[
            "(bvslt x min)",
            "(bvslt max x)",
            "(bvslt x max)",
            "(bvslt min x)",
        ],
        ignores: &["(bvslt x zero)", "(bvslt k2 x)"],
        apply: |terms, draft| {
            extreme(terms, draft.args, |width| {
                (Bv::int_min(width), Bv::int_max(width))
            })
        },
    },
    // Of two terms that are never negative, the signed and the unsigned order are one.
    Rule {
        name: "slt_as_ult",
        level: Level::Full,
        needs: shape::FACT,
        applies: &[
            "(bvslt ((_ zero_extend 1) x) ((_ zero_extend 1) y))",
            "(bvslt ((_ zero_extend 1) x) ((_ zero_extend 1) k3))",
        ],
        ignores: &[
            "(bvslt ((_ zero_extend 1) x) ((_ sign_extend 1) y))",
            "(bvslt x k2)",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let never_negative = |t: Term| terms.fact(t).is_some_and(|fact| fact.smin >= 0);
            (never_negative(a) && never_negative(b)).then(|| terms.ult(a, b))
        },
    },
    // (bvslt ((_ sign_extend 2) x) k) => (bvslt x k) or decided, and mirrored
    Rule {
        name: "slt_sext_const",
        level: Level::Local,
        needs: shape::SEXT | shape::CONST,
        applies: &[
            "(bvslt ((_ sign_extend 2) x) ((_ sign_extend 2) k3))",
            "(bvslt ((_ sign_extend 2) x) (concat #b10 k3))",
            "(bvslt (concat #b01 k3) ((_ sign_extend 2) x))",
        ],
        ignores: &[
            "(bvslt ((_ sign_extend {w}) x) (concat y z))",
            "(bvslt ((_ zero_extend 2) x) ((_ sign_extend 2) k3))",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (x, k) = match (terms.un(a, Op::Sext), terms.un(b, Op::Sext)) {
                (Some(x), _) => (x, terms.as_bv(b)?),
                (None, Some(x)) => (x, terms.as_bv(a)?),
                (None, None) => return None,
            };
            let low = k.trunc(terms.width(x));
            let fits = low.sext(k.width()) == k;
            let low = terms.bv(low);
            let left = terms.op(a) == Op::Sext;
            // Outside the range of x, the constant's sign decides.
            Some(match (left, fits) {
                (true, false) => terms.bool(!k.is_negative()),
                (false, false) => terms.bool(k.is_negative()),
                (true, true) => terms.slt(x, low),
                (false, true) => terms.slt(low, x),
            })
        },
    },
    // (bvslt (concat x y) zero) => (bvslt x zero)
    Rule {
        name: "slt_concat_zero",
        level: Level::Full,
        needs: shape::CONCAT | shape::CONST,
        applies: &["(bvslt (concat x y) (concat zero zero))"],
        ignores: &["(bvslt (concat x y) (concat zero one))", "(bvslt x zero)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (high, _) = terms.bin(a, Op::Concat)?;
            if !terms.as_bv(b)?.is_zero() {
                return None;
            }
            let zero = Bv::zero(terms.width(high));
            let zero = terms.bv(zero);
            Some(terms.slt(high, zero))
        },
    },
];

/// Rules for both orders.
pub(crate) const LESS: &[Rule] = &[
    // (bvult x x) => false
    Rule {
        name: "less_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(bvult x x)", "(bvslt x x)"],
        ignores: &["(bvult x y)"],
        apply: |terms, _| Some(terms.fls()),
    },
    // Intervals that do not overlap decide.
    Rule {
        name: "less_facts",
        level: Level::Full,
        needs: shape::FACT,
        applies: &[
            "(bvult (concat #b0 x) (concat #b1 y))",
            "(bvslt (concat #b0 x) (concat #b1 y))",
            "(bvult (concat #b1 x) ((_ zero_extend 1) y))",
        ],
        ignores: &[
            "(bvult ((_ zero_extend 1) x) ((_ zero_extend 1) y))",
            "(bvslt x k2)",
        ],
        apply: |terms, draft| {
            let (x, y) = (terms.fact(draft.args[0])?, terms.fact(draft.args[1])?);
            let (always, never) = match draft.op {
                Op::Ult => (x.umax < y.umin, x.umin >= y.umax),
                _ => (x.smax < y.smin, x.smin >= y.smax),
            };
            (always || never).then(|| terms.bool(always))
        },
    },
    // (bvult ((_ zero_extend 2) x) ((_ zero_extend 2) y)) => (bvult x y); sign_extend keeps both orders, zero_extend makes both unsigned
    Rule {
        name: "less_extend",
        level: Level::Local,
        needs: shape::EXTEND,
        applies: &[
            "(bvult ((_ zero_extend 2) x) ((_ zero_extend 2) y))",
            "(bvslt ((_ zero_extend 2) x) ((_ zero_extend 2) y))",
            "(bvult ((_ sign_extend 2) x) ((_ sign_extend 2) y))",
            "(bvslt ((_ sign_extend 2) x) ((_ sign_extend 2) y))",
        ],
        ignores: &[
            "(bvult ((_ zero_extend 2) x) ((_ sign_extend 2) y))",
            "(bvult x y)",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if let (Some(x), Some(y)) = (terms.un(a, Op::Zext), terms.un(b, Op::Zext)) {
                return (terms.sort(x) == terms.sort(y)).then(|| terms.ult(x, y));
            }
            let (x, y) = (terms.un(a, Op::Sext)?, terms.un(b, Op::Sext)?);
            (terms.sort(x) == terms.sort(y)).then(|| terms.make2(draft.op, Sort::Bool, x, y))
        },
    },
    // (bvult (bvnot x) (bvnot y)) => (bvult y x), (bvult (bvnot x) k) => (bvult (bvnot k) x)
    Rule {
        name: "less_bvnot",
        level: Level::Local,
        needs: shape::BVNOT,
        applies: &[
            "(bvult (bvnot x) (bvnot y))",
            "(bvslt (bvnot x) (bvnot y))",
            "(bvult (bvnot x) k3)",
            "(bvslt k3 (bvnot x))",
        ],
        ignores: &["(bvult (bvnot x) y)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (left, right) = (terms.un(a, Op::BvNot), terms.un(b, Op::BvNot));
            let flip = |terms: &mut Terms, k: Term| terms.as_bv(k).map(|k| terms.bv(k.not()));
            let (x, y) = match (left, right) {
                (Some(x), Some(y)) => (x, y),
                (Some(x), None) => (x, flip(terms, b)?),
                (None, Some(y)) => (flip(terms, a)?, y),
                (None, None) => return None,
            };
            Some(terms.make2(draft.op, Sort::Bool, y, x))
        },
    },
    // (bvult (concat x y) (concat x z)) => (bvult y z)
    Rule {
        name: "less_concat_same_high",
        level: Level::Full,
        needs: shape::CONCAT,
        applies: &[
            "(bvult (concat x y) (concat x z))",
            "(bvslt (concat x y) (concat x z))",
        ],
        ignores: &[
            "(bvult (concat x y) (concat z y))",
            "(bvslt (concat t x) (concat x t))",
        ],
        apply: |terms, draft| {
            let (x, y) = terms.bin(draft.args[0], Op::Concat)?;
            let (u, v) = terms.bin(draft.args[1], Op::Concat)?;
            (x == u).then(|| terms.ult(y, v))
        },
    },
    // (bvult (concat x y) (concat z y)) => (bvult x z)
    Rule {
        name: "less_concat_same_low",
        level: Level::Full,
        needs: shape::CONCAT,
        applies: &[
            "(bvult (concat x y) (concat z y))",
            "(bvslt (concat x y) (concat z y))",
        ],
        ignores: &[
            "(bvult (concat x y) (concat x z))",
            "(bvslt (concat t x) (concat x t))",
        ],
        apply: |terms, draft| {
            let (x, y) = terms.bin(draft.args[0], Op::Concat)?;
            let (u, v) = terms.bin(draft.args[1], Op::Concat)?;
            (y == v).then(|| terms.make2(draft.op, Sort::Bool, x, u))
        },
    },
    // (bvult (ite p x y) k3) => (or (and p (bvult x k3)) (and (not p) (bvult y k3)))
    Rule {
        name: "less_cases",
        level: Level::Full,
        needs: shape::ANY,
        applies: &[
            "(bvult (ite p k2 k3) k3)",
            "(bvult (ite p x y) k3)",
            "(bvslt k3 (ite p x y))",
            "(bvult (ite p k2 k3) (ite q k3 k5))",
        ],
        ignores: &["(bvult (ite p x y) z)", "(bvult (ite p x y) (ite q k3 k5))"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let op = draft.op;
            if terms.is_const(a) {
                return terms.bool_by_cases(b, |terms, y| terms.make2(op, Sort::Bool, a, y));
            }
            if !terms.is_const(b) {
                terms.constant_cases(a)?;
                terms.constant_cases(b)?;
            }
            terms.bool_by_cases(a, |terms, x| terms.make2(op, Sort::Bool, x, b))
        },
    },
    // (bvult (ite p k2 k3) k3) => p: cases that are constants decide, as long as at most one is not
    Rule {
        name: "less_ite_const",
        level: Level::Local,
        needs: shape::ITE | shape::CONST,
        applies: &[
            "(bvult (ite p k2 k3) k3)",
            "(bvslt zero (ite p k2 (ite q k3 one)))",
            "(bvult (ite p x k3) k2)",
        ],
        ignores: &["(bvult (ite p x y) k3)", "(bvult k3 (ite p x y))"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let op = draft.op;
            if terms.is_const(b) {
                return lift(terms, a, |terms, leaf| terms.make2(op, Sort::Bool, leaf, b));
            }
            match terms.is_const(a) {
                true => lift(terms, b, |terms, leaf| terms.make2(op, Sort::Bool, a, leaf)),
                false => None,
            }
        },
    },
];

/// Comparison with the least or greatest value, or with their neighbours.
fn extreme(terms: &mut Terms, args: [Term; 3], ends: fn(u32) -> (Bv, Bv)) -> Option<Term> {
    let [a, b, _] = args;
    let width = terms.width(a);
    let (least, greatest) = ends(width);
    let one = Bv::one(width);
    if let Some(k) = terms.as_bv(b) {
        // a < k
        if k == least {
            return Some(terms.fls());
        }
        if k == least.add(&one) {
            let least = terms.bv(least);
            return Some(terms.eq(a, least));
        }
        return (k == greatest).then(|| terms.ne(a, b));
    }
    // k < b
    let k = terms.as_bv(a)?;
    if k == greatest {
        return Some(terms.fls());
    }
    if k == greatest.sub(&one) {
        let greatest = terms.bv(greatest);
        return Some(terms.eq(b, greatest));
    }
    (k == least).then(|| terms.ne(b, a))
}
