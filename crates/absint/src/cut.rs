//! Loops become straight code, given facts at their heads that are then to be proved.
//!
//! What a loop changes is exactly what its head's parameters hold, memory included. So a loop can be replaced by
//! one round of it from an arbitrary state in which the facts hold:
//!
//! ```text
//!   entry ─▶ head(p) ◀─ latch         entry ─▶ [check facts(p)] [p' arbitrary, assume facts(p')] ─▶ head(p')
//!                                     latch ─▶ [check facts(p)] [the execution ends]
//! ```
//!
//! Every execution of the program is one of the new program up to its last round, with the same values: if no
//! execution of the new program violates a `check facts`, the facts hold whenever an execution comes
//! to the head (by induction on the rounds), and then whatever obligation no execution of the new program violates, none of the old
//! one does. So nothing here rests on how the facts were found, and facts that are wrong are violated.
//!
//! A fact may speak of each element of an array. It is checked for one offset, chosen when the execution begins, and no better known
//! than that: what holds of it holds of all. So it may be assumed of that offset, and of every other one at which an element
//! is accessed (`instances.rs`).
//!
//! It depends on arbitrary states being really arbitrary:
//!
//! - A number is a fresh one. A pointer points, at any offset, into one of the objects that it is computed from, as the text
//!   says; where the text does not say (a pointer from memory), the loop is left alone.
//! - Memory is what it was at the entry, with arbitrary contents wherever the loop may write (`written.rs`). A loop that makes or
//!   ends objects in a memory that lives across its rounds is left alone, and so is one that may overwrite pointers
//!   that somebody reads.
//! - A number that is an address leads to objects whose address became a number before. An earlier round, of which nothing is left, must
//!   not have been the one that did it: such a loop is left alone, unless nobody makes pointers of numbers (`exposure.rs`).
//! - Shadow memory and marks of modification are not followed: programs that use them are left alone.
//!
//! Loops that are left alone stay loops: the bounded engine unrolls them, and says if it cannot.

mod emit;
mod exposure;
mod instances;
pub mod watched;
mod written;

use checks::registry::CheckId;
use std::collections::{BTreeMap, BTreeSet};

use ir::cfg::Cfg;
use ir::dominators::Dominators;
use ir::loops::{Loop, Loops, Shape};
use ir::syntax::{
    BinaryOp, Block, Body, FactData, FloatTy, Func, Ground, HaltKind, Machine, Module, NondetKind,
    Obligation, Op, Operand, Origin, PlaceId, Target, Terminator, Type, Value,
};

use crate::cut::emit::{Emit, Ground as Grounds};
use crate::cut::exposure::Exposure;
use crate::cut::instances::Instances;
pub use crate::cut::written::Accesses;
use crate::cut::written::{Sources, Stretch, Written};
use crate::facts;
use crate::facts::{Atom, Fact, Place};

/// A program with loops cut.
pub struct Cut {
    /// The program.
    pub module: Module,
    /// The obligations that say that the facts hold, with the head and the fact.
    pub guards: Vec<(Obligation, Block, Fact)>,
    /// The heads of the loops that were cut.
    pub heads: Vec<Block>,
    /// Loops that were left alone, and why.
    pub left: Vec<(Block, &'static str)>,
}

/// How the facts at a head are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// Each execution looks at one of them, of its choice: one that fails ends the execution, and does not hide the others.
    OneByOne,
    /// Each execution looks at all of them, and goes on.
    Together,
}

/// How a head's parameters become arbitrary.
struct Plan {
    head: Block,
    blocks: BTreeSet<Block>,
    facts: Vec<Fact>,
    /// For each parameter.
    params: Vec<Havoc>,
    /// For pointers of which the offset matters, a memory of their object's region.
    offsets: BTreeMap<usize, Value>,
}

enum Havoc {
    /// A fresh number.
    Number,
    /// One of these pointers, perhaps moved.
    Pointer(Sources),
    /// Arbitrary contents at these places.
    Memory(Vec<Stretch>),
}

/// Cuts the loops of a program's only function whose heads `choose` wants, by `facts` about the places that can be spoken of at a head.
pub fn cut(
    module: &Module,
    func: Func,
    accesses: Accesses,
    asked: Asked,
    choose: impl Fn(Block) -> bool,
    facts: impl Fn(Block, &[Place]) -> Vec<Fact>,
) -> Cut {
    let mut module = module.clone();
    let mut body = module.funcs[func]
        .body
        .take()
        .expect("the function has a body");
    let cfg = Cfg::new(&body);
    let loops = Loops::new(&cfg);
    let dominators = Dominators::new(&cfg);
    let exposure = Exposure::new(&module, &body);
    let written = Written::new(&module, &body, &loops, &dominators, &exposure, accesses);
    let mut result = Cut {
        module: module.clone(),
        guards: Vec::new(),
        heads: Vec::new(),
        left: Vec::new(),
    };
    let instances = Instances::new(&body, &dominators);
    let mut plans = Vec::new();
    for (own, data) in loops.loops.iter() {
        let head = data.header;
        if !choose(head) || !cfg.is_reachable(head) {
            continue;
        }
        let planned = match data.shape {
            Shape::Irreducible => Err("it is entered in its middle"),
            Shape::Natural if exposure.is_lost(loops.blocks(own)) => {
                Err("addresses become numbers in it")
            }
            Shape::Natural => plan(&body, &written, own, &loops, &facts),
        };
        match planned {
            Ok(plan) => plans.push(plan),
            Err(why) => result.left.push((head, why)),
        }
    }
    let facts = plans.iter().flat_map(|plan| &plan.facts);
    let ghosts = ghosts(&mut body, facts, module.machine);
    for plan in &plans {
        let instances = &instances;
        apply(
            &mut module,
            &mut body,
            plan,
            (&ghosts, instances),
            asked,
            &mut result.guards,
        );
        result.heads.push(plan.head);
    }
    module.funcs[func].body = Some(body);
    ir::tidy::tidy(&mut module);
    result.module = module;
    result
}

fn plan(
    body: &Body,
    written: &Written<'_>,
    own: Loop,
    loops: &Loops,
    facts: &impl Fn(Block, &[Place]) -> Vec<Fact>,
) -> Result<Plan, &'static str> {
    let head = loops.loops[own].header;
    let mut params = Vec::new();
    let mut places = Vec::new();
    let mut offsets = BTreeMap::new();
    for (index, &param) in body.blocks[head].params.iter().enumerate() {
        match body.values[param].ty {
            Type::Int(_) | Type::Float(_) => {
                if matches!(body.values[param].ty, Type::Int(1..=64))
                    || is_followed_float(body.values[param].ty)
                {
                    places.push(Place::Param(index));
                }
                params.push(Havoc::Number);
            }
            Type::Ptr => {
                let sources = written.sources(param, own)?;
                if let Some(memory) = written.memory_of(&sources, head) {
                    places.push(Place::Offset(index));
                    offsets.insert(index, memory);
                }
                params.push(Havoc::Pointer(sources));
            }
            Type::Mem(region) => {
                let stretches = written.in_loop(region, own)?;
                for stretch in &stretches {
                    if let Some(place) = stretch.place(index) {
                        places.push(place);
                    }
                }
                params.push(Havoc::Memory(stretches));
            }
        }
    }
    places.sort_unstable();
    places.dedup();
    let facts = facts(head, &places);
    Ok(Plan {
        head,
        blocks: loops.blocks(own).iter().copied().collect(),
        facts,
        params,
        offsets,
    })
}

/// A float of which facts are known: of its bits.
pub fn is_followed_float(ty: Type) -> bool {
    matches!(ty, Type::Float(FloatTy::F32 | FloatTy::F64))
}

/// Offsets that are chosen when the execution begins, for elements of each size that facts speak of.
fn ghosts<'f>(
    body: &mut Body,
    facts: impl Iterator<Item = &'f Fact>,
    machine: Machine,
) -> BTreeMap<u64, Operand> {
    let sizes: BTreeSet<u64> = facts.filter_map(facts::ghost_of).collect();
    let entry = body.entry();
    sizes
        .into_iter()
        .map(|bytes| {
            let any = Op::Nondet(machine.pointer_int(), NondetKind::Input);
            let any = body.append_one(entry, any, machine);
            let mask = Operand::int((bytes as i64).wrapping_neg(), machine.pointer_bits);
            let offset = Op::Binary(BinaryOp::And, any.into(), mask);
            (bytes, body.append_one(entry, offset, machine).into())
        })
        .collect()
}

/// Rewrites the edges to a head.
fn apply(
    module: &mut Module,
    body: &mut Body,
    plan: &Plan,
    (ghosts, instances): (&BTreeMap<u64, Operand>, &Instances),
    asked: Asked,
    guards: &mut Vec<(Obligation, Block, Fact)>,
) {
    let machine = module.machine;
    let types = types(body, plan.head);
    let (enter, again) = gates(body, plan.head, &plan.blocks);
    let place = body.blocks[plan.head].place;
    // What is compared to later is read before anything becomes arbitrary: a version of memory that was
    // replaced is read no more. The block where the loop is entered stands before all of it.
    let entered = operands(body, enter);
    let none = BTreeMap::new();
    let grounds = Grounds {
        head: plan.head,
        machine,
        offsets: &plan.offsets,
        first: &none,
        ghosts,
    };
    let mut emit = Emit::new(body, enter, grounds);
    let first = at_entry(&mut emit, &plan.facts, &entered);
    let grounds = Grounds {
        first: &first,
        ..grounds
    };
    let facts = plan.facts.iter();
    let ids: Vec<Obligation> = facts.map(|_| guard(module, place)).collect();
    let named = ids.iter().zip(&plan.facts);
    guards.extend(named.map(|(&id, fact)| (id, plan.head, fact.clone())));
    let claims: Vec<ir::syntax::Fact> = ids
        .iter()
        .map(|&id| {
            module.facts.push(FactData {
                engine: "absint".to_owned(),
                rests: vec![Ground::Obligation(id)],
            })
        })
        .collect();
    for block in [enter, again] {
        let values: Vec<Operand> = operands(body, block);
        let mut emit = Emit::new(body, block, grounds);
        let choice = match asked {
            Asked::OneByOne => Some(emit.value(Op::Nondet(Type::Int(32), NondetKind::Input))),
            Asked::Together => None,
        };
        for (number, (fact, &id)) in plan.facts.iter().zip(&ids).enumerate() {
            let mut cond = emit.fact(fact, &values);
            if let Some(choice) = &choice {
                let other = emit.is_other(choice, number);
                cond = emit.value(Op::Binary(BinaryOp::Or, other, cond));
            }
            emit.effect(Op::Check(id, cond), Vec::new());
        }
    }
    // An execution has been looked at for a round: the next one is like any.
    let mut emit = Emit::new(body, again, grounds);
    emit.effect(Op::Assume(Operand::bool(false), Origin::Model), Vec::new());
    body.blocks[again].terminator = Terminator::Halt(HaltKind::Dead);
    // The arbitrary state.
    let values = operands(body, enter);
    let mut emit = Emit::new(body, enter, grounds);
    let mut fresh: Vec<Operand> = Vec::new();
    for ((havoc, value), &ty) in plan.params.iter().zip(&values).zip(&types) {
        fresh.push(match havoc {
            Havoc::Number => emit.value(Op::Nondet(ty, NondetKind::Input)),
            Havoc::Pointer(sources) => emit.any_pointer(sources),
            Havoc::Memory(stretches) => {
                let mut memory = value.as_value().expect("a parameter");
                for stretch in stretches {
                    memory = emit.havoc(stretch, memory);
                }
                memory.into()
            }
        });
    }
    for (fact, &claim) in plan.facts.iter().zip(&claims) {
        let cond = emit.fact(fact, &fresh);
        emit.effect(Op::Assume(cond, Origin::Fact(claim)), Vec::new());
    }
    let general: Vec<(&Fact, ir::syntax::Fact)> = plan
        .facts
        .iter()
        .zip(claims)
        .filter(|(fact, _)| facts::ghost_of(fact).is_some())
        .collect();
    instances.emit(body, grounds, enter, &fresh, &general);
    body.blocks[enter].terminator = Terminator::Jump(Target::with_args(plan.head, fresh));
}

/// The types of a block's parameters.
fn types(body: &Body, block: Block) -> Vec<Type> {
    let params = body.blocks[block].params.iter();
    params.map(|&param| body.values[param].ty).collect()
}

/// Two new blocks before a head: one that all edges from outside of the loop lead to, and one for those from inside.
fn gates(body: &mut Body, head: Block, inside: &BTreeSet<Block>) -> (Block, Block) {
    let types = types(body, head);
    let enter = body.new_block(&types);
    let again = body.new_block(&types);
    for block in body.blocks.keys() {
        if block == enter || block == again {
            continue;
        }
        let gate = match inside.contains(&block) {
            true => again,
            false => enter,
        };
        for target in body.blocks[block].terminator.targets_mut() {
            if target.block == head {
                target.block = gate;
            }
        }
    }
    (enter, again)
}

/// What those places hold where the loop is entered that facts compare with what they hold later.
fn at_entry(emit: &mut Emit<'_>, facts: &[Fact], entered: &[Operand]) -> BTreeMap<Place, Operand> {
    let mut first: BTreeMap<Place, Operand> = BTreeMap::new();
    for (place, atom) in facts.iter().flatten().flatten() {
        let places = match atom {
            Atom::Since(_) | Atom::Before(_) => vec![*place],
            Atom::Grown(_, other, _) => vec![*place, *other],
            Atom::Is(_)
            | Atom::AtLeast(_)
            | Atom::AtMost(_)
            | Atom::SignedAtLeast(_)
            | Atom::SignedAtMost(_)
            | Atom::Bits(..)
            | Atom::Modulo(..)
            | Atom::Linear(..)
            | Atom::Balance(..)
            | Atom::Outside(..)
            | Atom::Compared(..) => Vec::new(),
        };
        for place in places {
            first
                .entry(place)
                .or_insert_with(|| emit.place(place, entered));
        }
    }
    first
}

/// An obligation for a fact: an assertion like any other, which the engine has to ask for as for the program's own.
fn guard(module: &mut Module, place: Option<PlaceId>) -> Obligation {
    module.new_obligation(
        "loops",
        CheckId::Assert,
        "a fact at the head of a loop",
        place,
    )
}

fn operands(body: &Body, block: Block) -> Vec<Operand> {
    body.blocks[block]
        .params
        .iter()
        .map(|&param| param.into())
        .collect()
}
