//! A persistent vector of shared entries, with gaps.
//!
//! Memory versions differ from each other in a few entries. A radix tree of shared nodes makes a
//! changed copy in a handful of steps, and two versions are compared by looking only where they do
//! not share nodes.

use std::rc::Rc;

const BITS: u32 = 4;
const FAN: usize = 1 << BITS;

enum Node<T> {
    Inner([Option<Rc<Node<T>>>; FAN]),
    Leaf([Option<Rc<T>>; FAN]),
}

/// A persistent map from numbers to shared entries.
pub struct Trie<T> {
    root: Option<Rc<Node<T>>>,
    /// Levels below the root; a tree of height 0 is one leaf.
    height: u32,
}

impl<T> Clone for Trie<T> {
    fn clone(&self) -> Self {
        Trie {
            root: self.root.clone(),
            height: self.height,
        }
    }
}

impl<T> Default for Trie<T> {
    fn default() -> Self {
        Trie {
            root: None,
            height: 0,
        }
    }
}

impl<T> Clone for Node<T> {
    fn clone(&self) -> Self {
        match self {
            Node::Inner(children) => Node::Inner(children.clone()),
            Node::Leaf(entries) => Node::Leaf(entries.clone()),
        }
    }
}

fn slot(index: u64, level: u32) -> usize {
    (index >> (BITS * level)) as usize & (FAN - 1)
}

impl<T> Trie<T> {
    /// The entry at an index.
    pub fn get(&self, index: u64) -> Option<&Rc<T>> {
        if !self.covers(index) {
            return None;
        }
        let mut node = self.root.as_ref()?;
        let mut level = self.height;
        loop {
            match &**node {
                Node::Inner(children) => node = children[slot(index, level)].as_ref()?,
                Node::Leaf(entries) => return entries[slot(index, 0)].as_ref(),
            }
            level -= 1;
        }
    }

    fn covers(&self, index: u64) -> bool {
        let bits = BITS * (self.height + 1);
        bits >= 64 || index >> bits == 0
    }

    /// Sets the entry at an index in this version.
    pub fn set(&mut self, index: u64, entry: Rc<T>) {
        while !self.covers(index) {
            if let Some(root) = self.root.take() {
                let mut children: [Option<Rc<Node<T>>>; FAN] = Default::default();
                children[0] = Some(root);
                self.root = Some(Rc::new(Node::Inner(children)));
            }
            self.height += 1;
        }
        let mut level = self.height;
        let mut place = &mut self.root;
        loop {
            let node = place.get_or_insert_with(|| {
                Rc::new(if level == 0 {
                    Node::Leaf(Default::default())
                } else {
                    Node::Inner(Default::default())
                })
            });
            match Rc::make_mut(node) {
                Node::Inner(children) => place = &mut children[slot(index, level)],
                Node::Leaf(entries) => {
                    entries[slot(index, 0)] = Some(entry);
                    return;
                }
            }
            level -= 1;
        }
    }

    /// Takes the entry at an index out of this version.
    pub fn take(&mut self, index: u64) -> Option<Rc<T>> {
        self.get(index)?;
        let mut level = self.height;
        let mut place = &mut self.root;
        loop {
            match Rc::make_mut(place.as_mut()?) {
                Node::Inner(children) => place = &mut children[slot(index, level)],
                Node::Leaf(entries) => return entries[slot(index, 0)].take(),
            }
            level -= 1;
        }
    }

    /// The entry at an index, to be changed in this version; made if there is none.
    pub fn entry(&mut self, index: u64) -> &mut T
    where
        T: Clone + Default,
    {
        if self.get(index).is_none() {
            self.set(index, Rc::new(T::default()));
        }
        let mut level = self.height;
        let mut place = &mut self.root;
        loop {
            let node = place.as_mut().expect("the entry is there");
            match Rc::make_mut(node) {
                Node::Inner(children) => place = &mut children[slot(index, level)],
                Node::Leaf(entries) => {
                    let entry = entries[slot(index, 0)].as_mut();
                    return Rc::make_mut(entry.expect("the entry is there"));
                }
            }
            level -= 1;
        }
    }

    /// Is there no entry?
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Is there an entry at an index from `first` to `last`, both included?
    pub fn any_in(&self, first: u64, last: u64) -> bool {
        let mut work = Vec::new();
        work.extend(self.root.as_ref().map(|root| (root, self.height, 0u64)));
        while let Some((node, level, base)) = work.pop() {
            match &**node {
                Node::Inner(children) => {
                    for (position, child) in children.iter().enumerate() {
                        let start = base + ((position as u64) << (BITS * level));
                        let end = start + ((1u64 << (BITS * level)) - 1);
                        if let Some(child) = child
                            && start <= last
                            && end >= first
                        {
                            work.push((child, level - 1, start));
                        }
                    }
                }
                Node::Leaf(entries) => {
                    let present = |position: usize| {
                        let index = base + position as u64;
                        entries[position].is_some() && (first..=last).contains(&index)
                    };
                    if (0..FAN).any(present) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Are the two the same version?
    pub fn same(&self, other: &Trie<T>) -> bool {
        match (&self.root, &other.root) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The indices in increasing order at which the two versions do not share their entry.
    pub fn differences(&self, other: &Trie<T>) -> Vec<u64> {
        let mut found = Vec::new();
        let top = self.height.max(other.height);
        let mut work = vec![(raise(self, top), raise(other, top), top, 0u64)];
        while let Some((a, b, level, base)) = work.pop() {
            match (&a, &b) {
                (None, None) => {}
                (Some(x), Some(y)) if Rc::ptr_eq(x, y) => {}
                _ if level == 0 => {
                    for position in (0..FAN).rev() {
                        let (x, y) = (leaf(&a, position), leaf(&b, position));
                        let same = match (x, y) {
                            (None, None) => true,
                            (Some(x), Some(y)) => Rc::ptr_eq(x, y),
                            _ => false,
                        };
                        if !same {
                            found.push(base + position as u64);
                        }
                    }
                }
                _ => {
                    for position in 0..FAN {
                        let (x, y) = (child(&a, position), child(&b, position));
                        if x.is_some() || y.is_some() {
                            let at = base + ((position as u64) << (BITS * level));
                            work.push((x, y, level - 1, at));
                        }
                    }
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// All entries in order.
    pub fn entries(&self) -> Vec<(u64, Rc<T>)> {
        self.differences(&Trie::default())
            .into_iter()
            .map(|index| {
                (
                    index,
                    self.get(index).expect("a difference from nothing").clone(),
                )
            })
            .collect()
    }
}

/// The root as it would be in a tree of a greater height.
fn raise<T>(trie: &Trie<T>, height: u32) -> Option<Rc<Node<T>>> {
    let mut root = trie.root.clone();
    for _ in trie.height..height {
        root = root.map(|node| {
            let mut children: [Option<Rc<Node<T>>>; FAN] = Default::default();
            children[0] = Some(node);
            Rc::new(Node::Inner(children))
        });
    }
    root
}

fn child<T>(node: &Option<Rc<Node<T>>>, position: usize) -> Option<Rc<Node<T>>> {
    match node.as_deref() {
        Some(Node::Inner(children)) => children[position].clone(),
        Some(Node::Leaf(_)) | None => None,
    }
}

fn leaf<T>(node: &Option<Rc<Node<T>>>, position: usize) -> Option<&Rc<T>> {
    match node.as_deref() {
        Some(Node::Leaf(entries)) => entries[position].as_ref(),
        Some(Node::Inner(_)) | None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Trie;
    use std::rc::Rc;

    #[test]
    fn versions_share_and_differ() {
        let mut a: Trie<u64> = Trie::default();
        for index in [0, 3, 17, 300, 1 << 40] {
            a.set(index, Rc::new(index));
        }
        let mut b = a.clone();
        assert!(a.same(&b));
        b.set(17, Rc::new(99));
        b.set(5, Rc::new(5));
        b.set(u64::MAX, Rc::new(7));
        assert_eq!(a.differences(&b), [5, 17, u64::MAX]);
        assert_eq!(b.differences(&a), [5, 17, u64::MAX]);
        assert_eq!(a.get(17).map(|v| **v), Some(17));
        assert_eq!(b.get(17).map(|v| **v), Some(99));
        assert_eq!(a.get(1 << 50), None);
        assert!(
            a.any_in(4, 17)
                && !a.any_in(4, 16)
                && !a.any_in(301, 1 << 39)
                && b.any_in(1 << 41, u64::MAX)
        );
        assert!(!a.is_empty() && Trie::<u8>::default().is_empty());
        let all: Vec<u64> = a.entries().iter().map(|(index, _)| *index).collect();
        assert_eq!(all, [0, 3, 17, 300, 1 << 40]);
    }

    #[test]
    fn an_entry_taken_from_one_version_stays_in_the_other() {
        let mut a: Trie<u64> = Trie::default();
        a.set(300, Rc::new(1));
        let mut b = a.clone();
        assert_eq!(b.take(300), Some(Rc::new(1)));
        assert_eq!((b.take(300), b.take(4)), (None, None));
        assert_eq!(a.get(300).map(|entry| **entry), Some(1));
    }

    #[test]
    fn an_entry_that_is_set_again_is_a_difference_even_if_equal() {
        let mut a: Trie<u8> = Trie::default();
        a.set(2, Rc::new(1));
        let mut b = a.clone();
        b.set(2, Rc::new(1));
        assert_eq!(a.differences(&b), [2]);
    }
}
