//! Assertions that were proved although no execution comes to them.
//!
//! A proof by invariants or by induction is about more states than executions have: it does not say whether there is an execution
//! that comes to an assertion. So the program is asked again with these assertions failing, or not, wherever an execution comes to
//! them (`passes::only::ask_whether_reached`). Where even that is proved, they claim nothing. What a few executions come to need not be asked.

use std::time::{Duration, Instant};

use base::Map;
use ir::syntax::Obligation;
use passes::only::ask_whether_reached;
use results::{Failure, Outcome, Status};

use crate::args::{AfterFailure, FailOn, VerifyArgs};
use crate::pipeline::Program;
use crate::preconditions::Look;

/// What the question may take where nobody insists on an answer: so long, or half of what the proof took.
const PATIENCE: Duration = Duration::from_millis(500);

/// Says which of the assertions that were proved are vacuous.
pub fn judge(
    args: &VerifyArgs,
    program: &Program,
    mut outcome: Outcome,
    (start, deadline): (Instant, Option<Instant>),
    look: &Look<'_>,
) -> Result<Outcome, Failure> {
    let insists = args.fail_on.contains(&FailOn::Vacuous);
    let goes_on = args.input.after_failure == AfterFailure::Continue;
    let found = !outcome.violations.is_empty() || !outcome.contradictions.is_empty();
    let facts = !program.module.facts.is_empty();
    if (args.wants_first() && !insists) || goes_on || found || facts {
        return Ok(outcome);
    }
    let module = &program.module;
    let open: Vec<Obligation> = outcome
        .statuses
        .iter()
        .filter(|&(obligation, status)| {
            *status == Status::Proved
                && !outcome.weighed.contains(&obligation)
                && bmc::is_claim(module, obligation)
        })
        .map(|(obligation, _)| obligation)
        .collect();
    if open.is_empty() {
        return Ok(outcome);
    }
    let met = bmc::met(module);
    let open: Vec<Obligation> = open.into_iter().filter(|&claim| !met[claim]).collect();
    if open.is_empty() {
        return Ok(outcome);
    }
    let now = Instant::now();
    let patience = now + PATIENCE.max((now - start) / 2);
    let end = match deadline {
        Some(deadline) if insists => deadline,
        Some(deadline) => deadline.min(patience),
        None => patience,
    };
    let mut asked = Map::filled(false, module.obligations.len());
    for &claim in &open {
        asked[claim] = true;
    }
    let mut question = program.with_module(module.clone());
    ask_whether_reached(&mut question.module, &asked);
    let answer = look(args, &question, end)?;
    for (&claim, status) in open.iter().zip(answer.statuses.values()) {
        match status {
            Status::Proved | Status::Unreachable | Status::Vacuous => {
                outcome.statuses[claim] = Status::Vacuous;
            }
            // An execution comes to it, or that is not known.
            Status::Violated | Status::ProvedBounded(_) | Status::Unknown(_) => {}
        }
    }
    Ok(outcome)
}
