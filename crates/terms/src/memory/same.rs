//! What certainly did not change between two versions of a memory.

use rustc_hash::FxHashSet;

use super::{Base, Expr, Kind, Scalars, Theory};

impl<S: Scalars> Theory<'_, S> {
    /// Does an object certainly hold the same in two memories? That it does not is never said.
    pub fn holds_same(&mut self, a: Expr, b: Expr, base: Base) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.relevant(a, base), self.relevant(b, base));
            if a == b || !seen.insert((a, b)) {
                continue;
            }
            match (self.kind(a), self.kind(b)) {
                (
                    Kind::Map {
                        memory: x,
                        base: mine,
                        list,
                    },
                    Kind::Map {
                        memory: y,
                        base: theirs,
                        list: other,
                    },
                ) if mine == theirs && list == other => work.push((x, y)),
                // A write that changed places with one to another object.
                (
                    Kind::Write {
                        memory: x,
                        at: here,
                        width,
                        value,
                    },
                    Kind::Write {
                        memory: y,
                        at: there,
                        width: other,
                        value: same,
                    },
                ) if here == there && width == other && value == same => work.push((x, y)),
                (_, Kind::Ite(_, [x, y])) => work.extend([(a, x), (a, y)]),
                (Kind::Ite(_, [x, y]), _) => work.extend([(x, b), (y, b)]),
                _ => return false,
            }
        }
        true
    }

    /// The newest memory below that may hold something else in an object.
    fn relevant(&mut self, mut memory: Expr, base: Base) -> Expr {
        loop {
            let (below, apart) = match self.kind(memory) {
                Kind::Write {
                    memory: below, at, ..
                }
                | Kind::Set {
                    memory: below, at, ..
                }
                | Kind::Copy {
                    memory: below, at, ..
                } => (below, self.within(at, base).is_none()),
                Kind::Map {
                    memory: below,
                    base: its,
                    ..
                } => (below, its != base),
                _ => return memory,
            };
            if !apart {
                return memory;
            }
            memory = below;
        }
    }
}
