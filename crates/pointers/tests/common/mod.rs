//! Lowers a program, divides its memory in every way, and compares executions.
#![allow(dead_code, reason = "each test uses a part")]

use std::collections::BTreeSet;

use interp::choices::{Recorded, Seed};
use interp::{Bindings, Outcome, Run};
use ir::syntax::{Module, Phase};
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

/// All checks on, so that nothing is dropped.
pub fn config() -> Config {
    let checks: BTreeSet<String> = checks::registry::CHECKS
        .iter()
        .map(|check| check.name.to_owned())
        .collect();
    Config {
        checks,
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

pub fn record(module: &Module, seed: u64) -> Run {
    let mut choices = Seed::new(seed);
    interp::run(module, &limits(), Bindings::new(&mut choices))
}

pub fn replay(module: &Module, run: &Run) -> Outcome {
    let mut choices = Recorded::new(&run.trace);
    interp::run(module, &limits(), Bindings::new(&mut choices)).outcome
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

/// Lowers the module, and compares its executions with those of its Pure forms. Returns how the
/// executions ended.
pub fn compare(mut module: Module, name: &str, providers: Providers, seeds: &[u64]) -> Vec<String> {
    if module.phase < Phase::Lowered {
        pass::run(LOWER, &mut module, &config(), &mut |_, _| ())
            .unwrap_or_else(|error| panic!("{name}: {error}\n{module}"));
    }
    let runs: Vec<Run> = seeds.iter().map(|&seed| record(&module, seed)).collect();
    let expected: Vec<String> = runs
        .iter()
        .map(|run| summary(&module, &run.outcome))
        .collect();
    let modes: &[Mode] = match providers {
        Providers::All => &[Mode::ContextInsensitive, Mode::ContextSensitive],
        Providers::Sensitive => &[Mode::ContextSensitive],
    };
    for &mode in modes {
        let regions = pointers::provide(&module, mode);
        let pure = purified(&module, &regions, &format!("{name}, {mode:?}"));
        for (run, expected) in runs.iter().zip(&expected) {
            let outcome = replay(&pure, run);
            if summary(&pure, &outcome) != *expected {
                let folder = std::env::temp_dir();
                let file = folder.join("selkie-pointers-failure.ir");
                std::fs::write(&file, format!("{module}\n;;;; PURE\n{pure}"))
                    .expect("the temporary folder can be written");
                panic!(
                    "{name}, {mode:?}: {} instead of {expected}; see {}",
                    summary(&pure, &outcome),
                    file.display()
                );
            }
        }
    }
    expected
}
