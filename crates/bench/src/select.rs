//! From options to the tasks of a run and the files it writes, with every mistake found before anything runs.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::command;
use crate::filter::{self, Filter};
use crate::options::Options;
use crate::record::{self, Record};
use crate::task::{self, Task};

/// At most so many mistakes of a list are printed.
const MAX_ERRORS: usize = 30;

/// What is to be done.
pub struct Plan {
    /// The tasks, in the order of their lists.
    pub tasks: Vec<Task>,
    /// What was left out, for people.
    pub notes: Vec<String>,
    /// The old results to compare with.
    pub old: Option<Vec<Record>>,
    /// The program that answers.
    pub verifier: PathBuf,
}

/// Reads lists and old results, and picks the tasks. The error is for people, and may have several lines.
pub fn plan(options: &Options, verifier: &Path) -> Result<Plan, String> {
    if let Some(option) = command::contradiction(&options.verify_options) {
        return Err(format!("{option} after `--` contradicts the runner's own"));
    }
    let filters = read_filters(&options.filter)?;
    let read = task::read_lists(&options.lists).map_err(|errors| {
        let shown = errors.iter().take(MAX_ERRORS);
        let mut lines: Vec<String> = shown.map(ToString::to_string).collect();
        if errors.len() > MAX_ERRORS {
            lines.push(format!("… and {} more", errors.len() - MAX_ERRORS));
        }
        lines.join("\n")
    })?;
    let mut tasks = read.tasks;
    if tasks.is_empty() {
        let notes = read.notes.join("; ");
        return Err(format!(
            "the lists hold no task that can be judged ({notes})"
        ));
    }
    let old = match &options.compare {
        None => None,
        Some(path) => Some(
            record::read_table(path).map_err(|reason| format!("{}: {reason}", path.display()))?,
        ),
    };
    if let Some(old) = &old {
        add_old_columns(&mut tasks, old);
    }
    check_columns(&filters, &tasks)?;
    tasks.retain(|task| filters.iter().all(|filter| filter.matches(&task.columns)));
    if let Some(count) = options.sample {
        tasks = filter::sample(tasks, count, options.seed);
    }
    if tasks.is_empty() {
        return Err("no task is left: nothing would be measured".to_owned());
    }
    check_outputs(options)?;
    let verifier = options.verifier.as_deref().unwrap_or(verifier);
    Ok(Plan {
        tasks,
        notes: read.notes,
        old,
        verifier: find_program(verifier)?,
    })
}

fn read_filters(expressions: &[String]) -> Result<Vec<Filter>, String> {
    expressions
        .iter()
        .map(|text| Filter::read(text).map_err(|error| format!("--filter `{text}`: {error}")))
        .collect()
}

/// Gives each task the columns of its old result as `old.COLUMN`.
fn add_old_columns(tasks: &mut [Task], old: &[Record]) {
    let by_id: BTreeMap<&str, &Record> = old.iter().map(|r| (r.id.as_str(), r)).collect();
    for task in tasks {
        for column in record::COLUMNS {
            task.columns.insert(format!("old.{column}"), String::new());
        }
        if let Some(record) = by_id.get(task.id.as_str()) {
            let columns = record.columns();
            task.columns
                .extend(columns.map(|(column, field)| (format!("old.{column}"), field)));
        }
    }
}

fn check_columns(filters: &[Filter], tasks: &[Task]) -> Result<(), String> {
    let known: BTreeSet<&str> = tasks
        .iter()
        .flat_map(|task| task.columns.keys().map(String::as_str))
        .collect();
    for column in filters.iter().flat_map(Filter::columns) {
        if !known.contains(column) {
            let known: Vec<&str> = known.into_iter().collect();
            let known = known.join(", ");
            return Err(format!("--filter: no column `{column}`; there are {known}"));
        }
    }
    Ok(())
}

/// An output must have a folder to be in, and must not be an input or another output.
fn check_outputs(options: &Options) -> Result<(), String> {
    let outputs = [
        ("--csv", &options.csv),
        ("--json", &options.json),
        ("--html", &options.html),
    ];
    let mut taken: Vec<(PathBuf, &str)> = options
        .lists
        .iter()
        .map(|list| (place(list), "a task list"))
        .collect();
    taken.extend(options.compare.iter().map(|old| (place(old), "--compare")));
    for (name, path) in outputs {
        let Some(path) = path else { continue };
        if path.as_os_str() == "-" && name != "--csv" {
            continue;
        }
        let shown = path.display();
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        if folder.is_some_and(|folder| !folder.is_dir()) {
            return Err(format!("{name} {shown}: no such folder"));
        }
        if path.is_dir() {
            return Err(format!("{name} {shown}: is a folder"));
        }
        let here = place(path);
        if let Some((_, other)) = taken.iter().find(|(known, _)| *known == here) {
            return Err(format!("{name} {shown}: is {other} as well"));
        }
        taken.push((here, name));
    }
    Ok(())
}

/// The same for all names of a file, whether it exists or not.
fn place(path: &Path) -> PathBuf {
    if let Ok(place) = fs::canonicalize(path) {
        return place;
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).unwrap_or_default();
    folder.join(path.file_name().unwrap_or_default())
}

/// The program as a path, looked for as a shell does.
fn find_program(name: &Path) -> Result<PathBuf, String> {
    let is_path = name.components().count() > 1 || name.is_absolute();
    if is_path {
        return match name.is_file() {
            true => Ok(name.to_owned()),
            false => Err(format!("--verifier {}: no such file", name.display())),
        };
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|candidate| candidate.is_file())
        .ok_or_else(|| format!("--verifier {}: not on the PATH", name.display()))
}
