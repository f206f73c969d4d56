//! `unreachable` instructions: LLVM deletes every path to one, so each gets a guard that it keeps.

use crate::ffi::{Opcode, Val};
use checks::registry::CheckId;

use super::{Instrumenter, Origin, Scope};

/// Puts `selkie.fail` or `selkie.stop` before each `unreachable`.
pub fn guard<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    for block in scope.func.blocks() {
        let Some(end) = block.terminator() else {
            continue;
        };
        if end.opcode() != Some(Opcode::LLVMUnreachable) {
            continue;
        }
        let before = end.previous();
        if before.is_some_and(|inst| is_guard(inst)) {
            continue;
        }
        // In what clang compiled with the check, its handlers stand where the user's claims are.
        let claims = scope.origin == Origin::Bitcode
            && work.options.has(CheckId::Unreachable)
            && !before.is_some_and(|inst| never_returns(work, inst));
        work.builder.before(end);
        if claims {
            let text = "unreachable code is reached";
            let number = work
                .table
                .add(&scope.name, CheckId::Unreachable, text, end.location());
            work.call_fail(number);
        } else {
            // Where clang ends a `switch` of its own there is no place in the source.
            let users = scope.origin != Origin::Model
                && (scope.origin == Origin::Bitcode || end.location().is_some());
            if users
                && !before.is_some_and(|inst| never_returns(work, inst))
                && !work.options.has(CheckId::Unreachable)
            {
                work.table
                    .note("executions that reach `__builtin_unreachable` do not count (check unreachable is off)");
            }
            work.call_stop();
        }
    }
}

fn is_guard(inst: Val<'_>) -> bool {
    inst.called_function().is_some_and(|callee| {
        let name = callee.name();
        name == "selkie.fail" || name == "selkie.stop"
    })
}

fn never_returns(work: &Instrumenter<'_, '_>, inst: Val<'_>) -> bool {
    inst.called_function()
        .is_some_and(|callee| callee.attribute(u32::MAX, work.kinds.noreturn).is_some())
}
