//! Z3, in process: the second opinion for bit-vectors, and the solver for integers.
//!
//! A thread watches limits during a check and interrupts Z3 when one is reached (Z3 has no callback for that).

use std::collections::HashMap;
use std::time::Instant;

use base::Bv;
use terms::{FloatSort, Fun, Op, Rounding, Sort, Term, Terms};
use z3_sys as sys;

use crate::answer::{Answer, Reason, SolveError};
use crate::backends::ffi_z3::{Ast, Binary, Decl, Outcome, Session, SortAst, Ternary, Unary};
use crate::limits::{Interrupt, Limits};
use crate::solver::{Config, Cores, Solver, Statistics};
use crate::translate::{Builder, Cache, quiet_nan};

/// The name of this back end.
pub const NAME: &str = "z3";

/// One Z3 solver with what it has been told.
pub struct Z3 {
    cache: Cache<Ast>,
    builder: AstBuilder,
    levels: u32,
    limits: Limits,
    interrupt: Interrupt,
    cores: Cores,
    /// The assumptions of the last check, if it was `Unsat`.
    refuted: Vec<(Term, Ast)>,
    statistics: Statistics,
}

/// Makes Z3's terms, and knows which of them are symbols.
pub(super) struct AstBuilder {
    pub(super) session: Session,
    sorts: HashMap<Sort, SortAst>,
    pub(super) variables: Vec<(Term, Ast)>,
    functions: HashMap<Fun, Decl>,
    /// Applications of functions: the term, its arguments and itself.
    pub(super) applications: Vec<(Term, Vec<Ast>, Ast)>,
    modes: HashMap<Rounding, Ast>,
}

/// Opens a solver; the argument after the name must be empty.
pub fn open(_argument: &str, config: &Config) -> Result<Box<dyn Solver>, SolveError> {
    Ok(Box::new(Z3 {
        cache: Cache::new(),
        builder: AstBuilder::new()?,
        levels: 0,
        limits: config.limits,
        interrupt: config.interrupt.clone(),
        cores: config.cores,
        refuted: Vec::new(),
        statistics: Statistics::default(),
    }))
}

pub(super) fn failed(message: String) -> SolveError {
    SolveError::Failed {
        backend: NAME.to_owned(),
        message,
    }
}

/// A name in Z3, which has no empty ones.
fn symbol_text(name: &str) -> String {
    format!(".{name}")
}

impl Z3 {
    fn run(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolveError> {
        self.refuted.clear();
        let mut asts = Vec::with_capacity(assumptions.len());
        for &t in assumptions {
            asts.push(self.cache.translate(terms, t, &mut self.builder)?);
        }
        if self.interrupt.is_set() {
            return Ok(Answer::Unknown(Reason::Interrupted));
        }
        let (outcome, stop) = match self
            .builder
            .session
            .check(&asts, self.limits, &self.interrupt)
        {
            Ok(pair) => pair,
            Err(message) => return Ok(Answer::Unknown(Reason::Error(message))),
        };
        Ok(match outcome {
            Outcome::Unknown(reason) => Answer::Unknown(match stop {
                Some(stop) => stop.into(),
                None => Reason::Incomplete(reason),
            }),
            Outcome::Unsat => {
                self.refuted = assumptions.iter().copied().zip(asts).collect();
                Answer::Unsat
            }
            Outcome::Sat => match super::z3_model::read(&mut self.builder, terms) {
                Ok(model) => Answer::Sat(model),
                Err(message) => {
                    Answer::Unknown(Reason::Incomplete(format!("no readable model: {message}")))
                }
            },
        })
    }
}

impl Solver for Z3 {
    fn name(&self) -> &str {
        NAME
    }

    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolveError> {
        let ast = self.cache.translate(terms, t, &mut self.builder)?;
        self.statistics.assertions += 1;
        self.builder.session.assert(ast).map_err(failed)
    }

    fn push(&mut self) -> Result<(), SolveError> {
        self.levels += 1;
        self.builder.session.push().map_err(failed)
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolveError> {
        let Some(rest) = self.levels.checked_sub(levels) else {
            return Err(failed(format!(
                "{levels} levels to pop, but only {} are open",
                self.levels
            )));
        };
        self.levels = rest;
        self.builder.session.pop(levels).map_err(failed)
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolveError> {
        let start = Instant::now();
        let answer = self.run(terms, assumptions)?;
        self.statistics.count(&answer, start.elapsed());
        Ok(answer)
    }

    fn core(&mut self) -> Result<Vec<Term>, SolveError> {
        match self.cores {
            Cores::Off => Ok(self.refuted.iter().map(|&(term, _)| term).collect()),
            Cores::On => {
                let refuted = &self.refuted;
                let core = self.builder.session.scoped(|session| {
                    let needed = session.core()?;
                    Ok(refuted
                        .iter()
                        .filter(|(_, ast)| needed.contains(ast))
                        .map(|&(term, _)| term)
                        .collect())
                });
                core.map_err(failed)
            }
        }
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics.clone();
        statistics.nodes = self.cache.count();
        statistics.details = self.builder.session.statistics();
        statistics
    }
}

impl AstBuilder {
    pub(super) fn new() -> Result<AstBuilder, SolveError> {
        Ok(AstBuilder {
            session: Session::new().map_err(failed)?,
            sorts: HashMap::new(),
            variables: Vec::new(),
            functions: HashMap::new(),
            applications: Vec::new(),
            modes: HashMap::new(),
        })
    }

    pub(super) fn sort(&mut self, terms: &Terms, sort: Sort) -> Result<SortAst, SolveError> {
        if let Some(&ast) = self.sorts.get(&sort) {
            return Ok(ast);
        }
        let ast = match sort {
            Sort::Bool => self.session.bool_sort(),
            Sort::Int => self.session.int_sort(),
            Sort::BitVec(width) => self.session.bv_sort(width),
            Sort::Float(FloatSort { exp, sig }) => self.session.fp_sort(exp, sig),
            Sort::Array(_) => {
                // Arrays of arrays nest as deep as the sort is written, so this recursion is short.
                let (index, element) = terms.array_parts(sort);
                let (index, element) = (self.sort(terms, index)?, self.sort(terms, element)?);
                self.session.array_sort(index, element)
            }
        };
        let ast = ast.map_err(failed)?;
        self.sorts.insert(sort, ast);
        Ok(ast)
    }

    fn bv(&mut self, terms: &Terms, value: &Bv) -> Result<Ast, SolveError> {
        let sort = self.sort(terms, Sort::BitVec(value.width()))?;
        let ast = match value.to_u64() {
            Some(word) => self.session.word(word, sort),
            None => self.session.numeral(&value.to_dec(), sort),
        };
        ast.map_err(failed)
    }

    pub(super) fn function(&mut self, terms: &Terms, fun: Fun) -> Result<Decl, SolveError> {
        if let Some(&decl) = self.functions.get(&fun) {
            return Ok(decl);
        }
        let signature = terms.fun(fun);
        let domain = signature
            .params
            .iter()
            .map(|&sort| self.sort(terms, sort))
            .collect::<Result<Vec<_>, _>>()?;
        let range = self.sort(terms, signature.result)?;
        let decl = self
            .session
            .function(&symbol_text(&signature.name), &domain, range)
            .map_err(failed)?;
        self.functions.insert(fun, decl);
        Ok(decl)
    }

    fn mode(&mut self, rounding: Rounding) -> Result<Ast, SolveError> {
        if let Some(&ast) = self.modes.get(&rounding) {
            return Ok(ast);
        }
        let make = match rounding {
            Rounding::NearestEven => sys::Z3_mk_fpa_rne,
            Rounding::NearestAway => sys::Z3_mk_fpa_rna,
            Rounding::TowardPositive => sys::Z3_mk_fpa_rtp,
            Rounding::TowardNegative => sys::Z3_mk_fpa_rtn,
            Rounding::TowardZero => sys::Z3_mk_fpa_rtz,
        };
        let ast = self.session.rounding(make).map_err(failed)?;
        self.modes.insert(rounding, ast);
        Ok(ast)
    }

    fn unary(&mut self, make: Unary, arguments: &[Ast]) -> Result<Ast, SolveError> {
        self.session.unary(make, arguments[0]).map_err(failed)
    }

    fn binary(&mut self, make: Binary, arguments: &[Ast]) -> Result<Ast, SolveError> {
        self.session
            .binary(make, arguments[0], arguments[1])
            .map_err(failed)
    }

    fn not(&mut self, x: Ast) -> Result<Ast, SolveError> {
        self.unary(sys::Z3_mk_not, &[x])
    }

    fn both(&mut self, x: Ast, y: Ast) -> Result<Ast, SolveError> {
        self.session.many(sys::Z3_mk_and, &[x, y]).map_err(failed)
    }

    /// An operator on two floats that rounds.
    fn rounded(
        &mut self,
        make: Ternary,
        rounding: Rounding,
        arguments: &[Ast],
    ) -> Result<Ast, SolveError> {
        let mode = self.mode(rounding)?;
        self.session
            .ternary(make, mode, arguments[0], arguments[1])
            .map_err(failed)
    }

    /// An operator on one float that rounds.
    fn rounded_one(
        &mut self,
        make: Binary,
        rounding: Rounding,
        arguments: &[Ast],
    ) -> Result<Ast, SolveError> {
        let mode = self.mode(rounding)?;
        self.session
            .binary(make, mode, arguments[0])
            .map_err(failed)
    }

    /// The image of a float: Z3 leaves that of NaN open.
    fn image(&mut self, terms: &Terms, format: FloatSort, x: Ast) -> Result<Ast, SolveError> {
        let quiet = self.bv(terms, &quiet_nan(format))?;
        let is_nan = self.unary(sys::Z3_mk_fpa_is_nan, &[x])?;
        let image = self.unary(sys::Z3_mk_fpa_to_ieee_bv, &[x])?;
        self.session
            .ternary(sys::Z3_mk_ite, is_nan, quiet, image)
            .map_err(failed)
    }

    /// Whether two numbers, widened by one bit, give a sum or difference that needs that bit.
    fn signed_overflow(
        &mut self,
        make: Binary,
        width: u32,
        arguments: &[Ast],
    ) -> Result<Ast, SolveError> {
        let x = self
            .session
            .counted(sys::Z3_mk_sign_ext, 1, arguments[0])
            .map_err(failed)?;
        let y = self
            .session
            .counted(sys::Z3_mk_sign_ext, 1, arguments[1])
            .map_err(failed)?;
        let wide = self.session.binary(make, x, y).map_err(failed)?;
        let carry = self.session.extract(width, width, wide).map_err(failed)?;
        let sign = self
            .session
            .extract(width - 1, width - 1, wide)
            .map_err(failed)?;
        let same = self
            .session
            .binary(sys::Z3_mk_eq, carry, sign)
            .map_err(failed)?;
        self.not(same)
    }
}

impl Builder for AstBuilder {
    type Node = Ast;

    fn build(&mut self, terms: &Terms, t: Term, arguments: &[Ast]) -> Result<Ast, SolveError> {
        let sort = terms.sort(t);
        let width = |t: Term| terms.sort(t).bv_width().unwrap_or(0);
        let argument_width = |position: usize| width(terms.args(t)[position]);
        match terms.op(t) {
            Op::True => self.session.boolean(true).map_err(failed),
            Op::False => self.session.boolean(false).map_err(failed),
            Op::BvConst(_) => {
                let value = terms
                    .as_bv(t)
                    .expect("the operator is a bit-vector constant");
                self.bv(terms, &value)
            }
            Op::FloatConst(_) => {
                let image = terms
                    .as_float_bits(t)
                    .expect("the operator is a float constant");
                let image = self.bv(terms, &image)?;
                let sort = self.sort(terms, sort)?;
                self.session.float_from_bits(image, sort).map_err(failed)
            }
            Op::IntConst(_) => {
                let value = terms
                    .as_int(t)
                    .expect("the operator is an integer constant")
                    .to_string();
                let sort = self.sort(terms, sort)?;
                self.session.numeral(&value, sort).map_err(failed)
            }
            Op::Var(symbol) => {
                let sort = self.sort(terms, sort)?;
                let ast = self
                    .session
                    .constant(&symbol_text(terms.symbol_name(symbol)), sort)
                    .map_err(failed)?;
                self.variables.push((t, ast));
                Ok(ast)
            }
            Op::Not => self.unary(sys::Z3_mk_not, arguments),
            Op::And => self.session.many(sys::Z3_mk_and, arguments).map_err(failed),
            Op::Or => self.session.many(sys::Z3_mk_or, arguments).map_err(failed),
            Op::Xor => self.binary(sys::Z3_mk_xor, arguments),
            Op::Eq => self.binary(sys::Z3_mk_eq, arguments),
            Op::Ite => self
                .session
                .ternary(sys::Z3_mk_ite, arguments[0], arguments[1], arguments[2])
                .map_err(failed),
            Op::BvNot => self.unary(sys::Z3_mk_bvnot, arguments),
            Op::BvAnd => self.binary(sys::Z3_mk_bvand, arguments),
            Op::BvOr => self.binary(sys::Z3_mk_bvor, arguments),
            Op::BvXor => self.binary(sys::Z3_mk_bvxor, arguments),
            Op::Neg => self.unary(sys::Z3_mk_bvneg, arguments),
            Op::Add => self.binary(sys::Z3_mk_bvadd, arguments),
            Op::Sub => self.binary(sys::Z3_mk_bvsub, arguments),
            Op::Mul => self.binary(sys::Z3_mk_bvmul, arguments),
            Op::Udiv => self.binary(sys::Z3_mk_bvudiv, arguments),
            Op::Urem => self.binary(sys::Z3_mk_bvurem, arguments),
            Op::Sdiv => self.binary(sys::Z3_mk_bvsdiv, arguments),
            Op::Srem => self.binary(sys::Z3_mk_bvsrem, arguments),
            Op::Shl => self.binary(sys::Z3_mk_bvshl, arguments),
            Op::Lshr => self.binary(sys::Z3_mk_bvlshr, arguments),
            Op::Ashr => self.binary(sys::Z3_mk_bvashr, arguments),
            Op::Ult => self.binary(sys::Z3_mk_bvult, arguments),
            Op::Ule => self.binary(sys::Z3_mk_bvule, arguments),
            Op::Slt => self.binary(sys::Z3_mk_bvslt, arguments),
            Op::Sle => self.binary(sys::Z3_mk_bvsle, arguments),
            Op::Concat => self.binary(sys::Z3_mk_concat, arguments),
            Op::Extract { hi, lo } => self.session.extract(hi, lo, arguments[0]).map_err(failed),
            Op::Zext => {
                let growth = width(t) - argument_width(0);
                self.session
                    .counted(sys::Z3_mk_zero_ext, growth, arguments[0])
                    .map_err(failed)
            }
            Op::Sext => {
                let growth = width(t) - argument_width(0);
                self.session
                    .counted(sys::Z3_mk_sign_ext, growth, arguments[0])
                    .map_err(failed)
            }
            Op::Uaddo => {
                // The sum wrapped exactly if it is less than a summand.
                let sum = self.binary(sys::Z3_mk_bvadd, arguments)?;
                self.session
                    .binary(sys::Z3_mk_bvult, sum, arguments[0])
                    .map_err(failed)
            }
            Op::Saddo => self.signed_overflow(sys::Z3_mk_bvadd, argument_width(0), arguments),
            Op::Ssubo => self.signed_overflow(sys::Z3_mk_bvsub, argument_width(0), arguments),
            Op::Umulo => {
                let fits = self
                    .session
                    .mul_fits_above(arguments[0], arguments[1], false)
                    .map_err(failed)?;
                self.not(fits)
            }
            Op::Smulo => {
                let above = self
                    .session
                    .mul_fits_above(arguments[0], arguments[1], true)
                    .map_err(failed)?;
                let below = self.binary(sys::Z3_mk_bvmul_no_underflow, arguments)?;
                let fits = self.both(above, below)?;
                self.not(fits)
            }
            Op::IntNeg => self.unary(sys::Z3_mk_unary_minus, arguments),
            Op::IntAdd => self.session.many(sys::Z3_mk_add, arguments).map_err(failed),
            Op::IntSub => self.session.many(sys::Z3_mk_sub, arguments).map_err(failed),
            Op::IntMul => self.session.many(sys::Z3_mk_mul, arguments).map_err(failed),
            Op::IntDiv => self.binary(sys::Z3_mk_div, arguments),
            Op::IntMod => self.binary(sys::Z3_mk_mod, arguments),
            Op::IntLe => self.binary(sys::Z3_mk_le, arguments),
            Op::IntLt => self.binary(sys::Z3_mk_lt, arguments),
            Op::BvToNat => self.session.natural(arguments[0]).map_err(failed),
            Op::IntToBv => self
                .session
                .counted(sys::Z3_mk_int2bv, width(t), arguments[0])
                .map_err(failed),
            Op::Select => self.binary(sys::Z3_mk_select, arguments),
            Op::Store => self
                .session
                .ternary(sys::Z3_mk_store, arguments[0], arguments[1], arguments[2])
                .map_err(failed),
            Op::ConstArray => {
                let (index, _) = terms.array_parts(sort);
                let index = self.sort(terms, index)?;
                self.session
                    .const_array(index, arguments[0])
                    .map_err(failed)
            }
            Op::Apply(fun) => {
                let decl = self.function(terms, fun)?;
                let ast = self.session.apply(decl, arguments).map_err(failed)?;
                self.applications.push((t, arguments.to_vec(), ast));
                Ok(ast)
            }
            Op::FpFromBits => {
                let sort = self.sort(terms, sort)?;
                self.session
                    .float_from_bits(arguments[0], sort)
                    .map_err(failed)
            }
            Op::FpToBits => self.image(terms, terms.float_sort(terms.args(t)[0]), arguments[0]),
            Op::FpNeg => self.unary(sys::Z3_mk_fpa_neg, arguments),
            Op::FpAbs => self.unary(sys::Z3_mk_fpa_abs, arguments),
            Op::FpAdd(mode) => self.rounded(sys::Z3_mk_fpa_add, mode, arguments),
            Op::FpSub(mode) => self.rounded(sys::Z3_mk_fpa_sub, mode, arguments),
            Op::FpMul(mode) => self.rounded(sys::Z3_mk_fpa_mul, mode, arguments),
            Op::FpDiv(mode) => self.rounded(sys::Z3_mk_fpa_div, mode, arguments),
            Op::FpFma(mode) => {
                let mode = self.mode(mode)?;
                self.session
                    .fma(mode, arguments[0], arguments[1], arguments[2])
                    .map_err(failed)
            }
            Op::FpSqrt(mode) => self.rounded_one(sys::Z3_mk_fpa_sqrt, mode, arguments),
            Op::FpRem => self.binary(sys::Z3_mk_fpa_rem, arguments),
            Op::FpRound(mode) => {
                self.rounded_one(sys::Z3_mk_fpa_round_to_integral, mode, arguments)
            }
            Op::FpLt => self.binary(sys::Z3_mk_fpa_lt, arguments),
            Op::FpLe => self.binary(sys::Z3_mk_fpa_leq, arguments),
            Op::FpEq => self.binary(sys::Z3_mk_fpa_eq, arguments),
            Op::FpIsNan => self.unary(sys::Z3_mk_fpa_is_nan, arguments),
            Op::FpIsInf => self.unary(sys::Z3_mk_fpa_is_infinite, arguments),
            Op::FpIsZero => self.unary(sys::Z3_mk_fpa_is_zero, arguments),
            Op::FpIsNormal => self.unary(sys::Z3_mk_fpa_is_normal, arguments),
            Op::FpIsSubnormal => self.unary(sys::Z3_mk_fpa_is_subnormal, arguments),
            Op::FpIsNegative => self.unary(sys::Z3_mk_fpa_is_negative, arguments),
            Op::FpToFp(mode) => {
                let (mode, sort) = (self.mode(mode)?, self.sort(terms, sort)?);
                self.session
                    .round_to_float(sys::Z3_mk_fpa_to_fp_float, mode, arguments[0], sort)
                    .map_err(failed)
            }
            Op::FpFromSbv(mode) => {
                let (mode, sort) = (self.mode(mode)?, self.sort(terms, sort)?);
                self.session
                    .round_to_float(sys::Z3_mk_fpa_to_fp_signed, mode, arguments[0], sort)
                    .map_err(failed)
            }
            Op::FpFromUbv(mode) => {
                let (mode, sort) = (self.mode(mode)?, self.sort(terms, sort)?);
                self.session
                    .round_to_float(sys::Z3_mk_fpa_to_fp_unsigned, mode, arguments[0], sort)
                    .map_err(failed)
            }
            Op::FpToSbv(mode) => {
                let mode = self.mode(mode)?;
                self.session
                    .float_to_bv(sys::Z3_mk_fpa_to_sbv, mode, arguments[0], width(t))
                    .map_err(failed)
            }
            Op::FpToUbv(mode) => {
                let mode = self.mode(mode)?;
                self.session
                    .float_to_bv(sys::Z3_mk_fpa_to_ubv, mode, arguments[0], width(t))
                    .map_err(failed)
            }
        }
    }
}
