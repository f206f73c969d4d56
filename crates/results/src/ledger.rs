//! The assumption ledger: what a verdict rests on.

use std::collections::BTreeSet;

/// Sentences, each once, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ledger {
    entries: BTreeSet<String>,
}

impl Ledger {
    /// Adds a sentence.
    pub fn note(&mut self, sentence: impl Into<String>) {
        self.entries.insert(sentence.into());
    }

    /// All sentences in order.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(String::as_str)
    }
}

impl FromIterator<String> for Ledger {
    fn from_iter<I: IntoIterator<Item = String>>(sentences: I) -> Ledger {
        Ledger {
            entries: sentences.into_iter().collect(),
        }
    }
}
