//! `selkie smt`: solves an SMT-LIB 2 file with any back end.
use crate::args::SmtArgs;
use crate::failure::Failure;

/// Runs the command.
pub fn smt(_args: &SmtArgs) -> Result<u8, Failure> {
    Err(Failure::usage("selkie smt is not built yet"))
}
