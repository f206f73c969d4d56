//! After a body is made: blocks that nothing enters go, straight lines become one block, and
//! values that nobody uses go.

use rustc_hash::FxHashMap;

use base::Map;
use ir::syntax::{Block, Body, Inst, NondetKind, Op, Operand, Terminator, Value};

/// Tidies a body.
pub fn tidy(body: &mut Body) {
    merge(body);
    compact(body);
    drop_debug(body);
    drop_unused(body);
    ir::tidy::tidy_body(body);
}

/// How often each block is jumped to, from blocks that can be reached.
fn entered(body: &Body) -> Map<Block, u32> {
    let mut counts = Map::filled(0, body.blocks.len());
    if body.blocks.is_empty() {
        return counts;
    }
    let entry = body.entry();
    counts[entry] = 1;
    let mut work = vec![entry];
    while let Some(block) = work.pop() {
        for next in body.blocks[block].terminator.successors() {
            if counts[next] == 0 {
                work.push(next);
            }
            counts[next] += 1;
        }
    }
    counts
}

/// A block that is entered from one block only, by a jump, becomes part of that block.
fn merge(body: &mut Body) {
    let counts = entered(body);
    let mut renamed: FxHashMap<Value, Operand> = FxHashMap::default();
    for block in body.blocks.keys() {
        if counts[block] == 0 {
            continue;
        }
        while let Terminator::Jump(target) = &body.blocks[block].terminator {
            let next = target.block;
            if next == block || counts[next] != 1 || next == body.entry() {
                break;
            }
            let args = target.args.clone();
            let taken = std::mem::take(&mut body.blocks[next].insts);
            let end = std::mem::replace(
                &mut body.blocks[next].terminator,
                Terminator::Jump(ir::syntax::Target::new(next)),
            );
            let params = std::mem::take(&mut body.blocks[next].params);
            let place = body.blocks[next].place;
            renamed.extend(params.into_iter().zip(args));
            let data = &mut body.blocks[block];
            data.insts.extend(taken);
            data.terminator = end;
            data.place = place;
        }
    }
    if renamed.is_empty() {
        return;
    }
    let resolve = |value: Value| {
        let mut operand = Operand::Value(value);
        while let Operand::Value(value) = &operand {
            match renamed.get(value) {
                Some(next) => operand = next.clone(),
                None => break,
            }
        }
        operand
    };
    for inst in body.insts.values_mut() {
        inst.op.map_operands(resolve);
    }
    for block in body.blocks.values_mut() {
        block.terminator.map_operands(resolve);
    }
}

/// Takes out the blocks that nothing enters.
fn compact(body: &mut Body) {
    let counts = entered(body);
    if counts.values().all(|&count| count > 0) {
        return;
    }
    let mut numbers: Map<Block, Option<Block>> = Map::filled(None, body.blocks.len());
    let mut kept = Map::new();
    let blocks = std::mem::take(&mut body.blocks);
    for (block, data) in blocks.iter() {
        if counts[block] > 0 {
            numbers[block] = Some(kept.push(data.clone()));
        }
    }
    for data in kept.values_mut() {
        for target in data.terminator.targets_mut() {
            target.block = numbers[target.block].expect("an entered block is kept");
        }
    }
    body.blocks = kept;
}

/// Takes out debug instructions whose value is not defined on every way to them. LLVM's debug
/// records are exempt from the rule that definitions dominate uses; our instructions are not.
fn drop_debug(body: &mut Body) {
    let cfg = ir::cfg::Cfg::new(body);
    let dominators = ir::dominators::Dominators::new(&cfg);
    let mut homes: Map<Value, Option<Block>> = Map::filled(None, body.values.len());
    for (block, data) in body.blocks.iter() {
        for &param in &data.params {
            homes[param] = Some(block);
        }
        for &inst in &data.insts {
            for &result in &body.insts[inst].results {
                homes[result] = Some(block);
            }
        }
    }
    for &param in &body.params {
        homes[param] = Some(body.entry());
    }
    let insts = &body.insts;
    for (block, data) in body.blocks.iter_mut() {
        data.insts.retain(|&inst| match &insts[inst].op {
            Op::Debug {
                value: Operand::Value(value),
                ..
            } => homes[*value].is_some_and(|home| dominators.dominates(home, block)),
            _ => true,
        });
    }
}

/// Is an instruction nothing but its results?
fn is_pure(op: &Op) -> bool {
    match op {
        Op::Binary(..)
        | Op::Unary(..)
        | Op::Compare(..)
        | Op::Overflow(..)
        | Op::Cast(..)
        | Op::Select(..)
        | Op::Offset(..)
        | Op::Copy(_)
        | Op::IsDeref { .. }
        | Op::IsFreeable(_)
        | Op::IsDisjoint { .. }
        | Op::IsAlive(_)
        | Op::IsModified(_)
        | Op::LoadShadow { .. }
        | Op::ObjectSize(_)
        | Op::ObjectOffset(_)
        | Op::MemCompare { .. }
        | Op::AllTracked
        | Op::AllFreed
        | Op::Load {
            volatile: false, ..
        } => true,
        Op::Nondet(_, kind) => matches!(kind, NondetKind::Uninit | NondetKind::Undef),
        Op::Alloc { .. }
        | Op::Free(_)
        | Op::LifetimeStart(_)
        | Op::LifetimeEnd(_)
        | Op::StackSave
        | Op::StackRestore(_)
        | Op::Leave
        | Op::Load { volatile: true, .. }
        | Op::Store { .. }
        | Op::StoreShadow { .. }
        | Op::MemCopy { .. }
        | Op::MemSet { .. }
        | Op::MemHavoc { .. }
        | Op::Clobber(_)
        | Op::Show(_)
        | Op::HavocRegion
        | Op::NewRegion(_)
        | Op::ResetModified(_)
        | Op::Call { .. }
        | Op::Assume(..)
        | Op::Check(..)
        | Op::Debug { .. } => false,
    }
}

/// Takes out pure instructions whose results nobody uses.
fn drop_unused(body: &mut Body) {
    let mut uses: Map<Value, u32> = Map::filled(0, body.values.len());
    let in_use: Vec<Inst> = body.insts_in_order().map(|(_, inst)| inst).collect();
    let mut count = |operand: &Operand| {
        if let Operand::Value(value) = operand {
            uses[*value] += 1;
        }
    };
    for &inst in &in_use {
        body.insts[inst]
            .op
            .operands()
            .into_iter()
            .for_each(&mut count);
    }
    for block in body.blocks.values() {
        block.terminator.operands().into_iter().for_each(&mut count);
    }
    let mut dead: Map<Inst, bool> = Map::filled(false, body.insts.len());
    let mut work: Vec<Inst> = in_use;
    while let Some(inst) = work.pop() {
        let data = &body.insts[inst];
        if dead[inst] || !is_pure(&data.op) || data.results.iter().any(|&result| uses[result] > 0) {
            continue;
        }
        dead[inst] = true;
        for operand in data.op.operands() {
            if let Operand::Value(value) = operand {
                uses[*value] -= 1;
                if let ir::syntax::Def::Result(maker, _) = body.values[*value].def {
                    work.push(maker);
                }
            }
        }
    }
    for block in body.blocks.values_mut() {
        block.insts.retain(|&inst| !dead[inst]);
    }
}
