//! Answers of an SMT-LIB program: s-expressions, and the values in them.

use terms::{FloatSort, Sort, Terms, Value};

use crate::model::{array_value, bv_from, int_from};

/// An s-expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Sexp {
    Atom(String),
    List(Vec<Sexp>),
}

/// Without recursion: a program may nest as deep as it likes.
impl Drop for Sexp {
    fn drop(&mut self) {
        if let Sexp::List(items) = self {
            let mut work = std::mem::take(items);
            while let Some(mut sexp) = work.pop() {
                if let Sexp::List(inner) = &mut sexp {
                    work.append(inner);
                }
            }
        }
    }
}

/// How deep answers may nest, and how long a word may be: more is garbage, and would only fill the memory.
const MAX_DEPTH: usize = 1 << 20;
const MAX_ATOM: usize = 1 << 26;

impl Sexp {
    fn atom(&self) -> Option<&str> {
        match self {
            Sexp::Atom(text) => Some(text),
            Sexp::List(_) => None,
        }
    }

    fn list(&self) -> Option<&[Sexp]> {
        match self {
            Sexp::Atom(_) => None,
            Sexp::List(items) => Some(items),
        }
    }

    /// The text again, cut when it gets long.
    pub(super) fn excerpt(&self) -> String {
        let mut text = String::new();
        let mut work = vec![Piece::Sexp(self)];
        while let Some(piece) = work.pop() {
            if text.len() > 200 {
                text.truncate(
                    text.char_indices()
                        .nth(197)
                        .map_or(text.len(), |(at, _)| at),
                );
                return text + "...";
            }
            match piece {
                Piece::Close => text.push(')'),
                Piece::Sexp(Sexp::Atom(atom)) => {
                    if !text.is_empty() && !text.ends_with('(') {
                        text.push(' ');
                    }
                    text.push_str(atom);
                }
                Piece::Sexp(Sexp::List(items)) => {
                    if !text.is_empty() && !text.ends_with('(') {
                        text.push(' ');
                    }
                    text.push('(');
                    work.push(Piece::Close);
                    work.extend(items.iter().rev().map(Piece::Sexp));
                }
            }
        }
        text
    }
}

enum Piece<'a> {
    Sexp(&'a Sexp),
    Close,
}

/// Collects s-expressions from pieces of text as they arrive.
#[derive(Default)]
pub(super) struct SexpReader {
    /// The lists that are open, the outermost first.
    open: Vec<Vec<Sexp>>,
    /// The atom that is being read.
    atom: String,
    state: State,
    done: std::collections::VecDeque<Sexp>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Between,
    Atom,
    Bars,
    Text,
    /// After a quotation mark inside a string: a second one is part of it.
    TextEnd,
    Comment,
}

impl SexpReader {
    /// The next complete s-expression.
    pub(super) fn next(&mut self) -> Option<Sexp> {
        self.done.pop_front()
    }

    /// Takes more text; `Err` if it cannot be part of s-expressions.
    pub(super) fn feed(&mut self, text: &str) -> Result<(), String> {
        for c in text.chars() {
            self.step(c)?;
        }
        if self.atom.len() > MAX_ATOM {
            return Err("a word without end".to_owned());
        }
        Ok(())
    }

    fn step(&mut self, c: char) -> Result<(), String> {
        match self.state {
            State::Comment => {
                if c == '\n' {
                    self.state = State::Between;
                }
                return Ok(());
            }
            State::Bars => {
                self.atom.push(c);
                if c == '|' {
                    self.finish_atom();
                }
                return Ok(());
            }
            State::Text => {
                self.atom.push(c);
                if c == '"' {
                    self.state = State::TextEnd;
                }
                return Ok(());
            }
            State::TextEnd if c == '"' => {
                self.state = State::Text;
                return Ok(());
            }
            State::TextEnd => self.finish_atom(),
            State::Atom | State::Between => {}
        }
        match c {
            '(' => {
                self.finish_atom();
                self.open.push(Vec::new());
                if self.open.len() > MAX_DEPTH {
                    return Err("parentheses nested too deep".to_owned());
                }
            }
            ')' => {
                self.finish_atom();
                let list = self.open.pop().ok_or("a closing parenthesis too many")?;
                self.finish(Sexp::List(list));
            }
            ';' => {
                self.finish_atom();
                self.state = State::Comment;
            }
            '|' if self.state == State::Between => {
                self.atom.push(c);
                self.state = State::Bars;
            }
            '"' if self.state == State::Between => {
                self.atom.push(c);
                self.state = State::Text;
            }
            c if c.is_whitespace() => self.finish_atom(),
            c => {
                self.atom.push(c);
                self.state = State::Atom;
            }
        }
        Ok(())
    }

    fn finish_atom(&mut self) {
        self.state = State::Between;
        if !self.atom.is_empty() {
            let atom = std::mem::take(&mut self.atom);
            self.finish(Sexp::Atom(atom));
        }
    }

    fn finish(&mut self, sexp: Sexp) {
        match self.open.last_mut() {
            Some(list) => list.push(sexp),
            None => self.done.push_back(sexp),
        }
    }
}

/// The values in an answer to `get-value`, in the order of the question.
pub(super) fn values_of(answer: &Sexp, count: usize) -> Result<Vec<&Sexp>, String> {
    let wrong = || format!("no answer to get-value: {}", answer.excerpt());
    let pairs = answer.list().ok_or_else(wrong)?;
    if pairs.len() != count {
        return Err(wrong());
    }
    pairs
        .iter()
        .map(|pair| match pair.list() {
            Some([_, value]) => Ok(value),
            Some(_) | None => Err(wrong()),
        })
        .collect()
}

/// Reads a value of a sort.
pub(super) fn read_value(terms: &Terms, sort: Sort, sexp: &Sexp) -> Result<Value, String> {
    let wrong = || format!("{} is no value of its sort", sexp.excerpt());
    match sort {
        Sort::Bool => match sexp.atom() {
            Some("true") => Ok(Value::Bool(true)),
            Some("false") => Ok(Value::Bool(false)),
            Some(_) | None => Err(wrong()),
        },
        Sort::Int => match sexp {
            Sexp::Atom(digits) => Ok(Value::Int(int_from(digits)?)),
            Sexp::List(items) => match items.as_slice() {
                [Sexp::Atom(minus), Sexp::Atom(digits)] if minus == "-" => {
                    Ok(Value::Int(-int_from(digits)?))
                }
                _ => Err(wrong()),
            },
        },
        Sort::BitVec(width) => Ok(Value::Bv(read_bv(width, sexp)?)),
        Sort::Float(format) => read_float(format, sexp),
        Sort::Array(_) => read_array(terms, sort, sexp),
    }
}

fn read_bv(width: u32, sexp: &Sexp) -> Result<base::Bv, String> {
    let wrong = || format!("{} is no bit-vector of {width} bits", sexp.excerpt());
    let checked = |digits: &str, radix: u32, bits: usize| {
        if digits.len() * bits == width as usize {
            bv_from(digits, radix, width)
        } else {
            Err(wrong())
        }
    };
    match sexp {
        Sexp::Atom(text) => match (text.strip_prefix("#b"), text.strip_prefix("#x")) {
            (Some(digits), _) => checked(digits, 2, 1),
            (_, Some(digits)) => checked(digits, 16, 4),
            (None, None) => Err(wrong()),
        },
        Sexp::List(items) => match items.as_slice() {
            [Sexp::Atom(mark), Sexp::Atom(number), Sexp::Atom(size)]
                if mark == "_" && *size == width.to_string() =>
            {
                bv_from(number.strip_prefix("bv").ok_or_else(wrong)?, 10, width)
            }
            _ => Err(wrong()),
        },
    }
}

fn read_float(format: FloatSort, sexp: &Sexp) -> Result<Value, String> {
    let wrong = || {
        format!(
            "{} is no float of {} and {} bits",
            sexp.excerpt(),
            format.exp,
            format.sig
        )
    };
    let items = sexp.list().ok_or_else(wrong)?;
    let special = |exponent: base::Bv, sign: u64| {
        let sign = base::Bv::from_u64(sign, 1);
        Value::float(
            format,
            sign.concat(&exponent)
                .concat(&base::Bv::zero(format.sig - 1)),
        )
    };
    match items {
        [Sexp::Atom(word), sign, exponent, fraction] if word == "fp" => {
            let sign = read_bv(1, sign)?;
            let exponent = read_bv(format.exp, exponent)?;
            let fraction = read_bv(format.sig - 1, fraction)?;
            Ok(Value::float(
                format,
                sign.concat(&exponent).concat(&fraction),
            ))
        }
        [
            Sexp::Atom(mark),
            Sexp::Atom(word),
            Sexp::Atom(exp),
            Sexp::Atom(sig),
        ] if mark == "_" && *exp == format.exp.to_string() && *sig == format.sig.to_string() => {
            match word.as_str() {
                "NaN" => Ok(Value::float(format, crate::translate::quiet_nan(format))),
                "+oo" => Ok(special(base::Bv::ones(format.exp), 0)),
                "-oo" => Ok(special(base::Bv::ones(format.exp), 1)),
                "+zero" => Ok(special(base::Bv::zero(format.exp), 0)),
                "-zero" => Ok(special(base::Bv::zero(format.exp), 1)),
                _ => Err(wrong()),
            }
        }
        _ => Err(wrong()),
    }
}

fn read_array(terms: &Terms, sort: Sort, sexp: &Sexp) -> Result<Value, String> {
    let (index, element) = terms.array_parts(sort);
    let mut stores = Vec::new();
    let mut rest = sexp;
    let default = loop {
        match rest.list() {
            Some([Sexp::Atom(word), array, at, stored]) if word == "store" => {
                stores.push((
                    read_value(terms, index, at)?,
                    read_value(terms, element, stored)?,
                ));
                rest = array;
            }
            Some([Sexp::List(head), default]) if matches!(head.as_slice(), [Sexp::Atom(a), Sexp::Atom(c), _] if a == "as" && c == "const") =>
            {
                break default;
            }
            Some(_) | None => return Err(format!("{} is no array value", rest.excerpt())),
        }
    };
    let default = read_value(terms, element, default)?;
    stores.reverse();
    Ok(array_value(terms, sort, default, stores))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, String> {
        let mut reader = SexpReader::default();
        reader.feed(text)?;
        Ok(std::iter::from_fn(|| reader.next())
            .map(|sexp| sexp.excerpt())
            .collect())
    }

    #[test]
    fn expressions_are_found_across_lines_strings_and_comments() {
        let text = "sat ; yes\n((x #b01)\n (|a b| \"c \"\"d)\"))\nunsat\n";
        assert_eq!(
            read(text),
            Ok(vec![
                "sat".into(),
                "((x #b01) (|a b| \"c \"d)\"))".into(),
                "unsat".into()
            ])
        );
    }

    #[test]
    fn an_incomplete_expression_waits_for_its_end() {
        assert_eq!(read("(a (b"), Ok(vec![]));
        assert_eq!(read("sat"), Ok(vec![]));
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = "(".repeat(500_000) + &")".repeat(500_000);
        assert_eq!(read(&deep).map(|all| all.len()), Ok(1));
        assert!(read(&"(".repeat(2_000_000)).is_err());
    }

    #[test]
    fn a_parenthesis_too_many_is_refused() {
        assert!(read("sat)").is_err());
    }
}
