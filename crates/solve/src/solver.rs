//! The one interface of all back ends.
//!
//! A solver holds a stack of assertions. Terms come from one arena, which the caller passes along; a solver
//! remembers what it has translated by the terms' ids, so it must not see a second arena. What a solver says
//! is not yet believed: [`crate::Checked`] is what engines use.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use terms::smt::flat;
use terms::{Term, Terms};

use crate::answer::{Answer, SolveError};
use crate::limits::{Interrupt, Limits};

/// A stack of assertions that can be checked. See the [module](self).
pub trait Solver {
    /// The name under which the back end was opened.
    fn name(&self) -> &str;

    /// Adds a Boolean term to the current level.
    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolveError>;

    /// Opens a level.
    fn push(&mut self) -> Result<(), SolveError>;

    /// Removes this many levels with their assertions; there must be as many.
    fn pop(&mut self, levels: u32) -> Result<(), SolveError>;

    /// Are the assertions and these Boolean terms satisfiable together?
    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolveError>;

    /// After `Unsat`: assumptions that are unsatisfiable together with the assertions, in the order of the check.
    /// All of them, if the solver was opened without [`Cores::On`].
    fn core(&mut self) -> Result<Vec<Term>, SolveError>;

    /// Limits for each check from now on.
    fn set_limits(&mut self, limits: Limits);

    /// The switch by which another thread stops this solver.
    fn interrupt(&self) -> Interrupt;

    /// What the solver did so far.
    fn statistics(&self) -> Statistics;
}

/// Whether a solver tracks which assumptions an `Unsat` needs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Cores {
    /// No: all assumptions count as needed. The fastest.
    #[default]
    Off,
    /// Yes; this costs some of the solver's preprocessing.
    On,
}

/// Whether the back end may simplify terms before it solves them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Simplifying {
    /// Yes.
    #[default]
    On,
    /// No, as far as it has a switch for it: for proofs of rewrite rules.
    Off,
}

/// What a solver is opened with.
#[derive(Clone, Default, Debug)]
pub struct Config {
    /// Limits for each check.
    pub limits: Limits,
    /// Whether unsat cores are wanted.
    pub cores: Cores,
    /// Whether the back end simplifies.
    pub simplifying: Simplifying,
    /// The switch by which another thread stops the solver; several solvers may share one.
    pub interrupt: Interrupt,
    /// Where a back end that speaks SMT-LIB appends what it sends (and, as comments, what it hears), for replay.
    pub dialogue: Option<PathBuf>,
    /// Who is told of every question and its answer.
    pub listener: Option<Listener>,
}

/// Who is told of every question and its answer.
#[derive(Clone)]
pub struct Listener(pub Arc<dyn Fn(&Asked<'_>) + Send + Sync>);

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Listener")
    }
}

/// A question that a solver was asked, and its answer.
pub struct Asked<'a> {
    /// The solver.
    pub solver: &'a str,
    /// The arena of the terms.
    pub terms: &'a Terms,
    /// What was asserted and assumed.
    pub question: &'a [Term],
    /// The answer.
    pub answer: &'a Answer,
    /// What it took.
    pub time: Duration,
}

impl Asked<'_> {
    /// The question as a script that any program can be asked.
    pub fn script(&self) -> String {
        flat::script(self.terms, self.question)
    }

    /// What the model says, if there is one.
    pub fn model(&self) -> Option<String> {
        match self.answer {
            Answer::Sat(model) => Some(flat::model(self.terms, model, self.question)),
            Answer::Unsat | Answer::Unknown(_) => None,
        }
    }

    /// The answer in a word, as SMT-LIB has it.
    pub fn word(&self) -> &'static str {
        match self.answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        }
    }

    /// How many terms the question has.
    pub fn size(&self) -> usize {
        self.terms.dag_size(self.question)
    }
}

/// What a solver did so far.
#[derive(Clone, Default, Debug)]
pub struct Statistics {
    /// Assertions made.
    pub assertions: u64,
    /// Terms translated.
    pub nodes: u64,
    /// Checks answered `Sat`.
    pub sat: u64,
    /// Checks answered `Unsat`.
    pub unsat: u64,
    /// Checks answered `Unknown`.
    pub unknown: u64,
    /// Time spent in checks, with translation and reading of models.
    pub time: Duration,
    /// The back end's own figures, by its own names.
    pub details: Vec<(String, String)>,
}

impl Statistics {
    /// Counts one answer.
    pub(crate) fn count(&mut self, answer: &Answer, time: Duration) {
        self.time += time;
        match answer {
            Answer::Sat(_) => self.sat += 1,
            Answer::Unsat => self.unsat += 1,
            Answer::Unknown(_) => self.unknown += 1,
        }
    }
}
