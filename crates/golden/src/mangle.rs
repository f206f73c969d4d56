//! Texts with something wrong in them: what a reader must survive.

use crate::rng::Rng;

/// Pieces of text that readers may stumble over.
const TRAPS: &[&str] = &[
    "v4294967295",
    "v4294967294",
    "b99999999",
    "i0",
    "i8388608",
    "i99999999999",
    "mem r4294967294",
    "-9223372036854775808",
    "18446744073709551616",
    "0x",
    "0xffffffffffffffffffffffff",
    "@",
    "@\"",
    "\"",
    "\\",
    "\\f",
    ";",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    "=",
    "->",
    "in",
    "!",
    "!p7",
    "*",
    "+",
    "-",
    ".",
    "..",
    "\n",
    "\r\n",
    "\t",
    " ",
    "é",
    "\u{0}",
    "\u{10ffff}",
    "module raw ptr64",
    "region r0",
    "fn @f() {",
    "global @g size 1 align 1",
    "null",
    "align 18446744073709551615",
    "v0",
    "b0",
    "b0:",
    "o0",
    "x0",
    "p0",
    "r0",
    "return",
    "jump b0",
    "halt dead",
    "switch.i8 v0 [",
    "call @main()",
    "load.i8 v0 in v0",
    "select.mem.r0 1, v0, v0",
    "entry @main",
    "model",
];

/// A text that differs from this one in a few places. `other` is a text to take pieces from.
pub fn mangle(text: &str, other: &str, rng: &mut Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let most = rng.between(1, 8);
    for _ in 0..rng.between(1, most) {
        mangle_once(&mut bytes, other.as_bytes(), rng);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn mangle_once(bytes: &mut Vec<u8>, other: &[u8], rng: &mut Rng) {
    let at = rng.index(bytes.len() + 1);
    let end = (at + rng.index(12)).min(bytes.len());
    match rng.below(10) {
        0 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << rng.below(8);
            }
        }
        1 => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = rng.next_u64() as u8;
            }
        }
        2 => {
            bytes.drain(at..end);
        }
        3 => {
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
        4 => bytes.truncate(at),
        5 | 6 => {
            let trap = rng.pick(TRAPS).bytes();
            bytes.splice(at..end, trap);
        }
        7 => {
            let digits = rng.next_u64() >> rng.below(64);
            bytes.splice(at..end, digits.to_string().into_bytes());
        }
        8 => {
            // A line is lost, doubled or moved.
            let (start, stop) = line_at(bytes, at);
            let line = bytes[start..stop].to_vec();
            if rng.one_in(2) {
                bytes.drain(start..stop);
            }
            let target = rng.index(bytes.len() + 1);
            let target = line_at(bytes, target).0;
            if rng.one_in(2) {
                bytes.splice(target..target, line);
            }
        }
        _ => {
            let from = rng.index(other.len() + 1);
            let (start, stop) = line_at(other, from);
            let target = line_at(bytes, at).0;
            bytes.splice(target..target, other[start..stop].iter().copied());
        }
    }
}

/// Where the line around a position begins, and where the next one does.
fn line_at(bytes: &[u8], at: usize) -> (usize, usize) {
    let start = bytes[..at].iter().rposition(|&byte| byte == b'\n');
    let start = start.map_or(0, |newline| newline + 1);
    let stop = bytes[at..].iter().position(|&byte| byte == b'\n');
    let stop = stop.map_or(bytes.len(), |newline| at + newline + 1);
    (start, stop)
}
