//! Nobody is believed: every model is evaluated before it is used.
//!
//! [`Checked`] keeps the assertions that its back end was given. After `Sat` it evaluates them and the assumptions
//! under the model, with the evaluator of `terms`, which shares no code with any solver. A model that makes one of
//! them false is no model: the back end is unsound, and nothing it says is used again.
//! `Unsat` carries no such witness. Where it matters, a second back end is asked: [`check_twice`].

use std::time::Instant;

use terms::{Evaluator, Model, Term, Terms};

use crate::answer::{Answer, Reason, SolveError};
use crate::backends;
use crate::limits::{Interrupt, Limits};
use crate::solver::{Asked, Config, Listener, Solver, Statistics};

/// A back end whose models have been checked.
pub struct Checked {
    inner: Box<dyn Solver>,
    assertions: Vec<Term>,
    /// How many assertions there were when each open level was opened.
    levels: Vec<usize>,
    /// Once shown to be unsound, always so.
    unsound: Option<SolveError>,
    listener: Option<Listener>,
}

impl Checked {
    /// Opens the back end that `spec` names: `bitwuzla`, `z3`, or `smtlib:COMMAND`.
    pub fn open(spec: &str, config: &Config) -> Result<Checked, SolveError> {
        Ok(Checked {
            listener: config.listener.clone(),
            ..Checked::new(backends::open(spec, config)?)
        })
    }

    /// Wraps a back end that has no assertions yet.
    pub fn new(inner: Box<dyn Solver>) -> Checked {
        Checked {
            inner,
            assertions: Vec::new(),
            levels: Vec::new(),
            unsound: None,
            listener: None,
        }
    }

    /// The assertions on all levels.
    pub fn assertions(&self) -> &[Term] {
        &self.assertions
    }

    /// Asks another back end, opened for this only, whether the assertions and assumptions are unsatisfiable, as this
    /// one said. A model of the other is evidence against this one.
    pub fn confirm_unsat(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        second: &str,
        config: &Config,
    ) -> Result<Confirmation, SolveError> {
        let mut other = Checked::open(second, config)?;
        for &t in self.assertions.iter().chain(assumptions) {
            other.assert(terms, t)?;
        }
        match other.check(terms, &[])? {
            Answer::Unsat => Ok(Confirmation::Second),
            Answer::Unknown(reason) => Ok(Confirmation::None(reason)),
            Answer::Sat(_) => {
                Err(self.shown_unsound(format!("it answered unsat, but {second} has a model")))
            }
        }
    }

    fn shown_unsound(&mut self, detail: String) -> SolveError {
        let error = SolveError::Unsound {
            backend: self.inner.name().to_owned(),
            detail,
        };
        self.unsound = Some(error.clone());
        error
    }

    fn validate(&self, terms: &Terms, assumptions: &[Term], model: &Model) -> Result<(), String> {
        let mut evaluator = Evaluator::new(terms, model);
        for (what, list) in [
            ("assertion", &self.assertions[..]),
            ("assumption", assumptions),
        ] {
            if let Some(t) = list.iter().find(|&&t| !evaluator.eval(t).expect_bool()) {
                return Err(format!("its model makes the {what} {t} false"));
            }
        }
        Ok(())
    }
}

impl Solver for Checked {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn assert(&mut self, terms: &Terms, t: Term) -> Result<(), SolveError> {
        self.inner.assert(terms, t)?;
        self.assertions.push(t);
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolveError> {
        self.inner.push()?;
        self.levels.push(self.assertions.len());
        Ok(())
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolveError> {
        self.inner.pop(levels)?;
        let rest = self.levels.len().saturating_sub(levels as usize);
        if let Some(&count) = self.levels.get(rest) {
            self.assertions.truncate(count);
        }
        self.levels.truncate(rest);
        Ok(())
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolveError> {
        if let Some(error) = &self.unsound {
            return Err(error.clone());
        }
        let start = Instant::now();
        let answer = self.inner.check(terms, assumptions)?;
        if let Some(Listener(tell)) = &self.listener {
            tell(&Asked {
                solver: self.inner.name(),
                terms,
                question: &[&self.assertions, assumptions].concat(),
                answer: &answer,
                time: start.elapsed(),
            });
        }
        if let Answer::Sat(model) = &answer
            && let Err(detail) = self.validate(terms, assumptions, model)
        {
            return Err(self.shown_unsound(detail));
        }
        Ok(answer)
    }

    fn core(&mut self) -> Result<Vec<Term>, SolveError> {
        self.inner.core()
    }

    fn set_limits(&mut self, limits: Limits) {
        self.inner.set_limits(limits);
    }

    fn interrupt(&self) -> Interrupt {
        self.inner.interrupt()
    }

    fn statistics(&self) -> Statistics {
        self.inner.statistics()
    }
}

/// What stands behind an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Confirmation {
    /// The model was evaluated.
    Model,
    /// A second back end came to the same answer.
    Second,
    /// Nothing: the second back end did not know, or there was no answer to confirm.
    None(Reason),
}

/// Checks assertions with one back end, and an `Unsat` with a second one.
pub fn check_twice(
    terms: &Terms,
    assertions: &[Term],
    first: &str,
    second: &str,
    config: &Config,
) -> Result<(Answer, Confirmation), SolveError> {
    let mut solver = Checked::open(first, config)?;
    for &t in assertions {
        solver.assert(terms, t)?;
    }
    let answer = solver.check(terms, &[])?;
    let confirmation = match &answer {
        Answer::Sat(_) => Confirmation::Model,
        Answer::Unsat => solver.confirm_unsat(terms, &[], second, config)?,
        Answer::Unknown(reason) => Confirmation::None(reason.clone()),
    };
    Ok((answer, confirmation))
}
