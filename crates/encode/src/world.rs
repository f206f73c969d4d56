//! Everything an evaluation makes: terms, pointers, objects and where they lie.
//!
//! Every executed allocation makes an object of its own with a constant base address (the *static*
//! allocator): functions lowest, then globals, then the heap growing up and the stack growing down.
//! Objects never touch, so that no pointer one past the end equals its neighbour's base, and freed
//! addresses are not used again. Access rules never look at addresses: they compare offsets with
//! sizes. Addresses matter where a program looks at them: comparisons of different objects, casts to
//! integers and back.

use std::collections::BTreeSet;

use ir::syntax::{Const, Func, Global, InitPiece, Module, PlaceId, Var};
use rustc_hash::FxHashMap;
use terms::{Sort, Term, Terms};

use crate::memory::{Init, Piece, Scalar, Unknown, Unknowns};
use crate::pointer::{Alternative, NOWHERE, Object, Pointer, Pointers};

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `obj0`, and what a dead end of ours points to.
    Nowhere,
    /// A function: an address, not accessible.
    Function(Func),
    /// A global.
    Global(Global),
    /// A local variable or `alloca`.
    Stack,
    /// From `malloc`.
    Heap,
}

/// What does not change during an object's life.
#[derive(Clone, Debug)]
pub struct ObjectInfo {
    /// What it is.
    pub kind: Kind,
    /// Size in bytes, of pointer width.
    pub size: Term,
    /// The size, if it is constant.
    pub fixed: Option<u64>,
    /// Base address, of pointer width.
    pub base: Term,
    /// May it not be written?
    pub constant: bool,
    /// The source variable.
    pub var: Option<Var>,
    /// Where it was allocated.
    pub place: Option<PlaceId>,
}

/// Where new objects go.
struct Layout {
    globals: u64,
    heap: u64,
    stack: u64,
    /// Room for objects whose size is not constant.
    reserve: u64,
}

/// Everything an evaluation makes.
pub struct World<'a> {
    /// The terms.
    pub terms: &'a mut Terms,
    /// The program.
    pub module: &'a Module,
    /// The pointers.
    pub pointers: Pointers,
    /// The objects.
    pub objects: base::Map<Object, ObjectInfo>,
    /// Contents that nobody has written.
    pub unknowns: Unknowns,
    /// Width of pointers.
    pub pointer_bits: u32,
    /// Objects whose address became an integer: an address can lead back to them.
    pub exposed: BTreeSet<Object>,
    /// The objects of globals and functions.
    pub global_objects: base::Map<Global, Object>,
    /// The objects of functions.
    pub function_objects: base::Map<Func, Object>,
    /// Objects that no longer fit the address space.
    pub exhausted: bool,
    pub(crate) reads: FxHashMap<(u32, Term, u32), Scalar>,
    pub(crate) next_layer: u32,
    /// The pointer that an address was taken of.
    origins: FxHashMap<Term, Pointer>,
    /// Where each piece of a global's initialiser begins.
    initialisers: FxHashMap<Global, Vec<(u64, usize)>>,
    /// For pieces of any value in initialisers.
    global_unknowns: FxHashMap<Global, Unknown>,
    layout: Layout,
}

/// Bytes between two objects, so that they never touch.
const GAP: u64 = 16;

impl<'a> World<'a> {
    /// A world with the program's functions and globals.
    pub fn new(terms: &'a mut Terms, module: &'a Module) -> World<'a> {
        let pointer_bits = module.machine.pointer_bits;
        let layout = if pointer_bits == 64 {
            Layout {
                globals: 0x10_0000,
                heap: 0x1000_0000_0000,
                stack: 0x7fff_ff00_0000,
                reserve: 1 << 32,
            }
        } else {
            Layout {
                globals: 0x10_0000,
                heap: 0x3000_0000,
                stack: 0xbfff_0000,
                reserve: 1 << 20,
            }
        };
        let mut world = World {
            terms,
            module,
            pointers: Pointers::default(),
            objects: base::Map::new(),
            unknowns: Unknowns::default(),
            pointer_bits,
            exposed: BTreeSet::new(),
            global_objects: base::Map::new(),
            function_objects: base::Map::new(),
            exhausted: false,
            reads: FxHashMap::default(),
            next_layer: 0,
            origins: FxHashMap::default(),
            initialisers: FxHashMap::default(),
            global_unknowns: FxHashMap::default(),
            layout,
        };
        let zero = world.word(0);
        world.objects.push(ObjectInfo {
            kind: Kind::Nowhere,
            size: zero,
            fixed: Some(0),
            base: zero,
            constant: true,
            var: None,
            place: None,
        });
        for func in module.funcs.keys() {
            let object = world.add(
                Kind::Function(func),
                0x1000 + 16 * func.index() as u64,
                0,
                None,
            );
            world.function_objects.push(object);
        }
        world.layout.globals = world
            .layout
            .globals
            .max(0x2000 + 16 * module.funcs.len() as u64);
        for (global, data) in module.globals.iter() {
            let address = world.layout.globals.next_multiple_of(data.align.max(16));
            world.layout.globals = address + data.size + GAP;
            let object = world.add(Kind::Global(global), address, data.size, data.var);
            world.objects[object].constant = data.constant;
            world.global_objects.push(object);
        }
        world.layout.heap = world
            .layout
            .heap
            .max(world.layout.globals.next_multiple_of(1 << 20));
        world
    }

    fn add(&mut self, kind: Kind, address: u64, size: u64, var: Option<Var>) -> Object {
        let (base, size_term) = (self.word(address), self.word(size));
        self.objects.push(ObjectInfo {
            kind,
            size: size_term,
            fixed: Some(size),
            base,
            constant: false,
            var,
            place: None,
        })
    }

    /// A constant of pointer width.
    pub fn word(&mut self, value: u64) -> Term {
        let masked = if self.pointer_bits == 64 {
            value
        } else {
            value & ((1 << self.pointer_bits) - 1)
        };
        self.terms.bv_u64(masked, self.pointer_bits)
    }

    /// A new object of a size (of pointer width) with an address of its own.
    pub fn allocate(
        &mut self,
        kind: Kind,
        size: Term,
        align: u64,
        var: Option<Var>,
        place: Option<PlaceId>,
    ) -> Object {
        let fixed = self.terms.as_u64(size);
        let room = fixed.unwrap_or(self.layout.reserve).saturating_add(GAP);
        let align = align.max(16);
        let free = self.layout.stack.saturating_sub(self.layout.heap);
        let address = if room.saturating_add(align) > free {
            self.exhausted = true;
            self.layout.heap
        } else if kind == Kind::Stack {
            let address = (self.layout.stack - room) / align * align;
            self.layout.stack = address;
            address
        } else {
            let address = self.layout.heap.next_multiple_of(align);
            self.layout.heap = address + room;
            address
        };
        let base = self.word(address);
        self.objects.push(ObjectInfo {
            kind,
            size,
            fixed,
            base,
            constant: false,
            var,
            place,
        })
    }

    /// The null pointer.
    pub fn null(&mut self) -> Pointer {
        let zero = self.word(0);
        self.pointers.make(self.terms, NOWHERE, zero)
    }

    /// The pointer into an object at a constant offset.
    pub fn pointer(&mut self, object: Object, offset: i64) -> Pointer {
        let offset = self.word(offset as u64);
        self.pointers.make(self.terms, object, offset)
    }

    /// The address of a pointer, as a term of pointer width; exposes its objects.
    pub fn address(&mut self, pointer: Pointer) -> Term {
        let alternatives = self.pointers.alternatives(pointer);
        for alternative in alternatives.iter() {
            if alternative.object != NOWHERE {
                self.exposed.insert(alternative.object);
            }
        }
        let term = self.address_term(pointer);
        if self
            .pointers
            .single(pointer)
            .is_none_or(|only| only.object != NOWHERE)
        {
            self.origins.entry(term).or_insert(pointer);
        }
        term
    }

    /// The address of a pointer for comparisons, which expose nothing.
    pub fn address_term(&mut self, pointer: Pointer) -> Term {
        let alternatives = self.pointers.alternatives(pointer);
        let mut result = None;
        for alternative in alternatives.iter().rev() {
            let base = self.objects[alternative.object].base;
            let address = self.terms.add(base, alternative.offset);
            result = Some(match result {
                None => address,
                Some(others) => self.terms.ite(alternative.guard, address, others),
            });
        }
        result.unwrap_or_else(|| self.word(0))
    }

    /// The pointer with this address: the one that the address was taken of, or one without object.
    pub fn pointer_from_bits(&mut self, address: Term) -> Pointer {
        let width = self.terms.width(address);
        let address = match width.cmp(&self.pointer_bits) {
            std::cmp::Ordering::Less => self.terms.zext(address, self.pointer_bits),
            std::cmp::Ordering::Equal => address,
            std::cmp::Ordering::Greater => self.terms.trunc(address, self.pointer_bits),
        };
        match self.origins.get(&address) {
            Some(&pointer) => pointer,
            None => self.pointers.make(self.terms, NOWHERE, address),
        }
    }

    /// The alternatives of a pointer that is about to be used: those without an object get the
    /// exposed objects back that lie at their address.
    pub fn resolve(&mut self, pointer: Pointer) -> Vec<Alternative> {
        let alternatives = self.pointers.alternatives(pointer);
        let mut resolved: Vec<Alternative> = Vec::with_capacity(alternatives.len());
        for &alternative in alternatives.iter() {
            if alternative.object != NOWHERE || self.terms.as_u64(alternative.offset) == Some(0) {
                resolved.push(alternative);
                continue;
            }
            let exposed: Vec<Object> = self.exposed.iter().copied().collect();
            let mut rest = alternative.guard;
            for object in exposed {
                let (base, size) = (self.objects[object].base, self.objects[object].size);
                let offset = self.terms.sub(alternative.offset, base);
                let inside = self.terms.ult(offset, size);
                let guard = self.terms.and(rest, inside);
                if self.terms.as_bool(guard) == Some(false) {
                    continue;
                }
                resolved.push(Alternative {
                    guard,
                    object,
                    offset,
                });
                let outside = self.terms.not(inside);
                rest = self.terms.and(rest, outside);
            }
            resolved.push(Alternative {
                guard: rest,
                ..alternative
            });
        }
        resolved.retain(|alternative| self.terms.as_bool(alternative.guard) != Some(false));
        resolved
    }

    /// Unknown contents.
    pub fn unknown(&mut self) -> Unknown {
        self.unknowns.list.push(Default::default())
    }

    /// The initial contents of a global.
    pub fn global_init(&self, global: Global) -> Init {
        let data = &self.module.globals[global];
        if data
            .init
            .iter()
            .all(|piece| matches!(piece, InitPiece::Zero(_)))
        {
            Init::Zero
        } else {
            Init::Global(global)
        }
    }

    /// A byte of a global's initialiser; beyond its end: zero.
    pub(crate) fn global_piece(&mut self, global: Global, at: u64) -> Piece {
        let module = self.module;
        let pieces = &module.globals[global].init;
        let bytes = (self.pointer_bits / 8) as u64;
        let starts = self.initialisers.entry(global).or_insert_with(|| {
            let mut start = 0;
            let mut starts = Vec::with_capacity(pieces.len());
            for (index, piece) in pieces.iter().enumerate() {
                starts.push((start, index));
                start += match piece {
                    InitPiece::Bytes(bytes) => bytes.len() as u64,
                    InitPiece::Zero(n) | InitPiece::Any(n) => *n,
                    InitPiece::Pointer(_) => bytes,
                };
            }
            starts
        });
        let found = starts.partition_point(|(start, _)| *start <= at);
        let (start, index) = match found.checked_sub(1) {
            Some(entry) => starts[entry],
            None => (0, usize::MAX),
        };
        match pieces.get(index) {
            Some(InitPiece::Bytes(bytes)) if at - start < bytes.len() as u64 => {
                let scalar =
                    Scalar::Bits(self.terms.bv_u64(bytes[(at - start) as usize] as u64, 8));
                Piece::Byte {
                    scalar,
                    index: 0,
                    width: 1,
                }
            }
            Some(InitPiece::Any(n)) if at - start < *n => {
                let unknown = match self.global_unknowns.get(&global) {
                    Some(&unknown) => unknown,
                    None => {
                        let unknown = self.unknown();
                        self.global_unknowns.insert(global, unknown);
                        unknown
                    }
                };
                let scalar = self.init_at(Init::Unknown(unknown), at, 1);
                Piece::Byte {
                    scalar,
                    index: 0,
                    width: 1,
                }
            }
            Some(InitPiece::Pointer(target)) if at - start < bytes => {
                let pointer = self.constant_pointer(target);
                Piece::Byte {
                    scalar: Scalar::Pointer(pointer),
                    index: (at - start) as u8,
                    width: bytes as u8,
                }
            }
            _ => Piece::Byte {
                scalar: Scalar::Bits(self.terms.bv_u64(0, 8)),
                index: 0,
                width: 1,
            },
        }
    }

    /// The unknown bytes of a global's initialiser that were looked at.
    pub fn global_unknown(&self, global: Global) -> Option<Unknown> {
        self.global_unknowns.get(&global).copied()
    }

    /// A constant operand as a pointer.
    pub fn constant_pointer(&mut self, constant: &Const) -> Pointer {
        match constant {
            Const::Null => self.null(),
            Const::Global(global, offset) => self.pointer(self.global_objects[*global], *offset),
            Const::Func(func) => self.pointer(self.function_objects[*func], 0),
            Const::Int(value) | Const::Float(_, value) => {
                let address = self.terms.bv(value.clone());
                self.pointer_from_bits(address)
            }
        }
    }

    /// A fresh bit-vector.
    pub fn fresh_bits(&mut self, prefix: &str, width: u32) -> Term {
        self.terms.fresh(prefix, Sort::BitVec(width))
    }
}
