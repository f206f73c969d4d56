//! Sentences about a program's values, in the words of its source.
//!
//! Whoever finds an invariant speaks of registers and of cells of memory. [`Names`] knows which variable of the source a register holds,
//! and [`Sentence`] is written with these names, as C would. What the source has no name for cannot be said: then there is no text.

use std::collections::BTreeMap;

use crate::syntax::{Block, Body, Const, DebugKind, Module, Op, Operand, Show, Value, Var};

/// How a number is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// As a signed number.
    Signed,
    /// As an unsigned number.
    Unsigned,
    /// As its variable's type says.
    Own,
}

/// A number in a sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Number {
    /// A register.
    Register(Value, Reading),
    /// The object at an address, so many bytes behind its beginning.
    Cell(Operand, u64, Reading),
    /// A number as it is written.
    Constant(i128),
    /// What it was when the loop was entered.
    Before(Box<Number>),
    /// So many times each, added up.
    Sum(Vec<(i64, Number)>),
    /// What two have in common, bit by bit.
    And(Box<Number>, i128),
    /// The remainder of a division.
    Rest(Box<Number>, i128),
}

/// What is said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sentence {
    /// Two numbers compare so: an operator of C.
    Compare(Number, &'static str, Number),
    /// All of these.
    All(Vec<Sentence>),
    /// One of these.
    One(Vec<Sentence>),
}

/// The variables of a body, as they are known at one of its blocks.
pub struct Names<'a> {
    module: &'a Module,
    values: BTreeMap<Value, Var>,
    addresses: Vec<(&'a Operand, Var)>,
}

impl<'a> Names<'a> {
    /// At the beginning of a block: what is said there of a register counts more than what is said elsewhere.
    pub fn at(module: &'a Module, body: &'a Body, block: Block) -> Names<'a> {
        let mut names = Names {
            module,
            values: BTreeMap::new(),
            addresses: Vec::new(),
        };
        let here = body.blocks[block].insts.iter().copied();
        let everywhere = body.insts_in_order().map(|(_, inst)| inst);
        for inst in here.chain(everywhere) {
            let Op::Debug { var, value, kind } = &body.insts[inst].op else {
                continue;
            };
            match (kind, value) {
                (DebugKind::Value, Operand::Value(value)) => {
                    names.values.entry(*value).or_insert(*var);
                }
                (DebugKind::Address, address) => names.addresses.push((address, *var)),
                (DebugKind::Value, Operand::Const(_)) => {}
            }
        }
        names
    }

    /// The text of a sentence; none if it speaks of something that has no name.
    pub fn text(&self, sentence: &Sentence) -> Option<String> {
        let list = |parts: &[Sentence], word: &str| {
            let parts: Option<Vec<String>> = parts.iter().map(|part| self.text(part)).collect();
            Some(parts?.join(word))
        };
        match sentence {
            Sentence::Compare(a, op, b) => {
                Some(format!("{} {op} {}", self.number(a)?, self.number(b)?))
            }
            Sentence::All(parts) => list(parts, " && "),
            Sentence::One(parts) => {
                let wrapped: Option<Vec<String>> = parts
                    .iter()
                    .map(|part| {
                        let text = self.text(part)?;
                        Some(match part {
                            Sentence::All(all) if all.len() > 1 => format!("({text})"),
                            _ => text,
                        })
                    })
                    .collect();
                Some(wrapped?.join(" || "))
            }
        }
    }

    fn number(&self, number: &Number) -> Option<String> {
        match number {
            Number::Register(value, reading) => {
                let var = *self.values.get(value)?;
                Some(self.read(self.module.vars[var].name.clone(), Some(var), *reading))
            }
            Number::Cell(base, at, reading) => {
                let (name, var) = self.object(base)?;
                let name = match at {
                    0 => name,
                    _ => format!("{name}[byte {at}]"),
                };
                Some(self.read(name, var, *reading))
            }
            Number::Constant(number) => Some(number.to_string()),
            Number::Before(number) => Some(format!("old({})", self.number(number)?)),
            Number::Sum(parts) => {
                let mut text = String::new();
                for (times, part) in parts {
                    let sign = match (times < &0, text.is_empty()) {
                        (true, true) => "-",
                        (true, false) => " - ",
                        (false, true) => "",
                        (false, false) => " + ",
                    };
                    text.push_str(sign);
                    let part = match part {
                        Number::Sum(_) => format!("({})", self.number(part)?),
                        _ => self.number(part)?,
                    };
                    match times.unsigned_abs() {
                        1 => text.push_str(&part),
                        times => text.push_str(&format!("{times} * {part}")),
                    }
                }
                Some(text)
            }
            Number::And(number, mask) => Some(format!("({} & {mask})", self.number(number)?)),
            Number::Rest(number, by) => Some(format!("{} % {by}", self.number(number)?)),
        }
    }

    /// The object at an address, by its name, and the variable that it is.
    fn object(&self, base: &Operand) -> Option<(String, Option<Var>)> {
        if let Operand::Const(Const::Global(global, 0)) = base {
            let name = self.module.globals[*global].name.clone();
            let mut vars = self.module.vars.iter();
            let var = vars.find(|(_, data)| data.func.is_none() && data.name == name);
            return Some((name, var.map(|(var, _)| var)));
        }
        let mut known = self.addresses.iter();
        let (_, var) = known.find(|(address, _)| *address == base)?;
        Some((self.module.vars[*var].name.clone(), Some(*var)))
    }

    /// With a conversion, where the variable is read otherwise than its type says.
    fn read(&self, name: String, var: Option<Var>, reading: Reading) -> String {
        let Some(data) = var.map(|var| &self.module.vars[var]) else {
            return name;
        };
        let signed = match data.show {
            Show::Signed => Some(true),
            Show::Unsigned => Some(false),
            Show::Char => match data.ty.trim() {
                "char" | "signed char" => Some(true),
                "unsigned char" => Some(false),
                _ => None, // A name for one of them.
            },
            _ => return name, // Nobody adds these up.
        };
        let wanted = match reading {
            Reading::Signed => true,
            Reading::Unsigned => false,
            _ => return name, // As it is.
        };
        match signed == Some(wanted) {
            true => name,
            false => format!("({}){name}", integer(wanted, data.bits)),
        }
    }
}
/// The type of C that reads so many bits with or without a sign.
fn integer(signed: bool, bits: u64) -> String {
    match (signed, bits) {
        (true, 8) => "signed char".to_owned(),
        (false, 8) => "unsigned char".to_owned(),
        (true, 16) => "short".to_owned(),
        (false, 16) => "unsigned short".to_owned(),
        (true, 32) => "int".to_owned(),
        (false, 32) => "unsigned".to_owned(),
        (true, 64) => "long long".to_owned(),
        (false, 64) => "unsigned long long".to_owned(),
        (true, bits) => format!("_BitInt({bits})"),
        (false, bits) => format!("unsigned _BitInt({bits})"),
    }
}
