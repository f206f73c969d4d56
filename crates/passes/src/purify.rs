//! Memory becomes a value.
//!
//! Each memory operation takes the version of a region's memory and yields the next:
//!
//! ```text
//! fn @f(v0: ptr) -> i32 {            fn @f(v0: ptr, v2: mem r0) -> i32, mem r0 {
//! b0:                                    region r0
//!                                    b0:
//!     store.i32 v0, 7 align 4            v3 = store.i32 v0, 7 align 4 in v2
//!     v1 = load.i32 v0 align 4           v1 = load.i32 v0 align 4 in v3
//!     return v1                          return v1, v3
//! }                                  }
//! ```
//!
//! Which regions there are is the caller's choice ([`Regions`]). A function gets a parameter for
//! each region that it or its callees touch and a result for each that they change
//! (`footprint.rs`); the entry returns no memories, since nobody sees them.
//!
//! Versions are numbered in reverse postorder: a block takes over the version that all its
//! predecessors end with, and gets a parameter if they differ or are not known yet (a loop). A
//! region that nothing after the block touches gets none. Parameters that turn out to be the same
//! all around a loop are dropped at the end; for reducible flow this is minimal SSA (Braun et al.,
//! *Simple and efficient construction of SSA form*, 2013). Dominance frontiers would give the
//! same and need dominators; nothing here is recursive, and the work is blocks × live regions.
//!
//! Where the function returns, the stack objects that others can see die (`leave`). Local regions
//! end with the activation by themselves.

use base::Map;
use ir::ops::MemEffect;
use ir::syntax::{
    Block, Body, Callee, Func, InstData, Module, Op, Operand, Phase, Region, RegionData, Target,
    Terminator, Type, Value, ValueData,
};
use smallvec::SmallVec;

use crate::edit;
use crate::footprint::{self, Footprint, RegionSet};
use crate::pass::{self, Config, Error, Pass, RegionMode};
use crate::regions::{FuncRegions, Regions, flat};
use crate::simplify;
use crate::split::split;

/// See the module.
pub struct Purify;

impl Pass for Purify {
    fn name(&self) -> &'static str {
        "purify"
    }

    fn about(&self) -> &'static str {
        "Makes memory a value: each memory operation takes a region's version and yields the next."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        pass::expect_phase(self.name(), Phase::Lowered, module)?;
        let regions = match config.regions {
            RegionMode::Flat => flat(module),
            RegionMode::Split => split(module),
            RegionMode::Given(provider) => (provider.regions)(module),
        };
        purify(module, &regions);
        Ok(())
    }
}

/// Purifies a Lowered module with these regions, which speak of its instructions by number.
pub fn purify(module: &mut Module, regions: &Regions) {
    let footprints = footprint::footprints(module, regions);
    let called = called(module);
    let interfaces: Map<Func, Interface> = module
        .funcs
        .keys()
        .map(|func| {
            let returns = module.entry != Some(func) || called[func];
            Interface::new(&regions.funcs[func], &footprints[func], returns)
        })
        .collect();
    for func in module.funcs.keys() {
        let Some(body) = module.funcs[func].body.take() else {
            continue;
        };
        let rewriter = Rewriter {
            func,
            body,
            regions: &regions.funcs[func],
            footprint: &footprints[func],
            interfaces: &interfaces,
            is_entry: module.entry == Some(func),
        };
        let body = rewriter.run();
        let data = &mut module.funcs[func];
        let interface = &interfaces[func];
        data.params.extend(
            interface
                .params
                .iter()
                .map(|&(_, region)| Type::Mem(region)),
        );
        data.results.extend(
            interface
                .results
                .iter()
                .map(|&(_, region)| Type::Mem(region)),
        );
        data.body = Some(body);
    }
    module.phase = Phase::Pure;
}

fn called(module: &Module) -> Map<Func, bool> {
    let mut called = Map::filled(false, module.funcs.len());
    for body in module.funcs.values().filter_map(|func| func.body.as_ref()) {
        for (_, inst) in body.insts_in_order() {
            if let Op::Call {
                callee: Callee::Direct(callee),
                ..
            } = &body.insts[inst].op
            {
                called[*callee] = true;
            }
        }
    }
    called
}

/// The memories that a function takes and returns, and how its regions are numbered: the
/// provider's number, then the one in the text.
struct Interface {
    number: Map<Region, Option<Region>>,
    params: Vec<(Region, Region)>,
    results: Vec<(Region, Region)>,
    /// Where stack objects die when the function returns, as numbered in the text.
    left: Vec<Region>,
}

impl Interface {
    fn new(regions: &FuncRegions, footprint: &Footprint, returns: bool) -> Interface {
        let mut next = 0;
        let number: Map<Region, Option<Region>> = regions
            .regions
            .keys()
            .map(|region| {
                footprint.touched.contains(region).then(|| {
                    next += 1;
                    Region::from_index(next - 1)
                })
            })
            .collect();
        let shared = |&(region, _): &(Region, Region)| !regions.regions[region].local;
        let numbered = number
            .iter()
            .filter_map(|(region, &number)| Some((region, number?)));
        let params: Vec<(Region, Region)> = numbered.filter(shared).collect();
        let results = params
            .iter()
            .copied()
            .filter(|&(region, _)| returns && footprint.changed.contains(region))
            .collect();
        let left = params
            .iter()
            .filter(|(region, _)| footprint.stack.contains(*region))
            .map(|&(_, number)| number)
            .collect();
        Interface {
            number,
            params,
            results,
            left,
        }
    }
}

struct Rewriter<'a> {
    func: Func,
    body: Body,
    regions: &'a FuncRegions,
    footprint: &'a Footprint,
    interfaces: &'a Map<Func, Interface>,
    is_entry: bool,
}

/// The version of each region's memory at a point, by the number in the text.
type Versions = Map<Region, Option<Value>>;

impl Rewriter<'_> {
    fn run(mut self) -> Body {
        let interface = &self.interfaces[self.func];
        let count = interface.number.values().flatten().count();
        self.body.regions = self.region_table();
        let mut versions: Versions = Map::filled(None, count);
        for &(_, region) in &interface.params {
            versions[region] = Some(self.body.new_param(Type::Mem(region)));
        }
        if count == 0 {
            return self.body;
        }
        let new_regions = self.make_entry(&mut versions);
        let live = self.live_regions();
        let added = self.rewrite_blocks(versions, &live);
        self.pass_versions(&added);
        let entry = self.body.entry();
        self.body.blocks[entry].insts.splice(0..0, new_regions);
        simplify::drop_params(&mut self.body);
        edit::tidy_in_place(&mut self.body);
        self.body
    }

    fn region_table(&self) -> Map<Region, RegionData> {
        let infos = self.regions.regions.iter();
        let number = &self.interfaces[self.func].number;
        infos
            .filter(|&(region, _)| number[region].is_some())
            .map(|(_, info)| RegionData {
                globals: if self.is_entry {
                    info.globals.clone()
                } else {
                    Vec::new()
                },
                local: info.local,
                unknown: self.is_entry && info.exposed,
                facts: info.facts.clone(),
            })
            .collect()
    }

    /// Makes the local regions; they are to stand at the beginning of the entry, which nothing
    /// may jump to.
    fn make_entry(&mut self, versions: &mut Versions) -> Vec<ir::syntax::Inst> {
        let old = self.body.entry();
        let jumped_to = self
            .body
            .blocks
            .values()
            .any(|data| data.terminator.successors().contains(&old));
        if jumped_to {
            // The instructions keep their numbers: the provider speaks of them.
            let moved = self.body.new_block(&[]);
            for data in self.body.blocks.values_mut() {
                for target in data.terminator.targets_mut() {
                    if target.block == old {
                        target.block = moved;
                    }
                }
            }
            let jump = Terminator::Jump(Target::new(moved));
            let entry = &mut self.body.blocks[old];
            let insts = std::mem::take(&mut entry.insts);
            let end = std::mem::replace(&mut entry.terminator, jump);
            let place = entry.place.take();
            let data = &mut self.body.blocks[moved];
            (data.insts, data.terminator, data.place) = (insts, end, place);
        }
        let mut insts = Vec::new();
        for region in self.body.regions.keys() {
            if self.body.regions[region].local {
                let ty = Type::Mem(region);
                let inst = self.body.insts.next_id();
                let def = ir::syntax::Def::Result(inst, 0);
                let version = self.body.values.push(ValueData { ty, def });
                insts.push(self.body.insts.push(InstData {
                    results: vec![version],
                    op: Op::NewRegion(region),
                    mems: Vec::new(),
                    place: None,
                }));
                versions[region] = Some(version);
            }
        }
        insts
    }

    /// The regions that something in or after each block touches.
    fn live_regions(&self) -> Map<Block, RegionSet> {
        let body = &self.body;
        let mut live: Map<Block, RegionSet> = body
            .blocks
            .keys()
            .map(|block| self.touched_in(block))
            .collect();
        let edges = edit::edges_into(body);
        let mut work: Vec<Block> = ir::cfg::text_order(body);
        let mut queued = Map::filled(true, body.blocks.len());
        while let Some(block) = work.pop() {
            queued[block] = false;
            let here = live[block].clone();
            for edge in &edges[block] {
                if live[edge.from].extend(&here) && !queued[edge.from] {
                    queued[edge.from] = true;
                    work.push(edge.from);
                }
            }
        }
        live
    }

    fn touched_in(&self, block: Block) -> RegionSet {
        let mut touched = RegionSet::default();
        let data = &self.body.blocks[block];
        let interface = &self.interfaces[self.func];
        for &inst in &data.insts {
            for region in self.mems(inst) {
                touched.insert(region);
            }
        }
        if let Terminator::Return(_) = data.terminator {
            let results = interface.results.iter().map(|&(_, region)| region);
            for region in results.chain(interface.left.iter().copied()) {
                touched.insert(region);
            }
        }
        touched
    }

    /// The regions of an instruction's memories, as numbered in the text.
    fn mems(&self, inst: ir::syntax::Inst) -> SmallVec<[Region; 2]> {
        let op = &self.body.insts[inst].op;
        let number = &self.interfaces[self.func].number;
        let here = |region: Region| number[region].expect("a touched region is numbered");
        match op {
            Op::Call {
                callee: Callee::Direct(callee),
                ..
            } => self.interfaces[*callee]
                .params
                .iter()
                .map(|&(theirs, _)| here(footprint::bound(self.regions, inst, theirs)))
                .collect(),
            _ => footprint::mems_of(op, inst, self.regions, self.footprint)
                .into_iter()
                .filter_map(|region| number[region])
                .collect(),
        }
    }

    /// Gives every instruction its versions. Returns each block's added parameters and the
    /// versions at its end.
    fn rewrite_blocks(
        &mut self,
        start: Versions,
        live: &Map<Block, RegionSet>,
    ) -> Map<Block, (Vec<Region>, Versions)> {
        let mut edges = edit::edges_into(&self.body);
        let reached = edit::reachable(&self.body);
        for list in edges.values_mut() {
            list.retain(|edge| reached[edge.from]);
        }
        let mut done: Map<Block, (Vec<Region>, Versions)> =
            Map::filled((Vec::new(), Map::new()), self.body.blocks.len());
        for block in ir::cfg::text_order(&self.body) {
            let mut versions: Versions = Map::filled(None, start.len());
            let mut added = Vec::new();
            if block == self.body.entry() {
                versions = start.clone();
            } else {
                for region in live[block].iter() {
                    let mut ends = edges[block]
                        .iter()
                        .map(|edge| done[edge.from].1.get(region).copied().flatten());
                    let first = ends.next().flatten();
                    if first.is_some() && ends.all(|end| end == first) {
                        versions[region] = first;
                    } else {
                        let param = self.body.new_block_param(block, Type::Mem(region));
                        versions[region] = Some(param);
                        added.push(region);
                    }
                }
            }
            self.rewrite_block(block, &mut versions);
            done[block] = (added, versions);
        }
        done
    }

    fn rewrite_block(&mut self, block: Block, versions: &mut Versions) {
        for index in 0..self.body.blocks[block].insts.len() {
            let inst = self.body.blocks[block].insts[index];
            let regions = self.mems(inst);
            if !regions.is_empty() {
                self.rewrite_inst(inst, &regions, versions);
            }
        }
        if let Terminator::Return(_) = self.body.blocks[block].terminator {
            self.leave(block, versions);
            let results = &self.interfaces[self.func].results;
            let last = results
                .iter()
                .map(|&(_, region)| known(versions, region).into());
            let last: Vec<Operand> = last.collect();
            if let Terminator::Return(operands) = &mut self.body.blocks[block].terminator {
                operands.extend(last);
            }
        }
    }

    fn rewrite_inst(
        &mut self,
        inst: ir::syntax::Inst,
        regions: &[Region],
        versions: &mut Versions,
    ) {
        let mems = regions.iter().map(|&region| known(versions, region));
        self.body.insts[inst].mems = mems.collect();
        let changed: SmallVec<[Region; 2]> = match self.body.insts[inst].op.mem_effect() {
            MemEffect::None | MemEffect::Read(_) | MemEffect::ReadAny | MemEffect::New(_) => {
                SmallVec::new()
            }
            MemEffect::Write(_) => SmallVec::from_slice(&regions[..1]),
            MemEffect::WriteAny => SmallVec::from_slice(regions),
            MemEffect::Call => self.bind(inst, regions),
        };
        for region in changed {
            let index = self.body.insts[inst].results.len() as u32;
            let next = self.body.values.push(ValueData {
                ty: Type::Mem(region),
                def: ir::syntax::Def::Result(inst, index),
            });
            self.body.insts[inst].results.push(next);
            versions[region] = Some(next);
        }
    }

    /// Writes a call's binding into it; returns the regions that it changes, in the order of the
    /// callee's results.
    fn bind(&mut self, inst: ir::syntax::Inst, here: &[Region]) -> SmallVec<[Region; 2]> {
        let Op::Call {
            callee: Callee::Direct(callee),
            results,
            regions,
            ..
        } = &mut self.body.insts[inst].op
        else {
            unreachable!("only direct calls have this effect");
        };
        let interface = &self.interfaces[*callee];
        let mut changed = SmallVec::new();
        for (&(_, theirs), &ours) in interface.params.iter().zip(here) {
            regions.push((theirs, ours));
            if interface
                .results
                .iter()
                .any(|&(_, result)| result == theirs)
            {
                results.push(Type::Mem(ours));
                changed.push(ours);
            }
        }
        changed
    }

    /// The stack objects of this activation in regions that the caller sees die.
    fn leave(&mut self, block: Block, versions: &mut Versions) {
        let regions = &self.interfaces[self.func].left;
        if regions.is_empty() {
            return;
        }
        let inst = self.body.insts.push(InstData {
            results: Vec::new(),
            op: Op::Leave,
            mems: Vec::new(),
            place: self.body.blocks[block].place,
        });
        self.body.blocks[block].insts.push(inst);
        self.rewrite_inst(inst, regions, versions);
    }

    /// Passes the versions at each block's end to the parameters that blocks were given.
    fn pass_versions(&mut self, done: &Map<Block, (Vec<Region>, Versions)>) {
        for (block, data) in self.body.blocks.iter_mut() {
            let versions = &done[block].1;
            if versions.is_empty() {
                continue; // Unreachable; the block goes.
            }
            for target in data.terminator.targets_mut() {
                for &region in &done[target.block].0 {
                    target.args.push(known(versions, region).into());
                }
            }
        }
    }
}

fn known(versions: &Versions, region: Region) -> Value {
    versions[region].unwrap_or_else(|| panic!("{region} has a version here"))
}
