//! Mixed semantics keep what can be violated: the interpreter is the referee, in both directions.

use base::Bv;
use checks::registry::CheckId;
use golden::random::{self, Options, Use};
use interp::choices::{Choices, Fill, ObjectChoice, Recorded, Refusal, Seed};
use interp::{Bindings, Outcome, Run};
use ir::syntax::{Func, Module, Obligation, Op, Type};
use passes::pass::{self, Config};
use passes::pipeline::{LOWER, MIX};
use results::trace::{Event, Trace};

/// Decides the choices of the pass, which are those of one bit, and leaves the others to somebody else.
struct Decided<'d, C> {
    rest: C,
    /// False once these are used up.
    fails: &'d [bool],
    asked: usize,
}

impl<C: Choices> Choices for Decided<'_, C> {
    fn value(&mut self, width: u32) -> Result<Bv, Refusal> {
        if width != 1 {
            return self.rest.value(width);
        }
        let fails = self.fails.get(self.asked).copied().unwrap_or_default();
        self.asked += 1;
        Ok(Bv::from_u64(u64::from(fails), 1))
    }

    fn object(&mut self, size: u64) -> Result<ObjectChoice, Refusal> {
        self.rest.object(size)
    }

    fn bytes(&mut self, len: u64) -> Result<Fill, Refusal> {
        self.rest.bytes(len)
    }

    fn clobber(&mut self, reach: &[(u64, u64)]) -> Result<Vec<(u64, u8)>, Refusal> {
        self.rest.clobber(reach)
    }
}

fn limits() -> interp::Config {
    interp::Config {
        step_limit: 100_000,
        ..interp::Config::default()
    }
}

/// A lowered module in which nothing is chosen that has one bit, and the same one with mixed semantics. With models, every other function is one.
fn modules(seed: u64, models: bool) -> (Module, Module) {
    let mut options = Options::new(seed, 60 + (seed as usize % 4) * 50);
    options.failures = Use::Yes;
    options.recursion = match seed % 3 {
        0 => Use::Yes,
        _ => Use::No,
    };
    options.steps = 4_000;
    let mut module = random::module(&options);
    let entry = module.entry;
    for (func, data) in module.funcs.iter_mut() {
        data.model |= models && func.index() % 2 == 1 && Some(func) != entry;
    }
    for (_, data) in module.funcs.iter_mut() {
        let Some(body) = &mut data.body else { continue };
        for (inst, data) in body.insts.iter_mut() {
            if matches!(data.op, Op::Nondet(Type::Int(1), _)) {
                data.op = Op::Copy(ir::syntax::Operand::bool(inst.index() % 2 == 0));
            }
        }
    }
    let config = Config {
        checks: CheckId::all().collect(),
        ..Config::default()
    };
    let run = |list, module: &mut Module| {
        pass::run(list, module, &config, &mut |_, _| ())
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{module}"));
    };
    run(LOWER, &mut module);
    let mut mixed = module.clone();
    run(MIX, &mut mixed);
    (module, mixed)
}

fn violated(run: &Run) -> Option<Obligation> {
    match &run.outcome {
        Outcome::Violated(failure) => Some(failure.obligation),
        _ => None,
    }
}

/// Are decisions the only choices of one bit?
fn is_plain(trace: &Trace) -> bool {
    let mut events = trace.events.iter();
    !events.any(|event| matches!(event, Event::Value(value) if value.width() == 1))
}

/// Decides so that the mixed program does what an execution did: the last call that was decided, if something is assumed that does
/// not hold, is one that fails inside.
fn follow(mixed: &Module, trace: &Trace) -> Run {
    let mut fails: Vec<bool> = Vec::new();
    loop {
        let mut choices = Decided {
            rest: Recorded::new(trace),
            fails: &fails,
            asked: 0,
        };
        let run = interp::run(mixed, &limits(), Bindings::new(&mut choices));
        let asked = choices.asked;
        if run.outcome != Outcome::AssumeFailed || asked <= fails.len() {
            return run;
        }
        fails.resize(asked, false);
        fails[asked - 1] = true;
    }
}

#[test]
fn what_can_be_violated_stays_so_and_nothing_else() {
    let (mut inside, mut same, mut back) = (0, 0, 0);
    for seed in 0..400 {
        let (module, mixed) = modules(seed, seed % 4 == 1); // Models call back.
        let entry = module.entry.expect("there is one");
        for choice in 0..3 {
            let mut choices = Seed::new(choice);
            let run = interp::run(&module, &limits(), Bindings::new(&mut choices));
            if !is_plain(&run.trace) {
                continue;
            }
            let mixed_run = follow(&mixed, &run.trace);
            match violated(&run) {
                Some(obligation) => {
                    assert_eq!(
                        violated(&mixed_run),
                        Some(obligation),
                        "seed {seed}: {}\n{module}\n{mixed}",
                        mixed_run.outcome
                    );
                    inside += usize::from(!is_in(&module, entry, obligation));
                }
                // Which assumption it was cannot be told from here.
                None if run.outcome == Outcome::AssumeFailed => {
                    assert_eq!(violated(&mixed_run), None, "seed {seed}\n{mixed}");
                }
                None => {
                    assert_eq!(mixed_run.outcome, run.outcome, "seed {seed}\n{mixed}");
                    same += 1;
                }
            }
        }
        // And the other way round: decisions at random.
        for choice in 0..6_u64 {
            let fails: Vec<bool> = (0..64)
                .map(|at| ((seed >> (at % 8)) ^ choice) & 1 == 1)
                .collect();
            let mut choices = Decided {
                rest: Seed::new(choice),
                fails: &fails,
                asked: 0,
            };
            let run = interp::run(&mixed, &limits(), Bindings::new(&mut choices));
            let Some(obligation) = violated(&run) else {
                continue;
            };
            let mut trace = run.trace.clone();
            trace
                .events
                .retain(|event| !matches!(event, Event::Value(value) if value.width() == 1));
            let mut recorded = Recorded::new(&trace);
            let again = interp::run(&module, &limits(), Bindings::new(&mut recorded));
            assert_eq!(
                violated(&again),
                Some(obligation),
                "seed {seed}: {}\n{module}\n{mixed}",
                again.outcome
            );
            back += 1;
        }
    }
    assert!(
        inside > 50 && same > 50 && back > 100,
        "{inside} in callees, {same} without a violation, {back} back"
    );
}

/// Does a function check the obligation?
fn is_in(module: &Module, func: Func, obligation: Obligation) -> bool {
    let body = module.body(func);
    let mut insts = body.insts_in_order();
    insts.any(|(_, inst)| matches!(body.insts[inst].op, Op::Check(x, _) if x == obligation))
}

#[test]
fn only_the_entry_checks_anything() {
    let mut copied = 0;
    for seed in 0..100 {
        let (module, mixed) = modules(seed, false);
        let entry = mixed.entry.expect("there is one");
        let mut most = 0;
        for (func, data) in mixed.funcs.iter() {
            let Some(body) = &data.body else { continue };
            most += module.body(func).blocks.len() + 1;
            let checks = body
                .insts_in_order()
                .any(|(_, inst)| matches!(body.insts[inst].op, Op::Check(..)));
            assert!(
                func == entry || data.model || !checks,
                "seed {seed}\n{mixed}"
            );
        }
        // Each block at most once, and three for each call.
        let body = mixed.body(entry);
        let calls = body
            .insts_in_order()
            .filter(|&(_, inst)| matches!(body.insts[inst].op, Op::Call { .. }));
        assert!(body.blocks.len() <= most + 2 * calls.count(), "seed {seed}");
        copied += usize::from(body.blocks.len() > module.body(entry).blocks.len());
    }
    assert!(copied > 30, "{copied}");
}
