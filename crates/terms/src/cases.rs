//! Cases: a term as a choice among few leaves, each with the condition under which it is the one.
//!
//! After some rounds of a loop a position is an ite tree over constants, and its shape tells the order in which paths met,
//! not what the position is. What matters is when it has which value:
//!
//! ```text
//!   (ite p k2 (ite q k3 (ite r k2 k4)))      {2: p or not q and r,  3: not p and q,  4: …}
//! ```
//!
//! The guards of a term exclude each other, and one of them holds. A term that an ite makes of two such terms is their
//! union; equal leaves are one. It is kept as a chain of ites sorted by leaf, so that equal choices are equal terms, and the
//! guards are kept beside it. Comparisons with constants are then disjunctions of guards, sums with constants have the same
//! guards, and whoever reads memory at such an offset reads at each of few places: nothing is added or compared by a solver
//! any more. The idea is that of value summaries (K. Sen, G. Necula, L. Gong, W. Choi: MultiSE, 2015), with terms as guards.
//!
//! Leaves are constants, or other terms that are no ites: the character at a position is one of few characters, and what
//! it is compared with are few atoms that all positions share.

use std::collections::HashMap;
use std::rc::Rc;

use rustc_hash::FxBuildHasher;

use crate::arena::{Draft, Level, Term, Terms};
use crate::op::Op;
use crate::sort::Sort;

/// The most leaves of a term.
pub(crate) const MOST: usize = 16;

/// The most pairs of leaves that an operator is applied to.
const MOST_PAIRS: usize = 64;

/// The most leaves that are no constants of a term that an operator is let through to.
const MOST_OTHERS: usize = 2;

/// The widest terms that are compared leaf by leaf if several leaves are no constants.
const NARROW: u32 = 16;

/// A leaf, and when it is the one.
pub type Case = (Term, Term);

/// The cases of terms, sorted by leaf, and which guards belong together.
#[derive(Default)]
pub(crate) struct CaseTable {
    lists: HashMap<Term, Rc<[Case]>, FxBuildHasher>,
    /// The lists that a guard is in, by number: the latest few.
    groups: HashMap<Term, [u32; 4], FxBuildHasher>,
    last_group: u32,
}

impl CaseTable {
    fn exclusive(&self, a: Term, b: Term) -> bool {
        let (Some(left), Some(right)) = (self.groups.get(&a), self.groups.get(&b)) else {
            return false;
        };
        a != b
            && left
                .iter()
                .any(|group| *group != 0 && right.contains(group))
    }

    fn note_group(&mut self, cases: &[Case]) {
        self.last_group += 1;
        for &(_, guard) in cases {
            let groups = self.groups.entry(guard).or_default();
            groups.rotate_right(1);
            groups[0] = self.last_group;
        }
    }
}

impl Terms {
    /// The cases of an ite: leaves with guards that exclude each other, one of which holds.
    pub fn cases(&mut self, t: Term) -> Option<Rc<[Case]>> {
        let (c, a, b) = self.as_ite(t)?;
        if let Some(list) = self.cases.lists.get(&t) {
            return Some(list.clone());
        }
        let Sort::BitVec(_) = self.sort(t) else {
            return None;
        };
        if self.as_ite(a).is_some() || self.as_ite(b).is_some() || a == b {
            return None;
        }
        let not_c = self.not(c);
        let mut list = [(a, c), (b, not_c)];
        list.sort_unstable();
        Some(list.into())
    }

    /// The values of a term that is one of few constants, and when it has them.
    pub fn constant_cases(&mut self, t: Term) -> Option<Vec<(u64, Term)>> {
        let cases = self.cases(t)?;
        let values = cases
            .iter()
            .map(|&(leaf, guard)| Some((self.as_u64(leaf)?, guard)));
        values.collect()
    }

    /// The term that is this leaf if that guard holds. The guards exclude each other, and one of them holds.
    pub fn by_cases(&mut self, mut cases: Vec<Case>) -> Term {
        let (truth, falsity) = (self.tru(), self.fls());
        cases.retain(|&(_, guard)| guard != falsity);
        cases.sort_unstable();
        let mut merged: Vec<Case> = Vec::with_capacity(cases.len());
        for (leaf, guard) in cases {
            match merged.last_mut() {
                Some(last) if last.0 == leaf => last.1 = self.or(last.1, guard),
                _ => merged.push((leaf, guard)),
            }
        }
        if let Some(&(leaf, _)) = merged.iter().find(|&&(_, guard)| guard == truth) {
            return leaf;
        }
        let Some((&(last, _), others)) = merged.split_last() else {
            unreachable!("one guard holds");
        };
        let mut result = last;
        for &(leaf, guard) in others.iter().rev() {
            let negated = self.un(guard, Op::Not);
            let draft = Draft {
                op: Op::Ite,
                sort: self.sort(leaf),
                args: match negated {
                    Some(guard) if self.level() > Level::Off => [guard, result, leaf],
                    _ => [guard, leaf, result],
                },
            };
            result = self.insert(draft, Level::Full);
        }
        if merged.len() > 2 && !self.cases.lists.contains_key(&result) {
            self.cases.note_group(&merged);
            self.cases.lists.insert(result, merged.into());
        }
        result
    }

    /// The conjunction of two guards: false if they are of one list.
    fn both(&mut self, a: Term, b: Term) -> Term {
        if self.cases.exclusive(a, b) {
            return self.fls();
        }
        self.and(a, b)
    }

    /// The cases of an ite, or the term as its only one.
    fn cases_or_itself(&mut self, t: Term) -> Rc<[Case]> {
        let always = self.tru();
        self.cases(t).unwrap_or_else(|| [(t, always)].into())
    }

    /// An ite of which at least one case has cases: their union.
    pub(crate) fn ite_by_cases(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        if self.as_ite(a).is_none() && self.as_ite(b).is_none() {
            return None;
        }
        let (left, right) = (self.cases_or_itself(a), self.cases_or_itself(b));
        if left.len() + right.len() < 3 {
            return None;
        }
        let mut leaves: Vec<Term> = left.iter().chain(right.iter()).map(|case| case.0).collect();
        leaves.sort_unstable();
        leaves.dedup();
        if leaves.len() > MOST {
            return None;
        }
        let guard = |list: &[Case], leaf: Term| {
            let place = list.binary_search_by_key(&leaf, |case| case.0);
            place.ok().map(|place| list[place].1)
        };
        let mut union = Vec::with_capacity(leaves.len());
        for leaf in leaves {
            let guard = match (guard(&left, leaf), guard(&right, leaf)) {
                (Some(x), Some(y)) => self.ite(c, x, y),
                (Some(x), None) => self.both(c, x),
                (None, Some(y)) => {
                    let not_c = self.not(c);
                    self.both(not_c, y)
                }
                (None, None) => unreachable!("a leaf is on one side"),
            };
            union.push((leaf, guard));
        }
        Some(self.by_cases(union))
    }

    /// The cases of a term that may be an extension of an ite, or its sum with a constant.
    fn cases_below(&mut self, t: Term) -> Option<Rc<[Case]>> {
        if self.as_ite(t).is_some() {
            return self.cases(t);
        }
        let draft = self.draft(t);
        let [a, b, _] = draft.args;
        match draft.op {
            Op::Zext | Op::Sext => {}
            Op::Add if self.is_const(b) => {}
            _ => return None,
        }
        let cases = self.cases(a)?;
        let leaves = cases.iter().map(|&(leaf, guard)| {
            let args = [leaf, b, draft.args[2]];
            (self.make(Draft { args, ..draft }), guard)
        });
        Some(leaves.collect())
    }

    /// A Boolean of a term, case by case: at most one leaf is no constant, unless they are narrow.
    pub(crate) fn bool_by_cases(
        &mut self,
        t: Term,
        of: impl Fn(&mut Terms, Term) -> Term,
    ) -> Option<Term> {
        let cases = self.cases_below(t)?;
        let others = cases.iter().filter(|case| !self.is_const(case.0)).count();
        if others > 1 && self.width(t) > NARROW {
            return None;
        }
        let (mut holds, mut fails, mut open) = (Vec::new(), Vec::new(), Vec::new());
        for &(leaf, guard) in cases.iter() {
            let result = of(self, leaf);
            match self.as_bool(result) {
                Some(true) => holds.push(guard),
                Some(false) => fails.push(guard),
                None => open.push(self.and(guard, result)),
            }
        }
        if open.is_empty() && fails.len() < holds.len() {
            let fails = self.or_all(&fails);
            return Some(self.not(fails));
        }
        holds.extend(open);
        Some(self.or_all(&holds))
    }

    /// An operator on a term that is one of few constants, or one of very few others, and on constants.
    pub(crate) fn map_cases(
        &mut self,
        t: Term,
        of: impl Fn(&mut Terms, Term) -> Term,
    ) -> Option<Term> {
        let cases = self.cases(t)?;
        let others = cases.iter().filter(|case| !self.is_const(case.0)).count();
        if others > MOST_OTHERS.min(cases.len() - 1) {
            return None;
        }
        let mapped = cases
            .iter()
            .map(|&(leaf, guard)| (of(self, leaf), guard))
            .collect();
        Some(self.by_cases(mapped))
    }

    /// An operator on two terms that are each one of few constants.
    pub(crate) fn join_cases(
        &mut self,
        a: Term,
        b: Term,
        of: impl Fn(&mut Terms, Term, Term) -> Term,
    ) -> Option<Term> {
        let (left, right) = (self.cases(a)?, self.cases(b)?);
        let constant = |list: &[Case]| list.iter().all(|case| self.is_const(case.0));
        if left.len() * right.len() > MOST_PAIRS || !constant(&left) || !constant(&right) {
            return None;
        }
        let mut joined = Vec::new();
        for &(x, g) in left.iter() {
            for &(y, h) in right.iter() {
                let guard = self.both(g, h);
                if self.as_bool(guard) != Some(false) {
                    joined.push((of(self, x, y), guard));
                }
            }
        }
        let mut leaves: Vec<Term> = joined.iter().map(|case| case.0).collect();
        leaves.sort_unstable();
        leaves.dedup();
        (leaves.len() <= MOST).then(|| self.by_cases(joined))
    }
}

#[cfg(test)]
mod tests {
    use crate::arena::{Term, Terms};
    use crate::sort::Sort;

    /// `rounds` times: if a choice holds, `x` is one more and `y` is one less.
    fn count(terms: &mut Terms, rounds: usize) -> (Term, Term) {
        let one = terms.bv_u64(1, 32);
        let (mut x, mut y) = (terms.bv_u64(0, 32), terms.bv_u64(100, 32));
        for round in 0..rounds {
            let p = terms.var(&format!("p{round}"), Sort::Bool);
            let (more, less) = (terms.add(x, one), terms.sub(y, one));
            x = terms.ite(p, more, x);
            y = terms.ite(p, less, y);
        }
        (x, y)
    }

    #[test]
    fn a_counter_has_a_case_for_each_value_and_not_for_each_way() {
        let mut terms = Terms::new();
        let (x, _) = count(&mut terms, 8);
        let values = terms.constant_cases(x).expect("few values");
        let values: Vec<u64> = values.into_iter().map(|(value, _)| value).collect();
        assert_eq!(values.len(), 9);
        // Beyond the limit it is a term like any other.
        let (x, _) = count(&mut terms, super::MOST + 4);
        assert!(terms.constant_cases(x).is_none());
    }

    #[test]
    fn what_grows_and_what_shrinks_have_a_constant_sum() {
        let mut terms = Terms::new();
        let (x, y) = count(&mut terms, 6);
        let sum = terms.add(x, y);
        assert_eq!(terms.as_u64(sum), Some(100));
    }
}
