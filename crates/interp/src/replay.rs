//! Running a recorded execution again: is a counterexample one?

use ir::syntax::{Module, Obligation};
use results::trace::Trace;

use crate::choices::Recorded;
use crate::config::{AfterFailure, Config};
use crate::outcome::{Outcome, Run};
use crate::{Bindings, run};

/// Steps after which [`replay`] gives up: a loop without choices need not end.
const STEPS: u64 = 1 << 30;

/// How a replay went.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay {
    /// Did the execution violate the expected obligation, and none before it that ends executions?
    pub confirmed: bool,
    /// Events that were not used; a violation before the end of a trace is one all the same.
    pub unused: usize,
    /// The run: its outcome says why a trace is not confirmed.
    pub run: Run,
}

/// Runs a trace and tells whether the first violated obligation is the expected one. Strict: an
/// event of another kind than the execution asks for, or none, ends the run unconfirmed.
pub fn replay(module: &Module, trace: &Trace, expected: Obligation) -> Replay {
    let config = Config {
        step_limit: STEPS,
        ..Config::default()
    };
    replay_with(module, trace, expected, &config)
}

/// Like [`replay`], with limits or choices about globals. If executions go on after a failure, the
/// expected one need not be the first.
pub fn replay_with(
    module: &Module,
    trace: &Trace,
    expected: Obligation,
    config: &Config,
) -> Replay {
    let mut choices = Recorded::new(trace);
    let run = run(module, config, Bindings::new(&mut choices));
    let met = run
        .failures
        .iter()
        .any(|failure| failure.obligation == expected);
    let confirmed = match &run.outcome {
        _ if config.after_failure == AfterFailure::Continue => met,
        Outcome::Violated(failure) => failure.obligation == expected,
        Outcome::Returned(_)
        | Outcome::Exited(_)
        | Outcome::Aborted
        | Outcome::AssumeFailed
        | Outcome::StepLimit
        | Outcome::DepthLimit
        | Outcome::MemoryLimit(_)
        | Outcome::Refused(_)
        | Outcome::Stuck(_)
        | Outcome::Error(_) => false,
    };
    Replay {
        confirmed,
        unused: trace.events.len() - choices.used(),
        run,
    }
}
