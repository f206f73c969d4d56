//! What the caller says of the entry's pointers: `p: nullable, 16 bytes`.
//!
//! ```text
//! RULE   = PATH ":" WORD { "," WORD }          `buf: string`   `b->data: b->len elements`
//! WORD   = "nullable" | "not null" | "heap" | "string" | COUNT "bytes" | COUNT "elements" | "may alias" PATH
//! COUNT  = a number, or the name of an integer
//! ```
//!
//! Two names are no pointers: `globals: initial` leaves globals as the program defines them, and
//! `depth: 3` says how far pointers inside objects lead to further ones.

use crate::error::Error;

/// How far pointers lead to objects if nothing is said: a parameter, and what is in its object.
pub const DEPTH: u32 = 2;

/// More than this costs more than it can be worth.
const DEEPEST: u32 = 6;

/// What is said of the entry's arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rules {
    /// Of each pointer that something is said of.
    pub pointers: Vec<Rule>,
    /// Do globals keep their initial values?
    pub initial: bool,
    /// How far pointers lead, if that is said.
    pub depth: Option<u32>,
    /// May every pointer lead to nothing? A contract says where it does not.
    pub strays: bool,
}

/// What is said of one pointer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rule {
    /// Which, as the ledger calls it: `p`, `p->next`, `*p`.
    pub path: String,
    /// May it be null?
    pub nullable: bool,
    /// Is it never null, where it might be?
    pub not_null: bool,
    /// Is its object one of the heap, that may be freed?
    pub heap: bool,
    /// Is its last element zero?
    pub string: bool,
    /// How large its object is.
    pub size: Option<Size>,
    /// It may also be this pointer.
    pub alias: Option<String>,
}

/// A size that was said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Size {
    /// How many.
    pub count: Count,
    /// Elements, or bytes?
    pub elements: bool,
}

/// How many.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Count {
    /// So many.
    Number(u64),
    /// As many as this integer says.
    Named(String),
}

/// A pointer that the entry is given, and what could be said of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// Its name in a rule.
    pub path: String,
    /// Bytes of an element.
    pub element: u64,
    /// May it be a string?
    pub text: bool,
    /// Integers that may count its elements.
    pub counts: Vec<String>,
    /// May it be null because nobody has said otherwise?
    pub nullable: bool,
}

/// Reads rules.
pub fn read(texts: &[String]) -> Result<Rules, Error> {
    let mut rules = Rules::default();
    for text in texts {
        let wrong = |why: &str| Error::usage(format!("--param '{text}': {why}"));
        let (path, words) = text.split_once(':').ok_or_else(|| {
            wrong("a rule is written NAME: WORDS, such as 'p: string' or 'p: n elements'")
        })?;
        let path: String = path.split_whitespace().collect();
        if path.is_empty() {
            return Err(wrong("the name of a parameter is missing before the colon"));
        }
        match (path.as_str(), words.trim()) {
            ("globals", "initial") => rules.initial = true,
            ("globals", _) => return Err(wrong("of globals one can say `initial` only")),
            ("depth", number) if number.parse::<u32>().is_ok_and(|n| n <= DEEPEST) => {
                rules.depth = number.parse().ok();
            }
            ("depth", _) => return Err(wrong("a depth is a number from 0 to 6")),
            _ => {
                if rules.pointers.iter().any(|rule| rule.path == path) {
                    return Err(wrong(
                        "something was said of it before; say it in one --param",
                    ));
                }
                let rule = rule(&path, words).map_err(|why| wrong(&why))?;
                rules.pointers.push(rule);
            }
        }
    }
    Ok(rules)
}

fn rule(path: &str, words: &str) -> Result<Rule, String> {
    let mut rule = Rule {
        path: path.to_owned(),
        ..Rule::default()
    };
    for word in words.split(',') {
        let parts: Vec<&str> = word.split_whitespace().collect();
        match parts.as_slice() {
            ["nullable"] => rule.nullable = true,
            ["not", "null"] => rule.not_null = true,
            ["heap"] => rule.heap = true,
            ["string"] => rule.string = true,
            ["may", "alias", other] => rule.alias = Some((*other).to_owned()),
            [count, unit @ ("byte" | "bytes" | "element" | "elements")] => {
                if rule.size.is_some() {
                    return Err("it has two sizes".to_owned());
                }
                rule.size = Some(Size {
                    count: number(count)?,
                    elements: unit.starts_with('e'),
                });
            }
            _ => {
                return Err(format!(
                    "`{}` is none of: nullable, not null, heap, string, N bytes, N elements, may alias OTHER",
                    word.trim()
                ));
            }
        }
    }
    if rule.nullable && rule.not_null {
        return Err("it is null, or it is not".to_owned());
    }
    Ok(rule)
}

fn number(text: &str) -> Result<Count, String> {
    if !text.starts_with(|letter: char| letter.is_ascii_digit()) {
        return Ok(Count::Named(text.to_owned()));
    }
    match text.parse() {
        Ok(number) => Ok(Count::Number(number)),
        Err(_) => Err(format!("`{text}` is no number")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(texts: &[&str]) -> Result<Rules, String> {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        read(&texts).map_err(|error| error.to_string())
    }

    #[test]
    fn rules_are_read() {
        let rules = said(&[
            "p: nullable, 16 bytes",
            "b -> data: b->len elements",
            "depth: 3",
        ]);
        let rules = rules.expect("they are well written");
        assert_eq!(rules.depth, Some(3));
        assert!(rules.pointers[0].nullable);
        let size = rules.pointers[0].size.clone().expect("a size");
        assert_eq!((size.count, size.elements), (Count::Number(16), false));
        assert_eq!(rules.pointers[1].path, "b->data");
        let size = rules.pointers[1].size.clone().expect("a size");
        assert_eq!(size.count, Count::Named("b->len".to_owned()));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        for (text, why) in [
            ("p", "NAME: WORDS"),
            (": string", "missing"),
            ("p: strings", "none of"),
            ("p: 4 bytes, 8 bytes", "two sizes"),
            ("p: 4x bytes", "no number"),
            ("p: nullable, not null", "it is null, or it is not"),
            ("depth: 99", "from 0 to 6"),
            ("globals: none", "initial"),
        ] {
            let error = said(&[text]).expect_err(text);
            assert!(error.contains(why), "{text}: {error}");
        }
        assert!(said(&["p: string", "p: nullable"]).is_err());
    }
}
