//! Symbolic pointers: which object, and where in it.
//!
//! A pointer is a list of alternatives `(guard, object, offset)` sorted by object. The guards
//! exclude each other, and on every path that uses the pointer one of them holds. Object 0 stands
//! for *no object*: its offset is the address itself (null is offset 0). A pointer that was merged
//! over a join has one alternative for each object, however many paths there were; an access goes
//! through the alternatives and never asks which of all objects an address could mean.
//!
//! Pointers are interned: equal pointers have equal ids.
//!
//! What a pointer is, is a choice: [`PointerStyle`]. A new style is one file here, with a type that is
//! [`Style`], and one row of `styles!`.

use std::rc::Rc;

use base::id;
use rustc_hash::FxHashMap;
use terms::{Term, Terms};

use crate::world::World;

mod fat;
mod raw;

id! {
    /// A pointer.
    Pointer, "ptr"
}
id! {
    /// An object of the evaluation: each executed allocation makes one. `obj0` is no object.
    Object, "obj"
}

/// No object: an integer as an address.
pub const NOWHERE: Object = Object::from_index(0);

/// Bits of an owner: the number of the object that a pointer in memory belongs to, 0 if there is none.
pub(crate) const OWNER: u32 = 32;

/// What a pointer is.
pub(crate) trait Style {
    /// The pointer into an object at an offset.
    fn point(&self, world: &mut World<'_>, object: Object, offset: Term) -> Pointer;
    /// What an address other than null means that is about to be used: objects, and none of them.
    fn find(&self, world: &mut World<'_>, number: Alternative) -> Vec<Alternative>;
    /// What a pointer means that is only looked at.
    fn objects_of(&self, world: &mut World<'_>, pointer: Pointer) -> Vec<Alternative>;
    /// Any pointer with an address that belongs to its owner, one of these objects in order, or to none.
    fn of_any(
        &self,
        world: &mut World<'_>,
        objects: &[Object],
        address: Term,
        owner: Term,
    ) -> Pointer;
    /// Is a number in memory a pointer like any other?
    fn numbers_are_pointers(&self) -> bool;
    /// When a pointer that is moved no longer tells which object it belongs to, and what is said then.
    fn strays(
        &self,
        world: &mut World<'_>,
        from: Pointer,
        to: Pointer,
    ) -> Option<(Term, &'static str)>;
    /// An object got its address.
    fn placed(&self, world: &mut World<'_>, object: Object);
    /// How many bits of an address tell the place inside of the part of the address space that belongs to one
    /// object; none if there are no such parts.
    fn slot_bits(&self, pointer_bits: u32) -> Option<u32>;
}

/// The styles: what an option calls them, what it says of them, and where they are.
macro_rules! styles {
    ($($(#[$doc:meta])* $name:ident, $word:literal, $help:literal, $module:ident::$ty:ident;)+) => {
        /// What a pointer is.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub enum PointerStyle { $($(#[$doc])* $name,)+ }

        impl PointerStyle {
            /// All of them, by what an option calls them and says of them.
            pub const ALL: &'static [(&'static str, &'static str, PointerStyle)] =
                &[$(($word, $help, PointerStyle::$name)),+];

            /// Has every object a part of the address space of its own, at a constant address? Then whatever a pointer
            /// does depends on addresses.
            pub fn needs_addresses(self) -> bool {
                self.style().slot_bits(64).is_some()
            }

            pub(crate) fn style(self) -> &'static dyn Style {
                match self { $(PointerStyle::$name => &$module::$ty,)+ }
            }
        }
    };
}

styles! {
    /// It knows its object, wherever it points.
    #[default]
    Fat, "fat", "Object and offset", fat::Fat;
    /// An address; which object it means is found when it is used.
    Raw, "raw", "An address", raw::Raw;
}

/// One possibility.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Alternative {
    /// When it applies.
    pub guard: Term,
    /// The object.
    pub object: Object,
    /// Byte offset in the object; of pointer width.
    pub offset: Term,
}

/// All pointers.
#[derive(Default)]
pub struct Pointers {
    list: base::Map<Pointer, Rc<[Alternative]>>,
    ids: FxHashMap<Rc<[Alternative]>, Pointer>,
    /// What raw pointers keep.
    slots: raw::Slots,
}

impl Pointers {
    /// The alternatives of a pointer.
    pub fn alternatives(&self, pointer: Pointer) -> Rc<[Alternative]> {
        self.list[pointer].clone()
    }

    /// The only alternative, if there is only one.
    pub fn single(&self, pointer: Pointer) -> Option<Alternative> {
        match &*self.list[pointer] {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The pointer into an object at an offset.
    pub fn make(&mut self, terms: &mut Terms, object: Object, offset: Term) -> Pointer {
        let guard = terms.tru();
        self.intern(vec![Alternative {
            guard,
            object,
            offset,
        }])
    }

    /// A pointer with these alternatives, which are sorted by object.
    pub fn intern(&mut self, alternatives: Vec<Alternative>) -> Pointer {
        debug_assert!(
            alternatives
                .windows(2)
                .all(|pair| pair[0].object < pair[1].object)
        );
        if let Some(&pointer) = self.ids.get(alternatives.as_slice()) {
            return pointer;
        }
        let shared: Rc<[Alternative]> = alternatives.into();
        let pointer = self.list.push(shared.clone());
        self.ids.insert(shared, pointer);
        pointer
    }

    /// The first pointer if the gate holds, else the second.
    pub fn merge(&mut self, terms: &mut Terms, gate: Term, a: Pointer, b: Pointer) -> Pointer {
        match terms.as_bool(gate) {
            Some(true) => return a,
            Some(false) => return b,
            None if a == b => return a,
            None => {}
        }
        let (left, right) = (self.alternatives(a), self.alternatives(b));
        let negated = terms.not(gate);
        let mut merged = Vec::with_capacity(left.len().max(right.len()));
        let (mut i, mut j) = (0, 0);
        while i < left.len() || j < right.len() {
            let first = left.get(i).map(|x| x.object);
            let second = right.get(j).map(|x| x.object);
            if first == second {
                let (x, y) = (left[i], right[j]);
                let guard = terms.ite(gate, x.guard, y.guard);
                let offset = terms.ite(gate, x.offset, y.offset);
                merged.push(Alternative {
                    guard,
                    object: x.object,
                    offset,
                });
                i += 1;
                j += 1;
            } else if second.is_none() || first.is_some_and(|x| Some(x) < second) {
                let guard = terms.and(gate, left[i].guard);
                merged.push(Alternative { guard, ..left[i] });
                i += 1;
            } else {
                let guard = terms.and(negated, right[j].guard);
                merged.push(Alternative { guard, ..right[j] });
                j += 1;
            }
        }
        merged.retain(|x| terms.as_bool(x.guard) != Some(false));
        self.intern(merged)
    }

    /// Moves every alternative by a number of bytes.
    pub fn advance(&mut self, terms: &mut Terms, pointer: Pointer, bytes: Term) -> Pointer {
        let moved = self.list[pointer]
            .clone()
            .iter()
            .map(|x| Alternative {
                offset: terms.add(x.offset, bytes),
                ..*x
            })
            .collect();
        self.intern(moved)
    }
}

impl World<'_> {
    pub(crate) fn style(&self) -> &'static dyn Style {
        self.encoding.pointers.style()
    }

    /// The null pointer.
    pub fn null(&mut self) -> Pointer {
        let zero = self.word(0);
        self.pointers.make(self.terms, NOWHERE, zero)
    }

    /// The pointer into an object at a constant offset.
    pub fn pointer(&mut self, object: Object, offset: i64) -> Pointer {
        let offset = self.word(offset as u64);
        self.style().point(self, object, offset)
    }

    /// Does a pointer in memory belong to the object?
    pub(crate) fn owns(&mut self, object: Object, owner: Term) -> Term {
        let number = self.terms.bv_u64(object.index() as u64, OWNER);
        let named = self.terms.eq(owner, number);
        match self.exists(object) {
            Some(exists) => self.terms.and(exists, named),
            None => named,
        }
    }

    /// Any pointer with an address that belongs to its owner, one of these objects in order, or to none.
    pub(crate) fn pointer_of_any(
        &mut self,
        objects: &[Object],
        address: Term,
        owner: Term,
    ) -> Pointer {
        self.style().of_any(self, objects, address, owner)
    }

    /// What a pointer means that is only looked at.
    pub(crate) fn objects_of(&mut self, pointer: Pointer) -> Vec<Alternative> {
        self.style().objects_of(self, pointer)
    }

    /// The alternatives of a pointer that is about to be used: those without an object get the objects
    /// that an address may mean.
    pub fn resolve(&mut self, pointer: Pointer) -> Vec<Alternative> {
        let alternatives = self.pointers.alternatives(pointer);
        let mut resolved: Vec<Alternative> = Vec::with_capacity(alternatives.len());
        for &alternative in alternatives.iter() {
            match alternative.object == NOWHERE {
                true => resolved.extend(self.objects_at(alternative)),
                false => resolved.push(alternative),
            }
        }
        resolved.retain(|alternative| self.terms.as_bool(alternative.guard) != Some(false));
        self.note_look(pointer, &resolved);
        resolved
    }

    /// The objects, dead or alive, that the address of an alternative without one may lead to.
    pub(crate) fn objects_at(&mut self, alternative: Alternative) -> Vec<Alternative> {
        match self.terms.as_u64(alternative.offset) {
            Some(0) => vec![alternative],
            Some(_) | None => self.style().find(self, alternative),
        }
    }
}
