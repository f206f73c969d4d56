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
            .map(|check| check.name.to_owned())
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
        let config = passes::pass::Config {
            checks: self.options.checks.clone(),
            ..passes::pass::Config::default()
        };
        passes::pass::run(
            passes::pipeline::LOWER,
            &mut module,
            &config,
            &mut |_, _| {},
        )
        .unwrap_or_else(|error| panic!("{error}"));
        module
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
        step_limit: 1_000_000,
        ..Config::default()
    };
    interp::run(module, &config, Bindings::new(&mut choices))
}
