//! Contents that nobody has written: any bytes, the same at each look.
//!
//! A byte that somebody looks at becomes a part of a variable; where looks are at symbolic offsets, or
//! where the representation has arrays anyway, an array stands for the rest. How a model's values become
//! bytes again, and bytes a model, is here as well: nobody else needs to know which of the two it was.
//!
//! Contents may hold pointers as well. Then they are an address and its *owner*, the number of the object
//! that the pointer belongs to: any of those that are listed, or none.

use std::collections::{BTreeMap, BTreeSet};

use base::{Bv, id};
use rustc_hash::FxHashMap;
use terms::{ArrayValue, Evaluator, Model, Sort, Term, Terms, Value};

use super::init::meeting;
use super::{Piece, Scalar, bytes_sort};
use crate::crowd::Places;
use crate::pointer::{OWNER, Object};
use crate::world::World;

/// The most bytes that are written out for an array's default.
const LARGEST: u64 = 1 << 16;

id! {
    /// Contents that nobody has written: any bytes, the same at each look.
    Unknown, "unknown"
}

/// The bytes of unknown contents that somebody looked at.
pub struct UnknownBytes {
    /// What its variables are called.
    name: String,
    /// By offset: a byte of a variable.
    pieces: FxHashMap<u64, Piece>,
    /// From offsets to bytes (or words), for offsets without a piece.
    array: Option<Term>,
    /// How many bytes an element of the array has.
    word: u32,
    /// The objects that pointers in here may belong to.
    pointees: BTreeSet<Object>,
    /// If pointers are in these places only: null, or the beginning of an object.
    neat: Option<Places>,
    /// The owners of pointers that were read at constant offsets.
    owners: BTreeMap<u64, Term>,
    /// The owners of others, by the offset where they begin.
    owner_array: Option<Term>,
    /// The owners of all, by words.
    owner_words: Option<Term>,
    /// Where the arrays are a whole region's: the part of them that is meant.
    part: Option<Part>,
}

/// A part of an array that others share: the elements whose indices begin with a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Part {
    /// The number.
    pub(super) number: u64,
    /// How many bits it has.
    pub(super) bits: u32,
}

impl UnknownBytes {
    /// Nobody has looked yet.
    pub(crate) fn new(name: String) -> UnknownBytes {
        UnknownBytes {
            name,
            pieces: FxHashMap::default(),
            array: None,
            word: 1,
            pointees: BTreeSet::new(),
            neat: None,
            owners: BTreeMap::new(),
            owner_array: None,
            owner_words: None,
            part: None,
        }
    }

    /// It is a part of a region's arrays, of words and perhaps of owners.
    pub(super) fn lies_in(&mut self, array: Term, owners: Option<Term>, word: u32, part: Part) {
        self.array = Some(array);
        self.word = word;
        self.owner_words = owners;
        self.part = Some(part);
    }

    /// The number of a word, if it is an index of its own.
    fn number_of(&self, index: &Bv) -> Option<u64> {
        let Some(Part { number, bits }) = self.part else {
            return index.to_u64();
        };
        let width = index.width();
        let first = index.extract(width - 1, width - bits).to_u64();
        let rest = index.extract(width - bits - 1, 0);
        (first == Some(number)).then(|| rest.to_u64())?
    }

    /// The index of a word in arrays whose indices have so many bits.
    fn index_of(&self, number: u64, width: u32) -> Bv {
        match self.part {
            None => Bv::from_u64(number, width),
            Some(part) => {
                let first = u128::from(part.number) << (width - part.bits);
                let low = Bv::from_u64(number, width - part.bits);
                let low = low.to_u64().expect("a word number fits");
                Bv::from_u128(first | u128::from(low), width)
            }
        }
    }

    /// What its variables are called: in the forms of a program, the same bytes have the same name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The variables that stand for its bytes, as far as somebody looked.
    pub fn variables(&self, terms: &Terms) -> Vec<Term> {
        let mut offsets: Vec<&u64> = self.pieces.keys().collect();
        offsets.sort_unstable();
        let pieces = offsets.into_iter().filter_map(|at| match self.pieces[at] {
            Piece::Byte {
                scalar: Scalar::Bits(term),
                ..
            } => Some(term),
            _ => None, // No byte of a variable.
        });
        let owners = self.owners.values().copied();
        let arrays = [self.array, self.owner_array, self.owner_words];
        let all = pieces.chain(owners).chain(arrays.into_iter().flatten());
        let mut list: Vec<Term> = all.filter(|&t| terms.var_name(t).is_some()).collect();
        list.sort_unstable();
        list.dedup();
        list
    }

    /// Pointers are in these places only, and neat.
    pub(crate) fn keep_neat(&mut self, places: Places) {
        self.neat = Some(places);
    }

    /// Where pointers are, if they are neat.
    pub(super) fn neat(&self) -> Option<&Places> {
        self.neat.as_ref()
    }

    /// Where somebody looked at a variable of its own, and how many bytes it has.
    pub fn looked_at(&self) -> Vec<(u64, u32)> {
        let begins = self.pieces.iter().filter_map(|(&at, piece)| match *piece {
            Piece::Byte {
                scalar: Scalar::Bits(_),
                index: 0,
                width,
            } => Some((at, u32::from(width))),
            _ => None, // No beginning.
        });
        let mut list: Vec<(u64, u32)> = begins.collect();
        list.sort_unstable();
        list
    }

    /// The objects that pointers in here may belong to.
    pub fn pointees(&self) -> impl Iterator<Item = Object> + '_ {
        self.pointees.iter().copied()
    }

    /// What a model says of the bytes that the evaluation looked at, by offset; of an array whose
    /// elements are not 0 by default, as many as the object has.
    pub fn read_back(&self, values: &mut Evaluator<'_>, size: Option<u64>) -> BTreeMap<u64, u8> {
        let mut found: BTreeMap<u64, u8> = BTreeMap::new();
        if let Some(array) = self.array
            && let Value::Array(array) = values.eval(array)
        {
            let word = u64::from(self.word);
            let mut put = |number: u64, value: &Value| {
                let Value::Bv(bits) = value else { return };
                for i in 0..self.word {
                    let byte = bits.extract(i * 8 + 7, i * 8).low_u64() as u8;
                    found.insert(number * word + u64::from(i), byte);
                }
            };
            let numbers = size.unwrap_or(0).min(LARGEST).div_ceil(word);
            for number in 0..numbers {
                put(number, array.default());
            }
            for (index, value) in array.entries() {
                if let Value::Bv(index) = index
                    && let Some(number) = self.number_of(index)
                    && number < u64::MAX / word
                {
                    put(number, value);
                }
            }
        }
        let mut offsets: Vec<u64> = self.pieces.keys().copied().collect();
        offsets.sort_unstable();
        for at in offsets {
            if let Piece::Byte {
                scalar: Scalar::Bits(term),
                index,
                ..
            } = self.pieces[&at]
            {
                let low = u32::from(index) * 8;
                let bits = values.eval(term).expect_bv().clone();
                found.insert(at, bits.extract(low + 7, low).low_u64() as u8);
            }
        }
        found
    }

    /// What a model says of single bytes that were read at symbolic offsets, so many from an offset on.
    pub fn read_back_range(
        &self,
        terms: &Terms,
        values: &mut Evaluator<'_>,
        (at, len): (u64, u64),
    ) -> Vec<(u64, u8)> {
        let Some(array) = self.array else {
            return Vec::new();
        };
        let Sort::BitVec(width) = terms.array_parts(terms.sort(array)).0 else {
            unreachable!("contents are indexed by numbers")
        };
        let Value::Array(array) = values.eval(array) else {
            unreachable!("an array has an array's value")
        };
        let word = u64::from(self.word);
        let mut found = Vec::new();
        for address in (0..len.min(LARGEST)).map(|i| at.wrapping_add(i)) {
            let index = self.index_of(address / word, width);
            if let Value::Bv(bits) = array.get(&Value::Bv(index)) {
                let low = (address % word) as u32 * 8;
                found.push((address, bits.extract(low + 7, low).low_u64() as u8));
            }
        }
        found
    }

    /// Makes a model say that these are the bytes. Of an array, only the bytes at the listed offsets count,
    /// the others are zero.
    pub fn put(
        &self,
        terms: &Terms,
        model: &mut Model,
        byte: impl Fn(u64) -> u8,
        listed: impl IntoIterator<Item = u64>,
    ) {
        let number = |at: u64, width: u32| {
            let bytes = (0..u64::from(width)).rev();
            let number = bytes.fold(0u128, |number, i| {
                number << 8 | u128::from(byte(at.wrapping_add(i)))
            });
            Bv::from_u128(number, width * 8)
        };
        let pieces: BTreeMap<u64, Piece> = self
            .pieces
            .iter()
            .map(|(&at, &piece)| (at, piece))
            .collect();
        for (at, piece) in pieces {
            if let Piece::Byte {
                scalar: Scalar::Bits(var),
                index: 0,
                width,
            } = piece
                && terms.var_name(var).is_some()
            {
                model.set(terms, var, Value::Bv(number(at, width.into())));
            }
        }
        if let Some(array) = self.array {
            let word = u64::from(self.word);
            let numbers: BTreeSet<u64> = listed.into_iter().map(|at| at / word).collect();
            let entries = numbers
                .into_iter()
                .map(|entry| (entry, number(entry * word, self.word)));
            self.put_array(terms, model, (array, self.word * 8), entries);
        }
    }

    /// Makes a model say which objects the pointers in here belong to, by the offset where they begin, up to a
    /// size.
    pub fn put_owners(
        &self,
        terms: &Terms,
        model: &mut Model,
        owner: impl Fn(u64) -> Option<Object>,
        (size, pointer): (u64, u64),
    ) {
        let number = |object: Option<Object>| {
            let object = object.map_or(0, |object| object.index() as u64);
            Bv::from_u64(object, OWNER)
        };
        for (&at, &var) in &self.owners {
            if terms.var_name(var).is_some() {
                model.set(terms, var, Value::Bv(number(owner(at))));
            }
        }
        if let Some(array) = self.owner_array {
            let entries = (0..size).map(|at| (at, number(owner(at))));
            self.put_array(terms, model, (array, OWNER), entries);
        }
        if let Some(array) = self.owner_words {
            let word = u64::from(self.word);
            // The words of a pointer have its owner; those that it covers in part have none.
            let whole = |number: u64| {
                let (first, end) = (number * word, (number + 1) * word);
                let mut begins = (end.saturating_sub(pointer)..=first).rev();
                begins.find_map(&owner)
            };
            let entries = (0..size.div_ceil(word)).map(|at| (at, number(whole(at))));
            self.put_array(terms, model, (array, OWNER), entries);
        }
    }

    /// Makes a model say that these are the elements, and zero the others; of an array that others share, nothing
    /// about theirs.
    fn put_array(
        &self,
        terms: &Terms,
        model: &mut Model,
        (array, element): (Term, u32),
        entries: impl Iterator<Item = (u64, Bv)>,
    ) {
        let sort = terms.sort(array);
        let Sort::BitVec(width) = terms.array_parts(sort).0 else {
            unreachable!("contents are indexed by numbers")
        };
        let entries =
            entries.map(|(at, bits)| (Value::Bv(self.index_of(at, width)), Value::Bv(bits)));
        let shared = self.part.and_then(|_| model.get(array));
        let value = match shared {
            Some(Value::Array(theirs)) => {
                let mut value = (**theirs).clone();
                let mine = |index: &Value| match index {
                    Value::Bv(index) => self.number_of(index).is_some(),
                    _ => false, // No index of contents.
                };
                let zero = Value::Bv(Bv::zero(element));
                let old: Vec<Value> = value.entries().map(|(index, _)| index.clone()).collect();
                for index in old.into_iter().filter(mine) {
                    value.set(index, zero.clone());
                }
                for (index, bits) in entries {
                    value.set(index, bits);
                }
                value
            }
            _ => ArrayValue::new(terms, sort, Value::Bv(Bv::zero(element)), entries),
        };
        model.set(terms, array, Value::Array(value.into()));
    }
}

impl World<'_> {
    /// Unknown contents that may hold pointers to these objects.
    pub(crate) fn unknown_with(&mut self, pointees: BTreeSet<Object>) -> Unknown {
        let unknown = self.unknown();
        self.unknowns[unknown].pointees = pointees;
        unknown
    }

    /// All of it as an array of words, with the owners of the pointers in it, for a representation of arrays.
    pub(super) fn unknown_array(&mut self, unknown: Unknown, word: u32) -> (Term, Option<Term>) {
        let index = Sort::BitVec(self.pointer_bits);
        let sort = self.terms.array_sort(index, bytes_sort(word));
        let contents = &mut self.unknowns[unknown];
        let array = self.terms.var(&contents.name, sort);
        contents.array = Some(array);
        contents.word = word;
        if contents.pointees.is_empty() {
            return (array, None);
        }
        let sort = self.terms.array_sort(index, Sort::BitVec(OWNER));
        let name = format!("{}.owner", contents.name);
        let owners = self.terms.var(&name, sort);
        contents.owner_words = Some(owners);
        (array, Some(owners))
    }

    /// Unknown bytes at a constant offset.
    pub(super) fn unknown_at(&mut self, unknown: Unknown, at: u64, width: u32) -> Scalar {
        let address = self.unknown_bits(unknown, at, width);
        let contents = &self.unknowns[unknown];
        if contents.pointees.is_empty() {
            return address;
        }
        let Scalar::Bits(address) = address else {
            unreachable!("unknown bytes are bits")
        };
        let bytes = self.pointer_bits / 8;
        let mut whole = width == bytes;
        if let Some(places) = &contents.neat {
            let (end, bytes) = (at.saturating_add(width.into()), u64::from(bytes));
            if !places.iter().any(|&p| p < end && at < p + bytes) {
                return Scalar::Bits(address);
            }
            whole = whole && places.contains(&at);
        }
        if !whole {
            self.expose_pointees(unknown);
            return Scalar::Bits(address);
        }
        let owner = match (contents.owners.get(&at), contents.owner_array) {
            (Some(&owner), _) => owner,
            (None, Some(array)) => {
                let offset = self.word(at);
                self.terms.select(array, offset)
            }
            (None, None) => {
                let name = format!("{}.owner@{at}", contents.name);
                self.terms.var(&name, Sort::BitVec(OWNER))
            }
        };
        self.unknowns[unknown].owners.insert(at, owner);
        self.pointer_of_unknown(unknown, address, owner)
    }

    fn pointer_of_unknown(&mut self, unknown: Unknown, address: Term, owner: Term) -> Scalar {
        if self.unknowns[unknown].neat.is_some() {
            let pointees: BTreeSet<Object> = self.unknowns[unknown].pointees().collect();
            return Scalar::Pointer(self.neat_pointer(&pointees, owner));
        }
        let pointees: Vec<Object> = self.unknowns[unknown].pointees().collect();
        Scalar::Pointer(self.pointer_of_any(&pointees, address, owner))
    }

    /// Bytes of pointers were read as numbers, which can be put together again.
    fn expose_pointees(&mut self, unknown: Unknown) {
        self.noticed.looked = Some("the bytes of an address");
        let pointees: Vec<Object> = self.unknowns[unknown].pointees().collect();
        self.exposed.extend(pointees);
    }

    fn unknown_bits(&mut self, unknown: Unknown, at: u64, width: u32) -> Scalar {
        let offsets = (0..width as u64).map(|i| at.wrapping_add(i));
        let known = offsets
            .clone()
            .filter(|o| self.unknowns[unknown].pieces.contains_key(o))
            .count();
        if known == 0 {
            let scalar = match self.unknowns[unknown].array {
                Some(array) => {
                    let offset = self.word(at);
                    Scalar::Bits(self.select_bytes(array, offset, width))
                }
                None => {
                    let name = format!("{}@{at}", self.unknowns[unknown].name);
                    Scalar::Bits(self.terms.var(&name, bytes_sort(width)))
                }
            };
            for (index, offset) in offsets.enumerate() {
                let piece = Piece::Byte {
                    scalar,
                    index: index as u8,
                    width: width as u8,
                };
                self.unknowns[unknown].pieces.insert(offset, piece);
            }
            return scalar;
        }
        let mut pieces = Vec::with_capacity(width as usize);
        for offset in offsets {
            let piece = match self.unknowns[unknown].pieces.get(&offset) {
                Some(&piece) => piece,
                None => Piece::single(self.unknown_bits(unknown, offset, 1)),
            };
            pieces.push(piece);
        }
        self.assemble(&pieces)
    }

    /// Unknown bytes at a symbolic offset, a multiple of `step`.
    pub(super) fn unknown_anywhere(
        &mut self,
        unknown: Unknown,
        offset: Term,
        width: u32,
        step: u64,
    ) -> Scalar {
        let index = Sort::BitVec(self.pointer_bits);
        let array = match self.unknowns[unknown].array {
            Some(array) => array,
            None => {
                let sort = self.terms.array_sort(index, Sort::BitVec(8));
                let name = format!("{}@", self.unknowns[unknown].name);
                let array = self.terms.var(&name, sort);
                self.unknowns[unknown].array = Some(array);
                array
            }
        };
        let mut result = Scalar::Bits(self.select_bytes(array, offset, width));
        if !self.unknowns[unknown].pointees.is_empty() {
            let Scalar::Bits(address) = result else {
                unreachable!("selected bytes are bits")
            };
            let neat = self.unknowns[unknown].neat.is_some();
            if width == self.pointer_bits / 8 && !neat {
                let sort = self.terms.array_sort(index, Sort::BitVec(OWNER));
                let name = format!("{}.owner@", self.unknowns[unknown].name);
                let owners = self.terms.var(&name, sort);
                self.unknowns[unknown].owner_array = Some(owners);
                let owner = self.terms.select(owners, offset);
                result = self.pointer_of_unknown(unknown, address, owner);
            } else {
                self.expose_pointees(unknown);
            }
        }
        // Bytes that were looked at before the array came into being.
        let mut offsets: Vec<u64> = self.unknowns[unknown].pieces.keys().copied().collect();
        offsets.sort_unstable();
        let mut starts: Vec<u64> = Vec::new();
        for at in offsets {
            starts.extend(meeting(at, width, step));
        }
        starts.sort_unstable();
        starts.dedup();
        for at in starts {
            let here = self.word(at);
            let gate = self.terms.eq(offset, here);
            if self.terms.as_bool(gate) != Some(false) {
                let value = self.unknown_at(unknown, at, width);
                result = self.merge_scalars(gate, value, result);
            }
        }
        result
    }

    fn select_bytes(&mut self, array: Term, offset: Term, width: u32) -> Term {
        let mut result = None;
        for i in 0..width {
            let step = self.word(i as u64);
            let at = self.terms.add(offset, step);
            let byte = self.terms.select(array, at);
            result = Some(match result {
                None => byte,
                Some(below) => self.terms.concat(byte, below),
            });
        }
        result.expect("at least one byte is read")
    }
}
