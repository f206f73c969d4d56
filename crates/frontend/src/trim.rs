//! Bodies of functions that the entry cannot reach go before any work is spent on them.

use rustc_hash::FxHashSet;

use crate::contracts;
use crate::ffi::{Builder, Kind, Linkage, Module, Val, ValKind};
use crate::instrument::{MODEL, PREFIX};
use crate::names;

/// Everything that the roots refer to, and what runs before and after `main`, in the order in which it is found.
pub fn reachable<'c>(module: &Module<'c>, roots: &[&str]) -> Vec<Val<'c>> {
    let tables = ["llvm.global_ctors", "llvm.global_dtors"];
    let found: Vec<Val<'c>> = roots
        .iter()
        .filter_map(|name| module.function(name).or_else(|| module.global(name)))
        .chain(tables.iter().filter_map(|name| module.global(name)))
        .collect();
    closure(found)
}

/// Everything that one function refers to.
pub fn reached_from(func: Val<'_>) -> Vec<Val<'_>> {
    closure(vec![func])
}

/// Everything that these refer to, and they themselves.
fn closure<'c>(mut found: Vec<Val<'c>>) -> Vec<Val<'c>> {
    let mut seen: FxHashSet<Val<'c>> = found.iter().copied().collect();
    let mut next = 0;
    while let Some(&value) = found.get(next) {
        next += 1;
        let mut visit = |value: Val<'c>| {
            if value.is_constant() && seen.insert(value) {
                found.push(value);
            }
        };
        match value.value_kind() {
            ValKind::Function => {
                for block in value.blocks() {
                    let mut next = block.first();
                    while let Some(inst) = next {
                        inst.operands().for_each(&mut visit);
                        next = inst.next();
                    }
                }
            }
            ValKind::Global => value.initializer().into_iter().for_each(visit),
            ValKind::Alias => value.aliasee().into_iter().for_each(visit),
            ValKind::IFunc => value.resolver().into_iter().for_each(visit),
            ValKind::BlockAddress => {
                if let Some((func, _)) = value.block_address() {
                    visit(func);
                }
            }
            ValKind::Expr | ValKind::Aggregate => value.operands().for_each(visit),
            ValKind::Argument
            | ValKind::Data
            | ValKind::Zero
            | ValKind::Undef
            | ValKind::Int
            | ValKind::Float
            | ValKind::Null
            | ValKind::Asm
            | ValKind::Instruction
            | ValKind::Other => {}
        }
    }
    found
}

/// Is it a function of the program that other translation units may call? The entry is called once.
pub fn is_exported(func: Val<'_>, entry: &str) -> bool {
    let seen = is_visible(func) || has_visible_alias(func);
    let name = func.name();
    let bare = name.strip_prefix(PREFIX).unwrap_or(&name);
    let ours = bare.starts_with(contracts::OURS);
    !func.is_declaration() && seen && !func.has_string_attribute(MODEL) && name != entry && !ours
}

/// Does another translation unit see the name?
fn is_visible(value: Val<'_>) -> bool {
    !matches!(
        value.linkage(),
        Linkage::LLVMInternalLinkage
            | Linkage::LLVMPrivateLinkage
            | Linkage::LLVMAvailableExternallyLinkage
            | Linkage::LLVMAppendingLinkage
    )
}

/// Is there another name for it that other translation units see?
pub fn has_visible_alias(value: Val<'_>) -> bool {
    let mut users = value.users().into_iter();
    users.any(|user| user.value_kind() == ValKind::Alias && is_visible(user))
}

/// Is it an object of the program that other translation units see, and that leads them to others?
pub fn leads_on(global: Val<'_>) -> bool {
    let init = global.initializer();
    (is_visible(global) || has_visible_alias(global))
        && init.is_some_and(|init| {
            !matches!(
                init.value_kind(),
                ValKind::Zero | ValKind::Data | ValKind::Int | ValKind::Float | ValKind::Null
            )
        })
}

/// Does anything that the roots reach call code that is not there?
pub fn calls_unknown(module: &Module<'_>, roots: &[&str]) -> bool {
    reachable(module, roots).into_iter().any(|value| {
        value.value_kind() == ValKind::Function
            && value.is_declaration()
            && !value.is_intrinsic()
            && !names::is_special(&value.name())
    })
}

/// Takes away the bodies of functions that the roots do not reach. LLVM wants a body where an alias points to, even if
/// nothing uses the alias.
pub fn trim(module: &Module<'_>, roots: &[&str]) {
    let mut kept: FxHashSet<Val<'_>> = reachable(module, roots).into_iter().collect();
    kept.extend(module.aliases().into_iter().filter_map(Val::aliasee));
    let builder = Builder::new(module.context());
    for func in module.functions() {
        if !func.is_declaration() && !kept.contains(&func) {
            func.delete_body(&builder);
            if is_aliased(func) {
                leave_stub(&builder, func);
            }
        }
    }
}

/// Does another name stand for it?
fn is_aliased(func: Val<'_>) -> bool {
    let mut users = func.users().into_iter();
    users.any(|user| matches!(user.value_kind(), ValKind::Alias | ValKind::IFunc))
}

/// A body that says nothing: what an alias stands for must have one.
fn leave_stub<'c>(builder: &Builder<'c>, func: Val<'c>) {
    let block = builder.new_block(func);
    builder.at_end(block);
    builder.at(None);
    let result = func.content_type().result();
    let value = (result.kind() != Kind::Void).then(|| Val::poison(result));
    builder.ret(value);
}
