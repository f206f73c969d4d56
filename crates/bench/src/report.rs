//! Everything a finished run can be asked about, for the writers of text, JSON and HTML.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use crate::compare::Comparison;
use crate::hardware::Hardware;
use crate::options::Options;
use crate::record::{Measured, Record};
use crate::summary::Summary;

/// The version of the JSON that is written; it grows when a field changes its meaning.
const SCHEMA_VERSION: u32 = 1;

/// A run.
pub struct Report<'a> {
    /// What was asked for.
    pub options: &'a Options,
    /// The program that answered.
    pub verifier: PathBuf,
    /// The results in the order of the task list.
    pub records: Vec<Record>,
    /// The command that reproduces each of them.
    pub commands: Vec<String>,
    /// How many results there would be, had nobody interrupted.
    pub planned: usize,
    /// The results added up.
    pub summary: Summary,
    /// The comparison with an older table.
    pub comparison: Option<Comparison>,
    /// How long the run took.
    pub elapsed: Duration,
    /// Where it ran.
    pub machine: Hardware,
}

/// A result in the JSON.
#[derive(Serialize)]
struct Row<'a> {
    id: &'a str,
    suite: &'a str,
    category: &'a str,
    property: &'a str,
    subproperty: &'a str,
    expected: String,
    result: String,
    verdict: String,
    reason: &'a str,
    score: i64,
    #[serde(flatten)]
    measured: Measured,
    engine: &'a str,
    evidence: &'a str,
    stages: Vec<Stage<'a>>,
    message: &'a str,
    command: &'a str,
}

#[derive(Serialize)]
struct Stage<'a> {
    name: &'a str,
    seconds: f64,
}

/// The run as one JSON object.
pub fn to_json(report: &Report<'_>) -> String {
    let rows: Vec<Row<'_>> = report
        .records
        .iter()
        .zip(&report.commands)
        .map(|(record, command)| row(record, command))
        .collect();
    let options = report.options;
    let value = json!({
        "schema_version": SCHEMA_VERSION,
        "verifier": report.verifier.to_string_lossy(),
        "lists": options.lists.iter().map(|list| list.to_string_lossy()).collect::<Vec<_>>(),
        "verify_options": options.verify_options,
        "timeout_s": options.timeout,
        "memory_limit_mb": options.memory_limit,
        "jobs": options.jobs,
        "machine": report.machine,
        "planned": report.planned,
        "elapsed_s": report.elapsed.as_secs_f64(),
        "summary": report.summary,
        "comparison": report.comparison,
        "tasks": rows,
    });
    let mut text = serde_json::to_string_pretty(&value).expect("all keys are texts");
    text.push('\n');
    text
}

fn row<'a>(record: &'a Record, command: &'a str) -> Row<'a> {
    let stages = record.stages.iter().map(|(name, seconds)| Stage {
        name,
        seconds: *seconds,
    });
    Row {
        id: &record.id,
        suite: &record.suite,
        category: &record.category,
        property: &record.property,
        subproperty: &record.subproperty,
        expected: record.expected.to_string(),
        result: record.judgement.to_string(),
        verdict: record.verdict.to_string(),
        reason: &record.reason,
        score: record.score(),
        measured: record.measured,
        engine: &record.engine,
        evidence: &record.evidence,
        stages: stages.collect(),
        message: &record.message,
        command,
    }
}
