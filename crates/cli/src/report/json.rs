//! The report for programs. `schema_version` changes when a field changes its meaning or goes away.

use bmc::SecondOpinion;
use checks::trace::Event;
use ir::syntax::{Module, PlaceId};
use serde_json::{Value, json};

use super::{Report, id, property};
use crate::failure::Failure;

/// The version of the format.
pub const SCHEMA_VERSION: u32 = 1;

/// That there is no report.
pub fn error(failure: &Failure) -> Value {
    json!({
        "schema_version": SCHEMA_VERSION,
        "verdict": format!("error({})", failure.word()),
        "reason": failure.message,
    })
}

/// What was found before there could be a report.
pub fn unfinished(
    verdict: &str,
    reason: &str,
    violations: &[Value],
    bounds: &Value,
    ledger: &[String],
) -> Value {
    json!({
        "schema_version": SCHEMA_VERSION,
        "verdict": verdict,
        "reason": reason,
        "violations": violations,
        "bounds": bounds,
        "ledger": ledger,
    })
}

/// A report.
pub fn value(report: &Report) -> Value {
    let module = &report.module;
    let obligations: Vec<Value> = module
        .obligations
        .iter()
        .filter(|(obligation, _)| report.is_shown(*obligation))
        .map(|(obligation, data)| {
            json!({
                "id": id(module, obligation),
                "check": data.check,
                "property": property(module, obligation),
                "description": data.text,
                "place": place(module, data.place),
                "status": report.outcome.statuses[obligation].to_string(),
            })
        })
        .collect();
    let violations: Vec<Value> = report
        .outcome
        .violations
        .iter()
        .map(|violation| self::violation(module, violation))
        .collect();
    let contradictions: Vec<Value> = report
        .outcome
        .contradictions
        .iter()
        .map(|violation| self::violation(module, violation))
        .collect();
    let stages: Vec<Value> = report
        .stages
        .iter()
        .map(|stage| json!({"name": stage.name, "seconds": stage.time.as_secs_f64()}))
        .collect();
    let stats = &report.outcome.stats;
    json!({
        "schema_version": SCHEMA_VERSION,
        "verdict": report.verdict.to_string(),
        "reason": report.outcome.reason.as_ref().map(ToString::to_string),
        "engine": report.engine,
        "evidence": evidence(report),
        "obligations": obligations,
        "violations": violations,
        "contradictions": contradictions,
        "not_reached_or_behind_violations": report.outcome.vanished.iter().map(|&o| id(module, o)).collect::<Vec<_>>(),
        "behind_violations": report.outcome.behind.iter().map(|&o| id(module, o)).collect::<Vec<_>>(),
        "bounds": bounds(module, &report.outcome.bounds),
        "gaps": report.outcome.gaps,
        "layout": layout(module, &report.outcome.layouts),
        "ledger": report.ledger.entries().collect::<Vec<_>>(),
        "stages": stages,
        "stats": {
            "rounds": stats.rounds, "bound": stats.bound, "terms": stats.terms, "steps": stats.steps,
            "folded": stats.folded, "asked": stats.asked, "queries": stats.queries,
        },
    })
}

/// The looks at addresses on which the missing proof hangs.
fn layout(module: &Module, layouts: &bmc::Layouts) -> Vec<Value> {
    match layouts {
        bmc::Layouts::One(looks) => looks
            .iter()
            .map(|look| json!({"what": look.what, "place": place(module, look.place)}))
            .collect(),
        bmc::Layouts::NotAsked | bmc::Layouts::All => Vec::new(),
    }
}

fn evidence(report: &Report) -> &'static str {
    if !report.outcome.violations.is_empty() {
        "replayed by the interpreter"
    } else {
        match &report.outcome.second {
            Some(SecondOpinion::Agrees(_)) => "confirmed by a second solver",
            Some(SecondOpinion::Folded) => "decided by evaluation",
            Some(SecondOpinion::Executed) => "executed by the interpreter",
            Some(SecondOpinion::Missing(_)) | None => "none",
        }
    }
}

fn place(module: &Module, place: Option<PlaceId>) -> Value {
    match place {
        None => Value::Null,
        Some(place) => {
            let at = &module.places[place].place;
            json!({"file": &*at.file, "line": at.line, "column": at.col})
        }
    }
}

/// Bounds that were reached.
pub fn bounds(module: &Module, bounds: &[bmc::Bound]) -> Value {
    bounds
        .iter()
        .map(|bound| json!({"name": bound.name, "place": place(module, bound.place), "reached": bound.reached, "recursion": bound.recursion}))
        .collect()
}

/// A violation.
pub fn violation(module: &Module, violation: &bmc::Violation) -> Value {
    let explanation = &violation.failure.explanation;
    let stack: Vec<Value> = explanation
        .stack
        .iter()
        .map(|frame| {
            let variables: Vec<Value> =
                frame.vars.iter().map(|shown| json!({"name": shown.name, "value": shown.value})).collect();
            json!({
                "function": frame.func,
                "place": frame.place.as_ref().map(|at| json!({"file": &*at.file, "line": at.line, "column": at.col})),
                "variables": variables,
            })
        })
        .collect();
    let trace: Vec<Value> = violation.trace.events.iter().map(event).collect();
    json!({
        "obligation": id(module, violation.obligation),
        "property": property(module, violation.obligation),
        "explanation": explanation.sentence,
        "object": explanation.object.as_ref().map(ToString::to_string),
        "stack": stack,
        "trace": trace,
    })
}

fn event(event: &Event) -> Value {
    match event {
        Event::Value(bits) => json!({"value": bits.to_string()}),
        Event::Object { address, bytes } => json!({"object": address, "bytes": bytes}),
        Event::Bytes(bytes) => json!({"bytes": bytes}),
        Event::Clobber(changes) => json!({"clobber": changes}),
    }
}
