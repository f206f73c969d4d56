//! The check `div`: division by zero.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Div,
    name: "div",
    title: "division by zero",
    property: Some("no-div-by-zero"),
    cwe: Some(369),
    when_off: WhenOff::Assume,
    sanitizers: &["integer-divide-by-zero"],
    handlers: &["divrem_overflow"],
    default: true,
    undefined_behaviour: true,
    meaning: "The divisor of `/` and `%` is not zero.",
    example: "return 100 / n;",
};
