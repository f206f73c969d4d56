//! All graphs, and which registers lead into them.
//!
//! A component of the call graph has a graph of its own in the common arena; globals, functions and
//! the unknown node belong to all. Registers are entered when they are first asked for.

use base::Map;
use ir::syntax::{
    Body, Callee, Const, Func, Global, InitPiece, Inst, Module, NondetKind, Op, Operand, Type,
    Value,
};
use rustc_hash::FxHashMap;

use crate::graph::{Cell, Graph, Node, SHARED, Slot};
use crate::node::{Count, NodeFlags, Site, SlotFlags, Uniform};

/// What a register holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Held {
    /// Nothing that was asked for so far, or nothing that leads anywhere.
    Nothing,
    /// A pointer.
    Cell(Cell),
    /// An integer as wide as a pointer.
    Slot(Slot),
}

/// A call of another component's function.
#[derive(Clone, Debug)]
pub struct CallSite {
    /// The caller.
    pub func: Func,
    /// The call.
    pub inst: Inst,
    /// The callee.
    pub callee: Func,
}

/// A call through a pointer (Raw).
#[derive(Clone, Debug)]
pub struct IndirectSite {
    /// The caller.
    pub func: Func,
    /// The call.
    pub inst: Inst,
    /// The pointer.
    pub pointer: Option<Cell>,
    /// The targets so far.
    pub targets: Vec<Func>,
}

/// Where the first and the second pointer of a memory operation lead.
pub type Access = (Option<Cell>, Option<Cell>);

/// All graphs, and which registers lead into them.
pub struct State<'m> {
    /// The program.
    pub module: &'m Module,
    /// All nodes.
    pub graph: Graph,
    /// The functions of each component; callees before callers.
    pub components: Vec<Vec<Func>>,
    /// The globals that the program names.
    pub globals: FxHashMap<Global, Cell>,
    /// The functions whose address it takes.
    pub code: FxHashMap<Func, Cell>,
    /// What unknown code and pointers made from integers lead to.
    pub unknown_node: Option<Node>,
    /// The number of each function's component.
    pub component_of: Map<Func, u32>,
    /// What each register holds, by function and number.
    pub values: Map<Func, Vec<Held>>,
    /// What each function returns.
    pub returns: Map<Func, Vec<Held>>,
    /// Where the pointers of each memory operation lead, by function and instruction.
    pub accesses: Map<Func, Vec<Access>>,
    /// Calls between components.
    pub calls: Vec<CallSite>,
    /// Calls through pointers.
    pub indirect: Vec<IndirectSite>,
    /// Pointers that are compared.
    pub compared: Vec<(Cell, Cell)>,
    /// For each component, clones of heap nodes that nothing leads to.
    pub lost: Vec<Vec<Node>>,
    /// Does unknown code exist?
    pub foreign: Foreign,
}

/// Is unknown code called, or does a pointer of unknown origin occur?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Foreign {
    /// The module is all there is.
    No,
    /// Unknown code may hold and store any pointer that escaped.
    Yes,
}

/// Looks for unknown code.
fn foreign(module: &Module) -> Foreign {
    let is_foreign = |op: &Op| match op {
        Op::Clobber(_) | Op::Show(_) | Op::Nondet(Type::Ptr, NondetKind::Extern) => true,
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } => module.funcs[*callee].body.is_none(),
        _ => false, // No other operation leaves the module.
    };
    let mut bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    let through_pointer = |body: &Body| {
        let mut insts = body.insts_in_order();
        let call = insts.any(|(_, inst)| {
            let op = &body.insts[inst].op;
            matches!(
                op,
                Op::Call {
                    callee: Callee::Indirect(_),
                    ..
                }
            )
        });
        call && module.funcs.values().any(|func| func.body.is_none())
    };
    let found = bodies.any(|body| {
        let mut insts = body.insts_in_order();
        insts.any(|(_, inst)| is_foreign(&body.insts[inst].op)) || through_pointer(body)
    });
    if found { Foreign::Yes } else { Foreign::No }
}

impl<'m> State<'m> {
    /// Empty graphs for these components.
    pub fn new(module: &'m Module, groups: Vec<Vec<Func>>) -> State<'m> {
        let count = module.funcs.len();
        let mut component_of = Map::filled(0, count);
        for (number, funcs) in groups.iter().enumerate() {
            for &func in funcs {
                component_of[func] = number as u32;
            }
        }
        let body = |func: &ir::syntax::FuncData| match &func.body {
            Some(body) => (body.values.len(), body.insts.len()),
            None => (0, 0),
        };
        let funcs = module.funcs.values();
        let lost = vec![Vec::new(); groups.len()];
        State {
            module,
            lost,
            graph: Graph::new(module.machine.pointer_bits),
            components: groups,
            globals: FxHashMap::default(),
            code: FxHashMap::default(),
            unknown_node: None,
            component_of,
            values: funcs
                .clone()
                .map(|func| vec![Held::Nothing; body(func).0])
                .collect(),
            returns: funcs
                .clone()
                .map(|func| vec![Held::Nothing; func.results.len()])
                .collect(),
            accesses: funcs.map(|func| vec![(None, None); body(func).1]).collect(),
            calls: Vec::new(),
            indirect: Vec::new(),
            compared: Vec::new(),
            foreign: foreign(module),
        }
    }

    /// Bytes of a pointer in memory.
    pub fn pointer_bytes(&self) -> u32 {
        self.module.machine.pointer_bits / 8
    }

    /// Is it an integer as wide as a pointer?
    pub fn carries(&self, ty: Type) -> bool {
        ty == self.module.machine.pointer_int()
    }

    /// The unknown node.
    pub fn unknown(&mut self) -> Cell {
        let node = self.unknown_node.unwrap_or_else(|| {
            let cell = self.new_shared();
            self.unknown_node = Some(cell.node);
            self.graph.add_stride(cell, 1);
            self.graph.data_mut(cell.node).extent = Uniform::Mixed;
            let mut flags = NodeFlags::INT_TO_POINTER;
            if self.foreign == Foreign::Yes {
                flags.add(NodeFlags::EXTERNAL);
                flags.add(NodeFlags::EXPOSED);
                let slot = self.graph.field(cell, 1);
                self.graph.set_link(slot, cell);
                self.graph.mark_slot(slot, SlotFlags::ARBITRARY);
                self.graph.mark_slot(slot, SlotFlags::POINTER);
                self.graph.mark_slot(slot, SlotFlags::OBSERVED);
            }
            self.graph.mark(cell.node, flags);
            cell.node
        });
        Cell { node, offset: 0 }
    }

    /// A new node's first cell, for all functions.
    fn new_shared(&mut self) -> Cell {
        let cell = self.graph.new_cell(SHARED);
        let (shape, _) = self.graph.place(cell);
        self.graph.mark_shape(shape, SlotFlags::SHARED);
        cell
    }

    /// A global's first byte.
    pub fn global(&mut self, global: Global) -> Cell {
        if let Some(&cell) = self.globals.get(&global) {
            return cell;
        }
        let cell = self.new_shared();
        self.globals.insert(global, cell);
        let size = self.module.globals[global].size;
        let data = self.graph.data_mut(cell.node);
        data.flags.add(NodeFlags::GLOBAL);
        data.add_site(Site::Global(global));
        data.grid.point(0);
        data.extent.see((0, size));
        data.count = Count::One;
        if self.foreign == Foreign::Yes && self.module.globals[global].external {
            let unknown = self.unknown();
            self.graph.unify(cell, unknown);
        }
        cell
    }

    /// A function's code.
    pub fn code(&mut self, func: Func) -> Cell {
        if let Some(&cell) = self.code.get(&func) {
            return cell;
        }
        let cell = self.new_shared();
        self.code.insert(func, cell);
        let data = self.graph.data_mut(cell.node);
        data.flags.add(NodeFlags::FUNC);
        data.add_site(Site::Func(func));
        cell
    }

    /// What the globals point to at the start.
    pub fn initialise(&mut self) {
        if self.foreign == Foreign::Yes {
            // Unknown code knows them even if nobody here does.
            for (global, data) in self.module.globals.iter() {
                if data.external {
                    self.global(global);
                }
            }
        }
        let mut done: FxHashMap<Global, ()> = FxHashMap::default();
        loop {
            let mut fresh: Vec<Global> = self
                .globals
                .keys()
                .filter(|global| !done.contains_key(global))
                .copied()
                .collect();
            if fresh.is_empty() {
                return;
            }
            fresh.sort_unstable();
            for global in fresh {
                done.insert(global, ());
                self.initialise_global(global);
            }
        }
    }

    fn initialise_global(&mut self, global: Global) {
        let module = self.module;
        let cell = self.global(global);
        let mut offset = 0i64;
        for piece in &module.globals[global].init {
            offset += match piece {
                InitPiece::Bytes(bytes) => bytes.len() as i64,
                InitPiece::Zero(count) | InitPiece::Any(count) => *count as i64,
                InitPiece::Pointer(constant) => {
                    let pointer = Operand::Const(constant.clone());
                    if let Some(target) = self.constant_cell(&pointer) {
                        let slot = self.graph.field(cell.plus(offset), self.pointer_bytes());
                        self.graph.set_link(slot, target);
                    }
                    i64::from(self.pointer_bytes())
                }
            };
        }
    }

    pub(crate) fn constant_cell(&mut self, operand: &Operand) -> Option<Cell> {
        match operand {
            Operand::Const(Const::Global(global, offset)) => {
                Some(self.global(*global).plus(*offset))
            }
            Operand::Const(Const::Func(func)) => Some(self.code(*func)),
            Operand::Const(Const::Null | Const::Int(_) | Const::Float(..)) | Operand::Value(_) => {
                None
            }
        }
    }

    /// Where a pointer leads; none for null.
    pub fn cell(&mut self, func: Func, operand: &Operand) -> Option<Cell> {
        let component = self.component_of[func];
        let Operand::Value(value) = operand else {
            return self.constant_cell(operand);
        };
        match self.values[func][value.index()] {
            Held::Cell(cell) => Some(cell),
            Held::Nothing | Held::Slot(_) => {
                let cell = self.graph.new_cell(component);
                self.values[func][value.index()] = Held::Cell(cell);
                Some(cell)
            }
        }
    }

    /// Where an accessed pointer leads; null leads to a node without objects.
    pub(crate) fn accessed(&mut self, func: Func, operand: &Operand) -> Cell {
        let component = self.component_of[func];
        match self.cell(func, operand) {
            Some(cell) => cell,
            None => self.graph.new_cell(component),
        }
    }

    /// The slot of an integer register that is as wide as a pointer.
    pub fn slot(&mut self, func: Func, value: Value) -> Slot {
        match self.values[func][value.index()] {
            Held::Slot(slot) => slot,
            Held::Nothing | Held::Cell(_) => {
                let slot = self.graph.new_slot();
                self.values[func][value.index()] = Held::Slot(slot);
                slot
            }
        }
    }

    /// The register leads here.
    pub(crate) fn define(&mut self, func: Func, value: Value, cell: Cell) {
        match self.values[func][value.index()] {
            Held::Cell(old) => self.graph.unify(old, cell),
            Held::Nothing | Held::Slot(_) => {
                self.values[func][value.index()] = Held::Cell(cell);
            }
        }
    }

    pub(crate) fn define_slot(&mut self, func: Func, value: Value, slot: Slot) {
        match self.values[func][value.index()] {
            Held::Slot(old) => self.graph.unify_slots(old, slot),
            Held::Nothing | Held::Cell(_) => {
                self.values[func][value.index()] = Held::Slot(slot);
            }
        }
    }

    /// The slot of an integer result.
    pub fn returned_slot(&mut self, func: Func, index: usize) -> Slot {
        match self.returns[func][index] {
            Held::Slot(slot) => slot,
            Held::Nothing | Held::Cell(_) => {
                let slot = self.graph.new_slot();
                self.returns[func][index] = Held::Slot(slot);
                slot
            }
        }
    }

    /// The cell of a pointer result.
    pub fn returned_cell(&mut self, func: Func, index: usize) -> Cell {
        match self.returns[func][index] {
            Held::Cell(cell) => cell,
            Held::Nothing | Held::Slot(_) => {
                let cell = self.graph.new_cell(self.component_of[func]);
                self.returns[func][index] = Held::Cell(cell);
                cell
            }
        }
    }
}
