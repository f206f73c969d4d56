//! The functions that the host has, one line each.

use super::printf::{Further, format};
use super::scanf::{FromInput, FromText, parse_integer, scan};
use super::{Answer, HostCall, Native, Stdio, Stream};
use crate::memory::Pointer;

/// Name and implementation, in alphabetical order of the names.
#[rustfmt::skip]
const TABLE: &[(&str, Native)] = &[
    ("_Exit", |_, c| Ok(Answer::Exit(c.signed(0)? as i32))),
    ("__isoc23_fscanf", |io, c| { c.stream(0)?; scanf(io, c, 1) }),
    ("__isoc23_scanf", |io, c| scanf(io, c, 0)),
    ("__isoc23_sscanf", |_, c| sscanf(c)),
    ("__isoc99_fscanf", |io, c| { c.stream(0)?; scanf(io, c, 1) }),
    ("__isoc99_scanf", |io, c| scanf(io, c, 0)),
    ("__isoc99_sscanf", |_, c| sscanf(c)),
    ("__selkie_host_exit", |_, c| Ok(Answer::Exit(c.signed(0)? as i32))),
    ("_exit", |_, c| Ok(Answer::Exit(c.signed(0)? as i32))),
    ("abort", |_, _| Ok(Answer::Abort)),
    ("abs", |_, c| { let x = c.signed(0)?; c.give(x.wrapping_abs()) }),
    ("acos", |_, c| c.give_double(c.double(0)?.acos())),
    ("asin", |_, c| c.give_double(c.double(0)?.asin())),
    ("atan", |_, c| c.give_double(c.double(0)?.atan())),
    ("atan2", |_, c| c.give_double(c.double(0)?.atan2(c.double(1)?))),
    ("atoi", |_, c| { let x = number(c)?; c.give((x as i32).into()) }),
    ("atol", |_, c| { let x = number(c)?; c.give(x) }),
    ("atoll", |_, c| { let x = number(c)?; c.give(x) }),
    ("cbrt", |_, c| c.give_double(c.double(0)?.cbrt())),
    ("cos", |_, c| c.give_double(c.double(0)?.cos())),
    ("cosh", |_, c| c.give_double(c.double(0)?.cosh())),
    ("exit", |_, c| Ok(Answer::Exit(c.signed(0)? as i32))),
    ("exp", |_, c| c.give_double(c.double(0)?.exp())),
    ("exp2", |_, c| c.give_double(c.double(0)?.exp2())),
    ("fflush", |io, c| { io.output.flush().ok(); c.give(0) }),
    ("fgetc", |io, c| { c.stream(0)?; getchar(io, c) }),
    ("fgets", fgets),
    ("fprintf", |io, c| { let s = c.stream(0)?; printf(io, c, s, 1) }),
    ("fputc", |io, c| { let s = c.stream(1)?; putchar(io, c, s) }),
    ("fputs", |io, c| { let s = c.stream(1)?; puts(io, c, s, b"") }),
    ("fscanf", |io, c| { c.stream(0)?; scanf(io, c, 1) }),
    ("fwrite", fwrite),
    ("getc", |io, c| { c.stream(0)?; getchar(io, c) }),
    ("getchar", getchar),
    ("isalnum", |_, c| class(c, |b| b.is_ascii_alphanumeric())),
    ("isalpha", |_, c| class(c, |b| b.is_ascii_alphabetic())),
    ("isdigit", |_, c| class(c, |b| b.is_ascii_digit())),
    ("islower", |_, c| class(c, |b| b.is_ascii_lowercase())),
    ("isspace", |_, c| class(c, super::scanf::is_space)),
    ("isupper", |_, c| class(c, |b| b.is_ascii_uppercase())),
    ("isxdigit", |_, c| class(c, |b| b.is_ascii_hexdigit())),
    ("labs", |_, c| { let x = c.signed(0)?; c.give(x.wrapping_abs()) }),
    ("llabs", |_, c| { let x = c.signed(0)?; c.give(x.wrapping_abs()) }),
    ("log", |_, c| c.give_double(c.double(0)?.ln())),
    ("log10", |_, c| c.give_double(c.double(0)?.log10())),
    ("log2", |_, c| c.give_double(c.double(0)?.log2())),
    ("perror", perror),
    ("pow", |_, c| c.give_double(c.double(0)?.powf(c.double(1)?))),
    ("printf", |io, c| printf(io, c, Stream::Output, 0)),
    ("putc", |io, c| { let s = c.stream(1)?; putchar(io, c, s) }),
    ("putchar", |io, c| putchar(io, c, Stream::Output)),
    ("puts", |io, c| puts(io, c, Stream::Output, b"\n")),
    ("scanf", |io, c| scanf(io, c, 0)),
    ("sin", |_, c| c.give_double(c.double(0)?.sin())),
    ("sinh", |_, c| c.give_double(c.double(0)?.sinh())),
    ("snprintf", |_, c| sprintf(c, Limit::Argument, List::Further)),
    ("sprintf", |_, c| sprintf(c, Limit::None, List::Further)),
    ("sscanf", |_, c| sscanf(c)),
    ("strcat", strcat),
    ("strchr", |_, c| strchr(c, Side::First)),
    ("strcmp", |_, c| strcmp(c, u64::MAX)),
    ("strcpy", strcpy),
    ("strlen", strlen),
    ("strncmp", |_, c| { let n = c.int(2)?; strcmp(c, n) }),
    ("strncpy", strncpy),
    ("strrchr", |_, c| strchr(c, Side::Last)),
    ("strtol", strtol),
    ("strtoll", strtol),
    ("strtoul", strtol),
    ("strtoull", strtol),
    ("tan", |_, c| c.give_double(c.double(0)?.tan())),
    ("tanh", |_, c| c.give_double(c.double(0)?.tanh())),
    ("tolower", |_, c| letter(c, |b| b.to_ascii_lowercase())),
    ("toupper", |_, c| letter(c, |b| b.to_ascii_uppercase())),
    ("vfprintf", |io, c| { let s = c.stream(0)?; vprintf(io, c, s, 1) }),
    ("vprintf", |io, c| vprintf(io, c, Stream::Output, 0)),
    ("vsnprintf", |_, c| sprintf(c, Limit::Argument, List::Argument)),
    ("vsprintf", |_, c| sprintf(c, Limit::None, List::Argument)),
];

/// The function of this name.
pub(super) fn find(name: &str) -> Option<Native> {
    let index = TABLE.binary_search_by_key(&name, |&(own, _)| own).ok()?;
    Some(TABLE[index].1)
}

fn printf(
    io: &mut Stdio<'_>,
    call: &mut HostCall<'_>,
    stream: Stream,
    index: usize,
) -> Result<Answer, String> {
    let mut further = Further::of(call)?;
    print(io, call, stream, index, &mut further)
}

fn vprintf(
    io: &mut Stdio<'_>,
    call: &mut HostCall<'_>,
    stream: Stream,
    index: usize,
) -> Result<Answer, String> {
    let list = call.pointer(index + 1)?;
    let mut further = Further::of_list(call, list)?;
    print(io, call, stream, index, &mut further)
}

fn print(
    io: &mut Stdio<'_>,
    call: &mut HostCall<'_>,
    stream: Stream,
    index: usize,
    further: &mut Further,
) -> Result<Answer, String> {
    let from = call.pointer(index)?;
    let text = call.string(from)?;
    let text = format(call, &text, further)?;
    io.print(stream, &text)?;
    call.give(text.len() as i64)
}

/// Does the call say how long the text may be?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    None,
    Argument,
}

/// Where the further arguments are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Further,
    Argument,
}

fn sprintf(call: &mut HostCall<'_>, limit: Limit, list: List) -> Result<Answer, String> {
    let to = call.pointer(0)?;
    let (most, index) = match limit {
        Limit::None => (u64::MAX, 1),
        Limit::Argument => (call.int(1)?, 2),
    };
    let mut further = match list {
        List::Further => Further::of(call)?,
        List::Argument => {
            let list = call.pointer(index + 1)?;
            Further::of_list(call, list)?
        }
    };
    let from = call.pointer(index)?;
    let pattern = call.string(from)?;
    let text = format(call, &pattern, &mut further)?;
    if most > 0 {
        let kept = (most - 1).min(text.len() as u64) as usize;
        call.store_string(to, &text[..kept])?;
    }
    call.give(text.len() as i64)
}

fn puts(
    io: &mut Stdio<'_>,
    call: &mut HostCall<'_>,
    stream: Stream,
    end: &[u8],
) -> Result<Answer, String> {
    let from = call.pointer(0)?;
    let mut text = call.string(from)?;
    text.extend_from_slice(end);
    io.print(stream, &text)?;
    call.give(text.len().min(i32::MAX as usize) as i64)
}

fn putchar(io: &mut Stdio<'_>, call: &mut HostCall<'_>, stream: Stream) -> Result<Answer, String> {
    let byte = call.int(0)? as u8;
    io.print(stream, &[byte])?;
    call.give(byte.into())
}

fn fwrite(io: &mut Stdio<'_>, call: &mut HostCall<'_>) -> Result<Answer, String> {
    let (from, size, count) = (call.pointer(0)?, call.int(1)?, call.int(2)?);
    let stream = call.stream(3)?;
    let len = size.checked_mul(count).ok_or("the size is too large")?;
    let bytes = call.bytes(from, len)?;
    io.print(stream, &bytes)?;
    call.give(if size == 0 { 0 } else { count as i64 })
}

fn perror(io: &mut Stdio<'_>, call: &mut HostCall<'_>) -> Result<Answer, String> {
    let from = call.pointer(0)?;
    let mut text = call.string(from)?;
    text.extend_from_slice(b": error\n");
    io.print(Stream::Errors, &text)?;
    call.give(0)
}

fn getchar(io: &mut Stdio<'_>, call: &mut HostCall<'_>) -> Result<Answer, String> {
    call.give(io.next().map_or(-1, i64::from))
}

fn fgets(io: &mut Stdio<'_>, call: &mut HostCall<'_>) -> Result<Answer, String> {
    let (to, size) = (call.pointer(0)?, call.signed(1)?);
    call.stream(2)?;
    let mut line = Vec::new();
    while (line.len() as i64) < size - 1 {
        match io.next() {
            Some(byte) => line.push(byte),
            None => break,
        }
        if line.last() == Some(&b'\n') {
            break;
        }
    }
    if line.is_empty() {
        return call.give_pointer(Pointer {
            address: 0,
            object: 0,
        });
    }
    call.store_string(to, &line)?;
    call.give_pointer(to)
}

fn scanf(io: &mut Stdio<'_>, call: &mut HostCall<'_>, index: usize) -> Result<Answer, String> {
    let from = call.pointer(index)?;
    let text = call.string(from)?;
    let mut further = Further::of(call)?;
    let count = scan(call, &mut FromInput(io), &text, &mut further)?;
    call.give(count)
}

fn sscanf(call: &mut HostCall<'_>) -> Result<Answer, String> {
    let (from, pattern) = (call.pointer(0)?, call.pointer(1)?);
    let mut source = FromText {
        text: call.string(from)?,
        at: 0,
    };
    let pattern = call.string(pattern)?;
    let mut further = Further::of(call)?;
    let count = scan(call, &mut source, &pattern, &mut further)?;
    call.give(count)
}

fn number(call: &mut HostCall<'_>) -> Result<i64, String> {
    let from = call.pointer(0)?;
    let text = call.string(from)?;
    Ok(parse_integer(&text, 10).map_or(0, |(value, _)| value as i64))
}

fn strtol(_: &mut Stdio<'_>, call: &mut HostCall<'_>) -> Result<Answer, String> {
    let (from, end, radix) = (call.pointer(0)?, call.pointer(1)?, call.int(2)? as u32);
    if radix == 1 || radix > 36 {
        return Err(format!("base {radix} does not exist"));
    }
    let text = call.string(from)?;
    let (value, taken) = parse_integer(&text, radix).unwrap_or((0, 0));
    if end.address != 0 {
        let rest = Pointer {
            address: from.address.wrapping_add(taken as u64),
            object: from.object,
        };
        let stored = match call.pointer_bytes() {
            4 => call
                .memory
                .store_pointer::<4>(end, rest, crate::memory::ANY_MEMORY),
            _ => call
                .memory
                .store_pointer::<8>(end, rest, crate::memory::ANY_MEMORY),
        };
        stored.map_err(super::sentence)?;
    }
    call.give(value as i64)
}

fn class(call: &mut HostCall<'_>, is: impl Fn(u8) -> bool) -> Result<Answer, String> {
    let byte = u8::try_from(call.signed(0)?);
    call.give(i64::from(byte.is_ok_and(is)))
}

fn letter(call: &mut HostCall<'_>, map: impl Fn(u8) -> u8) -> Result<Answer, String> {
    let value = call.signed(0)?;
    let mapped = u8::try_from(value).map_or(value, |byte| map(byte).into());
    call.give(mapped)
}

fn strlen(_: &mut Stdio<'_>, call: &mut HostCall<'_>) -> Result<Answer, String> {
    let from = call.pointer(0)?;
    let len = call.string(from)?.len();
    call.give(len as i64)
}

fn strcmp(call: &mut HostCall<'_>, most: u64) -> Result<Answer, String> {
    let (left, right) = (call.pointer(0)?, call.pointer(1)?);
    let (a, b) = (
        call.string_up_to(left, most)?,
        call.string_up_to(right, most)?,
    );
    // The difference of the first bytes that differ, as common libraries have it.
    let byte = |text: &[u8], index: usize| i64::from(text.get(index).copied().unwrap_or(0));
    let mut differences = (0..a.len().max(b.len())).map(|i| byte(&a, i) - byte(&b, i));
    call.give(differences.find(|&d| d != 0).unwrap_or(0))
}

fn strcpy(_: &mut Stdio<'_>, call: &mut HostCall<'_>) -> Result<Answer, String> {
    let (to, from) = (call.pointer(0)?, call.pointer(1)?);
    let text = call.string(from)?;
    call.store_string(to, &text)?;
    call.give_pointer(to)
}

fn strncpy(_: &mut Stdio<'_>, call: &mut HostCall<'_>) -> Result<Answer, String> {
    let (to, from, count) = (call.pointer(0)?, call.pointer(1)?, call.int(2)?);
    let mut text = call.string_up_to(from, count)?;
    call.memory
        .reserve_briefly(count)
        .map_err(super::sentence)?;
    text.resize(count as usize, 0);
    call.store(to, &text)?;
    call.give_pointer(to)
}

fn strcat(_: &mut Stdio<'_>, call: &mut HostCall<'_>) -> Result<Answer, String> {
    let (to, from) = (call.pointer(0)?, call.pointer(1)?);
    let text = call.string(from)?;
    let end = Pointer {
        address: to.address.wrapping_add(call.string(to)?.len() as u64),
        object: to.object,
    };
    call.store_string(end, &text)?;
    call.give_pointer(to)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Last,
}

fn strchr(call: &mut HostCall<'_>, side: Side) -> Result<Answer, String> {
    let (from, byte) = (call.pointer(0)?, call.int(1)? as u8);
    let mut text = call.string(from)?;
    text.push(0);
    let found = match side {
        Side::First => text.iter().position(|&other| other == byte),
        Side::Last => text.iter().rposition(|&other| other == byte),
    };
    call.give_pointer(match found {
        Some(index) => Pointer {
            address: from.address.wrapping_add(index as u64),
            object: from.object,
        },
        None => Pointer {
            address: 0,
            object: 0,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::{TABLE, find};

    #[test]
    fn the_table_is_in_order() {
        assert!(TABLE.windows(2).all(|pair| pair[0].0 < pair[1].0));
        assert!(find("printf").is_some());
        assert!(find("system").is_none());
    }
}
