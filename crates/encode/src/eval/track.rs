//! Questions about the whole heap, and unknown code.

use ir::graph::components;
use ir::syntax::{InstData, Operand};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use terms::Term;

use super::evaluation::Evaluation;
use super::{Chosen, Val};
use crate::memory::{Contents, Init, Memory, Scalar, State, Unknown};
use crate::pointer::{NOWHERE, Object};
use crate::world::Kind;

/// When an object holds a pointer to a heap object.
struct Edge {
    from: Object,
    when: Term,
    to: Object,
}

impl<'a, 'o> Evaluation<'a, 'o> {
    fn memories(&mut self, data: &InstData) -> Vec<Memory> {
        (0..data.mems.len())
            .map(|index| self.memory(data, index))
            .collect()
    }

    /// Live heap objects with when they are alive.
    fn heap(&mut self, memories: &[Memory]) -> Vec<(Object, Term)> {
        let mut found = Vec::new();
        for memory in memories {
            for (index, state) in memory.objects.entries() {
                let object = Object::from_index(index as usize);
                let heap = self.vc.world.objects[object].kind == Kind::Heap;
                if heap && self.known(state.alive) != Some(false) {
                    found.push((object, state.alive));
                }
            }
        }
        found
    }

    /// Nobody knows what became of objects without number.
    fn is_gap_of_crowds(&mut self) -> bool {
        let any = self.vc.world.crowds.any();
        if any {
            let always = self.terms().tru();
            self.gap(always, "what a loop without a bound has allocated");
        }
        any
    }

    pub(super) fn all_freed(&mut self, data: &InstData) -> Term {
        if self.is_gap_of_crowds() {
            return self.terms().tru();
        }
        let memories = self.memories(data);
        let mut result = self.terms().tru();
        for (_, alive) in self.heap(&memories) {
            let dead = self.terms().not(alive);
            result = self.terms().and(result, dead);
        }
        result
    }

    /// Is every live heap object reachable?
    pub(super) fn all_tracked(&mut self, data: &InstData) -> Term {
        if self.is_gap_of_crowds() {
            return self.terms().tru();
        }
        let memories = self.memories(data);
        let heap = self.heap(&memories);
        if heap.is_empty() {
            return self.terms().tru();
        }
        let mut reached: BTreeMap<Object, Term> = BTreeMap::new();
        let mut edges: Vec<Edge> = Vec::new();
        for memory in &memories {
            for (index, state) in memory.objects.entries() {
                let object = Object::from_index(index as usize);
                let root = match self.vc.world.objects[object].kind {
                    Kind::Global(_) | Kind::Stack | Kind::Nowhere => state.alive,
                    Kind::Heap | Kind::Function(_) => self.terms().fls(),
                };
                if self.terms().as_bool(state.alive) == Some(false) {
                    continue;
                }
                reached.insert(object, root);
                let fixed = self.vc.world.objects[object].fixed;
                if !self.scan(object, memory, &state.contents, fixed, &mut edges) {
                    let happens = state.alive;
                    self.gap(happens, "pointers in an object that is too large to scan");
                }
            }
        }
        self.propagate(&mut reached, &mut edges);
        let mut result = self.terms().tru();
        for (object, alive) in heap {
            let tracked = reached
                .get(&object)
                .copied()
                .unwrap_or_else(|| self.vc.world.terms.fls());
            let fine = self.terms().implies(alive, tracked);
            result = self.terms().and(result, fine);
        }
        result
    }

    /// The least fixpoint of reachability along edges: first what certainly holds, then one strongly connected component
    /// after the other, each in at most as many rounds as it has objects.
    fn propagate(&mut self, reached: &mut BTreeMap<Object, Term>, edges: &mut Vec<Edge>) {
        let (truth, falsity) = (self.terms().tru(), self.terms().fls());
        edges.retain(|edge| edge.when != falsity && reached.contains_key(&edge.to));
        let mut certain: BTreeMap<Object, Vec<Object>> = BTreeMap::new();
        for edge in edges.iter().filter(|edge| edge.when == truth) {
            certain.entry(edge.from).or_default().push(edge.to);
        }
        let roots = reached.iter().filter(|(_, when)| **when == truth);
        let mut work: Vec<Object> = roots.map(|(&object, _)| object).collect();
        while let Some(object) = work.pop() {
            for &to in certain.get(&object).into_iter().flatten() {
                if reached.insert(to, truth) != Some(truth) {
                    work.push(to);
                }
            }
        }
        edges.retain(|edge| reached[&edge.to] != truth);
        let nodes: Vec<Object> = reached.keys().copied().collect();
        let number = |object: Object| {
            let place = nodes.binary_search(&object);
            place.expect("edges lead from and to objects that are there") as u32
        };
        let mut out: Vec<Vec<(Term, u32)>> = vec![Vec::new(); nodes.len()];
        for edge in edges.iter().filter(|edge| reached.contains_key(&edge.from)) {
            out[number(edge.from) as usize].push((edge.when, number(edge.to)));
        }
        let components = components(nodes.len(), |node| {
            out[node as usize].iter().map(|&(_, to)| to)
        });
        for component in components.iter().rev() {
            for _ in 0..component.len() {
                if self.oracle.interrupted() {
                    self.gap(truth, "reachability among heap objects");
                    return;
                }
                let mut changes = false;
                for &from in component {
                    for &(when, to) in &out[from as usize] {
                        let source = reached[&nodes[from as usize]];
                        let step = self.terms().and(source, when);
                        let old = reached[&nodes[to as usize]];
                        let either = self.terms().or(old, step);
                        reached.insert(nodes[to as usize], either);
                        changes |= either != old;
                    }
                }
                if !changes {
                    break;
                }
            }
        }
    }

    /// May integers be addresses of heap objects? Some address became one, perhaps because bytes were read
    /// that may belong to several pointers.
    fn numbers_lead_to_heap(&self) -> bool {
        let objects = &self.vc.world.objects;
        let mut exposed = self.vc.world.exposed.iter();
        exposed.any(|&object| objects[object].kind == Kind::Heap)
    }

    /// May there be a pointer to a heap object anywhere in contents?
    fn leads_to_heap(&mut self, memory: &Memory, contents: &Contents) -> bool {
        let mut found = Vec::new();
        let world = &mut self.vc.world;
        world.pointees(&memory.shared, contents, false, &mut found);
        let objects = &self.vc.world.objects;
        found
            .iter()
            .any(|&object| objects[object].kind == Kind::Heap)
    }

    /// Finds the heap pointers in contents; false if it cannot find all of them.
    fn scan(
        &mut self,
        object: Object,
        memory: &Memory,
        contents: &Contents,
        fixed: Option<u64>,
        edges: &mut Vec<Edge>,
    ) -> bool {
        let bytes = (self.vc.world.pointer_bits / 8) as u64;
        let numbers = self.numbers_lead_to_heap();
        let shared = &memory.shared;
        let world = &mut self.vc.world;
        let Some(places) = world.pointer_places(shared, contents, fixed, numbers) else {
            // What nobody has put there need not be found.
            let raw = self.vc.world.style().numbers_are_pointers();
            return !raw && !numbers && !self.leads_to_heap(memory, contents);
        };
        for at in places {
            let offset = self.vc.world.word(at);
            let world = &mut self.vc.world;
            let read = world.read(shared, contents, offset, bytes as u32, fixed);
            let raw = self.vc.world.style().numbers_are_pointers();
            let (pointer, number) = match read {
                Scalar::Pointer(pointer) => (pointer, false),
                // A raw pointer in an array is an address like any other.
                Scalar::Bits(bits) if raw || self.numbers_lead_to_heap() => {
                    (self.vc.world.pointer_from_bits(bits), true)
                }
                Scalar::Bits(_) => continue,
            };
            for alternative in self.vc.world.resolve(pointer) {
                if self.vc.world.objects[alternative.object].kind != Kind::Heap {
                    continue;
                }
                let mut guard = alternative.guard;
                if number {
                    // A number leads where it points; a pointer, just behind its object too.
                    let size = self.vc.world.objects[alternative.object].size;
                    let offset = alternative.offset;
                    let inside = if raw {
                        self.terms().ule(offset, size)
                    } else {
                        self.terms().ult(offset, size)
                    };
                    guard = self.terms().and(guard, inside);
                }
                edges.push(Edge {
                    from: object,
                    when: guard,
                    to: alternative.object,
                });
            }
        }
        true
    }

    /// What unknown code that gets these pointers can reach, in ascending order.
    fn seen_by_unknown(&mut self, memories: &[Memory], pointers: &[Operand]) -> Vec<Object> {
        let mut work: Vec<Object> = self.vc.world.exposed.iter().copied().collect();
        for operand in pointers {
            let pointer = self.pointer(operand);
            let alternatives = self.vc.world.resolve(pointer);
            work.extend(alternatives.iter().map(|alternative| alternative.object));
        }
        for (global, info) in self.vc.world.module.globals.iter() {
            if info.external {
                work.push(self.vc.world.global_objects[global]);
            }
        }
        let mut seen: FxHashSet<Object> = FxHashSet::default();
        let mut order = Vec::new();
        // Memory that belongs to no object is unknown code's as well.
        work.push(NOWHERE);
        while let Some(object) = work.pop() {
            if !seen.insert(object) {
                continue;
            }
            order.push(object);
            for memory in memories {
                if let Some(state) = memory.state(object) {
                    let world = &mut self.vc.world;
                    world.pointees(&memory.shared, &state.contents, false, &mut work);
                }
            }
        }
        order.sort_unstable();
        order
    }

    /// Unknown code sees what it can reach, and changes nothing.
    pub(super) fn show(&mut self, data: &InstData, pointers: &[Operand]) {
        let memories = self.memories(data);
        let mut seen = self.seen_by_unknown(&memories, pointers);
        seen.retain(|&object| object != NOWHERE);
        self.vc.world.exposed.extend(seen);
    }

    /// Unknown code: what it can reach gets unknown contents.
    pub(super) fn clobber(&mut self, data: &InstData, pointers: &[Operand]) {
        let memories = self.memories(data);
        let order = self.seen_by_unknown(&memories, pointers);
        let mut changed = memories;
        let mut list = Vec::new();
        for object in order {
            if object == NOWHERE {
                for memory in &mut changed {
                    if memory.state(NOWHERE).is_some() {
                        let unknown = self.vc.world.unknown();
                        list.push((NOWHERE, unknown));
                        self.renew_unknown(memory, unknown);
                    }
                }
                continue;
            }
            self.vc.world.exposed.insert(object);
            if self.vc.world.objects[object].constant {
                continue;
            }
            for memory in &mut changed {
                if memory.state(object).is_some() {
                    let unknown = self.vc.world.unknown();
                    list.push((object, unknown));
                    self.renew(memory, object, unknown);
                }
            }
        }
        let number = self.vc.clobbers.len() as u32;
        self.vc.clobbers.push(list);
        self.choose(Chosen::Clobber(number));
        for (&result, memory) in data.results.iter().zip(changed) {
            self.define(result, Val::Memory(memory));
        }
    }

    /// The region with unknown contents in all objects that may be written.
    pub(super) fn havoc_region(&mut self, data: &InstData) -> Memory {
        let mut memory = self.memory(data, 0);
        let entries = memory.objects.entries().into_iter();
        let objects: Vec<Object> = entries
            .map(|(index, _)| Object::from_index(index as usize))
            .collect();
        let mut list = Vec::new();
        for object in objects {
            // What is sealed is still written by its initialiser.
            let info = &self.vc.world.objects[object];
            if object != NOWHERE && info.constant && info.kind != Kind::Stack {
                continue;
            }
            let unknown = self.vc.world.unknown();
            list.push((object, unknown));
            self.renew(&mut memory, object, unknown);
        }
        let number = self.vc.clobbers.len() as u32;
        self.vc.clobbers.push(list);
        self.choose(Chosen::Clobber(number));
        memory
    }

    /// The object has unknown contents, and counts as written and initialised.
    fn renew(&mut self, memory: &mut Memory, object: Object, unknown: Unknown) {
        if object == NOWHERE {
            return self.renew_unknown(memory, unknown);
        }
        let Some(state) = memory.state(object).cloned() else {
            return;
        };
        let word = self.vc.world.objects[object].word;
        let (world, shared) = (&mut self.vc.world, &mut memory.shared);
        let contents = world.contents(shared, Init::Unknown(unknown), word);
        let modified = world.terms.tru();
        let shadow = world.shadow(shared, Init::Zero, word);
        memory.set(
            object,
            State {
                alive: state.alive,
                modified,
                contents,
                shadow,
            },
        );
    }
}
