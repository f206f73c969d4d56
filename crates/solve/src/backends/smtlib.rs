//! Any SMT-LIB 2 program, over a pipe.
//!
//! Assertions are kept here and sent when a check needs them. So a program that crashed, hung or ran out of time is
//! killed and, at the next check, started again with everything that still counts. An assumption is an assertion on a
//! level of its own, which every incremental program understands, whatever it thinks of `check-sat-assuming`.

use std::time::Instant;

use std::path::PathBuf;

use terms::smt::flat::{declare_function, define, name};
use terms::{Fun, Model, Op, Term, Terms};

use crate::answer::{Answer, Reason, SolveError};
use crate::backends::smtlib_process::Process;
use crate::backends::smtlib_read::{Sexp, read_value, values_of};
use crate::limits::{Interrupt, Limits, Watch};
use crate::model::ModelBuilder;
use crate::solver::{Config, Cores, Solver, Statistics};
use crate::translate::{Builder, Cache};

/// Arguments for programs that are named without any: they shall read SMT-LIB from standard input, incrementally.
const ARGUMENTS: &[(&str, &[&str])] = &[
    ("bitwuzla", &["--produce-models"]),
    (
        "cvc5",
        &["--lang=smt2", "--incremental", "--produce-models"],
    ),
    ("mathsat", &[]),
    ("yices-smt2", &["--incremental", "--smt2-model-format"]),
    ("z3", &["-smt2", "-in"]),
];

/// A program, and what it has been told.
pub struct Smtlib {
    name: String,
    words: Vec<String>,
    process: Option<Process>,
    /// The assertions, by level.
    levels: Vec<Vec<Term>>,
    /// How many assertions of each level the program has got.
    sent: Vec<usize>,
    cache: Cache<()>,
    printer: Printer,
    limits: Limits,
    interrupt: Interrupt,
    cores: Cores,
    dialogue: Option<PathBuf>,
    /// The core of the last check, if it was `Unsat`.
    core: Vec<Term>,
    statistics: Statistics,
}

/// Collects the text of definitions, and what each level defined.
#[derive(Default)]
struct Printer {
    text: String,
    /// What was introduced on each level, to be forgotten with it.
    introduced: Vec<Vec<Term>>,
    functions: Vec<Vec<Fun>>,
    variables: Vec<Term>,
    applications: Vec<Term>,
}

/// Opens a solver for a command.
pub fn open(command: &str, config: &Config) -> Result<Box<dyn Solver>, SolveError> {
    let name = format!("smtlib:{command}");
    let failed = |message: String| SolveError::Failed {
        backend: name.clone(),
        message,
    };
    let mut words = split_words(command).map_err(failed)?;
    if let [program] = words.as_slice() {
        let base = program.rsplit('/').next().unwrap_or(program).to_owned();
        if let Some((_, arguments)) = ARGUMENTS.iter().find(|(known, _)| *known == base) {
            words.extend(arguments.iter().map(|&argument| argument.to_owned()));
        }
    }
    let mut solver = Smtlib {
        name: name.clone(),
        words,
        process: None,
        levels: vec![Vec::new()],
        sent: Vec::new(),
        cache: Cache::new(),
        printer: Printer::default(),
        limits: config.limits,
        interrupt: config.interrupt.clone(),
        cores: config.cores,
        dialogue: config.dialogue.clone(),
        core: Vec::new(),
        statistics: Statistics::default(),
    };
    // A command that cannot be started is the user's mistake, and said at once.
    solver.start().map_err(failed)?;
    Ok(Box::new(solver))
}

/// The words of a command: separated by blanks, quotation marks of both kinds keep blanks.
fn split_words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("a quotation mark is not closed in `{command}`"));
    }
    words.extend(word);
    if words.is_empty() {
        Err("an empty command".to_owned())
    } else {
        Ok(words)
    }
}

impl Smtlib {
    /// Starts the program, if it does not run.
    fn start(&mut self) -> Result<&mut Process, String> {
        if self.process.is_none() {
            let mut process = Process::start(&self.words, self.dialogue.as_deref())?;
            let mut text =
                "(set-option :print-success false)\n(set-option :produce-models true)\n".to_owned();
            if self.cores == Cores::On {
                text.push_str("(set-option :produce-unsat-cores true)\n");
            }
            text.push_str("(set-logic ALL)\n");
            process.send(&text)?;
            self.process = Some(process);
            self.sent = vec![0];
            self.cache = Cache::new();
            self.printer = Printer {
                introduced: vec![Vec::new()],
                functions: vec![Vec::new()],
                ..Printer::default()
            };
        }
        Ok(self.process.as_mut().expect("it was just started"))
    }

    /// Ends the program; the next check starts it again.
    fn stop(&mut self) {
        self.process = None;
    }

    /// Drops the levels of the program above `levels`.
    fn drop_levels(&mut self, levels: usize) -> Result<(), String> {
        let surplus = self.sent.len().saturating_sub(levels);
        if self.process.is_none() || surplus == 0 {
            return Ok(());
        }
        self.sent.truncate(levels);
        self.printer.functions.truncate(levels);
        for t in self.printer.introduced.drain(levels..).flatten() {
            self.cache.forget(t);
        }
        let cache = &self.cache;
        self.printer.variables.retain(|&t| cache.get(t).is_some());
        self.printer
            .applications
            .retain(|&t| cache.get(t).is_some());
        self.start()?.send(&format!("(pop {surplus})\n"))
    }

    fn open_level(&mut self) {
        self.printer.text.push_str("(push 1)\n");
        self.printer.introduced.push(Vec::new());
        self.printer.functions.push(Vec::new());
        self.sent.push(0);
    }

    /// Sends what the program does not know yet.
    fn send_assertions(&mut self, terms: &Terms) -> Result<(), SolveError> {
        for level in 0..self.levels.len() {
            if level == self.sent.len() {
                self.open_level();
            }
            for position in self.sent[level]..self.levels[level].len() {
                let t = self.levels[level][position];
                self.cache.translate(terms, t, &mut self.printer)?;
                self.printer
                    .text
                    .push_str(&format!("(assert {})\n", name(terms, t)));
                self.sent[level] += 1;
            }
        }
        Ok(())
    }

    /// Asks; an `Err` is the reason for an unknown, after which the program is not used again.
    fn ask(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
    ) -> Result<Result<Answer, Reason>, SolveError> {
        if let Err(message) = self.start() {
            return Ok(Err(Reason::Error(message)));
        }
        self.send_assertions(terms)?;
        if !assumptions.is_empty() {
            self.open_level();
            for &t in assumptions {
                self.cache.translate(terms, t, &mut self.printer)?;
            }
            for (position, &t) in assumptions.iter().enumerate() {
                self.printer.text.push_str(&match self.cores {
                    Cores::Off => format!("(assert {})\n", name(terms, t)),
                    Cores::On => format!(
                        "(assert (! {} :named $assumption{position}))\n",
                        name(terms, t)
                    ),
                });
            }
        }
        self.printer.text.push_str("(check-sat)\n");
        let watch = Watch::new(self.interrupt.clone());
        watch.start(self.limits);
        let answer = self.converse(terms, assumptions, &watch);
        if answer.is_ok() && !assumptions.is_empty() {
            if let Err(message) = self.drop_levels(self.levels.len()) {
                return Ok(Err(Reason::Error(message)));
            }
        }
        Ok(answer)
    }

    fn converse(
        &mut self,
        terms: &Terms,
        assumptions: &[Term],
        watch: &Watch,
    ) -> Result<Answer, Reason> {
        let text = std::mem::take(&mut self.printer.text);
        self.tell(&text)?;
        let answer = self.hear(watch)?;
        match &answer {
            Sexp::Atom(word) if word == "sat" => self.model(terms, watch).map(Answer::Sat),
            Sexp::Atom(word) if word == "unsat" => {
                self.core = self.read_core(assumptions, watch)?;
                Ok(Answer::Unsat)
            }
            Sexp::Atom(word) if word == "unknown" => Ok(Answer::Unknown(Reason::Incomplete(
                "the program answered unknown".to_owned(),
            ))),
            Sexp::Atom(_) | Sexp::List(_) => Err(Reason::Error(format!(
                "no answer to check-sat: {}",
                answer.excerpt()
            ))),
        }
    }

    fn tell(&mut self, text: &str) -> Result<(), Reason> {
        self.start()
            .and_then(|process| process.send(text))
            .map_err(Reason::Error)
    }

    /// The next answer, past remarks about options.
    fn hear(&mut self, watch: &Watch) -> Result<Sexp, Reason> {
        let limits = self.limits;
        let process = self.start().map_err(Reason::Error)?;
        loop {
            let sexp = process.receive(watch, limits)?;
            if !matches!(&sexp, Sexp::Atom(word) if word == "success" || word == "unsupported") {
                return Ok(sexp);
            }
        }
    }

    fn model(&mut self, terms: &Terms, watch: &Watch) -> Result<Model, Reason> {
        let mut asked: Vec<Term> = self.printer.variables.clone();
        for &application in &self.printer.applications {
            asked.push(application);
            asked.extend_from_slice(terms.args(application));
        }
        if asked.is_empty() {
            return Ok(Model::new());
        }
        let names: Vec<String> = asked.iter().map(|&t| name(terms, t)).collect();
        self.tell(&format!("(get-value ({}))\n", names.join(" ")))?;
        let answer = self.hear(watch)?;
        self.read_model(terms, &asked, &answer)
            .map_err(Reason::Error)
    }

    fn read_model(&self, terms: &Terms, asked: &[Term], answer: &Sexp) -> Result<Model, String> {
        let values = values_of(answer, asked.len())?;
        let mut values = asked
            .iter()
            .zip(values)
            .map(|(&t, value)| read_value(terms, terms.sort(t), value));
        let mut next = || {
            values
                .next()
                .ok_or("a value is missing")
                .map_err(str::to_owned)?
        };
        let mut model = ModelBuilder::new(terms);
        for &variable in &self.printer.variables {
            model.set(variable, next()?)?;
        }
        for &application in &self.printer.applications {
            let result = next()?;
            let arguments = terms
                .args(application)
                .iter()
                .map(|_| next())
                .collect::<Result<Vec<_>, _>>()?;
            if let Op::Apply(fun) = terms.op(application) {
                model.apply(fun, arguments, result)?;
            }
        }
        Ok(model.finish())
    }

    fn read_core(&mut self, assumptions: &[Term], watch: &Watch) -> Result<Vec<Term>, Reason> {
        if self.cores == Cores::Off || assumptions.is_empty() {
            return Ok(assumptions.to_vec());
        }
        self.tell("(get-unsat-core)\n")?;
        let answer = self.hear(watch)?;
        let Sexp::List(names) = &answer else {
            return Err(Reason::Error(format!(
                "no answer to get-unsat-core: {}",
                answer.excerpt()
            )));
        };
        let named = |position: usize| {
            let (plain, barred) = (
                format!("$assumption{position}"),
                format!("|$assumption{position}|"),
            );
            names
                .iter()
                .any(|name| matches!(name, Sexp::Atom(text) if *text == plain || *text == barred))
        };
        Ok(assumptions
            .iter()
            .enumerate()
            .filter(|&(position, _)| named(position))
            .map(|(_, &t)| t)
            .collect())
    }
}

impl Solver for Smtlib {
    fn name(&self) -> &str {
        &self.name
    }

    fn assert(&mut self, _terms: &Terms, t: Term) -> Result<(), SolveError> {
        self.statistics.assertions += 1;
        self.levels
            .last_mut()
            .expect("there is always a level")
            .push(t);
        Ok(())
    }

    fn push(&mut self) -> Result<(), SolveError> {
        self.levels.push(Vec::new());
        Ok(())
    }

    fn pop(&mut self, levels: u32) -> Result<(), SolveError> {
        let open = self.levels.len() - 1;
        let Some(rest) = open.checked_sub(levels as usize) else {
            let message = format!("{levels} levels to pop, but only {open} are open");
            return Err(SolveError::Failed {
                backend: self.name.clone(),
                message,
            });
        };
        self.levels.truncate(rest + 1);
        if self.drop_levels(rest + 1).is_err() {
            self.stop();
        }
        Ok(())
    }

    fn check(&mut self, terms: &Terms, assumptions: &[Term]) -> Result<Answer, SolveError> {
        let start = Instant::now();
        self.core.clear();
        let answer = match self.ask(terms, assumptions)? {
            Ok(answer) => answer,
            Err(reason) => {
                self.stop();
                Answer::Unknown(reason)
            }
        };
        self.statistics.nodes = self.statistics.nodes.max(self.cache.count());
        self.statistics.count(&answer, start.elapsed());
        Ok(answer)
    }

    fn core(&mut self) -> Result<Vec<Term>, SolveError> {
        Ok(self.core.clone())
    }

    fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    fn statistics(&self) -> Statistics {
        self.statistics.clone()
    }
}

impl Builder for Printer {
    type Node = ();

    fn build(&mut self, terms: &Terms, t: Term, _arguments: &[()]) -> Result<(), SolveError> {
        match terms.op(t) {
            Op::Var(_) => self.variables.push(t),
            Op::Apply(fun) => {
                if !self.functions.iter().flatten().any(|&known| known == fun) {
                    declare_function(terms, fun, &mut self.text);
                    self.functions
                        .last_mut()
                        .expect("there is always a level")
                        .push(fun);
                }
                self.applications.push(t);
            }
            _ => {}
        }
        define(terms, t, &mut self.text);
        self.introduced
            .last_mut()
            .expect("there is always a level")
            .push(t);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::split_words;

    #[test]
    fn words_are_separated_by_blanks_outside_quotation_marks() {
        let words = split_words(r#"cvc5 --lang "a b"  'c "d'"#);
        assert_eq!(
            words,
            Ok(vec![
                "cvc5".into(),
                "--lang".into(),
                "a b".into(),
                "c \"d".into()
            ])
        );
    }

    #[test]
    fn an_open_quotation_mark_is_refused() {
        assert!(split_words("sh -c 'exit").is_err());
        assert!(split_words("  ").is_err());
    }
}
