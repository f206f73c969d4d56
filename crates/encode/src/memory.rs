//! Memory as a value, by difference.
//!
//! A memory version is a persistent map from objects to their state: alive, modified, contents.
//! How contents are represented is a choice: [`lambda`] keeps differences and yields nested ites,
//! [`array`] is a term of the theory of arrays. What follows is what all representations share:
//! [`words`] turns an access of any width at any offset into accesses of whole words.
//!
//! A new representation is one file here and one variant of [`Contents`].

use std::rc::Rc;

use base::id;
use rustc_hash::FxHashMap;
use terms::{Sort, Term};

use crate::encoding::{Representation, Word};
use crate::pointer::{Object, Pointer};
use crate::trie::Trie;
use crate::world::World;

pub mod array;
pub mod lambda;
mod merge;
mod words;

use array::Array;
use lambda::Lambda;
pub use lambda::Piece;
use words::{Part, Words};

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

/// What an object began with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Init {
    /// Zeros.
    Zero,
    /// Ones.
    Ones,
    /// A global's initialiser.
    Global(ir::syntax::Global),
    /// Anything.
    Unknown(Unknown),
}

/// The contents of an object.
#[derive(Clone)]
pub enum Contents {
    /// Differences over initial contents.
    Lambda(Lambda),
    /// A term of the theory of arrays.
    Array(Array),
}

impl Contents {
    fn equals(&self, other: &Contents) -> bool {
        match (self, other) {
            (Contents::Lambda(a), Contents::Lambda(b)) => a.equals(b),
            (Contents::Array(a), Contents::Array(b)) => a == b,
            (Contents::Lambda(_), Contents::Array(_))
            | (Contents::Array(_), Contents::Lambda(_)) => false,
        }
    }
}

/// A range of bytes in an object's contents.
#[derive(Clone, Copy)]
pub struct Range {
    /// When it is meant.
    pub guard: Term,
    /// Where it begins.
    pub offset: Term,
    /// How many bytes it has.
    pub len: Term,
    /// The size of the object, if it is constant.
    pub size: Option<u64>,
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
    /// Which bits of them are not initialised, if anybody asks.
    pub shadow: Option<Contents>,
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

    /// Does the other version hold the same, as far as a look at the differences tells?
    pub fn equals(&self, other: &Memory) -> bool {
        self.objects
            .differences(&other.objects)
            .iter()
            .all(|&index| {
                let (a, b) = (self.objects.get(index), other.objects.get(index));
                match (a, b) {
                    (Some(a), Some(b)) => {
                        a.alive == b.alive
                            && a.modified == b.modified
                            && a.contents.equals(&b.contents)
                            && match (&a.shadow, &b.shadow) {
                                (Some(a), Some(b)) => a.equals(b),
                                (a, b) => a.is_none() && b.is_none(),
                            }
                    }
                    (None, None) => true,
                    (Some(_), None) | (None, Some(_)) => false,
                }
            })
    }

    /// Sets the state of an object in this version.
    pub fn set(&mut self, object: Object, state: State) {
        self.objects.set(object.index() as u64, Rc::new(state));
    }
}

/// The bytes of unknown contents that somebody looked at.
pub struct UnknownBytes {
    /// What its variables are called.
    pub name: String,
    /// By offset: a byte of a fresh variable.
    pub pieces: FxHashMap<u64, Piece>,
    /// For reads at symbolic offsets: an array from offsets to bytes, for offsets without a piece.
    pub array: Option<Term>,
    /// How many bytes an element of the array has.
    pub word: u32,
}

impl UnknownBytes {
    /// Nobody has looked yet.
    pub fn new(name: String) -> UnknownBytes {
        UnknownBytes {
            name,
            pieces: FxHashMap::default(),
            array: None,
            word: 1,
        }
    }
}

/// All unknown contents.
#[derive(Default)]
pub struct Unknowns {
    /// By id.
    pub list: base::Map<Unknown, UnknownBytes>,
}

/// The sort of a bit-vector of that many bytes.
pub fn bytes_sort(bytes: u32) -> Sort {
    Sort::BitVec(bytes * 8)
}

/// λ contents as words.
struct LambdaWords {
    contents: Lambda,
    word: u32,
    size: Option<u64>,
}

impl Words for LambdaWords {
    fn word(&self) -> u32 {
        self.word
    }

    fn read_word(&self, world: &mut World<'_>, at: Term) -> Term {
        let scalar = world.read_lambda(&self.contents, at, self.word, self.size);
        world.scalar_bits(scalar)
    }

    fn write_word(&mut self, world: &mut World<'_>, guard: Term, at: Term, bits: Term, _: Part) {
        let scalar = Scalar::Bits(bits);
        self.contents = world.write_lambda(&self.contents, guard, at, scalar, self.word, self.size);
    }
}

impl World<'_> {
    /// What an object began with; `word` is its unit.
    pub fn contents(&mut self, init: Init, word: u32) -> Contents {
        match self.encoding.memory {
            Representation::Lambda => Contents::Lambda(Lambda::new(init)),
            Representation::Array => Contents::Array(self.new_array(init, word)),
        }
    }

    /// λ contents as words, for accesses that are not kept as they are.
    fn as_words(&self, contents: &Lambda, width: u32, size: Option<u64>) -> Option<LambdaWords> {
        let Word::Bytes(word) = self.encoding.word else {
            return None;
        };
        let pointer = self.pointer_bits / 8;
        let word = word.min(pointer);
        // Pointers stay whole.
        (width != word && width != pointer).then(|| LambdaWords {
            contents: contents.clone(),
            word,
            size: size.map(|size| size.next_multiple_of(u64::from(word))),
        })
    }

    /// Reads `width` bytes at an offset. `size` is the object's size, if it is constant.
    pub fn read(
        &mut self,
        contents: &Contents,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        match contents {
            Contents::Lambda(contents) => match self.as_words(contents, width, size) {
                None => self.read_lambda(contents, offset, width, size),
                Some(words) => Scalar::Bits(words::read(self, &words, offset, width)),
            },
            Contents::Array(array) => self.read_array(*array, offset, width),
        }
    }

    /// Writes `width` bytes at an offset, if the guard holds.
    pub fn write(
        &mut self,
        contents: &mut Contents,
        guard: Term,
        offset: Term,
        scalar: Scalar,
        width: u32,
        size: Option<u64>,
    ) {
        match contents {
            Contents::Lambda(lambda) => {
                let always = self.terms.as_bool(guard) == Some(true);
                if let (Scalar::Bits(bits), Some(mut words)) =
                    (scalar, self.as_words(lambda, width, size))
                {
                    words::write(self, &mut words, guard, offset, bits, width);
                    *lambda = words.contents;
                } else if let (Some(at), true) = (self.terms.as_u64(offset), always) {
                    lambda::put(&mut lambda.bytes, at, scalar, width);
                } else {
                    *lambda = self.write_lambda(lambda, guard, offset, scalar, width, size);
                }
            }
            Contents::Array(array) => {
                *array = self.write_array(*array, guard, offset, scalar, width);
            }
        }
    }

    /// Sets a range to a byte.
    pub fn set_range(&mut self, contents: &mut Contents, range: Range, byte: Term) {
        match contents {
            Contents::Lambda(lambda) => *lambda = self.set_lambda(lambda, range, byte),
            Contents::Array(array) => *array = self.set_array(*array, range, byte),
        }
    }

    /// Copies a range from `source`, whose object has that size, beginning at `from`.
    pub fn copy_range(
        &mut self,
        contents: &mut Contents,
        range: Range,
        source: &Contents,
        from: Term,
        size: Option<u64>,
    ) {
        match (contents, source) {
            (Contents::Lambda(lambda), Contents::Lambda(source)) => {
                *lambda = self.copy_lambda(lambda, range, source, from, size);
            }
            (Contents::Array(array), source) => {
                *array = self.copy_array(*array, range, source, from, size);
            }
            (Contents::Lambda(_), Contents::Array(_)) => {
                unreachable!("an evaluation has one representation")
            }
        }
    }

    /// The first contents if the gate holds, else the second.
    pub fn merge_contents(
        &mut self,
        gate: Term,
        a: &Contents,
        b: &Contents,
        size: Option<u64>,
    ) -> Contents {
        match self.terms.as_bool(gate) {
            Some(true) => return a.clone(),
            Some(false) => return b.clone(),
            None => {}
        }
        match (a, b) {
            (Contents::Lambda(a), Contents::Lambda(b)) => {
                Contents::Lambda(self.merge_lambda(gate, a, b, size))
            }
            (Contents::Array(a), Contents::Array(b)) => {
                Contents::Array(self.merge_arrays(gate, *a, *b))
            }
            (Contents::Lambda(_), Contents::Array(_))
            | (Contents::Array(_), Contents::Lambda(_)) => {
                unreachable!("an evaluation has one representation")
            }
        }
    }
}
