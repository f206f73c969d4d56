//! Finds the contracts in a preprocessed file.

use std::collections::BTreeMap;

use super::lex::{Kind, Token, closing, join, split};

/// What a clause says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clause {
    /// What holds when the function is called.
    Requires,
    /// What holds when it returns.
    Ensures,
    /// What it may change.
    Assigns,
    /// What it may free.
    Frees,
}

/// The clause that a name begins, in our own spelling and in CBMC's.
pub fn clause(name: &str) -> Option<Clause> {
    Some(match name {
        "sk_requires" | "__CPROVER_requires" => Clause::Requires,
        "sk_ensures" | "__CPROVER_ensures" => Clause::Ensures,
        "sk_assigns" | "__CPROVER_assigns" => Clause::Assigns,
        "sk_frees" | "__CPROVER_frees" => Clause::Frees,
        _ => return None,
    })
}

/// Clauses that say something of loops: nothing rests on them.
const OF_LOOPS: [&str; 3] = ["__CPROVER_assigns", "__CPROVER_decreases", "sk_assigns"];

/// What a structure always keeps to: `sk_type_invariant(struct ring, r, r->head < r->size)`.
const INVARIANT: &str = "sk_type_invariant";

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param<'t> {
    /// All of it.
    pub words: Vec<Token<'t>>,
    /// Its name.
    pub name: &'t str,
}

/// A function with a contract.
#[derive(Clone, Debug)]
pub struct Contract<'t> {
    /// Its name.
    pub name: &'t str,
    /// What it returns, without `static` and the like.
    pub result: Vec<Token<'t>>,
    /// Is it hidden in its file?
    pub hidden: bool,
    /// Its parameters.
    pub params: Vec<Param<'t>>,
    /// What is said of it, in order.
    pub clauses: Vec<(Clause, Vec<Token<'t>>)>,
    /// Where the first clause stands.
    pub place: usize,
    /// Behind the declaration or the body.
    pub end: usize,
}

impl Contract<'_> {
    /// Its parameters and clauses, by which two contracts are compared.
    pub fn text(&self) -> String {
        let params = self.params.iter().map(|param| join(&param.words));
        let clauses = self.clauses.iter();
        let clauses = clauses.map(|(clause, words)| format!("{clause:?} {}", join(words)));
        let all: Vec<String> = params.chain(clauses).collect();
        all.join(" ; ")
    }
}

/// A structure's invariant: the words of its type, a name, a condition.
#[derive(Clone, Debug)]
pub struct Invariant<'t> {
    /// Words of the type.
    pub ty: Vec<Token<'t>>,
    /// What the condition calls a pointer to it.
    pub name: &'t str,
    /// The condition.
    pub condition: Vec<Token<'t>>,
}

/// What a file says.
#[derive(Default, Debug)]
pub struct Found<'t> {
    /// Contracts.
    pub contracts: Vec<Contract<'t>>,
    /// Invariants of structures.
    pub invariants: Vec<Invariant<'t>>,
    /// Text that is no C, from and to.
    pub gone: Vec<(usize, usize)>,
    /// Names of types that stand for a structure, or for a pointer to one, and what they stand for.
    pub names: BTreeMap<&'t str, Vec<&'t str>>,
}

/// A complaint, and where.
pub type Complaint = (usize, String);

/// Reads a file.
pub fn read<'t>(tokens: &[Token<'t>]) -> Result<Found<'t>, Complaint> {
    let mut found = Found::default();
    let mut start = 0;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let word = token.text;
        let open = tokens.get(index + 1).is_some_and(|next| next.is("("));
        if token.kind == Kind::Name && open && clause(word).is_some() {
            let (contract, next) = contract(tokens, start, index, &mut found.gone)?;
            found.contracts.push(contract);
            index = next;
            start = next;
        } else if token.is(INVARIANT) && open {
            let close = end_of(tokens, index + 1)?;
            found
                .invariants
                .push(invariant(&tokens[index + 2..close], token.at)?);
            let semicolon = tokens.get(close + 1).is_some_and(|token| token.is(";"));
            index = close + 1 + usize::from(semicolon);
            found.gone.push((token.at, tokens[index - 1].range().end));
            start = index;
        } else if token.kind == Kind::Mark && matches!(word, "{" | "(" | "[") {
            let close = end_of(tokens, index)?;
            loops(&tokens[index + 1..close], &mut found.gone)?;
            index = close + 1;
            // A body ends a declaration; what stands behind that of a structure is one of its own.
            if word == "{" && !is_type(&tokens[start..index - 1]) {
                start = index;
            }
        } else {
            index += 1;
            if token.is(";") {
                named(&tokens[start..index - 1], &mut found.names);
                start = index;
            }
        }
    }
    Ok(found)
}

/// Remembers what `typedef struct s { … } name, *pointer` stands for.
fn named<'t>(words: &[Token<'t>], names: &mut BTreeMap<&'t str, Vec<&'t str>>) {
    let Some((_, words)) = words.split_first().filter(|(first, _)| first.is("typedef")) else {
        return;
    };
    let mut flat: Vec<Token<'t>> = Vec::new();
    let mut index = 0;
    while let Some(word) = words.get(index) {
        match word.text {
            "{" => match closing(words, index) {
                Some(close) => index = close,
                None => return,
            },
            "(" | "[" => return,
            _ => flat.push(word.clone()),
        }
        index += 1;
    }
    let mut base: Vec<&str> = Vec::new();
    for (number, part) in split(&flat, ",").into_iter().enumerate() {
        let Some((name, before)) = part.split_last() else {
            return;
        };
        let stars = before.iter().rev().take_while(|word| word.is("*")).count();
        let (ty, stars) = before.split_at(before.len() - stars);
        if number == 0 {
            base = ty.iter().map(|word| word.text).collect();
        }
        // A structure without a name is known by this one.
        if matches!(base.as_slice(), [] | ["struct" | "union" | "enum"]) || name.kind != Kind::Name
        {
            return;
        }
        let stars = stars.iter().map(|word| word.text);
        let meant: Vec<&str> = base.iter().copied().chain(stars).collect();
        if meant != [name.text] {
            names.insert(name.text, meant);
        }
    }
}

/// Does a declaration that begins like this define a structure before it comes to its name?
fn is_type(words: &[Token<'_>]) -> bool {
    let brace = words.iter().position(|word| word.is("{"));
    let before = &words[..brace.unwrap_or(words.len())];
    let keyword = |word: &Token<'_>| word.is("struct") || word.is("union") || word.is("enum");
    before.iter().any(keyword) && !before.iter().any(|word| word.is("(") || word.is("="))
}

fn end_of(tokens: &[Token<'_>], open: usize) -> Result<usize, Complaint> {
    closing(tokens, open).ok_or_else(|| (tokens[open].at, "a bracket is not closed".to_owned()))
}

/// Takes away what is said of loops inside a body.
fn loops(tokens: &[Token<'_>], gone: &mut Vec<(usize, usize)>) -> Result<(), Complaint> {
    for (index, token) in tokens.iter().enumerate() {
        let open = tokens.get(index + 1).is_some_and(|next| next.is("("));
        if token.kind != Kind::Name || !open {
            continue;
        }
        if OF_LOOPS.contains(&token.text) {
            let close = end_of(tokens, index + 1)?;
            gone.push((token.at, tokens[close].range().end));
        } else if clause(token.text).is_some() || token.is(INVARIANT) {
            return Err((
                token.at,
                format!(
                    "`{}` stands between the parameters of a function and its body, not inside",
                    token.text
                ),
            ));
        }
    }
    Ok(())
}

/// `TYPE, NAME, CONDITION`.
fn invariant<'t>(words: &[Token<'t>], at: usize) -> Result<Invariant<'t>, Complaint> {
    let parts = split(words, ",");
    match parts.as_slice() {
        [ty, [name], condition, ..] if name.kind == Kind::Name && !ty.is_empty() => {
            let from = condition.first().map_or(0, |first| first.at);
            let condition = words.iter().filter(|word| word.at >= from).cloned();
            Ok(Invariant {
                ty: ty.to_vec(),
                name: name.text,
                condition: condition.collect(),
            })
        }
        _ => Err((
            at,
            format!("an invariant is written {INVARIANT}(struct s, p, CONDITION of p)"),
        )),
    }
}

/// Words before a type that say nothing of it.
const STORAGE: &[&str] = &[
    "static",
    "extern",
    "inline",
    "__inline",
    "__inline__",
    "_Noreturn",
    "__extension__",
    "register",
];

/// A declaration from its start, whose first clause stands at an index; and what follows it.
fn contract<'t>(
    tokens: &[Token<'t>],
    start: usize,
    first: usize,
    gone: &mut Vec<(usize, usize)>,
) -> Result<(Contract<'t>, usize), Complaint> {
    let place = tokens[first].at;
    let mut words: Vec<Token<'t>> = Vec::new();
    let mut index = start;
    let mut hidden = false;
    while index < first {
        let token = &tokens[index];
        let attribute = ["__attribute__", "__attribute", "asm", "__asm__", "__asm"];
        if attribute.iter().any(|name| token.is(name)) {
            index = end_of(tokens, index + 1)? + 1;
            continue;
        }
        if STORAGE.iter().any(|word| token.is(word)) {
            hidden |= token.is("static");
        } else {
            words.push(token.clone());
        }
        index += 1;
    }
    let wrong = |what: &str| (place, format!("a contract belongs to a function: {what}"));
    let mut opens = (0..words.len()).filter(|&at| words[at].is("("));
    let open = opens
        .find(|&at| closing(&words, at) == Some(words.len() - 1))
        .filter(|&at| at > 0 && words[at - 1].kind == Kind::Name)
        .ok_or_else(|| wrong("write it as `int f(int x) sk_requires(x > 0)`"))?;
    let name = words[open - 1].text;
    let result = words[..open - 1].to_vec();
    if result.is_empty() {
        return Err(wrong("say what it returns"));
    }
    let params =
        params(&words[open + 1..words.len() - 1], name).map_err(|sentence| (place, sentence))?;
    let mut clauses = Vec::new();
    let mut index = first;
    while let Some(token) = tokens.get(index) {
        let Some(clause) = clause(token.text).filter(|_| token.kind == Kind::Name) else {
            break;
        };
        if !tokens.get(index + 1).is_some_and(|next| next.is("(")) {
            break;
        }
        let close = end_of(tokens, index + 1)?;
        clauses.push((clause, tokens[index + 2..close].to_vec()));
        gone.push((token.at, tokens[close].range().end));
        index = close + 1;
    }
    // Attributes may follow.
    while tokens
        .get(index)
        .is_some_and(|token| token.is("__attribute__"))
    {
        index = end_of(tokens, index + 1)? + 1;
    }
    let next = match tokens.get(index) {
        Some(token) if token.is(";") => index + 1,
        Some(token) if token.is("{") => {
            let close = end_of(tokens, index)?;
            loops(&tokens[index + 1..close], gone)?;
            close + 1
        }
        _ => return Err(wrong("a body or a semicolon follows it")),
    };
    let contract = Contract {
        name,
        result,
        hidden,
        params,
        clauses,
        place,
        end: tokens[next - 1].range().end,
    };
    Ok((contract, next))
}

/// The parameters of a function.
fn params<'t>(words: &[Token<'t>], func: &str) -> Result<Vec<Param<'t>>, String> {
    if words.is_empty() || words.len() == 1 && words[0].is("void") {
        return Ok(Vec::new());
    }
    let mut list = Vec::new();
    for part in split(words, ",") {
        if part.iter().any(|word| word.is("...")) {
            return Err(format!(
                "`{func}` takes further arguments: it cannot have a contract"
            ));
        }
        let name = param_name(part);
        let name =
            name.ok_or_else(|| format!("`{func}` has a contract: its parameters need names"))?;
        list.push(Param {
            words: part.to_vec(),
            name,
        });
    }
    Ok(list)
}

fn param_name<'t>(words: &[Token<'t>]) -> Option<&'t str> {
    let mut end = words.len();
    // `int (*f)(int)`, `int (*a)[3]`: the name stands in the first bracket.
    if let Some(open) = words.iter().position(|word| word.is("(")) {
        let mut inside = words[open + 1..].iter();
        if words.get(open + 1)?.is("*") {
            let name = inside.find(|word| word.kind == Kind::Name && !word.is("const"));
            return name.map(|word| word.text);
        }
    }
    while end > 0 && words[end - 1].is("]") {
        let opens = (0..end).rev().filter(|&at| words[at].is("["));
        end = opens
            .into_iter()
            .find(|&at| closing(words, at) == Some(end - 1))?;
    }
    let name = words.get(end.checked_sub(1)?)?;
    let keyword = [
        "int", "char", "long", "short", "unsigned", "signed", "float", "double", "const",
    ];
    let named = name.kind == Kind::Name && end > 1 && !keyword.contains(&name.text);
    let tag = end > 1
        && (words[end - 2].is("struct") || words[end - 2].is("union") || words[end - 2].is("enum"));
    (named && !tag).then_some(name.text)
}
