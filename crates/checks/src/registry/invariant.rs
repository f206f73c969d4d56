//! The check `invariant`: loop invariant.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Invariant,
    name: "invariant",
    title: "loop invariant",
    property: Some("assert"),
    cwe: Some(617),
    when_off: WhenOff::Drop,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "A condition that the program states of a loop: `sk_invariant(c)`, `__CPROVER_loop_invariant(c)`. It holds when the loop is entered, and after every round that is followed by another.",
    example: "while (i < n) { sk_invariant(i < 9); i++; }   // violated if n can be 10",
};

/// What is claimed in the first round of a loop.
pub const ENTRY: &str = "loop invariant where the loop is entered";
/// What is claimed in every other round.
pub const ROUND: &str = "loop invariant after a round";
