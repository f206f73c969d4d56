//! The control-flow graph of a body: successors, predecessors and reverse post-orders.

use base::Map;

use crate::graph::post_order;
use crate::syntax::{Block, Body};

/// The control-flow graph. It is a snapshot: whoever changes terminators makes a new one.
#[derive(Clone, Debug)]
pub struct Cfg {
    successors: Adjacency,
    predecessors: Adjacency,
    order: Vec<Block>,
    position: Map<Block, u32>,
}

/// Lists of blocks, one after the other in one vector.
#[derive(Clone, Debug)]
struct Adjacency {
    starts: Vec<u32>,
    blocks: Vec<Block>,
}

impl Adjacency {
    fn of(&self, block: Block) -> &[Block] {
        let index = block.index();
        &self.blocks[self.starts[index] as usize..self.starts[index + 1] as usize]
    }
}

const UNREACHABLE: u32 = u32::MAX;

impl Cfg {
    /// The graph of a body whose targets are all in range.
    pub fn new(body: &Body) -> Cfg {
        let count = body.blocks.len();
        let mut successors = Adjacency {
            starts: Vec::with_capacity(count + 1),
            blocks: Vec::new(),
        };
        let mut incoming = vec![0u32; count + 1];
        for data in body.blocks.values() {
            successors.starts.push(successors.blocks.len() as u32);
            for target in data.terminator.targets() {
                successors.blocks.push(target.block);
                incoming[target.block.index()] += 1;
            }
        }
        successors.starts.push(successors.blocks.len() as u32);

        // Counting sort by target: sums first, then each edge into its target's range.
        let mut sum = 0;
        for start in &mut incoming {
            sum += std::mem::replace(start, sum);
        }
        let mut next = incoming.clone();
        let mut sources = vec![Block::from_index(0); successors.blocks.len()];
        for block in body.blocks.keys() {
            for &target in successors.of(block) {
                let slot = &mut next[target.index()];
                sources[*slot as usize] = block;
                *slot += 1;
            }
        }
        let predecessors = Adjacency {
            starts: incoming,
            blocks: sources,
        };
        let order = reverse_post_order(&successors, count);
        let mut position = Map::filled(UNREACHABLE, count);
        for (index, &block) in (0..).zip(&order) {
            position[block] = index;
        }
        Cfg {
            successors,
            predecessors,
            order,
            position,
        }
    }

    /// Where the block may go on, one entry for each edge.
    pub fn successors(&self, block: Block) -> &[Block] {
        self.successors.of(block)
    }

    /// Whence the block is reached, one entry for each edge, also from unreachable blocks.
    pub fn predecessors(&self, block: Block) -> &[Block] {
        self.predecessors.of(block)
    }

    /// The reachable blocks, the entry first; each before its successors, except along the
    /// retreating edges of loops.
    pub fn reverse_post_order(&self) -> &[Block] {
        &self.order
    }

    /// The block's place in the reverse post-order; none if it is not reachable.
    pub fn position(&self, block: Block) -> Option<usize> {
        let position = self.position[block];
        (position != UNREACHABLE).then_some(position as usize)
    }

    /// Can the block be reached from the entry?
    pub fn is_reachable(&self, block: Block) -> bool {
        self.position[block] != UNREACHABLE
    }

    /// How many blocks the body has, reachable or not.
    pub fn block_count(&self) -> usize {
        self.position.len()
    }

    /// An edge between reachable blocks that leads backwards in the reverse post-order, if there
    /// is one; there is none exactly if the body has no loops.
    pub fn retreating_edge(&self) -> Option<(Block, Block)> {
        self.order.iter().find_map(|&block| {
            let backwards = |target: &&Block| self.position[**target] <= self.position[block];
            let target = self.successors(block).iter().find(backwards)?;
            Some((block, *target))
        })
    }
}

/// The reachable blocks in the order of a text: a reverse post-order in which the first target of a
/// branch comes first where there is a choice.
pub fn text_order(body: &Body) -> Vec<Block> {
    let targets = |node: u32| {
        let block = &body.blocks[Block::from_index(node as usize)];
        let targets = block.terminator.successors().into_iter().rev();
        targets.map(|target| target.index() as u32)
    };
    from_post_order(post_order(body.blocks.len(), [0], targets))
}

fn reverse_post_order(successors: &Adjacency, count: usize) -> Vec<Block> {
    let targets = |node: u32| {
        let targets = successors.of(Block::from_index(node as usize)).iter();
        targets.map(|target| target.index() as u32)
    };
    from_post_order(post_order(count, (count > 0).then_some(0), targets))
}

fn from_post_order(order: Vec<u32>) -> Vec<Block> {
    let blocks = order.into_iter().rev();
    blocks
        .map(|node| Block::from_index(node as usize))
        .collect()
}
