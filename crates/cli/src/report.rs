//! What is said at the end: a report, and the ways of writing it.
//!
//! A report is made of what was told, wherever the work ended: at its end, at a limit, or in a crash.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use results::verdict::Stop;
use results::{Ending, Reason, Results, Verdict, Violation};

use crate::args::VerifyArgs;
use crate::report::paint::Paint;

mod found;
mod holds;
mod json;
mod junit;
pub mod paint;
mod sarif;
mod text;

/// A way of writing a report to a file, which is an option of `verify`.
pub struct Format {
    /// The option: `json` for `--json FILE`.
    pub option: &'static str,
    /// Its line of help.
    pub help: &'static str,
    /// The whole text.
    pub render: fn(&Report<'_>) -> String,
}

/// Every format. A new one is a file and a line here.
pub const FORMATS: &[Format] = &[json::FORMAT, sarif::FORMAT, junit::FORMAT];

/// Everything that is known at the end.
pub struct Report<'r> {
    /// What was found.
    pub results: &'r Results,
    /// How the work ended.
    pub ending: &'r Ending,
    /// The verdict.
    pub verdict: Verdict,
    /// All time.
    pub time: Duration,
    /// The files that were given.
    pub files: &'r [PathBuf],
    /// Once: is each obligation listed? Twice: is it said who settled it?
    pub verbose: u8,
    /// Are invariants shown?
    pub invariants: bool,
    /// The violations that were printed when they were found.
    pub printed: &'r BTreeSet<String>,
    /// Colours for people.
    pub paint: Paint,
}

impl Report<'_> {
    /// Why the work did not come to its end, in a sentence without its full stop.
    pub fn failure(&self) -> Option<String> {
        match self.ending {
            Ending::Finished | Ending::Stopped(_) => None,
            Ending::Failed(failure) => Some(frontend::clang::plain_text(&failure.message)),
            Ending::Crashed(how) => Some(format!("the engine {how} in {}", self.results.doing)),
        }
    }

    /// Was it time or memory that ended the work?
    pub fn stopped_by_a_limit(&self) -> bool {
        let limited = |reason: &Reason| matches!(reason, Reason::Timeout | Reason::Memory);
        match self.ending {
            Ending::Stopped(_) => true,
            Ending::Finished => self.results.outcome.reason.as_ref().is_some_and(limited),
            Ending::Failed(_) | Ending::Crashed(_) => false,
        }
    }

    /// What is to be noted about a work that did not come to its end.
    pub fn note(&self) -> Option<String> {
        let limit = match self.ending {
            Ending::Finished | Ending::Stopped(Stop::Enough) => return None,
            Ending::Failed(_) | Ending::Crashed(_) => {
                let failure = self.failure()?;
                return Some(format!(
                    "what was not found yet is not known: error: {failure}"
                ));
            }
            Ending::Stopped(Stop::Time) => "the time limit was reached",
            Ending::Stopped(Stop::Memory) => "the memory limit was reached",
            Ending::Stopped(Stop::Interruption) => "interrupted",
        };
        Some(format!("{limit} in {}", self.results.doing))
    }
}

/// Is standard output a report's alone? Then people read the other stream.
pub fn is_alone(args: &VerifyArgs) -> bool {
    let mut wanted = args.outputs.wanted();
    wanted.any(|(_, file)| file == Path::new("-"))
}

/// Colours of the stream that people read.
pub fn paint(args: &VerifyArgs) -> Paint {
    match is_alone(args) {
        true => Paint::of(&std::io::stderr()),
        false => Paint::of(&std::io::stdout()),
    }
}

/// Violations that were not printed yet, by their places.
fn unprinted<'v>(all: &'v [Violation], printed: &BTreeSet<String>) -> Vec<&'v Violation> {
    let all = all.iter();
    let mut new: Vec<&Violation> = all.filter(|v| !printed.contains(&v.claim.id)).collect();
    new.sort_by_key(|violation| violation.place());
    new
}

/// Prints violations that were just found.
pub fn print_found(args: &VerifyArgs, all: &[Violation], printed: &mut BTreeSet<String>) {
    let paint = paint(args);
    let mut text = String::new();
    for violation in unprinted(all, printed) {
        text.push_str(&found::violation(violation, paint));
        text.push('\n');
    }
    printed.extend(all.iter().map(|violation| violation.claim.id.clone()));
    // Nobody may be listening.
    let _ = match is_alone(args) {
        true => std::io::stderr().write_all(text.as_bytes()),
        false => {
            let mut out = std::io::stdout().lock();
            out.write_all(text.as_bytes()).and_then(|()| out.flush())
        }
    };
}

/// Writes a report where it was asked for; returns the exit code.
pub fn write(args: &VerifyArgs, report: &Report<'_>) -> u8 {
    let mut errors = String::new();
    match (report.ending, report.failure()) {
        // In the colours of clang.
        (Ending::Failed(failure), _) => {
            errors.push_str(&format!("error: {}\n", failure.message));
        }
        (_, Some(failure)) => errors.push_str(&format!("error: {failure}\n")),
        (_, None) => {}
    }
    if args.stats {
        errors.push_str(&text::stats(report));
    }
    let mut output = String::new();
    match args.quiet {
        true => {
            for violation in unprinted(&report.results.outcome.violations, report.printed) {
                output.push_str(&found::violation(violation, report.paint));
                output.push('\n');
            }
        }
        false => output.push_str(&text::render(report)),
    }
    output.push_str(&format!("RESULT: {}\n", report.verdict));
    let mut alone = None;
    let mut unwritten = false;
    for (format, file) in args.outputs.wanted() {
        let text = (format.render)(report);
        if file == Path::new("-") {
            alone = Some(text);
        } else if let Err(error) = std::fs::write(file, text) {
            // What was found is said all the same, but nobody takes it for a report.
            unwritten = true;
            errors.push_str(&format!("error: {}: {error}\n", file.display()));
        }
    }
    // It is alone there; people read the other stream.
    if let Some(text) = alone {
        errors.push_str(&output);
        output = text;
    }
    // Nobody may be listening; the exit code still tells.
    let _ = std::io::stderr().write_all(errors.as_bytes());
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(output.as_bytes());
    let _ = out.flush();
    match report.verdict.exit_code() {
        0 if unwritten => 1,
        code => code,
    }
}
