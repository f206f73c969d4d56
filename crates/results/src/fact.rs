//! Facts: what holds at a place of the IR whenever an execution comes there.
//!
//! A fact is an expression over the values that are defined at a block of a function, written in prefix order:
//! `(sle v3 0x64:32)`. It says of which program it is, who found it, and what it rests on, so that nobody has to
//! believe it for longer than what it rests on is believed.

use std::fmt;
use std::str::FromStr;

use base::{Bv, Id};
use ir::syntax::{BinaryOp, Block, CastOp, CompareOp, Module, Obligation, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A fact at the beginning of a block, where the block's parameters are known.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fact {
    /// Its name, which no other fact has.
    pub id: String,
    /// The program it is about, by its [`fingerprint`].
    pub program: String,
    /// The function.
    pub func: String,
    /// The block.
    pub block: Block,
    /// What holds there: an expression of one bit.
    pub holds: Expr,
    /// The engine that found it.
    pub by: String,
    /// What has to hold for it to hold.
    pub rests_on: Vec<Support>,
}

/// What a fact or a status rests on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Support {
    /// That no execution violates an obligation.
    Obligation(Obligation),
    /// A fact, by its name.
    Fact(String),
}

/// What tells a program from every other: the number that its text is scattered to.
pub fn fingerprint(module: &Module) -> String {
    // FNV-1a, in two halves that begin differently.
    let text = module.to_string();
    let scatter = |start: u64| {
        text.bytes().fold(start, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
    };
    let (low, high) = (
        scatter(0xcbf2_9ce4_8422_2325),
        scatter(0x9ae1_6a3b_2f90_404f),
    );
    format!("{high:016x}{low:016x}")
}

/// A part of an expression.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Node {
    /// A value of the function.
    Value(Value),
    /// A number.
    Int(Bv),
    /// An operation of two numbers.
    Binary(BinaryOp),
    /// A comparison of two numbers.
    Compare(CompareOp),
    /// A number with another width.
    Cast(CastOp, u32),
    /// The address of a pointer, a number.
    Address,
    /// How far a pointer is from the start of its object, in bytes; a number.
    Offset,
    /// The size of a pointer's object, in bytes; a number.
    Size,
    /// The number of so many bits in a version of memory, at a pointer.
    Load(Value, u32),
}

impl Node {
    /// How many parts it takes.
    pub fn arity(&self) -> usize {
        match self {
            Node::Value(_) | Node::Int(_) => 0,
            Node::Cast(..) | Node::Address | Node::Offset | Node::Size | Node::Load(..) => 1,
            Node::Binary(_) | Node::Compare(_) => 2,
        }
    }
}

/// An expression: its nodes in prefix order, each before what it takes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Expr {
    nodes: Vec<Node>,
}

impl Expr {
    /// A value.
    pub fn value(value: Value) -> Expr {
        Expr {
            nodes: vec![Node::Value(value)],
        }
    }

    /// A number.
    pub fn int(bits: Bv) -> Expr {
        Expr {
            nodes: vec![Node::Int(bits)],
        }
    }

    /// A node with what it takes. Panics if that is too much or too little.
    pub fn new(node: Node, parts: impl IntoIterator<Item = Expr>) -> Expr {
        let (arity, mut count) = (node.arity(), 0);
        let mut nodes = vec![node];
        for part in parts {
            nodes.extend(part.nodes);
            count += 1;
        }
        assert_eq!(arity, count, "{} takes {arity} parts", head(&nodes[0]));
        Expr { nodes }
    }

    /// The nodes, each before what it takes: read from the end, each finds its parts done.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }
}

fn head(node: &Node) -> String {
    match node {
        Node::Value(value) => value.to_string(),
        Node::Int(bits) => bits.to_string(),
        Node::Binary(op) => op.to_string(),
        Node::Compare(op) => op.to_string(),
        Node::Cast(op, width) => format!("{op}.{width}"),
        Node::Address => "address".to_owned(),
        Node::Offset => "offset".to_owned(),
        Node::Size => "size".to_owned(),
        Node::Load(mem, width) => format!("load.{width}.{mem}"),
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // How many parts are missing, for each bracket that is open.
        let mut open: Vec<usize> = Vec::new();
        for (index, node) in self.nodes.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            let text = head(node);
            match node.arity() {
                0 => f.write_str(&text)?,
                arity => {
                    write!(f, "({text}")?;
                    open.push(arity);
                    continue;
                }
            }
            while let Some(missing) = open.last_mut() {
                *missing -= 1;
                if *missing > 0 {
                    break;
                }
                open.pop();
                f.write_str(")")?;
            }
        }
        Ok(())
    }
}

/// A text that is no expression, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseExprError(String);

impl fmt::Display for ParseExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseExprError {}

impl FromStr for Expr {
    type Err = ParseExprError;

    fn from_str(text: &str) -> Result<Expr, ParseExprError> {
        let wrong = |what: &str| ParseExprError(format!("`{text}` is no expression: {what}"));
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut nodes = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut bracket = false;
        let mut whole = false;
        for word in spaced.split_whitespace() {
            if whole {
                return Err(wrong("there is more behind it"));
            }
            match word {
                "(" if bracket => return Err(wrong("a bracket without a word")),
                "(" => bracket = true,
                ")" => {
                    if bracket || open.pop() != Some(0) {
                        return Err(wrong("a bracket closes too early or too late"));
                    }
                    whole = open.is_empty();
                }
                word => {
                    let node = node(word).ok_or_else(|| wrong(word))?;
                    if bracket != (node.arity() > 0) {
                        return Err(wrong("brackets belong around what takes parts"));
                    }
                    if bracket {
                        take_one(&mut open).ok_or_else(|| wrong("too many parts"))?;
                        open.push(node.arity());
                    } else {
                        take_one(&mut open).ok_or_else(|| wrong("too many parts"))?;
                        whole = open.is_empty();
                    }
                    bracket = false;
                    nodes.push(node);
                }
            }
        }
        if !whole {
            return Err(wrong("it ends too early"));
        }
        Ok(Expr { nodes })
    }
}

/// One part more for the innermost bracket, if there is one.
fn take_one(open: &mut [usize]) -> Option<()> {
    if let Some(missing) = open.last_mut() {
        *missing = missing.checked_sub(1)?;
    }
    Some(())
}

fn node(word: &str) -> Option<Node> {
    let id = |text: &str| -> Option<Value> {
        let number: u32 = text.strip_prefix(Value::PREFIX)?.parse().ok()?;
        (number < u32::MAX).then(|| Value::from_index(number as usize))
    };
    if let Some(value) = id(word) {
        return Some(Node::Value(value));
    }
    if let Some(op) = BinaryOp::from_name(word) {
        return Some(Node::Binary(op));
    }
    if let Some(op) = CompareOp::from_name(word) {
        return Some(Node::Compare(op));
    }
    match word {
        "address" => return Some(Node::Address),
        "offset" => return Some(Node::Offset),
        "size" => return Some(Node::Size),
        _ => {}
    }
    if let Some(rest) = word.strip_prefix("load.") {
        let (width, mem) = rest.split_once('.')?;
        return Some(Node::Load(id(mem)?, width.parse().ok()?));
    }
    if let Some((op, width)) = word.split_once('.') {
        return Some(Node::Cast(CastOp::from_name(op)?, width.parse().ok()?));
    }
    word.parse().ok().map(Node::Int)
}

impl Serialize for Expr {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Expr {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Expr, D::Error> {
        let text: std::borrow::Cow<'de, str> = Deserialize::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_as_they_print() {
        let v = |index| Expr::value(Value::from_index(index));
        let int = |number, width| Expr::int(Bv::from_i64(number, width));
        let wide = |part| Expr::new(Node::Cast(CastOp::SExt, 33), [part]);
        let difference = Expr::new(Node::Binary(BinaryOp::Sub), [wide(v(3)), wide(v(4))]);
        let zone = Expr::new(Node::Compare(CompareOp::Sle), [difference, int(-1, 33)]);
        let cell = Expr::new(Node::Load(Value::from_index(7), 32), [v(5)]);
        let odd = Expr::new(Node::Binary(BinaryOp::And), [cell, int(1, 32)]);
        let odd = Expr::new(Node::Compare(CompareOp::Eq), [odd, int(1, 32)]);
        let inside = Expr::new(
            Node::Compare(CompareOp::Ult),
            [
                Expr::new(Node::Offset, [v(5)]),
                Expr::new(Node::Size, [v(5)]),
            ],
        );
        let both = Expr::new(Node::Binary(BinaryOp::And), [odd, inside]);
        for (expr, text) in [
            (zone, "(sle (sub (sext.33 v3) (sext.33 v4)) 0x1ffffffff:33)"),
            (
                both,
                "(and (eq (and (load.32.v7 v5) 0x1:32) 0x1:32) (ult (offset v5) (size v5)))",
            ),
            (v(0), "v0"),
        ] {
            assert_eq!(expr.to_string(), text);
            assert_eq!(text.parse(), Ok(expr));
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for text in [
            "",
            "(",
            ")",
            "()",
            "v1 v2",
            "(sle v1)",
            "(sle v1 v2 v3)",
            "(sle v1 v2) v3",
            "(v1)",
            "sle v1 v2",
            "(sle v1 v2",
            "(sle (v1 v2)",
            "((sle v1 v2)",
            "(sle v1 0x1)",
            "(nothing v1 v2)",
            "(sext v1)",
            "(load.32 v1)",
            "v4294967295",
        ] {
            assert!(text.parse::<Expr>().is_err(), "{text}");
        }
    }
}
