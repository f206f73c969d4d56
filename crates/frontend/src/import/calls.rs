//! Calls: of the program's functions, of our own helpers, through pointers.

use ir::syntax::{
    Access, AllocKind, Callee, CastOp, Func, HaltKind, NondetKind, Obligation, Op, Operand, Origin,
    Target, Terminator, Type, Var,
};

use crate::ffi::{Ty, Val, ValKind};
use crate::instrument::MODEL;

use super::emit::{Operands, constant};
use super::function::FuncImporter;

/// What is known of a callee's body. A function that has one copies what is passed by copying.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    Known,
    None,
    Unknown,
}

/// Is it the type of `int f()`? LLVM writes it as a function of further arguments only.
pub fn has_no_prototype(ty: Ty<'_>) -> bool {
    ty.is_vararg() && ty.params().is_empty()
}

impl<'c> FuncImporter<'_, '_, 'c> {
    /// A call.
    pub fn call(&mut self, inst: Val<'c>) {
        let callee = self.importer.resolve(inst.callee());
        match callee.value_kind() {
            ValKind::Function => {
                let name = callee.name();
                if let Some(rest) = name.strip_prefix("selkie.") {
                    self.helper(inst, rest);
                } else if callee.is_intrinsic() {
                    self.intrinsic(inst, &name);
                } else {
                    let name = self.importer.source_name(callee);
                    let known = callee.is_declaration() && self.library(inst, &name);
                    if !known {
                        let func = self.importer.func(callee);
                        self.direct_call(inst, callee, func);
                    }
                }
            }
            ValKind::Asm => self.assembly(inst, callee),
            ValKind::Null | ValKind::Undef => {
                let pointer = self.operand(callee);
                self.indirect_call(inst, pointer);
            }
            _ => {
                let pointer = self.operand(callee);
                match pointer {
                    Operand::Const(ir::syntax::Const::Func(func)) => {
                        let known = self.importer.llvm_funcs.get(&func).copied();
                        match known {
                            Some(value) => self.direct_call(inst, value, func),
                            None => self.indirect_call(inst, pointer),
                        }
                    }
                    pointer => self.indirect_call(inst, pointer),
                }
            }
        }
    }

    /// Our own functions, which the instrumentation put in.
    fn helper(&mut self, inst: Val<'c>, name: &str) {
        let number = |index: u32| {
            let number = inst.operand(index).as_u64();
            Obligation::from_index(number.expect("an obligation's number is constant") as usize)
        };
        match name {
            "fail" => {
                self.act(Op::Check(number(0), Operand::bool(false)));
                self.end(Terminator::Halt(HaltKind::Dead));
                self.dead = true;
            }
            "check" => {
                let condition = self.operand(inst.operand(0));
                let never = constant(&condition).is_some_and(base::Bv::is_zero);
                self.act(Op::Check(number(1), condition));
                if never && !self.importer.options.continue_after_failure {
                    self.end(Terminator::Halt(HaltKind::Dead));
                    self.dead = true;
                }
            }
            "assume" => {
                let condition = self.operand(inst.operand(0));
                self.assume(condition);
            }
            "stop" => self.assume(Operand::bool(false)),
            "deref.read" | "deref.write" => {
                let access = if name == "deref.read" {
                    Access::Read
                } else {
                    Access::Write
                };
                let ptr = self.operand(inst.operand(0));
                let len = self.operand(inst.operand(1));
                let valid = self.value(Op::IsDeref { ptr, len, access });
                self.act(Op::Check(number(2), valid));
            }
            "freeable" => {
                let pointer = self.operand(inst.operand(0));
                if pointer != Operand::NULL {
                    let freeable = self.value(Op::IsFreeable(pointer));
                    self.act(Op::Check(number(1), freeable));
                }
            }
            "disjoint" => {
                let left = self.operand(inst.operand(0));
                let right = self.operand(inst.operand(1));
                let len = self.operand(inst.operand(2));
                let apart = self.value(Op::IsDisjoint { left, right, len });
                self.act(Op::Check(number(3), apart));
            }
            "havoc" => {
                let dst = self.operand(inst.operand(0));
                let len = self.operand(inst.operand(1));
                self.write(dst.clone(), Op::MemHavoc { dst, len });
            }
            "perhaps" => {
                let dst = self.operand(inst.operand(0));
                let len = self.operand(inst.operand(1));
                self.perhaps_written(dst, len);
            }
            "memhavoc" => self.renew(inst),
            "copy" => {
                let dst = self.operand(inst.operand(0));
                let src = self.operand(inst.operand(1));
                let len = self.operand(inst.operand(2));
                self.write(dst.clone(), Op::MemCopy { dst, src, len });
            }
            "copy.volatile" => {
                let dst = self.operand(inst.operand(0));
                let src = self.operand(inst.operand(1));
                let len = self.operand(inst.operand(2));
                self.copy_volatile(inst, dst, src, len);
            }
            "set" => {
                let dst = self.operand(inst.operand(0));
                let byte = self.operand(inst.operand(1));
                let len = self.operand(inst.operand(2));
                self.write(dst.clone(), Op::MemSet { dst, byte, len });
            }
            "keep" => {}
            "end" => {
                let condition = self.operand(inst.operand(0));
                let (on, over) = (self.new_block(&[]), self.new_block(&[]));
                self.end(Terminator::Branch(
                    condition,
                    Target::new(on),
                    Target::new(over),
                ));
                self.switch_to(over);
                self.cleanup_check();
                self.end(Terminator::Halt(HaltKind::Abort));
                self.switch_to(on);
            }
            "exposed" => {
                let pointer = self.operand(inst.operand(0));
                // Whatever becomes of the number.
                self.act(Op::Show(vec![pointer.clone()]));
                self.define_one(inst, pointer);
            }
            "address" => {
                let pointer = self.operand(inst.operand(0));
                self.define_one(inst, pointer);
            }
            _ if name.starts_with("float.") => {
                let operands = self.operands(inst.operand(0));
                self.define(inst, operands);
            }
            _ if name.starts_with("shadow.load.") => {
                let ty = self.result_types(inst.ty())[0];
                let ptr = self.operand(inst.operand(0));
                let shadow = self.value(Op::LoadShadow { ty, ptr });
                self.define_one(inst, shadow);
            }
            _ if name.starts_with("shadow.store.") => {
                let ptr = self.operand(inst.operand(0));
                let value = self.operand(inst.operand(1));
                let ty = self.type_of(&value);
                self.act(Op::StoreShadow { ty, ptr, value });
            }
            _ if name.starts_with("uninit.") => {
                let types = self.result_types(inst.ty());
                let results = self.arbitrary(&types, NondetKind::Uninit);
                self.define(inst, results);
            }
            "maybe.start" => {
                let pointer = self.operand(inst.operand(0));
                self.maybe(Op::LifetimeStart(pointer));
            }
            "maybe.end" => {
                let pointer = self.operand(inst.operand(0));
                self.maybe(Op::LifetimeEnd(pointer));
            }
            _ if name.starts_with("extractlane.") => self.extract_element(inst),
            _ if name.starts_with("insertlane.") => self.insert_element(inst),
            _ => self.total(inst, name),
        }
    }

    /// An operation that may take place; no violation rests on that alone.
    fn maybe(&mut self, op: Op) {
        let condition = self.nondet(Type::Int(1), NondetKind::Approx);
        let happens = self.new_block(&[]);
        let after = self.new_block(&[]);
        self.end(Terminator::Branch(
            condition,
            Target::new(happens),
            Target::new(after),
        ));
        self.switch_to(happens);
        self.act(op);
        self.end(Terminator::Jump(Target::new(after)));
        self.switch_to(after);
    }

    /// An operation with the total meaning of our IR: `sdiv.i32.i32.i32`.
    fn total(&mut self, inst: Val<'c>, name: &str) {
        use ir::syntax::BinaryOp as B;
        let kind = name.split('.').next().unwrap_or(name);
        let binary = match kind {
            "sdiv" => Some(B::SDiv),
            "udiv" => Some(B::UDiv),
            "srem" => Some(B::SRem),
            "urem" => Some(B::URem),
            "shl" => Some(B::Shl),
            "lshr" => Some(B::LShr),
            "ashr" => Some(B::AShr),
            _ => None,
        };
        if let Some(op) = binary {
            self.lanes2(inst, |work, a, b| work.binary(op, a, b));
            return;
        }
        let op = match kind {
            "fptosi" => CastOp::FToS,
            "fptoui" => CastOp::FToU,
            _ => panic!("the helper selkie.{name}"),
        };
        let types = self.result_types(inst.ty());
        let operands = self.operands(inst.operand(0));
        let results = operands
            .into_iter()
            .zip(types)
            .map(|(operand, ty)| self.cast(op, operand, ty))
            .collect();
        self.define(inst, results);
    }

    /// Executions in which the condition is false do not count.
    pub fn assume(&mut self, condition: Operand) {
        let never = constant(&condition).is_some_and(base::Bv::is_zero);
        if constant(&condition).is_some_and(base::Bv::is_one) {
            return;
        }
        let origin = match self.llvm.has_string_attribute(MODEL) {
            true => Origin::Model,
            false => Origin::Program,
        };
        self.act(Op::Assume(condition, origin));
        if never {
            self.end(Terminator::Halt(HaltKind::Dead));
            self.dead = true;
        }
    }

    /// A call of a known function.
    fn direct_call(&mut self, inst: Val<'c>, callee: Val<'c>, func: Func) {
        let call_type = inst.callee_type();
        let own_type = callee.content_type();
        let body = if callee.is_declaration() {
            Body::None
        } else {
            Body::Known
        };
        let args = if call_type == own_type {
            self.arguments(inst, body)
        } else {
            match self.adapted_arguments(inst, callee) {
                Some(args) => args,
                None => return,
            }
        };
        let results = self.importer.out.funcs[func].results.clone();
        let values: Operands = self
            .emit(Op::Call {
                callee: Callee::Direct(func),
                args,
                results: results.clone(),
                regions: Vec::new(),
            })
            .into_iter()
            .map(Operand::from)
            .collect();
        let wanted = self.result_types(inst.ty());
        if wanted == results {
            self.define(inst, values);
        } else if let Some(converted) = self.convert_all(values, &wanted) {
            self.define(inst, converted);
        } else {
            self.unsupported(&format!(
                "a call of {} for another result type",
                self.importer.out.funcs[func].name
            ));
        }
    }

    /// The arguments of a call as its own function type has them.
    fn arguments(&mut self, inst: Val<'c>, body: Body) -> Vec<Operand> {
        let ty = inst.callee_type();
        // Declared without a prototype, it means a function whose parameters are these arguments.
        // Through a pointer clang writes `f(1)` as if there were further ones, and gives none.
        let no_prototype = match body {
            Body::Known => false,
            Body::None => has_no_prototype(ty),
            Body::Unknown => {
                has_no_prototype(ty)
                    || ty.is_vararg()
                        && inst.args().len() == ty.params().len()
                        && !self.importer.variadic.contains(&ty)
            }
        };
        let fixed = if no_prototype {
            inst.args().len()
        } else {
            ty.params().len()
        };
        let mut args = Vec::new();
        for (index, arg) in inst.args().into_iter().enumerate().take(fixed) {
            let operands = self.operands(arg);
            let byval = self.byval_type(inst, index);
            match byval {
                Some(ty) if body == Body::None => {
                    let source = operands[0].clone();
                    args.push(self.private_copy(ty, source, None));
                }
                _ => args.extend(operands),
            }
        }
        if ty.is_vararg() && !no_prototype {
            args.push(self.pack(inst, fixed));
        }
        args
    }

    /// The type of an argument that is passed by copying, if it is.
    pub fn byval_type(&self, inst: Val<'c>, index: usize) -> Option<Ty<'c>> {
        inst.attribute(index as u32 + 1, self.importer.kinds.byval)
            .and_then(crate::ffi::Attr::ty)
    }

    /// The type of what an argument of assembly points to, if it is an operand in memory.
    pub fn held_by(&self, inst: Val<'c>, index: usize) -> Option<Ty<'c>> {
        inst.attribute(index as u32 + 1, self.importer.kinds.elementtype)
            .and_then(crate::ffi::Attr::ty)
    }

    /// A new object with the contents of another.
    pub fn private_copy(&mut self, ty: Ty<'c>, source: Operand, var: Option<Var>) -> Operand {
        let size = self.importer.layout.size(ty);
        let align = self.importer.layout.align(ty).max(1);
        let len = self.size(size);
        let copy = self.value(Op::Alloc {
            kind: AllocKind::Stack,
            size: len.clone(),
            align,
            zeroed: false,
            var,
        });
        self.act(Op::MemCopy {
            dst: copy.clone(),
            src: source,
            len,
        });
        copy
    }

    /// The arguments of a call that was compiled for another type than the function has: a
    /// declaration without parameters, or a wrong one. Scalars are passed by position.
    fn adapted_arguments(&mut self, inst: Val<'c>, callee: Val<'c>) -> Option<Vec<Operand>> {
        let name = self.importer.source_name(callee);
        let own_type = callee.content_type();
        let params = own_type.params();
        let given = inst.args();
        let mut args = Vec::new();
        for (index, param) in params.iter().enumerate() {
            let wanted = self.result_types(*param);
            let Some(&arg) = given.get(index) else {
                // Too few: what the callee reads there is arbitrary.
                args.extend(self.arbitrary(&wanted, NondetKind::Undef));
                continue;
            };
            let operands = self.operands(arg);
            let Some(converted) = self.convert_all(operands, &wanted) else {
                self.unsupported(&format!("a call of {name} with other parameter types"));
                return None;
            };
            args.extend(converted);
        }
        if own_type.is_vararg() {
            let packed = self.pack(inst, params.len().min(given.len()));
            args.push(packed);
        }
        Some(args)
    }

    /// Scalars as scalars of other types, where the machine passes them alike.
    fn convert_all(&mut self, operands: Operands, wanted: &[Type]) -> Option<Operands> {
        if operands.is_empty() || operands.len() < wanted.len() {
            // The value of a function that returns none.
            return Some(self.arbitrary(wanted, NondetKind::Undef));
        }
        if wanted.is_empty() {
            return Some(Operands::new());
        }
        if operands.len() != wanted.len() {
            return None;
        }
        let mut converted = Operands::new();
        for (operand, &ty) in operands.into_iter().zip(wanted) {
            let from = self.type_of(&operand);
            let bits = self.importer.pointer_bits();
            let result = match (from, ty) {
                _ if from == ty => operand,
                (Type::Ptr, Type::Int(to)) if to <= bits => {
                    self.cast(CastOp::PtrToInt, operand, ty)
                }
                (Type::Int(from), Type::Ptr) if from == bits => {
                    self.cast(CastOp::IntToPtr, operand, ty)
                }
                (Type::Int(from), Type::Int(to)) if from > to => {
                    self.cast(CastOp::Trunc, operand, ty)
                }
                _ => return None,
            };
            converted.push(result);
        }
        Some(converted)
    }

    /// A call through a pointer.
    fn indirect_call(&mut self, inst: Val<'c>, pointer: Operand) {
        let args = self.arguments(inst, Body::Unknown);
        let results = self.result_types(inst.ty());
        let values = self
            .emit(Op::Call {
                callee: Callee::Indirect(pointer),
                args,
                results,
                regions: Vec::new(),
            })
            .into_iter()
            .map(Operand::from)
            .collect();
        self.define(inst, values);
    }
}
