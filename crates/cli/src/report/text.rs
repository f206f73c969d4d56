//! The report for people.

use std::fmt::Write;

use checks::verdict::{Reason, Status};
use ir::syntax::{Module, Obligation, PlaceId};

use super::{Report, id};
use crate::source::Sources;

/// What is said when a violation rests on undefined behaviour.
const UNDEFINED: &str = "note: violated only by executions that overflow a signed integer before, \
which C leaves undefined; next step: add overflow to --check to see where, \
or --cflags=-fwrapv if it is meant to wrap\n";

/// The whole report, without the result line.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    let module = &report.module;
    let mut order: Vec<Obligation> = module
        .obligations
        .keys()
        .filter(|o| report.is_shown(*o))
        .collect();
    order.sort_by_key(|&o| {
        let at = module.obligations[o]
            .place
            .map(|place| module.places[place].place.clone());
        (at, o)
    });
    for obligation in order {
        let status = &report.outcome.statuses[obligation];
        match report
            .outcome
            .violations
            .iter()
            .find(|violation| violation.obligation == obligation)
        {
            Some(found) => out.push_str(&violation(module, found)),
            None => line(&mut out, module, obligation, status),
        }
    }
    for (obligation, why) in &report.outcome.unconfirmed {
        let _ = writeln!(
            out,
            "note: the counterexample of {} did not replay: {why}",
            id(module, *obligation)
        );
    }
    for contradiction in &report.outcome.contradictions {
        let obligation = id(module, contradiction.obligation);
        let _ = writeln!(
            out,
            "note: {obligation} was proved, and yet this execution violates it: one of the two is wrong, please report it"
        );
        out.push_str(&explained(module, contradiction));
    }
    for obligation in &report.outcome.behind {
        let _ = writeln!(
            out,
            "note: {} stands behind a violation on all its paths, where executions end; next step: --after-failure continue",
            id(module, *obligation)
        );
    }
    for obligation in &report.outcome.vanished {
        let _ = writeln!(
            out,
            "note: {} is not reached, or only behind a violation, where executions end",
            id(module, *obligation)
        );
    }
    out.push_str(&bounds(module, &report.outcome.bounds));
    for gap in &report.outcome.gaps {
        let _ = writeln!(out, "note: not modelled: {gap}");
    }
    if let bmc::Layouts::One(looks) = &report.outcome.layouts {
        for look in looks {
            let at = place(module, look.place);
            let _ = writeln!(
                out,
                "{at}: note: depends on where objects lie in memory: {}",
                look.what
            );
        }
    }
    if report.outcome.reason == Some(Reason::Undefined) {
        out.push_str(UNDEFINED);
    }
    summary(&mut out, report);
    out
}

fn line(out: &mut String, module: &Module, obligation: Obligation, status: &Status) {
    let data = &module.obligations[obligation];
    let at = place(module, data.place);
    let _ = writeln!(
        out,
        "{at}: [{}] {}: {status}",
        id(module, obligation),
        data.text
    );
}

fn place(module: &Module, place: Option<PlaceId>) -> String {
    place.map_or_else(
        || "?:0:0".to_owned(),
        |place| module.places[place].place.to_string(),
    )
}

/// A violated obligation with its counterexample.
pub fn violation(module: &Module, violation: &bmc::Violation) -> String {
    let mut out = String::new();
    line(&mut out, module, violation.obligation, &Status::Violated);
    out.push_str(&explained(module, violation));
    out
}

/// Where and how an execution violates an obligation.
fn explained(module: &Module, violation: &bmc::Violation) -> String {
    let mut out = String::new();
    if let Some(at) = module.obligations[violation.obligation].place {
        excerpt(&mut out, &module.places[at].place);
    }
    let explanation = violation.failure.explanation.to_string();
    for line in explanation.lines() {
        let _ = writeln!(out, "    {line}");
    }
    out
}

/// The source line with a caret under the place.
fn excerpt(out: &mut String, place: &base::Place) {
    let Some(line) = Sources::default().line(&place.file, place.line) else {
        return;
    };
    let number = place.line.to_string();
    let _ = writeln!(out, "    {number} | {line}");
    let lead: String = line
        .chars()
        .take((place.col as usize).saturating_sub(1))
        .map(|c| if c == '\t' { '\t' } else { ' ' })
        .collect();
    let _ = writeln!(out, "    {} | {lead}^", " ".repeat(number.len()));
}

/// The bounds that were reached, each with the cheapest next step.
pub fn bounds(module: &Module, bounds: &[bmc::Bound]) -> String {
    let mut out = String::new();
    for bound in bounds {
        let at = place(module, bound.place);
        let (what, option) = if bound.recursion {
            (
                "recursion of",
                format!("--depth {}", bound.reached.saturating_mul(4)),
            )
        } else {
            (
                "loop",
                format!(
                    "--unwind-set {}={}",
                    bound.name,
                    bound.reached.saturating_mul(4)
                ),
            )
        };
        let _ = writeln!(
            out,
            "{at}: note: {what} {} was followed {} times and may go on; next step: {option}, or an assumption that bounds it",
            bound.name, bound.reached
        );
    }
    out
}

fn summary(out: &mut String, report: &Report) {
    let statuses = || {
        let shown = report
            .module
            .obligations
            .keys()
            .filter(|o| report.is_shown(*o));
        shown.map(|o| &report.outcome.statuses[o])
    };
    let count =
        |wanted: &dyn Fn(&Status) -> bool| statuses().filter(|status| wanted(status)).count();
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
        "{total} {noun}: {} ({:.2} s)",
        if listed.is_empty() {
            "nothing to check".to_owned()
        } else {
            listed.join(", ")
        },
        report.time.as_secs_f64()
    );
    out.push_str(&rests_on(report.ledger.entries()));
}

/// The assumption ledger, in a line.
pub fn rests_on<'l>(entries: impl Iterator<Item = &'l str>) -> String {
    let entries: Vec<&str> = entries.collect();
    if entries.is_empty() {
        return String::new();
    }
    format!("rests on: {}\n", entries.join("; "))
}

/// Times and counts, one line each.
pub fn stats(report: &Report) -> String {
    let mut out = String::new();
    for stage in &report.stages {
        let _ = writeln!(
            out,
            "{:>10.1} ms  {}",
            stage.time.as_secs_f64() * 1e3,
            stage.name
        );
    }
    let stats = &report.outcome.stats;
    let _ = writeln!(
        out,
        "rounds {}, bound {}, terms {}, steps {}, checks folded {}, checks asked {}, queries {}",
        stats.rounds,
        stats.bound,
        stats.terms,
        stats.steps,
        stats.folded,
        stats.asked,
        stats.queries
    );
    out
}
