//! SMT-LIB's functions in terms of ours.
//!
//! Sorts are checked here, because a builder takes a mistake for a bug of the program. Where SMT-LIB leaves a result
//! open (conversion of a float outside the integers' range, `fp.min` of two zeros, integer division by zero), the
//! reader inserts an uninterpreted function for it: any result is possible, and the same arguments give the same one.

use base::Bv;
use num_bigint::BigInt;

use crate::arena::{Term, Terms};
use crate::build::Signedness;
use crate::op::Op;
use crate::smt::lexer::Spot;
use crate::smt::read::{Binding, ReadError, Reader};
use crate::smt::term::{Arg, Head};
use crate::softfloat;
use crate::sort::{FloatSort, Sort};
use crate::visit::Substitution;

/// A reason, to which the caller adds the place.
type Refusal = String;

type Binary = fn(&mut Terms, Term, Term) -> Term;

impl<'t> Reader<'_, 't> {
    /// Applies what `head` names to arguments.
    pub(crate) fn apply(
        &mut self,
        head: &Head<'t>,
        args: &[Arg],
        spot: Spot,
    ) -> Result<Arg, ReadError> {
        let result = match head {
            Head::ConstArray(sort) => self.const_array(*sort, args),
            Head::Symbol(name) => match self.find(name) {
                Some(binding) => self.user_function(binding, args),
                None => self.named(name, args),
            },
            Head::Indexed(name, indices) => self.indexed_function(name, indices, args),
        };
        result.map_err(|reason| {
            let name = match head {
                Head::Symbol(name) | Head::Indexed(name, _) => name,
                Head::ConstArray(_) => "const",
            };
            self.lexer.error(spot, format!("`{name}`: {reason}"))
        })
    }

    fn const_array(&mut self, sort: Sort, args: &[Arg]) -> Result<Arg, Refusal> {
        let [value] = take(args)?;
        let (_, element) = self.terms.array_parts(sort);
        self.check(value, element)?;
        Ok(Arg::Term(self.terms.const_array(sort, value)))
    }

    fn check(&self, t: Term, sort: Sort) -> Result<(), Refusal> {
        let found = self.terms.sort(t);
        if found == sort {
            return Ok(());
        }
        Err(format!(
            "an argument has sort {}, not {}",
            self.terms.sort_to_smt(found),
            self.terms.sort_to_smt(sort)
        ))
    }

    fn user_function(&mut self, binding: Binding, args: &[Arg]) -> Result<Arg, Refusal> {
        let args = all_terms(args)?;
        let params: Vec<Sort> = match binding {
            Binding::Term(_) => return Err("is no function".into()),
            Binding::Fun(fun) => self.terms.fun(fun).params.to_vec(),
            Binding::Macro(index) => self.macros[index]
                .params
                .iter()
                .map(|&param| self.terms.sort(param))
                .collect(),
        };
        if params.len() != args.len() {
            return Err(format!(
                "takes {} arguments, not {}",
                params.len(),
                args.len()
            ));
        }
        for (&arg, &sort) in args.iter().zip(&params) {
            self.check(arg, sort)?;
        }
        Ok(Arg::Term(match binding {
            Binding::Term(t) => t,
            Binding::Fun(fun) => self.terms.apply(fun, &args),
            Binding::Macro(index) => {
                let macro_ = &self.macros[index];
                let map: Substitution = macro_.params.iter().copied().zip(args).collect();
                self.terms.substitute(macro_.body, &map)
            }
        }))
    }

    /// A function without indices.
    fn named(&mut self, name: &str, args: &[Arg]) -> Result<Arg, Refusal> {
        if name.starts_with("fp.") {
            return self.float_function(name, args);
        }
        if let Some(Arg::Real(..)) = args.first() {
            return real_function(name, args);
        }
        if let Some(op) = bv_binary(name) {
            return self.fold_bits(name, op, args);
        }
        let terms = &mut *self.terms;
        Ok(Arg::Term(match name {
            "not" => {
                let [a] = bools(terms, take(args)?)?;
                terms.not(a)
            }
            "and" | "or" | "xor" => {
                let all = all_terms(args)?;
                for &t in &all {
                    bools(terms, [t])?;
                }
                let join: Binary = match name {
                    "and" => Terms::and,
                    "or" => Terms::or,
                    _ => Terms::xor,
                };
                fold_left(terms, &all, join)?
            }
            "=>" => {
                let all = all_terms(args)?;
                for &t in &all {
                    bools(terms, [t])?;
                }
                let (&last, rest) = all.split_last().ok_or("needs arguments")?;
                rest.iter()
                    .rev()
                    .fold(last, |result, &t| terms.implies(t, result))
            }
            "=" => chain(terms, &same_sorts(terms, args)?, Terms::eq)?,
            "distinct" => {
                let all = same_sorts(terms, args)?;
                terms.distinct(&all)
            }
            "ite" => {
                let [cond, a, b] = take(args)?;
                bools(terms, [cond])?;
                if terms.sort(a) != terms.sort(b) {
                    return Err("the two cases have different sorts".into());
                }
                let (a, b) = (
                    under_guard(terms, cond, 1, a),
                    under_guard(terms, cond, 2, b),
                );
                terms.ite(cond, a, b)
            }
            "bvnot" | "bvneg" | "bvnego" | "bv2nat" | "ubv_to_int" | "sbv_to_int" => {
                let [a] = bits(terms, take(args)?)?;
                match name {
                    "bvnot" => terms.bvnot(a),
                    "bvneg" => terms.neg(a),
                    "bvnego" => terms.nego(a),
                    "sbv_to_int" => terms.bv2int(a),
                    _ => terms.bv2nat(a),
                }
            }
            "concat" => {
                let all = all_terms(args)?;
                for &t in &all {
                    bits(terms, [t])?;
                }
                let width: u64 = all.iter().map(|&t| u64::from(terms.width(t))).sum();
                if width > u64::from(base::bv::MAX_WIDTH) {
                    return Err("the result is too wide".into());
                }
                fold_left(terms, &all, Terms::concat)?
            }
            "bvcomp" => {
                let [a, b] = bits(terms, take(args)?)?;
                if terms.sort(a) != terms.sort(b) {
                    return Err("the arguments have different widths".into());
                }
                let equal = terms.eq(a, b);
                terms.bool_to_bv(equal, 1)
            }
            "select" => {
                let [array, index] = take(args)?;
                let (index_sort, _) = array_sorts(terms, array)?;
                self.check(index, index_sort)?;
                self.terms.select(array, index)
            }
            "store" => {
                let [array, index, value] = take(args)?;
                let (index_sort, element) = array_sorts(terms, array)?;
                self.check(index, index_sort)?;
                self.check(value, element)?;
                self.terms.store(array, index, value)
            }
            "fp" => {
                let [sign, exponent, fraction] = bits(terms, take(args)?)?;
                let sort = FloatSort {
                    exp: terms.width(exponent),
                    sig: terms.width(fraction) + 1,
                };
                if terms.width(sign) != 1 || !sort.is_supported() {
                    return Err("unsupported floating-point format".into());
                }
                if let (Some(s), Some(e), Some(f)) = (
                    terms.as_bv(sign),
                    terms.as_bv(exponent),
                    terms.as_bv(fraction),
                ) {
                    return Ok(Arg::Term(terms.float(s.concat(&e).concat(&f), sort)));
                }
                let low = terms.concat(exponent, fraction);
                let image = terms.concat(sign, low);
                terms.fp_from_bits(image, sort.exp, sort.sig)
            }
            "div.total" | "mod.total" => {
                let [a, b] = take(args)?;
                self.check(a, Sort::Int)?;
                self.check(b, Sort::Int)?;
                let op = if name == "div.total" {
                    Op::IntDiv
                } else {
                    Op::IntMod
                };
                self.terms.int_div_unguarded(op, a, b)
            }
            "+" | "*" | "-" | "div" | "mod" | "abs" | "<" | "<=" | ">" | ">=" => {
                int_function(terms, name, args)?
            }
            _ => return Err("unknown function".into()),
        }))
    }

    /// A bit-vector function of two arguments; associative ones take more.
    fn fold_bits(&mut self, name: &str, op: Binary, args: &[Arg]) -> Result<Arg, Refusal> {
        let all = all_terms(args)?;
        let many = matches!(name, "bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor");
        if all.len() < 2 || all.len() > 2 && !many {
            return Err(format!("takes 2 arguments, not {}", all.len()));
        }
        for &t in &all {
            bits(self.terms, [t])?;
            self.check(t, self.terms.sort(all[0]))?;
        }
        fold_left(self.terms, &all, op).map(Arg::Term)
    }

    /// A function with indices, or an indexed constant.
    fn indexed_function(
        &mut self,
        name: &str,
        indices: &[u32],
        args: &[Arg],
    ) -> Result<Arg, Refusal> {
        if let (Some(digits), [width], []) = (name.strip_prefix("bv"), indices, args) {
            let value = Bv::from_digits(digits, 10, *width).map_err(|error| error.to_string())?;
            return Ok(Arg::Term(self.terms.bv(value)));
        }
        if let ([exp, sig], []) = (indices, args) {
            let sort = FloatSort {
                exp: *exp,
                sig: *sig,
            };
            if !sort.is_supported() {
                return Err("unsupported floating-point format".into());
            }
            let image = match name {
                "NaN" => softfloat::nan(sort),
                "+oo" => softfloat::infinity(false, sort),
                "-oo" => softfloat::infinity(true, sort),
                "+zero" => softfloat::zero(false, sort),
                "-zero" => softfloat::zero(true, sort),
                _ => return Err("unknown constant".into()),
            };
            return Ok(Arg::Term(self.terms.float(image, sort)));
        }
        if let ("to_fp" | "to_fp_unsigned", [exp, sig]) = (name, indices) {
            return self.convert_to_fp(
                name,
                FloatSort {
                    exp: *exp,
                    sig: *sig,
                },
                args,
            );
        }
        if let ("fp.to_sbv" | "fp.to_ubv" | "fp.to_sbv.total" | "fp.to_ubv.total", [width]) =
            (name, indices)
        {
            return self.fp_to_bv(name, *width, args);
        }
        if let ("int2bv" | "int_to_bv", [width]) = (name, indices) {
            let [t] = take(args)?;
            self.check(t, Sort::Int)?;
            check_width(u64::from(*width))?;
            return Ok(Arg::Term(self.terms.int2bv(t, *width)));
        }
        let [t] = bits(self.terms, take(args)?)?;
        let terms = &mut *self.terms;
        let width = terms.width(t);
        Ok(Arg::Term(match (name, indices) {
            ("extract", &[hi, lo]) if lo <= hi && hi < width => terms.extract(t, hi, lo),
            ("extract", [_, _]) => return Err(format!("the bits do not exist in {width} bits")),
            ("zero_extend", &[by]) => {
                let to = check_width(u64::from(width) + u64::from(by))?;
                terms.zext(t, to)
            }
            ("sign_extend", &[by]) => {
                let to = check_width(u64::from(width) + u64::from(by))?;
                terms.sext(t, to)
            }
            ("repeat", &[times]) if times > 0 => {
                check_width(u64::from(width) * u64::from(times))?;
                let copies = vec![t; times as usize];
                fold_left(terms, &copies, Terms::concat)?
            }
            ("rotate_left", &[by]) => rotate_left(terms, t, by % width),
            ("rotate_right", &[by]) => rotate_left(terms, t, (width - by % width) % width),
            _ => return Err("unknown function, or other indices".into()),
        }))
    }

    fn convert_to_fp(&mut self, name: &str, sort: FloatSort, args: &[Arg]) -> Result<Arg, Refusal> {
        if !sort.is_supported() {
            return Err("unsupported floating-point format".into());
        }
        let FloatSort { exp, sig } = sort;
        let terms = &mut *self.terms;
        Ok(Arg::Term(match (name, args) {
            ("to_fp", [Arg::Term(image)]) if terms.sort(*image) == Sort::BitVec(sort.width()) => {
                terms.fp_from_bits(*image, exp, sig)
            }
            ("to_fp", [Arg::Rounding(mode), Arg::Real(numerator, denominator)]) => {
                let image = softfloat::from_ratio(*mode, numerator, denominator, sort);
                terms.float(image, sort)
            }
            ("to_fp", [Arg::Rounding(mode), Arg::Term(t)]) => match terms.sort(*t) {
                Sort::Float(_) => terms.fp_to_fp_round(*mode, *t, exp, sig),
                Sort::BitVec(_) => terms.fp_from_bv_round(*mode, Signedness::Signed, *t, exp, sig),
                // An integer constant stands for the real number.
                Sort::Int => match terms.as_int(*t).cloned() {
                    Some(value) => {
                        let image = softfloat::from_int(*mode, &value, sort);
                        terms.float(image, sort)
                    }
                    None => return Err("unsupported: conversion of an integer term".into()),
                },
                Sort::Bool | Sort::Array(_) => return Err("an argument has the wrong sort".into()),
            },
            ("to_fp_unsigned", [Arg::Rounding(mode), Arg::Term(t)]) => {
                bits(terms, [*t])?;
                terms.fp_from_bv_round(*mode, Signedness::Unsigned, *t, exp, sig)
            }
            _ => return Err("takes other arguments".into()),
        }))
    }

    fn fp_to_bv(&mut self, name: &str, width: u32, args: &[Arg]) -> Result<Arg, Refusal> {
        let [Arg::Rounding(mode), Arg::Term(f)] = *args else {
            return Err("takes a rounding mode and a float".into());
        };
        let sort = self.terms.sort(f);
        let Sort::Float(_) = sort else {
            return Err("takes a rounding mode and a float".into());
        };
        check_width(u64::from(width))?;
        let signedness = if name.starts_with("fp.to_sbv") {
            Signedness::Signed
        } else {
            Signedness::Unsigned
        };
        let terms = &mut *self.terms;
        let converted = terms.fp_to_bv_unguarded(mode, signedness, f, width);
        if name.ends_with(".total") {
            return Ok(Arg::Term(converted));
        }
        let inside = terms.fp_in_bv_range(mode, signedness, f, width);
        let open = format!("{name}.{width}.{}.outside", mode.name());
        let open = terms.declare_fun(&open, &[sort], Sort::BitVec(width));
        let outside = terms.apply(open, &[f]);
        Ok(Arg::Term(terms.ite(inside, converted, outside)))
    }

    fn float_function(&mut self, name: &str, args: &[Arg]) -> Result<Arg, Refusal> {
        let (mode, rest) = match args {
            [Arg::Rounding(mode), rest @ ..] => (Some(*mode), rest),
            _ => (None, args),
        };
        let all = all_terms(rest)?;
        let terms = &mut *self.terms;
        for &t in &all {
            if !matches!(terms.sort(t), Sort::Float(_)) || terms.sort(t) != terms.sort(all[0]) {
                return Err("takes floats of one format".into());
            }
        }
        if let "fp.lt" | "fp.leq" | "fp.gt" | "fp.geq" | "fp.eq" = name {
            let compare: Binary = match name {
                "fp.lt" => Terms::flt,
                "fp.leq" => Terms::fle,
                "fp.gt" => Terms::fgt,
                "fp.geq" => Terms::fge,
                _ => Terms::feq,
            };
            return match mode {
                None => chain(terms, &all, compare).map(Arg::Term),
                Some(_) => Err("takes no rounding mode".into()),
            };
        }
        Ok(Arg::Term(match (name, mode, &all[..]) {
            ("fp.add", Some(mode), &[a, b]) => terms.fadd_round(mode, a, b),
            ("fp.sub", Some(mode), &[a, b]) => terms.fsub_round(mode, a, b),
            ("fp.mul", Some(mode), &[a, b]) => terms.fmul_round(mode, a, b),
            ("fp.div", Some(mode), &[a, b]) => terms.fdiv_round(mode, a, b),
            ("fp.fma", Some(mode), &[a, b, c]) => terms.fma_round(mode, a, b, c),
            ("fp.sqrt", Some(mode), &[a]) => terms.fsqrt_round(mode, a),
            ("fp.roundToIntegral", Some(mode), &[a]) => terms.froundint(mode, a),
            ("fp.rem", None, &[a, b]) => terms.frem(a, b),
            ("fp.neg", None, &[a]) => terms.fneg(a),
            ("fp.abs", None, &[a]) => terms.fabs(a),
            ("fp.min", None, &[a, b]) => min_or_max(terms, name, a, b, Terms::fmin),
            ("fp.max", None, &[a, b]) => min_or_max(terms, name, a, b, Terms::fmax),
            ("fp.isNaN", None, &[a]) => terms.is_nan(a),
            ("fp.isInfinite", None, &[a]) => terms.is_inf(a),
            ("fp.isZero", None, &[a]) => terms.is_zero(a),
            ("fp.isNormal", None, &[a]) => terms.is_normal(a),
            ("fp.isSubnormal", None, &[a]) => terms.is_subnormal(a),
            ("fp.isNegative", None, &[a]) => terms.is_negative(a),
            ("fp.isPositive", None, &[a]) => terms.is_positive(a),
            ("fp.to_ieee_bv", None, &[a]) => terms.fp_to_bits(a),
            _ => return Err("unknown function, or other arguments".into()),
        }))
    }
}

/// `a` or `b`: the lesser or greater, and any of the two if they are zeros of different sign.
fn min_or_max(terms: &mut Terms, name: &str, a: Term, b: Term, pick: Binary) -> Term {
    let sort = terms.sort(a);
    let open = terms.declare_fun(&format!("{name}.of.zeros"), &[sort, sort], Sort::Bool);
    let choice = terms.apply(open, &[a, b]);
    let any = terms.ite(choice, a, b);
    let picked = pick(terms, a, b);
    let (a_zero, b_zero) = (terms.is_zero(a), terms.is_zero(b));
    let zeros = terms.and(a_zero, b_zero);
    terms.ite(zeros, any, picked)
}

/// The case of an ite that an inner ite over the same condition takes: our own guards are read back as they were.
fn under_guard(terms: &Terms, cond: Term, place: usize, t: Term) -> Term {
    match (terms.op(t), terms.args(t)) {
        (Op::Ite, args) if args[0] == cond => {
            let inner = args[place];
            let guarded = matches!(
                terms.op(inner),
                Op::FpToSbv(_) | Op::FpToUbv(_) | Op::IntDiv | Op::IntMod
            );
            if guarded { inner } else { t }
        }
        _ => t,
    }
}

fn rotate_left(terms: &mut Terms, t: Term, by: u32) -> Term {
    let width = terms.width(t);
    if by == 0 {
        return t;
    }
    let high = terms.extract(t, width - by - 1, 0);
    let low = terms.extract(t, width - 1, width - by);
    terms.concat(high, low)
}

fn int_function(terms: &mut Terms, name: &str, args: &[Arg]) -> Result<Term, Refusal> {
    let all = all_terms(args)?;
    if let Some(&t) = all.iter().find(|&&t| terms.sort(t) != Sort::Int) {
        return Err(format!(
            "an argument has sort {}, not Int",
            terms.sort_to_smt(terms.sort(t))
        ));
    }
    let join: Binary = match (name, &all[..]) {
        ("-", &[a]) => return Ok(terms.ineg(a)),
        ("abs", &[a]) => {
            let zero = terms.int(0);
            let (negative, negated) = (terms.ilt(a, zero), terms.ineg(a));
            return Ok(terms.ite(negative, negated, a));
        }
        ("<", _) => return chain(terms, &all, Terms::ilt),
        ("<=", _) => return chain(terms, &all, Terms::ile),
        (">", _) => return chain(terms, &all, Terms::igt),
        (">=", _) => return chain(terms, &all, Terms::ige),
        ("+", _) => Terms::iadd,
        ("-", _) => Terms::isub,
        ("*", _) => Terms::imul,
        ("div", _) => int_div,
        ("mod", _) => int_mod,
        _ => return Err("takes other arguments".into()),
    };
    if all.len() < 2 {
        return Err("takes at least 2 arguments".into());
    }
    fold_left(terms, &all, join)
}

fn int_div(terms: &mut Terms, a: Term, b: Term) -> Term {
    let result = terms.int_div_unguarded(Op::IntDiv, a, b);
    guard_divisor(terms, "div.by.zero", a, b, result)
}

fn int_mod(terms: &mut Terms, a: Term, b: Term) -> Term {
    let result = terms.int_div_unguarded(Op::IntMod, a, b);
    guard_divisor(terms, "mod.by.zero", a, b, result)
}

fn guard_divisor(terms: &mut Terms, open: &str, a: Term, b: Term, result: Term) -> Term {
    if terms
        .as_int(b)
        .is_some_and(|divisor| *divisor != BigInt::ZERO)
    {
        return result;
    }
    let open = terms.declare_fun(open, &[Sort::Int], Sort::Int);
    let by_zero = terms.apply(open, &[a]);
    let zero = terms.int(0);
    let is_zero = terms.eq(b, zero);
    terms.ite(is_zero, by_zero, result)
}

/// Arithmetic on rational constants, as far as it occurs in floating-point literals.
fn real_function(name: &str, args: &[Arg]) -> Result<Arg, Refusal> {
    match (name, args) {
        ("-", [Arg::Real(numerator, denominator)]) => {
            Ok(Arg::Real(-numerator, denominator.clone()))
        }
        ("/", [Arg::Real(a, b), Arg::Real(c, d)]) if *c > BigInt::ZERO => {
            Ok(Arg::Real(a * d, b * c))
        }
        _ => Err("unsupported: real numbers".into()),
    }
}

fn bv_binary(name: &str) -> Option<Binary> {
    Some(match name {
        "bvadd" => Terms::add,
        "bvsub" => Terms::sub,
        "bvmul" => Terms::mul,
        "bvudiv" => Terms::udiv,
        "bvurem" => Terms::urem,
        "bvsdiv" => Terms::sdiv,
        "bvsrem" => Terms::srem,
        "bvsmod" => Terms::smod,
        "bvand" => Terms::bvand,
        "bvor" => Terms::bvor,
        "bvxor" => Terms::bvxor,
        "bvnand" => |terms, a, b| {
            let both = terms.bvand(a, b);
            terms.bvnot(both)
        },
        "bvnor" => |terms, a, b| {
            let either = terms.bvor(a, b);
            terms.bvnot(either)
        },
        "bvxnor" => |terms, a, b| {
            let differ = terms.bvxor(a, b);
            terms.bvnot(differ)
        },
        "bvshl" => Terms::shl,
        "bvlshr" => Terms::lshr,
        "bvashr" => Terms::ashr,
        "bvult" => Terms::ult,
        "bvule" => Terms::ule,
        "bvugt" => Terms::ugt,
        "bvuge" => Terms::uge,
        "bvslt" => Terms::slt,
        "bvsle" => Terms::sle,
        "bvsgt" => Terms::sgt,
        "bvsge" => Terms::sge,
        "bvuaddo" => Terms::uaddo,
        "bvsaddo" => Terms::saddo,
        "bvusubo" => Terms::usubo,
        "bvssubo" => Terms::ssubo,
        "bvumulo" => Terms::umulo,
        "bvsmulo" => Terms::smulo,
        "bvsdivo" => Terms::sdivo,
        _ => return None,
    })
}

fn term(arg: &Arg) -> Result<Term, Refusal> {
    match arg {
        Arg::Term(t) => Ok(*t),
        Arg::Rounding(_) => Err("a rounding mode is no argument here".into()),
        Arg::Real(..) => Err("unsupported: real numbers".into()),
    }
}

fn all_terms(args: &[Arg]) -> Result<Vec<Term>, Refusal> {
    args.iter().map(term).collect()
}

fn take<const N: usize>(args: &[Arg]) -> Result<[Term; N], Refusal> {
    let all = all_terms(args)?;
    let count = all.len();
    all.try_into()
        .map_err(|_| format!("takes {N} arguments, not {count}"))
}

fn bools<const N: usize>(terms: &Terms, all: [Term; N]) -> Result<[Term; N], Refusal> {
    match all.iter().find(|&&t| terms.sort(t) != Sort::Bool) {
        Some(&t) => Err(format!(
            "an argument has sort {}, not Bool",
            terms.sort_to_smt(terms.sort(t))
        )),
        None => Ok(all),
    }
}

fn bits<const N: usize>(terms: &Terms, all: [Term; N]) -> Result<[Term; N], Refusal> {
    match all.iter().find(|&&t| terms.sort(t).bv_width().is_none()) {
        Some(&t) => Err(format!(
            "an argument has sort {}, not a bit-vector",
            terms.sort_to_smt(terms.sort(t))
        )),
        None => Ok(all),
    }
}

fn same_sorts(terms: &Terms, args: &[Arg]) -> Result<Vec<Term>, Refusal> {
    let all = all_terms(args)?;
    match all
        .windows(2)
        .all(|pair| terms.sort(pair[0]) == terms.sort(pair[1]))
    {
        true if all.len() >= 2 => Ok(all),
        true => Err("takes at least 2 arguments".into()),
        false => Err("the arguments have different sorts".into()),
    }
}

fn array_sorts(terms: &Terms, array: Term) -> Result<(Sort, Sort), Refusal> {
    match terms.sort(array) {
        sort @ Sort::Array(_) => Ok(terms.array_parts(sort)),
        other => Err(format!(
            "the first argument has sort {}, not an array",
            terms.sort_to_smt(other)
        )),
    }
}

fn check_width(width: u64) -> Result<u32, Refusal> {
    match u32::try_from(width) {
        Ok(width) if (1..=base::bv::MAX_WIDTH).contains(&width) => Ok(width),
        _ => Err(format!("unsupported width {width}")),
    }
}

fn fold_left(terms: &mut Terms, all: &[Term], join: Binary) -> Result<Term, Refusal> {
    let (&first, rest) = all.split_first().ok_or("needs arguments")?;
    Ok(rest.iter().fold(first, |result, &t| join(terms, result, t)))
}

/// Whether the relation holds between all neighbours.
fn chain(terms: &mut Terms, all: &[Term], relation: Binary) -> Result<Term, Refusal> {
    if all.len() < 2 {
        return Err("takes at least 2 arguments".into());
    }
    let pairs: Vec<Term> = all
        .windows(2)
        .map(|pair| relation(terms, pair[0], pair[1]))
        .collect();
    fold_left(terms, &pairs, Terms::and)
}

impl Terms {
    /// The bare division, which must stand under a guard.
    fn int_div_unguarded(&mut self, op: Op, a: Term, b: Term) -> Term {
        self.make2(op, Sort::Int, a, b)
    }
}
