//! How an arbitrary state begins, whatever it is made of: of a loop, a block, or a function.

use terms::{Sort, Term};

use super::arbitrary::{Entered, Havoc, Place, Point};
use super::evaluation::Evaluation;
use super::{Assumption, Val};
use crate::path::{Path, Role};

impl Evaluation<'_, '_> {
    /// An arbitrary state that is made already begins: what is known of it is assumed.
    pub(super) fn begin_known(
        &mut self,
        place: Place,
        path: Path,
        values: Vec<Val>,
        mut havoc: Havoc,
        mut known: Vec<Term>,
    ) -> (Path, Vec<Val>) {
        let invariants = self.inductive.as_ref().expect("there is a plan").invariants;
        known.extend(invariants.at(&mut self.vc.world, place, &values));
        let mut path = path;
        let reached = self.paths.condition(path);
        for holds in known {
            if self.terms().as_bool(holds) == Some(true) {
                continue;
            }
            self.vc.assumptions.push(Assumption {
                reached,
                holds,
                passed: None,
            });
            let terms = &mut *self.vc.world.terms;
            path = self.paths.extend(terms, path, holds, Role::Fact);
        }
        if place.point == Point::Entry {
            havoc.at = Some(self.body_of(place.func));
        } else if place.point != Point::Exit
            && self.inductive.as_ref().is_some_and(|x| x.plan.apart)
        {
            let name = match place.point {
                Point::Block(_) => format!("at!b{}", place.number),
                Point::Head(_) | Point::Entry | Point::Exit => format!("at!{}", place.number),
            };
            let at = self.terms().var(&name, Sort::Bool);
            havoc.at = Some(at);
            let terms = &mut *self.vc.world.terms;
            path = self.paths.extend(terms, path, at, Role::Decision);
        }
        self.note_head(place, path, &values, Entered::Arbitrary(havoc));
        (path, values)
    }
}
