//! IR to IR: lower, purify, inline, unroll and the forms.
#![forbid(unsafe_code)]
