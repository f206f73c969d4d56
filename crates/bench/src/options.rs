//! The options of `selkie bench`.

use std::path::PathBuf;

use clap::Args;

/// Run a list of verification tasks and score the answers.
///
/// Each task is verified in a process of its own, under its own limits. A task counts on its own property
/// only: a right `true` scores 2, a right `false` 1, a wrong `true` -32, a wrong `false` -16, everything
/// else 0. The exit code is 10 if any answer is wrong, and 0 otherwise.
#[derive(Args, Clone, Debug)]
#[command(after_long_help = AFTER_HELP)]
pub struct Options {
    /// Task lists: tables (*.csv), SV-COMP task definitions (*.yml), or sets of them (*.set)
    ///
    /// A table has at least the columns id, files, data_model, cflags, include_dirs, defines, property,
    /// subproperty and expected; suite and category group the summary, and any other column may be filtered on.
    /// Several files, folders or macros in one field are separated by `;`. Paths are relative to the list.
    #[arg(required = true, value_name = "LIST")]
    pub lists: Vec<PathBuf>,

    /// How many tasks to run at a time
    ///
    /// One by default: a task may use all cores by itself, and times measured side by side compare badly.
    #[arg(long, short, value_name = "N", default_value_t = 1, value_parser = at_least_one)]
    pub jobs: usize,

    /// Time for one task, on the wall, in seconds
    ///
    /// The verifier is told, and should answer in time; if it does not, it is killed after --grace.
    #[arg(long, value_name = "SECONDS", default_value_t = 120.0, value_parser = seconds)]
    pub timeout: f64,

    /// What a verifier gets beyond its time before it is killed, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    pub grace: f64,

    /// Memory for one task, summed over all its processes, in megabytes (10^6 bytes)
    ///
    /// The verifier is told, and should keep within it; it is killed when it has a tenth more.
    #[arg(long, value_name = "MB", default_value_t = 4000, value_parser = clap::value_parser!(u64).range(1..))]
    pub memory_limit: u64,

    /// Run only the tasks for which this holds; may be given several times
    ///
    /// Compare any column: `property=no-overflow`, `category!=Loops`, `id~^d-0` (a regular expression), `lines<500`;
    /// combine with and, or, not and brackets; quote values that contain spaces or brackets. With --compare, the columns of
    /// the old results are called old.id, old.result and so on: `old.result=wrong`.
    #[arg(long, value_name = "EXPR")]
    pub filter: Vec<String>,

    /// Run only N of the tasks that are left, picked at random
    ///
    /// The same seed picks the same tasks, and a larger sample contains a smaller one.
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,

    /// The seed of --sample
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    pub seed: u64,

    /// Write the results here, one row as each task ends; sorted when all are done
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Keep the results that are in --csv already, and run the rest
    #[arg(long, requires = "csv")]
    pub resume: bool,

    /// Write results, scores and comparison here as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Write a page with tables and plots here; it needs nothing but itself
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Compare with results that --csv wrote before: newly solved, lost, newly wrong, speed
    #[arg(long, value_name = "OLD.csv")]
    pub compare: Option<PathBuf>,

    /// Run this program instead of selkie; it must understand `verify` and answer in the same way
    #[arg(long, value_name = "PROGRAM")]
    pub verifier: Option<PathBuf>,

    /// Print the command of each task and run none
    #[arg(long)]
    pub dry_run: bool,

    /// No progress on standard error
    #[arg(long, short)]
    pub quiet: bool,

    /// Options for `selkie verify`; after `--`, if `bench` has one of the same name
    #[arg(last = true, value_name = "VERIFY OPTIONS")]
    pub verify_options: Vec<String>,
}

const AFTER_HELP: &str = "\
Examples:
  selkie bench tasks.csv --csv new.csv
      all tasks, with a table of results
  selkie bench tasks.csv --csv new.csv --resume
      the rest of them, after an interruption
  selkie bench tasks.csv --filter 'property=unreach-call and lines<200' --sample 50 --timeout 10
      a quick look
  selkie bench tasks.csv --csv new.csv --compare old.csv --html new.html
      what a change brought
  selkie bench tasks.csv --csv bmc.csv --engine bmc --unwind 10
      another engine";

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.001..=1e9).contains(&value) => Ok(value),
        _ => Err("expected a number of seconds above zero".to_owned()),
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(value) if value > 0 => Ok(value),
        _ => Err("expected a number above zero".to_owned()),
    }
}
