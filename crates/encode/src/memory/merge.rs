//! Merging two versions where paths meet: only what differs is looked at.

use std::rc::Rc;

use terms::Term;

use super::{CHUNK, Contents, Memory, Piece, Scalar, State, Under, Write};
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
        State {
            alive,
            modified,
            contents,
        }
    }

    /// The first contents if the gate holds, else the second.
    pub fn merge_contents(
        &mut self,
        gate: Term,
        a: &Contents,
        b: &Contents,
        size: Option<u64>,
    ) -> Contents {
        if a.same(b) {
            return a.clone();
        }
        if a.same_under(b) {
            return self.merge_bytes(gate, a, b, size);
        }
        // One side is the other plus one write: the write becomes conditional.
        if let Some(merged) = self.guard_write(gate, a, b) {
            return merged;
        }
        let negated = self.terms.not(gate);
        if let Some(merged) = self.guard_write(negated, b, a) {
            return merged;
        }
        self.layer(
            b,
            Write::Choice {
                gate,
                other: a.clone(),
            },
        )
    }

    fn guard_write(&mut self, gate: Term, newer: &Contents, older: &Contents) -> Option<Contents> {
        let Under::Layer(layer) = &newer.under else {
            return None;
        };
        if !newer.bytes.is_empty() || !layer.below.same(older) {
            return None;
        }
        let layer = layer.clone();
        let write = match &layer.write {
            &Write::Store {
                guard,
                offset,
                width,
                scalar,
            } => Write::Store {
                guard: self.terms.and(gate, guard),
                offset,
                width,
                scalar,
            },
            &Write::Set {
                guard,
                offset,
                len,
                byte,
            } => Write::Set {
                guard: self.terms.and(gate, guard),
                offset,
                len,
                byte,
            },
            Write::Copy {
                guard,
                offset,
                len,
                source,
                from,
                size,
            } => Write::Copy {
                guard: self.terms.and(gate, *guard),
                offset: *offset,
                len: *len,
                source: source.clone(),
                from: *from,
                size: *size,
            },
            Write::Choice { gate: inner, other } => Write::Choice {
                gate: self.terms.and(gate, *inner),
                other: other.clone(),
            },
        };
        Some(self.layer(older, write))
    }

    fn merge_bytes(
        &mut self,
        gate: Term,
        a: &Contents,
        b: &Contents,
        size: Option<u64>,
    ) -> Contents {
        let mut merged = a.clone();
        let end = size.unwrap_or(u64::MAX);
        // A scalar may reach into the next chunk: bytes below this offset are merged already.
        let mut done = 0;
        for index in a.bytes.differences(&b.bytes) {
            let first = index * CHUNK;
            let mut i = 0;
            while i < CHUNK {
                let at = first + i;
                let (x, y) = (a.piece(at), b.piece(at));
                if x == y || at >= end || at < done {
                    // A scalar that reaches beyond its object keeps what the first side has.
                    i += 1;
                    continue;
                }
                let width = common_unit(a, b, at).min(end - at) as u32;
                let left = self.read_at(a, at, width);
                let right = self.read_at(b, at, width);
                let scalar = self.merge_scalars(gate, left, right);
                let always = self.terms.tru();
                merged = self.write_at(&merged, always, at, scalar, width);
                i += width as u64;
                done = at + width as u64;
            }
        }
        merged
    }
}

/// The width of the scalars that begin at an offset on both sides (or on one, over holes); else 1.
fn common_unit(a: &Contents, b: &Contents, at: u64) -> u64 {
    let unit = |contents: &Contents| match contents.piece(at) {
        Piece::Byte {
            scalar,
            index: 0,
            width,
        } => {
            let whole = (0..width).all(|i| {
                contents.piece(at + i as u64)
                    == Piece::Byte {
                        scalar,
                        index: i,
                        width,
                    }
            });
            if whole { Some(width as u64) } else { Some(1) }
        }
        Piece::Byte { .. } => Some(1),
        Piece::Hole => None,
    };
    let holes =
        |contents: &Contents, width: u64| (0..width).all(|i| contents.piece(at + i) == Piece::Hole);
    match (unit(a), unit(b)) {
        (Some(x), Some(y)) if x == y => x,
        (Some(x), None) if holes(b, x) => x,
        (None, Some(y)) if holes(a, y) => y,
        _ => 1,
    }
}
