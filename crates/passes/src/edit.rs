//! What passes share when they change bodies.
//!
//! A pass that adds or drops blocks and instructions leaves the tables in any order and then
//! calls [`tidy`], which restores the rule that numbers follow the text. Values keep their numbers
//! (a dump before and one after a pass are read side by side) until somebody asks for
//! [`renumber`].

use checks::registry::CheckId;
use std::collections::BTreeMap;

use base::Map;
use ir::build::HOLE;
use ir::syntax::{
    Block, BlockData, Body, Def, HaltKind, Inst, InstData, Module, Obligation, ObligationData, Op,
    Operand, PlaceData, PlaceId, Standing, Terminator, Value, ValueData,
};

/// Brings the blocks into the order given (the entry first), drops those that cannot be reached
/// or are not listed, and numbers blocks and instructions in that order. Values that nothing
/// defines any more become holes.
pub(crate) fn tidy(body: &mut Body, order: &[Block]) {
    reorder(body, order);
    redefine(body);
}

/// [`tidy`] without the values, for a body whose values are to be numbered anyway.
pub(crate) fn reorder(body: &mut Body, order: &[Block]) {
    let reached = reachable_from(body, order[0]);
    let mut new_block: Map<Block, Option<Block>> = Map::filled(None, body.blocks.len());
    let mut kept = Vec::with_capacity(order.len());
    for &block in order {
        if reached[block] {
            new_block[block] = Some(Block::from_index(kept.len()));
            kept.push(block);
        }
    }
    let mut old_blocks: Vec<Option<BlockData>> = std::mem::take(&mut body.blocks)
        .into_iter()
        .map(Some)
        .collect();
    let mut old_insts: Vec<Option<InstData>> = std::mem::take(&mut body.insts)
        .into_iter()
        .map(Some)
        .collect();
    for block in kept {
        let mut data = old_blocks[block.index()]
            .take()
            .expect("a block is listed once");
        for inst in &mut data.insts {
            let moved = old_insts[inst.index()]
                .take()
                .expect("an instruction is in one block");
            *inst = body.insts.push(moved);
        }
        for target in data.terminator.targets_mut() {
            target.block = new_block[target.block].expect("a reachable block is listed");
        }
        body.blocks.push(data);
    }
}

/// Drops the other rows of the table of obligations, which no check names, and numbers those that stay.
pub(crate) fn keep_obligations(module: &mut Module, stays: &Map<Obligation, bool>) {
    let mut new: Map<Obligation, Option<Obligation>> = Map::new();
    let mut kept = Map::new();
    let rows = std::mem::take(&mut module.obligations);
    for (index, row) in rows.into_iter().enumerate() {
        let stays = stays[Obligation::from_index(index)];
        new.push(stays.then(|| kept.push(row)));
    }
    module.obligations = kept;
    let funcs = module.funcs.values_mut();
    for body in funcs.filter_map(|func| func.body.as_mut()) {
        let insts: Vec<Inst> = body.insts_in_order().map(|(_, inst)| inst).collect();
        for inst in insts {
            if let Op::Check(obligation, _) = &mut body.insts[inst].op {
                *obligation = new[*obligation].expect("what is used stays");
            }
        }
    }
}

/// [`tidy`] with the blocks as they stand.
pub(crate) fn tidy_in_place(body: &mut Body) {
    let order: Vec<Block> = body.blocks.keys().collect();
    tidy(body, &order);
}

/// Gives every value the definition that the text says, turns the others into holes and drops
/// those at the end.
fn redefine(body: &mut Body) {
    let types: Vec<_> = body.values.values().map(|data| data.ty).collect();
    let mut values = vec![HOLE; types.len()];
    let mut used = 0;
    let mut define = |value: Value, def: Def| {
        values[value.index()] = ValueData {
            ty: types[value.index()],
            def,
        };
        used = used.max(value.index() + 1);
    };
    for (index, &param) in body.params.iter().enumerate() {
        define(param, Def::Param(index as u32));
    }
    for (block, data) in body.blocks.iter() {
        for (index, &param) in data.params.iter().enumerate() {
            define(param, Def::BlockParam(block, index as u32));
        }
        for &inst in &data.insts {
            for (index, &result) in body.insts[inst].results.iter().enumerate() {
                define(result, Def::Result(inst, index as u32));
            }
        }
    }
    values.truncate(used);
    body.values = values.into_iter().collect();
}

/// Numbers the values in the order of the text, without holes. The body is tidy.
pub(crate) fn renumber(body: &mut Body) {
    let mut new_value: Map<Value, Value> = body.values.keys().collect();
    let mut values = Map::with_capacity(body.values.len());
    let mut number = |value: Value, old: &Map<Value, ValueData>| {
        new_value[value] = values.push(old[value].clone());
    };
    for &param in &body.params {
        number(param, &body.values);
    }
    for data in body.blocks.values() {
        for &param in &data.params {
            number(param, &body.values);
        }
        for &inst in &data.insts {
            for &result in &body.insts[inst].results {
                number(result, &body.values);
            }
        }
    }
    body.values = values;
    for param in &mut body.params {
        *param = new_value[*param];
    }
    for data in body.blocks.values_mut() {
        for param in &mut data.params {
            *param = new_value[*param];
        }
        data.terminator
            .map_operands(|value| new_value[value].into());
    }
    for data in body.insts.values_mut() {
        for result in &mut data.results {
            *result = new_value[*result];
        }
        for mem in &mut data.mems {
            *mem = new_value[*mem];
        }
        data.op.map_operands(|value| new_value[value].into());
    }
}

/// Which blocks the entry reaches.
pub(crate) fn reachable(body: &Body) -> Map<Block, bool> {
    reachable_from(body, body.entry())
}

fn reachable_from(body: &Body, entry: Block) -> Map<Block, bool> {
    let mut reached = Map::filled(false, body.blocks.len());
    reached[entry] = true;
    let mut work = vec![entry];
    while let Some(block) = work.pop() {
        for next in body.blocks[block].terminator.successors() {
            if !reached[next] {
                reached[next] = true;
                work.push(next);
            }
        }
    }
    reached
}

/// A substitution of operands for values. Chains are followed when it is applied.
pub(crate) struct Substitution {
    to: Map<Value, Option<Operand>>,
    is_empty: bool,
}

impl Substitution {
    /// Replaces nothing yet.
    pub(crate) fn new(body: &Body) -> Substitution {
        Substitution {
            to: Map::filled(None, body.values.len()),
            is_empty: true,
        }
    }

    /// Does it replace nothing?
    pub(crate) fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// What finally stands for the operand.
    pub(crate) fn resolve(&mut self, operand: &Operand) -> Operand {
        let Operand::Value(start) = *operand else {
            return operand.clone();
        };
        let mut last = start;
        let end = loop {
            match self.to.get(last).and_then(Option::as_ref) {
                None => break Operand::Value(last),
                Some(Operand::Value(next)) => last = *next,
                Some(constant) => break constant.clone(),
            }
        };
        // Path compression keeps long chains linear.
        let mut value = start;
        while let Some(Some(Operand::Value(next))) = self.to.get(value).cloned() {
            self.to[value] = Some(end.clone());
            value = next;
        }
        end
    }

    /// Replaces the value from now on, unless that would make it stand for itself.
    pub(crate) fn set(&mut self, value: Value, operand: &Operand) -> bool {
        let operand = self.resolve(operand);
        if operand == Operand::Value(value) {
            return false;
        }
        debug_assert!(self.to[value].is_none(), "{value} is replaced once");
        self.to[value] = Some(operand);
        self.is_empty = false;
        true
    }

    /// Rewrites everything that the body reads.
    pub(crate) fn apply(&mut self, body: &mut Body) {
        if self.is_empty {
            return;
        }
        for block in body.blocks.values_mut() {
            for &inst in &block.insts {
                let data = &mut body.insts[inst];
                data.op
                    .map_operands(|value| self.resolve(&Operand::Value(value)));
                for mem in &mut data.mems {
                    if let Operand::Value(version) = self.resolve(&Operand::Value(*mem)) {
                        *mem = version;
                    }
                }
            }
            block
                .terminator
                .map_operands(|value| self.resolve(&Operand::Value(value)));
        }
    }
}

/// Hands out new obligations with the next ordinal of their function and check.
pub(crate) struct Obligations {
    last: BTreeMap<(String, CheckId), u32>,
}

impl Obligations {
    /// Counts what the module has.
    pub(crate) fn new(module: &Module) -> Obligations {
        let mut last = BTreeMap::new();
        for data in module.obligations.values() {
            let count = last.entry((data.func.clone(), data.check)).or_insert(0);
            *count = data.ordinal.max(*count);
        }
        Obligations { last }
    }

    /// Adds an obligation at a place of the function.
    pub(crate) fn add(
        &mut self,
        module: &mut Module,
        func: &str,
        check: CheckId,
        text: String,
        place: Option<PlaceId>,
    ) -> Obligation {
        let func = source_func(&module.places, place).unwrap_or(func);
        let count = self.last.entry((func.to_owned(), check)).or_insert(0);
        *count += 1;
        let data = ObligationData {
            func: func.to_owned(),
            check,
            ordinal: *count,
            text,
            place,
            standing: Standing::Plain,
        };
        module.obligations.push(data)
    }
}

/// The function that a place is in, in the source.
fn source_func(places: &Map<PlaceId, PlaceData>, place: Option<PlaceId>) -> Option<&str> {
    place.map(|place| places[place].func.as_str())
}

/// Adds a sentence to the module's notes, once.
pub(crate) fn note(module: &mut Module, sentence: String) {
    if !module.notes.contains(&sentence) {
        module.notes.push(sentence);
    }
}

/// A predecessor edge: the block it leaves, and which of its terminator's targets it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Edge {
    /// The block it leaves.
    pub(crate) from: Block,
    /// Which of the targets.
    pub(crate) slot: usize,
}

impl Edge {
    /// The arguments that it passes.
    pub(crate) fn args(self, body: &Body) -> &[Operand] {
        &body.blocks[self.from].terminator.targets()[self.slot].args
    }
}

/// The edges into each block, in the order of the text.
pub(crate) fn edges_into(body: &Body) -> Map<Block, Vec<Edge>> {
    let mut edges = Map::filled(Vec::new(), body.blocks.len());
    for (from, data) in body.blocks.iter() {
        for (slot, target) in data.terminator.successors().into_iter().enumerate() {
            edges[target].push(Edge { from, slot });
        }
    }
    edges
}

/// Moves what follows the instruction at `index` of a block, and its end, into a new block.
/// The instruction itself stays.
pub(crate) fn split_after(body: &mut Body, block: Block, index: usize) -> Block {
    let rest = body.new_block(&[]);
    let insts = body.blocks[block].insts.split_off(index + 1);
    body.blocks[rest].insts = insts;
    let end = std::mem::replace(
        &mut body.blocks[block].terminator,
        Terminator::Halt(HaltKind::Dead),
    );
    body.blocks[rest].terminator = end;
    body.blocks[rest].place = body.blocks[block].place.take();
    rest
}

/// The instructions of a block, taken out of it.
pub(crate) fn take_insts(body: &mut Body, block: Block) -> Vec<Inst> {
    std::mem::take(&mut body.blocks[block].insts)
}
