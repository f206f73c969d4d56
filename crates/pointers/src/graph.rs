//! The data-structure graph: nodes, shapes, slots, and how they are unified.
//!
//! ```text
//!   pointer ──▶ cell (node, offset)
//!   node  = a set of objects                 ──▶ one shape
//!   shape = what is known of their bytes: offset, length ──▶ slot
//!   slot  = what those bytes (or a register) may hold    ──▶ at most one cell, and flags
//! ```
//!
//! A node is what becomes a region, so nodes are merged only when one pointer may lead to objects of
//! both. What is *inside* the objects is kept apart from that: after `mem_copy` two nodes share one
//! shape, so that a pointer copied along leads to one node whichever copy it is read from, while the
//! copies stay two regions. A slot has at most one cell (Steensgaard's unification), which
//! makes everything nearly linear.
//!
//! Offsets are relative: a node has no first byte, only coordinates, which may be negative, and
//! merging two nodes at different offsets shifts the one into the other's coordinates (weighted union-find).
//! A shape that is walked with a step (an index times 24, a pointer that moves on by 24) gets a
//! *stride*: offsets count modulo 24. Steps add up by their greatest common divisor; a stride of 1, or one
//! that an access does not fit into, is the *collapsed* shape with a single slot for all bytes.
//!
//! A slot's flags say how integers and pointers meet in it; `rules.rs` draws the conclusions.
//!
//! Unification is a worklist; nothing here is recursive. The whole program's graphs live in one
//! arena. A node belongs to a component of the call graph, or to all of them ([`SHARED`]): what globals lead to is
//! the same everywhere, so it is there once and never cloned. What is stored in shared bytes becomes
//! shared.

use base::id;

use crate::node::{Count, NodeData, NodeFlags, SlotFlags, Uniform, gcd};

id! {
    /// A set of objects, as one component of the call graph sees them.
    Node, "n";
    /// The inside of the objects of one or more nodes.
    Shape, "s";
    /// Bytes or a register that may hold an address.
    Slot, "c"
}

/// The component of nodes that all functions share.
pub const SHARED: u32 = u32::MAX;

/// A place in the objects of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Cell {
    /// The objects.
    pub node: Node,
    /// The offset in the node's coordinates.
    pub offset: i64,
}

impl Cell {
    /// The cell that is this many bytes further.
    #[must_use]
    pub fn plus(self, bytes: i64) -> Cell {
        Cell {
            node: self.node,
            offset: self.offset.wrapping_add(bytes),
        }
    }
}

#[derive(Clone, Debug)]
struct NodeRecord {
    /// Itself for a root.
    parent: u32,
    /// What is added to an offset to get the parent's coordinates.
    shift: i64,
    rank: u8,
    component: u32,
    shape: Shape,
    /// What is added to an offset to get the shape's coordinates.
    shape_shift: i64,
    data: NodeData,
}

/// A piece of a shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    /// Where it begins.
    pub offset: i64,
    /// Bytes; in a collapsed shape it has no meaning.
    pub len: u32,
    /// What it holds.
    pub slot: Slot,
}

#[derive(Clone, Debug)]
struct ShapeRecord {
    parent: u32,
    shift: i64,
    rank: u8,
    /// 0 for none, 1 for collapsed.
    stride: u64,
    /// Disjoint, in ascending order.
    fields: Vec<Field>,
    /// What holds of every byte, fields to come included.
    flags: SlotFlags,
}

#[derive(Clone, Debug)]
struct SlotRecord {
    parent: u32,
    rank: u8,
    link: Option<Cell>,
    flags: SlotFlags,
}

/// What is still to be unified.
#[derive(Clone, Copy, Debug)]
enum Todo {
    Cells(Cell, Cell),
    Slots(Slot, Slot),
    Shapes((Shape, i64), (Shape, i64)),
    Share(Node),
}

/// The arena of all graphs.
#[derive(Clone, Debug)]
pub struct Graph {
    nodes: Vec<NodeRecord>,
    shapes: Vec<ShapeRecord>,
    slots: Vec<SlotRecord>,
    todo: Vec<Todo>,
    /// Grows with every change that matters to others.
    changes: u64,
    /// Offsets beyond this are not followed.
    far: i64,
}

impl Graph {
    /// An empty arena for pointers of this width.
    pub fn new(pointer_bits: u32) -> Graph {
        Graph {
            nodes: Vec::new(),
            shapes: Vec::new(),
            slots: Vec::new(),
            todo: Vec::new(),
            changes: 0,
            far: if pointer_bits > 32 { 1 << 40 } else { 1 << 28 },
        }
    }

    /// A number that differs whenever something has been merged, added or marked in between.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// How many nodes were ever made.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many slots were ever made.
    pub fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// A node without objects, with a shape of its own.
    pub fn new_node(&mut self, component: u32) -> Node {
        let shape = self.new_shape();
        let node = self.nodes.len();
        self.nodes.push(NodeRecord {
            parent: node as u32,
            shift: 0,
            rank: 0,
            component,
            shape,
            shape_shift: 0,
            data: NodeData::default(),
        });
        Node::from_index(node)
    }

    fn new_shape(&mut self) -> Shape {
        let shape = self.shapes.len();
        self.shapes.push(ShapeRecord {
            parent: shape as u32,
            shift: 0,
            rank: 0,
            stride: 0,
            fields: Vec::new(),
            flags: SlotFlags::NONE,
        });
        Shape::from_index(shape)
    }

    /// A slot that holds nothing.
    pub fn new_slot(&mut self) -> Slot {
        let slot = self.slots.len();
        self.slots.push(SlotRecord {
            parent: slot as u32,
            rank: 0,
            link: None,
            flags: SlotFlags::NONE,
        });
        Slot::from_index(slot)
    }

    /// A new node's first cell.
    pub fn new_cell(&mut self, component: u32) -> Cell {
        Cell {
            node: self.new_node(component),
            offset: 0,
        }
    }

    /// The node's representative, and its offset in that one's coordinates.
    pub fn find(&self, node: Node) -> Cell {
        let (mut at, mut offset) = (node.index(), 0i64);
        while self.nodes[at].parent as usize != at {
            offset = offset.wrapping_add(self.nodes[at].shift);
            at = self.nodes[at].parent as usize;
        }
        Cell {
            node: Node::from_index(at),
            offset,
        }
    }

    /// The cell in its representative's coordinates.
    pub fn norm(&self, cell: Cell) -> Cell {
        self.find(cell.node).plus(cell.offset)
    }

    /// The component that the node belongs to.
    pub fn component(&self, node: Node) -> u32 {
        self.nodes[self.find(node).node.index()].component
    }

    /// Do all functions share the node?
    pub fn is_shared(&self, node: Node) -> bool {
        self.component(node) == SHARED
    }

    /// What is known of the node's objects.
    pub fn data(&self, node: Node) -> &NodeData {
        &self.nodes[self.find(node).node.index()].data
    }

    /// The same, to be changed by those who keep to the node's coordinates.
    pub fn data_mut(&mut self, node: Node) -> &mut NodeData {
        let root = self.find(node).node;
        &mut self.nodes[root.index()].data
    }

    /// Marks a node.
    pub fn mark(&mut self, node: Node, flags: NodeFlags) {
        let root = self.find(node).node;
        if self.nodes[root.index()].data.flags.add(flags) {
            self.changes += 1;
        }
    }

    /// All representatives of nodes.
    pub fn roots(&self) -> impl Iterator<Item = Node> + '_ {
        let all = self.nodes.iter().enumerate();
        all.filter(|(index, record)| record.parent as usize == *index)
            .map(|(index, _)| Node::from_index(index))
    }

    fn find_shape(&self, shape: Shape) -> (Shape, i64) {
        let (mut at, mut offset) = (shape.index(), 0i64);
        while self.shapes[at].parent as usize != at {
            offset = offset.wrapping_add(self.shapes[at].shift);
            at = self.shapes[at].parent as usize;
        }
        (Shape::from_index(at), offset)
    }

    /// The representative of the shape in which the cell lies, and where.
    pub fn place(&self, cell: Cell) -> (Shape, i64) {
        let Cell { node, offset } = self.norm(cell);
        let record = &self.nodes[node.index()];
        let (shape, shift) = self.find_shape(record.shape);
        let at = offset.wrapping_add(record.shape_shift).wrapping_add(shift);
        (shape, at)
    }

    /// A shape's fields, for a representative.
    pub fn fields(&self, shape: Shape) -> &[Field] {
        &self.shapes[shape.index()].fields
    }

    /// A shape's stride: 0 for none, 1 for collapsed; for a representative.
    pub fn stride(&self, shape: Shape) -> u64 {
        self.shapes[shape.index()].stride
    }

    /// What holds of every byte of the shape; for a representative.
    pub fn shape_flags(&self, shape: Shape) -> SlotFlags {
        self.shapes[shape.index()].flags
    }

    /// The slot's representative.
    pub fn find_slot(&self, slot: Slot) -> Slot {
        let mut at = slot.index();
        while self.slots[at].parent as usize != at {
            at = self.slots[at].parent as usize;
        }
        Slot::from_index(at)
    }

    /// All representatives of slots.
    pub fn slot_roots(&self) -> impl Iterator<Item = Slot> + '_ {
        let all = self.slots.iter().enumerate();
        all.filter(|(index, record)| record.parent as usize == *index)
            .map(|(index, _)| Slot::from_index(index))
    }

    /// Where the slot's address leads.
    pub fn link(&self, slot: Slot) -> Option<Cell> {
        let link = self.slots[self.find_slot(slot).index()].link;
        link.map(|cell| self.norm(cell))
    }

    /// How integers and pointers meet in the slot.
    pub fn slot_flags(&self, slot: Slot) -> SlotFlags {
        self.slots[self.find_slot(slot).index()].flags
    }

    /// Marks a slot.
    pub fn mark_slot(&mut self, slot: Slot, flags: SlotFlags) {
        self.add_slot_flags(slot, flags);
        self.settle();
    }

    fn add_slot_flags(&mut self, slot: Slot, flags: SlotFlags) {
        let root = self.find_slot(slot);
        let record = &mut self.slots[root.index()];
        if record.flags.add(flags) {
            self.changes += 1;
            if let (Some(link), true) = (record.link, record.flags.has(SlotFlags::SHARED)) {
                self.todo.push(Todo::Share(link.node));
            }
        }
    }

    /// Where the slot leads; if nowhere yet, to a new node.
    pub fn link_or_new(&mut self, slot: Slot, component: u32) -> Cell {
        match self.link(slot) {
            Some(cell) => cell,
            None => {
                let cell = self.new_cell(component);
                self.set_link(slot, cell);
                cell
            }
        }
    }

    /// The slot may hold this address.
    pub fn set_link(&mut self, slot: Slot, cell: Cell) {
        let root = self.find_slot(slot);
        match self.slots[root.index()].link {
            Some(old) => self.unify(old, cell),
            None => {
                let record = &mut self.slots[root.index()];
                record.link = Some(cell);
                self.changes += 1;
                if record.flags.has(SlotFlags::SHARED) {
                    self.todo.push(Todo::Share(cell.node));
                    self.settle();
                }
            }
        }
    }

    /// The slot of `len` bytes at a cell. Pieces that overlap become one.
    pub fn field(&mut self, cell: Cell, len: u32) -> Slot {
        let (shape, at) = self.place(cell);
        self.field_at(shape, at, len)
    }

    /// The slot of `len` bytes in a shape.
    pub fn field_at(&mut self, shape: Shape, at: i64, len: u32) -> Slot {
        let (shape, shift) = self.find_shape(shape);
        let at = at.wrapping_add(shift);
        let slot = self.insert_field(shape, at, len, None);
        self.settle();
        slot
    }

    /// Marks every byte of a shape, fields to come included.
    pub fn mark_shape(&mut self, shape: Shape, flags: SlotFlags) {
        self.add_shape_flags(shape, flags);
        self.settle();
    }

    fn add_shape_flags(&mut self, shape: Shape, flags: SlotFlags) {
        let (shape, _) = self.find_shape(shape);
        if !self.shapes[shape.index()].flags.add(flags) {
            return;
        }
        self.changes += 1;
        for index in 0..self.shapes[shape.index()].fields.len() {
            let slot = self.shapes[shape.index()].fields[index].slot;
            self.add_slot_flags(slot, flags);
        }
    }

    /// Two pointers that may be the same.
    pub fn unify(&mut self, a: Cell, b: Cell) {
        self.todo.push(Todo::Cells(a, b));
        self.settle();
    }

    /// Two slots that hold copies of each other.
    pub fn unify_slots(&mut self, a: Slot, b: Slot) {
        self.todo.push(Todo::Slots(a, b));
        self.settle();
    }

    /// Bytes at two cells are copies of each other.
    pub fn unify_contents(&mut self, a: Cell, b: Cell) {
        let (a, b) = (self.place(a), self.place(b));
        self.unify_shapes(a, b);
    }

    /// Two places in shapes that are one.
    pub fn unify_shapes(&mut self, a: (Shape, i64), b: (Shape, i64)) {
        self.todo.push(Todo::Shapes(a, b));
        self.settle();
    }

    /// The cell is accessed, or its neighbours are, at unknown multiples of the step.
    pub fn add_stride(&mut self, cell: Cell, step: u64) {
        let root = self.find(cell.node).node;
        self.blur(root, step);
        let (shape, _) = self.place(cell);
        self.stride_shape(shape, step);
        self.settle();
    }

    /// Offsets in the shape count modulo the step, too.
    pub fn add_shape_stride(&mut self, shape: Shape, step: u64) {
        let (shape, _) = self.find_shape(shape);
        self.stride_shape(shape, step);
        self.settle();
    }

    /// Works off what is to be unified.
    fn settle(&mut self) {
        while let Some(todo) = self.todo.pop() {
            match todo {
                Todo::Cells(a, b) => self.merge_nodes(a, b),
                Todo::Slots(a, b) => self.merge_slots(a, b),
                Todo::Shapes(a, b) => self.merge_shapes(a, b),
                Todo::Share(node) => self.share_node(node),
            }
        }
    }

    /// The node belongs to all functions, and so does all that it leads to.
    fn share_node(&mut self, node: Node) {
        let root = self.find(node).node;
        if self.nodes[root.index()].component != SHARED {
            self.nodes[root.index()].component = SHARED;
            self.changes += 1;
        }
        let cell = Cell {
            node: root,
            offset: 0,
        };
        let (shape, _) = self.place(cell);
        self.add_shape_flags(shape, SlotFlags::SHARED);
    }

    fn merge_slots(&mut self, a: Slot, b: Slot) {
        let (a, b) = (self.find_slot(a), self.find_slot(b));
        if a == b {
            return;
        }
        self.changes += 1;
        let rank = |slot: Slot| self.slots[slot.index()].rank;
        let (winner, loser) = by_rank((a, rank(a)), (b, rank(b)));
        let SlotRecord {
            link, flags, rank, ..
        } = self.slots[loser.index()];
        self.slots[loser.index()].parent = winner.index() as u32;
        let record = &mut self.slots[winner.index()];
        record.flags.add(flags);
        record.rank = record.rank.max(rank + 1);
        match (record.link, link) {
            (Some(old), Some(new)) => self.todo.push(Todo::Cells(old, new)),
            (None, Some(new)) => record.link = Some(new),
            (_, None) => {}
        }
        let record = &self.slots[winner.index()];
        if let (Some(link), true) = (record.link, record.flags.has(SlotFlags::SHARED)) {
            self.todo.push(Todo::Share(link.node));
        }
    }

    fn merge_nodes(&mut self, a: Cell, b: Cell) {
        let (a, b) = (self.norm(a), self.norm(b));
        if a.node == b.node {
            let distance = a.offset.wrapping_sub(b.offset).unsigned_abs();
            if distance != 0 {
                self.blur(a.node, distance);
                let (shape, _) = self.place(a);
                self.stride_shape(shape, distance);
            }
            return;
        }
        self.changes += 1;
        let (left, right) = (&self.nodes[a.node.index()], &self.nodes[b.node.index()]);
        let shared = left.component != right.component;
        let (winner, loser) = by_rank((a, left.rank), (b, right.rank));
        let places = (self.place(winner), self.place(loser));
        let shift = winner.offset.wrapping_sub(loser.offset);
        let record = &mut self.nodes[loser.node.index()];
        record.parent = winner.node.index() as u32;
        record.shift = shift;
        let (data, rank) = (std::mem::take(&mut record.data), record.rank);
        let record = &mut self.nodes[winner.node.index()];
        record.rank = record.rank.max(rank + 1);
        record.data.absorb(&data, shift);
        if shared {
            self.todo.push(Todo::Share(winner.node));
        }
        self.todo.push(Todo::Shapes(places.0, places.1));
    }

    /// Offsets in the node (a representative) are known up to multiples of the step only.
    fn blur(&mut self, node: Node, step: u64) {
        let data = &mut self.nodes[node.index()].data;
        let before = (data.grid, data.scalar);
        data.grid.length(step);
        data.scalar = Uniform::Mixed;
        if (data.grid, data.scalar) != before {
            self.changes += 1;
        }
    }

    /// What is claimed of other objects is claimed of the node's, too, with this shift.
    pub fn agree(&mut self, node: Node, other: &NodeData, shift: i64) {
        let Cell { node, offset } = self.find(node);
        let data = &mut self.nodes[node.index()].data;
        let before = (data.flags, data.grid, data.extent, data.scalar, data.count);
        data.agree(other, shift.wrapping_add(offset));
        if other.allocs > 0 {
            data.count = Count::Many;
        }
        if before != (data.flags, data.grid, data.extent, data.scalar, data.count) {
            self.changes += 1;
        }
    }

    fn merge_shapes(&mut self, a: (Shape, i64), b: (Shape, i64)) {
        let normal = |(shape, at): (Shape, i64)| {
            let (root, shift) = self.find_shape(shape);
            (root, at.wrapping_add(shift))
        };
        let (a, b) = (normal(a), normal(b));
        if a.0 == b.0 {
            let distance = a.1.wrapping_sub(b.1).unsigned_abs();
            if distance != 0 {
                self.stride_shape(a.0, distance);
            }
            return;
        }
        self.changes += 1;
        let rank = |(shape, _): (Shape, i64)| self.shapes[shape.index()].rank;
        let (winner, loser) = by_rank((a, rank(a)), (b, rank(b)));
        let shift = winner.1.wrapping_sub(loser.1);
        let record = &mut self.shapes[loser.0.index()];
        record.parent = winner.0.index() as u32;
        record.shift = shift;
        let (stride, flags, rank) = (record.stride, record.flags, record.rank);
        let moved = std::mem::take(&mut record.fields);
        let record = &mut self.shapes[winner.0.index()];
        record.rank = record.rank.max(rank + 1);
        if stride != 0 {
            self.stride_shape(winner.0, stride);
        }
        for field in moved {
            let at = field.offset.wrapping_add(shift);
            self.insert_field(winner.0, at, field.len, Some(field.slot));
        }
        let all = self.shapes[winner.0.index()].flags;
        self.add_shape_flags(winner.0, flags);
        // Fields that came along have not been marked with what the winner says of all.
        for index in 0..self.shapes[winner.0.index()].fields.len() {
            let slot = self.shapes[winner.0.index()].fields[index].slot;
            self.add_slot_flags(slot, all);
        }
    }

    /// Lets offsets count modulo the step, too.
    fn stride_shape(&mut self, shape: Shape, step: u64) {
        let record = &mut self.shapes[shape.index()];
        let stride = gcd(record.stride, step);
        if stride == record.stride {
            return;
        }
        self.changes += 1;
        record.stride = stride;
        let moved = std::mem::take(&mut record.fields);
        for field in moved {
            self.insert_field(shape, field.offset, field.len, Some(field.slot));
        }
    }

    /// Finds or makes the field; what it overlaps with becomes part of it.
    fn insert_field(&mut self, shape: Shape, at: i64, len: u32, slot: Option<Slot>) -> Slot {
        let fits = self.fit(shape, at, len);
        let Some((at, len)) = fits else {
            return self.insert_collapsed(shape, slot);
        };
        let fields = &self.shapes[shape.index()].fields;
        let end = at + i64::from(len);
        let first = fields.partition_point(|field| field.offset + i64::from(field.len) <= at);
        let last = fields.partition_point(|field| field.offset < end);
        if first == last {
            return self.insert_new(shape, first, at, len, slot);
        }
        let low = fields[first].offset.min(at);
        let high = fields[last - 1].offset + i64::from(fields[last - 1].len);
        let whole = u32::try_from(high.max(end) - low);
        let Ok(whole) = whole else {
            self.stride_shape(shape, 1);
            return self.insert_collapsed(shape, slot);
        };
        let kept = fields[first].slot;
        for index in first + 1..last {
            let other = self.shapes[shape.index()].fields[index].slot;
            self.todo.push(Todo::Slots(kept, other));
        }
        if let Some(slot) = slot {
            self.todo.push(Todo::Slots(kept, slot));
        }
        let grown = (low, whole) != (fields_key(&self.shapes[shape.index()].fields[first]));
        let fields = &mut self.shapes[shape.index()].fields;
        fields[first] = Field {
            offset: low,
            len: whole,
            slot: kept,
        };
        fields.drain(first + 1..last);
        if grown {
            self.changes += 1;
        }
        kept
    }

    /// Where the bytes lie modulo the stride; none in a collapsed shape, which it may become.
    fn fit(&mut self, shape: Shape, at: i64, len: u32) -> Option<(i64, u32)> {
        let stride = self.shapes[shape.index()].stride;
        if stride == 1 {
            return None;
        }
        if at.unsigned_abs() > self.far.unsigned_abs() || len >= 1 << 24 {
            self.stride_shape(shape, 1);
            return None;
        }
        if stride == 0 || stride > i64::MAX as u64 {
            return Some((at, len));
        }
        let at = at.rem_euclid(stride as i64);
        if at as u64 + u64::from(len) > stride {
            self.stride_shape(shape, 1);
            return None;
        }
        Some((at, len))
    }

    fn insert_collapsed(&mut self, shape: Shape, slot: Option<Slot>) -> Slot {
        match self.shapes[shape.index()].fields.first() {
            Some(field) => {
                let kept = field.slot;
                if let Some(slot) = slot {
                    self.todo.push(Todo::Slots(kept, slot));
                }
                kept
            }
            None => self.insert_new(shape, 0, 0, 1, slot),
        }
    }

    fn insert_new(
        &mut self,
        shape: Shape,
        index: usize,
        at: i64,
        len: u32,
        slot: Option<Slot>,
    ) -> Slot {
        let slot = slot.unwrap_or_else(|| self.new_slot());
        self.changes += 1;
        let record = &mut self.shapes[shape.index()];
        record.fields.insert(
            index,
            Field {
                offset: at,
                len,
                slot,
            },
        );
        let flags = record.flags;
        self.add_slot_flags(slot, flags);
        slot
    }
}

/// The one of higher rank first; of equals the older one.
fn by_rank<T: PartialOrd>((a, rank_a): (T, u8), (b, rank_b): (T, u8)) -> (T, T) {
    if rank_a > rank_b || rank_a == rank_b && a < b {
        (a, b)
    } else {
        (b, a)
    }
}

fn fields_key(field: &Field) -> (i64, u32) {
    (field.offset, field.len)
}
