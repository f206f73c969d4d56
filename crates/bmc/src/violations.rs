//! From models to violations: who is asked, what counts, and the replay.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use encode::eval::{Chosen, Instance, Vc};
use interp::config::{AfterFailure, GlobalChoice};
use ir::syntax::Obligation;
use results::trace::{Event, Trace};
use results::{Claim, EngineError, Message, Reason, SecondOpinion, Status, Violation};
use solve::{Answer, Checked, Limits};
use terms::{Model, Terms, Value};

use crate::Violations;
use crate::apart::Settled;
use crate::concrete;
use crate::engine::{Engine, Next, reason_of};
use crate::forms::{Unrolled, carry_over};
use crate::query::{Prefixes, any_fails, any_fails_precisely, is_definition};
use crate::trace::Reader;

/// Steps after which a replay gives up: an execution that misses its violation need not end.
const REPLAY_STEPS: u64 = 1 << 30;

impl Engine<'_> {
    /// Asks whether one of these obligations can be violated, until none of those that are left can.
    pub(crate) fn settle(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        form: Option<&Unrolled>,
        group: &[Obligation],
        limits: Limits,
    ) -> Result<Settled, EngineError> {
        let group: BTreeSet<Obligation> = group.iter().copied().collect();
        loop {
            let open = |instance: &&Instance, engine: &Engine<'_>| {
                group.contains(&instance.obligation)
                    && !engine.violated.contains(&instance.obligation)
            };
            let asked: Vec<Instance> = vc
                .instances
                .iter()
                .filter(|instance| open(instance, self))
                .cloned()
                .collect();
            let settled = |obligation| {
                self.violated.contains(&obligation)
                    || !self.is_property(obligation)
                    || self.is_monitor(obligation)
            };
            let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, settled);
            let rough = vc.choices.iter().any(|choice| choice.approximate);
            let start = Instant::now();
            let mut question = if rough {
                any_fails_precisely(vc, &prefixes, asked.iter())
            } else {
                any_fails(vc.world.terms, &prefixes, asked.iter())
            };
            let mut answer = self.ask_within(vc, solver, question, limits)?;
            let mut precise = true;
            if rough && matches!(answer, Answer::Unsat) {
                question = any_fails(vc.world.terms, &prefixes, asked.iter());
                answer = self.ask_within(vc, solver, question, limits)?;
                precise = false;
            }
            let model = match answer {
                Answer::Unsat => return Ok(Settled::Holds),
                Answer::Unknown(reason) => return Ok(Settled::Undecided(reason_of(&reason))),
                Answer::Sat(model) => {
                    self.prefer_small(vc, solver, question, model, start.elapsed())?
                }
            };
            if precise || self.holds_whatever(vc, solver, &prefixes, &asked, &model)? {
                let confirmed = match form {
                    None => self.replay(vc, &asked, &model)?,
                    Some(unrolled) => {
                        let config = self.config();
                        let mut terms = Terms::with_level(self.options.rewriting);
                        let mut path = unrolled.companion(&mut terms, &config, &self.loops);
                        let mut model = carry_over(vc, &model, &mut path);
                        let asked: Vec<Instance> = path
                            .instances
                            .iter()
                            .filter(|instance| open(instance, self))
                            .cloned()
                            .collect();
                        let clobbers = |vc: &Vc<'_>| {
                            let mut choices = vc.choices.iter();
                            choices.any(|choice| matches!(choice.what, Chosen::Clobber(_)))
                        };
                        // A form without some objects has others elsewhere: addresses in its model are of no use.
                        let mut reader = Reader::new(&path, &model);
                        let lost = first_violated(&mut reader, &asked).is_err();
                        if precise && (lost || clobbers(&path)) {
                            let own = self.ask_companion(&mut path, &asked)?;
                            model = own.unwrap_or(model);
                        }
                        self.replay(&path, &asked, &model)?
                    }
                };
                if confirmed && self.options.violations == Violations::First {
                    self.settle_rest(Status::Unknown(Reason::Interrupted));
                    return Ok(Settled::Enough);
                }
            } else {
                self.leave_open(vc, &asked, &model)?;
            }
            if self.nothing_is_open() {
                return Ok(Settled::Enough);
            }
        }
    }

    /// A model of the companion's own: what unknown code wrote has other names in a form, so that a model of the form
    /// says nothing about it. None if the solver finds none.
    fn ask_companion(
        &mut self,
        path: &mut Vc<'_>,
        asked: &[Instance],
    ) -> Result<Option<Model>, EngineError> {
        let mut solver = self.open_solver()?;
        let settled = |obligation| {
            self.violated.contains(&obligation)
                || !self.is_property(obligation)
                || self.is_monitor(obligation)
        };
        let prefixes = Prefixes::new(path.world.terms, &path.assumptions, settled);
        let question = any_fails_precisely(path, &prefixes, asked.iter());
        Ok(match self.ask(path, &mut solver, question)? {
            Answer::Sat(model) => Some(model),
            Answer::Unsat | Answer::Unknown(_) => None,
        })
    }

    /// Is the obligation that a model violates violated for the same inputs whatever the values are
    /// that are known only roughly?
    fn holds_whatever(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        prefixes: &Prefixes,
        asked: &[Instance],
        model: &Model,
    ) -> Result<bool, EngineError> {
        let mut reader = Reader::new(vc, model);
        let first = first_violated(&mut reader, asked)?;
        let mut parts = vec![prefixes.first(first.assumptions)];
        let terms = &mut *vc.world.terms;
        let fails = terms.not(first.holds);
        let violated = terms.and(first.reached, fails);
        parts.push(terms.not(violated));
        let rough: BTreeSet<terms::Term> = vc
            .choices
            .iter()
            .filter(|choice| choice.approximate)
            .filter_map(|choice| match choice.what {
                Chosen::Value(term) => Some(term),
                Chosen::Object(..) | Chosen::Bytes(_) | Chosen::Clobber(_) => None,
            })
            .collect();
        for (var, value) in model.vars() {
            let constant = match value {
                Value::Bool(value) => terms.bool(*value),
                Value::Bv(bits) => terms.bv(bits.clone()),
                _ => continue, // Arrays stay free, which can only make the answer `no`.
            };
            // Names of terms would fix what depends on the rough values.
            if !rough.contains(&var) && !is_definition(terms, var) {
                parts.push(terms.eq(var, constant));
            }
        }
        let question = terms.and_all(&parts);
        Ok(matches!(self.ask(vc, solver, question)?, Answer::Unsat))
    }

    /// An obligation that is violated only for values that are known roughly has no answer.
    fn leave_open(
        &mut self,
        vc: &Vc<'_>,
        asked: &[Instance],
        model: &Model,
    ) -> Result<(), EngineError> {
        let mut reader = Reader::new(vc, model);
        let first = first_violated(&mut reader, asked)?;
        let rough = vc.choices[..first.choices]
            .iter()
            .find(|choice| choice.approximate && reader.holds(choice.reached));
        let place = rough.and_then(|choice| choice.place);
        let what = match place {
            // Places are those of the program that was evaluated, which may be an unrolled one.
            Some(place) => format!("the exact value of {}", vc.world.module.places[place].func),
            None => "what unknown code calls back, changes or frees".to_owned(),
        };
        self.violated.insert(first.obligation);
        self.outcome.statuses[first.obligation] =
            Status::Unknown(Reason::Unsupported(what.clone()));
        self.outcome.reason = Some(Reason::Unsupported(what));
        Ok(())
    }

    /// Turns a model into a trace and has the interpreter meet the violation.
    fn replay(
        &mut self,
        vc: &Vc<'_>,
        asked: &[Instance],
        model: &Model,
    ) -> Result<bool, EngineError> {
        let start = Instant::now();
        let mut reader = Reader::new(vc, model);
        let first = first_violated(&mut reader, asked)?;
        let mut trace = reader.trace(first.choices);
        let mut globals = reader.globals();
        let unknown = self
            .has_unknown_memory()
            .then(|| reader.unknown().unwrap_or_default());
        let mut config = interp::Config {
            globals: globals.clone(),
            unknown: unknown.clone(),
            after_failure: if self.options.continue_after_failure {
                AfterFailure::Continue
            } else {
                AfterFailure::Stop
            },
            step_limit: REPLAY_STEPS,
            ..interp::Config::default()
        };
        let mut replay =
            interp::replay::replay_with(self.module, &trace, first.obligation, &config);
        if !replay.confirmed {
            // Large objects may not fit where the encoding has them; an execution that does not look
            // at addresses is as good anywhere else.
            let elsewhere = without_addresses(&trace);
            config.globals = globals.iter().map(anywhere).collect();
            let again =
                interp::replay::replay_with(self.module, &elsewhere, first.obligation, &config);
            if again.confirmed {
                (replay, trace, globals) = (again, elsewhere, config.globals);
            }
        }
        self.outcome.stats.replaying += start.elapsed();
        self.violated.insert(first.obligation);
        let met = replay
            .run
            .failures
            .iter()
            .position(|failure| failure.obligation == first.obligation)
            .map(|index| replay.run.failures.swap_remove(index));
        let met = match replay.run.outcome {
            interp::Outcome::Violated(failure) => Ok(*failure),
            outcome => met.ok_or(outcome),
        };
        match met {
            Ok(failure) if replay.confirmed => {
                let violation = Violation {
                    obligation: first.obligation,
                    claim: Claim::of(self.module, first.obligation),
                    trace,
                    globals,
                    unknown,
                    failure,
                    story: None,
                };
                self.tell(&violation);
                self.keep(violation);
                Ok(true)
            }
            other => {
                let why = match other {
                    Ok(failure) => format!("violated {} instead", failure.obligation),
                    Err(outcome) => outcome.to_string(),
                };
                self.outcome.statuses[first.obligation] = Status::Unknown(Reason::Unconfirmed);
                self.outcome.unconfirmed.push((first.obligation, why));
                Ok(false)
            }
        }
    }

    /// Hands a violation over at once.
    fn tell(&self, violation: &Violation) {
        let violation = Box::new(violation.clone());
        self.sink.tell(Message::Violation(violation));
    }

    /// A violation that the interpreter has met.
    fn keep(&mut self, violation: Violation) {
        self.violated.insert(violation.obligation);
        self.outcome.statuses[violation.obligation] = Status::Violated;
        self.outcome.violations.push(violation);
    }

    /// Takes over what executions have found; true if nothing more is wanted.
    pub(crate) fn take_samples(&mut self, next: Next) -> bool {
        let proved = next == Next::Done && self.outcome.reason.is_none();
        for violation in self.sampler.take() {
            let obligation = violation.obligation;
            if self.violated.contains(&obligation) {
                continue;
            }
            if proved || self.settled.contains_key(&obligation) {
                self.contradict(violation);
            } else {
                self.keep(violation);
                if self.options.violations == Violations::First {
                    break;
                }
            }
        }
        let first = self.options.violations == Violations::First;
        !self.outcome.violations.is_empty() && (first || self.nothing_is_open())
    }

    /// Before anybody hears of a proof, a few executions try to break it.
    pub(crate) fn referee(&mut self) {
        let outcome = &self.outcome;
        let proved = outcome.reason.is_none()
            && outcome.violations.is_empty()
            && outcome.unconfirmed.is_empty()
            && outcome.contradictions.is_empty();
        if !proved {
            return;
        }
        if let Some(violation) = self.executions().violation.clone() {
            self.contradict(violation);
        }
    }

    /// An execution violates what was proved: one of the two is wrong, and it is ours.
    fn contradict(&mut self, violation: Violation) {
        self.outcome.statuses[violation.obligation] = Status::Unknown(Reason::Unconfirmed);
        self.outcome.contradictions.push(violation);
    }

    /// Executes a program that chooses nothing; true if that settles everything.
    pub(crate) fn execute(&mut self) -> bool {
        let time = self.limits().time.unwrap_or(Duration::from_secs(60));
        self.say("executing");
        let start = Instant::now();
        let run = concrete::execute(self.module, time.mul_f64(0.6));
        self.outcome.stats.replaying += start.elapsed();
        let Some(run) = run else {
            return false;
        };
        if let interp::Outcome::Violated(failure) = &run.outcome
            && !self.is_property(failure.obligation)
        {
            return false;
        }
        self.settle_rest(Status::Proved);
        let met = run.met.clone();
        // An execution that violates a monitor does not count from there on.
        if let interp::Outcome::Violated(failure) = run.outcome
            && !self.is_monitor(failure.obligation)
        {
            let violation = Violation {
                obligation: failure.obligation,
                claim: Claim::of(self.module, failure.obligation),
                trace: run.trace,
                globals: Vec::new(),
                unknown: None,
                failure: *failure,
                story: None,
            };
            self.tell(&violation);
            self.keep(violation);
        }
        self.outcome.weighed.extend(met.keys());
        for (obligation, _) in met.iter().filter(|&(_, &met)| !met) {
            if !self.violated.contains(&obligation) {
                self.outcome.statuses[obligation] = self.never_reached(obligation);
            }
        }
        self.outcome.bounds.clear();
        self.outcome.second = Some(SecondOpinion::Executed);
        true
    }
}

/// The same choices, but for where objects lie.
fn without_addresses(trace: &Trace) -> Trace {
    let mut events = trace.events.clone();
    for event in &mut events {
        match event {
            Event::Object { address, .. } => *address = None,
            Event::Value(_) | Event::Bytes(_) | Event::Clobber(_) => {}
        }
    }
    Trace { events }
}

fn anywhere(choice: &GlobalChoice) -> GlobalChoice {
    GlobalChoice {
        address: None,
        ..choice.clone()
    }
}

/// The instance that a model violates first.
pub(crate) fn first_violated<'i>(
    reader: &mut Reader<'_, '_>,
    asked: &'i [Instance],
) -> Result<&'i Instance, EngineError> {
    asked
        .iter()
        .find(|instance| reader.holds(instance.reached) && !reader.holds(instance.holds))
        .ok_or_else(|| EngineError("a model of the question violates no obligation".to_owned()))
}
