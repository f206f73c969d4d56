//! Clauses over bit-vectors as clauses over integers, term by term.
//!
//! Spacer generalises well over linear integer arithmetic and badly over bit-vectors. So each bit-vector term of width w becomes an integer that
//! is *congruent* to it modulo 2^w, with bounds: sums and products with constants need no more than that, and an operator that needs the
//! value itself asks for its signed or its unsigned *view*:
//!
//! ```text
//!   x + 1           x' + 1                                            congruent, between min + 1 and max + 1
//!   signed view     ite(x' + 1 > max, x' + 1 - 2^w, x' + 1)            no ite where bounds exclude the wrap
//!   x >> 2          q  with  x' = 4 q + r, 0 <= r < 4                  exact and linear, with a fresh quotient
//!   x * y           any value in bounds                                approximate
//! ```
//!
//! Wrapping makes clauses hard, and few invariants need it. With [`Wraps::Never`] an integer that leaves its range ends the execution, and each clause
//! gets a query beside it that asks whether that happens. If neither can be derived, then what was found is as true of the bit-vectors.
//!
//! A variable, and an argument of a predicate, is its signed or its unsigned view, whichever is asked for more often. What is
//! approximate allows more values than the original: a system that is safe over the integers is safe, and a derivation may be none. Neither is
//! believed by anybody: [`IntSystem::back`] turns invariants into formulas over bit-vectors, wide enough that nothing wraps, which
//! are to be checked against the original clauses.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use terms::{Fun, Op, Sort, Term, Terms};

use crate::horn::{Atom, Clause, System};

mod back;
mod known;
mod operators;
mod simple;

type Map<K, V> = FxHashMap<K, V>;

/// A system over integers, and how its predicates come from those over bit-vectors.
pub struct IntSystem {
    /// Clauses and predicates stand in the order of the original ones. Behind them come queries that ask whether anything wraps.
    pub system: System,
    /// Does it say exactly what the original says, where nothing wraps?
    pub exact: bool,
    wraps: Wraps,
    /// The queries that come last.
    queries: Vec<Clause>,
    /// How many clauses come before these.
    translated: usize,
    /// By predicate: its parameters' places in the original, and what they are.
    views: Vec<Vec<(usize, View)>>,
    predicates: Vec<Fun>,
}

/// What a parameter or a variable is as an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum View {
    /// A truth value stays what it is.
    Bool,
    /// The signed value of so many bits.
    Signed(u32),
    /// The unsigned value.
    Unsigned(u32),
}

/// What becomes of a result that leaves the range of its width.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wraps {
    /// What it is over bit-vectors.
    Modulo,
    /// It does not happen: clauses are about executions in which nothing wraps, and a query asks whether anything does.
    Never,
}

/// An integer that is congruent to a bit-vector, and its bounds.
#[derive(Clone, Debug)]
pub(crate) struct Num {
    pub(crate) term: Term,
    pub(crate) low: BigInt,
    pub(crate) high: BigInt,
    /// May it have left its range by arithmetic? Otherwise it is one of the views.
    pub(crate) sum: bool,
    /// Whether the values that it was made of were signed ones, if there were any.
    pub(crate) signed: Option<bool>,
}

/// Votes of operators for one of the views.
#[derive(Clone, Copy, Default, Debug)]
struct Votes {
    signed: u32,
    unsigned: u32,
}

impl Votes {
    fn view(self, width: u32) -> View {
        if self.unsigned > self.signed {
            View::Unsigned(width)
        } else {
            View::Signed(width)
        }
    }
}

/// The system over integers; none if it has sorts that no argument can have.
pub fn to_ints(terms: &mut Terms, system: &System, wraps: Wraps) -> Option<IntSystem> {
    let votes = votes(terms, system);
    let mut ints = IntSystem {
        system: System::default(),
        exact: true,
        wraps,
        queries: Vec::new(),
        translated: 0,
        views: Vec::new(),
        predicates: system.predicates.clone(),
    };
    let mut funs: BTreeMap<Fun, usize> = BTreeMap::new();
    for (index, &predicate) in system.predicates.iter().enumerate() {
        let (views, exact) = views_of(terms, system, &votes, predicate);
        ints.exact &= exact;
        let mut sorts: Vec<Sort> = views
            .iter()
            .map(|(_, view)| match view {
                View::Bool => Sort::Bool,
                View::Signed(_) | View::Unsigned(_) => Sort::Int,
            })
            .collect();
        if sorts.is_empty() {
            sorts.push(Sort::Bool);
        }
        let name = format!("{}.int", terms.fun(predicate).name);
        crate::horn::declare_predicate(terms, &mut ints.system, &name, &sorts);
        ints.views.push(views);
        funs.insert(predicate, index);
    }
    for clause in &system.clauses {
        let translated = ints.clause(terms, clause, &votes, &funs)?;
        ints.system.clauses.push(translated);
    }
    ints.translated = ints.system.clauses.len();
    ints.system.clauses.append(&mut ints.queries);
    Some(ints)
}

impl IntSystem {
    fn clause(
        &mut self,
        terms: &mut Terms,
        clause: &Clause,
        votes: &Map<Term, Votes>,
        funs: &BTreeMap<Fun, usize>,
    ) -> Option<Clause> {
        let known = known::bounds(terms, clause.constraint);
        let mut translator = Translator {
            terms,
            votes,
            known,
            bools: Map::default(),
            nums: Map::default(),
            signed: Map::default(),
            unsigned: Map::default(),
            side: Vec::new(),
            wraps: self.wraps,
            inside: Vec::new(),
            given: match self.wraps {
                Wraps::Never => self.given(clause, votes, funs),
                Wraps::Modulo => BTreeSet::new(),
            },
            exact: true,
        };
        let mut roots = vec![clause.constraint];
        for atom in clause.body.iter().chain(&clause.head) {
            roots.extend_from_slice(&atom.arguments);
        }
        translator.translate(&roots)?;
        let mut body = Vec::new();
        for atom in &clause.body {
            body.push(self.atom(&mut translator, atom, funs)?);
        }
        let head = match &clause.head {
            Some(atom) => Some(self.atom(&mut translator, atom, funs)?),
            None => None,
        };
        let mut constraint = translator.bools[&clause.constraint];
        self.exact &= translator.exact;
        let side = translator.side;
        let inside = translator.inside;
        for fact in side {
            constraint = terms.and(constraint, fact);
        }
        if !inside.is_empty() {
            let inside = terms.and_all(&inside);
            let outside = terms.not(inside);
            self.queries.push(Clause {
                body: body.clone(),
                constraint: terms.and(constraint, outside),
                head: None,
            });
            constraint = terms.and(constraint, inside);
        }
        Some(Clause {
            body,
            constraint,
            head,
        })
    }

    /// The variables that are arguments of premises, in the view in which they are.
    fn given(
        &self,
        clause: &Clause,
        votes: &Map<Term, Votes>,
        funs: &BTreeMap<Fun, usize>,
    ) -> BTreeSet<Term> {
        let mut given = BTreeSet::new();
        for atom in &clause.body {
            let Some(&index) = funs.get(&atom.predicate) else {
                continue;
            };
            for &(place, view) in &self.views[index] {
                let argument = atom.arguments[place];
                let (View::Signed(width) | View::Unsigned(width)) = view else {
                    continue;
                };
                if votes
                    .get(&argument)
                    .copied()
                    .unwrap_or_default()
                    .view(width)
                    == view
                {
                    given.insert(argument);
                }
            }
        }
        given
    }

    fn atom(
        &self,
        translator: &mut Translator<'_>,
        atom: &Atom,
        funs: &BTreeMap<Fun, usize>,
    ) -> Option<Atom> {
        let index = *funs.get(&atom.predicate)?;
        let mut arguments = Vec::new();
        for &(place, view) in &self.views[index] {
            let argument = atom.arguments[place];
            arguments.push(match view {
                View::Bool => *translator.bools.get(&argument)?,
                View::Signed(_) => translator.signed(argument).term,
                View::Unsigned(_) => translator.unsigned(argument).term,
            });
        }
        if arguments.is_empty() {
            arguments.push(translator.terms.tru());
        }
        Some(Atom {
            predicate: self.system.predicates[index],
            arguments,
        })
    }
}

/// Which view operators ask for, by variable.
fn votes(terms: &Terms, system: &System) -> Map<Term, Votes> {
    let mut votes: Map<Term, Votes> = Map::default();
    let mut roots = Vec::new();
    for clause in &system.clauses {
        roots.push(clause.constraint);
        for atom in clause.body.iter().chain(&clause.head) {
            roots.extend_from_slice(&atom.arguments);
        }
    }
    for term in terms.reachable(&roots).iter() {
        let signed = match terms.op(term) {
            Op::Slt | Op::Sle | Op::Sdiv | Op::Srem | Op::Sext | Op::Ashr => true,
            Op::Saddo | Op::Ssubo | Op::Smulo => true,
            Op::Ult | Op::Ule | Op::Udiv | Op::Urem | Op::Zext | Op::Lshr => false,
            Op::Uaddo | Op::Umulo | Op::BvAnd | Op::BvOr | Op::BvXor | Op::Concat => false,
            _ => continue, // Asks for no value.
        };
        for &arg in terms.args(term) {
            for var in addends(terms, arg) {
                let entry = votes.entry(var).or_default();
                match signed {
                    true => entry.signed += 1,
                    false => entry.unsigned += 1,
                }
            }
        }
    }
    votes
}

/// The variables that a term is a sum of, more or less.
fn addends(terms: &Terms, term: Term) -> Vec<Term> {
    let mut list = Vec::new();
    let mut stack = vec![term];
    // Sums share parts: a few are enough for a vote.
    for _ in 0..32 {
        let Some(term) = stack.pop() else { break };
        match terms.op(term) {
            Op::Var(_) => list.push(term),
            Op::Add | Op::Sub => stack.extend_from_slice(terms.args(term)),
            Op::Ite => stack.extend_from_slice(&terms.args(term)[1..]),
            _ => {} // Its own matter.
        }
    }
    list
}

/// The views of a predicate's parameters, and whether all of them have one.
fn views_of(
    terms: &Terms,
    system: &System,
    votes: &Map<Term, Votes>,
    predicate: Fun,
) -> (Vec<(usize, View)>, bool) {
    let params = &terms.fun(predicate).params;
    let mut views = Vec::new();
    for (place, &sort) in params.iter().enumerate() {
        let view = match sort {
            Sort::Bool => View::Bool,
            Sort::BitVec(width) => {
                let mut all = Votes::default();
                for atom in system.clauses.iter().flat_map(|clause| &clause.body) {
                    if atom.predicate == predicate
                        && let Some(vote) = votes.get(&atom.arguments[place])
                    {
                        all.signed += vote.signed;
                        all.unsigned += vote.unsigned;
                    }
                }
                all.view(width)
            }
            _ => continue, // Arrays and floats are arbitrary.
        };
        views.push((place, view));
    }
    let exact = views.len() == params.len();
    (views, exact)
}

/// The translation of one clause.
pub(crate) struct Translator<'t> {
    pub(crate) terms: &'t mut Terms,
    votes: &'t Map<Term, Votes>,
    /// What the constraint says about values.
    known: known::Known,
    bools: Map<Term, Term>,
    nums: Map<Term, Num>,
    signed: Map<Term, Num>,
    unsigned: Map<Term, Num>,
    /// What is true of variables, and of fresh quotients and remainders.
    side: Vec<Term>,
    wraps: Wraps,
    /// That nothing leaves its range.
    inside: Vec<Term>,
    /// Variables that are in their ranges, because a premise says so.
    given: BTreeSet<Term>,
    exact: bool,
}

/// The value of a constant.
pub(crate) fn value(terms: &Terms, term: Term, signed: bool) -> Option<BigInt> {
    let bits = terms.as_bv(term)?;
    let words = bits.words().iter().rev();
    let value = words.fold(BigInt::ZERO, |high, &word| (high << 64u32) + word);
    let wraps = signed && value >= power(bits.width() - 1);
    Some(if wraps {
        value - power(bits.width())
    } else {
        value
    })
}

pub(crate) fn power(bits: u32) -> BigInt {
    BigInt::from(1) << bits
}

impl Translator<'_> {
    /// Translates all that the roots reach, arguments first; none for integers in the original.
    fn translate(&mut self, roots: &[Term]) -> Option<()> {
        for term in self.terms.post_order(roots) {
            match self.terms.sort(term) {
                Sort::Bool => {
                    let translated = self.boolean(term);
                    self.bools.insert(term, translated);
                }
                Sort::BitVec(_) => {
                    let translated = self.number(term);
                    self.nums.insert(term, translated);
                }
                Sort::Int => return None,
                _ => {} // Whatever reads it is arbitrary.
            }
        }
        Some(())
    }

    pub(crate) fn num(&self, term: Term) -> Num {
        self.nums[&term].clone()
    }

    pub(crate) fn bool(&self, term: Term) -> Term {
        self.bools[&term]
    }

    pub(crate) fn width(&self, term: Term) -> u32 {
        self.terms.width(term)
    }

    /// The signed value.
    pub(crate) fn signed(&mut self, term: Term) -> Num {
        if let Some(known) = self.signed.get(&term) {
            return known.clone();
        }
        let width = self.width(term);
        let least = -power(width - 1);
        let mut view = self.within(&self.num(term), width, &least);
        if let Some(fact) = self.terms.fact(term) {
            tighten(&mut view, fact.smin.into(), fact.smax.into());
        }
        if let Some((low, high)) = self.known.signed.get(&term).cloned() {
            view = self.said(view, low, high);
        }
        self.signed.insert(term, view.clone());
        view
    }

    /// The unsigned value.
    pub(crate) fn unsigned(&mut self, term: Term) -> Num {
        if let Some(known) = self.unsigned.get(&term) {
            return known.clone();
        }
        let width = self.width(term);
        let mut view = self.within(&self.num(term), width, &BigInt::ZERO);
        if let Some(fact) = self.terms.fact(term) {
            tighten(&mut view, fact.umin.into(), fact.umax.into());
        }
        if let Some((low, high)) = self.known.unsigned.get(&term).cloned() {
            view = self.said(view, low, high);
        }
        self.unsigned.insert(term, view.clone());
        view
    }

    /// Is the number its own signed value, or its unsigned one?
    pub(crate) fn fits(&self, num: &Num, width: u32, least: &BigInt) -> bool {
        num.low >= *least && num.high < least + power(width)
    }

    /// The number that is congruent modulo 2^width and at least `least`, and less than that plus 2^width.
    fn within(&mut self, num: &Num, width: u32, least: &BigInt) -> Num {
        if self.fits(num, width, least) {
            return num.clone();
        }
        let modulus = power(width);
        let most: BigInt = least + &modulus - 1;
        let (low, high) = (least.clone(), most.clone());
        if let (true, true) = (num.low == num.high, self.terms.is_const(num.term)) {
            let value = modulo(&(&num.low - least), &modulus) + least;
            return self.constant(value);
        }
        if num.sum && self.wraps == Wraps::Never {
            // In the range that it comes from, and then in the one that is asked for.
            let asked = *least < BigInt::ZERO;
            let own = match num.signed.unwrap_or(asked) {
                true => -power(width - 1),
                false => BigInt::ZERO,
            };
            let most = &own + &modulus - 1;
            let inside = self.inside(num, own, most);
            return self.within(&inside, width, least);
        }
        let size = self.terms.int(modulus.clone());
        if num.low >= least - &modulus && num.high <= &most + &modulus {
            let mut term = num.term;
            if num.high > most {
                let less = self.terms.isub(num.term, size);
                let bound = self.terms.int(most);
                let over = self.terms.igt(num.term, bound);
                term = self.terms.ite(over, less, term);
            }
            if num.low < *least {
                let more = self.terms.iadd(num.term, size);
                let bound = self.terms.int(least.clone());
                let under = self.terms.ilt(num.term, bound);
                term = self.terms.ite(under, more, term);
            }
            return Num {
                term,
                low,
                high,
                sum: false,
                signed: None,
            };
        }
        self.split(num, &modulus, low, high).1
    }

    /// The number, which is taken to be within these bounds.
    fn inside(&mut self, num: &Num, low: BigInt, high: BigInt) -> Num {
        let (least, most) = (self.terms.int(low.clone()), self.terms.int(high.clone()));
        if num.low < low {
            let above = self.terms.ile(least, num.term);
            self.inside.push(above);
        }
        if num.high > high {
            let below = self.terms.ile(num.term, most);
            self.inside.push(below);
        }
        let mut num = num.clone();
        tighten(&mut num, low, high);
        num.sum = false;
        num
    }

    pub(crate) fn constant(&mut self, value: BigInt) -> Num {
        Num {
            term: self.terms.int(value.clone()),
            low: value.clone(),
            high: value,
            sum: false,
            signed: None,
        }
    }

    /// Quotient and remainder such that the number is `divisor * quotient + remainder`, with bounds of the remainder
    /// that leave one choice.
    pub(crate) fn split(
        &mut self,
        num: &Num,
        divisor: &BigInt,
        low: BigInt,
        high: BigInt,
    ) -> (Num, Num) {
        let least = floor_div(&(&num.low - &high), divisor);
        let most = floor_div(&(&num.high - &low), divisor) + 1;
        let quotient = self.fresh("quotient", least, most);
        let remainder = self.fresh("rest", low, high);
        let by = self.terms.int(divisor.clone());
        let product = self.terms.imul(by, quotient.term);
        let sum = self.terms.iadd(product, remainder.term);
        let is = self.terms.eq(num.term, sum);
        self.side.push(is);
        (quotient, remainder)
    }

    /// A new variable within bounds.
    pub(crate) fn fresh(&mut self, name: &str, low: BigInt, high: BigInt) -> Num {
        let term = self.terms.fresh(name, Sort::Int);
        self.bound(Num {
            term,
            low,
            high,
            sum: false,
            signed: None,
        })
    }

    /// Says that a variable is within its bounds.
    fn bound(&mut self, num: Num) -> Num {
        let low = self.terms.int(num.low.clone());
        let high = self.terms.int(num.high.clone());
        let above = self.terms.ile(low, num.term);
        let below = self.terms.ile(num.term, high);
        self.side.push(above);
        self.side.push(below);
        num
    }

    pub(crate) fn also(&mut self, fact: Term) {
        self.side.push(fact);
    }

    /// Any value that is known to be possible.
    pub(crate) fn anything(&mut self, term: Term) -> Num {
        self.exact = false;
        let width = self.width(term);
        let (low, high) = match self.terms.fact(term) {
            Some(fact) if fact.umax < 1 << (width - 1).min(63) => {
                (fact.umin.into(), fact.umax.into())
            }
            Some(fact) => (fact.smin.into(), fact.smax.into()),
            None => (-power(width - 1), power(width - 1) - 1),
        };
        self.fresh("any", low, high)
    }

    /// Any truth value.
    pub(crate) fn whatever(&mut self) -> Term {
        self.exact = false;
        self.terms.fresh("whether", Sort::Bool)
    }

    /// A variable: the integer that has its name.
    pub(crate) fn variable(&mut self, term: Term, width: u32) -> Num {
        let votes = self.votes.get(&term).copied().unwrap_or_default();
        let view = votes.view(width);
        let (low, high, known) = match view {
            View::Unsigned(_) => {
                let known = self.known.unsigned.get(&term);
                (BigInt::ZERO, power(width) - 1, known)
            }
            View::Signed(_) | View::Bool => {
                let known = self.known.signed.get(&term);
                (-power(width - 1), power(width - 1) - 1, known)
            }
        };
        let known = known.cloned();
        let name = self.terms.var_name(term).expect("a variable").to_owned();
        let num = Num {
            term: self.terms.var(&name, Sort::Int),
            low,
            high,
            sum: false,
            signed: Some(view != View::Unsigned(width)),
        };
        let num = match self.given.contains(&term) {
            true => num,
            false => self.bound(num),
        };
        match known {
            Some((low, high)) => self.said(num, low, high),
            None => num,
        }
    }

    /// The number within bounds that the constraint says. They are said again: what is translated with them in mind no longer does.
    fn said(&mut self, mut num: Num, low: BigInt, high: BigInt) -> Num {
        if low > num.low || high < num.high {
            tighten(&mut num, low, high);
            return self.bound(num);
        }
        num
    }
}

fn tighten(num: &mut Num, low: BigInt, high: BigInt) {
    if low > num.low {
        num.low = low;
    }
    if high < num.high {
        num.high = high;
    }
}

pub(crate) fn modulo(value: &BigInt, by: &BigInt) -> BigInt {
    value - by * floor_div(value, by)
}

/// The quotient, rounded down, for a positive divisor.
pub(crate) fn floor_div(value: &BigInt, by: &BigInt) -> BigInt {
    let quotient = value / by;
    if *value < BigInt::ZERO && &quotient * by != *value {
        quotient - 1
    } else {
        quotient
    }
}
