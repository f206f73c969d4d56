//! Overflow predicates: with a constant they are comparisons, and facts often rule them out.

use base::Bv;

use crate::arena::{Draft, Level, Term, Terms};
use crate::op::Op;
use crate::rules::{Rule, shape};

pub(crate) const UADDO: &[Rule] = &[
    // (bvuaddo x k3) => (bvult (bvnot k3) x)
    Rule {
        name: "uaddo_const",
        level: Level::Local,
        needs: shape::CONST,
        applies: &["(bvuaddo x k3)", "(bvuaddo x zero)"],
        ignores: &["(bvuaddo x y)"],
        apply: |terms, draft| {
            let k = terms.as_bv(draft.args[1])?;
            let most = terms.bv(k.not());
            Some(terms.ult(most, draft.args[0]))
        },
    },
];

pub(crate) const SADDO: &[Rule] = &[
    // (bvsaddo x k3) => (bvslt (bvsub max k3) x), (bvsaddo x (bvneg k3)) => (bvslt x (bvsub min (bvneg k3)))
    Rule {
        name: "saddo_const",
        level: Level::Local,
        needs: shape::CONST,
        applies: &[
            "(bvsaddo x k3)",
            "(bvsaddo x zero)",
            "(bvsaddo x ones)",
            "(bvsaddo x min)",
        ],
        ignores: &["(bvsaddo x y)"],
        apply: |terms, draft| {
            let x = draft.args[0];
            let k = terms.as_bv(draft.args[1])?;
            if k.is_negative() {
                let least = terms.bv(Bv::int_min(k.width()).sub(&k));
                return Some(terms.slt(x, least));
            }
            let most = terms.bv(Bv::int_max(k.width()).sub(&k));
            Some(terms.slt(most, x))
        },
    },
];

pub(crate) const SSUBO: &[Rule] = &[
    // (bvssubo x x) => false
    Rule {
        name: "ssubo_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(bvssubo x x)"],
        ignores: &["(bvssubo x y)"],
        apply: |terms, _| Some(terms.fls()),
    },
    // (bvssubo x k3) => (bvslt x (bvadd min k3)), (bvssubo k3 x) => (bvslt x (bvsub k3 max)), and for negative constants
    Rule {
        name: "ssubo_const",
        level: Level::Local,
        needs: shape::CONST,
        applies: &[
            "(bvssubo x k3)",
            "(bvssubo x min)",
            "(bvssubo k3 x)",
            "(bvssubo zero x)",
            "(bvssubo min x)",
            "(bvssubo ones x)",
        ],
        ignores: &["(bvssubo x y)"],
        apply: |terms, draft| {
            let [x, y, _] = draft.args;
            if let Some(k) = terms.as_bv(y) {
                let (min, max) = (Bv::int_min(k.width()), Bv::int_max(k.width()));
                if k.is_negative() {
                    let most = terms.bv(max.add(&k));
                    return Some(terms.slt(most, x));
                }
                let least = terms.bv(min.add(&k));
                return Some(terms.slt(x, least));
            }
            let k = terms.as_bv(x)?;
            let (min, max) = (Bv::int_min(k.width()), Bv::int_max(k.width()));
            if k.is_negative() {
                let most = terms.bv(k.sub(&min));
                return Some(terms.slt(most, y));
            }
            let least = terms.bv(k.sub(&max));
            Some(terms.slt(y, least))
        },
    },
];

pub(crate) const UMULO: &[Rule] = &[
    // (bvumulo x k3) => (bvult (bvudiv ones k3) x)
    Rule {
        name: "umulo_const",
        level: Level::Local,
        needs: shape::CONST,
        applies: &[
            "(bvumulo x k3)",
            "(bvumulo x zero)",
            "(bvumulo x one)",
            "(bvumulo x ones)",
        ],
        ignores: &["(bvumulo x y)"],
        apply: |terms, draft| {
            let k = terms.as_bv(draft.args[1])?;
            if k.is_zero() {
                return Some(terms.fls());
            }
            let most = terms.bv(Bv::ones(k.width()).udiv(&k));
            Some(terms.ult(most, draft.args[0]))
        },
    },
];

pub(crate) const SMULO: &[Rule] = &[
    // (bvsmulo x k3) => (or (bvslt (bvsdiv max k3) x) (bvslt x (bvsdiv min k3))), with the sides exchanged for negative constants
    Rule {
        name: "smulo_const",
        level: Level::Local,
        needs: shape::CONST,
        applies: &[
            "(bvsmulo x k3)",
            "(bvsmulo x zero)",
            "(bvsmulo x one)",
            "(bvsmulo x ones)",
            "(bvsmulo x min)",
            "(bvsmulo x (bvneg k3))",
        ],
        ignores: &["(bvsmulo x y)"],
        apply: |terms, draft| {
            let x = draft.args[0];
            let k = terms.as_bv(draft.args[1])?;
            let (min, max) = (Bv::int_min(k.width()), Bv::int_max(k.width()));
            if k.is_zero() {
                return Some(terms.fls());
            }
            if k.is_ones() {
                // Only the least value has no opposite. Dividing it by minus one would not fit either.
                let min = terms.bv(min);
                return Some(terms.eq(x, min));
            }
            let (by_max, by_min) = (max.sdiv(&k), min.sdiv(&k));
            let (least, most) = if k.is_negative() {
                (by_max, by_min)
            } else {
                (by_min, by_max)
            };
            let (least, most) = (terms.bv(least), terms.bv(most));
            let (below, above) = (terms.slt(x, least), terms.slt(most, x));
            Some(terms.or(below, above))
        },
    },
];

pub(crate) const ANY: &[Rule] = &[
    // Intervals decide, for instance of extended operands.
    Rule {
        name: "overflow_facts",
        level: Level::Full,
        needs: shape::FACT,
        applies: &[
            "(bvuaddo ((_ zero_extend 1) x) ((_ zero_extend 1) y))",
            "(bvsaddo ((_ sign_extend 1) x) ((_ sign_extend 1) y))",
            "(bvssubo ((_ sign_extend 1) x) ((_ sign_extend 1) y))",
            "(bvumulo ((_ zero_extend {w}) x) ((_ zero_extend {w}) y))",
            "(bvsmulo ((_ sign_extend {w}) x) ((_ sign_extend {w}) y))",
            "(bvuaddo (concat #b1 x) (concat #b1 y))",
        ],
        ignores: &[
            "(bvuaddo ((_ sign_extend 1) x) ((_ sign_extend 1) y))",
            "(bvsmulo ((_ sign_extend {w-1}) x) ((_ sign_extend {w-1}) y))",
            "(bvuaddo x ((_ extract {w-1} 0) y))",
        ],
        apply: |terms, draft| decide(terms, draft),
    },
];

/// The value of an overflow predicate, if the facts of its arguments determine it.
fn decide(terms: &Terms, draft: &Draft) -> Option<Term> {
    let (x, y) = (terms.fact(draft.args[0])?, terms.fact(draft.args[1])?);
    let all = crate::facts::Fact::top(x.width);
    let unsigned = |low: u128, high: u128| {
        let limit = u128::from(all.umax);
        (high <= limit || low > limit).then_some(low > limit)
    };
    let signed = |low: i128, high: i128| {
        let (min, max) = (i128::from(all.smin), i128::from(all.smax));
        let never = min <= low && high <= max;
        let always = high < min || low > max;
        (never || always).then_some(always)
    };
    let (xl, xh, yl, yh) = (
        i128::from(x.smin),
        i128::from(x.smax),
        i128::from(y.smin),
        i128::from(y.smax),
    );
    let (ul, uh, vl, vh) = (
        u128::from(x.umin),
        u128::from(x.umax),
        u128::from(y.umin),
        u128::from(y.umax),
    );
    let overflows = match draft.op {
        Op::Uaddo => unsigned(ul + vl, uh + vh),
        Op::Umulo => unsigned(ul * vl, uh * vh),
        Op::Saddo => signed(xl + yl, xh + yh),
        Op::Ssubo => signed(xl - yh, xh - yl),
        Op::Smulo => {
            let ends = [xl * yl, xl * yh, xh * yl, xh * yh];
            signed(
                *ends.iter().min().expect("four"),
                *ends.iter().max().expect("four"),
            )
        }
        _ => None,
    }?;
    Some(terms.bool(overflows))
}
