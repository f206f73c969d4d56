//! An execution that violates something, as people read it: what it was given, which way it went, what was assigned.
//!
//! ```text
//!   = how it comes there:
//!   |   f.c:6:13  input: n = 42
//!   |   f.c:7     if (n < 0 || n > 100) return 0;  -> line 8
//!   |   f.c:8     room = &heap object 5
//!   = `room`: heap, 43 bytes: 00 00 00 …
//! ```
//!
//! Told is what the violation comes from; with `--trace full` all that happened.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use base::Place;
use results::Violation;
use results::explanation::short;
use results::story::{Drawn, InputKind, Step, Story, What};

use super::paint::Paint;
use crate::args::TraceArg;
use crate::source::Sources;

/// So many lines are shown of the beginning and of the end.
const FIRST: usize = 10;
const LAST: usize = 20;

/// Objects are shown up to here.
const OBJECTS: usize = 8;

/// So much of a line of the source is shown.
const WIDTH: usize = 60;

/// The story, as lines of a report.
pub fn render(
    story: &Story,
    violation: &Violation,
    trace: TraceArg,
    gutter: &str,
    paint: Paint,
) -> String {
    let all = trace == TraceArg::Full;
    let steps: Vec<&Step> = match all {
        true => story.steps.iter().collect(),
        false => story.important().filter(is_told).collect(),
    };
    let lines = lines(story, &steps);
    let mut out = String::new();
    let (bar, equals) = (paint.frame("|"), paint.frame("="));
    if !lines.is_empty() {
        let _ = writeln!(out, "{gutter} {equals} how it comes there:");
    }
    let width = lines.iter().map(|(at, _)| at.len()).max().unwrap_or(0);
    let hidden = match all {
        true => 0,
        false => lines.len().saturating_sub(FIRST + LAST),
    };
    for (index, (at, text)) in lines.iter().enumerate() {
        if hidden > 0 && index == FIRST {
            let _ = writeln!(
                out,
                "{gutter} {bar}   … {hidden} more; --trace full shows all"
            );
        }
        if hidden > 0 && (FIRST..FIRST + hidden).contains(&index) {
            continue;
        }
        let _ = writeln!(out, "{gutter} {bar}   {at:width$}  {text}");
    }
    if story.left_out > 0 {
        let _ = writeln!(
            out,
            "{gutter} {bar}   … {} more steps that were not kept",
            story.left_out
        );
    }
    for object in objects(story, violation, &steps, all) {
        let _ = writeln!(out, "{gutter} {equals} {}", drawn(object));
    }
    out
}

/// A step in words.
pub struct Told<'s> {
    /// Where.
    pub place: Option<&'s Place>,
    /// How many calls deep.
    pub depth: u32,
    /// What.
    pub text: String,
}

/// What the violation comes from, in words.
pub fn important(story: &Story) -> Vec<Told<'_>> {
    let steps: Vec<&Step> = story.important().filter(is_told).collect();
    sentences(story, &steps)
}

/// Each step: where, and what.
fn lines(story: &Story, steps: &[&Step]) -> Vec<(String, String)> {
    let told = sentences(story, steps).into_iter().map(|told| {
        let indent = "  ".repeat(told.depth.min(20) as usize);
        let at = told.place.map(line_of).unwrap_or_default();
        (at, format!("{indent}{}", told.text))
    });
    let mut lines: Vec<(String, String)> = told.collect();
    lines.dedup();
    lines
}

/// That a function returns goes without saying.
fn is_told(step: &&Step) -> bool {
    !matches!(step.what, What::Return(_))
}

fn sentences<'s>(story: &'s Story, steps: &[&'s Step]) -> Vec<Told<'s>> {
    let sources = Sources::default();
    let mut all = Vec::new();
    // What was said last of each name: arguments are often called as the parameters that they go to.
    let mut said: BTreeMap<&str, &str> = BTreeMap::new();
    for step in steps {
        let text = match &step.what {
            What::Input(index) => {
                let Some(input) = story.inputs.get(*index) else {
                    continue;
                };
                if let Some(name) = &input.name {
                    said.insert(name, &input.value);
                }
                let word = input.kind.word();
                match (&input.name, input.kind) {
                    (Some(name), InputKind::Asked) => format!("{word}: {name} = {}", input.value),
                    (Some(name), _) => format!("{word}: {} (in {name})", input.value),
                    (None, _) => format!("{word}: {}", input.value),
                }
            }
            What::Assign { name, value, .. } => {
                if said.insert(name, value) == Some(value) {
                    continue;
                }
                format!("{name} = {value}")
            }
            What::Branch(to) => {
                let here = step.place.as_ref();
                let line = here.and_then(|at| sources.line(&at.file, at.line));
                let line = line.map_or_else(|| "a branch".to_owned(), |line| cut(line.trim()));
                match to {
                    Some(to) if here.is_some_and(|at| at.file == to.file) => {
                        format!("{line}  -> line {}", to.line)
                    }
                    Some(to) => format!("{line}  -> {}:{}", to.file, to.line),
                    None => line,
                }
            }
            What::Call(func) => format!("calls {func}"),
            What::Return(func) => format!("returns from {func}"),
            What::Allocate { object, size } => format!("makes {object} of {size} bytes"),
            What::Free(object) => format!("frees {object}"),
            What::Lost(object) => format!("from here on nothing leads to {object}"),
        };
        all.push(Told {
            place: step.place.as_ref(),
            depth: step.depth,
            text,
        });
    }
    all
}

/// A file and a line.
fn line_of(place: &Place) -> String {
    format!("{}:{}", place.file, place.line)
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{} …", &line[..end]),
        None => line.to_owned(),
    }
}

/// The objects that the story is about.
fn objects<'s>(
    story: &'s Story,
    violation: &Violation,
    steps: &[&Step],
    all: bool,
) -> Vec<&'s Drawn> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for step in steps {
        match &step.what {
            What::Assign {
                object: Some(object),
                ..
            }
            | What::Allocate { object, .. }
            | What::Free(object)
            | What::Lost(object) => {
                names.insert(object);
            }
            _ => {} // Variables say themselves what they hold.
        }
    }
    let about = violation.failure.explanation.object.as_ref();
    let about = about.map_or("", |object| object.name.trim_matches('`'));
    let list = story.objects.iter().filter(|object| {
        let scalar = object.size <= 8 && object.pointers.is_empty() && object.kind != "heap";
        all || object.name == about || names.contains(&*object.name) && !scalar
    });
    let most = if all { usize::MAX } else { OBJECTS };
    list.filter(|object| object.alive).take(most).collect()
}

/// An object in one line.
fn drawn(object: &Drawn) -> String {
    let bytes = if object.size == 1 { "byte" } else { "bytes" };
    let mut text = format!("{}: {} {bytes}: {}", object.name, object.size, object.hex);
    if object.hex.len() as u64 + 1 < object.size.saturating_mul(3) {
        text.push_str(" …");
    }
    if let Some(words) = &object.text {
        let _ = write!(text, " {words}");
    }
    for (offset, target) in &object.pointers {
        let _ = write!(text, ", [{offset}] = {target}");
    }
    if let Some(place) = &object.place {
        let _ = write!(text, " (from {})", short(place));
    }
    text
}
