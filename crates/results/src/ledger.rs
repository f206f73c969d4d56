//! The assumption ledger: what a verdict rests on.

use std::collections::BTreeSet;

/// Sentences, each once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ledger {
    entries: BTreeSet<String>,
}

/// What is assumed of executions: whoever reads nothing else has to read this.
const ASSUMED: [&str; 5] = [
    "do not count",
    " is off",
    "is assumed to",
    "asked for: ",
    "executions end at",
];

/// What nearly every verdict rests on, from what may surprise to what nobody reads twice.
const USUAL: [&str; 7] = [
    "library functions by their models",
    "compiled with ",
    "allocations never fail",
    "malloc does not fail",
    "data model ",
    "second opinion ",
    "not checked: ",
];

impl Ledger {
    /// Adds a sentence.
    pub fn note(&mut self, sentence: impl Into<String>) {
        self.entries.insert(sentence.into());
    }

    /// All sentences, those first that say most about this verdict.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        let mut sorted: Vec<&str> = self.entries.iter().map(String::as_str).collect();
        sorted.sort_by_key(|sentence| rank(sentence));
        sorted.into_iter()
    }
}

fn rank(sentence: &str) -> usize {
    let mut usual = USUAL.iter();
    match usual.position(|start| sentence.starts_with(start)) {
        Some(index) => 2 + index,
        None if ASSUMED.iter().any(|words| sentence.contains(words)) => 0,
        None => 1,
    }
}

impl FromIterator<String> for Ledger {
    fn from_iter<I: IntoIterator<Item = String>>(sentences: I) -> Ledger {
        Ledger {
            entries: sentences.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Ledger;

    #[test]
    fn what_matters_comes_first_and_each_sentence_once() {
        let mut ledger = Ledger::default();
        for sentence in [
            "data model LP64",
            "not checked: leak",
            "volatile reads return any value",
            "executions that divide by zero do not count (check div is off)",
            "data model LP64",
        ] {
            ledger.note(sentence);
        }
        let entries: Vec<&str> = ledger.entries().collect();
        let starts = ["executions that", "volatile", "data model", "not checked"];
        assert_eq!(entries.len(), starts.len());
        for (entry, start) in entries.iter().zip(starts) {
            assert!(entry.starts_with(start), "{entries:?}");
        }
    }
}
