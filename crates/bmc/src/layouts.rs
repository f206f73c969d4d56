//! What was proved for one layout of memory, asked for all of them.
//!
//! The engine looks for violations with objects at fixed addresses, where a counterexample can be replayed. A
//! proof that looked at addresses holds for these addresses only. So the program is evaluated once more with
//! the base of every object as a variable, and the questions of the proof are asked again under what is true of
//! every layout ([`encode::lives`]). What can fail then has no answer: it fails somewhere, perhaps in a layout
//! that no machine has.

use checks::verdict::{Reason, Status};
use encode::encoding::{Allocator, Encoding, PointerStyle};
use encode::eval::{Instance, Vc, evaluate};
use encode::lives;
use ir::syntax::Obligation;
use solve::{Answer, Checked};
use terms::{Term, Terms};

use crate::engine::Engine;
use crate::oracle::Solving;
use crate::query::{Prefixes, any_cut, any_fails};
use crate::trace::Reader;
use crate::violations::first_violated;
use crate::{EngineError, Layouts, SecondOpinion};

/// The most looks that are named.
const NAMED: usize = 4;

impl Engine<'_> {
    /// Takes back what was proved for the addresses that objects happened to have.
    pub(crate) fn ask_all_layouts(&mut self) -> Result<(), EngineError> {
        let raw = self.options.encoding.pointers == PointerStyle::Raw;
        let proved = self
            .outcome
            .statuses
            .values()
            .any(|status| *status == Status::Proved);
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
        let mut oracle = Solving::new(
            &self.options.solver,
            self.options.memory,
            self.options.deadline,
            self.sampler.interrupt.clone(),
        );
        let mut vc = evaluate(self.module, &mut terms, &config, &mut oracle);
        if vc.looks.is_empty() && vc.stopped.is_none() {
            return Ok(());
        }
        let mut looks = vc.looks.clone();
        looks.truncate(NAMED);
        let open = self.open_in_some_layout(&mut vc)?;
        if open {
            self.outcome.layouts = Layouts::One(looks);
            self.outcome.reason.get_or_insert(Reason::Layout);
        } else {
            self.outcome.layouts = Layouts::All;
        }
        Ok(())
    }

    /// Asks whether something can fail in some layout, and leaves open what can.
    fn open_in_some_layout(&mut self, vc: &mut Vc<'_>) -> Result<bool, EngineError> {
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
            let settled = |obligation| self.is_settled(obligation) || !self.is_property(obligation);
            let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, settled);
            let question = any_fails(vc.world.terms, &prefixes, asked.iter());
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
            self.is_settled(obligation)
        });
        let internal: Vec<Instance> = vc
            .instances
            .iter()
            .filter(|instance| !self.is_property(instance.obligation))
            .chain(vc.gaps.iter().map(|(instance, _)| instance))
            .cloned()
            .collect();
        let gap = any_fails(vc.world.terms, &prefixes, internal.iter());
        let cut = any_cut(vc, &prefixes);
        let beyond = vc.world.terms.or(gap, cut);
        let Answer::Unsat = self.ask_layouts(vc, &mut solver, beyond)? else {
            self.leave_all_open();
            return Ok(true);
        };
        self.confirm_layouts(vc, &mut solver, beyond)?;
        Ok(open)
    }

    fn is_settled(&self, obligation: Obligation) -> bool {
        self.violated.contains(&obligation) || self.is_monitor(obligation)
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
    ) -> Result<(), EngineError> {
        let before = self.outcome.second.take();
        let whole = self.everything_open(vc, beyond);
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
            let status = &mut self.outcome.statuses[obligation];
            if matches!(
                status,
                Status::Proved | Status::Unreachable | Status::Vacuous
            ) {
                *status = Status::Unknown(Reason::Layout);
            }
        }
    }
}
