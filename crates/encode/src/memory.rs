//! Memory as a value, by difference.
//!
//! A memory version is a persistent map from objects to their state: alive, modified, contents.
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

use base::id;
use rustc_hash::FxHashMap;
use terms::{Sort, Term};

use crate::pointer::{Object, Pointer};
use crate::trie::Trie;

mod merge;
mod read;
mod write;

pub use write::put;

id! {
    /// Contents that nobody has written: any bytes, the same at each look.
    Unknown, "unknown"
}

/// A value in memory: a bit-vector of whole bytes, or a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// A bit-vector whose width is a multiple of 8.
    Bits(Term),
    /// A pointer.
    Pointer(Pointer),
}

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
pub struct Contents {
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

/// What an object began with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Init {
    /// Zeros.
    Zero,
    /// A global's initialiser.
    Global(ir::syntax::Global),
    /// Anything.
    Unknown(Unknown),
}

/// A write at an offset that is not constant.
pub struct Layer {
    /// Identity, for the cache of reads.
    pub id: u32,
    /// What was written.
    pub write: Write,
    /// Older contents.
    pub below: Contents,
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
        source: Contents,
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
        other: Contents,
    },
}

/// The state of an object in a memory version.
#[derive(Clone)]
pub struct State {
    /// Is it alive? Boolean.
    pub alive: Term,
    /// Was it written since its allocation or the last reset? Boolean.
    pub modified: Term,
    /// Its bytes.
    pub contents: Contents,
}

/// A memory version.
#[derive(Clone, Default)]
pub struct Memory {
    /// The objects of the region.
    pub objects: Trie<State>,
}

impl Memory {
    /// The state of an object, if it lives in this region and was allocated on this path.
    pub fn state(&self, object: Object) -> Option<&Rc<State>> {
        self.objects.get(object.index() as u64)
    }

    /// The state of an object, to be set again: moved out if no other version shares it.
    pub fn take(&mut self, object: Object) -> Option<State> {
        let state = self.objects.take(object.index() as u64)?;
        Some(Rc::unwrap_or_clone(state))
    }

    /// Sets the state of an object in this version.
    pub fn set(&mut self, object: Object, state: State) {
        self.objects.set(object.index() as u64, Rc::new(state));
    }
}

/// The bytes of unknown contents that somebody looked at.
#[derive(Default)]
pub struct UnknownBytes {
    /// By offset: a byte of a fresh variable.
    pub pieces: FxHashMap<u64, Piece>,
    /// For reads at symbolic offsets: an array from offsets to bytes, for offsets without a piece.
    pub array: Option<Term>,
}

/// All unknown contents.
#[derive(Default)]
pub struct Unknowns {
    /// By id.
    pub list: base::Map<Unknown, UnknownBytes>,
}

impl Contents {
    /// Contents that nobody has written to.
    pub fn new(init: Init) -> Contents {
        Contents {
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

    /// Are the two the same version?
    pub fn same(&self, other: &Contents) -> bool {
        self.bytes.same(&other.bytes) && self.same_under(other)
    }

    /// Is what lies under the known bytes the same?
    pub fn same_under(&self, other: &Contents) -> bool {
        match (&self.under, &other.under) {
            (Under::Init(a), Under::Init(b)) => a == b,
            (Under::Layer(a), Under::Layer(b)) => Rc::ptr_eq(a, b),
            (Under::Init(_), Under::Layer(_)) | (Under::Layer(_), Under::Init(_)) => false,
        }
    }
}

/// The sort of a bit-vector of that many bytes.
pub fn bytes_sort(bytes: u32) -> Sort {
    Sort::BitVec(bytes * 8)
}
