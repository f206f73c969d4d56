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
    /// Is it inside a model of a library function?
    #[serde(default)]
    pub model: bool,
}

impl Claim {
    /// An obligation of a module.
    pub fn of(module: &Module, obligation: Obligation) -> Claim {
        Claim::beside(module, obligation, &module.model_files())
    }

    /// The same, where the files of models are known.
    fn beside(module: &Module, obligation: Obligation, models: &BTreeSet<&str>) -> Claim {
        let data = &module.obligations[obligation];
        let place = place(module, data.place);
        let property = data.check.check().property;
        Claim {
            id: format!("{}.{}.{}", data.func, data.check, data.ordinal),
            check: data.check,
            property: property.unwrap_or(data.check.name()).to_owned(),
            text: data.text.clone(),
            model: place.as_ref().is_some_and(|at| models.contains(&*at.file)),
            place,
            internal: property.is_none(),
        }
    }

    /// The function that it is in: what its id begins with.
    pub fn func(&self) -> &str {
        let mut parts = self.id.rsplitn(3, '.');
        parts.nth(2).unwrap_or(&self.id)
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
        let models = module.model_files();
        let claim = |obligation| Claim::beside(module, obligation, &models);
        Program {
            claims: obligations.map(claim).collect(),
            checks: checks.clone(),
            fingerprint: fact::fingerprint(module),
        }
    }
}

/// A place of a module, apart from it.
pub fn place(module: &Module, place: Option<PlaceId>) -> Option<Place> {
    place.map(|place| module.places[place].place.clone())
}
