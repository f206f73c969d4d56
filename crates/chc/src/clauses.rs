//! Clauses from an evaluation.
//!
//! The cut points are the program's beginning and the heads of loops that begin in an arbitrary state. Of each head, a predicate says in
//! which states it is entered: over what the loop changes, and over older variables that matter later. The evaluation has told
//! the fragments between cut points apart ([`encode::eval::arbitrary::Plan::apart`]): with the variable `at` of one head true, and those of all later
//! heads false, a condition is about executions that passed this head last. So one evaluation yields all clauses, by
//! substitution:
//!
//! ```text
//!   entry:               reached(head) and assumptions             => Head(values)
//!   step:   Head(state), reached(head again) and assumptions       => Head(values again)
//!   exit:   Head(state), reached(next head) and assumptions        => Next(values)
//!   query:  Head(state), reached(check), assumptions and not holds => false
//! ```
//!
//! That is a *large* step: what lies between two cut points is one constraint. In *small* steps every block is a cut point
//! ([`encode::eval::arbitrary::Plan::blocks`]), and its predicate is over the variables that are live there.
//!
//! What was decided before a head is true in all that follows it, and is not repeated: a predicate that needs it says so. What a predicate
//! does not speak of is arbitrary: contents of large objects, pointers in memory. That may cost a proof, and cannot make one.

use std::collections::{BTreeMap, BTreeSet};

use bmc::sentence::Part;
use bmc::slot::{Slot, cells, read};
use encode::eval::arbitrary::{Entered, Head, Place, Point};
use encode::eval::{Instance, Vc};
use solve::horn::System;
use terms::visit::Substitution;
use terms::{Op, Sort, Term, Terms};

mod calls;
mod edges;
mod relevant;
mod write;

/// The most heads of loops: each is a substitution in everything that follows it.
const MOST_HEADS: usize = 48;
/// The most blocks, if all are cut.
const MOST_BLOCKS: usize = 400;
/// The most terms of an evaluation.
const MOST_TERMS: usize = 2_000_000;
/// The most assumptions before a head that are looked at.
const MOST_FACTS: usize = 300;
/// Objects with more bytes are arbitrary.
const MOST_BYTES: u64 = 64;
/// The most clauses for one conclusion, because of calls that are made or not.
const MOST_CASES: usize = 64;

/// Where clauses begin and end.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Step {
    /// At the heads of loops.
    #[default]
    Large,
    /// At every block.
    Small,
}

/// What predicates speak of. What they do not speak of is arbitrary.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub enum Track {
    /// Numbers in registers.
    Reg,
    /// Pointers in registers too.
    Ptr,
    /// And what is in memory.
    #[default]
    Mem,
}

/// A system of clauses, and what its predicates are about.
pub struct Clauses {
    /// The system.
    pub system: System,
    /// In the order of the system's.
    pub predicates: Vec<Predicate>,
}

/// A predicate about the states of a head.
pub struct Predicate {
    /// Which head.
    pub place: Place,
    /// What its arguments are. None for a predicate that says whether the head is reached at all.
    pub parts: Vec<Part>,
}

/// The clauses that say that none of the instances fails; why there are none, if there are none.
pub fn clauses(vc: &mut Vc<'_>, asked: &[Instance], track: Track) -> Result<Clauses, String> {
    let cut = vc.heads.iter().filter(|head| at(head).is_some());
    let (blocks, loops): (Vec<&Head>, Vec<&Head>) =
        cut.partition(|head| matches!(head.place.point, Point::Block(_)));
    if loops.len() > MOST_HEADS {
        return Err(format!("{} loops", loops.len()));
    }
    if blocks.len() > MOST_BLOCKS {
        return Err(format!("{} blocks", blocks.len()));
    }
    if vc.world.terms.len() > MOST_TERMS {
        return Err("the program is too large".to_owned());
    }
    let mut builder = Builder::new(vc, asked, track);
    builder.find_calls();
    builder.find_edges()?;
    builder.find_relevant();
    builder.repeat_what_is_known();
    Ok(builder.finish())
}

/// The variable that says that execution goes on from an arbitrary state.
fn at(head: &Head) -> Option<Term> {
    match &head.entered {
        Entered::Arbitrary(havoc) => havoc.at,
        Entered::First | Entered::Again => None,
    }
}

/// A cut point from which clauses come.
struct Source {
    /// None for the program's beginning.
    head: Option<Head>,
    /// What its predicate could be about: the part, and its term in the arbitrary state.
    slots: Vec<(Slot, Term)>,
    /// Variables that are older than the head.
    older: BTreeSet<Term>,
    /// Of both, what matters.
    kept: BTreeSet<usize>,
    frame: BTreeSet<Term>,
    /// The variables that matter in what follows.
    needed: BTreeSet<Term>,
}

/// What is known of a function's end, and its calls.
struct Summary {
    place: Place,
    /// What its predicate could be about, with their sorts.
    slots: Vec<(Slot, Sort)>,
    /// What matters.
    kept: BTreeSet<usize>,
}

/// A call that was not evaluated.
struct Call {
    summary: usize,
    reached: Term,
    assumptions: usize,
    /// The terms of the slots.
    terms: Vec<Term>,
}

/// A clause that is being made.
struct Edge {
    from: usize,
    constraint: Term,
    /// The calls on the way: what is known of their ends, and the terms of the slots.
    calls: Vec<(usize, Vec<Term>)>,
    to: To,
}

/// The conclusion of a clause.
#[derive(Clone)]
enum To {
    /// None.
    Query,
    /// A head or a function is entered with these terms of its slots; what the variables are that are older.
    Head(usize, Vec<Term>, Substitution),
    /// A function ends with these.
    Exit(usize, Vec<Term>),
}

struct Builder<'b, 'a> {
    vc: &'b mut Vc<'a>,
    asked: &'b [Instance],
    track: Track,
    sources: Vec<Source>,
    summaries: Vec<Summary>,
    calls: Vec<Call>,
    edges: Vec<Edge>,
}

impl<'b, 'a> Builder<'b, 'a> {
    fn new(vc: &'b mut Vc<'a>, asked: &'b [Instance], track: Track) -> Builder<'b, 'a> {
        let mut sources = vec![Source {
            head: None,
            slots: Vec::new(),
            older: BTreeSet::new(),
            kept: BTreeSet::new(),
            frame: BTreeSet::new(),
            needed: BTreeSet::new(),
        }];
        let heads = vc.heads.iter().filter(|head| at(head).is_some());
        let heads: Vec<Head> = heads.cloned().collect();
        for head in heads {
            let slots = slots(vc, &head, track);
            sources.push(Source {
                head: Some(head),
                slots,
                older: BTreeSet::new(),
                kept: BTreeSet::new(),
                frame: BTreeSet::new(),
                needed: BTreeSet::new(),
            });
        }
        Builder {
            vc,
            asked,
            track,
            sources,
            summaries: Vec::new(),
            calls: Vec::new(),
            edges: Vec::new(),
        }
    }
}

/// What an arbitrary state consists of, with its terms.
fn slots(vc: &mut Vc<'_>, head: &Head, track: Track) -> Vec<(Slot, Term)> {
    let Entered::Arbitrary(havoc) = &head.entered else {
        return Vec::new();
    };
    let mut list: Vec<Slot> = Vec::new();
    list.extend(havoc.scalars.iter().map(|&(index, _)| Slot::Value(index)));
    for &(index, _, _) in &havoc.pointers {
        list.extend([Slot::Owner(index), Slot::Offset(index)]);
    }
    let objects = havoc.objects.iter().map(|&(memory, _)| memory);
    let cells_of = havoc.cells.iter().map(|cell| cell.memory);
    let memories: BTreeSet<usize> = objects.chain(cells_of).collect();
    for (memory, object) in &havoc.objects {
        if object.alive.is_some() {
            list.push(Slot::Alive(*memory, object.object));
        }
        if object.modified.is_some() {
            list.push(Slot::Modified(*memory, object.object));
        }
    }
    for memory in memories {
        list.extend(cells(&vc.world, head, memory, MOST_BYTES));
    }
    list.retain(|&slot| level(slot) <= track);
    let mut slots = Vec::with_capacity(list.len());
    for slot in list {
        for slot in [Some(slot), owner_in(slot), offset_in(slot)]
            .into_iter()
            .flatten()
        {
            if let Some(term) = read(&mut vc.world, &head.values, slot) {
                slots.push((slot, term));
            }
        }
    }
    slots
}

/// The object of a pointer in a cell, if there is one.
fn owner_in(cell: Slot) -> Option<Slot> {
    match cell {
        Slot::Cell {
            memory,
            object,
            offset,
            bytes,
        } => Some(Slot::CellOwner {
            memory,
            object,
            offset,
            bytes,
        }),
        _ => None, // No cell.
    }
}

/// Where that pointer points.
fn offset_in(cell: Slot) -> Option<Slot> {
    match cell {
        Slot::Cell {
            memory,
            object,
            offset,
            bytes,
        } => Some(Slot::CellOffset {
            memory,
            object,
            offset,
            bytes,
        }),
        _ => None, // No cell.
    }
}

/// From which level on a slot is spoken of.
fn level(slot: Slot) -> Track {
    match slot {
        Slot::Value(_) => Track::Reg,
        Slot::Owner(_) | Slot::Offset(_) => Track::Ptr,
        Slot::Alive(..)
        | Slot::Modified(..)
        | Slot::Cell { .. }
        | Slot::CellOwner { .. }
        | Slot::CellOffset { .. } => Track::Mem,
    }
}

/// From which level on the variables of arbitrary states are spoken of, if not from the first.
fn levels(vc: &Vc<'_>) -> BTreeMap<Term, Track> {
    let mut levels = BTreeMap::new();
    for head in &vc.heads {
        let Entered::Arbitrary(havoc) = &head.entered else {
            continue;
        };
        for &(_, address, owner) in &havoc.pointers {
            levels.extend([(address, Track::Ptr), (owner, Track::Ptr)]);
        }
        for (_, object) in &havoc.objects {
            let life = object.alive.into_iter().chain(object.modified);
            levels.extend(life.map(|var| (var, Track::Mem)));
        }
        let entries = havoc.cells.iter().flat_map(|cell| &cell.variables);
        levels.extend(entries.map(|&var| (var, Track::Mem)));
    }
    for contents in vc.world.unknowns.values() {
        for var in contents.variables(vc.world.terms) {
            levels.insert(var, Track::Mem);
        }
    }
    levels
}

/// The parts of a conjunction.
fn conjuncts(terms: &Terms, formula: Term) -> Vec<Term> {
    let mut list = Vec::new();
    let mut stack = vec![formula];
    while let Some(term) = stack.pop() {
        match terms.op(term) {
            Op::And => stack.extend_from_slice(terms.args(term)),
            Op::True => {}
            _ => list.push(term), // A literal.
        }
    }
    list
}
