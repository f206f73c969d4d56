//! The interpreter is the referee: a trace recorded on a random module before the passes replays
//! after each of them, and ends in the same way.

use checks::registry::CheckId;
use golden::random::{self, Options, Use};
use interp::choices::{Recorded, Seed};
use interp::{Bindings, Outcome, Run};
use ir::syntax::{BinaryOp, Module, Obligation, Op, Operand, Phase};
use passes::pass::{self, Bounds, Config, Pass, RegionMode};
use passes::pipeline::{BOUND, FORMS, LOWER, PURIFY};

/// All checks on, so that nothing is dropped.
fn config(regions: RegionMode) -> Config {
    Config {
        checks: CheckId::all().collect(),
        regions,
        bounds: Bounds {
            unwind: 3,
            depth: 3,
            max_insts: 100_000,
            ..Bounds::default()
        },
        ..Config::default()
    }
}

fn limits() -> interp::Config {
    interp::Config {
        step_limit: 1_000_000,
        ..interp::Config::default()
    }
}

fn record(module: &Module, seed: u64) -> Run {
    let mut choices = Seed::new(seed);
    interp::run(module, &limits(), Bindings::new(&mut choices))
}

fn replay(module: &Module, run: &Run) -> Outcome {
    let mut choices = Recorded::new(&run.trace);
    interp::run(module, &limits(), Bindings::new(&mut choices)).outcome
}

/// What must not change: how the execution ends, and which obligation it violates first.
fn summary(module: &Module, outcome: &Outcome) -> String {
    match outcome {
        Outcome::Violated(failure) => {
            let data = &module.obligations[failure.obligation];
            format!("violated {}.{}.{}", data.func, data.check, data.ordinal)
        }
        Outcome::Returned(_) => "returned".to_owned(),
        other => other.to_string(),
    }
}

/// What executions of a module come to.
fn summaries(module: &Module, runs: &[Run]) -> Vec<String> {
    let outcomes = runs.iter().map(|run| summary(module, &run.outcome));
    outcomes.collect()
}

/// Runs the passes and compares after each with what the executions came to before all of them.
fn compare(
    list: &[&dyn Pass],
    module: &mut Module,
    config: &Config,
    (runs, expected): (&[Run], &[String]),
    seed: u64,
) {
    let mut compare_after = |pass: &dyn Pass, after: &Module| {
        for (run, expected) in runs.iter().zip(expected) {
            let outcome = replay(after, run);
            assert_eq!(
                &summary(after, &outcome),
                expected,
                "seed {seed}, after {}\n{after}",
                pass.name()
            );
        }
    };
    if let Err(error) = pass::run(list, module, config, &mut compare_after) {
        panic!("seed {seed}: {error}\n{module}");
    }
}

fn options(seed: u64) -> Options {
    let mut options = Options::new(seed, 60 + (seed as usize % 5) * 60);
    options.failures = if seed % 2 == 0 { Use::Yes } else { Use::No };
    options.recursion = if seed % 3 == 0 { Use::Yes } else { Use::No };
    options.pointer_bits = if seed % 7 == 0 { 32 } else { 64 };
    options.steps = 5_000;
    options
}

#[test]
fn lowering_and_purifying_keep_every_execution() {
    for seed in 0..300 {
        let mut module = random::module(&options(seed));
        let runs: Vec<Run> = (0..3).map(|choice| record(&module, choice)).collect();
        // Passes may drop obligations, and number the others again.
        let expected = summaries(&module, &runs);
        let executed = (&runs[..], &expected[..]);
        compare(
            LOWER,
            &mut module,
            &config(RegionMode::Flat),
            executed,
            seed,
        );
        assert_eq!(module.phase, Phase::Lowered);
        for regions in [RegionMode::Flat, RegionMode::Split] {
            let mut module = module.clone();
            compare(PURIFY, &mut module, &config(regions), executed, seed);
            assert_eq!(module.phase, Phase::Pure);
        }
    }
}

/// Is the outcome a cut that the bounds made, or past the limits?
fn is_cut(module: &Module, outcome: &Outcome) -> bool {
    match outcome {
        Outcome::Violated(failure) => {
            let check = module.obligations[failure.obligation].check;
            matches!(check, CheckId::Unwind | CheckId::Recursion)
        }
        _ => false,
    }
}

fn violated(run: &Run) -> Vec<Obligation> {
    match &run.outcome {
        Outcome::Violated(failure) => vec![failure.obligation],
        _ => Vec::new(),
    }
}

/// The obligations whose selector bit is set at the end: those that, checked alone, fail.
fn selected(module: &Module, run: &Run) -> Vec<Obligation> {
    let entry = module.entry.expect("the module has an entry");
    let selectors = passes::forms::selectors(module, entry).into_iter();
    let is_set = |(_, bit): &(Obligation, Operand)| {
        let mut module = module.clone();
        let machine = module.machine;
        let body = module.body_mut(entry);
        let (block, check) = body
            .insts_in_order()
            .find(|&(_, inst)| matches!(body.insts[inst].op, Op::Check(..)))
            .expect("there is a single check");
        let not = Op::Binary(BinaryOp::Xor, bit.clone(), Operand::bool(true));
        let not = body.new_inst(not, Vec::new(), None, machine);
        let negated = body.insts[not].results[0];
        if let Op::Check(_, cond) = &mut body.insts[check].op {
            *cond = negated.into();
        }
        let last = body.blocks[block].insts.len() - 1;
        body.blocks[block].insts.insert(last, not);
        matches!(replay(&module, run), Outcome::Violated(_))
    };
    selectors
        .filter(is_set)
        .map(|(obligation, _)| obligation)
        .collect()
}

#[test]
fn bounding_keeps_every_execution_within_the_bounds() {
    let mut whole = 0;
    for seed in 0..300 {
        let mut options = options(seed);
        options.irreducible = Use::No;
        options.size = 60;
        let mut module = random::module(&options);
        let runs: Vec<Run> = (0..3).map(|choice| record(&module, choice)).collect();
        let regions = match seed % 4 {
            0 => RegionMode::Flat,
            _ => RegionMode::Split,
        };
        let config = config(regions);
        let expected = summaries(&module, &runs);
        let executed = (&runs[..], &expected[..]);
        compare(LOWER, &mut module, &config, executed, seed);
        compare(PURIFY, &mut module, &config, executed, seed);
        let pure = module.clone();
        match pass::run(BOUND, &mut module, &config, &mut |_, _| ()) {
            Ok(_) => assert_eq!(module.phase, Phase::Unrolled, "seed {seed}"),
            Err(pass::Error::TooLarge { .. }) => continue,
            Err(error) => panic!("seed {seed}: {error}\n{pure}"),
        }
        for run in &runs {
            let outcome = replay(&module, run);
            if is_cut(&module, &outcome) {
                continue;
            }
            whole += 1;
            assert_eq!(
                summary(&module, &outcome),
                summary(&pure, &run.outcome),
                "seed {seed}\n{pure}\n{module}"
            );
            for (count, form) in FORMS[..2].iter().enumerate() {
                let mut formed = module.clone();
                pass::run(&FORMS[..=count], &mut formed, &config, &mut |_, _| ())
                    .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{module}"));
                let outcome = replay(&formed, run);
                let violated = matches!(outcome, Outcome::Violated(_));
                assert_eq!(
                    violated,
                    matches!(run.outcome, Outcome::Violated(_)),
                    "seed {seed}, after {}: {outcome}\n{module}\n{formed}",
                    form.name()
                );
            }
            let mut formed = module.clone();
            pass::run(&FORMS[..1], &mut formed, &config, &mut |_, _| ())
                .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{module}"));
            assert_eq!(
                selected(&formed, run),
                violated(run),
                "seed {seed}\n{formed}"
            );
        }
    }
    assert!(
        whole > 100,
        "only {whole} executions were within the bounds"
    );
}

#[test]
fn continue_mode_keeps_every_violation_of_an_execution() {
    let limits = interp::Config {
        after_failure: interp::config::AfterFailure::Continue,
        ..limits()
    };
    let violations = |module: &Module, run: &Run| {
        let failures = run.failures.iter();
        let names: Vec<String> = failures
            .map(|failure| {
                let data = &module.obligations[failure.obligation];
                format!("{}.{}.{}", data.func, data.check, data.ordinal)
            })
            .collect();
        (names, summary(module, &run.outcome))
    };
    let mut several = 0;
    for seed in 0..200 {
        let mut options = options(seed);
        options.failures = Use::Yes;
        let module = random::module(&options);
        let mut choices = Seed::new(seed);
        let before = interp::run(&module, &limits, Bindings::new(&mut choices));
        let expected = violations(&module, &before);
        several += usize::from(before.failures.len() > 1);
        for regions in [RegionMode::Flat, RegionMode::Split] {
            let config = Config {
                continue_after_failure: true,
                ..config(regions)
            };
            let mut compare_after = |pass: &dyn Pass, after: &Module| {
                let mut choices = Recorded::new(&before.trace);
                let run = interp::run(after, &limits, Bindings::new(&mut choices));
                let name = pass.name();
                let violated = violations(after, &run);
                assert_eq!(violated, expected, "seed {seed}, after {name}\n{after}");
            };
            let list = [LOWER, PURIFY].concat();
            pass::run(&list, &mut module.clone(), &config, &mut compare_after)
                .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{module}"));
        }
    }
    assert!(several > 10, "only {several} executions violate several");
}
