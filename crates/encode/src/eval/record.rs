//! What an evaluation records on its way: checks, gaps and choices.

use ir::syntax::Obligation;
use terms::Term;

use super::evaluation::Evaluation;
use super::{Choice, Chosen, Instance};

/// How many cases of a check's execution are kept apart.
const CASES: usize = 64;

impl Evaluation<'_, '_> {
    /// Remembers that a check is executed. Many cases become one, under the assumptions of the first:
    /// whoever asks whether none of them happens then asks for more, never for less.
    pub(super) fn note_reached(&mut self, obligation: Obligation, reached: Term) {
        let assumptions = self.vc.assumptions.len();
        let seen = &mut self.vc.reached[obligation];
        if seen.iter().any(|(before, _)| *before == reached) {
            return;
        }
        seen.push((reached, assumptions));
        if seen.len() > CASES {
            let cases = std::mem::take(seen);
            let first = cases[0].1;
            let all: Vec<Term> = cases.into_iter().map(|(case, _)| case).collect();
            let any = self.terms().or_all(&all);
            self.vc.reached[obligation].push((any, first));
        }
    }

    /// The current path must satisfy the condition, and goes on only if it does.
    pub(super) fn check(&mut self, obligation: Obligation, holds: Term) {
        let passes = self.vc.world.module.obligations[obligation].lets_pass();
        if !self.is_judged() {
            if !passes {
                self.assume_passed(holds, Some(obligation));
            }
            return;
        }
        let reached = self.condition();
        self.note_reached(obligation, reached);
        let known = self.known(holds);
        if known == Some(true) {
            self.vc.stats.folded += 1;
            return;
        }
        let holds = match known {
            Some(false) => self.terms().fls(),
            _ => holds,
        };
        let instance = self.instance(obligation, holds);
        self.vc.instances.push(instance);
        if self.config.continue_after_failure || passes {
            return;
        }
        match known {
            Some(false) => self.die(),
            _ => self.assume_passed(holds, Some(obligation)),
        }
    }

    pub(super) fn instance(&mut self, obligation: Obligation, holds: Term) -> Instance {
        let reached = self.condition();
        let (assumptions, choices) = (self.vc.assumptions.len(), self.vc.choices.len());
        Instance {
            obligation,
            reached,
            holds,
            assumptions,
            choices,
        }
    }

    /// Something that cannot be represented is reached if the condition holds; the path goes on
    /// without it. An instruction may have several: after one that always happens there is no path.
    pub(super) fn gap(&mut self, happens: Term, what: &str) {
        if !self.is_running() {
            return;
        }
        let holds = self.terms().not(happens);
        if self.known(holds) == Some(true) {
            return;
        }
        let instance = self.instance(Obligation::from_index(0), holds);
        self.vc.gaps.push((instance, what.to_owned()));
        self.assume(holds);
    }

    /// Records a free choice.
    pub(super) fn choose(&mut self, what: Chosen) {
        let always = self.terms().tru();
        self.choose_if(always, what);
    }

    /// Records a choice that is made on the current path if the condition holds.
    pub(super) fn choose_if(&mut self, happens: Term, what: Chosen) {
        let path = self.condition();
        let reached = self.terms().and(path, happens);
        let place = self.place;
        let assumptions = self.vc.assumptions.len();
        self.vc.choices.push(Choice {
            reached,
            what,
            assumptions,
            place,
            approximate: false,
        });
    }
}
