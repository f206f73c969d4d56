//! Why a command could not do its work: an exit code and one sentence.

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The exit code.
    pub code: u8,
    /// One sentence.
    pub message: String,
}

impl Failure {
    /// With a code of the contract.
    pub fn new(code: u8, message: impl Into<String>) -> Failure {
        Failure {
            code,
            message: message.into(),
        }
    }

    /// The call is wrong.
    pub fn usage(message: impl Into<String>) -> Failure {
        Failure::new(1, message)
    }

    /// The input cannot be used.
    pub fn input(message: impl Into<String>) -> Failure {
        Failure::new(2, message)
    }

    /// Our fault.
    pub fn internal(message: impl Into<String>) -> Failure {
        Failure::new(6, message)
    }

    /// The word for `RESULT: error(…)`.
    pub fn word(&self) -> &'static str {
        match self.code {
            1 => "usage",
            2 => "input",
            _ => "internal",
        }
    }
}
