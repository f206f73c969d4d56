//! What is known before an engine begins: settled obligations, and facts, each with its origin.
//!
//! An obligation may have been settled, or a fact found, on the assumption that something else holds. Such
//! assumptions may go round in circles, and a circle shows nothing: what counts is what can be
//! built up from what rests on nothing.

use std::collections::{BTreeMap, BTreeSet};

use ir::syntax::Obligation;
use serde::{Deserialize, Serialize};

use crate::fact::{Fact, Support};
use crate::status::Status;

/// The answer for an obligation, and where it comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Settled {
    /// The answer.
    pub status: Status,
    /// The engine that gave it.
    pub by: String,
    /// What has to hold for it to hold.
    pub rests_on: Vec<Support>,
}

/// What is known.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Known {
    settled: BTreeMap<Obligation, Vec<Settled>>,
    facts: Vec<Fact>,
}

/// What counts of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grounded<'k> {
    /// The obligations that are settled for good.
    pub settled: BTreeMap<Obligation, &'k Settled>,
    /// The facts that hold.
    pub facts: Vec<&'k Fact>,
}

impl Known {
    /// Adds an answer. An obligation may have several, which rest on different things.
    pub fn settle(&mut self, obligation: Obligation, settled: Settled) {
        let list = self.settled.entry(obligation).or_default();
        if !list.contains(&settled) {
            list.push(settled);
        }
    }

    /// Adds a fact.
    pub fn add(&mut self, fact: Fact) {
        if !self.facts.contains(&fact) {
            self.facts.push(fact);
        }
    }

    /// What counts for the program with this fingerprint: answers and facts that rest on nothing, or on such as count.
    pub fn grounded(&self, program: &str) -> Grounded<'_> {
        let mut grounded = Grounded::default();
        let mut names: BTreeSet<&str> = BTreeSet::new();
        // A name that two facts have says nothing about which of them is meant.
        let unique = |fact: &Fact| {
            let mut others = self.facts.iter();
            !others.any(|other| other.id == fact.id && other != fact)
        };
        let mut waiting: Vec<&Fact> = self
            .facts
            .iter()
            .filter(|fact| fact.program == program && unique(fact))
            .collect();
        loop {
            let before = (grounded.settled.len(), grounded.facts.len());
            for (&obligation, list) in &self.settled {
                let counts = |settled: &&Settled| {
                    settled.status.is_settled()
                        && holds(&settled.rests_on, &grounded.settled, &names)
                };
                if !grounded.settled.contains_key(&obligation)
                    && let Some(settled) = list.iter().find(counts)
                {
                    grounded.settled.insert(obligation, settled);
                }
            }
            waiting.retain(|fact| {
                let counts = holds(&fact.rests_on, &grounded.settled, &names);
                if counts {
                    names.insert(&fact.id);
                    grounded.facts.push(fact);
                }
                !counts
            });
            if before == (grounded.settled.len(), grounded.facts.len()) {
                return grounded;
            }
        }
    }
}

/// Does all of it count already?
fn holds(
    supports: &[Support],
    settled: &BTreeMap<Obligation, &Settled>,
    facts: &BTreeSet<&str>,
) -> bool {
    supports.iter().all(|support| match support {
        Support::Obligation(obligation) => {
            settled
                .get(obligation)
                .is_some_and(|settled| match settled.status {
                    Status::Proved | Status::Unreachable | Status::Vacuous => true,
                    Status::Violated | Status::ProvedBounded(_) | Status::Unknown(_) => false,
                })
        }
        Support::Fact(name) => facts.contains(name.as_str()),
    })
}

#[cfg(test)]
mod tests {
    use ir::syntax::{Block, Value};

    use super::*;
    use crate::fact::Expr;
    use crate::status::Reason;

    fn obligation(index: usize) -> Obligation {
        Obligation::from_index(index)
    }

    fn answer(status: Status, rests_on: &[Support]) -> Settled {
        Settled {
            status,
            by: "test".to_owned(),
            rests_on: rests_on.to_vec(),
        }
    }

    fn fact(id: &str, program: &str, rests_on: &[Support]) -> Fact {
        Fact {
            id: id.to_owned(),
            program: program.to_owned(),
            func: "main".to_owned(),
            block: Block::from_index(1),
            holds: Expr::value(Value::from_index(0)),
            by: "test".to_owned(),
            rests_on: rests_on.to_vec(),
        }
    }

    #[test]
    fn a_circle_shows_nothing() {
        let on = |index| [Support::Obligation(obligation(index))];
        let mut known = Known::default();
        known.settle(obligation(0), answer(Status::Proved, &on(1)));
        known.settle(obligation(1), answer(Status::Proved, &on(0)));
        known.settle(obligation(2), answer(Status::Proved, &on(2)));
        assert_eq!(known.grounded("p"), Grounded::default());
        // One of them is shown otherwise: then both hold.
        known.settle(obligation(1), answer(Status::Unreachable, &[]));
        let settled = known.grounded("p").settled;
        let expected = [obligation(0), obligation(1)];
        assert!(settled.into_keys().eq(expected));
    }

    #[test]
    fn a_fact_counts_with_all_that_it_rests_on() {
        let on = |name: &str| Support::Fact(name.to_owned());
        let mut known = Known::default();
        known.add(fact(
            "c",
            "p",
            &[on("b"), Support::Obligation(obligation(3))],
        ));
        known.add(fact("b", "p", &[on("a")]));
        known.add(fact("a", "p", &[]));
        known.add(fact("x", "p", &[on("y")]));
        known.add(fact("y", "p", &[on("x")]));
        known.add(fact("other", "another program", &[]));
        let names = |known: &Known| -> Vec<String> {
            let facts = known.grounded("p").facts;
            facts.iter().map(|fact| fact.id.clone()).collect()
        };
        assert_eq!(names(&known), ["a", "b"]);
        // A violated obligation supports nothing, a proved one does.
        known.settle(obligation(3), answer(Status::Violated, &[]));
        assert_eq!(names(&known), ["a", "b"]);
        let mut proved = known.clone();
        proved.settled.clear();
        proved.settle(obligation(3), answer(Status::Unknown(Reason::Bounded), &[]));
        assert_eq!(names(&proved), ["a", "b"]);
        proved.settle(obligation(3), answer(Status::Proved, &[on("a")]));
        assert_eq!(names(&proved), ["a", "b", "c"]);
        // Two facts with one name: nobody knows which is meant.
        let mut twice = proved.clone();
        let mut changed = fact("a", "p", &[]);
        changed.holds = Expr::value(Value::from_index(9));
        twice.add(changed);
        assert!(names(&twice).is_empty());
    }
}
