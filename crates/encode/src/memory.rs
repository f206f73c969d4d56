//! Memory as a value.
//!
//! A memory version is a persistent map from objects to their state: alive, modified, contents. How
//! contents are represented is a choice, and nobody outside of a representation's file knows anything of it:
//! [`lambda`] keeps differences and yields nested ites, [`array`] is a term of the theory of arrays, and with
//! [`region`] the objects of a region share one array, so that the contents of an object are no more than
//! its number in there; [`seam`] has the theory of memory. What a version of a memory keeps beside its objects is its [`Shared`]. What
//! all of them have in common has files of its own: what objects begin with (`init`), contents that nobody has
//! written and what a model says of them (`unknown`), bytes of scalars (`piece`), and accesses of any width
//! at any offset by whole words (`words`).
//!
//! A new representation is one file here, with a type that is [`Bytes`], and one row of `representations!`.

use std::rc::Rc;

use terms::{Sort, Term};

use crate::crowd::Places;
use crate::pointer::{Object, Pointer};
use crate::trie::Trie;
use crate::world::World;

mod array;
mod init;
mod lambda;
mod merge;
mod piece;
mod region;
mod seam;
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
    /// What a version of a memory keeps for its objects together.
    type Shared: Clone + PartialEq;
    /// Are contents kept in words of a unit that suits the accesses? Else scalars are kept as they are.
    const WORDS: bool;
    /// Does it know where pointers are?
    const NEAT: bool = false;
    /// What a memory without objects keeps; `word` is the unit that suits the accesses of its region.
    fn share(world: &mut World<'_>, word: u32) -> Self::Shared;
    /// What an object began with; `word` is the unit that suits its accesses.
    fn new(world: &mut World<'_>, shared: &mut Self::Shared, init: Init, word: u32) -> Self;
    /// Do both certainly hold the same, if what they share is the same?
    fn equals(&self, other: &Self) -> bool;
    /// Do contents of one version certainly hold what those of another one hold?
    fn holds_same(
        (mine, shared): (&Self, &Self::Shared),
        _: &mut World<'_>,
        (other, others): (&Self, &Self::Shared),
    ) -> bool {
        shared == others && mine.equals(other)
    }
    /// Reads so many bytes at an offset. `size` is the object's size, if it is constant.
    fn read(
        &self,
        shared: &Self::Shared,
        world: &mut World<'_>,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar;
    /// Writes.
    fn write(&mut self, shared: &mut Self::Shared, world: &mut World<'_>, at: Spot, scalar: Scalar);
    /// Sets a range to a byte.
    fn fill(&mut self, shared: &mut Self::Shared, world: &mut World<'_>, range: Range, byte: Term);
    /// Copies a range from `source`, whose object has that size, beginning at `from`.
    fn copy(
        &mut self,
        shared: &mut Self::Shared,
        world: &mut World<'_>,
        range: Range,
        source: (&Self, &Self::Shared),
        from: Term,
        size: Option<u64>,
    );
    /// The first if the gate holds, else the second.
    fn merge(world: &mut World<'_>, gate: Term, a: &Self, b: &Self, size: Option<u64>) -> Self;
    /// The first if the gate holds, else the second.
    fn merge_shared(
        world: &mut World<'_>,
        gate: Term,
        a: &Self::Shared,
        b: &Self::Shared,
    ) -> Self::Shared;
    /// Where pointers may begin, and numbers too if they may be addresses; none if that is not known.
    fn pointer_places(
        &self,
        shared: &Self::Shared,
        world: &mut World<'_>,
        size: Option<u64>,
        numbers: bool,
    ) -> Option<Vec<u64>>;
    /// Where pointers are, these places among them, if each is null or the beginning of an object; none if that is not known.
    fn neat_places(&self, _: &mut World<'_>, _: u64, _: &Places) -> Option<Places> {
        None
    }
    /// The objects that pointers in it may belong to, more rather than fewer; functions that an
    /// initialiser names only if they are wanted.
    fn pointees(
        &self,
        shared: &Self::Shared,
        world: &mut World<'_>,
        functions: bool,
        found: &mut Vec<Object>,
    );

    /// Reads so many bytes where the case that applies says, moved by `skip`. None if there is no case.
    fn read_one_of(
        world: &mut World<'_>,
        shared: &Self::Shared,
        cases: &[Case<&Self>],
        (skip, width): (Term, u32),
    ) -> Option<Scalar> {
        let mut result = None;
        for case in cases.iter().rev() {
            let offset = world.terms.add(case.offset, skip);
            let value = case.contents.read(shared, world, offset, width, case.size);
            result = Some(match result {
                None => value,
                Some(others) => world.merge_scalars(case.guard, value, others),
            });
        }
        result
    }

    /// Writes where the case that applies says, moved by `skip`; nowhere if none applies.
    fn write_one_of(
        world: &mut World<'_>,
        shared: &mut Self::Shared,
        cases: &mut [Case<&mut Self>],
        (skip, width): (Term, u32),
        scalar: Scalar,
    ) {
        for case in cases {
            let offset = world.terms.add(case.offset, skip);
            let spot = Spot {
                guard: case.guard,
                offset,
                width,
                size: case.size,
            };
            case.contents.write(shared, world, spot, scalar);
        }
    }
}

/// One of the places that an access may mean. The guards of several exclude each other.
pub struct Case<C> {
    /// When it is meant.
    pub guard: Term,
    /// In which contents.
    pub contents: C,
    /// Where.
    pub offset: Term,
    /// The size of the object, if it is constant.
    pub size: Option<u64>,
}

impl<C> Case<C> {
    fn with<D>(&self, contents: D) -> Case<D> {
        Case {
            guard: self.guard,
            contents,
            offset: self.offset,
            size: self.size,
        }
    }
}

/// Where a scalar is written.
#[derive(Clone, Copy)]
struct Spot {
    guard: Term,
    offset: Term,
    width: u32,
    size: Option<u64>,
}

/// An evaluation has one representation: two of its parts never differ in it.
fn mixed() -> ! {
    unreachable!("an evaluation has one representation")
}

/// The representations: what an option calls them, what it says of them, and where they are.
macro_rules! representations {
    ($($(#[$doc:meta])* $name:ident, $word:literal, $help:literal, $module:ident::$ty:ident;)+) => {
        /// How the contents of objects are represented.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub enum Representation { $($(#[$doc])* $name,)+ }

        impl Representation {
            /// All of them, by what an option calls them and says of them.
            pub const ALL: &'static [(&'static str, &'static str, Representation)] =
                &[$(($word, $help, Representation::$name)),+];

            /// Are contents all there is, without what objects of a memory share?
            pub(crate) fn shares_nothing(self) -> bool {
                match self {
                    $(Representation::$name => size_of::<<$module::$ty as Bytes>::Shared>() == 0,)+
                }
            }

            /// Are contents kept in words of a unit?
            pub(crate) fn has_words(self) -> bool {
                match self { $(Representation::$name => <$module::$ty as Bytes>::WORDS,)+ }
            }

            /// Is it known where pointers are in contents?
            pub(crate) fn knows_neat(self) -> bool {
                match self { $(Representation::$name => <$module::$ty as Bytes>::NEAT,)+ }
            }
        }

        #[derive(Clone)]
        enum Any { $($name($module::$ty),)+ }

        #[derive(Clone, PartialEq)]
        enum AnyShared { $($name(<$module::$ty as Bytes>::Shared),)+ }

        /// What representations keep for all contents together.
        #[derive(Default)]
        pub(crate) struct Kept { $($module: <$module::$ty as Bytes>::Kept,)+ }

        impl Shared {
            fn new(world: &mut World<'_>, word: u32) -> Shared {
                Shared(match world.encoding.memory {
                    $(Representation::$name => {
                        AnyShared::$name(<$module::$ty as Bytes>::share(world, word))
                    })+
                })
            }

            fn merge(world: &mut World<'_>, gate: Term, a: &Shared, b: &Shared) -> Shared {
                Shared(match (&a.0, &b.0) {
                    $((AnyShared::$name(a), AnyShared::$name(b)) => {
                        AnyShared::$name(<$module::$ty as Bytes>::merge_shared(world, gate, a, b))
                    })+
                    _ => mixed(),
                })
            }

            fn read_one_of(
                &self,
                world: &mut World<'_>,
                cases: &[Case<&Contents>],
                at: (Term, u32),
            ) -> Option<Scalar> {
                match &self.0 {
                    $(AnyShared::$name(shared) => {
                        let cases = cases.iter().map(|case| case.with(match &case.contents.0 {
                            Any::$name(contents) => contents,
                            _ => mixed(),
                        }));
                        let cases: Vec<Case<&$module::$ty>> = cases.collect();
                        Bytes::read_one_of(world, shared, &cases, at)
                    })+
                }
            }

            fn write_one_of(
                &mut self,
                world: &mut World<'_>,
                cases: &mut [Case<&mut Contents>],
                at: (Term, u32),
                scalar: Scalar,
            ) {
                match &mut self.0 {
                    $(AnyShared::$name(shared) => {
                        let mut list: Vec<Case<&mut $module::$ty>> = Vec::with_capacity(cases.len());
                        for case in cases {
                            let Case { guard, offset, size, .. } = *case;
                            let contents = match &mut case.contents.0 {
                                Any::$name(contents) => contents,
                                _ => mixed(),
                            };
                            list.push(Case { guard, contents, offset, size });
                        }
                        Bytes::write_one_of(world, shared, &mut list, at, scalar);
                    })+
                }
            }
        }

        impl Contents {
            fn new(world: &mut World<'_>, shared: &mut Shared, init: Init, word: u32) -> Contents {
                Contents(match &mut shared.0 {
                    $(AnyShared::$name(shared) => {
                        Any::$name(Bytes::new(world, shared, init, word))
                    })+
                })
            }

            /// Do both certainly hold the same, if what they share is the same?
            fn equals(&self, other: &Contents) -> bool {
                match (&self.0, &other.0) {
                    $((Any::$name(a), Any::$name(b)) => a.equals(b),)+
                    _ => false,
                }
            }

            /// Do contents of one version certainly hold what those of another one hold?
            fn holds_same(
                (mine, shared): (&Contents, &Shared),
                world: &mut World<'_>,
                (other, others): (&Contents, &Shared),
            ) -> bool {
                match ((&mine.0, &shared.0), (&other.0, &others.0)) {
                    $(((Any::$name(a), AnyShared::$name(shared)),
                       (Any::$name(b), AnyShared::$name(others))) => {
                        Bytes::holds_same((a, shared), world, (b, others))
                    })+
                    _ => mixed(),
                }
            }

            fn read(
                &self,
                shared: &Shared,
                world: &mut World<'_>,
                offset: Term,
                width: u32,
                size: Option<u64>,
            ) -> Scalar {
                match (&self.0, &shared.0) {
                    $((Any::$name(a), AnyShared::$name(shared)) => {
                        a.read(shared, world, offset, width, size)
                    })+
                    _ => mixed(),
                }
            }

            fn fill(
                &mut self,
                shared: &mut Shared,
                world: &mut World<'_>,
                range: Range,
                byte: Term,
            ) {
                match (&mut self.0, &mut shared.0) {
                    $((Any::$name(a), AnyShared::$name(shared)) => {
                        a.fill(shared, world, range, byte)
                    })+
                    _ => mixed(),
                }
            }

            fn copy(
                &mut self,
                shared: &mut Shared,
                world: &mut World<'_>,
                range: Range,
                source: (&Contents, &Shared),
                from: Term,
                size: Option<u64>,
            ) {
                match ((&mut self.0, &mut shared.0), (&source.0.0, &source.1.0)) {
                    $(((Any::$name(a), AnyShared::$name(shared)),
                       (Any::$name(b), AnyShared::$name(its))) => {
                        a.copy(shared, world, range, (b, its), from, size)
                    })+
                    _ => mixed(),
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
                    _ => mixed(),
                })
            }

            fn pointer_places(
                &self,
                shared: &Shared,
                world: &mut World<'_>,
                size: Option<u64>,
                numbers: bool,
            ) -> Option<Vec<u64>> {
                match (&self.0, &shared.0) {
                    $((Any::$name(a), AnyShared::$name(shared)) => {
                        a.pointer_places(shared, world, size, numbers)
                    })+
                    _ => mixed(),
                }
            }

            pub(crate) fn neat_places(
                &self,
                world: &mut World<'_>,
                size: u64,
                wanted: &Places,
            ) -> Option<Places> {
                match &self.0 {
                    $(Any::$name(a) => a.neat_places(world, size, wanted),)+
                }
            }

            fn pointees(
                &self,
                shared: &Shared,
                world: &mut World<'_>,
                functions: bool,
                found: &mut Vec<Object>,
            ) {
                match (&self.0, &shared.0) {
                    $((Any::$name(a), AnyShared::$name(shared)) => {
                        a.pointees(shared, world, functions, found)
                    })+
                    _ => mixed(),
                }
            }
        }
    };
}

representations! {
    /// Differences over initial contents: reads become nested ites.
    #[default]
    Lambda, "lambda", "Differences; reads are nested choices", lambda::Lambda;
    /// Terms of the theory of arrays, one for each object.
    Array, "array", "The theory of arrays, an array for each object", array::Array;
    /// Terms of the theory of arrays, one for all objects of a region.
    Region, "region", "The theory of arrays, an array for each region", region::Place;
    /// Expressions of the theory of memory, one for all objects of a region: reads are rewritten away.
    Seam, "seam", "The theory of memory; reads are rewritten away", seam::Place;
}

/// What the objects of a version of a memory share.
#[derive(Clone, PartialEq)]
pub struct Shared(AnyShared);

/// The contents of an object: nothing without what it shares with others of its memory.
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
#[derive(Clone)]
pub struct Memory {
    /// The objects of the region.
    pub objects: Trie<State>,
    /// What their contents share.
    pub shared: Shared,
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
        self.shared == other.shared
            && self
                .objects
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
        let differ = if self.shared == other.shared {
            self.objects.differences(&other.objects)
        } else {
            let entries = self.objects.entries().into_iter();
            let others = other.objects.entries().into_iter();
            let mut all: Vec<u64> = entries.chain(others).map(|(index, _)| index).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
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
    /// A memory without objects; `word` is the unit that suits the accesses of its region.
    pub fn empty_memory(&mut self, word: u32) -> Memory {
        Memory {
            objects: Trie::default(),
            shared: Shared::new(self, word),
        }
    }

    /// What an object of a memory began with; `word` is its unit.
    pub fn contents(&mut self, shared: &mut Shared, init: Init, word: u32) -> Contents {
        Contents::new(self, shared, init, word)
    }

    /// Reads `width` bytes at an offset. `size` is the object's size, if it is constant.
    pub fn read(
        &mut self,
        shared: &Shared,
        contents: &Contents,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        contents.read(shared, self, offset, width, size)
    }

    /// Reads `width` bytes of an object in a memory at an offset, if it has the object.
    pub fn read_object(
        &mut self,
        memory: &Memory,
        object: Object,
        offset: Term,
        width: u32,
    ) -> Option<Scalar> {
        let state = memory.state(object)?;
        let size = self.objects[object].fixed;
        Some(self.read(&memory.shared, &state.contents, offset, width, size))
    }

    /// Reads `width` bytes where the case that applies says, moved by `skip`; none if there is no case.
    pub(crate) fn read_one_of(
        &mut self,
        shared: &Shared,
        cases: &[Case<&Contents>],
        at: (Term, u32),
    ) -> Option<Scalar> {
        shared.read_one_of(self, cases, at)
    }

    /// Writes `width` bytes where the case that applies says, moved by `skip`; nowhere if none applies.
    pub fn write_one_of(
        &mut self,
        shared: &mut Shared,
        cases: &mut [Case<&mut Contents>],
        at: (Term, u32),
        scalar: Scalar,
    ) {
        shared.write_one_of(self, cases, at, scalar);
    }

    /// Do contents of one version certainly hold what those of another one hold?
    pub(crate) fn holds_same(
        &mut self,
        one: (&Contents, &Shared),
        other: (&Contents, &Shared),
    ) -> bool {
        Contents::holds_same(one, self, other)
    }

    /// Sets a range to a byte.
    pub(crate) fn set_range(
        &mut self,
        shared: &mut Shared,
        contents: &mut Contents,
        range: Range,
        byte: Term,
    ) {
        contents.fill(shared, self, range, byte);
    }

    /// Copies a range from `source`, whose object has that size, beginning at `from`.
    pub fn copy_range(
        &mut self,
        shared: &mut Shared,
        contents: &mut Contents,
        range: Range,
        source: (&Contents, &Shared),
        (from, size): (Term, Option<u64>),
    ) {
        contents.copy(shared, self, range, source, from, size);
    }

    /// Copies a range from contents that nobody has written, beginning at their start.
    pub(crate) fn copy_unknown(
        &mut self,
        shared: &mut Shared,
        contents: &mut Contents,
        range: Range,
        (unknown, word): (Unknown, u32),
    ) {
        let source = self.contents(shared, Init::Unknown(unknown), word);
        let (start, its) = (self.word(0), shared.clone());
        self.copy_range(shared, contents, range, (&source, &its), (start, None));
    }

    /// The first contents if the gate holds, else the second.
    pub(crate) fn merge_contents(
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
        &mut self,
        shared: &Shared,
        contents: &Contents,
        size: Option<u64>,
        numbers: bool,
    ) -> Option<Vec<u64>> {
        let mut places = contents.pointer_places(shared, self, size, numbers)?;
        places.sort_unstable();
        places.dedup();
        Some(places)
    }

    /// Objects that contents point to, more rather than fewer; functions that an initialiser names only if
    /// they are wanted.
    pub(crate) fn pointees(
        &mut self,
        shared: &Shared,
        contents: &Contents,
        functions: bool,
        found: &mut Vec<Object>,
    ) {
        contents.pointees(shared, self, functions, found);
    }

    /// Every place of an object where a pointer may begin; none if they are too many.
    fn every_place(&self, size: Option<u64>) -> Option<impl Iterator<Item = u64>> {
        let bytes = u64::from(self.pointer_bits / 8);
        let size = size.filter(|&size| size <= SCANNED)?;
        let step = if size <= SCANNED_BYTES { 1 } else { bytes };
        Some((0..(size + 1).saturating_sub(bytes)).step_by(step as usize))
    }
}
