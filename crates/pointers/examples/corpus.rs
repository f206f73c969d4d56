//! Regions over a task list: loads, lowers, analyses and purifies every program, and counts.
//!
//! ```text
//! cargo run --release -p pointers --example corpus -- TASKS.csv [FIRST [COUNT]]
//! ```
//!
//! For each way to divide memory it prints the regions of all functions, the share that are single
//! scalars, the share of accesses that go to single scalars, and the time. Each program is executed three times as
//! Lowered, and must end alike as Pure: no access leaves its region.

#[path = "../tests/common/mod.rs"]
mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use common::{Inputs, ends_alike, record, replay, summary};
use ir::syntax::{Module, Phase};
use passes::pass::{self, Config, ExternMode, RegionMode};
use passes::pipeline::LOWER;
use pointers::{Mode, analyze};

#[derive(Default)]
struct Row {
    tasks: usize,
    regions: usize,
    scalars: usize,
    accesses: usize,
    scalar_accesses: usize,
    widest: usize,
    time: Duration,
    purify: Duration,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let list = PathBuf::from(args.first().expect("the path of a task list"));
    let number = |index: usize, otherwise: usize| {
        let text = args.get(index);
        text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (first, count) = (number(1, 0), number(2, usize::MAX));
    let text = std::fs::read_to_string(&list).expect("the task list can be read");
    let mut rows = records(&text).into_iter();
    let header = rows.next().expect("a header");
    let column: BTreeMap<&str, usize> = header
        .iter()
        .enumerate()
        .map(|(index, name)| (name.as_str(), index))
        .collect();
    let base = list.parent().expect("a folder");
    let (mut failures, mut unread) = (0, 0);
    let mut table: BTreeMap<&str, Row> = BTreeMap::new();
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for (index, row) in rows.enumerate().skip(first).take(count) {
        let get = |name: &str| column.get(name).map_or("", |&at| row[at].as_str());
        let module = match load(base, &get) {
            Ok(module) => module,
            Err(error) => {
                unread += 1;
                println!("{index} {}: not read: {}", get("id"), first_line(&error));
                continue;
            }
        };
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            divide(&module, &mut table, &mut ends)
        }));
        match result {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                failures += 1;
                println!("{index} {}: {}", get("id"), first_line(&error));
            }
            Err(_) => {
                failures += 1;
                println!("{index} {}: panic", get("id"));
            }
        }
    }
    println!("failures: {failures}, not read: {unread}, executions by their end: {ends:?}");
    println!(
        "| regions | programs | regions | single scalars | accesses to them | most in a function | analysis | purify |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (name, row) in &table {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        println!(
            "| {name} | {} | {} | {:.1} % | {:.1} % | {} | {:.2} s | {:.2} s |",
            row.tasks,
            row.regions,
            share(row.scalars, row.regions),
            share(row.scalar_accesses, row.accesses),
            row.widest,
            row.time.as_secs_f64(),
            row.purify.as_secs_f64()
        );
    }
    if failures > 0 {
        std::process::exit(1);
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

fn load<'a>(base: &Path, get: &dyn Fn(&str) -> &'a str) -> Result<Module, String> {
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let files = words(&get("files").replace(';', " "));
    let mut options = frontend::Options::new(files.iter().map(|file| base.join(file)));
    options.cflags = words(get("cflags"));
    options.includes = words(&get("include_dirs").replace(';', " "))
        .iter()
        .map(|folder| base.join(folder))
        .collect();
    options.defines = words(&get("defines").replace(';', " "));
    if get("data_model") == "ILP32" {
        options.data_model = frontend::DataModel::Ilp32;
    }
    frontend::load(&options).map_err(|error| error.to_string())
}

fn divide(
    raw: &Module,
    table: &mut BTreeMap<&'static str, Row>,
    ends: &mut BTreeMap<String, usize>,
) -> Result<(), String> {
    for name in ["flat", "split", "ci", "cs"] {
        let mut module = raw.clone();
        let mode = match name {
            "cs" => Some((Mode::ContextSensitive, pointers::SENSITIVE)),
            "ci" => Some((Mode::ContextInsensitive, pointers::INSENSITIVE)),
            _ => None,
        };
        let config = Config {
            extern_mode: ExternMode::Pure,
            regions: match mode {
                Some((_, provider)) => RegionMode::Given(provider),
                None => RegionMode::Flat,
            },
            ..Config::default()
        };
        pass::run(LOWER, &mut module, &config, &mut |_, _| ())
            .map_err(|error| error.to_string())?;
        let row = table.entry(name).or_default();
        row.tasks += 1;
        let start = Instant::now();
        let regions = match mode {
            Some((mode, _)) => {
                let analysis = analyze(&module, mode);
                row.time += start.elapsed();
                for facts in analysis.funcs.values() {
                    for info in facts.regions.values() {
                        row.regions += 1;
                        row.accesses += info.accesses as usize;
                        if info.scalar.is_some() {
                            row.scalars += 1;
                            row.scalar_accesses += info.accesses as usize;
                        }
                    }
                }
                analysis.provide()
            }
            None => {
                let regions = match name {
                    "flat" => passes::regions::flat(&module),
                    _ => passes::split::split(&module),
                };
                row.time += start.elapsed();
                regions
            }
        };
        let runs: Vec<_> = match mode {
            Some(_) => [Inputs::Zeros, Inputs::Seed(1), Inputs::Seed(2)]
                .map(|inputs| record(&module, inputs))
                .into(),
            None => Vec::new(),
        };
        let start = Instant::now();
        passes::purify::purify(&mut module, &regions);
        row.purify += start.elapsed();
        ir::wellformed::check(&module)
            .map_err(|complaints| format!("{name}: {}", complaints[0]))?;
        assert_eq!(module.phase, Phase::Pure);
        for run in runs {
            let expected = summary(&module, &run.outcome);
            let outcome = summary(&module, &replay(&module, &run));
            if !ends_alike(&outcome, &expected) {
                return Err(format!("{name}: {outcome} instead of {expected}"));
            }
            *ends
                .entry(expected.split(' ').next().unwrap_or_default().to_owned())
                .or_default() += 1;
        }
        let mut in_text = 0;
        for body in module.funcs.values().filter_map(|func| func.body.as_ref()) {
            in_text += body.regions.len();
            row.widest = row.widest.max(body.regions.len());
        }
        if mode.is_none() {
            row.regions += in_text;
        }
    }
    Ok(())
}

/// The records of a CSV file with quotes.
fn records(text: &str) -> Vec<Vec<String>> {
    let mut records = vec![vec![String::new()]];
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let record = records.last_mut().expect("there is a record");
        let field = record.last_mut().expect("there is a field");
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => record.push(String::new()),
            '\n' if !quoted => records.push(vec![String::new()]),
            '\r' if !quoted => {}
            c => field.push(c),
        }
    }
    records.retain(|record| record.len() > 1);
    records
}
