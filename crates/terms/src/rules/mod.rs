//! Rewrite rules: theorems with a name, tried as terms are made.
//!
//! A rule is a row of a table: what it is called, at which level it is on, what its arguments must look like for it to
//! be worth trying, examples that it changes and examples that it must not change, and the rewriting itself. The tables
//! are grouped by operator, one file per family, and a term's operator selects its tables, so a term only meets the
//! rules that can concern it.
//!
//! To add a rule, add a row. The tests walk the tables: every `applies` example must change by that very rule, no
//! `ignores` example may, a rule without both is refused, and every change is checked against the evaluator for all
//! values at widths 1 to 4 (and by solvers, with rewriting off, at 8, 32 and 64; see [`instances`]).
//!
//! Examples are SMT-LIB terms over `x y z u` and `i j` (bit-vectors of the width under test), `t` (one bit), `p q r s`
//! (Booleans), `a b` (arrays from and to such bit-vectors), `f g h` (floats), `m n` (integers), the constants
//! `zero one ones min max` and `k2` … `k9` (modulo 2^width). `{w-1}` and the like are computed from the width.
//!
//! Rules may assume that a constant argument of a commutative operator comes last; two others may come in any order.
//! A rule must terminate by itself: its result is smaller in some order that all rules share. Roughly: comparisons are
//! `<`, subtraction is addition, constants move outwards and to the right, negations move outwards, ites move outwards
//! when a constant becomes of it.

mod arith;
mod array;
mod bitwise;
mod boolean;
mod compare;
mod division;
mod equality;
mod extract;
mod float;
mod fold;
pub mod instances;
mod int;
mod ite;
mod linear;
mod overflow;
mod shift;

use std::mem::discriminant;

use rustc_hash::FxHashSet;

use crate::arena::{Draft, Level, Term, Terms};
use crate::op::Op;

/// A rewrite rule. See the [module](self).
pub struct Rule {
    /// The name, which no other rule has.
    pub name: &'static str,
    /// The least level at which it is on.
    pub level: Level,
    /// What the arguments must look like, as a set of [`shape`] bits that must all be there.
    pub(crate) needs: u32,
    /// Terms that it changes.
    pub applies: &'static [&'static str],
    /// Terms that it must leave alone.
    pub ignores: &'static [&'static str],
    /// The rewriting: an equivalent term, or nothing.
    pub(crate) apply: fn(&mut Terms, &Draft) -> Option<Term>,
}

/// What arguments look like at first sight, one bit each.
pub(crate) mod shape {
    /// No condition.
    pub(crate) const ANY: u32 = 0;
    /// Some argument is a constant.
    pub(crate) const CONST: u32 = 1 << 0;
    /// All arguments are constants.
    pub(crate) const ALL_CONST: u32 = 1 << 1;
    /// The first two arguments are the same.
    pub(crate) const SAME: u32 = 1 << 2;
    /// Something is known of some argument, or one is constant.
    pub(crate) const FACT: u32 = 1 << 3;
    /// Some argument is a Boolean negation.
    pub(crate) const NOT: u32 = 1 << 4;
    /// Some argument is a conjunction.
    pub(crate) const AND: u32 = 1 << 5;
    /// Some argument is a disjunction.
    pub(crate) const OR: u32 = 1 << 6;
    /// Some argument is an equality.
    pub(crate) const EQ: u32 = 1 << 7;
    /// Some argument is an ite.
    pub(crate) const ITE: u32 = 1 << 8;
    /// Some argument is a bit-vector comparison.
    pub(crate) const LESS: u32 = 1 << 9;
    /// Some argument is a bitwise negation.
    pub(crate) const BVNOT: u32 = 1 << 10;
    /// Some argument is a bitwise conjunction, disjunction or exclusive disjunction.
    pub(crate) const BITS: u32 = 1 << 11;
    /// Some argument is a two's complement negation.
    pub(crate) const NEG: u32 = 1 << 12;
    /// Some argument is a sum or difference.
    pub(crate) const ADD: u32 = 1 << 13;
    /// Some argument is a product.
    pub(crate) const MUL: u32 = 1 << 14;
    /// Some argument is a quotient or remainder.
    pub(crate) const DIV: u32 = 1 << 15;
    /// Some argument is a shift.
    pub(crate) const SHIFT: u32 = 1 << 16;
    /// Some argument is a concatenation.
    pub(crate) const CONCAT: u32 = 1 << 17;
    /// Some argument is an extraction.
    pub(crate) const EXTRACT: u32 = 1 << 18;
    /// Some argument is a zero extension.
    pub(crate) const ZEXT: u32 = 1 << 19;
    /// Some argument is a sign extension.
    pub(crate) const SEXT: u32 = 1 << 20;
    /// Some argument is a store or a constant array.
    pub(crate) const STORE: u32 = 1 << 21;
    /// Some argument is an integer operation or a conversion between integers and bit-vectors.
    pub(crate) const INT: u32 = 1 << 22;
    /// Some argument is a floating-point operation or a conversion to floats.
    pub(crate) const FLOAT: u32 = 1 << 23;
    /// Some argument is a selection from an array.
    pub(crate) const SELECT: u32 = 1 << 24;
    /// Some argument is a two's complement or bitwise negation.
    pub(crate) const NEGATED: u32 = 1 << 25;
    /// Some argument is a zero or sign extension.
    pub(crate) const EXTEND: u32 = 1 << 26;
    /// Some argument is a sum, a product, a shift or a two's complement negation.
    pub(crate) const LINEAR: u32 = 1 << 27;
    /// Some argument's bits depend on no higher bits of its own arguments: sums, products, negations, bitwise operators.
    pub(crate) const UPWARD: u32 = 1 << 28;
    /// Some argument is a bit-vector comparison or a Boolean negation.
    pub(crate) const BOUND: u32 = 1 << 29;
}

/// The shape bits of an operator.
#[inline]
fn shape_of(op: Op) -> u32 {
    match op {
        Op::True | Op::False | Op::BvConst(_) | Op::FloatConst(_) | Op::IntConst(_) => {
            shape::CONST | shape::FACT
        }
        Op::Not => shape::NOT | shape::BOUND,
        Op::And => shape::AND,
        Op::Or => shape::OR,
        Op::Eq => shape::EQ,
        Op::Ite => shape::ITE,
        Op::Ult | Op::Ule | Op::Slt | Op::Sle => shape::LESS | shape::BOUND,
        Op::BvNot => shape::BVNOT | shape::NEGATED | shape::UPWARD,
        Op::BvAnd | Op::BvOr | Op::BvXor => shape::BITS | shape::UPWARD,
        Op::Neg => shape::NEG | shape::NEGATED | shape::LINEAR | shape::UPWARD,
        Op::Add | Op::Sub => shape::ADD | shape::LINEAR | shape::UPWARD,
        Op::Mul => shape::MUL | shape::LINEAR | shape::UPWARD,
        Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem => shape::DIV,
        Op::Shl | Op::Lshr | Op::Ashr => shape::SHIFT | shape::LINEAR,
        Op::Concat => shape::CONCAT,
        Op::Extract { .. } => shape::EXTRACT,
        Op::Zext => shape::ZEXT | shape::EXTEND,
        Op::Sext => shape::SEXT | shape::EXTEND,
        Op::Store | Op::ConstArray => shape::STORE,
        Op::Select => shape::SELECT,
        Op::IntNeg
        | Op::IntAdd
        | Op::IntSub
        | Op::IntMul
        | Op::IntDiv
        | Op::IntMod
        | Op::BvToNat
        | Op::IntToBv
        | Op::IntLe
        | Op::IntLt => shape::INT,
        Op::FpFromBits
        | Op::FpToBits
        | Op::FpNeg
        | Op::FpAbs
        | Op::FpAdd(_)
        | Op::FpSub(_)
        | Op::FpMul(_)
        | Op::FpDiv(_)
        | Op::FpFma(_)
        | Op::FpSqrt(_)
        | Op::FpRem
        | Op::FpRound(_)
        | Op::FpToFp(_)
        | Op::FpFromSbv(_)
        | Op::FpFromUbv(_) => shape::FLOAT,
        Op::Var(_)
        | Op::Xor
        | Op::Uaddo
        | Op::Saddo
        | Op::Ssubo
        | Op::Umulo
        | Op::Smulo
        | Op::Apply(_)
        | Op::FpLt
        | Op::FpLe
        | Op::FpEq
        | Op::FpIsNan
        | Op::FpIsInf
        | Op::FpIsZero
        | Op::FpIsNormal
        | Op::FpIsSubnormal
        | Op::FpIsNegative
        | Op::FpToSbv(_)
        | Op::FpToUbv(_) => 0,
    }
}

/// The shape bits of a draft's arguments.
#[inline]
pub(crate) fn shape_of_args(terms: &Terms, draft: &Draft) -> u32 {
    let arity = draft.op.arity().unwrap_or(0);
    let (mut some, mut all) = (0, shape::CONST);
    for &arg in &draft.args[..arity] {
        let mut bits = shape_of(terms.op(arg));
        if terms.fact_id(arg) != 0 {
            bits |= shape::FACT;
        }
        some |= bits;
        all &= bits;
    }
    if all & shape::CONST != 0 && arity > 0 {
        some |= shape::ALL_CONST;
    }
    if arity >= 2 && draft.args[0] == draft.args[1] {
        some |= shape::SAME;
    }
    some
}

/// Declares what is tried on which operator, and by the same rows what is proved: a table that no row names is tried
/// on nothing, and one that a row names is in [`all`].
macro_rules! tables {
    ($($($op:pat_param)|+ => [$($table:expr),*],)*) => {
        /// The tables of an operator, in the order in which they are tried after [`fold::FOLD`].
        #[inline]
        fn tables(op: Op) -> &'static [&'static [Rule]] {
            match op {
                $($($op)|+ => &[$($table),*],)*
            }
        }

        /// The tables of all operators; some have tables in common.
        const TABLES: &[&[&[Rule]]] = &[$(&[$($table),*]),*];
    };
}

tables! {
    Op::True
    | Op::False
    | Op::BvConst(_)
    | Op::FloatConst(_)
    | Op::IntConst(_)
    | Op::Var(_) => [],
    Op::Apply(_) => [],
    Op::Not => [boolean::NOT],
    Op::And => [boolean::AND, boolean::SAME],
    Op::Or => [boolean::OR, boolean::SAME],
    Op::Xor => [boolean::XOR, boolean::SAME],
    Op::Eq => [boolean::EQ, equality::EQ, int::EQ, array::EQ, linear::EQ, boolean::SAME],
    Op::Ite => [ite::ITE, boolean::SAME],
    Op::BvNot => [bitwise::NOT, ite::PULL],
    Op::BvAnd => [bitwise::AND, ite::PULL, FACT],
    Op::BvOr => [bitwise::OR, ite::PULL, FACT],
    Op::BvXor => [bitwise::XOR, ite::PULL, FACT],
    Op::Neg => [arith::NEG, ite::PULL],
    Op::Add => [arith::ADD, ite::PULL, linear::ADD, FACT],
    Op::Sub => [arith::SUB, ite::PULL, FACT],
    Op::Mul => [arith::MUL, ite::PULL, FACT],
    Op::Udiv => [division::UDIV, ite::PULL, FACT],
    Op::Urem => [division::UREM, ite::PULL, FACT],
    Op::Sdiv => [division::SDIV, ite::PULL, FACT],
    Op::Srem => [division::SREM, ite::PULL, FACT],
    Op::Shl => [shift::SHL, ite::PULL, FACT],
    Op::Lshr => [shift::LSHR, ite::PULL, FACT],
    Op::Ashr => [shift::ASHR, ite::PULL, FACT],
    Op::Ult => [compare::ULT, compare::LESS],
    Op::Ule => [compare::ULE],
    Op::Slt => [compare::SLT, compare::LESS],
    Op::Sle => [compare::SLE],
    Op::Concat => [extract::CONCAT, ite::PULL],
    Op::Extract { .. } => [extract::EXTRACT, ite::PULL, FACT],
    Op::Zext => [extract::ZEXT, ite::PULL],
    Op::Sext => [extract::SEXT, ite::PULL],
    Op::Uaddo => [overflow::UADDO, overflow::ANY],
    Op::Saddo => [overflow::SADDO, overflow::ANY],
    Op::Ssubo => [overflow::SSUBO, overflow::ANY],
    Op::Umulo => [overflow::UMULO, overflow::ANY],
    Op::Smulo => [overflow::SMULO, overflow::ANY],
    Op::IntNeg => [int::NEG],
    Op::IntAdd => [int::ADD],
    Op::IntSub => [int::SUB],
    Op::IntMul => [int::MUL],
    Op::IntDiv => [int::DIV],
    Op::IntMod => [int::MOD],
    Op::IntLe => [int::LE],
    Op::IntLt => [int::LT],
    Op::BvToNat => [int::BV_TO_NAT],
    Op::IntToBv => [int::INT_TO_BV],
    Op::Select => [array::SELECT],
    Op::Store => [array::STORE],
    Op::ConstArray => [],
    Op::FpFromBits => [float::FROM_BITS],
    Op::FpToBits => [float::TO_BITS],
    Op::FpNeg => [float::NEG],
    Op::FpAbs => [float::ABS],
    Op::FpAdd(_) => [float::ADD],
    Op::FpSub(_) => [float::SUB],
    Op::FpMul(_) => [float::MUL],
    Op::FpDiv(_) => [float::DIV],
    Op::FpToFp(_) => [float::TO_FP],
    Op::FpLt => [float::LT, float::COMPARE],
    Op::FpLe => [float::LE, float::COMPARE],
    Op::FpEq => [float::EQ, float::COMPARE],
    Op::FpIsNan => [float::IS_NAN, float::CLASS],
    Op::FpIsInf | Op::FpIsZero | Op::FpIsNormal | Op::FpIsSubnormal => [float::CLASS],
    Op::FpIsNegative => [float::IS_NEGATIVE, float::CLASS],
    Op::FpFma(_)
    | Op::FpSqrt(_)
    | Op::FpRem
    | Op::FpRound(_)
    | Op::FpFromSbv(_)
    | Op::FpFromUbv(_)
    | Op::FpToSbv(_)
    | Op::FpToUbv(_) => [],
}

/// What the first rule makes of a draft that fits its shape, is on at the level, and applies.
#[inline]
pub(crate) fn first_that_applies(
    terms: &mut Terms,
    draft: &Draft,
    shape: u32,
    level: Level,
) -> Option<Term> {
    if shape & shape::ALL_CONST != 0 {
        for rule in fold::FOLD {
            if let Some(t) = (rule.apply)(terms, draft) {
                terms.note_rule(rule.name);
                return Some(t);
            }
        }
    }
    for table in tables(draft.op) {
        for rule in *table {
            if shape & rule.needs == rule.needs && rule.level <= level {
                if let Some(t) = (rule.apply)(terms, draft) {
                    terms.note_rule(rule.name);
                    return Some(t);
                }
            }
        }
    }
    None
}

/// Every rule that is tried on an operator, in order.
fn rules_of(op: Op) -> impl Iterator<Item = &'static Rule> {
    fold::FOLD
        .iter()
        .chain(tables(op).iter().copied().flatten())
}

/// All rules, each once: what is tried on any operator.
pub fn all() -> Vec<&'static Rule> {
    let mut seen = FxHashSet::default();
    let tried = TABLES.iter().copied().flatten().copied().flatten();
    let rules = fold::FOLD.iter().chain(tried);
    // Operators share tables. Two rules that share only their name stay two, and the tests refuse them.
    rules
        .filter(|rule| seen.insert((rule.name, rule.applies)))
        .collect()
}

/// What facts alone decide.
const FACT: &[Rule] = &[
    // What has only one possible value is that value.
    Rule {
        name: "fact_single",
        level: Level::Full,
        needs: shape::FACT,
        applies: &[
            "(bvand ((_ zero_extend {w}) x) (concat x (_ bv0 {w})))",
            "((_ extract {2w-1} {w}) ((_ zero_extend {w}) x))",
        ],
        ignores: &[
            "(bvand x k2)",
            "(bvadd ((_ zero_extend 1) x) ((_ zero_extend 1) y))",
        ],
        apply: |terms, draft| {
            let fact = terms.fact_of(draft)?;
            let value = fact.single()?;
            Some(terms.bv_u64(value, fact.width))
        },
    },
];

impl Terms {
    /// Tries one rule on the top of a term, whatever the arena's level.
    pub fn apply_rule(&mut self, rule: &Rule, t: Term) -> Option<Term> {
        let draft = self.draft(t);
        let concerned = rules_of(draft.op).any(|other| other.name == rule.name);
        let fits = shape_of_args(self, &draft) & rule.needs == rule.needs;
        if concerned && fits {
            (rule.apply)(self, &draft)
        } else {
            None
        }
    }

    /// Whether a term has this operator, which has no payload. Comparing kinds is much cheaper than comparing operators.
    #[inline]
    fn has_op(&self, t: Term, op: Op) -> bool {
        discriminant(&self.op(t)) == discriminant(&op)
    }

    /// The argument of a unary term with this operator.
    #[inline]
    pub(crate) fn un(&self, t: Term, op: Op) -> Option<Term> {
        self.has_op(t, op).then(|| self.raw_args(t)[0])
    }

    /// The arguments of a binary term with this operator.
    #[inline]
    pub(crate) fn bin(&self, t: Term, op: Op) -> Option<(Term, Term)> {
        let [a, b, _] = self.raw_args(t);
        self.has_op(t, op).then_some((a, b))
    }

    /// Condition and cases of an ite.
    #[inline]
    pub(crate) fn as_ite(&self, t: Term) -> Option<(Term, Term, Term)> {
        let [c, a, b] = self.raw_args(t);
        self.has_op(t, Op::Ite).then_some((c, a, b))
    }

    /// Whether one is the Boolean negation of the other.
    #[inline]
    pub(crate) fn complementary(&self, a: Term, b: Term) -> bool {
        self.un(a, Op::Not) == Some(b) || self.un(b, Op::Not) == Some(a)
    }
}

/// Tries `f` on both orders of two arguments.
#[inline]
pub(crate) fn either<R>(draft: &Draft, mut f: impl FnMut(Term, Term) -> Option<R>) -> Option<R> {
    let [a, b, _] = draft.args;
    f(a, b).or_else(|| f(b, a))
}
