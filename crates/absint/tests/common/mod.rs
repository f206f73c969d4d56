//! Executions that are watched: each state that one passes must lie in one of the states computed for its block.
#![allow(dead_code, reason = "each test uses a part")]

use std::collections::BTreeMap;

use absint::domains::mask;
use absint::domains::view::View as Reading;
use absint::fixpoint::Invariants;
use absint::memory::Object;
use absint::relations::Lit;
use absint::state::State;
use absint::value::{Base, Obj, Targets, Val};
use interp::choices::Choices;
use interp::memory::Pointer;
use interp::observe::Observer;
use interp::view::{Position, View};
use ir::syntax::{Block, Const, Func, Inst, Module, Op, Operand, Value};

/// Executes a program whose only function was analysed; what some state does not cover, if there is something.
pub fn watch(
    module: &Module,
    invariants: &Invariants,
    config: &interp::Config,
    choices: &mut dyn Choices,
    seen: &mut Seen,
) -> Option<String> {
    let entry = module.entry.expect("an entry");
    let blocks = module.body(entry).blocks.iter();
    let firsts: BTreeMap<Inst, Block> = blocks
        .filter_map(|(block, data)| Some((*data.insts.first()?, block)))
        .collect();
    let mut watcher = Watcher {
        invariants,
        entry,
        firsts,
        made: BTreeMap::new(),
        making: None,
        wrong: None,
        seen: *seen,
    };
    let bindings = interp::Bindings {
        choices,
        observer: Some(&mut watcher),
        host: None,
    };
    interp::run(module, config, bindings);
    *seen = watcher.seen;
    watcher.wrong
}

struct Watcher<'a> {
    invariants: &'a Invariants,
    /// The function that was analysed.
    entry: Func,
    /// The first instruction of each block.
    firsts: BTreeMap<Inst, Block>,
    /// The objects that each allocation has made, the newest last.
    made: BTreeMap<Inst, Vec<Pointer>>,
    /// The allocation that was executed last, whose object is not noted yet.
    making: Option<(Inst, Value)>,
    wrong: Option<String>,
    seen: Seen,
}

/// How much was compared.
#[derive(Clone, Copy, Default, Debug)]
pub struct Seen {
    /// States.
    pub states: u64,
    /// Pointers.
    pub pointers: u64,
    /// Newest objects of allocations.
    pub newest: u64,
    /// Other objects of allocations.
    pub others: u64,
}

/// Which object of the analysis an object of the execution is.
fn object_as(
    made: &BTreeMap<Inst, Vec<Pointer>>,
    view: &View<'_>,
    number: u32,
) -> Option<(Obj, u64)> {
    for (site, list) in made {
        if let Some(index) = list.iter().position(|pointer| pointer.object == number) {
            let obj = match index + 1 == list.len() {
                true => Obj::Recent(*site),
                false => Obj::Old(*site),
            };
            return Some((obj, list[index].address));
        }
    }
    for global in view.module().globals.keys() {
        let place = Operand::Const(Const::Global(global, 0));
        if let Some(interp::Value::Pointer(pointer)) = view.operand(&place)
            && pointer.object == number
        {
            return Some((Obj::Global(global), pointer.address));
        }
    }
    None
}

/// Does a set of targets have a pointer? None if nobody knows what the pointer was derived from.
fn points(
    targets: &Targets,
    pointer: Pointer,
    made: &BTreeMap<Inst, Vec<Pointer>>,
    view: &View<'_>,
) -> Option<bool> {
    let bits = view.module().machine.pointer_bits;
    if pointer.object == 0 {
        // An address without an object: it may be a function's, or be found by address.
        let plain = targets
            .get(&Base::Nothing)
            .is_some_and(|at| at.contains(pointer.address));
        let only_null = targets.keys().all(|base| *base == Base::Nothing);
        return (plain || only_null).then_some(plain);
    }
    let (obj, start) = object_as(made, view, pointer.object)?;
    let offset = pointer.address.wrapping_sub(start) & mask(bits);
    let inside = |base: Base| targets.get(&base).is_some_and(|at| at.contains(offset));
    Some(inside(Base::Object(obj)))
}

/// The first comparison of a state that does not hold of what is being executed.
fn miscompared(state: &State, view: &View<'_>) -> Option<String> {
    let number = |lit: Lit| {
        let real = view.operand(&Operand::Value(lit.value))?;
        let interp::Value::Int(bv) = real else {
            return None;
        };
        let number = match lit.view {
            Reading::Signed => i128::from(bv.to_i64()?),
            Reading::Unsigned => i128::from(bv.low_u64()),
        };
        Some(if lit.negated { -number } else { number })
    };
    let mut wrong = state.relations.edges().filter(|&(a, b, c)| {
        let (x, y) = (number(a), number(b));
        x.zip(y).is_some_and(|(x, y)| x - y > c)
    });
    wrong
        .next()
        .map(|(a, b, c)| format!("{a:?} - {b:?} is more than {c}"))
}

/// A claim about an object that does not hold of one that was made.
fn misdescribed(
    state: &State,
    view: &View<'_>,
    made: &BTreeMap<Inst, Vec<Pointer>>,
    seen: &mut Seen,
) -> Option<String> {
    let mut mems: Vec<_> = state.mems.iter().collect();
    mems.sort_by_key(|(value, _)| **value);
    // Of an object that several versions of memory describe, nobody knows which of them is now.
    let mut described: BTreeMap<Obj, Vec<&Object>> = BTreeMap::new();
    for (obj, object) in mems.iter().flat_map(|(_, mem)| mem.objects.iter()) {
        described.entry(*obj).or_default().push(object);
    }
    for (site, list) in made {
        for (index, pointer) in list.iter().enumerate() {
            let newest = index + 1 == list.len();
            let obj = match newest {
                true => Obj::Recent(*site),
                false => Obj::Old(*site),
            };
            let Some([object]) = described.get(&obj).map(Vec::as_slice) else {
                continue;
            };
            match newest {
                true => seen.newest += 1,
                false => seen.others += 1,
            }
            // An object that is gone may have left its place to another.
            let alive = view.object_of(*pointer).is_some_and(|(_, real)| real.alive);
            if alive && !object.life.alive || !alive && !object.life.dead {
                return Some(format!("{obj:?} is alive: {alive}, not {:?}", object.life));
            }
            let Some((_, real)) = view.object_of(*pointer).filter(|_| alive) else {
                continue;
            };
            if !object.size.contains(real.size) {
                return Some(format!(
                    "{obj:?} has {} bytes, not {:?}",
                    real.size, object.size
                ));
            }
            for (&at, cell) in &object.contents.cells {
                let bytes: Option<Vec<u8>> = (at..at + cell.bytes)
                    .map(|offset| view.byte_of(*pointer, offset))
                    .collect();
                let (Val::Int(set), Some(bytes)) = (&cell.val, bytes) else {
                    continue;
                };
                let mut number = 0u64;
                for (index, byte) in bytes.iter().take(8).enumerate() {
                    number |= u64::from(*byte) << (8 * index);
                }
                if !set.contains(number & mask(set.width)) {
                    return Some(format!("{obj:?} at {at} is {number}, not in {set:?}"));
                }
            }
        }
    }
    None
}

/// Why a state does not cover what is being executed, if it does not.
fn missed(
    state: &State,
    view: &View<'_>,
    made: &BTreeMap<Inst, Vec<Pointer>>,
    seen: &mut Seen,
) -> Option<String> {
    let mut vals: Vec<_> = state.vals.iter().collect();
    vals.sort_by_key(|(value, _)| **value);
    for (value, val) in vals {
        let Some(real) = view.operand(&Operand::Value(*value)) else {
            continue;
        };
        match (val, &real) {
            (Val::Int(set), interp::Value::Int(bv) | interp::Value::Float(_, bv))
                if !set.contains(bv.low_u64()) =>
            {
                return Some(format!("{value} is {bv:?}, not in {set:?}"));
            }
            (Val::Ptr(targets), interp::Value::Pointer(pointer)) => {
                seen.pointers += 1;
                if points(targets, *pointer, made, view) == Some(false) {
                    return Some(format!("{value} is {pointer:?}, not in {targets:?}"));
                }
            }
            _ => {}
        }
    }
    if let Some(wrong) = miscompared(state, view) {
        return Some(wrong);
    }
    if let Some(wrong) = misdescribed(state, view, made, seen) {
        return Some(wrong);
    }
    let mut mems: Vec<_> = state.mems.iter().collect();
    mems.sort_by_key(|(value, _)| **value);
    for (obj, at) in mems.iter().flat_map(|(_, mem)| {
        let objects = mem.objects.iter();
        objects.flat_map(|(obj, object)| object.contents.cells.keys().map(move |at| (*obj, *at)))
    }) {
        let Obj::Global(global) = obj else { continue };
        let mut holders = mems.iter().filter_map(|(_, mem)| mem.objects.get(&obj));
        let (Some(object), None) = (holders.next(), holders.next()) else {
            continue;
        };
        let cell = &object.contents.cells[&at];
        let (Val::Int(set), Some(bytes)) = (&cell.val, view.global_bytes(global)) else {
            continue;
        };
        let here = &bytes[at as usize..(at + cell.bytes) as usize];
        let mut number = 0u64;
        for (index, byte) in here.iter().take(8).enumerate() {
            number |= u64::from(*byte) << (8 * index);
        }
        if !set.contains(number & mask(set.width)) {
            return Some(format!("{global} at {at} is {number}, not in {set:?}"));
        }
    }
    None
}

impl Observer for Watcher<'_> {
    fn step(&mut self, view: &View<'_>) {
        if view.func() != self.entry {
            return;
        }
        let body = view.module().body(view.func());
        if let Some((site, result)) = self.making.take()
            && let Some(interp::Value::Pointer(pointer)) = view.operand(&Operand::Value(result))
        {
            self.made.entry(site).or_default().push(pointer);
        }
        if let Position::Inst(inst) = view.position()
            && let Op::Alloc { .. } = body.insts[inst].op
        {
            self.making = Some((inst, body.insts[inst].results[0]));
        }
        let block = match view.position() {
            Position::Inst(inst) => match self.firsts.get(&inst) {
                Some(block) => *block,
                None => return,
            },
            Position::End(block) if body.blocks[block].insts.is_empty() => block,
            Position::End(_) => return,
        };
        if self.wrong.is_some() {
            return;
        }
        self.seen.states += 1;
        let states = &self.invariants.states[block];
        let made = &self.made;
        let seen = &mut self.seen;
        let reasons = states.iter().map(|state| missed(state, view, made, seen));
        let reasons: Vec<Option<String>> = reasons.collect();
        if reasons.iter().all(Option::is_some) {
            self.wrong = Some(format!("{block}: {reasons:?}"));
        }
    }
}
