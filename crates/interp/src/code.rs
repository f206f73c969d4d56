//! The form in which functions are executed.
//!
//! Each value of a function has a slot of its own in the activation's frame: one word for integers
//! up to 64 bits and for the small floats, two for a pointer (address, object) and for a memory
//! (number, version), as many as it takes for wider ones. Bits above a value's width are zero. An
//! operand is the number of its first word, with [`CONST`] set if it lies among the function's
//! constants. `shift` is 64 minus the width.
//!
//! ```text
//!   frame   | parameters | other values | spare word | last seen value of each source variable |
//! ```

use base::Bv;
use ir::syntax::{
    Access, AllocKind, BinaryOp, CompareOp, DebugKind, Func, HaltKind, NondetKind, Obligation,
    OverflowOp, Type, UnaryOp, Var,
};

use crate::arith::Plain;

/// Marks an operand that is a constant.
pub(crate) const CONST: u32 = 1 << 31;

/// Marks an origin that is a terminator: the rest is the block's number.
pub(crate) const TERMINATOR: u32 = 1 << 31;

/// The number of a word in the frame.
pub(crate) type Slot = u32;

/// A word in the frame or among the constants.
pub(crate) type Word = u32;

/// How many words a value of a type takes.
pub(crate) fn words_of(ty: Type) -> u32 {
    match ty {
        Type::Int(width) => width.div_ceil(64),
        Type::Float(float) => float.bits().div_ceil(64),
        Type::Ptr | Type::Mem(_) => 2,
    }
}

/// How an operation may look at addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    /// Are two pointers equal?
    Equality,
    /// Which of two pointers comes first?
    Order,
    /// The address of a pointer (the first operand).
    Address,
    /// The difference of two addresses.
    Difference,
    /// So many bytes (the second operand) at a pointer.
    Bytes,
}

/// An instruction as it is executed.
#[derive(Clone, Copy, Debug)]
#[rustfmt::skip]
pub(crate) enum Ins {
    // Copies of one, two or more words.
    Move { to: Slot, from: Word },
    Move2 { to: Slot, from: Word },
    MoveN { to: Slot, from: Word, count: u32 },

    // Integers of at most 64 bits.
    Add { to: Slot, a: Word, b: Word, shift: u8 },
    Sub { to: Slot, a: Word, b: Word, shift: u8 },
    Mul { to: Slot, a: Word, b: Word, shift: u8 },
    And { to: Slot, a: Word, b: Word },
    Or { to: Slot, a: Word, b: Word },
    Xor { to: Slot, a: Word, b: Word },
    Shl { to: Slot, a: Word, b: Word, shift: u8 },
    LShr { to: Slot, a: Word, b: Word, shift: u8 },
    AShr { to: Slot, a: Word, b: Word, shift: u8 },
    Divide { op: BinaryOp, to: Slot, a: Word, b: Word, shift: u8 },
    Count { op: UnaryOp, to: Slot, a: Word, shift: u8 },
    Eq { to: Slot, a: Word, b: Word },
    Ne { to: Slot, a: Word, b: Word },
    Ult { to: Slot, a: Word, b: Word },
    Ule { to: Slot, a: Word, b: Word },
    Slt { to: Slot, a: Word, b: Word, shift: u8 },
    Sle { to: Slot, a: Word, b: Word, shift: u8 },
    Overflow { op: OverflowOp, to: Slot, a: Word, b: Word, shift: u8 },
    SExt { to: Slot, a: Word, from: u8, shift: u8 },
    Trunc { to: Slot, a: Word, shift: u8 },

    // Floats that the machine has.
    F32 { op: BinaryOp, to: Slot, a: Word, b: Word },
    F64 { op: BinaryOp, to: Slot, a: Word, b: Word },
    UnaryF32 { op: UnaryOp, to: Slot, a: Word },
    UnaryF64 { op: UnaryOp, to: Slot, a: Word },
    CompareF32 { op: CompareOp, to: Slot, a: Word, b: Word },
    CompareF64 { op: CompareOp, to: Slot, a: Word, b: Word },
    /// Conversions among the machine's own types.
    Convert { how: Convert, to: Slot, a: Word, shift: u8 },

    /// Anything else on scalars: `Code::plain`.
    Plain { to: Slot, site: u32 },

    Select { to: Slot, cond: Word, a: Word, b: Word },
    Select2 { to: Slot, cond: Word, a: Word, b: Word },
    /// `Code::selects`.
    SelectN { to: Slot, cond: Word, site: u32 },
    Offset { to: Slot, ptr: Word, by: Word },
    IntToPtr { to: Slot, a: Word },
    /// `Code::nondets`.
    Nondet { to: Slot, site: u32 },

    /// `Code::allocs`.
    Alloc { to: Slot, size: Word, site: u32 },
    Free { ptr: Word },
    LifetimeStart { ptr: Word },
    LifetimeEnd { ptr: Word },
    StackSave { to: Slot },
    StackRestore { mark: Word, mems: u32 },
    Leave { mems: u32 },
    Load8 { to: Slot, ptr: Word },
    Load16 { to: Slot, ptr: Word },
    Load32 { to: Slot, ptr: Word },
    Load64 { to: Slot, ptr: Word },
    LoadPtr { to: Slot, ptr: Word },
    /// Other types: `Code::types`.
    LoadAny { to: Slot, ptr: Word, ty: u32 },
    LoadVolatile { to: Slot, ptr: Word, ty: u32 },
    Store8 { ptr: Word, value: Word },
    Store16 { ptr: Word, value: Word },
    Store32 { ptr: Word, value: Word },
    Store64 { ptr: Word, value: Word },
    StorePtr { ptr: Word, value: Word },
    /// Other types: this many bytes.
    StoreAny { ptr: Word, value: Word, bytes: u32 },
    MemCopy { dst: Word, src: Word, len: Word },
    MemSet { dst: Word, byte: Word, len: Word },
    MemCompare { to: Slot, left: Word, right: Word, len: Word },
    MemHavoc { dst: Word, len: Word },
    /// `Code::lists`: pointers; memories.
    Clobber { pointers: u32, mems: u32 },
    Show { pointers: u32, mems: u32 },
    HavocRegion,

    /// The address of the pointer becomes an integer; belongs to the next operation.
    Expose { ptr: Word },
    IsDeref { to: Slot, ptr: Word, len: Word, access: Access },
    IsFreeable { to: Slot, ptr: Word },
    IsDisjoint { to: Slot, left: Word, right: Word, len: Word },
    AllTracked { to: Slot, mems: u32 },
    AllFreed { to: Slot, mems: u32 },
    IsAlive { to: Slot, ptr: Word },
    IsModified { to: Slot, ptr: Word },
    ResetModified { ptr: Word },
    /// `Code::types`.
    LoadShadow { to: Slot, ptr: Word, ty: u32 },
    /// This many bytes.
    StoreShadow { ptr: Word, value: Word, bytes: u32 },
    ObjectSize { to: Slot, ptr: Word },
    ObjectOffset { to: Slot, ptr: Word },

    /// `Code::calls`.
    Call { site: u32 },
    Assume { cond: Word },
    Check { obligation: Obligation, cond: Word },
    /// `Code::debugs`.
    Debug { value: Word, site: u32 },

    /// `Code::edges`.
    Jump { edge: u32 },
    Branch { cond: Word, yes: u32, no: u32 },
    /// `Code::switches`.
    Switch { on: Word, site: u32 },
    /// `Code::returns`, from and how many.
    Return { start: u32, count: u32 },
    Halt { kind: HaltKind },

    // What follows accompanies another instruction and is no step of its own.
    /// The next operation reads this memory version, and the second too if it names two.
    UseMem { mem: Slot },
    UseMem2 { first: Slot, second: Slot },
    /// The next operation does not say which memory it reads.
    UseAny,
    /// The shadow of a new object.
    NewShadow { ptr: Word, byte: u8 },
    /// The shadow of what was written.
    ClearShadow { ptr: Word, len: Word },
    CopyShadow { dst: Word, src: Word, len: Word },
    /// The next operation may look at addresses.
    Look { what: Look, a: Word, b: Word },
    /// The memory has a new version.
    NextMem { to: Slot, mem: Slot },
    NewRegion { to: Slot },
    /// Not executable: `Code::messages`.
    Malformed { message: u32 },
}

/// A conversion among one-word types.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Convert {
    F32ToSigned,
    F32ToUnsigned,
    F64ToSigned,
    F64ToUnsigned,
    /// From a signed integer; `shift` is the source's.
    SignedToF32,
    UnsignedToF32,
    SignedToF64,
    UnsignedToF64,
    F32ToF64,
    F64ToF32,
}

/// A jump: copies for the block's parameters, one after the other, then on at `pc`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) pc: u32,
    pub(crate) start: u32,
    pub(crate) count: u32,
}

/// An operation of the slow path: each argument's first word and width.
#[derive(Clone, Debug)]
pub(crate) struct PlainSite {
    pub(crate) op: Plain,
    pub(crate) args: Vec<(Word, u32)>,
}

/// A choice between two values of several words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SelectSite {
    pub(crate) a: Word,
    pub(crate) b: Word,
    pub(crate) count: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct NondetSite {
    pub(crate) ty: Type,
    pub(crate) kind: NondetKind,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct AllocSite {
    pub(crate) kind: AllocKind,
    pub(crate) align: u64,
    pub(crate) zeroed: bool,
    pub(crate) var: Option<Var>,
}

/// Whom a call calls.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    /// This function.
    Direct(Func),
    /// The function at this address.
    Indirect(Word),
}

#[derive(Clone, Debug)]
pub(crate) struct CallSite {
    pub(crate) target: Target,
    /// The words of all arguments, in order.
    pub(crate) args: Vec<Word>,
    pub(crate) arg_types: Vec<Type>,
    /// The words of all results, in order.
    pub(crate) results: Vec<Slot>,
    pub(crate) result_types: Vec<Type>,
}

/// A switch: cases in ascending order with their edges.
#[derive(Clone, Debug)]
pub(crate) struct SwitchSite {
    pub(crate) width: u32,
    pub(crate) cases: Vec<(Bv, u32)>,
    pub(crate) small: Vec<(u64, u32)>,
    pub(crate) default: u32,
}

/// A note on a source variable: where its last value is kept, and what it means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DebugSite {
    pub(crate) var: Var,
    pub(crate) kind: DebugKind,
    pub(crate) ty: Type,
    /// First the number of the site plus one, then the value's words.
    pub(crate) slot: Slot,
    pub(crate) count: u32,
}

/// A function, ready to run.
#[derive(Debug, Default)]
pub(crate) struct Code {
    pub(crate) ins: Vec<Ins>,
    /// For each of `ins`, the instruction of the IR, or [`TERMINATOR`] and the block.
    pub(crate) origin: Vec<u32>,
    pub(crate) consts: Vec<u64>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) moves: Vec<(Slot, Word)>,
    pub(crate) plain: Vec<PlainSite>,
    pub(crate) selects: Vec<SelectSite>,
    pub(crate) nondets: Vec<NondetSite>,
    pub(crate) allocs: Vec<AllocSite>,
    pub(crate) types: Vec<Type>,
    pub(crate) lists: Vec<Vec<Word>>,
    pub(crate) calls: Vec<CallSite>,
    pub(crate) switches: Vec<SwitchSite>,
    pub(crate) returns: Vec<Word>,
    pub(crate) debugs: Vec<DebugSite>,
    pub(crate) messages: Vec<String>,
    /// The first word of each value.
    pub(crate) slots: Vec<Slot>,
    /// Words of the frame, and where the part about source variables begins.
    pub(crate) frame: usize,
    pub(crate) debug_start: usize,
    /// The first word of each source variable's part.
    pub(crate) vars: Vec<Slot>,
}

impl Ins {
    /// Is it a part of another instruction?
    pub(crate) fn accompanies(&self) -> bool {
        matches!(
            self,
            Ins::UseMem { .. }
                | Ins::UseMem2 { .. }
                | Ins::UseAny
                | Ins::NewShadow { .. }
                | Ins::ClearShadow { .. }
                | Ins::CopyShadow { .. }
                | Ins::Look { .. }
                | Ins::Expose { .. }
                | Ins::NextMem { .. }
        )
    }
}
