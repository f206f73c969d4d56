//! Instructions on memory: allocation, access, and questions about objects.

use ir::syntax::{Access, AllocKind, InstData, Op, Type};
use terms::Term;

use super::evaluation::Evaluation;
use super::{Chosen, Val};
use crate::lives::Life;
use crate::memory::{Case, Init, Memory, Range, Shared, State, Unknown};
use crate::pointer::{Alternative, NOWHERE, Object, Pointer};
use crate::world::Kind;

/// The longest comparison of bytes whose length is not constant.
const COMPARE: u64 = 4096;

impl<'a, 'o> Evaluation<'a, 'o> {
    /// Evaluates an instruction on memory.
    pub(super) fn access(&mut self, data: &'a InstData) {
        self.allow_only_cells(data);
        let machine = self.vc.world.module.machine;
        let result = match &data.op {
            Op::Alloc {
                kind,
                size,
                align,
                zeroed,
                var,
            } => {
                let size = self.term(size);
                let sealed = *kind == AllocKind::Sealed;
                let kind = match kind {
                    AllocKind::Stack | AllocKind::Sealed => Kind::Stack,
                    AllocKind::Heap => Kind::Heap,
                };
                let place = self.place;
                let word = self.allocation_word();
                let object = self.vc.world.allocate(kind, size, *align, word);
                self.vc.world.objects[object].var = *var;
                self.vc.world.objects[object].constant = sealed;
                self.vc.world.objects[object].place = place;
                let always = self.terms().tru();
                self.change_life(object, always, Life::Made);
                let when = self.condition();
                let site = self.site();
                self.vc.world.note_made(object, (*align, site), when);
                if kind == Kind::Stack {
                    self.frame().stack.push(object);
                }
                let unknown = if *zeroed {
                    None
                } else {
                    Some(self.vc.world.unknown())
                };
                let init = unknown.map_or(Init::Zero, Init::Unknown);
                let shade = if *zeroed { Init::Zero } else { Init::Ones };
                let mut memory = self.memory(data, 0);
                self.begin_life(&mut memory, object, init, shade);
                self.choose_object(object, unknown);
                let pointer = self.vc.world.pointer(object, 0);
                self.define(data.results[0], Val::Pointer(pointer));
                self.define(data.results[1], Val::Memory(memory));
                return;
            }
            Op::Free(pointer) => {
                let pointer = self.pointer(pointer);
                self.change_states(data, pointer, |this, alternative, state, _| {
                    let heap = this.vc.world.objects[alternative.object].kind == Kind::Heap;
                    let zero = this.vc.world.word(0);
                    let base = this.terms().eq(alternative.offset, zero);
                    let freed = this.terms().and(alternative.guard, base);
                    let kept = this.terms().not(freed);
                    if heap {
                        state.alive = this.terms().and(state.alive, kept);
                        this.change_life(alternative.object, freed, Life::Ended);
                        if let Some(since) = this.library_since() {
                            let lives = &mut this.vc.world.lives;
                            lives.freed_by_model(alternative.object, since);
                        }
                    }
                })
            }
            Op::LifetimeStart(pointer) => {
                let pointer = self.pointer(pointer);
                let unknown = self.vc.world.unknown();
                if let [only] = self.vc.world.resolve(pointer).as_slice() {
                    self.choose_object(only.object, Some(unknown));
                }
                self.change_states(data, pointer, |this, alternative, state, shared| {
                    if alternative.object == NOWHERE {
                        return;
                    }
                    state.alive = this.terms().or(state.alive, alternative.guard);
                    this.change_life(alternative.object, alternative.guard, Life::Entered);
                    let info = &this.vc.world.objects[alternative.object];
                    let (size, word) = (info.fixed, info.word);
                    if let Some(ones) = this.vc.world.shadow(shared, Init::Ones, word)
                        && let Some(old) = &state.shadow
                    {
                        let world = &mut this.vc.world;
                        state.shadow =
                            Some(world.merge_contents(alternative.guard, &ones, old, size));
                    }
                    let world = &mut this.vc.world;
                    let fresh = world.contents(shared, Init::Unknown(unknown), word);
                    state.contents =
                        world.merge_contents(alternative.guard, &fresh, &state.contents, size);
                })
            }
            Op::LifetimeEnd(pointer) => {
                let pointer = self.pointer(pointer);
                self.change_states(data, pointer, |this, alternative, state, _| {
                    if alternative.object == NOWHERE {
                        return;
                    }
                    let kept = this.terms().not(alternative.guard);
                    state.alive = this.terms().and(state.alive, kept);
                    this.change_life(alternative.object, alternative.guard, Life::Ended);
                })
            }
            Op::StackSave => {
                let mark = self.frame().stack.len() as u64;
                Val::Term(self.vc.world.word(mark))
            }
            Op::StackRestore(mark) => {
                let mark = self.term(mark);
                return self.end_stack(data, Some(mark));
            }
            Op::Leave => return self.end_stack(data, None),
            Op::Load {
                ty, ptr, volatile, ..
            } => {
                let pointer = self.pointer(ptr);
                self.touch(pointer, ty.bytes(machine) as u32, *ty == Type::Ptr, false);
                let memory = self.memory(data, 0);
                self.load(&memory, pointer, *ty, *volatile)
            }
            Op::Store { ty, ptr, value, .. } => {
                let pointer = self.pointer(ptr);
                let value = self.value(value);
                let bytes = ty.bytes(machine) as u32;
                self.touch(pointer, bytes, *ty == Type::Ptr, true);
                let parts = self.scalars(value, *ty, bytes);
                Val::Memory(self.store(data, pointer, &parts, bytes))
            }
            Op::MemCopy { dst, src, len } => {
                let (dst, src, len) = (self.pointer(dst), self.pointer(src), self.term(len));
                let source = self.memory(data, 1);
                let stray = self.stray_source(&source, src, len);
                let mut from = self.vc.world.resolve(src);
                from.retain_mut(|alternative| self.enter_unknown(&source, alternative));
                for origin in from.iter().filter(|origin| origin.object == NOWHERE) {
                    self.vc.unknown_reads.push((origin.offset, len));
                }
                self.change_states(data, dst, |this, alternative, state, shared| {
                    this.copy_from(alternative, (state, shared), &source, &from, len);
                    if let Some((guard, unknown)) = stray {
                        let guard = this.terms().and(guard, alternative.guard);
                        let range = Range {
                            guard,
                            ..this.range(alternative, len)
                        };
                        let world = &mut this.vc.world;
                        let any = (unknown, world.objects[alternative.object].word);
                        world.copy_unknown(shared, &mut state.contents, range, any);
                    }
                })
            }
            Op::MemSet { dst, byte, len } => {
                let (dst, byte, len) = (self.pointer(dst), self.term(byte), self.term(len));
                self.change_states(data, dst, |this, alternative, state, shared| {
                    let range = this.range(alternative, len);
                    let world = &mut this.vc.world;
                    world.set_range(shared, &mut state.contents, range, byte);
                    this.initialise(alternative, (state, shared), len);
                    this.modify(alternative, state, len);
                })
            }
            Op::MemHavoc { dst, len } => {
                let (dst, len) = (self.pointer(dst), self.term(len));
                let unknown = self.vc.world.unknown();
                self.choose(Chosen::Bytes(unknown));
                self.change_states(data, dst, |this, alternative, state, shared| {
                    let range = this.range(alternative, len);
                    let world = &mut this.vc.world;
                    let any = (unknown, world.objects[alternative.object].word);
                    world.copy_unknown(shared, &mut state.contents, range, any);
                    this.initialise(alternative, (state, shared), len);
                    this.modify(alternative, state, len);
                })
            }
            Op::MemCompare { left, right, len } => {
                let (left, right, len) = (self.pointer(left), self.pointer(right), self.term(len));
                let (a, b) = (self.memory(data, 0), self.memory(data, 1));
                Val::Term(self.compare_bytes((&a, left), (&b, right), len))
            }
            Op::Clobber(pointers) => return self.clobber(data, pointers),
            Op::Show(pointers) => return self.show(data, pointers),
            Op::HavocRegion => Val::Memory(self.havoc_region(data)),
            Op::NewRegion(region) => Val::Memory(self.new_region(*region)),
            Op::IsDeref { ptr, len, access } => {
                let (pointer, len) = (self.pointer(ptr), self.term(len));
                let memory = self.memory(data, 0);
                Val::Term(self.is_deref(&memory, pointer, len, *access))
            }
            Op::IsFreeable(pointer) => {
                let pointer = self.pointer(pointer);
                let memory = self.memory(data, 0);
                Val::Term(self.any_alternative(pointer, |this, alternative| {
                    let zero = this.vc.world.word(0);
                    let base = this.terms().eq(alternative.offset, zero);
                    match this.vc.world.objects[alternative.object].kind {
                        Kind::Nowhere => base,
                        Kind::Heap => match memory.state(alternative.object) {
                            Some(state) => this.terms().and(base, state.alive),
                            None => this.terms().fls(),
                        },
                        Kind::Function(_) | Kind::Global(_) | Kind::Stack => this.terms().fls(),
                    }
                }))
            }
            Op::IsDisjoint { left, right, len } => {
                let (left, right, len) = (self.pointer(left), self.pointer(right), self.term(len));
                Val::Term(self.is_disjoint(left, right, len))
            }
            Op::AllTracked => Val::Term(self.all_tracked(data)),
            Op::AllFreed => Val::Term(self.all_freed(data)),
            Op::IsAlive(pointer) => {
                let pointer = self.pointer(pointer);
                let memory = self.memory(data, 0);
                Val::Term(self.any_alternative(pointer, |this, alternative| {
                    let state = memory.state(alternative.object);
                    let state = state.filter(|_| alternative.object != NOWHERE);
                    state.map_or_else(|| this.terms().fls(), |state| state.alive)
                }))
            }
            Op::IsModified(pointer) => {
                let pointer = self.pointer(pointer);
                let memory = self.memory(data, 0);
                Val::Term(self.any_alternative(pointer, |this, alternative| {
                    let state = memory.state(alternative.object);
                    let state = state.filter(|_| alternative.object != NOWHERE);
                    state.map_or_else(|| this.terms().fls(), |state| state.modified)
                }))
            }
            Op::ResetModified(pointer) => {
                let pointer = self.pointer(pointer);
                self.change_states(data, pointer, |this, alternative, state, _| {
                    let kept = this.terms().not(alternative.guard);
                    state.modified = this.terms().and(state.modified, kept);
                })
            }
            Op::LoadShadow { ty, ptr } => {
                let pointer = self.pointer(ptr);
                let memory = self.memory(data, 0);
                self.load_shadow(&memory, pointer, *ty)
            }
            Op::StoreShadow { ty, ptr, value } => {
                let pointer = self.pointer(ptr);
                let value = self.value(value);
                let bytes = ty.bytes(machine) as u32;
                let parts = self.scalars(value, *ty, bytes);
                self.change_states(data, pointer, |this, alternative, state, shared| {
                    let size = this.vc.world.objects[alternative.object].fixed;
                    let Some(shadow) = &mut state.shadow else {
                        return;
                    };
                    for &(skip, width, scalar) in &parts {
                        let world = &mut this.vc.world;
                        let at = (world.word(u64::from(skip)), width);
                        let case = Case {
                            guard: alternative.guard,
                            contents: &mut *shadow,
                            offset: alternative.offset,
                            size,
                        };
                        world.write_one_of(shared, &mut [case], at, scalar);
                    }
                })
            }
            Op::ObjectSize(pointer) => {
                let pointer = self.pointer(pointer);
                Val::Term(self.each_alternative(pointer, |this, alternative| {
                    this.vc.world.objects[alternative.object].size
                }))
            }
            Op::ObjectOffset(pointer) => {
                let pointer = self.pointer(pointer);
                Val::Term(self.each_alternative(pointer, |_, alternative| alternative.offset))
            }
            Op::Binary(..)
            | Op::Unary(..)
            | Op::Compare(..)
            | Op::Overflow(..)
            | Op::Cast(..)
            | Op::Select(..)
            | Op::Offset(..)
            | Op::Copy(_)
            | Op::Nondet(..)
            | Op::Call { .. }
            | Op::Assume(..)
            | Op::Check(..)
            | Op::Debug { .. } => unreachable!("no access to memory"),
        };
        self.define(data.results[0], result);
    }

    /// A range of bytes at an alternative of a pointer.
    pub(super) fn range(&self, alternative: &Alternative, len: Term) -> Range {
        Range {
            guard: alternative.guard,
            offset: alternative.offset,
            len,
            size: self.vc.world.objects[alternative.object].fixed,
        }
    }

    fn choose_object(&mut self, object: Object, unknown: Option<Unknown>) {
        self.choose(Chosen::Object(object, unknown));
    }

    /// Changes the state of each object that the pointer may mean; yields the next memory version.
    fn change_states(
        &mut self,
        data: &InstData,
        pointer: Pointer,
        mut change: impl FnMut(&mut Evaluation<'a, 'o>, &Alternative, &mut State, &mut Shared),
    ) -> Val {
        let mut memory = self.memory(data, 0);
        for mut alternative in self.vc.world.resolve(pointer) {
            if !self.enter_unknown(&memory, &mut alternative) {
                continue;
            }
            let Some(mut state) = memory.take(alternative.object) else {
                continue;
            };
            change(self, &alternative, &mut state, &mut memory.shared);
            memory.set(alternative.object, state);
        }
        Val::Memory(memory)
    }

    /// The life of an object changes on the current path if the condition holds.
    fn change_life(&mut self, object: Object, happens: Term, life: Life) {
        if self.terms().as_bool(happens) == Some(false) {
            return;
        }
        if life == Life::Ended {
            self.vc.world.ended.insert(object);
        }
        if self.vc.world.is_free() {
            let path = self.condition();
            let happens = self.terms().and(path, happens);
            self.vc.world.live(object, happens, life);
        }
    }

    fn end_stack(&mut self, data: &InstData, mark: Option<Term>) {
        let objects = self.frame().stack.clone();
        for index in 0..data.mems.len() {
            let mut memory = self.memory(data, index);
            for (number, &object) in objects.iter().enumerate() {
                let Some(state) = memory.state(object) else {
                    continue;
                };
                let mut state = (**state).clone();
                let kept = match mark {
                    Some(mark) => {
                        let number = self.vc.world.word(number as u64);
                        self.terms().ult(number, mark)
                    }
                    None => self.terms().fls(),
                };
                state.alive = self.terms().and(state.alive, kept);
                memory.set(object, state);
                let ended = self.terms().not(kept);
                self.change_life(object, ended, Life::Ended);
            }
            self.define(data.results[index], Val::Memory(memory));
        }
    }

    /// Holds if the question holds for the alternative that applies.
    pub(super) fn any_alternative(
        &mut self,
        pointer: Pointer,
        mut question: impl FnMut(&mut Evaluation<'a, 'o>, &Alternative) -> Term,
    ) -> Term {
        let mut result = self.terms().fls();
        for alternative in self.vc.world.resolve(pointer) {
            let holds = question(self, &alternative);
            let case = self.terms().and(alternative.guard, holds);
            result = self.terms().or(result, case);
        }
        result
    }

    /// The value for the alternative that applies.
    fn each_alternative(
        &mut self,
        pointer: Pointer,
        mut value: impl FnMut(&mut Evaluation<'a, 'o>, &Alternative) -> Term,
    ) -> Term {
        let mut result = None;
        for alternative in self.vc.world.resolve(pointer).into_iter().rev() {
            let here = value(self, &alternative);
            result = Some(match result {
                None => here,
                Some(others) => self.terms().ite(alternative.guard, here, others),
            });
        }
        result.unwrap_or_else(|| self.vc.world.word(0))
    }

    fn is_deref(&mut self, memory: &Memory, pointer: Pointer, len: Term, access: Access) -> Term {
        match access {
            Access::Touch => return self.is_touch(pointer, len),
            Access::Stray => return self.is_stray(memory, pointer),
            Access::Read | Access::Write | Access::Look | Access::Change => {}
        }
        self.any_alternative(pointer, |this, alternative| {
            if alternative.object == NOWHERE {
                let device = this.is_device(alternative.offset, len);
                return match access {
                    Access::Read | Access::Write | Access::Touch | Access::Stray => device,
                    Access::Look | Access::Change => {
                        let unknown = this.is_unknown(alternative.offset);
                        this.terms().or(device, unknown)
                    }
                };
            }
            let info = &this.vc.world.objects[alternative.object];
            let (size, constant) = (info.size, info.constant);
            let Some(state) = memory.state(alternative.object) else {
                return this.terms().fls();
            };
            let alive = state.alive;
            let inside = this.is_inside(alternative.offset, len, size);
            let valid = this.terms().and(alive, inside);
            if constant && matches!(access, Access::Write | Access::Change) {
                // Nothing may be written, and nothing is.
                let zero = this.vc.world.word(0);
                let nothing = this.terms().eq(len, zero);
                return this.terms().and(valid, nothing);
            }
            valid
        })
    }

    /// Is `[offset, offset + len)` inside `[0, size)`, without wrapping?
    pub(super) fn is_inside(&mut self, offset: Term, len: Term, size: Term) -> Term {
        let fits = self.terms().ule(len, size);
        let last = self.terms().sub(size, len);
        let below = self.terms().ule(offset, last);
        self.terms().and(fits, below)
    }

    fn is_disjoint(&mut self, left: Pointer, right: Pointer, len: Term) -> Term {
        let (left, right) = (self.vc.world.resolve(left), self.vc.world.resolve(right));
        let zero = self.vc.world.word(0);
        let mut result = self.terms().eq(len, zero);
        for x in &left {
            for y in &right {
                let both = self.terms().and(x.guard, y.guard);
                let apart = if x.object == y.object {
                    let forth = self.terms().sub(x.offset, y.offset);
                    let back = self.terms().sub(y.offset, x.offset);
                    let above = self.terms().uge(forth, len);
                    let below = self.terms().uge(back, len);
                    self.terms().and(above, below)
                } else {
                    self.terms().tru()
                };
                let case = self.terms().and(both, apart);
                result = self.terms().or(result, case);
            }
        }
        result
    }

    fn copy_from(
        &mut self,
        alternative: &Alternative,
        (state, shared): (&mut State, &mut Shared),
        source: &Memory,
        from: &[Alternative],
        len: Term,
    ) {
        let range = self.range(alternative, len);
        for origin in from {
            let Some(origin_state) = source.state(origin.object) else {
                continue;
            };
            let world = &mut self.vc.world;
            let guard = world.terms.and(alternative.guard, origin.guard);
            let size = world.objects[origin.object].fixed;
            let range = Range { guard, ..range };
            let (its, at) = (&source.shared, (origin.offset, size));
            let contents = (&origin_state.contents, its);
            world.copy_range(shared, &mut state.contents, range, contents, at);
            if let (Some(shadow), Some(source)) = (&mut state.shadow, &origin_state.shadow) {
                world.copy_range(shared, shadow, range, (source, its), at);
            }
        }
        self.modify(alternative, state, len);
    }

    /// A range of bytes is written: none of them modify nothing.
    fn modify(&mut self, alternative: &Alternative, state: &mut State, len: Term) {
        let zero = self.vc.world.word(0);
        let some = self.terms().ne(len, zero);
        let modified = self.terms().and(alternative.guard, some);
        state.modified = self.terms().or(state.modified, modified);
    }

    fn compare_bytes(
        &mut self,
        left: (&Memory, Pointer),
        right: (&Memory, Pointer),
        len: Term,
    ) -> Term {
        let longest = self.terms().as_u64(len).or_else(|| {
            let room = |this: &mut Evaluation<'a, 'o>, pointer: Pointer| {
                let alternatives = this.vc.world.resolve(pointer);
                let unknown = this.config.unknown_memory;
                let rooms = alternatives.iter();
                rooms
                    .filter(|x| unknown || x.object != NOWHERE)
                    .map(|x| this.vc.world.objects[x.object].fixed)
                    .try_fold(0, |most, size| Some(size?.max(most)))
            };
            Some(room(self, left.1)?.min(room(self, right.1)?))
        });
        let longest = match longest {
            Some(n) if n <= COMPARE => n,
            _ => {
                let always = self.terms().tru();
                self.gap(always, "a comparison of memory of unknown length");
                0
            }
        };
        let (zero, one) = (self.terms().bv_u64(0, 32), self.terms().bv_u64(1, 32));
        let minus_one = self.terms().bv_i64(-1, 32);
        let mut result = zero;
        for at in (0..longest).rev() {
            let a = self.load_scalar(left.0, left.1, at as u32, 1);
            let b = self.load_scalar(right.0, right.1, at as u32, 1);
            let (a, b) = (self.vc.world.scalar_bits(a), self.vc.world.scalar_bits(b));
            let index = self.vc.world.word(at);
            let counts = self.terms().ult(index, len);
            let equal = self.terms().eq(a, b);
            let less = self.terms().ult(a, b);
            let sign = self.terms().ite(less, minus_one, one);
            let here = self.terms().ite(equal, result, sign);
            result = self.terms().ite(counts, here, result);
        }
        result
    }
}
