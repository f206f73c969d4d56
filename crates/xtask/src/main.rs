//! Chores of the project: `cargo run -p xtask -- help`.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xtask::canaries::Flock;
use xtask::mutants::{Copy, Fate};
use xtask::odd::referee::{Judgement, News, Verifier, referee};

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
    /// Ask a verifier about random programs in odd C, with its switches at random; exit code 1 if an answer is wrong
    Referee {
        /// How many questions
        #[arg(long, value_name = "N", default_value_t = 50)]
        count: usize,

        /// Other seeds, other programs
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,

        /// The number of the first program
        #[arg(long, value_name = "N", default_value_t = 0)]
        start: u64,

        /// The folder where programs are kept whose answer was wrong
        #[arg(long, value_name = "DIR")]
        out: PathBuf,

        /// The verifier
        #[arg(long, value_name = "PROGRAM", default_value = "target/release/selkie")]
        selkie: PathBuf,

        /// Seconds for each question
        #[arg(long, value_name = "SECONDS", default_value_t = 10)]
        timeout: u32,

        /// One kind of program only (crates/xtask/src/odd/kinds.rs)
        #[arg(long, value_name = "NAME")]
        only: Option<String>,

        /// How many questions about the same program
        #[arg(long, value_name = "N", default_value_t = 4)]
        questions: usize,

        /// How many at a time [default: the number of cores]
        #[arg(long, value_name = "N")]
        jobs: Option<usize>,
    },
    /// Put `sk_assert(0)` where native runs of the programs in `tests` passed; exit code 1 if one is proved
    Canaries {
        /// How many at most, chosen at random [default: all]
        #[arg(long, value_name = "N")]
        count: Option<usize>,

        /// Other seeds, other switches
        #[arg(long, value_name = "S", default_value_t = 1)]
        seed: u64,

        /// The checkout
        #[arg(long, value_name = "DIR", default_value = ".")]
        root: PathBuf,

        /// The folder where programs are kept whose answer was wrong
        #[arg(long, value_name = "DIR")]
        out: PathBuf,

        /// The verifier
        #[arg(long, value_name = "PROGRAM", default_value = "target/release/selkie")]
        selkie: PathBuf,

        /// Seconds for each question
        #[arg(long, value_name = "SECONDS", default_value_t = 10)]
        timeout: u32,
    },
    /// Change the verifier's sources in a copy, one expression at a time, and run its tests; exit code 1 if they pass
    Mutants {
        /// The checkout
        #[arg(long, value_name = "DIR", default_value = ".")]
        root: PathBuf,

        /// Those only whose text has this in it
        #[arg(long, value_name = "TEXT", default_value = "")]
        only: String,
    },
    /// Print the results of a run on `tests/scale` as a table of time against size
    Scale {
        /// What `selkie bench --csv` wrote
        results: PathBuf,

        /// Write a plot, too (SVG)
        #[arg(long, value_name = "FILE")]
        plot: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    match work(Arguments::parse().chore) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn work(chore: Chore) -> Result<ExitCode> {
    let cores = || available_parallelism().map_or(1, usize::from);
    match chore {
        Chore::Generate {
            count,
            seed,
            out,
            jobs,
        } => {
            xtask::generate::generate(count, seed, &out, jobs.unwrap_or_else(cores))?;
            eprintln!("{count} tasks in {}", out.join("tasks.csv").display());
            Ok(ExitCode::SUCCESS)
        }
        Chore::Referee {
            count,
            seed,
            start,
            out,
            selkie,
            timeout,
            only,
            questions,
            jobs,
        } => {
            let verifier = Verifier {
                program: selkie,
                timeout,
                questions,
                only,
                folder: out,
            };
            let tell = |news: News| match news {
                News::Complaint(complaint) => println!("{}", complaint.line),
                News::Count(summary) => {
                    eprintln!("{} asked, {:?}", summary.asked(), summary.counts);
                }
            };
            let jobs = jobs.unwrap_or_else(cores);
            let summary = referee(&verifier, seed, start, count, jobs, &tell)?;
            for (kind, (right, all)) in &summary.kinds {
                println!("{kind}: {right} of {all}");
            }
            println!(
                "{} asked, {:?}, {} programs not usable",
                summary.asked(),
                summary.counts,
                summary.unusable
            );
            Ok(ExitCode::from(u8::from(
                summary.count(Judgement::Wrong) > 0,
            )))
        }
        Chore::Mutants { root, only } => {
            let copy = Copy::new(&root.canonicalize()?)?;
            if let Fate::Killed(test) = copy.test(None)? {
                anyhow::bail!("{test} fails without a mutant");
            }
            let mut living = 0;
            for (number, mutant) in copy.mutants.iter().enumerate() {
                let name = format!("{}: {}", mutant.file, mutant.what);
                if !name.contains(&only) {
                    continue;
                }
                match copy.test(Some(number))? {
                    Fate::Killed(test) => println!("{name}: {test}"),
                    Fate::Lives => {
                        living += 1;
                        println!("{name}: LIVES");
                    }
                }
            }
            println!("{living} live");
            Ok(ExitCode::from(u8::from(living > 0)))
        }
        Chore::Scale { results, plot } => {
            let scale = xtask::scale::Scale::read(&results)?;
            print!("{}", scale.table());
            if let Some(file) = plot {
                std::fs::write(&file, scale.plot())?;
            }
            Ok(ExitCode::SUCCESS)
        }
        Chore::Canaries {
            count,
            seed,
            root,
            out,
            selkie,
            timeout,
        } => {
            let flock = Flock {
                root: root.canonicalize()?,
                verifier: selkie,
                timeout,
                folder: out,
            };
            let count = count.unwrap_or(usize::MAX);
            let summary = flock.release(count, seed, &|line| println!("{line}"))?;
            println!(
                "{} asked, {} complaints, no canary in: {}",
                summary.asked,
                summary.complaints.len(),
                summary.silent.join(" ")
            );
            Ok(ExitCode::from(u8::from(!summary.complaints.is_empty())))
        }
    }
}
