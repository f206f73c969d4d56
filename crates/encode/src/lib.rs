//! The only bridge from IR to terms.
//!
//! [`eval`] evaluates a Pure program symbolically; the modules beside it are its parts: the order of
//! evaluation ([`order`]), paths and their merging ([`path`]), pointers ([`pointer`]), memory
//! ([`memory`] on [`trie`]), the objects of an evaluation ([`world`]), where they lie ([`layout`]) and where
//! they may lie ([`lives`]).
#![forbid(unsafe_code)]

pub mod crowd;
pub mod encoding;
pub mod eval;
pub mod layout;
mod literals;
pub mod lives;
pub mod memory;
pub mod order;
pub mod path;
pub mod pointer;
pub mod trie;
pub mod util;
pub mod word_sizes;
pub mod world;
