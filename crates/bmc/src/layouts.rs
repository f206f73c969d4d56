//! What was proved for one layout of memory, asked for all of them.
//!
//! The engine looks for violations with objects at fixed addresses, where a counterexample can be replayed. A
//! proof that looked at addresses holds for these addresses only. So the program is evaluated once more with
//! the base of every object as a variable, and the questions of the proof are asked again under what is true of
//! every layout ([`encode::lives`]). What can fail then has no answer: it fails somewhere, perhaps in a layout
//! that no machine has.

use encode::encoding::{Allocator, Encoding};
use encode::eval::{Instance, Vc, evaluate};
use encode::lives;
use ir::syntax::Obligation;
use results::program::place;
use results::{EngineError, Layouts, Look, Reason, SecondOpinion, Status};
use solve::{Answer, Checked};
use terms::{Term, Terms};

use crate::engine::Engine;
use crate::induction::Proof;
use crate::query::{Prefixes, any_cut, any_fails, any_pruned};
use crate::trace::Reader;
use crate::violations::first_violated;

/// The most looks that are named.
const NAMED: usize = 4;

impl Engine<'_> {
    /// Takes back what was proved for the addresses that objects happened to have.
    pub(crate) fn ask_all_layouts(&mut self) -> Result<(), EngineError> {
        let raw = self.options.encoding.pointers.needs_addresses();
        // That nothing comes there may depend on addresses as well.
        let proved = self.outcome.statuses.values().any(is_proved);
        // Raw pointers look at addresses all the time.
        if !proved || self.looks.is_empty() && !raw {
            return Ok(());
        }
        let mut config = self.config();
        config.encoding = Encoding {
            allocator: Allocator::Free,
            ..Encoding::default()
        };
        self.say("evaluating for all layouts");
        let mut terms = Terms::with_level(self.options.rewriting);
        let mut oracle = self.oracle();
        let proof = self.induction.proof.clone();
        let evaluated = match &proof {
            None => Some(evaluate(self.module, &mut terms, &config, &mut oracle)),
            Some(proof) => {
                let again = proof.evaluate(self.module, &mut terms, &config, &mut oracle);
                again.ok()
            }
        };
        let Some(mut vc) = evaluated else {
            self.leave_all_open();
            self.outcome.layouts = self.one_layout(&self.looks);
            self.outcome.reason.get_or_insert(Reason::Layout);
            return Ok(());
        };
        if vc.looks.is_empty() && vc.stopped.is_none() {
            return Ok(());
        }
        let one = self.one_layout(&vc.looks);
        let open = self.open_in_some_layout(&mut vc, proof.as_ref())?;
        if open {
            self.outcome.layouts = one;
            self.outcome.reason.get_or_insert(Reason::Layout);
        } else {
            self.outcome.layouts = Layouts::All;
            self.reach_in_some_layout(&vc);
        }
        Ok(())
    }

    /// What is not reached in one layout may be in another, where it holds.
    fn reach_in_some_layout(&mut self, vc: &Vc<'_>) {
        for instance in &vc.instances {
            let reached = vc.world.terms.as_bool(instance.reached) != Some(false);
            let status = &mut self.outcome.statuses[instance.obligation];
            if reached && matches!(status, Status::Unreachable | Status::Vacuous) {
                *status = Status::Proved;
            }
        }
    }

    /// A proof for one layout, because of these looks.
    fn one_layout(&self, looks: &[encode::eval::Look]) -> Layouts {
        let looks = looks.iter().take(NAMED).map(|look| Look {
            what: look.what.to_owned(),
            place: place(self.module, look.place),
        });
        Layouts::One(looks.collect())
    }

    /// Asks whether something can fail in some layout, and leaves open what can.
    fn open_in_some_layout(
        &mut self,
        vc: &mut Vc<'_>,
        proof: Option<&Proof>,
    ) -> Result<bool, EngineError> {
        if vc.stopped.is_some() {
            self.leave_all_open();
            return Ok(true);
        }
        let mut solver = self.open_solver()?;
        let mut open = false;
        loop {
            let asked: Vec<Instance> = vc
                .instances
                .iter()
                .filter(|instance| {
                    let obligation = instance.obligation;
                    self.is_property(obligation) && !self.is_settled(obligation)
                })
                .cloned()
                .collect();
            let settled = |obligation| {
                proof.is_some() || self.is_settled(obligation) || !self.is_property(obligation)
            };
            let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, settled);
            let question = any_fails(vc.world.terms, &prefixes, asked.iter());
            let question = with_guesses(vc, proof, question);
            match self.ask_layouts(vc, &mut solver, question)? {
                Answer::Unsat => break,
                Answer::Unknown(_) => {
                    self.leave_all_open();
                    return Ok(true);
                }
                Answer::Sat(model) => {
                    let mut reader = Reader::new(vc, &model);
                    let obligation = first_violated(&mut reader, &asked)?.obligation;
                    self.violated.insert(obligation);
                    self.outcome.statuses[obligation] = Status::Unknown(Reason::Layout);
                    open = true;
                }
            }
        }
        let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, |obligation| {
            proof.is_some() || self.is_settled(obligation)
        });
        let internal: Vec<Instance> = vc
            .instances
            .iter()
            .filter(|instance| {
                let obligation = instance.obligation;
                !self.is_property(obligation) && !self.unanswerable.contains(&obligation)
            })
            .chain(vc.gaps.iter().map(|(instance, _)| instance))
            .cloned()
            .collect();
        let gap = any_fails(vc.world.terms, &prefixes, internal.iter());
        let cut = any_cut(vc, &prefixes);
        let wrong = match proof {
            Some(proof) => proof.may_be_wrong(vc),
            None => vc.world.terms.fls(),
        };
        let beyond = vc.world.terms.or_all(&[gap, cut, wrong]);
        let beyond = with_guesses(vc, proof, beyond);
        let Answer::Unsat = self.ask_layouts(vc, &mut solver, beyond)? else {
            self.leave_all_open();
            return Ok(true);
        };
        self.confirm_layouts(vc, &mut solver, beyond, proof)?;
        Ok(open)
    }

    fn is_settled(&self, obligation: Obligation) -> bool {
        self.violated.contains(&obligation)
            || self.settled.contains_key(&obligation)
            || self.undecided.contains_key(&obligation)
            || self.is_monitor(obligation)
    }

    /// Asks a question under what is true of every layout.
    fn ask_layouts(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        question: Term,
    ) -> Result<Answer, EngineError> {
        if vc.world.terms.as_bool(question) == Some(false) {
            return Ok(Answer::Unsat);
        }
        let Some(layouts) = lives::layouts(vc, question) else {
            let why = "too many objects whose address is looked at".to_owned();
            return Ok(Answer::Unknown(solve::Reason::Incomplete(why)));
        };
        let question = vc.world.terms.and(layouts, question);
        self.ask(vc, solver, question)
    }

    /// The second opinion covers all layouts, or there is none.
    fn confirm_layouts(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        beyond: Term,
        proof: Option<&Proof>,
    ) -> Result<(), EngineError> {
        let before = self.outcome.second.take();
        let whole = match proof {
            None => self.everything_open(vc, beyond),
            Some(_) => {
                let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, |_| true);
                let asked = vc.instances.iter();
                let asked = asked.filter(|instance| !self.is_settled(instance.obligation));
                let asked: Vec<Instance> = asked.cloned().collect();
                let fails = any_fails(vc.world.terms, &prefixes, asked.iter());
                let fails = with_guesses(vc, proof, fails);
                let pruned = any_pruned(vc);
                vc.world.terms.or_all(&[fails, beyond, pruned])
            }
        };
        let Some(layouts) = lives::layouts(vc, whole) else {
            self.outcome.second = before;
            return Ok(());
        };
        let question = vc.world.terms.and(layouts, whole);
        self.confirm_unsat(vc, solver, question)?;
        self.outcome.second = match (before, self.outcome.second.take()) {
            (Some(missing @ SecondOpinion::Missing(_)), _) => Some(missing),
            (Some(before), Some(SecondOpinion::Folded)) => Some(before),
            (None, _) => None,
            (Some(_), now) => now,
        };
        Ok(())
    }

    /// What was proved has no answer.
    fn leave_all_open(&mut self) {
        for obligation in self.module.obligations.keys() {
            if self.settled.contains_key(&obligation) {
                continue;
            }
            let status = &mut self.outcome.statuses[obligation];
            if is_proved(status) {
                *status = Status::Unknown(Reason::Layout);
            }
        }
    }
}

fn is_proved(status: &Status) -> bool {
    match status {
        Status::Proved | Status::Unreachable | Status::Vacuous => true,
        Status::ProvedBounded(_) | Status::Violated | Status::Unknown(_) => false,
    }
}

/// The question, with the guesses that a proof by induction rests on.
fn with_guesses(vc: &mut Vc<'_>, proof: Option<&Proof>, question: Term) -> Term {
    match proof {
        None => question,
        Some(proof) => {
            let on = proof.switched_on(vc.world.terms);
            vc.world.terms.and(on, question)
        }
    }
}
