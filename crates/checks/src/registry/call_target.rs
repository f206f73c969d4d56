//! The check `call-target`: unknown call target.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::CallTarget,
    name: "call-target",
    title: "unknown call target",
    property: None,
    cwe: None,
    when_off: WhenOff::Keep,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "A function pointer is one of the functions that the analysis expects; anything else makes the verdict unknown.",
    example: "(*table[n])();",
};
