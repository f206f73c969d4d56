//! `--cover`: what is reached, with an execution for each, and what no execution comes to.
//!
//! ```text
//! f.c: f: 5 of 6 lines, 3 of 4 branches reached
//! not reached:
//!   f.c:7: return 2;
//!   f.c:6:9: branch if true
//! ```
//!
//! With `-v` every goal is listed, and how an execution comes there.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use base::Place;
use results::explanation::short;
use results::{Claim, Status};

use super::{Report, found};
use crate::args::{TraceArg, VerifyArgs};
use crate::source::Sources;

/// How many of something are reached, not reached, and open.
#[derive(Default, Clone, Copy)]
struct Count {
    reached: usize,
    not: usize,
    open: usize,
}

impl Count {
    fn all(self) -> usize {
        self.reached + self.not + self.open
    }

    fn add(&mut self, status: &Status) {
        match status {
            Status::Violated => self.reached += 1,
            Status::Proved | Status::Unreachable | Status::Vacuous => self.not += 1,
            Status::ProvedBounded(_) | Status::Unknown(_) => self.open += 1,
        }
    }
}

/// Prints what was found; returns the exit code.
pub fn write(args: &VerifyArgs, report: &Report<'_>) -> u8 {
    if let Some(failure) = report.failure() {
        eprintln!("error: {failure}");
    }
    let (text, verdict, code) = render(args, report);
    println!("{text}RESULT: {verdict}");
    code
}

fn render(args: &VerifyArgs, report: &Report<'_>) -> (String, String, u8) {
    let mut out = String::new();
    let results = report.results;
    let goals: Vec<(&Claim, &Status)> = results
        .shown()
        .map(|(_, claim, status)| (claim, status))
        .collect();
    let violations = &results.outcome.violations;
    let mut functions: BTreeMap<(String, &str), (Count, Count, Count)> = BTreeMap::new();
    let mut all = Count::default();
    for (claim, status) in &goals {
        let file = claim
            .place
            .as_ref()
            .map_or("?", |at| at.file.as_ref())
            .to_owned();
        let entry = functions.entry((file, claim.func())).or_default();
        match claim.text.as_str() {
            "line" => entry.0.add(status),
            "sk_cover" => entry.2.add(status),
            _ => entry.1.add(status),
        }
        all.add(status);
    }
    if args.verbose > 0 {
        for (claim, status) in &goals {
            let at = claim.place.as_ref().map_or_else(|| "?".to_owned(), short);
            let word = match status {
                Status::Violated => "REACHED".to_owned(),
                Status::Proved | Status::Unreachable | Status::Vacuous => "NOT REACHED".to_owned(),
                Status::ProvedBounded(_) | Status::Unknown(_) => status.to_string(),
            };
            let _ = writeln!(out, "{at}: [{}] {}: {word}", claim.id, claim.text);
            for violation in violations.iter().filter(|found| found.claim.id == claim.id) {
                let body = found::body(violation, TraceArg::None, report.paint);
                for line in body
                    .lines()
                    .filter(|line| line.trim_start().starts_with("= "))
                {
                    let _ = writeln!(out, "    {}", line.trim_start().trim_start_matches("= "));
                }
            }
        }
    }
    for ((file, func), (lines, branches, covers)) in &functions {
        let mut parts = Vec::new();
        for (count, noun) in [(lines, "lines"), (branches, "branches"), (covers, "goals")] {
            if count.all() > 0 {
                parts.push(format!("{} of {} {noun}", count.reached, count.all()));
            }
        }
        let _ = writeln!(out, "{file}: {func}: {} reached", parts.join(", "));
    }
    let mut listed = |title: &str, is: &dyn Fn(&Status) -> bool| {
        let chosen: Vec<&(&Claim, &Status)> =
            goals.iter().filter(|(_, status)| is(status)).collect();
        if chosen.is_empty() {
            return;
        }
        let _ = writeln!(out, "{title}");
        for (claim, status) in chosen {
            let why = match status {
                Status::ProvedBounded(_) | Status::Unknown(_) => format!(" ({status})"),
                Status::Proved | Status::Unreachable | Status::Vacuous | Status::Violated => {
                    String::new()
                }
            };
            let _ = writeln!(out, "  {}{why}", goal(claim));
        }
    };
    listed("not reached by any execution:", &|status| {
        matches!(
            status,
            Status::Proved | Status::Unreachable | Status::Vacuous
        )
    });
    listed("not known:", &|status| {
        matches!(status, Status::ProvedBounded(_) | Status::Unknown(_))
    });
    let _ = writeln!(
        out,
        "{} goals: {} reached, {} not, {} not known ({:.2} s)",
        all.all(),
        all.reached,
        all.not,
        all.open,
        report.time.as_secs_f64()
    );
    let mut ledger = results.ledger.entries().peekable();
    if ledger.peek().is_some() && !args.quiet {
        out.push_str("rests on:\n");
        for sentence in ledger {
            let _ = writeln!(out, "  - {sentence}");
        }
    }
    let (verdict, code) = if report.failure().is_some() {
        (report.verdict.to_string(), report.verdict.exit_code())
    } else if all.open > 0 || all.all() == 0 && report.stopped_by_a_limit() {
        ("unknown(cover)".to_owned(), 5)
    } else if all.not > 0 {
        ("false(cover)".to_owned(), 10)
    } else {
        ("true".to_owned(), 0)
    };
    (out, verdict, code)
}

/// A goal with its source.
fn goal(claim: &Claim) -> String {
    let Some(at) = &claim.place else {
        return claim.id.clone();
    };
    if claim.text != "line" {
        return format!("{}: {}", short(at), claim.text);
    }
    let source = Sources::default()
        .line(&at.file, at.line)
        .unwrap_or_default();
    format!("{}: {}", line(at), source.trim())
}

fn line(at: &Place) -> String {
    let file = Path::new(&*at.file).display();
    format!("{file}:{}", at.line)
}
