//! A pointer is an address; which object it means is found when it is used.
//!
//! Each object lies in the middle of a part of the address space that belongs to it alone, its *slot*, so that
//! a pointer that leaves its object by less than half of it can still be told from pointers into others.

use rustc_hash::FxHashMap;
use terms::Term;

use super::{Alternative, NOWHERE, Object, Pointer, Style};
use crate::world::World;

pub(super) struct Raw;

/// The object that owns a part of the address space.
pub(super) type Slots = FxHashMap<u64, Object>;

impl Style for Raw {
    fn point(&self, world: &mut World<'_>, object: Object, offset: Term) -> Pointer {
        let base = world.objects[object].base;
        let address = world.terms.add(base, offset);
        world.pointers.make(world.terms, NOWHERE, address)
    }

    fn find(&self, world: &mut World<'_>, number: Alternative) -> Vec<Alternative> {
        let address = number.offset;
        let (low, high) = (world.layout.slot_bits(), world.pointer_bits - 1);
        let all = &world.pointers.slots;
        let mut slots: Vec<(u64, Object)> = match world.terms.as_u64(address) {
            Some(constant) => {
                let slot = world.layout.slot(constant);
                let object = all.get(&slot);
                object.map(|&object| (slot, object)).into_iter().collect()
            }
            None => all.iter().map(|(&slot, &object)| (slot, object)).collect(),
        };
        slots.sort_unstable();
        let part = world.terms.extract(address, high, low);
        let mut found = Vec::new();
        let mut rest = number.guard;
        for (slot, object) in slots {
            let slot = world.terms.bv_u64(slot, high - low + 1);
            let mine = world.terms.eq(part, slot);
            let guard = world.terms.and(rest, mine);
            if world.terms.as_bool(guard) == Some(false) {
                continue;
            }
            let base = world.objects[object].base;
            let offset = world.terms.sub(address, base);
            found.push(Alternative {
                guard,
                object,
                offset,
            });
            let other = world.terms.not(mine);
            rest = world.terms.and(rest, other);
        }
        found.push(Alternative {
            guard: rest,
            ..number
        });
        found
    }

    fn objects_of(&self, world: &mut World<'_>, pointer: Pointer) -> Vec<Alternative> {
        world.resolve(pointer)
    }

    fn of_any(&self, world: &mut World<'_>, _: &[Object], address: Term, _: Term) -> Pointer {
        world.pointers.make(world.terms, NOWHERE, address)
    }

    fn numbers_are_pointers(&self) -> bool {
        true
    }

    fn strays(
        &self,
        world: &mut World<'_>,
        from: Pointer,
        to: Pointer,
    ) -> Option<(Term, &'static str)> {
        let (from, to) = (world.address_term(from), world.address_term(to));
        let (low, high) = (world.layout.slot_bits(), world.pointer_bits - 1);
        let before = world.terms.extract(from, high, low);
        let after = world.terms.extract(to, high, low);
        let leaves = world.terms.ne(before, after);
        Some((
            leaves,
            "pointer arithmetic beyond what raw pointers can tell",
        ))
    }

    fn placed(&self, world: &mut World<'_>, object: Object) {
        let base = world.objects[object].base;
        let address = world.terms.as_u64(base);
        let address = address.expect("raw addresses are constant");
        let slot = world.layout.slot(address);
        world.pointers.slots.insert(slot, object);
    }

    fn slot_bits(&self, pointer_bits: u32) -> Option<u32> {
        Some(if pointer_bits == 64 { 36 } else { 20 })
    }
}
