//! Choosing between two memories where paths meet.
//!
//! An ite of memories is what the theory has. But where both sides are store maps over the same, all that differs is
//! some scalars: then the choice is made for each of them (the ite is pulled into the maps), and later reads are
//! look-ups again.

use super::store_map::{Entry, List};
use super::{Base, Expr, Kind, Reader, Scalars, Theory};
use crate::arena::Term;

/// Where a scalar lies in its object: its offset, and how many bytes it has.
type Span = (u64, u32);

/// The most scalars for which the choice is made one by one.
const MOST: usize = 4096;

impl<S: Scalars> Theory<'_, S> {
    /// The first memory if the condition holds, else the second.
    pub fn choose(&mut self, reader: &mut Reader, condition: Term, a: Expr, b: Expr) -> Expr {
        if a == b || self.terms().as_bool(condition).is_some() {
            return self.ite(condition, a, b);
        }
        match self.pull(reader, condition, a, b) {
            Some(pulled) => pulled,
            None => self.ite(condition, a, b),
        }
    }

    /// Both sides as store maps over the same memory, and the choice in them.
    fn pull(&mut self, reader: &mut Reader, condition: Term, a: Expr, b: Expr) -> Option<Expr> {
        if !self.exprs.techniques.maps {
            return None;
        }
        let (mut left, mut right) = (Vec::new(), Vec::new());
        let (mut x, mut y) = (a, b);
        // Arguments have smaller ids: the greater one cannot be below the other.
        while x != y {
            let (side, maps) = match x > y {
                true => (&mut x, &mut left),
                false => (&mut y, &mut right),
            };
            let (memory, base, list) = match self.exprs.kind(*side) {
                Kind::Map { memory, base, list } => (memory, base, list),
                Kind::Write {
                    memory,
                    at,
                    width,
                    value,
                } => {
                    let (base, entry) = self.fixed(at, width, value)?;
                    (memory, base, self.exprs.lists.push(None, entry))
                }
                _ => return None, // What is no map of one object stays below.
            };
            // Sorted by object, each at most once.
            if maps.last().is_some_and(|&(newer, _)| newer <= base) {
                return None;
            }
            maps.push((base, list));
            *side = memory;
        }
        let mut bases: Vec<Base> = left.iter().chain(&right).map(|map| map.0).collect();
        bases.sort_unstable();
        bases.dedup();
        let list = |maps: &[(Base, List)], base: Base| {
            let found = maps.iter().find(|map| map.0 == base);
            found.map(|map| map.1)
        };
        let mut plan = Vec::with_capacity(bases.len());
        let mut total = 0;
        for base in bases {
            let (mine, theirs) = (list(&left, base), list(&right, base));
            let (rest, places) = self.differing(mine, theirs)?;
            total += places.len();
            plan.push((base, rest, places));
        }
        if total > MOST {
            return None;
        }
        let mut merged = x;
        let bits = self.scalars.pointer_bits();
        for (base, rest, places) in plan {
            let mut list = rest;
            for (offset, width) in places {
                let here = self.terms().bv_u64(offset, bits);
                let at = self.exprs.ptr(base, here);
                let [first, second] = [a, b].map(|side| self.read(reader, side, at, width));
                let value = match first == second {
                    true => first,
                    false => self.scalars.choose(condition, first, second),
                };
                let entry = Entry {
                    offset,
                    width,
                    value,
                };
                list = Some(self.exprs.lists.push(list, entry));
            }
            if let Some(list) = list {
                merged = self.exprs.make(Kind::Map {
                    memory: merged,
                    base,
                    list,
                });
            }
        }
        Some(merged)
    }

    /// What two lists have in common, and where one of them has something that the other may not have; nothing if
    /// scalars overlap, which an ite of memories keeps whole.
    fn differing(&mut self, a: Option<List>, b: Option<List>) -> Option<(Option<List>, Vec<Span>)> {
        let lists = &self.exprs.lists;
        let all = |list: List| lists.entries(list).collect::<Vec<_>>();
        let (mine, theirs, rest) = match (a, b) {
            (Some(a), Some(b)) => lists.differences(a, b),
            (Some(a), None) => (all(a), Vec::new(), None),
            (None, Some(b)) => (Vec::new(), all(b), None),
            (None, None) => return Some((None, Vec::new())),
        };
        let changed = mine.iter().chain(&theirs);
        let mut places: Vec<Span> = changed.map(|entry| (entry.offset, entry.width)).collect();
        places.sort_unstable();
        places.dedup();
        let overlap = |pair: &[Span]| pair[0].0 + u64::from(pair[0].1) > pair[1].0;
        if places.windows(2).any(overlap) {
            return None;
        }
        Some((rest, places))
    }
}
