//! Addresses, which LLVM must not decide: where objects lie is for the encoder to say, for every layout.
//!
//! LLVM knows that a variable whose address is only compared is nowhere near, that what `malloc` returned is no
//! global's neighbour, and forgets that a pointer may dangle. So whatever is compared or becomes a number passes
//! through a function that it knows nothing of:
//!
//! ```text
//! c = icmp eq ptr p, q      ──▶   c = icmp eq ptr selkie.address(p), selkie.address(q)
//! n = ptrtoint ptr p        ──▶   n = ptrtoint ptr selkie.address(p)
//! ```
//!
//! Comparisons with null come out the same wherever objects lie.

use crate::ffi::{Builder, Kind, Module, Opcode, Val, ValKind};
use crate::instrument::helpers::Helpers;

/// Hides the pointers that comparisons and casts look at.
pub fn hide<'c>(module: &mut Module<'c>, helpers: &Helpers<'c>) {
    let builder = Builder::new(module.context());
    for func in module.functions() {
        if func.is_declaration() {
            continue;
        }
        for block in func.blocks() {
            for inst in block.instructions() {
                let count = match inst.opcode() {
                    Some(Opcode::LLVMICmp) if is_null(inst, 0) || is_null(inst, 1) => continue,
                    Some(Opcode::LLVMICmp) => 2,
                    Some(Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr) => 1,
                    _ => continue,
                };
                for index in 0..count {
                    let pointer = inst.operand(index);
                    if !matches!(pointer.ty().kind(), Kind::Ptr(0)) {
                        continue;
                    }
                    builder.before(inst);
                    let ptr = helpers.ptr;
                    let (ty, func) = helpers.get(module, "total", "selkie.address", ptr, &[ptr]);
                    let hidden = builder.call(ty, func, &[pointer]);
                    inst.set_operand(index, hidden);
                }
            }
        }
    }
}

fn is_null(inst: Val<'_>, index: u32) -> bool {
    inst.operand(index).value_kind() == ValKind::Null
}
