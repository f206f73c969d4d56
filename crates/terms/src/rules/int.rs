//! Integers, and conversions between them and bit-vectors.
//!
//! Normal form: no subtraction of constants, `<` is a negated `<=`, a constant summand is the outermost, last one.

use num_bigint::BigInt;

use crate::arena::{Level, Term, Terms};
use crate::op::Op;
use crate::rules::{Rule, either, shape};
use crate::sort::Sort;

/// `x` and `k` of `x + k`; zero if there is no such constant.
fn offset(terms: &Terms, t: Term) -> (Term, BigInt) {
    match terms.bin(t, Op::IntAdd) {
        Some((x, k)) => match terms.as_int(k) {
            Some(k) => (x, k.clone()),
            None => (t, BigInt::ZERO),
        },
        None => (t, BigInt::ZERO),
    }
}

pub(crate) const EQ: &[Rule] = &[
    // (= (+ m 2) 3) => (= m 1), (= (+ m 2) (+ n 3)) => (= m (+ n 1)), (= (+ m 2) m) => false
    Rule {
        name: "eq_int_offset",
        level: Level::Local,
        needs: shape::INT,
        applies: &[
            "(= (+ m 2) 3)",
            "(= (+ m 2) (+ n 3))",
            "(= (+ m 2) m)",
            "(= m (+ m 2))",
        ],
        ignores: &["(= (+ m n) 3)", "(= m (+ n 2))", "(= x y)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if terms.sort(a) != Sort::Int {
                return None;
            }
            let ((x, k), (y, l)) = (offset(terms, a), offset(terms, b));
            if x == y {
                return Some(terms.bool(k == l));
            }
            if k == BigInt::ZERO {
                return None;
            }
            if let Some(constant) = terms.as_int(b) {
                let rest = constant - k;
                let rest = terms.int(rest);
                return Some(terms.eq(x, rest));
            }
            if l == BigInt::ZERO {
                return None;
            }
            let rest = terms.int(l - k);
            let right = terms.iadd(y, rest);
            Some(terms.eq(x, right))
        },
    },
    // (= (bv2nat x) (bv2nat y)) => (= x y), (= (bv2nat x) 3) => (= x k3) or false
    Rule {
        name: "eq_bv2nat",
        level: Level::Local,
        needs: shape::INT,
        applies: &[
            "(= (bv2nat x) (bv2nat y))",
            "(= (bv2nat x) 3)",
            "(= (bv2nat x) (- 3))",
        ],
        ignores: &["(= (bv2nat x) m)", "(= (bv2nat x) (bv2nat t))"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let x = terms.un(a, Op::BvToNat)?;
            if let Some(k) = terms.as_int(b) {
                let width = terms.width(x);
                let fits = *k >= BigInt::ZERO && k.bits() <= u64::from(width);
                if !fits {
                    return Some(terms.fls());
                }
                let k = terms.int2bv(b, width);
                return Some(terms.eq(x, k));
            }
            let y = terms.un(b, Op::BvToNat)?;
            (terms.sort(x) == terms.sort(y)).then(|| terms.eq(x, y))
        },
    },
];

pub(crate) const NEG: &[Rule] = &[
    // (- (- m)) => m
    Rule {
        name: "int_neg_neg",
        level: Level::Fold,
        needs: shape::INT,
        applies: &["(- (- m))"],
        ignores: &["(- m)", "(- (+ m n))"],
        apply: |terms, draft| terms.un(draft.args[0], Op::IntNeg),
    },
];

pub(crate) const ADD: &[Rule] = &[
    // (+ m 0) => m
    Rule {
        name: "int_add_zero",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(+ m 0)"],
        ignores: &["(+ m 1)"],
        apply: |terms, draft| {
            (*terms.as_int(draft.args[1])? == BigInt::ZERO).then_some(draft.args[0])
        },
    },
    // (+ m (- m)) => 0
    Rule {
        name: "int_add_neg",
        level: Level::Fold,
        needs: shape::INT,
        applies: &["(+ m (- m))"],
        ignores: &["(+ m (- n))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                (terms.un(a, Op::IntNeg)? == b).then(|| terms.int(0))
            })
        },
    },
    // (+ (+ m 2) 3) => (+ m 5)
    Rule {
        name: "int_add_consts",
        level: Level::Local,
        needs: shape::INT | shape::CONST,
        applies: &["(+ (+ m 2) 3)"],
        ignores: &["(+ (+ m n) 3)"],
        apply: |terms, draft| {
            let (x, k) = terms.bin(draft.args[0], Op::IntAdd)?;
            let sum = terms.as_int(k)? + terms.as_int(draft.args[1])?;
            let sum = terms.int(sum);
            Some(terms.iadd(x, sum))
        },
    },
    // (+ (+ m 2) n) => (+ (+ m n) 2)
    Rule {
        name: "int_add_pull_const",
        level: Level::Local,
        needs: shape::INT,
        applies: &["(+ (+ m 2) n)", "(+ n (+ m 2))"],
        ignores: &["(+ (+ m 2) 3)", "(+ (+ m n) n)"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (x, k) = terms.bin(a, Op::IntAdd)?;
                if !terms.is_const(k) || terms.is_const(b) {
                    return None;
                }
                let inner = terms.iadd(x, b);
                Some(terms.iadd(inner, k))
            })
        },
    },
    // (+ (- m n) n) => m
    Rule {
        name: "int_add_sub",
        level: Level::Local,
        needs: shape::INT,
        applies: &["(+ (- m n) n)", "(+ n (- m n))"],
        ignores: &["(+ (- m n) m)"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (x, y) = terms.bin(a, Op::IntSub)?;
                (y == b).then_some(x)
            })
        },
    },
];

pub(crate) const SUB: &[Rule] = &[
    // (- m m) => 0
    Rule {
        name: "int_sub_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(- m m)"],
        ignores: &["(- m n)"],
        apply: |terms, _| Some(terms.int(0)),
    },
    // (- m 3) => (+ m (- 3))
    Rule {
        name: "int_sub_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(- m 3)"],
        ignores: &["(- 3 m)", "(- m n)"],
        apply: |terms, draft| {
            let k = -terms.as_int(draft.args[1])?;
            let k = terms.int(k);
            Some(terms.iadd(draft.args[0], k))
        },
    },
    // (- (+ m n) n) => m, (- (+ m 2) n) => (+ (- m n) 2)
    Rule {
        name: "int_sub_add",
        level: Level::Local,
        needs: shape::INT,
        applies: &[
            "(- (+ m n) n)",
            "(- (+ m n) m)",
            "(- (+ m 2) n)",
            "(- m (+ n 2))",
        ],
        ignores: &["(- (+ m n) (* m n))", "(- m (* n 2))"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if let Some((x, y)) = terms.bin(a, Op::IntAdd) {
                if b == x || b == y {
                    return Some(if b == x { y } else { x });
                }
            }
            let ((x, k), (y, l)) = (offset(terms, a), offset(terms, b));
            if x == a && y == b {
                return None;
            }
            let difference = terms.isub(x, y);
            let rest = terms.int(k - l);
            Some(terms.iadd(difference, rest))
        },
    },
];

pub(crate) const MUL: &[Rule] = &[
    // (* m 0) => 0, (* m 1) => m, (* m (- 1)) => (- m)
    Rule {
        name: "int_mul_const",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(* m 0)", "(* m 1)", "(* m (- 1))"],
        ignores: &["(* m 2)"],
        apply: |terms, draft| {
            let [x, k, _] = draft.args;
            let value = terms.as_int(k)?;
            if *value == BigInt::ZERO {
                Some(k)
            } else if *value == BigInt::from(1) {
                Some(x)
            } else if *value == BigInt::from(-1) {
                Some(terms.ineg(x))
            } else {
                None
            }
        },
    },
    // (* (* m 2) 3) => (* m 6)
    Rule {
        name: "int_mul_consts",
        level: Level::Local,
        needs: shape::INT | shape::CONST,
        applies: &["(* (* m 2) 3)"],
        ignores: &["(* (* m n) 3)", "(* (+ m 2) 3)"],
        apply: |terms, draft| {
            let (x, k) = terms.bin(draft.args[0], Op::IntMul)?;
            let product = terms.as_int(k)? * terms.as_int(draft.args[1])?;
            let product = terms.int(product);
            Some(terms.imul(x, product))
        },
    },
];

pub(crate) const DIV: &[Rule] = &[
    // (div m 1) => m, (div m (- 1)) => (- m)
    Rule {
        name: "int_div_one",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(div m 1)", "(div m (- 1))"],
        ignores: &["(div m 2)"],
        apply: |terms, draft| {
            let k = terms.as_int(draft.args[1])?;
            if *k == BigInt::from(-1) {
                return Some(terms.ineg(draft.args[0]));
            }
            (*k == BigInt::from(1)).then_some(draft.args[0])
        },
    },
];

pub(crate) const MOD: &[Rule] = &[
    // (mod m 1) => 0
    Rule {
        name: "int_mod_one",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &["(mod m 1)", "(mod m (- 1))"],
        ignores: &["(mod m 2)"],
        apply: |terms, draft| {
            let k = terms.as_int(draft.args[1])?;
            (*k.magnitude() == num_bigint::BigUint::from(1u32)).then(|| terms.int(0))
        },
    },
];

pub(crate) const LE: &[Rule] = &[
    // (<= m m) => true
    Rule {
        name: "int_le_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(<= m m)"],
        ignores: &["(<= m n)"],
        apply: |terms, _| Some(terms.tru()),
    },
    // (<= (+ m 2) 3) => (<= m 1), (<= 3 (+ m 2)) => (<= 1 m), (<= (+ m 2) m) => false
    Rule {
        name: "int_le_offset",
        level: Level::Local,
        needs: shape::INT,
        applies: &[
            "(<= (+ m 2) 3)",
            "(<= 3 (+ m 2))",
            "(<= (+ m 2) m)",
            "(<= (+ m 2) (+ m 3))",
            "(<= (+ m 2) (+ n 3))",
        ],
        ignores: &["(<= (+ m n) 3)", "(<= m (+ n 2))"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let ((x, k), (y, l)) = (offset(terms, a), offset(terms, b));
            if x == y {
                return Some(terms.bool(k <= l));
            }
            if let Some(constant) = terms.as_int(a).filter(|_| l != BigInt::ZERO) {
                let rest = constant - l;
                let rest = terms.int(rest);
                return Some(terms.ile(rest, y));
            }
            if k == BigInt::ZERO {
                return None;
            }
            if let Some(constant) = terms.as_int(b) {
                let rest = constant - k;
                let rest = terms.int(rest);
                return Some(terms.ile(x, rest));
            }
            if l == BigInt::ZERO {
                return None;
            }
            let rest = terms.int(l - k);
            let right = terms.iadd(y, rest);
            Some(terms.ile(x, right))
        },
    },
    // (<= (bv2nat x) (bv2nat y)) => (bvule x y), (<= (bv2nat x) 3) => (bvule x k3) or decided
    Rule {
        name: "int_le_bv2nat",
        level: Level::Local,
        needs: shape::INT,
        applies: &[
            "(<= (bv2nat x) (bv2nat y))",
            "(<= (bv2nat x) 3)",
            "(<= 3 (bv2nat x))",
            "(<= 0 (bv2nat x))",
            "(<= (bv2nat x) (- 1))",
        ],
        ignores: &["(<= (bv2nat x) m)", "(<= (bv2nat x) (bv2nat t))"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            match (terms.un(a, Op::BvToNat), terms.un(b, Op::BvToNat)) {
                (Some(x), Some(y)) => (terms.sort(x) == terms.sort(y)).then(|| terms.ule(x, y)),
                (Some(x), None) => {
                    let k = terms.as_int(b)?;
                    let width = terms.width(x);
                    if *k < BigInt::ZERO || k.bits() > u64::from(width) {
                        return Some(terms.bool(*k >= BigInt::ZERO));
                    }
                    let k = terms.int2bv(b, width);
                    Some(terms.ule(x, k))
                }
                (None, Some(y)) => {
                    let k = terms.as_int(a)?;
                    let width = terms.width(y);
                    if *k <= BigInt::ZERO || k.bits() > u64::from(width) {
                        return Some(terms.bool(*k <= BigInt::ZERO));
                    }
                    let k = terms.int2bv(a, width);
                    Some(terms.ule(k, y))
                }
                (None, None) => None,
            }
        },
    },
];

pub(crate) const LT: &[Rule] = &[
    // (< m n) => (not (<= n m))
    Rule {
        name: "int_lt_as_le",
        level: Level::Fold,
        needs: shape::ANY,
        applies: &["(< m n)", "(< m 3)"],
        ignores: &["(<= m n)"],
        apply: |terms, draft| {
            let above = terms.ile(draft.args[1], draft.args[0]);
            Some(terms.not(above))
        },
    },
];

pub(crate) const BV_TO_NAT: &[Rule] = &[
    // (bv2nat ((_ zero_extend 2) x)) => (bv2nat x)
    Rule {
        name: "bv2nat_zext",
        level: Level::Local,
        needs: shape::ZEXT,
        applies: &["(bv2nat ((_ zero_extend 2) x))"],
        ignores: &["(bv2nat ((_ sign_extend 2) x))"],
        apply: |terms, draft| {
            let x = terms.un(draft.args[0], Op::Zext)?;
            Some(terms.bv2nat(x))
        },
    },
];

pub(crate) const INT_TO_BV: &[Rule] = &[
    // ((_ int2bv 4) (bv2nat x)) => x, extended or truncated
    Rule {
        name: "int2bv_bv2nat",
        level: Level::Fold,
        needs: shape::INT,
        applies: &[
            "((_ int2bv {w}) (bv2nat x))",
            "((_ int2bv {w+1}) (bv2nat x))",
            "((_ int2bv {w-1}) (bv2nat x))",
        ],
        ignores: &["((_ int2bv {w}) (+ m n))"],
        apply: |terms, draft| {
            let x = terms.un(draft.args[0], Op::BvToNat)?;
            Some(terms.zext_or_trunc(x, draft.sort.bv_width()?))
        },
    },
];
