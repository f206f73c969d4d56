//! The referee: random programs are executed, and each execution must agree with what was said before.
//!
//! - Each state that an execution passes lies in one of the states computed for its block.
//! - No execution violates an obligation that the engine calls proved, with loops cut.
//!
//! `ABSINT_REFEREE=1000 cargo test -p absint --test referee` tries so many programs.

mod common;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use absint::choice::Choice;
use absint::relations::SHAPES;
use absint::{engine, fixpoint};
use checks::registry::CheckId;
use common::{Seen, watch};
use golden::random::{self, Options, Use};
use golden::rng::Rng;
use interp::choices::Seed;
use ir::syntax::{Module, Phase};
use passes::pass::{self, RegionMode};
use passes::pipeline::{LOWER, PURIFY};
use results::engine::Silence;
use results::{Sink, Status};

fn count(default: u64) -> u64 {
    let wanted = std::env::var("ABSINT_REFEREE").ok();
    wanted.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A random Pure program.
fn program(seed: u64) -> Module {
    let mut rng = Rng::new(seed ^ 0xab51);
    let mut choose = || *rng.pick(&[Use::No, Use::Yes]);
    let mut options = Options::new(seed, 0);
    options.failures = choose();
    options.wild = choose();
    options.recursion = choose();
    options.size = 30 + rng.index(120);
    options.steps = 4_000;
    if rng.one_in(3) {
        options.memory = Use::No;
    }
    let mut module = random::module(&options);
    let config = pass::Config {
        checks: CheckId::all().collect(),
        regions: *rng.pick(&[RegionMode::Flat, RegionMode::Split]),
        ..pass::Config::default()
    };
    for list in [LOWER, PURIFY] {
        pass::run(list, &mut module, &config, &mut |_, _| {})
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{module}"));
    }
    assert_eq!(module.phase, Phase::Pure);
    module
}

fn config() -> interp::config::Config {
    interp::config::Config {
        step_limit: 20_000,
        ..interp::config::Config::default()
    }
}

#[test]
fn every_state_lies_in_the_invariant_of_its_block() {
    let mut seen = Seen::default();
    for seed in 0..count(150) {
        let module = program(seed);
        let Some(inlined) = engine::inlined(&module) else {
            continue;
        };
        let entry = inlined.entry.expect("an entry");
        let states = 1 << (seed % 6);
        let wanted = fixpoint::Config {
            deadline: Some(Instant::now() + Duration::from_secs(5)),
            states,
            shape: SHAPES.get(seed as usize % 3).copied(),
            ..fixpoint::Config::default()
        };
        let found = fixpoint::analyze(&inlined, inlined.body(entry), true, &wanted);
        let Some(invariants) = found else { continue };
        for run in 0..6 {
            let mut choices = Seed::new(run);
            let wrong = watch(&inlined, &invariants, &config(), &mut choices, &mut seen);
            if let Some(wrong) = wrong {
                panic!("seed {seed}, run {run}: {wrong}\n{inlined}");
            }
        }
    }
    println!("{seen:?}");
    assert!(seen.states > 1000 && seen.pointers > 1000, "{seen:?}");
    assert!(seen.newest > 100 && seen.others > 100, "{seen:?}");
}

fn options(deadline: Duration) -> bmc::Options {
    bmc::Options {
        solver: "bitwuzla".to_owned(),
        second: None,
        unwind: None,
        deepest: None,
        unwind_loops: Default::default(),
        depth: None,
        deadline: Some(Instant::now() + deadline),
        memory: None,
        patience: None,
        violations: bmc::Violations::Each,
        vacuity: false,
        continue_after_failure: false,
        monitors: BTreeSet::new(),
        accesses_checked: true,
        induction: false,
        inventor: None,
        style: bmc::Style::Eval,
        encoding: Default::default(),
        cone: bmc::Cone::Used,
        rewriting: terms::Level::Full,
        count_rules: false,
        calls: bmc::Calls::Inline,
        maps: None,
    }
}

#[test]
fn what_is_proved_is_never_violated() {
    let (mut proved, mut failed) = (0, 0);
    let silence: Arc<dyn Sink> = Arc::new(Silence);
    for seed in 0..count(60) {
        let module = program(seed);
        let outcome = engine::check(
            &module,
            &options(Duration::from_secs(1)),
            engine::Effort::Full,
            &Choice::default(),
            &silence,
        )
        .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{module}"));
        for run in 0..30 {
            let mut choices = Seed::new(run);
            let result = interp::run(&module, &config(), interp::Bindings::new(&mut choices));
            for failure in &result.failures {
                failed += 1;
                let status = &outcome.statuses[failure.obligation];
                assert!(
                    !matches!(
                        status,
                        Status::Proved | Status::Unreachable | Status::Vacuous
                    ),
                    "seed {seed}, run {run}: {} is {status}\n{module}",
                    failure.obligation
                );
            }
        }
        let statuses = outcome.statuses.values();
        proved += statuses.filter(|status| **status == Status::Proved).count();
    }
    assert!(
        proved > 20 && failed > 20,
        "{proved} proved, {failed} failed"
    );
}
