//! The referee of the engine: what it says of random programs, and what executions do.
//!
//! The engine's questions are right or wrong apart from the formula (`referee`): a cut that nobody asks about, a path that its
//! oracle rules out, a proof for one layout of memory. So random programs are given to the whole engine, with its switches at
//! random, and then executed: what an execution violates is not proved, and what it comes to is not unreachable.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::Bv;
use bmc::sentence::Inventor;
use bmc::{Calls, Cone, Options, Style, Violations, check};
use chc::Horn;
use chc::clauses::{Step, Track};
use checks::registry::CheckId;
use encode::encoding::{Allocator, Encoding, PointerStyle, Representation, Techniques, Word};
use golden::random::{self, Floats, Use};
use golden::rng::Rng;
use interp::Bindings;
use interp::choices::{Choices, Fill, ObjectChoice, Refusal, Seed};
use interp::observe::Observer;
use interp::view::{Position, View};
use ir::syntax::{Access, Module, Obligation, Op};
use passes::pass::{self, RegionMode};
use passes::pipeline::{LOWER, PURIFY};
use results::engine::{Silence, Sink};
use results::outcome::Outcome;
use results::status::Status;
use solve::horn::attempt::ATTEMPTS;
use terms::Level;

/// Executions for each program.
const EXECUTIONS: u64 = 200;

fn options(rng: &mut Rng, inventors: &mut Rng) -> Options {
    let (pointers, allocator) = *rng.pick(&[
        (PointerStyle::Fat, Allocator::Static),
        (PointerStyle::Fat, Allocator::Static),
        (PointerStyle::Fat, Allocator::Relative),
        (PointerStyle::Raw, Allocator::Static),
    ]);
    let bound = |rng: &mut Rng| match rng.below(4) {
        0 => Some(1 + rng.below(3) as u32),
        _ => None,
    };
    Options {
        solver: "bitwuzla".to_owned(),
        second: None,
        deepest: None,
        unwind: bound(rng),
        unwind_loops: Default::default(),
        depth: bound(rng),
        deadline: Some(Instant::now() + Duration::from_secs(1)),
        patience: None,
        memory: None,
        violations: *rng.pick(&[Violations::First, Violations::Each]),
        vacuity: rng.one_in(2),
        continue_after_failure: false,
        monitors: BTreeSet::new(),
        accesses_checked: rng.one_in(2),
        induction: rng.one_in(2),
        inventor: inventors.one_in(2).then(|| -> Arc<dyn Inventor> {
            Arc::new(Horn {
                share: 0.5,
                step: *inventors.pick(&[Step::Large, Step::Small]),
                track: *inventors.pick(&[Track::Reg, Track::Ptr, Track::Mem, Track::Mem]),
                attempts: ATTEMPTS,
                memory: None,
            })
        }),
        style: *rng.pick(&[Style::Eval, Style::Eval, Style::Path, Style::Dataflow]),
        encoding: Encoding {
            memory: *rng.pick(&[
                Representation::Lambda,
                Representation::Array,
                Representation::Region,
                Representation::Seam,
            ]),
            word: Word::Auto,
            pointers,
            allocator,
            techniques: Techniques {
                ranges: !rng.one_in(4),
                maps: !rng.one_in(4),
            },
        },
        cone: Cone::Used,
        rewriting: Level::default(),
        count_rules: false,
        calls: *inventors.pick(&[Calls::Inline, Calls::Summary]),
        maps: None,
    }
}

/// A random Pure program.
fn program(seed: u64) -> Module {
    let mut rng = Rng::new(seed ^ 0xbeef);
    let mut options = random::Options::new(seed, 20 + rng.index(60));
    options.failures = Use::Yes;
    options.floats = Floats::No;
    options.max_width = 32;
    options.recursion = *rng.pick(&[Use::No, Use::Yes]);
    options.externs = *rng.pick(&[Use::No, Use::Yes]);
    options.wild = *rng.pick(&[Use::No, Use::Yes, Use::Yes]);
    options.pointer_bits = *rng.pick(&[32, 64]);
    options.steps = 1_000;
    if rng.one_in(4) {
        options.memory = Use::No;
    }
    let mut module = random::module(&options);
    let config = pass::Config {
        checks: CheckId::all().collect(),
        regions: *rng.pick(&[RegionMode::Flat, RegionMode::Split]),
        ..pass::Config::default()
    };
    for list in [LOWER, PURIFY] {
        pass::run(list, &mut module, &config, &mut |_, _| {}).expect("it lowers");
    }
    module
}

/// Small values, so that executions differ in what they come to.
struct Small {
    seed: Seed,
    most: u64,
}

impl Choices for Small {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        let bits = self.seed.value(64)?.to_u64().expect("a word fits");
        match self.most {
            0 => Ok(Bv::from_u64(bits, 64).zext_or_trunc(width)),
            most => Ok(Bv::from_u64(bits % most, 64).zext_or_trunc(width)),
        }
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        self.seed.object(size)
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        self.seed.bytes(len)
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        // Nobody asks for memory of no object here.
        let known: Vec<(u64, u64)> = reach.iter().copied().filter(|range| range.0 != 0).collect();
        self.seed.clobber(&known)
    }
}

/// The checks that are executed.
#[derive(Default)]
struct Watch(BTreeSet<Obligation>);

impl Observer for Watch {
    fn step(&mut self, view: &View<'_>) {
        if let Position::Inst(inst) = view.position()
            && let Op::Check(obligation, _) = view.module().body(view.func()).insts[inst].op
        {
            self.0.insert(obligation);
        }
    }
}

/// What executions come to, and what they violate.
fn executed(module: &Module, unknown: bool) -> (BTreeSet<Obligation>, BTreeSet<Obligation>) {
    let (mut met, mut violated) = (BTreeSet::new(), BTreeSet::new());
    for seed in 0..EXECUTIONS {
        let mut choices = Small {
            seed: Seed::new(seed),
            most: [0, 2, 5, 40][(seed % 4) as usize],
        };
        let config = interp::Config {
            step_limit: 20_000,
            unknown: unknown.then_some(Fill::Seeded(seed)),
            ..interp::Config::default()
        };
        let mut watch = Watch::default();
        let mut bindings = Bindings::new(&mut choices);
        bindings.observer = Some(&mut watch);
        let outcome = interp::run(module, &config, bindings).outcome;
        met.extend(watch.0);
        if let interp::Outcome::Violated(failure) = outcome {
            violated.insert(failure.obligation);
        }
    }
    (met, violated)
}

/// The rule of the engine: see there.
fn has_unknown(module: &Module, options: &Options) -> bool {
    let bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    let mut insts = bodies.flat_map(|body| body.insts.values());
    !options.accesses_checked
        && insts.any(|inst| match inst.op {
            Op::IsDeref { access, .. } => matches!(access, Access::Look | Access::Change),
            _ => false, // Does not ask.
        })
}

/// What is wrong with an answer.
fn wrong(module: &Module, options: &Options, outcome: &Outcome) -> Option<String> {
    if let Some(contradiction) = outcome.contradictions.first() {
        return Some(format!(
            "{} is violated, the engine finds",
            contradiction.obligation
        ));
    }
    let (met, violated) = executed(module, has_unknown(module, options));
    for (obligation, status) in outcome.statuses.iter() {
        let check = module.obligations[obligation].check.check();
        if check.property.is_none() {
            continue;
        }
        let fits = match status {
            Status::Proved => !violated.contains(&obligation),
            // What stands behind a violation on all its paths is met by executions that violate it.
            Status::Unreachable | Status::Vacuous => {
                !met.contains(&obligation) && !violated.contains(&obligation)
            }
            // Executions may pass the bound.
            Status::ProvedBounded(_) | Status::Violated | Status::Unknown(_) => true,
        };
        if !fits {
            return Some(format!(
                "{obligation} is {status:?}, and an execution comes there"
            ));
        }
    }
    None
}

fn referee(first: u64, programs: u64) {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    let silence: Arc<dyn Sink> = Arc::new(Silence);
    for seed in first..first + programs {
        let module = program(seed);
        let mut rng = Rng::new(seed);
        let options = options(&mut rng, &mut Rng::new(!seed));
        let outcome = check(&module, &options, &silence).expect("the engine works");
        if let Some(why) = wrong(&module, &options, &outcome) {
            panic!(
                "seed {seed}: {why}\n{:?} {:?} {module}",
                options.style, options.encoding
            );
        }
        for status in outcome.statuses.values() {
            let name = match status {
                Status::Unknown(reason) => reason.to_string(),
                status => format!("{status:?}"),
            };
            *counts.entry(name).or_default() += 1;
        }
    }
    println!("{counts:?}");
    for status in ["Proved", "Violated", "Unreachable", "Vacuous"] {
        let count = counts.get(status).copied().unwrap_or(0);
        assert!(u64::from(count) * 10 > programs, "{counts:?}");
    }
}

#[test]
fn what_executions_do_is_not_ruled_out() {
    referee(0, 200);
}

#[test]
#[ignore = "long: ten thousand programs"]
fn what_many_more_executions_do_is_not_ruled_out() {
    referee(200, 10_000);
}
