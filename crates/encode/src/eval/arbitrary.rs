//! Loops from an arbitrary state: what a proof by induction asks.
//!
//! A loop of a [`Plan`] is not unrolled. Its head is entered once in a state that stands for every state in which
//! it is entered at all; from there some rounds are evaluated in which whatever is checked is taken to hold
//! and from which nothing leaves the loop, and then a last one, which is judged and may leave it. An execution
//! that enters the head n times is covered by its last rounds if they are enough, else by the rounds from the
//! real beginning, which are evaluated as well if the plan says so. A failing check ends an execution, so that
//! a check can be taken to hold where an earlier round is concerned. A bound that is passed, and what cannot be
//! represented, is recorded in every round: bounds are not the same number in all of them.
//!
//! ```text
//!   entry ─▶ round 0 … round k-1   (base, with exits)
//!     └────▶ any state ▶ k rounds that pass (no exits) ▶ one that is judged (with exits)
//! ```
//!
//! What a loop changes is exactly its head's parameters, and of a memory only the objects whose state differs
//! when the head is entered again. Which objects these are, which objects pointers may belong to, and which
//! addresses are known as numbers by then is found by evaluating until nothing is added: the *shape* of the
//! head's states. The shape holds at the entry, and a round that begins in a state of that shape ends in one.
//!
//! The objects are those that exist when the loop is entered: a loop that allocates is refused, unless what it has made may be a
//! crowd ([`crate::crowd`]). A pointer is a
//! guarded list over objects, and an address that belongs to none.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ir::syntax::{Block, Func, Module};
use terms::{Sort, Term, Terms};

use super::crowd::{Beginning, FIRST_MEMBERS, MOST_MEMBERS, Told};
use super::evaluation::Evaluation;
use super::frame::Arrival;
use super::maps::{Known, MapCell, Maps};
use super::shape::{Region, Shapes};
use super::summary::Summaries;
use super::{Config, NoOracle, Oracle, Stopped, Val, Vc};
use crate::lives::Life;
use crate::memory::{Init, Memory, Unknown};
use crate::order::{Key, Order};
use crate::path::{Path, Role};
use crate::pointer::{OWNER, Object, Pointer};
use crate::world::{Kind, World};

/// The most evaluations until shapes no longer change.
const ATTEMPTS: usize = 24;
/// The same where cells of finite maps are found one behind the other.
const ATTEMPTS_WITH_MAPS: usize = 64;

/// The loops that begin in an arbitrary state, by their heads. All others are unrolled, and a bound that is
/// reached is a cut as ever.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// By function and head.
    pub loops: BTreeMap<(Func, Block), Induction>,
    /// Functions that are not evaluated where they are called: see `summary.rs`.
    pub functions: BTreeSet<Func>,
    /// Those of them whose memory is finite maps.
    pub maps: Maps,
    /// Are the fragments between heads to be told apart? Then a variable says of each head whether execution goes on from
    /// its arbitrary state ([`Havoc::at`]).
    pub apart: bool,
    /// Is execution cut at every block? What a block's parameters are is arbitrary from there on, and nothing else. Only for
    /// fragments that are told apart.
    pub blocks: bool,
    /// May loops allocate? What they have made before is a crowd then ([`crate::crowd`]). Not if fragments are told apart,
    /// nor with functions that are not evaluated where they are called.
    pub crowds: bool,
}

/// How many rounds of a loop are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Induction {
    /// The rounds before the last one, whose checks are taken to hold. With none, the state at the head alone
    /// must do.
    pub rounds: u32,
    /// Are as many rounds from the loop's real beginning evaluated as well? Without them, executions with
    /// fewer rounds are not covered.
    pub base: bool,
}

impl Induction {
    /// The iteration that begins in an arbitrary state.
    fn first(self) -> u32 {
        if self.base { self.rounds } else { 0 }
    }

    /// The iteration that is judged.
    fn last(self) -> u32 {
        self.first() + self.rounds
    }

    /// Is this a round whose checks are taken to hold?
    fn passes(self, iteration: u32) -> bool {
        self.first() <= iteration && iteration < self.last()
    }
}

/// What is known of a head's states.
pub trait Invariants {
    /// What may be assumed of the values of the head's parameters, and of those that edges carry to it. Whoever claims
    /// it shows it: of the values in [`Vc::heads`] with which the head is entered, and entered again.
    fn at(&self, world: &mut World<'_>, place: Place, values: &[Val]) -> Vec<Term>;
}

/// Where executions are cut.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Point {
    /// The head of a loop.
    Head(Block),
    /// A block that is none, if all are cut.
    Block(Block),
    /// The beginning of a function. The values are those of its parameters.
    Entry,
    /// The end of a function. The values are those that its parameters had, and then those that it returns.
    Exit,
}

/// Where a loop begins, or a function begins or ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Of which function.
    pub func: Func,
    /// Where in it.
    pub point: Point,
    /// How many loops of the plan were entered before in this evaluation: calls are evaluated in place, so that
    /// a head may be entered from outside several times. A function has one beginning and one end for all its calls.
    pub number: usize,
}

/// Nothing is known.
pub struct NoInvariants;

impl Invariants for NoInvariants {
    fn at(&self, _: &mut World<'_>, _: Place, _: &[Val]) -> Vec<Term> {
        Vec::new()
    }
}

/// A head of the plan is entered, or a function of the plan entered or left.
#[derive(Clone)]
pub struct Head {
    /// Which.
    pub place: Place,
    /// When.
    pub reached: Term,
    /// How many assumptions came before.
    pub assumptions: usize,
    /// The values of its parameters, and then of what edges carry to it.
    pub values: Vec<Val>,
    /// How.
    pub entered: Entered,
}

/// How a head is entered.
#[derive(Clone, Debug)]
pub enum Entered {
    /// From outside of its loop; a function by a call.
    First,
    /// In an arbitrary state. So does a function of the plan begin once, and so does each of its calls end.
    Arbitrary(Havoc),
    /// After a round that began in an arbitrary state; for a function's end, after its body.
    Again,
}

/// What an arbitrary state is made of.
#[derive(Clone, Debug, Default)]
pub struct Havoc {
    /// If fragments are told apart: holds if execution goes on from here.
    pub at: Option<Term>,
    /// How many terms there were before, and how many unknown contents.
    pub older: (usize, usize),
    /// If the rounds from the real beginning are evaluated as well: holds if these are not meant.
    pub chosen: Option<Term>,
    /// Scalars, by the place among the values: the variable.
    pub scalars: Vec<(usize, Term)>,
    /// Pointers: address and owner, the number of an object or any other number.
    pub pointers: Vec<(usize, Term, Term)>,
    /// Objects in memories.
    pub objects: Vec<(usize, ObjectHavoc)>,
    /// Entries of finite maps.
    pub cells: Vec<MapCell>,
}

/// An object in an arbitrary state: variables for what may have changed.
#[derive(Clone, Debug)]
pub struct ObjectHavoc {
    /// Which.
    pub object: Object,
    /// Its life.
    pub alive: Option<Term>,
    /// Was it written?
    pub modified: Option<Term>,
    /// Its bytes.
    pub contents: Option<Unknown>,
    /// Which of them are not initialised.
    pub shadow: Option<Unknown>,
}

/// Why there is no evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// The loop can be entered in its middle.
    Irreducible(Func, Block),
    /// The loop makes objects.
    Allocates(Func, Block),
    /// What its states look like was not found out.
    Unsettled,
    /// The function's calls cannot be summarised, and why.
    Call(Func, &'static str),
    /// Executions go on after a failing check, so that nothing can be taken to hold.
    Continues,
    /// A scratch evaluation came to an end too early.
    Stopped(Stopped),
}

/// What an evaluation with a plan keeps.
pub(super) struct Inductive<'i> {
    pub(super) plan: &'i Plan,
    pub(super) invariants: &'i dyn Invariants,
    pub(super) shapes: Shapes,
    pub(super) grown: bool,
    pub(super) refused: Option<Refused>,
    /// What is told apart in crowds.
    pub(super) told: Told,
    /// How many loops were entered.
    entered: usize,
    /// How many other blocks were cut.
    cuts: usize,
    /// The functions that were called without being evaluated there.
    pub(super) summaries: Summaries,
    /// What is known of finite maps.
    pub(super) maps: Known,
}

impl<'i> Inductive<'i> {
    fn new(
        plan: &'i Plan,
        invariants: &'i dyn Invariants,
        (shapes, maps, members): (Shapes, Known, usize),
    ) -> Inductive<'i> {
        Inductive {
            told: Told::new(members),
            plan,
            invariants,
            shapes,
            grown: false,
            refused: None,
            entered: 0,
            cuts: 0,
            summaries: Summaries::default(),
            maps,
        }
    }
}

/// What an evaluation found out about the shapes of heads.
struct Found {
    shapes: Shapes,
    maps: Known,
    grown: bool,
    refused: Option<Refused>,
    /// How many members crowds should have.
    members: usize,
}

/// Where a loop is that began in an arbitrary state.
pub(super) struct Began {
    place: Place,
    values: Vec<Val>,
    /// How many objects there were.
    objects: usize,
}

/// Evaluates a Pure module from its entry; the loops of the plan begin in an arbitrary state.
pub fn evaluate<'a>(
    module: &'a Module,
    terms: &'a mut Terms,
    config: &'a Config,
    plan: &'a Plan,
    invariants: &'a dyn Invariants,
    oracle: &mut dyn Oracle,
) -> Result<Vc<'a>, Refused> {
    if config.continue_after_failure {
        return Err(Refused::Continues);
    }
    for &(func, block) in plan.loops.keys() {
        let order = Order::new(module.body(func));
        if !order.is_head(block) || !order.is_entered_by_head(block) {
            return Err(Refused::Irreducible(func, block));
        }
    }
    let mut known = (Shapes::default(), Known::default(), FIRST_MEMBERS);
    let attempts = match plan.maps.functions.is_empty() {
        true => ATTEMPTS,
        false => ATTEMPTS_WITH_MAPS,
    };
    for _ in 0..attempts {
        if oracle.interrupted() {
            return Err(Refused::Stopped(Stopped::Interrupted));
        }
        let mut scratch = Terms::new();
        let mut nobody = NoOracle;
        let mut evaluation = Evaluation::new(module, &mut scratch, config, &mut nobody);
        let members = known.2;
        evaluation.inductive = Some(Inductive::new(plan, invariants, known));
        let (vc, found) = evaluation.run_inductive();
        if let Some(refused) = found.refused {
            return Err(refused);
        }
        if let Some(why) = vc.stopped {
            return Err(Refused::Stopped(why));
        }
        // With other names, objects have other numbers.
        let shapes = match found.maps.has_new_cells() {
            true => Shapes::default(),
            false => found.shapes,
        };
        let more = found.members.min(MOST_MEMBERS);
        let grown = found.grown || more > members;
        known = (shapes, found.maps.kept(), members.max(more));
        if !grown {
            break;
        }
    }
    let mut evaluation = Evaluation::new(module, terms, config, oracle);
    evaluation.inductive = Some(Inductive::new(plan, invariants, known));
    let (vc, found) = evaluation.run_inductive();
    match found.refused {
        Some(refused) => Err(refused),
        None if found.grown => Err(Refused::Unsettled),
        None => Ok(vc),
    }
}

impl<'a, 'o> Evaluation<'a, 'o> {
    fn run_inductive(mut self) -> (Vc<'a>, Found) {
        self.open_maps();
        self.run_to_the_end();
        self.run_bodies();
        if let Some(why) = self.crowd_is_exposed() {
            self.refuse(why);
        }
        let inductive = self.inductive.take().expect("there is a plan");
        let found = Found {
            shapes: inductive.shapes,
            grown: inductive.grown || inductive.maps.has_grown(),
            maps: inductive.maps,
            refused: inductive.refused,
            members: inductive.told.wanted(),
        };
        (self.vc, found)
    }

    /// How the loop of a head is treated, if it is one of the plan.
    pub(super) fn induction(&self, func: Func, head: Block) -> Option<Induction> {
        let inductive = self.inductive.as_ref()?;
        inductive.plan.loops.get(&(func, head)).copied()
    }

    /// Is what happens now judged, or are we in a round whose checks are taken to hold?
    pub(super) fn is_judged(&self) -> bool {
        if self.inductive.is_none() {
            return true;
        }
        self.frames.iter().all(|frame| {
            let mut around = frame.order.rounds_of(&frame.position);
            around.all(|(head, iteration)| {
                let induction = self.induction(frame.func, head);
                !induction.is_some_and(|induction| induction.passes(iteration))
            })
        })
    }

    /// Is an edge left out: one that leaves a loop in a round that passes, or that leads from the rounds of the
    /// real beginning to an arbitrary state?
    pub(super) fn is_left_out(&self, func: Func, order: &Order, from: &Key, to: &Key) -> bool {
        if self.inductive.is_none() {
            return false;
        }
        let stays: Vec<(Block, u32)> = order.rounds_of(to).collect();
        order
            .rounds_of(from)
            .enumerate()
            .any(|(level, (head, iteration))| {
                let Some(induction) = self.induction(func, head) else {
                    return false;
                };
                match stays.get(level) {
                    Some(&(same, next)) if same == head => {
                        next != iteration && next == induction.first()
                    }
                    Some(_) | None => induction.passes(iteration),
                }
            })
    }

    /// The head of a loop of the plan is entered. The state in which it goes on, if it does.
    pub(super) fn enter_head(
        &mut self,
        key: &Key,
        head: Block,
        path: Path,
        values: Vec<Val>,
        induction: Induction,
    ) -> Option<(Path, Vec<Val>)> {
        let iteration = Order::iteration(key);
        let first = induction.first();
        if iteration == 0 {
            let place = self.next_place(head);
            self.note_head(place, path, &values, Entered::First);
            let began = Began {
                place,
                values: Vec::new(),
                objects: 0,
            };
            self.frame().began.insert(head, (began, None));
            if first > 0 {
                let arbitrary = self.vc.world.fresh("arbitrary", Sort::Bool);
                let real = self.terms().not(arbitrary);
                let mut take = |literal: Term| {
                    let terms = &mut *self.vc.world.terms;
                    self.paths.extend(terms, path, literal, Role::Decision)
                };
                let (on_real, on_arbitrary) = (take(real), take(arbitrary));
                let mut later = key.clone();
                let place = later.len() - 2;
                later[place] = first;
                self.frame().wait(later, on_arbitrary, values.clone());
                if let Some((_, chosen)) = self.frame().began.get_mut(&head) {
                    *chosen = Some(arbitrary);
                }
                return Some((on_real, values));
            }
        }
        if iteration < first {
            return Some((path, values));
        }
        if iteration == first {
            let entered = self.frame().began.remove(&head);
            let (Began { place, .. }, chosen) = entered.expect("it was entered from outside");
            let params = 0..self.frame().body.blocks[head].params.len();
            let (path, values) = self.begin_anywhere(place, path, values, params, chosen);
            let objects = self.vc.world.objects.len();
            let began = Began {
                place,
                values: values.clone(),
                objects,
            };
            self.frame().began.insert(head, (began, None));
            return Some((path, values));
        }
        if iteration == first + 1 {
            let began = self.frame().began.remove(&head);
            let (began, _) = began.expect("an arbitrary state came before");
            self.note_head(began.place, path, &values, Entered::Again);
            let made = self.vc.world.objects.len() > began.objects;
            let params = 0..self.frame().body.blocks[head].params.len();
            if self.has_crowds() {
                let round = Some((began.objects, path));
                self.compare_round(began.place, (&began.values, &values), params, round);
            } else if made {
                self.refuse(Refused::Allocates(began.place.func, head));
            } else {
                self.compare_shape(began.place, &began.values, &values, params);
            }
        }
        (iteration <= induction.last()).then_some((path, values))
    }

    /// A block is entered that is no head of the plan: its parameters are arbitrary from here on, if every block is cut.
    pub(super) fn cut_block(&mut self, block: Block, arrival: Arrival) -> Arrival {
        let func = self.frame().func;
        let Some(inductive) = self.inductive.as_mut() else {
            return arrival;
        };
        if !inductive.plan.apart || !inductive.plan.blocks {
            return arrival;
        }
        let place = Place {
            func,
            point: Point::Block(block),
            number: inductive.cuts,
        };
        inductive.cuts += 1;
        let Arrival { path, values } = arrival;
        self.note_head(place, path, &values, Entered::First);
        let params = 0..self.frame().body.blocks[block].params.len();
        let (path, values) = self.begin_anywhere(place, path, values, params, None);
        Arrival { path, values }
    }

    /// A loop is entered from outside.
    fn next_place(&mut self, head: Block) -> Place {
        let func = self.frame().func;
        let inductive = self.inductive.as_mut().expect("there is a plan");
        let number = inductive.entered;
        inductive.entered += 1;
        let point = Point::Head(head);
        Place {
            func,
            point,
            number,
        }
    }

    pub(super) fn note_head(&mut self, place: Place, path: Path, values: &[Val], entered: Entered) {
        let reached = self.paths.condition(path);
        let assumptions = self.vc.assumptions.len();
        self.vc.heads.push(Head {
            place,
            reached,
            assumptions,
            values: values.to_vec(),
            entered,
        });
    }

    /// There will be no evaluation.
    pub(super) fn refuse(&mut self, why: Refused) {
        let inductive = self.inductive.as_mut().expect("there is a plan");
        inductive.refused.get_or_insert(why);
    }

    /// An arbitrary state of the shape that the states of a place have. The values in the range differ in any case.
    pub(super) fn begin_anywhere(
        &mut self,
        place: Place,
        path: Path,
        entry: Vec<Val>,
        params: Range<usize>,
        chosen: Option<Term>,
    ) -> (Path, Vec<Val>) {
        let older = (self.terms().len(), self.vc.world.unknowns.len());
        let inductive = self.inductive.as_ref().expect("there is a plan");
        let shape = inductive.shapes.get(&(place.func, place.point));
        let shape = shape.cloned().unwrap_or_default();
        let there = self.vc.world.objects.len();
        let exist = |objects: &BTreeSet<Object>| -> BTreeSet<Object> {
            let exist = objects.iter().copied();
            exist.filter(|object| object.index() < there).collect()
        };
        self.vc.world.exposed.extend(exist(&shape.exposed));
        self.vc.world.ended.extend(exist(&shape.ended));
        let crowds = self.new_crowd(place, &shape, path);
        let members = crowds.iter().flat_map(|(_, members)| members);
        let crowd: BTreeSet<Object> = members.map(|&(_, object)| object).collect();
        let mut havoc = Havoc {
            at: None,
            older,
            chosen,
            ..Havoc::default()
        };
        let mut known = Vec::new();
        let mut values = Vec::with_capacity(entry.len());
        for (index, value) in entry.into_iter().enumerate() {
            let changes = params.contains(&index) || shape.carried.contains(&index);
            values.push(match value {
                Val::Term(term) if changes => {
                    let sort = self.terms().sort(term);
                    let fresh = self.vc.world.fresh("any", sort);
                    havoc.scalars.push((index, fresh));
                    Val::Term(fresh)
                }
                Val::Pointer(pointer) if changes => {
                    let mut objects = shape.pointers.get(&index).map(exist).unwrap_or_default();
                    objects.extend(self.pointed_to(pointer));
                    objects.extend(&crowd);
                    self.vc.world.crowds.complete(&mut objects);
                    let (address, owner) = self.any_address();
                    havoc.pointers.push((index, address, owner));
                    if self.stays_neat(place, index, pointer) {
                        Val::Pointer(self.vc.world.neat_pointer(&objects, owner))
                    } else {
                        let objects: Vec<Object> = objects.into_iter().collect();
                        let world = &mut self.vc.world;
                        Val::Pointer(world.pointer_of_any(&objects, address, owner))
                    }
                }
                Val::Memory(memory) => {
                    let region = shape.memories.get(&index).cloned().unwrap_or_default();
                    let pointees = exist(&region.pointees);
                    let its = crowds.iter().find(|(memory, _)| *memory == index);
                    let at = Beginning {
                        place,
                        index,
                        path,
                        crowd: &crowd,
                        members: its.map_or(&[], |(_, members)| members),
                    };
                    let (memory, objects) =
                        self.any_memory(memory, &region, pointees, &at, &mut known);
                    let objects = objects.into_iter().map(|object| (index, object));
                    havoc.objects.extend(objects);
                    Val::Memory(memory)
                }
                same @ (Val::Term(_) | Val::Pointer(_)) => same,
            });
        }
        self.begin_known(place, path, values, havoc, known)
    }

    fn any_address(&mut self) -> (Term, Term) {
        let bits = self.vc.world.pointer_bits;
        let address = self.vc.world.fresh("address", Sort::BitVec(bits));
        let owner = self.vc.world.fresh("owner", Sort::BitVec(OWNER));
        (address, owner)
    }

    fn pointed_to(&mut self, pointer: Pointer) -> Vec<Object> {
        let alternatives = self.vc.world.objects_of(pointer);
        alternatives.iter().map(|x| x.object).collect()
    }

    /// A memory whose changed objects hold anything.
    fn any_memory(
        &mut self,
        mut memory: Memory,
        region: &Region,
        mut pointees: BTreeSet<Object>,
        at: &Beginning<'_>,
        known: &mut Vec<Term>,
    ) -> (Memory, Vec<ObjectHavoc>) {
        let mut list = Vec::new();
        let mut found = Vec::new();
        for (&object, changed) in &region.changed {
            if let (true, Some(state)) = (changed.contents, memory.state(object)) {
                let (world, shared) = (&mut self.vc.world, &memory.shared);
                world.pointees(shared, &state.contents, true, &mut found);
            }
        }
        pointees.extend(found);
        pointees.extend(at.crowd);
        self.vc.world.crowds.complete(&mut pointees);
        for (&object, &changed) in &region.changed {
            let Some(mut state) = memory.take(object) else {
                continue;
            };
            let word = self.vc.world.objects[object].word;
            let mut havoc = ObjectHavoc {
                object,
                alive: None,
                modified: None,
                contents: None,
                shadow: None,
            };
            if changed.alive {
                let alive = self.vc.world.fresh("alive", Sort::Bool);
                if self.vc.world.objects[object].kind == Kind::Heap {
                    // What is freed stays dead.
                    known.push(self.vc.world.terms.implies(alive, state.alive));
                }
                self.change_life_anyhow(object, at.path, alive);
                state.alive = alive;
                havoc.alive = Some(alive);
            }
            if changed.modified {
                let modified = self.vc.world.fresh("modified", Sort::Bool);
                state.modified = modified;
                havoc.modified = Some(modified);
            }
            if changed.contents {
                let pointees = pointees.clone();
                let unknown = match self.neat_where(at, object, &state) {
                    Some(places) => self.vc.world.neat_unknown(pointees, places),
                    None => self.vc.world.unknown_with(pointees),
                };
                let (world, shared) = (&mut self.vc.world, &mut memory.shared);
                state.contents = world.contents(shared, Init::Unknown(unknown), word);
                havoc.contents = Some(unknown);
            }
            if changed.shadow {
                let unknown = self.vc.world.unknown();
                let (world, shared) = (&mut self.vc.world, &mut memory.shared);
                state.shadow = world.shadow(shared, Init::Unknown(unknown), word);
                havoc.shadow = Some(unknown);
            }
            memory.set(object, state);
            list.push(havoc);
        }
        list.extend(self.begin_members(at, &mut memory, &pointees, known));
        (memory, list)
    }

    /// The life of an object may have ended and begun again.
    fn change_life_anyhow(&mut self, object: Object, path: Path, alive: Term) {
        self.vc.world.ended.insert(object);
        if self.vc.world.is_free() {
            let path = self.paths.condition(path);
            self.vc.world.live(object, path, Life::Ended);
            let happens = self.terms().and(path, alive);
            self.vc.world.live(object, happens, Life::Entered);
        }
    }
}
