//! The report for programs. `schema_version` changes when a field changes its meaning or goes away.

use base::Place;
use results::story::{Step, Story, What};
use results::trace::Event;
use results::{
    Bound, Claim, Ending, Invariant, Layouts, Precondition, Query, SecondOpinion, Stage, Violation,
};
use serde_json::{Value, json};

use super::{Format, Report};

/// The version of the format.
const SCHEMA_VERSION: u32 = 1;

/// `--json`.
pub const FORMAT: Format = Format {
    option: "json",
    help: "Write all results as JSON (`-` is standard output, where nothing else stands then)",
    render,
};

fn render(report: &Report<'_>) -> String {
    format!("{:#}\n", value(report))
}

/// A report. Its fields are those of `docs/schema/verify.schema.json`, however the work ended; a test compares them.
fn value(report: &Report<'_>) -> Value {
    let results = report.results;
    let outcome = &results.outcome;
    let reason = match report.ending {
        Ending::Finished => outcome.reason.as_ref().map(ToString::to_string),
        Ending::Failed(_) | Ending::Crashed(_) => report.failure(),
        Ending::Stopped(_) => report.note(),
    };
    let program = results.program.as_ref();
    let id = |obligation| program.map(|program| &program.claims[obligation].id);
    let obligations: Vec<Value> = results
        .shown()
        .map(|(obligation, claim, status)| {
            json!({
                "id": claim.id,
                "check": claim.check,
                "property": claim.property,
                "description": claim.text,
                "place": place(claim.place.as_ref()),
                "status": status.to_string(),
                "by": results.settled_by(obligation),
            })
        })
        .collect();
    let stages: Vec<Value> = results.stages.iter().map(cost).collect();
    let stats = &outcome.stats;
    let mut value = json!({
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "selkie", "version": env!("CARGO_PKG_VERSION")},
        "command": std::env::args().skip(1).collect::<Vec<_>>(),
        "files": report.files,
        "seconds": report.time.as_secs_f64(),
        "verdict": report.verdict.to_string(),
        "exit_code": report.verdict.exit_code(),
        "reason": reason,
        "engine": results.engine,
        "evidence": evidence(report),
        "obligations": obligations,
        "violations": outcome.violations.iter().map(violation).collect::<Vec<_>>(),
        "preconditions": outcome.preconditions.iter().map(precondition).collect::<Vec<_>>(),
        "contradictions": outcome.contradictions.iter().map(violation).collect::<Vec<_>>(),
        "not_reached_or_behind_violations": outcome.vanished.iter().map(|&o| id(o)).collect::<Vec<_>>(),
        "behind_violations": outcome.behind.iter().map(|&o| id(o)).collect::<Vec<_>>(),
        "bounds": outcome.bounds.iter().map(bound).collect::<Vec<_>>(),
        "invariants": outcome.invariants.iter().map(invariant).collect::<Vec<_>>(),
        "gaps": outcome.gaps,
        "layout": layout(&outcome.layouts),
        "ledger": results.ledger.entries().collect::<Vec<_>>(),
        "stages": stages,
        "stats": {
            "rounds": stats.rounds, "bound": stats.bound, "terms": stats.terms, "steps": stats.steps,
            "folded": stats.folded, "asked": stats.asked, "queries": stats.queries,
            "summaries_with_maps": stats.summaries.0, "summaries_over_objects": stats.summaries.1,
        },
    });
    // What --stats asks for.
    if !results.passes.is_empty() {
        value["passes"] = results.passes.iter().map(cost).collect();
    }
    if !results.queries.is_empty() {
        value["queries"] = results.queries.iter().map(query).collect();
    }
    if !stats.rules.is_empty() {
        value["rules"] = json!(stats.rules);
    }
    value
}

fn cost(stage: &Stage) -> Value {
    json!({"name": stage.name, "seconds": stage.time.as_secs_f64()})
}

fn query(query: &Query) -> Value {
    json!({
        "number": query.number,
        "what": query.what,
        "solver": query.solver,
        "answer": query.answer,
        "seconds": query.time.as_secs_f64(),
        "terms": query.terms,
    })
}

/// The looks at addresses on which the missing proof hangs.
fn layout(layouts: &Layouts) -> Vec<Value> {
    match layouts {
        Layouts::One(looks) => looks
            .iter()
            .map(|look| json!({"what": look.what, "place": place(look.place.as_ref())}))
            .collect(),
        Layouts::NotAsked | Layouts::All => Vec::new(),
    }
}

fn evidence(report: &Report<'_>) -> &'static str {
    let outcome = &report.results.outcome;
    if !outcome.violations.is_empty() {
        "replayed by the interpreter"
    } else {
        match &outcome.second {
            Some(SecondOpinion::Agrees(_)) => "confirmed by a second solver",
            Some(SecondOpinion::Folded) => "decided by evaluation",
            Some(SecondOpinion::Executed) => "executed by the interpreter",
            Some(SecondOpinion::Missing(_)) | None => "none",
        }
    }
}

fn place(place: Option<&Place>) -> Value {
    match place {
        None => Value::Null,
        Some(at) => json!({"file": &*at.file, "line": at.line, "column": at.col}),
    }
}

fn invariant(invariant: &Invariant) -> Value {
    json!({"place": place(invariant.place.as_ref()), "text": invariant.text, "by": invariant.by})
}

fn bound(bound: &Bound) -> Value {
    json!({"name": bound.name, "place": place(bound.place.as_ref()), "reached": bound.reached, "recursion": bound.recursion})
}

/// A violation, with its story.
pub fn violation(violation: &Violation) -> Value {
    let explanation = &violation.failure.explanation;
    let stack: Vec<Value> = explanation
        .stack
        .iter()
        .map(|frame| {
            let variables: Vec<Value> = frame
                .vars
                .iter()
                .map(|shown| json!({"name": shown.name, "value": shown.value}))
                .collect();
            json!({
                "function": frame.func,
                "place": place(frame.place.as_ref()),
                "model": frame.model,
                "variables": variables,
            })
        })
        .collect();
    let Claim { id, property, .. } = &violation.claim;
    json!({
        "obligation": id,
        "property": property,
        "place": place(violation.place()),
        "inside": violation.inside().filter(|_| violation.claim.model),
        "explanation": explanation.sentence,
        "object": explanation.object.as_ref().map(ToString::to_string),
        "stack": stack,
        "trace": violation.trace.events.iter().map(event).collect::<Vec<_>>(),
        "globals": violation.globals,
        "unknown": violation.unknown,
        "story": violation.story.as_ref().map(|told| story(told)),
    })
}

/// What happened, in order, and which of it the violation comes from.
fn story(told: &Story) -> Value {
    let inputs: Vec<Value> = told
        .inputs
        .iter()
        .map(|input| {
            json!({
                "kind": input.kind,
                "name": input.name,
                "place": place(input.place.as_ref()),
                "value": input.value,
                "bits": input.bits,
                "event": input.event,
            })
        })
        .collect();
    let objects: Vec<Value> = told
        .objects
        .iter()
        .map(|object| {
            json!({
                "name": object.name,
                "kind": object.kind,
                "size": object.size,
                "alive": object.alive,
                "place": place(object.place.as_ref()),
                "hex": object.hex,
                "text": object.text,
                "pointers": object.pointers,
            })
        })
        .collect();
    json!({
        "sliced": told.sliced,
        "left_out": told.left_out,
        "inputs": inputs,
        "steps": told.steps.iter().map(step).collect::<Vec<_>>(),
        "objects": objects,
    })
}

fn step(step: &Step) -> Value {
    let (what, details) = match &step.what {
        What::Input(index) => ("input", json!({"input": index})),
        What::Assign {
            name,
            value,
            object,
        } => (
            "assign",
            json!({"name": name, "value": value, "object": object}),
        ),
        What::Branch(to) => ("branch", json!({"to": place(to.as_ref())})),
        What::Call(func) => ("call", json!({"callee": func})),
        What::Return(func) => ("return", json!({"callee": func})),
        What::Allocate { object, size } => ("allocate", json!({"object": object, "size": size})),
        What::Free(object) => ("free", json!({"object": object})),
        What::Lost(object) => ("lost", json!({"object": object})),
    };
    json!({
        "what": what,
        "place": place(step.place.as_ref()),
        "function": step.func,
        "depth": step.depth,
        "matters": step.matters,
        "details": details,
    })
}

fn precondition(found: &Precondition) -> Value {
    json!({
        "obligation": found.violation.claim.id,
        "param": found.rule,
        "proved": found.proved,
        "without": violation(&found.violation),
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
