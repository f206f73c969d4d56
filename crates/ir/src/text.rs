//! The text format: what dumps, test files and people share. Its reference is `docs/ir.md`.
//!
//! [`read`] reads a module, a function or a block alone. `read(&module.to_string())` is the module,
//! ids included, provided that it is tidy (see [`crate::tidy`]).
//!
//! A module prints by `Display`; [`display_func`], [`display_block`], [`display_inst`] and
//! [`display_operand`] print parts. Printing never panics, also for modules that are not
//! wellformed: an id without an entry prints with a question mark, which no reader accepts.

mod cursor;
pub(crate) mod lexis;
mod read;
mod read_body;
mod read_inst;
mod tables;
mod write;
mod write_inst;

pub use cursor::ReadError;
pub use read::read;
pub use write::{display_block, display_func, display_functions, display_inst, display_operand};
