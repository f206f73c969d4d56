//! The lists of passes, with a reason at each place.

use crate::forms::{
    gssa::GatedSsa, pd::PureDataflow, rpd::ReducedPureDataflow, sa::SingleAssert,
    sasa::SingleAssume,
};
use crate::inline::Inline;
use crate::lower::{
    Lower, call_back::CallBack, dispatch_calls::DispatchCalls, extern_pointers::ExternPointers,
    guard_frees::GuardFrees, place_accesses::PlaceAccesses, resolve_externs::ResolveExterns,
    select_checks::SelectChecks, split_switches::SplitSwitches,
    straighten_checks::StraightenChecks,
};
use crate::mixed::Mixed;
use crate::nans::Nans;
use crate::pass::Pass;
use crate::prune::Prune;
use crate::purify::Purify;
use crate::simplify::Simplify;
use crate::unroll::Unroll;

/// Raw to Lowered.
pub const LOWER: &[&dyn Pass] = &[
    // What is decided already should not make anything look reachable.
    &Simplify,
    // Dead functions take addresses and call externs that nobody should hear of: they go, after
    // it has been seen what unknown code can call.
    &CallBack,
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
    // Questions of checks that are off have gone.
    &ExternPointers,
    // Where accesses go that no check guards.
    &PlaceAccesses,
    // Collects what the others left behind.
    &Simplify,
    // Calls may have gone with dead code.
    &Prune,
    // The promise is checked last.
    &Lower,
];

/// Lowered to Lowered, if somebody asks for it.
pub const MIX: &[&dyn Pass] = &[
    // Before memory is a value: what is copied has no regions yet.
    &Mixed,
];

/// Lowered to Pure.
pub const PURIFY: &[&dyn Pass] = &[
    // The one idea; everything after it is data flow.
    &Purify,
];

/// Pure to Pure: what an execution may choose beyond what the IR says. A list of its own, since the others keep every
/// execution as it is.
pub const CHOOSE: &[&dyn Pass] = &[
    // Regions tell who looks at the bits of floats in memory.
    &Nans,
];

/// Pure to Unrolled.
pub const BOUND: &[&dyn Pass] = &[
    // Before inlining: loops are still named after their function, and each is copied once.
    &Unroll, // Recursion is cut here.
    &Inline,
];

/// The five forms on Unrolled IR.
pub const FORMS: &[&dyn Pass] = &[
    // First, because it makes the block where all paths end.
    &SingleAssert,
    // Needs that block.
    &SingleAssume,
    // Nothing ends an execution any more: untaken paths may be computed.
    &GatedSsa,
    // Nothing depends on control any more.
    &PureDataflow,
    // Everything is visible in one block.
    &ReducedPureDataflow,
];

/// Every list, in the order of the phases.
pub const ALL: &[&[&dyn Pass]] = &[LOWER, MIX, PURIFY, CHOOSE, BOUND, FORMS];

/// The pass of this name.
pub fn find(name: &str) -> Option<&'static dyn Pass> {
    let mut all = ALL.iter().flat_map(|list| list.iter().copied());
    all.find(|pass| pass.name() == name)
}
