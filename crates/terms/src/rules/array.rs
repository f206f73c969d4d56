//! Arrays: reading over writing, and writes that do nothing or are written over.

use crate::arena::{Level, Term, Terms};
use crate::op::Op;
use crate::rules::{Rule, either, shape};

/// The most stores that one read passes.
const MOST_STORES: usize = 4096;

pub(crate) const SELECT: &[Rule] = &[
    // (select (store a i x) i) => x, (select (store a i x) j) => (select a j) if i and j always differ
    Rule {
        name: "select_store",
        level: Level::Local,
        needs: shape::STORE,
        applies: &[
            "(select (store a i x) i)",
            "(select (store a k2 x) k3)",
            "(select (store a (bvadd i k2) x) i)",
            "(select (store (store a k2 x) k3 y) k2)",
            "(select (store (store a i x) k3 y) k2)",
            "(select (store ((as const (Array (_ BitVec {2w}) (_ BitVec {w}))) x) (concat k2 i) y) (concat k3 j))",
            "(select (store ((as const (Array (_ BitVec {2w}) (_ BitVec {w}))) x) (concat k2 k5) y) (concat (ite p k3 k6) j))",
        ],
        ignores: &[
            "(select (store a i x) j)",
            "(select a i)",
            "(select (store ((as const (Array (_ BitVec {2w}) (_ BitVec {w}))) x) (concat k2 i) y) (concat k2 j))",
        ],
        apply: |terms, draft| {
            let [mut array, index, _] = draft.args;
            for _ in 0..MOST_STORES {
                if terms.op(array) != Op::Store {
                    break;
                }
                let [older, at, value] = terms.raw_args(array);
                match terms.decide_eq(at, index) {
                    Some(true) => return Some(value),
                    Some(false) => array = older,
                    None => break,
                }
            }
            (array != draft.args[0]).then(|| terms.select(array, index))
        },
    },
    // (select ((as const (Array …)) x) i) => x
    Rule {
        name: "select_const",
        level: Level::Fold,
        needs: shape::STORE,
        applies: &["(select ((as const (Array (_ BitVec {w}) (_ BitVec {w}))) x) i)"],
        ignores: &["(select (store a i x) j)"],
        apply: |terms, draft| terms.un(draft.args[0], Op::ConstArray),
    },
    // (select (ite p (store a i x) b) i) => (ite p x (select b i)), if a case reads at once
    Rule {
        name: "select_ite",
        level: Level::Full,
        needs: shape::ITE,
        applies: &[
            "(select (ite p (store a i x) b) i)",
            "(select (ite p b ((as const (Array (_ BitVec {w}) (_ BitVec {w}))) x)) i)",
        ],
        ignores: &[
            "(select (ite p a b) i)",
            "(select (ite p (store a i x) b) j)",
        ],
        apply: |terms, draft| {
            let (c, a, b) = terms.as_ite(draft.args[0])?;
            let index = draft.args[1];
            let known = |t: Term| match terms.op(t) {
                Op::ConstArray => true,
                Op::Store => terms.decide_eq(terms.raw_args(t)[1], index) == Some(true),
                _ => false,
            };
            if !known(a) && !known(b) {
                return None;
            }
            let (a, b) = (terms.select(a, index), terms.select(b, index));
            Some(terms.ite(c, a, b))
        },
    },
];

pub(crate) const STORE: &[Rule] = &[
    // (store (store a i x) i y) => (store a i y)
    Rule {
        name: "store_store",
        level: Level::Fold,
        needs: shape::STORE,
        applies: &["(store (store a i x) i y)"],
        ignores: &["(store (store a i x) j y)"],
        apply: |terms, draft| {
            let [array, index, value] = draft.args;
            if terms.op(array) != Op::Store {
                return None;
            }
            let [older, at, _] = terms.raw_args(array);
            (at == index).then(|| terms.store(older, index, value))
        },
    },
    // (store a i (select a i)) => a
    Rule {
        name: "store_select",
        level: Level::Local,
        needs: shape::SELECT,
        applies: &["(store a i (select a i))"],
        ignores: &["(store a i (select a j))", "(store a i (select b i))"],
        apply: |terms, draft| {
            let [array, index, value] = draft.args;
            (terms.bin(value, Op::Select)? == (array, index)).then_some(array)
        },
    },
    // (store ((as const …) x) i x) => ((as const …) x)
    Rule {
        name: "store_const",
        level: Level::Local,
        needs: shape::STORE,
        applies: &["(store ((as const (Array (_ BitVec {w}) (_ BitVec {w}))) x) i x)"],
        ignores: &["(store ((as const (Array (_ BitVec {w}) (_ BitVec {w}))) x) i y)"],
        apply: |terms, draft| {
            let [array, _, value] = draft.args;
            (terms.un(array, Op::ConstArray)? == value).then_some(array)
        },
    },
];

pub(crate) const EQ: &[Rule] = &[
    // (= (store a i x) (store a i y)) => (= x y), (= (store a i x) a) => (= (select a i) x)
    Rule {
        name: "eq_store",
        level: Level::Local,
        needs: shape::STORE,
        applies: &[
            "(= (store a i x) (store a i y))",
            "(= (store a i x) a)",
            "(= a (store a i x))",
        ],
        ignores: &[
            "(= (store a i x) (store b i x))",
            "(= (store a i x) (store a j y))",
            "(= (store a i x) b)",
        ],
        apply: |terms, draft| {
            either(draft, |a, b| {
                let store =
                    |terms: &Terms, t: Term| (terms.op(t) == Op::Store).then(|| terms.raw_args(t));
                let [older, index, value] = store(terms, a)?;
                if older == b {
                    let before = terms.select(b, index);
                    return Some(terms.eq(before, value));
                }
                let [other, at, with] = store(terms, b)?;
                (older == other && index == at).then(|| terms.eq(value, with))
            })
        },
    },
];
