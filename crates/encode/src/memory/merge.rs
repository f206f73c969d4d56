//! Merging two versions where paths meet: only what differs is looked at.

use std::rc::Rc;

use terms::Term;

use super::{Memory, Scalar, Shared, State};
use crate::pointer::Object;
use crate::world::World;

impl World<'_> {
    /// The first scalar if the gate holds, else the second; both of one width.
    pub fn merge_scalars(&mut self, gate: Term, a: Scalar, b: Scalar) -> Scalar {
        match (a, b) {
            (Scalar::Bits(x), Scalar::Bits(y)) => Scalar::Bits(self.terms.ite(gate, x, y)),
            (Scalar::Pointer(x), Scalar::Pointer(y)) => {
                Scalar::Pointer(self.pointers.merge(self.terms, gate, x, y))
            }
            (Scalar::Pointer(x), Scalar::Bits(y)) => {
                let y = self.pointer_from_bits(y);
                Scalar::Pointer(self.pointers.merge(self.terms, gate, x, y))
            }
            (Scalar::Bits(x), Scalar::Pointer(y)) => {
                let x = self.pointer_from_bits(x);
                Scalar::Pointer(self.pointers.merge(self.terms, gate, x, y))
            }
        }
    }

    /// The first memory if the gate holds, else the second.
    pub fn merge_memories(&mut self, gate: Term, a: &Memory, b: &Memory) -> Memory {
        match self.terms.as_bool(gate) {
            Some(true) => return a.clone(),
            Some(false) => return b.clone(),
            None => {}
        }
        let mut merged = a.clone();
        merged.shared = Shared::merge(self, gate, &a.shared, &b.shared);
        for index in a.objects.differences(&b.objects) {
            let object = Object::from_index(index as usize);
            let (left, right) = (a.objects.get(index).cloned(), b.objects.get(index).cloned());
            let state = match (left, right) {
                (Some(left), Some(right)) => self.merge_states(object, gate, &left, &right),
                // Allocated on one side only: elsewhere it does not live.
                (Some(left), None) => {
                    let alive = self.terms.and(gate, left.alive);
                    State {
                        alive,
                        ..(*left).clone()
                    }
                }
                (None, Some(right)) => {
                    let negated = self.terms.not(gate);
                    let alive = self.terms.and(negated, right.alive);
                    State {
                        alive,
                        ..(*right).clone()
                    }
                }
                (None, None) => unreachable!("a difference has an entry on one side"),
            };
            merged.set(object, state);
        }
        merged
    }

    fn merge_states(&mut self, object: Object, gate: Term, a: &Rc<State>, b: &Rc<State>) -> State {
        let alive = self.terms.ite(gate, a.alive, b.alive);
        let modified = self.terms.ite(gate, a.modified, b.modified);
        let size = self.objects[object].fixed;
        // What is dead on one side is never read there: keep the other side's contents.
        let contents = if self.terms.as_bool(a.alive) == Some(false) {
            b.contents.clone()
        } else if self.terms.as_bool(b.alive) == Some(false) {
            a.contents.clone()
        } else {
            self.merge_contents(gate, &a.contents, &b.contents, size)
        };
        let shadow = match (&a.shadow, &b.shadow) {
            (Some(x), Some(y)) => Some(self.merge_contents(gate, x, y, size)),
            (x, y) => x.clone().or_else(|| y.clone()),
        };
        State {
            alive,
            modified,
            contents,
            shadow,
        }
    }
}
