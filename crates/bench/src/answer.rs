//! What a verifier answered: its last line, its exit code, and the report it may have written.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::Deserialize;

use crate::process::{End, Outcome, Stop};
use host::ffi;

/// Reports larger than this are not read.
const MAX_REPORT: u64 = 16 * 1024 * 1024;
/// Longer texts from a verifier are cut.
const MAX_TEXT: usize = 300;

/// An answer in the words of the contract: `true`, `false(PROPERTY)`, `unknown(REASON)`, `error(REASON)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// No execution violates the property.
    True,
    /// Some execution violates this one.
    False(String),
    /// It could not be decided.
    Unknown(String),
    /// The verifier did not do its work.
    Error(String),
}

impl Verdict {
    /// Reads what stands after `RESULT: `.
    pub fn read(text: &str) -> Option<Verdict> {
        if text == "true" {
            return Some(Verdict::True);
        }
        let (kind, rest) = text.split_once('(')?;
        let inner = clean(rest.strip_suffix(')')?);
        match kind {
            "false" => Some(Verdict::False(inner)),
            "unknown" => Some(Verdict::Unknown(inner)),
            "error" => Some(Verdict::Error(inner)),
            _ => None,
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::True => write!(f, "true"),
            Verdict::False(violation) => write!(f, "false({violation})"),
            Verdict::Unknown(reason) => write!(f, "unknown({reason})"),
            Verdict::Error(reason) => write!(f, "error({reason})"),
        }
    }
}

/// The answer of a run. An answer counts only if the exit code says the same.
pub fn verdict(outcome: &Outcome) -> Verdict {
    let code = match outcome.end {
        End::Stopped(Stop::Time) => return Verdict::Unknown("timeout".to_owned()),
        End::Stopped(Stop::Memory) => return Verdict::Unknown("memory".to_owned()),
        End::Stopped(Stop::Output) => return Verdict::Error("output flood".to_owned()),
        End::Stopped(Stop::Interrupted) => return Verdict::Unknown("interrupted".to_owned()),
        End::Lost => return Verdict::Error("lost".to_owned()),
        End::Signalled(signal) => {
            return Verdict::Error(format!("crash: {}", ffi::signal_name(signal)));
        }
        End::Exited(code) => code,
    };
    let last_line = outcome.stdout.trim_end().lines().next_back();
    let said = last_line
        .and_then(|line| line.strip_prefix("RESULT: "))
        .and_then(Verdict::read);
    let promised = match (&said, code) {
        (Some(Verdict::True), 0) | (Some(Verdict::False(_)), 10) => true,
        (Some(Verdict::True | Verdict::False(_)), _) | (None, _) => false,
        (Some(Verdict::Unknown(_) | Verdict::Error(_)), _) => true,
    };
    match (said, code) {
        (Some(said), _) if promised => said,
        (Some(said), _) => Verdict::Error(format!("contradiction: {said} with exit code {code}")),
        (None, 124) => Verdict::Unknown("timeout".to_owned()),
        (None, 12) => Verdict::Unknown("memory".to_owned()),
        (None, 3) => Verdict::Unknown("unsupported".to_owned()),
        (None, 5) => Verdict::Unknown("no reason given".to_owned()),
        (None, 1) => Verdict::Error("usage".to_owned()),
        (None, 2) => Verdict::Error("input".to_owned()),
        (None, 6) => Verdict::Error("internal".to_owned()),
        (None, _) => Verdict::Error(format!("no result: exit code {code}")),
    }
}

/// What a verifier may say beside its answer.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Details {
    /// The engine that answered.
    pub engine: String,
    /// How the answer was confirmed.
    pub evidence: String,
    /// Seconds by stage, in the verifier's order.
    pub stages: Vec<(String, f64)>,
    /// A sentence about what went wrong, from the report or else from standard error.
    pub message: String,
}

/// The fields of the report that are of interest. Any may be missing, and any may have become something else.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Report {
    engine: serde_json::Value,
    evidence: serde_json::Value,
    stages: serde_json::Value,
    reason: serde_json::Value,
}

/// Reads the report, as far as it is there and makes sense.
pub fn details(report: &Path, verdict: &Verdict, outcome: &Outcome) -> Details {
    let report = read_report(report).unwrap_or_default();
    let reason = plain(&report.reason);
    let message = match verdict {
        Verdict::True | Verdict::False(_) => String::new(),
        Verdict::Unknown(_) | Verdict::Error(_) if !reason.is_empty() => reason,
        Verdict::Unknown(_) | Verdict::Error(_) => clean(complaint(&outcome.stderr)),
    };
    Details {
        engine: plain(&report.engine),
        evidence: plain(&report.evidence),
        stages: stages(&report.stages),
        message,
    }
}

/// The line of standard error that says most: the first that calls itself an error, or else the last.
fn complaint(stderr: &str) -> &str {
    let mut lines = stderr.trim_end().lines();
    let error = lines.clone().find(|line| line.starts_with("error"));
    error.or_else(|| lines.next_back()).unwrap_or("")
}

fn read_report(path: &Path) -> Option<Report> {
    let mut text = Vec::new();
    let file = File::open(path).ok()?;
    file.take(MAX_REPORT).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

/// A text as it is, anything else as JSON, nothing for null.
fn plain(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Null => String::new(),
        serde_json::Value::String(text) => clean(text),
        other => clean(&other.to_string()),
    }
}

fn stages(value: &serde_json::Value) -> Vec<(String, f64)> {
    let entry = |stage: &serde_json::Value| {
        let name = clean(stage.get("name")?.as_str()?);
        let seconds = stage.get("seconds")?.as_f64()?;
        // `;` and `=` separate stages in the table of results.
        Some((name.replace([';', '='], "-"), seconds))
    };
    let entries = value.as_array().map(Vec::as_slice).unwrap_or(&[]);
    entries.iter().filter_map(entry).collect()
}

/// A text on one line, not too long.
fn clean(text: &str) -> String {
    let line: String = text
        .chars()
        .take(MAX_TEXT)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    line.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Verdict, complaint, verdict};
    use crate::process::{End, Outcome, Stop};

    fn check(end: End, stdout: &str) -> String {
        let outcome = Outcome {
            end,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
            peak_memory: 0,
            stdout: stdout.to_owned(),
            stderr: String::new(),
        };
        verdict(&outcome).to_string()
    }

    #[test]
    fn the_last_line_and_the_exit_code_agree() {
        for (code, stdout, expected) in [
            (0, "f.c:1:1: [f.a] x: PROVED\nRESULT: true\n", "true"),
            (10, "RESULT: false(valid-deref)\n\n", "false(valid-deref)"),
            (5, "RESULT: unknown(bounded)", "unknown(bounded)"),
            (124, "RESULT: unknown(timeout)\n", "unknown(timeout)"),
            (
                2,
                "RESULT: error(does not compile)\n",
                "error(does not compile)",
            ),
            (6, "", "error(internal)"),
            (124, "half a li", "unknown(timeout)"),
        ] {
            assert_eq!(check(End::Exited(code), stdout), expected);
        }
    }

    #[test]
    fn an_error_says_more_than_what_follows_it() {
        let usage = "note: x\nerror: no such option\n\nFor more information, try '--help'.\n";
        assert_eq!(complaint(usage), "error: no such option");
        assert_eq!(complaint("started\nstill at it\n"), "still at it");
        assert_eq!(complaint(""), "");
    }

    #[test]
    fn an_answer_that_is_not_meant_does_not_count() {
        for (end, stdout) in [
            (End::Exited(0), "RESULT: true\nmore\n"),
            (End::Exited(6), "RESULT: true\n"),
            (End::Exited(0), "RESULT: false(assert)\n"),
            (End::Exited(10), "RESULT: true\n"),
            (End::Exited(0), "RESULT: false\n"),
            (End::Exited(0), "RESULT: TRUE\n"),
            (End::Exited(0), "true\n"),
            (End::Exited(0), ""),
            (End::Signalled(11), "RESULT: true\n"),
            (End::Stopped(Stop::Time), "RESULT: true\n"),
            (End::Lost, "RESULT: true\n"),
        ] {
            let answer = check(end, stdout);
            assert!(
                answer.starts_with("error(") || answer.starts_with("unknown("),
                "{end:?} {stdout}: {answer}"
            );
        }
    }

    #[test]
    fn verdicts_are_read_back() {
        for text in ["true", "false(no-overflow)", "unknown(a (b) c)", "error(x)"] {
            assert_eq!(
                Verdict::read(text).map(|v| v.to_string()),
                Some(text.to_owned())
            );
        }
    }
}
