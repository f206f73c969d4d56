//! `sk_tracking_off`: writes that do not count as modifications.
//!
//! Only a program that switches tracking off pays for it, or one that asks SeaHorn's way, where
//! tracking is off until `sea_tracking_on`. It gets one more object, a flag, and
//! after each write an object that was not modified before is not modified now if the flag is 0:
//!
//! ```text
//! v1 = is_modified v0
//! store.i32 v0, 7
//! v2 = load.i8 @selkie.tracking
//! v3 = or v1, v2 != 0
//! branch v3, b2, b1
//! b1: reset_modified v0 …
//! ```

use ir::syntax::{BinaryOp, CompareOp, GlobalData, InitPiece, Op, Operand, Target, Terminator};
use ir::syntax::{Global, Type};

use crate::ffi::Val;
use crate::instrument::PREFIX;

use super::Importer;
use super::function::FuncImporter;

/// Do writes count?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tracking {
    /// Yes, as at the start.
    On,
    /// No.
    Off,
}

/// Does the program use one of these functions, and define none of its own?
pub fn is_used(importer: &Importer<'_, '_>, names: &[&str]) -> bool {
    names.iter().any(|name| {
        let func = importer.llvm.function(&format!("{PREFIX}{name}"));
        func.is_some_and(|func| func.is_declaration() && func.is_used())
    })
}

/// The flag, in a program that needs one.
pub fn flag(importer: &mut Importer<'_, '_>) -> Option<Global> {
    let off_first = is_used(importer, &["sea_is_modified", "sea_tracking_on"]);
    let used = off_first || is_used(importer, &["sk_tracking_off", "sea_tracking_off"]);
    used.then(|| {
        importer.out.globals.push(GlobalData {
            name: "selkie.tracking".to_owned(),
            size: 1,
            align: 1,
            constant: false,
            external: false,
            init: vec![InitPiece::Bytes(vec![u8::from(!off_first)])],
            var: None,
        })
    })
}

impl<'c> FuncImporter<'_, '_, 'c> {
    /// A call that switches tracking on or off.
    pub fn track(&mut self, inst: Val<'c>, tracking: Tracking) -> bool {
        if let Some(flag) = self.importer.tracking {
            let value = u64::from(tracking == Tracking::On);
            self.act(Op::Store {
                ty: Type::Int(8),
                ptr: Operand::global(flag),
                value: Operand::int(value as i64, 8),
                align: 1,
            });
        }
        let results = self.undefined(inst);
        self.define(inst, results);
        true
    }

    /// Appends an operation that writes to the object of a pointer.
    pub fn write(&mut self, pointer: Operand, op: Op) {
        let Some(flag) = self.importer.tracking else {
            self.act(op);
            return;
        };
        let before = self.value(Op::IsModified(pointer.clone()));
        self.act(op);
        let tracking = self.load_scalar(Type::Int(8), Operand::global(flag), 1);
        let tracking = self.compare(CompareOp::Ne, tracking, Operand::int(0, 8));
        let counts = self.binary(BinaryOp::Or, before, tracking);
        self.forget_unless(counts, pointer);
    }

    /// Appends an operation that writes to the object of a pointer and never counts.
    pub fn write_unnoticed(&mut self, pointer: Operand, op: Op) {
        if !is_used(self.importer, &["sk_is_modified", "sea_is_modified"]) {
            self.act(op);
            return;
        }
        let before = self.value(Op::IsModified(pointer.clone()));
        self.act(op);
        self.forget_unless(before, pointer);
    }

    /// Where the condition is false, the object counts as not modified.
    fn forget_unless(&mut self, counts: Operand, pointer: Operand) {
        let forget = self.new_block(&[]);
        let after = self.new_block(&[]);
        self.end(Terminator::Branch(
            counts,
            Target::new(after),
            Target::new(forget),
        ));
        self.switch_to(forget);
        self.act(Op::ResetModified(pointer));
        self.end(Terminator::Jump(Target::new(after)));
        self.switch_to(after);
    }
}
