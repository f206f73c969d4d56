//! Lowers a program, divides its memory in every way, and compares executions.
#![allow(dead_code, reason = "each test uses a part")]

pub mod facts;
pub mod programs;

use checks::registry::CheckId;
use std::collections::BTreeSet;
use std::path::Path;

use interp::choices::{Choices, Recorded, Seed, Zeros};
use interp::{Bindings, Outcome, Run};
use ir::syntax::{Callee, Module, Op, Phase};
use passes::pass::{self, Config, RegionMode};
use passes::pipeline::LOWER;
use passes::regions::Regions;
use pointers::Mode;

/// Which divisions are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Providers {
    /// Context-insensitive and context-sensitive.
    All,
    /// Context-sensitive only.
    Sensitive,
}

/// Which checks are on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    /// All, so that nothing is dropped.
    All,
    /// Those of the command line.
    Default,
    /// Those, and leaks.
    Leaks,
}

impl Checks {
    fn ids(self) -> BTreeSet<CheckId> {
        let all = CheckId::all();
        all.filter(|id| match self {
            Checks::All => true,
            Checks::Default => id.check().default,
            Checks::Leaks => id.check().default || matches!(id, CheckId::Leak | CheckId::Cleanup),
        })
        .collect()
    }
}

/// The configuration of the passes.
pub fn config(checks: Checks) -> Config {
    Config {
        checks: checks.ids(),
        regions: RegionMode::Given(pointers::SENSITIVE),
        ..Config::default()
    }
}

fn limits() -> interp::Config {
    interp::Config {
        step_limit: 3_000_000,
        volatile: interp::config::Volatile::Memory,
        ..interp::Config::default()
    }
}

/// How choices are made. With zeros a C program's `argc` is what the front end expects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inputs {
    Zeros,
    Seed(u64),
}

pub fn record(module: &Module, inputs: Inputs) -> Run {
    let mut choices: Box<dyn Choices> = match inputs {
        Inputs::Zeros => Box::new(Zeros),
        Inputs::Seed(seed) => Box::new(Seed::new(seed)),
    };
    interp::run(module, &limits(), Bindings::new(&mut *choices))
}

pub fn replay(module: &Module, run: &Run) -> Outcome {
    let mut choices = Recorded::new(&run.trace);
    interp::run(module, &limits(), Bindings::new(&mut choices)).outcome
}

/// The same, and whether what the text claims of regions was true.
fn replay_with_facts(module: &Module, run: &Run) -> (Outcome, Vec<String>) {
    let mut choices = Recorded::new(&run.trace);
    let mut watch = facts::Watch::default();
    let mut bindings = Bindings::new(&mut choices);
    bindings.observer = Some(&mut watch);
    let outcome = interp::run(module, &limits(), bindings).outcome;
    (outcome, watch.complaints)
}

/// How the execution ends, and which obligation it violates first.
pub fn summary(module: &Module, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Violated(failure) => {
            let data = &module.obligations[failure.obligation];
            format!("violated {}.{}.{}", data.func, data.check, data.ordinal)
        }
        Outcome::Returned(_) => "returned".to_owned(),
        other => other.to_string(),
    }
}

/// Is it the expected end? A run that met a limit is cut somewhere else after a pass, and then has no
/// choices left; it must only not break a rule.
pub fn ends_alike(outcome: &str, expected: &str) -> bool {
    let cut = expected.contains("limit") || expected.contains("used up");
    outcome == expected || cut && !outcome.contains("error")
}

/// Purifies a copy with these regions; it is wellformed.
pub fn purified(module: &Module, regions: &Regions, name: &str) -> Module {
    let mut pure = module.clone();
    passes::purify::purify(&mut pure, regions);
    if let Err(complaints) = ir::wellformed::check(&pure) {
        let list: Vec<String> = complaints.iter().map(ToString::to_string).collect();
        panic!("{name}: {}\n{pure}", list.join("\n"));
    }
    pure
}

/// Loads a C program.
pub fn load(file: &Path, checks: Checks, opt: u32, cflags: &[&str]) -> Result<Module, String> {
    let mut options = frontend::Options::new([file]);
    options.checks = checks.ids();
    options.cflags = cflags.iter().map(|flag| (*flag).to_owned()).collect();
    options.opt = frontend::OptLevel::from_number(opt).expect("a level from 0 to 2");
    frontend::load(&options).map_err(|error| error.to_string())
}

/// Does the module call functions that it does not have?
fn is_open(module: &Module) -> bool {
    let mut bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    bodies.any(|body| {
        body.insts_in_order()
            .any(|(_, inst)| match &body.insts[inst].op {
                Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => module.funcs[*callee].body.is_none(),
                _ => false, // No call of a named function.
            })
    })
}

/// Lowers the module, and compares its executions with those of its Pure forms: they end alike, no
/// access leaves its region, and no call goes to a function that was not computed. Returns how the
/// executions ended.
pub fn compare(
    module: Module,
    name: &str,
    checks: Checks,
    providers: Providers,
    inputs: &[Inputs],
) -> Vec<String> {
    try_compare(module, name, checks, providers, inputs).unwrap_or_else(|error| panic!("{error}"))
}

/// The same, with what went wrong as an error.
pub fn try_compare(
    mut module: Module,
    name: &str,
    checks: Checks,
    providers: Providers,
    inputs: &[Inputs],
) -> Result<Vec<String>, String> {
    // What unknown code does is decided by lowering; everything else is recorded before.
    let record_all = |module: &Module| -> Vec<(Run, String)> {
        let runs = inputs.iter().map(|&inputs| record(module, inputs));
        runs.map(|run| {
            let summary = summary(module, &run.outcome);
            (run, summary)
        })
        .collect()
    };
    let early = (!is_open(&module)).then(|| record_all(&module));
    if module.phase < Phase::Lowered {
        pass::run(LOWER, &mut module, &config(checks), &mut |_, _| ())
            .map_err(|error| format!("{name}: {error}"))?;
    }
    let runs = early.unwrap_or_else(|| record_all(&module));
    let check = |module: &Module, what: &str| {
        for (run, expected) in &runs {
            let (outcome, complaints) = match module.phase {
                Phase::Raw | Phase::Lowered => (replay(module, run), Vec::new()),
                Phase::Pure | Phase::Unrolled => replay_with_facts(module, run),
            };
            let mut outcome = summary(module, &outcome);
            if !complaints.is_empty() {
                outcome = format!("error: {}", complaints.join("\n"));
            }
            if !ends_alike(&outcome, expected) {
                let file = std::env::temp_dir().join("selkie-pointers-failure.ir");
                std::fs::write(&file, module.to_string())
                    .expect("the temporary folder can be written");
                let file = file.display();
                return Err(format!(
                    "{name}, {what}: {outcome} instead of {expected}; see {file}"
                ));
            }
        }
        Ok(())
    };
    check(&module, "lowered")?;
    let modes: &[Mode] = match providers {
        Providers::All => &[Mode::ContextInsensitive, Mode::ContextSensitive],
        Providers::Sensitive => &[Mode::ContextSensitive],
    };
    for &mode in modes {
        let regions = pointers::provide(&module, mode);
        let pure = purified(&module, &regions, &format!("{name}, {mode:?}"));
        check(&pure, &format!("{mode:?}"))?;
    }
    Ok(runs.into_iter().map(|(_, summary)| summary).collect())
}
