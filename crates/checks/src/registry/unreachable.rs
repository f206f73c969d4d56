//! The check `unreachable`: unreachable code reached.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Unreachable,
    name: "unreachable",
    title: "unreachable code reached",
    property: Some("no-unreachable"),
    cwe: Some(561),
    when_off: WhenOff::Assume,
    sanitizers: &[
        "unreachable",
        "return",
        "nonnull-attribute",
        "returns-nonnull-attribute",
        "builtin",
        "vla-bound",
    ],
    handlers: &[
        "builtin_unreachable",
        "missing_return",
        "nonnull_arg",
        "nonnull_return",
        "invalid_builtin",
        "vla_bound_not_positive",
    ],
    default: false,
    undefined_behaviour: true,
    meaning: "`__builtin_unreachable()`, and in C++ the end of a function that must return a value, are not reached. (In C a missing value is undefined only if it is used: `uninit`.)",
    example: "switch (x & 3) { case 0: return a; case 1: return b; default: __builtin_unreachable(); }",
};
