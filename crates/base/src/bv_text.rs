//! Bit-vector values as text: `0x2a:8`, signed and unsigned decimals, and back.

use std::fmt;
use std::str::FromStr;

use crate::bv::{Bv, MAX_WIDTH};
use crate::bv_arith::divide_by_word;

/// The greatest power of ten in a word, and its digits.
const CHUNK: (u64, usize) = (10_000_000_000_000_000_000, 19);

/// Why a text is not a bit-vector.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ParseBvError {
    /// The width is missing, zero, too great or no number.
    Width,
    /// The digits are missing or not all digits.
    Digits,
    /// The number needs more bits than the width.
    TooWide,
}

impl fmt::Display for ParseBvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ParseBvError::Width => "bad bit-vector width",
            ParseBvError::Digits => "bad digits in a bit-vector",
            ParseBvError::TooWide => "the number does not fit the bit-vector's width",
        })
    }
}

impl std::error::Error for ParseBvError {}

impl Bv {
    /// The unsigned value in decimal digits.
    pub fn to_dec(&self) -> String {
        if let Some(value) = self.to_u128() {
            return value.to_string();
        }
        let mut chunks = Vec::new();
        let mut words = self.words().to_vec();
        while words.iter().any(|&word| word != 0) {
            let (quotient, rest) = divide_by_word(&words, CHUNK.0);
            words = quotient;
            chunks.push(rest);
        }
        let mut digits = chunks.pop().unwrap_or(0).to_string();
        for chunk in chunks.iter().rev() {
            digits.push_str(&format!("{chunk:0len$}", len = CHUNK.1));
        }
        digits
    }

    /// The signed value in decimal digits.
    pub fn to_dec_signed(&self) -> String {
        if self.is_negative() {
            format!("-{}", self.neg().to_dec())
        } else {
            self.to_dec()
        }
    }

    /// The unsigned value in hexadecimal digits, without leading zeros or prefix.
    pub fn to_hex(&self) -> String {
        let words = self.words();
        let top = words.iter().rposition(|&word| word != 0).unwrap_or(0);
        let mut digits = format!("{:x}", words[top]);
        for word in words[..top].iter().rev() {
            digits.push_str(&format!("{word:016x}"));
        }
        digits
    }

    /// All bits, the highest first.
    pub fn to_bin(&self) -> String {
        (0..self.width())
            .rev()
            .map(|index| if self.bit(index) { '1' } else { '0' })
            .collect()
    }

    /// Reads an unsigned number in base 2, 10 or 16 (up to 36), which must fit the width.
    pub fn from_digits(digits: &str, radix: u32, width: u32) -> Result<Bv, ParseBvError> {
        if !(1..=MAX_WIDTH).contains(&width) {
            return Err(ParseBvError::Width);
        }
        if digits.is_empty() {
            return Err(ParseBvError::Digits);
        }
        if let (true, Ok(value)) = (
            width <= 64,
            u64::from_str_radix(digits.trim_start_matches('+'), radix),
        ) {
            let small = Bv::from_u64(value, width);
            let plain = digits.bytes().all(|digit| digit.is_ascii_alphanumeric());
            return match (plain, small.low_u64() == value) {
                (false, _) => Err(ParseBvError::Digits),
                (true, false) => Err(ParseBvError::TooWide),
                (true, true) => Ok(small),
            };
        }
        let mut words = vec![0u64; width.div_ceil(64) as usize];
        for digit in digits.chars() {
            let digit = digit.to_digit(radix).ok_or(ParseBvError::Digits)?;
            let mut carry = u128::from(digit);
            for word in &mut words {
                carry += u128::from(*word) * u128::from(radix);
                *word = carry as u64;
                carry >>= 64;
            }
            if carry != 0 {
                return Err(ParseBvError::TooWide);
            }
        }
        let value = Bv::from_words(&words, width);
        if value.words() == words {
            Ok(value)
        } else {
            Err(ParseBvError::TooWide)
        }
    }

    /// Reads a decimal number with an optional minus sign: anything from the least signed to the greatest unsigned value.
    pub fn from_dec(text: &str, width: u32) -> Result<Bv, ParseBvError> {
        let Some(digits) = text.strip_prefix('-') else {
            return Bv::from_digits(text, 10, width);
        };
        let value = Bv::from_digits(digits, 10, width)?;
        if value.is_negative() && !value.is_int_min() {
            Err(ParseBvError::TooWide)
        } else {
            Ok(value.neg())
        }
    }
}

/// `0x2a:8`: the unsigned value in hexadecimal, and the width.
impl fmt::Display for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{}:{}", self.to_hex(), self.width())
    }
}

impl fmt::Debug for Bv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Reads `0x2a:8`, `0b101:8`, `42:8` and `-1:8`.
impl FromStr for Bv {
    type Err = ParseBvError;

    fn from_str(text: &str) -> Result<Bv, ParseBvError> {
        let (number, width) = text.rsplit_once(':').ok_or(ParseBvError::Width)?;
        let width = width.parse().map_err(|_| ParseBvError::Width)?;
        if let Some(digits) = number.strip_prefix("0x") {
            Bv::from_digits(digits, 16, width)
        } else if let Some(digits) = number.strip_prefix("0b") {
            Bv::from_digits(digits, 2, width)
        } else if (1..=MAX_WIDTH).contains(&width) {
            Bv::from_dec(number, width)
        } else {
            Err(ParseBvError::Width)
        }
    }
}
