//! Rewriting: as terms are made, and over a whole DAG.
//!
//! *As terms are made.* A builder hands over a draft. If an equal node exists that is normal at the arena's level, it is
//! the result. Otherwise the rules of the operator are tried in order ([`crate::rules`]); the first that applies makes
//! the result, by way of builders, so what it makes is rewritten in turn. A draft that no rule changes becomes a node.
//! Rules inside rules are counted: beyond a fixed depth or number, drafts are only folded and then kept as they are,
//! and such nodes are marked as not normal. So one `make` takes bounded time and stack whatever the rules do.
//!
//! *Over a DAG.* A [`Rewriter`] walks a term bottom up, each shared one once, and asks a [`Config`] what becomes of each
//! term whose arguments are done. The answer may ask for the result to be rewritten again, as a whole or a few levels
//! deep. When a term becomes another that becomes a third, the first is remembered with the last:
//!
//! ```text
//!   a ──rules──▶ b, again ──rules──▶ c, done          the cache holds a ↦ c (and b ↦ c)
//! ```
//!
//! This is the multi-step rewriter of SEAM (X. Zhou, master's thesis, 2022) with its statuses. It differs in one point:
//! what is skipped is not remembered, neither for the term nor for those before it.

use std::collections::HashMap;
use std::hash::Hash;

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
        let found = self.find(&draft);
        match found {
            Some(t) if self.normal_level(t) >= level => t,
            _ => self.rewrite(draft, found, level),
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

    /// Applies the first rule that applies, or adds the node, unless it was found.
    fn rewrite(&mut self, draft: Draft, found: Option<Term>, level: Level) -> Term {
        if self.nesting == 0 {
            self.fuel = MOST;
        }
        let level = if self.nesting >= DEEPEST || self.fuel == 0 {
            Level::Fold
        } else {
            level
        };
        let shape = rules::shape_of_args(self, &draft);
        let before = self.len();
        self.nesting += 1;
        let changed = rules::first_that_applies(self, &draft, shape, level);
        self.nesting -= 1;
        match (changed, found) {
            (Some(t), _) => {
                self.fuel = self.fuel.saturating_sub(1);
                t
            }
            (None, Some(t)) => {
                self.raise_level(t, level);
                t
            }
            // Rules that gave up may have made terms, even this one.
            (None, None) => {
                let t = match self.len() == before {
                    true => self.push(draft, level),
                    false => self.insert(draft, level),
                };
                self.note_guard(&draft, t);
                t
            }
        }
    }
}

/// What is to be done with a rewritten term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// It is finished; remember it.
    Done,
    /// It is finished for now, but the next occurrence is to be looked at again.
    Skip,
    /// Its top levels, so many, are to be rewritten again; what lies below has been.
    Levels(u32),
    /// It is to be rewritten again as a whole.
    Full,
}

/// What a [`Rewriter`] walks: nodes with arguments, where equal nodes are the same node. Terms are one kind; the
/// theory of memory has another ([`crate::memory`]).
pub trait Dag {
    /// A node.
    type Node: Copy + Eq + Hash;

    /// The arguments that are rewritten before the node, in order.
    fn args(&self, node: Self::Node) -> &[Self::Node];

    /// The node with other arguments.
    fn rebuild(&mut self, node: Self::Node, args: &[Self::Node]) -> Self::Node;
}

impl Dag for Terms {
    type Node = Term;

    fn args(&self, t: Term) -> &[Term] {
        Terms::args(self, t)
    }

    fn rebuild(&mut self, t: Term, args: &[Term]) -> Term {
        Terms::rebuild(self, t, args)
    }
}

/// What a [`Rewriter`] does with each node.
pub trait Config<D: Dag = Terms> {
    /// Whether to look into a node at all; otherwise it stays as it is.
    fn should_rewrite(&mut self, _dag: &D, _node: D::Node) -> bool {
        true
    }

    /// What becomes of a node whose arguments have been rewritten.
    fn apply(&mut self, dag: &mut D, node: D::Node) -> (D::Node, Status);

    /// Is told of every answer of [`Config::apply`].
    fn after(&mut self, _dag: &mut D, _before: D::Node, _after: D::Node) {}
}

/// Rewrites DAGs by a [`Config`] and remembers what it has rewritten.
pub struct Rewriter<C, N = Term> {
    /// What is done with each term.
    pub config: C,
    /// How many times [`Config::apply`] may still be asked; after that, nodes stay as they are.
    pub steps_left: u64,
    cache: HashMap<N, N, FxBuildHasher>,
}

/// A node that is being rewritten.
struct Frame<N> {
    t: N,
    /// How many levels below are to be rewritten; `None` for all.
    levels: Option<u32>,
    /// How many arguments have been visited.
    visited: usize,
    /// Whether the node waits for what it became to be rewritten again.
    busy: bool,
}

impl<C, N: Copy + Eq + Hash> Rewriter<C, N> {
    /// A rewriter that has rewritten nothing.
    pub fn new(config: C) -> Rewriter<C, N> {
        Rewriter {
            config,
            steps_left: u64::MAX,
            cache: HashMap::default(),
        }
    }

    /// What a node was rewritten to, if that is remembered.
    pub fn cached(&self, t: N) -> Option<N> {
        self.cache.get(&t).copied()
    }

    /// Rewrites a node.
    pub fn rewrite<D: Dag<Node = N>>(&mut self, dag: &mut D, t: N) -> N
    where
        C: Config<D>,
    {
        let mut frames: Vec<Frame<N>> = Vec::new();
        let mut results: Vec<N> = Vec::new();
        self.visit(dag, t, None, &mut frames, &mut results);
        while let Some(frame) = frames.last_mut() {
            if let Some(&arg) = dag.args(frame.t).get(frame.visited) {
                frame.visited += 1;
                let levels = frame.levels.map(|levels| levels - 1);
                self.visit(dag, arg, levels, &mut frames, &mut results);
                continue;
            }
            let frame = frames.pop().expect("it is the last");
            self.finish(dag, frame, &mut frames, &mut results);
        }
        results.pop().expect("the term has a result")
    }

    /// Leaves a result for `t` at once, or a frame that will.
    fn visit<D: Dag<Node = N>>(
        &mut self,
        dag: &D,
        t: N,
        levels: Option<u32>,
        frames: &mut Vec<Frame<N>>,
        results: &mut Vec<N>,
    ) where
        C: Config<D>,
    {
        if levels == Some(0) || self.steps_left == 0 || !self.config.should_rewrite(dag, t) {
            results.push(t);
        } else if let Some(&known) = self.cache.get(&t) {
            results.push(known);
        } else {
            frames.push(Frame {
                t,
                levels,
                visited: 0,
                busy: false,
            });
        }
    }

    /// Rewrites a node whose arguments' results are the topmost ones.
    fn finish<D: Dag<Node = N>>(
        &mut self,
        dag: &mut D,
        frame: Frame<N>,
        frames: &mut Vec<Frame<N>>,
        results: &mut Vec<N>,
    ) where
        C: Config<D>,
    {
        let first = results.len() - dag.args(frame.t).len();
        let args = results.split_off(first);
        let rebuilt = if *dag.args(frame.t) == *args {
            frame.t
        } else {
            dag.rebuild(frame.t, &args)
        };
        let (result, status) = match self.steps_left.checked_sub(1) {
            Some(left) => {
                self.steps_left = left;
                let answer = self.config.apply(dag, rebuilt);
                self.config.after(dag, rebuilt, answer.0);
                answer
            }
            None => (rebuilt, Status::Skip),
        };
        let waiting = frames.last().is_some_and(|frame| frame.busy);
        let levels = match status {
            Status::Done | Status::Skip => {
                let first = if waiting { frames.pop() } else { None };
                if status == Status::Done {
                    self.cache.extend(first.map(|first| (first.t, result)));
                    self.cache.insert(frame.t, result);
                }
                results.push(result);
                return;
            }
            Status::Levels(levels) => Some(levels),
            Status::Full => None,
        };
        if !waiting {
            frames.push(Frame {
                busy: true,
                visited: usize::MAX,
                ..frame
            });
        }
        // Zero levels and what is remembered leave a result at once, which then belongs to the waiting frame.
        let before = frames.len();
        self.visit(dag, result, levels, frames, results);
        if frames.len() == before {
            let first = frames.pop().expect("a frame waits");
            let result = *results.last().expect("visit left a result");
            self.cache.insert(first.t, result);
        }
    }
}

/// Makes every term anew at the arena's level.
struct Remake;

impl Config for Remake {
    fn should_rewrite(&mut self, terms: &Terms, t: Term) -> bool {
        !terms.args(t).is_empty()
    }

    fn apply(&mut self, terms: &mut Terms, t: Term) -> (Term, Status) {
        if terms.normal_level(t) >= terms.level() {
            return (t, Status::Done);
        }
        (terms.remake(t), Status::Done)
    }
}

impl Terms {
    /// Makes a term again from its own operator and arguments, at the arena's level.
    fn remake(&mut self, t: Term) -> Term {
        match self.op(t) {
            Op::Apply(_) => t,
            _ => {
                let draft = self.draft(t);
                self.make(draft)
            }
        }
    }
}

/// Makes terms anew at the arena's level, bottom up, each shared one once: for those that were made at a lower level.
pub fn simplify(terms: &mut Terms, roots: &[Term]) -> Vec<Term> {
    let mut rewriter = Rewriter::new(Remake);
    roots
        .iter()
        .map(|&root| rewriter.rewrite(terms, root))
        .collect()
}
