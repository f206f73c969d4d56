//! Which lines and branches are reached (`--cover`), and `sk_cover(c)`.
//!
//! Each gets an obligation that is violated by an execution that comes there *and was meant for it*: the program begins with a
//! number that is chosen freely, and
//!
//! ```text
//! selkie.check(number != 17, 17)
//! ```
//!
//! stands in front of the line of obligation 17. An execution that was meant for another goes on, so that no question stands in the way of the next.
//!
//! A branch is asked at its condition, once for each way. Branches that clang's checks and `assert` make are none of the program.

use checks::registry::CheckId;
use rustc_hash::FxHashMap;

use crate::ffi::{Block, IntPredicate, Meta, Opcode, Ty, Val};

use super::{Instrumenter, Origin, Scope};

/// The variable that says which question an execution is meant for.
pub const TARGET: &str = "selkie.cover.target";

/// Asks about all lines and branches of a function.
pub fn mark<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    if !work.options.cover
        || scope.origin == Origin::Model
        || crate::contracts::is_ours(&scope.name)
    {
        return;
    }
    let mut lines: FxHashMap<(String, u32), u32> = FxHashMap::default();
    for block in scope.func.blocks() {
        if fails(block) {
            continue;
        }
        let mut before = None;
        for inst in block.instructions() {
            if inst.opcode() == Some(Opcode::LLVMPHI) || is_marker(inst) {
                continue;
            }
            if let Some(condition) = inst.branch_condition() {
                branch(work, scope, inst, condition);
            }
            let Some(place) = inst.location() else {
                continue;
            };
            let Some(key) = line(place) else {
                continue;
            };
            if before.as_ref() == Some(&key) {
                continue;
            }
            before = Some(key.clone());
            let number = match lines.get(&key) {
                Some(&number) => number,
                None => {
                    let number = work
                        .table
                        .add(&scope.name, CheckId::Cover, "line", Some(place));
                    lines.insert(key, number);
                    number
                }
            };
            work.builder.before(inst);
            work.builder.at(Some(place));
            let always = Val::int(work.helpers.bool, 1);
            ask(work, always, number);
        }
    }
}

/// `sk_cover(c)`.
pub fn goal<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    call: Val<'c>,
    condition: Val<'c>,
) {
    let place = call.location();
    let number = work
        .table
        .add(&scope.name, CheckId::Cover, "sk_cover", place);
    work.builder.before(call);
    work.builder.at(place);
    ask(work, condition, number);
}

/// Is a block where something has failed already?
fn fails(block: Block<'_>) -> bool {
    block.instructions().into_iter().any(|inst| {
        let name = inst.called_function().map(Val::name).unwrap_or_default();
        name.starts_with("__ubsan_handle")
            || name.starts_with("__assert")
            || name == "llvm.ubsantrap"
    })
}

/// Does it only tell where a variable lives?
fn is_marker(inst: Val<'_>) -> bool {
    let name = inst.called_function().map(Val::name).unwrap_or_default();
    name.starts_with("llvm.lifetime") || name.starts_with("llvm.dbg")
}

/// File and line; code without a line of its own is nobody's.
fn line(place: Meta<'_>) -> Option<(String, u32)> {
    let (line, _) = place.line_column();
    let file = place.scope().and_then(Meta::file)?;
    (line > 0 && place.inlined_at().is_none()).then(|| (file.to_string_lossy().into_owned(), line))
}

/// Both ways of a branch.
fn branch<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    inst: Val<'c>,
    condition: Val<'c>,
) {
    let targets = inst.successors();
    let Some(place) = inst.location().filter(|&place| line(place).is_some()) else {
        return;
    };
    if targets.iter().any(|&target| fails(target)) || condition.as_u64().is_some() {
        return;
    }
    for (text, value) in [("branch if true", 0), ("branch if false", 1)] {
        let number = work
            .table
            .add(&scope.name, CheckId::Cover, text, Some(place));
        work.builder.before(inst);
        work.builder.at(Some(place));
        let flip = Val::int(work.helpers.bool, value);
        let holds = work.builder.binary(Opcode::LLVMXor, condition, flip);
        ask(work, holds, number);
    }
}

/// Violated where the condition holds, by an execution that is meant for this.
fn ask<'c>(work: &mut Instrumenter<'_, 'c>, condition: Val<'c>, number: u32) {
    let ty = Ty::int(work.module.context(), 32);
    let known = work.module.global(TARGET);
    let target = known.unwrap_or_else(|| work.module.declare_variable(TARGET, ty));
    let target = work.builder.load(ty, target);
    let this = Val::int(ty, u64::from(number));
    let other = work.builder.compare(IntPredicate::LLVMIntNE, target, this);
    let one = Val::int(work.helpers.bool, 1);
    let not = work.builder.binary(Opcode::LLVMXor, condition, one);
    let passed = work.builder.binary(Opcode::LLVMOr, other, not);
    work.call_check(passed, number);
}
