//! The check `overflow`: signed overflow.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Overflow,
    name: "overflow",
    title: "signed overflow",
    property: Some("no-overflow"),
    cwe: Some(190),
    when_off: WhenOff::Drop,
    sanitizers: &["signed-integer-overflow"],
    handlers: &[
        "add_overflow",
        "sub_overflow",
        "mul_overflow",
        "negate_overflow",
    ],
    default: true,
    undefined_behaviour: true,
    meaning: "Signed arithmetic stays in its type's range: `+ - *`, negation, `++ --`, INT_MIN / -1 and INT_MIN % -1.",
    example: "return x + 1;   // violated for x = INT_MAX",
};
