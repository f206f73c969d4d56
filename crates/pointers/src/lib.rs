//! Points-to analysis: which pointers may lead to which objects, and what follows for memory.
//!
//! A unification-based data-structure analysis in the line of sea-dsa (Gurfinkel and Navas, *A
//! context-sensitive memory model for verification of C/C++ programs*, 2017): sensitive to fields, arrays
//! and calls, and sound for everything the IR can say.
//!
//! | file | does |
//! |---|---|
//! | [`graph`], [`node`] | nodes, shapes, slots: the union-finds |
//! | [`state`] | which registers lead into which graph |
//! | [`affine`] | what an index can be: strides |
//! | [`local`] | what each instruction says |
//! | [`calls`] | calls: bottom-up clones, top-down merges |
//! | [`rules`] | pointers through integers |
//! | [`solve`](mod@solve) | the phases in order |
//! | [`regions`] | regions of each function, what it does to them, how calls bind them |
//! | [`footprint`] | cells that parameters lead to, access paths |
//! | [`show`] | regions for people: lines and a drawing |
//!
//! [`provide`] gives `purify` its regions; [`targets`] gives `dispatch-calls` the functions that a
//! pointer may name.
#![forbid(unsafe_code)]

pub mod affine;
mod bits;
pub mod calls;
pub mod footprint;
pub mod graph;
pub mod local;
pub mod node;
pub mod regions;
pub mod rules;
pub mod show;
pub mod solve;
pub mod state;

use base::Map;
use ir::syntax::{Func, Inst, Module, Objects, PlaceId, Pointers, Region};
use passes::regions::{CallTargets, EVERYTHING, FuncRegions, Provider, RegionInfo, Regions};

use crate::node::{Count, NodeFlags, Site};
pub use crate::regions::{Effect, FuncFacts, RegionFacts};
pub use crate::solve::Mode;

/// The context-sensitive analysis, for the passes.
pub const SENSITIVE: Provider = Provider {
    name: "cs",
    regions: |module| provide(module, Mode::ContextSensitive),
    targets,
};

/// The context-insensitive analysis, for the passes.
pub const INSENSITIVE: Provider = Provider {
    name: "ci",
    regions: |module| provide(module, Mode::ContextInsensitive),
    targets,
};

/// What is known of a module's memory.
pub struct Analysis<'m> {
    /// The graphs.
    pub solution: solve::Solution<'m>,
    /// The regions of each function.
    pub funcs: Map<Func, FuncFacts>,
}

/// Analyses a module of phase Lowered.
pub fn analyze(module: &Module, mode: Mode) -> Analysis<'_> {
    let solution = solve::solve(module, mode);
    let funcs = regions::regions(&solution);
    Analysis { solution, funcs }
}

/// Divides the memory of a Lowered module, for `purify`.
pub fn provide(module: &Module, mode: Mode) -> Regions {
    analyze(module, mode).provide()
}

/// The functions that each call through a pointer may reach, in a Raw module.
pub fn targets(module: &Module) -> CallTargets {
    if !solve::calls_pointers(module) {
        return CallTargets::default();
    }
    let solution = solve::solve(module, Mode::ContextInsensitive);
    let sites = solution.state.indirect.into_iter();
    CallTargets {
        sites: sites
            .map(|site| ((site.func, site.inst), site.targets))
            .collect(),
    }
}

impl Analysis<'_> {
    /// The regions as `purify` wants them.
    pub fn provide(&self) -> Regions {
        let module = self.solution.state.module;
        let funcs = self.funcs.iter();
        Regions {
            funcs: funcs
                .map(|(func, facts)| self.func(module, func, facts))
                .collect(),
        }
    }

    fn func(&self, module: &Module, func: Func, facts: &FuncFacts) -> FuncRegions {
        let mut regions: Map<Region, RegionInfo> = facts
            .regions
            .values()
            .map(|region| RegionInfo {
                local: region.local,
                exposed: region.exposed,
                globals: Vec::new(),
                facts: claims(module, region),
            })
            .collect();
        if module.entry == Some(func) {
            for (region, info) in facts.regions.iter() {
                let data = self.solution.state.graph.data(info.node);
                regions[region].globals = data.globals().collect();
            }
        }
        let or_first = |region: Option<Region>| region.unwrap_or(EVERYTHING);
        let accesses: Map<Inst, (Region, Region)> = facts
            .accesses
            .iter()
            .map(|&(first, second)| (or_first(first), or_first(second)))
            .collect();
        FuncRegions {
            regions,
            accesses,
            calls: facts.calls.clone(),
        }
    }
}

/// What the text says of a region. Of one that unknown code and computed addresses reach, nothing.
fn claims(module: &Module, region: &RegionFacts) -> ir::syntax::RegionFacts {
    let open = [NodeFlags::EXTERNAL, NodeFlags::FUNC];
    if region.exposed || open.iter().any(|&flag| region.flags.has(flag)) {
        return ir::syntax::RegionFacts::default();
    }
    ir::syntax::RegionFacts {
        word: region.word,
        objects: match region.count {
            Count::One => Objects::One,
            Count::None | Count::Many => Objects::Many,
        },
        size: region.size,
        scalar: region.scalar,
        pointers: match region.pointers {
            true => Pointers::Maybe,
            false => Pointers::Never,
        },
        sites: match region.sites.len() < node::MAX_SITES {
            true => allocation_places(module, &region.sites),
            false => None,
        },
    }
}

/// Where the allocations among these are; none if one has no place.
fn allocation_places(module: &Module, sites: &[Site]) -> Option<Vec<PlaceId>> {
    let mut places = Vec::new();
    for site in sites {
        match site {
            Site::Alloc(func, inst) => places.push(module.body(*func).insts[*inst].place?),
            Site::Global(_) | Site::Func(_) => {}
        }
    }
    places.sort_unstable();
    places.dedup();
    Some(places)
}
