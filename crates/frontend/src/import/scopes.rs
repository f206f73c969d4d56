//! Starts of scopes: what an uninitialised object's memory holds.
//!
//! `lifetime_start` makes an object's contents arbitrary. The arbitrary values that the
//! instrumentation stores right after it would change nothing, and are left out: they are there
//! for variables that LLVM puts into registers.

use ir::syntax::Op;

use crate::ffi::{Opcode, Val};

use super::control::is_call_of;
use super::function::FuncImporter;

impl<'c> FuncImporter<'_, '_, 'c> {
    /// A scope is entered.
    pub fn lifetime_start(&mut self, inst: Val<'c>) {
        let home = inst.operand(inst.args().len() as u32 - 1);
        let pointer = self.operand(home);
        self.act(Op::LifetimeStart(pointer));
        let mut next = inst.next();
        while let Some(later) = next {
            if is_arbitrary_store(later, home) {
                self.skipped.insert(later);
            } else if !is_harmless(later) {
                break;
            }
            next = later.next();
        }
    }
}

/// The object that a pointer leads to by constant steps.
pub(super) fn object(pointer: Val<'_>) -> Val<'_> {
    let mut pointer = pointer;
    while pointer.opcode() == Some(Opcode::LLVMGetElementPtr) {
        pointer = pointer.operand(0);
    }
    pointer
}

fn is_uninit(value: Val<'_>) -> bool {
    value
        .called_function()
        .is_some_and(|callee| callee.name().starts_with("selkie.uninit."))
}

/// Does it store an arbitrary value, which nothing else uses, into the object?
fn is_arbitrary_store<'c>(inst: Val<'c>, home: Val<'c>) -> bool {
    match inst.opcode() {
        Some(Opcode::LLVMStore) => {
            let value = inst.operand(0);
            is_uninit(value) && value.users().len() == 1 && object(inst.operand(1)) == home
        }
        Some(Opcode::LLVMCall) => {
            is_call_of(inst, "selkie.havoc") && object(inst.operand(0)) == home
        }
        _ => false,
    }
}

/// Does it neither read nor write the object? Stores of arbitrary values do not read it.
fn is_harmless(inst: Val<'_>) -> bool {
    match inst.opcode() {
        Some(Opcode::LLVMGetElementPtr) => true,
        Some(Opcode::LLVMStore) => is_uninit(inst.operand(0)),
        Some(Opcode::LLVMCall) => inst.called_function().is_some_and(|callee| {
            let name = callee.name();
            name.starts_with("selkie.uninit.")
                || name.starts_with("selkie.havoc")
                || name.starts_with("llvm.lifetime.start.")
        }),
        _ => false,
    }
}
