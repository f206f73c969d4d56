//! Violations that only undefined behaviour leads to.
//!
//! When `overflow` is not checked, signed arithmetic wraps, as it does on the machine. That is the
//! careful meaning for a proof. For a violation it is not: an execution that overflows a signed integer
//! on its way means nothing in C, and other verifiers, and compilers, may say that it does not exist.
//! So a violation counts only if an execution without such an overflow shows it. The counterexample at
//! hand is tried first; if it overflows, the engine looks for another one.

use std::collections::BTreeSet;

use checks::verdict::{Reason, Status};
use interp::config::Volatile;
use ir::syntax::Module;

use crate::args::{AfterFailure, VerifyArgs};
use crate::failure::Failure;
use crate::pipeline::{self, Program};

/// The check whose violations make later ones void.
const MONITOR: &str = "overflow";

/// Could a violation of this program rest on an overflow?
pub fn is_possible(args: &VerifyArgs, program: &Program) -> bool {
    let flags = args.input.cflags.as_deref().unwrap_or("");
    let wraps = flags.split_whitespace().any(|flag| flag == "-fwrapv");
    let dumped = args
        .input
        .files
        .iter()
        .any(|file| file.extension().is_some_and(|extension| extension == "ir"));
    !program.checks.contains(MONITOR)
        && !wraps
        && !dumped
        && args.input.after_failure == AfterFailure::Stop
}

/// The program with monitors.
pub fn monitored(args: &VerifyArgs) -> Result<Program, Failure> {
    let mut program = pipeline::load_with(&args.input, frontend::Stdio::Modelled, &[MONITOR])?;
    program.lower(&args.input)?;
    program.purify(&args.input)?;
    Ok(program)
}

/// What is left of an outcome with violations.
pub enum Judged {
    /// The outcome, with violations that rest on an overflow taken back.
    Same(bmc::Outcome),
    /// Violations without overflow, found in the program with monitors.
    Other(Box<Program>, bmc::Outcome),
}

/// Judges the violations of an outcome.
pub fn judge(
    args: &VerifyArgs,
    program: &Program,
    options: &bmc::Options,
    mut outcome: bmc::Outcome,
    teller: impl Fn(&Program) -> bmc::OnViolation,
) -> Result<Judged, Failure> {
    let monitored = monitored(args)?;
    let (kept, doubtful): (Vec<_>, Vec<_>) = std::mem::take(&mut outcome.violations)
        .into_iter()
        .partition(|violation| is_defined(&program.module, &monitored.module, violation));
    outcome.violations = kept;
    if doubtful.is_empty() {
        return Ok(Judged::Same(outcome));
    }
    let options = bmc::Options {
        monitors: BTreeSet::from([MONITOR.to_owned()]),
        on_violation: Some(teller(&monitored)),
        ..options.clone()
    };
    let other = bmc::check(&monitored.module, &options)
        .map_err(|error| Failure::internal(error.to_string()))?;
    if !other.violations.is_empty() {
        return Ok(Judged::Other(Box::new(monitored), other));
    }
    for violation in doubtful {
        outcome.statuses[violation.obligation] = Status::Unknown(Reason::Undefined);
    }
    if outcome.violations.is_empty() {
        outcome.reason = Some(Reason::Undefined);
    }
    Ok(Judged::Same(outcome))
}

/// Does the counterexample violate the same obligation in the program with monitors?
pub fn is_defined(program: &Module, monitored: &Module, violation: &bmc::Violation) -> bool {
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
        volatile: Volatile::Memory,
        step_limit: 1 << 30,
        ..interp::Config::default()
    };
    let replay = interp::replay::replay_with(monitored, &violation.trace, obligation, &config);
    replay.confirmed
}
