//! Rewriting: as terms are made, and over a whole DAG.

use crate::arena::{Draft, Level, Term, Terms};

impl Terms {
    /// Makes a term: an equal one that exists, or what a rule turns it into, or a new node.
    #[inline]
    pub(crate) fn make(&mut self, draft: Draft) -> Term {
        self.insert(draft, Level::Off)
    }
}
