//! The check `pointer-overflow`: pointer arithmetic out of range.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::PointerOverflow,
    name: "pointer-overflow",
    title: "pointer arithmetic out of range",
    property: Some("no-pointer-overflow"),
    cwe: Some(468),
    when_off: WhenOff::Drop,
    sanitizers: &["pointer-overflow"],
    handlers: &["pointer_overflow"],
    default: false,
    undefined_behaviour: false,
    meaning: "Pointer arithmetic does not wrap around the address space, nor start from null.",
    example: "p + n",
};
