//! The shadows of what instructions compute.

use crate::ffi::{IntPredicate, Opcode, Ty, Val};

use super::{Instrumenter, Shades, shadow_type};

/// Has the shadow no ones?
pub fn is_zero<'c>(work: &Instrumenter<'_, 'c>, shadow: Val<'c>) -> Val<'c> {
    let zero = Val::zero(shadow.ty());
    work.builder.compare(IntPredicate::LLVMIntEQ, shadow, zero)
}

/// The shadow of an instruction without memory, calls or branches.
pub fn compute<'c>(
    work: &mut Instrumenter<'_, 'c>,
    shades: &mut Shades<'c>,
    inst: Val<'c>,
    opcode: Opcode,
) {
    use Opcode as O;
    if opcode == O::LLVMExtractValue {
        if let Some(&(value, overflow)) = shades.pairs.get(&inst.operand(0)) {
            let field = inst.indices().first().copied().unwrap_or(0);
            let shadow = if field == 0 { value } else { overflow };
            shades.values.insert(inst, shadow);
        }
        return;
    }
    let Some(ty) = shadow_type(work, inst.ty()) else {
        return;
    };
    if !inst
        .operands()
        .any(|value| shades.values.contains_key(&value))
    {
        return;
    }
    let shadow = match opcode {
        O::LLVMAdd | O::LLVMSub | O::LLVMMul => {
            let either = either(work, shades, inst, ty);
            upwards(work, either)
        }
        O::LLVMXor => either(work, shades, inst, ty),
        O::LLVMAnd => conjunction(work, shades, inst, ty),
        O::LLVMOr => disjunction(work, shades, inst, ty),
        O::LLVMShl => shift(work, shades, inst, ty, "shl"),
        O::LLVMLShr => shift(work, shades, inst, ty, "lshr"),
        O::LLVMAShr => shift(work, shades, inst, ty, "ashr"),
        O::LLVMTrunc | O::LLVMZExt | O::LLVMSExt => {
            let shadow = of(work, shades, inst.operand(0));
            work.builder.cast(opcode, shadow, ty)
        }
        O::LLVMPtrToInt | O::LLVMPtrToAddr | O::LLVMIntToPtr => {
            let shadow = of(work, shades, inst.operand(0));
            work.builder.resize(shadow, ty)
        }
        O::LLVMFreeze => of(work, shades, inst.operand(0)),
        O::LLVMBitCast if shadow_type(work, inst.operand(0).ty()) == Some(ty) => {
            of(work, shades, inst.operand(0))
        }
        O::LLVMICmp
            if matches!(
                inst.int_predicate(),
                IntPredicate::LLVMIntEQ | IntPredicate::LLVMIntNE
            ) =>
        {
            equality(work, shades, inst)
        }
        // Everything else depends on every bit of its operands.
        _ => all(work, shades, inst, ty),
    };
    shades.values.insert(inst, shadow);
}

/// A choice: the condition has been required, the shadow is the chosen value's.
pub fn select<'c>(work: &mut Instrumenter<'_, 'c>, shades: &mut Shades<'c>, inst: Val<'c>) {
    if shadow_type(work, inst.ty()).is_none() {
        return;
    }
    let (yes, no) = (inst.operand(1), inst.operand(2));
    if shades.values.contains_key(&yes) || shades.values.contains_key(&no) {
        let (yes, no) = (of(work, shades, yes), of(work, shades, no));
        let shadow = work.builder.select(inst.operand(0), yes, no);
        shades.values.insert(inst, shadow);
    }
}

/// The result of one of LLVM's own functions.
pub fn intrinsic<'c>(
    work: &mut Instrumenter<'_, 'c>,
    shades: &mut Shades<'c>,
    inst: Val<'c>,
    name: &str,
) {
    let args = inst.args();
    if !args.iter().any(|arg| shades.values.contains_key(arg)) {
        return;
    }
    if name.starts_with("llvm.expect.") {
        let shadow = of(work, shades, args[0]);
        shades.values.insert(inst, shadow);
    } else if name.contains(".with.overflow.") {
        let (a, b) = (of(work, shades, args[0]), of(work, shades, args[1]));
        let either = work.builder.binary(Opcode::LLVMOr, a, b);
        let dirty = is_dirty(work, either);
        shades.pairs.insert(inst, (upwards(work, either), dirty));
    } else if let Some(ty) = shadow_type(work, inst.ty()) {
        let shadow = all(work, shades, inst, ty);
        shades.values.insert(inst, shadow);
    }
}

/// A value's shadow, zero if it is initialised.
fn of<'c>(work: &Instrumenter<'_, 'c>, shades: &Shades<'c>, value: Val<'c>) -> Val<'c> {
    match shades.values.get(&value) {
        Some(&shadow) => shadow,
        None => Val::zero(shadow_type(work, value.ty()).expect("a scalar")),
    }
}

/// Has the shadow a one?
fn is_dirty<'c>(work: &Instrumenter<'_, 'c>, shadow: Val<'c>) -> Val<'c> {
    let zero = Val::zero(shadow.ty());
    work.builder.compare(IntPredicate::LLVMIntNE, shadow, zero)
}

/// The ones of both operands' shadows.
fn either<'c>(
    work: &Instrumenter<'_, 'c>,
    shades: &Shades<'c>,
    inst: Val<'c>,
    ty: Ty<'c>,
) -> Val<'c> {
    let mut result = Val::zero(ty);
    for index in 0..2 {
        if let Some(&shadow) = shades.values.get(&inst.operand(index)) {
            result = work.builder.binary(Opcode::LLVMOr, result, shadow);
        }
    }
    result
}

/// All bits from the lowest one upwards: carries go that way.
fn upwards<'c>(work: &Instrumenter<'_, 'c>, shadow: Val<'c>) -> Val<'c> {
    let zero = Val::zero(shadow.ty());
    let minus = work.builder.binary(Opcode::LLVMSub, zero, shadow);
    work.builder.binary(Opcode::LLVMOr, shadow, minus)
}

/// Every bit, if any bit of any operand is not initialised.
fn all<'c>(work: &Instrumenter<'_, 'c>, shades: &Shades<'c>, inst: Val<'c>, ty: Ty<'c>) -> Val<'c> {
    let mut dirty: Option<Val<'c>> = None;
    for value in inst.operands() {
        if let Some(&shadow) = shades.values.get(&value) {
            let here = is_dirty(work, shadow);
            dirty = Some(match dirty {
                Some(before) => work.builder.binary(Opcode::LLVMOr, before, here),
                None => here,
            });
        }
    }
    let dirty = dirty.unwrap_or_else(|| Val::int(work.helpers.bool, 0));
    work.builder.select(dirty, Val::ones(ty), Val::zero(ty))
}

/// A zero that is initialised decides a bit of `and`.
fn conjunction<'c>(
    work: &Instrumenter<'_, 'c>,
    shades: &Shades<'c>,
    inst: Val<'c>,
    ty: Ty<'c>,
) -> Val<'c> {
    // A bit may be one if it is one, or not initialised.
    let maybe = |value: Val<'c>| {
        let shadow = of(work, shades, value);
        work.builder.binary(Opcode::LLVMOr, value, shadow)
    };
    let both = work.builder.binary(
        Opcode::LLVMAnd,
        maybe(inst.operand(0)),
        maybe(inst.operand(1)),
    );
    let either = either(work, shades, inst, ty);
    work.builder.binary(Opcode::LLVMAnd, either, both)
}

/// A one that is initialised decides a bit of `or`.
fn disjunction<'c>(
    work: &Instrumenter<'_, 'c>,
    shades: &Shades<'c>,
    inst: Val<'c>,
    ty: Ty<'c>,
) -> Val<'c> {
    let ones = Val::ones(ty);
    // A bit may be zero if it is zero, or not initialised.
    let maybe = |value: Val<'c>| {
        let inverse = work.builder.binary(Opcode::LLVMXor, value, ones);
        let shadow = of(work, shades, value);
        work.builder.binary(Opcode::LLVMOr, inverse, shadow)
    };
    let both = work.builder.binary(
        Opcode::LLVMAnd,
        maybe(inst.operand(0)),
        maybe(inst.operand(1)),
    );
    let either = either(work, shades, inst, ty);
    work.builder.binary(Opcode::LLVMAnd, either, both)
}

/// The shadow is shifted, too, unless the amount is not initialised.
fn shift<'c>(
    work: &mut Instrumenter<'_, 'c>,
    shades: &Shades<'c>,
    inst: Val<'c>,
    ty: Ty<'c>,
    name: &str,
) -> Val<'c> {
    let (value, amount) = (inst.operand(0), inst.operand(1));
    let shadow = of(work, shades, value);
    // As the shift itself, whose amount is in range or masked.
    let bits = u64::from(ty.int_width().expect("an integer"));
    let masked = if bits.is_power_of_two() {
        let mask = Val::int(ty, bits - 1);
        work.builder.binary(Opcode::LLVMAnd, amount, mask)
    } else {
        amount
    };
    let shifted = work.call_total(name, ty, &[shadow, masked]);
    match shades.values.get(&amount) {
        Some(&amount) => {
            let dirty = is_dirty(work, amount);
            work.builder.select(dirty, Val::ones(ty), shifted)
        }
        None => shifted,
    }
}

/// Values that differ in initialised bits are different, whatever the other bits are.
fn equality<'c>(work: &Instrumenter<'_, 'c>, shades: &Shades<'c>, inst: Val<'c>) -> Val<'c> {
    let (left, right) = (inst.operand(0), inst.operand(1));
    let (a, b) = (of(work, shades, left), of(work, shades, right));
    let either = work.builder.binary(Opcode::LLVMOr, a, b);
    let dirty = is_dirty(work, either);
    if left.ty() != either.ty() {
        // Pointers.
        return dirty;
    }
    let differ = work.builder.binary(Opcode::LLVMXor, left, right);
    let known = work
        .builder
        .binary(Opcode::LLVMXor, either, Val::ones(either.ty()));
    let decided = work.builder.binary(Opcode::LLVMAnd, differ, known);
    let open = is_zero(work, decided);
    work.builder.binary(Opcode::LLVMAnd, dirty, open)
}
