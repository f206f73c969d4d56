//! Loop-closed SSA: what leaves a loop leaves it through parameters.
//!
//! ```text
//! b1(v1: i32):                         b1(v1: i32):
//!     v2 = add.i32 v1, 1                   v2 = add.i32 v1, 1
//!     branch v3, b1(v2), b2                branch v3, b1(v2), b2(v2)
//! b2:                                  b2(v4: i32):
//!     return v2                            return v4
//! ```
//!
//! Then a loop can be copied without looking at the rest of the body: each copy's exits pass its
//! own values. Uses behind a loop are traced back, block by block, to the edges that leave it; a
//! block on the way gets a parameter if the edge to it leaves a loop or several edges end there.
//! Loops are closed from the inside out, all loops of one depth in one sweep.

use std::collections::{BTreeMap, VecDeque};

use base::Map;
use ir::loops::{Loop, Loops};
use ir::syntax::{Block, Body, Def, Inst, Operand, Value};

use crate::edit::{self, Edge};

/// Closes all loops of a body, whose blocks are all reachable.
pub(crate) fn close_loops(body: &mut Body, loops: &Loops) {
    let deepest = loops.loops.values().map(|data| data.depth).max();
    for depth in (1..=deepest.unwrap_or(0)).rev() {
        Closer::new(body, loops, depth).run();
    }
}

struct Closer<'a> {
    body: &'a mut Body,
    loops: &'a Loops,
    edges: Map<Block, Vec<Edge>>,
    /// For each block, the loop of this depth that it is in.
    around: Map<Block, Option<Loop>>,
    /// The block that defines each value.
    home: Map<Value, Option<Block>>,
    /// What stands for a value of a loop at the beginning of a block behind the loop.
    at: BTreeMap<(Value, Block), Value>,
    /// Parameters whose arguments are missing, in the order in which they were made.
    open: VecDeque<(Value, Block)>,
}

impl Closer<'_> {
    fn new<'a>(body: &'a mut Body, loops: &'a Loops, depth: u32) -> Closer<'a> {
        let around = body
            .blocks
            .keys()
            .map(|block| {
                let start = loops.innermost[block];
                let chain = std::iter::successors(start, |&inner| loops.loops[inner].parent);
                let mut chain = chain.filter(|&inner| loops.loops[inner].depth == depth);
                chain.next()
            })
            .collect();
        let mut closer = Closer {
            edges: edit::edges_into(body),
            home: Map::filled(None, body.values.len()),
            body,
            loops,
            around,
            at: BTreeMap::new(),
            open: VecDeque::new(),
        };
        closer.find_homes();
        closer
    }

    fn find_homes(&mut self) {
        for (block, data) in self.body.blocks.iter() {
            for &param in &data.params {
                self.home[param] = Some(block);
            }
            for &inst in &data.insts {
                for &result in &self.body.insts[inst].results {
                    self.home[result] = Some(block);
                }
            }
        }
    }

    fn run(mut self) {
        let blocks: Vec<Block> = self.body.blocks.keys().collect();
        for &block in &blocks {
            for index in 0..self.body.blocks[block].insts.len() {
                let inst = self.body.blocks[block].insts[index];
                self.close_inst(block, inst);
            }
            let mut end = self.body.blocks[block].terminator.clone();
            let mut changed = false;
            end.map_operands(|value| {
                let closed = self.read_from(block, value);
                changed |= closed != value;
                closed.into()
            });
            if changed {
                self.body.blocks[block].terminator = end;
            }
        }
        while let Some((value, block)) = self.open.pop_front() {
            let home = self
                .loop_of(value)
                .expect("only values of loops are closed");
            for index in 0..self.edges[block].len() {
                let edge = self.edges[block][index];
                let arg = if self.loops.contains(home, edge.from) {
                    value
                } else {
                    self.read(value, edge.from)
                };
                let end = &mut self.body.blocks[edge.from].terminator;
                let mut targets = end.targets_mut();
                targets[edge.slot].args.push(Operand::Value(arg));
            }
        }
    }

    fn close_inst(&mut self, block: Block, inst: Inst) {
        let uses: Vec<Value> = self.body.insts[inst].uses().collect();
        if uses.iter().all(|&value| !self.leaves_loop(value, block)) {
            return;
        }
        let mut op = self.body.insts[inst].op.clone();
        op.map_operands(|value| self.read_from(block, value).into());
        let mems = self.body.insts[inst].mems.clone();
        let mems = mems
            .into_iter()
            .map(|mem| self.read_from(block, mem))
            .collect();
        let data = &mut self.body.insts[inst];
        data.op = op;
        data.mems = mems;
    }

    /// The loop of this depth that defines the value.
    fn loop_of(&self, value: Value) -> Option<Loop> {
        // Parameters made here stand behind their loop, perhaps in another of the same depth.
        let home = match self.home.get(value) {
            Some(home) => *home,
            None => match self.body.values[value].def {
                Def::BlockParam(block, _) => Some(block),
                Def::Param(_) | Def::Result(..) => None,
            },
        };
        home.and_then(|block| self.around[block])
    }

    fn leaves_loop(&self, value: Value, block: Block) -> bool {
        self.loop_of(value)
            .is_some_and(|home| !self.loops.contains(home, block))
    }

    /// Does the edge leave a loop, of whatever depth? A value that comes through another loop must
    /// leave that one through a parameter as well.
    fn is_exit(&self, from: Block, to: Block) -> bool {
        self.loops.innermost[from].is_some_and(|inner| !self.loops.contains(inner, to))
    }

    /// What stands for the value in the block.
    fn read_from(&mut self, block: Block, value: Value) -> Value {
        if self.leaves_loop(value, block) {
            self.read(value, block)
        } else {
            value
        }
    }

    /// What stands for a value of a loop at the beginning of a block behind the loop. The value's
    /// definition dominates every block on the way.
    fn read(&mut self, value: Value, block: Block) -> Value {
        let mut way = Vec::new();
        let mut at = block;
        let found = loop {
            if let Some(&found) = self.at.get(&(value, at)) {
                break found;
            }
            way.push(at);
            match self.edges[at][..] {
                [edge] if !self.is_exit(edge.from, at) => at = edge.from,
                _ => {
                    let ty = self.body.values[value].ty;
                    let param = self.body.new_block_param(at, ty);
                    self.open.push_back((value, at));
                    break param;
                }
            }
        };
        for block in way {
            self.at.insert((value, block), found);
        }
        found
    }
}
