//! `selkie horn`: solves a file of Horn clauses, or writes the clauses that a program becomes.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Arc, mpsc};
use std::time::Instant;

use results::{Failure, Known, Silence, Sink, Task};
use solve::Limits;
use solve::horn::attempt::{attempts, solve_in_turn};
use solve::horn::read::read_horn;
use solve::horn::{HornAnswer, HornOptions};
use terms::Terms;

use crate::args::{HornArgs, IntsArg, VerifyArgs};
use crate::smt::failure;
use crate::{engines, only, overflow, pipeline, verify};

/// Runs the command.
pub fn horn(args: &HornArgs) -> Result<u8, Failure> {
    let args = args.clone();
    match args.emit {
        true => emit(args.verify),
        false => verify::on_large_stack(move || solve(&args)),
    }
}

/// Solves the clauses of a file.
fn solve(args: &HornArgs) -> Result<u8, Failure> {
    let [path] = args.verify.input.files.as_slice() else {
        return Err(Failure::usage("one file of clauses at a time"));
    };
    let Some(time) = args.verify.time() else {
        return Err(Failure::usage(
            "--timeout takes a positive number of seconds",
        ));
    };
    let say =
        |error: &dyn std::fmt::Display| Failure::new(2, format!("{}: {error}", path.display()));
    let text = std::fs::read(path).map_err(|error| say(&error))?;
    let text = String::from_utf8(text).map_err(|_| say(&"the file is no UTF-8 text"))?;
    let mut terms = Terms::new();
    let file = read_horn(&mut terms, &path.display().to_string(), &text).map_err(failure)?;
    let options = HornOptions {
        limits: Limits {
            time: Some(time),
            memory: args.verify.memory_bytes(),
        },
        ..HornOptions::default()
    };
    let attempts = attempts(args.verify.ints.map(IntsArg::meaning));
    let answer = solve_in_turn(&mut terms, &file.system, attempts, &options);
    let answer = answer.map_err(|error| failure(error.into()))?;
    let (word, code) = match &answer {
        HornAnswer::Safe(_) => ("sat", 0),
        HornAnswer::Unsafe(_) => ("unsat", 0),
        HornAnswer::Unknown(reason) => {
            eprintln!("unknown: {reason}");
            ("unknown", 5)
        }
    };
    let mut text = format!("{word}\n");
    if args.model || file.model {
        text.push_str(&file.explain(&mut terms, &answer));
    }
    print(&text)?;
    Ok(code)
}

fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    written.map_err(|error| Failure::usage(format!("cannot write the answer: {error}")))
}

/// Writes the clauses that a program becomes, if a bound does not suffice for it.
fn emit(args: VerifyArgs) -> Result<u8, Failure> {
    let (send, receive) = mpsc::channel();
    // The worker waits when it has handed out the clauses: whoever gets them ends this process.
    std::thread::spawn(move || {
        let ended = send.clone();
        let worked = verify::on_large_stack(move || {
            let give = move |text| {
                let _ = send.send(Ok(text));
                loop {
                    std::thread::park();
                }
            };
            work(&args, Box::new(give))
        });
        let nothing = worked.map(|()| Err("a bound suffices for this program".to_owned()));
        let _ = ended.send(nothing);
    });
    let text = receive
        .recv()
        .unwrap_or_else(|_| Err(Failure::internal("the worker said nothing")))?;
    match text {
        Ok(text) => {
            print(&text)?;
            Ok(0)
        }
        Err(why) => {
            eprintln!("no clauses: {why}");
            Ok(5)
        }
    }
}

fn work(args: &VerifyArgs, give: engines::Give) -> Result<(), Failure> {
    let start = Instant::now();
    let args = &VerifyArgs {
        input: pipeline::read_property(&args.input)?,
        ..args.clone()
    };
    verify::check_built(args)?;
    let mut program = overflow::load(args, &[])?;
    only::restrict(args, &BTreeSet::new(), &mut program)?;
    let engine = engines::emitting(args, &program, give)?;
    let task = Task {
        module: &program.module,
        known: &Known::default(),
        monitors: &BTreeSet::new(),
        limits: verify::limits(args, start),
    };
    let sink: Arc<dyn Sink> = Arc::new(Silence);
    engine
        .run(&task, &sink)
        .map(|_| ())
        .map_err(|error| Failure::internal(error.to_string()))
}
