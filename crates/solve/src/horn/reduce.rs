//! Clauses and arguments that matter for no query, removed before a system is solved; and answers brought back.
//!
//! - A predicate that no clause derives is false, and a clause with it as a premise says nothing.
//! - A predicate that no query depends on is true.
//! - An argument that is the same constant in all conclusions is that constant, `P(x, 4)` and `P(x + 1, y) <- P(x, y)`.
//! - An argument that nobody looks at is arbitrary: its variable stands nowhere else, or only where it is handed on to such an argument.
//!
//! Z3 does some of this too, but then it has no invariants for what it removed. Predicates are not put into each other: an
//! invariant of one that is gone would need a quantifier.

use std::collections::{BTreeMap, BTreeSet};

use terms::visit::Substitution;
use terms::{Fun, Op, Sort, Term, Terms};

use super::{Atom, Clause, Invariant, System, declare_predicate};

/// A system that is smaller, and how it came from another one.
pub(crate) struct Reduced {
    pub(crate) system: System,
    /// By clause: its number in the original.
    clauses: Vec<usize>,
    /// By predicate of the original.
    fates: Vec<(Fun, Fate)>,
}

/// What becomes of a predicate.
enum Fate {
    /// Nothing derives it.
    False,
    /// No query depends on it.
    True,
    /// It is this one, over these arguments; what the others are, if they are constants.
    Kept {
        new: Fun,
        kept: Vec<usize>,
        constants: Vec<(usize, Term)>,
    },
}

/// Reduces a system.
pub(crate) fn reduce(terms: &mut Terms, system: &System) -> Reduced {
    let derived = derived(terms, system);
    let alive = |clause: &Clause| {
        let premises = clause.body.iter();
        !matches!(terms.op(clause.constraint), Op::False)
            && premises
                .into_iter()
                .all(|atom| derived.contains(&atom.predicate))
    };
    let alive: Vec<usize> = (0..system.clauses.len())
        .filter(|&number| alive(&system.clauses[number]))
        .collect();
    let wanted = wanted(system, &alive);
    let clauses: Vec<usize> = alive
        .into_iter()
        .filter(|&number| {
            let head = system.clauses[number].head.as_ref();
            head.is_none_or(|atom| wanted.contains(&atom.predicate))
        })
        .collect();
    let used: Vec<&Clause> = clauses
        .iter()
        .map(|&number| &system.clauses[number])
        .collect();
    let constants = constants(terms, &used);
    let idle = idle(terms, &used, &constants);
    let mut reduced = Reduced {
        system: System::default(),
        clauses,
        fates: Vec::new(),
    };
    for &predicate in &system.predicates {
        let fate = match (derived.contains(&predicate), wanted.contains(&predicate)) {
            (false, _) => Fate::False,
            (true, false) => Fate::True,
            (true, true) => {
                let sorts = terms.fun(predicate).params.to_vec();
                let gone = |place: usize| {
                    constants.contains_key(&(predicate, place))
                        || idle.contains(&(predicate, place))
                };
                let kept: Vec<usize> = (0..sorts.len()).filter(|&place| !gone(place)).collect();
                let of = |place: usize| {
                    let constant = constants.get(&(predicate, place))?;
                    Some((place, *constant))
                };
                let new = match kept.len() == sorts.len() {
                    true => {
                        reduced.system.predicates.push(predicate);
                        predicate
                    }
                    false => {
                        let mut own: Vec<Sort> = kept.iter().map(|&place| sorts[place]).collect();
                        if own.is_empty() {
                            own.push(Sort::Bool);
                        }
                        let name = format!("{}.less", terms.fun(predicate).name);
                        declare_predicate(terms, &mut reduced.system, &name, &own)
                    }
                };
                Fate::Kept {
                    new,
                    kept,
                    constants: (0..sorts.len()).filter_map(of).collect(),
                }
            }
        };
        reduced.fates.push((predicate, fate));
    }
    for number in reduced.clauses.clone() {
        let clause = reduced.clause(terms, &system.clauses[number]);
        reduced.system.clauses.push(clause);
    }
    reduced
}

impl Reduced {
    fn clause(&self, terms: &mut Terms, clause: &Clause) -> Clause {
        // What is constant in a premise is so in the whole clause.
        let mut map = Substitution::default();
        let mut also = terms.tru();
        for atom in &clause.body {
            if let Some(Fate::Kept { constants, .. }) = self.fate(atom.predicate) {
                for &(place, constant) in constants {
                    let argument = atom.arguments[place];
                    if matches!(terms.op(argument), Op::Var(_)) && !map.contains_key(&argument) {
                        map.insert(argument, constant);
                    } else {
                        let is = terms.eq(argument, constant);
                        also = terms.and(also, is);
                    }
                }
            }
        }
        let constraint = terms.and(clause.constraint, also);
        Clause {
            body: clause
                .body
                .iter()
                .map(|atom| self.atom(terms, atom, &map))
                .collect(),
            constraint: terms.substitute(constraint, &map),
            head: clause
                .head
                .as_ref()
                .map(|atom| self.atom(terms, atom, &map)),
        }
    }

    fn atom(&self, terms: &mut Terms, atom: &Atom, map: &Substitution) -> Atom {
        let Some(Fate::Kept { new, kept, .. }) = self.fate(atom.predicate) else {
            unreachable!("{:?} is in no clause that is left", atom.predicate);
        };
        let mut arguments: Vec<Term> = kept
            .iter()
            .map(|&place| terms.substitute(atom.arguments[place], map))
            .collect();
        if arguments.is_empty() {
            arguments.push(terms.tru());
        }
        Atom {
            predicate: *new,
            arguments,
        }
    }

    fn fate(&self, predicate: Fun) -> Option<&Fate> {
        let mut fates = self.fates.iter();
        fates
            .find(|(fun, _)| *fun == predicate)
            .map(|(_, fate)| fate)
    }

    /// What the invariants say of the original predicates.
    pub(crate) fn invariants(&self, terms: &mut Terms, found: &[Invariant]) -> Vec<Invariant> {
        let mut list = Vec::new();
        for (predicate, fate) in &self.fates {
            let sorts = terms.fun(*predicate).params.to_vec();
            let parameters: Vec<Term> =
                sorts.iter().map(|&sort| terms.fresh("arg", sort)).collect();
            let formula = match fate {
                Fate::False => terms.fls(),
                Fate::True => terms.tru(),
                Fate::Kept {
                    new,
                    kept,
                    constants,
                } => {
                    let Some(known) = found.iter().find(|known| known.predicate == *new) else {
                        continue;
                    };
                    let mut arguments: Vec<Term> = kept.iter().map(|&x| parameters[x]).collect();
                    if arguments.is_empty() {
                        arguments.push(terms.tru());
                    }
                    let mut formula = known.instantiate(terms, &arguments);
                    for &(place, constant) in constants {
                        let is = terms.eq(parameters[place], constant);
                        formula = terms.and(formula, is);
                    }
                    formula
                }
            };
            list.push(Invariant {
                predicate: *predicate,
                parameters,
                formula,
            });
        }
        list
    }

    /// The numbers that clauses have in the original.
    pub(crate) fn numbers(&self, clauses: &[usize]) -> Vec<usize> {
        clauses.iter().map(|&number| self.clauses[number]).collect()
    }
}

/// The predicates that clauses derive, whatever their constraints say.
fn derived(terms: &Terms, system: &System) -> BTreeSet<Fun> {
    let mut known: BTreeSet<Fun> = BTreeSet::new();
    loop {
        let before = known.len();
        for clause in &system.clauses {
            let Some(head) = &clause.head else { continue };
            let holds = !matches!(terms.op(clause.constraint), Op::False);
            if holds
                && clause
                    .body
                    .iter()
                    .all(|atom| known.contains(&atom.predicate))
            {
                known.insert(head.predicate);
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

/// The predicates that queries depend on.
fn wanted(system: &System, clauses: &[usize]) -> BTreeSet<Fun> {
    let mut known: BTreeSet<Fun> = BTreeSet::new();
    loop {
        let before = known.len();
        for &number in clauses {
            let clause = &system.clauses[number];
            let matters = clause
                .head
                .as_ref()
                .is_none_or(|atom| known.contains(&atom.predicate));
            if matters {
                known.extend(clause.body.iter().map(|atom| atom.predicate));
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

/// An argument of a predicate.
type Position = (Fun, usize);

/// The arguments that are one constant in all conclusions.
fn constants(terms: &Terms, clauses: &[&Clause]) -> BTreeMap<Position, Term> {
    // Every argument is assumed to be one until two conclusions differ. None: no conclusion has been seen.
    let mut known: BTreeMap<Position, Option<Term>> = BTreeMap::new();
    for clause in clauses {
        for atom in clause.body.iter().chain(&clause.head) {
            for place in 0..atom.arguments.len() {
                known.insert((atom.predicate, place), None);
            }
        }
    }
    loop {
        let mut changed = false;
        for clause in clauses {
            let Some(head) = &clause.head else { continue };
            let mut map: BTreeMap<Term, Option<Term>> = BTreeMap::new();
            for atom in &clause.body {
                for (place, &argument) in atom.arguments.iter().enumerate() {
                    if let Some(&constant) = known.get(&(atom.predicate, place))
                        && matches!(terms.op(argument), Op::Var(_))
                    {
                        map.insert(argument, constant);
                    }
                }
            }
            for (place, &argument) in head.arguments.iter().enumerate() {
                let position = (head.predicate, place);
                let Some(&so_far) = known.get(&position) else {
                    continue;
                };
                let value = match (terms.is_const(argument), map.get(&argument)) {
                    (true, _) => Some(argument),
                    (false, Some(None)) => continue, // Nothing is derived from it yet.
                    (false, Some(&constant)) => constant,
                    (false, None) => None,
                };
                match (value, so_far) {
                    (Some(value), None) => {
                        known.insert(position, Some(value));
                        changed = true;
                    }
                    (Some(value), Some(other)) if value == other => {}
                    _ => {
                        known.remove(&position);
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    let found = known.into_iter();
    found
        .filter_map(|(position, constant)| Some((position, constant?)))
        .collect()
}

/// The arguments that nobody looks at.
fn idle(
    terms: &Terms,
    clauses: &[&Clause],
    constants: &BTreeMap<Position, Term>,
) -> BTreeSet<Position> {
    let mut idle: BTreeSet<Position> = BTreeSet::new();
    for clause in clauses {
        for atom in clause.body.iter().chain(&clause.head) {
            for place in 0..atom.arguments.len() {
                let position = (atom.predicate, place);
                if !constants.contains_key(&position) {
                    idle.insert(position);
                }
            }
        }
    }
    // In each clause: where its variables are looked at, beside the arguments that are idle.
    loop {
        let before = idle.len();
        for clause in clauses {
            let mut seen: BTreeSet<Term> =
                terms.free_vars(&[clause.constraint]).into_iter().collect();
            let mut twice: BTreeSet<Term> = BTreeSet::new();
            for atom in &clause.body {
                for (place, &argument) in atom.arguments.iter().enumerate() {
                    let plain = matches!(terms.op(argument), Op::Var(_));
                    if !plain || !idle.contains(&(atom.predicate, place)) {
                        seen.extend(terms.free_vars(&[argument]));
                    } else if !twice.insert(argument) {
                        // Two premises about one value compare it.
                        seen.insert(argument);
                    }
                }
            }
            if let Some(head) = &clause.head {
                for (place, &argument) in head.arguments.iter().enumerate() {
                    if !idle.contains(&(head.predicate, place)) {
                        seen.extend(terms.free_vars(&[argument]));
                    }
                }
            }
            for atom in &clause.body {
                for (place, &argument) in atom.arguments.iter().enumerate() {
                    let plain = matches!(terms.op(argument), Op::Var(_));
                    if !plain || seen.contains(&argument) {
                        idle.remove(&(atom.predicate, place));
                    }
                }
            }
        }
        if idle.len() == before {
            return idle;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::horn::{HornAnswer, HornOptions, solve_horn};

    /// `P(0, 4, x)`, `P(x + 1, y, z) <- P(x, y, z)`, and a query that looks at one of the three.
    fn counting(terms: &mut Terms, query_looks_at: usize) -> (System, Fun) {
        let int = Sort::Int;
        let mut system = System::default();
        let predicate = declare_predicate(terms, &mut system, "P", &[int, int, int]);
        let [x, y, z] = ["x", "y", "z"].map(|name| terms.var(name, int));
        let [zero, one, four] = [0, 1, 4].map(|value| terms.int(value));
        let always = terms.tru();
        let next = terms.iadd(x, one);
        let atom = |arguments: [Term; 3]| Atom {
            predicate,
            arguments: arguments.to_vec(),
        };
        system.clauses.push(Clause {
            body: Vec::new(),
            constraint: always,
            head: Some(atom([zero, four, z])),
        });
        system.clauses.push(Clause {
            body: vec![atom([x, y, z])],
            constraint: always,
            head: Some(atom([next, y, z])),
        });
        let looked_at = [x, y, z][query_looks_at];
        let wrong = terms.ilt(looked_at, zero);
        system.clauses.push(Clause {
            body: vec![atom([x, y, z])],
            constraint: wrong,
            head: None,
        });
        (system, predicate)
    }

    fn kept(reduced: &Reduced, predicate: Fun) -> (Vec<usize>, Vec<usize>) {
        match reduced.fate(predicate) {
            Some(Fate::Kept {
                kept, constants, ..
            }) => (
                kept.clone(),
                constants.iter().map(|&(place, _)| place).collect(),
            ),
            Some(Fate::False | Fate::True) | None => panic!("it is used"),
        }
    }

    #[test]
    fn constants_and_what_nobody_looks_at_go() {
        // The first argument grows, the second is 4, the third is handed on.
        for (looks_at, expected) in [(0, vec![0]), (1, vec![]), (2, vec![2])] {
            let mut terms = Terms::new();
            let (system, predicate) = counting(&mut terms, looks_at);
            let reduced = reduce(&mut terms, &system);
            assert_eq!(kept(&reduced, predicate), (expected, vec![1]));
        }
    }

    #[test]
    fn what_is_compared_is_looked_at() {
        let mut terms = Terms::new();
        let (mut system, predicate) = counting(&mut terms, 0);
        // Two premises about one value.
        let query = system.clauses.last_mut().expect("there is a query");
        let again = query.body[0].clone();
        query.body.push(again);
        let reduced = reduce(&mut terms, &system);
        assert_eq!(kept(&reduced, predicate), (vec![0, 2], vec![1]));
    }

    #[test]
    fn answers_are_about_the_original() {
        for (looks_at, safe) in [(0, true), (1, true), (2, false)] {
            let mut terms = Terms::new();
            let (system, predicate) = counting(&mut terms, looks_at);
            let answer = solve_horn(&mut terms, &system, &HornOptions::default());
            match answer.expect("it is answered") {
                HornAnswer::Safe(invariants) => {
                    assert!(safe, "{looks_at}");
                    let of = |found: &Invariant| found.predicate == predicate;
                    let found = invariants.iter().find(|found| of(found));
                    assert_eq!(found.expect("one for P").parameters.len(), 3);
                }
                HornAnswer::Unsafe(_) => assert!(!safe, "{looks_at}"),
                HornAnswer::Unknown(reason) => panic!("{looks_at}: {reason}"),
            }
        }
    }
}
