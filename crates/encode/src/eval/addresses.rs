//! Comparisons of pointers, and what they tell about addresses.
//!
//! Pointers compare by address. Many comparisons come out the same wherever objects lie: equality within one
//! object is a matter of offsets, so is order as long as both point into it or just behind it, different live
//! objects have no address in common, and none is null. Everything else is a *look*, which is recorded: what was
//! proved for one layout is asked again for all of them ([`crate::lives`]).

use ir::syntax::CompareOp;
use terms::Term;

use super::Assumption;
use super::evaluation::Evaluation;
use crate::literals::Distances;
use crate::pointer::{Alternative, NOWHERE, Pointer};
use crate::world::Kind;

impl Evaluation<'_, '_> {
    /// Compares two pointers.
    pub(super) fn compare_pointers(&mut self, op: CompareOp, a: Pointer, b: Pointer) -> Term {
        if a == b {
            return self.terms().bool(matches!(
                op,
                CompareOp::Eq | CompareOp::Ule | CompareOp::Sle
            ));
        }
        let (left, right) = (
            self.vc.world.pointers.alternatives(a),
            self.vc.world.pointers.alternatives(b),
        );
        for (pointer, its, others) in [(a, &left, &right), (b, &right, &left)] {
            // Whatever begins an object is not null, whichever object it is.
            let null = others.iter().all(|x| self.is_null(x));
            if !(null && self.vc.world.is_neat(pointer)) {
                self.vc.world.note_look(pointer, its);
            }
        }
        let mut result = self.terms().fls();
        let mut apart = Vec::new();
        for x in left.iter() {
            for y in right.iter() {
                let both = self.terms().and(x.guard, y.guard);
                if self.terms().as_bool(both) == Some(false) {
                    continue;
                }
                let unseen = self.is_unseen(x, y) || self.is_unseen(y, x);
                let holds = if unseen && matches!(op, CompareOp::Eq | CompareOp::Ne) {
                    let differ = self.compare_addresses(CompareOp::Ne, x, y);
                    apart.push(self.terms().implies(both, differ));
                    self.terms().bool(op == CompareOp::Ne)
                } else {
                    self.compare_alternatives(op, x, y)
                };
                let case = self.terms().and(both, holds);
                result = self.terms().or(result, case);
            }
        }
        if !apart.is_empty() {
            let reached = self.condition();
            let holds = self.terms().and_all(&apart);
            self.vc.assumptions.push(Assumption {
                reached,
                holds,
                passed: None,
            });
        }
        result
    }

    /// An address that unknown code made up lies in no object that it has never seen. Where pointers are nothing but addresses,
    /// comparisons do not tell which object one belongs to, so that this is said of all objects at once.
    pub(super) fn assume_elsewhere(&mut self, address: Term) {
        let unseen: Vec<(Term, Term)> = self
            .vc
            .world
            .objects
            .iter()
            .filter(|(object, info)| {
                matches!(info.kind, Kind::Stack | Kind::Heap)
                    && !self.vc.world.exposed.contains(object)
            })
            .map(|(_, info)| (info.base, info.size))
            .collect();
        let reached = self.condition();
        for (base, size) in unseen {
            let offset = self.terms().sub(address, base);
            let inside = self.terms().ult(offset, size);
            let holds = self.terms().not(inside);
            self.vc.assumptions.push(Assumption {
                reached,
                holds,
                passed: None,
            });
        }
    }

    /// Is the first an address that unknown code made up, and the second in an object that it has never seen?
    fn is_unseen(&mut self, x: &Alternative, y: &Alternative) -> bool {
        let world = &self.vc.world;
        x.object == NOWHERE
            && world.made_up.contains(&x.offset)
            && y.object != NOWHERE
            && !world.exposed.contains(&y.object)
            && matches!(world.objects[y.object].kind, Kind::Stack | Kind::Heap)
            && self.is_alive_inside(y)
    }

    fn compare_alternatives(&mut self, op: CompareOp, x: &Alternative, y: &Alternative) -> Term {
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        if x.object == y.object && (equality || x.object == NOWHERE) {
            return self.int_compare(op, x.offset, y.offset);
        }
        if x.object == y.object {
            return self.compare_order(op, x, y);
        }
        if self.is_null(x) && self.is_at_most_past(y) || self.is_null(y) && self.is_at_most_past(x)
        {
            if equality {
                return self.terms().bool(op == CompareOp::Ne);
            }
            return self.compare_addresses(op, x, y);
        }
        if equality
            && self.is_alive_inside(x)
            && self.is_alive_inside(y)
            && !self.may_be_shared(x, y)
        {
            return self.terms().bool(op == CompareOp::Ne);
        }
        self.vc.world.noticed.looked = Some(if x.object == NOWHERE || y.object == NOWHERE {
            "an address compared with a number"
        } else if equality {
            "whether different objects have an address in common"
        } else {
            "the order of different objects"
        });
        for object in [x.object, y.object] {
            if object != NOWHERE {
                self.vc.world.noticed.observed.push(object);
            }
        }
        self.compare_addresses(op, x, y)
    }

    /// May two bytes of different constants be one?
    fn may_be_shared(&mut self, x: &Alternative, y: &Alternative) -> bool {
        match self.vc.world.shared(x.object, y.object) {
            None => false,
            Some(Distances::Any) => true,
            Some(Distances::These(distances)) => {
                let (p, q) = (self.terms().as_u64(x.offset), self.terms().as_u64(y.offset));
                let distance = p.zip(q).map(|(p, q)| p.wrapping_sub(q) as i64);
                distance.is_none_or(|distance| distances.contains(&distance))
            }
        }
    }

    /// The order of two pointers into one object.
    fn compare_order(&mut self, op: CompareOp, x: &Alternative, y: &Alternative) -> Term {
        let unsigned = matches!(op, CompareOp::Ult | CompareOp::Ule);
        let inside = if unsigned || self.vc.world.pointer_bits == 64 {
            let (x, y) = (self.at_most_past(x), self.at_most_past(y));
            self.terms().and(x, y)
        } else {
            // The middle of the address space may lie in the middle of an object.
            self.terms().fls()
        };
        let known = self.known(inside);
        if known != Some(true) {
            self.vc.world.noticed.looked = Some("the order of pointers outside of an object");
        }
        if !self.vc.world.is_free() {
            return self.compare_addresses(op, x, y);
        }
        let offsets = match op {
            CompareOp::Slt => CompareOp::Ult,
            CompareOp::Sle => CompareOp::Ule,
            other => other,
        };
        let by_offset = self.int_compare(offsets, x.offset, y.offset);
        if known == Some(true) {
            return by_offset;
        }
        let by_address = self.compare_addresses(op, x, y);
        self.terms().ite(inside, by_offset, by_address)
    }

    fn compare_addresses(&mut self, op: CompareOp, x: &Alternative, y: &Alternative) -> Term {
        let (p, q) = (
            self.vc.world.objects[x.object].base,
            self.vc.world.objects[y.object].base,
        );
        let p = self.terms().add(p, x.offset);
        let q = self.terms().add(q, y.offset);
        self.int_compare(op, p, q)
    }

    fn is_null(&mut self, x: &Alternative) -> bool {
        x.object == NOWHERE && self.terms().as_u64(x.offset) == Some(0)
    }

    /// Does it point into its object, or just behind it? Then it is not null.
    fn at_most_past(&mut self, x: &Alternative) -> Term {
        let size = self.vc.world.objects[x.object].size;
        self.terms().ule(x.offset, size)
    }

    fn is_at_most_past(&mut self, x: &Alternative) -> bool {
        let inside = self.at_most_past(x);
        x.object != NOWHERE && self.known(inside) == Some(true)
    }

    /// Does it certainly point to a byte of a live object, or to a function?
    fn is_alive_inside(&mut self, x: &Alternative) -> bool {
        let info = &self.vc.world.objects[x.object];
        let (kind, size) = (info.kind, info.size);
        match kind {
            Kind::Nowhere => false,
            Kind::Function(_) => self.terms().as_u64(x.offset) == Some(0),
            Kind::Global(_) | Kind::Stack | Kind::Heap => {
                let inside = self.terms().ult(x.offset, size);
                // What is allocated without a byte has an address of its own.
                let empty = kind == Kind::Heap && self.terms().as_u64(x.offset) == Some(0);
                let ended = self.vc.world.ended.contains(&x.object);
                !ended && (empty || self.known(inside) == Some(true))
            }
        }
    }
}
