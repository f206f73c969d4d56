//! The check `assert`: user assertion.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Assert,
    name: "assert",
    title: "user assertion",
    property: Some("assert"),
    cwe: Some(617),
    when_off: WhenOff::Drop,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "A condition that the program itself states: `assert(c)`, `sk_assert(c)`, `__VERIFIER_assert(c)`, `sassert(c)`, `__CPROVER_assert(c, \"…\")`.",
    example: "assert(x > 0);   // violated if x can be 0 here",
};
