//! Passes: from IR to IR, each a file, each in a list that says why it stands where it stands.
//!
//! [`pipeline`] holds the lists, [`pass`] what a pass is and who runs it.
#![forbid(unsafe_code)]

mod edit;
mod fold;
mod footprint;
pub mod forms;
pub mod inline;
mod loop_closed;
pub mod lower;
pub mod pass;
pub mod pipeline;
pub mod prune;
pub mod purify;
pub mod regions;
pub mod simplify;
pub mod split;
pub mod unroll;
