//! Vectors: what is undefined for one lane is checked for each, since clang's sanitizers look at
//! scalars only (but for the index of a lane, where check `bounds` is on).
//!
//! | operation | check on | check off |
//! |---|---|---|
//! | a lane divided by 0 | obligation `div` | assumed not to happen |
//! | INT_MIN / -1 in a lane | obligation `overflow` | wraps |
//! | signed overflow of +, - and * in a lane | obligation `overflow` | wraps |
//! | a lane shifted by its width or more | obligation `shift` | the amount is masked |
//! | `v[i]` outside of the vector | obligation `bounds`, or `deref` | any value is read, nothing is written |
//!
//! Afterwards the operations are calls that LLVM does not look into: lanes are taken apart by the import.

use crate::ffi::{IntPredicate, Kind, Opcode, Ty, Val};
use checks::registry::CheckId;

use super::division::{self, Sign, Wraps, replace_by_total};
use super::{Instrumenter, Origin, Scope};

/// How many lanes, and of which type.
pub fn lanes<'c>(ty: Ty<'c>) -> Option<(Ty<'c>, u32)> {
    match ty.kind() {
        Kind::Vector(lane, count) => Some((lane, count)),
        _ => None, // A scalar.
    }
}

/// Guards the index of lanes.
pub fn guard<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>) {
    for block in scope.func.blocks() {
        for inst in block.instructions() {
            match inst.opcode() {
                Some(Opcode::LLVMExtractElement) => index(work, scope, inst, inst.operand(1)),
                Some(Opcode::LLVMInsertElement) => index(work, scope, inst, inst.operand(2)),
                Some(Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul)
                    if lanes(inst.ty()).is_some() && scope.origin == Origin::Source =>
                {
                    arithmetic(work, scope, inst);
                }
                _ => {}
            }
        }
    }
}

/// A sum, difference or product, if its lanes have a sign: in the bitcode they have none. Lanes narrower
/// than `int` are calculated in `int` and cut, as single numbers of their type are: they wrap.
fn arithmetic<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    if !work.options.has(CheckId::Overflow) && !work.options.has(CheckId::UnsignedOverflow) {
        return;
    }
    let lane = lanes(inst.ty()).and_then(|(lane, _)| lane.int_width());
    if lane.is_none_or(|bits| bits < 32) {
        return;
    }
    let sign = match inst.opcode() {
        Some(Opcode::LLVMAdd) => '+',
        Some(Opcode::LLVMSub) => '-',
        _ => '*',
    };
    let (signed, unsigned) = match has_sign(work, scope, inst, sign) {
        Some(true) => (Wraps::Undefined, Wraps::Defined),
        Some(false) => (Wraps::Defined, Wraps::Undefined),
        None => (Wraps::Perhaps, Wraps::Perhaps),
    };
    division::overflow(work, scope, inst, signed, unsigned);
}

/// Have the lanes a sign, as clang's tree tells?
fn has_sign<'c>(
    work: &mut Instrumenter<'_, 'c>,
    scope: &Scope<'c>,
    inst: Val<'c>,
    sign: char,
) -> Option<bool> {
    let place = inst.location().map(|location| location.line_column());
    let tree = work.tree(&scope.name)?;
    // Functions of the compiler's own headers have no places: then all of their operations must agree.
    let here = tree.operations.iter().filter(|operation| {
        operation.sign == sign
            && place.is_none_or(|place| operation.from <= place && place <= operation.to)
    });
    let mut signs: Vec<Option<bool>> = here.map(|operation| operation.signed).collect();
    signs.sort_unstable();
    signs.dedup();
    match signs[..] {
        [one] => one,
        _ => None, // None is found, or several that a macro writes in one place.
    }
}

fn index<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>, index: Val<'c>) {
    let Some((_, count)) = lanes(inst.operand(0).ty()) else {
        return;
    };
    if index.as_u64().is_some_and(|index| index < u64::from(count))
        || index.ty().int_width().is_none()
    {
        return;
    }
    let on = |check: CheckId| work.options.has(check) && scope.origin != Origin::Model;
    // Clang's own check stands before what it compiles.
    let check = match (on(CheckId::Bounds), on(CheckId::Deref)) {
        (true, _) if scope.origin == Origin::Source => None,
        (true, _) => Some(CheckId::Bounds),
        (false, true) => Some(CheckId::Deref),
        (false, false) => None,
    };
    work.builder.before(inst);
    if let Some(check) = check {
        // The number of lanes may not fit into the index, and then every index is one.
        let bits = index.ty().int_width().expect("an integer");
        if bits < 32 && u64::from(count) >= 1 << bits {
            return;
        }
        let limit = Val::int(index.ty(), u64::from(count));
        let ok = work.builder.compare(IntPredicate::LLVMIntULT, index, limit);
        let text = format!("index of a lane outside of {count} lanes");
        let number = work.table.add(&scope.name, check, text, inst.location());
        work.call_check(ok, number);
    }
    let args: Vec<Val<'c>> = inst.operands().collect();
    let name = match inst.opcode() {
        Some(Opcode::LLVMExtractElement) => "extractlane",
        _ => "insertlane",
    };
    let result = work.call_total(name, inst.ty(), &args);
    inst.replace_with(result);
    inst.erase();
}

/// Guards a division.
pub fn division<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>, sign: Sign) {
    let (left, right) = (inst.operand(0), inst.operand(1));
    let ty = inst.ty();
    let model = scope.origin == Origin::Model;
    work.builder.before(inst);
    let zero = Val::zero(ty);
    let nonzero = work.builder.compare(IntPredicate::LLVMIntNE, right, zero);
    let ok = all(work, nonzero);
    if work.options.has(CheckId::Div) && !model {
        let text = "division by zero in a lane";
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
    if sign == Sign::Signed && work.options.has(CheckId::Overflow) && !model {
        let least = least(work, ty);
        let not_least = work.builder.compare(IntPredicate::LLVMIntNE, left, least);
        let minus_one = Val::ones_of(ty);
        let not_minus_one = work
            .builder
            .compare(IntPredicate::LLVMIntNE, right, minus_one);
        let either = work
            .builder
            .binary(Opcode::LLVMOr, not_least, not_minus_one);
        let ok = all(work, either);
        let text = "signed overflow of a division in a lane";
        let number = work
            .table
            .add(&scope.name, CheckId::Overflow, text, inst.location());
        work.call_check(ok, number);
    }
    replace_by_total(work, inst, sign);
}

/// The least number of each lane.
fn least<'c>(work: &Instrumenter<'_, 'c>, ty: Ty<'c>) -> Val<'c> {
    let (lane, count) = lanes(ty).expect("a vector");
    let bits = lane.int_width().expect("lanes of integers");
    let one = Val::int(lane, 1);
    let shift = Val::int(lane, u64::from(bits - 1));
    let least = work.builder.binary(Opcode::LLVMShl, one, shift);
    Val::vector(&vec![least; count as usize])
}

/// Guards a shift.
pub fn shift<'c>(work: &mut Instrumenter<'_, 'c>, scope: &Scope<'c>, inst: Val<'c>) {
    let (left, amount) = (inst.operand(0), inst.operand(1));
    let ty = inst.ty();
    let (lane, count) = lanes(ty).expect("a vector");
    let bits = lane.int_width().expect("lanes of integers");
    let in_range = |lane: u32| {
        let amount = amount.element(lane).and_then(Val::as_u64);
        amount.is_some_and(|amount| amount < u64::from(bits))
    };
    if (0..count).all(in_range) {
        return;
    }
    let name = match inst.opcode().expect("an instruction") {
        Opcode::LLVMShl => "shl",
        Opcode::LLVMLShr => "lshr",
        _ => "ashr",
    };
    work.builder.before(inst);
    let width = Val::vector(&vec![Val::int(lane, u64::from(bits)); count as usize]);
    let model = scope.origin == Origin::Model;
    let mut amount = amount;
    if work.options.has(CheckId::Shift) && !model {
        let small = work
            .builder
            .compare(IntPredicate::LLVMIntULT, amount, width);
        let ok = all(work, small);
        let text = "shift amount of a lane out of range";
        let number = work
            .table
            .add(&scope.name, CheckId::Shift, text, inst.location());
        work.call_check(ok, number);
    } else {
        if !model {
            work.table
                .note("shift amounts are taken modulo the width (check shift is off)");
        }
        amount = work.call_total("urem", ty, &[amount, width]);
    }
    let result = work.call_total(name, ty, &[left, amount]);
    inst.replace_with(result);
    inst.erase();
}

/// The lanes of two vectors side by side; two scalars are one pair.
pub fn pairs<'c>(
    work: &Instrumenter<'_, 'c>,
    left: Val<'c>,
    right: Val<'c>,
) -> Vec<(Val<'c>, Val<'c>)> {
    let Some((_, count)) = lanes(left.ty()) else {
        return vec![(left, right)];
    };
    let lane = |vector: Val<'c>, lane: u32| {
        let place = Val::int(work.helpers.id, u64::from(lane));
        work.builder.extract_element(vector, place)
    };
    (0..count)
        .map(|index| (lane(left, index), lane(right, index)))
        .collect()
}

/// Is it true of every lane?
fn all<'c>(work: &Instrumenter<'_, 'c>, lanes: Val<'c>) -> Val<'c> {
    let Kind::Vector(_, count) = lanes.ty().kind() else {
        return lanes;
    };
    let id = work.helpers.id;
    let mut whole = Val::int(work.helpers.bool, 1);
    for lane in 0..count {
        let place = Val::int(id, u64::from(lane));
        let this = work.builder.extract_element(lanes, place);
        whole = work.builder.binary(Opcode::LLVMAnd, whole, this);
    }
    whole
}
