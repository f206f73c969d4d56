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
    meaning: "A condition that the program states of a loop: `sk_invariant(c)`, `__CPROVER_loop_invariant(c)`. It holds whenever execution gets there: in the first round, and in every other.",
    example: "while (i < n) { sk_invariant(i < 9); i++; }   // violated if n can be 10",
};

/// What is claimed.
pub const TEXT: &str = "loop invariant";
