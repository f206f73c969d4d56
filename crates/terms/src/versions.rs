//! Versions of arrays during an evaluation.
//!
//! A chain of stores makes as many versions of an array, and copying it for each would take quadratic time. Instead one
//! version, the root, has the array, and each other one says by which entry it differs from the next version towards the
//! root (H. Baker, *Shallow binding makes functional arrays fast*, 1991):
//!
//! ```text
//!   v0 ──[3] was 7──▶ v1 ──[5] was 0──▶ v2 = root, the array
//! ```
//!
//! Reading a version makes it the root first. What an evaluation reads was mostly made just before, so that costs nothing.

use base::Map;

use crate::value::{ArrayValue, Value};

base::id! {
    /// A version of an array.
    Version, "version"
}

enum Link {
    Root(Box<ArrayValue>),
    /// This version is `next` with `value` at `index`.
    Differs {
        index: Value,
        value: Value,
        next: Version,
    },
}

/// All versions of all arrays of an evaluation.
#[derive(Default)]
pub(crate) struct Versions {
    links: Map<Version, Option<Link>>,
}

impl Versions {
    /// The first version of an array.
    pub(crate) fn add(&mut self, array: Box<ArrayValue>) -> Version {
        self.links.push(Some(Link::Root(array)))
    }

    /// The array of a version.
    pub(crate) fn get(&mut self, version: Version) -> &ArrayValue {
        self.make_root(version);
        match &self.links[version] {
            Some(Link::Root(array)) => array,
            _ => unreachable!("{version} was made the root"),
        }
    }

    /// A new version that differs from another by one element.
    pub(crate) fn store(&mut self, version: Version, index: Value, value: Value) -> Version {
        self.make_root(version);
        let new = self.links.push(None);
        self.exchange(version, new, index, value);
        new
    }

    /// Moves the array from the root to a new root that has `value` at `index`.
    fn exchange(&mut self, root: Version, new: Version, index: Value, value: Value) {
        let Some(Link::Root(mut array)) = self.links[root].take() else {
            unreachable!("{root} is the root")
        };
        let before = array.get(&index).clone();
        array.set(index.clone(), value);
        self.links[root] = Some(Link::Differs {
            index,
            value: before,
            next: new,
        });
        self.links[new] = Some(Link::Root(array));
    }

    fn make_root(&mut self, version: Version) {
        let mut path = vec![version];
        let mut at = version;
        while let Some(Link::Differs { next, .. }) = &self.links[at] {
            at = *next;
            path.push(at);
        }
        // From the root back, each version on the path takes the array over.
        for pair in path.windows(2).rev() {
            let Some(Link::Differs { index, value, .. }) = self.links[pair[0]].take() else {
                unreachable!("{} is on the path", pair[0])
            };
            self.exchange(pair[1], pair[0], index, value);
        }
    }
}
