//! Typed ids and the vectors they index.
//!
//! An id is a `u32` with a type and a letter. It prints exactly as it is written in a text file, so
//! that dumps, test files and debugger output are one language:
//!
//! ```
//! base::id! {
//!     /// A basic block.
//!     Block, "b"
//! }
//! let mut names: base::Map<Block, &str> = base::Map::new();
//! let entry = names.push("entry");
//! assert_eq!(entry.to_string(), "b0");
//! assert_eq!(names[entry], "entry");
//! ```

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// What [`id!`](crate::id!) gives to every id.
pub trait Id: Copy + Eq + Ord + std::hash::Hash + fmt::Debug + fmt::Display + 'static {
    /// The letter or word that precedes the number in text.
    const PREFIX: &'static str;

    /// The id with this number. Panics above `u32::MAX - 1`.
    fn from_index(index: usize) -> Self;

    /// The number.
    fn index(self) -> usize;
}

/// Declares typed `u32` ids: `id! { /// Doc. Name, "prefix" }`, several at once if need be.
///
/// Numbers are stable but carry no meaning beyond identity; `u32::MAX` is never an id.
#[macro_export]
macro_rules! id {
    ($($(#[$meta:meta])* $name:ident, $prefix:literal);+ $(;)?) => { $(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id with this number.
            #[inline]
            pub const fn from_index(index: usize) -> Self {
                assert!(index < u32::MAX as usize, "too many ids of one kind");
                Self(index as u32)
            }

            /// The number.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl $crate::Id for $name {
            const PREFIX: &'static str = $prefix;

            #[inline]
            fn from_index(index: usize) -> Self {
                $name::from_index(index)
            }

            #[inline]
            fn index(self) -> usize {
                $name::index(self)
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                $crate::id::from_text(from)
            }
        }
    )+ };
}

/// Reads an id that was written as it prints: `o3`.
pub fn from_text<'de, I: Id, D: serde::Deserializer<'de>>(from: D) -> Result<I, D::Error> {
    let text: std::borrow::Cow<'de, str> = serde::Deserialize::deserialize(from)?;
    let number = text
        .strip_prefix(I::PREFIX)
        .and_then(|digits| digits.parse::<u32>().ok());
    match number {
        Some(number) if number < u32::MAX => Ok(I::from_index(number as usize)),
        Some(_) | None => Err(serde::de::Error::custom(format!(
            "`{text}` is no id like `{}0`",
            I::PREFIX
        ))),
    }
}

/// A vector indexed by a typed id: the table that owns what the ids name.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Map<I, T> {
    items: Vec<T>,
    ids: PhantomData<fn(I)>,
}

impl<I: Id, T> Map<I, T> {
    /// A table without entries.
    pub const fn new() -> Self {
        Map {
            items: Vec::new(),
            ids: PhantomData,
        }
    }

    /// A table with room for `capacity` entries.
    pub fn with_capacity(capacity: usize) -> Self {
        Map {
            items: Vec::with_capacity(capacity),
            ids: PhantomData,
        }
    }

    /// A table of `len` copies of `value`, for instance beside another table of that length.
    pub fn filled(value: T, len: usize) -> Self
    where
        T: Clone,
    {
        Map {
            items: vec![value; len],
            ids: PhantomData,
        }
    }

    /// Adds an entry and returns its id.
    pub fn push(&mut self, value: T) -> I {
        let id = self.next_id();
        self.items.push(value);
        id
    }

    /// The id that the next [`push`](Map::push) will return.
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }

    /// The entry, unless the id belongs to another table.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// The entry, to be changed.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Whether this id has an entry here.
    pub fn contains(&self, id: I) -> bool {
        id.index() < self.items.len()
    }

    /// All ids, in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// All entries, in order.
    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All entries, in order, to be changed.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// All entries with their ids, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.items
            .iter()
            .enumerate()
            .map(|(index, item)| (I::from_index(index), item))
    }

    /// All entries with their ids, in order, to be changed.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (I, &mut T)> + ExactSizeIterator {
        self.items
            .iter_mut()
            .enumerate()
            .map(|(index, item)| (I::from_index(index), item))
    }

    /// Grows to at least `len` entries, filling with `value`.
    pub fn grow(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        if len > self.items.len() {
            self.items.resize(len, value);
        }
    }

    /// Forgets every entry.
    pub fn clear(&mut self) {
        self.items.clear();
    }

    /// The entries as a slice.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }
}

impl<I: Id, T> Default for Map<I, T> {
    fn default() -> Self {
        Map::new()
    }
}

impl<I: Id, T> Index<I> for Map<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Map<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for Map<I, T> {
    fn from_iter<Items: IntoIterator<Item = T>>(items: Items) -> Self {
        Map {
            items: items.into_iter().collect(),
            ids: PhantomData,
        }
    }
}

impl<I: Id, T> Extend<T> for Map<I, T> {
    fn extend<Items: IntoIterator<Item = T>>(&mut self, items: Items) {
        self.items.extend(items);
    }
}

impl<I: Id, T> IntoIterator for Map<I, T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for Map<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Map;

    crate::id! {
        /// A block of the tests.
        Block, "b";
        /// A value of the tests.
        Value, "v"
    }

    #[test]
    fn ids_print_as_they_are_written() {
        assert_eq!(Block::from_index(1).to_string(), "b1");
        assert_eq!(format!("{:?}", Value::from_index(3)), "v3");
    }

    #[test]
    fn a_map_hands_out_ids_in_order() {
        let mut map: Map<Value, &str> = Map::new();
        assert!(map.is_empty());
        let first = map.push("one");
        let second = map.push("two");
        assert_eq!((first.index(), second.index()), (0, 1));
        assert_eq!(map[second], "two");
        map[first] = "uno";
        assert_eq!(
            map.iter()
                .map(|(id, name)| format!("{id}={name}"))
                .collect::<Vec<_>>(),
            ["v0=uno", "v1=two"]
        );
        assert_eq!(map.keys().next_back(), Some(second));
        assert!(!map.contains(map.next_id()));
        assert_eq!(format!("{map:?}"), r#"{v0: "uno", v1: "two"}"#);
    }
}
