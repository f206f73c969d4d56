//! What an engine says while it works.

use std::time::Duration;

use ir::syntax::Obligation;
use serde::{Deserialize, Serialize};

use crate::fact::Fact;
use crate::known::Settled;
use crate::outcome::{Bound, Outcome, Stats, Violation};
use crate::program::Program;
use crate::status::Status;
use crate::verdict::Failure;

/// One thing that was found out.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Message {
    /// The program that the work is on from now on. Violations that are known still count.
    Program(Program),
    /// What every answer for this program rests on.
    Ledger(Vec<String>),
    /// What is being done.
    Progress(Progress),
    /// What a stage cost.
    Stage(Stage),
    /// What a pass cost.
    Pass(Stage),
    /// What a question to a solver cost.
    Query(Query),
    /// Statuses that hold whatever comes: as far as an engine came, or for good.
    Statuses(Vec<(Obligation, Status)>),
    /// Obligations that an engine has settled, and what that rests on.
    Settled(Vec<(Obligation, Settled)>),
    /// A fact for other engines.
    Fact(Box<Fact>),
    /// A violation that the interpreter has met.
    Violation(Box<Violation>),
    /// All that an engine found, and its name; it replaces what it said before.
    Outcome(String, Box<Outcome>),
    /// The work cannot be done; nothing comes after it.
    Failed(Failure),
    /// Everything was said; nothing comes after it.
    Finished,
}

/// What is being done, and how far it came.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// In a few words.
    pub what: String,
    /// The bounds that were reached.
    pub bounds: Vec<Bound>,
    /// Figures until now.
    pub stats: Stats,
}

/// What a stage cost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// Its time.
    pub time: Duration,
}

/// What a question to a solver cost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Query {
    /// Its number, by which it is saved.
    pub number: u32,
    /// What it was about.
    pub what: String,
    /// The solver.
    pub solver: String,
    /// The answer, as SMT-LIB has it.
    pub answer: String,
    /// Its time.
    pub time: Duration,
    /// How many terms it has.
    pub terms: usize,
}
