//! Random programs end, and fail only if they may: executed with free choices of several kinds.

use golden::random::{self, Options, Use};
use interp::choices::{Seed, Zeros};
use interp::{Bindings, Config, Outcome, Run};
use ir::syntax::{Module, Phase};

fn run(module: &Module, seed: u64, steps: u64) -> Run {
    let config = Config {
        step_limit: steps,
        ..Config::default()
    };
    match seed {
        0 => interp::run(module, &config, Bindings::new(&mut Zeros)),
        seed => interp::run(module, &config, Bindings::new(&mut Seed::new(seed))),
    }
}

#[test]
fn they_end_and_fail_only_if_they_may() {
    let (mut returned, mut violated) = (0, 0);
    for seed in 0..400 {
        let mut options = Options::new(seed, 250);
        options.failures = if seed % 2 == 0 { Use::No } else { Use::Yes };
        options.recursion = if seed % 3 == 0 { Use::No } else { Use::Yes };
        options.phase = if seed % 5 == 0 {
            Phase::Lowered
        } else {
            Phase::Raw
        };
        options.pointer_bits = if seed % 7 == 0 { 32 } else { 64 };
        let module = random::module(&options);
        for choices in 0..4 {
            let run = run(&module, choices, options.steps);
            match run.outcome {
                Outcome::Returned(_) => returned += 1,
                Outcome::Exited(_) | Outcome::Aborted | Outcome::AssumeFailed => {}
                Outcome::Violated(_) if options.failures == Use::Yes => violated += 1,
                outcome => panic!("{outcome}\n{options:?}, choices {choices}\n{module}"),
            }
        }
    }
    assert!(returned > 500, "{returned} of 1600 runs returned");
    assert!(violated > 200, "{violated} of 800 runs violated something");
}
