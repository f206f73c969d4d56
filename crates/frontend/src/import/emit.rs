//! Making instructions of our IR, with the simplest foldings: what LLVM says by constant
//! expressions is a constant here too.

use base::Bv;
use checks::registry::CheckId;
use ir::syntax::{
    BinaryOp, Block, CastOp, CompareOp, Const, HaltKind, NondetKind, Op, Operand, Target,
    Terminator, Type, Value,
};
use smallvec::SmallVec;

use super::Importer;
use super::function::FuncImporter;

/// The scalars of an LLVM value.
pub type Operands = SmallVec<[Operand; 1]>;

/// A list of one.
pub fn one(operand: impl Into<Operand>) -> Operands {
    SmallVec::from_iter([operand.into()])
}

/// The number in a constant operand.
pub fn constant(operand: &Operand) -> Option<&Bv> {
    match operand {
        Operand::Const(Const::Int(bv)) => Some(bv),
        Operand::Const(_) | Operand::Value(_) => None,
    }
}

impl<'c> FuncImporter<'_, '_, 'c> {
    /// Appends an instruction; its results.
    pub fn emit(&mut self, op: Op) -> SmallVec<[Value; 2]> {
        let machine = self.importer.machine();
        let inst = self
            .body
            .append(self.current, op, Vec::new(), self.place, machine);
        self.body.insts[inst].results.iter().copied().collect()
    }

    /// Appends an instruction with one result.
    pub fn value(&mut self, op: Op) -> Operand {
        let results = self.emit(op);
        debug_assert_eq!(results.len(), 1);
        Operand::Value(results[0])
    }

    /// Appends an instruction without results.
    pub fn act(&mut self, op: Op) {
        let results = self.emit(op);
        debug_assert!(results.is_empty());
    }

    /// The type of an operand.
    pub fn type_of(&self, operand: &Operand) -> Type {
        self.body.type_of(operand)
    }

    /// A number of pointer width.
    pub fn size(&self, value: u64) -> Operand {
        Operand::size(value, self.importer.machine())
    }

    /// A free choice.
    pub fn nondet(&mut self, ty: Type, kind: NondetKind) -> Operand {
        self.value(Op::Nondet(ty, kind))
    }

    /// A binary operation on integers; constants are folded.
    pub fn binary(&mut self, op: BinaryOp, left: Operand, right: Operand) -> Operand {
        if let (Some(a), Some(b)) = (constant(&left), constant(&right)) {
            let folded = match op {
                BinaryOp::Add => Some(a.add(b)),
                BinaryOp::Sub => Some(a.sub(b)),
                BinaryOp::Mul => Some(a.mul(b)),
                BinaryOp::And => Some(a.and(b)),
                BinaryOp::Or => Some(a.or(b)),
                BinaryOp::Xor => Some(a.xor(b)),
                _ => None,
            };
            if let Some(bv) = folded {
                return bv.into();
            }
        }
        if let Some(b) = constant(&right) {
            let neutral = match op {
                BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::Shl
                | BinaryOp::LShr
                | BinaryOp::AShr => b.is_zero(),
                BinaryOp::Mul => b.is_one(),
                BinaryOp::And => b.is_ones(),
                _ => false,
            };
            if neutral {
                return left;
            }
        }
        self.value(Op::Binary(op, left, right))
    }

    /// A comparison; equal constants are folded.
    pub fn compare(&mut self, op: CompareOp, left: Operand, right: Operand) -> Operand {
        if let (Some(a), Some(b)) = (constant(&left), constant(&right)) {
            let folded = match op {
                CompareOp::Eq => Some(a == b),
                CompareOp::Ne => Some(a != b),
                CompareOp::Ult => Some(a.ult(b)),
                CompareOp::Ule => Some(a.ule(b)),
                CompareOp::Slt => Some(a.slt(b)),
                CompareOp::Sle => Some(a.sle(b)),
                _ => None,
            };
            if let Some(value) = folded {
                return Operand::bool(value);
            }
        }
        self.value(Op::Compare(op, left, right))
    }

    /// A conversion; nothing if the type is the same, and constants are folded.
    pub fn cast(&mut self, op: CastOp, operand: Operand, ty: Type) -> Operand {
        let from = self.type_of(&operand);
        if from == ty {
            return operand;
        }
        if let (Some(bv), Type::Int(bits)) = (constant(&operand), ty) {
            match op {
                CastOp::ZExt => return bv.zext(bits).into(),
                CastOp::SExt => return bv.sext(bits).into(),
                CastOp::Trunc => return bv.trunc(bits).into(),
                _ => {}
            }
        }
        match (op, &operand, ty) {
            (CastOp::PtrToInt, Operand::Const(Const::Null), Type::Int(bits)) => {
                return Bv::zero(bits).into();
            }
            (CastOp::IntToPtr, Operand::Const(Const::Int(bv)), _) if bv.is_zero() => {
                return Operand::NULL;
            }
            (CastOp::Bits, Operand::Const(Const::Int(bv)), Type::Float(float)) => {
                return Operand::Const(Const::Float(float, bv.clone()));
            }
            (CastOp::Bits, Operand::Const(Const::Float(_, bv)), Type::Int(_)) => {
                return bv.clone().into();
            }
            _ => {}
        }
        self.value(Op::Cast(op, operand, ty))
    }

    /// An integer cut or extended to a width.
    pub fn resize(&mut self, operand: Operand, bits: u32, extend: CastOp) -> Operand {
        let from = match self.type_of(&operand) {
            Type::Int(from) => from,
            other => panic!("an integer, not {other:?}"),
        };
        let op = if from < bits { extend } else { CastOp::Trunc };
        self.cast(op, operand, Type::Int(bits))
    }

    /// A pointer some bytes further; steps on constants are folded.
    pub fn offset(&mut self, pointer: Operand, step: Operand) -> Operand {
        if let Some(bv) = constant(&step) {
            if bv.is_zero() {
                return pointer;
            }
            if let (Operand::Const(Const::Global(global, at)), Some(by)) = (&pointer, bv.to_i64()) {
                if let Some(sum) = at.checked_add(by) {
                    return Operand::Const(Const::Global(*global, sum));
                }
            }
        }
        self.value(Op::Offset(pointer, step))
    }

    /// A pointer a known number of bytes further.
    pub fn offset_by(&mut self, pointer: Operand, bytes: u64) -> Operand {
        let step = self.size(bytes);
        self.offset(pointer, step)
    }

    /// A choice between operands of one type.
    pub fn select(&mut self, condition: Operand, yes: Operand, no: Operand) -> Operand {
        if yes == no {
            return yes;
        }
        if let Some(bv) = constant(&condition) {
            return if bv.is_one() { yes } else { no };
        }
        self.value(Op::Select(condition, yes, no))
    }

    /// `not` of a condition.
    pub fn not(&mut self, condition: Operand) -> Operand {
        if let Some(bv) = constant(&condition) {
            return bv.not().into();
        }
        // A comparison has a comparison as its opposite; the first one goes if it is not needed.
        if let Operand::Value(value) = condition {
            if let Some(Op::Compare(op, a, b)) = self.body.def_inst(value).map(|inst| &inst.op) {
                let (a, b) = (a.clone(), b.clone());
                let opposite = match op {
                    CompareOp::Eq => Some((CompareOp::Ne, a, b)),
                    CompareOp::Ne => Some((CompareOp::Eq, a, b)),
                    CompareOp::Ult => Some((CompareOp::Ule, b, a)),
                    CompareOp::Ule => Some((CompareOp::Ult, b, a)),
                    CompareOp::Slt => Some((CompareOp::Sle, b, a)),
                    CompareOp::Sle => Some((CompareOp::Slt, b, a)),
                    _ => None,
                };
                if let Some((op, a, b)) = opposite {
                    return self.compare(op, a, b);
                }
            }
        }
        self.binary(BinaryOp::Xor, condition, Operand::bool(true))
    }

    /// Ends the current block, which must be open.
    pub fn end(&mut self, terminator: Terminator) {
        if !self.open {
            return;
        }
        let block = &mut self.body.blocks[self.current];
        block.terminator = terminator;
        block.place = self.place;
        self.open = false;
    }

    /// Goes on in another block.
    pub fn switch_to(&mut self, block: Block) {
        self.current = block;
        self.open = true;
    }

    /// A new block with parameters.
    pub fn new_block(&mut self, params: &[Type]) -> Block {
        self.body.new_block(params)
    }

    /// A jump without arguments.
    pub fn jump(&mut self, block: Block) {
        self.end(Terminator::Jump(Target::new(block)));
    }

    /// An obligation that fails here: what is not modelled. The execution ends.
    pub fn unsupported(&mut self, what: &str) {
        let text = format!("unsupported: {what}");
        let name = self.name.clone();
        let place = self.place;
        let number = self
            .importer
            .obligation(&name, CheckId::Unsupported, text, place);
        self.act(Op::Check(number, Operand::bool(false)));
        self.end(Terminator::Halt(HaltKind::Dead));
        // What follows is dead; it goes to a block that nobody enters.
        let block = self.new_block(&[]);
        self.switch_to(block);
        self.dead = true;
    }

    /// Arbitrary values for a result of these types.
    pub fn arbitrary(&mut self, types: &[Type], kind: NondetKind) -> Operands {
        types.iter().map(|&ty| self.nondet(ty, kind)).collect()
    }

    /// The bits of a scalar as an integer.
    pub fn bits_of(&mut self, operand: Operand) -> Operand {
        match self.type_of(&operand) {
            Type::Int(_) => operand,
            Type::Float(float) => self.cast(CastOp::Bits, operand, Type::Int(float.bits())),
            Type::Ptr => {
                let ty = self.importer.size_type();
                self.cast(CastOp::PtrToInt, operand, ty)
            }
            Type::Mem(_) => panic!("no memory in a register of Raw"),
        }
    }

    /// A scalar from its bits.
    pub fn value_of_bits(&mut self, operand: Operand, ty: Type) -> Operand {
        match ty {
            Type::Int(_) => operand,
            Type::Float(_) => self.cast(CastOp::Bits, operand, ty),
            Type::Ptr => self.cast(CastOp::IntToPtr, operand, ty),
            Type::Mem(_) => panic!("no memory in a register of Raw"),
        }
    }
}

impl Importer<'_, '_> {
    /// The width of a pointer.
    pub fn pointer_bits(&self) -> u32 {
        self.out.machine.pointer_bits
    }
}
