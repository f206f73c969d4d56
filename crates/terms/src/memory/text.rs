//! Expressions of the theory of memory as text.
//!
//! ```text
//!   (ptr 8 x)                         the pointer into object 8 at offset x
//!   (init 0)                          an initial memory
//!   (write m p 4 v)                   4 bytes                       (read m p 4)
//!   (memset m p n b)                  n bytes
//!   (memcpy m p m' q n)               n bytes
//!   (store-map m 8 (#x00000004 4 v) (#x00000000 4 u))               the newest first
//!   (join u v)                        scalars, lowest first
//!   (ite c a b)                       of scalars, pointers or memories
//! ```
//!
//! What stands for a term (`x`, `n`, `b`, `c`, and scalars where they are terms) is a term of SMT-LIB.

use std::collections::BTreeMap;

use super::store_map::Entry;
use super::{Expr, Kind, Memories, Scalars, Sort, Theory};
use crate::arena::{Term, Terms};
use crate::smt::Reader;
use crate::sort;

/// Names that a text may use.
#[derive(Default)]
pub struct Names {
    /// Terms.
    pub terms: BTreeMap<String, Term>,
    /// Expressions.
    pub exprs: BTreeMap<String, Expr>,
}

/// A piece of text: a word, or a list in parentheses; with all of its text.
enum Piece<'t> {
    Word(&'t str),
    List(Vec<Piece<'t>>, &'t str),
}

impl<'t> Piece<'t> {
    fn text(&self) -> &'t str {
        match self {
            Piece::Word(text) | Piece::List(_, text) => text,
        }
    }

    /// Reads one piece; yields what follows it as well.
    fn read(text: &'t str) -> Result<(Piece<'t>, &'t str), String> {
        let start = text.trim_start();
        let Some(mut rest) = start.strip_prefix('(') else {
            let end = start.find(|c: char| c.is_whitespace() || c == '(' || c == ')');
            let (word, rest) = start.split_at(end.unwrap_or(start.len()));
            return match word.is_empty() {
                true => Err(format!("something is missing before '{start}'")),
                false => Ok((Piece::Word(word), rest)),
            };
        };
        let mut pieces = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix(')') {
                let whole = &start[..start.len() - after.len()];
                return Ok((Piece::List(pieces, whole), after));
            }
            let (piece, after) = Piece::read(rest)?;
            pieces.push(piece);
            rest = after;
        }
    }
}

impl<S: Scalars<Scalar = Term>> Theory<'_, S> {
    /// Reads an expression as it is written: no rule is applied.
    pub fn parse(&mut self, text: &str, names: &Names) -> Result<Expr, String> {
        let (piece, rest) = Piece::read(text)?;
        if !rest.trim().is_empty() {
            return Err(format!("'{}' is too much", rest.trim()));
        }
        self.expr(&piece, names)
    }

    fn expr(&mut self, piece: &Piece<'_>, names: &Names) -> Result<Expr, String> {
        if let Some(&known) = names.exprs.get(piece.text()) {
            return Ok(known);
        }
        let head = match piece {
            Piece::List(pieces, _) => pieces.first().map(Piece::text),
            Piece::Word(_) => None,
        };
        let Piece::List(pieces, whole) = piece else {
            return self.scalar_piece(piece, names);
        };
        let args = &pieces[1.min(pieces.len())..];
        let kind = match (head.unwrap_or_default(), args) {
            ("init", [number]) => Kind::Init(count(number)?),
            ("ptr", [base, offset]) => {
                let offset = self.offset(offset, names)?;
                Kind::Ptr(count(base)?, offset)
            }
            ("read", [memory, at, width]) => Kind::Read {
                memory: self.of_sort(memory, names, Sort::Memory)?,
                at: self.of_sort(at, names, Sort::Pointer)?,
                width: count(width)?,
            },
            ("write", [memory, at, width, value]) => {
                let width = count(width)?;
                Kind::Write {
                    memory: self.of_sort(memory, names, Sort::Memory)?,
                    at: self.of_sort(at, names, Sort::Pointer)?,
                    width,
                    value: self.bytes_term(value, names, width)?,
                }
            }
            ("memset", [memory, at, len, byte]) => Kind::Set {
                memory: self.of_sort(memory, names, Sort::Memory)?,
                at: self.of_sort(at, names, Sort::Pointer)?,
                len: self.offset(len, names)?,
                byte: self.bytes_term(byte, names, 1)?,
            },
            ("memcpy", [memory, at, source, from, len]) => Kind::Copy {
                memory: self.of_sort(memory, names, Sort::Memory)?,
                at: self.of_sort(at, names, Sort::Pointer)?,
                source: self.of_sort(source, names, Sort::Memory)?,
                from: self.of_sort(from, names, Sort::Pointer)?,
                len: self.offset(len, names)?,
            },
            ("store-map", [memory, base, entries @ ..]) if !entries.is_empty() => {
                let memory = self.of_sort(memory, names, Sort::Memory)?;
                let mut list = None;
                for entry in entries.iter().rev() {
                    let Piece::List(parts, text) = entry else {
                        return Err(format!("'{}' is no entry", entry.text()));
                    };
                    let [offset, width, value] = parts.as_slice() else {
                        return Err(format!("'{text}' is no entry"));
                    };
                    let offset = self.offset(offset, names)?;
                    let offset = self.terms().as_u64(offset);
                    let width = count(width)?;
                    let entry = Entry {
                        offset: offset
                            .ok_or_else(|| format!("an offset of '{text}' is no number"))?,
                        width,
                        value: self.bytes_term(value, names, width)?,
                    };
                    list = Some(self.exprs.lists.push(list, entry));
                }
                Kind::Map {
                    memory,
                    base: count(base)?,
                    list: list.expect("there are entries"),
                }
            }
            ("join", [_, ..]) => {
                let parts: Result<Vec<Expr>, String> =
                    args.iter().map(|part| self.expr(part, names)).collect();
                return Ok(self.exprs.join(parts?));
            }
            ("ite", [condition, a, b]) => {
                let condition = self.term(condition, names)?;
                if self.terms().sort(condition) != sort::Sort::Bool {
                    return Err(format!("the condition of '{whole}' is none"));
                }
                let (a, b) = (self.expr(a, names)?, self.expr(b, names)?);
                if self.sort(a) != self.sort(b) {
                    return Err(format!("the sides of '{whole}' are of two sorts"));
                }
                Kind::Ite(condition, [a, b])
            }
            _ => return self.scalar_piece(piece, names),
        };
        Ok(self.exprs.make(kind))
    }

    /// The sort of an expression.
    pub fn sort(&mut self, expr: Expr) -> Sort {
        let terms = self.scalars.terms();
        self.exprs.sort(expr, &|value| terms.width(value) / 8)
    }

    fn of_sort(&mut self, piece: &Piece<'_>, names: &Names, sort: Sort) -> Result<Expr, String> {
        let expr = self.expr(piece, names)?;
        match self.sort(expr) == sort {
            true => Ok(expr),
            false => Err(format!("'{}' is no {sort:?}", piece.text())),
        }
    }

    fn scalar_piece(&mut self, piece: &Piece<'_>, names: &Names) -> Result<Expr, String> {
        let term = self.term(piece, names)?;
        match self.terms().sort(term) {
            sort::Sort::BitVec(width) if width % 8 == 0 => Ok(self.exprs.make(Kind::Scalar(term))),
            _ => Err(format!("'{}' has no whole bytes", piece.text())),
        }
    }

    fn bytes_term(&mut self, piece: &Piece<'_>, names: &Names, width: u32) -> Result<Term, String> {
        let term = self.term(piece, names)?;
        match self.terms().sort(term) == sort::Sort::BitVec(width * 8) {
            true => Ok(term),
            false => Err(format!("'{}' does not have {width} bytes", piece.text())),
        }
    }

    fn offset(&mut self, piece: &Piece<'_>, names: &Names) -> Result<Term, String> {
        let term = self.term(piece, names)?;
        let bits = self.scalars.pointer_bits();
        match self.terms().sort(term) == sort::Sort::BitVec(bits) {
            true => Ok(term),
            false => Err(format!("'{}' does not have {bits} bits", piece.text())),
        }
    }

    fn term(&mut self, piece: &Piece<'_>, names: &Names) -> Result<Term, String> {
        let mut reader = Reader::new(self.terms(), "memory", piece.text());
        for (name, &term) in &names.terms {
            reader.define(name, term);
        }
        reader.only_term().map_err(|error| error.to_string())
    }

    /// An expression as text.
    pub fn print(&mut self, expr: Expr) -> String {
        let bits = self.scalars.pointer_bits();
        let scalar = |terms: &Terms, value: Term| terms.to_smt(value);
        print((self.exprs, bits), self.scalars.terms(), expr, &scalar)
    }
}

fn count(piece: &Piece<'_>) -> Result<u32, String> {
    let text = piece.text();
    text.parse().map_err(|_| format!("'{text}' is no number"))
}

/// An expression as text, with offsets of so many bits and its scalars as `scalar` writes them. Shared parts are written each time.
pub fn print<V: Copy + Eq + std::hash::Hash>(
    (exprs, bits): (&Memories<V>, u32),
    terms: &Terms,
    expr: Expr,
    scalar: &impl Fn(&Terms, V) -> String,
) -> String {
    let sub = |expr: Expr| print((exprs, bits), terms, expr, scalar);
    let term = |t: Term| terms.to_smt(t);
    match exprs.kind(expr) {
        Kind::Scalar(value) => scalar(terms, value),
        Kind::Join(parts) => {
            let parts: Vec<String> = exprs.parts(parts).iter().map(|&part| sub(part)).collect();
            format!("(join {})", parts.join(" "))
        }
        Kind::Read { memory, at, width } => format!("(read {} {} {width})", sub(memory), sub(at)),
        Kind::Ptr(base, offset) => format!("(ptr {base} {})", term(offset)),
        Kind::Init(number) => format!("(init {number})"),
        Kind::Write {
            memory,
            at,
            width,
            value,
        } => {
            let (memory, at, value) = (sub(memory), sub(at), scalar(terms, value));
            format!("(write {memory} {at} {width} {value})")
        }
        Kind::Set {
            memory,
            at,
            len,
            byte,
        } => {
            let (memory, at) = (sub(memory), sub(at));
            format!("(memset {memory} {at} {} {})", term(len), term(byte))
        }
        Kind::Copy {
            memory,
            at,
            len,
            source,
            from,
        } => {
            let (memory, at, source, from) = (sub(memory), sub(at), sub(source), sub(from));
            format!("(memcpy {memory} {at} {source} {from} {})", term(len))
        }
        Kind::Map { memory, base, list } => {
            let entries = exprs.lists.entries(list).map(|entry| {
                let value = scalar(terms, entry.value);
                format!(" ((_ bv{} {bits}) {} {value})", entry.offset, entry.width)
            });
            let entries: String = entries.collect();
            format!("(store-map {} {base}{entries})", sub(memory))
        }
        Kind::Ite(condition, [a, b]) => {
            format!("(ite {} {} {})", term(condition), sub(a), sub(b))
        }
    }
}
