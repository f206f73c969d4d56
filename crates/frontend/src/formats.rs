//! Calls of the `printf` family whose format is a constant need no formatter: what they read is
//! known. `printf("%d %s", n, s)` becomes
//!
//! ```text
//! __selkie_print_string(s, -1);
//! __selkie_print_result();
//! ```
//!
//! before the models are linked, so that the model of `printf` is not. A format with the
//! conversion `n`, with numbered arguments, or with too few arguments keeps the call: the
//! formatter's own obligations tell what is wrong with it. So does a call at whose result somebody looks: the
//! formatter counts the characters.

use checks::registry::CheckId;
use std::collections::BTreeSet;

use crate::ffi::{Builder, Context, Kind, Module, Opcode, Ty, Val};
use crate::instrument::asserts::string_constant;
use crate::options::{Options, Stdio};

/// Function, position of the format, position of the stream if there is one.
const FAMILY: &[(&str, usize, Option<usize>)] = &[
    ("printf", 0, None),
    ("fprintf", 1, Some(0)),
    ("dprintf", 1, None),
    ("__printf_chk", 1, None),
    ("__fprintf_chk", 2, Some(0)),
];

/// An argument that a format takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Taken {
    /// Something that is only printed.
    Value,
    /// A width or precision.
    Number,
    /// A string; its length is limited.
    String(Limit, Letters),
}

/// How much of a string is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Limit {
    /// At most this many elements; all if negative.
    Known(i32),
    /// As many as the argument before says.
    Before,
}

/// What a string consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Letters {
    Narrow,
    Wide,
}

/// Replaces the calls whose format is known; the names of the functions that were called.
pub fn replace<'c>(
    ctx: &'c Context,
    module: &mut Module<'c>,
    options: &Options,
) -> BTreeSet<&'static str> {
    let mut replaced = BTreeSet::new();
    if !options.models || options.stdio == Stdio::Host {
        return replaced;
    }
    let mut calls = Vec::new();
    for &(name, format, stream) in FAMILY {
        let Some(func) = module.function(name) else {
            continue;
        };
        if !func.is_declaration() {
            continue;
        }
        for user in func.users() {
            if user.opcode() == Some(Opcode::LLVMCall) && user.called_function() == Some(func) {
                calls.push((user, name, format, stream));
            }
        }
    }
    let builder = Builder::new(ctx);
    for (call, name, format, stream) in calls {
        if let Some(plan) = plan(call, format, stream) {
            rewrite(ctx, module, &builder, options, call, &plan);
            replaced.insert(name);
        }
    }
    replaced
}

/// What a call comes to.
struct Plan<'c> {
    /// String, limit, letters.
    strings: Vec<(Val<'c>, PlanLimit<'c>, Letters)>,
    stream: Option<Val<'c>>,
}

enum PlanLimit<'c> {
    Known(i32),
    Value(Val<'c>),
}

fn plan<'c>(call: Val<'c>, format: usize, stream: Option<usize>) -> Option<Plan<'c>> {
    // The number of characters that were printed is the formatter's business.
    if call.is_used() {
        return None;
    }
    let result = call.ty();
    if !(result.int_width() == Some(32) || result.kind() == Kind::Void) {
        return None;
    }
    let args = call.args();
    let is_pointer = |value: Val<'c>| matches!(value.ty().kind(), Kind::Ptr(0));
    let text = string_constant(*args.get(format)?)?;
    let taken = read(&text)?;
    let given = &args[format + 1..];
    if given.len() < taken.len() {
        return None;
    }
    let mut strings = Vec::new();
    for (index, what) in taken.iter().enumerate() {
        match *what {
            Taken::Value => {}
            Taken::Number => {
                if given[index].ty().int_width() != Some(32) {
                    return None;
                }
            }
            Taken::String(limit, letters) => {
                if !is_pointer(given[index]) {
                    return None;
                }
                let limit = match limit {
                    Limit::Known(number) => PlanLimit::Known(number),
                    Limit::Before => PlanLimit::Value(given[index - 1]),
                };
                strings.push((given[index], limit, letters));
            }
        }
    }
    let stream = match stream {
        Some(index) => Some(
            args.get(index)
                .copied()
                .filter(|&value| is_pointer(value))?,
        ),
        None => None,
    };
    Some(Plan { strings, stream })
}

fn rewrite<'c>(
    ctx: &'c Context,
    module: &mut Module<'c>,
    builder: &Builder<'c>,
    options: &Options,
    call: Val<'c>,
    plan: &Plan<'c>,
) {
    let (int, ptr, void) = (Ty::int(ctx, 32), Ty::ptr(ctx), Ty::void(ctx));
    builder.before(call);
    let mut emit = |name: &str, result: Ty<'c>, args: &[Val<'c>]| {
        let params: Vec<Ty<'c>> = args.iter().map(|arg| arg.ty()).collect();
        let ty = Ty::function(result, &params);
        let func = module
            .function(name)
            .unwrap_or_else(|| module.declare(name, ty));
        builder.call(ty, func, args)
    };
    if options.has(CheckId::Deref) {
        for (string, limit, letters) in &plan.strings {
            let limit = match limit {
                PlanLimit::Known(number) => Val::int(int, *number as u32 as u64),
                PlanLimit::Value(value) => *value,
            };
            debug_assert_eq!(string.ty(), ptr);
            let name = match letters {
                Letters::Narrow => "__selkie_print_string",
                Letters::Wide => "__selkie_print_string_wide",
            };
            emit(name, void, &[*string, limit]);
        }
    }
    match plan.stream {
        Some(stream) => emit("__selkie_print_result_to", int, &[stream]),
        None => emit("__selkie_print_result", int, &[]),
    };
    call.erase();
}

/// The arguments that a format takes, in order; none if it is not for us.
fn read(format: &str) -> Option<Vec<Taken>> {
    let mut taken = Vec::new();
    let mut letters = format.bytes().peekable();
    while let Some(letter) = letters.next() {
        if letter != b'%' {
            continue;
        }
        while letters
            .next_if(|letter| b"-+ #0'".contains(letter))
            .is_some()
        {}
        if letters.next_if_eq(&b'*').is_some() {
            taken.push(Taken::Number);
        } else {
            number(&mut letters);
        }
        let mut limit = Limit::Known(-1);
        if letters.next_if_eq(&b'.').is_some() {
            limit = if letters.next_if_eq(&b'*').is_some() {
                taken.push(Taken::Number);
                Limit::Before
            } else {
                Limit::Known(i32::try_from(number(&mut letters)).ok()?)
            };
        }
        let mut size = None;
        while let Some(letter) = letters.next_if(|letter| b"hlLqjzt".contains(letter)) {
            size = Some(letter);
        }
        match letters.next()? {
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'b' | b'B' | b'c' | b'C' | b'a' | b'A'
            | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'p' => taken.push(Taken::Value),
            b's' if size == Some(b'l') => taken.push(Taken::String(limit, Letters::Wide)),
            b'S' => taken.push(Taken::String(limit, Letters::Wide)),
            b's' => taken.push(Taken::String(limit, Letters::Narrow)),
            b'm' | b'%' => {}
            // `n` stores, `$` numbers, the rest is not known.
            _ => return None,
        }
    }
    Some(taken)
}

fn number(letters: &mut std::iter::Peekable<std::str::Bytes<'_>>) -> u64 {
    let mut number: u64 = 0;
    while let Some(digit) = letters.next_if(u8::is_ascii_digit) {
        number = number
            .saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'));
    }
    number
}

#[cfg(test)]
mod tests {
    use super::{Letters, Limit, Taken, read};

    #[test]
    fn formats_tell_their_arguments() {
        let narrow = |limit| Taken::String(limit, Letters::Narrow);
        assert_eq!(read("plain 100%%"), Some(vec![]));
        assert_eq!(
            read("%d %-5s|%.3s"),
            Some(vec![
                Taken::Value,
                narrow(Limit::Known(-1)),
                narrow(Limit::Known(3))
            ])
        );
        assert_eq!(
            read("%*.*s %llu"),
            Some(vec![
                Taken::Number,
                Taken::Number,
                narrow(Limit::Before),
                Taken::Value
            ])
        );
        assert_eq!(
            read("%ls"),
            Some(vec![Taken::String(Limit::Known(-1), Letters::Wide)])
        );
    }

    #[test]
    fn formats_that_write_or_are_odd_are_left_alone() {
        for format in ["%n", "%1$d", "%", "%y", "%.99999999999s"] {
            assert_eq!(read(format), None, "{format}");
        }
    }
}
