//! What is found out about a program, as plain data that belongs to no engine.
//!
//! An engine tells a [`Sink`] what it finds as it finds it; each [`Message`] can be written as a line of
//! JSON, so that it may come from another process. [`Results`] is what a listener knows after each of them:
//! whatever happens to the engine then, nothing that was told is lost. Reports are made from it alone: it has
//! the names and places that they need.
//!
//! A *status* is the answer for one obligation, the *verdict* that for the program.
#![forbid(unsafe_code)]

pub mod engine;
pub mod explanation;
pub mod fact;
pub mod known;
pub mod ledger;
pub mod message;
pub mod outcome;
pub mod program;
pub mod status;
pub mod store;
pub mod story;
pub mod trace;
pub mod verdict;

pub use crate::engine::{Engine, EngineError, Limits, Silence, Sink, Task};
pub use crate::fact::{Fact, Support};
pub use crate::known::{Known, Settled};
pub use crate::message::{Message, Progress, Query, Stage};
pub use crate::outcome::{
    Bound, Invariant, Layouts, Look, Outcome, Precondition, SecondOpinion, Stats, Violation,
};
pub use crate::program::{Claim, Program};
pub use crate::status::{Reason, Status};
pub use crate::store::Results;
pub use crate::story::Story;
pub use crate::verdict::{Ending, Failure, Verdict};
