//! Regions for people: one line each, and a drawing.
//!
//! ```text
//! r3 main.r1 changed heap local 4 accesses word 8 sites f.c:3:9
//! ```
//!
//! The first name counts through the program; the second is the region's name in the text of the
//! function. `scalar` names the type of a region that is a single variable. A drawing (Graphviz) has a
//! cluster for each function, a box for each region with its fields, and an edge for each field
//! that leads to another region.

use std::fmt::Write as _;

use ir::syntax::{Func, Module, Op, Region};
use rustc_hash::FxHashMap;

use crate::graph::{Cell, Node};
use crate::node::{NodeFlags, Site};
use crate::regions::{Effect, RegionFacts};
use crate::{Analysis, FuncFacts};

/// One line for each region, in the order of the functions.
pub fn lines(analysis: &Analysis<'_>) -> Vec<String> {
    let module = analysis.solution.state.module;
    let mut lines = Vec::new();
    for (func, facts) in analysis.funcs.iter() {
        for (region, info) in facts.regions.iter() {
            let id = lines.len();
            let name = &module.funcs[func].name;
            lines.push(format!("r{id} {name}.{region} {}", describe(module, info)));
        }
    }
    lines
}

/// What is known of a region, in words.
fn describe(module: &Module, info: &RegionFacts) -> String {
    let mut words: Vec<String> = Vec::new();
    words.push(match info.effect {
        Effect::Reads => "read".to_owned(),
        Effect::Changes => "changed".to_owned(),
    });
    for (flag, word) in [
        (NodeFlags::GLOBAL, "global"),
        (NodeFlags::STACK, "stack"),
        (NodeFlags::HEAP, "heap"),
        (NodeFlags::EXTERNAL, "external"),
        (NodeFlags::INT_TO_POINTER, "int-to-pointer"),
    ] {
        if info.flags.has(flag) {
            words.push(word.to_owned());
        }
    }
    if info.local {
        words.push("local".to_owned());
    }
    words.push(match info.accesses {
        1 => "1 access".to_owned(),
        count => format!("{count} accesses"),
    });
    match info.scalar {
        Some(ty) => words.push(format!("scalar {ty}")),
        None => words.push(format!("word {}", info.word)),
    }
    let sites: Vec<String> = info
        .sites
        .iter()
        .filter_map(|site| site_name(module, *site))
        .collect();
    let named = info
        .sites
        .iter()
        .filter(|site| matches!(site, Site::Alloc(..)))
        .count();
    if !sites.is_empty() || info.allocs > 0 {
        words.push(format!("sites {}", sites.join(" ")));
    }
    if info.allocs as usize > named {
        words.push(format!("and {} more", info.allocs as usize - named));
    }
    words.join(" ")
}

fn site_name(module: &Module, site: Site) -> Option<String> {
    match site {
        Site::Global(global) => Some(format!("@{}", module.globals[global].name)),
        Site::Func(func) => Some(format!("@{}", module.funcs[func].name)),
        Site::Alloc(func, inst) => {
            let data = &module.body(func).insts[inst];
            let var = match &data.op {
                Op::Alloc { var, .. } => var.map(|var| module.vars[var].name.clone()),
                _ => None, // Only allocations are sites.
            };
            let place = data
                .place
                .map(|place| module.places[place].place.to_string());
            let place = place.unwrap_or_else(|| format!("{}.{inst}", module.funcs[func].name));
            Some(match var {
                Some(var) => format!("{var}@{place}"),
                None => place,
            })
        }
    }
}

/// The graph in Graphviz's language, a cluster for each function.
pub fn dot(analysis: &Analysis<'_>) -> String {
    let module = analysis.solution.state.module;
    let mut text = String::from("digraph regions {\n  rankdir=LR;\n  node [shape=record];\n");
    for (func, facts) in analysis.funcs.iter() {
        if facts.regions.is_empty() {
            continue;
        }
        let name = escape(&module.funcs[func].name);
        let _ = writeln!(text, "  subgraph cluster_{} {{", func.index());
        let _ = writeln!(text, "    label=\"{name}\";");
        draw_func(analysis, func, facts, &mut text);
        text.push_str("  }\n");
    }
    for (func, facts) in analysis.funcs.iter() {
        draw_edges(analysis, func, facts, &mut text);
    }
    text.push_str("}\n");
    text
}

fn key(func: Func, region: Region) -> String {
    format!("{func}_{region}")
}

fn draw_func(analysis: &Analysis<'_>, func: Func, facts: &FuncFacts, text: &mut String) {
    let state = &analysis.solution.state;
    for (region, info) in facts.regions.iter() {
        let (shape, _) = state.graph.place(start(info.node));
        let mut label = format!("{region} {}", describe(state.module, info));
        match state.graph.stride(shape) {
            0 => {}
            1 => label.push_str(" collapsed"),
            stride => {
                let _ = write!(label, " array of {stride}");
            }
        }
        let mut label = escape(&label);
        for (index, field) in state.graph.fields(shape).iter().enumerate() {
            if state.graph.link(field.slot).is_some() {
                let _ = write!(label, "|<f{index}> {}", field.offset);
            }
        }
        let _ = writeln!(text, "    {} [label=\"{label}\"];", key(func, region));
    }
}

fn draw_edges(analysis: &Analysis<'_>, func: Func, facts: &FuncFacts, text: &mut String) {
    let state = &analysis.solution.state;
    let region_of: FxHashMap<Node, Region> = facts
        .regions
        .iter()
        .map(|(region, info)| (info.node, region))
        .collect();
    for (region, info) in facts.regions.iter() {
        let (shape, _) = state.graph.place(start(info.node));
        for (index, field) in state.graph.fields(shape).iter().enumerate() {
            let Some(target) = state.graph.link(field.slot) else {
                continue;
            };
            if let Some(&target) = region_of.get(&target.node) {
                let from = key(func, region);
                let _ = writeln!(text, "  {from}:f{index} -> {};", key(func, target));
            }
        }
    }
}

fn start(node: Node) -> Cell {
    Cell { node, offset: 0 }
}

/// What records and strings of Graphviz give a meaning of their own is written plainly.
fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if "\\\"{}|<>".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
