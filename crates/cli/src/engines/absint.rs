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
    let options = bounded::options(args, program)?;
    Ok(Box::new(absint::Absint {
        options,
        effort: absint::Effort::Full,
    }))
}
