//! Equality of bit-vectors (and what holds for every sort): undoing invertible operators, splitting, and deciding.

use base::Bv;

use crate::arena::{Level, Term, Terms};
use crate::facts::Fact;
use crate::op::Op;
use crate::rules::ite::lift;
use crate::rules::{Rule, either, shape};
use crate::sort::Sort;

pub(crate) const EQ: &[Rule] = &[
    // (= x x) => true
    Rule {
        name: "eq_same",
        level: Level::Fold,
        needs: shape::SAME,
        applies: &["(= x x)", "(= p p)", "(= a a)", "(= f f)", "(= m m)"],
        ignores: &["(= x y)"],
        apply: |terms, _| Some(terms.tru()),
    },
    // Terms whose facts exclude each other differ.
    Rule {
        name: "eq_facts_disjoint",
        level: Level::Full,
        needs: shape::FACT,
        applies: &[
            "(= ((_ zero_extend 1) x) ((_ sign_extend 1) min))",
            "(= (bvor x one) (bvand y (bvnot one)))",
            "(= (concat #b0 x) (concat #b1 y))",
            "(= (ite p k2 (ite q k5 k9)) k6)",
        ],
        ignores: &[
            "(= ((_ zero_extend 1) x) ((_ zero_extend 1) one))",
            "(= (bvor x one) y)",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (x, y) = (terms.fact(a)?, terms.fact(b)?);
            (x.disjoint(&y) || terms.values_disjoint(a, b)).then(|| terms.fls())
        },
    },
    // (= (bvnot x) x) => false
    Rule {
        name: "eq_bvnot_self",
        level: Level::Fold,
        needs: shape::BVNOT,
        applies: &["(= x (bvnot x))"],
        ignores: &["(= x (bvnot y))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                (terms.un(a, Op::BvNot)? == b).then(|| terms.fls())
            })
        },
    },
    // (= (bvnot x) k3) => (= x (bvnot k3)), (= (bvneg x) k3) => (= x (bvneg k3)), and between two of them
    Rule {
        name: "eq_undo_unary",
        level: Level::Local,
        needs: shape::NEGATED,
        applies: &[
            "(= (bvnot x) k3)",
            "(= (bvneg x) k3)",
            "(= (bvnot x) (bvnot y))",
            "(= (bvneg x) (bvneg y))",
        ],
        ignores: &["(= (bvnot x) y)", "(= (bvneg x) (bvnot y))"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            for op in [Op::BvNot, Op::Neg] {
                let Some(x) = terms.un(a, op) else { continue };
                if let Some(y) = terms.un(b, op) {
                    return Some(terms.eq(x, y));
                }
                if terms.is_const(b) {
                    let k = terms.make1(op, terms.sort(b), b);
                    return Some(terms.eq(x, k));
                }
            }
            None
        },
    },
    // (= (bvxor x k2) k3) => (= x (bvxor k2 k3)), (= (bvxor x y) x) => (= y zero)
    Rule {
        name: "eq_undo_xor",
        level: Level::Local,
        needs: shape::BITS,
        applies: &[
            "(= (bvxor x k2) k3)",
            "(= (bvxor x y) x)",
            "(= (bvxor x y) zero)",
            "(= (bvxor x y) (bvxor x z))",
        ],
        ignores: &[
            "(= (bvxor x y) z)",
            "(= (bvor x k2) k3)",
            "(= (bvxor x y) k2)",
        ],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (x, y) = terms.bin(a, Op::BvXor)?;
                if let Some(k) = terms.as_bv(b) {
                    if k.is_zero() {
                        return Some(terms.eq(x, y));
                    }
                    let l = terms.as_bv(y)?;
                    let k = terms.bv(k.xor(&l));
                    return Some(terms.eq(x, k));
                }
                if b == x || b == y {
                    let other = if b == x { y } else { x };
                    let zero = Bv::zero(terms.width(b));
                    let zero = terms.bv(zero);
                    return Some(terms.eq(other, zero));
                }
                let (u, v) = terms.bin(b, Op::BvXor)?;
                common(x, y, u, v).map(|(left, right)| terms.eq(left, right))
            })
        },
    },
    // (= (bvadd x y) (bvadd x z)) => (= y z), (= (bvadd x y) x) => (= y zero)
    Rule {
        name: "eq_cancel_add",
        level: Level::Local,
        needs: shape::ADD,
        applies: &[
            "(= (bvadd x y) (bvadd z x))",
            "(= (bvadd x y) y)",
            "(= (bvadd x k2) (bvadd x k3))",
        ],
        ignores: &["(= (bvadd x y) z)", "(= (bvadd x y) (bvadd z u))"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (x, y) = terms.bin(a, Op::Add)?;
                if b == x || b == y {
                    let other = if b == x { y } else { x };
                    let zero = Bv::zero(terms.width(b));
                    let zero = terms.bv(zero);
                    return Some(terms.eq(other, zero));
                }
                let (u, v) = terms.bin(b, Op::Add)?;
                common(x, y, u, v).map(|(left, right)| terms.eq(left, right))
            })
        },
    },
    // (= (bvadd x k2) k3) => (= x (bvsub k3 k2)), (= (bvadd x k2) (bvadd y k3)) => (= x (bvadd y (bvsub k3 k2)))
    Rule {
        name: "eq_move_const",
        level: Level::Local,
        needs: shape::ADD,
        applies: &["(= (bvadd x k2) k3)", "(= (bvadd x k2) (bvadd y k3))"],
        ignores: &["(= (bvadd x y) k3)", "(= (bvadd x k2) y)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (x, k) = terms.bin(a, Op::Add)?;
            let k = terms.as_bv(k)?;
            if let Some(l) = terms.as_bv(b) {
                let l = terms.bv(l.sub(&k));
                return Some(terms.eq(x, l));
            }
            let (y, l) = terms.bin(b, Op::Add)?;
            let l = terms.as_bv(l)?;
            let l = terms.bv(l.sub(&k));
            let right = terms.add(y, l);
            Some(terms.eq(x, right))
        },
    },
    // (= (bvadd x (bvneg y)) zero) => (= x y)
    Rule {
        name: "eq_difference_zero",
        level: Level::Local,
        needs: shape::ADD | shape::CONST,
        applies: &[
            "(= (bvadd x (bvneg y)) zero)",
            "(= (bvadd (bvneg y) x) zero)",
        ],
        ignores: &["(= (bvadd x (bvneg y)) one)", "(= (bvadd x y) zero)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if !terms.as_bv(b)?.is_zero() {
                return None;
            }
            let (x, y) = terms.bin(a, Op::Add)?;
            match (terms.un(x, Op::Neg), terms.un(y, Op::Neg)) {
                (_, Some(y)) => Some(terms.eq(x, y)),
                (Some(x), None) => Some(terms.eq(y, x)),
                (None, None) => None,
            }
        },
    },
    // (= (bvmul x k3) (bvmul y k3)) => (= x y), (= (bvmul x k3) k5) => (= x (bvmul k5 inverse)): odd factors only
    Rule {
        name: "eq_undo_mul_odd",
        level: Level::Full,
        needs: shape::MUL,
        applies: &["(= (bvmul x k3) (bvmul y k3))", "(= (bvmul x k3) k5)"],
        ignores: &[
            "(= (bvmul x k2) (bvmul y k2))",
            "(= (bvmul x k3) (bvmul y k5))",
            "(= (bvmul x k6) k5)",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (x, k) = terms.bin(a, Op::Mul)?;
            let factor = terms.as_bv(k)?;
            if !factor.bit(0) {
                return None;
            }
            if let Some(right) = terms.as_bv(b) {
                let right = terms.bv(right.mul(&inverse(&factor)));
                return Some(terms.eq(x, right));
            }
            let (y, l) = terms.bin(b, Op::Mul)?;
            (k == l).then(|| terms.eq(x, y))
        },
    },
    // (= (concat x y) k) => (and (= x high) (= y low)), (= (concat x y) (concat z u)) => (and (= x z) (= y u))
    Rule {
        name: "eq_concat",
        level: Level::Local,
        needs: shape::CONCAT,
        applies: &[
            "(= (concat x y) (concat one k3))",
            "(= (concat x y) (concat z u))",
            "(= (concat x y) (concat x z))",
        ],
        ignores: &[
            "(= (concat x t) (concat t x))",
            "(= (concat (concat x y) t) (concat (concat t y) x))",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (high, low) = terms.bin(a, Op::Concat)?;
            let (other_high, other_low) = match terms.as_bv(b) {
                Some(k) => {
                    let split = terms.width(low);
                    let (high, low) = (
                        terms.bv(k.extract(k.width() - 1, split)),
                        terms.bv(k.trunc(split)),
                    );
                    (high, low)
                }
                None => terms.bin(b, Op::Concat)?,
            };
            if terms.sort(low) != terms.sort(other_low) {
                return None;
            }
            let high = terms.eq(high, other_high);
            let low = terms.eq(low, other_low);
            Some(terms.and(high, low))
        },
    },
    // (= ((_ zero_extend 2) x) k) => (= x k) or false, (= ((_ zero_extend 2) x) ((_ zero_extend 2) y)) => (= x y); also sign_extend
    Rule {
        name: "eq_extend",
        level: Level::Local,
        needs: shape::EXTEND,
        applies: &[
            "(= ((_ zero_extend 2) x) ((_ zero_extend 2) k3))",
            "(= ((_ sign_extend 2) x) (concat #b10 k3))",
            "(= ((_ zero_extend 2) x) ((_ zero_extend 2) y))",
            "(= ((_ sign_extend 2) x) ((_ sign_extend 2) min))",
        ],
        ignores: &[
            "(= ((_ zero_extend 2) x) ((_ sign_extend 2) y))",
            "(= ((_ zero_extend {w}) x) (concat y z))",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            for op in [Op::Zext, Op::Sext] {
                let Some(x) = terms.un(a, op) else { continue };
                if let Some(y) = terms.un(b, op) {
                    return (terms.sort(x) == terms.sort(y)).then(|| terms.eq(x, y));
                }
                let Some(k) = terms.as_bv(b) else { continue };
                let low = k.trunc(terms.width(x));
                let back = if op == Op::Zext {
                    low.zext(k.width())
                } else {
                    low.sext(k.width())
                };
                if back != k {
                    return Some(terms.fls());
                }
                let low = terms.bv(low);
                return Some(terms.eq(x, low));
            }
            None
        },
    },
    // (= (bvor x y) zero) => (and (= x zero) (= y zero)), (= (bvand x y) ones) => (and (= x ones) (= y ones))
    Rule {
        name: "eq_bits_extreme",
        level: Level::Full,
        needs: shape::BITS | shape::CONST,
        applies: &["(= (bvor x y) zero)", "(= (bvand x y) ones)"],
        ignores: &["(= (bvor x y) one)", "(= (bvand x y) zero)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let k = terms.as_bv(b)?;
            let (x, y) = match (k.is_zero(), k.is_ones()) {
                (true, _) => terms.bin(a, Op::BvOr)?,
                (_, true) => terms.bin(a, Op::BvAnd)?,
                _ => return None,
            };
            let (x, y) = (terms.eq(x, b), terms.eq(y, b));
            Some(terms.and(x, y))
        },
    },
    // (= (bvand x k2) k2) => (not (= (bvand x k2) zero)) for a single bit
    Rule {
        name: "eq_bit_test",
        level: Level::Full,
        needs: shape::BITS | shape::CONST,
        applies: &["(= (bvand x k2) k2)", "(= (bvand x min) min)"],
        ignores: &[
            "(= (bvand x k2) zero)",
            "(= (bvand x k3) k3)",
            "(= (bvor x k2) k2)",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (_, mask) = terms.bin(a, Op::BvAnd)?;
            if mask != b {
                return None;
            }
            let k = terms.as_bv(b)?;
            k.log2_exact()?;
            let zero = terms.bv(Bv::zero(k.width()));
            let clear = terms.eq(a, zero);
            Some(terms.not(clear))
        },
    },
    // (= ((_ extract {w-1} {w-1}) x) #b1) => (bvslt x zero)
    Rule {
        name: "eq_sign_bit",
        level: Level::Full,
        needs: shape::EXTRACT | shape::CONST,
        applies: &["(= ((_ extract {w-1} {w-1}) x) #b1)"],
        ignores: &[
            "(= ((_ extract {w-1} {w-1}) x) #b0)",
            "(= ((_ extract {w-2} {w-2}) x) #b1)",
            "(= ((_ extract {w-1} {w-2}) x) #b01)",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let Op::Extract { hi, lo } = terms.op(a) else {
                return None;
            };
            let x = terms.raw_args(a)[0];
            let width = terms.width(x);
            // A single bit is compared with one only; see `eq_one_bit`.
            if hi != lo || hi + 1 != width || width == 1 || terms.as_u64(b)? != 1 {
                return None;
            }
            let zero = terms.bv(Bv::zero(width));
            Some(terms.slt(x, zero))
        },
    },
    // (= t #b0) => (not (= t #b1))
    Rule {
        name: "eq_one_bit",
        level: Level::Local,
        needs: shape::CONST,
        applies: &["(= t #b0)"],
        ignores: &["(= t #b1)", "(= x zero)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if terms.sort(a) != Sort::BitVec(1) || terms.as_u64(b)? != 0 {
                return None;
            }
            let one = terms.bv_u64(1, 1);
            let set = terms.eq(a, one);
            Some(terms.not(set))
        },
    },
    // (= (ite p x y) k3) => (or (and p (= x k3)) (and (not p) (= y k3))): guards of what is equal
    Rule {
        name: "eq_cases",
        level: Level::Full,
        needs: shape::ANY,
        applies: &[
            "(= (ite p k2 k3) k3)",
            "(= (ite p x y) k3)",
            "(= (ite p k2 k3) (ite q k3 k5))",
        ],
        ignores: &["(= (ite p x y) z)", "(= (ite p x y) (ite q k3 k5))"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if terms.is_const(b) {
                return terms.bool_by_cases(a, |terms, leaf| terms.eq(leaf, b));
            }
            let (left, right) = (terms.constant_cases(a)?, terms.constant_cases(b)?);
            let mut equal = Vec::new();
            for (x, guard) in left {
                if let Some(&(_, other)) = right.iter().find(|&&(y, _)| x == y) {
                    equal.push(terms.and(guard, other));
                }
            }
            Some(terms.or_all(&equal))
        },
    },
    // (= (ite p k2 k3) k3) => (not p): cases that are constants decide, as long as at most one is not
    Rule {
        name: "eq_ite_const",
        level: Level::Local,
        needs: shape::ITE | shape::CONST,
        applies: &[
            "(= (ite p k2 k3) k3)",
            "(= (ite p k2 k3) k5)",
            "(= (ite p k2 (ite q k3 k2)) k2)",
            "(= (ite p x k3) k2)",
        ],
        ignores: &["(= (ite p x y) k3)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if !terms.is_const(b) {
                return None;
            }
            lift(terms, a, |terms, leaf| terms.eq(leaf, b))
        },
    },
    // (= (ite p one zero) (ite q one zero)) => (= p q): two small trees of constants
    Rule {
        name: "eq_const_ites",
        level: Level::Full,
        needs: shape::ITE,
        applies: &[
            "(= (ite p one zero) (ite q one zero))",
            "(= (ite p k2 k3) (ite q k3 k5))",
        ],
        ignores: &[
            "(= (ite p x zero) (ite q one zero))",
            "(= (ite p one zero) x)",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let small = |t: Term| {
                terms
                    .as_ite(t)
                    .is_some_and(|(_, x, y)| terms.is_const(x) && terms.is_const(y))
            };
            if !small(a) || !small(b) {
                return None;
            }
            lift(terms, a, |terms, leaf| terms.eq(b, leaf))
        },
    },
    // (= (ite p x y) x) => (or p (= y x))
    Rule {
        name: "eq_ite_case",
        level: Level::Full,
        needs: shape::ITE,
        applies: &[
            "(= (ite p x y) x)",
            "(= (ite p x y) y)",
            "(= x (ite p x y))",
        ],
        ignores: &["(= (ite p x y) z)"],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let (c, x, y) = terms.as_ite(a)?;
                if x == b {
                    let equal = terms.eq(y, b);
                    return Some(terms.or(c, equal));
                }
                (y == b).then(|| {
                    let equal = terms.eq(x, b);
                    let not_c = terms.not(c);
                    terms.or(not_c, equal)
                })
            })
        },
    },
    // (= (ite p x y) (ite p x z)) => (or p (= y z)), and with the other case shared
    Rule {
        name: "eq_ites_same_cond",
        level: Level::Full,
        needs: shape::ITE,
        applies: &[
            "(= (ite p x y) (ite p x z))",
            "(= (ite p x y) (ite p z y))",
            "(= (ite p k2 k3) (ite p k3 x))",
        ],
        ignores: &["(= (ite p x y) (ite q x z))", "(= (ite p x y) (ite p z u))"],
        apply: |terms, draft| {
            let (c, x, y) = terms.as_ite(draft.args[0])?;
            let (d, u, v) = terms.as_ite(draft.args[1])?;
            let known =
                |terms: &Terms, a: Term, b: Term| a == b || terms.is_const(a) && terms.is_const(b);
            if c != d || !known(terms, x, u) && !known(terms, y, v) {
                return None;
            }
            let (then, otherwise) = (terms.eq(x, u), terms.eq(y, v));
            Some(terms.ite(c, then, otherwise))
        },
    },
    // (= (bvlshr x k2) zero) => (bvult x k4)
    Rule {
        name: "eq_lshr_zero",
        level: Level::Full,
        needs: shape::SHIFT | shape::CONST,
        applies: &["(= (bvlshr x k2) zero)"],
        ignores: &[
            "(= (bvlshr x k2) one)",
            "(= (bvlshr x y) zero)",
            "(= (bvshl x k2) zero)",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            let (x, k) = terms.bin(a, Op::Lshr)?;
            let amount = terms.as_bv(k)?.to_u64()?;
            let width = terms.width(x);
            if !terms.as_bv(b)?.is_zero() || amount >= u64::from(width) {
                return None;
            }
            let bound = terms.bv(Bv::one(width).shl_by(amount as u32));
            Some(terms.ult(x, bound))
        },
    },
];

/// If one of `x y` is one of `u v`, the two that are left.
fn common(x: Term, y: Term, u: Term, v: Term) -> Option<(Term, Term)> {
    if x == u {
        Some((y, v))
    } else if x == v {
        Some((y, u))
    } else if y == u {
        Some((x, v))
    } else if y == v {
        Some((x, u))
    } else {
        None
    }
}

/// The inverse of an odd number modulo 2^width, by Newton's iteration.
fn inverse(odd: &Bv) -> Bv {
    let two = Bv::from_u64(2, odd.width());
    let mut result = odd.clone();
    // An odd number is its own inverse modulo 8; each step doubles the number of right bits.
    let mut right = 3;
    while right < odd.width() {
        result = result.mul(&two.sub(&odd.mul(&result)));
        right *= 2;
    }
    result
}

impl Terms {
    /// Whether two terms are equal in every model, or different in every model, as far as can be told without making terms.
    pub fn decide_eq(&self, a: Term, b: Term) -> Option<bool> {
        match self.decide_whole_eq(a, b) {
            None => self.decide_halves_eq(a, b),
            decided => decided,
        }
    }

    /// Two halves put together, or a constant of which so many bits are the lower half: its halves differ from others' if
    /// one of them does. Wide terms have no facts, but their halves may.
    fn decide_halves_eq(&self, a: Term, b: Term) -> Option<bool> {
        let halves = |t: Term| self.bin(t, Op::Concat);
        match (halves(a), halves(b)) {
            (Some((high, low)), Some((other_high, other_low))) => {
                if self.width(low) != self.width(other_low) {
                    return None;
                }
                let high = self.decide_whole_eq(high, other_high);
                let low = self.decide_whole_eq(low, other_low);
                match (high, low) {
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (Some(true), Some(true)) => Some(true),
                    (Some(true) | None, Some(true) | None) => None,
                }
            }
            (Some((high, low)), None) => self.halves_differ(high, low, b),
            (None, Some((high, low))) => self.halves_differ(high, low, a),
            (None, None) => None,
        }
    }

    fn halves_differ(&self, high: Term, low: Term, constant: Term) -> Option<bool> {
        let bits = self.as_bv(constant)?;
        let split = self.width(low);
        let never = |half: Term, bits: Bv| match (self.as_bv(half), self.fact(half)) {
            (Some(value), _) => value != bits,
            (None, Some(fact)) => {
                let value = bits.to_u64().expect("what has a fact fits a word");
                let other = Fact::constant(value, bits.width());
                let listed = self.values(half);
                fact.disjoint(&other)
                    || listed.is_some_and(|list| list.as_slice().binary_search(&value).is_err())
            }
            (None, None) => false,
        };
        let differ = never(high, bits.extract(bits.width() - 1, split))
            || never(low, bits.extract(split - 1, 0));
        differ.then_some(false)
    }

    fn decide_whole_eq(&self, a: Term, b: Term) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        if self.is_const(a) && self.is_const(b) {
            return Some(false);
        }
        if let (Some(x), Some(y)) = (self.fact(a), self.fact(b)) {
            if x.disjoint(&y) || self.values_disjoint(a, b) {
                return Some(false);
            }
        }
        // x + k and x + l differ if k and l do.
        let parts = |t: Term| match self.bin(t, Op::Add) {
            Some((x, k)) if self.is_const(k) => (x, Some(k)),
            _ => (t, None),
        };
        let ((x, k), (y, l)) = (parts(a), parts(b));
        let nonzero = |k: Option<Term>| k.and_then(|k| self.as_bv(k)).is_some_and(|k| !k.is_zero());
        match x == y && (k != l) {
            true if k.is_some() && l.is_some() => Some(false),
            true if nonzero(k) || nonzero(l) => Some(false),
            _ => None,
        }
    }
}
