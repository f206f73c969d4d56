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

use rustc_hash::{FxHashMap, FxHashSet};
use terms::Term;

use super::words::{self, Part, Words};
use super::{Bytes, Init, Piece, Range, Scalar, Spot};
use crate::crowd::Places;
use crate::encoding::Word;
use crate::pointer::Object;
use crate::trie::Trie;
use crate::world::World;

mod layers;
mod merge;
mod read;
mod spread;
mod write;

/// The bytes of a chunk.
const CHUNK: u64 = 16;
/// Sixteen neighbouring bytes.
type Chunk = [Piece; CHUNK as usize];

/// The contents of an object.
#[derive(Clone)]
pub(super) struct Lambda {
    /// Writes at constant offsets, newer than what is under them.
    bytes: Trie<Chunk>,
    /// What is under them.
    under: Under,
}

/// What lies under the bytes of known offsets.
#[derive(Clone)]
enum Under {
    /// What the object began with.
    Init(Init),
    /// A write at an offset that is not constant, over older contents.
    Layer(Rc<Layer>),
}

/// A write at an offset that is not constant.
struct Layer {
    /// Identity, for the cache of reads.
    id: u32,
    /// What was written.
    write: Write,
    /// Older contents.
    below: Lambda,
}

/// What a layer writes.
enum Write {
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

/// What is kept for all contents together.
#[derive(Default)]
pub(super) struct Reads {
    /// What was read of a layer, by offset and width.
    reads: FxHashMap<(u32, Term, u32), Scalar>,
    last_layer: u32,
}

impl Layer {
    /// The contents that the layer needs.
    fn needs(&mut self) -> impl Iterator<Item = &mut Lambda> {
        let other = match &mut self.write {
            Write::Store { .. } | Write::Set { .. } => None,
            Write::Copy { source, .. } => Some(source),
            Write::Choice { other, .. } => Some(other),
        };
        std::iter::once(&mut self.below).chain(other)
    }
}

/// Chains of layers may be long: what only this one needs goes one by one.
impl Drop for Layer {
    fn drop(&mut self) {
        let bottom = || Under::Init(Init::Zero);
        let mut work: Vec<Under> = self
            .needs()
            .map(|contents| std::mem::replace(&mut contents.under, bottom()))
            .collect();
        while let Some(under) = work.pop() {
            if let Under::Layer(layer) = under
                && let Ok(mut layer) = Rc::try_unwrap(layer)
            {
                let needs = layer.needs();
                work.extend(needs.map(|contents| std::mem::replace(&mut contents.under, bottom())));
            }
        }
    }
}

impl Lambda {
    /// Lambda that nobody has written to.
    fn new(init: Init) -> Lambda {
        Lambda {
            bytes: Trie::default(),
            under: Under::Init(init),
        }
    }

    /// The byte at an offset, as far as it was written at a constant offset.
    fn piece(&self, offset: u64) -> Piece {
        match self.bytes.get(offset / CHUNK) {
            Some(chunk) => chunk[(offset % CHUNK) as usize],
            None => Piece::Hole,
        }
    }

    /// The scalar that was written just there, if nothing changed it since.
    fn scalar_at(&self, at: u64, width: u32) -> Option<Scalar> {
        let Piece::Byte {
            scalar,
            index: 0,
            width: whole,
        } = self.piece(at)
        else {
            return None;
        };
        let matches = |i: u32| {
            self.piece(at.wrapping_add(i.into()))
                == Piece::Byte {
                    scalar,
                    index: i as u8,
                    width: whole,
                }
        };
        (u32::from(whole) == width && (1..width).all(matches)).then_some(scalar)
    }

    /// Do both hold the same, as far as a look at the differences tells?
    fn holds_the_same(&self, other: &Lambda) -> bool {
        let differ = self.bytes.differences(&other.bytes);
        let same = |&index: &u64| self.bytes.get(index) == other.bytes.get(index);
        self.same_under(other) && differ.iter().all(same)
    }

    /// Are the two the same version?
    fn same(&self, other: &Lambda) -> bool {
        self.bytes.same(&other.bytes) && self.same_under(other)
    }

    /// Is what lies under the known bytes the same?
    fn same_under(&self, other: &Lambda) -> bool {
        match (&self.under, &other.under) {
            (Under::Init(a), Under::Init(b)) => a == b,
            (Under::Layer(a), Under::Layer(b)) => Rc::ptr_eq(a, b),
            (Under::Init(_), Under::Layer(_)) | (Under::Layer(_), Under::Init(_)) => false,
        }
    }
}

impl Bytes for Lambda {
    type Kept = Reads;
    type Shared = ();
    const WORDS: bool = false;
    const NEAT: bool = true;

    fn share(_: &mut World<'_>, _: u32) {}

    fn new(_: &mut World<'_>, _: &mut (), init: Init, _: u32) -> Lambda {
        Lambda::new(init)
    }

    fn equals(&self, other: &Lambda) -> bool {
        self.holds_the_same(other)
    }

    fn read(
        &self,
        _: &(),
        world: &mut World<'_>,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        match world.as_words(self, width, size) {
            None => world.read_lambda(self, offset, width, size),
            Some(words) => Scalar::Bits(words::read(world, &words, offset, width)),
        }
    }

    fn write(&mut self, _: &mut (), world: &mut World<'_>, at: Spot, scalar: Scalar) {
        let Spot {
            guard,
            offset,
            width,
            size,
        } = at;
        let always = world.terms.as_bool(guard) == Some(true);
        if let (Scalar::Bits(bits), Some(mut words)) = (scalar, world.as_words(self, width, size)) {
            words::write(world, &mut words, guard, offset, bits, width);
            *self = words.contents;
        } else if let (Some(at), true) = (world.terms.as_u64(offset), always) {
            write::put(&mut self.bytes, at, scalar, width);
        } else {
            *self = world.write_lambda(self, guard, offset, scalar, width, size);
        }
    }

    fn fill(&mut self, _: &mut (), world: &mut World<'_>, range: Range, byte: Term) {
        *self = world.set_lambda(self, range, byte);
    }

    fn copy(
        &mut self,
        _: &mut (),
        world: &mut World<'_>,
        range: Range,
        (source, _): (&Lambda, &()),
        from: Term,
        size: Option<u64>,
    ) {
        *self = world.copy_lambda(self, range, source, from, size);
    }

    fn merge(
        world: &mut World<'_>,
        gate: Term,
        a: &Lambda,
        b: &Lambda,
        size: Option<u64>,
    ) -> Lambda {
        world.merge_lambda(gate, a, b, size)
    }

    fn merge_shared(_: &mut World<'_>, _: Term, _: &(), _: &()) {}

    fn pointer_places(
        &self,
        _: &(),
        world: &mut World<'_>,
        size: Option<u64>,
        numbers: bool,
    ) -> Option<Vec<u64>> {
        let bytes = u64::from(world.pointer_bits / 8);
        let mut places: Vec<u64> = Vec::new();
        let below = match self.under {
            Under::Init(Init::Zero | Init::Ones) => false,
            Under::Init(Init::Unknown(unknown)) => {
                world.unknowns[unknown].pointees().next().is_some()
            }
            Under::Init(Init::Global(_)) | Under::Layer(_) => true,
        };
        if below {
            match (&self.under, world.every_place(size)) {
                (_, Some(all)) => places.extend(all),
                // An initialiser leads to globals and functions only; what was stored since is below.
                (Under::Init(Init::Global(_)), None) => {}
                (Under::Init(_) | Under::Layer(_), None) => return None,
            }
        }
        for (index, chunk) in self.bytes.entries() {
            for (slot, piece) in chunk.iter().enumerate() {
                let at = index * CHUNK + slot as u64;
                let begins = match piece {
                    Piece::Byte {
                        scalar: Scalar::Pointer(_),
                        index: 0,
                        ..
                    } => true,
                    Piece::Byte {
                        scalar: Scalar::Bits(_),
                        index: 0,
                        ..
                    } => numbers,
                    Piece::Byte { .. } | Piece::Hole => false,
                };
                if begins && size.is_none_or(|size| at + bytes <= size) {
                    places.push(at);
                }
            }
        }
        Some(places)
    }

    fn neat_places(&self, world: &mut World<'_>, size: u64, wanted: &Places) -> Option<Places> {
        let bytes = u64::from(world.pointer_bits / 8);
        let mut places = wanted.clone();
        let Under::Init(begun) = &self.under else {
            return None;
        };
        let mut below = Places::new();
        match *begun {
            Init::Zero => {}
            Init::Unknown(unknown) => match world.unknowns[unknown].neat() {
                Some(neat) => below.extend(neat),
                None if world.unknowns[unknown].pointees().next().is_none() => {}
                None => return None,
            },
            Init::Ones | Init::Global(_) => return None,
        }
        places.extend(&below);
        for (number, chunk) in self.bytes.entries() {
            for (slot, piece) in (0..).zip(chunk.iter()) {
                if let Piece::Byte {
                    scalar: Scalar::Pointer(_),
                    index,
                    ..
                } = piece
                {
                    places.insert((number * CHUNK + slot).checked_sub(u64::from(*index))?);
                }
            }
        }
        let zeros = *begun == Init::Zero;
        places
            .iter()
            .all(|&at| {
                let fits = at.checked_add(bytes).is_some_and(|end| end <= size);
                let untouched = (at..at + bytes).all(|byte| self.piece(byte) == Piece::Hole);
                fits && match self.scalar_at(at, bytes as u32) {
                    Some(Scalar::Pointer(pointer)) => world.is_neat(pointer),
                    Some(Scalar::Bits(bits)) => world.terms.as_u64(bits) == Some(0),
                    None => untouched && (zeros || below.contains(&at)),
                }
            })
            .then_some(places)
    }

    fn pointees(&self, _: &(), world: &mut World<'_>, functions: bool, found: &mut Vec<Object>) {
        let mut work = vec![self.clone()];
        // Layers are shared: contents copied back and forth have as many ways down as one likes.
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        while let Some(contents) = work.pop() {
            for (_, chunk) in contents.bytes.entries() {
                for piece in chunk.iter() {
                    if let Piece::Byte {
                        scalar: Scalar::Pointer(pointer),
                        ..
                    } = piece
                    {
                        found.extend(world.objects_of(*pointer).iter().map(|x| x.object));
                    }
                }
            }
            let layer = match &contents.under {
                Under::Init(init) => {
                    world.init_pointees(*init, functions, found);
                    continue;
                }
                Under::Layer(layer) => layer,
            };
            if !seen.insert(layer.id) {
                continue;
            }
            work.push(layer.below.clone());
            match &layer.write {
                Write::Store {
                    scalar: Scalar::Pointer(pointer),
                    ..
                } => found.extend(world.objects_of(*pointer).iter().map(|x| x.object)),
                Write::Store { .. } | Write::Set { .. } => {}
                Write::Copy { source, .. } => work.push(source.clone()),
                Write::Choice { other, .. } => work.push(other.clone()),
            }
        }
    }
}

/// Contents as words.
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
    /// Reads what an object began with.
    pub(super) fn read_begun(
        &mut self,
        init: Init,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        Bytes::read(&Lambda::new(init), &(), self, offset, width, size)
    }

    /// Contents as words, for accesses that are not kept as they are.
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
}
