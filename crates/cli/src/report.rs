//! What is said at the end: a report, and the ways of writing it.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use checks::ledger::Ledger;
use checks::registry;
use checks::verdict::{Reason, Status};
use ir::syntax::{Module, Obligation};

use crate::pipeline::Stage;

pub mod json;
pub mod text;

/// Everything that is known at the end.
pub struct Report {
    /// The program, in phase Pure.
    pub module: Module,
    /// The checks that were on.
    pub checks: BTreeSet<String>,
    /// What the engine found.
    pub outcome: bmc::Outcome,
    /// The verdict.
    pub verdict: Verdict,
    /// What it rests on.
    pub ledger: Ledger,
    /// What it cost.
    pub stages: Vec<Stage>,
    /// Who answered.
    pub engine: &'static str,
    /// All time.
    pub time: Duration,
}

impl Report {
    /// Is the obligation one that was asked for? Internal ones are of interest only if they were met.
    pub fn is_shown(&self, obligation: Obligation) -> bool {
        let name = &self.module.obligations[obligation].check;
        let internal = registry::find(name).is_none_or(|check| check.property.is_none());
        let met = matches!(
            self.outcome.statuses[obligation],
            Status::Unknown(Reason::Unsupported(_))
        );
        if internal {
            met
        } else {
            self.checks.contains(name)
        }
    }
}

/// The program's verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No execution violates an obligation.
    True,
    /// A replayed execution violates this property.
    False(String),
    /// No answer.
    Unknown(Reason),
    /// True, but an assertion is never reached, and that was to be an error.
    Vacuous,
}

impl Verdict {
    /// The contract's exit code.
    pub fn exit_code(&self) -> u8 {
        match self {
            Verdict::True => 0,
            Verdict::False(_) => 10,
            Verdict::Unknown(Reason::Timeout) => 124,
            Verdict::Unknown(Reason::Memory) => 12,
            Verdict::Unknown(Reason::Unsupported(_)) => 3,
            Verdict::Unknown(
                Reason::Unconfirmed
                | Reason::Bounded
                | Reason::Solver(_)
                | Reason::Undefined
                | Reason::Layout
                | Reason::Interrupted,
            )
            | Verdict::Vacuous => 5,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => write!(f, "true"),
            Verdict::False(property) => write!(f, "false({property})"),
            Verdict::Unknown(Reason::Unsupported(_)) => write!(f, "unknown(unsupported)"),
            Verdict::Unknown(Reason::Solver(_)) => write!(f, "unknown(solver)"),
            Verdict::Unknown(reason) => write!(f, "unknown({reason})"),
            Verdict::Vacuous => write!(f, "unknown(vacuous)"),
        }
    }
}

/// The property that an obligation's violation is one of.
pub fn property(module: &Module, obligation: Obligation) -> String {
    let check = &module.obligations[obligation].check;
    registry::find(check)
        .and_then(|check| check.property)
        .unwrap_or(check)
        .to_owned()
}

/// The stable id of an obligation: `main.overflow.2`.
pub fn id(module: &Module, obligation: Obligation) -> String {
    let data = &module.obligations[obligation];
    format!("{}.{}.{}", data.func, data.check, data.ordinal)
}
