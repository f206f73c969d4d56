//! What the tests share: run a text, show what happened as text.
#![allow(dead_code, reason = "each test file uses a part")]

use base::Bv;
use interp::choices::{Choices, List};
use interp::{Bindings, Config, Outcome, Run, Value};
use ir::syntax::Module;

/// Reads a program, which must be well formed text.
pub fn read(text: &str) -> Module {
    ir::text::read(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A program of phase Raw for 64-bit pointers that consists of `@start`'s blocks.
pub fn raw(results: &str, blocks: &str) -> Module {
    let text = format!("module raw ptr64\nentry @start\nfn @start(){results} {{\n{blocks}\n}}\n");
    read(&text)
}

pub fn run_with(module: &Module, config: &Config, choices: &mut dyn Choices) -> Run {
    interp::run(module, config, Bindings::new(choices))
}

/// Runs with these inputs, of 32 bits.
pub fn run(module: &Module, inputs: &[i64]) -> Run {
    let values = inputs.iter().map(|&value| Bv::from_i64(value, 32));
    run_with(module, &Config::default(), &mut List::new(values))
}

/// An outcome in a line; a violation with its explanation.
pub fn show(module: &Module, run: &Run) -> String {
    match &run.outcome {
        Outcome::Returned(values) => {
            let values: Vec<String> = values.iter().map(show_value).collect();
            format!("returned {}", values.join(", "))
                .trim_end()
                .to_string()
        }
        Outcome::Violated(failure) => {
            let data = &module.obligations[failure.obligation];
            let text = format!(
                "violated {}.{}.{}\n{}",
                data.func, data.check, data.ordinal, failure.explanation
            );
            text.trim_end().to_string()
        }
        Outcome::Stuck(explanation) => format!("stuck: {explanation}").trim_end().to_string(),
        other => other.to_string(),
    }
}

pub fn show_value(value: &Value) -> String {
    match value {
        Value::Int(bv) => bv.to_dec_signed(),
        Value::Float(_, bv) => bv.to_hex(),
        Value::Pointer(pointer) if pointer.address == 0 => "null".to_string(),
        Value::Pointer(_) => "pointer".to_string(),
        Value::Memory(..) => "memory".to_string(),
    }
}

/// Runs a program with these inputs; what happened must be as expected.
pub fn check(text: &str, inputs: &[i64], expected: &str) {
    let module = read(text);
    let run = run(&module, inputs);
    assert_eq!(show(&module, &run), expected, "\n{text}");
}

/// The same for the blocks of a function `@start` with these results.
pub fn check_start(results: &str, blocks: &str, expected: &str) {
    let module = raw(results, blocks);
    let run = run(&module, &[]);
    assert_eq!(show(&module, &run), expected, "\n{blocks}");
}
