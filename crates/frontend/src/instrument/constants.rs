//! Automatic variables and compound literals that are `const`: only their initialiser writes them.
//!
//! The bitcode does not tell them from others, and writes the initialiser as any assignment. Debug
//! information has the type of a variable, clang's tree that of a literal; and what is written inside of
//! the declaration is its initialiser. The object is marked, for the import to seal it;
//! writes by the variable's name that stand elsewhere are guarded as those through pointers are.
//!
//! Members that are `const` in an object that is not are no objects of their own, and left alone.

use crate::ast::Place;
use crate::ffi::{Meta, Opcode, RecordKind, Val};
use checks::registry::CheckId;

use super::{Instrumenter, Origin, Scope};

/// The kind of metadata that marks an object.
pub const SEALED: &str = "selkie.sealed";

/// Seals a function's constants, and finds the writes to them that are no initialisers.
pub fn seal<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    if !work.options.has(CheckId::Deref) || scope.origin != Origin::Source {
        return;
    }
    let Some(subprogram) = scope.func.subprogram() else {
        return;
    };
    let plus = is_c_plus_plus(work, subprogram);
    for (variable, record, place) in declared(scope.func) {
        let fits = is_object(variable)
            && is_constant(work, record, plus)
            && is_written_here(work, variable);
        if !fits {
            continue;
        }
        let elsewhere: Vec<(Val<'c>, Place)> = direct_writes(variable)
            .into_iter()
            .filter_map(|write| Some((write, location(write)?)))
            .filter(|&(_, at)| Some(at) != place)
            .collect();
        if !elsewhere.is_empty() {
            let Some(tree) = work.tree(&scope.name) else {
                continue; // What writes it is not known.
            };
            let ranges: Vec<(Place, Place)> = tree
                .variables
                .iter()
                .filter(|known| known.place == place)
                .filter_map(|known| known.range)
                .collect();
            // What the prologue writes has no place: all others of a parameter are late.
            let parameter = record.text(work.module.context()).contains(" arg: ");
            if ranges.is_empty() && !parameter {
                continue;
            }
            let is_late = |at: Place| !ranges.iter().any(|&range| is_within(range, at));
            let late = elsewhere.into_iter().filter(|&(_, at)| is_late(at));
            work.late_writes.extend(late.map(|(write, _)| write));
        }
        work.sealed.push(variable);
    }
    if !plus {
        literals(work, scope);
    }
}

/// Seals compound literals.
fn literals<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    let Some(&entry) = scope.func.blocks().first() else {
        return;
    };
    let found: Vec<Val<'c>> = entry
        .instructions()
        .into_iter()
        .filter(|inst| is_object(*inst) && inst.name().starts_with(super::scopes::LITERAL))
        .collect();
    if found.is_empty() || !mentions_const(work) {
        return;
    }
    let Some(tree) = work.tree(&scope.name) else {
        return;
    };
    for literal in found {
        let writes: Vec<(Val<'c>, Place)> = direct_writes(literal)
            .into_iter()
            .filter_map(|write| Some((write, location(write)?)))
            .collect();
        // The literal begins where its initialiser is written.
        let mut here = tree.literals.iter().filter(|known| {
            let mut at = writes.iter();
            at.any(|&(_, at)| at == known.range.0)
        });
        let (Some(known), None) = (here.next(), here.next()) else {
            continue;
        };
        if known.constant && is_written_here(work, literal) {
            let late = writes
                .into_iter()
                .filter(|&(_, at)| !is_within(known.range, at));
            work.late_writes.extend(late.map(|(write, _)| write));
            work.sealed.push(literal);
        }
    }
}

/// Marks the constants of a function, when all other marks have been taken away.
pub fn mark(work: &mut Instrumenter<'_, '_>) {
    let ctx = work.module.context();
    let kind = ctx.metadata_kind(SEALED);
    for object in std::mem::take(&mut work.sealed) {
        object.mark(ctx, kind);
    }
}

/// Is the word `const` in the files at all? The tree costs as much as compiling.
fn mentions_const(work: &Instrumenter<'_, '_>) -> bool {
    work.options.files.iter().any(|file| {
        let text = std::fs::read(file).unwrap_or_default();
        text.windows(5).any(|word| word == b"const")
    })
}

/// Is it an object of constant size?
fn is_object(value: Val<'_>) -> bool {
    value.opcode() == Some(Opcode::LLVMAlloca) && value.operand(0).is_constant()
}

/// The objects with their descriptions, and where their names stand.
fn declared<'c>(func: Val<'c>) -> Vec<(Val<'c>, Meta<'c>, Option<Place>)> {
    let mut found = Vec::new();
    for block in func.blocks() {
        for inst in block.instructions() {
            for record in inst.records() {
                if record.kind() != RecordKind::Declare {
                    continue;
                }
                if let (Some(value), Some(variable)) = (record.value(), record.variable()) {
                    let place = record.location().map(Meta::line_column);
                    found.push((value, variable, place));
                }
            }
        }
    }
    found
}

/// Is the type of a variable `const`? In C++ only scalars: constructors write objects.
fn is_constant(work: &Instrumenter<'_, '_>, variable: Meta<'_>, plus: bool) -> bool {
    let found = variable.qualifiers(work.module.context());
    found.constant && (!plus || found.rest.is_some_and(Meta::is_scalar))
}

fn is_c_plus_plus(work: &Instrumenter<'_, '_>, subprogram: Meta<'_>) -> bool {
    let ctx = work.module.context();
    subprogram
        .unit(ctx)
        .is_none_or(|unit| unit.text(ctx).contains("DW_LANG_C_plus_plus"))
}

/// Do only this function and those of the program write the initialiser, and not in a loop?
fn is_written_here<'c>(work: &Instrumenter<'_, 'c>, object: Val<'c>) -> bool {
    derived(object).into_iter().all(|(pointer, user)| {
        if user.opcode() == Some(Opcode::LLVMPHI) {
            return !user.name().starts_with("arrayinit");
        }
        let result = user.is_any_call()
            && user.args().into_iter().enumerate().any(|(index, arg)| {
                let index = index as u32 + 1;
                arg == pointer && user.attribute(index, work.kinds.sret).is_some()
            });
        !result
            || user.called_function().is_some_and(|callee| {
                !callee.is_declaration() && work.origin(callee) == Origin::Source
            })
    })
}

/// The users of an object and of pointers that are steps away from it, with the pointer that each uses.
fn derived<'c>(object: Val<'c>) -> Vec<(Val<'c>, Val<'c>)> {
    let mut found = Vec::new();
    let mut list = vec![object];
    while let Some(pointer) = list.pop() {
        for user in pointer.users() {
            if user.opcode() == Some(Opcode::LLVMGetElementPtr) {
                list.push(user);
            } else {
                found.push((pointer, user));
            }
        }
    }
    found
}

/// The writes by the object's name.
fn direct_writes<'c>(object: Val<'c>) -> Vec<Val<'c>> {
    let writes = derived(object).into_iter().filter(|(pointer, user)| {
        let to = match user.opcode() {
            Some(Opcode::LLVMStore) => 1,
            Some(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg) => 0,
            Some(Opcode::LLVMCall) => {
                let name = user.called_function().map(Val::name).unwrap_or_default();
                let is = |prefix: &str| name.starts_with(prefix);
                if !is("llvm.memcpy.") && !is("llvm.memmove.") && !is("llvm.memset.") {
                    return false;
                }
                0
            }
            _ => return false,
        };
        user.operand(to) == *pointer
    });
    writes.map(|(_, user)| user).collect()
}

/// Where an instruction stands in the source, if it does: the prologue does not.
/// Where an instruction stands in the source.
pub fn location(inst: Val<'_>) -> Option<Place> {
    let place = inst.location()?.line_column();
    (place.0 != 0).then_some(place)
}

fn is_within(range: (Place, Place), at: Place) -> bool {
    range.0 <= at && at <= range.1
}
