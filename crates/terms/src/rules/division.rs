//! Quotients and remainders of bit-vectors.
//!
//! Division by zero has a value (all ones, or the dividend), so `x / x` is not simply one. Divisors that are powers of two
//! become shifts and masks; what facts show to be small or never negative is divided in a simpler way.

use base::Bv;

use crate::arena::{Level, Term, Terms};
use crate::op::Op;
use crate::rules::{Rule, shape};

pub(crate) const UDIV: &[Rule] = &[
    // (bvudiv x one) => x, (bvudiv x zero) => ones
    Rule {
        name: "udiv_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvudiv x one)", "(bvudiv x zero)"],
        ignores: &["(bvudiv x k3)", "(bvudiv one x)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let k = terms.as_bv(k)?;
            if k.is_zero() {
                return Some(terms.bv(Bv::ones(k.width())));
            }
            k.is_one().then_some(x)
        },
    },
    // (bvudiv x k4) => (bvlshr x k2)
    Rule {
        name: "udiv_power_of_two",
        level: Level::Local,
        needs: shape::CONST,
        applies: &["(bvudiv x k4)", "(bvudiv x min)"],
        ignores: &["(bvudiv x k3)", "(bvudiv k4 x)"],
        apply: |terms, draft| {
            let log2 = terms.as_bv(draft.args[1])?.log2_exact()?;
            let width = terms.width(draft.args[0]);
            let amount = terms.bv_u64(u64::from(log2), width);
            Some(terms.lshr(draft.args[0], amount))
        },
    },
    // (bvudiv zero x) => (ite (= x zero) ones zero), (bvudiv x x) => (ite (= x zero) ones one): division by zero gives ones
    Rule {
        name: "udiv_self_or_zero",
        level: Level::Local,
        needs: shape::ANY,
        applies: &["(bvudiv zero x)", "(bvudiv x x)"],
        ignores: &["(bvudiv x y)", "(bvudiv one x)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let width = terms.width(a);
            let quotient = match terms.as_bv(a) {
                Some(k) if k.is_zero() => a,
                _ if a == b => terms.bv_u64(1, width),
                _ => return None,
            };
            let zero = terms.bv_u64(0, width);
            let by_zero = terms.eq(b, zero);
            let ones = terms.bv(Bv::ones(width));
            Some(terms.ite(by_zero, ones, quotient))
        },
    },
    // (bvudiv ((_ zero_extend 2) x) ((_ zero_extend 2) y)) => ((_ zero_extend 2) (bvudiv x y)), if y is never zero
    Rule {
        name: "udiv_narrow",
        level: Level::Full,
        needs: shape::ZEXT,
        applies: &[
            "(bvudiv ((_ zero_extend 2) x) ((_ zero_extend 2) k3))",
            "(bvudiv ((_ zero_extend 2) x) ((_ zero_extend 2) (bvor y one)))",
        ],
        ignores: &[
            "(bvudiv ((_ zero_extend 2) x) ((_ zero_extend 2) y))",
            "(bvudiv ((_ sign_extend 2) x) ((_ zero_extend 2) k3))",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let never_zero = match terms.as_bv(b) {
                Some(k) => !k.is_zero(),
                None => terms.fact(b)?.umin > 0,
            };
            narrow(terms, a, b).filter(|_| never_zero).map(|(x, y)| {
                let quotient = terms.udiv(x, y);
                terms.zext(quotient, terms.width(a))
            })
        },
    },
    // (bvudiv (bvudiv x k2) k3) => (bvudiv x k6), if the product fits
    Rule {
        name: "udiv_udiv",
        level: Level::Full,
        needs: shape::DIV | shape::CONST,
        applies: &["(bvudiv (bvudiv x k3) k5)"],
        ignores: &["(bvudiv (bvudiv x y) k3)", "(bvudiv (bvudiv x ones) k3)"],
        apply: |terms, draft| {
            let (x, l) = terms.bin(draft.args[0], Op::Udiv)?;
            let (l, k) = (terms.as_bv(l)?, terms.as_bv(draft.args[1])?);
            if l.is_zero() || k.is_zero() || l.umulo(&k) {
                return None;
            }
            let product = terms.bv(l.mul(&k));
            Some(terms.udiv(x, product))
        },
    },
];

pub(crate) const UREM: &[Rule] = &[
    // (bvurem x one) => zero, (bvurem x zero) => x, (bvurem zero x) => zero
    Rule {
        name: "urem_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvurem x one)", "(bvurem x zero)", "(bvurem zero x)"],
        ignores: &["(bvurem x k3)", "(bvurem one x)"],
        apply: |terms, draft| {
            let [x, y, _] = draft.args;
            if terms.as_bv(x).is_some_and(|k| k.is_zero()) {
                return Some(x);
            }
            let k = terms.as_bv(y)?;
            if k.is_one() {
                return Some(terms.bv(Bv::zero(k.width())));
            }
            k.is_zero().then_some(x)
        },
    },
    // (bvurem x x) => zero
    Rule {
        name: "urem_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(bvurem x x)"],
        ignores: &["(bvurem x y)"],
        apply: |terms, draft| {
            let width = terms.width(draft.args[0]);
            Some(terms.bv_u64(0, width))
        },
    },
    // (bvurem x k4) => (bvand x k3)
    Rule {
        name: "urem_power_of_two",
        level: Level::Local,
        needs: shape::CONST,
        applies: &["(bvurem x k4)", "(bvurem x min)"],
        ignores: &["(bvurem x k3)", "(bvurem k4 x)"],
        apply: |terms, draft| {
            let k = terms.as_bv(draft.args[1])?;
            k.log2_exact()?;
            let mask = terms.bv(k.sub(&Bv::one(k.width())));
            Some(terms.bvand(draft.args[0], mask))
        },
    },
    // (bvurem ((_ zero_extend 2) x) ((_ zero_extend 2) y)) => ((_ zero_extend 2) (bvurem x y))
    Rule {
        name: "urem_narrow",
        level: Level::Full,
        needs: shape::ZEXT,
        applies: &[
            "(bvurem ((_ zero_extend 2) x) ((_ zero_extend 2) k3))",
            "(bvurem ((_ zero_extend 2) x) ((_ zero_extend 2) y))",
        ],
        ignores: &[
            "(bvurem ((_ zero_extend 2) x) (concat #b01 k3))",
            "(bvurem ((_ sign_extend 2) x) ((_ zero_extend 2) k3))",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (x, y) = narrow(terms, a, b)?;
            let rest = terms.urem(x, y);
            Some(terms.zext(rest, terms.width(a)))
        },
    },
    // (bvurem x y) => x, if x is always less
    Rule {
        name: "urem_less",
        level: Level::Full,
        needs: shape::FACT,
        applies: &["(bvurem ((_ zero_extend 1) x) (concat #b1 y))"],
        ignores: &["(bvurem ((_ zero_extend 1) x) ((_ zero_extend 1) y))"],
        apply: |terms, draft| {
            let (x, y) = (terms.fact(draft.args[0])?, terms.fact(draft.args[1])?);
            (x.umax < y.umin).then_some(draft.args[0])
        },
    },
];

pub(crate) const SDIV: &[Rule] = &[
    // (bvsdiv x one) => x, (bvsdiv x ones) => (bvneg x)
    Rule {
        name: "sdiv_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvsdiv x one)", "(bvsdiv x ones)"],
        ignores: &["(bvsdiv x k3)", "(bvsdiv one x)", "(bvsdiv x zero)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let k = terms.as_bv(k)?;
            if k.is_ones() {
                return Some(terms.neg(x));
            }
            k.is_one().then_some(x)
        },
    },
    // (bvsdiv x zero) => (ite (bvslt x zero) one ones)
    Rule {
        name: "sdiv_zero",
        level: Level::Local,
        needs: shape::CONST,
        applies: &["(bvsdiv x zero)"],
        ignores: &["(bvsdiv x one)", "(bvsdiv zero x)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let value = terms.as_bv(k)?;
            if !value.is_zero() {
                return None;
            }
            let negative = terms.slt(x, k);
            let (one, ones) = (
                terms.bv(Bv::one(value.width())),
                terms.bv(Bv::ones(value.width())),
            );
            Some(terms.ite(negative, one, ones))
        },
    },
    // (bvsdiv x min) => (ite (= x min) one zero)
    Rule {
        name: "sdiv_min",
        level: Level::Local,
        needs: shape::CONST,
        applies: &["(bvsdiv x min)"],
        ignores: &["(bvsdiv x k2)", "(bvsdiv min x)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let value = terms.as_bv(k)?;
            if !value.is_int_min() {
                return None;
            }
            let same = terms.eq(x, k);
            let (one, zero) = (
                terms.bv(Bv::one(value.width())),
                terms.bv(Bv::zero(value.width())),
            );
            Some(terms.ite(same, one, zero))
        },
    },
    // (bvsdiv x k4) => (bvashr (bvadd x correction) k2), where the correction is k3 for negative x and zero otherwise
    Rule {
        name: "sdiv_power_of_two",
        level: Level::Full,
        needs: shape::CONST,
        applies: &["(bvsdiv x k4)", "(bvsdiv x k2)"],
        ignores: &["(bvsdiv x k3)", "(bvsdiv x min)", "(bvsdiv k4 x)"],
        apply: |terms, draft| {
            let x = draft.args[0];
            let (log2, corrected, _) = correct(terms, x, draft.args[1])?;
            let width = terms.width(x);
            let amount = terms.bv_u64(u64::from(log2), width);
            Some(terms.ashr(corrected, amount))
        },
    },
    // (bvsdiv x (bvneg k3)) => (bvneg (bvsdiv x k3))
    Rule {
        name: "sdiv_negative_const",
        level: Level::Full,
        needs: shape::CONST,
        applies: &["(bvsdiv x (bvneg k3))"],
        ignores: &["(bvsdiv x k3)", "(bvsdiv x min)", "(bvsdiv x ones)"],
        apply: |terms, draft| {
            let k = terms.as_bv(draft.args[1])?;
            if !k.is_negative() || k.is_int_min() || k.is_ones() {
                return None;
            }
            let k = terms.bv(k.neg());
            let quotient = terms.sdiv(draft.args[0], k);
            Some(terms.neg(quotient))
        },
    },
    // (bvsdiv x y) => (bvudiv x y), if neither is ever negative and y is never zero
    Rule {
        name: "sdiv_as_udiv",
        level: Level::Full,
        needs: shape::FACT,
        applies: &["(bvsdiv ((_ zero_extend 1) x) ((_ zero_extend 1) (bvor y one)))"],
        ignores: &[
            "(bvsdiv ((_ zero_extend 1) x) ((_ sign_extend 1) y))",
            "(bvsdiv ((_ sign_extend 1) x) ((_ zero_extend 1) y))",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (x, y) = (terms.fact(a)?, terms.fact(b)?);
            // Division of a non-negative number by zero is -1 either way.
            (x.smin >= 0 && y.smin >= 0).then(|| terms.udiv(a, b))
        },
    },
];

pub(crate) const SREM: &[Rule] = &[
    // (bvsrem x one) => zero, (bvsrem x ones) => zero, (bvsrem x zero) => x, (bvsrem zero x) => zero
    Rule {
        name: "srem_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &[
            "(bvsrem x one)",
            "(bvsrem x ones)",
            "(bvsrem x zero)",
            "(bvsrem zero x)",
        ],
        ignores: &["(bvsrem x k3)", "(bvsrem one x)"],
        apply: |terms, draft| {
            let [x, y, _] = draft.args;
            if terms.as_bv(x).is_some_and(|k| k.is_zero()) {
                return Some(x);
            }
            let k = terms.as_bv(y)?;
            if k.is_zero() {
                return Some(x);
            }
            (k.is_one() || k.is_ones()).then(|| terms.bv(Bv::zero(k.width())))
        },
    },
    // (bvsrem x x) => zero
    Rule {
        name: "srem_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(bvsrem x x)"],
        ignores: &["(bvsrem x y)"],
        apply: |terms, draft| {
            let width = terms.width(draft.args[0]);
            Some(terms.bv_u64(0, width))
        },
    },
    // (bvsrem x min) => (ite (= x min) zero x)
    Rule {
        name: "srem_min",
        level: Level::Local,
        needs: shape::CONST,
        applies: &["(bvsrem x min)"],
        ignores: &["(bvsrem x k2)", "(bvsrem min x)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let value = terms.as_bv(k)?;
            if !value.is_int_min() {
                return None;
            }
            let same = terms.eq(x, k);
            let zero = terms.bv(Bv::zero(value.width()));
            Some(terms.ite(same, zero, x))
        },
    },
    // (bvsrem x (bvneg k3)) => (bvsrem x k3)
    Rule {
        name: "srem_negative_const",
        level: Level::Local,
        needs: shape::CONST,
        applies: &["(bvsrem x (bvneg k3))"],
        ignores: &["(bvsrem x k3)", "(bvsrem x min)", "(bvsrem x ones)"],
        apply: |terms, draft| {
            let k = terms.as_bv(draft.args[1])?;
            if !k.is_negative() || k.is_int_min() || k.is_ones() {
                return None;
            }
            let k = terms.bv(k.neg());
            Some(terms.srem(draft.args[0], k))
        },
    },
    // (bvsrem x k4) => (bvsub (bvand (bvadd x correction) k3) correction), the correction being that of the division
    Rule {
        name: "srem_power_of_two",
        level: Level::Full,
        needs: shape::CONST,
        applies: &["(bvsrem x k4)", "(bvsrem x k2)"],
        ignores: &["(bvsrem x k3)", "(bvsrem x min)", "(bvsrem k4 x)"],
        apply: |terms, draft| {
            let (_, corrected, correction) = correct(terms, draft.args[0], draft.args[1])?;
            let k = terms.as_bv(draft.args[1])?;
            let mask = terms.bv(k.sub(&Bv::one(k.width())));
            let low = terms.bvand(corrected, mask);
            Some(terms.sub(low, correction))
        },
    },
    // (bvsrem x y) => (bvurem x y), if neither is ever negative
    Rule {
        name: "srem_as_urem",
        level: Level::Full,
        needs: shape::FACT,
        applies: &["(bvsrem ((_ zero_extend 1) x) ((_ zero_extend 1) y))"],
        ignores: &[
            "(bvsrem ((_ zero_extend 1) x) ((_ sign_extend 1) y))",
            "(bvsrem ((_ sign_extend 1) x) ((_ zero_extend 1) y))",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (x, y) = (terms.fact(a)?, terms.fact(b)?);
            (x.smin >= 0 && y.smin >= 0).then(|| terms.urem(a, b))
        },
    },
];

/// For a divisor 2^n that is positive and not one: n, the dividend plus what makes an arithmetic shift round towards
/// zero, and that correction: 2^n - 1 for negative dividends, zero for others.
fn correct(terms: &mut Terms, x: Term, divisor: Term) -> Option<(u32, Term, Term)> {
    let k = terms.as_bv(divisor)?;
    let log2 = k
        .log2_exact()
        .filter(|&log2| log2 > 0 && log2 + 1 < k.width())?;
    let width = k.width();
    let zero = terms.bv(Bv::zero(width));
    let most = terms.bv(k.sub(&Bv::one(width)));
    let negative = terms.slt(x, zero);
    let correction = terms.ite(negative, most, zero);
    let corrected = terms.add(x, correction);
    Some((log2, corrected, correction))
}

/// Two zero-extended terms of one width without the extension; one of them may be a constant that fits.
fn narrow(terms: &mut Terms, a: Term, b: Term) -> Option<(Term, Term)> {
    let (x, y) = (terms.un(a, Op::Zext), terms.un(b, Op::Zext));
    let fit = |terms: &mut Terms, k: Term, other: Term| {
        let (k, width) = (terms.as_bv(k)?, terms.width(other));
        let low = k.trunc(width);
        (low.zext(k.width()) == k).then(|| terms.bv(low))
    };
    match (x, y) {
        (Some(x), Some(y)) => (terms.sort(x) == terms.sort(y)).then_some((x, y)),
        (Some(x), None) => fit(terms, b, x).map(|k| (x, k)),
        (None, Some(y)) => fit(terms, a, y).map(|k| (k, y)),
        (None, None) => None,
    }
}
