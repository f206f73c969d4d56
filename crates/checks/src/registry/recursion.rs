//! The check `recursion`: recursion bound.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Recursion,
    name: "recursion",
    title: "recursion bound",
    property: None,
    cwe: None,
    when_off: WhenOff::Keep,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "Calls nest no deeper than was explored; otherwise the verdict is bounded.",
    example: "f(n - 1)",
};
