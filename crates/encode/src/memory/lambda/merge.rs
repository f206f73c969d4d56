//! Merging two contents where paths meet: only what differs is looked at.

use terms::Term;

use super::{CHUNK, Lambda, Under, Write};
use crate::memory::Piece;
use crate::world::World;

impl World<'_> {
    /// The first contents if the gate holds, else the second.
    pub(super) fn merge_lambda(
        &mut self,
        gate: Term,
        a: &Lambda,
        b: &Lambda,
        size: Option<u64>,
    ) -> Lambda {
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

    fn guard_write(&mut self, gate: Term, newer: &Lambda, older: &Lambda) -> Option<Lambda> {
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

    fn merge_bytes(&mut self, gate: Term, a: &Lambda, b: &Lambda, size: Option<u64>) -> Lambda {
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
                done = at.saturating_add(width as u64);
            }
        }
        merged
    }
}

/// The width of the scalars that begin at an offset on both sides (or on one, over holes); else 1.
fn common_unit(a: &Lambda, b: &Lambda, at: u64) -> u64 {
    let unit = |contents: &Lambda| match contents.piece(at) {
        Piece::Byte {
            scalar,
            index: 0,
            width,
        } => {
            let whole = (0..width).all(|i| {
                contents.piece(at.wrapping_add(i as u64))
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
    let holes = |contents: &Lambda, width: u64| {
        (0..width).all(|i| contents.piece(at.wrapping_add(i)) == Piece::Hole)
    };
    match (unit(a), unit(b)) {
        (Some(x), Some(y)) if x == y => x,
        (Some(x), None) if holes(b, x) => x,
        (None, Some(y)) if holes(a, y) => y,
        _ => 1,
    }
}
