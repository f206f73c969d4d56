//! Which of many claims a program violates, several at a time.
//!
//! Whoever guesses wants to know which guesses are wrong, and nothing rests on the answer: a guess that is given up for no
//! good reason is a pity, no more. So nothing is replayed here, nobody is asked for a second opinion, and each model
//! counts against every claim that it violates. Executions go on after a claim that fails, so that one does not hide another.

use std::collections::BTreeSet;
use std::sync::Arc;

use encode::eval::{Instance, evaluate};
use ir::syntax::{Module, Obligation};
use results::{EngineError, Known, Sink};
use solve::Answer;
use terms::Terms;

use crate::Options;
use crate::engine::Engine;
use crate::query::{Prefixes, any_fails};
use crate::trace::Reader;

/// What was found out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refuted {
    /// Claims that some execution violates.
    pub claims: BTreeSet<Obligation>,
    /// Did the solver say that none of the others is violated within the first bounds?
    pub exhausted: bool,
}

/// Asks which of these claims can be violated, with loops and recursion unrolled as at first, until the options' deadline.
pub fn refute(
    module: &Module,
    options: &Options,
    claims: &BTreeSet<Obligation>,
    sink: &Arc<dyn Sink>,
) -> Result<Refuted, EngineError> {
    if claims.is_empty() {
        return Ok(Refuted {
            exhausted: true,
            ..Refuted::default()
        });
    }
    let options = Options {
        continue_after_failure: true,
        ..options.clone()
    };
    let mut engine = Engine::new(module, &options, &Known::default(), sink);
    let config = engine.config();
    let mut terms = Terms::with_level(options.rewriting);
    let mut oracle = engine.oracle();
    let mut vc = evaluate(module, &mut terms, &config, &mut oracle);
    let mut solver = engine.open_solver()?;
    let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, |_| true);
    let mut found = Refuted::default();
    let mut open: Vec<Instance> = vc.instances.clone();
    open.retain(|instance| claims.contains(&instance.obligation));
    while !open.is_empty() {
        let question = any_fails(vc.world.terms, &prefixes, open.iter());
        let model = match engine.ask(&mut vc, &mut solver, question)? {
            Answer::Sat(model) => model,
            Answer::Unsat => {
                found.exhausted = true;
                break;
            }
            Answer::Unknown(_) => break,
        };
        let mut reader = Reader::new(&vc, &model);
        let violated: BTreeSet<Obligation> = open
            .iter()
            .filter(|instance| {
                reader.holds(prefixes.first(instance.assumptions))
                    && reader.holds(instance.reached)
                    && !reader.holds(instance.holds)
            })
            .map(|instance| instance.obligation)
            .collect();
        if violated.is_empty() {
            return Err(EngineError(
                "a model of wrong claims makes none of them wrong".to_owned(),
            ));
        }
        open.retain(|instance| !violated.contains(&instance.obligation));
        found.claims.extend(violated);
    }
    found.exhausted |= open.is_empty();
    Ok(found)
}
