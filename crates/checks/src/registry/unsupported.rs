//! The check `unsupported`: construct that is not modelled.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Unsupported,
    name: "unsupported",
    title: "construct that is not modelled",
    property: None,
    cwe: None,
    when_off: WhenOff::Keep,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "The program reaches something that Selkie does not model: the verdict is unknown, and this line says where.",
    example: "asm volatile(\"…\");",
};
