//! Finite maps: a function's body over the few cells that it can reach, whichever objects its calls see.
//!
//! A function of a plan's [`Maps`] is evaluated once for all its calls ([`super::summary`]), and none of its caller's objects are there. Each
//! pointer that it is given or finds in a cell has a *name*, and the memory that it begins with is the map from names and
//! offsets to values, with as many entries as there are cells:
//!
//! ```text
//!   f(p, q):  p->next->v = q->v        names: p, q, p.8        cells: p.8 ▶ name p.8, p.8.0, q.0
//! ```
//!
//! A name is a window of an object: it begins where the pointer points. Names are given in order, so that an object has the first name that leads to
//! it: where `p` and `q` are the same, both are `p`, and `q` names nothing. So keys are compared once, at the call, and in the body a name is an object
//! like any other (`link.rs`). A call reads the cells from the caller's memory, and writes what the summary says back to where the names lead *before* the
//! call: that the function puts another pointer into a cell on the way does not move what it had found behind it.
//!
//! Which cells there are is found as the shapes of states are: by evaluating until nothing is added ([`Evaluation::touch`]). What is no cell holds
//! unknown bytes that nobody looks at: an access that is no whole cell at a constant offset is refused, as is whatever asks about an object as a
//! whole (its size, its life, its address). A function that is refused is summarised over whole objects, or evaluated in place.

use std::collections::{BTreeMap, BTreeSet};

use ir::syntax::{
    Access, Callee, Const, Func, Global, InitPiece, InstData, Module, Op, Operand, Type,
};
use rustc_hash::FxHashMap;
use terms::Term;

use super::arbitrary::Refused;
use super::evaluation::Evaluation;
use crate::memory::Unknown;
use crate::pointer::{Alternative, NOWHERE, Object, Pointer, PointerStyle};
use crate::world::Kind;

mod link;
mod states;

/// Functions whose memory is finite maps.
#[derive(Clone, Debug, Default)]
pub struct Maps {
    /// Of those that are not evaluated where they are called.
    pub functions: BTreeSet<Func>,
    /// How large maps may be.
    pub limits: MapLimits,
}

/// How large maps may be. What is larger has arrays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MapLimits {
    /// The most entries.
    pub entries: usize,
    /// The most pointers that lead to the objects of one.
    pub pointers: usize,
}

impl Default for MapLimits {
    fn default() -> Self {
        MapLimits {
            entries: 64,
            pointers: 64,
        }
    }
}

/// An entry of a finite map: any value.
#[derive(Clone, Debug)]
pub struct MapCell {
    /// The place of its memory among the values.
    pub memory: usize,
    /// What stands for the name.
    pub object: Object,
    /// Where in it.
    pub offset: u64,
    /// How many bytes it has.
    pub bytes: u32,
    /// What its value is made of, unless it is always the same pointer.
    pub variables: Vec<Term>,
}

/// What an evaluation knows of maps.
#[derive(Default)]
pub(super) struct Known {
    /// What was known before this evaluation: its names have objects.
    footprints: BTreeMap<Func, Footprint>,
    /// What is known now.
    found: BTreeMap<Func, Footprint>,
    /// The objects that stand for names, and their contents.
    objects: BTreeMap<Func, Vec<(Object, Unknown)>>,
    /// Whose names they are.
    owners: FxHashMap<Object, (Func, usize)>,
}

/// What a function reaches.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Footprint {
    names: Vec<Name>,
    /// Objects that it knows by themselves: functions, and variables that it names.
    known: BTreeSet<Object>,
    /// What its pointer parameters may be.
    params: BTreeMap<usize, Targets>,
    /// What pointers that it returns may be.
    results: BTreeMap<usize, Targets>,
}

/// A pointer that a function is given or finds.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Name {
    root: Root,
    /// The place among the parameters of the memory that what it leads to lies in, if it leads anywhere.
    memory: Option<usize>,
    /// How many bytes there are from where it points, at least.
    size: Option<u64>,
    /// May what it leads to not be written?
    constant: bool,
    /// By offset from where it points.
    cells: BTreeMap<u64, Cell>,
}

/// Where a name comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Root {
    /// A variable that the function names.
    Global(Global),
    /// The parameter with this place.
    Param(usize),
    /// The cell of another name at this offset.
    Cell(usize, u64),
}

/// An entry of a map.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
struct Cell {
    bytes: u32,
    /// Is it a pointer? Then what it may be when the function begins.
    pointer: Option<Targets>,
    /// May the function change it? To which pointers, if it is one.
    changes: bool,
    becomes: Targets,
}

/// What a pointer may be: targets, each with the offset if it is always the same.
type Targets = BTreeMap<Target, Option<u64>>;

/// What a pointer may lead to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Target {
    Nowhere,
    /// What the function knows by itself.
    Known(Object),
    /// What has this name.
    Name(usize),
}

const OFFSET: &str = "an access at an offset that is not known";
const OVERLAP: &str = "cells overlap";
const WHOLE: &str = "it asks about a whole object";
const UNKNOWN: &str = "an object that no path leads to";
const BEYOND: &str = "a store beyond what is certainly there";
const LARGE: &str = "its map is too large";

impl Evaluation<'_, '_> {
    /// Names get their objects, before anything is evaluated.
    pub(super) fn open_maps(&mut self) {
        let Some(inductive) = self.inductive.as_ref() else {
            return;
        };
        let functions = inductive.plan.maps.functions.clone();
        if functions.is_empty() || !self.maps_are_possible() {
            return;
        }
        for func in functions {
            let module = self.module;
            let Some(body) = &module.funcs[func].body else {
                continue;
            };
            let footprint = self.known_maps().found.remove(&func);
            let footprint = footprint.unwrap_or_else(|| self.first_footprint(func));
            let regions: Vec<_> = module.funcs[func].params.clone();
            let mut objects = Vec::with_capacity(footprint.names.len());
            for name in &footprint.names {
                let word = match name.memory.map(|index| regions[index]) {
                    Some(Type::Mem(region)) => self.vc.world.sizes.of_region(func, body, region),
                    _ => 1, // It leads nowhere.
                };
                let world = &mut self.vc.world;
                let unknown = world.unknown();
                let object = match name.root {
                    // It is itself.
                    Root::Global(global) => world.global_objects[global],
                    Root::Param(_) | Root::Cell(..) => {
                        let size = world.word(name.size.unwrap_or(0));
                        // Not from `malloc`: nobody may free it, and one without a byte has no address of its own.
                        let object = world.allocate(Kind::Stack, size, 16, word);
                        world.objects[object].constant = name.constant;
                        object
                    }
                };
                objects.push((object, unknown));
            }
            let known = self.known_maps();
            for (index, (name, (object, _))) in footprint.names.iter().zip(&objects).enumerate() {
                if !matches!(name.root, Root::Global(_)) {
                    known.owners.insert(*object, (func, index));
                }
            }
            known.objects.insert(func, objects);
            known.found.insert(func, footprint.clone());
            known.footprints.insert(func, footprint);
        }
    }

    /// Can there be maps at all in this program?
    fn maps_are_possible(&self) -> bool {
        let world = &self.vc.world;
        world.encoding.memory.shares_nothing()
            && world.encoding.pointers == PointerStyle::Fat
            && !world.is_free()
            && !self.config.unknown_memory
            && self.module.mmio.is_empty()
            && !asks_about_writes(self.module)
    }

    pub(super) fn known_maps(&mut self) -> &mut Known {
        &mut self.inductive.as_mut().expect("there is a plan").maps
    }

    /// What is known now of a function's map.
    fn found(&mut self, func: Func) -> &mut Footprint {
        let known = self.known_maps();
        known.found.get_mut(&func).expect("it has a map")
    }

    /// The names that a function has in this evaluation, with their objects and contents.
    fn names(&self, func: Func) -> Vec<(Name, Object, Unknown)> {
        let inductive = self.inductive.as_ref().expect("there is a plan");
        let names = inductive.maps.footprints[&func].names.iter();
        let objects = inductive.maps.objects[&func].iter();
        let both = names.zip(objects);
        both.map(|(name, &(object, unknown))| (name.clone(), object, unknown))
            .collect()
    }

    /// Is the function's memory finite maps?
    pub(super) fn has_map(&self, func: Func) -> bool {
        let inductive = self.inductive.as_ref();
        inductive.is_some_and(|inductive| inductive.maps.footprints.contains_key(&func))
    }

    /// What a function reaches before anybody has looked.
    fn first_footprint(&self, func: Func) -> Footprint {
        let world = &self.vc.world;
        let mentioned = mentioned(self.module, func);
        let globals = mentioned.iter().map(|&global| world.global_objects[global]);
        let functions = world.function_objects.values().copied();
        let mut footprint = Footprint {
            known: globals.chain(functions).collect(),
            ..Footprint::default()
        };
        for global in mentioned {
            let size = Some(self.module.globals[global].size);
            footprint.names.push(Name::new(Root::Global(global), size));
        }
        for (index, &ty) in self.module.funcs[func].params.iter().enumerate() {
            if ty == Type::Ptr {
                footprint.names.push(Name::new(Root::Param(index), None));
                footprint.params.insert(index, Targets::new());
            }
        }
        for (index, &ty) in self.module.funcs[func].results.iter().enumerate() {
            if ty == Type::Ptr {
                footprint.results.insert(index, Targets::new());
            }
        }
        footprint
    }

    /// Bytes are read or written through a pointer: in a body, they are cells.
    pub(super) fn touch(&mut self, pointer: Pointer, bytes: u32, is_pointer: bool, write: bool) {
        if self.has_maps() {
            for Alternative { object, offset, .. } in self.vc.world.resolve(pointer) {
                self.touch_object(object, offset, (bytes, is_pointer), write);
            }
        }
    }

    fn has_maps(&self) -> bool {
        let inductive = self.inductive.as_ref();
        inductive.is_some_and(|inductive| !inductive.maps.footprints.is_empty())
    }

    fn touch_object(
        &mut self,
        object: Object,
        offset: Term,
        (bytes, is_pointer): (u32, bool),
        write: bool,
    ) {
        let Some((func, index)) = self.name_of(object) else {
            return;
        };
        let Some(offset) = self.terms().as_u64(offset) else {
            return self.refuse(Refused::Call(func, OFFSET));
        };
        let checked = self.config.accesses_checked;
        let name = &mut self.found(func).names[index];
        let end = offset.checked_add(u64::from(bytes));
        let beyond = end.is_none_or(|end| name.size.is_none_or(|size| end > size));
        if write && !checked && (beyond || name.constant) {
            return self.refuse(Refused::Call(func, BEYOND));
        }
        if beyond {
            // A check keeps executions from it, or a load has any value.
            return;
        }
        if let Some(cell) = name.cells.get(&offset)
            && cell.bytes == bytes
            && cell.pointer.is_some() == is_pointer
        {
            return;
        }
        let overlaps = name.cells.iter().any(|(&at, cell)| {
            at < offset + u64::from(bytes) && offset < at + u64::from(cell.bytes)
        });
        if overlaps {
            return self.refuse(Refused::Call(func, OVERLAP));
        }
        self.add_cell(func, index, offset, bytes, is_pointer);
    }

    fn add_cell(&mut self, func: Func, index: usize, offset: u64, bytes: u32, is_pointer: bool) {
        let inductive = self.inductive.as_ref().expect("there is a plan");
        let limits = inductive.plan.maps.limits;
        let found = self.found(func);
        let cell = Cell {
            bytes,
            pointer: is_pointer.then(Targets::new),
            ..Cell::default()
        };
        found.names[index].cells.insert(offset, cell);
        if is_pointer {
            let root = Root::Cell(index, offset);
            found.names.push(Name::new(root, None));
        }
        let memory = found.names[index].memory;
        let names = found.names.iter().filter(|name| name.memory == memory);
        let (mut entries, mut pointers) = (0, 0);
        for name in names.filter(|name| !name.cells.is_empty()) {
            entries += name.cells.len();
            pointers += 1;
        }
        if entries > limits.entries || pointers > limits.pointers {
            self.refuse(Refused::Call(func, LARGE));
        }
    }

    /// The function and the name that an object stands for, if it does. Refuses what has none in a body.
    fn name_of(&mut self, object: Object) -> Option<(Func, usize)> {
        let inductive = self.inductive.as_ref().expect("there is a plan");
        if let Some(&owner) = inductive.maps.owners.get(&object) {
            return Some(owner);
        }
        let (func, began) = inductive.summaries.open_body()?;
        let footprint = inductive.maps.footprints.get(&func)?;
        let info = &self.vc.world.objects[object];
        let global = match info.kind {
            Kind::Nowhere | Kind::Function(_) => return None,
            Kind::Stack | Kind::Heap if object.index() >= began => return None,
            Kind::Global(global) => Some(global),
            Kind::Stack | Kind::Heap => None,
        };
        if let Some(global) = global
            && footprint.known.contains(&object)
        {
            if info.constant {
                return None;
            }
            let root = Root::Global(global);
            let place = footprint.names.iter().position(|name| name.root == root);
            return place.map(|index| (func, index));
        }
        self.refuse(Refused::Call(func, UNKNOWN));
        None
    }

    /// Refuses what is no access to a cell.
    pub(super) fn allow_only_cells(&mut self, data: &InstData) {
        if !self.has_maps() {
            return;
        }
        let pointers: Vec<&Operand> = match &data.op {
            Op::Clobber(_) | Op::Show(_) | Op::HavocRegion | Op::AllTracked | Op::AllFreed => {
                let inductive = self.inductive.as_ref().expect("there is a plan");
                let open = inductive.summaries.open_body();
                if let Some((func, _)) = open.filter(|&(func, _)| self.has_map(func)) {
                    self.refuse(Refused::Call(func, WHOLE));
                }
                return;
            }
            Op::IsDeref { access, ptr, .. } => match access {
                Access::Read | Access::Write => return,
                Access::Look | Access::Change | Access::Touch | Access::Stray => vec![ptr],
            },
            Op::Free(ptr)
            | Op::LifetimeStart(ptr)
            | Op::LifetimeEnd(ptr)
            | Op::IsFreeable(ptr)
            | Op::IsAlive(ptr)
            | Op::IsModified(ptr)
            | Op::ResetModified(ptr)
            | Op::ObjectSize(ptr)
            | Op::ObjectOffset(ptr)
            | Op::MemSet { dst: ptr, .. }
            | Op::MemHavoc { dst: ptr, .. }
            | Op::LoadShadow { ptr, .. }
            | Op::StoreShadow { ptr, .. } => vec![ptr],
            Op::MemCopy { dst, src, .. } => vec![dst, src],
            Op::MemCompare { left, right, .. } => vec![left, right],
            Op::Load { .. }
            | Op::Store { .. }
            | Op::Alloc { .. }
            | Op::StackSave
            | Op::StackRestore(_)
            | Op::Leave
            | Op::NewRegion(_)
            | Op::IsDisjoint { .. } => return,
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
        for operand in pointers {
            let pointer = self.pointer(operand);
            for alternative in self.vc.world.resolve(pointer) {
                if let Some((func, _)) = self.name_of(alternative.object) {
                    self.refuse(Refused::Call(func, WHOLE));
                }
            }
        }
    }
}

impl Footprint {
    /// Forgets what values may be, but not where they are.
    fn forget_values(&mut self) {
        let params = self.params.values_mut();
        params
            .chain(self.results.values_mut())
            .for_each(Targets::clear);
        for cell in self
            .names
            .iter_mut()
            .flat_map(|name| name.cells.values_mut())
        {
            if let Some(targets) = &mut cell.pointer {
                targets.clear();
            }
            cell.changes = false;
            cell.becomes.clear();
        }
    }
}

impl Name {
    fn new(root: Root, size: Option<u64>) -> Name {
        Name {
            root,
            memory: None,
            size,
            constant: false,
            cells: BTreeMap::new(),
        }
    }
}

impl Known {
    /// What is kept for the next evaluation. What pointers may be was seen without the cells that are new, and is seen again.
    pub(super) fn kept(mut self) -> Known {
        if self.has_new_cells() {
            self.found.values_mut().for_each(Footprint::forget_values);
        }
        Known {
            found: self.found,
            ..Known::default()
        }
    }

    /// Was something new found?
    pub(super) fn has_grown(&self) -> bool {
        self.found != self.footprints
    }

    /// Are there other names or cells than before?
    pub(super) fn has_new_cells(&self) -> bool {
        let bare = |footprint: &Footprint| {
            let mut bare = footprint.clone();
            bare.forget_values();
            bare
        };
        let mut both = self.footprints.iter();
        both.any(|(func, before)| bare(before) != bare(&self.found[func]))
    }

    /// Does the object stand for a name of which nobody knew how large it is when this evaluation began?
    fn has_no_size_yet(&self, object: Object) -> bool {
        let owner = self.owners.get(&object);
        owner.is_some_and(|(func, index)| self.footprints[func].names[*index].size.is_none())
    }

    /// What an object is to a function.
    fn target_of(&self, func: Func, object: Object) -> Option<Target> {
        if object == NOWHERE {
            return Some(Target::Nowhere);
        }
        match self.owners.get(&object) {
            Some(&(owner, index)) if owner == func => Some(Target::Name(index)),
            _ if self.footprints[&func].known.contains(&object) => Some(Target::Known(object)),
            _ => None, // Another function's, or nobody's.
        }
    }
}

/// Does the program ask what was written, or what is initialised?
fn asks_about_writes(module: &Module) -> bool {
    let bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    let mut insts = bodies.flat_map(|body| body.insts.values());
    insts.any(|inst| matches!(inst.op, Op::LoadShadow { .. } | Op::IsModified(_)))
}

/// The variables that a function, its callees, and the initialisers of what these know may name.
fn mentioned(module: &Module, func: Func) -> BTreeSet<Global> {
    let mut globals = BTreeSet::new();
    let mut seen = BTreeSet::from([func]);
    let mut work = vec![func];
    let mut waiting: Vec<Global> = Vec::new();
    while let Some(func) = work.pop() {
        let Some(body) = &module.funcs[func].body else {
            continue;
        };
        let mut look = |operand: &Operand| {
            if let Operand::Const(Const::Global(global, _)) = operand {
                waiting.push(*global);
            }
        };
        for block in body.blocks.values() {
            block.terminator.operands().into_iter().for_each(&mut look);
            for &inst in &block.insts {
                let op = &body.insts[inst].op;
                op.operands().into_iter().for_each(&mut look);
                if let Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } = op
                    && seen.insert(*callee)
                {
                    work.push(*callee);
                }
            }
        }
    }
    while let Some(global) = waiting.pop() {
        if globals.insert(global) {
            for piece in &module.globals[global].init {
                if let InitPiece::Pointer(Const::Global(other, _)) = piece {
                    waiting.push(*other);
                }
            }
        }
    }
    globals
}
