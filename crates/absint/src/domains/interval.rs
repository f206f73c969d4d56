//! Intervals of machine integers, in the unsigned and in the signed view at once.
//!
//! Both views are ordinary intervals of whole numbers, cut to the type. An operation is computed
//! on whole numbers; where its result may leave the type on one side only, it is moved by 2^n, and
//! where it may both stay and leave, that view says nothing.
//!
//! ```text
//!            [0, 2^n)                 each view: lattice of intervals, ordered by inclusion,
//!     [0, 7]  [3, 9]  …               its least elements single numbers; an empty one is no `Int`
//!      [3]     [4]  …
//! ```
//!
//! Widening moves a bound that grew to the next threshold.

use ir::syntax::{BinaryOp, CastOp, UnaryOp};

use super::{Domain, Int, Thresholds, greatest, mask, signed, smallest};

/// See the module.
pub struct Interval;

/// Whole numbers, from and to.
type Range = (i128, i128);

fn unsigned_range(x: &Int) -> Range {
    (i128::from(x.umin), i128::from(x.umax))
}

fn signed_range(x: &Int) -> Range {
    (i128::from(x.smin), i128::from(x.smax))
}

/// Narrows the unsigned view to whole numbers modulo 2^n.
fn put_unsigned(out: &mut Int, (low, high): Range) {
    let size = 1i128 << out.width;
    let round = low.div_euclid(size);
    if high.div_euclid(size) == round {
        out.umin = out.umin.max((low - round * size) as u64);
        out.umax = out.umax.min((high - round * size) as u64);
    }
}

/// Narrows the signed view to whole numbers modulo 2^n.
fn put_signed(out: &mut Int, (low, high): Range) {
    let size = 1i128 << out.width;
    let half = size / 2;
    let round = (low + half).div_euclid(size);
    if (high + half).div_euclid(size) == round {
        out.smin = out.smin.max((low - round * size) as i64);
        out.smax = out.smax.min((high - round * size) as i64);
    }
}

/// The range of a function that is monotone in each argument, by its corners.
fn corners(a: Range, b: Range, f: impl Fn(i128, i128) -> Option<i128>) -> Option<Range> {
    let values = [f(a.0, b.0)?, f(a.0, b.1)?, f(a.1, b.0)?, f(a.1, b.1)?];
    Some((*values.iter().min()?, *values.iter().max()?))
}

/// Shift amounts that leave something, if all do.
fn amounts(b: &Int, width: u32) -> Range {
    let last = u64::from(width);
    (i128::from(b.umin.min(last)), i128::from(b.umax.min(last)))
}

fn hull(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

fn signed_quotient(a: Range, b: Range, width: u32) -> Option<Range> {
    let mut found: Option<Range> = None;
    let mut add = |range: Range| found = Some(found.map_or(range, |known| hull(known, range)));
    if b.0 < 0 {
        add(corners(a, (b.0, b.1.min(-1)), |x, y| Some(x / y))?);
    }
    if b.1 > 0 {
        add(corners(a, (b.0.max(1), b.1), |x, y| Some(x / y))?);
    }
    if b.0 <= 0 && b.1 >= 0 {
        if a.0 < 0 {
            add((1, 1));
        }
        if a.1 >= 0 {
            add((-1, -1));
        }
    }
    // INT_MIN / -1 wraps around to INT_MIN, far from its neighbours.
    let range = found?;
    if range.1 > i128::from(greatest(width)) {
        return None;
    }
    Some(range)
}

fn signed_remainder(a: Range, b: Range) -> Range {
    let largest = b.0.abs().max(b.1.abs());
    // A dividend smaller than every divisor stays, and so does one that is divided by zero.
    let stays = b.0 <= 0 && b.1 >= 0;
    let limit = if largest == 0 { 0 } else { largest - 1 };
    let low = if a.0 < 0 { (-limit).max(a.0) } else { 0 };
    let high = if a.1 > 0 { limit.min(a.1) } else { 0 };
    let range = (low.min(high), high.max(low));
    let smallest = if stays { 0 } else { b.0.abs().min(b.1.abs()) };
    if stays {
        hull(range, a)
    } else if a.0 > -smallest && a.1 < smallest {
        a
    } else {
        range
    }
}

impl Domain for Interval {
    fn binary(&self, op: BinaryOp, a: &Int, b: &Int, out: &mut Int) -> bool {
        let (ua, ub) = (unsigned_range(a), unsigned_range(b));
        let (sa, sb) = (signed_range(a), signed_range(b));
        let width = a.width;
        match op {
            BinaryOp::Add => {
                put_unsigned(out, (ua.0 + ub.0, ua.1 + ub.1));
                put_signed(out, (sa.0 + sb.0, sa.1 + sb.1));
            }
            BinaryOp::Sub => {
                put_unsigned(out, (ua.0 - ub.1, ua.1 - ub.0));
                put_signed(out, (sa.0 - sb.1, sa.1 - sb.0));
            }
            BinaryOp::Mul => {
                if let Some(range) = corners(ua, ub, i128::checked_mul) {
                    put_unsigned(out, range);
                }
                if let Some(range) = corners(sa, sb, i128::checked_mul) {
                    put_signed(out, range);
                }
            }
            BinaryOp::UDiv => {
                let mut range = (i128::MAX, i128::MIN);
                if ub.1 > 0 {
                    range = (ua.0 / ub.1, ua.1 / ub.0.max(1));
                }
                if ub.0 == 0 {
                    let all = i128::from(mask(width));
                    range = hull(range, (all, all));
                }
                put_unsigned(out, range);
            }
            BinaryOp::SDiv => {
                if let Some(range) = signed_quotient(sa, sb, width) {
                    put_signed(out, range);
                }
            }
            BinaryOp::URem => {
                let range = if ub.0 > ua.1 {
                    ua
                } else if ub.0 == 0 {
                    (0, ua.1)
                } else {
                    (0, ua.1.min(ub.1 - 1))
                };
                put_unsigned(out, range);
            }
            BinaryOp::SRem => put_signed(out, signed_remainder(sa, sb)),
            BinaryOp::And => put_unsigned(out, (0, ua.1.min(ub.1))),
            BinaryOp::Or => put_unsigned(out, (ua.0.max(ub.0), i128::from(mask(width)))),
            BinaryOp::Xor => {}
            BinaryOp::Shl => {
                let by = amounts(b, width);
                let shifted = |x: i128, s: i128| {
                    if s >= i128::from(width) {
                        Some(0)
                    } else {
                        x.checked_mul(1 << s)
                    }
                };
                // Beyond the width zero comes out, which is no multiple: only smaller amounts.
                if by.1 < i128::from(width) {
                    if let Some(range) = corners(ua, by, shifted) {
                        put_unsigned(out, range);
                    }
                    if let Some(range) = corners(sa, by, shifted) {
                        put_signed(out, range);
                    }
                }
            }
            BinaryOp::LShr => {
                let by = amounts(b, width);
                put_unsigned(out, (ua.0 >> by.1, ua.1 >> by.0));
            }
            BinaryOp::AShr => {
                let by = amounts(b, width);
                if let Some(range) = corners(sa, by, |x, s| Some(x >> s)) {
                    put_signed(out, range);
                }
            }
            BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FRem
            | BinaryOp::FMin
            | BinaryOp::FMax => {}
        }
        true
    }

    fn unary(&self, op: UnaryOp, a: &Int, out: &mut Int) -> bool {
        match op {
            UnaryOp::CtPop => {
                let least = a.ones.count_ones();
                let most = a.width - a.zeros.count_ones();
                put_unsigned(out, (least.into(), most.into()));
            }
            UnaryOp::CtLz => {
                let unused = 64 - a.width;
                let (least, most) = (a.umax.leading_zeros(), a.umin.leading_zeros());
                put_count(out, least - unused, most - unused);
            }
            UnaryOp::CtTz => {
                let least = (!a.zeros).trailing_zeros().min(a.width);
                let most = a.ones.trailing_zeros().min(a.width);
                put_count(out, least, most);
            }
            UnaryOp::BSwap
            | UnaryOp::BitReverse
            | UnaryOp::FNeg
            | UnaryOp::FAbs
            | UnaryOp::FSqrt
            | UnaryOp::FFloor
            | UnaryOp::FCeil
            | UnaryOp::FTrunc
            | UnaryOp::FRound
            | UnaryOp::FRint => {}
        }
        true
    }

    fn cast(&self, op: CastOp, a: &Int, out: &mut Int) -> bool {
        match op {
            CastOp::ZExt => put_unsigned(out, unsigned_range(a)),
            CastOp::SExt => put_signed(out, signed_range(a)),
            CastOp::Trunc => {
                put_unsigned(out, unsigned_range(a));
                put_signed(out, signed_range(a));
            }
            CastOp::FToS
            | CastOp::FToU
            | CastOp::SToF
            | CastOp::UToF
            | CastOp::FToF
            | CastOp::Bits
            | CastOp::PtrToInt
            | CastOp::IntToPtr => {}
        }
        true
    }

    fn join(&self, a: &Int, b: &Int, out: &mut Int) {
        out.umin = a.umin.min(b.umin);
        out.umax = a.umax.max(b.umax);
        out.smin = a.smin.min(b.smin);
        out.smax = a.smax.max(b.smax);
    }

    fn widen(&self, old: &Int, new: &Int, thresholds: &Thresholds, out: &mut Int) {
        let up = |old: u64, new: u64, last: u64| {
            if new <= old {
                return old;
            }
            let list = &thresholds.unsigned;
            let at = list.partition_point(|&t| t < new);
            list.get(at).copied().unwrap_or(last).min(last)
        };
        let down = |old: u64, new: u64| {
            if new >= old {
                return old;
            }
            let list = &thresholds.unsigned;
            let at = list.partition_point(|&t| t <= new);
            at.checked_sub(1).map_or(0, |at| list[at])
        };
        let up_signed = |old: i64, new: i64, last: i64| {
            if new <= old {
                return old;
            }
            let list = &thresholds.signed;
            let at = list.partition_point(|&t| t < new);
            list.get(at).copied().unwrap_or(last).min(last)
        };
        let down_signed = |old: i64, new: i64, last: i64| {
            if new >= old {
                return old;
            }
            let list = &thresholds.signed;
            let at = list.partition_point(|&t| t <= new);
            at.checked_sub(1).map_or(last, |at| list[at]).max(last)
        };
        out.umax = up(old.umax, new.umax, mask(old.width));
        out.umin = down(old.umin, new.umin);
        out.smax = up_signed(old.smax, new.smax, greatest(old.width));
        out.smin = down_signed(old.smin, new.smin, smallest(old.width));
    }

    fn reduce(&self, x: &mut Int) -> bool {
        // The bits say least and greatest values.
        x.umin = x.umin.max(x.ones);
        x.umax = x.umax.min(!x.zeros & mask(x.width));
        if x.umin > x.umax || x.smin > x.smax {
            return false;
        }
        // A view that does not cross the other's border is one of the other.
        if signed(x.umin, x.width) <= signed(x.umax, x.width) {
            x.smin = x.smin.max(signed(x.umin, x.width));
            x.smax = x.smax.min(signed(x.umax, x.width));
        }
        if x.smin > x.smax {
            return false;
        }
        let (low, high) = (x.smin as u64 & mask(x.width), x.smax as u64 & mask(x.width));
        if low <= high {
            x.umin = x.umin.max(low);
            x.umax = x.umax.min(high);
        } else {
            // The signed view has a gap in the middle: [0, high] or [low, max].
            if x.umin > high {
                x.umin = x.umin.max(low);
            }
            if x.umax < low {
                x.umax = x.umax.min(high);
            }
        }
        // Likewise from the unsigned view across zero.
        let (first, last) = (signed(x.umin, x.width), signed(x.umax, x.width));
        if first > last {
            if x.smin > last {
                x.smin = x.smin.max(first);
            }
            if x.smax < first {
                x.smax = x.smax.min(last);
            }
        }
        x.umin <= x.umax && x.smin <= x.smax
    }

    fn contains(&self, x: &Int, value: u64) -> bool {
        let number = signed(value, x.width);
        (x.umin..=x.umax).contains(&value) && (x.smin..=x.smax).contains(&number)
    }
}

/// A count that may not fit into a very narrow type, where it is cut.
fn put_count(out: &mut Int, least: u32, most: u32) {
    put_unsigned(out, (least.into(), most.into()));
}
