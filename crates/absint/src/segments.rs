//! What may hold of a part of an array: of all elements that a loop has been at.
//!
//! A loop that goes through an array with a counter leaves behind it elements of which something holds: they were written, copied,
//! compared, or are no more than the greatest so far. The part that lies behind it has an end, the offset that is next;
//! so a fact about it is
//!
//! ```text
//!   for each offset g:  g is outside of the array,  or  next <= g,  or  what holds of the element at g
//!                                                   (g <= next for loops that count down)
//! ```
//!
//! What it is that holds is taken from what the loop stores (the values that abstract interpretation finds, the element of another array,
//! a number from before the loop), from comparisons of elements in the program, and from numbers that the loop carries
//! along; a flag may except everything. A later loop that writes to the memory keeps what held before it,
//! perhaps except for the part behind it. All of this is tried, and goes if it is refuted. (After Cousot, Cousot and
//! Logozzo, 2011, whose bounds of segments are found by analysis; here they are read off the accesses.)

use std::collections::{BTreeMap, BTreeSet};

use ir::cfg::Cfg;
use ir::dominators::Dominators;
use ir::loops::{Loop, Loops};
use ir::syntax::{Block, Body, CastOp, CompareOp, Const, Module, Op, Operand, Type, Value};

use crate::candidates::step_of;
use crate::domains::{Int, mask};
use crate::elements::{self, Access, Scope};
use crate::facts::{self, Atom, Fact, Place, Relation, Version};
use crate::fixpoint::Invariants;
use crate::state::Program;
use crate::value::{Obj, Val};

/// More facts are not tried at one head.
const MAX: usize = 40;
/// More claims about the elements of one array are not tried at one head.
const CLAIMS: usize = 12;

/// A part of a disjunction.
type Part = Vec<(Place, Atom)>;

/// What may hold at the heads of loops.
pub struct Segments {
    facts: BTreeMap<Block, Vec<Fact>>,
}

struct Finder<'a> {
    module: &'a Module,
    body: &'a Body,
    loops: &'a Loops,
    scope: Scope<'a>,
    invariants: &'a Invariants,
    accesses: Vec<Access>,
}

/// How a loop goes through an array.
struct Walk {
    object: Obj,
    ty: Type,
    /// The array's elements at the head.
    element: Place,
    /// What excepts the part that the loop has not been at, one for each offset that it accesses.
    ahead: Vec<Part>,
    /// What excepts the part that it has been at.
    behind: Vec<Part>,
    /// What excepts all that is no element.
    outside: Part,
    /// Does the loop write there?
    writes: bool,
}

impl Segments {
    /// For these heads.
    pub fn new(
        module: &Module,
        body: &Body,
        invariants: &Invariants,
        heads: &BTreeSet<Block>,
    ) -> Segments {
        let cfg = Cfg::new(body);
        let loops = Loops::new(&cfg);
        let dominators = Dominators::new(&cfg);
        let mut facts: BTreeMap<Block, Vec<Fact>> = BTreeMap::new();
        if !cfg.predecessors(body.entry()).is_empty() {
            return Segments { facts };
        }
        let finder = Finder {
            module,
            body,
            loops: &loops,
            scope: Scope::new(body, &dominators),
            invariants,
            accesses: elements::accesses(body),
        };
        let mut walks: BTreeMap<Block, Vec<Walk>> = BTreeMap::new();
        for (own, data) in loops.loops.iter() {
            if heads.contains(&data.header) {
                let found = finder.walks(own);
                let own_facts = finder.own(own, &found);
                facts.insert(data.header, own_facts);
                walks.insert(data.header, found);
            }
        }
        let own = facts.clone();
        for (&head, list) in &mut facts {
            for (&before, theirs) in &own {
                if before != head && finder.scope.dominates(before, head) {
                    for fact in theirs {
                        finder.inherit(list, fact, before, head, &walks[&head]);
                    }
                }
            }
            let mut seen = BTreeSet::new();
            list.retain(|fact| seen.insert(fact.clone()));
            list.truncate(MAX);
        }
        Segments { facts }
    }

    /// What may hold at a head.
    pub fn at_head(&self, head: Block) -> &[Fact] {
        self.facts.get(&head).map_or(&[], Vec::as_slice)
    }
}

impl Finder<'_> {
    fn head(&self, own: Loop) -> Block {
        self.loops.loops[own].header
    }

    /// The place of a version of memory at a head, if it is known there.
    fn version(&self, memory: Value, head: Block) -> Option<Version> {
        let ty = self.body.values[memory].ty;
        let params = &self.body.blocks[head].params;
        let same = |&param: &Value| self.body.values[param].ty == ty;
        match params.iter().position(same) {
            Some(index) => Some(Version::Param(index)),
            None => self
                .scope
                .is_outer(memory, head)
                .then_some(Version::Outer(memory)),
        }
    }

    /// What says that an offset is not one of an element.
    fn outside(&self, object: Obj, bytes: u64, head: Block) -> Option<Part> {
        let bits = self.module.machine.pointer_bits;
        let size = match object {
            Obj::Global(global) => Place::Number(self.module.globals[global].size, bits),
            Obj::Recent(inst) | Obj::Old(inst) => {
                let pointer = self.body.insts[inst].results[0];
                let Op::Alloc { size, .. } = &self.body.insts[inst].op else {
                    return None;
                };
                if !self.scope.is_outer(pointer, head) {
                    return None;
                }
                match size {
                    Operand::Value(size) => Place::Outer(*size),
                    Operand::Const(Const::Int(size)) => Place::Number(size.low_u64(), bits),
                    Operand::Const(_) => return None,
                }
            }
        };
        Some(vec![(Place::Ghost(bytes), Atom::Outside(bytes, size))])
    }

    /// How a loop goes through arrays.
    fn walks(&self, own: Loop) -> Vec<Walk> {
        let head = self.head(own);
        let mut found: Vec<Walk> = Vec::new();
        for access in &self.accesses {
            if self.loops.innermost[access.block] != Some(own) {
                continue;
            }
            let (Some(offset), by) = access.like else {
                continue;
            };
            let bytes = access.ty.bytes(self.module.machine);
            let (Some(upwards), Some(version), Some(outside)) = (
                self.direction(offset, head),
                self.version(access.memory, head),
                self.outside(access.object, bytes, head),
            ) else {
                continue;
            };
            let next = Place::Formula(offset, by);
            let ghost = Place::Ghost(bytes);
            let (ahead, behind) = match upwards {
                true => (
                    (next, Atom::Compared(Relation::SignedAtMost, ghost)),
                    (ghost, Atom::Compared(Relation::SignedLess, next)),
                ),
                false => (
                    (ghost, Atom::Compared(Relation::SignedAtMost, next)),
                    (next, Atom::Compared(Relation::SignedLess, ghost)),
                ),
            };
            let known = found
                .iter_mut()
                .find(|walk| (walk.object, walk.ty) == (access.object, access.ty));
            let walk = match known {
                Some(walk) => walk,
                None => {
                    found.push(Walk {
                        object: access.object,
                        ty: access.ty,
                        element: Place::Element(version, access.object, access.ty),
                        ahead: Vec::new(),
                        behind: Vec::new(),
                        outside,
                        writes: false,
                    });
                    found.last_mut().expect("it was added")
                }
            };
            walk.writes |= access.stored.is_some();
            if !walk.ahead.contains(&vec![ahead]) {
                walk.ahead.push(vec![ahead]);
                walk.behind.push(vec![behind]);
            }
        }
        found
    }

    /// Does an offset grow from round to round? None if it does not change, or cannot be computed at the head.
    fn direction(&self, offset: Value, head: Block) -> Option<bool> {
        if !self.scope.is_formula(offset, head) {
            return None;
        }
        let leaves = elements::leaves(self.body, offset)?;
        let mut steps = leaves
            .into_iter()
            .filter_map(|leaf| self.scope.param(leaf, head))
            .map(|index| step_of(self.body, head, index));
        let step = steps.next()??;
        steps.next().is_none().then_some(step > 0)
    }

    /// Facts about the part that a loop has been at.
    fn own(&self, own: Loop, walks: &[Walk]) -> Vec<Fact> {
        let head = self.head(own);
        let mut found = Vec::new();
        let flags = self.flags(head);
        for walk in walks {
            for claim in self.claims(own, walk, walks) {
                for ahead in &walk.ahead {
                    found.push(vec![walk.outside.clone(), ahead.clone(), vec![claim]]);
                }
                if walk.writes {
                    continue;
                }
                for flag in &flags {
                    for ahead in &walk.ahead {
                        found.push(vec![
                            walk.outside.clone(),
                            ahead.clone(),
                            vec![*flag],
                            vec![claim],
                        ]);
                    }
                }
            }
        }
        found
    }

    /// Values of the head's parameters that are flags.
    fn flags(&self, head: Block) -> Vec<(Place, Atom)> {
        let mut found = Vec::new();
        for (index, param) in self.body.blocks[head].params.iter().enumerate() {
            let mut joined: Option<Int> = None;
            for state in &self.invariants.states[head] {
                let known = state.vals.get(param).and_then(Val::as_int).copied();
                let top = Int::top(64);
                let known = known.unwrap_or(top);
                joined = Some(match joined {
                    Some(other) if other.width == known.width => other.join(&known),
                    Some(_) => top,
                    None => known,
                });
            }
            if joined.is_some_and(|x| x.umax == 1) {
                found.push((Place::Param(index), Atom::Is(0)));
                found.push((Place::Param(index), Atom::Is(1)));
            }
        }
        found.truncate(4);
        found
    }

    /// What may hold of the elements that a loop has been at.
    fn claims(&self, own: Loop, walk: &Walk, walks: &[Walk]) -> Vec<(Place, Atom)> {
        let mut found = Vec::new();
        if walk.writes {
            self.stored(own, walk, walks, &mut found);
        } else {
            self.carried(own, walk, &mut found);
        }
        self.compared(own, walk, walks, &mut found);
        let mut seen = BTreeSet::new();
        found.retain(|claim| seen.insert(*claim));
        found.truncate(CLAIMS);
        found
    }

    /// By what the loop stores.
    fn stored(&self, own: Loop, walk: &Walk, walks: &[Walk], found: &mut Vec<(Place, Atom)>) {
        let head = self.head(own);
        let mut values: Option<Int> = None;
        let mut unknown = false;
        for access in &self.accesses {
            let Some(stored) = &access.stored else {
                continue;
            };
            if !self.loops.contains(own, access.block)
                || (access.object, access.ty) != (walk.object, walk.ty)
            {
                continue;
            }
            for value in self.values_at(access, stored) {
                match value {
                    Some(x) => values = Some(values.map_or(x, |known: Int| known.join(&x))),
                    None => unknown = true,
                }
            }
            let Operand::Value(value) = stored else {
                continue;
            };
            if self.scope.is_outer(*value, head) {
                let equal = Atom::Compared(Relation::Equal, Place::Outer(*value));
                found.push((walk.element, equal));
            }
            if let Some(other) = self.loaded(*value)
                && other.like == access.like
                && let Some(other) = self.element(other, head, walks)
                && other != walk.element
            {
                found.push((walk.element, Atom::Compared(Relation::Equal, other)));
            }
        }
        if let Some(x) = values.filter(|_| !unknown) {
            found.extend(
                facts::atoms(&x)
                    .into_iter()
                    .map(|atom| (walk.element, atom)),
            );
        }
    }

    /// What is stored, in each state that comes there; none where nothing is known.
    fn values_at(&self, access: &Access, stored: &Operand) -> Vec<Option<Int>> {
        let program = Program {
            module: self.module,
            body: self.body,
            shape: self.invariants.shape,
        };
        let mut found = Vec::new();
        for state in &self.invariants.states[access.block] {
            let mut state = state.clone();
            for &inst in &self.body.blocks[access.block].insts {
                if inst == access.inst {
                    found.push(program.operand(&state, stored).as_int().copied());
                    break;
                }
                if !program.step(&mut state, inst) {
                    break;
                }
            }
        }
        found
    }

    /// By what the loop carries along: the greatest so far, or the least.
    fn carried(&self, own: Loop, walk: &Walk, found: &mut Vec<(Place, Atom)>) {
        let head = self.head(own);
        for (index, &param) in self.body.blocks[head].params.iter().enumerate() {
            if self.body.values[param].ty != walk.ty || step_of(self.body, head, index).is_some() {
                continue;
            }
            let place = Place::Param(index);
            let below = Atom::Compared(Relation::SignedAtMost, place);
            found.push((walk.element, below));
            let above = Atom::Compared(Relation::SignedAtMost, walk.element);
            found.push((place, above));
        }
    }

    /// By comparisons of the array's elements, wherever they are.
    fn compared(&self, own: Loop, walk: &Walk, walks: &[Walk], found: &mut Vec<(Place, Atom)>) {
        let head = self.head(own);
        for (_, inst) in self.body.insts_in_order() {
            let Op::Compare(op, a, b) = &self.body.insts[inst].op else {
                continue;
            };
            for (one, other, turned) in [(a, b, false), (b, a, true)] {
                let Some((access, cast)) = self.loaded_through(one) else {
                    continue;
                };
                if (access.object, access.ty) != (walk.object, walk.ty) {
                    continue;
                }
                let other = match other {
                    Operand::Const(Const::Int(number)) => narrowed(number.low_u64(), walk.ty, cast),
                    Operand::Value(value) if cast.is_none() => self
                        .loaded(*value)
                        .filter(|other| other.like == access.like)
                        .and_then(|other| self.element(other, head, walks))
                        .or_else(|| {
                            let outer = self.scope.is_outer(*value, head);
                            outer.then_some(Place::Outer(*value))
                        }),
                    Operand::Const(_) | Operand::Value(_) => None,
                };
                let Some(other) = other.filter(|&other| other != walk.element) else {
                    continue;
                };
                let (left, right) = match turned {
                    false => (walk.element, other),
                    true => (other, walk.element),
                };
                let (relation, negation) = match op {
                    CompareOp::Eq => (Relation::Equal, (left, Relation::Unequal, right)),
                    CompareOp::Ne => (Relation::Unequal, (left, Relation::Equal, right)),
                    CompareOp::Ult => (Relation::Less, (right, Relation::AtMost, left)),
                    CompareOp::Ule => (Relation::AtMost, (right, Relation::Less, left)),
                    CompareOp::Slt => (Relation::SignedLess, (right, Relation::SignedAtMost, left)),
                    CompareOp::Sle => (Relation::SignedAtMost, (right, Relation::SignedLess, left)),
                    _ => continue, // Compares floats.
                };
                found.push((left, Atom::Compared(relation, right)));
                let (left, relation, right) = negation;
                found.push((left, Atom::Compared(relation, right)));
            }
        }
    }

    /// The access that a value was loaded by.
    fn loaded(&self, value: Value) -> Option<&Access> {
        let loads = |access: &&Access| {
            access.stored.is_none() && self.body.insts[access.inst].results.contains(&value)
        };
        self.accesses.iter().find(loads)
    }

    /// The same for what was made wider since.
    fn loaded_through(&self, operand: &Operand) -> Option<(&Access, Option<CastOp>)> {
        let value = operand.as_value()?;
        match self.body.def_inst(value).map(|data| &data.op) {
            Some(Op::Cast(op @ (CastOp::SExt | CastOp::ZExt), from, _)) => {
                Some((self.loaded(from.as_value()?)?, Some(*op)))
            }
            _ => Some((self.loaded(value)?, None)),
        }
    }

    /// The elements of another array, at a head.
    fn element(&self, access: &Access, head: Block, walks: &[Walk]) -> Option<Place> {
        let walk = walks
            .iter()
            .find(|walk| (walk.object, walk.ty) == (access.object, access.ty));
        match walk {
            Some(walk) => Some(walk.element),
            None => {
                let version = self.version(access.memory, head)?;
                self.outside(access.object, 1, head)?;
                Some(Place::Element(version, access.object, access.ty))
            }
        }
    }

    /// What held at the head of a loop before, said at this one, if it may have changed the elements.
    fn inherit(
        &self,
        list: &mut Vec<Fact>,
        fact: &Fact,
        before: Block,
        head: Block,
        walks: &[Walk],
    ) {
        let mut touched = false;
        let mut place = |place: Place| match place {
            Place::Param(index) => Place::Outer(self.body.blocks[before].params[index]),
            Place::Element(version, object, ty) => {
                let memory = match version {
                    Version::Param(index) => self.body.blocks[before].params[index],
                    Version::Outer(memory) => memory,
                };
                let version = self.version(memory, head).unwrap_or(Version::Outer(memory));
                touched |= matches!(version, Version::Param(_));
                Place::Element(version, object, ty)
            }
            Place::Offset(_)
            | Place::Cell(..)
            | Place::Outer(_)
            | Place::Number(..)
            | Place::Formula(..)
            | Place::Ghost(_) => place,
        };
        let fact: Fact = fact
            .iter()
            .map(|part| {
                let atoms = part.iter();
                atoms
                    .map(|&(left, atom)| {
                        let atom = match atom {
                            Atom::Compared(relation, right) => {
                                Atom::Compared(relation, place(right))
                            }
                            other => other, // Speaks of sizes and constants.
                        };
                        (place(left), atom)
                    })
                    .collect()
            })
            .collect();
        if !touched {
            return;
        }
        let bytes = facts::ghost_of(&fact);
        for walk in walks.iter().filter(|walk| walk.writes) {
            for behind in &walk.behind {
                if facts::ghost_of(&vec![behind.clone()]) == bytes {
                    let mut except = fact.clone();
                    except.insert(2, behind.clone());
                    list.push(except);
                }
            }
        }
        list.push(fact);
    }
}

/// A number as an element that was made wider compares to it.
fn narrowed(number: u64, ty: Type, cast: Option<CastOp>) -> Option<Place> {
    let Type::Int(width) = ty else {
        return None;
    };
    let low = number & mask(width);
    let fits = match cast {
        None => true,
        // Small numbers are themselves either way.
        Some(_) => number == low && low <= mask(width) >> 1,
    };
    fits.then_some(Place::Number(low, width))
}
