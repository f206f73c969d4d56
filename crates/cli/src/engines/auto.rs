//! Whatever answers: invariants for a share of the time, then the bounded engine with induction.
//!
//! Loops that go round often are where the bounded engine never ends and invariants are quickly found, or never. So abstract
//! interpretation has a fifth of the time, and only if there are such loops and all of them can be cut. What it says counts if it
//! settles everything; otherwise the bounded engine begins anew, with all the time that is left.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use absint::{Absint, Effort};
use results::{Engine, EngineError, Failure, Limits, Outcome, Sink, Status, Task};

use super::{Entry, bounded};
use crate::args::VerifyArgs;
use crate::pipeline::Program;

/// `--engine auto`.
pub const ENTRY: Entry = Entry {
    name: "auto",
    about: "Whatever answers",
    make,
};

/// The share of the time that invariants may take.
const SHARE: f64 = 0.2;

struct Auto {
    invariants: Absint,
    /// May invariants be tried?
    plain: bool,
    bounded: Box<dyn Engine>,
    /// Did invariants settle everything?
    by_invariants: AtomicBool,
}

fn make(args: &VerifyArgs, program: &Program) -> Result<Box<dyn Engine>, Failure> {
    let options = bounded::options(args, program)?;
    Ok(Box::new(Auto {
        plain: is_plain(&options),
        bounded: (bounded::KIND.make)(args, program)?,
        invariants: Absint {
            options,
            effort: Effort::Quick,
        },
        by_invariants: AtomicBool::new(false),
    }))
}

/// Is everything proved, and nothing open?
fn proves_all(outcome: &Outcome) -> bool {
    let proved = outcome.statuses.values().all(|status| match status {
        Status::Proved | Status::Unreachable | Status::Vacuous => true,
        Status::ProvedBounded(_) | Status::Violated | Status::Unknown(_) => false,
    });
    proved && outcome.reason.is_none() && outcome.gaps.is_empty()
}

/// Nothing was settled on the command line that the cut program would not know.
fn is_plain(options: &bmc::Options) -> bool {
    options.unwind.is_none()
        && options.unwind_loops.is_empty()
        && options.depth.is_none()
        && options.style == bmc::Style::Eval
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        if self.by_invariants.load(Ordering::Relaxed) {
            "absint"
        } else {
            self.bounded.name()
        }
    }

    fn run(&self, task: &Task<'_>, sink: &Arc<dyn Sink>) -> Result<Outcome, EngineError> {
        self.by_invariants.store(false, Ordering::Relaxed);
        if self.plain {
            let now = Instant::now();
            let deadline = task.limits.deadline.map(|deadline| {
                let left = deadline.saturating_duration_since(now);
                now + left.mul_f64(SHARE)
            });
            let first = Task {
                limits: Limits {
                    deadline,
                    ..task.limits
                },
                ..*task
            };
            let found = self.invariants.run(&first, sink)?;
            if proves_all(&found) {
                self.by_invariants.store(true, Ordering::Relaxed);
                return Ok(found);
            }
        }
        self.bounded.run(task, sink)
    }
}
