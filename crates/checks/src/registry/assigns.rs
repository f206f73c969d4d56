//! The check `assigns`: change outside of what is assigned.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Assigns,
    name: "assigns",
    title: "change outside of what is assigned",
    property: Some("assert"),
    cwe: None,
    when_off: WhenOff::Drop,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "A function with a contract changes, of what its caller has, only what the contract names: `sk_assigns(*p)`, `__CPROVER_assigns(*p)`; nothing if nothing is named. It frees none of it either.",
    example: "void f(int *p, int *q) sk_assigns(*p) { *q = 0; }   // violated",
};
