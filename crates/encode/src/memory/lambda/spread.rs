//! Reads at symbolic offsets where there are no layers.

use terms::Term;

use super::{CHUNK, Lambda};
use crate::memory::init::meeting;
use crate::memory::{Init, Piece, Scalar};
use crate::util::trailing_zeros;
use crate::world::World;

/// The most positions that a read at a symbolic offset is spread over when the object's initial
/// contents are unknown; beyond, an array stands for the initial contents.
const SPREAD: u64 = 1024;

/// A read at a symbolic offset that is being spread over constant ones.
struct Spread {
    /// What is under the bytes.
    init: Init,
    offset: Term,
    width: u32,
    /// The last offset at which the read is inside.
    last: u64,
    /// The offset's low bits that are zero.
    low: u32,
    /// What every offset without a written byte reads, if that is one value.
    uniform: Option<Scalar>,
}

impl World<'_> {
    /// The offsets at which a read of `width` bytes meets a written byte, given the read's alignment.
    pub(super) fn touched(&mut self, contents: &Lambda, offset: Term, width: u32) -> Vec<u64> {
        let step = self.step(offset, width);
        let mut found = Vec::new();
        for (index, chunk) in contents.bytes.entries() {
            for (i, piece) in chunk.iter().enumerate() {
                if *piece != Piece::Hole {
                    let at = index * CHUNK + i as u64;
                    found.extend(meeting(at, width, step));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The distance between the offsets that a symbolic offset can have, at most the access's width.
    fn step(&mut self, offset: Term, width: u32) -> u64 {
        let zeros = trailing_zeros(self.terms, offset).min(16);
        (1u64 << zeros).min((width as u64).next_power_of_two())
    }

    /// A read at a symbolic offset with nothing but bytes of known offsets and initial contents: a
    /// tree of decisions on the offset's bits, where equal halves collapse.
    pub(super) fn read_spread(
        &mut self,
        contents: &Lambda,
        init: Init,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        let step = self.step(offset, width);
        let uniform = match init {
            Init::Zero => Some(Scalar::Bits(self.terms.bv_u64(0, width * 8))),
            Init::Ones => Some(Scalar::Bits(self.ones(width))),
            Init::Global(_) | Init::Unknown(_) => None,
        };
        let positions = size.map(|size| size.saturating_sub(width as u64) / step + 1);
        let few = positions.is_some_and(|n| n <= SPREAD || !matches!(init, Init::Unknown(_)));
        if let (true, Some(size)) = (few, size) {
            if size < width as u64 {
                return self.any_scalar("outside", width);
            }
            let last = size - width as u64;
            let top = 64 - last.max(1).leading_zeros();
            let spread = Spread {
                init,
                offset,
                width,
                last,
                low: step.trailing_zeros(),
                uniform,
            };
            return self
                .decide(contents, &spread, 0, top)
                .expect("offset 0 is inside");
        }
        let below = match (init, uniform) {
            (_, Some(scalar)) => scalar,
            (Init::Unknown(unknown), None) => self.unknown_anywhere(unknown, offset, width, step),
            (Init::Zero | Init::Ones | Init::Global(_), None) => self.any_scalar("outside", width),
        };
        let mut result = below;
        for at in self.touched(contents, offset, width) {
            let here = self.word(at);
            let gate = self.terms.eq(offset, here);
            if self.terms.as_bool(gate) == Some(false) {
                continue;
            }
            let value = self.read_over_init(contents, init, at, width);
            result = self.merge_scalars(gate, value, result);
        }
        result
    }

    /// The value for offsets from `base` that agree with it above the `bit` low bits; none if all of
    /// them are outside.
    fn decide(
        &mut self,
        contents: &Lambda,
        spread: &Spread,
        base: u64,
        bit: u32,
    ) -> Option<Scalar> {
        if base > spread.last {
            return None;
        }
        if bit <= spread.low {
            return Some(self.read_over_init(contents, spread.init, base, spread.width));
        }
        if let Some(uniform) = spread.uniform {
            let end = base
                .saturating_add((1u64 << bit.min(63)) - 1)
                .saturating_add(spread.width as u64);
            if !contents.bytes.any_in(base / CHUNK, end / CHUNK) {
                return Some(uniform);
            }
        }
        let low = self.decide(contents, spread, base, bit - 1)?;
        let Some(high) = self.decide(contents, spread, base + (1 << (bit - 1)), bit - 1) else {
            return Some(low);
        };
        if low == high {
            return Some(low);
        }
        let decided = self.terms.extract(spread.offset, bit - 1, bit - 1);
        let gate = self.terms.bv_to_bool(decided);
        Some(self.merge_scalars(gate, high, low))
    }
}
