//! Guards of memory accesses: `selkie.deref.read(pointer, size, id)` and `.write`.
//!
//! An access that lies inside its own object by the text alone gets none: a variable accessed by
//! its name at a constant offset is in scope where it is named, and a guard would keep LLVM from
//! putting it into a register. In bitcode of others a variable may be accessed outside its
//! lifetime markers, so there only variables without markers are excepted.

use checks::registry::CheckId;
use ir::syntax::Access;

use crate::ffi::{IntPredicate, Kind, Linkage, Opcode, Ty, Val, ValKind};

use super::{Instrumenter, Origin, Scope};

/// Guards a function's accesses.
pub fn guard<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    if !work.options.has(CheckId::Deref) {
        if scope.origin != Origin::Model {
            work.table
                .note("addresses that belong to no object are memory with any contents, but for the first page, where an access ends the execution (check deref is off)");
        }
        return;
    }
    for block in scope.func.blocks() {
        for inst in block.instructions() {
            match inst.opcode() {
                Some(Opcode::LLVMLoad) => {
                    access(work, scope, inst, inst.operand(0), inst.ty(), Access::Read);
                }
                Some(Opcode::LLVMStore) => {
                    let ty = inst.operand(0).ty();
                    access(work, scope, inst, inst.operand(1), ty, Access::Write);
                }
                Some(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => {
                    let ty = inst.operand(1).ty();
                    access(work, scope, inst, inst.operand(0), ty, Access::Write);
                }
                Some(Opcode::LLVMCall) => memory_call(work, scope, inst),
                _ => {}
            }
        }
    }
}

fn access<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    inst: Val<'c>,
    pointer: Val<'c>,
    ty: Ty<'c>,
    access: Access,
) {
    if !ty.is_sized() {
        return;
    }
    let size = work.layout.store_size(ty);
    let late = access == Access::Write && work.late_writes.contains(&inst);
    if !late && is_inside(work, scope, pointer, size, access) {
        return;
    }
    let length = Val::int(work.helpers.size, size);
    guard_range(work, scope, inst, pointer, length, access);
}

/// `llvm.memcpy` and its like.
fn memory_call<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    for (index, pointer) in inst.args().into_iter().enumerate() {
        // The callee gets a copy of what the pointer points to.
        let byval = inst.attribute(index as u32 + 1, work.kinds.byval);
        if let Some(ty) = byval.and_then(crate::ffi::Attr::ty) {
            access(work, scope, inst, pointer, ty, Access::Read);
        }
    }
    let Some(callee) = inst.called_function() else {
        null_call(work, scope, inst);
        return;
    };
    let name = callee.name();
    let is = |prefix: &str| name.starts_with(prefix);
    let both = is("llvm.memcpy.") || is("llvm.memmove.");
    if !both && !is("llvm.memset.") {
        return;
    }
    let length = inst.operand(2);
    let mut ranges = vec![(inst.operand(0), Access::Write)];
    if both {
        ranges.push((inst.operand(1), Access::Read));
    }
    for (pointer, access) in ranges {
        let inside = length
            .as_u64()
            .is_some_and(|size| is_inside(work, scope, pointer, size, access));
        let late = access == Access::Write && work.late_writes.contains(&inst);
        if late || !inside {
            guard_range(work, scope, inst, pointer, length, access);
        }
    }
}

/// A call through a pointer: of all that it may be, null is what the source tells.
fn null_call<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    let pointer = inst.callee();
    let code = matches!(
        pointer.value_kind(),
        ValKind::Asm | ValKind::Alias | ValKind::IFunc
    );
    if code || pointer.ty() != work.helpers.ptr {
        return;
    }
    work.builder.before(inst);
    let null = Val::zero(pointer.ty());
    let ok = work.builder.compare(IntPredicate::LLVMIntNE, pointer, null);
    let text = "call through a null pointer";
    let number = work
        .table
        .add(&scope.name, CheckId::Deref, text, inst.location());
    work.call_check(ok, number);
}

/// A guard for some bytes before an instruction.
pub fn guard_range<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    inst: Val<'c>,
    pointer: Val<'c>,
    length: Val<'c>,
    access: Access,
) {
    if pointer.ty() != work.helpers.ptr {
        // Another address space: the import makes it an obligation of its own.
        return;
    }
    let word = match access {
        Access::Read | Access::Look | Access::Touch | Access::Stray => "read",
        Access::Write | Access::Change => "write",
    };
    let text = match length.as_u64() {
        Some(1) => format!("invalid {word} of 1 byte"),
        Some(size) => format!("invalid {word} of {size} bytes"),
        None => format!("invalid {word} of some bytes"),
    };
    let number = work
        .table
        .add(&scope.name, CheckId::Deref, text, inst.location());
    work.builder.before(inst);
    let length = work.builder.resize(length, work.helpers.size);
    work.call_deref(access, pointer, length, number);
}

/// Do the bytes lie inside an object that is alive here, by the text alone?
fn is_inside<'c>(
    work: &Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    pointer: Val<'c>,
    size: u64,
    access: Access,
) -> bool {
    let Some((base, offset)) = constant_offset(work, pointer) else {
        return false;
    };
    let Some(limit) = object_size(work, scope, base, access) else {
        return false;
    };
    offset >= 0
        && (offset as u64)
            .checked_add(size)
            .is_some_and(|end| end <= limit)
}

/// The object that a pointer is derived from by constant steps, and how far it is from its start.
fn constant_offset<'c>(work: &Instrumenter<'_, 'c>, pointer: Val<'c>) -> Option<(Val<'c>, i64)> {
    let mut base = pointer;
    let mut offset = 0i64;
    loop {
        let step = match base.opcode().or_else(|| base.expr_opcode()) {
            Some(Opcode::LLVMGetElementPtr) => gep_offset(work, base)?,
            Some(Opcode::LLVMBitCast) => 0,
            _ => return Some((base, offset)),
        };
        offset = offset.checked_add(step)?;
        base = base.operand(0);
    }
}

/// The byte offset of a `getelementptr` with constant indices.
fn gep_offset<'c>(work: &Instrumenter<'_, 'c>, gep: Val<'c>) -> Option<i64> {
    let mut ty = gep.gep_type();
    let mut offset = 0i64;
    for index in 1..gep.operand_count() {
        let value = gep.operand(index).as_i64()?;
        let step = if index == 1 {
            value.checked_mul(i64::try_from(sized(work, ty)?).ok()?)?
        } else {
            match ty.kind() {
                Kind::Struct(_) => {
                    let field = u32::try_from(value).ok()?;
                    let step = work.layout.offset(ty, field);
                    ty = ty.field(field);
                    i64::try_from(step).ok()?
                }
                Kind::Array(element, _) | Kind::Vector(element, _) => {
                    ty = element;
                    value.checked_mul(i64::try_from(sized(work, ty)?).ok()?)?
                }
                _ => return None,
            }
        };
        offset = offset.checked_add(step)?;
    }
    Some(offset)
}

fn sized(work: &Instrumenter<'_, '_>, ty: Ty<'_>) -> Option<u64> {
    ty.is_sized().then(|| work.layout.size(ty))
}

/// The size of an object that is known to be alive, and not constant if it is written.
fn object_size<'c>(
    work: &Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    base: Val<'c>,
    access: Access,
) -> Option<u64> {
    match base.value_kind() {
        ValKind::Instruction if base.opcode() == Some(Opcode::LLVMAlloca) => {
            let count = base.operand(0).as_u64()?;
            if scope.origin == Origin::Bitcode && has_lifetime(base) {
                return None;
            }
            sized(work, base.allocated_type())?.checked_mul(count)
        }
        ValKind::Argument => {
            let position = scope
                .func
                .params()
                .iter()
                .position(|&param| param == base)?;
            let index = position as u32 + 1;
            let byval = scope.func.attribute(index, work.kinds.byval);
            let sret = scope.func.attribute(index, work.kinds.sret);
            let ty = byval.or(sret)?.ty()?;
            sized(work, ty)
        }
        ValKind::Global => {
            if base.is_declaration()
                || access == Access::Write && base.is_global_constant()
                || matches!(
                    base.linkage(),
                    Linkage::LLVMWeakAnyLinkage | Linkage::LLVMExternalWeakLinkage
                )
            {
                return None;
            }
            sized(work, base.content_type())
        }
        _ => None,
    }
}

/// Does the variable have markers of its scope?
pub fn has_lifetime(alloca: Val<'_>) -> bool {
    alloca.users().into_iter().any(|user| {
        user.called_function()
            .is_some_and(|callee| callee.name().starts_with("llvm.lifetime."))
    })
}
