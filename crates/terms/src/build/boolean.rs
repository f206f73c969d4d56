//! Builders of Boolean connectives, equality and ite.

use crate::arena::{NO_TERM, Term, Terms};
use crate::op::Op;
use crate::sort::Sort;

impl Terms {
    /// True.
    #[inline]
    pub fn tru(&self) -> Term {
        NO_TERM
    }

    /// False.
    #[inline]
    pub fn fls(&self) -> Term {
        const { Term::from_index(1) }
    }

    /// A Boolean constant.
    #[inline]
    pub fn bool(&self, value: bool) -> Term {
        if value { self.tru() } else { self.fls() }
    }

    /// Negation.
    #[inline]
    pub fn not(&mut self, a: Term) -> Term {
        self.check_sort(a, Sort::Bool);
        self.make1(Op::Not, Sort::Bool, a)
    }

    /// Conjunction.
    #[inline]
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        self.check_sort(a, Sort::Bool);
        self.check_sort(b, Sort::Bool);
        self.make2(Op::And, Sort::Bool, a, b)
    }

    /// Disjunction.
    #[inline]
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        self.check_sort(a, Sort::Bool);
        self.check_sort(b, Sort::Bool);
        self.make2(Op::Or, Sort::Bool, a, b)
    }

    /// Exclusive disjunction.
    #[inline]
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        self.check_sort(a, Sort::Bool);
        self.check_sort(b, Sort::Bool);
        self.make2(Op::Xor, Sort::Bool, a, b)
    }

    /// Implication: `not a or b`.
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.or(not_a, b)
    }

    /// The conjunction of all, as a balanced tree; true for none.
    pub fn and_all(&mut self, all: &[Term]) -> Term {
        self.reduce(all, self.tru(), self.fls(), Terms::and)
    }

    /// The disjunction of all, as a balanced tree; false for none.
    pub fn or_all(&mut self, all: &[Term]) -> Term {
        self.reduce(all, self.fls(), self.tru(), Terms::or)
    }

    /// Joins neighbours until one is left. Copies and units are dropped first, unless terms stay as written.
    fn reduce(
        &mut self,
        all: &[Term],
        unit: Term,
        zero: Term,
        join: fn(&mut Terms, Term, Term) -> Term,
    ) -> Term {
        let mut rest = all.to_vec();
        if self.level() > crate::arena::Level::Off {
            rest.retain(|&t| t != unit);
            rest.sort_unstable();
            rest.dedup();
            if rest.contains(&zero) {
                return zero;
            }
        }
        while rest.len() > 1 {
            let mut joined = 0;
            for index in (0..rest.len()).step_by(2) {
                rest[joined] = match rest.get(index + 1) {
                    Some(&right) => join(self, rest[index], right),
                    None => rest[index],
                };
                joined += 1;
            }
            rest.truncate(joined);
        }
        rest.pop().unwrap_or(unit)
    }

    /// Equality of two terms of one sort; identity on floats.
    #[inline]
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.same_sort(a, b);
        self.make2(Op::Eq, Sort::Bool, a, b)
    }

    /// Disequality of two terms of one sort.
    pub fn ne(&mut self, a: Term, b: Term) -> Term {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Whether all terms, of one sort, are pairwise different.
    pub fn distinct(&mut self, all: &[Term]) -> Term {
        let mut pairs = Vec::new();
        for (index, &a) in all.iter().enumerate() {
            for &b in &all[index + 1..] {
                pairs.push(self.ne(a, b));
            }
        }
        self.and_all(&pairs)
    }

    /// `a` if `cond` holds, otherwise `b`, which has the same sort.
    #[inline]
    pub fn ite(&mut self, cond: Term, a: Term, b: Term) -> Term {
        self.check_sort(cond, Sort::Bool);
        let sort = self.same_sort(a, b);
        self.make3(Op::Ite, sort, cond, a, b)
    }
}
