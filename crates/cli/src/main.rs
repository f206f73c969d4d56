//! The `selkie` command.
#![forbid(unsafe_code)]

mod args;
mod baseline;
mod compdb;
mod ctext;
mod engines;
mod explain;
mod fault;
mod horn;
mod keep;
mod list;
mod not_built;
mod only;
mod overflow;
mod pages;
mod part;
mod pass_through;
mod pipeline;
mod preconditions;
mod project;
mod replay;
mod report;
mod run;
mod smt;
mod source;
mod stories;
mod supervise;
mod undefined;
mod vacuity;
mod validate;
mod verify;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use crate::args::{Cli, Command};
use results::Failure;

fn main() -> ExitCode {
    let cli = match read(std::env::args_os().collect()) {
        Ok(cli) => cli,
        Err(error) => {
            if let Some(sentence) = not_built::excuse(&error) {
                eprintln!("error: {sentence}");
                return ExitCode::from(1);
            }
            let _ = error.print();
            let fine = matches!(
                error.kind(),
                ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
            );
            return ExitCode::from(if fine { 0 } else { 1 });
        }
    };
    let result = match cli.command {
        Command::Verify(args) if args.all => project::all(&args).inspect_err(|failure| {
            println!("RESULT: error({})", failure.word());
        }),
        Command::Verify(args) => Ok(verify::verify(&args)),
        Command::Bench(options) => bench(&options),
        Command::Replay(args) => replay::replay(&args),
        Command::Run(args) => run::run(&args),
        Command::ValidateWitness(args) => validate::validate(&args),
        Command::List(args) => list::list(&args),
        Command::Explain(args) => explain::explain(&args),
        Command::Pages { folder } => pages::write(&folder),
        Command::Smt(args) => smt::smt(&args),
        Command::Horn(args) => horn::horn(&args),
        Command::Part(args) => part(args),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            eprintln!("error: {}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}

/// Reads a command line.
fn read(words: Vec<OsString>) -> Result<Cli, clap::Error> {
    let commands = Cli::command();
    let words = pass_through::rearrange(&commands, words);
    let words = pass_through::flags_last(&commands, words);
    Cli::try_parse_from(words)
}

/// The part of a command whose words are given.
fn part(args: part::PartArgs) -> Result<u8, Failure> {
    let mut words: Vec<OsString> = vec!["selkie".into()];
    words.extend(args.words);
    let whole = read(words).map_err(|error| Failure::usage(error.to_string()))?;
    match whole.command {
        Command::Verify(whole) => part::serve(&args.name, &whole),
        _ => Err(Failure::usage("only `selkie verify` has parts")),
    }
}

fn bench(options: &bench::Options) -> Result<u8, Failure> {
    let verifier = std::env::current_exe().map_err(|error| {
        Failure::internal(format!("cannot find this program's own file: {error}"))
    })?;
    Ok(u8::try_from(bench::run(options, &verifier)).unwrap_or(6))
}
