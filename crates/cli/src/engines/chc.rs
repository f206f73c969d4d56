//! The settings of Horn clauses, from the command line.

use chc::{Chc, Horn, Ints};
use results::{Engine, Failure};

use super::{Entry, bounded};
use crate::args::VerifyArgs;
use crate::pipeline::Program;

/// `--engine chc`.
pub const ENTRY: Entry = Entry {
    name: chc::engine::CHC,
    about: "Horn clauses: invariants of loops by Spacer, proved by induction; bounded model checking for violations",
    make,
};

/// The part of the time that clauses may take.
const SHARE: f64 = 0.6;

fn make(args: &VerifyArgs, program: &Program) -> Result<Box<dyn Engine>, Failure> {
    Ok(Box::new(Chc {
        options: bounded::options(args, program)?,
        horn: Horn {
            share: SHARE,
            ints: &[Ints::Math, Ints::Bv],
            memory: None,
        },
    }))
}
