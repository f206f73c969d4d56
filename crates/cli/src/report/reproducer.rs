//! A C file that hands a program the inputs of its first violation: compiled together with it, natively and with sanitizers, it shows
//! the same fault outside of this tool.
//!
//! It stands beside the program and defines what nobody defines: the functions that ask for inputs, each with its values in order,
//! functions without a body, `sk_assert` and its relatives. It is plain C: no extension of a compiler is needed.

use std::collections::BTreeMap;
use std::fmt::Write;

use results::Violation;
use results::explanation::short;
use results::story::{Input, InputKind, Story};
use results::trace::Event;

use super::{Format, Report};
use crate::args::DataModel;
use crate::ctext::is_name;
use crate::source::Sources;

/// `--reproducer`.
pub const FORMAT: Format = Format {
    option: "reproducer",
    help: "Write a C file that gives the program the inputs of the first violation: compiled with it and with sanitizers it shows the \
        fault (`-` is standard output)",
    render,
};

/// The values that a function hands out.
#[derive(Default)]
struct Given {
    values: Vec<String>,
    ty: &'static str,
}

fn render(report: &Report<'_>) -> String {
    let violations = &report.results.outcome.violations;
    let Some(violation) = violations.iter().min_by_key(|violation| violation.place()) else {
        return format!(
            "/* Written by selkie {}: no violation was found ({}), so there is nothing to reproduce. */\n#error \"no violation was found\"\n",
            env!("CARGO_PKG_VERSION"),
            report.verdict
        );
    };
    let sources = Sources::default();
    let mut out = String::new();
    head(&mut out, report, violation, violations.len() - 1);
    let empty = Story::default();
    let story = violation.story.as_deref().unwrap_or(&empty);
    let mut functions: BTreeMap<String, Given> = BTreeMap::new();
    let mut lost = Vec::new();
    let mut filled: BTreeMap<String, Vec<&[(u64, u8)]>> = BTreeMap::new();
    for input in &story.inputs {
        if let (Some(Event::Bytes(bytes)), Some(name)) = (
            violation.trace.events.get(input.event),
            filler(input, &sources),
        ) {
            filled.entry(name).or_default().push(bytes);
            continue;
        }
        match asked(input, &sources) {
            Some(name) => {
                let given = functions.entry(name.clone()).or_default();
                given.ty = result_type(&name, input);
                given.values.push(literal(input, given.ty));
            }
            None => lost.push(input),
        }
    }
    for input in lost {
        let at = input.place.as_ref().map_or_else(|| "?".to_owned(), short);
        let _ = writeln!(
            out,
            "/* Not reproduced: {} {} at {at}. */",
            input.kind.word(),
            comment(&input.value)
        );
    }
    out.push_str(COMMON);
    for (name, given) in &functions {
        function(&mut out, name, given);
    }
    let written = written(report, &sources);
    // What this execution never asks is there, so that the program links.
    for name in nondet(&written) {
        if !functions.contains_key(name) && !defines(&written, name) {
            let _ = writeln!(
                out,
                "\n{} {name}(void) {{ return 0; }}",
                named_type(name).unwrap_or("int")
            );
        }
    }
    for name in FILLERS {
        let list = filled.get(name).map_or(&[][..], Vec::as_slice);
        if uses(&written, name) && !defines(&written, name) {
            fill(&mut out, name, list);
        }
    }
    for (name, text) in CLAIMS {
        if uses(&written, name) && !defines(&written, name) {
            out.push_str(text);
        }
    }
    out
}

/// What it is, and how it is used.
fn head(out: &mut String, report: &Report<'_>, violation: &Violation, more: usize) {
    let files: Vec<String> = report
        .files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    let at = violation.place().map_or_else(|| "?".to_owned(), short);
    let what = comment(&violation.claim.text);
    let why = comment(&violation.failure.explanation.sentence);
    let _ = writeln!(
        out,
        "/* Written by selkie {}: the inputs of an execution that violates {} at {at}:\n * {what}: {why}",
        env!("CARGO_PKG_VERSION"),
        violation.claim.id,
    );
    if more > 0 {
        let _ = writeln!(
            out,
            " * ({more} more were found; --only ID asks for one of them)"
        );
    }
    let model = match report.args.input.data_model {
        Some(DataModel::Ilp32) => " -m32",
        Some(DataModel::Lp64) | None => "",
    };
    let _ = writeln!(
        out,
        " *\n * cc{model} -g -fsanitize=address,undefined -fno-sanitize-recover=all THIS_FILE {} && ./a.out\n */",
        comment(&files.join(" "))
    );
}

/// The function that an input was asked of: its name stands at the input's place.
pub fn asked(input: &Input, sources: &Sources) -> Option<String> {
    if !matches!(input.kind, InputKind::Asked | InputKind::Returned) || input.bits.is_none() {
        return None;
    }
    let place = input.place.as_ref()?;
    let line = sources.line(&place.file, place.line)?;
    let start = (place.col as usize).checked_sub(1)?;
    let called = |from: usize| -> Option<String> {
        let rest: String = line.chars().skip(from).collect();
        let end = rest.find(|letter: char| !is_name(letter))?;
        let name = &rest[..end];
        let call = rest[end..].trim_start().starts_with('(');
        (!name.is_empty() && call).then(|| name.to_owned())
    };
    let fits = |name: &String| input.kind == InputKind::Returned || name.contains("nondet");
    if let Some(name) = called(start).filter(fits) {
        return Some(name);
    }
    if let Some(name) = called(start).and_then(|name| behind_macro(&name, &place.file, sources)) {
        return Some(name);
    }
    // A macro may stand there: one call in the line that asks for an input is meant.
    let mut names: Vec<String> = (0..line.chars().count())
        .filter(|&at| at == 0 || !line.chars().nth(at - 1).is_some_and(is_name))
        .filter_map(called)
        .filter(|name| name.contains("nondet"))
        .collect();
    names.dedup();
    match (names.len(), input.kind) {
        (1, InputKind::Asked) => names.pop(),
        _ => None,
    }
}

/// Functions that fill memory.
const FILLERS: [&str; 3] = [
    "sk_havoc",
    "__CPROVER_havoc_slice",
    "__VERIFIER_nondet_memory",
];

/// The function that filled memory, by its name at the input's place.
fn filler(input: &Input, sources: &Sources) -> Option<String> {
    let place = input.place.as_ref()?;
    let line = sources.line(&place.file, place.line)?;
    let start = (place.col as usize).checked_sub(1)?;
    let rest: String = line.chars().skip(start).collect();
    let name = FILLERS
        .iter()
        .find(|name| occurrences(&rest, name).next().is_some() && rest.starts_with(**name))?;
    Some((*name).to_owned())
}

/// A function that fills memory as it was filled, call by call.
fn fill(out: &mut String, name: &str, list: &[&[(u64, u8)]]) {
    let _ = writeln!(
        out,
        "\nvoid {name}(void *room, __SIZE_TYPE__ size) {{\n    static unsigned long at;\n    unsigned char *bytes = room;\n    \
         for (__SIZE_TYPE__ i = 0; i < size; i++) bytes[i] = 0;\n    switch (at++) {{"
    );
    for (number, bytes) in list.iter().enumerate() {
        let _ = writeln!(out, "    case {number}:");
        for (offset, byte) in bytes.iter().filter(|(_, byte)| *byte != 0) {
            let _ = writeln!(
                out,
                "        if ({offset} < size) bytes[{offset}] = 0x{byte:02x};"
            );
        }
        out.push_str("        break;\n");
    }
    out.push_str("    default: break;\n    }\n}\n");
}

/// The functions of a text that ask for a value, by their names.
fn nondet(text: &str) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (at, _) in text.match_indices("nondet_") {
        let start = text[..at].trim_end_matches(is_name).len();
        let rest = &text[start..];
        let end = rest
            .find(|letter: char| !is_name(letter))
            .unwrap_or(rest.len());
        let name = &rest[..end];
        let empty = rest[end..]
            .trim_start()
            .strip_prefix('(')
            .map(str::trim_start);
        let asks =
            empty.is_some_and(|inside| inside.starts_with(')') || inside.starts_with("void"));
        if asks && named_type(name).is_some() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The function that a macro of the file asks, if it is one.
fn behind_macro(name: &str, file: &str, sources: &Sources) -> Option<String> {
    let lines = (1..).map_while(|number| sources.line(file, number));
    let mut bodies = lines.filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest
            .strip_prefix("define")?
            .trim_start()
            .strip_prefix(name)?;
        (!rest.starts_with(is_name)).then(|| rest.to_owned())
    });
    let body = bodies.next()?;
    match nondet(&body).as_slice() {
        [name] => Some((*name).to_owned()),
        _ => None,
    }
}

/// The type that a function returns: its name says it, or else the width of what it returned.
pub fn result_type(name: &str, input: &Input) -> &'static str {
    if let Some(ty) = named_type(name) {
        return ty;
    }
    match width(input) {
        1 => "_Bool",
        8 => "signed char",
        16 => "short",
        32 => "int",
        _ => "long long",
    }
}

/// The type that the name of a function says.
fn named_type(name: &str) -> Option<&'static str> {
    let (_, suffix) = name.split_once("nondet_")?;
    let known = TYPES.iter().find(|(word, _)| *word == suffix);
    known.map(|(_, ty)| *ty)
}

fn width(input: &Input) -> u32 {
    bits(input).map_or(0, |bits| bits.width())
}

fn bits(input: &Input) -> Option<base::Bv> {
    input.bits.as_ref()?.parse().ok()
}

/// A value as its function returns it: its bits, of which the function makes what it returns.
fn literal(input: &Input, ty: &str) -> String {
    let Some(bits) = bits(input) else {
        return "0".to_owned();
    };
    if ty == "long double" {
        // Its bits have no portable form.
        return "0".to_owned();
    }
    format!("0x{:x}ULL /* {} */", bits.low_u64(), comment(&input.value))
}

fn function(out: &mut String, name: &str, given: &Given) {
    let Given { values, ty } = given;
    let _ = writeln!(
        out,
        "\nstatic const unsigned long long selkie_values_{name}[] = {{\n    {},\n}};",
        values.join(",\n    ")
    );
    let count = values.len();
    let next = format!("selkie_next(selkie_values_{name}, {count}, &at)");
    let body = match *ty {
        "float" => format!(
            "    union {{ unsigned bits; float value; }} it;\n    it.bits = (unsigned){next};\n    return it.value;"
        ),
        "double" => format!(
            "    union {{ unsigned long long bits; double value; }} it;\n    it.bits = {next};\n    return it.value;"
        ),
        "void *" => format!("    return (void *)(__SIZE_TYPE__){next};"),
        _ => format!("    return ({ty}){next};"),
    };
    let _ = writeln!(
        out,
        "\n{ty} {name}(void) {{\n    static unsigned long at;\n{body}\n}}"
    );
}

/// What the files of the program say.
fn written(report: &Report<'_>, sources: &Sources) -> String {
    let mut text = String::new();
    for file in report.files {
        let name = file.to_string_lossy();
        for number in 1.. {
            let Some(line) = sources.line(&name, number) else {
                break;
            };
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// Is a function called, or declared?
fn uses(text: &str, name: &str) -> bool {
    occurrences(text, name).next().is_some()
}

/// Is it defined? Then a brace follows its parameters.
fn defines(text: &str, name: &str) -> bool {
    occurrences(text, name).any(|rest| {
        let end = rest.find([')', ';']);
        end.is_some_and(|end| {
            rest[end..].starts_with(')') && rest[end + 1..].trim_start().starts_with('{')
        })
    })
}

/// What follows each `name (`.
fn occurrences<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    text.match_indices(name).filter_map(move |(at, _)| {
        let rest = &text[at + name.len()..];
        let alone = !text[..at].chars().next_back().is_some_and(is_name);
        (alone && rest.trim_start().starts_with('(')).then_some(rest)
    })
}

/// Text inside a comment.
fn comment(text: &str) -> String {
    text.replace("*/", "* /").replace('\n', " ")
}

/// What a function returns whose name ends so.
const TYPES: &[(&str, &str)] = &[
    ("bool", "_Bool"),
    ("_Bool", "_Bool"),
    ("char", "char"),
    ("schar", "signed char"),
    ("uchar", "unsigned char"),
    ("unsigned_char", "unsigned char"),
    ("short", "short"),
    ("ushort", "unsigned short"),
    ("unsigned_short", "unsigned short"),
    ("int", "int"),
    ("uint", "unsigned int"),
    ("unsigned", "unsigned int"),
    ("unsigned_int", "unsigned int"),
    ("long", "long"),
    ("ulong", "unsigned long"),
    ("unsigned_long", "unsigned long"),
    ("longlong", "long long"),
    ("ulonglong", "unsigned long long"),
    ("float", "float"),
    ("double", "double"),
    ("longdouble", "long double"),
    ("pointer", "void *"),
    ("size_t", "__SIZE_TYPE__"),
    ("ssize_t", "__PTRDIFF_TYPE__"),
    ("int8_t", "signed char"),
    ("uint8_t", "unsigned char"),
    ("int16_t", "short"),
    ("uint16_t", "unsigned short"),
    ("int32_t", "int"),
    ("uint32_t", "unsigned int"),
    ("int64_t", "long long"),
    ("uint64_t", "unsigned long long"),
    ("u8", "unsigned char"),
    ("u16", "unsigned short"),
    ("u32", "unsigned int"),
    ("u64", "unsigned long long"),
];

const COMMON: &str = "
#include <stdio.h>
#include <stdlib.h>

static inline unsigned long long selkie_next(const unsigned long long *values, unsigned long count, unsigned long *at) {
    return *at < count ? values[(*at)++] : 0;
}
";

/// Functions that only a verifier knows.
const CLAIMS: &[(&str, &str)] = &[
    (
        "sk_assert",
        "\nvoid sk_assert(_Bool holds) {\n    if (!holds) {\n        fflush(stdout);\n        fputs(\"sk_assert: violated\\n\", stderr);\n        abort();\n    }\n}\n",
    ),
    (
        "sk_invariant",
        "\nvoid sk_invariant(_Bool holds) {\n    if (!holds) {\n        fflush(stdout);\n        fputs(\"sk_invariant: violated\\n\", stderr);\n        abort();\n    }\n}\n",
    ),
    (
        "sk_assume",
        "\nvoid sk_assume(_Bool holds) {\n    if (!holds) {\n        exit(0);\n    }\n}\n",
    ),
    (
        "__VERIFIER_assert",
        "\nvoid __VERIFIER_assert(int holds) {\n    if (!holds) {\n        fputs(\"__VERIFIER_assert: violated\\n\", stderr);\n        abort();\n    }\n}\n",
    ),
    (
        "__VERIFIER_assume",
        "\nvoid __VERIFIER_assume(int holds) {\n    if (!holds) {\n        exit(0);\n    }\n}\n",
    ),
    (
        "__VERIFIER_error",
        "\nvoid __VERIFIER_error(void) {\n    fputs(\"__VERIFIER_error: called\\n\", stderr);\n    abort();\n}\n",
    ),
    (
        "reach_error",
        "\nvoid reach_error(void) {\n    fputs(\"reach_error: called\\n\", stderr);\n    abort();\n}\n",
    ),
];
