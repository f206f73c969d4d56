//! Calls between components: summaries are cloned into callers, and merges handed back.
//!
//! For each call there is a *binding*: a partial map from the callee's nodes to cells of the caller. It must be
//!
//! - a simulation: a field of the callee's node is a field of the image, and what it leads to is
//!   bound to what the image's field leads to ([`raise`], bottom-up);
//! - injective: two nodes of the callee that are bound to one node of the caller are one
//!   ([`lower`], top-down). In Pure each region is one memory, and no memory is passed twice.
//!
//! Both only merge, so repeating them ends, and where they end every call maps the regions of the callee
//! one to one to regions of the caller. What the caller merges, the callee merges, and then so do the
//! other callers; what two callers merely pass to one parameter stays apart, because each has a
//! binding of its own.
//!
//! Everything that a caller can name is bound: what parameters and results lead to, and heap objects
//! that nothing leads to if a leak is judged somewhere. The rest is local. Shared nodes are bound to
//! themselves; a parameter that leads to one in some call becomes shared only if the callee touches
//! that node by another way as well.

use base::Map;
use ir::syntax::{Const, Func, Op, Operand};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Cell, Node, Shape, Slot};
use crate::node::{NodeFlags, SlotFlags};
use crate::state::{CallSite, Held, State};

/// Which node of the callee is which cell of the caller, at a call.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The call.
    pub site: CallSite,
    /// For a node (a representative when it was bound), the cell of its offset 0.
    pub nodes: FxHashMap<Node, Cell>,
    /// Slots for integer arguments that are constants.
    constants: FxHashMap<usize, Slot>,
}

/// The calls between components and their bindings.
pub struct Calls {
    /// All of them; the callers in ascending order of their components.
    pub bindings: Vec<Binding>,
    /// For each component, the range of bindings whose caller it is.
    ranges: Vec<std::ops::Range<usize>>,
    /// Do callers see heap objects that nothing leads to?
    pub heap: LostHeap,
}

/// Which phases there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phases {
    /// Summaries go up; parameters are taken not to alias. Bindings need not be injective.
    BottomUp,
    /// What aliases in callers comes back down.
    Both,
}

/// What happens to heap objects that nothing outside the function leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LostHeap {
    /// Nobody asks for them.
    Ignored,
    /// A leak is judged somewhere: callers see them.
    Visible,
}

/// Heap nodes that nothing leads to and that are handed on one by one; the rest become one.
const MAX_LOST: usize = 24;

impl Calls {
    /// The calls that the local phase has found.
    pub fn new(state: &State<'_>, heap: LostHeap) -> Calls {
        let mut sites = state.calls.clone();
        sites.sort_by_key(|site| (state.component_of[site.func], site.func, site.inst));
        let count = state.components.len();
        let mut ranges = vec![0..0; count];
        for (index, site) in sites.iter().enumerate() {
            let range = &mut ranges[state.component_of[site.func] as usize];
            *range = match range.end {
                0 => index..index + 1,
                _ => range.start..index + 1,
            };
        }
        let binding = |site| Binding {
            site,
            nodes: FxHashMap::default(),
            constants: FxHashMap::default(),
        };
        Calls {
            bindings: sites.into_iter().map(binding).collect(),
            ranges,
            heap,
        }
    }

    /// Brings all bindings up to date; stops early if there are more nodes than the limit.
    pub fn settle(
        &mut self,
        state: &mut State<'_>,
        phases: Phases,
        limit: usize,
    ) -> Result<(), TooLarge> {
        loop {
            let before = state.graph.changes();
            let mut summaries: Vec<Option<Vec<Node>>> = vec![None; self.ranges.len()];
            for component in 0..self.ranges.len() {
                for index in self.ranges[component].clone() {
                    let binding = &mut self.bindings[index];
                    let callee = state.component_of[binding.site.callee];
                    let summary = summaries[callee as usize]
                        .get_or_insert_with(|| visible(state, callee, self.heap));
                    raise(state, binding, summary);
                }
                if self.heap == LostHeap::Visible {
                    gather_lost(state, component as u32);
                }
                if state.graph.node_count() > limit {
                    return Err(TooLarge);
                }
            }
            if phases == Phases::BottomUp {
                return Ok(());
            }
            let touched = self.touched(state);
            for binding in self.bindings.iter().rev() {
                let callee = state.component_of[binding.site.callee];
                lower(state, binding, &touched[callee as usize]);
            }
            if state.graph.changes() == before {
                return Ok(());
            }
        }
    }

    /// For each component, the shared nodes that it or its callees touch, not counting those that
    /// its own parameters lead to.
    fn touched(&self, state: &State<'_>) -> Vec<FxHashSet<Node>> {
        let mut touched: Vec<FxHashSet<Node>> = vec![FxHashSet::default(); self.ranges.len()];
        for (component, funcs) in state.components.iter().enumerate() {
            let mut mine = FxHashSet::default();
            for &func in funcs {
                for (first, second) in &state.accesses[func] {
                    for cell in [first, second].into_iter().flatten() {
                        let root = state.graph.find(cell.node).node;
                        if state.graph.is_shared(root) {
                            mine.insert(root);
                        }
                    }
                }
            }
            for binding in &self.bindings[self.ranges[component].clone()] {
                let callee = state.component_of[binding.site.callee];
                mine.extend(&touched[callee as usize]);
                let images = binding.nodes.values();
                let images = images.map(|image| state.graph.find(image.node).node);
                mine.extend(images.filter(|&node| state.graph.is_shared(node)));
            }
            if let Some(node) = state.unknown_node {
                mine.insert(state.graph.find(node).node);
            }
            touched[component] = mine;
        }
        touched
    }
}

/// The graphs grew beyond the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

/// Whether shared nodes are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Follow {
    /// All nodes.
    All,
    /// Only those of the component itself.
    Own,
}

/// All nodes that these cells lead to, themselves included, in the order of discovery.
pub fn reach(
    state: &State<'_>,
    follow: Follow,
    start: impl IntoIterator<Item = Cell>,
) -> Vec<Node> {
    let mut seen: FxHashSet<Node> = FxHashSet::default();
    let mut found = Vec::new();
    let mut work: Vec<Node> = start.into_iter().map(|cell| cell.node).collect();
    work.reverse();
    while let Some(node) = work.pop() {
        let root = state.graph.find(node).node;
        let stops = follow == Follow::Own && state.graph.is_shared(root);
        if stops || !seen.insert(root) {
            continue;
        }
        found.push(root);
        let (shape, _) = state.graph.place(Cell {
            node: root,
            offset: 0,
        });
        for field in state.graph.fields(shape) {
            work.extend(state.graph.link(field.slot).map(|cell| cell.node));
        }
    }
    found
}

/// Where what a component's callers can name begins.
pub fn interface(state: &State<'_>, component: u32) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut add = |held: Held| match held {
        Held::Nothing => {}
        Held::Cell(cell) => cells.push(cell),
        Held::Slot(slot) => cells.extend(state.graph.link(slot)),
    };
    for &func in &state.components[component as usize] {
        if let Some(body) = &state.module.funcs[func].body {
            for &param in &body.params {
                add(state.values[func][param.index()]);
            }
        }
        state.returns[func].iter().copied().for_each(&mut add);
    }
    cells
}

/// The nodes of a component that its callers can name; shared ones are not listed.
pub fn visible(state: &State<'_>, component: u32, heap: LostHeap) -> Vec<Node> {
    let mut found = reach(state, Follow::Own, interface(state, component));
    if heap == LostHeap::Visible {
        found.extend(lost(state, component, &found));
    }
    found
}

/// The heap nodes of a component that are not among these.
fn lost(state: &State<'_>, component: u32, visible: &[Node]) -> Vec<Node> {
    let visible: FxHashSet<Node> = visible.iter().copied().collect();
    let mut cells = Vec::new();
    for &func in &state.components[component as usize] {
        let values = state.values[func].iter();
        cells.extend(values.filter_map(|held| match held {
            Held::Cell(cell) => Some(*cell),
            Held::Slot(slot) => state.graph.link(*slot),
            Held::Nothing => None,
        }));
    }
    // Clones of callees' lost nodes are led to by nothing, so the arena is asked as well.
    let mine = state.lost[component as usize].iter();
    cells.extend(mine.map(|&node| Cell { node, offset: 0 }));
    let mut found: Vec<Node> = reach(state, Follow::Own, cells)
        .into_iter()
        .filter(|node| {
            let heap = state.graph.data(*node).flags.has(NodeFlags::HEAP);
            heap && !visible.contains(node)
        })
        .collect();
    found.sort_unstable();
    found
}

/// Makes one of the lost heap nodes of a component that are too many.
fn gather_lost(state: &mut State<'_>, component: u32) {
    let reached = reach(state, Follow::Own, interface(state, component));
    let lost = lost(state, component, &reached);
    if lost.len() <= MAX_LOST {
        return;
    }
    let first = Cell {
        node: lost[MAX_LOST - 1],
        offset: 0,
    };
    state.graph.add_stride(first, 1);
    for &node in &lost[MAX_LOST..] {
        state.graph.unify(first, Cell { node, offset: 0 });
    }
}

/// What is still to be bound.
enum Work {
    Cell(Cell, Cell),
    Slot(Slot, Slot),
}

/// Binds what the callee knows, cloning what the caller does not have yet.
fn raise(state: &mut State<'_>, binding: &mut Binding, visible: &[Node]) {
    let component = state.component_of[binding.site.func];
    let work = roots(state, binding);
    let old = std::mem::take(&mut binding.nodes);
    let mut raise = Raise {
        component,
        before: old
            .keys()
            .map(|&node| state.graph.find(node).node)
            .collect(),
        nodes: FxHashMap::default(),
        shapes: FxHashMap::default(),
        slots: FxHashMap::default(),
        work,
    };
    raise.run(state);
    // Nodes that merged keep their images, and those that this call's arguments do not lead to.
    let mut kept: Vec<(Node, Cell)> = old.into_iter().collect();
    kept.sort_unstable();
    for (node, image) in kept {
        raise.work.push(Work::Cell(Cell { node, offset: 0 }, image));
        raise.run(state);
    }
    for &node in visible {
        let root = state.graph.find(node).node;
        if !raise.nodes.contains_key(&root) && !state.graph.is_shared(root) {
            let image = state.graph.new_cell(component);
            if state.graph.data(root).flags.has(NodeFlags::HEAP) {
                state.lost[component as usize].push(image.node);
            }
            let cell = Cell {
                node: root,
                offset: 0,
            };
            raise.work.push(Work::Cell(cell, image));
            raise.run(state);
        }
    }
    binding.nodes = raise.nodes;
}

/// Arguments and results.
fn roots(state: &mut State<'_>, binding: &mut Binding) -> Vec<Work> {
    let module = state.module;
    let CallSite { func, inst, callee } = binding.site;
    let mut work = Vec::new();
    let data = &module.body(func).insts[inst];
    let args: &[Operand] = match &data.op {
        Op::Call { args, .. } => args,
        _ => unreachable!("a call site is a call"),
    };
    let params = &module.body(callee).params;
    for (index, (param, arg)) in params.iter().zip(args).enumerate() {
        match state.values[callee][param.index()] {
            Held::Nothing => {}
            Held::Cell(inner) => {
                if let Some(outer) = state.cell(func, arg) {
                    work.push(Work::Cell(inner, outer));
                }
            }
            Held::Slot(inner) => {
                let outer = match arg {
                    Operand::Value(value) => state.slot(func, *value),
                    Operand::Const(constant) => {
                        constant_slot(state, &mut binding.constants, index, constant)
                    }
                };
                work.push(Work::Slot(inner, outer));
            }
        }
    }
    for (index, &result) in data.results.iter().enumerate() {
        match state.returns[callee][index] {
            Held::Nothing => {}
            Held::Cell(inner) => {
                let outer = state.cell(func, &Operand::Value(result));
                work.extend(outer.map(|outer| Work::Cell(inner, outer)));
            }
            Held::Slot(inner) => work.push(Work::Slot(inner, state.slot(func, result))),
        }
    }
    work
}

fn constant_slot(
    state: &mut State<'_>,
    constants: &mut FxHashMap<usize, Slot>,
    index: usize,
    constant: &Const,
) -> Slot {
    *constants.entry(index).or_insert_with(|| {
        let slot = state.graph.new_slot();
        match constant {
            Const::Int(bv) if bv.is_zero() => {}
            Const::Int(_) | Const::Float(..) | Const::Null | Const::Global(..) | Const::Func(_) => {
                state.graph.mark_slot(slot, SlotFlags::ARBITRARY);
            }
        }
        slot
    })
}

/// A run of [`raise`].
struct Raise {
    component: u32,
    /// The callee's nodes that were bound before this run.
    before: FxHashSet<Node>,
    nodes: FxHashMap<Node, Cell>,
    /// For a shape of the callee, where its offset 0 is in the caller.
    shapes: FxHashMap<Shape, (Shape, i64)>,
    slots: FxHashMap<Slot, Slot>,
    work: Vec<Work>,
}

impl Raise {
    fn run(&mut self, state: &mut State<'_>) {
        while let Some(work) = self.work.pop() {
            match work {
                Work::Cell(inner, outer) => self.bind_cell(state, inner, outer),
                Work::Slot(inner, outer) => self.bind_slot(state, inner, outer),
            }
        }
    }

    fn bind_cell(&mut self, state: &mut State<'_>, inner: Cell, outer: Cell) {
        let inner = state.graph.norm(inner);
        if state.graph.is_shared(inner.node) {
            state.graph.unify(inner, outer);
            return;
        }
        let image = outer.plus(inner.offset.wrapping_neg());
        if let Some(&known) = self.nodes.get(&inner.node) {
            state.graph.unify(known, image);
            return;
        }
        self.nodes.insert(inner.node, image);
        self.describe(state, inner.node, image);
        let start = Cell {
            node: inner.node,
            offset: 0,
        };
        let (shape, at) = state.graph.place(start);
        let (target, target_at) = state.graph.place(image);
        if state.graph.shape_flags(shape).has(SlotFlags::SHARED) {
            // A copy of something shared.
            state.graph.unify_shapes((shape, at), (target, target_at));
            return;
        }
        if let Some(&(known, known_at)) = self.shapes.get(&shape) {
            let here = (known, known_at.wrapping_add(at));
            state.graph.unify_shapes(here, (target, target_at));
            return;
        }
        let zero = target_at.wrapping_sub(at);
        self.shapes.insert(shape, (target, zero));
        let stride = state.graph.stride(shape);
        if stride != 0 {
            state.graph.add_shape_stride(target, stride);
        }
        state
            .graph
            .mark_shape(target, state.graph.shape_flags(shape));
        for index in 0..state.graph.fields(shape).len() {
            let field = state.graph.fields(shape)[index];
            let at = zero.wrapping_add(field.offset);
            let slot = state.graph.field_at(target, at, field.len);
            self.work.push(Work::Slot(field.slot, slot));
        }
    }

    /// The caller's node has the callee's objects, and is accessed as the callee does.
    fn describe(&mut self, state: &mut State<'_>, node: Node, image: Cell) {
        let data = state.graph.data(node).clone();
        if !self.before.contains(&node) {
            let target = state.graph.data_mut(image.node);
            target.accesses = target.accesses.saturating_add(data.accesses);
            target.allocs = target.allocs.saturating_add(data.allocs);
            for &site in &data.sites {
                target.add_site(site);
            }
        }
        state.graph.agree(image.node, &data, image.offset);
    }

    fn bind_slot(&mut self, state: &mut State<'_>, inner: Slot, outer: Slot) {
        let inner = state.graph.find_slot(inner);
        if state.graph.slot_flags(inner).has(SlotFlags::SHARED) {
            state.graph.unify_slots(inner, outer);
            return;
        }
        if let Some(&known) = self.slots.get(&inner) {
            state.graph.unify_slots(known, outer);
            return;
        }
        self.slots.insert(inner, outer);
        state.graph.mark_slot(outer, state.graph.slot_flags(inner));
        let Some(target) = state.graph.link(inner) else {
            return;
        };
        let shared = state.graph.is_shared(target.node);
        match (state.graph.link(outer), self.nodes.get(&target.node)) {
            (Some(link), _) => self.work.push(Work::Cell(target, link)),
            (None, _) if shared => state.graph.set_link(outer, target),
            (None, Some(image)) => state.graph.set_link(outer, image.plus(target.offset)),
            (None, None) => {
                let link = state.graph.new_cell(self.component);
                state.graph.set_link(outer, link);
                self.work.push(Work::Cell(target, link));
            }
        }
    }
}

/// Nodes of the callee with one image are one; `touched` are the shared nodes that the callee
/// touches by other ways.
fn lower(state: &mut State<'_>, binding: &Binding, touched: &FxHashSet<Node>) {
    let mut pairs: Vec<(Node, Cell)> = binding
        .nodes
        .iter()
        .map(|(&node, &image)| (node, image))
        .collect();
    pairs.sort_unstable();
    let mut first_of: FxHashMap<Node, Cell> = FxHashMap::default();
    for (node, image) in pairs {
        let image = state.graph.norm(image);
        // Where offset 0 of the image is, seen from the callee.
        let zero = Cell {
            node,
            offset: image.offset.wrapping_neg(),
        };
        let (shape, _) = state.graph.place(image);
        let stride = state.graph.stride(shape);
        match first_of.get(&image.node) {
            None => {
                first_of.insert(image.node, zero);
            }
            Some(&other) => {
                if state.graph.norm(other) != state.graph.norm(zero) {
                    if stride != 0 {
                        state.graph.add_stride(other, stride);
                    }
                    state.graph.unify(other, zero);
                }
            }
        }
        let flags = state.graph.data(image.node).flags;
        if flags.has(NodeFlags::INT_TO_POINTER) {
            state.graph.mark(node, NodeFlags::INT_TO_POINTER);
        }
        if touched.contains(&image.node) {
            let there = Cell {
                node: image.node,
                offset: 0,
            };
            state.graph.unify(zero, there);
        }
    }
}

/// For each function, whether a leak may be judged while it is alive, by itself or a callee.
pub fn judging(module: &ir::syntax::Module) -> Map<Func, bool> {
    let graph = ir::callgraph::CallGraph::new(module);
    let mut judging = Map::filled(false, module.funcs.len());
    let mut work = Vec::new();
    for (func, data) in module.funcs.iter() {
        let Some(body) = &data.body else { continue };
        let judges = body
            .insts_in_order()
            .any(|(_, inst)| matches!(body.insts[inst].op, Op::AllTracked | Op::AllFreed));
        if judges {
            judging[func] = true;
            work.push(func);
        }
    }
    while let Some(func) = work.pop() {
        for &caller in &graph.callers[func] {
            if !std::mem::replace(&mut judging[caller], true) {
                work.push(caller);
            }
        }
    }
    judging
}
