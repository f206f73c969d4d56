//! Sorts: what a term denotes.
//!
//! A sort is a small value. Only array sorts need the arena, which numbers the distinct pairs of index and
//! element sort ([`Terms::array_sort`](crate::Terms::array_sort), [`Terms::array_parts`](crate::Terms::array_parts)).
//! Inside a node a sort takes one word:
//!
//! ```text
//!   31 30 29                                    0
//!   [ 00 ][ 0 = Bool, 1 = Int                   ]
//!   [ 01 ][ width of a bit-vector               ]
//!   [ 10 ][ exponent bits : 8 | significand: 22 ]
//!   [ 11 ][ number of an array sort             ]
//! ```

base::id! {
    /// An array sort of an arena: a pair of index and element sort.
    ArraySort, "array"
}

/// What a term denotes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// True or false.
    Bool,
    /// The integers.
    Int,
    /// Bit-vectors of this width, at least one.
    BitVec(u32),
    /// Binary floating-point numbers of IEEE 754, with one NaN.
    Float(FloatSort),
    /// Functions from an index sort to an element sort.
    Array(ArraySort),
}

/// The format of a floating-point sort, named as in SMT-LIB: `(_ FloatingPoint exp sig)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FloatSort {
    /// Bits of the exponent, from 2 to 30.
    pub exp: u32,
    /// Bits of the significand with its hidden bit, from 2 to 2^20.
    pub sig: u32,
}

impl FloatSort {
    /// IEEE binary16.
    pub const F16: FloatSort = FloatSort { exp: 5, sig: 11 };
    /// IEEE binary32, C's `float`.
    pub const F32: FloatSort = FloatSort { exp: 8, sig: 24 };
    /// IEEE binary64, C's `double`.
    pub const F64: FloatSort = FloatSort { exp: 11, sig: 53 };
    /// The values of x87's 80-bit format; the explicit integer bit is not part of the IEEE image.
    pub const X87: FloatSort = FloatSort { exp: 15, sig: 64 };
    /// IEEE binary128.
    pub const F128: FloatSort = FloatSort { exp: 15, sig: 113 };

    /// The format with these exponent and significand bits (hidden bit included). Panics outside the supported range.
    pub fn new(exp: u32, sig: u32) -> FloatSort {
        let sort = FloatSort { exp, sig };
        assert!(
            sort.is_supported(),
            "no floating-point format with {exp} and {sig} bits"
        );
        sort
    }

    /// Whether terms of this format can be made.
    pub fn is_supported(self) -> bool {
        (2..=30).contains(&self.exp) && (2..=1 << 20).contains(&self.sig)
    }

    /// The width of the IEEE interchange image: sign, exponent, significand without hidden bit.
    pub fn width(self) -> u32 {
        self.exp + self.sig
    }
}

impl Sort {
    /// The floating-point sort of this format.
    pub fn float(exp: u32, sig: u32) -> Sort {
        Sort::Float(FloatSort::new(exp, sig))
    }

    /// The width, if this is a bit-vector sort.
    #[inline]
    pub fn bv_width(self) -> Option<u32> {
        match self {
            Sort::BitVec(width) => Some(width),
            Sort::Bool | Sort::Int | Sort::Float(_) | Sort::Array(_) => None,
        }
    }

    #[inline]
    pub(crate) fn pack(self) -> PackedSort {
        PackedSort(match self {
            Sort::Bool => 0,
            Sort::Int => 1,
            Sort::BitVec(width) => 1 << 30 | width,
            Sort::Float(FloatSort { exp, sig }) => 2 << 30 | exp << 22 | sig,
            Sort::Array(id) => 3 << 30 | id.index() as u32,
        })
    }
}

/// A sort in one word.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PackedSort(u32);

impl PackedSort {
    #[inline]
    pub(crate) fn word(self) -> u32 {
        self.0
    }

    #[inline]
    pub(crate) fn unpack(self) -> Sort {
        let rest = self.0 & ((1 << 30) - 1);
        match self.0 >> 30 {
            0 if rest == 0 => Sort::Bool,
            0 => Sort::Int,
            1 => Sort::BitVec(rest),
            2 => Sort::Float(FloatSort {
                exp: rest >> 22,
                sig: rest & ((1 << 22) - 1),
            }),
            _ => Sort::Array(ArraySort::from_index(rest as usize)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{ArraySort, FloatSort, Sort};

    #[test]
    fn a_sort_fits_one_word() {
        let sorts = [
            Sort::Bool,
            Sort::Int,
            Sort::BitVec(1),
            Sort::BitVec(base::bv::MAX_WIDTH),
            Sort::Float(FloatSort::F16),
            Sort::Float(FloatSort::X87),
            Sort::float(30, 1 << 20),
            Sort::Array(ArraySort::from_index(0)),
            Sort::Array(ArraySort::from_index(12_345)),
        ];
        for sort in sorts {
            assert_eq!(sort.pack().unpack(), sort);
        }
    }
}
