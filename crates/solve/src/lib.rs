//! Solver back ends, and validation of every answer.
//!
//! A [`Solver`] holds assertions and checks them under assumptions. Back ends are opened by name
//! ([`Checked::open`]): `bitwuzla` and `z3` in process, `smtlib:COMMAND` for any program that reads SMT-LIB.
//! No model leaves this crate before `terms` has evaluated it; a back end with a wrong one is an error
//! ([`SolveError::Unsound`]), never a result.
#![deny(unsafe_code)]

pub mod answer;
pub mod backends;
pub mod checked;
pub mod horn;
pub mod ints;
pub mod limits;
mod model;
pub mod script;
pub mod solver;
mod translate;
pub mod versions;

pub use crate::answer::{Answer, Reason, SolveError};
pub use crate::backends::claim_stdout;
pub use crate::checked::{Checked, Confirmation, check_twice};
pub use crate::limits::{Interrupt, Limits};
pub use crate::script::{ScriptError, ScriptOptions, run_script};
pub use crate::solver::{Asked, Config, Cores, Listener, Simplifying, Solver, Statistics};
pub use crate::versions::check_versions;
