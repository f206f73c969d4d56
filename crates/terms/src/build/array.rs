//! Builders of array terms.

use crate::arena::{Term, Terms};
use crate::op::Op;
use crate::sort::Sort;

impl Terms {
    /// The element of `array` at `index`.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (index_sort, element) = self.array_parts(self.sort(array));
        self.check_sort(index, index_sort);
        self.make2(Op::Select, element, array, index)
    }

    /// `array` with `value` at `index`.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let sort = self.sort(array);
        let (index_sort, element) = self.array_parts(sort);
        self.check_sort(index, index_sort);
        self.check_sort(value, element);
        self.make3(Op::Store, sort, array, index, value)
    }

    /// The array of this sort whose elements all are `value`.
    pub fn const_array(&mut self, sort: Sort, value: Term) -> Term {
        let (_, element) = self.array_parts(sort);
        self.check_sort(value, element);
        self.make1(Op::ConstArray, sort, value)
    }
}
