//! Facts that executions suggest: sums of a few numbers, each so many times, that are always the same at the head of a loop.
//!
//! ```text
//!   i: 0 1 2    a: 0 1 3    b: 0 2 3      a + b - 3 * i is 0 each time
//! ```
//!
//! Numbers that a head was met with are points; what is wanted are the equations of the least flat (a line, a plane, …) on which all of
//! them lie. (Karr's domain, 1976, computes these from the text; here they are read off executions, and proved like any other fact.)

use std::collections::{BTreeMap, BTreeSet};

use ir::cfg::Cfg;
use ir::dominators::Dominators;
use ir::loops::Loops;
use ir::syntax::{BinaryOp, Block, Body, CastOp, Const, Op, Operand, Type};

use crate::candidates;
use crate::domains::{mask, signed};
use crate::elements::Scope;
use crate::facts::{Atom, Fact, OTHERS, Place};

/// More numbers of one head and width are not looked at.
const MAX_NUMBERS: usize = 12;
/// More numbers that the loop computes are not.
const MAX_COMPUTED: usize = 4;
/// More equations of one head are not tried.
const MAX_FACTS: usize = 12;
/// Points fewer than these say nothing.
const MIN_POINTS: usize = 4;
/// A number is not counted more often.
const MOST_TIMES: i128 = 1 << 12;
/// Larger numbers come from wrapping: their points lie elsewhere.
const LARGE: i128 = 1 << 40;

/// The numbers at a head that may be in an equation.
pub fn numbers(body: &Body, head: Block, places: &[Place]) -> Vec<Place> {
    let mut found: Vec<Place> = places
        .iter()
        .copied()
        .filter(|place| matches!(place, Place::Param(_) | Place::Cell(..)))
        .collect();
    found.extend(candidates::outer(body, head));
    found.extend(computed(body, head));
    found.retain(|&place| width(body, head, place).is_some());
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    found.retain(|&place| {
        let count = counts
            .entry(width(body, head, place).unwrap_or(0))
            .or_default();
        *count += 1;
        *count <= MAX_NUMBERS
    });
    found
}

/// The width of a place that is a number of more than one bit.
fn width(body: &Body, head: Block, place: Place) -> Option<u32> {
    let ty = match place {
        Place::Param(index) => body.values[body.blocks[head].params[index]].ty,
        Place::Cell(_, _, _, ty) => ty,
        Place::Outer(value) | Place::Formula(value, _) => body.values[value].ty,
        Place::Offset(_) | Place::Number(..) | Place::Ghost(_) | Place::Element(..) => return None,
    };
    match ty {
        Type::Int(width @ 2..=64) => Some(width),
        Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Mem(_) => None,
    }
}

/// What the loop computes of what it begins a round with, and what is no sum: remainders, halves, low bits.
fn computed(body: &Body, head: Block) -> Vec<Place> {
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg);
    let scope = Scope::new(body, &dominators);
    let Some(own) = loops.with_header(head) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for &block in loops.blocks(own) {
        for &inst in &body.blocks[block].insts {
            let data = &body.insts[inst];
            let constant = |operand: &Operand| matches!(operand, Operand::Const(Const::Int(_)));
            let broken = match &data.op {
                Op::Binary(
                    BinaryOp::SRem
                    | BinaryOp::URem
                    | BinaryOp::SDiv
                    | BinaryOp::UDiv
                    | BinaryOp::And
                    | BinaryOp::LShr
                    | BinaryOp::AShr,
                    _,
                    by,
                ) => constant(by),
                Op::Cast(CastOp::ZExt | CastOp::SExt, ..) => true,
                _ => false, // A sum, or nothing that can be computed at the head.
            };
            let result = data.results.first().copied();
            if let Some(value) = result.filter(|_| broken)
                && scope.is_formula(value, head)
                && !scope.is_outer(value, head)
            {
                found.push(Place::Formula(value, 0));
            }
        }
    }
    found.truncate(MAX_COMPUTED);
    found
}

/// The equations of all points, as facts. Each row has the places' numbers.
pub fn facts(body: &Body, head: Block, places: &[Place], rows: &[Vec<u64>]) -> Vec<Fact> {
    let mut found = Vec::new();
    let widths: BTreeSet<u32> = places
        .iter()
        .filter_map(|&place| width(body, head, place))
        .collect();
    for bits in widths {
        let own: Vec<usize> = (0..places.len())
            .filter(|&index| width(body, head, places[index]) == Some(bits))
            .collect();
        let mut points: BTreeSet<Vec<i128>> = BTreeSet::new();
        for row in rows {
            let point: Vec<i128> = own
                .iter()
                .map(|&index| signed(row[index], bits).into())
                .collect();
            if point.iter().all(|x| x.abs() <= LARGE) {
                points.insert(point);
            }
        }
        if points.len() < MIN_POINTS {
            continue;
        }
        let points: Vec<Vec<i128>> = points.into_iter().collect();
        for equation in equations(&points) {
            let counted: Vec<(i64, Place)> = equation
                .iter()
                .zip(&own)
                .filter(|(times, _)| **times != 0)
                .map(|(&times, &index)| (times as i64, places[index]))
                .collect();
            let [(times, place), rest @ ..] = counted.as_slice() else {
                continue;
            };
            // What one number is, how two compare, and what is the same in each round, others say.
            let changes = |(_, place): &&(i64, Place)| !matches!(place, Place::Outer(_));
            if rest.len() < 2 || rest.len() > OTHERS || !counted.iter().any(|part| changes(&part)) {
                continue;
            }
            let mut others = [(0, *place); OTHERS];
            for (slot, part) in others.iter_mut().zip(rest) {
                *slot = *part;
            }
            let total: i128 = equation
                .iter()
                .zip(&points[0])
                .map(|(times, x)| times * x)
                .sum();
            let total = total as u64 & mask(bits);
            found.push(vec![vec![(*place, Atom::Balance(*times, others, total))]]);
        }
    }
    found.truncate(MAX_FACTS);
    found
}

/// Numbers of times, not all zero, for which the sum of every point is the same.
fn equations(points: &[Vec<i128>]) -> Vec<Vec<i128>> {
    let columns = points[0].len();
    // Rows in echelon form that span all differences; each has its first number in a column where the others have none.
    let mut basis: Vec<(usize, Vec<i128>)> = Vec::new();
    for point in &points[1..] {
        let mut row: Vec<i128> = point.iter().zip(&points[0]).map(|(x, y)| x - y).collect();
        for (pivot, known) in &basis {
            if !eliminate(&mut row, known, *pivot) {
                return Vec::new();
            }
        }
        let Some(pivot) = row.iter().position(|&x| x != 0) else {
            continue;
        };
        for (_, known) in &mut basis {
            if !eliminate(known, &row, pivot) {
                return Vec::new();
            }
        }
        basis.push((pivot, row));
    }
    let pivots: BTreeSet<usize> = basis.iter().map(|(pivot, _)| *pivot).collect();
    let mut found = Vec::new();
    for free in (0..columns).filter(|column| !pivots.contains(column)) {
        // The free number once, and of each pivot's as much as takes it back; all of it so many times that no fraction is left.
        let mut scale: i128 = 1;
        for (pivot, row) in &basis {
            let step = row[*pivot] / gcd(row[*pivot], row[free]);
            scale = scale / gcd(scale, step) * step.abs();
            if scale > MOST_TIMES {
                break;
            }
        }
        if scale > MOST_TIMES {
            continue;
        }
        let mut equation = vec![0; columns];
        equation[free] = scale;
        for (pivot, row) in &basis {
            equation[*pivot] = -(scale * row[free]) / row[*pivot];
        }
        if equation.iter().all(|times| times.abs() <= MOST_TIMES) {
            found.push(equation);
        }
    }
    found
}

/// Takes away so much of a row that nothing is left in a column; false if numbers get out of hand.
fn eliminate(row: &mut [i128], by: &[i128], pivot: usize) -> bool {
    if row[pivot] == 0 {
        return true;
    }
    let common = gcd(row[pivot], by[pivot]);
    let (times, off) = (by[pivot] / common, row[pivot] / common);
    for (x, y) in row.iter_mut().zip(by) {
        let product = x.checked_mul(times).zip(y.checked_mul(off));
        let Some(left) = product.and_then(|(a, b)| a.checked_sub(b)) else {
            return false;
        };
        *x = left;
    }
    let common = row.iter().fold(0, |all, &x| gcd(all, x));
    if common > 1 {
        row.iter_mut().for_each(|x| *x /= common);
    }
    true
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::equations;

    /// Every equation holds of every point.
    fn checked(points: &[Vec<i128>]) -> Vec<Vec<i128>> {
        let found = equations(points);
        for equation in &found {
            let sum = |point: &Vec<i128>| -> i128 {
                equation.iter().zip(point).map(|(times, x)| times * x).sum()
            };
            assert!(points.iter().all(|point| sum(point) == sum(&points[0])));
            assert!(equation.iter().any(|&times| times != 0));
        }
        found
    }

    #[test]
    fn sums_of_three_are_found() {
        // i, a, b: each round adds 1 and 2, or 2 and 1.
        let points = [[0, 0, 0], [1, 1, 2], [2, 3, 3], [3, 4, 5], [4, 5, 7]];
        let points: Vec<Vec<i128>> = points.iter().map(|point| point.to_vec()).collect();
        let found = checked(&points);
        assert_eq!(found.len(), 1);
        let unit = found[0][1];
        assert_eq!(found[0], [-3 * unit, unit, unit]);
    }

    #[test]
    fn ratios_have_no_fractions() {
        let points: Vec<Vec<i128>> = (0..6).map(|i| vec![3 * i + 1, 2 * i - 7, 5]).collect();
        let found = checked(&points);
        assert_eq!(found.len(), 2);
        assert!(
            found
                .iter()
                .any(|equation| equation[0] * 3 == -2 * equation[1])
        );
    }

    #[test]
    fn points_that_lie_anywhere_have_none() {
        let points = [[0, 0], [1, 0], [0, 1], [5, 7]];
        let points: Vec<Vec<i128>> = points.iter().map(|point| point.to_vec()).collect();
        assert!(checked(&points).is_empty());
    }
}
