//! Random programs are what they promise to be.

use std::collections::BTreeMap;

use golden::random::{self, Floats, Options, Use};
use golden::rng::Rng;
use ir::syntax::{Module, Phase};
use ir::{text, wellformed};

/// Options of all kinds.
fn options(seed: u64) -> Options {
    let mut rng = Rng::new(seed ^ 0x5e1f);
    let mut choose = || *rng.pick(&[Use::No, Use::Yes]);
    let mut options = Options::new(seed, 0);
    options.memory = choose();
    options.failures = choose();
    options.nondet = choose();
    options.externs = choose();
    options.recursion = choose();
    options.irreducible = choose();
    options.size = rng.index(300);
    options.phase = *rng.pick(&[Phase::Raw, Phase::Lowered]);
    options.pointer_bits = *rng.pick(&[32, 64]);
    options.max_width = *rng.pick(&[8, 64, 129]);
    options.floats = *rng.pick(&[Floats::No, Floats::Common, Floats::All]);
    options
}

#[test]
fn they_are_wellformed_and_come_back_from_their_text() {
    for seed in 0..1500 {
        let options = options(seed);
        let module = random::module(&options);
        if let Err(complaints) = wellformed::check(&module) {
            panic!(
                "{options:?}\n{}\n{module}",
                wellformed::explain(&complaints)
            );
        }
        let again = text::read(&module.to_string());
        assert_eq!(again, Ok(module), "{options:?}");
    }
}

#[test]
fn a_seed_always_means_the_same_program() {
    let first = random::module(&Options::new(7, 200));
    assert_eq!(first, random::module(&Options::new(7, 200)));
    assert_ne!(first, random::module(&Options::new(8, 200)));
}

/// The instructions' first words, counted.
fn words(module: &Module, counts: &mut BTreeMap<String, u32>) {
    for func in module.funcs.values() {
        for block in func.body.iter().flat_map(|body| body.blocks.keys()) {
            let body = func.body.as_ref().expect("it has a block");
            let text = text::display_block(module, body, block).to_string();
            for line in text.lines().skip(1) {
                let inst = line.split_once(" = ").map_or(line, |(_, inst)| inst);
                let word = inst.trim().split(['.', ' ']).next().unwrap_or("");
                *counts.entry(word.to_owned()).or_default() += 1;
            }
        }
    }
}

#[test]
fn every_instruction_occurs() {
    let mut counts = BTreeMap::new();
    for seed in 0..400 {
        let mut options = Options::new(seed, 300);
        options.failures = Use::Yes;
        options.externs = Use::Yes;
        words(&random::module(&options), &mut counts);
    }
    let binary = ir::syntax::BinaryOp::ALL.iter().map(|op| op.name());
    let unary = ir::syntax::UnaryOp::ALL.iter().map(|op| op.name());
    let compare = ir::syntax::CompareOp::ALL.iter().map(|op| op.name());
    let overflow = ir::syntax::OverflowOp::ALL.iter().map(|op| op.name());
    let cast = ir::syntax::CastOp::ALL.iter().map(|op| op.name());
    let others = "select offset copy nondet alloc free lifetime_start lifetime_end stack_save \
        stack_restore load store mem_copy mem_set mem_compare mem_havoc clobber show is_deref \
        is_freeable is_disjoint all_tracked all_freed is_alive is_modified reset_modified \
        object_size object_offset call assume check debug jump branch switch return halt";
    let words = binary
        .chain(unary)
        .chain(compare)
        .chain(overflow)
        .chain(cast);
    for word in words.chain(others.split_whitespace()) {
        assert!(counts.contains_key(word), "no `{word}` in {counts:?}");
    }
}

#[test]
fn size_is_about_what_was_asked_for() {
    for size in [10, 100, 1000, 5000] {
        let mut options = Options::new(1, size);
        options.steps = 1_000_000;
        let module = random::module(&options);
        let insts: usize = module
            .funcs
            .values()
            .filter_map(|func| func.body.as_ref())
            .map(|body| body.insts.len())
            .sum();
        assert!(
            size / 2 <= insts && insts <= 2 * size + 100,
            "{insts} for {size}"
        );
    }
}
