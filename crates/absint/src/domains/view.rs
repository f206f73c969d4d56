//! The two ways of reading bits as a number.

use super::{Int, greatest, mask, smallest};

/// How the bits of a register are read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum View {
    /// As a signed number.
    Signed,
    /// As an unsigned number.
    Unsigned,
}

/// The least and the greatest number of a view.
pub fn limits(width: u32, view: View) -> (i128, i128) {
    match view {
        View::Signed => (smallest(width).into(), greatest(width).into()),
        View::Unsigned => (0, mask(width).into()),
    }
}

/// The least and the greatest member, as a view reads them.
pub fn range(x: &Int, view: View) -> (i128, i128) {
    match view {
        View::Signed => (x.smin.into(), x.smax.into()),
        View::Unsigned => (x.umin.into(), x.umax.into()),
    }
}

/// The numbers of a width between two bounds.
pub fn between(low: i128, high: i128, width: u32, view: View) -> Option<Int> {
    let (least, most) = limits(width, view);
    let (low, high) = (low.max(least), high.min(most));
    if low > high {
        return None;
    }
    match view {
        View::Signed => Int::between_signed(low as i64, high as i64, width),
        View::Unsigned => Int::between(low as u64, high as u64, width),
    }
}
