//! Can the contract of a function stand for it where it is called?
//!
//! A function is checked with parameters that lead to different objects, which hold no pointers to each other and are no globals that
//! it uses; what it returns leads to no such global. That the parameters lead to different objects is an obligation where it is called; everything else is looked at here, and
//! what cannot be told from types and names is refused: a call then has the obligation `unsupported`.
//!
//! Nor does a contract stand for a function if its clauses call, in the end, that function: `f(x) == 7` would be believed of `f`
//! while it is being found out, and whoever never comes to the end of that violates nothing.

use crate::ctypes::{self, Scalar};
use crate::ffi::{Context, Linkage, Meta, Module, Val, ValKind};
use crate::trim;

use super::{STANDS, Trio};

/// Objects of the C library. Its state is apart from everything, and the ledger says that it stays as it is.
const STREAMS: [&str; 3] = ["stdin", "stdout", "stderr"];

/// Answers the question wherever it is asked. Calls still lead to the functions themselves.
pub fn answer(module: &Module<'_>, trios: &[Trio<'_>]) {
    for question in module.functions() {
        if !question.name().starts_with(STANDS) {
            continue;
        }
        for call in question.users() {
            if call.value_kind() == ValKind::Instruction {
                let asked = call.block().function();
                let trio = trios.iter().find(|trio| trio.call == asked);
                // Does it ensure that a pointer leads somewhere?
                let leads = call.operand(0).as_u64() != Some(0);
                let answer = u64::from(trio.is_some_and(|trio| {
                    can_stand(module, trio, leads) && !rests_on_itself(trio, trios)
                }));
                call.replace_with(Val::int(call.ty(), answer));
                call.erase();
            }
        }
    }
}

fn can_stand(module: &Module<'_>, trio: &Trio<'_>, ensures_leads: bool) -> bool {
    let ctx = module.context();
    let signature = trio
        .call
        .subprogram()
        .and_then(|subprogram| subprogram.signature(ctx));
    let Some(signature) = signature else {
        return false;
    };
    // What is returned may lead to any object, but what stands there leads to none that is known: no contract can say that it does.
    let result = signature.first().copied().flatten();
    let result_leads_on = match ctypes::scalar(ctx, result) {
        Some(Scalar::Integer(..)) => false,
        Some(Scalar::Pointer(to)) => leads_on(ctx, to),
        // What leads on inside a structure is one of many pointers.
        Some(_) => return false,
        None if leads_on(ctx, result) => return false,
        None => false,
    };
    if result_leads_on && ensures_leads {
        return false;
    }
    let returns_pointer = matches!(ctypes::scalar(ctx, result), Some(Scalar::Pointer(_)));
    let mut leads = returns_pointer;
    for &ty in signature.iter().skip(1) {
        match ctypes::scalar(ctx, ty) {
            Some(Scalar::Integer(..)) => {}
            Some(Scalar::Pointer(to)) if !leads_on(ctx, to) => leads = true,
            Some(_) => return false,
            None if leads_on(ctx, ty) => return false,
            None => {}
        }
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
    let used = trim::reached_from(trio.func);
    let mut used = used.into_iter().filter(own);
    used.all(|global| {
        let variable = global.global_debug(dbg).and_then(Meta::global_variable);
        !leads && variable.is_some_and(|variable| !leads_on(ctx, variable.base_type(ctx)))
    })
}

/// Do the clauses of a function lead to a call of it, themselves or by those of other functions?
fn rests_on_itself(trio: &Trio<'_>, trios: &[Trio<'_>]) -> bool {
    let mut work = vec![trio.call];
    let mut next = 0;
    while let Some(&call) = work.get(next) {
        next += 1;
        for value in trim::reached_from(call) {
            if value == trio.func {
                return true;
            }
            let other = trios.iter().find(|other| other.func == value);
            if let Some(other) = other.filter(|other| !work.contains(&other.call)) {
                work.push(other.call);
            }
        }
    }
    false
}

/// Does an object of the type hold pointers, to objects or to code?
fn leads_on<'c>(ctx: &'c Context, ty: Option<Meta<'c>>) -> bool {
    ctypes::holds_pointers(ctx, ty)
}
