//! Contents as terms of the theory of arrays.
//!
//! An object is an array from word numbers to words (or a part of the array of its region: see [`super::region`]), and a second one from word numbers to *owners*:
//! the object that a pointer in that word belongs to, 0 if there is none. A pointer is stored as its
//! address and its owner, so that it is the same pointer when it is read again; a pointer whose words
//! do not agree on their owner is an address like any other.
//!
//! Ranges of symbolic length have no counterpart in the theory: they are unfolded over the object if
//! it is small, else what happens is left open and recorded as a gap.

use std::collections::{BTreeMap, BTreeSet};

use ir::syntax::{Global, InitPiece};
use terms::{Sort, Term};

use super::words::{self, Part, Words};
use super::{Bytes, Init, Range, Scalar, Spot};
use crate::pointer::{Alternative, NOWHERE, OWNER, Object};
use crate::util::trailing_zeros;
use crate::world::World;

/// The largest object over which a range of symbolic length is unfolded, and the longest constant one.
const UNFOLD: u64 = 4096;
/// What is said when a range cannot be unfolded.
const TOO_LONG: &str = "a copy or fill of unknown length in an array that is too large to unfold";

/// Contents of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Array {
    /// Bytes in a word.
    pub(super) word: u32,
    /// From word numbers to words.
    pub(super) data: Term,
    /// From word numbers to owners; none if no pointer was ever stored.
    pub(super) owners: Option<Term>,
    /// Where several share the arrays: the number that its word numbers follow in the indices.
    pub(super) part: Option<Term>,
}

/// What is kept for all contents together.
#[derive(Default)]
pub(super) struct Stored {
    /// Objects whose pointers are in arrays.
    stored: BTreeSet<Object>,
}

impl Bytes for Array {
    type Kept = Stored;
    type Shared = ();
    const WORDS: bool = true;

    fn share(_: &mut World<'_>, _: u32) {}

    fn new(world: &mut World<'_>, _: &mut (), init: Init, word: u32) -> Array {
        world.new_array(init, word)
    }

    fn equals(&self, other: &Array) -> bool {
        self == other
    }

    fn read(
        &self,
        _: &(),
        world: &mut World<'_>,
        offset: Term,
        width: u32,
        _: Option<u64>,
    ) -> Scalar {
        world.read_array(*self, offset, width)
    }

    fn write(&mut self, _: &mut (), world: &mut World<'_>, at: Spot, scalar: Scalar) {
        *self = world.write_array(*self, at.guard, at.offset, scalar, at.width);
    }

    fn fill(&mut self, _: &mut (), world: &mut World<'_>, range: Range, byte: Term) {
        for (at, unit, guard) in world.units(range, self.word, None) {
            let offset = world.word(at);
            let scalar = Scalar::Bits(world.repeated(byte, unit));
            *self = world.write_array(*self, guard, offset, scalar, unit);
        }
    }

    fn copy(
        &mut self,
        _: &mut (),
        world: &mut World<'_>,
        range: Range,
        (source, _): (&Array, &()),
        from: Term,
        _: Option<u64>,
    ) {
        for (at, unit, guard) in world.units(range, self.word, Some(from)) {
            let (offset, place) = world.copied(at, range, from);
            let scalar = world.read_array(*source, place, unit);
            *self = world.write_array(*self, guard, offset, scalar, unit);
        }
    }

    fn merge(world: &mut World<'_>, gate: Term, a: &Array, b: &Array, _: Option<u64>) -> Array {
        world.merge_arrays(gate, *a, *b)
    }

    fn merge_shared(_: &mut World<'_>, _: Term, _: &(), _: &()) {}

    fn pointer_places(
        &self,
        _: &(),
        world: &mut World<'_>,
        size: Option<u64>,
        numbers: bool,
    ) -> Option<Vec<u64>> {
        if self.owners.is_none() && !world.style().numbers_are_pointers() && !numbers {
            return Some(Vec::new());
        }
        Some(world.every_place(size)?.collect())
    }

    fn pointees(&self, _: &(), world: &mut World<'_>, _: bool, found: &mut Vec<Object>) {
        if world.style().numbers_are_pointers() {
            found.extend(world.objects.keys());
        } else if self.owners.is_some() {
            found.extend(world.stored_pointees());
        }
    }
}

/// An array with the owner that the next whole words get.
struct Owned {
    array: Array,
    owner: Option<Term>,
}

impl Words for Owned {
    fn word(&self) -> u32 {
        self.array.word
    }

    fn read_word(&self, world: &mut World<'_>, at: Term) -> Term {
        let index = self.array.index(world, at);
        world.terms.select(self.array.data, index)
    }

    fn write_word(&mut self, world: &mut World<'_>, guard: Term, at: Term, bits: Term, part: Part) {
        let index = self.array.index(world, at);
        self.array.data = store_if(world, guard, self.array.data, index, bits);
        let owner = match (part, self.owner) {
            (Part::Whole, Some(owner)) => owner,
            (Part::Whole | Part::Some, _) => world.terms.bv_u64(0, OWNER),
        };
        let nobody = world.terms.as_u64(owner) == Some(0);
        if nobody && self.array.owners.is_none() {
            return;
        }
        let owners = match self.array.owners {
            Some(owners) => owners,
            None => {
                let index = world.terms.array_parts(world.terms.sort(self.array.data)).0;
                let nobody = world.terms.bv_u64(0, OWNER);
                world.constant_array(index, nobody)
            }
        };
        self.array.owners = Some(store_if(world, guard, owners, index, owner));
    }
}

fn store_if(world: &mut World<'_>, guard: Term, array: Term, index: Term, value: Term) -> Term {
    let value = match world.terms.as_bool(guard) {
        Some(true) => value,
        Some(false) => return array,
        None => {
            let old = world.terms.select(array, index);
            world.terms.ite(guard, value, old)
        }
    };
    world.terms.store(array, index, value)
}

impl Array {
    fn index(&self, world: &mut World<'_>, at: Term) -> Term {
        let shift = world.word(u64::from(self.word.trailing_zeros()));
        let number = world.terms.lshr(at, shift);
        match self.part {
            None => number,
            Some(part) => world.terms.concat(part, number),
        }
    }
}

impl World<'_> {
    /// The array that holds the same everywhere.
    pub(super) fn constant_array(&mut self, index: Sort, element: Term) -> Term {
        let sort = self.terms.sort(element);
        let sort = self.terms.array_sort(index, sort);
        self.terms.const_array(sort, element)
    }

    /// The objects whose pointers are in arrays.
    pub(super) fn stored_pointees(&self) -> Vec<Object> {
        self.kept.array.stored.iter().copied().collect()
    }

    /// Pointers to these objects may be in arrays.
    pub(super) fn store_pointees(&mut self, pointees: Vec<Object>) {
        self.kept.array.stored.extend(pointees);
    }

    /// A byte so often.
    pub(super) fn repeated(&mut self, byte: Term, times: u32) -> Term {
        let mut bits = byte;
        for _ in 1..times {
            bits = self.terms.concat(byte, bits);
        }
        bits
    }

    /// Where a piece of a copied range goes, and where it comes from.
    pub(super) fn copied(&mut self, at: u64, range: Range, from: Term) -> (Term, Term) {
        let offset = self.word(at);
        let distance = self.terms.sub(offset, range.offset);
        (offset, self.terms.add(from, distance))
    }

    /// What an object of these words began with.
    fn new_array(&mut self, init: Init, word: u32) -> Array {
        let index = Sort::BitVec(self.pointer_bits);
        let array = |data: Term, owners: Option<Term>| Array {
            word,
            data,
            owners,
            part: None,
        };
        match init {
            Init::Zero => {
                let zero = self.terms.bv_u64(0, word * 8);
                array(self.constant_array(index, zero), None)
            }
            Init::Ones => {
                let ones = self.ones(word);
                array(self.constant_array(index, ones), None)
            }
            Init::Unknown(unknown) => {
                let (data, owners) = self.unknown_array(unknown, word);
                let pointees: Vec<Object> = self.unknowns[unknown].pointees().collect();
                self.store_pointees(pointees);
                array(data, owners)
            }
            Init::Global(global) => {
                let zeros = self.new_array(Init::Zero, word);
                self.initialised(zeros, global)
            }
        }
    }

    /// Zeros after a global's initialiser was written.
    pub(super) fn initialised(&mut self, mut array: Array, global: Global) -> Array {
        let module = self.module;
        let word = array.word;
        let pointer = u64::from(self.pointer_bits / 8);
        let zero = self.terms.bv_u64(0, 8);
        let mut words: BTreeMap<u64, Vec<Term>> = BTreeMap::new();
        let mut pointers = Vec::new();
        let mut at = 0;
        for piece in &module.globals[global].init {
            let (len, bytes) = match piece {
                InitPiece::Zero(len) => (*len, 0..0),
                InitPiece::Bytes(bytes) => (bytes.len() as u64, 0..bytes.len() as u64),
                InitPiece::Any(len) => (*len, 0..*len),
                InitPiece::Pointer(target) => {
                    pointers.push((at, target));
                    (pointer, 0..0)
                }
            };
            for i in bytes {
                let scalar = self.init_at(Init::Global(global), at + i, 1);
                let byte = self.scalar_bits(scalar);
                let slot = words
                    .entry((at + i) / u64::from(word))
                    .or_insert_with(|| vec![zero; word as usize]);
                slot[((at + i) % u64::from(word)) as usize] = byte;
            }
            at += len;
        }
        for (number, bytes) in words {
            let mut bits = bytes[0];
            for &byte in &bytes[1..] {
                bits = self.terms.concat(byte, bits);
            }
            let at = self.word(number * u64::from(word));
            let index = array.index(self, at);
            array.data = self.terms.store(array.data, index, bits);
        }
        let always = self.terms.tru();
        for (at, target) in pointers {
            let target = self.constant_pointer(target);
            let offset = self.word(at);
            let scalar = Scalar::Pointer(target);
            array = self.write_array(array, always, offset, scalar, pointer as u32);
        }
        array
    }

    /// Reads `width` bytes at an offset.
    pub(super) fn read_array(&mut self, array: Array, offset: Term, width: u32) -> Scalar {
        let owned = Owned { array, owner: None };
        let bits = words::read(self, &owned, offset, width);
        let Some(owners) = array.owners else {
            return Scalar::Bits(bits);
        };
        let aligned = trailing_zeros(self.terms, offset) >= array.word.trailing_zeros()
            || self
                .terms
                .as_u64(offset)
                .is_some_and(|at| at % u64::from(array.word) == 0);
        if !aligned || width != self.pointer_bits / 8 {
            // A part of a pointer, or several: addresses that can be put together again.
            self.expose_stored();
            return Scalar::Bits(bits);
        }
        let mut owner: Option<Term> = None;
        let mut agree = self.terms.tru();
        for number in 0..width / array.word {
            let step = self.word(u64::from(number * array.word));
            let at = self.terms.add(offset, step);
            let index = array.index(self, at);
            let here = self.terms.select(owners, index);
            match owner {
                None => owner = Some(here),
                Some(first) => {
                    let same = self.terms.eq(first, here);
                    agree = self.terms.and(agree, same);
                }
            }
        }
        let nobody = self.terms.bv_u64(0, OWNER);
        let owner = self
            .terms
            .ite(agree, owner.expect("a pointer has a word"), nobody);
        self.owned_pointer(bits, owner)
    }

    /// The pointer with this address whose object is the owner.
    fn owned_pointer(&mut self, address: Term, owner: Term) -> Scalar {
        if self.terms.as_u64(owner) == Some(0) {
            return Scalar::Bits(address);
        }
        let mut alternatives = Vec::new();
        let mut candidates = vec![NOWHERE];
        candidates.extend(self.kept.array.stored.iter().copied());
        for object in candidates {
            let number = self.terms.bv_u64(object.index() as u64, OWNER);
            let guard = self.terms.eq(owner, number);
            if self.terms.as_bool(guard) == Some(false) {
                continue;
            }
            let base = self.objects[object].base;
            let offset = self.terms.sub(address, base);
            alternatives.push(Alternative {
                guard,
                object,
                offset,
            });
        }
        Scalar::Pointer(self.pointers.intern(alternatives))
    }

    fn expose_stored(&mut self) {
        if !self.kept.array.stored.is_empty() {
            self.noticed.looked = Some("the bytes of an address");
        }
        let stored: Vec<Object> = self.kept.array.stored.iter().copied().collect();
        self.exposed.extend(stored);
    }

    /// Contents after a write, if the guard holds.
    pub(super) fn write_array(
        &mut self,
        array: Array,
        guard: Term,
        offset: Term,
        scalar: Scalar,
        width: u32,
    ) -> Array {
        let (bits, owner) = match scalar {
            Scalar::Bits(bits) => (bits, None),
            Scalar::Pointer(pointer) => {
                let mut owner = self.terms.bv_u64(0, OWNER);
                for alternative in self.pointers.alternatives(pointer).iter() {
                    if alternative.object == NOWHERE {
                        continue;
                    }
                    self.kept.array.stored.insert(alternative.object);
                    let number = self.terms.bv_u64(alternative.object.index() as u64, OWNER);
                    owner = self.terms.ite(alternative.guard, number, owner);
                }
                (self.address_term(pointer), Some(owner))
            }
        };
        let mut owned = Owned { array, owner };
        words::write(self, &mut owned, guard, offset, bits, width);
        if owner.is_some() && owned.array.owners.is_none() {
            // An address went in without its owner.
            self.expose_stored();
        }
        owned.array
    }

    /// The pieces of a range: offset in the object, bytes, and when the piece is in the range.
    pub(super) fn units(
        &mut self,
        range: Range,
        word: u32,
        from: Option<Term>,
    ) -> Vec<(u64, u32, Term)> {
        let pointer = u64::from(self.pointer_bits / 8);
        // Of a source at an offset that is not constant, what its trailing zeros tell.
        let start = from.map(|from| match self.terms.as_u64(from) {
            Some(start) => start,
            None => 1 << trailing_zeros(self.terms, from).min(16),
        });
        if let (Some(at), Some(n)) = (
            self.terms.as_u64(range.offset),
            self.terms.as_u64(range.len),
        ) && n <= UNFOLD
        {
            let mut list = Vec::new();
            let mut i = 0;
            while i < n {
                let fits = |unit: u64| {
                    at.wrapping_add(i) % unit == 0
                        && n - i >= unit
                        && start.is_none_or(|start| start.wrapping_add(i) % unit == 0)
                };
                let unit = [pointer, 4, 1].into_iter().find(|&unit| fits(unit));
                let unit = unit.expect("a byte always fits");
                list.push((at.wrapping_add(i), unit as u32, range.guard));
                i += unit;
            }
            return list;
        }
        let Some(size) = range.size.filter(|&size| size <= UNFOLD) else {
            self.noticed.gap = Some(TOO_LONG);
            return Vec::new();
        };
        let zeros = trailing_zeros(self.terms, range.offset)
            .min(trailing_zeros(self.terms, range.len))
            .min(from.map_or(32, |from| trailing_zeros(self.terms, from)));
        let aligned = zeros >= word.trailing_zeros() && size % u64::from(word) == 0;
        let unit = if aligned { word } else { 1 };
        let mut list = Vec::new();
        for at in (0..size).step_by(unit as usize) {
            let here = self.word(at);
            let distance = self.terms.sub(here, range.offset);
            let inside = self.terms.ult(distance, range.len);
            let guard = self.terms.and(range.guard, inside);
            if self.terms.as_bool(guard) != Some(false) {
                list.push((at, unit, guard));
            }
        }
        list
    }

    /// The first contents if the gate holds, else the second.
    pub(super) fn merge_arrays(&mut self, gate: Term, a: Array, b: Array) -> Array {
        let owners = match (a.owners, b.owners) {
            (None, None) => None,
            (x, y) => {
                let index = self.terms.array_parts(self.terms.sort(a.data)).0;
                let nobody = self.terms.bv_u64(0, OWNER);
                let nobody = self.constant_array(index, nobody);
                let (x, y) = (x.unwrap_or(nobody), y.unwrap_or(nobody));
                Some(self.terms.ite(gate, x, y))
            }
        };
        Array {
            data: self.terms.ite(gate, a.data, b.data),
            owners,
            ..a
        }
    }
}
