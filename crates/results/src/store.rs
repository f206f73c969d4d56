//! What is known so far.

use ir::syntax::Obligation;

use crate::known::Known;
use crate::ledger::Ledger;
use crate::message::{Message, Progress, Query, Stage};
use crate::outcome::{Outcome, Violation};
use crate::program::{Claim, Program};
use crate::status::{Reason, Status};
use crate::verdict::{Ending, Verdict};

/// Everything that was told. It is as good after each message as at the end.
#[derive(Clone, Default, Debug)]
pub struct Results {
    /// The program, once it was read.
    pub program: Option<Program>,
    /// What answers rest on.
    pub ledger: Ledger,
    /// What is being done, or was done last.
    pub doing: String,
    /// What was found.
    pub outcome: Outcome,
    /// Who found it.
    pub engine: String,
    /// What it cost.
    pub stages: Vec<Stage>,
    /// What each pass cost.
    pub passes: Vec<Stage>,
    /// What each question to a solver cost, if that was wanted.
    pub queries: Vec<Query>,
    /// What was settled and which facts were found, with what that rests on.
    pub known: Known,
    /// Has an engine had its last word?
    concluded: bool,
}

impl Results {
    /// Takes in a message. How the work ends is not kept here.
    pub fn take(&mut self, message: Message) {
        match message {
            Message::Program(program) => self.begin(program),
            Message::Ledger(entries) => self.ledger = entries.into_iter().collect(),
            Message::Progress(Progress {
                what,
                bounds,
                stats,
            }) => {
                self.doing = what;
                self.outcome.bounds = bounds;
                self.outcome.stats = stats;
            }
            Message::Stage(stage) => self.stages.push(stage),
            Message::Pass(pass) => self.passes.push(pass),
            Message::Query(query) => self.queries.push(query),
            Message::Statuses(list) => {
                for (obligation, status) in list {
                    self.learn(obligation, status);
                }
            }
            Message::Settled(list) => {
                for (obligation, settled) in list {
                    self.known.settle(obligation, settled);
                }
                self.learn_settled();
            }
            Message::Fact(fact) => {
                self.known.add(*fact);
                self.learn_settled();
            }
            Message::Violation(violation) => {
                let known = &mut self.outcome.violations;
                let same = |other: &&mut Violation| other.claim.id == violation.claim.id;
                match known.iter_mut().find(same) {
                    None => known.push(*violation),
                    // It was made simpler, and is told as a story.
                    Some(other) if violation.story.is_some() => *other = *violation,
                    Some(_) => {}
                }
                self.mark_violated();
            }
            Message::Outcome(engine, outcome) => {
                let before = std::mem::replace(&mut self.outcome, *outcome);
                self.keep_bounded(&before);
                self.engine = engine;
                self.concluded = true;
            }
            Message::Failed(_) | Message::Finished => {}
        }
    }

    /// Is the obligation one that was asked for? Internal ones are of interest only if they were met.
    pub fn is_shown(&self, obligation: Obligation) -> bool {
        let Some(program) = &self.program else {
            return false;
        };
        let claim = &program.claims[obligation];
        if claim.internal {
            let status = &self.outcome.statuses[obligation];
            matches!(
                status,
                Status::Unknown(Reason::Unsupported(_) | Reason::ExternPointer)
            )
        } else {
            program.checks.contains(&claim.check)
        }
    }

    /// The obligations that were asked for, with their statuses.
    pub fn shown(&self) -> impl Iterator<Item = (Obligation, &Claim, &Status)> {
        let claims = self
            .program
            .iter()
            .flat_map(|program| program.claims.iter());
        claims
            .filter(|(obligation, _)| self.is_shown(*obligation))
            .map(|(obligation, claim)| (obligation, claim, &self.outcome.statuses[obligation]))
    }

    /// The engine that settled an obligation, if one did and has said so.
    pub fn settled_by(&self, obligation: Obligation) -> Option<&str> {
        if !self.outcome.statuses[obligation].is_settled() {
            return None;
        }
        let other = self.outcome.by.get(&obligation);
        let whole = self.concluded.then_some(&self.engine);
        other.or(whole).map(String::as_str)
    }

    /// How far the work has come: `2 violated, 41 of 96 settled, main.loop.3 at 17`. Empty before the program is read.
    pub fn progress(&self) -> String {
        let all = self.shown().count();
        if all == 0 {
            return String::new();
        }
        let shown = self.shown();
        let settled = shown.filter(|(_, _, status)| status.is_settled()).count();
        let mut parts = vec![format!("{settled} of {all} settled")];
        let violated = self.outcome.violations.len();
        if violated > 0 {
            parts.insert(0, format!("{violated} violated"));
        }
        let deepest = self.outcome.bounds.iter().max_by_key(|bound| bound.reached);
        if let Some(bound) = deepest {
            parts.push(format!("{} at {}", bound.name, bound.reached));
        }
        parts.join(", ")
    }

    /// Nobody will say more: what has no status yet gets one.
    pub fn end(&mut self, ending: &Ending) {
        let reason = match ending {
            Ending::Finished => return,
            Ending::Failed(_) | Ending::Crashed(_) => Reason::Interrupted,
            Ending::Stopped(stop) => stop.reason(),
        };
        if self.concluded {
            return;
        }
        for status in self.outcome.statuses.values_mut() {
            if status.is_given_up() {
                *status = Status::Unknown(reason.clone());
            }
        }
    }

    /// The program's verdict. `true` has to be earned: nothing is open, nothing speaks against it, and every
    /// obligation is settled. Everything else is `unknown`, with its reason. Violations count however the
    /// work ended.
    pub fn verdict(&self, ending: &Ending, vacuity_counts: bool) -> Verdict {
        let outcome = &self.outcome;
        if let Some(first) = outcome.violations.first() {
            return Verdict::False(first.claim.property.clone());
        }
        match ending {
            Ending::Finished => {}
            Ending::Failed(failure) => return Verdict::Error(failure.clone()),
            Ending::Crashed(how) => {
                return Verdict::Error(crate::verdict::Failure::internal(how.clone()));
            }
            Ending::Stopped(stop) => return Verdict::Unknown(stop.reason()),
        }
        if !self.concluded {
            // Nobody has had the last word, so that nothing was proved.
            return Verdict::Unknown(Reason::Interrupted);
        }
        if !outcome.unconfirmed.is_empty() || !outcome.contradictions.is_empty() {
            return Verdict::Unknown(Reason::Unconfirmed);
        }
        if let Some(reason) = &outcome.reason {
            return Verdict::Unknown(reason.clone());
        }
        if let Some(gap) = outcome.gaps.first() {
            return Verdict::Unknown(Reason::Unsupported(gap.clone()));
        }
        let mut vacuous = false;
        for status in outcome.statuses.values() {
            match status {
                Status::Proved | Status::Unreachable => {}
                Status::Vacuous => vacuous = true,
                Status::Unknown(reason) => return Verdict::Unknown(reason.clone()),
                Status::ProvedBounded(_) => return Verdict::Unknown(Reason::Bounded),
                // Nobody has met the violation.
                Status::Violated => return Verdict::Unknown(Reason::Unconfirmed),
            }
        }
        if vacuous && vacuity_counts {
            return Verdict::Vacuous;
        }
        Verdict::True
    }

    /// The work is on this program from now on.
    fn begin(&mut self, program: Program) {
        if self.program.as_ref() == Some(&program) {
            return;
        }
        let nothing = Status::Unknown(Reason::Interrupted);
        self.outcome = Outcome {
            statuses: base::Map::filled(nothing, program.claims.len()),
            violations: std::mem::take(&mut self.outcome.violations),
            ..Outcome::default()
        };
        self.program = Some(program);
        self.known = Known::default();
        self.concluded = false;
        self.mark_violated();
    }

    /// What is known to be violated is so in the program at hand, if it is there.
    fn mark_violated(&mut self) {
        let Some(program) = &self.program else {
            return;
        };
        for violation in &self.outcome.violations {
            let same = |(_, claim): &(Obligation, &Claim)| claim.id == violation.claim.id;
            if let Some((obligation, _)) = program.claims.iter().find(same) {
                self.outcome.statuses[obligation] = Status::Violated;
            }
        }
    }

    /// A status is taken in where it says more than what is known.
    fn learn(&mut self, obligation: Obligation, status: Status) {
        let Some(known) = self.outcome.statuses.get_mut(obligation) else {
            return;
        };
        if says_more(&status, known) {
            *known = status;
        }
    }

    /// Takes in what is settled and rests on nothing that is open.
    fn learn_settled(&mut self) {
        let Some(program) = &self.program else {
            return;
        };
        let grounded = self.known.grounded(&program.fingerprint);
        let list = grounded.settled.into_iter();
        let list: Vec<(Obligation, Status, String)> = list
            .filter(|(_, settled)| settled.status != Status::Violated)
            .map(|(obligation, settled)| (obligation, settled.status.clone(), settled.by.clone()))
            .collect();
        for (obligation, status, by) in list {
            let known = self.outcome.statuses.get(obligation);
            if known.is_some_and(|known| !known.is_settled()) {
                self.learn(obligation, status);
                self.outcome.by.insert(obligation, by);
            }
        }
    }

    /// What was proved up to a bound stays so when an engine gives up later.
    fn keep_bounded(&mut self, before: &Outcome) {
        for (obligation, status) in self.outcome.statuses.iter_mut() {
            let Some(known @ Status::ProvedBounded(_)) = before.statuses.get(obligation) else {
                continue;
            };
            if status.is_given_up() {
                *status = known.clone();
            }
        }
    }
}

/// Does a status say more than another one? What is settled stays so.
fn says_more(new: &Status, known: &Status) -> bool {
    match (known, new) {
        (known, _) if known.is_settled() => false,
        (_, new) if new.is_settled() => true,
        (Status::ProvedBounded(known), Status::ProvedBounded(new)) => new > known,
        (_, Status::ProvedBounded(_)) => true,
        (known, _) => known.is_given_up(),
    }
}

#[cfg(test)]
mod tests {
    use checks::registry::CheckId;
    use std::collections::BTreeSet;

    use super::*;
    use crate::explanation::{Explanation, Failure as Met};
    use crate::fact::Support;
    use crate::known::Settled;
    use crate::outcome::{Stats, Violation};
    use crate::trace::{Event, Fill, Trace};
    use crate::verdict::{Failure, Stop};

    fn obligation(index: usize) -> Obligation {
        Obligation::from_index(index)
    }

    fn claim(number: u32) -> Claim {
        Claim {
            id: format!("main.assert.{number}"),
            check: CheckId::Assert,
            property: "assert".to_owned(),
            text: "sk_assert".to_owned(),
            place: Some(base::Place::new("f.c", number, 1)),
            internal: false,
            model: false,
        }
    }

    fn program(numbers: &[u32]) -> Program {
        Program {
            claims: numbers.iter().map(|&number| claim(number)).collect(),
            checks: BTreeSet::from([CheckId::Assert]),
            fingerprint: "p".to_owned(),
        }
    }

    fn violation(index: usize, number: u32) -> Box<Violation> {
        Box::new(Violation {
            obligation: obligation(index),
            claim: claim(number),
            trace: Trace {
                events: vec![
                    Event::Value(base::Bv::from_i64(-1, 80)),
                    Event::Object {
                        address: Some(u64::MAX),
                        bytes: vec![(u64::MAX, 255)],
                    },
                ],
            },
            globals: Vec::new(),
            unknown: Some(Fill::listed(&[(3, 4)])),
            failure: Met {
                obligation: obligation(index),
                steps: 3,
                explanation: Explanation::default(),
            },
            story: None,
        })
    }

    fn outcome(statuses: &[Status]) -> Message {
        let outcome = Outcome {
            statuses: statuses.iter().cloned().collect(),
            ..Outcome::default()
        };
        Message::Outcome("bmc".to_owned(), Box::new(outcome))
    }

    fn after(messages: impl IntoIterator<Item = Message>) -> Results {
        let mut results = Results::default();
        for message in messages {
            // As it comes from another process.
            let line = serde_json::to_string(&message).expect("plain data");
            let read: Message = serde_json::from_str(&line).expect("what was written");
            assert_eq!(read, message, "{line}");
            results.take(read);
        }
        results
    }

    #[test]
    fn a_violation_counts_however_the_work_ends() {
        let endings = [
            Ending::Finished,
            Ending::Failed(Failure::internal("an invariant does not hold")),
            Ending::Crashed("was ended by SIGSEGV".to_owned()),
            Ending::Stopped(Stop::Time),
            Ending::Stopped(Stop::Memory),
            Ending::Stopped(Stop::Interruption),
            Ending::Stopped(Stop::Enough),
        ];
        for ending in endings {
            let told = [
                Message::Program(program(&[1, 2])),
                Message::Violation(violation(1, 2)),
                Message::Violation(violation(1, 2)),
            ];
            let mut results = after(told);
            results.end(&ending);
            assert_eq!(
                results.verdict(&ending, false),
                Verdict::False("assert".to_owned())
            );
            assert_eq!(results.outcome.violations, [*violation(1, 2)]);
            assert_eq!(results.outcome.statuses[obligation(1)], Status::Violated);
            // Without it there is no answer, and never `true`.
            let mut nothing = after([Message::Program(program(&[1, 2]))]);
            nothing.end(&ending);
            let verdict = nothing.verdict(&ending, false);
            assert!(
                matches!(verdict, Verdict::Unknown(_) | Verdict::Error(_)),
                "{verdict}"
            );
        }
    }

    #[test]
    fn true_needs_a_last_word_and_every_status() {
        let begin = || Message::Program(program(&[1, 2]));
        let both = || outcome(&[Status::Proved, Status::Unreachable]);
        let verdict = |messages: Vec<Message>, ending| after(messages).verdict(&ending, false);
        assert_eq!(
            verdict(vec![begin(), both()], Ending::Finished),
            Verdict::True
        );
        assert_eq!(
            verdict(vec![begin(), both()], Ending::Stopped(Stop::Time)),
            Verdict::Unknown(Reason::Timeout)
        );
        let known = [
            (obligation(0), Status::Proved),
            (obligation(1), Status::Proved),
        ];
        let told = vec![begin(), Message::Statuses(known.to_vec())];
        assert_eq!(
            verdict(told, Ending::Finished),
            Verdict::Unknown(Reason::Interrupted)
        );
        let open = outcome(&[Status::Proved, Status::Unknown(Reason::Layout)]);
        assert_eq!(
            verdict(vec![begin(), open], Ending::Finished),
            Verdict::Unknown(Reason::Layout)
        );
        let claimed = outcome(&[Status::Proved, Status::Violated]);
        assert_eq!(
            verdict(vec![begin(), claimed], Ending::Finished),
            Verdict::Unknown(Reason::Unconfirmed)
        );
    }

    #[test]
    fn the_best_known_status_stays() {
        let bounded =
            |bound| Message::Statuses(vec![(obligation(0), Status::ProvedBounded(bound))]);
        let told = || vec![Message::Program(program(&[1])), bounded(4), bounded(2)];
        let status = |results: &Results| results.outcome.statuses[obligation(0)].clone();
        let mut stopped = after(told());
        stopped.end(&Ending::Stopped(Stop::Memory));
        assert_eq!(status(&stopped), Status::ProvedBounded(4));
        // An engine that gives up takes nothing back; one that knows better does.
        let last = |status| {
            let mut messages = told();
            messages.push(outcome(&[status]));
            after(messages)
        };
        let gave_up = last(Status::Unknown(Reason::Timeout));
        assert_eq!(status(&gave_up), Status::ProvedBounded(4));
        let unsure = last(Status::Unknown(Reason::Unconfirmed));
        assert_eq!(status(&unsure), Status::Unknown(Reason::Unconfirmed));
    }

    #[test]
    fn what_is_settled_counts_with_all_that_it_rests_on() {
        let settled = |index, rests_on: &[usize]| {
            let on = rests_on.iter().map(|&o| Support::Obligation(obligation(o)));
            let settled = Settled {
                status: Status::Proved,
                by: "kind".to_owned(),
                rests_on: on.collect(),
            };
            Message::Settled(vec![(obligation(index), settled)])
        };
        let mut results = after([Message::Program(program(&[1, 2, 3])), settled(0, &[1])]);
        assert!(!results.outcome.statuses[obligation(0)].is_settled());
        assert_eq!(results.settled_by(obligation(0)), None);
        results.take(settled(1, &[]));
        assert_eq!(results.outcome.statuses[obligation(0)], Status::Proved);
        assert_eq!(results.settled_by(obligation(0)), Some("kind"));
        assert!(!results.outcome.statuses[obligation(2)].is_settled());
    }

    #[test]
    fn it_is_known_who_settled_what_and_how_far_the_work_is() {
        let mut results = Results::default();
        assert_eq!(results.progress(), "");
        results.take(Message::Program(program(&[1, 2, 3])));
        assert_eq!(results.progress(), "0 of 3 settled");
        results.take(Message::Violation(violation(0, 1)));
        let bound = |name: &str, reached| crate::outcome::Bound {
            name: name.to_owned(),
            place: None,
            reached,
            recursion: false,
        };
        results.take(Message::Progress(Progress {
            what: "solving".to_owned(),
            bounds: vec![bound("main.loop.1", 3), bound("main.loop.3", 17)],
            stats: Stats::default(),
        }));
        assert_eq!(
            results.progress(),
            "1 violated, 1 of 3 settled, main.loop.3 at 17"
        );
        let outcome = Outcome {
            statuses: [
                Status::Proved,
                Status::Proved,
                Status::Unknown(Reason::Timeout),
            ]
            .into_iter()
            .collect(),
            by: [(obligation(1), "absint".to_owned())].into(),
            ..Outcome::default()
        };
        results.take(Message::Outcome("bmc".to_owned(), Box::new(outcome)));
        let by = [0, 1, 2].map(|index| results.settled_by(obligation(index)));
        assert_eq!(by, [Some("bmc"), Some("absint"), None]);
    }

    #[test]
    fn another_program_keeps_violations_by_their_names() {
        let results = after([
            Message::Program(program(&[1, 2])),
            Message::Progress(Progress {
                what: "solving".to_owned(),
                bounds: Vec::new(),
                stats: Stats::default(),
            }),
            Message::Violation(violation(0, 1)),
            Message::Program(program(&[3, 2, 1])),
        ]);
        let statuses = &results.outcome.statuses;
        assert_eq!(statuses.len(), 3);
        assert_eq!(statuses[obligation(2)], Status::Violated);
        assert_ne!(statuses[obligation(0)], Status::Violated);
    }
}
