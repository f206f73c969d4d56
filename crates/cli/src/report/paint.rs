//! Colours, where a terminal shows them.

use std::io::IsTerminal;

/// Paints text, or leaves it as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Paint {
    on: bool,
}

impl Paint {
    /// For a stream: colours on a terminal, unless `NO_COLOR` is set.
    pub fn of(stream: &impl IsTerminal) -> Paint {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Paint {
            on: stream.is_terminal() && !unwanted && !dumb,
        }
    }

    /// Colours, whatever the stream is.
    #[cfg(test)]
    pub fn always() -> Paint {
        Paint { on: true }
    }

    /// Are there colours?
    pub fn is_on(self) -> bool {
        self.on
    }

    /// What is wrong.
    pub fn error(self, text: &str) -> String {
        self.with("1;31", text)
    }

    /// What is not known.
    pub fn warning(self, text: &str) -> String {
        self.with("1;33", text)
    }

    /// What holds.
    pub fn good(self, text: &str) -> String {
        self.with("1;32", text)
    }

    /// What is to be read first.
    pub fn strong(self, text: &str) -> String {
        self.with("1", text)
    }

    /// Lines and numbers around the source.
    pub fn frame(self, text: &str) -> String {
        self.with("1;34", text)
    }

    fn with(self, code: &str, text: &str) -> String {
        match self.on {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Paint;

    #[test]
    fn colours_are_for_terminals() {
        assert_eq!(Paint::default().error("x"), "x");
        assert_eq!(Paint::always().error("x"), "\x1b[1;31mx\x1b[0m");
    }
}
