//! `scanf`, for the conversions that programs use to read numbers and words.

use super::printf::{Further, Length, number};
use super::{HostCall, Stdio};

/// Where characters come from.
pub(super) trait Source {
    /// The next character, which stays there.
    fn peek(&mut self) -> Option<u8>;
    /// Takes the next character.
    fn skip(&mut self);
}

/// The host's input.
pub(super) struct FromInput<'a, 'b>(pub(super) &'a mut Stdio<'b>);

impl Source for FromInput<'_, '_> {
    fn peek(&mut self) -> Option<u8> {
        self.0.peek()
    }

    fn skip(&mut self) {
        self.0.next();
    }
}

/// A string.
pub(super) struct FromText {
    pub(super) text: Vec<u8>,
    pub(super) at: usize,
}

impl Source for FromText {
    fn peek(&mut self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip(&mut self) {
        self.at += 1;
    }
}

/// Reads by a format; the number of conversions that were stored, or -1.
pub(super) fn scan(
    call: &mut HostCall<'_>,
    source: &mut dyn Source,
    format: &[u8],
    further: &mut Further,
) -> Result<i64, String> {
    let mut stored = 0;
    let mut at = 0;
    while at < format.len() {
        let byte = format[at];
        at += 1;
        if is_space(byte) {
            skip_space(source);
            continue;
        }
        if byte != b'%' {
            match source.peek() {
                Some(next) if next == byte => source.skip(),
                Some(_) => return Ok(stored),
                None => return Ok(if stored == 0 { -1 } else { stored }),
            }
            continue;
        }
        let suppressed = format.get(at) == Some(&b'*');
        at += usize::from(suppressed);
        let width = match number(format, &mut at) {
            0 => usize::MAX,
            width => width,
        };
        let length = Length::parse(format, &mut at);
        let Some(&conversion) = format.get(at) else {
            return Err("the format ends in the middle".to_string());
        };
        at += 1;
        if !matches!(conversion, b'c' | b'%') {
            skip_space(source);
        }
        if source.peek().is_none() {
            return Ok(if stored == 0 { -1 } else { stored });
        }
        let bytes = match conversion {
            b'%' => match take_while(source, 1, |next, _| next == b'%').is_empty() {
                true => return Ok(stored),
                false => continue,
            },
            b'd' | b'u' | b'x' | b'X' | b'i' | b'o' => {
                let (radix, hex) = match conversion {
                    b'x' | b'X' => (16, true),
                    b'o' => (8, false),
                    _ => (10, false),
                };
                let text = take_while(source, width, |next, so_far| {
                    let digits = so_far.strip_prefix(b"-").unwrap_or(so_far);
                    match next {
                        b'-' | b'+' => so_far.is_empty(),
                        b'x' | b'X' => (hex || conversion == b'i') && digits == b"0",
                        _ => match conversion {
                            b'i' if digits.starts_with(b"0x") => next.is_ascii_hexdigit(),
                            _ => char::from(next).is_digit(radix),
                        },
                    }
                });
                match parse_integer(&text, if conversion == b'i' { 0 } else { radix }) {
                    Some((value, _)) => {
                        let size = length.bytes(call) as usize;
                        value.to_le_bytes()[..size].to_vec()
                    }
                    None => return Ok(stored),
                }
            }
            b'f' | b'e' | b'g' => {
                let text = take_while(source, width, |next, _| {
                    next.is_ascii_digit() || matches!(next, b'+' | b'-' | b'.' | b'e' | b'E')
                });
                let text = String::from_utf8_lossy(&text).into_owned();
                match (length, text.parse::<f64>()) {
                    (_, Err(_)) => return Ok(stored),
                    (Length::Int, Ok(_)) => match text.parse::<f32>() {
                        Ok(value) => value.to_le_bytes().to_vec(),
                        Err(_) => return Ok(stored),
                    },
                    (Length::Long, Ok(value)) => value.to_le_bytes().to_vec(),
                    (_, Ok(_)) => return Err("reading long double is not supported".to_string()),
                }
            }
            b's' => {
                let mut text = take_while(source, width, |next, _| !is_space(next));
                text.push(0);
                text
            }
            b'c' => {
                let count = if width == usize::MAX { 1 } else { width };
                take_while(source, count, |_, _| true)
            }
            other => {
                return Err(format!(
                    "the conversion %{} is not supported",
                    char::from(other)
                ));
            }
        };
        if !suppressed {
            let to = further.pointer(call)?;
            call.store(to, &bytes)?;
            stored += 1;
        }
    }
    Ok(stored)
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn skip_space(source: &mut dyn Source) {
    while source.peek().is_some_and(is_space) {
        source.skip();
    }
}

fn take_while(source: &mut dyn Source, most: usize, accept: impl Fn(u8, &[u8]) -> bool) -> Vec<u8> {
    let mut text = Vec::new();
    while text.len() < most {
        match source.peek() {
            Some(next) if accept(next, &text) => {
                text.push(next);
                source.skip();
            }
            Some(_) | None => break,
        }
    }
    text
}

/// An integer at the start of a text, after blanks, modulo 2^64, and where it ends. Radix 0
/// means that the prefix decides.
pub(super) fn parse_integer(text: &[u8], radix: u32) -> Option<(u64, usize)> {
    let mut at = text.iter().take_while(|&&byte| is_space(byte)).count();
    let negative = text.get(at) == Some(&b'-');
    if matches!(text.get(at), Some(b'-' | b'+')) {
        at += 1;
    }
    let rest = &text[at..];
    let is_hex = rest.len() > 2
        && rest[0] == b'0'
        && matches!(rest[1], b'x' | b'X')
        && rest[2].is_ascii_hexdigit();
    let radix = match radix {
        0 | 16 if is_hex => {
            at += 2;
            16
        }
        0 if rest.first() == Some(&b'0') => 8,
        0 => 10,
        radix => radix,
    };
    let mut value = 0u64;
    let start = at;
    while let Some(digit) = text.get(at).and_then(|&b| char::from(b).to_digit(radix)) {
        value = value.wrapping_mul(radix.into()).wrapping_add(digit.into());
        at += 1;
    }
    if at == start {
        return None;
    }
    Some((
        if negative {
            value.wrapping_neg()
        } else {
            value
        },
        at,
    ))
}
