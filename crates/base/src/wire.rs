//! Bit-vectors and tables as plain data: a bit-vector is its text, a table is a list.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Bv, Id, Map};

impl Serialize for Bv {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Bv {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Bv, D::Error> {
        let text: std::borrow::Cow<'de, str> = Deserialize::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl<I: Id, T: Serialize> Serialize for Map<I, T> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(self.values())
    }
}

impl<'de, I: Id, T: Deserialize<'de>> Deserialize<'de> for Map<I, T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Map<I, T>, D::Error> {
        let items: Vec<T> = Deserialize::deserialize(from)?;
        Ok(items.into_iter().collect())
    }
}
