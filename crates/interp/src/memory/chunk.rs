//! Bytes with what is known about them.
//!
//! ```text
//!   bytes        value of each byte                         always there
//!   known        1: written, or read before; 0: not yet      absent if everything is known
//!   provenance   object << 3 | index in the pointer, or 0    absent until a pointer is stored
//! ```
//!
//! A byte that is not known has the value that the object's fill says; the first read looks it up.
//! A pointer keeps its object when all its bytes are read back in order, wherever they were copied.

/// The greatest object number that fits beside a byte index in a provenance word.
pub(crate) const MAX_OBJECT: u32 = (1 << 29) - 1;

/// A run of bytes: a whole small object, or a page of a large one.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) bytes: Box<[u8]>,
    pub(crate) known: Option<Box<[u8]>>,
    pub(crate) provenance: Option<Box<[u32]>>,
}

/// What the bytes of a new chunk are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fresh {
    /// Zero.
    Zero,
    /// As the fill of the object says, each when it is first read.
    Unknown,
}

impl Chunk {
    pub(crate) fn new(len: usize, fresh: Fresh) -> Chunk {
        Chunk {
            bytes: vec![0; len].into(),
            known: match fresh {
                Fresh::Zero => None,
                Fresh::Unknown => Some(vec![0; len].into()),
            },
            provenance: None,
        }
    }

    /// What it counts against the memory limit.
    pub(crate) fn cost(&self) -> u64 {
        let len = self.bytes.len() as u64;
        let known = self.known.as_ref().map_or(0, |_| len);
        let provenance = self.provenance.as_ref().map_or(0, |_| 4 * len);
        len + known + provenance
    }

    /// Makes all bytes unknown, for another object.
    pub(crate) fn forget(&mut self) {
        if let Some(known) = &mut self.known {
            known.fill(0);
        }
        if let Some(words) = &mut self.provenance {
            words.fill(0);
        }
    }

    /// The bytes at an offset inside, if all are known.
    #[inline]
    pub(crate) fn read<const N: usize>(&self, offset: usize) -> Option<[u8; N]> {
        let bytes: [u8; N] = self.bytes.get(offset..offset + N)?.try_into().ok()?;
        match &self.known {
            None => Some(bytes),
            Some(known) => (known.get(offset..offset + N)? == [1; N]).then_some(bytes),
        }
    }

    /// The object of the pointer whose `N` bytes lie at an offset inside; 0 for none.
    #[inline]
    pub(crate) fn pointee<const N: usize>(&self, offset: usize) -> u32 {
        let Some(words) = self
            .provenance
            .as_ref()
            .and_then(|words| words.get(offset..offset + N))
        else {
            return 0;
        };
        pointee_of(words)
    }

    /// Writes bytes that belong to no pointer; false if they are not all inside.
    #[inline]
    pub(crate) fn write<const N: usize>(&mut self, offset: usize, bytes: [u8; N]) -> bool {
        let Some(place) = self.bytes.get_mut(offset..offset + N) else {
            return false;
        };
        place.copy_from_slice(&bytes);
        if let Some(known) = &mut self.known {
            known[offset..offset + N].copy_from_slice(&[1; N]);
        }
        if let Some(words) = &mut self.provenance {
            words[offset..offset + N].fill(0);
        }
        true
    }

    /// Gives the bytes at an offset the provenance of a whole pointer to an object.
    #[inline]
    pub(crate) fn set_pointee(&mut self, offset: usize, len: usize, object: u32) {
        if object == 0 {
            return;
        }
        let total = self.bytes.len();
        let words = self
            .provenance
            .get_or_insert_with(|| vec![0; total].into_boxed_slice());
        for (index, word) in words[offset..offset + len].iter_mut().enumerate() {
            *word = object << 3 | index as u32;
        }
    }

    /// Makes every byte of a range known, asking `fill` for those that were not; tells `observed`
    /// about each of them.
    pub(crate) fn learn(
        &mut self,
        range: std::ops::Range<usize>,
        fill: impl Fn(usize) -> u8,
        mut observed: impl FnMut(usize, u8),
    ) {
        let Some(known) = &mut self.known else {
            return;
        };
        for offset in range {
            if known[offset] == 0 {
                known[offset] = 1;
                self.bytes[offset] = fill(offset);
                observed(offset, self.bytes[offset]);
            }
        }
    }

    /// Marks a range as written by bytes without provenance.
    pub(crate) fn mark_written(&mut self, range: std::ops::Range<usize>) {
        if let Some(known) = &mut self.known {
            known[range.clone()].fill(1);
        }
        if let Some(words) = &mut self.provenance {
            words[range].fill(0);
        }
    }

    /// The value of a byte without making it known.
    pub(crate) fn peek(&self, offset: usize) -> Option<u8> {
        match &self.known {
            Some(known) if known[offset] == 0 => None,
            Some(_) | None => Some(self.bytes[offset]),
        }
    }
}

/// The object of the pointer with these provenance words; 0 unless they are one whole pointer.
#[inline]
pub(crate) fn pointee_of(words: &[u32]) -> u32 {
    let first = words[0];
    let whole = first != 0
        && first & 7 == 0
        && words
            .iter()
            .enumerate()
            .all(|(index, &word)| word == first + index as u32);
    if whole { first >> 3 } else { 0 }
}
