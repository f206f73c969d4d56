//! What is entered and left: calls that were not evaluated, and the conclusions of clauses.

use std::collections::BTreeSet;

use bmc::slot::{Slot, read};
use encode::eval::arbitrary::{Entered, Head, Point};
use terms::visit::Substitution;
use terms::{Sort, Term};

use super::{Builder, Call, Summary, To, slots};

impl Builder<'_, '_> {
    /// The ends of functions, and the calls that come to them.
    pub(super) fn find_calls(&mut self) {
        let heads: Vec<Head> = self.vc.heads.to_vec();
        for head in heads {
            let (Point::Exit, Entered::Arbitrary(_)) = (head.place.point, &head.entered) else {
                continue;
            };
            let known = self
                .summaries
                .iter()
                .position(|summary| summary.place == head.place);
            let summary = match known {
                Some(summary) => summary,
                None => {
                    let slots = self.exit_slots(&head);
                    self.summaries.push(Summary {
                        place: head.place,
                        slots,
                        kept: BTreeSet::new(),
                    });
                    self.summaries.len() - 1
                }
            };
            let terms = self.read_slots(summary, &head);
            self.calls.push(Call {
                summary,
                reached: head.reached,
                assumptions: head.assumptions,
                terms,
            });
        }
    }

    /// What a function's end could be about: what it was given, and what it returns.
    pub(super) fn exit_slots(&mut self, exit: &Head) -> Vec<(Slot, Sort)> {
        let given = self.sources.iter().find(|source| {
            let head = source.head.as_ref();
            head.is_some_and(|head| {
                (head.place.func, head.place.point) == (exit.place.func, Point::Entry)
            })
        });
        let mut list: Vec<(Slot, Term)> = Vec::new();
        if let Some(source) = given {
            list.extend(&source.slots);
        }
        list.extend(slots(self.vc, exit, self.track));
        let terms = &self.vc.world.terms;
        list.into_iter()
            .map(|(slot, term)| (slot, terms.sort(term)))
            .collect()
    }

    pub(super) fn read_slots(&mut self, summary: usize, head: &Head) -> Vec<Term> {
        let slots = self.summaries[summary].slots.clone();
        let mut list = Vec::with_capacity(slots.len());
        for (slot, sort) in slots {
            let now = read(&mut self.vc.world, &head.values, slot);
            let now = now.filter(|&now| self.vc.world.terms.sort(now) == sort);
            list.push(now.unwrap_or_else(|| self.vc.world.terms.fresh("anything", sort)));
        }
        list
    }

    /// What is entered or left, with what slots are there: once for all sources.
    pub(super) fn targets(&mut self) -> Vec<(Head, To)> {
        let heads: Vec<Head> = self.vc.heads.to_vec();
        let mut list = Vec::new();
        for head in heads {
            if matches!(head.entered, Entered::Arbitrary(_)) {
                continue;
            }
            if head.place.point == Point::Exit {
                let mut summaries = self.summaries.iter();
                let Some(to) = summaries.position(|summary| summary.place == head.place) else {
                    continue;
                };
                let values = self.read_slots(to, &head);
                list.push((head, To::Exit(to, values)));
                continue;
            }
            let Some(to) = self.source_of(head.place) else {
                continue;
            };
            let slots = self.sources[to].slots.clone();
            let mut values = Vec::with_capacity(slots.len());
            for (slot, term) in slots {
                let sort = self.vc.world.terms.sort(term);
                let now = read(&mut self.vc.world, &head.values, slot);
                let now = now.filter(|&now| self.vc.world.terms.sort(now) == sort);
                values.push(now.unwrap_or_else(|| self.vc.world.terms.fresh("anything", sort)));
            }
            list.push((head, To::Head(to, values, Substitution::default())));
        }
        list
    }
}
