//! The check `reach`: error function called.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Reach,
    name: "reach",
    title: "error function called",
    property: Some("unreach-call"),
    cwe: Some(617),
    when_off: WhenOff::Drop,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "`reach_error()` or `__VERIFIER_error()` must never be called.",
    example: "if (x == 42) reach_error();",
};
