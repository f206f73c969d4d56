//! The check `bounds`: index outside its array.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Bounds,
    name: "bounds",
    title: "index outside its array",
    property: Some("bounds"),
    cwe: Some(129),
    when_off: WhenOff::Drop,
    sanitizers: &["array-bounds"],
    handlers: &["out_of_bounds"],
    default: false,
    undefined_behaviour: true,
    meaning: "An index lies inside the array that is indexed, also for arrays inside larger objects. Where only the element's address is taken, by `&`, `++`, `--` or an assignment of whole structures, it may be the one behind the last.",
    example: "struct { int a[2]; int b; } s; s.a[2] = 1;",
};
