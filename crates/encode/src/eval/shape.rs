//! What may differ between the states in which a head is entered: its shape, and how it grows.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ir::syntax::Func;
use rustc_hash::FxHashMap;

use super::Val;
use super::arbitrary::{Place, Point, Refused};
use super::crowd::Whose;
use super::evaluation::Evaluation;
use crate::crowd::{Like, Places};
use crate::memory::{Contents, Memory};
use crate::path::Path;
use crate::pointer::Object;
use crate::world::World;

/// What may differ between the states in which a head is entered.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Objects whose address is known as a number.
    pub(super) exposed: BTreeSet<Object>,
    /// Objects whose life may be over.
    pub(super) ended: BTreeSet<Object>,
    /// Values that edges carry and that are not the same after all.
    pub(super) carried: BTreeSet<usize>,
    /// What pointers may belong to.
    pub(super) pointers: BTreeMap<usize, BTreeSet<Object>>,
    pub(super) memories: BTreeMap<usize, Region>,
    /// What rounds have made, by memory.
    pub(super) crowd: BTreeSet<(usize, Like)>,
    /// What of that may be dead.
    pub(super) mortal: BTreeSet<(usize, Like)>,
    /// Pointers that may be other than null or the beginning of an object.
    pub(super) untidy: BTreeSet<usize>,
}

#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) changed: BTreeMap<Object, Changed>,
    /// What pointers in changed objects may belong to.
    pub(super) pointees: BTreeSet<Object>,
    /// With crowds: where pointers in changed objects are; none if not all are neat.
    pub(super) places: BTreeMap<Whose, Option<Places>>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Changed {
    pub(super) alive: bool,
    pub(super) modified: bool,
    pub(super) contents: bool,
    pub(super) shadow: bool,
}

impl Changed {
    /// What changes of one or the other.
    pub(super) fn or(self, other: Changed) -> Changed {
        Changed {
            alive: self.alive || other.alive,
            modified: self.modified || other.modified,
            contents: self.contents || other.contents,
            shadow: self.shadow || other.shadow,
        }
    }
}

pub(super) type Shapes = FxHashMap<(Func, Point), Shape>;

impl Evaluation<'_, '_> {
    /// Is a state of the shape that the states of a place have, where another one is? If not, the shape grows.
    pub(super) fn compare_shape(
        &mut self,
        place: Place,
        before: &[Val],
        now: &[Val],
        params: Range<usize>,
    ) {
        self.compare_round(place, (before, now), params, None);
    }

    /// The same after a round that may have made objects, from some number on.
    pub(super) fn compare_round(
        &mut self,
        place: Place,
        (before, now): (&[Val], &[Val]),
        params: Range<usize>,
        round: Option<(usize, Path)>,
    ) {
        let key = (place.func, place.point);
        let inductive = self.inductive.as_mut().expect("there is a plan");
        let old = inductive.shapes.remove(&key).unwrap_or_default();
        let mut shape = old.clone();
        let world = &mut self.vc.world;
        // What a round has made is no object of the next one's beginning.
        let there = round.map_or(usize::MAX, |(there, _)| there);
        let older = |object: &Object| object.index() < there;
        shape.exposed.extend(world.exposed.iter().copied());
        shape
            .ended
            .extend(world.ended.iter().copied().filter(older));
        for (index, (before, now)) in before.iter().zip(now).enumerate() {
            match (before, now) {
                (Val::Term(a), Val::Term(b)) => {
                    if a != b && !params.contains(&index) {
                        shape.carried.insert(index);
                    }
                }
                (Val::Pointer(a), Val::Pointer(b)) => {
                    if a != b {
                        if !params.contains(&index) {
                            shape.carried.insert(index);
                        }
                        let objects = world.objects_of(*b);
                        let objects = objects.iter().map(|x| x.object).filter(older);
                        shape.pointers.entry(index).or_default().extend(objects);
                    }
                }
                (Val::Memory(a), Val::Memory(b)) => {
                    let region = shape.memories.entry(index).or_default();
                    compare_memories(world, (a, b), older, region);
                }
                (Val::Term(_) | Val::Pointer(_) | Val::Memory(_), _) => {
                    unreachable!("a register has one type")
                }
            }
        }
        let said = round.is_none_or(|round| self.compare_crowds(&mut shape, (before, now), round));
        if let (false, Point::Head(head)) = (said, place.point) {
            self.refuse(Refused::Allocates(place.func, head));
        }
        let inductive = self.inductive.as_mut().expect("there is a plan");
        inductive.grown |= shape != old;
        inductive.shapes.insert(key, shape);
    }
}

/// What of a memory is not as it was.
fn compare_memories(
    world: &mut World<'_>,
    (before, now): (&Memory, &Memory),
    older: impl Fn(&Object) -> bool,
    region: &mut Region,
) {
    for object in before.differing(now) {
        let (Some(a), Some(b)) = (before.state(object), now.state(object)) else {
            // Made in the loop.
            continue;
        };
        let mut same = |a: &Contents, b: &Contents| {
            let (before, now) = (&before.shared, &now.shared);
            world.holds_same((a, before), (b, now))
        };
        let differs = Changed {
            alive: a.alive != b.alive,
            modified: a.modified != b.modified,
            contents: !same(&a.contents, &b.contents),
            shadow: match (&a.shadow, &b.shadow) {
                (Some(a), Some(b)) => !same(a, b),
                (a, b) => a.is_some() || b.is_some(),
            },
        };
        if differs == Changed::default() {
            continue;
        }
        let changed = region.changed.entry(object).or_default();
        changed.alive |= differs.alive;
        changed.modified |= differs.modified;
        changed.contents |= differs.contents;
        changed.shadow |= differs.shadow;
        if differs.contents {
            let mut found = Vec::new();
            world.pointees(&now.shared, &b.contents, true, &mut found);
            region.pointees.extend(found.into_iter().filter(&older));
        }
    }
}
