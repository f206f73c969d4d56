//! Which blocks every execution passes on its way to a block, and on its way out from it.
//!
//! Block `a` dominates `b` if every path from the entry to `b` passes `a`. It post-dominates `b`
//! if every path from `b` to the end passes `a`, where an end is a block without successors, or,
//! for a loop that nothing leaves, the loop's last block in reverse post-order. Each block
//! dominates itself. Unreachable blocks neither dominate nor are dominated.

use crate::cfg::Cfg;
use crate::graph::{Tree, components, immediate_dominators};
use crate::syntax::Block;

/// The dominator tree.
#[derive(Clone, Debug)]
pub struct Dominators {
    parents: Vec<Option<u32>>,
    tree: Tree,
}

impl Dominators {
    /// The dominators of a body.
    pub fn new(cfg: &Cfg) -> Dominators {
        let count = cfg.block_count();
        let parents = match count {
            0 => Vec::new(),
            _ => immediate_dominators(
                count,
                0,
                |node| numbers(cfg.successors(block(node))),
                |node| numbers(cfg.predecessors(block(node))),
            ),
        };
        let tree = Tree::new(&parents, |node| cfg.is_reachable(block(node)));
        Dominators { parents, tree }
    }

    /// The closest block that dominates this one, other than itself; none for the entry and for
    /// unreachable blocks.
    pub fn immediate(&self, of: Block) -> Option<Block> {
        self.parents[of.index()].map(block)
    }

    /// Does every path from the entry to `lower` pass `upper`?
    pub fn dominates(&self, upper: Block, lower: Block) -> bool {
        self.tree
            .is_above(upper.index() as u32, lower.index() as u32)
    }

    /// The reachable blocks, each after its immediate dominator.
    pub fn preorder(&self) -> impl DoubleEndedIterator<Item = Block> + '_ {
        self.tree.order.iter().copied().map(block)
    }
}

/// The post-dominator tree. Its root is no block: it stands for the end.
#[derive(Clone, Debug)]
pub struct PostDominators {
    parents: Vec<Option<u32>>,
    tree: Tree,
}

impl PostDominators {
    /// The post-dominators of a body.
    pub fn new(cfg: &Cfg) -> PostDominators {
        let count = cfg.block_count();
        let end = count as u32;
        let mut is_end = vec![false; count];
        for members in components(count, |node| numbers(cfg.successors(block(node)))) {
            let members = members.into_iter().map(block);
            let mut members = members
                .filter(|&member| cfg.is_reachable(member))
                .peekable();
            if members.peek().is_none() {
                continue;
            }
            let members: Vec<Block> = members.collect();
            if leaves(cfg, &members) {
                continue;
            }
            let last = members
                .iter()
                .copied()
                .max_by_key(|&member| cfg.position(member));
            let last = last.expect("the component is not empty");
            is_end[last.index()] = true;
        }
        let ends: Vec<u32> = (0..end).filter(|&node| is_end[node as usize]).collect();
        // The graph backwards: from the end to the ends to their predecessors.
        let successors = |node: u32| {
            let sources = match node == end {
                true => &[],
                false => cfg.predecessors(block(node)),
            };
            let ends: &[u32] = if node == end { &ends } else { &[] };
            let reachable = sources.iter().filter(|&&source| cfg.is_reachable(source));
            let reachable = reachable.map(|source| source.index() as u32);
            ends.iter().copied().chain(reachable)
        };
        let predecessors = |node: u32| {
            let targets = match node == end {
                true => &[],
                false => cfg.successors(block(node)),
            };
            let leads_out = node != end && is_end[node as usize];
            numbers(targets).chain(leads_out.then_some(end))
        };
        let parents = immediate_dominators(count + 1, end, successors, predecessors);
        let belongs = |node| node == end || cfg.is_reachable(block(node));
        let tree = Tree::new(&parents, belongs);
        PostDominators { parents, tree }
    }

    /// The closest block that post-dominates this one, other than itself; none if that is the
    /// end, and for unreachable blocks.
    pub fn immediate(&self, of: Block) -> Option<Block> {
        let end = self.parents.len() as u32 - 1;
        self.parents[of.index()]
            .filter(|&parent| parent != end)
            .map(block)
    }

    /// Does every path from `lower` to the end pass `upper`?
    pub fn dominates(&self, upper: Block, lower: Block) -> bool {
        self.tree
            .is_above(upper.index() as u32, lower.index() as u32)
    }
}

/// Does an edge lead out of the component?
fn leaves(cfg: &Cfg, members: &[Block]) -> bool {
    let mut sorted = members.to_vec();
    sorted.sort_unstable();
    let outside = |target: &Block| sorted.binary_search(target).is_err();
    members
        .iter()
        .any(|&member| cfg.successors(member).iter().any(outside))
}

fn block(node: u32) -> Block {
    Block::from_index(node as usize)
}

fn numbers(blocks: &[Block]) -> impl Iterator<Item = u32> + '_ {
    blocks.iter().map(|block| block.index() as u32)
}
