//! The referee of the proof side.
//!
//! A proof says that no model of the formula violates anything. It is worth nothing if the formula leaves
//! executions out, and nobody would notice: there is no trace to replay. So random programs are executed
//! by the interpreter, each execution's choices become a model of the formula, and the formula must say
//! of that model what happened: which checks are reached and hold, which choices are made, no assumption
//! that fails, no cut unless a bound was passed, no path that was pruned.
//!
//! `REFEREE=5000 cargo test -p bmc --test referee` tries so many programs.

mod judge;
mod script;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use checks::registry;
use encode::encoding::{Allocator, Encoding, PointerStyle, Representation, Word};
use encode::eval::flow::{flow, flow_form};
use encode::eval::{Assumption, Config, NoOracle, Oracle, Vc, evaluate};
use golden::random::{self, Options, Use};
use golden::rng::Rng;
use ir::syntax::{Module, Obligation, Phase};
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
            memory: *rng.pick(&[Representation::Lambda, Representation::Array]),
            word: *rng.pick(&[
                Word::Auto,
                Word::Auto,
                Word::Bytes(1),
                Word::Bytes(4),
                Word::Bytes(8),
            ]),
            pointers,
            allocator,
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
    let mut module = random::module(&options);
    let names = registry::CHECKS.iter().map(|check| check.name.to_owned());
    let config = pass::Config {
        checks: names.collect::<BTreeSet<String>>(),
        regions: *rng.pick(&[RegionMode::Flat, RegionMode::Split]),
        ..pass::Config::default()
    };
    for list in [LOWER, PURIFY] {
        run(list, &mut module, &config)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{module}"));
    }
    assert_eq!(module.phase, Phase::Pure);
    module
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

/// Executes a program and compares with the formula; what was seen, or what is wrong.
fn compare(module: &Module, way: Way, seeds: std::ops::Range<u64>) -> Result<Vec<Seen>, String> {
    let config = Config {
        unwind: way.unwind,
        depth: way.unwind.max(1),
        encoding: way.encoding,
        accesses_checked: way.accesses_checked,
        terms: 150_000,
        ..Config::default()
    };
    let mut terms = Terms::new();
    let is_guard = |module: &Module, obligation: Obligation| {
        let check = &module.obligations[obligation].check;
        check == "unwind" || check == "recursion"
    };
    let mut found = Vec::new();
    if way.style == Style::Eval {
        let vc = match way.oracle {
            true => evaluate(module, &mut terms, &config, &mut Asking::new()),
            false => evaluate(module, &mut terms, &config, &mut NoOracle),
        };
        if vc.stopped.is_some() {
            return Ok(found);
        }
        for seed in seeds {
            let execution = execute(module, &vc, seed);
            let seen = execution
                .judge(|_| false)
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
    for data in vc.world.unknowns.list.values() {
        if let Some((fill, size)) = execution.script.fills.get(&data.name) {
            put_contents(to, &mut model, data, fill, *size);
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
    referee(first, number("REFEREE").unwrap_or(600));
}

#[test]
#[ignore = "takes minutes"]
fn many_more_executions_are_models_of_the_formula() {
    referee(1_000, 30_000);
}

/// Tries so many programs.
fn referee(first: u64, programs: u64) {
    let mut counts: BTreeMap<(Style, String), u32> = BTreeMap::new();
    for seed in first..first + programs {
        let module = program(seed);
        let mut rng = Rng::new(seed);
        for _ in 0..4 {
            let way = any_way(&mut rng);
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
