//! Writes a function that checks another one, and a function that stands for it.
//!
//! ```text
//! int f(int *p) sk_requires(R) sk_ensures(E) sk_assigns(*p) { … }
//!
//! int sk__check__f(int *p) {            int sk__call__f(int *p) {
//!     sk_assume(R);                         claim R;
//!     old values, what may change           old values, what may change
//!     int sk__result = f(p);                *p = anything; int sk__result = anything;
//!     claim E;                              sk_assume(E);
//!     return sk__result;                    return sk__result;
//! }                                     }
//! ```
//!
//! What is written stands behind the function, in the same file, with the places of the clauses.

use std::fmt::Write;

use super::conditions::{RESULT, Role, Side, Writer, targets};
use super::lex::{Token, join};
use super::read::{Clause, Complaint, Contract, Found, Param};
use super::{BODY, CALL, CHECK, FRAME_AT, FRAME_BYTES, FREE, KEEP, Lines, STANDS};

/// What makes a claim about a pointer that only one to an object satisfies.
const LEADS: [&str; 12] = [
    "sk_readable",
    "sk_writable",
    "sk_string",
    "sk_is_deref",
    "sk_is_deref_write",
    "sk_is_alloc",
    "sk_object_size",
    "sk_is_freeable",
    "__CPROVER_r_ok",
    "__CPROVER_w_ok",
    "__CPROVER_rw_ok",
    "__CPROVER_is_readable",
];

/// The file with its contracts as C.
pub fn write(text: &str, found: &Found<'_>, tag: &str) -> Result<String, Complaint> {
    let lines = Lines::of(text);
    let mut out = String::with_capacity(text.len() * 2);
    let mut gone: Vec<(usize, usize)> = found.gone.clone();
    gone.sort_unstable();
    let mut contracts: Vec<&Contract<'_>> = found.contracts.iter().collect();
    contracts.sort_by_key(|contract| contract.end);
    let mut at = 0;
    let mut gone = gone.into_iter().peekable();
    let mut copy = |out: &mut String, at: &mut usize, end: usize| {
        while let Some((from, to)) = gone.next_if(|&(from, _)| from < end) {
            out.push_str(&text[*at..from]);
            // What goes leaves its room, so that everything else stays where it was.
            let blank = |c: char| if c == '\n' { '\n' } else { ' ' };
            let kept = text[from..to].split_inclusive('\n');
            for line in kept {
                if line.starts_with('#') {
                    out.push_str(line);
                } else {
                    out.extend(line.chars().map(blank));
                }
            }
            *at = to;
        }
        out.push_str(&text[*at..end]);
        *at = end;
    };
    for contract in contracts {
        copy(&mut out, &mut at, contract.end);
        out.push('\n');
        for side in [Side::Function, Side::Caller] {
            function(&mut out, text, &lines, contract, found, tag, side)?;
        }
        out.push_str(&lines.marker(contract.end));
    }
    copy(&mut out, &mut at, text.len());
    Ok(out)
}

/// One of the two functions.
fn function(
    out: &mut String,
    text: &str,
    lines: &Lines<'_>,
    contract: &Contract<'_>,
    found: &Found<'_>,
    tag: &str,
    side: Side,
) -> Result<(), Complaint> {
    let name = contract.name;
    // What is hidden in a file has names of its own, for other files may have a function of that name.
    let tag = if contract.hidden { tag } else { "" };
    let linkage = if contract.hidden {
        "static __attribute__((used)) "
    } else {
        ""
    };
    let params: Vec<String> = contract
        .params
        .iter()
        .map(|param| join(&param.words))
        .collect();
    let params = match params.is_empty() {
        true => "void".to_owned(),
        false => params.join(", "),
    };
    let args: Vec<&str> = contract.params.iter().map(|param| param.name).collect();
    let args = args.join(", ");
    let result = join(&contract.result);
    let returns = !matches!(contract.result.as_slice(), [word] if word.is("void"));
    let weak = if contract.hidden {
        ""
    } else {
        " __attribute__((weak))"
    };
    let marker = lines.marker(contract.place);
    let indent = " ".repeat(lines.column(contract.place));

    let (before, after) = match side {
        Side::Function => (Role::Assumed, Role::Claimed),
        Side::Caller => (Role::Claimed, Role::Assumed),
    };
    // Old values are known when everything is written that speaks of them.
    let mut late = Writer::new(after);
    late.after = true;
    let (mut starts, mut ends, mut may_change) = (String::new(), String::new(), Vec::new());
    for (clause, words) in &contract.clauses {
        match clause {
            Clause::Requires => {
                let mut writer = Writer::new(before);
                let condition = writer.condition(words, true)?;
                let said = said(text, words);
                statement(
                    &mut starts,
                    lines,
                    words,
                    before,
                    "requires",
                    &condition,
                    &said,
                );
            }
            Clause::Ensures => {
                let condition = late.condition(words, true)?;
                let said = said(text, words);
                statement(&mut ends, lines, words, after, "ensures", &condition, &said);
            }
            Clause::Assigns => may_change.extend(targets(words)?),
            Clause::Frees if words.is_empty() => {}
            Clause::Frees => {
                return Err((
                    contract.place,
                    format!(
                        "`{name}`: functions that free what their caller has cannot have a contract yet"
                    ),
                ));
            }
        }
    }
    for (condition, words) in kept(contract, found) {
        let condition = Writer::new(Role::Claimed)
            .plain(&condition)
            .map(|text| (condition, text))?;
        let (said, condition) = (join(&condition.0), condition.1);
        let (first, last) = (&mut starts, &mut ends);
        statement(first, lines, words, before, "requires", &condition, &said);
        statement(last, lines, words, after, "ensures", &condition, &said);
    }

    if side == Side::Function {
        let count = may_change.len().max(1);
        let _ = writeln!(
            out,
            "{marker}void {KEEP}(const void *);\n{marker}{result} {BODY}{name}{tag}({params});"
        );
        let _ = writeln!(
            out,
            "{marker}const volatile void *{FRAME_AT}{name}{tag}[{count}]{weak};"
        );
        let _ = writeln!(
            out,
            "{marker}sk__size {FRAME_BYTES}{name}{tag}[{count}]{weak};"
        );
    }
    let prefix = if side == Side::Function { CHECK } else { CALL };
    if side == Side::Caller {
        let _ = writeln!(out, "{marker}_Bool {STANDS}{name}{tag}(_Bool);");
    }
    let _ = writeln!(
        out,
        "{marker}{linkage}{result} {prefix}{name}({params}){weak};"
    );
    let _ = writeln!(
        out,
        "{marker}{linkage}{result} {prefix}{name}({params})\n{{"
    );
    if side == Side::Caller {
        let ensures = contract
            .clauses
            .iter()
            .filter(|(clause, _)| *clause == Clause::Ensures);
        let mut words = ensures.flat_map(|(_, words)| words);
        let leads = u8::from(words.any(|word| LEADS.contains(&word.text)));
        let _ = writeln!(
            out,
            "{marker}{indent}if (!{STANDS}{name}{tag}({leads})) {{ __selkie_check(0, \"unsupported\", \"the contract of `{name}` stands for it, \
             although its parameters, globals or result lead to pointers, code or each other, or its clauses to itself\"); sk_assume(0); }}"
        );
        for param in contract.params.iter().filter(|&param| !is_number(param)) {
            let param = param.name;
            let _ = writeln!(
                out,
                "{marker}{indent}__selkie_check(__builtin_classify_type({param}) != 5 ? 1 : \
                 sk__leads(*(const volatile void *const *)(const void *)&{param}), \"requires\", \
                 \"`{param}` of `{name}` is null or leads to an object\");"
            );
        }
        for (index, first) in contract.params.iter().enumerate() {
            for second in &contract.params[index + 1..] {
                apart(out, &marker, &indent, name, first, second);
            }
        }
    }
    out.push_str(&starts);
    let mut line = |text: String| {
        let _ = writeln!(out, "{marker}{indent}{text}");
    };
    if side == Side::Function {
        line(format!(
            "__selkie_check(1, \"ensures\", \"a call can keep to what `{name}` requires\");"
        ));
    }
    for (index, old) in late.old.iter().enumerate() {
        line(format!("__typeof__({old}) sk__old_{index} = ({old});"));
    }
    for (index, (at, bytes)) in may_change.iter().enumerate() {
        match side {
            Side::Function => {
                line(format!("{FRAME_AT}{name}{tag}[{index}] = {at};"));
                line(format!("{FRAME_BYTES}{name}{tag}[{index}] = {bytes};"));
            }
            // All addresses first: what is changed may lead to what is changed next.
            Side::Caller => {
                line(format!("void *sk__at_{index} = (void *){at};"));
                line(format!("sk__size sk__bytes_{index} = {bytes};"));
            }
        }
    }
    match side {
        Side::Function if returns => line(format!(
            "{KEEP}((const void *){name}); {result} {RESULT} = {BODY}{name}{tag}({args});"
        )),
        Side::Function => line(format!(
            "{KEEP}((const void *){name}); {BODY}{name}{tag}({args});"
        )),
        Side::Caller => {
            // The function is checked with objects that may be written.
            for index in 0..may_change.len() {
                line(format!(
                    "__selkie_check(sk__can_change(sk__at_{index}, sk__bytes_{index}), \"requires\", \
                     \"what `{name}` assigns may be written\");"
                ));
            }
            for index in 0..may_change.len() {
                line(format!("{FREE}(sk__at_{index}, sk__bytes_{index});"));
            }
            if returns {
                line(format!("__typeof__((({result} (*)(void))0)()) {RESULT};"));
                line(format!("sk_havoc(&{RESULT}, sizeof({RESULT}));"));
                let pointers = contract.params.iter().filter(|&param| !is_number(param));
                let given: Vec<String> = pointers.map(|param| value(param.name)).collect();
                let given = format!(
                    "{{ {} }}",
                    [given, vec!["0".to_owned()]].concat().join(", ")
                );
                line(format!(
                    "if (__builtin_classify_type({RESULT}) == 5) {{ const volatile void *sk__given[] = {given}; \
                     *(void **)(void *)&{RESULT} = sk__returned(sk__given, sizeof(sk__given) / sizeof(*sk__given) - 1); }}"
                ));
            }
        }
    }
    out.push_str(&ends);
    let mut line = |text: String| {
        let _ = writeln!(out, "{marker}{indent}{text}");
    };
    if side == Side::Caller {
        line(format!(
            "__selkie_check(1, \"ensures\", \"something satisfies what `{name}` ensures\");"
        ));
    }
    if returns {
        line(format!("return {RESULT};"));
    }
    out.push_str("}\n");
    Ok(())
}

/// A condition that is assumed or claimed.
fn statement(
    out: &mut String,
    lines: &Lines<'_>,
    words: &[Token<'_>],
    role: Role,
    check: &str,
    condition: &str,
    said: &str,
) {
    let Some(first) = words.first() else {
        return;
    };
    out.push_str(&lines.marker(first.at));
    out.push_str(&" ".repeat(lines.column(first.at)));
    match role {
        Role::Assumed => out.push_str(&format!("sk_assume({condition});\n")),
        Role::Claimed => {
            let text = said.replace('\\', "\\\\").replace('"', "\\\"");
            let text = format!("__selkie_check(({condition}), \"{check}\", \"{text}\");\n");
            out.push_str(&text);
        }
    }
}

/// What a clause says, in one line of a length that one reads.
fn said(text: &str, words: &[Token<'_>]) -> String {
    const MOST: usize = 120;
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return String::new();
    };
    let lines = text[first.at..last.range().end].lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let line = words.join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Two pointers lead to different objects, for that is what the function was checked for.
fn apart(
    out: &mut String,
    marker: &str,
    indent: &str,
    name: &str,
    first: &Param<'_>,
    second: &Param<'_>,
) {
    if is_number(first) || is_number(second) {
        return;
    }
    let (first, second) = (first.name, second.name);
    let _ = writeln!(
        out,
        "{marker}{indent}__selkie_check(__builtin_classify_type({first}) != 5 || __builtin_classify_type({second}) != 5 ? 1 : \
         sk__apart(*(const volatile void *const *)(const void *)&{first}, *(const volatile void *const *)(const void *)&{second}), \"requires\", \
         \"`{first}` and `{second}` of `{name}` lead to different objects\");"
    );
}

/// A parameter, as a pointer to anything; null if it is none.
fn value(param: &str) -> String {
    format!(
        "__builtin_classify_type({param}) != 5 ? (const volatile void *)0 : *(const volatile void *const *)(const void *)&{param}"
    )
}

/// Is it certainly no pointer?
fn is_number(param: &Param<'_>) -> bool {
    const NUMBERS: [&str; 10] = [
        "int", "unsigned", "signed", "char", "short", "long", "float", "double", "_Bool", "const",
    ];
    let ty = param.words.iter().filter(|word| word.text != param.name);
    let mut ty = ty.peekable();
    ty.peek().is_some() && ty.all(|word| NUMBERS.contains(&word.text))
}

/// What structures keep to that parameters point to.
fn kept<'c, 't>(
    contract: &'c Contract<'t>,
    found: &'c Found<'t>,
) -> Vec<(Vec<Token<'t>>, &'c [Token<'t>])> {
    let mut list = Vec::new();
    for invariant in &found.invariants {
        for param in &contract.params {
            let mut wanted = plain(&invariant.ty, found);
            wanted.push("*");
            if plain(&declared(param), found) != wanted {
                continue;
            }
            let mut condition = Vec::new();
            for (index, word) in invariant.condition.iter().enumerate() {
                let member = index > 0
                    && (invariant.condition[index - 1].is("->")
                        || invariant.condition[index - 1].is("."));
                let mut word = word.clone();
                if word.is(invariant.name) && !member {
                    word.text = param.name;
                }
                condition.push(word);
            }
            list.push((condition, invariant.condition.as_slice()));
        }
    }
    list
}

/// The type of a parameter: without its name, and an array is a pointer.
fn declared<'t>(param: &Param<'t>) -> Vec<Token<'t>> {
    let name = param.words.iter().position(|word| word.text == param.name);
    let (before, after) = param.words.split_at(name.unwrap_or(param.words.len()));
    let mut ty = before.to_vec();
    if let Some(open) = after.get(1).filter(|word| word.is("[")) {
        let text = "*";
        ty.push(Token {
            text,
            ..open.clone()
        });
    }
    ty
}

/// The words of a type without qualifiers, and with what names of types stand for.
fn plain<'t>(ty: &[Token<'t>], found: &Found<'t>) -> Vec<&'t str> {
    const QUALIFIERS: [&str; 5] = ["const", "volatile", "restrict", "__restrict", "register"];
    /// A name that stands for a name, and so on.
    const MOST: usize = 16;
    let mut words: Vec<&str> = ty.iter().map(|word| word.text).collect();
    for _ in 0..MOST {
        words.retain(|word| !QUALIFIERS.contains(word));
        let tag = |at: usize| at > 0 && matches!(words[at - 1], "struct" | "union" | "enum");
        let name = (0..words.len()).find(|&at| found.names.contains_key(words[at]) && !tag(at));
        let Some(at) = name else {
            break;
        };
        let meant = found.names[words[at]].clone();
        words.splice(at..=at, meant);
    }
    words
}
