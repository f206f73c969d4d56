//! Chores of the project that are programs: random verification tasks with known verdicts, from csmith's programs (here), from
//! programs in odd C ([`odd`]), and from the corpus ([`canaries`]).
//!
//! csmith writes C programs without undefined behaviour that hash all their variables. What such a program computes is
//! learnt by running it, and so verdicts are known without asking a verifier:
//!
//! ```text
//! csmith ─▶ program ─ run natively for every input ─▶ checksums
//!    ├─ "the checksum is what it was"                    true
//!    ├─ the same with one checksum off by one            false
//!    └─ one planted piece of code ─ run with sanitizers ─▶ false where one reports it, true where none does
//! ```
//!
//! Every program has one input with four values (`__VERIFIER_nondet_uint() % 4`), and is run with each of them: a native
//! run then is a decision, not a sample. What sanitizers say of anything but the planted code discards the program.
#![forbid(unsafe_code)]

pub mod canaries;
pub mod csmith;
pub mod generate;
pub mod mutants;
pub mod native;
pub mod odd;
pub mod plants;
pub mod random;
pub mod scale;
