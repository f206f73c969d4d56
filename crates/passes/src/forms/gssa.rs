//! Gated SSA: block parameters become selects, gated by the conditions of the edges.
//!
//! ```text
//! b0: branch v1, b1, b2          b0: …
//! b1: … jump b3(v2)              b1: …
//! b2: … jump b3(v3)              b2: …
//! b3(v4: i32):                   b3: v4 = select.i32 v1, v2, v3
//! ```
//!
//! Both arms of a select must have been computed, so the blocks now run one after the other, in
//! an order in which each comes after its predecessors; branches live on in the gates only. The
//! single assumption and check are in the last block, and nothing before them ends an execution.
//!
//! **Gates.** If every edge into the join lies on one side of the branch that dominates them all,
//! the branch's condition is the gate, and each side is divided in the same way:
//!
//! ```text
//!        b0: branch a                    select a, x, (select b, y, z)
//!       /     \
//!      /       b1: branch b
//!   x |       / y   \ z
//!      `-> join <---'
//! ```
//!
//! Otherwise (an edge jumps over the branch's own join) edge conditions decide: an edge is taken if
//! its block is reached and its side of the branch is chosen; a block is reached if one of its edges
//! is taken, or, if every path passes it, if its dominator is reached. They are computed only where
//! a gate needs them. A block's condition alone would not do: two edges may leave one block.
//!
//! A gate's value counts only if its join is reached, and then it is right.

use std::collections::{BTreeMap, BTreeSet};

use base::Map;
use ir::cfg::Cfg;
use ir::dominators::{Dominators, PostDominators};
use ir::syntax::{
    BinaryOp, Block, Body, Machine, Module, Op, Operand, Phase, Target, Terminator, Value,
};

use super::expect_sasa;
use crate::edit::{self, Edge, Substitution};
use crate::fold::{fold, is_false, is_true};
use crate::pass::{self, Config, Error, Pass};

/// See the module.
pub struct GatedSsa;

impl Pass for GatedSsa {
    fn name(&self) -> &'static str {
        "gssa"
    }

    fn about(&self) -> &'static str {
        "Replaces block parameters by selects gated by edge conditions."
    }

    fn run(&self, module: &mut Module, _config: &Config) -> Result<(), Error> {
        pass::expect_phase(self.name(), Phase::Unrolled, module)?;
        let machine = module.machine;
        for func in module.funcs.values_mut() {
            if let Some(body) = &mut func.body {
                expect_sasa(body, self.name())?;
                edit::tidy_in_place(body);
                Gater::new(body, machine).run();
            }
        }
        Ok(())
    }
}

/// How the edges of a join are told apart.
enum Gate {
    /// By the condition of a branch: the gates of its two sides, by number.
    Branch(Operand, usize, usize),
    /// There is only one.
    Edge(Edge),
    /// By the conditions of the edges themselves.
    Edges(Vec<Edge>),
}

struct Gater<'a> {
    body: &'a mut Body,
    machine: Machine,
    order: Vec<Block>,
    edges: Map<Block, Vec<Edge>>,
    dominators: Dominators,
    post_dominators: PostDominators,
    /// Each block's number in a walk of the dominator tree, and the last number below it.
    walk: Map<Block, (u32, u32)>,
    /// Blocks and edges whose condition is needed.
    needed: Map<Block, bool>,
    needed_edges: BTreeSet<Edge>,
    /// What has been computed: when a block is reached, when an edge is taken.
    reached: BTreeMap<Block, Operand>,
    taken: BTreeMap<Edge, Operand>,
    /// Parameters that equal something else.
    replaced: Substitution,
}

impl Gater<'_> {
    fn new(body: &mut Body, machine: Machine) -> Gater<'_> {
        let cfg = Cfg::new(body);
        let dominators = Dominators::new(&cfg);
        let order = ir::cfg::text_order(body);
        Gater {
            machine,
            walk: walk(&dominators, &order, body.blocks.len()),
            order,
            edges: edit::edges_into(body),
            post_dominators: PostDominators::new(&cfg),
            dominators,
            needed: Map::filled(false, body.blocks.len()),
            needed_edges: BTreeSet::new(),
            reached: BTreeMap::new(),
            taken: BTreeMap::new(),
            replaced: Substitution::new(body),
            body,
        }
    }

    fn run(mut self) {
        let mut gates: BTreeMap<Block, Vec<Gate>> = BTreeMap::new();
        for &block in &self.order {
            if !self.body.blocks[block].params.is_empty() {
                gates.insert(block, self.gates(block));
            }
        }
        self.find_needed(&gates);
        let order = std::mem::take(&mut self.order);
        for &block in &order {
            let insts = edit::take_insts(self.body, block);
            if self.needed[block] {
                self.compute_reached(block);
            }
            if let Some(gates) = gates.get(&block) {
                self.select(block, gates);
            }
            self.body.blocks[block].insts.extend(insts);
            self.compute_taken(block);
        }
        for pair in order.windows(2) {
            let data = &mut self.body.blocks[pair[0]];
            data.terminator = Terminator::Jump(Target::new(pair[1]));
            data.place = None;
        }
        self.replaced.apply(self.body);
        edit::tidy(self.body, &order);
    }

    /// How to tell the edges of a join apart; the last gate is the one to begin with.
    fn gates(&self, block: Block) -> Vec<Gate> {
        let mut edges = self.edges[block].clone();
        edges.sort_by_key(|edge| (self.walk[edge.from].0, edge.slot));
        // Ranges of edges and the gates already made for them; a range is visited twice.
        let mut gates = Vec::new();
        let mut work = vec![(0, edges.len(), None)];
        let mut made: Vec<usize> = Vec::new();
        while let Some((from, to, split)) = work.pop() {
            let range = &edges[from..to];
            if let Some(cond) = split {
                let no = made.pop().expect("the second side is made");
                let yes = made.pop().expect("the first side is made");
                made.push(gates.len());
                gates.push(Gate::Branch(cond, yes, no));
                continue;
            }
            if let [edge] = range {
                made.push(gates.len());
                gates.push(Gate::Edge(*edge));
                continue;
            }
            match self.divide(range) {
                Some((cond, sides)) => {
                    work.push((from, to, Some(cond)));
                    let [yes, no] = sides.map(|(start, end)| (from + start, from + end));
                    work.push((no.0, no.1, None));
                    work.push((yes.0, yes.1, None));
                }
                None => {
                    made.push(gates.len());
                    gates.push(Gate::Edges(range.to_vec()));
                }
            }
        }
        gates
    }

    /// The branch that divides the edges, and which of them are on its two sides. The edges are
    /// in the order of the walk.
    fn divide(&self, edges: &[Edge]) -> Option<(Operand, [(usize, usize); 2])> {
        let last = edges.last()?.from;
        let mut above = edges.first()?.from;
        while !self.dominators.dominates(above, last) {
            above = self.dominators.immediate(above)?;
        }
        let Terminator::Branch(cond, yes, no) = &self.body.blocks[above].terminator else {
            return None;
        };
        if yes.block == no.block {
            // Both edges go to one block; only they are told apart by the branch.
            let both = edges.len() == 2 && edges.iter().all(|edge| edge.from == above);
            return both.then(|| (cond.clone(), [(0, 1), (1, 2)]));
        }
        // The branch's own edges come first, then what is below its targets.
        let own = edges.iter().take_while(|edge| edge.from == above).count();
        let side = |slot: usize, target: Block| {
            let of_own = edges[..own].iter().position(|edge| edge.slot == slot);
            if let Some(index) = of_own {
                return Some((index, index + 1));
            }
            let private = matches!(self.edges[target][..], [edge] if edge.from == above);
            let (first, end) = self.walk[target];
            let start = edges.partition_point(|edge| self.walk[edge.from].0 < first);
            let stop = edges.partition_point(|edge| self.walk[edge.from].0 <= end);
            (private && start < stop).then_some((start, stop))
        };
        let (yes, no) = (side(0, yes.block)?, side(1, no.block)?);
        let covered = (yes.1 - yes.0) + (no.1 - no.0);
        (covered == edges.len()).then(|| (cond.clone(), [yes, no]))
    }

    /// Marks the blocks and edges whose condition is needed by some gate.
    fn find_needed(&mut self, gates: &BTreeMap<Block, Vec<Gate>>) {
        let mut work: Vec<Edge> = Vec::new();
        for gate in gates.values().flatten() {
            match gate {
                Gate::Edges(edges) => work.extend(edges),
                Gate::Branch(..) | Gate::Edge(_) => {}
            }
        }
        while let Some(edge) = work.pop() {
            if !self.needed_edges.insert(edge) {
                continue;
            }
            let mut block = edge.from;
            while !std::mem::replace(&mut self.needed[block], true) {
                match self.always_with(block) {
                    Some(above) => block = above,
                    None => work.extend(&self.edges[block]),
                }
            }
        }
    }

    /// The dominator that is reached exactly if the block is.
    fn always_with(&self, block: Block) -> Option<Block> {
        let above = self.dominators.immediate(block)?;
        let always = self.post_dominators.dominates(block, above);
        always.then_some(above)
    }

    /// Computes when the block is reached.
    fn compute_reached(&mut self, block: Block) {
        let reached = if block == self.body.entry() {
            Operand::bool(true)
        } else if let Some(above) = self.always_with(block) {
            self.reached[&above].clone()
        } else {
            let mut any = Operand::bool(false);
            for index in 0..self.edges[block].len() {
                let edge = self.edges[block][index];
                let taken = self.taken[&edge].clone();
                any = self.binary(block, BinaryOp::Or, any, taken);
            }
            any
        };
        self.reached.insert(block, reached);
    }

    /// Computes when the edges out of the block are taken, as far as needed.
    fn compute_taken(&mut self, block: Block) {
        let Some(reached) = self.reached.get(&block).cloned() else {
            return;
        };
        let slots = self.body.blocks[block].terminator.targets().len();
        for slot in 0..slots {
            let edge = Edge { from: block, slot };
            if !self.needed_edges.contains(&edge) {
                continue;
            }
            let taken = match self.body.blocks[block].terminator.clone() {
                Terminator::Branch(cond, ..) => {
                    let chosen = match slot {
                        0 => cond,
                        _ => self.binary(block, BinaryOp::Xor, cond, Operand::bool(true)),
                    };
                    self.binary(block, BinaryOp::And, reached.clone(), chosen)
                }
                Terminator::Jump(_)
                | Terminator::Switch(..)
                | Terminator::Return(_)
                | Terminator::Halt(_) => reached.clone(),
            };
            self.taken.insert(edge, taken);
        }
    }

    /// Replaces the block's parameters by selects.
    fn select(&mut self, block: Block, gates: &[Gate]) {
        let params = std::mem::take(&mut self.body.blocks[block].params);
        for (index, param) in params.into_iter().enumerate() {
            let arg = |gater: &Gater, edge: Edge| edge.args(gater.body)[index].clone();
            let mut values: Vec<Operand> = Vec::with_capacity(gates.len());
            for gate in gates {
                let value = match gate {
                    Gate::Edge(edge) => arg(self, *edge),
                    Gate::Branch(cond, yes, no) => {
                        let (yes, no) = (values[*yes].clone(), values[*no].clone());
                        self.choose(block, cond.clone(), yes, no)
                    }
                    Gate::Edges(edges) if edges.iter().all(|edge| is_bit(&arg(self, *edge))) => {
                        let mut any = Operand::bool(false);
                        for &edge in edges {
                            if is_true(&arg(self, edge)) {
                                let taken = self.taken[&edge].clone();
                                any = self.binary(block, BinaryOp::Or, any, taken);
                            }
                        }
                        any
                    }
                    Gate::Edges(edges) => {
                        let (last, others) = edges.split_last().expect("several edges");
                        let mut value = arg(self, *last);
                        for edge in others.iter().rev() {
                            let taken = self.taken[edge].clone();
                            let here = arg(self, *edge);
                            value = self.choose(block, taken, here, value);
                        }
                        value
                    }
                };
                values.push(value);
            }
            let value = values.pop().expect("a join has a gate");
            self.define(block, param, value);
        }
    }

    /// Lets the parameter be the operand from here on.
    fn define(&mut self, block: Block, param: Value, value: Operand) {
        // A select made for this parameter defines it directly, so that its number stays.
        let last = self.body.blocks[block].insts.last().copied();
        if let (Some(inst), Operand::Value(result)) = (last, &value)
            && self.body.insts[inst].results == [*result]
            && matches!(self.body.insts[inst].op, Op::Select(..))
        {
            self.body.insts[inst].results[0] = param;
            self.body.redefine(inst);
        } else {
            self.replaced.set(param, &value);
        }
    }

    fn choose(&mut self, block: Block, cond: Operand, yes: Operand, no: Operand) -> Operand {
        if yes == no {
            return yes;
        }
        if is_true(&yes) && is_false(&no) {
            return cond;
        }
        if is_false(&yes) && is_true(&no) {
            return self.binary(block, BinaryOp::Xor, cond, Operand::bool(true));
        }
        self.append(block, Op::Select(cond, yes, no))
    }

    /// The operation on conditions, or what it folds to.
    fn binary(&mut self, block: Block, op: BinaryOp, a: Operand, b: Operand) -> Operand {
        match fold(&Op::Binary(op, a.clone(), b.clone()), 0) {
            Some(folded) => folded,
            None => self.append(block, Op::Binary(op, a, b)),
        }
    }

    fn append(&mut self, block: Block, op: Op) -> Operand {
        let inst = self.body.append(block, op, Vec::new(), None, self.machine);
        self.body.insts[inst].results[0].into()
    }
}

/// Is it a constant bit?
fn is_bit(operand: &Operand) -> bool {
    is_true(operand) || is_false(operand)
}

/// Numbers the dominator tree so that what is below a block is a range.
fn walk(dominators: &Dominators, order: &[Block], count: usize) -> Map<Block, (u32, u32)> {
    let mut children: Map<Block, Vec<Block>> = Map::filled(Vec::new(), count);
    for &block in order {
        if let Some(above) = dominators.immediate(block) {
            children[above].push(block);
        }
    }
    let mut walk: Map<Block, (u32, u32)> = Map::filled((0, 0), count);
    let mut next = 0;
    let mut stack: Vec<(Block, usize)> =
        order.first().map(|&entry| (entry, 0)).into_iter().collect();
    while let Some((block, visited)) = stack.last_mut() {
        if *visited == 0 {
            walk[*block].0 = next;
            next += 1;
        }
        match children[*block].get(*visited) {
            Some(&child) => {
                *visited += 1;
                stack.push((child, 0));
            }
            None => {
                walk[*block].1 = next - 1;
                stack.pop();
            }
        }
    }
    walk
}
