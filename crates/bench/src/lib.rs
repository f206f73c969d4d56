//! The benchmark runner: task lists in, scores out.
//!
//! What is not measured is not known. `selkie bench` runs a verifier on a list of tasks with known
//! verdicts, each in processes of its own under limits of time and memory, and says what was answered right, wrong
//! or not at all. A wrong answer outranks everything: it is printed first, with the command that reproduces it.
//!
//! The way of a task through the crate:
//!
//! ```text
//! task lists ─ list_csv, list_svcomp ─▶ tasks ─ select, filter ─▶ plan
//!   plan ─ command ─▶ process (supervisor and memory in `host`) ─▶ outcome
//!     outcome ─ answer ─▶ verdict ─ judge ─▶ record ─▶ table, summary, comparison ─▶ text, JSON, HTML
//! ```
//!
//! The runner knows nothing about verification: the verifier is a program, its answer a line and an exit code. The
//! one thing it shares with the others is [`property`], the mapping from names of properties to checks.
#![forbid(unsafe_code)]

mod answer;
mod command;
mod compare;
pub mod filter;
mod hardware;
mod hash;
mod html;
mod judge;
mod list_csv;
mod list_svcomp;
mod options;
mod process;
mod progress;
pub mod property;
mod record;
mod report;
mod runner;
mod select;
mod summary;
pub mod task;
mod text;
pub mod yaml;

use std::io::Write;
use std::path::Path;

pub use options::Options;

/// Runs a benchmark with `verifier`, the path of the selkie binary, unless the options name another. Results
/// go to standard output, everything else to standard error. Returns the exit code: 0, 10 if an answer is
/// wrong, 1 for a mistake in the options or in a list, 6 for a failure of the runner, 128 and the signal
/// if it was interrupted.
pub fn run(options: &Options, verifier: &Path) -> i32 {
    match runner::run(options, verifier) {
        Ok(code) => code,
        Err(failure) => {
            // Nobody may be listening; the exit code still tells.
            let _ = writeln!(std::io::stderr(), "error: {}", failure.message);
            failure.code
        }
    }
}
