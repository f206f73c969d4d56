//! Memory as a value.
//!
//! A memory version is a persistent map from objects to their state: alive, modified, contents. How
//! contents are represented is a choice, and nobody outside of a representation's file knows anything of it:
//! [`lambda`] keeps differences and yields nested ites, [`array`] is a term of the theory of arrays. What
//! all of them share has files of its own: what objects begin with (`init`), contents that nobody has
//! written and what a model says of them (`unknown`), bytes of scalars (`piece`), and accesses of any width
//! at any offset by whole words (`words`).
//!
//! A new representation is one file here, with a type that is [`Bytes`], and one row of `representations!`.

use std::rc::Rc;

use terms::{Sort, Term};

use crate::pointer::{Object, Pointer};
use crate::trie::Trie;
use crate::world::World;

mod array;
mod init;
mod lambda;
mod merge;
mod piece;
mod unknown;
mod words;

pub use init::Init;
pub(crate) use init::Initialisers;
use piece::Piece;
pub use unknown::{Unknown, UnknownBytes};

/// The largest object whose every word is looked at for pointers, and the largest whose every byte is: packed
/// structures keep pointers anywhere.
const SCANNED: u64 = 1 << 16;
const SCANNED_BYTES: u64 = 1 << 10;

/// The contents of an object, in one of the representations.
trait Bytes: Clone {
    /// What is kept for all contents together.
    type Kept: Default;
    /// What an object began with; `word` is the unit that suits its accesses.
    fn new(world: &mut World<'_>, init: Init, word: u32) -> Self;
    /// Do both certainly hold the same?
    fn equals(&self, other: &Self) -> bool;
    /// Reads so many bytes at an offset. `size` is the object's size, if it is constant.
    fn read(&self, world: &mut World<'_>, offset: Term, width: u32, size: Option<u64>) -> Scalar;
    /// Writes.
    fn write(&mut self, world: &mut World<'_>, at: Spot, scalar: Scalar);
    /// Sets a range to a byte.
    fn fill(&mut self, world: &mut World<'_>, range: Range, byte: Term);
    /// Copies a range from `source`, whose object has that size, beginning at `from`.
    fn copy(
        &mut self,
        world: &mut World<'_>,
        range: Range,
        source: &Self,
        from: Term,
        size: Option<u64>,
    );
    /// The first if the gate holds, else the second.
    fn merge(world: &mut World<'_>, gate: Term, a: &Self, b: &Self, size: Option<u64>) -> Self;
    /// Where pointers may begin, and numbers too if they may be addresses; none if that is not known.
    fn pointer_places(
        &self,
        world: &World<'_>,
        size: Option<u64>,
        numbers: bool,
    ) -> Option<Vec<u64>>;
    /// The objects that pointers in it may belong to, more rather than fewer; functions that an
    /// initialiser names only if they are wanted.
    fn pointees(&self, world: &mut World<'_>, functions: bool, found: &mut Vec<Object>);
}

/// Where a scalar is written.
#[derive(Clone, Copy)]
struct Spot {
    guard: Term,
    offset: Term,
    width: u32,
    size: Option<u64>,
}

/// The representations: what an option calls them, what it says of them, and where they are.
macro_rules! representations {
    ($($(#[$doc:meta])* $name:ident, $word:literal, $help:literal, $module:ident::$ty:ident;)+) => {
        /// How the contents of an object are represented.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub enum Representation { $($(#[$doc])* $name,)+ }

        impl Representation {
            /// All of them, by what an option calls them and says of them.
            pub const ALL: &'static [(&'static str, &'static str, Representation)] =
                &[$(($word, $help, Representation::$name)),+];
        }

        #[derive(Clone)]
        enum Any { $($name($module::$ty),)+ }

        /// What representations keep for all contents together.
        #[derive(Default)]
        pub(crate) struct Kept { $($module: <$module::$ty as Bytes>::Kept,)+ }

        impl Contents {
            fn new(world: &mut World<'_>, init: Init, word: u32) -> Contents {
                Contents(match world.encoding.memory {
                    $(Representation::$name => Any::$name(Bytes::new(world, init, word)),)+
                })
            }

            /// Do both certainly hold the same?
            pub(crate) fn equals(&self, other: &Contents) -> bool {
                match (&self.0, &other.0) {
                    $((Any::$name(a), Any::$name(b)) => a.equals(b),)+
                    _ => false,
                }
            }

            fn read(
                &self,
                world: &mut World<'_>,
                offset: Term,
                width: u32,
                size: Option<u64>,
            ) -> Scalar {
                match &self.0 { $(Any::$name(a) => a.read(world, offset, width, size),)+ }
            }

            fn write(&mut self, world: &mut World<'_>, at: Spot, scalar: Scalar) {
                match &mut self.0 { $(Any::$name(a) => a.write(world, at, scalar),)+ }
            }

            fn fill(&mut self, world: &mut World<'_>, range: Range, byte: Term) {
                match &mut self.0 { $(Any::$name(a) => a.fill(world, range, byte),)+ }
            }

            fn copy(
                &mut self,
                world: &mut World<'_>,
                range: Range,
                source: &Contents,
                from: Term,
                size: Option<u64>,
            ) {
                match (&mut self.0, &source.0) {
                    $((Any::$name(a), Any::$name(b)) => a.copy(world, range, b, from, size),)+
                    _ => unreachable!("an evaluation has one representation"),
                }
            }

            fn merge(
                world: &mut World<'_>,
                gate: Term,
                a: &Contents,
                b: &Contents,
                size: Option<u64>,
            ) -> Contents {
                Contents(match (&a.0, &b.0) {
                    $((Any::$name(a), Any::$name(b)) => {
                        Any::$name(Bytes::merge(world, gate, a, b, size))
                    })+
                    _ => unreachable!("an evaluation has one representation"),
                })
            }

            fn pointer_places(
                &self,
                world: &World<'_>,
                size: Option<u64>,
                numbers: bool,
            ) -> Option<Vec<u64>> {
                match &self.0 { $(Any::$name(a) => a.pointer_places(world, size, numbers),)+ }
            }

            fn pointees(&self, world: &mut World<'_>, functions: bool, found: &mut Vec<Object>) {
                match &self.0 { $(Any::$name(a) => a.pointees(world, functions, found),)+ }
            }
        }
    };
}

representations! {
    /// Differences over initial contents: reads become nested ites.
    #[default]
    Lambda, "lambda", "Differences; reads are nested choices", lambda::Lambda;
    /// Terms of the theory of arrays.
    Array, "array", "The theory of arrays", array::Array;
}

/// The contents of an object.
#[derive(Clone)]
pub struct Contents(Any);

/// A value in memory: a bit-vector of whole bytes, or a pointer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// A bit-vector whose width is a multiple of 8.
    Bits(Term),
    /// A pointer.
    Pointer(Pointer),
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

    /// The objects whose states may differ in the other version.
    pub(crate) fn differing(&self, other: &Memory) -> Vec<Object> {
        let differ = self.objects.differences(&other.objects);
        let objects = differ.into_iter();
        objects
            .map(|index| Object::from_index(index as usize))
            .collect()
    }

    /// Sets the state of an object in this version.
    pub fn set(&mut self, object: Object, state: State) {
        self.objects.set(object.index() as u64, Rc::new(state));
    }
}

/// The sort of a bit-vector of that many bytes.
pub fn bytes_sort(bytes: u32) -> Sort {
    Sort::BitVec(bytes * 8)
}

impl World<'_> {
    /// What an object began with; `word` is its unit.
    pub fn contents(&mut self, init: Init, word: u32) -> Contents {
        Contents::new(self, init, word)
    }

    /// Reads `width` bytes at an offset. `size` is the object's size, if it is constant.
    pub fn read(
        &mut self,
        contents: &Contents,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        contents.read(self, offset, width, size)
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
        let spot = Spot {
            guard,
            offset,
            width,
            size,
        };
        contents.write(self, spot, scalar);
    }

    /// Sets a range to a byte.
    pub fn set_range(&mut self, contents: &mut Contents, range: Range, byte: Term) {
        contents.fill(self, range, byte);
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
        contents.copy(self, range, source, from, size);
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
            Some(true) => a.clone(),
            Some(false) => b.clone(),
            None => Contents::merge(self, gate, a, b, size),
        }
    }

    /// Where pointers may begin in contents, in order, and numbers too if they may be addresses; none if that
    /// is not known.
    pub(crate) fn pointer_places(
        &self,
        contents: &Contents,
        size: Option<u64>,
        numbers: bool,
    ) -> Option<Vec<u64>> {
        let mut places = contents.pointer_places(self, size, numbers)?;
        places.sort_unstable();
        places.dedup();
        Some(places)
    }

    /// Objects that contents point to, more rather than fewer; functions that an initialiser names only if
    /// they are wanted.
    pub(crate) fn pointees(
        &mut self,
        contents: &Contents,
        functions: bool,
        found: &mut Vec<Object>,
    ) {
        contents.pointees(self, functions, found);
    }

    /// Every place of an object where a pointer may begin; none if they are too many.
    fn every_place(&self, size: Option<u64>) -> Option<impl Iterator<Item = u64>> {
        let bytes = u64::from(self.pointer_bits / 8);
        let size = size.filter(|&size| size <= SCANNED)?;
        let step = if size <= SCANNED_BYTES { 1 } else { bytes };
        Some((0..(size + 1).saturating_sub(bytes)).step_by(step as usize))
    }
}
