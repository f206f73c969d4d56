//! The check `deref`: invalid memory access.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Deref,
    name: "deref",
    title: "invalid memory access",
    property: Some("valid-deref"),
    cwe: Some(119),
    when_off: WhenOff::Any,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: true,
    meaning: "Every access lies inside the live object that its pointer was derived from: not null, not past either end, not after `free`, not after the end of the variable's scope or function, and no write to a constant.",
    example: "int a[3]; return a[n];   // violated for n = 3",
};
