//! What SMT-LIB calls each operator: the one table for all printers.

use std::fmt::Write;

use crate::arena::{Term, Terms};
use crate::op::Op;
use crate::smt::print::symbol_to_smt;
use crate::sort::Sort;

/// Writes the operator of a term with arguments, and its rounding mode, as they stand behind the parenthesis.
/// `total` follows the names of operations whose result SMT-LIB leaves open.
pub(crate) fn write(terms: &Terms, t: Term, total: &str, out: &mut String) {
    let sort = terms.sort(t);
    let arg_width = || terms.width(terms.args(t)[0]);
    let float = || match sort {
        Sort::Float(float) => float,
        other => unreachable!("{t} is no float but {other:?}"),
    };
    let _ = match terms.op(t) {
        Op::True
        | Op::False
        | Op::BvConst(_)
        | Op::FloatConst(_)
        | Op::IntConst(_)
        | Op::Var(_) => {
            unreachable!("{t} has no arguments")
        }
        Op::Not => write!(out, "not"),
        Op::And => write!(out, "and"),
        Op::Or => write!(out, "or"),
        Op::Xor => write!(out, "xor"),
        Op::Eq => write!(out, "="),
        Op::Ite => write!(out, "ite"),
        Op::BvNot => write!(out, "bvnot"),
        Op::BvAnd => write!(out, "bvand"),
        Op::BvOr => write!(out, "bvor"),
        Op::BvXor => write!(out, "bvxor"),
        Op::Neg => write!(out, "bvneg"),
        Op::Add => write!(out, "bvadd"),
        Op::Sub => write!(out, "bvsub"),
        Op::Mul => write!(out, "bvmul"),
        Op::Udiv => write!(out, "bvudiv"),
        Op::Urem => write!(out, "bvurem"),
        Op::Sdiv => write!(out, "bvsdiv"),
        Op::Srem => write!(out, "bvsrem"),
        Op::Shl => write!(out, "bvshl"),
        Op::Lshr => write!(out, "bvlshr"),
        Op::Ashr => write!(out, "bvashr"),
        Op::Ult => write!(out, "bvult"),
        Op::Ule => write!(out, "bvule"),
        Op::Slt => write!(out, "bvslt"),
        Op::Sle => write!(out, "bvsle"),
        Op::Concat => write!(out, "concat"),
        Op::Extract { hi, lo } => write!(out, "(_ extract {hi} {lo})"),
        Op::Zext => write!(out, "(_ zero_extend {})", terms.width(t) - arg_width()),
        Op::Sext => write!(out, "(_ sign_extend {})", terms.width(t) - arg_width()),
        Op::Uaddo => write!(out, "bvuaddo"),
        Op::Saddo => write!(out, "bvsaddo"),
        Op::Ssubo => write!(out, "bvssubo"),
        Op::Umulo => write!(out, "bvumulo"),
        Op::Smulo => write!(out, "bvsmulo"),
        Op::IntNeg | Op::IntSub => write!(out, "-"),
        Op::IntAdd => write!(out, "+"),
        Op::IntMul => write!(out, "*"),
        Op::IntDiv => write!(out, "div{total}"),
        Op::IntMod => write!(out, "mod{total}"),
        Op::IntLe => write!(out, "<="),
        Op::IntLt => write!(out, "<"),
        Op::BvToNat => write!(out, "bv2nat"),
        Op::IntToBv => write!(out, "(_ int2bv {})", terms.width(t)),
        Op::Select => write!(out, "select"),
        Op::Store => write!(out, "store"),
        Op::ConstArray => write!(out, "(as const {})", terms.sort_to_smt(sort)),
        Op::Apply(fun) => write!(out, "{}", symbol_to_smt(&terms.fun(fun).name)),
        Op::FpFromBits => write!(out, "(_ to_fp {} {})", float().exp, float().sig),
        Op::FpToBits => write!(out, "fp.to_ieee_bv"),
        Op::FpNeg => write!(out, "fp.neg"),
        Op::FpAbs => write!(out, "fp.abs"),
        Op::FpAdd(mode) => write!(out, "fp.add {}", mode.name()),
        Op::FpSub(mode) => write!(out, "fp.sub {}", mode.name()),
        Op::FpMul(mode) => write!(out, "fp.mul {}", mode.name()),
        Op::FpDiv(mode) => write!(out, "fp.div {}", mode.name()),
        Op::FpFma(mode) => write!(out, "fp.fma {}", mode.name()),
        Op::FpSqrt(mode) => write!(out, "fp.sqrt {}", mode.name()),
        Op::FpRem => write!(out, "fp.rem"),
        Op::FpRound(mode) => write!(out, "fp.roundToIntegral {}", mode.name()),
        Op::FpLt => write!(out, "fp.lt"),
        Op::FpLe => write!(out, "fp.leq"),
        Op::FpEq => write!(out, "fp.eq"),
        Op::FpIsNan => write!(out, "fp.isNaN"),
        Op::FpIsInf => write!(out, "fp.isInfinite"),
        Op::FpIsZero => write!(out, "fp.isZero"),
        Op::FpIsNormal => write!(out, "fp.isNormal"),
        Op::FpIsSubnormal => write!(out, "fp.isSubnormal"),
        Op::FpIsNegative => write!(out, "fp.isNegative"),
        Op::FpToFp(mode) | Op::FpFromSbv(mode) => {
            write!(
                out,
                "(_ to_fp {} {}) {}",
                float().exp,
                float().sig,
                mode.name()
            )
        }
        Op::FpFromUbv(mode) => {
            write!(
                out,
                "(_ to_fp_unsigned {} {}) {}",
                float().exp,
                float().sig,
                mode.name()
            )
        }
        Op::FpToSbv(mode) => write!(
            out,
            "(_ fp.to_sbv{total} {}) {}",
            terms.width(t),
            mode.name()
        ),
        Op::FpToUbv(mode) => write!(
            out,
            "(_ fp.to_ubv{total} {}) {}",
            terms.width(t),
            mode.name()
        ),
    };
}
