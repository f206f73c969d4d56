//! What each instruction does to a state.

use std::rc::Rc;

use ir::syntax::{AllocKind, CastOp, Inst, InstData, Op, Operand, OverflowOp, Type, Value};

use crate::answers::PAGE;
use crate::domains::{Int, compare};
use crate::memory::{Kind, Life, Mem, Object};
use crate::object::{Cell, Contents, Rest};
use crate::state::{Program, State, tested};
use crate::value::{Base, Obj, Targets, Val};

const SIGNED_OPS: [OverflowOp; 6] = [
    OverflowOp::SAdd,
    OverflowOp::SSub,
    OverflowOp::SMul,
    OverflowOp::UAdd,
    OverflowOp::USub,
    OverflowOp::UMul,
];

impl Program<'_> {
    /// Does an instruction; `false` if no execution goes on behind it.
    pub fn step(&self, state: &mut State, inst: Inst) -> bool {
        let data = &self.body.insts[inst];
        match &data.op {
            // Executions go on behind such a check.
            Op::Check(obligation, _) if self.module.obligations[*obligation].lets_pass() => {
                return true;
            }
            Op::Assume(cond, _) | Op::Check(_, cond) => return self.assume(state, cond, true),
            Op::Debug { .. } => return true,
            _ => {}
        }
        // A register gets a new value: what was known of the old one is void.
        for result in &data.results {
            state.vals.remove(result);
            state.mems.remove(result);
            if state.relations.speaks_of(*result) {
                Rc::make_mut(&mut state.relations).forget(*result);
            }
        }
        if let Some(&scalar) = data.results.first()
            && !self.body.values[scalar].ty.is_mem()
        {
            let val = self.scalar(state, data);
            state.vals.insert(scalar, val);
            self.relate(state, data);
        }
        self.effect(state, inst, data);
        true
    }

    /// The result that is no memory.
    fn scalar(&self, state: &State, data: &InstData) -> Val {
        let get = |operand: &Operand| self.operand(state, operand);
        let mem = |index: usize| {
            data.mems
                .get(index)
                .map_or_else(|| Rc::new(Mem::lost()), |&mem| self.memory(state, mem))
        };
        let ty = self.body.values[data.results[0]].ty;
        match &data.op {
            Op::Binary(_, a, b) if self.truth_in(state, a, b).is_some() => {
                let cond = self.truth_in(state, a, b).expect("it was found");
                self.by_truth(state, data, &cond)
            }
            Op::Binary(op, a, b) => match (get(a), get(b)) {
                (Val::Int(x), Val::Int(y)) => {
                    let mut out = Int::binary(*op, &x, &y);
                    for test in SIGNED_OPS {
                        if tested(test) == *op
                            && state.exact.contains(&(test, a.clone(), b.clone()))
                            && let Some(exact) = compare::exact_result(test, &x, &y)
                            && let Some(both) = out.meet(&exact)
                        {
                            out = both;
                        }
                    }
                    Val::Int(out)
                }
                _ => Val::top(ty),
            },
            Op::Unary(op, a) => match get(a) {
                Val::Int(x) => Val::Int(Int::unary(*op, &x)),
                Val::Ptr(_) | Val::Any => Val::top(ty),
            },
            Op::Compare(op, a, b) => Val::bool(
                self.decide(*op, &get(a), &get(b))
                    .or_else(|| self.related(state, *op, a, b)),
            ),
            Op::Overflow(op, a, b) => match (get(a), get(b)) {
                _ if state.exact.contains(&(*op, a.clone(), b.clone())) => Val::bool(Some(false)),
                (Val::Int(x), Val::Int(y)) => Val::bool(compare::overflows(*op, &x, &y)),
                _ => Val::bool(None),
            },
            Op::Cast(op, a, to) => self.cast(*op, &get(a), *to),
            Op::Select(cond, yes, no) => match get(cond).single() {
                Some(1) => get(yes),
                Some(_) => get(no),
                None => self.select(state, cond, yes, no),
            },
            Op::Offset(ptr, by) => match (get(ptr), get(by)) {
                (Val::Ptr(targets), Val::Int(by)) => {
                    let moved = targets
                        .iter()
                        .map(|(base, at)| (*base, Int::binary(ir::syntax::BinaryOp::Add, at, &by)))
                        .collect();
                    Val::Ptr(Rc::new(moved))
                }
                _ => Val::Any,
            },
            Op::Copy(a) => get(a),
            Op::Nondet(ty, _) => Val::top(*ty),
            // The object is made in `effect`.
            Op::Alloc { .. } => Val::Any,
            Op::Load {
                ty, ptr, volatile, ..
            } => {
                if *volatile {
                    Val::top(*ty)
                } else {
                    self.load(state, &mem(0), &get(ptr), *ty)
                }
            }
            Op::IsDeref { ptr, len, access } => {
                Val::bool(self.is_deref(&mem(0), &get(ptr), &get(len), *access))
            }
            Op::IsFreeable(ptr) => Val::bool(self.is_freeable(&mem(0), &get(ptr))),
            Op::IsAlive(ptr) => {
                Val::bool(self.for_targets(&mem(0), &get(ptr), |object, _| {
                    match (object.life.alive, object.life.dead) {
                        (true, false) => Some(true),
                        (false, true) => Some(false),
                        _ => None,
                    }
                }))
            }
            Op::ObjectSize(ptr) => self.object_size(&mem(0), &get(ptr), ty),
            Op::ObjectOffset(ptr) => self.object_offset(&get(ptr), ty),
            Op::AllFreed => {
                let mems: Vec<_> = (0..data.mems.len()).map(mem).collect();
                let freed = mems.iter().all(|mem| {
                    let mut heap = mem.objects.values().filter(|o| o.kind == Kind::Heap);
                    !mem.lost && heap.all(|object| !object.life.alive)
                });
                Val::bool(freed.then_some(true))
            }
            Op::MemCompare { .. } => Int::between_signed(-1, 1, 32).map_or(Val::Any, Val::Int),
            Op::IsDisjoint { .. }
            | Op::AllTracked
            | Op::IsModified(_)
            | Op::LoadShadow { .. }
            | Op::StackSave
            | Op::Call { .. } => Val::top(ty),
            Op::Free(_)
            | Op::LifetimeStart(_)
            | Op::LifetimeEnd(_)
            | Op::StackRestore(_)
            | Op::Leave
            | Op::Store { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | Op::MemHavoc { .. }
            | Op::Clobber(_)
            | Op::Show(_)
            | Op::HavocRegion
            | Op::NewRegion(_)
            | Op::ResetModified(_)
            | Op::StoreShadow { .. }
            | Op::Assume(..)
            | Op::Check(..)
            | Op::Debug { .. } => Val::Any,
        }
    }

    /// What an operand is, computed anew from operands that may have been narrowed since.
    pub(crate) fn anew(&self, state: &State, operand: &Operand, depth: u32) -> Val {
        let known = self.operand(state, operand);
        let Some(data) = operand
            .as_value()
            .and_then(|value| self.body.def_inst(value))
        else {
            return known;
        };
        let mut inner = State::default();
        let mut note = |part: &Operand| {
            if let Operand::Value(value) = part {
                let val = if depth > 0 {
                    self.anew(state, part, depth - 1)
                } else {
                    self.operand(state, part)
                };
                inner.vals.insert(*value, val);
            }
        };
        match &data.op {
            Op::Binary(_, a, b) => {
                note(a);
                note(b);
            }
            Op::Cast(_, a, _) | Op::Copy(a) => note(a),
            _ => return known,
        }
        inner.exact = state.exact.clone();
        let val = self.scalar(&inner, data);
        known.meet(&val).unwrap_or(known)
    }

    /// The truth value that an operand was converted from, if nobody knows which it is.
    fn truth_in(&self, state: &State, a: &Operand, b: &Operand) -> Option<Operand> {
        let from = |operand: &Operand| {
            let value = operand.as_value()?;
            match &self.body.def_inst(value)?.op {
                Op::Cast(CastOp::ZExt | CastOp::SExt, cond, _) => {
                    let cond_value = cond.as_value()?;
                    let truth = self.body.values[cond_value].ty == Type::BOOL;
                    let open = state.vals.contains_key(&value)
                        && self.operand(state, cond).single().is_none();
                    (truth && open).then(|| cond.clone())
                }
                _ => None, // No truth value.
            }
        };
        if self.operand(state, a).as_int()?.width == 1 {
            return None;
        }
        from(a).or_else(|| from(b))
    }

    /// An operation on a truth value: what it yields where that is true, and where it is false.
    fn by_truth(&self, state: &State, data: &InstData, cond: &Operand) -> Val {
        let mut found: Option<Val> = None;
        for outcome in [true, false] {
            let mut side = State {
                vals: state.vals.clone(),
                relations: Rc::clone(&state.relations),
                exact: state.exact.clone(),
                ..State::default()
            };
            if !self.assume(&mut side, cond, outcome) {
                continue;
            }
            // The number follows the truth value it was made from.
            for operand in data.op.operands() {
                if let Some(value) = operand.as_value()
                    && let Some(def) = self.body.def_inst(value)
                    && matches!(&def.op, Op::Cast(_, from, _) if from == cond)
                {
                    let val = self.scalar(&side, def);
                    side.vals.insert(value, val);
                }
            }
            let val = self.scalar(&side, data);
            found = Some(found.map_or(val.clone(), |known| known.join(&val)));
        }
        found.unwrap_or_else(|| Val::top(self.body.values[data.results[0]].ty))
    }

    /// Both sides of a choice, each where its condition holds.
    fn select(&self, state: &State, cond: &Operand, yes: &Operand, no: &Operand) -> Val {
        let side = |outcome: bool, operand: &Operand| {
            let mut narrowed = State {
                vals: state.vals.clone(),
                relations: Rc::clone(&state.relations),
                ..State::default()
            };
            self.assume(&mut narrowed, cond, outcome)
                .then(|| self.anew(&narrowed, operand, 2))
        };
        match (side(true, yes), side(false, no)) {
            (Some(a), Some(b)) => a.join(&b),
            (Some(a), None) => a,
            (None, Some(b)) => b,
            (None, None) => self.operand(state, yes),
        }
    }

    fn cast(&self, op: CastOp, val: &Val, to: Type) -> Val {
        let width = match to {
            Type::Int(width @ 1..=64) => Some(width),
            Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Mem(_) => None,
        };
        match op {
            CastOp::ZExt | CastOp::SExt | CastOp::Trunc => match (val, width) {
                (Val::Int(x), Some(width)) => Val::Int(Int::cast(op, x, width)),
                _ => Val::top(to),
            },
            CastOp::Bits => match val {
                Val::Int(x) if to != Type::Ptr => Val::Int(*x),
                _ => Val::top(to),
            },
            CastOp::PtrToInt => match (val, width) {
                (Val::Ptr(targets), Some(width)) if targets.len() == 1 => {
                    match targets.get(&Base::Nothing) {
                        Some(address) if width > address.width => {
                            Val::Int(Int::cast(CastOp::ZExt, address, width))
                        }
                        Some(address) => Val::Int(Int::cast(CastOp::Trunc, address, width)),
                        None => Val::top(to),
                    }
                }
                _ => Val::top(to),
            },
            CastOp::IntToPtr => match val {
                // No object lies in the first page; elsewhere one may.
                Val::Int(x) if x.umax < PAGE => {
                    let bits = self.pointer_bits();
                    let op = if x.width < bits {
                        CastOp::ZExt
                    } else {
                        CastOp::Trunc
                    };
                    Val::pointer(Base::Nothing, Int::cast(op, x, bits))
                }
                _ => Val::Any,
            },
            CastOp::FToS | CastOp::FToU | CastOp::SToF | CastOp::UToF | CastOp::FToF => {
                match (val, Val::top(to)) {
                    // Other formats may have the same sizes, but are not converted.
                    (Val::Int(x), Val::Int(out)) => Val::Int(Int::cast(op, x, out.width)),
                    (_, top) => top,
                }
            }
        }
    }

    fn load(&self, state: &State, mem: &Mem, ptr: &Val, ty: Type) -> Val {
        let Some(targets) = ptr.as_ptr() else {
            return Val::top(ty);
        };
        let bytes = ty.bytes(self.module.machine);
        let mut found: Option<Val> = None;
        for (base, offset) in targets.iter() {
            let Base::Object(obj) = base else {
                return Val::top(ty);
            };
            let Some(object) = mem.objects.get(obj) else {
                return Val::top(ty);
            };
            let end = u128::from(offset.umax) + u128::from(bytes);
            if object.life.dead || end > u128::from(object.size.umin) {
                return Val::top(ty);
            }
            let mut val = object
                .contents
                .read(self.module, offset, object.size.umin, ty);
            // A register with the same value may have been looked at since.
            if let Some(at) = offset.single()
                && let Some(cell) = object.contents.cells.get(&at)
                && cell.ty == ty
                && let Some(same) = cell.same
                && let Some(both) = val.meet(&self.value(state, same))
            {
                val = both;
            }
            found = Some(found.map_or(val.clone(), |known| known.join(&val)));
        }
        found.unwrap_or(Val::top(ty))
    }

    /// What happens to memory.
    fn effect(&self, state: &mut State, inst: Inst, data: &InstData) {
        let out = data.results.last().copied();
        let input = |state: &State, index: usize| {
            data.mems
                .get(index)
                .map_or_else(|| Rc::new(Mem::lost()), |&mem| self.memory(state, mem))
        };
        match &data.op {
            Op::Load { ty, ptr, .. } => {
                // The cell and the register are equal from here on.
                let (Some(&mem), Some(result)) = (data.mems.first(), out) else {
                    return;
                };
                if let Some((obj, at)) = self.exact_cell(state, ptr)
                    && let Some(known) = state.mems.get(&mem)
                    && let Some(object) = known.objects.get(&obj)
                    && !object.life.dead
                    && let end = at.saturating_add(ty.bytes(self.module.machine))
                    && end <= object.size.umin
                {
                    let val = self.value(state, result);
                    let cell = Cell {
                        ty: *ty,
                        bytes: ty.bytes(self.module.machine),
                        val,
                        same: Some(result),
                    };
                    let known = state.mems.get_mut(&mem).expect("listed");
                    let object = Rc::make_mut(known).objects.get_mut(&obj).expect("listed");
                    let exists = object.contents.cells.get(&at);
                    if exists.is_none_or(|old| old.ty != cell.ty || old.same.is_none()) {
                        Rc::make_mut(object).contents.write_at(at, cell);
                    }
                }
            }
            Op::Alloc {
                kind, size, zeroed, ..
            } => {
                let size = match self.operand(state, size) {
                    Val::Int(size) => size,
                    Val::Ptr(_) | Val::Any => Int::top(self.pointer_bits()),
                };
                state.age(inst, self.module);
                let mut mem = (*input(state, 0)).clone();
                let object = Object {
                    life: Life::ALIVE,
                    size,
                    kind: match kind {
                        AllocKind::Stack => Kind::Stack,
                        AllocKind::Sealed => Kind::Sealed,
                        AllocKind::Heap => Kind::Heap,
                    },
                    contents: Contents {
                        cells: Default::default(),
                        rest: if *zeroed { Rest::Zero } else { Rest::Any },
                    },
                };
                mem.objects.insert(Obj::Recent(inst), Rc::new(object));
                let zero = Int::constant(0, self.pointer_bits());
                let pointer = Val::pointer(Base::Object(Obj::Recent(inst)), zero);
                state.vals.insert(data.results[0], pointer);
                self.set_mem(state, out, mem);
            }
            Op::Free(ptr) => {
                let pointer = self.operand(state, ptr);
                let mem = self.change(&input(state, 0), &pointer, |object, offset, sure| {
                    if object.kind != Kind::Heap || !offset.contains(0) {
                        return;
                    }
                    let sure = sure && offset.single() == Some(0);
                    object.life = if sure {
                        Life::DEAD
                    } else {
                        object.life.join(Life::DEAD)
                    };
                });
                self.set_mem(state, out, mem);
            }
            Op::LifetimeStart(ptr) => {
                let pointer = self.operand(state, ptr);
                let mem = self.change(&input(state, 0), &pointer, |object, _, sure| {
                    object.contents = Contents::any();
                    object.life = if sure {
                        Life::ALIVE
                    } else {
                        object.life.join(Life::ALIVE)
                    };
                });
                self.set_mem(state, out, mem);
            }
            Op::LifetimeEnd(ptr) => {
                let pointer = self.operand(state, ptr);
                let mem = self.change(&input(state, 0), &pointer, |object, _, sure| {
                    object.life = if sure {
                        Life::DEAD
                    } else {
                        object.life.join(Life::DEAD)
                    };
                });
                self.set_mem(state, out, mem);
            }
            Op::Store { ty, ptr, value, .. } => {
                let (pointer, val) = (self.operand(state, ptr), self.operand(state, value));
                let bytes = ty.bytes(self.module.machine);
                let mem = self.change(&input(state, 0), &pointer, |object, offset, sure| {
                    let end = u128::from(offset.umax) + u128::from(bytes);
                    let inside = end <= u128::from(object.size.umin) && !object.life.dead;
                    match offset.single() {
                        Some(at) if sure && inside => {
                            let cell = Cell {
                                ty: *ty,
                                bytes,
                                val: val.clone(),
                                same: value.as_value(),
                            };
                            object.contents.write_at(at, cell);
                        }
                        _ => {
                            let size = object.size.umin;
                            object
                                .contents
                                .join_at(self.module, offset, size, *ty, &val);
                        }
                    }
                });
                self.set_mem(state, out, mem);
            }
            Op::MemSet { dst, byte, len } => {
                let (pointer, byte) = (self.operand(state, dst), self.operand(state, byte));
                let len = self.operand(state, len);
                let mem = self.change(&input(state, 0), &pointer, |object, offset, sure| {
                    let size = object.size.umin;
                    let stretch = offset.single().zip(len.single()).filter(|(at, len)| {
                        sure && at.checked_add(*len).is_some_and(|end| end <= size)
                            && !object.life.dead
                            && (*at == 0 && object.size.umax == size || *len <= 64)
                    });
                    object.contents.fill(self.module, stretch, size, &byte);
                });
                self.set_mem(state, out, mem);
            }
            Op::MemHavoc { dst, .. } => {
                let pointer = self.operand(state, dst);
                let mem = self.change(&input(state, 0), &pointer, |object, _, _| {
                    object.contents = Contents::any();
                });
                self.set_mem(state, out, mem);
            }
            Op::MemCopy { dst, src, len } => {
                let (to, from) = (self.operand(state, dst), self.operand(state, src));
                let len = self.operand(state, len).single();
                let source = self.copied(&input(state, 1), &from, len);
                let mem = self.change(&input(state, 0), &to, |object, offset, sure| {
                    let whole = sure
                        && offset.single() == Some(0)
                        && object.size.single() == len
                        && !object.life.dead;
                    match &source {
                        Some(contents) if whole => object.contents = contents.clone(),
                        _ => object.contents = Contents::any(),
                    }
                });
                self.set_mem(state, out, mem);
            }
            Op::StoreShadow { .. } | Op::ResetModified(_) => {
                let mem = (*input(state, 0)).clone();
                self.set_mem(state, out, mem);
            }
            Op::StackRestore(_) | Op::Leave => {
                for (index, &result) in self.mem_results(data).iter().enumerate() {
                    let mut mem = (*input(state, index)).clone();
                    for object in mem.objects.values_mut() {
                        if matches!(object.kind, Kind::Stack | Kind::Sealed) && object.life.alive {
                            let object = Rc::make_mut(object);
                            object.life = match data.op {
                                Op::Leave => Life::DEAD,
                                _ => object.life.join(Life::DEAD),
                            };
                        }
                    }
                    self.set_mem(state, Some(result), mem);
                }
            }
            Op::Clobber(_) => {
                for (index, &result) in self.mem_results(data).iter().enumerate() {
                    let mut mem = (*input(state, index)).clone();
                    mem.lost = true;
                    for (obj, object) in &mut mem.objects {
                        let constant = match obj {
                            Obj::Global(global) => self.module.globals[*global].constant,
                            Obj::Recent(_) | Obj::Old(_) => false,
                        };
                        if constant {
                            continue;
                        }
                        let object = Rc::make_mut(object);
                        object.contents = Contents::any();
                        if object.kind == Kind::Heap {
                            object.life = object.life.join(Life::DEAD);
                        }
                    }
                    self.set_mem(state, Some(result), mem);
                }
            }
            Op::HavocRegion => {
                let mut mem = (*input(state, 0)).clone();
                for (obj, object) in &mut mem.objects {
                    let constant = match obj {
                        Obj::Global(global) => self.module.globals[*global].constant,
                        Obj::Recent(_) | Obj::Old(_) => false,
                    };
                    if !constant {
                        Rc::make_mut(object).contents = Contents::any();
                    }
                }
                self.set_mem(state, out, mem);
            }
            Op::NewRegion(_) => self.set_mem(state, out, Mem::default()),
            Op::Call { .. } => {
                // Nothing is known of what comes back: memories that are not listed are lost, and
                // so is what the callee may reach.
                state.mems.clear();
                #[allow(clippy::iter_over_hash_type)]
                for val in state.vals.values_mut() {
                    if let Val::Ptr(_) = val {
                        *val = Val::Any;
                    }
                }
            }
            Op::Binary(..)
            | Op::Unary(..)
            | Op::Compare(..)
            | Op::Overflow(..)
            | Op::Cast(..)
            | Op::Select(..)
            | Op::Offset(..)
            | Op::Copy(_)
            | Op::Nondet(..)
            | Op::StackSave
            | Op::Show(_)
            | Op::MemCompare { .. }
            | Op::IsDeref { .. }
            | Op::IsFreeable(_)
            | Op::IsDisjoint { .. }
            | Op::AllTracked
            | Op::AllFreed
            | Op::IsAlive(_)
            | Op::IsModified(_)
            | Op::LoadShadow { .. }
            | Op::ObjectSize(_)
            | Op::ObjectOffset(_)
            | Op::Assume(..)
            | Op::Check(..)
            | Op::Debug { .. } => {}
        }
    }

    fn mem_results(&self, data: &InstData) -> Vec<Value> {
        let is_mem = |value: &&Value| self.body.values[**value].ty.is_mem();
        data.results.iter().filter(is_mem).copied().collect()
    }

    fn set_mem(&self, state: &mut State, result: Option<Value>, mem: Mem) {
        if let Some(result) = result {
            state.mems.insert(result, Rc::new(mem));
        }
    }

    /// The one cell that a pointer surely addresses.
    pub(crate) fn exact_cell(&self, state: &State, ptr: &Operand) -> Option<(Obj, u64)> {
        let val = self.operand(state, ptr);
        let targets = val.as_ptr()?;
        let (base, offset) = targets.iter().next()?;
        match base {
            Base::Object(obj) if targets.len() == 1 && obj.is_one() => {
                Some((*obj, offset.single()?))
            }
            Base::Nothing | Base::Object(_) | Base::Func(_) => None,
        }
    }

    /// Changes each object that a pointer may point into; `sure` if it is the only one.
    fn change(&self, mem: &Mem, ptr: &Val, mut change: impl FnMut(&mut Object, &Int, bool)) -> Mem {
        let mut mem = mem.clone();
        match ptr.as_ptr() {
            Some(targets) => {
                let targets: &Targets = targets;
                let one = targets.len() == 1;
                for (base, offset) in targets {
                    match base {
                        Base::Object(obj) => {
                            if let Some(object) = mem.objects.get_mut(obj) {
                                change(Rc::make_mut(object), offset, one && obj.is_one());
                            }
                        }
                        // No object is there.
                        Base::Nothing if offset.umax < PAGE => {}
                        Base::Func(_) => {}
                        Base::Nothing => {
                            let any = Int::top(self.pointer_bits());
                            for object in mem.objects.values_mut() {
                                change(Rc::make_mut(object), &any, false);
                            }
                        }
                    }
                }
            }
            None => {
                let any = Int::top(self.pointer_bits());
                for object in mem.objects.values_mut() {
                    change(Rc::make_mut(object), &any, false);
                }
            }
        }
        mem
    }

    /// The contents of a whole object that is copied.
    fn copied(&self, mem: &Mem, ptr: &Val, len: Option<u64>) -> Option<Contents> {
        let targets = ptr.as_ptr()?;
        let (base, offset) = targets.iter().next()?;
        let Base::Object(obj) = base else { return None };
        if targets.len() != 1 || offset.single() != Some(0) {
            return None;
        }
        let object = mem.objects.get(obj)?;
        let whole = !object.life.dead && object.size.single() == len && len.is_some();
        whole.then(|| object.contents.clone())
    }
}
