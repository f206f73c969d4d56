//! The back ends, and the only place where foreign code is touched.
//!
//! A row of [`BACKENDS`] declares a back end: its name on the command line, what it is good for, and its module's
//! function `open(argument, config)`.

use crate::answer::SolveError;
use crate::solver::{Config, Solver};

mod bitwuzla;
mod bitwuzla_model;
#[allow(unsafe_code, reason = "foreign code is called here; see the module")]
mod ffi_bitwuzla;
#[allow(unsafe_code, reason = "foreign code is called here; see the module")]
mod ffi_process;
#[allow(unsafe_code, reason = "foreign code is called here; see the module")]
mod ffi_spacer;
#[allow(unsafe_code, reason = "foreign code is called here; see the module")]
pub(crate) mod ffi_version;
#[allow(unsafe_code, reason = "foreign code is called here; see the module")]
mod ffi_z3;
mod smtlib;
mod smtlib_process;
mod smtlib_read;
pub(crate) mod spacer;
mod z3;
mod z3_model;
mod z3_read;

pub use ffi_process::claim_stdout;
pub use ffi_spacer::z3_says;

/// How a back end is opened: with what follows its name, and a configuration.
type Open = fn(&str, &Config) -> Result<Box<dyn Solver>, SolveError>;

/// A back end that can be opened by name.
#[derive(Clone, Copy)]
pub struct Backend {
    /// The name on the command line.
    pub name: &'static str,
    /// What must follow the name after a colon, if anything.
    pub argument: Option<&'static str>,
    /// One sentence for the help text.
    pub about: &'static str,
    open: Open,
}

/// Every back end, the default first.
pub const BACKENDS: &[Backend] = &[
    Backend {
        name: "bitwuzla",
        argument: None,
        about: "bit-vectors, arrays and floats; in process, the default",
        open: bitwuzla::open,
    },
    Backend {
        name: "z3",
        argument: None,
        about: "also integers and Horn clauses; in process",
        open: z3::open,
    },
    Backend {
        name: "smtlib",
        argument: Some("COMMAND"),
        about: "any SMT-LIB 2 program that reads from standard input",
        open: smtlib::open,
    },
];

/// Opens the back end that `spec` names: `bitwuzla`, `z3`, or `smtlib:COMMAND`.
pub(crate) fn open(spec: &str, config: &Config) -> Result<Box<dyn Solver>, SolveError> {
    let (name, argument) = match spec.split_once(':') {
        Some((name, argument)) => (name, Some(argument)),
        None => (spec, None),
    };
    let found = BACKENDS.iter().find(|backend| {
        backend.name == name
            && backend.argument.is_some() == argument.is_some_and(|text| !text.trim().is_empty())
    });
    match found {
        Some(backend) if argument.is_some() == backend.argument.is_some() => {
            (backend.open)(argument.unwrap_or(""), config)
        }
        Some(_) | None => Err(SolveError::UnknownBackend {
            name: spec.to_owned(),
            known: known(),
        }),
    }
}

/// The names of all back ends, for messages.
pub fn known() -> String {
    let name = |backend: &Backend| match backend.argument {
        Some(argument) => format!("{}:{argument}", backend.name),
        None => backend.name.to_owned(),
    };
    BACKENDS.iter().map(name).collect::<Vec<_>>().join(", ")
}
