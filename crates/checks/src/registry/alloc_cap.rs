//! The check `alloc-cap`: allocation beyond the model.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::AllocCap,
    name: "alloc-cap",
    title: "allocation beyond the model",
    property: None,
    cwe: None,
    when_off: WhenOff::Keep,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "An allocation fits the address space of the memory model; a larger one makes the verdict unknown.",
    example: "malloc(n)",
};
