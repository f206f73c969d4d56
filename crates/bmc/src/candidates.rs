//! What may be true of a loop's states: guesses, of which a solver keeps those that are.
//!
//! Induction needs to know more of a state than that the checks before it have passed: that a counter is not
//! negative, that an index is at most a length, that a state is one of three. Such sentences are made by template over what a
//! head's state consists of: its scalar parameters, small variables in memory that the loop changes, and values from before the loop
//! to compare them with. Each is assumed where the loop begins in an arbitrary state, under a switch of its own; a solver looks for one
//! that does not hold when the loop is entered, or not after a round, and those are switched off, until all that are left hold
//! at the entry and are kept by every round (Houdini: Flanagan and Leino, 2001). A wrong guess costs time and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use base::Bv;
use encode::crowd::Like;
use encode::eval::arbitrary::{Entered, Head, Invariants, Place, Point};
use encode::eval::{Val, Vc};
use encode::pointer::{NOWHERE, Object, Pointer};
use encode::world::World;
use ir::syntax::{Const, Func, Module, Op, Operand, Terminator};
use terms::{Sort, Term, Terms};

use crate::finite::Sources;
use crate::hull::{Equation, is_zero};
use crate::query::Prefixes;
use crate::sentence::Sentence;
use crate::slot::{Slot, params_of, read, scalars};

/// The most constants that one slot is compared with, and the most pairs of slots of a head.
const CONSTANTS: usize = 40;
const PAIRS: usize = 150;
/// The most guesses for all heads together.
const MOST: usize = 3000;
/// The most values that one of a set may have.
const SET: usize = 24;

/// The most values of slots that may decide each other, and the most such guesses for a head.
const STATES: usize = 8;
const LINKS: usize = 600;
/// Guesses are few if all of them are so many times as many.
const FEWER: usize = 3;
/// So many bytes may a pointer have before it.
const INSIDE: [u64; 5] = [0, 1, 2, 4, 8];
/// The most guesses that values do not go together, for a head.
const APART: usize = 1200;

/// What is guessed of slots.
#[derive(Clone, PartialEq, Debug)]
enum Guess {
    UnsignedAtMost(Slot, Bv),
    UnsignedAtLeast(Slot, Bv),
    SignedAtMost(Slot, Bv),
    SignedAtLeast(Slot, Bv),
    /// The lowest bits, so many of them.
    LowBits(Slot, u32, Bv),
    OneOf(Slot, Vec<Bv>),
    Bool(Slot, bool),
    Equal(Slot, Slot),
    UnsignedOrder(Slot, Slot),
    SignedOrder(Slot, Slot),
    Difference(Slot, Slot, Bv),
    Sum(Slot, Slot, Bv),
    /// Where the first is this, the second is that.
    When(Slot, Bv, Slot, Bv),
    /// Not at once the first is this and the second that.
    Apart(Slot, Bv, Slot, Bv),
    /// The pointer with this place has so many bytes of its object before it.
    Inside(usize, u64),
    /// Multiples of these and a constant make zero.
    Linear(Vec<(Slot, Bv)>, Bv),
    /// The same of each object in a memory that is like these, however many there are.
    Each(usize, Like, Box<Guess>),
    /// What somebody else says, of this place only.
    Said(Sentence),
}

impl Guess {
    /// What a guess about each object says of one of them.
    fn about(&self, object: Object) -> Guess {
        let mut guess = self.clone();
        match &mut guess {
            Guess::UnsignedAtMost(slot, _)
            | Guess::UnsignedAtLeast(slot, _)
            | Guess::SignedAtMost(slot, _)
            | Guess::SignedAtLeast(slot, _)
            | Guess::LowBits(slot, ..)
            | Guess::OneOf(slot, _)
            | Guess::Bool(slot, _) => match slot {
                Slot::Cell { object: its, .. } | Slot::Alive(_, its) => *its = object,
                _ => {} // About no object.
            },
            Guess::Equal(..)
            | Guess::UnsignedOrder(..)
            | Guess::SignedOrder(..)
            | Guess::Difference(..)
            | Guess::Sum(..)
            | Guess::When(..)
            | Guess::Apart(..)
            | Guess::Inside(..)
            | Guess::Linear(..)
            | Guess::Each(..)
            | Guess::Said(_) => unreachable!("one slot is guessed of each"),
        }
        guess
    }
}

/// A guess about the states of a head.
#[derive(Clone, PartialEq, Debug)]
struct Candidate {
    func: Func,
    point: Point,
    guess: Guess,
}

impl Candidate {
    fn is_about(&self, place: Place) -> bool {
        let said = match &self.guess {
            Guess::Said(sentence) => sentence.place == place,
            _ => true, // Guesses by template are about every entry of the head.
        };
        said && (self.func, self.point) == (place.func, place.point)
    }
}

/// Guesses, and which of them are still believed.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates {
    list: Vec<Candidate>,
    dropped: BTreeSet<usize>,
}

impl Candidates {
    /// Guesses about the heads of an evaluation.
    pub(crate) fn new(vc: &mut Vc<'_>) -> Candidates {
        let constants = constants(vc.world.module);
        let mut entries: BTreeMap<(Func, Point), Vec<Head>> = BTreeMap::new();
        for head in &vc.heads {
            if matches!(head.entered, Entered::First | Entered::Arbitrary(_)) {
                let key = (head.place.func, head.place.point);
                let list = entries.entry(key).or_default();
                list.push(head.clone());
            }
        }
        let mut candidates = Candidates::default();
        let mut sources = Sources::default();
        for ((func, point), heads) in entries {
            candidates.add(vc, &mut sources, &constants, func, point, &heads);
        }
        candidates.list.truncate(MOST);
        candidates
    }

    /// What somebody else says.
    pub(crate) fn said(sentences: Vec<Sentence>) -> Candidates {
        let list = sentences.into_iter().map(|sentence| Candidate {
            func: sentence.place.func,
            point: sentence.place.point,
            guess: Guess::Said(sentence),
        });
        Candidates {
            list: list.collect(),
            dropped: BTreeSet::new(),
        }
    }

    /// Adds equations that the states of heads satisfy.
    pub(crate) fn add_equations(&mut self, found: &[Equation]) {
        self.list.extend(found.iter().map(|equation| Candidate {
            func: equation.func,
            point: equation.point,
            guess: Guess::Linear(equation.factors.clone(), equation.constant.clone()),
        }));
    }

    /// Those that most loops need, if they are much fewer: equations, orders, signs, pointers that stay inside, and what is the same of each object.
    pub(crate) fn few(&self) -> Option<Candidates> {
        let is_one = |candidate: &&Candidate| match &candidate.guess {
            Guess::Linear(..)
            | Guess::Inside(..)
            | Guess::Equal(..)
            | Guess::UnsignedOrder(..)
            | Guess::SignedOrder(..)
            | Guess::Each(..) => true,
            Guess::SignedAtLeast(_, bound) => bound.is_zero() || bound.is_one(),
            Guess::UnsignedAtMost(..)
            | Guess::UnsignedAtLeast(..)
            | Guess::SignedAtMost(..)
            | Guess::LowBits(..)
            | Guess::OneOf(..)
            | Guess::Bool(..)
            | Guess::Difference(..)
            | Guess::Sum(..)
            | Guess::When(..)
            | Guess::Apart(..)
            | Guess::Said(_) => false,
        };
        let list: Vec<Candidate> = self.list.iter().filter(is_one).cloned().collect();
        (!list.is_empty() && FEWER * list.len() < self.list.len()).then(|| Candidates {
            list,
            dropped: BTreeSet::new(),
        })
    }

    /// Are there guesses that nobody has refuted?
    pub(crate) fn is_empty(&self) -> bool {
        self.dropped.len() == self.list.len()
    }

    fn add(
        &mut self,
        vc: &mut Vc<'_>,
        sources: &mut Sources,
        constants: &BTreeMap<(Option<Func>, u32), BTreeSet<Bv>>,
        func: Func,
        point: Point,
        heads: &[Head],
    ) {
        // The calls of a body say more of what may be returned than those of the program, which came before.
        let Some(any) = heads
            .iter()
            .rfind(|head| matches!(head.entered, Entered::Arbitrary(_)))
        else {
            return;
        };
        // The values at the real beginning that are constant wherever the loop is entered.
        let mut first: Vec<Head> = heads.to_vec();
        first.retain(|head| matches!(head.entered, Entered::First));
        let slots = scalars(vc, any);
        let mut list = Vec::new();
        let mut begins: BTreeMap<Slot, Bv> = BTreeMap::new();
        for &(slot, _, _) in &slots {
            let mut same: Option<Bv> = None;
            let constant = first.iter().all(|head| {
                let value = read(&mut vc.world, &head.values, slot);
                let value = value.and_then(|term| vc.world.terms.as_bv(term));
                match (value, &same) {
                    (Some(value), None) => {
                        same = Some(value);
                        true
                    }
                    (Some(value), Some(known)) => value == *known,
                    (None, _) => false,
                }
            });
            if let (true, Some(value)) = (constant, same) {
                begins.insert(slot, value);
            }
        }
        for &(slot, term, changes) in &slots {
            if !changes {
                continue;
            }
            match vc.world.terms.sort(term) {
                Sort::Bool => list.extend([Guess::Bool(slot, true), Guess::Bool(slot, false)]),
                Sort::BitVec(width) if width <= 64 => {
                    guess_alone(&mut list, slot, width, func, constants, begins.get(&slot));
                }
                _ => {}
            }
        }
        let changed = any.values.iter().take(params_of(&vc.world, any));
        for (index, value) in changed.enumerate() {
            if matches!(value, Val::Pointer(_)) {
                list.extend(INSIDE.map(|bytes| Guess::Inside(index, bytes)));
            }
        }
        let mut pairs = 0;
        for (place, &(a, term, changes)) in slots.iter().enumerate() {
            for (other, &(b, with, also)) in slots.iter().enumerate() {
                let terms = &vc.world.terms;
                let Sort::BitVec(width) = terms.sort(term) else {
                    continue;
                };
                if place == other
                    || terms.sort(with) != terms.sort(term)
                    || !(changes || also)
                    || pairs >= PAIRS
                    || terms.as_bv(term).is_some()
                    || terms.as_bv(with).is_some()
                {
                    continue;
                }
                pairs += 1;
                list.push(Guess::UnsignedOrder(a, b));
                list.push(Guess::SignedOrder(a, b));
                if place < other {
                    list.push(Guess::Equal(a, b));
                    let zero = Bv::zero(width);
                    let begin_a = begins.get(&a).unwrap_or(&zero);
                    let begin_b = begins.get(&b).unwrap_or(&zero);
                    if !begins.is_empty() {
                        list.push(Guess::Difference(a, b, begin_a.sub(begin_b)));
                        list.push(Guess::Sum(a, b, begin_a.add(begin_b)));
                    }
                }
            }
        }
        Self::guess_states(
            &mut list,
            vc,
            sources,
            constants,
            (func, point),
            &slots,
            &begins,
        );
        guess_each(&mut list, vc, constants, func, any);
        let made = list
            .into_iter()
            .map(|guess| Candidate { func, point, guess });
        self.list.extend(made);
    }

    /// Guesses that one slot decides another, and that values of two do not go together: flags and states.
    fn guess_states(
        list: &mut Vec<Guess>,
        vc: &Vc<'_>,
        sources: &mut Sources,
        constants: &BTreeMap<(Option<Func>, u32), BTreeSet<Bv>>,
        (func, point): (Func, Point),
        slots: &[(Slot, Term, bool)],
        begins: &BTreeMap<Slot, Bv>,
    ) {
        let mut states: Vec<(Slot, Vec<Bv>)> = Vec::new();
        let mut few: Vec<(Slot, Vec<Bv>)> = Vec::new();
        for &(slot, term, changes) in slots {
            let (Sort::BitVec(width), true) = (vc.world.terms.sort(term), changes) else {
                continue;
            };
            let begin = begins.get(&slot);
            if let Some(values) = sources.values(vc, (func, point), slot, begin) {
                // What is stored where a scalar begins may be of another width.
                let fitting = values.into_iter().filter(|value| value.width() == width);
                few.push((slot, fitting.collect()));
            }
            let Some(begin) = begin else { continue };
            let own = constants.get(&(Some(func), width));
            let mut values: Vec<Bv> = own.into_iter().flatten().cloned().collect();
            if !values.contains(begin) {
                values.push(begin.clone());
            }
            if values.len() <= STATES {
                states.push((slot, values));
            }
        }
        let mut made = 0;
        for (a, these) in &states {
            for (b, those) in states.iter().filter(|(b, _)| b != a) {
                for (this, that) in these.iter().flat_map(|x| those.iter().map(move |y| (x, y))) {
                    if made < LINKS {
                        made += 1;
                        list.push(Guess::When(*a, this.clone(), *b, that.clone()));
                    }
                }
            }
        }
        few.sort_by_key(|(_, values)| values.len());
        let mut made = 0;
        for (place, (a, these)) in few.iter().enumerate() {
            list.push(Guess::OneOf(*a, these.clone()));
            for (b, those) in &few[..place] {
                if made + these.len() * those.len() > APART {
                    continue;
                }
                made += these.len() * those.len();
                for (this, that) in these.iter().flat_map(|x| those.iter().map(move |y| (x, y))) {
                    list.push(Guess::Apart(*a, this.clone(), *b, that.clone()));
                }
            }
        }
    }

    /// The guesses that are still believed, as assumptions about their switches; the others are switched off.
    pub(crate) fn switches(&self, terms: &mut Terms) -> Vec<Term> {
        (0..self.list.len())
            .map(|index| {
                let switch = switch(terms, index);
                if self.dropped.contains(&index) {
                    terms.not(switch)
                } else {
                    switch
                }
            })
            .collect()
    }

    /// For each place where a guess that is believed must hold: the guess's number, and when it does not hold there.
    pub(crate) fn wrong(&self, vc: &mut Vc<'_>) -> Vec<(usize, Term)> {
        let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, |_| true);
        let heads: Vec<Head> = vc
            .heads
            .iter()
            .filter(|head| matches!(head.entered, Entered::First | Entered::Again))
            .cloned()
            .collect();
        let mut list = Vec::new();
        for head in heads {
            for (index, candidate) in self.list.iter().enumerate() {
                if self.dropped.contains(&index) || !candidate.is_about(head.place) {
                    continue;
                }
                let claim = claim(&mut vc.world, &candidate.guess, &head.values);
                let terms = &mut *vc.world.terms;
                let fails = match claim {
                    Some(claim) => terms.not(claim),
                    None => terms.tru(),
                };
                let here = terms.and(head.reached, fails);
                let case = terms.and(prefixes.first(head.assumptions), here);
                if terms.as_bool(case) != Some(false) {
                    list.push((index, case));
                }
            }
        }
        list
    }

    /// These guesses are wrong.
    pub(crate) fn drop_all(&mut self, wrong: impl IntoIterator<Item = usize>) {
        self.dropped.extend(wrong);
    }
}

impl Invariants for Candidates {
    fn at(&self, world: &mut World<'_>, place: Place, values: &[Val]) -> Vec<Term> {
        let mut known = Vec::new();
        for (index, candidate) in self.list.iter().enumerate() {
            if !candidate.is_about(place) || self.dropped.contains(&index) {
                continue;
            }
            if let Some(claim) = claim(world, &candidate.guess, values) {
                let switch = switch(world.terms, index);
                known.push(world.terms.implies(switch, claim));
            }
        }
        known
    }
}

fn switch(terms: &mut Terms, index: usize) -> Term {
    terms.var(&format!("guess!{index}"), Sort::Bool)
}

/// What a guess says of a state.
fn claim(world: &mut World<'_>, guess: &Guess, values: &[Val]) -> Option<Term> {
    let Guess::Each(index, like, guess) = guess else {
        return claim_once(world, guess, values);
    };
    let Some(Val::Memory(memory)) = values.get(*index) else {
        return None;
    };
    let mut all = Vec::new();
    for (object, exists) in world.all_like(memory, *like) {
        let claim = claim_once(world, &guess.about(object), values)?;
        all.push(world.terms.implies(exists, claim));
    }
    Some(world.terms.and_all(&all))
}

fn claim_once(world: &mut World<'_>, guess: &Guess, values: &[Val]) -> Option<Term> {
    if let Guess::Said(sentence) = guess {
        return sentence.claim(world, values);
    }
    let mut get = |slot: &Slot| read(world, values, *slot);
    Some(match guess {
        Guess::Said(_) | Guess::Each(..) => unreachable!("it says what it claims"),
        Guess::UnsignedAtMost(slot, bound) => {
            let term = get(slot)?;
            let bound = world.terms.bv(bound.clone());
            world.terms.ule(term, bound)
        }
        Guess::UnsignedAtLeast(slot, bound) => {
            let term = get(slot)?;
            let bound = world.terms.bv(bound.clone());
            world.terms.uge(term, bound)
        }
        Guess::SignedAtMost(slot, bound) => {
            let term = get(slot)?;
            let bound = world.terms.bv(bound.clone());
            world.terms.sle(term, bound)
        }
        Guess::SignedAtLeast(slot, bound) => {
            let term = get(slot)?;
            let bound = world.terms.bv(bound.clone());
            world.terms.sge(term, bound)
        }
        Guess::LowBits(slot, bits, value) => {
            let term = get(slot)?;
            let low = world.terms.extract(term, bits - 1, 0);
            let value = world.terms.bv(value.trunc(*bits));
            world.terms.eq(low, value)
        }
        Guess::OneOf(slot, values) => {
            let term = get(slot)?;
            let mut cases = Vec::with_capacity(values.len());
            for value in values {
                let value = world.terms.bv(value.clone());
                cases.push(world.terms.eq(term, value));
            }
            world.terms.or_all(&cases)
        }
        Guess::Bool(slot, value) => {
            let term = get(slot)?;
            match value {
                true => term,
                false => world.terms.not(term),
            }
        }
        Guess::Equal(a, b) => {
            let (a, b) = (get(a)?, get(b)?);
            world.terms.eq(a, b)
        }
        Guess::UnsignedOrder(a, b) => {
            let (a, b) = (get(a)?, get(b)?);
            world.terms.ule(a, b)
        }
        Guess::SignedOrder(a, b) => {
            let (a, b) = (get(a)?, get(b)?);
            world.terms.sle(a, b)
        }
        Guess::Difference(a, b, value) => {
            let (a, b) = (get(a)?, get(b)?);
            let difference = world.terms.sub(a, b);
            let value = world.terms.bv(value.clone());
            world.terms.eq(difference, value)
        }
        Guess::When(a, this, b, that) => {
            let (a, b) = (get(a)?, get(b)?);
            let this = world.terms.bv(this.clone());
            let that = world.terms.bv(that.clone());
            let condition = world.terms.eq(a, this);
            let follows = world.terms.eq(b, that);
            world.terms.implies(condition, follows)
        }
        Guess::Apart(a, this, b, that) => {
            let (a, b) = (get(a)?, get(b)?);
            let this = world.terms.bv(this.clone());
            let that = world.terms.bv(that.clone());
            let (first, second) = (world.terms.eq(a, this), world.terms.eq(b, that));
            let both = world.terms.and(first, second);
            world.terms.not(both)
        }
        Guess::Inside(index, bytes) => {
            let Val::Pointer(pointer) = values.get(*index)? else {
                return None;
            };
            inside(world, *pointer, *bytes)
        }
        Guess::Linear(factors, constant) => {
            let mut sum = Vec::with_capacity(factors.len());
            for (slot, factor) in factors {
                sum.push((get(slot)?, factor.clone()));
            }
            is_zero(world.terms, &sum, constant)
        }
        Guess::Sum(a, b, value) => {
            let (a, b) = (get(a)?, get(b)?);
            let sum = world.terms.add(a, b);
            let value = world.terms.bv(value.clone());
            world.terms.eq(sum, value)
        }
    })
}

/// Has a pointer so many bytes of its object before it?
fn inside(world: &mut World<'_>, pointer: Pointer, bytes: u64) -> Term {
    let bytes = world.word(bytes);
    let mut cases = Vec::new();
    for alternative in world.pointers.alternatives(pointer).iter() {
        if alternative.object == NOWHERE {
            continue;
        }
        let size = world.objects[alternative.object].size;
        let terms = &mut *world.terms;
        let fits = terms.ule(bytes, size);
        let last = terms.sub(size, bytes);
        let within = terms.ule(alternative.offset, last);
        let both = terms.and(fits, within);
        cases.push(terms.implies(alternative.guard, both));
    }
    world.terms.and_all(&cases)
}

/// Guesses about one slot.
fn guess_alone(
    list: &mut Vec<Guess>,
    slot: Slot,
    width: u32,
    func: Func,
    constants: &BTreeMap<(Option<Func>, u32), BTreeSet<Bv>>,
    begin: Option<&Bv>,
) {
    let mut near: BTreeSet<Bv> = begin.into_iter().cloned().collect();
    near.insert(Bv::zero(width));
    // Those of the function first, as long as there is room.
    for key in [(Some(func), width), (None, width)] {
        for value in constants.get(&key).into_iter().flatten() {
            if near.len() + 3 <= CONSTANTS {
                let one = Bv::from_u64(1, width);
                near.extend([value.sub(&one), value.clone(), value.add(&one)]);
            }
        }
    }
    for value in near {
        list.push(Guess::UnsignedAtMost(slot, value.clone()));
        list.push(Guess::UnsignedAtLeast(slot, value.clone()));
        list.push(Guess::SignedAtMost(slot, value.clone()));
        list.push(Guess::SignedAtLeast(slot, value));
    }
    if let Some(begin) = begin {
        for bits in [1, 2, 3].into_iter().filter(|&bits| bits < width) {
            list.push(Guess::LowBits(slot, bits, begin.clone()));
        }
        let all = constants.get(&(None, width));
        let mut set: Vec<Bv> = all.into_iter().flatten().cloned().collect();
        if set.len() < SET {
            if !set.contains(begin) {
                set.push(begin.clone());
            }
            list.push(Guess::OneOf(slot, set));
        }
    }
}

/// Guesses about each object that loops have made: it lives, and what is in it.
fn guess_each(
    list: &mut Vec<Guess>,
    vc: &Vc<'_>,
    constants: &BTreeMap<(Option<Func>, u32), BTreeSet<Bv>>,
    func: Func,
    any: &Head,
) {
    let Entered::Arbitrary(havoc) = &any.entered else {
        return;
    };
    let mut kinds: BTreeSet<(usize, Like)> = BTreeSet::new();
    let mut cells: BTreeSet<(usize, Like, u64, u32)> = BTreeSet::new();
    for (memory, object) in &havoc.objects {
        let Some(like) = vc.world.member_like(object.object) else {
            continue;
        };
        kinds.insert((*memory, like));
        for (at, bytes) in object
            .contents
            .iter()
            .flat_map(|&x| vc.world.unknowns[x].looked_at())
        {
            cells.insert((*memory, like, at, bytes));
        }
    }
    for (memory, like) in kinds {
        let alive = Guess::Bool(Slot::Alive(memory, NOWHERE), true);
        list.push(Guess::Each(memory, like, Box::new(alive)));
    }
    for (memory, like, offset, bytes) in cells.into_iter().filter(|cell| cell.3 <= 8) {
        let slot = Slot::Cell {
            memory,
            object: NOWHERE,
            offset,
            bytes,
        };
        let mut alone = Vec::new();
        guess_alone(&mut alone, slot, bytes * 8, func, constants, None);
        let each = alone.into_iter();
        list.extend(each.map(|guess| Guess::Each(memory, like, Box::new(guess))));
    }
}

/// The constants of comparisons, stores and jumps, by function and of all together.
fn constants(module: &Module) -> BTreeMap<(Option<Func>, u32), BTreeSet<Bv>> {
    let mut found: BTreeMap<(Option<Func>, u32), BTreeSet<Bv>> = BTreeMap::new();
    for (func, data) in module.funcs.iter() {
        let Some(body) = &data.body else { continue };
        let mut note = |operand: &Operand| {
            if let Operand::Const(Const::Int(value)) = operand {
                let width = value.width();
                for of in [Some(func), None] {
                    found.entry((of, width)).or_default().insert(value.clone());
                }
            }
        };
        for (_, inst) in body.insts_in_order() {
            match &body.insts[inst].op {
                Op::Compare(_, a, b) | Op::Select(_, a, b) => [a, b].map(&mut note),
                Op::Store { value, .. } => {
                    note(value);
                    continue;
                }
                _ => continue, // Says nothing about which values matter.
            };
        }
        for block in body.blocks.values() {
            let targets: &[&ir::syntax::Target] = match &block.terminator {
                Terminator::Jump(target) => &[target],
                Terminator::Branch(_, yes, no) => &[yes, no],
                Terminator::Switch(..) | Terminator::Return(_) | Terminator::Halt(_) => &[],
            };
            for target in targets {
                target.args.iter().for_each(&mut note);
            }
        }
    }
    found
}
