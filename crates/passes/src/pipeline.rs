//! The lists of passes, with a reason at each place.

use crate::lower::{
    Lower, dispatch_calls::DispatchCalls, guard_frees::GuardFrees, resolve_externs::ResolveExterns,
    select_checks::SelectChecks, split_switches::SplitSwitches,
    straighten_checks::StraightenChecks,
};
use crate::pass::Pass;
use crate::prune::Prune;
use crate::simplify::Simplify;

/// Raw to Lowered.
pub const LOWER: &[&dyn Pass] = &[
    // What is decided already should not make anything look reachable.
    &Simplify,
    // Dead functions take addresses and call externs that nobody should hear of.
    &Prune,
    // Before externs: a pointer may name one.
    &DispatchCalls,
    // Every call now names its function; those without a body get a meaning.
    &ResolveExterns,
    // Only two-way branches from here on.
    &SplitSwitches,
    // Before checks are selected, so that `free` can be switched off like the rest.
    &GuardFrees,
    // Before checks are selected: dropping a check is easy, dropping a branch to a dead end is not.
    &StraightenChecks,
    // After every obligation has been made.
    &SelectChecks,
    // Collects what the others left behind.
    &Simplify,
    // Calls may have gone with dead code.
    &Prune,
    // The promise is checked last.
    &Lower,
];

/// The pass of this name in a list.
pub fn find(passes: &[&'static dyn Pass], name: &str) -> Option<&'static dyn Pass> {
    passes.iter().copied().find(|pass| pass.name() == name)
}
