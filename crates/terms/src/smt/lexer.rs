//! SMT-LIB's tokens, with their lines and columns.

use std::sync::Arc;

use base::Place;

use crate::smt::read::ReadError;

/// A token. Texts are parts of the input, without quotes and prefixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'t> {
    Open,
    Close,
    Symbol(&'t str),
    Keyword(&'t str),
    Numeral(&'t str),
    Decimal(&'t str),
    Hex(&'t str),
    Binary(&'t str),
    Text(&'t str),
}

/// Where a token begins; lines and columns from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Spot {
    pub(crate) line: u32,
    pub(crate) col: u32,
}

/// Reads tokens one after the other.
pub(crate) struct Lexer<'t> {
    file: Arc<str>,
    text: &'t str,
    /// The next byte to look at.
    next: usize,
    line: u32,
    /// A byte of the current line whose column is known; columns are counted from there, so that long lines cost no more.
    mark: usize,
    mark_col: u32,
    /// A token that was looked at but not taken.
    peeked: Option<(Token<'t>, Spot)>,
    /// Where that token begins, in bytes.
    peeked_at: usize,
}

impl<'t> Lexer<'t> {
    pub(crate) fn new(file: &str, text: &'t str) -> Lexer<'t> {
        Lexer {
            file: file.into(),
            text,
            next: 0,
            line: 1,
            mark: 0,
            mark_col: 1,
            peeked: None,
            peeked_at: 0,
        }
    }

    /// The error with this message at this spot.
    pub(crate) fn error(&self, spot: Spot, message: impl Into<String>) -> ReadError {
        let place = Place {
            file: self.file.clone(),
            line: spot.line,
            col: spot.col,
        };
        ReadError {
            place,
            message: message.into(),
        }
    }

    /// Where the next token begins, or the end of the text.
    pub(crate) fn spot(&mut self) -> Spot {
        match self.peeked {
            Some((_, spot)) => spot,
            None => {
                self.skip_blanks();
                self.here()
            }
        }
    }

    /// The next token, to be taken later.
    pub(crate) fn peek(&mut self) -> Result<Option<Token<'t>>, ReadError> {
        if self.peeked.is_none() {
            self.skip_blanks();
            self.peeked_at = self.next;
            self.peeked = self.lex()?;
        }
        Ok(self.peeked.map(|(token, _)| token))
    }

    /// Takes the next token, if there is one.
    pub(crate) fn next(&mut self) -> Result<Option<(Token<'t>, Spot)>, ReadError> {
        match self.peeked.take() {
            Some(token) => Ok(Some(token)),
            None => self.lex(),
        }
    }

    /// Takes the next token; the end of the text is an error.
    pub(crate) fn expect_any(&mut self) -> Result<(Token<'t>, Spot), ReadError> {
        match self.next()? {
            Some(token) => Ok(token),
            None => {
                let spot = self.here();
                Err(self.error(spot, "unexpected end of input"))
            }
        }
    }

    pub(crate) fn expect_open(&mut self) -> Result<Spot, ReadError> {
        match self.expect_any()? {
            (Token::Open, spot) => Ok(spot),
            (_, spot) => Err(self.error(spot, "expected `(`")),
        }
    }

    pub(crate) fn expect_close(&mut self) -> Result<Spot, ReadError> {
        match self.expect_any()? {
            (Token::Close, spot) => Ok(spot),
            (_, spot) => Err(self.error(spot, "expected `)`")),
        }
    }

    pub(crate) fn expect_symbol(&mut self) -> Result<(&'t str, Spot), ReadError> {
        match self.expect_any()? {
            (Token::Symbol(name), spot) => Ok((name, spot)),
            (_, spot) => Err(self.error(spot, "expected a symbol")),
        }
    }

    pub(crate) fn expect_number(&mut self) -> Result<u32, ReadError> {
        match self.expect_any()? {
            (Token::Numeral(digits), spot) => digits
                .parse()
                .map_err(|_| self.error(spot, "the number is too great")),
            (_, spot) => Err(self.error(spot, "expected a number")),
        }
    }

    /// Where the next token that has not been looked at begins, in bytes.
    pub(crate) fn offset(&self) -> usize {
        match self.peeked {
            Some(_) => self.peeked_at,
            None => self.next,
        }
    }

    /// The text from an offset to the next token.
    pub(crate) fn text_since(&self, start: usize) -> &'t str {
        &self.text[start..self.offset()]
    }

    fn here(&mut self) -> Spot {
        self.mark_col += self.text[self.mark..self.next].chars().count() as u32;
        self.mark = self.next;
        Spot {
            line: self.line,
            col: self.mark_col,
        }
    }

    /// Notes that a line begins at this byte.
    fn begin_line(&mut self, at: usize) {
        self.line += 1;
        self.mark = at;
        self.mark_col = 1;
    }

    fn skip_blanks(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.next) {
            match byte {
                b'\n' => {
                    self.next += 1;
                    self.begin_line(self.next);
                }
                b' ' | b'\t' | b'\r' => self.next += 1,
                b';' => {
                    let rest = &bytes[self.next..];
                    self.next += rest
                        .iter()
                        .position(|&byte| byte == b'\n')
                        .unwrap_or(rest.len());
                }
                _ => break,
            }
        }
    }

    /// Takes bytes while `test` holds.
    fn take(&mut self, test: impl Fn(u8) -> bool) -> &'t str {
        let rest = &self.text[self.next..];
        let len = rest
            .bytes()
            .position(|byte| !test(byte))
            .unwrap_or(rest.len());
        self.next += len;
        &rest[..len]
    }

    fn lex(&mut self) -> Result<Option<(Token<'t>, Spot)>, ReadError> {
        self.skip_blanks();
        let spot = self.here();
        let Some(&byte) = self.text.as_bytes().get(self.next) else {
            return Ok(None);
        };
        let token = match byte {
            b'(' => {
                self.next += 1;
                Token::Open
            }
            b')' => {
                self.next += 1;
                Token::Close
            }
            b'|' => Token::Symbol(self.quoted(b'|', spot, "a quoted symbol")?),
            b'"' => Token::Text(self.quoted(b'"', spot, "a string")?),
            b':' => {
                self.next += 1;
                Token::Keyword(self.take(is_symbol_byte))
            }
            b'#' => self.constant(spot)?,
            b'0'..=b'9' => {
                let whole = self.take(is_number_byte);
                if whole.contains('.') {
                    Token::Decimal(whole)
                } else {
                    Token::Numeral(whole)
                }
            }
            _ if is_symbol_byte(byte) => Token::Symbol(self.take(is_symbol_byte)),
            _ => {
                let character = self.text[self.next..].chars().next().unwrap_or('?');
                return Err(self.error(spot, format!("unexpected character {character:?}")));
            }
        };
        if let Token::Numeral(digits) | Token::Decimal(digits) = token {
            let well =
                digits.split('.').count() <= 2 && digits.split('.').all(|part| !part.is_empty());
            if !well
                || self.text[self.next..]
                    .starts_with(|c: char| c.is_ascii() && is_symbol_byte(c as u8))
            {
                return Err(self.error(spot, "malformed number"));
            }
        }
        Ok(Some((token, spot)))
    }

    /// A `#x` or `#b` constant.
    fn constant(&mut self, spot: Spot) -> Result<Token<'t>, ReadError> {
        self.next += 1;
        let word = self.take(|byte| byte.is_ascii_alphanumeric());
        let binary = word
            .strip_prefix('b')
            .filter(|digits| digits.bytes().all(|digit| matches!(digit, b'0' | b'1')));
        let hex = word
            .strip_prefix('x')
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match (binary, hex) {
            (Some(digits), _) if !digits.is_empty() => Ok(Token::Binary(digits)),
            (_, Some(digits)) if !digits.is_empty() => Ok(Token::Hex(digits)),
            _ => Err(self.error(spot, "malformed constant after `#`")),
        }
    }

    /// What stands between two `quote` bytes. In strings a doubled quote is one and stays doubled here.
    fn quoted(&mut self, quote: u8, spot: Spot, what: &str) -> Result<&'t str, ReadError> {
        let bytes = self.text.as_bytes();
        let start = self.next + 1;
        let mut end = start;
        loop {
            match bytes.get(end) {
                None => return Err(self.error(spot, format!("{what} does not end"))),
                Some(&byte)
                    if byte == quote && quote == b'"' && bytes.get(end + 1) == Some(&quote) =>
                {
                    end += 2
                }
                Some(&byte) if byte == quote => break,
                Some(b'\\') if quote == b'|' => {
                    return Err(self.error(spot, "a backslash in a quoted symbol"));
                }
                Some(b'\n') => {
                    end += 1;
                    self.begin_line(end);
                }
                Some(_) => end += 1,
            }
        }
        self.next = end + 1;
        Ok(&self.text[start..end])
    }
}

fn is_symbol_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

fn is_number_byte(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'.'
}
