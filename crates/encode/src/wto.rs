//! The order in which the blocks of a function are evaluated.
//!
//! A weak topological order (Bourdoncle, 1993) lists the blocks so that every edge that goes
//! backwards ends in the head of a component that contains its source. Components are loops,
//! reducible or not, and nest. Evaluating block instances in the order of the keys made here has
//! two consequences on which the evaluator rests:
//!
//! - all instances of a loop, whatever their iteration, come before the blocks behind the loop, so
//!   that the states which leave it in different iterations meet at one join;
//! - along an execution the keys only grow, so that what is recorded during evaluation, restricted
//!   to one execution's path, is in execution order.
//!
//! A value that is defined inside a component and used outside of it has one instance for each
//! iteration: it is *carried* along the edges outside the component, like a block parameter.

use ir::syntax::{Block, Body, Def, Inst, Operand, Value};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// The position of a block instance: positions of the enclosing components' heads alternating with
/// iteration numbers, then the block's own position. Compared lexicographically.
pub type Key = SmallVec<[u32; 7]>;

/// The order of one function.
#[derive(Debug)]
pub struct Order {
    /// Position of each block in the linear order; `u32::MAX` for unreachable ones.
    position: Vec<u32>,
    /// Block at each position.
    blocks: Vec<Block>,
    /// The components around each block, outermost first, by the position of their head.
    around: Vec<Vec<u32>>,
    /// For each head of a component: can the component be entered elsewhere, in its middle?
    entered_in_the_middle: Vec<bool>,
    /// The values that each edge into a block carries.
    carried: Vec<Vec<Value>>,
    /// For each instruction, the memory versions that nobody reads after it.
    last_uses: Vec<SmallVec<[Value; 1]>>,
}

impl Order {
    /// Computes the order of a function's blocks.
    pub fn new(body: &Body) -> Order {
        let successors: Vec<Vec<u32>> = body
            .blocks
            .values()
            .map(|data| crate::util::successors(&data.terminator))
            .collect();
        let mut order = Order {
            position: vec![u32::MAX; successors.len()],
            blocks: Vec::new(),
            around: vec![Vec::new(); successors.len()],
            entered_in_the_middle: vec![false; successors.len()],
            carried: vec![Vec::new(); successors.len()],
            last_uses: vec![SmallVec::new(); body.insts.len()],
        };
        order.decompose(&successors);
        order.find_entries(&successors);
        order.find_carried(body, &successors);
        order.find_last_uses(body);
        order
    }

    /// The key of the entry block.
    pub fn start(&self) -> Key {
        self.enter(Block::from_index(0), &[])
    }

    /// The block of a key.
    pub fn block(&self, key: &Key) -> Block {
        self.blocks[*key.last().expect("a key ends with a position") as usize]
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
        let head = self.position[target.index()];
        self.around[target.index()].last() == Some(&head)
            && self.around[source.index()].contains(&head)
    }

    /// Is the block the head of a component?
    pub fn is_head(&self, block: Block) -> bool {
        self.around[block.index()].last() == Some(&self.position[block.index()])
    }

    /// Does every execution that enters the component of this head enter it here?
    pub fn is_entered_by_head(&self, head: Block) -> bool {
        !self.entered_in_the_middle[head.index()]
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
        Some((self.blocks[head as usize], Order::iteration(key)))
    }

    fn enter(&self, target: Block, iterations: &[u32]) -> Key {
        let mut key = Key::new();
        for (level, &head) in self.around[target.index()].iter().enumerate() {
            key.push(head);
            key.push(iterations.get(level).copied().unwrap_or(0));
        }
        key.push(self.position[target.index()]);
        key
    }

    /// Lists components from the outside in. A job is a set of blocks inside the same components;
    /// its strongly connected parts are listed in topological order, and the inside of each part
    /// without its head is a job of its own, done before the parts behind it.
    fn decompose(&mut self, successors: &[Vec<u32>]) {
        enum Job {
            Part(Vec<u32>),
            Inside(Vec<u32>),
        }
        let rank = reverse_post_order_rank(successors);
        let reachable: Vec<u32> = (0..successors.len() as u32)
            .filter(|&b| rank[b as usize] != u32::MAX)
            .collect();
        let mut member = vec![0u32; successors.len()];
        let mut stamp = 0;
        let mut jobs = vec![Job::Inside(reachable)];
        while let Some(job) = jobs.pop() {
            match job {
                Job::Inside(blocks) => {
                    stamp += 1;
                    for &block in &blocks {
                        member[block as usize] = stamp;
                    }
                    let parts = strongly_connected(&blocks, successors, &rank, |b| {
                        member[b as usize] == stamp
                    });
                    // Tarjan's parts come in reverse topological order, which is what a stack wants.
                    jobs.extend(parts.into_iter().map(Job::Part));
                }
                Job::Part(mut blocks) => {
                    let head = blocks
                        .iter()
                        .copied()
                        .min_by_key(|&b| rank[b as usize])
                        .expect("a part has a block");
                    let position = self.blocks.len() as u32;
                    self.position[head as usize] = position;
                    self.blocks.push(Block::from_index(head as usize));
                    if blocks.len() > 1 || successors[head as usize].contains(&head) {
                        for &block in &blocks {
                            self.around[block as usize].push(position);
                        }
                        blocks.retain(|&b| b != head);
                        if !blocks.is_empty() {
                            jobs.push(Job::Inside(blocks));
                        }
                    }
                }
            }
        }
    }

    /// Finds the components that are entered elsewhere than at their head.
    fn find_entries(&mut self, successors: &[Vec<u32>]) {
        for (source, targets) in successors.iter().enumerate() {
            if self.position[source] == u32::MAX {
                continue;
            }
            for &target in targets {
                let (outer, inner) = (&self.around[source], &self.around[target as usize]);
                let common = inner.iter().zip(outer).take_while(|(a, b)| a == b).count();
                for &head in &inner[common..] {
                    if head != self.position[target as usize] {
                        let head = self.blocks[head as usize].index();
                        self.entered_in_the_middle[head] = true;
                    }
                }
            }
        }
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

    fn find_carried(&mut self, body: &Body, successors: &[Vec<u32>]) {
        if self.around.iter().all(Vec::is_empty) {
            return;
        }
        let mut predecessors = vec![Vec::new(); successors.len()];
        for (source, targets) in successors.iter().enumerate() {
            for &target in targets {
                predecessors[target as usize].push(source as u32);
            }
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
            if self.position[block.index()] == u32::MAX {
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
            for &predecessor in &predecessors[block as usize] {
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

/// Each reachable block's number in reverse post-order from block 0.
fn reverse_post_order_rank(successors: &[Vec<u32>]) -> Vec<u32> {
    let mut rank = vec![u32::MAX; successors.len()];
    if successors.is_empty() {
        return rank;
    }
    let mut visited = vec![false; successors.len()];
    let mut post = Vec::new();
    let mut stack = vec![(0u32, 0usize)];
    visited[0] = true;
    while let Some((block, next)) = stack.last_mut() {
        if let Some(&target) = successors[*block as usize].get(*next) {
            *next += 1;
            if !std::mem::replace(&mut visited[target as usize], true) {
                stack.push((target, 0));
            }
        } else {
            post.push(*block);
            stack.pop();
        }
    }
    for (number, &block) in post.iter().rev().enumerate() {
        rank[block as usize] = number as u32;
    }
    rank
}

/// Tarjan's algorithm on the members of a set, visited by rank; reverse topological order.
fn strongly_connected(
    blocks: &[u32],
    successors: &[Vec<u32>],
    rank: &[u32],
    member: impl Fn(u32) -> bool,
) -> Vec<Vec<u32>> {
    use rustc_hash::FxHashMap;
    struct Visit {
        number: u32,
        low: u32,
        on_stack: bool,
    }
    let mut visits: FxHashMap<u32, Visit> = FxHashMap::default();
    let mut stack = Vec::new();
    let mut parts = Vec::new();
    let mut roots = blocks.to_vec();
    roots.sort_unstable_by_key(|&b| rank[b as usize]);
    for root in roots {
        if visits.contains_key(&root) {
            continue;
        }
        let mut calls = vec![(root, 0usize)];
        while let Some(&(block, next)) = calls.last() {
            if next == 0 {
                let number = visits.len() as u32;
                visits.insert(
                    block,
                    Visit {
                        number,
                        low: number,
                        on_stack: true,
                    },
                );
                stack.push(block);
            }
            if let Some(&target) = successors[block as usize].get(next) {
                calls.last_mut().expect("not empty").1 += 1;
                if !member(target) {
                    continue;
                }
                match visits.get(&target) {
                    None => calls.push((target, 0)),
                    Some(visit) if visit.on_stack => {
                        let number = visit.number;
                        let here = visits.get_mut(&block).expect("visited");
                        here.low = here.low.min(number);
                    }
                    Some(_) => {}
                }
                continue;
            }
            calls.pop();
            let (number, low) = (visits[&block].number, visits[&block].low);
            if let Some(&(parent, _)) = calls.last() {
                let parent = visits.get_mut(&parent).expect("visited");
                parent.low = parent.low.min(low);
            }
            if number == low {
                let mut part = Vec::new();
                loop {
                    let top = stack.pop().expect("the part's blocks are on the stack");
                    visits.get_mut(&top).expect("visited").on_stack = false;
                    part.push(top);
                    if top == block {
                        break;
                    }
                }
                parts.push(part);
            }
        }
    }
    parts
}
