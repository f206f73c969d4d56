//! Large stretches of one byte, and copies of them.
//!
//! A page of a large object is there once somebody looks at it or writes to it. What `memset` writes to whole
//! pages is a note instead (which pages, which byte), and what a copy takes from pages that are not there, or only
//! noted, is a note as well. So a program may fill and copy gigabytes, and costs what it touches.
//!
//! ```text
//!   pages   0    1    2    3    4    5    6
//!           own  ·    [ noted: 7    ]  ·        · is as the object began
//! ```

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::chunk::{Chunk, Fresh};
use super::{Fault, Memory, Object, PAGE, Store};
use crate::choices::Fill;

/// From so many bytes on a range of pages is noted.
pub(super) const LARGE: u64 = 1 << 20;

/// The bytes of a large object.
#[derive(Debug, Default)]
pub(super) struct Pages {
    /// Those that somebody looked at or wrote to.
    pub(super) own: FxHashMap<u64, Chunk>,
    /// Ranges of pages (the first, and the one behind the last) that hold one byte, as far as they are not there. They
    /// do not overlap.
    noted: BTreeMap<u64, (u64, u8)>,
}

/// A part of an object: so many bytes, and what they all are, if that is known without looking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Part {
    offset: u64,
    len: u64,
    byte: Option<u8>,
}

impl Pages {
    /// The byte that a page holds that is not there, if it was noted.
    pub(super) fn noted(&self, page: u64) -> Option<u8> {
        let (_, &(end, byte)) = self.noted.range(..=page).next_back()?;
        (page < end).then_some(byte)
    }

    /// A page that is not there yet, of so many bytes.
    pub(super) fn make(&self, page: u64, len: usize, fresh: Fresh) -> Chunk {
        match self.noted(page) {
            Some(byte) => {
                let mut chunk = Chunk::new(len, Fresh::Zero);
                chunk.bytes.fill(byte);
                chunk
            }
            None => Chunk::new(len, fresh),
        }
    }

    /// Notes that pages hold one byte; returns the chunks that they were.
    fn note(&mut self, first: u64, end: u64, byte: u8) -> Vec<Chunk> {
        let before = self.noted.range(..first).next_back();
        let before = before.map(|(&start, &(until, old))| (start, until, old));
        if let Some((start, until, old)) = before.filter(|&(_, until, _)| until > first) {
            self.noted.insert(start, (first, old));
            if until > end {
                self.noted.insert(end, (until, old));
            }
        }
        while let Some((&start, &(until, old))) = self.noted.range(first..end).next() {
            self.noted.remove(&start);
            if until > end {
                self.noted.insert(end, (until, old));
            }
        }
        self.noted.insert(first, (end, byte));
        let gone = self.sorted(first, end);
        gone.iter()
            .filter_map(|page| self.own.remove(page))
            .collect()
    }

    /// The pages in a range that are there, in order.
    fn sorted(&self, first: u64, end: u64) -> Vec<u64> {
        let inside = |page: &u64| (first..end).contains(page);
        let mut found: Vec<u64> = self.own.keys().copied().filter(inside).collect();
        found.sort_unstable();
        found
    }
}

impl Memory {
    /// Sets bytes of an object, which is that large; whole pages are noted.
    pub(super) fn set_range(
        &mut self,
        number: u32,
        offset: u64,
        len: u64,
        byte: u8,
    ) -> Result<(), Fault> {
        let end = offset + len;
        let (first, last) = (offset.div_ceil(PAGE), end / PAGE);
        let large = len >= LARGE && first < last;
        let paged = matches!(self.objects[number as usize].store, Store::Pages(_));
        if !large || !paged {
            return self.for_pieces(number, offset, len, |chunk, range, _| {
                chunk.bytes[range.clone()].fill(byte);
                chunk.mark_written(range);
            });
        }
        self.set_range(number, offset, first * PAGE - offset, byte)?;
        self.set_range(number, last * PAGE, end - last * PAGE, byte)?;
        if let Store::Pages(pages) = &mut self.objects[number as usize].store {
            let gone = pages.note(first, last, byte);
            self.used -= gone.iter().map(Chunk::cost).sum::<u64>();
        }
        Ok(())
    }

    /// Copies between objects, which are that large, part by part; as if through a buffer.
    pub(super) fn copy_parts(
        &mut self,
        to: (u32, u64),
        from: (u32, u64),
        len: u64,
    ) -> Result<(), Fault> {
        let parts = parts(&self.objects[from.0 as usize], from.1, len);
        let looked = parts.iter().filter(|part| part.byte.is_none());
        let total = looked.map(|part| part.len).sum::<u64>();
        self.reserve_briefly(total.saturating_mul(5))?;
        let mut read = Vec::with_capacity(parts.len());
        for part in parts {
            let (mut bytes, mut words) = (Vec::new(), Vec::new());
            if part.byte.is_none() {
                bytes = vec![0; part.len as usize];
                words = vec![0; part.len as usize];
                self.read_object(from.0, part.offset, &mut bytes, Some(&mut words))?;
            }
            read.push((part, bytes, words));
        }
        for (part, bytes, words) in read {
            let offset = to.1 + (part.offset - from.1);
            match part.byte {
                Some(byte) => self.set_range(to.0, offset, part.len, byte)?,
                None => self.put(to.0, offset, &bytes, &words)?,
            }
        }
        Ok(())
    }
}

/// The parts of a range of an object, in order. What is known without looking is what was noted, and what is
/// zero from the beginning.
fn parts(object: &Object, offset: u64, len: u64) -> Vec<Part> {
    let end = offset + len;
    let Store::Pages(pages) = &object.store else {
        let byte = None;
        return vec![Part { offset, len, byte }];
    };
    let (first, behind) = (offset / PAGE, end.div_ceil(PAGE));
    let own = pages.sorted(first, behind);
    // Where something else may begin.
    let mut cuts: Vec<u64> = vec![first];
    for &page in &own {
        cuts.extend([page, page + 1]);
    }
    for (&start, &(until, _)) in &pages.noted {
        cuts.extend([start, until]);
    }
    if let (Fresh::Unknown, Fill::Listed(listed)) = (object.fresh, &object.fill) {
        for &(at, _) in listed.iter() {
            cuts.extend([at / PAGE, at / PAGE + 1]);
        }
    }
    cuts.retain(|page| (first..behind).contains(page));
    cuts.sort_unstable();
    cuts.dedup();
    let begins = match (object.fresh, &object.fill) {
        (Fresh::Zero, _) | (Fresh::Unknown, Fill::Zero | Fill::Listed(_)) => Some(0),
        // Whoever records an execution wants to know what was read.
        (Fresh::Unknown, Fill::Seeded(_) | Fill::Same(_)) => None,
    };
    let listed = |page: u64| match (object.fresh, &object.fill) {
        (Fresh::Unknown, Fill::Listed(list)) => {
            let at = list.partition_point(|&(at, _)| at < page * PAGE);
            list.get(at).is_some_and(|&(at, _)| at / PAGE == page)
        }
        _ => false, // No other fill has a list.
    };
    let mut found: Vec<Part> = Vec::new();
    for (index, &page) in cuts.iter().enumerate() {
        let next = cuts.get(index + 1).copied().unwrap_or(behind);
        let start = (page * PAGE).max(offset);
        let until = next.saturating_mul(PAGE).min(end);
        let byte = match pages.noted(page) {
            _ if pages.own.contains_key(&page) => None,
            Some(byte) => Some(byte),
            None if listed(page) => None,
            None => begins,
        };
        match found.last_mut() {
            Some(last) if last.byte == byte => last.len += until - start,
            _ => found.push(Part {
                offset: start,
                len: until - start,
                byte,
            }),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{NewObject, ObjectKind, Origin, Pointer};
    use super::*;

    const SIZE: u64 = 9 << 20;

    fn object(memory: &mut Memory, size: u64, fill: Fill) -> Pointer {
        let new = NewObject {
            kind: ObjectKind::Heap,
            size,
            align: 16,
            constant: false,
            zeroed: false,
            memory: 0,
            address: None,
            fill,
            event: Some(0),
            origin: Origin::default(),
        };
        let number = memory.allocate(new).expect("there is room");
        Pointer {
            address: memory.objects[number as usize].base,
            object: number,
        }
    }

    fn at(pointer: Pointer, offset: u64) -> Pointer {
        Pointer {
            address: pointer.address + offset,
            ..pointer
        }
    }

    /// Stretches are set and copied at random, between two objects and inside of one, and both
    /// hold what plain bytes would.
    #[test]
    fn large_objects_hold_what_plain_bytes_would() {
        for seed in 0..12u64 {
            let mut state = seed;
            let mut below = |limit: u64| {
                state = results::trace::mix(state + 1);
                state % limit
            };
            let fills = [
                Fill::Zero,
                Fill::Listed(vec![(5, 9), (4 << 20, 3), (SIZE - 1, 8)].into()),
                Fill::Seeded(seed),
                Fill::Same(4),
            ];
            let mut memory = Memory::new(64, 0, 1 << 30);
            let mut plain: Vec<Vec<u8>> = Vec::new();
            let mut objects = Vec::new();
            for index in 0..2 {
                let fill = fills[(seed as usize + index) % fills.len()].clone();
                plain.push((0..SIZE).map(|offset| fill.byte(offset)).collect());
                objects.push(object(&mut memory, SIZE, fill));
            }
            for _ in 0..40 {
                let (a, b) = (below(2) as usize, below(2) as usize);
                let len = match below(3) {
                    0 => 1 + below(9000),
                    1 => LARGE + below(SIZE - LARGE),
                    _ => LARGE,
                };
                let (to, from) = (below(SIZE - len + 1), below(SIZE - len + 1));
                let target = at(objects[a], to);
                if below(2) == 0 {
                    let byte = below(3) as u8;
                    memory.set(target, byte, len, 0).expect("it is inside");
                    plain[a][to as usize..(to + len) as usize].fill(byte);
                } else {
                    let source = at(objects[b], from);
                    let copied = memory.copy(target, source, len, (0, 0));
                    assert_eq!(copied, Ok(true));
                    let bytes = plain[b][from as usize..(from + len) as usize].to_vec();
                    plain[a][to as usize..(to + len) as usize].copy_from_slice(&bytes);
                }
                for (&object, plain) in objects.iter().zip(&plain) {
                    for _ in 0..4 {
                        let offset = below(SIZE - 8);
                        let expected = &plain[offset as usize..offset as usize + 8];
                        let peeked = memory.peek(object.object, offset).map(|(byte, _)| byte);
                        assert_eq!(peeked, Some(expected[0]), "seed {seed}, offset {offset}");
                        let read = memory.load::<8>(at(object, offset), 0).expect("inside");
                        assert_eq!(read, expected, "seed {seed}, offset {offset}");
                    }
                }
            }
            for (&object, plain) in objects.iter().zip(&plain) {
                let mut bytes = vec![0; SIZE as usize];
                memory.read(object, &mut bytes, 0).expect("it is inside");
                assert!(bytes == *plain, "seed {seed}");
            }
        }
    }

    #[test]
    fn gigabytes_cost_what_is_touched() {
        let size = 1 << 40;
        let mut memory = Memory::new(64, 0, 1 << 20);
        let (a, b) = (
            object(&mut memory, size, Fill::Zero),
            object(&mut memory, size, Fill::Zero),
        );
        memory.set(a, 7, size - 3, 0).expect("noted");
        memory
            .store(at(a, 1 << 35), [1, 2, 3, 4], 0)
            .expect("one page");
        assert_eq!(memory.copy(at(b, 5), a, size - 5, (0, 0)), Ok(true));
        assert_eq!(memory.load::<4>(at(b, (1 << 35) + 5), 0), Ok([1, 2, 3, 4]));
        assert_eq!(memory.load::<4>(at(b, (1 << 35) + 3), 0), Ok([7, 7, 1, 2]));
        assert_eq!(memory.load::<2>(at(b, size - 1 - 1), 0), Ok([7, 7]));
        assert_eq!(memory.load::<4>(at(a, size - 4), 0), Ok([7, 0, 0, 0]));
        memory.end(a.object, super::super::End::Freed, None);
        memory.end(b.object, super::super::End::Freed, None);
        assert!(memory.used() < 1 << 12, "{}", memory.used());
    }
}
