//! How memory and pointers become terms: the choices that do not change a verdict.

pub use crate::memory::Representation;
pub use crate::pointer::PointerStyle;
pub use terms::memory::Techniques;

/// All choices together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Encoding {
    /// Contents of objects.
    pub memory: Representation,
    /// The unit of an object's contents.
    pub word: Word,
    /// Pointers.
    pub pointers: PointerStyle,
    /// Addresses of objects.
    pub allocator: Allocator,
    /// What the theory of memory uses.
    pub techniques: Techniques,
}

/// The unit of an object's contents.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Word {
    /// What the accesses of a region suggest; the λ representation keeps scalars as they are.
    #[default]
    Auto,
    /// So many bytes: 1, 4 or 8, and at most a pointer's.
    Bytes(u32),
}

/// Where objects lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Allocator {
    /// At constant addresses.
    #[default]
    Static,
    /// At constant distances from where heap and stack begin, which is anywhere.
    Relative,
    /// Anywhere: each base is a free variable. For fat pointers, and for proofs only: what is true of
    /// bases is what [`crate::lives`] says.
    Free,
}
