//! Bit-vector values against integers: exhaustively at small widths, at random above, and as text.

use base::Bv;

/// A small deterministic generator (xorshift), so that a failure repeats.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // Extreme words are where carries go wrong.
        match self.0 % 7 {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << (self.0 >> 40 & 63),
            _ => self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15),
        }
    }

    fn bv(&mut self, width: u32) -> Bv {
        let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.word()).collect();
        Bv::from_words(&words, width)
    }
}

fn signed(value: u128, width: u32) -> i128 {
    let unused = 128 - width;
    (value << unused) as i128 >> unused
}

/// Checks every operation on `a` and `b` against integers that are wide enough (width at most 60 for products).
fn check_against_integers(a: u128, b: u128, width: u32) {
    let (x, y) = (Bv::from_u128(a, width), Bv::from_u128(b, width));
    let (sa, sb) = (signed(a, width), signed(b, width));
    let modulus = 1i128 << width;
    let bits = |value: i128| Bv::from_i128(value, width);
    let (low, high) = (-(modulus / 2), modulus / 2 - 1);
    let outside = |value: i128| value < low || value > high;
    let (ia, ib) = (a as i128, b as i128);
    let context = format!("{x} {y}");

    assert_eq!(x.add(&y), bits(ia + ib), "add {context}");
    assert_eq!(x.sub(&y), bits(ia - ib), "sub {context}");
    assert_eq!(x.mul(&y), bits(ia * ib), "mul {context}");
    assert_eq!(x.neg(), bits(-ia), "neg {context}");
    assert_eq!(
        x.udiv(&y),
        if b == 0 {
            Bv::ones(width)
        } else {
            bits(ia / ib)
        },
        "udiv {context}"
    );
    assert_eq!(
        x.urem(&y),
        if b == 0 { x.clone() } else { bits(ia % ib) },
        "urem {context}"
    );
    let quotient = if sb == 0 {
        if sa < 0 { 1 } else { -1 }
    } else {
        sa / sb
    };
    assert_eq!(x.sdiv(&y), bits(quotient), "sdiv {context}");
    assert_eq!(
        x.srem(&y),
        if sb == 0 { x.clone() } else { bits(sa % sb) },
        "srem {context}"
    );
    let modulo = if sb == 0 {
        sa
    } else {
        sa - sb * div_floor(sa, sb)
    };
    assert_eq!(x.smod(&y), bits(modulo), "smod {context}");
    assert_eq!(x.and(&y), Bv::from_u128(a & b, width), "and {context}");
    assert_eq!(x.or(&y), Bv::from_u128(a | b, width), "or {context}");
    assert_eq!(x.xor(&y), Bv::from_u128(a ^ b, width), "xor {context}");
    assert_eq!(x.not(), bits(-1 - ia), "not {context}");
    let shift = b.min(u128::from(width)) as u32;
    assert_eq!(x.shl(&y), bits(ia << shift), "shl {context}");
    assert_eq!(x.lshr(&y), bits(ia >> shift), "lshr {context}");
    assert_eq!(x.ashr(&y), bits(sa >> shift), "ashr {context}");
    assert_eq!(
        (x.ult(&y), x.ule(&y), x.ugt(&y), x.uge(&y)),
        (a < b, a <= b, a > b, a >= b),
        "{context}"
    );
    assert_eq!(
        (x.slt(&y), x.sle(&y), x.sgt(&y), x.sge(&y)),
        (sa < sb, sa <= sb, sa > sb, sa >= sb),
        "{context}"
    );
    assert_eq!(x.uaddo(&y), ia + ib >= modulus, "uaddo {context}");
    assert_eq!(x.usubo(&y), ia < ib, "usubo {context}");
    assert_eq!(x.umulo(&y), ia * ib >= modulus, "umulo {context}");
    assert_eq!(x.saddo(&y), outside(sa + sb), "saddo {context}");
    assert_eq!(x.ssubo(&y), outside(sa - sb), "ssubo {context}");
    assert_eq!(x.smulo(&y), outside(sa * sb), "smulo {context}");
    assert_eq!(x.nego(), outside(-sa), "nego {context}");
    assert_eq!(x.sdivo(&y), sb != 0 && outside(sa / sb), "sdivo {context}");
    assert_eq!(x.count_ones(), a.count_ones(), "{context}");
    assert_eq!(
        x.leading_zeros(),
        a.leading_zeros() - (128 - width),
        "{context}"
    );
    assert_eq!(
        x.trailing_zeros(),
        a.trailing_zeros().min(width),
        "{context}"
    );
    assert_eq!(x.to_i64(), i64::try_from(sa).ok(), "{context}");
    assert_eq!(x.to_u64(), u64::try_from(a).ok(), "{context}");
    assert_eq!(
        (x.is_zero(), x.is_ones(), x.is_int_min()),
        (a == 0, sa == -1, sa == low),
        "{context}"
    );
    assert_eq!(x.cmp(&y), a.cmp(&b), "{context}");
}

fn div_floor(a: i128, b: i128) -> i128 {
    let quotient = a / b;
    if a % b != 0 && (a < 0) != (b < 0) {
        quotient - 1
    } else {
        quotient
    }
}

#[test]
fn every_operation_agrees_with_integers_at_widths_one_to_five() {
    for width in 1..=5 {
        for a in 0..1 << width {
            for b in 0..1 << width {
                check_against_integers(a, b, width);
            }
        }
    }
}

#[test]
fn every_operation_agrees_with_integers_at_random() {
    let mut random = Random(7);
    for _ in 0..20_000 {
        let width = 6 + (random.word() % 55) as u32;
        let (a, b) = (random.bv(width), random.bv(width));
        check_against_integers(
            a.to_u128().expect("fits"),
            b.to_u128().expect("fits"),
            width,
        );
    }
}

#[test]
fn wide_operations_are_those_of_a_ring_with_division() {
    let mut random = Random(11);
    for round in 0..20_000 {
        let width = 60 + (random.word() % 300) as u32;
        let (a, b, c) = (random.bv(width), random.bv(width), random.bv(width));
        let context = format!("round {round}: {a} {b} {c}");
        assert_eq!(a.add(&b).sub(&b), a, "{context}");
        assert_eq!(a.mul(&b.add(&c)), a.mul(&b).add(&a.mul(&c)), "{context}");
        assert_eq!(a.neg(), Bv::zero(width).sub(&a), "{context}");
        let divisor = b.lshr_by((random.word() % u64::from(width)) as u32);
        if !divisor.is_zero() {
            let (quotient, rest) = (a.udiv(&divisor), a.urem(&divisor));
            assert!(rest.ult(&divisor), "{context}");
            assert!(!quotient.umulo(&divisor), "{context}");
            assert_eq!(quotient.mul(&divisor).add(&rest), a, "{context}");
            assert_eq!(
                a.sdiv(&divisor).mul(&divisor).add(&a.srem(&divisor)),
                a,
                "{context}"
            );
        }
        assert_eq!(a.udiv(&Bv::zero(width)), Bv::ones(width), "{context}");
        assert_eq!(a.urem(&Bv::zero(width)), a, "{context}");
        // Overflow predicates against twice the width.
        let wide = 2 * width;
        let fits = |exact: &Bv| exact.trunc(width).sext(wide) == *exact;
        assert_eq!(
            a.smulo(&b),
            !fits(&a.sext(wide).mul(&b.sext(wide))),
            "{context}"
        );
        assert_eq!(
            a.saddo(&b),
            !fits(&a.sext(wide).add(&b.sext(wide))),
            "{context}"
        );
        assert_eq!(
            a.ssubo(&b),
            !fits(&a.sext(wide).sub(&b.sext(wide))),
            "{context}"
        );
        assert_eq!(
            a.umulo(&b),
            a.zext(wide).mul(&b.zext(wide)).extract(wide - 1, width) != Bv::zero(width)
        );
        assert_eq!(
            a.uaddo(&b),
            a.zext(wide).add(&b.zext(wide)).bit(width),
            "{context}"
        );
    }
}

#[test]
fn structure_is_kept_bit_by_bit() {
    let mut random = Random(13);
    for _ in 0..5_000 {
        let width = 1 + (random.word() % 200) as u32;
        let value = random.bv(width);
        let other_width = 1 + (random.word() % 200) as u32;
        let other = random.bv(other_width);
        let joined = value.concat(&other);
        assert_eq!(joined.width(), width + other_width);
        assert_eq!(joined.to_bin(), value.to_bin() + &other.to_bin());
        assert_eq!(joined.extract(width + other_width - 1, other_width), value);
        assert_eq!(joined.trunc(other_width), other);
        let wide = width + (random.word() % 100) as u32;
        let fill = (wide - width) as usize;
        assert_eq!(
            value.zext(wide).to_bin(),
            "0".repeat(fill) + &value.to_bin()
        );
        let sign = if value.is_negative() { "1" } else { "0" };
        assert_eq!(
            value.sext(wide).to_bin(),
            sign.repeat(fill) + &value.to_bin()
        );
        let amount = (random.word() % u64::from(width + 3)) as u32;
        let kept = width.saturating_sub(amount) as usize;
        let gone = "0".repeat(width as usize - kept);
        assert_eq!(
            value.shl_by(amount).to_bin(),
            value.to_bin()[width as usize - kept..].to_string() + &gone
        );
        assert_eq!(
            value.lshr_by(amount).to_bin(),
            gone.clone() + &value.to_bin()[..kept]
        );
        let by = Bv::from_u64(u64::from(amount), width);
        if by.to_u64() == Some(u64::from(amount)) {
            assert_eq!(
                value.ashr(&by).to_bin(),
                sign.repeat(gone.len()) + &value.to_bin()[..kept]
            );
        }
    }
}

#[test]
fn a_value_reads_back_from_its_text() {
    let mut random = Random(17);
    for _ in 0..3_000 {
        let width = 1 + (random.word() % 300) as u32;
        let value = random.bv(width);
        assert_eq!(value.to_string().parse(), Ok(value.clone()));
        assert_eq!(Bv::from_dec(&value.to_dec(), width), Ok(value.clone()));
        assert_eq!(
            Bv::from_dec(&value.to_dec_signed(), width),
            Ok(value.clone())
        );
        assert_eq!(
            Bv::from_digits(&value.to_bin(), 2, width),
            Ok(value.clone())
        );
    }
}

#[test]
fn text_is_what_a_reader_expects() {
    assert_eq!(Bv::from_u64(42, 8).to_string(), "0x2a:8");
    assert_eq!(Bv::from_i64(-1, 70).to_string(), "0x3fffffffffffffffff:70");
    assert_eq!(Bv::from_i64(-5, 8).to_dec(), "251");
    assert_eq!(Bv::from_i64(-5, 8).to_dec_signed(), "-5");
    assert_eq!(
        Bv::ones(200).to_dec(),
        "1606938044258990275541962092341162602522202993782792835301375"
    );
    assert_eq!("-1:8".parse(), Ok(Bv::ones(8)));
    assert_eq!("0b101:3".parse(), Ok(Bv::from_u64(5, 3)));
}

#[test]
fn text_that_is_no_value_is_refused() {
    for text in [
        "",
        "5",
        "5:",
        "5:0",
        "256:8",
        "-129:8",
        "x:8",
        "0xg:8",
        ":8",
        "+5:8",
        "5:99999999",
        "--5:8",
        "0x:8",
    ] {
        assert!(text.parse::<Bv>().is_err(), "{text:?} was read");
    }
    for text in ["", "12x", "36893488147419103232", "+1"] {
        assert!(Bv::from_digits(text, 10, 65).is_err(), "{text:?} was read");
    }
}

#[test]
fn equal_values_are_one_value_however_they_were_made() {
    let a = Bv::from_words(&[5, u64::MAX], 65);
    let b = Bv::from_words(&[5, 1, 9], 65);
    assert_eq!(a, b);
    assert_eq!(Bv::from_u64(0x1ff, 8), Bv::from_i64(-1, 8));
    assert_eq!(size_of::<Bv>(), 24);
}
