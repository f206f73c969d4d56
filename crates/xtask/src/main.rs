//! Chores of the project: `cargo run -p xtask -- help`.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::{Parser, Subcommand};

/// Chores of the project.
#[derive(Parser)]
#[command(name = "xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Write random programs with known verdicts, and their task list, tasks.csv
    Generate {
        /// How many tasks
        #[arg(long, value_name = "N", default_value_t = 50)]
        count: usize,

        /// Other seeds, other programs
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,

        /// The folder they are written to
        #[arg(long, value_name = "DIR")]
        out: PathBuf,

        /// How many programs are compiled and run at a time [default: the number of cores]
        #[arg(long, value_name = "N")]
        jobs: Option<usize>,
    },
}

fn main() -> ExitCode {
    let Chore::Generate {
        count,
        seed,
        out,
        jobs,
    } = Arguments::parse().chore;
    let jobs = jobs.unwrap_or_else(|| available_parallelism().map_or(1, usize::from));
    match xtask::generate::generate(count, seed, &out, jobs) {
        Ok(()) => {
            eprintln!("{count} tasks in {}", out.join("tasks.csv").display());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
