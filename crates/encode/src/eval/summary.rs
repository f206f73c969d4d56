//! Calls that are not evaluated: a function's body once, from an arbitrary state, for all its calls.
//!
//! A function of a plan ([`Plan::functions`](super::arbitrary::Plan::functions)) is cut at its beginning and at its end. A call ends in an arbitrary state of what
//! the function returns and changes; the body is evaluated once, after the program, from an arbitrary state of what the function is given.
//! Whoever claims something of these states ([`Invariants`](super::arbitrary::Invariants)) shows it: of the beginning at every call, of the end wherever the
//! body returns. What the body's own calls return is claimed with it, which is the induction over the depth of calls.
//!
//! ```text
//!   main:  … call f: entered (First) ▶ any state (Exit, Arbitrary) …
//!   f:     any state (Entry, Arbitrary) ▶ body, its calls likewise ▶ left (Exit, Again)
//! ```
//!
//! A Boolean variable tells the program and the bodies apart: what is assumed in one says nothing of the others.
//!
//! All calls see the same objects: those of the first call that is met, in the state that they have there, except for what differs at
//! another call (the shape of [`super::arbitrary`]). Objects of an activation stay in it. What is not so is refused.

use std::collections::{BTreeMap, BTreeSet};

use ir::syntax::{Func, Type};
use terms::{Sort, Term};

use super::arbitrary::{Entered, Place, Point, Refused};
use super::evaluation::Evaluation;
use super::frame::Arrival;
use super::shape::Shape;
use super::{Assumption, Val};
use crate::memory::Memory;
use crate::path::{Path, Role};
use crate::pointer::Object;

/// The functions that were called.
#[derive(Default)]
pub(super) struct Summaries {
    called: BTreeMap<Func, Called>,
    /// Those whose body is to be evaluated.
    waiting: Vec<Func>,
    /// The one whose body is being evaluated, and what was exposed when it began.
    open: Option<(Func, BTreeSet<Object>)>,
}

impl Summaries {
    /// The function whose body is being evaluated, and how many objects there were when it began.
    pub(super) fn open_body(&self) -> Option<(Func, usize)> {
        let (func, _) = self.open.as_ref()?;
        let (_, objects) = self.called[func].began.as_ref()?;
        Some((*func, *objects))
    }
}

/// A function that was called.
struct Called {
    /// The values at the first call.
    first: Vec<Val>,
    /// The values that its body began with, and how many objects there were.
    began: Option<(Vec<Val>, usize)>,
}

/// What does not become a summary.
const OBJECTS: &str = "its calls see different objects";
pub(super) const ESCAPES: &str = "an object of one activation is known outside of it";
const LIVES: &str = "objects that it is given live or not";

impl Evaluation<'_, '_> {
    /// The path on which the program begins.
    pub(super) fn begin_main(&mut self) -> Path {
        let root = self.paths.root();
        match &self.inductive {
            Some(inductive) if !inductive.plan.functions.is_empty() => {
                let terms = &mut *self.vc.world.terms;
                let main = terms.var(MAIN, Sort::Bool);
                self.paths.extend(terms, root, main, Role::Decision)
            }
            Some(_) | None => root,
        }
    }

    /// Holds where the body of a function is evaluated by itself.
    pub(super) fn body_of(&mut self, func: Func) -> Term {
        self.terms().var(&format!("in!{func}"), Sort::Bool)
    }

    /// Are calls of the function not evaluated?
    pub(super) fn is_summarised(&self, func: Func) -> bool {
        let inductive = self.inductive.as_ref();
        inductive.is_some_and(|inductive| inductive.plan.functions.contains(&func))
    }

    /// What a call returns: anything.
    pub(super) fn call_summary(&mut self, func: Func, values: Vec<Val>, path: Path) -> Vec<Val> {
        if self.has_map(func) {
            return self.call_map(func, values, path);
        }
        self.note_call(func, &values, path);
        let given = values.len();
        let mut both = values;
        let results = self.results_like(func, &both);
        both.extend(results);
        let place = exit(func);
        let range = given..both.len();
        let (path, mut both) = self.begin_anywhere(place, path, both, range, None);
        self.set_path(path);
        // So that what is recorded tells whether it came before the call or after it.
        let (reached, holds) = (self.paths.condition(path), self.terms().tru());
        self.vc.assumptions.push(Assumption {
            reached,
            holds,
            passed: None,
        });
        both.split_off(given)
    }

    /// Values that have the sorts of what a function returns, and the memories that it was given.
    pub(super) fn results_like(&mut self, func: Func, given: &[Val]) -> Vec<Val> {
        let data = &self.module.funcs[func];
        let mut list = Vec::with_capacity(data.results.len());
        for &ty in &data.results {
            let world = &mut self.vc.world;
            list.push(match ty {
                Type::Int(1) => Val::Term(world.terms.fls()),
                Type::Int(width) => Val::Term(world.terms.bv_u64(0, width)),
                Type::Float(format) => Val::Term(world.terms.bv_u64(0, format.bits())),
                Type::Ptr => Val::Pointer(world.null()),
                Type::Mem(_) => {
                    let index = data.params.iter().position(|&param| param == ty);
                    given[index.expect("a memory that is returned was given")].clone()
                }
            });
        }
        list
    }

    /// A function is entered with these values.
    fn note_call(&mut self, func: Func, values: &[Val], path: Path) {
        let place = entry(func);
        self.note_head(place, path, values, Entered::First);
        let summaries = &mut self.inductive.as_mut().expect("there is a plan").summaries;
        let called = summaries.called.entry(func).or_insert_with(|| {
            summaries.waiting.push(func);
            Called {
                first: values.to_vec(),
                began: None,
            }
        });
        let first = called.first.clone();
        let there = called.began.as_ref().map(|(_, objects)| *objects);
        if !same_objects(&first, values) {
            self.refuse(Refused::Call(func, OBJECTS));
            return;
        }
        self.compare_shape(place, &first, values, 0..values.len());
        self.look_for_strangers(place, there);
    }

    /// Evaluates the bodies of the functions that were called.
    pub(super) fn run_bodies(&mut self) {
        while self.vc.stopped.is_none() && self.is_accepted() {
            let inductive = self.inductive.as_mut().expect("there is a plan");
            let Some(func) = inductive.summaries.waiting.pop() else {
                return;
            };
            match self.has_map(func) {
                true => self.begin_map_body(func),
                false => self.begin_body(func),
            }
            self.run_frames();
        }
    }

    fn is_accepted(&self) -> bool {
        let inductive = self.inductive.as_ref();
        inductive.is_some_and(|inductive| inductive.refused.is_none())
    }

    fn begin_body(&mut self, func: Func) {
        let at = self.body_of(func);
        let root = self.paths.root();
        let path = self
            .paths
            .extend(self.vc.world.terms, root, at, Role::Decision);
        let first = self.called(func).first.clone();
        let range = 0..first.len();
        let (path, values) = self.begin_anywhere(entry(func), path, first, range, None);
        self.body_begins(func, values.clone());
        self.enter(func, values, path, 0);
    }

    /// The body of a function begins with these values.
    pub(super) fn body_begins(&mut self, func: Func, values: Vec<Val>) {
        let objects = self.vc.world.objects.len();
        let exposed = self.vc.world.exposed.clone();
        self.called(func).began = Some((values, objects));
        let inductive = self.inductive.as_mut().expect("there is a plan");
        inductive.summaries.open = Some((func, exposed));
    }

    /// A function with a map is called: its body is to be evaluated.
    pub(super) fn is_called(&mut self, func: Func) {
        let summaries = &mut self.inductive.as_mut().expect("there is a plan").summaries;
        summaries.called.entry(func).or_insert_with(|| {
            summaries.waiting.push(func);
            Called {
                first: Vec::new(),
                began: None,
            }
        });
    }

    fn called(&mut self, func: Func) -> &mut Called {
        let inductive = self.inductive.as_mut().expect("there is a plan");
        let called = inductive.summaries.called.get_mut(&func);
        called.expect("it was called")
    }

    /// A body has come to its end, if it was one.
    pub(super) fn end_body(&mut self, returns: Vec<Arrival>) {
        let Some(inductive) = self.inductive.as_mut() else {
            return;
        };
        let Some((func, exposed)) = inductive.summaries.open.take() else {
            return;
        };
        let (began, objects) = self.called(func).began.clone().expect("it began");
        if self.has_map(func) {
            return self.end_map_body(func, &began, &exposed, returns);
        }
        let strangers = |set: &BTreeSet<Object>| set.iter().any(|x| x.index() >= objects);
        if strangers(&self.vc.world.exposed) {
            self.refuse(Refused::Call(func, ESCAPES));
        }
        let place = exit(func);
        let mut before = began.clone();
        before.extend(self.results_like(func, &began));
        for arrival in returns {
            let mut now = began.clone();
            now.extend(arrival.values);
            self.note_head(place, arrival.path, &now, Entered::Again);
            if !same_objects(&before, &now) {
                self.refuse(Refused::Call(func, ESCAPES));
                return;
            }
            self.compare_shape(place, &before, &now, began.len()..now.len());
            self.look_for_strangers(place, Some(objects));
        }
    }

    /// Refuses what the shape of a function's states cannot say. Objects from some number on belong to one activation.
    fn look_for_strangers(&mut self, place: Place, there: Option<usize>) {
        let inductive = self.inductive.as_ref().expect("there is a plan");
        let Some(shape) = inductive.shapes.get(&(place.func, place.point)) else {
            return;
        };
        if there.is_some_and(|there| has_strangers(shape, there)) {
            self.refuse(Refused::Call(place.func, ESCAPES));
            return;
        }
        let mut changed = shape.memories.values().flat_map(|x| x.changed.values());
        if changed.any(|changed| changed.alive) {
            self.refuse(Refused::Call(place.func, LIVES));
        }
    }
}

/// The variable that holds where the program itself is evaluated, if bodies are evaluated by themselves.
pub const MAIN: &str = "in!main";

pub(super) fn entry(func: Func) -> Place {
    Place {
        func,
        point: Point::Entry,
        number: 0,
    }
}

pub(super) fn exit(func: Func) -> Place {
    Place {
        func,
        point: Point::Exit,
        number: 0,
    }
}

/// Do pointers of the shape lead to objects from this one on?
fn has_strangers(shape: &Shape, there: usize) -> bool {
    let pointers = shape.pointers.values();
    let pointees = shape.memories.values().map(|region| &region.pointees);
    let mut objects = pointers.chain(pointees).flatten();
    objects.any(|object| object.index() >= there)
}

/// Do memories hold the states of the same objects?
fn same_objects(before: &[Val], now: &[Val]) -> bool {
    let same = |a: &Memory, b: &Memory| {
        let mut differing = a.differing(b).into_iter();
        differing.all(|object| a.state(object).is_some() == b.state(object).is_some())
    };
    before.iter().zip(now).all(|pair| match pair {
        (Val::Memory(a), Val::Memory(b)) => same(a, b),
        (Val::Term(_) | Val::Pointer(_) | Val::Memory(_), _) => true,
    })
}
