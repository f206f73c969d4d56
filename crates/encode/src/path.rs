//! Path conditions as a tree of literals.
//!
//! A path is a node; its condition is the conjunction of the literals from the root to it. Two
//! paths that meet have a common ancestor, and only what follows it tells them apart: the gate of a
//! merge is the conjunction of the literals below the ancestor (`c` rather than `p and c`), and if
//! the two remainders cover everything, the merged path is the ancestor itself.
//!
//! ```text
//!            root                    merge(x, y): gate of x is c, of y is not c;
//!             | p                                 the merged path is the node p
//!          c / \ not c
//!           x   y
//! ```
//!
//! A *fact* (from an assumption, or from a check that was passed) is a literal that is known on the
//! path and does not take part in its condition: assumptions are collected by the evaluator, in
//! order, beside the paths.

use base::id;
use terms::{Term, Terms};

id! {
    /// A path.
    Path, "path"
}

/// What a literal is there for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A decision: part of the condition.
    Decision,
    /// Known to hold here, no part of the condition.
    Fact,
}

struct Node {
    parent: Path,
    literal: Term,
    role: Role,
    depth: u32,
    /// The condition: the conjunction of the decisions down to here.
    condition: Term,
}

/// All paths of an evaluation.
pub struct Paths {
    nodes: base::Map<Path, Node>,
}

/// How far [`Paths::knows`] looks up the tree.
const KNOWS_DEPTH: usize = 128;

impl Paths {
    /// The tree with its root, the path that is always taken.
    pub fn new(terms: &mut Terms) -> Paths {
        let condition = terms.tru();
        let mut nodes = base::Map::new();
        nodes.push(Node {
            parent: Path::from_index(0),
            literal: condition,
            role: Role::Fact,
            depth: 0,
            condition,
        });
        Paths { nodes }
    }

    /// The path that is always taken.
    pub fn root(&self) -> Path {
        Path::from_index(0)
    }

    /// The path's condition.
    pub fn condition(&self, path: Path) -> Term {
        self.nodes[path].condition
    }

    /// The path on which the literal holds as well.
    pub fn extend(&mut self, terms: &mut Terms, path: Path, literal: Term, role: Role) -> Path {
        if terms.as_bool(literal) == Some(true) {
            return path;
        }
        let node = &self.nodes[path];
        let (depth, before) = (node.depth + 1, node.condition);
        let condition = match role {
            Role::Decision => terms.and(before, literal),
            Role::Fact => before,
        };
        self.nodes.push(Node {
            parent: path,
            literal,
            role,
            depth,
            condition,
        })
    }

    /// Is the literal's value known on the path?
    pub fn knows(&self, terms: &mut Terms, path: Path, literal: Term) -> Option<bool> {
        if let Some(value) = terms.as_bool(literal) {
            return Some(value);
        }
        let negation = terms.not(literal);
        let mut at = path;
        for _ in 0..KNOWS_DEPTH {
            let node = &self.nodes[at];
            if node.literal == literal {
                return Some(true);
            }
            if node.literal == negation {
                return Some(false);
            }
            if node.depth == 0 {
                break;
            }
            at = node.parent;
        }
        terms.guard_decides(self.nodes[path].condition, literal)
    }

    /// The last node that both paths have in common.
    pub fn common(&self, mut a: Path, mut b: Path) -> Path {
        while a != b {
            if self.nodes[a].depth >= self.nodes[b].depth {
                a = self.nodes[a].parent;
            } else {
                b = self.nodes[b].parent;
            }
        }
        a
    }

    /// Distance from the root.
    pub fn depth(&self, path: Path) -> u32 {
        self.nodes[path].depth
    }

    /// The conjunction of the decisions below the ancestor, and how many they are.
    pub fn below(&self, terms: &mut Terms, path: Path, ancestor: Path) -> (Term, u32) {
        let mut literals = Vec::new();
        let mut at = path;
        while at != ancestor {
            let node = &self.nodes[at];
            if node.role == Role::Decision {
                literals.push(node.literal);
            }
            at = node.parent;
        }
        literals.reverse();
        let count = literals.len() as u32;
        (terms.and_all(&literals), count)
    }

    /// Merges two paths that meet: the merged path, and the gate that holds on the first and fails
    /// on the second.
    pub fn merge(&mut self, terms: &mut Terms, a: Path, b: Path) -> (Path, Term) {
        let ancestor = self.common(a, b);
        let (gate_a, count_a) = self.below(terms, a, ancestor);
        let (gate_b, count_b) = self.below(terms, b, ancestor);
        let either = terms.or(gate_a, gate_b);
        let merged = self.extend(terms, ancestor, either, Role::Decision);
        let gate = if count_b < count_a {
            terms.not(gate_b)
        } else {
            gate_a
        };
        (merged, gate)
    }
}
