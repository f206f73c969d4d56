//! Which engines there are. A new one is a crate and a line here.

use results::{Engine, Failure};

use crate::args::VerifyArgs;
use crate::pipeline::Program;

mod absint;
mod auto;
mod bounded;
mod chc;

pub use self::auto::part;
pub use self::chc::{Give, emitting};

/// From the command line to an engine with its settings.
type Make = fn(&VerifyArgs, &Program) -> Result<Box<dyn Engine>, Failure>;

/// An engine that can be chosen.
pub struct Entry {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    /// The engine, with its settings from the command line.
    pub make: Make,
}

/// Every engine that can be chosen by its name.
pub const ENGINES: &[Entry] = &[bounded::KIND, bounded::BMC, absint::ENTRY, chc::ENTRY];

/// What stands for whatever answers.
pub const AUTO: &str = "auto";

/// Engines of the contract, built or not.
const CONTRACT: [&str; 4] = ["bmc", "kind", "chc", "absint"];

/// The names that `--engine` takes, with what they mean.
pub fn names() -> Vec<(&'static str, String)> {
    let mut names = vec![(AUTO, auto::ENTRY.about.to_owned())];
    names.extend(
        ENGINES
            .iter()
            .map(|entry| (entry.name, entry.about.to_owned())),
    );
    let missing = CONTRACT.iter().filter(|name| find(name).is_none());
    names.extend(missing.map(|&name| (name, "Not built yet".to_owned())));
    names
}

/// The engine that the command line chooses.
pub fn choose(args: &VerifyArgs) -> Result<&'static Entry, Failure> {
    if args.engine == AUTO {
        return Ok(&auto::ENTRY);
    }
    let missing = || Failure::usage(format!("--engine {} is not built yet", args.engine));
    find(&args.engine).ok_or_else(missing)
}

fn find(name: &str) -> Option<&'static Entry> {
    ENGINES.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_there_once() {
        let names = names();
        let mut sorted: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(sorted.len(), names.len());
        let known = CONTRACT.iter().chain([&AUTO]);
        assert!(known.into_iter().all(|name| sorted.contains(name)));
    }
}
