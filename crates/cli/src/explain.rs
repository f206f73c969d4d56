//! `selkie explain`: what a check or a word of a report means, and how a library function is modelled.

mod words;

use checks::registry::{self, CheckId, WhenOff};

use crate::args::ExplainArgs;
use results::Failure;

/// The models' sources.
mod models {
    include!(concat!(env!("OUT_DIR"), "/models.rs"));
}

/// Prints the source of the model of a function.
fn explain_model(name: &str) -> Result<u8, Failure> {
    let file = models::INDEX.lines().find_map(|line| {
        let (symbol, file) = line.split_once(' ')?;
        (symbol == name).then_some(file.trim())
    });
    let source = file.and_then(|file| models::SOURCES.iter().find(|(known, _)| *known == file));
    match source {
        Some((file, text)) => {
            println!("// lib/models/{file}");
            print!("{text}");
            Ok(0)
        }
        None => Err(Failure::usage(format!("there is no model of `{name}`"))),
    }
}

/// Runs the command.
pub fn explain(args: &ExplainArgs) -> Result<u8, Failure> {
    if let Some(name) = &args.model {
        return explain_model(name);
    }
    match &args.check {
        None => {
            for check in registry::CHECKS {
                println!(
                    "{:<18} {}{}",
                    check.name,
                    check.title,
                    if check.default {
                        " (on by default)"
                    } else {
                        ""
                    }
                );
            }
            let words: Vec<&str> = words::all().iter().map(words::word).collect();
            println!("\nwords of reports: {}", words.join(", "));
            Ok(0)
        }
        Some(name) => {
            let Some(check) = CheckId::named(name).map(CheckId::check) else {
                if let Some(text) = words::explain(name) {
                    print!("{text}");
                    return Ok(0);
                }
                return Err(Failure::usage(format!(
                    "there is no check `{name}`, and no such word in reports; `selkie explain` lists them"
                )));
            };
            println!("{}: {}", check.name, check.title);
            println!();
            println!("{}", check.meaning);
            println!();
            println!("    {}", check.example);
            println!();
            if let Some(property) = check.property {
                println!("property        {property}");
            }
            if let Some(cwe) = check.cwe {
                println!("weakness        CWE-{cwe}");
            }
            println!(
                "on by default   {}",
                if check.default { "yes" } else { "no" }
            );
            let off = match check.when_off {
                WhenOff::Drop => "the operation wraps, masks or does nothing",
                WhenOff::Assume => "it is assumed not to happen",
                WhenOff::Any => {
                    "what belongs to no object is memory with any contents, an access beside an object is not modelled"
                }
                WhenOff::Keep => "it cannot be switched off",
            };
            println!("when off        {off}");
            if let Some(text) = words::explain(name) {
                // `unreachable` is a check and a status.
                print!("\n{text}");
            }
            Ok(0)
        }
    }
}
