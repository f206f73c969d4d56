//! The check `extern-pointer`: pointer from unknown code.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::ExternPointer,
    name: "extern-pointer",
    title: "pointer from unknown code",
    property: None,
    cwe: None,
    when_off: WhenOff::Keep,
    sanitizers: &[],
    handlers: &[],
    default: true,
    undefined_behaviour: false,
    meaning: "A pointer that a function without a body returned, or wrote, and that leads to no object of the program may or may not be valid: the verdict is unknown where it is used, unless --extern-pointers valid says that it is.",
    example: "struct dev *d = find(1); if (d) d->on = 1;",
};
