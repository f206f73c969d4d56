//! Known bits: for each bit whether it is 0, 1 or either.
//!
//! ```text
//!     ?        per bit; a value is the product over its bits
//!    / \
//!   0   1
//! ```
//!
//! Widening keeps the bits below the lowest that changed: a counter changes them from there on, one by one.

use ir::syntax::{BinaryOp, CastOp, UnaryOp};

use super::{Domain, Int, Thresholds, mask};

/// See the module.
pub struct Bits;

/// Bits that are 0 and bits that are 1.
#[derive(Clone, Copy)]
struct Known {
    zeros: u64,
    ones: u64,
}

fn known(x: &Int) -> Known {
    Known {
        zeros: x.zeros,
        ones: x.ones,
    }
}

fn put(out: &mut Int, known: Known) -> bool {
    out.zeros |= known.zeros & mask(out.width);
    out.ones |= known.ones & mask(out.width);
    out.zeros & out.ones == 0
}

/// The sum with a known carry into the lowest bit: a bit is known where both summands' bits and the carry are, which
/// the least and the greatest sum tell.
fn sum(a: Known, b: Known, carry: u64, all: u64) -> Known {
    let least = a.ones.wrapping_add(b.ones).wrapping_add(carry);
    let (a_most, b_most) = (!a.zeros & all, !b.zeros & all);
    let most = a_most.wrapping_add(b_most).wrapping_add(carry);
    // Carries into each bit in the two extreme cases.
    let carry_least = least ^ a.ones ^ b.ones;
    let carry_most = most ^ a_most ^ b_most;
    let carry_known = !(carry_least ^ carry_most);
    let operands = (a.zeros | a.ones) & (b.zeros | b.ones);
    let sure = operands & carry_known & all;
    Known {
        zeros: !least & sure,
        ones: least & sure,
    }
}

fn opposite(x: Known) -> Known {
    Known {
        zeros: x.ones,
        ones: x.zeros,
    }
}

/// How many low bits are known to be zero.
fn low_zeros(x: &Int) -> u32 {
    (!x.zeros).trailing_zeros().min(x.width)
}

fn low(count: u32) -> u64 {
    if count >= 64 {
        u64::MAX
    } else {
        (1 << count) - 1
    }
}

impl Domain for Bits {
    fn binary(&self, op: BinaryOp, a: &Int, b: &Int, out: &mut Int) -> bool {
        let all = mask(a.width);
        let (x, y) = (known(a), known(b));
        let result = match op {
            BinaryOp::Add => sum(x, y, 0, all),
            BinaryOp::Sub => sum(x, opposite(y), 1, all),
            BinaryOp::Mul => {
                // The low bits of a product depend on the low bits of the factors only.
                let zeros = low_zeros(a) + low_zeros(b);
                let sure_a = (!(a.zeros | a.ones)).trailing_zeros().min(a.width);
                let sure_b = (!(b.zeros | b.ones)).trailing_zeros().min(b.width);
                let sure = low(sure_a.min(sure_b));
                let product = (a.ones & sure).wrapping_mul(b.ones & sure);
                Known {
                    zeros: low(zeros) | !product & sure,
                    ones: product & sure,
                }
            }
            BinaryOp::And => Known {
                zeros: x.zeros | y.zeros,
                ones: x.ones & y.ones,
            },
            BinaryOp::Or => Known {
                zeros: x.zeros & y.zeros,
                ones: x.ones | y.ones,
            },
            BinaryOp::Xor => Known {
                zeros: x.zeros & y.zeros | x.ones & y.ones,
                ones: x.zeros & y.ones | x.ones & y.zeros,
            },
            BinaryOp::Shl => match b.single() {
                Some(by) if by < u64::from(a.width) => Known {
                    zeros: x.zeros << by | low(by as u32),
                    ones: x.ones << by,
                },
                _ => Known {
                    zeros: low((low_zeros(a) as u64 + b.umin).min(64) as u32),
                    ones: 0,
                },
            },
            BinaryOp::LShr => match b.single() {
                Some(by) if by < u64::from(a.width) => Known {
                    zeros: x.zeros >> by | all & !(all >> by),
                    ones: x.ones >> by,
                },
                _ => Known { zeros: 0, ones: 0 },
            },
            BinaryOp::AShr => match b.single() {
                Some(by) if by < u64::from(a.width) => {
                    let high = all & !(all >> by);
                    let sign = 1 << (a.width - 1);
                    Known {
                        zeros: x.zeros >> by | if x.zeros & sign != 0 { high } else { 0 },
                        ones: x.ones >> by | if x.ones & sign != 0 { high } else { 0 },
                    }
                }
                _ => Known { zeros: 0, ones: 0 },
            },
            BinaryOp::URem => {
                // By a power of two it keeps the low bits.
                match b.single() {
                    Some(by) if by.is_power_of_two() => Known {
                        zeros: x.zeros | !(by - 1),
                        ones: x.ones & (by - 1),
                    },
                    _ => Known { zeros: 0, ones: 0 },
                }
            }
            BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::SRem
            | BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FRem
            | BinaryOp::FMin
            | BinaryOp::FMax => Known { zeros: 0, ones: 0 },
        };
        put(out, result)
    }

    fn unary(&self, op: UnaryOp, a: &Int, out: &mut Int) -> bool {
        let result = match op {
            UnaryOp::BSwap => {
                let shift = 64 - a.width;
                Known {
                    zeros: a.zeros.swap_bytes() >> shift,
                    ones: a.ones.swap_bytes() >> shift,
                }
            }
            UnaryOp::BitReverse => {
                let shift = 64 - a.width;
                Known {
                    zeros: a.zeros.reverse_bits() >> shift,
                    ones: a.ones.reverse_bits() >> shift,
                }
            }
            UnaryOp::CtPop
            | UnaryOp::CtLz
            | UnaryOp::CtTz
            | UnaryOp::FNeg
            | UnaryOp::FAbs
            | UnaryOp::FSqrt
            | UnaryOp::FFloor
            | UnaryOp::FCeil
            | UnaryOp::FTrunc
            | UnaryOp::FRound
            | UnaryOp::FRint => Known { zeros: 0, ones: 0 },
        };
        put(out, result)
    }

    fn cast(&self, op: CastOp, a: &Int, out: &mut Int) -> bool {
        let new = mask(out.width) & !mask(a.width);
        let sign = 1 << (a.width - 1);
        let result = match op {
            CastOp::ZExt => Known {
                zeros: a.zeros | new,
                ones: a.ones,
            },
            CastOp::SExt => Known {
                zeros: a.zeros | if a.zeros & sign != 0 { new } else { 0 },
                ones: a.ones | if a.ones & sign != 0 { new } else { 0 },
            },
            CastOp::Trunc => known(a),
            CastOp::FToS
            | CastOp::FToU
            | CastOp::SToF
            | CastOp::UToF
            | CastOp::FToF
            | CastOp::Bits
            | CastOp::PtrToInt
            | CastOp::IntToPtr => Known { zeros: 0, ones: 0 },
        };
        put(out, result)
    }

    fn join(&self, a: &Int, b: &Int, out: &mut Int) {
        out.zeros = a.zeros & b.zeros;
        out.ones = a.ones & b.ones;
    }

    fn widen(&self, old: &Int, new: &Int, _: &Thresholds, out: &mut Int) {
        let changed = old.zeros & !new.zeros | old.ones & !new.ones;
        // A counter would forget one high bit after the other.
        let kept = low(changed.trailing_zeros());
        out.zeros = old.zeros & kept;
        out.ones = old.ones & kept;
    }

    fn reduce(&self, x: &mut Int) -> bool {
        // What the least and the greatest value have in common from the top on.
        let differ = x.umin ^ x.umax;
        let same = mask(x.width) & !low(64 - differ.leading_zeros());
        x.ones |= x.umin & same;
        x.zeros |= !x.umin & same;
        // A power of two in the modulus tells low bits.
        if x.step == 0 {
            x.ones |= x.rest;
            x.zeros |= !x.rest & mask(x.width);
        } else {
            let sure = low(x.step.trailing_zeros()) & mask(x.width);
            x.ones |= x.rest & sure;
            x.zeros |= !x.rest & sure;
        }
        x.zeros & x.ones == 0
    }

    fn contains(&self, x: &Int, value: u64) -> bool {
        value & x.zeros == 0 && value & x.ones == x.ones
    }
}
