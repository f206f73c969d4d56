//! Instructions on scalars and pointers, and the dispatch to all others.
//!
//! `i1` is a Boolean term, every other integer a bit-vector, a float its image (see `float`).

use ir::syntax::{
    BinaryOp, CastOp, CompareOp, FloatTy, InstData, NondetKind, Op, Operand, OverflowOp, Type,
    UnaryOp,
};
use terms::{Sort, Term};

use super::evaluation::Evaluation;
use super::{Chosen, Val};
use crate::pointer::Pointer;

impl<'a, 'o> Evaluation<'a, 'o> {
    /// Evaluates an instruction that is no call.
    pub(super) fn execute(&mut self, data: &'a InstData) {
        let value = match &data.op {
            Op::Binary(op, a, b) => {
                let ty = self.type_of(a);
                let (a, b) = (self.term(a), self.term(b));
                Val::Term(self.binary(*op, ty, a, b))
            }
            Op::Unary(op, a) => {
                let ty = self.type_of(a);
                let a = self.term(a);
                Val::Term(self.unary(*op, ty, a))
            }
            Op::Compare(op, a, b) => Val::Term(self.compare(*op, a, b)),
            Op::Overflow(op, a, b) => {
                let (a, b) = (self.bits(a), self.bits(b));
                Val::Term(self.overflow(*op, a, b))
            }
            Op::Cast(op, a, to) => self.cast(*op, a, *to),
            Op::Select(condition, a, b) => {
                let condition = self.term(condition);
                let condition = match self.known(condition) {
                    Some(known) => self.terms().bool(known),
                    None => condition,
                };
                let (a, b) = (self.value(a), self.value(b));
                self.merge_values(condition, &a, &b)
            }
            Op::Offset(pointer, bytes) => {
                let (pointer, bytes) = (self.pointer(pointer), self.term(bytes));
                let world = &mut self.vc.world;
                let moved = world.pointers.advance(world.terms, pointer, bytes);
                if let Some((strays, what)) = world.style().strays(world, pointer, moved) {
                    self.gap(strays, what);
                }
                Val::Pointer(moved)
            }
            Op::Copy(a) => self.value(a),
            Op::Nondet(ty, kind) => {
                let before = self.vc.choices.len();
                let value = self.nondet(*ty, *kind);
                for choice in &mut self.vc.choices[before..] {
                    choice.approximate = *kind == NondetKind::Approx;
                }
                value
            }
            Op::Assume(condition, _) => {
                let condition = self.term(condition);
                self.assume(condition);
                return;
            }
            Op::Check(obligation, condition) => {
                let condition = self.term(condition);
                self.check(*obligation, condition);
                return;
            }
            Op::Debug { .. } => return,
            Op::Call { .. } => unreachable!("calls are handled by the driver"),
            Op::Alloc { .. }
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
            | Op::ObjectOffset(_) => return self.access(data),
        };
        self.define(data.results[0], value);
    }

    pub(super) fn type_of(&mut self, operand: &Operand) -> Type {
        self.frame().body.type_of(operand)
    }

    /// An operand that is no pointer and no memory.
    pub(super) fn term(&mut self, operand: &Operand) -> Term {
        match self.value(operand) {
            Val::Term(term) => term,
            Val::Pointer(_) | Val::Memory(_) => unreachable!("an operand of scalar type"),
        }
    }

    /// An integer operand as a bit-vector, `i1` too.
    pub(super) fn bits(&mut self, operand: &Operand) -> Term {
        let term = self.term(operand);
        self.as_bits(term)
    }

    pub(super) fn pointer(&mut self, operand: &Operand) -> Pointer {
        match self.value(operand) {
            Val::Pointer(pointer) => pointer,
            Val::Term(_) | Val::Memory(_) => unreachable!("an operand of pointer type"),
        }
    }

    pub(super) fn as_bits(&mut self, term: Term) -> Term {
        match self.terms().sort(term) {
            Sort::Bool => self.terms().bool_to_bv(term, 1),
            _ => term,
        }
    }

    /// A bit-vector as a register of its width holds it.
    pub(super) fn as_register(&mut self, term: Term) -> Term {
        match self.terms().sort(term) {
            Sort::BitVec(1) => self.terms().bv_to_bool(term),
            _ => term,
        }
    }

    fn nondet(&mut self, ty: Type, kind: NondetKind) -> Val {
        match ty {
            Type::Int(1) => {
                let term = self.vc.world.fresh("choice", Sort::Bool);
                self.choose(Chosen::Value(term));
                Val::Term(term)
            }
            Type::Int(width) => {
                let term = self.vc.world.fresh_bits("choice", width);
                self.choose(Chosen::Value(term));
                Val::Term(term)
            }
            Type::Float(float) => {
                let term = self.vc.world.fresh_bits("choice", float.bits());
                self.choose(Chosen::Value(term));
                if float == FloatTy::F80 {
                    // The integer bit of the x87 format follows from the exponent.
                    let canonical = self.is_canonical_f80(term);
                    self.assume(canonical);
                }
                Val::Term(term)
            }
            Type::Ptr => {
                let width = self.vc.world.pointer_bits;
                let term = self.vc.world.fresh_bits("choice", width);
                self.choose(Chosen::Value(term));
                if kind == NondetKind::Extern {
                    self.vc.world.made_up.insert(term);
                    if self.vc.world.encoding.pointers.needs_addresses() {
                        self.assume_elsewhere(term);
                    }
                }
                Val::Pointer(self.vc.world.pointer_from_bits(term))
            }
            Type::Mem(_) => unreachable!("memories are not chosen"),
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, a: Term, b: Term) -> Term {
        if let Type::Float(float) = ty {
            return self.float_binary(op, float, a, b);
        }
        if ty == Type::BOOL {
            match op {
                BinaryOp::And | BinaryOp::Mul => return self.terms().and(a, b),
                BinaryOp::Or => return self.terms().or(a, b),
                BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => return self.terms().xor(a, b),
                _ => {}
            }
            let (a, b) = (self.as_bits(a), self.as_bits(b));
            let bits = self.int_binary(op, a, b);
            return self.as_register(bits);
        }
        self.int_binary(op, a, b)
    }

    fn int_binary(&mut self, op: BinaryOp, a: Term, b: Term) -> Term {
        let terms = self.terms();
        match op {
            BinaryOp::Add => terms.add(a, b),
            BinaryOp::Sub => terms.sub(a, b),
            BinaryOp::Mul => terms.mul(a, b),
            BinaryOp::UDiv => terms.udiv(a, b),
            BinaryOp::SDiv => terms.sdiv(a, b),
            BinaryOp::URem => terms.urem(a, b),
            BinaryOp::SRem => terms.srem(a, b),
            BinaryOp::And => terms.bvand(a, b),
            BinaryOp::Or => terms.bvor(a, b),
            BinaryOp::Xor => terms.bvxor(a, b),
            BinaryOp::Shl => terms.shl(a, b),
            BinaryOp::LShr => terms.lshr(a, b),
            BinaryOp::AShr => terms.ashr(a, b),
            BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FRem
            | BinaryOp::FMin
            | BinaryOp::FMax => unreachable!("a float operation on integers"),
        }
    }

    fn unary(&mut self, op: UnaryOp, ty: Type, a: Term) -> Term {
        if let Type::Float(float) = ty {
            return self.float_unary(op, float, a);
        }
        let a = self.as_bits(a);
        let width = self.terms().width(a);
        let bits = match op {
            UnaryOp::CtPop => self.terms().popcount(a),
            UnaryOp::CtLz => self.terms().ctlz(a),
            UnaryOp::CtTz => self.terms().cttz(a),
            UnaryOp::BSwap => self.reversed(a, width, 8),
            UnaryOp::BitReverse => self.reversed(a, width, 1),
            UnaryOp::FNeg
            | UnaryOp::FAbs
            | UnaryOp::FSqrt
            | UnaryOp::FFloor
            | UnaryOp::FCeil
            | UnaryOp::FTrunc
            | UnaryOp::FRound
            | UnaryOp::FRint => unreachable!("a float operation on an integer"),
        };
        self.as_register(bits)
    }

    fn reversed(&mut self, a: Term, width: u32, unit: u32) -> Term {
        let mut result = None;
        for low in (0..width).step_by(unit as usize) {
            let part = self.terms().extract(a, low + unit - 1, low);
            result = Some(match result {
                None => part,
                Some(above) => self.terms().concat(above, part),
            });
        }
        result.expect("a width of at least one unit")
    }

    fn compare(&mut self, op: CompareOp, a: &Operand, b: &Operand) -> Term {
        match self.type_of(a) {
            Type::Ptr => {
                let (a, b) = (self.pointer(a), self.pointer(b));
                self.compare_pointers(op, a, b)
            }
            Type::Float(float) => {
                let (a, b) = (self.term(a), self.term(b));
                self.float_compare(op, float, a, b)
            }
            Type::Int(1) if matches!(op, CompareOp::Eq | CompareOp::Ne) => {
                let (a, b) = (self.term(a), self.term(b));
                let equal = self.terms().eq(a, b);
                if op == CompareOp::Eq {
                    equal
                } else {
                    self.terms().not(equal)
                }
            }
            Type::Int(_) => {
                let (a, b) = (self.bits(a), self.bits(b));
                self.int_compare(op, a, b)
            }
            Type::Mem(_) => unreachable!("memories are not compared"),
        }
    }

    pub(super) fn int_compare(&mut self, op: CompareOp, a: Term, b: Term) -> Term {
        let terms = self.terms();
        match op {
            CompareOp::Eq => terms.eq(a, b),
            CompareOp::Ne => terms.ne(a, b),
            CompareOp::Ult => terms.ult(a, b),
            CompareOp::Ule => terms.ule(a, b),
            CompareOp::Slt => terms.slt(a, b),
            CompareOp::Sle => terms.sle(a, b),
            CompareOp::FOeq
            | CompareOp::FOlt
            | CompareOp::FOle
            | CompareOp::FOne
            | CompareOp::FOrd
            | CompareOp::FUeq
            | CompareOp::FUlt
            | CompareOp::FUle
            | CompareOp::FUne
            | CompareOp::FUno => unreachable!("a float comparison of integers"),
        }
    }

    fn overflow(&mut self, op: OverflowOp, a: Term, b: Term) -> Term {
        let terms = self.terms();
        match op {
            OverflowOp::UAdd => terms.uaddo(a, b),
            OverflowOp::SAdd => terms.saddo(a, b),
            OverflowOp::USub => terms.usubo(a, b),
            OverflowOp::SSub => terms.ssubo(a, b),
            OverflowOp::UMul => terms.umulo(a, b),
            OverflowOp::SMul => terms.smulo(a, b),
        }
    }

    fn cast(&mut self, op: CastOp, a: &Operand, to: Type) -> Val {
        let from = self.type_of(a);
        match (op, to) {
            (CastOp::ZExt, Type::Int(width)) => {
                let bits = self.bits(a);
                Val::Term(self.terms().zext(bits, width))
            }
            (CastOp::SExt, Type::Int(width)) => {
                let bits = self.bits(a);
                Val::Term(self.terms().sext(bits, width))
            }
            (CastOp::Trunc, Type::Int(width)) => {
                let bits = self.bits(a);
                let narrow = self.terms().trunc(bits, width);
                Val::Term(self.as_register(narrow))
            }
            (CastOp::PtrToInt, Type::Int(width)) => {
                let pointer = self.pointer(a);
                let address = self.vc.world.address(pointer);
                let fitted = self.terms().zext_or_trunc(address, width);
                Val::Term(self.as_register(fitted))
            }
            (CastOp::IntToPtr, Type::Ptr) => {
                let bits = self.bits(a);
                Val::Pointer(self.vc.world.pointer_from_bits(bits))
            }
            (CastOp::Bits, Type::Int(_)) if matches!(from, Type::Float(_)) => {
                let term = self.term(a);
                Val::Term(self.as_register(term))
            }
            (CastOp::Bits, _) => {
                let bits = self.bits(a);
                Val::Term(bits)
            }
            (CastOp::FToS | CastOp::FToU | CastOp::SToF | CastOp::UToF | CastOp::FToF, _) => {
                let bits = self.bits(a);
                let result = self.float_cast(op, from, to, bits);
                Val::Term(self.as_register(result))
            }
            (
                CastOp::ZExt | CastOp::SExt | CastOp::Trunc | CastOp::PtrToInt | CastOp::IntToPtr,
                _,
            ) => {
                unreachable!("a cast to a type that it does not have")
            }
        }
    }
}
