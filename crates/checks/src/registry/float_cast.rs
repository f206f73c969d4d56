//! The check `float-cast`: float out of the integer's range.

use super::{Check, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    name: "float-cast",
    title: "float out of the integer's range",
    property: Some("no-float-cast"),
    cwe: Some(681),
    when_off: WhenOff::Drop,
    default: false,
    undefined_behaviour: true,
    meaning: "A floating-point number that becomes an integer fits into it.",
    example: "return (int)1e10;",
};
