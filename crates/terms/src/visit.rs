//! Walks over terms, all with explicit stacks: inputs are deeper than machine stacks.
//!
//! Arguments are older than the terms they occur in, so the ids that a term reaches, in ascending order, are a
//! post-order. The walks mark what they reach in a bit set and read it off.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::arena::{Term, Terms};
use crate::op::{Fun, Op};

/// A set of terms as bits.
#[derive(Clone, Debug)]
pub struct TermSet {
    words: Vec<u64>,
}

impl TermSet {
    /// The empty set, with room for the terms that exist now.
    pub fn new(terms: &Terms) -> TermSet {
        TermSet {
            words: vec![0; terms.len().div_ceil(64)],
        }
    }

    /// Adds a term; returns whether it is new.
    #[inline]
    pub fn insert(&mut self, t: Term) -> bool {
        let (word, bit) = (t.index() / 64, 1 << (t.index() % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Whether it is in the set.
    #[inline]
    pub fn contains(&self, t: Term) -> bool {
        self.words
            .get(t.index() / 64)
            .is_some_and(|word| word >> (t.index() % 64) & 1 == 1)
    }

    /// The terms in ascending order: arguments before the terms they occur in.
    pub fn iter(&self) -> impl Iterator<Item = Term> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    Term::from_index(index * 64 + bit)
                })
            })
        })
    }
}

impl Terms {
    /// Everything that the roots reach, themselves included.
    pub fn reachable(&self, roots: &[Term]) -> TermSet {
        let mut set = TermSet::new(self);
        let mut stack: Vec<Term> = roots
            .iter()
            .copied()
            .filter(|&root| set.insert(root))
            .collect();
        while let Some(t) = stack.pop() {
            stack.extend(self.args(t).iter().copied().filter(|&arg| set.insert(arg)));
        }
        set
    }

    /// Everything that the roots reach, each once, arguments before the terms they occur in.
    pub fn post_order(&self, roots: &[Term]) -> Vec<Term> {
        self.reachable(roots).iter().collect()
    }

    /// How many distinct terms the roots reach.
    pub fn dag_size(&self, roots: &[Term]) -> usize {
        self.reachable(roots)
            .words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// The length of the longest chain of arguments, counted in terms: one for a leaf.
    pub fn depth(&self, t: Term) -> usize {
        let mut depths = vec![0u32; t.index() + 1];
        for part in self.reachable(&[t]).iter() {
            let below = self
                .args(part)
                .iter()
                .map(|arg| depths[arg.index()])
                .max()
                .unwrap_or(0);
            depths[part.index()] = below + 1;
        }
        depths[t.index()] as usize
    }

    /// The variables that the roots reach, in the order in which they were made.
    pub fn free_vars(&self, roots: &[Term]) -> Vec<Term> {
        self.reachable(roots)
            .iter()
            .filter(|&t| matches!(self.op(t), Op::Var(_)))
            .collect()
    }

    /// The uninterpreted functions that the roots reach, in the order in which they were declared.
    pub fn free_funs(&self, roots: &[Term]) -> Vec<Fun> {
        let mut funs: Vec<Fun> = self
            .reachable(roots)
            .iter()
            .filter_map(|t| match self.op(t) {
                Op::Apply(fun) => Some(fun),
                _ => None,
            })
            .collect();
        funs.sort_unstable();
        funs.dedup();
        funs
    }

    /// `t` with every occurrence of a key replaced by its value, all at once; what is put in is not looked at again.
    pub fn substitute(&mut self, t: Term, map: &Substitution) -> Term {
        self.substitute_all(&[t], map)[0]
    }

    /// Several terms with every occurrence of a key replaced by its value.
    pub fn substitute_all(&mut self, roots: &[Term], map: &Substitution) -> Vec<Term> {
        let mut done: HashMap<Term, Term, FxBuildHasher> = HashMap::default();
        let mut stack: Vec<Term> = roots.to_vec();
        let mut args = Vec::new();
        while let Some(&t) = stack.last() {
            if done.contains_key(&t) {
                stack.pop();
                continue;
            }
            if let Some(&value) = map.get(&t) {
                assert!(
                    self.sort(value) == self.sort(t),
                    "{value} replaces {t} of another sort"
                );
                done.insert(t, value);
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(
                self.args(t)
                    .iter()
                    .copied()
                    .filter(|arg| !done.contains_key(arg)),
            );
            if stack.len() == before {
                args.clear();
                args.extend(self.args(t).iter().map(|arg| done[arg]));
                let same = *self.args(t) == *args;
                let new = if same { t } else { self.rebuild(t, &args) };
                done.insert(t, new);
                stack.pop();
            }
        }
        roots.iter().map(|root| done[root]).collect()
    }
}

/// What replaces what in [`Terms::substitute`].
pub type Substitution = HashMap<Term, Term, FxBuildHasher>;
