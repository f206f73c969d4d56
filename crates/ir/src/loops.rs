//! The loops of a body and how they are nested.
//!
//! The algorithm is Havlak's ("Nesting of reducible and irreducible loops", 1997) over a
//! depth-first search of the graph. A loop belongs to each block `h` (its *header*) that is
//! reached by an edge from one of its descendants in the search: the blocks from which such an
//! edge is reached without leaving the descendants of `h`. Blocks are visited bottom-up, and
//! finished loops are contracted to their header by union-find, so that the work is almost linear.
//!
//! - Every cycle passes the header of a loop that contains the whole cycle. Cutting the edges
//!   from each loop to its own header therefore leaves a graph without cycles.
//! - A loop is *natural* if its header is its only entry, which is then a dominator of the loop.
//!   Otherwise it is *irreducible*: a jump leads into its middle.
//!
//! ```text
//!   b0 → b1 → b2 → b3 → b1      loop b1: natural, blocks b1 b2 b3
//!             b2 → b2           loop b2: natural, inside b1
//!   b0 → b3                     with this edge too, loop b1 is irreducible, b3 an entry
//! ```

use base::{Map, id};

use crate::cfg::Cfg;
use crate::syntax::Block;

id! {
    /// A loop of a body. Outer loops have smaller numbers than the loops inside them.
    Loop, "l"
}

/// How a loop is entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// Through its header only.
    Natural,
    /// Also elsewhere.
    Irreducible,
}

/// A loop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoopData {
    /// Where each round begins.
    pub header: Block,
    /// How it is entered.
    pub shape: Shape,
    /// The innermost loop around it.
    pub parent: Option<Loop>,
    /// How many loops contain its header, itself included.
    pub depth: u32,
    /// Its blocks' range in the order that all loops share.
    range: (u32, u32),
}

/// The loops of a body.
#[derive(Clone, Debug)]
pub struct Loops {
    /// All loops, outer ones first.
    pub loops: Map<Loop, LoopData>,
    /// For each block, the innermost loop that contains it.
    pub innermost: Map<Block, Option<Loop>>,
    /// The blocks in loops; each loop's are neighbours, its header first.
    order: Vec<Block>,
    place: Map<Block, u32>,
}

impl Loops {
    /// Finds the loops among the reachable blocks.
    pub fn new(cfg: &Cfg) -> Loops {
        let search = Search::new(cfg);
        let found = find_loops(cfg, &search);
        arrange(cfg, &search, &found)
    }

    /// All blocks of the loop, inner loops included, the header first.
    pub fn blocks(&self, of: Loop) -> &[Block] {
        let (start, end) = self.loops[of].range;
        &self.order[start as usize..end as usize]
    }

    /// Is the block in the loop?
    pub fn contains(&self, outer: Loop, block: Block) -> bool {
        let (start, end) = self.loops[outer].range;
        (start..end).contains(&self.place[block])
    }

    /// The loop whose header the block is.
    pub fn with_header(&self, block: Block) -> Option<Loop> {
        self.innermost[block].filter(|&inner| self.loops[inner].header == block)
    }

    /// The loop's blocks that jump to its header, in the order of the edges.
    pub fn latches(&self, cfg: &Cfg, of: Loop) -> Vec<Block> {
        let sources = cfg.predecessors(self.loops[of].header).iter().copied();
        sources
            .filter(|&source| self.contains(of, source))
            .collect()
    }

    /// The edges that leave the loop, as inner and outer block.
    pub fn exits(&self, cfg: &Cfg, of: Loop) -> Vec<(Block, Block)> {
        let mut exits = Vec::new();
        for &block in self.blocks(of) {
            let outside = cfg.successors(block).iter().copied();
            let outside = outside.filter(|&target| !self.contains(of, target));
            exits.extend(outside.map(|target| (block, target)));
        }
        exits
    }

    /// The edges that enter the loop from outside, as outer and inner block; for a natural loop
    /// the inner block is always the header.
    pub fn entries(&self, cfg: &Cfg, of: Loop) -> Vec<(Block, Block)> {
        let mut entries = Vec::new();
        for &block in self.blocks(of) {
            let sources = cfg.predecessors(block).iter().copied();
            let outside =
                sources.filter(|&source| cfg.is_reachable(source) && !self.contains(of, source));
            entries.extend(outside.map(|source| (source, block)));
        }
        entries
    }
}

const NONE: u32 = u32::MAX;

/// A depth-first search: blocks by number, numbers by block, the last number below each.
struct Search {
    block: Vec<Block>,
    number: Map<Block, u32>,
    last: Vec<u32>,
}

impl Search {
    fn new(cfg: &Cfg) -> Search {
        let mut search = Search {
            block: Vec::new(),
            number: Map::filled(NONE, cfg.block_count()),
            last: Vec::new(),
        };
        let Some(&entry) = cfg.reverse_post_order().first() else {
            return search;
        };
        let mut stack = vec![(search.enter(entry), 0)];
        while let Some((number, next)) = stack.last_mut() {
            let targets = cfg.successors(search.block[*number as usize]);
            match targets.get(*next) {
                Some(&target) => {
                    *next += 1;
                    if search.number[target] == NONE {
                        stack.push((search.enter(target), 0));
                    }
                }
                None => {
                    search.last[*number as usize] = search.block.len() as u32 - 1;
                    stack.pop();
                }
            }
        }
        search
    }

    fn enter(&mut self, block: Block) -> u32 {
        let number = self.block.len() as u32;
        self.number[block] = number;
        self.block.push(block);
        self.last.push(number);
        number
    }

    fn is_above(&self, upper: u32, lower: u32) -> bool {
        upper <= lower && lower <= self.last[upper as usize]
    }
}

/// For each number of the search: the header of the innermost loop around it (other than its own
/// loop), and its own loop's shape if it is a header.
struct Found {
    around: Vec<u32>,
    shape: Vec<Option<Shape>>,
}

fn find_loops(cfg: &Cfg, search: &Search) -> Found {
    let count = search.block.len();
    let mut found = Found {
        around: vec![NONE; count],
        shape: vec![None; count],
    };
    let mut union = Union((0..count as u32).collect());
    // Edges into the middle of a loop, moved to its header for the loops around it.
    let mut moved: Vec<Vec<u32>> = vec![Vec::new(); count];
    // The header for which a block was last put on the work list.
    let mut listed_for = vec![NONE; count];
    let mut work = Vec::new();
    for header in (0..count as u32).rev() {
        let sources = cfg.predecessors(search.block[header as usize]);
        for &source in sources {
            let source = search.number[source];
            if source == NONE || !search.is_above(header, source) {
                continue;
            }
            found.shape[header as usize] = Some(Shape::Natural);
            let source = union.find(source);
            if source != header && listed_for[source as usize] != header {
                listed_for[source as usize] = header;
                work.push(source);
            }
        }
        let mut done = 0;
        while let Some(&inner) = work.get(done) {
            done += 1;
            let sources = cfg.predecessors(search.block[inner as usize]).iter();
            let sources = sources
                .map(|&source| search.number[source])
                .filter(|&source| source != NONE && !search.is_above(inner, source));
            let into_middle = std::mem::take(&mut moved[inner as usize]);
            for source in sources.chain(into_middle.iter().copied()) {
                let source = union.find(source);
                if !search.is_above(header, source) {
                    found.shape[header as usize] = Some(Shape::Irreducible);
                    moved[header as usize].push(source);
                } else if source != header && listed_for[source as usize] != header {
                    listed_for[source as usize] = header;
                    work.push(source);
                }
            }
        }
        for inner in work.drain(..) {
            found.around[inner as usize] = header;
            union.0[inner as usize] = header;
        }
    }
    found
}

/// Union-find whose unions are already directed.
struct Union(Vec<u32>);

impl Union {
    fn find(&mut self, mut node: u32) -> u32 {
        while self.0[node as usize] != node {
            let above = self.0[self.0[node as usize] as usize];
            self.0[node as usize] = above;
            node = above;
        }
        node
    }
}

/// Numbers the loops and lays out their blocks.
fn arrange(cfg: &Cfg, search: &Search, found: &Found) -> Loops {
    let count = search.block.len();
    // The tree of blocks and headers: children of a header in ascending order.
    let mut first = vec![NONE; count];
    let mut sibling = vec![NONE; count];
    for number in (0..count).rev() {
        let around = found.around[number];
        if around != NONE {
            sibling[number] = std::mem::replace(&mut first[around as usize], number as u32);
        }
    }
    let mut result = Loops {
        loops: Map::new(),
        innermost: Map::filled(None, cfg.block_count()),
        order: Vec::new(),
        place: Map::filled(NONE, cfg.block_count()),
    };
    let mut own = vec![None; count];
    let mut stack = Vec::new();
    for root in (0..count as u32).filter(|&number| found.around[number as usize] == NONE) {
        let mut number = root;
        loop {
            while number != NONE {
                let block = search.block[number as usize];
                let around = found.around[number as usize];
                let mut innermost = match around {
                    NONE => None,
                    header => own[header as usize],
                };
                if let Some(shape) = found.shape[number as usize] {
                    let parent: Option<Loop> = innermost;
                    let depth = parent.map_or(0, |parent| result.loops[parent].depth);
                    let start = result.order.len() as u32;
                    innermost = Some(result.loops.push(LoopData {
                        header: block,
                        shape,
                        parent,
                        depth: depth + 1,
                        range: (start, start),
                    }));
                    own[number as usize] = innermost;
                }
                if innermost.is_some() {
                    result.innermost[block] = innermost;
                    result.place[block] = result.order.len() as u32;
                    result.order.push(block);
                }
                stack.push(number);
                number = first[number as usize];
            }
            let Some(done) = stack.pop() else { break };
            if let Some(own) = own[done as usize] {
                result.loops[own].range.1 = result.order.len() as u32;
            }
            number = match done == root {
                true => NONE,
                false => sibling[done as usize],
            };
        }
    }
    result
}
