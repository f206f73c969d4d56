//! Abstract interpretation's settings, from the command line.

use results::{Engine, Failure};

use super::{Entry, bounded};
use crate::args::VerifyArgs;
use crate::pipeline::Program;

/// `--engine absint`.
pub const ENTRY: Entry = Entry {
    name: "absint",
    about: "Abstract interpretation: loops are replaced by invariants, which are proved; finds no violations",
    make,
};

fn make(args: &VerifyArgs, program: &Program) -> Result<Box<dyn Engine>, Failure> {
    Ok(Box::new(absint::Absint {
        options: bounded::options(args, program)?,
        effort: absint::Effort::Full,
        choice: choice(args),
    }))
}

/// The domains that the user chose.
pub fn choice(args: &VerifyArgs) -> absint::choice::Choice {
    absint::choice::Choice::named(&args.domain).expect("the names were checked when they were read")
}
