//! The only bridge from IR to terms.
#![forbid(unsafe_code)]
