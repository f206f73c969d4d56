//! Clang's own checks: handler calls become `selkie.fail(id)`.
//!
//! Clang writes `br i1 ok, label cont, label handler`, and in the handler's block a call like
//! `__ubsan_handle_add_overflow_abort(@data, x, y)`. The data hold the place and the operands'
//! types, from which the obligation's text is made. One handler stands for two checks: division
//! by zero and INT_MIN / -1; they are separated here.

use checks::registry::CheckId;
use rustc_hash::FxHashMap;

use crate::ffi::{Block, Opcode, Val, ValKind};

use super::{Instrumenter, Scope};

/// The blocks from which each block may be entered, once for each edge.
pub fn predecessors<'c>(func: Val<'c>) -> FxHashMap<Block<'c>, Vec<Block<'c>>> {
    let mut map: FxHashMap<Block<'c>, Vec<Block<'c>>> = FxHashMap::default();
    for block in func.blocks() {
        for next in block.successors() {
            map.entry(next).or_default().push(block);
        }
    }
    map
}

/// What a handler is about.
struct Handler {
    /// Its name without prefix and suffixes.
    name: String,
    /// The types in its data, as the source writes them.
    types: Vec<TypeText>,
}

/// A type in a handler's data.
struct TypeText {
    name: String,
    signed: bool,
    bits: u32,
}

/// Converts all handlers of a function.
pub fn convert<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    let mut calls = Vec::new();
    for block in scope.func.blocks() {
        for inst in block.instructions() {
            if let Some(callee) = inst.called_function() {
                if let Some(rest) = callee.name().strip_prefix("__ubsan_handle_") {
                    calls.push((inst, rest.to_owned()));
                }
            }
        }
    }
    if calls.is_empty() {
        return;
    }
    let preds = predecessors(scope.func);
    for (call, name) in calls {
        let handler = Handler {
            name: base_name(&name),
            types: data_types(call),
        };
        convert_call(work, scope, call, &handler, &preds);
    }
}

fn base_name(name: &str) -> String {
    let name = name.strip_suffix("_abort").unwrap_or(name);
    let name = name.strip_suffix("_minimal").unwrap_or(name);
    let name = name.strip_suffix("_v1").unwrap_or(name);
    name.to_owned()
}

/// The types in the handler's data: `{ i16 kind, i16 info, [n x i8] "'int'" }`, where bit 0 of
/// `info` tells signed integers, and the others the logarithm of the width.
fn data_types(call: Val<'_>) -> Vec<TypeText> {
    let mut types = Vec::new();
    let Some(data) = call.args().first().and_then(|arg| arg.initializer()) else {
        return types;
    };
    for index in 1..4 {
        let Some(field) = data.element(index) else {
            break;
        };
        let Some(descriptor) = field.initializer() else {
            continue;
        };
        let info = descriptor.element(1).and_then(Val::as_u64);
        let Some(bytes) = descriptor.element(2).and_then(Val::data) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end_matches('\0');
        // `'u8' (aka 'unsigned char')`: the name that the source uses.
        let name = text.split('\'').nth(1).unwrap_or(text);
        types.push(TypeText {
            name: name.to_owned(),
            signed: info.unwrap_or(0) & 1 == 1,
            bits: 1 << (info.unwrap_or(0) >> 1).min(16),
        });
    }
    types
}

fn convert_call<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    call: Val<'c>,
    handler: &Handler,
    preds: &FxHashMap<Block<'c>, Vec<Block<'c>>>,
) {
    let block = call.block();
    let location = call.location();
    let branch = match preds.get(&block).map(Vec::as_slice) {
        Some([pred]) => pred.terminator().filter(|end| {
            end.branch_condition().is_some() && end.successors().get(1) == Some(&block)
        }),
        _ => None,
    };
    let cont = branch.map(|branch| branch.successors()[0]);

    if handler.name == "builtin_unreachable" && follows_known_end(branch) {
        // What follows `abort()` is not the user's claim.
        empty(block);
        work.builder.at(location);
        work.builder.at_end(block);
        work.call_stop();
        work.builder.unreachable();
        return;
    }
    if handler.name == "divrem_overflow" {
        if let Some(branch) = branch {
            convert_division(work, scope, branch, handler, location);
            return;
        }
    }
    if handler.name == "shift_out_of_bounds"
        && let (true, false) = (
            work.options.has(CheckId::Overflow),
            work.options.has(CheckId::Shift),
        )
        && let (Some(branch), [_, base, amount]) = (branch, call.args().as_slice())
    {
        let bits = handler.types.first().map_or(0, |ty| ty.bits);
        let folded = base.as_u64().zip(amount.as_u64());
        if folded.is_some_and(|(base, amount)| fits(base, amount, bits)) {
            branch.set_branch_condition(Val::int(work.helpers.bool, 1));
            return;
        }
        let shl = branch.successors()[0].first();
        let shl = shl.filter(|inst| inst.opcode() == Some(Opcode::LLVMShl));
        if let (Some(shl), None) = (shl, folded) {
            convert_left_shift(work, scope, shl, handler, block, location);
            return;
        }
    }
    let (check, text) = describe(handler, cont);
    if !work.options.has(check) {
        // Bitcode that was compiled with a sanitizer that is not asked for.
        if let Some(branch) = branch {
            branch.set_branch_condition(Val::int(work.helpers.bool, 1));
        }
        return;
    }
    let number = work.table.add(&scope.name, check, text, location);
    fill(work, block, number, location);
}

/// Does a constant shifted left fit into a signed type? Clang has folded the shift itself.
fn fits(base: u64, amount: u64, bits: u32) -> bool {
    if bits == 0 || bits > 64 || amount >= u64::from(bits) {
        return false;
    }
    let unused = 64 - bits;
    let base = i128::from((base << unused) as i64 >> unused);
    let shifted = base << amount;
    (shifted << (128 - bits)) >> (128 - bits) == shifted
}

/// Without the check `shift`, only values that the type cannot represent are violations of `overflow`:
/// clang complains about every negative operand, and the handler's block looks again.
fn convert_left_shift<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    shl: Val<'c>,
    handler: &Handler,
    block: Block<'c>,
    location: Option<crate::ffi::Meta<'c>>,
) {
    let of = handler.types.first().map_or("?", |ty| ty.name.as_str());
    let text = format!("signed overflow in << of {of}");
    let number = work
        .table
        .add(&scope.name, CheckId::Overflow, text, location);
    let (base, amount) = (shl.operand(0), shl.operand(1));
    let fails = work.builder.new_block(scope.func);
    empty(block);
    work.builder.at(location);
    work.builder.at_end(block);
    let shifted = work.builder.binary(Opcode::LLVMShl, base, amount);
    let back = work.builder.binary(Opcode::LLVMAShr, shifted, amount);
    let fits = work
        .builder
        .compare(crate::ffi::IntPredicate::LLVMIntEQ, back, base);
    work.builder.cond_br(fits, shl.block(), fails);
    work.builder.at_end(fails);
    work.call_fail(number);
    work.builder.unreachable();
}

/// Does the branch follow a call of a function without a body that does not return?
fn follows_known_end(branch: Option<Val<'_>>) -> bool {
    let Some(before) = branch.and_then(Val::previous) else {
        return false;
    };
    let noreturn = crate::ffi::Attr::kind_named("noreturn");
    before.called_function().is_some_and(|callee| {
        callee.is_declaration() && callee.attribute(u32::MAX, noreturn).is_some()
    })
}

/// Takes everything out of a block that ends in `unreachable`.
fn empty(block: Block<'_>) {
    let mut insts = block.instructions();
    while let Some(inst) = insts.pop() {
        inst.erase();
    }
}

/// The handler's block becomes `selkie.fail(number)`.
fn fill<'c>(
    work: &mut Instrumenter<'_, 'c>,
    block: Block<'c>,
    number: u32,
    location: Option<crate::ffi::Meta<'c>>,
) {
    let ends = block
        .terminator()
        .is_some_and(|end| end.opcode() == Some(Opcode::LLVMUnreachable));
    if ends {
        empty(block);
        work.builder.at_end(block);
        work.builder.at(location);
        work.call_fail(number);
        work.builder.unreachable();
    } else if let Some(first) = block.first() {
        // A handler that returns: nothing after the failure counts.
        work.builder.before(first);
        work.builder.at(location);
        work.call_fail(number);
    }
}

/// Separates division by zero from overflow: `br (nonzero and fits), cont, handler` becomes
/// `br nonzero, middle, zero` and `br fits, cont, overflow`.
fn convert_division<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    branch: Val<'c>,
    handler: &Handler,
    location: Option<crate::ffi::Meta<'c>>,
) {
    let condition = branch.branch_condition().expect("a conditional branch");
    let (cont, block) = (branch.successors()[0], branch.successors()[1]);
    let sign = sign_of(cont, &[Opcode::LLVMSDiv, Opcode::LLVMUDiv], "/", "%");
    let of = handler.types.first().map_or("", |ty| ty.name.as_str());
    let zero_text = format!("division by zero in {sign} of {of}");
    let overflow_text = format!("signed overflow in {sign} of {of}");
    let (div, overflow) = (
        work.options.has(CheckId::Div),
        work.options.has(CheckId::Overflow),
    );
    if !div && !overflow {
        branch.set_branch_condition(Val::int(work.helpers.bool, 1));
        return;
    }
    let signed = handler.types.first().is_some_and(|ty| ty.signed);
    if !(div && overflow && signed) {
        let (check, text) = if div {
            (CheckId::Div, zero_text)
        } else {
            (CheckId::Overflow, overflow_text)
        };
        let number = work.table.add(&scope.name, check, text, location);
        fill(work, block, number, location);
        return;
    }
    let both = condition.opcode() == Some(Opcode::LLVMAnd);
    if !both {
        // LLVM's builder folds constants: `x / 3` and `1 / 0` have one side left, or none.
        let about_zero = condition.value_kind() == ValKind::Int
            || condition.opcode() == Some(Opcode::LLVMICmp)
                && condition.operand(1).as_u64() == Some(0);
        let (check, text) = if about_zero {
            (CheckId::Div, zero_text)
        } else {
            (CheckId::Overflow, overflow_text)
        };
        let number = work.table.add(&scope.name, check, text, location);
        fill(work, block, number, location);
        return;
    }
    let (nonzero, fits) = (condition.operand(0), condition.operand(1));
    let zero = work
        .table
        .add(&scope.name, CheckId::Div, zero_text, location);
    let over = work
        .table
        .add(&scope.name, CheckId::Overflow, overflow_text, location);
    let middle = work.builder.new_block(scope.func);
    let over_block = work.builder.new_block(scope.func);
    branch.set_branch_condition(nonzero);
    branch.set_successor(0, middle);
    work.builder.at(location);
    work.builder.at_end(middle);
    work.builder.cond_br(fits, cont, over_block);
    work.builder.at_end(over_block);
    work.call_fail(over);
    work.builder.unreachable();
    fill(work, block, zero, location);
}

/// Which operator stands in the block after a guard.
fn sign_of<'a>(cont: Block<'_>, first: &[Opcode], yes: &'a str, no: &'a str) -> &'a str {
    for inst in cont.instructions() {
        match inst.opcode() {
            Some(opcode) if first.contains(&opcode) => return yes,
            Some(Opcode::LLVMSRem | Opcode::LLVMURem | Opcode::LLVMAShr | Opcode::LLVMLShr) => {
                return no;
            }
            _ => {}
        }
    }
    yes
}

/// The check and the text of a handler.
fn describe(handler: &Handler, cont: Option<Block<'_>>) -> (CheckId, String) {
    let ty = |index: usize| handler.types.get(index).map_or("?", |ty| ty.name.as_str());
    let signed = handler.types.first().is_none_or(|ty| ty.signed);
    let check = match CheckId::of_handler(&handler.name) {
        Some(CheckId::Overflow) if !signed => CheckId::UnsignedOverflow,
        Some(check) => check,
        None => CheckId::Unreachable,
    };
    let arithmetic = |sign: &str| {
        let word = if signed { "signed" } else { "unsigned" };
        format!("{word} overflow in {sign} of {}", ty(0))
    };
    let text = match handler.name.as_str() {
        "add_overflow" => arithmetic("+"),
        "sub_overflow" => arithmetic("-"),
        "mul_overflow" => arithmetic("*"),
        "negate_overflow" => arithmetic("unary -"),
        "divrem_overflow" => format!("division by zero of {}", ty(0)),
        "shift_out_of_bounds" => {
            let sign = cont.map_or("<<", |cont| sign_of(cont, &[Opcode::LLVMShl], "<<", ">>"));
            let operand = sign == "<<" && handler.types.first().is_some_and(|ty| ty.signed);
            let what = if operand {
                "shift amount or signed operand"
            } else {
                "shift amount"
            };
            format!("{what} out of range in {sign} of {}", ty(0))
        }
        "out_of_bounds" => format!("index outside {}", ty(0)),
        "float_cast_overflow" => format!("{} out of the range of {}", ty(0), ty(1)),
        "type_mismatch" => format!("misaligned access to {}", ty(0)),
        "pointer_overflow" => "pointer arithmetic out of range".to_owned(),
        "builtin_unreachable" => "unreachable code is reached".to_owned(),
        "missing_return" => "the function ends without a value".to_owned(),
        "nonnull_arg" => "null for a parameter that is never null".to_owned(),
        "nonnull_return" => "null from a function that never returns it".to_owned(),
        "invalid_builtin" => "zero for a function that counts zeros".to_owned(),
        "vla_bound_not_positive" => "the array's length is not positive".to_owned(),
        other => format!("undefined behaviour ({other})"),
    };
    (check, text)
}
