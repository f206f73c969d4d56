//! The engine: the bounded one, with somebody to ask when a bound does not suffice.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bmc::sentence::{Invented, Inventor};
use encode::eval::{Instance, Vc};
use results::engine::Question;
use results::{Engine, EngineError, Outcome, Sink, Task};
use solve::horn::attempt::{Attempt, Ints};
use solve::horn::{HornAnswer, HornOptions, System, solve_horn};
use solve::ints::to_ints;
use solve::{Limits, SolveError};
use terms::Terms;

use crate::answer;
use crate::clauses::{Clauses, Step, Track, clauses};

/// The engine's name on the command line.
pub const CHC: &str = "chc";

/// The engine, with the settings of the bounded one.
pub struct Chc {
    /// Limits and monitors are the task's.
    pub options: bmc::Options,
    /// How clauses are solved.
    pub horn: Horn,
}

impl Engine for Chc {
    fn name(&self) -> &'static str {
        CHC
    }

    fn run(&self, task: &Task<'_>, sink: &Arc<dyn Sink>) -> Result<Outcome, EngineError> {
        let options = bmc::Options {
            inventor: Some(Arc::new(self.horn)),
            ..self.options.clone()
        };
        bmc::Bmc { options }.run(task, sink)
    }
}

/// Finds invariants by Horn clauses.
#[derive(Clone, Copy, Debug)]
pub struct Horn {
    /// The part of the time that is left that it may take.
    pub share: f64,
    /// Where clauses begin and end.
    pub step: Step,
    /// What predicates speak of.
    pub track: Track,
    /// One attempt after the other.
    pub attempts: &'static [Attempt],
    /// Memory that the solver may take, in bytes.
    pub memory: Option<u64>,
}

impl Inventor for Horn {
    fn name(&self) -> &'static str {
        CHC
    }

    fn share(&self) -> f64 {
        self.share
    }

    fn every_block(&self) -> bool {
        self.step == Step::Small
    }

    fn invent(
        &self,
        vc: &mut Vc<'_>,
        asked: &[Instance],
        tried: usize,
        until: Instant,
        sink: &dyn Sink,
    ) -> (Invented, usize) {
        let clauses = match clauses(vc, asked, self.track) {
            Ok(clauses) => clauses,
            Err(why) => return (Invented::Nothing(why), 0),
        };
        let mut last = "no time".to_owned();
        for (index, &attempt) in self.attempts.iter().enumerate().skip(tried) {
            let left = until.saturating_duration_since(Instant::now());
            let time = left / (self.attempts.len() - index) as u32;
            if time < Duration::from_millis(10) {
                break;
            }
            match self.ask(vc, &clauses, attempt, time, sink) {
                Invented::Nothing(why) => last = why,
                found => return (found, index + 1 - tried),
            }
        }
        (Invented::Nothing(last), self.attempts.len())
    }
}

impl Horn {
    fn ask(
        &self,
        vc: &mut Vc<'_>,
        clauses: &Clauses,
        attempt: Attempt,
        time: Duration,
        sink: &dyn Sink,
    ) -> Invented {
        let terms = &mut *vc.world.terms;
        match attempt.ints {
            Ints::Bv => match self.solve(terms, &clauses.system, attempt, time, sink) {
                Ok(HornAnswer::Safe(invariants)) => {
                    Invented::Sentences(vec![answer::sentences(terms, clauses, &invariants)])
                }
                Ok(HornAnswer::Unsafe(steps)) => answer::rounds(clauses, &steps),
                Ok(HornAnswer::Unknown(reason)) => Invented::Nothing(reason.to_string()),
                Err(error) => Invented::Nothing(error.to_string()),
            },
            Ints::Ideal | Ints::Math => {
                let Some(math) = to_ints(terms, &clauses.system, attempt.ints.wraps()) else {
                    return Invented::Nothing("no integers".to_owned());
                };
                match self.solve(terms, &math.system, attempt, time, sink) {
                    Ok(HornAnswer::Safe(invariants)) => {
                        let simple = math.back_simply(terms, &invariants);
                        let simple = answer::sentences(terms, clauses, &simple);
                        let invariants = math.back(terms, &invariants);
                        let all = answer::sentences(terms, clauses, &invariants);
                        Invented::Sentences(vec![simple, all])
                    }
                    Ok(HornAnswer::Unsafe(steps))
                        if steps.iter().any(|step| math.is_about_wraps(step.clause)) =>
                    {
                        Invented::Nothing("numbers wrap".to_owned())
                    }
                    Ok(HornAnswer::Unsafe(steps)) if math.exact => answer::rounds(clauses, &steps),
                    Ok(HornAnswer::Unsafe(_)) => {
                        Invented::Nothing("an approximate derivation".to_owned())
                    }
                    Ok(HornAnswer::Unknown(reason)) => Invented::Nothing(reason.to_string()),
                    Err(error) => Invented::Nothing(error.to_string()),
                }
            }
        }
    }

    fn solve(
        &self,
        terms: &mut Terms,
        system: &System,
        attempt: Attempt,
        time: Duration,
        sink: &dyn Sink,
    ) -> Result<HornAnswer, SolveError> {
        let options = HornOptions {
            limits: Limits {
                time: Some(time),
                memory: self.memory,
            },
            settings: attempt.settings,
            ..HornOptions::default()
        };
        let text = solve::horn::to_smt(terms, system);
        let start = Instant::now();
        let answered = solve_horn(terms, system, &options);
        sink.asked(&Question {
            what: "clauses",
            solver: "spacer",
            answer: match &answered {
                Ok(HornAnswer::Safe(_)) => "sat",
                Ok(HornAnswer::Unsafe(_)) => "unsat",
                Ok(HornAnswer::Unknown(_)) | Err(_) => "unknown",
            },
            time: start.elapsed(),
            size: &|| system.clauses.len(),
            script: &|| text.clone(),
            model: &|| None,
        });
        answered
    }
}
