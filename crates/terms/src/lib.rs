//! Hash-consed logic: terms, rewrite rules, evaluator, SMT-LIB.
#![forbid(unsafe_code)]
