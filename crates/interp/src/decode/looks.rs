//! Which operations look at addresses.

use ir::syntax::{BinaryOp, Body, CastOp, CompareOp, Const, InstData, Op, Operand, Type, Value};
use rustc_hash::FxHashMap;

use super::{Decoder, Wrong};
use crate::code::{Ins, Look};

impl Decoder<'_> {
    /// Has the next operation judged, if it may look at addresses.
    pub(super) fn emit_looks(&mut self, data: &InstData) -> Result<(), Wrong> {
        let ins = match &data.op {
            Op::Compare(op, a, b) if self.type_of(a)? == Type::Ptr => Ins::Look {
                what: match op {
                    CompareOp::Eq | CompareOp::Ne => Look::Equality,
                    _ => Look::Order,
                },
                a: self.ptr(a)?,
                b: self.ptr(b)?,
            },
            Op::Cast(CastOp::PtrToInt, a, _) => {
                let result = data.results.first();
                if result.is_some_and(|value| self.differences.contains_key(value)) {
                    return Ok(());
                }
                let a = self.ptr(a)?;
                let what = Look::Address;
                Ins::Look { what, a, b: a }
            }
            Op::Binary(BinaryOp::Sub, Operand::Value(a), Operand::Value(b)) => {
                let pointers = (self.differences.get(a), self.differences.get(b));
                let (Some(a), Some(b)) = (pointers.0.cloned(), pointers.1.cloned()) else {
                    return Ok(());
                };
                Ins::Look {
                    what: Look::Difference,
                    a: self.ptr(&a)?,
                    b: self.ptr(&b)?,
                }
            }
            Op::Load { ty, ptr, .. } if *ty != Type::Ptr => {
                let bytes = i64::from(self.bits(*ty).div_ceil(8));
                let Type::Int(width) = self.pointer_int() else {
                    return Err("sizes are integers".to_string());
                };
                Ins::Look {
                    what: Look::Bytes,
                    a: self.ptr(ptr)?,
                    b: self.size(&Operand::int(bytes, width))?,
                }
            }
            Op::MemCompare { left, right, len } => {
                let first = Ins::Look {
                    what: Look::Bytes,
                    a: self.ptr(left)?,
                    b: self.size(len)?,
                };
                self.push(first);
                Ins::Look {
                    what: Look::Bytes,
                    a: self.ptr(right)?,
                    b: self.size(len)?,
                }
            }
            _ => return Ok(()), // Nothing else looks at addresses.
        };
        self.push(ins);
        Ok(())
    }
}

/// The addresses that are used for nothing but the difference to another such address, with the pointers
/// that they are of.
pub(super) fn differences(body: &Body) -> FxHashMap<Value, Operand> {
    let mut found: FxHashMap<Value, Operand> = FxHashMap::default();
    for (_, inst) in body.insts_in_order() {
        let data = &body.insts[inst];
        if let (Op::Cast(CastOp::PtrToInt, a, _), Some(&value)) = (&data.op, data.results.first()) {
            found.insert(value, a.clone());
        }
    }
    loop {
        let before = found.len();
        for (_, inst) in body.insts_in_order() {
            let op = &body.insts[inst].op;
            if let Op::Binary(BinaryOp::Sub, a, b) = op
                && is_found(&found, a)
                && is_found(&found, b)
            {
                continue;
            }
            if matches!(op, Op::Debug { .. }) {
                continue;
            }
            for operand in op.operands() {
                forget(&mut found, operand);
            }
        }
        for block in body.blocks.values() {
            for operand in block.terminator.operands() {
                forget(&mut found, operand);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn is_found(found: &FxHashMap<Value, Operand>, operand: &Operand) -> bool {
    match operand {
        Operand::Value(value) => found.contains_key(value),
        Operand::Const(
            Const::Int(_) | Const::Float(..) | Const::Null | Const::Global(..) | Const::Func(_),
        ) => false,
    }
}

fn forget(found: &mut FxHashMap<Value, Operand>, operand: &Operand) {
    if let Operand::Value(value) = operand {
        found.remove(value);
    }
}
