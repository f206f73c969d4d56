//! The program that results are about: its obligations, by their names and places.

use std::collections::BTreeSet;

use base::{Map, Place};
use checks::registry::CheckId;
use ir::syntax::{Module, Obligation, PlaceId};
use serde::{Deserialize, Serialize};

use crate::fact;

/// An obligation, with what people and programs know it by.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Claim {
    /// The stable id: `main.overflow.2`.
    pub id: String,
    /// The check.
    pub check: CheckId,
    /// The property that its violation is one of.
    pub property: String,
    /// What is claimed.
    pub text: String,
    /// Where.
    pub place: Option<Place>,
    /// Does it guard our own models and bounds, so that it is of interest only if it was met?
    pub internal: bool,
}

impl Claim {
    /// An obligation of a module.
    pub fn of(module: &Module, obligation: Obligation) -> Claim {
        let data = &module.obligations[obligation];
        let property = data.check.check().property;
        Claim {
            id: format!("{}.{}.{}", data.func, data.check, data.ordinal),
            check: data.check,
            property: property.unwrap_or(data.check.name()).to_owned(),
            text: data.text.clone(),
            place: place(module, data.place),
            internal: property.is_none(),
        }
    }
}

/// All obligations of a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    /// Each obligation.
    pub claims: Map<Obligation, Claim>,
    /// The checks that were asked for.
    pub checks: BTreeSet<CheckId>,
    /// What tells it from every other program.
    pub fingerprint: String,
}

impl Program {
    /// A module whose obligations of these checks are asked for.
    pub fn of(module: &Module, checks: &BTreeSet<CheckId>) -> Program {
        let obligations = module.obligations.keys();
        Program {
            claims: obligations.map(|o| Claim::of(module, o)).collect(),
            checks: checks.clone(),
            fingerprint: fact::fingerprint(module),
        }
    }
}

/// A place of a module, apart from it.
pub fn place(module: &Module, place: Option<PlaceId>) -> Option<Place> {
    place.map(|place| module.places[place].place.clone())
}
