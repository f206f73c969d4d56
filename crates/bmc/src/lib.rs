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

mod apart;
mod ask;
mod candidates;
mod concrete;
mod engine;
mod execute;
mod extern_pointers;
mod finite;
mod forms;
mod habits;
mod hull;
mod induction;
mod invent;
mod layouts;
mod linear;
mod listen;
mod oracle;
mod query;
mod reach;
mod refute;
mod samples;
pub mod sentence;
mod sizes;
pub mod slot;
mod steer;
mod trace;
mod violations;

use checks::registry::CheckId;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use encode::encoding::Encoding;
use encode::eval::maps::MapLimits;
use results::{Engine, EngineError, Known, Outcome, Sink, Task};
use rustc_hash::FxHashMap;
use terms::Level;

pub use crate::execute::{Met, execute};
pub use crate::reach::{broken, is_claim, met};
pub use crate::refute::{Refuted, refute};
pub use crate::samples::Scouts;

/// The engine, with its settings. What a task says comes before them.
pub struct Bmc {
    /// The settings.
    pub options: Options,
}

/// The engine's name on the command line, without induction and with it.
pub const BMC: &str = "bmc";
/// See [`BMC`].
pub const KIND: &str = "kind";

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        match self.options.induction {
            true => KIND,
            false => BMC,
        }
    }

    fn run(&self, task: &Task<'_>, sink: &Arc<dyn Sink>) -> Result<Outcome, EngineError> {
        engine::check(task.module, &self.told(task), task.known, None, sink)
    }
}

impl Bmc {
    /// The settings for a task.
    fn told(&self, task: &Task<'_>) -> Options {
        Options {
            deadline: task.limits.deadline,
            memory: task.limits.memory,
            monitors: task.monitors.clone(),
            ..self.options.clone()
        }
    }

    /// Begins to execute the program, before the engine itself does anything.
    pub fn send_scouts(&self, task: &Task<'_>, sink: &Arc<dyn Sink>) -> Scouts {
        Scouts::send(task.module, &self.told(task), sink)
    }

    /// Works on a task without executing it beside.
    pub fn run_alone(&self, task: &Task<'_>, sink: &Arc<dyn Sink>) -> Result<Outcome, EngineError> {
        self.follow(Scouts::none(), task, sink)
    }

    /// Works on a task, with executions that have begun already.
    pub fn follow(
        &self,
        scouts: Scouts,
        task: &Task<'_>,
        sink: &Arc<dyn Sink>,
    ) -> Result<Outcome, EngineError> {
        let options = self.told(task);
        engine::check(task.module, &options, task.known, Some(scouts), sink)
    }
}

/// Checks a Pure module of which nothing is known, and tells a sink what it finds as it finds it.
pub fn check(
    module: &ir::syntax::Module,
    options: &Options,
    sink: &Arc<dyn Sink>,
) -> Result<Outcome, EngineError> {
    engine::check(module, options, &Known::default(), None, sink)
}

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
    /// Bounds are not raised beyond this, if anything is said: deeper is somebody else's.
    pub deepest: Option<u32>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// The most that a solver may spend on one obligation, if that is limited.
    pub patience: Option<Duration>,
    /// Memory that solvers may take, in bytes.
    pub memory: Option<u64>,
    /// Look for a counterexample of every obligation, or stop at the first?
    pub violations: Violations,
    /// Is it wanted which claims are vacuous? It always is where every violation is.
    pub vacuity: bool,
    /// Does execution go on after a violated check?
    pub continue_after_failure: bool,
    /// Checks whose violation nobody asks for: executions that violate them do not count.
    pub monitors: BTreeSet<CheckId>,
    /// Are invalid accesses excluded by obligations?
    pub accesses_checked: bool,
    /// Are loops that have no bound proved by induction?
    pub induction: bool,
    /// What becomes of calls in a proof by induction.
    pub calls: Calls,
    /// How large the finite maps of summaries may be, if memory is to be those.
    pub maps: Option<MapLimits>,
    /// Who finds out what is true of the states of loops that have no bound, if anybody is asked.
    pub inventor: Option<Arc<dyn sentence::Inventor>>,
    /// How the program becomes terms.
    pub style: Style,
    /// How memory and pointers become terms.
    pub encoding: Encoding,
    /// What the solver gets to see.
    pub cone: Cone,
    /// How much terms are rewritten as they are made.
    pub rewriting: Level,
    /// Is it counted how often each rewrite rule is applied?
    pub count_rules: bool,
}

/// What becomes of calls in a proof by induction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Calls {
    /// They are evaluated in place; recursion that has no bound is summarised.
    #[default]
    Inline,
    /// Every function is summarised that can be: its body is evaluated once, for all its calls. Tried before anything is unrolled.
    Summary,
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
