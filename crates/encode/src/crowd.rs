//! Objects without number: those that the rounds before have made.
//!
//! A loop that allocates goes round any number of times, and begins in an arbitrary state with any number of objects. But what is
//! judged, one round and what comes after it, looks into finitely many of them. So a *crowd* has members that stand for the objects
//! that are looked into, one each, and one, the *rest*, that stands for any other:
//!
//! ```text
//!   made before   o o o o o o o o o o o o
//!   looked into         ^     ^                 at most as many as there are members
//!   crowd             m0    m1      rest        the rest is any of the others
//! ```
//!
//! Which object is which member is a choice that the question makes, as it chooses every other value of the arbitrary state: whoever
//! has an execution of the program chooses the objects that it looks into. So a look at the rest may be *assumed* not to
//! happen, as often as there are members, and no more often. A look beyond that is a gap. What is claimed of all
//! objects of a crowd is claimed of the rest too: that no other of them makes it false.
//!
//! - **Never an object that must be there.** Of the objects made so far there may be none. Each member has a variable that says
//!   whether it exists; a pointer leads to one that does, and claims are about those that do. Otherwise a claim that no object satisfies would
//!   hold at the entry, where there is none, and then of everything.
//! - **Never one without the others.** Who may point to a member may point to each, and to the rest: which of them it is was chosen for the looks.
//!   For the same reason, what may change of one member may change of all.
//! - Two pointers to the rest may be to different objects. Comparing one is a look, if it is not with null.

use std::collections::{BTreeMap, BTreeSet};

use ir::syntax::{Func, Inst};
use terms::Term;

use crate::encoding::{Encoding, Word};
use crate::memory::{Contents, Memory, Unknown};
use crate::pointer::{Alternative, NOWHERE, Object, Pointer};
use crate::world::{Kind, World};

/// What objects of the heap have in common of which nobody knows how many there are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Like {
    /// Their size.
    pub size: u64,
    align: u64,
    word: u32,
    /// The instruction of the program that made them, if it was one.
    site: Option<(Func, Inst)>,
}

/// Where pointers begin in contents, each of which is null or leads to the beginning of an object.
pub(crate) type Places = BTreeSet<u64>;

/// The crowds of an evaluation.
#[derive(Default)]
pub(crate) struct Crowds {
    /// Objects of the heap whose size is constant, and when they were made.
    alike: BTreeMap<Object, (Like, Term)>,
    /// The members of each crowd, the rest last.
    crowds: Vec<Vec<Object>>,
    /// Which crowd each belongs to.
    crowd: BTreeMap<Object, usize>,
    /// Those that stand for all others.
    rests: BTreeSet<Object>,
    /// Pointers into a rest that were looked at, and when they are.
    looked: Vec<(Pointer, Term)>,
}

impl Crowds {
    /// Is there any crowd?
    pub(crate) fn any(&self) -> bool {
        !self.crowds.is_empty()
    }

    /// Does the object stand for others?
    pub(crate) fn is_member(&self, object: Object) -> bool {
        self.crowd.contains_key(&object)
    }

    /// What an object is like and when it was made, if there may be any number of its like.
    pub(crate) fn made(&self, object: Object) -> Option<(Like, Term)> {
        self.alike.get(&object).copied()
    }

    /// What an object is like, if there may be any number of its like.
    pub(crate) fn like(&self, object: Object) -> Option<Like> {
        self.alike.get(&object).map(|&(like, _)| like)
    }

    /// With one member, all of its crowd.
    pub(crate) fn complete(&self, objects: &mut BTreeSet<Object>) {
        let met: BTreeSet<usize> = objects
            .iter()
            .filter_map(|object| self.crowd.get(object).copied())
            .collect();
        objects.extend(met.into_iter().flat_map(|crowd| &self.crowds[crowd]));
    }

    /// The next pointer into a rest that was looked at.
    pub(crate) fn next_look(&mut self) -> Option<(Pointer, Term)> {
        self.looked.pop()
    }
}

impl World<'_> {
    /// Can memory and pointers of this encoding have crowds?
    pub(crate) fn has_crowds(&self) -> bool {
        let Encoding {
            memory,
            word,
            pointers,
            ..
        } = self.encoding;
        memory.knows_neat() && word == Word::Auto && !pointers.needs_addresses()
    }

    /// An object of the heap was made under a condition.
    pub(crate) fn note_made(
        &mut self,
        object: Object,
        (align, site): (u64, Option<(Func, Inst)>),
        when: Term,
    ) {
        let info = &self.objects[object];
        if let (Kind::Heap, Some(size)) = (info.kind, info.fixed) {
            let word = info.word;
            let like = Like {
                size,
                align,
                word,
                site,
            };
            self.crowds.alike.insert(object, (like, when));
        }
    }

    /// A crowd, of so many members and a rest for each kind of object, all of which were made under a condition, if at all.
    pub(crate) fn new_crowd(
        &mut self,
        likes: &[Like],
        members: usize,
        when: Term,
    ) -> Vec<(Like, Object)> {
        let number = self.crowds.crowds.len();
        let mut made = Vec::new();
        for &like in likes {
            for member in 0..=members {
                let size = self.word(like.size);
                let object = self.allocate(Kind::Heap, size, like.align, like.word);
                let exists = self.fresh("exists", terms::Sort::Bool);
                let exists = self.terms.and(exists, when);
                self.crowds.alike.insert(object, (like, exists));
                self.crowds.crowd.insert(object, number);
                if member == members {
                    self.crowds.rests.insert(object);
                }
                made.push((like, object));
            }
        }
        let all = made.iter().map(|&(_, object)| object);
        self.crowds.crowds.push(all.collect());
        made
    }

    /// When an object exists, if there may be none.
    pub(crate) fn exists(&self, object: Object) -> Option<Term> {
        let known = self.crowds.is_member(object);
        known.then(|| self.crowds.alike[&object].1)
    }

    /// The objects of a kind in a memory, and when each exists.
    pub fn all_like(&self, memory: &Memory, like: Like) -> Vec<(Object, Term)> {
        let alike = self.crowds.alike.iter();
        let alike =
            alike.filter(|(object, (its, _))| *its == like && memory.state(**object).is_some());
        alike.map(|(&object, &(_, when))| (object, when)).collect()
    }

    /// What the members of crowds are like, of which a memory has one.
    pub(crate) fn crowds_in(&self, memory: &Memory) -> BTreeSet<Like> {
        let members = self.crowds.crowd.keys();
        let there = members.filter(|&&object| memory.state(object).is_some());
        there
            .filter_map(|&object| self.crowds.like(object))
            .collect()
    }

    /// What a member of a crowd is like; nothing of another object.
    pub fn member_like(&self, object: Object) -> Option<Like> {
        self.crowds
            .is_member(object)
            .then(|| self.crowds.alike[&object].0)
    }

    /// A pointer is looked at: into which object it leads matters.
    pub(crate) fn note_look(&mut self, pointer: Pointer, alternatives: &[Alternative]) {
        if self.crowds.rests.is_empty() {
            return;
        }
        for alternative in alternatives {
            if self.crowds.rests.contains(&alternative.object) {
                self.crowds.looked.push((pointer, alternative.guard));
            }
        }
    }

    /// Null, or the beginning of the object that the owner names, one of these.
    pub(crate) fn neat_pointer(&mut self, objects: &BTreeSet<Object>, owner: Term) -> Pointer {
        let start = self.word(0);
        let mut rest = self.terms.tru();
        let mut alternatives = Vec::with_capacity(objects.len() + 1);
        for &object in objects.iter().filter(|&&object| object != NOWHERE) {
            let guard = self.owns(object, owner);
            alternatives.push(Alternative {
                guard,
                object,
                offset: start,
            });
            let other = self.terms.not(guard);
            rest = self.terms.and(rest, other);
        }
        let null = Alternative {
            guard: rest,
            object: NOWHERE,
            offset: start,
        };
        alternatives.insert(0, null);
        self.pointers.intern(alternatives)
    }

    /// Is a pointer certainly null or the beginning of an object?
    pub(crate) fn is_neat(&self, pointer: Pointer) -> bool {
        let alternatives = self.pointers.alternatives(pointer);
        let mut offsets = alternatives.iter().map(|x| x.offset);
        offsets.all(|offset| self.terms.as_u64(offset) == Some(0))
    }

    /// Where pointers are in contents, these places among them. None if there may be other pointers than neat ones, or at one of these
    /// places something that is none.
    pub(crate) fn neat_places(
        &mut self,
        contents: &Contents,
        size: Option<u64>,
        wanted: &Places,
    ) -> Option<Places> {
        contents.neat_places(self, size?, wanted)
    }

    /// Unknown contents with neat pointers to these objects, and only in these places.
    pub(crate) fn neat_unknown(&mut self, pointees: BTreeSet<Object>, places: Places) -> Unknown {
        let unknown = self.unknown_with(pointees);
        self.unknowns[unknown].keep_neat(places);
        unknown
    }
}
