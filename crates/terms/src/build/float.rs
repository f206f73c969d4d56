//! Builders of floating-point terms.
//!
//! What SMT-LIB leaves open has one meaning here, and no term depends on a back end's choice:
//! `fp_to_sbv`/`fp_to_ubv` outside the range give zero (an explicit guard is built), `fmin`/`fmax` of zeros of different
//! sign give the first argument, `fp_to_bits` of NaN gives the positive quiet NaN.

use base::Bv;

use crate::arena::{Term, Terms};
use crate::op::{Op, Rounding};
use crate::sort::{FloatSort, Sort};

/// Whether an integer is signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Signedness {
    /// Two's complement.
    Signed,
    /// Plain binary.
    Unsigned,
}

impl Terms {
    /// The floating-point constant with this IEEE image, whose width is the format's; every NaN image gives the one NaN.
    pub fn float(&mut self, bits: Bv, sort: FloatSort) -> Term {
        assert!(
            bits.width() == sort.width(),
            "the image {bits} does not have {} bits",
            sort.width()
        );
        let bits = crate::softfloat::canonical(bits, sort);
        let bits = self.intern_bits(bits);
        self.make_leaf(Op::FloatConst(bits), Sort::Float(sort))
    }

    /// A binary64 constant.
    pub fn float_f64(&mut self, value: f64) -> Term {
        self.float(Bv::from_u64(value.to_bits(), 64), FloatSort::F64)
    }

    /// A binary32 constant.
    pub fn float_f32(&mut self, value: f32) -> Term {
        self.float(Bv::from_u64(u64::from(value.to_bits()), 32), FloatSort::F32)
    }

    /// The float whose IEEE image is `bits`, of `exp + sig` bits (`sig` counts the hidden bit); all NaN images give NaN.
    pub fn fp_from_bits(&mut self, bits: Term, exp: u32, sig: u32) -> Term {
        let sort = FloatSort::new(exp, sig);
        self.check_sort(bits, Sort::BitVec(sort.width()));
        self.make1(Op::FpFromBits, Sort::Float(sort), bits)
    }

    /// The IEEE image of a float; of NaN the positive quiet one.
    pub fn fp_to_bits(&mut self, f: Term) -> Term {
        let width = self.float_sort(f).width();
        self.make1(Op::FpToBits, Sort::BitVec(width), f)
    }

    fn fp1(&mut self, op: Op, f: Term) -> Term {
        let sort = self.float_sort(f);
        self.make1(op, Sort::Float(sort), f)
    }

    fn fp2(&mut self, op: Op, a: Term, b: Term) -> Term {
        let sort = self.float_sort(a);
        self.check_sort(b, Sort::Float(sort));
        self.make2(op, Sort::Float(sort), a, b)
    }

    fn fp_compare(&mut self, op: Op, a: Term, b: Term) -> Term {
        let sort = self.float_sort(a);
        self.check_sort(b, Sort::Float(sort));
        self.make2(op, Sort::Bool, a, b)
    }

    fn fp_test(&mut self, op: Op, f: Term) -> Term {
        self.float_sort(f);
        self.make1(op, Sort::Bool, f)
    }

    /// Sum, rounded to nearest even.
    pub fn fadd(&mut self, a: Term, b: Term) -> Term {
        self.fadd_round(Rounding::NearestEven, a, b)
    }

    /// Difference, rounded to nearest even.
    pub fn fsub(&mut self, a: Term, b: Term) -> Term {
        self.fsub_round(Rounding::NearestEven, a, b)
    }

    /// Product, rounded to nearest even.
    pub fn fmul(&mut self, a: Term, b: Term) -> Term {
        self.fmul_round(Rounding::NearestEven, a, b)
    }

    /// Quotient, rounded to nearest even.
    pub fn fdiv(&mut self, a: Term, b: Term) -> Term {
        self.fdiv_round(Rounding::NearestEven, a, b)
    }

    /// Square root, rounded to nearest even.
    pub fn fsqrt(&mut self, f: Term) -> Term {
        self.fsqrt_round(Rounding::NearestEven, f)
    }

    /// `a * b + c`, rounded once to nearest even.
    pub fn fma(&mut self, a: Term, b: Term, c: Term) -> Term {
        self.fma_round(Rounding::NearestEven, a, b, c)
    }

    /// Sum.
    pub fn fadd_round(&mut self, rounding: Rounding, a: Term, b: Term) -> Term {
        self.fp2(Op::FpAdd(rounding), a, b)
    }

    /// Difference.
    pub fn fsub_round(&mut self, rounding: Rounding, a: Term, b: Term) -> Term {
        self.fp2(Op::FpSub(rounding), a, b)
    }

    /// Product.
    pub fn fmul_round(&mut self, rounding: Rounding, a: Term, b: Term) -> Term {
        self.fp2(Op::FpMul(rounding), a, b)
    }

    /// Quotient.
    pub fn fdiv_round(&mut self, rounding: Rounding, a: Term, b: Term) -> Term {
        self.fp2(Op::FpDiv(rounding), a, b)
    }

    /// Square root.
    pub fn fsqrt_round(&mut self, rounding: Rounding, f: Term) -> Term {
        self.fp1(Op::FpSqrt(rounding), f)
    }

    /// `a * b + c`, rounded once.
    pub fn fma_round(&mut self, rounding: Rounding, a: Term, b: Term, c: Term) -> Term {
        let sort = self.float_sort(a);
        self.check_sort(b, Sort::Float(sort));
        self.check_sort(c, Sort::Float(sort));
        self.make3(Op::FpFma(rounding), Sort::Float(sort), a, b, c)
    }

    /// IEEE remainder (C's `remainder`); LLVM's `frem` and C's `fmod` are [`Terms::fmod`].
    pub fn frem(&mut self, a: Term, b: Term) -> Term {
        self.fp2(Op::FpRem, a, b)
    }

    /// The remainder with the sign of `a` and a truncated quotient: C's `fmod`, LLVM's `frem`.
    pub fn fmod(&mut self, a: Term, b: Term) -> Term {
        let (abs_a, abs_b) = (self.fabs(a), self.fabs(b));
        let rest = self.frem(abs_a, abs_b);
        // The nearest multiple may lie above |a|. Adding |b| back is exact, since the sum is the result, which is representable.
        let above = self.is_negative(rest);
        let adjusted = self.fadd(rest, abs_b);
        let rest = self.ite(above, adjusted, rest);
        let negated = self.fneg(rest);
        let negative = self.is_negative(a);
        self.ite(negative, negated, rest)
    }

    /// The sign cleared.
    pub fn fabs(&mut self, f: Term) -> Term {
        self.fp1(Op::FpAbs, f)
    }

    /// The sign flipped.
    pub fn fneg(&mut self, f: Term) -> Term {
        self.fp1(Op::FpNeg, f)
    }

    /// The lesser; the other one if one is NaN; `a` if they are zeros of different sign.
    pub fn fmin(&mut self, a: Term, b: Term) -> Term {
        let take_a = self.fle(a, b);
        self.number_or(a, b, take_a)
    }

    /// The greater; the other one if one is NaN; `a` if they are zeros of different sign.
    pub fn fmax(&mut self, a: Term, b: Term) -> Term {
        let take_a = self.fle(b, a);
        self.number_or(a, b, take_a)
    }

    fn number_or(&mut self, a: Term, b: Term, take_a: Term) -> Term {
        let (a_nan, b_nan) = (self.is_nan(a), self.is_nan(b));
        let ordered = self.ite(take_a, a, b);
        let without_b = self.ite(b_nan, a, ordered);
        self.ite(a_nan, b, without_b)
    }

    /// Rounded to an integral value.
    pub fn froundint(&mut self, rounding: Rounding, f: Term) -> Term {
        self.fp1(Op::FpRound(rounding), f)
    }

    /// IEEE less.
    pub fn flt(&mut self, a: Term, b: Term) -> Term {
        self.fp_compare(Op::FpLt, a, b)
    }

    /// IEEE less or equal.
    pub fn fle(&mut self, a: Term, b: Term) -> Term {
        self.fp_compare(Op::FpLe, a, b)
    }

    /// IEEE greater.
    pub fn fgt(&mut self, a: Term, b: Term) -> Term {
        self.flt(b, a)
    }

    /// IEEE greater or equal.
    pub fn fge(&mut self, a: Term, b: Term) -> Term {
        self.fle(b, a)
    }

    /// IEEE equality: false if one is NaN, and +0 equals -0.
    pub fn feq(&mut self, a: Term, b: Term) -> Term {
        self.fp_compare(Op::FpEq, a, b)
    }

    /// Whether it is NaN.
    pub fn is_nan(&mut self, f: Term) -> Term {
        self.fp_test(Op::FpIsNan, f)
    }

    /// Whether it is an infinity.
    pub fn is_inf(&mut self, f: Term) -> Term {
        self.fp_test(Op::FpIsInf, f)
    }

    /// Whether it is a zero.
    pub fn is_zero(&mut self, f: Term) -> Term {
        self.fp_test(Op::FpIsZero, f)
    }

    /// Whether it is normal.
    pub fn is_normal(&mut self, f: Term) -> Term {
        self.fp_test(Op::FpIsNormal, f)
    }

    /// Whether it is subnormal.
    pub fn is_subnormal(&mut self, f: Term) -> Term {
        self.fp_test(Op::FpIsSubnormal, f)
    }

    /// Whether its sign is negative, and it is not NaN.
    pub fn is_negative(&mut self, f: Term) -> Term {
        self.fp_test(Op::FpIsNegative, f)
    }

    /// Whether its sign is positive, and it is not NaN.
    pub fn is_positive(&mut self, f: Term) -> Term {
        let negated = self.fneg(f);
        self.is_negative(negated)
    }

    /// Converted to another format, rounded to nearest even.
    pub fn fp_to_fp(&mut self, f: Term, exp: u32, sig: u32) -> Term {
        self.fp_to_fp_round(Rounding::NearestEven, f, exp, sig)
    }

    /// Converted to another format.
    pub fn fp_to_fp_round(&mut self, rounding: Rounding, f: Term, exp: u32, sig: u32) -> Term {
        let from = self.float_sort(f);
        let to = FloatSort::new(exp, sig);
        if from == to {
            f
        } else {
            self.make1(Op::FpToFp(rounding), Sort::Float(to), f)
        }
    }

    /// The signed value of a bit-vector, rounded to nearest even.
    pub fn fp_from_sbv(&mut self, t: Term, exp: u32, sig: u32) -> Term {
        self.fp_from_bv_round(Rounding::NearestEven, Signedness::Signed, t, exp, sig)
    }

    /// The unsigned value of a bit-vector, rounded to nearest even.
    pub fn fp_from_ubv(&mut self, t: Term, exp: u32, sig: u32) -> Term {
        self.fp_from_bv_round(Rounding::NearestEven, Signedness::Unsigned, t, exp, sig)
    }

    /// The value of a bit-vector as a float.
    pub fn fp_from_bv_round(
        &mut self,
        rounding: Rounding,
        signedness: Signedness,
        t: Term,
        exp: u32,
        sig: u32,
    ) -> Term {
        self.width(t);
        let op = match signedness {
            Signedness::Signed => Op::FpFromSbv(rounding),
            Signedness::Unsigned => Op::FpFromUbv(rounding),
        };
        self.make1(op, Sort::float(exp, sig), t)
    }

    /// Truncated to a signed integer of `width` bits; zero outside its range and for NaN.
    pub fn fp_to_sbv(&mut self, f: Term, width: u32) -> Term {
        self.fp_to_bv_round(Rounding::TowardZero, Signedness::Signed, f, width)
    }

    /// Truncated to an unsigned integer of `width` bits; zero outside its range and for NaN.
    pub fn fp_to_ubv(&mut self, f: Term, width: u32) -> Term {
        self.fp_to_bv_round(Rounding::TowardZero, Signedness::Unsigned, f, width)
    }

    /// Rounded to an integer of `width` bits; zero outside its range and for NaN, by an explicit guard.
    pub fn fp_to_bv_round(
        &mut self,
        rounding: Rounding,
        signedness: Signedness,
        f: Term,
        width: u32,
    ) -> Term {
        let converted = self.fp_to_bv_unguarded(rounding, signedness, f, width);
        let inside = self.fp_in_bv_range(rounding, signedness, f, width);
        let zero = self.bv_u64(0, width);
        self.ite(inside, converted, zero)
    }

    /// The bare conversion, which must stand under a guard.
    pub(crate) fn fp_to_bv_unguarded(
        &mut self,
        rounding: Rounding,
        signedness: Signedness,
        f: Term,
        width: u32,
    ) -> Term {
        self.float_sort(f);
        assert!(
            (1..=base::bv::MAX_WIDTH).contains(&width),
            "conversion of {f} to {width} bits"
        );
        let op = match signedness {
            Signedness::Signed => Op::FpToSbv(rounding),
            Signedness::Unsigned => Op::FpToUbv(rounding),
        };
        self.make1(op, Sort::BitVec(width), f)
    }

    /// Whether a float, rounded to an integer, lies in the range of integers of `width` bits; false for NaN.
    pub fn fp_in_bv_range(
        &mut self,
        rounding: Rounding,
        signedness: Signedness,
        f: Term,
        width: u32,
    ) -> Term {
        let sort = self.float_sort(f);
        let (low, high) = match signedness {
            Signedness::Signed => (Some(width - 1), width - 1),
            Signedness::Unsigned => (None, width),
        };
        // Truncation needs no rounding first: f > low - 1, where low - 1 can be represented, is the same as trunc(f) >= low.
        let truncates = rounding == Rounding::TowardZero;
        let f = if truncates {
            f
        } else {
            self.froundint(rounding, f)
        };
        let above = match low {
            None if truncates => {
                let minus_one = self.float(crate::softfloat::power_of_two(0, true, sort), sort);
                self.flt(minus_one, f)
            }
            None => {
                let zero = self.float(Bv::zero(sort.width()), sort);
                self.fle(zero, f)
            }
            Some(log2) if truncates => match crate::softfloat::below_negative_power(log2, sort) {
                Some(bound) => {
                    let bound = self.float(bound, sort);
                    self.flt(bound, f)
                }
                None => {
                    let bound = self.float(crate::softfloat::power_of_two(log2, true, sort), sort);
                    self.fle_or_finite(bound, f, log2, sort)
                }
            },
            Some(log2) => {
                let bound = self.float(crate::softfloat::power_of_two(log2, true, sort), sort);
                self.fle_or_finite(bound, f, log2, sort)
            }
        };
        // Where 2^high is no finite value of the format, its image is infinity, and f < infinity is what is needed.
        let high = self.float(crate::softfloat::power_of_two(high, false, sort), sort);
        let below = self.flt(f, high);
        self.and(above, below)
    }

    /// `bound <= f` for the bound -2^log2; if the format has no such number, every finite value is above it.
    fn fle_or_finite(&mut self, bound: Term, f: Term, log2: u32, sort: FloatSort) -> Term {
        if crate::softfloat::has_power_of_two(log2, sort) {
            self.fle(bound, f)
        } else {
            self.flt(bound, f)
        }
    }
}
