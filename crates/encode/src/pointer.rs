//! Symbolic pointers: which object, and where in it.
//!
//! A pointer is a list of alternatives `(guard, object, offset)` sorted by object. The guards
//! exclude each other, and on every path that uses the pointer one of them holds. Object 0 stands
//! for *no object*: its offset is the address itself (null is offset 0). A pointer that was merged
//! over a join has one alternative for each object, however many paths there were; an access goes
//! through the alternatives and never asks which of all objects an address could mean.
//!
//! Pointers are interned: equal pointers have equal ids.

use std::rc::Rc;

use base::id;
use rustc_hash::FxHashMap;
use terms::{Term, Terms};

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
