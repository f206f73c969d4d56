//! What can go wrong before there is a program: one kind, one sentence.

use std::fmt;

/// Why there is no program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// Whose fault it is.
    pub kind: ErrorKind,
    /// One sentence (clang's own lines for what does not compile).
    pub message: String,
}

/// Whose fault an error is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The call: an unknown entry, a contradiction between options.
    Usage,
    /// The input: it cannot be read, compiled or linked.
    Input,
    /// The machine: clang is missing or does not run.
    Tool,
    /// Ours.
    Internal,
}

impl Error {
    /// An error of the call.
    pub fn usage(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Usage, message)
    }

    /// An error of the input.
    pub fn input(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Input, message)
    }

    /// An error of the machine.
    pub fn tool(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Tool, message)
    }

    /// An error of ours.
    pub fn internal(message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Internal, message)
    }

    fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error {
            kind,
            message: message.into(),
        }
    }

    /// The exit code of the command line for it.
    pub fn exit_code(&self) -> u8 {
        match self.kind {
            ErrorKind::Usage => 1,
            ErrorKind::Input | ErrorKind::Tool => 2,
            ErrorKind::Internal => 6,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
