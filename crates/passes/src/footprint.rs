//! Which regions a function and its callees touch, and which they change.
//!
//! The least solution of: what an instruction does to memory, plus what its callees do, translated
//! by the binding of each call. A worklist of functions goes up the call graph; a function's sets
//! only grow, so it ends. A `leave` changes nothing that an allocation has not changed before.

use std::collections::BTreeSet;

use base::Map;
use ir::callgraph::CallGraph;
use ir::ops::MemEffect;
use ir::syntax::{Body, Callee, Func, Inst, Module, Op, Region};
use smallvec::SmallVec;

use crate::regions::{FuncRegions, Regions};

/// A set of regions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct RegionSet {
    words: SmallVec<[u64; 1]>,
}

impl RegionSet {
    /// Adds a region; was it new?
    pub(crate) fn insert(&mut self, region: Region) -> bool {
        let (word, bit) = (region.index() / 64, 1 << (region.index() % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Is the region in it?
    pub(crate) fn contains(&self, region: Region) -> bool {
        let (word, bit) = (region.index() / 64, 1 << (region.index() % 64));
        self.words.get(word).is_some_and(|bits| bits & bit != 0)
    }

    /// Adds all of the other's; was any new?
    pub(crate) fn extend(&mut self, other: &RegionSet) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut new = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            new |= theirs & !*mine != 0;
            *mine |= theirs;
        }
        new
    }

    /// In ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Region> + '_ {
        self.words.iter().enumerate().flat_map(|(word, &bits)| {
            let rest = std::iter::successors(Some(bits), |&bits| Some(bits & bits.wrapping_sub(1)));
            rest.take_while(|&bits| bits != 0)
                .map(move |bits| Region::from_index(word * 64 + bits.trailing_zeros() as usize))
        })
    }
}

/// What a function does to its regions, callees included.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Footprint {
    /// Touched in any way.
    pub(crate) touched: RegionSet,
    /// Changed.
    pub(crate) changed: RegionSet,
    /// Where the function's own stack allocations live.
    pub(crate) stack: RegionSet,
}

/// The regions that a memory operation reads and changes, in the order of its `mems`: the region,
/// and whether a next version is made. Calls are not answered here.
pub(crate) fn mems_of(
    op: &Op,
    inst: Inst,
    regions: &FuncRegions,
    footprint: &Footprint,
) -> SmallVec<[Region; 2]> {
    let (first, second) = regions.access(inst);
    match op.mem_effect() {
        MemEffect::None | MemEffect::New(_) | MemEffect::Call => SmallVec::new(),
        MemEffect::Read(1) | MemEffect::Write(1) => SmallVec::from_slice(&[first]),
        MemEffect::Read(_) | MemEffect::Write(_) => SmallVec::from_slice(&[first, second]),
        MemEffect::ReadAny | MemEffect::WriteAny => match op {
            Op::StackSave | Op::StackRestore(_) | Op::Leave => footprint.stack.iter().collect(),
            Op::Clobber(_) | Op::Show(_) => exposed(regions).collect(),
            // All memories in reach.
            _ => regions.regions.keys().collect(),
        },
    }
}

fn exposed(regions: &FuncRegions) -> impl Iterator<Item = Region> + '_ {
    let all = regions.regions.iter();
    all.filter(|(_, info)| info.exposed)
        .map(|(region, _)| region)
}

/// The region of the caller that a call binds to the callee's.
pub(crate) fn bound(regions: &FuncRegions, call: Inst, callee: Region) -> Region {
    match regions.calls.binary_search_by_key(&call, |(inst, _)| *inst) {
        Ok(index) => {
            let pairs = &regions.calls[index].1;
            let pair = pairs.iter().find(|(theirs, _)| *theirs == callee);
            pair.unwrap_or_else(|| panic!("the call {call} binds {callee} of its callee"))
                .1
        }
        Err(_) => callee,
    }
}

/// The footprints of all functions.
pub(crate) fn footprints(module: &Module, regions: &Regions) -> Map<Func, Footprint> {
    let mut footprints: Map<Func, Footprint> =
        Map::filled(Footprint::default(), module.funcs.len());
    let mut calls: Map<Func, Vec<(Inst, Func)>> = Map::filled(Vec::new(), module.funcs.len());
    for (func, data) in module.funcs.iter() {
        let Some(body) = &data.body else { continue };
        footprints[func] = own(body, &regions.funcs[func]);
        for (_, inst) in body.insts_in_order() {
            if let Op::Call {
                callee: Callee::Direct(callee),
                ..
            } = &body.insts[inst].op
            {
                calls[func].push((inst, *callee));
            }
        }
    }
    // Callees before callers: without recursion each function is looked at once.
    let graph = CallGraph::new(module);
    let mut work: BTreeSet<(usize, Func)> = module
        .funcs
        .keys()
        .map(|func| (graph.component_of[func], func))
        .collect();
    while let Some((_, func)) = work.pop_first() {
        let mut mine = std::mem::take(&mut footprints[func]);
        let mut grown = false;
        for &(inst, callee) in &calls[func] {
            if callee == func && regions.funcs[func].calls.is_empty() {
                continue; // It binds each region to itself.
            }
            let theirs = match callee == func {
                true => mine.clone(),
                false => footprints[callee].clone(),
            };
            let visible = |region: &Region| !regions.funcs[callee].regions[*region].local;
            for region in theirs.touched.iter().filter(visible) {
                let region_here = bound(&regions.funcs[func], inst, region);
                grown |= mine.touched.insert(region_here);
                if theirs.changed.contains(region) {
                    grown |= mine.changed.insert(region_here);
                }
            }
        }
        footprints[func] = mine;
        if grown {
            let callers = graph.callers[func].iter();
            work.extend(callers.map(|&caller| (graph.component_of[caller], caller)));
        }
    }
    footprints
}

/// What the function does without its callees.
fn own(body: &Body, regions: &FuncRegions) -> Footprint {
    let mut footprint = Footprint::default();
    for (_, inst) in body.insts_in_order() {
        if matches!(body.insts[inst].op, Op::Alloc { kind, .. } if kind.is_stack()) {
            footprint.stack.insert(regions.access(inst).0);
        }
    }
    for (_, inst) in body.insts_in_order() {
        let op = &body.insts[inst].op;
        let mems = mems_of(op, inst, regions, &footprint);
        let changed = match op.mem_effect() {
            MemEffect::None
            | MemEffect::Read(_)
            | MemEffect::ReadAny
            | MemEffect::New(_)
            | MemEffect::Call => 0,
            MemEffect::Write(_) => 1,
            MemEffect::WriteAny => mems.len(),
        };
        for (index, &region) in mems.iter().enumerate() {
            footprint.touched.insert(region);
            if index < changed {
                footprint.changed.insert(region);
            }
        }
    }
    footprint
}
