//! Violations that only undefined behaviour leads to.
//!
//! When `overflow` is not checked, signed arithmetic wraps, as it does on the machine. That is the
//! careful meaning for a proof. For a violation it is not: an execution that overflows a signed integer
//! on its way means nothing in C, and other verifiers, and compilers, may say that it does not exist.
//! So a violation counts only if an execution without such an overflow shows it. The counterexample at
//! hand is tried first; if it overflows, the engine looks for another one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock};

use checks::verdict::{Reason, Status};
use ir::syntax::{Module, Obligation};

use crate::args::{AfterFailure, InputArgs, VerifyArgs};
use crate::failure::Failure;
use crate::pipeline::{self, Program};

/// The check whose violations make later ones void.
const MONITOR: &str = "overflow";

/// Could a violation of this program rest on an overflow?
pub fn is_possible(args: &VerifyArgs, program: &Program) -> bool {
    let dumped = args
        .input
        .files
        .iter()
        .any(|file| file.extension().is_some_and(|extension| extension == "ir"));
    !program.checks.contains(MONITOR)
        && !program.wraps
        && !dumped
        && args.input.after_failure == AfterFailure::Stop
}

/// The program with monitors, made when it is first needed.
pub struct Monitored {
    input: InputArgs,
    program: OnceLock<Result<Program, Failure>>,
    /// Which counterexamples were tried, by obligation, and what came of it.
    tried: Mutex<BTreeMap<Obligation, bool>>,
}

impl Monitored {
    /// For the program of a command.
    pub fn new(args: &VerifyArgs) -> Monitored {
        // What is dumped and saved is the program that was asked for.
        let input = InputArgs {
            dump_after: None,
            save: None,
            ..args.input.clone()
        };
        Monitored {
            input,
            program: OnceLock::new(),
            tried: Mutex::default(),
        }
    }

    fn program(&self) -> Result<&Program, Failure> {
        let load = || {
            let mut program =
                pipeline::load_with(&self.input, frontend::Stdio::Modelled, &[MONITOR])?;
            program.lower(&self.input)?;
            program.purify(&self.input)?;
            Ok(program)
        };
        self.program
            .get_or_init(load)
            .as_ref()
            .map_err(Clone::clone)
    }

    /// Does the counterexample show its violation without an overflow? An obligation has one
    /// counterexample, which is tried once.
    pub fn confirms(&self, program: &Module, violation: &bmc::Violation) -> bool {
        let known = self.tried.lock().ok();
        let known = known.and_then(|tried| tried.get(&violation.obligation).copied());
        if let Some(known) = known {
            return known;
        }
        let monitored = self.program();
        let confirms =
            monitored.is_ok_and(|monitored| is_defined(program, &monitored.module, violation));
        if let Ok(mut tried) = self.tried.lock() {
            tried.insert(violation.obligation, confirms);
        }
        confirms
    }
}

/// What is left of an outcome with violations.
pub enum Judged {
    /// The outcome, with violations that rest on an overflow taken back.
    Same(bmc::Outcome),
    /// The program with monitors, and violations without overflow that were found there.
    Other(Module, bmc::Outcome),
}

/// Judges the violations of an outcome; `told` yields the options for a program like the one at hand.
pub fn judge(
    monitored: &Monitored,
    program: &Program,
    mut outcome: bmc::Outcome,
    told: impl Fn(&Module) -> bmc::Options,
) -> Result<Judged, Failure> {
    let (kept, doubtful): (Vec<_>, Vec<_>) = std::mem::take(&mut outcome.violations)
        .into_iter()
        .partition(|violation| monitored.confirms(&program.module, violation));
    outcome.violations = kept;
    if doubtful.is_empty() {
        return Ok(Judged::Same(outcome));
    }
    let module = &monitored.program()?.module;
    let options = bmc::Options {
        monitors: BTreeSet::from([MONITOR.to_owned()]),
        ..told(module)
    };
    let other =
        bmc::check(module, &options).map_err(|error| Failure::internal(error.to_string()))?;
    if !other.violations.is_empty() {
        return Ok(Judged::Other(module.clone(), other));
    }
    // Without an overflow there is no violation, as far as the engine came.
    let settled = other.unconfirmed.is_empty() && other.contradictions.is_empty();
    let reason = match (settled, other.reason) {
        (false, _) => Reason::Unconfirmed,
        (true, Some(reason)) => reason,
        (true, None) => Reason::Undefined,
    };
    for violation in doubtful {
        outcome.statuses[violation.obligation] = Status::Unknown(reason.clone());
    }
    if outcome.violations.is_empty() {
        outcome.reason = Some(reason);
        outcome.bounds = other.bounds;
        outcome.gaps = other.gaps;
    }
    Ok(Judged::Same(outcome))
}

/// Does the counterexample violate the same obligation in the program with monitors?
fn is_defined(program: &Module, monitored: &Module, violation: &bmc::Violation) -> bool {
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
