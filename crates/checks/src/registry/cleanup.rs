//! The check `cleanup`: memory not freed.

use super::{Check, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    name: "cleanup",
    title: "memory not freed",
    property: Some("valid-memcleanup"),
    cwe: Some(401),
    when_off: WhenOff::Drop,
    default: false,
    undefined_behaviour: false,
    meaning: "When `main` returns or `exit` is called, every heap object has been freed.",
    example: "static int *p; int main(void) { p = malloc(4); }",
};
