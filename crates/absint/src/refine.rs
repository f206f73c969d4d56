//! What the outcome of a condition says about the registers and cells it was computed from.
//!
//! The condition's definition is walked backwards: a comparison narrows both operands, a narrowed
//! register narrows what it was computed from, where that can be undone, and the cells of memory that
//! hold the same value.

use std::rc::Rc;

use ir::syntax::{Access, BinaryOp, CastOp, CompareOp, Op, Operand, Value};

use crate::domains::{Int, compare, mask};
use crate::state::{Program, State};
use crate::value::{Base, Targets, Val};

/// Longer chains of definitions are not walked.
const MAX_STEPS: usize = 200;

impl Program<'_> {
    /// Narrows a state to executions in which the condition has this outcome; `false` if there are none.
    pub fn assume(&self, state: &mut State, cond: &Operand, outcome: bool) -> bool {
        self.restrict(state, vec![(cond.clone(), Val::bool(Some(outcome)))])
    }

    /// Narrows a state to executions in which a register has one of these values; `false` if there are none.
    pub fn narrow(&self, state: &mut State, value: Value, wanted: Val) -> bool {
        self.restrict(state, vec![(value.into(), wanted)])
    }

    fn restrict(&self, state: &mut State, mut work: Vec<(Operand, Val)>) -> bool {
        for _ in 0..MAX_STEPS {
            let Some((operand, wanted)) = work.pop() else {
                break;
            };
            let old = self.operand(state, &operand);
            let Some(new) = old.meet(&wanted) else {
                return false;
            };
            let Some(value) = operand.as_value() else {
                continue;
            };
            // The condition itself is walked even if its outcome was known: its parts may not be.
            if new == old && new.as_int().is_none_or(|x| x.width != 1) {
                continue;
            }
            state.vals.insert(value, new.clone());
            if new != old && !self.spread(state, value, &mut work) {
                return false;
            }
            if !self.narrow_cells(state, value, &new) || !self.undo(state, value, &new, &mut work) {
                return false;
            }
        }
        true
    }

    /// Cells that hold the same value as a register.
    fn narrow_cells(&self, state: &mut State, value: Value, new: &Val) -> bool {
        let mut possible = true;
        #[allow(clippy::iter_over_hash_type)]
        for mem in state.mems.values_mut() {
            let holds = mem.objects.values().any(|object| {
                let mut cells = object.contents.cells.values();
                cells.any(|cell| cell.same == Some(value) && !cell.val.is_within(new))
            });
            if !holds {
                continue;
            }
            for object in Rc::make_mut(mem).objects.values_mut() {
                let mut cells = object.contents.cells.values();
                if !cells.any(|cell| cell.same == Some(value)) {
                    continue;
                }
                for cell in Rc::make_mut(object).contents.cells.values_mut() {
                    if cell.same == Some(value) {
                        match cell.val.meet(new) {
                            Some(both) => cell.val = both,
                            None => possible = false,
                        }
                    }
                }
            }
        }
        possible
    }

    /// What a register's value says about the operands of its definition.
    fn undo(
        &self,
        state: &mut State,
        value: Value,
        new: &Val,
        work: &mut Vec<(Operand, Val)>,
    ) -> bool {
        let Some(data) = self.body.def_inst(value) else {
            return true;
        };
        let yes = || Val::bool(Some(true));
        let no = || Val::bool(Some(false));
        let outcome = match new {
            Val::Int(x) if x.width == 1 => x.single().map(|bit| bit == 1),
            Val::Int(_) | Val::Ptr(_) | Val::Any => None,
        };
        match (&data.op, outcome) {
            (Op::Copy(a), _) => work.push((a.clone(), new.clone())),
            (Op::Binary(BinaryOp::And, a, b), Some(true)) => {
                work.push((a.clone(), yes()));
                work.push((b.clone(), yes()));
            }
            (Op::Binary(BinaryOp::Or, a, b), Some(false)) => {
                work.push((a.clone(), no()));
                work.push((b.clone(), no()));
            }
            (Op::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b), Some(outcome)) => {
                // One operand leaves the decision to the other.
                let neutral = u64::from(*op == BinaryOp::And);
                let (x, y) = (self.operand(state, a), self.operand(state, b));
                if x.single() == Some(neutral) {
                    work.push((b.clone(), Val::bool(Some(outcome))));
                }
                if y.single() == Some(neutral) {
                    work.push((a.clone(), Val::bool(Some(outcome))));
                }
            }
            (Op::Select(cond, a, b), _) => {
                let (x, y) = (self.operand(state, a), self.operand(state, b));
                let disjoint = |x: &Val| match (x, new) {
                    (Val::Int(x), Val::Int(new)) => x.meet(new).is_none(),
                    _ => false,
                };
                match (disjoint(&x), disjoint(&y)) {
                    (true, true) => return false,
                    (true, false) => {
                        work.push((cond.clone(), no()));
                        work.push((b.clone(), new.clone()));
                    }
                    (false, true) => {
                        work.push((cond.clone(), yes()));
                        work.push((a.clone(), new.clone()));
                    }
                    (false, false) => {}
                }
            }
            (Op::Compare(op, a, b), Some(outcome)) => {
                let (x, y) = (self.operand(state, a), self.operand(state, b));
                let (mut op, mut swap) = (*op, false);
                if !outcome {
                    match compare::negated(op) {
                        Some((opposite, swapped)) => (op, swap) = (opposite, swapped),
                        None => return true,
                    }
                }
                let (x, y) = if swap { (y, x) } else { (x, y) };
                let (a, b) = if swap { (b, a) } else { (a, b) };
                match self.assume_compare(op, &x, &y) {
                    Some((x, y)) => {
                        work.push((a.clone(), x));
                        work.push((b.clone(), y));
                        return self.assume_related(state, op, a, b, work);
                    }
                    None => return false,
                }
            }
            (Op::Overflow(op, a, b), Some(false)) => {
                state.exact.insert((*op, a.clone(), b.clone()));
                if let (Val::Int(x), Val::Int(y)) = (self.operand(state, a), self.operand(state, b))
                {
                    match compare::assume_exact(*op, &x, &y) {
                        Some((x, y)) => {
                            work.push((a.clone(), Val::Int(x)));
                            work.push((b.clone(), Val::Int(y)));
                        }
                        None => return false,
                    }
                }
            }
            // A pointer that may be touched, or that is a mere address, need not be inside of anything.
            (Op::IsDeref { ptr, len, access }, Some(true))
                if !matches!(access, Access::Touch | Access::Stray) =>
            {
                let mem = data.mems.first().map(|&mem| self.memory(state, mem));
                if let Some(mem) = mem
                    && let Val::Ptr(targets) = self.operand(state, ptr)
                    && let Val::Int(len) = self.operand(state, len)
                    && len.umin > 0
                {
                    // Inside of its object: not beyond the size less the length.
                    let inside: Targets = targets
                        .iter()
                        .filter_map(|(base, offset)| match base {
                            Base::Object(obj) => match mem.objects.get(obj) {
                                Some(object) => {
                                    let last = object.size.umax.checked_sub(len.umin)?;
                                    let bound = Int::between(0, last, offset.width)?;
                                    Some((*base, offset.meet(&bound)?))
                                }
                                None => Some((*base, *offset)),
                            },
                            Base::Nothing if self.has_low_device() => Some((*base, *offset)),
                            Base::Nothing => without_page(offset).map(|at| (*base, at)),
                            Base::Func(_) => Some((*base, *offset)),
                        })
                        .collect();
                    if inside.is_empty() {
                        return false;
                    }
                    work.push((ptr.clone(), Val::Ptr(Rc::new(inside))));
                }
            }
            (Op::Binary(op, a, b), _) => self.undo_binary(state, (*op, a, b), new, work),
            (Op::Cast(op, a, _), _) => {
                if let (Val::Int(x), Val::Int(out)) = (self.operand(state, a), new)
                    && let Some(source) = undo_cast(*op, &x, out)
                {
                    work.push((a.clone(), Val::Int(source)));
                }
            }
            (Op::Offset(ptr, by), _) => {
                if let (Val::Ptr(targets), Val::Int(by)) = (new, self.operand(state, by))
                    && by.single().is_some()
                    && let Val::Ptr(_) = self.operand(state, ptr)
                {
                    let back = targets
                        .iter()
                        .map(|(base, at)| (*base, Int::binary(BinaryOp::Sub, at, &by)))
                        .collect();
                    work.push((ptr.clone(), Val::Ptr(Rc::new(back))));
                }
            }
            _ => {}
        }
        true
    }

    fn undo_binary(
        &self,
        state: &State,
        (op, a, b): (BinaryOp, &Operand, &Operand),
        new: &Val,
        work: &mut Vec<(Operand, Val)>,
    ) {
        let (Val::Int(x), Val::Int(y), Val::Int(out)) =
            (self.operand(state, a), self.operand(state, b), new)
        else {
            return;
        };
        match op {
            BinaryOp::Add => {
                work.push((a.clone(), Val::Int(Int::binary(BinaryOp::Sub, out, &y))));
                work.push((b.clone(), Val::Int(Int::binary(BinaryOp::Sub, out, &x))));
            }
            BinaryOp::Sub => {
                work.push((a.clone(), Val::Int(Int::binary(BinaryOp::Add, out, &y))));
                work.push((b.clone(), Val::Int(Int::binary(BinaryOp::Sub, &x, out))));
            }
            BinaryOp::Xor => {
                work.push((a.clone(), Val::Int(Int::binary(BinaryOp::Xor, out, &y))));
                work.push((b.clone(), Val::Int(Int::binary(BinaryOp::Xor, out, &x))));
            }
            BinaryOp::And => {
                for (operand, other) in [(a, &y), (b, &x)] {
                    let bits = Int {
                        ones: out.ones,
                        zeros: out.zeros & other.ones,
                        umin: out.umin,
                        ..Int::top(out.width)
                    };
                    if let Some(bits) = bits.reduced() {
                        work.push((operand.clone(), Val::Int(bits)));
                    }
                }
            }
            BinaryOp::Or => {
                for (operand, other) in [(a, &y), (b, &x)] {
                    let bits = Int {
                        zeros: out.zeros,
                        ones: out.ones & other.zeros,
                        umax: out.umax,
                        ..Int::top(out.width)
                    };
                    if let Some(bits) = bits.reduced() {
                        work.push((operand.clone(), Val::Int(bits)));
                    }
                }
            }
            _ => {}
        }
    }

    fn assume_compare(&self, op: CompareOp, a: &Val, b: &Val) -> Option<(Val, Val)> {
        match (a, b) {
            (Val::Int(x), Val::Int(y)) if x.width == y.width => {
                let (x, y) = compare::assume(op, x, y)?;
                Some((Val::Int(x), Val::Int(y)))
            }
            (Val::Ptr(x), Val::Ptr(y)) => {
                let keep = |ours: &Rc<Targets>, theirs: &Rc<Targets>, swap: bool| {
                    let kept: Targets = ours
                        .iter()
                        .filter(|(base, at)| {
                            theirs.iter().any(|(other, to)| {
                                let one = Val::pointer(**base, **at);
                                let two = Val::pointer(*other, *to);
                                let said = if swap {
                                    self.decide(op, &two, &one)
                                } else {
                                    self.decide(op, &one, &two)
                                };
                                said != Some(false)
                            })
                        })
                        .map(|(base, at)| (*base, *at))
                        .collect();
                    (!kept.is_empty()).then(|| Rc::new(kept))
                };
                let (mut p, mut q) = (keep(x, y, false)?, keep(y, x, true)?);
                // Two pointers into one object compare as their offsets do, unless those wrap.
                if p.len() == 1
                    && q.len() == 1
                    && let (Some((base, at)), Some((other, to))) =
                        (p.iter().next(), q.iter().next())
                    && base == other
                    && matches!(base, Base::Object(obj) if obj.is_one())
                    && matches!(op, CompareOp::Eq | CompareOp::Ne)
                {
                    let (base, (at, to)) = (*base, compare::assume(op, at, to)?);
                    p = Rc::new(Targets::from([(base, at)]));
                    q = Rc::new(Targets::from([(base, to)]));
                }
                Some((Val::Ptr(p), Val::Ptr(q)))
            }
            _ => Some((a.clone(), b.clone())),
        }
    }
}

/// Addresses beyond the first page.
fn without_page(offset: &Int) -> Option<Int> {
    let far = Int::between(4096, mask(offset.width), offset.width)?;
    offset.meet(&far)
}

/// What the result of a conversion says about its operand.
fn undo_cast(op: CastOp, from: &Int, out: &Int) -> Option<Int> {
    match op {
        CastOp::ZExt | CastOp::SExt => Some(Int::cast(CastOp::Trunc, out, from.width)),
        CastOp::Trunc => {
            if from.umax <= mask(out.width) {
                return Some(Int::cast(CastOp::ZExt, out, from.width));
            }
            let (low, high) = (
                crate::domains::smallest(out.width),
                crate::domains::greatest(out.width),
            );
            if from.smin >= low && from.smax <= high {
                return Some(Int::cast(CastOp::SExt, out, from.width));
            }
            None
        }
        CastOp::FToS
        | CastOp::FToU
        | CastOp::SToF
        | CastOp::UToF
        | CastOp::FToF
        | CastOp::Bits
        | CastOp::PtrToInt
        | CastOp::IntToPtr => None,
    }
}
