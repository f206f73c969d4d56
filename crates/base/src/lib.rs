//! Typed ids, bit-vector values and source places: what every other crate speaks in.
#![forbid(unsafe_code)]
