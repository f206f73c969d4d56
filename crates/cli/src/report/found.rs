//! A violation as people read it: what, where, why, and how an execution comes there.
//!
//! ```text
//! error[deref]: invalid write of 1 byte in strcpy
//!  --> s.c:6:5 (text_copy.deref.2)
//!   |
//! 6 |     strcpy(b, src);
//!   |     ^ writing 1 byte at offset 4 of `b`, which is past its end
//!   |
//!   = `b` is a local of 4 bytes, declared at s.c:5
//!   = in f at s.c:6:5: src = &.str
//!   = called from main at s.c:12:18: n = 4
//!   = inside the model of strcpy: text_copy at lib/models/text.h:39:15, strcpy at lib/models/string_copy.c:20:5
//! ```
//!
//! What goes wrong inside a model of a library function is shown at the user's own call.

use std::fmt::Write;

use base::Place;
use results::explanation::{FrameReport, short};
use results::{Claim, Violation};

use super::paint::Paint;
use super::story;
use crate::args::TraceArg;
use crate::source::Sources;

/// A violation with its header.
pub fn violation(violation: &Violation, trace: TraceArg, paint: Paint) -> String {
    let Claim {
        check, text, id, ..
    } = &violation.claim;
    let inside = match violation.inside() {
        Some(func) if violation.claim.model => format!(" in {func}"),
        _ => String::new(),
    };
    let head = paint.error(&format!("error[{check}]"));
    let what = paint.strong(&format!(": {text}{inside}"));
    let mut out = format!("{head}{what}\n");
    let place = violation.place();
    let gutter = gutter(place);
    let arrow = paint.frame("-->");
    let at = place.map_or_else(|| "?".to_owned(), short);
    let _ = writeln!(out, "{gutter}{arrow} {at} ({id})");
    out.push_str(&body(violation, trace, paint));
    out
}

/// Where and how an execution violates an obligation: the source with a caret, objects, calls.
pub fn body(violation: &Violation, trace: TraceArg, paint: Paint) -> String {
    let mut out = String::new();
    let explanation = &violation.failure.explanation;
    let place = violation.place();
    let gutter = gutter(place);
    let bar = paint.frame("|");
    let sentence = explanation.sentence.as_str();
    let line = place.and_then(|at| Sources::default().line(&at.file, at.line));
    let mut remarks = Vec::new();
    match (place, line) {
        (Some(at), Some(line)) => {
            let _ = writeln!(out, "{gutter} {bar}");
            let number = paint.frame(&at.line.to_string());
            let _ = writeln!(out, "{number} {bar} {line}");
            let caret = paint.error(&format!("^ {sentence}"));
            let lead = lead(&line, at.col);
            let _ = writeln!(out, "{gutter} {bar} {lead}{}", caret.trim_end());
            let _ = writeln!(out, "{gutter} {bar}");
        }
        _ if sentence.is_empty() => {}
        _ => remarks.push(sentence.to_owned()),
    }
    remarks.extend(explanation.object.as_ref().map(ToString::to_string));
    let stack = &explanation.stack;
    let models = match violation.claim.model {
        true => stack.iter().take_while(|frame| frame.model).count(),
        false => 0,
    };
    let (inside, own) = stack.split_at(models);
    for (index, frame) in own.iter().enumerate() {
        let word = if index == 0 { "in" } else { "called from" };
        remarks.push(format!("{word} {}", called(frame)));
    }
    if let Some(outermost) = inside.last() {
        let frames: Vec<String> = inside.iter().map(called).collect();
        let frames = frames.join(", ");
        remarks.push(format!("inside the model of {}: {frames}", outermost.func));
    }
    let equals = paint.frame("=");
    for remark in remarks {
        let _ = writeln!(out, "{gutter} {equals} {remark}");
    }
    if let (Some(told), TraceArg::Story | TraceArg::Full) = (&violation.story, trace) {
        out.push_str(&story::render(told, violation, trace, &gutter, paint));
    }
    out
}

/// As much room as a line's number takes.
fn gutter(place: Option<&Place>) -> String {
    " ".repeat(place.map_or(1, |at| at.line.to_string().len()))
}

/// What stands before a column, as blanks.
fn lead(line: &str, column: u32) -> String {
    let before = line.chars().take((column as usize).saturating_sub(1));
    before.map(|c| if c == '\t' { '\t' } else { ' ' }).collect()
}

/// An activation with its variables.
fn called(frame: &FrameReport) -> String {
    let mut text = frame.func.clone();
    if let Some(place) = &frame.place {
        let _ = write!(text, " at {}", short(place));
    }
    let vars = frame.vars.iter();
    let vars: Vec<String> = vars
        .map(|shown| format!("{} = {}", shown.name, shown.value))
        .collect();
    if !vars.is_empty() {
        let _ = write!(text, ": {}", vars.join(", "));
    }
    text
}
