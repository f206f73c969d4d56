//! Pointers through integers: which objects an address can find by chance or by computation.
//!
//! A pointer that was made from an integer gets its object back by address. The view taken is that of
//! the C standard's provenance proposal (PNVI-ae-udi): it can find an object only if the object's address was *exposed*
//! before. Addresses that merely move (copies of bytes, of words as wide as a pointer, `memcpy`, casts there
//! and back) need no rule, since slots are unified along the way. The rules are for the rest:
//!
//! 1. A slot whose bits are computed with exposes what it leads to.
//! 2. A slot that may hold an arbitrary integer and is used as a pointer leads to what is exposed.
//! 3. A pointer of that kind that is compared with another may be that other.
//!
//! All that rules 2 and 3 speak of is one node, the *unknown* node, which all functions share. If nothing is exposed, or no arbitrary integer
//! becomes a pointer, there is no such node and nothing is lost.

use ir::syntax::{Global, InitPiece};

use crate::graph::{Cell, Node};
use crate::node::{NodeFlags, SlotFlags};
use crate::state::State;

/// Applies the rules everywhere; returns whether anything changed.
pub fn apply(state: &mut State<'_>) -> bool {
    let before = state.graph.changes();
    mark_initial_bytes(state);
    mark_nodes(state);
    let has = |state: &State<'_>, flags: NodeFlags| {
        let mut roots = state.graph.roots();
        roots.any(|node| state.graph.data(node).flags.has(flags))
    };
    if has(state, NodeFlags::INT_TO_POINTER) {
        merge_unknown(state);
    }
    merge_compared(state);
    state.graph.changes() != before
}

/// Rules 1 and 2 as far as they concern a node alone.
fn mark_nodes(state: &mut State<'_>) {
    let slots: Vec<_> = state.graph.slot_roots().collect();
    for slot in slots {
        let flags = state.graph.slot_flags(slot);
        let Some(cell) = state.graph.link(slot) else {
            continue;
        };
        if flags.has(SlotFlags::OBSERVED) {
            state.graph.mark(cell.node, NodeFlags::EXPOSED);
        }
        if flags.has(SlotFlags::ARBITRARY) && flags.has(SlotFlags::POINTER) {
            state.graph.mark(cell.node, NodeFlags::INT_TO_POINTER);
        }
    }
}

/// Everything exposed and every pointer from an arbitrary integer: one node.
fn merge_unknown(state: &mut State<'_>) {
    let roots: Vec<Node> = state.graph.roots().collect();
    for node in roots {
        let root = state.graph.find(node).node;
        let flags = state.graph.data(root).flags;
        if flags.has(NodeFlags::EXPOSED) || flags.has(NodeFlags::INT_TO_POINTER) {
            merge(state, root);
        }
    }
}

fn merge(state: &mut State<'_>, node: Node) {
    let unknown = state.unknown();
    if state.graph.find(unknown.node).node != state.graph.find(node).node {
        state.graph.unify(unknown, Cell { node, offset: 0 });
    }
}

/// Rule 3.
fn merge_compared(state: &mut State<'_>) {
    loop {
        let before = state.graph.changes();
        for index in 0..state.compared.len() {
            let (a, b) = state.compared[index];
            let (a, b) = (state.graph.norm(a).node, state.graph.norm(b).node);
            let free = |node: Node| {
                let flags = state.graph.data(node).flags;
                flags.has(NodeFlags::INT_TO_POINTER)
            };
            if a != b && (free(a) || free(b)) {
                merge(state, a);
                merge(state, b);
            }
        }
        if state.graph.changes() == before {
            return;
        }
    }
}

/// Pointers that are read from a global's initial bytes are arbitrary integers, unless they are zero.
fn mark_initial_bytes(state: &mut State<'_>) {
    let module = state.module;
    let mut globals: Vec<Global> = state.globals.keys().copied().collect();
    globals.sort_unstable();
    for global in globals {
        let cell = state.globals[&global];
        let (shape, start) = state.graph.place(cell);
        let strided = state.graph.stride(shape) != 0;
        for index in 0..state.graph.fields(shape).len() {
            let field = state.graph.fields(shape)[index];
            if !state.graph.slot_flags(field.slot).has(SlotFlags::POINTER) {
                continue;
            }
            let from = field.offset.wrapping_sub(start);
            let range = from..from.saturating_add(i64::from(field.len));
            let mut at = 0i64;
            let nonzero = module.globals[global].init.iter().any(|piece| {
                let here = at;
                let set = |(index, byte): (usize, &u8)| {
                    *byte != 0 && (strided || range.contains(&(here + index as i64)))
                };
                let (len, found) = match piece {
                    InitPiece::Bytes(bytes) => {
                        (bytes.len() as u64, bytes.iter().enumerate().any(set))
                    }
                    InitPiece::Zero(count) | InitPiece::Any(count) => (*count, false),
                    InitPiece::Pointer(_) => (u64::from(state.pointer_bytes()), false),
                };
                at += len as i64;
                found
            });
            if nonzero {
                state.graph.mark_slot(field.slot, SlotFlags::ARBITRARY);
            }
        }
    }
}
