//! Properties, obligations, verdicts, traces and the assumption ledger.
#![forbid(unsafe_code)]
