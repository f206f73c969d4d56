//! Bitwise operators.
//!
//! Normal form: no double negations; of two negated arguments the negation moves out; constant masks are merged, dropped
//! where facts make them superfluous, and masks of low bits are extractions.

use base::Bv;

use crate::arena::{Draft, Level, Term, Terms};
use crate::op::Op;
use crate::rules::{Rule, either, shape};

pub(crate) const NOT: &[Rule] = &[
    // (bvnot (bvnot x)) => x
    Rule {
        name: "bvnot_bvnot",
        level: Level::Fold,
        needs: shape::BVNOT,
        applies: &["(bvnot (bvnot x))"],
        ignores: &["(bvnot (bvneg x))"],
        apply: |terms, draft| terms.un(draft.args[0], Op::BvNot),
    },
    // (bvnot (bvneg x)) => (bvadd x ones)
    Rule {
        name: "bvnot_neg",
        level: Level::Local,
        needs: shape::NEG,
        applies: &["(bvnot (bvneg x))"],
        ignores: &["(bvnot x)"],
        apply: |terms, draft| {
            let x = terms.un(draft.args[0], Op::Neg)?;
            let ones = Bv::ones(terms.width(x));
            let ones = terms.bv(ones);
            Some(terms.add(x, ones))
        },
    },
    // (bvnot (bvxor x k3)) => (bvxor x (bvnot k3))
    Rule {
        name: "bvnot_xor_const",
        level: Level::Local,
        needs: shape::BITS,
        applies: &["(bvnot (bvxor x k3))"],
        ignores: &["(bvnot (bvxor x y))", "(bvnot (bvand x k3))"],
        apply: |terms, draft| {
            let (x, k) = terms.bin(draft.args[0], Op::BvXor)?;
            let k = terms.as_bv(k)?;
            let k = terms.bv(k.not());
            Some(terms.bvxor(x, k))
        },
    },
];

pub(crate) const AND: &[Rule] = &[
    // (bvand x zero) => zero, (bvand x ones) => x
    Rule {
        name: "bvand_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvand x zero)", "(bvand x ones)"],
        ignores: &["(bvand x k3)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let value = terms.as_bv(k)?;
            if value.is_zero() {
                return Some(k);
            }
            value.is_ones().then_some(x)
        },
    },
    // (bvand x x) => x
    Rule {
        name: "bvand_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(bvand x x)"],
        ignores: &["(bvand x y)"],
        apply: |_, draft| Some(draft.args[0]),
    },
    // (bvand x (bvnot x)) => zero
    Rule {
        name: "bvand_complement",
        level: Level::Fold,
        needs: shape::BVNOT,
        applies: &["(bvand x (bvnot x))"],
        ignores: &["(bvand x (bvnot y))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let width = terms.width(a);
                (terms.un(a, Op::BvNot)? == b).then(|| terms.bv(Bv::zero(width)))
            })
        },
    },
    // (bvand (bvand x k3) k5) => (bvand x one)
    Rule {
        name: "bvand_consts",
        level: Level::Local,
        needs: shape::BITS | shape::CONST,
        applies: &["(bvand (bvand x k3) k5)"],
        ignores: &["(bvand (bvand x y) k5)", "(bvand (bvor x k3) k5)"],
        apply: |terms, draft| merge_consts(terms, draft, Bv::and),
    },
    // (bvand x (bvand x y)) => (bvand x y), (bvand x (bvor x y)) => x, (bvand x (bvor (bvnot x) y)) => (bvand x y)
    Rule {
        name: "bvand_absorb",
        level: Level::Local,
        needs: shape::BITS,
        applies: &[
            "(bvand x (bvand y x))",
            "(bvand (bvor x y) x)",
            "(bvand x (bvor (bvnot x) y))",
        ],
        ignores: &["(bvand x (bvand y z))", "(bvand x (bvor y z))"],
        apply: |terms, draft| absorb(terms, draft, Op::BvAnd, Op::BvOr),
    },
    // (bvand x k) => x, if the bits that the mask clears are clear anyway
    Rule {
        name: "bvand_mask_superfluous",
        level: Level::Full,
        needs: shape::FACT | shape::CONST,
        applies: &[
            "(bvand ((_ zero_extend 2) x) (concat #b01 ones))",
            "(bvand (bvshl x k2) (bvnot k3))",
        ],
        ignores: &[
            "(bvand ((_ zero_extend 2) x) (concat #b01 k2))",
            "(bvand x k3)",
        ],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let (fact, mask) = (terms.fact(x)?, terms.as_u64(k)?);
            (!mask & !fact.zeros & Bv::ones(fact.width).low_u64() == 0).then_some(x)
        },
    },
    // (bvand x k3) => ((_ zero_extend …) ((_ extract 1 0) x)): a mask of low bits
    Rule {
        name: "bvand_low_mask",
        level: Level::Full,
        needs: shape::CONST,
        applies: &["(bvand x k3)", "(bvand x one)"],
        ignores: &["(bvand x k2)", "(bvand x k5)", "(bvand x y)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let k = terms.as_bv(k)?;
            let bits = k.add(&Bv::one(k.width())).log2_exact()?;
            if bits == 0 {
                return None;
            }
            let low = terms.extract(x, bits - 1, 0);
            Some(terms.zext(low, k.width()))
        },
    },
    // (bvand (concat x y) k) => (concat (bvand x high) (bvand y low)), if a part is kept or cleared as a whole
    Rule {
        name: "bvand_concat_const",
        level: Level::Full,
        needs: shape::CONCAT | shape::CONST,
        applies: &[
            "(bvand (concat x y) (concat ones k2))",
            "(bvand (concat x y) (concat zero k2))",
        ],
        ignores: &["(bvand (concat x y) (concat k2 k5))"],
        apply: |terms, draft| {
            let [a, k, _] = draft.args;
            let (high, low) = terms.bin(a, Op::Concat)?;
            let k = terms.as_bv(k)?;
            let split = terms.width(low);
            let (high_mask, low_mask) = (k.extract(k.width() - 1, split), k.trunc(split));
            let whole = |mask: &Bv| mask.is_zero() || mask.is_ones();
            if !whole(&high_mask) && !whole(&low_mask) {
                return None;
            }
            let (high_mask, low_mask) = (terms.bv(high_mask), terms.bv(low_mask));
            let (high, low) = (terms.bvand(high, high_mask), terms.bvand(low, low_mask));
            Some(terms.concat(high, low))
        },
    },
    // (bvand ((_ zero_extend 2) x) k) => ((_ zero_extend 2) (bvand x k))
    Rule {
        name: "bvand_zext_const",
        level: Level::Full,
        needs: shape::ZEXT | shape::CONST,
        applies: &["(bvand ((_ zero_extend 2) x) (concat #b01 k2))"],
        ignores: &[
            "(bvand ((_ zero_extend {w}) x) (concat x y))",
            "(bvand ((_ sign_extend 2) x) (concat #b01 k2))",
        ],
        apply: |terms, draft| {
            let x = terms.un(draft.args[0], Op::Zext)?;
            let k = terms.as_bv(draft.args[1])?;
            let low = terms.bv(k.trunc(terms.width(x)));
            let masked = terms.bvand(x, low);
            Some(terms.zext(masked, k.width()))
        },
    },
    // (bvand (bvnot x) (bvnot y)) => (bvnot (bvor x y))
    Rule {
        name: "bvand_bvnots",
        level: Level::Local,
        needs: shape::BVNOT,
        applies: &["(bvand (bvnot x) (bvnot y))"],
        ignores: &["(bvand x (bvnot y))"],
        apply: |terms, draft| {
            let (x, y) = (
                terms.un(draft.args[0], Op::BvNot)?,
                terms.un(draft.args[1], Op::BvNot)?,
            );
            let joined = terms.bvor(x, y);
            Some(terms.bvnot(joined))
        },
    },
];

pub(crate) const OR: &[Rule] = &[
    // (bvor x zero) => x, (bvor x ones) => ones
    Rule {
        name: "bvor_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvor x zero)", "(bvor x ones)"],
        ignores: &["(bvor x k3)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let value = terms.as_bv(k)?;
            if value.is_ones() {
                return Some(k);
            }
            value.is_zero().then_some(x)
        },
    },
    // (bvor x x) => x
    Rule {
        name: "bvor_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(bvor x x)"],
        ignores: &["(bvor x y)"],
        apply: |_, draft| Some(draft.args[0]),
    },
    // (bvor x (bvnot x)) => ones
    Rule {
        name: "bvor_complement",
        level: Level::Fold,
        needs: shape::BVNOT,
        applies: &["(bvor x (bvnot x))"],
        ignores: &["(bvor x (bvnot y))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let width = terms.width(a);
                (terms.un(a, Op::BvNot)? == b).then(|| terms.bv(Bv::ones(width)))
            })
        },
    },
    // (bvor (bvor x k3) k5) => (bvor x k7)
    Rule {
        name: "bvor_consts",
        level: Level::Local,
        needs: shape::BITS | shape::CONST,
        applies: &["(bvor (bvor x k3) k5)"],
        ignores: &["(bvor (bvor x y) k5)", "(bvor (bvand x k3) k5)"],
        apply: |terms, draft| merge_consts(terms, draft, Bv::or),
    },
    // (bvor x (bvor x y)) => (bvor x y), (bvor x (bvand x y)) => x, (bvor x (bvand (bvnot x) y)) => (bvor x y)
    Rule {
        name: "bvor_absorb",
        level: Level::Local,
        needs: shape::BITS,
        applies: &[
            "(bvor x (bvor y x))",
            "(bvor (bvand x y) x)",
            "(bvor x (bvand (bvnot x) y))",
        ],
        ignores: &["(bvor x (bvor y z))", "(bvor x (bvand y z))"],
        apply: |terms, draft| absorb(terms, draft, Op::BvOr, Op::BvAnd),
    },
    // (bvor x k) => x, if the bits that the mask sets are set anyway
    Rule {
        name: "bvor_mask_superfluous",
        level: Level::Full,
        needs: shape::FACT | shape::CONST,
        applies: &["(bvor (concat #b1 x) (concat #b1 zero))"],
        ignores: &["(bvor (concat #b1 x) (concat #b1 one))", "(bvor x one)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let (fact, mask) = (terms.fact(x)?, terms.as_u64(k)?);
            (mask & !fact.ones == 0).then_some(x)
        },
    },
    // (bvor (bvshl ((_ zero_extend 8) x) k8) ((_ zero_extend 8) y)) => (concat x y), and with room above and between
    Rule {
        name: "bvor_assemble",
        level: Level::Full,
        needs: shape::ZEXT,
        applies: &[
            "(bvor (bvshl ((_ zero_extend {w}) x) (_ bv{w} {2w})) ((_ zero_extend {w}) y))",
            "(bvor ((_ zero_extend {w}) t) (bvshl ((_ zero_extend {w}) t) (_ bv1 {w+1})))",
            "(bvor (concat x zero) ((_ zero_extend {w}) y))",
        ],
        ignores: &[
            "(bvor (bvshl ((_ zero_extend {w}) x) (_ bv0 {2w})) ((_ zero_extend {w}) y))",
            "(bvor (bvshl x k2) y)",
            "(bvor (bvshl ((_ sign_extend {w}) x) (_ bv{w} {2w})) ((_ sign_extend {w}) y))",
        ],
        apply: assemble,
    },
    // (bvor (bvnot x) (bvnot y)) => (bvnot (bvand x y))
    Rule {
        name: "bvor_bvnots",
        level: Level::Local,
        needs: shape::BVNOT,
        applies: &["(bvor (bvnot x) (bvnot y))"],
        ignores: &["(bvor x (bvnot y))"],
        apply: |terms, draft| {
            let (x, y) = (
                terms.un(draft.args[0], Op::BvNot)?,
                terms.un(draft.args[1], Op::BvNot)?,
            );
            let joined = terms.bvand(x, y);
            Some(terms.bvnot(joined))
        },
    },
];

pub(crate) const XOR: &[Rule] = &[
    // (bvxor x zero) => x, (bvxor x ones) => (bvnot x)
    Rule {
        name: "bvxor_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvxor x zero)", "(bvxor x ones)"],
        ignores: &["(bvxor x k3)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let value = terms.as_bv(k)?;
            if value.is_ones() {
                return Some(terms.bvnot(x));
            }
            value.is_zero().then_some(x)
        },
    },
    // (bvxor x x) => zero
    Rule {
        name: "bvxor_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(bvxor x x)"],
        ignores: &["(bvxor x y)"],
        apply: |terms, draft| {
            let width = terms.width(draft.args[0]);
            Some(terms.bv(Bv::zero(width)))
        },
    },
    // (bvxor (bvxor x k3) k5) => (bvxor x k6)
    Rule {
        name: "bvxor_consts",
        level: Level::Local,
        needs: shape::BITS | shape::CONST,
        applies: &["(bvxor (bvxor x k3) k5)"],
        ignores: &["(bvxor (bvxor x y) k5)", "(bvxor (bvand x k3) k5)"],
        apply: |terms, draft| merge_consts(terms, draft, Bv::xor),
    },
    // (bvxor x (bvxor x y)) => y
    Rule {
        name: "bvxor_cancel",
        level: Level::Local,
        needs: shape::BITS,
        applies: &["(bvxor x (bvxor y x))", "(bvxor (bvxor x y) x)"],
        ignores: &["(bvxor x (bvxor y z))", "(bvxor x (bvand x y))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (x, y) = terms.bin(b, Op::BvXor)?;
                if a == x {
                    return Some(y);
                }
                (a == y).then_some(x)
            })
        },
    },
    // (bvxor (bvnot x) y) => (bvnot (bvxor x y)), (bvxor (bvnot x) (bvnot y)) => (bvxor x y), (bvxor (bvnot x) k) => (bvxor x (bvnot k))
    Rule {
        name: "bvxor_bvnot",
        level: Level::Local,
        needs: shape::BVNOT,
        applies: &[
            "(bvxor (bvnot x) y)",
            "(bvxor (bvnot x) (bvnot y))",
            "(bvxor (bvnot x) k3)",
        ],
        ignores: &["(bvxor x y)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (x, y) = match (terms.un(a, Op::BvNot), terms.un(b, Op::BvNot)) {
                (Some(x), Some(y)) => return Some(terms.bvxor(x, y)),
                (Some(x), None) => match terms.as_bv(b) {
                    Some(k) => {
                        let k = terms.bv(k.not());
                        return Some(terms.bvxor(x, k));
                    }
                    None => (x, b),
                },
                (None, Some(y)) => (a, y),
                (None, None) => return None,
            };
            let differ = terms.bvxor(x, y);
            Some(terms.bvnot(differ))
        },
    },
];

/// `(x op k) op l` is `x op (k op l)`.
fn merge_consts(terms: &mut Terms, draft: &Draft, op: fn(&Bv, &Bv) -> Bv) -> Option<Term> {
    let (x, k) = terms.bin(draft.args[0], draft.op)?;
    let merged = op(&terms.as_bv(k)?, &terms.as_bv(draft.args[1])?);
    let merged = terms.bv(merged);
    Some(terms.make2(draft.op, draft.sort, x, merged))
}

/// `x op (x op y)` is `x op y`; `x op (x dual y)` is `x`; `x op (not x dual y)` is `x op y`.
fn absorb(terms: &mut Terms, draft: &Draft, op: Op, dual: Op) -> Option<Term> {
    let negates = |terms: &Terms, a: Term, b: Term| {
        terms.un(a, Op::BvNot) == Some(b) || terms.un(b, Op::BvNot) == Some(a)
    };
    either(draft, |a, b| {
        if let Some((x, y)) = terms.bin(b, op) {
            return (a == x || a == y).then_some(b);
        }
        let (x, y) = terms.bin(b, dual)?;
        if a == x || a == y {
            return Some(a);
        }
        let rest = if negates(terms, a, x) {
            y
        } else if negates(terms, a, y) {
            x
        } else {
            return None;
        };
        Some(terms.make2(op, draft.sort, a, rest))
    })
}

/// A value `part` that stands at bit `at` of an otherwise zero word.
struct Placed {
    part: Term,
    at: u32,
}

fn placed(terms: &Terms, t: Term) -> Option<Placed> {
    let [a, b, _] = terms.raw_args(t);
    match terms.op(t) {
        Op::Zext => Some(Placed { part: a, at: 0 }),
        Op::Shl => {
            let at = terms.as_bv(b)?.to_u64()?;
            let part = terms.un(a, Op::Zext)?;
            // Nothing of the part may be shifted out.
            let top = at.checked_add(u64::from(terms.width(part)))?;
            (top <= u64::from(terms.width(t))).then_some(Placed {
                part,
                at: at as u32,
            })
        }
        Op::Concat => {
            let low = terms.as_bv(b)?;
            low.is_zero().then(|| Placed {
                part: terms.un(a, Op::Zext).unwrap_or(a),
                at: low.width(),
            })
        }
        _ => None,
    }
}

fn assemble(terms: &mut Terms, draft: &Draft) -> Option<Term> {
    let width = draft.sort.bv_width()?;
    either(draft, |a, b| {
        let (high, low) = (placed(terms, a)?, placed(terms, b)?);
        // The low part must end where the high part begins, or before, and stand at the bottom.
        if low.at != 0 || high.at < terms.width(low.part) {
            return None;
        }
        let low = terms.zext(low.part, high.at);
        let both = terms.concat(high.part, low);
        Some(terms.zext(both, width))
    })
}
