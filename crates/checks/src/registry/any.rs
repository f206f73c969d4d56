//! The check `any`: what is left when all obligations have become one.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Any,
    name: "any",
    title: "all obligations at once",
    property: None,
    cwe: None,
    when_off: WhenOff::Keep,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "In the forms, one check asserts that no obligation is violated; a selector tells which one is.",
    example: "check o9, v41",
};
