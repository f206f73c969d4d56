//! The clauses with every slot as an argument: from each cut point, to all that can be reached next.

use std::collections::BTreeMap;
use std::ops::Range;

use encode::eval::arbitrary::Place;
use encode::eval::summary::MAIN;
use terms::visit::Substitution;
use terms::{Op, Term, Terms};

use super::{Builder, Edge, MOST_CASES, Source, To, at, conjuncts};

impl Builder<'_, '_> {
    /// The clauses, with every slot as an argument.
    pub(super) fn find_edges(&mut self) -> Result<(), String> {
        let targets = self.targets();
        for from in 0..self.sources.len() {
            let map = self.substitution(from);
            let (at, first) = match &self.sources[from].head {
                Some(head) => (at(head), head.assumptions),
                None => (None, 0),
            };
            let prefixes = self.prefixes(first);
            for (head, to) in &targets {
                if head.assumptions < first || !self.depends(head.reached, at) {
                    continue;
                }
                let terms = &mut *self.vc.world.terms;
                let constraint = terms.and(prefixes[head.assumptions - first], head.reached);
                let between = first..head.assumptions;
                self.add_edges(from, &map, constraint, between, to.clone())?;
            }
            // Checks with the same calls before them are one query.
            let mut cases: BTreeMap<usize, (usize, Vec<Term>)> = BTreeMap::new();
            for instance in self.asked {
                if instance.assumptions < first || !self.depends(instance.reached, at) {
                    continue;
                }
                let terms = &mut *self.vc.world.terms;
                let fails = terms.not(instance.holds);
                let fails = terms.and(instance.reached, fails);
                let case = terms.and(prefixes[instance.assumptions - first], fails);
                let before = self.calls.iter();
                let before = before.filter(|call| call.assumptions < instance.assumptions);
                let list = cases
                    .entry(before.count())
                    .or_insert((instance.assumptions, Vec::new()));
                list.1.push(case);
            }
            for (assumptions, cases) in cases.into_values() {
                let fails = self.vc.world.terms.or_all(&cases);
                self.add_edges(from, &map, fails, first..assumptions, To::Query)?;
            }
        }
        Ok(())
    }

    /// The clauses for one conclusion: one for each set of calls that an execution may have come through, between two numbers of
    /// assumptions.
    pub(super) fn add_edges(
        &mut self,
        from: usize,
        map: &Substitution,
        constraint: Term,
        between: Range<usize>,
        to: To,
    ) -> Result<(), String> {
        let terms = &mut *self.vc.world.terms;
        let constraint = terms.substitute(constraint, map);
        if terms.as_bool(constraint) == Some(false) {
            return Ok(());
        }
        let calls: Vec<usize> = (0..self.calls.len())
            .filter(|&call| between.contains(&self.calls[call].assumptions))
            .collect();
        // The constraint, what is decided, the calls that are made, and the next one to decide.
        let mut work = vec![(constraint, map.clone(), Vec::new(), 0)];
        let mut made = 0;
        while let Some((constraint, map, mut through, next)) = work.pop() {
            let terms = &mut *self.vc.world.terms;
            if terms.as_bool(constraint) == Some(false) {
                continue;
            }
            let Some(&call) = calls.get(next) else {
                made += 1;
                if made > MOST_CASES {
                    return Err("too many ways through calls".to_owned());
                }
                self.add_edge(from, &map, constraint, &through, &to);
                continue;
            };
            let reached = terms.substitute(self.calls[call].reached, &map);
            match terms.as_bool(reached) {
                Some(false) => work.push((constraint, map, through, next + 1)),
                Some(true) => {
                    through.push(call);
                    work.push((constraint, map, through, next + 1));
                }
                None => {
                    let not = terms.not(reached);
                    for literal in [reached, not] {
                        let mut map = map.clone();
                        let both = terms.and(constraint, literal);
                        decide(terms, &mut map, literal);
                        let rest = terms.substitute(both, &map);
                        let decided = terms.and(rest, literal);
                        // The same call again: its condition is decided now, unless it is no literal.
                        let mut through = through.clone();
                        if literal == reached {
                            through.push(call);
                        }
                        work.push((decided, map, through, next + 1));
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn add_edge(
        &mut self,
        from: usize,
        map: &Substitution,
        constraint: Term,
        through: &[usize],
        to: &To,
    ) {
        let terms = &mut *self.vc.world.terms;
        let mut calls = Vec::with_capacity(through.len());
        for &call in through {
            let call = &self.calls[call];
            calls.push((call.summary, terms.substitute_all(&call.terms, map)));
        }
        let to = match to {
            To::Query => To::Query,
            To::Head(to, values, _) => {
                To::Head(*to, terms.substitute_all(values, map), map.clone())
            }
            To::Exit(to, values) => To::Exit(*to, terms.substitute_all(values, map)),
        };
        self.edges.push(Edge {
            from,
            constraint,
            calls,
            to,
        });
    }

    pub(super) fn source_of(&self, place: Place) -> Option<usize> {
        let is_there = |source: &Source| {
            let head = source.head.as_ref();
            head.is_some_and(|head| head.place == place)
        };
        self.sources.iter().position(is_there)
    }

    /// Does a path go through the head with this variable? All do through the program's beginning.
    pub(super) fn depends(&self, reached: Term, at: Option<Term>) -> bool {
        at.is_none_or(|at| self.vc.world.terms.reachable(&[reached]).contains(at))
    }

    /// What is true and false in the fragment that begins here.
    pub(super) fn substitution(&mut self, from: usize) -> Substitution {
        let terms = &mut *self.vc.world.terms;
        let (yes, no) = (terms.tru(), terms.fls());
        let mut map = Substitution::default();
        for source in &self.sources[from + 1..] {
            if let Some(at) = source.head.as_ref().and_then(at) {
                map.insert(at, no);
            }
        }
        // The program itself, or a body.
        let main = terms.find_var(MAIN);
        if let Some(main) = main {
            map.insert(main, if from == 0 { yes } else { no });
        }
        if let Some(head) = &self.sources[from].head {
            decide(terms, &mut map, head.reached);
        }
        map
    }

    /// The conjunctions of the assumptions from one on.
    pub(super) fn prefixes(&mut self, first: usize) -> Vec<Term> {
        let terms = &mut *self.vc.world.terms;
        let mut so_far = terms.tru();
        let mut list = vec![so_far];
        for assumption in &self.vc.assumptions[first..] {
            let holds = terms.implies(assumption.reached, assumption.holds);
            so_far = terms.and(so_far, holds);
            list.push(so_far);
        }
        list
    }
}

/// The parts of a conjunction are true from now on.
fn decide(terms: &Terms, map: &mut Substitution, formula: Term) {
    let (yes, no) = (terms.tru(), terms.fls());
    for literal in conjuncts(terms, formula) {
        match terms.op(literal) {
            Op::Not => map.insert(terms.args(literal)[0], no),
            _ => map.insert(literal, yes),
        };
    }
}
