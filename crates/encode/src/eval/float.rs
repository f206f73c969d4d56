//! Floating point: registers hold images (bit-vectors), operations go through the theory of floats.
//!
//! A NaN that an operation makes has the canonical image. The x87 format has an explicit integer
//! bit, which the theory does not know: it is left out on the way in and restored on the way out.

use ir::syntax::{BinaryOp, CastOp, CompareOp, FloatTy, Type, UnaryOp};
use terms::{Rounding, Signedness, Term};

use super::evaluation::Evaluation;

/// Exponent and significand widths of a format, the hidden bit included.
fn format(float: FloatTy) -> (u32, u32) {
    match float {
        FloatTy::F16 => (5, 11),
        FloatTy::F32 => (8, 24),
        FloatTy::F64 => (11, 53),
        FloatTy::F80 => (15, 64),
        FloatTy::F128 => (15, 113),
    }
}

impl Evaluation<'_, '_> {
    fn float_of(&mut self, float: FloatTy, bits: Term) -> Term {
        let (exp, sig) = format(float);
        let image = match float {
            FloatTy::F80 => {
                let high = self.terms().extract(bits, 79, 64);
                let fraction = self.terms().extract(bits, 62, 0);
                self.terms().concat(high, fraction)
            }
            FloatTy::F16 | FloatTy::F32 | FloatTy::F64 | FloatTy::F128 => bits,
        };
        self.terms().fp_from_bits(image, exp, sig)
    }

    fn image_of(&mut self, float: FloatTy, value: Term) -> Term {
        let image = self.terms().fp_to_bits(value);
        match float {
            FloatTy::F80 => {
                let high = self.terms().extract(image, 78, 63);
                let exponent = self.terms().extract(image, 77, 63);
                let fraction = self.terms().extract(image, 62, 0);
                let zero = self.terms().bv_u64(0, 15);
                let normal = self.terms().ne(exponent, zero);
                let bit = self.terms().bool_to_bv(normal, 1);
                let low = self.terms().concat(bit, fraction);
                self.terms().concat(high, low)
            }
            FloatTy::F16 | FloatTy::F32 | FloatTy::F64 | FloatTy::F128 => image,
        }
    }

    /// Is the integer bit of an x87 image what its exponent says?
    pub(super) fn is_canonical_f80(&mut self, bits: Term) -> Term {
        let exponent = self.terms().extract(bits, 78, 64);
        let zero = self.terms().bv_u64(0, 15);
        let normal = self.terms().ne(exponent, zero);
        let bit = self.terms().extract(bits, 63, 63);
        let set = self.terms().bv_to_bool(bit);
        self.terms().eq(normal, set)
    }

    pub(super) fn float_binary(&mut self, op: BinaryOp, float: FloatTy, a: Term, b: Term) -> Term {
        let (a, b) = (self.float_of(float, a), self.float_of(float, b));
        let terms = self.terms();
        let result = match op {
            BinaryOp::FAdd => terms.fadd(a, b),
            BinaryOp::FSub => terms.fsub(a, b),
            BinaryOp::FMul => terms.fmul(a, b),
            BinaryOp::FDiv => terms.fdiv(a, b),
            BinaryOp::FRem => terms.fmod(a, b),
            BinaryOp::FMin => terms.fmin(a, b),
            BinaryOp::FMax => terms.fmax(a, b),
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr => unreachable!("an integer operation on floats"),
        };
        self.image_of(float, result)
    }

    pub(super) fn float_unary(&mut self, op: UnaryOp, float: FloatTy, bits: Term) -> Term {
        let width = float.bits();
        // Sign operations are on the image: they keep a NaN's payload.
        match op {
            UnaryOp::FNeg => {
                let mask = self.sign_bit(width);
                return self.terms().bvxor(bits, mask);
            }
            UnaryOp::FAbs => {
                let mask = self.sign_bit(width);
                let mask = self.terms().bvnot(mask);
                return self.terms().bvand(bits, mask);
            }
            _ => {}
        }
        let value = self.float_of(float, bits);
        let terms = self.terms();
        let result = match op {
            UnaryOp::FSqrt => terms.fsqrt(value),
            UnaryOp::FFloor => terms.froundint(Rounding::TowardNegative, value),
            UnaryOp::FCeil => terms.froundint(Rounding::TowardPositive, value),
            UnaryOp::FTrunc => terms.froundint(Rounding::TowardZero, value),
            UnaryOp::FRound => terms.froundint(Rounding::NearestAway, value),
            UnaryOp::FRint => terms.froundint(Rounding::NearestEven, value),
            UnaryOp::FNeg
            | UnaryOp::FAbs
            | UnaryOp::CtPop
            | UnaryOp::CtLz
            | UnaryOp::CtTz
            | UnaryOp::BSwap
            | UnaryOp::BitReverse => unreachable!("no rounding operation"),
        };
        self.image_of(float, result)
    }

    fn sign_bit(&mut self, width: u32) -> Term {
        self.terms().bv(base::Bv::int_min(width))
    }

    pub(super) fn float_compare(
        &mut self,
        op: CompareOp,
        float: FloatTy,
        a: Term,
        b: Term,
    ) -> Term {
        let (a, b) = (self.float_of(float, a), self.float_of(float, b));
        let terms = self.terms();
        let left = terms.is_nan(a);
        let right = terms.is_nan(b);
        let unordered = terms.or(left, right);
        match op {
            CompareOp::FOeq => terms.feq(a, b),
            CompareOp::FOlt => terms.flt(a, b),
            CompareOp::FOle => terms.fle(a, b),
            CompareOp::FOne => {
                let equal = terms.feq(a, b);
                let either = terms.or(unordered, equal);
                terms.not(either)
            }
            CompareOp::FOrd => terms.not(unordered),
            CompareOp::FUno => unordered,
            CompareOp::FUeq => {
                let equal = terms.feq(a, b);
                terms.or(unordered, equal)
            }
            CompareOp::FUlt => {
                let reverse = terms.fle(b, a);
                terms.not(reverse)
            }
            CompareOp::FUle => {
                let reverse = terms.flt(b, a);
                terms.not(reverse)
            }
            CompareOp::FUne => {
                let equal = terms.feq(a, b);
                terms.not(equal)
            }
            CompareOp::Eq
            | CompareOp::Ne
            | CompareOp::Ult
            | CompareOp::Ule
            | CompareOp::Slt
            | CompareOp::Sle => unreachable!("an integer comparison of floats"),
        }
    }

    /// Conversions from and to floats; `bits` is the image or the integer.
    pub(super) fn float_cast(&mut self, op: CastOp, from: Type, to: Type, bits: Term) -> Term {
        match (op, from, to) {
            (CastOp::FToS, Type::Float(float), Type::Int(width)) => {
                let value = self.float_of(float, bits);
                let converted = self.terms().fp_to_sbv(value, width);
                let inside = self.terms().fp_in_bv_range(
                    Rounding::TowardZero,
                    Signedness::Signed,
                    value,
                    width,
                );
                let outside = self.terms().bv(base::Bv::int_min(width));
                self.terms().ite(inside, converted, outside)
            }
            (CastOp::FToU, Type::Float(float), Type::Int(width)) => {
                let value = self.float_of(float, bits);
                let converted = self.terms().fp_to_ubv(value, width);
                let inside = self.terms().fp_in_bv_range(
                    Rounding::TowardZero,
                    Signedness::Unsigned,
                    value,
                    width,
                );
                let outside = self.terms().bv(base::Bv::ones(width));
                self.terms().ite(inside, converted, outside)
            }
            (CastOp::SToF, Type::Int(_), Type::Float(float)) => {
                let (exp, sig) = format(float);
                let value = self.terms().fp_from_sbv(bits, exp, sig);
                self.image_of(float, value)
            }
            (CastOp::UToF, Type::Int(_), Type::Float(float)) => {
                let (exp, sig) = format(float);
                let value = self.terms().fp_from_ubv(bits, exp, sig);
                self.image_of(float, value)
            }
            (CastOp::FToF, Type::Float(source), Type::Float(target)) => {
                let value = self.float_of(source, bits);
                let (exp, sig) = format(target);
                let converted = self.terms().fp_to_fp(value, exp, sig);
                self.image_of(target, converted)
            }
            _ => unreachable!("a cast between types that it does not have"),
        }
    }
}
