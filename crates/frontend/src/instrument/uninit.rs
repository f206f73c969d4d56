//! Uninitialised variables: clang's pattern stores become arbitrary values.
//!
//! With `-ftrivial-auto-var-init=pattern` clang stores a pattern at each declaration without an
//! initialiser, and marks the store. The mark is what is wanted: the value stored there is
//! `selkie.uninit.T(n)` instead, on each execution of the declaration. Large objects, which clang
//! fills by a copy, become arbitrary as a whole.

use crate::ffi::{Block, Opcode, Val};
use checks::registry::CheckId;

use super::{Instrumenter, Scope};

/// Converts all marked stores of a function.
pub fn convert<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    for block in scope.func.blocks() {
        for inst in block.instructions() {
            if !inst.has_metadata(work.kinds.annotation) {
                continue;
            }
            match inst.opcode() {
                Some(Opcode::LLVMStore) => {
                    work.builder.before(inst);
                    let number = work.fresh_number();
                    let value = work.call_uninit(inst.operand(0).ty(), number);
                    inst.set_operand(0, value);
                }
                Some(Opcode::LLVMCall) if is_fill(inst) => fill(work, block, inst),
                _ => {}
            }
        }
    }
}

fn is_fill(inst: Val<'_>) -> bool {
    inst.called_function().is_some_and(|callee| {
        let name = callee.name();
        name.starts_with("llvm.memcpy.") || name.starts_with("llvm.memset.")
    })
}

/// A marked `memcpy` or `memset`.
fn fill<'c>(work: &mut Instrumenter<'_, 'c>, block: Block<'c>, inst: Val<'c>) {
    let (pointer, size) = (inst.operand(0), inst.operand(2));
    if pointer.opcode() == Some(Opcode::LLVMPHI) && pointer.block() == block {
        // The loop over an array of variable length. A new object has arbitrary contents
        // anyway, so the loop is left after its first round.
        let end = block.terminator().expect("a block ends");
        let exit = end.successors().iter().position(|&next| next != block);
        if let (Some(_), Some(exit)) = (end.branch_condition(), exit) {
            let value = u64::from(exit == 0);
            end.set_branch_condition(Val::int(work.helpers.bool, value));
        }
    } else if is_variable_length(pointer)
        || work.options.has(CheckId::Uninit) && super::deref::has_lifetime(pointer)
    {
        // New at its declaration. (A fill would count as initialised.)
    } else {
        work.builder.before(inst);
        let size = work.builder.resize(size, work.helpers.size);
        work.call_havoc(pointer, size);
    }
    inst.erase();
}

/// Is it an array whose object is made at its declaration?
fn is_variable_length(pointer: Val<'_>) -> bool {
    pointer.opcode() == Some(Opcode::LLVMAlloca) && !pointer.operand(0).is_constant()
}
