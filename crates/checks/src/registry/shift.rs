//! The check `shift`: invalid shift.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Shift,
    name: "shift",
    title: "invalid shift",
    property: Some("no-shift"),
    cwe: Some(1335),
    when_off: WhenOff::Drop,
    sanitizers: &["shift"],
    handlers: &["shift_out_of_bounds"],
    default: true,
    undefined_behaviour: true,
    meaning: "A shift amount is neither negative nor as large as the width; a signed left shift moves no set bit out of the value bits.",
    example: "return 1 << n;   // violated for n = 32",
};
