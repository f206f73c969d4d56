//! A variable whose life begins at several places, or that is used where none of them comes before: another
//! object is made at each beginning, and blocks where several meet get the object as a parameter.
//!
//! ```text
//! b1: lifetime_start v0; jump b3         b1: v1 = alloc.stack 4; jump b3(v1)
//! b2: lifetime_start v0; jump b3   ──▶   b2: v2 = alloc.stack 4; jump b3(v2)
//! b3: call @keep(v0)                     b3(v3): call @keep(v3)
//! ```

use base::Map;
use ir::cfg::Cfg;
use ir::syntax::{Block, Body, Inst, Machine, Op, Operand, Type, Value};

/// Which object a variable is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Object {
    /// The one that was made first: no life has begun.
    First,
    /// The one that is made at this place.
    Made(Block, usize),
    /// The parameter of this block.
    Joined(Block),
}

/// Makes the object anew wherever its life begins. False if something may use it before.
pub fn make_at_every_beginning(
    body: &mut Body,
    value: Value,
    alloc: Inst,
    machine: Machine,
) -> bool {
    let this = Operand::Value(value);
    let op = body.insts[alloc].op.clone();
    if op
        .operands()
        .into_iter()
        .any(|operand| matches!(operand, Operand::Value(_)))
    {
        return false;
    }
    let cfg = Cfg::new(body);
    let begins = Op::LifetimeStart(this.clone());
    let last = |block: Block| {
        let insts = &body.blocks[block].insts;
        let at = insts
            .iter()
            .rposition(|&inst| body.insts[inst].op == begins);
        at.map(|at| Object::Made(block, at))
    };
    let (at_start, at_end) = flow(&cfg, body.blocks.len(), last);
    if uses_the_first(body, &cfg, &at_start, &this, &begins) {
        return false;
    }
    let live = live(body, &cfg, &this, &begins);
    // Objects and parameters.
    let mut made: Map<Block, Vec<(usize, Value)>> = Map::filled(Vec::new(), body.blocks.len());
    let mut joined: Map<Block, Option<Value>> = Map::filled(None, body.blocks.len());
    for &block in cfg.reverse_post_order() {
        if at_start[block] == Some(Object::Joined(block)) && live[block] {
            joined[block] = Some(body.new_block_param(block, Type::Ptr));
        }
        for at in 0..body.blocks[block].insts.len() {
            let inst = body.blocks[block].insts[at];
            if body.insts[inst].op == begins {
                let place = body.insts[inst].place;
                let new = body.new_inst(op.clone(), Vec::new(), place, machine);
                body.blocks[block].insts[at] = new;
                let object = body.insts[new].result().expect("an object has an address");
                made[block].push((at, object));
            }
        }
    }
    let name = |object: Option<Object>| match object {
        Some(Object::Made(block, at)) => {
            let found = made[block].iter().find(|made| made.0 == at);
            found.expect("it was made").1
        }
        Some(Object::Joined(block)) => joined[block].unwrap_or(value),
        Some(Object::First) | None => value,
    };
    // Uses.
    for &block in cfg.reverse_post_order() {
        let mut current = name(at_start[block]);
        for at in 0..body.blocks[block].insts.len() {
            if let Some(&(_, object)) = made[block].iter().find(|made| made.0 == at) {
                current = object;
                continue;
            }
            let inst = body.blocks[block].insts[at];
            for operand in body.insts[inst].op.operands_mut() {
                if *operand == this {
                    *operand = current.into();
                }
            }
        }
        let end = &mut body.blocks[block].terminator;
        for operand in end.operands_mut() {
            if *operand == this {
                *operand = current.into();
            }
        }
        let current = name(at_end[block]);
        for target in end.targets_mut() {
            if joined[target.block].is_some() {
                target.args.push(current.into());
            }
        }
    }
    true
}

/// The object where each block starts and ends.
fn flow(
    cfg: &Cfg,
    count: usize,
    last: impl Fn(Block) -> Option<Object>,
) -> (Map<Block, Option<Object>>, Map<Block, Option<Object>>) {
    let mut start: Map<Block, Option<Object>> = Map::filled(None, count);
    let mut end: Map<Block, Option<Object>> = Map::filled(None, count);
    loop {
        let mut changed = false;
        for (index, &block) in cfg.reverse_post_order().iter().enumerate() {
            let mut object = if index == 0 {
                Some(Object::First)
            } else {
                None
            };
            for &pred in cfg.predecessors(block) {
                object = match (object, end[pred]) {
                    (Some(one), Some(other)) if one != other => Some(Object::Joined(block)),
                    (one, other) => one.or(other),
                };
            }
            if start[block] == Some(Object::Joined(block)) {
                object = start[block];
            }
            let after = last(block).or(object);
            changed |= start[block] != object || end[block] != after;
            start[block] = object;
            end[block] = after;
        }
        if !changed {
            return (start, end);
        }
    }
}

/// Does anything but the end of a life use the object that was made first?
fn uses_the_first(
    body: &Body,
    cfg: &Cfg,
    at_start: &Map<Block, Option<Object>>,
    this: &Operand,
    begins: &Op,
) -> bool {
    cfg.reverse_post_order().iter().any(|&block| {
        let data = &body.blocks[block];
        let mut first = at_start[block] == Some(Object::First);
        for &inst in &data.insts {
            let op = &body.insts[inst].op;
            if op == begins {
                first = false;
            }
            let harmless = matches!(op, Op::LifetimeEnd(_) | Op::Debug { .. });
            if first && !harmless && op.operands().contains(&this) {
                return true;
            }
        }
        first && data.terminator.operands().contains(&this)
    })
}

/// Where is the object needed that a block starts with?
fn live(body: &Body, cfg: &Cfg, this: &Operand, begins: &Op) -> Map<Block, bool> {
    let mut live: Map<Block, bool> = Map::filled(false, body.blocks.len());
    loop {
        let mut changed = false;
        for &block in cfg.reverse_post_order().iter().rev() {
            let data = &body.blocks[block];
            let after = data.terminator.operands().contains(&this)
                || cfg.successors(block).iter().any(|&next| live[next]);
            let mut needed = after;
            for &inst in data.insts.iter().rev() {
                let op = &body.insts[inst].op;
                needed = op != begins && (needed || op.operands().contains(&this));
            }
            changed |= needed != live[block];
            live[block] = needed;
        }
        if !changed {
            return live;
        }
    }
}
