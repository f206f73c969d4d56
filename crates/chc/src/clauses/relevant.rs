//! Which arguments matter: those that a constraint speaks of, or an argument that matters.

use std::collections::{BTreeMap, BTreeSet};

use encode::eval::arbitrary::Entered;
use terms::{Sort, Term};

use super::{Builder, MOST_FACTS, To, conjuncts, levels};

impl Builder<'_, '_> {
    /// Which arguments matter: those that a constraint speaks of, or an argument that matters.
    pub(super) fn find_relevant(&mut self) {
        self.find_older();
        for index in 0..self.edges.len() {
            let vars = self.vars(&[self.edges[index].constraint]);
            self.sources[self.edges[index].from].needed.extend(vars);
        }
        let mut changed = true;
        while changed {
            changed = self.keep_what_is_needed();
            for index in 0..self.edges.len() {
                changed |= self.keep_of_summaries(index);
                let edge = &self.edges[index];
                let mut used: Vec<Term> = Vec::new();
                match &edge.to {
                    To::Query => {}
                    To::Head(to, values, map) => {
                        used.extend(self.sources[*to].kept.iter().map(|&slot| values[slot]));
                        for &variable in &self.sources[*to].frame {
                            used.push(map.get(&variable).copied().unwrap_or(variable));
                        }
                    }
                    To::Exit(to, values) => {
                        used.extend(self.summaries[*to].kept.iter().map(|&slot| values[slot]));
                    }
                }
                for (summary, terms) in &edge.calls {
                    let kept = self.summaries[*summary].kept.iter();
                    used.extend(kept.map(|&slot| terms[slot]));
                }
                let (from, vars) = (edge.from, self.vars(&used));
                let needed = &mut self.sources[from].needed;
                let before = needed.len();
                needed.extend(vars);
                changed |= needed.len() > before;
            }
        }
    }

    /// A summary is about what somebody needs after a call, or before the function's end.
    pub(super) fn keep_of_summaries(&mut self, index: usize) -> bool {
        let edge = &self.edges[index];
        let mut uses: Vec<(usize, Vec<Term>)> = edge.calls.clone();
        if let To::Exit(to, values) = &edge.to {
            uses.push((*to, values.clone()));
        }
        let from = edge.from;
        let mut changed = false;
        for (summary, terms) in uses {
            for (slot, term) in terms.into_iter().enumerate() {
                if self.summaries[summary].kept.contains(&slot) {
                    continue;
                }
                let vars = self.vars(&[term]);
                let needed = &self.sources[from].needed;
                if vars.iter().any(|var| needed.contains(var)) {
                    self.summaries[summary].kept.insert(slot);
                    changed = true;
                }
            }
        }
        changed
    }

    pub(super) fn keep_what_is_needed(&mut self) -> bool {
        let mut changed = false;
        for index in 0..self.sources.len() {
            let own: Vec<Vec<Term>> = self.sources[index]
                .slots
                .iter()
                .map(|&(_, term)| self.vars(&[term]))
                .collect();
            let source = &mut self.sources[index];
            if source.head.is_none() {
                continue;
            }
            let before = source.kept.len() + source.frame.len();
            for (slot, vars) in own.iter().enumerate() {
                if vars.iter().any(|var| source.needed.contains(var)) {
                    source.kept.insert(slot);
                }
            }
            let older = source.needed.intersection(&source.older);
            source.frame.extend(older.copied().collect::<Vec<_>>());
            changed |= source.kept.len() + source.frame.len() > before;
        }
        changed
    }

    /// What was decided or assumed before a head and speaks of nothing but older variables that its predicate has: true in all that
    /// follows, and helpful.
    pub(super) fn repeat_what_is_known(&mut self) {
        for from in 1..self.sources.len() {
            let Some(head) = self.sources[from].head.clone() else {
                continue;
            };
            let map = self.substitution(from);
            let terms = &mut *self.vc.world.terms;
            let mut facts = conjuncts(terms, head.reached);
            let before = &self.vc.assumptions[..head.assumptions];
            for assumption in before.iter().rev().take(MOST_FACTS) {
                if terms.substitute(assumption.reached, &map) == terms.tru() {
                    facts.push(assumption.holds);
                }
            }
            let mut known = terms.tru();
            for fact in facts {
                let vars = terms.free_vars(&[fact]);
                let frame = &self.sources[from].frame;
                if !vars.is_empty() && vars.iter().all(|var| frame.contains(var)) {
                    known = terms.and(known, fact);
                }
            }
            for edge in self.edges.iter_mut().filter(|edge| edge.from == from) {
                edge.constraint = terms.and(known, edge.constraint);
            }
        }
    }

    pub(super) fn vars(&self, roots: &[Term]) -> Vec<Term> {
        self.vc.world.terms.free_vars(roots)
    }

    /// Which variables were there before each head. Those of unknown contents are as old as the contents.
    pub(super) fn find_older(&mut self) {
        let terms = &*self.vc.world.terms;
        let mut unknown: BTreeMap<Term, usize> = BTreeMap::new();
        for (index, contents) in self.vc.world.unknowns.values().enumerate() {
            for var in contents.variables(terms) {
                unknown.insert(var, index);
            }
        }
        let levels = levels(self.vc);
        let track = self.track;
        let mut all = BTreeSet::new();
        for edge in &self.edges {
            all.extend(self.vars(&[edge.constraint]));
            match &edge.to {
                To::Query => {}
                To::Head(_, values, _) | To::Exit(_, values) => all.extend(self.vars(values)),
            }
            for (_, terms) in &edge.calls {
                all.extend(self.vars(terms));
            }
        }
        for source in &mut self.sources {
            let Some(head) = &source.head else { continue };
            let Entered::Arbitrary(havoc) = &head.entered else {
                continue;
            };
            let (count, contents) = havoc.older;
            let older = all.iter().copied().filter(|var| {
                let scalar = matches!(terms.sort(*var), Sort::Bool | Sort::BitVec(_));
                scalar
                    && levels.get(var).is_none_or(|&level| level <= track)
                    && match unknown.get(var) {
                        Some(&index) => index < contents,
                        None => var.index() < count,
                    }
            });
            source.older = older.collect();
        }
    }
}
