//! One memory for all objects of a region, as an expression of the theory of memory.
//!
//! The theory is [`terms::memory`]: pointers are a base and an offset, versions of a memory are writes over what was
//! there before, and a read is taken away by rewriting as soon as it is made. What is left are scalars and what objects
//! began with, so that no solver ever sees a memory. The objects of a region share a version, and the contents of an
//! object are no more than the pointer to its first byte; an access through a pointer that may mean several objects is
//! one read or one write at a pointer with ites.
//!
//! Here is what the theory does not know: scalars are kept as they are, so that a pointer that was stored is that very
//! pointer when it is read; what an object began with is read as the λ representation reads it; and accesses stay
//! inside of objects of known size, by which the ranges of addresses become sharper.

use rustc_hash::FxHashSet;
use terms::memory::{Base, Counts, Expr, Kind, Memories, Reader, Scalars, Theory, read};
use terms::{Term, Terms};

use super::words::{self, Part, Words};
use super::{Bytes, Case, Init, Range, Scalar, Spot};
use crate::encoding::Word;
use crate::pointer::Object;
use crate::world::World;

/// The longest constant range that is set by single writes, which go into store maps.
const UNFOLD: u64 = 128;

/// The contents of an object: the pointer to its first byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(Expr);

/// A version of a region's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Version(Expr);

/// What an object began with, and its size if it is known.
#[derive(Clone, Copy)]
struct Begun {
    init: Init,
    size: Option<u64>,
}

/// What is kept for all memories together.
#[derive(Default)]
pub(crate) struct Kept(Option<Box<Seam>>);

struct Seam {
    exprs: Memories<Scalar>,
    reader: Reader,
    /// By base; the first is none.
    begun: Vec<Begun>,
}

impl Kept {
    /// What rewriting did so far, and how many expressions there are.
    fn counts(&self) -> Option<(Counts, usize)> {
        let seam = self.0.as_ref()?;
        Some((seam.exprs.counts, seam.exprs.len()))
    }
}

/// The theory of scalars that the theory of memory is built on.
struct Outside<'w, 'a> {
    world: &'w mut World<'a>,
    begun: &'w [Begun],
}

impl Scalars for Outside<'_, '_> {
    type Scalar = Scalar;

    fn terms(&mut self) -> &mut Terms {
        self.world.terms
    }

    fn pointer_bits(&self) -> u32 {
        self.world.pointer_bits
    }

    fn choose(&mut self, condition: Term, a: Scalar, b: Scalar) -> Scalar {
        match a == b {
            true => a,
            false => self.world.merge_scalars(condition, a, b),
        }
    }

    fn part(&mut self, scalar: Scalar, _: u32, from: u32, count: u32) -> Scalar {
        let bits = self.world.scalar_bits(scalar);
        let low = from * 8;
        Scalar::Bits(self.world.terms.extract(bits, low + count * 8 - 1, low))
    }

    fn byte(&mut self, scalar: Scalar, width: u32, number: Term) -> Scalar {
        let bits = self.world.scalar_bits(scalar);
        let terms = &mut *self.world.terms;
        let total = width * 8;
        let have = terms.width(number);
        let fitted = match have >= total {
            true => terms.trunc(number, total),
            false => terms.zext(number, total),
        };
        let three = terms.bv_u64(3, total);
        let amount = terms.shl(fitted, three);
        let shifted = terms.lshr(bits, amount);
        Scalar::Bits(terms.extract(shifted, 7, 0))
    }

    fn join(&mut self, parts: &[(Scalar, u32)]) -> Scalar {
        let mut bits = None;
        for &(part, _) in parts {
            let part = self.world.scalar_bits(part);
            bits = Some(match bits {
                None => part,
                Some(below) => self.world.terms.concat(part, below),
            });
        }
        Scalar::Bits(bits.expect("at least one byte is read"))
    }

    fn filled(&mut self, byte: Term, width: u32) -> Scalar {
        Scalar::Bits(self.world.repeated(byte, width))
    }

    fn initial(&mut self, _: u32, base: Base, offset: Term, width: u32) -> Scalar {
        let Begun { init, size } = self.begun[base as usize];
        self.world.read_begun(init, offset, width, size)
    }

    fn size(&self, base: Base) -> Option<u64> {
        self.begun[base as usize].size
    }
}

impl World<'_> {
    /// What the theory of memory did, by name; nothing if it was not used.
    pub fn memory_counts(&self) -> Vec<(&'static str, u64)> {
        let Some((counts, exprs)) = self.kept.seam.counts() else {
            return Vec::new();
        };
        vec![
            ("memory: reads", counts.reads),
            ("memory: skips", counts.skips),
            ("memory: hits", counts.hits),
            ("memory: conditions", counts.conditions),
            ("memory: grouped", counts.grouped),
            ("memory: commuted", counts.commuted),
            ("memory: map hits", counts.map_hits),
            ("memory: map misses", counts.map_misses),
            ("memory: maps peeled", counts.peeled),
            ("memory: stale look-ups", counts.stale),
            ("memory: expressions", exprs as u64),
        ]
    }

    /// Does something with the theory of memory.
    fn in_theory<R>(
        &mut self,
        work: impl FnOnce(&mut Theory<'_, Outside<'_, '_>>, &mut Reader) -> R,
    ) -> R {
        let mut seam = self.take_seam();
        let mut outside = Outside {
            world: self,
            begun: &seam.begun,
        };
        let mut theory = Theory {
            exprs: &mut seam.exprs,
            scalars: &mut outside,
        };
        let result = work(&mut theory, &mut seam.reader);
        self.kept.seam = Kept(Some(seam));
        result
    }

    fn take_seam(&mut self) -> Box<Seam> {
        self.kept.seam.0.take().unwrap_or_else(|| {
            let nothing = Begun {
                init: Init::Zero,
                size: Some(0),
            };
            Box::new(Seam {
                exprs: Memories::new(self.encoding.techniques),
                reader: read::reader(),
                begun: vec![nothing],
            })
        })
    }

    /// A pointer of the theory: the case that applies, moved by `skip`. Nothing if there is no case.
    fn place_of<'c>(
        &mut self,
        cases: impl DoubleEndedIterator<Item = (Term, Place, Term, Option<u64>)> + 'c,
        skip: Term,
    ) -> Option<Expr> {
        let mut result = None;
        for (guard, place, offset, size) in cases.rev() {
            self.note_size(place, size);
            let offset = self.terms.add(offset, skip);
            result = Some(self.in_theory(|theory, _| {
                let here = theory.advance(place.0, offset);
                match result {
                    None => here,
                    Some(others) => theory.ite(guard, here, others),
                }
            }));
        }
        result
    }

    /// The objects of a place have that size.
    fn note_size(&mut self, place: Place, size: Option<u64>) {
        if size.is_none() {
            return;
        }
        let mut seam = self.take_seam();
        let mut next = place.0;
        loop {
            let (here, rest) = match seam.exprs.kind(next) {
                Kind::Ite(_, [here, rest]) => (here, Some(rest)),
                _ => (next, None),
            };
            if let Kind::Ptr(base, _) = seam.exprs.kind(here) {
                seam.begun[base as usize].size = size;
            }
            match rest {
                Some(rest) => next = rest,
                None => break,
            }
        }
        self.kept.seam = Kept(Some(seam));
    }

    fn read_version(&mut self, version: Version, at: Expr, width: u32) -> Scalar {
        self.in_theory(|theory, reader| theory.read(reader, version.0, at, width))
    }

    fn write_version(
        &mut self,
        version: Version,
        guard: Term,
        (at, width): (Expr, u32),
        scalar: Scalar,
    ) -> Version {
        Version(
            self.in_theory(|theory, reader| match theory.terms().as_bool(guard) {
                Some(false) => version.0,
                Some(true) => theory.write(version.0, at, width, scalar),
                None if theory.exprs.techniques().maps && theory.is_fixed(at) => {
                    // The choice is made in the scalar, so that the write goes into a store map.
                    let old = theory.read(reader, version.0, at, width);
                    let value = theory.scalars.choose(guard, scalar, old);
                    theory.write(version.0, at, width, value)
                }
                None => {
                    let at = theory.only_if(guard, at);
                    theory.write(version.0, at, width, scalar)
                }
            }),
        )
    }

    /// A version as words, for accesses that are not kept as they are.
    fn seam_words(&self, width: u32, size: Option<u64>, access: Access) -> Option<SeamWords> {
        let Word::Bytes(word) = self.encoding.word else {
            return None;
        };
        let pointer = self.pointer_bits / 8;
        let word = word.min(pointer);
        // Pointers stay whole.
        (width != word && width != pointer).then(|| SeamWords {
            access,
            word,
            size: size.map(|size| size.next_multiple_of(u64::from(word))),
        })
    }

    fn bases_of(&mut self, place: Place) -> Vec<Base> {
        let mut found = Vec::new();
        let mut work = vec![place.0];
        self.in_theory(|theory, _| {
            while let Some(next) = work.pop() {
                match theory.kind(next) {
                    Kind::Ptr(base, _) => found.push(base),
                    Kind::Ite(_, sides) => work.extend(sides),
                    other => unreachable!("{other:?} is no pointer"),
                }
            }
        });
        found.sort_unstable();
        found.dedup();
        found
    }

    /// What may have been stored in the objects of a place, and what they began with.
    fn stored_in(&mut self, place: Place, version: Version) -> Stored {
        let mut stored = Stored::default();
        let bases = self.bases_of(place);
        let mut begun = Vec::new();
        self.in_theory(|theory, _| {
            let mut seen = FxHashSet::default();
            let mut work: Vec<(Expr, Base)> = bases.iter().map(|&base| (version.0, base)).collect();
            while let Some((memory, base)) = work.pop() {
                if !seen.insert((memory, base)) {
                    continue;
                }
                match theory.kind(memory) {
                    Kind::Init(_) => begun.push(theory.scalars.begun[base as usize].init),
                    Kind::Write {
                        memory,
                        at,
                        width,
                        value,
                    } => {
                        work.push((memory, base));
                        if let Some((_, offset)) = theory.within(at, base) {
                            let offset = theory.terms().as_u64(offset);
                            stored.scalars.push((offset, width, value));
                        }
                    }
                    Kind::Map {
                        memory,
                        base: its,
                        list,
                    } => {
                        work.push((memory, base));
                        if its == base {
                            for entry in theory.exprs.entries(list) {
                                let at = Some(entry.offset);
                                stored.scalars.push((at, entry.width, entry.value));
                            }
                        }
                    }
                    Kind::Set { memory, .. } => work.push((memory, base)),
                    Kind::Copy {
                        memory,
                        at,
                        source,
                        from,
                        ..
                    } => {
                        work.push((memory, base));
                        if theory.within(at, base).is_some() {
                            stored.copied = true;
                            let mut leaves = vec![from];
                            while let Some(next) = leaves.pop() {
                                match theory.kind(next) {
                                    Kind::Ptr(base, _) => work.push((source, base)),
                                    Kind::Ite(_, sides) => leaves.extend(sides),
                                    other => unreachable!("{other:?} is no pointer"),
                                }
                            }
                        }
                    }
                    Kind::Ite(_, sides) => work.extend(sides.map(|side| (side, base))),
                    other => unreachable!("{other:?} is no memory"),
                }
            }
        });
        stored.begun = begun;
        stored
    }
}

/// What may be in an object.
#[derive(Default)]
struct Stored {
    /// Scalars, at which offset if it is constant, of how many bytes.
    scalars: Vec<(Option<u64>, u32, Scalar)>,
    /// Was anything copied there? The scalars of its source are among those above, at the source's offsets.
    copied: bool,
    /// What was there at first, and in the sources of copies.
    begun: Vec<Init>,
}

impl Bytes for Place {
    type Kept = Kept;
    type Shared = Version;
    const WORDS: bool = false;

    fn share(world: &mut World<'_>, _: u32) -> Version {
        Version(world.in_theory(|theory, _| theory.exprs.make(Kind::Init(0))))
    }

    fn new(world: &mut World<'_>, _: &mut Version, init: Init, _: u32) -> Place {
        let start = world.word(0);
        let mut seam = world.take_seam();
        let base = seam.begun.len() as Base;
        seam.begun.push(Begun { init, size: None });
        let place = Place(seam.exprs.ptr(base, start));
        world.kept.seam = Kept(Some(seam));
        place
    }

    fn equals(&self, other: &Place) -> bool {
        self == other
    }

    fn holds_same(
        (mine, version): (&Place, &Version),
        world: &mut World<'_>,
        (other, others): (&Place, &Version),
    ) -> bool {
        mine == other
            && world.bases_of(*mine).into_iter().all(|base| {
                world.in_theory(|theory, _| theory.holds_same(version.0, others.0, base))
            })
    }

    fn read(
        &self,
        version: &Version,
        world: &mut World<'_>,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        let always = world.terms.tru();
        let case = Case {
            guard: always,
            contents: self,
            offset,
            size,
        };
        let start = world.word(0);
        Bytes::read_one_of(world, version, &[case], (start, width)).expect("there is a case")
    }

    fn write(&mut self, version: &mut Version, world: &mut World<'_>, at: Spot, scalar: Scalar) {
        let start = world.word(0);
        let mut cases = [Case {
            guard: at.guard,
            contents: self,
            offset: at.offset,
            size: at.size,
        }];
        Bytes::write_one_of(world, version, &mut cases, (start, at.width), scalar);
    }

    fn fill(&mut self, version: &mut Version, world: &mut World<'_>, range: Range, byte: Term) {
        let always = world.terms.as_bool(range.guard) == Some(true);
        let known = (
            world.terms.as_u64(range.offset),
            world.terms.as_u64(range.len),
        );
        if let (true, (Some(at), Some(len))) = (always, known)
            && len <= UNFOLD
            && world.encoding.techniques.maps
        {
            let mut done = 0;
            while done < len {
                let here = at.wrapping_add(done);
                let fits = |unit: &u64| here % unit == 0 && len - done >= *unit;
                let unit = [8, 4, 1]
                    .into_iter()
                    .find(fits)
                    .expect("a byte always fits");
                let spot = Spot {
                    guard: range.guard,
                    offset: world.word(here),
                    width: unit as u32,
                    size: range.size,
                };
                let scalar = Scalar::Bits(world.repeated(byte, unit as u32));
                self.write(version, world, spot, scalar);
                done += unit;
            }
            return;
        }
        world.note_size(*self, range.size);
        let place = self.0;
        version.0 = world.in_theory(|theory, _| {
            let at = theory.advance(place, range.offset);
            let at = theory.only_if(range.guard, at);
            theory.set(version.0, at, range.len, byte)
        });
    }

    fn copy(
        &mut self,
        version: &mut Version,
        world: &mut World<'_>,
        range: Range,
        (source, its): (&Place, &Version),
        from: Term,
        size: Option<u64>,
    ) {
        world.note_size(*self, range.size);
        world.note_size(*source, size);
        let place = self.0;
        version.0 = world.in_theory(|theory, _| {
            let at = theory.advance(place, range.offset);
            let at = theory.only_if(range.guard, at);
            let from = theory.advance(source.0, from);
            theory.copy(version.0, at, range.len, (its.0, from))
        });
    }

    fn merge(world: &mut World<'_>, gate: Term, a: &Place, b: &Place, _: Option<u64>) -> Place {
        Place(world.in_theory(|theory, _| theory.ite(gate, a.0, b.0)))
    }

    fn merge_shared(world: &mut World<'_>, gate: Term, a: &Version, b: &Version) -> Version {
        Version(world.in_theory(|theory, reader| theory.choose(reader, gate, a.0, b.0)))
    }

    fn pointer_places(
        &self,
        version: &Version,
        world: &mut World<'_>,
        size: Option<u64>,
        numbers: bool,
    ) -> Option<Vec<u64>> {
        let bytes = u64::from(world.pointer_bits / 8);
        let stored = world.stored_in(*self, *version);
        let counts = |scalar: &Scalar| numbers || matches!(scalar, Scalar::Pointer(_));
        let somewhere = stored.copied
            || stored
                .scalars
                .iter()
                .any(|(at, _, scalar)| at.is_none() && counts(scalar));
        let mut from_globals = false;
        let mut below = somewhere;
        for init in &stored.begun {
            match init {
                Init::Zero | Init::Ones => {}
                Init::Unknown(unknown) => {
                    below |= world.unknowns[*unknown].pointees().next().is_some();
                }
                Init::Global(_) => from_globals = true,
            }
        }
        let mut places: Vec<u64> = Vec::new();
        if below || from_globals {
            match world.every_place(size) {
                Some(all) => places.extend(all),
                None if below => return None,
                // An initialiser leads to globals and functions only.
                None => {}
            }
        }
        for (at, _, scalar) in &stored.scalars {
            if let Some(at) = *at
                && counts(scalar)
                && size.is_none_or(|size| at.checked_add(bytes).is_some_and(|end| end <= size))
            {
                places.push(at);
            }
        }
        Some(places)
    }

    fn pointees(
        &self,
        version: &Version,
        world: &mut World<'_>,
        functions: bool,
        found: &mut Vec<Object>,
    ) {
        let stored = world.stored_in(*self, *version);
        for (_, _, scalar) in stored.scalars {
            if let Scalar::Pointer(pointer) = scalar {
                found.extend(world.objects_of(pointer).iter().map(|x| x.object));
            }
        }
        for init in stored.begun {
            world.init_pointees(init, functions, found);
        }
    }

    fn read_one_of(
        world: &mut World<'_>,
        version: &Version,
        cases: &[Case<&Place>],
        (skip, width): (Term, u32),
    ) -> Option<Scalar> {
        if let [only] = cases {
            let access = Access {
                version: *version,
                place: *only.contents,
            };
            if let Some(words) = world.seam_words(width, only.size, access) {
                let offset = world.terms.add(only.offset, skip);
                return Some(Scalar::Bits(words::read(world, &words, offset, width)));
            }
        } else if world.encoding.word != Word::Auto {
            // Words are cut object by object.
            let mut result = None;
            for case in cases.iter().rev() {
                let offset = world.terms.add(case.offset, skip);
                let value = case.contents.read(version, world, offset, width, case.size);
                result = Some(match result {
                    None => value,
                    Some(others) => world.merge_scalars(case.guard, value, others),
                });
            }
            return result;
        }
        let list = cases
            .iter()
            .map(|case| (case.guard, *case.contents, case.offset, case.size));
        let at = world.place_of(list, skip)?;
        Some(world.read_version(*version, at, width))
    }

    fn write_one_of(
        world: &mut World<'_>,
        version: &mut Version,
        cases: &mut [Case<&mut Place>],
        (skip, width): (Term, u32),
        scalar: Scalar,
    ) {
        if let [only] = &*cases {
            let access = Access {
                version: *version,
                place: *only.contents,
            };
            if let Scalar::Bits(bits) = scalar
                && let Some(mut words) = world.seam_words(width, only.size, access)
            {
                let offset = world.terms.add(only.offset, skip);
                words::write(world, &mut words, only.guard, offset, bits, width);
                *version = words.access.version;
                return;
            }
        } else if world.encoding.word != Word::Auto {
            for case in cases {
                let spot = Spot {
                    guard: case.guard,
                    offset: world.terms.add(case.offset, skip),
                    width,
                    size: case.size,
                };
                case.contents.write(version, world, spot, scalar);
            }
            return;
        }
        let guards: Vec<Term> = cases.iter().map(|case| case.guard).collect();
        let guard = world.terms.or_all(&guards);
        let list = cases
            .iter()
            .map(|case| (case.guard, *case.contents, case.offset, case.size));
        let Some(at) = world.place_of(list, skip) else {
            return;
        };
        *version = world.write_version(*version, guard, (at, width), scalar);
    }
}

/// An object in a version.
#[derive(Clone, Copy)]
struct Access {
    version: Version,
    place: Place,
}

/// An object in a version, as words.
struct SeamWords {
    access: Access,
    word: u32,
    size: Option<u64>,
}

impl SeamWords {
    fn at(&self, world: &mut World<'_>, offset: Term) -> Expr {
        let always = world.terms.tru();
        let start = world.word(0);
        let case = (always, self.access.place, offset, self.size);
        let place = world.place_of([case].into_iter(), start);
        place.expect("there is a case")
    }
}

impl Words for SeamWords {
    fn word(&self) -> u32 {
        self.word
    }

    fn read_word(&self, world: &mut World<'_>, at: Term) -> Term {
        let at = self.at(world, at);
        let scalar = world.read_version(self.access.version, at, self.word);
        world.scalar_bits(scalar)
    }

    fn write_word(&mut self, world: &mut World<'_>, guard: Term, at: Term, bits: Term, _: Part) {
        let at = self.at(world, at);
        let (version, scalar) = (self.access.version, Scalar::Bits(bits));
        self.access.version = world.write_version(version, guard, (at, self.word), scalar);
    }
}
