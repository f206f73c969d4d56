//! Writing scalars and ranges of bytes into contents.

use std::rc::Rc;

use terms::Term;

use super::{CHUNK, Chunk, Lambda, Layer, Under, Write};
use crate::memory::{Init, Piece, Range, Scalar};
use crate::trie::Trie;
use crate::util::trailing_zeros;
use crate::world::World;

/// A write at a symbolic offset becomes a write at each possible one if there are at most so many.
const EXPAND: u64 = 16;
/// The longest range of constant length that is copied or set byte by byte.
const UNFOLD: u64 = 4096;

impl World<'_> {
    /// Contents after a write, if the guard holds.
    pub(super) fn write_lambda(
        &mut self,
        contents: &Lambda,
        guard: Term,
        offset: Term,
        scalar: Scalar,
        width: u32,
        size: Option<u64>,
    ) -> Lambda {
        if let Some(at) = self.terms.as_u64(offset) {
            return self.write_at(contents, guard, at, scalar, width);
        }
        if let Some(cases) = self.terms.constant_cases(offset) {
            let last = size.and_then(|size| size.checked_sub(u64::from(width)));
            let inside = |at: u64| size.is_none() || last.is_some_and(|last| at <= last);
            let mut changed = contents.clone();
            for (at, gate) in cases.into_iter().filter(|&(at, _)| inside(at)) {
                let gate = self.terms.and(guard, gate);
                changed = self.write_at(&changed, gate, at, scalar, width);
            }
            return changed;
        }
        let step = (1u64 << trailing_zeros(self.terms, offset).min(16))
            .min((width as u64).next_power_of_two());
        if let Some(size) = size
            && size >= width as u64
            && (size - width as u64) / step < EXPAND
        {
            let mut changed = contents.clone();
            for at in (0..=size - width as u64).step_by(step as usize) {
                let here = self.word(at);
                let same = self.terms.eq(offset, here);
                let gate = self.terms.and(guard, same);
                changed = self.write_at(&changed, gate, at, scalar, width);
            }
            return changed;
        }
        self.layer(
            contents,
            Write::Store {
                guard,
                offset,
                width,
                scalar,
            },
        )
    }

    /// Contents after a write at a constant offset, if the guard holds.
    pub(super) fn write_at(
        &mut self,
        contents: &Lambda,
        guard: Term,
        at: u64,
        scalar: Scalar,
        width: u32,
    ) -> Lambda {
        let scalar = match self.terms.as_bool(guard) {
            Some(true) => scalar,
            Some(false) => return contents.clone(),
            None => {
                let old = self.read_at(contents, at, width);
                self.merge_scalars(guard, scalar, old)
            }
        };
        let mut changed = contents.clone();
        put(&mut changed.bytes, at, scalar, width);
        changed
    }

    /// A layer over contents.
    pub(super) fn layer(&mut self, below: &Lambda, write: Write) -> Lambda {
        self.kept.lambda.last_layer += 1;
        let layer = Layer {
            id: self.kept.lambda.last_layer,
            write,
            below: below.clone(),
        };
        Lambda {
            bytes: Trie::default(),
            under: Under::Layer(Rc::new(layer)),
        }
    }

    /// Contents after `len` bytes from `offset` are set to `byte`, if the guard holds.
    pub(super) fn set_lambda(&mut self, contents: &Lambda, range: Range, byte: Term) -> Lambda {
        let Range {
            guard,
            offset,
            len,
            size,
        } = range;
        let always = self.terms.as_bool(guard) == Some(true);
        if let (Some(at), Some(n)) = (self.terms.as_u64(offset), self.terms.as_u64(len)) {
            if n == 0 {
                return contents.clone();
            }
            let zero = self.terms.as_u64(byte) == Some(0);
            if always && zero && at == 0 && Some(n) == size {
                return Lambda::new(Init::Zero);
            }
            if n <= UNFOLD {
                let mut changed = contents.clone();
                let mut i = 0;
                while i < n {
                    // Aligned words, so that what is read back is a constant of its own width.
                    let width = if at.wrapping_add(i) % 8 == 0 && n - i >= 8 {
                        8
                    } else {
                        1
                    };
                    let mut value = byte;
                    for _ in 1..width {
                        value = self.terms.concat(byte, value);
                    }
                    let here = at.wrapping_add(i);
                    changed = self.write_at(&changed, guard, here, Scalar::Bits(value), width);
                    i += width as u64;
                }
                return changed;
            }
        }
        self.layer(
            contents,
            Write::Set {
                guard,
                offset,
                len,
                byte,
            },
        )
    }

    /// Contents after a range is copied from `source` at `from`; `extent` is the size of the source's
    /// object.
    pub(super) fn copy_lambda(
        &mut self,
        contents: &Lambda,
        range: Range,
        source: &Lambda,
        from: Term,
        extent: Option<u64>,
    ) -> Lambda {
        let Range {
            guard,
            offset,
            len,
            size,
        } = range;
        if let (Some(at), Some(start), Some(n)) = (
            self.terms.as_u64(offset),
            self.terms.as_u64(from),
            self.terms.as_u64(len),
        ) {
            let always = self.terms.as_bool(guard) == Some(true);
            if always && at == 0 && start == 0 && Some(n) == size && size == extent {
                return source.clone();
            }
            if n <= UNFOLD {
                return self.copy_bytes(contents, guard, at, source, start, n);
            }
        }
        self.layer(
            contents,
            Write::Copy {
                guard,
                offset,
                len,
                source: source.clone(),
                from,
                size: extent,
            },
        )
    }

    /// Copies scalar by scalar where the source has whole scalars, else byte by byte.
    fn copy_bytes(
        &mut self,
        contents: &Lambda,
        guard: Term,
        at: u64,
        source: &Lambda,
        start: u64,
        n: u64,
    ) -> Lambda {
        let mut changed = contents.clone();
        let mut i = 0;
        while i < n {
            // Offsets before the object are large numbers, and wrap.
            let (from, to) = (start.wrapping_add(i), at.wrapping_add(i));
            let width = self.unit(source, from, n - i);
            let scalar = self.read_at(source, from, width);
            if self.terms.as_bool(guard) == Some(true)
                && width == 1
                && let piece @ Piece::Byte { .. } = source.piece(from)
            {
                // A part of a scalar stays a part of it.
                put_piece(&mut changed.bytes, to, piece);
            } else {
                changed = self.write_at(&changed, guard, to, scalar, width);
            }
            i += width as u64;
        }
        changed
    }

    /// The width of the scalar that begins at an offset and fits the rest of the range; 1 if none does.
    fn unit(&mut self, source: &Lambda, at: u64, rest: u64) -> u32 {
        match source.piece(at) {
            Piece::Byte {
                scalar,
                index: 0,
                width,
            } if width as u64 <= rest => {
                let whole = (0..width).all(|i| {
                    source.piece(at.wrapping_add(i as u64))
                        == Piece::Byte {
                            scalar,
                            index: i,
                            width,
                        }
                });
                if whole { width as u32 } else { 1 }
            }
            Piece::Byte { .. } => 1,
            Piece::Hole => {
                let pointer = (self.pointer_bits / 8) as u64;
                for width in [pointer, 4] {
                    let fits = at % width == 0 && rest >= width;
                    if fits && (0..width).all(|i| source.piece(at.wrapping_add(i)) == Piece::Hole) {
                        return width as u32;
                    }
                }
                1
            }
        }
    }
}

/// Sets the bytes of a scalar. Scalars of more than 16 bytes do not occur: the evaluator splits them.
pub(super) fn put(bytes: &mut Trie<Chunk>, at: u64, scalar: Scalar, width: u32) {
    let mut i = 0;
    while i < width {
        let index = (at.wrapping_add(i as u64)) / CHUNK;
        let chunk = bytes.entry(index);
        while i < width && at.wrapping_add(i as u64) / CHUNK == index {
            let slot = (at.wrapping_add(i as u64) % CHUNK) as usize;
            chunk[slot] = Piece::Byte {
                scalar,
                index: i as u8,
                width: width as u8,
            };
            i += 1;
        }
    }
}

fn put_piece(bytes: &mut Trie<Chunk>, at: u64, piece: Piece) {
    bytes.entry(at / CHUNK)[(at % CHUNK) as usize] = piece;
}
