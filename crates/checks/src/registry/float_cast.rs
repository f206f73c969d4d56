//! The check `float-cast`: float out of the integer's range.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::FloatCast,
    name: "float-cast",
    title: "float out of the integer's range",
    property: Some("no-float-cast"),
    cwe: Some(681),
    when_off: WhenOff::Drop,
    sanitizers: &["float-cast-overflow"],
    handlers: &["float_cast_overflow"],
    default: false,
    undefined_behaviour: true,
    meaning: "A floating-point number that becomes an integer fits into it.",
    example: "return (int)1e10;",
};
