//! Solver back ends, and validation of every answer.

mod backends;
pub mod versions;
