//! Linear equations that all states of a loop satisfy, from models.
//!
//! `lo + mid = n`, `a + b = 3·i`: no template has all of these, and none is needed. A solver is asked for a state in which a head is
//! entered; the equations of that one state are those that every coordinate is what it is. Then it is asked for a state, at the
//! entry or after a round that began in a state of which the equations hold, for which one of them does not: that state is
//! admitted ([`crate::linear`]), and fewer equations are left. When there is none, what is left is inductive, and it is the
//! strongest that is (Reps, Sagiv and Yorsh 2004 on models; words wrap, as in King and Søndergaard 2010).
//!
//! Each state takes a dimension or a bit away, so that this ends soon. What is found is guesses like all others:
//! whoever uses them proves them again ([`crate::candidates`]).

use std::time::Instant;

use base::Bv;
use encode::eval::Vc;
use encode::eval::arbitrary::{Entered, Head, Point};
use ir::syntax::Func;
use results::EngineError;
use solve::{Answer, Checked};
use terms::{Sort, Term, Terms};

use crate::engine::Engine;
use crate::linear::Equations;
use crate::query::Prefixes;
use crate::slot::{Slot, read, scalars};
use crate::trace::Reader;

/// The most scalars of one width that equations of a head are about, and how wide they are at least.
const MOST: usize = 20;
const NARROWEST: u32 = 8;
/// The most states that are asked for.
const STATES: usize = 200;

/// An equation that the states of a head satisfy.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Equation {
    pub(crate) func: Func,
    pub(crate) point: Point,
    /// What is multiplied by what.
    pub(crate) factors: Vec<(Slot, Bv)>,
    /// What is added to make zero.
    pub(crate) constant: Bv,
}

/// The scalars of one width of a head.
struct Group {
    func: Func,
    point: Point,
    slots: Vec<Slot>,
    equations: Equations,
}

/// Where the scalars of a group have values.
struct Visit {
    group: usize,
    /// The head's place in the order of evaluation.
    order: usize,
    /// Is this where the head's states are arbitrary?
    arbitrary: bool,
    reached: Term,
    /// What must hold before.
    before: Term,
    values: Vec<Term>,
}

impl Engine<'_> {
    /// The equations between scalars that the states of heads satisfy, as far as that is found out in time.
    pub(crate) fn equations(
        &mut self,
        vc: &mut Vc<'_>,
        solver: &mut Checked,
        end: Instant,
    ) -> Result<Vec<Equation>, EngineError> {
        let (mut groups, visits) = groups(vc);
        if groups.is_empty() {
            return Ok(Vec::new());
        }
        for _ in 0..STATES {
            let cases = cases(vc, &groups, &visits);
            let terms: Vec<Term> = cases.iter().map(|&(_, case)| case).collect();
            let question = vc.world.terms.or_all(&terms);
            let model = match self.ask_until(vc, solver, question, end)? {
                Answer::Unsat => return Ok(written(&groups)),
                // They may still be true, and whoever uses them finds out.
                Answer::Unknown(_) => return Ok(written(&groups)),
                Answer::Sat(model) => model,
            };
            let mut reader = Reader::new(vc, &model);
            let mut any = false;
            for &(visit, case) in &cases {
                if reader.holds(case) {
                    let visit = &visits[visit];
                    let values = visit.values.iter();
                    let point: Vec<Bv> = values.map(|&value| reader.bits(value)).collect();
                    any |= groups[visit.group].equations.admit(&point);
                }
            }
            if !any {
                return Err(EngineError(
                    "a model against equations satisfies all of them".to_owned(),
                ));
            }
        }
        Ok(Vec::new())
    }
}

/// The scalars of heads that begin in an arbitrary state, by head and width, and where they have values.
fn groups(vc: &mut Vc<'_>) -> (Vec<Group>, Vec<Visit>) {
    let prefixes = Prefixes::new(vc.world.terms, &vc.assumptions, |_| true);
    let heads = vc.heads.clone();
    let mut groups: Vec<Group> = Vec::new();
    for any in &heads {
        let (func, point) = (any.place.func, any.place.point);
        let known = |group: &Group| (group.func, group.point) == (func, point);
        if !matches!(any.entered, Entered::Arbitrary(_)) || groups.iter().any(known) {
            continue;
        }
        let mut slots = scalars(vc, any);
        // What changes comes first, if there are too many.
        slots.sort_by_key(|&(_, _, changes)| !changes);
        let mut widths: Vec<u32> = Vec::new();
        for &(_, term, changes) in &slots {
            if let (Sort::BitVec(width), true) = (vc.world.terms.sort(term), changes)
                && (NARROWEST..=64).contains(&width)
                && !widths.contains(&width)
            {
                widths.push(width);
            }
        }
        for width in widths {
            let terms = &vc.world.terms;
            let fits =
                |term: Term| terms.sort(term) == Sort::BitVec(width) && terms.as_bv(term).is_none();
            let fitting = slots.iter().filter(|&&(_, term, _)| fits(term));
            groups.push(Group {
                func,
                point,
                slots: fitting.map(|&(slot, _, _)| slot).take(MOST).collect(),
                equations: Equations::new(width),
            });
        }
    }
    let mut visits = Vec::new();
    groups.retain(|group| {
        let index = visits.last().map_or(0, |visit: &Visit| visit.group + 1);
        let Some(mut own) = visits_of(vc, &heads, &prefixes, group) else {
            return false;
        };
        for visit in &mut own {
            visit.group = index;
        }
        visits.append(&mut own);
        true
    });
    (groups, visits)
}

/// Where a group's scalars have values; none if one of them has no value somewhere.
fn visits_of(
    vc: &mut Vc<'_>,
    heads: &[Head],
    prefixes: &Prefixes,
    group: &Group,
) -> Option<Vec<Visit>> {
    let mut list = Vec::new();
    for (order, head) in heads.iter().enumerate() {
        if (head.place.func, head.place.point) != (group.func, group.point) {
            continue;
        }
        let slots = group.slots.iter();
        let values = slots.map(|&slot| read(&mut vc.world, &head.values, slot));
        list.push(Visit {
            group: 0,
            order,
            arbitrary: matches!(head.entered, Entered::Arbitrary(_)),
            reached: head.reached,
            before: prefixes.first(head.assumptions),
            values: values.collect::<Option<Vec<Term>>>()?,
        });
    }
    Some(list)
}

/// For each visit where equations have to hold: when they do not, although those of arbitrary states before did.
fn cases(vc: &mut Vc<'_>, groups: &[Group], visits: &[Visit]) -> Vec<(usize, Term)> {
    let terms = &mut *vc.world.terms;
    let mut order: Vec<usize> = (0..visits.len()).collect();
    order.sort_by_key(|&index| (visits[index].order, !visits[index].arbitrary));
    let mut assumed = terms.tru();
    let mut list = Vec::new();
    for index in order {
        let visit = &visits[index];
        let holds = all_hold(terms, &groups[visit.group].equations, &visit.values);
        if visit.arbitrary {
            let holds = terms.implies(visit.reached, holds);
            assumed = terms.and(assumed, holds);
            continue;
        }
        let fails = terms.not(holds);
        let parts = [visit.before, visit.reached, assumed, fails];
        let case = terms.and_all(&parts);
        if terms.as_bool(case) != Some(false) {
            list.push((index, case));
        }
    }
    list
}

fn all_hold(terms: &mut Terms, equations: &Equations, values: &[Term]) -> Term {
    let Some(rows) = equations.rows() else {
        return terms.fls();
    };
    let mut list = Vec::with_capacity(rows.len());
    for row in rows {
        let sum: Vec<(Term, Bv)> = values.iter().copied().zip(row.factors.clone()).collect();
        list.push(is_zero(terms, &sum, &row.constant));
    }
    terms.and_all(&list)
}

/// Do these multiples and the constant make zero?
pub(crate) fn is_zero(terms: &mut Terms, sum: &[(Term, Bv)], constant: &Bv) -> Term {
    let mut total = terms.bv(constant.clone());
    for (term, factor) in sum.iter().filter(|(_, factor)| !factor.is_zero()) {
        let factor = terms.bv(factor.clone());
        let product = terms.mul(*term, factor);
        total = terms.add(total, product);
    }
    let zero = terms.bv(Bv::zero(constant.width()));
    terms.eq(total, zero)
}

/// What was found, as guesses are written.
fn written(groups: &[Group]) -> Vec<Equation> {
    let mut list = Vec::new();
    for group in groups {
        // A head that nothing enters satisfies everything, and needs nothing.
        for row in group.equations.rows().into_iter().flatten() {
            let pairs = group.slots.iter().copied().zip(row.factors.clone());
            list.push(Equation {
                func: group.func,
                point: group.point,
                factors: pairs.filter(|(_, factor)| !factor.is_zero()).collect(),
                constant: row.constant.clone(),
            });
        }
    }
    list
}
