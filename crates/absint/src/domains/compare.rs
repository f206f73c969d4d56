//! Comparisons and overflow tests: what they yield, and what their outcome says about the operands.

use ir::syntax::{CompareOp, OverflowOp};

use super::{Int, greatest, mask, signed, smallest};

/// The comparison that holds exactly where this one does not, and whether operands change places; none for floats.
pub fn negated(op: CompareOp) -> Option<(CompareOp, bool)> {
    match op {
        CompareOp::Eq => Some((CompareOp::Ne, false)),
        CompareOp::Ne => Some((CompareOp::Eq, false)),
        CompareOp::Ult => Some((CompareOp::Ule, true)),
        CompareOp::Ule => Some((CompareOp::Ult, true)),
        CompareOp::Slt => Some((CompareOp::Sle, true)),
        CompareOp::Sle => Some((CompareOp::Slt, true)),
        CompareOp::FOeq
        | CompareOp::FOlt
        | CompareOp::FOle
        | CompareOp::FOne
        | CompareOp::FOrd
        | CompareOp::FUeq
        | CompareOp::FUlt
        | CompareOp::FUle
        | CompareOp::FUne
        | CompareOp::FUno => None,
    }
}

/// What the comparison yields for all members, if it is always the same.
pub fn decide(op: CompareOp, a: &Int, b: &Int) -> Option<bool> {
    match op {
        CompareOp::Eq => {
            if a.meet(b).is_none() {
                return Some(false);
            }
            (a.single().is_some() && a.single() == b.single()).then_some(true)
        }
        CompareOp::Ne => decide(CompareOp::Eq, a, b).map(|equal| !equal),
        CompareOp::Ult if a.umax < b.umin => Some(true),
        CompareOp::Ult if a.umin >= b.umax => Some(false),
        CompareOp::Ule if a.umax <= b.umin => Some(true),
        CompareOp::Ule if a.umin > b.umax => Some(false),
        CompareOp::Slt if a.smax < b.smin => Some(true),
        CompareOp::Slt if a.smin >= b.smax => Some(false),
        CompareOp::Sle if a.smax <= b.smin => Some(true),
        CompareOp::Sle if a.smin > b.smax => Some(false),
        CompareOp::Ult
        | CompareOp::Ule
        | CompareOp::Slt
        | CompareOp::Sle
        | CompareOp::FOeq
        | CompareOp::FOlt
        | CompareOp::FOle
        | CompareOp::FOne
        | CompareOp::FOrd
        | CompareOp::FUeq
        | CompareOp::FUlt
        | CompareOp::FUle
        | CompareOp::FUne
        | CompareOp::FUno => None,
    }
}

/// The members of both that have a partner for which the comparison holds; none if there are none.
pub fn assume(op: CompareOp, a: &Int, b: &Int) -> Option<(Int, Int)> {
    let (mut a, mut b) = (*a, *b);
    match op {
        CompareOp::Eq => {
            let both = a.meet(&b)?;
            return Some((both, both));
        }
        CompareOp::Ne => {
            if let Some(value) = b.single() {
                a = without(a, value)?;
            }
            if let Some(value) = a.single() {
                b = without(b, value)?;
            }
            return Some((a, b));
        }
        CompareOp::Ult => {
            a.umax = a.umax.min(b.umax.checked_sub(1)?);
            b.umin = b.umin.max(a.umin.checked_add(1)?);
        }
        CompareOp::Ule => {
            a.umax = a.umax.min(b.umax);
            b.umin = b.umin.max(a.umin);
        }
        CompareOp::Slt => {
            a.smax = a.smax.min(b.smax.checked_sub(1)?);
            b.smin = b.smin.max(a.smin.checked_add(1)?);
        }
        CompareOp::Sle => {
            a.smax = a.smax.min(b.smax);
            b.smin = b.smin.max(a.smin);
        }
        CompareOp::FOeq
        | CompareOp::FOlt
        | CompareOp::FOle
        | CompareOp::FOne
        | CompareOp::FOrd
        | CompareOp::FUeq
        | CompareOp::FUlt
        | CompareOp::FUle
        | CompareOp::FUne
        | CompareOp::FUno => return Some((a, b)),
    }
    Some((a.reduced()?, b.reduced()?))
}

/// The members but for one, where that can be said: at the ends of a view.
fn without(mut x: Int, value: u64) -> Option<Int> {
    let number = signed(value, x.width);
    if x.umin == value {
        x.umin = value.checked_add(1)?;
    }
    if x.umax == value {
        x.umax = value.checked_sub(1)?;
    }
    if x.smin == number {
        x.smin = number.checked_add(1)?;
    }
    if x.smax == number {
        x.smax = number.checked_sub(1)?;
    }
    x.reduced()
}

fn exact(op: OverflowOp, x: i128, y: i128) -> i128 {
    match op {
        OverflowOp::UAdd | OverflowOp::SAdd => x + y,
        OverflowOp::USub | OverflowOp::SSub => x - y,
        // 64 by 64 bits fit, but for the two largest unsigned factors.
        OverflowOp::UMul | OverflowOp::SMul => x.saturating_mul(y),
    }
}

fn is_signed(op: OverflowOp) -> bool {
    match op {
        OverflowOp::UAdd | OverflowOp::USub | OverflowOp::UMul => false,
        OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul => true,
    }
}

fn range(x: &Int, sign: bool) -> (i128, i128) {
    if sign {
        (x.smin.into(), x.smax.into())
    } else {
        (x.umin.into(), x.umax.into())
    }
}

fn limits(width: u32, sign: bool) -> (i128, i128) {
    if sign {
        (smallest(width).into(), greatest(width).into())
    } else {
        (0, mask(width).into())
    }
}

/// The exact results on whole numbers.
fn exact_range(op: OverflowOp, a: &Int, b: &Int) -> (i128, i128) {
    let (a, b) = (range(a, is_signed(op)), range(b, is_signed(op)));
    let ends = [
        exact(op, a.0, b.0),
        exact(op, a.0, b.1),
        exact(op, a.1, b.0),
        exact(op, a.1, b.1),
    ];
    (
        ends.iter().copied().min().expect("four ends"),
        ends.iter().copied().max().expect("four ends"),
    )
}

/// Does the exact result leave the type, if that is known?
pub fn overflows(op: OverflowOp, a: &Int, b: &Int) -> Option<bool> {
    let (low, high) = exact_range(op, a, b);
    let (least, most) = limits(a.width, is_signed(op));
    if low >= least && high <= most {
        Some(false)
    } else if low > most || high < least {
        Some(true)
    } else {
        None
    }
}

/// What a result is that did not leave the type.
pub fn exact_result(op: OverflowOp, a: &Int, b: &Int) -> Option<Int> {
    let (low, high) = exact_range(op, a, b);
    let (least, most) = limits(a.width, is_signed(op));
    let (low, high) = (low.max(least), high.min(most));
    if low > high {
        return None;
    }
    if is_signed(op) {
        Int::between_signed(low as i64, high as i64, a.width)
    } else {
        Int::between(low as u64, high as u64, a.width)
    }
}

/// The members for which the result stays inside the type: for sums and differences the bounds of one operand follow
/// from those of the other.
pub fn assume_exact(op: OverflowOp, a: &Int, b: &Int) -> Option<(Int, Int)> {
    let sign = is_signed(op);
    let (least, most) = limits(a.width, sign);
    let (ra, rb) = (range(a, sign), range(b, sign));
    let narrowed = |x: &Int, low: i128, high: i128| {
        let (low, high) = (low.max(least), high.min(most));
        if low > high {
            return None;
        }
        let bounds = if sign {
            Int::between_signed(low as i64, high as i64, x.width)?
        } else {
            Int::between(low as u64, high as u64, x.width)?
        };
        x.meet(&bounds)
    };
    match op {
        OverflowOp::UAdd | OverflowOp::SAdd => Some((
            narrowed(a, least - rb.1, most - rb.0)?,
            narrowed(b, least - ra.1, most - ra.0)?,
        )),
        OverflowOp::USub | OverflowOp::SSub => Some((
            narrowed(a, least + rb.0, most + rb.1)?,
            narrowed(b, ra.0 - most, ra.1 - least)?,
        )),
        OverflowOp::UMul | OverflowOp::SMul => Some((*a, *b)),
    }
}
