//! Names of loops: `main.loop.2` is the second loop of `main`, in the order of its source.

use crate::cfg::Cfg;
use crate::loops::Loops;
use crate::syntax::{Block, Body, Func, Module, PlaceId};

/// A loop and how users name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedLoop {
    /// Function and ordinal: `main.loop.1`.
    pub name: String,
    /// The function.
    pub func: Func,
    /// The block where each round begins.
    pub header: Block,
    /// Where the source has it, as far as known.
    pub place: Option<PlaceId>,
}

/// The loops of all functions.
pub fn of_module(module: &Module) -> Vec<NamedLoop> {
    let bodies = module
        .funcs
        .iter()
        .filter_map(|(func, data)| Some((func, data.body.as_ref()?)));
    bodies
        .flat_map(|(func, body)| {
            let loops = Loops::new(&Cfg::new(body));
            of_body(module, func, body, &loops)
        })
        .collect()
}

/// The loops of a function's body.
pub fn of_body(module: &Module, func: Func, body: &Body, loops: &Loops) -> Vec<NamedLoop> {
    let mut headers: Vec<(Option<PlaceId>, Block)> = loops
        .loops
        .values()
        .map(|data| {
            let block = &body.blocks[data.header];
            let first = block.insts.iter().find_map(|&inst| body.insts[inst].place);
            (first.or(block.place), data.header)
        })
        .collect();
    headers.sort_by_key(|(place, block)| {
        let line = place.map_or((u32::MAX, u32::MAX), |place| {
            let at = &module.places[place].place;
            (at.line, at.col)
        });
        (line, *block)
    });
    let name = &module.funcs[func].name;
    let named = headers
        .into_iter()
        .enumerate()
        .map(|(index, (place, header))| NamedLoop {
            name: format!("{name}.loop.{}", index + 1),
            func,
            header,
            place,
        });
    named.collect()
}
