//! Scalars between registers and memory: loads and stores.

use ir::syntax::{InstData, Type};
use rustc_hash::FxHashSet;
use terms::Term;

use super::evaluation::Evaluation;
use super::{Chosen, Val};
use crate::memory::{Case, Memory, Scalar, Shared, State};
use crate::pointer::{Alternative, NOWHERE, Object, Pointer};
use crate::world::Kind;

impl<'a, 'o> Evaluation<'a, 'o> {
    pub(super) fn load(
        &mut self,
        memory: &Memory,
        pointer: Pointer,
        ty: Type,
        volatile: bool,
    ) -> Val {
        let machine = self.vc.world.module.machine;
        let bytes = ty.bytes(machine) as u32;
        let scalar = if bytes <= 16 {
            self.load_scalar(memory, pointer, 0, bytes)
        } else {
            // Wide integers are read in words.
            let mut bits: Option<Term> = None;
            let mut at = 0;
            while at < bytes {
                let width = (bytes - at).min(8);
                let scalar = self.load_scalar(memory, pointer, at, width);
                let part = self.vc.world.scalar_bits(scalar);
                bits = Some(match bits {
                    None => part,
                    Some(low) => self.terms().concat(part, low),
                });
                at += width;
            }
            Scalar::Bits(bits.expect("at least one word"))
        };
        let scalar = self.or_any(memory, pointer, scalar, ty, volatile);
        self.value_of_scalar(scalar, ty)
    }

    /// What is read; any value where the access is invalid, unless obligations exclude that, and
    /// where others than the program may have written.
    fn or_any(
        &mut self,
        memory: &Memory,
        pointer: Pointer,
        scalar: Scalar,
        ty: Type,
        volatile: bool,
    ) -> Scalar {
        let devices = !self.vc.world.module.mmio.is_empty();
        // Where there is memory of no object, the passes have put obligations before accesses.
        let goes_on = self.config.continue_after_failure;
        let checked = self.config.accesses_checked || self.config.unknown_memory && !goes_on;
        if checked && !volatile && !devices {
            return scalar;
        }
        let machine = self.vc.world.module.machine;
        let bytes = ty.bytes(machine) as u32;
        let len = self.vc.world.word(bytes as u64);
        let valid = self.is_inside_object(memory, pointer, len, |kind| match kind {
            Kind::Stack | Kind::Heap => true,
            Kind::Global(_) | Kind::Nowhere => !volatile,
            Kind::Function(_) => false,
        });
        if self.known(valid) == Some(true) {
            return scalar;
        }
        let any = self.vc.world.any_scalar("outside", bytes);
        let term = self.vc.world.scalar_bits(any);
        let width = ty.bits(machine).expect("a loaded value has a width");
        let term = self.terms().trunc(term, width);
        let invalid = self.terms().not(valid);
        self.choose_if(invalid, Chosen::Value(term));
        self.vc.world.merge_scalars(valid, scalar, any)
    }

    pub(super) fn load_scalar(
        &mut self,
        memory: &Memory,
        pointer: Pointer,
        skip: u32,
        width: u32,
    ) -> Scalar {
        let skip = self.vc.world.word(skip as u64);
        let alternatives = self.vc.world.resolve(pointer);
        let mut cases = Vec::with_capacity(alternatives.len());
        for mut alternative in alternatives {
            // Outside of all memory there is nothing to read: see `or_any`.
            if !self.enter_unknown(memory, &mut alternative) {
                continue;
            }
            let Some(state) = memory.state(alternative.object) else {
                continue;
            };
            let Alternative { guard, offset, .. } = alternative;
            if alternative.object == NOWHERE {
                let bytes = self.vc.world.word(u64::from(width));
                let at = self.terms().add(offset, skip);
                self.vc.unknown_reads.push((at, bytes));
            }
            cases.push(Case {
                guard,
                contents: &state.contents,
                offset,
                size: self.vc.world.objects[alternative.object].fixed,
            });
        }
        let world = &mut self.vc.world;
        let value = world.read_one_of(&memory.shared, &cases, (skip, width));
        value.unwrap_or_else(|| world.any_scalar("outside", width))
    }

    /// A scalar as a register of the type holds it.
    fn value_of_scalar(&mut self, scalar: Scalar, ty: Type) -> Val {
        match (ty, scalar) {
            (Type::Ptr, Scalar::Pointer(pointer)) => Val::Pointer(pointer),
            (Type::Ptr, Scalar::Bits(bits)) => Val::Pointer(self.vc.world.pointer_from_bits(bits)),
            (Type::Int(width), _) => {
                let bits = self.vc.world.scalar_bits(scalar);
                let low = self.terms().trunc(bits, width);
                Val::Term(self.as_register(low))
            }
            (Type::Float(float), _) => {
                let bits = self.vc.world.scalar_bits(scalar);
                Val::Term(self.terms().trunc(bits, float.bits()))
            }
            (Type::Mem(_), _) => unreachable!("memories are not stored"),
        }
    }

    /// A register's value as scalars of at most 16 bytes: offset, width, scalar.
    pub(super) fn scalars(&mut self, value: Val, ty: Type, bytes: u32) -> Vec<(u32, u32, Scalar)> {
        match value {
            Val::Pointer(pointer) => vec![(0, bytes, Scalar::Pointer(pointer))],
            Val::Memory(_) => unreachable!("memories are not stored"),
            Val::Term(term) => {
                debug_assert!(ty != Type::Ptr);
                let bits = self.as_bits(term);
                let whole = self.terms().zext(bits, bytes * 8);
                if bytes <= 16 {
                    return vec![(0, bytes, Scalar::Bits(whole))];
                }
                let mut parts = Vec::new();
                let mut at = 0;
                while at < bytes {
                    let width = (bytes - at).min(8);
                    let part = self.terms().extract(whole, (at + width) * 8 - 1, at * 8);
                    parts.push((at, width, Scalar::Bits(part)));
                    at += width;
                }
                parts
            }
        }
    }

    /// The next version of a memory, after a value of so many bytes was stored in parts.
    pub(super) fn store(
        &mut self,
        data: &InstData,
        pointer: Pointer,
        parts: &[(u32, u32, Scalar)],
        bytes: u32,
    ) -> Memory {
        let mut memory = self.memory(data, 0);
        let bytes = self.vc.world.word(u64::from(bytes));
        let mut waiting = self.vc.world.resolve(pointer);
        while !waiting.is_empty() {
            // A pointer may mean an object and an address that turns out to be in the same one: one after the other.
            let mut seen: FxHashSet<Object> = FxHashSet::default();
            let mut meant: Vec<(Alternative, State)> = Vec::with_capacity(waiting.len());
            let mut again = Vec::new();
            for mut alternative in waiting {
                if !seen.insert(alternative.object) {
                    again.push(alternative);
                    continue;
                }
                if !self.enter_unknown(&memory, &mut alternative) {
                    continue;
                }
                if let Some(state) = memory.take(alternative.object) {
                    meant.push((alternative, state));
                }
            }
            for &part in parts {
                self.store_part(&mut memory.shared, &mut meant, part);
            }
            for (alternative, mut state) in meant {
                if self.may_be_written(alternative.object) {
                    state.modified = self.terms().or(state.modified, alternative.guard);
                }
                self.initialise(&alternative, (&mut state, &mut memory.shared), bytes);
                memory.set(alternative.object, state);
            }
            waiting = again;
        }
        memory
    }

    /// The initialiser of a variable writes; that of a global has been written.
    fn may_be_written(&self, object: Object) -> bool {
        let info = &self.vc.world.objects[object];
        !info.constant || info.kind == Kind::Stack
    }

    /// Writes a scalar where the alternative that applies says.
    fn store_part(
        &mut self,
        shared: &mut Shared,
        meant: &mut [(Alternative, State)],
        (skip, width, scalar): (u32, u32, Scalar),
    ) {
        let skip = self.vc.world.word(skip as u64);
        let mut cases = Vec::with_capacity(meant.len());
        for (alternative, state) in meant {
            if !self.may_be_written(alternative.object) {
                continue;
            }
            let (size, offset) = (
                self.vc.world.objects[alternative.object].fixed,
                alternative.offset,
            );
            let first = self.terms().add(offset, skip);
            let outside = match (self.terms().as_u64(first), size) {
                (Some(at), Some(size)) => at.checked_add(width as u64).is_none_or(|end| end > size),
                _ => false,
            };
            if outside {
                continue;
            }
            cases.push(Case {
                guard: alternative.guard,
                contents: &mut state.contents,
                offset,
                size,
            });
        }
        let world = &mut self.vc.world;
        world.write_one_of(shared, &mut cases, (skip, width), scalar);
    }

    /// Bytes that are written are initialised.
    pub(super) fn initialise(
        &mut self,
        alternative: &Alternative,
        (state, shared): (&mut State, &mut Shared),
        len: Term,
    ) {
        let range = self.range(alternative, len);
        if let Some(shadow) = &mut state.shadow {
            let world = &mut self.vc.world;
            let zero = world.terms.bv_u64(0, 8);
            world.set_range(shared, shadow, range, zero);
        }
    }

    /// Which bits of a value in memory are not initialised; none outside of live objects.
    pub(super) fn load_shadow(&mut self, memory: &Memory, pointer: Pointer, ty: Type) -> Val {
        let machine = self.vc.world.module.machine;
        let (bytes, width) = (ty.bytes(machine) as u32, ty.bits(machine));
        let width = width.expect("a shadow is an integer");
        let len = self.vc.world.word(u64::from(bytes));
        let mut result = self.terms().bv(base::Bv::zero(width));
        for alternative in self.vc.world.resolve(pointer).into_iter().rev() {
            let Some(state) = memory.state(alternative.object).cloned() else {
                continue;
            };
            let Some(shadow) = &state.shadow else {
                continue;
            };
            let info = &self.vc.world.objects[alternative.object];
            let (fixed, size) = (info.fixed, info.size);
            let inside = self.is_inside(alternative.offset, len, size);
            let live = self.terms().and(state.alive, inside);
            let applies = self.terms().and(alternative.guard, live);
            let mut bits: Option<Term> = None;
            for at in (0..bytes).step_by(8) {
                let part = (bytes - at).min(8);
                let skip = self.vc.world.word(u64::from(at));
                let offset = self.terms().add(alternative.offset, skip);
                let world = &mut self.vc.world;
                let scalar = world.read(&memory.shared, shadow, offset, part, fixed);
                let high = self.vc.world.scalar_bits(scalar);
                bits = Some(match bits {
                    None => high,
                    Some(low) => self.terms().concat(high, low),
                });
            }
            let bits = bits.expect("a value has a byte");
            let here = self.terms().trunc(bits, width);
            result = self.terms().ite(applies, here, result);
        }
        Val::Term(self.as_register(result))
    }
}
