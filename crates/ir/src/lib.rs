//! The intermediate representation: typed SSA in which memory can become a value.
#![forbid(unsafe_code)]
