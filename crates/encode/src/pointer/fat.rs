//! A pointer knows its object, wherever it points.
//!
//! A number may be an address again: then it means the objects whose address became a number before.

use terms::Term;

use super::{Alternative, NOWHERE, Object, Pointer, Style};
use crate::world::World;

pub(super) struct Fat;

impl Style for Fat {
    fn point(&self, world: &mut World<'_>, object: Object, offset: Term) -> Pointer {
        world.pointers.make(world.terms, object, offset)
    }

    fn find(&self, world: &mut World<'_>, number: Alternative) -> Vec<Alternative> {
        let mut found = Vec::new();
        let mut rest = number.guard;
        for (object, applies) in candidates(world) {
            world.noticed.looked = Some("the object at an address that is a number");
            let (base, size) = (world.objects[object].base, world.objects[object].size);
            let offset = world.terms.sub(number.offset, base);
            let inside = world.terms.ult(offset, size);
            let inside = world.terms.and(inside, applies);
            let guard = world.terms.and(rest, inside);
            if world.terms.as_bool(guard) == Some(false) {
                continue;
            }
            found.push(Alternative {
                guard,
                object,
                offset,
            });
            let outside = world.terms.not(inside);
            rest = world.terms.and(rest, outside);
        }
        found.push(Alternative {
            guard: rest,
            ..number
        });
        found
    }

    fn objects_of(&self, world: &mut World<'_>, pointer: Pointer) -> Vec<Alternative> {
        world.pointers.alternatives(pointer).to_vec()
    }

    fn of_any(
        &self,
        world: &mut World<'_>,
        objects: &[Object],
        address: Term,
        owner: Term,
    ) -> Pointer {
        let mut rest = world.terms.tru();
        let mut alternatives = Vec::with_capacity(objects.len() + 1);
        for &object in objects.iter().filter(|&&object| object != NOWHERE) {
            let guard = world.owns(object, owner);
            let base = world.objects[object].base;
            let offset = world.terms.sub(address, base);
            alternatives.push(Alternative {
                guard,
                object,
                offset,
            });
            let other = world.terms.not(guard);
            rest = world.terms.and(rest, other);
        }
        let number = Alternative {
            guard: rest,
            object: NOWHERE,
            offset: address,
        };
        alternatives.insert(0, number);
        world.pointers.intern(alternatives)
    }

    fn numbers_are_pointers(&self) -> bool {
        false
    }

    fn strays(&self, _: &mut World<'_>, _: Pointer, _: Pointer) -> Option<(Term, &'static str)> {
        None
    }

    fn placed(&self, _: &mut World<'_>, _: Object) {}

    fn slot_bits(&self, _: u32) -> Option<u32> {
        None
    }
}

/// The objects that a number may be an address of, and when: what is alive comes before what was, and
/// may have lain there.
fn candidates(world: &mut World<'_>) -> Vec<(Object, Term)> {
    let always = world.terms.tru();
    let mut list = Vec::with_capacity(world.exposed.len());
    let mut dead = Vec::new();
    for &object in &world.exposed {
        let alive = if world.is_free() {
            world.lives.alive(object).unwrap_or(always)
        } else {
            always
        };
        list.push((object, alive));
        if alive != always {
            dead.push((object, always));
        }
    }
    list.append(&mut dead);
    list
}
