//! The contents of objects: cells at known offsets, and one description for all the rest.
//!
//! ```text
//!   offset   0        4        8   9                      size
//!            | i32: 7 | i32: ? |i8 | rest: every i32 is 0 … 9  |
//! ```
//!
//! A cell is a strong fact about the bytes from its offset on; cells do not overlap, and `rest` speaks of the bytes that
//! no cell covers. A write at a known offset of one object replaces; any other joins.

use std::collections::BTreeMap;

use ir::syntax::{Global, InitPiece, Module, Type, Value};

use crate::domains::{Int, Thresholds};
use crate::value::Val;

/// What is known of some bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// As what they were written.
    pub ty: Type,
    /// How many they are.
    pub bytes: u64,
    /// Their value.
    pub val: Val,
    /// A register that has the same value.
    pub same: Option<Value>,
}

/// What is known of the bytes that no cell covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rest {
    /// Nothing.
    Any,
    /// They are zero.
    Zero,
    /// They are what they were at the start.
    Init(Global),
    /// At each multiple of a size stands a value of this kind.
    Elems(u64, Val),
}

/// Contents of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// Cells by offset.
    pub cells: BTreeMap<u64, Cell>,
    /// The rest.
    pub rest: Rest,
}

/// More cells than these are not kept for one object.
const MAX_CELLS: usize = 256;
/// More initial elements than these are not looked at.
const MAX_ELEMENTS: u128 = 1024;

/// Is every offset a multiple of the size?
fn is_aligned(offset: &Int, bytes: u64) -> bool {
    offset.rest % bytes == 0 && (offset.step == 0 || offset.step % bytes == 0)
}

/// A value read as another type of the same size.
fn seen_as(val: &Val, from: Type, to: Type) -> Val {
    let is_ptr = |ty| ty == Type::Ptr;
    if from == to || !is_ptr(from) && !is_ptr(to) && val.as_int().map(|x| x.width) == width(to) {
        val.clone()
    } else {
        Val::top(to)
    }
}

fn width(ty: Type) -> Option<u32> {
    match ty {
        Type::Int(width) => Some(width),
        Type::Float(float) => Some(float.bits()),
        Type::Ptr | Type::Mem(_) => None,
    }
}

fn zero(ty: Type, pointer_bits: u32) -> Val {
    match ty {
        Type::Ptr => Val::constant(&ir::syntax::Const::Null, pointer_bits),
        Type::Int(bits @ 1..=64) => Val::Int(Int::constant(0, bits)),
        Type::Float(float) if float.bits() <= 64 => Val::Int(Int::constant(0, float.bits())),
        Type::Int(_) | Type::Float(_) | Type::Mem(_) => Val::Any,
    }
}

/// What a global holds at the start.
fn initial(module: &Module, global: Global, offset: u64, ty: Type, bytes: u64) -> Val {
    let pointer_bits = module.machine.pointer_bits;
    let mut at = 0u64;
    let (mut number, mut known) = (0u64, 0u64);
    for piece in &module.globals[global].init {
        let len = match piece {
            InitPiece::Bytes(list) => list.len() as u64,
            InitPiece::Zero(len) | InitPiece::Any(len) => *len,
            InitPiece::Pointer(_) => u64::from(pointer_bits / 8),
        };
        let (first, last) = (at.max(offset), (at + len).min(offset.saturating_add(bytes)));
        if first < last {
            match piece {
                InitPiece::Bytes(list) if bytes <= 8 => {
                    for place in first..last {
                        let byte = u64::from(list[(place - at) as usize]);
                        number |= byte << (8 * (place - offset));
                    }
                    known += last - first;
                }
                InitPiece::Zero(_) => known += last - first,
                InitPiece::Pointer(constant) if at == offset && len == bytes => {
                    return match ty {
                        Type::Ptr => Val::constant(constant, pointer_bits),
                        Type::Int(_) | Type::Float(_) | Type::Mem(_) => Val::top(ty),
                    };
                }
                InitPiece::Bytes(_) | InitPiece::Any(_) | InitPiece::Pointer(_) => {}
            }
        }
        at += len;
        if at >= offset.saturating_add(bytes) {
            break;
        }
    }
    if known != bytes {
        return Val::top(ty);
    }
    match ty {
        Type::Ptr if number == 0 => zero(ty, pointer_bits),
        Type::Ptr | Type::Mem(_) => Val::Any,
        Type::Int(_) | Type::Float(_) => match width(ty) {
            Some(bits @ 1..=64) => Val::Int(Int::constant(number, bits)),
            _ => Val::Any,
        },
    }
}

impl Contents {
    /// Bytes of which nothing is known.
    pub fn any() -> Contents {
        Contents {
            cells: BTreeMap::new(),
            rest: Rest::Any,
        }
    }

    fn rest_at(&self, module: &Module, offset: &Int, size: u64, ty: Type, bytes: u64) -> Val {
        let pointer_bits = module.machine.pointer_bits;
        match &self.rest {
            Rest::Any => Val::top(ty),
            Rest::Zero => zero(ty, pointer_bits),
            Rest::Elems(step, val) if *step == bytes && is_aligned(offset, bytes) => {
                let from = match val {
                    Val::Ptr(_) => Type::Ptr,
                    Val::Int(int) => Type::Int(int.width),
                    Val::Any => return Val::top(ty),
                };
                seen_as(val, from, ty)
            }
            Rest::Elems(..) => Val::top(ty),
            Rest::Init(global) => {
                let end = match size.checked_sub(bytes) {
                    Some(end) => end,
                    None => return Val::top(ty),
                };
                let last = offset.umax.min(end);
                if offset.umin > last {
                    return Val::top(ty);
                }
                let step = offset.step.max(1);
                if u128::from((last - offset.umin) / step) > MAX_ELEMENTS {
                    return Val::top(ty);
                }
                let mut found: Option<Val> = None;
                let mut at = offset.umin;
                while at <= last {
                    let val = initial(module, *global, at, ty, bytes);
                    let joined = found.map_or(val.clone(), |known| known.join(&val));
                    found = Some(joined);
                    at += step;
                }
                found.unwrap_or(Val::top(ty))
            }
        }
    }

    /// What a read inside of the object yields.
    pub fn read(&self, module: &Module, offset: &Int, size: u64, ty: Type) -> Val {
        let bytes = ty.bytes(module.machine);
        if let Some(at) = offset.single() {
            if let Some(cell) = self.cells.get(&at)
                && cell.bytes == bytes
            {
                return seen_as(&cell.val, cell.ty, ty);
            }
            if self.overlapping(at, bytes).next().is_some() {
                return Val::top(ty);
            }
            return self.rest_at(module, offset, size, ty, bytes);
        }
        let mut found = self.rest_at(module, offset, size, ty, bytes);
        let end = offset.umax.saturating_add(bytes);
        for (at, cell) in self.overlapping(offset.umin, end - offset.umin) {
            let exact = cell.bytes == bytes && at % bytes == 0 && is_aligned(offset, bytes);
            let val = if exact {
                seen_as(&cell.val, cell.ty, ty)
            } else {
                Val::top(ty)
            };
            found = found.join(&val);
        }
        found
    }

    fn overlapping(&self, from: u64, len: u64) -> impl Iterator<Item = (u64, &Cell)> {
        let end = from.saturating_add(len);
        self.cells
            .range(..end)
            .rev()
            .take_while(move |(at, cell)| **at + cell.bytes > from)
            .map(|(at, cell)| (*at, cell))
    }

    /// A write that replaces what is at the offset.
    pub fn write_at(&mut self, at: u64, cell: Cell) {
        if !self.cells.contains_key(&at) && self.cells.len() >= MAX_CELLS {
            self.cells.clear();
            self.rest = Rest::Any;
            return;
        }
        self.remove(at, cell.bytes);
        self.cells.insert(at, cell);
    }

    /// The cells in a stretch go; bytes of them outside of it hold anything.
    fn remove(&mut self, at: u64, len: u64) {
        let end = at.saturating_add(len);
        let hit: Vec<(u64, u64)> = self
            .overlapping(at, len)
            .map(|(from, cell)| (from, cell.bytes))
            .collect();
        for (from, bytes) in hit {
            self.cells.remove(&from);
            for byte in (from..from + bytes).filter(|byte| !(at..end).contains(byte)) {
                let any = Cell {
                    ty: Type::Int(8),
                    bytes: 1,
                    val: Val::top(Type::Int(8)),
                    same: None,
                };
                self.cells.insert(byte, any);
            }
        }
    }

    /// A write that may happen, at one of the offsets.
    pub fn join_at(&mut self, module: &Module, offset: &Int, size: u64, ty: Type, val: &Val) {
        let bytes = ty.bytes(module.machine);
        let aligned = is_aligned(offset, bytes);
        let end = offset.umax.saturating_add(bytes);
        let mut covered = false;
        for (at, cell) in self.cells.range_mut(..end) {
            if at + cell.bytes <= offset.umin {
                continue;
            }
            let exact =
                cell.bytes == bytes && (offset.single() == Some(*at) || aligned && at % bytes == 0);
            if exact {
                cell.val = seen_as(&cell.val, cell.ty, ty).join(val);
                cell.ty = ty;
                covered |= offset.single() == Some(*at);
            } else {
                cell.val = Val::top(cell.ty);
            }
            cell.same = None;
        }
        if covered {
            return;
        }
        self.rest = match &self.rest {
            Rest::Any => Rest::Any,
            Rest::Elems(step, known) if *step == bytes && aligned => {
                Rest::Elems(bytes, known.join(val))
            }
            Rest::Elems(..) => Rest::Any,
            Rest::Zero if aligned => {
                Rest::Elems(bytes, zero(ty, module.machine.pointer_bits).join(val))
            }
            Rest::Zero => Rest::Any,
            Rest::Init(_) if aligned && size >= bytes && bytes > 0 => {
                let all = Int {
                    umax: size - bytes,
                    step: bytes,
                    ..Int::top(module.machine.pointer_bits)
                };
                Rest::Elems(bytes, self.rest_at(module, &all, size, ty, bytes).join(val))
            }
            Rest::Init(_) => Rest::Any,
        };
        if self.rest == Rest::Elems(bytes, Val::Any) {
            self.rest = Rest::Any;
        }
    }

    /// A stretch of known bytes, or one of several, gets a byte.
    pub fn fill(&mut self, module: &Module, stretch: Option<(u64, u64)>, size: u64, byte: &Val) {
        let is_zero = byte.single() == Some(0);
        match stretch {
            Some((0, len)) if len >= size => {
                self.cells.clear();
                self.rest = if is_zero {
                    Rest::Zero
                } else {
                    Rest::Elems(1, byte.clone())
                };
            }
            Some((at, len)) if len <= 64 => {
                self.remove(at, len);
                for place in at..at + len {
                    let cell = Cell {
                        ty: Type::Int(8),
                        bytes: 1,
                        val: byte.clone(),
                        same: None,
                    };
                    self.cells.insert(place, cell);
                }
                if is_zero {
                    self.pack(module, at, len);
                }
            }
            _ => {
                let stays = is_zero && self.rest == Rest::Zero;
                if stays {
                    for cell in self.cells.values_mut() {
                        cell.val = cell.val.join(&zero(cell.ty, module.machine.pointer_bits));
                        cell.same = None;
                    }
                } else {
                    *self = Contents::any();
                }
            }
        }
    }

    /// Zero bytes are read as words more often than one by one.
    fn pack(&mut self, module: &Module, at: u64, len: u64) {
        let word = 4;
        let mut from = at.next_multiple_of(word);
        while from + word <= at + len {
            for byte in from..from + word {
                self.cells.remove(&byte);
            }
            let ty = Type::Int(32);
            let cell = Cell {
                ty,
                bytes: word,
                val: zero(ty, module.machine.pointer_bits),
                same: None,
            };
            self.cells.insert(from, cell);
            from += word;
        }
    }

    fn combine(
        &self,
        other: &Contents,
        module: &Module,
        size: u64,
        values: impl Fn(&Val, &Val) -> Val,
    ) -> Contents {
        let mut rest = match (&self.rest, &other.rest) {
            (a, b) if a == b => a.clone(),
            (Rest::Elems(x, a), Rest::Elems(y, b)) if x == y => Rest::Elems(*x, values(a, b)),
            (Rest::Elems(bytes, val), simple) | (simple, Rest::Elems(bytes, val))
                if *simple != Rest::Any =>
            {
                let ty = match val {
                    Val::Int(int) => Type::Int(int.width),
                    Val::Ptr(_) | Val::Any => Type::Ptr,
                };
                if size < *bytes || ty.bytes(module.machine) != *bytes {
                    Rest::Any
                } else {
                    let all = Int {
                        umax: size - bytes,
                        step: *bytes,
                        ..Int::top(module.machine.pointer_bits)
                    };
                    let holder = Contents {
                        cells: BTreeMap::new(),
                        rest: simple.clone(),
                    };
                    let other = holder.rest_at(module, &all, size, ty, *bytes);
                    Rest::Elems(*bytes, values(val, &other))
                }
            }
            _ => Rest::Any,
        };
        if let Rest::Elems(_, Val::Any) = rest {
            rest = Rest::Any;
        }
        let mut cells = BTreeMap::new();
        let here = |side: &Contents, at: u64, like: &Cell| -> Option<Val> {
            if let Some(cell) = side.cells.get(&at)
                && cell.bytes == like.bytes
            {
                return Some(seen_as(&cell.val, cell.ty, like.ty));
            }
            if side.overlapping(at, like.bytes).next().is_some() {
                return None;
            }
            let offset = Int::constant(at, module.machine.pointer_bits);
            Some(side.rest_at(module, &offset, size, like.ty, like.bytes))
        };
        for (at, cell) in &self.cells {
            let val = here(other, *at, cell).map(|val| values(&cell.val, &val));
            let same = other.cells.get(at).and_then(|twin| twin.same);
            cells.insert(
                *at,
                Cell {
                    val: val.unwrap_or(Val::top(cell.ty)),
                    same: cell.same.filter(|_| cell.same == same),
                    ..cell.clone()
                },
            );
        }
        let mut merged = Contents { cells, rest };
        for (at, cell) in &other.cells {
            if self
                .cells
                .get(at)
                .is_some_and(|twin| twin.bytes == cell.bytes)
            {
                continue;
            }
            match here(self, *at, cell) {
                Some(val) => {
                    let cell = Cell {
                        val: values(&val, &cell.val),
                        same: None,
                        ..cell.clone()
                    };
                    merged.cells.insert(*at, cell);
                }
                // Cells of different shape overlap: nothing is known of these bytes.
                None => {
                    let hit: Vec<u64> = merged
                        .overlapping(*at, cell.bytes)
                        .map(|(from, _)| from)
                        .collect();
                    for from in hit {
                        let cell = merged.cells.get_mut(&from).expect("a cell that was found");
                        cell.val = Val::top(cell.ty);
                    }
                    for byte in *at..*at + cell.bytes {
                        if merged.overlapping(byte, 1).next().is_none() {
                            let any = Cell {
                                ty: Type::Int(8),
                                bytes: 1,
                                val: Val::top(Type::Int(8)),
                                same: None,
                            };
                            merged.cells.insert(byte, any);
                        }
                    }
                }
            }
        }
        merged
    }

    /// Contents above both.
    pub fn join(&self, other: &Contents, module: &Module, size: u64) -> Contents {
        if self == other {
            return self.clone();
        }
        self.combine(other, module, size, Val::join)
    }

    /// Contents above both, in finitely many steps.
    pub fn widen(
        &self,
        new: &Contents,
        module: &Module,
        size: u64,
        thresholds: &Thresholds,
    ) -> Contents {
        self.combine(new, module, size, |a, b| a.widen(b, thresholds))
    }
}

#[cfg(test)]
mod tests;
