//! Bytes of scalars, and scalars of bytes.

use terms::Term;

use super::Scalar;
use crate::world::World;

/// What a byte holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Piece {
    /// Not written here: what is below counts.
    #[default]
    Hole,
    /// The byte `index` (little endian) of a scalar of `width` bytes.
    Byte {
        /// The scalar.
        scalar: Scalar,
        /// Which byte of it.
        index: u8,
        /// How many it has.
        width: u8,
    },
}

impl Piece {
    /// A byte that is a scalar of its own.
    pub(super) fn single(scalar: Scalar) -> Piece {
        Piece::Byte {
            scalar,
            index: 0,
            width: 1,
        }
    }
}

impl World<'_> {
    /// Puts bytes together, lowest first: the scalar itself if they are all of its bytes in order.
    pub(super) fn assemble(&mut self, pieces: &[Piece]) -> Scalar {
        let &Piece::Byte {
            scalar,
            width,
            index: 0,
        } = &pieces[0]
        else {
            return self.concatenate(pieces);
        };
        let whole = width as usize == pieces.len()
            && pieces.iter().enumerate().all(|(i, &piece)| {
                piece
                    == Piece::Byte {
                        scalar,
                        index: i as u8,
                        width,
                    }
            });
        if whole {
            scalar
        } else {
            self.concatenate(pieces)
        }
    }

    fn concatenate(&mut self, pieces: &[Piece]) -> Scalar {
        let mut result: Option<Term> = None;
        let mut i = 0;
        while i < pieces.len() {
            let Piece::Byte {
                scalar,
                index,
                width,
            } = pieces[i]
            else {
                unreachable!("holes were filled before bytes are put together")
            };
            let mut run = 1;
            while i + run < pieces.len()
                && pieces[i + run]
                    == (Piece::Byte {
                        scalar,
                        index: index.wrapping_add(run as u8),
                        width,
                    })
            {
                run += 1;
            }
            let bits = self.scalar_bits(scalar);
            let low = index as u32 * 8;
            let part = self.terms.extract(bits, low + run as u32 * 8 - 1, low);
            result = Some(match result {
                None => part,
                Some(below) => self.terms.concat(part, below),
            });
            i += run;
        }
        Scalar::Bits(result.expect("at least one byte is read"))
    }

    /// The scalar as bits; a pointer becomes its address and can be guessed from then on.
    pub fn scalar_bits(&mut self, scalar: Scalar) -> Term {
        match scalar {
            Scalar::Bits(term) => term,
            Scalar::Pointer(pointer) => self.address(pointer),
        }
    }

    /// A fresh scalar: what an access outside of its object reads.
    pub fn any_scalar(&mut self, why: &str, width: u32) -> Scalar {
        Scalar::Bits(self.fresh(why, super::bytes_sort(width)))
    }
}
