//! What is said at the end: a report, and the ways of writing it.
//!
//! A report is made of what was told, wherever the work ended: at its end, at a limit, or in a crash.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use results::verdict::Stop;
use results::{Ending, Reason, Results, Verdict, Violation};

use crate::args::{FailOn, TraceArg, VerifyArgs};
use crate::baseline::{Baseline, News};
use crate::report::paint::Paint;
use crate::supervise::Supervised;

pub mod cover;
mod found;
mod holds;
mod html;
mod json;
mod junit;
pub mod paint;
mod reproducer;
mod sarif;
mod story;
mod text;
pub mod witness;

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
pub const FORMATS: &[Format] = &[
    json::FORMAT,
    sarif::FORMAT,
    junit::FORMAT,
    html::FORMAT,
    witness::FORMAT,
    reproducer::FORMAT,
];

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
    /// How much is told of executions.
    pub trace: TraceArg,
    /// The command line.
    pub args: &'r VerifyArgs,
    /// What is new since the report that --baseline names.
    pub news: Option<News>,
    /// Colours for people.
    pub paint: Paint,
}

impl<'r> Report<'r> {
    /// Of what was found.
    pub fn of(args: &'r VerifyArgs, found: &'r Supervised, time: Duration) -> Report<'r> {
        let Supervised {
            results,
            ending,
            printed,
        } = found;
        // What cannot be read was an error before.
        let baseline = args.baseline.as_ref();
        let baseline = baseline.and_then(|file| Baseline::read(file).ok());
        Report {
            results,
            ending,
            verdict: results.verdict(ending, args.fail_on.contains(&FailOn::Vacuous)),
            time,
            files: &args.input.files,
            verbose: args.verbose,
            invariants: args.show_invariants,
            printed,
            trace: args.trace(),
            args,
            news: baseline.map(|baseline| baseline.news(results)),
            paint: paint(args),
        }
    }

    /// The verdict's, or only what is new counts.
    fn exit_code(&self) -> u8 {
        let finished = matches!(self.ending, Ending::Finished | Ending::Stopped(Stop::Time));
        let news = self.news.as_ref();
        let news = news.filter(|_| self.args.fail_on.contains(&FailOn::New));
        let code = news.and_then(|news| news.exit_code(&self.verdict, finished));
        code.unwrap_or_else(|| self.verdict.exit_code())
    }

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

/// A violation as people read it.
pub fn violation(violation: &Violation, trace: TraceArg, paint: Paint) -> String {
    found::violation(violation, trace, paint)
}

/// All that people are told, without the result line.
pub fn told(args: &VerifyArgs, report: &Report<'_>) -> String {
    let mut out = String::new();
    if let Some(failure) = report.failure() {
        out.push_str(&format!("error: {failure}\n"));
    }
    if !args.quiet {
        out.push_str(&text::render(report));
    }
    out
}

/// Prints violations that were just found.
pub fn print_found(args: &VerifyArgs, all: &[Violation], printed: &mut BTreeSet<String>) {
    if args.cover {
        return; // What is reached is no news.
    }
    let paint = paint(args);
    let mut text = String::new();
    for violation in unprinted(all, printed) {
        text.push_str(&found::violation(violation, args.trace(), paint));
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
                output.push_str(&found::violation(violation, report.trace, report.paint));
                output.push('\n');
            }
        }
        false => output.push_str(&text::render(report)),
    }
    if let (Some(news), Some(file)) = (&report.news, &args.baseline) {
        output.push_str(&format!("{}\n", news.sentence(file)));
        if report.exit_code() == 0 && report.verdict.exit_code() != 0 {
            output.push_str("note: nothing is new, so that the exit code is 0 (--fail-on new)\n");
        }
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
    match report.exit_code() {
        0 if unwritten => 1,
        code => code,
    }
}
