//! What an engine found.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use base::{Map, Place};
use ir::syntax::Obligation;
use serde::{Deserialize, Serialize};

use crate::explanation::Failure;
use crate::program::Claim;
use crate::status::{Reason, Status};
use crate::story::Story;
use crate::trace::{Fill, GlobalChoice, Trace};

/// A violation that the interpreter has met.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Violation {
    /// What is violated.
    pub obligation: Obligation,
    /// The same, by its name.
    pub claim: Claim,
    /// The choices that lead there.
    pub trace: Trace,
    /// Choices about globals.
    pub globals: Vec<GlobalChoice>,
    /// What memory that belongs to no object holds at the start, if there is such memory.
    pub unknown: Option<Fill>,
    /// What the interpreter says.
    pub failure: Failure,
    /// The execution as a story, once it was told.
    #[serde(default)]
    pub story: Option<Box<Story>>,
}

impl Violation {
    /// Where the user is told that it is: at the user's own call, if it is inside a model of a library function.
    pub fn place(&self) -> Option<&Place> {
        let own = self.failure.explanation.stack.iter();
        let mut own = own.filter(|frame| !frame.model && frame.place.is_some());
        match self.claim.model {
            true => own.next().and_then(|frame| frame.place.as_ref()),
            false => None,
        }
        .or(self.claim.place.as_ref())
    }

    /// The library function inside whose model it is.
    pub fn inside(&self) -> Option<&str> {
        let frames = self.failure.explanation.stack.iter();
        let models = frames.take_while(|frame| frame.model);
        models.last().map(|frame| frame.func.as_str())
    }
}

/// A violation that an assumption about the callers of the entry takes away.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Precondition {
    /// How it is violated otherwise.
    pub violation: Violation,
    /// The assumption, as the command line says it.
    pub rule: String,
    /// Does it hold then? Otherwise no violation was found.
    pub proved: bool,
}

/// A bound that was reached.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bound {
    /// The loop's or function's name.
    pub name: String,
    /// Where it is.
    pub place: Option<Place>,
    /// How many iterations were unrolled, or how deep it nested.
    pub reached: u32,
    /// Loop or recursion?
    pub recursion: bool,
}

/// Something that holds whenever an execution comes to a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Invariant {
    /// The place.
    pub place: Option<Place>,
    /// What holds, with the names of the source.
    pub text: String,
    /// The engine that proved it.
    pub by: String,
}

/// An engine's last word.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// A status for each obligation.
    pub statuses: Map<Obligation, Status>,
    /// Who settled an obligation, where that was not the engine whose outcome this is.
    pub by: BTreeMap<Obligation, String>,
    /// Replayed violations, in the order they were found.
    pub violations: Vec<Violation>,
    /// Counterexamples that did not replay: our bugs.
    pub unconfirmed: Vec<(Obligation, String)>,
    /// Executions that violate what was proved: one of the two is wrong, and it is our bug.
    pub contradictions: Vec<Violation>,
    /// Violations that an assumption about the callers of the entry takes away.
    pub preconditions: Vec<Precondition>,
    /// What stands behind a violation on all its paths: nobody has looked at it.
    pub behind: Vec<Obligation>,
    /// What is not reached, or only behind a violation; which of the two is not known.
    pub vanished: Vec<Obligation>,
    /// What was asked of the solver, or seen by an execution, about being reached: no need to ask again.
    pub weighed: BTreeSet<Obligation>,
    /// Bounds that were reached in the last round.
    pub bounds: Vec<Bound>,
    /// What holds at the heads of loops, and was proved.
    pub invariants: Vec<Invariant>,
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
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Layouts {
    /// Nothing, or there is no proof.
    #[default]
    NotAsked,
    /// Addresses are looked at, and whatever they are, it holds.
    All,
    /// It may hold for one layout only, because of these looks.
    One(Vec<Look>),
}

/// A question about addresses that layouts may answer differently.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Look {
    /// What was asked.
    pub what: String,
    /// Where.
    pub place: Option<Place>,
}

/// What speaks for a proof besides the solver that found it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SecondOpinion {
    /// This solver agrees.
    Agrees(String),
    /// No solver was needed: rewriting decided everything.
    Folded,
    /// The program chooses nothing, and was executed.
    Executed,
    /// Nothing, and why.
    Missing(String),
}

impl fmt::Display for SecondOpinion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SecondOpinion::Agrees(solver) => write!(f, "{solver} agrees"),
            SecondOpinion::Folded => write!(f, "not needed, rewriting decided everything"),
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
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
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
    /// Functions whose summaries a proof rests on: those with finite maps, and those over whole objects.
    pub summaries: (u32, u32),
    /// How often each rewrite rule was applied while the last round was evaluated, if that was counted.
    pub rules: BTreeMap<String, u64>,
    /// Time in evaluation.
    pub evaluating: Duration,
    /// Time in the solver.
    pub solving: Duration,
    /// Time in replay.
    pub replaying: Duration,
}
