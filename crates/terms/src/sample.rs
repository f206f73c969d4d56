//! Random terms, for tests of this crate and of those that use it.
//!
//! A [`Step`] is a few numbers; whatever they are, they make a term out of terms made before. The same steps make
//! corresponding terms in any arena, so that two levels of rewriting, or an arena and a solver, can be compared; and
//! since every list of steps is valid, a failing list can be shortened blindly.

use base::Bv;
use num_bigint::BigInt;

use crate::arena::{Term, Terms};
use crate::build::Signedness;
use crate::op::Rounding;
use crate::sort::{FloatSort, Sort};
use crate::value::{ArrayValue, Model, Value};

/// What the terms may be made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theory {
    /// Booleans and bit-vectors.
    Bits,
    /// And arrays of bytes.
    Arrays,
    /// Booleans, bit-vectors and floats.
    Floats,
    /// Booleans, bit-vectors and integers.
    Ints,
}

/// One construction step; any numbers will do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Chooses the operator.
    pub op: u8,
    /// Chooses the first argument, and constants.
    pub a: u16,
    /// Chooses the second argument.
    pub b: u16,
    /// Chooses the third argument, and widths.
    pub c: u16,
}

/// A small deterministic generator (xorshift).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator with this seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next word.
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() >> 11) as usize % bound
    }

    /// This many steps.
    pub fn steps(&mut self, count: usize) -> Vec<Step> {
        let mut step = || {
            let word = self.word();
            Step {
                op: word as u8,
                a: (word >> 8) as u16,
                b: (word >> 24) as u16,
                c: (word >> 40) as u16,
            }
        };
        (0..count).map(|_| step()).collect()
    }

    /// A value of a sort; extreme values are frequent.
    pub fn value(&mut self, terms: &Terms, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 1),
            Sort::Int => Value::Int(BigInt::from(self.word() as i64 >> self.below(60))),
            Sort::BitVec(width) => Value::Bv(self.bv(width)),
            Sort::Float(float) => {
                let bits = match self.below(4) {
                    0 => crate::softfloat::infinity(self.below(2) == 1, float),
                    1 => crate::softfloat::power_of_two(
                        self.below(8) as u32,
                        self.below(2) == 1,
                        float,
                    ),
                    _ => self.bv(float.width()),
                };
                Value::float(float, bits)
            }
            Sort::Array(_) => {
                let (index, element) = terms.array_parts(sort);
                let default = self.value(terms, element);
                let mut entries = Vec::new();
                for _ in 0..self.below(6) {
                    entries.push((self.value(terms, index), self.value(terms, element)));
                }
                Value::Array(Box::new(ArrayValue::new(terms, sort, default, entries)))
            }
        }
    }

    fn bv(&mut self, width: u32) -> Bv {
        let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.word()).collect();
        let any = Bv::from_words(&words, width);
        match self.below(8) {
            0 => Bv::zero(width),
            1 => Bv::ones(width),
            2 => Bv::int_min(width),
            3 => Bv::int_max(width),
            4 => Bv::from_u64(self.below(5) as u64, width),
            5 => any.lshr_by(self.below(width as usize) as u32),
            _ => any,
        }
    }

    /// A model of these variables; the values depend on the variables' names and sorts, not on the arena.
    pub fn model(&mut self, terms: &Terms, vars: &[Term]) -> Model {
        let mut model = Model::new();
        let mut sorted: Vec<Term> = vars.to_vec();
        sorted.sort_by_key(|&var| terms.var_name(var).expect("a variable").to_string());
        for var in sorted {
            model.set(terms, var, self.value(terms, terms.sort(var)));
        }
        model
    }
}

/// Terms made by steps.
pub struct Sample {
    /// The variables.
    pub vars: Vec<Term>,
    /// Everything that was made, the newest last; the variables come first.
    pub made: Vec<Term>,
}

/// Makes the terms of these steps in an arena. Bit-vectors are of this width (and its neighbours); a step makes one term.
pub fn build(terms: &mut Terms, theory: Theory, width: u32, steps: &[Step]) -> Sample {
    let float = if width < 16 {
        FloatSort::new(3, 5)
    } else {
        FloatSort::F32
    };
    let mut vars = Vec::new();
    for name in ["x", "y", "z"] {
        vars.push(terms.var(name, Sort::BitVec(width)));
    }
    for name in ["p", "q"] {
        vars.push(terms.var(name, Sort::Bool));
    }
    match theory {
        Theory::Bits => {}
        Theory::Arrays => {
            let sort = terms.array_sort(Sort::BitVec(width), Sort::BitVec(8));
            vars.push(terms.var("a", sort));
        }
        Theory::Floats => vars.extend(["f", "g"].map(|name| terms.var(name, Sort::Float(float)))),
        Theory::Ints => vars.extend(["m", "n"].map(|name| terms.var(name, Sort::Int))),
    }
    let mut made = vars.clone();
    for &step in steps {
        let pool = Pool {
            made: &made,
            step,
            width,
        };
        let t = match theory {
            Theory::Arrays if step.op % 4 == 0 => pool.array(terms),
            Theory::Floats if step.op % 2 == 0 => pool.float(terms, float),
            Theory::Ints if step.op % 2 == 0 => pool.int(terms),
            _ => pool.bits(terms),
        };
        made.push(t);
    }
    Sample { vars, made }
}

struct Pool<'a> {
    made: &'a [Term],
    step: Step,
    width: u32,
}

impl Pool<'_> {
    /// A term with this property, the `choice`-th counted back from the newest, so that depth grows.
    fn pick(&self, terms: &Terms, choice: u16, test: impl Fn(Sort) -> bool) -> Option<Term> {
        let fitting: Vec<Term> = self
            .made
            .iter()
            .copied()
            .filter(|&t| test(terms.sort(t)))
            .collect();
        let back = usize::from(choice) % fitting.len().max(1);
        fitting
            .len()
            .checked_sub(1 + back)
            .map(|place| fitting[place])
    }

    fn bool(&self, terms: &mut Terms, choice: u16) -> Term {
        self.pick(terms, choice, |sort| sort == Sort::Bool)
            .expect("there are Boolean variables")
    }

    /// A bit-vector of the sample's width.
    fn bv(&self, terms: &mut Terms, choice: u16) -> Term {
        if choice % 5 == 0 {
            return self.constant(terms, choice / 5);
        }
        let t = self
            .pick(terms, choice / 5, |sort| sort.bv_width().is_some())
            .expect("there are bit-vector variables");
        if choice % 2 == 0 {
            terms.zext_or_trunc(t, self.width)
        } else {
            terms.sext_or_trunc(t, self.width)
        }
    }

    fn constant(&self, terms: &mut Terms, choice: u16) -> Term {
        let width = self.width;
        let value = match choice % 8 {
            0 => Bv::zero(width),
            1 => Bv::one(width),
            2 => Bv::ones(width),
            3 => Bv::int_min(width),
            4 => Bv::int_max(width),
            5 => Bv::one(width).shl_by(u32::from(choice / 8) % width),
            6 => Bv::from_u64(u64::from(choice / 8), width),
            _ => Bv::from_u64(u64::from(choice / 8 % 8), width),
        };
        terms.bv(value)
    }

    fn bits(&self, terms: &mut Terms) -> Term {
        let Step { op, a, b, c } = self.step;
        let (x, y) = (self.bv(terms, a), self.bv(terms, b));
        let (p, q, r) = (
            self.bool(terms, a),
            self.bool(terms, b),
            self.bool(terms, c),
        );
        let width = self.width;
        match op / 4 % 46 {
            0 => terms.add(x, y),
            1 => terms.sub(x, y),
            2 => terms.mul(x, y),
            3 => terms.neg(x),
            4 => terms.udiv(x, y),
            5 => terms.urem(x, y),
            6 => terms.sdiv(x, y),
            7 => terms.srem(x, y),
            8 => terms.bvand(x, y),
            9 => terms.bvor(x, y),
            10 => terms.bvxor(x, y),
            11 => terms.bvnot(x),
            12 => terms.shl(x, y),
            13 => terms.lshr(x, y),
            14 => terms.ashr(x, y),
            15 => terms.ult(x, y),
            16 => terms.ule(x, y),
            17 => terms.slt(x, y),
            18 => terms.sle(x, y),
            19 | 20 => terms.eq(x, y),
            21 => terms.ne(x, y),
            22 => terms.uaddo(x, y),
            23 => terms.saddo(x, y),
            24 => terms.usubo(x, y),
            25 => terms.ssubo(x, y),
            26 => terms.umulo(x, y),
            27 => terms.smulo(x, y),
            28 => terms.nego(x),
            29 => terms.sdivo(x, y),
            30 => {
                let lo = u32::from(c) % width;
                let hi = lo + u32::from(c / 256) % (width - lo);
                terms.extract(x, hi, lo)
            }
            31 => {
                let lo = u32::from(c) % width;
                let part = terms.extract(y, width - 1, lo);
                let joined = terms.concat(part, x);
                terms.extract(joined, width - 1, 0)
            }
            32 => terms.concat(x, y),
            33 => terms.zext(x, width + 1 + u32::from(c) % 9),
            34 => terms.sext(x, width + 1 + u32::from(c) % 9),
            35 => terms.bool_to_bv(p, width),
            36 => terms.bv_to_bool(x),
            37 | 38 => terms.ite(r, x, y),
            39 => terms.ite(r, p, q),
            40 => terms.and(p, q),
            41 => terms.or(p, q),
            42 => terms.xor(p, q),
            43 => terms.not(p),
            44 => terms.eq(p, q),
            _ => {
                let k = self.constant(terms, c);
                match c % 3 {
                    0 => terms.add(x, k),
                    1 => terms.bvand(x, k),
                    _ => terms.eq(x, k),
                }
            }
        }
    }

    fn array(&self, terms: &mut Terms) -> Term {
        let Step { op, a, b, c } = self.step;
        let is_array = |sort: Sort| matches!(sort, Sort::Array(_));
        let array = self
            .pick(terms, a / 7, is_array)
            .expect("there is an array variable");
        let other = self
            .pick(terms, b / 7, is_array)
            .expect("there is an array variable");
        let index = self.bv(terms, b);
        let value = self.bv(terms, c);
        let value = terms.zext_or_trunc(value, 8);
        match op / 4 % 8 {
            0..=2 => terms.store(array, index, value),
            3..=4 => terms.select(array, index),
            5 => terms.eq(array, other),
            6 => {
                let cond = self.bool(terms, c);
                terms.ite(cond, array, other)
            }
            _ => terms.const_array(terms.sort(array), value),
        }
    }

    fn float(&self, terms: &mut Terms, sort: FloatSort) -> Term {
        let Step { op, a, b, c } = self.step;
        let is_float = |other: Sort| other == Sort::Float(sort);
        let f = self
            .pick(terms, a / 3, is_float)
            .expect("there are floating-point variables");
        let g = self
            .pick(terms, b / 3, is_float)
            .expect("there are floating-point variables");
        let h = self
            .pick(terms, c / 3, is_float)
            .expect("there are floating-point variables");
        let mode = Rounding::ALL[usize::from(c) % 5];
        let x = self.bv(terms, a);
        let cond = self.bool(terms, c);
        match op / 2 % 29 {
            0 => terms.fadd_round(mode, f, g),
            1 => terms.fsub_round(mode, f, g),
            2 => terms.fmul_round(mode, f, g),
            3 => terms.fdiv_round(mode, f, g),
            4 => terms.fma_round(mode, f, g, h),
            5 => terms.fsqrt_round(mode, f),
            6 => terms.frem(f, g),
            7 => terms.froundint(mode, f),
            8 => terms.fneg(f),
            9 => terms.fabs(f),
            10 => terms.fmin(f, g),
            11 => terms.fmax(f, g),
            12 => terms.flt(f, g),
            13 => terms.fle(f, g),
            14 => terms.feq(f, g),
            15 => terms.eq(f, g),
            16 => terms.is_nan(f),
            17 => terms.is_inf(f),
            18 => terms.is_zero(f),
            19 => terms.is_normal(f),
            20 => terms.is_subnormal(f),
            21 => terms.is_negative(f),
            22 => terms.fp_to_bits(f),
            23 => {
                let image = terms.zext_or_trunc(x, sort.width());
                terms.fp_from_bits(image, sort.exp, sort.sig)
            }
            24 => {
                let wide = terms.fp_to_fp_round(mode, f, sort.exp + 1, sort.sig + 2);
                terms.fp_to_fp_round(mode, wide, sort.exp, sort.sig)
            }
            25 => terms.fp_from_bv_round(mode, Signedness::Signed, x, sort.exp, sort.sig),
            26 => terms.fp_from_bv_round(mode, Signedness::Unsigned, x, sort.exp, sort.sig),
            27 => {
                let signedness = if a % 2 == 0 {
                    Signedness::Signed
                } else {
                    Signedness::Unsigned
                };
                terms.fp_to_bv_round(mode, signedness, f, self.width)
            }
            _ => terms.ite(cond, f, g),
        }
    }

    fn int(&self, terms: &mut Terms) -> Term {
        let Step { op, a, b, c } = self.step;
        let m = self
            .pick(terms, a / 3, |sort| sort == Sort::Int)
            .expect("there are integer variables");
        let n = match b % 4 {
            0 => terms.int(i64::from(b / 4 % 16) - 8),
            _ => self
                .pick(terms, b / 4, |sort| sort == Sort::Int)
                .expect("there are integer variables"),
        };
        let x = self.bv(terms, a);
        let cond = self.bool(terms, c);
        match op / 2 % 13 {
            0 | 1 => terms.iadd(m, n),
            2 => terms.isub(m, n),
            3 => {
                // Products of products grow without bound; constants keep them small.
                let k = terms.int(i64::from(c % 7) - 3);
                terms.imul(m, k)
            }
            4 => terms.ineg(m),
            5 => terms.ile(m, n),
            6 => terms.ilt(m, n),
            7 => terms.eq(m, n),
            8 => terms.idiv(m, n),
            9 => terms.imod(m, n),
            10 => terms.bv2nat(x),
            11 => terms.int2bv(m, self.width),
            _ => terms.ite(cond, m, n),
        }
    }
}
