//! Operators: what a term does with its arguments.
//!
//! This file holds declarations and their meaning only. The set is small on purpose, because every back end and the
//! evaluator match on it exhaustively; builders express the rest of SMT-LIB with it (`bvnand`, `=>`, `fp.min` …).
//! Every operator is total. Where SMT-LIB leaves a result open, the meaning here is fixed, and the builders guard the
//! operator so that no term rests on it (see [`Op::FpToSbv`], [`Op::FpToUbv`], [`Op::IntDiv`], [`Op::IntMod`]).

base::id! {
    /// A variable's or function's name in an arena.
    Symbol, "s";
    /// A declared, uninterpreted function.
    Fun, "f";
    /// A constant that does not fit in a node: a wide bit-vector or an integer.
    Big, "k"
}

/// How an inexact floating-point result is rounded.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rounding {
    /// To the nearest, ties to even; C's and LLVM's default.
    NearestEven,
    /// To the nearest, ties away from zero.
    NearestAway,
    /// Upwards.
    TowardPositive,
    /// Downwards.
    TowardNegative,
    /// Truncation; what a conversion to an integer does in C.
    TowardZero,
}

impl Rounding {
    /// All five modes.
    pub const ALL: [Rounding; 5] = [
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::TowardPositive,
        Rounding::TowardNegative,
        Rounding::TowardZero,
    ];

    /// The short name in SMT-LIB.
    pub fn name(self) -> &'static str {
        match self {
            Rounding::NearestEven => "RNE",
            Rounding::NearestAway => "RNA",
            Rounding::TowardPositive => "RTP",
            Rounding::TowardNegative => "RTN",
            Rounding::TowardZero => "RTZ",
        }
    }
}

/// The bits of a bit-vector or floating-point constant: up to 64 of them inline, or the number of a wide constant.
/// [`Terms::as_bv`](crate::Terms::as_bv) and [`Terms::as_float_bits`](crate::Terms::as_float_bits) read it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Bits {
    pub(crate) low: u32,
    pub(crate) high: u32,
}

impl Bits {
    #[inline]
    pub(crate) fn new(word: u64) -> Bits {
        Bits {
            low: word as u32,
            high: (word >> 32) as u32,
        }
    }

    #[inline]
    pub(crate) fn word(self) -> u64 {
        u64::from(self.low) | u64::from(self.high) << 32
    }
}

/// An operator. `x`, `y`, `z` are the term's arguments in order, `w` is the width of a bit-vector argument.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    /// True.
    True,
    /// False.
    False,
    /// A bit-vector constant.
    BvConst(Bits),
    /// A floating-point constant by its IEEE image; NaN has one image, the quiet one with positive sign.
    FloatConst(Bits),
    /// An integer constant.
    IntConst(Big),
    /// A free variable: any value of the term's sort.
    Var(Symbol),

    /// Boolean negation.
    Not,
    /// Boolean conjunction of two.
    And,
    /// Boolean disjunction of two.
    Or,
    /// Boolean exclusive disjunction of two.
    Xor,
    /// Equality of any sort, the same for `x` and `y`. On floats it is identity: NaN equals NaN, and +0 differs from -0.
    Eq,
    /// `y` if `x` holds, otherwise `z`; of any sort, the same for `y` and `z`.
    Ite,

    /// Bitwise negation.
    BvNot,
    /// Bitwise conjunction.
    BvAnd,
    /// Bitwise disjunction.
    BvOr,
    /// Bitwise exclusive disjunction.
    BvXor,
    /// Two's complement negation.
    Neg,
    /// Sum modulo 2^w.
    Add,
    /// Difference modulo 2^w.
    Sub,
    /// Product modulo 2^w.
    Mul,
    /// Unsigned quotient; all ones if `y` is zero.
    Udiv,
    /// Unsigned remainder; `x` if `y` is zero.
    Urem,
    /// Signed quotient towards zero; if `y` is zero, 1 for negative `x` and -1 otherwise.
    Sdiv,
    /// Signed remainder with the sign of `x`; `x` if `y` is zero.
    Srem,
    /// Shift left; zero if `y` is at least w.
    Shl,
    /// Shift right with zeros; zero if `y` is at least w.
    Lshr,
    /// Shift right with copies of the sign; only copies if `y` is at least w.
    Ashr,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
    /// `x`'s bits above `y`'s bits.
    Concat,
    /// Bits `hi` down to `lo` of `x`, both included.
    Extract {
        /// The highest bit that is kept.
        hi: u32,
        /// The lowest bit that is kept.
        lo: u32,
    },
    /// Widens with zeros to the width of the term's sort, which is greater.
    Zext,
    /// Widens with copies of the sign to the width of the term's sort, which is greater.
    Sext,
    /// Whether the unsigned sum does not fit in w bits.
    Uaddo,
    /// Whether the signed sum does not fit in w bits.
    Saddo,
    /// Whether the signed difference does not fit in w bits.
    Ssubo,
    /// Whether the unsigned product does not fit in w bits.
    Umulo,
    /// Whether the signed product does not fit in w bits.
    Smulo,

    /// Negation of an integer.
    IntNeg,
    /// Sum of integers.
    IntAdd,
    /// Difference of integers.
    IntSub,
    /// Product of integers.
    IntMul,
    /// Quotient of integers such that the remainder is not negative. If `y` is zero: zero, and the builder guards it.
    IntDiv,
    /// Remainder of integers, at least zero and less than |y|. If `y` is zero: `x`, and the builder guards it.
    IntMod,
    /// Less or equal of integers.
    IntLe,
    /// Less of integers.
    IntLt,
    /// The unsigned value of a bit-vector.
    BvToNat,
    /// The bit-vector of the sort's width that is congruent to an integer.
    IntToBv,

    /// The element of array `x` at index `y`.
    Select,
    /// Array `x` with `z` at index `y`.
    Store,
    /// The array of the term's sort whose elements all are `x`.
    ConstArray,
    /// An uninterpreted function applied to the arguments, which are as many as it takes.
    Apply(Fun),

    /// The float whose IEEE image is the bit-vector `x`; all NaN images give NaN.
    FpFromBits,
    /// The IEEE image of a float; of NaN the quiet one with positive sign (sign 0, exponent all ones, top fraction bit 1).
    FpToBits,
    /// The sign flipped.
    FpNeg,
    /// The sign cleared.
    FpAbs,
    /// Sum.
    FpAdd(Rounding),
    /// Difference.
    FpSub(Rounding),
    /// Product.
    FpMul(Rounding),
    /// Quotient.
    FpDiv(Rounding),
    /// `x * y + z`, rounded once.
    FpFma(Rounding),
    /// Square root.
    FpSqrt(Rounding),
    /// IEEE remainder: `x - y * n` with `n` the integer nearest to `x / y`, ties to even. C's `remainder`, not `fmod`.
    FpRem,
    /// Rounded to an integral value.
    FpRound(Rounding),
    /// IEEE less: false if one is NaN.
    FpLt,
    /// IEEE less or equal: false if one is NaN.
    FpLe,
    /// IEEE equality: false if one is NaN, and +0 equals -0.
    FpEq,
    /// Whether it is NaN.
    FpIsNan,
    /// Whether it is an infinity.
    FpIsInf,
    /// Whether it is a zero.
    FpIsZero,
    /// Whether it is normal.
    FpIsNormal,
    /// Whether it is subnormal.
    FpIsSubnormal,
    /// Whether its sign is negative, and it is not NaN.
    FpIsNegative,
    /// Converted to the format of the term's sort.
    FpToFp(Rounding),
    /// The signed value of a bit-vector, as a float of the term's sort.
    FpFromSbv(Rounding),
    /// The unsigned value of a bit-vector, as a float of the term's sort.
    FpFromUbv(Rounding),
    /// Rounded to an integer, as a signed bit-vector of the term's sort. Outside its range and for NaN: zero, and the builder guards it.
    FpToSbv(Rounding),
    /// Rounded to an integer, as an unsigned bit-vector of the term's sort. Outside its range and for NaN: zero, and the builder guards it.
    FpToUbv(Rounding),
}

impl Op {
    /// How many arguments the operator takes; `None` for [`Op::Apply`], which takes as many as its function.
    #[inline]
    pub fn arity(self) -> Option<usize> {
        Some(match self {
            Op::True
            | Op::False
            | Op::BvConst(_)
            | Op::FloatConst(_)
            | Op::IntConst(_)
            | Op::Var(_) => 0,
            Op::Not
            | Op::BvNot
            | Op::Neg
            | Op::Extract { .. }
            | Op::Zext
            | Op::Sext
            | Op::IntNeg
            | Op::BvToNat
            | Op::IntToBv
            | Op::ConstArray
            | Op::FpFromBits
            | Op::FpToBits
            | Op::FpNeg
            | Op::FpAbs
            | Op::FpSqrt(_)
            | Op::FpRound(_)
            | Op::FpIsNan
            | Op::FpIsInf
            | Op::FpIsZero
            | Op::FpIsNormal
            | Op::FpIsSubnormal
            | Op::FpIsNegative
            | Op::FpToFp(_)
            | Op::FpFromSbv(_)
            | Op::FpFromUbv(_)
            | Op::FpToSbv(_)
            | Op::FpToUbv(_) => 1,
            Op::And
            | Op::Or
            | Op::Xor
            | Op::Eq
            | Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Udiv
            | Op::Urem
            | Op::Sdiv
            | Op::Srem
            | Op::Shl
            | Op::Lshr
            | Op::Ashr
            | Op::Ult
            | Op::Ule
            | Op::Slt
            | Op::Sle
            | Op::Concat
            | Op::Uaddo
            | Op::Saddo
            | Op::Ssubo
            | Op::Umulo
            | Op::Smulo
            | Op::IntAdd
            | Op::IntSub
            | Op::IntMul
            | Op::IntDiv
            | Op::IntMod
            | Op::IntLe
            | Op::IntLt
            | Op::Select
            | Op::FpAdd(_)
            | Op::FpSub(_)
            | Op::FpMul(_)
            | Op::FpDiv(_)
            | Op::FpRem
            | Op::FpLt
            | Op::FpLe
            | Op::FpEq => 2,
            Op::Ite | Op::Store | Op::FpFma(_) => 3,
            Op::Apply(_) => return None,
        })
    }

    /// Whether the two arguments may change places.
    #[inline]
    pub fn is_commutative(self) -> bool {
        matches!(
            self,
            Op::And
                | Op::Or
                | Op::Xor
                | Op::Eq
                | Op::BvAnd
                | Op::BvOr
                | Op::BvXor
                | Op::Add
                | Op::Mul
                | Op::Uaddo
                | Op::Saddo
                | Op::Umulo
                | Op::Smulo
                | Op::IntAdd
                | Op::IntMul
                | Op::FpAdd(_)
                | Op::FpMul(_)
                | Op::FpEq
        )
    }

    /// Whether this is a constant of any sort but arrays.
    #[inline]
    pub fn is_const(self) -> bool {
        matches!(
            self,
            Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) | Op::IntConst(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Op;

    #[test]
    fn an_operator_takes_three_words() {
        assert_eq!(size_of::<Op>(), 12);
    }
}
