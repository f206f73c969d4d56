//! Builders of bit-vector terms.

use base::Bv;

use crate::arena::{Term, Terms};
use crate::op::{Bits, Op};
use crate::sort::Sort;

/// Builders of one shape: two arguments of one width.
macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident = $op:ident => $result:ident;)+) => { $(
        $(#[$doc])*
        #[inline]
        pub fn $name(&mut self, a: Term, b: Term) -> Term {
            let sort = self.same_width(a, b);
            self.make2(Op::$op, binary!(@ $result sort), a, b)
        }
    )+ };
    (@ same $sort:ident) => { $sort };
    (@ bool $sort:ident) => {{ let _ = $sort; Sort::Bool }};
}

impl Terms {
    /// A bit-vector constant.
    #[inline]
    pub fn bv(&mut self, value: Bv) -> Term {
        let width = value.width();
        let bits = self.intern_bits(value);
        self.make_leaf(Op::BvConst(bits), Sort::BitVec(width))
    }

    /// The bit-vector constant that is congruent to `value`.
    #[inline]
    pub fn bv_u64(&mut self, value: u64, width: u32) -> Term {
        if (1..=64).contains(&width) {
            let bits = Bits::new(value & (u64::MAX >> (64 - width)));
            return self.make_leaf(Op::BvConst(bits), Sort::BitVec(width));
        }
        self.bv(Bv::from_u64(value, width))
    }

    /// The bit-vector constant that is congruent to `value`.
    #[inline]
    pub fn bv_i64(&mut self, value: i64, width: u32) -> Term {
        if width <= 64 {
            self.bv_u64(value as u64, width)
        } else {
            self.bv(Bv::from_i64(value, width))
        }
    }

    binary! {
        /// Sum.
        add = Add => same;
        /// Difference.
        sub = Sub => same;
        /// Product.
        mul = Mul => same;
        /// Unsigned quotient; all ones if `b` is zero.
        udiv = Udiv => same;
        /// Unsigned remainder; `a` if `b` is zero.
        urem = Urem => same;
        /// Signed quotient towards zero; if `b` is zero, 1 for negative `a` and -1 otherwise.
        sdiv = Sdiv => same;
        /// Signed remainder with the sign of `a`; `a` if `b` is zero.
        srem = Srem => same;
        /// Bitwise conjunction.
        bvand = BvAnd => same;
        /// Bitwise disjunction.
        bvor = BvOr => same;
        /// Bitwise exclusive disjunction.
        bvxor = BvXor => same;
        /// Shift left; zero if `b` is at least the width.
        shl = Shl => same;
        /// Shift right with zeros; zero if `b` is at least the width.
        lshr = Lshr => same;
        /// Shift right with copies of the sign; only copies if `b` is at least the width.
        ashr = Ashr => same;
        /// Unsigned less.
        ult = Ult => bool;
        /// Unsigned less or equal.
        ule = Ule => bool;
        /// Signed less.
        slt = Slt => bool;
        /// Signed less or equal.
        sle = Sle => bool;
        /// Whether the unsigned sum does not fit.
        uaddo = Uaddo => bool;
        /// Whether the signed sum does not fit.
        saddo = Saddo => bool;
        /// Whether the signed difference does not fit.
        ssubo = Ssubo => bool;
        /// Whether the unsigned product does not fit.
        umulo = Umulo => bool;
        /// Whether the signed product does not fit.
        smulo = Smulo => bool;
    }

    /// Two's complement negation.
    #[inline]
    pub fn neg(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.make1(Op::Neg, Sort::BitVec(width), a)
    }

    /// Bitwise negation.
    #[inline]
    pub fn bvnot(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.make1(Op::BvNot, Sort::BitVec(width), a)
    }

    /// Unsigned greater.
    #[inline]
    pub fn ugt(&mut self, a: Term, b: Term) -> Term {
        self.ult(b, a)
    }

    /// Unsigned greater or equal.
    #[inline]
    pub fn uge(&mut self, a: Term, b: Term) -> Term {
        self.ule(b, a)
    }

    /// Signed greater.
    #[inline]
    pub fn sgt(&mut self, a: Term, b: Term) -> Term {
        self.slt(b, a)
    }

    /// Signed greater or equal.
    #[inline]
    pub fn sge(&mut self, a: Term, b: Term) -> Term {
        self.sle(b, a)
    }

    /// Whether the unsigned difference is negative.
    #[inline]
    pub fn usubo(&mut self, a: Term, b: Term) -> Term {
        self.ult(a, b)
    }

    /// Whether negation does not fit: of the least signed value only.
    pub fn nego(&mut self, a: Term) -> Term {
        let min = Bv::int_min(self.width(a));
        let min = self.bv(min);
        self.eq(a, min)
    }

    /// Whether the signed quotient does not fit: of the least signed value by minus one only.
    pub fn sdivo(&mut self, a: Term, b: Term) -> Term {
        self.same_width(a, b);
        let overflows = self.nego(a);
        let ones = Bv::ones(self.width(b));
        let ones = self.bv(ones);
        let by_minus_one = self.eq(b, ones);
        self.and(overflows, by_minus_one)
    }

    /// Signed remainder with the sign of `b`; `a` if `b` is zero.
    pub fn smod(&mut self, a: Term, b: Term) -> Term {
        self.same_width(a, b);
        let width = self.width(a);
        let zero = self.bv_u64(0, width);
        let rest = self.srem(a, b);
        // The remainder has the sign of `a`; if that is not `b`'s and it is not zero, one `b` too little was taken.
        let rest_negative = self.slt(rest, zero);
        let divisor_negative = self.slt(b, zero);
        let other_sign = self.xor(rest_negative, divisor_negative);
        let rest_is_zero = self.eq(rest, zero);
        let divisor_is_zero = self.eq(b, zero);
        let exact = self.or(rest_is_zero, divisor_is_zero);
        let not_exact = self.not(exact);
        let adjust = self.and(other_sign, not_exact);
        let adjusted = self.add(rest, b);
        self.ite(adjust, adjusted, rest)
    }

    /// Bits `hi` down to `lo`, both included.
    #[inline]
    pub fn extract(&mut self, t: Term, hi: u32, lo: u32) -> Term {
        let width = self.width(t);
        assert!(
            lo <= hi && hi < width,
            "extract {hi} {lo} of {t} with {width} bits"
        );
        self.make1(Op::Extract { hi, lo }, Sort::BitVec(hi - lo + 1), t)
    }

    /// `hi`'s bits above `lo`'s bits.
    #[inline]
    pub fn concat(&mut self, hi: Term, lo: Term) -> Term {
        let width = self.width(hi) + self.width(lo);
        assert!(
            width <= base::bv::MAX_WIDTH,
            "concat of {hi} and {lo} is too wide"
        );
        self.make2(Op::Concat, Sort::BitVec(width), hi, lo)
    }

    /// Zero extension to `width` bits, which are at least as many as there are.
    #[inline]
    pub fn zext(&mut self, t: Term, width: u32) -> Term {
        let from = self.width(t);
        assert!(
            width >= from && width <= base::bv::MAX_WIDTH,
            "zext of {t} from {from} to {width} bits"
        );
        if width == from {
            t
        } else {
            self.make1(Op::Zext, Sort::BitVec(width), t)
        }
    }

    /// Sign extension to `width` bits, which are at least as many as there are.
    #[inline]
    pub fn sext(&mut self, t: Term, width: u32) -> Term {
        let from = self.width(t);
        assert!(
            width >= from && width <= base::bv::MAX_WIDTH,
            "sext of {t} from {from} to {width} bits"
        );
        if width == from {
            t
        } else {
            self.make1(Op::Sext, Sort::BitVec(width), t)
        }
    }

    /// The lowest `width` bits, of which there are at least that many.
    #[inline]
    pub fn trunc(&mut self, t: Term, width: u32) -> Term {
        if width == self.width(t) {
            t
        } else {
            self.extract(t, width - 1, 0)
        }
    }

    /// Zero extension or truncation, whichever gives `width` bits.
    pub fn zext_or_trunc(&mut self, t: Term, width: u32) -> Term {
        if width >= self.width(t) {
            self.zext(t, width)
        } else {
            self.trunc(t, width)
        }
    }

    /// Sign extension or truncation, whichever gives `width` bits.
    pub fn sext_or_trunc(&mut self, t: Term, width: u32) -> Term {
        if width >= self.width(t) {
            self.sext(t, width)
        } else {
            self.trunc(t, width)
        }
    }

    /// `1` if `b` holds, otherwise `0`, of this width.
    pub fn bool_to_bv(&mut self, b: Term, width: u32) -> Term {
        let one = self.bv_u64(1, width);
        let zero = self.bv_u64(0, width);
        self.ite(b, one, zero)
    }

    /// Whether a bit-vector is not zero.
    pub fn bv_to_bool(&mut self, t: Term) -> Term {
        let width = self.width(t);
        let zero = self.bv_u64(0, width);
        self.ne(t, zero)
    }

    /// Whether bit `index` is set.
    pub fn bit(&mut self, t: Term, index: u32) -> Term {
        let bit = self.extract(t, index, index);
        self.bv_to_bool(bit)
    }

    /// How many bits are set, as a bit-vector of the same width (modulo 2^width, as in LLVM).
    pub fn popcount(&mut self, t: Term) -> Term {
        let width = self.width(t);
        let mut parts: Vec<Term> = Vec::with_capacity(width as usize);
        for index in 0..width {
            let bit = self.extract(t, index, index);
            parts.push(self.zext(bit, width));
        }
        while parts.len() > 1 {
            let pairs = parts.chunks(2).map(<[Term]>::to_vec).collect::<Vec<_>>();
            parts = pairs
                .into_iter()
                .map(|pair| {
                    if pair.len() == 2 {
                        self.add(pair[0], pair[1])
                    } else {
                        pair[0]
                    }
                })
                .collect();
        }
        parts[0]
    }

    /// How many bits above the highest set one are clear; the width for zero. Same width as `t` (modulo 2^width).
    pub fn ctlz(&mut self, t: Term) -> Term {
        let width = self.width(t);
        let indices = (0..width).map(|index| (index, width - 1 - index));
        self.first_set(t, indices)
    }

    /// How many bits below the lowest set one are clear; the width for zero. Same width as `t` (modulo 2^width).
    pub fn cttz(&mut self, t: Term) -> Term {
        let width = self.width(t);
        let indices = (0..width).rev().map(|index| (index, index));
        self.first_set(t, indices)
    }

    /// A chain of ites over (bit, result); the last pair whose bit is set decides.
    fn first_set(&mut self, t: Term, pairs: impl Iterator<Item = (u32, u32)>) -> Term {
        let width = self.width(t);
        let mut result = self.bv_u64(u64::from(width), width);
        for (index, value) in pairs {
            let set = self.bit(t, index);
            let value = self.bv_u64(u64::from(value), width);
            result = self.ite(set, value, result);
        }
        result
    }
}
