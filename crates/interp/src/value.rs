//! Values of the program, outside the frames.

use base::Bv;
use ir::syntax::{FloatTy, Type};

use crate::memory::Pointer;

/// A value of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// An integer.
    Int(Bv),
    /// A float, by its bits.
    Float(FloatTy, Bv),
    /// A pointer.
    Pointer(Pointer),
    /// A memory (Pure): its number and version.
    Memory(u64, u64),
}

impl Value {
    /// The value of a type in these words.
    pub(crate) fn from_words(ty: Type, words: &[u64]) -> Value {
        match ty {
            Type::Int(width) => Value::Int(Bv::from_words(words, width)),
            Type::Float(float) => Value::Float(float, Bv::from_words(words, float.bits())),
            Type::Ptr => Value::Pointer(Pointer {
                address: words[0],
                object: words[1] as u32,
            }),
            Type::Mem(_) => Value::Memory(words[0], words[1]),
        }
    }

    /// The bits of an integer or float, the address of a pointer.
    pub fn bits(&self, pointer_bits: u32) -> Option<Bv> {
        match self {
            Value::Int(bv) | Value::Float(_, bv) => Some(bv.clone()),
            Value::Pointer(pointer) => Some(Bv::from_u64(pointer.address, pointer_bits)),
            Value::Memory(..) => None,
        }
    }
}
