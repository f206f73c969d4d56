//! The engine: states at the beginning of each block, computed in weak topological order until nothing changes.
//!
//! Each block has several states, kept apart by `partition.rs`. At the head of a component a state
//! that grows is widened after a few rounds, up to thresholds from the program's constants; when
//! nothing changes any more, a few rounds without widening take back what widening gave away. Each of
//! these rounds starts from states that cover every execution, so each result does too.
//!
//! Only one body is analysed; calls that were not inlined yield anything. That is sound for recursion and for loops that are
//! entered in their middle alike: every cycle passes the head of a component.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;

use base::Map;
use ir::cfg::Cfg;
use ir::dominators::Dominators;
use ir::syntax::{Block, Body, Const, Module, Obligation, Op, Operand, Terminator, Value};
use ir::wto::Wto;

use crate::domains::Thresholds;
use crate::partition::{self, Key, Partition};
use crate::relations::{SHAPES, Shape};
use crate::state::{Program, State};

/// What the engine is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// When to give up.
    pub deadline: Option<Instant>,
    /// How many states a block may have.
    pub states: usize,
    /// Rounds of a loop before its head is widened.
    pub delay: u32,
    /// Rounds without widening at the end.
    pub narrowing: u32,
    /// The relational domain, if one is used.
    pub shape: Option<&'static dyn Shape>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            deadline: None,
            states: 128,
            delay: 3,
            narrowing: 2,
            shape: SHAPES.last().copied(),
        }
    }
}

/// What was found: the states in which each block can begin.
pub struct Invariants {
    /// For each block; none where no execution comes.
    pub states: Map<Block, Vec<State>>,
    /// The relational domain that was used.
    pub shape: Option<&'static dyn Shape>,
}

/// What is said of an obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// It holds wherever an execution comes to it.
    Holds,
    /// No execution comes to it.
    NotReached,
    /// Nothing.
    Open,
}

/// How often a state is widened before everything that still changes is given up.
const PATIENCE: u32 = 60;

struct Engine<'a> {
    program: &'a Program<'a>,
    config: &'a Config,
    wto: Wto,
    dominators: Dominators,
    home: Map<Value, Option<Block>>,
    live: Map<Block, BTreeSet<Value>>,
    thresholds: Thresholds,
    partition: Partition,
    /// How many variables of the partition each block uses.
    active: Map<Block, usize>,
    states: Map<Block, BTreeMap<Key, (State, u32)>>,
    dirty: BTreeSet<usize>,
    changed: Map<Block, BTreeSet<Key>>,
}

/// Analyses a function; none if time ran out.
pub fn analyze(
    module: &Module,
    body: &Body,
    is_entry: bool,
    config: &Config,
) -> Option<Invariants> {
    let program = Program {
        module,
        body,
        shape: config.shape,
    };
    let cfg = Cfg::new(body);
    let partition = Partition::new(module, body);
    let mut engine = Engine {
        program: &program,
        config,
        wto: Wto::new(&cfg),
        dominators: Dominators::new(&cfg),
        home: partition::home(body),
        live: live(body),
        thresholds: thresholds(body),
        active: Map::filled(partition.variables.len(), body.blocks.len()),
        partition,
        states: Map::filled(BTreeMap::new(), body.blocks.len()),
        dirty: BTreeSet::new(),
        changed: Map::filled(BTreeSet::new(), body.blocks.len()),
    };
    engine.arrive(body.entry(), partition::entry_state(&program, is_entry));
    engine.ascend()?;
    for _ in 0..config.narrowing {
        engine.descend(is_entry)?;
    }
    Some(Invariants {
        states: engine
            .states
            .values()
            .map(|states| states.values().map(|(state, _)| state.clone()).collect())
            .collect(),
        shape: config.shape,
    })
}

impl Engine<'_> {
    fn late(&self) -> bool {
        self.config
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// The states grow until nothing changes.
    fn ascend(&mut self) -> Option<()> {
        while let Some(place) = self.dirty.pop_first() {
            if self.late() {
                return None;
            }
            let block = self.wto.order()[place];
            let keys = std::mem::take(&mut self.changed[block]);
            for key in keys {
                let Some((state, _)) = self.states[block].get(&key) else {
                    continue;
                };
                for (target, out) in self.leave(block, state.clone()) {
                    self.arrive(target, out);
                }
            }
        }
        Some(())
    }

    /// One round in which each block's states are computed anew from those before it.
    fn descend(&mut self, is_entry: bool) -> Option<()> {
        let mut arriving: Map<Block, Vec<State>> =
            Map::filled(Vec::new(), self.program.body.blocks.len());
        let entry = self.program.body.entry();
        arriving[entry].push(partition::entry_state(self.program, is_entry));
        // Along edges that go backwards the states of the last round count.
        for place in 0..self.wto.order().len() {
            let block = self.wto.order()[place];
            for (state, _) in self.states[block].values() {
                for (target, out) in self.leave(block, state.clone()) {
                    if self.wto.is_back_edge(block, target) {
                        arriving[target].push(out);
                    }
                }
            }
            if self.late() {
                return None;
            }
        }
        for place in 0..self.wto.order().len() {
            if self.late() {
                return None;
            }
            let block = self.wto.order()[place];
            let mut new: BTreeMap<Key, (State, u32)> = BTreeMap::new();
            let active = self.active[block];
            let parts = std::mem::take(&mut arriving[block])
                .into_iter()
                .flat_map(|state| self.partition.part(self.program, block, state, active));
            for state in parts {
                let key = self.partition.key(&state, active);
                let joined = match new.remove(&key) {
                    Some((known, rounds)) => (self.program.join(&known, &state), rounds),
                    None => (state, 0),
                };
                new.insert(key, joined);
            }
            for (state, _) in new.values() {
                for (target, out) in self.leave(block, state.clone()) {
                    if !self.wto.is_back_edge(block, target) {
                        arriving[target].push(out);
                    }
                }
            }
            self.states[block] = new;
        }
        Some(())
    }

    /// A state comes to a block.
    fn arrive(&mut self, block: Block, state: State) {
        let active = self.active[block];
        for part in self.partition.part(self.program, block, state, active) {
            self.settle(block, part);
        }
    }

    fn settle(&mut self, block: Block, state: State) {
        let key = self.partition.key(&state, self.active[block]);
        let is_head = self.wto.is_head(block);
        let states = &mut self.states[block];
        match states.get_mut(&key) {
            None => {
                states.insert(key.clone(), (state, 0));
            }
            Some((known, rounds)) => {
                if self.program.is_within(&state, known) {
                    return;
                }
                let joined = self.program.join(known, &state);
                if is_head {
                    *rounds += 1;
                }
                *known = if *rounds > PATIENCE {
                    forget_differences(known, &joined)
                } else if *rounds > self.config.delay {
                    let mut wide = self.program.widen(known, &joined, &self.thresholds);
                    self.partition.clip(self.program, block, &key, &mut wide);
                    wide
                } else {
                    joined
                };
            }
        }
        self.changed[block].insert(key);
        let place = self.wto.position(block).expect("an edge leads to it");
        self.dirty.insert(place);
        if self.states[block].len() > self.config.states {
            self.coarsen(block);
        }
    }

    /// Too many states: fewer variables keep them apart.
    fn coarsen(&mut self, block: Block) {
        self.active[block] = fewer(
            &self.states[block],
            self.active[block],
            self.config.states / 2,
        );
        let old = std::mem::take(&mut self.states[block]);
        let mut new: BTreeMap<Key, (State, u32)> = BTreeMap::new();
        for (state, rounds) in old.into_values() {
            let key = self.partition.key(&state, self.active[block]);
            let joined = match new.remove(&key) {
                Some((known, other)) => (self.program.join(&known, &state), rounds.max(other)),
                None => (state, rounds),
            };
            new.insert(key, joined);
        }
        self.changed[block] = new.keys().cloned().collect();
        self.states[block] = new;
    }

    /// Runs a block; the states with which its successors begin. A choice by what a loop asks of the world parts a state, as a branch would.
    fn leave(&self, block: Block, state: State) -> Vec<(Block, State)> {
        let body = self.program.body;
        let data = &body.blocks[block];
        let mut states = vec![state];
        for &inst in &data.insts {
            if let Op::Select(Operand::Value(cond), ..) = &body.insts[inst].op
                && self.partition.answers.contains(cond)
            {
                states = states
                    .into_iter()
                    .flat_map(|state| self.part(state, *cond))
                    .collect();
            }
            states.retain_mut(|state| self.program.step(state, inst));
        }
        let out = states
            .into_iter()
            .flat_map(|state| self.hand_over(&data.terminator, state));
        out.collect()
    }

    /// A state where a truth value is true, and one where it is false.
    fn part(&self, state: State, cond: Value) -> Vec<State> {
        let cond = Operand::Value(cond);
        if self.program.operand(&state, &cond).single().is_some() {
            return vec![state];
        }
        let mut parts = Vec::new();
        for outcome in [true, false] {
            let mut part = state.clone();
            if self.program.assume(&mut part, &cond, outcome) {
                parts.push(part);
            }
        }
        parts
    }

    /// The states with which the successors begin.
    fn hand_over(&self, terminator: &Terminator, mut state: State) -> Vec<(Block, State)> {
        let mut found = Vec::new();
        match terminator {
            Terminator::Jump(target) => {
                found.push((target.block, self.cross(state, target)));
            }
            Terminator::Branch(cond, yes, no) => {
                let mut other = state.clone();
                if self.program.assume(&mut state, cond, true) {
                    found.push((yes.block, self.cross(state, yes)));
                }
                if self.program.assume(&mut other, cond, false) {
                    found.push((no.block, self.cross(other, no)));
                }
            }
            Terminator::Switch(_, cases, default) => {
                for target in cases.iter().map(|(_, target)| target).chain([default]) {
                    found.push((target.block, self.cross(state.clone(), target)));
                }
            }
            Terminator::Return(_) | Terminator::Halt(_) => {}
        }
        found
    }

    /// Crosses an edge: parameters get their arguments, and what is of no more use is forgotten.
    fn cross(&self, mut state: State, target: &ir::syntax::Target) -> State {
        let body = self.program.body;
        let params = &body.blocks[target.block].params;
        let mut vals = Vec::new();
        let mut mems = Vec::new();
        let mut renamed: BTreeMap<Value, Value> = BTreeMap::new();
        for (&param, arg) in params.iter().zip(&target.args) {
            if body.values[param].ty.is_mem() {
                if let Operand::Value(value) = arg {
                    mems.push((param, self.program.memory(&state, *value)));
                }
            } else {
                vals.push((param, self.program.anew(&state, arg, 2)));
                if let Operand::Value(value) = arg {
                    renamed.insert(*value, param);
                }
            }
        }
        let here = target.block;
        let live = &self.live[here];
        // Registers defined in a block above the target keep their value there.
        let lasts = |value: Value| {
            !params.contains(&value)
                && self.home[value]
                    .is_none_or(|home| home != here && self.dominators.dominates(home, here))
        };
        let stays = |value: Value| live.contains(&value) && lasts(value);
        let relations = self.program.cross_relations(&state, target, &vals, stays);
        state
            .vals
            .retain(|value, _| live.contains(value) && lasts(*value));
        state
            .mems
            .retain(|value, _| live.contains(value) && lasts(*value));
        state.exact.retain(|(_, a, b)| {
            let stays = |operand: &Operand| operand.as_value().is_none_or(lasts);
            stays(a) && stays(b)
        });
        for (param, val) in vals {
            state.vals.insert(param, val);
        }
        state.relations = relations;
        for (param, mem) in mems {
            state.mems.insert(param, mem);
        }
        let keep = |value: Value| {
            if lasts(value) {
                Some(value)
            } else {
                renamed.get(&value).copied()
            }
        };
        #[allow(clippy::iter_over_hash_type)]
        for mem in state.mems.values_mut() {
            let stale = mem.objects.values().any(|object| {
                let mut cells = object.contents.cells.values();
                cells.any(|cell| cell.same.is_some_and(|same| keep(same) != Some(same)))
            });
            if stale {
                Rc::make_mut(mem).rename(keep);
            }
        }
        state
    }
}

/// How many of the first variables keep no more than so many states apart.
fn fewer(states: &BTreeMap<Key, (State, u32)>, active: usize, most: usize) -> usize {
    let told_apart = |by: usize| {
        let keys = states.keys().map(|key| {
            let end = key.partition_point(|(number, _)| (*number as usize) < by);
            &key[..end]
        });
        keys.collect::<BTreeSet<_>>().len()
    };
    // Only a variable that some state has a value of makes a difference.
    let numbers: BTreeSet<usize> = states
        .keys()
        .flatten()
        .map(|(number, _)| *number as usize)
        .filter(|number| *number < active)
        .collect();
    let mut falling = numbers.into_iter().rev();
    falling.find(|by| told_apart(*by) <= most).unwrap_or(0)
}

/// Everything that differs is given up.
fn forget_differences(old: &State, new: &State) -> State {
    let mut out = new.clone();
    out.vals
        .retain(|value, val| old.vals.get(value) == Some(val));
    out.mems
        .retain(|value, mem| old.mems.get(value) == Some(mem));
    out.exact.retain(|fact| old.exact.contains(fact));
    out.relations = Rc::new(new.relations.in_both(&old.relations));
    out
}

/// Constants of a body.
fn thresholds(body: &Body) -> Thresholds {
    let mut found = Vec::new();
    let mut note = |operand: &Operand| {
        if let Operand::Const(Const::Int(bv) | Const::Float(_, bv)) = operand
            && bv.width() <= 64
        {
            found.push((bv.low_u64(), bv.width()));
        }
    };
    for data in body.blocks.values() {
        for &inst in &data.insts {
            match &body.insts[inst].op {
                Op::Compare(..) | Op::Binary(..) | Op::Select(..) | Op::Alloc { .. } => {
                    for operand in body.insts[inst].op.operands() {
                        note(operand);
                    }
                }
                _ => {}
            }
        }
        for operand in data.terminator.operands() {
            note(operand);
        }
    }
    found.sort_unstable();
    found.dedup();
    Thresholds::new(found.into_iter())
}

/// The registers that are still of use at the beginning of each block.
fn live(body: &Body) -> Map<Block, BTreeSet<Value>> {
    let mut live: Map<Block, BTreeSet<Value>> = Map::filled(BTreeSet::new(), body.blocks.len());
    let home = partition::home(body);
    let mut predecessors: Map<Block, Vec<Block>> = Map::filled(Vec::new(), body.blocks.len());
    for (block, data) in body.blocks.iter() {
        for next in data.terminator.successors() {
            predecessors[next].push(block);
        }
    }
    let mut work: Vec<(Value, Block)> = Vec::new();
    for (block, data) in body.blocks.iter() {
        let mut used = |value: Value| {
            if home[value] != Some(block) {
                work.push((value, block));
            }
        };
        for &inst in &data.insts {
            body.insts[inst].uses().for_each(&mut used);
        }
        for operand in data.terminator.operands() {
            if let Operand::Value(value) = operand {
                used(*value);
            }
        }
    }
    while let Some((value, block)) = work.pop() {
        if !live[block].insert(value) {
            continue;
        }
        for &before in &predecessors[block] {
            if home[value] != Some(before) {
                work.push((value, before));
            }
        }
    }
    live
}

/// What the states say of each obligation that occurs.
pub fn judge(
    module: &Module,
    body: &Body,
    invariants: &Invariants,
) -> BTreeMap<Obligation, Judgement> {
    let program = Program {
        module,
        body,
        shape: invariants.shape,
    };
    let mut found: BTreeMap<Obligation, Judgement> = BTreeMap::new();
    for (block, data) in body.blocks.iter() {
        for &inst in &data.insts {
            if let Op::Check(obligation, _) = &body.insts[inst].op {
                found.entry(*obligation).or_insert(Judgement::NotReached);
            }
        }
        for state in &invariants.states[block] {
            let mut state = state.clone();
            for &inst in &data.insts {
                if let Op::Check(obligation, cond) = &body.insts[inst].op {
                    let holds = program.operand(&state, cond).single() == Some(1);
                    let entry = found.entry(*obligation).or_insert(Judgement::NotReached);
                    *entry = match (*entry, holds) {
                        (Judgement::Open, _) | (_, false) => Judgement::Open,
                        (_, true) => Judgement::Holds,
                    };
                }
                if !program.step(&mut state, inst) {
                    break;
                }
            }
        }
    }
    found
}
