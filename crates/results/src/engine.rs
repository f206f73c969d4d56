//! What stands between an engine and those who use it.

use checks::registry::CheckId;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ir::syntax::Module;

use crate::known::Known;
use crate::message::Message;
use crate::outcome::Outcome;

/// Looks at a program and says what it finds out. An engine prints nothing.
pub trait Engine: Send + Sync {
    /// Its name on the command line and in reports.
    fn name(&self) -> &'static str;

    /// Works on a task. Violations, statuses and facts are told as they are found; what is returned has them all.
    fn run(&self, task: &Task<'_>, sink: &Arc<dyn Sink>) -> Result<Outcome, EngineError>;
}

/// What an engine is asked to look at.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    /// The program, in phase Pure.
    pub module: &'t Module,
    /// What is known already. An engine need not use it.
    pub known: &'t Known,
    /// Checks whose violation nobody asks for: executions that violate them do not count.
    pub monitors: &'t BTreeSet<CheckId>,
    /// What it may take.
    pub limits: Limits,
}

/// What an engine may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// When it has to end.
    pub deadline: Option<Instant>,
    /// Memory that solvers may take, in bytes.
    pub memory: Option<u64>,
}

/// Who listens to an engine. Several threads may speak at once.
pub trait Sink: Send + Sync {
    /// Takes what was found out.
    fn tell(&self, message: Message);

    /// Is shown the program after a pass that the engine ran.
    fn show(&self, _pass: &str, _module: &Module) {}

    /// Hears of a question that a solver was asked.
    fn asked(&self, _question: &Question<'_>) {}
}

/// A question that a solver was asked, and its answer. What is long is made when somebody wants it.
pub struct Question<'q> {
    /// What it was about, in a word or two.
    pub what: &'q str,
    /// The solver.
    pub solver: &'q str,
    /// The answer, as SMT-LIB has it.
    pub answer: &'q str,
    /// What it took.
    pub time: Duration,
    /// How many terms it has.
    pub size: &'q dyn Fn() -> usize,
    /// The question in SMT-LIB.
    pub script: &'q dyn Fn() -> String,
    /// The model in SMT-LIB, if there is one.
    pub model: &'q dyn Fn() -> Option<String>,
}

/// Nobody listens.
#[derive(Clone, Copy, Default, Debug)]
pub struct Silence;

impl Sink for Silence {
    fn tell(&self, _message: Message) {}
}

/// What went wrong on our side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineError(pub String);

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EngineError {}
