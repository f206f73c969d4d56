//! The stage that makes counterexamples simple, and tells each as a story (`interp::simplest`, `interp::story`).

use std::cell::Cell;

use interp::config::AfterFailure;
use interp::simplest::simplest;
use interp::story;
use ir::syntax::Module;
use results::Violation;

use crate::args::{AfterFailure as Asked, TraceArg, VerifyArgs};

/// So many violations are made simple; of further ones the counterexample is told as it was found.
const SIMPLE: u32 = 40;

/// So many are told at all.
const TOLD: u32 = 200;

/// What is wanted, and how much was done.
#[derive(Clone)]
pub struct Stories {
    wanted: bool,
    after_failure: AfterFailure,
    done: Cell<u32>,
}

impl Stories {
    /// What the command line asks for.
    pub fn wanted(args: &VerifyArgs) -> Stories {
        Stories {
            wanted: args.trace() != TraceArg::None || args.outputs.wanted().next().is_some(),
            after_failure: match args.input.after_failure {
                Asked::Stop => AfterFailure::Stop,
                Asked::Continue => AfterFailure::Continue,
            },
            done: Cell::new(0),
        }
    }

    /// A violation as simple as it can be made, with its story. `counts` is asked of each that is simpler.
    pub fn tell(
        &self,
        module: &Module,
        violation: &Violation,
        counts: &dyn Fn(&Violation) -> bool,
    ) -> Violation {
        let done = self.done.get();
        if !self.wanted || done >= TOLD || violation.story.is_some() {
            return violation.clone();
        }
        self.done.set(done + 1);
        let mut told = match done < SIMPLE {
            true => simplest(module, violation, self.after_failure, counts),
            false => violation.clone(),
        };
        told.story = Some(Box::new(story::tell(module, &told, self.after_failure)));
        told
    }
}
