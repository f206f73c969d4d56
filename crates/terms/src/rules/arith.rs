//! Arithmetic of bit-vectors.
//!
//! Normal form: no subtraction; a constant summand is the outermost, last one; factors that are powers of two are shifts.

use base::Bv;

use crate::arena::Level;
use crate::op::Op;
use crate::rules::{Rule, either, shape};

pub(crate) const NEG: &[Rule] = &[
    // (bvneg (bvneg x)) => x
    Rule {
        name: "neg_neg",
        level: Level::Fold,
        needs: shape::NEG,
        applies: &["(bvneg (bvneg x))"],
        ignores: &["(bvneg (bvnot x))"],
        apply: |terms, draft| terms.un(draft.args[0], Op::Neg),
    },
    // (bvneg (bvadd x k3)) => (bvadd (bvneg x) (bvneg k3))
    Rule {
        name: "neg_add_const",
        level: Level::Local,
        needs: shape::ADD,
        applies: &["(bvneg (bvadd x k3))"],
        ignores: &["(bvneg (bvadd x y))"],
        apply: |terms, draft| {
            let (x, k) = terms.bin(draft.args[0], Op::Add)?;
            let k = terms.as_bv(k)?;
            let x = terms.neg(x);
            let k = terms.bv(k.neg());
            Some(terms.add(x, k))
        },
    },
    // (bvneg (bvadd x (bvneg y))) => (bvadd y (bvneg x))
    Rule {
        name: "neg_difference",
        level: Level::Local,
        needs: shape::ADD,
        applies: &["(bvneg (bvadd x (bvneg y)))", "(bvneg (bvadd (bvneg y) x))"],
        ignores: &["(bvneg (bvadd x y))"],
        apply: |terms, draft| {
            let (x, y) = terms.bin(draft.args[0], Op::Add)?;
            let (positive, negative) = match (terms.un(x, Op::Neg), terms.un(y, Op::Neg)) {
                (_, Some(y)) => (y, x),
                (Some(x), None) => (x, y),
                (None, None) => return None,
            };
            let negative = terms.neg(negative);
            Some(terms.add(positive, negative))
        },
    },
    // (bvneg (bvnot x)) => (bvadd x one)
    Rule {
        name: "neg_bvnot",
        level: Level::Local,
        needs: shape::BVNOT,
        applies: &["(bvneg (bvnot x))"],
        ignores: &["(bvneg x)"],
        apply: |terms, draft| {
            let x = terms.un(draft.args[0], Op::BvNot)?;
            let width = terms.width(x);
            let one = terms.bv_u64(1, width);
            Some(terms.add(x, one))
        },
    },
    // (bvneg (bvmul x k3)) => (bvmul x (bvneg k3))
    Rule {
        name: "neg_mul_const",
        level: Level::Local,
        needs: shape::MUL,
        applies: &["(bvneg (bvmul x k3))"],
        ignores: &["(bvneg (bvmul x y))"],
        apply: |terms, draft| {
            let (x, k) = terms.bin(draft.args[0], Op::Mul)?;
            let k = terms.as_bv(k)?;
            let k = terms.bv(k.neg());
            Some(terms.mul(x, k))
        },
    },
];

pub(crate) const ADD: &[Rule] = &[
    // (bvadd x zero) => x
    Rule {
        name: "add_zero",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvadd x zero)"],
        ignores: &["(bvadd x one)"],
        apply: |terms, draft| {
            terms
                .as_bv(draft.args[1])?
                .is_zero()
                .then_some(draft.args[0])
        },
    },
    // (bvadd x (bvneg x)) => zero, (bvadd x (bvnot x)) => ones
    Rule {
        name: "add_inverse",
        level: Level::Fold,
        needs: shape::NEGATED,
        applies: &[
            "(bvadd x (bvneg x))",
            "(bvadd (bvneg (bvor x y)) (bvor x y))",
            "(bvadd (bvnot x) x)",
        ],
        ignores: &["(bvadd x (bvneg y))", "(bvadd x (bvnot y))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let width = terms.width(a);
                if terms.un(a, Op::Neg) == Some(b) {
                    return Some(terms.bv_u64(0, width));
                }
                (terms.un(a, Op::BvNot) == Some(b)).then(|| terms.bv(Bv::ones(width)))
            })
        },
    },
    // (bvadd x x) => (bvshl x one)
    Rule {
        name: "add_same",
        level: Level::Local,
        needs: shape::SAME,
        applies: &["(bvadd x x)"],
        ignores: &["(bvadd x y)"],
        apply: |terms, draft| {
            let x = draft.args[0];
            let width = terms.width(x);
            let two = terms.bv_u64(2, width);
            Some(terms.mul(x, two))
        },
    },
    // (bvadd (bvadd x k2) k3) => (bvadd x k5)
    Rule {
        name: "add_consts",
        level: Level::Local,
        needs: shape::ADD | shape::CONST,
        applies: &["(bvadd (bvadd x k2) k3)"],
        ignores: &["(bvadd (bvadd x y) k3)", "(bvadd (bvadd x k2) y)"],
        apply: |terms, draft| {
            let (x, k) = terms.bin(draft.args[0], Op::Add)?;
            let sum = terms.as_bv(k)?.add(&terms.as_bv(draft.args[1])?);
            let sum = terms.bv(sum);
            Some(terms.add(x, sum))
        },
    },
    // (bvadd (bvadd x k2) y) => (bvadd (bvadd x y) k2)
    Rule {
        name: "add_pull_const",
        level: Level::Local,
        needs: shape::ADD,
        applies: &[
            "(bvadd (bvadd x k2) y)",
            "(bvadd y (bvadd x k2))",
            "(bvadd (bvadd x k2) (bvadd y k3))",
        ],
        ignores: &["(bvadd (bvadd x y) z)", "(bvadd (bvadd x k2) k3)"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (x, k) = terms.bin(a, Op::Add)?;
                if !terms.is_const(k) || terms.is_const(b) {
                    return None;
                }
                let inner = terms.add(x, b);
                Some(terms.add(inner, k))
            })
        },
    },
    // (bvadd (bvnot x) k3) => (bvadd (bvneg x) k2)
    Rule {
        name: "add_bvnot_const",
        level: Level::Local,
        needs: shape::BVNOT | shape::CONST,
        applies: &["(bvadd (bvnot x) one)", "(bvadd (bvnot x) k3)"],
        ignores: &["(bvadd (bvnot x) y)"],
        apply: |terms, draft| {
            let x = terms.un(draft.args[0], Op::BvNot)?;
            let k = terms.as_bv(draft.args[1])?;
            let less = terms.bv(k.sub(&Bv::one(k.width())));
            let x = terms.neg(x);
            Some(terms.add(x, less))
        },
    },
    // (bvadd (bvneg x) (bvneg y)) => (bvneg (bvadd x y))
    Rule {
        name: "add_negs",
        level: Level::Local,
        needs: shape::NEG,
        applies: &["(bvadd (bvneg x) (bvneg y))"],
        ignores: &["(bvadd x (bvneg y))"],
        apply: |terms, draft| {
            let (x, y) = (
                terms.un(draft.args[0], Op::Neg)?,
                terms.un(draft.args[1], Op::Neg)?,
            );
            let sum = terms.add(x, y);
            Some(terms.neg(sum))
        },
    },
    // (bvadd (bvand x y) (bvor x y)) => (bvadd x y)
    Rule {
        name: "add_and_or",
        level: Level::Full,
        needs: shape::BITS,
        applies: &["(bvadd (bvand x y) (bvor y x))"],
        ignores: &["(bvadd (bvand x y) (bvor x z))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (x, y) = terms.bin(a, Op::BvAnd)?;
                let sides = terms.bin(b, Op::BvOr)?;
                (sides == (x, y) || sides == (y, x)).then(|| terms.add(x, y))
            })
        },
    },
];

pub(crate) const SUB: &[Rule] = &[
    // (bvsub x x) => zero
    Rule {
        name: "sub_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(bvsub x x)"],
        ignores: &["(bvsub x y)"],
        apply: |terms, draft| {
            let width = terms.width(draft.args[0]);
            Some(terms.bv_u64(0, width))
        },
    },
    // (bvsub x y) => (bvadd x (bvneg y))
    Rule {
        name: "sub_as_add",
        level: Level::Fold,
        needs: shape::ANY,
        applies: &["(bvsub x y)", "(bvsub x k3)", "(bvsub zero x)"],
        ignores: &["(bvadd x y)"],
        apply: |terms, draft| {
            let y = terms.neg(draft.args[1]);
            Some(terms.add(draft.args[0], y))
        },
    },
];

pub(crate) const MUL: &[Rule] = &[
    // (bvmul x zero) => zero, (bvmul x one) => x, (bvmul x ones) => (bvneg x)
    Rule {
        name: "mul_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(bvmul x zero)", "(bvmul x one)", "(bvmul x ones)"],
        ignores: &["(bvmul x k3)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let value = terms.as_bv(k)?;
            if value.is_zero() {
                Some(k)
            } else if value.is_one() {
                Some(x)
            } else if value.is_ones() {
                Some(terms.neg(x))
            } else {
                None
            }
        },
    },
    // (bvmul x k4) => (bvshl x k2)
    Rule {
        name: "mul_power_of_two",
        level: Level::Local,
        needs: shape::CONST,
        applies: &["(bvmul x k2)", "(bvmul x k4)", "(bvmul x min)"],
        ignores: &["(bvmul x k3)", "(bvmul x k6)"],
        apply: |terms, draft| {
            let log2 = terms.as_bv(draft.args[1])?.log2_exact()?;
            let width = terms.width(draft.args[0]);
            let amount = terms.bv_u64(u64::from(log2), width);
            Some(terms.shl(draft.args[0], amount))
        },
    },
    // (bvmul (bvmul x k3) k5) => (bvmul x k15), (bvmul (bvshl x k2) k3) => (bvmul x k12), (bvmul (bvneg x) k3) => (bvmul x (bvneg k3))
    Rule {
        name: "mul_consts",
        level: Level::Local,
        needs: shape::CONST,
        applies: &[
            "(bvmul (bvmul x k3) k5)",
            "(bvmul (bvshl x k2) k3)",
            "(bvmul (bvneg x) k3)",
        ],
        ignores: &[
            "(bvmul (bvmul x y) k5)",
            "(bvmul (bvshl x y) k3)",
            "(bvmul (bvadd x k2) k3)",
        ],
        apply: |terms, draft| {
            let [a, k, _] = draft.args;
            let k = terms.as_bv(k)?;
            let (x, factor) = match terms.op(a) {
                Op::Neg => (terms.raw_args(a)[0], Bv::ones(k.width())),
                Op::Mul => (terms.raw_args(a)[0], terms.as_bv(terms.raw_args(a)[1])?),
                Op::Shl => (
                    terms.raw_args(a)[0],
                    Bv::one(k.width()).shl(&terms.as_bv(terms.raw_args(a)[1])?),
                ),
                _ => return None,
            };
            let product = terms.bv(factor.mul(&k));
            Some(terms.mul(x, product))
        },
    },
    // (bvmul (bvadd x k2) k3) => (bvadd (bvmul x k3) k6)
    Rule {
        name: "mul_over_add",
        level: Level::Full,
        needs: shape::ADD | shape::CONST,
        applies: &["(bvmul (bvadd x k2) k3)"],
        ignores: &["(bvmul (bvadd x y) k3)", "(bvmul (bvadd x k2) y)"],
        apply: |terms, draft| {
            let (x, l) = terms.bin(draft.args[0], Op::Add)?;
            let (l, k) = (terms.as_bv(l)?, terms.as_bv(draft.args[1])?);
            let offset = terms.bv(l.mul(&k));
            let scaled = terms.mul(x, draft.args[1]);
            Some(terms.add(scaled, offset))
        },
    },
    // (bvmul (bvneg x) y) => (bvneg (bvmul x y)), (bvmul (bvneg x) (bvneg y)) => (bvmul x y)
    Rule {
        name: "mul_neg",
        level: Level::Local,
        needs: shape::NEG,
        applies: &["(bvmul (bvneg x) y)", "(bvmul (bvneg x) (bvneg y))"],
        ignores: &["(bvmul x y)", "(bvmul (bvneg x) k3)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (x, y) = match (terms.un(a, Op::Neg), terms.un(b, Op::Neg)) {
                (Some(x), Some(y)) => return Some(terms.mul(x, y)),
                (Some(x), None) if !terms.is_const(b) => (x, b),
                (None, Some(y)) => (a, y),
                (Some(_), None) | (None, None) => return None,
            };
            let product = terms.mul(x, y);
            Some(terms.neg(product))
        },
    },
    // (bvmul x (ite p one zero)) => (ite p x zero)
    Rule {
        name: "mul_bit",
        level: Level::Full,
        needs: shape::ITE,
        applies: &["(bvmul x (ite p one zero))", "(bvmul (ite p zero one) x)"],
        ignores: &["(bvmul x (ite p k3 zero))", "(bvmul x (ite p y zero))"],
        apply: |terms, draft| {
            either(draft, |x, bit| {
                let (c, a, b) = terms.as_ite(bit)?;
                let (a, b) = (terms.as_bv(a)?, terms.as_bv(b)?);
                let zero = terms.bv(Bv::zero(a.width()));
                match (a.is_one() && b.is_zero(), a.is_zero() && b.is_one()) {
                    (true, _) => Some(terms.ite(c, x, zero)),
                    (_, true) => Some(terms.ite(c, zero, x)),
                    (false, false) => None,
                }
            })
        },
    },
];
