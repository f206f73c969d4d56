//! Between a caller's memory and a callee's map.
//!
//! A call *binds* names: where each leads in the caller's memory. An object that several names lead to has the first one's, so that a pointer of the
//! caller becomes the first name that leads to its object, and an offset from there; and a name becomes the object again that it
//! led to when the function was called.

use ir::syntax::{Func, Type};
use terms::Term;

use super::super::Val;
use super::super::arbitrary::Refused;
use super::super::evaluation::Evaluation;
use super::{Root, Target, UNKNOWN};
use crate::memory::{Case, Memory, Scalar};
use crate::pointer::{Alternative, NOWHERE, Object, Pointer};

/// Where names lead.
pub(super) struct Link {
    func: Func,
    names: Vec<Bound>,
}

/// Where a name leads.
struct Bound {
    /// What stands for it.
    object: Object,
    /// The pointer that it is.
    pointer: Pointer,
    /// Objects that are not known by themselves, and where in them.
    leads: Vec<Alternative>,
    /// When no earlier name leads there.
    first: Vec<Term>,
}

const LIVES: &str = "an object that it is given may be dead";
const SIZE: &str = "how much is left of an object that it is given is not known";
const REGIONS: &str = "a pointer leads to different regions";
const NUMBER: &str = "a pointer is read as a number";

impl Evaluation<'_, '_> {
    /// Where the names of a function lead that is called with these values.
    pub(super) fn bind(&mut self, func: Func, values: &[Val]) -> Option<Link> {
        let names = self.names(func);
        let mut link = Link {
            func,
            names: Vec::with_capacity(names.len()),
        };
        for (index, (name, object, _)) in names.iter().enumerate() {
            let pointer = match name.root {
                Root::Global(_) => self.vc.world.pointer(*object, 0),
                Root::Param(param) => match &values[param] {
                    Val::Pointer(pointer) => *pointer,
                    Val::Term(_) | Val::Memory(_) => unreachable!("a name is a pointer"),
                },
                Root::Cell(parent, offset) => {
                    let cell = &names[parent].0.cells[&offset];
                    let scalar = self.read_cell(
                        (&link.names[parent], names[parent].0.memory),
                        values,
                        offset,
                        (cell.bytes, true),
                    );
                    match scalar {
                        Some(scalar) => self.as_pointer(scalar),
                        None => self.vc.world.null(),
                    }
                }
            };
            let is_global = matches!(name.root, Root::Global(_));
            let alternatives = self.vc.world.pointers.alternatives(pointer);
            let mut leads = Vec::new();
            for &lead in alternatives.iter() {
                let known = self.known_maps().footprints[&func]
                    .known
                    .contains(&lead.object);
                if lead.object != NOWHERE && (is_global || !known) {
                    leads.push(lead);
                }
            }
            let mut first = Vec::with_capacity(leads.len());
            for lead in &leads {
                self.note_lead(func, index, is_global, lead, values)?;
                let mut guard = lead.guard;
                let others = link.names.iter().flat_map(|bound| &bound.leads);
                for other in others.filter(|other| other.object == lead.object) {
                    let terms = &mut *self.vc.world.terms;
                    let elsewhere = terms.not(other.guard);
                    guard = terms.and(guard, elsewhere);
                }
                first.push(guard);
            }
            link.names.push(Bound {
                object: *object,
                pointer,
                leads,
                first,
            });
        }
        Some(link)
    }

    /// Notes what is known of an object that a name leads to. None if that is refused.
    fn note_lead(
        &mut self,
        func: Func,
        index: usize,
        is_global: bool,
        lead: &Alternative,
        values: &[Val],
    ) -> Option<()> {
        let state = values.iter().enumerate().find_map(|(place, value)| {
            let Val::Memory(memory) = value else {
                return None;
            };
            Some((place, memory.state(lead.object)?.alive))
        });
        if let Some((place, alive)) = state {
            let dead = self.vc.world.ended.contains(&lead.object);
            let name = &mut self.found(func).names[index];
            let memory = *name.memory.get_or_insert(place);
            if memory != place {
                self.refuse(Refused::Call(func, REGIONS));
                return None;
            }
            if dead || self.known(alive) != Some(true) {
                self.refuse(Refused::Call(func, LIVES));
                return None;
            }
        } else if self.vc.world.ended.contains(&lead.object) {
            self.refuse(Refused::Call(func, LIVES));
            return None;
        }
        if is_global || self.known_maps().has_no_size_yet(lead.object) {
            return Some(());
        }
        let info = &self.vc.world.objects[lead.object];
        let (fixed, constant) = (info.fixed, info.constant);
        let Some((size, offset)) = fixed.zip(self.terms().as_u64(lead.offset)) else {
            self.refuse(Refused::Call(func, SIZE));
            return None;
        };
        let room = size.saturating_sub(offset);
        let name = &mut self.found(func).names[index];
        name.size = Some(name.size.map_or(room, |size| size.min(room)));
        name.constant |= constant;
        Some(())
    }

    fn as_pointer(&mut self, scalar: Scalar) -> Pointer {
        match scalar {
            Scalar::Pointer(pointer) => pointer,
            Scalar::Bits(bits) => self.vc.world.pointer_from_bits(bits),
        }
    }

    /// What a name's cell holds, if the name leads anywhere.
    fn read_cell(
        &mut self,
        (bound, memory): (&Bound, Option<usize>),
        values: &[Val],
        offset: u64,
        (bytes, is_pointer): (u32, bool),
    ) -> Option<Scalar> {
        let Some(Val::Memory(memory)) = memory.map(|index| &values[index]) else {
            return None;
        };
        let skip = self.vc.world.word(offset);
        let mut cases = Vec::with_capacity(bound.leads.len());
        for lead in &bound.leads {
            let at = self.terms().add(lead.offset, skip);
            self.touch_object(lead.object, at, (bytes, is_pointer), false);
            if let Some(state) = memory.state(lead.object) {
                cases.push(Case {
                    guard: lead.guard,
                    contents: &state.contents,
                    offset: lead.offset,
                    size: self.vc.world.objects[lead.object].fixed,
                });
            }
        }
        let world = &mut self.vc.world;
        world.read_one_of(&memory.shared, &cases, (skip, bytes))
    }

    /// The cells of a memory as the callee sees them: name, offset, bytes, value.
    pub(super) fn cells_at_call(
        &mut self,
        link: &Link,
        place: usize,
        values: &[Val],
    ) -> Option<Vec<(usize, u64, u32, Scalar)>> {
        let names = self.names(link.func);
        let mut list = Vec::new();
        for (index, (name, _, _)) in names.iter().enumerate() {
            if name.memory != Some(place) {
                continue;
            }
            let bound = (&link.names[index], name.memory);
            for (&offset, cell) in &name.cells {
                let kind = (cell.bytes, cell.pointer.is_some());
                let read = self.read_cell(bound, values, offset, kind);
                let value = match (read, &cell.pointer) {
                    (Some(scalar), Some(_)) => {
                        let pointer = self.as_pointer(scalar);
                        let root = Root::Cell(index, offset);
                        let upto = names.iter().position(|(name, _, _)| name.root == root);
                        let seen = self.in_callee(link, pointer, upto?)?;
                        Scalar::Pointer(seen)
                    }
                    (None, Some(_)) => Scalar::Pointer(self.vc.world.null()),
                    (Some(bits @ Scalar::Bits(_)), None) => bits,
                    (None, None) => Scalar::Bits(self.terms().bv_u64(0, cell.bytes * 8)),
                    (Some(Scalar::Pointer(_)), None) => {
                        self.refuse(Refused::Call(link.func, NUMBER));
                        return None;
                    }
                };
                list.push((index, offset, cell.bytes, value));
            }
        }
        Some(list)
    }

    /// A parameter as the callee sees it.
    pub(super) fn param_at_call(&mut self, link: &Link, param: usize) -> Option<Pointer> {
        let names = self.names(link.func);
        let root = Root::Param(param);
        let index = names.iter().position(|(name, _, _)| name.root == root)?;
        let pointer = link.names[index].pointer;
        self.in_callee(link, pointer, index)
    }

    /// A pointer of the caller in the callee, which has it by this name or one before.
    fn in_callee(&mut self, link: &Link, pointer: Pointer, upto: usize) -> Option<Pointer> {
        let alternatives = self.vc.world.pointers.alternatives(pointer);
        let mut result = None;
        for lead in alternatives.iter().rev() {
            let known = &self.known_maps().footprints[&link.func].known;
            let here = if lead.object == NOWHERE || known.contains(&lead.object) {
                let world = &mut self.vc.world;
                Some(world.pointers.make(world.terms, lead.object, lead.offset))
            } else {
                let mut named = None;
                for bound in link.names[..=upto].iter().rev() {
                    let mut leads = bound.leads.iter();
                    let Some(own) = leads.find(|own| own.object == lead.object) else {
                        continue;
                    };
                    let world = &mut self.vc.world;
                    let offset = world.terms.sub(lead.offset, own.offset);
                    let single = world.pointers.make(world.terms, bound.object, offset);
                    named = Some(self.first_of(own.guard, single, named));
                }
                named
            };
            let Some(here) = here else {
                self.refuse(Refused::Call(link.func, UNKNOWN));
                return None;
            };
            result = Some(self.first_of(lead.guard, here, result));
        }
        result
    }

    /// A pointer of the callee in the caller.
    pub(super) fn in_caller(&mut self, link: &Link, pointer: Pointer) -> Pointer {
        let alternatives = self.vc.world.pointers.alternatives(pointer);
        let mut result = None;
        for seen in alternatives.iter().rev() {
            let target = self.known_maps().target_of(link.func, seen.object);
            let mut here = None;
            if let Some(Target::Name(index)) = target {
                let bound = &link.names[index];
                for (lead, &first) in bound.leads.iter().zip(&bound.first).rev() {
                    let world = &mut self.vc.world;
                    let offset = world.terms.add(lead.offset, seen.offset);
                    let single = world.pointers.make(world.terms, lead.object, offset);
                    here = Some(self.first_of(first, single, here));
                }
            }
            let here = match (here, target) {
                (Some(here), _) => here,
                // A name that leads nowhere, in a state that no call comes to.
                (None, Some(Target::Name(_))) => self.vc.world.null(),
                (None, _) => {
                    let world = &mut self.vc.world;
                    world.pointers.make(world.terms, seen.object, seen.offset)
                }
            };
            result = Some(self.first_of(seen.guard, here, result));
        }
        result.unwrap_or_else(|| self.vc.world.null())
    }

    /// The first pointer if the guard holds, else the rest; the last one in any case.
    pub(super) fn first_of(
        &mut self,
        guard: Term,
        pointer: Pointer,
        rest: Option<Pointer>,
    ) -> Pointer {
        let world = &mut self.vc.world;
        match rest {
            None => pointer,
            Some(rest) => world.pointers.merge(world.terms, guard, pointer, rest),
        }
    }

    /// The caller's memory after the call: what cells became is written where their names led.
    pub(super) fn write_back(
        &mut self,
        link: &Link,
        place: usize,
        mut memory: Memory,
        after: &Memory,
    ) -> Memory {
        for (index, (name, object, _)) in self.names(link.func).into_iter().enumerate() {
            if name.memory != Some(place) {
                continue;
            }
            for (&offset, cell) in &name.cells {
                if !self.cell(link.func, index, offset).changes {
                    continue;
                }
                let skip = self.vc.world.word(offset);
                let world = &mut self.vc.world;
                let Some(scalar) = world.read_object(after, object, skip, cell.bytes) else {
                    continue;
                };
                let scalar = match (scalar, &cell.pointer) {
                    (scalar, Some(_)) => {
                        let pointer = self.as_pointer(scalar);
                        Scalar::Pointer(self.in_caller(link, pointer))
                    }
                    (scalar, None) => scalar,
                };
                let bound = &link.names[index];
                let kind = (cell.bytes, cell.pointer.is_some());
                for (lead, &guard) in bound.leads.iter().zip(&bound.first) {
                    let at = self.terms().add(lead.offset, skip);
                    self.touch_object(lead.object, at, kind, true);
                    let Some(mut state) = memory.take(lead.object) else {
                        continue;
                    };
                    let case = Case {
                        guard,
                        contents: &mut state.contents,
                        offset: lead.offset,
                        size: self.vc.world.objects[lead.object].fixed,
                    };
                    let world = &mut self.vc.world;
                    world.write_one_of(&mut memory.shared, &mut [case], (skip, cell.bytes), scalar);
                    state.modified = world.terms.or(state.modified, guard);
                    memory.set(lead.object, state);
                }
            }
        }
        memory
    }

    /// The place among the parameters of the memory with this type.
    pub(super) fn place_of(&self, func: Func, ty: Type) -> usize {
        let mut params = self.module.funcs[func].params.iter();
        let place = params.position(|&param| param == ty);
        place.expect("a memory that is returned was given")
    }
}
