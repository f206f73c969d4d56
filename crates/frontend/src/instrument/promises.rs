//! Taking away what LLVM was promised and nobody has checked.
//!
//! What remains on functions, parameters and calls are attributes that say *how* arguments are
//! passed (`byval`, `sret`, `signext` …), never what is true of them.

use crate::ffi::{Attr, Val};

use super::{Instrumenter, Scope};

/// Attributes that are part of a call's meaning, or make LLVM more careful.
const KEPT: &[&str] = &[
    "byval",
    "sret",
    "inalloca",
    "preallocated",
    "inreg",
    "zeroext",
    "signext",
    "nest",
    "elementtype",
    "null_pointer_is_valid",
    "returns_twice",
    "nomerge",
    "immarg",
];

/// The attributes that are kept, by number.
pub fn kept_kinds() -> Vec<u32> {
    KEPT.iter().map(|name| Attr::kind_named(name)).collect()
}

/// Strips a function's own attributes and makes it know no library function.
pub fn strip_function<'c>(work: &Instrumenter<'_, 'c>, func: Val<'c>) {
    let kept = kept_kinds();
    let params = func.params().len() as u32;
    strip(func, params, &kept);
    let ctx = work.module.context();
    func.add_attribute(u32::MAX, Attr::string(ctx, "no-builtins", ""));
    // A call for another type stays as it is: LLVM would pass zero for what is missing.
    func.add_attribute(u32::MAX, Attr::string(ctx, "thunk", ""));
    let valid = Attr::kind_named("null_pointer_is_valid");
    func.add_attribute(u32::MAX, Attr::plain(ctx, valid));
}

fn strip<'c>(value: Val<'c>, params: u32, kept: &[u32]) {
    for index in (0..=params).chain([u32::MAX]) {
        for attr in value.attributes(index) {
            let keep = match attr.kind() {
                Some(kind) => kept.contains(&kind) || attr.ty().is_some(),
                None => attr.key().is_some_and(|key| key.starts_with("selkie-")),
            };
            if !keep {
                value.remove_attribute(index, attr);
            }
        }
    }
}

/// Strips the flags, metadata and call attributes of a function's body.
pub fn strip_body<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    let kept = kept_kinds();
    for block in scope.func.blocks() {
        for inst in block.instructions() {
            inst.drop_metadata();
            inst.drop_flags();
            if inst.is_any_call() {
                strip(inst, inst.args().len() as u32, &kept);
                strip_intrinsic(work, inst);
            }
        }
    }
}

/// Intrinsics whose arguments are promises.
fn strip_intrinsic<'c>(work: &mut Instrumenter<'_, 'c>, inst: Val<'c>) {
    let Some(callee) = inst
        .called_function()
        .filter(|callee| callee.is_intrinsic())
    else {
        return;
    };
    let name = callee.name();
    let is = |prefix: &str| name.starts_with(prefix);
    if is("llvm.assume") || is("llvm.experimental.noalias.scope") {
        inst.erase();
    } else if is("llvm.ctlz.") || is("llvm.cttz.") || is("llvm.abs.") {
        // The flag says: poison for zero (or for INT_MIN).
        inst.set_operand(1, Val::int(work.helpers.bool, 0));
    } else if is("llvm.expect.") {
        inst.replace_with(inst.operand(0));
        inst.erase();
    }
}
