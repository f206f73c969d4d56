//! Memory that belongs to no object: which addresses mean it, and when an access comes to it.

use terms::Term;

use super::Chosen;
use super::evaluation::Evaluation;
use crate::memory::{Init, Memory, Unknown};
use crate::pointer::{Alternative, NOWHERE, Pointer};
use crate::world::Kind;

/// No memory that belongs to no object lies in the first page, or in the last two.
const PAGE: u64 = 4096;

impl<'a, 'o> Evaluation<'a, 'o> {
    /// Is an address that no object has one of memory that belongs to none? All but the first page,
    /// the last ones, and devices.
    pub(super) fn is_unknown(&mut self, address: Term) -> Term {
        if !self.config.unknown_memory {
            return self.terms().fls();
        }
        self.is_mapped(address)
    }

    pub(super) fn is_mapped(&mut self, address: Term) -> Term {
        let first = self.vc.world.word(PAGE);
        let last = self.vc.world.word((2 * PAGE + 1).wrapping_neg());
        let above = self.terms().ule(first, address);
        let below = self.terms().ule(address, last);
        let one = self.vc.world.word(1);
        let device = self.is_device(address, one);
        let device = self.terms().not(device);
        let inside = self.terms().and(above, below);
        self.terms().and(inside, device)
    }

    /// Does an alternative lead to an object, or to memory that belongs to none? Its guard then says
    /// when.
    pub(super) fn enter_unknown(&mut self, memory: &Memory, alternative: &mut Alternative) -> bool {
        if alternative.object != NOWHERE {
            return true;
        }
        let unknown = self.is_unknown(alternative.offset);
        let guard = self.terms().and(alternative.guard, unknown);
        if self.terms().as_bool(guard) == Some(false) {
            return false;
        }
        if memory.state(NOWHERE).is_none() {
            let what = "memory of no object beside that of objects";
            self.vc.world.noticed.gaps_if.push((guard, what));
            return false;
        }
        alternative.guard = guard;
        true
    }

    /// Memory that belongs to no object has new contents.
    pub(super) fn renew_unknown(&mut self, memory: &mut Memory, unknown: Unknown) {
        self.begin_life(memory, NOWHERE, Init::Unknown(unknown), Init::Zero);
    }

    /// The bytes that a copy reads where its source is no memory, and when that is so.
    pub(super) fn stray_source(
        &mut self,
        source: &Memory,
        pointer: Pointer,
        len: Term,
    ) -> Option<(Term, Unknown)> {
        if !self.config.unknown_memory {
            return None;
        }
        let valid = self.is_inside_object(source, pointer, len, |_| true);
        let zero = self.vc.world.word(0);
        let nothing = self.terms().eq(len, zero);
        let valid = self.terms().or(valid, nothing);
        if self.known(valid) == Some(true) {
            return None;
        }
        let stray = self.terms().not(valid);
        let unknown = self.vc.world.unknown();
        self.choose_if(stray, Chosen::Bytes(unknown));
        Some((stray, unknown))
    }

    /// Does an access lie in a live object of such a kind?
    pub(super) fn is_inside_object(
        &mut self,
        memory: &Memory,
        pointer: Pointer,
        len: Term,
        wanted: impl Fn(Kind) -> bool,
    ) -> Term {
        self.any_alternative(pointer, |this, alternative| {
            let info = &this.vc.world.objects[alternative.object];
            let (size, kind) = (info.size, info.kind);
            if alternative.object == NOWHERE && wanted(kind) {
                return this.is_unknown(alternative.offset);
            }
            match memory.state(alternative.object) {
                Some(state) if wanted(kind) => {
                    let alive = state.alive;
                    let inside = this.is_inside(alternative.offset, len, size);
                    this.terms().and(alive, inside)
                }
                Some(_) | None => this.terms().fls(),
            }
        })
    }

    /// Is an address that no object has a device's?
    pub(super) fn is_device(&mut self, address: Term, len: Term) -> Term {
        let module = self.vc.world.module;
        let mut result = self.terms().fls();
        for &(first, last) in &module.mmio {
            let first = self.vc.world.word(first);
            let last = self.vc.world.word(last);
            let one = self.vc.world.word(1);
            let most = self.terms().sub(last, first);
            let offset = self.terms().sub(address, first);
            // One byte less than the size and the length, which may be all of the address space.
            let fits = self.terms().ule(offset, most);
            let room = self.terms().sub(most, offset);
            let rest = self.terms().sub(len, one);
            let zero = self.vc.world.word(0);
            let empty = self.terms().eq(len, zero);
            let enough = self.terms().ule(rest, room);
            let enough = self.terms().or(empty, enough);
            let inside = self.terms().and(fits, enough);
            result = self.terms().or(result, inside);
        }
        result
    }

    /// Does an access not trap?
    pub(super) fn is_touch(&mut self, pointer: Pointer, len: Term) -> Term {
        let zero = self.vc.world.word(0);
        let mut traps = self.terms().fls();
        for alternative in self.vc.world.resolve(pointer) {
            if alternative.object == NOWHERE {
                let unknown = self.is_mapped(alternative.offset);
                let device = self.is_device(alternative.offset, len);
                let fine = self.terms().or(unknown, device);
                let traps_here = self.terms().not(fine);
                let case = self.terms().and(alternative.guard, traps_here);
                traps = self.terms().or(traps, case);
            }
        }
        let nothing = self.terms().eq(len, zero);
        let lets = self.terms().not(traps);
        self.terms().or(lets, nothing)
    }

    /// Is the pointer a mere address? Not if it may be what is left of a pointer to a dead object: unknown code may
    /// have left in memory what the program stored there.
    pub(super) fn is_stray(&mut self, memory: &Memory, pointer: Pointer) -> Term {
        let (mut stray, mut dangles) = (self.terms().fls(), self.terms().fls());
        let alternatives = self.vc.world.pointers.alternatives(pointer);
        for &alternative in alternatives.iter() {
            if alternative.object != NOWHERE {
                continue;
            }
            stray = self.terms().or(stray, alternative.guard);
            for found in self.vc.world.objects_at(alternative) {
                let Some(state) = memory.state(found.object) else {
                    continue;
                };
                if found.object != NOWHERE {
                    let dead = self.vc.world.terms.not(state.alive);
                    let case = self.terms().and(found.guard, dead);
                    dangles = self.terms().or(dangles, case);
                }
            }
        }
        let sound = self.terms().not(dangles);
        self.terms().and(stray, sound)
    }
}
