//! Reading scalars from contents.

use std::rc::Rc;

use terms::Term;

use super::{CHUNK, Lambda, Layer, Piece, Under, Write};
use crate::memory::{Init, Scalar, Unknown};
use crate::util::trailing_zeros;
use crate::world::World;

/// The most positions that a read at a symbolic offset is spread over when the object's initial
/// contents are unknown; beyond, an array stands for the initial contents.
const SPREAD: u64 = 1024;

impl World<'_> {
    /// Reads `width` bytes at an offset. `size` is the object's size, if it is constant.
    pub(crate) fn read_lambda(
        &mut self,
        contents: &Lambda,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        match self.terms.as_u64(offset) {
            Some(at) => self.read_at(contents, at, width),
            None => self.read_symbolic(contents, offset, width, size),
        }
    }

    /// Reads `width` bytes at a constant offset.
    pub(crate) fn read_at(&mut self, contents: &Lambda, at: u64, width: u32) -> Scalar {
        if let Piece::Byte {
            scalar,
            index: 0,
            width: whole,
        } = contents.piece(at)
        {
            let matches = |i: u32| {
                contents.piece(at.wrapping_add(i as u64))
                    == Piece::Byte {
                        scalar,
                        index: i as u8,
                        width: whole,
                    }
            };
            if whole as u32 == width && (1..width).all(matches) {
                return scalar;
            }
        }
        let mut holes = 0;
        for i in 0..width {
            if contents.piece(at.wrapping_add(i as u64)) == Piece::Hole {
                holes += 1;
            }
        }
        if holes == width {
            return match &contents.under {
                Under::Init(init) => self.init_at(*init, at, width),
                Under::Layer(layer) => {
                    let offset = self.word(at);
                    self.read_layers(&layer.clone(), offset, width, None)
                }
            };
        }
        let mut pieces = Vec::with_capacity(width as usize);
        for i in 0..width {
            let here = at.wrapping_add(i as u64);
            let piece = match contents.piece(here) {
                Piece::Hole => {
                    let scalar = match &contents.under {
                        Under::Init(init) => self.init_at(*init, here, 1),
                        Under::Layer(layer) => {
                            let offset = self.word(here);
                            self.read_layers(&layer.clone(), offset, 1, None)
                        }
                    };
                    Piece::Byte {
                        scalar,
                        index: 0,
                        width: 1,
                    }
                }
                byte => byte,
            };
            pieces.push(piece);
        }
        self.assemble(&pieces)
    }

    /// Puts bytes together, lowest first: the scalar itself if they are all of its bytes in order.
    pub fn assemble(&mut self, pieces: &[Piece]) -> Scalar {
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

    /// The initial bytes at a constant offset.
    pub fn init_at(&mut self, init: Init, at: u64, width: u32) -> Scalar {
        match init {
            Init::Zero => Scalar::Bits(self.terms.bv_u64(0, width * 8)),
            Init::Ones => Scalar::Bits(self.ones(width)),
            Init::Global(global) => {
                let mut pieces = Vec::with_capacity(width as usize);
                for i in 0..width {
                    let piece = self.global_piece(global, at.wrapping_add(i as u64));
                    pieces.push(piece);
                }
                self.assemble(&pieces)
            }
            Init::Unknown(unknown) => self.unknown_at(unknown, at, width),
        }
    }

    /// That many bytes of ones.
    fn ones(&mut self, width: u32) -> Term {
        self.terms.bv_i64(-1, width * 8)
    }

    fn unknown_at(&mut self, unknown: Unknown, at: u64, width: u32) -> Scalar {
        let offsets = (0..width as u64).map(|i| at.wrapping_add(i));
        let known = offsets
            .clone()
            .filter(|o| self.unknowns.list[unknown].pieces.contains_key(o))
            .count();
        if known == 0 {
            let scalar = match self.unknowns.list[unknown].array {
                Some(array) => {
                    let offset = self.word(at);
                    Scalar::Bits(self.select_bytes(array, offset, width))
                }
                None => {
                    let name = format!("{}@{at}", self.unknowns.list[unknown].name);
                    Scalar::Bits(self.terms.var(&name, crate::memory::bytes_sort(width)))
                }
            };
            for (index, offset) in offsets.enumerate() {
                let piece = Piece::Byte {
                    scalar,
                    index: index as u8,
                    width: width as u8,
                };
                self.unknowns.list[unknown].pieces.insert(offset, piece);
            }
            return scalar;
        }
        let mut pieces = Vec::with_capacity(width as usize);
        for offset in offsets {
            let piece = match self.unknowns.list[unknown].pieces.get(&offset) {
                Some(&piece) => piece,
                None => {
                    let scalar = self.unknown_at(unknown, offset, 1);
                    Piece::Byte {
                        scalar,
                        index: 0,
                        width: 1,
                    }
                }
            };
            pieces.push(piece);
        }
        self.assemble(&pieces)
    }

    fn select_bytes(&mut self, array: Term, offset: Term, width: u32) -> Term {
        let mut result = None;
        for i in 0..width {
            let step = self.word(i as u64);
            let at = self.terms.add(offset, step);
            let byte = self.terms.select(array, at);
            result = Some(match result {
                None => byte,
                Some(below) => self.terms.concat(byte, below),
            });
        }
        result.expect("at least one byte is read")
    }

    fn read_symbolic(
        &mut self,
        contents: &Lambda,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        match &contents.under {
            Under::Init(init) => self.read_spread(contents, *init, offset, width, size),
            Under::Layer(layer) => {
                let below = self.read_layers(&layer.clone(), offset, width, size);
                self.over_bytes(contents, offset, width, below)
            }
        }
    }

    /// What the bytes written at constant offsets say about a read at a symbolic one, over `below`.
    fn over_bytes(&mut self, contents: &Lambda, offset: Term, width: u32, below: Scalar) -> Scalar {
        let mut result = below;
        for at in self.touched(contents, offset, width) {
            let here = self.word(at);
            let gate = self.terms.eq(offset, here);
            if self.terms.as_bool(gate) == Some(false) {
                continue;
            }
            let value = self.read_at(contents, at, width);
            result = self.merge_scalars(gate, value, result);
        }
        result
    }

    /// The offsets at which a read of `width` bytes meets a written byte, given the read's alignment.
    fn touched(&mut self, contents: &Lambda, offset: Term, width: u32) -> Vec<u64> {
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
    fn read_spread(
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
            (Init::Unknown(unknown), None) => {
                if self.unknowns.list[unknown].array.is_none() {
                    let (index, byte) = (
                        terms::Sort::BitVec(self.pointer_bits),
                        terms::Sort::BitVec(8),
                    );
                    let sort = self.terms.array_sort(index, byte);
                    let name = format!("{}@", self.unknowns.list[unknown].name);
                    let array = self.terms.var(&name, sort);
                    self.unknowns.list[unknown].array = Some(array);
                }
                let array = self.unknowns.list[unknown].array.expect("made just now");
                let mut result = Scalar::Bits(self.select_bytes(array, offset, width));
                // Bytes that were looked at before the array came into being.
                let mut offsets: Vec<u64> =
                    self.unknowns.list[unknown].pieces.keys().copied().collect();
                offsets.sort_unstable();
                let mut starts: Vec<u64> = Vec::new();
                for at in offsets {
                    starts.extend(meeting(at, width, step));
                }
                starts.sort_unstable();
                starts.dedup();
                for at in starts {
                    let here = self.word(at);
                    let gate = self.terms.eq(offset, here);
                    if self.terms.as_bool(gate) != Some(false) {
                        let value = self.unknown_at(unknown, at, width);
                        result = self.merge_scalars(gate, value, result);
                    }
                }
                result
            }
            (Init::Zero | Init::Ones | Init::Global(_), None) => self.any_scalar("outside", width),
        };
        self.over_bytes(contents, offset, width, below)
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
            return Some(self.read_at(contents, base, spread.width));
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

    /// Reads through a chain of layers.
    fn read_layers(
        &mut self,
        layer: &Rc<Layer>,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        if let Some(&scalar) = self.reads.get(&(layer.id, offset, width)) {
            return scalar;
        }
        // Layers in order, until one decides; then their guarded values from the bottom up.
        let mut pending: Vec<(Term, Scalar)> = Vec::new();
        let mut at = layer.clone();
        let bottom = loop {
            match self.layer_says(&at, offset, width, size) {
                Says::Value(scalar) => break scalar,
                Says::If(gate, scalar) => pending.push((gate, scalar)),
                Says::Nothing => {}
                Says::Bytewise => break self.read_layer_bytes(&at, offset, width, size),
            }
            let below = &at.below;
            let constant = self.terms.as_u64(offset);
            let plain = match constant {
                Some(o) => (0..width as u64).all(|i| below.piece(o.wrapping_add(i)) == Piece::Hole),
                None => below.bytes.is_empty(),
            };
            match &below.under {
                Under::Layer(next) if plain => at = next.clone(),
                Under::Layer(_) | Under::Init(_) => {
                    let below = below.clone();
                    break self.read_lambda(&below, offset, width, size);
                }
            }
        };
        let mut result = bottom;
        for (gate, scalar) in pending.into_iter().rev() {
            result = self.merge_scalars(gate, scalar, result);
        }
        self.reads.insert((layer.id, offset, width), result);
        result
    }

    fn read_layer_bytes(
        &mut self,
        layer: &Rc<Layer>,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Scalar {
        let mut pieces = Vec::with_capacity(width as usize);
        for i in 0..width {
            let step = self.word(i as u64);
            let at = self.terms.add(offset, step);
            let scalar = self.read_layers(layer, at, 1, size);
            pieces.push(Piece::Byte {
                scalar,
                index: 0,
                width: 1,
            });
        }
        self.assemble(&pieces)
    }

    /// What one layer says about a read.
    fn layer_says(
        &mut self,
        layer: &Rc<Layer>,
        offset: Term,
        width: u32,
        size: Option<u64>,
    ) -> Says {
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
                let place = self.terms.add(*from, distance);
                let (source, extent) = (source.clone(), *extent);
                let value = self.read_lambda(&source, place, width, extent);
                self.says(gate, value)
            }
            Write::Choice { gate, other } => {
                let (gate, other) = (*gate, other.clone());
                let value = self.read_lambda(&other, offset, width, size);
                self.says(gate, value)
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

    /// A fresh scalar: what an access outside of its object reads.
    pub fn any_scalar(&mut self, why: &str, width: u32) -> Scalar {
        Scalar::Bits(self.fresh(why, crate::memory::bytes_sort(width)))
    }
}

/// The multiples of `step` at which a read of `width` bytes meets the byte at an offset.
fn meeting(at: u64, width: u32, step: u64) -> impl Iterator<Item = u64> {
    let first = at.saturating_sub(u64::from(width) - 1);
    let first = first.checked_next_multiple_of(step);
    first
        .into_iter()
        .flat_map(move |first| (first..=at).step_by(step as usize))
}

/// A read at a symbolic offset that is being spread over constant ones.
struct Spread {
    offset: Term,
    width: u32,
    /// The last offset at which the read is inside.
    last: u64,
    /// The offset's low bits that are zero.
    low: u32,
    /// What every offset without a written byte reads, if that is one value.
    uniform: Option<Scalar>,
}

/// What a layer says about a read.
enum Says {
    /// It is this.
    Value(Scalar),
    /// It is this if the gate holds, else what is below.
    If(Term, Scalar),
    /// It is what is below.
    Nothing,
    /// Not as a whole: each byte by itself.
    Bytewise,
}
