//! The settings of Horn clauses, from the command line.

use chc::{Chc, Horn};
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

/// How clauses are solved.
pub(super) const HORN: Horn = Horn {
    share: 0.6,
    attempts: chc::ATTEMPTS,
    memory: None,
};

fn make(args: &VerifyArgs, program: &Program) -> Result<Box<dyn Engine>, Failure> {
    Ok(Box::new(Chc {
        options: bounded::options(args, program)?,
        horn: HORN,
    }))
}
