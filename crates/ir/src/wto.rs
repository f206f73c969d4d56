//! A weak topological order of a body's blocks.
//!
//! Such an order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993) lists
//! the reachable blocks so that every edge that goes backwards ends in the head of a component that
//! contains its source. Components nest; each is a range of the order, its head first:
//!
//! ```text
//!   b0 → b1 → b2 → b3 → b1      b0 (b1 (b2) b3) b4
//!             b2 → b2
//!        b1 → b4
//! ```
//!
//! The components are the loops of [`crate::loops`]. Both take the block of a circle that a
//! depth-first search meets first as its head: all others are below it in the search, and what is
//! strongly connected without the heads around it is what Havlak finds below a header. So nothing is
//! decomposed twice, and the order costs little more than one search: each edge orders two siblings,
//! blocks or whole components, inside the innermost component that contains both of its ends, and
//! siblings are sorted topologically.

use std::fmt;
use std::ops::Range;

use base::Map;

use crate::cfg::Cfg;
use crate::graph::post_order;
use crate::loops::{Loop, Loops};
use crate::syntax::Block;

/// A weak topological order.
#[derive(Clone, Debug)]
pub struct Wto {
    /// The components.
    pub loops: Loops,
    order: Vec<Block>,
    position: Map<Block, u32>,
    ends: Map<Loop, u32>,
}

const UNREACHABLE: u32 = u32::MAX;

impl Wto {
    /// The order of the reachable blocks.
    pub fn new(cfg: &Cfg) -> Wto {
        let loops = Loops::new(cfg);
        let levels = Levels::new(cfg, &loops);
        let mut wto = Wto {
            order: Vec::with_capacity(cfg.reverse_post_order().len()),
            position: Map::filled(UNREACHABLE, cfg.block_count()),
            ends: Map::filled(0, loops.loops.len()),
            loops,
        };
        // The components that are being listed, each with what is still to come in it.
        let mut open = vec![(None, levels.outermost.iter())];
        while let Some((component, rest)) = open.last_mut() {
            match rest.next() {
                Some(&block) => {
                    wto.position[block] = wto.order.len() as u32;
                    wto.order.push(block);
                    if let Some(own) = wto.loops.with_header(block) {
                        open.push((Some(own), levels.inside[own].iter()));
                    }
                }
                None => {
                    if let Some(component) = *component {
                        wto.ends[component] = wto.order.len() as u32;
                    }
                    open.pop();
                }
            }
        }
        wto
    }

    /// The reachable blocks in order.
    pub fn order(&self) -> &[Block] {
        &self.order
    }

    /// The block's place in the order; none if it is not reachable.
    pub fn position(&self, block: Block) -> Option<usize> {
        let position = self.position[block];
        (position != UNREACHABLE).then_some(position as usize)
    }

    /// The places of a component's blocks; the first is its head's.
    pub fn range(&self, component: Loop) -> Range<usize> {
        let head = self.loops.loops[component].header;
        self.position[head] as usize..self.ends[component] as usize
    }

    /// The components around a block, the innermost first; a head's own component is one of them.
    pub fn around(&self, block: Block) -> impl Iterator<Item = Loop> + '_ {
        let parent = |&inner: &Loop| self.loops.loops[inner].parent;
        std::iter::successors(self.loops.innermost[block], parent)
    }

    /// Is the block the head of a component?
    pub fn is_head(&self, block: Block) -> bool {
        self.loops.with_header(block).is_some()
    }

    /// Does an edge go to the head of a component that contains its source? Every edge that goes
    /// backwards in the order does.
    pub fn is_back_edge(&self, source: Block, target: Block) -> bool {
        let own = self.loops.with_header(target);
        own.is_some_and(|own| self.loops.contains(own, source))
    }
}

/// In Bourdoncle's notation: components in parentheses.
impl fmt::Display for Wto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut ends: Vec<usize> = Vec::new();
        for (place, &block) in self.order.iter().enumerate() {
            if place > 0 {
                f.write_str(" ")?;
            }
            if let Some(own) = self.loops.with_header(block) {
                f.write_str("(")?;
                ends.push(self.range(own).end);
            }
            write!(f, "{block}")?;
            while ends.last() == Some(&(place + 1)) {
                ends.pop();
                f.write_str(")")?;
            }
        }
        Ok(())
    }
}

/// What stands directly in each component, in order; a component inside it is represented by its
/// head, and its own head is left out.
struct Levels {
    outermost: Vec<Block>,
    inside: Map<Loop, Vec<Block>>,
}

impl Levels {
    fn new(cfg: &Cfg, loops: &Loops) -> Levels {
        let siblings = edges_between_siblings(cfg, loops);
        let number = |block: &Block| block.index() as u32;
        let order = post_order(
            cfg.block_count(),
            cfg.reverse_post_order().iter().map(number),
            |node| {
                siblings[Block::from_index(node as usize)]
                    .iter()
                    .map(number)
            },
        );
        let mut levels = Levels {
            outermost: Vec::new(),
            inside: Map::filled(Vec::new(), loops.loops.len()),
        };
        for node in order.into_iter().rev() {
            let block = Block::from_index(node as usize);
            match level(loops, block) {
                None => levels.outermost.push(block),
                Some(around) => levels.inside[around].push(block),
            }
        }
        levels
    }
}

/// For each block, or component by its head, the siblings that an edge leads to, in the order in
/// which a depth-first search looks at the edges: what is found first is found first again.
fn edges_between_siblings(cfg: &Cfg, loops: &Loops) -> Map<Block, Vec<Block>> {
    let mut siblings: Map<Block, Vec<Block>> = Map::filled(Vec::new(), cfg.block_count());
    let mut seen = Map::filled(false, cfg.block_count());
    let mut stack = Vec::new();
    if let Some(&entry) = cfg.reverse_post_order().first() {
        seen[entry] = true;
        stack.push((entry, 0));
    }
    while let Some((block, next)) = stack.last_mut() {
        let source = *block;
        let Some(&target) = cfg.successors(source).get(*next) else {
            stack.pop();
            continue;
        };
        *next += 1;
        let (from, to) = as_siblings(loops, source, target);
        if from != to {
            siblings[from].push(to);
        }
        if !std::mem::replace(&mut seen[target], true) {
            stack.push((target, 0));
        }
    }
    siblings
}

/// The innermost component in which a block is not the head, but one of several siblings.
fn level(loops: &Loops, block: Block) -> Option<Loop> {
    match loops.with_header(block) {
        Some(own) => loops.loops[own].parent,
        None => loops.innermost[block],
    }
}

/// The siblings that contain these blocks. They are the same one for an edge from or to the head
/// that stands for it, which orders nothing.
fn as_siblings(loops: &Loops, mut one: Block, mut other: Block) -> (Block, Block) {
    loop {
        let levels = (level(loops, one), level(loops, other));
        if levels.0 == levels.1 {
            return (one, other);
        }
        let depth = |of: Option<Loop>| of.map_or(0, |of| loops.loops[of].depth);
        let (deeper, around) = match depth(levels.0) >= depth(levels.1) {
            true => (&mut one, levels.0),
            false => (&mut other, levels.1),
        };
        let around = around.expect("two levels outside of all components are one");
        *deeper = loops.loops[around].header;
    }
}
