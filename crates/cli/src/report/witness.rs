//! The witness, as SV-COMP has it: format 2.0, in YAML.
//!
//! A violation has the values that inputs returned, in order, and the place of the violation. A proof has the invariants of loops that
//! were proved and that C can say. `selkie validate-witness` reads both.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

use base::Place;
use results::{Invariant, Verdict, Violation};
use sha2::{Digest, Sha256};

use super::reproducer::{asked, result_type};
use super::{Format, Report};
use crate::args::DataModel;
use crate::ctext;
use crate::source::Sources;

/// `--witness`.
pub const FORMAT: Format = Format {
    option: "witness",
    help: "Write a witness of SV-COMP (YAML, format 2.0): of the first violation, or of the proof with the invariants of its loops (`-` is \
        standard output)",
    render,
};

fn render(report: &Report<'_>) -> String {
    let violations = &report.results.outcome.violations;
    let first = violations.iter().min_by_key(|violation| violation.place());
    let (kind, content) = match (&report.verdict, first) {
        (Verdict::False(_), Some(violation)) => ("violation_sequence", sequence(violation)),
        (Verdict::True, _) => ("invariant_set", invariants(report)),
        _ => {
            return format!(
                "# Written by selkie {}: {} has no witness.\n[]\n",
                env!("CARGO_PKG_VERSION"),
                report.verdict
            );
        }
    };
    let mut out = String::new();
    let _ = writeln!(out, "- entry_type: {kind}");
    out.push_str(&metadata(report, first, &content));
    match content.is_empty() {
        true => out.push_str("  content: []\n"),
        false => {
            out.push_str("  content:\n");
            out.push_str(&content);
        }
    }
    out
}

/// Who wrote it, when, and about what.
fn metadata(report: &Report<'_>, violation: Option<&Violation>, content: &str) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |time| time.as_secs());
    let mut files = String::new();
    let mut hashes = String::new();
    for file in report.files {
        let name = quoted(&file.display().to_string());
        let _ = writeln!(files, "      - {name}");
        let bytes = std::fs::read(file).unwrap_or_default();
        let _ = writeln!(hashes, "        {name}: {}", digest(&bytes));
    }
    let number = digest(format!("{now}{hashes}{content}").as_bytes());
    let model = match report.args.input.data_model {
        Some(DataModel::Ilp32) => "ILP32",
        Some(DataModel::Lp64) | None => "LP64",
    };
    let specification = quoted(&specification(report, violation));
    let uuid = format!(
        "{}-{}-4{}-8{}-{}",
        &number[..8],
        &number[8..12],
        &number[13..16],
        &number[17..20],
        &number[20..32]
    );
    format!(
        "  metadata:\n    format_version: \"2.0\"\n    uuid: {}\n    creation_time: {}\n    producer:\n      name: selkie\n      version: {}\n    task:\n      input_files:\n{files}      input_file_hashes:\n{hashes}      specification: {specification}\n      data_model: {model}\n      language: C\n",
        quoted(&uuid),
        quoted(&date(now)),
        quoted(env!("CARGO_PKG_VERSION")),
    )
}

/// The property file, or what would be in one.
fn specification(report: &Report<'_>, violation: Option<&Violation>) -> String {
    let file = report.args.input.prp.as_ref();
    if let Some(text) = file.and_then(|file| std::fs::read_to_string(file).ok()) {
        return text.trim().to_owned();
    }
    let entry = report.args.input.entry.as_deref().unwrap_or("main");
    let mut properties: Vec<&str> = match violation {
        Some(violation) => vec![violation.claim.property.as_str()],
        None => report
            .results
            .shown()
            .map(|(_, claim, _)| &*claim.property)
            .collect(),
    };
    properties.sort_unstable();
    properties.dedup();
    let formulas: Vec<String> = properties
        .iter()
        .map(|property| {
            let formula = match *property {
                "unreach-call" => "! call(reach_error())",
                "no-overflow" => "! overflow",
                other => other,
            };
            format!("CHECK( init({entry}()), LTL(G {formula}) )")
        })
        .collect();
    formulas.join("\n")
}

/// What inputs returned, and where it ends.
fn sequence(violation: &Violation) -> String {
    let sources = Sources::default();
    let mut out = String::new();
    let none = Vec::new();
    let story = violation.story.as_ref();
    for input in story.map_or(&none, |story| &story.inputs) {
        let (Some(place), Some(name)) = (&input.place, asked(input, &sources)) else {
            continue;
        };
        let Some(value) = constant(&name, input) else {
            continue;
        };
        let line = sources.line(&place.file, place.line).unwrap_or_default();
        // Where it cannot be said exactly, it is not said: what is missing makes a witness weaker, not wrong.
        let Some(column) = ctext::call_end(&line, &name) else {
            continue;
        };
        let at = Place::new(&*place.file, place.line, column);
        waypoint(
            &mut out,
            "function_return",
            &at,
            function(violation, place),
            Some(&value),
        );
    }
    if let Some(place) = violation.place() {
        let line = sources.line(&place.file, place.line).unwrap_or_default();
        let column = ctext::statement(&line, place.col);
        let at = Place::new(&*place.file, place.line, column);
        waypoint(&mut out, "target", &at, function(violation, place), None);
    }
    out
}

/// The function of the source that a place is in, as far as the execution tells.
fn function<'v>(violation: &'v Violation, place: &Place) -> Option<&'v str> {
    let story = violation.story.as_ref()?;
    let here = |at: &Option<Place>| {
        at.as_ref()
            .is_some_and(|at| (&at.file, at.line) == (&place.file, place.line))
    };
    let steps = story.steps.iter();
    let mut steps = steps.filter(|step| here(&step.place));
    let frames = violation.failure.explanation.stack.iter();
    let mut frames = frames.filter(|frame| here(&frame.place));
    let step = steps.next().map(|step| step.func.as_str());
    step.or_else(|| frames.next().map(|frame| frame.func.as_str()))
}

/// `\result == 42`; none for what has no such constant.
fn constant(name: &str, input: &results::story::Input) -> Option<String> {
    let bits: base::Bv = input.bits.as_ref()?.parse().ok()?;
    let ty = result_type(name, input);
    let value = match ty {
        "float" | "double" | "long double" | "void *" => return None,
        "_Bool" | "__SIZE_TYPE__" => bits.to_dec(),
        _ if ty.starts_with("unsigned") => bits.to_dec(),
        _ => bits.to_dec_signed(),
    };
    Some(format!("\\result == {value}"))
}

fn waypoint(
    out: &mut String,
    kind: &str,
    at: &Place,
    function: Option<&str>,
    constraint: Option<&str>,
) {
    let _ = writeln!(
        out,
        "    - segment:\n        - waypoint:\n            type: {kind}\n            action: follow"
    );
    if let Some(constraint) = constraint {
        let _ = writeln!(
            out,
            "            constraint:\n              value: {}\n              format: acsl_expression",
            quoted(constraint)
        );
    }
    let _ = writeln!(
        out,
        "            location:\n{}",
        location(at, function, "              ")
    );
}

fn location(at: &Place, function: Option<&str>, indent: &str) -> String {
    let mut text = format!(
        "{indent}file_name: {}\n{indent}line: {}\n{indent}column: {}",
        quoted(&at.file),
        at.line,
        at.col
    );
    if let Some(function) = function {
        let _ = write!(text, "\n{indent}function: {}", quoted(function));
    }
    text
}

/// The invariants that C can say, each at the keyword of its loop.
fn invariants(report: &Report<'_>) -> String {
    let sources = Sources::default();
    let mut out = String::new();
    let mut loops: BTreeMap<(String, u32, u32), Vec<&Invariant>> = BTreeMap::new();
    for invariant in &report.results.outcome.invariants {
        let Some(place) = &invariant.place else {
            continue;
        };
        let line = sources.line(&place.file, place.line).unwrap_or_default();
        let Some(column) = ctext::loop_keyword(&line, place.col) else {
            continue;
        };
        if ctext::is_expression(&invariant.text) {
            let key = (place.file.to_string(), place.line, column);
            loops.entry(key).or_default().push(invariant);
        }
    }
    for ((file, line, column), list) in loops {
        for invariant in list {
            let at = Place::new(&*file, line, column);
            let _ = writeln!(
                out,
                "    - invariant:\n        type: loop_invariant\n        location:\n{}\n        value: {}\n        format: c_expression",
                location(&at, None, "          "),
                quoted(&invariant.text)
            );
        }
    }
    out
}

/// A scalar of YAML in double quotes.
fn quoted(text: &str) -> String {
    // JSON's strings are YAML's.
    serde_json::to_string(text).expect("text is JSON")
}

/// The SHA-256 digest of bytes, by which witnesses name the files that they are about.
pub fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Seconds since 1970 as a date of ISO 8601.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let mut year = 1970;
    let mut left = days;
    let is_leap = |year: u64| {
        let divides = |number: u64| year % number == 0;
        divides(4) && (!divides(100) || divides(400))
    };
    loop {
        let length = if is_leap(year) { 366 } else { 365 };
        if left < length {
            break;
        }
        left -= length;
        year += 1;
    }
    let february = if is_leap(year) { 29 } else { 28 };
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in months {
        if left < length {
            break;
        }
        left -= length;
        month += 1;
    }
    let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!(
        "{year:04}-{month:02}-{:02}T{hours:02}:{minutes:02}:{seconds:02}Z",
        left + 1
    )
}

#[cfg(test)]
mod tests {
    use super::{date, digest};

    #[test]
    fn a_digest_is_written_in_hexadecimal() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(digest(b""), empty);
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01T00:00:00Z");
        assert_eq!(date(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(date(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date(1_735_689_600), "2025-01-01T00:00:00Z");
    }
}
