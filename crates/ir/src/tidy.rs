//! Brings a module's tables into the order of its text.
//!
//! Passes leave instructions behind that no block lists, and append new ones at the end of the
//! table. The text shows neither: it lists instructions block by block, and values by number. In a
//! *tidy* body instructions are numbered in the order of the text and none is out of use, and each
//! value that nothing defines is a [`HOLE`]; no hole is last. Only then reading what was written
//! yields an equal module. Values and blocks keep their numbers.

use base::Map;

use crate::build::HOLE;
use crate::syntax::{Body, Def, Module, ValueData};

/// Tidies every body, and gives each function the parameter types of its body.
pub fn tidy(module: &mut Module) {
    for func in module.funcs.values_mut() {
        if let Some(body) = &mut func.body {
            tidy_body(body);
            let params = body.params.iter().map(|&param| body.values[param].ty);
            func.params = params.collect();
        }
    }
}

/// Tidies one body.
pub fn tidy_body(body: &mut Body) {
    let mut values: Map<_, ValueData> = Map::filled(HOLE, body.values.len());
    for (index, &param) in body.params.iter().enumerate() {
        values[param].ty = body.values[param].ty;
        values[param].def = Def::Param(index as u32);
    }
    let mut insts = Map::with_capacity(body.insts.len());
    for (block, data) in body.blocks.iter_mut() {
        for (index, &param) in data.params.iter().enumerate() {
            values[param].ty = body.values[param].ty;
            values[param].def = Def::BlockParam(block, index as u32);
        }
        for inst in &mut data.insts {
            *inst = insts.push(body.insts[*inst].clone());
            for (index, &result) in insts[*inst].results.iter().enumerate() {
                values[result].ty = body.values[result].ty;
                values[result].def = Def::Result(*inst, index as u32);
            }
        }
    }
    let used = values.values().rposition(|value| *value != HOLE);
    body.values = values
        .into_iter()
        .take(used.map_or(0, |last| last + 1))
        .collect();
    body.insts = insts;
}
