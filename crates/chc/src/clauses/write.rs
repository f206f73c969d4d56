//! The system, from clauses with the arguments that matter.

use bmc::sentence::Part;
use bmc::slot::Slot;
use encode::eval::arbitrary::{Head, Point};
use solve::horn::{Atom, Clause, System};
use terms::{Fun, Sort, Term, Terms};

use super::{Builder, Clauses, Predicate, To};

impl Builder<'_, '_> {
    pub(super) fn finish(self) -> Clauses {
        let mut system = System::default();
        let mut predicates = Vec::new();
        let mut funs: Vec<Option<Fun>> = Vec::new();
        let terms = &mut *self.vc.world.terms;
        for (index, source) in self.sources.iter().enumerate() {
            let Some(head) = &source.head else {
                funs.push(None);
                continue;
            };
            let mut parts = Vec::new();
            let mut sorts = Vec::new();
            for &slot in &source.kept {
                let (slot, term) = source.slots[slot];
                parts.push(Part::Slot(slot));
                sorts.push(terms.sort(term));
            }
            for &variable in &source.frame {
                parts.push(part_of(terms, head, variable));
                sorts.push(terms.sort(variable));
            }
            if sorts.is_empty() {
                sorts.push(Sort::Bool);
            }
            let name = match head.place.point {
                Point::Block(block) => format!("at{index}.{block}"),
                Point::Head(_) | Point::Entry | Point::Exit => format!("head{index}"),
            };
            let fun = solve::horn::declare_predicate(terms, &mut system, &name, &sorts);
            funs.push(Some(fun));
            predicates.push(Predicate {
                place: head.place,
                parts,
            });
        }
        let mut ends: Vec<Fun> = Vec::new();
        for (index, summary) in self.summaries.iter().enumerate() {
            let kept: Vec<(Slot, Sort)> = summary.kept.iter().map(|&x| summary.slots[x]).collect();
            let mut sorts: Vec<Sort> = kept.iter().map(|&(_, sort)| sort).collect();
            if sorts.is_empty() {
                sorts.push(Sort::Bool);
            }
            let name = format!("end{index}");
            ends.push(solve::horn::declare_predicate(
                terms,
                &mut system,
                &name,
                &sorts,
            ));
            predicates.push(Predicate {
                place: summary.place,
                parts: kept.iter().map(|&(slot, _)| Part::Slot(slot)).collect(),
            });
        }
        for edge in &self.edges {
            let source = &self.sources[edge.from];
            let body = funs[edge.from].map(|predicate| {
                let kept = source.kept.iter().map(|&slot| source.slots[slot].1);
                let arguments = kept.chain(source.frame.iter().copied()).collect();
                atom(terms, predicate, arguments)
            });
            let mut body: Vec<Atom> = body.into_iter().collect();
            for (summary, values) in &edge.calls {
                let kept = self.summaries[*summary].kept.iter();
                let arguments = kept.map(|&slot| values[slot]).collect();
                body.push(atom(terms, ends[*summary], arguments));
            }
            let head = match &edge.to {
                To::Query => None,
                To::Head(to, values, map) => {
                    let target = &self.sources[*to];
                    let kept = target.kept.iter().map(|&slot| values[slot]);
                    let frame = target.frame.iter();
                    let frame = frame.map(|var| map.get(var).copied().unwrap_or(*var));
                    let arguments = kept.chain(frame).collect();
                    Some(atom(terms, funs[*to].expect("a head"), arguments))
                }
                To::Exit(to, values) => {
                    let kept = self.summaries[*to].kept.iter();
                    let arguments = kept.map(|&slot| values[slot]).collect();
                    Some(atom(terms, ends[*to], arguments))
                }
            };
            system.clauses.push(Clause {
                body,
                constraint: edge.constraint,
                head,
            });
        }
        Clauses { system, predicates }
    }
}

fn atom(terms: &Terms, predicate: Fun, mut arguments: Vec<Term>) -> Atom {
    if arguments.is_empty() {
        arguments.push(terms.tru());
    }
    Atom {
        predicate,
        arguments,
    }
}

/// A variable from before a loop: as a value at its head, if it is one, since a name means nothing elsewhere.
fn part_of(terms: &Terms, head: &Head, variable: Term) -> Part {
    let is_it = |value: &encode::eval::Val| matches!(value, encode::eval::Val::Term(term) if *term == variable);
    match head.values.iter().position(is_it) {
        Some(index) => Part::Slot(Slot::Value(index)),
        None => Part::Variable(terms.var_name(variable).unwrap_or_default().to_owned()),
    }
}
