//! SMT-LIB 2.6: terms as text, and text as terms.
//!
//! - [`print`] writes terms and scripts, keeping what is shared shared, in time and space linear in the DAG.
//! - [`flat`] writes them for other programs, which may know less.
//! - [`read`] reads scripts; what it does not understand is an error with file, line and column, never a guess.
//!
//! For every term, reading what was printed gives the same term of the same arena.

mod apply;
pub mod flat;
mod head;
mod lexer;
pub mod print;
pub mod read;
mod term;

pub use crate::smt::print::Writer;
pub use crate::smt::read::{Command, ReadError, Reader, Script};
