//! Intervals of floats of 32 and 64 bits, with infinities; whether there may be a NaN is said apart.
//!
//! The floats that are no NaN are in a row, negative zero before positive zero, and have numbers there:
//!
//! ```text
//!   -inf  …  -1.0  …  -0.0  0.0  …  1.0  …  inf          and beside it: NaN, or none
//!   least             -1     0               greatest
//! ```
//!
//! The number of a positive float is its bits, and -1 less the bits of its magnitude for a negative one. So bounds of the row and bounds of
//! bits say much the same, and tell each other. Bits may be read as anything: only an operation or a comparison of floats says something
//! of the row, and of integers nothing is ever said there.
//!
//! Rounding to nearest keeps the order, so that results lie between those at the ends, where these are numbers. Of formats with other
//! sizes nothing is said.

use ir::syntax::{BinaryOp, CastOp, CompareOp, UnaryOp};

use super::{Domain, Int, Thresholds, mask, signed, smallest};

/// See the module.
pub struct Float;

/// What is known of floats: the first and the last in the row, and whether there may be a NaN. None in the row: the first is behind the last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Range {
    low: i64,
    high: i64,
    nan: bool,
}

/// No float at all.
const NONE: Range = Range {
    low: 0,
    high: -1,
    nan: false,
};

/// The bits of infinity; none for sizes that are not followed.
fn infinity(width: u32) -> Option<i64> {
    match width {
        32 => Some(i64::from(f32::INFINITY.to_bits())),
        64 => Some(f64::INFINITY.to_bits() as i64),
        _ => None,
    }
}

/// The bounds of everything, for a new set.
pub(super) fn widest(width: u32) -> (i64, i64, bool) {
    match infinity(width) {
        Some(infinity) => (-1 - infinity, infinity, true),
        None => (0, 0, true),
    }
}

/// The place of bits in the row; none for a NaN.
fn place(bits: u64, width: u32) -> Option<i64> {
    let infinity = infinity(width)?;
    let magnitude = (bits & (mask(width) >> 1)) as i64;
    if magnitude > infinity {
        return None;
    }
    Some(match signed(bits, width) < 0 {
        true => -1 - magnitude,
        false => magnitude,
    })
}

/// The number at a place. Every float of 32 bits is one of 64.
fn number(place: i64, width: u32) -> f64 {
    let magnitude = if place < 0 { -1 - place } else { place };
    let number = match width {
        32 => f64::from(f32::from_bits(magnitude as u32)),
        _ => f64::from_bits(magnitude as u64),
    };
    if place < 0 { -number } else { number }
}

/// The place of a number in its format; none for a NaN.
fn place_of(number: f64, width: u32) -> Option<i64> {
    match width {
        32 => place(u64::from((number as f32).to_bits()), width),
        _ => place(number.to_bits(), width),
    }
}

impl Range {
    /// What bits and bounds say together.
    fn of(x: &Int) -> Range {
        let said = Range::of_bits(x);
        let (low, high) = (x.low.max(said.low), x.high.min(said.high));
        let nan = x.nan && said.nan;
        match low > high {
            true => Range { nan, ..NONE },
            false => Range { low, high, nan },
        }
    }

    /// What the bits say: of positive floats, and of magnitudes of negative ones.
    fn of_bits(x: &Int) -> Range {
        let Some(infinity) = infinity(x.width) else {
            return Range::top(x.width);
        };
        let sign = 1u64 << (x.width - 1);
        let mut said = NONE;
        let mut say = |from: i64, to: i64, negative: bool| {
            if from > to {
                return;
            }
            let nan = to > infinity;
            let (low, high) = (from, to.min(infinity));
            let one = match (low > high, negative) {
                (true, _) => Range { nan, ..NONE },
                (false, false) => Range { low, high, nan },
                (false, true) => Range {
                    low: -1 - high,
                    high: -1 - low,
                    nan,
                },
            };
            said = said.join(one);
        };
        say(x.smin.max(0), x.smax, false);
        if x.smin < 0 && x.umax >= sign {
            let from = x.umin.max(x.smin as u64 & mask(x.width)).max(sign) - sign;
            let last = x.umax.min(x.smax.min(-1) as u64 & mask(x.width));
            if let Some(to) = last.checked_sub(sign) {
                say(from as i64, to as i64, true);
            }
        }
        said
    }

    /// Do the bounds say more than nothing?
    fn is_said(x: &Int) -> bool {
        (x.low, x.high, x.nan) != widest(x.width)
    }

    fn top(width: u32) -> Range {
        let (low, high, nan) = widest(width);
        Range { low, high, nan }
    }

    /// Only NaN.
    fn only_nan() -> Range {
        Range { nan: true, ..NONE }
    }

    fn is_empty(&self) -> bool {
        self.low > self.high
    }

    fn join(self, other: Range) -> Range {
        let nan = self.nan || other.nan;
        let (low, high) = match (self.is_empty(), other.is_empty()) {
            (true, _) => (other.low, other.high),
            (_, true) => (self.low, self.high),
            _ => (self.low.min(other.low), self.high.max(other.high)),
        };
        Range { low, high, nan }
    }

    fn put(self, out: &mut Int) {
        out.low = out.low.max(self.low);
        out.high = out.high.min(self.high);
        out.nan &= self.nan;
    }
}

/// Which of them may be infinite, and which may be zero.
fn has_infinity(x: Range, width: u32) -> bool {
    let top = Range::top(width);
    x.low == top.low || x.high == top.high
}

fn has_zero(x: Range) -> bool {
    x.low <= 0 && x.high >= -1
}

/// Results of a function that keeps or turns the order of each argument, by its corners. Where a corner is no number, such as zero times
/// infinity, the results around it lie between these limits.
fn corners(
    a: Range,
    b: Range,
    width: u32,
    f: impl Fn(f64, f64) -> f64,
    limits: impl Fn(f64, f64) -> [f64; 2],
) -> Range {
    let mut found = NONE;
    // What lies around a corner lies to its inner side: beside a negative zero at the low end are positive numbers.
    let inside = |range: Range, at: i64| match (at == range.low, at == range.high) {
        (true, false) => at + 1,
        (false, true) => at - 1,
        _ => at,
    };
    for left in [a.low, a.high] {
        for right in [b.low, b.high] {
            let result = f(number(left, width), number(right, width));
            let ends = if result.is_nan() {
                let (x, y) = (inside(a, left), inside(b, right));
                limits(number(x, width), number(y, width))
            } else {
                [result, result]
            };
            for end in ends {
                let at = place_of(end, width).expect("a limit is a number");
                found = found.join(Range {
                    low: at,
                    high: at,
                    nan: false,
                });
            }
        }
    }
    found
}

/// Anything may be near infinity less infinity.
fn everything(_: f64, _: f64) -> [f64; 2] {
    [f64::NEG_INFINITY, f64::INFINITY]
}

/// Anything with the sign of the product may be near zero times infinity, and near infinity by infinity.
fn with_sign(x: f64, y: f64) -> [f64; 2] {
    match x.is_sign_negative() == y.is_sign_negative() {
        true => [0.0, f64::INFINITY],
        false => [-0.0, f64::NEG_INFINITY],
    }
}

/// Rounded to the format after each operation. Of 32 bits the result in 64 rounds to the same.
fn rounded(width: u32, exact: f64) -> f64 {
    match width {
        32 => f64::from(exact as f32),
        _ => exact,
    }
}

fn arithmetic(op: BinaryOp, a: Range, b: Range, width: u32) -> Range {
    if a.is_empty() || b.is_empty() {
        return Range::only_nan();
    }
    let some_nan = a.nan || b.nan;
    let (infinite, other) = (has_infinity(a, width), has_infinity(b, width));
    match op {
        BinaryOp::FAdd | BinaryOp::FSub => {
            let f = |x: f64, y: f64| match op {
                BinaryOp::FAdd => rounded(width, x + y),
                _ => rounded(width, x - y),
            };
            let mut found = corners(a, b, width, f, everything);
            found.nan = some_nan || infinite && other;
            found
        }
        BinaryOp::FMul => {
            let mut found = corners(a, b, width, |x, y| rounded(width, x * y), with_sign);
            found.nan = some_nan || infinite && has_zero(b) || other && has_zero(a);
            found
        }
        BinaryOp::FDiv if !has_zero(b) => {
            let mut found = corners(a, b, width, |x, y| rounded(width, x / y), with_sign);
            found.nan = some_nan || infinite && other;
            found
        }
        // Never larger than the dividend, and with its sign.
        BinaryOp::FRem => Range {
            low: a.low.min(-1),
            high: a.high.max(0),
            nan: true,
        },
        _ => Range::top(width),
    }
}

/// Rounds to integral values, which keeps the order.
fn integral(op: UnaryOp, number: f64) -> Option<f64> {
    Some(match op {
        UnaryOp::FFloor => number.floor(),
        UnaryOp::FCeil => number.ceil(),
        UnaryOp::FTrunc => number.trunc(),
        UnaryOp::FRound => number.round(),
        UnaryOp::FRint => number.round_ties_even(),
        UnaryOp::FSqrt if number >= 0.0 => number.sqrt(),
        _ => return None,
    })
}

impl Domain for Float {
    fn binary(&self, op: BinaryOp, a: &Int, b: &Int, out: &mut Int) -> bool {
        if infinity(a.width).is_none() {
            return true;
        }
        let (x, y) = (Range::of(a), Range::of(b));
        match op {
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
                arithmetic(op, x, y, a.width).put(out);
            }
            // One of the two, and a NaN only if both are.
            BinaryOp::FMin | BinaryOp::FMax => {
                let mut either = x.join(y);
                either.nan = x.nan && y.nan;
                either.put(out);
            }
            _ => {} // An operation on integers.
        }
        true
    }

    fn unary(&self, op: UnaryOp, a: &Int, out: &mut Int) -> bool {
        if infinity(a.width).is_none() {
            return true;
        }
        let x = Range::of(a);
        match op {
            UnaryOp::FNeg => Range {
                low: -1 - x.high,
                high: -1 - x.low,
                nan: x.nan,
            }
            .put(out),
            UnaryOp::FAbs => {
                let most = x.high.max(-1 - x.low);
                let least = if x.low >= 0 {
                    x.low
                } else if x.high < 0 {
                    -1 - x.high
                } else {
                    0
                };
                Range {
                    low: least,
                    high: most,
                    nan: x.nan,
                }
                .put(out);
            }
            UnaryOp::FFloor
            | UnaryOp::FCeil
            | UnaryOp::FTrunc
            | UnaryOp::FRound
            | UnaryOp::FRint
            | UnaryOp::FSqrt => {
                let end = |at: i64| {
                    let number = integral(op, number(at, a.width))?;
                    place_of(rounded(a.width, number), a.width)
                };
                if x.is_empty() {
                    Range::only_nan().put(out);
                } else if let (Some(low), Some(high)) = (end(x.low), end(x.high)) {
                    let nan = x.nan;
                    Range { low, high, nan }.put(out);
                }
            }
            _ => {} // An operation on integers.
        }
        true
    }

    fn cast(&self, op: CastOp, a: &Int, out: &mut Int) -> bool {
        match op {
            CastOp::SToF | CastOp::UToF if infinity(out.width).is_some() => {
                let round = |number: i128| match out.width {
                    32 => f64::from(number as f32),
                    _ => number as f64,
                };
                let (low, high) = match op {
                    CastOp::SToF => (i128::from(a.smin), i128::from(a.smax)),
                    _ => (i128::from(a.umin), i128::from(a.umax)),
                };
                if let (Some(low), Some(high)) = (
                    place_of(round(low), out.width),
                    place_of(round(high), out.width),
                ) {
                    let nan = false;
                    Range { low, high, nan }.put(out);
                }
            }
            CastOp::FToF if infinity(a.width).is_some() && infinity(out.width).is_some() => {
                let x = Range::of(a);
                let end = |at: i64| place_of(rounded(out.width, number(at, a.width)), out.width);
                if x.is_empty() {
                    Range::only_nan().put(out);
                } else if let (Some(low), Some(high)) = (end(x.low), end(x.high)) {
                    let nan = x.nan;
                    Range { low, high, nan }.put(out);
                }
            }
            CastOp::FToS if infinity(a.width).is_some() => {
                let x = Range::of(a);
                let (low, high) = (
                    number(x.low, a.width).trunc(),
                    number(x.high, a.width).trunc(),
                );
                let limit = -(smallest(out.width) as f64);
                if !x.nan && !x.is_empty() && low >= -limit && high < limit {
                    out.smin = out.smin.max(low as i64);
                    out.smax = out.smax.min(high as i64);
                }
            }
            _ => {} // Not of floats, or of others.
        }
        true
    }

    fn join(&self, a: &Int, b: &Int, out: &mut Int) {
        if Range::is_said(a) || Range::is_said(b) {
            Range::of(a).join(Range::of(b)).put(out);
        }
    }

    fn widen(&self, old: &Int, new: &Int, thresholds: &Thresholds, out: &mut Int) {
        if !Range::is_said(old) && !Range::is_said(new) {
            return;
        }
        let both = Range::of(old).join(Range::of(new));
        let mut wide = Range::top(out.width);
        let (known, stops) = (Range::of(old), thresholds.unsigned.iter());
        let stops: Vec<i64> = stops.filter_map(|&bits| place(bits, out.width)).collect();
        if !known.is_empty() && known.low <= both.low {
            wide.low = known.low;
        } else if let Some(stop) = stops.iter().filter(|&&stop| stop <= both.low).max() {
            wide.low = *stop;
        }
        if !known.is_empty() && known.high >= both.high {
            wide.high = known.high;
        } else if let Some(stop) = stops.iter().filter(|&&stop| stop >= both.high).min() {
            wide.high = *stop;
        }
        if both.is_empty() {
            (wide.low, wide.high) = (both.low, both.high);
        }
        wide.nan = both.nan;
        wide.put(out);
    }

    fn reduce(&self, x: &mut Int) -> bool {
        if infinity(x.width).is_none() || !Range::is_said(x) {
            return true;
        }
        let said = Range::of(x);
        (x.low, x.high, x.nan) = (said.low, said.high, said.nan);
        if said.is_empty() {
            return said.nan;
        }
        if said.nan {
            return true;
        }
        // And back.
        let sign = 1u64 << (x.width - 1);
        if said.high >= 0 {
            x.smax = x.smax.min(said.high);
        } else {
            x.smax = x.smax.min(-1);
            let least = sign + (-1 - said.high) as u64;
            x.umin = x.umin.max(least);
            x.smin = x.smin.max(signed(least, x.width));
        }
        if said.low >= 0 {
            x.smin = x.smin.max(said.low);
            x.umax = x.umax.min(said.high as u64);
        } else {
            x.umax = x.umax.min(sign + (-1 - said.low) as u64);
        }
        x.umin <= x.umax && x.smin <= x.smax
    }

    fn contains(&self, x: &Int, value: u64) -> bool {
        if infinity(x.width).is_none() {
            return true;
        }
        match place(value, x.width) {
            Some(place) => (x.low..=x.high).contains(&place),
            None => x.nan,
        }
    }
}

/// Is every float of this one of the other?
pub(super) fn is_within(x: &Int, other: &Int) -> bool {
    if !Range::is_said(other) {
        return true;
    }
    let (x, other) = (Range::of(x), Range::of(other));
    let inside = x.is_empty() || x.low >= other.low && x.high <= other.high;
    inside && (!x.nan || other.nan)
}

/// What a comparison of floats asks where neither is NaN, and what it says if one is; none for integers.
fn asks(op: CompareOp) -> Option<(Order, bool)> {
    Some(match op {
        CompareOp::FOeq => (Order::Equal, false),
        CompareOp::FOne => (Order::Different, false),
        CompareOp::FOlt => (Order::Less, false),
        CompareOp::FOle => (Order::AtMost, false),
        CompareOp::FOrd => (Order::Always, false),
        CompareOp::FUeq => (Order::Equal, true),
        CompareOp::FUne => (Order::Different, true),
        CompareOp::FUlt => (Order::Less, true),
        CompareOp::FUle => (Order::AtMost, true),
        CompareOp::FUno => (Order::Never, true),
        CompareOp::Eq
        | CompareOp::Ne
        | CompareOp::Ult
        | CompareOp::Ule
        | CompareOp::Slt
        | CompareOp::Sle => return None,
    })
}

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Equal,
    Different,
    Less,
    AtMost,
    Always,
    Never,
}

/// The comparison that holds exactly where this one does not, and whether operands change places.
pub(super) fn negated(op: CompareOp) -> Option<(CompareOp, bool)> {
    Some(match op {
        CompareOp::FOeq => (CompareOp::FUne, false),
        CompareOp::FUne => (CompareOp::FOeq, false),
        CompareOp::FOne => (CompareOp::FUeq, false),
        CompareOp::FUeq => (CompareOp::FOne, false),
        CompareOp::FOrd => (CompareOp::FUno, false),
        CompareOp::FUno => (CompareOp::FOrd, false),
        CompareOp::FOlt => (CompareOp::FUle, true),
        CompareOp::FUle => (CompareOp::FOlt, true),
        CompareOp::FOle => (CompareOp::FUlt, true),
        CompareOp::FUlt => (CompareOp::FOle, true),
        CompareOp::Eq
        | CompareOp::Ne
        | CompareOp::Ult
        | CompareOp::Ule
        | CompareOp::Slt
        | CompareOp::Sle => return None,
    })
}

/// Both zeros are one number: the last place that is at most as large, and the first that is at least as large.
fn last_equal(place: i64) -> i64 {
    if place == -1 { 0 } else { place }
}

fn first_equal(place: i64) -> i64 {
    if place == 0 { -1 } else { place }
}

/// What the comparison yields for all members, if it is always the same.
pub(super) fn decide(op: CompareOp, a: &Int, b: &Int) -> Option<bool> {
    let (order, with_nan) = asks(op)?;
    infinity(a.width)?;
    let (x, y) = (Range::of(a), Range::of(b));
    if x.is_empty() || y.is_empty() {
        // One of them is NaN.
        return Some(with_nan);
    }
    let numbers = match order {
        Order::Always => Some(true),
        Order::Never => Some(false),
        Order::Less if last_equal(x.high) < first_equal(y.low) => Some(true),
        Order::Less if first_equal(x.low) >= first_equal(y.high) => Some(false),
        Order::AtMost if last_equal(x.high) <= last_equal(y.low) => Some(true),
        Order::AtMost if first_equal(x.low) > last_equal(y.high) => Some(false),
        Order::Equal | Order::Different => {
            let apart =
                last_equal(x.high) < first_equal(y.low) || first_equal(x.low) > last_equal(y.high);
            let (first, last) = (first_equal(x.low), last_equal(x.high));
            let same = first == first_equal(y.low)
                && last == last_equal(y.high)
                && last_equal(first) == last;
            match (apart, same) {
                (true, _) => Some(order == Order::Different),
                (_, true) => Some(order == Order::Equal),
                _ => None,
            }
        }
        Order::Less | Order::AtMost => None,
    }?;
    (numbers == with_nan || !x.nan && !y.nan).then_some(numbers)
}

/// The members of both that have a partner for which the comparison holds; none if there are none.
pub(super) fn assume(op: CompareOp, a: &Int, b: &Int) -> Option<(Int, Int)> {
    let (mut a, mut b) = (*a, *b);
    let Some((order, with_nan)) = asks(op).filter(|_| infinity(a.width).is_some()) else {
        return Some((a, b));
    };
    for x in [&mut a, &mut b] {
        let said = Range::of(x);
        (x.low, x.high, x.nan) = (said.low, said.high, said.nan);
    }
    if with_nan && (a.nan || b.nan) {
        return Some((a.reduced()?, b.reduced()?));
    }
    a.nan = false;
    b.nan = false;
    match order {
        Order::Equal => {
            let (low, high) = (
                a.low.max(first_equal(b.low)),
                a.high.min(last_equal(b.high)),
            );
            b.low = b.low.max(first_equal(a.low));
            b.high = b.high.min(last_equal(a.high));
            (a.low, a.high) = (low, high);
        }
        Order::Less => {
            a.high = a.high.min(first_equal(b.high) - 1);
            b.low = b.low.max(last_equal(a.low) + 1);
        }
        Order::AtMost => {
            a.high = a.high.min(last_equal(b.high));
            b.low = b.low.max(first_equal(a.low));
        }
        Order::Never => return None,
        Order::Different | Order::Always => {}
    }
    Some((a.reduced()?, b.reduced()?))
}

#[cfg(test)]
mod tests;
