//! Comparisons and overflow tests: what they yield, and what their outcome says about the operands.

use ir::syntax::{CompareOp, OverflowOp};

use super::view::{View, between, limits, range};
use super::{Int, float, signed};

/// What a comparison of integers asks, and in which reading of their bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asks {
    /// Are they equal?
    Equal,
    /// Are they different?
    Different,
    /// Is the first less?
    Less(View),
    /// Is the first less or equal?
    AtMost(View),
}

/// The one table of comparisons; none for floats.
pub fn asks(op: CompareOp) -> Option<Asks> {
    match op {
        CompareOp::Eq => Some(Asks::Equal),
        CompareOp::Ne => Some(Asks::Different),
        CompareOp::Ult => Some(Asks::Less(View::Unsigned)),
        CompareOp::Ule => Some(Asks::AtMost(View::Unsigned)),
        CompareOp::Slt => Some(Asks::Less(View::Signed)),
        CompareOp::Sle => Some(Asks::AtMost(View::Signed)),
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

/// The comparison that holds exactly where this one does not, and whether operands change places.
pub fn negated(op: CompareOp) -> Option<(CompareOp, bool)> {
    let Some(asks) = asks(op) else {
        return float::negated(op);
    };
    Some(match asks {
        Asks::Equal => (CompareOp::Ne, false),
        Asks::Different => (CompareOp::Eq, false),
        Asks::Less(View::Unsigned) => (CompareOp::Ule, true),
        Asks::AtMost(View::Unsigned) => (CompareOp::Ult, true),
        Asks::Less(View::Signed) => (CompareOp::Sle, true),
        Asks::AtMost(View::Signed) => (CompareOp::Slt, true),
    })
}

/// What the comparison yields for all members, if it is always the same.
pub fn decide(op: CompareOp, a: &Int, b: &Int) -> Option<bool> {
    let always = |yes: bool, no: bool| (yes || no).then_some(yes);
    let Some(asks) = asks(op) else {
        return float::decide(op, a, b);
    };
    match asks {
        Asks::Equal => {
            if a.meet(b).is_none() {
                return Some(false);
            }
            (a.single().is_some() && a.single() == b.single()).then_some(true)
        }
        Asks::Different => decide(CompareOp::Eq, a, b).map(|equal| !equal),
        Asks::Less(view) => {
            let (a, b) = (range(a, view), range(b, view));
            always(a.1 < b.0, a.0 >= b.1)
        }
        Asks::AtMost(view) => {
            let (a, b) = (range(a, view), range(b, view));
            always(a.1 <= b.0, a.0 > b.1)
        }
    }
}

/// The members of both that have a partner for which the comparison holds; none if there are none.
pub fn assume(op: CompareOp, a: &Int, b: &Int) -> Option<(Int, Int)> {
    let (mut a, mut b) = (*a, *b);
    match asks(op) {
        Some(Asks::Equal) => {
            let both = a.meet(&b)?;
            return Some((both, both));
        }
        Some(Asks::Different) => {
            if let Some(value) = b.single() {
                a = without(a, value)?;
            }
            if let Some(value) = a.single() {
                b = without(b, value)?;
            }
            return Some((a, b));
        }
        Some(Asks::Less(View::Unsigned)) => {
            a.umax = a.umax.min(b.umax.checked_sub(1)?);
            b.umin = b.umin.max(a.umin.checked_add(1)?);
        }
        Some(Asks::AtMost(View::Unsigned)) => {
            a.umax = a.umax.min(b.umax);
            b.umin = b.umin.max(a.umin);
        }
        Some(Asks::Less(View::Signed)) => {
            a.smax = a.smax.min(b.smax.checked_sub(1)?);
            b.smin = b.smin.max(a.smin.checked_add(1)?);
        }
        Some(Asks::AtMost(View::Signed)) => {
            a.smax = a.smax.min(b.smax);
            b.smin = b.smin.max(a.smin);
        }
        None => return float::assume(op, &a, &b),
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

fn view(op: OverflowOp) -> View {
    match op {
        OverflowOp::UAdd | OverflowOp::USub | OverflowOp::UMul => View::Unsigned,
        OverflowOp::SAdd | OverflowOp::SSub | OverflowOp::SMul => View::Signed,
    }
}

/// The exact results on whole numbers.
fn exact_range(op: OverflowOp, a: &Int, b: &Int) -> (i128, i128) {
    let (a, b) = (range(a, view(op)), range(b, view(op)));
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
    let (least, most) = limits(a.width, view(op));
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
    between(low, high, a.width, view(op))
}

/// The members for which the result stays inside the type: for sums and differences the bounds of one operand follow
/// from those of the other.
pub fn assume_exact(op: OverflowOp, a: &Int, b: &Int) -> Option<(Int, Int)> {
    let view = view(op);
    let (least, most) = limits(a.width, view);
    let (ra, rb) = (range(a, view), range(b, view));
    let narrowed = |x: &Int, low: i128, high: i128| x.meet(&between(low, high, x.width, view)?);
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
