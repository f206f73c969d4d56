//! The report for people.

use std::collections::BTreeMap;
use std::fmt::Write;

use base::Place;
use results::{Bound, Claim, Invariant, Layouts, Precondition, Reason, Status};

use super::paint::Paint;
use super::{Report, found, holds};
use crate::source::Sources;

/// So many obligations that are not proved for the same reason are listed.
const ALIKE: usize = 20;

/// What is said when a violation rests on undefined behaviour.
const UNDEFINED: &str = "note: violated only by executions that overflow a signed integer before, \
which C leaves undefined; next step: --overflow checked to see where, \
--overflow wraps if it is meant to wrap, --overflow ends if it is known not to happen\n";

/// The whole report, without the result line; nothing if not even the program could be read.
pub fn render(report: &Report<'_>) -> String {
    let mut out = String::new();
    let results = report.results;
    let outcome = &results.outcome;
    let Some(program) = &results.program else {
        return out;
    };
    for found in super::unprinted(&outcome.violations, report.printed) {
        out.push_str(&found::violation(found, report.trace, report.paint));
        out.push('\n');
    }
    let mut order: Vec<_> = results.shown().collect();
    order.sort_by_key(|&(obligation, claim, _)| (claim.place.clone(), obligation));
    let mut alike: BTreeMap<String, usize> = BTreeMap::new();
    for (obligation, claim, status) in order {
        let by = results
            .settled_by(obligation)
            .filter(|_| report.verbose > 1);
        let mut missing = outcome.preconditions.iter();
        let missing = missing.find(|found| found.violation.claim.id == claim.id);
        let open = match status {
            Status::Proved | Status::Unreachable | Status::Violated => false,
            Status::ProvedBounded(_) | Status::Vacuous | Status::Unknown(_) => {
                let same = alike.entry(status.to_string()).or_default();
                *same += 1;
                *same <= ALIKE || missing.is_some()
            }
        };
        if open || report.verbose > 0 {
            line(&mut out, claim, status, by, report.paint);
        }
        if let Some(found) = missing {
            out.push_str(&found::body(&found.violation, report.trace, report.paint));
            out.push_str(&precondition(found));
        }
    }
    if report.verbose == 0 {
        for (status, count) in alike.iter().filter(|(_, count)| **count > ALIKE) {
            let more = count - ALIKE;
            let _ = writeln!(out, "… and {more} more that are {status}; -v lists them");
        }
        out.push_str(&holds::lines(report));
    }
    let id = |obligation| &program.claims[obligation].id;
    for (obligation, why) in &outcome.unconfirmed {
        let _ = writeln!(
            out,
            "note: the counterexample of {} did not replay: {why}",
            id(*obligation)
        );
    }
    for contradiction in &outcome.contradictions {
        let _ = writeln!(
            out,
            "note: {} was proved, and yet this execution violates it: one of the two is wrong, please report it",
            contradiction.claim.id
        );
        out.push_str(&found::body(contradiction, report.trace, report.paint));
    }
    for obligation in &outcome.behind {
        let _ = writeln!(
            out,
            "note: {} stands behind a violation on all its paths, where executions end; next step: --after-failure continue",
            id(*obligation)
        );
    }
    for obligation in &outcome.vanished {
        let _ = writeln!(
            out,
            "note: {} is not reached, or only behind a violation, where executions end",
            id(*obligation)
        );
    }
    // Where everything is settled, no bound is in the way.
    if results.shown().any(|(_, _, status)| !status.is_settled()) {
        out.push_str(&bounds(&outcome.bounds, report.stopped_by_a_limit()));
    }
    for gap in &outcome.gaps {
        let _ = writeln!(out, "note: not modelled: {gap}");
    }
    if let Layouts::One(looks) = &outcome.layouts {
        for look in looks {
            let _ = writeln!(
                out,
                "{}: note: depends on where objects lie in memory: {}",
                place(look.place.as_ref()),
                look.what
            );
        }
    }
    if outcome.reason == Some(Reason::Undefined) {
        out.push_str(UNDEFINED);
    }
    if report.invariants {
        out.push_str(&invariants(&outcome.invariants));
    }
    if let Some(note) = report.note() {
        let _ = writeln!(out, "note: {note}");
    }
    summary(&mut out, report);
    out
}

/// The lines of loops, each with what holds whenever an execution comes there.
fn invariants(list: &[Invariant]) -> String {
    let sources = Sources::default();
    let mut out = String::new();
    let mut last = None;
    for invariant in list {
        let at = invariant.place.as_ref();
        if last != Some(at) {
            let line = at.and_then(|at| sources.line(&at.file, at.line));
            let line = line.map_or_else(String::new, |line| format!(": {}", line.trim()));
            let _ = writeln!(out, "{}{line}", place(at));
            last = Some(at);
        }
        let _ = writeln!(out, "    invariant: {} ({})", invariant.text, invariant.by);
    }
    if list.is_empty() {
        out.push_str("note: no invariant was proved that the source has names for\n");
    }
    out
}

fn line(out: &mut String, claim: &Claim, status: &Status, by: Option<&str>, paint: Paint) {
    let word = status.to_string();
    let status = match status {
        Status::Proved | Status::Unreachable => paint.good(&word),
        Status::Violated => paint.error(&word),
        Status::ProvedBounded(_) | Status::Vacuous | Status::Unknown(_) => paint.warning(&word),
    };
    let at = place(claim.place.as_ref());
    let by = by.map_or_else(String::new, |by| format!(" by {by}"));
    let _ = writeln!(out, "{at}: [{}] {}: {status}{by}", claim.id, claim.text);
}

fn place(place: Option<&Place>) -> String {
    place.map_or_else(|| "?:0:0".to_owned(), ToString::to_string)
}

/// What would be enough, and how that is said.
fn precondition(found: &Precondition) -> String {
    let what = match found.proved {
        true => "it holds",
        false => "no violation is found",
    };
    format!(
        "    note: {what} if callers keep to `{0}`; next step: --param '{0}', or make the function safe without it\n",
        found.rule
    )
}

/// The bounds that were reached, each with a next step that may help: a higher bound if it was the bound that ended the
/// work, and not time or memory.
fn bounds(bounds: &[Bound], limit: bool) -> String {
    let mut out = String::new();
    for bound in bounds {
        let at = place(bound.place.as_ref());
        let more = bound.reached.saturating_mul(4);
        let (what, step) = match (bound.recursion, limit) {
            (true, false) => (
                "recursion of",
                format!("--depth {more}, or an assumption that bounds it"),
            ),
            (true, true) => ("recursion of", "an assumption that bounds it".to_owned()),
            (false, false) => (
                "loop",
                format!(
                    "--unwind-set {}={more}, or an assumption that bounds it",
                    bound.name
                ),
            ),
            (false, true) => (
                "loop",
                "state what its rounds keep (sk_invariant), or an assumption that bounds it"
                    .to_owned(),
            ),
        };
        let _ = writeln!(
            out,
            "{at}: note: {what} {} was unrolled {} times and may go on; next step: {step}",
            bound.name, bound.reached
        );
    }
    out
}

fn summary(out: &mut String, report: &Report<'_>) {
    let count = |wanted: &dyn Fn(&Status) -> bool| {
        let shown = report.results.shown();
        shown.filter(|(_, _, status)| wanted(status)).count()
    };
    let parts = [
        (count(&|s| matches!(s, Status::Violated)), "violated"),
        (count(&|s| matches!(s, Status::Proved)), "proved"),
        (
            count(&|s| matches!(s, Status::ProvedBounded(_))),
            "proved up to a bound only",
        ),
        (count(&|s| matches!(s, Status::Unreachable)), "unreachable"),
        (count(&|s| matches!(s, Status::Vacuous)), "vacuous"),
        (count(&|s| matches!(s, Status::Unknown(_))), "unknown"),
    ];
    let total: usize = parts.iter().map(|(number, _)| number).sum();
    let listed: Vec<String> = parts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{number} {word}"))
        .collect();
    let noun = if total == 1 {
        "obligation"
    } else {
        "obligations"
    };
    let _ = writeln!(
        out,
        "{total} {noun}: {}{} ({:.2} s)",
        if listed.is_empty() {
            "nothing to check".to_owned()
        } else {
            listed.join(", ")
        },
        settlers(report),
        report.time.as_secs_f64()
    );
    let ledger: Vec<&str> = report.results.ledger.entries().collect();
    if !ledger.is_empty() {
        out.push_str("rests on:\n");
    }
    for sentence in ledger {
        let _ = writeln!(out, "  - {sentence}");
    }
}

/// How many obligations each engine settled: `; by absint 12, kind 30`. Of one engine alone nothing has to be said.
fn settlers(report: &Report<'_>) -> String {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for (obligation, _, _) in report.results.shown() {
        if let Some(by) = report.results.settled_by(obligation) {
            *count.entry(by).or_default() += 1;
        }
    }
    if count.len() < 2 && report.verbose == 0 || count.is_empty() {
        return String::new();
    }
    let listed: Vec<String> = count
        .iter()
        .map(|(engine, number)| format!("{engine} {number}"))
        .collect();
    format!("; by {}", listed.join(", "))
}

/// Times and counts, one line each.
pub fn stats(report: &Report<'_>) -> String {
    let mut out = String::new();
    if report.results.stages.is_empty() {
        return out;
    }
    for stage in &report.results.stages {
        let _ = writeln!(
            out,
            "{:>10.1} ms  {}",
            stage.time.as_secs_f64() * 1e3,
            stage.name
        );
    }
    let stats = &report.results.outcome.stats;
    let _ = writeln!(
        out,
        "rounds {}, bound {}, terms {}, steps {}, checks decided by rewriting {}, checks asked {}, queries {}",
        stats.rounds,
        stats.bound,
        stats.terms,
        stats.steps,
        stats.folded,
        stats.asked,
        stats.queries
    );
    let (maps, objects) = stats.summaries;
    if maps + objects > 0 {
        let _ = writeln!(
            out,
            "summaries: {maps} with finite maps, {objects} over whole objects"
        );
    }
    for pass in &report.results.passes {
        let _ = writeln!(
            out,
            "{:>10.1} ms  pass {}",
            pass.time.as_secs_f64() * 1e3,
            pass.name
        );
    }
    for query in &report.results.queries {
        let _ = writeln!(
            out,
            "{:>10.1} ms  query {:04}: {}, {} of {} on {} terms",
            query.time.as_secs_f64() * 1e3,
            query.number,
            query.what,
            query.answer,
            query.solver,
            query.terms
        );
    }
    for (rule, count) in &stats.rules {
        let _ = writeln!(out, "{count:>10} times  rule {rule}");
    }
    out
}
