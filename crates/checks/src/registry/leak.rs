//! The check `leak`: memory leak.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Leak,
    name: "leak",
    title: "memory leak",
    property: Some("valid-memtrack"),
    cwe: Some(401),
    when_off: WhenOff::Drop,
    sanitizers: &[],
    handlers: &[],
    default: false,
    undefined_behaviour: false,
    meaning: "When `main` returns or `exit` is called, every live heap object is reachable, interior pointers included, from a global or a live frame.",
    example: "p = malloc(4); p = 0; return 0;",
};
