//! The check `uninit`: uninitialised value used.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Uninit,
    name: "uninit",
    title: "uninitialised value used",
    property: Some("no-uninit"),
    cwe: Some(457),
    when_off: WhenOff::Drop,
    sanitizers: &[],
    handlers: &[],
    default: false,
    undefined_behaviour: false,
    meaning: "No branch, address or assertion depends on a value that nobody initialised. Copying such a value or computing with it is no violation.",
    example: "int x; if (x) …",
};
