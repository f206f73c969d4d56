//! What a run may do, and how.

pub use results::trace::GlobalChoice;

use crate::choices::Fill;

/// What happens when an obligation is violated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AfterFailure {
    /// The execution ends, as the IR says.
    #[default]
    Stop,
    /// The violation is noted and the execution goes on: every operation is total.
    Continue,
}

/// What a volatile read yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Volatile {
    /// As the IR says: any value, a free choice, unless the object is on stack or heap.
    #[default]
    Any,
    /// What was written last, as on a machine without devices.
    Memory,
}

/// Is the list of choices kept?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Record {
    /// Kept: [`Run::trace`](crate::Run::trace) replays the run exactly.
    #[default]
    On,
    /// Not kept: long runs allocate often, and each allocation is a choice.
    Off,
}

/// Is it noted that the execution depends on addresses?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Looks {
    /// Not noted, which is faster.
    #[default]
    Ignored,
    /// Noted: [`Run::looked`](crate::Run::looked).
    Noted,
}

/// Is it noted which ways executions take at branches?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ways {
    /// Not noted, which is faster.
    #[default]
    Ignored,
    /// Noted: [`Run::ways`](crate::Run::ways).
    Noted,
}

/// Limits and modes of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Instructions that may be executed; copying and setting memory counts a step more for
    /// every 16 bytes.
    pub step_limit: u64,
    /// Bytes of the host's memory that the program's memory and frames may take.
    pub memory_limit: u64,
    /// Activations that may be nested.
    pub depth_limit: usize,
    /// Stop at the first violated obligation or not.
    pub after_failure: AfterFailure,
    /// The meaning of volatile reads.
    pub volatile: Volatile,
    /// Keep the list of choices or not.
    pub record: Record,
    /// Note looks at addresses or not.
    pub looks: Looks,
    /// Note the ways taken at branches or not.
    pub ways: Ways,
    /// Memory that belongs to no object, by address: what it holds at the start. Without it such
    /// addresses cannot be accessed.
    pub unknown: Option<Fill>,
    /// Choices about globals; the others get an address of ours, and zeros for `any` bytes.
    pub globals: Vec<GlobalChoice>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            step_limit: u64::MAX,
            memory_limit: 1 << 30,
            depth_limit: 1 << 20,
            after_failure: AfterFailure::Stop,
            volatile: Volatile::Any,
            record: Record::On,
            looks: Looks::Ignored,
            ways: Ways::Ignored,
            unknown: None,
            globals: Vec::new(),
        }
    }
}
