//! Counterexamples of a size that fits.
//!
//! A solver that may choose the size of an object likes 2^63 as much as 8. An execution with such an object
//! cannot be replayed if two of them do not fit the address space, or if it fills them. So where sizes
//! are chosen, a model is asked for again with small ones, as long as there is one.

use std::time::{Duration, Instant};

use encode::eval::{Chosen, Vc};
use solve::{Answer, Checked, Limits};
use terms::{Model, Term};

use crate::engine::Engine;
use crate::trace::Reader;
use results::EngineError;

/// What is small, in bytes for each object; the first that there is a model for.
const SMALL: [u64; 9] = [
    64,
    1 << 12,
    1 << 20,
    1 << 26,
    1 << 28,
    1 << 30,
    1 << 31,
    1 << 32,
    1 << 42,
];
/// What a question takes at most: so much more time than the one before, and a moment.
const PATIENCE: u32 = 2;
const MOMENT: Duration = Duration::from_millis(500);

impl Engine<'_> {
    /// A model of the question with objects as small as possible; the one at hand if there is no other.
    /// `taken` is the time in which that was found.
    pub(crate) fn prefer_small(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        question: Term,
        model: Model,
        taken: Duration,
    ) -> Result<Model, EngineError> {
        let chosen = chosen_sizes(vc);
        if chosen.is_empty() || is_small(vc, &model, &chosen) {
            return Ok(model);
        }
        let start = Instant::now();
        let most = taken * PATIENCE + MOMENT;
        for limit in SMALL {
            let left = self.limits().time.map_or(most, |time| time.min(most));
            let time = left.saturating_sub(start.elapsed());
            if time.is_zero() {
                break;
            }
            let bounded = at_most(vc, &chosen, limit);
            let small = vc.world.terms.and(question, bounded);
            let limits = Limits {
                time: Some(time),
                memory: self.options.memory,
            };
            match self.ask_within(vc, solver, small, limits)? {
                Answer::Sat(smaller) => return Ok(smaller),
                Answer::Unsat => {}
                Answer::Unknown(_) => break,
            }
        }
        Ok(model)
    }
}

/// Objects whose size is not constant: when they are made, and how large they are.
fn chosen_sizes(vc: &Vc<'_>) -> Vec<(Term, Term)> {
    let objects = vc.choices.iter().filter_map(|choice| match choice.what {
        Chosen::Object(object, _) => Some((choice.reached, vc.world.objects[object].size)),
        Chosen::Value(_) | Chosen::Bytes(_) | Chosen::Clobber(_) => None,
    });
    objects
        .filter(|(_, size)| vc.world.terms.as_u64(*size).is_none())
        .collect()
}

fn is_small(vc: &Vc<'_>, model: &Model, chosen: &[(Term, Term)]) -> bool {
    let mut reader = Reader::new(vc, model);
    chosen.iter().all(|&(reached, size)| {
        !reader.holds(reached) || reader.number(size).is_some_and(|size| size <= SMALL[0])
    })
}

/// Every object that is made has at most so many bytes.
fn at_most(vc: &mut Vc<'_>, chosen: &[(Term, Term)], limit: u64) -> Term {
    let limit = vc.world.word(limit);
    let terms = &mut *vc.world.terms;
    let mut parts = Vec::with_capacity(chosen.len());
    for &(reached, size) in chosen {
        let fits = terms.ule(size, limit);
        parts.push(terms.implies(reached, fits));
    }
    terms.and_all(&parts)
}
