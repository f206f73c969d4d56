//! Right, wrong or unknown, and the score.
//!
//! A task is judged on its own property only. A violation of another property says nothing about it; a
//! violation of the right property in the wrong part (`valid-free` where `valid-deref` is expected) is
//! counted as unknown, as SV-COMP does.

use std::fmt;

use crate::answer::Verdict;
use crate::task::{Expected, Task};

/// The judgement on an answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Judgement {
    /// The verdict that is expected.
    Right,
    /// The opposite: the worst that can happen.
    Wrong,
    /// Neither.
    Unknown,
}

impl Judgement {
    /// Reads `right`, `wrong` or `unknown`.
    pub fn read(text: &str) -> Option<Judgement> {
        match text {
            "right" => Some(Judgement::Right),
            "wrong" => Some(Judgement::Wrong),
            "unknown" => Some(Judgement::Unknown),
            _ => None,
        }
    }

    /// The points of an answer to a task with that expected verdict.
    pub fn score(self, expected: Expected) -> i64 {
        match (self, expected) {
            (Judgement::Right, Expected::True) => 2,
            (Judgement::Right, Expected::False) => 1,
            (Judgement::Wrong, Expected::True) => -16,
            (Judgement::Wrong, Expected::False) => -32,
            (Judgement::Unknown, _) => 0,
        }
    }
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Judgement::Right => "right",
            Judgement::Wrong => "wrong",
            Judgement::Unknown => "unknown",
        })
    }
}

/// Judges an answer; the text is the reason why it is unknown, and empty otherwise.
pub fn judge(task: &Task, verdict: &Verdict) -> (Judgement, String) {
    let unknown = |reason: &str| (Judgement::Unknown, reason.to_owned());
    match (verdict, task.expected) {
        (Verdict::Unknown(reason) | Verdict::Error(reason), _) => unknown(reason),
        (Verdict::True, Expected::True) => (Judgement::Right, String::new()),
        (Verdict::True, Expected::False) => (Judgement::Wrong, String::new()),
        (Verdict::False(violation), _) if !task.property.is_violated_by(violation) => {
            unknown("other-property")
        }
        (Verdict::False(_), Expected::True) => (Judgement::Wrong, String::new()),
        (Verdict::False(violation), Expected::False) => match &task.subproperty {
            Some(part) if part != violation => unknown("subproperty"),
            _ => (Judgement::Right, String::new()),
        },
    }
}
