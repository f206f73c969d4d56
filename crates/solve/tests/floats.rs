//! Every floating-point operator of Bitwuzla against the evaluator, operator by operator.
//!
//! Bitwuzla is built with a SymFPU that is older than the one its authors pin, so nothing is taken for granted: for
//! special and random operands, it must refute that the result differs from the evaluator's. With simplification
//! off the circuits are tested, with simplification on the folding of constants.

mod common;

use common::{Random, is_value};
use solve::{Answer, Checked, Config, Simplifying, Solver};
use terms::{FloatSort, Level, Model, Rounding, Signedness, Sort, Term, Terms, Value};

/// An operator on up to three floats.
type Operator = fn(&mut Terms, Rounding, [Term; 3]) -> Term;

/// Operators that round.
const ROUNDED: &[(&str, Operator)] = &[
    ("add", |terms, mode, [x, y, _]| terms.fadd_round(mode, x, y)),
    ("sub", |terms, mode, [x, y, _]| terms.fsub_round(mode, x, y)),
    ("mul", |terms, mode, [x, y, _]| terms.fmul_round(mode, x, y)),
    ("div", |terms, mode, [x, y, _]| terms.fdiv_round(mode, x, y)),
    ("fma", |terms, mode, [x, y, z]| {
        terms.fma_round(mode, x, y, z)
    }),
    ("sqrt", |terms, mode, [x, ..]| terms.fsqrt_round(mode, x)),
    ("round", |terms, mode, [x, ..]| terms.froundint(mode, x)),
    ("to f16", |terms, mode, [x, ..]| {
        terms.fp_to_fp_round(mode, x, 5, 11)
    }),
    ("to f64", |terms, mode, [x, ..]| {
        terms.fp_to_fp_round(mode, x, 11, 53)
    }),
    ("to i1", |terms, mode, [x, ..]| {
        terms.fp_to_bv_round(mode, Signedness::Signed, x, 1)
    }),
    ("to i8", |terms, mode, [x, ..]| {
        terms.fp_to_bv_round(mode, Signedness::Signed, x, 8)
    }),
    ("to u1", |terms, mode, [x, ..]| {
        terms.fp_to_bv_round(mode, Signedness::Unsigned, x, 1)
    }),
    ("to u8", |terms, mode, [x, ..]| {
        terms.fp_to_bv_round(mode, Signedness::Unsigned, x, 8)
    }),
    ("to i40", |terms, mode, [x, ..]| {
        terms.fp_to_bv_round(mode, Signedness::Signed, x, 40)
    }),
    ("from i", |terms, mode, [x, ..]| {
        from_bv(terms, mode, Signedness::Signed, x)
    }),
    ("from u", |terms, mode, [x, ..]| {
        from_bv(terms, mode, Signedness::Unsigned, x)
    }),
];

/// Operators that do not round.
const EXACT: &[(&str, Operator)] = &[
    ("rem", |terms, _, [x, y, _]| {
        if terms.float_sort(x).exp <= 8 {
            terms.frem(x, y)
        } else {
            x
        }
    }),
    ("neg", |terms, _, [x, ..]| terms.fneg(x)),
    ("abs", |terms, _, [x, ..]| terms.fabs(x)),
    ("min", |terms, _, [x, y, _]| terms.fmin(x, y)),
    ("max", |terms, _, [x, y, _]| terms.fmax(x, y)),
    ("lt", |terms, _, [x, y, _]| terms.flt(x, y)),
    ("le", |terms, _, [x, y, _]| terms.fle(x, y)),
    ("eq", |terms, _, [x, y, _]| terms.feq(x, y)),
    ("same", |terms, _, [x, y, _]| terms.eq(x, y)),
    ("nan", |terms, _, [x, ..]| terms.is_nan(x)),
    ("inf", |terms, _, [x, ..]| terms.is_inf(x)),
    ("zero", |terms, _, [x, ..]| terms.is_zero(x)),
    ("normal", |terms, _, [x, ..]| terms.is_normal(x)),
    ("subnormal", |terms, _, [x, ..]| terms.is_subnormal(x)),
    ("negative", |terms, _, [x, ..]| terms.is_negative(x)),
    ("image", |terms, _, [x, ..]| terms.fp_to_bits(x)),
];

/// The image of a float, taken for a number.
fn from_bv(terms: &mut Terms, mode: Rounding, signedness: Signedness, x: Term) -> Term {
    let format = terms.float_sort(x);
    let bits = terms.fp_to_bits(x);
    terms.fp_from_bv_round(mode, signedness, bits, format.exp, format.sig)
}

fn check(format: FloatSort, simplifying: Simplifying, rounds: usize) {
    let exact = EXACT
        .iter()
        .map(|&(name, operator)| (name, operator, [Rounding::NearestEven].as_slice()));
    let rounded = ROUNDED
        .iter()
        .map(|&(name, operator)| (name, operator, Rounding::ALL.as_slice()));
    for (name, operator, modes) in exact.chain(rounded) {
        for &mode in modes {
            check_one(format, simplifying, rounds, name, operator, mode);
        }
    }
}

fn check_one(
    format: FloatSort,
    simplifying: Simplifying,
    rounds: usize,
    name: &str,
    operator: Operator,
    mode: Rounding,
) {
    let config = Config {
        simplifying,
        ..Config::default()
    };
    let mut solver = Checked::open("bitwuzla", &config).expect("opens");
    let mut terms = Terms::with_level(Level::Off);
    let mut random = Random::new(u64::from(format.sig) << 8 | mode as u64);
    let (mut model, mut right) = (Model::new(), Vec::new());
    for round in 0..rounds {
        let operands =
            ["x", "y", "z"].map(|name| terms.var(&format!("{name}{round}"), Sort::Float(format)));
        for operand in operands {
            let value = Value::float(format, random.float(format));
            let fixed = is_value(&mut terms, operand, &value);
            solver.assert(&terms, fixed).expect("asserts");
            model.set(&terms, operand, value);
        }
        let result = operator(&mut terms, mode, operands);
        let value = terms.eval(&model, result);
        right.push(is_value(&mut terms, result, &value));
    }
    let all = terms.and_all(&right);
    let wrong = terms.not(all);
    let answer = solver.check(&terms, &[wrong]);
    assert!(
        matches!(answer, Ok(Answer::Unsat)),
        "{name} {mode:?} {format:?}: {answer:?}"
    );
}

#[test]
fn circuits() {
    check(FloatSort::F16, Simplifying::Off, 12);
}

#[test]
fn constants() {
    check(FloatSort::F16, Simplifying::On, 60);
    check(FloatSort::F32, Simplifying::On, 40);
    check(FloatSort::F64, Simplifying::On, 20);
    check(FloatSort::F128, Simplifying::On, 10);
}
