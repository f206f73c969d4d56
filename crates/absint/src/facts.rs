//! Facts at the head of a loop, as data: what the states there say about its parameters and about cells of memory,
//! in a form that can be written as IR.

use std::collections::BTreeSet;

use ir::syntax::{Block, Body, Module, Type, Value};

use crate::choice::{Choice, Domain};
use crate::domains::view::View;
use crate::domains::{Int, mask};
use crate::fixpoint::Invariants;
use crate::relations::{Lit, Relations, Shape};
use crate::state::State;
use crate::value::{Obj, Val};

/// What a fact speaks of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Place {
    /// The head's n-th parameter, a number.
    Param(usize),
    /// The offset of the head's n-th parameter, a pointer, in its object.
    Offset(usize),
    /// A cell in the memory that is the head's n-th parameter: object, offset, type.
    Cell(usize, Obj, u64, Type),
    /// A number that is defined before the loop.
    Outer(Value),
    /// This number, of so many bits.
    Number(u64, u32),
    /// A number that the program computes from the head's parameters and from what is defined before the loop, and more by so much.
    Formula(Value, i64),
    /// Any offset that is a multiple of so many bytes: a fact that speaks of it holds for each.
    Ghost(u64),
    /// The number of this type at that offset in an object.
    Element(Version, Obj, Type),
}

/// Which memory a fact speaks of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Version {
    /// The head's n-th parameter.
    Param(usize),
    /// One that is made before the loop.
    Outer(Value),
}

/// A claim about a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Atom {
    /// It is this.
    Is(u64),
    /// It is at least this, unsigned.
    AtLeast(u64),
    /// It is at most this, unsigned.
    AtMost(u64),
    /// It is at least this, signed.
    SignedAtLeast(i64),
    /// It is at most this, signed.
    SignedAtMost(i64),
    /// Under the mask it is this.
    Bits(u64, u64),
    /// Modulo the first it is the second.
    Modulo(u64, u64),
    /// It compares so to another place of the same width.
    Compared(Relation, Place),
    /// It compares so to what it was when the loop was entered.
    Since(Relation),
    /// When the loop was entered it compared so to what it is.
    Before(Relation),
    /// So many times what it has grown by since the loop was entered is so many times what the other has grown by.
    Grown(i64, Place, i64),
    /// As ideal numbers, each read and perhaps negated as said, the sum of it and the other is at most this.
    Linear((Sign, View), (Sign, View), Place, i64),
    /// So many times it, and so many times each of the others, are this together, with all arithmetic wrapping.
    Balance(i64, [(i64, Place); OTHERS], u64),
    /// So many bytes from there on are not inside of an object with that size.
    Outside(u64, Place),
}

/// How many other places a balance may have; some of them none times.
pub const OTHERS: usize = 3;

/// Is a number counted, or taken away?
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Sign {
    /// Counted.
    Plus,
    /// Taken away.
    Minus,
}

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Relation {
    /// Equal.
    Equal,
    /// At most, signed.
    SignedAtMost,
    /// At most, unsigned.
    AtMost,
    /// Not equal.
    Unequal,
    /// Less, signed.
    SignedLess,
    /// Less, unsigned.
    Less,
}

/// A fact: a disjunction of conjunctions. One that speaks of a [`Place::Ghost`] holds for each such offset.
pub type Fact = Vec<Vec<(Place, Atom)>>;

/// The places that an atom speaks of.
pub fn places_of(&(place, atom): &(Place, Atom)) -> impl Iterator<Item = Place> {
    let mut others = [None; OTHERS];
    match atom {
        Atom::Compared(_, other)
        | Atom::Grown(_, other, _)
        | Atom::Linear(_, _, other, _)
        | Atom::Outside(_, other) => others[0] = Some(other),
        Atom::Balance(_, parts, _) => {
            let counted = |(times, other): (i64, Place)| (times != 0).then_some(other);
            others = parts.map(counted);
        }
        Atom::Is(_)
        | Atom::AtLeast(_)
        | Atom::AtMost(_)
        | Atom::SignedAtLeast(_)
        | Atom::SignedAtMost(_)
        | Atom::Bits(..)
        | Atom::Modulo(..)
        | Atom::Since(_)
        | Atom::Before(_) => {}
    }
    std::iter::once(place).chain(others.into_iter().flatten())
}

/// The size of the elements of which a fact speaks, if it speaks of any offset.
pub fn ghost_of(fact: &Fact) -> Option<u64> {
    let mut places = fact.iter().flatten().flat_map(places_of);
    places.find_map(|place| match place {
        Place::Ghost(bytes) => Some(bytes),
        _ => None, // Speaks of one number.
    })
}

/// Disjunctions with more parts than these are left out.
const MAX_PARTS: usize = 128;

/// More comparisons are not told in one part of a disjunction, and of no part if there are more parts.
const MAX_RELATED: usize = 12;
/// See [`MAX_RELATED`].
const MAX_CLOSER: usize = 8;

/// What a set says, in atoms; none if it says nothing.
pub fn atoms(x: &Int) -> Vec<Atom> {
    if let Some(value) = x.single() {
        return vec![Atom::Is(value)];
    }
    let top = Int::top(x.width);
    let mut found = Vec::new();
    // What follows from other atoms need not be said.
    let by_unsigned = Int::between(x.umin, x.umax, x.width).unwrap_or(top);
    if x.umin > 0 {
        found.push(Atom::AtLeast(x.umin));
    }
    if x.umax < mask(x.width) {
        found.push(Atom::AtMost(x.umax));
    }
    if x.smin > by_unsigned.smin {
        found.push(Atom::SignedAtLeast(x.smin));
    }
    if x.smax < by_unsigned.smax {
        found.push(Atom::SignedAtMost(x.smax));
    }
    let known = x.zeros | x.ones;
    if known & !(by_unsigned.zeros | by_unsigned.ones) != 0 {
        found.push(Atom::Bits(known, x.ones));
    }
    if x.step > 1 && !x.step.is_power_of_two() {
        found.push(Atom::Modulo(x.step, x.rest));
    }
    found
}

/// What is known of a place in a state.
fn known(module: &Module, body: &Body, head: Block, state: &State, place: Place) -> Option<Int> {
    let params = &body.blocks[head].params;
    match place {
        Place::Param(index) => state
            .vals
            .get(&params[index])
            .and_then(Val::as_int)
            .copied(),
        Place::Offset(index) => {
            let targets = state.vals.get(&params[index])?.as_ptr()?;
            targets.values().copied().reduce(|a, b| a.join(&b))
        }
        Place::Outer(value) => state.vals.get(&value).and_then(Val::as_int).copied(),
        Place::Number(..) | Place::Formula(..) | Place::Ghost(_) | Place::Element(..) => None,
        Place::Cell(index, obj, at, ty) => {
            let object = state.mems.get(&params[index])?.objects.get(&obj)?;
            let offset = Int::constant(at, module.machine.pointer_bits);
            let val = object.contents.read(module, &offset, object.size.umin, ty);
            val.as_int().copied()
        }
    }
}

/// The facts about these places at a head: each atom that holds in all states, and, if there are several states, the
/// disjunction of what each says.
pub fn at_head(
    module: &Module,
    body: &Body,
    head: Block,
    invariants: &Invariants,
    places: &[Place],
    choice: &Choice,
) -> Vec<Fact> {
    let states = &invariants.states[head];
    let mut found: Vec<Fact> = Vec::new();
    for &place in places {
        let mut joined: Option<Int> = None;
        let mut missing = states.is_empty();
        for state in states {
            match known(module, body, head, state, place) {
                Some(x) => joined = Some(joined.map_or(x, |known: Int| known.join(&x))),
                None => missing = true,
            }
        }
        if let Some(x) = joined.filter(|_| !missing) {
            let chosen = atoms(&x).into_iter().filter(|atom| match place {
                Place::Param(index) if is_float(body, head, index) => choice.has(Domain::Float),
                _ => is_chosen(*atom, choice), // A number.
            });
            found.extend(chosen.map(|atom| vec![vec![(place, atom)]]));
        }
    }
    let related = |states: &[State]| match invariants.shape {
        Some(shape) => compared(body, head, states, shape),
        None => Vec::new(),
    };
    found.extend(related(states).into_iter().map(|atom| vec![vec![atom]]));
    if choice.has(Domain::Partition) && (2..=MAX_PARTS).contains(&states.len()) {
        // What a part says of numbers from before the loop has been seen in it: without it, the part would not last.
        let mut places = places.to_vec();
        places.extend(told_apart(body, head, states).into_iter().map(Place::Outer));
        let parts: Vec<Vec<(Place, Atom)>> = states
            .iter()
            .map(|state| {
                places
                    .iter()
                    .filter_map(|&place| Some((place, known(module, body, head, state, place)?)))
                    .flat_map(|(place, x)| atoms(&x).into_iter().map(move |atom| (place, atom)))
                    .collect()
            })
            .collect();
        // How numbers compare in each part, in a fact of its own: it may be refuted, and the parts still be right.
        let mut closer = parts.clone();
        for (part, state) in closer.iter_mut().zip(states) {
            part.extend(
                related(std::slice::from_ref(state))
                    .into_iter()
                    .take(MAX_RELATED),
            );
        }
        if closer != parts && closer.len() <= MAX_CLOSER {
            found.push(closer);
        }
        if parts.iter().all(|part| !part.is_empty()) {
            found.push(parts);
        }
    }
    found
}

fn is_float(body: &Body, head: Block, index: usize) -> bool {
    let param = body.blocks[head].params[index];
    matches!(body.values[param].ty, Type::Float(_))
}

/// More numbers from before a loop are not spoken of in its parts.
const MAX_OUTER: usize = 12;

/// Numbers from before a loop of which not all states at its head say the same.
fn told_apart(body: &Body, head: Block, states: &[State]) -> BTreeSet<Value> {
    let params = &body.blocks[head].params;
    let outer = |value: &Value| {
        !params.contains(value) && matches!(body.values[*value].ty, Type::Int(1..=64))
    };
    let mut values: BTreeSet<Value> = BTreeSet::new();
    for state in states {
        values.extend(state.vals.keys().copied().filter(outer));
    }
    let int = |state: &State, value| state.vals.get(&value).and_then(Val::as_int).copied();
    values.retain(|&value| {
        let first = int(&states[0], value);
        states.iter().any(|state| int(state, value) != first)
    });
    values.into_iter().take(MAX_OUTER).collect()
}

/// Is what an atom says the business of a domain that takes part?
fn is_chosen(atom: Atom, choice: &Choice) -> bool {
    match atom {
        Atom::Bits(..) => choice.has(Domain::Bits),
        Atom::Modulo(..) => choice.has(Domain::Congruence),
        Atom::Is(_)
        | Atom::AtLeast(_)
        | Atom::AtMost(_)
        | Atom::SignedAtLeast(_)
        | Atom::SignedAtMost(_)
        | Atom::Compared(..)
        | Atom::Since(_)
        | Atom::Before(_)
        | Atom::Grown(..)
        | Atom::Linear(..)
        | Atom::Balance(..)
        | Atom::Outside(..) => choice.has(Domain::Interval),
    }
}

/// More comparisons are not told at one head.
const MAX_COMPARED: usize = 40;

/// How the head's parameters, and numbers from before the loop, compare in all of these states.
fn compared(
    body: &Body,
    head: Block,
    states: &[State],
    shape: &'static dyn Shape,
) -> Vec<(Place, Atom)> {
    let range = |state: &State, value: Value| state.vals.get(&value).and_then(Val::as_int).copied();
    let joined = |value: Value| {
        let mut all: Option<Int> = None;
        for state in states {
            let x = range(state, value)?;
            all = Some(all.map_or(x, |known| known.join(&x)));
        }
        all
    };
    let mut relations = Relations::default();
    let pairs: BTreeSet<(Lit, Lit)> = states
        .iter()
        .flat_map(|state| state.relations.edges())
        .map(|(a, b, _)| (a, b))
        .collect();
    for (a, b) in pairs {
        let bounds: Option<Vec<i128>> = states
            .iter()
            .map(|state| {
                let ranges = |value| range(state, value);
                state.relations.bound(a, b, &ranges)
            })
            .collect();
        if let Some(bound) = bounds.and_then(|bounds| bounds.into_iter().max()) {
            relations.add(a, b, bound, shape, &joined);
        }
    }
    let params = &body.blocks[head].params;
    let place = |lit: Lit| match params.iter().position(|&param| param == lit.value) {
        Some(index) => Place::Param(index),
        None => Place::Outer(lit.value),
    };
    let sign = |lit: Lit| match lit.negated {
        true => Sign::Minus,
        false => Sign::Plus,
    };
    let mut found = Vec::new();
    for (a, b, bound) in relations.reduced(&joined).edges() {
        let b = b.flipped();
        // The mirror image says the same.
        if b < a {
            continue;
        }
        if let Ok(bound) = i64::try_from(bound) {
            let atom = Atom::Linear((sign(a), a.view), (sign(b), b.view), place(b), bound);
            found.push((place(a), atom));
        }
    }
    found.truncate(MAX_COMPARED);
    found
}
