//! The word size that all accesses of a region share.
//!
//! With `--word auto` an object's contents are kept in the widest words that no access of its region
//! is narrower than. Regions are followed through calls: what a callee does to its region counts for
//! the caller's. A wrong guess costs time, never an answer: see `memory::words`.

use ir::syntax::{Body, Func, Global, Inst, Module, Op, Operand, Region, Type, Value};
use rustc_hash::FxHashMap;

use crate::encoding::{Encoding, Word};

/// Word sizes of the regions of all functions.
#[derive(Default)]
pub struct WordSizes {
    /// Same for everything.
    fixed: Option<u32>,
    /// By function and region: the group of regions that are one.
    groups: FxHashMap<(Func, Region), usize>,
    parents: Vec<usize>,
    widths: Vec<u32>,
    globals: FxHashMap<Global, u32>,
    widest: u32,
}

impl WordSizes {
    /// For a Pure module.
    pub fn new(module: &Module, encoding: Encoding) -> WordSizes {
        let widest = module.machine.pointer_bits / 8;
        let mut sizes = WordSizes {
            widest,
            ..WordSizes::default()
        };
        match (encoding.memory.has_words(), encoding.word) {
            // Scalars are kept as they are, or cut by `memory::words`: no object has a unit.
            (false, _) => sizes.fixed = Some(1),
            (true, Word::Bytes(bytes)) => sizes.fixed = Some(bytes.min(widest)),
            (true, Word::Auto) => sizes.read_all(module),
        }
        sizes
    }

    fn read_all(&mut self, module: &Module) {
        for (func, data) in module.funcs.iter() {
            if let Some(body) = &data.body {
                self.read(module, func, body);
            }
        }
        if let Some(entry) = module.entry
            && let Some(body) = &module.funcs[entry].body
        {
            for (region, data) in body.regions.iter() {
                for &global in &data.globals {
                    let width = self.get(entry, region);
                    self.globals.insert(global, width);
                }
            }
        }
    }

    /// The word size of a global.
    pub fn global(&self, global: Global) -> u32 {
        let known = self.globals.get(&global).copied();
        self.fixed.or(known).unwrap_or(1)
    }

    /// The word size of what an instruction allocates.
    pub fn of_allocation(&self, func: Func, body: &Body, inst: Inst) -> u32 {
        if let Some(fixed) = self.fixed {
            return fixed;
        }
        let memory = body.insts[inst].mems.first();
        memory.map_or(1, |&memory| self.get(func, region_of(body, memory)))
    }

    /// The word size of a region's memory. What the points-to analysis knows of its accesses counts as well: it
    /// has followed their offsets.
    pub fn of_region(&self, func: Func, body: &Body, region: Region) -> u32 {
        let aligned = body.regions[region].facts.word.min(self.widest);
        let found = self.get(func, region).max(aligned);
        self.fixed.unwrap_or(found)
    }

    fn get(&self, func: Func, region: Region) -> u32 {
        match self.groups.get(&(func, region)) {
            Some(&group) => self.widths[self.root(group)],
            None => 1,
        }
    }

    fn root(&self, mut group: usize) -> usize {
        while self.parents[group] != group {
            group = self.parents[group];
        }
        group
    }

    fn group(&mut self, func: Func, region: Region) -> usize {
        let next = self.parents.len();
        let group = *self.groups.entry((func, region)).or_insert(next);
        if group == next {
            self.parents.push(next);
            self.widths.push(self.widest);
        }
        self.root(group)
    }

    fn narrow(&mut self, func: Func, region: Region, bytes: u64) {
        let group = self.group(func, region);
        let fits = [8u32, 4, 1]
            .into_iter()
            .find(|&word| bytes % u64::from(word) == 0);
        let fits = fits.expect("every width is a multiple of 1");
        self.widths[group] = self.widths[group].min(fits);
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.widths[a] = self.widths[a].min(self.widths[b]);
            self.parents[b] = a;
        }
    }

    fn read(&mut self, module: &Module, func: Func, body: &Body) {
        for (_, inst) in body.insts_in_order() {
            let data = &body.insts[inst];
            match &data.op {
                Op::Load { ty, .. } | Op::Store { ty, .. } => {
                    let bytes = ty.bytes(module.machine);
                    for &memory in &data.mems {
                        self.narrow(func, region_of(body, memory), bytes);
                    }
                }
                Op::MemCopy { len, .. }
                | Op::MemSet { len, .. }
                | Op::MemCompare { len, .. }
                | Op::MemHavoc { len, .. } => {
                    let bytes = match len {
                        Operand::Const(ir::syntax::Const::Int(bits)) => bits.to_u64().unwrap_or(1),
                        Operand::Const(_) | Operand::Value(_) => 1,
                    };
                    for &memory in &data.mems {
                        self.narrow(func, region_of(body, memory), bytes);
                    }
                }
                Op::Call {
                    callee: ir::syntax::Callee::Direct(callee),
                    regions,
                    ..
                } => {
                    for &(inner, outer) in regions {
                        let (a, b) = (self.group(func, outer), self.group(*callee, inner));
                        self.unite(a, b);
                    }
                }
                _ => {} // Nothing else has a width.
            }
        }
        for (_, block) in body.blocks.iter() {
            for target in block.terminator.targets() {
                for (&param, arg) in body.blocks[target.block].params.iter().zip(&target.args) {
                    if let (Type::Mem(to), Operand::Value(arg)) = (body.values[param].ty, arg)
                        && let Type::Mem(from) = body.values[*arg].ty
                    {
                        let (a, b) = (self.group(func, to), self.group(func, from));
                        self.unite(a, b);
                    }
                }
            }
        }
    }
}

fn region_of(body: &Body, memory: Value) -> Region {
    match body.values[memory].ty {
        Type::Mem(region) => region,
        Type::Int(_) | Type::Float(_) | Type::Ptr => unreachable!("a memory version"),
    }
}
