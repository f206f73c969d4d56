//! Properties of programs.
//!
//! A *check* is a property of programs (`overflow`); an *obligation* is a check at a place. Each check is
//! one file under `registry/` and one line there. What becomes of obligations is in `results`.
#![forbid(unsafe_code)]

pub mod registry;
