//! The answer for the program, and how the work on it ended.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::status::Reason;

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
    /// The work could not be done.
    Error(Failure),
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
                | Reason::Invariant
                | Reason::ExternPointer
                | Reason::Precondition(_)
                | Reason::Interrupted,
            )
            | Verdict::Vacuous => 5,
            Verdict::Error(failure) => failure.code,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => write!(f, "true"),
            Verdict::False(property) => write!(f, "false({property})"),
            Verdict::Unknown(Reason::Unsupported(_)) => write!(f, "unknown(unsupported)"),
            Verdict::Unknown(Reason::Precondition(_)) => write!(f, "unknown(precondition)"),
            Verdict::Unknown(Reason::Solver(_)) => write!(f, "unknown(solver)"),
            Verdict::Unknown(reason) => write!(f, "unknown({reason})"),
            Verdict::Vacuous => write!(f, "unknown(vacuous)"),
            Verdict::Error(failure) => write!(f, "error({})", failure.word()),
        }
    }
}

/// How the work on a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Everything was said.
    Finished,
    /// It could not be done.
    Failed(Failure),
    /// The process that did it died, and how.
    Crashed(String),
    /// A limit was reached, or it was stopped from outside.
    Stopped(Stop),
}

/// What ends the work from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// A signal.
    Interruption,
    /// All that was asked for is found.
    Enough,
}

impl Stop {
    /// Why there is no answer, then.
    pub fn reason(self) -> Reason {
        match self {
            Stop::Time => Reason::Timeout,
            Stop::Memory => Reason::Memory,
            Stop::Interruption | Stop::Enough => Reason::Interrupted,
        }
    }
}

/// Why a command could not do its work: an exit code and one sentence.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// One sentence.
    pub message: String,
}

impl Failure {
    /// With a code of the contract.
    pub fn new(code: u8, message: impl Into<String>) -> Failure {
        Failure {
            code,
            message: message.into(),
        }
    }

    /// The call is wrong.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::new(1, message)
    }

    /// The input cannot be used.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure::new(2, message)
    }

    /// Our fault.
    pub fn internal(message: impl Into<String>) -> Failure {
        Failure::new(6, message)
    }

    /// The word for `RESULT: error(…)`.
    pub fn word(&self) -> &'static str {
        match self.code {
            1 => "usage",
            2 => "input",
            _ => "internal",
        }
    }
}
