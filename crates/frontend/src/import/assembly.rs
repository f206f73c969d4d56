//! Inline assembly of x86.
//!
//! A text of a few well-known instructions has their meaning: it does nothing (a barrier), copies, or turns bytes and bits
//! around. Any other text that goes on behind itself gives its outputs values that nobody knows, so that no violation rests on
//! them, and does nothing else: what it says it changes (`~{memory}`) or could reach (a pointer in a register) is refused,
//! because nobody knows what that is. An operand in memory is an access like any other.

use base::Bv;
use checks::registry::CheckId;
use ir::syntax::{Access, BinaryOp, CastOp, Const, NondetKind, Op, Operand, Type, UnaryOp};

use crate::ffi::{Kind, Ty, Val};

use super::emit::{Operands, constant};
use super::function::FuncImporter;

/// What stands in the ledger for assembly that is not understood.
const NOTE: &str = "inline assembly that is not known gives its outputs any value and does nothing else (no violation rests on such a value)";

/// An operand, by its constraint.
struct Part<'c> {
    constraint: String,
    what: What<'c>,
}

enum What<'c> {
    /// The result with this number.
    Result(usize),
    /// Written where an argument points to.
    Place(Val<'c>),
    /// An argument.
    Input(Val<'c>),
    /// Read where an argument points to.
    Look(Val<'c>),
}

/// The constraints of a call, in the order in which the text numbers them; none if they do not fit it.
fn parts<'c>(constraints: &str, args: &[Val<'c>]) -> Option<Vec<Part<'c>>> {
    let mut args = args.iter().copied();
    let mut results = 0;
    let mut list = Vec::new();
    for text in constraints.split(',').filter(|text| !text.is_empty()) {
        if text.starts_with('~') {
            continue;
        }
        let what = match (text.starts_with('='), text.contains('*')) {
            (true, false) => {
                results += 1;
                What::Result(results - 1)
            }
            (true, true) => What::Place(args.next()?),
            (false, false) => What::Input(args.next()?),
            (false, true) => What::Look(args.next()?),
        };
        list.push(Part {
            constraint: text.to_owned(),
            what,
        });
    }
    args.next().is_none().then_some(list)
}

/// An instruction that is understood.
enum Known {
    Copy,
    SwapBytes,
    Rotate { left: bool },
}

/// An operand as it is written.
enum Written {
    /// `$1`, `${1:b}`: an operand, and the letter for a part of it.
    Part(usize, Option<char>),
    /// `$$8`.
    Number(u64),
    /// `%cl`.
    Count,
}

/// Instructions that do nothing which a program with one thread could see.
const BARRIERS: [&str; 6] = ["mfence", "lfence", "sfence", "pause", "nop", "rep"];

fn statements(text: &str) -> Vec<&str> {
    let list = text.split(['\n', ';']).map(str::trim);
    list.filter(|statement| !statement.is_empty()).collect()
}

fn word(text: &str) -> Option<Written> {
    let text = text.trim();
    if let Some(number) = text.strip_prefix("$$") {
        // As the assembler reads them: `010` is eight.
        let number = match (number.strip_prefix("0x"), number.strip_prefix('0')) {
            (Some(digits), _) => u64::from_str_radix(digits, 16),
            (None, Some(digits)) if !digits.is_empty() => u64::from_str_radix(digits, 8),
            (None, _) => number.parse(),
        };
        return number.ok().map(Written::Number);
    }
    if text == "%cl" {
        return Some(Written::Count);
    }
    let part = text.strip_prefix('$')?;
    let Some(inner) = part.strip_prefix('{') else {
        return Some(Written::Part(part.parse().ok()?, None));
    };
    let (number, letter) = inner.strip_suffix('}')?.split_once(':')?;
    let mut letters = letter.chars();
    let letter = letters.next().filter(|_| letters.next().is_none())?;
    Some(Written::Part(number.parse().ok()?, Some(letter)))
}

/// The instruction that a mnemonic means for operands of a width.
fn known(mnemonic: &str, width: u32) -> Option<Known> {
    let suffix = match width {
        8 => "b",
        16 => "w",
        32 => "l",
        64 => "q",
        _ => return None,
    };
    let is = |name: &str| mnemonic == name || mnemonic.strip_prefix(name) == Some(suffix);
    match width {
        _ if is("mov") => Some(Known::Copy),
        _ if is("rol") => Some(Known::Rotate { left: true }),
        _ if is("ror") => Some(Known::Rotate { left: false }),
        32 | 64 if is("bswap") => Some(Known::SwapBytes),
        _ => None,
    }
}

/// The width of the part of a register that a letter means.
fn part_width(letter: Option<char>, width: u32) -> Option<u32> {
    match letter {
        None => Some(width),
        Some('b') => Some(8),
        Some('w') => Some(16),
        Some('k') => Some(32),
        Some('q') => Some(64),
        Some(_) => None,
    }
}

impl<'c> FuncImporter<'_, '_, 'c> {
    /// Inline assembly.
    pub fn assembly(&mut self, inst: Val<'c>, callee: Val<'c>) {
        let (text, constraints) = callee.asm().expect("assembly");
        let shown = text.split_whitespace().next().unwrap_or("").to_owned();
        let types = self.result_types(inst.ty());
        let args = inst.args();
        let fits = parts(&constraints, &args).filter(|_| callee.asm_has_source_first());
        let Some(parts) = fits else {
            self.unsupported(&format!("inline assembly ({shown})"));
            return;
        };
        if let Some(results) = self.understood(&text, &parts, &types) {
            self.define(inst, results);
            return;
        }
        let pointers = parts.iter().any(|part| match part.what {
            What::Input(arg) => matches!(arg.ty().kind(), Kind::Ptr(_)),
            What::Result(_) | What::Place(_) | What::Look(_) => false,
        });
        let places = self.places(inst, &parts);
        let numbers = types.iter().all(|ty| matches!(ty, Type::Int(_)));
        let may_change = constraints.contains("~{memory}") || pointers;
        let (Some(places), true, true, false) = (places, numbers, falls_through(&text), may_change)
        else {
            self.unsupported(&format!("inline assembly ({shown})"));
            return;
        };
        if !types.is_empty() || !places.is_empty() {
            self.importer.note(NOTE);
        }
        for &(place, held, written) in &places {
            let (pointer, size) = (self.operand(place), self.importer.layout.size(held));
            self.access(&pointer, size, written);
        }
        for (place, held, _) in places.into_iter().filter(|place| place.2) {
            let pointer = self.operand(place);
            let ty = self.result_types(held)[0];
            let value = self.nondet(ty, NondetKind::Approx);
            self.store_scalar(pointer, value, 1);
        }
        let results = self.arbitrary(&types, NondetKind::Approx);
        self.define(inst, results);
    }

    /// The operands in memory: where they are, of what type, and whether they are written; none if one cannot be had.
    fn places(
        &mut self,
        inst: Val<'c>,
        parts: &[Part<'c>],
    ) -> Option<Vec<(Val<'c>, Ty<'c>, bool)>> {
        let mut list = Vec::new();
        let mut index = 0;
        for part in parts {
            let (arg, written) = match part.what {
                What::Result(_) => continue,
                What::Input(_) => {
                    index += 1;
                    continue;
                }
                What::Place(arg) => (arg, true),
                What::Look(arg) => (arg, false),
            };
            let held = self.held_by(inst, index)?;
            index += 1;
            let number = matches!(
                self.result_types(held).as_slice(),
                [Type::Int(8 | 16 | 32 | 64)]
            );
            if written && !number {
                return None;
            }
            list.push((arg, held, written));
        }
        Some(list)
    }

    /// Assembly reads or writes where a pointer leads to.
    fn access(&mut self, pointer: &Operand, size: u64, written: bool) {
        if !self.importer.options.has(CheckId::Deref) {
            return;
        }
        let word = if written { "write" } else { "read" };
        let (name, place) = (self.name.clone(), self.place);
        let text = format!("invalid {word} of {size} bytes by inline assembly");
        let number = self.importer.obligation(&name, CheckId::Deref, text, place);
        let valid = self.value(Op::IsDeref {
            ptr: pointer.clone(),
            len: bits(size, self.importer.out.machine.pointer_bits),
            access: if written { Access::Write } else { Access::Read },
        });
        self.act(Op::Check(number, valid));
    }

    /// What a text means, if it is understood: its results.
    fn understood(&mut self, text: &str, parts: &[Part<'c>], types: &[Type]) -> Option<Operands> {
        let statements = statements(text);
        let places = |part: &Part<'_>| matches!(part.what, What::Place(_));
        if parts.iter().any(places) {
            // Of a barrier that writes and reads the same variable nothing is left.
            return (statements.is_empty() && types.is_empty() && are_read(parts))
                .then(Operands::new);
        }
        let quiet = |statement: &&str| {
            statement
                .split_whitespace()
                .all(|word| BARRIERS.contains(&word))
        };
        if statements.iter().all(quiet) && (statements.is_empty() || types.is_empty()) {
            let results = types.iter().enumerate();
            let results = results.map(|(result, &ty)| match self.tied(parts, result) {
                Some(operand) if self.type_of(&operand) == ty => operand,
                _ => self.nondet(ty, NondetKind::Undef),
            });
            return Some(results.collect());
        }
        let ([statement], [Type::Int(width)]) = (statements.as_slice(), types) else {
            return None;
        };
        let (mnemonic, operands) = statement.split_once(char::is_whitespace)?;
        let words: Option<Vec<Written>> = operands.split(',').map(word).collect();
        let words = words?;
        let result = self.one_instruction(mnemonic, &words, parts, *width)?;
        Some([result].into_iter().collect())
    }

    /// The result of one instruction whose only output has a width.
    fn one_instruction(
        &mut self,
        mnemonic: &str,
        words: &[Written],
        parts: &[Part<'c>],
        width: u32,
    ) -> Option<Operand> {
        let output = |word: &Written| match word {
            Written::Part(number, letter) => {
                let is = matches!(parts.get(*number)?.what, What::Result(0));
                (is && part_width(*letter, width) == Some(width)).then_some(())
            }
            Written::Number(_) | Written::Count => None,
        };
        if let [Written::Part(a, Some('b')), Written::Part(b, Some('h'))] = words
            && mnemonic == "xchgb"
            && width == 16
            && a == b
            && matches!(parts.get(*a)?.what, What::Result(0))
        {
            let old = self.tied_int(parts, width)?;
            return Some(self.value(Op::Unary(UnaryOp::BSwap, old)));
        }
        output(words.last()?)?;
        match (known(mnemonic, width)?, words) {
            (Known::SwapBytes, [_]) => {
                let old = self.tied_int(parts, width)?;
                Some(self.value(Op::Unary(UnaryOp::BSwap, old)))
            }
            (Known::Copy, [Written::Number(number), _]) => Some(bits(*number, width)),
            (Known::Copy, [Written::Part(number, letter), _]) => {
                let What::Input(arg) = parts.get(*number)?.what else {
                    return None;
                };
                let value = self.operands(arg).first().cloned()?;
                let fits = self.type_of(&value) == Type::Int(width);
                (fits && part_width(*letter, width) == Some(width)).then_some(value)
            }
            (Known::Rotate { left }, [by, _]) => {
                let by = self.count(by, parts, width)?;
                let old = self.tied_int(parts, width)?;
                Some(self.rotate(old, by, left, width))
            }
            _ => None,
        }
    }

    /// By how many bits an instruction rotates: the processor takes a constant or `cl`, modulo what the width is.
    fn count(&mut self, word: &Written, parts: &[Part<'c>], width: u32) -> Option<Operand> {
        let number = match *word {
            Written::Number(number) => return Some(bits(number % u64::from(width), width)),
            Written::Count => parts.iter().position(|part| part.constraint == "{cx}")?,
            Written::Part(number, _) => number,
        };
        let part = parts.get(number)?;
        let What::Input(arg) = part.what else {
            return None;
        };
        let value = self.operands(arg).first().cloned()?;
        let Type::Int(given) = self.type_of(&value) else {
            return None;
        };
        let byte = matches!(word, Written::Count) || matches!(word, Written::Part(_, Some('b')));
        if constant(&value).is_none() && !(part.constraint.contains("{cx}") && (byte || given == 8))
        {
            return None;
        }
        let value = match given.cmp(&width) {
            std::cmp::Ordering::Less => self.cast(CastOp::ZExt, value, Type::Int(width)),
            std::cmp::Ordering::Equal => value,
            std::cmp::Ordering::Greater => self.cast(CastOp::Trunc, value, Type::Int(width)),
        };
        Some(self.binary(BinaryOp::And, value, bits(u64::from(width) - 1, width)))
    }

    fn rotate(&mut self, value: Operand, by: Operand, left: bool, width: u32) -> Operand {
        let all = bits(u64::from(width), width);
        let rest = self.binary(BinaryOp::Sub, all, by.clone());
        let (up, down) = if left { (by, rest) } else { (rest, by) };
        // A shift by the whole width is 0 in our IR.
        let high = self.binary(BinaryOp::Shl, value.clone(), up);
        let low = self.binary(BinaryOp::LShr, value, down);
        self.binary(BinaryOp::Or, high, low)
    }

    /// The input that is in the same register as a result.
    fn tied(&mut self, parts: &[Part<'c>], result: usize) -> Option<Operand> {
        let place = |part: &Part<'_>| matches!(part.what, What::Result(number) if number == result);
        let place = parts.iter().position(place)?;
        let tied = parts.iter().find_map(|part| match part.what {
            What::Input(arg) if part.constraint.parse() == Ok(place) => Some(arg),
            _ => None,
        });
        self.operands(tied?).first().cloned()
    }

    fn tied_int(&mut self, parts: &[Part<'c>], width: u32) -> Option<Operand> {
        let old = self.tied(parts, 0)?;
        (self.type_of(&old) == Type::Int(width)).then_some(old)
    }
}

/// A constant of a width.
fn bits(number: u64, width: u32) -> Operand {
    Operand::Const(Const::Int(Bv::from_u64(number, width)))
}

/// Is each place that is written one that is read as well?
fn are_read(parts: &[Part<'_>]) -> bool {
    parts.iter().all(|part| match part.what {
        What::Place(place) => parts
            .iter()
            .any(|other| matches!(other.what, What::Look(look) if look == place)),
        What::Result(_) | What::Input(_) | What::Look(_) => true,
    })
}

/// Does execution go on behind a text of assembly? It does not where a word jumps, traps or leaves the program, and nobody knows what
/// a directive does.
fn falls_through(text: &str) -> bool {
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '.');
    words.all(|word| {
        let word = word.to_ascii_lowercase();
        // With any suffix for the width of what they take.
        let leaves = [
            "ud", "hlt", "int", "sys", "call", "lcall", "ret", "lret", "iret", "uiret", "eret",
            "loop", "xbegin", "xabort", "xend", "rsm", "vm", "enclu", "encls",
        ];
        !word.starts_with('.')
            && !word.starts_with('j')
            && !leaves.iter().any(|begin| word.starts_with(begin))
    })
}
