//! From what an evaluation recorded to questions for a solver.
//!
//! An obligation is judged under the assumptions made before it. The conjunctions of the first
//! assumptions share their structure: each is the one before and one more.

use encode::eval::{Assumption, Instance, Vc};
use ir::syntax::Obligation;
use terms::{Sort, Term, Terms};

/// The conjunctions of the first n assumptions that a filter keeps.
pub struct Prefixes {
    list: Vec<Term>,
}

impl Prefixes {
    /// For assumptions that were written as such, or that come from checks which `keep` accepts.
    pub fn new(
        terms: &mut Terms,
        assumptions: &[Assumption],
        keep: impl Fn(Obligation) -> bool,
    ) -> Prefixes {
        let mut so_far = terms.tru();
        let mut list = Vec::with_capacity(assumptions.len() + 1);
        list.push(so_far);
        for assumption in assumptions {
            if assumption.passed.is_none_or(&keep) {
                let holds = terms.implies(assumption.reached, assumption.holds);
                so_far = terms.and(so_far, holds);
            }
            list.push(so_far);
        }
        Prefixes { list }
    }

    /// The conjunction of the first n.
    pub fn first(&self, count: usize) -> Term {
        self.list[count]
    }
}

/// Can one of the instances fail, without a value on the way that is known only roughly?
pub fn any_fails_precisely<'i>(
    vc: &mut Vc<'_>,
    prefixes: &Prefixes,
    instances: impl Iterator<Item = &'i Instance>,
) -> Term {
    let terms = &mut *vc.world.terms;
    // For each number of choices, whether one of the first ones is made and approximate.
    let mut rough: Vec<(usize, Term)> = Vec::new();
    let mut so_far = terms.fls();
    for (index, choice) in vc.choices.iter().enumerate() {
        if choice.approximate {
            so_far = terms.or(so_far, choice.reached);
            rough.push((index + 1, so_far));
        }
    }
    let mut cases = Vec::new();
    for instance in instances {
        let before = rough.partition_point(|(count, _)| *count <= instance.choices);
        let fails = terms.not(instance.holds);
        let mut here = terms.and(instance.reached, fails);
        if let Some((_, rough)) = before.checked_sub(1).map(|index| rough[index]) {
            let precise = terms.not(rough);
            here = terms.and(here, precise);
        }
        cases.push(terms.and(prefixes.first(instance.assumptions), here));
    }
    terms.or_all(&cases)
}

/// Can one of the instances fail?
pub fn any_fails<'i>(
    terms: &mut Terms,
    prefixes: &Prefixes,
    instances: impl Iterator<Item = &'i Instance>,
) -> Term {
    let mut cases = Vec::new();
    for instance in instances {
        let fails = terms.not(instance.holds);
        let here = terms.and(instance.reached, fails);
        cases.push(terms.and(prefixes.first(instance.assumptions), here));
    }
    terms.or_all(&cases)
}

/// Can one of the cuts be reached?
pub fn any_cut(vc: &mut Vc<'_>, prefixes: &Prefixes) -> Term {
    let mut cases = Vec::new();
    for cut in &vc.cuts {
        cases.push(
            vc.world
                .terms
                .and(prefixes.first(cut.assumptions), cut.reached),
        );
    }
    vc.world.terms.or_all(&cases)
}

/// Is a path taken that the evaluation left because a solver said that nothing takes it? Executions end
/// at the checks that they violate, so that whoever comes there has passed all of them.
pub fn any_pruned(vc: &mut Vc<'_>) -> Term {
    let terms = &mut *vc.world.terms;
    let prefixes = Prefixes::new(terms, &vc.assumptions, |_| true);
    let mut cases = Vec::new();
    for prune in &vc.prunes {
        cases.push(terms.and(prefixes.first(prune.assumptions), prune.reached));
    }
    terms.or_all(&cases)
}

/// What the names of terms begin with.
const DEFINITION: &str = "term!";

/// Is the variable a name that [`everything`] gave to a term?
pub fn is_definition(terms: &Terms, var: Term) -> bool {
    terms
        .var_name(var)
        .is_some_and(|name| name.starts_with(DEFINITION))
}

/// A definition for every term that there is, for solvers that are to see everything.
pub fn everything(terms: &mut Terms) -> Vec<Term> {
    let count = terms.len();
    let mut list = Vec::new();
    for index in 0..count {
        let term = Term::from_index(index);
        let sort = terms.sort(term);
        if matches!(sort, Sort::Bool | Sort::BitVec(_)) && !terms.args(term).is_empty() {
            let name = terms.var(&format!("{DEFINITION}{index}"), sort);
            list.push(terms.eq(name, term));
        }
    }
    list
}
