//! The intermediate representation: typed SSA in which memory can become a value.
//!
//! [`syntax`] declares it and says what everything means. [`build`] makes it, [`ops`] takes
//! instructions apart, [`names`] has the words of the text format, [`text`] reads and writes it, and
//! [`tidy`] brings tables into the order of the text. [`mod@cfg`], [`dominators`], [`loops`],
//! [`wto`] and [`callgraph`] are the analyses that every pass starts from, over the algorithms of
//! [`graph`]; [`wellformed`] is what holds between passes. [`spoken`] says in the words of the source what was found out about values.
#![forbid(unsafe_code)]

pub mod build;
pub mod callgraph;
pub mod cfg;
pub mod dominators;
pub mod graph;
pub mod loop_names;
pub mod loops;
pub mod names;
pub mod ops;
mod origin;
mod region;
pub mod spoken;
mod standing;
pub mod syntax;
pub mod text;
pub mod tidy;
pub mod wellformed;
pub mod wto;
