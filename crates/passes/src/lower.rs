//! From Raw to Lowered: two-way branches, direct calls of known functions, explicit obligations.

pub mod call_back;
pub mod dispatch_calls;
pub mod extern_pointers;
pub mod guard_frees;
pub mod place_accesses;
pub mod resolve_externs;
pub mod select_checks;
pub mod split_switches;
pub mod straighten_checks;

use ir::syntax::{Module, Phase};

use crate::edit;
use crate::pass::{self, Config, Error, Pass};

/// Declares that the module is Lowered now; validation then holds it to that.
pub struct Lower;

impl Pass for Lower {
    fn name(&self) -> &'static str {
        "lower"
    }

    fn about(&self) -> &'static str {
        "Declares the module Lowered and numbers its values in the order of the text."
    }

    fn run(&self, module: &mut Module, _config: &Config) -> Result<(), Error> {
        pass::expect_phase(self.name(), Phase::Raw, module)?;
        module.phase = Phase::Lowered;
        for func in module.funcs.values_mut() {
            if let Some(body) = &mut func.body {
                edit::tidy_in_place(body);
                edit::renumber(body);
            }
        }
        Ok(())
    }
}
