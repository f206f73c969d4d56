//! The order in which the blocks of a function are evaluated.
//!
//! A block has an instance for each iteration of the loops around it. Instances are ordered by the
//! weak topological order of [`ir::wto`], in which every edge that goes backwards ends in the head of
//! a component that contains its source. Evaluating them in the order of the keys made here has two
//! consequences on which the evaluator rests:
//!
//! - all instances of a loop, whatever their iteration, come before the blocks behind the loop, so
//!   that the states which leave it in different iterations meet at one join;
//! - along an execution the keys only grow, so that what is recorded during evaluation, restricted
//!   to one execution's path, is in execution order.
//!
//! A value that is defined inside a component and used outside of it has one instance for each
//! iteration: it is *carried* along the edges outside the component, like a block parameter.

use ir::cfg::Cfg;
use ir::loops::Shape;
use ir::syntax::{Block, Body, Def, Inst, Operand, Value};
use ir::wto::Wto;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The position of a block instance: positions of the enclosing components' heads alternating with
/// iteration numbers, then the block's own position. Compared lexicographically.
pub type Key = SmallVec<[u32; 7]>;

/// The order of one function.
#[derive(Debug)]
pub struct Order {
    /// The order of the blocks, and their components.
    wto: Wto,
    /// The components around each block, outermost first, by the position of their head.
    around: Vec<Vec<u32>>,
    /// The values that each edge into a block carries.
    carried: Vec<Vec<Value>>,
    /// For each instruction, the memory versions that nobody reads after it.
    last_uses: Vec<SmallVec<[Value; 1]>>,
}

impl Order {
    /// Computes the order of a function's blocks.
    pub fn new(body: &Body) -> Order {
        let cfg = Cfg::new(body);
        let wto = Wto::new(&cfg);
        let mut order = Order {
            around: vec![Vec::new(); body.blocks.len()],
            carried: vec![Vec::new(); body.blocks.len()],
            last_uses: vec![SmallVec::new(); body.insts.len()],
            wto,
        };
        for &block in order.wto.order() {
            let around = &mut order.around[block.index()];
            let components = order.wto.around(block);
            around.extend(components.map(|component| order.wto.range(component).start as u32));
            around.reverse();
        }
        order.find_carried(body, &cfg);
        order.find_last_uses(body);
        order
    }

    /// The key of the entry block.
    pub fn start(&self) -> Key {
        self.enter(Block::from_index(0), &[])
    }

    /// The key of a block where evaluation begins: in the first iteration of the components around it.
    pub fn begin(&self, block: Block) -> Key {
        self.enter(block, &[])
    }

    /// The block of a key.
    pub fn block(&self, key: &Key) -> Block {
        self.wto.order()[*key.last().expect("a key ends with a position") as usize]
    }

    /// The values carried by edges into a block.
    pub fn carried(&self, block: Block) -> &[Value] {
        &self.carried[block.index()]
    }

    /// Is this the last look at a memory version? Then it can be changed in place.
    pub fn is_last_use(&self, inst: Inst, memory: Value) -> bool {
        self.last_uses[inst.index()].contains(&memory)
    }

    /// The key of `target` when it is reached by an edge from the block instance `from`.
    pub fn step(&self, from: &Key, target: Block) -> Key {
        let source = self.block(from);
        let (inner, outer) = (&self.around[target.index()], &self.around[source.index()]);
        let common = inner.iter().zip(outer).take_while(|(a, b)| a == b).count();
        let mut iterations: SmallVec<[u32; 4]> =
            (0..common).map(|level| from[2 * level + 1]).collect();
        if self.is_back_edge(source, target) {
            *iterations
                .last_mut()
                .expect("a back edge stays in the head's component") += 1;
        }
        self.enter(target, &iterations)
    }

    /// Does the edge go to the head of a component that contains its source?
    pub fn is_back_edge(&self, source: Block, target: Block) -> bool {
        self.wto.is_back_edge(source, target)
    }

    /// Is the block the head of a component?
    pub fn is_head(&self, block: Block) -> bool {
        self.wto.is_head(block)
    }

    /// Does every execution that enters the component of this head enter it here?
    pub fn is_entered_by_head(&self, head: Block) -> bool {
        let component = self.wto.loops.with_header(head);
        component.is_none_or(|component| match self.wto.loops.loops[component].shape {
            Shape::Natural => true,
            Shape::Irreducible => false,
        })
    }

    /// What a head's key says about the components around its own: in which of their iterations it is.
    pub fn activation(key: &Key) -> Key {
        Key::from_slice(&key[..key.len().saturating_sub(3)])
    }

    /// The iteration number of the innermost component in a key, 0 outside of components.
    pub fn iteration(key: &Key) -> u32 {
        if key.len() >= 2 {
            key[key.len() - 2]
        } else {
            0
        }
    }

    /// The head of the innermost component around a block instance, and its iteration.
    pub fn innermost(&self, key: &Key) -> Option<(Block, u32)> {
        let head = *key.get(key.len().checked_sub(3)?)?;
        Some((self.wto.order()[head as usize], Order::iteration(key)))
    }

    /// The components around a block instance, outermost first, by their heads, and in which iteration they are.
    pub fn rounds_of<'k>(&'k self, key: &'k Key) -> impl Iterator<Item = (Block, u32)> + 'k {
        let pairs = key.chunks_exact(2);
        pairs.map(|pair| (self.wto.order()[pair[0] as usize], pair[1]))
    }

    fn enter(&self, target: Block, iterations: &[u32]) -> Key {
        let mut key = Key::new();
        for (level, &head) in self.around[target.index()].iter().enumerate() {
            key.push(head);
            key.push(iterations.get(level).copied().unwrap_or(0));
        }
        let position = self.wto.position(target);
        key.push(position.expect("a block that is reached is in the order") as u32);
        key
    }

    /// A version whose uses are all instructions of one block dies at the last of them, provided that
    /// the block runs at most once for each definition: it is inside the same components.
    fn find_last_uses(&mut self, body: &Body) {
        const MANY: u32 = u32::MAX;
        let mut home = vec![MANY; body.values.len()];
        let mut user: Vec<Option<(u32, Inst)>> = vec![None; body.values.len()];
        let mut pinned = vec![false; body.values.len()];
        for (block, data) in body.blocks.iter() {
            let here = block.index() as u32;
            for &param in &data.params {
                home[param.index()] = here;
            }
            for &inst in &data.insts {
                for &memory in &body.insts[inst].mems {
                    match &mut user[memory.index()] {
                        Some((known, last)) if *known == here => *last = inst,
                        Some(_) => pinned[memory.index()] = true,
                        empty => *empty = Some((here, inst)),
                    }
                }
                for &result in &body.insts[inst].results {
                    home[result.index()] = here;
                }
            }
            for operand in data.terminator.operands() {
                if let Operand::Value(value) = operand {
                    pinned[value.index()] = true;
                }
            }
        }
        for (index, found) in user.into_iter().enumerate() {
            let Some((block, inst)) = found else { continue };
            let origin = home[index];
            if pinned[index] || origin == MANY {
                continue;
            }
            let value = Value::from_index(index);
            let twice = body.insts[inst]
                .mems
                .iter()
                .filter(|&&memory| memory == value)
                .count()
                > 1;
            if !twice && self.around[block as usize] == self.around[origin as usize] {
                self.last_uses[inst.index()].push(value);
            }
        }
    }

    fn find_carried(&mut self, body: &Body, cfg: &Cfg) {
        if self.wto.loops.loops.is_empty() {
            return;
        }
        let mut home = vec![u32::MAX; body.values.len()];
        for (block, data) in body.blocks.iter() {
            for &param in &data.params {
                home[param.index()] = block.index() as u32;
            }
            for &inst in &data.insts {
                for &result in &body.insts[inst].results {
                    home[result.index()] = block.index() as u32;
                }
            }
        }
        let mut seen = FxHashSet::default();
        let mut work: Vec<(Value, u32)> = Vec::new();
        for (block, data) in body.blocks.iter() {
            if !cfg.is_reachable(block) {
                continue;
            }
            crate::util::for_each_use(body, data, |value| {
                let origin = home[value.index()];
                if origin == u32::MAX || matches!(body.values[value].def, Def::Param(_)) {
                    return;
                }
                let (inner, here) = (&self.around[origin as usize], &self.around[block.index()]);
                if !here.starts_with(inner) && seen.insert((value, block.index() as u32)) {
                    work.push((value, block.index() as u32));
                }
            });
        }
        while let Some((value, block)) = work.pop() {
            let origin = home[value.index()];
            if !self.around[block as usize].starts_with(&self.around[origin as usize]) {
                self.carried[block as usize].push(value);
            }
            for &predecessor in cfg.predecessors(Block::from_index(block as usize)) {
                let predecessor = predecessor.index() as u32;
                if predecessor != origin && seen.insert((value, predecessor)) {
                    work.push((value, predecessor));
                }
            }
        }
        for values in &mut self.carried {
            values.sort_unstable();
            values.dedup();
        }
    }
}
