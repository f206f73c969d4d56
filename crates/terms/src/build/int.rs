//! Builders of integer terms.

use num_bigint::BigInt;

use crate::arena::{Term, Terms};
use crate::op::Op;
use crate::sort::Sort;

impl Terms {
    /// An integer constant.
    pub fn int(&mut self, value: impl Into<BigInt>) -> Term {
        let id = self.intern_int(value.into());
        self.make_leaf(Op::IntConst(id), Sort::Int)
    }

    fn int2(&mut self, op: Op, sort: Sort, a: Term, b: Term) -> Term {
        self.check_sort(a, Sort::Int);
        self.check_sort(b, Sort::Int);
        self.make2(op, sort, a, b)
    }

    /// Sum of integers.
    pub fn iadd(&mut self, a: Term, b: Term) -> Term {
        self.int2(Op::IntAdd, Sort::Int, a, b)
    }

    /// Difference of integers.
    pub fn isub(&mut self, a: Term, b: Term) -> Term {
        self.int2(Op::IntSub, Sort::Int, a, b)
    }

    /// Product of integers.
    pub fn imul(&mut self, a: Term, b: Term) -> Term {
        self.int2(Op::IntMul, Sort::Int, a, b)
    }

    /// Negation of an integer.
    pub fn ineg(&mut self, a: Term) -> Term {
        self.check_sort(a, Sort::Int);
        self.make1(Op::IntNeg, Sort::Int, a)
    }

    /// Less or equal of integers.
    pub fn ile(&mut self, a: Term, b: Term) -> Term {
        self.int2(Op::IntLe, Sort::Bool, a, b)
    }

    /// Less of integers.
    pub fn ilt(&mut self, a: Term, b: Term) -> Term {
        self.int2(Op::IntLt, Sort::Bool, a, b)
    }

    /// Greater or equal of integers.
    pub fn ige(&mut self, a: Term, b: Term) -> Term {
        self.ile(b, a)
    }

    /// Greater of integers.
    pub fn igt(&mut self, a: Term, b: Term) -> Term {
        self.ilt(b, a)
    }

    /// Quotient of integers such that the remainder is not negative, as in SMT-LIB; zero if `b` is zero.
    pub fn idiv(&mut self, a: Term, b: Term) -> Term {
        let zero = self.int(0);
        let quotient = self.int2(Op::IntDiv, Sort::Int, a, b);
        self.guard_divisor(b, zero, quotient)
    }

    /// Remainder of integers, at least zero and less than |b|, as in SMT-LIB; `a` if `b` is zero.
    pub fn imod(&mut self, a: Term, b: Term) -> Term {
        let rest = self.int2(Op::IntMod, Sort::Int, a, b);
        self.guard_divisor(b, a, rest)
    }

    /// `by_zero` if `b` is zero, otherwise `result`: back ends may do what they like with a zero divisor.
    fn guard_divisor(&mut self, b: Term, by_zero: Term, result: Term) -> Term {
        if self
            .as_int(b)
            .is_some_and(|divisor| *divisor != BigInt::ZERO)
        {
            return result;
        }
        let zero = self.int(0);
        let is_zero = self.eq(b, zero);
        self.ite(is_zero, by_zero, result)
    }

    /// The unsigned value of a bit-vector.
    pub fn bv2nat(&mut self, t: Term) -> Term {
        self.width(t);
        self.make1(Op::BvToNat, Sort::Int, t)
    }

    /// The signed value of a bit-vector.
    pub fn bv2int(&mut self, t: Term) -> Term {
        let width = self.width(t);
        let unsigned = self.bv2nat(t);
        let modulus = self.int(BigInt::from(1) << width);
        let negative = self.isub(unsigned, modulus);
        let zero = self.bv_u64(0, width);
        let sign = self.slt(t, zero);
        self.ite(sign, negative, unsigned)
    }

    /// The bit-vector of this width that is congruent to an integer.
    pub fn int2bv(&mut self, t: Term, width: u32) -> Term {
        self.check_sort(t, Sort::Int);
        assert!(
            (1..=base::bv::MAX_WIDTH).contains(&width),
            "int2bv of {t} to {width} bits"
        );
        self.make1(Op::IntToBv, Sort::BitVec(width), t)
    }
}
