//! Whatever answers: a few rounds of the bounded engine, invariants for a share of the time, then the bounded engine with induction
//! and Horn clauses.
//!
//! Most programs have loops that end after a few rounds, or a violation in them: nothing is tried before that has been looked at, for
//! a tenth of the time and a few seconds at most.
//!
//! Loops that go round often are where the bounded engine never ends and invariants are quickly found, or never. So abstract
//! interpretation has a fifth of the time, and only if there are such loops and all of them can be cut. What it proves is not asked
//! again; the bounded engine has all the time that is left for the rest. Where its templates make no induction, clauses
//! are asked for better guesses, once for the same loops, for a part of the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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

/// The share of the time that the first rounds may take, and the most.
const FIRST: (f64, Duration) = (0.1, Duration::from_secs(3));

/// How far loops and recursion are unrolled at first.
const FIRST_BOUND: u32 = 16;

struct Auto {
    /// The first rounds of the bounded engine.
    first: bmc::Bmc,
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
        first: bmc::Bmc {
            options: bmc::Options {
                deepest: Some(FIRST_BOUND),
                ..options.clone()
            },
        },
        bounded: bmc::Bmc {
            options: bmc::Options {
                induction: true,
                inventor: Some(Arc::new(chc::Horn {
                    share: CLAUSES,
                    ..super::chc::horn(args)
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

/// The task, with a part of the time that is left, and no more than this.
fn within<'t>(task: &Task<'t>, share: f64, most: Duration) -> Task<'t> {
    let now = Instant::now();
    let left = task
        .limits
        .deadline
        .map(|deadline| deadline.saturating_duration_since(now).mul_f64(share));
    let time = left.map_or(most, |left| left.min(most));
    Task {
        limits: Limits {
            deadline: now.checked_add(time),
            ..task.limits
        },
        ..*task
    }
}

/// Is there nothing left to ask, and did somebody else look at what was proved?
fn answers(outcome: &Outcome, options: &bmc::Options) -> bool {
    let first = options.violations == bmc::Violations::First;
    if first && !outcome.violations.is_empty() {
        return true;
    }
    let settled = outcome.statuses.values().all(Status::is_settled);
    let alone = matches!(outcome.second, Some(SecondOpinion::Missing(_)));
    settled
        && outcome.reason.is_none()
        && outcome.gaps.is_empty()
        && outcome.unconfirmed.is_empty()
        && outcome.contradictions.is_empty()
        && !alone
}

/// Violations that were found before, and that nobody has found again.
fn remember(outcome: &mut Outcome, before: Vec<results::Violation>) {
    for violation in before {
        let obligation = violation.obligation;
        let mut known = outcome.violations.iter();
        if !known.any(|other| other.obligation == obligation) {
            outcome.statuses[obligation] = Status::Violated;
            outcome.violations.push(violation);
        }
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
        let mut before = Vec::new();
        if self.plain {
            // Without a loop, everything below begins with the same.
            if !ir::loop_names::of_module(task.module).is_empty() {
                let rounds = self
                    .first
                    .run_alone(&within(task, FIRST.0, FIRST.1), sink)?;
                if answers(&rounds, &self.first.options) && !scouts.have_found() {
                    return Ok(rounds);
                }
                before = rounds.violations;
            }
            let found = self
                .invariants
                .run(&within(task, SHARE, Duration::MAX), sink)?;
            // If an execution says otherwise, one of the two is wrong: the other engine compares them.
            if proves_all(&found) && before.is_empty() && !scouts.have_found() {
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
        remember(&mut outcome, before);
        Ok(outcome)
    }
}
