//! The conservative provider of regions: variables whose address stays where it is.
//!
//! One union-find over the module. Its members are the pointers of all functions, the globals, and
//! one member `unknown` for everything that is not followed. What may hold the same address is
//! united: the result of `offset` with its base, both arms of a `select` with its result, arguments
//! with block parameters, operands of a comparison. What leaves the function's registers
//! (parameters, arguments, results, whatever is loaded, stored or cast) is united with `unknown`.
//! A class that stays apart from `unknown` then has
//!
//! - globals only: it is a region of the module, passed to the functions that touch it;
//! - stack allocations of one function only: it is a region local to that function;
//! - both, or nothing: it counts as unknown.
//!
//! Everything unknown is `r0`. Why an object in a class of its own cannot be reached by any other
//! pointer, not even by one made from an integer, is argued in `docs/why/regions.md`.
//!
//! Two more cases are unknown. Globals that other translation units see, if unknown code is called
//! or returns pointers anywhere. And the stack of functions that may be alive while a leak check
//! runs in a callee: that check must see all memory, and a local region is not handed on.
//!
//! Regions are parameters, so their number is capped: the classes with the most accesses get a
//! region of their own, the rest share one.

use std::collections::BTreeMap;

use base::Map;
use ir::syntax::{
    AllocKind, Body, Callee, CastOp, Const, Func, Global, InitPiece, Inst, Module, NondetKind, Op,
    Operand, Region, Type, Value,
};

use crate::regions::{EVERYTHING, FuncRegions, RegionInfo, Regions};

/// Regions of globals that a module may have, the shared one included.
const MAX_GLOBAL_REGIONS: usize = 16;

/// Local regions that a function may have, the shared one included.
const MAX_LOCAL_REGIONS: usize = 16;

/// Divides the memory of a Lowered module.
pub fn split(module: &Module) -> Regions {
    let mut classes = Classes::new(module);
    for (func, data) in module.funcs.iter() {
        if let Some(body) = &data.body {
            classes.unite_body(func, body);
        }
    }
    classes.unite_globals(module);
    let watched = watched(module);
    let uses = Uses::count(module, &mut classes, &watched);
    uses.assign(module, &mut classes)
}

/// Union-find over pointers. Members are numbered: `unknown`, then the globals, then the values of
/// each function.
struct Classes {
    parent: Vec<u32>,
    first_value: Map<Func, u32>,
}

const UNKNOWN: u32 = 0;

impl Classes {
    fn new(module: &Module) -> Classes {
        let mut next = 1 + module.globals.len() as u32;
        let first_value = module
            .funcs
            .values()
            .map(|data| {
                let first = next;
                next += data
                    .body
                    .as_ref()
                    .map_or(0, |body| body.values.len() as u32);
                first
            })
            .collect();
        Classes {
            parent: (0..next).collect(),
            first_value,
        }
    }

    fn global(global: Global) -> u32 {
        1 + global.index() as u32
    }

    fn value(&self, func: Func, value: Value) -> u32 {
        self.first_value[func] + value.index() as u32
    }

    /// The member of a pointer; none if it leads to no object at all.
    fn operand(&self, func: Func, operand: &Operand) -> Option<u32> {
        match operand {
            Operand::Value(value) => Some(self.value(func, *value)),
            Operand::Const(Const::Global(global, _)) => Some(Classes::global(*global)),
            Operand::Const(Const::Int(_) | Const::Float(..) | Const::Null | Const::Func(_)) => None,
        }
    }

    fn find(&mut self, member: u32) -> u32 {
        let mut member = member as usize;
        while self.parent[member] as usize != member {
            // Halving the path keeps later searches short.
            self.parent[member] = self.parent[self.parent[member] as usize];
            member = self.parent[member] as usize;
        }
        member as u32
    }

    fn unite(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller number wins, so that `unknown` always represents its class.
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn unite_operands(&mut self, func: Func, a: &Operand, b: &Operand) {
        if let (Some(a), Some(b)) = (self.operand(func, a), self.operand(func, b)) {
            self.unite(a, b);
        }
    }

    fn forget(&mut self, func: Func, operand: &Operand) {
        if let Some(member) = self.operand(func, operand) {
            self.unite(member, UNKNOWN);
        }
    }

    fn unite_body(&mut self, func: Func, body: &Body) {
        let is_ptr = |operand: &Operand| body.type_of(operand) == Type::Ptr;
        for &param in &body.params {
            if body.values[param].ty == Type::Ptr {
                self.forget(func, &param.into());
            }
        }
        for (_, inst) in body.insts_in_order() {
            let data = &body.insts[inst];
            let results = data.results.iter().copied();
            let pointer_results = results.filter(|&v| body.values[v].ty == Type::Ptr);
            match &data.op {
                Op::Select(_, a, b) if is_ptr(a) => {
                    for result in pointer_results {
                        self.unite_operands(func, &result.into(), a);
                        self.unite_operands(func, &result.into(), b);
                    }
                }
                Op::Copy(a) | Op::Offset(a, _) if is_ptr(a) => {
                    for result in pointer_results {
                        self.unite_operands(func, &result.into(), a);
                    }
                }
                Op::Compare(_, a, b)
                | Op::IsDisjoint {
                    left: a, right: b, ..
                } if is_ptr(a) => {
                    self.unite_operands(func, a, b);
                }
                Op::Store { ty, value, .. } => {
                    if *ty == Type::Ptr {
                        self.forget(func, value);
                    }
                }
                Op::Cast(CastOp::PtrToInt, a, _) => self.forget(func, a),
                Op::Alloc {
                    kind: AllocKind::Stack | AllocKind::Sealed,
                    ..
                } => {}
                Op::Clobber(pointers) | Op::Show(pointers) => {
                    for pointer in pointers {
                        self.forget(func, pointer);
                    }
                }
                Op::Call { callee, args, .. } => {
                    if let Callee::Indirect(pointer) = callee {
                        self.forget(func, pointer);
                    }
                    for arg in args.iter().filter(|arg| is_ptr(arg)) {
                        self.forget(func, arg);
                    }
                    for result in pointer_results {
                        self.forget(func, &result.into());
                    }
                }
                Op::Alloc {
                    kind: AllocKind::Heap,
                    ..
                }
                | Op::Binary(..)
                | Op::Unary(..)
                | Op::Compare(..)
                | Op::Overflow(..)
                | Op::Cast(..)
                | Op::Select(..)
                | Op::Offset(..)
                | Op::Copy(_)
                | Op::Nondet(..)
                | Op::Free(_)
                | Op::LifetimeStart(_)
                | Op::LifetimeEnd(_)
                | Op::StackSave
                | Op::StackRestore(_)
                | Op::Leave
                | Op::Load { .. }
                | Op::MemCopy { .. }
                | Op::MemSet { .. }
                | Op::MemCompare { .. }
                | Op::MemHavoc { .. }
                | Op::HavocRegion
                | Op::NewRegion(_)
                | Op::IsDeref { .. }
                | Op::IsFreeable(_)
                | Op::IsDisjoint { .. }
                | Op::AllTracked
                | Op::AllFreed
                | Op::IsAlive(_)
                | Op::IsModified(_)
                | Op::ResetModified(_)
                | Op::LoadShadow { .. }
                | Op::StoreShadow { .. }
                | Op::ObjectSize(_)
                | Op::ObjectOffset(_)
                | Op::Assume(..)
                | Op::Check(..)
                | Op::Debug { .. } => {
                    // A pointer that comes from elsewhere; reading through one reveals nothing.
                    for result in pointer_results {
                        self.forget(func, &result.into());
                    }
                }
            }
        }
        for data in body.blocks.values() {
            for target in data.terminator.targets() {
                for (&param, arg) in body.blocks[target.block].params.iter().zip(&target.args) {
                    if body.values[param].ty == Type::Ptr {
                        self.unite_operands(func, &param.into(), arg);
                    }
                }
            }
            if let ir::syntax::Terminator::Return(operands) = &data.terminator {
                for operand in operands.iter().filter(|operand| is_ptr(operand)) {
                    self.forget(func, operand);
                }
            }
        }
    }

    fn unite_globals(&mut self, module: &Module) {
        let foreign_pointers = module
            .funcs
            .values()
            .filter_map(|func| func.body.as_ref())
            .any(|body| {
                body.insts_in_order().any(|(_, inst)| {
                    matches!(
                        body.insts[inst].op,
                        Op::Clobber(_) | Op::Show(_) | Op::Nondet(Type::Ptr, NondetKind::Extern)
                    )
                })
            });
        for (global, data) in module.globals.iter() {
            if data.external && foreign_pointers {
                self.unite(Classes::global(global), UNKNOWN);
            }
            for piece in &data.init {
                if let InitPiece::Pointer(Const::Global(pointee, _)) = piece {
                    self.unite(Classes::global(*pointee), UNKNOWN);
                }
            }
        }
    }
}

/// The functions that may be alive while a leak check runs in a callee.
fn watched(module: &Module) -> Map<Func, bool> {
    let mut callers: Map<Func, Vec<Func>> = Map::filled(Vec::new(), module.funcs.len());
    let mut work = Vec::new();
    for (func, data) in module.funcs.iter() {
        let Some(body) = &data.body else { continue };
        for (_, inst) in body.insts_in_order() {
            match &body.insts[inst].op {
                Op::AllTracked if work.last() != Some(&func) => work.push(func),
                Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => callers[*callee].push(func),
                _ => {} // Neither calls nor judges leaks.
            }
        }
    }
    let mut watched = Map::filled(false, module.funcs.len());
    while let Some(func) = work.pop() {
        for &caller in &callers[func] {
            if !std::mem::replace(&mut watched[caller], true) {
                work.push(caller);
            }
        }
    }
    watched
}

/// What a class holds and how often it is accessed.
#[derive(Clone, Default)]
struct ClassUse {
    globals: Vec<Global>,
    allocs_of: Option<Func>,
    accesses: usize,
}

/// All classes that hold an object, by their representative.
struct Uses {
    by_class: BTreeMap<u32, ClassUse>,
}

/// The pointer operands of an operation that lead to memory, and for an allocation its result.
fn pointers(op: &Op, result: Option<Value>) -> (Option<Operand>, Option<Operand>) {
    match op {
        Op::Alloc { .. } => (result.map(Operand::Value), None),
        Op::Free(a)
        | Op::LifetimeStart(a)
        | Op::LifetimeEnd(a)
        | Op::Load { ptr: a, .. }
        | Op::Store { ptr: a, .. }
        | Op::MemSet { dst: a, .. }
        | Op::MemHavoc { dst: a, .. }
        | Op::IsDeref { ptr: a, .. }
        | Op::IsFreeable(a)
        | Op::IsAlive(a)
        | Op::IsModified(a)
        | Op::ResetModified(a)
        | Op::LoadShadow { ptr: a, .. }
        | Op::StoreShadow { ptr: a, .. }
        | Op::ObjectSize(a)
        | Op::ObjectOffset(a) => (Some(a.clone()), None),
        Op::MemCopy { dst: a, src: b, .. }
        | Op::MemCompare {
            left: a, right: b, ..
        } => (Some(a.clone()), Some(b.clone())),
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
        | Op::StackRestore(_)
        | Op::Leave
        | Op::Clobber(_)
        | Op::Show(_)
        | Op::HavocRegion
        | Op::NewRegion(_)
        | Op::IsDisjoint { .. }
        | Op::AllTracked
        | Op::AllFreed
        | Op::Call { .. }
        | Op::Assume(..)
        | Op::Check(..)
        | Op::Debug { .. } => (None, None),
    }
}

impl Uses {
    fn count(module: &Module, classes: &mut Classes, watched: &Map<Func, bool>) -> Uses {
        let mut by_class: BTreeMap<u32, ClassUse> = Default::default();
        let mut mixed = Vec::new();
        for global in module.globals.keys() {
            let class = classes.find(Classes::global(global));
            by_class.entry(class).or_default().globals.push(global);
        }
        for (func, data) in module.funcs.iter() {
            let Some(body) = &data.body else { continue };
            for (_, inst) in body.insts_in_order() {
                let data = &body.insts[inst];
                let (first, second) = pointers(&data.op, data.results.first().copied());
                for pointer in [first, second].into_iter().flatten() {
                    if let Some(member) = classes.operand(func, &pointer) {
                        let class = classes.find(member);
                        by_class.entry(class).or_default().accesses += 1;
                    }
                }
                if let (Op::Alloc { .. }, Some(&address)) = (&data.op, data.results.first()) {
                    let class = classes.find(classes.value(func, address));
                    let class_use = by_class.entry(class).or_default();
                    class_use.allocs_of = Some(func);
                    if !class_use.globals.is_empty() || watched[func] {
                        mixed.push(class);
                    }
                }
            }
        }
        for class in mixed {
            classes.unite(class, UNKNOWN);
        }
        by_class.retain(|&class, class_use| {
            classes.find(class) != UNKNOWN
                && (!class_use.globals.is_empty() || class_use.allocs_of.is_some())
        });
        Uses { by_class }
    }

    /// Numbers the regions: `r0`, those of globals, then each function's local ones.
    fn assign(self, module: &Module, classes: &mut Classes) -> Regions {
        let mut region_of = vec![EVERYTHING; classes.parent.len()];
        let of_globals = |class_use: &ClassUse| class_use.allocs_of.is_none();
        let ranked = self.ranked(of_globals);
        let global_count = ranked.len().min(MAX_GLOBAL_REGIONS);
        for (rank, &class) in ranked.iter().enumerate() {
            let region = Region::from_index(1 + rank.min(MAX_GLOBAL_REGIONS - 1));
            region_of[class as usize] = region;
        }
        let mut locals: Map<Func, usize> = Map::filled(0, module.funcs.len());
        for class in self.ranked(|class_use| class_use.allocs_of.is_some()) {
            let func = self.by_class[&class].allocs_of.expect("a local class");
            let rank = locals[func].min(MAX_LOCAL_REGIONS - 1);
            locals[func] = (locals[func] + 1).min(MAX_LOCAL_REGIONS);
            let region = Region::from_index(1 + global_count + rank);
            region_of[class as usize] = region;
        }
        let of = |classes: &mut Classes, func: Func, pointer: Option<Operand>| {
            pointer
                .and_then(|pointer| classes.operand(func, &pointer))
                .map_or(EVERYTHING, |member| {
                    region_of[classes.find(member) as usize]
                })
        };
        let funcs = module
            .funcs
            .iter()
            .map(|(func, data)| {
                let mut regions: Map<Region, RegionInfo> = Map::new();
                regions.push(RegionInfo {
                    exposed: true,
                    ..RegionInfo::default()
                });
                for _ in 0..global_count {
                    regions.push(RegionInfo::default());
                }
                for _ in 0..locals[func] {
                    regions.push(RegionInfo {
                        local: true,
                        ..RegionInfo::default()
                    });
                }
                if module.entry == Some(func) {
                    for global in module.globals.keys() {
                        let region = of(classes, func, Some(Operand::global(global)));
                        regions[region].globals.push(global);
                    }
                }
                let mut accesses: Map<Inst, (Region, Region)> = Map::new();
                if let Some(body) = &data.body {
                    accesses = Map::filled((EVERYTHING, EVERYTHING), body.insts.len());
                    for (_, inst) in body.insts_in_order() {
                        let data = &body.insts[inst];
                        let (first, second) = pointers(&data.op, data.results.first().copied());
                        accesses[inst] = (of(classes, func, first), of(classes, func, second));
                    }
                }
                FuncRegions {
                    regions,
                    accesses,
                    calls: Vec::new(),
                }
            })
            .collect();
        Regions { funcs }
    }

    /// The classes selected, those with the most accesses first.
    fn ranked(&self, select: impl Fn(&ClassUse) -> bool) -> Vec<u32> {
        let mut classes: Vec<(usize, u32)> = self
            .by_class
            .iter()
            .filter(|(_, class_use)| select(class_use))
            .map(|(&class, class_use)| (class_use.accesses, class))
            .collect();
        classes.sort_by_key(|&(accesses, class)| (std::cmp::Reverse(accesses), class));
        classes.into_iter().map(|(_, class)| class).collect()
    }
}
