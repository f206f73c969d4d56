//! Violations that only undefined behaviour leads to.
//!
//! When `overflow` is not checked, signed arithmetic wraps, as it does on the machine. That is the
//! careful meaning for a proof. For a violation it is not: an execution that overflows a signed integer
//! on its way means nothing in C, and other verifiers, and compilers, may say that it does not exist.
//! So a violation counts only if an execution without such an overflow shows it. The counterexample at
//! hand is tried first; if it overflows, the engine looks for another one.
//!
//! Two stages do this. [`Monitored`] compiles the program once more, with monitors of signed overflow, if a violation
//! asks for it. [`Judge`] tries: it stands between the engine and whoever listens, in a thread of its own, so that the
//! engine goes on in the meantime.

use checks::registry::CheckId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ir::syntax::{Module, Obligation};
use results::engine::Question;
use results::{Failure, Message, Outcome, Reason, Sink, Stage, Status, Violation};

use crate::args::{AfterFailure, InputArgs, VerifyArgs};
use crate::only;
use crate::overflow;
use crate::pipeline::Program;
use crate::stories::Stories;

/// The check whose violations make later ones void.
const MONITOR: CheckId = CheckId::Overflow;

/// Stories are told only if so much time is left.
const HASTE: Duration = Duration::from_millis(1500);

/// LLVM goes through a program by recursion.
const STACK: usize = 1 << 28;

/// The checks whose violation nobody asks for in the program with monitors.
pub fn monitors() -> BTreeSet<CheckId> {
    BTreeSet::from([MONITOR])
}

/// The stage that compiles the program with monitors, when that is first asked for.
pub struct Monitored {
    args: VerifyArgs,
    /// Where the stage is told of.
    sink: Arc<dyn Sink>,
    made: Option<Result<Program, Failure>>,
}

impl Monitored {
    /// The stage, if a violation of this program could rest on an overflow.
    pub fn stage(args: &VerifyArgs, program: &Program, sink: &Arc<dyn Sink>) -> Option<Monitored> {
        is_possible(args, program).then(|| Monitored {
            // What is dumped and saved is the program that was asked for.
            args: VerifyArgs {
                input: InputArgs {
                    dump_after: None,
                    save: None,
                    ..args.input.clone()
                },
                ..args.clone()
            },
            sink: Arc::clone(sink),
            made: None,
        })
    }

    /// Compiles it if that was not yet done.
    fn run(&mut self) -> &Result<Program, Failure> {
        let (args, sink) = (&self.args, &self.sink);
        self.made.get_or_insert_with(|| {
            let start = Instant::now();
            let made = overflow::load(args, &[MONITOR]).and_then(|mut program| {
                only::restrict(args, &monitors(), &mut program)?;
                Ok(program)
            });
            sink.tell(Message::Stage(Stage {
                name: "monitors".to_owned(),
                time: start.elapsed(),
            }));
            made
        })
    }
}

/// Could a violation of this program rest on an overflow?
fn is_possible(args: &VerifyArgs, program: &Program) -> bool {
    let dumped = args
        .input
        .files
        .iter()
        .any(|file| file.extension().is_some_and(|extension| extension == "ir"));
    !program.checks.contains(&MONITOR)
        && !program.wraps
        && args.overflow.is_none()
        && !dumped
        && args.input.after_failure == AfterFailure::Stop
}

/// What is asked of the thread.
enum Task {
    /// Try a violation, and tell of it if it counts: at once, and once more when it is as simple as it can be made.
    Try(Box<Violation>),
    /// Say how simple it can be made, with its story.
    Tell(Box<Violation>, Sender<Result<Violation, Failure>>),
    /// Say whether a violation counts.
    Ask(Box<Violation>, Sender<Result<bool, Failure>>),
    /// Answer when everything before is done.
    Wait(Sender<Result<(), Failure>>),
    /// Hand over the program with monitors, and end.
    End(Sender<Result<Program, Failure>>),
}

/// The stage that judges violations.
pub struct Judge {
    tasks: Sender<Task>,
    sink: Arc<dyn Sink>,
    /// May a violation rest on an overflow?
    doubts: bool,
    stories: Stories,
}

impl Judge {
    /// A judge of the violations of a program, between its engine and this sink.
    pub fn start(
        args: &VerifyArgs,
        program: &Program,
        monitored: Option<Monitored>,
        sink: Arc<dyn Sink>,
    ) -> Judge {
        let (tasks, asked) = channel();
        let stories = Stories::wanted(args);
        let doubts = monitored.is_some();
        let thread = Thread {
            module: program.module.clone(),
            sink: Arc::clone(&sink),
            monitored,
            tried: BTreeMap::new(),
            stories: stories.clone(),
            told: BTreeMap::new(),
        };
        std::thread::Builder::new()
            .name("judge".to_owned())
            .stack_size(STACK)
            .spawn(move || thread.run(&asked))
            .expect("a thread can be started");
        Judge {
            tasks,
            sink,
            doubts,
            stories,
        }
    }

    /// Where the engine tells what it finds.
    pub fn sink(&self) -> Arc<dyn Sink> {
        Arc::new(Listening {
            tasks: Mutex::new(self.tasks.clone()),
            sink: Arc::clone(&self.sink),
        })
    }

    /// Makes the violations of an outcome as simple as they can be made in the time that is left, each with its story.
    pub fn tell(&self, program: &Program, outcome: &mut Outcome, deadline: Option<Instant>) {
        let mut obligations = program.module.obligations.values();
        let monitored = !self.doubts || obligations.any(|data| data.check == MONITOR);
        let violations = outcome.violations.iter_mut();
        let others = outcome.preconditions.iter_mut();
        for violation in violations.chain(others.map(|found| &mut found.violation)) {
            if deadline.is_some_and(|deadline| Instant::now() + HASTE > deadline) {
                return;
            }
            let asked = Box::new(violation.clone());
            *violation = match ask(&self.tasks, |answer| Task::Tell(asked, answer)) {
                Ok(told) => told,
                // It is gone with the monitors: without them nobody can say of another execution whether it counts.
                Err(_) => self
                    .stories
                    .tell(&program.module, violation, &|_| monitored),
            };
        }
    }

    /// What is left of an outcome, and of which program. For violations that rest on an overflow others are looked
    /// for in the program with monitors; if there are none, they are taken back.
    pub fn settle(
        &self,
        program: Program,
        mut outcome: Outcome,
        again: impl FnOnce(&Program) -> Result<Outcome, Failure>,
    ) -> Result<(Program, Outcome), Failure> {
        if !self.doubts {
            return Ok((program, outcome));
        }
        let tasks = &self.tasks;
        let (mut kept, mut undefined) = (Vec::new(), Vec::new());
        for violation in std::mem::take(&mut outcome.violations) {
            let asked = Box::new(violation.clone());
            match ask(tasks, |answer| Task::Ask(asked, answer))? {
                true => kept.push(violation),
                false => undefined.push(violation),
            }
        }
        outcome.violations = kept;
        if undefined.is_empty() {
            return Ok((program, outcome));
        }
        let mut monitored = ask(tasks, Task::End)?;
        monitored.checks.clone_from(&program.checks);
        let note = "executions without a signed overflow are meant";
        monitored.module.notes.push(note.to_owned());
        let other = again(&monitored)?;
        if other.violations.is_empty() {
            Ok((program, take_back(outcome, undefined, other)))
        } else {
            Ok((monitored, other))
        }
    }
}

/// An engine may end with an error, or panic: what it has found is judged all the same.
impl Drop for Judge {
    fn drop(&mut self) {
        let _ = ask(&self.tasks, Task::Wait);
    }
}

/// Asks the thread.
fn ask<T>(
    tasks: &Sender<Task>,
    task: impl FnOnce(Sender<Result<T, Failure>>) -> Task,
) -> Result<T, Failure> {
    let silent =
        || Failure::internal("the judgement of a violation under signed overflow panicked");
    let (answer, answered) = channel();
    tasks.send(task(answer)).map_err(|_| silent())?;
    answered.recv().map_err(|_| silent())?
}

/// Between an engine and its listeners: violations go to the judge.
struct Listening {
    tasks: Mutex<Sender<Task>>,
    sink: Arc<dyn Sink>,
}

impl Sink for Listening {
    fn tell(&self, message: Message) {
        match message {
            Message::Violation(violation) => {
                if let Ok(tasks) = self.tasks.lock() {
                    // If the thread is gone, whoever asks it later says so.
                    let _ = tasks.send(Task::Try(violation));
                }
            }
            other => self.sink.tell(other),
        }
    }

    fn show(&self, pass: &str, module: &Module) {
        self.sink.show(pass, module);
    }

    fn asked(&self, question: &Question<'_>) {
        self.sink.asked(question);
    }
}

/// What is known when no execution without an overflow was found for these violations, as far as the second
/// search came.
fn take_back(mut outcome: Outcome, undefined: Vec<Violation>, other: Outcome) -> Outcome {
    let settled = other.unconfirmed.is_empty() && other.contradictions.is_empty();
    let reason = match (settled, other.reason) {
        (false, _) => Reason::Unconfirmed,
        (true, Some(reason)) => reason,
        (true, None) => Reason::Undefined,
    };
    for violation in undefined {
        outcome.statuses[violation.obligation] = Status::Unknown(reason.clone());
    }
    if outcome.violations.is_empty() {
        outcome.reason = Some(reason);
        outcome.bounds = other.bounds;
        outcome.gaps = other.gaps;
    }
    outcome
}

struct Thread {
    module: Module,
    sink: Arc<dyn Sink>,
    /// None if every violation counts.
    monitored: Option<Monitored>,
    /// Which counterexamples were tried, by obligation, and what came of it.
    tried: BTreeMap<Obligation, bool>,
    stories: Stories,
    /// The stories that were told, by obligation.
    told: BTreeMap<Obligation, Violation>,
}

impl Thread {
    fn run(mut self, tasks: &Receiver<Task>) {
        for task in tasks {
            // An answer that nobody waits for any more is not needed.
            match task {
                Task::Try(violation) => {
                    if let Ok(true) = self.counts(&violation) {
                        self.sink.tell(Message::Violation(violation.clone()));
                        let told = self.tell(&violation);
                        if told.story.is_some() {
                            self.sink.tell(Message::Violation(Box::new(told)));
                        }
                    }
                }
                Task::Tell(violation, answer) => {
                    let _ = answer.send(Ok(self.tell(&violation)));
                }
                Task::Ask(violation, answer) => {
                    let _ = answer.send(self.counts(&violation));
                }
                Task::Wait(answer) => {
                    let _ = answer.send(Ok(()));
                }
                Task::End(answer) => {
                    if let Some(monitored) = &mut self.monitored {
                        monitored.run();
                        let made = monitored.made.take().expect("it was made just now");
                        let _ = answer.send(made);
                    }
                    return;
                }
            }
        }
    }

    /// Does the counterexample show its violation without an overflow? An obligation has one
    /// counterexample, which is tried once.
    fn counts(&mut self, violation: &Violation) -> Result<bool, Failure> {
        if let Some(known) = self.tried.get(&violation.obligation) {
            return Ok(*known);
        }
        let Some(monitored) = &mut self.monitored else {
            return Ok(true);
        };
        let monitored = monitored.run().as_ref().map_err(Clone::clone)?;
        let counts = is_defined(&self.module, &monitored.module, violation);
        self.tried.insert(violation.obligation, counts);
        Ok(counts)
    }

    /// A violation as simple as it can be made, with its story. It is told once for each obligation.
    fn tell(&mut self, violation: &Violation) -> Violation {
        if let Some(told) = self.told.get(&violation.obligation) {
            return told.clone();
        }
        let monitored = match &mut self.monitored {
            None => None,
            Some(monitored) => match monitored.run() {
                Ok(made) => Some(&made.module),
                Err(_) => return violation.clone(),
            },
        };
        let module = &self.module;
        let counts = |candidate: &Violation| {
            monitored.is_none_or(|monitored| is_defined(module, monitored, candidate))
        };
        let told = self.stories.tell(module, violation, &counts);
        self.told.insert(violation.obligation, told.clone());
        told
    }
}

/// Does the counterexample violate the same obligation in the program with monitors?
fn is_defined(program: &Module, monitored: &Module, violation: &Violation) -> bool {
    let data = &program.obligations[violation.obligation];
    let same = monitored.obligations.iter().find(|(_, other)| {
        (&other.func, &other.check, other.ordinal) == (&data.func, &data.check, data.ordinal)
    });
    let Some((obligation, _)) = same else {
        return false;
    };
    let names = |global| &program.globals[global].name;
    let globals = violation.globals.iter().filter_map(|choice| {
        let name = names(choice.global);
        let (global, _) = monitored
            .globals
            .iter()
            .find(|(_, data)| data.name == *name)?;
        Some(interp::config::GlobalChoice {
            global,
            ..choice.clone()
        })
    });
    let config = interp::Config {
        globals: globals.collect(),
        unknown: violation.unknown.clone(),
        step_limit: 1 << 30,
        ..interp::Config::default()
    };
    let replay = interp::replay::replay_with(monitored, &violation.trace, obligation, &config);
    replay.confirmed
}
