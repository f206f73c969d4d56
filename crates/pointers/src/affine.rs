//! What an index can be: `residue + k * modulus`, between two bounds.
//!
//! The offset of an `offset` instruction decides the stride of what it points into: `i * 24 + 8`
//! moves in steps of 24. Integers wrap, and a step that is no power of two does not survive that:
//! `i * 24` with a free 64-bit `i` hits every multiple of 8. So bounds are kept as well, and
//! whatever may leave its type's range has its modulus reduced to a power of two.
//!
//! ```text
//! sext(i32 i) * 24 + 8      8 (mod 24)      bounded by 24 * 2^31: no wrap
//! (i64 i) * 24              0 (mod 8)       may wrap
//! ```
//!
//! The search follows definitions to a small depth; beyond it a value is anything.

use base::Bv;
use ir::syntax::{BinaryOp, Body, CastOp, Const, Op, Operand, Type};

use crate::node::gcd;

/// Definitions that are followed at most.
const DEPTH: u32 = 6;

/// The values that an integer can have, read as signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Affine {
    /// One of the values, as far as the modulus tells.
    pub residue: i128,
    /// The distance of neighbours; 0 for a constant.
    pub modulus: u128,
    low: i128,
    high: i128,
}

impl Affine {
    /// A single value.
    pub fn constant(value: i128) -> Affine {
        Affine {
            residue: value,
            modulus: 0,
            low: value,
            high: value,
        }
    }

    fn any(width: u32) -> Affine {
        let (low, high) = range(width);
        Affine {
            residue: 0,
            modulus: 1,
            low,
            high,
        }
    }

    /// The value, if there is only one.
    pub fn as_constant(self) -> Option<i128> {
        (self.modulus == 0).then_some(self.residue)
    }

    /// Brings the result of an operation back into its type.
    fn wrap(self, width: u32) -> Affine {
        let (low, high) = range(width);
        if self.low >= low && self.high <= high {
            return match self.low == self.high {
                true => Affine::constant(self.low),
                false => self,
            };
        }
        // Congruence modulo a power of two not above 2^width is what wrapping keeps.
        let power = 1u128 << width.min(100);
        let modulus = match self.modulus {
            0 => power,
            modulus => wide_gcd(modulus, power),
        };
        Affine {
            residue: self.residue.rem_euclid(modulus as i128),
            modulus,
            low,
            high,
        }
    }

    fn add(self, other: Affine) -> Affine {
        Affine {
            residue: self.residue + other.residue,
            modulus: wide_gcd(self.modulus, other.modulus),
            low: self.low + other.low,
            high: self.high + other.high,
        }
    }

    fn negate(self) -> Affine {
        Affine {
            residue: -self.residue,
            modulus: self.modulus,
            low: -self.high,
            high: -self.low,
        }
    }

    fn times(self, factor: i128) -> Affine {
        let (a, b) = (self.low * factor, self.high * factor);
        Affine {
            residue: self.residue * factor,
            modulus: self.modulus * factor.unsigned_abs(),
            low: a.min(b),
            high: a.max(b),
        }
    }

    /// The values of either.
    fn join(self, other: Affine) -> Affine {
        let distance = (self.residue - other.residue).unsigned_abs();
        Affine {
            residue: self.residue,
            modulus: wide_gcd(wide_gcd(self.modulus, other.modulus), distance),
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// A step for strides; 1 if it is too large to matter.
    pub fn step(self) -> u64 {
        u64::try_from(self.modulus).unwrap_or(1)
    }
}

fn range(width: u32) -> (i128, i128) {
    let half = 1i128 << (width - 1);
    (-half, half - 1)
}

fn wide_gcd(a: u128, b: u128) -> u128 {
    match (u64::try_from(a), u64::try_from(b)) {
        (Ok(a), Ok(b)) => u128::from(gcd(a, b)),
        (Ok(_) | Err(_), Ok(_) | Err(_)) => {
            let (mut a, mut b) = (a, b);
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        }
    }
}

fn constant(bv: &Bv) -> Option<i128> {
    bv.to_i64().map(i128::from)
}

/// What an integer operand can be.
pub fn affine(body: &Body, operand: &Operand) -> Affine {
    follow(body, operand, DEPTH)
}

/// The depth bounds the recursion; products are only formed from operands of at most 64 bits.
fn follow(body: &Body, operand: &Operand, depth: u32) -> Affine {
    let Type::Int(width) = body.type_of(operand) else {
        return Affine::any(64);
    };
    if width > 64 {
        return Affine::any(100);
    }
    let anything = Affine::any(width);
    let value = match operand {
        Operand::Const(Const::Int(bv)) => {
            return constant(bv).map_or(anything, Affine::constant);
        }
        Operand::Const(_) => return anything,
        Operand::Value(value) => *value,
    };
    let Some(inst) = body.def_inst(value) else {
        return anything;
    };
    if depth == 0 {
        return anything;
    }
    let inner = |operand: &Operand| follow(body, operand, depth - 1);
    let of_const = |operand: &Operand| match operand {
        Operand::Const(Const::Int(bv)) => constant(bv),
        Operand::Const(_) | Operand::Value(_) => None,
    };
    let result = match &inst.op {
        Op::Copy(a) => inner(a),
        Op::Select(_, a, b) => inner(a).join(inner(b)),
        Op::Binary(BinaryOp::Add, a, b) => inner(a).add(inner(b)),
        Op::Binary(BinaryOp::Sub, a, b) => inner(a).add(inner(b).negate()),
        Op::Binary(BinaryOp::Mul, a, b) => match (of_const(a), of_const(b)) {
            (_, Some(factor)) if factor.unsigned_abs() < 1 << 32 => inner(a).times(factor),
            (Some(factor), _) if factor.unsigned_abs() < 1 << 32 => inner(b).times(factor),
            _ => anything,
        },
        Op::Binary(BinaryOp::Shl, a, b) => match of_const(b) {
            Some(amount) if (0..i128::from(width).min(32)).contains(&amount) => {
                inner(a).times(1 << amount)
            }
            _ => anything,
        },
        Op::Binary(BinaryOp::And, a, b) => match (of_const(a), of_const(b)) {
            (_, Some(mask)) | (Some(mask), _) => masked(mask, width),
            (None, None) => anything,
        },
        Op::Binary(BinaryOp::URem, _, b) => match of_const(b) {
            Some(limit) if limit > 0 => Affine {
                low: 0,
                high: limit - 1,
                ..anything
            },
            _ => anything,
        },
        Op::Cast(CastOp::SExt, a, _) => inner(a),
        Op::Cast(CastOp::ZExt, a, _) => {
            let from = inner(a);
            match (from.low < 0, body.type_of(a)) {
                (false, _) => from,
                (true, Type::Int(bits)) => {
                    let power = 1u128 << bits;
                    let modulus = wide_gcd(from.modulus, power);
                    Affine {
                        residue: from.residue.rem_euclid(power as i128),
                        modulus: if from.modulus == 0 { 0 } else { modulus },
                        low: 0,
                        high: power as i128 - 1,
                    }
                }
                (true, Type::Float(_) | Type::Ptr | Type::Mem(_)) => anything,
            }
        }
        Op::Cast(CastOp::Trunc, a, _) => inner(a),
        _ => anything, // Every other operation: no congruence is claimed.
    };
    result.wrap(width)
}

/// `x & mask`: a multiple of the mask's lowest bit, and small if the mask is not negative.
fn masked(mask: i128, width: u32) -> Affine {
    if mask == 0 {
        return Affine::constant(0);
    }
    let (low, high) = range(width);
    Affine {
        residue: 0,
        modulus: 1 << mask.trailing_zeros().min(63),
        low: if mask > 0 { 0 } else { low },
        high: if mask > 0 { mask } else { high },
    }
}

#[cfg(test)]
mod tests {
    use super::affine;
    use ir::syntax::Terminator;

    /// What the last result of a function of an `i32` and an `i64` can be: residue and modulus.
    fn check(insts: &str, residue: i128, modulus: u128) {
        let lines: Vec<String> = insts
            .split(';')
            .map(|line| format!("    {}\n", line.trim()))
            .collect();
        let last = lines.len() + 1;
        let text = format!(
            "module lowered ptr64\nfn @f(v0: i32, v1: i64) -> i64 {{\nb0:\n{}    return v{last}\n}}\n",
            lines.concat()
        );
        let module = ir::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let body = module.body(module.func_named("f").expect("f is there"));
        let Terminator::Return(results) = &body.blocks[body.entry()].terminator else {
            panic!("f returns");
        };
        let found = affine(body, &results[0]);
        assert_eq!(
            (found.residue, found.modulus),
            (residue, modulus),
            "{insts}"
        );
    }

    #[test]
    fn a_narrow_index_keeps_its_step() {
        check(
            "v2 = sext.i32.i64 v0; v3 = mul.i64 v2, 24; v4 = add.i64 v3, 8",
            8,
            24,
        );
        check("v2 = zext.i32.i64 v0; v3 = mul.i64 v2, 24", 0, 24);
        check("v2 = and.i64 v1, 7; v3 = mul.i64 v2, 24", 0, 24);
    }

    #[test]
    fn an_index_that_may_wrap_keeps_powers_of_two_only() {
        check("v2 = mul.i64 v1, 24", 0, 8);
        check("v2 = mul.i32 v0, 24; v3 = sext.i32.i64 v2", 0, 8);
        check("v2 = mul.i64 v1, 16; v3 = add.i64 v2, 4", 4, 16);
    }

    #[test]
    fn constants_and_unknowns_are_what_they_are() {
        check("v2 = add.i64 40:i64, 2", 42, 0);
        check("v2 = xor.i64 v1, 8", 0, 1);
        check("v2 = and.i64 v1, -8", 0, 8);
    }
}
