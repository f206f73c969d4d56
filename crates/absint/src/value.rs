//! What a register or a cell of memory may hold.
//!
//! ```text
//!              Any                       anything, of whatever type
//!            /     \
//!    Int (a set of  Ptr (for each object that it may point into,
//!    bit-vectors)   the set of its offsets there)
//! ```
//!
//! A float is the set of its bits. A pointer's *base* is an object, a function, or nothing: then its offset is the
//! address, 0 for the null pointer. Objects of one allocation are told apart as the newest (`Recent`) and all
//! others (`Old`): `Recent` is one object, `Old` may be many.

use std::collections::BTreeMap;
use std::rc::Rc;

use ir::syntax::{Const, Func, Global, Inst, Type};

use crate::domains::{Int, Thresholds};

/// An object, or several that are not told apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Obj {
    /// A global object.
    Global(Global),
    /// The newest object of an allocation.
    Recent(Inst),
    /// All others of it.
    Old(Inst),
}

impl Obj {
    /// Is it one object, so that a write to it replaces what was there?
    pub fn is_one(self) -> bool {
        match self {
            Obj::Global(_) | Obj::Recent(_) => true,
            Obj::Old(_) => false,
        }
    }
}

/// What a pointer was derived from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Base {
    /// Nothing: the offset is the address.
    Nothing,
    /// An object.
    Object(Obj),
    /// A function.
    Func(Func),
}

/// Where a pointer may point; offsets have pointer width. Never empty.
pub type Targets = BTreeMap<Base, Int>;

/// More targets than these are not told apart.
const MAX_TARGETS: usize = 32;

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Val {
    /// Integers and floats of at most 64 bits.
    Int(Int),
    /// Pointers.
    Ptr(Rc<Targets>),
    /// Anything.
    Any,
}

impl Val {
    /// Everything of a type.
    pub fn top(ty: Type) -> Val {
        match ty {
            Type::Int(width @ 1..=64) => Val::Int(Int::top(width)),
            Type::Float(float) if float.bits() <= 64 => Val::Int(Int::top(float.bits())),
            Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Mem(_) => Val::Any,
        }
    }

    /// A truth value.
    pub fn bool(value: Option<bool>) -> Val {
        Val::Int(match value {
            Some(value) => Int::constant(u64::from(value), 1),
            None => Int::top(1),
        })
    }

    /// A pointer with one base.
    pub fn pointer(base: Base, offset: Int) -> Val {
        Val::Ptr(Rc::new(Targets::from([(base, offset)])))
    }

    /// A constant.
    pub fn constant(constant: &Const, pointer_bits: u32) -> Val {
        let zero = Int::constant(0, pointer_bits);
        match constant {
            Const::Int(bv) | Const::Float(_, bv) => {
                if bv.width() <= 64 {
                    Val::Int(Int::constant(bv.low_u64(), bv.width()))
                } else {
                    Val::Any
                }
            }
            Const::Null => Val::pointer(Base::Nothing, zero),
            Const::Global(global, offset) => Val::pointer(
                Base::Object(Obj::Global(*global)),
                Int::constant(*offset as u64, pointer_bits),
            ),
            Const::Func(func) => Val::pointer(Base::Func(*func), zero),
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&Int> {
        match self {
            Val::Int(int) => Some(int),
            Val::Ptr(_) | Val::Any => None,
        }
    }

    /// The only number, if there is one.
    pub fn single(&self) -> Option<u64> {
        self.as_int().and_then(Int::single)
    }

    /// The pointer's targets, if they are known.
    pub fn as_ptr(&self) -> Option<&Rc<Targets>> {
        match self {
            Val::Ptr(targets) => Some(targets),
            Val::Int(_) | Val::Any => None,
        }
    }

    /// The least value above both.
    pub fn join(&self, other: &Val) -> Val {
        self.combine(other, Int::join)
    }

    /// A value above both, reached in finitely many steps.
    pub fn widen(&self, other: &Val, thresholds: &Thresholds) -> Val {
        self.combine(other, |a, b| a.widen(b, thresholds))
    }

    fn combine(&self, other: &Val, ints: impl Fn(&Int, &Int) -> Int) -> Val {
        match (self, other) {
            // Most registers are the same on both sides.
            (Val::Int(a), Val::Int(b)) if a == b => Val::Int(*a),
            (Val::Int(a), Val::Int(b)) if a.width == b.width => Val::Int(ints(a, b)),
            (Val::Ptr(a), Val::Ptr(b)) => {
                if Rc::ptr_eq(a, b) {
                    return self.clone();
                }
                let mut all = (**a).clone();
                for (base, offset) in b.iter() {
                    all.entry(*base)
                        .and_modify(|known| *known = ints(known, offset))
                        .or_insert(*offset);
                }
                if all.len() > MAX_TARGETS {
                    return Val::Any;
                }
                Val::Ptr(Rc::new(all))
            }
            _ => Val::Any,
        }
    }

    /// What is in both; none if nothing is.
    pub fn meet(&self, other: &Val) -> Option<Val> {
        match (self, other) {
            (Val::Any, x) | (x, Val::Any) => Some(x.clone()),
            (Val::Int(a), Val::Int(b)) if a.width == b.width => Some(Val::Int(a.meet(b)?)),
            (Val::Ptr(a), Val::Ptr(b)) => {
                let both: Targets = a
                    .iter()
                    .filter_map(|(base, x)| Some((*base, x.meet(b.get(base)?)?)))
                    .collect();
                (!both.is_empty()).then(|| Val::Ptr(Rc::new(both)))
            }
            // Bits against pointers: nothing can be said.
            _ => Some(self.clone()),
        }
    }

    /// Is everything in this also in the other?
    pub fn is_within(&self, other: &Val) -> bool {
        match (self, other) {
            (_, Val::Any) => true,
            (Val::Int(a), Val::Int(b)) => a.width == b.width && a.is_within(b),
            (Val::Ptr(a), Val::Ptr(b)) => {
                Rc::ptr_eq(a, b)
                    || a.iter()
                        .all(|(base, x)| b.get(base).is_some_and(|y| x.is_within(y)))
            }
            _ => false,
        }
    }

    /// The newest object of an allocation becomes one of the others.
    pub fn age(&mut self, site: Inst) {
        if let Val::Ptr(targets) = self
            && let Some(offset) = targets.get(&Base::Object(Obj::Recent(site))).copied()
        {
            let targets = Rc::make_mut(targets);
            targets.remove(&Base::Object(Obj::Recent(site)));
            targets
                .entry(Base::Object(Obj::Old(site)))
                .and_modify(|known| *known = known.join(&offset))
                .or_insert(offset);
        }
    }
}
