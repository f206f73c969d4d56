//! What a part has said, as far as it can be about this program.
//!
//! A part is another process: it may have gone wrong in any way before it spoke. What it proves is as good as what any engine
//! proves, but it has to be about the program that it was given. A part that names another one, or obligations that there are
//! not, is not listened to any more, and what it said before counts for nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use checks::registry::CheckId;
use ir::syntax::Obligation;
use results::{Ending, Message, Outcome, Program, Results, Sink, Task, Violation};

use crate::part::Part;

/// A part, and what it has said.
pub(super) struct Reports {
    /// What is known from it.
    pub(super) results: Results,
    /// How it ended, if it did.
    pub(super) ending: Option<Ending>,
    /// Has it had its last word?
    pub(super) concluded: bool,
    /// The program that it was given.
    program: Program,
    /// The process, as long as it is of use.
    _part: Option<Part>,
}

impl Reports {
    /// Those of a part that begins.
    pub(super) fn of(part: Part, task: &Task<'_>, checks: &BTreeSet<CheckId>) -> Reports {
        Reports::about(Program::of(task.module, checks), Some(part))
    }

    fn about(program: Program, part: Option<Part>) -> Reports {
        Reports {
            results: nothing(&program),
            ending: None,
            concluded: false,
            program,
            _part: part,
        }
    }

    /// Takes in what the part says, and passes on what counts at once. Its outcome, once it is there.
    pub(super) fn take(
        &mut self,
        message: Option<Message>,
        sink: &Arc<dyn Sink>,
    ) -> Option<&Outcome> {
        if self.ending.is_some() {
            return None;
        }
        match message {
            None => {
                let silence = "a part of the work ended without an answer";
                self.ending = Some(Ending::Crashed(silence.to_owned()));
            }
            Some(Message::Finished) => self.ending = Some(Ending::Finished),
            Some(Message::Failed(failure)) => self.ending = Some(Ending::Failed(failure)),
            Some(message) if !self.can_be(&message) => {
                self.results = nothing(&self.program);
                self.concluded = false;
                let other = "a part of the work has spoken of another program";
                self.ending = Some(Ending::Crashed(other.to_owned()));
            }
            Some(message @ Message::Outcome(..)) => {
                self.results.take(message);
                self.concluded = true;
                return Some(&self.results.outcome);
            }
            Some(message) => {
                self.results.take(message.clone());
                sink.tell(message);
            }
        }
        None
    }

    /// Can a part that was given the program say this?
    fn can_be(&self, message: &Message) -> bool {
        let claims = &self.program.claims;
        let is_one = |obligation: &Obligation| claims.contains(*obligation);
        let is_violation = |violation: &Violation| {
            is_one(&violation.obligation) && violation.claim == claims[violation.obligation]
        };
        match message {
            // Whoever reads the program says which it is.
            Message::Program(_) | Message::Ledger(_) => false,
            Message::Statuses(list) => list.iter().all(|(id, _)| is_one(id)),
            Message::Settled(list) => list.iter().all(|(id, _)| is_one(id)),
            Message::Violation(violation) => is_violation(violation),
            Message::Outcome(_, outcome) => {
                let open = outcome.unconfirmed.iter().map(|(id, _)| id);
                let mut named = open
                    .chain(outcome.by.keys())
                    .chain(&outcome.behind)
                    .chain(&outcome.vanished)
                    .chain(&outcome.weighed);
                let mut met = outcome.violations.iter().chain(&outcome.contradictions);
                outcome.statuses.len() == claims.len()
                    && outcome.preconditions.is_empty()
                    && named.all(is_one)
                    && met.all(is_violation)
            }
            // A fact about another program is no fact.
            Message::Fact(_)
            | Message::Progress(_)
            | Message::Stage(_)
            | Message::Pass(_)
            | Message::Query(_)
            | Message::Failed(_)
            | Message::Finished => true,
        }
    }
}

/// Nothing is known of the program.
fn nothing(program: &Program) -> Results {
    let mut results = Results::default();
    results.take(Message::Program(program.clone()));
    results
}

#[cfg(test)]
mod tests {
    use base::Map;
    use results::{Settled, Silence, Status};

    use super::*;

    fn program(name: &str) -> Program {
        let text = format!(
            "module pure ptr64
entry @main
obligation o0 main.assert.1 \"{name}\"
obligation o1 main.assert.2 \"{name}\"
fn @main() {{
b0:
    v0 = nondet.i1 input
    check o0, v0
    check o1, v0
    return
}}
"
        );
        let module = ir::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        Program::of(&module, &BTreeSet::new())
    }

    fn settled(index: usize) -> Message {
        Message::Settled(vec![(
            Obligation::from_index(index),
            Settled {
                status: Status::Proved,
                by: "test".to_owned(),
                rests_on: Vec::new(),
            },
        )])
    }

    fn proved(count: usize) -> Outcome {
        Outcome {
            statuses: Map::filled(Status::Proved, count),
            ..Outcome::default()
        }
    }

    /// What is proved after these messages, and whether the part is still listened to.
    fn after(messages: Vec<Message>) -> (Vec<bool>, bool) {
        let mut reports = Reports::about(program("this one"), None);
        let sink: Arc<dyn Sink> = Arc::new(Silence);
        for message in messages {
            reports.take(Some(message), &sink);
        }
        let statuses = reports.results.outcome.statuses.values();
        (
            statuses.map(|status| *status == Status::Proved).collect(),
            reports.ending.is_none(),
        )
    }

    #[test]
    fn what_is_about_this_program_counts() {
        assert_eq!(after(vec![settled(1)]), (vec![false, true], true));
        let outcome = |outcome| Message::Outcome("bmc".to_owned(), Box::new(outcome));
        assert_eq!(after(vec![outcome(proved(2))]), (vec![true, true], true));
    }

    #[test]
    fn what_is_about_another_program_takes_everything_away() {
        let outcome = |outcome| Message::Outcome("bmc".to_owned(), Box::new(outcome));
        let far = Obligation::from_index(7);
        let named: [fn(&mut Outcome, Obligation); 5] = [
            |outcome, far| outcome.behind.push(far),
            |outcome, far| outcome.vanished.push(far),
            |outcome, far| outcome.unconfirmed.push((far, String::new())),
            |outcome, far| outcome.weighed.extend([far]),
            |outcome, far| outcome.by.extend([(far, String::new())]),
        ];
        let mut wrong = vec![
            Message::Program(program("another one")),
            Message::Ledger(Vec::new()),
            Message::Statuses(vec![(far, Status::Proved)]),
            settled(7),
            outcome(Outcome::default()),
            outcome(proved(1)),
            outcome(proved(3)),
        ];
        wrong.extend(named.map(|name| {
            let mut other = proved(2);
            name(&mut other, far);
            outcome(other)
        }));
        for message in wrong {
            let said = format!("{message:?}");
            let messages = vec![settled(0), message, settled(1)];
            assert_eq!(after(messages), (vec![false, false], false), "{said}");
        }
    }
}
