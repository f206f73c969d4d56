//! The words of a preprocessed C file, with where they stand.

use std::ops::Range;

/// What a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A name or a keyword.
    Name,
    /// A number.
    Number,
    /// A string or a character.
    Quoted,
    /// Anything else: one character, or `==>`, `..`, an operator of two.
    Mark,
}

/// A word of the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token<'t> {
    /// What it is.
    pub kind: Kind,
    /// Its text.
    pub text: &'t str,
    /// Where it stands.
    pub at: usize,
}

impl Token<'_> {
    /// The bytes of the text that it takes.
    pub fn range(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }

    /// Is it this mark or name?
    pub fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Quoted
    }
}

/// Marks of more than one character that must not be taken apart.
const LONG: &[&str] = &[
    "==>", "...", "<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", "->", "++", "--", "<<", ">>",
    "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##",
];

/// The words of a text; comments and lines for the preprocessor are none.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut list = Vec::new();
    let mut at = 0;
    let mut line_begins = true;
    while let Some(&byte) = bytes.get(at) {
        let rest = &text[at..];
        let begins = std::mem::replace(&mut line_begins, false);
        let (kind, length) = match byte {
            b'\n' => {
                line_begins = true;
                at += 1;
                continue;
            }
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                line_begins = begins;
                at += 1;
                continue;
            }
            b'#' if begins => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with("//") => {
                at += rest.find('\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with("/*") => {
                at += rest.find("*/").map_or(rest.len(), |end| end + 2);
                line_begins = begins;
                continue;
            }
            b'"' | b'\'' => (Kind::Quoted, quoted(rest)),
            b'0'..=b'9' => (Kind::Number, number(rest)),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => (Kind::Name, name(rest)),
            _ => {
                let mut long = LONG.iter();
                let found = long.find(|mark| rest.starts_with(**mark));
                (Kind::Mark, found.map_or(1, |mark| mark.len()))
            }
        };
        let text = &text[at..at + length];
        list.push(Token { kind, text, at });
        at += length;
    }
    list
}

fn name(rest: &str) -> usize {
    let inside = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || !c.is_ascii();
    rest.find(|c| !inside(c)).unwrap_or(rest.len())
}

/// Digits, letters, points, and signs behind an exponent.
fn number(rest: &str) -> usize {
    let mut before = ' ';
    let mut end = rest.len();
    for (at, c) in rest.char_indices() {
        let sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E' | 'p' | 'P');
        // `0 .. n` is a range, `0.5` a number.
        let point = c == '.' && before != '.' && !rest[at..].starts_with("..");
        if !(c.is_alphanumeric() || point || sign) {
            end = at;
            break;
        }
        before = c;
    }
    end
}

/// Up to the quote that closes.
fn quoted(rest: &str) -> usize {
    let mut characters = rest.char_indices();
    let open = characters.next().map(|(_, c)| c);
    while let Some((at, c)) = characters.next() {
        if c == '\\' {
            characters.next();
        } else if Some(c) == open || c == '\n' {
            return at + 1;
        }
    }
    rest.len()
}

/// The index of the bracket that closes the one at `open`.
pub fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        if token.kind != Kind::Mark {
            continue;
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts between marks of one kind that stand in no bracket.
pub fn split<'s, 't>(tokens: &'s [Token<'t>], mark: &str) -> Vec<&'s [Token<'t>]> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != Kind::Mark {
            continue;
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            text if text == mark && depth == 0 => {
                parts.push(&tokens[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&tokens[start..]);
    parts
}

/// Words as text again.
pub fn join(tokens: &[Token<'_>]) -> String {
    let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{closing, split, tokens};

    fn words(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text).collect()
    }

    #[test]
    fn words_are_found() {
        assert_eq!(
            words(
                "# 1 \"f.c\"\nint f(int x) // a\n{ return x==>1.5e+3 /* b */ ? '\\'' : \"a)\"; }"
            ),
            [
                "int", "f", "(", "int", "x", ")", "{", "return", "x", "==>", "1.5e+3", "?",
                "'\\''", ":", "\"a)\"", ";", "}"
            ]
        );
        assert_eq!(words("a->b&&c"), ["a", "->", "b", "&&", "c"]);
    }

    #[test]
    fn brackets_belong_together() {
        let list = tokens("f(a[1], (b), g{c}) d");
        assert_eq!(closing(&list, 1), Some(list.len() - 2));
        assert_eq!(split(&list[2..list.len() - 2], ",").len(), 3);
        assert_eq!(closing(&tokens("(("), 0), None);
    }
}
