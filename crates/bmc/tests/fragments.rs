//! The referee of fragments: what executions do between two cut points is a model of the fragment's formula.
//!
//! Random programs are executed. Whenever an activation is in the block where a fragment begins, its values are
//! noted, and then the stop that it comes to, with the values there. A solver is asked whether the
//! formula allows just that. Where nothing is chosen it is asked as well whether the stop can have another
//! value, which it cannot.

use std::collections::{BTreeMap, BTreeSet};

use base::Bv;
use checks::registry::CheckId;
use encode::eval::fragment::{At, Fragment, Piece, Refused, Stop, evaluate, inputs};
use encode::eval::{Config, NoOracle};
use golden::random::{self, Floats, Options, Use};
use golden::rng::Rng;
use interp::choices::Seed;
use interp::observe::Observer;
use interp::view::{Position, View};
use interp::{Bindings, Value};
use ir::syntax::{Block, Func, Inst, Module, Op, Operand, Terminator};
use passes::pass::{self, RegionMode};
use passes::pipeline::{LOWER, PURIFY};
use solve::{Answer, Checked, Solver};
use terms::{Sort, Term, Terms};

/// The most journeys of an execution that are looked at.
const MOST: usize = 6;

/// From the beginning of a fragment to a stop: with which values, where, and with which values there.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Journey {
    from: Vec<Bv>,
    to: Option<Block>,
    values: Vec<Bv>,
}

/// An activation: where it was last, and with which values it was where the fragment begins.
#[derive(Clone, Default)]
struct Activation {
    last: Option<(Func, Block, usize)>,
    began: Option<Vec<Bv>>,
}

struct Watch<'m> {
    fragment: &'m Fragment,
    places: BTreeMap<Inst, (Block, usize)>,
    handed: BTreeMap<Block, Vec<ir::syntax::Value>>,
    open: Vec<Activation>,
    found: Vec<Journey>,
}

fn bits(value: &Value) -> Option<Bv> {
    match value {
        Value::Int(bits) | Value::Float(_, bits) => Some(bits.clone()),
        Value::Pointer(_) | Value::Memory(..) => None,
    }
}

impl Watch<'_> {
    fn values(&self, view: &View<'_>, operands: impl Iterator<Item = Operand>) -> Option<Vec<Bv>> {
        let mut list = Vec::new();
        for operand in operands {
            list.push(bits(&view.operand(&operand)?)?);
        }
        Some(list)
    }

    fn arrive(&mut self, depth: usize, to: Option<Block>, values: Option<Vec<Bv>>) {
        let began = self.open[depth].began.take();
        if let (Some(from), Some(values)) = (began, values)
            && self.found.len() < MOST
        {
            self.found.push(Journey { from, to, values });
        }
    }
}

impl Observer for Watch<'_> {
    fn step(&mut self, view: &View<'_>) {
        let (depth, func) = (view.depth() - 1, view.func());
        self.open.resize(depth + 1, Activation::default());
        if func != self.fragment.func {
            self.open[depth] = Activation::default();
            return;
        }
        let body = view.module().body(func);
        let (block, index) = match view.position() {
            Position::Inst(inst) => self.places[&inst],
            Position::End(block) => (block, usize::MAX),
        };
        let before = self.open[depth].last;
        let entered = match before {
            Some((old, was, at)) => old != func || was != block || index <= at,
            None => true,
        };
        self.open[depth].last = Some((func, block, index));
        if entered && let Some(handed) = self.handed.get(&block) {
            let values = self.values(view, handed.iter().map(|&value| Operand::Value(value)));
            if self.fragment.stops.contains(&block) {
                self.arrive(depth, Some(block), values.clone());
            }
            if block == self.fragment.from {
                self.open[depth].began = values;
            }
        }
        if let Position::End(block) = view.position()
            && let Terminator::Return(list) = &body.blocks[block].terminator
        {
            let values = self.values(view, list.iter().cloned());
            self.arrive(depth, None, values);
            self.open[depth] = Activation::default();
        }
    }
}

/// A random Pure program of scalars.
fn program(seed: u64, nondet: Use) -> Module {
    let mut options = Options::new(seed, 30 + (seed % 60) as usize);
    options.memory = Use::No;
    options.floats = Floats::No;
    options.max_width = 32;
    options.nondet = nondet;
    options.recursion = [Use::No, Use::Yes][(seed % 2) as usize];
    options.steps = 2_000;
    let mut module = random::module(&options);
    let config = pass::Config {
        checks: CheckId::all().collect(),
        regions: RegionMode::Split,
        ..pass::Config::default()
    };
    for list in [LOWER, PURIFY] {
        pass::run(list, &mut module, &config, &mut |_, _| {}).expect("it lowers");
    }
    module
}

/// From the entry of a function, or the head of a loop, to the heads of all its loops.
fn any_fragment(module: &Module, rng: &mut Rng) -> Fragment {
    let funcs: Vec<Func> = module
        .funcs
        .iter()
        .filter(|(_, func)| func.body.is_some())
        .map(|(func, _)| func)
        .collect();
    let func = *rng.pick(&funcs);
    let body = module.body(func);
    let loops = ir::loops::Loops::new(&ir::cfg::Cfg::new(body));
    let heads: Vec<Block> = loops.loops.values().map(|found| found.header).collect();
    let from = match heads.is_empty() || rng.one_in(2) {
        true => body.entry(),
        false => *rng.pick(&heads),
    };
    let calls = match rng.one_in(2) {
        true => funcs.iter().copied().collect(),
        false => BTreeSet::new(),
    };
    Fragment {
        func,
        from,
        stops: heads.into_iter().filter(|_| !rng.one_in(4)).collect(),
        calls,
    }
}

fn journeys(module: &Module, fragment: &Fragment, seed: u64) -> Vec<Journey> {
    let body = module.body(fragment.func);
    let mut places = BTreeMap::new();
    for (block, data) in body.blocks.iter() {
        for (index, &inst) in data.insts.iter().enumerate() {
            places.insert(inst, (block, index));
        }
    }
    let ends = fragment.stops.iter().chain([&fragment.from]);
    let handed = ends.map(|&block| (block, inputs(body, block))).collect();
    let mut watch = Watch {
        fragment,
        places,
        handed,
        open: Vec::new(),
        found: Vec::new(),
    };
    let mut choices = Seed::new(seed);
    let config = interp::Config {
        step_limit: 4_000,
        ..interp::Config::default()
    };
    let mut bindings = Bindings::new(&mut choices);
    bindings.observer = Some(&mut watch);
    interp::run(module, &config, bindings);
    watch.found
}

fn equal(terms: &mut Terms, term: Term, bits: &Bv) -> Term {
    match terms.sort(term) {
        Sort::Bool => {
            let value = terms.bool(!bits.is_zero());
            terms.eq(term, value)
        }
        _ => {
            let value = terms.bv(bits.clone());
            terms.eq(term, value)
        }
    }
}

/// Is there a model that begins with the journey's values and ends at its stop, with the values that it has there? Or one
/// that passes a bound. If not the same end is asked for: one that ends with other values, or elsewhere.
fn question(piece: &mut Piece<'_>, journey: &Journey, same: bool) -> Term {
    let terms = &mut *piece.vc.world.terms;
    let mut all = terms.tru();
    for (&(_, input), bits) in piece.inputs.iter().zip(&journey.from) {
        let here = equal(terms, input, bits);
        all = terms.and(all, here);
    }
    let mut any = terms.fls();
    let mut case = |terms: &mut Terms, reached: Term, assumptions: usize, holds: Term| {
        let mut here = terms.and(reached, holds);
        for assumption in &piece.vc.assumptions[..assumptions] {
            let holds = terms.implies(assumption.reached, assumption.holds);
            here = terms.and(here, holds);
        }
        any = terms.or(any, here);
    };
    for stop in &piece.stops {
        let Stop { at, values, .. } = stop;
        let meant = match at {
            At::Block(block) => journey.to == Some(*block),
            At::Return => journey.to.is_none(),
            At::Call(..) => false,
        };
        if !meant {
            if !same {
                let always = terms.tru();
                case(terms, stop.reached, stop.assumptions, always);
            }
            continue;
        }
        assert_eq!(values.len(), journey.values.len());
        let mut holds = terms.tru();
        for (&value, bits) in values.iter().zip(&journey.values) {
            let here = equal(terms, value, bits);
            holds = terms.and(holds, here);
        }
        if !same {
            holds = terms.not(holds);
        }
        case(terms, stop.reached, stop.assumptions, holds);
    }
    if same {
        for cut in &piece.vc.cuts {
            let always = terms.tru();
            case(terms, cut.reached, cut.assumptions, always);
        }
    }
    terms.and(all, any)
}

fn referee(seeds: std::ops::Range<u64>) -> (usize, usize) {
    let (mut seen, mut decided) = (0, 0);
    for seed in seeds {
        let mut rng = Rng::new(seed ^ 0xf1a6);
        let nondet = *rng.pick(&[Use::No, Use::Yes]);
        let module = program(seed, nondet);
        for _ in 0..3 {
            let fragment = any_fragment(&module, &mut rng);
            let mut terms = Terms::new();
            // A solver knows the terms of one arena.
            let solver = Checked::open("bitwuzla", &solve::Config::default());
            let mut solver = solver.expect("it is built in");
            let config = Config {
                unwind: 3,
                depth: 2,
                ..Config::default()
            };
            let piece = evaluate(&module, &mut terms, &config, &fragment, &mut NoOracle);
            let mut piece = match piece {
                Ok(piece) => piece,
                // The entry of the program may hold memories that nobody uses.
                Err(Refused::NoScalar(_)) => continue,
                Err(other) => panic!("seed {seed}: {other:?}"),
            };
            let exact = nondet == Use::No && fragment.calls.is_empty() && !chooses(&module);
            for journey in journeys(&module, &fragment, seed) {
                let asked = question(&mut piece, &journey, true);
                let answer = solver.check(piece.vc.world.terms, &[asked]);
                assert!(
                    matches!(answer, Ok(Answer::Sat(_))),
                    "seed {seed}: {fragment:?} has no {journey:?}\n{module}"
                );
                seen += 1;
                if exact {
                    let asked = question(&mut piece, &journey, false);
                    let answer = solver.check(piece.vc.world.terms, &[asked]);
                    assert!(
                        matches!(answer, Ok(Answer::Unsat)),
                        "seed {seed}: {fragment:?} has more than {journey:?}\n{module}"
                    );
                    decided += 1;
                }
            }
        }
    }
    (seen, decided)
}

fn chooses(module: &Module) -> bool {
    let entry = module.entry;
    let funcs = module.funcs.iter().filter(|(func, _)| Some(*func) != entry);
    let bodies = funcs.filter_map(|(_, func)| func.body.as_ref());
    let mut insts = bodies.flat_map(|body| body.insts.values());
    insts.any(|inst| matches!(inst.op, Op::Nondet(..)))
}

#[test]
fn executions_are_models_of_fragments() {
    let (seen, decided) = referee(0..120);
    println!("{seen} journeys, {decided} with one end");
    assert!(seen > 100 && decided > 20, "{seen} {decided}");
}

#[test]
#[ignore = "long: four thousand programs"]
fn many_more_executions_are_models_of_fragments() {
    referee(120..4_000);
}

const FACTORIAL: &str = "module pure ptr64
entry @start
obligation o0 start.assert.1 \"never\"
fn @fact(v0: i32) -> i32 {
b0:
    v1 = eq.i32 v0, 0
    branch v1, b1, b2
b1:
    return 1:i32
b2:
    v2 = sub.i32 v0, 1
    v3 = call @fact(v2) -> i32
    v4 = mul.i32 v0, v3
    return v4
}
fn @start() {
b0:
    v0 = nondet.i32 input
    v1 = call @fact(v0) -> i32
    return
}
";

#[test]
fn a_recursive_function_calls_itself_at_a_stop() {
    let module = ir::text::read(FACTORIAL).expect("a program");
    let fact = module.funcs.iter().find(|(_, func)| func.name == "fact");
    let fact = fact.expect("it is there").0;
    let fragment = Fragment {
        func: fact,
        from: module.body(fact).entry(),
        stops: BTreeSet::new(),
        calls: BTreeSet::from([fact]),
    };
    let mut terms = Terms::new();
    let config = Config::default();
    let piece = evaluate(&module, &mut terms, &config, &fragment, &mut NoOracle).expect("scalars");
    let kinds: Vec<&At> = piece.stops.iter().map(|stop| &stop.at).collect();
    assert!(piece.vc.cuts.is_empty());
    assert_eq!(piece.inputs.len(), 1);
    let [At::Call(callee, results), At::Return, At::Return] = kinds[..] else {
        panic!("{kinds:?}")
    };
    assert_eq!((*callee, results.len()), (fact, 1));
}
