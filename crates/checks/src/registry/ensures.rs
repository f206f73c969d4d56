//! The check `ensures`: postcondition.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Ensures,
    name: "ensures",
    title: "postcondition",
    property: Some("assert"),
    cwe: Some(684),
    when_off: WhenOff::Drop,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "What a function ensures holds where it returns, if it was called as it requires: `sk_ensures(c)`, `__CPROVER_ensures(c)`. Asked of the function that is checked against its contract (`--function`).",
    example: "int f(int x) sk_ensures(sk_result > x) { return x; }   // violated",
};
