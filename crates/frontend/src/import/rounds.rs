//! Variables of a loop's body are made anew in every round.
//!
//! LLVM keeps one place for such a variable, and says where its life begins and ends. To C it is another
//! object each time round: a pointer that outlives its round dangles, although the place is alive again.
//! So where the address may be kept somewhere, the object is made where its life begins:
//!
//! ```text
//! b0:                              b0:
//!     v0 = alloc.stack 4               jump b1
//!     jump b1                ──▶   b1:
//! b1:                                  v0 = alloc.stack 4
//!     lifetime_start v0                call @keep(v0)
//!     call @keep(v0)                   lifetime_end v0
//!     lifetime_end v0                  branch …, b1, b2
//!     branch …, b1, b2
//! ```
//!
//! Where there are several beginnings, or one does not come before every use, see [`super::objects`]. A variable that may be
//! used before its life begins stays one object, and the ledger says so.

use std::collections::BTreeSet;

use super::objects::make_at_every_beginning;
use base::Map;
use ir::cfg::Cfg;
use ir::dominators::Dominators;
use ir::syntax::{AllocKind, Block, Body, Callee, Def, Func, Inst, Module, Op, Operand, Value};

/// See the module.
pub fn renew(module: &mut Module) {
    let found: Vec<(Func, Vec<Value>)> = module
        .funcs
        .iter()
        .filter_map(|(func, data)| Some((func, in_loops(data.body.as_ref()?))))
        .filter(|(_, list)| !list.is_empty())
        .collect();
    if found.is_empty() {
        return;
    }
    let machine = module.machine;
    let keeping = Keeping::new(module);
    for (func, values) in found {
        let data = &mut module.funcs[func];
        let body = data.body.as_mut().expect("it has variables");
        let mut moved = false;
        for value in values {
            if !keeping.keeps(body, value) {
                continue;
            }
            let renamed = |body: &mut Body| {
                let (_, alloc) = alloc_of(body, value)?;
                make_at_every_beginning(body, value, alloc, machine).then_some(())
            };
            if make_where_life_begins(body, value) || renamed(body).is_some() {
                moved = true;
            } else {
                let name = &data.name;
                let note = format!("a variable in a loop of {name} is one object for all rounds");
                if !module.notes.contains(&note) {
                    module.notes.push(note);
                }
            }
        }
        if moved {
            ir::tidy::tidy_body(body);
        }
    }
}

/// Variables that are made outside of every loop, and whose life begins inside one.
fn in_loops(body: &Body) -> Vec<Value> {
    let mut starts = body
        .insts_in_order()
        .filter_map(|(block, inst)| match &body.insts[inst].op {
            Op::LifetimeStart(Operand::Value(value)) => Some((block, *value)),
            _ => None, // Nothing begins here.
        })
        .peekable();
    if starts.peek().is_none() {
        return Vec::new();
    }
    let cfg = Cfg::new(body);
    let mut cyclic: Map<Block, Option<bool>> = Map::filled(None, body.blocks.len());
    let mut is_cyclic = |block: Block| -> bool {
        *cyclic[block].get_or_insert_with(|| reaches_itself(&cfg, block))
    };
    let mut found = BTreeSet::new();
    for (block, value) in starts {
        let made = alloc_of(body, value).map(|(block, _)| block);
        if made.is_some_and(|made| !is_cyclic(made)) && is_cyclic(block) {
            found.insert(value);
        }
    }
    found.into_iter().collect()
}

fn reaches_itself(cfg: &Cfg, block: Block) -> bool {
    let mut seen = BTreeSet::new();
    let mut work = cfg.successors(block).to_vec();
    while let Some(next) = work.pop() {
        if next == block {
            return true;
        }
        if seen.insert(next) {
            work.extend(cfg.successors(next));
        }
    }
    false
}

/// Where the variable is made.
fn alloc_of(body: &Body, value: Value) -> Option<(Block, Inst)> {
    let Def::Result(inst, _) = body.values[value].def else {
        return None;
    };
    let Op::Alloc {
        kind: AllocKind::Stack | AllocKind::Sealed,
        ..
    } = body.insts[inst].op
    else {
        return None;
    };
    body.insts_in_order().find(|&(_, found)| found == inst)
}

/// Moves the object to the one place where its life begins, if every use comes after that.
fn make_where_life_begins(body: &mut Body, value: Value) -> bool {
    let Some((made, alloc)) = alloc_of(body, value) else {
        return false;
    };
    let this = Operand::Value(value);
    let starts: Vec<(Block, usize)> = body
        .blocks
        .iter()
        .flat_map(|(block, data)| {
            let insts = data.insts.iter().enumerate();
            insts.map(move |(index, &inst)| (block, index, inst))
        })
        .filter(|&(_, _, inst)| body.insts[inst].op == Op::LifetimeStart(this.clone()))
        .map(|(block, index, _)| (block, index))
        .collect();
    let [(start, at)] = starts[..] else {
        return false;
    };
    let cfg = Cfg::new(body);
    let dominators = Dominators::new(&cfg);
    for (block, data) in body.blocks.iter() {
        let after = |index: usize| {
            if block == start {
                index > at
            } else {
                dominators.dominates(start, block)
            }
        };
        for (index, &inst) in data.insts.iter().enumerate() {
            let uses = body.insts[inst].op.operands().contains(&&this);
            if uses && (block, index) != (start, at) && !after(index) {
                return false;
            }
        }
        if data.terminator.operands().contains(&&this) && !after(data.insts.len()) {
            return false;
        }
    }
    let place = body.insts[body.blocks[start].insts[at]].place;
    body.insts[alloc].place = place;
    body.blocks[start].insts[at] = alloc;
    let position = body.blocks[made]
        .insts
        .iter()
        .position(|&inst| inst == alloc);
    body.blocks[made]
        .insts
        .remove(position.expect("the object is made there"));
    true
}

/// Which parameters functions may keep.
struct Keeping {
    params: Map<Func, Vec<bool>>,
}

impl Keeping {
    fn new(module: &Module) -> Keeping {
        let params = module.funcs.values().map(|func| {
            // A function without a body may do anything.
            vec![func.body.is_none(); func.params.len()]
        });
        let mut keeping = Keeping {
            params: params.collect(),
        };
        loop {
            let mut changed = false;
            for (func, data) in module.funcs.iter() {
                let Some(body) = &data.body else {
                    continue;
                };
                for (index, &param) in body.params.iter().enumerate() {
                    if !keeping.params[func][index] && keeping.keeps(body, param) {
                        keeping.params[func][index] = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                return keeping;
            }
        }
    }

    /// May the address be somewhere when nothing of this activation is at work on it?
    fn keeps(&self, body: &Body, value: Value) -> bool {
        let mut same = BTreeSet::from([value]);
        let mut work = vec![value];
        while let Some(value) = work.pop() {
            let this = Operand::Value(value);
            for block in body.blocks.values() {
                // Handed on to another block it may go round.
                if block.terminator.operands().contains(&&this) {
                    return true;
                }
                for &inst in &block.insts {
                    let data = &body.insts[inst];
                    if !data.op.operands().contains(&&this) {
                        continue;
                    }
                    match &data.op {
                        Op::Load { .. }
                        | Op::LoadShadow { .. }
                        | Op::StoreShadow { .. }
                        | Op::MemCopy { .. }
                        | Op::MemSet { .. }
                        | Op::MemCompare { .. }
                        | Op::MemHavoc { .. }
                        | Op::IsDeref { .. }
                        | Op::IsFreeable(_)
                        | Op::IsDisjoint { .. }
                        | Op::IsAlive(_)
                        | Op::IsModified(_)
                        | Op::ResetModified(_)
                        | Op::ObjectSize(_)
                        | Op::ObjectOffset(_)
                        | Op::LifetimeStart(_)
                        | Op::LifetimeEnd(_)
                        | Op::Compare(..)
                        | Op::Debug { .. } => {}
                        Op::Store { value, .. } => {
                            if *value == this {
                                return true;
                            }
                        }
                        Op::Offset(..) | Op::Copy(_) | Op::Select(..) => {
                            let results = data.results.iter().copied();
                            work.extend(results.filter(|&result| same.insert(result)));
                        }
                        Op::Call {
                            callee: Callee::Direct(callee),
                            args,
                            ..
                        } => {
                            let mut given = args.iter().enumerate();
                            let kept = |index: usize| {
                                self.params[*callee].get(index).copied().unwrap_or(true)
                            };
                            if given.any(|(index, arg)| *arg == this && kept(index)) {
                                return true;
                            }
                        }
                        _ => return true, // Anything else might.
                    }
                }
            }
        }
        false
    }
}
