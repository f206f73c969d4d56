//! Whatever answers: a few rounds of the bounded engine, then proofs and a search for violations, side by side.
//!
//! Most programs have loops that end after a few rounds, or a violation in them: nothing is tried before that has been looked at, for
//! a tenth of the time and a moment at most.
//!
//! Then two parts have the rest of the time. The *proofs* ask abstract interpretation first, for a fifth of it, and only if there are
//! loops that go round often and all of them can be cut; then the bounded engine with induction and, where its templates
//! make none, with Horn clauses. What one has proved is not asked again. The *search* unrolls loops, deeper and deeper.
//! With two cores each part is a process of its own ([`crate::part`]), and whatever one of them settles is settled. On
//! one core they take turns in this process: the engine with induction unrolls as well.

use std::collections::BTreeSet;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use absint::{Absint, Effort};
use checks::registry::CheckId;
use results::verdict::Stop;
use results::{Ending, Engine, EngineError, Failure, Limits, Outcome, Reason, Sink, Task};

use self::merge::{
    adopt, adopt_settled, answers, hand_on, proves_all, referee, remember, together,
};
use self::reports::Reports;
use super::{Entry, bounded};
use crate::args::VerifyArgs;
use crate::part::Part;
use crate::pipeline::Program;

mod merge;
mod reports;

/// `--engine auto`.
pub const ENTRY: Entry = Entry {
    name: "auto",
    about: "Whatever answers",
    make,
};

/// The engine of invariants, by its name.
const ABSINT: &str = "absint";

/// The parts, by their names: the second one helps the first.
const PROOFS: &str = "proofs";
/// See [`PROOFS`].
const SEARCH: &str = "search";
/// Both.
const PARTS: [&str; 2] = [PROOFS, SEARCH];

/// The share of the time that invariants may take.
const SHARE: f64 = 0.2;

/// The share of the time that clauses may take, of what is left when induction has failed.
const CLAUSES: f64 = 0.3;

/// The share of the time that the first rounds may take, and the most: alone, and where parts come after them that begin anew.
const FIRST: (f64, Duration) = (0.1, Duration::from_secs(3));
/// See [`FIRST`].
const MOMENT: (f64, Duration) = (0.1, Duration::from_millis(500));

/// How far loops and recursion are unrolled at first.
const FIRST_BOUND: u32 = 16;

/// How long a part that has not ended in time is waited for.
const GRACE: Duration = Duration::from_millis(100);

struct Auto {
    /// The first rounds of the bounded engine; none where they were made before.
    first: Option<bmc::Bmc>,
    invariants: Absint,
    /// May invariants be tried?
    plain: bool,
    bounded: bmc::Bmc,
    /// What parts are told of the program; none if there are none.
    beside: Option<Beside>,
    /// Who had the last word.
    last: Mutex<&'static str>,
}

/// What parts are told of the program besides its text.
struct Beside {
    checks: BTreeSet<CheckId>,
    wraps: bool,
}

fn make(args: &VerifyArgs, program: &Program) -> Result<Box<dyn Engine>, Failure> {
    let mut auto = in_turns(args, program)?;
    let options = auto.bounded.options.clone();
    auto.first = Some(bmc::Bmc {
        options: bmc::Options {
            deepest: Some(FIRST_BOUND),
            induction: false,
            inventor: None,
            ..options
        },
    });
    if args.works_beside() {
        auto.beside = Some(Beside {
            checks: program.checks.clone(),
            wraps: program.wraps,
        });
    }
    Ok(Box::new(auto))
}

/// All of it one after the other, but for the first rounds.
fn in_turns(args: &VerifyArgs, program: &Program) -> Result<Auto, Failure> {
    let options = bounded::options(args, program)?;
    Ok(Auto {
        first: None,
        plain: is_plain(&options),
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
        beside: None,
        last: Mutex::new(bmc::KIND),
    })
}

/// A part by its name, for the process that is it.
pub fn part(name: &str, args: &VerifyArgs, program: &Program) -> Result<Box<dyn Engine>, Failure> {
    match name {
        PROOFS => Ok(Box::new(in_turns(args, program)?)),
        SEARCH => Ok(Box::new(Search(bmc::Bmc {
            options: bounded::options(args, program)?,
        }))),
        _ => Err(Failure::usage(format!("there is no part `{name}`"))),
    }
}

/// The bounded engine, without executions at random: the other part has them.
struct Search(bmc::Bmc);

impl Engine for Search {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn run(&self, task: &Task<'_>, sink: &Arc<dyn Sink>) -> Result<Outcome, EngineError> {
        self.0.run_alone(task, sink)
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

/// Nothing was settled on the command line that the cut program would not know.
fn is_plain(options: &bmc::Options) -> bool {
    options.unwind.is_none()
        && options.unwind_loops.is_empty()
        && options.depth.is_none()
        && options.style == bmc::Style::Eval
}

impl Auto {
    fn say_last(&self, name: &str) {
        let names = [ABSINT, bmc::KIND, bmc::BMC];
        if let Some(name) = names.into_iter().find(|known| *known == name) {
            *self.last.lock().expect("nobody panics with it") = name;
        }
    }

    /// The first rounds, if they answer; otherwise the violations that they found.
    fn begin(
        &self,
        task: &Task<'_>,
        scouts: &bmc::Scouts,
        sink: &Arc<dyn Sink>,
    ) -> Result<First, EngineError> {
        let Some(first) = &self.first else {
            return Ok(First::Open(Vec::new()));
        };
        let (share, most) = match self.beside {
            Some(_) => MOMENT,
            None => FIRST,
        };
        let rounds = first.run_alone(&within(task, share, most), sink)?;
        if answers(&rounds, &first.options) && !scouts.have_found() {
            return Ok(First::Answer(Box::new(rounds)));
        }
        Ok(First::Open(rounds.violations))
    }

    /// Invariants, then induction and clauses, in this process.
    fn prove(
        &self,
        task: &Task<'_>,
        scouts: bmc::Scouts,
        before: Vec<results::Violation>,
        sink: &Arc<dyn Sink>,
    ) -> Result<Outcome, EngineError> {
        let mut known = task.known.clone();
        let mut first_found = None;
        if self.plain {
            let found = self
                .invariants
                .run(&within(task, SHARE, Duration::MAX), sink)?;
            // If an execution says otherwise, one of the two is wrong: the other engine compares them.
            if proves_all(&found) && before.is_empty() && !scouts.have_found() {
                self.say_last(ABSINT);
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

    /// Both parts, each in a process of its own. The first one that answers has the last word; if none does, it is said what they
    /// have settled together.
    fn prove_beside(
        &self,
        task: &Task<'_>,
        beside: &Beside,
        before: Vec<results::Violation>,
        sink: &Arc<dyn Sink>,
    ) -> Result<Outcome, EngineError> {
        let share = Task {
            limits: Limits {
                memory: task.limits.memory.map(|memory| memory / PARTS.len() as u64),
                ..task.limits
            },
            ..*task
        };
        let (send, said) = channel();
        let mut parts = Vec::new();
        for (number, name) in PARTS.into_iter().enumerate() {
            let Beside { checks, wraps } = beside;
            let part = Part::start(number, name, &share, checks, *wraps, send.clone());
            let part =
                part.map_err(|error| EngineError(format!("cannot start a part: {error}")))?;
            parts.push(Reports::of(part, task, &beside.checks));
        }
        drop(send);
        let end = task.limits.deadline.and_then(|end| end.checked_add(GRACE));
        while parts.iter().any(|part| part.ending.is_none()) {
            let wait = end.map_or(Duration::from_secs(3600), |end| {
                end.saturating_duration_since(Instant::now())
            });
            let (number, message) = match said.recv_timeout(wait) {
                Ok(said) => said,
                Err(RecvTimeoutError::Timeout) if end.is_none() => continue,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            };
            let part = &mut parts[number];
            if let Some(outcome) = part.take(message, sink)
                && answers(outcome, &self.bounded.options)
            {
                let mut outcome = outcome.clone();
                self.say_last(&part.results.engine);
                for other in &parts {
                    remember(&mut outcome, other.results.outcome.violations.clone());
                }
                remember(&mut outcome, before);
                referee(task, &self.bounded.options, &mut outcome);
                return Ok(outcome);
            }
        }
        let mut outcome = self.together_at_last(parts)?;
        remember(&mut outcome, before);
        referee(task, &self.bounded.options, &mut outcome);
        Ok(outcome)
    }

    /// What the parts have settled, none of them everything.
    fn together_at_last(&self, parts: Vec<Reports>) -> Result<Outcome, EngineError> {
        // The first one that has had its last word speaks for both, or else one that is still at work.
        let mut parts = parts;
        parts.sort_by_key(|part| (!part.concluded, part.ending.is_some()));
        let all_crashed = parts
            .iter()
            .all(|part| !part.concluded && part.ending.is_some());
        let mut failed = None;
        let mut outcome: Option<Outcome> = None;
        for mut part in parts {
            let ending = part.ending.take();
            let ending = ending.unwrap_or(Ending::Stopped(Stop::Time));
            part.results.end(&ending);
            match &ending {
                Ending::Failed(failure) => {
                    failed.get_or_insert(EngineError(failure.message.clone()));
                }
                Ending::Crashed(how) if all_crashed => {
                    failed.get_or_insert(EngineError(how.clone()));
                }
                // What the other one says stands.
                Ending::Crashed(_) | Ending::Finished | Ending::Stopped(_) => {}
            }
            let name = match part.results.engine.as_str() {
                "" => bmc::BMC,
                name => name,
            };
            let found = part.results.outcome.clone();
            let Some(outcome) = &mut outcome else {
                self.say_last(name);
                outcome = Some(match part.concluded {
                    true => found,
                    false => Outcome {
                        reason: Some(Reason::Timeout),
                        ..found
                    },
                });
                continue;
            };
            match part.concluded {
                true => adopt(outcome, found, name, self.bounded.options.second.is_none()),
                false => {
                    adopt_settled(outcome, &part.results);
                    remember(outcome, found.violations);
                }
            }
        }
        let outcome = outcome.expect("there are parts");
        match failed {
            // Nobody has answered, and one of them might have.
            Some(failed) if !answers(&outcome, &self.bounded.options) => Err(failed),
            Some(_) | None => Ok(outcome),
        }
    }
}

/// What the first rounds bring.
enum First {
    /// Everything.
    Answer(Box<Outcome>),
    /// These violations.
    Open(Vec<results::Violation>),
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        *self.last.lock().expect("nobody panics with it")
    }

    fn run(&self, task: &Task<'_>, sink: &Arc<dyn Sink>) -> Result<Outcome, EngineError> {
        self.say_last(bmc::KIND);
        let scouts = self.bounded.send_scouts(task, sink);
        let loops = !ir::loop_names::of_module(task.module).is_empty();
        let mut before = Vec::new();
        // Without a loop, everything below begins with the same.
        if self.plain && loops {
            match self.begin(task, &scouts, sink)? {
                First::Answer(outcome) => return Ok(*outcome),
                First::Open(violations) => before = violations,
            }
        }
        match &self.beside {
            Some(beside) if self.plain && loops => {
                drop(scouts);
                self.prove_beside(task, beside, before, sink)
            }
            Some(_) | None => self.prove(task, scouts, before, sink),
        }
    }
}
