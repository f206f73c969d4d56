//! `selkie list`: what a program has, one line each, beginning with its id.

use std::fs;

use ir::syntax::{Module, Phase, PlaceId};
use pointers::Mode;

use crate::args::{ListArgs, Regions, Show};
use crate::pipeline;
use results::{Claim, Failure};

/// Runs the command.
pub fn list(args: &ListArgs) -> Result<u8, Failure> {
    let mut program = pipeline::load(&args.input, frontend::Stdio::Modelled)?;
    program.lower(&args.input)?;
    if args.dot.is_some() || args.show == Show::Regions {
        let mode = match args.input.regions.unwrap_or(Regions::Dsa) {
            Regions::Dsa => Some(Mode::ContextSensitive),
            Regions::Ci => Some(Mode::ContextInsensitive),
            Regions::Split | Regions::Flat => None,
        };
        if let (Some(mode), true) = (mode, program.module.phase == Phase::Lowered) {
            list_regions(args, &program.module, mode)?;
            if args.show == Show::Regions {
                return Ok(0);
            }
        } else if args.dot.is_some() {
            return Err(Failure::usage("--dot draws what --regions dsa or ci finds"));
        }
    }
    program.purify(&args.input)?;
    let module = &program.module;
    match args.show {
        Show::Obligations => {
            for (obligation, data) in module.obligations.iter() {
                println!(
                    "{} {} {}",
                    Claim::of(module, obligation).id,
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
            let mut number = 0;
            for data in module.funcs.values() {
                let Some(body) = &data.body else { continue };
                for (region, info) in body.regions.iter() {
                    let globals: Vec<String> = info
                        .globals
                        .iter()
                        .map(|&global| format!("@{}", module.globals[global].name))
                        .collect();
                    let local = if info.local { " local" } else { "" };
                    let name = &data.name;
                    let line = format!("r{number} {name}.{region}{local} {}", globals.join(" "));
                    println!("{}", line.trim_end());
                    number += 1;
                }
            }
        }
    }
    Ok(0)
}

/// Lists the regions that the points-to analysis finds, and draws them if that is wanted.
fn list_regions(args: &ListArgs, module: &Module, mode: Mode) -> Result<(), Failure> {
    let analysis = pointers::analyze(module, mode);
    if let Some(file) = &args.dot {
        fs::write(file, pointers::show::dot(&analysis))
            .map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?;
    }
    if args.show == Show::Regions {
        for line in pointers::show::lines(&analysis) {
            println!("{line}");
        }
    }
    Ok(())
}

fn at(module: &Module, place: Option<PlaceId>) -> String {
    place.map_or_else(
        || "-".to_owned(),
        |place| module.places[place].place.to_string(),
    )
}
