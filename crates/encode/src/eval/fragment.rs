//! A fragment of a program: from a block of a function to a set of stops, with arbitrary inputs.
//!
//! [`evaluate`](super::evaluate) begins at the program's entry and takes every call in place. What is proved of
//! functions one by one, or of what lies between two cut points, needs the terms of that part alone: it begins
//! in a block with *inputs* that are any values, goes on as every evaluation does, by the same meaning of
//! instructions, and ends where it comes to a *stop*: a block that was named, a call of a function that
//! was named (whose results are any values, and evaluation goes on with them), or the return of the function
//! that it began in. Each stop says when it is reached and with which values. Loops whose heads are no stops are unrolled,
//! and calls of other functions are evaluated in place, up to the bounds of the [`Config`]; where a bound is passed there
//! is a cut, as ever.
//!
//! ```text
//!   inputs ─▶ block … ─▶ call f(…) : a stop ─▶ results are any values ─▶ … ─▶ return : a stop
//! ```
//!
//! An execution that is in the block with some values, and comes from there to a stop of the same activation without passing a
//! bound, is a model: the inputs are its values, what it chooses and what the calls return are the other
//! variables, and of all stops the one is reached that it comes to, with its values.
//!
//! Inputs and what stops hand over are scalars so far. A fragment that begins or ends with pointers or memories is
//! refused, and so is one that looks at addresses: its objects have none that others know of. What these will be is
//! decided in `docs/why/fragments.md`.

use std::collections::{BTreeMap, BTreeSet};

use ir::cfg::Cfg;
use ir::syntax::{Block, Body, Func, InstData, Module, Target, Type, Value};
use rustc_hash::FxHashSet;
use terms::{Term, Terms};

use super::evaluation::Evaluation;
use super::{Config, Oracle, Val, Vc};
use crate::path::Path;

/// Which part of a program.
#[derive(Clone, Debug)]
pub struct Fragment {
    /// The function.
    pub func: Func,
    /// Where it begins.
    pub from: Block,
    /// Blocks of the function that end it; where it begins is one of them if it is to end when it comes
    /// back.
    pub stops: BTreeSet<Block>,
    /// Functions whose calls are not evaluated, at any depth.
    pub calls: BTreeSet<Func>,
}

/// What a fragment comes down to.
pub struct Piece<'a> {
    /// Checks, assumptions, cuts and choices on the way.
    pub vc: Vc<'a>,
    /// The values that it begins with, in order: registers that are read before they are written.
    pub inputs: Vec<(Value, Term)>,
    /// Where it ends, or calls. In the order of execution.
    pub stops: Vec<Stop>,
}

/// A stop.
#[derive(Clone, Debug)]
pub struct Stop {
    /// Which.
    pub at: At,
    /// When it is reached. Boolean.
    pub reached: Term,
    /// How many assumptions of the fragment come before.
    pub assumptions: usize,
    /// What is handed over: what [`inputs`] says of the block, the results of the function, the
    /// arguments of the call.
    pub values: Vec<Term>,
}

/// What a stop is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum At {
    /// A block that was named.
    Block(Block),
    /// The function returns.
    Return,
    /// A function that was named is called, and returns these. If it does not return, nothing after it happens.
    Call(Func, Vec<Term>),
}

/// Why a fragment is not evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It begins or ends with a pointer or a memory.
    NoScalar(Func),
    /// It looks at addresses.
    Addresses,
    /// Executions go on after a failing check.
    Continues,
}

/// What is kept while a fragment is evaluated.
pub(super) struct Cutting<'f> {
    fragment: &'f Fragment,
    handed: BTreeMap<Block, Vec<Value>>,
    stops: Vec<Stop>,
    refused: Option<Refused>,
}

/// The registers that a block and those behind it read before they write them, in order: its parameters first.
pub fn inputs(body: &Body, from: Block) -> Vec<Value> {
    let mut defined: Vec<FxHashSet<Value>> = Vec::with_capacity(body.blocks.len());
    let mut reads: Vec<FxHashSet<Value>> = Vec::with_capacity(body.blocks.len());
    for (_, data) in body.blocks.iter() {
        let mut mine: FxHashSet<Value> = data.params.iter().copied().collect();
        for &inst in &data.insts {
            mine.extend(body.insts[inst].results.iter().copied());
        }
        let mut free = FxHashSet::default();
        crate::util::for_each_use(body, data, |value| {
            if !mine.contains(&value) {
                free.insert(value);
            }
        });
        defined.push(mine);
        reads.push(free);
    }
    let cfg = Cfg::new(body);
    let mut work: Vec<(Block, Value)> = Vec::new();
    for (index, free) in reads.iter().enumerate() {
        let mut free: Vec<Value> = free.iter().copied().collect();
        free.sort_unstable();
        work.extend(
            free.into_iter()
                .map(|value| (Block::from_index(index), value)),
        );
    }
    while let Some((block, value)) = work.pop() {
        for &before in cfg.predecessors(block) {
            let passes = !defined[before.index()].contains(&value);
            if passes && reads[before.index()].insert(value) {
                work.push((before, value));
            }
        }
    }
    let mut rest: Vec<Value> = reads[from.index()].iter().copied().collect();
    rest.sort_unstable();
    let mut all = body.blocks[from].params.clone();
    all.extend(rest);
    all
}

/// Evaluates a fragment of a Pure module.
pub fn evaluate<'a>(
    module: &'a Module,
    terms: &'a mut Terms,
    config: &'a Config,
    fragment: &'a Fragment,
    oracle: &mut dyn Oracle,
) -> Result<Piece<'a>, Refused> {
    if config.continue_after_failure {
        return Err(Refused::Continues);
    }
    let body = module.body(fragment.func);
    let mut handed = BTreeMap::new();
    for &block in fragment.stops.iter().chain([&fragment.from]) {
        let values = inputs(body, block);
        let scalar =
            |value: &Value| matches!(body.values[*value].ty, Type::Int(_) | Type::Float(_));
        if !values.iter().all(scalar) {
            return Err(Refused::NoScalar(fragment.func));
        }
        handed.insert(block, values);
    }
    let mut evaluation = Evaluation::new(module, terms, config, oracle);
    let mut found = Vec::new();
    for &value in &handed[&fragment.from] {
        found.push((value, evaluation.any_input(body.values[value].ty, "input")));
    }
    evaluation.cutting = Some(Cutting {
        fragment,
        handed,
        stops: Vec::new(),
        refused: None,
    });
    let path = evaluation.paths.root();
    evaluation.enter(fragment.func, Vec::new(), path, 0);
    evaluation.assume_constraints();
    evaluation.frame().begin_at(fragment.from, &found, path);
    evaluation.run_frames();
    let Cutting { stops, refused, .. } = evaluation.cutting.take().expect("it is being evaluated");
    let vc = evaluation.vc;
    match refused {
        Some(refused) => Err(refused),
        None if !vc.looks.is_empty() => Err(Refused::Addresses),
        None => Ok(Piece {
            vc,
            inputs: found,
            stops,
        }),
    }
}

impl<'a> Evaluation<'a, '_> {
    /// Any value of a scalar type.
    fn any_input(&mut self, ty: Type, what: &str) -> Term {
        let bits = ty.bits(self.vc.world.module.machine);
        let bits = bits.expect("a scalar has a width");
        let term = self.vc.world.fresh_bits(what, bits);
        match ty {
            Type::Int(_) => self.as_register(term),
            Type::Float(_) | Type::Ptr | Type::Mem(_) => term,
        }
    }

    /// Is a block of the open frame a stop?
    pub(super) fn is_stop(&self, block: Block) -> bool {
        let cutting = self.cutting.as_ref();
        cutting.is_some_and(|cutting| {
            self.frames.len() == 1 && cutting.fragment.stops.contains(&block)
        })
    }

    /// Is the block that an edge of the first frame leads to a stop? Then it ends there.
    pub(super) fn stops_at(&mut self, target: &Target, path: Path) -> bool {
        let Some(cutting) = &self.cutting else {
            return false;
        };
        if !self.is_stop(target.block) {
            return false;
        }
        let handed = cutting.handed[&target.block].clone();
        let params = target.args.len();
        let mut values: Vec<Val> = target.args.iter().map(|arg| self.value(arg)).collect();
        for &value in &handed[params..] {
            values.push(self.register(value));
        }
        self.note_stop(At::Block(target.block), path, values);
        true
    }

    /// The function that a fragment began in returns.
    pub(super) fn stops_at_return(&mut self, path: Path, values: &[Val]) {
        if self.cutting.is_some() && self.frames.len() == 1 {
            self.note_stop(At::Return, path, values.to_vec());
        }
    }

    /// Is the function that is called a stop? Then its results are any values.
    pub(super) fn stops_at_call(
        &mut self,
        func: Func,
        data: &InstData,
        values: &[Val],
        path: Path,
    ) -> bool {
        let Some(cutting) = &self.cutting else {
            return false;
        };
        if !cutting.fragment.calls.contains(&func) {
            return false;
        }
        let body = self.frame().body;
        let mut results = Vec::new();
        for &result in &data.results {
            let ty = body.values[result].ty;
            if !matches!(ty, Type::Int(_) | Type::Float(_)) {
                let here = self.frame().func;
                self.refuse_fragment(Refused::NoScalar(here));
                self.die();
                return true;
            }
            let any = self.any_input(ty, "result");
            results.push(any);
            self.define(result, Val::Term(any));
        }
        self.note_stop(At::Call(func, results), path, values.to_vec());
        true
    }

    fn note_stop(&mut self, at: At, path: Path, values: Vec<Val>) {
        let reached = self.paths.condition(path);
        let assumptions = self.vc.assumptions.len();
        let mut list = Vec::with_capacity(values.len());
        for value in values {
            match value {
                Val::Term(term) => list.push(term),
                Val::Pointer(_) | Val::Memory(_) => {
                    let func = self.frame().func;
                    return self.refuse_fragment(Refused::NoScalar(func));
                }
            }
        }
        if let Some(cutting) = &mut self.cutting {
            cutting.stops.push(Stop {
                at,
                reached,
                assumptions,
                values: list,
            });
        }
    }

    fn refuse_fragment(&mut self, why: Refused) {
        if let Some(cutting) = &mut self.cutting {
            cutting.refused.get_or_insert(why);
        }
    }
}
