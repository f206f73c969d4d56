//! Scalars: every operation at many widths against `base::Bv` and the machine's own floats.

mod common;

use base::Bv;
use common::{check_start, raw, run_with};
use golden::rng::Rng;
use interp::choices::Zeros;
use interp::{Config, Outcome, Value};
use ir::syntax::{BinaryOp, CompareOp, OverflowOp, UnaryOp};

/// The results of a straight line of instructions.
fn results(types: &[String], lines: &str, values: &[String]) -> Vec<Bv> {
    let module = raw(
        &format!(" -> {}", types.join(", ")),
        &format!("b0:\n{lines}    return {}", values.join(", ")),
    );
    match run_with(&module, &Config::default(), &mut Zeros).outcome {
        Outcome::Returned(values) => values
            .into_iter()
            .map(|value| match value {
                Value::Int(bv) | Value::Float(_, bv) => bv,
                other => panic!("{other:?}"),
            })
            .collect(),
        other => panic!("{other}\n{lines}"),
    }
}

fn interesting(rng: &mut Rng, width: u32) -> Bv {
    match rng.below(6) {
        0 => Bv::from_i64(rng.below(5) as i64 - 2, width),
        1 => Bv::int_min(width),
        2 => Bv::int_max(width),
        3 => Bv::from_u64(rng.below(2 * u64::from(width)), width),
        _ => {
            let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| rng.next_u64()).collect();
            Bv::from_words(&words, width)
        }
    }
}

fn binary(op: BinaryOp, a: &Bv, b: &Bv) -> Option<Bv> {
    Some(match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::UDiv => a.udiv(b),
        BinaryOp::SDiv => a.sdiv(b),
        BinaryOp::URem => a.urem(b),
        BinaryOp::SRem => a.srem(b),
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
        BinaryOp::Shl => a.shl(b),
        BinaryOp::LShr => a.lshr(b),
        BinaryOp::AShr => a.ashr(b),
        _ => return None,
    })
}

fn compare(op: CompareOp, a: &Bv, b: &Bv) -> Option<bool> {
    Some(match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::Ult => a.ult(b),
        CompareOp::Ule => a.ule(b),
        CompareOp::Slt => a.slt(b),
        CompareOp::Sle => a.sle(b),
        _ => return None,
    })
}

fn overflow(op: OverflowOp, a: &Bv, b: &Bv) -> bool {
    let wide = 2 * a.width() + 2;
    let (sign, zero) = ((a.sext(wide), b.sext(wide)), (a.zext(wide), b.zext(wide)));
    let signed = |exact: Bv| exact.trunc(a.width()).sext(wide) != exact;
    let unsigned = |exact: Bv| exact.trunc(a.width()).zext(wide) != exact;
    match op {
        OverflowOp::UAdd => unsigned(zero.0.add(&zero.1)),
        OverflowOp::SAdd => signed(sign.0.add(&sign.1)),
        OverflowOp::USub => unsigned(zero.0.sub(&zero.1)),
        OverflowOp::SSub => signed(sign.0.sub(&sign.1)),
        OverflowOp::UMul => unsigned(zero.0.mul(&zero.1)),
        OverflowOp::SMul => signed(sign.0.mul(&sign.1)),
    }
}

fn unary(op: UnaryOp, a: &Bv) -> Option<Bv> {
    let width = a.width();
    let bits: Vec<bool> = (0..width).map(|index| a.bit(index)).collect();
    let from_bits = |bits: Vec<bool>| {
        bits.iter().rev().fold(Bv::zero(width), |value, &bit| {
            value.shl_by(1).or(&Bv::from_u64(bit.into(), width))
        })
    };
    Some(match op {
        UnaryOp::CtPop => {
            let ones = bits.iter().filter(|&&bit| bit).count();
            Bv::from_u64(ones as u64, width)
        }
        UnaryOp::CtLz => {
            let zeros = bits.iter().rev().take_while(|&&bit| !bit).count();
            Bv::from_u64(zeros as u64, width)
        }
        UnaryOp::CtTz => {
            let zeros = bits.iter().take_while(|&&bit| !bit).count();
            Bv::from_u64(zeros as u64, width)
        }
        UnaryOp::BSwap if width % 16 == 0 => {
            from_bits(bits.chunks(8).rev().flatten().copied().collect())
        }
        UnaryOp::BitReverse => from_bits(bits.into_iter().rev().collect()),
        _ => return None,
    })
}

#[test]
fn integers_of_every_width_are_exact() {
    let mut rng = Rng::new(1);
    for width in [
        1, 2, 3, 7, 8, 16, 31, 32, 33, 48, 63, 64, 65, 80, 127, 128, 129, 200, 256,
    ] {
        for _ in 0..12 {
            let (a, b) = (interesting(&mut rng, width), interesting(&mut rng, width));
            let (x, y) = (format!("{}:i{width}", a.to_dec()), b.to_dec());
            let mut types = Vec::new();
            let mut lines = String::new();
            let mut values = Vec::new();
            let mut expected = Vec::new();
            let mut add = |line: String, result: Bv| {
                let value = format!("v{}", values.len() + 1);
                lines.push_str(&format!("    {value} = {line}\n"));
                values.push(value);
                types.push(format!("i{}", result.width()));
                expected.push(result);
            };
            // A register on the left, a constant on the right.
            let start = format!("    v0 = copy.i{width} {x}\n");
            for op in BinaryOp::ALL {
                if let Some(result) = binary(*op, &a, &b) {
                    add(format!("{op}.i{width} v0, {y}"), result);
                }
            }
            for op in CompareOp::ALL {
                if let Some(result) = compare(*op, &a, &b) {
                    add(format!("{op}.i{width} v0, {y}"), Bv::from_bool(result));
                }
            }
            for op in OverflowOp::ALL {
                let result = overflow(*op, &a, &b);
                add(format!("{op}.i{width} v0, {y}"), Bv::from_bool(result));
            }
            for op in UnaryOp::ALL {
                if let Some(result) = unary(*op, &a) {
                    add(format!("{op}.i{width} v0"), result);
                }
            }
            for other in [1, 8, 31, 32, 64, 65, 128, 300] {
                if other > width {
                    add(format!("zext.i{width}.i{other} v0"), a.zext(other));
                    add(format!("sext.i{width}.i{other} v0"), a.sext(other));
                }
                if other < width {
                    add(format!("trunc.i{width}.i{other} v0"), a.trunc(other));
                }
            }
            let chosen = if a.bit(0) { a.clone() } else { b.clone() };
            add(
                format!("select.i{width} {}, v0, {y}", u8::from(a.bit(0))),
                chosen,
            );
            let lines = start + &lines;
            assert_eq!(results(&types, &lines, &values), expected, "{lines}");
        }
    }
}

#[test]
fn floats_of_the_machine_are_the_machine_s() {
    let mut rng = Rng::new(2);
    for _ in 0..300 {
        let mut pick = |count: u64| match rng.below(5) {
            0 => ((rng.below(40) as f64 - 20.0) / 4.0).to_bits(),
            1 => [0.0, -0.0, f64::INFINITY, f64::NAN, f64::MIN_POSITIVE][rng.index(5)].to_bits(),
            _ => rng.next_u64() >> (rng.below(2) * count),
        };
        let (a, b) = (pick(1), pick(2));
        let (x, y) = (f64::from_bits(a), f64::from_bits(b));
        let canonical = |x: f64| {
            if x.is_nan() {
                f64::NAN.to_bits()
            } else {
                x.to_bits()
            }
        };
        let lines = format!(
            "    v0 = copy.f64 {a:#x}
    v1 = copy.f64 {b:#x}
    v2 = fadd.f64 v0, v1
    v3 = fsub.f64 v0, v1
    v4 = fmul.f64 v0, v1
    v5 = fdiv.f64 v0, v1
    v6 = frem.f64 v0, v1
    v7 = fsqrt.f64 v0
    v8 = ffloor.f64 v0
    v9 = fceil.f64 v0
    v10 = ftrunc.f64 v0
    v11 = fround.f64 v0
    v12 = frint.f64 v0
    v13 = fneg.f64 v0
    v14 = fabs.f64 v0
    v15 = ftof.f64.f32 v0
    v16 = ftof.f32.f64 v15
    v17 = ftos.f64.i32 v0
    v18 = ftou.f64.i64 v0
    v19 = folt.f64 v0, v1
    v20 = fune.f64 v0, v1
    v21 = fule.f64 v1, v0
"
        );
        let whole = x.trunc();
        let expected = [
            canonical(x + y),
            canonical(x - y),
            canonical(x * y),
            canonical(x / y),
            canonical(x % y),
            canonical(x.sqrt()),
            canonical(x.floor()),
            canonical(x.ceil()),
            canonical(x.trunc()),
            canonical(x.round()),
            canonical(x.round_ties_even()),
            a ^ 1 << 63,
            a & !(1 << 63),
            u64::from(if x.is_nan() { f32::NAN } else { x as f32 }.to_bits()),
            canonical(f64::from(x as f32)),
            match whole {
                w if (-2147483648.0..=2147483647.0).contains(&w) => u64::from(w as i32 as u32),
                _ => 0x8000_0000,
            },
            match whole {
                w if (0.0..18446744073709551616.0).contains(&w) => w as u64,
                _ => u64::MAX,
            },
            u64::from(x < y),
            u64::from(x != y),
            u64::from(x.is_nan() || y.is_nan() || y <= x),
        ];
        let mut types = vec!["f64".to_string(); 20];
        for (index, ty) in [
            (13, "f32"),
            (15, "i32"),
            (16, "i64"),
            (17, "i1"),
            (18, "i1"),
            (19, "i1"),
        ] {
            types[index] = ty.to_string();
        }
        let values: Vec<String> = (2..22).map(|index| format!("v{index}")).collect();
        let found: Vec<u64> = results(&types, &lines, &values)
            .iter()
            .map(Bv::low_u64)
            .collect();
        assert_eq!(found, expected, "{x:?} {y:?}");
    }
}

#[test]
fn minimum_and_maximum_prefer_numbers_and_know_the_sign_of_zero() {
    // 0x3c00 is 1, 0x8000 is -0, 0x7e00 is NaN in half precision.
    check_start(
        " -> f16, f16, f16, f16, f64, f32",
        "b0:
            v0 = fmin.f16 0x7e00, 0x3c00
            v1 = fmax.f16 0x3c00, 0x7e01
            v2 = fmin.f16 0x0000, 0x8000
            v3 = fmax.f16 0x8000, 0x0000
            v4 = fmin.f64 0x0, 0x8000000000000000
            v5 = fmax.f32 0x7fc00001, 0x7f800001
            return v0, v1, v2, v3, v4, v5",
        "returned 3c00, 3c00, 8000, 0, 8000000000000000, 7fc00000",
    );
}

#[test]
fn wide_floats_are_exact() {
    // 1/3 in the x87 format and in quadruple precision, and the square root of 2.
    check_start(
        " -> f80, f128, f80, f128, i64, f64, i200, f128",
        "b0:
            v0 = fdiv.f80 0x3fff8000000000000000, 0x4000c000000000000000
            v1 = fdiv.f128 0x3fff0000000000000000000000000000, 0x40008000000000000000000000000000
            v2 = fsqrt.f80 0x40008000000000000000
            v3 = fsqrt.f128 0x40000000000000000000000000000000
            v4 = ftos.f80.i64 0xc000c000000000000000
            v5 = ftof.f80.f64 v0
            v6 = ftou.f128.i200 0x409f0000000000000000000000000000
            v7 = utof.i200.f128 v6
            return v0, v1, v2, v3, v4, v5, v6, v7",
        "returned 3ffdaaaaaaaaaaaaaaab, 3ffd5555555555555555555555555555, \
         3fffb504f333f9de6484, 3fff6a09e667f3bcc908b2fb1366ea95, -3, 3fd5555555555555, \
         1461501637330902918203684832716283019655932542976, 409f0000000000000000000000000000",
    );
}

#[test]
fn integers_become_floats_rounded_once() {
    check_start(
        " -> f32, f64, f32, f16, f16, f80",
        "b0:
            v0 = utof.i64.f32 0x8000008000000001
            v1 = stof.i64.f64 -9007199254740993
            v2 = stof.i128.f32 -1
            v3 = utof.i32.f16 65519
            v4 = utof.i32.f16 65520
            v5 = utof.i256.f80 0xffffffffffffffff800000000000000000000000000000000000000000000001
            return v0, v1, v2, v3, v4, v5",
        "returned 5f000001, c340000000000000, bf800000, 7bff, 7c00, 40ff8000000000000000",
    );
}

#[test]
fn pointers_are_addresses_with_an_object() {
    check_start(
        " -> i1, i1, i1, i64, i64, i1, i32",
        "b0:
            v0 = alloc.stack 16
            v1 = offset v0, 8
            v2 = eq.ptr v0, v1
            v3 = ult.ptr v0, v1
            v4 = ptrtoint.ptr.i64 v1
            v5 = inttoptr.i64.ptr v4
            v6 = eq.ptr v1, v5
            v7 = object_offset v5
            v8 = object_size v5
            v9 = is_deref.read v5, 9
            store.i32 v5, 7
            v10 = offset v0, 8
            v11 = load.i32 v10
            return v2, v3, v6, v7, v8, v9, v11",
        "returned 0, -1, -1, 8, 16, 0, 7",
    );
}
