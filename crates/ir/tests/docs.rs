//! The reference in `docs/ir.md` is true: its examples are wellformed, and no instruction is missing.

use ir::syntax::{BinaryOp, CastOp, CompareOp, OverflowOp, UnaryOp};
use ir::{text, wellformed};

const PAGE: &str = include_str!("../../../docs/ir.md");

/// The examples, with the line where each begins.
fn examples() -> Vec<(usize, String)> {
    let mut examples: Vec<(usize, String)> = Vec::new();
    let mut inside = false;
    for (number, line) in PAGE.lines().enumerate() {
        match line {
            "```ir" => {
                inside = true;
                examples.push((number + 2, String::new()));
            }
            "```" => inside = false,
            line if inside => {
                let (_, text) = examples.last_mut().expect("an example has begun");
                text.push_str(line);
                text.push('\n');
            }
            _ => {}
        }
    }
    examples
}

#[test]
fn the_examples_are_wellformed() {
    let examples = examples();
    assert!(examples.len() > 12);
    for (line, example) in examples {
        let begins = ["module ", "fn ", "b0:"]
            .iter()
            .any(|start| example.starts_with(start));
        // Instructions alone need a block around them.
        let whole = match begins {
            true => example,
            false => format!("b0:\n{example}    halt exit\n"),
        };
        let module = text::read(&whole)
            .unwrap_or_else(|error| panic!("example at line {line}: {error}\n{whole}"));
        if let Err(complaints) = wellformed::check(&module) {
            panic!(
                "example at line {line}:\n{}\n{whole}",
                wellformed::explain(&complaints)
            );
        }
    }
}

#[test]
fn every_instruction_has_an_example() {
    let names = BinaryOp::ALL.iter().map(|op| op.name());
    let names = names.chain(UnaryOp::ALL.iter().map(|op| op.name()));
    let names = names.chain(CompareOp::ALL.iter().map(|op| op.name()));
    let names = names.chain(OverflowOp::ALL.iter().map(|op| op.name()));
    let names = names.chain(CastOp::ALL.iter().map(|op| op.name()));
    let others = "select. offset copy. nondet. alloc.stack alloc.heap free lifetime_start \
        lifetime_end stack_save stack_restore leave load. store. mem_copy mem_set mem_compare \
        mem_havoc clobber show havoc_region new_region is_deref.read is_deref.write is_freeable is_disjoint \
        all_tracked all_freed is_alive is_modified reset_modified load_shadow. store_shadow. object_size object_offset \
        call assume check debug jump branch switch. return halt";
    let text: String = examples().into_iter().map(|(_, text)| text).collect();
    for name in names
        .map(|name| format!("{name}."))
        .chain(others.split_whitespace().map(str::to_owned))
    {
        let words = [format!(" {name}"), format!("\n{name}")];
        assert!(
            words.iter().any(|word| text.contains(word)),
            "no example of `{name}`"
        );
    }
}
