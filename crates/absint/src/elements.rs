//! Accesses to elements of arrays, by the look of the text: an object, an offset that is computed, a type.

use std::collections::BTreeMap;

use ir::dominators::Dominators;
use ir::syntax::{BinaryOp, Block, Body, CastOp, Const, Def, Inst, Op, Operand, Type, Value};

use crate::partition;
use crate::value::Obj;

/// An offset in bytes: a number that is computed, if there is one, and a constant.
pub type At = (Option<Value>, i64);

/// An access to an element.
#[derive(Clone, PartialEq, Debug)]
pub struct Access {
    /// Where it stands.
    pub block: Block,
    /// The instruction.
    pub inst: Inst,
    /// The object.
    pub object: Obj,
    /// The element's offset there.
    pub at: At,
    /// The same, by the first value in the text that is computed alike: equal offsets that are computed twice are one.
    pub like: At,
    /// Its type, a whole number of 1, 2, 4 or 8 bytes.
    pub ty: Type,
    /// The memory.
    pub memory: Value,
    /// What is stored; none for a load.
    pub stored: Option<Operand>,
}

/// Formulas with more parts are not copied.
const MAX_PARTS: usize = 16;

/// All accesses to elements in a body.
pub fn accesses(body: &Body) -> Vec<Access> {
    let mut found = Vec::new();
    let mut alike: BTreeMap<Vec<Token>, Value> = BTreeMap::new();
    for (block, inst) in body.insts_in_order() {
        let data = &body.insts[inst];
        let (ptr, ty, stored) = match &data.op {
            Op::Load {
                ty,
                ptr,
                volatile: false,
                ..
            } => (ptr, *ty, None),
            Op::Store { ty, ptr, value, .. } => (ptr, *ty, Some(value.clone())),
            _ => continue, // No access to one number.
        };
        let (Type::Int(8 | 16 | 32 | 64), Some(&memory)) = (ty, data.mems.first()) else {
            continue;
        };
        if let Some((object, at)) = element(body, ptr) {
            let like =
                at.0.map(|value| *alike.entry(tokens(body, value)).or_insert(value));
            found.push(Access {
                block,
                inst,
                object,
                at,
                like: (like, at.1),
                ty,
                memory,
                stored,
            });
        }
    }
    found
}

/// The object that a pointer points into, and where, if at most one part of the offset is computed.
fn element(body: &Body, pointer: &Operand) -> Option<(Obj, At)> {
    let mut pointer = pointer;
    let mut at: At = (None, 0);
    for _ in 0..MAX_PARTS {
        let value = match pointer {
            Operand::Const(Const::Global(global, by)) => {
                at.1 = at.1.checked_add(*by)?;
                return Some((Obj::Global(*global), at));
            }
            Operand::Const(_) => return None,
            Operand::Value(value) => *value,
        };
        let Def::Result(inst, _) = body.values[value].def else {
            return None;
        };
        match &body.insts[inst].op {
            Op::Alloc { .. } => return Some((Obj::Recent(inst), at)),
            Op::Copy(base) => pointer = base,
            Op::Offset(base, by) => {
                match by {
                    Operand::Const(Const::Int(by)) => at.1 = at.1.checked_add(by.to_i64()?)?,
                    Operand::Value(by) if at.0.is_none() => at.0 = Some(*by),
                    Operand::Const(_) | Operand::Value(_) => return None,
                }
                pointer = base;
            }
            _ => return None,
        }
    }
    None
}

/// A part of how a number is computed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Token {
    Leaf(Operand),
    Binary(BinaryOp),
    Cast(CastOp, Type),
}

/// How a number is computed, in prefix order; itself if that is long.
fn tokens(body: &Body, value: Value) -> Vec<Token> {
    let mut found = Vec::new();
    let mut work: Vec<Operand> = vec![value.into()];
    while let Some(operand) = work.pop() {
        if found.len() > MAX_PARTS {
            return vec![Token::Leaf(value.into())];
        }
        let inst = operand.as_value().and_then(|value| body.def_inst(value));
        match inst.map(|data| &data.op) {
            Some(op @ Op::Binary(name, a, b)) if arithmetic(op).is_some() => {
                found.push(Token::Binary(*name));
                work.extend([b.clone(), a.clone()]);
            }
            Some(op @ Op::Cast(name, a, to)) if arithmetic(op).is_some() => {
                found.push(Token::Cast(*name, *to));
                work.push(a.clone());
            }
            Some(Op::Copy(a)) => work.push(a.clone()),
            Some(_) | None => found.push(Token::Leaf(operand)),
        }
    }
    found
}

/// What a number is computed from by arithmetic alone; none if that is too much.
pub fn leaves(body: &Body, value: Value) -> Option<Vec<Value>> {
    let mut found = Vec::new();
    let mut work = vec![value];
    let mut parts = 0;
    while let Some(value) = work.pop() {
        parts += 1;
        if parts > MAX_PARTS {
            return None;
        }
        match body.def_inst(value).and_then(|data| arithmetic(&data.op)) {
            Some(operands) => work.extend(operands.into_iter().filter_map(Operand::as_value)),
            None => found.push(value),
        }
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}

/// The operands of an instruction that may be copied to where they are known.
pub fn arithmetic(op: &Op) -> Option<Vec<&Operand>> {
    match op {
        Op::Binary(
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
            | BinaryOp::AShr,
            a,
            b,
        ) => Some(vec![a, b]),
        Op::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc, a, _) | Op::Copy(a) => Some(vec![a]),
        _ => None, // Floats, memory, choices.
    }
}

/// Which values are known where.
pub struct Scope<'a> {
    body: &'a Body,
    dominators: &'a Dominators,
    home: base::Map<Value, Option<Block>>,
}

impl<'a> Scope<'a> {
    /// Of a body.
    pub fn new(body: &'a Body, dominators: &'a Dominators) -> Scope<'a> {
        Scope {
            body,
            dominators,
            home: partition::home(body),
        }
    }

    /// Is the value defined before this head, and not by it?
    pub fn is_outer(&self, value: Value, head: Block) -> bool {
        match self.home[value] {
            Some(home) => home != head && self.dominators.dominates(home, head),
            None => self.body.params.contains(&value),
        }
    }

    /// The place of a value among the head's parameters.
    pub fn param(&self, value: Value, head: Block) -> Option<usize> {
        let params = &self.body.blocks[head].params;
        params.iter().position(|&param| param == value)
    }

    /// Can the value be computed from the head's parameters and what is defined before it?
    pub fn is_formula(&self, value: Value, head: Block) -> bool {
        leaves(self.body, value).is_some_and(|leaves| {
            let mut leaves = leaves.into_iter();
            leaves.all(|leaf| self.is_outer(leaf, head) || self.param(leaf, head).is_some())
        })
    }

    /// Is the first block on every path to the second?
    pub fn dominates(&self, upper: Block, lower: Block) -> bool {
        self.dominators.dominates(upper, lower)
    }
}
