//! What the tests of this crate share.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::path::{Path, PathBuf};

use frontend::{OptLevel, Options};
use interp::{Bindings, Config, Run};
use ir::syntax::Module;

/// A folder beside the tests.
pub fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(name)
}

/// A level by its number.
pub fn level(number: u32) -> OptLevel {
    OptLevel::from_number(number).expect("a level")
}

/// A program to be loaded.
pub struct Program {
    /// How.
    pub options: Options,
    /// Where its text is kept, if it is not a file of the tests.
    kept: Option<tempfile::TempDir>,
}

impl Program {
    /// A file.
    pub fn file(path: &Path) -> Program {
        Program {
            options: Options::new([path]),
            kept: None,
        }
    }

    /// A text, as a file of this name.
    pub fn text(name: &str, text: &str) -> Program {
        let dir = tempfile::tempdir().expect("a folder for the program");
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("the program is written");
        Program {
            options: Options::new([path]),
            kept: Some(dir),
        }
    }

    /// Adds a file.
    pub fn and_text(&mut self, name: &str, text: &str) {
        let dir = self.kept.as_ref().expect("a program of texts");
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("the program is written");
        self.options.files.push(path);
    }

    /// Chooses the checks, separated by commas.
    pub fn checks(&mut self, list: &str) {
        self.options.checks = list
            .split(',')
            .flat_map(|name| checks::registry::expand(name.trim()).expect("a check"))
            .collect();
    }

    /// The Raw module, which is wellformed.
    pub fn raw(&self) -> Module {
        let module = frontend::load(&self.options).unwrap_or_else(|error| panic!("{error}"));
        wellformed(&module);
        module
    }

    /// The Lowered module.
    pub fn lowered(&self) -> Module {
        let mut module = self.raw();
        self.run_passes(passes::pipeline::LOWER, &mut module);
        module
    }

    /// Runs some of our passes.
    pub fn run_passes(&self, list: &[&dyn passes::pass::Pass], module: &mut Module) {
        let config = passes::pass::Config {
            checks: self.options.checks.clone(),
            ..passes::pass::Config::default()
        };
        passes::pass::run(list, module, &config, &mut |_, _| {})
            .unwrap_or_else(|error| panic!("{error}"));
        wellformed(module);
    }
}

/// Panics if the module breaks a rule.
pub fn wellformed(module: &Module) {
    if let Err(complaints) = ir::wellformed::check(module) {
        panic!("{}", ir::wellformed::explain(&complaints));
    }
}

/// Executes a module with zeros for everything that it leaves open.
pub fn run(module: &Module) -> Run {
    let mut choices = interp::choices::Zeros;
    let config = Config {
        volatile: interp::config::Volatile::Memory,
        step_limit: 1_000_000,
        ..Config::default()
    };
    interp::run(module, &config, Bindings::new(&mut choices))
}

/// Does the same for each item, on all cores; the answers in order.
pub fn for_each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let answers = std::sync::Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let Some(item) = items.get(index) else {
                        return;
                    };
                    let answer = work(item);
                    let mut answers = answers.lock().expect("no worker failed");
                    answers.push((index, answer));
                }
            });
        }
    });
    let mut answers = answers.into_inner().expect("no worker failed");
    answers.sort_by_key(|(index, _)| *index);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// Executes a program that prints; what it printed, and how it ended if not by itself.
pub fn output(module: &Module, step_limit: u64) -> String {
    let mut choices = interp::choices::Zeros;
    let (mut input, mut output, mut errors) = (std::io::empty(), Vec::new(), Vec::new());
    let mut host = interp::host::Stdio {
        input: &mut input,
        output: &mut output,
        errors: &mut errors,
    };
    let config = Config {
        volatile: interp::config::Volatile::Memory,
        step_limit,
        record: interp::config::Record::Off,
        ..Config::default()
    };
    let bindings = Bindings {
        choices: &mut choices,
        observer: None,
        host: Some(&mut host),
    };
    let run = interp::run(module, &config, bindings);
    let mut text = String::from_utf8_lossy(&output).into_owned();
    match run.outcome {
        interp::Outcome::Returned(_) | interp::Outcome::Exited(_) => {}
        interp::Outcome::Violated(failure) => {
            let data = &module.obligations[failure.obligation];
            text.push_str(&format!("violated {}: {}\n", data.check, data.text));
        }
        other => text.push_str(&format!("{other}\n")),
    }
    text
}

/// What the compiled program prints.
pub fn native(file: &Path, flags: &[&str]) -> String {
    let dir = tempfile::tempdir().expect("a folder for the binary");
    let binary = dir.path().join("program");
    let status = std::process::Command::new("clang-22")
        .args(["-w", "-O1", "-ffp-contract=off"])
        .arg(file)
        .args(flags)
        .arg("-o")
        .arg(&binary)
        .arg("-lm")
        .status()
        .expect("clang-22 runs");
    assert!(status.success(), "{} compiles", file.display());
    let output = std::process::Command::new(&binary)
        .output()
        .expect("the program runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
