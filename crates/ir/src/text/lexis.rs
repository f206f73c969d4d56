//! Symbols and strings as they are written in the text.

use std::fmt;

/// May this character stand in a symbol without quotes?
pub fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$')
}

/// `@main`, or `@"odd name"`.
pub struct Symbol<'a>(pub &'a str);

impl fmt::Display for Symbol<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.is_empty() && self.0.bytes().all(is_symbol_byte) {
            write!(f, "@{}", self.0)
        } else {
            write!(f, "@{}", Quoted(self.0))
        }
    }
}

/// `"text"`: quotes, backslashes and control characters are `\` and two hexadecimal digits.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        let mut rest = self.0;
        while let Some(at) = rest.find(|c: char| c.is_ascii_control() || c == '"' || c == '\\') {
            let byte = rest.as_bytes()[at];
            write!(f, "{}\\{byte:02x}", &rest[..at])?;
            rest = &rest[at + 1..];
        }
        write!(f, "{rest}\"")
    }
}

/// `"a\00b"`: bytes, those that are not printable ASCII as `\` and two hexadecimal digits.
pub struct Bytes<'a>(pub &'a [u8]);

impl fmt::Display for Bytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"")?;
        for &byte in self.0 {
            match byte {
                b'"' | b'\\' => write!(f, "\\{byte:02x}")?,
                b' '..=b'~' => write!(f, "{}", char::from(byte))?,
                _ => write!(f, "\\{byte:02x}")?,
            }
        }
        f.write_str("\"")
    }
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Quoted, Symbol};

    #[test]
    fn odd_names_are_quoted() {
        assert_eq!(Symbol("main.f$1").to_string(), "@main.f$1");
        assert_eq!(Symbol("").to_string(), "@\"\"");
        assert_eq!(Symbol("a-b").to_string(), "@\"a-b\"");
        assert_eq!(Symbol("é").to_string(), "@\"é\"");
    }

    #[test]
    fn quotes_and_control_characters_are_escaped() {
        assert_eq!(Quoted("a\"b\\c\né").to_string(), r#""a\22b\5cc\0aé""#);
        assert_eq!(Bytes(b"a\"\0\xff~").to_string(), r#""a\22\00\ff~""#);
    }
}
