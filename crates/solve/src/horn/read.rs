//! Systems of clauses from SMT-LIB files of logic `HORN`.
//!
//! Each assertion is taken apart as a disjunction: predicates that it denies are premises, one that it claims is the conclusion, and the
//! rest is the constraint. An assertion may be several clauses, `(=> (or (P x) (Q x)) (R x))`. What is not of this form is refused, with
//! the number of the assertion. Terms stay as they are written until clauses are found, so that no rewriting hides one.

use std::collections::{BTreeMap, BTreeSet};

use terms::smt::print::symbol_to_smt;
use terms::smt::{Command, Script};
use terms::{Fun, Level, Op, Sort, Term, Terms, Value, rewrite};

use super::{Atom, Clause, HornAnswer, Invariant, Step, System, declare_predicate};
use crate::script::ScriptError;

/// The most clauses of one assertion.
const MOST_CLAUSES: usize = 1000;
/// The most parts of one assertion, each counted as often as it stands there.
const MOST_PARTS: usize = 1_000_000;

/// A file's system, and what else it asks for.
#[derive(Debug)]
pub struct HornFile {
    /// The clauses.
    pub system: System,
    /// By clause: the assertion that it comes from, counted from one.
    pub assertions: Vec<usize>,
    /// Is the model wanted (`get-model`)?
    pub model: bool,
    /// The file's predicates in their order, by the file's names. Those without arguments have one here, which is always true.
    predicates: Vec<(String, Fun, Arguments)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Arguments {
    Some,
    None,
}

/// Reads a file's text; `file` is its name in errors.
pub fn read_horn(terms: &mut Terms, file: &str, text: &str) -> Result<HornFile, ScriptError> {
    let level = terms.level();
    terms.set_level(Level::Off);
    let read = Script::read_closed(terms, file, text);
    let system = read.map_err(ScriptError::from).and_then(|script| {
        let wrong = |message: String| ScriptError::Command(format!("{file}: {message}"));
        from_script(terms, &script).map_err(wrong)
    });
    terms.set_level(level);
    let mut horn = system?;
    for clause in &mut horn.system.clauses {
        rewrite_clause(terms, clause);
    }
    Ok(horn)
}

impl HornFile {
    /// What the file would have an answer look like: the predicates' meanings, or the steps of a derivation as comments.
    pub fn explain(&self, terms: &mut Terms, answer: &HornAnswer) -> String {
        match answer {
            HornAnswer::Safe(invariants) => self.model_text(terms, invariants),
            HornAnswer::Unsafe(steps) => self.derivation_text(terms, steps),
            HornAnswer::Unknown(_) => String::new(),
        }
    }

    fn model_text(&self, terms: &mut Terms, invariants: &[Invariant]) -> String {
        let mut out = "(\n".to_owned();
        for (name, fun, arguments) in &self.predicates {
            let known = invariants.iter().find(|known| known.predicate == *fun);
            // Nothing is derived from what has no invariant.
            let yes = terms.tru();
            let (formula, parameters) = match (known, arguments) {
                (None, _) => (yes, Vec::new()),
                (Some(known), Arguments::None) => (known.instantiate(terms, &[yes]), Vec::new()),
                (Some(known), Arguments::Some) => (known.formula, known.parameters.clone()),
            };
            let sorts = match arguments {
                Arguments::None => Vec::new(),
                Arguments::Some => terms.fun(*fun).params.to_vec(),
            };
            let mut texts = Vec::new();
            for (place, &sort) in sorts.iter().enumerate() {
                let name = match parameters.get(place) {
                    Some(&parameter) => terms.var_name(parameter).unwrap_or_default().to_owned(),
                    None => format!("x{place}"),
                };
                texts.push(format!(
                    "({} {})",
                    symbol_to_smt(&name),
                    terms.sort_to_smt(sort)
                ));
            }
            let (name, formula) = (symbol_to_smt(name), terms.to_smt(formula));
            out.push_str(&format!(
                "  (define-fun {name} ({}) Bool {formula})\n",
                texts.join(" ")
            ));
        }
        out.push_str(")\n");
        out
    }

    fn derivation_text(&self, terms: &Terms, steps: &[Step]) -> String {
        let mut out = String::new();
        for (number, step) in steps.iter().enumerate() {
            let assertion = self
                .assertions
                .get(step.clause)
                .copied()
                .unwrap_or_default();
            out.push_str(&format!("; {number}: assertion {assertion}"));
            if !step.premises.is_empty() {
                let premises: Vec<String> = step.premises.iter().map(usize::to_string).collect();
                out.push_str(&format!(", from {}", premises.join(" and ")));
            }
            let values = step.values.iter().map(|(variable, value): &(Term, Value)| {
                let name = symbol_to_smt(terms.var_name(*variable).unwrap_or_default());
                format!(
                    "{name} = {}",
                    terms.value_to_smt(value, terms.sort(*variable))
                )
            });
            let values: Vec<String> = values.collect();
            if !values.is_empty() {
                out.push_str(&format!(", with {}", values.join(", ")));
            }
            out.push('\n');
        }
        out
    }
}

/// Makes the terms of a clause anew.
fn rewrite_clause(terms: &mut Terms, clause: &mut Clause) {
    let mut roots = vec![clause.constraint];
    for atom in clause.body.iter().chain(&clause.head) {
        roots.extend_from_slice(&atom.arguments);
    }
    let mut made = rewrite::simplify(terms, &roots).into_iter();
    clause.constraint = made.next().expect("as many as there were");
    for atom in clause.body.iter_mut().chain(&mut clause.head) {
        for argument in &mut atom.arguments {
            *argument = made.next().expect("as many as there were");
        }
    }
}

/// The system of a script whose variables are free.
fn from_script(terms: &mut Terms, script: &Script) -> Result<HornFile, String> {
    let mut horn = HornFile {
        system: System::default(),
        assertions: Vec::new(),
        model: false,
        predicates: Vec::new(),
    };
    for (name, fun) in &script.funs {
        if terms.fun(*fun).result != Sort::Bool {
            return Err(format!("the function `{name}` is no predicate"));
        }
        horn.system.predicates.push(*fun);
        horn.predicates.push((name.clone(), *fun, Arguments::Some));
    }
    let mut predicates = Predicates::default();
    for (name, variable) in &script.vars {
        if terms.sort(*variable) != Sort::Bool {
            predicates.constants.insert(*variable, name.clone());
            continue;
        }
        let fun = declare_predicate(terms, &mut horn.system, &format!("{name}!"), &[Sort::Bool]);
        horn.predicates.push((name.clone(), fun, Arguments::None));
        predicates.flags.insert(*variable, fun);
    }
    let mut number = 0;
    for command in &script.commands {
        match command {
            Command::Assert(formula) => {
                number += 1;
                let clauses = predicates.clauses(terms, *formula);
                let clauses = clauses.map_err(|why| format!("assertion {number}: {why}"))?;
                horn.assertions.extend(clauses.iter().map(|_| number));
                horn.system.clauses.extend(clauses);
            }
            Command::GetModel => horn.model = true,
            Command::Exit => break,
            Command::SetLogic(_)
            | Command::SetOption(..)
            | Command::SetInfo(..)
            | Command::CheckSat
            | Command::Echo(_) => {}
            Command::CheckSatAssuming(_)
            | Command::GetValue(_)
            | Command::GetUnsatCore
            | Command::GetUnsatAssumptions
            | Command::Push(_)
            | Command::Pop(_) => {
                return Err(
                    "clauses are solved once: only `check-sat` and `get-model` are known"
                        .to_owned(),
                );
            }
        }
    }
    Ok(horn)
}

/// What stands for a predicate in terms.
#[derive(Default)]
struct Predicates {
    /// Predicates without arguments were read as variables.
    flags: BTreeMap<Term, Fun>,
    /// What no clause may speak of.
    constants: BTreeMap<Term, String>,
}

impl Predicates {
    /// The clauses that a formula is, if it is some.
    fn clauses(&self, terms: &mut Terms, formula: Term) -> Result<Vec<Clause>, String> {
        let mut with = self.with_predicates(terms, formula)?;
        let mut list = Vec::new();
        // The formula is denied: what must hold and what must not, for it to be false.
        let mut open = vec![Draft {
            work: vec![(formula, false)],
            clause: Clause {
                body: Vec::new(),
                constraint: terms.tru(),
                head: None,
            },
        }];
        let mut parts = 0;
        while let Some(mut draft) = open.pop() {
            parts += 1;
            if parts > MOST_PARTS {
                return Err("more parts than can be told apart".to_owned());
            }
            let Some((term, holds)) = draft.work.pop() else {
                list.push(draft.clause);
                continue;
            };
            if let Some(atom) = self.atom(terms, term) {
                if atom
                    .arguments
                    .iter()
                    .any(|argument| with.contains(argument))
                {
                    return Err("a predicate in an argument of a predicate".to_owned());
                }
                draft.add(atom, holds)?;
                open.push(draft);
                continue;
            }
            if !with.contains(&term) {
                let part = if holds { term } else { terms.not(term) };
                draft.clause.constraint = terms.and(draft.clause.constraint, part);
                open.push(draft);
                continue;
            }
            let args = terms.args(term).to_vec();
            match (terms.op(term), holds) {
                (Op::Not, _) => draft.work.push((args[0], !holds)),
                (Op::And, true) | (Op::Or, false) => {
                    draft
                        .work
                        .extend(args.into_iter().rev().map(|arg| (arg, holds)));
                }
                (Op::And, false) | (Op::Or, true) => {
                    // One clause for each.
                    if open.len() + list.len() + args.len() > MOST_CLAUSES {
                        return Err("more clauses than can be told apart".to_owned());
                    }
                    for &arg in args.iter().rev() {
                        let mut copy = draft.clone();
                        copy.work.push((arg, holds));
                        open.push(copy);
                    }
                    continue;
                }
                (Op::Ite, _) => {
                    // By its definition, which may make new terms.
                    let no = terms.not(args[0]);
                    let (yes, otherwise) = (terms.or(no, args[1]), terms.or(args[0], args[2]));
                    with.extend([no, yes, otherwise]);
                    let both = terms.and(yes, otherwise);
                    with.insert(both);
                    draft.work.push((both, holds));
                }
                _ => {
                    return Err("a predicate in a place where no Horn clause has one".to_owned());
                }
            }
            open.push(draft);
        }
        Ok(list)
    }

    /// The parts of a formula in which predicates stand.
    fn with_predicates(&self, terms: &Terms, formula: Term) -> Result<BTreeSet<Term>, String> {
        let mut with: BTreeSet<Term> = BTreeSet::new();
        for part in terms.post_order(&[formula]) {
            if let Some(name) = self.constants.get(&part) {
                return Err(format!("`{name}` is a constant of no clause"));
            }
            let is_one = self.atom(terms, part).is_some();
            if is_one || terms.args(part).iter().any(|arg| with.contains(arg)) {
                with.insert(part);
            }
        }
        Ok(with)
    }

    fn atom(&self, terms: &Terms, term: Term) -> Option<Atom> {
        match terms.op(term) {
            Op::Apply(predicate) => Some(Atom {
                predicate,
                arguments: terms.args(term).to_vec(),
            }),
            _ => self.flags.get(&term).map(|&predicate| Atom {
                predicate,
                arguments: vec![terms.tru()],
            }), // A predicate without arguments, or none.
        }
    }
}

/// A clause that is being found.
#[derive(Clone)]
struct Draft {
    work: Vec<(Term, bool)>,
    clause: Clause,
}

impl Draft {
    fn add(&mut self, atom: Atom, holds: bool) -> Result<(), String> {
        match (holds, &self.clause.head) {
            (true, _) => self.clause.body.push(atom),
            (false, None) => self.clause.head = Some(atom),
            (false, Some(_)) => {
                return Err("two conclusions, which no Horn clause has".to_owned());
            }
        }
        Ok(())
    }
}
