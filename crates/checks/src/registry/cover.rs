//! The check `cover`: a line, branch or `sk_cover(c)` that is reached.

use super::{Check, CheckId, WhenOff};

/// See the module.
pub const CHECK: Check = Check {
    id: CheckId::Cover,
    name: "cover",
    title: "reached",
    property: Some("cover"),
    cwe: None,
    when_off: WhenOff::Drop,
    sanitizers: &[],
    handlers: &[],
    default: false,
    undefined_behaviour: false,
    meaning: "A question, not a claim: does an execution come to this line, this side of a branch, or to `sk_cover(c)` with c true? Asked by `--cover` alone, which tells an input for each, and which lines no execution reaches.",
    example: "if (x * x == 2) puts(\"never\");   // this line is not reached",
};
