//! Random terms and models for the tests: fixed seeds, so that every run asks the same questions.

#![allow(dead_code, reason = "each test uses its part of this module")]

use base::Bv;
use terms::{FloatSort, Model, Rounding, Signedness, Sort, Term, Terms, Value};

/// The programs that must be there for the tests; Z3 as a program comes with its library.
pub fn all_backends() -> Vec<String> {
    let z3 = concat!(env!("CARGO_MANIFEST_DIR"), "/../../.deps/bin/z3");
    vec![
        "bitwuzla".into(),
        "z3".into(),
        "smtlib:cvc5".into(),
        format!("smtlib:{z3} -in"),
    ]
}

/// Yices 2, which has neither floats nor constant arrays.
pub const YICES: &str = concat!(
    "smtlib:",
    env!("CARGO_MANIFEST_DIR"),
    "/../../.deps/yices/bin/yices-smt2"
);

/// A small generator of random numbers (SplitMix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number less than `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.word() % bound as u64) as usize
    }

    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A bit-vector: often a special one, otherwise any.
    pub fn bv(&mut self, width: u32) -> Bv {
        match self.below(10) {
            0 => Bv::zero(width),
            1 => Bv::one(width),
            2 => Bv::ones(width),
            3 => Bv::int_min(width),
            4 => Bv::int_max(width),
            5 => Bv::from_u64(self.word() % 8, width),
            6 => Bv::one(width).shl_by(self.below(width as usize) as u32),
            _ => {
                let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.word()).collect();
                Bv::from_words(&words, width)
            }
        }
    }

    /// The image of a float: often a special one.
    pub fn float(&mut self, format: FloatSort) -> Bv {
        let sign = self.bv(1);
        let exponent = match self.below(4) {
            0 => Bv::zero(format.exp),
            1 => Bv::ones(format.exp),
            2 => Bv::int_max(format.exp).add(&Bv::from_i64(self.below(6) as i64 - 3, format.exp)),
            _ => self.bv(format.exp),
        };
        let fraction = self.bv(format.sig - 1);
        sign.concat(&exponent).concat(&fraction)
    }

    pub fn value(&mut self, terms: &Terms, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 0),
            Sort::Int => Value::Int((self.word() as i64 >> self.below(64)).into()),
            Sort::BitVec(width) => Value::Bv(self.bv(width)),
            Sort::Float(format) => Value::float(format, self.float(format)),
            Sort::Array(_) => {
                let (index, element) = terms.array_parts(sort);
                let default = self.value(terms, element);
                let entries: Vec<_> = (0..self.below(4))
                    .map(|_| (self.value(terms, index), self.value(terms, element)))
                    .collect();
                Value::Array(Box::new(terms::ArrayValue::new(
                    terms, sort, default, entries,
                )))
            }
        }
    }

    pub fn model(&mut self, terms: &Terms, variables: &[Term]) -> Model {
        let mut model = Model::new();
        for &variable in variables {
            let value = self.value(terms, terms.sort(variable));
            model.set(terms, variable, value);
        }
        model
    }
}

/// Which operators a random term may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Theory {
    /// Bit-vectors without multiplication and division.
    EasyBits,
    /// All bit-vector operators, arrays and functions.
    Bits,
    /// Integers, and bridges to bit-vectors.
    Ints,
    /// Floats of this format, and bridges to bit-vectors.
    Floats(FloatSort),
}

/// Terms that grow one by one; operators look only at sorts, so that the same seed gives the same terms whatever
/// an arena makes of them.
pub struct Pool {
    pub theory: Theory,
    pub variables: Vec<Term>,
    pub terms: Vec<Term>,
}

impl Pool {
    /// Starts with two variables of each sort.
    pub fn new(terms: &mut Terms, theory: Theory, widths: &[u32]) -> Pool {
        let mut sorts = vec![Sort::Bool];
        sorts.extend(widths.iter().map(|&width| Sort::BitVec(width)));
        match theory {
            Theory::EasyBits => {}
            Theory::Bits => {
                let array = terms.array_sort(Sort::BitVec(widths[0]), Sort::BitVec(widths[0]));
                sorts.push(array);
            }
            Theory::Ints => sorts.push(Sort::Int),
            Theory::Floats(format) => sorts.push(Sort::Float(format)),
        }
        let mut variables = Vec::new();
        for (number, &sort) in sorts.iter().enumerate() {
            for copy in ["a", "b"] {
                variables.push(terms.var(&format!("{copy}{number}"), sort));
            }
        }
        Pool {
            theory,
            terms: variables.clone(),
            variables,
        }
    }

    fn of_sort(&self, terms: &Terms, random: &mut Random, sort: Sort) -> Option<Term> {
        let all: Vec<Term> = self
            .terms
            .iter()
            .copied()
            .filter(|&t| terms.sort(t) == sort)
            .collect();
        (!all.is_empty()).then(|| random.pick(&all))
    }

    fn any_bv(&self, terms: &Terms, random: &mut Random) -> Term {
        let all: Vec<Term> = self
            .terms
            .iter()
            .copied()
            .filter(|&t| terms.sort(t).bv_width().is_some())
            .collect();
        random.pick(&all)
    }

    /// Adds one term.
    pub fn grow(&mut self, terms: &mut Terms, random: &mut Random) -> Term {
        let t = match (self.theory, random.below(3)) {
            (Theory::Ints, 0 | 1) => self.grow_int(terms, random),
            (Theory::Floats(format), 0 | 1) => self.grow_float(terms, random, format),
            (Theory::Bits, 0) => self.grow_array(terms, random),
            (Theory::EasyBits | Theory::Bits | Theory::Ints | Theory::Floats(_), _) => {
                self.grow_bits(terms, random)
            }
        };
        self.terms.push(t);
        t
    }

    fn grow_bits(&self, terms: &mut Terms, random: &mut Random) -> Term {
        let x = self.any_bv(terms, random);
        let width = terms.width(x);
        let y = if random.below(5) == 0 {
            let constant = random.bv(width);
            terms.bv(constant)
        } else {
            self.of_sort(terms, random, Sort::BitVec(width))
                .expect("x has that sort")
        };
        let p = self
            .of_sort(terms, random, Sort::Bool)
            .expect("there are Boolean variables");
        let q = self
            .of_sort(terms, random, Sort::Bool)
            .expect("there are Boolean variables");
        let hard = self.theory != Theory::EasyBits;
        match random.below(38) {
            0 => terms.not(p),
            1 => terms.and(p, q),
            2 => terms.or(p, q),
            3 => terms.xor(p, q),
            4 => terms.implies(p, q),
            5 => terms.eq(x, y),
            6 | 7 => terms.ite(p, x, y),
            8 => terms.bvnot(x),
            9 => terms.bvand(x, y),
            10 => terms.bvor(x, y),
            11 => terms.bvxor(x, y),
            12 => terms.neg(x),
            13 => terms.add(x, y),
            14 => terms.sub(x, y),
            15 if hard => terms.mul(x, y),
            16 if hard => terms.udiv(x, y),
            17 if hard => terms.urem(x, y),
            18 if hard => terms.sdiv(x, y),
            19 if hard => terms.srem(x, y),
            20 => terms.shl(x, y),
            21 => terms.lshr(x, y),
            22 => terms.ashr(x, y),
            23 => terms.ult(x, y),
            24 => terms.ule(x, y),
            25 => terms.slt(x, y),
            26 => terms.sle(x, y),
            27 => {
                let hi = random.below(width as usize) as u32;
                let lo = random.below(hi as usize + 1) as u32;
                terms.extract(x, hi, lo)
            }
            28 if width <= 64 => {
                let z = self.any_bv(terms, random);
                if terms.width(z) + width <= 128 {
                    terms.concat(x, z)
                } else {
                    x
                }
            }
            29 => terms.zext(x, (width + 1 + random.below(8) as u32).min(128).max(width)),
            30 => terms.sext(x, (width + 1 + random.below(8) as u32).min(128).max(width)),
            31 => terms.uaddo(x, y),
            32 => terms.saddo(x, y),
            33 => terms.ssubo(x, y),
            34 if hard => terms.umulo(x, y),
            35 if hard => terms.smulo(x, y),
            36 => terms.usubo(x, y),
            _ => terms.bool_to_bv(p, width),
        }
    }

    fn grow_array(&self, terms: &mut Terms, random: &mut Random) -> Term {
        let arrays: Vec<Term> = self
            .terms
            .iter()
            .copied()
            .filter(|&t| matches!(terms.sort(t), Sort::Array(_)))
            .collect();
        let array = random.pick(&arrays);
        let sort = terms.sort(array);
        let (index, element) = terms.array_parts(sort);
        let at = self
            .of_sort(terms, random, index)
            .expect("there are variables of that sort");
        let value = self
            .of_sort(terms, random, element)
            .expect("there are variables of that sort");
        let other = random.pick(&arrays);
        // No equality: no solver of ours is complete for it together with constant arrays.
        match random.below(7) {
            0..=2 => terms.select(array, at),
            3 | 4 => terms.store(array, at, value),
            // Some programs take constant defaults only.
            5 => {
                let default = random.value(terms, element);
                let default = terms.value_term(&default, element);
                terms.const_array(sort, default)
            }
            _ => {
                let p = self
                    .of_sort(terms, random, Sort::Bool)
                    .expect("there are Boolean variables");
                terms.ite(p, array, other)
            }
        }
    }

    fn grow_int(&self, terms: &mut Terms, random: &mut Random) -> Term {
        let x = self
            .of_sort(terms, random, Sort::Int)
            .expect("there are integer variables");
        let y = if random.below(4) == 0 {
            terms.int(random.below(9) as i64 - 4)
        } else {
            self.of_sort(terms, random, Sort::Int)
                .expect("there are integer variables")
        };
        // Products and quotients by constants only: others are undecidable, and solvers try for ever.
        let constant = terms.int(random.below(9) as i64 - 4);
        let bv = self.any_bv(terms, random);
        let width = terms.width(bv);
        match random.below(12) {
            0 => terms.iadd(x, y),
            1 => terms.isub(x, y),
            2 => terms.imul(x, constant),
            3 => terms.ineg(x),
            4 => terms.idiv(x, constant),
            5 => terms.imod(x, constant),
            6 => terms.ile(x, y),
            7 => terms.ilt(x, y),
            8 => terms.bv2nat(bv),
            9 => terms.bv2int(bv),
            10 => terms.int2bv(x, width),
            _ => terms.eq(x, y),
        }
    }

    fn grow_float(&self, terms: &mut Terms, random: &mut Random, format: FloatSort) -> Term {
        let float = |terms: &mut Terms, random: &mut Random| {
            if random.below(6) == 0 {
                let image = random.float(format);
                terms.float(image, format)
            } else {
                self.of_sort(terms, random, Sort::Float(format))
                    .expect("there are float variables")
            }
        };
        let (x, y, z) = (
            float(terms, random),
            float(terms, random),
            float(terms, random),
        );
        let mode = random.pick(&Rounding::ALL);
        let signedness = random.pick(&[Signedness::Signed, Signedness::Unsigned]);
        let bv = self.any_bv(terms, random);
        let width = terms.width(bv);
        let (exp, sig) = (format.exp, format.sig);
        match random.below(27) {
            0 => terms.fneg(x),
            1 => terms.fabs(x),
            2 => terms.fadd_round(mode, x, y),
            3 => terms.fsub_round(mode, x, y),
            4 => terms.fmul_round(mode, x, y),
            5 => terms.fdiv_round(mode, x, y),
            6 => terms.fma_round(mode, x, y, z),
            7 => terms.fsqrt_round(mode, x),
            // Solvers unroll the remainder over all exponents.
            8 if exp <= 5 => terms.frem(x, y),
            9 => terms.froundint(mode, x),
            10 => terms.flt(x, y),
            11 => terms.fle(x, y),
            12 => terms.feq(x, y),
            13 => terms.eq(x, y),
            14 => terms.is_nan(x),
            15 => terms.is_inf(x),
            16 => terms.is_zero(x),
            17 => terms.is_normal(x),
            18 => terms.is_subnormal(x),
            19 => terms.is_negative(x),
            20 => terms.fp_to_bits(x),
            21 if width >= exp + sig => {
                let image = terms.extract(bv, exp + sig - 1, 0);
                terms.fp_from_bits(image, exp, sig)
            }
            22 => terms.fp_from_bv_round(mode, signedness, bv, exp, sig),
            23 => terms.fp_to_bv_round(mode, signedness, x, width),
            24 => terms.fmin(x, y),
            25 => terms.fmax(x, y),
            _ => {
                let p = self
                    .of_sort(terms, random, Sort::Bool)
                    .expect("there are Boolean variables");
                terms.ite(p, x, y)
            }
        }
    }
}

/// The equality of a term and a value.
pub fn is_value(terms: &mut Terms, t: Term, value: &Value) -> Term {
    let sort = terms.sort(t);
    let constant = terms.value_term(value, sort);
    terms.eq(t, constant)
}
