//! One memory for all objects of a region, as terms of the theory of arrays.
//!
//! Whatever an object of the region holds is in one array, whose indices are a *place* and a word number. The
//! contents of an object are no more than its place; so an access through a pointer that may mean several
//! objects is one read or one store at a place that is a choice, where the other representations have one for
//! each object. What that costs is that a store may change what every other object of the region holds, as
//! far as a solver can see: how finely the points-to analysis tells regions apart is what it has to work with.
//!
//! Places are numbers that are never used twice, and what an object begins with is in its place already:
//! contents that are new get a new place, and nothing is written. The first bits of a place say what is there
//! before any write (its [`Kind`]), and each kind is an array of its own, because the theory has arrays that
//! are zero everywhere and arrays that hold anything, but none that are one here and the other there.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use terms::{Op, Sort, Term};

use super::array::Array;
use super::unknown::Part;
use super::{Bytes, Case, Init, Range, Scalar, Spot};
use crate::pointer::{OWNER, Object};
use crate::world::World;

/// Bits of a place: its kind, and a number.
const PLACE: u32 = 32;
const KIND: u32 = 2;

/// What is in a place before anything is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Zeros.
    Zeros,
    /// Ones.
    Ones,
    /// Anything but pointers.
    Bytes,
    /// Anything.
    Pointers,
}

const KINDS: [Kind; 4] = [Kind::Zeros, Kind::Ones, Kind::Bytes, Kind::Pointers];

/// The contents of an object: where they are in the region.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(Term);

/// A version of a region's memory.
#[derive(Clone, PartialEq)]
pub(super) struct Arrays {
    /// Bytes in a word.
    word: u32,
    /// By kind; none as long as nothing was written.
    written: Rc<[Option<Written>; KINDS.len()]>,
}

/// From places and word numbers to words, and to owners if pointers were stored.
type Written = (Term, Option<Term>);

/// What is kept for all memories together.
#[derive(Default)]
pub(super) struct Places {
    /// How many there are.
    count: u64,
    /// Those of contents that nobody has written. In the forms of a program, the same bytes have the same name.
    unknown: FxHashMap<(String, u32), Term>,
}

impl Bytes for Place {
    type Kept = Places;
    type Shared = Arrays;
    const WORDS: bool = true;

    fn share(_: &mut World<'_>, word: u32) -> Arrays {
        Arrays {
            word,
            written: Rc::new([None; KINDS.len()]),
        }
    }

    fn new(world: &mut World<'_>, shared: &mut Arrays, init: Init, _: u32) -> Place {
        match init {
            Init::Zero => world.new_place(Kind::Zeros),
            Init::Ones => world.new_place(Kind::Ones),
            Init::Unknown(unknown) => {
                let word = shared.word;
                let pointees: Vec<Object> = world.unknowns[unknown].pointees().collect();
                let kind = match pointees.is_empty() {
                    true => Kind::Bytes,
                    false => Kind::Pointers,
                };
                let name = (world.unknowns[unknown].name().to_owned(), word);
                let known = world.kept.region.unknown.get(&name).copied();
                let place = known.unwrap_or_else(|| world.new_place(kind).0);
                world.kept.region.unknown.insert(name, place);
                let (data, owners) = world.untouched(kind, word);
                let number = world.terms.as_u64(place).expect("a place is a number");
                let part = Part {
                    number,
                    bits: PLACE,
                };
                world.unknowns[unknown].lies_in(data, owners, word, part);
                world.store_pointees(pointees);
                Place(place)
            }
            Init::Global(global) => {
                let place = world.new_place(Kind::Zeros);
                let zeros = shared.array(world, Kind::Zeros, place.0);
                let array = world.initialised(zeros, global);
                shared.set(Kind::Zeros, array);
                place
            }
        }
    }

    fn equals(&self, other: &Place) -> bool {
        self == other
    }

    fn holds_same(
        (mine, shared): (&Place, &Arrays),
        world: &mut World<'_>,
        (other, others): (&Place, &Arrays),
    ) -> bool {
        mine == other
            && world.kinds_of(mine.0).into_iter().all(|(kind, _)| {
                let before = shared.array(world, kind, mine.0);
                let now = others.array(world, kind, mine.0);
                let nobody = world.terms.bv_u64(0, OWNER);
                let nobody = world.constant_array(Sort::BitVec(PLACE + world.pointer_bits), nobody);
                let owners = |array: Array| array.owners.unwrap_or(nobody);
                world.is_untouched(before.data, now.data, mine.0)
                    && world.is_untouched(owners(before), owners(now), mine.0)
            })
    }

    fn read(
        &self,
        shared: &Arrays,
        world: &mut World<'_>,
        offset: Term,
        width: u32,
        _: Option<u64>,
    ) -> Scalar {
        let mut result = None;
        for (kind, meant) in world.kinds_of(self.0) {
            let array = shared.array(world, kind, self.0);
            let value = world.read_array(array, offset, width);
            result = Some(match result {
                None => value,
                Some(others) => world.merge_scalars(meant, value, others),
            });
        }
        result.expect("a place has a kind")
    }

    fn write(&mut self, shared: &mut Arrays, world: &mut World<'_>, at: Spot, scalar: Scalar) {
        for (kind, meant) in world.kinds_of(self.0) {
            let array = shared.array(world, kind, self.0);
            let guard = world.terms.and(at.guard, meant);
            let array = world.write_array(array, guard, at.offset, scalar, at.width);
            shared.set(kind, array);
        }
    }

    fn fill(&mut self, shared: &mut Arrays, world: &mut World<'_>, range: Range, byte: Term) {
        for (at, width, guard) in world.units(range, shared.word, None) {
            let scalar = Scalar::Bits(world.repeated(byte, width));
            let spot = Spot {
                guard,
                offset: world.word(at),
                width,
                size: range.size,
            };
            self.write(shared, world, spot, scalar);
        }
    }

    fn copy(
        &mut self,
        shared: &mut Arrays,
        world: &mut World<'_>,
        range: Range,
        (source, its): (&Place, &Arrays),
        from: Term,
        size: Option<u64>,
    ) {
        for (at, width, guard) in world.units(range, shared.word, Some(from)) {
            let (offset, place) = world.copied(at, range, from);
            let scalar = source.read(its, world, place, width, size);
            let spot = Spot {
                guard,
                offset,
                width,
                size: range.size,
            };
            self.write(shared, world, spot, scalar);
        }
    }

    fn merge(world: &mut World<'_>, gate: Term, a: &Place, b: &Place, _: Option<u64>) -> Place {
        Place(world.terms.ite(gate, a.0, b.0))
    }

    fn merge_shared(world: &mut World<'_>, gate: Term, a: &Arrays, b: &Arrays) -> Arrays {
        let mut merged = a.clone();
        let nowhere = world.terms.bv_u64(0, PLACE);
        for (index, kind) in KINDS.into_iter().enumerate() {
            if a.written[index] != b.written[index] {
                let left = a.array(world, kind, nowhere);
                let right = b.array(world, kind, nowhere);
                merged.set(kind, world.merge_arrays(gate, left, right));
            }
        }
        merged
    }

    fn pointer_places(
        &self,
        shared: &Arrays,
        world: &mut World<'_>,
        size: Option<u64>,
        numbers: bool,
    ) -> Option<Vec<u64>> {
        let any = shared.may_hold_pointers(world, self.0);
        if !any && !world.style().numbers_are_pointers() && !numbers {
            return Some(Vec::new());
        }
        Some(world.every_place(size)?.collect())
    }

    fn pointees(&self, shared: &Arrays, world: &mut World<'_>, _: bool, found: &mut Vec<Object>) {
        if world.style().numbers_are_pointers() {
            found.extend(world.objects.keys());
        } else if shared.may_hold_pointers(world, self.0) {
            found.extend(world.stored_pointees());
        }
    }

    fn read_one_of(
        world: &mut World<'_>,
        shared: &Arrays,
        cases: &[Case<&Place>],
        (skip, width): (Term, u32),
    ) -> Option<Scalar> {
        let list = cases.iter().map(|x| (x.guard, x.contents.0, x.offset));
        let (place, offset) = world.choose_place(list.collect(), skip)?;
        Some(Place(place).read(shared, world, offset, width, None))
    }

    fn write_one_of(
        world: &mut World<'_>,
        shared: &mut Arrays,
        cases: &mut [Case<&mut Place>],
        (skip, width): (Term, u32),
        scalar: Scalar,
    ) {
        let guards: Vec<Term> = cases.iter().map(|case| case.guard).collect();
        let guard = world.terms.or_all(&guards);
        let list = cases.iter().map(|x| (x.guard, x.contents.0, x.offset));
        let Some((place, offset)) = world.choose_place(list.collect(), skip) else {
            return;
        };
        let spot = Spot {
            guard,
            offset,
            width,
            size: None,
        };
        Place(place).write(shared, world, spot, scalar);
    }
}

impl Arrays {
    /// The array of a kind, seen from a place.
    fn array(&self, world: &mut World<'_>, kind: Kind, place: Term) -> Array {
        let written = self.written[kind as usize];
        let (data, owners) = written.unwrap_or_else(|| world.untouched(kind, self.word));
        Array {
            word: self.word,
            data,
            owners,
            part: Some(place),
        }
    }

    fn set(&mut self, kind: Kind, array: Array) {
        Rc::make_mut(&mut self.written)[kind as usize] = Some((array.data, array.owners));
    }

    /// Were pointers stored in arrays that the place may be in?
    fn may_hold_pointers(&self, world: &mut World<'_>, place: Term) -> bool {
        world
            .kinds_of(place)
            .into_iter()
            .any(|(kind, _)| self.array(world, kind, place).owners.is_some())
    }
}

impl World<'_> {
    /// A place that nothing else has.
    fn new_place(&mut self, kind: Kind) -> Place {
        let number = self.kept.region.count;
        self.kept.region.count += 1;
        assert!(number < 1 << (PLACE - KIND), "there are places enough");
        let place = (kind as u64) << (PLACE - KIND) | number;
        Place(self.terms.bv_u64(place, PLACE))
    }

    /// The kinds that a place may have, and when.
    fn kinds_of(&mut self, place: Term) -> Vec<(Kind, Term)> {
        let first = self.terms.extract(place, PLACE - 1, PLACE - KIND);
        let mut kinds = Vec::with_capacity(1);
        for kind in KINDS {
            let number = self.terms.bv_u64(kind as u64, KIND);
            let meant = self.terms.eq(first, number);
            if self.terms.as_bool(meant) != Some(false) {
                kinds.push((kind, meant));
            }
        }
        kinds
    }

    /// What a memory holds in places of a kind before anything is written: words, and owners if there may be
    /// pointers.
    fn untouched(&mut self, kind: Kind, word: u32) -> (Term, Option<Term>) {
        let index = Sort::BitVec(PLACE + self.pointer_bits);
        let bits = word * 8;
        match kind {
            Kind::Zeros => {
                let zero = self.terms.bv_u64(0, bits);
                (self.constant_array(index, zero), None)
            }
            Kind::Ones => {
                let ones = self.ones(word);
                (self.constant_array(index, ones), None)
            }
            Kind::Bytes => {
                let sort = self.terms.array_sort(index, Sort::BitVec(bits));
                (self.terms.var(&format!("memory{word}"), sort), None)
            }
            Kind::Pointers => {
                let sort = self.terms.array_sort(index, Sort::BitVec(bits));
                let data = self.terms.var(&format!("pointers{word}"), sort);
                let sort = self.terms.array_sort(index, Sort::BitVec(OWNER));
                let owners = self.terms.var(&format!("pointers{word}.owner"), sort);
                (data, Some(owners))
            }
        }
    }

    /// Is an array another one after writes that are certainly not in a place?
    fn is_untouched(&mut self, before: Term, now: Term, place: Term) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![now];
        while let Some(array) = work.pop() {
            if array == before || !seen.insert(array) {
                continue;
            }
            let args = self.terms.args(array).to_vec();
            match self.terms.op(array) {
                Op::Store => {
                    let width = self.terms.width(args[1]);
                    let there = self.terms.extract(args[1], width - 1, width - PLACE);
                    if self.terms.decide_eq(there, place) != Some(false) {
                        return false;
                    }
                    work.push(args[0]);
                }
                Op::Ite => work.extend(&args[1..]),
                _ => return false,
            }
        }
        true
    }

    /// The place and the offset, moved by `skip`, of the case that applies.
    fn choose_place(&mut self, cases: Vec<(Term, Term, Term)>, skip: Term) -> Option<(Term, Term)> {
        let mut chosen: Option<(Term, Term)> = None;
        for (guard, place, offset) in cases.into_iter().rev() {
            chosen = Some(match chosen {
                None => (place, offset),
                Some((others, at)) => (
                    self.terms.ite(guard, place, others),
                    self.terms.ite(guard, offset, at),
                ),
            });
        }
        let (place, offset) = chosen?;
        Some((place, self.terms.add(offset, skip)))
    }
}
