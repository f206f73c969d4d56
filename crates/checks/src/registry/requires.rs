//! The check `requires`: precondition.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Requires,
    name: "requires",
    title: "precondition",
    property: Some("assert"),
    cwe: Some(628),
    when_off: WhenOff::Drop,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "What a function requires holds where it is called: `sk_requires(c)`, `__CPROVER_requires(c)`. Asked where a function that has a contract is replaced by it (`--function`).",
    example: "int half(int x) sk_requires(x % 2 == 0);   half(3);   // violated",
};
