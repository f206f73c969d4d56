//! `selkie list`: what a program has, one line each, beginning with its id.

use ir::syntax::{Module, PlaceId};

use crate::args::{ListArgs, Show};
use crate::failure::Failure;
use crate::pipeline;
use crate::report;

/// Runs the command.
pub fn list(args: &ListArgs) -> Result<u8, Failure> {
    let mut program = pipeline::load(&args.input, frontend::Stdio::Modelled)?;
    program.lower(&args.input)?;
    program.purify(&args.input)?;
    let module = &program.module;
    match args.show {
        Show::Obligations => {
            for (obligation, data) in module.obligations.iter() {
                println!(
                    "{} {} {}",
                    report::id(module, obligation),
                    at(module, data.place),
                    data.text
                );
            }
        }
        Show::Loops => {
            for name in ir::loop_names::of_module(module) {
                println!("{} {}", name.name, at(module, name.place));
            }
        }
        Show::Functions => {
            for data in module.funcs.values() {
                let size = match &data.body {
                    None => "no body".to_owned(),
                    Some(body) => {
                        let insts: usize =
                            body.blocks.values().map(|block| block.insts.len()).sum();
                        format!("{} blocks, {insts} instructions", body.blocks.len())
                    }
                };
                let model = if data.model { " (model)" } else { "" };
                println!("{} {} {size}{model}", data.name, at(module, data.place));
            }
        }
        Show::Regions => {
            for data in module.funcs.values() {
                let Some(body) = &data.body else { continue };
                for (region, info) in body.regions.iter() {
                    let globals: Vec<String> = info
                        .globals
                        .iter()
                        .map(|&global| format!("@{}", module.globals[global].name))
                        .collect();
                    let local = if info.local { " local" } else { "" };
                    let line = format!("{}.{region}{local} {}", data.name, globals.join(" "));
                    println!("{}", line.trim_end());
                }
            }
        }
    }
    Ok(0)
}

fn at(module: &Module, place: Option<PlaceId>) -> String {
    place.map_or_else(
        || "-".to_owned(),
        |place| module.places[place].place.to_string(),
    )
}
