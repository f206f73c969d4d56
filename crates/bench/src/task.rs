//! A verification task, and the reading of task lists of every kind.
//!
//! Nothing is run before all lists are known to be sound: a list with a missing column, a duplicate id,
//! a missing file or a bad verdict is refused with every such row named.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::property::Property;
use crate::{list_csv, list_svcomp};

/// A program, a property, and the verdict that is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    /// Unique among all lists of a run; results are compared by it.
    pub id: String,
    /// Where the task comes from; the first level of the summary.
    pub suite: String,
    /// What kind of program it is.
    pub category: String,
    /// The sources, linked together.
    pub files: Vec<PathBuf>,
    /// The data model of the machine it is about.
    pub data_model: DataModel,
    /// Options for the compiler, in one string, as `--cflags` takes them.
    pub cflags: String,
    /// Folders searched for headers.
    pub include_dirs: Vec<PathBuf>,
    /// Macros, `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// What is asked.
    pub property: Property,
    /// Which part of the property is violated, where the list says so.
    pub subproperty: Option<String>,
    /// The property file, if the task came with one of its own.
    pub property_file: Option<PathBuf>,
    /// The verdict that is expected. No verifier ever sees it.
    pub expected: Expected,
    /// All columns of the list by name, for `--filter`.
    pub columns: BTreeMap<String, String>,
}

/// The width of `long` and of pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataModel {
    /// 32-bit `int`, `long` and pointers.
    Ilp32,
    /// 32-bit `int`, 64-bit `long` and pointers.
    Lp64,
}

/// The verdict that a task list states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// No execution violates the property.
    True,
    /// Some execution does.
    False,
}

impl DataModel {
    /// Reads `ILP32` or `LP64`.
    pub fn read(text: &str) -> Option<DataModel> {
        match text {
            "ILP32" => Some(DataModel::Ilp32),
            "LP64" => Some(DataModel::Lp64),
            _ => None,
        }
    }
}

impl fmt::Display for DataModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        })
    }
}

impl Expected {
    /// Reads `true` or `false`.
    pub fn read(text: &str) -> Option<Expected> {
        match text {
            "true" => Some(Expected::True),
            "false" => Some(Expected::False),
            _ => None,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::True => "true",
            Expected::False => "false",
        })
    }
}

/// Why a task list is refused: a place in it, and a reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListError {
    /// The list, `tasks.csv`.
    pub list: PathBuf,
    /// The line there, counted from one; none if the whole list is meant.
    pub line: Option<u64>,
    /// What is wrong.
    pub reason: String,
}

impl ListError {
    /// An error that concerns a whole list.
    pub fn whole(list: &Path, reason: impl Into<String>) -> ListError {
        ListError {
            list: list.to_owned(),
            line: None,
            reason: reason.into(),
        }
    }

    /// An error at a line of a list.
    pub fn at(list: &Path, line: u64, reason: impl Into<String>) -> ListError {
        ListError {
            list: list.to_owned(),
            line: Some(line),
            reason: reason.into(),
        }
    }
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.list.display())?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

/// What reading the lists gave.
#[derive(Default, Debug)]
pub struct Tasks {
    /// In the order of the lists.
    pub tasks: Vec<Task>,
    /// What was left out and why, for people.
    pub notes: Vec<String>,
}

/// A task with the place it was read from.
pub(crate) struct Placed {
    pub task: Task,
    pub line: Option<u64>,
}

/// Reads all lists, `*.csv`, `*.yml` (or `*.yaml`) and `*.set`, or says everything that is wrong with them.
pub fn read_lists(lists: &[PathBuf]) -> Result<Tasks, Vec<ListError>> {
    let mut errors = Vec::new();
    let mut tasks: Vec<Task> = Vec::new();
    let mut first_places: BTreeMap<String, (PathBuf, Option<u64>)> = BTreeMap::new();
    let mut svcomp = list_svcomp::Reader::default();
    for list in lists {
        let extension = list.extension().and_then(|extension| extension.to_str());
        let placed = match extension {
            Some("csv") => list_csv::read(list, &mut errors),
            Some("yml" | "yaml") => svcomp.read_definition(list, &mut errors),
            Some("set") => svcomp.read_set(list, &mut errors),
            _ => {
                let reason = "not a task list: expected *.csv, *.yml or *.set";
                errors.push(ListError::whole(list, reason));
                continue;
            }
        };
        for Placed { task, line } in placed {
            match first_places.get(&task.id) {
                None => {
                    first_places.insert(task.id.clone(), (list.clone(), line));
                    tasks.push(task);
                }
                Some((first_list, first_line)) => {
                    let first = match first_line {
                        Some(first_line) => format!("{}:{first_line}", first_list.display()),
                        None => first_list.display().to_string(),
                    };
                    errors.push(ListError {
                        list: list.clone(),
                        line,
                        reason: format!("duplicate id `{}`, first at {first}", task.id),
                    });
                }
            }
        }
    }
    if errors.is_empty() {
        let notes = svcomp.notes();
        Ok(Tasks { tasks, notes })
    } else {
        Err(errors)
    }
}
