//! Writes instructions and terminators.

use std::fmt::{self, Formatter};

use crate::syntax::{
    BlockData, Callee, Inst, Op, Operand, Origin, PlaceId, Target, Terminator, Type,
};
use crate::text::write::{Known, Names, func_name, write_int, write_list, write_operand};

impl Names<'_> {
    /// Writes an instruction without indentation or line end.
    pub(super) fn inst(self, f: &mut Formatter<'_>, inst: Inst) -> fmt::Result {
        let Some(data) = self.body.insts.get(inst) else {
            return write!(f, "{inst}?");
        };
        if !data.results.is_empty() {
            write_list(f, &data.results)?;
            f.write_str(" = ")?;
        }
        self.op(f, &data.op)?;
        if !data.mems.is_empty() {
            f.write_str(" in ")?;
            write_list(f, &data.mems)?;
        }
        if let Op::Call { regions, .. } = &data.op {
            if !regions.is_empty() {
                let bindings = regions.iter().map(|(to, from)| format!("{to}={from}"));
                f.write_str(" [")?;
                write_list(f, bindings)?;
                f.write_str("]")?;
            }
        }
        self.place(f, data.place)
    }

    fn place(self, f: &mut Formatter<'_>, place: Option<PlaceId>) -> fmt::Result {
        match place {
            Some(place) => write!(f, " !{}", Known(place, &self.module.places)),
            None => Ok(()),
        }
    }

    /// The type that the instruction's name shows: that of this operand.
    fn ty(self, operand: &Operand) -> Option<Type> {
        match operand {
            Operand::Value(value) => self.body.values.get(*value).map(|data| data.ty),
            Operand::Const(constant) => Some(constant.ty()),
        }
    }

    /// Writes `.i32`; the memory of a region is `.mem.r0`.
    fn dot(self, f: &mut Formatter<'_>, ty: Option<Type>) -> fmt::Result {
        match ty {
            Some(Type::Mem(region)) => write!(f, ".mem.{region}"),
            Some(ty) => write!(f, ".{ty}"),
            None => f.write_str(".?"),
        }
    }

    fn operand(self, f: &mut Formatter<'_>, operand: &Operand, ty: Option<Type>) -> fmt::Result {
        write_operand(f, self.module, operand, ty)
    }

    /// Writes ` a, b, c`, each with the type that the instruction fixes.
    fn operands(self, f: &mut Formatter<'_>, list: &[(&Operand, Option<Type>)]) -> fmt::Result {
        for (index, (operand, ty)) in list.iter().enumerate() {
            f.write_str(if index == 0 { " " } else { ", " })?;
            self.operand(f, operand, *ty)?;
        }
        Ok(())
    }

    fn op(self, f: &mut Formatter<'_>, op: &Op) -> fmt::Result {
        let ptr = Some(Type::Ptr);
        let size = Some(self.module.machine.pointer_int());
        let bool = Some(Type::BOOL);
        let one = |f: &mut Formatter<'_>, name: &str, operand: &Operand| {
            f.write_str(name)?;
            self.operands(f, &[(operand, ptr)])
        };
        match op {
            Op::Binary(op, a, b) => {
                let ty = self.ty(a);
                f.write_str(op.name())?;
                self.dot(f, ty)?;
                self.operands(f, &[(a, ty), (b, ty)])
            }
            Op::Unary(op, a) => {
                let ty = self.ty(a);
                f.write_str(op.name())?;
                self.dot(f, ty)?;
                self.operands(f, &[(a, ty)])
            }
            Op::Compare(op, a, b) => {
                let ty = self.ty(a);
                f.write_str(op.name())?;
                self.dot(f, ty)?;
                self.operands(f, &[(a, ty), (b, ty)])
            }
            Op::Overflow(op, a, b) => {
                let ty = self.ty(a);
                f.write_str(op.name())?;
                self.dot(f, ty)?;
                self.operands(f, &[(a, ty), (b, ty)])
            }
            Op::Cast(op, a, to) => {
                let ty = self.ty(a);
                f.write_str(op.name())?;
                self.dot(f, ty)?;
                self.dot(f, Some(*to))?;
                self.operands(f, &[(a, ty)])
            }
            Op::Select(cond, a, b) => {
                let ty = self.ty(a);
                f.write_str("select")?;
                self.dot(f, ty)?;
                self.operands(f, &[(cond, bool), (a, ty), (b, ty)])
            }
            Op::Offset(a, b) => {
                f.write_str("offset")?;
                self.operands(f, &[(a, ptr), (b, size)])
            }
            Op::Copy(a) => {
                let ty = self.ty(a);
                f.write_str("copy")?;
                self.dot(f, ty)?;
                self.operands(f, &[(a, ty)])
            }
            Op::Nondet(ty, kind) => {
                f.write_str("nondet")?;
                self.dot(f, Some(*ty))?;
                write!(f, " {kind}")
            }
            Op::Alloc {
                kind,
                size: bytes,
                align,
                zeroed,
                var,
            } => {
                write!(f, "alloc.{kind}")?;
                self.operands(f, &[(bytes, size)])?;
                self.align(f, *align)?;
                if *zeroed {
                    f.write_str(" zeroed")?;
                }
                match var {
                    Some(var) => write!(f, " var {}", Known(*var, &self.module.vars)),
                    None => Ok(()),
                }
            }
            Op::Free(a) => one(f, "free", a),
            Op::LifetimeStart(a) => one(f, "lifetime_start", a),
            Op::LifetimeEnd(a) => one(f, "lifetime_end", a),
            Op::StackSave => f.write_str("stack_save"),
            Op::StackRestore(a) => {
                f.write_str("stack_restore")?;
                self.operands(f, &[(a, size)])
            }
            Op::Leave => f.write_str("leave"),
            Op::Load {
                ty,
                ptr: address,
                align,
                volatile,
            } => {
                f.write_str("load")?;
                self.dot(f, Some(*ty))?;
                self.operands(f, &[(address, ptr)])?;
                self.align(f, u64::from(*align))?;
                f.write_str(if *volatile { " volatile" } else { "" })
            }
            Op::Store {
                ty,
                ptr: address,
                value,
                align,
            } => {
                f.write_str("store")?;
                self.dot(f, Some(*ty))?;
                self.operands(f, &[(address, ptr), (value, Some(*ty))])?;
                self.align(f, u64::from(*align))
            }
            Op::MemCopy { dst, src, len } => {
                f.write_str("mem_copy")?;
                self.operands(f, &[(dst, ptr), (src, ptr), (len, size)])
            }
            Op::MemSet { dst, byte, len } => {
                f.write_str("mem_set")?;
                self.operands(f, &[(dst, ptr), (byte, Some(Type::Int(8))), (len, size)])
            }
            Op::MemCompare { left, right, len } => {
                f.write_str("mem_compare")?;
                self.operands(f, &[(left, ptr), (right, ptr), (len, size)])
            }
            Op::MemHavoc { dst, len } => {
                f.write_str("mem_havoc")?;
                self.operands(f, &[(dst, ptr), (len, size)])
            }
            Op::Clobber(list) | Op::Show(list) => {
                f.write_str(match op {
                    Op::Show(_) => "show",
                    _ => "clobber",
                })?;
                let list: Vec<_> = list.iter().map(|operand| (operand, ptr)).collect();
                self.operands(f, &list)
            }
            Op::HavocRegion => f.write_str("havoc_region"),
            Op::NewRegion(region) => {
                write!(f, "new_region {}", Known(*region, &self.body.regions))
            }
            Op::IsDeref {
                ptr: address,
                len,
                access,
            } => {
                write!(f, "is_deref.{access}")?;
                self.operands(f, &[(address, ptr), (len, size)])
            }
            Op::IsFreeable(a) => one(f, "is_freeable", a),
            Op::IsDisjoint { left, right, len } => {
                f.write_str("is_disjoint")?;
                self.operands(f, &[(left, ptr), (right, ptr), (len, size)])
            }
            Op::AllTracked => f.write_str("all_tracked"),
            Op::AllFreed => f.write_str("all_freed"),
            Op::IsAlive(a) => one(f, "is_alive", a),
            Op::IsModified(a) => one(f, "is_modified", a),
            Op::ResetModified(a) => one(f, "reset_modified", a),
            Op::LoadShadow { ty, ptr: address } => {
                f.write_str("load_shadow")?;
                self.dot(f, Some(*ty))?;
                self.operands(f, &[(address, ptr)])
            }
            Op::StoreShadow {
                ty,
                ptr: address,
                value,
            } => {
                f.write_str("store_shadow")?;
                self.dot(f, Some(*ty))?;
                self.operands(f, &[(address, ptr), (value, Some(*ty))])
            }
            Op::ObjectSize(a) => one(f, "object_size", a),
            Op::ObjectOffset(a) => one(f, "object_offset", a),
            Op::Call {
                callee,
                args,
                results,
                regions: _,
            } => {
                match callee {
                    Callee::Direct(func) => write!(f, "call {}", func_name(self.module, *func))?,
                    Callee::Indirect(target) => {
                        f.write_str("call *")?;
                        self.operand(f, target, ptr)?;
                    }
                }
                self.args(f, args)?;
                if !results.is_empty() {
                    f.write_str(" -> ")?;
                    write_list(f, results)?;
                }
                Ok(())
            }
            Op::Assume(cond, origin) => {
                f.write_str("assume")?;
                self.operands(f, &[(cond, bool)])?;
                match origin {
                    Origin::Program => Ok(()),
                    Origin::Model => f.write_str(" by model"),
                    Origin::Unchecked => f.write_str(" by unchecked"),
                    Origin::Fact(fact) => write!(f, " by {}", Known(*fact, &self.module.facts)),
                }
            }
            Op::Check(obligation, cond) => {
                let known = Known(*obligation, &self.module.obligations);
                write!(f, "check {known}, ")?;
                self.operand(f, cond, bool)
            }
            Op::Debug { var, value, kind } => {
                write!(f, "debug {} {kind} ", Known(*var, &self.module.vars))?;
                self.operand(f, value, None)
            }
        }
    }

    /// Writes ` align 8`; nothing for 1, which is what its absence means.
    fn align(self, f: &mut Formatter<'_>, align: u64) -> fmt::Result {
        if align == 1 {
            return Ok(());
        }
        write!(f, " align {align}")
    }

    /// Writes `(v0, 7:i32)`.
    fn args(self, f: &mut Formatter<'_>, args: &[Operand]) -> fmt::Result {
        f.write_str("(")?;
        for (index, arg) in args.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { ", " })?;
            self.operand(f, arg, None)?;
        }
        f.write_str(")")
    }

    fn target(self, f: &mut Formatter<'_>, target: &Target) -> fmt::Result {
        write!(f, "{}", Known(target.block, &self.body.blocks))?;
        if target.args.is_empty() {
            return Ok(());
        }
        self.args(f, &target.args)
    }

    /// Writes a block's end without indentation or line end.
    pub(super) fn terminator(self, f: &mut Formatter<'_>, block: &BlockData) -> fmt::Result {
        match &block.terminator {
            Terminator::Jump(target) => {
                f.write_str("jump ")?;
                self.target(f, target)?;
            }
            Terminator::Branch(cond, yes, no) => {
                f.write_str("branch ")?;
                self.operand(f, cond, Some(Type::BOOL))?;
                f.write_str(", ")?;
                self.target(f, yes)?;
                f.write_str(", ")?;
                self.target(f, no)?;
            }
            Terminator::Switch(cond, cases, default) => {
                let ty = self.ty(cond);
                f.write_str("switch")?;
                self.dot(f, ty)?;
                self.operands(f, &[(cond, ty)])?;
                f.write_str(" [")?;
                for (index, (value, target)) in cases.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    write_int(f, value)?;
                    if ty != Some(Type::Int(value.width())) {
                        write!(f, ":i{}", value.width())?;
                    }
                    f.write_str(": ")?;
                    self.target(f, target)?;
                }
                f.write_str("], ")?;
                self.target(f, default)?;
            }
            Terminator::Return(results) => {
                f.write_str("return")?;
                for (index, result) in results.iter().enumerate() {
                    f.write_str(if index == 0 { " " } else { ", " })?;
                    self.operand(f, result, None)?;
                }
            }
            Terminator::Halt(kind) => write!(f, "halt {kind}")?,
        }
        self.place(f, block.place)
    }
}
