//! What every pass asks of an operation: its operands, its results' types, what it does to memory.

use smallvec::SmallVec;

use crate::syntax::{
    Block, Body, Callee, Const, Def, FloatTy, Inst, InstData, Machine, ObligationData, Op, Operand,
    Region, Target, Terminator, Type, Value,
};

/// What an operation does to the memory versions in [`InstData::mems`] (phase Pure on).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MemEffect {
    /// Touches no memory: no versions.
    None,
    /// Reads this many versions and changes none.
    Read(usize),
    /// Reads any number of versions and changes none.
    ReadAny,
    /// Reads this many versions; the next version of the first is the last result.
    Write(usize),
    /// Reads any number of versions; the last results are the next versions of all, in order.
    WriteAny,
    /// Reads none; the result is the first version of a region.
    New(Region),
    /// Versions and results are those of the callee's memory parameters and results.
    Call,
}

impl FloatTy {
    /// Width in bits.
    pub fn bits(self) -> u32 {
        match self {
            FloatTy::F16 => 16,
            FloatTy::F32 => 32,
            FloatTy::F64 => 64,
            FloatTy::F80 => 80,
            FloatTy::F128 => 128,
        }
    }
}

impl Type {
    /// The type of conditions.
    pub const BOOL: Type = Type::Int(1);

    /// Width in bits of a value of this type in a register; none for memories.
    pub fn bits(self, machine: Machine) -> Option<u32> {
        match self {
            Type::Int(width) => Some(width),
            Type::Float(float) => Some(float.bits()),
            Type::Ptr => Some(machine.pointer_bits),
            Type::Mem(_) => None,
        }
    }

    /// Bytes that a load or store of this type touches: the bits, rounded up; 0 for memories.
    pub fn bytes(self, machine: Machine) -> u64 {
        u64::from(self.bits(machine).unwrap_or(0).div_ceil(8))
    }

    /// Is it the memory of a region?
    pub fn is_mem(self) -> bool {
        matches!(self, Type::Mem(_))
    }
}

impl Machine {
    /// The integer type as wide as a pointer: sizes, lengths and offsets have it.
    pub fn pointer_int(self) -> Type {
        Type::Int(self.pointer_bits)
    }
}

impl Const {
    /// The constant's type.
    pub fn ty(&self) -> Type {
        match self {
            Const::Int(bv) => Type::Int(bv.width()),
            Const::Float(float, _) => Type::Float(*float),
            Const::Null | Const::Global(..) | Const::Func(_) => Type::Ptr,
        }
    }
}

impl Operand {
    /// The register, if it is one.
    pub fn as_value(&self) -> Option<Value> {
        match self {
            Operand::Value(value) => Some(*value),
            Operand::Const(_) => None,
        }
    }

    /// The constant, if it is one.
    pub fn as_const(&self) -> Option<&Const> {
        match self {
            Operand::Value(_) => None,
            Operand::Const(constant) => Some(constant),
        }
    }
}

/// Calls `$visit` on each operand in the order of the text, whether `$op` is `&Op` or `&mut Op`.
macro_rules! visit_operands {
    ($op:expr, $visit:ident) => {
        match $op {
            Op::Binary(_, a, b)
            | Op::Compare(_, a, b)
            | Op::Overflow(_, a, b)
            | Op::Offset(a, b)
            | Op::Store {
                ptr: a, value: b, ..
            }
            | Op::StoreShadow {
                ptr: a, value: b, ..
            }
            | Op::MemHavoc { dst: a, len: b }
            | Op::IsDeref { ptr: a, len: b, .. } => {
                $visit(a);
                $visit(b);
            }
            Op::Select(a, b, c)
            | Op::MemCopy {
                dst: a,
                src: b,
                len: c,
            }
            | Op::MemSet {
                dst: a,
                byte: b,
                len: c,
            }
            | Op::MemCompare {
                left: a,
                right: b,
                len: c,
            }
            | Op::IsDisjoint {
                left: a,
                right: b,
                len: c,
            } => {
                $visit(a);
                $visit(b);
                $visit(c);
            }
            Op::Unary(_, a)
            | Op::Cast(_, a, _)
            | Op::Copy(a)
            | Op::Alloc { size: a, .. }
            | Op::Free(a)
            | Op::LifetimeStart(a)
            | Op::LifetimeEnd(a)
            | Op::StackRestore(a)
            | Op::Load { ptr: a, .. }
            | Op::LoadShadow { ptr: a, .. }
            | Op::IsFreeable(a)
            | Op::IsAlive(a)
            | Op::IsModified(a)
            | Op::ResetModified(a)
            | Op::ObjectSize(a)
            | Op::ObjectOffset(a)
            | Op::Assume(a, _)
            | Op::Check(_, a)
            | Op::Debug { value: a, .. } => $visit(a),
            Op::Clobber(list) | Op::Show(list) => {
                for a in list {
                    $visit(a);
                }
            }
            Op::Call { callee, args, .. } => {
                match callee {
                    Callee::Direct(_) => {}
                    Callee::Indirect(a) => $visit(a),
                }
                for a in args {
                    $visit(a);
                }
            }
            Op::Nondet(..)
            | Op::StackSave
            | Op::Leave
            | Op::HavocRegion
            | Op::NewRegion(_)
            | Op::AllTracked
            | Op::AllFreed => {}
        }
    };
}

impl Op {
    /// The operands in the order of the text; an indirect callee comes before the arguments.
    /// Memory versions are not operands: see [`InstData::uses`].
    pub fn operands(&self) -> SmallVec<[&Operand; 4]> {
        let mut list = SmallVec::new();
        let mut visit = |operand| list.push(operand);
        visit_operands!(self, visit);
        list
    }

    /// The operands, to be changed.
    pub fn operands_mut(&mut self) -> SmallVec<[&mut Operand; 4]> {
        let mut list = SmallVec::new();
        let mut visit = |operand| list.push(operand);
        visit_operands!(self, visit);
        list
    }

    /// Replaces each register among the operands.
    pub fn map_operands(&mut self, mut map: impl FnMut(Value) -> Operand) {
        let mut visit = |operand: &mut Operand| {
            if let Operand::Value(value) = operand {
                *operand = map(*value);
            }
        };
        visit_operands!(self, visit);
    }

    /// What it does to memory versions, from phase Pure on.
    pub fn mem_effect(&self) -> MemEffect {
        match self {
            Op::Binary(..)
            | Op::Unary(..)
            | Op::Compare(..)
            | Op::Overflow(..)
            | Op::Cast(..)
            | Op::Select(..)
            | Op::Offset(..)
            | Op::Copy(_)
            | Op::Nondet(..)
            | Op::IsDisjoint { .. }
            | Op::Assume(..)
            | Op::Check(..)
            | Op::Debug { .. } => MemEffect::None,
            Op::Load { .. }
            | Op::IsDeref { .. }
            | Op::IsFreeable(_)
            | Op::IsAlive(_)
            | Op::IsModified(_)
            | Op::LoadShadow { .. }
            | Op::ObjectSize(_)
            | Op::ObjectOffset(_) => MemEffect::Read(1),
            Op::MemCompare { .. } => MemEffect::Read(2),
            Op::StackSave | Op::AllTracked | Op::AllFreed | Op::Show(_) => MemEffect::ReadAny,
            Op::Alloc { .. }
            | Op::Free(_)
            | Op::LifetimeStart(_)
            | Op::LifetimeEnd(_)
            | Op::Store { .. }
            | Op::MemSet { .. }
            | Op::MemHavoc { .. }
            | Op::HavocRegion
            | Op::ResetModified(_)
            | Op::StoreShadow { .. } => MemEffect::Write(1),
            Op::MemCopy { .. } => MemEffect::Write(2),
            Op::StackRestore(_) | Op::Leave | Op::Clobber(_) => MemEffect::WriteAny,
            Op::NewRegion(region) => MemEffect::New(*region),
            Op::Call { .. } => MemEffect::Call,
        }
    }

    /// The type of the result that is not a memory, if there is one; for a call, use
    /// [`InstData::result_types`].
    pub fn scalar_result(&self, body: &Body, machine: Machine) -> Option<Type> {
        match self {
            Op::Binary(_, a, _) | Op::Unary(_, a) | Op::Copy(a) | Op::Select(_, a, _) => {
                Some(body.type_of(a))
            }
            Op::Compare(..)
            | Op::Overflow(..)
            | Op::IsDeref { .. }
            | Op::IsFreeable(_)
            | Op::IsDisjoint { .. }
            | Op::AllTracked
            | Op::AllFreed
            | Op::IsAlive(_)
            | Op::IsModified(_) => Some(Type::BOOL),
            Op::Cast(_, _, ty)
            | Op::Nondet(ty, _)
            | Op::Load { ty, .. }
            | Op::LoadShadow { ty, .. } => Some(*ty),
            Op::Offset(..) | Op::Alloc { .. } => Some(Type::Ptr),
            Op::StackSave | Op::ObjectSize(_) | Op::ObjectOffset(_) => Some(machine.pointer_int()),
            Op::MemCompare { .. } => Some(Type::Int(32)),
            Op::Free(_)
            | Op::LifetimeStart(_)
            | Op::LifetimeEnd(_)
            | Op::StackRestore(_)
            | Op::Leave
            | Op::Store { .. }
            | Op::MemCopy { .. }
            | Op::MemSet { .. }
            | Op::MemHavoc { .. }
            | Op::Clobber(_)
            | Op::Show(_)
            | Op::HavocRegion
            | Op::NewRegion(_)
            | Op::ResetModified(_)
            | Op::StoreShadow { .. }
            | Op::Call { .. }
            | Op::Assume(..)
            | Op::Check(..)
            | Op::Debug { .. } => None,
        }
    }
}

/// The types of all results of an operation with these memory versions: the scalar one, then the
/// next memory versions. A call's are listed in the call itself, memories included (as regions of
/// the caller).
pub fn result_types(op: &Op, mems: &[Value], body: &Body, machine: Machine) -> SmallVec<[Type; 2]> {
    if let Op::Call { results, .. } = op {
        return SmallVec::from_slice(results);
    }
    let mut types: SmallVec<[Type; 2]> = op.scalar_result(body, machine).into_iter().collect();
    match op.mem_effect() {
        MemEffect::None | MemEffect::Read(_) | MemEffect::ReadAny | MemEffect::Call => {}
        MemEffect::Write(_) => types.extend(mems.first().map(|&mem| body.values[mem].ty)),
        MemEffect::WriteAny => types.extend(mems.iter().map(|&mem| body.values[mem].ty)),
        MemEffect::New(region) => types.push(Type::Mem(region)),
    }
    types
}

impl InstData {
    /// The only result; none if there are none or several.
    pub fn result(&self) -> Option<Value> {
        match self.results[..] {
            [result] => Some(result),
            _ => None,
        }
    }

    /// The types that the results must have.
    pub fn result_types(&self, body: &Body, machine: Machine) -> SmallVec<[Type; 2]> {
        result_types(&self.op, &self.mems, body, machine)
    }

    /// Every register it reads: those among the operands, then the memory versions.
    pub fn uses(&self) -> impl Iterator<Item = Value> + '_ {
        let operands = self.op.operands();
        let values: SmallVec<[Value; 4]> = operands
            .iter()
            .filter_map(|operand| operand.as_value())
            .collect();
        values.into_iter().chain(self.mems.iter().copied())
    }
}

impl ObligationData {
    /// Do executions go on where it fails? Then it says that nothing is known there, not that something is wrong.
    pub fn lets_pass(&self) -> bool {
        self.check == checks::registry::CheckId::ExternPointer
    }
}

impl Terminator {
    /// What it reads, the targets' arguments included, in the order of the text.
    pub fn operands(&self) -> SmallVec<[&Operand; 4]> {
        let mut list = SmallVec::new();
        match self {
            Terminator::Jump(_) | Terminator::Halt(_) => {}
            Terminator::Branch(cond, ..) | Terminator::Switch(cond, ..) => list.push(cond),
            Terminator::Return(operands) => list.extend(operands),
        }
        for target in self.targets() {
            list.extend(&target.args);
        }
        list
    }

    /// What it reads, to be changed.
    pub fn operands_mut(&mut self) -> SmallVec<[&mut Operand; 4]> {
        let mut list = SmallVec::new();
        match self {
            Terminator::Jump(target) => list.extend(&mut target.args),
            Terminator::Branch(cond, yes, no) => {
                list.push(cond);
                list.extend(&mut yes.args);
                list.extend(&mut no.args);
            }
            Terminator::Switch(cond, cases, default) => {
                list.push(cond);
                list.extend(cases.iter_mut().flat_map(|(_, target)| &mut target.args));
                list.extend(&mut default.args);
            }
            Terminator::Return(operands) => list.extend(operands),
            Terminator::Halt(_) => {}
        }
        list
    }

    /// Replaces each register that it reads.
    pub fn map_operands(&mut self, mut map: impl FnMut(Value) -> Operand) {
        for operand in self.operands_mut() {
            if let Operand::Value(value) = operand {
                *operand = map(*value);
            }
        }
    }

    /// Where it may go on, in the order of the text; a block may occur several times.
    pub fn targets(&self) -> SmallVec<[&Target; 2]> {
        match self {
            Terminator::Jump(target) => SmallVec::from_slice(&[target]),
            Terminator::Branch(_, yes, no) => SmallVec::from_slice(&[yes, no]),
            Terminator::Switch(_, cases, default) => cases
                .iter()
                .map(|(_, target)| target)
                .chain([default])
                .collect(),
            Terminator::Return(_) | Terminator::Halt(_) => SmallVec::new(),
        }
    }

    /// Where it may go on, to be changed.
    pub fn targets_mut(&mut self) -> SmallVec<[&mut Target; 2]> {
        match self {
            Terminator::Jump(target) => std::iter::once(target).collect(),
            Terminator::Branch(_, yes, no) => [yes, no].into_iter().collect(),
            Terminator::Switch(_, cases, default) => cases
                .iter_mut()
                .map(|(_, target)| target)
                .chain([default])
                .collect(),
            Terminator::Return(_) | Terminator::Halt(_) => SmallVec::new(),
        }
    }

    /// The blocks of [`Terminator::targets`].
    pub fn successors(&self) -> SmallVec<[Block; 2]> {
        self.targets().iter().map(|target| target.block).collect()
    }
}

impl Body {
    /// The type of an operand. Panics if the register is none of this body.
    pub fn type_of(&self, operand: &Operand) -> Type {
        match operand {
            Operand::Value(value) => self.values[*value].ty,
            Operand::Const(constant) => constant.ty(),
        }
    }

    /// The block where execution starts.
    pub fn entry(&self) -> Block {
        Block::from_index(0)
    }

    /// All instructions in use, with their blocks, in the order of the text.
    pub fn insts_in_order(&self) -> impl Iterator<Item = (Block, Inst)> + '_ {
        self.blocks
            .iter()
            .flat_map(|(block, data)| data.insts.iter().map(move |&inst| (block, inst)))
    }

    /// The instruction that defines the value, if one does.
    pub fn def_inst(&self, value: Value) -> Option<&InstData> {
        match self.values[value].def {
            Def::Result(inst, _) => self.insts.get(inst),
            Def::Param(_) | Def::BlockParam(..) => None,
        }
    }

    /// The parameters that are memories, with their regions.
    pub fn mem_params(&self) -> impl Iterator<Item = (Value, Region)> + '_ {
        self.params
            .iter()
            .filter_map(|&param| match self.values[param].ty {
                Type::Mem(region) => Some((param, region)),
                Type::Int(_) | Type::Float(_) | Type::Ptr => None,
            })
    }
}
