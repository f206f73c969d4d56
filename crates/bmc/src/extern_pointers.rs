//! Pointers from unknown code: what fails only for them has no answer, and everything else has one.
//!
//! A check that lets executions pass (`extern-pointer`) says that nothing is known where it fails. It is
//! asked when the rest is proved; accesses at its place share its answer.

use checks::registry::CheckId;
use encode::eval::{Instance, Vc};
use ir::syntax::{Access, Module, Obligation, Op};
use results::{EngineError, Reason, Status};
use solve::{Answer, Checked};

use crate::engine::{Engine, reason_of};
use crate::query::{Prefixes, any_fails};
use crate::trace::Reader;

impl Engine<'_> {
    /// Is there memory that belongs to no object? The program says what may go there.
    pub(crate) fn has_unknown_memory(&self) -> bool {
        has_unknown_memory(self.module)
    }

    /// Does the obligation say where nothing is known?
    pub(crate) fn is_about_extern_pointers(&self, obligation: Obligation) -> bool {
        self.module.obligations[obligation].lets_pass()
    }

    /// Does the obligation guard our own models and bounds?
    pub(crate) fn is_limit(&self, obligation: Obligation) -> bool {
        !self.is_property(obligation) && !self.is_about_extern_pointers(obligation)
    }

    /// Finds where a pointer from unknown code can come; false if the solver gave up.
    pub(crate) fn settle_extern_pointers(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
    ) -> Result<bool, EngineError> {
        loop {
            let open: Vec<Instance> = vc
                .instances
                .iter()
                .filter(|instance| {
                    let obligation = instance.obligation;
                    self.is_about_extern_pointers(obligation)
                        && !self.unanswerable.contains(&obligation)
                })
                .cloned()
                .collect();
            let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, |_| true);
            let question = any_fails(vc.world.terms, &prefixes, open.iter());
            match self.ask(vc, solver, question)? {
                Answer::Unsat => return Ok(true),
                Answer::Unknown(reason) => {
                    self.give_up(reason_of(&reason));
                    return Ok(false);
                }
                Answer::Sat(model) => {
                    let mut reader = Reader::new(vc, &model);
                    for instance in &open {
                        if reader.holds(instance.reached) && !reader.holds(instance.holds) {
                            self.unanswerable.insert(instance.obligation);
                            self.outcome.statuses[instance.obligation] =
                                Status::Unknown(Reason::ExternPointer);
                        }
                    }
                }
            }
        }
    }

    /// What was proved where such a pointer can come was proved but for it.
    pub(crate) fn give_up_accesses(&mut self) {
        for &check in &self.unanswerable {
            let place = self.module.obligations[check].place;
            for (obligation, data) in self.module.obligations.iter() {
                let access = matches!(data.check, CheckId::Deref | CheckId::Free);
                if access
                    && place.is_some()
                    && data.place == place
                    && self.outcome.statuses[obligation] == Status::Proved
                {
                    self.outcome.statuses[obligation] = Status::Unknown(Reason::ExternPointer);
                }
            }
        }
    }
}

/// Is there memory that belongs to no object? The program says what may go there.
pub(crate) fn has_unknown_memory(module: &Module) -> bool {
    let bodies = module.funcs.values();
    let mut insts = bodies
        .filter_map(|func| func.body.as_ref())
        .flat_map(|body| body.insts.values());
    insts.any(|inst| match inst.op {
        Op::IsDeref { access, .. } => matches!(access, Access::Look | Access::Change),
        _ => false, // Does not ask.
    })
}
