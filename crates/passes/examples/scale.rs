//! Times each pass on generated programs: `cargo run --release --example scale -- 2000 150 1000`
//! makes 2,000 functions of about 150 instructions (loops, branches, switches, local arrays,
//! globals, calls by name and through pointers), then a loop of 1,000 rounds that is unrolled and
//! brought into the five forms.

use std::fmt::Write;

use passes::pass::{self, Config, RegionMode};
use passes::pipeline::{ALL, LOWER, PURIFY};

fn main() {
    let mut args = std::env::args().skip(1).map(|arg| arg.parse::<usize>());
    let mut number = |default| args.next().and_then(Result::ok).unwrap_or(default);
    let (funcs, size, rounds) = (number(2000), number(150), number(1000));
    let text = program(funcs, size);
    let module = ir::text::read(&text).expect("the generated text is right");
    let insts: usize = module
        .funcs
        .values()
        .filter_map(|func| func.body.as_ref())
        .map(|body| body.insts.len())
        .sum();
    println!("{funcs} functions, {insts} instructions");
    let mut lowered = module;
    let config = Config::default();
    let report = |list, module: &mut ir::syntax::Module, config: &Config| {
        let start = std::time::Instant::now();
        let timings = pass::run(list, module, config, &mut |_, _| ())
            .unwrap_or_else(|error| panic!("{error}"));
        for timing in timings {
            println!("  {:18} {:8.1?}", timing.pass, timing.time);
        }
        println!("  with validation    {:8.1?}", start.elapsed());
    };
    report(LOWER, &mut lowered, &config);
    for regions in [RegionMode::Flat, RegionMode::Split] {
        let config = Config {
            regions,
            ..Config::default()
        };
        println!("{regions:?}");
        report(PURIFY, &mut lowered.clone(), &config);
    }
    let mut bounded = ir::text::read(LOOP).expect("the text is right");
    let mut config = Config::default();
    config.bounds.unwind = rounds as u32;
    println!("{rounds} rounds");
    report(&ALL.concat(), &mut bounded, &config);
}

/// A loop whose rounds check, assume, branch, call and write.
const LOOP: &str = "
module raw ptr64
entry @start
obligation o0 start.assert.1 \"first\"
obligation o1 start.assert.2 \"second\"
fn @step(v0: ptr, v1: i32) -> i32 {
b0:
    v2 = load.i32 v0 align 4
    v3 = add.i32 v2, v1
    store.i32 v0, v3 align 4
    return v3
}
fn @start() {
b0:
    v0 = nondet.i32 input
    v1 = alloc.heap 400 align 4
    jump b1(0:i32, 0:i32)
b1(v2: i32, v3: i32):
    v4 = slt.i32 v2, v0
    branch v4, b2, b5
b2:
    v5 = nondet.i32 input
    v6 = slt.i32 v5, v0
    assume v6
    v7 = slt.i32 v3, 1000
    check o0, v7
    branch v7, b3, b4
b3:
    v8 = call @step(v1, v5) -> i32
    check o1, v6
    jump b4
b4:
    v9 = add.i32 v2, 1
    v10 = add.i32 v3, v5
    jump b1(v9, v10)
b5:
    return
}";

fn program(funcs: usize, size: usize) -> String {
    let mut text = String::from("module raw ptr64\nentry @start\n");
    let mut line = |words: std::fmt::Arguments<'_>| {
        writeln!(text, "{words}").expect("a string can be written");
    };
    for number in 0..funcs {
        line(format_args!(
            "obligation o{number} f{number}.deref.1 \"inside the array\""
        ));
    }
    for number in 0..funcs / 10 + 1 {
        line(format_args!("global @g{number} size 4 align 4 = zero 4"));
    }
    for number in 0..funcs {
        line(format_args!("fn @f{number}(v0: i32, v1: ptr) -> i32 {{"));
        line(format_args!("b0:\n    v2 = alloc.stack 64 align 4"));
        line(format_args!("    jump b1(0:i32)"));
        line(format_args!("b1(v3: i32):\n    v4 = slt.i32 v3, v0"));
        line(format_args!("    branch v4, b2, b7"));
        line(format_args!(
            "b2:\n    switch.i32 v3 [1: b3, 2: b3, 7: b4], b5"
        ));
        line(format_args!(
            "b3:\n    store.i32 v2, v3 align 4\n    jump b6"
        ));
        line(format_args!(
            "b4:\n    store.i32 v1, v3 align 4\n    jump b6"
        ));
        line(format_args!("b5:"));
        let mut value = 10;
        let mut last = 3;
        for _ in 0..size / 8 {
            line(format_args!("    v{value} = zext.i32.i64 v{last}"));
            line(format_args!("    v{} = offset v2, v{value}", value + 1));
            line(format_args!(
                "    v{} = is_deref.read v{}, 4",
                value + 2,
                value + 1
            ));
            line(format_args!("    check o{number}, v{}", value + 2));
            line(format_args!(
                "    v{} = load.i32 v{} align 4",
                value + 3,
                value + 1
            ));
            line(format_args!(
                "    v{} = load.i32 @g{} align 4",
                value + 4,
                number / 10
            ));
            line(format_args!(
                "    v{} = add.i32 v{}, v{}",
                value + 5,
                value + 3,
                value + 4
            ));
            line(format_args!(
                "    store.i32 @g{}, v{} align 4",
                number / 10,
                value + 5
            ));
            last = value + 5;
            value += 6;
        }
        for callee in [number / 2, number * 2 / 3] {
            if callee < number {
                line(format_args!(
                    "    v{value} = call @f{callee}(v{last}, v1) -> i32"
                ));
                last = value;
                value += 1;
            }
        }
        if number > 0 && number % 50 == 0 {
            line(format_args!(
                "    v{value} = call *v1(v{last}, @f{}) -> i32",
                number - 1
            ));
        }
        line(format_args!("    jump b6\nb6:\n    v5 = add.i32 v3, 1"));
        line(format_args!("    jump b1(v5)\nb7:\n    return v3\n}}"));
    }
    line(format_args!("fn @start() {{\nb0:"));
    for number in 0..funcs {
        line(format_args!(
            "    v{number} = call @f{number}({number}:i32, null) -> i32"
        ));
    }
    line(format_args!("    return\n}}"));
    text
}
