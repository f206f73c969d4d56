//! The report for a browser: one page that needs nothing else.
//!
//! It has a summary, the obligations, the source with what is said of each line, and each violation with its story, through which one
//! goes step by step and sees the variables and the objects as they are then. The stepping is a small script in the page (`page.js`)
//! that reads the story from the page; everything else is there without it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use base::Place;
use results::explanation::short;
use results::{Claim, Status, Violation};
use serde_json::Value;

use super::{Format, Report, json};
use crate::source::Sources;

/// `--html`.
pub const FORMAT: Format = Format {
    option: "html",
    help: "Write one page for a browser: the summary, the source with what is said of it, and each counterexample step by step (`-` is \
        standard output)",
    render,
};

/// Longer sources are shown around what is said of them.
const LINES: u32 = 3000;

fn render(report: &Report<'_>) -> String {
    let mut out =
        String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    let title = report
        .files
        .iter()
        .map(|file| file.display().to_string())
        .collect::<Vec<_>>()
        .join(" ");
    let _ = writeln!(
        out,
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>selkie: {}</title>\n<style>\n{}</style>\n</head>\n<body>",
        escaped(&title),
        include_str!("page.css")
    );
    summary(&mut out, report, &title);
    violations(&mut out, report);
    obligations(&mut out, report);
    sources(&mut out, report);
    ledger(&mut out, report);
    let stories: Vec<Value> = report
        .results
        .outcome
        .violations
        .iter()
        .map(json::violation)
        .collect();
    let data = serde_json::to_string(&stories).expect("a report is plain data");
    // No text of the program ends the script.
    let data = data.replace('<', "\\u003c");
    let _ = writeln!(
        out,
        "<script type=\"application/json\" id=\"stories\">{data}</script>\n<script>\n{}</script>\n</body>\n</html>",
        include_str!("page.js")
    );
    out
}

fn summary(out: &mut String, report: &Report<'_>, title: &str) {
    let verdict = report.verdict.to_string();
    let class = match verdict.split('(').next() {
        Some("true") => "good",
        Some("false") => "bad",
        _ => "open",
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, _, status) in report.results.shown() {
        *counts.entry(word(status)).or_default() += 1;
    }
    let counts: Vec<String> = counts
        .iter()
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    let _ = writeln!(
        out,
        "<header>\n<h1>{}</h1>\n<p class=\"verdict {class}\">{}</p>\n<p>{}; {:.2} s; selkie {}</p>",
        escaped(title),
        escaped(&verdict),
        escaped(&counts.join(", ")),
        report.time.as_secs_f64(),
        env!("CARGO_PKG_VERSION")
    );
    if let Some(why) = report.failure().or_else(|| report.note()) {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escaped(&why));
    }
    out.push_str("</header>\n");
}

fn violations(out: &mut String, report: &Report<'_>) {
    for (index, violation) in report.results.outcome.violations.iter().enumerate() {
        let claim = &violation.claim;
        let explanation = &violation.failure.explanation;
        let at = violation.place().map_or_else(|| "?".to_owned(), short);
        let _ = writeln!(
            out,
            "<section class=\"violation\" id=\"{}\">\n<h2><span class=\"check\">{}</span> {}</h2>\n<p><a href=\"#{}\">{}</a> ({})</p>\n<p class=\"why\">{}</p>",
            escaped(&claim.id),
            claim.check,
            escaped(&claim.text),
            violation.place().map(anchor).unwrap_or_default(),
            escaped(&at),
            escaped(&claim.id),
            escaped(&explanation.sentence)
        );
        if let Some(object) = &explanation.object {
            let _ = writeln!(out, "<p>{}</p>", escaped(&object.to_string()));
        }
        story(out, violation, index);
        out.push_str("</section>\n");
    }
}

/// The part that the script brings to life.
fn story(out: &mut String, violation: &Violation, index: usize) {
    let Some(story) = &violation.story else {
        return;
    };
    if !story.inputs.is_empty() {
        out.push_str(
            "<table class=\"inputs\">\n<tr><th>input</th><th>value</th><th>where</th></tr>\n",
        );
        for input in &story.inputs {
            let at = input.place.as_ref().map(short).unwrap_or_default();
            let name = input.name.as_deref().unwrap_or("");
            let _ = writeln!(
                out,
                "<tr><td>{} {}</td><td>{}</td><td>{}</td></tr>",
                escaped(input.kind.word()),
                escaped(name),
                escaped(&input.value),
                escaped(&at)
            );
        }
        out.push_str("</table>\n");
    }
    let _ = writeln!(
        out,
        "<div class=\"story\" data-story=\"{index}\">\n<div class=\"bar\"><button class=\"first\">|&lt;</button><button class=\"back\">&lt;</button><button class=\"on\">&gt;</button><button class=\"last\">&gt;|</button> <span class=\"where\"></span> <label><input type=\"checkbox\" class=\"all\"> every step</label></div>\n<ol class=\"steps\"></ol>\n<div class=\"state\"><div class=\"frames\"></div><div class=\"heap\"></div></div>\n</div>"
    );
}

fn obligations(out: &mut String, report: &Report<'_>) {
    let mut rows: Vec<(&Claim, &Status)> = report
        .results
        .shown()
        .map(|(_, claim, status)| (claim, status))
        .collect();
    if rows.is_empty() {
        return;
    }
    rows.sort_by_key(|(claim, _)| claim.place.clone());
    out.push_str("<section>\n<h2>Obligations</h2>\n<table class=\"obligations\">\n<tr><th>where</th><th>what</th><th>status</th></tr>\n");
    for (claim, status) in rows {
        let at = claim.place.as_ref().map(short).unwrap_or_default();
        let _ = writeln!(
            out,
            "<tr class=\"{}\"><td><a href=\"#{}\">{}</a></td><td>{} <small>{}</small></td><td>{}</td></tr>",
            word(status),
            claim.place.as_ref().map(anchor).unwrap_or_default(),
            escaped(&at),
            escaped(&claim.text),
            escaped(&claim.id),
            escaped(&status.to_string())
        );
    }
    out.push_str("</table>\n</section>\n");
}

/// What is said of a line: its class, and the words.
type Said = (&'static str, String);

/// The source, with what is said of each line.
fn sources(out: &mut String, report: &Report<'_>) {
    let mut said: BTreeMap<String, BTreeMap<u32, Vec<Said>>> = BTreeMap::new();
    let mut mark = |place: &Place, class: &'static str, text: String| {
        let lines = said.entry(place.file.to_string()).or_default();
        let list = lines.entry(place.line).or_default();
        if !list.contains(&(class, text.clone())) {
            list.push((class, text));
        }
    };
    for (_, claim, status) in report.results.shown() {
        if let Some(place) = claim.place.as_ref().filter(|_| !claim.model) {
            mark(place, word(status), format!("{}: {status}", claim.text));
        }
    }
    for violation in &report.results.outcome.violations {
        if let Some(place) = violation.place() {
            let text = &violation.failure.explanation.sentence;
            mark(
                place,
                "violated",
                format!("{}: {text}", violation.claim.text),
            );
        }
    }
    for invariant in &report.results.outcome.invariants {
        if let Some(place) = &invariant.place {
            mark(place, "invariant", format!("invariant: {}", invariant.text));
        }
    }
    for file in report.files {
        said.entry(file.display().to_string()).or_default();
    }
    let known = Sources::default();
    for (file, lines) in &said {
        if known.line(file, 1).is_none() {
            continue;
        }
        let _ = writeln!(
            out,
            "<section>\n<h2>{}</h2>\n<table class=\"source\">",
            escaped(file)
        );
        let near: BTreeSet<u32> = lines
            .keys()
            .flat_map(|line| line.saturating_sub(5)..=line + 5)
            .collect();
        for number in 1.. {
            let Some(text) = known.line(file, number) else {
                break;
            };
            if number > LINES && !near.contains(&number) {
                continue;
            }
            let notes = lines.get(&number);
            let worst = notes.map_or("", |notes| worst(notes));
            let place = Place::new(file.as_str(), number, 0);
            let _ = writeln!(
                out,
                "<tr id=\"{}\" class=\"{worst}\"><td class=\"number\">{number}</td><td><code>{}</code>{}</td></tr>",
                anchor(&place),
                escaped(&text),
                notes.map_or_else(String::new, |notes| annotations(notes))
            );
        }
        out.push_str("</table>\n</section>\n");
    }
}

/// Which of several statuses a line has.
fn worst(notes: &[(&'static str, String)]) -> &'static str {
    let order = ["violated", "open", "unreachable", "proved"];
    let found = order
        .iter()
        .find(|word| notes.iter().any(|(class, _)| class == *word));
    found.copied().unwrap_or("")
}

fn annotations(notes: &[(&'static str, String)]) -> String {
    let mut out = String::new();
    for (class, text) in notes {
        let _ = write!(out, "<div class=\"said {class}\">{}</div>", escaped(text));
    }
    out
}

fn ledger(out: &mut String, report: &Report<'_>) {
    let entries: Vec<&str> = report.results.ledger.entries().collect();
    if entries.is_empty() {
        return;
    }
    out.push_str("<section>\n<h2>What this rests on</h2>\n<ul>\n");
    for entry in entries {
        let _ = writeln!(out, "<li>{}</li>", escaped(entry));
    }
    out.push_str("</ul>\n</section>\n");
}

fn word(status: &Status) -> &'static str {
    match status {
        Status::Violated => "violated",
        Status::Proved => "proved",
        Status::Unreachable => "unreachable",
        Status::ProvedBounded(_) | Status::Vacuous | Status::Unknown(_) => "open",
    }
}

/// The name of a line in the page.
fn anchor(place: &Place) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    let file: String = place
        .file
        .chars()
        .map(|letter| if plain(letter) { letter } else { '_' })
        .collect();
    format!("L-{file}-{}", place.line)
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            letter => out.push(letter),
        }
    }
    out
}
