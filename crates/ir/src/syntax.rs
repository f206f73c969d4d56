//! The types of the IR and what they mean; no code beyond declarations.
//!
//! A module is a set of functions in SSA form with block parameters. A register holds a scalar
//! (`i1` … `iN`, floats), a pointer, or — from phase Pure on — the memory of a region. Vectors and
//! aggregates never live in registers: the front end takes them apart.
//!
//! **Every operation is total.** Undefined behaviour of the source is guarded by an obligation
//! ([`Op::Check`]) before the operation; the operation itself always has one meaning, stated at
//! its declaration, so that engines may compute it on paths that are not taken.
//!
//! **Memory.** A program's memory is a set of objects. An object has a base address, a size in
//! bytes, a kind (global, stack, heap), contents, and is alive or dead. A pointer is an address
//! together with the object it was derived from (its provenance; none for integers cast to
//! pointers, which get their object back by address). In phases Raw and Lowered there is one
//! implicit memory; in phase Pure each memory operation takes the version of a region's memory as
//! its last operand and, if it changes something, yields the next version as its last result.

pub use crate::origin::{Fact, FactData, Ground, Origin};
pub use crate::region::{Objects, Pointers, RegionData, RegionFacts};
pub use crate::standing::Standing;
use base::{Bv, id};
use checks::registry::CheckId;

id! {
    /// An SSA value: a function parameter, a block parameter, an instruction's result; also memories.
    Value, "v"
}
id! {
    /// A basic block of a function.
    Block, "b"
}
id! {
    /// An instruction of a function. Not written in the text; numbers follow the text's order.
    Inst, "i"
}
id! {
    /// A region of a function: a set of objects disjoint from the other regions' objects.
    Region, "r"
}
id! {
    /// A function of a module. The text uses its name.
    Func, "f"
}
id! {
    /// A global object of a module. The text uses its name.
    Global, "g"
}
id! {
    /// An obligation of a module: a check at a place.
    Obligation, "o"
}
id! {
    /// A source place in the module's table of places.
    PlaceId, "p"
}
id! {
    /// A source variable in the module's table of variables.
    Var, "x"
}

/// What may no longer occur. Each phase only forbids more; `wellformed` sees to it after every pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Phase {
    /// As imported: `switch`, indirect calls, calls of functions without a body, and heap
    /// operations without their obligations may occur.
    Raw,
    /// Two-way branches and direct calls of defined functions; every obligation is a `check`.
    Lowered,
    /// Memory is a value: memory operations name a region's version.
    Pure,
    /// No loops and no calls.
    Unrolled,
}

/// A floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum FloatTy {
    /// IEEE half precision, 16 bits.
    F16,
    /// IEEE single precision, 32 bits.
    F32,
    /// IEEE double precision, 64 bits.
    F64,
    /// x87 double extended precision, 80 bits, with an explicit integer bit.
    F80,
    /// IEEE quadruple precision, 128 bits.
    F128,
}

/// The type of a register.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Type {
    /// A bit-vector of the given width (at least 1).
    Int(u32),
    /// A floating-point number.
    Float(FloatTy),
    /// A pointer: address and provenance. `Machine::pointer_bits` wide in memory.
    Ptr,
    /// The memory of a region (phase Pure on).
    Mem(Region),
}

/// A constant operand.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Const {
    /// A bit-vector; its width is its type's.
    Int(Bv),
    /// A floating-point number, by its bits.
    Float(FloatTy, Bv),
    /// The null pointer: address 0, no provenance.
    Null,
    /// The address of a global plus a byte offset (wrapping at pointer width).
    Global(Global, i64),
    /// The address of a function. Not dereferenceable.
    Func(Func),
}

/// What an instruction reads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Operand {
    /// A register.
    Value(Value),
    /// A constant.
    Const(Const),
}

/// Operations of two operands of one type, with a result of that type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum BinaryOp {
    /// Addition modulo 2^n.
    Add,
    /// Subtraction modulo 2^n.
    Sub,
    /// Multiplication modulo 2^n.
    Mul,
    /// Unsigned division; x / 0 is all ones.
    UDiv,
    /// Signed division rounding to zero; x / 0 is 1 for negative x, else all ones;
    /// INT_MIN / -1 is INT_MIN.
    SDiv,
    /// Unsigned remainder; x % 0 is x.
    URem,
    /// Signed remainder, sign of the dividend; x % 0 is x.
    SRem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift left; 0 for amounts of n or more.
    Shl,
    /// Logical shift right; 0 for amounts of n or more.
    LShr,
    /// Arithmetic shift right; all sign bits for amounts of n or more.
    AShr,
    /// Floating-point addition, round to nearest even. A NaN is quiet and positive until pass `nans`.
    FAdd,
    /// Floating-point subtraction.
    FSub,
    /// Floating-point multiplication.
    FMul,
    /// Floating-point division.
    FDiv,
    /// C's `fmod`: exact remainder with the sign of the dividend (LLVM's `frem`).
    FRem,
    /// IEEE minNum: the other operand if one is NaN.
    FMin,
    /// IEEE maxNum.
    FMax,
}

/// Operations of one operand, with a result of its type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum UnaryOp {
    /// Number of ones.
    CtPop,
    /// Leading zeros; n for 0.
    CtLz,
    /// Trailing zeros; n for 0.
    CtTz,
    /// Bytes reversed; the width is a multiple of 16.
    BSwap,
    /// Bits reversed.
    BitReverse,
    /// Sign bit flipped, also of NaN.
    FNeg,
    /// Sign bit cleared, also of NaN.
    FAbs,
    /// Square root, round to nearest even.
    FSqrt,
    /// Round to an integral value: down.
    FFloor,
    /// Round to an integral value: up.
    FCeil,
    /// Round to an integral value: to zero.
    FTrunc,
    /// Round to an integral value: nearest, ties away from zero (C's `round`).
    FRound,
    /// Round to an integral value: nearest, ties to even (C's `rint` in the default mode).
    FRint,
}

/// Comparisons; the result is `i1`. Pointers compare by address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum CompareOp {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Unsigned less.
    Ult,
    /// Unsigned less or equal.
    Ule,
    /// Signed less.
    Slt,
    /// Signed less or equal.
    Sle,
    /// Ordered and equal.
    FOeq,
    /// Ordered and less.
    FOlt,
    /// Ordered and less or equal.
    FOle,
    /// Ordered and not equal.
    FOne,
    /// Neither is NaN.
    FOrd,
    /// Unordered or equal.
    FUeq,
    /// Unordered or less.
    FUlt,
    /// Unordered or less or equal.
    FUle,
    /// Unordered or not equal (C's `!=`).
    FUne,
    /// One is NaN.
    FUno,
}

/// Does the exact result leave the type's range? The result is `i1`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum OverflowOp {
    /// Unsigned addition.
    UAdd,
    /// Signed addition.
    SAdd,
    /// Unsigned subtraction.
    USub,
    /// Signed subtraction.
    SSub,
    /// Unsigned multiplication.
    UMul,
    /// Signed multiplication.
    SMul,
}

/// Conversions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum CastOp {
    /// Integer to a wider integer, filling with zeros.
    ZExt,
    /// Integer to a wider integer, filling with the sign.
    SExt,
    /// Integer to a narrower integer.
    Trunc,
    /// Float to signed integer, rounding to zero; out of range or NaN: INT_MIN.
    FToS,
    /// Float to unsigned integer, rounding to zero; out of range or NaN: all ones.
    FToU,
    /// Signed integer to float, round to nearest even.
    SToF,
    /// Unsigned integer to float, round to nearest even.
    UToF,
    /// Float to float of another format, round to nearest even.
    FToF,
    /// The bits of a float as an integer of the same width, or back.
    Bits,
    /// The address of a pointer, zero-extended or truncated to the integer's width.
    PtrToInt,
    /// An address as a pointer without provenance.
    IntToPtr,
}

/// Why a value is chosen freely.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum NondetKind {
    /// The program asked for it (`sk_nondet_int` and its other names).
    Input,
    /// The result of a function without a body, or of a library model.
    Extern,
    /// A library model knows only a range: a violation that rests on it need not be one.
    Approx,
    /// An uninitialised local variable.
    Uninit,
    /// An undefined or poisoned value of the compiler.
    Undef,
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Access {
    /// Reads: a constant object may be read.
    Read,
    /// Writes: a constant object may not be written.
    Write,
    /// Reads, where memory that belongs to no object may be read as well.
    Look,
    /// Writes, where memory that belongs to no object may be written as well.
    Change,
    /// Does not trap: not in the first page or the last two, where no memory lies.
    Touch,
    /// None: is the pointer a mere address, which no object of the program was handed out with?
    Stray,
}

/// Which object an allocation makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum AllocKind {
    /// Ends with the function's activation, by `stack_restore`, or by `lifetime_end`.
    Stack,
    /// The same, not writable for `is_deref`; stores (of its initialiser) take place.
    Sealed,
    /// Ends by `free`.
    Heap,
}

/// The function that a call names.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Callee {
    /// A function of the module.
    Direct(Func),
    /// A function pointer (Raw only).
    Indirect(Operand),
}

/// The operation of an instruction.
///
/// *Memory* below is the implicit memory in Raw and Lowered, and in Pure the versions in
/// [`InstData::mems`], with the next versions among the results. `n` is a byte count of pointer
/// width.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Op {
    /// Two operands of one type.
    Binary(BinaryOp, Operand, Operand),
    /// One operand.
    Unary(UnaryOp, Operand),
    /// A comparison; `i1`.
    Compare(CompareOp, Operand, Operand),
    /// An overflow predicate; `i1`.
    Overflow(OverflowOp, Operand, Operand),
    /// A conversion to the given type.
    Cast(CastOp, Operand, Type),
    /// The second operand if the first (`i1`) is 1, else the third.
    Select(Operand, Operand, Operand),
    /// Pointer plus signed byte offset of pointer width; keeps the provenance. Wraps.
    Offset(Operand, Operand),
    /// A copy of an operand (any type but `mem`).
    Copy(Operand),
    /// A freely chosen value of the given scalar type.
    Nondet(Type, NondetKind),

    /// A new object of `size` bytes (pointer width) with arbitrary contents; yields its address.
    /// Never null. Stack objects are alive from here; `zeroed` contents are zero.
    Alloc {
        /// Stack or heap.
        kind: AllocKind,
        /// Size in bytes.
        size: Operand,
        /// Alignment of the base address, a power of two.
        align: u64,
        /// Are the contents zero (`calloc`) or arbitrary?
        zeroed: bool,
        /// The source variable, if it is one.
        var: Option<Var>,
    },
    /// Ends the life of the heap object at the address; nothing for null and what is not `is_freeable`.
    Free(Operand),
    /// The stack object becomes alive with arbitrary contents (scope entered).
    LifetimeStart(Operand),
    /// The stack object dies (scope left).
    LifetimeEnd(Operand),
    /// Marks the function's current stack; a pointer-width token for `stack_restore`.
    StackSave,
    /// The stack objects made by this activation since the mark die.
    StackRestore(Operand),
    /// The stack objects made by this activation die. Placed before `return` by `purify`.
    Leave,
    /// Reads a value of the type, little endian; widths that are no multiple of 8 read the low
    /// bits. Outside a live object: any value.
    Load {
        /// Type of the result.
        ty: Type,
        /// Address.
        ptr: Operand,
        /// Alignment that the source promises, in bytes.
        align: u32,
        /// A volatile read yields any value, but of a live stack or heap object what it holds.
        volatile: bool,
    },
    /// Writes a value of the type, zero-extended to whole bytes. Outside a live object: no effect.
    Store {
        /// Type of the value.
        ty: Type,
        /// Address.
        ptr: Operand,
        /// What is written.
        value: Operand,
        /// Alignment that the source promises, in bytes.
        align: u32,
    },
    /// Copies `n` bytes with their provenance, as if through a buffer (`memmove`).
    /// In Pure `mems` are the destination's memory, then the source's; the result is the
    /// destination's next version.
    MemCopy {
        /// Destination.
        dst: Operand,
        /// Source.
        src: Operand,
        /// Bytes.
        len: Operand,
    },
    /// Sets `n` bytes to an `i8`.
    MemSet {
        /// Destination.
        dst: Operand,
        /// The byte.
        byte: Operand,
        /// Bytes.
        len: Operand,
    },
    /// Compares `n` bytes as `memcmp` does; `i32`: -1, 0 or 1.
    /// In Pure `mems` are the memories of the two pointers, in order.
    MemCompare {
        /// First.
        left: Operand,
        /// Second.
        right: Operand,
        /// Bytes.
        len: Operand,
    },
    /// Sets `n` bytes to arbitrary values.
    MemHavoc {
        /// Destination.
        dst: Operand,
        /// Bytes.
        len: Operand,
    },
    /// Unknown code: any change to what the pointers, visible globals and what escaped reach. In Pure one result per mem.
    Clobber(Vec<Operand>),
    /// Unknown code sees the same, and changes nothing: an address that it makes up may lead there from now on.
    Show(Vec<Operand>),
    /// Gives every byte of the region's live objects any value, constant globals excepted, and so memory of
    /// no object, if it lives there (Pure). The objects count as written and as initialised; which there
    /// are, and which live, stays. Bytes have no provenance: an address among them leads where one that was
    /// cast from an integer leads.
    HavocRegion,
    /// An empty memory, for a region that is local to the function (Pure).
    NewRegion(Region),

    /// May `n` bytes be accessed: inside the pointer's own live object (and that object not
    /// constant, for a write)? 1 for n = 0 and a pointer into or one past a live object. `i1`.
    IsDeref {
        /// Address.
        ptr: Operand,
        /// Bytes.
        len: Operand,
        /// Read or write.
        access: Access,
    },
    /// Is the pointer null or the base of a live heap object? `i1`.
    IsFreeable(Operand),
    /// Are `[a, a+n)` and `[b, b+n)` disjoint? `i1`.
    IsDisjoint {
        /// First.
        left: Operand,
        /// Second.
        right: Operand,
        /// Bytes.
        len: Operand,
    },
    /// Is every live heap object reachable from a global or a live stack object, interior
    /// pointers included? `i1`. In Pure `mems` are all memories in reach.
    AllTracked,
    /// Is there no live heap object? `i1`.
    AllFreed,
    /// Is the pointer's object alive? `i1`.
    IsAlive(Operand),
    /// Was the pointer's object written since its allocation or the last `reset_modified`? `i1`.
    IsModified(Operand),
    /// Forgets that the pointer's object was written.
    ResetModified(Operand),
    /// Reads the shadow of memory, an integer of the type. Each byte of an object has a shadow byte
    /// that says which of its bits are *not* initialised: all ones when an object is made, or
    /// becomes alive with arbitrary contents; zero for `zeroed` objects and globals. Stores,
    /// `mem_set` and `mem_havoc` set the shadow of what they write to zero, `mem_copy` copies it
    /// along, `clobber` sets that of all it may change to zero. Outside a live object: zero.
    LoadShadow {
        /// Type of the result, an integer.
        ty: Type,
        /// Address.
        ptr: Operand,
    },
    /// Writes the shadow of memory, and nothing else. Outside a live object: no effect.
    StoreShadow {
        /// Type of the value, an integer.
        ty: Type,
        /// Address.
        ptr: Operand,
        /// What is written.
        value: Operand,
    },
    /// Size in bytes of the pointer's object, 0 without one; pointer width.
    ObjectSize(Operand),
    /// Byte offset of the pointer in its object, its address without one; pointer width.
    ObjectOffset(Operand),

    /// Calls a function; results are the callee's. In Pure `mems` are the arguments for the
    /// callee's memory parameters (which follow its scalar ones), the memory results follow its
    /// scalar results, and `regions` binds the callee's regions to the caller's.
    Call {
        /// Whom.
        callee: Callee,
        /// Arguments.
        args: Vec<Operand>,
        /// The types of the results (what the call site expects of an indirect callee); in Pure
        /// the memories among them are named by the caller's regions.
        results: Vec<Type>,
        /// Callee region, caller region (Pure).
        regions: Vec<(Region, Region)>,
    },
    /// If the operand (`i1`) is 0, the execution ends here and does not count.
    Assume(Operand, Origin),
    /// If the operand (`i1`) is 0, the obligation is violated and the execution ends here.
    Check(Obligation, Operand),
    /// The source variable now has this value, or lives at this address.
    Debug {
        /// Which variable.
        var: Var,
        /// Its value, or the address where it lives.
        value: Operand,
        /// Value or address?
        kind: DebugKind,
    },
}

/// What the operand of [`Op::Debug`] tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum DebugKind {
    /// The variable's value.
    Value,
    /// The variable's address.
    Address,
}

/// A jump's target with the arguments for its parameters.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Target {
    /// Where to.
    pub block: Block,
    /// One for each parameter of the block.
    pub args: Vec<Operand>,
}

/// Why an execution ends without returning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum HaltKind {
    /// `exit`: destructors have run, leaks have been judged.
    Exit,
    /// `abort`, or after a failed assertion.
    Abort,
    /// Cannot be reached: an obligation or assumption before it ends the execution.
    Dead,
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Terminator {
    /// Goes on at the target.
    Jump(Target),
    /// The first target if the operand (`i1`) is 1, else the second.
    Branch(Operand, Target, Target),
    /// The case whose value equals the operand, else the last target (Raw only).
    Switch(Operand, Vec<(Bv, Target)>, Target),
    /// Leaves the function with results.
    Return(Vec<Operand>),
    /// Ends the execution.
    Halt(HaltKind),
}

/// An instruction: results, operation, place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InstData {
    /// What it defines; the types are the values'. New memory versions come last.
    pub results: Vec<Value>,
    /// What it does.
    pub op: Op,
    /// The memory versions it reads or changes (Pure); empty before.
    pub mems: Vec<Value>,
    /// Where it comes from.
    pub place: Option<PlaceId>,
}

/// Where a value is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Def {
    /// The function's n-th parameter.
    Param(u32),
    /// A block's n-th parameter.
    BlockParam(Block, u32),
    /// An instruction's n-th result.
    Result(Inst, u32),
}

/// A value's type and definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValueData {
    /// Type.
    pub ty: Type,
    /// Definition.
    pub def: Def,
}

/// A block: parameters, instructions in order, an end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockData {
    /// Values that each jump to the block supplies.
    pub params: Vec<Value>,
    /// Instructions in order.
    pub insts: Vec<Inst>,
    /// How it ends.
    pub terminator: Terminator,
    /// Where the terminator comes from.
    pub place: Option<PlaceId>,
}

/// A function with a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Body {
    /// All values.
    pub values: base::Map<Value, ValueData>,
    /// All instructions; which are in use is what the blocks say.
    pub insts: base::Map<Inst, InstData>,
    /// All blocks, in the order of the text; the first is the entry and has no parameters.
    pub blocks: base::Map<Block, BlockData>,
    /// Regions (Pure).
    pub regions: base::Map<Region, RegionData>,
    /// The function's parameters.
    pub params: Vec<Value>,
}

/// A function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FuncData {
    /// Symbol name.
    pub name: String,
    /// Parameter types.
    pub params: Vec<Type>,
    /// Result types.
    pub results: Vec<Type>,
    /// The body; none for external functions.
    pub body: Option<Body>,
    /// Where it is defined.
    pub place: Option<PlaceId>,
    /// Is it a model of a library function, not the user's?
    pub model: bool,
    /// May other translation units call it by name?
    pub external: bool,
}

/// A piece of a global's initial contents.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InitPiece {
    /// Bytes as they are.
    Bytes(Vec<u8>),
    /// This many zero bytes.
    Zero(u64),
    /// This many bytes of any value (`undef`, or an external global).
    Any(u64),
    /// A pointer (`Null`, `Global`, `Func`), of pointer width.
    Pointer(Const),
}

/// A global object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GlobalData {
    /// Symbol name.
    pub name: String,
    /// Size in bytes; the pieces of `init` add up to it.
    pub size: u64,
    /// Alignment of the address.
    pub align: u64,
    /// Is it forbidden to write it?
    pub constant: bool,
    /// Can other translation units see it?
    pub external: bool,
    /// Initial contents.
    pub init: Vec<InitPiece>,
    /// The source variable's name and place, for messages.
    pub var: Option<Var>,
}

/// A check at a place. Copies of an instruction `check o3, …` are one obligation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObligationData {
    /// Function in the source, as in the stable id `main.overflow.2`.
    pub func: String,
    /// The property that is claimed here.
    pub check: CheckId,
    /// Number among the function's obligations of this check, from 1.
    pub ordinal: u32,
    /// What is claimed, for people: `signed overflow in +`.
    pub text: String,
    /// Where.
    pub place: Option<PlaceId>,
    /// What is known of it besides.
    pub standing: Standing,
}

/// A source place with the call sites through which it was inlined.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct PlaceData {
    /// File, line, column.
    pub place: base::Place,
    /// The function the place is in, in the source.
    pub func: String,
    /// Where that function was inlined.
    pub inlined_at: Option<PlaceId>,
}

/// How to show a source variable's bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Show {
    /// A signed decimal number.
    Signed,
    /// An unsigned decimal number.
    Unsigned,
    /// `true` or `false`.
    Bool,
    /// A character.
    Char,
    /// A floating-point number.
    Float,
    /// A pointer.
    Pointer,
    /// Bytes.
    Bytes,
}

/// A source variable.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct VarData {
    /// Name in the source.
    pub name: String,
    /// The type as the source writes it.
    pub ty: String,
    /// How to show it.
    pub show: Show,
    /// Size in bits, 0 if unknown.
    pub bits: u64,
    /// The function it belongs to; none for a global.
    pub func: Option<String>,
    /// Where it is declared.
    pub place: Option<PlaceId>,
}

/// Facts about the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// Width of pointers, 32 or 64.
    pub pointer_bits: u32,
}

/// A whole program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Module {
    /// What may occur.
    pub phase: Phase,
    /// The machine.
    pub machine: Machine,
    /// Functions.
    pub funcs: base::Map<Func, FuncData>,
    /// Global objects.
    pub globals: base::Map<Global, GlobalData>,
    /// Obligations.
    pub obligations: base::Map<Obligation, ObligationData>,
    /// What engines claim, for assumptions of theirs.
    pub facts: base::Map<Fact, FactData>,
    /// Places.
    pub places: base::Map<PlaceId, PlaceData>,
    /// Source variables.
    pub vars: base::Map<Var, VarData>,
    /// Addresses (first and last) of devices: reads yield any value, writes have no effect.
    pub mmio: Vec<(u64, u64)>,
    /// Where execution starts: a function of the front end's without parameters (in Pure: memories),
    /// which prepares `argc` and `argv`, runs constructors and calls the user's entry.
    pub entry: Option<Func>,
    /// What the module's meaning assumes, said by the front end and the passes (the ledger).
    pub notes: Vec<String>,
}
