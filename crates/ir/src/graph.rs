//! Algorithms on graphs of numbered nodes: post-orders, dominator trees and strongly connected
//! components.
//!
//! Dominators are computed as Lengauer and Tarjan do ("A fast algorithm for finding dominators in
//! a flowgraph", 1979) in the variant with path compression only: O(m log n) on every graph. The
//! iterative algorithm of Cooper, Harvey and Kennedy is shorter and as fast on usual programs,
//! but quadratic on long chains of nested or irreducible loops, which generated code has.
//! Components are Tarjan's. All run on explicit stacks.

const NONE: u32 = u32::MAX;

/// The nodes that can be reached from the roots, in the order in which a depth-first search from one
/// root after the other leaves them: backwards, each comes before what its edges lead to, except
/// along the edges that close circles.
pub fn post_order<S: Iterator<Item = u32>>(
    count: usize,
    roots: impl IntoIterator<Item = u32>,
    successors: impl Fn(u32) -> S,
) -> Vec<u32> {
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let mut stack = Vec::new();
    for root in roots {
        if std::mem::replace(&mut seen[root as usize], true) {
            continue;
        }
        stack.push((root, successors(root)));
        while let Some((node, targets)) = stack.last_mut() {
            match targets.next() {
                Some(target) => {
                    if !std::mem::replace(&mut seen[target as usize], true) {
                        stack.push((target, successors(target)));
                    }
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// The immediate dominator of each node that can be reached from the root; none for the root and
/// for the others. `successors` and `predecessors` describe the same edges.
pub(crate) fn immediate_dominators<'a, S, P>(
    count: usize,
    root: u32,
    successors: impl Fn(u32) -> S,
    predecessors: impl Fn(u32) -> P,
) -> Vec<Option<u32>>
where
    S: Iterator<Item = u32> + 'a,
    P: Iterator<Item = u32> + 'a,
{
    // Nodes are renamed by their number in a depth-first search from here on.
    let mut number = vec![NONE; count];
    let mut node = Vec::new();
    let mut parent = Vec::new();
    let mut stack = vec![(successors(root), 0)];
    number[root as usize] = 0;
    node.push(root);
    parent.push(NONE);
    while let Some((targets, from)) = stack.last_mut() {
        let from = *from;
        match targets.next() {
            None => {
                stack.pop();
            }
            Some(target) if number[target as usize] == NONE => {
                let next = node.len() as u32;
                number[target as usize] = next;
                node.push(target);
                parent.push(from);
                stack.push((successors(target), next));
            }
            Some(_) => {}
        }
    }
    let reached = node.len();
    let mut forest = Forest {
        ancestor: vec![NONE; reached],
        label: (0..reached as u32).collect(),
        semi: (0..reached as u32).collect(),
        path: Vec::new(),
    };
    let mut idom = vec![NONE; reached];
    // Buckets as linked lists: the nodes whose semidominator is this one.
    let mut bucket = vec![NONE; reached];
    let mut next_in_bucket = vec![NONE; reached];
    for w in (1..reached as u32).rev() {
        for pred in predecessors(node[w as usize]) {
            let v = number[pred as usize];
            if v != NONE {
                let best = forest.eval(v);
                let semi = forest.semi[best as usize];
                let own = &mut forest.semi[w as usize];
                *own = semi.min(*own);
            }
        }
        let semi = forest.semi[w as usize] as usize;
        next_in_bucket[w as usize] = std::mem::replace(&mut bucket[semi], w);
        let above = parent[w as usize];
        forest.ancestor[w as usize] = above;
        let mut v = std::mem::replace(&mut bucket[above as usize], NONE);
        while v != NONE {
            let u = forest.eval(v);
            let lower = forest.semi[u as usize] < forest.semi[v as usize];
            idom[v as usize] = if lower { u } else { above };
            v = next_in_bucket[v as usize];
        }
    }
    let mut result = vec![None; count];
    for w in 1..reached {
        if idom[w] != forest.semi[w] {
            idom[w] = idom[idom[w] as usize];
        }
        result[node[w] as usize] = Some(node[idom[w] as usize]);
    }
    result
}

/// The forest of Lengauer and Tarjan, with path compression.
struct Forest {
    ancestor: Vec<u32>,
    label: Vec<u32>,
    semi: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    /// The node of least semidominator on the path from `v` to below its root.
    fn eval(&mut self, v: u32) -> u32 {
        let mut top = v;
        while self.ancestor[top as usize] != NONE {
            self.path.push(top);
            top = self.ancestor[top as usize];
        }
        // The uppermost node on the path keeps its ancestor, the root.
        self.path.pop();
        while let Some(node) = self.path.pop() {
            let above = self.ancestor[node as usize] as usize;
            let best = self.label[above];
            if self.semi[best as usize] < self.semi[self.label[node as usize] as usize] {
                self.label[node as usize] = best;
            }
            self.ancestor[node as usize] = self.ancestor[above];
        }
        self.label[v as usize]
    }
}

/// The strongly connected components, each after the components that its edges lead to.
pub fn components<S: Iterator<Item = u32>>(
    count: usize,
    successors: impl Fn(u32) -> S,
) -> Vec<Vec<u32>> {
    let mut components = Vec::new();
    let mut number = vec![NONE; count];
    let mut low = vec![NONE; count];
    let mut open = Vec::new();
    let mut is_open = vec![false; count];
    let mut stack: Vec<(u32, S)> = Vec::new();
    let mut next = 0;
    for root in 0..count as u32 {
        if number[root as usize] != NONE {
            continue;
        }
        let mut entering = Some(root);
        loop {
            if let Some(node) = entering.take() {
                number[node as usize] = next;
                low[node as usize] = next;
                next += 1;
                open.push(node);
                is_open[node as usize] = true;
                stack.push((node, successors(node)));
            }
            let Some((node, targets)) = stack.last_mut() else {
                break;
            };
            let node = *node as usize;
            match targets.next() {
                Some(target) if number[target as usize] == NONE => entering = Some(target),
                Some(target) => {
                    if is_open[target as usize] {
                        low[node] = low[node].min(number[target as usize]);
                    }
                }
                None => {
                    stack.pop();
                    if let Some((above, _)) = stack.last() {
                        let above = *above as usize;
                        low[above] = low[above].min(low[node]);
                    }
                    if low[node] == number[node] {
                        let from = open.iter().rposition(|&other| other as usize == node);
                        let component = open.split_off(from.unwrap_or(0));
                        for &member in &component {
                            is_open[member as usize] = false;
                        }
                        components.push(component);
                    }
                }
            }
        }
    }
    components
}

/// A tree by its nodes' parents, with constant-time ancestor tests.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// For each node, its number in a walk from the roots, and the greatest number below it.
    span: Vec<(u32, u32)>,
    /// Nodes in the order of the walk: parents before children.
    pub order: Vec<u32>,
}

impl Tree {
    /// The tree of the nodes that `belongs` accepts; those without a parent are roots.
    pub fn new(parents: &[Option<u32>], belongs: impl Fn(u32) -> bool) -> Tree {
        let count = parents.len();
        // Children as linked lists, in ascending order because they are put in front in
        // descending order.
        let mut first = vec![NONE; count];
        let mut sibling = vec![NONE; count];
        let mut roots = NONE;
        for node in (0..count as u32).rev().filter(|&node| belongs(node)) {
            let head = match parents[node as usize] {
                Some(parent) => &mut first[parent as usize],
                None => &mut roots,
            };
            sibling[node as usize] = std::mem::replace(head, node);
        }
        let mut span = vec![(NONE, 0); count];
        let mut order = Vec::new();
        let mut stack = Vec::new();
        let mut node = roots;
        loop {
            while node != NONE {
                span[node as usize].0 = order.len() as u32;
                order.push(node);
                stack.push(node);
                node = first[node as usize];
            }
            let Some(done) = stack.pop() else { break };
            span[done as usize].1 = order.len() as u32 - 1;
            node = sibling[done as usize];
        }
        Tree { span, order }
    }

    /// Is `upper` the node `lower` or above it? Never for nodes outside the tree.
    pub fn is_above(&self, upper: u32, lower: u32) -> bool {
        let (start, end) = self.span[upper as usize];
        let (number, _) = self.span[lower as usize];
        number != NONE && start <= number && number <= end
    }
}
