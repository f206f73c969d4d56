//! Special functions through pointers mean what they mean by name.
//!
//! The instrumentation and the import know `malloc`, `reach_error` or `__VERIFIER_nondet_int` by the
//! name that a call gives. A call through a pointer gives none. So each such function whose address is
//! taken, in code, in the contents of an object, by an alias or in a table of constructors, gets a
//! body that calls it by name,
//!
//! ```text
//! define internal ptr @malloc.body(i64 %0) { %2 = call ptr @malloc(i64 %0)  ret ptr %2 }
//! ```
//!
//! and its address is that of the body, everywhere. Calls by name stay as they are.

use crate::ffi::{Builder, Context, Kind, Layout, Linkage, Meta, Module, Ty, Val, ValKind};
use crate::instrument::MODEL;
use crate::names::{self, Claim};
use crate::options::Options;

/// Gives bodies to the special functions whose address is taken.
pub fn give<'c>(ctx: &'c Context, module: &mut Module<'c>, layout: &Layout, options: &Options) {
    let builder = Builder::new(ctx);
    let mut through = None;
    for func in module.functions() {
        if func.is_intrinsic() || !is_special(func, options) {
            continue;
        }
        let (calls, others) = uses(func);
        if others.is_empty() {
            continue;
        }
        let ty = body_type(ctx, func, layout);
        let body = module.declare(&format!("{}{}", func.name(), names::BODY), ty);
        body.set_linkage(Linkage::LLVMInternalLinkage);
        func.replace_with(body);
        for call in calls {
            // A call's last operand is the callee.
            call.set_operand(call.operand_count() - 1, func);
        }
        let block = builder.new_block(body);
        builder.at_end(block);
        let through = through.get_or_insert_with(|| calls_through_pointers(module));
        builder.at(place(through, ty, &others));
        let result = builder.call(ty, func, &body.params());
        let result = (ty.result().kind() != Kind::Void).then_some(result);
        builder.ret(result);
    }
}

/// Does a call of it mean more than its body says? A program's own definition of the error
/// function counts: the call itself is the error.
fn is_special(func: Val<'_>, options: &Options) -> bool {
    let name = func.name();
    if func.is_declaration() {
        let mut errors = options.error_functions.iter();
        names::is_special(&name) || errors.any(|error| names::is_symbol_of(&name, error))
    } else {
        names::claim(&name) == Some(Claim::Reach)
    }
}

/// The calls that name a function, and who else uses it.
fn uses<'c>(func: Val<'c>) -> (Vec<Val<'c>>, Vec<Val<'c>>) {
    let (mut calls, mut others) = (Vec::new(), Vec::new());
    for user in func.users() {
        let names =
            user.value_kind() == ValKind::Instruction && user.called_function() == Some(func);
        if names && !calls.contains(&user) {
            calls.push(user);
        } else {
            // The second use by one call is an argument.
            others.push(user);
        }
    }
    (calls, others)
}

/// The type of the body: the function's own, or what the C library says of a function that was
/// declared without a prototype.
fn body_type<'c>(ctx: &'c Context, func: Val<'c>, layout: &Layout) -> Ty<'c> {
    let declared = func.content_type();
    if !declared.is_vararg() || !declared.params().is_empty() || !func.is_declaration() {
        return declared;
    }
    let (ptr, int) = (Ty::ptr(ctx), Ty::int(ctx, 32));
    let size = Ty::int(ctx, layout.pointer_bits());
    let name = func.name();
    let params: &[Ty<'c>] = match name.as_str() {
        "malloc" | "valloc" | "alloca" => &[size],
        "calloc" => &[size, size],
        "free" | "cfree" => &[ptr],
        "memcpy" | "mempcpy" | "__mempcpy" | "memmove" | "memcmp" | "bcmp" => &[ptr, ptr, size],
        "memset" => &[ptr, int, size],
        "exit" | "_exit" | "_Exit" | "quick_exit" => &[int],
        name => match names::claim(name) {
            Some(Claim::AssertFail) => &[ptr, ptr, int, ptr],
            Some(
                Claim::Assert(_)
                | Claim::Invariant
                | Claim::Cover
                | Claim::Assume(_)
                | Claim::AssumeNot(_),
            ) => &[int],
            Some(Claim::AssertIf) => &[int, int],
            Some(Claim::Reach | Claim::Named) | None => &[],
        },
    };
    Ty::function(declared.result(), params)
}

/// Where obligations of the body stand: at the first call through a pointer that may mean it, or
/// else where the address is taken. The trace of a violation names the call.
fn place<'c>(through: &[Val<'c>], ty: Ty<'c>, users: &[Val<'c>]) -> Option<Meta<'c>> {
    let call = through.iter().find(|call| call.callee_type() == ty);
    let taken = users
        .iter()
        .rev() // LLVM lists the last use first.
        .filter(|user| user.value_kind() == ValKind::Instruction);
    call.into_iter()
        .chain(taken)
        .find_map(|inst| inst.location())
}

/// The program's own calls through pointers, in order.
fn calls_through_pointers<'c>(module: &Module<'c>) -> Vec<Val<'c>> {
    let functions = module.functions().into_iter();
    let own = functions.filter(|func| !func.has_string_attribute(MODEL));
    let blocks = own.flat_map(Val::blocks);
    let insts = blocks.flat_map(crate::ffi::Block::instructions);
    insts
        .filter(|inst| {
            let kind = inst.is_any_call().then(|| inst.callee().value_kind());
            kind.is_some_and(|kind| !matches!(kind, ValKind::Function | ValKind::Asm))
        })
        .collect()
}
