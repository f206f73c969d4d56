//! `selkie verify --all`: every function of a project, each by a process of its own.
//!
//! Functions with a contract are checked against it; if none has one, every function that other files may call is checked for every
//! caller. Each is checked with the file that defines it: what stands in other files is unknown code, or a contract in a header.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use frontend::functions::Function;
use results::Failure;

use crate::args::VerifyArgs;
use crate::compdb::{self, Project};
use crate::pipeline;

/// What the ledger says of contracts that were believed and are proved in the same table.
const PROVED_ABOVE: &str = "contracts that are proved above stand for their functions; what these reach otherwise is apart from what \
    their arguments lead to, and the C library's state stays as it is";

/// A function, and what was found.
struct Row {
    function: Function,
    file: PathBuf,
    code: u8,
    verdict: String,
    /// `3 violated, 12 proved`.
    counts: String,
    seconds: f64,
    /// The report up to the summary.
    told: String,
    ledger: BTreeSet<String>,
}

/// The files that are meant: those that are named, or all of the project.
pub fn files(args: &VerifyArgs) -> Result<(Vec<PathBuf>, Project), Failure> {
    let project = match &args.input.compdb {
        Some(path) => compdb::read(path)?,
        None => Project::new(),
    };
    let files = match args.input.files.is_empty() {
        true => project.keys().cloned().collect(),
        false => args.input.files.clone(),
    };
    Ok((files, project))
}

/// Runs the command; returns the exit code.
pub fn all(args: &VerifyArgs) -> Result<u8, Failure> {
    if args.outputs.wanted().next().is_some() {
        return Err(Failure::usage(
            "--all writes no report: name a function with --function to get one",
        ));
    }
    let start = Instant::now();
    let (files, _) = files(args)?;
    let mut found: Vec<(Function, PathBuf)> = Vec::new();
    let mut said = Vec::new();
    for file in &files {
        let mut input = args.input.clone();
        input.files = vec![file.clone()];
        let (functions, contracts) = pipeline::functions(&input)?;
        said.extend(contracts);
        found.extend(
            functions
                .into_iter()
                .map(|function| (function, file.clone())),
        );
    }
    // What one file proves, the others believe.
    frontend::contracts::agree(&said)
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    let contracts = found.iter().any(|(function, _)| function.contract);
    found.retain(|(function, _)| match contracts {
        true => function.contract,
        false => function.exported && function.name != "main",
    });
    // A header's function is checked once.
    let mut seen = BTreeSet::new();
    found.retain(|(function, _)| seen.insert((function.name.clone(), function.place.clone())));
    if found.is_empty() {
        return Err(Failure::usage(
            "--all: no function has a contract, and none but `main` can be called from other files",
        ));
    }
    let queue: Mutex<VecDeque<(Function, PathBuf)>> = Mutex::new(found.into());
    let rows: Mutex<Vec<Row>> = Mutex::new(Vec::new());
    let cores = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let jobs = args.jobs.map_or_else(cores, |jobs| jobs as usize);
    let failed: Mutex<Option<Failure>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("no thread panics").pop_front();
                    let Some((function, file)) = next else {
                        return;
                    };
                    match check(args, function, file) {
                        Ok(row) => {
                            if row.code != 0 && !row.told.is_empty() && !args.quiet {
                                let mut out = std::io::stdout().lock();
                                let _ = out.write_all(row.told.as_bytes());
                            }
                            rows.lock().expect("no thread panics").push(row);
                        }
                        Err(failure) => {
                            *failed.lock().expect("no thread panics") = Some(failure);
                            return;
                        }
                    }
                }
            });
        }
    });
    if let Some(failure) = failed.into_inner().expect("no thread panics") {
        return Err(failure);
    }
    let mut rows = rows.into_inner().expect("no thread panics");
    rows.sort_by(|a, b| (&a.file, a.function.line).cmp(&(&b.file, b.function.line)));
    Ok(conclude(&rows, start.elapsed().as_secs_f64()))
}

/// Has another process check a function.
fn check(args: &VerifyArgs, function: Function, file: PathBuf) -> Result<Row, Failure> {
    let internal =
        |error: std::io::Error| Failure::internal(format!("a process cannot be started: {error}"));
    let program = std::env::current_exe().map_err(internal)?;
    let start = Instant::now();
    let output = Command::new(program)
        .args(words(args))
        .args(["--jobs", "1"])
        .arg("--function")
        .arg(&function.name)
        .arg(&file)
        .args(flags(args))
        .stdin(Stdio::null())
        .output()
        .map_err(internal)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    let code = output
        .status
        .code()
        .and_then(|code| u8::try_from(code).ok());
    let code = code.unwrap_or(6);
    let mut row = Row {
        function,
        file,
        code,
        verdict: String::new(),
        counts: String::new(),
        seconds: start.elapsed().as_secs_f64(),
        told: String::new(),
        ledger: BTreeSet::new(),
    };
    for line in text.lines() {
        if let Some(verdict) = line.strip_prefix("RESULT: ") {
            row.verdict = verdict.to_owned();
        } else if let Some(entry) = line.strip_prefix("  - ") {
            row.ledger.insert(entry.to_owned());
        } else if let (Some((_, counts)), true) = (
            line.split_once(" obligations: ")
                .or_else(|| line.split_once(" obligation: ")),
            row.counts.is_empty(),
        ) {
            row.counts = counts
                .rsplit_once(" (")
                .map_or(counts, |(counts, _)| counts)
                .to_owned();
        } else if line != "rests on:"
            && row.counts.is_empty()
            && !(line.contains(" proved") && line.contains(": "))
        {
            row.told.push_str(line);
            row.told.push('\n');
        }
    }
    if row.verdict.is_empty() {
        let sentence = errors.lines().find(|line| line.starts_with("error:"));
        row.verdict = sentence
            .unwrap_or("error: it ended without a result")
            .to_owned();
    }
    Ok(row)
}

/// The options of this process that are those of each of the others.
fn words(args: &VerifyArgs) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--" => break,
            "--all" => {}
            "--jobs" => {
                words.next();
            }
            "-q" | "--quiet" => {}
            text if text.starts_with("--jobs=") => {}
            text if args.input.files.iter().any(|file| file.as_os_str() == text) => {}
            _ => kept.push(word),
        }
    }
    kept
}

/// What stands behind `--`.
fn flags(args: &VerifyArgs) -> Vec<String> {
    if args.input.flags.is_empty() {
        return Vec::new();
    }
    let mut list = vec!["--".to_owned()];
    list.extend(args.input.flags.iter().cloned());
    list
}

/// Says how bad an exit code is; what is violated comes before what does not compile, and that before what is not known.
fn badness(code: u8) -> u8 {
    match code {
        0 => 0,
        5 | 12 | 124 | 3 => 1,
        10 => 3,
        _ => 2,
    }
}

/// The function whose contract an entry of the ledger believes.
fn believed(entry: &str) -> Option<&str> {
    let name = entry.strip_prefix('`')?.split('`').next()?;
    let is = entry.contains(" does what its contract says");
    is.then_some(name)
}

/// The table and the last line.
fn conclude(rows: &[Row], seconds: f64) -> u8 {
    let place = |row: &Row| format!("{}:{}", row.file.display(), row.function.line);
    let widest = |text: &dyn Fn(&Row) -> usize| rows.iter().map(text).max().unwrap_or(0);
    let name = widest(&|row| row.function.name.chars().count());
    let at = widest(&|row| place(row).chars().count());
    let verdict = widest(&|row| row.verdict.chars().count());
    for row in rows {
        println!(
            "{:name$}  {:at$}  {:verdict$}  {} ({:.2} s)",
            row.function.name,
            place(row),
            row.verdict,
            row.counts,
            row.seconds
        );
    }
    let right: BTreeSet<&str> = rows
        .iter()
        .filter(|row| row.code == 0)
        .map(|row| row.function.name.as_str())
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for row in rows {
        let word = row.verdict.split(['(', ':']).next().unwrap_or("error");
        *counts.entry(word).or_default() += 1;
    }
    let counts: Vec<String> = counts
        .iter()
        .map(|(word, count)| format!("{count} {word}"))
        .collect();
    let noun = if rows.len() == 1 {
        "function"
    } else {
        "functions"
    };
    println!(
        "{} {noun}: {} ({seconds:.2} s)",
        rows.len(),
        counts.join(", ")
    );
    let mut ledger: BTreeSet<String> = BTreeSet::new();
    for entry in rows.iter().flat_map(|row| &row.ledger) {
        match believed(entry) {
            Some(name) if right.contains(name) => {
                ledger.insert(PROVED_ABOVE.to_owned());
            }
            _ => {
                ledger.insert(entry.clone());
            }
        }
    }
    println!("rests on:");
    for entry in ledger {
        println!("  - {entry}");
    }
    let worst = rows.iter().max_by_key(|row| badness(row.code));
    let worst = worst.expect("there is a function");
    match worst.code {
        0 => println!("RESULT: true"),
        _ if worst.verdict.starts_with("error") => {
            println!("RESULT: error({})", worst.function.name)
        }
        _ => println!("RESULT: {}", worst.verdict),
    }
    worst.code
}
