//! Bodies of functions that the entry cannot reach go before any work is spent on them.

use rustc_hash::FxHashSet;

use crate::ffi::{Builder, Module, Val, ValKind};

/// Takes away the bodies of functions that nothing reachable from the roots refers to.
pub fn trim<'c>(module: &Module<'c>, roots: &[&str]) {
    let mut seen: FxHashSet<Val<'c>> = FxHashSet::default();
    let mut work: Vec<Val<'c>> = roots
        .iter()
        .filter_map(|name| module.function(name))
        .chain(
            ["llvm.global_ctors", "llvm.global_dtors"]
                .map(|name| module.global(name))
                .into_iter()
                .flatten(),
        )
        .collect();
    seen.extend(&work);
    while let Some(value) = work.pop() {
        let mut visit = |next: Val<'c>| {
            if next.is_constant() && seen.insert(next) {
                work.push(next);
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
            ValKind::BlockAddress => {
                if let Some((func, _)) = value.block_address() {
                    visit(func);
                }
            }
            ValKind::Expr | ValKind::Aggregate => value.operands().for_each(visit),
            ValKind::Argument
            | ValKind::IFunc
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
    let builder = Builder::new(module.context());
    for func in module.functions() {
        if !func.is_declaration() && !seen.contains(&func) {
            func.delete_body(&builder);
        }
    }
}
