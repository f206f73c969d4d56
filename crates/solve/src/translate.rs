//! From terms to a back end's own terms, each once.
//!
//! A [`Builder`] makes one node from its translated arguments. The walk is a worklist over the terms that have not
//! been translated, so a solver that gets a million assertions over shared terms translates each term once, and
//! depth costs no stack.

use base::Bv;
use terms::{FloatSort, Term, Terms};

use crate::answer::SolveError;

/// Makes a back end's node for one term.
pub(crate) trait Builder {
    /// What the back end calls a term; cheap to copy.
    type Node: Copy;

    /// The node for `t`, whose arguments have been translated to `arguments`.
    fn build(
        &mut self,
        terms: &Terms,
        t: Term,
        arguments: &[Self::Node],
    ) -> Result<Self::Node, SolveError>;
}

/// What has been translated, by term id.
#[derive(Debug)]
pub(crate) struct Cache<N> {
    nodes: Vec<Option<N>>,
    count: u64,
    work: Vec<Term>,
    arguments: Vec<N>,
}

impl<N: Copy> Cache<N> {
    pub(crate) fn new() -> Cache<N> {
        Cache {
            nodes: Vec::new(),
            count: 0,
            work: Vec::new(),
            arguments: Vec::new(),
        }
    }

    /// How many terms have been translated.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn get(&self, t: Term) -> Option<N> {
        self.nodes.get(t.index()).copied().flatten()
    }

    /// Forgets a term, so that it is translated again when it is needed.
    pub(crate) fn forget(&mut self, t: Term) {
        self.nodes[t.index()] = None;
    }

    /// The node of `root`, after translating what has not been.
    pub(crate) fn translate(
        &mut self,
        terms: &Terms,
        root: Term,
        builder: &mut impl Builder<Node = N>,
    ) -> Result<N, SolveError> {
        if let Some(node) = self.get(root) {
            return Ok(node);
        }
        if self.nodes.len() < terms.len() {
            self.nodes.resize(terms.len(), None);
        }
        self.work.clear();
        self.work.push(root);
        while let Some(&t) = self.work.last() {
            if self.nodes[t.index()].is_some() {
                self.work.pop();
                continue;
            }
            self.arguments.clear();
            let before = self.work.len();
            for &argument in terms.args(t) {
                match self.nodes[argument.index()] {
                    Some(node) => self.arguments.push(node),
                    None => self.work.push(argument),
                }
            }
            if self.work.len() == before {
                let node = builder.build(terms, t, &self.arguments)?;
                self.nodes[t.index()] = Some(node);
                self.count += 1;
                self.work.pop();
            }
        }
        Ok(self.nodes[root.index()].expect("the root is translated last"))
    }
}

/// The one image of NaN that [`terms::Op::FpToBits`] gives: positive, quiet, no payload.
pub(crate) fn quiet_nan(format: FloatSort) -> Bv {
    let fraction = format.sig - 1;
    let top = Bv::ones(format.exp + 1).zext(format.width());
    top.shl_by(fraction - 1)
}

#[cfg(test)]
mod tests {
    use super::quiet_nan;

    #[test]
    fn the_quiet_nan_is_that_of_the_machine() {
        assert_eq!(
            quiet_nan(terms::FloatSort::F64).to_u64(),
            Some(0x7ff8_0000_0000_0000)
        );
        assert_eq!(quiet_nan(terms::FloatSort::F32).to_u64(), Some(0x7fc0_0000));
    }
}
