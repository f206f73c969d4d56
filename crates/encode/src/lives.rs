//! Where objects may lie: whatever is true of every layout.
//!
//! With the free allocator a base is a variable. What constrains it is the life of its object: while it lives it
//! is aligned, lies in the address space without its first and last page, and has no byte in common with
//! what lives at the same time. An address is free again when its object is dead, and objects may touch.
//! A model that makes one object and frees another (`realloc`) may stand for code that uses the same bytes.
//!
//! Evaluation follows the order of execution, so that the events of one execution are recorded in their order:
//! whether an object is alive at an event is a term over the events before it.

use rustc_hash::{FxHashMap, FxHashSet};
use terms::visit::TermSet;
use terms::{Term, Terms};

use crate::eval::Vc;
use crate::literals::Distances;
use crate::pointer::Object;
use crate::world::{Kind, World};

/// The most objects whose layouts are compared.
const MOST: usize = 256;

/// No object lies in the first or the last page.
const PAGE: u64 = 4096;

/// What happens to an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// It is allocated.
    Made,
    /// Its scope is entered.
    Entered,
    /// It is freed, or its scope or function is left.
    Ended,
}

struct Event {
    object: Object,
    happens: Term,
    life: Life,
}

/// When objects live.
#[derive(Default)]
pub(crate) struct Lives {
    events: Vec<Event>,
    /// As far as evaluation has come.
    alive: FxHashMap<Object, Term>,
    /// The variables of bases.
    bases: Vec<(Term, Object)>,
    /// Objects that may lie in the same place although they live at the same time in the model.
    moved: FxHashSet<(Object, Object)>,
}

impl Lives {
    /// The base of an object is made of this variable.
    pub(crate) fn place(&mut self, variable: Term, object: Object) {
        self.bases.push((variable, object));
    }

    /// How much has happened.
    pub(crate) fn count(&self) -> usize {
        self.events.len()
    }

    /// An object is freed by library code that began after the first so many events.
    pub(crate) fn freed_by_model(&mut self, object: Object, since: usize) {
        let made = self.events[since..].iter();
        let made = made.filter(|event| event.life == Life::Made);
        self.moved.extend(made.map(|event| (event.object, object)));
    }

    fn may_share(&self, a: Object, b: Object) -> bool {
        self.moved.contains(&(a, b)) || self.moved.contains(&(b, a))
    }

    /// When the object is alive now; none if it always is.
    pub(crate) fn alive(&self, object: Object) -> Option<Term> {
        self.alive.get(&object).copied()
    }
}

impl World<'_> {
    /// Something happens to an object under a condition.
    pub(crate) fn live(&mut self, object: Object, happens: Term, life: Life) {
        let before = self.lives.alive(object);
        let alive = after(self.terms, before, happens, life);
        self.lives.alive.insert(object, alive);
        self.lives.events.push(Event {
            object,
            happens,
            life,
        });
    }
}

/// Whether an object is alive after an event.
fn after(terms: &mut Terms, before: Option<Term>, happens: Term, life: Life) -> Term {
    let before = before.unwrap_or_else(|| terms.fls());
    match life {
        Life::Made | Life::Entered => terms.or(before, happens),
        Life::Ended => {
            let stays = terms.not(happens);
            terms.and(before, stays)
        }
    }
}

/// What is true of the bases that a question speaks of; none if there are too many.
pub fn layouts(vc: &mut Vc<'_>, question: Term) -> Option<Term> {
    let world = &mut vc.world;
    let spoken_of = cone(world.terms, question);
    let bases = world.lives.bases.iter();
    let mut objects: Vec<Object> = bases
        .filter(|(variable, _)| spoken_of.contains(*variable))
        .map(|&(_, object)| object)
        .collect();
    objects.sort_unstable();
    if objects.len() > MOST {
        return None;
    }
    let mut alive: FxHashMap<Object, Term> = FxHashMap::default();
    let always = world.terms.tru();
    let mut all = always;
    for &object in &objects {
        if !matches!(world.objects[object].kind, Kind::Stack | Kind::Heap) {
            all = world.are_apart(object, &alive, always, all);
            alive.insert(object, always);
        }
    }
    let events = std::mem::take(&mut world.lives.events);
    // What has a scope lives in it only.
    let scoped: FxHashSet<Object> = events
        .iter()
        .filter(|event| event.life == Life::Entered)
        .map(|event| event.object)
        .collect();
    for event in &events {
        let object = event.object;
        let outside = event.life == Life::Made && scoped.contains(&object);
        if outside || objects.binary_search(&object).is_err() {
            continue;
        }
        if event.life != Life::Ended {
            all = world.are_apart(object, &alive, event.happens, all);
        }
        let before = alive.get(&object).copied();
        let now = after(world.terms, before, event.happens, event.life);
        alive.insert(object, now);
    }
    world.lives.events = events;
    Some(all)
}

/// The terms that a term is made of.
fn cone(terms: &Terms, root: Term) -> TermSet {
    let mut seen = TermSet::new(terms);
    let mut work = vec![root];
    while let Some(term) = work.pop() {
        if seen.insert(term) {
            work.extend(terms.args(term).iter().copied());
        }
    }
    seen
}

impl World<'_> {
    /// An object begins to live under a condition: it lies in the address space, and apart from what is alive.
    fn are_apart(
        &mut self,
        object: Object,
        alive: &FxHashMap<Object, Term>,
        happens: Term,
        mut all: Term,
    ) -> Term {
        let low = self.word(PAGE);
        let last = match self.pointer_bits {
            64 => (1 << 47) - PAGE,
            bits => (1 << bits) - PAGE,
        };
        let last = self.word(last);
        let (base, size) = (self.objects[object].base, self.room(object));
        let room = self.terms.sub(last, low);
        let fits = self.terms.ule(size, room);
        let highest = self.terms.sub(last, size);
        let below = self.terms.ule(base, highest);
        let above = self.terms.ule(low, base);
        let placed = self.terms.and_all(&[fits, below, above]);
        let placed = self.terms.implies(happens, placed);
        all = self.terms.and(all, placed);
        let end = self.terms.add(base, size);
        let mut others: Vec<Object> = alive.keys().copied().collect();
        others.sort_unstable();
        others.retain(|&other| other != object && !self.lives.may_share(other, object));
        for other in others {
            let (start, room) = (self.objects[other].base, self.room(other));
            let stop = self.terms.add(start, room);
            let before = self.terms.ule(end, start);
            let behind = self.terms.ule(stop, base);
            let shared = self.share(other, object);
            let apart = self.terms.or_all(&[before, behind, shared]);
            let both = self.terms.and(happens, alive[&other]);
            let apart = self.terms.implies(both, apart);
            all = self.terms.and(all, apart);
        }
        all
    }

    /// Do two constants lie where their bytes agree?
    fn share(&mut self, a: Object, b: Object) -> Term {
        match self.shared(a, b) {
            None => self.terms.fls(),
            Some(Distances::Any) => self.terms.tru(),
            Some(Distances::These(distances)) => {
                let (a, b) = (self.objects[a].base, self.objects[b].base);
                let between = self.terms.sub(b, a);
                let mut cases = Vec::new();
                for distance in distances {
                    let distance = self.word(distance as u64);
                    cases.push(self.terms.eq(between, distance));
                }
                self.terms.or_all(&cases)
            }
        }
    }

    /// The bytes that nothing else shares: at least one of a function, and of what was allocated.
    fn room(&mut self, object: Object) -> Term {
        let size = self.objects[object].size;
        match self.objects[object].kind {
            Kind::Global(_) | Kind::Stack | Kind::Nowhere => size,
            Kind::Function(_) | Kind::Heap => {
                let (zero, one) = (self.word(0), self.word(1));
                let empty = self.terms.eq(size, zero);
                self.terms.ite(empty, one, size)
            }
        }
    }
}
