//! The report that people read on a terminal.

use std::fmt::Write;

use crate::compare::{Change, Compared, Comparison};
use crate::judge::Judgement;
use crate::progress::span;
use crate::record::Record;
use crate::report::Report;
use crate::summary::{Counts, Reason};

/// At most so many changes of a kind are listed; the table of results has them all.
const MAX_CHANGES: usize = 20;

/// The whole report: wrong answers first, the score last.
pub fn render(report: &Report<'_>) -> String {
    let mut out = String::new();
    wrong_answers(&mut out, report);
    let summary = &report.summary;
    let mut table = Table::new(&[
        "", "tasks", "right", "true", "false", "wrong", "unknown", "score", "of", "wall", "cpu",
    ]);
    for (title, groups) in [
        ("suite", &summary.suites),
        ("category", &summary.categories),
        ("property", &summary.properties),
    ] {
        table.section(title);
        for group in groups {
            table.row(counts_row(
                &format!("  {}", named(&group.name)),
                &group.counts,
            ));
        }
    }
    table.section("");
    table.row(counts_row("all", &summary.total));
    out.push_str(&table.render());
    reasons(&mut out, &summary.reasons);
    engines(&mut out, &summary.engines);
    if let Some(comparison) = &report.comparison {
        compared(&mut out, comparison);
    }
    let total = &summary.total;
    out.push('\n');
    if report.planned > total.tasks {
        let planned = report.planned;
        let _ = writeln!(out, "interrupted: {} of {planned} tasks done", total.tasks);
    }
    let _ = writeln!(
        out,
        "SCORE: {} of {} ({} tasks: {} right, {} wrong, {} unknown) in {}",
        total.score,
        total.max_score,
        total.tasks,
        total.right(),
        total.wrong(),
        total.unknown,
        span(report.elapsed.as_secs_f64())
    );
    out
}

fn wrong_answers(out: &mut String, report: &Report<'_>) {
    let wrong: Vec<(&Record, &String)> = report
        .records
        .iter()
        .zip(&report.commands)
        .filter(|(record, _)| record.judgement == Judgement::Wrong)
        .collect();
    if wrong.is_empty() {
        return;
    }
    let _ = writeln!(
        out,
        "WRONG: {} {}",
        wrong.len(),
        plural(wrong.len(), "answer")
    );
    for (record, command) in wrong {
        let engine = match record.engine.as_str() {
            "" => String::new(),
            engine => format!(" ({engine})"),
        };
        let _ = writeln!(
            out,
            "\n{}: {} is {}, answered {}{engine} after {}\n  {command}",
            record.id,
            record.property,
            record.expected,
            record.verdict,
            span(record.measured.wall_s)
        );
    }
    out.push('\n');
}

fn counts_row(name: &str, counts: &Counts) -> Vec<String> {
    let number = |number: usize| number.to_string();
    vec![
        name.to_owned(),
        number(counts.tasks),
        number(counts.right()),
        number(counts.right_true),
        number(counts.right_false),
        number(counts.wrong()),
        number(counts.unknown),
        counts.score.to_string(),
        counts.max_score.to_string(),
        span(counts.wall_s),
        span(counts.cpu_s),
    ]
}

fn reasons(out: &mut String, reasons: &[Reason]) {
    if reasons.is_empty() {
        return;
    }
    out.push_str("\nunknown, by reason\n");
    for reason in reasons {
        let example = match &reason.example {
            None => String::new(),
            Some((id, message)) => format!(", for example {id}: {message}"),
        };
        let (number, name) = (reason.tasks, named(&reason.name));
        let _ = writeln!(out, "  {number:>5}  {name}{example}");
    }
}

fn engines(out: &mut String, engines: &[(String, usize)]) {
    if engines.is_empty() {
        return;
    }
    out.push_str("\nright, by engine\n");
    for (name, number) in engines {
        let _ = writeln!(out, "  {number:>5}  {}", named(name));
    }
}

fn compared(out: &mut String, comparison: &Comparison) {
    let _ = writeln!(out, "\ncompared with {}", comparison.with);
    for (title, changes) in [
        ("newly wrong", &comparison.newly_wrong),
        ("lost", &comparison.lost),
        ("newly solved", &comparison.newly_solved),
        ("no longer wrong", &comparison.no_longer_wrong),
    ] {
        changed(out, title, changes);
    }
    for (number, what) in [
        (comparison.not_in_old, "not in the old table"),
        (comparison.not_in_new, "in the old table only"),
    ] {
        if number > 0 {
            let _ = writeln!(out, "  {number} {} {what}", plural(number, "task"));
        }
    }
    let mut table = Table::new(&[
        "",
        "solved",
        "lost",
        "wrong",
        "both",
        "old wall",
        "new wall",
        "wall ratio",
        "cpu ratio",
    ]);
    for group in comparison.categories.iter().chain([&comparison.total]) {
        table.row(compared_row(group));
    }
    out.push('\n');
    out.push_str(&table.render());
}

fn changed(out: &mut String, title: &str, changes: &[Change]) {
    let _ = writeln!(out, "  {title}: {}", changes.len());
    for change in changes.iter().take(MAX_CHANGES) {
        let _ = writeln!(out, "    {}: {} -> {}", change.id, change.old, change.new);
    }
    if changes.len() > MAX_CHANGES {
        let _ = writeln!(out, "    … and {} more", changes.len() - MAX_CHANGES);
    }
}

fn compared_row(group: &Compared) -> Vec<String> {
    let ratio = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
    vec![
        format!("  {}", named(&group.name)),
        format!("+{}", group.newly_solved),
        format!("-{}", group.lost),
        format!("+{}", group.newly_wrong),
        group.both.to_string(),
        span(group.old_wall_s),
        span(group.new_wall_s),
        ratio(group.wall_ratio),
        ratio(group.cpu_ratio),
    ]
}

/// A name that can be seen.
pub fn named(name: &str) -> &str {
    if name.is_empty() { "(none)" } else { name }
}

/// `answer` or `answers`.
pub fn plural(number: usize, noun: &str) -> String {
    match number {
        1 => noun.to_owned(),
        _ => format!("{noun}s"),
    }
}

/// Columns as wide as they need to be; the first to the left, the others to the right.
struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    fn new(headers: &[&str]) -> Table {
        let headers = headers.iter().map(|header| (*header).to_owned());
        Table {
            rows: vec![headers.collect()],
        }
    }

    fn row(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    fn section(&mut self, title: &str) {
        self.rows.push(vec![title.to_owned()]);
    }

    fn render(&self) -> String {
        let mut widths: Vec<usize> = Vec::new();
        for row in &self.rows {
            for (index, cell) in row.iter().enumerate() {
                let width = cell.chars().count();
                match widths.get_mut(index) {
                    Some(known) => *known = (*known).max(width),
                    None => widths.push(width),
                }
            }
        }
        let mut out = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (index, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let _ = match index {
                    0 => write!(line, "{cell:<width$}"),
                    _ => write!(line, "  {cell:>width$}"),
                };
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}
