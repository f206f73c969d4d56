//! Where objects lie.
//!
//! ```text
//!   0      functions   globals   heap →                    ← stack      top
//! ```
//!
//! Every object has an address of its own, which is never used again. Objects do not touch: no
//! pointer one past the end equals its neighbour's base. The *static* allocator gives out constants;
//! the *relative* one constant distances from where heap and stack begin, and these two are any
//! multiples of a large power of two in a range. For raw pointers each object lies in the middle of a
//! part of the address space that belongs to it alone (a *slot*), so that a pointer that leaves its
//! object by less than half of it can still be told from pointers into others.
//!
//! The *free* allocator says nothing but how an object is aligned; see [`crate::lives`].

use terms::{Sort, Term, Terms};

use crate::encoding::{Allocator, Encoding};
use crate::world::Kind;

/// Bytes between two objects.
const GAP: u64 = 16;

/// A base address that is any multiple of a power of two: its variable, and itself.
pub(crate) fn anywhere(terms: &mut Terms, pointer_bits: u32, align: u64) -> (Term, Term) {
    let zeros = align.max(1).trailing_zeros().min(pointer_bits - 1);
    let high = terms.fresh("base", Sort::BitVec(pointer_bits - zeros));
    if zeros == 0 {
        return (high, high);
    }
    let low = terms.bv_u64(0, zeros);
    (high, terms.concat(high, low))
}

/// The address of a function. No address of a 64-bit machine fits 32 bits: a pointer that went through an
/// `int` is lost there.
pub fn function(pointer_bits: u32, index: u64) -> u64 {
    let first = match pointer_bits {
        64 => 0x1_0040_1000,
        _ => 0x1000,
    };
    first + 16 * index
}

/// Where the next objects go.
pub struct Layout {
    pointer_bits: u32,
    /// The next address of a global, then of the heap.
    low: u64,
    /// Where the heap begins at the earliest.
    heap: u64,
    /// The last address of the stack.
    high: u64,
    /// Room for objects whose size is not constant.
    reserve: u64,
    /// Bits of an address inside its slot; none if there are no slots.
    slot_bits: Option<u32>,
    /// Where heap and stack begin, beyond the constants.
    starts: Option<Starts>,
}

#[derive(Clone, Copy)]
struct Starts {
    heap: Term,
    stack: Term,
    /// They are multiples of two to this.
    align_bits: u32,
    /// They are below two to this.
    range_bits: u32,
}

impl Layout {
    /// For a program with so many functions.
    pub fn new(terms: &mut Terms, pointer_bits: u32, encoding: Encoding, funcs: u64) -> Layout {
        let wide = pointer_bits == 64;
        let starts = match encoding.allocator {
            Allocator::Static | Allocator::Free => None,
            Allocator::Relative => Some(Starts {
                heap: terms.fresh("heap", Sort::BitVec(pointer_bits)),
                stack: terms.fresh("stack", Sort::BitVec(pointer_bits)),
                align_bits: if wide { 20 } else { 16 },
                range_bits: if wide { 40 } else { 24 },
            }),
        };
        let slot_bits = encoding.pointers.style().slot_bits(pointer_bits);
        let first = if wide { 0x2_1010_0000 } else { 0x10_0000 };
        let first = first.max(function(pointer_bits, funcs) + 0x1000);
        let (heap, high, reserve) = match (wide, slot_bits) {
            (true, None) => (0x1000_1000_0000, 0x7fff_ff00_0000, 1 << 32),
            (true, Some(_)) => (0x1000_0000_0000, 0x7fff_0000_0000_0000, 1 << 32),
            (false, None) => (0x3000_0000, 0xbfff_0000, 1 << 20),
            (false, Some(_)) => (0x1000_0000, 0xfff0_0000, 1 << 18),
        };
        Layout {
            pointer_bits,
            low: first,
            heap,
            high,
            reserve,
            slot_bits,
            starts,
        }
    }

    /// What is true of where heap and stack begin.
    pub fn constraints(&self, terms: &mut Terms) -> Vec<Term> {
        let Some(starts) = self.starts else {
            return Vec::new();
        };
        let mut list = Vec::new();
        for start in [starts.heap, starts.stack] {
            let limit = terms.bv_u64(1 << starts.range_bits, self.pointer_bits);
            list.push(terms.ult(start, limit));
            let low = terms.extract(start, starts.align_bits - 1, 0);
            let zero = terms.bv_u64(0, starts.align_bits);
            list.push(terms.eq(low, zero));
        }
        list
    }

    /// All globals have their place: the heap begins.
    pub fn seal(&mut self) {
        self.low = self.low.next_multiple_of(1 << 20).max(self.heap);
    }

    /// The room that objects get whose size is not constant.
    pub fn reserve(&self) -> u64 {
        self.reserve
    }

    /// Bits of an address inside its slot.
    pub fn slot_bits(&self) -> u32 {
        self.slot_bits.expect("raw pointers have slots")
    }

    /// The slot that an address lies in.
    pub fn slot(&self, address: u64) -> u64 {
        address >> self.slot_bits()
    }

    /// The base address of a new object; none if there is no room.
    pub fn place(
        &mut self,
        terms: &mut Terms,
        kind: Kind,
        size: Option<u64>,
        align: u64,
    ) -> Option<Term> {
        let room = size.unwrap_or(self.reserve).checked_add(GAP)?;
        // An object begins in the middle of its slot.
        let (room, align, inner) = match self.slot_bits {
            None => (room, align.max(16), 0),
            Some(bits) => {
                let half = 1u64 << (bits - 1);
                if room > half || align > half {
                    return None;
                }
                (1 << bits, 1 << bits, half)
            }
        };
        let range = self.starts.map_or(0, |starts| 1u64 << starts.range_bits);
        let free = self.high.checked_sub(self.low)?.checked_sub(2 * range)?;
        if room.checked_add(align)? > free {
            return None;
        }
        let address = if kind == Kind::Stack {
            self.high = (self.high - room) / align * align;
            self.high
        } else {
            let address = self.low.next_multiple_of(align);
            self.low = address + room;
            address
        };
        let constant = terms.bv_u64(address + inner, self.pointer_bits);
        match (self.starts, kind) {
            (Some(starts), Kind::Heap) => {
                let start = starts.heap;
                Some(terms.add(start, constant))
            }
            (Some(starts), Kind::Stack) => {
                let start = starts.stack;
                Some(terms.sub(constant, start))
            }
            (Some(_) | None, _) => Some(constant),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places objects and yields where they begin and end.
    fn placed(pointer_bits: u32, sizes: &[(Kind, u64, u64)]) -> Vec<(Kind, u64, u64)> {
        let mut terms = Terms::new();
        let mut layout = Layout::new(&mut terms, pointer_bits, Encoding::default(), 10);
        layout.seal();
        sizes
            .iter()
            .map(|&(kind, size, align)| {
                let base = layout.place(&mut terms, kind, Some(size), align);
                let base = terms.as_u64(base.expect("there is room"));
                let base = base.expect("a static address is constant");
                assert_eq!(base % align, 0);
                (kind, base, base + size)
            })
            .collect()
    }

    #[test]
    fn objects_are_aligned_apart_and_in_order() {
        for bits in [32, 64] {
            let sizes: Vec<(Kind, u64, u64)> = (0..200)
                .map(|i| {
                    let kind = [Kind::Heap, Kind::Stack][i % 2];
                    (kind, (i as u64 * 37) % 300, 1 << (i % 13))
                })
                .collect();
            let list = placed(bits, &sizes);
            for (i, &(kind, start, end)) in list.iter().enumerate() {
                for &(other, from, to) in &list[..i] {
                    assert!(end < from || to < start, "no two objects touch");
                    let stack_above = match (kind, other) {
                        (Kind::Stack, Kind::Heap) => start > to,
                        (Kind::Heap, Kind::Stack) => from > end,
                        _ => true, // Of one kind, any order will do.
                    };
                    assert!(stack_above);
                }
            }
        }
    }

    #[test]
    fn what_has_no_room_has_no_address() {
        let mut terms = Terms::new();
        let mut layout = Layout::new(&mut terms, 32, Encoding::default(), 0);
        layout.seal();
        let huge = Some(0xf000_0000);
        assert_eq!(layout.place(&mut terms, Kind::Heap, huge, 1), None);
        let endless = Some(u64::MAX);
        assert_eq!(layout.place(&mut terms, Kind::Heap, endless, 1), None);
        let small = layout.place(&mut terms, Kind::Heap, Some(16), 1);
        assert!(small.is_some());
    }
}
