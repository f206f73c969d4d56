//! Exhaustive tests at small widths: every operation is sound for every pair of descriptions that come
//! from few values, and the order is a lattice as far as the engine needs it.

use base::Bv;
use ir::syntax::{BinaryOp, CastOp, CompareOp, OverflowOp, UnaryOp};

use super::{Int, Thresholds, compare, mask, signed};

const INTEGER_OPS: [BinaryOp; 13] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::UDiv,
    BinaryOp::SDiv,
    BinaryOp::URem,
    BinaryOp::SRem,
    BinaryOp::And,
    BinaryOp::Or,
    BinaryOp::Xor,
    BinaryOp::Shl,
    BinaryOp::LShr,
    BinaryOp::AShr,
];

/// The meaning by `base`, written apart from ours.
fn meaning(op: BinaryOp, a: u64, b: u64, width: u32) -> u64 {
    let (a, b) = (Bv::from_u64(a, width), Bv::from_u64(b, width));
    let result = match op {
        BinaryOp::Add => a.add(&b),
        BinaryOp::Sub => a.sub(&b),
        BinaryOp::Mul => a.mul(&b),
        BinaryOp::UDiv => a.udiv(&b),
        BinaryOp::SDiv => a.sdiv(&b),
        BinaryOp::URem => a.urem(&b),
        BinaryOp::SRem => a.srem(&b),
        BinaryOp::And => a.and(&b),
        BinaryOp::Or => a.or(&b),
        BinaryOp::Xor => a.xor(&b),
        BinaryOp::Shl => a.shl(&b),
        BinaryOp::LShr => a.lshr(&b),
        BinaryOp::AShr => a.ashr(&b),
        BinaryOp::FAdd
        | BinaryOp::FSub
        | BinaryOp::FMul
        | BinaryOp::FDiv
        | BinaryOp::FRem
        | BinaryOp::FMin
        | BinaryOp::FMax => unreachable!("no operation on integers"),
    };
    result.low_u64()
}

fn members(x: &Int) -> Vec<u64> {
    (0..=mask(x.width)).filter(|&v| x.contains(v)).collect()
}

/// Descriptions of all sets of one and two values, of some of three, of all intervals in both views, and of everything.
fn descriptions(width: u32) -> Vec<Int> {
    let all = mask(width);
    let mut found = vec![Int::top(width)];
    for a in 0..=all {
        for b in a..=all {
            let pair = Int::constant(a, width).join(&Int::constant(b, width));
            found.push(pair);
            found.push(pair.join(&Int::constant((a * 5 + b * 3 + 1) & all, width)));
            found.extend(Int::between(a, b, width));
            let (x, y) = (signed(a, width), signed(b, width));
            found.extend(Int::between_signed(x.min(y), x.max(y), width));
        }
    }
    found.sort_by_key(|x| {
        (
            x.umin, x.umax, x.smin, x.smax, x.zeros, x.ones, x.step, x.rest,
        )
    });
    found.dedup();
    found
}

#[test]
fn binary_operations_keep_every_result() {
    for width in [1, 3, 4] {
        let list = descriptions(width);
        let sets: Vec<Vec<u64>> = list.iter().map(members).collect();
        for op in INTEGER_OPS {
            for (a, left) in list.iter().zip(&sets) {
                for (b, right) in list.iter().zip(&sets) {
                    let out = Int::binary(op, a, b);
                    for &x in left {
                        for &y in right {
                            let result = meaning(op, x, y, width);
                            assert!(
                                out.contains(result),
                                "{op:?} of {x} and {y} is {result}, not in {out:?} from {a:?} and {b:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn comparisons_and_overflows_keep_every_outcome() {
    let comparisons = [
        CompareOp::Eq,
        CompareOp::Ne,
        CompareOp::Ult,
        CompareOp::Ule,
        CompareOp::Slt,
        CompareOp::Sle,
    ];
    let overflows = [
        OverflowOp::UAdd,
        OverflowOp::SAdd,
        OverflowOp::USub,
        OverflowOp::SSub,
        OverflowOp::UMul,
        OverflowOp::SMul,
    ];
    for width in [1, 3, 4] {
        let list = descriptions(width);
        let sets: Vec<Vec<u64>> = list.iter().map(members).collect();
        for (a, left) in list.iter().zip(&sets) {
            for (b, right) in list.iter().zip(&sets) {
                for op in comparisons {
                    let said = compare::decide(op, a, b);
                    let assumed = compare::assume(op, a, b);
                    for &x in left {
                        for &y in right {
                            let (vx, vy) = (Bv::from_u64(x, width), Bv::from_u64(y, width));
                            let (sx, sy) = (vx.to_i64().unwrap(), vy.to_i64().unwrap());
                            let holds = match op {
                                CompareOp::Eq => x == y,
                                CompareOp::Ne => x != y,
                                CompareOp::Ult => x < y,
                                CompareOp::Ule => x <= y,
                                CompareOp::Slt => sx < sy,
                                _ => sx <= sy,
                            };
                            assert!(said.is_none_or(|said| said == holds), "{op:?} {a:?} {b:?}");
                            if holds {
                                let (na, nb) = assumed.expect("there is a pair");
                                assert!(na.contains(x) && nb.contains(y), "{op:?} {a:?} {b:?}");
                            }
                            if let Some((opposite, swap)) = compare::negated(op) {
                                let (p, q) = if swap { (y, x) } else { (x, y) };
                                let other = super::concrete::compare(opposite, p, q, width);
                                assert_eq!(other, Some(!holds));
                            }
                        }
                    }
                }
                for op in overflows {
                    let said = compare::overflows(op, a, b);
                    let exact = compare::exact_result(op, a, b);
                    let assumed = compare::assume_exact(op, a, b);
                    for &x in left {
                        for &y in right {
                            let (vx, vy) = (Bv::from_u64(x, width), Bv::from_u64(y, width));
                            let (leaves, result) = match op {
                                OverflowOp::UAdd => (vx.uaddo(&vy), vx.add(&vy)),
                                OverflowOp::SAdd => (vx.saddo(&vy), vx.add(&vy)),
                                OverflowOp::USub => (vx.usubo(&vy), vx.sub(&vy)),
                                OverflowOp::SSub => (vx.ssubo(&vy), vx.sub(&vy)),
                                OverflowOp::UMul => (vx.umulo(&vy), vx.mul(&vy)),
                                OverflowOp::SMul => (vx.smulo(&vy), vx.mul(&vy)),
                            };
                            assert!(said.is_none_or(|said| said == leaves), "{op:?} {a:?} {b:?}");
                            if !leaves {
                                let result = result.low_u64();
                                assert!(exact.expect("a result").contains(result));
                                let (na, nb) = assumed.expect("there is a pair");
                                assert!(na.contains(x) && nb.contains(y), "{op:?} {a:?} {b:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn unary_operations_and_casts_keep_every_result() {
    for width in [1, 3, 4] {
        for a in descriptions(width) {
            for x in members(&a) {
                let bv = Bv::from_u64(x, width);
                let results = [
                    (UnaryOp::CtPop, u64::from(bv.count_ones())),
                    (UnaryOp::CtLz, u64::from(bv.leading_zeros())),
                    (UnaryOp::CtTz, u64::from(bv.trailing_zeros())),
                    (UnaryOp::BitReverse, x.reverse_bits() >> (64 - width)),
                ];
                for (op, result) in results {
                    let out = Int::unary(op, &a);
                    let result = result & mask(width);
                    assert!(
                        out.contains(result),
                        "{op:?} of {x}: {result} not in {out:?}"
                    );
                }
                for wide in [width, width + 1, width + 3, 64] {
                    let zext = Int::cast(CastOp::ZExt, &a, wide);
                    assert!(zext.contains(x), "{a:?} {zext:?}");
                    let sext = Int::cast(CastOp::SExt, &a, wide);
                    assert!(
                        sext.contains(signed(x, width) as u64 & mask(wide)),
                        "{a:?} {sext:?}"
                    );
                }
                for narrow in 1..=width {
                    let cut = Int::cast(CastOp::Trunc, &a, narrow);
                    assert!(cut.contains(x & mask(narrow)), "{a:?} {cut:?}");
                }
            }
        }
    }
    let swapped = Int::unary(UnaryOp::BSwap, &Int::constant(0x1234, 16));
    assert!(swapped.contains(0x3412) && swapped.single().is_some());
}

#[test]
fn join_meet_and_order_agree_with_the_sets() {
    for width in [1, 3, 4] {
        let list = descriptions(width);
        for a in &list {
            assert!(a.is_within(a) && a.join(a) == *a, "{a:?}");
            for b in &list {
                let join = a.join(b);
                assert!(
                    a.is_within(&join) && b.is_within(&join),
                    "{a:?} {b:?} {join:?}"
                );
                assert_eq!(join, b.join(a));
                let meet = a.meet(b);
                for x in 0..=mask(width) {
                    let both = a.contains(x) && b.contains(x);
                    assert!(
                        !both || meet.is_some_and(|meet| meet.contains(x)),
                        "{a:?} {b:?}"
                    );
                    assert!(!a.contains(x) || join.contains(x), "{a:?} {b:?}");
                }
                if a.is_within(b) {
                    assert!(members(a).iter().all(|&x| b.contains(x)), "{a:?} {b:?}");
                }
            }
        }
    }
}

#[test]
fn larger_operands_give_larger_results_on_single_values() {
    // Every single pair of members is inside what the operation yields for the descriptions, in
    // the order of the domain and not only as a set.
    for op in INTEGER_OPS {
        let list = descriptions(3);
        for a in &list {
            for b in &list {
                let out = Int::binary(op, a, b);
                for x in members(a) {
                    for y in members(b) {
                        let point = Int::binary(op, &Int::constant(x, 3), &Int::constant(y, 3));
                        assert!(
                            point.is_within(&out),
                            "{op:?} {a:?} {b:?}: {point:?} {out:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn widening_ends() {
    let thresholds = Thresholds::new([(5, 4), (10, 4)].into_iter());
    for seed in descriptions(4) {
        let mut state = seed;
        let mut steps = 0;
        // The worst neighbour: whatever is not yet in it.
        while let Some(next) = (0..16).find(|&x| !state.contains(x)) {
            let grown = state.join(&Int::constant(next, 4));
            let wide = state.widen(&grown, &thresholds);
            assert!(grown.is_within(&wide), "{state:?} {grown:?} {wide:?}");
            assert_ne!(wide, state);
            state = wide;
            steps += 1;
            assert!(steps < 40, "widening goes on from {seed:?}");
        }
    }
    let wide = Thresholds::new([(100, 32)].into_iter());
    let mut x = Int::constant(0, 64);
    let mut steps = 0;
    while !x.is_top() && steps < 100 {
        let grown = x.join(&Int::binary(BinaryOp::Add, &x, &Int::constant(1, 64)));
        if grown.is_within(&x) {
            break;
        }
        x = x.widen(&grown, &wide);
        steps += 1;
    }
    assert!(steps < 60, "{steps} steps");
}

/// States that no execution comes to may hold values without a member before anybody notices.
#[test]
fn operands_without_a_member_yield_anything() {
    let mut nothing = Int::top(8);
    (nothing.umin, nothing.umax, nothing.ones) = (1, 2, 4);
    for op in [BinaryOp::Add, BinaryOp::And, BinaryOp::LShr] {
        let result = Int::binary(op, &nothing, &Int::constant(1, 8));
        assert!(result.reduced().is_some(), "{op:?}");
    }
}
