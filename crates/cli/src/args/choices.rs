//! Choices between a few words, of options that say what is saved, shown, counted and summarised.

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

/// How large finite maps may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FmapArg {
    /// There are none.
    Off,
    /// So many entries, and so many pointers to them.
    Sized(usize, usize),
    /// As large as they have to be.
    Auto,
}

impl FmapArg {
    pub(super) fn parse(text: &str) -> Result<FmapArg, String> {
        let sized = || {
            let (entries, pointers) = text.strip_prefix('s')?.split_once("-a")?;
            Some(FmapArg::Sized(
                entries.parse().ok()?,
                pointers.parse().ok()?,
            ))
        };
        match text {
            "off" => Ok(FmapArg::Off),
            "auto" => Ok(FmapArg::Auto),
            _ => sized().ok_or_else(|| "it is `off`, `auto`, or like `s5-a3`".to_owned()),
        }
    }
}

/// What becomes of calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum CallStyle {
    /// Evaluated in place; recursion without a bound is summarised
    Inline,
    /// Each function once, for all its calls
    Summary,
    /// A call that fails goes on in one copy in the entry, and one that returns has not failed: all checks are in the entry
    Mixed,
}
