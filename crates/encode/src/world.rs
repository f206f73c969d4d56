//! Everything an evaluation makes: terms, pointers, objects and where they lie.
//!
//! Every executed allocation makes an object of its own, at an address that `layout` chooses. Access
//! rules never look at addresses: they compare offsets with sizes. Addresses matter where a program
//! looks at them: comparisons of different objects, casts to integers and back.

use std::collections::BTreeSet;

use ir::syntax::{Const, Func, Global, Module, Op, PlaceId, Value, Var};
use rustc_hash::FxHashMap;
use terms::{Sort, Term, Terms};

use crate::crowd::Crowds;
use crate::encoding::{Allocator, Encoding};
use crate::layout::{self, Layout};
use crate::lives::Lives;
use crate::memory::{Contents, Init, Initialisers, Kept, Shared, Unknown, UnknownBytes};
use crate::pointer::{NOWHERE, Object, Pointer, Pointers};
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

/// What happened while an instruction was evaluated, until the evaluation asks (`Evaluation::note_gap`).
#[derive(Default)]
pub(crate) struct Noticed {
    /// What could not be represented.
    pub(crate) gap: Option<&'static str>,
    /// What could not be represented, if something holds.
    pub(crate) gaps_if: Vec<(Term, &'static str)>,
    /// Objects whose address mattered.
    pub(crate) observed: Vec<Object>,
    /// What was asked about addresses, if layouts may differ in the answer.
    pub(crate) looked: Option<&'static str>,
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
    pub unknowns: base::Map<Unknown, UnknownBytes>,
    /// Width of pointers.
    pub pointer_bits: u32,
    /// Objects whose address became an integer: an address can lead back to them.
    pub exposed: BTreeSet<Object>,
    /// Addresses that unknown code made up: none of an object that it has never seen.
    pub(crate) made_up: BTreeSet<Term>,
    /// The objects of globals and functions.
    pub global_objects: base::Map<Global, Object>,
    /// The objects of functions.
    pub function_objects: base::Map<Func, Object>,
    /// What the evaluation is to hear of.
    pub(crate) noticed: Noticed,
    /// Objects whose life may be over.
    pub(crate) ended: BTreeSet<Object>,
    /// With free bases: when objects live.
    pub(crate) lives: Lives,
    /// Objects without number.
    pub(crate) crowds: Crowds,
    /// Does the program ask what is initialised?
    shadowed: bool,
    /// What is true of addresses.
    pub constraints: Vec<Term>,
    /// What representations of memory keep.
    pub(crate) kept: Kept,
    /// The pointer that an address was taken of.
    origins: FxHashMap<Term, Pointer>,
    /// What is known of globals' initialisers.
    pub(crate) initialisers: Initialisers,
    /// The value that free variables are named after, and how many there were.
    naming: Option<(Option<Value>, u32)>,
    pub(crate) layout: Layout,
    /// The units of objects.
    pub(crate) sizes: WordSizes,
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
            unknowns: base::Map::new(),
            pointer_bits,
            exposed: BTreeSet::new(),
            made_up: BTreeSet::new(),
            global_objects: base::Map::new(),
            function_objects: base::Map::new(),
            noticed: Noticed::default(),
            ended: BTreeSet::new(),
            lives: Lives::default(),
            crowds: Crowds::default(),
            shadowed: asks_for_shadow(module),
            constraints,
            kept: Kept::default(),
            origins: FxHashMap::default(),
            initialisers: Initialisers::default(),
            naming: None,
            layout,
            sizes: WordSizes::default(),
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
            self.noticed.gap = Some("the address space of the memory model is exhausted");
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
        self.style().placed(self, object);
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

    /// May objects lie anywhere?
    pub fn is_free(&self) -> bool {
        self.encoding.allocator == Allocator::Free
    }

    /// The address of a pointer, as a term of pointer width; exposes its objects.
    pub fn address(&mut self, pointer: Pointer) -> Term {
        for alternative in self.objects_of(pointer) {
            if alternative.object != NOWHERE {
                self.exposed.insert(alternative.object);
                self.noticed.observed.push(alternative.object);
                self.noticed.looked = Some("an address as a number");
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

    /// Free variables are named after this value from now on, in the order in which they are made;
    /// by default they are numbered.
    pub fn name_after(&mut self, value: Option<Value>) {
        self.naming = Some((value, 0));
    }

    pub(crate) fn next_name(&mut self, what: &str) -> Option<String> {
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
    pub(crate) fn shadow(
        &mut self,
        shared: &mut Shared,
        init: Init,
        word: u32,
    ) -> Option<Contents> {
        self.shadowed.then(|| self.contents(shared, init, word))
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
