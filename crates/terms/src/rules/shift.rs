//! Shifts.

use base::Bv;

use crate::arena::{Draft, Level, Term, Terms};
use crate::op::Op;
use crate::rules::{Rule, shape};

pub(crate) const SHL: &[Rule] = &[
    // (bvshl x zero) => x, (bvshl zero x) => zero
    Rule {
        name: "shl_zero",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvshl x zero)", "(bvshl zero x)"],
        ignores: &["(bvshl x one)", "(bvshl one x)"],
        apply: by_or_of_zero,
    },
    // (bvshl x k) => zero, if the amount is at least the width
    Rule {
        name: "shl_out",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvshl x (_ bv{w} {w}))", "(bvshl x ones)"],
        ignores: &["(bvshl x k2)"],
        apply: |terms, draft| {
            let k = terms.as_bv(draft.args[1])?;
            is_out(&k).then(|| terms.bv(Bv::zero(k.width())))
        },
    },
    // (bvshl (bvshl x k2) k3) => (bvshl x k5)
    Rule {
        name: "shl_shl",
        level: Level::Local,
        needs: shape::SHIFT | shape::CONST,
        applies: &["(bvshl (bvshl x k2) k3)"],
        ignores: &["(bvshl (bvlshr x k2) k3)", "(bvshl (bvshl x y) k3)"],
        apply: |terms, draft| add_amounts(terms, draft, Op::Shl),
    },
    // (bvshl (bvlshr x k2) k2) => (bvand x (bvnot k3))
    Rule {
        name: "shl_lshr",
        level: Level::Full,
        needs: shape::SHIFT | shape::CONST,
        applies: &["(bvshl (bvlshr x k2) k2)", "(bvshl (bvashr x k2) k2)"],
        ignores: &["(bvshl (bvlshr x k2) k3)", "(bvshl (bvlshr x y) y)"],
        apply: |terms, draft| {
            let [a, k, _] = draft.args;
            let (x, l) = terms.bin(a, Op::Lshr).or_else(|| terms.bin(a, Op::Ashr))?;
            let amount = small_amount(terms, k)?;
            if k != l {
                return None;
            }
            let width = terms.width(x);
            let mask = terms.bv(Bv::ones(width).shl_by(amount));
            Some(terms.bvand(x, mask))
        },
    },
    // (bvshl (bvmul x k3) k2) => (bvmul x k12), (bvshl (bvadd x k3) k2) => (bvadd (bvshl x k2) k12)
    Rule {
        name: "shl_linear",
        level: Level::Full,
        needs: shape::CONST,
        applies: &["(bvshl (bvmul x k3) k2)", "(bvshl (bvadd x k3) k2)"],
        ignores: &[
            "(bvshl (bvmul x y) k2)",
            "(bvshl (bvadd x y) k2)",
            "(bvshl (bvadd x k3) y)",
        ],
        apply: |terms, draft| {
            let [a, k, _] = draft.args;
            let amount = small_amount(terms, k)?;
            if let Some((x, l)) = terms.bin(a, Op::Mul) {
                let l = terms.as_bv(l)?;
                let factor = terms.bv(l.shl_by(amount));
                return Some(terms.mul(x, factor));
            }
            let (x, l) = terms.bin(a, Op::Add)?;
            let l = terms.as_bv(l)?;
            let offset = terms.bv(l.shl_by(amount));
            let scaled = terms.shl(x, k);
            Some(terms.add(scaled, offset))
        },
    },
    // (bvshl x y) => zero, if y is always at least the width
    Rule {
        name: "shl_out_by_fact",
        level: Level::Full,
        needs: shape::FACT,
        applies: &["(bvshl ((_ zero_extend {w}) x) (concat one y))"],
        ignores: &["(bvshl ((_ zero_extend {w}) x) ((_ zero_extend {w}) y))"],
        apply: |terms, draft| out_by_fact(terms, draft),
    },
];

pub(crate) const LSHR: &[Rule] = &[
    // (bvlshr x zero) => x, (bvlshr zero x) => zero
    Rule {
        name: "lshr_zero",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvlshr x zero)", "(bvlshr zero x)"],
        ignores: &["(bvlshr x one)", "(bvlshr one x)"],
        apply: by_or_of_zero,
    },
    // (bvlshr x k) => zero, if the amount is at least the width
    Rule {
        name: "lshr_out",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvlshr x (_ bv{w} {w}))", "(bvlshr x ones)"],
        ignores: &["(bvlshr x k2)"],
        apply: |terms, draft| {
            let k = terms.as_bv(draft.args[1])?;
            is_out(&k).then(|| terms.bv(Bv::zero(k.width())))
        },
    },
    // (bvlshr (bvlshr x k2) k3) => (bvlshr x k5)
    Rule {
        name: "lshr_lshr",
        level: Level::Local,
        needs: shape::SHIFT | shape::CONST,
        applies: &["(bvlshr (bvlshr x k2) k3)"],
        ignores: &["(bvlshr (bvshl x k2) k3)", "(bvlshr (bvlshr x y) k3)"],
        apply: |terms, draft| add_amounts(terms, draft, Op::Lshr),
    },
    // (bvlshr (bvshl x k2) k2) => ((_ zero_extend 2) ((_ extract {w-3} 0) x))
    Rule {
        name: "lshr_shl",
        level: Level::Full,
        needs: shape::SHIFT | shape::CONST,
        applies: &["(bvlshr (bvshl x k2) k2)"],
        ignores: &["(bvlshr (bvshl x k2) k3)", "(bvlshr (bvshl x y) y)"],
        apply: |terms, draft| {
            let (x, l) = terms.bin(draft.args[0], Op::Shl)?;
            let amount = small_amount(terms, draft.args[1])?;
            if l != draft.args[1] || amount == 0 {
                return None;
            }
            let width = terms.width(x);
            let low = terms.extract(x, width - 1 - amount, 0);
            Some(terms.zext(low, width))
        },
    },
    // (bvlshr (concat x y) k) => ((_ zero_extend …) x), and inside x; (bvlshr ((_ zero_extend 2) x) k) => ((_ zero_extend 2) (bvlshr x k))
    Rule {
        name: "lshr_narrow",
        level: Level::Full,
        needs: shape::CONST,
        applies: &[
            "(bvlshr (concat x y) (_ bv{w} {2w}))",
            "(bvlshr (concat x y) (_ bv{w+1} {2w}))",
            "(bvlshr ((_ zero_extend {w}) x) (_ bv1 {2w}))",
        ],
        ignores: &[
            "(bvlshr (concat x y) (_ bv1 {2w}))",
            "(bvlshr ((_ sign_extend {w}) x) (_ bv1 {2w}))",
        ],
        apply: |terms, draft| {
            let [a, k, _] = draft.args;
            let amount = small_amount(terms, k)?;
            let width = terms.width(a);
            let (part, amount) = match terms.op(a) {
                Op::Concat => {
                    let (high, low) = terms.bin(a, Op::Concat)?;
                    (high, amount.checked_sub(terms.width(low))?)
                }
                Op::Zext => (terms.raw_args(a)[0], amount),
                _ => return None,
            };
            let narrow = terms.width(part);
            if amount >= narrow {
                return Some(terms.bv(Bv::zero(width)));
            }
            let amount = terms.bv_u64(u64::from(amount), narrow);
            let shifted = terms.lshr(part, amount);
            Some(terms.zext(shifted, width))
        },
    },
    // (bvlshr x y) => zero, if y is always at least the width
    Rule {
        name: "lshr_out_by_fact",
        level: Level::Full,
        needs: shape::FACT,
        applies: &["(bvlshr ((_ zero_extend {w}) x) (concat one y))"],
        ignores: &["(bvlshr ((_ zero_extend {w}) x) ((_ zero_extend {w}) y))"],
        apply: |terms, draft| out_by_fact(terms, draft),
    },
];

pub(crate) const ASHR: &[Rule] = &[
    // (bvashr x zero) => x, (bvashr zero x) => zero, (bvashr ones x) => ones
    Rule {
        name: "ashr_zero",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvashr x zero)", "(bvashr zero x)", "(bvashr ones x)"],
        ignores: &["(bvashr x one)", "(bvashr one x)"],
        apply: |terms, draft| {
            let [x, y, _] = draft.args;
            if terms.as_bv(x).is_some_and(|k| k.is_zero() || k.is_ones()) {
                return Some(x);
            }
            terms.as_bv(y)?.is_zero().then_some(x)
        },
    },
    // (bvashr x k) => (bvashr x {w-1}), if the amount is at least the width
    Rule {
        name: "ashr_out",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvashr x (_ bv{w} {w}))", "(bvashr x ones)"],
        ignores: &["(bvashr x k2)", "(bvashr x (_ bv{w-1} {w}))"],
        apply: |terms, draft| {
            let k = terms.as_bv(draft.args[1])?;
            if !is_out(&k) {
                return None;
            }
            let most = terms.bv_u64(u64::from(k.width() - 1), k.width());
            Some(terms.ashr(draft.args[0], most))
        },
    },
    // (bvashr (bvashr x k2) k3) => (bvashr x k5)
    Rule {
        name: "ashr_ashr",
        level: Level::Local,
        needs: shape::SHIFT | shape::CONST,
        applies: &["(bvashr (bvashr x k2) k3)"],
        ignores: &["(bvashr (bvshl x k2) k3)", "(bvashr (bvashr x y) k3)"],
        apply: |terms, draft| add_amounts(terms, draft, Op::Ashr),
    },
    // (bvashr (bvshl x k2) k2) => ((_ sign_extend 2) ((_ extract {w-3} 0) x))
    Rule {
        name: "ashr_shl",
        level: Level::Full,
        needs: shape::SHIFT | shape::CONST,
        applies: &["(bvashr (bvshl x k2) k2)"],
        ignores: &["(bvashr (bvshl x k2) k3)", "(bvashr (bvshl x y) y)"],
        apply: |terms, draft| {
            let (x, l) = terms.bin(draft.args[0], Op::Shl)?;
            let amount = small_amount(terms, draft.args[1])?;
            if l != draft.args[1] || amount == 0 {
                return None;
            }
            let width = terms.width(x);
            let low = terms.extract(x, width - 1 - amount, 0);
            Some(terms.sext(low, width))
        },
    },
    // (bvashr x y) => (bvlshr x y), if x is never negative
    Rule {
        name: "ashr_as_lshr",
        level: Level::Full,
        needs: shape::FACT,
        applies: &["(bvashr ((_ zero_extend {w}) x) (concat z y))"],
        ignores: &["(bvashr ((_ sign_extend {w}) x) (concat z y))"],
        apply: |terms, draft| {
            let [x, y, _] = draft.args;
            (terms.fact(x)?.smin >= 0).then(|| terms.lshr(x, y))
        },
    },
];

fn by_or_of_zero(terms: &mut Terms, draft: &Draft) -> Option<Term> {
    let [x, y, _] = draft.args;
    let is_zero = |t: Term| terms.as_bv(t).is_some_and(|k| k.is_zero());
    (is_zero(x) || is_zero(y)).then_some(x)
}

/// Whether an amount is at least the width.
fn is_out(amount: &Bv) -> bool {
    amount
        .to_u64()
        .is_none_or(|amount_word| amount_word >= u64::from(amount.width()))
}

/// A constant amount that is less than the width.
fn small_amount(terms: &Terms, t: Term) -> Option<u32> {
    let amount = terms.as_bv(t)?;
    if is_out(&amount) {
        None
    } else {
        amount.to_u64().map(|amount| amount as u32)
    }
}

/// `(x op k) op l` is `x op (k + l)`; a sum of at least the width stands for all of them.
fn add_amounts(terms: &mut Terms, draft: &Draft, op: Op) -> Option<Term> {
    let (x, k) = terms.bin(draft.args[0], op)?;
    let (k, l) = (small_amount(terms, k)?, small_amount(terms, draft.args[1])?);
    let width = terms.width(x);
    let sum = u64::from(k) + u64::from(l);
    let sum = match op {
        Op::Ashr => sum.min(u64::from(width) - 1),
        _ if sum >= u64::from(width) => return Some(terms.bv(Bv::zero(width))),
        _ => sum,
    };
    let sum = terms.bv_u64(sum, width);
    Some(terms.make2(op, draft.sort, x, sum))
}

fn out_by_fact(terms: &mut Terms, draft: &Draft) -> Option<Term> {
    let fact = terms.fact(draft.args[1])?;
    (fact.umin >= u64::from(fact.width)).then(|| terms.bv_u64(0, fact.width))
}
