//! The referee of the proof side.
//!
//! A proof says that no model of the formula violates anything. It is worth nothing if the formula leaves
//! executions out, and nobody would notice: there is no trace to replay. So random programs are executed
//! by the interpreter, each execution's choices become a model of the formula, and the formula must say
//! of that model what happened: which checks are reached and hold, which choices are made, no assumption
//! that fails, no cut unless a bound was passed, no path that was pruned.
//!
//! `REFEREE=5000 cargo test -p bmc --test referee` tries so many programs; with `REFEREE_QUICK` set, one that fails is
//! not made small. Which changes of the encoder are noticed is in docs/why/referees.md.

mod arbitrary;
mod judge;
mod loops;
mod script;

use std::collections::BTreeMap;
use std::time::Duration;

use checks::registry::CheckId;
use encode::encoding::{Allocator, Encoding, PointerStyle, Representation, Techniques, Word};
use encode::eval::arbitrary::{Induction, NoInvariants, Plan, Refused};
use encode::eval::flow::{flow, flow_form};
use encode::eval::{Assumption, Config, NoOracle, Oracle, Vc, evaluate};
use encode::lives;
use golden::random::{self, Options, Use};
use golden::rng::Rng;
use interp::Outcome;
use ir::cfg::Cfg;
use ir::loops::{Loops, Shape};
use ir::ops::MemEffect;
use ir::syntax::{Access, Module, Obligation, Op, Phase};
use passes::pass::{self, Bounds, Pass, RegionMode};
use passes::pipeline::{BOUND, FORMS, LOWER, PURIFY};
use solve::{Answer, Checked, Limits, Solver};
use terms::{Evaluator, Model, Sort, Term, Terms};

use crate::judge::{Execution, Seen, execute};
use crate::script::put_contents;

/// How a program becomes a formula.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Style {
    Eval,
    Path,
    Dataflow,
}

/// One way to look at a program.
#[derive(Clone, Copy, Debug)]
struct Way {
    style: Style,
    encoding: Encoding,
    unwind: u32,
    accesses_checked: bool,
    /// Is a solver asked which loops can go round?
    oracle: bool,
}

/// An oracle that asks a solver.
struct Asking {
    solver: Checked,
}

impl Asking {
    fn new() -> Asking {
        let config = solve::Config {
            limits: Limits {
                time: Some(Duration::from_millis(200)),
                memory: None,
            },
            ..solve::Config::default()
        };
        let solver = Checked::open("bitwuzla", &config);
        Asking {
            solver: solver.expect("the solver is built in"),
        }
    }
}

impl Oracle for Asking {
    fn interrupted(&mut self) -> bool {
        false
    }

    fn feasible(
        &mut self,
        terms: &mut Terms,
        assumptions: &[Assumption],
        condition: Term,
    ) -> Option<bool> {
        let mut question = vec![condition];
        for assumption in assumptions {
            question.push(terms.implies(assumption.reached, assumption.holds));
        }
        match self.solver.check(terms, &question).ok()? {
            Answer::Sat(_) => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        }
    }
}

fn any_way(rng: &mut Rng) -> Way {
    let (pointers, allocator) = *rng.pick(&[
        (PointerStyle::Fat, Allocator::Static),
        (PointerStyle::Fat, Allocator::Relative),
        (PointerStyle::Fat, Allocator::Free),
        (PointerStyle::Raw, Allocator::Static),
    ]);
    let style = match allocator {
        // Free bases are for proofs of what was evaluated.
        Allocator::Free => Style::Eval,
        Allocator::Static | Allocator::Relative => {
            *rng.pick(&[Style::Eval, Style::Path, Style::Dataflow])
        }
    };
    Way {
        style,
        encoding: Encoding {
            memory: *rng.pick(&[
                Representation::Lambda,
                Representation::Array,
                Representation::Region,
            ]),
            word: *rng.pick(&[
                Word::Auto,
                Word::Auto,
                Word::Bytes(1),
                Word::Bytes(4),
                Word::Bytes(8),
            ]),
            pointers,
            allocator,
            techniques: Techniques::default(),
        },
        unwind: *rng.pick(&[0, 1, 2, 3, 40]),
        accesses_checked: rng.one_in(2),
        oracle: rng.one_in(8),
    }
}

/// A random Pure program.
fn program(seed: u64) -> Module {
    let mut rng = Rng::new(seed ^ 0xdead);
    let mut choose = || *rng.pick(&[Use::No, Use::Yes]);
    let mut options = Options::new(seed, 0);
    options.failures = choose();
    options.recursion = choose();
    options.externs = choose();
    options.wild = choose();
    options.size = 30 + rng.index(120);
    options.pointer_bits = *rng.pick(&[32, 64, 64]);
    options.steps = 4_000;
    if rng.one_in(3) {
        options.memory = Use::No;
    }
    let mut module = pure(&options, &mut rng);
    if rng.one_in(3) {
        havoc(&mut module, &mut rng);
    }
    module
}

/// The Pure program that a random one becomes.
fn pure(options: &Options, rng: &mut Rng) -> Module {
    let seed = options.seed;
    let mut module = random::module(options);
    let config = pass::Config {
        checks: CheckId::all().collect(),
        regions: *rng.pick(&[RegionMode::Flat, RegionMode::Split]),
        ..pass::Config::default()
    };
    // Checks of pointers from unknown code end no execution, so that the two need not agree about them.
    let agrees = |pass: &&dyn Pass| pass.name() != "extern-pointers";
    let lower: Vec<&dyn Pass> = LOWER.iter().copied().filter(agrees).collect();
    for list in [&lower[..], PURIFY] {
        run(list, &mut module, &config)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{module}"));
    }
    assert_eq!(module.phase, Phase::Pure);
    module
}

fn is_havocked(module: &Module) -> bool {
    let bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    let mut insts = bodies.flat_map(|body| body.insts.values());
    insts.any(|inst| inst.op == Op::HavocRegion)
}

/// After some of the stores and the like, the whole region has any contents.
fn havoc(module: &mut Module, rng: &mut Rng) {
    let machine = module.machine;
    for body in module
        .funcs
        .values_mut()
        .filter_map(|func| func.body.as_mut())
    {
        for block in body.blocks.keys().collect::<Vec<_>>() {
            for inst in body.blocks[block].insts.clone() {
                let changes = body.insts[inst].op.mem_effect() == MemEffect::Write(1);
                if !changes || !rng.one_in(6) {
                    continue;
                }
                let version = *body.insts[inst].results.last().expect("the next version");
                let havoc = body.new_inst(Op::HavocRegion, vec![version], None, machine);
                let next = body.insts[havoc].results[0];
                for (other, data) in body.insts.iter_mut() {
                    let mems = data.mems.iter_mut().filter(|mem| **mem == version);
                    mems.filter(|_| other != havoc).for_each(|mem| *mem = next);
                }
                let renamed = |value| if value == version { next } else { value }.into();
                for data in body.blocks.values_mut() {
                    data.terminator.map_operands(renamed);
                }
                for data in body.insts.values_mut() {
                    data.op.map_operands(renamed);
                }
                let list = &mut body.blocks[block].insts;
                let at = list.iter().position(|&listed| listed == inst);
                list.insert(at.expect("it is in its block") + 1, havoc);
            }
        }
    }
    ir::tidy::tidy(module);
    if let Err(complaints) = ir::wellformed::check(module) {
        panic!("{complaints:?}");
    }
}

fn run(list: &[&dyn Pass], module: &mut Module, config: &pass::Config) -> Result<(), pass::Error> {
    pass::run(list, module, config, &mut |_, _| {}).map(|_| ())
}

/// The program without loops and calls; none if it has loops that are entered in the middle.
fn unrolled(module: &Module, unwind: u32) -> Option<Module> {
    let config = pass::Config {
        bounds: Bounds {
            unwind: unwind.min(5),
            depth: unwind.min(5),
            max_insts: 20_000,
            ..Bounds::default()
        },
        ..pass::Config::default()
    };
    let mut module = module.clone();
    run(BOUND, &mut module, &config).ok().map(|()| module)
}

/// Does the program say that accesses may go to memory of no object?
fn asks_for_unknown(module: &Module) -> bool {
    let bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    bodies
        .flat_map(|body| body.insts.values())
        .any(|inst| match inst.op {
            Op::IsDeref { access, .. } => matches!(access, Access::Look | Access::Change),
            _ => false, // Does not ask.
        })
}

/// What is said to be true of every layout, about all that the formula speaks of.
fn layouts(vc: &mut Vc<'_>) -> Option<Term> {
    let mut all: Vec<Term> = vc.choices.iter().map(|choice| choice.reached).collect();
    all.extend(vc.instances.iter().flat_map(|one| [one.reached, one.holds]));
    // Each behind a variable of its own, so that none of them folds away.
    for term in &mut all {
        let asked = vc.world.fresh("asked", Sort::Bool);
        *term = vc.world.terms.and(asked, *term);
    }
    let question = vc.world.terms.or_all(&all);
    lives::layouts(vc, question)
}

/// Executes a program and compares with the formula; what was seen, or what is wrong.
fn compare(module: &Module, way: Way, seeds: std::ops::Range<u64>) -> Result<Vec<Seen>, String> {
    let config = Config {
        unwind: way.unwind,
        depth: way.unwind.max(1),
        encoding: way.encoding,
        accesses_checked: way.accesses_checked,
        unknown_memory: !way.accesses_checked && asks_for_unknown(module),
        terms: 150_000,
        ..Config::default()
    };
    let mut terms = Terms::new();
    let is_guard = |module: &Module, obligation: Obligation| {
        let check = module.obligations[obligation].check;
        matches!(check, CheckId::Unwind | CheckId::Recursion)
    };
    let mut found = Vec::new();
    if way.style == Style::Eval {
        let mut vc = match way.oracle {
            true => evaluate(module, &mut terms, &config, &mut Asking::new()),
            false => evaluate(module, &mut terms, &config, &mut NoOracle),
        };
        if vc.stopped.is_some() {
            return Ok(found);
        }
        let layouts = match way.encoding.allocator {
            Allocator::Free => layouts(&mut vc),
            Allocator::Static | Allocator::Relative => None,
        };
        for seed in seeds {
            let execution = execute(module, &vc, seed);
            let seen = execution
                .judge(|_| false)
                .and_then(|seen| match (&execution.outcome, layouts) {
                    (Outcome::Returned(_), Some(layouts)) if seen == Seen::Whole => {
                        execution.judge_layout(layouts).map(|()| seen)
                    }
                    _ => Ok(seen),
                })
                .and_then(|seen| match seen {
                    Seen::Repeat => execution.judge_repeat(module).map(|()| seen),
                    Seen::Whole | Seen::Cut | Seen::Gap | Seen::Vague => Ok(seen),
                })
                .map_err(|why| format!("choices {seed}: {why}"))?;
            if way.unwind >= 40 && seen == Seen::Cut {
                return Err(format!(
                    "choices {seed}: a bound is reached that no execution passes"
                ));
            }
            found.push(seen);
        }
        return Ok(found);
    }
    let Some(unrolled) = unrolled(module, way.unwind) else {
        return Ok(found);
    };
    let vc = flow(&unrolled, &mut terms, &config, &mut || false);
    if vc.stopped.is_some() {
        return Ok(found);
    }
    let mut form = unrolled.clone();
    let form_run = run(FORMS, &mut form, &pass::Config::default());
    let entry = form.entry.expect("a form has an entry");
    let mut form_terms = Terms::new();
    let form_vc = match (way.style, form_run) {
        (Style::Dataflow, Ok(())) => {
            let selectors = passes::forms::selectors(&form, entry);
            let vc = flow_form(&form, &selectors, &mut form_terms, &config, &mut || false);
            vc.stopped.is_none().then_some(vc)
        }
        (Style::Eval | Style::Path | Style::Dataflow, _) => None,
    };
    for seed in seeds {
        let execution = execute(module, &vc, seed);
        let seen = execution
            .judge(|obligation| is_guard(&unrolled, obligation))
            .map_err(|why| format!("choices {seed}, unrolled: {why}"))?;
        if let Some(form_vc) = &form_vc {
            judge_form(form_vc, &execution, seen, |obligation| {
                is_guard(&unrolled, obligation)
            })
            .map_err(|why| format!("choices {seed}, form: {why}\n{form}"))?;
        }
        found.push(seen);
    }
    Ok(found)
}

/// A form says nothing but which obligations are violated: the one that the execution violates, if any.
fn judge_form(
    vc: &Vc<'_>,
    execution: &Execution<'_, '_>,
    seen: Seen,
    guard: impl Fn(Obligation) -> bool,
) -> Result<(), String> {
    if !matches!(seen, Seen::Whole | Seen::Cut) {
        return Ok(());
    }
    // Choices keep their names.
    let from = &*execution.script.vc.world.terms;
    let to = &*vc.world.terms;
    let mut values: BTreeMap<&str, &terms::Value> = BTreeMap::new();
    for (var, value) in execution.script.model.vars() {
        if let (Some(name), Sort::Bool | Sort::BitVec(_)) = (from.var_name(var), from.sort(var)) {
            values.insert(name, value);
        }
    }
    let mut model = Model::new();
    for index in 0..to.len() {
        let term = Term::from_index(index);
        // Contents may be read in other widths: they are filled below.
        if let Some(value) = to.var_name(term).and_then(|name| values.get(name))
            && value.has_sort(to, to.sort(term))
        {
            model.set(to, term, (*value).clone());
        }
    }
    for data in vc.world.unknowns.values() {
        if let Some((fill, extent)) = execution.script.fills.get(data.name()) {
            put_contents(to, &mut model, data, fill, extent);
        }
    }
    let mut values = Evaluator::new(to, &model);
    let mut holds = |term| values.eval(term).expect_bool();
    let mut violated = Vec::new();
    for instance in &vc.instances {
        let before = &vc.assumptions[..instance.assumptions];
        let counts = before
            .iter()
            .all(|assumption| !holds(assumption.reached) || holds(assumption.holds));
        if counts && holds(instance.reached) && !holds(instance.holds) {
            violated.push(instance.obligation);
        }
    }
    for (gap, _) in &vc.gaps {
        if holds(gap.reached) && !holds(gap.holds) {
            return Ok(());
        }
    }
    let fine = match (seen, execution.violated()) {
        (Seen::Whole, Some(obligation)) => violated == [obligation],
        (Seen::Whole, None) => violated.is_empty(),
        (_, _) => violated.len() == 1 && guard(violated[0]),
    };
    match fine {
        true => Ok(()),
        false => Err(format!(
            "violated are {violated:?}, and the execution ends so: {}",
            execution.outcome
        )),
    }
}

/// A program for which a comparison fails, made small as long as it fails alike.
fn complain(module: &Module, way: Way, why: &str) -> ! {
    let kind = |why: &str| -> String {
        let words = why
            .lines()
            .next()
            .unwrap_or("")
            .split(|c: char| !c.is_alphabetic());
        words.filter(|word| word.len() > 3).take(8).collect()
    };
    if std::env::var_os("REFEREE_QUICK").is_some() {
        panic!("{way:?}: {why}");
    }
    let fails = |module: &Module| compare(module, way, 0..8).err();
    let small = golden::shrink::shrink(module, |module| {
        fails(module).is_some_and(|now| kind(&now) == kind(why))
    });
    let now = fails(&small).unwrap_or_default();
    panic!("{way:?}: {why}\nmade small: {now}\n{small}");
}

#[test]
fn executions_are_models_of_the_formula() {
    let number = |name: &str| std::env::var(name).ok()?.parse().ok();
    let first = number("REFEREE_FROM").unwrap_or(0);
    referee(first, number("REFEREE").unwrap_or(4_000));
}

#[test]
#[ignore = "long: sixty thousand programs"]
fn many_more_executions_are_models_of_the_formula() {
    referee(4_000, 60_000);
}

/// Tries so many programs.
fn referee(first: u64, programs: u64) {
    let mut counts: BTreeMap<(Style, String), u32> = BTreeMap::new();
    for seed in first..first + programs {
        let module = program(seed);
        let (mut rng, mut seams) = (Rng::new(seed), Rng::new(seed ^ 0x5ea3));
        for _ in 0..4 {
            let mut way = any_way(&mut rng);
            if seams.one_in(4) {
                way.encoding.memory = Representation::Seam;
                way.encoding.techniques = Techniques {
                    ranges: !seams.one_in(4),
                    maps: !seams.one_in(4),
                };
            }
            // What is havocked between a check and its access may be the pointer.
            way.accesses_checked &= !is_havocked(&module);
            match compare(&module, way, 0..8) {
                Ok(seen) => {
                    for seen in seen {
                        *counts.entry((way.style, format!("{seen:?}"))).or_default() += 1;
                    }
                }
                Err(why) => {
                    println!("seed {seed}");
                    complain(&module, way, &why);
                }
            }
        }
    }
    println!("{counts:?}");
    for style in [Style::Eval, Style::Path, Style::Dataflow] {
        let whole = counts
            .get(&(style, "Whole".to_owned()))
            .copied()
            .unwrap_or(0);
        assert!(u64::from(whole) > programs, "{counts:?}");
    }
}

/// Some of a program's loops, to begin in an arbitrary state.
fn any_plan(module: &Module, rng: &mut Rng, all: bool) -> Plan {
    let mut plan = Plan::default();
    for (func, data) in module.funcs.iter() {
        let Some(body) = &data.body else { continue };
        let loops = Loops::new(&Cfg::new(body));
        for found in loops.loops.values() {
            if found.shape == Shape::Natural && (all || !rng.one_in(4)) {
                let (rounds, base) = (rng.below(3) as u32, !rng.one_in(4));
                let induction = Induction { rounds, base };
                plan.loops.insert((func, found.header), induction);
            }
        }
    }
    plan
}

/// Executes a program whose loops begin in an arbitrary state, as many of them as possible.
fn compare_arbitrary(
    module: &Module,
    mut plan: Plan,
    encoding: Encoding,
) -> Result<Vec<arbitrary::Judged>, String> {
    let config = Config {
        unwind: 40,
        depth: 40,
        encoding,
        terms: 40_000,
        ..Config::default()
    };
    let mut found = Vec::new();
    loop {
        let tried = plan.clone();
        let mut terms = Terms::new();
        let (nothing, mut nobody) = (NoInvariants, NoOracle);
        let vc = encode::eval::arbitrary::evaluate(
            module,
            &mut terms,
            &config,
            &tried,
            &nothing,
            &mut nobody,
        );
        let vc = match vc {
            Ok(vc) => vc,
            Err(Refused::Allocates(func, block)) => {
                plan.loops.remove(&(func, block));
                continue;
            }
            Err(Refused::Stopped(_)) => return Ok(found),
            Err(why) => return Err(format!("refused: {why:?}")),
        };
        // Behind what cannot be represented there is nothing to compare.
        if vc.stopped.is_some() || !vc.gaps.is_empty() || plan.loops.is_empty() {
            return Ok(found);
        }
        for seed in 0..8 {
            let judged = arbitrary::compare(module, &tried, &vc, seed);
            found.push(judged.map_err(|why| format!("choices {seed}: {why}"))?);
        }
        return Ok(found);
    }
}

#[test]
fn executions_are_models_of_loops_that_begin_in_an_arbitrary_state() {
    let number = |name: &str| std::env::var(name).ok()?.parse().ok();
    let first: u64 = number("REFEREE_FROM").unwrap_or(0);
    let programs: u64 = number("REFEREE").unwrap_or(200);
    let (mut whole, mut states, mut late, mut objects) = (0, 0, 0, 0);
    for seed in first..first + programs {
        let mut rng = Rng::new(seed ^ 0xa5a5);
        let counted = rng.one_in(4);
        let module = if counted {
            let mut options = Options::new(seed, 20 + rng.index(100));
            options.failures = *rng.pick(&[Use::No, Use::Yes]);
            options.pointer_bits = *rng.pick(&[32, 64, 64]);
            options.steps = 4_000;
            pure(&options, &mut rng)
        } else {
            let text = loops::program(&mut rng);
            let module = ir::text::read(&text);
            module.unwrap_or_else(|error| panic!("{error}\n{text}"))
        };
        for _ in 0..2 {
            // Other loops than those that count have no bound.
            let plan = any_plan(&module, &mut rng, !counted);
            let encoding = Encoding {
                memory: *rng.pick(&[
                    Representation::Lambda,
                    Representation::Array,
                    Representation::Region,
                    Representation::Seam,
                ]),
                pointers: *rng.pick(&[PointerStyle::Fat, PointerStyle::Fat, PointerStyle::Raw]),
                word: *rng.pick(&[Word::Auto, Word::Bytes(1), Word::Bytes(4), Word::Bytes(8)]),
                ..Encoding::default()
            };
            match compare_arbitrary(&module, plan.clone(), encoding) {
                Ok(judged) => {
                    for judged in judged {
                        whole += u64::from(judged.seen == Seen::Whole);
                        states += judged.states;
                        late += judged.late;
                        objects += judged.objects;
                    }
                }
                Err(why) => complain_arbitrary(seed, &module, &plan, encoding, &why),
            }
        }
    }
    println!(
        "{whole} whole, {states} arbitrary states, {late} after earlier rounds, {objects} objects"
    );
    let counts = [states, late, objects].map(|count| count as u64);
    assert!(whole > programs && counts.iter().all(|&count| count > programs));
}

/// A program for which a comparison fails, made small as long as it fails alike.
fn complain_arbitrary(seed: u64, module: &Module, plan: &Plan, encoding: Encoding, why: &str) -> ! {
    let kind = |why: &str| -> String {
        let letters = why.chars().skip(9).filter(|c| !c.is_ascii_digit());
        letters.take(64).collect()
    };
    println!("seed {seed}, {plan:?}, {encoding:?}: {why}");
    let small = golden::shrink::shrink(module, |module| {
        let now = compare_arbitrary(module, within(module, plan), encoding).err();
        now.is_some_and(|now| kind(&now) == kind(why))
    });
    let now = compare_arbitrary(&small, within(&small, plan), encoding).err();
    panic!("seed {seed}, {plan:?}, {encoding:?}: {why}\nmade small: {now:?}\n{small}");
}

/// What is left of a plan in a smaller program.
fn within(module: &Module, plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    plan.loops.retain(|&(func, head), _| {
        let body = module.funcs.get(func).and_then(|data| data.body.as_ref());
        body.is_some_and(|body| {
            let loops = Loops::new(&Cfg::new(body));
            let known = body.blocks.get(head).and_then(|_| loops.with_header(head));
            known.is_some_and(|found| loops.loops[found].shape == Shape::Natural)
        })
    });
    plan
}

/// An oracle that says of every loop that it cannot go round.
struct Lying;

impl Oracle for Lying {
    fn interrupted(&mut self) -> bool {
        false
    }

    fn feasible(&mut self, _: &mut Terms, _: &[Assumption], _: Term) -> Option<bool> {
        Some(false)
    }
}

#[test]
fn a_path_that_was_pruned_wrongly_is_noticed() {
    let text = "module pure ptr64
entry @start
obligation o0 start.assert.1 \"the loop ends\"
fn @start() {
b0:
    jump b1
b1:
    v0 = nondet.i1 input
    v1 = nondet.i8 input
    branch v0, b2(v1), b3
b2(v2: i8):
    v3 = nondet.i8 input
    v4 = ult.i8 v3, v2
    branch v4, b2(v3), b1
b3:
    check o0, 0:i1
    return
}
";
    let module = ir::text::read(text).expect("the program is well formed");
    let mut terms = Terms::new();
    let config = Config::default();
    let vc = evaluate(&module, &mut terms, &config, &mut Lying);
    assert!(!vc.prunes.is_empty());
    let noticed = (0..64).filter(|&seed| {
        let judged = execute(&module, &vc, seed).judge(|_| false);
        judged.is_err_and(|why| why.contains("pruned"))
    });
    assert!(noticed.count() > 0);
}
