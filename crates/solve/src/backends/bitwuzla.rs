//! Bitwuzla, in process: the default for bit-vectors, arrays and floats.
//!
//! It answers `unknown` for some equalities between constant arrays, and says so on standard output, which is why
//! [`crate::claim_stdout`] exists.
//!
//! Bitwuzla has no operator that gives the image of a float ([`Op::FpToBits`]). A fresh bit-vector stands for it,
//! and a definition says that it is the image; definitions are asserted with the first assertion or assumption that
//! needs them, and once more when the level of that assertion is left, because the node stays in the cache.

use std::collections::HashMap;
use std::time::Instant;

use base::Bv;
use bitwuzla_sys as sys;
use terms::{FloatSort, Fun, Op, Rounding, Sort, Term, Terms};

use crate::answer::{Answer, Reason, SolveError};
use crate::backends::ffi_bitwuzla::{Kind, Node, Outcome, Record, Rewriting, Session, SortNode};
use crate::limits::{Interrupt, Limits, Watch};
use crate::solver::{Config, Cores, Simplifying, Solver, Statistics};
use crate::translate::{Builder, Cache, quiet_nan};

/// The name of this back end.
pub const NAME: &str = "bitwuzla";

/// The floating-point formats that Bitwuzla is built for; it calls all others experimental, and faulty.
const FORMATS: [FloatSort; 4] = [
    FloatSort::F16,
    FloatSort::F32,
    FloatSort::F64,
    FloatSort::F128,
];

/// One Bitwuzla solver with what it has been told.
pub struct Bitwuzla {
    cache: Cache<Node>,
    builder: NodeBuilder,
    /// For each open level: how many definitions had been asserted when it was opened.
    levels: Vec<usize>,
    /// How many definitions are asserted.
    defined: usize,
    limits: Limits,
    interrupt: Interrupt,
    cores: Cores,
    /// The assumptions of the last check, if it was `Unsat`.
    refuted: Vec<(Term, Node)>,
    statistics: Statistics,
}

/// Makes Bitwuzla's nodes, and knows which of them are symbols.
pub(super) struct NodeBuilder {
    pub(super) session: Session,
    sorts: HashMap<Sort, SortNode>,
    pub(super) variables: Vec<(Term, Node)>,
    functions: HashMap<Fun, Node>,
    /// Applications of functions: the term, its arguments and itself.
    pub(super) applications: Vec<(Term, Vec<Node>, Node)>,
    definitions: Vec<Node>,
}

/// Opens a solver; the argument after the name must be empty.
pub fn open(_argument: &str, config: &Config) -> Result<Box<dyn Solver>, SolveError> {
    let record = match config.cores {
        Cores::Off => Record::Models,
        Cores::On => Record::ModelsAndCores,
    };
    let rewriting = match config.simplifying {
        Simplifying::On => Rewriting::On,
        Simplifying::Off => Rewriting::Off,
    };
    let watch = Watch::new(config.interrupt.clone());
    let session = Session::new(watch, record, rewriting).map_err(failed)?;
    let builder = NodeBuilder {
        session,
        sorts: HashMap::new(),
        variables: Vec::new(),
        functions: HashMap::new(),
        applications: Vec::new(),
        definitions: Vec::new(),
    };
    Ok(Box::new(Bitwuzla {
        cache: Cache::new(),
        builder,
        levels: Vec::new(),
        defined: 0,
        limits: config.limits,
        interrupt: config.interrupt.clone(),
        cores: config.cores,
        refuted: Vec::new(),
        statistics: Statistics::default(),
    }))
}

fn failed(message: String) -> SolveError {
    SolveError::Failed {
        backend: NAME.to_owned(),
        message,
    }
}

fn unsupported(what: impl Into<String>) -> SolveError {
    SolveError::Unsupported {
        backend: NAME.to_owned(),
        what: what.into(),
    }
}

impl Bitwuzla {
    /// Translates a Boolean term, and asserts the definitions that it brought along.
    fn node(&mut self, terms: &Terms, t: Term) -> Result<Node, SolveError> {
        let node = self.cache.translate(terms, t, &mut self.builder)?;
        while let Some(&definition) = self.builder.definitions.get(self.defined) {
            self.builder.session.assert(definition).map_err(failed)?;
            self.defined += 1;
        }
        Ok(node)
    }

    fn run(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolveError> {
        self.refuted.clear();
        let nodes = assumptions
            .iter()
            .map(|&t| self.node(terms, t))
            .collect::<Result<Vec<_>, _>>()?;
        let session = &mut self.builder.session;
        session.watch().start(self.limits);
        if session.watch().must_stop() {
            return Ok(Answer::Unknown(self.stop_reason()));
        }
        match session.check(&nodes) {
            Err(message) => Ok(Answer::Unknown(Reason::Error(message))),
            Ok(Outcome::Unknown) => Ok(Answer::Unknown(self.stop_reason())),
            Ok(Outcome::Unsat) => {
                self.refuted = assumptions.iter().copied().zip(nodes).collect();
                Ok(Answer::Unsat)
            }
            Ok(Outcome::Sat) => match self.builder.model(terms) {
                Ok(model) => Ok(Answer::Sat(model)),
                Err(message) => Ok(Answer::Unknown(Reason::Error(format!(
                    "no readable model: {message}"
                )))),
            },
        }
    }

    fn stop_reason(&self) -> Reason {
        match self.builder.session.watch().stopped() {
            Some(stop) => stop.into(),
            None => Reason::Incomplete("bitwuzla gave up".to_owned()),
        }
    }
}

impl Solver for Bitwuzla {
    fn name(&self) -> &str {
        NAME
    }

    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolveError> {
        let node = self.node(terms, t)?;
        self.statistics.assertions += 1;
        self.builder.session.assert(node).map_err(failed)
    }

    fn push(&mut self) -> Result<(), SolveError> {
        self.levels.push(self.defined);
        self.builder.session.push().map_err(failed)
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolveError> {
        let Some(rest) = self.levels.len().checked_sub(levels as usize) else {
            return Err(failed(format!(
                "{levels} levels to pop, but only {} are open",
                self.levels.len()
            )));
        };
        if let Some(&defined) = self.levels.get(rest) {
            self.defined = defined;
        }
        self.levels.truncate(rest);
        self.builder.session.pop(levels).map_err(failed)
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolveError> {
        let start = Instant::now();
        let answer = self.run(terms, assumptions)?;
        self.statistics.count(&answer, start.elapsed());
        Ok(answer)
    }

    fn core(&mut self) -> Result<Vec<Term>, SolveError> {
        let mut core = Vec::new();
        for &(term, node) in &self.refuted {
            let needed = match self.cores {
                Cores::Off => true,
                Cores::On => self.builder.session.is_in_core(node).map_err(failed)?,
            };
            if needed {
                core.push(term);
            }
        }
        Ok(core)
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
        statistics.details = self.builder.session.statistics().unwrap_or_default();
        statistics
    }
}

impl NodeBuilder {
    fn sort(&mut self, terms: &Terms, sort: Sort) -> Result<SortNode, SolveError> {
        if let Some(&node) = self.sorts.get(&sort) {
            return Ok(node);
        }
        let node = match sort {
            Sort::Bool => self.session.bool_sort(),
            Sort::BitVec(width) => self.session.bv_sort(width),
            Sort::Float(format) if !FORMATS.contains(&format) => {
                return Err(unsupported(format!(
                    "floats of {} exponent and {} significand bits",
                    format.exp, format.sig
                )));
            }
            Sort::Float(FloatSort { exp, sig }) => self.session.fp_sort(exp, sig),
            Sort::Array(_) => {
                // Arrays of arrays nest as deep as the sort is written, so this recursion is short.
                let (index, element) = terms.array_parts(sort);
                let (index, element) = (self.sort(terms, index)?, self.sort(terms, element)?);
                self.session.array_sort(index, element)
            }
            Sort::Int => return Err(unsupported("integers")),
        };
        let node = node.map_err(failed)?;
        self.sorts.insert(sort, node);
        Ok(node)
    }

    fn bv(&mut self, terms: &Terms, value: &Bv) -> Result<Node, SolveError> {
        let sort = self.sort(terms, Sort::BitVec(value.width()))?;
        let node = match value.to_u64() {
            Some(word) => self.session.mk_bv_u64(sort, word),
            None => self.session.mk_bv_binary(sort, &value.to_bin()),
        };
        node.map_err(failed)
    }

    fn float(&mut self, terms: &Terms, format: FloatSort, image: &Bv) -> Result<Node, SolveError> {
        let width = format.width();
        let sign = self.bv(terms, &image.extract(width - 1, width - 1))?;
        let exponent = self.bv(terms, &image.extract(width - 2, format.sig - 1))?;
        let fraction = self.bv(terms, &image.extract(format.sig - 2, 0))?;
        self.session.mk_fp(sign, exponent, fraction).map_err(failed)
    }

    fn function(&mut self, terms: &Terms, fun: Fun) -> Result<Node, SolveError> {
        if let Some(&node) = self.functions.get(&fun) {
            return Ok(node);
        }
        let decl = terms.fun(fun);
        let domain = decl
            .params
            .iter()
            .map(|&sort| self.sort(terms, sort))
            .collect::<Result<Vec<_>, _>>()?;
        let codomain = self.sort(terms, decl.result)?;
        let sort = self.session.fun_sort(&domain, codomain).map_err(failed)?;
        let node = self.session.mk_const(sort).map_err(failed)?;
        self.functions.insert(fun, node);
        Ok(node)
    }

    fn mk(&mut self, kind: Kind, arguments: &[Node]) -> Result<Node, SolveError> {
        self.session.mk_term(kind, arguments, &[]).map_err(failed)
    }

    fn indexed(
        &mut self,
        kind: Kind,
        arguments: &[Node],
        indices: &[u64],
    ) -> Result<Node, SolveError> {
        self.session
            .mk_term(kind, arguments, indices)
            .map_err(failed)
    }

    fn rounding(&mut self, rounding: Rounding) -> Result<Node, SolveError> {
        let mode = match rounding {
            Rounding::NearestEven => sys::BITWUZLA_RM_RNE,
            Rounding::NearestAway => sys::BITWUZLA_RM_RNA,
            Rounding::TowardPositive => sys::BITWUZLA_RM_RTP,
            Rounding::TowardNegative => sys::BITWUZLA_RM_RTN,
            Rounding::TowardZero => sys::BITWUZLA_RM_RTZ,
        };
        self.session.mk_rm(mode).map_err(failed)
    }

    /// An operator whose first argument is a rounding mode.
    fn rounded(
        &mut self,
        kind: Kind,
        rounding: Rounding,
        rest: &[Node],
        indices: &[u64],
    ) -> Result<Node, SolveError> {
        let mut arguments = vec![self.rounding(rounding)?];
        arguments.extend_from_slice(rest);
        self.indexed(kind, &arguments, indices)
    }

    /// A fresh bit-vector that a definition makes the image of a float: the canonical NaN, or what reads back as `x`.
    fn image(&mut self, terms: &Terms, format: FloatSort, x: Node) -> Result<Node, SolveError> {
        let sort = self.sort(terms, Sort::BitVec(format.width()))?;
        let image = self.session.mk_const(sort).map_err(failed)?;
        let (exp, sig) = (u64::from(format.exp), u64::from(format.sig));
        let back = self.indexed(sys::BITWUZLA_KIND_FP_TO_FP_FROM_BV, &[image], &[exp, sig])?;
        let same = self.mk(sys::BITWUZLA_KIND_EQUAL, &[back, x])?;
        let quiet = self.bv(terms, &quiet_nan(format))?;
        let is_quiet = self.mk(sys::BITWUZLA_KIND_EQUAL, &[image, quiet])?;
        let is_nan = self.mk(sys::BITWUZLA_KIND_FP_IS_NAN, &[x])?;
        let definition = self.mk(sys::BITWUZLA_KIND_ITE, &[is_nan, is_quiet, same])?;
        self.definitions.push(definition);
        Ok(image)
    }
}

impl Builder for NodeBuilder {
    type Node = Node;

    fn build(&mut self, terms: &Terms, t: Term, arguments: &[Node]) -> Result<Node, SolveError> {
        let sort = terms.sort(t);
        let width = |sort: Sort| sort.bv_width().map_or(0, u64::from);
        let growth = || width(sort) - width(terms.sort(terms.args(t)[0]));
        let format = || match sort {
            Sort::Float(FloatSort { exp, sig }) => [u64::from(exp), u64::from(sig)],
            Sort::Bool | Sort::Int | Sort::BitVec(_) | Sort::Array(_) => [0, 0],
        };
        if let Sort::Float(_) = sort {
            // Conversions would make a format that is not supported without a word.
            self.sort(terms, sort)?;
        }
        match terms.op(t) {
            Op::True => self.session.mk_bool(true).map_err(failed),
            Op::False => self.session.mk_bool(false).map_err(failed),
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
                self.float(terms, terms.float_sort(t), &image)
            }
            Op::Var(_) => {
                let sort = self.sort(terms, sort)?;
                let node = self.session.mk_const(sort).map_err(failed)?;
                self.variables.push((t, node));
                Ok(node)
            }
            Op::Not => self.mk(sys::BITWUZLA_KIND_NOT, arguments),
            Op::And => self.mk(sys::BITWUZLA_KIND_AND, arguments),
            Op::Or => self.mk(sys::BITWUZLA_KIND_OR, arguments),
            Op::Xor => self.mk(sys::BITWUZLA_KIND_XOR, arguments),
            Op::Eq => self.mk(sys::BITWUZLA_KIND_EQUAL, arguments),
            Op::Ite => self.mk(sys::BITWUZLA_KIND_ITE, arguments),
            Op::BvNot => self.mk(sys::BITWUZLA_KIND_BV_NOT, arguments),
            Op::BvAnd => self.mk(sys::BITWUZLA_KIND_BV_AND, arguments),
            Op::BvOr => self.mk(sys::BITWUZLA_KIND_BV_OR, arguments),
            Op::BvXor => self.mk(sys::BITWUZLA_KIND_BV_XOR, arguments),
            Op::Neg => self.mk(sys::BITWUZLA_KIND_BV_NEG, arguments),
            Op::Add => self.mk(sys::BITWUZLA_KIND_BV_ADD, arguments),
            Op::Sub => self.mk(sys::BITWUZLA_KIND_BV_SUB, arguments),
            Op::Mul => self.mk(sys::BITWUZLA_KIND_BV_MUL, arguments),
            Op::Udiv => self.mk(sys::BITWUZLA_KIND_BV_UDIV, arguments),
            Op::Urem => self.mk(sys::BITWUZLA_KIND_BV_UREM, arguments),
            Op::Sdiv => self.mk(sys::BITWUZLA_KIND_BV_SDIV, arguments),
            Op::Srem => self.mk(sys::BITWUZLA_KIND_BV_SREM, arguments),
            Op::Shl => self.mk(sys::BITWUZLA_KIND_BV_SHL, arguments),
            Op::Lshr => self.mk(sys::BITWUZLA_KIND_BV_SHR, arguments),
            Op::Ashr => self.mk(sys::BITWUZLA_KIND_BV_ASHR, arguments),
            Op::Ult => self.mk(sys::BITWUZLA_KIND_BV_ULT, arguments),
            Op::Ule => self.mk(sys::BITWUZLA_KIND_BV_ULE, arguments),
            Op::Slt => self.mk(sys::BITWUZLA_KIND_BV_SLT, arguments),
            Op::Sle => self.mk(sys::BITWUZLA_KIND_BV_SLE, arguments),
            Op::Concat => self.mk(sys::BITWUZLA_KIND_BV_CONCAT, arguments),
            Op::Extract { hi, lo } => self.indexed(
                sys::BITWUZLA_KIND_BV_EXTRACT,
                arguments,
                &[u64::from(hi), u64::from(lo)],
            ),
            Op::Zext => self.indexed(sys::BITWUZLA_KIND_BV_ZERO_EXTEND, arguments, &[growth()]),
            Op::Sext => self.indexed(sys::BITWUZLA_KIND_BV_SIGN_EXTEND, arguments, &[growth()]),
            Op::Uaddo => self.mk(sys::BITWUZLA_KIND_BV_UADD_OVERFLOW, arguments),
            Op::Saddo => self.mk(sys::BITWUZLA_KIND_BV_SADD_OVERFLOW, arguments),
            Op::Ssubo => self.mk(sys::BITWUZLA_KIND_BV_SSUB_OVERFLOW, arguments),
            Op::Umulo => self.mk(sys::BITWUZLA_KIND_BV_UMUL_OVERFLOW, arguments),
            Op::Smulo => self.mk(sys::BITWUZLA_KIND_BV_SMUL_OVERFLOW, arguments),
            Op::IntConst(_)
            | Op::IntNeg
            | Op::IntAdd
            | Op::IntSub
            | Op::IntMul
            | Op::IntDiv
            | Op::IntMod
            | Op::IntLe
            | Op::IntLt
            | Op::BvToNat
            | Op::IntToBv => Err(unsupported("integers")),
            Op::Select => self.mk(sys::BITWUZLA_KIND_ARRAY_SELECT, arguments),
            Op::Store => self.mk(sys::BITWUZLA_KIND_ARRAY_STORE, arguments),
            Op::ConstArray => {
                let sort = self.sort(terms, sort)?;
                self.session
                    .mk_const_array(sort, arguments[0])
                    .map_err(failed)
            }
            Op::Apply(fun) => {
                let mut all = vec![self.function(terms, fun)?];
                all.extend_from_slice(arguments);
                let node = self.mk(sys::BITWUZLA_KIND_APPLY, &all)?;
                self.applications.push((t, arguments.to_vec(), node));
                Ok(node)
            }
            Op::FpFromBits => {
                self.indexed(sys::BITWUZLA_KIND_FP_TO_FP_FROM_BV, arguments, &format())
            }
            Op::FpToBits => self.image(terms, terms.float_sort(terms.args(t)[0]), arguments[0]),
            Op::FpNeg => self.mk(sys::BITWUZLA_KIND_FP_NEG, arguments),
            Op::FpAbs => self.mk(sys::BITWUZLA_KIND_FP_ABS, arguments),
            Op::FpAdd(mode) => self.rounded(sys::BITWUZLA_KIND_FP_ADD, mode, arguments, &[]),
            Op::FpSub(mode) => self.rounded(sys::BITWUZLA_KIND_FP_SUB, mode, arguments, &[]),
            Op::FpMul(mode) => self.rounded(sys::BITWUZLA_KIND_FP_MUL, mode, arguments, &[]),
            Op::FpDiv(mode) => self.rounded(sys::BITWUZLA_KIND_FP_DIV, mode, arguments, &[]),
            Op::FpFma(mode) => self.rounded(sys::BITWUZLA_KIND_FP_FMA, mode, arguments, &[]),
            Op::FpSqrt(mode) => self.rounded(sys::BITWUZLA_KIND_FP_SQRT, mode, arguments, &[]),
            Op::FpRem => self.mk(sys::BITWUZLA_KIND_FP_REM, arguments),
            Op::FpRound(mode) => self.rounded(sys::BITWUZLA_KIND_FP_RTI, mode, arguments, &[]),
            Op::FpLt => self.mk(sys::BITWUZLA_KIND_FP_LT, arguments),
            Op::FpLe => self.mk(sys::BITWUZLA_KIND_FP_LEQ, arguments),
            Op::FpEq => self.mk(sys::BITWUZLA_KIND_FP_EQUAL, arguments),
            Op::FpIsNan => self.mk(sys::BITWUZLA_KIND_FP_IS_NAN, arguments),
            Op::FpIsInf => self.mk(sys::BITWUZLA_KIND_FP_IS_INF, arguments),
            Op::FpIsZero => self.mk(sys::BITWUZLA_KIND_FP_IS_ZERO, arguments),
            Op::FpIsNormal => self.mk(sys::BITWUZLA_KIND_FP_IS_NORMAL, arguments),
            Op::FpIsSubnormal => self.mk(sys::BITWUZLA_KIND_FP_IS_SUBNORMAL, arguments),
            Op::FpIsNegative => self.mk(sys::BITWUZLA_KIND_FP_IS_NEG, arguments),
            Op::FpToFp(mode) => self.rounded(
                sys::BITWUZLA_KIND_FP_TO_FP_FROM_FP,
                mode,
                arguments,
                &format(),
            ),
            Op::FpFromSbv(mode) => self.rounded(
                sys::BITWUZLA_KIND_FP_TO_FP_FROM_SBV,
                mode,
                arguments,
                &format(),
            ),
            Op::FpFromUbv(mode) => self.rounded(
                sys::BITWUZLA_KIND_FP_TO_FP_FROM_UBV,
                mode,
                arguments,
                &format(),
            ),
            Op::FpToSbv(mode) if width(sort) == 1 => {
                // SymFPU takes -1 for out of the range of one bit; with two bits it is right.
                let wide = self.rounded(sys::BITWUZLA_KIND_FP_TO_SBV, mode, arguments, &[2])?;
                self.indexed(sys::BITWUZLA_KIND_BV_EXTRACT, &[wide], &[0, 0])
            }
            Op::FpToSbv(mode) => self.rounded(
                sys::BITWUZLA_KIND_FP_TO_SBV,
                mode,
                arguments,
                &[width(sort)],
            ),
            Op::FpToUbv(mode) => self.rounded(
                sys::BITWUZLA_KIND_FP_TO_UBV,
                mode,
                arguments,
                &[width(sort)],
            ),
        }
    }
}
