//! What the caller chooses.

use checks::registry::CheckId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::params::Rules;

/// Sizes of C's types.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// 64-bit pointers and `long`.
    #[default]
    Lp64,
    /// 32-bit `int`, `long` and pointers.
    Ilp32,
}

/// How much LLVM may simplify.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum OptLevel {
    /// Nothing.
    None,
    /// Local variables become registers.
    Registers,
    /// All passes of the list.
    #[default]
    Full,
}

impl OptLevel {
    /// The level of that number.
    pub fn from_number(number: u32) -> Option<OptLevel> {
        match number {
            0 => Some(OptLevel::None),
            1 => Some(OptLevel::Registers),
            2 => Some(OptLevel::Full),
            _ => None,
        }
    }
}

/// Who reads and writes streams.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Stdio {
    /// Models: any input, and output goes nowhere.
    #[default]
    Modelled,
    /// Functions without a body, for an interpreter that has its own.
    Host,
}

/// What a volatile read yields.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Volatile {
    /// What was written last to local variables and heap objects, and what a pointer holds; any
    /// value elsewhere.
    #[default]
    Mixed,
    /// Any value.
    Any,
    /// What was written last.
    Last,
}

/// What is wanted of clang's words about a program that compiles; its errors are always told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Warnings {
    /// None.
    #[default]
    Silent,
    /// As they are.
    Plain,
    /// With colours, as a terminal shows them; errors too.
    Coloured,
}

/// What to load, and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Source, assembly or bitcode files; they are linked.
    pub files: Vec<PathBuf>,
    /// Further arguments of clang.
    pub cflags: Vec<String>,
    /// Arguments of clang for one file, before those for all.
    pub file_flags: BTreeMap<PathBuf, Vec<String>>,
    /// Folders with header files.
    pub includes: Vec<PathBuf>,
    /// Macros, `X` or `X=Y`.
    pub defines: Vec<String>,
    /// Sizes of types, for C and C++ files.
    pub data_model: DataModel,
    /// The function that is run.
    pub entry: String,
    /// Is it to keep to its contract, and are the functions replaced that it calls and that have one?
    pub contracts: bool,
    /// What is said of the arguments of an entry other than `main`.
    pub params: Rules,
    /// The functions that must not be called, if they are others than those that everybody knows.
    pub error_functions: Vec<String>,
    /// How much LLVM may simplify.
    pub opt: OptLevel,
    /// The checks that are on, by their names in the registry.
    pub checks: BTreeSet<CheckId>,
    /// Is it asked which lines and branches are reached?
    pub cover: bool,
    /// May `malloc` return null?
    pub malloc_may_fail: bool,
    /// What a volatile read yields.
    pub volatile: Volatile,
    /// Ranges of addresses (first and last) that belong to devices.
    pub mmio: Vec<(u64, u64)>,
    /// May unknown code call the functions that it can name?
    pub unknown_calls: bool,
    /// Are the models of library functions linked?
    pub models: bool,
    /// Is it wanted which of the obligations that LLVM takes away were reached?
    pub statuses: bool,
    /// Who reads and writes streams?
    pub stdio: Stdio,
    /// Does the execution go on after a violated obligation?
    pub continue_after_failure: bool,
    /// Where `include/` and `models/` are, if not at the usual places.
    pub lib_dir: Option<PathBuf>,
    /// Where bitcode is kept that was compiled once, if it is ([`crate::cache`]).
    pub cache: Option<PathBuf>,
    /// Where to keep the stages.
    pub save: Option<PathBuf>,
    /// What is wanted of clang's words.
    pub warnings: Warnings,
}

impl Options {
    /// The defaults, for these files.
    pub fn new(files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Options {
        Options {
            files: files.into_iter().map(Into::into).collect(),
            cflags: Vec::new(),
            file_flags: BTreeMap::new(),
            includes: Vec::new(),
            defines: Vec::new(),
            data_model: DataModel::Lp64,
            entry: "main".to_owned(),
            contracts: false,
            params: Rules::default(),
            error_functions: Vec::new(),
            opt: OptLevel::Full,
            checks: CheckId::all().filter(|id| id.check().default).collect(),
            cover: false,
            malloc_may_fail: false,
            volatile: Volatile::Mixed,
            mmio: Vec::new(),
            unknown_calls: false,
            models: true,
            statuses: true,
            stdio: Stdio::Modelled,
            continue_after_failure: false,
            lib_dir: None,
            cache: None,
            save: None,
            warnings: Warnings::Silent,
        }
    }

    /// Is the check on?
    pub fn has(&self, check: CheckId) -> bool {
        self.checks.contains(&check)
    }
}
