//! Rewriting: as terms are made, and over a whole DAG.

use crate::arena::{Draft, Level, Term, Terms};
use crate::op::Op;

impl Terms {
    /// Makes a term: an equal one that exists, or what a rule turns it into, or a new node.
    #[inline]
    pub(crate) fn make(&mut self, draft: Draft) -> Term {
        // A negated integer constant is a constant at every level: SMT-LIB writes them alike.
        if draft.op == Op::IntNeg {
            if let Some(value) = self.as_int(draft.args[0]) {
                let value = -value;
                return self.int(value);
            }
        }
        self.insert(draft, Level::Off)
    }
}
