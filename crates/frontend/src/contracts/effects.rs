//! A contract asks and changes nothing.
//!
//! What a contract says is computed before and after the function that it belongs to, where the program itself computes nothing. So
//! whatever a condition changed would be changed in what is verified and not in what is run, and a function would be judged for other
//! arguments than those it gets. Two things are looked at: the words of a condition (`x++`, `x = 1`), and, when all files are linked, the
//! functions that it calls. These write to nothing but variables of their own, call nobody who does, and no one of whom that is not
//! known; and they end no execution.

use std::collections::BTreeSet;

use crate::error::Error;
use crate::ffi::{Attr, Module, Opcode, Val, ValKind};

use super::lex::{self, Kind, Token, closing};
use super::read::Complaint;
use super::{CALL, CHECK, OURS};

/// Operators that change what stands beside them.
const CHANGING: [&str; 13] = [
    "=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
];

/// Words that begin what is no question.
const STATEMENTS: [&str; 6] = [
    "asm",
    "__asm",
    "__asm__",
    "goto",
    "return",
    "__builtin_va_arg",
];

/// Says where words change something.
pub fn complain(words: &[Token<'_>]) -> Result<(), Complaint> {
    match changing(words) {
        None => Ok(()),
        Some(token) => Err((
            token.at,
            format!("`{}`: a contract asks and changes nothing", token.text),
        )),
    }
}

/// The first word that changes something. What a block in brackets declares is its own.
fn changing<'s, 't>(words: &'s [Token<'t>]) -> Option<&'s Token<'t>> {
    words.iter().enumerate().find_map(|(index, token)| {
        let wrong = match token.kind {
            Kind::Mark if token.is("=") => !declares(words, index),
            Kind::Mark => CHANGING.contains(&token.text),
            Kind::Name => STATEMENTS.contains(&token.text),
            Kind::Number | Kind::Quoted => false,
        };
        wrong.then_some(token)
    })
}

/// Is it the sign of a declaration, as in `({ int y = x; y > 0; })`? Two names stand before it, with stars between them at most, or the
/// type of something and a name: no expression begins like that.
fn declares(words: &[Token<'_>], sign: usize) -> bool {
    let ends = |word: &Token<'_>| word.is(";") || word.is("{");
    let Some(before) = words[..sign].iter().rposition(ends) else {
        return false;
    };
    let statement = &words[before + 1..sign];
    let Some((last, first)) = statement.split_last() else {
        return false;
    };
    if last.kind != Kind::Name {
        return false;
    }
    let mut names = 0;
    let mut index = 0;
    while let Some(word) = first.get(index) {
        let typeof_ = ["typeof", "__typeof__", "__typeof", "__auto_type"];
        if word.kind == Kind::Name {
            names += 1;
            if typeof_.contains(&word.text) && first.get(index + 1).is_some_and(|next| next.is("("))
            {
                match closing(first, index + 1) {
                    Some(close) => index = close,
                    None => return false,
                }
            }
        } else if !word.is("*") || names == 0 {
            return false;
        }
        index += 1;
    }
    names > 0
}

/// Is a text, put into a program, an expression that only asks? Calls are none, for whom they reach is not looked at. Names of types and
/// macros are those of the program.
pub fn asks(text: &str, program: &[&str]) -> Result<(), String> {
    let words = lex::tokens(text);
    if let Some(token) = changing(&words) {
        return Err(format!("`{}` changes something", token.text));
    }
    let program: Vec<Vec<Token<'_>>> = program.iter().map(|text| lex::tokens(text)).collect();
    for (index, token) in words.iter().enumerate() {
        let Some(open) = words.get(index + 1).filter(|next| next.is("(")) else {
            continue;
        };
        let calls = match token.kind {
            Kind::Name => !ASKING.contains(&token.text),
            Kind::Mark if token.is(")") => !is_cast(&words, index, &program),
            Kind::Mark => token.is("]"),
            Kind::Number | Kind::Quoted => true,
        };
        if calls {
            return Err(format!(
                "something is called at `{}`",
                &text[token.at..open.at + 1]
            ));
        }
    }
    Ok(())
}

/// Words of C before a bracket that call nobody.
const ASKING: [&str; 5] = ["sizeof", "_Alignof", "alignof", "__alignof__", "__typeof__"];

/// Do the brackets that close here hold a type?
fn is_cast(words: &[Token<'_>], close: usize, program: &[Vec<Token<'_>>]) -> bool {
    const TYPES: [&str; 16] = [
        "int", "char", "short", "long", "float", "double", "void", "signed", "unsigned", "const",
        "volatile", "_Bool", "struct", "union", "enum", "__int128",
    ];
    let opens = |at: &usize| words[*at].is("(") && closing(words, *at) == Some(close);
    let Some(open) = (0..close).find(opens) else {
        return false;
    };
    let inside = &words[open + 1..close];
    let Some(first) = inside.first() else {
        return false;
    };
    let plain = inside
        .iter()
        .all(|word| word.kind == Kind::Name || word.is("*"));
    let known = |name: &str| {
        let mut ends = program
            .iter()
            .flat_map(|words| words.windows(2).enumerate().map(move |at| (words, at)));
        ends.any(|(words, (at, pair))| {
            pair[0].is(name) && pair[1].is(";") && {
                let ends = |word: &Token<'_>| word.is(";") || word.is("}");
                let start = words[..at].iter().rposition(ends).map_or(0, |end| end + 1);
                words[start..at].iter().any(|word| word.is("typedef"))
                    || words[..at].last().is_some_and(|word| word.is("}"))
            }
        })
    };
    let is_type = TYPES.contains(&first.text) || first.text.ends_with("_t") || known(first.text);
    plain && is_type
}

/// Functions that ask or compute, and change nothing, of those that have no body here.
const KNOWN: &[&str] = &[
    "abs",
    "labs",
    "llabs",
    "imaxabs",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strchr",
    "strrchr",
    "strstr",
    "strspn",
    "strcspn",
    "strpbrk",
    "memcmp",
    "memchr",
    "wcslen",
    "wcscmp",
    "wmemcmp",
    "isalnum",
    "isalpha",
    "isascii",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "tolower",
    "toupper",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "fabs",
    "fabsf",
    "fabsl",
    "floor",
    "floorf",
    "ceil",
    "ceilf",
    "trunc",
    "truncf",
    "round",
    "roundf",
    "copysign",
    "copysignf",
    "fmin",
    "fminf",
    "fmax",
    "fmaxf",
    "__isnan",
    "__isinf",
    "__finite",
    "__signbit",
    "__fpclassify",
    "htons",
    "htonl",
    "ntohs",
    "ntohl",
];

/// Complains of contracts that call what may change something or end the execution.
pub fn judge(module: &Module<'_>) -> Result<(), Error> {
    let mut pure = BTreeSet::new();
    for func in module.functions() {
        let name = func.name();
        let of = name.strip_prefix(CHECK).or_else(|| name.strip_prefix(CALL));
        let Some(of) = of.filter(|_| !func.is_declaration()) else {
            continue;
        };
        for inst in func
            .blocks()
            .into_iter()
            .flat_map(|block| block.instructions())
        {
            let wrong = match inst.is_any_call() {
                true => is_harmless(module, inst, &mut pure)
                    .err()
                    .map(|what| format!("calls {what}")),
                false => writes(inst).then(|| "writes to what is not its own".to_owned()),
            };
            if let Some(what) = wrong {
                return Err(Error::input(format!(
                    "{of}: its contract {what}: a contract asks and changes nothing"
                )));
            }
        }
    }
    Ok(())
}

/// Does an instruction, unless it is a call, change what is not a variable of its function?
fn writes(inst: Val<'_>) -> bool {
    match inst.opcode() {
        Some(Opcode::LLVMStore) => !is_own(inst.operand(1)),
        Some(Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg | Opcode::LLVMVAArg) => true,
        _ => false, // Nothing else writes.
    }
}

/// Does a call of an intrinsic function change something, or end the execution?
fn intrinsic_changes(call: Val<'_>, name: &str) -> bool {
    let copies = ["llvm.memcpy", "llvm.memmove", "llvm.memset"];
    let others = [
        "llvm.trap",
        "llvm.debugtrap",
        "llvm.ubsantrap",
        "llvm.assume",
        "llvm.eh.",
        "llvm.va_",
        "llvm.masked.",
        "llvm.x86.",
        "llvm.write_register",
        "llvm.set",
        "llvm.reset",
        "llvm.clear_cache",
        "llvm.init.",
    ];
    let is = |list: &[&str]| list.iter().any(|begin| name.starts_with(begin));
    is(&others) || is(&copies) && !is_own(call.operand(0))
}

/// Does a call change nothing? If it may, what is called, and why.
fn is_harmless(
    module: &Module<'_>,
    call: Val<'_>,
    pure: &mut BTreeSet<String>,
) -> Result<(), String> {
    let mut list = vec![target(call).ok_or("a function through a pointer, or assembly")?];
    let first = list[0].name();
    if intrinsic_changes(call, &first) {
        return Err(format!("`{first}`, which writes or ends executions"));
    }
    let mut seen: BTreeSet<String> = BTreeSet::new();
    while let Some(func) = list.pop() {
        let name = func.name();
        if pure.contains(&name) || !seen.insert(name.clone()) {
            continue;
        }
        let by = |why: &str| match name == first {
            true => format!("`{name}`, {why}"),
            false => format!("`{first}`, and that `{name}`, {why}"),
        };
        let body = module.function(&name).filter(|func| !func.is_declaration());
        // A function of the program may have a name like ours; then it has a body.
        let written = name.starts_with(OURS);
        let ours =
            written || body.is_none() && (name.starts_with("sk_") || name.starts_with("__selkie_"));
        let asks = ours && !ENDS.contains(&name.as_str());
        let at_top = name == first && (ours || name == "malloc");
        if at_top
            || asks
            || name.starts_with("llvm.")
            || name.starts_with("__ubsan_")
            || body.is_none() && KNOWN.contains(&name.as_str())
        {
            continue;
        }
        if ENDS.contains(&name.as_str()) {
            return Err(by("which ends executions"));
        }
        let Some(body) = body else {
            return Err(by("of which it is not known that it changes nothing"));
        };
        for inst in body
            .blocks()
            .into_iter()
            .flat_map(|block| block.instructions())
        {
            if !inst.is_any_call() {
                if writes(inst) {
                    return Err(by("which writes to what is not its own"));
                }
                continue;
            }
            let callee = target(inst).ok_or_else(|| by("which calls through a pointer"))?;
            if intrinsic_changes(inst, &callee.name()) {
                return Err(by(
                    "which writes to what is not its own, or ends executions",
                ));
            }
            list.push(callee);
        }
    }
    pure.extend(seen);
    Ok(())
}

/// Functions of ours that end an execution, or write.
const ENDS: [&str; 5] = [
    "sk_assume",
    "sk_havoc",
    "sk_assert",
    "sk_invariant",
    "sk_reset_modified",
];

/// The function that a call names.
fn target(call: Val<'_>) -> Option<Val<'_>> {
    let mut callee = call.callee();
    if callee.value_kind() == ValKind::Alias {
        callee = callee.aliasee()?;
    }
    (callee.value_kind() == ValKind::Function).then_some(callee)
}

/// Does a pointer lead to a variable of the function, to the place of its result, or to a variable that was written for contracts?
fn is_own(mut pointer: Val<'_>) -> bool {
    loop {
        match pointer.opcode().or(pointer.expr_opcode()) {
            Some(Opcode::LLVMAlloca) => return true,
            Some(Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast) => {
                pointer = pointer.operand(0);
            }
            // What is noted of the places that may be changed.
            _ if pointer.value_kind() == ValKind::Global => {
                return pointer.name().starts_with(OURS);
            }
            _ if pointer.value_kind() == ValKind::Argument => {
                return is_result(pointer);
            }
            _ => return false,
        }
    }
}

/// Is it the argument that says where a structure is to be returned?
fn is_result(argument: Val<'_>) -> bool {
    argument.name() == "agg.result" && Attr::kind_named("sret") != 0
}

#[cfg(test)]
mod tests {
    use super::super::lex::tokens;
    use super::{asks, changing};

    #[test]
    fn expressions_of_others_call_nobody() {
        let program = ["typedef struct s { int a; } box; typedef unsigned word;"];
        for text in [
            "x == 1",
            "(word)(x) < 3U",
            "(unsigned long)(x + 1)",
            "sizeof(x) > 1",
            "p[(x)] == 2",
            "x * (y)",
        ] {
            assert_eq!(asks(text, &program), Ok(()), "{text}");
        }
        for text in [
            "f(x)",
            "(f)(x)",
            "(exit(0), 1)",
            "t[0](x)",
            "x = 1",
            "x -= 1",
            "(y, x++)",
            "(x)(y)",
        ] {
            assert!(asks(text, &program).is_err(), "{text}");
        }
    }

    #[test]
    fn what_changes_something_is_found() {
        let found = |text: &str| changing(&tokens(text)).map(|token| token.text.to_owned());
        for (text, mark) in [
            ("x++ > 0", "++"),
            ("(x = 1) == 1", "="),
            ("a[i] <<= 2", "<<="),
            ("({ int y = x; y = 2; y > 1; })", "="),
            ("({ *p = 1; 1; })", "="),
            ("({ s.a = 1; 1; })", "="),
            ("({ asm(\"\"); 1; })", "asm"),
        ] {
            assert_eq!(found(text).as_deref(), Some(mark), "{text}");
        }
        for text in [
            "x == 1 && y <= 2 && z != 3",
            "sk_forall { int i; 0 <= i && i < n ==> a[i] >= 0 }",
            "({ __typeof__(x) _a = (x); const char *p = q; unsigned long n = 3; _a > n; })",
            "s[0] == '=' && t == \"x++\"",
        ] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
