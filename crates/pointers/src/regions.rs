//! From graphs to regions: each function's nodes, what it and its callees do to them, and how calls bind them.
//!
//! A region is a node that the function or its callees touch. It is local if nothing that callers can
//! name leads to it; then it is made anew by each activation. What `purify` asks of a
//! provider (`passes::regions`) is kept as follows: an object is in one node of each function that can touch
//! it because pointers to it are unified; a call binds the callee's regions one to one because bindings are
//! injective; the unknown node is the exposed one; where a leak is judged all nodes are regions, and all functions
//! alive then share one graph.
//!
//! Facts about a region hold for every call of the function: what callers know of the objects
//! (their number, their size, who else accesses them) is handed down at the end.

use base::Map;
use ir::callgraph::CallGraph;
use ir::ops::MemEffect;
use ir::syntax::{Body, Callee, Func, Inst, Module, Op, Region, Type};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bits::Bits;
use crate::calls::{self, Binding};
use crate::graph::{Cell, Node, SHARED, Shape, Slot};
use crate::node::{Count, Grid, NodeFlags, Site, Uniform};
use crate::solve::Solution;

/// What a function does to a region, callees included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Reads only: an input.
    Reads,
    /// Changes: an input and an output.
    Changes,
}

/// A region of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionFacts {
    /// The node.
    pub node: Node,
    /// Is it made by each activation, and gone after it?
    pub local: bool,
    /// Can unknown code reach it?
    pub exposed: bool,
    /// What the function and its callees do to it.
    pub effect: Effect,
    /// The node's flags.
    pub flags: NodeFlags,
    /// Where objects come from, as far as listed.
    pub sites: Vec<Site>,
    /// How many allocation sites there are, copies for calls included.
    pub allocs: u32,
    /// How many instructions of the function itself access it.
    pub accesses: u32,
    /// The word size in bytes that all accesses share, in this function and elsewhere: a power of
    /// two up to 16.
    pub word: u32,
    /// If it is one object that is always accessed whole and as this type: a variable.
    pub scalar: Option<Type>,
    /// How many objects one memory of the region has.
    pub count: Count,
    /// The size of all objects in bytes.
    pub size: Option<u64>,
    /// Can pointers be stored in it?
    pub pointers: bool,
}

/// What a function knows of memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FuncFacts {
    /// Its regions.
    pub regions: Map<Region, RegionFacts>,
    /// For each memory operation, the regions of its pointers.
    pub accesses: Vec<(Option<Region>, Option<Region>)>,
    /// For each call, callee's region and its own, the calls in the order of their numbers.
    pub calls: Vec<(Inst, Vec<(Region, Region)>)>,
}

/// What is handed down to callees.
#[derive(Clone, Copy, Debug, Default)]
struct Facts {
    grid: Grid,
    extent: Uniform<(i64, u64)>,
    scalar: Uniform<(i64, Type)>,
    count: Count,
    pointers: bool,
}

/// Touched and changed nodes, by their numbers in the component.
#[derive(Clone, Default)]
struct Footprint {
    touched: Bits,
    changed: Bits,
}

/// Divides memory.
pub fn regions(solution: &Solution<'_>) -> Map<Func, FuncFacts> {
    Divider::new(solution).run()
}

struct Divider<'a, 'm> {
    solution: &'a Solution<'m>,
    module: &'m Module,
    /// For each node its number: shared nodes first, then those of its component.
    number: Vec<u32>,
    /// Shared representatives.
    shared: Vec<Node>,
    /// For each component its representatives.
    nodes: Vec<Vec<Node>>,
    /// For each component its own nodes that callers can name, by number.
    visible: Vec<Bits>,
    /// For each function, its calls of other components by instruction.
    bindings: Map<Func, FxHashMap<Inst, usize>>,
}

impl<'a, 'm> Divider<'a, 'm> {
    fn new(solution: &'a Solution<'m>) -> Divider<'a, 'm> {
        let state = &solution.state;
        let mut number = vec![u32::MAX; state.graph.node_count()];
        let mut nodes: Vec<Vec<Node>> = vec![Vec::new(); state.components.len()];
        let mut shared = Vec::new();
        for root in state.graph.roots() {
            let list = match state.graph.component(root) {
                SHARED => &mut shared,
                component => &mut nodes[component as usize],
            };
            number[root.index()] = list.len() as u32;
            list.push(root);
        }
        for &root in nodes.iter().flatten() {
            number[root.index()] += shared.len() as u32;
        }
        let visible = (0..state.components.len())
            .map(|component| {
                let mut visible = Bits::default();
                let funcs = &state.components[component];
                if funcs.iter().any(|&func| solution.judging[func]) {
                    // Everything is handed to the judge, who may be alive below.
                    for &node in &nodes[component] {
                        visible.insert(number[node.index()]);
                    }
                    return visible;
                }
                for node in calls::visible(state, component as u32, solution.calls.heap) {
                    visible.insert(number[node.index()]);
                }
                visible
            })
            .collect();
        let mut bindings = Map::filled(FxHashMap::default(), state.module.funcs.len());
        for (index, binding) in solution.calls.bindings.iter().enumerate() {
            bindings[binding.site.func].insert(binding.site.inst, index);
        }
        Divider {
            solution,
            module: state.module,
            number,
            shared,
            nodes,
            visible,
            bindings,
        }
    }

    fn component(&self, func: Func) -> usize {
        self.solution.state.component_of[func] as usize
    }

    /// Can callers name the node of this number?
    fn is_visible(&self, component: usize, number: u32) -> bool {
        (number as usize) < self.shared.len() || self.visible[component].contains(number)
    }

    /// Is the node's memory there before and after a call of its function?
    fn outlives_call(&self, node: Node) -> bool {
        match self.solution.state.graph.component(node) {
            SHARED => true,
            component => self.is_visible(component as usize, self.number[node.index()]),
        }
    }

    fn node(&self, component: usize, number: u32) -> Node {
        match (number as usize).checked_sub(self.shared.len()) {
            None => self.shared[number as usize],
            Some(index) => self.nodes[component][index],
        }
    }

    /// The caller's number of a callee's node at a call; a call without a binding is in the component.
    fn outside(&self, binding: Option<&FxHashMap<u32, u32>>, number: u32) -> u32 {
        match binding {
            Some(image) if number as usize >= self.shared.len() => image[&number],
            Some(_) | None => number,
        }
    }

    fn number_of(&self, cell: Cell) -> u32 {
        self.number[self.solution.state.graph.find(cell.node).node.index()]
    }

    fn run(&self) -> Map<Func, FuncFacts> {
        let images: Vec<FxHashMap<u32, u32>> = self
            .solution
            .calls
            .bindings
            .iter()
            .map(|binding| self.image(binding))
            .collect();
        let footprints = self.footprints(&images);
        let facts = self.facts();
        let numbers: Map<Func, FxHashMap<u32, Region>> = self
            .module
            .funcs
            .keys()
            .map(|func| {
                let touched = footprints[func].touched.iter();
                touched
                    .enumerate()
                    .map(|(index, node)| (node, Region::from_index(index)))
                    .collect()
            })
            .collect();
        self.module
            .funcs
            .keys()
            .map(|func| match &self.module.funcs[func].body {
                None => FuncFacts::default(),
                Some(body) => {
                    self.describe(func, body, &footprints[func], &numbers, &images, &facts)
                }
            })
            .collect()
    }

    /// A binding by numbers.
    fn image(&self, binding: &Binding) -> FxHashMap<u32, u32> {
        #[allow(clippy::iter_over_hash_type, reason = "makes a map")]
        let pairs = binding.nodes.iter().map(|(&node, &image)| {
            let inner = self.number_of(Cell { node, offset: 0 });
            (inner, self.number_of(image))
        });
        pairs.collect()
    }

    /// What a function does without its callees.
    fn own(&self, func: Func, body: &Body) -> Footprint {
        let mut footprint = Footprint::default();
        let component = self.component(func);
        for (_, inst) in body.insts_in_order() {
            let op = &body.insts[inst].op;
            let cells = self.solution.state.accesses[func][inst.index()];
            let (first, second) = (
                cells.0.map(|cell| self.number_of(cell)),
                cells.1.map(|cell| self.number_of(cell)),
            );
            for node in [first, second].into_iter().flatten() {
                footprint.touched.insert(node);
            }
            match op.mem_effect() {
                MemEffect::Write(_) => {
                    if let Some(node) = first {
                        footprint.changed.insert(node);
                    }
                }
                MemEffect::ReadAny | MemEffect::WriteAny => match op {
                    Op::AllTracked | Op::AllFreed => {
                        let shared = 0..self.shared.len() as u32;
                        for node in shared.chain(self.visible[component].iter()) {
                            footprint.touched.insert(node);
                        }
                    }
                    Op::Clobber(_) | Op::Show(_) => {
                        if let Some(node) = self.solution.state.unknown_node {
                            let node = self.number_of(Cell { node, offset: 0 });
                            footprint.touched.insert(node);
                            if matches!(op, Op::Clobber(_)) {
                                footprint.changed.insert(node);
                            }
                        }
                    }
                    _ => {} // The stack: its regions are touched by the allocations.
                },
                MemEffect::None | MemEffect::Read(_) | MemEffect::New(_) | MemEffect::Call => {}
            }
        }
        footprint
    }

    fn footprints(&self, images: &[FxHashMap<u32, u32>]) -> Map<Func, Footprint> {
        let mut footprints: Map<Func, Footprint> = self
            .module
            .funcs
            .keys()
            .map(|func| match &self.module.funcs[func].body {
                Some(body) => self.own(func, body),
                None => Footprint::default(),
            })
            .collect();
        let graph = CallGraph::new(self.module);
        for members in &graph.components {
            loop {
                let mut grown = false;
                for &func in members {
                    let mut mine = std::mem::take(&mut footprints[func]);
                    for (inst, callee) in direct_calls(self.module, func) {
                        if callee == func {
                            continue; // The same regions.
                        }
                        let binding = self.bindings[func].get(&inst);
                        let binding = binding.map(|&index| &images[index]);
                        let theirs = &footprints[callee];
                        let component = self.component(callee);
                        for node in theirs.touched.iter() {
                            if !self.is_visible(component, node) {
                                continue;
                            }
                            let here = self.outside(binding, node);
                            grown |= mine.touched.insert(here);
                            if theirs.changed.contains(node) {
                                grown |= mine.changed.insert(here);
                            }
                        }
                    }
                    footprints[func] = mine;
                }
                if !grown || members.len() == 1 {
                    break;
                }
            }
        }
        footprints
    }

    /// What is known of each node, with what callers know.
    fn facts(&self) -> FxHashMap<Node, Facts> {
        let graph = &self.solution.state.graph;
        let mut facts: FxHashMap<Node, Facts> = FxHashMap::default();
        let own = |node: Node| {
            let data = graph.data(node);
            Facts {
                grid: data.grid,
                extent: data.extent,
                scalar: data.scalar,
                count: match data.allocs {
                    0 => data.count,
                    // Each call makes its objects where earlier calls made theirs.
                    _ if self.outlives_call(node) => Count::Many,
                    _ => data.count,
                },
                pointers: self.holds_pointers(node),
            }
        };
        // Bindings are sorted by the caller's component, and callers come after callees.
        for binding in self.solution.calls.bindings.iter().rev() {
            let mut pairs: Vec<(Node, Cell)> = binding
                .nodes
                .iter()
                .map(|(&node, &image)| (node, image))
                .collect();
            pairs.sort_unstable();
            for (node, image) in pairs {
                let inner = graph.find(node);
                let outer = graph.norm(image);
                let known = facts
                    .get(&outer.node)
                    .copied()
                    .unwrap_or_else(|| own(outer.node));
                // The caller's offset x is the callee's x + shift.
                let shift = inner.offset.wrapping_sub(outer.offset);
                let mine = facts.entry(inner.node).or_insert_with(|| own(inner.node));
                mine.grid.join(known.grid, shift);
                join(&mut mine.extent, known.extent, shift);
                join(&mut mine.scalar, known.scalar, shift);
                mine.count = mine.count.max(known.count);
            }
        }
        for root in graph.roots() {
            facts.entry(root).or_insert_with(|| own(root));
        }
        self.hand_down_pointers(&mut facts);
        facts
    }

    /// Pointers that a caller stored are copied from one region to another by functions that know nothing
    /// of them: what has a shape or a field in common has them in common.
    fn hand_down_pointers(&self, facts: &mut FxHashMap<Node, Facts>) {
        let graph = &self.solution.state.graph;
        let nodes: Vec<Node> = graph.roots().collect();
        let mut shapes: FxHashSet<Shape> = FxHashSet::default();
        let mut slots: FxHashSet<Slot> = FxHashSet::default();
        let known = |facts: &FxHashMap<Node, Facts>, node: Node| facts[&node].pointers;
        loop {
            let mut grown = false;
            for &node in &nodes {
                let (shape, _) = graph.place(Cell { node, offset: 0 });
                let mut fields = graph.fields(shape).iter();
                let common = shapes.contains(&shape)
                    || fields.any(|field| slots.contains(&graph.find_slot(field.slot)));
                if !known(facts, node) && !common {
                    continue;
                }
                grown |= shapes.insert(shape);
                for field in graph.fields(shape) {
                    grown |= slots.insert(graph.find_slot(field.slot));
                }
                facts.get_mut(&node).expect("all nodes are listed").pointers = true;
            }
            for binding in self.solution.calls.bindings.iter().rev() {
                #[allow(
                    clippy::iter_over_hash_type,
                    reason = "each says the same in any order"
                )]
                for (&node, &image) in &binding.nodes {
                    let (inner, outer) = (graph.find(node).node, graph.norm(image).node);
                    if known(facts, outer) && !known(facts, inner) {
                        facts
                            .get_mut(&inner)
                            .expect("all nodes are listed")
                            .pointers = true;
                        grown = true;
                    }
                }
            }
            if !grown {
                return;
            }
        }
    }

    fn describe(
        &self,
        func: Func,
        body: &Body,
        footprint: &Footprint,
        numbers: &Map<Func, FxHashMap<u32, Region>>,
        images: &[FxHashMap<u32, u32>],
        facts: &FxHashMap<Node, Facts>,
    ) -> FuncFacts {
        let state = &self.solution.state;
        let component = self.component(func);
        let unknown = state.unknown_node;
        let unknown = unknown.map(|node| self.number_of(Cell { node, offset: 0 }));
        let mut regions: Map<Region, RegionFacts> = footprint
            .touched
            .iter()
            .map(|number| {
                let node = self.node(component, number);
                let data = state.graph.data(node);
                RegionFacts {
                    node,
                    local: !self.is_visible(component, number),
                    exposed: unknown == Some(number),
                    effect: match footprint.changed.contains(number) {
                        true => Effect::Changes,
                        false => Effect::Reads,
                    },
                    flags: data.flags,
                    sites: data.sites.clone(),
                    allocs: data.allocs,
                    accesses: 0,
                    word: word(facts[&node].grid),
                    scalar: self.scalar(&facts[&node]),
                    count: facts[&node].count,
                    size: match facts[&node].extent {
                        Uniform::One((_, size)) => Some(size),
                        Uniform::None | Uniform::Mixed => None,
                    },
                    pointers: facts[&node].pointers,
                }
            })
            .collect();
        let number = &numbers[func];
        let mut accesses = vec![(None, None); body.insts.len()];
        for (_, inst) in body.insts_in_order() {
            let (first, second) = state.accesses[func][inst.index()];
            let region = |cell: Option<Cell>| cell.map(|cell| number[&self.number_of(cell)]);
            accesses[inst.index()] = (region(first), region(second));
            for region in [region(first), region(second)].into_iter().flatten() {
                regions[region].accesses += 1;
            }
        }
        let mut calls = Vec::new();
        for (inst, callee) in direct_calls(self.module, func) {
            let binding = self.bindings[func].get(&inst);
            let binding = binding.map(|&index| &images[index]);
            let component = self.component(callee);
            let mut pairs: Vec<(Region, Region)> = Vec::new();
            #[allow(clippy::iter_over_hash_type, reason = "sorted below")]
            for (&node, &inner) in &numbers[callee] {
                if self.is_visible(component, node) {
                    pairs.push((inner, number[&self.outside(binding, node)]));
                }
            }
            pairs.sort_unstable();
            calls.push((inst, pairs));
        }
        calls.sort_unstable_by_key(|(inst, _)| *inst);
        FuncFacts {
            regions,
            accesses,
            calls,
        }
    }

    /// Does a field of the node lead anywhere?
    fn holds_pointers(&self, node: Node) -> bool {
        let graph = &self.solution.state.graph;
        let (shape, _) = graph.place(Cell { node, offset: 0 });
        let mut fields = graph.fields(shape).iter();
        fields.any(|field| graph.link(field.slot).is_some())
    }

    /// A single object, accessed whole as one type.
    fn scalar(&self, facts: &Facts) -> Option<Type> {
        match (facts.count, facts.extent, facts.scalar) {
            (Count::One, Uniform::One((start, size)), Uniform::One((at, ty))) => {
                let whole = start == at && ty.bytes(self.module.machine) == size;
                whole.then_some(ty)
            }
            (Count::None | Count::One | Count::Many, _, _) => None,
        }
    }
}

fn join<T: Copy + PartialEq>(mine: &mut Uniform<(i64, T)>, theirs: Uniform<(i64, T)>, shift: i64) {
    match theirs {
        Uniform::None => {}
        Uniform::One((at, what)) => mine.see((at.wrapping_add(shift), what)),
        Uniform::Mixed => *mine = Uniform::Mixed,
    }
}

/// The word that accesses on a grid share.
fn word(grid: Grid) -> u32 {
    match grid.step {
        0 => 1,
        step => 1 << step.trailing_zeros().min(4),
    }
}

/// A function's direct calls, in the order of the text.
fn direct_calls(module: &Module, func: Func) -> impl Iterator<Item = (Inst, Func)> + '_ {
    let body = module.funcs[func].body.as_ref();
    body.into_iter().flat_map(|body| {
        body.insts_in_order()
            .filter_map(|(_, inst)| match &body.insts[inst].op {
                Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => Some((inst, *callee)),
                _ => None, // Not a direct call.
            })
    })
}
