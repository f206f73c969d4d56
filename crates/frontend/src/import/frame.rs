//! What a function may change that has a contract: what it assigns, and nothing else that its caller has.
//!
//! Before the call, one byte of each object that was made for the entry, and of each global, is chosen freely and remembered; after it
//! the byte is the same, or lies where the contract says. Since any byte may be chosen, this is about all of them:
//!
//! ```text
//! v1 = nondet                      a byte of `*p`, any
//! v2 = load.i8 v0 + v1             what it is
//! call @sk__check__f(v0)
//! v3 = load.i8 v0 + v1             what it has become
//! check o7, v1 outside, or v0 alive and (v3 = v2 or v1 in what is assigned)
//! ```
//!
//! What the function made itself is nobody's concern, and what it changes and changes back nobody can see.

use checks::registry::CheckId;
use ir::syntax::{Access, BinaryOp, CompareOp, NondetKind, Op, Operand, Target, Terminator, Type};

use crate::contracts::{self, CHECK, FRAME_AT, FRAME_BYTES};
use crate::ffi::{Kind, Val};

use super::function::FuncImporter;

/// A byte that was looked at before the call.
pub struct Watched {
    name: String,
    object: Operand,
    index: Operand,
    inside: Operand,
    before: Operand,
}

impl<'c> FuncImporter<'_, '_, 'c> {
    /// Remembers a byte of everything that the caller has, if the entry is to keep to a contract.
    pub fn watch(&mut self) -> Vec<Watched> {
        let options = self.importer.options;
        if !options.entry.starts_with(CHECK) || !options.has(CheckId::Assigns) {
            return Vec::new();
        }
        let mut objects = std::mem::take(&mut self.importer.made);
        let mut globals: Vec<(Operand, String)> = Vec::new();
        let mut found: Vec<_> = self
            .importer
            .globals
            .iter()
            .map(|(&v, &g)| (g, v))
            .collect();
        found.sort_unstable_by_key(|&(global, _)| global);
        for (global, value) in found {
            let name = value.name();
            let data = &self.importer.out.globals[global];
            let seen = self.importer.changing.contains(&name) || value.is_declaration();
            if data.constant || !seen || name.starts_with(contracts::OURS) {
                continue;
            }
            globals.push((Operand::global(global), format!("`{name}`")));
        }
        objects.extend(globals);
        let bits = self.importer.pointer_bits();
        let mut list = Vec::new();
        for (object, name) in objects {
            let size = self.value(Op::ObjectSize(object.clone()));
            let index = self.nondet(Type::Int(bits), NondetKind::Input);
            let inside = self.compare(CompareOp::Ult, index.clone(), size);
            // Outside nothing is read: what is there, nobody knows.
            let (read, after) = (self.new_block(&[]), self.new_block(&[Type::Int(8)]));
            let nothing = Target::with_args(after, vec![Operand::int(0, 8)]);
            self.end(Terminator::Branch(
                inside.clone(),
                Target::new(read),
                nothing,
            ));
            self.switch_to(read);
            let at = self.offset(object.clone(), index.clone());
            let byte = self.load_scalar(Type::Int(8), at, 1);
            self.end(Terminator::Jump(Target::with_args(after, vec![byte])));
            self.switch_to(after);
            let before = self.body.blocks[after].params[0].into();
            list.push(Watched {
                name,
                object,
                index,
                inside,
                before,
            });
        }
        list
    }

    /// Claims that these bytes are what they were.
    pub fn compare_watched(&mut self, list: Vec<Watched>) {
        let Some(name) = self
            .importer
            .options
            .entry
            .strip_prefix(CHECK)
            .map(str::to_owned)
        else {
            return;
        };
        if list.is_empty() {
            return;
        }
        let word = u64::from(self.importer.pointer_bits() / 8);
        let places = self.frame(&format!("{FRAME_AT}{name}"));
        let sizes = self.frame(&format!("{FRAME_BYTES}{name}"));
        let mut ranges = Vec::new();
        if let (Some((places, count)), Some((sizes, _))) = (places, sizes) {
            for index in 0..count {
                let at = self.offset_by(places.clone(), index * word);
                let at = self.load_scalar(Type::Ptr, at, word);
                let size = self.offset_by(sizes.clone(), index * word);
                let size = self.load_scalar(self.importer.size_type(), size, word);
                let offset = self.value(Op::ObjectOffset(at.clone()));
                let zero = self.size(0);
                let back = self.binary(BinaryOp::Sub, zero, offset.clone());
                let base = self.offset(at, back);
                ranges.push((base, offset, size));
            }
        }
        for watched in list {
            let text = format!(
                "`{name}` changes nothing of {} but what it assigns",
                watched.name
            );
            let func = format!("{name}.contract");
            let place = self.place;
            let number = self
                .importer
                .obligation(&func, CheckId::Assigns, text, place);
            let (look, next) = (self.new_block(&[]), self.new_block(&[]));
            self.end(Terminator::Branch(
                watched.inside,
                Target::new(look),
                Target::new(next),
            ));
            self.switch_to(look);
            let at = self.offset(watched.object.clone(), watched.index.clone());
            let alive = self.value(Op::IsDeref {
                ptr: at.clone(),
                len: self.size(1),
                access: Access::Read,
            });
            self.act(Op::Check(number, alive));
            let after = self.load_scalar(Type::Int(8), at, 1);
            let mut fine = self.compare(CompareOp::Eq, after, watched.before);
            for (base, offset, size) in &ranges {
                let here = self.compare(CompareOp::Eq, base.clone(), watched.object.clone());
                let step = self.binary(BinaryOp::Sub, watched.index.clone(), offset.clone());
                let within = self.compare(CompareOp::Ult, step, size.clone());
                // Before where it begins nothing is assigned, however many bytes are said to be.
                let begun = self.compare(CompareOp::Ule, offset.clone(), watched.index.clone());
                let within = self.binary(BinaryOp::And, within, begun);
                let allowed = self.binary(BinaryOp::And, here, within);
                fine = self.binary(BinaryOp::Or, fine, allowed);
            }
            self.act(Op::Check(number, fine));
            self.end(Terminator::Jump(Target::new(next)));
            self.switch_to(next);
        }
    }

    /// An array that says where something may be changed, and how many elements it has.
    fn frame(&mut self, name: &str) -> Option<(Operand, u64)> {
        let value: Val<'c> = self.importer.llvm.global(name)?;
        let count = match value.content_type().kind() {
            Kind::Array(_, count) => count,
            _ => return None,
        };
        let global = self.importer.global(value);
        Some((Operand::global(global), count))
    }
}
