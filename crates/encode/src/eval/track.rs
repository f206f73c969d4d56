//! Questions about the whole heap, and unknown code.

use ir::syntax::{InstData, Operand};
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use terms::Term;

use super::machine::Machine;
use super::{Chosen, Val};
use crate::memory::lambda::{CHUNK, Piece, Under, Write};
use crate::memory::{Contents, Init, Memory, Scalar, State};
use crate::pointer::{Alternative, NOWHERE, Object, Pointer};
use crate::world::Kind;

/// The most heap objects whose reachability is decided exactly.
const TRACKED: usize = 64;
/// The largest object whose every word is looked at for pointers, and the largest whose every byte is: packed
/// structures keep pointers anywhere.
const SCANNED: u64 = 1 << 16;
const SCANNED_BYTES: u64 = 1 << 10;

impl<'a, 'o> Machine<'a, 'o> {
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

    pub(super) fn all_freed(&mut self, data: &InstData) -> Term {
        let memories = self.memories(data);
        let mut result = self.terms().tru();
        for (_, alive) in self.heap(&memories) {
            let dead = self.terms().not(alive);
            result = self.terms().and(result, dead);
        }
        result
    }

    /// The least fixpoint of reachability, by as many rounds as there are heap objects.
    pub(super) fn all_tracked(&mut self, data: &InstData) -> Term {
        let memories = self.memories(data);
        let heap = self.heap(&memories);
        if heap.is_empty() {
            return self.terms().tru();
        }
        if heap.len() > TRACKED {
            let always = self.terms().tru();
            self.gap(always, "reachability among too many heap objects");
            return always;
        }
        let mut reached: BTreeMap<Object, Term> = BTreeMap::new();
        // Edges: from an object, when, to a heap object.
        let mut edges: Vec<(Object, Term, Object)> = Vec::new();
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
                if !self.scan(object, &state.contents, fixed, &mut edges) {
                    let happens = state.alive;
                    self.gap(happens, "pointers in an object that is too large to scan");
                }
            }
        }
        for _ in 0..heap.len() {
            let before = reached.clone();
            for &(from, when, to) in &edges {
                let Some(&source) = before.get(&from) else {
                    continue;
                };
                let step = self.terms().and(source, when);
                if let Some(old) = reached.get(&to).copied() {
                    let either = self.terms().or(old, step);
                    reached.insert(to, either);
                }
            }
            if reached == before {
                break;
            }
        }
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

    /// The objects that a pointer in memory means.
    fn objects_of(&mut self, pointer: Pointer) -> Vec<Alternative> {
        if self.vc.world.is_raw() {
            self.vc.world.resolve(pointer)
        } else {
            self.vc.world.pointers.alternatives(pointer).to_vec()
        }
    }

    /// May integers be addresses of heap objects? Some address became one, perhaps because bytes were read
    /// that may belong to several pointers.
    fn numbers_lead_to_heap(&self) -> bool {
        let objects = &self.vc.world.objects;
        let mut exposed = self.vc.world.exposed.iter();
        exposed.any(|&object| objects[object].kind == Kind::Heap)
    }

    /// Finds the heap pointers in contents; false if it cannot find all of them.
    fn scan(
        &mut self,
        object: Object,
        contents: &Contents,
        fixed: Option<u64>,
        edges: &mut Vec<(Object, Term, Object)>,
    ) -> bool {
        let bytes = (self.vc.world.pointer_bits / 8) as u64;
        let numbers = self.numbers_lead_to_heap();
        let everywhere = |size: u64| {
            let step = if size <= SCANNED_BYTES { 1 } else { bytes };
            (0..(size + 1).saturating_sub(bytes)).step_by(step as usize)
        };
        let mut offsets: Vec<u64> = Vec::new();
        let (bytes_written, under) = match contents {
            Contents::Lambda(lambda) => (Some(&lambda.bytes), Some(&lambda.under)),
            Contents::Array(array)
                if array.owners.is_none() && !self.vc.world.is_raw() && !numbers =>
            {
                return true;
            }
            Contents::Array(_) => match fixed {
                Some(size) if size <= SCANNED => {
                    offsets.extend(everywhere(size));
                    (None, None)
                }
                Some(_) | None => return false,
            },
        };
        let layered = matches!(under, Some(Under::Layer(_)));
        match (under.unwrap_or(&Under::Init(Init::Zero)), fixed) {
            (Under::Init(Init::Zero | Init::Ones | Init::Unknown(_)), _) => {}
            (Under::Init(Init::Global(_)) | Under::Layer(_), Some(size)) if size <= SCANNED => {
                offsets.extend(everywhere(size));
            }
            (Under::Init(Init::Global(_)) | Under::Layer(_), _) => return !layered,
        }
        for (index, chunk) in bytes_written.into_iter().flat_map(|trie| trie.entries()) {
            for (slot, piece) in chunk.iter().enumerate() {
                let at = index * CHUNK + slot as u64;
                let begins = match piece {
                    Piece::Byte {
                        scalar: Scalar::Pointer(_),
                        index: 0,
                        ..
                    } => true,
                    Piece::Byte {
                        scalar: Scalar::Bits(_),
                        index: 0,
                        ..
                    } => numbers,
                    Piece::Byte { .. } | Piece::Hole => false,
                };
                if begins && fixed.is_none_or(|size| at + bytes <= size) {
                    offsets.push(at);
                }
            }
        }
        offsets.sort_unstable();
        offsets.dedup();
        for at in offsets {
            let offset = self.vc.world.word(at);
            let read = self.vc.world.read(contents, offset, bytes as u32, fixed);
            let raw = self.vc.world.is_raw();
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
                edges.push((object, guard, alternative.object));
            }
        }
        true
    }

    /// Unknown code: what it can reach gets unknown contents.
    pub(super) fn clobber(&mut self, data: &InstData, pointers: &[Operand]) {
        let memories = self.memories(data);
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
            for memory in &memories {
                if let Some(state) = memory.state(object) {
                    self.pointees(&state.contents, &mut work);
                }
            }
        }
        order.sort_unstable();
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
                if let Some(state) = memory.state(object).cloned() {
                    let unknown = self.vc.world.unknown();
                    list.push((object, unknown));
                    let word = self.vc.world.objects[object].word;
                    let contents = self.vc.world.contents(Init::Unknown(unknown), word);
                    let modified = self.vc.world.terms.tru();
                    memory.set(
                        object,
                        State {
                            alive: state.alive,
                            modified,
                            contents,
                            shadow: self.vc.world.shadow(Init::Zero, word),
                        },
                    );
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

    /// Objects that contents point to, more rather than fewer.
    fn pointees(&mut self, contents: &Contents, found: &mut Vec<Object>) {
        let mut work = match contents {
            Contents::Lambda(lambda) => vec![lambda.clone()],
            Contents::Array(array) => {
                if self.vc.world.is_raw() {
                    found.extend(self.vc.world.objects.keys());
                } else if array.owners.is_some() {
                    found.extend(self.vc.world.stored.iter().copied());
                }
                return;
            }
        };
        // Layers are shared: contents copied back and forth have as many ways down as one likes.
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        while let Some(contents) = work.pop() {
            for (_, chunk) in contents.bytes.entries() {
                for piece in chunk.iter() {
                    if let Piece::Byte {
                        scalar: Scalar::Pointer(pointer),
                        ..
                    } = piece
                    {
                        let alternatives = self.objects_of(*pointer);
                        found.extend(alternatives.iter().map(|alternative| alternative.object));
                    }
                }
            }
            match &contents.under {
                Under::Init(Init::Zero | Init::Ones | Init::Unknown(_)) => {}
                Under::Init(Init::Global(global)) => {
                    for piece in &self.vc.world.module.globals[*global].init {
                        if let ir::syntax::InitPiece::Pointer(ir::syntax::Const::Global(
                            target,
                            _,
                        )) = piece
                        {
                            found.push(self.vc.world.global_objects[*target]);
                        }
                    }
                }
                Under::Layer(layer) => {
                    if !seen.insert(layer.id) {
                        continue;
                    }
                    work.push(layer.below.clone());
                    match &layer.write {
                        Write::Store {
                            scalar: Scalar::Pointer(pointer),
                            ..
                        } => {
                            let alternatives = self.objects_of(*pointer);
                            found.extend(alternatives.iter().map(|alternative| alternative.object));
                        }
                        Write::Store { .. } | Write::Set { .. } => {}
                        Write::Copy { source, .. } => work.push(source.clone()),
                        Write::Choice { other, .. } => work.push(other.clone()),
                    }
                }
            }
        }
    }
}
