//! Where a loop may write, and which objects a pointer is computed from: by the text alone.
//!
//! Nothing here asks what abstract interpretation found, so that its mistakes cannot hide a write.

use std::collections::BTreeSet;

use base::Map;
use ir::dominators::Dominators;
use ir::loops::{Loop, Loops};
use ir::syntax::{
    Block, Body, Const, Def, InitPiece, Inst, Module, Op, Operand, Region, Target, Type, Value,
};

use crate::cut::exposure::Exposure;
use crate::facts::Place;
use crate::partition;
use crate::value::Obj;

/// Bytes of an object that a loop may write.
#[derive(Clone, PartialEq, Debug)]
pub struct Stretch {
    /// The object.
    pub object: Obj,
    /// Its size.
    pub size: Operand,
    /// The offset and type of the only kind of write there, or the whole object.
    pub exact: Option<(u64, Type)>,
    /// May it matter that what was there before the loop is still there (a pointer)?
    pub may_stay: bool,
}

impl Stretch {
    /// The cell that facts can speak of, in the head's n-th parameter.
    pub fn place(&self, index: usize) -> Option<Place> {
        match self.exact {
            Some((at, ty @ Type::Int(1..=64))) => Some(Place::Cell(index, self.object, at, ty)),
            _ => None,
        }
    }
}

/// What a pointer is computed from.
#[derive(Clone, PartialEq, Debug)]
pub struct Sources {
    /// Addresses of objects, and null.
    pub bases: Vec<Operand>,
    /// May an offset have been added?
    pub moved: bool,
}

/// What the text says about writes.
pub struct Written<'a> {
    module: &'a Module,
    body: &'a Body,
    loops: &'a Loops,
    dominators: &'a Dominators,
    home: Map<Value, Option<Block>>,
    /// The arguments of each block parameter.
    arguments: Map<Value, Vec<Operand>>,
    /// Regions from which pointers are read.
    with_pointers: BTreeSet<Region>,
    /// Does the program look at shadow memory or marks of modification?
    shadow: bool,
    accesses: Accesses,
}

/// What is known of accesses to memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Accesses {
    /// Obligations say of each that it is inside of a live object.
    Checked,
    /// Some may be anywhere.
    Anywhere,
}

/// The object whose address an operand is, plus a constant offset or (none) any.
pub(super) fn base_of(body: &Body, operand: &Operand) -> Option<(Obj, Option<u64>)> {
    let mut operand = operand;
    let mut offset = Some(0i64);
    loop {
        match operand {
            Operand::Const(Const::Global(global, at)) => {
                let offset = offset.and_then(|by| by.checked_add(*at));
                return Some((
                    Obj::Global(*global),
                    offset.and_then(|by| u64::try_from(by).ok()),
                ));
            }
            Operand::Const(_) => return None,
            Operand::Value(value) => {
                let Def::Result(inst, _) = body.values[*value].def else {
                    return None;
                };
                match &body.insts[inst].op {
                    Op::Alloc { .. } => {
                        let offset = offset.and_then(|by| u64::try_from(by).ok());
                        return Some((Obj::Recent(inst), offset));
                    }
                    Op::Offset(base, by) => {
                        offset = match by {
                            Operand::Const(Const::Int(by)) => by
                                .to_i64()
                                .zip(offset)
                                .and_then(|(by, offset)| offset.checked_add(by)),
                            Operand::Const(_) | Operand::Value(_) => None,
                        };
                        operand = base;
                    }
                    Op::Copy(base) => operand = base,
                    _ => return None,
                }
            }
        }
    }
}

/// Regions whose globals begin with pointers in them, or with anything.
fn with_initial_pointers(module: &Module, body: &Body) -> BTreeSet<Region> {
    let begins_so = |global: ir::syntax::Global| {
        let mut pieces = module.globals[global].init.iter();
        pieces.any(|piece| match piece {
            InitPiece::Any(_) | InitPiece::Pointer(_) => true,
            InitPiece::Bytes(_) | InitPiece::Zero(_) => false,
        })
    };
    let regions = body.regions.iter();
    regions
        .filter(|(_, data)| data.globals.iter().any(|&global| begins_so(global)))
        .map(|(region, _)| region)
        .collect()
}

impl<'a> Written<'a> {
    /// Looks at a body.
    pub fn new(
        module: &'a Module,
        body: &'a Body,
        loops: &'a Loops,
        dominators: &'a Dominators,
        exposure: &Exposure<'_>,
        accesses: Accesses,
    ) -> Written<'a> {
        let mut arguments = Map::filled(Vec::new(), body.values.len());
        for data in body.blocks.values() {
            for Target { block, args } in data.terminator.targets() {
                for (&param, arg) in body.blocks[*block].params.iter().zip(args) {
                    arguments[param].push(arg.clone());
                }
            }
        }
        let mut with_pointers = BTreeSet::new();
        let mut shadow = false;
        // Regions that are searched for pointers, and those where there can be some.
        let (mut searched, mut filled) = (BTreeSet::new(), with_initial_pointers(module, body));
        let region = |value: Value| match body.values[value].ty {
            Type::Mem(region) => Some(region),
            Type::Int(_) | Type::Float(_) | Type::Ptr => None,
        };
        for (_, inst) in body.insts_in_order() {
            let data = &body.insts[inst];
            match &data.op {
                Op::Load { ty: Type::Ptr, .. } => {
                    with_pointers.extend(data.mems.iter().filter_map(|&mem| region(mem)));
                }
                // A copy takes pointers along, and unknown code reads whatever it finds.
                Op::MemCopy { .. } | Op::Clobber(_) | Op::Show(_) | Op::Call { .. } => {
                    with_pointers.extend(data.mems.iter().filter_map(|&mem| region(mem)));
                }
                // The bytes of a pointer, read as numbers, may become one again.
                Op::Load { .. } | Op::MemCompare { .. } if exposure.looks() => {
                    searched.extend(data.mems.iter().filter_map(|&mem| region(mem)));
                }
                Op::AllTracked => searched.extend(data.mems.iter().filter_map(|&mem| region(mem))),
                Op::Store { ty: Type::Ptr, .. } => {
                    filled.extend(data.mems.iter().filter_map(|&mem| region(mem)));
                }
                Op::LoadShadow { .. }
                | Op::StoreShadow { .. }
                | Op::IsModified(_)
                | Op::ResetModified(_) => shadow = true,
                // The stack is marked where it is saved; a mark that was carried around is any.
                Op::StackRestore(mark) => {
                    let saved = mark.as_value().and_then(|mark| body.def_inst(mark));
                    shadow |= !matches!(saved.map(|data| &data.op), Some(Op::StackSave));
                }
                _ => {}
            }
        }
        // Where no pointer is ever put, any bytes are as good as those that are there.
        with_pointers.extend(searched.intersection(&filled).copied());
        Written {
            module,
            body,
            loops,
            dominators,
            accesses,
            home: partition::home(body),
            arguments,
            with_pointers,
            shadow,
        }
    }

    /// The innermost loop around an instruction.
    fn loop_of(&self, inst: Inst) -> Option<Loop> {
        let result = *self.body.insts[inst].results.first()?;
        self.loops.innermost[self.home[result]?]
    }

    /// Is the allocation's newest object the one that its register names at the head of a loop, and known there?
    fn is_named(&self, inst: Inst, own: Loop) -> bool {
        let head = self.loops.loops[own].header;
        let home = self.home[self.body.insts[inst].results[0]];
        home.is_some_and(|home| home != head && self.dominators.dominates(home, head))
    }

    fn size(&self, obj: Obj) -> Operand {
        match obj {
            Obj::Global(global) => {
                Operand::size(self.module.globals[global].size, self.module.machine)
            }
            Obj::Recent(inst) | Obj::Old(inst) => match &self.body.insts[inst].op {
                Op::Alloc { size, .. } => size.clone(),
                other => unreachable!("{inst} allocates, and is {other:?}"),
            },
        }
    }

    /// The stretches of a region that a loop may write, or why that cannot be said.
    pub fn in_loop(&self, region: Region, own: Loop) -> Result<Vec<Stretch>, &'static str> {
        if self.shadow {
            return Err("the program looks at shadow memory");
        }
        let pointers = self.with_pointers.contains(&region);
        let mut found: Vec<Stretch> = Vec::new();
        let mut everything = false;
        for &block in self.loops.blocks(own) {
            for &inst in &self.body.blocks[block].insts {
                let data = &self.body.insts[inst];
                let mut regions = data
                    .results
                    .iter()
                    .map(|&result| self.body.values[result].ty);
                if !regions.any(|ty| ty == Type::Mem(region)) {
                    continue;
                }
                let (target, ty) = match &data.op {
                    Op::Store { ty, ptr, .. } => (ptr, Some(*ty)),
                    Op::MemSet { dst, .. } | Op::MemHavoc { dst, .. } => (dst, None),
                    Op::MemCopy { dst, .. } => (dst, None),
                    _ => return Err("it makes or ends objects"),
                };
                if pointers && (ty == Some(Type::Ptr) || matches!(data.op, Op::MemCopy { .. })) {
                    return Err("it stores pointers");
                }
                match base_of(self.body, target) {
                    Some((object, at)) => {
                        if let Obj::Recent(inst) = object
                            && !self.is_named(inst, own)
                        {
                            return Err("it writes to what it makes");
                        }
                        found.push(Stretch {
                            object,
                            size: self.size(object),
                            exact: at.zip(ty),
                            may_stay: pointers,
                        });
                    }
                    None => everything = true,
                }
            }
        }
        if everything {
            for object in self.objects(region, own)? {
                found.push(Stretch {
                    object,
                    size: self.size(object),
                    exact: None,
                    may_stay: pointers,
                });
            }
        }
        self.tidy(found, pointers)
    }

    /// Whole objects swallow their parts; parts must not overlap.
    fn tidy(&self, found: Vec<Stretch>, pointers: bool) -> Result<Vec<Stretch>, &'static str> {
        let whole: BTreeSet<Obj> = found
            .iter()
            .filter(|stretch| stretch.exact.is_none())
            .map(|stretch| stretch.object)
            .collect();
        // Of a whole object part may have stayed and part not, which one choice cannot say.
        if pointers && !whole.is_empty() {
            return Err("it may overwrite pointers");
        }
        let machine = self.module.machine;
        let mut tidy: Vec<Stretch> = Vec::new();
        for stretch in found {
            if tidy.contains(&stretch) {
                continue;
            }
            if stretch.exact.is_some() && whole.contains(&stretch.object) {
                continue;
            }
            let overlaps = |other: &Stretch| match (other.exact, stretch.exact) {
                (Some((a, x)), Some((b, y))) => {
                    other.object == stretch.object
                        && a < b.saturating_add(y.bytes(machine))
                        && b < a.saturating_add(x.bytes(machine))
                        && (a, x.bytes(machine)) != (b, y.bytes(machine))
                }
                _ => false,
            };
            if pointers && tidy.iter().any(overlaps) {
                return Err("it writes the same bytes in different ways");
            }
            tidy.push(stretch);
        }
        Ok(tidy)
    }

    /// All objects that may be in a region when a loop is entered, if each has a name there.
    fn objects(&self, region: Region, own: Loop) -> Result<Vec<Obj>, &'static str> {
        let head = self.loops.loops[own].header;
        let data = &self.body.regions[region];
        if data.unknown && self.accesses == Accesses::Anywhere {
            return Err("it may write where no object is");
        }
        let mut made_in = None;
        for (block, inst) in self.body.insts_in_order() {
            if let Op::NewRegion(new) = self.body.insts[inst].op
                && new == region
            {
                made_in = self.loops.innermost[block];
            }
        }
        let mut found: Vec<Obj> = data.globals.iter().copied().map(Obj::Global).collect();
        for (block, inst) in self.body.insts_in_order() {
            let data = &self.body.insts[inst];
            let Op::Alloc { .. } = data.op else { continue };
            let mut types = data
                .results
                .iter()
                .map(|&result| self.body.values[result].ty);
            if !types.any(|ty| ty == Type::Mem(region)) {
                continue;
            }
            // Objects of earlier rounds of a loop around this one would have no name.
            if self.loop_of(inst) != made_in {
                return Err("objects that it may write to were made in a loop");
            }
            if self.is_named(inst, own) {
                found.push(Obj::Recent(inst));
            } else if self.reaches(block, head) {
                return Err("objects that it may write to are made on some paths only");
            }
        }
        Ok(found)
    }

    fn reaches(&self, from: Block, to: Block) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut work = vec![from];
        while let Some(block) = work.pop() {
            for next in self.body.blocks[block].terminator.successors() {
                if next == to {
                    return true;
                }
                if seen.insert(next) {
                    work.push(next);
                }
            }
        }
        false
    }

    /// What a pointer that is the parameter of a loop's head is computed from.
    pub fn sources(&self, param: Value, own: Loop) -> Result<Sources, &'static str> {
        let mut sources = Sources {
            bases: Vec::new(),
            moved: false,
        };
        let mut seen = BTreeSet::from([param]);
        let mut work: Vec<Operand> = self.arguments[param].clone();
        let mut made: Vec<Inst> = Vec::new();
        while let Some(operand) = work.pop() {
            let value = match &operand {
                Operand::Const(Const::Null | Const::Global(..)) => {
                    if !sources.bases.contains(&operand) {
                        sources.bases.push(operand);
                    }
                    continue;
                }
                Operand::Const(_) => return Err("a pointer to a function changes"),
                Operand::Value(value) => *value,
            };
            if !seen.insert(value) {
                continue;
            }
            match self.body.values[value].def {
                Def::Param(_) => return Err("a pointer comes from outside"),
                Def::BlockParam(..) => work.extend(self.arguments[value].iter().cloned()),
                Def::Result(inst, _) => match &self.body.insts[inst].op {
                    Op::Alloc { .. } => {
                        if !self.is_named(inst, own) {
                            return Err("a pointer may point to what the loop makes");
                        }
                        made.push(inst);
                        sources.bases.push(operand);
                    }
                    Op::Offset(base, _) => {
                        sources.moved = true;
                        work.push(base.clone());
                    }
                    Op::Copy(base) => work.push(base.clone()),
                    Op::Select(_, a, b) => work.extend([a.clone(), b.clone()]),
                    _ => return Err("a pointer comes from memory"),
                },
            }
        }
        // A pointer to an object of an earlier round must have been carried by a head's parameter.
        for inst in made {
            let mut around = self.loop_of(inst);
            while let Some(outer) = around {
                let head = self.loops.loops[outer].header;
                if self.body.blocks[head]
                    .params
                    .iter()
                    .any(|param| seen.contains(param))
                {
                    return Err("a pointer may point to what an earlier round made");
                }
                around = self.loops.loops[outer].parent;
            }
        }
        if sources.bases.is_empty() {
            return Err("a pointer comes from nowhere");
        }
        Ok(sources)
    }

    /// A memory of the region of a pointer's objects that is known at a head: any version, since offsets do not depend on it.
    pub fn memory_of(&self, sources: &Sources, head: Block) -> Option<Value> {
        let entry = self.module.entry?;
        let mut region = None;
        for base in &sources.bases {
            let own = match base {
                Operand::Const(Const::Global(global, _)) => self
                    .body
                    .regions
                    .iter()
                    .find(|(_, data)| data.globals.contains(global))
                    .map(|(region, _)| region)?,
                Operand::Const(_) => continue,
                Operand::Value(value) => {
                    let data = self.body.def_inst(*value)?;
                    match self.body.values[*data.results.last()?].ty {
                        Type::Mem(region) => region,
                        Type::Int(_) | Type::Float(_) | Type::Ptr => return None,
                    }
                }
            };
            if region.is_some_and(|known| known != own) {
                return None;
            }
            region = Some(own);
        }
        let region = region?;
        let _ = entry;
        self.body
            .values
            .iter()
            .filter(|(_, data)| data.ty == Type::Mem(region))
            .map(|(value, _)| value)
            .find(|&value| match self.body.values[value].def {
                Def::Param(index) => self.body.params.get(index as usize) == Some(&value),
                Def::BlockParam(..) | Def::Result(..) => self.home[value]
                    .is_some_and(|home| home != head && self.dominators.dominates(home, head)),
            })
    }
}
