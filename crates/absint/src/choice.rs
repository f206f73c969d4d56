//! Which domains take part: all, or those that a user names.
//!
//! What is proved rests on facts at the heads of loops. A domain that was not chosen says nothing there; the domains of integers still
//! narrow each other while states are computed, since a state has one set for each number.

use crate::relations::{SHAPES, Shape};

/// A domain, by what its facts say.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Domain {
    /// Bounds of numbers.
    Interval,
    /// Bits that are known.
    Bits,
    /// Remainders.
    Congruence,
    /// Bounds of floats.
    Float,
    /// Bounds of differences.
    Zone,
    /// Bounds of differences and sums.
    Octagon,
    /// Which values of small variables go together.
    Partition,
    /// Comparisons that are guessed.
    Guess,
    /// What holds of parts of arrays.
    Segment,
}

/// The registry: each with its name on the command line, and what it says.
pub const DOMAINS: &[(Domain, &str, &str)] = &[
    (
        Domain::Interval,
        "interval",
        "Bounds of each number, signed and unsigned",
    ),
    (Domain::Bits, "bits", "Bits that are known"),
    (
        Domain::Congruence,
        "congruence",
        "Remainders: a multiple of 3 and 1",
    ),
    (
        Domain::Float,
        "float",
        "Bounds of each float, where it is no NaN",
    ),
    (
        Domain::Zone,
        "zone",
        "Bounds of differences of two numbers, with intervals",
    ),
    (
        Domain::Octagon,
        "octagon",
        "Bounds of differences and sums of two numbers, with intervals",
    ),
    (
        Domain::Partition,
        "partition",
        "Which values of flags and states go together",
    ),
    (
        Domain::Guess,
        "guess",
        "Comparisons that nobody computed: tried, and dropped if they are refuted",
    ),
    (
        Domain::Segment,
        "segment",
        "What holds of all elements that a loop has been at",
    ),
];

/// Those that take part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice(Vec<Domain>);

impl Default for Choice {
    /// All of them.
    fn default() -> Choice {
        Choice(DOMAINS.iter().map(|(domain, _, _)| *domain).collect())
    }
}

impl Choice {
    /// The domains with these names; all, if there are none. None if there is no such name.
    pub fn named(names: &[String]) -> Option<Choice> {
        if names.is_empty() {
            return Some(Choice::default());
        }
        let by_name = |name: &String| {
            let mut all = DOMAINS.iter();
            let (domain, _, _) = all.find(|(_, known, _)| known == name)?;
            Some(*domain)
        };
        let mut found: Vec<Domain> = names.iter().map(by_name).collect::<Option<_>>()?;
        // The bounds of one number are the intervals' part of a relational domain.
        if found.contains(&Domain::Zone) || found.contains(&Domain::Octagon) {
            found.push(Domain::Interval);
        }
        Some(Choice(found))
    }

    /// Does a domain take part?
    pub fn has(&self, domain: Domain) -> bool {
        self.0.contains(&domain)
    }

    /// The relational domain that is computed: the finest.
    pub fn shape(&self) -> Option<&'static dyn Shape> {
        let name = |domain: Domain| {
            let mut all = DOMAINS.iter();
            all.find(|(known, _, _)| *known == domain)
                .map(|(_, name, _)| *name)
        };
        let chosen: Vec<&str> = self.0.iter().copied().filter_map(name).collect();
        let mut shapes = SHAPES.iter().rev().copied();
        shapes.find(|shape| chosen.contains(&shape.name()))
    }
}
