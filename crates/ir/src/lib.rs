//! The intermediate representation: typed SSA in which memory can become a value.
//!
//! [`syntax`] declares it and says what everything means.
#![forbid(unsafe_code)]

pub mod syntax;
