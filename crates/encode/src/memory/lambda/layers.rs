//! What one layer says about a read.

use terms::Term;

use super::read::{Place, Says, Task};
use super::{Layer, Write};
use crate::memory::Scalar;
use crate::util::trailing_zeros;
use crate::world::World;

impl World<'_> {
    /// What one layer says about a read.
    pub(super) fn layer_says(&mut self, layer: &Layer, place: Place) -> Says {
        let Place { offset, width, .. } = place;
        match &layer.write {
            &Write::Store {
                guard,
                offset: at,
                width: written,
                scalar,
            } => {
                let distance = self.terms.sub(offset, at);
                if written == width && self.is_multiple(distance, width) {
                    let same = self.terms.eq(offset, at);
                    let gate = self.terms.and(guard, same);
                    return self.says(gate, scalar);
                }
                let apart = self.store_apart(distance, width, written);
                if self.terms.as_bool(apart) == Some(true)
                    || self.terms.as_bool(guard) == Some(false)
                {
                    return Says::Nothing;
                }
                if width > 1 {
                    return Says::Bytewise;
                }
                let bound = self.word(written as u64);
                let inside = self.terms.ult(distance, bound);
                let gate = self.terms.and(guard, inside);
                let bits = self.scalar_bits(scalar);
                let value = match self.terms.as_u64(distance) {
                    Some(index) if index < written as u64 => {
                        let low = index as u32 * 8;
                        self.terms.extract(bits, low + 7, low)
                    }
                    Some(_) => return Says::Nothing,
                    None => {
                        let total = written * 8;
                        let narrow = self.fit(distance, total);
                        let three = self.terms.bv_u64(3, total);
                        let amount = self.terms.shl(narrow, three);
                        let shifted = self.terms.lshr(bits, amount);
                        self.terms.extract(shifted, 7, 0)
                    }
                };
                self.says(gate, Scalar::Bits(value))
            }
            &Write::Set {
                guard,
                offset: at,
                len,
                byte,
            } => {
                let distance = self.terms.sub(offset, at);
                if width > 1 && !(self.is_multiple(distance, width) && self.is_multiple(len, width))
                {
                    return Says::Bytewise;
                }
                let inside = self.terms.ult(distance, len);
                let gate = self.terms.and(guard, inside);
                let mut value = byte;
                for _ in 1..width {
                    value = self.terms.concat(byte, value);
                }
                self.says(gate, Scalar::Bits(value))
            }
            Write::Copy {
                guard,
                offset: at,
                len,
                source,
                from,
                size: extent,
            } => {
                let distance = self.terms.sub(offset, *at);
                if width > 1
                    && !(self.is_multiple(distance, width) && self.is_multiple(*len, width))
                {
                    return Says::Bytewise;
                }
                let inside = self.terms.ult(distance, *len);
                let gate = self.terms.and(*guard, inside);
                if self.terms.as_bool(gate) == Some(false) {
                    return Says::Nothing;
                }
                let there = Place {
                    offset: self.terms.add(*from, distance),
                    width,
                    size: *extent,
                };
                Says::Read(gate, Task::Contents(source.clone(), there))
            }
            Write::Choice { gate, other } => {
                Says::Read(*gate, Task::Contents(other.clone(), place))
            }
        }
    }

    fn says(&mut self, gate: Term, scalar: Scalar) -> Says {
        match self.terms.as_bool(gate) {
            Some(true) => Says::Value(scalar),
            Some(false) => Says::Nothing,
            None => Says::If(gate, scalar),
        }
    }

    /// Do a read and a store at this distance certainly not overlap?
    fn store_apart(&mut self, distance: Term, read: u32, written: u32) -> Term {
        // They overlap iff -read < distance < written, that is distance + read - 1 < written + read - 1.
        let shift = self.word(read as u64 - 1);
        let moved = self.terms.add(distance, shift);
        let bound = self.word((written + read - 1) as u64);
        let overlap = self.terms.ult(moved, bound);
        self.terms.not(overlap)
    }

    /// Is the offset certainly a multiple of the width (a power of two)?
    fn is_multiple(&self, offset: Term, width: u32) -> bool {
        width.is_power_of_two() && trailing_zeros(self.terms, offset) >= width.trailing_zeros()
    }

    /// A bit-vector of pointer width, zero-extended or truncated.
    fn fit(&mut self, term: Term, width: u32) -> Term {
        let have = self.terms.width(term);
        if have >= width {
            self.terms.trunc(term, width)
        } else {
            self.terms.zext(term, width)
        }
    }
}
