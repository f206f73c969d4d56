//! What holds of each element, said of those that the program accesses.
//!
//! Where an access comes after the head of a loop, the head's latest parameters are known there, and what was found about them
//! is said right before it. What is accessed at an offset that is known before the loop is spoken of at its head.

use std::collections::BTreeMap;

use base::Map;
use ir::dominators::Dominators;
use ir::syntax::{BinaryOp, Block, Body, CompareOp, Op, Operand, Origin, Value};

use crate::cut::emit::{Emit, Ground};
use crate::elements::{self, Access, At};
use crate::facts::{self, Fact};
use crate::partition;

/// More instances are not made of the facts at one head.
const MAX: usize = 300;
/// So many offsets from before a loop are spoken of at its head.
const BEFORE: usize = 8;

/// Where elements are accessed.
pub struct Instances<'a> {
    accesses: Vec<Access>,
    dominators: &'a Dominators,
    home: Map<Value, Option<Block>>,
}

impl<'a> Instances<'a> {
    /// Of a body.
    pub fn new(body: &Body, dominators: &'a Dominators) -> Instances<'a> {
        Instances {
            accesses: elements::accesses(body),
            dominators,
            home: partition::home(body),
        }
    }

    /// Says what these facts at a head say of elements that are accessed. `enter` is where the loop is entered, with an
    /// arbitrary state.
    pub fn emit(
        &self,
        body: &mut Body,
        ground: Ground<'_>,
        enter: Block,
        fresh: &[Operand],
        general: &[(&Fact, ir::syntax::Fact)],
    ) {
        let mut made = 0;
        let mut here: Vec<(At, u64)> = Vec::new();
        let mut there: Vec<(&Access, u64)> = Vec::new();
        for access in &self.accesses {
            let bytes = access.ty.bytes(ground.machine);
            let at = access.at;
            if self.dominators.dominates(ground.head, access.block) {
                let same = |&(other, size): &(&Access, u64)| {
                    (other.block, other.like, size) == (access.block, access.like, bytes)
                };
                if !there.iter().any(same) {
                    there.push((access, bytes));
                }
            } else if self.is_before(at, ground.head)
                && !here.contains(&(at, bytes))
                && here.len() < BEFORE
            {
                here.push((at, bytes));
            }
        }
        for (at, bytes) in here {
            made += say(body, ground, enter, fresh, (at, bytes), general);
        }
        let params = super::operands(body, ground.head);
        for (access, bytes) in there {
            let (block, inst, at) = (access.block, access.inst, access.at);
            if made > MAX {
                break;
            }
            let count = body.blocks[block].insts.len();
            made += say(body, ground, block, &params, (at, bytes), general);
            let insts = &mut body.blocks[block].insts;
            let new = insts.split_off(count);
            let place = insts
                .iter()
                .position(|&other| other == inst)
                .expect("the access is in its block");
            insts.splice(place..place, new);
        }
    }

    /// Is the offset known before a head?
    fn is_before(&self, at: At, head: Block) -> bool {
        at.0.is_none_or(|value| {
            self.home[value]
                .is_some_and(|home| home != head && self.dominators.dominates(home, head))
        })
    }
}

/// Appends to a block what facts about elements of this size say of one at an offset; how many that were.
fn say(
    body: &mut Body,
    ground: Ground<'_>,
    block: Block,
    params: &[Operand],
    (at, bytes): (At, u64),
    general: &[(&Fact, ir::syntax::Fact)],
) -> usize {
    let mut facts = general
        .iter()
        .filter(|(fact, _)| facts::ghost_of(fact) == Some(bytes))
        .peekable();
    if facts.peek().is_none() {
        return 0;
    }
    let none = BTreeMap::new();
    let mut emit = Emit::new(
        body,
        block,
        Ground {
            ghosts: &none,
            ..ground
        },
    );
    let offset = match at {
        (Some(value), by) => emit.plus(value.into(), by),
        (None, by) => Operand::int(by, ground.machine.pointer_bits),
    };
    let low = Operand::size(bytes - 1, ground.machine);
    let low = emit.value(Op::Binary(BinaryOp::And, offset.clone(), low));
    let zero = Operand::size(0, ground.machine);
    let odd = emit.value(Op::Compare(CompareOp::Ne, low, zero));
    let ghosts = BTreeMap::from([(bytes, offset)]);
    let mut emit = Emit::new(
        body,
        block,
        Ground {
            ghosts: &ghosts,
            ..ground
        },
    );
    let mut made = 0;
    for (fact, claim) in facts {
        let holds = emit.fact(fact, params);
        let holds = emit.value(Op::Binary(BinaryOp::Or, odd.clone(), holds));
        emit.effect(Op::Assume(holds, Origin::Fact(*claim)), Vec::new());
        made += 1;
    }
    made
}
