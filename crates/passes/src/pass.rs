//! What a pass is, what it is told, how it fails, and who runs a list of them.

use checks::registry::CheckId;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::{Duration, Instant};

use ir::syntax::{Block, Module, Phase};

use crate::regions::Provider;

/// A transformation of modules. Passes never make a phase go backwards.
pub trait Pass {
    /// What `--dump-after` calls it.
    fn name(&self) -> &'static str;

    /// What it does, in one sentence.
    fn about(&self) -> &'static str;

    /// Transforms the module.
    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error>;
}

/// What a call of a function without a body means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExternMode {
    /// Any result, and any change to the memory that unknown code can reach.
    Havoc,
    /// Any result; memory stays as it is.
    Pure,
    /// An obligation that fails: the verdict is unknown if the call is reached.
    Error,
}

/// What a pointer from unknown code is that leads to no object of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExternPointers {
    /// Nobody knows: an obligation that fails only there is unknown.
    Unknown,
    /// Valid, unless it is null.
    Valid,
}

/// Who divides memory into regions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionMode {
    /// One region for everything.
    Flat,
    /// Regions for variables whose address stays where it is.
    Split,
    /// A points-to analysis, which also finds the targets of calls through pointers.
    Given(Provider),
}

/// How far loops and recursion are followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// How often a loop's back edges may be taken each time the loop is entered.
    pub unwind: u32,
    /// The same for single loops, by name (`main.loop.1`).
    pub unwind_set: BTreeMap<String, u32>,
    /// How many activations of one function may be alive at once.
    pub depth: u32,
    /// Instructions that the result may have.
    pub max_insts: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            unwind: 1,
            unwind_set: BTreeMap::new(),
            depth: 1,
            max_insts: 10_000_000,
        }
    }
}

/// When the rules of the IR are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Validate {
    /// After every pass, so that the one at fault is named.
    EachPass,
    /// After the last pass of a list only, for large programs.
    Last,
}

/// What the user chose, as far as passes ask.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// The checks that are on, by name. Checks that cannot be switched off need not be listed.
    pub checks: BTreeSet<CheckId>,
    /// What calls of functions without a body mean.
    pub extern_mode: ExternMode,
    /// What pointers from unknown code are.
    pub extern_pointers: ExternPointers,
    /// Do executions go on after a violated obligation?
    pub continue_after_failure: bool,
    /// Who divides memory.
    pub regions: RegionMode,
    /// How far loops and recursion are followed.
    pub bounds: Bounds,
    /// When the rules of the IR are checked.
    pub validate: Validate,
}

impl Default for Config {
    /// The default checks, and the defaults of the command line.
    fn default() -> Config {
        let defaults = checks::registry::expand("default").expect("the group `default` exists");
        Config {
            checks: defaults.into_iter().collect(),
            extern_mode: ExternMode::Havoc,
            extern_pointers: ExternPointers::Unknown,
            continue_after_failure: false,
            regions: RegionMode::Split,
            bounds: Bounds::default(),
            validate: Validate::EachPass,
        }
    }
}

/// Why a pass gave up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// The module is not in the phase that the pass works on.
    WrongPhase {
        /// The pass.
        pass: &'static str,
        /// What it works on.
        expected: Phase,
        /// What it was given.
        found: Phase,
    },
    /// The module has no entry with a body, and the pass needs one.
    NoEntry {
        /// The pass.
        pass: &'static str,
    },
    /// A loop can be entered at several blocks, and the pass needs one head for each loop.
    Irreducible {
        /// The pass.
        pass: &'static str,
        /// The function.
        func: String,
        /// A block of the loop.
        block: Block,
    },
    /// The module is not in the form that the pass continues from.
    WrongForm {
        /// The pass.
        pass: &'static str,
        /// What is missing.
        missing: &'static str,
    },
    /// The result would have more instructions than the limit.
    TooLarge {
        /// The pass.
        pass: &'static str,
        /// The limit.
        limit: usize,
    },
    /// A pass broke a rule of the IR, or was given IR that breaks one: our own fault.
    NotWellformed {
        /// The pass.
        pass: &'static str,
        /// Which rule, and where.
        rules: Vec<String>,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::WrongPhase {
                pass,
                expected,
                found,
            } => write!(
                f,
                "pass {pass} works on phase {expected:?}, but the module is {found:?}"
            ),
            Error::NoEntry { pass } => write!(f, "pass {pass} needs an entry with a body"),
            Error::Irreducible { pass, func, block } => write!(
                f,
                "pass {pass} needs loops with one head, but the loop at {block} of @{func} can be entered at several blocks"
            ),
            Error::WrongForm { pass, missing } => write!(f, "pass {pass} needs {missing}"),
            Error::TooLarge { pass, limit } => write!(
                f,
                "the result of pass {pass} has more than {limit} instructions"
            ),
            Error::NotWellformed { pass, rules } => {
                write!(f, "after pass {pass}: {}", rules.join("; "))
            }
        }
    }
}

impl std::error::Error for Error {}

/// How long a pass took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// The pass.
    pub pass: &'static str,
    /// Its own time, without the validation after it.
    pub time: Duration,
}

/// Runs the passes in order and validates the module after each (or after the last). `after` sees the module each
/// time, for `--dump-after` and `--save`.
pub fn run(
    passes: &[&dyn Pass],
    module: &mut Module,
    config: &Config,
    after: &mut dyn FnMut(&dyn Pass, &Module),
) -> Result<Vec<Timing>, Error> {
    let mut timings = Vec::with_capacity(passes.len());
    for (index, &pass) in passes.iter().enumerate() {
        let before = module.phase;
        let start = Instant::now();
        pass.run(module, config)?;
        timings.push(Timing {
            pass: pass.name(),
            time: start.elapsed(),
        });
        assert!(
            before <= module.phase,
            "pass {} went back from {before:?} to {:?}",
            pass.name(),
            module.phase
        );
        after(pass, module);
        let is_last = index + 1 == passes.len();
        if config.validate == Validate::EachPass || is_last {
            validate(pass.name(), module)?;
        }
    }
    Ok(timings)
}

/// Refuses a module in another phase.
pub(crate) fn expect_phase(
    pass: &'static str,
    expected: Phase,
    module: &Module,
) -> Result<(), Error> {
    if module.phase == expected {
        Ok(())
    } else {
        Err(Error::WrongPhase {
            pass,
            expected,
            found: module.phase,
        })
    }
}

fn validate(pass: &'static str, module: &Module) -> Result<(), Error> {
    ir::wellformed::check(module).map_err(|complaints| Error::NotWellformed {
        pass,
        rules: complaints.iter().map(ToString::to_string).collect(),
    })
}
