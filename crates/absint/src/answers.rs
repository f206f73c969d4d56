//! What is asked about pointers and their objects: comparisons, and what dereference checks need.

use std::rc::Rc;

use ir::syntax::{Access, CompareOp, Type};

use crate::domains::{Int, compare};
use crate::memory::{Kind, Mem, Object};
use crate::state::Program;
use crate::value::{Base, Obj, Targets, Val};

/// Objects do not lie in the first page, nor in the last.
pub(crate) const PAGE: u64 = 4096;

impl Program<'_> {
    /// Is this surely an address inside of its object, or one behind it? Then it is not null.
    fn is_near(&self, base: Base, offset: &Int) -> bool {
        match base {
            Base::Nothing => false,
            Base::Func(_) => offset.single() == Some(0),
            Base::Object(Obj::Global(global)) => {
                offset.umax <= self.module.globals[global].size.max(PAGE - 1)
            }
            Base::Object(Obj::Recent(_) | Obj::Old(_)) => offset.umax < PAGE,
        }
    }

    pub(crate) fn decide(&self, op: CompareOp, a: &Val, b: &Val) -> Option<bool> {
        match (a, b) {
            (Val::Int(x), Val::Int(y)) if x.width == y.width => compare::decide(op, x, y),
            (Val::Ptr(x), Val::Ptr(y)) => {
                let mut found = None;
                for (i, (p, at)) in x.iter().enumerate() {
                    for (j, (q, to)) in y.iter().enumerate() {
                        let one = self.decide_pointers(op, (*p, at), (*q, to))?;
                        if (i > 0 || j > 0) && found != Some(one) {
                            return None;
                        }
                        found = Some(one);
                    }
                }
                found
            }
            _ => None,
        }
    }

    fn decide_pointers(&self, op: CompareOp, a: (Base, &Int), b: (Base, &Int)) -> Option<bool> {
        let different = match op {
            CompareOp::Eq => Some(false),
            CompareOp::Ne => Some(true),
            _ => None,
        };
        let inside = |base: Base, at: &Int| match base {
            Base::Object(Obj::Global(global)) => at.umax < self.module.globals[global].size,
            Base::Func(_) => at.single() == Some(0),
            Base::Nothing | Base::Object(_) => false,
        };
        match (a.0, b.0) {
            (Base::Nothing, Base::Nothing) => compare::decide(op, a.1, b.1),
            (Base::Object(x), Base::Object(y)) if x == y && x.is_one() => {
                // Addresses in one object differ as offsets do, as long as they do not wrap.
                let same = compare::decide(
                    if matches!(op, CompareOp::Eq | CompareOp::Ne) {
                        op
                    } else {
                        CompareOp::Eq
                    },
                    a.1,
                    b.1,
                );
                match op {
                    CompareOp::Eq | CompareOp::Ne => same,
                    _ if self.is_near(a.0, a.1) && self.is_near(b.0, b.1) => match op {
                        CompareOp::Ult | CompareOp::Ule => compare::decide(op, a.1, b.1),
                        _ => None,
                    },
                    _ => None,
                }
            }
            (Base::Func(x), Base::Func(y)) if x == y => compare::decide(op, a.1, b.1),
            (Base::Nothing, other) if a.1.single() == Some(0) && self.is_near(other, b.1) => {
                different.or(match op {
                    CompareOp::Ult | CompareOp::Ule => Some(true),
                    _ => None,
                })
            }
            (other, Base::Nothing) if b.1.single() == Some(0) && self.is_near(other, a.1) => {
                different.or(match op {
                    CompareOp::Ult | CompareOp::Ule => Some(false),
                    _ => None,
                })
            }
            _ if inside(a.0, a.1) && inside(b.0, b.1) => different,
            _ => None,
        }
    }

    /// May a device be where otherwise nothing is?
    pub(crate) fn has_low_device(&self) -> bool {
        let mut devices = self.module.mmio.iter();
        devices.any(|&(first, _)| first < PAGE)
    }

    /// The answer that all targets agree on, each an object that the memory lists.
    pub(crate) fn for_targets(
        &self,
        mem: &Mem,
        ptr: &Val,
        answer: impl Fn(&Object, (Obj, &Int)) -> Option<bool>,
    ) -> Option<bool> {
        let targets = ptr.as_ptr()?;
        let mut found = None;
        for (base, offset) in targets.iter() {
            let one = match base {
                Base::Nothing if offset.umax < PAGE && !self.has_low_device() => Some(false),
                Base::Func(_) => Some(false),
                Base::Nothing => None,
                Base::Object(obj) => mem
                    .objects
                    .get(obj)
                    .and_then(|object| answer(object, (*obj, offset))),
            }?;
            if found.is_some_and(|known| known != one) {
                return None;
            }
            found = Some(one);
        }
        found
    }

    pub(crate) fn is_deref(&self, mem: &Mem, ptr: &Val, len: &Val, access: Access) -> Option<bool> {
        let len = len.as_int()?;
        let valid = self.for_targets(mem, ptr, |object, (obj, offset)| {
            let constant = match obj {
                Obj::Global(global) => self.module.globals[global].constant,
                Obj::Recent(_) | Obj::Old(_) => false,
            };
            let writes = matches!(access, Access::Write | Access::Change);
            let constant = constant || object.kind == Kind::Sealed;
            if constant && writes || !object.life.alive {
                return Some(false);
            }
            let end = u128::from(offset.umax) + u128::from(len.umax);
            if end <= u128::from(object.size.umin) && !object.life.dead {
                return Some(true);
            }
            let nearest = u128::from(offset.umin) + u128::from(len.umin);
            (nearest > u128::from(object.size.umax)).then_some(false)
        });
        match access {
            Access::Read | Access::Write => valid,
            Access::Look | Access::Change | Access::Touch => valid.filter(|&valid| valid),
            // Whether a pointer is a mere address does not depend on what lies there.
            Access::Stray => None,
        }
    }

    pub(crate) fn is_freeable(&self, mem: &Mem, ptr: &Val) -> Option<bool> {
        if let Some(targets) = ptr.as_ptr()
            && targets.len() == 1
            && targets.get(&Base::Nothing).and_then(Int::single) == Some(0)
        {
            return Some(true);
        }
        // Null is freeable, whatever the other targets say.
        let others = without_null(ptr)?;
        let valid = self.for_targets(mem, &others, |object, (_, offset)| {
            let at_base = offset.single() == Some(0);
            if object.kind != Kind::Heap || !object.life.alive || !offset.contains(0) {
                return Some(false);
            }
            (at_base && !object.life.dead).then_some(true)
        });
        let may_be_null = ptr.as_ptr().is_some_and(|t| t.contains_key(&Base::Nothing));
        valid.filter(|&valid| valid || !may_be_null)
    }

    pub(crate) fn object_size(&self, mem: &Mem, ptr: &Val, ty: Type) -> Val {
        let Some(targets) = ptr.as_ptr() else {
            return Val::top(ty);
        };
        let mut found: Option<Int> = None;
        for (base, offset) in targets.iter() {
            let one = match base {
                Base::Nothing if offset.umax < PAGE => Int::constant(0, self.pointer_bits()),
                Base::Object(obj) => match mem.objects.get(obj) {
                    Some(object) => object.size,
                    None => return Val::top(ty),
                },
                Base::Nothing | Base::Func(_) => return Val::top(ty),
            };
            found = Some(found.map_or(one, |known| known.join(&one)));
        }
        found.map_or(Val::top(ty), Val::Int)
    }

    pub(crate) fn object_offset(&self, ptr: &Val, ty: Type) -> Val {
        let Some(targets) = ptr.as_ptr() else {
            return Val::top(ty);
        };
        let mut found: Option<Int> = None;
        for (base, offset) in targets.iter() {
            match base {
                Base::Nothing if offset.umax < PAGE => {}
                Base::Object(_) => {}
                Base::Nothing | Base::Func(_) => return Val::top(ty),
            }
            found = Some(found.map_or(*offset, |known| known.join(offset)));
        }
        found.map_or(Val::top(ty), Val::Int)
    }
}

/// A pointer's other targets, if there are some.
fn without_null(ptr: &Val) -> Option<Val> {
    let targets = ptr.as_ptr()?;
    let others: Targets = targets
        .iter()
        .filter_map(|(base, offset)| match base {
            Base::Nothing => {
                let rest = compare::assume(CompareOp::Ne, offset, &Int::constant(0, offset.width));
                Some((*base, rest?.0))
            }
            Base::Object(_) | Base::Func(_) => Some((*base, *offset)),
        })
        .collect();
    (!others.is_empty()).then(|| Val::Ptr(Rc::new(others)))
}
