//! The check `free`: invalid free.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Free,
    name: "free",
    title: "invalid free",
    property: Some("valid-free"),
    cwe: Some(415),
    when_off: WhenOff::Assume,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: true,
    meaning: "`free` and `realloc` are given null or the base of a live heap object: no double free, no interior pointer, no stack or global address.",
    example: "free(p); free(p);",
};
