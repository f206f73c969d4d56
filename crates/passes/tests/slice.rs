//! The interpreter is the referee of slices: an execution of the program up to a chosen check has a counterpart
//! in the slice, which makes the same choices, and comes to the same checks with the same conditions.

use checks::registry::CheckId;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use base::{Bv, Place};
use golden::random::{self, Options, Use};
use interp::choices::{Choices, Fill, ObjectChoice, Refusal};
use interp::observe::Observer;
use interp::view::{Position, View};
use interp::{Bindings, Outcome, Value};
use ir::syntax::{Module, Obligation, Op, PlaceData, PlaceId};
use passes::pass::{self, Config, RegionMode};
use passes::pipeline::{LOWER, PURIFY};
use passes::slice::slice;

/// Where an execution is: the place of the instruction, how often it was there, and how many choices it made.
#[derive(Default)]
struct Here {
    place: u64,
    visits: BTreeMap<u64, u64>,
    asked: u64,
}

/// Choices that depend on where they are made, and on nothing else.
struct Local {
    seed: u64,
    here: Rc<RefCell<Here>>,
}

impl Local {
    fn number(&mut self) -> u64 {
        let mut here = self.here.borrow_mut();
        here.asked += 1;
        let visits = here.visits.get(&here.place).copied().unwrap_or(0);
        let mut mixed = self.seed;
        for part in [here.place, visits, here.asked] {
            mixed = (mixed ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed ^= mixed >> 29;
        }
        mixed
    }
}

impl Choices for Local {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        let number = self.number();
        Ok(match number % 4 {
            0 => Bv::from_i64((number >> 8) as i64 % 20 - 8, width),
            _ => Bv::from_u64(number >> 7, 64).zext_or_trunc(width),
        })
    }

    fn object(&mut self, _size: u64) -> Result<ObjectChoice, Refusal> {
        let fill = Fill::Seeded(self.number());
        let here = self.here.borrow();
        let visits = here.visits.get(&here.place).copied().unwrap_or(0);
        // Each visit of each place has room of its own.
        let address = (1 << 44) + (here.place << 32) + (visits << 18);
        Ok(ObjectChoice {
            address: Some(address),
            fill,
        })
    }

    fn bytes(&mut self, _len: u64) -> Result<Fill, Refusal> {
        Ok(Fill::Seeded(self.number()))
    }

    fn clobber(&mut self, _reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        Ok(Vec::new())
    }
}

/// The checks that an execution comes to: where, and with which condition.
struct Watch<'a> {
    here: Rc<RefCell<Here>>,
    chosen: &'a [Obligation],
    checks: Vec<(Obligation, Option<Value>)>,
}

impl Observer for Watch<'_> {
    fn step(&mut self, view: &View<'_>) {
        let place = view.place().map_or(0, |place| place.index() as u64);
        {
            let mut here = self.here.borrow_mut();
            here.place = place;
            here.asked = 0;
            *here.visits.entry(place).or_default() += 1;
        }
        let Position::Inst(inst) = view.position() else {
            return;
        };
        let body = view.module().body(view.func());
        if let Op::Check(obligation, cond) = &body.insts[inst].op
            && self.chosen.contains(obligation)
        {
            self.checks.push((*obligation, view.operand(cond)));
        }
    }
}

fn execute(
    module: &Module,
    chosen: &[Obligation],
    seed: u64,
) -> (Vec<(Obligation, Option<Value>)>, Outcome) {
    let here = Rc::new(RefCell::new(Here::default()));
    let mut choices = Local {
        seed,
        here: here.clone(),
    };
    let mut watch = Watch {
        here,
        chosen,
        checks: Vec::new(),
    };
    let mut bindings = Bindings::new(&mut choices);
    bindings.observer = Some(&mut watch);
    let limits = interp::Config {
        step_limit: 30_000,
        ..interp::Config::default()
    };
    let outcome = interp::run(module, &limits, bindings).outcome;
    (watch.checks, outcome)
}

/// A random Pure program in which every instruction and every end has a place of its own.
fn program(seed: u64) -> Module {
    let mut options = Options::new(seed, 40 + (seed as usize % 5) * 40);
    options.failures = if seed % 2 == 0 { Use::Yes } else { Use::No };
    options.recursion = if seed % 3 == 0 { Use::Yes } else { Use::No };
    options.steps = 3_000;
    let mut module = random::module(&options);
    let config = Config {
        checks: CheckId::all().collect(),
        regions: match seed % 4 {
            0 => RegionMode::Flat,
            _ => RegionMode::Split,
        },
        ..Config::default()
    };
    let list = [LOWER, PURIFY].concat();
    pass::run(&list, &mut module, &config, &mut |_, _| ())
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let mut next = module.places.len();
    let mut new = || {
        next += 1;
        Some(PlaceId::from_index(next - 1))
    };
    for body in module
        .funcs
        .values_mut()
        .filter_map(|func| func.body.as_mut())
    {
        for inst in body.insts.values_mut() {
            inst.place = new();
        }
        for block in body.blocks.values_mut() {
            block.place = new();
        }
    }
    while module.places.len() < next {
        module.places.push(PlaceData {
            place: Place::new("slice.c", 1, 1),
            func: String::new(),
            inlined_at: None,
        });
    }
    module
}

fn size(module: &Module) -> usize {
    let bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    bodies.map(|body| body.insts_in_order().count()).sum()
}

#[test]
fn executions_up_to_a_check_are_those_of_the_slice() {
    let (mut compared, mut violated, mut before, mut after) = (0, 0, 0, 0);
    for seed in 0..2000 {
        let module = program(seed);
        let all: Vec<Obligation> = module.obligations.keys().collect();
        if all.is_empty() {
            continue;
        }
        for pick in 0..3 {
            let chosen = [all[(seed as usize * 7 + pick * 5) % all.len()]];
            let sliced = slice(&module, &chosen);
            if let Err(complaints) = ir::wellformed::check(&sliced) {
                panic!("seed {seed}, {chosen:?}: {complaints:?}\n{sliced}");
            }
            let again = ir::text::read(&sliced.to_string()).expect("the slice can be read");
            assert_eq!(again, sliced, "seed {seed}: the slice is not tidy");
            before += size(&module);
            after += size(&sliced);
            for choices in 0..4 {
                let (expected, end) = execute(&module, &chosen, choices);
                let (found, sliced_end) = execute(&sliced, &chosen, choices);
                // What met a limit, or an address that is taken, says nothing about the rest.
                let failed = matches!(&sliced_end, Outcome::Error(_));
                assert!(!failed, "seed {seed}, {chosen:?}: {sliced_end}\n{sliced}");
                if matches!(
                    &sliced_end,
                    Outcome::Refused(_) | Outcome::StepLimit | Outcome::DepthLimit
                ) {
                    continue;
                }
                assert!(
                    found.len() >= expected.len() && found[..expected.len()] == expected[..],
                    "seed {seed}, {chosen:?}, choices {choices}: {found:?} instead of {expected:?}\n\
                     the program: {end}, the slice: {sliced_end}\n{module}\n{sliced}"
                );
                compared += expected.len();
                violated += usize::from(
                    matches!(&end, Outcome::Violated(failure) if chosen.contains(&failure.obligation)),
                );
            }
        }
    }
    println!("{compared} checks, {violated} violations, {before} instructions, {after} in slices");
    assert!(compared > 500 && violated > 50, "{compared} {violated}");
    assert!(after * 10 < before * 9, "{after} of {before}");
}
