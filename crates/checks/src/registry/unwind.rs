//! The check `unwind`: loop bound.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Unwind,
    name: "unwind",
    title: "loop bound",
    property: None,
    cwe: None,
    when_off: WhenOff::Keep,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "A loop ends within the bound that was explored; otherwise the verdict is bounded.",
    example: "while (n) …",
};
