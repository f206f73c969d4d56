//! Properties, obligations, verdicts, traces and the assumption ledger.
//!
//! A *check* is a property of programs (`overflow`); an *obligation* is a check at a place; a
//! *verdict* is its answer. Each check is one file under `registry/` and one line below.
#![forbid(unsafe_code)]

pub mod ledger;
pub mod registry;
pub mod trace;
pub mod verdict;
