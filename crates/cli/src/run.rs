//! `selkie run`: executes a program in the interpreter, with the host's standard input and output.

use std::io;
use std::path::Path;

use base::Bv;
use interp::choices::{Choices, List, Rest, Seed, Told};
use interp::host::Stdio;
use interp::{Bindings, Config, Outcome, TraceWriter};

use crate::args::{PhaseArg, RunArgs};
use crate::source::Sources;
use crate::{pipeline, replay};
use results::trace::Trace;
use results::{Claim, Failure};

/// Runs the command.
pub fn run(args: &RunArgs) -> Result<u8, Failure> {
    let mut input = args.input.clone();
    input.warnings = true;
    let mut program = pipeline::load(&input, frontend::Stdio::Host)?;
    if args.phase != PhaseArg::Raw {
        program.lower(&args.input)?;
    }
    if args.phase == PhaseArg::Pure {
        program.purify(&args.input)?;
    }
    let module = &program.module;
    let config = Config {
        step_limit: args.steps,
        volatile: interp::config::Volatile::Memory,
        record: interp::config::Record::Off,
        ..Config::default()
    };
    let stored = stored(args)?;
    let config = match &stored {
        None => config,
        // Everything was chosen by `verify`: what was volatile, and what globals held.
        Some((_, verified)) => Config {
            volatile: interp::config::Volatile::Any,
            globals: verified.globals.clone(),
            unknown: verified.unknown.clone(),
            ..config
        },
    };
    let mut choices: Box<dyn Choices> = match (&args.inputs, args.seed) {
        (Some(_), _) if stored.is_some() => {
            let events = stored.iter().flat_map(|(trace, _)| &trace.events);
            Box::new(Told::new(events.cloned().collect()))
        }
        (Some(text), _) => {
            let mut list = List::new(inputs(text)?);
            list.rest = Rest::Zeros;
            Box::new(list)
        }
        (None, Some(seed)) => Box::new(Seed::new(seed)),
        (None, None) => Box::new(interp::choices::Zeros),
    };
    let (mut stdin, mut stdout, mut stderr) =
        (io::stdin().lock(), io::stdout().lock(), io::stderr().lock());
    let mut trace_out = io::stderr();
    let sources = Sources::default();
    let line = |file: &str, number: u32| sources.line(file, number);
    let mut writer = TraceWriter::new(&mut trace_out, &line);
    let mut host = Stdio {
        input: &mut stdin,
        output: &mut stdout,
        errors: &mut stderr,
    };
    let bindings = Bindings {
        choices: &mut *choices,
        observer: if args.trace { Some(&mut writer) } else { None },
        host: Some(&mut host),
    };
    let run = interp::run(module, &config, bindings);
    match run.outcome {
        Outcome::Returned(values) => {
            let code = values
                .first()
                .and_then(|value| value.bits(module.machine.pointer_bits));
            Ok(code.map_or(0, |bits| bits.low_u64() as u8))
        }
        Outcome::Exited(code) => Ok(code.unwrap_or(0) as u8),
        Outcome::Aborted => Ok(134),
        Outcome::Violated(failure) => {
            let data = &module.obligations[failure.obligation];
            let at = data.place.map_or_else(
                || "?".to_owned(),
                |place| module.places[place].place.to_string(),
            );
            eprintln!(
                "{at}: [{}] {}: VIOLATED",
                Claim::of(module, failure.obligation).id,
                data.text
            );
            for line in failure.explanation.to_string().lines() {
                eprintln!("    {line}");
            }
            Ok(10)
        }
        Outcome::AssumeFailed => {
            eprintln!("an assumption does not hold: the execution does not count");
            Ok(0)
        }
        Outcome::StepLimit => Err(Failure::new(
            124,
            format!("more than {} instructions", args.steps),
        )),
        Outcome::DepthLimit => Err(Failure::new(12, "calls are nested too deeply")),
        Outcome::MemoryLimit(why) => Err(Failure::new(12, why)),
        Outcome::Refused(refusal) => Err(Failure::internal(refusal.to_string())),
        Outcome::Stuck(explanation) => Err(Failure::new(3, explanation.sentence)),
        Outcome::Error(why) => Err(Failure::internal(why)),
    }
}

/// What `verify --json` wrote, if `--inputs` names such a file.
fn stored(args: &RunArgs) -> Result<Option<(Trace, Config)>, Failure> {
    let file = args.inputs.as_deref().map(Path::new);
    let file = file.filter(|file| file.is_file());
    match (file, &args.violation) {
        (Some(file), violation) => replay::inputs(file, violation.as_deref()).map(Some),
        (None, None) => Ok(None),
        (None, Some(_)) => Err(Failure::usage(
            "--violation names one of a report: give that with --inputs REPORT.json",
        )),
    }
}

/// Numbers separated by commas, as 128-bit values that fit any input.
fn inputs(text: &str) -> Result<Vec<Bv>, Failure> {
    text.split(',')
        .map(|word| {
            let number: i64 = word.trim().parse().map_err(|_| {
                Failure::usage(format!(
                    "--inputs takes whole numbers, or the file that verify --json wrote, not `{word}`"
                ))
            })?;
            Ok(Bv::from_i64(number, 128))
        })
        .collect()
}
