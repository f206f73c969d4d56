//! The corpus, executed: each state that an execution of one of our own C programs passes lies in one of the states
//! computed for its block.

mod common;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use absint::{engine, fixpoint};
use common::{Seen, watch};
use interp::choices::{Choices, Seed, Zeros};
use ir::syntax::Module;
use passes::pass::{self, RegionMode};
use passes::pipeline::{LOWER, PURIFY};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The programs of the corpus: files, is it for a machine of 32 bits, flags.
fn programs() -> Vec<(Vec<PathBuf>, bool, Vec<String>)> {
    let folder = root().join("tests/corpus");
    let list = std::fs::read_to_string(folder.join("tasks.csv")).expect("the list is there");
    let mut found: Vec<(Vec<PathBuf>, bool, Vec<String>)> = Vec::new();
    for line in list.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [_, files, model, flags, ..] = cells.as_slice() else {
            panic!("no task: {line}");
        };
        let flags = flags.split_whitespace().map(str::to_owned).collect();
        let files = files.split(';').map(|file| folder.join(file)).collect();
        let program = (files, *model == "ILP32", flags);
        if !found.contains(&program) {
            found.push(program);
        }
    }
    found
}

/// A program in phase Pure.
fn load(files: &[PathBuf], narrow: bool, flags: &[String]) -> Result<Module, String> {
    let mut options = frontend::Options::new(files);
    options.includes = vec![root().join("lib/include")];
    options.cflags = flags.to_vec();
    if narrow {
        options.data_model = frontend::DataModel::Ilp32;
    }
    let mut module = frontend::load(&options).map_err(|error| error.to_string())?;
    let config = pass::Config {
        checks: options.checks.clone(),
        regions: RegionMode::Given(pointers::SENSITIVE),
        ..pass::Config::default()
    };
    for list in [LOWER, PURIFY] {
        pass::run(list, &mut module, &config, &mut |_, _| {}).map_err(|error| error.to_string())?;
    }
    Ok(module)
}

/// Watches every so many of the programs, from one on.
fn executed(first: usize, every: usize) {
    let mut seen = Seen::default();
    let (mut analysed, mut left) = (0, Vec::new());
    for (files, narrow, flags) in programs().into_iter().skip(first).step_by(every) {
        let name = format!("{files:?}");
        let module = load(&files, narrow, &flags).unwrap_or_else(|error| panic!("{name}: {error}"));
        let Some(inlined) = engine::inlined(&module) else {
            left.push(name);
            continue;
        };
        let body = inlined.body(inlined.entry.expect("an entry"));
        let wanted = fixpoint::Config {
            deadline: Some(Instant::now() + Duration::from_secs(10)),
            ..fixpoint::Config::default()
        };
        let Some(invariants) = fixpoint::analyze(&inlined, body, true, &wanted) else {
            left.push(name);
            continue;
        };
        analysed += 1;
        let config = interp::Config {
            step_limit: 10_000,
            ..interp::Config::default()
        };
        for run in 0..4 {
            let mut choices: Box<dyn Choices> = match run {
                0 => Box::new(Zeros),
                seed => Box::new(Seed::new(seed)),
            };
            let wrong = watch(&inlined, &invariants, &config, &mut *choices, &mut seen);
            if let Some(wrong) = wrong {
                panic!("{name}, run {run}: {wrong}\n{inlined}");
            }
        }
    }
    println!("{analysed} analysed, {seen:?}, not analysed: {left:?}");
    assert!(analysed > 4 * left.len(), "{left:?}");
    assert!(seen.states > 1000 && seen.pointers > 1000, "{seen:?}");
}

#[test]
fn states_of_the_corpus_lie_in_their_invariants() {
    executed(2, 7);
}

#[test]
#[ignore = "long: every program of the corpus"]
fn states_of_the_whole_corpus_lie_in_their_invariants() {
    executed(0, 1);
}
