//! Contents by difference: bytes at known offsets over layers.
//!
//! Contents are bytes at known offsets, over a chain of layers for writes at offsets that are not
//! known, over the initial contents:
//!
//! ```text
//!   bytes   0: x[0] 1: x[1] 2: x[2] 3: x[3]  8: p[0] …      writes at constant offsets
//!   layer   store 4 bytes of y at 4*i                        a write at a symbolic offset
//!   bytes   …                                                older writes
//!   init    zero | a global's initialiser | unknown          what the object began with
//! ```
//!
//! A byte is the n-th byte of a stored scalar, so that what is stored as a pointer or a word is read
//! back as that very pointer or word, and a byte-wise copy of it too. A read at a constant offset is
//! a look-up; a join merges the bytes that differ and shares the rest. This is the λ representation
//! with the known part kept as a map: a read through layers yields nested ites, no array theory.

use std::rc::Rc;

use terms::Term;

use super::{Init, Scalar};
use crate::trie::Trie;

mod merge;
mod read;
mod write;

pub(crate) use write::put;

/// What a byte holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Piece {
    /// Not written here: what is below counts.
    #[default]
    Hole,
    /// The byte `index` (little endian) of a scalar of `width` bytes.
    Byte {
        /// The scalar.
        scalar: Scalar,
        /// Which byte of it.
        index: u8,
        /// How many it has.
        width: u8,
    },
}

/// The bytes of a chunk.
pub const CHUNK: u64 = 16;
/// Sixteen neighbouring bytes.
pub type Chunk = [Piece; CHUNK as usize];

/// The contents of an object.
#[derive(Clone)]
pub struct Lambda {
    /// Writes at constant offsets, newer than what is under them.
    pub bytes: Trie<Chunk>,
    /// What is under them.
    pub under: Under,
}

/// What lies under the bytes of known offsets.
#[derive(Clone)]
pub enum Under {
    /// What the object began with.
    Init(Init),
    /// A write at an offset that is not constant, over older contents.
    Layer(Rc<Layer>),
}

/// A write at an offset that is not constant.
pub struct Layer {
    /// Identity, for the cache of reads.
    pub id: u32,
    /// What was written.
    pub write: Write,
    /// Older contents.
    pub below: Lambda,
}

/// What a layer writes.
pub enum Write {
    /// A scalar, if the guard holds.
    Store {
        /// When.
        guard: Term,
        /// Where.
        offset: Term,
        /// How many bytes.
        width: u32,
        /// What.
        scalar: Scalar,
    },
    /// The same byte many times.
    Set {
        /// When.
        guard: Term,
        /// Where.
        offset: Term,
        /// How many.
        len: Term,
        /// The byte.
        byte: Term,
    },
    /// Bytes of other contents.
    Copy {
        /// When.
        guard: Term,
        /// Where.
        offset: Term,
        /// How many.
        len: Term,
        /// From which contents.
        source: Lambda,
        /// From which offset there.
        from: Term,
        /// The size of the object they belong to, if it is constant.
        size: Option<u64>,
    },
    /// Other contents altogether if the gate holds.
    Choice {
        /// When.
        gate: Term,
        /// Instead of those below.
        other: Lambda,
    },
}

impl Lambda {
    /// Lambda that nobody has written to.
    pub fn new(init: Init) -> Lambda {
        Lambda {
            bytes: Trie::default(),
            under: Under::Init(init),
        }
    }

    /// The byte at an offset, as far as it was written at a constant offset.
    pub fn piece(&self, offset: u64) -> Piece {
        match self.bytes.get(offset / CHUNK) {
            Some(chunk) => chunk[(offset % CHUNK) as usize],
            None => Piece::Hole,
        }
    }

    /// Do both hold the same, as far as a look at the differences tells?
    pub fn equals(&self, other: &Lambda) -> bool {
        let differ = self.bytes.differences(&other.bytes);
        let same = |&index: &u64| self.bytes.get(index) == other.bytes.get(index);
        self.same_under(other) && differ.iter().all(same)
    }

    /// Are the two the same version?
    pub fn same(&self, other: &Lambda) -> bool {
        self.bytes.same(&other.bytes) && self.same_under(other)
    }

    /// Is what lies under the known bytes the same?
    pub fn same_under(&self, other: &Lambda) -> bool {
        match (&self.under, &other.under) {
            (Under::Init(a), Under::Init(b)) => a == b,
            (Under::Layer(a), Under::Layer(b)) => Rc::ptr_eq(a, b),
            (Under::Init(_), Under::Layer(_)) | (Under::Layer(_), Under::Init(_)) => false,
        }
    }
}
