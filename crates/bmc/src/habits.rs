//! What executions at random choose.
//!
//! Inputs that are just anything go on nowhere: programs want small numbers, equal ones, constants that they compare with. So each
//! execution has a habit. A float of random bits is next to nothing or beyond everything; where a program has constants that are
//! floats, every other execution chooses among them, between them and close to them: what an algorithm gets wrong, it gets
//! wrong at the ends of the range that it is made for.

use std::collections::BTreeSet;

use base::Bv;
use interp::choices::{Choices, Fill, ObjectChoice, Refusal, Seed};
use ir::syntax::{Const, FloatTy, Module, Op, Operand};

/// What a program compares with.
pub(crate) struct Constants {
    /// Numbers and their neighbours; at least one.
    whole: Vec<Bv>,
    /// Finite floats; none if there are none but 0.
    floats: Vec<f64>,
}

impl Constants {
    /// Those of the comparisons of a program.
    pub(crate) fn of(module: &Module) -> Constants {
        let (mut whole, mut floats) = (BTreeSet::new(), BTreeSet::new());
        for body in module.funcs.values().filter_map(|func| func.body.as_ref()) {
            for (_, inst) in body.insts_in_order() {
                let Op::Compare(_, a, b) = &body.insts[inst].op else {
                    continue;
                };
                for operand in [a, b] {
                    let Operand::Const(constant) = operand else {
                        continue;
                    };
                    if let Const::Int(value) = constant
                        && let Some(number) = value.to_i64()
                    {
                        whole.extend([number.wrapping_sub(1), number, number.wrapping_add(1)]);
                    }
                    floats.extend(float(constant).map(f64::to_bits));
                }
            }
        }
        if whole.is_empty() {
            whole.insert(0);
        }
        let floats: Vec<f64> = floats.into_iter().map(f64::from_bits).collect();
        Constants {
            whole: whole
                .into_iter()
                .map(|number| Bv::from_i64(number, 64))
                .collect(),
            floats: match floats.iter().any(|&float| float != 0.0) {
                true => floats,
                false => Vec::new(),
            },
        }
    }

    /// This number alone.
    #[cfg(test)]
    pub(crate) fn only(number: i64) -> Constants {
        Constants {
            whole: vec![Bv::from_i64(number, 64)],
            floats: Vec::new(),
        }
    }
}

/// A finite float of one of C's two most common formats.
fn float(constant: &Const) -> Option<f64> {
    let Const::Float(format, bits) = constant else {
        return None;
    };
    let value = match format {
        FloatTy::F32 => f64::from(f32::from_bits(bits.low_u64() as u32)),
        FloatTy::F64 => f64::from_bits(bits.low_u64()),
        FloatTy::F16 | FloatTy::F80 | FloatTy::F128 => return None,
    };
    Some(value).filter(|value| value.is_finite())
}

/// How an execution chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Habit {
    /// Always this number.
    Same(i64),
    /// Numbers of a small range, which each execution has for itself.
    Range,
    /// Constants of the program, a few or all.
    Constants,
    /// Small numbers, constants and others in turn.
    Mixed,
    /// Anything.
    Anything,
    /// Floats that are, or lie between or close to, those of the program.
    Floats,
}

const HABITS: [Habit; 10] = [
    Habit::Same(0),
    Habit::Same(1),
    Habit::Range,
    Habit::Constants,
    Habit::Range,
    Habit::Mixed,
    Habit::Anything,
    Habit::Range,
    Habit::Constants,
    Habit::Range,
];

/// Choices by a habit.
pub(crate) struct Habits<'a> {
    habit: Habit,
    seed: Seed,
    /// The first number of the range, and how many there are.
    range: (i64, u64),
    constants: &'a [Bv],
    floats: &'a [f64],
}

impl Habits<'_> {
    /// Those of the execution with this number.
    pub(crate) fn new(number: u64, constants: &Constants) -> Habits<'_> {
        let mut seed = Seed::new(number);
        let mut below = |most: u64| seed.bits(64).to_u64().expect("a word fits") % most;
        let first = [0, 0, 1, 1, -1, -3][below(6) as usize];
        let range = (first, 2 + below(8));
        let whole = match below(3) {
            0 => &constants.whole[..],
            few => {
                let most = constants.whole.len() as u64;
                let start = below(most);
                let end = most.min(start + 3 * few);
                &constants.whole[start as usize..end as usize]
            }
        };
        let usual = |number: u64| HABITS[(number % HABITS.len() as u64) as usize];
        Habits {
            habit: match (constants.floats.is_empty(), number % 2) {
                (true, _) => usual(number),
                (false, 0) => Habit::Floats,
                (false, _) => usual(number / 2),
            },
            seed,
            range,
            constants: whole,
            floats: &constants.floats,
        }
    }

    /// Any number.
    pub(crate) fn number(&mut self) -> u64 {
        self.seed.bits(64).to_u64().expect("a word fits")
    }

    /// Any value of this many bits.
    pub(crate) fn anything(&mut self, width: u32) -> Bv {
        self.seed.bits(width)
    }

    /// A constant of the program, or a neighbour of one.
    pub(crate) fn constant(&mut self, width: u32) -> Bv {
        if !self.floats.is_empty()
            && self.number() % 2 == 0
            && let Some(float) = self.float(width)
        {
            return float;
        }
        let index = self.number() % self.constants.len() as u64;
        self.constants[index as usize].sext_or_trunc(width)
    }

    /// The bits of a float that has to do with those of the program; none if it has none, or none of this width.
    fn float(&mut self, width: u32) -> Option<Bv> {
        if self.floats.is_empty() || !matches!(width, 32 | 64) {
            return None;
        }
        let count = self.floats.len() as u64;
        let (first, second) = (self.number() % count, self.number() % count);
        let (a, b) = (self.floats[first as usize], self.floats[second as usize]);
        // From 0 to 1.
        let part = (self.number() >> 11) as f64 / (1_u64 << 53) as f64;
        let value = match self.number() % 4 {
            0 => a + (b - a) * part,
            1 => a.abs() * (2.0 * part - 1.0),
            // Ever closer to it.
            2 => a * (1.0 - part / (1_u64 << (self.number() % 24)) as f64),
            _ => a,
        };
        let bits = match width {
            32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        let near = (self.number() % 5) as i64 - 2;
        Some(Bv::from_u64(bits, width).add(&Bv::from_i64(near, width)))
    }
}

impl Choices for Habits<'_> {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        let habit = match self.habit {
            Habit::Floats => match self.float(width) {
                Some(float) => return Ok(float),
                None => Habit::Mixed,
            },
            other => other, // For values of every width.
        };
        Ok(match habit {
            Habit::Same(number) => Bv::from_i64(number, width),
            Habit::Range => {
                let (first, count) = self.range;
                Bv::from_i64(first + (self.number() % count) as i64, width)
            }
            Habit::Constants => self.constant(width),
            Habit::Floats | Habit::Mixed => match self.number() % 3 {
                0 => self.constant(width),
                1 => Bv::from_u64(self.number() % 4, width),
                _ => self.seed.value(width)?,
            },
            Habit::Anything => self.seed.bits(width),
        })
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        // Bytes that nobody wrote are a choice; whether they are read is not known yet.
        let fill = match self.habit {
            Habit::Same(_) | Habit::Range | Habit::Constants => Fill::Zero,
            Habit::Mixed | Habit::Anything | Habit::Floats => self.seed.object(size)?.fill,
        };
        Ok(ObjectChoice {
            address: None,
            fill,
        })
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        self.seed.bytes(len)
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        self.seed.clobber(reach)
    }
}

#[cfg(test)]
mod tests {
    use interp::Bindings;
    use interp::config::Config;

    use super::*;

    /// A polynomial that leaves its range just before the end of what its input may be.
    const ENDS: &str = "module pure ptr64
entry @start
obligation o0 start.assert.1 \"within its range\"
fn @start() {
b0:
    v0 = nondet.f32 input
    v1 = fole.f32 0x0, v0
    branch v1, b1, b3
b1:
    v2 = folt.f32 v0, 0x3f800000
    branch v2, b2, b3
b2:
    v3 = fmul.f32 v0, v0
    v4 = folt.f32 v3, LIMIT
    check o0, v4
    jump b3
b3:
    return
}
";

    /// Is the check violated within so many executions?
    fn found(limit: f32, executions: u64, knows_floats: bool) -> bool {
        let text = ENDS.replace("LIMIT", &format!("{:#x}", limit.to_bits()));
        let module = ir::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut constants = Constants::of(&module);
        if !knows_floats {
            constants.floats.clear();
        }
        (0..executions).any(|number| {
            let mut habits = Habits::new(number, &constants);
            let run = interp::run(&module, &Config::default(), Bindings::new(&mut habits));
            matches!(run.outcome, interp::Outcome::Violated(_))
        })
    }

    #[test]
    fn the_ends_of_a_range_are_looked_at() {
        for (limit, executions) in [(0.5, 60), (0.99, 400), (0.9999, 1000)] {
            assert!(found(limit, executions, true), "{limit}");
            assert!(!found(limit, executions, false), "{limit}");
        }
    }

    #[test]
    fn without_floats_nothing_is_different() {
        let module = ir::text::read(&ENDS.replace("LIMIT", "0x3f000000")).expect("a program");
        assert_eq!(Constants::of(&module).floats, [0.0, 0.5, 1.0]);
        let constants = Constants::only(7);
        for number in 0..20 {
            let mut habits = Habits::new(number, &constants);
            assert_ne!(habits.habit, Habit::Floats);
            assert_eq!(habits.float(32), None);
        }
    }
}
