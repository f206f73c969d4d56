//! How a run ends.

use std::fmt;

use base::Map;
use ir::syntax::Obligation;
pub use results::explanation::Failure;
use results::trace::Trace;

use crate::choices::Refusal;
use crate::explain::Explanation;
use crate::value::Value;

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The entry function returned these results.
    Returned(Vec<Value>),
    /// `exit`; the code if the host's function was called.
    Exited(Option<i32>),
    /// `abort`.
    Aborted,
    /// An obligation was violated, and the run was to stop there.
    Violated(Box<Failure>),
    /// An assumption did not hold: the execution does not count.
    AssumeFailed,
    /// The step limit.
    StepLimit,
    /// Activations nested too deeply.
    DepthLimit,
    /// The memory limit, or the end of the address space.
    MemoryLimit(String),
    /// The source of choices could not go on.
    Refused(Refusal),
    /// The program did what Raw gives no meaning to: a call of a function without a body that the
    /// host does not have, or through a pointer to no function.
    Stuck(Box<Explanation>),
    /// An inconsistency of the IR: our bug, not the program's.
    Error(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Returned(_) => write!(f, "returned"),
            Outcome::Exited(None) => write!(f, "exited"),
            Outcome::Exited(Some(code)) => write!(f, "exited with {code}"),
            Outcome::Aborted => write!(f, "aborted"),
            Outcome::Violated(failure) => write!(f, "violated {}", failure.obligation),
            Outcome::AssumeFailed => write!(f, "an assumption does not hold"),
            Outcome::StepLimit => write!(f, "the step limit was reached"),
            Outcome::DepthLimit => write!(f, "calls are nested too deeply"),
            Outcome::MemoryLimit(why) => write!(f, "{why}"),
            Outcome::Refused(refusal) => write!(f, "{refusal}"),
            Outcome::Stuck(explanation) => write!(f, "stuck: {}", explanation.sentence),
            Outcome::Error(why) => write!(f, "internal error: {why}"),
        }
    }
}

/// A finished run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// The violated obligations in the order of the execution, each once.
    pub failures: Vec<Failure>,
    /// The obligations that it came to.
    pub met: Map<Obligation, bool>,
    /// Its choices, if they were recorded.
    pub trace: Trace,
    /// Instructions executed.
    pub steps: u64,
    /// Choices made.
    pub choices: u64,
    /// Did it look at addresses in a way that other layouts of memory may answer differently? Only if
    /// that was to be noted.
    pub looked: bool,
    /// How often it took each way at a branch, by a hash of the way ([`WAYS`](crate::WAYS) of them), up to 255 times;
    /// empty unless that was to be noted.
    pub ways: Vec<u8>,
}
