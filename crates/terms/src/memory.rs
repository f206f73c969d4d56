//! The theory of memory: pointers with a base and an offset, memories, and reads that rewriting takes away.
//!
//! This is the theory of SEAM (X. Zhou, master's thesis, 2022). Its sorts are
//!
//! ```text
//!   condition   a Boolean term                          scalar    whatever memory holds: see `Scalars`
//!   pointer     (ptr base offset)                       memory    a version of what all objects of a region hold
//! ```
//!
//! and there is an ite at each of them. A *base* is an object, two bases are never equal, and a later base has a greater
//! number; offsets are terms that count bytes modulo 2^w. Memories are made of
//!
//! ```text
//!   (init n)                        what was there at first: the theory of scalars knows
//!   (write m p k v)                 k bytes at p are v
//!   (memset m p n b)                n bytes from p on are b, for any term n
//!   (memcpy m p m' q n)             n bytes from p on are those of m' from q on
//!   (store-map m base (o k v) …)    writes to one object at constant offsets, the newest first
//! ```
//!
//! The only question is `(read m p k)`. Rewriting answers it at once ([`read`]): what is left holds ites, scalars and
//! what the theory of scalars says of initial memories, so nothing of a memory can reach a solver. The rules are rows
//! ([`rules`]), each with examples, and proved; comparisons that they need are decided by equal terms, by bases, and by
//! what an offset may be ([`ranges`]). Writes are grouped as they come ([`store_map`]), which turns long searches into
//! look-ups.
//!
//! Expressions have an arena of their own and are no [`Term`]s: neither a solver nor an evaluator of terms can meet one.

use std::collections::HashMap;
use std::hash::Hash;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::arena::{Term, Terms};
use crate::rewrite::Rewriter;

mod choose;
pub mod interval;
pub mod ranges;
pub mod read;
pub mod rules;
mod same;
pub mod store_map;
pub mod text;
mod write;

pub use interval::Interval;
pub use ranges::Ranges;
pub use store_map::{Entry, List};

base::id! {
    /// An expression of the theory. Equal expressions have equal ids; arguments have smaller ids than the expressions
    /// they occur in.
    Expr, "m"
}

/// An object, by the order in which objects were made.
pub type Base = u32;

/// No object: where a write goes whose condition does not hold.
pub const NOWHERE: Base = 0;

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind<V> {
    /// A scalar that is known.
    Scalar(V),
    /// Scalars side by side, lowest first: the number of a list.
    Join(u32),
    /// So many bytes of a memory at a pointer.
    Read {
        /// Of which memory.
        memory: Expr,
        /// Where.
        at: Expr,
        /// How many bytes.
        width: u32,
    },
    /// The pointer into an object at an offset.
    Ptr(Base, Term),
    /// What was in memory at first.
    Init(u32),
    /// A memory with a scalar at a pointer.
    Write {
        /// Before.
        memory: Expr,
        /// Where.
        at: Expr,
        /// How many bytes.
        width: u32,
        /// What.
        value: V,
    },
    /// A memory with the same byte so often.
    Set {
        /// Before.
        memory: Expr,
        /// From where on.
        at: Expr,
        /// How many bytes.
        len: Term,
        /// Which byte.
        byte: Term,
    },
    /// A memory with bytes of another one.
    Copy {
        /// Before.
        memory: Expr,
        /// From where on.
        at: Expr,
        /// How many bytes.
        len: Term,
        /// Bytes of which memory.
        source: Expr,
        /// From where on there: one object.
        from: Expr,
    },
    /// A memory with scalars at constant offsets of one object.
    Map {
        /// Before, or what was written to older objects since.
        memory: Expr,
        /// Which object.
        base: Base,
        /// The scalars.
        list: List,
    },
    /// The first if the condition holds, else the second; scalars, pointers or memories.
    Ite(Term, [Expr; 2]),
}

/// The sort of an expression. Conditions and lengths are terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// A scalar of so many bytes.
    Scalar(u32),
    /// A pointer.
    Pointer,
    /// A memory.
    Memory,
}

/// What memory holds: the theory that the theory of memory is built on.
pub trait Scalars {
    /// A scalar. Equal ones are equal.
    type Scalar: Copy + Eq + Hash + std::fmt::Debug;

    /// The terms of conditions and offsets.
    fn terms(&mut self) -> &mut Terms;

    /// How many bits an offset has.
    fn pointer_bits(&self) -> u32;

    /// The first scalar if the condition holds, else the second; both of one width.
    fn choose(&mut self, condition: Term, a: Self::Scalar, b: Self::Scalar) -> Self::Scalar;

    /// `count` bytes of a scalar of `width` bytes, from byte `from` on.
    fn part(&mut self, scalar: Self::Scalar, width: u32, from: u32, count: u32) -> Self::Scalar;

    /// One byte of a scalar, the one whose number is the term; what lies beyond its end does not matter.
    fn byte(&mut self, scalar: Self::Scalar, width: u32, number: Term) -> Self::Scalar;

    /// Scalars with their widths side by side, lowest first.
    fn join(&mut self, parts: &[(Self::Scalar, u32)]) -> Self::Scalar;

    /// A byte, which is a term, so often.
    fn filled(&mut self, byte: Term, width: u32) -> Self::Scalar;

    /// What an initial memory holds in an object.
    fn initial(&mut self, memory: u32, base: Base, offset: Term, width: u32) -> Self::Scalar;

    /// The size of an object, if it is known and no access leaves the object.
    fn size(&self, base: Base) -> Option<u64>;
}

/// What rewriting did, and what it has to keep.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Reads that were asked for.
    pub reads: u64,
    /// Writes and ranges that a read was past without a condition.
    pub skips: u64,
    /// Writes and ranges that a read certainly met.
    pub hits: u64,
    /// Writes and ranges that a read may have met: conditions that were made.
    pub conditions: u64,
    /// Writes that went into a store map.
    pub grouped: u64,
    /// Writes that changed places with newer ones to get there.
    pub commuted: u64,
    /// Reads that a store map answered.
    pub map_hits: u64,
    /// Store maps that a read was past: another object, or no such offset.
    pub map_misses: u64,
    /// Store maps that were peeled, because what is read is at no known offset.
    pub peeled: u64,
    /// Look-ups in a version of a store map that is not the newest.
    pub stale: u64,
}

/// Which of the techniques are used. None changes what is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Techniques {
    /// Ranges of addresses, to see that a read is past a write.
    pub ranges: bool,
    /// Store maps.
    pub maps: bool,
}

impl Default for Techniques {
    fn default() -> Techniques {
        Techniques {
            ranges: true,
            maps: true,
        }
    }
}

/// The expressions of a theory over scalars `V`.
pub struct Memories<V> {
    kinds: Vec<Kind<V>>,
    ids: HashMap<Kind<V>, Expr, FxBuildHasher>,
    joins: Vec<Box<[Expr]>>,
    join_ids: HashMap<Box<[Expr]>, u32, FxBuildHasher>,
    pub(crate) lists: store_map::Lists<V>,
    /// What pointers may be.
    ranges: FxHashMap<Expr, std::rc::Rc<Ranges>>,
    /// A pointer in one object: when it is there, and where.
    within: FxHashMap<(Expr, Base), Option<(Term, Term)>>,
    techniques: Techniques,
    /// What was counted so far.
    pub counts: Counts,
}

impl<V: Copy + Eq + Hash> Default for Memories<V> {
    fn default() -> Memories<V> {
        Memories::new(Techniques::default())
    }
}

impl<V: Copy + Eq + Hash> Memories<V> {
    /// No expressions.
    pub fn new(techniques: Techniques) -> Memories<V> {
        Memories {
            kinds: Vec::new(),
            ids: HashMap::default(),
            joins: Vec::new(),
            join_ids: HashMap::default(),
            lists: store_map::Lists::default(),
            ranges: FxHashMap::default(),
            within: FxHashMap::default(),
            techniques,
            counts: Counts::default(),
        }
    }

    /// Which techniques are used from now on.
    pub fn set_techniques(&mut self, techniques: Techniques) {
        self.techniques = techniques;
    }

    /// Which techniques are used.
    pub fn techniques(&self) -> Techniques {
        self.techniques
    }

    /// How many expressions there are.
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// What an expression is.
    #[inline]
    pub fn kind(&self, expr: Expr) -> Kind<V> {
        self.kinds[expr.index()]
    }

    pub(crate) fn kind_ref(&self, expr: Expr) -> &Kind<V> {
        &self.kinds[expr.index()]
    }

    /// What a store map has, the newest first.
    pub fn entries(&self, list: List) -> Vec<Entry<V>> {
        self.lists.entries(list).collect()
    }

    /// The parts of a [`Kind::Join`].
    pub fn parts(&self, join: u32) -> &[Expr] {
        &self.joins[join as usize]
    }

    /// The sort. `width` is what a scalar that is known has.
    pub fn sort(&self, mut expr: Expr, width: &dyn Fn(V) -> u32) -> Sort {
        loop {
            return match self.kind(expr) {
                Kind::Scalar(value) => Sort::Scalar(width(value)),
                Kind::Join(parts) => {
                    let parts = self.parts(parts).iter();
                    let widths = parts.map(|&part| match self.sort(part, width) {
                        Sort::Scalar(width) => width,
                        Sort::Pointer | Sort::Memory => unreachable!("scalars are joined"),
                    });
                    Sort::Scalar(widths.sum())
                }
                Kind::Read { width, .. } => Sort::Scalar(width),
                Kind::Ptr(..) => Sort::Pointer,
                Kind::Init(_)
                | Kind::Write { .. }
                | Kind::Set { .. }
                | Kind::Copy { .. }
                | Kind::Map { .. } => Sort::Memory,
                Kind::Ite(_, [a, _]) => {
                    expr = a;
                    continue;
                }
            };
        }
    }

    /// The expression of a kind, as it is.
    pub fn make(&mut self, kind: Kind<V>) -> Expr {
        if let Some(&known) = self.ids.get(&kind) {
            return known;
        }
        let expr = Expr::from_index(self.kinds.len());
        self.kinds.push(kind);
        self.ids.insert(kind, expr);
        expr
    }

    /// The pointer into an object at an offset.
    pub fn ptr(&mut self, base: Base, offset: Term) -> Expr {
        self.make(Kind::Ptr(base, offset))
    }

    /// Scalars side by side, lowest first.
    pub(crate) fn join(&mut self, parts: Vec<Expr>) -> Expr {
        let parts: Box<[Expr]> = parts.into();
        let number = match self.join_ids.get(&parts) {
            Some(&known) => known,
            None => {
                let number = self.joins.len() as u32;
                self.joins.push(parts.clone());
                self.join_ids.insert(parts, number);
                number
            }
        };
        self.make(Kind::Join(number))
    }

    /// The first if the condition holds, else the second, as it is unless the condition or both are the same.
    pub fn ite(&mut self, terms: &Terms, condition: Term, a: Expr, b: Expr) -> Expr {
        match terms.as_bool(condition) {
            Some(true) => a,
            Some(false) => b,
            None if a == b => a,
            None => self.make(Kind::Ite(condition, [a, b])),
        }
    }
}

/// Expressions with the theory of what memory holds.
pub struct Theory<'a, S: Scalars> {
    /// The expressions.
    pub exprs: &'a mut Memories<S::Scalar>,
    /// The theory of scalars.
    pub scalars: &'a mut S,
}

/// Answers reads, and remembers the answers.
pub type Reader = Rewriter<read::Eliminate, Expr>;

impl<S: Scalars> Theory<'_, S> {
    /// What an expression is.
    #[inline]
    pub fn kind(&self, expr: Expr) -> Kind<S::Scalar> {
        self.exprs.kind(expr)
    }

    /// The terms.
    #[inline]
    pub fn terms(&mut self) -> &mut Terms {
        self.scalars.terms()
    }

    /// The first if the condition holds, else the second.
    pub fn ite(&mut self, condition: Term, a: Expr, b: Expr) -> Expr {
        self.exprs.ite(self.scalars.terms(), condition, a, b)
    }

    /// The leaves of a pointer and when it is each of them, down the right side: `(condition, leaf)` as long as there is
    /// a choice, and the last leaf. So long chains of choices need no deep stack.
    fn spine(&self, mut pointer: Expr) -> (Vec<(Term, Expr)>, Expr) {
        let mut choices = Vec::new();
        while let Kind::Ite(condition, [a, b]) = self.kind(pointer) {
            choices.push((condition, a));
            pointer = b;
        }
        (choices, pointer)
    }

    /// A pointer so many bytes further.
    pub fn advance(&mut self, pointer: Expr, bytes: Term) -> Expr {
        if self.terms().as_u64(bytes) == Some(0) {
            return pointer;
        }
        // Choices may be nested on either side, and shared.
        let mut moved: FxHashMap<Expr, Expr> = FxHashMap::default();
        let mut work = vec![pointer];
        while let Some(&next) = work.last() {
            if moved.contains_key(&next) {
                work.pop();
                continue;
            }
            let further = match self.kind(next) {
                Kind::Ptr(base, offset) => {
                    let offset = self.terms().add(offset, bytes);
                    self.exprs.ptr(base, offset)
                }
                Kind::Ite(condition, [a, b]) => match (moved.get(&a), moved.get(&b)) {
                    (Some(&a), Some(&b)) => self.ite(condition, a, b),
                    (x, y) => {
                        work.extend(x.is_none().then_some(a));
                        work.extend(y.is_none().then_some(b));
                        continue;
                    }
                },
                other => unreachable!("{other:?} is no pointer"),
            };
            moved.insert(next, further);
            work.pop();
        }
        moved[&pointer]
    }

    /// A pointer that leads nowhere unless the condition holds.
    pub fn only_if(&mut self, condition: Term, pointer: Expr) -> Expr {
        let nowhere = self.nowhere();
        self.ite(condition, pointer, nowhere)
    }

    /// The pointer that leads nowhere.
    pub fn nowhere(&mut self) -> Expr {
        let width = self.scalars.pointer_bits();
        let zero = self.terms().bv_u64(0, width);
        self.exprs.ptr(NOWHERE, zero)
    }

    /// When a pointer leads into an object, and where; nothing if it never does.
    pub fn within(&mut self, pointer: Expr, base: Base) -> Option<(Term, Term)> {
        let mut work = vec![pointer];
        loop {
            let next = *work.last().expect("the last one returns");
            let found = match self.known_within(next, base) {
                Some(found) => found,
                None => {
                    let Kind::Ite(condition, [a, b]) = self.kind(next) else {
                        unreachable!("{next} is no pointer")
                    };
                    let sides = [a, b].map(|side| self.known_within(side, base));
                    let [Some(x), Some(y)] = sides else {
                        let unknown = [a, b].into_iter().zip(sides);
                        work.extend(unknown.filter(|side| side.1.is_none()).map(|side| side.0));
                        continue;
                    };
                    let found = self.within_either(condition, x, y);
                    self.exprs.within.insert((next, base), found);
                    found
                }
            };
            work.pop();
            if work.is_empty() {
                return found;
            }
        }
    }

    /// What [`Theory::within`] says of a pointer without a choice, or has said.
    fn known_within(&mut self, pointer: Expr, base: Base) -> Option<Option<(Term, Term)>> {
        match self.kind(pointer) {
            Kind::Ptr(its, offset) => {
                Some((its == base).then(|| (self.scalars.terms().tru(), offset)))
            }
            _ => self.exprs.within.get(&(pointer, base)).copied(),
        }
    }

    /// When a choice leads into an object, and where, from what is known of its sides.
    fn within_either(
        &mut self,
        condition: Term,
        first: Option<(Term, Term)>,
        second: Option<(Term, Term)>,
    ) -> Option<(Term, Term)> {
        let terms = self.scalars.terms();
        match (first, second) {
            (None, None) => None,
            (Some((holds, offset)), None) => Some((terms.and(condition, holds), offset)),
            (None, Some((holds, offset))) => {
                let other = terms.not(condition);
                Some((terms.and(other, holds), offset))
            }
            (Some((x, here)), Some((y, there))) => {
                let holds = terms.ite(condition, x, y);
                Some((holds, terms.ite(condition, here, there)))
            }
        }
    }

    /// Are two pointers equal? Those into different objects never are.
    pub fn equal(&mut self, p: Expr, q: Expr) -> Term {
        self.compare(p, q, Terms::eq)
    }

    /// Is a pointer less than another one: in the same object, and before it?
    pub fn less(&mut self, p: Expr, q: Expr) -> Term {
        self.compare(p, q, Terms::ult)
    }

    /// Is a pointer less than another one or equal?
    pub fn at_most(&mut self, p: Expr, q: Expr) -> Term {
        self.compare(p, q, Terms::ule)
    }

    fn compare(&mut self, p: Expr, q: Expr, by: fn(&mut Terms, Term, Term) -> Term) -> Term {
        let (choices, last) = self.spine(p);
        let (others, end) = self.spine(q);
        let result = if let (Kind::Ptr(base, offset), Kind::Ptr(other, there)) =
            (self.kind(last), self.kind(end))
        {
            match base == other {
                true => by(self.terms(), offset, there),
                false => self.terms().fls(),
            }
        } else {
            unreachable!("{p} and {q} are pointers")
        };
        let mut result = result;
        for (condition, leaf) in others.into_iter().rev() {
            let here = self.compare(last, leaf, by);
            result = self.terms().ite(condition, here, result);
        }
        for (condition, leaf) in choices.into_iter().rev() {
            let here = self.compare(leaf, q, by);
            result = self.terms().ite(condition, here, result);
        }
        result
    }

    /// Is a pointer at a constant offset of one object?
    pub fn is_fixed(&mut self, pointer: Expr) -> bool {
        match self.kind(pointer) {
            Kind::Ptr(_, offset) => self.terms().as_u64(offset).is_some(),
            _ => false, // Several objects, or no pointer.
        }
    }

    /// How many bytes a pointer is behind another one, where both lead into the same object.
    pub fn distance(&mut self, p: Expr, q: Expr) -> Option<Term> {
        let (Kind::Ptr(base, offset), Kind::Ptr(other, there)) = (self.kind(p), self.kind(q))
        else {
            return None;
        };
        (base == other).then(|| self.terms().sub(offset, there))
    }
}
