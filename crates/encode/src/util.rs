//! Small readings of IR and terms that several modules share.

use ir::syntax::{BlockData, Body, Operand, Value};
use terms::{Op, Term, Terms};

/// Calls `f` for each register that a block's instructions and terminator read.
pub fn for_each_use(body: &Body, data: &BlockData, mut f: impl FnMut(Value)) {
    for &inst in &data.insts {
        for operand in body.insts[inst].op.operands() {
            if let Operand::Value(value) = operand {
                f(*value);
            }
        }
        for &memory in &body.insts[inst].mems {
            f(memory);
        }
    }
    for operand in data.terminator.operands() {
        if let Operand::Value(value) = operand {
            f(*value);
        }
    }
}

/// How many low bits of a bit-vector are certainly zero; a cheap look at the top of the term.
pub fn trailing_zeros(terms: &Terms, term: Term) -> u32 {
    let width = terms.width(term);
    // Depth-limited: a conservative answer is 0.
    fn look(terms: &Terms, term: Term, depth: u32) -> u32 {
        let width = terms.width(term);
        if let Some(value) = terms.as_bv(term) {
            return if value.is_zero() {
                width
            } else {
                value.trailing_zeros()
            };
        }
        if depth == 0 {
            return 0;
        }
        let args = terms.args(term);
        let sub = |index: usize| look(terms, args[index], depth - 1);
        match terms.op(term) {
            Op::Add | Op::Sub | Op::BvOr | Op::BvXor => sub(0).min(sub(1)),
            Op::Mul => (sub(0) + sub(1)).min(width),
            Op::Neg | Op::Zext | Op::Sext => sub(0),
            Op::BvAnd => sub(0).max(sub(1)),
            Op::Shl => match terms.as_u64(args[1]) {
                Some(amount) => (sub(0) as u64 + amount).min(width as u64) as u32,
                None => sub(0),
            },
            Op::Concat => {
                let low = sub(1);
                let low_width = terms.width(args[1]);
                if low == low_width { low + sub(0) } else { low }
            }
            Op::Ite => sub(1).min(sub(2)),
            _ => 0,
        }
    }
    look(terms, term, 12).min(width)
}
