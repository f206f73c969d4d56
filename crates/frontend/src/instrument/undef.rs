//! Values that nobody chose, where clang writes LLVM's `undef` or `poison`: each becomes one
//! arbitrary value, of which LLVM knows nothing.
//!
//! LLVM may take another value for `undef` at every use, and chooses what suits it: `phi [5, undef]`
//! becomes 5. Here a value is chosen once, and never by LLVM:
//!
//! ```text
//! ret i32 undef                                 v = selkie.uninit.i32(7); ret i32 v
//! shufflevector <2 x i32> a, b, <0, poison>     the lanes one by one, onto selkie.uninit.<2 x i32>(8)
//! ```
//!
//! Variables without a value are the work of [`crate::arbitrary`], when registers are made.

use crate::ffi::{Kind, Opcode, Ty, Val, ValKind};

use super::{Instrumenter, Scope};

/// Converts a function's operands.
pub fn convert<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    for block in scope.func.blocks() {
        for inst in block.instructions() {
            match inst.opcode() {
                Some(Opcode::LLVMPHI) => phi(work, inst),
                Some(Opcode::LLVMShuffleVector) => shuffle(work, inst),
                Some(_) => operands(work, inst),
                None => {}
            }
        }
    }
}

fn operands<'c>(work: &mut Instrumenter<'_, 'c>, inst: Val<'c>) {
    if inst
        .called_function()
        .is_some_and(|callee| callee.name().starts_with("llvm.lifetime."))
    {
        return;
    }
    for (index, operand) in inst.operands().enumerate() {
        if has_undef(operand) {
            work.builder.before(inst);
            let value = defined(work, operand);
            inst.set_operand(index as u32, value);
        }
    }
}

/// A phi's value is chosen where it comes from.
fn phi<'c>(work: &mut Instrumenter<'_, 'c>, inst: Val<'c>) {
    // One edge of a switch may stand there twice, with one value.
    let mut chosen: Vec<(crate::ffi::Block<'c>, Val<'c>)> = Vec::new();
    for (index, (operand, block)) in inst.incoming().into_iter().enumerate() {
        if !has_undef(operand) {
            continue;
        }
        let known = chosen.iter().find(|(from, _)| *from == block);
        let value = match known {
            Some(&(_, value)) => value,
            None => {
                work.builder
                    .before(block.terminator().expect("a block ends"));
                defined(work, operand)
            }
        };
        chosen.push((block, value));
        inst.set_operand(index as u32, value);
    }
}

/// A shuffle with lanes that are taken from nowhere.
fn shuffle<'c>(work: &mut Instrumenter<'_, 'c>, inst: Val<'c>) {
    let mask = inst.shuffle_mask();
    let (left, right) = (inst.operand(0), inst.operand(1));
    let Kind::Vector(_, count) = left.ty().kind() else {
        return;
    };
    work.builder.before(inst);
    if mask.iter().all(Option::is_some) {
        let used = |from: u32, to: u32| {
            mask.iter()
                .flatten()
                .any(|&lane| (from..to).contains(&lane))
        };
        if has_undef(left) && used(0, count) {
            let value = defined(work, left);
            inst.set_operand(0, value);
        }
        if has_undef(right) && used(count, u32::MAX) {
            let value = defined(work, right);
            inst.set_operand(1, value);
        }
        return;
    }
    let mut whole = fresh(work, inst.ty());
    let id = work.helpers.id;
    for (lane, from) in mask.into_iter().enumerate() {
        let Some(from) = from else {
            continue;
        };
        let (vector, from) = if from < count {
            (left, from)
        } else {
            (right, from - count)
        };
        if vector.element(from).is_some_and(has_undef) {
            continue;
        }
        let element = work
            .builder
            .extract_element(vector, Val::int(id, u64::from(from)));
        let place = Val::int(id, lane as u64);
        whole = work.builder.insert_element(whole, element, place);
    }
    inst.replace_with(whole);
    inst.erase();
}

/// One arbitrary value of a type.
fn fresh<'c>(work: &mut Instrumenter<'_, 'c>, ty: Ty<'c>) -> Val<'c> {
    let number = work.fresh_number();
    work.call_uninit(ty, number)
}

/// Is part of the constant undefined? Constants nest as deeply as types do.
fn has_undef(value: Val<'_>) -> bool {
    match value.value_kind() {
        ValKind::Undef => !matches!(
            value.ty().kind(),
            Kind::Metadata | Kind::Label | Kind::Other | Kind::Void | Kind::Function
        ),
        ValKind::Aggregate => value.operands().any(has_undef),
        ValKind::Expr => is_bit_cast(value) && has_undef(value.operand(0)),
        _ => false, // Everything else is a value.
    }
}

/// Is it the bits of a vector, as a constant?
fn is_bit_cast(value: Val<'_>) -> bool {
    value.expr_opcode() == Some(Opcode::LLVMBitCast)
}

/// The constant with arbitrary values in place of undefined ones.
fn defined<'c>(work: &mut Instrumenter<'_, 'c>, value: Val<'c>) -> Val<'c> {
    if is_bit_cast(value) {
        let part = defined(work, value.operand(0));
        return work.builder.cast(Opcode::LLVMBitCast, part, value.ty());
    }
    let mut whole = fresh(work, value.ty());
    if value.value_kind() == ValKind::Undef {
        return whole;
    }
    let is_vector = matches!(value.ty().kind(), Kind::Vector(..));
    let parts: Vec<Val<'c>> = value.operands().collect();
    for (index, part) in parts.into_iter().enumerate() {
        if part.value_kind() == ValKind::Undef {
            continue;
        }
        let part = if has_undef(part) {
            defined(work, part)
        } else {
            part
        };
        whole = if is_vector {
            let place = Val::int(work.helpers.id, index as u64);
            work.builder.insert_element(whole, part, place)
        } else {
            work.builder.insert(whole, part, index as u32)
        };
    }
    whole
}
