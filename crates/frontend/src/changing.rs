//! Globals whose value nobody knows when a function of the program is called.

use std::collections::BTreeSet;

use crate::ffi::{Linkage, Module, Opcode, Val, ValKind};
use crate::trim;

/// The names of the globals that are defined and may have been written: by another file, or by this program.
pub fn find(module: &Module<'_>) -> BTreeSet<String> {
    let globals = module.globals().into_iter();
    globals
        .filter(|global| global.initializer().is_some() && !global.is_global_constant())
        .filter(|&global| !is_hidden(global) || may_be_written(global))
        .map(Val::name)
        .collect()
}

fn is_hidden(global: Val<'_>) -> bool {
    matches!(
        global.linkage(),
        Linkage::LLVMInternalLinkage | Linkage::LLVMPrivateLinkage
    )
}

/// Is it used for more than being read?
fn may_be_written(global: Val<'_>) -> bool {
    let mut seen = vec![global];
    let mut next = 0;
    while let Some(&pointer) = seen.get(next) {
        next += 1;
        for user in pointer.users() {
            match user.opcode().or_else(|| user.expr_opcode()) {
                Some(Opcode::LLVMLoad | Opcode::LLVMICmp) => {}
                Some(
                    Opcode::LLVMGetElementPtr
                    | Opcode::LLVMBitCast
                    | Opcode::LLVMPHI
                    | Opcode::LLVMSelect,
                ) => {
                    if !seen.contains(&user) {
                        seen.push(user);
                    }
                }
                Some(Opcode::LLVMCall) if is_copied_only(user, pointer) => {}
                _ => return true,
            }
        }
    }
    false
}

/// Does a call read what a pointer leads to, and no more?
fn is_copied_only(call: Val<'_>, pointer: Val<'_>) -> bool {
    let callee = call.callee();
    let name = match callee.value_kind() {
        ValKind::Function => callee.name(),
        _ => return false,
    };
    let copy = name.starts_with("llvm.memcpy") || name.starts_with("llvm.memmove");
    copy && call.operand(0) != pointer
}

/// Does anything that the roots reach call through a pointer?
pub fn calls_pointers(module: &Module<'_>, roots: &[&str]) -> bool {
    let reached = trim::reachable(module, roots).into_iter();
    let functions = reached.filter(|value| value.value_kind() == ValKind::Function);
    functions.flat_map(Val::blocks).any(|block| {
        let mut calls = block.instructions().into_iter();
        calls.any(|inst| {
            matches!(
                inst.opcode(),
                Some(Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr)
            ) && !matches!(
                inst.callee().value_kind(),
                ValKind::Function | ValKind::Asm | ValKind::Alias
            )
        })
    })
}
