//! `selkie replay`: executes stored counterexamples again, and shows them line by line.
//!
//! A report of `verify --json` has all that is needed: the command line, by which the program is compiled as it was then, and the
//! choices of each execution that violates something. Nothing in it is believed: the interpreter meets each violation again, or
//! it is said that it does not.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use base::Bv;
use checks::registry::CheckId;
use clap::{CommandFactory, Parser};
use interp::choices::Recorded;
use interp::{Bindings, Config, Outcome, TraceWriter, story};
use ir::syntax::Obligation;
use results::trace::{Event, Trace};
use results::{Claim, Failure, Violation};
use serde_json::Value;

use crate::args::{AfterFailure, Cli, Command, ReplayArgs, TraceArg, VerifyArgs};
use crate::pipeline::{self, Program};
use crate::report::paint::Paint;
use crate::source::Sources;
use crate::{only, overflow, pass_through, report, undefined, verify};

/// Steps after which an execution is given up.
const STEPS: u64 = 1 << 30;

/// Runs the command.
pub fn replay(args: &ReplayArgs) -> Result<u8, Failure> {
    let args = args.clone();
    verify::on_large_stack(move || all(&args))?;
    Ok(10)
}

/// A counterexample as a report has it.
struct Stored {
    id: String,
    trace: Trace,
    config: Config,
}

/// The executions that a report has, of one violation or of all, and the command line that it is of.
fn stored(file: &Path, violation: Option<&str>) -> Result<(VerifyArgs, Vec<Stored>), Failure> {
    let name = file.display();
    let wrong = |what: &str| Failure::input(format!("{name}: {what}"));
    let text = fs::read_to_string(file).map_err(|error| wrong(&error.to_string()))?;
    let report: Value = serde_json::from_str(&text).map_err(|error| wrong(&error.to_string()))?;
    let verify = command(&report).ok_or_else(|| wrong("is no report of selkie verify --json"))?;
    let list = report["violations"].as_array();
    let list = list.ok_or_else(|| wrong("is no report of selkie verify --json"))?;
    let mut stored = Vec::new();
    for row in list {
        let one = read(row, &verify).ok_or_else(|| wrong("a violation cannot be read"))?;
        stored.push(one);
    }
    if let Some(id) = violation {
        stored.retain(|one| one.id == id);
    }
    if stored.is_empty() {
        let which = violation.unwrap_or("anything");
        return Err(Failure::usage(format!(
            "{name}: no execution is stored that violates {which}"
        )));
    }
    Ok((verify, stored))
}

/// The choices of a stored execution, for `selkie run`: of one violation, or of the first.
pub fn inputs(file: &Path, violation: Option<&str>) -> Result<(Trace, Config), Failure> {
    let (_, stored) = stored(file, violation)?;
    let first = stored.into_iter().next();
    let first = first.expect("there is one, or it was an error");
    Ok((first.trace, first.config))
}

fn all(args: &ReplayArgs) -> Result<(), Failure> {
    let (verify, stored) = stored(&args.file, args.violation.as_deref())?;
    let verify = VerifyArgs {
        input: pipeline::read_property(&verify.input)?,
        ..verify
    };
    let mut program = overflow::load(&verify, &[])?;
    only::restrict(&verify, &BTreeSet::new(), &mut program)?;
    // What was found in the program with monitors of overflow is replayed there.
    let mut monitored: Option<Program> = None;
    for (index, one) in stored.iter().enumerate() {
        if index > 0 {
            println!();
        }
        if again(&program, one, args.trace) {
            continue;
        }
        if monitored.is_none() {
            let mut made = overflow::load(&verify, &[CheckId::Overflow])?;
            only::restrict(&verify, &undefined::monitors(), &mut made)?;
            monitored = Some(made);
        }
        if !monitored
            .as_ref()
            .is_some_and(|program| again(program, one, args.trace))
        {
            return Err(Failure::new(
                5,
                format!("{} is not violated by the stored execution", one.id),
            ));
        }
    }
    Ok(())
}

/// The command line of `verify` in a report, without what it wrote.
fn command(report: &Value) -> Option<VerifyArgs> {
    let words = report["command"].as_array()?.iter();
    let words: Option<Vec<OsString>> = words
        .map(|word| word.as_str().map(OsString::from))
        .collect();
    let words = [vec![OsString::from("selkie")], words?].concat();
    let commands = Cli::command();
    let words = pass_through::rearrange(&commands, words);
    let words = pass_through::flags_last(&commands, words);
    let Command::Verify(mut args) = Cli::try_parse_from(words).ok()?.command else {
        return None;
    };
    args.input.save = None;
    args.input.dump_after = None;
    Some(*args)
}

fn read(row: &Value, args: &VerifyArgs) -> Option<Stored> {
    let events: Option<Vec<Event>> = row["trace"].as_array()?.iter().map(event).collect();
    let config = Config {
        step_limit: STEPS,
        globals: serde_json::from_value(row["globals"].clone()).ok()?,
        unknown: serde_json::from_value(row["unknown"].clone()).ok()?,
        after_failure: match args.input.after_failure {
            AfterFailure::Stop => interp::config::AfterFailure::Stop,
            AfterFailure::Continue => interp::config::AfterFailure::Continue,
        },
        ..Config::default()
    };
    Some(Stored {
        id: row["obligation"].as_str()?.to_owned(),
        trace: Trace { events: events? },
        config,
    })
}

fn event(row: &Value) -> Option<Event> {
    let bytes = |name: &str| serde_json::from_value::<Vec<(u64, u8)>>(row[name].clone()).ok();
    if let Some(text) = row["value"].as_str() {
        let bits: Bv = text.parse().ok()?;
        return Some(Event::Value(bits));
    }
    if row.get("object").is_some() {
        return Some(Event::Object {
            address: row["object"].as_u64(),
            bytes: bytes("bytes")?,
        });
    }
    match row.get("clobber") {
        Some(_) => Some(Event::Clobber(bytes("clobber")?)),
        None => Some(Event::Bytes(bytes("bytes")?)),
    }
}

/// Executes a stored counterexample; does it violate what it is said to violate? Then it is shown.
fn again(program: &Program, one: &Stored, trace: TraceArg) -> bool {
    let claims = &program.claims().claims;
    let mut same = claims.iter().filter(|(_, claim)| claim.id == one.id);
    let Some((obligation, _)) = same.next() else {
        return false;
    };
    let sources = Sources::default();
    let line = |file: &str, number: u32| sources.line(file, number);
    let mut shown = Vec::new();
    let mut writer = TraceWriter::new(&mut shown, &line);
    let mut choices = Recorded::new(&one.trace);
    let bindings = Bindings {
        choices: &mut choices,
        observer: Some(&mut writer),
        host: None,
    };
    let run = interp::run(&program.module, &one.config, bindings);
    let Some(failure) = met(run, obligation, &one.config) else {
        return false;
    };
    match trace {
        TraceArg::Full => print!("{}", String::from_utf8_lossy(&shown)),
        TraceArg::Story | TraceArg::None => {
            let mut violation = Violation {
                obligation,
                claim: Claim::of(&program.module, obligation),
                trace: one.trace.clone(),
                globals: one.config.globals.clone(),
                unknown: one.config.unknown.clone(),
                failure,
                story: None,
            };
            if trace == TraceArg::Story {
                let told = story::tell(&program.module, &violation, one.config.after_failure);
                violation.story = Some(Box::new(told));
            }
            let paint = Paint::of(&std::io::stdout());
            print!("{}", report::violation(&violation, trace, paint));
        }
    }
    true
}

/// The failure, if the execution violates this.
fn met(run: interp::Run, obligation: Obligation, config: &Config) -> Option<interp::Failure> {
    if config.after_failure == interp::config::AfterFailure::Continue {
        let mut failures = run.failures.into_iter();
        return failures.find(|failure| failure.obligation == obligation);
    }
    match run.outcome {
        Outcome::Violated(failure) if failure.obligation == obligation => Some(*failure),
        _ => None,
    }
}
