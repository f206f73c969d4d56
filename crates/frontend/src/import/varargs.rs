//! Functions with a variable number of arguments.
//!
//! The call packs the further arguments into a stack object, as the machine's calling convention
//! lays them out in memory, and passes its address as a hidden last parameter. `va_start` makes a
//! `va_list` from which everything comes from there:
//!
//! ```text
//!   LP64   { i32 gp_offset = 48, i32 fp_offset = 176, ptr overflow_arg_area, ptr reg_save_area }
//!   ILP32  ptr
//! ```
//!
//! so that clang's own code for `va_arg` (which first looks whether registers are left) finds them.

use ir::syntax::{AllocKind, NondetKind, Op, Operand, Type};

use crate::ffi::Val;

use super::emit::Operands;
use super::function::FuncImporter;

/// Bytes of a `va_list` on LP64.
const LIST_SIZE: u64 = 24;

impl<'c> FuncImporter<'_, '_, 'c> {
    fn is_wide(&self) -> bool {
        self.importer.pointer_bits() == 64
    }

    /// Packs a call's arguments from an index on; the object's address.
    pub fn pack(&mut self, inst: Val<'c>, from: usize) -> Operand {
        let word = u64::from(self.importer.pointer_bits() / 8);
        let mut slots: Vec<(u64, Slot<'c>)> = Vec::new();
        let mut at = 0u64;
        for (index, arg) in inst.args().into_iter().enumerate().skip(from) {
            let ty = arg.ty();
            let copied = self.byval_type(inst, index);
            let (size, align) = match copied {
                Some(ty) => (
                    self.importer.layout.size(ty),
                    self.importer.layout.align(ty),
                ),
                None => {
                    let shape = self.importer.shape(ty);
                    if let Some(what) = shape.unsupported.clone() {
                        self.unsupported(&what);
                        return Operand::NULL;
                    }
                    (
                        self.importer.layout.size(ty),
                        self.importer.layout.align(ty),
                    )
                }
            };
            // On LP64 what is aligned to 16 stays so; on ILP32 everything is aligned to 4 but
            // vectors.
            let align = if align >= 16 && (self.is_wide() || size >= 16) {
                16
            } else {
                word
            };
            at = at.next_multiple_of(align);
            slots.push((
                at,
                Slot {
                    value: arg,
                    copied: copied.map(|_| size),
                },
            ));
            at += size.next_multiple_of(word);
        }
        let size = self.size(at);
        let area = self.value(Op::Alloc {
            kind: AllocKind::Stack,
            size,
            align: 16,
            zeroed: false,
            var: None,
        });
        for (at, slot) in slots {
            let to = self.offset_by(area.clone(), at);
            let operands = self.operands(slot.value);
            match slot.copied {
                Some(size) => {
                    let len = self.size(size);
                    self.act(Op::MemCopy {
                        dst: to,
                        src: operands[0].clone(),
                        len,
                    });
                }
                None => self.store_to(slot.value.ty(), to, &operands, word),
            }
        }
        area
    }

    /// `va_start`.
    pub fn va_start(&mut self, list: Operand) {
        let triple = self.importer.llvm.triple();
        if !triple.starts_with("x86_64") && !triple.starts_with('i') {
            self.unsupported(&format!("va_start on {triple}"));
            return;
        }
        let Some(area) = self.further else {
            self.unsupported("va_start in a function without further arguments");
            return;
        };
        if !self.is_wide() {
            self.store_scalar(list, area.into(), 4);
            return;
        }
        self.store_scalar(list.clone(), Operand::int(48, 32), 8);
        let at = self.offset_by(list.clone(), 4);
        self.store_scalar(at, Operand::int(176, 32), 4);
        let at = self.offset_by(list.clone(), 8);
        self.store_scalar(at, area.into(), 8);
        let at = self.offset_by(list, 16);
        self.store_scalar(at, Operand::NULL, 8);
    }

    /// `va_copy`.
    pub fn va_copy(&mut self, to: Operand, from: Operand) {
        let size = if self.is_wide() { LIST_SIZE } else { 4 };
        let len = self.size(size);
        self.act(Op::MemCopy {
            dst: to,
            src: from,
            len,
        });
    }

    /// The instruction `va_arg`, which clang leaves to LLVM on some machines: the next argument
    /// from the overflow area.
    pub fn va_arg(&mut self, inst: Val<'c>) {
        let list = self.operand(inst.operand(0));
        let ty = inst.ty();
        let word = u64::from(self.importer.pointer_bits() / 8);
        let field = if self.is_wide() { 8 } else { 0 };
        let size = self.importer.layout.size(ty);
        if self.importer.layout.align(ty) > word {
            self.define_unsupported(inst);
            return;
        }
        let at = self.offset_by(list, field);
        let area = self.load_scalar(Type::Ptr, at.clone(), word);
        match self.load_from(ty, area.clone(), word) {
            Some(operands) => self.define(inst, operands),
            None => {
                self.define_unsupported(inst);
                return;
            }
        }
        let next = self.offset_by(area, size.next_multiple_of(word));
        self.store_scalar(at, next, word);
    }

    /// Arbitrary results for something of a type.
    pub fn undefined(&mut self, inst: Val<'c>) -> Operands {
        let types = self.result_types(inst.ty());
        self.arbitrary(&types, NondetKind::Undef)
    }
}

struct Slot<'c> {
    value: Val<'c>,
    /// Bytes, if the argument is passed by copying what it points to.
    copied: Option<u64>,
}
