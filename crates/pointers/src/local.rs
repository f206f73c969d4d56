//! What each instruction says: the local phase.
//!
//! Pointers that may hold one address get one cell; loads and stores connect registers with the
//! fields that their pointers lead to. Accesses decide which fields there are: the IR has no types
//! beyond that. Operations that move an integer as wide as a pointer (load, store, copy,
//! select, arguments) carry a pointer's address along without harm; all others compute with it, and the
//! slots remember that (`rules.rs`).
//!
//! What needs no thought elsewhere is decided here:
//!
//! - Fresh memory leads nowhere: a pointer that was never written has no object to be valid for.
//!   The same goes for undefined and uninitialised registers.
//! - A freely chosen pointer (`nondet` as an input) may be any that was exposed or is compared with it.
//! - Unknown code (`clobber`, calls without a body) merges all it can reach into the
//!   *unknown* node, whose only slot leads to itself.
//! - A function's address is an object of its own, so that the targets of a call are a node's functions.

use base::Map;
use ir::cfg::Cfg;
use ir::loops::Loops;
use ir::syntax::{
    AllocKind, Block, Body, Callee, CastOp, Const, Func, Inst, NondetKind, Op, Operand, Terminator,
    Type, Value,
};

use crate::affine::affine;
use crate::graph::{Cell, Slot};
use crate::node::{Count, NodeFlags, Site, SlotFlags, Uniform};
use crate::state::{CallSite, Foreign, Held, IndirectSite, State};

impl State<'_> {
    /// The operand moves into the register.
    fn assign(&mut self, func: Func, to: Value, ty: Type, from: &Operand) {
        if ty == Type::Ptr {
            if let Some(cell) = self.cell(func, from) {
                self.define(func, to, cell);
            }
        } else if self.carries(ty) {
            let slot = self.slot(func, to);
            self.move_into(func, slot, from);
        }
    }

    /// An integer as wide as a pointer moves into a slot.
    fn move_into(&mut self, func: Func, slot: Slot, from: &Operand) {
        match from {
            Operand::Value(value) => {
                let other = self.slot(func, *value);
                self.graph.unify_slots(slot, other);
            }
            Operand::Const(Const::Int(bv)) if bv.is_zero() => {}
            Operand::Const(_) => self.graph.mark_slot(slot, SlotFlags::ARBITRARY),
        }
    }

    /// The operand's bits are computed with.
    fn observe(&mut self, func: Func, operand: &Operand) {
        let Operand::Value(value) = operand else {
            return;
        };
        let body = self.module.body(func);
        if self.carries(body.values[*value].ty) {
            let slot = self.slot(func, *value);
            self.graph.mark_slot(slot, SlotFlags::OBSERVED);
        }
    }

    /// The register's bits are the result of a computation, or chosen.
    fn compute(&mut self, func: Func, value: Value) {
        let body = self.module.body(func);
        if self.carries(body.values[value].ty) {
            let slot = self.slot(func, value);
            self.graph.mark_slot(slot, SlotFlags::ARBITRARY);
        }
    }

    /// A pointer of unknown origin: any integer, used as a pointer.
    fn any_pointer(&mut self, func: Func, value: Value) {
        let component = self.component_of[func];
        let slot = self.graph.new_slot();
        self.graph.mark_slot(slot, SlotFlags::ARBITRARY);
        self.graph.mark_slot(slot, SlotFlags::POINTER);
        let cell = self.graph.link_or_new(slot, component);
        self.define(func, value, cell);
    }

    /// The address is known to computations.
    fn expose(&mut self, func: Func, operand: &Operand) {
        if let Some(cell) = self.cell(func, operand) {
            self.graph.mark(cell.node, NodeFlags::EXPOSED);
        }
    }

    /// Unknown code gets the pointer.
    fn escape(&mut self, func: Func, operand: &Operand) {
        let unknown = self.unknown();
        if let Some(cell) = self.cell(func, operand) {
            self.graph.unify(cell, unknown);
        }
    }

    fn compare(&mut self, func: Func, a: &Operand, b: &Operand) {
        if let (Some(a), Some(b)) = (self.cell(func, a), self.cell(func, b)) {
            self.compared.push((a, b));
        }
    }

    /// The body's instructions and jumps.
    pub fn add_body(&mut self, func: Func) {
        let Some(body) = &self.module.funcs[func].body else {
            return;
        };
        let cyclic = cyclic_blocks(body);
        for (block, inst) in body.insts_in_order() {
            self.add_inst(func, body, inst, cyclic[block]);
        }
        for data in body.blocks.values() {
            for target in data.terminator.targets() {
                for (&param, arg) in body.blocks[target.block].params.iter().zip(&target.args) {
                    self.assign(func, param, body.values[param].ty, arg);
                }
            }
            match &data.terminator {
                Terminator::Return(operands) => self.add_return(func, operands),
                Terminator::Branch(operand, ..) | Terminator::Switch(operand, ..) => {
                    self.observe(func, operand);
                }
                Terminator::Jump(_) | Terminator::Halt(_) => {}
            }
        }
    }

    fn add_return(&mut self, func: Func, operands: &[Operand]) {
        let body = self.module.body(func);
        for (index, operand) in operands.iter().enumerate() {
            let ty = body.type_of(operand);
            if ty == Type::Ptr {
                let Some(cell) = self.cell(func, operand) else {
                    continue;
                };
                match self.returns[func][index] {
                    Held::Cell(old) => self.graph.unify(old, cell),
                    Held::Nothing | Held::Slot(_) => self.returns[func][index] = Held::Cell(cell),
                }
            } else if self.carries(ty) {
                let slot = self.returned_slot(func, index);
                self.move_into(func, slot, operand);
            }
        }
    }

    /// Notes an access of a node; returns its cell.
    fn access(&mut self, func: Func, operand: &Operand, flags: NodeFlags) -> Cell {
        let cell = self.accessed(func, operand);
        self.graph.mark(cell.node, flags);
        let data = self.graph.data_mut(cell.node);
        data.accesses = data.accesses.saturating_add(1);
        cell
    }

    /// Notes an access of some bytes that are no scalar of a known width.
    fn access_bytes(
        &mut self,
        func: Func,
        operand: &Operand,
        len: &Operand,
        flags: NodeFlags,
    ) -> Cell {
        let cell = self.access(func, operand, flags);
        let body = self.module.body(func);
        let len = affine(body, len);
        let at = self.graph.norm(cell).offset;
        let data = self.graph.data_mut(cell.node);
        data.scalar = Uniform::Mixed;
        data.grid.point(at);
        match len.as_constant() {
            Some(len) => data.grid.length(u64::try_from(len).unwrap_or(1)),
            None => {
                data.grid.length(len.step());
                data.grid
                    .length(u64::try_from(len.residue.unsigned_abs()).unwrap_or(1));
            }
        }
        cell
    }

    fn access_scalar(&mut self, func: Func, operand: &Operand, ty: Type, flags: NodeFlags) -> Cell {
        let cell = self.access(func, operand, flags);
        let at = self.graph.norm(cell).offset;
        let bytes = ty.bytes(self.module.machine);
        let data = self.graph.data_mut(cell.node);
        data.scalar.see((at, ty));
        data.grid.point(at);
        data.grid.length(bytes);
        cell
    }

    fn touch(&mut self, func: Func, inst: Inst, operand: &Operand, flags: NodeFlags) {
        let cell = self.access(func, operand, flags);
        self.accesses[func][inst.index()].0 = Some(cell);
    }

    fn add_load(&mut self, func: Func, inst: Inst, ty: Type, ptr: &Operand, volatile: bool) {
        let body = self.module.body(func);
        let component = self.component_of[func];
        let cell = self.access_scalar(func, ptr, ty, NodeFlags::READ);
        self.accesses[func][inst.index()].0 = Some(cell);
        let bytes = ty.bytes(self.module.machine) as u32;
        let slot = self.graph.field(cell, bytes);
        if volatile {
            self.graph.mark_slot(slot, SlotFlags::ARBITRARY);
        }
        let result = body.insts[inst].result();
        match (ty == Type::Ptr, self.carries(ty), result) {
            (true, _, Some(result)) => {
                self.graph.mark_slot(slot, SlotFlags::POINTER);
                let target = self.graph.link_or_new(slot, component);
                self.define(func, result, target);
            }
            (false, true, Some(result)) => self.define_slot(func, result, slot),
            (false, false, _) | (_, _, None) => self.graph.mark_slot(slot, SlotFlags::OBSERVED),
        }
    }

    fn add_store(&mut self, func: Func, inst: Inst, ty: Type, ptr: &Operand, value: &Operand) {
        let cell = self.access_scalar(func, ptr, ty, NodeFlags::MODIFIED);
        self.accesses[func][inst.index()].0 = Some(cell);
        let bytes = ty.bytes(self.module.machine) as u32;
        let slot = self.graph.field(cell, bytes);
        if ty == Type::Ptr {
            if let Some(target) = self.cell(func, value) {
                self.graph.set_link(slot, target);
            }
        } else if self.carries(ty) {
            self.move_into(func, slot, value);
        } else if !is_zero(value) {
            self.graph.mark_slot(slot, SlotFlags::ARBITRARY);
        }
    }

    fn add_offset(&mut self, func: Func, result: Value, base: &Operand, offset: &Operand) {
        self.observe(func, offset);
        let body = self.module.body(func);
        let Some(cell) = self.cell(func, base) else {
            // Null plus something: an address that was computed.
            self.any_pointer(func, result);
            return;
        };
        let steps = affine(body, offset);
        let at = i64::try_from(steps.residue).unwrap_or(0);
        match steps.as_constant() {
            Some(_) => self.define(func, result, cell.plus(at)),
            None => {
                self.graph.add_stride(cell, steps.step());
                let start = self.graph.norm(cell).offset;
                let data = self.graph.data_mut(cell.node);
                data.grid.point(start.wrapping_add(at));
                self.define(func, result, cell.plus(at));
            }
        }
    }

    fn add_alloc(
        &mut self,
        func: Func,
        inst: Inst,
        kind: AllocKind,
        size: &Operand,
        in_loop: bool,
    ) {
        let body = self.module.body(func);
        let Some(result) = body.insts[inst].result() else {
            return;
        };
        let cell = self.graph.new_cell(self.component_of[func]);
        self.accesses[func][inst.index()].0 = Some(cell);
        let size = affine(body, size).as_constant();
        let data = self.graph.data_mut(cell.node);
        data.flags.add(match kind {
            AllocKind::Stack | AllocKind::Sealed => NodeFlags::STACK,
            AllocKind::Heap => NodeFlags::HEAP,
        });
        data.flags.add(NodeFlags::MODIFIED);
        data.add_site(Site::Alloc(func, inst));
        data.allocs = 1;
        data.grid.point(0);
        match size.and_then(|size| u64::try_from(size).ok()) {
            Some(size) => data.extent.see((0, size)),
            None => data.extent = Uniform::Mixed,
        }
        data.count = if in_loop { Count::Many } else { Count::One };
        self.define(func, result, cell);
    }

    fn add_cast(&mut self, func: Func, result: Value, op: CastOp, from: &Operand, to: Type) {
        let body = self.module.body(func);
        let component = self.component_of[func];
        match op {
            CastOp::PtrToInt if self.carries(to) => {
                // Unknown code may get it in parts, of which nothing is left here.
                if self.foreign == Foreign::Yes {
                    self.expose(func, from);
                }
                if let Some(cell) = self.cell(func, from) {
                    let slot = self.slot(func, result);
                    self.graph.set_link(slot, cell);
                }
            }
            CastOp::PtrToInt => self.expose(func, from),
            CastOp::IntToPtr => match from {
                Operand::Value(value) if self.carries(body.values[*value].ty) => {
                    let slot = self.slot(func, *value);
                    self.graph.mark_slot(slot, SlotFlags::POINTER);
                    let cell = self.graph.link_or_new(slot, component);
                    self.define(func, result, cell);
                }
                Operand::Value(_) | Operand::Const(_) => self.any_pointer(func, result),
            },
            CastOp::ZExt
            | CastOp::SExt
            | CastOp::Trunc
            | CastOp::FToS
            | CastOp::FToU
            | CastOp::SToF
            | CastOp::UToF
            | CastOp::FToF
            | CastOp::Bits => {
                self.observe(func, from);
                self.compute(func, result);
            }
        }
    }

    fn add_call(&mut self, func: Func, inst: Inst, callee: &Callee, args: &[Operand]) {
        match callee {
            Callee::Direct(callee) if self.module.funcs[*callee].body.is_none() => {
                self.call_unknown(func, inst, args);
            }
            Callee::Direct(callee) if self.component_of[*callee] == self.component_of[func] => {
                self.call_inside(func, inst, *callee, args);
            }
            Callee::Direct(callee) => {
                // The registers that the call reads and defines must exist before it is cloned.
                self.calls.push(CallSite {
                    func,
                    inst,
                    callee: *callee,
                });
            }
            Callee::Indirect(pointer) => {
                let pointer = self.cell(func, pointer);
                self.indirect.push(IndirectSite {
                    func,
                    inst,
                    pointer,
                    targets: Vec::new(),
                });
            }
        }
    }

    /// A call inside the component: parameters are arguments.
    pub fn call_inside(&mut self, func: Func, inst: Inst, callee: Func, args: &[Operand]) {
        let module = self.module;
        let inner = module.body(callee);
        for (&param, arg) in inner.params.iter().zip(args) {
            let ty = inner.values[param].ty;
            if ty == Type::Ptr {
                if let Some(cell) = self.cell(func, arg) {
                    self.define(callee, param, cell);
                }
            } else if self.carries(ty) {
                let slot = self.slot(callee, param);
                self.move_into(func, slot, arg);
            }
        }
        let body = module.body(func);
        let results = &body.insts[inst].results;
        for (index, &result) in results.iter().enumerate() {
            let ty = body.values[result].ty;
            if ty == Type::Ptr {
                let cell = self.returned_cell(callee, index);
                self.define(func, result, cell);
            } else if self.carries(ty) {
                let slot = self.returned_slot(callee, index);
                self.define_slot(func, result, slot);
            }
        }
    }

    /// A call of a function without a body: it may keep, change and return what it can reach.
    pub fn call_unknown(&mut self, func: Func, inst: Inst, args: &[Operand]) {
        let body = self.module.body(func);
        for arg in args {
            match body.type_of(arg) {
                Type::Ptr => self.escape(func, arg),
                Type::Int(_) | Type::Float(_) | Type::Mem(_) => self.observe(func, arg),
            }
        }
        for &result in &body.insts[inst].results {
            match body.values[result].ty {
                Type::Ptr => {
                    let unknown = self.unknown();
                    self.define(func, result, unknown);
                }
                Type::Int(_) | Type::Float(_) | Type::Mem(_) => self.compute(func, result),
            }
        }
    }

    fn add_nondet(&mut self, func: Func, result: Value, ty: Type, kind: NondetKind) {
        match (ty, kind) {
            (Type::Ptr, NondetKind::Input | NondetKind::Approx) => self.any_pointer(func, result),
            (Type::Ptr, NondetKind::Extern) => {
                let unknown = self.unknown();
                self.define(func, result, unknown);
            }
            // Nothing is valid for it: it leads nowhere by itself.
            (Type::Ptr, NondetKind::Uninit | NondetKind::Undef) => {}
            (Type::Int(_) | Type::Float(_) | Type::Mem(_), _) => self.compute(func, result),
        }
    }

    fn add_inst(&mut self, func: Func, body: &Body, inst: Inst, in_loop: bool) {
        let data = &body.insts[inst];
        let result = data.result();
        match &data.op {
            Op::Binary(_, a, b) | Op::Overflow(_, a, b) => {
                self.observe(func, a);
                self.observe(func, b);
                self.compute_results(func, inst);
            }
            Op::Unary(_, a) => {
                self.observe(func, a);
                self.compute_results(func, inst);
            }
            Op::Compare(_, a, b) => {
                if body.type_of(a) == Type::Ptr {
                    self.compare(func, a, b);
                }
                self.observe(func, a);
                self.observe(func, b);
            }
            Op::Cast(op, a, ty) => {
                if let Some(result) = result {
                    self.add_cast(func, result, *op, a, *ty);
                }
            }
            Op::Select(_, a, b) => {
                if let Some(result) = result {
                    let ty = body.values[result].ty;
                    self.assign(func, result, ty, a);
                    self.assign(func, result, ty, b);
                }
            }
            Op::Copy(a) => {
                if let Some(result) = result {
                    self.assign(func, result, body.values[result].ty, a);
                }
            }
            Op::Offset(base, offset) => {
                if let Some(result) = result {
                    self.add_offset(func, result, base, offset);
                }
            }
            Op::Nondet(ty, kind) => {
                if let Some(result) = result {
                    self.add_nondet(func, result, *ty, *kind);
                }
            }
            Op::Alloc { kind, size, .. } => self.add_alloc(func, inst, *kind, size, in_loop),
            Op::Free(a) | Op::LifetimeStart(a) | Op::LifetimeEnd(a) | Op::ResetModified(a) => {
                self.touch(func, inst, a, NodeFlags::MODIFIED)
            }
            Op::IsFreeable(a) | Op::IsAlive(a) | Op::IsModified(a) => {
                self.touch(func, inst, a, NodeFlags::READ);
            }
            Op::IsDeref { ptr, .. } => self.touch(func, inst, ptr, NodeFlags::READ),
            Op::ObjectSize(a) => self.touch(func, inst, a, NodeFlags::READ),
            Op::ObjectOffset(a) => {
                // The address itself, if there is no object.
                self.expose(func, a);
                self.touch(func, inst, a, NodeFlags::READ);
                self.compute_results(func, inst);
            }
            // What is kept in the shadow is not followed: integers in, integers out.
            Op::LoadShadow { ptr, .. } => {
                self.touch(func, inst, ptr, NodeFlags::READ);
                self.compute_results(func, inst);
            }
            Op::StoreShadow { ptr, value, .. } => {
                self.observe(func, value);
                self.touch(func, inst, ptr, NodeFlags::MODIFIED);
            }
            Op::Load {
                ty, ptr, volatile, ..
            } => self.add_load(func, inst, *ty, ptr, *volatile),
            Op::Store { ty, ptr, value, .. } => self.add_store(func, inst, *ty, ptr, value),
            Op::MemCopy { dst, src, len } => {
                let to = self.access_bytes(func, dst, len, NodeFlags::MODIFIED);
                let from = self.access_bytes(func, src, len, NodeFlags::READ);
                self.accesses[func][inst.index()] = (Some(to), Some(from));
                self.graph.unify_contents(to, from);
            }
            Op::MemSet { dst, byte, len } => {
                let to = self.access_bytes(func, dst, len, NodeFlags::MODIFIED);
                self.accesses[func][inst.index()].0 = Some(to);
                if !is_zero(byte) {
                    let (shape, _) = self.graph.place(to);
                    self.graph.mark_shape(shape, SlotFlags::ARBITRARY);
                }
            }
            Op::MemHavoc { dst, len } => {
                let to = self.access_bytes(func, dst, len, NodeFlags::MODIFIED);
                self.accesses[func][inst.index()].0 = Some(to);
                let (shape, _) = self.graph.place(to);
                self.graph.mark_shape(shape, SlotFlags::ARBITRARY);
            }
            Op::MemCompare { left, right, len } => {
                let a = self.access_bytes(func, left, len, NodeFlags::READ);
                let b = self.access_bytes(func, right, len, NodeFlags::READ);
                self.accesses[func][inst.index()] = (Some(a), Some(b));
                self.observe_bytes(a);
                self.observe_bytes(b);
            }
            Op::Clobber(pointers) | Op::Show(pointers) => {
                self.unknown();
                for pointer in pointers {
                    self.escape(func, pointer);
                }
            }
            Op::IsDisjoint { left, right, .. } => self.compare(func, left, right),
            Op::Call { callee, args, .. } => self.add_call(func, inst, callee, args),
            Op::StackSave
            | Op::StackRestore(_)
            | Op::Leave
            | Op::AllTracked
            | Op::AllFreed
            | Op::HavocRegion
            | Op::NewRegion(_)
            | Op::Assume(..)
            | Op::Check(..)
            | Op::Debug { .. } => {}
        }
    }

    fn compute_results(&mut self, func: Func, inst: Inst) {
        for &result in &self.module.body(func).insts[inst].results {
            self.compute(func, result);
        }
    }

    /// All bytes of the cell's objects are looked at.
    fn observe_bytes(&mut self, cell: Cell) {
        let (shape, _) = self.graph.place(cell);
        self.graph.mark_shape(shape, SlotFlags::OBSERVED);
    }
}

fn is_zero(operand: &Operand) -> bool {
    match operand {
        Operand::Const(Const::Int(bv) | Const::Float(_, bv)) => bv.is_zero(),
        Operand::Const(Const::Null) => true,
        Operand::Const(Const::Global(..) | Const::Func(_)) | Operand::Value(_) => false,
    }
}

/// The blocks that can be executed several times in one activation.
fn cyclic_blocks(body: &Body) -> Map<Block, bool> {
    let loops = Loops::new(&Cfg::new(body));
    loops.innermost.values().map(Option::is_some).collect()
}
