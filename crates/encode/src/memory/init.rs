//! What objects begin with: the same for every representation.

use ir::syntax::{Const, Global, InitPiece};
use rustc_hash::FxHashMap;
use terms::Term;

use super::unknown::{Unknown, UnknownBytes};
use super::{Piece, Scalar};
use crate::pointer::Object;
use crate::world::World;

/// What an object began with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Init {
    /// Zeros.
    Zero,
    /// Ones.
    Ones,
    /// A global's initialiser.
    Global(Global),
    /// Anything.
    Unknown(Unknown),
}

/// What is known of globals' initialisers.
#[derive(Default)]
pub(crate) struct Initialisers {
    /// Where each piece begins.
    starts: FxHashMap<Global, Vec<(u64, usize)>>,
    /// For pieces of any value.
    unknowns: FxHashMap<Global, Unknown>,
}

impl World<'_> {
    /// Unknown contents.
    pub fn unknown(&mut self) -> Unknown {
        let name = match self.next_name("bytes") {
            Some(name) => name,
            None => format!("unknown{}", self.unknowns.len()),
        };
        self.unknowns.push(UnknownBytes::new(name))
    }

    /// The initial contents of a global.
    pub fn global_init(&self, global: Global) -> Init {
        let data = &self.module.globals[global];
        if data
            .init
            .iter()
            .all(|piece| matches!(piece, InitPiece::Zero(_)))
        {
            Init::Zero
        } else {
            Init::Global(global)
        }
    }

    /// The unknown bytes of a global's initialiser that were looked at.
    pub fn global_unknown(&self, global: Global) -> Option<Unknown> {
        self.initialisers.unknowns.get(&global).copied()
    }

    /// The initial bytes at a constant offset.
    pub(super) fn init_at(&mut self, init: Init, at: u64, width: u32) -> Scalar {
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

    /// The objects that pointers in initial contents may belong to; functions, if they are wanted.
    pub(super) fn init_pointees(&self, init: Init, functions: bool, found: &mut Vec<Object>) {
        match init {
            Init::Zero | Init::Ones => {}
            Init::Unknown(unknown) => found.extend(self.unknowns[unknown].pointees()),
            Init::Global(global) => {
                for piece in &self.module.globals[global].init {
                    match piece {
                        InitPiece::Pointer(Const::Global(target, _)) => {
                            found.push(self.global_objects[*target]);
                        }
                        InitPiece::Pointer(Const::Func(func)) if functions => {
                            found.push(self.function_objects[*func]);
                        }
                        InitPiece::Pointer(
                            Const::Func(_) | Const::Null | Const::Int(_) | Const::Float(..),
                        )
                        | InitPiece::Bytes(_)
                        | InitPiece::Zero(_)
                        | InitPiece::Any(_) => {}
                    }
                }
            }
        }
    }

    /// That many bytes of ones.
    pub(super) fn ones(&mut self, width: u32) -> Term {
        self.terms.bv_i64(-1, width * 8)
    }

    /// A byte of a global's initialiser; beyond its end: zero.
    fn global_piece(&mut self, global: Global, at: u64) -> Piece {
        let module = self.module;
        let pieces = &module.globals[global].init;
        let bytes = (self.pointer_bits / 8) as u64;
        let starts = self.initialisers.starts.entry(global).or_insert_with(|| {
            let mut start = 0;
            let mut starts = Vec::with_capacity(pieces.len());
            for (index, piece) in pieces.iter().enumerate() {
                starts.push((start, index));
                start += match piece {
                    InitPiece::Bytes(bytes) => bytes.len() as u64,
                    InitPiece::Zero(n) | InitPiece::Any(n) => *n,
                    InitPiece::Pointer(_) => bytes,
                };
            }
            starts
        });
        let found = starts.partition_point(|(start, _)| *start <= at);
        let (start, index) = match found.checked_sub(1) {
            Some(entry) => starts[entry],
            None => (0, usize::MAX),
        };
        match pieces.get(index) {
            Some(InitPiece::Bytes(bytes)) if at - start < bytes.len() as u64 => {
                let byte = bytes[(at - start) as usize];
                Piece::single(Scalar::Bits(self.terms.bv_u64(byte.into(), 8)))
            }
            Some(InitPiece::Any(n)) if at - start < *n => {
                let unknown = match self.initialisers.unknowns.get(&global) {
                    Some(&unknown) => unknown,
                    None => {
                        let name = format!("global.{}", module.globals[global].name);
                        let unknown = self.unknowns.push(UnknownBytes::new(name));
                        self.initialisers.unknowns.insert(global, unknown);
                        unknown
                    }
                };
                Piece::single(self.init_at(Init::Unknown(unknown), at, 1))
            }
            Some(InitPiece::Pointer(target)) if at - start < bytes => {
                let pointer = self.constant_pointer(target);
                Piece::Byte {
                    scalar: Scalar::Pointer(pointer),
                    index: (at - start) as u8,
                    width: bytes as u8,
                }
            }
            _ => Piece::single(Scalar::Bits(self.terms.bv_u64(0, 8))),
        }
    }
}

/// The multiples of `step` at which a read of `width` bytes meets the byte at an offset.
pub(super) fn meeting(at: u64, width: u32, step: u64) -> impl Iterator<Item = u64> {
    let first = at.saturating_sub(u64::from(width) - 1);
    let first = first.checked_next_multiple_of(step);
    first
        .into_iter()
        .flat_map(move |first| (first..=at).step_by(step as usize))
}
