//! How many instructions per second the interpreter executes, for a few kinds of program.
//!
//! `cargo run --release -p interp --example speed`

use std::time::Instant;

use interp::choices::Zeros;
use interp::config::Record;
use interp::{Bindings, Config};

const KERNELS: [(&str, &str); 5] = [
    (
        "arithmetic in a loop",
        "module raw ptr64
         entry @start
         fn @start() -> i32 {
         b0:
             jump b1(0:i32, 0:i32)
         b1(v0: i32, v1: i32):
             v2 = mul.i32 v1, 31
             v3 = xor.i32 v2, v0
             v4 = lshr.i32 v3, 3
             v5 = add.i32 v3, v4
             v6 = add.i32 v0, 1
             v7 = slt.i32 v6, 10000000
             branch v7, b1(v6, v5), b2
         b2:
             return v5
         }",
    ),
    (
        "loads and stores of an array",
        "module raw ptr64
         entry @start
         fn @start() -> i32 {
         b0:
             v0 = alloc.stack 4096 align 16
             jump b1(0:i64)
         b1(v1: i64):
             v2 = and.i64 v1, 1023
             v3 = shl.i64 v2, 2
             v4 = offset v0, v3
             v5 = load.i32 v4 align 4
             v6 = add.i32 v5, 7
             store.i32 v4, v6 align 4
             v7 = add.i64 v1, 1
             v8 = ult.i64 v7, 10000000
             branch v8, b1(v7), b2
         b2:
             return v6
         }",
    ),
    (
        "the same with checks",
        "module raw ptr64
         entry @start
         obligation o0 f.deref.1 \"\"
         obligation o1 f.overflow.1 \"\"
         fn @start() -> i32 {
         b0:
             v0 = alloc.stack 4096 align 16
             jump b1(0:i64)
         b1(v1: i64):
             v2 = and.i64 v1, 1023
             v3 = shl.i64 v2, 2
             v4 = offset v0, v3
             v9 = is_deref.read v4, 4
             check o0, v9
             v5 = load.i32 v4 align 4
             v10 = sadd_overflow.i32 v5, 7
             v11 = xor.i1 v10, 1
             check o1, v11
             v6 = add.i32 v5, 7
             v12 = is_deref.write v4, 4
             check o0, v12
             store.i32 v4, v6 align 4
             v7 = add.i64 v1, 1
             v8 = ult.i64 v7, 10000000
             branch v8, b1(v7), b2
         b2:
             return v6
         }",
    ),
    (
        "recursive calls",
        "module raw ptr64
         entry @start
         fn @start() -> i32 {
         b0:
             v0 = call @fib(32:i32) -> i32
             return v0
         }
         fn @fib(v0: i32) -> i32 {
         b0:
             v1 = slt.i32 v0, 2
             branch v1, b1, b2
         b1:
             return v0
         b2:
             v2 = sub.i32 v0, 1
             v3 = call @fib(v2) -> i32
             v4 = sub.i32 v0, 2
             v5 = call @fib(v4) -> i32
             v6 = add.i32 v3, v5
             return v6
         }",
    ),
    (
        "calls with locals in memory",
        "module raw ptr64
         entry @start
         fn @start() -> i32 {
         b0:
             jump b1(0:i32, 0:i32)
         b1(v0: i32, v1: i32):
             v2 = call @f(v1) -> i32
             v3 = add.i32 v0, 1
             v4 = ult.i32 v3, 2000000
             branch v4, b1(v3, v2), b2
         b2:
             return v2
         }
         fn @f(v0: i32) -> i32 {
         b0:
             v1 = alloc.stack 4 align 4
             v2 = alloc.stack 4 align 4
             store.i32 v1, v0 align 4
             store.i32 v2, 3 align 4
             v3 = load.i32 v1 align 4
             v4 = load.i32 v2 align 4
             v5 = add.i32 v3, v4
             return v5
         }",
    ),
];

fn main() {
    let config = Config {
        record: Record::Off,
        ..Config::default()
    };
    for (name, text) in KERNELS {
        let module = match ir::text::read(text) {
            Ok(module) => module,
            Err(error) => {
                println!("{name}: {error}");
                continue;
            }
        };
        let start = Instant::now();
        let run = interp::run(&module, &config, Bindings::new(&mut Zeros));
        let time = start.elapsed().as_secs_f64();
        println!(
            "{name}: {} after {} steps, {:.0} million per second",
            run.outcome,
            run.steps,
            run.steps as f64 / time / 1e6
        );
    }
}
