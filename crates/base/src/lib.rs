//! Typed ids, bit-vector values and source places: what every other crate speaks in.
//!
//! - [`id!`] declares a typed `u32` id that prints as it is written in text (`v3`, `b1`, `r0`, `t42`);
//!   [`Map`] is a vector that such an id indexes.
//! - [`Bv`] is a bit-vector value of any width, with the total meaning of SMT-LIB for every operation.
//! - [`Place`] is a line of somebody's source.
#![forbid(unsafe_code)]

pub mod bv;
mod bv_arith;
mod bv_text;
pub mod id;
pub mod place;
mod wire;

pub use crate::bv::Bv;
pub use crate::id::{Id, Map};
pub use crate::place::Place;

/// For what [`id!`] declares.
#[doc(hidden)]
pub use serde;
