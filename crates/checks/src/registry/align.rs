//! The check `align`: misaligned access.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Align,
    name: "align",
    title: "misaligned access",
    property: Some("no-misaligned"),
    cwe: Some(188),
    when_off: WhenOff::Drop,
    sanitizers: &["alignment"],
    handlers: &["type_mismatch"],
    default: false,
    undefined_behaviour: false,
    meaning: "An address is a multiple of its type's alignment.",
    example: "*(int *)(p + 1)",
};
