//! How the analysis grows: modules of 10,000 to 300,000 instructions, generated.
//!
//! ```text
//! cargo run --release -p pointers --example scale
//! ```
//!
//! A function has about fifty instructions: objects, loads and stores through its parameters, a list node,
//! a global, and calls of three earlier functions with its own and its parameters' pointers.

use std::fmt::Write as _;
use std::time::Instant;

use golden::rng::Rng;
use ir::syntax::Module;
use pointers::{Mode, analyze};

fn main() {
    println!("| functions | instructions | mode | analysis | nodes | regions | memory |");
    println!("|---|---|---|---|---|---|---|");
    for funcs in [200, 600, 2000, 4000, 6100] {
        let module = generate(funcs);
        let insts: usize = module
            .funcs
            .values()
            .filter_map(|func| func.body.as_ref())
            .map(|body| body.insts_in_order().count())
            .sum();
        for mode in [Mode::ContextInsensitive, Mode::ContextSensitive] {
            let start = Instant::now();
            let analysis = analyze(&module, mode);
            let time = start.elapsed();
            let regions: usize = analysis
                .funcs
                .values()
                .map(|facts| facts.regions.len())
                .sum();
            let name = match mode {
                Mode::ContextInsensitive => "ci",
                Mode::ContextSensitive => "cs",
            };
            println!(
                "| {funcs} | {insts} | {name} | {:.2} s | {} | {regions} | {} MB |",
                time.as_secs_f64(),
                analysis.solution.state.graph.node_count(),
                peak()
            );
        }
    }
}

/// The most memory that this process has used.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number
        .and_then(|text| text.parse::<u64>().ok())
        .unwrap_or(0)
        / 1024
}

fn generate(funcs: usize) -> Module {
    let mut rng = Rng::new(7);
    let mut text = String::from("module lowered ptr64\nentry @selkie.start\n");
    let globals = funcs / 20 + 1;
    for index in 0..globals {
        let _ = writeln!(text, "global @g{index} size 32 align 8 = zero 32");
    }
    for index in 0..funcs {
        function(&mut rng, &mut text, index, globals);
    }
    let _ = writeln!(text, "fn @selkie.start() {{\nb0:");
    let _ = writeln!(text, "    v0 = alloc.stack 32 align 8");
    for call in 0..8 {
        let callee = funcs - 1 - call;
        let _ = writeln!(text, "    v{} = call @f{callee}(v0, v0) -> ptr", call + 1);
    }
    text.push_str("    return\n}\n");
    ir::text::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn function(rng: &mut Rng, text: &mut String, index: usize, globals: usize) {
    let _ = writeln!(text, "fn @f{index}(v0: ptr, v1: ptr) -> ptr {{\nb0:");
    let mut next = 2;
    let mut pointers = vec!["v0".to_owned(), "v1".to_owned()];
    let mut define = |text: &mut String, op: String| {
        let _ = writeln!(text, "    v{next} = {op}");
        next += 1;
        format!("v{}", next - 1)
    };
    for _ in 0..2 {
        let object = define(text, "alloc.stack 32 align 8".to_owned());
        pointers.push(object);
    }
    let node = define(text, "alloc.heap 32 align 8".to_owned());
    pointers.push(node);
    pointers.push(format!("@g{}", rng.index(globals)));
    for _ in 0..13 {
        let pick = |rng: &mut Rng| pointers[rng.index(pointers.len())].clone();
        let (from, to) = (pick(rng), pick(rng));
        let offset = 8 * rng.index(4);
        let field = define(text, format!("offset {from}, {offset}"));
        match rng.below(4) {
            0 => {
                let _ = writeln!(text, "    store.ptr {field}, {to} align 8");
            }
            1 => {
                let loaded = define(text, format!("load.ptr {field} align 8"));
                pointers.push(loaded);
            }
            _ => {
                let number = define(text, format!("load.i64 {field} align 8"));
                let sum = define(text, format!("add.i64 {number}, 1:i64"));
                let field = define(text, format!("offset {to}, 24"));
                let _ = writeln!(text, "    store.i32 {field}, 5:i32 align 4");
                let _ = sum;
            }
        }
    }
    for _ in 0..3.min(index) {
        let callee = index - 1 - rng.index(index.min(50));
        let a = pointers[rng.index(pointers.len())].clone();
        let b = pointers[rng.index(pointers.len())].clone();
        let result = define(text, format!("call @f{callee}({a}, {b}) -> ptr"));
        pointers.push(result);
    }
    let last = pointers[rng.index(pointers.len())].clone();
    let _ = writeln!(text, "    return {last}\n}}");
}
