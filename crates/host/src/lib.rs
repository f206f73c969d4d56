//! The operating system: processes under supervision, pipes, signals, the memory of process trees.
//!
//! Linux only, as is what it serves: `verify`, whose worker may crash without taking the answer with it,
//! and `bench`, whose verifiers may do anything at all.
#![deny(unsafe_code)]

#[allow(unsafe_code, reason = "system calls; see the module")]
pub mod ffi;
pub mod process_tree;
