//! Executions at random: they prove nothing, and go where evaluation does not come in time.
//!
//! A bug behind a loop of a hundred thousand rounds is out of reach for terms, and often on every way
//! through the loop. So a thread executes the program while the engine works, if that takes longer than a
//! moment, and for a small share of the time. Inputs are small, or equal, or constants that the program
//! compares with: what makes programs go on; or those of an earlier execution that came somewhere new, with some changes
//! (`steer.rs`). An execution that violates an obligation is a counterexample
//! like any other, unless a value on its way is known only roughly or was read outside of every object.
//!
//! Whatever the time, a few short ones referee every proof.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use base::Map;
use interp::choices::{Fill, Recorded};
use interp::config::Ways;
use interp::observe::{Asked, Observer};
use interp::{Bindings, Config, Outcome, Run};
use ir::syntax::{Module, NondetKind, Obligation, PlaceId};
use results::trace::{Event, Trace};
use results::{Claim, Message, Sink, Violation};
use solve::Interrupt;

use crate::extern_pointers::has_unknown_memory;
use crate::habits::{Constants, Habits};
use crate::steer::Pool;
use crate::{Options, Violations};

/// Executions do not go deep, but whoever is told of a violation may.
const STACK: usize = 1 << 28;
/// What passes before the first execution: most programs are done by then.
const DELAY: Duration = Duration::from_millis(100);
/// For each unit of time with executions, so many without.
const PAUSE: u32 = 2;
/// How long executions go on before a pause.
const BURST: Duration = Duration::from_millis(50);

/// Steps of an execution, at first and at most.
const FIRST_STEPS: u64 = 1 << 16;
const MOST_STEPS: u64 = 1 << 28;
/// Executions that are cut off before the limit of steps is raised.
const CUT_OFF: u32 = 10;

/// What memory that belongs to no object holds.
const FILL: u64 = 0x5e1f;

/// Executions that referee a proof, and their steps.
const REFEREES: u64 = 16;
const REFEREE_STEPS: u64 = 1 << 15;

/// What a few executions met.
pub(crate) struct Executions {
    /// The violation that one of them ended with.
    pub(crate) violation: Option<Violation>,
    /// The obligations that they came to.
    pub(crate) met: Map<Obligation, bool>,
}

/// A few short executions, as a referee of a proof. A proof is one for whatever a model knows only
/// roughly, so that nothing speaks for an execution that breaks it.
pub(crate) fn referee(
    module: &Module,
    unknown: bool,
    counts: impl Fn(Obligation) -> bool,
) -> Executions {
    let config = config(REFEREE_STEPS, unknown);
    let constants = Constants::of(module);
    let mut made = Executions {
        violation: None,
        met: Map::filled(false, module.obligations.len()),
    };
    for number in 0..REFEREES {
        let mut choices = Habits::new(number, &constants);
        let run = interp::run(module, &config, Bindings::new(&mut choices));
        let only = run.outcome != Outcome::StepLimit && !chooses(&run.trace);
        for (obligation, _) in run.met.iter().filter(|&(_, &met)| met) {
            made.met[obligation] = true;
        }
        if let Outcome::Violated(failure) = run.outcome
            && made.violation.is_none()
            && counts(failure.obligation)
        {
            made.violation = Some(Violation {
                obligation: failure.obligation,
                claim: Claim::of(module, failure.obligation),
                trace: run.trace,
                globals: Vec::new(),
                unknown: config.unknown.clone(),
                failure: *failure,
                story: None,
            });
        }
        if only {
            break;
        }
    }
    made
}

/// What is looked for.
pub(crate) struct Wanted {
    /// The obligations whose violation counts.
    pub(crate) obligations: Map<Obligation, bool>,
    /// Is there memory that belongs to no object?
    pub(crate) unknown: bool,
    /// Is the first one all?
    pub(crate) violations: Violations,
    /// Who is told at once.
    pub(crate) sink: Arc<dyn Sink>,
}

/// Executions that have begun. They end when nobody waits for them any more.
pub struct Scouts(pub(crate) Sampler);

impl Scouts {
    /// Nobody executes anything.
    pub(crate) fn none() -> Scouts {
        Scouts(Sampler::idle())
    }

    /// Begins to execute a program. Where executions go on after a violation, there are none.
    pub(crate) fn send(module: &Module, options: &Options, sink: &Arc<dyn Sink>) -> Scouts {
        if options.continue_after_failure {
            return Scouts(Sampler::idle());
        }
        let wanted = Wanted {
            obligations: module
                .obligations
                .values()
                .map(|data| {
                    let asked = data.check.check().property.is_some();
                    asked && !options.monitors.contains(&data.check)
                })
                .collect(),
            unknown: has_unknown_memory(module),
            violations: options.violations,
            sink: Arc::clone(sink),
        };
        Scouts(Sampler::start(module, wanted))
    }

    /// Has one of them met a violation?
    pub fn have_found(&self) -> bool {
        self.0.any.load(Ordering::Relaxed)
    }
}

/// The thread that executes.
pub(crate) struct Sampler {
    found: Receiver<Violation>,
    stop: Arc<AtomicBool>,
    /// Was anything found?
    any: Arc<AtomicBool>,
    /// Stops the engine's solvers when nothing more is wanted.
    pub(crate) interrupt: Interrupt,
}

impl Sampler {
    /// Begins; the first execution comes later.
    pub(crate) fn start(module: &Module, wanted: Wanted) -> Sampler {
        let (send, found) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let interrupt = Interrupt::default();
        let any = Arc::new(AtomicBool::new(false));
        let (flag, interrupts) = (Arc::clone(&stop), interrupt.clone());
        let module = module.clone();
        let mut thread = Thread {
            module,
            wanted,
            send,
            stop: flag,
            any: Arc::clone(&any),
            interrupt: interrupts,
        };
        // Nobody waits for it: an execution may be long.
        std::thread::Builder::new()
            .name("samples".to_owned())
            .stack_size(STACK)
            .spawn(move || thread.run())
            .expect("a thread can be started");
        Sampler {
            found,
            stop,
            any,
            interrupt,
        }
    }

    /// A sampler that never finds anything.
    pub(crate) fn idle() -> Sampler {
        Sampler {
            found: channel().1,
            stop: Arc::default(),
            any: Arc::default(),
            interrupt: Interrupt::default(),
        }
    }

    /// What was found since the last time.
    pub(crate) fn take(&self) -> Vec<Violation> {
        self.found.try_iter().collect()
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

struct Thread {
    module: Module,
    wanted: Wanted,
    send: Sender<Violation>,
    stop: Arc<AtomicBool>,
    any: Arc<AtomicBool>,
    interrupt: Interrupt,
}

impl Thread {
    fn run(&mut self) {
        self.rest(DELAY);
        let constants = Constants::of(&self.module);
        let (mut steps, mut cut_off) = (FIRST_STEPS, 0);
        let mut number = 0;
        let mut pool = Pool::default();
        while !self.is_over() {
            let burst = Instant::now();
            while burst.elapsed() < BURST && !self.is_over() {
                let habits = Habits::new(number / 2, &constants);
                number += 1;
                let mut choices = pool.next(number, habits);
                let mut run = interp::run(
                    &self.module,
                    &self.config(steps),
                    Bindings::new(&mut choices),
                );
                pool.learn(&mut run);
                if run.outcome == Outcome::StepLimit {
                    cut_off += 1;
                    if cut_off > CUT_OFF && steps < MOST_STEPS {
                        (steps, cut_off) = (steps * 8, 0);
                    }
                }
                // The only execution that there is?
                let only = run.outcome != Outcome::StepLimit && !chooses(&run.trace);
                self.look_at(run, steps);
                if only {
                    return;
                }
            }
            self.rest(burst.elapsed() * PAUSE);
        }
    }

    fn config(&self, steps: u64) -> Config {
        config(steps, self.wanted.unknown)
    }

    fn is_over(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sleeps, but not beyond the end.
    fn rest(&self, time: Duration) {
        let start = Instant::now();
        while start.elapsed() < time && !self.is_over() {
            std::thread::sleep(Duration::from_millis(10).min(time));
        }
    }

    /// Hands over the violation that an execution met, if it is new and nothing speaks against it.
    fn look_at(&mut self, run: Run, steps: u64) {
        let Outcome::Violated(failure) = run.outcome else {
            return;
        };
        let obligation = failure.obligation;
        if !self.wanted.obligations[obligation] {
            return;
        }
        let mut rough = Rough::default();
        let mut choices = Recorded::new(&run.trace);
        let bindings = Bindings {
            observer: Some(&mut rough),
            ..Bindings::new(&mut choices)
        };
        let config = self.config(steps);
        let again = interp::run(&self.module, &config, bindings).outcome;
        let same = matches!(again, Outcome::Violated(again) if again.obligation == obligation);
        if !same || rough.any {
            return;
        }
        self.wanted.obligations[obligation] = false;
        let violation = Violation {
            obligation,
            claim: Claim::of(&self.module, obligation),
            trace: run.trace,
            globals: Vec::new(),
            unknown: config.unknown,
            failure: *failure,
            story: None,
        };
        self.any.store(true, Ordering::Relaxed);
        let told = Box::new(violation.clone());
        self.wanted.sink.tell(Message::Violation(told));
        let enough = self.wanted.violations == Violations::First
            || !self.wanted.obligations.values().any(|&wanted| wanted);
        if self.send.send(violation).is_ok() && enough {
            self.interrupt.set();
        }
    }
}

/// Was anything chosen that matters?
fn chooses(trace: &Trace) -> bool {
    trace.events.iter().any(|event| match event {
        Event::Object { bytes, .. } => !bytes.is_empty(),
        Event::Value(_) | Event::Bytes(_) | Event::Clobber(_) => true,
    })
}

/// How executions at random go.
pub(crate) fn config(step_limit: u64, unknown: bool) -> Config {
    Config {
        step_limit,
        unknown: unknown.then_some(Fill::Seeded(FILL)),
        memory_limit: 1 << 28,
        ways: Ways::Noted,
        ..Config::default()
    }
}

/// What was chosen that an honest counterexample does without.
#[derive(Default)]
struct Rough {
    any: bool,
}

impl Observer for Rough {
    fn choice(&mut self, asked: Asked, _event: &Event, _place: Option<PlaceId>) {
        self.any |= match asked {
            Asked::Nondet(NondetKind::Approx) | Asked::Outside => true,
            Asked::Nondet(
                NondetKind::Input | NondetKind::Extern | NondetKind::Uninit | NondetKind::Undef,
            )
            | Asked::Volatile
            | Asked::Alloc
            | Asked::Scope
            | Asked::Bytes
            | Asked::Clobber => false,
        };
    }
}
