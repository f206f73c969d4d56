//! Extraction, concatenation and extension.
//!
//! Normal form: extractions sit at leaves, concatenations lean to the right, zeros in front are extensions.

use crate::arena::{Draft, Level, Term, Terms};
use crate::op::Op;
use crate::rules::{Rule, shape};

pub(crate) const EXTRACT: &[Rule] = &[
    // ((_ extract {w-1} 0) x) => x
    Rule {
        name: "extract_all",
        level: Level::Fold,
        needs: shape::ANY,
        applies: &["((_ extract {w-1} 0) x)"],
        ignores: &["((_ extract {w-2} 0) x)", "((_ extract {w-1} 1) x)"],
        apply: |terms, draft| {
            let x = draft.args[0];
            (terms.sort(x) == draft.sort).then_some(x)
        },
    },
    // ((_ extract 1 0) ((_ extract 3 1) x)) => ((_ extract 2 1) x)
    Rule {
        name: "extract_extract",
        level: Level::Fold,
        needs: shape::EXTRACT,
        applies: &["((_ extract 1 0) ((_ extract 3 1) x))"],
        ignores: &["((_ extract 1 0) x)"],
        apply: |terms, draft| {
            let (hi, lo) = range(draft);
            let Op::Extract { lo: base, .. } = terms.op(draft.args[0]) else {
                return None;
            };
            let x = terms.raw_args(draft.args[0])[0];
            Some(terms.extract(x, hi + base, lo + base))
        },
    },
    // ((_ extract …) (concat x y)) => inside x, inside y, or both
    Rule {
        name: "extract_concat",
        level: Level::Local,
        needs: shape::CONCAT,
        applies: &[
            "((_ extract {w-1} 1) (concat x y))",
            "((_ extract {2w-1} {w}) (concat x y))",
            "((_ extract {w} {w-1}) (concat x y))",
        ],
        ignores: &["((_ extract 1 0) x)"],
        apply: |terms, draft| {
            let (hi, lo) = range(draft);
            let (high, low) = terms.bin(draft.args[0], Op::Concat)?;
            let split = terms.width(low);
            if hi < split {
                return Some(terms.extract(low, hi, lo));
            }
            if lo >= split {
                return Some(terms.extract(high, hi - split, lo - split));
            }
            let high = terms.extract(high, hi - split, 0);
            let low = terms.extract(low, split - 1, lo);
            Some(terms.concat(high, low))
        },
    },
    // ((_ extract …) ((_ zero_extend 2) x)) => inside x, zero, or a shorter extension; also sign_extend
    Rule {
        name: "extract_extend",
        level: Level::Local,
        needs: shape::EXTEND,
        applies: &[
            "((_ extract {w-1} 1) ((_ zero_extend 3) x))",
            "((_ extract {w+1} {w}) ((_ zero_extend 3) x))",
            "((_ extract {w} 1) ((_ zero_extend 3) x))",
            "((_ extract {w-1} 1) ((_ sign_extend 3) x))",
            "((_ extract {w} 1) ((_ sign_extend 3) x))",
            "((_ extract {w+1} {w}) ((_ sign_extend 3) x))",
        ],
        ignores: &["((_ extract 1 0) x)"],
        apply: |terms, draft| {
            let (hi, lo) = range(draft);
            let a = draft.args[0];
            let op = terms.op(a);
            if op != Op::Zext && op != Op::Sext {
                return None;
            }
            let x = terms.raw_args(a)[0];
            let width = terms.width(x);
            if hi < width {
                return Some(terms.extract(x, hi, lo));
            }
            if lo >= width && op == Op::Zext {
                return Some(terms.bv_u64(0, hi - lo + 1));
            }
            // What lies above x are copies of its sign or zeros.
            let part = terms.extract(x, width - 1, lo.min(width - 1));
            Some(match op {
                Op::Zext => terms.zext(part, hi - lo + 1),
                _ => terms.sext(part, hi - lo + 1),
            })
        },
    },
    // ((_ extract …) (bvshl x k2)) => inside x, zero, or both; also bvlshr
    Rule {
        name: "extract_shift",
        level: Level::Local,
        needs: shape::SHIFT,
        applies: &[
            "((_ extract {w-1} 2) (bvshl x k2))",
            "((_ extract 1 0) (bvshl x k2))",
            "((_ extract {w-1} 0) (bvshl x k2))",
            "((_ extract {w-3} 0) (bvlshr x k2))",
        ],
        ignores: &[
            "((_ extract 1 0) (bvshl x y))",
            "((_ extract {w-1} 1) (bvlshr x k2))",
            "((_ extract 1 0) (bvashr x y))",
        ],
        apply: |terms, draft| {
            let (hi, lo) = range(draft);
            let a = draft.args[0];
            let [x, k, _] = terms.raw_args(a);
            let op = terms.op(a);
            if !matches!(op, Op::Shl | Op::Lshr | Op::Ashr) {
                return None;
            }
            let width = terms.width(x);
            let amount = terms
                .as_bv(k)?
                .to_u64()
                .filter(|&amount| amount < u64::from(width))? as u32;
            if op != Op::Shl {
                return (hi + amount < width).then(|| terms.extract(x, hi + amount, lo + amount));
            }
            if lo >= amount {
                return Some(terms.extract(x, hi - amount, lo - amount));
            }
            if hi < amount {
                return Some(terms.bv_u64(0, hi - lo + 1));
            }
            let high = terms.extract(x, hi - amount, 0);
            let low = terms.bv_u64(0, amount - lo);
            Some(terms.concat(high, low))
        },
    },
    // ((_ extract …) (bvand x k)) => (bvand ((_ extract …) x) ((_ extract …) k)); also bvor, bvxor, bvnot
    Rule {
        name: "extract_bits",
        level: Level::Full,
        needs: shape::UPWARD,
        applies: &[
            "((_ extract 1 0) (bvand x k5))",
            "((_ extract 1 0) (bvor x k5))",
            "((_ extract 1 0) (bvxor x k5))",
            "((_ extract 1 0) (bvnot x))",
        ],
        ignores: &[
            "((_ extract 1 0) (bvand x y))",
            "((_ extract 1 0) (bvadd x k5))",
        ],
        apply: |terms, draft| {
            let (hi, lo) = range(draft);
            let a = draft.args[0];
            let [x, k, _] = terms.raw_args(a);
            let op = terms.op(a);
            match op {
                Op::BvNot => {
                    let part = terms.extract(x, hi, lo);
                    Some(terms.bvnot(part))
                }
                Op::BvAnd | Op::BvOr | Op::BvXor => {
                    let k = terms.as_bv(k)?;
                    let k = terms.bv(k.extract(hi, lo));
                    let part = terms.extract(x, hi, lo);
                    Some(terms.make2(op, draft.sort, part, k))
                }
                _ => None,
            }
        },
    },
    // ((_ extract {w-1} 0) (bvadd ((_ zero_extend 8) x) ((_ zero_extend 8) y))) => (bvadd x y): low bits need low bits only
    Rule {
        name: "extract_narrow_arith",
        level: Level::Full,
        needs: shape::UPWARD,
        applies: &[
            "((_ extract {w-1} 0) (bvadd ((_ zero_extend 3) x) ((_ sign_extend 3) y)))",
            "((_ extract {w-1} 0) (bvmul ((_ zero_extend 3) x) ((_ zero_extend 3) k5)))",
            "((_ extract {w-1} 0) (bvneg ((_ zero_extend 3) x)))",
            "((_ extract {w-1} 0) (bvand ((_ zero_extend 3) x) ((_ sign_extend 3) y)))",
        ],
        ignores: &[
            "((_ extract {w-1} 1) (bvadd ((_ zero_extend 3) x) ((_ zero_extend 3) y)))",
            "((_ extract 1 0) (bvadd x y))",
            "((_ extract {w-1} 0) (bvudiv ((_ zero_extend 3) x) ((_ zero_extend 3) y)))",
        ],
        apply: |terms, draft| {
            let (hi, lo) = range(draft);
            let a = draft.args[0];
            let op = terms.op(a);
            let arity = match op {
                Op::Add | Op::Mul | Op::BvAnd | Op::BvOr | Op::BvXor => 2,
                Op::Neg => 1,
                _ => return None,
            };
            let shrinks = |t: Term| terms.is_const(t) || matches!(terms.op(t), Op::Zext | Op::Sext);
            let mut args = terms.raw_args(a);
            if lo != 0 || !args[..arity].iter().all(|&arg| shrinks(arg)) {
                return None;
            }
            for arg in &mut args[..arity] {
                *arg = terms.extract(*arg, hi, 0);
            }
            Some(terms.make(Draft {
                op,
                sort: draft.sort,
                args,
            }))
        },
    },
    // ((_ extract …) (ite p x k3)) => (ite p ((_ extract …) x) ((_ extract …) k3)), if a case becomes simpler
    Rule {
        name: "extract_ite",
        level: Level::Full,
        needs: shape::ITE,
        applies: &[
            "((_ extract 1 0) (ite p x k3))",
            "((_ extract {w-1} 0) (ite p (concat x y) (concat y x)))",
        ],
        ignores: &["((_ extract 1 0) (ite p x y))"],
        apply: |terms, draft| {
            let (hi, lo) = range(draft);
            let (c, a, b) = terms.as_ite(draft.args[0])?;
            let simple = |t: Term| {
                matches!(
                    terms.op(t),
                    Op::BvConst(_) | Op::Concat | Op::Zext | Op::Sext | Op::Extract { .. }
                )
            };
            if !simple(a) && !simple(b) {
                return None;
            }
            let (a, b) = (terms.extract(a, hi, lo), terms.extract(b, hi, lo));
            Some(terms.ite(c, a, b))
        },
    },
];

pub(crate) const CONCAT: &[Rule] = &[
    // (concat ((_ extract 3 2) x) ((_ extract 1 0) x)) => ((_ extract 3 0) x)
    Rule {
        name: "concat_extracts",
        level: Level::Local,
        needs: shape::EXTRACT,
        applies: &[
            "(concat ((_ extract 3 2) x) ((_ extract 1 0) x))",
            "(concat ((_ extract 3 2) x) (concat ((_ extract 1 1) x) y))",
        ],
        ignores: &[
            "(concat ((_ extract 3 2) x) ((_ extract 0 0) x))",
            "(concat ((_ extract 3 2) x) ((_ extract 1 0) y))",
        ],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if let Some(joined) = join_extracts(terms, a, b) {
                return Some(joined);
            }
            let (b, rest) = terms.bin(b, Op::Concat)?;
            let joined = join_extracts(terms, a, b)?;
            Some(terms.concat(joined, rest))
        },
    },
    // (concat zero x) => ((_ zero_extend …) x)
    Rule {
        name: "concat_zero",
        level: Level::Local,
        needs: shape::CONST,
        applies: &["(concat zero x)", "(concat #b0 x)"],
        ignores: &["(concat one x)", "(concat x zero)"],
        apply: |terms, draft| {
            let [a, b, _] = draft.args;
            if !terms.as_bv(a)?.is_zero() {
                return None;
            }
            Some(terms.zext(b, draft.sort.bv_width()?))
        },
    },
    // (concat ((_ zero_extend 2) x) y) => ((_ zero_extend 2) (concat x y))
    Rule {
        name: "concat_zext",
        level: Level::Local,
        needs: shape::ZEXT,
        applies: &["(concat ((_ zero_extend 2) x) y)"],
        ignores: &[
            "(concat x ((_ zero_extend 2) y))",
            "(concat ((_ sign_extend 2) x) y)",
        ],
        apply: |terms, draft| {
            let x = terms.un(draft.args[0], Op::Zext)?;
            let joined = terms.concat(x, draft.args[1]);
            Some(terms.zext(joined, draft.sort.bv_width()?))
        },
    },
    // (concat ((_ sign_extend 2) x) y) => ((_ sign_extend 2) (concat x y))
    Rule {
        name: "concat_sext",
        level: Level::Local,
        needs: shape::SEXT,
        applies: &["(concat ((_ sign_extend 2) x) y)"],
        ignores: &[
            "(concat x ((_ sign_extend 2) y))",
            "(concat ((_ zero_extend 2) x) y)",
        ],
        apply: |terms, draft| {
            let x = terms.un(draft.args[0], Op::Sext)?;
            let joined = terms.concat(x, draft.args[1]);
            Some(terms.sext(joined, draft.sort.bv_width()?))
        },
    },
    // (concat (concat x y) z) => (concat x (concat y z))
    Rule {
        name: "concat_right",
        level: Level::Local,
        needs: shape::CONCAT,
        applies: &["(concat (concat x y) z)"],
        ignores: &["(concat x (concat y z))"],
        apply: |terms, draft| {
            let (x, y) = terms.bin(draft.args[0], Op::Concat)?;
            let rest = terms.concat(y, draft.args[1]);
            Some(terms.concat(x, rest))
        },
    },
    // (concat k2 (concat k3 x)) => (concat k2k3 x)
    Rule {
        name: "concat_consts",
        level: Level::Local,
        needs: shape::CONCAT | shape::CONST,
        applies: &["(concat one (concat k3 x))"],
        ignores: &["(concat one (concat x k3))", "(concat x (concat one y))"],
        apply: |terms, draft| {
            let k = terms.as_bv(draft.args[0])?;
            let (l, x) = terms.bin(draft.args[1], Op::Concat)?;
            let joined = k.concat(&terms.as_bv(l)?);
            let joined = terms.bv(joined);
            Some(terms.concat(joined, x))
        },
    },
    // (concat (ite p x y) (ite p z u)) => (ite p (concat x z) (concat y u)), if a case joins
    Rule {
        name: "concat_ites",
        level: Level::Full,
        needs: shape::ITE,
        applies: &["(concat (ite p k2 k3) (ite p k5 x))"],
        ignores: &[
            "(concat (ite p x y) (ite q z u))",
            "(concat (ite p x y) (ite p z u))",
        ],
        apply: |terms, draft| {
            let (c, x, y) = terms.as_ite(draft.args[0])?;
            let (d, u, v) = terms.as_ite(draft.args[1])?;
            let joins = |a: Term, b: Term| match (terms.op(a), terms.op(b)) {
                (Op::BvConst(_), Op::BvConst(_)) => true,
                (Op::Extract { lo, .. }, Op::Extract { hi, .. }) => {
                    lo == hi + 1 && terms.raw_args(a)[0] == terms.raw_args(b)[0]
                }
                _ => false,
            };
            if c != d || !joins(x, u) && !joins(y, v) {
                return None;
            }
            let (a, b) = (terms.concat(x, u), terms.concat(y, v));
            Some(terms.ite(c, a, b))
        },
    },
];

pub(crate) const ZEXT: &[Rule] = &[
    // ((_ zero_extend 2) ((_ zero_extend 3) x)) => ((_ zero_extend 5) x)
    Rule {
        name: "zext_zext",
        level: Level::Fold,
        needs: shape::ZEXT,
        applies: &["((_ zero_extend 2) ((_ zero_extend 3) x))"],
        ignores: &["((_ zero_extend 2) ((_ sign_extend 3) x))"],
        apply: |terms, draft| {
            let x = terms.un(draft.args[0], Op::Zext)?;
            Some(terms.zext(x, draft.sort.bv_width()?))
        },
    },
];

pub(crate) const SEXT: &[Rule] = &[
    // ((_ sign_extend 2) ((_ sign_extend 3) x)) => ((_ sign_extend 5) x), ((_ sign_extend 2) ((_ zero_extend 3) x)) => ((_ zero_extend 5) x)
    Rule {
        name: "sext_extend",
        level: Level::Fold,
        needs: shape::EXTEND,
        applies: &[
            "((_ sign_extend 2) ((_ sign_extend 3) x))",
            "((_ sign_extend 2) ((_ zero_extend 3) x))",
        ],
        ignores: &["((_ sign_extend 2) x)"],
        apply: |terms, draft| {
            let width = draft.sort.bv_width()?;
            if let Some(x) = terms.un(draft.args[0], Op::Sext) {
                return Some(terms.sext(x, width));
            }
            let x = terms.un(draft.args[0], Op::Zext)?;
            Some(terms.zext(x, width))
        },
    },
    // ((_ sign_extend 2) x) => ((_ zero_extend 2) x), if x is never negative
    Rule {
        name: "sext_as_zext",
        level: Level::Full,
        needs: shape::FACT,
        applies: &[
            "((_ sign_extend 2) (concat #b0 x))",
            "((_ sign_extend 2) (bvlshr x one))",
        ],
        ignores: &[
            "((_ sign_extend 2) (concat #b1 x))",
            "((_ sign_extend 2) (bvor x one))",
        ],
        apply: |terms, draft| {
            let x = draft.args[0];
            let width = draft.sort.bv_width()?;
            (terms.fact(x)?.smin >= 0).then(|| terms.zext(x, width))
        },
    },
];

fn range(draft: &Draft) -> (u32, u32) {
    match draft.op {
        Op::Extract { hi, lo } => (hi, lo),
        other => unreachable!("{other:?} is no extraction"),
    }
}

/// One extraction for two that are neighbours in the same term.
fn join_extracts(terms: &mut Terms, a: Term, b: Term) -> Option<Term> {
    let (Op::Extract { hi, lo: middle }, Op::Extract { hi: below, lo }) =
        (terms.op(a), terms.op(b))
    else {
        return None;
    };
    let (x, y) = (terms.raw_args(a)[0], terms.raw_args(b)[0]);
    (x == y && middle == below + 1).then(|| terms.extract(x, hi, lo))
}
