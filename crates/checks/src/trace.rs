//! The choices of one execution: what a counterexample consists of.
//!
//! A program is deterministic but for the events below. They are listed in execution order, so
//! that an execution is replayed by handing them out one after the other. An engine that merges
//! paths obtains the list from its model by dropping the events whose path was not taken.

use base::Bv;

/// One free choice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The result of an executed `nondet`, of a volatile load, or of a load (or `mem_compare`)
    /// outside a live object; for a pointer, its address.
    Value(Bv),
    /// A new object (`alloc`) or a scope entered (`lifetime_start`).
    Object {
        /// The base address, if the execution depends on it.
        address: Option<u64>,
        /// Initial contents by offset; bytes that are not listed are 0. Ignored for zeroed objects.
        bytes: Vec<(u64, u8)>,
    },
    /// The bytes that a `mem_havoc`, or a `mem_copy` from outside a live object to a live one,
    /// wrote, by offset from its pointer; others are 0.
    Bytes(Vec<(u64, u8)>),
    /// What unknown code changed: address and byte.
    Clobber(Vec<(u64, u8)>),
}

/// The choices of one execution, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// In execution order.
    pub events: Vec<Event>,
}
