//! An open call: its registers, where it is, and the states that wait at its blocks.

use std::collections::BTreeMap;
use std::rc::Rc;

use ir::syntax::{Block, Body, Func, Value};
use rustc_hash::FxHashMap;
use terms::Term;

use super::Val;
use super::arbitrary::Began;
use super::rounds::Round;
use crate::order::{Key, Order};
use crate::path::Path;
use crate::pointer::Object;

/// A state that waits at a block: its path, and values for the block's parameters and for the
/// values that edges into the block carry.
pub(super) struct Arrival {
    pub(super) path: Path,
    pub(super) values: Vec<Val>,
}

/// Where a frame is.
pub(super) struct Cursor {
    pub(super) key: Key,
    pub(super) block: Block,
    /// The next instruction.
    pub(super) next: usize,
    pub(super) path: Path,
}

/// An open call.
pub(super) struct Frame<'a> {
    pub(super) func: Func,
    pub(super) body: &'a Body,
    pub(super) order: Rc<Order>,
    pub(super) registers: Vec<Option<Val>>,
    pub(super) pending: BTreeMap<Key, Vec<Arrival>>,
    pub(super) cursor: Option<Cursor>,
    pub(super) returns: Vec<Arrival>,
    /// By loop head: only the innermost running activation matters.
    pub(super) rounds: FxHashMap<Block, Round>,
    /// The same for loops that begin in an arbitrary state.
    pub(super) began: FxHashMap<Block, (Began, Option<Term>)>,
    /// The block instance that is being evaluated, or begins.
    pub(super) position: Key,
    /// The condition under which the frame was entered, and how many decisions its recursion took.
    pub(super) entered: Term,
    pub(super) recursion: u32,
    /// The stack objects made by this activation.
    pub(super) stack: Vec<Object>,
    /// With free bases: what had happened to objects when it was entered.
    pub(super) events: usize,
}

impl Frame<'_> {
    /// A state waits at a block.
    pub(super) fn wait(&mut self, key: Key, path: Path, values: Vec<Val>) {
        let waiting = self.pending.entry(key).or_default();
        waiting.push(Arrival { path, values });
    }

    /// Its evaluation begins in a block, with values for the registers that are read from there on.
    pub(super) fn begin_at(&mut self, from: Block, inputs: &[(Value, Term)], path: Path) {
        for &(value, term) in inputs {
            self.registers[value.index()] = Some(Val::Term(term));
        }
        let key = self.order.begin(from);
        let params = self.body.blocks[from].params.iter();
        let values = params.chain(self.order.carried(from)).map(|value| {
            let value = self.registers[value.index()].clone();
            value.expect("what is read is an input")
        });
        let values = values.collect();
        self.pending.clear();
        self.position = key.clone();
        self.wait(key, path, values);
    }
}
