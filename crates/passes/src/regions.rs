//! How memory is divided into regions: what `purify` must be told.
//!
//! A region is a set of objects that is disjoint from the other regions' objects, as seen from one
//! function. A *provider* says for each function which regions it knows and, for each memory
//! operation, which region its pointers lead to; for each call, which region of the callee is
//! which region of the caller. There are two providers here, [`flat`] (everything is `r0`) and
//! [`split`](crate::split::split); a points-to analysis is handed over as a [`Provider`], so that
//! the passes need not know it.
//!
//! A provider may be generous: `purify` drops regions that a function and its callees never touch,
//! and passes back only what they change. What it must guarantee:
//!
//! 1. An object lives in one region of each function that can touch it, and every pointer operand
//!    that may lead to it is given that region.
//! 2. A call binds each region of the callee, and no region of the caller to two of them, unless it
//!    is local.
//! 3. The regions of the entry hold all globals (those in no region are never touched).
//! 4. A region is `local` only if nothing outside the activation can see its objects, not even a
//!    leak check while the activation is alive.
//! 5. Objects that unknown code can reach live in `exposed` regions.

use std::collections::BTreeMap;
use std::fmt;

use base::Map;
use ir::syntax::{Func, Global, Inst, Module, Region, RegionFacts};

/// A region as a function sees it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RegionInfo {
    /// Do its objects begin and end with each activation of the function?
    pub local: bool,
    /// Can unknown code reach its objects?
    pub exposed: bool,
    /// In the entry: the globals that live here.
    pub globals: Vec<Global>,
    /// What is known of it, for the text.
    pub facts: RegionFacts,
}

/// The regions of a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FuncRegions {
    /// All regions that the function knows.
    pub regions: Map<Region, RegionInfo>,
    /// For each instruction the regions that its pointers lead to: of the only pointer, or of the
    /// first and the second one (destination and source, left and right). An allocation's is where
    /// the object lives. Whatever is beyond the table's end is in `r0`.
    pub accesses: Map<Inst, (Region, Region)>,
    /// For each call (in the order of the text) the binding: region of the callee, region of the
    /// caller. A call that is not listed binds each region to the one of the same number, as far
    /// as they are not local.
    pub calls: Vec<(Inst, Vec<(Region, Region)>)>,
}

/// The regions of a module.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Regions {
    /// By function; functions without a body have none.
    pub funcs: Map<Func, FuncRegions>,
}

/// The functions that calls through pointers may reach. A call that is not listed may reach every
/// function whose address is taken.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallTargets {
    /// By caller and call, in the order of the module.
    pub sites: BTreeMap<(Func, Inst), Vec<Func>>,
}

/// A points-to analysis, as the passes see it. Two of one name are the same.
#[derive(Clone, Copy)]
pub struct Provider {
    /// Its name.
    pub name: &'static str,
    /// Divides the memory of a Lowered module.
    pub regions: fn(&Module) -> Regions,
    /// Finds the targets of calls through pointers in a Raw module.
    pub targets: fn(&Module) -> CallTargets,
}

impl PartialEq for Provider {
    fn eq(&self, other: &Provider) -> bool {
        self.name == other.name
    }
}

impl Eq for Provider {}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The region that everything is in when nothing is known.
pub const EVERYTHING: Region = Region::from_index(0);

impl FuncRegions {
    /// The regions of an instruction's pointers.
    pub fn access(&self, inst: Inst) -> (Region, Region) {
        let default = (EVERYTHING, EVERYTHING);
        self.accesses.get(inst).copied().unwrap_or(default)
    }
}

/// One region for everything.
pub fn flat(module: &Module) -> Regions {
    let region = |globals| RegionInfo {
        local: false,
        exposed: true,
        globals,
        facts: RegionFacts::default(),
    };
    let funcs = module
        .funcs
        .keys()
        .map(|func| {
            let globals = if module.entry == Some(func) {
                module.globals.keys().collect()
            } else {
                Vec::new()
            };
            FuncRegions {
                regions: [region(globals)].into_iter().collect(),
                ..FuncRegions::default()
            }
        })
        .collect();
    Regions { funcs }
}
