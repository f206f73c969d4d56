//! The choices of one execution: what a counterexample consists of.
//!
//! A program is deterministic but for the events below. They are listed in execution order, so
//! that an execution is replayed by handing them out one after the other. An engine that merges
//! paths obtains the list from its model by dropping the events whose path was not taken.

use base::Bv;
use ir::syntax::Global;
use serde::{Deserialize, Serialize};

/// One free choice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
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
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Trace {
    /// In execution order.
    pub events: Vec<Event>,
}

/// A choice about a global that is made before the execution starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GlobalChoice {
    /// Which global.
    pub global: Global,
    /// Its address, if the execution depends on it.
    pub address: Option<u64>,
    /// What its `any` bytes hold, by offset; bytes that are not listed are 0.
    pub bytes: Vec<(u64, u8)>,
}

/// What the bytes of a new object hold until they are written. A byte is looked up when it is
/// first read, so that an object of many gigabytes costs what the program touches.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Fill {
    /// Zeros.
    #[default]
    Zero,
    /// By offset, in ascending order; zeros elsewhere.
    Listed(Box<[(u64, u8)]>),
    /// Random bytes that depend on the number and the offset only.
    Seeded(u64),
    /// This byte everywhere.
    Same(u8),
}

impl Fill {
    /// The fill with these bytes; of two for one offset the later counts.
    pub fn listed(bytes: &[(u64, u8)]) -> Fill {
        if bytes.is_empty() {
            return Fill::Zero;
        }
        let map: std::collections::BTreeMap<u64, u8> = bytes.iter().copied().collect();
        Fill::Listed(map.into_iter().collect())
    }

    /// The byte at an offset.
    pub fn byte(&self, offset: u64) -> u8 {
        match self {
            Fill::Zero => 0,
            Fill::Same(byte) => *byte,
            Fill::Listed(bytes) => match bytes.binary_search_by_key(&offset, |&(at, _)| at) {
                Ok(index) => bytes[index].1,
                Err(_) => 0,
            },
            Fill::Seeded(seed) => {
                let word = mix(seed.wrapping_add(mix(offset / 8)));
                (word >> (8 * (offset % 8))) as u8
            }
        }
    }
}

/// A bijection on words that scatters its argument (the finaliser of SplitMix64).
pub fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
