//! Every operation on sets of special floats keeps every result, and the order has the laws that the engine needs.

use ir::syntax::{BinaryOp, CastOp, CompareOp, UnaryOp};

use crate::domains::{Int, Thresholds, compare, mask};

/// Where formats have their corners: bits of zeros, the smallest, one, the largest, infinities, NaNs, and numbers between.
fn special(width: u32) -> Vec<u64> {
    let positive: Vec<u64> = match width {
        32 => [
            0.0f32,
            f32::from_bits(1),
            f32::MIN_POSITIVE,
            0.1,
            1.0,
            1.5,
            3.0,
            16777217.0,
            f32::MAX,
            f32::INFINITY,
            f32::NAN,
        ]
        .iter()
        .map(|x| u64::from(x.to_bits()))
        .chain([0x7f80_0001, 0x7fff_ffff])
        .collect(),
        _ => [
            0.0f64,
            f64::from_bits(1),
            f64::MIN_POSITIVE,
            0.1,
            1.0,
            2.5,
            3.0,
            1e300,
            f64::MAX,
            f64::INFINITY,
            f64::NAN,
        ]
        .iter()
        .map(|x| x.to_bits())
        .chain([0x7ff0_0000_0000_0001, mask(63)])
        .collect(),
    };
    let sign = 1u64 << (width - 1);
    let negative: Vec<u64> = positive.iter().map(|bits| bits | sign).collect();
    [positive, negative].concat()
}

fn float(bits: u64, width: u32) -> f64 {
    match width {
        32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// The members that are tried, in sets that float operations know of: one, and from one to another.
fn sets(width: u32) -> Vec<(Int, Vec<u64>)> {
    let all = special(width);
    let mut found = vec![(Int::top(width), all.clone())];
    for &a in &all {
        found.push((Int::constant(a, width), vec![a]));
        for &b in &all {
            let (low, high) = (float(a, width), float(b, width));
            if low < high || low == high && a != b {
                let (from, to) = (Int::constant(a, width), Int::constant(b, width));
                let top = Int::top(width);
                let Some((_, above)) = compare::assume(CompareOp::FOle, &from, &top) else {
                    panic!("nothing is above {low}");
                };
                let Some((both, _)) = compare::assume(CompareOp::FOle, &above, &to) else {
                    panic!("nothing is between {low} and {high}");
                };
                let inside = |bits: &&u64| {
                    let x = float(**bits, width);
                    low <= x && x <= high
                };
                found.push((both, all.iter().filter(inside).copied().collect()));
            }
        }
    }
    found
}

/// The result that a machine gives; none for what is no operation on floats.
fn meaning(op: BinaryOp, a: u64, b: u64, width: u32) -> u64 {
    match width {
        32 => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            u64::from(
                match op {
                    BinaryOp::FAdd => x + y,
                    BinaryOp::FSub => x - y,
                    BinaryOp::FMul => x * y,
                    BinaryOp::FDiv => x / y,
                    BinaryOp::FRem => x % y,
                    BinaryOp::FMin => x.min(y),
                    BinaryOp::FMax => x.max(y),
                    _ => unreachable!("an operation on floats"),
                }
                .to_bits(),
            )
        }
        _ => {
            let (x, y) = (f64::from_bits(a), f64::from_bits(b));
            match op {
                BinaryOp::FAdd => x + y,
                BinaryOp::FSub => x - y,
                BinaryOp::FMul => x * y,
                BinaryOp::FDiv => x / y,
                BinaryOp::FRem => x % y,
                BinaryOp::FMin => x.min(y),
                BinaryOp::FMax => x.max(y),
                _ => unreachable!("an operation on floats"),
            }
            .to_bits()
        }
    }
}

#[test]
fn sets_have_the_members_that_they_are_made_of() {
    for width in [32, 64] {
        for (set, members) in sets(width) {
            for &bits in &members {
                assert!(set.contains(bits), "{bits:x} in {set:?}");
            }
            let is_nan = |bits: &u64| float(*bits, width).is_nan();
            // What compares is no NaN, and nothing beyond the ends.
            if members.iter().all(|bits| !is_nan(bits)) {
                let (low, high) = (
                    members
                        .iter()
                        .map(|&bits| float(bits, width))
                        .fold(f64::INFINITY, f64::min),
                    members
                        .iter()
                        .map(|&bits| float(bits, width))
                        .fold(f64::NEG_INFINITY, f64::max),
                );
                for bits in special(width) {
                    let x = float(bits, width);
                    assert!(
                        low <= x && x <= high || !set.contains(bits),
                        "{x} in {set:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn binary_operations_keep_every_result() {
    for width in [32, 64] {
        let sets = sets(width);
        for op in [
            BinaryOp::FAdd,
            BinaryOp::FSub,
            BinaryOp::FMul,
            BinaryOp::FDiv,
            BinaryOp::FRem,
            BinaryOp::FMin,
            BinaryOp::FMax,
        ] {
            for (a, xs) in sets.iter().step_by(3) {
                for (b, ys) in sets.iter().step_by(2) {
                    let out = Int::binary(op, a, b);
                    for &x in xs {
                        for &y in ys {
                            let result = meaning(op, x, y, width);
                            assert!(
                                out.contains(result),
                                "{op:?} {x:x} {y:x} is {result:x}, not in {out:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn sums_of_small_numbers_are_small() {
    let between = |low: f64, high: f64| {
        let (low, high) = (
            Int::constant(low.to_bits(), 64),
            Int::constant(high.to_bits(), 64),
        );
        let (_, above) = compare::assume(CompareOp::FOle, &low, &Int::top(64)).expect("numbers");
        compare::assume(CompareOp::FOle, &above, &high)
            .expect("numbers")
            .0
    };
    let sum = Int::binary(BinaryOp::FAdd, &between(-1.0, 2.0), &between(3.0, 4.0));
    assert!(sum.contains(2.0f64.to_bits()) && sum.contains(6.0f64.to_bits()));
    assert!(!sum.contains(6.5f64.to_bits()) && !sum.contains(1.5f64.to_bits()));
    assert!(!sum.contains(f64::NAN.to_bits()));
    let root = Int::unary(UnaryOp::FSqrt, &between(4.0, 9.0));
    assert!(root.contains(3.0f64.to_bits()) && !root.contains(3.5f64.to_bits()));
    let whole = Int::cast(CastOp::FToS, &between(-2.5, 7.9), 32);
    assert_eq!((whole.smin, whole.smax), (-2, 7));
    let product = Int::binary(
        BinaryOp::FMul,
        &between(0.0, f64::INFINITY),
        &between(0.0, 1.0),
    );
    assert!(product.contains(f64::NAN.to_bits()), "zero times infinity");
    assert!(!product.contains((-1.0f64).to_bits()));
}

#[test]
fn unary_operations_and_conversions_keep_every_result() {
    for width in [32, 64] {
        for (a, xs) in sets(width) {
            for &bits in &xs {
                let x = float(bits, width);
                let back = |number: f64| match width {
                    32 => u64::from((number as f32).to_bits()),
                    _ => number.to_bits(),
                };
                let sign = 1u64 << (width - 1);
                for (op, result) in [
                    (UnaryOp::FNeg, bits ^ sign),
                    (UnaryOp::FAbs, bits & !sign),
                    (UnaryOp::FSqrt, back(x.sqrt())),
                    (UnaryOp::FFloor, back(x.floor())),
                    (UnaryOp::FCeil, back(x.ceil())),
                    (UnaryOp::FTrunc, back(x.trunc())),
                    (UnaryOp::FRound, back(x.round())),
                    (UnaryOp::FRint, back(x.round_ties_even())),
                ] {
                    let out = Int::unary(op, &a);
                    assert!(
                        out.contains(result),
                        "{op:?} {x} is {result:x}, not in {out:?}"
                    );
                }
                let (wide, narrow) = (
                    Int::cast(CastOp::FToF, &a, 64),
                    Int::cast(CastOp::FToF, &a, 32),
                );
                assert!(wide.contains(x.to_bits()), "{x} in {wide:?}");
                assert!(
                    narrow.contains(u64::from((x as f32).to_bits())),
                    "{x} in {narrow:?}"
                );
                for to in [8, 32, 64] {
                    let smallest = -(2f64.powi(to - 1));
                    let inside = x.trunc() >= smallest && x.trunc() < -smallest;
                    let number = if inside {
                        x.trunc() as i64
                    } else {
                        smallest as i64
                    };
                    let out = Int::cast(CastOp::FToS, &a, to as u32);
                    assert!(
                        out.contains(number as u64 & mask(to as u32)),
                        "{x} in {out:?}"
                    );
                }
            }
        }
    }
    for (low, high) in [
        (-5i64, 7i64),
        (0, i64::MAX),
        (i64::MIN, -1),
        (16_777_217, 16_777_219),
    ] {
        let from = Int::between_signed(low, high, 64).expect("numbers");
        for number in [low, high, low / 2 + high / 2] {
            let (wide, narrow) = (
                Int::cast(CastOp::SToF, &from, 64),
                Int::cast(CastOp::SToF, &from, 32),
            );
            assert!(wide.contains((number as f64).to_bits()));
            assert!(narrow.contains(u64::from((number as f32).to_bits())));
            let unsigned = Int::cast(CastOp::UToF, &from, 64);
            assert!(unsigned.contains((number as u64 as f64).to_bits()));
        }
    }
}

const COMPARISONS: [CompareOp; 10] = [
    CompareOp::FOeq,
    CompareOp::FOlt,
    CompareOp::FOle,
    CompareOp::FOne,
    CompareOp::FOrd,
    CompareOp::FUeq,
    CompareOp::FUlt,
    CompareOp::FUle,
    CompareOp::FUne,
    CompareOp::FUno,
];

fn compares(op: CompareOp, x: f64, y: f64) -> bool {
    let unordered = x.is_nan() || y.is_nan();
    match op {
        CompareOp::FOeq => x == y,
        CompareOp::FOlt => x < y,
        CompareOp::FOle => x <= y,
        CompareOp::FOne => !(x.is_nan() || y.is_nan()) && x != y,
        CompareOp::FOrd => !unordered,
        CompareOp::FUeq => unordered || x == y,
        CompareOp::FUlt => unordered || x < y,
        CompareOp::FUle => unordered || x <= y,
        CompareOp::FUne => x != y,
        CompareOp::FUno => unordered,
        _ => unreachable!("a comparison of floats"),
    }
}

#[test]
fn comparisons_keep_every_outcome() {
    let (mut decided, mut narrowed) = (0, 0);
    for width in [32, 64] {
        let sets = sets(width);
        for op in COMPARISONS {
            let (opposite, swapped) = compare::negated(op).expect("there is one");
            for (a, xs) in sets.iter().step_by(2) {
                for (b, ys) in sets.iter().step_by(3) {
                    let said = compare::decide(op, a, b);
                    let kept = compare::assume(op, a, b);
                    decided += usize::from(said.is_some());
                    narrowed += usize::from(kept.is_none_or(|(x, y)| x != *a || y != *b));
                    for &i in xs {
                        for &j in ys {
                            let (x, y) = (float(i, width), float(j, width));
                            let outcome = compares(op, x, y);
                            assert!(
                                said.is_none_or(|said| said == outcome),
                                "{op:?} {x} {y}: {said:?}, {a:?} {b:?}"
                            );
                            let other = if swapped {
                                compares(opposite, y, x)
                            } else {
                                compares(opposite, x, y)
                            };
                            assert_ne!(outcome, other, "{op:?} and {opposite:?} of {x} {y}");
                            if outcome {
                                let (p, q) =
                                    kept.unwrap_or_else(|| panic!("{op:?} of {x} and {y} holds"));
                                assert!(
                                    p.contains(i) && q.contains(j),
                                    "{op:?} {x} {y}: {p:?} {q:?}"
                                );
                            }
                        }
                    }
                }
            }
        }
    }
    assert!(
        decided > 1000 && narrowed > 1000,
        "{decided} decided, {narrowed} narrowed"
    );
}

#[test]
fn join_meet_and_order_agree_with_the_sets() {
    for width in [32, 64] {
        let sets = sets(width);
        for (a, xs) in sets.iter().step_by(2) {
            for (b, ys) in sets.iter().step_by(3) {
                let joined = a.join(b);
                let met = a.meet(b);
                for &bits in xs {
                    assert!(joined.contains(bits), "{bits:x} in {joined:?}");
                    if ys.contains(&bits) {
                        assert!(
                            met.is_some_and(|met| met.contains(bits)),
                            "{bits:x} in {met:?}"
                        );
                    }
                    assert!(!a.is_within(b) || b.contains(bits), "{a:?} within {b:?}");
                }
                assert!(
                    a.is_within(&joined) && b.is_within(&joined),
                    "{a:?} {b:?} {joined:?}"
                );
                assert_eq!(joined, b.join(a));
                assert_eq!(a.join(a), *a);
            }
        }
    }
}

#[test]
fn widening_ends() {
    let thresholds =
        Thresholds::new([(10.0f64.to_bits(), 64), ((-2.0f64).to_bits(), 64)].into_iter());
    let step = Int::constant(0.25f64.to_bits(), 64);
    for op in [
        BinaryOp::FAdd,
        BinaryOp::FSub,
        BinaryOp::FMul,
        BinaryOp::FDiv,
    ] {
        let mut x = Int::constant(1.0f64.to_bits(), 64);
        let mut rounds = 0;
        loop {
            let next = Int::binary(op, &x, &step);
            if next.is_within(&x) {
                break;
            }
            x = x.widen(&x.join(&next), &thresholds);
            rounds += 1;
            assert!(rounds < 40, "{op:?}: {x:?}");
        }
    }
}
