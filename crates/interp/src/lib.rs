//! Concrete execution of every phase of the IR, and replay of counterexamples.
#![forbid(unsafe_code)]
