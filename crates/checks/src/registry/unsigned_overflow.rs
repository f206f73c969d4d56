//! The check `unsigned-overflow`: unsigned wrap-around.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::UnsignedOverflow,
    name: "unsigned-overflow",
    title: "unsigned wrap-around",
    property: Some("no-unsigned-overflow"),
    cwe: Some(190),
    when_off: WhenOff::Drop,
    sanitizers: &["unsigned-integer-overflow"],
    handlers: &[
        "add_overflow",
        "sub_overflow",
        "mul_overflow",
        "negate_overflow",
    ],
    default: false,
    undefined_behaviour: false,
    meaning: "Unsigned arithmetic does not wrap. Defined in C, and still often a mistake.",
    example: "unsigned n = a - b;   // violated for a < b",
};
