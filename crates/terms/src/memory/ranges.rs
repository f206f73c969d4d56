//! Address range maps: which objects a pointer may lead into, and where in each.
//!
//! The pointers that an expression with ites may be are over-approximated by an interval of offsets for each base:
//!
//! ```text
//!   ite(i, ptr(16, 8), ptr(8, ite(j, 24, 32)))        16 ↦ [8, 8]   8 ↦ [24, 32]
//! ```
//!
//! Conditions are not looked at, and nothing is pushed anywhere; so building it is polynomial where a comparison by
//! cases is exponential. Two pointers whose maps have nothing in common differ; that they are equal is never said.
//! An offset's interval is what is known of the term ([`crate::facts`]), which does not assume that arithmetic stays
//! in range, and what is true of every access: it stays inside of its object (what does not is a violation, behind
//! which nothing is asked).

use std::rc::Rc;

use super::interval::Interval;
use super::{Base, Expr, Kind, NOWHERE, Scalars, Theory};

/// What a pointer may be: by base in order, the offsets. What leads nowhere is not in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ranges(Vec<(Base, Interval)>);

impl Ranges {
    /// One pointer.
    pub fn single(base: Base, offsets: Interval) -> Ranges {
        match base == NOWHERE || offsets == Interval::Bottom {
            true => Ranges::default(),
            false => Ranges(vec![(base, offsets)]),
        }
    }

    /// By base in order.
    pub fn entries(&self) -> &[(Base, Interval)] {
        &self.0
    }

    /// The offsets in an object.
    pub fn within(&self, base: Base) -> Interval {
        match self.0.binary_search_by_key(&base, |entry| entry.0) {
            Ok(index) => self.0[index].1,
            Err(_) => Interval::Bottom,
        }
    }

    /// What is in either.
    pub fn join(&self, other: &Ranges) -> Ranges {
        let mut all = self.0.clone();
        for &(base, offsets) in &other.0 {
            match all.binary_search_by_key(&base, |entry| entry.0) {
                Ok(index) => all[index].1 = all[index].1.join(offsets),
                Err(index) => all.insert(index, (base, offsets)),
            }
        }
        Ranges(all)
    }

    /// What is in both.
    pub fn meet(&self, other: &Ranges) -> Ranges {
        let both = self.0.iter();
        let both = both.map(|&(base, offsets)| (base, offsets.meet(other.within(base))));
        Ranges(both.filter(|entry| entry.1 != Interval::Bottom).collect())
    }

    /// Every offset plus what is in an interval, without wrapping around.
    pub fn plus(&self, bytes: Interval) -> Ranges {
        let moved = self.0.iter();
        let moved = moved.map(|&(base, offsets)| (base, offsets.plus(bytes)));
        Ranges(moved.filter(|entry| entry.1 != Interval::Bottom).collect())
    }

    /// Is there no such pointer?
    pub fn is_bottom(&self) -> bool {
        self.0.is_empty()
    }
}

/// How many bytes an access has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// So many.
    Bytes(u64),
    /// As many as a term says.
    Term(crate::arena::Term),
}

impl<S: Scalars> Theory<'_, S> {
    /// What a pointer may be.
    pub fn ranges(&mut self, pointer: Expr) -> Rc<Ranges> {
        let mut work = vec![pointer];
        while let Some(&next) = work.last() {
            if self.exprs.ranges.contains_key(&next) {
                work.pop();
                continue;
            }
            let found = match self.kind(next) {
                Kind::Ptr(base, offset) => {
                    let offsets = Interval::of(self.scalars.terms(), offset);
                    let inside = match self.scalars.size(base) {
                        Some(0) => Interval::Bottom,
                        Some(size) => Interval::Range(0, u128::from(size) - 1),
                        None => Interval::Top,
                    };
                    Ranges::single(base, offsets.meet(inside))
                }
                Kind::Ite(_, [a, b]) => {
                    let known = |pointer| self.exprs.ranges.get(&pointer).cloned();
                    match (known(a), known(b)) {
                        (Some(a), Some(b)) => a.join(&b),
                        (x, y) => {
                            work.extend(x.is_none().then_some(a));
                            work.extend(y.is_none().then_some(b));
                            continue;
                        }
                    }
                }
                _ => unreachable!("{next} is no pointer"),
            };
            self.exprs.ranges.insert(next, Rc::new(found));
            work.pop();
        }
        self.exprs.ranges[&pointer].clone()
    }

    /// The bytes of an object that an access at these offsets may have.
    fn bytes(&mut self, base: Base, offsets: Interval, bits: u32, extent: Extent) -> Interval {
        let most = match extent {
            Extent::Bytes(len) => Interval::Range(0, u128::from(len.max(1)) - 1),
            Extent::Term(len) => match Interval::of(self.scalars.terms(), len) {
                Interval::Range(_, high) => Interval::Range(0, high.max(1) - 1),
                other => other,
            },
        };
        let inside = match self.scalars.size(base) {
            Some(0) => Interval::Bottom,
            Some(size) => Interval::Range(0, u128::from(size) - 1),
            None => Interval::Top,
        };
        offsets.plus(most).modulo(bits).meet(inside)
    }

    /// Do two accesses certainly have no byte in common?
    pub fn apart(&mut self, (p, len): (Expr, Extent), (q, other): (Expr, Extent)) -> bool {
        if !self.exprs.techniques.ranges {
            return match (self.kind(p), self.kind(q)) {
                (Kind::Ptr(base, _), Kind::Ptr(there, _)) => base != there,
                _ => false, // Pointers with ites are not compared.
            };
        }
        let (here, there) = (self.ranges(p), self.ranges(q));
        let bits = self.scalars.pointer_bits();
        let (mut i, mut j) = (0, 0);
        let (here, there) = (here.entries(), there.entries());
        while i < here.len() && j < there.len() {
            let ((base, offsets), (other_base, others)) = (here[i], there[j]);
            match base.cmp(&other_base) {
                std::cmp::Ordering::Less => i += 1,
                std::cmp::Ordering::Greater => j += 1,
                std::cmp::Ordering::Equal => {
                    let mine = self.bytes(base, offsets, bits, len);
                    let theirs = self.bytes(base, others, bits, other);
                    if mine.meet(theirs) != Interval::Bottom {
                        return false;
                    }
                    i += 1;
                    j += 1;
                }
            }
        }
        true
    }

    /// The bytes of an object that an access at a pointer may have.
    pub(super) fn extent(&mut self, pointer: Expr, extent: Extent, base: Base) -> Interval {
        let bits = self.scalars.pointer_bits();
        let offsets = self.ranges(pointer).within(base);
        self.bytes(base, offsets, bits, extent)
    }
}
