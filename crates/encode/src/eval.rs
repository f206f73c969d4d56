//! Symbolic evaluation: a program as terms, by partial evaluation.
//!
//! The evaluator runs a Pure program on terms. A branch whose condition folds is not taken, and what
//! it guards is never built; a loop whose condition folds is run like an interpreter would, without
//! a bound; where a branch does not fold, both sides are evaluated, and their states merge where they
//! meet. A call is evaluated in place, in a frame of its own, so that each call site has its own
//! context. The order of evaluation is [`crate::order`]'s, merging is by [`crate::path`] and
//! [`crate::memory`].
//!
//! The outcome is a [`Vc`]: for every executed `check` that did not fold, when it is reached and what
//! must hold there; the assumptions, in order; the cuts, where a bound stopped the evaluation; and
//! the free choices, in order, from which a model becomes a trace. What is recorded later never
//! matters for what was recorded before: an obligation is judged under the assumptions before it.

use ir::syntax::{Block, Func, Module, Obligation, Op, PlaceId};
use rustc_hash::FxHashMap;
use terms::{Term, Terms};

use crate::encoding::Encoding;
use crate::memory::{Memory, Unknown};
use crate::pointer::{Object, Pointer};
use crate::world::World;

mod access;
mod addresses;
pub mod arbitrary;
mod begin;
mod crowd;
mod evaluation;
mod float;
pub mod flow;
pub mod fragment;
mod frame;
pub mod maps;
mod record;
mod rounds;
mod scalar;
mod scalars;
mod shape;
pub mod summary;
mod track;
mod unknown;

/// Bounds and limits of an evaluation.
#[derive(Clone, Debug)]
pub struct Config {
    /// How often a loop goes round by decisions that do not fold.
    pub unwind: u32,
    /// The same for single loops.
    pub unwind_loops: FxHashMap<(Func, Block), u32>,
    /// How often every loop goes round, folding or not, where that was asked for.
    pub exact_unwind: Option<u32>,
    /// The same for single loops.
    pub exact_loops: FxHashMap<(Func, Block), u32>,
    /// How deep calls nest by decisions that do not fold.
    pub depth: u32,
    /// Does that hold for all calls, folding or not?
    pub exact_depth: bool,
    /// How often a loop goes round at most, folding or not.
    pub iterations: u32,
    /// How often for each unit of its bound, if every round brings something to decide.
    pub eventful: u32,
    /// How many calls may be open at most, folding or not.
    pub frames: u32,
    /// How many terms may be made at most.
    pub terms: usize,
    /// Does execution go on after a violated check?
    pub continue_after_failure: bool,
    /// Are invalid accesses excluded by obligations? Otherwise they read any value.
    pub accesses_checked: bool,
    /// Is there memory that belongs to no object?
    pub unknown_memory: bool,
    /// How memory and pointers become terms.
    pub encoding: Encoding,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            unwind: 8,
            unwind_loops: FxHashMap::default(),
            exact_unwind: None,
            exact_loops: FxHashMap::default(),
            depth: 8,
            exact_depth: false,
            iterations: 1_000_000,
            eventful: 64,
            frames: 20_000,
            terms: 50_000_000,
            continue_after_failure: false,
            accesses_checked: true,
            unknown_memory: false,
            encoding: Encoding::default(),
        }
    }
}

/// A value of a register.
#[derive(Clone)]
pub enum Val {
    /// A bit-vector; a Boolean for `i1`; the image of a float.
    Term(Term),
    /// A pointer.
    Pointer(Pointer),
    /// A memory version.
    Memory(Memory),
}

impl Val {
    /// Is the other certainly the same value?
    pub fn equals(&self, other: &Val) -> bool {
        match (self, other) {
            (Val::Term(a), Val::Term(b)) => a == b,
            (Val::Pointer(a), Val::Pointer(b)) => a == b,
            (Val::Memory(a), Val::Memory(b)) => a.equals(b),
            (Val::Term(_) | Val::Pointer(_) | Val::Memory(_), _) => false,
        }
    }
}

/// An executed `check` that did not fold to true.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Which obligation.
    pub obligation: Obligation,
    /// When it is reached. Boolean.
    pub reached: Term,
    /// What must hold then. Boolean.
    pub holds: Term,
    /// How many assumptions came before.
    pub assumptions: usize,
    /// How many choices came before.
    pub choices: usize,
}

/// A place where a bound stopped the evaluation.
#[derive(Clone, Debug)]
pub struct Cut {
    /// What was bounded.
    pub what: Bounded,
    /// Which limit it was.
    pub limit: Limit,
    /// When it is reached.
    pub reached: Term,
    /// How many assumptions came before.
    pub assumptions: usize,
    /// How many choices came before.
    pub choices: usize,
}

/// A path that was left because the oracle said that nothing takes it.
#[derive(Clone, Copy, Debug)]
pub struct Prune {
    /// When it would be taken.
    pub reached: Term,
    /// How many assumptions came before.
    pub assumptions: usize,
}

/// A loop that does not go round again, because its head was entered in the same state before.
#[derive(Clone, Copy, Debug)]
pub struct Repeat {
    /// When it is entered in that state again.
    pub reached: Term,
    /// How many assumptions came before.
    pub assumptions: usize,
    /// How many choices came before it was entered first.
    pub first: usize,
    /// How many choices came before it was entered again.
    pub choices: usize,
}

/// Which limit stopped a loop or recursion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Its own bound.
    Bound,
    /// The limit for everything: [`Config::iterations`], [`Config::frames`].
    Everything,
}

/// What a bound applies to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bounded {
    /// A loop, by its head, and how often it went round.
    Loop(Func, Block, u32),
    /// Recursion of a function, and how many of its activations were open.
    Recursion(Func, u32),
}

/// An assumption: if reached, it holds.
#[derive(Clone, Copy, Debug)]
pub struct Assumption {
    /// When.
    pub reached: Term,
    /// What.
    pub holds: Term,
    /// The check that was passed, if that is where it comes from.
    pub passed: Option<Obligation>,
}

/// A free choice.
#[derive(Clone, Debug)]
pub struct Choice {
    /// When it is made.
    pub reached: Term,
    /// What is chosen.
    pub what: Chosen,
    /// How many assumptions came before.
    pub assumptions: usize,
    /// Where.
    pub place: Option<PlaceId>,
    /// Is it a value of a function that is known only roughly?
    pub approximate: bool,
}

/// A question about addresses that layouts may answer differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// What was asked.
    pub what: &'static str,
    /// Where.
    pub place: Option<PlaceId>,
}

/// What is chosen.
#[derive(Clone, Copy, Debug)]
pub enum Chosen {
    /// A value.
    Value(Term),
    /// An object, with contents unless they are zero.
    Object(Object, Option<Unknown>),
    /// Bytes.
    Bytes(Unknown),
    /// The contents of objects after unknown code ran, listed in [`Vc::clobbers`].
    Clobber(u32),
}

/// Why an evaluation stopped early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// Told to.
    Interrupted,
    /// Too many terms.
    Terms,
}

/// What a program comes down to.
pub struct Vc<'a> {
    /// The objects, pointers and unknown contents that the terms speak of.
    pub world: World<'a>,
    /// Checks that did not fold to true, in order.
    pub instances: Vec<Instance>,
    /// Assumptions, in order.
    pub assumptions: Vec<Assumption>,
    /// Where bounds stopped the evaluation.
    pub cuts: Vec<Cut>,
    /// What the oracle ruled out, and nothing here speaks of.
    pub prunes: Vec<Prune>,
    /// Where a loop came back to a state that it had been in.
    pub repeats: Vec<Repeat>,
    /// Where loops that begin in an arbitrary state are entered.
    pub heads: Vec<arbitrary::Head>,
    /// Free choices, in order.
    pub choices: Vec<Choice>,
    /// What unknown code changed: objects with their new contents.
    pub clobbers: Vec<Vec<(Object, Unknown)>>,
    /// What memory that belongs to no object holds at the start.
    pub unknown_memory: Option<Unknown>,
    /// Where that memory was read: address and number of bytes.
    pub unknown_reads: Vec<(Term, Term)>,
    /// When the check of an obligation is executed, and how many assumptions come before: nothing if it
    /// is on no path that may be feasible.
    pub reached: base::Map<Obligation, Vec<(Term, usize)>>,
    /// Constructs that cannot be represented: when they are reached, and what they are.
    pub gaps: Vec<(Instance, String)>,
    /// Looks at addresses, each kind once for each place.
    pub looks: Vec<Look>,
    /// Figures for `--stats`.
    pub stats: Stats,
    /// The end of the evaluation, if it did not come to its own end.
    pub stopped: Option<Stopped>,
    /// The innermost loop, or the deepest recursion, that was being evaluated then.
    pub stopped_in: Option<Bounded>,
}

/// Figures for `--stats`.
#[derive(Clone, Copy, Default, Debug)]
pub struct Stats {
    /// Instructions evaluated.
    pub steps: u64,
    /// Checks that folded to true.
    pub folded: u64,
    /// Joins of two or more states.
    pub joins: u64,
    /// Branches that folded.
    pub branches_folded: u64,
    /// Branches that did not.
    pub branches: u64,
}

/// Says whether a path can be taken, asked where evaluation would otherwise go on for long.
pub trait Oracle {
    /// Should the evaluation stop now?
    fn interrupted(&mut self) -> bool;
    /// Is the condition satisfiable together with the assumptions? None if not known.
    fn feasible(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Assumption],
        condition: Term,
    ) -> Option<bool>;
}

/// An oracle that knows nothing.
pub struct NoOracle;

impl Oracle for NoOracle {
    fn interrupted(&mut self) -> bool {
        false
    }

    fn feasible(&mut self, _: &mut Terms, _: &[Assumption], _: Term) -> Option<bool> {
        None
    }
}

/// Evaluates a Pure module from its entry.
pub fn evaluate<'a>(
    module: &'a Module,
    terms: &'a mut Terms,
    config: &'a Config,
    oracle: &mut dyn Oracle,
) -> Vc<'a> {
    evaluation::Evaluation::new(module, terms, config, oracle).run()
}

/// Does the instruction only tell debuggers something?
fn is_debug(op: &Op) -> bool {
    matches!(op, Op::Debug { .. })
}
