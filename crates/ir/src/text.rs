//! The text format: what dumps, test files and people share. Its reference is `docs/ir.md`.
//!
//! A module prints by `Display`; [`display_func`], [`display_block`], [`display_inst`] and
//! [`display_operand`] print parts. Printing never panics, also for modules that are not
//! wellformed: an id without an entry prints with a question mark, which no reader accepts.

pub(crate) mod lexis;
mod write;
mod write_inst;

pub use write::{display_block, display_func, display_functions, display_inst, display_operand};
