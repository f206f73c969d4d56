//! The check `overlap`: overlapping copy.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Overlap,
    name: "overlap",
    title: "overlapping copy",
    property: Some("no-overlap"),
    cwe: Some(475),
    when_off: WhenOff::Drop,
    sanitizers: &[],
    handlers: &[],
    default: false,
    undefined_behaviour: true,
    meaning: "The source and destination of `memcpy` (and of `strcpy` and the like) do not overlap.",
    example: "memcpy(a, a + 1, 2);",
};
