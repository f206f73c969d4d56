//! Watching a run.

use ir::syntax::{NondetKind, PlaceId};
use results::trace::Event;

use crate::outcome::{Failure, Outcome};
use crate::view::View;

/// What a choice was made for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// A `nondet`.
    Nondet(NondetKind),
    /// A volatile read.
    Volatile,
    /// A read outside a live object.
    Outside,
    /// A new object.
    Alloc,
    /// A scope entered.
    Scope,
    /// `mem_havoc`, or a copy from outside a live object.
    Bytes,
    /// Unknown code.
    Clobber,
}

/// Is told what happens in a run. Everything is optional.
pub trait Observer {
    /// Before each instruction.
    fn step(&mut self, _view: &View<'_>) {}

    /// After a choice. The bytes of an object are not known yet: they are chosen when first read.
    fn choice(&mut self, _asked: Asked, _event: &Event, _place: Option<PlaceId>) {}

    /// An obligation was violated.
    fn failure(&mut self, _view: &View<'_>, _failure: &Failure) {}

    /// The execution has stopped; its memory is still there.
    fn last(&mut self, _view: &View<'_>) {}

    /// The run is over.
    fn end(&mut self, _outcome: &Outcome) {}
}
