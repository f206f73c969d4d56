//! Choices between a few words, of options that say what is saved, shown and counted.

use clap::ValueEnum;

/// Where objects lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum AllocStyle {
    /// At constant addresses
    Static,
    /// Relative to unknown starts of heap and stack
    Relative,
}

/// What makes the exit code 5.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum FailOn {
    /// Anything that is not proved (the default anyway)
    Inconclusive,
    /// An assertion that no execution reaches
    Vacuous,
    /// What is new since --baseline, and nothing else
    New,
}

/// When waypoints must hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WaypointsArg {
    /// At the first visit
    Now,
    /// At any visit
    Later,
}

/// How much is told of an execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum TraceArg {
    /// Everything
    Full,
    /// What matters
    Story,
    /// Nothing
    None,
}

/// What to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Show {
    /// Checks at places
    Obligations,
    /// Loops
    Loops,
    /// Functions
    Functions,
    /// Regions of memory
    Regions,
}

/// Phases that can be executed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PhaseArg {
    /// As imported
    Raw,
    /// Lowered
    Lowered,
    /// Memory as a value
    Pure,
}
