//! Runs SMT-LIB scripts: `selkie smt FILE.smt2`.
//!
//! The whole script is read before the first command runs, so a mistake in its last line costs no solving, and a
//! solver is opened with cores only if the script asks for one. Named assertions then become assumptions. Answers
//! appear as SMT-LIB wants them; models have been evaluated, as everywhere.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use terms::smt::print::symbol_to_smt;
use terms::smt::{Command, ReadError, Script};
use terms::{Evaluator, FunValue, Level, Model, Sort, Term, Terms};

use crate::answer::{Answer, Reason, SolveError};
use crate::checked::Checked;
use crate::solver::{Config, Cores, Solver};

/// How a script is run.
#[derive(Clone, Debug)]
pub struct ScriptOptions {
    /// The back end: `bitwuzla`, `z3` or `smtlib:COMMAND`.
    pub backend: String,
    /// Limits for each check, and the like.
    pub config: Config,
    /// How much terms are rewritten as they are read.
    pub level: Level,
}

impl Default for ScriptOptions {
    fn default() -> ScriptOptions {
        ScriptOptions {
            backend: "bitwuzla".to_owned(),
            config: Config::default(),
            level: Level::default(),
        }
    }
}

/// Why a script was not run to its end.
#[derive(Debug, thiserror::Error)]
pub enum ScriptError {
    /// The file could not be read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The text is no script, or one with commands or logics that are not supported.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A command came at the wrong time.
    #[error("{0}")]
    Command(String),
    /// The solver failed, or was caught lying.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The answers could not be written.
    #[error("cannot write the answer: {0}")]
    Write(#[from] io::Error),
}

/// Runs the script in a file and writes the answers. Returns the reasons of all `unknown`.
pub fn run_script(
    path: &Path,
    options: &ScriptOptions,
    out: &mut dyn Write,
) -> Result<Vec<Reason>, ScriptError> {
    let text = std::fs::read(path).map_err(|error| ScriptError::File {
        path: path.to_owned(),
        error,
    })?;
    let text = String::from_utf8(text).map_err(|_| ScriptError::File {
        path: path.to_owned(),
        error: io::Error::new(io::ErrorKind::InvalidData, "the file is no UTF-8 text"),
    })?;
    run_text(&path.display().to_string(), &text, options, out)
}

/// Runs a script and writes the answers; `file` is its name in errors. Returns the reasons of all `unknown`.
pub fn run_text(
    file: &str,
    text: &str,
    options: &ScriptOptions,
    out: &mut dyn Write,
) -> Result<Vec<Reason>, ScriptError> {
    let mut terms = Terms::with_level(options.level);
    let script = Script::read(&mut terms, file, text)?;
    let wants_core = |command: &Command| {
        matches!(
            command,
            Command::GetUnsatCore | Command::GetUnsatAssumptions
        )
    };
    let mut config = options.config.clone();
    if script.commands.iter().any(wants_core) {
        config.cores = Cores::On;
    }
    let mut runner = Runner {
        solver: Checked::open(&options.backend, &config)?,
        terms: &terms,
        script: &script,
        cores: config.cores,
        named: Vec::new(),
        levels: Vec::new(),
        last: Last::Nothing,
        reasons: Vec::new(),
    };
    for command in &script.commands {
        if let Command::Exit = command {
            break;
        }
        runner.run(command, out)?;
    }
    Ok(runner.reasons)
}

struct Runner<'a> {
    solver: Checked,
    terms: &'a Terms,
    script: &'a Script,
    cores: Cores,
    /// Named assertions that are assumed at every check, if cores are wanted.
    named: Vec<(&'a str, Term)>,
    /// How many of them there were when each level was opened.
    levels: Vec<usize>,
    last: Last,
    reasons: Vec<Reason>,
}

/// What the last check left behind.
enum Last {
    Nothing,
    Sat(Box<Model>),
    Unsat {
        core: Vec<Term>,
        assumptions: Vec<Term>,
    },
}

impl<'a> Runner<'a> {
    fn run(&mut self, command: &'a Command, out: &mut dyn Write) -> Result<(), ScriptError> {
        match command {
            Command::SetLogic(_)
            | Command::SetOption(..)
            | Command::SetInfo(..)
            | Command::Exit => {}
            Command::Assert(t) => self.assert(*t)?,
            Command::CheckSat => self.check(&[], out)?,
            Command::CheckSatAssuming(assumptions) => self.check(assumptions, out)?,
            Command::GetValue(asked) => self.write_values(asked, out)?,
            Command::GetModel => self.write_model(out)?,
            Command::GetUnsatCore => {
                let Last::Unsat { core, .. } = &self.last else {
                    return Err(no("unsat core"));
                };
                let names = self
                    .named
                    .iter()
                    .filter(|(_, t)| core.contains(t))
                    .map(|&(name, _)| symbol_to_smt(name));
                writeln!(out, "({})", names.collect::<Vec<_>>().join(" "))?;
            }
            Command::GetUnsatAssumptions => {
                let Last::Unsat { core, assumptions } = &self.last else {
                    return Err(no("unsat core"));
                };
                let needed = assumptions
                    .iter()
                    .filter(|t| core.contains(t))
                    .map(|&t| self.terms.to_smt(t));
                writeln!(out, "({})", needed.collect::<Vec<_>>().join(" "))?;
            }
            Command::Push(levels) => {
                self.last = Last::Nothing;
                for _ in 0..*levels {
                    self.solver.push()?;
                    self.levels.push(self.named.len());
                }
            }
            Command::Pop(levels) => {
                self.last = Last::Nothing;
                self.solver.pop(*levels)?;
                let rest = self.levels.len().saturating_sub(*levels as usize);
                if let Some(&count) = self.levels.get(rest) {
                    self.named.truncate(count);
                }
                self.levels.truncate(rest);
            }
            Command::Echo(text) => writeln!(out, "\"{}\"", text.replace('"', "\"\""))?,
        }
        Ok(())
    }

    fn assert(&mut self, t: Term) -> Result<(), ScriptError> {
        self.last = Last::Nothing;
        let name = self
            .script
            .named
            .iter()
            .find(|&&(_, named)| named == t)
            .map(|(name, _)| name.as_str());
        match (self.cores, name) {
            (Cores::On, Some(name)) => self.named.push((name, t)),
            (Cores::On, None) | (Cores::Off, _) => self.solver.assert(self.terms, t)?,
        }
        Ok(())
    }

    fn check(&mut self, assumptions: &[Term], out: &mut dyn Write) -> Result<(), ScriptError> {
        let all: Vec<Term> = self
            .named
            .iter()
            .map(|&(_, t)| t)
            .chain(assumptions.iter().copied())
            .collect();
        let answer = self.solver.check(self.terms, &all)?;
        writeln!(out, "{}", answer.word())?;
        out.flush()?;
        self.last = match answer {
            Answer::Sat(model) => Last::Sat(Box::new(model)),
            Answer::Unsat => Last::Unsat {
                core: self.solver.core()?,
                assumptions: assumptions.to_vec(),
            },
            Answer::Unknown(reason) => {
                self.reasons.push(reason);
                Last::Nothing
            }
        };
        Ok(())
    }

    fn write_values(
        &self,
        asked: &[(Term, String)],
        out: &mut dyn Write,
    ) -> Result<(), ScriptError> {
        let Last::Sat(model) = &self.last else {
            return Err(no("model"));
        };
        let mut evaluator = Evaluator::new(self.terms, model);
        let pairs = asked.iter().map(|(t, text)| {
            let value = evaluator.eval(*t);
            format!(
                "({text} {})",
                self.terms.value_to_smt(&value, self.terms.sort(*t))
            )
        });
        writeln!(out, "({})", pairs.collect::<Vec<_>>().join("\n "))?;
        Ok(())
    }

    fn write_model(&self, out: &mut dyn Write) -> Result<(), ScriptError> {
        let Last::Sat(model) = &self.last else {
            return Err(no("model"));
        };
        let mut evaluator = Evaluator::new(self.terms, model);
        writeln!(out, "(")?;
        for (name, variable) in &self.script.vars {
            let sort = self.terms.sort(*variable);
            let value = self.terms.value_to_smt(&evaluator.eval(*variable), sort);
            let (name, sort) = (symbol_to_smt(name), self.terms.sort_to_smt(sort));
            writeln!(out, "  (define-fun {name} () {sort} {value})")?;
        }
        for (name, fun) in &self.script.funs {
            let decl = self.terms.fun(*fun);
            let parameters: Vec<_> = (0..decl.params.len())
                .map(|position| {
                    format!(
                        "(x{position} {})",
                        self.terms.sort_to_smt(decl.params[position])
                    )
                })
                .collect();
            let body = match model.get_fun(*fun) {
                Some(value) => self.function_text(value, &decl.params, decl.result),
                None => {
                    let value = terms::Value::default_of(self.terms, decl.result);
                    self.terms.value_to_smt(&value, decl.result)
                }
            };
            let (name, sort) = (symbol_to_smt(name), self.terms.sort_to_smt(decl.result));
            writeln!(
                out,
                "  (define-fun {name} ({}) {sort} {body})",
                parameters.join(" ")
            )?;
        }
        writeln!(out, ")")?;
        Ok(())
    }

    /// A function as a cascade of ites over its entries.
    fn function_text(&self, value: &FunValue, params: &[Sort], result: Sort) -> String {
        let mut text = String::new();
        for (arguments, value) in &value.entries {
            let tests =
                arguments
                    .iter()
                    .zip(params)
                    .enumerate()
                    .map(|(position, (argument, &sort))| {
                        format!(
                            "(= x{position} {})",
                            self.terms.value_to_smt(argument, sort)
                        )
                    });
            let tests: Vec<_> = tests.collect();
            let test = if tests.len() == 1 {
                tests[0].clone()
            } else {
                format!("(and {})", tests.join(" "))
            };
            text += &format!("(ite {test} {} ", self.terms.value_to_smt(value, result));
        }
        text += &self.terms.value_to_smt(&value.default, result);
        text + &")".repeat(value.entries.len())
    }
}

fn no(what: &str) -> ScriptError {
    ScriptError::Command(format!(
        "there is no {what} to get: the last check does not provide one"
    ))
}
