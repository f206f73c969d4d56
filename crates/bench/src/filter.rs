//! Which tasks to run: the expressions of `--filter`, and samples.
//!
//! ```text
//! property=unreach-call and not (category~Driver or lines>2000)
//! ```
//!
//! A comparison is a column, an operator and a value. `=` and `!=` compare the whole text, `~` and `!~`
//! search for a regular expression, `<`, `<=`, `>`, `>=` compare numbers (a field that is no number never
//! matches). A value with spaces or brackets in it stands in single or double quotes. `not` binds closer
//! than `and`, `and` closer than `or`. A task without the column has the empty text there.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use regex::Regex;

use crate::hash::Hasher;
use crate::task::Task;

/// Brackets and `not`s deeper than this are a mistake.
const MAX_DEPTH: usize = 64;

/// A condition on the columns of a task.
#[derive(Clone, Debug)]
pub enum Filter {
    /// All of them hold.
    And(Vec<Filter>),
    /// At least one holds.
    Or(Vec<Filter>),
    /// It does not hold.
    Not(Box<Filter>),
    /// A column compared with a value.
    Compare(String, Test),
}

/// What a field is compared with.
#[derive(Clone, Debug)]
pub enum Test {
    /// The same text.
    Equal(String),
    /// The expression occurs in it.
    Search(Regex),
    /// A number in this relation to the value.
    Number(Relation, f64),
}

/// The relation between two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// Why an expression cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FilterError {
    /// The column in the expression, counted in characters from one.
    pub column: usize,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: {}", self.column, self.reason)
    }
}

impl Filter {
    /// Reads an expression.
    pub fn read(text: &str) -> Result<Filter, FilterError> {
        let mut reader = Reader { text, at: 0 };
        let filter = reader.disjunction(0)?;
        reader.skip_space();
        if reader.rest().is_empty() {
            Ok(filter)
        } else {
            Err(reader.error("expected `and`, `or` or the end"))
        }
    }

    /// Does it hold for a task with these columns?
    pub fn matches(&self, columns: &BTreeMap<String, String>) -> bool {
        match self {
            Filter::And(parts) => parts.iter().all(|part| part.matches(columns)),
            Filter::Or(parts) => parts.iter().any(|part| part.matches(columns)),
            Filter::Not(part) => !part.matches(columns),
            Filter::Compare(column, test) => {
                test.holds(columns.get(column).map_or("", String::as_str))
            }
        }
    }

    /// The columns it mentions.
    pub fn columns(&self) -> BTreeSet<&str> {
        let mut columns = BTreeSet::new();
        let mut work = vec![self];
        while let Some(filter) = work.pop() {
            match filter {
                Filter::And(parts) | Filter::Or(parts) => work.extend(parts),
                Filter::Not(part) => work.push(part),
                Filter::Compare(column, _) => {
                    columns.insert(column.as_str());
                }
            }
        }
        columns
    }
}

impl Test {
    fn holds(&self, field: &str) -> bool {
        match self {
            Test::Equal(value) => field == value,
            Test::Search(expression) => expression.is_match(field),
            Test::Number(relation, value) => match field.trim().parse::<f64>() {
                Err(_) => false,
                Ok(number) => match relation {
                    Relation::Less => number < *value,
                    Relation::AtMost => number <= *value,
                    Relation::Greater => number > *value,
                    Relation::AtLeast => number >= *value,
                },
            },
        }
    }
}

/// `count` of the tasks, in their order. Which ones depends on the seed and on their ids alone, so that a
/// list that grows keeps most of its sample, and a larger sample contains a smaller one.
pub fn sample(tasks: Vec<Task>, count: usize, seed: u64) -> Vec<Task> {
    let mut ranks: Vec<(u64, usize)> = tasks
        .iter()
        .enumerate()
        .map(|(index, task)| {
            let mut hasher = Hasher::default();
            hasher.number(seed);
            hasher.text(&task.id);
            (hasher.finish(), index)
        })
        .collect();
    ranks.sort_unstable();
    let chosen: BTreeSet<usize> = ranks.iter().take(count).map(|(_, index)| *index).collect();
    tasks
        .into_iter()
        .enumerate()
        .filter_map(|(index, task)| chosen.contains(&index).then_some(task))
        .collect()
}

struct Reader<'a> {
    text: &'a str,
    /// A byte offset.
    at: usize,
}

impl<'a> Reader<'a> {
    fn disjunction(&mut self, depth: usize) -> Result<Filter, FilterError> {
        let mut parts = vec![self.conjunction(depth)?];
        while self.word("or") || self.symbol("||") {
            parts.push(self.conjunction(depth)?);
        }
        Ok(match <[Filter; 1]>::try_from(parts) {
            Ok([part]) => part,
            Err(parts) => Filter::Or(parts),
        })
    }

    fn conjunction(&mut self, depth: usize) -> Result<Filter, FilterError> {
        let mut parts = vec![self.negation(depth)?];
        while self.word("and") || self.symbol("&&") {
            parts.push(self.negation(depth)?);
        }
        Ok(match <[Filter; 1]>::try_from(parts) {
            Ok([part]) => part,
            Err(parts) => Filter::And(parts),
        })
    }

    fn negation(&mut self, depth: usize) -> Result<Filter, FilterError> {
        if depth == MAX_DEPTH {
            return Err(self.error("nested too deeply"));
        }
        if self.word("not") {
            return Ok(Filter::Not(Box::new(self.negation(depth + 1)?)));
        }
        if self.symbol("(") {
            let inner = self.disjunction(depth + 1)?;
            if !self.symbol(")") {
                return Err(self.error("expected `)`"));
            }
            return Ok(inner);
        }
        self.comparison()
    }

    fn comparison(&mut self) -> Result<Filter, FilterError> {
        self.skip_space();
        let column = self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
        if column.is_empty() {
            return Err(self.error("expected a column"));
        }
        const OPERATORS: &[&str] = &["!=", "!~", "<=", ">=", "==", "=", "~", "<", ">"];
        let Some(operator) = OPERATORS.iter().find(|symbol| self.symbol(symbol)) else {
            return Err(self.error("expected one of = != ~ !~ < <= > >="));
        };
        self.skip_space();
        let place = self.at;
        let value = self.value()?;
        let fail = |reason: String| FilterError {
            column: self.text[..place].chars().count() + 1,
            reason,
        };
        let search = |value: &str| {
            Regex::new(value)
                .map(Test::Search)
                .map_err(|error| fail(format!("bad regular expression: {error}")))
        };
        let number = |relation| {
            value
                .parse()
                .map(|number| Test::Number(relation, number))
                .map_err(|_| fail(format!("`{value}` is no number")))
        };
        let test = match *operator {
            "=" | "==" | "!=" => Test::Equal(value),
            "~" | "!~" => search(&value)?,
            "<" => number(Relation::Less)?,
            "<=" => number(Relation::AtMost)?,
            ">" => number(Relation::Greater)?,
            _ => number(Relation::AtLeast)?,
        };
        let compare = Filter::Compare(column.to_owned(), test);
        Ok(match *operator {
            "!=" | "!~" => Filter::Not(Box::new(compare)),
            _ => compare,
        })
    }

    fn value(&mut self) -> Result<String, FilterError> {
        let quote = match self.rest().chars().next() {
            Some(quote @ ('\'' | '"')) => quote,
            _ => {
                let bare = self.take_while(|c| !c.is_whitespace() && c != ')' && c != '(');
                return Ok(bare.to_owned());
            }
        };
        let inside = &self.rest()[1..];
        match inside.find(quote) {
            None => Err(self.error("the quote is not closed")),
            Some(length) => {
                self.at += length + 2;
                Ok(inside[..length].to_owned())
            }
        }
    }

    /// Takes a word that is not the beginning of a longer one.
    fn word(&mut self, word: &str) -> bool {
        self.skip_space();
        let ends = |rest: &str| {
            rest.chars()
                .next()
                .is_none_or(|c| c.is_whitespace() || c == '(')
        };
        match self.rest().strip_prefix(word) {
            Some(rest) if ends(rest) => {
                self.at += word.len();
                true
            }
            _ => false,
        }
    }

    fn symbol(&mut self, symbol: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(symbol);
        if found {
            self.at += symbol.len();
        }
        found
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    fn skip_space(&mut self) {
        self.take_while(char::is_whitespace);
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn error(&self, reason: &str) -> FilterError {
        FilterError {
            column: self.text[..self.at].chars().count() + 1,
            reason: reason.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Filter;

    fn check(text: &str) -> bool {
        let columns: BTreeMap<String, String> = [
            ("property", "unreach-call"),
            ("category", "ReachSafety-Loops/loops new"),
            ("lines", "120"),
            ("tags", ""),
            ("old.result", "wrong"),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
        Filter::read(text)
            .unwrap_or_else(|error| panic!("{text}: {error}"))
            .matches(&columns)
    }

    #[test]
    fn comparisons() {
        for (text, expected) in [
            ("property=unreach-call", true),
            ("property == unreach-call", true),
            ("property=unreach", false),
            ("property!=unreach-call", false),
            ("property~^unreach", true),
            ("property!~call$", false),
            ("category='ReachSafety-Loops/loops new'", true),
            ("category~\"(Loops|Heap)/\"", true),
            ("lines<200", true),
            ("lines>=120", true),
            ("lines<=119.5", false),
            ("lines>1e2", true),
            ("tags>0", false),
            ("tags=", true),
            ("absent=''", true),
            ("old.result=wrong", true),
        ] {
            assert_eq!(check(text), expected, "{text}");
        }
    }

    #[test]
    fn connectives_bind_as_documented() {
        for (text, expected) in [
            ("lines=1 or lines=120 and property~call", true),
            ("(lines=120 or lines=1) and property~nothing", false),
            ("lines=120 or lines=1 and property~nothing", true),
            ("not lines=1 and not(lines=2)", true),
            ("not (lines=120 or lines=1)", false),
            ("lines=120&&property~call||tags=x", false),
            ("lines=120 && property~call || tags=x", true),
            ("not not lines=120", true),
        ] {
            // Without spaces, `&&` is part of the value: values end at white space.
            assert_eq!(check(text), expected, "{text}");
        }
    }

    #[test]
    fn mistakes_are_placed() {
        let deep = "(".repeat(10_000);
        for (text, expected) in [
            ("", "column 1: expected a column"),
            ("lines", "column 6: expected one of = != ~ !~ < <= > >="),
            ("lines<x", "column 7: `x` is no number"),
            ("(lines=1", "column 9: expected `)`"),
            (
                "lines=1 tags=2",
                "column 9: expected `and`, `or` or the end",
            ),
            ("tags='a", "column 6: the quote is not closed"),
            ("lines=1 and", "column 12: expected a column"),
            (deep.as_str(), "column 65: nested too deeply"),
        ] {
            let error = Filter::read(text).expect_err(text);
            assert_eq!(error.to_string(), expected, "{text:.20}");
        }
        assert!(Filter::read("tags~'['").is_err());
    }

    #[test]
    fn columns_are_listed() {
        let filter = Filter::read("a=1 and (b=2 or not c~3)").expect("valid");
        assert_eq!(
            filter.columns().into_iter().collect::<Vec<_>>(),
            ["a", "b", "c"]
        );
    }
}
