//! Calls of `free` and of C's functions on byte ranges: obligations first, then LLVM's own copies and fills,
//! so that its passes see through them.
//!
//! `memcpy` becomes a copy that may overlap; that it does not is the obligation `overlap`.

use checks::registry::CheckId;
use ir::syntax::Access;

use crate::ffi::{Kind, Opcode, Val};

use super::deref::guard_range;
use super::{Instrumenter, Origin, Scope};

/// Converts a function's calls.
pub fn convert<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    for block in scope.func.blocks() {
        for inst in block.instructions() {
            let Some(callee) = inst
                .called_function()
                .filter(|callee| callee.is_declaration())
            else {
                continue;
            };
            match callee.name().as_str() {
                "memcpy" => copy(work, scope, inst, Overlap::Forbidden, Result::Start),
                "mempcpy" | "__mempcpy" => {
                    copy(work, scope, inst, Overlap::Forbidden, Result::End);
                }
                "memmove" => copy(work, scope, inst, Overlap::Allowed, Result::Start),
                "memset" => fill(work, scope, inst),
                "memcmp" | "bcmp" => compare(work, scope, inst),
                "memhavoc" | "sea_havoc" => renew(work, scope, inst),
                "sk_havoc" => {
                    if let [pointer, length] = inst.args()[..] {
                        guard(work, scope, inst, pointer, length, Access::Write);
                    }
                }
                "free" | "cfree" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" | "_ZdlPvj"
                | "_ZdaPvj" => release(work, scope, inst),
                _ => {}
            }
        }
    }
}

/// Stands for an obligation that is not checked.
pub const NO_OBLIGATION: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Overlap {
    Allowed,
    Forbidden,
}

/// What a copying function returns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Result {
    Start,
    End,
}

/// The arguments, if they have the types that the standard gives them.
fn arguments<'c>(inst: Val<'c>) -> Option<[Val<'c>; 3]> {
    let args: [Val<'c>; 3] = inst.args().try_into().ok()?;
    let is_pointer = |value: Val<'c>| matches!(value.ty().kind(), Kind::Ptr(0));
    let is_number = |value: Val<'c>| value.ty().int_width().is_some();
    let fits = is_pointer(args[0]) && is_number(args[2]);
    (fits && (is_pointer(args[1]) || is_number(args[1]))).then_some(args)
}

fn guard<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    inst: Val<'c>,
    pointer: Val<'c>,
    length: Val<'c>,
    access: Access,
) {
    if work.options.has(CheckId::Deref) {
        guard_range(work, scope, inst, pointer, length, access);
    }
}

fn copy<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    inst: Val<'c>,
    overlap: Overlap,
    result: Result,
) {
    let Some([to, from, length]) = arguments(inst) else {
        return;
    };
    if !matches!(from.ty().kind(), Kind::Ptr(0)) {
        return;
    }
    guard(work, scope, inst, from, length, Access::Read);
    guard(work, scope, inst, to, length, Access::Write);
    work.builder.before(inst);
    let length = work.builder.resize(length, work.helpers.size);
    if overlap == Overlap::Forbidden
        && work.options.has(CheckId::Overlap)
        && scope.origin != Origin::Model
    {
        let text = "the ranges of memcpy overlap";
        let number = work
            .table
            .add(&scope.name, CheckId::Overlap, text, inst.location());
        work.call_disjoint(to, from, length, number);
    }
    let (ptr, size) = (work.helpers.ptr, work.helpers.size);
    let intrinsic = work.module.intrinsic("llvm.memmove", &[ptr, ptr, size]);
    let volatile = Val::int(work.helpers.bool, 0);
    let args = [to, from, length, volatile];
    work.builder
        .call(intrinsic.content_type(), intrinsic, &args);
    let returned = match result {
        Result::Start => to,
        Result::End => work.builder.step(to, length),
    };
    finish(work, inst, returned);
}

/// Puts the result in place of the call.
fn finish<'c>(work: &mut Instrumenter<'_, 'c>, inst: Val<'c>, returned: Val<'c>) {
    if inst.is_used() && inst.ty() == returned.ty() {
        inst.replace_with(returned);
    } else if inst.is_used() {
        let number = work.fresh_number();
        let value = work.call_uninit(inst.ty(), number);
        inst.replace_with(value);
    }
    inst.erase();
}

fn fill<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    let Some([to, byte, length]) = arguments(inst) else {
        return;
    };
    if byte.ty().int_width().is_none() {
        return;
    }
    guard(work, scope, inst, to, length, Access::Write);
    work.builder.before(inst);
    let length = work.builder.resize(length, work.helpers.size);
    let byte = work.builder.resize(byte, work.helpers.byte);
    let (ptr, size) = (work.helpers.ptr, work.helpers.size);
    let intrinsic = work.module.intrinsic("llvm.memset", &[ptr, size]);
    let volatile = Val::int(work.helpers.bool, 0);
    let args = [to, byte, length, volatile];
    work.builder
        .call(intrinsic.content_type(), intrinsic, &args);
    finish(work, inst, to);
}

fn compare<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    let Some([left, right, length]) = arguments(inst) else {
        return;
    };
    if !matches!(right.ty().kind(), Kind::Ptr(0)) {
        return;
    }
    guard(work, scope, inst, left, length, Access::Read);
    guard(work, scope, inst, right, length, Access::Read);
}

/// `memhavoc(p, n)`: null is fine, the bytes must be there, and it is no modification.
fn renew<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    let [pointer, length] = inst.args()[..] else {
        return;
    };
    if pointer.ty() != work.helpers.ptr || length.ty().int_width().is_none() {
        return;
    }
    let number = if work.options.has(CheckId::Deref) {
        let text = "the bytes of memhavoc are writable";
        work.table
            .add(&scope.name, CheckId::Deref, text, inst.location())
    } else {
        NO_OBLIGATION
    };
    work.builder.before(inst);
    let length = work.builder.resize(length, work.helpers.size);
    work.call_memhavoc(pointer, length, number);
    finish(work, inst, pointer);
}

/// The obligation of a `free`. It stands here and not in a later pass, so that its number does
/// not depend on what LLVM makes of the code around it.
fn release<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    let Some(&pointer) = inst.args().first() else {
        return;
    };
    if !work.options.has(CheckId::Free) || pointer.ty() != work.helpers.ptr {
        return;
    }
    let text = "the argument of free is null or the base of a live heap object";
    let number = work
        .table
        .add(&scope.name, CheckId::Free, text, inst.location());
    work.builder.before(inst);
    work.call_freeable(pointer, number);
}

/// Hides copies that read or write volatile memory: taken apart, all of them would read.
pub fn hide_volatile<'c>(
    module: &mut crate::ffi::Module<'c>,
    helpers: &super::helpers::Helpers<'c>,
) {
    let builder = crate::ffi::Builder::new(module.context());
    for func in module.functions() {
        if func.is_declaration() {
            continue;
        }
        for block in func.blocks() {
            for inst in block.instructions() {
                let called = inst.called_function().map(Val::name).unwrap_or_default();
                let copies =
                    called.starts_with("llvm.memcpy.") || called.starts_with("llvm.memmove.");
                if !copies || inst.operand(3).as_u64() != Some(1) {
                    continue;
                }
                let args = inst.args();
                builder.before(inst);
                let length = builder.resize(args[2], helpers.size);
                let params = [helpers.ptr, helpers.ptr, helpers.size];
                let (name, void) = ("selkie.copy.volatile", helpers.void);
                let (ty, func) = helpers.get(module, "copy", name, void, &params);
                builder.call(ty, func, &[args[0], args[1], length]);
                inst.erase();
            }
        }
    }
}

/// Takes LLVM's copies and fills away again, before passes that would turn small ones into loads
/// and stores of integers: a pointer that is copied as an integer loses its object.
pub fn hide<'c>(module: &mut crate::ffi::Module<'c>, helpers: &super::helpers::Helpers<'c>) {
    let ctx = module.context();
    let builder = crate::ffi::Builder::new(ctx);
    for func in module.functions() {
        if func.is_declaration() {
            continue;
        }
        for block in func.blocks() {
            for inst in block.instructions() {
                if inst.opcode() != Some(Opcode::LLVMCall) {
                    continue;
                }
                let Some(callee) = inst
                    .called_function()
                    .filter(|callee| callee.is_intrinsic())
                else {
                    continue;
                };
                let name = callee.name();
                let is = |prefix: &str| name.starts_with(prefix);
                let args = inst.args();
                if is("llvm.memcpy.") || is("llvm.memmove.") {
                    builder.before(inst);
                    let length = builder.resize(args[2], helpers.size);
                    let params = [helpers.ptr, helpers.ptr, helpers.size];
                    let void = helpers.void;
                    let (ty, func) = helpers.get(module, "copy", "selkie.copy", void, &params);
                    builder.call(ty, func, &[args[0], args[1], length]);
                    inst.erase();
                } else if is("llvm.memset.") {
                    builder.before(inst);
                    let length = builder.resize(args[2], helpers.size);
                    let params = [helpers.ptr, helpers.byte, helpers.size];
                    let void = helpers.void;
                    let (ty, func) = helpers.get(module, "set", "selkie.set", void, &params);
                    builder.call(ty, func, &[args[0], args[1], length]);
                    inst.erase();
                }
            }
        }
    }
}
