//! What holds, in a line for each function; where there are many, in one for each file. Models of the library stand apart.

use std::collections::BTreeMap;
use std::fmt::Write;

use results::Status;

use super::Report;

/// So many functions have a line each.
const FUNCTIONS: usize = 40;

/// What was counted.
#[derive(Default)]
struct Count {
    proved: usize,
    unreachable: usize,
}

/// A line for each function, by file and name.
pub fn lines(report: &Report<'_>) -> String {
    let mut own: BTreeMap<(String, String), Count> = BTreeMap::new();
    let mut models = Count::default();
    for (_, claim, status) in report.results.shown() {
        let count = match claim.model {
            true => &mut models,
            false => {
                let file = claim.place.as_ref().map(|at| at.file.to_string());
                let file = file.unwrap_or_default();
                own.entry((file, claim.func().to_owned())).or_default()
            }
        };
        match status {
            Status::Proved => count.proved += 1,
            Status::Unreachable => count.unreachable += 1,
            Status::ProvedBounded(_) | Status::Violated | Status::Vacuous | Status::Unknown(_) => {}
        }
    }
    if own.len() > FUNCTIONS {
        own = by_file(own);
    }
    let mut out = String::new();
    let mut line = |name: &str, count: &Count| {
        let parts = [(count.proved, "proved"), (count.unreachable, "unreachable")];
        let parts: Vec<String> = parts
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, word)| format!("{number} {word}"))
            .collect();
        if !parts.is_empty() {
            let parts = report.paint.good(&parts.join(", "));
            let _ = writeln!(out, "{name}: {parts}");
        }
    };
    for ((file, func), count) in &own {
        let name = match (file.is_empty(), func.is_empty()) {
            (true, _) => func.clone(),
            (false, true) => file.clone(),
            (false, false) => format!("{file}: {func}"),
        };
        line(&name, count);
    }
    line("models of library functions", &models);
    out
}

fn by_file(all: BTreeMap<(String, String), Count>) -> BTreeMap<(String, String), Count> {
    let mut files: BTreeMap<(String, String), Count> = BTreeMap::new();
    for ((file, _), count) in all {
        let sum = files.entry((file, String::new())).or_default();
        sum.proved += count.proved;
        sum.unreachable += count.unreachable;
    }
    files
}
