//! How numbers compare: bounds of differences and sums of two, sparse, closed when they are asked for.
//!
//! A register is read as an ideal number, in its signed or its unsigned *view*; a [`Lit`] is such a number or its negation. An edge
//! `a - b <= c` between literals says both `x - y <= c` and, with one of them negated, `x + y <= c` or `-x - y <= c`:
//!
//! ```text
//!   zone      x - y <= c                      both literals have the same sign       zone.rs
//!   octagon   x - y <= c, ±(x + y) <= c       any two literals                       octagon.rs
//! ```
//!
//! Each edge stands beside its mirror image (`a - b <= c` is `-b - -a <= c`), so that what leads to a literal is what leads away from its negation.
//! Bounds of one number are not here: they are those of its interval, and count as ways over the number zero. A number that is not negative is the same
//! in both views. An edge that follows from the intervals alone is not kept: most programs have few others.
//!
//! An edge comes only from what shows that nothing wraps: the intervals, or an overflow that was excluded. (Miné, 2001 and 2006; sparse and
//! with bounds apart as by Gange, Navas and others, 2016.)

mod octagon;
#[cfg(test)]
mod tests;
mod transfer;
mod zone;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use ir::syntax::Value;

use crate::domains::Int;
use crate::domains::view::{View, range};

/// A number, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Lit {
    /// The register.
    pub value: Value,
    /// How it is read.
    pub view: View,
    /// Is it the negation?
    pub negated: bool,
}

impl Lit {
    /// The number itself.
    pub fn new(value: Value, view: View) -> Lit {
        Lit {
            value,
            view,
            negated: false,
        }
    }

    /// The negation.
    pub fn flipped(self) -> Lit {
        Lit {
            negated: !self.negated,
            ..self
        }
    }

    fn other_view(self) -> Lit {
        let view = match self.view {
            View::Signed => View::Unsigned,
            View::Unsigned => View::Signed,
        };
        Lit { view, ..self }
    }
}

/// Which edges there are: a relational domain is a file with this, and a line in the registry.
pub trait Shape: Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;
    /// Is `a - b <= c` a sentence of the domain?
    fn keeps(&self, a: Lit, b: Lit) -> bool;
}

/// The registry, from the coarsest on.
macro_rules! shapes {
    ($($shape:expr,)*) => {
        /// The relational domains.
        pub const SHAPES: &[&dyn Shape] = &[$(&$shape),*];
    };
}

shapes! {
    zone::Zone,
    octagon::Octagon,
}

impl std::fmt::Debug for dyn Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// The intervals beside which relations stand; none for a register of which nothing is known.
pub type Ranges<'a> = dyn Fn(Value) -> Option<Int> + 'a;

/// More edges are not kept in one state: what is left out is not known, that is all.
const MAX_EDGES: usize = 600;
/// More steps are not made to find a shortest way: each way found is a bound, if not the least.
const MAX_STEPS: usize = 4000;
/// So many numbers that moved are compared with one another where states are joined.
const MAX_MOVED: usize = 24;
/// Where widening stops on its way.
const STOPS: [i128; 3] = [-1, 0, 1];

/// See the module. Sorted, so that what is found does not depend on chance.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Relations {
    edges: BTreeMap<(Lit, Lit), i128>,
}

/// The greatest value of a literal, by its interval.
fn most(lit: Lit, ranges: &Ranges<'_>) -> Option<i128> {
    let x = ranges(lit.value)?;
    let (low, high) = range(&x, lit.view);
    Some(if lit.negated { -low } else { high })
}

/// What the intervals alone say of `a - b`.
fn by_intervals(a: Lit, b: Lit, ranges: &Ranges<'_>) -> Option<i128> {
    Some(most(a, ranges)? + most(b.flipped(), ranges)?)
}

fn least(a: Option<i128>, b: Option<i128>) -> Option<i128> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (one, other) => one.or(other),
    }
}

impl Relations {
    /// Is nothing known?
    pub fn is_empty(&self) -> bool {
        self.edges.is_empty()
    }

    /// The edges `a - b <= c`, each with its mirror image.
    pub fn edges(&self) -> impl Iterator<Item = (Lit, Lit, i128)> + '_ {
        self.edges.iter().map(|(&(a, b), &c)| (a, b, c))
    }

    /// Does an edge speak of this register?
    pub fn speaks_of(&self, value: Value) -> bool {
        let first = Lit::new(value, View::Signed);
        let next = self.edges.range((first, first)..).next();
        next.is_some_and(|((a, _), _)| a.value == value)
    }

    fn from(&self, a: Lit) -> impl Iterator<Item = (Lit, i128)> + '_ {
        let lowest = Lit::new(Value::from_index(0), View::Signed);
        self.edges
            .range((a, lowest)..)
            .take_while(move |((from, _), _)| *from == a)
            .map(|(&(_, to), &c)| (to, c))
    }

    /// The literals that a way leads to, with the least bound found: `a - to <= bound`.
    fn reach(&self, a: Lit, ranges: &Ranges<'_>) -> BTreeMap<Lit, i128> {
        let mut found = BTreeMap::from([(a, 0)]);
        let mut work = VecDeque::from([a]);
        let mut steps = 0;
        while let Some(here) = work.pop_front() {
            let so_far = found[&here];
            let mut nexts: Vec<(Lit, i128)> = self.from(here).collect();
            // A number that is not negative is the same in both views.
            if ranges(here.value).is_some_and(|x| x.smin >= 0) {
                nexts.push((here.other_view(), 0));
            }
            for (to, c) in nexts {
                steps += 1;
                let bound = so_far + c;
                if found.get(&to).is_none_or(|&known| bound < known) {
                    found.insert(to, bound);
                    work.push_back(to);
                }
            }
            if steps > MAX_STEPS {
                break;
            }
        }
        found
    }

    /// The greatest value of a literal, by its interval and those of others.
    fn at_most(&self, a: Lit, ranges: &Ranges<'_>) -> Option<i128> {
        let reached = self.reach(a, ranges).into_iter();
        let bounds = reached.filter_map(|(to, bound)| Some(bound + most(to, ranges)?));
        bounds.min()
    }

    /// The least known bound of `a - b`.
    pub fn bound(&self, a: Lit, b: Lit, ranges: &Ranges<'_>) -> Option<i128> {
        if a == b {
            return Some(0);
        }
        let reached = self.reach(a, ranges);
        let way = reached.get(&b).copied();
        let ups = reached
            .iter()
            .filter_map(|(&to, bound)| Some(bound + most(to, ranges)?));
        let zero = match (ups.min(), self.at_most(b.flipped(), ranges)) {
            (Some(up), Some(down)) => Some(up + down),
            _ => None,
        };
        least(way, zero)
    }

    /// Takes over `a - b <= c`, unless the intervals say it, or it is no sentence of the domain.
    pub fn add(&mut self, a: Lit, b: Lit, c: i128, shape: &dyn Shape, ranges: &Ranges<'_>) {
        let known = by_intervals(a, b, ranges).is_some_and(|known| known <= c);
        if known || a.value == b.value || !shape.keeps(a, b) {
            return;
        }
        self.insert(a, b, c);
    }

    fn insert(&mut self, a: Lit, b: Lit, c: i128) {
        if self.edges.len() >= MAX_EDGES && !self.edges.contains_key(&(a, b)) {
            return;
        }
        for pair in [(a, b), (b.flipped(), a.flipped())] {
            self.edges
                .entry(pair)
                .and_modify(|known| *known = c.min(*known))
                .or_insert(c);
        }
    }

    /// Forgets a register.
    pub fn forget(&mut self, value: Value) {
        if self.speaks_of(value) {
            self.edges
                .retain(|(a, b), _| a.value != value && b.value != value);
        }
    }

    /// Forgets all registers but some; what held of those through others still does.
    pub fn keep(&mut self, keep: impl Fn(Value) -> bool, shape: &dyn Shape, ranges: &Ranges<'_>) {
        let named: BTreeSet<Value> = self.edges.keys().map(|(a, _)| a.value).collect();
        for value in named {
            if !keep(value) {
                self.eliminate(value, shape, ranges);
            }
        }
    }

    fn eliminate(&mut self, value: Value, shape: &dyn Shape, ranges: &Ranges<'_>) {
        let same = ranges(value).is_some_and(|x| x.smin >= 0);
        // What leads away from each literal of the register, in either view if these are the same.
        let away = |lit: Lit| -> Vec<(Lit, i128)> {
            let mut found: Vec<(Lit, i128)> = self.from(lit).collect();
            if same {
                found.extend(self.from(lit.other_view()));
            }
            found.retain(|(to, _)| to.value != value);
            found
        };
        let mut new = Vec::new();
        for view in [View::Signed, View::Unsigned] {
            let lit = Lit::new(value, view);
            let (out, back) = (away(lit), away(lit.flipped()));
            // `-x - u <= c` is `-u - x <= c`.
            for &(u, c) in &back {
                for &(w, d) in &out {
                    new.push((u.flipped(), w, c + d));
                }
            }
        }
        self.edges
            .retain(|(a, b), _| a.value != value && b.value != value);
        for (a, b, c) in new {
            self.add(a, b, c, shape, ranges);
        }
    }

    /// Gives registers other names.
    pub fn renamed(&self, name: impl Fn(Value) -> Value) -> Relations {
        let lit = |lit: Lit| Lit {
            value: name(lit.value),
            ..lit
        };
        let edges = self.edges.iter();
        Relations {
            edges: edges.map(|(&(a, b), &c)| ((lit(a), lit(b)), c)).collect(),
        }
    }

    /// What holds in both. New edges come from intervals too: where one number is low on one side and another one on the other.
    pub fn join(
        (ours, mine): (&Relations, &Ranges<'_>),
        (theirs, yours): (&Relations, &Ranges<'_>),
        moved: &[Value],
        shape: &dyn Shape,
        joined: &Ranges<'_>,
    ) -> Relations {
        let mut pairs: BTreeSet<(Lit, Lit)> = ours.edges.keys().copied().collect();
        pairs.extend(theirs.edges.keys().copied());
        let (mut higher, mut lower) = (Vec::new(), Vec::new());
        for &value in moved.iter().take(MAX_MOVED) {
            for lit in views(value, joined) {
                for lit in [lit, lit.flipped()] {
                    match (most(lit, mine), most(lit, yours)) {
                        (Some(a), Some(b)) if a < b => higher.push(lit),
                        (Some(a), Some(b)) if a > b => lower.push(lit),
                        _ => {}
                    }
                }
            }
        }
        for &a in &higher {
            for &b in &lower {
                pairs.insert((a, b.flipped()));
            }
        }
        let mut found = Relations::default();
        let mut by_source = Closed::default();
        let mut other_source = Closed::default();
        for (a, b) in pairs {
            if a.value == b.value || !shape.keeps(a, b) {
                continue;
            }
            let one = by_source.bound(ours, a, b, mine);
            let other = other_source.bound(theirs, a, b, yours);
            if let (Some(one), Some(other)) = (one, other) {
                found.add(a, b, one.max(other), shape, joined);
            }
        }
        found
    }

    /// Edges of the old state that the new one keeps, or that stop at a small number: there are only finitely many.
    pub fn widen(&self, new: &Relations, ranges: &Ranges<'_>) -> Relations {
        let mut found = Relations::default();
        let mut closed = Closed::default();
        for (&(a, b), &c) in &self.edges {
            let Some(bound) = closed.bound(new, a, b, ranges) else {
                continue;
            };
            let stop = STOPS.into_iter().find(|&stop| bound <= stop);
            match (bound <= c, stop) {
                (true, _) => found.insert(a, b, c),
                (false, Some(stop)) => found.insert(a, b, stop),
                (false, None) => {}
            }
        }
        found
    }

    /// Does everything that the other says hold here?
    pub fn is_within(&self, other: &Relations, ranges: &Ranges<'_>) -> bool {
        let mut closed = Closed::default();
        other.edges.iter().all(|(&(a, b), &c)| {
            self.edges.get(&(a, b)).is_some_and(|&known| known <= c)
                || closed
                    .bound(self, a, b, ranges)
                    .is_some_and(|bound| bound <= c)
        })
    }

    /// Leaves out edges that follow from others.
    pub fn reduced(&self, ranges: &Ranges<'_>) -> Relations {
        let mut found = self.clone();
        for (&(a, b), &c) in &self.edges {
            // Of an edge and its mirror image one is looked at.
            if (b.flipped(), a.flipped()) < (a, b) {
                continue;
            }
            let mut without = found.clone();
            without.edges.remove(&(a, b));
            without.edges.remove(&(b.flipped(), a.flipped()));
            if without.bound(a, b, ranges).is_some_and(|bound| bound <= c) {
                found = without;
            }
        }
        found
    }

    /// What both say in the same words.
    pub fn in_both(&self, other: &Relations) -> Relations {
        let mut found = self.clone();
        found
            .edges
            .retain(|pair, c| other.edges.get(pair) == Some(c));
        found
    }
}

/// The views in which a number is worth following: one, if both are the same.
fn views(value: Value, ranges: &Ranges<'_>) -> Vec<Lit> {
    let signed = Lit::new(value, View::Signed);
    match ranges(value) {
        Some(x) if x.smin >= 0 => vec![signed],
        Some(_) => vec![signed, Lit::new(value, View::Unsigned)],
        None => Vec::new(),
    }
}

/// The ways from literals, each found once.
#[derive(Default)]
struct Closed {
    reached: BTreeMap<Lit, BTreeMap<Lit, i128>>,
    most: BTreeMap<Lit, Option<i128>>,
}

impl Closed {
    fn bound(&mut self, of: &Relations, a: Lit, b: Lit, ranges: &Ranges<'_>) -> Option<i128> {
        let (up, down) = (
            self.at_most(of, a, ranges),
            self.at_most(of, b.flipped(), ranges),
        );
        let way = self.reached[&a].get(&b).copied();
        let zero = up.zip(down).map(|(up, down)| up + down);
        least(way, zero)
    }

    fn at_most(&mut self, of: &Relations, a: Lit, ranges: &Ranges<'_>) -> Option<i128> {
        if let Some(&known) = self.most.get(&a) {
            return known;
        }
        let reached = of.reach(a, ranges);
        let bounds = reached
            .iter()
            .filter_map(|(&to, bound)| Some(bound + most(to, ranges)?));
        let found = bounds.min();
        self.reached.insert(a, reached);
        self.most.insert(a, found);
        found
    }
}
