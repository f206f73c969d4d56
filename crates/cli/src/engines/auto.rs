//! Whatever answers: invariants for a share of the time, then the bounded engine with induction and Horn clauses.
//!
//! Loops that go round often are where the bounded engine never ends and invariants are quickly found, or never. So abstract
//! interpretation has a fifth of the time, and only if there are such loops and all of them can be cut. What it proves is not asked
//! again; the bounded engine has all the time that is left for the rest. Where its templates make no induction, clauses
//! are asked for better guesses, once for the same loops, for a part of the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use absint::{Absint, Effort};
use results::{
    Engine, EngineError, Failure, Known, Layouts, Limits, Message, Outcome, SecondOpinion, Settled,
    Sink, Status, Task,
};

use super::{Entry, bounded};
use crate::args::VerifyArgs;
use crate::pipeline::Program;

/// `--engine auto`.
pub const ENTRY: Entry = Entry {
    name: "auto",
    about: "Whatever answers",
    make,
};

/// The engine of invariants, by its name.
const ABSINT: &str = "absint";

/// The share of the time that invariants may take.
const SHARE: f64 = 0.2;

/// The share of the time that clauses may take, of what is left when induction has failed.
const CLAUSES: f64 = 0.3;

struct Auto {
    invariants: Absint,
    /// May invariants be tried?
    plain: bool,
    bounded: bmc::Bmc,
    /// Did invariants settle everything?
    by_invariants: AtomicBool,
}

fn make(args: &VerifyArgs, program: &Program) -> Result<Box<dyn Engine>, Failure> {
    let options = bounded::options(args, program)?;
    Ok(Box::new(Auto {
        plain: is_plain(&options),
        bounded: bmc::Bmc {
            options: bmc::Options {
                induction: true,
                inventor: Some(Arc::new(chc::Horn {
                    share: CLAUSES,
                    ..super::chc::HORN
                })),
                ..options.clone()
            },
        },
        invariants: Absint {
            options,
            effort: Effort::Quick,
            choice: super::absint::choice(args),
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

/// What invariants have proved, each for itself, is known from now on: a proof rests on nothing but facts that were proved with it.
fn hand_on(task: &Task<'_>, found: &Outcome, known: &mut Known, sink: &dyn Sink) {
    if matches!(found.second, Some(SecondOpinion::Missing(_))) {
        return;
    }
    let mut list = Vec::new();
    for (obligation, status) in found.statuses.iter() {
        let proved = match status {
            Status::Proved | Status::Unreachable | Status::Vacuous => true,
            Status::ProvedBounded(_) | Status::Violated | Status::Unknown(_) => false,
        };
        let check = &task.module.obligations[obligation].check;
        if proved && !task.monitors.contains(check) {
            let settled = Settled {
                status: status.clone(),
                by: ABSINT.to_owned(),
                rests_on: Vec::new(),
            };
            known.settle(obligation, settled.clone());
            list.push((obligation, settled));
        }
    }
    if !list.is_empty() {
        sink.tell(Message::Settled(list));
    }
}

/// The outcome of both: who settled what, and what that rests on.
fn together(outcome: &mut Outcome, found: &Outcome, known: &Known) {
    // Nothing here has a condition, so that no program has to be named.
    let first = known.grounded("").settled;
    let mut any = false;
    for (&obligation, settled) in &first {
        if outcome.statuses[obligation] == settled.status {
            outcome.by.insert(obligation, settled.by.clone());
            any = true;
        }
    }
    if !any {
        return;
    }
    outcome.invariants.clone_from(&found.invariants);
    if outcome.layouts == Layouts::NotAsked && found.layouts == Layouts::All {
        outcome.layouts = Layouts::All;
    }
    if outcome.second == Some(SecondOpinion::Folded) {
        outcome.second.clone_from(&found.second);
    }
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
            ABSINT
        } else {
            self.bounded.name()
        }
    }

    fn run(&self, task: &Task<'_>, sink: &Arc<dyn Sink>) -> Result<Outcome, EngineError> {
        self.by_invariants.store(false, Ordering::Relaxed);
        let mut known = task.known.clone();
        let mut first_found = None;
        let scouts = self.bounded.send_scouts(task, sink);
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
            // If an execution says otherwise, one of the two is wrong: the other engine compares them.
            if proves_all(&found) && !scouts.have_found() {
                self.by_invariants.store(true, Ordering::Relaxed);
                return Ok(found);
            }
            hand_on(task, &found, &mut known, &**sink);
            first_found = Some(found);
        }
        let rest = Task {
            known: &known,
            ..*task
        };
        let mut outcome = self.bounded.follow(scouts, &rest, sink)?;
        if let Some(found) = first_found {
            together(&mut outcome, &found, &known);
        }
        Ok(outcome)
    }
}
