//! Abstract interpretation: facts that hold in every execution, found without searching.
//!
//! [`fixpoint`] computes for each block of a body the states in which it can begin; [`state`] is what a
//! state is: [`value`]s of registers over the [`domains`] of integers, and versions of [`memory`] with the
//! contents of their [`object`]s. `transfer` says what an instruction does to a state, `refine` what a
//! condition says about it, and [`partition`] which states are not joined.
//!
//! Nothing here is believed: [`cut`] turns what was found at the heads of loops into a program without these loops, in which
//! the facts are obligations, and the bounded engine proves them on the IR's exact meaning.
#![forbid(unsafe_code)]

mod answers;
mod candidates;
pub mod choice;
pub mod cut;
pub mod domains;
mod elements;
pub mod engine;
pub mod facts;
pub mod fixpoint;
mod learned;
pub mod memory;
pub mod object;
pub mod partition;
pub mod phases;
mod refine;
pub mod relations;
mod segments;
mod spoken;
pub mod state;
mod transfer;
mod trips;
pub mod value;

pub use crate::engine::{Absint, Effort};
