//! Builders: the way to make terms.
//!
//! A builder checks sorts (a mistake is a bug of the caller and panics), expresses derived operators by the small set of
//! [`Op`], and hands the draft to [`Terms::make`](crate::Terms), which rewrites it.

mod array;
mod bits;
mod boolean;
mod float;
mod int;

pub use crate::build::float::Signedness;

use crate::arena::{Draft, NO_TERM, Term, Terms};
use crate::op::Op;
use crate::sort::Sort;

impl Terms {
    #[inline]
    pub(crate) fn make1(&mut self, op: Op, sort: Sort, a: Term) -> Term {
        self.make(Draft {
            op,
            sort,
            args: [a, NO_TERM, NO_TERM],
        })
    }

    #[inline]
    pub(crate) fn make2(&mut self, op: Op, sort: Sort, a: Term, b: Term) -> Term {
        self.make(Draft {
            op,
            sort,
            args: [a, b, NO_TERM],
        })
    }

    #[inline]
    pub(crate) fn make3(&mut self, op: Op, sort: Sort, a: Term, b: Term, c: Term) -> Term {
        self.make(Draft {
            op,
            sort,
            args: [a, b, c],
        })
    }

    /// Makes the term that has `t`'s operator and sort over other arguments, of the same sorts and as many.
    pub fn rebuild(&mut self, t: Term, args: &[Term]) -> Term {
        let mut draft = self.draft(t);
        match draft.op {
            Op::Apply(fun) => self.apply(fun, args),
            op if op.arity() == Some(0) => t,
            _ => {
                debug_assert_eq!(
                    draft.op.arity(),
                    Some(args.len()),
                    "{t} has other arguments"
                );
                draft.args[..args.len()].copy_from_slice(args);
                self.make(draft)
            }
        }
    }

    #[inline]
    pub(crate) fn check_sort(&self, t: Term, sort: Sort) {
        let found = self.sort(t);
        assert!(
            found == sort,
            "{t} has sort {found:?} where {sort:?} is needed"
        );
    }

    #[inline]
    pub(crate) fn same_sort(&self, a: Term, b: Term) -> Sort {
        let (left, right) = (self.sort(a), self.sort(b));
        assert!(
            left == right,
            "{a} and {b} have sorts {left:?} and {right:?}"
        );
        left
    }

    #[inline]
    pub(crate) fn same_width(&self, a: Term, b: Term) -> Sort {
        let sort = self.same_sort(a, b);
        assert!(
            matches!(sort, Sort::BitVec(_)),
            "{a} and {b} are no bit-vectors but {sort:?}"
        );
        sort
    }
}
