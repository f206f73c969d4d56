//! From answers about clauses to what the bounded engine can use.

use std::collections::BTreeMap;

use bmc::sentence::{Invented, Sentence};
use encode::eval::arbitrary::Point;
use ir::syntax::{Block, Func};
use solve::horn::{Invariant, Step};
use terms::visit::Substitution;
use terms::{Op, Term, Terms};

use crate::clauses::Clauses;

/// The parts of each invariant, as sentences about the heads that they belong to.
pub(crate) fn sentences(
    terms: &mut Terms,
    clauses: &Clauses,
    invariants: &[Invariant],
) -> Vec<Sentence> {
    let mut list = Vec::new();
    for invariant in invariants {
        let place = clauses
            .system
            .predicates
            .iter()
            .position(|&predicate| predicate == invariant.predicate);
        let Some(predicate) = place.map(|index| &clauses.predicates[index]) else {
            continue;
        };
        // Induction begins nowhere else.
        if matches!(predicate.place.point, Point::Block(_)) {
            continue;
        }
        let sorts: Vec<_> = invariant
            .parameters
            .iter()
            .map(|&t| terms.sort(t))
            .collect();
        let mut map = Substitution::default();
        for (index, (&parameter, &sort)) in invariant.parameters.iter().zip(&sorts).enumerate() {
            // Without parts, the only argument is true.
            let argument = match predicate.parts.is_empty() {
                true => terms.tru(),
                false => terms.var(&format!("x{index}"), sort),
            };
            map.insert(parameter, argument);
        }
        for part in parts(terms, invariant.formula) {
            let part = terms.substitute(part, &map);
            list.push(Sentence {
                place: predicate.place,
                parts: predicate.parts.clone(),
                sorts: sorts.clone(),
                text: terms.to_smt(part),
            });
        }
    }
    list
}

/// The parts of a conjunction.
fn parts(terms: &Terms, formula: Term) -> Vec<Term> {
    let mut list = Vec::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            Op::And => stack.extend_from_slice(terms.args(term)),
            Op::True => {}
            _ => list.push(term), // One of them.
        }
    }
    list
}

/// How often the heads of loops are entered in a derivation, and once more; and how deep calls nest.
pub(crate) fn rounds(clauses: &Clauses, steps: &[Step]) -> Invented {
    let mut rounds: BTreeMap<(Func, Block), u32> = BTreeMap::new();
    let mut depths: Vec<u32> = Vec::with_capacity(steps.len());
    for step in steps {
        let below = step.premises.iter().map(|&premise| depths[premise]);
        let mut depth = below.max().unwrap_or(0);
        if let Some(head) = &clauses.system.clauses[step.clause].head {
            let places = clauses.system.predicates.iter();
            let place = places.zip(&clauses.predicates);
            for (_, predicate) in place.filter(|(fun, _)| **fun == head.predicate) {
                match predicate.place.point {
                    Point::Head(head) => {
                        *rounds.entry((predicate.place.func, head)).or_insert(1) += 1;
                    }
                    Point::Block(_) => {}
                    Point::Entry | Point::Exit => depth += 1,
                }
            }
        }
        depths.push(depth);
    }
    let depth = depths.into_iter().max().unwrap_or(0);
    Invented::Rounds(rounds, depth + 1)
}
