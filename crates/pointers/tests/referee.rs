//! Soundness by execution: in Pure the interpreter refuses an access through a memory in which the
//! object does not live, so a run that ends as it did before has every access in its region.

mod common;

use common::{Checks, Inputs, Providers, compare};
use golden::random::{self, Options, Use};

fn options(seed: u64) -> Options {
    let mut options = Options::new(seed, 60 + (seed as usize % 5) * 60);
    options.failures = if seed % 2 == 0 { Use::Yes } else { Use::No };
    options.recursion = if seed % 3 == 0 { Use::Yes } else { Use::No };
    options.pointer_bits = if seed % 7 == 0 { 32 } else { 64 };
    options.externs = if seed % 5 == 0 { Use::Yes } else { Use::No };
    options.steps = 5_000;
    options
}

#[test]
fn random_programs_stay_in_their_regions() {
    let inputs = [0, 1, 2].map(Inputs::Seed);
    for seed in 0..200 {
        let module = random::module(&options(seed));
        compare(
            module,
            &format!("seed {seed}"),
            Checks::All,
            Providers::All,
            &inputs,
        );
    }
}
