//! The scalars of store maps: lists for ever, and an ordered map for the newest version.
//!
//! A store map's scalars are a list that begins with what was written last, so that a version is one cell on top of the
//! one before, and both stay. To look up an offset in a list takes as long as the list is. So a list has an *index* as
//! well, an ordered map from offsets to the bytes that are seen there. There is one index for many versions: when a
//! version grows, its index moves on to the new one.
//!
//! ```text
//!   l1 = (8 42)           l2 = (0 21) over l1            l3 = (16 8) over l2       index of l3: 0 ↦ 21, 8 ↦ 42, 16 ↦ 8
//! ```
//!
//! A version that lost its index is searched from its newest cell on, which is slower and just as right; one that is
//! asked again and again, because it grows in another direction, gets an index of its own.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

use rustc_hash::{FxBuildHasher, FxHashMap};

base::id! {
    /// The scalars of a store map.
    List, "list"
}

/// The longest list that is searched rather than indexed when it has no index.
const SHORT: u32 = 16;
/// The most indices that are kept.
const INDICES: usize = 512;

/// A scalar that was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry<V> {
    /// Where it begins.
    pub offset: u64,
    /// How many bytes it has.
    pub width: u32,
    /// What it is.
    pub value: V,
}

impl<V> Entry<V> {
    /// Is a byte of it there?
    fn covers(&self, offset: u64) -> bool {
        offset.wrapping_sub(self.offset) < u64::from(self.width)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Cell<V> {
    entry: Entry<V>,
    /// What was written before.
    rest: Option<List>,
    len: u32,
}

/// By offset, the scalar that is seen there.
type Index<V> = BTreeMap<u64, Entry<V>>;

/// All lists.
pub(crate) struct Lists<V> {
    cells: Vec<Cell<V>>,
    ids: HashMap<Cell<V>, List, FxBuildHasher>,
    indices: FxHashMap<List, Index<V>>,
}

impl<V> Default for Lists<V> {
    fn default() -> Lists<V> {
        Lists {
            cells: Vec::new(),
            ids: HashMap::default(),
            indices: FxHashMap::default(),
        }
    }
}

fn put<V: Copy>(index: &mut Index<V>, entry: Entry<V>) {
    for i in 0..u64::from(entry.width) {
        index.insert(entry.offset.wrapping_add(i), entry);
    }
}

impl<V: Copy + Eq + Hash> Lists<V> {
    /// A list with one more scalar.
    pub(crate) fn push(&mut self, rest: Option<List>, entry: Entry<V>) -> List {
        let len = rest.map_or(0, |rest| self.len(rest)) + 1;
        let cell = Cell { entry, rest, len };
        if let Some(&known) = self.ids.get(&cell) {
            return known;
        }
        let list = List::from_index(self.cells.len());
        self.cells.push(cell);
        self.ids.insert(cell, list);
        let index = match rest {
            None => Some(Index::new()),
            Some(rest) => self.indices.remove(&rest),
        };
        if let Some(mut index) = index {
            put(&mut index, entry);
            self.keep(list, index);
        }
        list
    }

    fn keep(&mut self, list: List, index: Index<V>) {
        if self.indices.len() >= INDICES {
            // Which ones are needed again is not known; the lists are still there.
            self.indices.clear();
        }
        self.indices.insert(list, index);
    }

    /// How many scalars were written.
    pub(crate) fn len(&self, list: List) -> u32 {
        self.cells[list.index()].len
    }

    /// What was written, the newest first.
    pub(crate) fn entries(&self, list: List) -> impl Iterator<Item = Entry<V>> + '_ {
        let mut next = Some(list);
        std::iter::from_fn(move || {
            let cell = &self.cells[next?.index()];
            next = cell.rest;
            Some(cell.entry)
        })
    }

    /// What was written in one list and not in the other since they were the same, in each, the newest first; and
    /// what they have in common.
    pub(crate) fn differences(
        &self,
        a: List,
        b: List,
    ) -> (Vec<Entry<V>>, Vec<Entry<V>>, Option<List>) {
        let (mut x, mut y) = (Some(a), Some(b));
        let (mut left, mut right) = (Vec::new(), Vec::new());
        while x != y {
            let len = |list: Option<List>| list.map_or(0, |list| self.len(list));
            let (side, found) = match len(x) >= len(y) {
                true => (&mut x, &mut left),
                false => (&mut y, &mut right),
            };
            let cell = &self.cells[side.expect("the longer one is not empty").index()];
            found.push(cell.entry);
            *side = cell.rest;
        }
        (left, right, x)
    }

    /// The index of a list, made if it has none and is long. Whether the list had none comes with it.
    fn index(&mut self, list: List) -> (Option<&Index<V>>, bool) {
        let stale = !self.indices.contains_key(&list);
        if stale && self.len(list) > SHORT {
            let mut index = Index::new();
            let entries: Vec<Entry<V>> = self.entries(list).collect();
            for entry in entries.into_iter().rev() {
                put(&mut index, entry);
            }
            self.keep(list, index);
        }
        (self.indices.get(&list), stale)
    }

    /// For each of so many bytes from an offset on, the scalar that is seen there; and whether the list had no index.
    pub(crate) fn look_up(
        &mut self,
        list: List,
        offset: u64,
        width: u32,
    ) -> (Vec<Option<Entry<V>>>, bool) {
        let offsets = (0..u64::from(width)).map(|i| offset.wrapping_add(i));
        let (index, stale) = self.index(list);
        if let Some(index) = index {
            return (offsets.map(|at| index.get(&at).copied()).collect(), stale);
        }
        let mut found: Vec<Option<Entry<V>>> = vec![None; width as usize];
        let mut missing = width;
        for entry in self.entries(list) {
            if missing == 0 {
                break;
            }
            for (at, slot) in offsets.clone().zip(&mut found) {
                if slot.is_none() && entry.covers(at) {
                    *slot = Some(entry);
                    missing -= 1;
                }
            }
        }
        (found, stale)
    }

    /// The bytes that are seen from one offset to another, both included, as runs of one scalar each: where a run
    /// begins, how many bytes it has, and of which scalar.
    pub(crate) fn runs(&mut self, list: List, from: u64, to: u64) -> Vec<(u64, u32, Entry<V>)> {
        let mut runs: Vec<(u64, u32, Entry<V>)> = Vec::new();
        let mut add = |at: u64, entry: Entry<V>| match runs.last_mut() {
            Some((start, len, last)) if *last == entry && *start + u64::from(*len) == at => {
                *len += 1;
            }
            _ => runs.push((at, 1, entry)),
        };
        if let (Some(index), _) = self.index(list) {
            for (&at, &entry) in index.range(from..=to) {
                add(at, entry);
            }
            return runs;
        }
        let mut index = Index::new();
        let entries: Vec<Entry<V>> = self.entries(list).collect();
        for entry in entries.into_iter().rev() {
            put(&mut index, entry);
        }
        for (&at, &entry) in index.range(from..=to) {
            add(at, entry);
        }
        runs
    }

    /// Is any byte from one offset to another, both included, written?
    pub(crate) fn any_in(&mut self, list: List, from: u64, to: u64) -> bool {
        if let (Some(index), _) = self.index(list) {
            return index.range(from..=to).next().is_some();
        }
        let bytes = |entry: Entry<V>| {
            (0..u64::from(entry.width)).map(move |i| entry.offset.wrapping_add(i))
        };
        self.entries(list)
            .flat_map(bytes)
            .any(|at| (from..=to).contains(&at))
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Lists};

    fn entry(offset: u64, width: u32, value: char) -> Entry<char> {
        Entry {
            offset,
            width,
            value,
        }
    }

    fn seen(lists: &mut Lists<char>, list: super::List, from: u64, to: u64) -> String {
        let width = (to - from) as u32;
        let (found, _) = lists.look_up(list, from, width);
        let char = |entry: &Option<Entry<char>>| entry.map_or('.', |entry| entry.value);
        found.iter().map(char).collect()
    }

    #[test]
    fn an_older_version_is_right_after_the_index_has_moved_on() {
        let mut lists = Lists::default();
        let first = lists.push(None, entry(0, 4, 'a'));
        let second = lists.push(Some(first), entry(2, 4, 'b'));
        let third = lists.push(Some(second), entry(0, 1, 'c'));
        // Another way on from the second one, which has no index any more.
        let other = lists.push(Some(second), entry(5, 2, 'd'));
        assert!(lists.indices.contains_key(&third) && !lists.indices.contains_key(&second));
        for (list, bytes) in [
            (third, "cabbbb.."),
            (second, "aabbbb.."),
            (first, "aaaa...."),
            (other, "aabbbdd."),
            (third, "cabbbb.."),
        ] {
            assert_eq!(seen(&mut lists, list, 0, 8), bytes);
        }
        assert!(lists.any_in(third, 5, 5) && !lists.any_in(third, 6, 9));
        let runs = lists.runs(third, 1, 9);
        let runs: Vec<_> = runs
            .iter()
            .map(|(at, len, e)| (*at, *len, e.value))
            .collect();
        assert_eq!(runs, [(1, 1, 'a'), (2, 4, 'b')]);
        let (left, right, rest) = lists.differences(third, other);
        assert_eq!(left, [entry(0, 1, 'c')]);
        assert_eq!(right, [entry(5, 2, 'd')]);
        assert_eq!(rest, Some(second));
    }

    #[test]
    fn a_long_version_without_an_index_gets_one() {
        let mut lists = Lists::default();
        let mut list = lists.push(None, entry(0, 1, 'a'));
        for offset in 1..100 {
            list = lists.push(Some(list), entry(offset, 1, 'a'));
        }
        let newest = lists.push(Some(list), entry(50, 1, 'b'));
        let (old, was_stale) = lists.look_up(list, 50, 1);
        assert!(was_stale && old[0].map(|e| e.value) == Some('a'));
        assert!(lists.indices.contains_key(&list));
        assert_eq!(seen(&mut lists, newest, 49, 52), "aba");
        assert_eq!(seen(&mut lists, list, 49, 52), "aaa");
        // All indices may be thrown away at any time.
        lists.indices.clear();
        assert_eq!(seen(&mut lists, newest, 49, 52), "aba");
    }
}
