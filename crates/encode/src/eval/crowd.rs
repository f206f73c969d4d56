//! Loops that allocate: what they have made before is a crowd ([`crate::crowd`]).
//!
//! Here is which objects go into a crowd, and when it is known enough of them. After a round, what it has made and what still lives
//! joins the crowd of the next one, if it is of constant size on the heap; what is dead by then and that nobody points to is
//! forgotten. Whether that is so is found out as the rest of a head's shape is: by evaluating until nothing is added.
//!
//! Pointers into a crowd have to be *neat*: null, or the beginning of an object, wherever they are kept. Then a look at a field is at a
//! constant offset, and no address is ever looked at.

use std::collections::BTreeSet;

use ir::syntax::{Block, Func, Inst};
use rustc_hash::FxHashMap;
use terms::{Sort, Term};

use super::Val;
use super::arbitrary::{ObjectHavoc, Place, Point, Refused};
use super::evaluation::Evaluation;
use super::shape::{Region, Shape};
use crate::crowd::{Like, Places};
use crate::lives::Life;
use crate::memory::{Init, Memory, State};
use crate::path::Path;
use crate::pointer::{Object, Pointer};

/// The most members of a crowd that can be told apart, and how many there are at first.
pub(super) const MOST_MEMBERS: usize = 8;
pub(super) const FIRST_MEMBERS: usize = 2;

/// Whose contents: of an object, or of all objects that are alike.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Whose {
    Object(Object),
    All(Like),
}

/// What an evaluation with crowds keeps.
pub(super) struct Told {
    /// How many members a crowd has beside its rest.
    pub(super) members: usize,
    /// Pointers into a rest that were looked at, and whether that is assumed not to happen.
    looks: FxHashMap<Pointer, bool>,
    /// The head that has the first crowd.
    pub(super) first: Option<(Func, Block)>,
}

impl Told {
    pub(super) fn new(members: usize) -> Told {
        Told {
            members,
            looks: FxHashMap::default(),
            first: None,
        }
    }

    /// How many members there should have been.
    pub(super) fn wanted(&self) -> usize {
        self.looks.len()
    }
}

/// What begins anywhere, and how.
pub(super) struct Beginning<'s> {
    pub(super) place: Place,
    /// Which of the place's values.
    pub(super) index: usize,
    pub(super) path: Path,
    /// The crowd of this head: all of it, and what of it is in this memory.
    pub(super) crowd: &'s BTreeSet<Object>,
    pub(super) members: &'s [(Like, Object)],
}

impl Evaluation<'_, '_> {
    /// May loops allocate?
    pub(super) fn has_crowds(&self) -> bool {
        let inductive = self.inductive.as_ref();
        inductive.is_some_and(|inductive| {
            let plan = inductive.plan;
            plan.crowds && !plan.apart && plan.functions.is_empty()
        }) && self.vc.world.has_crowds()
    }

    /// The instruction of the program itself that is being evaluated, or that called the library.
    pub(super) fn site(&self) -> Option<(Func, Inst)> {
        let own = |func: Func| !self.module.funcs[func].model;
        let frame = self.frames.iter().rev().find(|frame| own(frame.func))?;
        let cursor = frame.cursor.as_ref()?;
        let insts = &frame.body.blocks[cursor.block].insts;
        Some((frame.func, *insts.get(cursor.next.checked_sub(1)?)?))
    }

    /// The crowd of a head, by memory.
    pub(super) fn new_crowd(
        &mut self,
        place: Place,
        shape: &Shape,
        path: Path,
    ) -> Vec<(usize, Vec<(Like, Object)>)> {
        let mut list = Vec::new();
        let Point::Head(head) = place.point else {
            return list;
        };
        if shape.crowd.is_empty() {
            return list;
        }
        let when = self.paths.condition(path);
        let told = &mut self.inductive.as_mut().expect("there is a plan").told;
        told.first.get_or_insert((place.func, head));
        let members = told.members;
        let memories: BTreeSet<usize> = shape.crowd.iter().map(|&(memory, _)| memory).collect();
        for memory in memories {
            let its = shape.crowd.iter().filter(|&&(index, _)| index == memory);
            let likes: Vec<Like> = its.map(|&(_, like)| like).collect();
            list.push((memory, self.vc.world.new_crowd(&likes, members, when)));
        }
        list
    }

    /// The states of a crowd's members where its head begins.
    pub(super) fn begin_members(
        &mut self,
        at: &Beginning<'_>,
        memory: &mut Memory,
        pointees: &BTreeSet<Object>,
        known: &mut Vec<Term>,
    ) -> Vec<ObjectHavoc> {
        let mut list = Vec::new();
        for &(like, object) in at.members {
            let Some(places) = self.places_of(at.place, at.index, Whose::All(like)) else {
                self.refuse_crowd(at.place);
                return list;
            };
            let exists = self.vc.world.exists(object).expect("a member");
            let mortal = self.is_mortal(at, like);
            let alive = match mortal {
                true => self.vc.world.fresh("alive", Sort::Bool),
                false => exists,
            };
            if mortal {
                known.push(self.terms().implies(alive, exists));
                self.vc.world.ended.insert(object);
            }
            if self.vc.world.is_free() {
                let path = self.paths.condition(at.path);
                let happens = self.terms().and(path, alive);
                self.vc.world.live(object, happens, Life::Made);
            }
            let modified = self.vc.world.fresh("modified", Sort::Bool);
            let word = self.vc.world.objects[object].word;
            let unknown = self.vc.world.neat_unknown(pointees.clone(), places);
            let shade = self.vc.world.unknown();
            let (world, shared) = (&mut self.vc.world, &mut memory.shared);
            let contents = world.contents(shared, Init::Unknown(unknown), word);
            let shadow = world.shadow(shared, Init::Unknown(shade), word);
            list.push(ObjectHavoc {
                object,
                alive: mortal.then_some(alive),
                modified: Some(modified),
                contents: Some(unknown),
                shadow: shadow.is_some().then_some(shade),
            });
            let state = State {
                alive,
                modified,
                contents,
                shadow,
            };
            memory.set(object, state);
        }
        list
    }

    /// May what rounds have made be dead?
    fn is_mortal(&self, at: &Beginning<'_>, like: Like) -> bool {
        let inductive = self.inductive.as_ref().expect("there is a plan");
        let shape = inductive.shapes.get(&(at.place.func, at.place.point));
        shape.is_some_and(|shape| shape.mortal.contains(&(at.index, like)))
    }

    fn whose(&self, object: Object) -> Whose {
        match self.vc.world.crowds.like(object) {
            Some(like) => Whose::All(like),
            None => Whose::Object(object),
        }
    }

    /// Where a head's contents have neat pointers, as far as is known; none if they have others.
    fn places_of(&self, place: Place, index: usize, whose: Whose) -> Option<Places> {
        let inductive = self.inductive.as_ref().expect("there is a plan");
        let shape = inductive.shapes.get(&(place.func, place.point));
        let region = shape.and_then(|shape| shape.memories.get(&index));
        match region.and_then(|region| region.places.get(&whose)) {
            None => Some(Places::new()),
            Some(places) => places.clone(),
        }
    }

    /// Where an object that may have changed has its pointers, if they are neat at the entry and stay so.
    pub(super) fn neat_where(
        &mut self,
        at: &Beginning<'_>,
        object: Object,
        state: &State,
    ) -> Option<Places> {
        if !self.has_crowds() {
            return None;
        }
        let whose = self.whose(object);
        let before = self.places_of(at.place, at.index, whose);
        let size = self.vc.world.objects[object].fixed;
        let world = &mut self.vc.world;
        let now = before
            .as_ref()
            .and_then(|before| world.neat_places(&state.contents, size, before));
        if now != before {
            self.change_shape(at.place, |shape| {
                let region = shape.memories.entry(at.index).or_default();
                region.places.insert(whose, now.clone());
            });
        }
        if now.is_none() && self.vc.world.crowds.is_member(object) {
            self.refuse_crowd(at.place);
        }
        now
    }

    /// Is a pointer of a head neat at the entry, and does it stay so?
    pub(super) fn stays_neat(&mut self, place: Place, index: usize, pointer: Pointer) -> bool {
        if !self.has_crowds() {
            return false;
        }
        let inductive = self.inductive.as_ref().expect("there is a plan");
        let shape = inductive.shapes.get(&(place.func, place.point));
        if shape.is_some_and(|shape| shape.untidy.contains(&index)) {
            return false;
        }
        if self.vc.world.is_neat(pointer) {
            return true;
        }
        self.change_shape(place, |shape| {
            shape.untidy.insert(index);
        });
        false
    }

    fn change_shape(&mut self, place: Place, change: impl FnOnce(&mut Shape)) {
        let inductive = self.inductive.as_mut().expect("there is a plan");
        change(
            inductive
                .shapes
                .entry((place.func, place.point))
                .or_default(),
        );
        inductive.grown = true;
    }

    fn refuse_crowd(&mut self, place: Place) {
        if let Point::Head(head) = place.point {
            self.refuse(Refused::Allocates(place.func, head));
        }
    }

    /// What a round has made, and what it has done to crowds. False if that cannot be said of the next round.
    pub(super) fn compare_crowds(
        &mut self,
        shape: &mut Shape,
        (before, now): (&[Val], &[Val]),
        (there, path): (usize, Path),
    ) -> bool {
        let meant = self.meant_after(before, now);
        let mut joined: BTreeSet<Object> = BTreeSet::new();
        for (index, pair) in before.iter().zip(now).enumerate() {
            let (Val::Memory(a), Val::Memory(b)) = pair else {
                continue;
            };
            for object in a.differing(b).into_iter().filter(|x| x.index() >= there) {
                let Some(alive) = b.state(object).map(|state| state.alive) else {
                    continue;
                };
                let lives = self.paths.knows(self.vc.world.terms, path, alive);
                if lives == Some(false) && !meant.contains(&object) {
                    continue;
                }
                let Some((like, made)) = self.vc.world.crowds.made(object) else {
                    return false;
                };
                let always = self.terms().implies(made, alive);
                if self.paths.knows(self.vc.world.terms, path, always) != Some(true) {
                    shape.mortal.insert((index, like));
                }
                shape.crowd.insert((index, like));
                joined.insert(object);
            }
        }
        // What is new is in the crowd, or nobody knows of it.
        let known = |objects: &[Object]| {
            let mut new = objects.iter().filter(|object| object.index() >= there);
            new.all(|object| joined.contains(object))
        };
        let mut exposed = self.vc.world.exposed.iter();
        if exposed.any(|object| object.index() >= there) {
            return false;
        }
        for (index, pair) in before.iter().zip(now).enumerate() {
            match pair {
                (Val::Pointer(a), Val::Pointer(b)) if a != b => {
                    let objects = self.vc.world.objects_of(*b).into_iter();
                    let objects: Vec<Object> = objects.map(|x| x.object).collect();
                    if !known(&objects) {
                        return false;
                    }
                    if !self.vc.world.is_neat(*b) {
                        shape.untidy.insert(index);
                    }
                }
                (Val::Memory(a), Val::Memory(b)) => {
                    let mut region = shape.memories.remove(&index).unwrap_or_default();
                    self.change_alike(&mut region, a);
                    for (object, _) in region.changed.iter().filter(|(_, changed)| changed.alive) {
                        let like = self.vc.world.crowds.like(*object);
                        shape.mortal.extend(like.map(|like| (index, like)));
                    }
                    let new = joined.iter().copied().filter(|&x| b.state(x).is_some());
                    let all: Vec<Object> = region.changed.keys().copied().chain(new).collect();
                    let found = self.compare_pointers_in(&mut region, b, &all);
                    let Some(found) = found.filter(|found| known(found)) else {
                        return false;
                    };
                    let older = found.into_iter().filter(|object| object.index() < there);
                    region.pointees.extend(older);
                    shape.memories.insert(index, region);
                }
                (Val::Term(_) | Val::Pointer(_) | Val::Memory(_), _) => {}
            }
        }
        true
    }

    /// The objects that something which a round has changed points to.
    fn meant_after(&mut self, before: &[Val], now: &[Val]) -> BTreeSet<Object> {
        let mut meant = Vec::new();
        for pair in before.iter().zip(now) {
            match pair {
                (Val::Pointer(a), Val::Pointer(b)) if a != b => {
                    let objects = self.vc.world.objects_of(*b).into_iter();
                    meant.extend(objects.map(|x| x.object));
                }
                (Val::Memory(a), Val::Memory(b)) => {
                    for object in a.differing(b) {
                        if let Some(state) = b.state(object) {
                            let world = &mut self.vc.world;
                            world.pointees(&b.shared, &state.contents, true, &mut meant);
                        }
                    }
                }
                (Val::Term(_) | Val::Pointer(_) | Val::Memory(_), _) => {}
            }
        }
        meant.into_iter().collect()
    }

    /// What changes of one member of a crowd may change of all: which one it is was chosen for what is looked at now.
    fn change_alike(&mut self, region: &mut Region, before: &Memory) {
        for like in self.vc.world.crowds_in(before) {
            let crowds = &self.vc.world.crowds;
            let alike = region.changed.iter();
            let alike = alike.filter(|(object, _)| crowds.like(**object) == Some(like));
            let Some(all) = alike.map(|(_, &changed)| changed).reduce(|a, b| a.or(b)) else {
                continue;
            };
            for (object, _) in self.vc.world.all_like(before, like) {
                if self.vc.world.crowds.is_member(object) {
                    region.changed.insert(object, all);
                }
            }
        }
    }

    /// Where pointers are after a round, and where they lead. None if a crowd has others than neat ones.
    fn compare_pointers_in(
        &mut self,
        region: &mut Region,
        now: &Memory,
        objects: &[Object],
    ) -> Option<Vec<Object>> {
        let mut found = Vec::new();
        for &object in objects {
            let Some(state) = now.state(object).cloned() else {
                continue;
            };
            let world = &mut self.vc.world;
            world.pointees(&now.shared, &state.contents, true, &mut found);
            let whose = self.whose(object);
            let before = match region.places.get(&whose) {
                None => Some(Places::new()),
                Some(places) => places.clone(),
            };
            let size = self.vc.world.objects[object].fixed;
            let world = &mut self.vc.world;
            let places =
                before.and_then(|before| world.neat_places(&state.contents, size, &before));
            let neat = places.is_some();
            region.places.insert(whose, places);
            if !neat && matches!(whose, Whose::All(_)) {
                return None;
            }
        }
        Some(found)
    }

    /// Pointers into the rest of a crowd were looked at: that one of its members is meant instead is assumed as often as there are members.
    pub(super) fn note_looks(&mut self) {
        while let Some((pointer, guard)) = self.vc.world.crowds.next_look() {
            let Some(inductive) = self.inductive.as_mut().filter(|_| !self.frames.is_empty())
            else {
                continue;
            };
            let told = &mut inductive.told;
            let few = told.looks.len() < told.members;
            let assumed = *told.looks.entry(pointer).or_insert(few);
            if !self.is_running() {
                continue;
            }
            match assumed {
                true => {
                    let holds = self.terms().not(guard);
                    self.assume(holds);
                }
                false => self.gap(guard, "more objects of a loop than are told apart"),
            }
        }
    }

    /// Has an address of an object become a number of which there may be any number?
    pub(super) fn crowd_is_exposed(&self) -> Option<Refused> {
        let (func, head) = self.inductive.as_ref()?.told.first?;
        let world = &self.vc.world;
        let mut exposed = world.exposed.iter();
        let alike = exposed.any(|&object| world.crowds.like(object).is_some());
        alike.then_some(Refused::Allocates(func, head))
    }
}
