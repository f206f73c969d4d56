//! The bounded engine: evaluate, ask, deepen.
//!
//! A round evaluates the program symbolically with a bound for each loop, and asks a solver one
//! question for all obligations. If one can be violated, the model becomes a trace, and the
//! interpreter must meet the violation before anybody hears of it. If none can, a second question
//! tells whether a bound or a gap of the model was reached: if not, the program is proved; if so,
//! the loops concerned get a higher bound and the next round begins.
//!
//! Meanwhile a thread executes the program at random (`samples.rs`), for bugs that lie too deep.
//!
//! Loops whose conditions fold need no bound and no round; see `encode::eval`.
#![forbid(unsafe_code)]

mod concrete;
mod engine;
mod forms;
mod layouts;
mod oracle;
mod query;
mod reach;
mod samples;
mod sizes;
mod trace;
mod violations;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Map;
use checks::trace::Trace;
use checks::verdict::{Reason, Status};
use encode::encoding::Encoding;
pub use encode::eval::Look;
use ir::syntax::{Module, Obligation, PlaceId};
use rustc_hash::FxHashMap;
use terms::Level;

pub use crate::engine::check;

/// Who is told of a violation.
pub type OnViolation = Arc<dyn Fn(&Violation) + Send + Sync>;
/// Who is told what is being done, and the bounds that were reached so far.
pub type OnProgress = Arc<dyn Fn(String, &[Bound]) + Send + Sync>;

/// Who is shown the program after each pass that the engine runs.
pub type OnPass = Arc<dyn Fn(&str, &Module) + Send + Sync>;

/// What the engine is told.
#[derive(Clone)]
pub struct Options {
    /// The solver, as `solve` names it.
    pub solver: String,
    /// A second one that confirms proofs, if wanted.
    pub second: Option<String>,
    /// A fixed bound for loops; none to deepen.
    pub unwind: Option<u32>,
    /// Fixed bounds for single loops, by name.
    pub unwind_loops: FxHashMap<String, u32>,
    /// A fixed bound for recursion; none to deepen.
    pub depth: Option<u32>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Memory that solvers may take, in bytes.
    pub memory: Option<u64>,
    /// Look for a counterexample of every obligation, or stop at the first?
    pub violations: Violations,
    /// Is it wanted which claims are vacuous? It always is where every violation is.
    pub vacuity: bool,
    /// Does execution go on after a violated check?
    pub continue_after_failure: bool,
    /// Checks whose violation nobody asks for: executions that violate them do not count.
    pub monitors: BTreeSet<String>,
    /// Are invalid accesses excluded by obligations?
    pub accesses_checked: bool,
    /// How the program becomes terms.
    pub style: Style,
    /// How memory and pointers become terms.
    pub encoding: Encoding,
    /// What the solver gets to see.
    pub cone: Cone,
    /// How much terms are rewritten as they are made.
    pub rewriting: Level,
    /// Told of each replayed violation at once, so that none is lost when a limit strikes.
    pub on_violation: Option<OnViolation>,
    /// Told what the engine is doing, in a few words.
    pub on_progress: Option<OnProgress>,
    /// Shown the program after each pass.
    pub on_pass: Option<OnPass>,
}

/// How a program becomes terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Style {
    /// By symbolic evaluation.
    #[default]
    Eval,
    /// Unrolled, and brought into reduced pure data flow.
    Dataflow,
    /// Unrolled, with a condition for each block.
    Path,
}

/// What the solver gets to see.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cone {
    /// What a question depends on.
    #[default]
    Used,
    /// Every term of the program.
    Everything,
}

/// How many violations are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Violations {
    /// The first one.
    First,
    /// One for each obligation that can be violated.
    Each,
}

/// A violation that the interpreter has met.
#[derive(Clone, Debug)]
pub struct Violation {
    /// What is violated.
    pub obligation: Obligation,
    /// The choices that lead there.
    pub trace: Trace,
    /// Choices about globals.
    pub globals: Vec<interp::config::GlobalChoice>,
    /// What memory that belongs to no object holds at the start, if there is such memory.
    pub unknown: Option<interp::choices::Fill>,
    /// What the interpreter says.
    pub failure: interp::Failure,
}

/// A bound that was reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The loop's or function's name.
    pub name: String,
    /// Where it is.
    pub place: Option<PlaceId>,
    /// How often it was gone round, or how deep it nested.
    pub reached: u32,
    /// Loop or recursion?
    pub recursion: bool,
}

/// What the engine found.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// A status for each obligation.
    pub statuses: Map<Obligation, Status>,
    /// Replayed violations, in the order they were found.
    pub violations: Vec<Violation>,
    /// Counterexamples that did not replay: our bugs.
    pub unconfirmed: Vec<(Obligation, String)>,
    /// Executions that violate what was proved: one of the two is wrong, and it is our bug.
    pub contradictions: Vec<Violation>,
    /// What stands behind a violation on all its paths: nobody has looked at it.
    pub behind: Vec<Obligation>,
    /// What is not reached, or only behind a violation; which of the two is not known.
    pub vanished: Vec<Obligation>,
    /// Bounds that were reached in the last round.
    pub bounds: Vec<Bound>,
    /// Constructs without a model that can be reached.
    pub gaps: Vec<String>,
    /// What the proof has to do with where objects lie.
    pub layouts: Layouts,
    /// Why there is no full answer.
    pub reason: Option<Reason>,
    /// What else speaks for the proof; none if nobody was asked.
    pub second: Option<SecondOpinion>,
    /// Figures.
    pub stats: Stats,
}

/// What a proof has to do with where objects lie in memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Layouts {
    /// Nothing, or there is no proof.
    #[default]
    NotAsked,
    /// Addresses are looked at, and whatever they are, it holds.
    All,
    /// It may hold for one layout only, because of these looks.
    One(Vec<Look>),
}

/// What speaks for a proof besides the solver that found it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SecondOpinion {
    /// This solver agrees.
    Agrees(String),
    /// No solver was needed: everything folded.
    Folded,
    /// The program chooses nothing, and was executed.
    Executed,
    /// Nothing, and why.
    Missing(String),
}

impl std::fmt::Display for SecondOpinion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SecondOpinion::Agrees(solver) => write!(f, "{solver} agrees"),
            SecondOpinion::Folded => write!(f, "not needed, everything folded"),
            SecondOpinion::Executed => {
                write!(
                    f,
                    "not needed, the program chooses nothing and was executed"
                )
            }
            SecondOpinion::Missing(why) => write!(f, "none ({why})"),
        }
    }
}

/// Figures for `--stats`.
#[derive(Clone, Default, Debug)]
pub struct Stats {
    /// Rounds.
    pub rounds: u32,
    /// The largest bound of a loop.
    pub bound: u32,
    /// Terms of the last round.
    pub terms: usize,
    /// Instructions evaluated in all rounds.
    pub steps: u64,
    /// Checks that folded, in the last round.
    pub folded: u64,
    /// Checks that were asked about, in the last round.
    pub asked: u64,
    /// Queries.
    pub queries: u32,
    /// Time in evaluation.
    pub evaluating: Duration,
    /// Time in the solver.
    pub solving: Duration,
    /// Time in replay.
    pub replaying: Duration,
}

/// What went wrong on our side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineError(pub String);

impl std::fmt::Display for EngineError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EngineError {}
