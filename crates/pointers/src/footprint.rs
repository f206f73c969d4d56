//! Footprints: which cells a function can reach from its parameters, by which paths, and whether there are
//! finitely many.
//!
//! An encoding that gives a callee a finite map instead of an array needs cells that are reached by finitely
//! many *access paths*: a parameter, then fields to follow (Cox, Navas, Gurfinkel and others call such cells finitely
//! accessed).
//!
//! ```text
//! p ─▶ N1 { 0, 8 }        cells N1.0, N1.8         paths p.0, p.8
//!       N1.8 ─▶ N2 { 0 }  cell N2.0                path  p.8.0
//! q ─▶ N3 { 0, 8 }        N3.8 ─▶ N3: a cycle      unbounded, and so is all below
//! ```
//!
//! A node on a cycle is *unbounded*, and so is everything that it leads to. This is judged by node, not by
//! cell: a cycle that comes back at another offset is one as well. Arrays and collapsed nodes have any number
//! of cells, and what their pointers lead to any number of paths, so they count as cycles.
//!
//! The paths are those of the function's *summary*, in which parameters do not alias
//! ([`solve::summaries`](crate::solve::summaries)). A call may bind several nodes of it to one of the caller:
//! a *class*, which is finite if all its members are. An unbounded member disqualifies its class, but not what
//! other members lead to.

use ir::syntax::{Func, Inst};
use rustc_hash::FxHashMap;

use crate::calls::{Follow, reach};
use crate::graph::{Cell, Node};
use crate::solve::Solution;
use crate::state::{Held, State};

/// How a cell is reached: from a parameter, through the fields at these offsets. The last offset is
/// the cell's own.
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
    /// Those of these paths, in order.
    Bounded(Vec<AccessPath>),
    /// Not bounded, or more than [`MAX_PATHS`].
    Unbounded,
}

/// A class of nodes that are one node of the caller.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Class {
    /// The function's nodes.
    pub members: Vec<Node>,
    /// The paths of all of them.
    pub reach: Reach,
}

/// Paths that a class may have before it counts as unbounded.
pub const MAX_PATHS: usize = 256;

/// What a call of the function reaches through its parameters, by classes of what aliases there.
pub fn at_call(solution: &Solution<'_>, caller: Func, call: Inst) -> Option<Vec<Class>> {
    let mut bindings = solution.calls.bindings.iter();
    let binding =
        bindings.find(|binding| binding.site.func == caller && binding.site.inst == call)?;
    let state = &solution.state;
    let image: FxHashMap<Node, Node> = binding
        .nodes
        .iter()
        .map(|(&node, image)| {
            (
                state.graph.find(node).node,
                state.graph.find(image.node).node,
            )
        })
        .collect();
    let class = |node: Node| image.get(&node).copied().unwrap_or(node);
    Some(classes(state, binding.site.callee, class))
}

/// What the function reaches through its parameters if they do not alias.
pub fn of_func(solution: &Solution<'_>, func: Func) -> Vec<Class> {
    classes(&solution.state, func, |node| node)
}

fn classes(state: &State<'_>, func: Func, class: impl Fn(Node) -> Node) -> Vec<Class> {
    let params = params(state, func);
    let nodes = reach(state, Follow::All, params.iter().map(|&(_, cell)| cell));
    let number: FxHashMap<Node, usize> = nodes
        .iter()
        .enumerate()
        .map(|(index, &node)| (node, index))
        .collect();
    let view = View {
        nodes: nodes
            .iter()
            .map(|&node| look(state, node, &number))
            .collect(),
        params: params
            .iter()
            .map(|&(param, cell)| (param, number[&cell.node], cell.offset))
            .collect(),
    };
    let mut class_numbers: FxHashMap<Node, usize> = FxHashMap::default();
    let mut members: Vec<Vec<Node>> = Vec::new();
    let class_of: Vec<usize> = nodes
        .iter()
        .map(|&node| {
            let next = class_numbers.len();
            let index = *class_numbers.entry(class(node)).or_insert(next);
            if index == members.len() {
                members.push(Vec::new());
            }
            members[index].push(node);
            index
        })
        .collect();
    let reaches = view.classes(&class_of);
    let pairs = members.into_iter().zip(reaches);
    pairs
        .map(|(members, reach)| Class { members, reach })
        .collect()
}

/// The parameters that lead somewhere.
fn params(state: &State<'_>, func: Func) -> Vec<(usize, Cell)> {
    let Some(body) = &state.module.funcs[func].body else {
        return Vec::new();
    };
    let params = body.params.iter().enumerate();
    params
        .filter_map(|(index, value)| {
            let cell = match state.values[func][value.index()] {
                Held::Nothing => None,
                Held::Cell(cell) => Some(state.graph.norm(cell)),
                Held::Slot(slot) => state.graph.link(slot),
            };
            Some((index, cell?))
        })
        .collect()
}

fn look(state: &State<'_>, node: Node, number: &FxHashMap<Node, usize>) -> NodeView {
    let (shape, start) = state.graph.place(Cell { node, offset: 0 });
    NodeView {
        fields: state
            .graph
            .fields(shape)
            .iter()
            .map(|field| FieldView {
                offset: field.offset.wrapping_sub(start),
                target: state
                    .graph
                    .link(field.slot)
                    .map(|cell| (number[&cell.node], cell.offset)),
            })
            .collect(),
        array: state.graph.stride(shape) != 0,
    }
}

/// A graph by numbers.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// Nodes.
    pub nodes: Vec<NodeView>,
    /// Parameter, node, offset.
    pub params: Vec<(usize, usize, i64)>,
}

/// A node's fields.
#[derive(Clone, Debug, Default)]
pub struct NodeView {
    /// In ascending order.
    pub fields: Vec<FieldView>,
    /// Are there any number of them?
    pub array: bool,
}

/// A field.
#[derive(Clone, Copy, Debug)]
pub struct FieldView {
    /// Where it is.
    pub offset: i64,
    /// The node and offset that it leads to.
    pub target: Option<(usize, i64)>,
}

impl View {
    /// The paths of each class, given the class of each node.
    pub fn classes(&self, class_of: &[usize]) -> Vec<Reach> {
        let unbounded = self.unbounded();
        let count = class_of.iter().map(|&class| class + 1).max().unwrap_or(0);
        let mut reaches = vec![Reach::Bounded(Vec::new()); count];
        for (node, &class) in class_of.iter().enumerate() {
            if unbounded[node] {
                reaches[class] = Reach::Unbounded;
            }
        }
        let mut work: Vec<(usize, i64, AccessPath)> = Vec::new();
        for &(param, node, offset) in self.params.iter().rev() {
            let fields = Vec::new();
            work.push((node, offset, AccessPath { param, fields }));
        }
        // Ends because there are no cycles among the others; nodes that are visited too often are given up.
        let mut visits = vec![0usize; self.nodes.len()];
        while let Some((node, at, path)) = work.pop() {
            visits[node] += 1;
            if unbounded[node] {
                continue;
            }
            let class = class_of[node];
            let crowded = visits[node] > MAX_PATHS;
            for field in &self.nodes[node].fields {
                let mut longer = path.clone();
                longer.fields.push(field.offset.wrapping_sub(at));
                if let Reach::Bounded(paths) = &mut reaches[class] {
                    paths.push(longer.clone());
                    if paths.len() > MAX_PATHS {
                        reaches[class] = Reach::Unbounded;
                    }
                }
                match field.target {
                    Some((target, offset)) if !crowded => work.push((target, offset, longer)),
                    Some((target, _)) => self.give_up(target, class_of, &mut reaches),
                    None => {}
                }
            }
        }
        for reach in &mut reaches {
            if let Reach::Bounded(paths) = reach {
                paths.sort_unstable();
                paths.dedup();
            }
        }
        reaches
    }

    /// The node and all that it leads to have too many paths to list.
    fn give_up(&self, node: usize, class_of: &[usize], reaches: &mut [Reach]) {
        for node in self.descendants([node]) {
            reaches[class_of[node]] = Reach::Unbounded;
        }
    }

    fn successors(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let fields = self.nodes[node].fields.iter();
        fields.filter_map(|field| field.target.map(|(target, _)| target))
    }

    fn descendants(&self, start: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let mut work: Vec<usize> = start.into_iter().collect();
        let mut found = Vec::new();
        while let Some(node) = work.pop() {
            if !std::mem::replace(&mut seen[node], true) {
                found.push(node);
                work.extend(self.successors(node));
            }
        }
        found
    }

    /// Nodes on cycles, arrays, and all that they lead to.
    fn unbounded(&self) -> Vec<bool> {
        let successors = |node: u32| self.successors(node as usize).map(|next| next as u32);
        let circles = ir::graph::components(self.nodes.len(), successors)
            .into_iter()
            .filter(|members| {
                members.len() > 1 || successors(members[0]).any(|next| next == members[0])
            })
            .map(|members| members[0] as usize);
        let arrays = (0..self.nodes.len()).filter(|&node| self.nodes[node].array);
        let mut unbounded = vec![false; self.nodes.len()];
        for node in self.descendants(circles.chain(arrays)) {
            unbounded[node] = true;
        }
        unbounded
    }
}
