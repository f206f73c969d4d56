//! What a solver answers, and how it fails.

use std::fmt;

use terms::Model;

/// The answer of a check.
#[derive(Clone)]
pub enum Answer {
    /// The assertions and assumptions hold together, for instance under this model.
    Sat(Model),
    /// No model makes the assertions and assumptions true.
    Unsat,
    /// The solver does not know.
    Unknown(Reason),
}

impl Answer {
    /// The word that SMT-LIB has for this answer.
    pub fn word(&self) -> &'static str {
        match self {
            Answer::Sat(_) => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(_) => "unknown",
        }
    }
}

impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Sat(_) | Answer::Unsat => f.write_str(self.word()),
            Answer::Unknown(reason) => write!(f, "unknown({reason})"),
        }
    }
}

/// Why a solver does not know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// Another thread asked to stop.
    Interrupted,
    /// The solver gave up, for instance because its theory is undecidable.
    Incomplete(String),
    /// The solver failed: it crashed, or said what it must not say.
    Error(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Timeout => f.write_str("timeout"),
            Reason::Memory => f.write_str("memory"),
            Reason::Interrupted => f.write_str("interrupted"),
            Reason::Incomplete(detail) => write!(f, "incomplete: {detail}"),
            Reason::Error(detail) => write!(f, "error: {detail}"),
        }
    }
}

/// A question that got no answer at all.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SolveError {
    /// The back end gave an answer that was shown to be wrong: an internal error, whatever else it says.
    #[error("{backend} is unsound: {detail}")]
    Unsound {
        /// The back end.
        backend: String,
        /// What was wrong, in a sentence.
        detail: String,
    },
    /// The back end has no word for a term.
    #[error("{backend} cannot express {what}")]
    Unsupported {
        /// The back end.
        backend: String,
        /// The operator or sort.
        what: String,
    },
    /// The back end failed outside a check.
    #[error("{backend} failed: {message}")]
    Failed {
        /// The back end.
        backend: String,
        /// Its own words.
        message: String,
    },
    /// No back end has this name.
    #[error("unknown solver `{name}`; there are {known}")]
    UnknownBackend {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
}
