//! The answer for one obligation.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub enum Reason {
    /// The time limit.
    Timeout,
    /// The memory limit.
    Memory,
    /// A construct that is not modelled can be reached.
    Unsupported(String),
    /// A counterexample that did not replay: our fault.
    Unconfirmed,
    /// Nothing violated within the bounds, which do not cover everything.
    Bounded,
    /// A solver gave up, and said this.
    Solver(String),
    /// Violated only by executions that overflow a signed integer before, which is undefined and was
    /// not to be checked.
    Undefined,
    /// Holds for the layout of memory that was looked at, and perhaps not for every other.
    Layout,
    /// No invariant was found that proves it.
    Invariant,
    /// Fails only for a pointer from unknown code that leads to no object of the program.
    ExternPointer,
    /// Violated only if the callers of the entry do not keep to this, which was not said.
    Precondition(String),
    /// Stopped from outside.
    Interrupted,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => write!(f, "timeout"),
            Reason::Memory => write!(f, "memory"),
            Reason::Unsupported(what) if what.is_empty() => write!(f, "unsupported"),
            Reason::Unsupported(what) => write!(f, "unsupported: {what}"),
            Reason::Unconfirmed => write!(f, "unconfirmed"),
            Reason::Bounded => write!(f, "bounded"),
            Reason::Solver(text) => write!(f, "solver: {text}"),
            Reason::Undefined => write!(f, "undefined"),
            Reason::Layout => write!(f, "layout"),
            Reason::Invariant => write!(f, "invariant"),
            Reason::ExternPointer => write!(f, "extern pointer"),
            Reason::Precondition(rule) => write!(f, "precondition: {rule}"),
            Reason::Interrupted => write!(f, "interrupted"),
        }
    }
}

/// The answer for one obligation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Status {
    /// No execution violates it.
    Proved,
    /// No execution within the bound violates it.
    ProvedBounded(u64),
    /// A replayed execution violates it.
    Violated,
    /// No execution reaches it.
    Unreachable,
    /// A user's assertion that no execution reaches.
    Vacuous,
    /// No answer.
    Unknown(Reason),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Status::Proved => write!(f, "PROVED"),
            Status::ProvedBounded(bound) => write!(f, "PROVED-BOUNDED({bound})"),
            Status::Violated => write!(f, "VIOLATED"),
            Status::Unreachable => write!(f, "UNREACHABLE"),
            Status::Vacuous => write!(f, "VACUOUS"),
            Status::Unknown(reason) => write!(f, "UNKNOWN({reason})"),
        }
    }
}

impl Status {
    /// Does it hold for good, so that nobody needs to look any more?
    pub fn is_settled(&self) -> bool {
        match self {
            Status::Proved | Status::Violated | Status::Unreachable | Status::Vacuous => true,
            Status::ProvedBounded(_) | Status::Unknown(_) => false,
        }
    }

    /// Does it say no more than that the work on it was given up?
    pub fn is_given_up(&self) -> bool {
        match self {
            Status::Unknown(
                Reason::Timeout | Reason::Memory | Reason::Interrupted | Reason::Solver(_),
            ) => true,
            Status::Unknown(
                Reason::Unsupported(_)
                | Reason::Unconfirmed
                | Reason::Bounded
                | Reason::Undefined
                | Reason::Layout
                | Reason::Invariant
                | Reason::ExternPointer
                | Reason::Precondition(_),
            )
            | Status::Proved
            | Status::ProvedBounded(_)
            | Status::Violated
            | Status::Unreachable
            | Status::Vacuous => false,
        }
    }
}
