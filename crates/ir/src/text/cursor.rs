//! A line of text and a position in it: the reader's smallest steps.

use std::fmt;

use base::Id;

use crate::syntax::{FloatTy, Type};
use crate::text::lexis::is_symbol_byte;

/// Why a text is not IR, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Line, counted from one.
    pub line: u32,
    /// Column in characters, counted from one.
    pub col: u32,
    /// What is wrong: lower case, without full stop.
    pub message: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.col, self.message)
    }
}

impl std::error::Error for ReadError {}

/// What the reader's steps return.
pub(super) type Result<T> = std::result::Result<T, ReadError>;

/// A position in the text, cheap to keep for later complaints: line and byte in it, from zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Spot {
    pub line: u32,
    pub byte: u32,
}

/// A position in a line. Spaces and a comment at the end are skipped before each step.
#[derive(Clone)]
pub(super) struct Cursor<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl<'a> Cursor<'a> {
    /// The beginning of a line, whose number counts from zero.
    pub fn new(text: &'a str, line: u32) -> Cursor<'a> {
        let mut cursor = Cursor { text, at: 0, line };
        cursor.skip_space();
        cursor
    }

    /// The position in a line that [`Cursor::spot`] told before.
    pub fn at(text: &'a str, spot: Spot) -> Cursor<'a> {
        Cursor {
            text,
            at: text.len().min(spot.byte as usize),
            line: spot.line,
        }
    }

    fn skip_space(&mut self) {
        let bytes = self.text.as_bytes();
        while matches!(bytes.get(self.at), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
        if bytes.get(self.at) == Some(&b';') {
            self.at = bytes.len();
        }
    }

    /// Where it stands.
    pub fn spot(&self) -> Spot {
        Spot {
            line: self.line,
            byte: u32::try_from(self.at).unwrap_or(u32::MAX),
        }
    }

    /// An error at the present position.
    pub fn error(&self, message: impl Into<String>) -> ReadError {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        let col = before.chars().count() + 1;
        ReadError {
            line: self.line.saturating_add(1),
            col: u32::try_from(col).unwrap_or(u32::MAX),
            message: message.into(),
        }
    }

    /// The next byte, unless the line ends here.
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// Whether nothing but a comment follows.
    pub fn at_end(&self) -> bool {
        self.peek().is_none()
    }

    /// Fails unless the line ends here.
    pub fn expect_end(&self) -> Result<()> {
        if self.at_end() {
            Ok(())
        } else {
            Err(self.error("expected the end of the line"))
        }
    }

    /// Steps over a punctuation mark if it is next.
    pub fn eat(&mut self, mark: &str) -> bool {
        let found = self.text.as_bytes()[self.at..].starts_with(mark.as_bytes());
        if found {
            self.at += mark.len();
            self.skip_space();
        }
        found
    }

    /// Steps over a punctuation mark.
    pub fn expect(&mut self, mark: &str) -> Result<()> {
        if self.eat(mark) {
            Ok(())
        } else {
            Err(self.error(format!("expected `{mark}`")))
        }
    }

    /// The longest run of bytes of a kind, which may be empty; no step is taken.
    fn run(&self, kind: impl Fn(u8) -> bool) -> &'a str {
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest.iter().position(|&byte| !kind(byte));
        // The kinds are sets of ASCII characters, so that the run ends between characters.
        self.text
            .get(self.at..self.at + len.unwrap_or(rest.len()))
            .unwrap_or("")
    }

    fn step(&mut self, run: &str) {
        self.at += run.len();
        self.skip_space();
    }

    /// The next word (letters, digits, `_`, `.`, `$`) without a step over it.
    pub fn peek_word(&self) -> &'a str {
        self.run(is_symbol_byte)
    }

    /// Steps over a word; `what` says what is missing if there is none.
    pub fn word(&mut self, what: &str) -> Result<&'a str> {
        let word = self.peek_word();
        if word.is_empty() {
            return Err(self.error(format!("expected {what}")));
        }
        self.step(word);
        Ok(word)
    }

    /// Steps over this word if it is next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.peek_word() == word;
        if found {
            self.step(word);
        }
        found
    }

    /// Steps over this word.
    pub fn expect_word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word) {
            Ok(())
        } else {
            Err(self.error(format!("expected `{word}`")))
        }
    }

    /// Steps over a run of letters, digits and `_.$-`: the name of an obligation.
    pub fn dashed_word(&mut self) -> &'a str {
        let word = self.run(|byte| is_symbol_byte(byte) || byte == b'-');
        self.step(word);
        word
    }

    /// Is the next word an id of this kind, like `v3`?
    pub fn at_id<I: Id>(&self) -> bool {
        id_digits::<I>(self.peek_word()).is_some()
    }

    /// Steps over an id.
    pub fn id<I: Id>(&mut self) -> Result<I> {
        let word = self.peek_word();
        let index = id_digits::<I>(word).and_then(|digits| digits.parse::<u32>().ok());
        match index {
            Some(index) if index < u32::MAX => {
                self.step(word);
                Ok(I::from_index(index as usize))
            }
            Some(_) | None => Err(self.error(format!("expected a number like `{}0`", I::PREFIX))),
        }
    }

    /// Steps over digits that make a number of at most 64 bits.
    pub fn number<N: std::str::FromStr>(&mut self, what: &str) -> Result<N> {
        let digits = self.run(|byte| byte.is_ascii_digit());
        match digits.parse() {
            Ok(number) => {
                self.step(digits);
                Ok(number)
            }
            Err(_) => Err(self.error(format!("expected {what}"))),
        }
    }

    /// Steps over decimal digits, which may be none.
    pub fn decimal_digits(&mut self) -> &'a str {
        let digits = self.run(|byte| byte.is_ascii_digit());
        self.step(digits);
        digits
    }

    /// Steps over hexadecimal digits, which may be none.
    pub fn hex_digits(&mut self) -> &'a str {
        let digits = self.run(|byte| byte.is_ascii_hexdigit());
        self.step(digits);
        digits
    }

    /// Steps over a quoted string of bytes.
    pub fn bytes(&mut self) -> Result<Vec<u8>> {
        let all = self.text.as_bytes();
        if self.peek() != Some(b'"') {
            return Err(self.error("expected a string in quotes"));
        }
        let mut bytes = Vec::new();
        let mut at = self.at + 1;
        loop {
            match all.get(at) {
                None => return Err(self.error("the string has no end")),
                Some(b'"') => break,
                Some(b'\\') => {
                    let digits = self.text.get(at + 1..at + 3);
                    let plain = |digits: &&str| digits.bytes().all(|b| b.is_ascii_hexdigit());
                    let byte = digits
                        .filter(plain)
                        .and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    bytes.push(byte.ok_or_else(|| {
                        self.error("a backslash in a string needs two hexadecimal digits")
                    })?);
                    at += 3;
                }
                Some(&byte) => {
                    bytes.push(byte);
                    at += 1;
                }
            }
        }
        self.at = at + 1;
        self.skip_space();
        Ok(bytes)
    }

    /// Steps over a quoted string of characters.
    pub fn string(&mut self) -> Result<String> {
        let start = self.clone();
        String::from_utf8(self.bytes()?).map_err(|_| start.error("the string is not UTF-8"))
    }

    /// Steps over `@name` or `@"odd name"`.
    pub fn symbol(&mut self) -> Result<String> {
        let start = self.clone();
        if self.peek() != Some(b'@') {
            return Err(self.error("expected a name that begins with `@`"));
        }
        self.at += 1;
        if self.peek() == Some(b'"') {
            return self.string();
        }
        let name = self.peek_word();
        if name.is_empty() {
            return Err(start.error("`@` without a name"));
        }
        self.step(name);
        Ok(name.to_owned())
    }

    /// Steps over a type.
    pub fn ty(&mut self) -> Result<Type> {
        let start = self.clone();
        let word = self.word("a type")?;
        if word == "mem" {
            return Ok(Type::Mem(self.id()?));
        }
        simple_type(word).ok_or_else(|| start.error(format!("`{word}` is no type")))
    }

    /// Steps over types with commas between them.
    pub fn types(&mut self) -> Result<Vec<Type>> {
        let mut types = vec![self.ty()?];
        while self.eat(",") {
            types.push(self.ty()?);
        }
        Ok(types)
    }
}

fn id_digits<I: Id>(word: &str) -> Option<&str> {
    let digits = word.strip_prefix(I::PREFIX)?;
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then_some(digits)
}

/// The type with this word; memories have two words and are not among them.
pub(super) fn simple_type(word: &str) -> Option<Type> {
    if word == "ptr" {
        return Some(Type::Ptr);
    }
    if let Some(float) = FloatTy::from_name(word) {
        return Some(Type::Float(float));
    }
    let digits = word.strip_prefix('i')?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    let width = digits.parse().ok().filter(|_| plain)?;
    (1..=base::bv::MAX_WIDTH)
        .contains(&width)
        .then_some(Type::Int(width))
}
