//! Can the contract of a function stand for it where it is called?
//!
//! A function is checked with parameters that lead to different objects, which hold no pointers to each other and are no globals that
//! it uses. That the parameters lead to different objects is an obligation where it is called; everything else is looked at here, and
//! what cannot be told from types and names is refused: a call then has the obligation `unsupported`.
//!
//! What a call returns is any value, which says too little of a pointer: it may lead to any object that the function knows. So a contract
//! stands for a function that returns pointers only if these lead to new objects.
//!
//! Nor does a contract stand for a function if its clauses call, in the end, that function: `f(x) == 7` would be believed of `f`
//! while it is being found out, and whoever never comes to the end of that violates nothing.

use std::collections::BTreeSet;

use crate::ctypes::{self, Scalar};
use crate::ffi::{Context, Linkage, Meta, Module, Val, ValKind};
use crate::trim;

use super::{CALL, STANDS};

/// Objects of the C library. Its state is apart from everything, and the ledger says that it stays as it is.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// Answers the question wherever it is asked. Calls still lead to the functions themselves.
pub fn answer(module: &Module<'_>) {
    for question in module.functions() {
        let name = question.name();
        let Some(name) = name.strip_prefix(STANDS) else {
            continue;
        };
        let answer = u64::from(can_stand(module, name) && !rests_on_itself(module, name));
        for call in question.users() {
            if call.value_kind() == ValKind::Instruction {
                call.replace_with(Val::int(call.ty(), answer));
                call.erase();
            }
        }
    }
}

fn can_stand(module: &Module<'_>, name: &str) -> bool {
    let ctx = module.context();
    let stand_in = module.function(&format!("{CALL}{name}"));
    let signature = stand_in
        .and_then(Val::subprogram)
        .and_then(|subprogram| subprogram.signature(ctx));
    let Some(signature) = signature else {
        return false;
    };
    let mut leads = false;
    for &ty in signature.iter().skip(1) {
        match ctypes::scalar(ctx, ty) {
            Some(Scalar::Integer(..)) => {}
            Some(Scalar::Pointer(to)) if !leads_on(ctx, to) => leads = true,
            Some(_) => return false,
            None if leads_on(ctx, ty) => return false,
            None => {}
        }
    }
    // A pointer that a call returns may lead to what the function was given, has, or made, and nobody says which of these; but if the
    // contract says that the object is new, and the function knows no other.
    let gives = signature.first().is_some_and(|&ty| leads_on(ctx, ty));
    if gives && (leads || !makes_objects(module, name)) {
        return false;
    }
    let dbg = ctx.metadata_kind("dbg");
    // What clang makes for the checks of its sanitizers is private, and no variable is.
    let own = |value: &Val<'_>| {
        value.value_kind() == ValKind::Global
            && !value.is_global_constant()
            && !matches!(value.linkage(), Linkage::LLVMPrivateLinkage)
            && !value.name().starts_with(super::OURS)
            && !STREAMS.contains(&value.name().as_str())
    };
    let used = trim::reached_from(module, name);
    let mut used = used.into_iter().filter(own);
    used.all(|global| {
        let variable = global.global_debug(dbg).and_then(Meta::global_variable);
        !leads && !gives && variable.is_some_and(|variable| !leads_on(ctx, variable.base_type(ctx)))
    })
}

/// Does what stands for a function make an object, as `sk_fresh` has it?
fn makes_objects(module: &Module<'_>, name: &str) -> bool {
    let reached = trim::reached_from(module, &format!("{CALL}{name}"));
    reached.into_iter().any(|value| value.name() == "malloc")
}

/// Do the clauses of a function lead to a call of it, themselves or by those of other functions?
fn rests_on_itself(module: &Module<'_>, name: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = vec![name.to_owned()];
    while let Some(next) = work.pop() {
        let reached = trim::reached_from(module, &format!("{CALL}{next}"));
        let functions = reached
            .into_iter()
            .filter(|value| value.value_kind() == ValKind::Function);
        for function in functions {
            let function = function.name();
            if function == name {
                return true;
            }
            let stands = module.function(&format!("{CALL}{function}")).is_some();
            if stands && seen.insert(function.clone()) {
                work.push(function);
            }
        }
    }
    false
}

/// Does an object of the type hold pointers, to objects or to code?
fn leads_on<'c>(ctx: &'c Context, ty: Option<Meta<'c>>) -> bool {
    ctypes::holds_pointers(ctx, ty)
}
