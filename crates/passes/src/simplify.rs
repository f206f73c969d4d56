//! Cleans up: constants, branches that are decided, parameters and blocks that say nothing, code
//! that nobody reads.
//!
//! Every other pass may leave rubbish behind and rely on this one. What it never touches are
//! obligations that can be reached (`check o1, 1` stays: proved is not the same as unreachable)
//! and whatever can be an event of a trace (`nondet`, allocations, reads), so that a trace of the
//! module before is one of the module after.
//!
//! Each round is linear; a few rounds suffice, and nothing depends on reaching a fixpoint.

use base::Map;
use ir::syntax::{
    Block, BlockData, Body, Def, HaltKind, Inst, Module, Op, Operand, Target, Terminator, Value,
};
use smallvec::SmallVec;

use crate::edit::{self, Edge, Substitution};
use crate::fold::{fold, int, is_false, is_true};
use crate::pass::{Config, Error, Pass};

/// More rounds gain little.
const ROUNDS: usize = 4;

/// See the module.
pub struct Simplify;

impl Pass for Simplify {
    fn name(&self) -> &'static str {
        "simplify"
    }

    fn about(&self) -> &'static str {
        "Folds constants and decided branches, drops redundant parameters, unreachable blocks and unread results."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        let after_failure = AfterFailure::of(config);
        let pointer_bits = module.machine.pointer_bits;
        for func in module.funcs.values_mut() {
            if let Some(body) = &mut func.body {
                simplify(body, after_failure, pointer_bits);
            }
        }
        Ok(())
    }
}

/// Does the execution go on after an obligation that is always violated?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AfterFailure {
    /// No.
    Stop,
    /// Yes.
    GoOn,
}

impl AfterFailure {
    /// As configured.
    pub(crate) fn of(config: &Config) -> AfterFailure {
        match config.continue_after_failure {
            false => AfterFailure::Stop,
            true => AfterFailure::GoOn,
        }
    }
}

/// Cleans up a body.
pub(crate) fn simplify(body: &mut Body, after_failure: AfterFailure, pointer_bits: u32) {
    for _ in 0..ROUNDS {
        let mut changed = fold_forward(body, after_failure, pointer_bits);
        changed |= fold_ends(body, after_failure);
        changed |= drop_params(body);
        changed |= merge_blocks(body);
        changed |= drop_unread(body);
        edit::tidy_in_place(body);
        if !changed {
            break;
        }
    }
}

/// Replaces results and parameters that are plain to see, in one sweep along the flow: what an
/// edge that is never taken brings does not count. A loop's head is taken as it comes.
fn fold_forward(body: &mut Body, after_failure: AfterFailure, pointer_bits: u32) -> bool {
    let edges = edit::edges_into(body);
    let mut replaced = Substitution::new(body);
    let mut dropped: Map<Value, bool> = Map::filled(false, body.values.len());
    let mut done = Map::filled(false, body.blocks.len());
    let mut taken: Map<Block, SmallVec<[bool; 2]>> =
        Map::filled(SmallVec::new(), body.blocks.len());
    for block in ir::cfg::text_order(body) {
        let preds = &edges[block];
        let known = block != body.entry() && preds.iter().all(|edge| done[edge.from]);
        done[block] = true;
        let is_taken = |edge: &&Edge| taken[edge.from].get(edge.slot).copied().unwrap_or(false);
        let live: Vec<Edge> = preds.iter().filter(is_taken).copied().collect();
        if known {
            if live.is_empty() {
                continue; // Never reached: its edges are not taken either.
            }
            for (index, &param) in body.blocks[block].params.iter().enumerate() {
                let mut args = live.iter().map(|edge| &edge.args(body)[index]);
                let first = replaced.resolve(args.next().expect("a live edge"));
                if args.all(|arg| replaced.resolve(arg) == first) && replaced.set(param, &first) {
                    dropped[param] = true;
                }
            }
        }
        let mut goes_on = true;
        let insts = &mut body.insts;
        body.blocks[block].insts.retain(|&inst| {
            let data = &mut insts[inst];
            data.op
                .map_operands(|value| replaced.resolve(&Operand::Value(value)));
            goes_on &= !ends_execution(&data.op, after_failure);
            match (fold(&data.op, pointer_bits), data.result()) {
                (Some(operand), Some(result)) => !replaced.set(result, &operand),
                (Some(_) | None, Some(_) | None) => {
                    !matches!(&data.op, Op::Assume(cond, _) if is_true(cond))
                }
            }
        });
        let end = &mut body.blocks[block].terminator;
        if let Terminator::Branch(cond, ..) | Terminator::Switch(cond, ..) = end {
            *cond = replaced.resolve(cond);
        }
        let decided = decided(end);
        taken[block] = end
            .targets()
            .into_iter()
            .map(|target| goes_on && decided.is_none_or(|decided| std::ptr::eq(decided, target)))
            .collect();
    }
    let changed = !replaced.is_empty();
    remove_params(body, &dropped);
    replaced.apply(body);
    changed
}

/// Does no execution go on after the operation?
fn ends_execution(op: &Op, after_failure: AfterFailure) -> bool {
    match op {
        Op::Check(_, cond) => after_failure == AfterFailure::Stop && is_false(cond),
        Op::Assume(cond, _) => is_false(cond),
        _ => false, // Nothing else ends an execution.
    }
}

/// The only target that can be taken, if that is plain to see.
fn decided(end: &Terminator) -> Option<&Target> {
    match end {
        Terminator::Branch(cond, yes, no) => match int(cond) {
            Some(cond) => Some(if cond.is_one() { yes } else { no }),
            None => (yes == no).then_some(yes),
        },
        Terminator::Switch(value, cases, default) => match int(value) {
            Some(value) => {
                let case = cases.iter().find(|(case, _)| case == value);
                Some(case.map_or(default, |(_, target)| target))
            }
            None => cases
                .iter()
                .all(|(_, target)| target == default)
                .then_some(default),
        },
        Terminator::Jump(_) | Terminator::Return(_) | Terminator::Halt(_) => None,
    }
}

/// Decides branches, and ends blocks where execution ends.
fn fold_ends(body: &mut Body, after_failure: AfterFailure) -> bool {
    let mut changed = false;
    for block in body.blocks.values_mut() {
        let mut insts = block.insts.iter();
        let stop = insts.position(|&inst| ends_execution(&body.insts[inst].op, after_failure));
        let dead = Terminator::Halt(HaltKind::Dead);
        if let Some(index) = stop
            && (index + 1 < block.insts.len() || block.terminator != dead)
        {
            block.insts.truncate(index + 1);
            block.terminator = dead;
            changed = true;
        }
        if let Some(target) = decided(&block.terminator) {
            block.terminator = Terminator::Jump(target.clone());
            changed = true;
        }
    }
    changed
}

/// Drops parameters that always get one and the same operand.
pub(crate) fn drop_params(body: &mut Body) -> bool {
    let reached = edit::reachable(body);
    let mut edges = edit::edges_into(body);
    for list in edges.values_mut() {
        list.retain(|edge| reached[edge.from]);
    }
    // Blocks whose arguments mention a parameter: they are looked at again when it goes.
    let mut readers: Map<Block, Vec<Block>> = Map::filled(Vec::new(), body.blocks.len());
    for data in body.blocks.values() {
        for target in data.terminator.targets() {
            for value in target.args.iter().filter_map(Operand::as_value) {
                if let Def::BlockParam(block, _) = body.values[value].def {
                    readers[block].push(target.block);
                }
            }
        }
    }
    let mut replaced = Substitution::new(body);
    let mut dropped: Map<Value, bool> = Map::filled(false, body.values.len());
    let mut work: Vec<Block> = body.blocks.keys().rev().collect();
    let mut queued = Map::filled(true, body.blocks.len());
    while let Some(block) = work.pop() {
        queued[block] = false;
        if block == body.entry() {
            continue;
        }
        for (index, &param) in body.blocks[block].params.iter().enumerate() {
            if dropped[param] {
                continue;
            }
            let mut only = None;
            let agree = edges[block].iter().all(|edge| {
                let arg = replaced.resolve(&edge.args(body)[index]);
                arg == Operand::Value(param) || *only.get_or_insert_with(|| arg.clone()) == arg
            });
            if let (true, Some(operand)) = (agree, only) {
                replaced.set(param, &operand);
                dropped[param] = true;
                for &reader in &readers[block] {
                    if !queued[reader] {
                        queued[reader] = true;
                        work.push(reader);
                    }
                }
            }
        }
    }
    if replaced.is_empty() {
        return false;
    }
    remove_params(body, &dropped);
    replaced.apply(body);
    true
}

/// Takes the parameters and their arguments out.
fn remove_params(body: &mut Body, dropped: &Map<Value, bool>) {
    let keep: Map<Block, Vec<bool>> = body
        .blocks
        .values()
        .map(|data| data.params.iter().map(|&param| !dropped[param]).collect())
        .collect();
    for data in body.blocks.values_mut() {
        for target in data.terminator.targets_mut() {
            let mut kept = keep[target.block].iter();
            target
                .args
                .retain(|_| *kept.next().expect("one argument for each parameter"));
        }
        data.params.retain(|&param| !dropped[param]);
    }
}

/// Appends a block to the only block that jumps to it.
fn merge_blocks(body: &mut Body) -> bool {
    let reached = edit::reachable(body);
    let mut count: Map<Block, usize> = Map::filled(0, body.blocks.len());
    count[body.entry()] = 2;
    for (block, data) in body.blocks.iter() {
        if reached[block] {
            for next in data.terminator.successors() {
                count[next] += 1;
            }
        }
    }
    let mut replaced = Substitution::new(body);
    let mut merged = false;
    let mut gone = Map::filled(false, body.blocks.len());
    for block in body.blocks.keys() {
        if !reached[block] || gone[block] {
            continue;
        }
        while let Terminator::Jump(target) = &body.blocks[block].terminator {
            let next = target.block;
            if count[next] != 1 || next == block {
                break;
            }
            let args = target.args.clone();
            let taken = std::mem::replace(
                &mut body.blocks[next],
                BlockData {
                    params: Vec::new(),
                    insts: Vec::new(),
                    terminator: Terminator::Halt(HaltKind::Dead),
                    place: None,
                },
            );
            for (&param, arg) in taken.params.iter().zip(&args) {
                replaced.set(param, arg);
            }
            let data = &mut body.blocks[block];
            data.insts.extend(taken.insts);
            data.terminator = taken.terminator;
            data.place = taken.place;
            gone[next] = true;
            merged = true;
        }
    }
    replaced.apply(body);
    merged
}

/// Drops instructions whose results nobody reads, and which do nothing else.
fn drop_unread(body: &mut Body) -> bool {
    let mut uses: Map<Value, usize> = Map::filled(0, body.values.len());
    for data in body.blocks.values() {
        for &inst in &data.insts {
            for value in body.insts[inst].uses() {
                uses[value] += 1;
            }
        }
        for value in data
            .terminator
            .operands()
            .into_iter()
            .filter_map(Operand::as_value)
        {
            uses[value] += 1;
        }
    }
    let unread = |inst: Inst, body: &Body, uses: &Map<Value, usize>| {
        let data = &body.insts[inst];
        only_computes(&data.op) && data.results.iter().all(|&result| uses[result] == 0)
    };
    let mut work: Vec<Inst> = body
        .insts_in_order()
        .map(|(_, inst)| inst)
        .filter(|&inst| unread(inst, body, &uses))
        .collect();
    // What no block lists any more has not been counted among the readers either.
    let mut dropped = Map::filled(true, body.insts.len());
    for (_, inst) in body.insts_in_order() {
        dropped[inst] = false;
    }
    let any = !work.is_empty();
    while let Some(inst) = work.pop() {
        dropped[inst] = true;
        for value in body.insts[inst].uses().collect::<Vec<_>>() {
            uses[value] -= 1;
            if uses[value] == 0
                && let Def::Result(def, _) = body.values[value].def
                && !dropped[def]
                && unread(def, body, &uses)
            {
                work.push(def);
            }
        }
    }
    if any {
        for data in body.blocks.values_mut() {
            data.insts.retain(|&inst| !dropped[inst]);
        }
    }
    any
}

/// Does the operation do nothing but compute its results, and is it no event of a trace?
pub(crate) fn only_computes(op: &Op) -> bool {
    match op {
        Op::Binary(..)
        | Op::Unary(..)
        | Op::Compare(..)
        | Op::Overflow(..)
        | Op::Cast(..)
        | Op::Select(..)
        | Op::Offset(..)
        | Op::Copy(_)
        | Op::StackSave
        | Op::NewRegion(_)
        | Op::IsDeref { .. }
        | Op::IsFreeable(_)
        | Op::IsDisjoint { .. }
        | Op::AllTracked
        | Op::AllFreed
        | Op::IsAlive(_)
        | Op::IsModified(_)
        | Op::LoadShadow { .. }
        | Op::ObjectSize(_)
        | Op::ObjectOffset(_) => true,
        // Outside a live object a read is a free choice.
        Op::Load { .. } | Op::MemCompare { .. } => false,
        Op::Nondet(..)
        | Op::Alloc { .. }
        | Op::Free(_)
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
        | Op::ResetModified(_)
        | Op::StoreShadow { .. }
        | Op::Call { .. }
        | Op::Assume(..)
        | Op::Check(..)
        | Op::Debug { .. } => false,
    }
}
