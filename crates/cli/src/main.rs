//! The `selkie` command.
#![forbid(unsafe_code)]

fn main() {}
