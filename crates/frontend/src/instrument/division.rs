//! Division, shifts and float conversions: guards where clang wrote none, and total meanings
//! where the check is off.
//!
//! | operation | check on | check off |
//! |---|---|---|
//! | x / 0, x % 0 | obligation `div` | assumed not to happen |
//! | INT_MIN / -1 | obligation `overflow` | wraps (`selkie.sdiv`) |
//! | shift by the width or more | obligation `shift` | the amount is masked |
//! | float out of the integer's range | obligation `float-cast` | the meaning of our IR (`selkie.fptosi`) |
//! | `nsw`, `nuw`, `exact` of others' bitcode | obligations | wraps, as if without the flag |

use crate::ffi::{Block, IntPredicate, Kind, Opcode, Ty, Val, ValKind};
use checks::registry::CheckId;

use super::{Instrumenter, Origin, Scope, ubsan, vectors};

/// Guards a function's operations.
pub fn guard<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    let mut sites = Vec::new();
    for block in scope.func.blocks() {
        for inst in block.instructions() {
            use Opcode::{
                LLVMAShr, LLVMAdd, LLVMFPToSI, LLVMFPToUI, LLVMLShr, LLVMMul, LLVMSDiv, LLVMSRem,
                LLVMShl, LLVMSub, LLVMUDiv, LLVMURem,
            };
            let wanted = match inst.opcode() {
                Some(
                    LLVMUDiv | LLVMSDiv | LLVMURem | LLVMSRem | LLVMShl | LLVMLShr | LLVMAShr
                    | LLVMFPToSI | LLVMFPToUI,
                ) => true,
                Some(LLVMAdd | LLVMSub | LLVMMul) => {
                    scope.origin == Origin::Bitcode && (inst.nsw() || inst.nuw())
                }
                _ => false,
            };
            if wanted {
                sites.push(inst);
            }
        }
    }
    if sites.is_empty() {
        return;
    }
    let preds = ubsan::predecessors(scope.func);
    for inst in sites {
        // Clang's guard ends the block before: `br ok, this block, fail`.
        let guarded = scope.origin == Origin::Source
            && preds.get(&inst.block()).is_some_and(
                |preds| matches!(preds.as_slice(), [pred] if guards(work, *pred, inst)),
            );
        match inst.opcode().expect("an instruction") {
            Opcode::LLVMUDiv | Opcode::LLVMURem => {
                division(work, scope, inst, Sign::Unsigned, guarded)
            }
            Opcode::LLVMSDiv | Opcode::LLVMSRem => {
                division(work, scope, inst, Sign::Signed, guarded)
            }
            Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr => {
                if is_vector(inst.ty()) {
                    vectors::shift(work, scope, inst);
                    continue;
                }
                shift(work, scope, inst, guarded);
                if scope.origin == Origin::Bitcode {
                    shift_flags(work, scope, inst);
                }
            }
            Opcode::LLVMFPToSI => float_cast(work, inst, "fptosi"),
            Opcode::LLVMFPToUI => float_cast(work, inst, "fptoui"),
            // `nsw` and `nuw` in others' bitcode.
            _ => {
                let signed = Wraps::promised_not(inst.nsw());
                overflow(work, scope, inst, signed, Wraps::promised_not(inst.nuw()));
            }
        }
    }
}

/// How numbers are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// Two's complement.
    Signed,
    /// Without a sign.
    Unsigned,
}

/// Does the block end in a branch that clang wrote as the guard of this operation?
fn guards(work: &Instrumenter<'_, '_>, block: Block<'_>, inst: Val<'_>) -> bool {
    let Some(end) = block.terminator() else {
        return false;
    };
    if end.branch_condition().is_none() {
        return false;
    }
    let fail = end.successors()[1].first().filter(|first| {
        first
            .called_function()
            .is_some_and(|callee| callee.name() == "selkie.fail")
    });
    let Some(number) = fail.and_then(|fail| fail.operand(0).as_u64()) else {
        return false;
    };
    let row = &work.table.rows[number as usize];
    match inst.opcode() {
        Some(Opcode::LLVMShl | Opcode::LLVMLShr | Opcode::LLVMAShr) => row.check == CheckId::Shift,
        _ => {
            row.check == CheckId::Div
                || row.check == CheckId::Overflow && row.text.contains("overflow in /")
                || row.check == CheckId::Overflow && row.text.contains("overflow in %")
        }
    }
}

fn is_vector(ty: Ty<'_>) -> bool {
    matches!(ty.kind(), Kind::Vector(..))
}

fn division<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    inst: Val<'c>,
    sign: Sign,
    guarded: bool,
) {
    let (left, right) = (inst.operand(0), inst.operand(1));
    let ty = inst.ty();
    let exact = inst.exact();
    if is_vector(ty) {
        vectors::division(work, scope, inst, sign);
        return;
    }
    let divisor = right.as_i64();
    let nonzero = divisor.is_some_and(|value| value != 0)
        || right.value_kind() == ValKind::Int && ty.int_width() > Some(64);
    let not_minus_one = right.value_kind() == ValKind::Int && divisor != Some(-1);
    let model = scope.origin == Origin::Model;
    let (div, overflow) = (
        work.options.has(CheckId::Div) && !model,
        work.options.has(CheckId::Overflow) && !model,
    );
    if !(nonzero || guarded && div) {
        work.builder.before(inst);
        let zero = Val::zero(ty);
        let ok = work.builder.compare(IntPredicate::LLVMIntNE, right, zero);
        if div {
            let text = "division by zero";
            let number = work
                .table
                .add(&scope.name, CheckId::Div, text, inst.location());
            work.call_check(ok, number);
        } else {
            if !model {
                work.table
                    .note("executions that divide by zero do not count (check div is off)");
            }
            work.call_assume(ok);
        }
    }
    if sign == Sign::Signed && !not_minus_one {
        if !overflow {
            replace_by_total(work, inst, sign);
            return;
        }
        if !guarded {
            work.builder.before(inst);
            let bits = ty.int_width().expect("an integer");
            let minus_one = Val::ones(ty);
            let one = Val::int(ty, 1);
            let shift = Val::int(ty, u64::from(bits - 1));
            let least = work.builder.binary(Opcode::LLVMShl, one, shift);
            let a = work.builder.compare(IntPredicate::LLVMIntNE, left, least);
            let b = work
                .builder
                .compare(IntPredicate::LLVMIntNE, right, minus_one);
            let ok = work.builder.binary(Opcode::LLVMOr, a, b);
            let number = work.table.add(
                &scope.name,
                CheckId::Overflow,
                "signed overflow in division",
                inst.location(),
            );
            work.call_check(ok, number);
        }
    }
    if exact && scope.origin == Origin::Bitcode && work.options.has(CheckId::Overflow) {
        work.builder.before(inst);
        let opcode = match sign {
            Sign::Signed => Opcode::LLVMSRem,
            Sign::Unsigned => Opcode::LLVMURem,
        };
        let rest = work.builder.binary(opcode, left, right);
        let ok = work
            .builder
            .compare(IntPredicate::LLVMIntEQ, rest, Val::zero(ty));
        let number = work.table.add(
            &scope.name,
            CheckId::Overflow,
            "remainder of an exact division",
            inst.location(),
        );
        work.call_check(ok, number);
    }
}

/// The operation becomes a call that LLVM does not look into.
pub fn replace_by_total<'c>(work: &mut Instrumenter<'_, 'c>, inst: Val<'c>, sign: Sign) {
    let name = match (inst.opcode().expect("an instruction"), sign) {
        (Opcode::LLVMSRem, _) => "srem",
        (Opcode::LLVMURem, _) => "urem",
        (_, Sign::Signed) => "sdiv",
        (_, Sign::Unsigned) => "udiv",
    };
    work.builder.before(inst);
    let args = [inst.operand(0), inst.operand(1)];
    let result = work.call_total(name, inst.ty(), &args);
    inst.replace_with(result);
    inst.erase();
}

fn shift<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>, guarded: bool) {
    let amount = inst.operand(1);
    let ty = inst.ty();
    let bits = ty.int_width().expect("an integer");
    if amount.as_u64().is_some_and(|value| value < u64::from(bits)) {
        return;
    }
    let on = work.options.has(CheckId::Shift) && scope.origin != Origin::Model;
    if guarded && on {
        return;
    }
    let width = Val::int(ty, u64::from(bits));
    work.builder.before(inst);
    if on && scope.origin == Origin::Bitcode {
        let ok = work
            .builder
            .compare(IntPredicate::LLVMIntULT, amount, width);
        let number = work.table.add(
            &scope.name,
            CheckId::Shift,
            "shift amount out of range",
            inst.location(),
        );
        work.call_check(ok, number);
        return;
    }
    let masked = if bits.is_power_of_two() {
        let mask = Val::int(ty, u64::from(bits - 1));
        work.builder.binary(Opcode::LLVMAnd, amount, mask)
    } else {
        work.builder.binary(Opcode::LLVMURem, amount, width)
    };
    if !on && scope.origin != Origin::Model {
        work.table
            .note("shift amounts are taken modulo the width (check shift is off)");
    }
    inst.set_operand(1, masked);
}

/// `nsw`, `nuw` and `exact` of shifts in others' bitcode: what was shifted out can be shifted back.
fn shift_flags<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    let opcode = inst.opcode().expect("an instruction");
    let flags = [
        (
            opcode == Opcode::LLVMShl && inst.nsw(),
            Opcode::LLVMAShr,
            CheckId::Overflow,
            "signed overflow in <<",
        ),
        (
            opcode == Opcode::LLVMShl && inst.nuw(),
            Opcode::LLVMLShr,
            CheckId::UnsignedOverflow,
            "unsigned overflow in <<",
        ),
        (
            opcode != Opcode::LLVMShl && inst.exact(),
            Opcode::LLVMShl,
            CheckId::Overflow,
            "bits shifted out of an exact shift",
        ),
    ];
    let (left, amount) = (inst.operand(0), inst.operand(1));
    for (set, back, check, text) in flags {
        if !set || !work.options.has(check) {
            continue;
        }
        work.builder.before(inst);
        let shifted = work.builder.binary(opcode, left, amount);
        let again = work.builder.binary(back, shifted, amount);
        let ok = work.builder.compare(IntPredicate::LLVMIntEQ, again, left);
        let number = work.table.add(&scope.name, check, text, inst.location());
        work.call_check(ok, number);
    }
}

fn float_cast<'c>(work: &mut Instrumenter<'_, 'c>, inst: Val<'c>, name: &str) {
    // With the check on, a float that does not fit never comes here in what clang compiled.
    // LLVM's own meaning is poison, which it would not even keep the same for two uses.
    work.builder.before(inst);
    let result = work.call_total(name, inst.ty(), &[inst.operand(0)]);
    inst.replace_with(result);
    inst.erase();
}

/// May the operation wrap?
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wraps {
    /// That is its meaning.
    Defined,
    /// That is undefined.
    Undefined,
    /// Nobody knows which: no proof if it does.
    Perhaps,
}

impl Wraps {
    /// From a promise that it does not.
    pub fn promised_not(promise: bool) -> Wraps {
        if promise {
            Wraps::Undefined
        } else {
            Wraps::Defined
        }
    }
}

/// Obligations of a sum, difference or product, of scalars or vectors.
pub fn overflow<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    inst: Val<'c>,
    signed: Wraps,
    unsigned: Wraps,
) {
    let ty = inst.ty();
    let (operation, sign) = match inst.opcode().expect("an instruction") {
        Opcode::LLVMAdd => ("add", "+"),
        Opcode::LLVMSub => ("sub", "-"),
        _ => ("mul", "*"),
    };
    let (left, right) = (inst.operand(0), inst.operand(1));
    let wanted = [
        (signed, "s", CheckId::Overflow, "signed"),
        (unsigned, "u", CheckId::UnsignedOverflow, "unsigned"),
    ];
    for (wraps, letter, check, word) in wanted {
        if wraps == Wraps::Defined || !work.options.has(check) {
            continue;
        }
        let name = format!("llvm.{letter}{operation}.with.overflow");
        let lane = vectors::lanes(ty).map_or(ty, |(lane, _)| lane);
        let intrinsic = work.module.intrinsic(&name, &[lane]);
        work.builder.before(inst);
        let mut ok = Val::int(work.helpers.bool, 1);
        for (left, right) in vectors::pairs(work, left, right) {
            let pair = work
                .builder
                .call(intrinsic.content_type(), intrinsic, &[left, right]);
            let over = work.builder.extract(pair, 1);
            let none = Val::zero(over.ty());
            let fits = work.builder.compare(IntPredicate::LLVMIntEQ, over, none);
            ok = work.builder.binary(Opcode::LLVMAnd, ok, fits);
        }
        let (check, text) = match wraps {
            Wraps::Perhaps => {
                let text = "unsupported: overflow of a vector that may have a sign";
                (CheckId::Unsupported, text.to_owned())
            }
            _ => (check, format!("{word} overflow in {sign}")),
        };
        let number = work.table.add(&scope.name, check, text, inst.location());
        work.call_check(ok, number);
    }
}
