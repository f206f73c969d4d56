//! Constrained Horn clauses: what is true of the states of loops, found by Spacer.
//!
//! [`clauses`] turns an evaluation whose loops begin in an arbitrary state into clauses; `solve::horn` solves them; [`answer`] turns
//! what it says into sentences about the states of loops, or into numbers of rounds. The bounded engine asks for these when a
//! bound does not suffice, and proves the sentences by induction, or unrolls so far: nothing that is found here is believed.
#![forbid(unsafe_code)]

mod answer;
pub mod clauses;
pub mod emit;
pub mod engine;

pub use crate::engine::{Chc, Horn};
