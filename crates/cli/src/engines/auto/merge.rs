//! What several engines found, as one outcome.
//!
//! A status says something of the program's executions, whoever found it out: what is settled by one engine is settled. The
//! rest of an outcome speaks for all of it (second opinions, layouts, gaps), and goes along with what rests on it.

use ir::syntax::Obligation;
use results::{
    Known, Layouts, Message, Outcome, Reason, Results, SecondOpinion, Settled, Sink, Status, Task,
    Violation,
};

use super::ABSINT;

/// Is everything proved, and nothing open?
pub(super) fn proves_all(outcome: &Outcome) -> bool {
    let proved = outcome.statuses.values().all(|status| match status {
        Status::Proved | Status::Unreachable | Status::Vacuous => true,
        Status::ProvedBounded(_) | Status::Violated | Status::Unknown(_) => false,
    });
    proved && outcome.reason.is_none() && outcome.gaps.is_empty()
}

/// What invariants have proved, each for itself, is known from now on: a proof rests on nothing but facts that were proved with it.
pub(super) fn hand_on(task: &Task<'_>, found: &Outcome, known: &mut Known, sink: &dyn Sink) {
    if matches!(found.second, Some(SecondOpinion::Missing(_))) {
        return;
    }
    let mut list = Vec::new();
    for (obligation, status) in found.statuses.iter() {
        let proved = match status {
            Status::Proved | Status::Unreachable | Status::Vacuous => true,
            Status::ProvedBounded(_) | Status::Violated | Status::Unknown(_) => false,
        };
        let check = &task.module.obligations[obligation].check;
        if proved && !task.monitors.contains(check) {
            let settled = Settled {
                status: status.clone(),
                by: ABSINT.to_owned(),
                rests_on: Vec::new(),
            };
            known.settle(obligation, settled.clone());
            list.push((obligation, settled));
        }
    }
    if !list.is_empty() {
        sink.tell(Message::Settled(list));
    }
}

/// The outcome of both: who settled what, and what that rests on.
pub(super) fn together(outcome: &mut Outcome, found: &Outcome, known: &Known) {
    // Nothing here has a condition, so that no program has to be named.
    let first = known.grounded("").settled;
    let mut any = false;
    for (&obligation, settled) in &first {
        if outcome.statuses[obligation] == settled.status {
            outcome.by.insert(obligation, settled.by.clone());
            any = true;
        }
    }
    if !any {
        return;
    }
    outcome.invariants.clone_from(&found.invariants);
    if outcome.layouts == Layouts::NotAsked && found.layouts == Layouts::All {
        outcome.layouts = Layouts::All;
    }
    if outcome.second == Some(SecondOpinion::Folded) {
        outcome.second.clone_from(&found.second);
    }
}

/// Is there nothing left to ask, and did somebody else look at what was proved?
pub(super) fn answers(outcome: &Outcome, options: &bmc::Options) -> bool {
    let first = options.violations == bmc::Violations::First;
    if first && !outcome.violations.is_empty() {
        return true;
    }
    let settled = outcome.statuses.values().all(Status::is_settled);
    let alone = matches!(outcome.second, Some(SecondOpinion::Missing(_)));
    settled
        && outcome.reason.is_none()
        && outcome.gaps.is_empty()
        && outcome.unconfirmed.is_empty()
        && outcome.contradictions.is_empty()
        && !alone
}

/// Violations that were found before, and that nobody has found again.
pub(super) fn remember(outcome: &mut Outcome, before: Vec<Violation>) {
    for violation in before {
        let obligation = violation.obligation;
        let mut known = outcome.violations.iter().chain(&outcome.contradictions);
        if known.any(|other| other.obligation == obligation) {
            continue;
        }
        if holds(&outcome.statuses[obligation]) {
            // A proof and an execution against it: one of the two is wrong.
            outcome.statuses[obligation] = Status::Unknown(Reason::Unconfirmed);
            outcome.contradictions.push(violation);
        } else {
            outcome.statuses[obligation] = Status::Violated;
            outcome.violations.push(violation);
        }
    }
}

/// A few executions try to break what parts have proved: here, where no part can be in the way of it.
pub(super) fn referee(task: &Task<'_>, options: &bmc::Options, outcome: &mut Outcome) {
    if options.continue_after_failure || !outcome.statuses.values().any(holds) {
        return;
    }
    let Some(violation) = bmc::broken(task.module, task.monitors) else {
        return;
    };
    // An execution may rest on what is known only roughly: against a proof it counts, for itself it does not.
    if holds(&outcome.statuses[violation.obligation]) {
        remember(outcome, vec![violation]);
    }
}

/// Does it say that no execution violates the obligation?
fn holds(status: &Status) -> bool {
    match status {
        Status::Proved | Status::Unreachable | Status::Vacuous => true,
        Status::ProvedBounded(_) | Status::Violated | Status::Unknown(_) => false,
    }
}

/// Adds to an outcome what another engine, of this name, has settled, and what that rests on.
pub(super) fn adopt(outcome: &mut Outcome, other: Outcome, name: &str, unasked: bool) {
    let alone = match other.second {
        Some(SecondOpinion::Missing(_)) => true,
        None => !unasked,
        Some(_) => false,
    };
    let layout = matches!(other.layouts, Layouts::One(_));
    let mut any = false;
    for (obligation, status) in other.statuses.iter() {
        if outcome.statuses[obligation].is_settled() {
            continue;
        }
        if holds(status) && !alone && !layout {
            outcome.statuses[obligation] = status.clone();
            let by = other.by.get(&obligation).map_or(name, String::as_str);
            outcome.by.insert(obligation, by.to_owned());
            if other.weighed.contains(&obligation) {
                outcome.weighed.insert(obligation);
            }
            let goes_along = |list: &mut Vec<Obligation>, others: &[Obligation]| {
                if others.contains(&obligation) && !list.contains(&obligation) {
                    list.push(obligation);
                }
            };
            goes_along(&mut outcome.behind, &other.behind);
            goes_along(&mut outcome.vanished, &other.vanished);
            any = true;
        } else if let (Status::Unknown(_), Status::ProvedBounded(_)) =
            (&outcome.statuses[obligation], status)
            && outcome.statuses[obligation].is_given_up()
        {
            outcome.statuses[obligation] = status.clone();
        }
    }
    remember(outcome, other.violations);
    for violation in other.contradictions {
        outcome.contradictions.push(violation);
    }
    for unconfirmed in other.unconfirmed {
        if !outcome.unconfirmed.contains(&unconfirmed) {
            outcome.unconfirmed.push(unconfirmed);
        }
    }
    if any {
        outcome.invariants.extend(other.invariants);
        outcome.invariants.sort();
        outcome.invariants.dedup();
        if outcome.layouts == Layouts::NotAsked {
            outcome.layouts = other.layouts;
        }
        if matches!(outcome.second, None | Some(SecondOpinion::Folded)) {
            outcome.second = other.second;
        }
    }
    close(outcome);
}

/// Adds to an outcome what an engine that did not come to its end has settled for good.
pub(super) fn adopt_settled(outcome: &mut Outcome, other: &Results) {
    let program = other.program.as_ref();
    let grounded = other
        .known
        .grounded(program.map_or("", |program| &program.fingerprint));
    for (obligation, settled) in grounded.settled {
        if holds(&settled.status) && !outcome.statuses[obligation].is_settled() {
            outcome.statuses[obligation] = settled.status.clone();
            outcome.by.insert(obligation, settled.by.clone());
        }
    }
    close(outcome);
}

/// A limit is no reason any more if everything is settled in spite of it.
fn close(outcome: &mut Outcome) {
    let limited = match &outcome.reason {
        Some(Reason::Timeout | Reason::Memory | Reason::Bounded | Reason::Solver(_)) => true,
        Some(_) | None => false, // It says that something is wrong, or unknown for good.
    };
    let mut open = outcome.statuses.values();
    if limited && open.all(Status::is_settled) {
        outcome.reason = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What an engine whose proofs were confirmed says of so many obligations.
    fn outcome(statuses: &[Status]) -> Outcome {
        Outcome {
            statuses: statuses.iter().cloned().collect(),
            second: Some(SecondOpinion::Agrees("z3".to_owned())),
            ..Outcome::default()
        }
    }

    const OPEN: Status = Status::Unknown(Reason::Timeout);

    fn status(outcome: &Outcome, index: usize) -> Status {
        outcome.statuses[Obligation::from_index(index)].clone()
    }

    #[test]
    fn what_either_has_settled_is_settled() {
        let mut one = outcome(&[Status::Proved, OPEN, OPEN]);
        one.reason = Some(Reason::Timeout);
        let two = outcome(&[OPEN, Status::Proved, Status::ProvedBounded(4)]);
        adopt(&mut one, two.clone(), "bmc", false);
        assert_eq!(status(&one, 1), Status::Proved);
        assert_eq!(status(&one, 2), Status::ProvedBounded(4));
        assert_eq!(one.by[&Obligation::from_index(1)], "bmc");
        assert_eq!(one.reason, Some(Reason::Timeout));
        adopt(
            &mut one,
            outcome(&[OPEN, OPEN, Status::Unreachable]),
            "kind",
            false,
        );
        assert_eq!(one.reason, None);
        // What is more than a limit stays.
        let mut one = outcome(&[Status::Proved, OPEN, OPEN]);
        one.reason = Some(Reason::Unconfirmed);
        adopt(
            &mut one,
            outcome(&[OPEN, Status::Proved, Status::Proved]),
            "bmc",
            false,
        );
        assert_eq!(one.reason, Some(Reason::Unconfirmed));
    }

    #[test]
    fn a_proof_that_nobody_confirmed_is_not_taken_over() {
        let missing = Some(SecondOpinion::Missing("no time".to_owned()));
        let one_layout = Layouts::One(Vec::new());
        for (second, layouts, unasked, taken) in [
            (missing.clone(), Layouts::NotAsked, false, false),
            (missing, Layouts::NotAsked, true, false),
            (None, Layouts::NotAsked, false, false),
            (None, Layouts::NotAsked, true, true),
            (Some(SecondOpinion::Folded), one_layout, false, false),
            (Some(SecondOpinion::Folded), Layouts::All, false, true),
        ] {
            let mut one = outcome(&[OPEN]);
            let two = Outcome {
                second,
                layouts,
                ..outcome(&[Status::Proved])
            };
            adopt(&mut one, two, "bmc", unasked);
            assert_eq!(status(&one, 0) == Status::Proved, taken);
        }
    }
}
