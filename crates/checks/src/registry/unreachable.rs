//! The check `unreachable`: unreachable code reached.

use super::{Check, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    name: "unreachable",
    title: "unreachable code reached",
    property: Some("no-unreachable"),
    cwe: Some(561),
    when_off: WhenOff::Assume,
    default: false,
    undefined_behaviour: true,
    meaning: "`__builtin_unreachable()` and the end of a function that must return a value are not reached.",
    example: "int f(int x) { if (x) return 1; }   // result used for x = 0",
};
