//! Horn clauses for Spacer: translation, and what it answers, not yet believed.

use std::collections::HashMap;

use terms::{Fun, Term, Terms};

use crate::answer::{Reason, SolveError};
use crate::backends::ffi_spacer::Engine;
use crate::backends::ffi_z3::{Ast, Decl, Outcome};
use crate::backends::z3::{AstBuilder, failed};
use crate::backends::z3_read;
use crate::horn::{Clause, HornOptions, Invariant, System};
use crate::translate::Cache;

/// Spacer's word.
pub(crate) enum Claim {
    /// The query cannot be derived, because of these invariants.
    Safe(Vec<Invariant>),
    /// The query can be derived by these clauses, level by level from the query on.
    Unsafe(Vec<usize>),
    Unknown(Reason),
}

/// Predicates must stay what they are: what Z3 merges or cuts has no invariant of its own.
const SWITCHES: &[(&str, bool)] = &[
    ("xform.slice", false),
    ("xform.inline_linear", false),
    ("xform.inline_eager", false),
    ("xform.subsumption_checker", false),
];

/// The name of the predicate that stands for the query; the names of all others begin with a dot.
const GOAL: &str = " goal";

/// Asks Spacer.
pub(crate) fn ask(
    terms: &mut Terms,
    system: &System,
    options: &HornOptions,
) -> Result<Claim, SolveError> {
    let mut translation = Translation::new()?;
    let goal = {
        let session = &mut translation.builder.session;
        let truth = session.bool_sort().map_err(failed)?;
        session.function(GOAL, &[], truth).map_err(failed)?
    };
    let mut rules = Vec::new();
    for clause in &system.clauses {
        rules.push(translation.rule(terms, clause, goal)?);
    }
    let mut predicates = Vec::new();
    for &fun in &system.predicates {
        predicates.push((fun, translation.builder.function(terms, fun)?));
    }
    let mut engine = translation.engine(options)?;
    engine.register(goal).map_err(failed)?;
    for &(_, decl) in &predicates {
        engine.register(decl).map_err(failed)?;
    }
    for (number, rule) in rules.iter().enumerate() {
        engine
            .add_rule(
                &rule.variables,
                rule.body,
                rule.head,
                &format!("clause{number}"),
            )
            .map_err(failed)?;
    }
    let (outcome, stop) = match engine.query(goal, options.limits, &options.interrupt) {
        Ok(pair) => pair,
        Err(message) => return Ok(Claim::Unknown(Reason::Error(message))),
    };
    Ok(match outcome {
        Outcome::Unknown(reason) => Claim::Unknown(match stop {
            Some(stop) => stop.into(),
            None => Reason::Incomplete(reason),
        }),
        Outcome::Unsat => match read_invariants(&mut engine, terms, &predicates) {
            Ok(invariants) => Claim::Safe(invariants),
            Err(message) => Claim::Unknown(Reason::Incomplete(format!(
                "no readable invariant: {message}"
            ))),
        },
        Outcome::Sat => match read_trace(&mut engine, system) {
            Ok(clauses) => Claim::Unsafe(clauses),
            Err(message) => Claim::Unknown(Reason::Incomplete(format!(
                "no readable derivation: {message}"
            ))),
        },
    })
}

struct Translation {
    cache: Cache<Ast>,
    builder: AstBuilder,
}

struct Rule {
    variables: Vec<Ast>,
    body: Ast,
    head: Ast,
}

impl Translation {
    fn new() -> Result<Translation, SolveError> {
        Ok(Translation {
            cache: Cache::new(),
            builder: AstBuilder::new()?,
        })
    }

    fn term(&mut self, terms: &Terms, t: Term) -> Result<Ast, SolveError> {
        self.cache.translate(terms, t, &mut self.builder)
    }

    fn atom(
        &mut self,
        terms: &Terms,
        predicate: Fun,
        arguments: &[Term],
    ) -> Result<Ast, SolveError> {
        let arguments = arguments
            .iter()
            .map(|&t| self.term(terms, t))
            .collect::<Result<Vec<_>, _>>()?;
        let decl = self.builder.function(terms, predicate)?;
        self.builder.session.apply(decl, &arguments).map_err(failed)
    }

    fn rule(&mut self, terms: &Terms, clause: &Clause, goal: Decl) -> Result<Rule, SolveError> {
        let mut body = vec![self.term(terms, clause.constraint)?];
        for atom in &clause.body {
            body.push(self.atom(terms, atom.predicate, &atom.arguments)?);
        }
        let body = self
            .builder
            .session
            .many(z3_sys::Z3_mk_and, &body)
            .map_err(failed)?;
        let head = match &clause.head {
            Some(atom) => self.atom(terms, atom.predicate, &atom.arguments)?,
            None => self.builder.session.apply(goal, &[]).map_err(failed)?,
        };
        let variables = clause.variables(terms);
        let variables = variables
            .iter()
            .map(|&t| self.term(terms, t))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Rule {
            variables,
            body,
            head,
        })
    }

    fn engine(self, options: &HornOptions) -> Result<Engine, SolveError> {
        let mut switches = SWITCHES.to_vec();
        switches.push(("spacer.global", options.settings.guided));
        Engine::new(self.builder.session, &switches).map_err(failed)
    }
}

fn read_invariants(
    engine: &mut Engine,
    terms: &mut Terms,
    predicates: &[(Fun, Decl)],
) -> Result<Vec<Invariant>, String> {
    let mut invariants = Vec::new();
    for &(predicate, decl) in predicates {
        let sorts = terms.fun(predicate).params.clone();
        let parameters: Vec<Term> = sorts.iter().map(|&sort| terms.fresh("arg", sort)).collect();
        let formula = engine.invariant(decl)?;
        let formula = z3_read::read(&mut engine.session, terms, formula, &parameters)?;
        invariants.push(Invariant {
            predicate,
            parameters,
            formula,
        });
    }
    Ok(invariants)
}

/// The clauses of the derivation. The first name is that of the question, which is no clause.
fn read_trace(engine: &mut Engine, system: &System) -> Result<Vec<usize>, String> {
    let numbers: HashMap<String, usize> = (0..system.clauses.len())
        .map(|number| (format!("clause{number}"), number))
        .collect();
    let names = engine.rule_names()?;
    let mut clauses = Vec::new();
    for name in names.iter().filter(|name| name.as_str() != "<null>") {
        clauses.push(
            *numbers
                .get(name.as_str())
                .ok_or_else(|| format!("a rule called {name}"))?,
        );
    }
    Ok(clauses)
}
