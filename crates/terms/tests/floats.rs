//! Floating-point evaluation against the machine's own floats and against another library.

use base::Bv;
use rustc_apfloat::ieee::{BFloat, Half, Quad};
use rustc_apfloat::{Float, Round};
use terms::sample::Random;
use terms::{FloatSort, Level, Model, Rounding, Signedness, Sort, Term, Terms, Value};

/// Makes a term of two or three variables of a format and evaluates it at given images.
struct Bench {
    terms: Terms,
    sort: FloatSort,
    vars: [Term; 3],
}

impl Bench {
    fn new(sort: FloatSort) -> Bench {
        let mut terms = Terms::with_level(Level::Off);
        let vars = ["f", "g", "h"].map(|name| terms.var(name, Sort::Float(sort)));
        Bench { terms, sort, vars }
    }

    fn run(&self, t: Term, images: &[u128]) -> Value {
        let mut model = Model::new();
        for (&var, &image) in self.vars.iter().zip(images) {
            model.set(
                &self.terms,
                var,
                Value::float(self.sort, Bv::from_u128(image, self.sort.width())),
            );
        }
        self.terms.eval(&model, t)
    }

    /// The image of a floating-point result.
    fn bits(&self, t: Term, images: &[u128]) -> u128 {
        match self.run(t, images) {
            Value::Float(_, bits) => bits.to_u128().expect("at most 128 bits"),
            Value::Bv(bits) => bits.to_u128().expect("at most 128 bits"),
            other => panic!("{other} is no float"),
        }
    }

    fn holds(&self, t: Term, images: &[u128]) -> bool {
        self.run(t, images).expect_bool()
    }
}

/// Images with many special values among them.
fn image(random: &mut Random, sort: FloatSort) -> u128 {
    let width = sort.width();
    let any = u128::from(random.word()) << 64 | u128::from(random.word());
    let any = any & (u128::MAX >> (128 - width));
    let fraction = sort.sig - 1;
    let exponent_mask = ((1u128 << sort.exp) - 1) << fraction;
    let sign = any & 1 << (width - 1);
    match random.below(9) {
        // Zeros, infinities, NaNs, subnormals, small integers, neighbours of powers of two.
        0 => sign,
        1 => sign | exponent_mask,
        2 => sign | exponent_mask | 1 << (fraction - 1),
        3 => any & !exponent_mask,
        4 => {
            let bias = (1u128 << (sort.exp - 1)) - 1;
            let exponent = bias + random.below(6) as u128;
            sign | exponent << fraction
                | (any & ((1 << fraction) - 1)) >> (fraction - fraction.min(3))
                    << (fraction - fraction.min(3))
        }
        5 => (any & !((1 << fraction) - 1)).wrapping_sub(1) & (u128::MAX >> (128 - width)),
        6 => {
            let bias = (1u128 << (sort.exp - 1)) - 1;
            let near = bias + random.below(2 * fraction as usize + 4) as u128;
            any & !exponent_mask | near.min((1 << sort.exp) - 1) << fraction
        }
        _ => any,
    }
}

const F64: FloatSort = FloatSort::F64;
const F32: FloatSort = FloatSort::F32;

#[test]
fn binary64_is_the_machines() {
    let mut bench = Bench::new(F64);
    let [f, g, h] = bench.vars;
    let terms = &mut bench.terms;
    let (add, sub, mul, div) = (
        terms.fadd(f, g),
        terms.fsub(f, g),
        terms.fmul(f, g),
        terms.fdiv(f, g),
    );
    let (fma, sqrt, fmod) = (terms.fma(f, g, h), terms.fsqrt(f), terms.fmod(f, g));
    let round = [
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::TowardPositive,
        Rounding::TowardNegative,
        Rounding::TowardZero,
    ]
    .map(|mode| terms.froundint(mode, f));
    let (lt, le, eq) = (terms.flt(f, g), terms.fle(f, g), terms.feq(f, g));
    let narrow = terms.fp_to_fp(f, 8, 24);
    let (to_i32, to_u64) = (terms.fp_to_sbv(f, 32), terms.fp_to_ubv(f, 64));
    let (min, max, neg, abs) = (
        terms.fmin(f, g),
        terms.fmax(f, g),
        terms.fneg(f),
        terms.fabs(f),
    );
    let identical = terms.eq(f, g);
    let classes = [
        terms.is_nan(f),
        terms.is_inf(f),
        terms.is_zero(f),
        terms.is_normal(f),
        terms.is_subnormal(f),
        terms.is_negative(f),
    ];
    let mut random = Random::new(1);
    for _ in 0..30_000 {
        let images = [
            image(&mut random, F64),
            image(&mut random, F64),
            image(&mut random, F64),
        ];
        let [a, b, c] = images.map(|image| f64::from_bits(image as u64));
        let same = |t: Term, expected: f64, what: &str| {
            let expected = if expected.is_nan() {
                0x7ff8_0000_0000_0000
            } else {
                expected.to_bits()
            };
            assert_eq!(
                bench.bits(t, &images),
                u128::from(expected),
                "{what} {a:e} {b:e} {c:e}"
            );
        };
        same(add, a + b, "add");
        same(sub, a - b, "sub");
        same(mul, a * b, "mul");
        same(div, a / b, "div");
        same(fma, a.mul_add(b, c), "fma");
        same(sqrt, a.sqrt(), "sqrt");
        same(fmod, a % b, "fmod");
        same(round[0], a.round_ties_even(), "round to even");
        same(round[1], a.round(), "round away");
        same(round[2], a.ceil(), "ceil");
        same(round[3], a.floor(), "floor");
        same(round[4], a.trunc(), "trunc");
        same(neg, -a, "neg");
        same(abs, a.abs(), "abs");
        if a != b {
            same(min, a.min(b), "min");
            same(max, a.max(b), "max");
        }
        let narrowed = a as f32;
        let expected = if narrowed.is_nan() {
            0x7fc0_0000
        } else {
            narrowed.to_bits()
        };
        assert_eq!(
            bench.bits(narrow, &images),
            u128::from(expected),
            "narrow {a:e}"
        );
        let inside = |low: f64, high: f64| a.trunc() >= low && a.trunc() <= high;
        let as_i32 = if inside(f64::from(i32::MIN), f64::from(i32::MAX)) {
            a as i32
        } else {
            0
        };
        assert_eq!(
            bench.bits(to_i32, &images),
            u128::from(as_i32 as u32),
            "to i32 {a:e}"
        );
        let as_u64 = if inside(0.0, 18_446_744_073_709_549_568.0) {
            a as u64
        } else {
            0
        };
        assert_eq!(
            bench.bits(to_u64, &images),
            u128::from(as_u64),
            "to u64 {a:e}"
        );
        assert_eq!(
            (
                bench.holds(lt, &images),
                bench.holds(le, &images),
                bench.holds(eq, &images)
            ),
            (a < b, a <= b, a == b)
        );
        assert_eq!(
            bench.holds(identical, &images),
            a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
        );
        let expected = [
            a.is_nan(),
            a.is_infinite(),
            a == 0.0,
            a.is_normal(),
            a.is_subnormal(),
            a.is_sign_negative() && !a.is_nan(),
        ];
        assert_eq!(
            classes.map(|class| bench.holds(class, &images)),
            expected,
            "{a:e}"
        );
    }
}

#[test]
fn binary32_is_the_machines() {
    let mut bench = Bench::new(F32);
    let [f, g, h] = bench.vars;
    let terms = &mut bench.terms;
    let (add, sub, mul, div) = (
        terms.fadd(f, g),
        terms.fsub(f, g),
        terms.fmul(f, g),
        terms.fdiv(f, g),
    );
    let (fma, sqrt, fmod, wide) = (
        terms.fma(f, g, h),
        terms.fsqrt(f),
        terms.fmod(f, g),
        terms.fp_to_fp(f, 11, 53),
    );
    let image_bits = terms.fp_to_bits(f);
    let mut random = Random::new(2);
    for _ in 0..30_000 {
        let images = [
            image(&mut random, F32),
            image(&mut random, F32),
            image(&mut random, F32),
        ];
        let [a, b, c] = images.map(|image| f32::from_bits(image as u32));
        let same = |t: Term, expected: f32, what: &str| {
            let expected = if expected.is_nan() {
                0x7fc0_0000
            } else {
                expected.to_bits()
            };
            assert_eq!(
                bench.bits(t, &images),
                u128::from(expected),
                "{what} {a:e} {b:e} {c:e}"
            );
        };
        same(add, a + b, "add");
        same(sub, a - b, "sub");
        same(mul, a * b, "mul");
        same(div, a / b, "div");
        same(fma, a.mul_add(b, c), "fma");
        same(sqrt, a.sqrt(), "sqrt");
        same(fmod, a % b, "fmod");
        same(image_bits, a, "image");
        let widened = f64::from(a);
        let expected = if widened.is_nan() {
            0x7ff8_0000_0000_0000
        } else {
            widened.to_bits()
        };
        assert_eq!(
            bench.bits(wide, &images),
            u128::from(expected),
            "widen {a:e}"
        );
    }
}

#[test]
fn integers_convert_as_the_machine_converts_them() {
    let mut terms = Terms::with_level(Level::Off);
    let x = terms.var("x", Sort::BitVec(64));
    let conversions = [
        terms.fp_from_sbv(x, 11, 53),
        terms.fp_from_ubv(x, 11, 53),
        terms.fp_from_sbv(x, 8, 24),
        terms.fp_from_ubv(x, 8, 24),
    ];
    let mut random = Random::new(3);
    for _ in 0..20_000 {
        let word = random.word() >> random.below(64);
        let word = if random.below(2) == 0 {
            word
        } else {
            word.wrapping_neg()
        };
        let mut model = Model::new();
        model.set(&terms, x, Value::Bv(Bv::from_u64(word, 64)));
        let expected = [
            (word as i64 as f64).to_bits(),
            (word as f64).to_bits(),
            u64::from((word as i64 as f32).to_bits()),
            u64::from((word as f32).to_bits()),
        ];
        for (t, expected) in conversions.into_iter().zip(expected) {
            let Value::Float(_, bits) = terms.eval(&model, t) else {
                panic!("a float")
            };
            assert_eq!(bits.low_u64(), expected, "{word}");
        }
    }
}

/// Every rounding mode of another library's arithmetic, on one of its formats.
fn check_library<F: Float>(sort: FloatSort, seed: u64) {
    let mut bench = Bench::new(sort);
    let [f, g, h] = bench.vars;
    let mut random = Random::new(seed);
    let modes = [
        (Rounding::NearestEven, Round::NearestTiesToEven),
        (Rounding::NearestAway, Round::NearestTiesToAway),
        (Rounding::TowardPositive, Round::TowardPositive),
        (Rounding::TowardNegative, Round::TowardNegative),
        (Rounding::TowardZero, Round::TowardZero),
    ];
    for (mode, round) in modes {
        let terms = &mut bench.terms;
        let t = [
            terms.fadd_round(mode, f, g),
            terms.fsub_round(mode, f, g),
            terms.fmul_round(mode, f, g),
            terms.fdiv_round(mode, f, g),
            terms.fma_round(mode, f, g, h),
            terms.froundint(mode, f),
        ];
        let remainder = terms.frem(f, g);
        let to_int = terms.fp_to_bv_round(mode, Signedness::Signed, f, 40);
        for _ in 0..4_000 {
            let images = [
                image(&mut random, sort),
                image(&mut random, sort),
                image(&mut random, sort),
            ];
            let [a, b, c] = images.map(F::from_bits);
            let expected = [
                a.add_r(b, round).value,
                a.sub_r(b, round).value,
                a.mul_r(b, round).value,
                a.div_r(b, round).value,
                a.mul_add_r(b, c, round).value,
                a.round_to_integral(round).value,
            ];
            for (place, (t, expected)) in t.into_iter().zip(expected).enumerate() {
                let found = F::from_bits(bench.bits(t, &images));
                let same =
                    found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
                assert!(
                    same,
                    "operation {place}, {mode:?}: {a} {b} {c}: {found}, not {expected}"
                );
            }
            let expected = a.ieee_rem(b).value;
            let found = F::from_bits(bench.bits(remainder, &images));
            let same = found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan();
            assert!(same, "remainder of {a} and {b}: {found}, not {expected}");
            let mut exact = false;
            let converted = a.to_i128_r(40, round, &mut exact);
            let expected = match converted.status.contains(rustc_apfloat::Status::INVALID_OP) {
                true => 0,
                false => converted.value as u128 & ((1 << 40) - 1),
            };
            assert_eq!(
                bench.bits(to_int, &images),
                expected,
                "{mode:?} of {a} to 40 bits"
            );
        }
    }
}

#[test]
fn other_formats_and_modes_are_the_librarys() {
    check_library::<Half>(FloatSort::F16, 4);
    check_library::<BFloat>(FloatSort::new(8, 8), 5);
    check_library::<rustc_apfloat::ieee::Single>(FloatSort::F32, 6);
    check_library::<rustc_apfloat::ieee::Double>(FloatSort::F64, 7);
    check_library::<Quad>(FloatSort::F128, 8);
}

#[test]
fn huge_exponents_cost_nothing() {
    let sort = FloatSort::new(30, 20);
    let mut bench = Bench::new(sort);
    let [f, g, h] = bench.vars;
    let terms = &mut bench.terms;
    let all = [
        terms.fadd(f, g),
        terms.fmul(f, g),
        terms.fdiv(f, g),
        terms.fma(f, g, h),
        terms.frem(f, g),
        terms.fsqrt(f),
    ];
    let greatest = ((1u128 << 30) - 1) << 19;
    for images in [
        [greatest - 1, 1, 3],
        [1, greatest - 1, greatest - 5],
        [greatest - 1, 1 << 19, 1],
    ] {
        for t in all {
            bench.bits(t, &images);
        }
    }
}
