//! The states in which a function with a map begins and ends.

use std::collections::BTreeSet;

use ir::syntax::{Func, Type};
use terms::{Sort, Term};

use super::super::arbitrary::{Entered, Havoc, Refused};
use super::super::evaluation::Evaluation;
use super::super::frame::Arrival;
use super::super::summary::{ESCAPES, entry, exit};
use super::super::{Assumption, Val};
use super::{Cell, MapCell, Root, Target, Targets};
use crate::memory::{Init, Memory, Scalar};
use crate::path::{Path, Role};
use crate::pointer::{OWNER, Object, Pointer};
use crate::world::Kind;

const DIES: &str = "an object that it is given dies in it";
const SEEN: &str = "an address becomes a number in it";

impl Evaluation<'_, '_> {
    /// What a call of a function with a map returns.
    pub(in super::super) fn call_map(
        &mut self,
        func: Func,
        values: Vec<Val>,
        path: Path,
    ) -> Vec<Val> {
        self.is_called(func);
        match self.try_call_map(func, &values, path) {
            Some(results) => results,
            None => self.results_like(func, &values),
        }
    }

    fn try_call_map(&mut self, func: Func, values: &[Val], path: Path) -> Option<Vec<Val>> {
        let link = self.bind(func, values)?;
        let mut view = Vec::with_capacity(values.len());
        for (place, value) in values.iter().enumerate() {
            view.push(match value {
                Val::Term(term) => Val::Term(*term),
                Val::Pointer(_) => {
                    let pointer = self.param_at_call(&link, place)?;
                    let old = self.found(func).params.remove(&place);
                    let targets = self.more_targets(func, old.unwrap_or_default(), pointer)?;
                    self.found(func).params.insert(place, targets);
                    Val::Pointer(pointer)
                }
                Val::Memory(_) => {
                    let cells = self.cells_at_call(&link, place, values)?;
                    for &(name, offset, _, scalar) in &cells {
                        if let Scalar::Pointer(pointer) = scalar
                            && let Some(old) = self.cell(func, name, offset).pointer.clone()
                        {
                            let targets = self.more_targets(func, old, pointer)?;
                            self.cell(func, name, offset).pointer = Some(targets);
                        }
                    }
                    Val::Memory(self.map_of(func, place, &cells))
                }
            });
        }
        self.note_head(entry(func), path, &view, Entered::First);
        let mut havoc = Havoc {
            older: (self.terms().len(), self.vc.world.unknowns.len()),
            ..Havoc::default()
        };
        let results = self.any_results(func, &view, &mut havoc);
        let given = view.len();
        let mut both = view;
        both.extend(results);
        let (path, mut both) = self.begin_known(exit(func), path, both, havoc, Vec::new());
        self.set_path(path);
        // So that what is recorded tells whether it came before the call or after it.
        let (reached, holds) = (self.paths.condition(path), self.terms().tru());
        self.vc.assumptions.push(Assumption {
            reached,
            holds,
            passed: None,
        });
        let results = both.split_off(given);
        let types = self.module.funcs[func].results.clone();
        let mut returned = Vec::with_capacity(results.len());
        for (result, ty) in results.into_iter().zip(types) {
            returned.push(match result {
                Val::Term(term) => Val::Term(term),
                Val::Pointer(pointer) => Val::Pointer(self.in_caller(&link, pointer)),
                Val::Memory(after) => {
                    let place = self.place_of(func, ty);
                    let Val::Memory(before) = &values[place] else {
                        unreachable!("a memory is a memory")
                    };
                    Val::Memory(self.write_back(&link, place, before.clone(), &after))
                }
            });
        }
        Some(returned)
    }

    /// What is known now of a cell.
    pub(super) fn cell(&mut self, func: Func, name: usize, offset: u64) -> &mut Cell {
        let cells = &mut self.found(func).names[name].cells;
        cells.get_mut(&offset).expect("a cell")
    }

    /// The map of a memory, with these cells.
    fn map_of(&mut self, func: Func, place: usize, cells: &[(usize, u64, u32, Scalar)]) -> Memory {
        let body = self.module.body(func);
        let Type::Mem(region) = self.module.funcs[func].params[place] else {
            unreachable!("a memory has a region")
        };
        let word = self.vc.world.sizes.of_region(func, body, region);
        let mut memory = self.vc.world.empty_memory(word);
        let names = self.names(func);
        for (name, object, unknown) in &names {
            if name.memory != Some(place) {
                continue;
            }
            let init = match name.root {
                Root::Global(global) if self.vc.world.objects[*object].constant => {
                    self.vc.world.global_init(global)
                }
                _ => Init::Unknown(*unknown), // What is no cell is never looked at.
            };
            self.begin_life(&mut memory, *object, init, Init::Zero);
        }
        for &(name, offset, bytes, scalar) in cells {
            self.set_cell(&mut memory, names[name].1, offset, (bytes, scalar));
        }
        memory
    }

    fn set_cell(
        &mut self,
        memory: &mut Memory,
        object: Object,
        offset: u64,
        (bytes, scalar): (u32, Scalar),
    ) {
        let Some(mut state) = memory.take(object) else {
            return;
        };
        let skip = self.vc.world.word(offset);
        let zero = self.vc.world.word(0);
        let guard = self.terms().tru();
        let world = &mut self.vc.world;
        let case = crate::memory::Case {
            guard,
            contents: &mut state.contents,
            offset: zero,
            size: world.objects[object].fixed,
        };
        world.write_one_of(&mut memory.shared, &mut [case], (skip, bytes), scalar);
        memory.set(object, state);
    }

    /// Targets, with those of a pointer. None if it leads to what is not the function's.
    fn more_targets(
        &mut self,
        func: Func,
        mut targets: Targets,
        pointer: Pointer,
    ) -> Option<Targets> {
        for seen in self.vc.world.pointers.alternatives(pointer).iter() {
            let Some(target) = self.known_maps().target_of(func, seen.object) else {
                self.refuse(Refused::Call(func, ESCAPES));
                return None;
            };
            let offset = self.terms().as_u64(seen.offset);
            let known = targets.entry(target).or_insert(offset);
            if *known != offset {
                *known = None;
            }
        }
        Some(targets)
    }

    /// Any pointer to one of the targets, and the variables that it is made of, if there is a choice.
    fn any_target(&mut self, func: Func, targets: &Targets) -> (Pointer, Option<(Term, Term)>) {
        let objects: Vec<(Object, Option<u64>)> = targets
            .iter()
            .map(|(target, &offset)| {
                let object = match *target {
                    Target::Nowhere => crate::pointer::NOWHERE,
                    Target::Known(object) => object,
                    Target::Name(index) => self.names(func)[index].1,
                };
                (object, offset)
            })
            .collect();
        match objects.as_slice() {
            [] => return (self.vc.world.null(), None),
            [(object, Some(offset))] => {
                let world = &mut self.vc.world;
                let offset = world.word(*offset);
                let pointer = world.pointers.make(world.terms, *object, offset);
                return (pointer, None);
            }
            _ => {} // A choice.
        }
        let owner = self.vc.world.fresh("owner", Sort::BitVec(OWNER));
        let bits = self.vc.world.pointer_bits;
        let address = match objects.iter().all(|(_, offset)| offset.is_some()) {
            true => owner,
            false => self.vc.world.fresh("address", Sort::BitVec(bits)),
        };
        let mut result = None;
        for &(object, offset) in &objects {
            let world = &mut self.vc.world;
            let offset = match offset {
                Some(offset) => world.word(offset),
                None => address,
            };
            let single = world.pointers.make(world.terms, object, offset);
            let number = world.terms.bv_u64(object.index() as u64, OWNER);
            let guard = world.terms.eq(owner, number);
            result = Some(self.first_of(guard, single, result));
        }
        let pointer = result.expect("there is a choice");
        (pointer, Some((address, owner)))
    }

    /// A number of the type, chosen freely.
    fn any_number(&mut self, ty: Type) -> Option<Term> {
        let sort = match ty {
            Type::Int(1) => Sort::Bool,
            Type::Int(width) => Sort::BitVec(width),
            Type::Float(format) => Sort::BitVec(format.bits()),
            Type::Ptr | Type::Mem(_) => return None,
        };
        Some(self.vc.world.fresh("any", sort))
    }

    /// Any value for a cell, which is noted.
    fn any_cell(
        &mut self,
        func: Func,
        (place, object, offset): (usize, Object, u64),
        (bytes, targets): (u32, Option<&Targets>),
        havoc: &mut Havoc,
    ) -> Scalar {
        let (scalar, variables) = match targets {
            Some(targets) => {
                let (pointer, variables) = self.any_target(func, targets);
                let variables = variables.map_or_else(Vec::new, |(a, b)| vec![a, b]);
                (Scalar::Pointer(pointer), variables)
            }
            None => {
                let bits = self.vc.world.fresh_bits("cell", bytes * 8);
                (Scalar::Bits(bits), vec![bits])
            }
        };
        havoc.cells.push(MapCell {
            memory: place,
            object,
            offset,
            bytes,
            variables,
        });
        scalar
    }

    /// The body of a function with a map begins in any state.
    pub(in super::super) fn begin_map_body(&mut self, func: Func) {
        let at = self.body_of(func);
        let root = self.paths.root();
        let path = self
            .paths
            .extend(self.vc.world.terms, root, at, Role::Decision);
        let mut havoc = Havoc {
            older: (self.terms().len(), self.vc.world.unknowns.len()),
            ..Havoc::default()
        };
        let types = self.module.funcs[func].params.clone();
        let mut values = Vec::with_capacity(types.len());
        for (place, ty) in types.into_iter().enumerate() {
            if let Some(number) = self.any_number(ty) {
                havoc.scalars.push((place, number));
                values.push(Val::Term(number));
                continue;
            }
            values.push(match ty {
                Type::Mem(_) => {
                    let mut cells = Vec::new();
                    for (index, (name, object, _)) in self.names(func).into_iter().enumerate() {
                        if name.memory != Some(place) {
                            continue;
                        }
                        for (&offset, cell) in &name.cells {
                            let targets = self.cell(func, index, offset).pointer.clone();
                            let kind = (cell.bytes, targets.as_ref());
                            let at = (place, object, offset);
                            let scalar = self.any_cell(func, at, kind, &mut havoc);
                            cells.push((index, offset, cell.bytes, scalar));
                        }
                    }
                    Val::Memory(self.map_of(func, place, &cells))
                }
                _ => {
                    let targets = self.found(func).params[&place].clone();
                    let (pointer, variables) = self.any_target(func, &targets);
                    if let Some((address, owner)) = variables {
                        havoc.pointers.push((place, address, owner));
                    }
                    Val::Pointer(pointer)
                }
            });
        }
        let (path, values) = self.begin_known(entry(func), path, values, havoc, Vec::new());
        self.body_begins(func, values.clone());
        self.enter(func, values, path, 0);
    }

    /// What a function returns that was given these values: anything.
    fn any_results(&mut self, func: Func, view: &[Val], havoc: &mut Havoc) -> Vec<Val> {
        let types = self.module.funcs[func].results.clone();
        let mut results = Vec::with_capacity(types.len());
        for (index, ty) in types.into_iter().enumerate() {
            let at = view.len() + index;
            if let Some(number) = self.any_number(ty) {
                havoc.scalars.push((at, number));
                results.push(Val::Term(number));
                continue;
            }
            results.push(match ty {
                Type::Mem(_) => {
                    let place = self.place_of(func, ty);
                    let Val::Memory(before) = &view[place] else {
                        unreachable!("a memory is a memory")
                    };
                    let mut memory = before.clone();
                    for (index, (name, object, _)) in self.names(func).into_iter().enumerate() {
                        if name.memory != Some(place) {
                            continue;
                        }
                        for (&offset, known) in &name.cells {
                            let cell = self.cell(func, index, offset).clone();
                            if !cell.changes {
                                continue;
                            }
                            let targets = known.pointer.as_ref().map(|_| &cell.becomes);
                            let kind = (cell.bytes, targets);
                            let place = (at, object, offset);
                            let scalar = self.any_cell(func, place, kind, havoc);
                            self.set_cell(&mut memory, object, offset, (cell.bytes, scalar));
                        }
                    }
                    Val::Memory(memory)
                }
                _ => {
                    let targets = self.found(func).results[&index].clone();
                    let (pointer, variables) = self.any_target(func, &targets);
                    if let Some((address, owner)) = variables {
                        havoc.pointers.push((at, address, owner));
                    }
                    Val::Pointer(pointer)
                }
            });
        }
        results
    }

    /// The body of a function with a map has come to its end.
    pub(in super::super) fn end_map_body(
        &mut self,
        func: Func,
        began: &[Val],
        exposed: &BTreeSet<Object>,
        returns: Vec<Arrival>,
    ) {
        if self.vc.world.exposed != *exposed {
            return self.refuse(Refused::Call(func, SEEN));
        }
        for arrival in returns {
            let mut now = began.to_vec();
            now.extend(arrival.values.iter().cloned());
            self.note_head(exit(func), arrival.path, &now, Entered::Again);
            if self.compare_ends(func, began, &arrival.values).is_none() {
                return;
            }
        }
    }

    /// Notes what a body returns and which cells it changed. None if that is refused.
    fn compare_ends(&mut self, func: Func, began: &[Val], returned: &[Val]) -> Option<()> {
        let types = self.module.funcs[func].results.clone();
        for (index, (value, ty)) in returned.iter().zip(types).enumerate() {
            match value {
                Val::Term(_) => {}
                Val::Pointer(pointer) => {
                    let old = self.found(func).results.remove(&index);
                    let targets = self.more_targets(func, old.unwrap_or_default(), *pointer)?;
                    self.found(func).results.insert(index, targets);
                }
                Val::Memory(after) => {
                    let place = self.place_of(func, ty);
                    let Val::Memory(before) = &began[place] else {
                        unreachable!("a memory is a memory")
                    };
                    self.compare_maps(func, place, before, after)?;
                }
            }
        }
        Some(())
    }

    fn compare_maps(
        &mut self,
        func: Func,
        place: usize,
        before: &Memory,
        after: &Memory,
    ) -> Option<()> {
        for (number, state) in after.objects.entries() {
            let object = Object::from_index(number as usize);
            match before.state(object) {
                Some(old) if old.alive == state.alive => {}
                Some(_) => {
                    self.refuse(Refused::Call(func, DIES));
                    return None;
                }
                None => {
                    let heap = self.vc.world.objects[object].kind == Kind::Heap;
                    if heap && self.terms().as_bool(state.alive) != Some(false) {
                        self.refuse(Refused::Call(func, ESCAPES));
                        return None;
                    }
                }
            }
        }
        for (index, (name, object, _)) in self.names(func).into_iter().enumerate() {
            if name.memory != Some(place) {
                continue;
            }
            for (&offset, cell) in &name.cells {
                let at = self.vc.world.word(offset);
                let world = &mut self.vc.world;
                let old = world.read_object(before, object, at, cell.bytes);
                let new = world.read_object(after, object, at, cell.bytes);
                let Some(new) = new else {
                    self.refuse(Refused::Call(func, DIES));
                    return None;
                };
                if old == Some(new) {
                    continue;
                }
                self.cell(func, index, offset).changes = true;
                if cell.pointer.is_some() {
                    let pointer = match new {
                        Scalar::Pointer(pointer) => pointer,
                        Scalar::Bits(bits) => self.vc.world.pointer_from_bits(bits),
                    };
                    let old = std::mem::take(&mut self.cell(func, index, offset).becomes);
                    let targets = self.more_targets(func, old, pointer)?;
                    self.cell(func, index, offset).becomes = targets;
                } else if matches!(new, Scalar::Pointer(_)) {
                    self.refuse(Refused::Call(func, ESCAPES));
                    return None;
                }
            }
        }
        Some(())
    }
}
