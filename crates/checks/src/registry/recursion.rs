//! The check `recursion`: recursion bound.

use super::{Check, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    name: "recursion",
    title: "recursion bound",
    property: None,
    cwe: None,
    when_off: WhenOff::Keep,
    default: true,
    undefined_behaviour: false,
    meaning: "Calls nest no deeper than was explored; otherwise the verdict is bounded.",
    example: "f(n - 1)",
};
