//! The benchmark runner: task lists in, scores out.
#![forbid(unsafe_code)]
