//! Linear equations modulo a power of two: all that the points of a set have in common.
//!
//! Words wrap, so that sums and multiples of them are exact in arithmetic modulo 2^w, and so is elimination: a row is divided by what
//! is odd in its pivot, and multiplied by a power of two where the pivot's is not enough (Müller-Olm and Seidl 2007; King and
//! Søndergaard 2010). What is left of the lowest bits stays: `2^31·x = 0` says that x is even.

use base::Bv;

/// A sum of multiples of a point's coordinates, and a constant, that is zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    /// One for each coordinate.
    pub(crate) factors: Vec<Bv>,
    /// What is added.
    pub(crate) constant: Bv,
}

impl Row {
    /// What the row makes of a point.
    fn at(&self, point: &[Bv]) -> Bv {
        let products = self.factors.iter().zip(point);
        products.fold(self.constant.clone(), |sum, (factor, value)| {
            sum.add(&factor.mul(value))
        })
    }

    fn times(&self, by: &Bv) -> Row {
        Row {
            factors: self.factors.iter().map(|factor| factor.mul(by)).collect(),
            constant: self.constant.mul(by),
        }
    }

    fn minus(&self, other: &Row) -> Row {
        let pairs = self.factors.iter().zip(&other.factors);
        Row {
            factors: pairs.map(|(a, b)| a.sub(b)).collect(),
            constant: self.constant.sub(&other.constant),
        }
    }

    /// The same equation with factors that are as small as they can be: `a + b = 3·i`, and not `i` as a third of the sum, modulo 2^w.
    fn plain(&self) -> Row {
        let size = |row: &Row| -> u32 {
            let bits = |factor: &Bv| {
                let width = factor.width();
                width - factor.leading_zeros().max(factor.neg().leading_zeros())
            };
            row.factors.iter().map(bits).sum()
        };
        let factors = self.factors.iter().filter(|factor| !factor.is_zero());
        let lowest = factors.clone().map(Bv::trailing_zeros).min();
        let possible = factors
            .filter(|factor| Some(factor.trailing_zeros()) == lowest)
            .map(|factor| self.times(&odd_inverse(&factor.lshr_by(factor.trailing_zeros()))));
        possible.min_by_key(size).unwrap_or_else(|| self.clone())
    }

    /// How many coordinates it is about.
    fn weight(&self) -> usize {
        let factors = self.factors.iter();
        factors.filter(|factor| !factor.is_zero()).count()
    }
}

/// The equations that hold at every point seen so far.
#[derive(Clone, Debug)]
pub(crate) struct Equations {
    width: u32,
    /// None before the first point: then everything holds.
    rows: Option<Vec<Row>>,
}

impl Equations {
    /// For coordinates of this many bits; no point has been seen.
    pub(crate) fn new(width: u32) -> Equations {
        Equations { width, rows: None }
    }

    /// Rows of which all others follow; none if there is no point.
    pub(crate) fn rows(&self) -> Option<&[Row]> {
        self.rows.as_deref()
    }

    /// Another point. True if something does not hold there.
    pub(crate) fn admit(&mut self, point: &[Bv]) -> bool {
        let Some(rows) = &mut self.rows else {
            self.rows = Some(self.those_of(point));
            return true;
        };
        let wrong: Vec<Bv> = rows.iter().map(|row| row.at(point)).collect();
        // The one that divides the others; of several the one about the most, so that those that stay are about few.
        let pivot = (0..rows.len())
            .filter(|&index| !wrong[index].is_zero())
            .min_by_key(|&index| {
                let weight = usize::MAX - rows[index].weight();
                (wrong[index].trailing_zeros(), weight)
            });
        let Some(pivot) = pivot else {
            return false;
        };
        let shift = wrong[pivot].trailing_zeros();
        let inverse = odd_inverse(&wrong[pivot].lshr_by(shift));
        let base = rows[pivot].clone();
        for (index, row) in rows.iter_mut().enumerate() {
            if index != pivot && !wrong[index].is_zero() {
                let by = wrong[index].lshr_by(shift).mul(&inverse);
                *row = row.minus(&base.times(&by));
            }
        }
        let one = Bv::one(self.width);
        rows[pivot] = match shift {
            0 => base.times(&Bv::zero(self.width)),
            _ => base.times(&one.shl_by(self.width - shift)),
        };
        reduce(rows, point.len());
        true
    }

    /// Each coordinate is what it is.
    fn those_of(&self, point: &[Bv]) -> Vec<Row> {
        let unit = |place: usize| {
            (0..point.len())
                .map(|index| match index == place {
                    true => Bv::one(self.width),
                    false => Bv::zero(self.width),
                })
                .collect()
        };
        point
            .iter()
            .enumerate()
            .map(|(place, value)| Row {
                factors: unit(place),
                constant: value.neg(),
            })
            .collect()
    }
}

/// The same equations, as few and as plain as they can be: each coordinate is left to one row as far as that divides the others, with a power
/// of two as its factor, the last ones first, so that equations are about the first ones. Without it solvers get large odd factors, and the same equation several times.
fn reduce(rows: &mut Vec<Row>, coordinates: usize) {
    let mut done = 0;
    for place in (0..coordinates).rev() {
        let rest = (done..rows.len()).filter(|&index| !rows[index].factors[place].is_zero());
        let Some(best) = rest.min_by_key(|&index| rows[index].factors[place].trailing_zeros())
        else {
            continue;
        };
        rows.swap(done, best);
        let shift = rows[done].factors[place].trailing_zeros();
        let inverse = odd_inverse(&rows[done].factors[place].lshr_by(shift));
        let pivot = rows[done].times(&inverse);
        rows[done] = pivot.clone();
        for (index, row) in rows.iter_mut().enumerate() {
            let factor = &row.factors[place];
            if index != done && !factor.is_zero() && factor.trailing_zeros() >= shift {
                *row = row.minus(&pivot.times(&factor.lshr_by(shift)));
            }
        }
        done += 1;
    }
    rows.retain(|row| row.weight() > 0);
    for row in rows {
        *row = row.plain();
    }
}

/// What an odd number is multiplied by to give 1: each step doubles the bits that are right.
fn odd_inverse(odd: &Bv) -> Bv {
    let two = Bv::from_u64(2, odd.width());
    let mut inverse = odd.clone();
    let mut right = 3;
    while right < odd.width() {
        inverse = inverse.mul(&two.sub(&odd.mul(&inverse)));
        right *= 2;
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(width: u32, values: &[i64]) -> Vec<Bv> {
        let values = values.iter();
        values.map(|&value| Bv::from_i64(value, width)).collect()
    }

    fn equations(width: u32, points: &[&[i64]]) -> Equations {
        let mut found = Equations::new(width);
        for values in points {
            found.admit(&point(width, values));
        }
        found
    }

    fn holds(equations: &Equations, width: u32, values: &[i64]) -> bool {
        let rows = equations.rows().expect("there is a point");
        let point = point(width, values);
        rows.iter().all(|row| row.at(&point).is_zero())
    }

    #[test]
    fn an_odd_number_has_an_inverse() {
        for width in [1, 2, 3, 8, 32, 64, 100] {
            for odd in [1, 3, 5, 7, 77, 255, -1, 12_345_679] {
                let odd = Bv::from_i64(odd, width);
                assert!(odd.mul(&odd_inverse(&odd)).is_one(), "{odd:?}");
            }
        }
    }

    #[test]
    fn what_points_have_in_common_is_found() {
        // a + b = 3i, and the rest is free.
        let found = equations(
            32,
            &[&[0, 0, 0, 9], &[1, 2, 1, 4], &[2, 1, 1, -7], &[5, 4, 3, 9]],
        );
        assert_eq!(found.rows().map(<[Row]>::len), Some(1));
        assert!(holds(&found, 32, &[700, 200, 300, 1]));
        assert!(holds(&found, 32, &[-3, 0, -1, 1]));
        assert!(!holds(&found, 32, &[700, 200, 301, 1]));
        // Even steps: the lowest bit stays, whatever comes.
        let found = equations(8, &[&[0], &[2], &[6], &[-2], &[4]]);
        let even = (-128..128).filter(|&value| holds(&found, 8, &[value]));
        assert!(even.eq((-128..128).filter(|value| value % 2 == 0)));
        // Everything.
        assert_eq!(equations(8, &[&[0], &[1]]).rows(), Some(&[][..]));
        assert_eq!(Equations::new(8).rows(), None);
    }

    #[test]
    fn equations_are_plain() {
        // k = 5i + 3j + c, seen at states as solvers choose them.
        let states = [
            [7, 0],
            [-1, 3],
            [0x2aaa_aaaa, 9],
            [77_777, -5],
            [12_345, 0x5555],
            [4, 4],
        ];
        let mut found = Equations::new(32);
        for [i, j] in states {
            found.admit(&point(32, &[5 * i + 3 * j + 11, i, j]));
        }
        let rows = found.rows().expect("there are points");
        let factors: Vec<Option<i64>> = rows[0].factors.iter().map(Bv::to_i64).collect();
        assert_eq!(
            (rows.len(), factors),
            (1, vec![Some(1), Some(-5), Some(-3)])
        );
        // 3i = a + b: no coordinate alone is the sum of the others.
        let mut found = Equations::new(32);
        for [a, b] in [
            [0, 0],
            [1, 2],
            [2, 1],
            [3, 3],
            [0x2aaa_aaaa, 9],
            [77_777, -5],
        ] {
            let i = (a + b) * 0xaaaa_aaab;
            found.admit(&point(32, &[i, a, b]));
        }
        let rows = found.rows().expect("there are points");
        let factors: Vec<Option<i64>> = rows[0].factors.iter().map(Bv::to_i64).collect();
        let expected = [
            vec![Some(-3), Some(1), Some(1)],
            vec![Some(3), Some(-1), Some(-1)],
        ];
        assert!(rows.len() == 1 && expected.contains(&factors), "{rows:?}");
    }

    /// Against all equations of two coordinates of three bits, tried one by one.
    #[test]
    fn nothing_is_missing_and_nothing_is_wrong() {
        let all: Vec<[i64; 2]> = (0..8).flat_map(|x| (0..8).map(move |y| [x, y])).collect();
        let mut seed = 1_u64;
        for _ in 0..60 {
            let mut points: Vec<&[i64]> = Vec::new();
            for _ in 0..1 + seed % 4 {
                seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
                points.push(&all[(seed >> 40) as usize % all.len()]);
            }
            let found = equations(3, &points);
            let common: Vec<[i64; 3]> = all
                .iter()
                .flat_map(|&[a, b]| (0..8).map(move |c| [a, b, c]))
                .filter(|[a, b, c]| points.iter().all(|p| (a * p[0] + b * p[1] + c) % 8 == 0))
                .collect();
            for place in &all {
                let expected = common
                    .iter()
                    .all(|[a, b, c]| (a * place[0] + b * place[1] + c) % 8 == 0);
                assert_eq!(holds(&found, 3, place), expected, "{points:?} {place:?}");
            }
        }
    }
}
