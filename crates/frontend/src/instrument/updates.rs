//! Updates by `__sync_…`: clang does not say in the bitcode that their object is volatile, as it does for `__atomic_…`.
//!
//! Its tree tells, from the type of the first argument. Where it cannot (two functions of one name, C++), others
//! may have written to the object, and no violation rests on that.

use crate::ast::Place;
use crate::ffi::{Opcode, Val};
use crate::options::Volatile;

use super::constants::location;
use super::{Instrumenter, Origin, Scope};

/// Makes updates of volatile objects volatile.
pub fn convert<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    if work.options.volatile == Volatile::Last || scope.origin != Origin::Source {
        return;
    }
    let insts = scope.func.blocks().into_iter();
    let updates: Vec<Val<'c>> = insts
        .flat_map(|block| block.instructions())
        .filter(|inst| is_update(*inst) && !inst.is_volatile())
        .collect();
    for update in updates {
        match is_volatile(work, &scope.name, location(update)) {
            Some(true) => update.set_volatile(),
            Some(false) => {}
            None => perhaps_written(work, update),
        }
    }
}

fn is_update(inst: Val<'_>) -> bool {
    matches!(
        inst.opcode(),
        Some(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg)
    )
}

/// Is the object volatile that is updated at a place? What is no `__sync_…` has said so itself.
fn is_volatile(work: &mut Instrumenter<'_, '_>, func: &str, place: Option<Place>) -> Option<bool> {
    let tree = work.tree(func)?;
    let mut here = tree
        .updates
        .iter()
        .filter(|update| Some(update.place) == place)
        .map(|update| update.volatile);
    // A macro may have several at one place.
    here.try_fold(None, |all, one| match (all, one?) {
        (Some(all), one) if all != one => None,
        (_, one) => Some(Some(one)),
    })
    .map(|volatile| volatile.unwrap_or(false))
}

/// Others may have written to the object, or not.
fn perhaps_written<'c>(work: &mut Instrumenter<'_, 'c>, update: Val<'c>) {
    let pointer = update.operand(0);
    if pointer.opcode() == Some(Opcode::LLVMAlloca) {
        return;
    }
    let bytes = work.layout.size(update.operand(1).ty());
    let (void, ptr, size) = (work.helpers.void, work.helpers.ptr, work.helpers.size);
    let name = "selkie.perhaps";
    let (ty, func) = work
        .helpers
        .get(work.module, "havoc", name, void, &[ptr, size]);
    work.builder.before(update);
    work.builder
        .call(ty, func, &[pointer, Val::int(size, bytes)]);
}
