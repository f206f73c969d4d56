//! Floating-point operators. Few identities of the reals hold; these hold for NaN, infinities and both zeros.

use crate::arena::{Level, Term, Terms};
use crate::op::{Op, Rounding};
use crate::rules::{Rule, shape};
use crate::softfloat;
use crate::sort::{FloatSort, Sort};

pub(crate) const FROM_BITS: &[Rule] = &[
    // ((_ to_fp e s) (fp.to_ieee_bv f)) => f
    Rule {
        name: "from_bits_to_bits",
        level: Level::Fold,
        needs: shape::FLOAT,
        applies: &["((_ to_fp {e} {s}) (fp.to_ieee_bv f))"],
        ignores: &["((_ to_fp {e} {s}) {image})"],
        apply: |terms, draft| {
            let f = terms.un(draft.args[0], Op::FpToBits)?;
            (terms.sort(f) == draft.sort).then_some(f)
        },
    },
];

pub(crate) const TO_BITS: &[Rule] = &[
    // (fp.to_ieee_bv ((_ to_fp e s) x)) => (ite (fp.isNaN …) nan x)
    Rule {
        name: "to_bits_from_bits",
        level: Level::Full,
        needs: shape::FLOAT,
        applies: &["(fp.to_ieee_bv ((_ to_fp {e} {s}) {image}))"],
        ignores: &["(fp.to_ieee_bv f)", "(fp.to_ieee_bv (fp.neg f))"],
        apply: |terms, draft| {
            let f = draft.args[0];
            let x = terms.un(f, Op::FpFromBits)?;
            let nan = softfloat::nan(terms.float_sort(f));
            let nan = terms.bv(nan);
            let is_nan = terms.is_nan(f);
            Some(terms.ite(is_nan, nan, x))
        },
    },
];

pub(crate) const NEG: &[Rule] = &[
    // (fp.neg (fp.neg f)) => f
    Rule {
        name: "fp_neg_neg",
        level: Level::Fold,
        needs: shape::FLOAT,
        applies: &["(fp.neg (fp.neg f))"],
        ignores: &["(fp.neg (fp.abs f))"],
        apply: |terms, draft| terms.un(draft.args[0], Op::FpNeg),
    },
];

pub(crate) const ABS: &[Rule] = &[
    // (fp.abs (fp.neg f)) => (fp.abs f), (fp.abs (fp.abs f)) => (fp.abs f)
    Rule {
        name: "fp_abs_sign",
        level: Level::Fold,
        needs: shape::FLOAT,
        applies: &["(fp.abs (fp.neg f))", "(fp.abs (fp.abs f))"],
        ignores: &["(fp.abs f)"],
        apply: |terms, draft| {
            let a = draft.args[0];
            let f = terms.un(a, Op::FpNeg).or_else(|| terms.un(a, Op::FpAbs))?;
            Some(terms.fabs(f))
        },
    },
];

pub(crate) const ADD: &[Rule] = &[
    // (fp.add RNE f -0) => f, in every mode but RTN, where +0 + -0 is -0
    Rule {
        name: "fp_add_negative_zero",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &[
            "(fp.add RNE f (_ -zero {e} {s}))",
            "(fp.add RTZ f (_ -zero {e} {s}))",
        ],
        ignores: &[
            "(fp.add RTN f (_ -zero {e} {s}))",
            "(fp.add RNE f (_ +zero {e} {s}))",
        ],
        apply: |terms, draft| {
            let zero = terms.as_float_bits(draft.args[1])?;
            (zero.is_int_min() && draft.op != Op::FpAdd(Rounding::TowardNegative))
                .then_some(draft.args[0])
        },
    },
];

pub(crate) const SUB: &[Rule] = &[
    // (fp.sub RNE f g) => (fp.add RNE f (fp.neg g))
    Rule {
        name: "fp_sub_as_add",
        level: Level::Local,
        needs: shape::ANY,
        applies: &["(fp.sub RNE f g)", "(fp.sub RTN f g)"],
        ignores: &["(fp.add RNE f g)"],
        apply: |terms, draft| {
            let Op::FpSub(mode) = draft.op else {
                return None;
            };
            let negated = terms.fneg(draft.args[1]);
            Some(terms.fadd_round(mode, draft.args[0], negated))
        },
    },
];

pub(crate) const MUL: &[Rule] = &[
    // (fp.mul RNE f 1.0) => f, (fp.mul RNE f -1.0) => (fp.neg f)
    Rule {
        name: "fp_mul_one",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &[
            "(fp.mul RNE f ((_ to_fp {e} {s}) RNE 1.0))",
            "(fp.mul RTP f ((_ to_fp {e} {s}) RNE (- 1.0)))",
        ],
        ignores: &["(fp.mul RNE f (_ +zero {e} {s}))", "(fp.mul RNE f g)"],
        apply: |terms, draft| by_one(terms, draft.args),
    },
];

pub(crate) const DIV: &[Rule] = &[
    // (fp.div RNE f 1.0) => f, (fp.div RNE f -1.0) => (fp.neg f)
    Rule {
        name: "fp_div_one",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &[
            "(fp.div RNE f ((_ to_fp {e} {s}) RNE 1.0))",
            "(fp.div RTN f ((_ to_fp {e} {s}) RNE (- 1.0)))",
        ],
        ignores: &[
            "(fp.div RNE ((_ to_fp {e} {s}) RNE 1.0) f)",
            "(fp.div RNE f g)",
        ],
        apply: |terms, draft| by_one(terms, draft.args),
    },
];

pub(crate) const TO_FP: &[Rule] = &[
    // Widening is exact, so narrowing again to the first format gives the float back, and widening twice is widening once.
    Rule {
        name: "to_fp_widened",
        level: Level::Local,
        needs: shape::FLOAT,
        applies: &[
            "((_ to_fp {e} {s}) RNE ((_ to_fp {e+1} {s+2}) RNE f))",
            "((_ to_fp {e+2} {s+3}) RTZ ((_ to_fp {e+1} {s+2}) RNE f))",
        ],
        ignores: &[
            "((_ to_fp {e+1} {s+1}) RNE ((_ to_fp {e} {s-1}) RNE f))",
            "((_ to_fp {e+1} {s+1}) RNE f)",
        ],
        apply: |terms, draft| {
            let inner = draft.args[0];
            let Op::FpToFp(_) = terms.op(inner) else {
                return None;
            };
            let f = terms.raw_args(inner)[0];
            let (Sort::Float(to), Op::FpToFp(mode)) = (draft.sort, draft.op) else {
                return None;
            };
            widens(terms.float_sort(f), terms.float_sort(inner))
                .then(|| terms.fp_to_fp_round(mode, f, to.exp, to.sig))
        },
    },
];

pub(crate) const LT: &[Rule] = &[
    // (fp.lt f f) => false
    Rule {
        name: "fp_lt_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(fp.lt f f)"],
        ignores: &["(fp.lt f g)"],
        apply: |terms, _| Some(terms.fls()),
    },
];

pub(crate) const LE: &[Rule] = &[
    // (fp.leq f f) => (not (fp.isNaN f))
    Rule {
        name: "fp_le_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(fp.leq f f)"],
        ignores: &["(fp.leq f g)"],
        apply: |terms, draft| not_nan(terms, draft.args[0]),
    },
];

pub(crate) const EQ: &[Rule] = &[
    // (fp.eq f f) => (not (fp.isNaN f))
    Rule {
        name: "fp_eq_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(fp.eq f f)"],
        ignores: &["(fp.eq f g)"],
        apply: |terms, draft| not_nan(terms, draft.args[0]),
    },
];

pub(crate) const COMPARE: &[Rule] = &[
    // Nothing compares with NaN.
    Rule {
        name: "fp_compare_nan",
        level: Level::Fold,
        needs: shape::CONST,
        applies: &[
            "(fp.lt f (_ NaN {e} {s}))",
            "(fp.leq (_ NaN {e} {s}) f)",
            "(fp.eq f (_ NaN {e} {s}))",
        ],
        ignores: &["(fp.lt f (_ +oo {e} {s}))", "(fp.leq f g)"],
        apply: |terms, draft| {
            let is_nan = |t: Term| {
                terms
                    .as_float_bits(t)
                    .is_some_and(|bits| softfloat::is_nan(&bits, terms.float_sort(t)))
            };
            draft.args[..2]
                .iter()
                .any(|&t| is_nan(t))
                .then(|| terms.fls())
        },
    },
    // (fp.lt ((_ to_fp wide) f) ((_ to_fp wide) g)) => (fp.lt f g): widening is exact
    Rule {
        name: "fp_compare_widened",
        level: Level::Full,
        needs: shape::FLOAT,
        applies: &[
            "(fp.lt ((_ to_fp {e+1} {s+2}) RNE f) ((_ to_fp {e+1} {s+2}) RNE g))",
            "(fp.eq ((_ to_fp {e+1} {s+2}) RNE f) ((_ to_fp {e+1} {s+2}) RTZ g))",
        ],
        ignores: &[
            "(fp.lt ((_ to_fp {e} {s-1}) RNE f) ((_ to_fp {e} {s-1}) RNE g))",
            "(fp.lt ((_ to_fp {e+1} {s+2}) RNE f) ((_ to_fp {e+1} {s+2}) RNE x))",
        ],
        apply: |terms, draft| {
            let narrow = |t: Term| match terms.op(t) {
                Op::FpToFp(_) => {
                    let f = terms.raw_args(t)[0];
                    widens(terms.float_sort(f), terms.float_sort(t)).then_some(f)
                }
                _ => None,
            };
            let (f, g) = (narrow(draft.args[0])?, narrow(draft.args[1])?);
            (terms.sort(f) == terms.sort(g)).then(|| terms.make2(draft.op, Sort::Bool, f, g))
        },
    },
    // (fp.lt (fp.neg f) (fp.neg g)) => (fp.lt g f)
    Rule {
        name: "fp_compare_negs",
        level: Level::Local,
        needs: shape::FLOAT,
        applies: &[
            "(fp.lt (fp.neg f) (fp.neg g))",
            "(fp.eq (fp.neg f) (fp.neg g))",
        ],
        ignores: &["(fp.lt (fp.neg f) g)"],
        apply: |terms, draft| {
            let (f, g) = (
                terms.un(draft.args[0], Op::FpNeg)?,
                terms.un(draft.args[1], Op::FpNeg)?,
            );
            Some(terms.make2(draft.op, Sort::Bool, g, f))
        },
    },
];

pub(crate) const IS_NAN: &[Rule] = &[
    // Integers convert to numbers, widening and rounding to an integer keep NaN.
    Rule {
        name: "is_nan_of_conversion",
        level: Level::Local,
        needs: shape::FLOAT,
        applies: &[
            "(fp.isNaN ((_ to_fp {e} {s}) RNE x))",
            "(fp.isNaN ((_ to_fp {e} {s-1}) RNE f))",
            "(fp.isNaN (fp.roundToIntegral RTZ f))",
        ],
        ignores: &[
            "(fp.isNaN (fp.add RNE f g))",
            "(fp.isNaN ((_ to_fp {e} {s}) {image}))",
        ],
        apply: |terms, draft| {
            let a = draft.args[0];
            match terms.op(a) {
                Op::FpFromSbv(_) | Op::FpFromUbv(_) => Some(terms.fls()),
                Op::FpToFp(_) | Op::FpRound(_) => {
                    let f = terms.raw_args(a)[0];
                    Some(terms.is_nan(f))
                }
                _ => None,
            }
        },
    },
];

pub(crate) const IS_NEGATIVE: &[Rule] = &[
    // (fp.isNegative (fp.abs f)) => false, (fp.isNegative ((_ to_fp_unsigned e s) RNE x)) => false
    Rule {
        name: "is_negative_never",
        level: Level::Local,
        needs: shape::FLOAT,
        applies: &[
            "(fp.isNegative (fp.abs f))",
            "(fp.isNegative ((_ to_fp_unsigned {e} {s}) RNE x))",
        ],
        ignores: &[
            "(fp.isNegative (fp.neg f))",
            "(fp.isNegative ((_ to_fp {e} {s}) RNE x))",
        ],
        apply: |terms, draft| {
            matches!(terms.op(draft.args[0]), Op::FpAbs | Op::FpFromUbv(_)).then(|| terms.fls())
        },
    },
];

pub(crate) const CLASS: &[Rule] = &[
    // (fp.isNaN (fp.neg f)) => (fp.isNaN f): every class but the sign ignores the sign
    Rule {
        name: "class_ignores_sign",
        level: Level::Fold,
        needs: shape::FLOAT,
        applies: &[
            "(fp.isNaN (fp.neg f))",
            "(fp.isInfinite (fp.abs f))",
            "(fp.isZero (fp.neg f))",
            "(fp.isNormal (fp.abs f))",
            "(fp.isSubnormal (fp.neg f))",
        ],
        ignores: &["(fp.isNegative (fp.neg f))", "(fp.isNaN f)"],
        apply: |terms, draft| {
            let a = draft.args[0];
            let f = terms.un(a, Op::FpNeg).or_else(|| terms.un(a, Op::FpAbs))?;
            (draft.op != Op::FpIsNegative).then(|| terms.make1(draft.op, Sort::Bool, f))
        },
    },
    // (fp.isNaN ((_ to_fp e s) x)) => a test of the bits of x
    Rule {
        name: "class_of_bits",
        level: Level::Full,
        needs: shape::FLOAT,
        applies: &[
            "(fp.isNaN ((_ to_fp {e} {s}) {image}))",
            "(fp.isInfinite ((_ to_fp {e} {s}) {image}))",
            "(fp.isZero ((_ to_fp {e} {s}) {image}))",
            "(fp.isNormal ((_ to_fp {e} {s}) {image}))",
            "(fp.isSubnormal ((_ to_fp {e} {s}) {image}))",
            "(fp.isNegative ((_ to_fp {e} {s}) {image}))",
        ],
        ignores: &["(fp.isNaN f)", "(fp.isNaN ((_ to_fp {e} {s}) RNE x))"],
        apply: |terms, draft| {
            let x = terms.un(draft.args[0], Op::FpFromBits)?;
            Some(class_of_bits(
                terms,
                draft.op,
                x,
                terms.float_sort(draft.args[0]),
            ))
        },
    },
];

fn by_one(terms: &mut Terms, args: [Term; 3]) -> Option<Term> {
    let [f, one, _] = args;
    let bits = terms.as_float_bits(one)?;
    let sort = terms.float_sort(one);
    if bits == softfloat::power_of_two(0, true, sort) {
        return Some(terms.fneg(f));
    }
    (bits == softfloat::power_of_two(0, false, sort)).then_some(f)
}

fn not_nan(terms: &mut Terms, f: Term) -> Option<Term> {
    let nan = terms.is_nan(f);
    Some(terms.not(nan))
}

/// Whether every value of one format is a value of the other.
fn widens(from: FloatSort, to: FloatSort) -> bool {
    // With equal exponents and a longer significand, subnormal numbers stay representable too.
    from.exp <= to.exp && from.sig <= to.sig
}

fn class_of_bits(terms: &mut Terms, op: Op, x: Term, sort: FloatSort) -> Term {
    let (fraction_bits, width) = (sort.sig - 1, sort.width());
    let exponent = terms.extract(x, width - 2, fraction_bits);
    let fraction = terms.extract(x, fraction_bits - 1, 0);
    let magnitude = terms.extract(x, width - 2, 0);
    let test = |terms: &mut Terms, t: Term, value: base::Bv| {
        let value = terms.bv(value);
        terms.eq(t, value)
    };
    let full = test(terms, exponent, base::Bv::ones(sort.exp));
    let empty = test(terms, exponent, base::Bv::zero(sort.exp));
    let no_fraction = test(terms, fraction, base::Bv::zero(fraction_bits));
    let some_fraction = terms.not(no_fraction);
    match op {
        Op::FpIsNan => terms.and(full, some_fraction),
        Op::FpIsInf => terms.and(full, no_fraction),
        Op::FpIsZero => test(terms, magnitude, base::Bv::zero(width - 1)),
        Op::FpIsSubnormal => terms.and(empty, some_fraction),
        Op::FpIsNormal => {
            let special = terms.or(full, empty);
            terms.not(special)
        }
        Op::FpIsNegative => {
            let sign = terms.extract(x, width - 1, width - 1);
            let negative = test(terms, sign, base::Bv::one(1));
            let nan = terms.and(full, some_fraction);
            let number = terms.not(nan);
            terms.and(negative, number)
        }
        other => unreachable!("{other:?} is no class of floats"),
    }
}
