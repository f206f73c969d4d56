//! Functions without a body that have a meaning of their own: allocation, byte ranges, free
//! choice, memory queries, primitives of the models, the ends of executions.

use base::Bv;
use ir::syntax::{
    Access, AllocKind, BinaryOp, CastOp, CompareOp, HaltKind, NondetKind, Obligation, Op, Operand,
    OverflowOp, Target, Terminator, Type,
};

use crate::ffi::Val;
use crate::instrument::asserts::string_constant;
use crate::instrument::library::NO_OBLIGATION;
use crate::names;

use super::function::FuncImporter;
use super::tracking::Tracking;

/// Alignment of what `malloc` returns.
const HEAP_ALIGN: u64 = 16;

impl<'c> FuncImporter<'_, '_, 'c> {
    /// A call of a function without a body; false if it has no meaning of its own.
    pub fn library(&mut self, inst: Val<'c>, name: &str) -> bool {
        if let Some(what) = names::unsupported(name) {
            self.unsupported(&format!("{what} ({name})"));
            return true;
        }
        let types = self.result_types(inst.ty());
        if names::is_nondet(name) && inst.args().is_empty() && !types.is_empty() {
            let results = self.arbitrary(&types, NondetKind::Input);
            self.define(inst, results);
            return true;
        }
        if names::is_nondet_approx(name) {
            let results = self.arbitrary(&types, NondetKind::Approx);
            self.define(inst, results);
            return true;
        }
        if names::is_nondet_extern(name) {
            let results = self.arbitrary(&types, NondetKind::Extern);
            self.define(inst, results);
            return true;
        }
        self.allocation(inst, name)
            || self.byte_range(inst, name)
            || self.query(inst, name)
            || self.ending(inst, name)
            || self.statement(inst, name)
    }

    fn arg(&mut self, inst: Val<'c>, index: usize) -> Option<Operand> {
        let arg = *inst.args().get(index)?;
        let operands = self.operands(arg);
        operands.first().cloned()
    }

    fn pointer_arg(&mut self, inst: Val<'c>, index: usize) -> Option<Operand> {
        let operand = self.arg(inst, index)?;
        match self.type_of(&operand) {
            Type::Ptr => Some(operand),
            Type::Int(_) => Some(self.cast(CastOp::IntToPtr, operand, Type::Ptr)),
            Type::Float(_) | Type::Mem(_) => None,
        }
    }

    fn size_arg(&mut self, inst: Val<'c>, index: usize) -> Option<Operand> {
        let operand = self.arg(inst, index)?;
        let bits = self.importer.pointer_bits();
        match self.type_of(&operand) {
            // A size is unsigned; a declaration without a prototype passes an `int`.
            Type::Int(_) => Some(self.resize(operand, bits, CastOp::SExt)),
            Type::Ptr => Some(self.bits_of(operand)),
            Type::Float(_) | Type::Mem(_) => None,
        }
    }

    fn new_object(&mut self, size: Operand, align: u64, zeroed: bool) -> Operand {
        self.value(Op::Alloc {
            kind: AllocKind::Heap,
            size,
            align,
            zeroed,
            var: None,
        })
    }

    /// A pointer, or null when the condition holds.
    fn unless(&mut self, fails: Operand, make: impl FnOnce(&mut Self) -> Operand) -> Operand {
        if self.is_zero(&fails) {
            return make(self);
        }
        let made = self.new_block(&[]);
        let join = self.new_block(&[Type::Ptr]);
        self.end(Terminator::Branch(
            fails,
            Target::with_args(join, vec![Operand::NULL]),
            Target::new(made),
        ));
        self.switch_to(made);
        let pointer = make(self);
        self.end(Terminator::Jump(Target::with_args(join, vec![pointer])));
        self.switch_to(join);
        self.body.blocks[join].params[0].into()
    }

    /// May an allocation fail here?
    fn fails(&mut self) -> Operand {
        if self.importer.options.malloc_may_fail {
            self.nondet(Type::BOOL, NondetKind::Input)
        } else {
            self.importer
                .note("allocations never fail (without --malloc-may-fail)");
            Operand::bool(false)
        }
    }

    fn allocation(&mut self, inst: Val<'c>, name: &str) -> bool {
        let pointer = match name {
            "malloc" | "valloc" | "_Znwm" | "_Znam" | "_Znwj" | "_Znaj" => {
                let Some(size) = self.size_arg(inst, 0) else {
                    return false;
                };
                let align = if name == "valloc" { 4096 } else { HEAP_ALIGN };
                let fails = if name.starts_with('_') {
                    Operand::bool(false)
                } else {
                    self.fails()
                };
                self.unless(fails, |work| work.new_object(size, align, false))
            }
            "calloc" => {
                let (Some(count), Some(each)) = (self.size_arg(inst, 0), self.size_arg(inst, 1))
                else {
                    return false;
                };
                let small = |operand: &Operand| {
                    super::emit::constant(operand)
                        .and_then(Bv::to_u64)
                        .is_some_and(|value| value < 1 << 15)
                };
                let too_large = if small(&count) && small(&each) {
                    Operand::bool(false)
                } else {
                    self.value(Op::Overflow(OverflowOp::UMul, count.clone(), each.clone()))
                };
                let fails = self.fails();
                let fails = self.binary(BinaryOp::Or, too_large, fails);
                self.unless(fails, |work| {
                    let size = work.binary(BinaryOp::Mul, count, each);
                    work.new_object(size, HEAP_ALIGN, true)
                })
            }
            "__selkie_alloc" | "__selkie_alloc_zeroed" => {
                let Some(size) = self.size_arg(inst, 0) else {
                    return false;
                };
                self.new_object(size, HEAP_ALIGN, name == "__selkie_alloc_zeroed")
            }
            "__selkie_alloc_aligned" => {
                let Some(size) = self.size_arg(inst, 0) else {
                    return false;
                };
                let align = inst.operand(1).as_u64().unwrap_or(4096);
                self.new_object(size, align.max(HEAP_ALIGN), false)
            }
            "alloca" => {
                let Some(size) = self.size_arg(inst, 0) else {
                    return false;
                };
                self.value(Op::Alloc {
                    kind: AllocKind::Stack,
                    size,
                    align: HEAP_ALIGN,
                    zeroed: false,
                    var: None,
                })
            }
            "free" | "cfree" | "__selkie_free" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm"
            | "_ZdlPvj" | "_ZdaPvj" => {
                let Some(pointer) = self.pointer_arg(inst, 0) else {
                    return false;
                };
                self.act(Op::Free(pointer));
                self.define_nothing(inst);
                return true;
            }
            "__selkie_malloc_fails" => {
                let fails = self.fails();
                self.define_condition(inst, fails);
                return true;
            }
            _ => return false,
        };
        self.define_pointer(inst, pointer);
        true
    }

    /// The result of a call that yields a pointer; a missing prototype makes it an `int`.
    fn define_pointer(&mut self, inst: Val<'c>, pointer: Operand) {
        match self.result_types(inst.ty()).first() {
            Some(Type::Int(bits)) => {
                let value = self.cast(CastOp::PtrToInt, pointer, Type::Int(*bits));
                self.define_one(inst, value);
            }
            Some(Type::Ptr) => self.define_one(inst, pointer),
            _ => self.define_nothing(inst),
        }
    }

    /// A result that nobody may rely on.
    fn define_nothing(&mut self, inst: Val<'c>) {
        let results = self.undefined(inst);
        self.define(inst, results);
    }

    /// The result of a call that yields an integer, at its register's width.
    fn define_number(&mut self, inst: Val<'c>, value: Operand, extend: CastOp) {
        match self.result_types(inst.ty()).first() {
            Some(Type::Int(bits)) => {
                let value = self.resize(value, *bits, extend);
                self.define_one(inst, value);
            }
            _ => self.define_nothing(inst),
        }
    }

    fn define_condition(&mut self, inst: Val<'c>, condition: Operand) {
        self.define_number(inst, condition, CastOp::ZExt);
    }

    /// Ranges of bytes; their obligations were put in before.
    fn byte_range(&mut self, inst: Val<'c>, name: &str) -> bool {
        match name {
            "memcmp" | "bcmp" | "__selkie_memcmp" => {
                let (Some(left), Some(right), Some(len)) = (
                    self.pointer_arg(inst, 0),
                    self.pointer_arg(inst, 1),
                    self.size_arg(inst, 2),
                ) else {
                    return false;
                };
                let order = self.value(Op::MemCompare { left, right, len });
                self.define_number(inst, order, CastOp::SExt);
            }
            "__selkie_memcpy" => {
                let (Some(dst), Some(src), Some(len)) = (
                    self.pointer_arg(inst, 0),
                    self.pointer_arg(inst, 1),
                    self.size_arg(inst, 2),
                ) else {
                    return false;
                };
                self.write(dst.clone(), Op::MemCopy { dst, src, len });
                self.define_nothing(inst);
            }
            "__selkie_memset" => {
                let (Some(dst), Some(byte), Some(len)) = (
                    self.pointer_arg(inst, 0),
                    self.arg(inst, 1),
                    self.size_arg(inst, 2),
                ) else {
                    return false;
                };
                let byte = self.resize(byte, 8, CastOp::ZExt);
                self.write(dst.clone(), Op::MemSet { dst, byte, len });
                self.define_nothing(inst);
            }
            "__selkie_havoc" | "sk_havoc" | "__CPROVER_havoc_slice" => {
                let (Some(dst), Some(len)) = (self.pointer_arg(inst, 0), self.size_arg(inst, 1))
                else {
                    return false;
                };
                self.write(dst.clone(), Op::MemHavoc { dst, len });
                self.define_nothing(inst);
            }
            _ => return false,
        }
        true
    }

    /// Questions about memory.
    fn query(&mut self, inst: Val<'c>, name: &str) -> bool {
        match name {
            "__selkie_is_deref_read" | "__CPROVER_r_ok" | "sk_is_deref" => {
                self.is_deref(inst, Access::Read)
            }
            "sea_is_dereferenceable" | "sea_is_deref" => self.is_deref_or_nothing(inst),
            "__selkie_is_deref_write"
            | "__CPROVER_w_ok"
            | "__CPROVER_rw_ok"
            | "sk_is_deref_write" => self.is_deref(inst, Access::Write),
            "__selkie_is_freeable" | "sk_is_freeable" => self.ask(inst, Op::IsFreeable),
            "__selkie_is_alive" | "sk_is_alloc" | "sea_is_alloc" | "sk_is_alive" => {
                self.ask(inst, Op::IsAlive)
            }
            "sk_is_modified" | "sea_is_modified" => self.ask(inst, Op::IsModified),
            "__selkie_object_size" | "__CPROVER_OBJECT_SIZE" | "sk_object_size" => {
                let Some(pointer) = self.pointer_arg(inst, 0) else {
                    return false;
                };
                let size = self.value(Op::ObjectSize(pointer));
                self.define_number(inst, size, CastOp::ZExt);
                true
            }
            "__selkie_object_offset" | "__CPROVER_POINTER_OFFSET" | "sk_object_offset" => {
                let Some(pointer) = self.pointer_arg(inst, 0) else {
                    return false;
                };
                let offset = self.value(Op::ObjectOffset(pointer));
                self.define_number(inst, offset, CastOp::SExt);
                true
            }
            "__selkie_is_disjoint" => {
                let (Some(left), Some(right), Some(len)) = (
                    self.pointer_arg(inst, 0),
                    self.pointer_arg(inst, 1),
                    self.size_arg(inst, 2),
                ) else {
                    return false;
                };
                let apart = self.value(Op::IsDisjoint { left, right, len });
                self.define_condition(inst, apart);
                true
            }
            "__CPROVER_same_object" => {
                let (Some(left), Some(right)) =
                    (self.pointer_arg(inst, 0), self.pointer_arg(inst, 1))
                else {
                    return false;
                };
                let a = self.object_base(left);
                let b = self.object_base(right);
                let same = self.compare(CompareOp::Eq, a, b);
                self.define_condition(inst, same);
                true
            }
            "sk_reset_modified" | "sea_reset_modified" => {
                let Some(pointer) = self.pointer_arg(inst, 0) else {
                    return false;
                };
                self.act(Op::ResetModified(pointer));
                self.define_nothing(inst);
                true
            }
            "sk_tracking_on" | "sea_tracking_on" => self.track(inst, Tracking::On),
            "sk_tracking_off" | "sea_tracking_off" => self.track(inst, Tracking::Off),
            _ => false,
        }
    }

    /// The address where a pointer's object starts.
    fn object_base(&mut self, pointer: Operand) -> Operand {
        let ty = self.importer.size_type();
        let address = self.cast(CastOp::PtrToInt, pointer.clone(), ty);
        let offset = self.value(Op::ObjectOffset(pointer));
        self.binary(BinaryOp::Sub, address, offset)
    }

    fn is_deref(&mut self, inst: Val<'c>, access: Access) -> bool {
        let Some(ptr) = self.pointer_arg(inst, 0) else {
            return false;
        };
        let len = match self.size_arg(inst, 1) {
            Some(len) => len,
            None => self.size(1),
        };
        let valid = self.value(Op::IsDeref { ptr, len, access });
        self.define_condition(inst, valid);
        true
    }

    /// SeaHorn's question: no bytes may be read anywhere.
    fn is_deref_or_nothing(&mut self, inst: Val<'c>) -> bool {
        let (Some(ptr), Some(len)) = (self.pointer_arg(inst, 0), self.size_arg(inst, 1)) else {
            return self.is_deref(inst, Access::Read);
        };
        let nothing = self.is_nothing(&len);
        let access = Access::Read;
        let valid = self.value(Op::IsDeref { ptr, len, access });
        let valid = self.binary(BinaryOp::Or, nothing, valid);
        self.define_condition(inst, valid);
        true
    }

    /// Is a number of bytes 0?
    fn is_nothing(&mut self, len: &Operand) -> Operand {
        let none = self.size(0);
        self.compare(CompareOp::Eq, len.clone(), none)
    }

    /// SeaHorn's `memhavoc`: any contents for bytes that are there, without counting as a
    /// modification. Bytes that are not there are an obligation; unchecked, the others change.
    pub fn renew(&mut self, inst: Val<'c>) {
        let dst = self.operand(inst.operand(0));
        let mut len = self.operand(inst.operand(1));
        let number = inst.operand(2).as_u64();
        let number = number.filter(|&number| number != u64::from(NO_OBLIGATION));
        if number.is_none() {
            let size = self.value(Op::ObjectSize(dst.clone()));
            let offset = self.value(Op::ObjectOffset(dst.clone()));
            let rest = self.binary(BinaryOp::Sub, size, offset);
            let fits = self.compare(CompareOp::Ult, len.clone(), rest.clone());
            len = self.value(Op::Select(fits, len, rest));
        }
        let valid = self.value(Op::IsDeref {
            ptr: dst.clone(),
            len: len.clone(),
            access: Access::Write,
        });
        if let Some(number) = number {
            let nothing = self.is_nothing(&len);
            let null = self.compare(CompareOp::Eq, dst.clone(), Operand::NULL);
            let nothing = self.binary(BinaryOp::Or, nothing, null);
            let fine = self.binary(BinaryOp::Or, nothing, valid.clone());
            let obligation = Obligation::from_index(number as usize);
            self.act(Op::Check(obligation, fine));
        }
        let there = self.new_block(&[]);
        let after = self.new_block(&[]);
        self.end(Terminator::Branch(
            valid,
            Target::new(there),
            Target::new(after),
        ));
        self.switch_to(there);
        self.write_unnoticed(dst.clone(), Op::MemHavoc { dst, len });
        self.end(Terminator::Jump(Target::new(after)));
        self.switch_to(after);
    }

    fn ask(&mut self, inst: Val<'c>, op: impl FnOnce(Operand) -> Op) -> bool {
        let Some(pointer) = self.pointer_arg(inst, 0) else {
            return false;
        };
        let answer = self.value(op(pointer));
        self.define_condition(inst, answer);
        true
    }

    /// Ends of the execution.
    fn ending(&mut self, inst: Val<'c>, name: &str) -> bool {
        match name {
            "abort"
            | "__selkie_halt_abort"
            | "__assert_fail"
            | "__assert"
            | "__assert_rtn"
            | "__assert_perror_fail"
            | "__assert_func"
            | "reach_error"
            | "__VERIFIER_error"
            | "verifier.error"
            | "seahorn.fail"
            | "__SEAHORN_fail"
            | "__stack_chk_fail"
            | "__fortify_fail" => {
                self.cleanup_check();
                self.halt(HaltKind::Abort);
            }
            "__selkie_run_destructors" => {
                self.run_destructors();
                self.define_nothing(inst);
            }
            "exit" | "_exit" | "_Exit" | "quick_exit" | "__selkie_halt_exit" => {
                // The others run no handlers, but the process ends all the same.
                if name == "exit" {
                    self.run_destructors();
                }
                self.leak_checks();
                let status = self.arg(inst, 0);
                self.tell_status(status);
                self.halt(HaltKind::Exit);
            }
            "__selkie_unsupported" => {
                let what = inst
                    .args()
                    .first()
                    .and_then(|&arg| string_constant(arg))
                    .unwrap_or_else(|| "a library function".to_owned());
                self.unsupported(&what);
            }
            _ => return false,
        }
        true
    }

    /// Ends the execution here.
    pub fn halt(&mut self, kind: HaltKind) {
        self.end(Terminator::Halt(kind));
        self.dead = true;
    }

    /// Notes and obligations that models write.
    fn statement(&mut self, inst: Val<'c>, name: &str) -> bool {
        match name {
            "__selkie_note" => {
                if let Some(text) = inst.args().first().and_then(|&arg| string_constant(arg)) {
                    self.importer.note(&text);
                }
                true
            }
            _ => false,
        }
    }
}
