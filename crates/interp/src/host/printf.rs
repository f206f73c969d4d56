//! `printf`: formats and their arguments.
//!
//! The further arguments lie in memory, one after the other in slots of a pointer's size, as the
//! machine's calling convention has them.

use ir::syntax::FloatTy;

use super::HostCall;
use super::decimal::{Kind, Parts, expand, parts};
use crate::memory::Pointer;

/// The greatest width or precision of a conversion.
const WIDEST: usize = 1 << 20;

/// Arguments of a variable number, read one after the other.
pub(super) struct Further {
    at: Pointer,
}

impl Further {
    /// Those of a call, from its hidden last argument.
    pub(super) fn of(call: &HostCall<'_>) -> Result<Further, String> {
        let last = call
            .args
            .len()
            .checked_sub(1)
            .ok_or("arguments are missing")?;
        Ok(Further {
            at: call.pointer(last)?,
        })
    }

    /// Those of a `va_list`.
    pub(super) fn of_list(call: &mut HostCall<'_>, list: Pointer) -> Result<Further, String> {
        if call.pointer_bytes() == 4 {
            return Ok(Further { at: list });
        }
        let field = Pointer {
            address: list.address.wrapping_add(8),
            object: list.object,
        };
        Ok(Further {
            at: call.load_pointer(field)?,
        })
    }

    /// The next argument's bytes.
    fn take(&mut self, call: &mut HostCall<'_>, size: u64, align: u64) -> Result<Vec<u8>, String> {
        let word = call.pointer_bytes();
        let aligned = self.at.address.checked_next_multiple_of(align);
        self.at.address = aligned.ok_or("the arguments are outside memory")?;
        let bytes = call.bytes(self.at, size)?;
        self.at.address = self.at.address.wrapping_add(size.next_multiple_of(word));
        Ok(bytes)
    }

    /// The next integer of so many bytes.
    pub(super) fn int(&mut self, call: &mut HostCall<'_>, size: u64) -> Result<u64, String> {
        let bytes = self.take(call, size, call.pointer_bytes())?;
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(&bytes);
        Ok(u64::from_le_bytes(word))
    }

    /// The next pointer.
    pub(super) fn pointer(&mut self, call: &mut HostCall<'_>) -> Result<Pointer, String> {
        let at = self.at;
        self.take(call, call.pointer_bytes(), call.pointer_bytes())?;
        call.load_pointer(at)
    }

    fn float(&mut self, call: &mut HostCall<'_>, length: Length) -> Result<Parts, String> {
        let word = call.pointer_bytes();
        if length != Length::LongDouble {
            let bits = u64::from_le_bytes(
                self.take(call, 8, word)?
                    .try_into()
                    .map_err(|_| "a double has eight bytes".to_string())?,
            );
            return Ok(parts(FloatTy::F64, bits.into()));
        }
        let (size, align) = if word == 8 { (16, 16) } else { (12, 4) };
        let bytes = self.take(call, size, align)?;
        let mut all = [0; 16];
        all[..10].copy_from_slice(&bytes[..10]);
        Ok(parts(FloatTy::F80, u128::from_le_bytes(all)))
    }
}

/// A length modifier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    LongDouble,
}

impl Length {
    /// Reads a length modifier.
    pub(super) fn parse(format: &[u8], at: &mut usize) -> Length {
        let rest = &format[*at..];
        let (length, taken) = match rest {
            [b'h', b'h', ..] => (Length::Char, 2),
            [b'h', ..] => (Length::Short, 1),
            [b'l', b'l', ..] => (Length::LongLong, 2),
            [b'l' | b'z' | b't', ..] => (Length::Long, 1),
            [b'q' | b'j', ..] => (Length::LongLong, 1),
            [b'L', ..] => (Length::LongDouble, 1),
            _ => (Length::Int, 0),
        };
        *at += taken;
        length
    }

    /// Bytes of an integer of this length.
    pub(super) fn bytes(self, call: &HostCall<'_>) -> u64 {
        match self {
            Length::Char => 1,
            Length::Short => 2,
            Length::Int => 4,
            Length::Long => call.pointer_bytes(),
            Length::LongLong | Length::LongDouble => 8,
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
}

/// The text that a format and its arguments make.
pub(super) fn format(
    call: &mut HostCall<'_>,
    format: &[u8],
    further: &mut Further,
) -> Result<Vec<u8>, String> {
    let mut out = Vec::new();
    let mut at = 0;
    while at < format.len() {
        let byte = format[at];
        at += 1;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        if format.get(at) == Some(&b'%') {
            at += 1;
            out.push(b'%');
            continue;
        }
        let mut spec = Spec::default();
        while let Some(flag) = format.get(at) {
            match flag {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            at += 1;
        }
        if format.get(at) == Some(&b'*') {
            at += 1;
            let width = further.int(call, 4)? as i32;
            spec.left |= width < 0;
            spec.width = width.unsigned_abs() as usize;
        } else {
            spec.width = number(format, &mut at);
        }
        if format.get(at) == Some(&b'.') {
            at += 1;
            if format.get(at) == Some(&b'*') {
                at += 1;
                let precision = further.int(call, 4)? as i32;
                spec.precision = usize::try_from(precision).ok();
            } else {
                spec.precision = Some(number(format, &mut at));
            }
        }
        if spec.width > WIDEST || spec.precision.is_some_and(|places| places > WIDEST) {
            return Err("the width is too large".to_string());
        }
        let length = Length::parse(format, &mut at);
        let Some(&conversion) = format.get(at) else {
            return Err("the format ends in the middle".to_string());
        };
        at += 1;
        match conversion {
            b'd' | b'i' => {
                let size = length.bytes(call);
                // Small integers are passed as `int`.
                let word = further.int(call, size.max(4))?;
                let shift = 64 - 8 * size as u32;
                let value = (word << shift) as i64 >> shift;
                integer(
                    &mut out,
                    spec,
                    value < 0,
                    &value.unsigned_abs().to_string(),
                    "",
                );
            }
            b'u' | b'x' | b'X' | b'o' => {
                let size = length.bytes(call);
                let word = further.int(call, size.max(4))? & (u64::MAX >> (64 - 8 * size as u32));
                let unsigned = Spec {
                    plus: false,
                    space: false,
                    ..spec
                };
                let (digits, prefix) = match conversion {
                    b'u' => (word.to_string(), ""),
                    b'x' => (format!("{word:x}"), "0x"),
                    b'X' => (format!("{word:X}"), "0X"),
                    _ => (format!("{word:o}"), "0"),
                };
                let prefix = match spec.alternate && word != 0 {
                    true => prefix,
                    false => "",
                };
                // `%#o` makes the first digit a zero, by more precision if need be.
                let unsigned = match (conversion, prefix) {
                    (b'o', "0") => Spec {
                        precision: Some(unsigned.precision.unwrap_or(1).max(digits.len() + 1)),
                        ..unsigned
                    },
                    _ => unsigned,
                };
                let prefix = if conversion == b'o' { "" } else { prefix };
                integer(&mut out, unsigned, false, &digits, prefix);
            }
            b'c' => {
                let byte = further.int(call, 4)? as u8;
                pad(&mut out, spec, &[byte]);
            }
            b's' => {
                let from = further.pointer(call)?;
                let most = spec
                    .precision
                    .map_or(u64::MAX, |precision| precision as u64);
                let text = match from.address {
                    0 if most >= 6 => b"(null)".to_vec(),
                    0 => Vec::new(),
                    _ => call.string_up_to(from, most)?,
                };
                pad(&mut out, spec, &text);
            }
            b'p' => {
                let address = further.pointer(call)?.address;
                let text = match address {
                    0 => "(nil)".to_string(),
                    _ => format!("{address:#x}"),
                };
                pad(&mut out, spec, text.as_bytes());
            }
            b'n' => {
                let to = further.pointer(call)?;
                let size = length.bytes(call) as usize;
                call.store(to, &out.len().to_le_bytes()[..size])?;
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = further.float(call, length)?;
                float(&mut out, spec, conversion, value)?;
            }
            other => {
                return Err(format!(
                    "the conversion %{} is not supported",
                    char::from(other)
                ));
            }
        }
    }
    Ok(out)
}

/// A number in a format; 0 if there is none.
pub(super) fn number(format: &[u8], at: &mut usize) -> usize {
    let mut value = 0usize;
    while let Some(digit @ b'0'..=b'9') = format.get(*at) {
        value = value
            .saturating_mul(10)
            .saturating_add((digit - b'0').into());
        *at += 1;
    }
    value
}

/// Text, filled up with blanks.
fn pad(out: &mut Vec<u8>, spec: Spec, text: &[u8]) {
    let fill = spec.width.saturating_sub(text.len());
    if !spec.left {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
    out.extend_from_slice(text);
    if spec.left {
        out.extend(std::iter::repeat_n(b' ', fill));
    }
}

fn sign(spec: Spec, negative: bool) -> &'static str {
    match (negative, spec.plus, spec.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

fn integer(out: &mut Vec<u8>, spec: Spec, negative: bool, digits: &str, prefix: &str) {
    let digits = match (spec.precision, digits) {
        (Some(0), "0") => "",
        (_, digits) => digits,
    };
    let sign = sign(spec, negative);
    let fixed = sign.len() + prefix.len();
    let least = match spec.precision {
        Some(precision) => precision,
        None if spec.zero && !spec.left => spec.width.saturating_sub(fixed),
        None => 0,
    };
    let zeros = "0".repeat(least.saturating_sub(digits.len()));
    pad(
        out,
        spec,
        format!("{sign}{prefix}{zeros}{digits}").as_bytes(),
    );
}

fn float(out: &mut Vec<u8>, spec: Spec, conversion: u8, value: Parts) -> Result<(), String> {
    let upper = conversion.is_ascii_uppercase();
    let sign = sign(spec, value.negative);
    let (mantissa, exponent) = match value.kind {
        Kind::Nan | Kind::Infinite => {
            let word = if value.kind == Kind::Nan {
                "nan"
            } else {
                "inf"
            };
            let text = format!("{sign}{word}");
            let text = if upper { text.to_uppercase() } else { text };
            pad(out, spec, text.as_bytes());
            return Ok(());
        }
        Kind::Finite { mantissa, exponent } => (mantissa, exponent),
    };
    let decimal = || expand(mantissa, exponent);
    let exponential = |precision: usize| {
        let (digits, exponent) = decimal().scientific(precision);
        let point = if spec.alternate && precision == 0 {
            "."
        } else {
            ""
        };
        let sign = if exponent < 0 { '-' } else { '+' };
        (digits + point, format!("e{sign}{:02}", exponent.abs()))
    };
    let body = match conversion.to_ascii_lowercase() {
        b'f' => {
            let precision = spec.precision.unwrap_or(6);
            let point = if spec.alternate && precision == 0 {
                "."
            } else {
                ""
            };
            decimal().fixed(precision) + point
        }
        b'e' => {
            let (digits, tail) = exponential(spec.precision.unwrap_or(6));
            digits + &tail
        }
        b'g' => {
            let precision = spec.precision.unwrap_or(6).max(1);
            let (_, exponent) = decimal().scientific(precision - 1);
            let strip = |text: String| match spec.alternate || !text.contains('.') {
                true => text,
                false => {
                    let text = text.trim_end_matches('0');
                    text.strip_suffix('.').unwrap_or(text).to_string()
                }
            };
            if exponent >= -4 && exponent < precision as i32 {
                let places = (precision as i32 - 1 - exponent) as usize;
                let point = if spec.alternate && places == 0 {
                    "."
                } else {
                    ""
                };
                strip(decimal().fixed(places)) + point
            } else {
                let (digits, tail) = exponential(precision - 1);
                strip(digits) + &tail
            }
        }
        _ => hexadecimal(mantissa, exponent, spec)?,
    };
    let body = if upper { body.to_uppercase() } else { body };
    let zeros = match spec.zero && !spec.left {
        true => spec.width.saturating_sub(sign.len() + body.len()),
        false => 0,
    };
    let text = match body.strip_prefix("0x").or(body.strip_prefix("0X")) {
        Some(rest) => format!("{sign}{}{}{rest}", &body[..2], "0".repeat(zeros)),
        None => format!("{sign}{}{body}", "0".repeat(zeros)),
    };
    pad(out, spec, text.as_bytes());
    Ok(())
}

/// `%a` of a `double`: one bit before the point.
fn hexadecimal(mantissa: u128, exponent: i32, spec: Spec) -> Result<String, String> {
    if spec.precision.is_some() {
        return Err("%a with a precision is not supported".to_string());
    }
    if mantissa == 0 {
        return Ok("0x0p+0".to_string());
    }
    if mantissa >> 53 != 0 {
        return Err("%La is not supported".to_string());
    }
    // Subnormal doubles keep a zero before the point and the least exponent.
    let normal = mantissa >> 52 == 1;
    let fraction = mantissa & ((1 << 52) - 1);
    let digits = format!("{fraction:013x}");
    let digits = digits.trim_end_matches('0');
    let point = if digits.is_empty() && !spec.alternate {
        ""
    } else {
        "."
    };
    let power = exponent + 52;
    let sign = if power < 0 { '-' } else { '+' };
    Ok(format!(
        "0x{}{point}{digits}p{sign}{}",
        u8::from(normal),
        power.abs()
    ))
}
