//! What a clause says, as C that clang understands.
//!
//! A condition is *assumed* (what callers keep to, where the function is checked; what it ensures, where it is
//! replaced) or *claimed*. Most of it means the same either way:
//!
//! - `a ==> b` is `!a || b`; `sk_old(e)` is a variable that got its value before the call.
//! - A quantifier whose truth a claim rests on is about one value, chosen freely: a claim for all is one for any, and an
//!   assumption that there is one is that of one. Every other quantifier is computed, by a loop over its range, which must be said
//!   as `lo <= i && i < hi`. Nothing is left out: what is assumed is neither more nor less than what stands there.
//! - `sk_object_size(p)` is what is left of the object behind `p`, for a caller's object may begin before it.
//! - `sk_string(s)`, assumed, is a terminator at a place that is chosen freely; claimed, it is searched.

use super::lex::{Kind, Token, closing, join, split};
use super::read::Complaint;

/// Which side of a contract is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// Of the function itself.
    Function,
    /// Of its callers.
    Caller,
}

/// What becomes of a condition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It holds.
    Assumed,
    /// It is to be shown.
    Claimed,
}

/// The name of what a function returns.
pub const RESULT: &str = "sk__result";

/// Writes the conditions of a function.
pub struct Writer<'t> {
    /// Are results and old values meant?
    pub after: bool,
    /// What becomes of it.
    pub role: Role,
    /// Expressions whose old values are needed.
    pub old: Vec<String>,
    /// How many new objects are spoken of.
    fresh: u32,
    /// Variables of quantifiers around.
    bound: Vec<&'t str>,
}

type Written = Result<String, Complaint>;

impl<'t> Writer<'t> {
    /// One that has written nothing.
    pub fn new(role: Role) -> Writer<'t> {
        Writer {
            after: false,
            role,
            old: Vec::new(),
            fresh: 0,
            bound: Vec::new(),
        }
    }

    /// A condition. Is it one that makes the whole true if it is true?
    pub fn condition(&mut self, words: &[Token<'t>], upward: bool) -> Written {
        let mixed = [",", "?", ";", "="];
        if mixed.iter().any(|mark| split(words, mark).len() > 1) {
            return self.plain(words);
        }
        if let [first, rest @ ..] = split(words, "==>").as_slice()
            && let Some(second) = rest.first().and_then(|part| part.first())
        {
            let then = words.iter().position(|word| word.at == second.at);
            let first = self.condition(first, false)?;
            let then = self.condition(&words[then.unwrap_or(0)..], upward)?;
            return Ok(format!("(!({first}) || ({then}))"));
        }
        for mark in ["||", "&&"] {
            let parts = split(words, mark);
            if parts.len() > 1 {
                let parts: Result<Vec<String>, Complaint> = parts
                    .iter()
                    .map(|part| self.condition(part, upward))
                    .collect();
                return Ok(format!("({})", parts?.join(&format!(" {mark} "))));
            }
        }
        if words.first().is_some_and(|word| word.is("("))
            && closing(words, 0) == Some(words.len() - 1)
        {
            let inside = self.condition(&words[1..words.len() - 1], upward)?;
            return Ok(format!("({inside})"));
        }
        if let Some(text) = self.special(words, upward)? {
            return Ok(text);
        }
        self.plain(words)
    }

    /// Words in which nothing is known of where they stand.
    pub fn plain(&mut self, words: &[Token<'t>]) -> Written {
        let mut out = Vec::new();
        let mut index = 0;
        while let Some(word) = words.get(index) {
            let next = words.get(index + 1);
            let opens = |text: &str| next.is_some_and(|next| next.is(text));
            if word.kind == Kind::Name && (opens("(") || opens("{")) {
                let close = closing(words, index + 1)
                    .ok_or_else(|| (word.at, "a bracket is not closed".to_owned()))?;
                if let Some(text) = self.special(&words[index..=close], false)? {
                    out.push(text);
                    index = close + 1;
                    continue;
                }
            }
            if word.kind == Kind::Mark && matches!(word.text, "(" | "[" | "{") {
                let close = closing(words, index)
                    .ok_or_else(|| (word.at, "a bracket is not closed".to_owned()))?;
                let parts = split(&words[index + 1..close], ",");
                let parts: Result<Vec<String>, Complaint> = parts
                    .iter()
                    .map(|part| self.condition(part, false))
                    .collect();
                let parts = parts?.join(", ");
                out.push(format!("{}{parts}{}", word.text, words[close].text));
                index = close + 1;
                continue;
            }
            let result = ["sk_result", "__CPROVER_return_value"];
            if result.iter().any(|name| word.is(name)) {
                if !self.after {
                    let text = format!("`{}` is known only when the function returns", word.text);
                    return Err((word.at, text));
                }
                out.push(RESULT.to_owned());
            } else if word.is("sk_object_size") {
                out.push("sk__left".to_owned());
            } else if word.is("sk_object_offset") {
                let text = "`sk_object_offset` is not supported in a contract: callers may pass pointers into the middle of objects";
                return Err((word.at, text.to_owned()));
            } else {
                out.push(word.text.to_owned());
            }
            index += 1;
        }
        Ok(out.join(" "))
    }

    /// One of the words that have a meaning of their own, with what belongs to it, and no more.
    fn special(&mut self, words: &[Token<'t>], upward: bool) -> Result<Option<String>, Complaint> {
        let [name, open, inside @ .., _] = words else {
            return Ok(None);
        };
        if name.kind != Kind::Name || closing(words, 1) != Some(words.len() - 1) {
            return Ok(None);
        }
        let written = match (name.text, open.text) {
            ("sk_old" | "__CPROVER_old", "(") => self.old_value(name, inside)?,
            ("sk_forall" | "__CPROVER_forall", "{") => {
                self.quantifier(name, inside, upward, true)?
            }
            ("sk_exists" | "__CPROVER_exists", "{") => {
                self.quantifier(name, inside, upward, false)?
            }
            ("sk_string", "(") => {
                let some = upward && self.role == Role::Assumed;
                let name = if some { "sk__some_string" } else { "sk_string" };
                format!("{name}({})", self.plain(inside)?)
            }
            ("sk_fresh" | "__CPROVER_is_fresh", "(") => self.fresh(name, inside, upward)?,
            ("sk_readable" | "__CPROVER_r_ok" | "__CPROVER_is_readable", "(") => {
                self.valid("sk_is_deref", inside)?
            }
            ("sk_writable" | "__CPROVER_w_ok" | "__CPROVER_rw_ok", "(") => {
                self.valid("sk_is_deref_write", inside)?
            }
            (text, "(") if UNKNOWN.contains(&text) => {
                return Err((name.at, format!("`{text}` is not supported in a contract")));
            }
            _ => return Ok(None),
        };
        Ok(Some(written))
    }

    fn old_value(&mut self, name: &Token<'t>, inside: &[Token<'t>]) -> Written {
        if !self.after {
            let text = format!("`{}` is for what a function ensures", name.text);
            return Err((name.at, text));
        }
        let mut names = inside.iter().filter(|word| word.kind == Kind::Name);
        if let Some(variable) = names.find(|word| self.bound.contains(&word.text)) {
            let text = format!(
                "`{}` of something that depends on the quantified `{}` is not supported",
                name.text, variable.text
            );
            return Err((name.at, text));
        }
        let text = self.plain(inside)?;
        let number = match self.old.iter().position(|old| *old == text) {
            Some(number) => number,
            None => {
                self.old.push(text);
                self.old.len() - 1
            }
        };
        Ok(format!("sk__old_{number}"))
    }

    /// `p` alone is one element of what it points to.
    fn valid(&mut self, function: &str, inside: &[Token<'t>]) -> Written {
        let args = split(inside, ",");
        let pointer = self.plain(args[0])?;
        let size = match args.get(1) {
            Some(size) => self.plain(size)?,
            None => format!("sizeof(*({pointer}))"),
        };
        Ok(format!("{function}(({pointer}), ({size}))"))
    }

    /// A new object. To callers it is one; the function shows that it made it.
    fn fresh(&mut self, name: &Token<'t>, inside: &[Token<'t>], upward: bool) -> Written {
        let args = split(inside, ",");
        let [pointer, size] = args.as_slice() else {
            let text = format!("`{}` takes a pointer and a number of bytes", name.text);
            return Err((name.at, text));
        };
        let (pointer, size) = (self.plain(pointer)?, self.plain(size)?);
        if !self.after {
            return Ok(format!("sk_is_deref_write(({pointer}), ({size}))"));
        }
        self.fresh += 1;
        if !upward || self.fresh > 1 {
            let text = format!(
                "`{}` is supported once in what a function ensures, and not under a negation",
                name.text
            );
            return Err((name.at, text));
        }
        Ok(match self.role {
            Role::Claimed => format!("sk__is_fresh(({pointer}), ({size}))"),
            Role::Assumed => format!(
                "({{ ({pointer}) = (__typeof__({pointer}))__builtin_malloc({size}); sk_assume(({pointer}) != 0); 1; }})"
            ),
        })
    }

    /// `{ int i; CONDITION }`.
    fn quantifier(
        &mut self,
        name: &Token<'t>,
        inside: &[Token<'t>],
        upward: bool,
        all: bool,
    ) -> Written {
        let wrong = |text: String| (name.at, text);
        let written = format!(
            "`{}` is written {} {{ int i; CONDITION }}",
            name.text, name.text
        );
        let at = inside.iter().position(|word| word.is(";"));
        let at = at.ok_or_else(|| wrong(written.clone()))?;
        let (declared, body) = (&inside[..at], &inside[at + 1..]);
        let [ty @ .., variable] = declared else {
            return Err(wrong(written));
        };
        if ty.is_empty() || variable.kind != Kind::Name || body.is_empty() {
            return Err(wrong(written));
        }
        let (ty, variable) = (join(ty), variable.text);
        let chosen = upward && all == (self.role == Role::Claimed);
        self.bound.push(variable);
        let condition = self.condition(body, upward && chosen);
        self.bound.pop();
        let condition = condition?;
        if chosen {
            return Ok(format!(
                "({{ {ty} {variable}; sk_havoc(&{variable}, sizeof({variable})); ({condition}); }})"
            ));
        }
        let range = range(body, variable, all).ok_or_else(|| {
            wrong(format!(
                "`{}` needs a range here, such as 0 <= {variable} && {variable} < 10",
                name.text
            ))
        })?;
        let (low, high) = (self.plain(&range.low)?, self.plain(&range.high)?);
        let compare = if range.inclusive { "<=" } else { "<" };
        let (start, found, stop) = if all { (1, 0, "!") } else { (0, 1, "") };
        // The loop goes through all that the range says, as C compares it: numbers with a sign are not compared as others are, and what
        // is behind the last value of the type is no value.
        let signed = format!("({ty})-1 < ({ty})1");
        let compared = |bound: &str| {
            format!("(__typeof__(({ty})0 + ({bound})))-1 < (__typeof__(({ty})0 + ({bound})))1")
        };
        let (signed_low, signed_high) = (compared(&low), compared(&high));
        let bits = format!("(sizeof({ty}) * 8 - 2)");
        let greatest =
            format!("(({signed}) ? ({ty})((1ULL << {bits}) - 1 + (1ULL << {bits})) : ({ty})-1)");
        Ok(format!(
            "({{ _Static_assert(__builtin_classify_type(({ty})0) <= 4 && sizeof({ty}) <= 8, \"a quantifier is about integers\"); \
             _Bool sk__holds = {start}; \
             __selkie_check(({ty})({low}) == ({low}) && ({signed_low} || !({signed})) && (({ty})({low}) >= ({ty})0 || {signed_high}), \
             \"unsupported\", \"a quantifier begins beyond its type\"); \
             for ({ty} {variable} = ({low}); {variable} {compare} ({high}); {variable}++) {{ \
             if ({stop}({condition})) {{ sk__holds = {found}; break; }} if ({variable} == {greatest}) break; }} sk__holds; }})"
        ))
    }
}

/// Names of CBMC that mean something of which nothing is known here.
const UNKNOWN: &[&str] = &[
    "__CPROVER_loop_entry",
    "__CPROVER_obeys_contract",
    "__CPROVER_pointer_in_range_dfcc",
    "__CPROVER_pointer_equals",
    "__CPROVER_was_freed",
    "__CPROVER_is_freeable",
];

/// From where to where a variable goes.
struct Range<'t> {
    low: Vec<Token<'t>>,
    high: Vec<Token<'t>>,
    inclusive: bool,
}

/// The range that a condition gives a variable: conditions in front of `==>` for all, among those joined by `&&` for one.
fn range<'t>(body: &[Token<'t>], variable: &str, all: bool) -> Option<Range<'t>> {
    let body = open(body);
    let conditions = if all {
        split(body, "==>").first().copied()?
    } else {
        body
    };
    if all && split(body, "==>").len() < 2 {
        return None;
    }
    let mut list: Vec<&[Token<'t>]> = vec![conditions];
    let mut index = 0;
    while let Some(&part) = list.get(index) {
        let part = open(part);
        let parts = split(part, "&&");
        if parts.len() > 1 {
            list.extend(parts);
        }
        index += 1;
    }
    let (mut low, mut high, mut inclusive) = (None, None, false);
    for part in list {
        let part = open(part);
        for (mark, turned) in [("<", ">"), ("<=", ">="), (">", "<"), (">=", "<=")] {
            let sides = split(part, mark);
            let [left, right] = sides.as_slice() else {
                continue;
            };
            let is_variable =
                |side: &[Token<'t>]| matches!(open(side), [word] if word.is(variable));
            let free = |side: &[Token<'t>]| !side.iter().any(|word| word.is(variable));
            let (mark, bound) = match (is_variable(left), is_variable(right)) {
                (true, false) if free(right) => (mark, right),
                (false, true) if free(left) => (turned, left),
                _ => continue,
            };
            // What the condition leaves out at the ends of the range, it leaves out by itself.
            match mark {
                "<" | "<=" if high.is_none() => {
                    high = Some(bound.to_vec());
                    inclusive = mark == "<=";
                }
                ">" | ">=" if low.is_none() => low = Some(bound.to_vec()),
                _ => {}
            }
        }
    }
    Some(Range {
        low: low?,
        high: high?,
        inclusive,
    })
}

/// Without the brackets around everything.
fn open<'s, 't>(mut words: &'s [Token<'t>]) -> &'s [Token<'t>] {
    while words.first().is_some_and(|word| word.is("("))
        && closing(words, 0) == Some(words.len() - 1)
    {
        words = &words[1..words.len() - 1];
    }
    words
}

/// What may be changed: an address and a number of bytes, as C.
pub fn targets(words: &[Token<'_>]) -> Result<Vec<(String, String)>, Complaint> {
    let mut list = Vec::new();
    for group in split(words, ";") {
        let mut group = group;
        let mut condition = None;
        // `CONDITION : TARGETS`
        if split(group, "?").len() == 1
            && let [first, _, ..] = split(group, ":").as_slice()
        {
            condition = Some(Writer::new(Role::Claimed).plain(first)?);
            group = &group[first.len() + 1..];
        }
        for target in split(group, ",") {
            if target.is_empty() {
                continue;
            }
            let (at, bytes) = self::target(target)?;
            let bytes = match &condition {
                Some(condition) => format!("(({condition}) ? ({bytes}) : 0)"),
                None => bytes,
            };
            list.push((at, bytes));
        }
    }
    Ok(list)
}

fn target(words: &[Token<'_>]) -> Result<(String, String), Complaint> {
    let mut writer = Writer::new(Role::Claimed);
    if let [name, open, inside @ .., _] = words
        && open.is("(")
        && closing(words, 1) == Some(words.len() - 1)
    {
        let args = split(inside, ",");
        let pointer = writer.plain(args[0])?;
        match (name.text, args.len()) {
            ("sk_object" | "__CPROVER_object_whole", 1) => {
                let at = format!("((char *)({pointer}) - sk_object_offset({pointer}))");
                return Ok((at, format!("sk_object_size({pointer})")));
            }
            ("__CPROVER_object_from", 1) => {
                let bytes = format!("sk_object_size({pointer}) - sk_object_offset({pointer})");
                return Ok((format!("({pointer})"), bytes));
            }
            ("sk_bytes" | "__CPROVER_object_upto", 2) => {
                return Ok((format!("({pointer})"), writer.plain(args[1])?));
            }
            (text, _) if text.starts_with("__CPROVER_") => {
                return Err((
                    name.at,
                    format!("`{text}` is not supported in what is assigned"),
                ));
            }
            _ => {}
        }
    }
    let place = writer.plain(words)?;
    Ok((format!("&({place})"), format!("sizeof({place})")))
}

#[cfg(test)]
mod tests {
    use super::super::lex::tokens;
    use super::{Role, Writer, targets};

    fn written(role: Role, text: &str) -> String {
        let mut writer = Writer::new(role);
        writer.after = true;
        match writer.condition(&tokens(text), true) {
            Ok(text) => text,
            Err((_, complaint)) => complaint,
        }
    }

    #[test]
    fn implications_and_old_values_become_c() {
        assert_eq!(
            written(Role::Claimed, "a ==> b ==> sk_result == sk_old(x)"),
            "(!(a) || ((!(b) || (sk__result == sk__old_0))))"
        );
        assert_eq!(
            written(Role::Claimed, "f(a ==> b, c)"),
            "f ((!(a) || (b)), c)"
        );
    }

    #[test]
    fn a_quantifier_is_one_value_only_where_that_is_the_same() {
        let chosen = |role, text: &str| written(role, text).contains("sk_havoc");
        let all = "sk_forall { int i; 0 <= i && i < n ==> a[i] }";
        let one = "sk_exists { int i; 0 <= i && i < n && a[i] }";
        assert!(chosen(Role::Claimed, all) && chosen(Role::Assumed, one));
        assert!(!chosen(Role::Assumed, all) && !chosen(Role::Claimed, one));
        assert!(chosen(Role::Claimed, &format!("c && (b ==> {all})")));
        for text in [
            format!("!({all})"),
            format!("{all} ==> c"),
            format!("{all} == c"),
        ] {
            assert!(!chosen(Role::Claimed, &text), "{text}");
            assert!(written(Role::Claimed, &text).contains("for ("), "{text}");
        }
        let without = "sk_forall { int i; a[i] == 0 }";
        assert!(written(Role::Assumed, without).contains("needs a range"));
    }

    #[test]
    fn targets_are_addresses_and_sizes() {
        let list = targets(&tokens("*p, a[i].b; c > 0: sk_bytes(q, n)")).expect("targets");
        assert_eq!(list[0], ("&(* p)".to_owned(), "sizeof(* p)".to_owned()));
        assert_eq!(
            list[2],
            ("(q)".to_owned(), "((c > 0) ? (n) : 0)".to_owned())
        );
        assert!(targets(&[]).expect("none").is_empty());
    }
}
