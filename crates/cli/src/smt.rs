//! `selkie smt`: solves an SMT-LIB 2 file with any back end.

use std::time::Duration;

use solve::{Limits, ScriptError, ScriptOptions, SolveError};

use crate::args::SmtArgs;
use results::Failure;

/// Runs the command.
pub fn smt(args: &SmtArgs) -> Result<u8, Failure> {
    let time = match args.timeout {
        None => None,
        Some(seconds) => Some(
            Duration::try_from_secs_f64(seconds)
                .map_err(|_| Failure::usage("--timeout takes a positive number of seconds"))?,
        ),
    };
    let mut options = ScriptOptions {
        backend: args.solver.clone(),
        ..ScriptOptions::default()
    };
    options.config.limits = Limits { time, memory: None };
    let mut out = std::io::stdout().lock();
    let unknown = solve::run_script(&args.file, &options, &mut out).map_err(failure)?;
    for reason in &unknown {
        eprintln!("unknown: {reason}");
    }
    Ok(if unknown.is_empty() { 0 } else { 5 })
}

/// What a script that was not answered ends with.
pub fn failure(error: ScriptError) -> Failure {
    let code = match &error {
        ScriptError::File { .. } | ScriptError::Read(_) | ScriptError::Command(_) => 2,
        ScriptError::Solve(SolveError::Unsupported { .. }) => 3,
        ScriptError::Solve(SolveError::UnknownBackend { .. }) => 1,
        ScriptError::Solve(_) => 6,
        ScriptError::Write(_) => 1,
    };
    Failure::new(code, error.to_string())
}
