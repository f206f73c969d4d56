//! The check `cleanup`: memory not freed.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Cleanup,
    name: "cleanup",
    title: "memory not freed",
    property: Some("valid-memcleanup"),
    cwe: Some(401),
    when_off: WhenOff::Drop,
    sanitizers: &[],
    handlers: &[],
    default: false,
    undefined_behaviour: false,
    meaning: "When `main` returns or `exit` is called, every heap object has been freed.",
    example: "static int *p; int main(void) { p = malloc(4); }",
};
