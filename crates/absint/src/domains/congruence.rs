//! Congruences: the unsigned value is `rest` modulo `step`.
//!
//! ```text
//!      0 mod 1          (1, 0) says nothing; below it lie the finer ones,
//!    0 mod 2  1 mod 2   at the bottom single values (step 0). Chains are short: each step
//!    0 mod 6  …         divides the one above it... so widening is joining.
//! ```
//!
//! Wrapping around adds a multiple of 2^n: what survives it is the part of the step that divides 2^n, a power of
//! two. Where the interval shows that nothing wraps, the whole step survives.

use ir::syntax::{BinaryOp, CastOp, UnaryOp};

use super::{Domain, Int, Thresholds, mask};

/// See the module.
pub struct Congruence;

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Brought into form: the remainder below the step.
fn form(step: u64, rest: u64) -> (u64, u64) {
    if step == 0 {
        (0, rest)
    } else {
        (step, rest % step)
    }
}

fn join(a: (u64, u64), b: (u64, u64)) -> (u64, u64) {
    form(gcd(gcd(a.0, b.0), a.1.abs_diff(b.1)), a.1)
}

/// Is every member of the first one of the second?
pub(super) fn is_within(a: (u64, u64), b: (u64, u64)) -> bool {
    join(a, b) == b
}

/// A description of what is in both: the finer one if they agree; none if nothing can be in both.
pub(super) fn meet(a: (u64, u64), b: (u64, u64)) -> Option<(u64, u64)> {
    let common = gcd(a.0, b.0);
    let apart = a.1.abs_diff(b.1);
    let agree = if common == 0 {
        apart == 0
    } else {
        apart % common == 0
    };
    if !agree {
        return None;
    }
    if is_within(a, b) {
        return Some(a);
    }
    if is_within(b, a) {
        return Some(b);
    }
    // The least common multiple, if it is small; otherwise the larger step, which loses something.
    let lcm = (a.0 / common).checked_mul(b.0).filter(|&lcm| lcm < 1 << 32);
    if let Some(lcm) = lcm {
        let mut rest = a.1;
        while rest < lcm {
            if rest % b.0 == b.1 {
                return Some((lcm, rest));
            }
            rest += a.0;
            if lcm / a.0 > 4096 {
                break;
            }
        }
    }
    Some(if a.0 >= b.0 { a } else { b })
}

/// What is left when the whole number `rest` (mod `step`) is taken modulo 2^n.
fn wrapped(step: u128, rest: i128, width: u32) -> (u64, u64) {
    let size = 1u128 << width;
    let (mut a, mut b) = (step, size);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    // a is a power of two at most 2^n.
    if a >= 1 << 64 {
        return (0, (rest.rem_euclid(size as i128)) as u64);
    }
    let step = a as u64;
    if u128::from(step) == size {
        return (0, rest.rem_euclid(size as i128) as u64);
    }
    form(step, rest.rem_euclid(a as i128) as u64)
}

fn put(out: &mut Int, found: (u64, u64)) -> bool {
    match meet((out.step, out.rest), found) {
        Some(both) => {
            (out.step, out.rest) = both;
            true
        }
        None => false,
    }
}

/// A step and a remainder of whole numbers that do or may leave the type.
fn put_number(out: &mut Int, step: u128, rest: i128, stays: bool) -> bool {
    let fits = step <= u128::from(u64::MAX) && rest >= 0 && rest <= i128::from(u64::MAX);
    let found = if stays && fits {
        form(step as u64, rest as u64)
    } else {
        wrapped(step, rest, out.width)
    };
    put(out, found)
}

impl Domain for Congruence {
    fn binary(&self, op: BinaryOp, a: &Int, b: &Int, out: &mut Int) -> bool {
        let last = u128::from(mask(a.width));
        let (ma, mb) = (u128::from(a.step), u128::from(b.step));
        let (ra, rb) = (i128::from(a.rest), i128::from(b.rest));
        let common = u128::from(gcd(a.step, b.step));
        match op {
            BinaryOp::Add => {
                let stays = u128::from(a.umax) + u128::from(b.umax) <= last;
                put_number(out, common, ra + rb, stays)
            }
            BinaryOp::Sub => {
                let stays = a.umin >= b.umax;
                let rest = ra - rb;
                let rest = if common > 0 {
                    rest.rem_euclid(common as i128)
                } else {
                    rest
                };
                put_number(out, common, rest, stays)
            }
            BinaryOp::Mul => {
                let stays = u128::from(a.umax) * u128::from(b.umax) <= last;
                // (ra + k ma)(rb + l mb): the step divides ra mb, rb ma and ma mb.
                let parts = [
                    ma.checked_mul(mb),
                    ma.checked_mul(rb as u128),
                    mb.checked_mul(ra as u128),
                ];
                let step = parts.iter().try_fold(0u128, |step, part| {
                    let (mut x, mut y) = (step, (*part)?);
                    while y != 0 {
                        (x, y) = (y, x % y);
                    }
                    Some(x)
                });
                match (step, ra.checked_mul(rb)) {
                    (Some(step), Some(rest)) => {
                        let rest = if step > 0 && step < 1 << 126 {
                            rest.rem_euclid(step as i128)
                        } else {
                            rest
                        };
                        put_number(out, step, rest, stays)
                    }
                    _ => true,
                }
            }
            BinaryOp::Shl => match b.single() {
                Some(by) if by < u64::from(a.width) => {
                    let stays = u128::from(a.umax) << by <= last;
                    let (step, rest) = (ma << by, (a.rest as u128) << by);
                    if rest >= 1 << 126 {
                        return true;
                    }
                    put_number(out, step, rest as i128, stays)
                }
                _ => true,
            },
            BinaryOp::URem => match b.single() {
                Some(by) if by > 0 => {
                    let step = gcd(a.step, by);
                    put(
                        out,
                        form(step, if step == 0 { a.rest } else { a.rest % step }),
                    )
                }
                _ => true,
            },
            BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::SRem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::LShr
            | BinaryOp::AShr
            | BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FRem
            | BinaryOp::FMin
            | BinaryOp::FMax => true,
        }
    }

    fn unary(&self, op: UnaryOp, _: &Int, _: &mut Int) -> bool {
        match op {
            UnaryOp::CtPop
            | UnaryOp::CtLz
            | UnaryOp::CtTz
            | UnaryOp::BSwap
            | UnaryOp::BitReverse
            | UnaryOp::FNeg
            | UnaryOp::FAbs
            | UnaryOp::FSqrt
            | UnaryOp::FFloor
            | UnaryOp::FCeil
            | UnaryOp::FTrunc
            | UnaryOp::FRound
            | UnaryOp::FRint => true,
        }
    }

    fn cast(&self, op: CastOp, a: &Int, out: &mut Int) -> bool {
        let half = mask(a.width) >> 1;
        match op {
            CastOp::ZExt => put(out, (a.step, a.rest)),
            CastOp::SExt if a.umax <= half => put(out, (a.step, a.rest)),
            CastOp::SExt => true,
            CastOp::Trunc => {
                let stays = a.umax <= mask(out.width);
                put_number(out, a.step.into(), a.rest.into(), stays)
            }
            CastOp::FToS
            | CastOp::FToU
            | CastOp::SToF
            | CastOp::UToF
            | CastOp::FToF
            | CastOp::Bits
            | CastOp::PtrToInt
            | CastOp::IntToPtr => true,
        }
    }

    fn join(&self, a: &Int, b: &Int, out: &mut Int) {
        (out.step, out.rest) = join((a.step, a.rest), (b.step, b.rest));
    }

    fn widen(&self, old: &Int, new: &Int, _: &Thresholds, out: &mut Int) {
        self.join(old, new, out);
    }

    fn reduce(&self, x: &mut Int) -> bool {
        // Known low bits are a congruence.
        let sure = (!(x.zeros | x.ones)).trailing_zeros().min(x.width);
        let found = if sure == x.width {
            (0, x.ones)
        } else {
            form(1 << sure, x.ones & ((1 << sure) - 1))
        };
        match meet((x.step, x.rest), found) {
            Some(both) => (x.step, x.rest) = both,
            None => return false,
        }
        // The bounds move to the nearest members.
        if x.step == 0 {
            if x.rest < x.umin || x.rest > x.umax {
                return false;
            }
            (x.umin, x.umax) = (x.rest, x.rest);
            return true;
        }
        let up = |from: u64| {
            let (rest, step) = (u128::from(x.rest), u128::from(x.step));
            let ahead = (rest + step - u128::from(from) % step) % step;
            from.checked_add(ahead as u64)
        };
        match up(x.umin) {
            Some(least) if least <= x.umax => x.umin = least,
            _ => return false,
        }
        let (rest, step) = (u128::from(x.rest), u128::from(x.step));
        let behind = (u128::from(x.umax) % step + step - rest) % step;
        x.umax -= behind as u64;
        if x.umin == x.umax {
            (x.step, x.rest) = (0, x.umin);
        }
        true
    }

    fn contains(&self, x: &Int, value: u64) -> bool {
        if x.step == 0 {
            value == x.rest
        } else {
            value % x.step == x.rest
        }
    }
}
