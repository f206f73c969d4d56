//! What an operation on constants is worth, and a few identities that need no other operation.
//!
//! This is the trivial part of constant folding: integers and addresses. Floating-point arithmetic
//! is left to those who have it bit-precisely.

use std::cmp::Ordering;

use base::Bv;
use ir::syntax::{BinaryOp, CastOp, CompareOp, Const, Op, Operand, OverflowOp, Type};

/// The operand that the operation's result always equals, if that is plain to see.
pub(crate) fn fold(op: &Op, pointer_bits: u32) -> Option<Operand> {
    match op {
        Op::Binary(binary, a, b) => fold_binary(*binary, a, b),
        Op::Compare(compare, a, b) => fold_compare(*compare, a, b).map(Operand::bool),
        Op::Overflow(overflow, a, b) => {
            let (a, b) = (int(a)?, int(b)?);
            Some(Operand::bool(match overflow {
                OverflowOp::UAdd => a.uaddo(b),
                OverflowOp::SAdd => a.saddo(b),
                OverflowOp::USub => a.usubo(b),
                OverflowOp::SSub => a.ssubo(b),
                OverflowOp::UMul => a.umulo(b),
                OverflowOp::SMul => a.smulo(b),
            }))
        }
        Op::Cast(cast, operand, ty) => fold_cast(*cast, operand, *ty),
        Op::Select(cond, yes, no) => match int(cond) {
            Some(cond) => Some(if cond.is_one() { yes } else { no }.clone()),
            None => (yes == no).then(|| yes.clone()),
        },
        Op::Offset(base, by) => fold_offset(base, int(by)?, pointer_bits),
        Op::Copy(operand) => Some(operand.clone()),
        Op::Unary(..)
        | Op::Nondet(..)
        | Op::Alloc { .. }
        | Op::Free(_)
        | Op::LifetimeStart(_)
        | Op::LifetimeEnd(_)
        | Op::StackSave
        | Op::StackRestore(_)
        | Op::Leave
        | Op::Load { .. }
        | Op::Store { .. }
        | Op::MemCopy { .. }
        | Op::MemSet { .. }
        | Op::MemCompare { .. }
        | Op::MemHavoc { .. }
        | Op::Clobber(_)
        | Op::Show(_)
        | Op::HavocRegion
        | Op::NewRegion(_)
        | Op::IsDeref { .. }
        | Op::IsFreeable(_)
        | Op::IsDisjoint { .. }
        | Op::AllTracked
        | Op::AllFreed
        | Op::IsAlive(_)
        | Op::IsModified(_)
        | Op::ResetModified(_)
        | Op::LoadShadow { .. }
        | Op::StoreShadow { .. }
        | Op::ObjectSize(_)
        | Op::ObjectOffset(_)
        | Op::Call { .. }
        | Op::Assume(..)
        | Op::Check(..)
        | Op::Debug { .. } => None,
    }
}

/// The integer constant, if the operand is one.
pub(crate) fn int(operand: &Operand) -> Option<&Bv> {
    match operand {
        Operand::Const(Const::Int(bv)) => Some(bv),
        Operand::Const(Const::Float(..) | Const::Null | Const::Global(..) | Const::Func(_))
        | Operand::Value(_) => None,
    }
}

/// Is the operand the `i1` constant 0?
pub(crate) fn is_false(operand: &Operand) -> bool {
    int(operand).is_some_and(|bv| bv.width() == 1 && bv.is_zero())
}

/// Is the operand the `i1` constant 1?
pub(crate) fn is_true(operand: &Operand) -> bool {
    int(operand).is_some_and(|bv| bv.width() == 1 && bv.is_one())
}

fn fold_binary(op: BinaryOp, a: &Operand, b: &Operand) -> Option<Operand> {
    if let (Some(a), Some(b)) = (int(a), int(b)) {
        return Some(Operand::from(match op {
            BinaryOp::Add => a.add(b),
            BinaryOp::Sub => a.sub(b),
            BinaryOp::Mul => a.mul(b),
            BinaryOp::UDiv => a.udiv(b),
            BinaryOp::SDiv => a.sdiv(b),
            BinaryOp::URem => a.urem(b),
            BinaryOp::SRem => a.srem(b),
            BinaryOp::And => a.and(b),
            BinaryOp::Or => a.or(b),
            BinaryOp::Xor => a.xor(b),
            BinaryOp::Shl => a.shl(b),
            BinaryOp::LShr => a.lshr(b),
            BinaryOp::AShr => a.ashr(b),
            BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FRem
            | BinaryOp::FMin
            | BinaryOp::FMax => return None,
        }));
    }
    let zero = |bv: Option<&Bv>| bv.is_some_and(Bv::is_zero);
    let one = |bv: Option<&Bv>| bv.is_some_and(Bv::is_one);
    let ones = |bv: Option<&Bv>| bv.is_some_and(Bv::is_ones);
    let (left, right) = (int(a), int(b));
    match op {
        BinaryOp::Add | BinaryOp::Xor if zero(left) => Some(b.clone()),
        BinaryOp::Or if zero(left) || ones(right) => Some(b.clone()),
        BinaryOp::Or if zero(right) || ones(left) || a == b => Some(a.clone()),
        BinaryOp::And if zero(left) || ones(right) || a == b => Some(a.clone()),
        BinaryOp::And if zero(right) || ones(left) => Some(b.clone()),
        BinaryOp::Mul if zero(left) || one(right) => Some(a.clone()),
        BinaryOp::Mul if zero(right) || one(left) => Some(b.clone()),
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
            if zero(right) =>
        {
            Some(a.clone())
        }
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
        | BinaryOp::AShr
        | BinaryOp::FAdd
        | BinaryOp::FSub
        | BinaryOp::FMul
        | BinaryOp::FDiv
        | BinaryOp::FRem
        | BinaryOp::FMin
        | BinaryOp::FMax => None,
    }
}

fn fold_compare(op: CompareOp, a: &Operand, b: &Operand) -> Option<bool> {
    if let (Some(a), Some(b)) = (int(a), int(b)) {
        return match op {
            CompareOp::Eq => Some(a == b),
            CompareOp::Ne => Some(a != b),
            CompareOp::Ult => Some(a.ult(b)),
            CompareOp::Ule => Some(a.ule(b)),
            CompareOp::Slt => Some(a.slt(b)),
            CompareOp::Sle => Some(a.sle(b)),
            CompareOp::FOeq
            | CompareOp::FOlt
            | CompareOp::FOle
            | CompareOp::FOne
            | CompareOp::FOrd
            | CompareOp::FUeq
            | CompareOp::FUlt
            | CompareOp::FUle
            | CompareOp::FUne
            | CompareOp::FUno => None,
        };
    }
    let equal = if a == b {
        Some(true)
    } else if let (Some(a), Some(b)) = (a.as_const(), b.as_const()) {
        address_order(a, b).map(Ordering::is_eq)
    } else {
        None
    };
    match op {
        CompareOp::Eq => equal,
        CompareOp::Ne => equal.map(|equal| !equal),
        CompareOp::Ule | CompareOp::Sle => equal.filter(|&equal| equal),
        CompareOp::Ult | CompareOp::Slt => equal.filter(|&equal| equal).map(|_| false),
        // A NaN differs from itself.
        CompareOp::FOeq
        | CompareOp::FOlt
        | CompareOp::FOle
        | CompareOp::FOne
        | CompareOp::FOrd
        | CompareOp::FUeq
        | CompareOp::FUlt
        | CompareOp::FUle
        | CompareOp::FUne
        | CompareOp::FUno => None,
    }
}

/// Equal or surely different addresses; the order of different ones means nothing.
fn address_order(a: &Const, b: &Const) -> Option<Ordering> {
    match (a, b) {
        (Const::Func(f), Const::Func(g)) => Some(f.cmp(g)),
        (Const::Null, Const::Func(_)) => Some(Ordering::Less),
        (Const::Func(_), Const::Null) => Some(Ordering::Greater),
        // The first byte of an object is at no null address; elsewhere the address may wrap.
        (Const::Null, Const::Global(_, 0)) => Some(Ordering::Less),
        (Const::Global(_, 0), Const::Null) => Some(Ordering::Greater),
        (
            Const::Int(_) | Const::Float(..) | Const::Null | Const::Global(..) | Const::Func(_),
            Const::Int(_) | Const::Float(..) | Const::Null | Const::Global(..) | Const::Func(_),
        ) => None,
    }
}

fn fold_cast(op: CastOp, operand: &Operand, ty: Type) -> Option<Operand> {
    match (op, ty) {
        (CastOp::ZExt, Type::Int(width)) => Some(int(operand)?.zext(width).into()),
        (CastOp::SExt, Type::Int(width)) => Some(int(operand)?.sext(width).into()),
        (CastOp::Trunc, Type::Int(width)) => Some(int(operand)?.trunc(width).into()),
        (CastOp::PtrToInt, Type::Int(width)) if *operand == Operand::NULL => {
            Some(Bv::zero(width).into())
        }
        (CastOp::IntToPtr, Type::Ptr) if int(operand)?.is_zero() => Some(Operand::NULL),
        (
            CastOp::ZExt
            | CastOp::SExt
            | CastOp::Trunc
            | CastOp::FToS
            | CastOp::FToU
            | CastOp::SToF
            | CastOp::UToF
            | CastOp::FToF
            | CastOp::Bits
            | CastOp::PtrToInt
            | CastOp::IntToPtr,
            Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Mem(_),
        ) => None,
    }
}

fn fold_offset(base: &Operand, by: &Bv, pointer_bits: u32) -> Option<Operand> {
    if by.is_zero() {
        return Some(base.clone());
    }
    match base {
        Operand::Const(Const::Global(global, offset)) => {
            let sum = Bv::from_i64(*offset, pointer_bits).add(by);
            Some(Const::Global(*global, sum.to_i64()?).into())
        }
        Operand::Const(Const::Int(_) | Const::Float(..) | Const::Null | Const::Func(_))
        | Operand::Value(_) => None,
    }
}
