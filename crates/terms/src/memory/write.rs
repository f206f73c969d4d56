//! Writing: as it comes, or grouped in store maps.

use super::store_map::Entry;
use super::{Base, Expr, Kind, Scalars, Theory};
use crate::arena::Term;
use crate::rewrite::Status;

/// The most writes to newer objects that one to an older object changes places with.
const MOST: usize = 256;

/// A write at a constant offset of one object.
type Fixed<V> = (Base, Entry<V>);

/// What a write at a constant offset does with the memory that it is made in.
enum Step {
    /// It becomes a part of it.
    Into(Expr),
    /// It goes to what is below, first.
    Past(Expr),
}

impl<S: Scalars> Theory<'_, S> {
    /// A memory with a scalar of so many bytes at a pointer.
    pub fn write(&mut self, memory: Expr, at: Expr, width: u32, value: S::Scalar) -> Expr {
        let plain = |memory: Expr| Kind::Write {
            memory,
            at,
            width,
            value,
        };
        let grouped = self.exprs.techniques.maps;
        let Some(fixed) = self.fixed(at, width, value).filter(|_| grouped) else {
            return self.exprs.make(plain(memory));
        };
        let mut passed = Vec::new();
        let mut below = memory;
        let mut result = loop {
            match self.step(below, &fixed) {
                Some(Step::Into(result)) => break result,
                Some(Step::Past(deeper)) if passed.len() < MOST => {
                    passed.push(below);
                    below = deeper;
                }
                // Behind many newer objects, it is as good on top of them.
                Some(Step::Past(_)) => {
                    passed.clear();
                    break self.exprs.make(plain(memory));
                }
                None => break self.exprs.make(plain(below)),
            }
        };
        self.exprs.counts.commuted += passed.len() as u64;
        while let Some(newer) = passed.pop() {
            result = self.over(newer, result);
        }
        result
    }

    /// A memory with a byte from a pointer on.
    pub fn set(&mut self, memory: Expr, at: Expr, len: Term, byte: Term) -> Expr {
        if self.terms().as_u64(len) == Some(0) {
            return memory;
        }
        self.exprs.make(Kind::Set {
            memory,
            at,
            len,
            byte,
        })
    }

    /// A memory with bytes of another one, from a pointer on there.
    pub fn copy(
        &mut self,
        memory: Expr,
        at: Expr,
        len: Term,
        (source, from): (Expr, Expr),
    ) -> Expr {
        if self.terms().as_u64(len) == Some(0) {
            return memory;
        }
        self.exprs.make(Kind::Copy {
            memory,
            at,
            len,
            source,
            from,
        })
    }

    /// A write at a constant offset of one object, as an entry of that object's store map.
    pub(super) fn fixed(
        &mut self,
        at: Expr,
        width: u32,
        value: S::Scalar,
    ) -> Option<Fixed<S::Scalar>> {
        let Kind::Ptr(base, offset) = self.kind(at) else {
            return None;
        };
        let offset = self.terms().as_u64(offset)?;
        let entry = Entry {
            offset,
            width,
            value,
        };
        // What would reach around the end of the offsets stays as it is.
        let end = offset.checked_add(width.into())?;
        let bits = self.scalars.pointer_bits();
        if bits < 64 && end > 1 << bits {
            return None;
        }
        Some((base, entry))
    }

    fn step(&mut self, memory: Expr, &(target, entry): &Fixed<S::Scalar>) -> Option<Step> {
        match self.kind(memory) {
            Kind::Map {
                memory: below,
                base,
                list,
            } => {
                if base == target {
                    let list = self.exprs.lists.push(Some(list), entry);
                    return Some(Step::Into(self.map(below, base, list)));
                }
                (target < base).then_some(Step::Past(below))
            }
            Kind::Write {
                memory: below,
                at,
                width,
                value,
            } => {
                let Kind::Ptr(base, _) = self.kind(at) else {
                    return None;
                };
                if base == target {
                    let first = self.fixed(at, width, value)?;
                    let list = self.exprs.lists.push(None, first.1);
                    let list = self.exprs.lists.push(Some(list), entry);
                    return Some(Step::Into(self.map(below, base, list)));
                }
                (target < base).then_some(Step::Past(below))
            }
            _ => None, // Writes never change places with choices and ranges.
        }
    }

    fn map(&mut self, memory: Expr, base: Base, list: super::List) -> Expr {
        self.exprs.counts.grouped += 1;
        self.exprs.make(Kind::Map { memory, base, list })
    }

    /// A write or a store map over another memory.
    pub(super) fn over(&mut self, write: Expr, below: Expr) -> Expr {
        let moved = match self.kind(write) {
            Kind::Map { base, list, .. } => Kind::Map {
                memory: below,
                base,
                list,
            },
            Kind::Write {
                at, width, value, ..
            } => Kind::Write {
                memory: below,
                at,
                width,
                value,
            },
            other => unreachable!("{other:?} does not change places"),
        };
        self.exprs.make(moved)
    }

    /// What one step does with a write at a constant offset, if the memory that it is made in is a map, or is not.
    fn one_step(&mut self, expr: Expr, in_map: bool) -> Option<(Expr, Step)> {
        let Kind::Write {
            memory,
            at,
            width,
            value,
        } = self.kind(expr)
        else {
            return None;
        };
        if matches!(self.kind(memory), Kind::Map { .. }) != in_map {
            return None;
        }
        let fixed = self.fixed(at, width, value)?;
        let step = self.step(memory, &fixed)?;
        Some((memory, step))
    }

    fn into(&mut self, expr: Expr, in_map: bool) -> Option<(Expr, Status)> {
        match self.one_step(expr, in_map)? {
            (_, Step::Into(result)) => Some((result, Status::Done)),
            (_, Step::Past(_)) => None,
        }
    }

    fn past(&mut self, expr: Expr, in_map: bool) -> Option<(Expr, Status)> {
        let (newer, Step::Past(below)) = self.one_step(expr, in_map)? else {
            return None;
        };
        let moved = self.over(expr, below);
        Some((self.over(newer, moved), Status::Done))
    }
}

pub(super) fn smap_new<S: Scalars>(
    theory: &mut Theory<'_, S>,
    expr: Expr,
) -> Option<(Expr, Status)> {
    theory.into(expr, false)
}

pub(super) fn smap_hit<S: Scalars>(
    theory: &mut Theory<'_, S>,
    expr: Expr,
) -> Option<(Expr, Status)> {
    theory.into(expr, true)
}

pub(super) fn wow_commute<S: Scalars>(
    theory: &mut Theory<'_, S>,
    expr: Expr,
) -> Option<(Expr, Status)> {
    theory.past(expr, false)
}

pub(super) fn wosmap_commute<S: Scalars>(
    theory: &mut Theory<'_, S>,
    expr: Expr,
) -> Option<(Expr, Status)> {
    theory.past(expr, true)
}
