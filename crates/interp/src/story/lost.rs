//! Where a heap object was lost: the last moment at which something led to it.
//!
//! What leads to it are globals, live variables in memory, and variables in registers as the source has them: at the end of its
//! function a variable is gone.

use base::Place;
use ir::syntax::Module;
use results::Violation;
use results::story::{Step, What};

use super::Lost;
use crate::choices::Recorded;
use crate::config::Config;
use crate::observe::Observer;
use crate::view::View;
use crate::{Bindings, run};

/// Longer executions are not looked at.
const MOST: u64 = 1 << 20;

/// So many moments are looked at in one execution.
const LOOKS: u64 = 256;

/// Where an object was lost.
pub(super) struct Found {
    /// Before which step of the story it is to be told.
    pub(super) index: usize,
    /// The step.
    pub(super) step: Step,
    /// Instructions before the one that took the last pointer away.
    pub(super) time: u64,
}

/// Looks for the place: at many moments, and then at each between two of them.
pub(super) fn find(
    module: &Module,
    violation: &Violation,
    config: &Config,
    lost: &Lost,
) -> Option<Found> {
    if lost.found > MOST {
        return None;
    }
    let look = |from: u64, to: u64| {
        let mut look = Look {
            next: from,
            step: ((to - from) / LOOKS).max(1),
            to,
            object: lost.object,
            base: lost.base,
            held: None,
            place: None,
            last: None,
        };
        let mut choices = Recorded::new(&violation.trace);
        let bindings = Bindings {
            observer: Some(&mut look),
            ..Bindings::new(&mut choices)
        };
        run(module, config, bindings);
        look
    };
    let (mut from, mut to) = (lost.made + 1, lost.found);
    // The first moment of the last range in which something leads to it; nothing does at its end.
    for _ in 0..4 {
        let looked = look(from, to);
        let held = looked.held?;
        if looked.step == 1 {
            let (place, func) = looked.place?;
            let later = |&time: &u64| time > held;
            let index = lost.steps.iter().position(later);
            let step = Step {
                place: Some(place),
                func,
                depth: 0,
                matters: true,
                what: What::Lost(lost.name.clone()),
            };
            return Some(Found {
                index: index.unwrap_or(lost.steps.len()),
                step,
                time: held,
            });
        }
        (from, to) = (held, (held + looked.step).min(to));
    }
    None
}

/// Looks at moments: does anything lead to the object, and where is the user's program?
struct Look {
    next: u64,
    step: u64,
    to: u64,
    object: u32,
    base: u64,
    /// The last moment at which something did, and where the program was.
    held: Option<u64>,
    place: Option<(Place, String)>,
    /// Where the program was last.
    last: Option<(Place, String)>,
}

impl Observer for Look {
    fn step(&mut self, view: &View<'_>) {
        if let Some(place) = view.call_stack_place() {
            self.last = Some(place);
        }
        if view.steps < self.next || view.steps > self.to {
            return;
        }
        self.next = view.steps + self.step;
        let here = view.memory.objects.get(self.object as usize);
        let there = here.is_some_and(|object| object.alive && object.base == self.base);
        let variables = view.held_by_variables();
        if there && view.memory.is_led_to(self.object, &variables) {
            self.held = Some(view.steps);
            self.place.clone_from(&self.last);
        }
    }
}
