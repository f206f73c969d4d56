//! Small readings of IR and terms that several modules share.

use ir::syntax::{BlockData, Body, Operand, Value};
use terms::{Term, Terms};

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
    terms.trailing_zeros(term)
}
