//! Footprints: which cells a function can reach from its parameters, by which paths, and how many there are.
//!
//! For an encoding that gives a callee a finite map instead of an array (spec: finite maps, SAS 2022)
//! a cell must be reached by finitely many *access paths*: a parameter, then fields to follow.
//!
//! ```text
//! p ─▶ N1 { 0, 8 }        cells N1.0, N1.8         paths p.0, p.8
//!       N1.8 ─▶ N2 { 0 }  cell N2.0                path  p.8.0
//! q ─▶ N3 { 0, 8 }        N3.8 ─▶ N3: a cycle      unbounded, and so is all below
//! ```
//!
//! A region on a cycle is *unbounded*, and so is everything that it leads to. This is judged by region, not
//! by cell: a cycle that comes back at another offset is one as well. Arrays and collapsed regions have
//! cells without number and are unbounded themselves, but a pointer *in* them leads on to an unbounded number of paths too, so their
//! successors count as unbounded.
//!
//! Two parameters that a call lets alias lead to one node already (`calls.rs`), so a class of aliases is
//! a node, and its paths are those of all aliases.

use std::collections::BTreeMap;

use ir::syntax::{Func, Region, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Analysis;
use crate::calls::{Follow, reach};
use crate::graph::{Cell, Node};
use crate::state::Held;

/// How a cell is reached: from a parameter, through the fields at these offsets. The last offset is the cell's own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct AccessPath {
    /// Where it begins: the number of the parameter.
    pub param: usize,
    /// Offsets, each from where the pointer before it points.
    pub fields: Vec<i64>,
}

/// How many cells there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Those of these paths.
    Bounded(Vec<AccessPath>),
    /// Not bounded, or more than the limit.
    Unbounded,
}

/// The footprint of a function: its regions that parameters lead to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    /// By region.
    pub regions: BTreeMap<Region, Reach>,
}

/// Paths that a region may have before it counts as unbounded.
pub const MAX_PATHS: usize = 256;

/// What a function's parameters lead to.
pub fn footprint(analysis: &Analysis<'_>, func: Func) -> Footprint {
    let facts = &analysis.funcs[func];
    let region_of: FxHashMap<Node, Region> = facts
        .regions
        .iter()
        .map(|(region, info)| (info.node, region))
        .collect();
    let params = params(analysis, func);
    let unbounded = unbounded(analysis, params.iter().map(|&(_, cell)| cell.node));
    let mut found: FxHashMap<Node, Vec<AccessPath>> = FxHashMap::default();
    let mut crowded: FxHashSet<Node> = FxHashSet::default();
    let state = &analysis.solution.state;
    let mut work: Vec<(Cell, AccessPath)> = params
        .iter()
        .map(|&(param, cell)| {
            let fields = Vec::new();
            (cell, AccessPath { param, fields })
        })
        .collect();
    // Without cycles this ends; the limit keeps it short.
    while let Some((cell, path)) = work.pop() {
        let cell = state.graph.norm(cell);
        if unbounded.contains(&cell.node) || crowded.contains(&cell.node) {
            continue;
        }
        let (shape, at) = state.graph.place(cell);
        let paths = found.entry(cell.node).or_default();
        for field in state.graph.fields(shape) {
            let mut longer = path.clone();
            longer.fields.push(field.offset.wrapping_sub(at));
            paths.push(longer.clone());
            if let Some(target) = state.graph.link(field.slot) {
                work.push((target, longer));
            }
        }
        if paths.len() > MAX_PATHS {
            // What it leads to has as many paths.
            crowded.extend(descendants(analysis, cell.node));
        }
    }
    let mut footprint = Footprint::default();
    let all = params
        .iter()
        .flat_map(|&(_, cell)| descendants(analysis, cell.node));
    for node in all.collect::<std::collections::BTreeSet<Node>>() {
        let Some(&region) = region_of.get(&node) else {
            continue;
        };
        let reach = match found.remove(&node) {
            Some(mut paths) if !crowded.contains(&node) => {
                paths.sort_unstable();
                paths.dedup();
                Reach::Bounded(paths)
            }
            Some(_) | None if unbounded.contains(&node) || crowded.contains(&node) => {
                Reach::Unbounded
            }
            Some(_) | None => Reach::Bounded(Vec::new()),
        };
        footprint.regions.insert(region, reach);
    }
    footprint
}

/// The parameters that lead somewhere.
fn params(analysis: &Analysis<'_>, func: Func) -> Vec<(usize, Cell)> {
    let state = &analysis.solution.state;
    let Some(body) = &state.module.funcs[func].body else {
        return Vec::new();
    };
    let lead = |&value: &Value| match state.values[func][value.index()] {
        Held::Nothing => None,
        Held::Cell(cell) => Some(state.graph.norm(cell)),
        Held::Slot(slot) => state.graph.link(slot),
    };
    body.params
        .iter()
        .enumerate()
        .filter_map(|(index, value)| Some((index, lead(value)?)))
        .collect()
}

fn successors(analysis: &Analysis<'_>, node: Node) -> Vec<Node> {
    let graph = &analysis.solution.state.graph;
    let (shape, _) = graph.place(Cell { node, offset: 0 });
    let fields = graph.fields(shape).iter();
    let links = fields.filter_map(|field| graph.link(field.slot));
    links.map(|cell| cell.node).collect()
}

/// All nodes that a node leads to, itself included.
fn descendants(analysis: &Analysis<'_>, node: Node) -> Vec<Node> {
    let start = Cell { node, offset: 0 };
    reach(&analysis.solution.state, Follow::All, [start])
}

/// Nodes on cycles, arrays, and all that they lead to: a search in three colours, on a stack of its own.
fn unbounded(analysis: &Analysis<'_>, start: impl Iterator<Item = Node>) -> FxHashSet<Node> {
    let graph = &analysis.solution.state.graph;
    let mut grey: FxHashSet<Node> = FxHashSet::default();
    let mut black: FxHashSet<Node> = FxHashSet::default();
    let mut roots: Vec<Node> = Vec::new();
    let mut stack: Vec<(Node, Vec<Node>)> = Vec::new();
    for root in start {
        let root = graph.find(root).node;
        if black.contains(&root) {
            continue;
        }
        grey.insert(root);
        stack.push((root, successors(analysis, root)));
        while let Some((node, rest)) = stack.last_mut() {
            let node = *node;
            match rest.pop() {
                Some(next) if grey.contains(&next) => roots.push(next),
                Some(next) if black.contains(&next) => {}
                Some(next) => {
                    grey.insert(next);
                    let list = successors(analysis, next);
                    stack.push((next, list));
                }
                None => {
                    let (shape, _) = graph.place(Cell { node, offset: 0 });
                    if graph.stride(shape) != 0 {
                        roots.push(node);
                    }
                    grey.remove(&node);
                    black.insert(node);
                    stack.pop();
                }
            }
        }
    }
    let cells = roots.into_iter().map(|node| Cell { node, offset: 0 });
    reach(&analysis.solution.state, Follow::All, cells)
        .into_iter()
        .collect()
}
