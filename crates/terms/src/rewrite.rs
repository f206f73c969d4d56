//! Rewriting: as terms are made, and over a whole DAG.
//!
//! *As terms are made.* A builder hands over a draft. If an equal node exists that is normal at the arena's level, it is
//! the result. Otherwise the rules of the operator are tried in order ([`crate::rules`]); the first that applies makes
//! the result, by way of builders, so what it makes is rewritten in turn. A draft that no rule changes becomes a node.
//! Rules inside rules are counted: beyond a fixed depth or number, drafts are only folded and then kept as they are,
//! and such nodes are marked as not normal. So one `make` takes bounded time and stack whatever the rules do.
//!
//! *Over a DAG.* [`simplify`] makes terms anew, bottom up, for those that were made at a lower level.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::arena::{Draft, Level, Term, Terms};
use crate::op::Op;
use crate::rules;

/// How deep rules may be applied inside one another.
const DEEPEST: u32 = 64;

/// How many rules may be applied for one term.
const MOST: u32 = 2000;

impl Terms {
    /// Makes a term: an equal one that exists, or what a rule turns it into, or a new node.
    #[inline]
    pub(crate) fn make(&mut self, mut draft: Draft) -> Term {
        let level = self.level();
        if level == Level::Off {
            return self.make_as_written(draft);
        }
        if draft.op.is_commutative() {
            self.order(&mut draft);
        }
        match self.find(&draft) {
            Some(t) if self.normal_level(t) >= level => t,
            _ => self.rewrite(draft, level),
        }
    }

    fn make_as_written(&mut self, draft: Draft) -> Term {
        // A negated integer constant is a constant at every level: SMT-LIB writes them alike.
        if draft.op == Op::IntNeg {
            if let Some(value) = self.as_int(draft.args[0]) {
                let value = -value;
                return self.int(value);
            }
        }
        self.insert(draft, Level::Off)
    }

    /// Puts a constant last, and otherwise the older argument first.
    #[inline]
    fn order(&self, draft: &mut Draft) {
        let [a, b, _] = draft.args;
        let swap = match (self.is_const(a), self.is_const(b)) {
            (true, false) => true,
            (false, true) => false,
            (true, true) | (false, false) => a > b,
        };
        if swap {
            draft.args.swap(0, 1);
        }
    }

    /// Applies the first rule that applies, or adds the node.
    fn rewrite(&mut self, draft: Draft, level: Level) -> Term {
        if self.nesting == 0 {
            self.fuel = MOST;
        }
        let level = if self.nesting >= DEEPEST || self.fuel == 0 {
            Level::Fold
        } else {
            level
        };
        let shape = rules::shape_of_args(self, &draft);
        self.nesting += 1;
        let changed = rules::rules_of(draft.op)
            .filter(|rule| shape & rule.needs == rule.needs && rule.level <= level)
            .find_map(|rule| (rule.apply)(self, &draft));
        self.nesting -= 1;
        match changed {
            Some(t) => {
                self.fuel = self.fuel.saturating_sub(1);
                t
            }
            None => self.insert(draft, level),
        }
    }
}

/// Makes terms anew at the arena's level, bottom up, each shared one once.
pub fn simplify(terms: &mut Terms, roots: &[Term]) -> Vec<Term> {
    let order = terms.post_order(roots);
    let mut done: HashMap<Term, Term, FxBuildHasher> = HashMap::default();
    let mut args = Vec::new();
    for t in order {
        args.clear();
        args.extend(terms.args(t).iter().map(|arg| done[arg]));
        let made = terms.rebuild(t, &args);
        done.insert(t, made);
    }
    roots.iter().map(|root| done[root]).collect()
}
