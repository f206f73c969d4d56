//! Check `uninit`: no branch, address or claim depends on a value that nobody initialised.
//!
//! Every scalar gets a *shadow* of its width, whose ones are the bits that are not initialised.
//! Shadows are computed beside the values, before any of LLVM's passes:
//!
//! ```text
//! x = load i32, p            sx = selkie.shadow.load(p)
//! y = and i32 x, 7           sy = sx & 7
//! br (y == 0), …             selkie.check((sy == 0), id)
//! ```
//!
//! - A variable whose address goes nowhere has its shadow in a variable of its own, so that both
//!   become registers. Other memory has its shadow in our IR (`load_shadow`, `store_shadow`), where
//!   a store makes initialised what it writes, and a copy copies shadows along. Copies are hidden
//!   from LLVM, which would take them apart into loads and stores.
//! - Arguments and results pass their shadows through variables, of which there is one for each
//!   position; a function without a body returns an initialised value.
//! - Branches that clang's own checks made are no branches of the program.
//!
//! This is what MemorySanitizer does (Stepanov and Serebryany, 2015), except that carries are not
//! ignored: a sum is not initialised from the lowest such bit upwards. Structures and vectors in
//! registers and further arguments (`...`) count as initialised; the ledger says so.

mod rules;

use checks::registry::CheckId;
use rustc_hash::FxHashMap;

use crate::ffi::{Kind, Linkage, Opcode, Ty, Val, ValKind};
use crate::names;
use crate::order::reverse_postorder;

use super::{Instrumenter, Scope};

/// A shadow wide enough for every scalar, between functions.
const PASSED: u32 = 128;

/// What is known of a function's values.
struct Shades<'c> {
    /// Shadows; a value that is not here is initialised.
    values: FxHashMap<Val<'c>, Val<'c>>,
    /// The two fields of arithmetic that tells of overflow.
    pairs: FxHashMap<Val<'c>, (Val<'c>, Val<'c>)>,
    /// The variable that holds a variable's shadow.
    homes: FxHashMap<Val<'c>, Val<'c>>,
}

/// Why a value must be initialised.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Branch,
    Address,
    Claim,
}

/// Guards a function's branches and addresses.
pub fn guard<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    let mut shades = Shades {
        values: FxHashMap::default(),
        pairs: FxHashMap::default(),
        homes: FxHashMap::default(),
    };
    let blocks = reverse_postorder(scope.func);
    let Some(first) = blocks.first().and_then(|block| block.first()) else {
        return;
    };
    work.table.note(
        "structures and vectors in registers, and further arguments, count as initialised \
         (check uninit)",
    );
    // The program's own instructions, before ours stand among them.
    let own: Vec<Vec<Val<'c>>> = blocks.iter().map(|block| block.instructions()).collect();
    work.builder.before(first);
    for block in &blocks {
        for inst in block.instructions() {
            if let Some(ty) = variable_type(work, inst) {
                let home = work.builder.alloca(ty);
                work.builder.store(Val::ones(ty), home);
                shades.homes.insert(inst, home);
            }
        }
    }
    for (index, param) in scope.func.params().into_iter().enumerate() {
        let byval = scope.func.attribute(index as u32 + 1, work.kinds.byval);
        if let (Some(ty), None) = (shadow_type(work, param.ty()), byval) {
            let passed = passed_argument(work, index);
            let wide = work
                .builder
                .load(Ty::int(work.module.context(), PASSED), passed);
            let shadow = work.builder.resize(wide, ty);
            shades.values.insert(param, shadow);
        }
    }
    // Phis first: a loop's values depend on each other.
    let mut phis = Vec::new();
    for block in &blocks {
        for inst in block.instructions() {
            if inst.opcode() != Some(Opcode::LLVMPHI) {
                break;
            }
            if let Some(ty) = shadow_type(work, inst.ty()) {
                work.builder.before(inst);
                let phi = work.builder.phi(ty);
                shades.values.insert(inst, phi);
                phis.push((inst, phi, ty));
            }
        }
    }
    for list in own {
        for inst in list {
            instruction(work, scope, &mut shades, inst);
        }
    }
    for (inst, phi, ty) in phis {
        for (value, block) in inst.incoming() {
            let shadow = shades.values.get(&value).copied();
            phi.add_incoming(shadow.unwrap_or_else(|| Val::zero(ty)), block);
        }
    }
}

fn instruction<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    shades: &mut Shades<'c>,
    inst: Val<'c>,
) {
    let Some(opcode) = inst.opcode() else {
        return;
    };
    if opcode == Opcode::LLVMPHI {
        return;
    }
    work.builder.before(inst);
    match opcode {
        Opcode::LLVMLoad => {
            require(work, scope, shades, inst, inst.operand(0), Use::Address);
            load(work, shades, inst);
        }
        Opcode::LLVMStore => {
            require(work, scope, shades, inst, inst.operand(1), Use::Address);
            store(work, shades, inst);
        }
        Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg => {
            require(work, scope, shades, inst, inst.operand(0), Use::Address);
        }
        Opcode::LLVMBr => {
            if let Some(condition) = inst.branch_condition().filter(|_| !is_guard(inst)) {
                require(work, scope, shades, inst, condition, Use::Branch);
            }
        }
        Opcode::LLVMSwitch | Opcode::LLVMIndirectBr | Opcode::LLVMSelect => {
            require(work, scope, shades, inst, inst.operand(0), Use::Branch);
            if opcode == Opcode::LLVMSelect {
                rules::select(work, shades, inst);
            }
        }
        Opcode::LLVMRet => {
            if inst.operand_count() == 1 {
                let value = inst.operand(0);
                if shadow_type(work, value.ty()).is_some() {
                    let wide = passed_shadow(work, shades, value);
                    let result = passed_result(work);
                    work.builder.store(wide, result);
                }
            }
        }
        Opcode::LLVMCall | Opcode::LLVMInvoke => call(work, scope, shades, inst),
        _ => rules::compute(work, shades, inst, opcode),
    }
}

/// Is it a branch that clang's own checks made?
fn is_guard(branch: Val<'_>) -> bool {
    branch.successors().into_iter().any(|block| {
        block
            .first()
            .and_then(Val::called_function)
            .is_some_and(|callee| callee.name() == "selkie.fail")
    })
}

/// The obligation that a value is initialised, before the instruction that uses it.
fn require<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    shades: &Shades<'c>,
    inst: Val<'c>,
    value: Val<'c>,
    what: Use,
) {
    let Some(&shadow) = shades.values.get(&value) else {
        return;
    };
    let what = match what {
        Use::Branch => "a branch",
        Use::Address => "an address",
        Use::Claim => "a claim",
    };
    let text = format!("{what} depends on a value that is not initialised");
    let number = work
        .table
        .add(&scope.name, CheckId::Uninit, text, inst.location());
    let clean = rules::is_zero(work, shadow);
    work.call_check(clean, number);
}

/// The type of a scalar's shadow.
fn shadow_type<'c>(work: &Instrumenter<'_, 'c>, ty: Ty<'c>) -> Option<Ty<'c>> {
    let bits = match ty.kind() {
        Kind::Int(bits) => bits,
        Kind::Half => 16,
        Kind::Float => 32,
        Kind::Double => 64,
        Kind::Fp80 => 80,
        Kind::Fp128 => 128,
        Kind::Ptr(0) => return Some(work.helpers.size),
        Kind::Ptr(_)
        | Kind::Void
        | Kind::Function
        | Kind::Struct(_)
        | Kind::Array(..)
        | Kind::Vector(..)
        | Kind::Metadata
        | Kind::Label
        | Kind::Other => return None,
    };
    (bits <= PASSED).then(|| Ty::int(work.module.context(), bits))
}

/// The shadow's type, if the instruction makes a variable that is only loaded and stored as a
/// whole.
fn variable_type<'c>(work: &Instrumenter<'_, 'c>, inst: Val<'c>) -> Option<Ty<'c>> {
    if inst.opcode() != Some(Opcode::LLVMAlloca) || inst.operand(0).as_u64() != Some(1) {
        return None;
    }
    let ty = inst.allocated_type();
    let plain = inst.users().into_iter().all(|user| match user.opcode() {
        Some(Opcode::LLVMLoad) => user.ty() == ty,
        Some(Opcode::LLVMStore) => {
            user.operand(0) != inst && user.operand(0).ty() == ty && user.operand(1) == inst
        }
        Some(Opcode::LLVMCall) => is_lifetime(user, "start") || is_lifetime(user, "end"),
        _ => false,
    });
    shadow_type(work, ty).filter(|_| plain)
}

fn is_lifetime(call: Val<'_>, end: &str) -> bool {
    call.called_function()
        .is_some_and(|callee| callee.name().starts_with(&format!("llvm.lifetime.{end}")))
}

fn load<'c>(work: &mut Instrumenter<'_, 'c>, shades: &mut Shades<'c>, inst: Val<'c>) {
    let pointer = inst.operand(0);
    let Some(ty) = shadow_type(work, inst.ty()) else {
        return;
    };
    let shadow = if let Some(&home) = shades.homes.get(&pointer) {
        work.builder.load(ty, home)
    } else if is_global(pointer) || pointer.ty() != work.helpers.ptr {
        return;
    } else {
        work.call_shadow_load(ty, pointer)
    };
    shades.values.insert(inst, shadow);
}

/// Is it a variable of the program that always is initialised, unless something else is stored?
fn is_global(pointer: Val<'_>) -> bool {
    pointer.value_kind() == ValKind::Global
        && pointer.is_global_constant()
        && pointer.linkage() != Linkage::LLVMExternalWeakLinkage
}

fn store<'c>(work: &mut Instrumenter<'_, 'c>, shades: &mut Shades<'c>, inst: Val<'c>) {
    let (value, pointer) = (inst.operand(0), inst.operand(1));
    let Some(ty) = shadow_type(work, value.ty()) else {
        return;
    };
    let shadow = shades.values.get(&value).copied();
    if let Some(&home) = shades.homes.get(&pointer) {
        work.builder
            .store(shadow.unwrap_or_else(|| Val::zero(ty)), home);
    } else if let (Some(shadow), Some(next)) = (shadow, inst.next()) {
        if pointer.ty() == work.helpers.ptr {
            // The store itself makes initialised what it writes.
            work.builder.before(next);
            work.call_shadow_store(pointer, shadow);
        }
    }
}

fn call<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    shades: &mut Shades<'c>,
    inst: Val<'c>,
) {
    let Some(callee) = inst.called_function() else {
        if inst.callee().asm().is_none() {
            require(work, scope, shades, inst, inst.callee(), Use::Address);
            pass(work, shades, inst);
        }
        return;
    };
    let name = callee.name();
    if name.starts_with("selkie.uninit.") {
        if let Some(ty) = shadow_type(work, inst.ty()) {
            shades.values.insert(inst, Val::ones(ty));
        }
    } else if callee.is_intrinsic() {
        if is_lifetime(inst, "start") {
            for arg in inst.args() {
                if let Some(&home) = shades.homes.get(&arg) {
                    let ty = home.allocated_type();
                    work.builder.store(Val::ones(ty), home);
                }
            }
        } else if name.starts_with("llvm.mem") {
            for arg in inst.args() {
                require(work, scope, shades, inst, arg, Use::Address);
            }
        } else {
            rules::intrinsic(work, shades, inst, &name);
        }
    } else if callee.is_declaration() {
        if names::claim(&name).is_some() {
            for arg in inst.args() {
                require(work, scope, shades, inst, arg, Use::Claim);
            }
        }
    } else {
        pass(work, shades, inst);
    }
}

/// Passes the shadows of arguments, and takes that of the result.
fn pass<'c>(work: &mut Instrumenter<'_, 'c>, shades: &mut Shades<'c>, inst: Val<'c>) {
    let fixed = inst.callee_type().params().len();
    for (index, arg) in inst.args().into_iter().enumerate().take(fixed) {
        if shadow_type(work, arg.ty()).is_some() {
            let wide = passed_shadow(work, shades, arg);
            let place = passed_argument(work, index);
            work.builder.store(wide, place);
        }
    }
    let (Some(ty), Some(next)) = (shadow_type(work, inst.ty()), inst.next()) else {
        return;
    };
    let place = passed_result(work);
    let wide = Ty::int(work.module.context(), PASSED);
    work.builder.store(Val::zero(wide), place);
    work.builder.before(next);
    let passed = work.builder.load(wide, place);
    let shadow = work.builder.resize(passed, ty);
    shades.values.insert(inst, shadow);
}

/// A value's shadow as it is passed.
fn passed_shadow<'c>(
    work: &mut Instrumenter<'_, 'c>,
    shades: &Shades<'c>,
    value: Val<'c>,
) -> Val<'c> {
    let wide = Ty::int(work.module.context(), PASSED);
    match shades.values.get(&value) {
        Some(&shadow) => work.builder.resize(shadow, wide),
        None => Val::zero(wide),
    }
}

fn passed_argument<'c>(work: &mut Instrumenter<'_, 'c>, index: usize) -> Val<'c> {
    variable(work, &format!("selkie.shadow.argument.{index}"))
}

fn passed_result<'c>(work: &mut Instrumenter<'_, 'c>) -> Val<'c> {
    variable(work, "selkie.shadow.result")
}

fn variable<'c>(work: &mut Instrumenter<'_, 'c>, name: &str) -> Val<'c> {
    let ty = Ty::int(work.module.context(), PASSED);
    let known = work.module.global(name);
    known.unwrap_or_else(|| work.module.add_variable(name, ty))
}
