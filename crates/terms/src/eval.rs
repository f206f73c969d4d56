//! The evaluator: what a term is under a model.
//!
//! It is the judge of every solver's model and of every rewrite rule, so it knows the operators' meaning and nothing
//! else. It walks with an explicit stack and looks at each shared term once; of an ite it looks at the chosen side only,
//! and of a conjunction or disjunction at no more than decides it.

use std::cmp::Ordering;

use base::Bv;
use num_bigint::BigInt;

use crate::arena::{Term, Terms};
use crate::op::{Op, Rounding};
use crate::softfloat;
use crate::sort::{FloatSort, Sort};
use crate::value::{ArrayValue, Model, Value};
use crate::versions::{Version, Versions};

/// An evaluation of several terms under one model, which remembers what it has computed.
pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
    /// For each term one more than its place in `results`; zero if it has none.
    slots: Vec<u32>,
    results: Vec<Outcome>,
    versions: Versions,
    stack: Vec<Term>,
}

/// What a term is: a value, or a version of an array.
#[derive(Clone)]
enum Outcome {
    Value(Value),
    Array(Version),
}

impl Terms {
    /// The value of a term under a model.
    pub fn eval(&self, model: &Model, t: Term) -> Value {
        Evaluator::new(self, model).eval(t)
    }

    /// The truth value of a Boolean term under a model.
    pub fn eval_bool(&self, model: &Model, t: Term) -> bool {
        self.eval(model, t).expect_bool()
    }
}

impl<'a> Evaluator<'a> {
    /// An evaluation under this model.
    pub fn new(terms: &'a Terms, model: &'a Model) -> Evaluator<'a> {
        let slots = vec![0; terms.len()];
        Evaluator {
            terms,
            model,
            slots,
            results: Vec::new(),
            versions: Versions::default(),
            stack: Vec::new(),
        }
    }

    /// The value of a term.
    pub fn eval(&mut self, t: Term) -> Value {
        self.stack.clear();
        self.stack.push(t);
        while let Some(&top) = self.stack.last() {
            if self.slots[top.index()] != 0 {
                self.stack.pop();
                continue;
            }
            if let Some(result) = self.step(top) {
                self.stack.pop();
                self.results.push(result);
                self.slots[top.index()] = self.results.len() as u32;
            }
        }
        self.value(t)
    }

    /// The result of a term, if it has one.
    fn get(&self, t: Term) -> Option<&Outcome> {
        match self.slots[t.index()] {
            0 => None,
            slot => Some(&self.results[slot as usize - 1]),
        }
    }

    /// The value of a term that has been evaluated.
    fn value(&mut self, t: Term) -> Value {
        match self.get(t).expect("the term was evaluated") {
            Outcome::Value(value) => value.clone(),
            &Outcome::Array(version) => Value::Array(Box::new(self.versions.get(version).clone())),
        }
    }

    /// The array of a term that has been evaluated.
    fn version(&self, t: Term) -> Version {
        match self.get(t) {
            Some(&Outcome::Array(version)) => version,
            _ => unreachable!("{t} is no array"),
        }
    }

    /// The result of `t`, or nothing after pushing what it needs first.
    fn step(&mut self, t: Term) -> Option<Outcome> {
        let args = self.terms.args(t);
        match self.terms.op(t) {
            Op::Ite => {
                let cond = self.need_bool(args[0])?;
                return self.need(if cond { args[1] } else { args[2] }).cloned();
            }
            op @ (Op::And | Op::Or) => {
                let decides = op == Op::Or;
                let first = self.need_bool(args[0])?;
                return if first == decides {
                    Some(Outcome::Value(Value::Bool(decides)))
                } else {
                    self.need(args[1]).cloned()
                };
            }
            _ => {}
        }
        let before = self.stack.len();
        for &arg in args {
            if self.slots[arg.index()] == 0 {
                self.stack.push(arg);
            }
        }
        (self.stack.len() == before).then(|| self.compute(t))
    }

    fn need(&mut self, t: Term) -> Option<&Outcome> {
        if self.slots[t.index()] == 0 {
            self.stack.push(t);
            return None;
        }
        self.get(t)
    }

    fn need_bool(&mut self, t: Term) -> Option<bool> {
        match self.need(t)? {
            Outcome::Value(value) => Some(value.expect_bool()),
            Outcome::Array(_) => unreachable!("{t} is no Boolean"),
        }
    }

    /// The result of a term whose arguments have results.
    fn compute(&mut self, t: Term) -> Outcome {
        let (op, sort) = (self.terms.op(t), self.terms.sort(t));
        let args = self.terms.args(t);
        let value = match op {
            Op::Var(_) => match self.model.get(t) {
                Some(value) => value.clone(),
                None => Value::default_of(self.terms, sort),
            },
            Op::Apply(fun) => match self.model.get_fun(fun) {
                Some(value) => {
                    let point: Vec<Value> = args.iter().map(|&arg| self.value(arg)).collect();
                    value.entries.get(&point).unwrap_or(&value.default).clone()
                }
                None => Value::default_of(self.terms, sort),
            },
            Op::ConstArray => {
                let element = self.value(args[0]);
                Value::Array(Box::new(ArrayValue::new(self.terms, sort, element, [])))
            }
            Op::Select => {
                let (array, index) = (self.version(args[0]), self.value(args[1]));
                self.versions.get(array).get(&index).clone()
            }
            Op::Store => {
                let (array, index, element) = (
                    self.version(args[0]),
                    self.value(args[1]),
                    self.value(args[2]),
                );
                return Outcome::Array(self.versions.store(array, index, element));
            }
            Op::Eq if matches!(self.terms.sort(args[0]), Sort::Array(_)) => Value::Bool(
                self.version(args[0]) == self.version(args[1])
                    || self.value(args[0]) == self.value(args[1]),
            ),
            _ => self.apply(t, op, sort, args),
        };
        match value {
            Value::Array(array) => Outcome::Array(self.versions.add(array)),
            value => Outcome::Value(value),
        }
    }

    /// The value of a constant or of an operator without arrays.
    fn apply(&self, t: Term, op: Op, sort: Sort, args: &[Term]) -> Value {
        let arg = |index: usize| match self.get(args[index]) {
            Some(Outcome::Value(value)) => value,
            _ => unreachable!("arguments come first, and {t} takes no array"),
        };
        match args.len() {
            0 => self
                .terms
                .const_value(t)
                .expect("a term without arguments is a variable or a constant"),
            1 => apply(op, sort, &[arg(0)]),
            2 => apply(op, sort, &[arg(0), arg(1)]),
            3 => apply(op, sort, &[arg(0), arg(1), arg(2)]),
            _ => unreachable!("{t} is no application"),
        }
    }
}

impl Terms {
    /// The value of a constant.
    pub fn const_value(&self, t: Term) -> Option<Value> {
        match self.op(t) {
            Op::True => Some(Value::Bool(true)),
            Op::False => Some(Value::Bool(false)),
            Op::BvConst(_) => self.as_bv(t).map(Value::Bv),
            Op::IntConst(_) => self.as_int(t).cloned().map(Value::Int),
            Op::FloatConst(_) => self
                .as_float_bits(t)
                .map(|bits| Value::Float(self.float_sort(t), bits)),
            _ => None,
        }
    }

    /// The term that denotes a value; arrays become stores on a constant array, of the given sort.
    pub fn value_term(&mut self, value: &Value, sort: Sort) -> Term {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Bv(value) => self.bv(value.clone()),
            Value::Int(value) => self.int(value.clone()),
            Value::Float(float, bits) => self.float(bits.clone(), *float),
            Value::Array(array) => {
                let (index_sort, element) = self.array_parts(sort);
                let default = self.value_term(array.default(), element);
                let mut term = self.const_array(sort, default);
                for (index, value) in array.entries() {
                    let index = self.value_term(index, index_sort);
                    let value = self.value_term(value, element);
                    term = self.store(term, index, value);
                }
                term
            }
        }
    }
}

fn bv(value: &Value) -> &Bv {
    value.expect_bv()
}

fn int(value: &Value) -> &BigInt {
    match value {
        Value::Int(value) => value,
        other => panic!("{other} is no integer"),
    }
}

fn float(value: &Value) -> (&Bv, FloatSort) {
    match value {
        Value::Float(sort, bits) => (bits, *sort),
        other => panic!("{other} is no float"),
    }
}

fn divisor_is_zero(value: &BigInt) -> bool {
    *value == BigInt::ZERO
}

/// Quotient and remainder such that the remainder is not negative; by zero, zero and the dividend.
pub(crate) fn euclid(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    if divisor_is_zero(b) {
        return (BigInt::ZERO, a.clone());
    }
    let (mut quotient, mut rest) = (a / b, a % b);
    if rest < BigInt::ZERO {
        let up = *b < BigInt::ZERO;
        quotient += if up { 1 } else { -1 };
        rest += if up { -b } else { b.clone() };
    }
    (quotient, rest)
}

/// Whether an integer is a value of signed or unsigned bit-vectors of this width.
fn fits(value: &BigInt, width: u32, op: Op) -> bool {
    let one = BigInt::from(1);
    match op {
        Op::FpToSbv(_) => {
            let bound = &one << (width - 1);
            -&bound <= *value && *value < bound
        }
        _ => *value >= BigInt::ZERO && *value < one << width,
    }
}

/// The result of an operator on values: everything but variables, constants, ite's laziness, arrays and functions.
pub(crate) fn apply(op: Op, sort: Sort, args: &[&Value]) -> Value {
    let width = || sort.bv_width().expect("a bit-vector result");
    let result = || match sort {
        Sort::Float(float) => float,
        other => panic!("{other:?} is no floating-point sort"),
    };
    let float2 = |f: fn(Rounding, &Bv, &Bv, FloatSort) -> Bv, mode: Rounding| {
        let ((a, sort), (b, _)) = (float(args[0]), float(args[1]));
        Value::Float(sort, f(mode, a, b, sort))
    };
    let order = || {
        let ((a, sort), (b, _)) = (float(args[0]), float(args[1]));
        softfloat::compare(a, b, sort)
    };
    let test = |f: fn(&Bv, FloatSort) -> bool| {
        let (bits, sort) = float(args[0]);
        Value::Bool(f(bits, sort))
    };
    match op {
        Op::True
        | Op::False
        | Op::BvConst(_)
        | Op::FloatConst(_)
        | Op::IntConst(_)
        | Op::Var(_) => {
            unreachable!("{op:?} has no arguments")
        }
        Op::Select | Op::Store | Op::ConstArray | Op::Apply(_) => {
            unreachable!("{op:?} is not evaluated here")
        }
        Op::Not => Value::Bool(!args[0].expect_bool()),
        Op::And => Value::Bool(args[0].expect_bool() && args[1].expect_bool()),
        Op::Or => Value::Bool(args[0].expect_bool() || args[1].expect_bool()),
        Op::Xor => Value::Bool(args[0].expect_bool() != args[1].expect_bool()),
        Op::Eq => Value::Bool(args[0] == args[1]),
        Op::Ite => args[if args[0].expect_bool() { 1 } else { 2 }].clone(),
        Op::BvNot => Value::Bv(bv(args[0]).not()),
        Op::BvAnd => Value::Bv(bv(args[0]).and(bv(args[1]))),
        Op::BvOr => Value::Bv(bv(args[0]).or(bv(args[1]))),
        Op::BvXor => Value::Bv(bv(args[0]).xor(bv(args[1]))),
        Op::Neg => Value::Bv(bv(args[0]).neg()),
        Op::Add => Value::Bv(bv(args[0]).add(bv(args[1]))),
        Op::Sub => Value::Bv(bv(args[0]).sub(bv(args[1]))),
        Op::Mul => Value::Bv(bv(args[0]).mul(bv(args[1]))),
        Op::Udiv => Value::Bv(bv(args[0]).udiv(bv(args[1]))),
        Op::Urem => Value::Bv(bv(args[0]).urem(bv(args[1]))),
        Op::Sdiv => Value::Bv(bv(args[0]).sdiv(bv(args[1]))),
        Op::Srem => Value::Bv(bv(args[0]).srem(bv(args[1]))),
        Op::Shl => Value::Bv(bv(args[0]).shl(bv(args[1]))),
        Op::Lshr => Value::Bv(bv(args[0]).lshr(bv(args[1]))),
        Op::Ashr => Value::Bv(bv(args[0]).ashr(bv(args[1]))),
        Op::Ult => Value::Bool(bv(args[0]).ult(bv(args[1]))),
        Op::Ule => Value::Bool(bv(args[0]).ule(bv(args[1]))),
        Op::Slt => Value::Bool(bv(args[0]).slt(bv(args[1]))),
        Op::Sle => Value::Bool(bv(args[0]).sle(bv(args[1]))),
        Op::Concat => Value::Bv(bv(args[0]).concat(bv(args[1]))),
        Op::Extract { hi, lo } => Value::Bv(bv(args[0]).extract(hi, lo)),
        Op::Zext => Value::Bv(bv(args[0]).zext(width())),
        Op::Sext => Value::Bv(bv(args[0]).sext(width())),
        Op::Uaddo => Value::Bool(bv(args[0]).uaddo(bv(args[1]))),
        Op::Saddo => Value::Bool(bv(args[0]).saddo(bv(args[1]))),
        Op::Ssubo => Value::Bool(bv(args[0]).ssubo(bv(args[1]))),
        Op::Umulo => Value::Bool(bv(args[0]).umulo(bv(args[1]))),
        Op::Smulo => Value::Bool(bv(args[0]).smulo(bv(args[1]))),
        Op::IntNeg => Value::Int(-int(args[0])),
        Op::IntAdd => Value::Int(int(args[0]) + int(args[1])),
        Op::IntSub => Value::Int(int(args[0]) - int(args[1])),
        Op::IntMul => Value::Int(int(args[0]) * int(args[1])),
        Op::IntDiv => Value::Int(euclid(int(args[0]), int(args[1])).0),
        Op::IntMod => Value::Int(euclid(int(args[0]), int(args[1])).1),
        Op::IntLe => Value::Bool(int(args[0]) <= int(args[1])),
        Op::IntLt => Value::Bool(int(args[0]) < int(args[1])),
        Op::BvToNat => Value::Int(softfloat::bv_to_nat(bv(args[0]))),
        Op::IntToBv => Value::Bv(softfloat::int_to_bv(int(args[0]), width())),
        Op::FpFromBits => Value::float(result(), bv(args[0]).clone()),
        Op::FpToBits => Value::Bv(float(args[0]).0.clone()),
        Op::FpNeg => Value::Float(result(), softfloat::neg(float(args[0]).0, result())),
        Op::FpAbs => Value::Float(result(), softfloat::abs(float(args[0]).0)),
        Op::FpAdd(mode) => float2(softfloat::add, mode),
        Op::FpSub(mode) => float2(softfloat::sub, mode),
        Op::FpMul(mode) => float2(softfloat::mul, mode),
        Op::FpDiv(mode) => float2(softfloat::div, mode),
        Op::FpFma(mode) => {
            let (a, b, c) = (float(args[0]).0, float(args[1]).0, float(args[2]).0);
            Value::Float(result(), softfloat::fma(mode, a, b, c, result()))
        }
        Op::FpSqrt(mode) => {
            Value::Float(result(), softfloat::sqrt(mode, float(args[0]).0, result()))
        }
        Op::FpRem => Value::Float(
            result(),
            softfloat::rem(float(args[0]).0, float(args[1]).0, result()),
        ),
        Op::FpRound(mode) => Value::Float(
            result(),
            softfloat::round_to_integral(mode, float(args[0]).0, result()),
        ),
        Op::FpLt => Value::Bool(order() == Some(Ordering::Less)),
        Op::FpLe => Value::Bool(matches!(order(), Some(Ordering::Less | Ordering::Equal))),
        Op::FpEq => Value::Bool(order() == Some(Ordering::Equal)),
        Op::FpIsNan => test(softfloat::is_nan),
        Op::FpIsInf => test(softfloat::is_inf),
        Op::FpIsZero => test(|bits, _| softfloat::is_zero(bits)),
        Op::FpIsNormal => test(softfloat::is_normal),
        Op::FpIsSubnormal => test(softfloat::is_subnormal),
        Op::FpIsNegative => test(softfloat::is_negative),
        Op::FpToFp(mode) => {
            let (bits, from) = float(args[0]);
            Value::Float(result(), softfloat::convert(mode, bits, from, result()))
        }
        Op::FpFromSbv(mode) => {
            let value = softfloat::bv_to_int(bv(args[0]));
            Value::Float(result(), softfloat::from_int(mode, &value, result()))
        }
        Op::FpFromUbv(mode) => {
            let value = softfloat::bv_to_nat(bv(args[0]));
            Value::Float(result(), softfloat::from_int(mode, &value, result()))
        }
        Op::FpToSbv(mode) | Op::FpToUbv(mode) => {
            let (bits, from) = float(args[0]);
            let value = softfloat::to_int(mode, bits, width(), from)
                .filter(|value| fits(value, width(), op));
            Value::Bv(softfloat::int_to_bv(
                &value.unwrap_or(BigInt::ZERO),
                width(),
            ))
        }
    }
}
