//! Which obligations executions come to.
//!
//! That nothing violates an obligation is one thing, that an execution comes to it another. An assertion that
//! none comes to claims nothing: it is *vacuous*. What stands behind a violation on all its paths was
//! looked at by nobody, since executions end there: it is not reached, and the report names it.
//! What executions at random have met needs no question; for the rest, each model tells of several.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use base::Map;
use checks::registry::CheckId;
use encode::eval::{Vc, evaluate};
use ir::syntax::{Module, Obligation, Op, Standing};
use results::{EngineError, Status, Violation};
use solve::{Answer, Checked, Limits};
use terms::Terms;

use crate::Violations;
use crate::engine::Engine;
use crate::extern_pointers::has_unknown_memory;
use crate::query::Prefixes;
use crate::samples::{self, Executions};
use crate::trace::Reader;

/// What questions about being reached may take, if the proof took less.
const PATIENCE: Duration = Duration::from_secs(1);

/// The states in which a formula has the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum States {
    /// Those that executions come to.
    Real,
    /// Arbitrary ones too: what is reached from these need not be reached by any execution.
    Arbitrary,
}

/// Does its author claim something by it?
pub fn is_claim(module: &Module, obligation: Obligation) -> bool {
    let data = &module.obligations[obligation];
    data.check.is_claim() || data.standing == Standing::Claim
}

/// The obligations that a few executions come to.
pub fn met(module: &Module) -> Map<Obligation, bool> {
    samples::referee(module, has_unknown_memory(module), |_| true).met
}

/// How a few executions violate the program, if they do. A proof that is broken like this is none.
pub fn broken(module: &Module, monitors: &BTreeSet<CheckId>) -> Option<Violation> {
    let counts = |obligation| !monitors.contains(&module.obligations[obligation].check);
    samples::referee(module, has_unknown_memory(module), counts).violation
}

impl Engine<'_> {
    /// Everything that is not violated is proved, vacuous, or not reached.
    pub(crate) fn prove(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        states: States,
    ) -> Result<(), EngineError> {
        let (mut asked, mut unreached) = (Vec::new(), Vec::new());
        for obligation in self.module.obligations.keys() {
            if self.violated.contains(&obligation)
                || self.settled.contains_key(&obligation)
                || self.unanswerable.contains(&obligation)
            {
                continue;
            }
            if let Some(reason) = self.undecided.get(&obligation) {
                self.outcome.statuses[obligation] = Status::Unknown(reason.clone());
                continue;
            }
            if vc.reached[obligation].is_empty() {
                unreached.push(obligation);
                self.outcome.statuses[obligation] = self.never_reached(obligation);
                continue;
            }
            self.outcome.statuses[obligation] = Status::Proved;
            let matters = self.is_claim(obligation) && self.wants_vacuity();
            let counts = self.is_property(obligation) && !self.is_monitor(obligation);
            if counts && (matters || !self.violated.is_empty()) {
                asked.push(obligation);
            }
        }
        if states == States::Real {
            self.outcome.weighed.extend(asked.iter().copied());
        }
        let settled = self.settle_reached(vc, solver, asked)?;
        if !self.violated.is_empty() {
            self.name_vanished(&unreached);
            unreached.extend(settled);
            self.look_behind(unreached)?;
        }
        self.outcome.behind.sort_unstable();
        self.outcome.bounds.clear();
        Ok(())
    }

    fn wants_vacuity(&self) -> bool {
        self.options.vacuity || self.options.violations == Violations::Each
    }

    pub(crate) fn is_claim(&self, obligation: Obligation) -> bool {
        is_claim(self.module, obligation)
    }

    /// The status of an obligation that evaluation never came to. Where something is violated, that may
    /// be the reason.
    pub(crate) fn never_reached(&self, obligation: Obligation) -> Status {
        if self.module.obligations[obligation].standing == Standing::Held {
            Status::Proved
        } else if self.is_claim(obligation) && self.violated.is_empty() {
            Status::Vacuous
        } else {
            Status::Unreachable
        }
    }

    /// Asks which of the obligations are reached by executions that violate nothing before; returns those
    /// that are not.
    fn settle_reached(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        mut asked: Vec<Obligation>,
    ) -> Result<Vec<Obligation>, EngineError> {
        if asked.is_empty() {
            return Ok(asked);
        }
        let met = &self.executions().met;
        asked.retain(|&obligation| !met[obligation]);
        let passed = Prefixes::new(vc.world.terms, &vc.assumptions, |obligation| {
            self.violated.contains(&obligation) || self.is_monitor(obligation)
        });
        let unreached = self.never(vc, solver, &passed, asked)?;
        for &obligation in &unreached {
            self.outcome.statuses[obligation] = self.never_reached(obligation);
        }
        Ok(unreached)
    }

    /// Those of the obligations that no execution comes to, as far as that can be shown.
    fn never(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        prefixes: &Prefixes,
        mut asked: Vec<Obligation>,
    ) -> Result<Vec<Obligation>, EngineError> {
        let start = Instant::now();
        let most = PATIENCE.max(self.outcome.stats.solving);
        let mut conditions = Vec::with_capacity(asked.len());
        for &obligation in &asked {
            let mut cases = Vec::new();
            for &(reached, assumptions) in &vc.reached[obligation] {
                let prefix = prefixes.first(assumptions);
                cases.push(vc.world.terms.and(prefix, reached));
            }
            conditions.push(vc.world.terms.or_all(&cases));
        }
        while !asked.is_empty() {
            let question = vc.world.terms.or_all(&conditions);
            let left = self.limits().time.map_or(most, |time| time.min(most));
            let limits = Limits {
                time: Some(left.saturating_sub(start.elapsed())),
                memory: self.options.memory,
            };
            if limits.time.is_some_and(|time| time.is_zero()) {
                return Ok(Vec::new());
            }
            let model = match self.ask_within(vc, solver, question, limits)? {
                Answer::Unsat => return Ok(asked),
                Answer::Unknown(_) => return Ok(Vec::new()),
                Answer::Sat(model) => model,
            };
            let mut reader = Reader::new(vc, &model);
            let reached: Vec<bool> = conditions.iter().map(|&case| reader.holds(case)).collect();
            let mut kept = reached.iter();
            conditions.retain(|_| !kept.next().expect("one for each"));
            let mut kept = reached.iter();
            asked.retain(|_| !kept.next().expect("one for each"));
        }
        Ok(asked)
    }

    /// The obligations that a check of the program names.
    fn present(&self) -> Map<Obligation, bool> {
        let mut there = Map::filled(false, self.module.obligations.len());
        let bodies = self.module.funcs.values();
        for body in bodies.filter_map(|func| func.body.as_ref()) {
            for (_, inst) in body.insts_in_order() {
                if let Op::Check(obligation, _) = &body.insts[inst].op {
                    there[*obligation] = true;
                }
            }
        }
        there
    }

    /// What follows a check that always fails is not even in the program any more, nor is dead code: which
    /// of the two it was is not known. Only what stands in the function of a violation is of interest.
    fn name_vanished(&mut self, unreached: &[Obligation]) {
        let there = self.present();
        let data = &self.module.obligations;
        let violated: BTreeSet<&str> = self
            .violated
            .iter()
            .map(|&obligation| data[obligation].func.as_str())
            .collect();
        let vanished = unreached.iter().copied().filter(|&obligation| {
            !there[obligation]
                && data[obligation].standing != Standing::Held
                && violated.contains(data[obligation].func.as_str())
                && self.is_property(obligation)
                && !self.is_monitor(obligation)
        });
        self.outcome.vanished = vanished.collect();
    }

    /// Obligations that are not reached may stand behind a violation that always happens: the program is
    /// evaluated again with executions that go on there.
    fn look_behind(&mut self, mut unreached: Vec<Obligation>) -> Result<(), EngineError> {
        unreached.retain(|&obligation| {
            let held = self.module.obligations[obligation].standing == Standing::Held;
            self.is_property(obligation) && !self.is_monitor(obligation) && !held
        });
        let stats = &self.outcome.stats;
        let too_long = stats.evaluating > PATIENCE * stats.rounds.max(1);
        if unreached.is_empty() || too_long {
            return Ok(());
        }
        let mut config = self.config();
        config.continue_after_failure = true;
        let mut terms = Terms::with_level(self.options.rewriting);
        let mut oracle = self.oracle();
        let start = Instant::now();
        let mut vc = evaluate(self.module, &mut terms, &config, &mut oracle);
        self.outcome.stats.evaluating += start.elapsed();
        if vc.stopped.is_some() {
            return Ok(());
        }
        let there = self.present();
        let (found, mut never): (Vec<Obligation>, Vec<Obligation>) = unreached
            .into_iter()
            .filter(|&obligation| there[obligation])
            .partition(|&obligation| !vc.reached[obligation].is_empty());
        let mut solver = self.open_solver()?;
        let alone = Prefixes::new(vc.world.terms, &vc.assumptions, |obligation| {
            self.is_monitor(obligation)
        });
        never.extend(self.never(&mut vc, &mut solver, &alone, found.clone())?);
        for &obligation in &never {
            if self.is_claim(obligation) {
                self.outcome.statuses[obligation] = Status::Vacuous;
            }
        }
        let behind = found.into_iter().filter(|found| !never.contains(found));
        self.outcome.behind.extend(behind);
        Ok(())
    }

    /// A few executions at random, made when they are first needed.
    pub(crate) fn executions(&mut self) -> &Executions {
        if self.executions.is_none() {
            let start = Instant::now();
            // Whatever else an execution may violate: what has no model was shown not to be reached.
            let counts = |obligation| !self.is_monitor(obligation);
            let made = samples::referee(self.module, self.has_unknown_memory(), counts);
            self.outcome.stats.replaying += start.elapsed();
            self.executions = Some(made);
        }
        self.executions.as_ref().expect("they were just made")
    }
}
