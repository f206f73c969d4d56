//! Everything an evaluation makes: terms, pointers, objects and where they lie.
//!
//! Every executed allocation makes an object of its own, at an address that `layout` chooses. Access
//! rules never look at addresses: they compare offsets with sizes. Addresses matter where a program
//! looks at them: comparisons of different objects, casts to integers and back. With raw pointers an
//! address is all there is, and `resolve` finds the object that it means.

use std::collections::BTreeSet;

use ir::syntax::{Const, Func, Global, InitPiece, Module, Op, PlaceId, Value, Var};
use rustc_hash::FxHashMap;
use terms::{Sort, Term, Terms};

use crate::encoding::{Allocator, Encoding, PointerStyle};
use crate::layout::{self, Layout};
use crate::lives::Lives;
use crate::memory::{Contents, Init, Piece, Scalar, Unknown, UnknownBytes, Unknowns};
use crate::pointer::{Alternative, NOWHERE, Object, Pointer, Pointers};
use crate::word_sizes::WordSizes;

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
    /// The unit of its contents, in bytes.
    pub word: u32,
}

/// Everything an evaluation makes.
pub struct World<'a> {
    /// The terms.
    pub terms: &'a mut Terms,
    /// The program.
    pub module: &'a Module,
    /// How memory and pointers become terms.
    pub encoding: Encoding,
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
    /// Objects whose pointers are in arrays.
    pub(crate) stored: BTreeSet<Object>,
    /// What could not be represented since somebody last looked.
    pub(crate) gap: Option<&'static str>,
    /// What could not be represented since then, if something holds.
    pub(crate) gaps_if: Vec<(Term, &'static str)>,
    /// Objects whose address mattered since somebody last looked.
    pub(crate) observed: Vec<Object>,
    /// What was asked about addresses since somebody last looked, if layouts may differ in the answer.
    pub(crate) looked: Option<&'static str>,
    /// Objects whose life may be over.
    pub(crate) ended: BTreeSet<Object>,
    /// With free bases: when objects live.
    pub(crate) lives: Lives,
    /// Does the program ask what is initialised?
    shadowed: bool,
    /// What is true of addresses.
    pub constraints: Vec<Term>,
    pub(crate) reads: FxHashMap<(u32, Term, u32), Scalar>,
    pub(crate) next_layer: u32,
    /// The pointer that an address was taken of.
    origins: FxHashMap<Term, Pointer>,
    /// Where each piece of a global's initialiser begins.
    initialisers: FxHashMap<Global, Vec<(u64, usize)>>,
    /// For pieces of any value in initialisers.
    global_unknowns: FxHashMap<Global, Unknown>,
    /// The value that free variables are named after, and how many there were.
    naming: Option<(Option<Value>, u32)>,
    layout: Layout,
    /// The units of objects.
    pub(crate) sizes: WordSizes,
    /// With raw pointers: the object that owns a part of the address space.
    slots: FxHashMap<u64, Object>,
}

impl<'a> World<'a> {
    /// A world with the program's functions and globals.
    pub fn new(terms: &'a mut Terms, module: &'a Module, encoding: Encoding) -> World<'a> {
        let pointer_bits = module.machine.pointer_bits;
        let layout = Layout::new(terms, pointer_bits, encoding, module.funcs.len() as u64);
        let constraints = layout.constraints(terms);
        let mut world = World {
            terms,
            module,
            encoding,
            pointers: Pointers::default(),
            objects: base::Map::new(),
            unknowns: Unknowns::default(),
            pointer_bits,
            exposed: BTreeSet::new(),
            global_objects: base::Map::new(),
            function_objects: base::Map::new(),
            stored: BTreeSet::new(),
            gap: None,
            gaps_if: Vec::new(),
            observed: Vec::new(),
            looked: None,
            ended: BTreeSet::new(),
            lives: Lives::default(),
            shadowed: asks_for_shadow(module),
            constraints,
            reads: FxHashMap::default(),
            next_layer: 0,
            origins: FxHashMap::default(),
            initialisers: FxHashMap::default(),
            global_unknowns: FxHashMap::default(),
            naming: None,
            layout,
            sizes: WordSizes::default(),
            slots: FxHashMap::default(),
        };
        let zero = world.word(0);
        world.objects.push(ObjectInfo {
            kind: Kind::Nowhere,
            size: zero,
            fixed: None,
            base: zero,
            constant: false,
            var: None,
            place: None,
            word: 1,
        });
        let sizes = WordSizes::new(module, encoding);
        for func in module.funcs.keys() {
            let (variable, base) = if world.is_free() {
                let (variable, base) = layout::anywhere(world.terms, pointer_bits, 1);
                (Some(variable), base)
            } else {
                let address = layout::function(pointer_bits, func.index() as u64);
                (None, world.word(address))
            };
            let object = world.objects.push(ObjectInfo {
                kind: Kind::Function(func),
                size: zero,
                fixed: Some(0),
                base,
                constant: false,
                var: None,
                place: None,
                word: 1,
            });
            world.function_objects.push(object);
            if let Some(variable) = variable {
                world.lives.place(variable, object);
            }
        }
        for (global, data) in module.globals.iter() {
            let size = world.word(data.size);
            let kind = Kind::Global(global);
            let word = sizes.global(global);
            let object = world.allocate(kind, size, data.align, word);
            world.objects[object].constant = data.constant;
            world.objects[object].var = data.var;
            world.global_objects.push(object);
        }
        world.layout.seal();
        world.sizes = sizes;
        world
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
    pub fn allocate(&mut self, kind: Kind, size: Term, align: u64, word: u32) -> Object {
        let fixed = self.terms.as_u64(size);
        if self.is_free() {
            let (variable, base) = layout::anywhere(self.terms, self.pointer_bits, align);
            let object = self.objects.push(ObjectInfo {
                kind,
                size,
                fixed,
                base,
                constant: false,
                var: None,
                place: None,
                word,
            });
            self.lives.place(variable, object);
            return object;
        }
        let Some(base) = self.layout.place(self.terms, kind, fixed, align) else {
            self.gap = Some("the address space of the memory model is exhausted");
            let zero = self.word(0);
            return self.objects.push(ObjectInfo {
                kind,
                size,
                fixed,
                base: zero,
                constant: false,
                var: None,
                place: None,
                word,
            });
        };
        let object = self.objects.push(ObjectInfo {
            kind,
            size,
            fixed,
            base,
            constant: false,
            var: None,
            place: None,
            word,
        });
        if self.is_raw() {
            let address = self.terms.as_u64(base).expect("raw addresses are constant");
            self.slots.insert(self.layout.slot(address), object);
        }
        object
    }

    /// Does the object certainly fit the room that its address was given?
    pub(crate) fn fits_room(&mut self, object: Object) -> Term {
        if self.objects[object].fixed.is_some() || self.is_free() {
            return self.terms.tru();
        }
        let room = self.word(self.layout.reserve());
        let size = self.objects[object].size;
        self.terms.ule(size, room)
    }

    /// Are pointers nothing but addresses?
    pub fn is_raw(&self) -> bool {
        self.encoding.pointers == PointerStyle::Raw
    }

    /// May objects lie anywhere?
    pub fn is_free(&self) -> bool {
        self.encoding.allocator == Allocator::Free
    }

    /// The null pointer.
    pub fn null(&mut self) -> Pointer {
        let zero = self.word(0);
        self.pointers.make(self.terms, NOWHERE, zero)
    }

    /// The pointer into an object at a constant offset.
    pub fn pointer(&mut self, object: Object, offset: i64) -> Pointer {
        let offset = self.word(offset as u64);
        if self.is_raw() {
            let base = self.objects[object].base;
            let address = self.terms.add(base, offset);
            return self.pointers.make(self.terms, NOWHERE, address);
        }
        self.pointers.make(self.terms, object, offset)
    }

    /// Does a raw pointer that is moved by a number of bytes leave the part of the address space that
    /// belongs to its object? Then nobody could tell any more which one that was.
    pub fn leaves_slot(&mut self, from: Pointer, to: Pointer) -> Term {
        let (from, to) = (self.address_term(from), self.address_term(to));
        let (low, high) = (self.layout.slot_bits(), self.pointer_bits - 1);
        let before = self.terms.extract(from, high, low);
        let after = self.terms.extract(to, high, low);
        self.terms.ne(before, after)
    }

    /// The alternatives of a raw address: each object whose part of the address space it lies in.
    fn resolve_raw(&mut self, alternative: Alternative) -> Vec<Alternative> {
        let address = alternative.offset;
        let (low, high) = (self.layout.slot_bits(), self.pointer_bits - 1);
        let mut found = Vec::new();
        let mut slots: Vec<(u64, Object)> = match self.terms.as_u64(address) {
            Some(constant) => {
                let slot = self.layout.slot(constant);
                self.slots
                    .get(&slot)
                    .map(|&object| (slot, object))
                    .into_iter()
                    .collect()
            }
            None => self
                .slots
                .iter()
                .map(|(&slot, &object)| (slot, object))
                .collect(),
        };
        slots.sort_unstable();
        let part = self.terms.extract(address, high, low);
        let mut rest = alternative.guard;
        for (slot, object) in slots {
            let number = self.terms.bv_u64(slot, high - low + 1);
            let mine = self.terms.eq(part, number);
            let guard = self.terms.and(rest, mine);
            if self.terms.as_bool(guard) == Some(false) {
                continue;
            }
            let base = self.objects[object].base;
            let offset = self.terms.sub(address, base);
            found.push(Alternative {
                guard,
                object,
                offset,
            });
            let other = self.terms.not(mine);
            rest = self.terms.and(rest, other);
        }
        found.push(Alternative {
            guard: rest,
            ..alternative
        });
        found
    }

    /// The address of a pointer, as a term of pointer width; exposes its objects.
    pub fn address(&mut self, pointer: Pointer) -> Term {
        let alternatives = if self.is_raw() {
            self.resolve(pointer)
        } else {
            self.pointers.alternatives(pointer).to_vec()
        };
        for alternative in alternatives {
            if alternative.object != NOWHERE {
                self.exposed.insert(alternative.object);
                self.observed.push(alternative.object);
                self.looked = Some("an address as a number");
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
            if self.is_raw() {
                resolved.extend(self.resolve_raw(alternative));
                continue;
            }
            let mut rest = alternative.guard;
            for (object, applies) in self.candidates() {
                self.looked = Some("the object at an address that is a number");
                let (base, size) = (self.objects[object].base, self.objects[object].size);
                let offset = self.terms.sub(alternative.offset, base);
                let inside = self.terms.ult(offset, size);
                let inside = self.terms.and(inside, applies);
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

    /// The objects that a number may be an address of, and when: what is alive comes before what was, and
    /// may have lain there.
    fn candidates(&mut self) -> Vec<(Object, Term)> {
        let always = self.terms.tru();
        let mut list = Vec::with_capacity(self.exposed.len());
        let mut dead = Vec::new();
        for &object in &self.exposed {
            let alive = if self.is_free() {
                self.lives.alive(object).unwrap_or(always)
            } else {
                always
            };
            list.push((object, alive));
            if alive != always {
                dead.push((object, always));
            }
        }
        list.append(&mut dead);
        list
    }

    /// Unknown contents.
    pub fn unknown(&mut self) -> Unknown {
        let name = match self.next_name("bytes") {
            Some(name) => name,
            None => format!("unknown{}", self.unknowns.list.len()),
        };
        self.unknown_named(name)
    }

    fn unknown_named(&mut self, name: String) -> Unknown {
        self.unknowns.list.push(UnknownBytes::new(name))
    }

    /// Free variables are named after this value from now on, in the order in which they are made;
    /// by default they are numbered.
    pub fn name_after(&mut self, value: Option<Value>) {
        self.naming = Some((value, 0));
    }

    fn next_name(&mut self, what: &str) -> Option<String> {
        let (value, number) = self.naming.as_mut()?;
        *number += 1;
        Some(match value {
            Some(value) => format!("{value}.{what}.{number}"),
            None => format!("{what}.{number}"),
        })
    }

    /// A free variable.
    pub fn fresh(&mut self, what: &str, sort: Sort) -> Term {
        match self.next_name(what) {
            Some(name) => self.terms.var(&name, sort),
            None => self.terms.fresh(what, sort),
        }
    }

    /// The shadow of an object, if anybody asks what is initialised.
    pub(crate) fn shadow(&mut self, init: Init, word: u32) -> Option<Contents> {
        self.shadowed.then(|| self.contents(init, word))
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
                        let name = format!("global.{}", module.globals[global].name);
                        let unknown = self.unknown_named(name);
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
        self.fresh(prefix, Sort::BitVec(width))
    }
}

/// Does the program ask what is initialised?
fn asks_for_shadow(module: &Module) -> bool {
    let bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    bodies
        .flat_map(|body| body.insts.values())
        .any(|inst| matches!(inst.op, Op::LoadShadow { .. }))
}
