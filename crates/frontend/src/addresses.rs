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
//! Where unknown code is called, `selkie.exposed` takes the place of `selkie.address` in a cast, and stays if nobody reads the
//! number: unknown code may know the object by it.
//!
//! Comparisons with null come out the same wherever objects lie.

use crate::ffi::{Builder, Kind, Module, Opcode, Val, ValKind};
use crate::instrument::PREFIX;
use crate::instrument::helpers::Helpers;
use crate::names;

/// Hides the pointers that comparisons and casts look at.
pub fn hide<'c>(module: &mut Module<'c>, helpers: &Helpers<'c>) {
    let builder = Builder::new(module.context());
    let foreign = calls_unknown_code(module);
    for func in module.functions() {
        if func.is_declaration() {
            continue;
        }
        for block in func.blocks() {
            for inst in block.instructions() {
                let looks = ("total", "selkie.address");
                let ((kind, name), count) = match inst.opcode() {
                    Some(Opcode::LLVMICmp) if is_null(inst, 0) || is_null(inst, 1) => continue,
                    Some(Opcode::LLVMICmp) => (looks, 2),
                    Some(Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr) if foreign => {
                        (("exposed", "selkie.exposed"), 1)
                    }
                    Some(Opcode::LLVMPtrToInt | Opcode::LLVMPtrToAddr) => (looks, 1),
                    _ => continue,
                };
                for index in 0..count {
                    let pointer = inst.operand(index);
                    if !matches!(pointer.ty().kind(), Kind::Ptr(0)) {
                        continue;
                    }
                    builder.before(inst);
                    let ptr = helpers.ptr;
                    let (ty, func) = helpers.get(module, kind, name, ptr, &[ptr]);
                    let hidden = builder.call(ty, func, &[pointer]);
                    inst.set_operand(index, hidden);
                }
            }
        }
    }
}

/// Is something called that nobody knows?
fn calls_unknown_code(module: &Module<'_>) -> bool {
    let known = |callee: Val<'_>| {
        let name = callee.name();
        !callee.is_declaration()
            || name.starts_with("llvm.")
            || name.starts_with("selkie.")
            || names::is_special(name.strip_prefix(PREFIX).unwrap_or(&name))
    };
    module.functions().into_iter().any(|func| {
        let blocks = func.blocks().into_iter();
        let mut insts = blocks.flat_map(|block| block.instructions());
        insts.any(|inst| inst.is_any_call() && !inst.called_function().is_some_and(known))
    })
}

fn is_null(inst: Val<'_>, index: u32) -> bool {
    inst.operand(index).value_kind() == ValKind::Null
}
