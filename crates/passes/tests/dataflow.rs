//! The forms behind SASA compute the same: assumption, check and selectors, on random programs.
//!
//! From GSSA on, paths that are not taken are computed too, which the interpreter does not do. So
//! the forms are compared with each other under a reading in which only conditions mean what they
//! mean (`and`, `or`, `xor` of bits, `select`, branches) and every other operation is an arbitrary
//! function of its operands: a hash. A gate that chooses the wrong version of anything shows.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use base::Map;
use golden::random::{self, Options, Use};
use ir::syntax::{BinaryOp, Body, Const, Func, Module, Op, Operand, Terminator, Type, Value};
use passes::forms::selectors;
use passes::pass::{self, Bounds, Config, Error, RegionMode};
use passes::pipeline::{BOUND, FORMS, LOWER, PURIFY};

/// Everything is a number; a bit is 0 or 1.
struct Reading<'a> {
    body: &'a Body,
    seed: u64,
    values: Map<Value, Option<u64>>,
}

/// What counts in the end.
#[derive(PartialEq, Eq, Debug)]
struct Answer {
    assumed: u64,
    checked: u64,
    selectors: Vec<u64>,
}

fn hash(what: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    what.hash(&mut hasher);
    hasher.finish()
}

impl Reading<'_> {
    fn of(module: &Module, func: Func, seed: u64) -> Answer {
        let body = module.body(func);
        let mut reading = Reading {
            body,
            seed,
            values: Map::filled(None, body.values.len()),
        };
        for (index, &param) in body.params.iter().enumerate() {
            reading.define(param, hash((seed, "param", index)));
        }
        let (assumed, checked) = reading.run();
        let selectors = selectors(module, func);
        let selectors = selectors.iter().map(|(_, bit)| reading.operand(bit));
        Answer {
            assumed,
            checked,
            selectors: selectors.collect(),
        }
    }

    fn define(&mut self, value: Value, number: u64) {
        let is_bit = self.body.values[value].ty == Type::BOOL;
        self.values[value] = Some(if is_bit { number & 1 } else { number });
    }

    fn operand(&self, operand: &Operand) -> u64 {
        match operand {
            Operand::Value(value) => self.values[*value].expect("it is computed before"),
            Operand::Const(Const::Int(bv)) if bv.width() == 1 => u64::from(bv.is_one()),
            Operand::Const(constant) => hash(constant),
        }
    }

    fn run(&mut self) -> (u64, u64) {
        let (mut assumed, mut checked) = (None, None);
        let mut block = self.body.entry();
        loop {
            for &inst in &self.body.blocks[block].insts {
                match &self.body.insts[inst].op {
                    Op::Assume(cond, _) => assumed = Some(self.operand(cond)),
                    Op::Check(_, cond) => checked = Some(self.operand(cond)),
                    op => {
                        for (index, &result) in self.body.insts[inst].results.iter().enumerate() {
                            let number =
                                self.result(op, &self.body.insts[inst].mems, result, index);
                            self.define(result, number);
                        }
                    }
                }
            }
            let target = match &self.body.blocks[block].terminator {
                Terminator::Jump(target) => target,
                Terminator::Branch(cond, yes, no) => match self.operand(cond) {
                    0 => no,
                    _ => yes,
                },
                Terminator::Return(_) | Terminator::Halt(_) => {
                    return (assumed.expect("an assumption"), checked.expect("a check"));
                }
                Terminator::Switch(..) => unreachable!("Unrolled modules have no switches"),
            };
            block = target.block;
            let args: Vec<u64> = target.args.iter().map(|arg| self.operand(arg)).collect();
            for (&param, arg) in self.body.blocks[block].params.iter().zip(args) {
                self.define(param, arg);
            }
        }
    }

    fn result(&self, op: &Op, mems: &[Value], result: Value, index: usize) -> u64 {
        let bit = self.body.values[result].ty == Type::BOOL;
        match op {
            Op::Binary(BinaryOp::And, a, b) if bit => self.operand(a) & self.operand(b),
            Op::Binary(BinaryOp::Or, a, b) if bit => self.operand(a) | self.operand(b),
            Op::Binary(BinaryOp::Xor, a, b) if bit => self.operand(a) ^ self.operand(b),
            Op::Select(cond, yes, no) => match self.operand(cond) {
                0 => self.operand(no),
                _ => self.operand(yes),
            },
            // Every choice is executed once, and keeps its number from form to form.
            Op::Nondet(..) => hash((self.seed, result.index())),
            _ => {
                let operands: Vec<u64> = op.operands().iter().map(|a| self.operand(a)).collect();
                let mems: Vec<Option<u64>> = mems.iter().map(|&mem| self.values[mem]).collect();
                let mut name = op.clone();
                for operand in name.operands_mut() {
                    *operand = Operand::NULL;
                }
                hash((format!("{name:?}"), operands, mems, index))
            }
        }
    }
}

#[test]
fn gated_joined_and_reduced_programs_compute_the_same() {
    let (mut compared, mut violated, mut assumed) = (0, 0, 0);
    for seed in 0..400 {
        let mut options = Options::new(seed, 40 + (seed as usize % 4) * 30);
        options.failures = Use::Yes;
        options.irreducible = Use::No;
        options.steps = 2_000;
        let mut module = random::module(&options);
        let config = Config {
            regions: RegionMode::Split,
            bounds: Bounds {
                unwind: 2,
                max_insts: 20_000,
                ..Bounds::default()
            },
            ..Config::default()
        };
        let before = [LOWER, PURIFY, BOUND, &FORMS[..2]].concat();
        match pass::run(&before, &mut module, &config, &mut |_, _| ()) {
            Ok(_) => {}
            Err(Error::TooLarge { .. }) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        }
        let entry = module.entry.expect("the module has an entry");
        let expected: Vec<Answer> = (0..8)
            .map(|choice| Reading::of(&module, entry, choice))
            .collect();
        let sasa = module.to_string();
        let mut compare = |pass: &dyn pass::Pass, after: &Module| {
            for (choice, expected) in (0..).zip(&expected) {
                let answer = Reading::of(after, entry, choice);
                let name = pass.name();
                assert_eq!(answer, *expected, "seed {seed}, {name}\n{sasa}\n{after}");
                compared += 1;
                violated += 1 - expected.checked;
                assumed += expected.assumed;
            }
        };
        pass::run(&FORMS[2..], &mut module, &config, &mut compare)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
    assert!(compared > 1000, "{compared} comparisons");
    assert!(violated > 100 && assumed > 100, "{violated}, {assumed}");
}
