//! What tests of IR need: files that hold input and expected output, and random programs.
//!
//! This crate is never shipped: others name it among their `dev-dependencies` only.
//!
//! - [`run`] walks a folder of golden files and compares what a pass makes of each; see
//!   [`harness`] for the format.
//! - [`random`] makes wellformed programs that end, from a seed; [`mangle`](mod@mangle) spoils their text.
//! - [`shrink`](fn@shrink) makes a program that fails a test small.
#![forbid(unsafe_code)]

pub mod diff;
pub mod harness;
pub mod mangle;
pub mod random;
pub mod rng;
pub mod shrink;

pub use crate::harness::{run, show};
pub use crate::shrink::shrink;
