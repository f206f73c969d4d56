//! The report for code scanning: SARIF 2.1.0, as GitHub, GitLab and editors read it.
//!
//! A result is a violation (level `error`) or something that is not proved (kind `open`, with the reason). What was proved is
//! none. A rule is a check, with its help. A violation has a code flow: its story, then the calls that lead to it, outermost first, with
//! what their variables held. Fingerprints are ids of obligations, so that a result stays the same when lines move.

use std::path::Path;

use base::Place;
use checks::registry::{CHECKS, Check};
use results::{Claim, Status, Violation};
use serde_json::{Value, json};

use super::{Format, Report, story};

/// `--sarif`.
pub const FORMAT: Format = Format {
    option: "sarif",
    help: "Write violations and what is not proved as SARIF 2.1.0, for code scanning (`-` is standard output)",
    render,
};

/// The official schema.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

fn render(report: &Report<'_>) -> String {
    let results = report.results;
    let mut list = Vec::new();
    for (_, claim, status) in results.shown() {
        match status {
            Status::Proved | Status::Unreachable => {}
            Status::Violated => {
                let mut found = results.outcome.violations.iter();
                let found = found.find(|violation| violation.claim.id == claim.id);
                list.push(violated(claim, found));
            }
            Status::Vacuous | Status::ProvedBounded(_) | Status::Unknown(_) => {
                list.push(open(claim, status));
            }
        }
    }
    if let Some(news) = &report.news {
        for result in &mut list {
            let id = result["partialFingerprints"]["selkieObligation/v1"].as_str();
            let new = id.is_some_and(|id| news.violated.contains(id) || news.open.contains(id));
            result["baselineState"] = json!(if new { "new" } else { "unchanged" });
        }
    }
    let mut notifications = Vec::new();
    if let Some(failure) = report.failure() {
        notifications.push(json!({"level": "error", "message": {"text": failure}}));
    } else if let Some(note) = report.note() {
        notifications.push(json!({"level": "warning", "message": {"text": note}}));
    }
    let ledger: Vec<&str> = results.ledger.entries().collect();
    let value = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "selkie",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": CHECKS.iter().map(|check| rule(check)).collect::<Vec<_>>(),
            }},
            "invocations": [{
                "executionSuccessful": report.failure().is_none(),
                "exitCode": report.verdict.exit_code(),
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "utf16CodeUnits",
            "results": list,
            "properties": {"verdict": report.verdict.to_string(), "restsOn": ledger},
        }],
    });
    format!("{value:#}\n")
}

fn rule(check: &Check) -> Value {
    let help = format!("{}\n\n    {}", check.meaning, check.example);
    let mut tags = vec!["correctness".to_owned()];
    if let Some(cwe) = check.cwe {
        tags.push(format!("external/cwe/cwe-{cwe:03}"));
    }
    json!({
        "id": check.name,
        "name": check.title,
        "shortDescription": {"text": check.title},
        "fullDescription": {"text": check.meaning},
        "help": {"text": help},
        "properties": {"tags": tags},
    })
}

/// What every result has.
fn result(claim: &Claim, level: &str, text: &str) -> Value {
    json!({
        "ruleId": claim.check.name(),
        "ruleIndex": CHECKS.iter().position(|check| check.id == claim.check),
        "level": level,
        "message": {"text": text},
        "locations": [{"physicalLocation": physical(claim.place.as_ref())}],
        "partialFingerprints": {"selkieObligation/v1": claim.id},
    })
}

fn violated(claim: &Claim, found: Option<&Violation>) -> Value {
    let explanation = found.map(|violation| &violation.failure.explanation);
    let sentence = explanation.map_or("", |explanation| explanation.sentence.as_str());
    let text = match sentence.is_empty() {
        true => claim.text.clone(),
        false => format!("{}: {sentence}", claim.text),
    };
    let mut value = result(claim, "error", &text);
    value["kind"] = json!("fail");
    let place = found.map_or(claim.place.as_ref(), Violation::place);
    value["locations"] = json!([{"physicalLocation": physical(place)}]);
    let Some(explanation) = explanation else {
        return value;
    };
    let mut steps = Vec::new();
    let told = found.and_then(|violation| violation.story.as_deref());
    for step in told.map(story::important).unwrap_or_default() {
        let place = step.place.filter(|place| place.line > 0);
        steps.push(json!({
            "location": {"physicalLocation": physical(place), "message": {"text": step.text}},
            "nestingLevel": step.depth,
            "importance": "essential",
        }));
    }
    for frame in explanation.stack.iter().rev() {
        let held: Vec<String> = frame
            .vars
            .iter()
            .map(|shown| format!("{} = {}", shown.name, shown.value))
            .collect();
        let text = match held.is_empty() {
            true => format!("in {}", frame.func),
            false => format!("in {}: {}", frame.func, held.join(", ")),
        };
        steps.push(json!({"location": {
            "physicalLocation": physical(frame.place.as_ref()),
            "message": {"text": text},
        }}));
    }
    steps.push(json!({"location": {
        "physicalLocation": physical(claim.place.as_ref()),
        "message": {"text": text},
    }}));
    value["codeFlows"] = json!([{"threadFlows": [{"locations": steps}]}]);
    if let Some(made) = explanation
        .object
        .as_ref()
        .and_then(|object| object.allocated.as_ref())
    {
        let text = explanation.object.as_ref().map(ToString::to_string);
        value["relatedLocations"] = json!([{
            "physicalLocation": physical(Some(made)),
            "message": {"text": text},
        }]);
    }
    value
}

fn open(claim: &Claim, status: &Status) -> Value {
    let text = format!("{}: not proved: {status}", claim.text);
    let mut value = result(claim, "none", &text);
    value["kind"] = json!("open");
    value
}

/// Where something is. Lines and columns count from one; a column of zero is not known.
fn physical(place: Option<&Place>) -> Value {
    let Some(place) = place else {
        return json!({"artifactLocation": {"uri": "unknown"}});
    };
    let mut region = json!({"startLine": place.line.max(1)});
    if place.col > 0 {
        region["startColumn"] = json!(place.col);
    }
    json!({"artifactLocation": {"uri": uri(&place.file)}, "region": region})
}

/// A file as a URI: what a URI has a meaning of its own for is written by numbers.
fn uri(file: &str) -> String {
    let mut uri = String::new();
    if Path::new(file).is_absolute() {
        uri.push_str("file://");
    }
    for byte in file.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
        match plain {
            true => uri.push(char::from(byte)),
            false => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::uri;

    #[test]
    fn files_are_written_as_uris() {
        assert_eq!(uri("src/a b.c"), "src/a%20b.c");
        assert_eq!(uri("/x/ü.c"), "file:///x/%C3%BC.c");
    }
}
