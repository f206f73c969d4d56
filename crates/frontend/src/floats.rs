//! Floats, of which LLVM must not compute a NaN: it makes positive ones where the machine makes negative ones.
//!
//! So one operand of each operation that makes NaNs passes through a function that LLVM knows nothing of:
//!
//! ```text
//! z = fdiv double x, y      ──▶   z = fdiv double x, selkie.float.double(y)
//! ```
//!
//! What the sign is where the program looks at it, is then chosen in our IR. What clang has computed while it
//! compiled is the machine's business no more.

use crate::ffi::{Builder, Module, Opcode, Val};
use crate::instrument::helpers::Helpers;

/// What the names of the functions begin with that yield what they are given.
const HIDDEN: &str = "selkie.float.";

/// Hides an operand of each operation on floats that may make a NaN.
pub fn hide<'c>(module: &mut Module<'c>, helpers: &Helpers<'c>) {
    let builder = Builder::new(module.context());
    for func in module.functions() {
        if func.is_declaration() {
            continue;
        }
        for block in func.blocks() {
            for inst in block.instructions() {
                let Some(index) = hidden_operand(inst) else {
                    continue;
                };
                let operand = inst.operand(index);
                let ty = operand.ty();
                let name = format!("{HIDDEN}{}", ty.text());
                let (ty, func) = helpers.get(module, "total", &name, ty, &[ty]);
                builder.before(inst);
                let hidden = builder.call(ty, func, &[operand]);
                inst.set_operand(index, hidden);
            }
        }
    }
}

/// The operand to hide; none if the operation makes no NaN.
fn hidden_operand(inst: Val<'_>) -> Option<u32> {
    match inst.opcode()? {
        Opcode::LLVMFAdd
        | Opcode::LLVMFSub
        | Opcode::LLVMFMul
        | Opcode::LLVMFDiv
        | Opcode::LLVMFRem => Some(1),
        Opcode::LLVMCall => {
            let name = inst.called_function()?.name();
            let makes = ["llvm.sqrt.", "llvm.fma.", "llvm.fmuladd."];
            makes
                .iter()
                .any(|&known| name.starts_with(known))
                .then_some(0)
        }
        _ => None,
    }
}
