//! Questions to solvers, and second opinions on their answers.

use std::time::{Duration, Instant};

use encode::eval::{Instance, Vc};
use results::{EngineError, SecondOpinion};
use solve::{Answer, Checked, Limits, SolveError, Solver};
use terms::Terms;

use crate::engine::Engine;
use crate::listen::listener;
use crate::query::{Prefixes, any_fails, any_pruned};

/// What a second opinion may take: so much more time than the first one took, and a moment.
const OPINION_FACTOR: u32 = 4;
const OPINION_MOMENT: Duration = Duration::from_secs(2);

impl Engine<'_> {
    pub(crate) fn open_solver(&self) -> Result<Checked, EngineError> {
        self.open_named(&self.options.solver)
            .map_err(|error| EngineError(error.to_string()))
    }

    fn open_named(&self, spec: &str) -> Result<Checked, SolveError> {
        let config = solve::Config {
            limits: self.limits(),
            interrupt: self.sampler.interrupt.clone(),
            listener: listener(&self.sink, "question"),
            ..solve::Config::default()
        };
        Checked::open(spec, &config)
    }

    pub(crate) fn ask(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        question: terms::Term,
    ) -> Result<Answer, EngineError> {
        self.ask_within(vc, solver, question, self.limits())
    }

    /// As `ask`, with other limits.
    pub(crate) fn ask_within(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        question: terms::Term,
        limits: Limits,
    ) -> Result<Answer, EngineError> {
        if vc.world.terms.as_bool(question) == Some(false) {
            return Ok(Answer::Unsat);
        }
        self.say("solving");
        let start = Instant::now();
        solver.set_limits(limits);
        let fail = |error: SolveError| EngineError(error.to_string());
        solver.push().map_err(fail)?;
        // True sentences: no answer is another one for them.
        let known = terms::products::sentences(vc.world.terms, question);
        let asserted = [question].into_iter().chain(known);
        let terms = &mut *vc.world.terms;
        let answer = match asserted
            .into_iter()
            .try_for_each(|holds| solver.assert(terms, holds))
            .and_then(|()| solver.check(terms, &[]))
        {
            Err(error @ SolveError::Unsupported { .. }) => {
                self.ask_another(terms, solver, question, error)?
            }
            answer => answer.map_err(fail)?,
        };
        solver.pop(1).map_err(fail)?;
        self.outcome.stats.queries += 1;
        self.outcome.stats.solving += start.elapsed();
        Ok(answer)
    }

    /// Asks the second solver what the first one has no words for. Its answer has no second opinion.
    fn ask_another(
        &mut self,
        terms: &Terms,
        solver: &Checked,
        question: terms::Term,
        error: SolveError,
    ) -> Result<Answer, EngineError> {
        self.inexpressible = Some(error.to_string());
        let spec = self.options.second.as_deref().unwrap_or("z3");
        let answer = self.open_named(spec).and_then(|mut other| {
            for &assertion in solver.assertions() {
                other.assert(terms, assertion)?;
            }
            if !solver.assertions().contains(&question) {
                other.assert(terms, question)?;
            }
            other.check(terms, &[])
        });
        match answer {
            Ok(answer) => Ok(answer),
            Err(error @ SolveError::Unsound { .. }) => Err(EngineError(error.to_string())),
            Err(_) => Ok(Answer::Unknown(solve::Reason::Incomplete(
                error.to_string(),
            ))),
        }
    }

    /// Has a second solver confirm that nothing can fail and nothing lies beyond the bounds.
    pub(crate) fn confirm(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        beyond: terms::Term,
    ) -> Result<(), EngineError> {
        let either = self.everything_open(vc, beyond);
        self.confirm_unsat(vc, solver, either)
    }

    /// Something can fail, or lies beyond the bounds, or on a path that was left during the evaluation.
    pub(crate) fn everything_open(&self, vc: &mut Vc<'_>, beyond: terms::Term) -> terms::Term {
        let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, |obligation| {
            self.violated.contains(&obligation) || self.is_monitor(obligation)
        });
        let open: Vec<Instance> = vc
            .instances
            .iter()
            .filter(|instance| {
                let obligation = instance.obligation;
                !self.violated.contains(&obligation)
                    && !self.settled.contains_key(&obligation)
                    && !self.undecided.contains_key(&obligation)
                    && !self.unanswerable.contains(&obligation)
                    && !self.is_monitor(obligation)
            })
            .cloned()
            .collect();
        let fails = any_fails(vc.world.terms, &prefixes, open.iter());
        let pruned = any_pruned(vc);
        vc.world.terms.or_all(&[fails, beyond, pruned])
    }

    /// Has a second solver confirm that a question has no answer.
    pub(crate) fn confirm_unsat(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        either: terms::Term,
    ) -> Result<(), EngineError> {
        let Some(second) = &self.options.second else {
            return Ok(());
        };
        if vc.world.terms.as_bool(either) == Some(false) {
            self.outcome.second = Some(SecondOpinion::Folded);
            return Ok(());
        }
        if let Some(why) = &self.inexpressible {
            self.outcome.second = Some(SecondOpinion::Missing(why.clone()));
            return Ok(());
        }
        let start = Instant::now();
        // What takes the second one much longer than the first, it rarely answers at all.
        let patience = self.outcome.stats.solving * OPINION_FACTOR + OPINION_MOMENT;
        let half = self.limits().time.map_or(patience, |left| left / 2);
        let config = solve::Config {
            limits: Limits {
                time: Some(patience.min(half)),
                memory: self.options.memory,
            },
            listener: listener(&self.sink, "second opinion"),
            ..solve::Config::default()
        };
        let answer = solver.confirm_unsat(vc.world.terms, &[either], second, &config);
        self.outcome.stats.solving += start.elapsed();
        self.outcome.second = Some(match answer {
            Ok(solve::Confirmation::Second | solve::Confirmation::Model) => {
                SecondOpinion::Agrees(second.clone())
            }
            Ok(solve::Confirmation::None(reason)) => {
                SecondOpinion::Missing(format!("{second}: {reason}"))
            }
            Err(error @ SolveError::Unsound { .. }) => {
                return Err(EngineError(error.to_string()));
            }
            Err(error) => SecondOpinion::Missing(error.to_string()),
        });
        Ok(())
    }
}
