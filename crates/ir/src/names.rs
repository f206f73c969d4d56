//! The words of the text format for everything that is one word: operators, kinds, flags.
//!
//! Each table gives an enumeration its list of variants (`ALL`), `name` and `from_name`.

use std::fmt;

use crate::syntax::{
    Access, AllocKind, BinaryOp, CastOp, CompareOp, DebugKind, FloatTy, HaltKind, NondetKind,
    OverflowOp, Phase, Show, UnaryOp,
};

/// What stands in the name of a model's variable if others who call the library may change it: unknown code, and whoever
/// called a function before it is the entry.
pub const SHARED: &str = "__shared";

macro_rules! names {
    ($($enum:ident { $($variant:ident $name:literal),+ $(,)? })+) => { $(
        impl $enum {
            /// Every variant, in the order of declaration.
            pub const ALL: &[$enum] = &[$($enum::$variant),+];

            /// The word of the text format.
            pub fn name(self) -> &'static str {
                match self { $($enum::$variant => $name),+ }
            }

            /// The variant with this word.
            pub fn from_name(name: &str) -> Option<$enum> {
                match name { $($name => Some($enum::$variant),)+ _ => None }
            }
        }

        impl fmt::Display for $enum {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    )+ };
}

names! {
    Phase { Raw "raw", Lowered "lowered", Pure "pure", Unrolled "unrolled" }
    FloatTy { F16 "f16", F32 "f32", F64 "f64", F80 "f80", F128 "f128" }
    BinaryOp {
        Add "add", Sub "sub", Mul "mul", UDiv "udiv", SDiv "sdiv", URem "urem", SRem "srem",
        And "and", Or "or", Xor "xor", Shl "shl", LShr "lshr", AShr "ashr",
        FAdd "fadd", FSub "fsub", FMul "fmul", FDiv "fdiv", FRem "frem", FMin "fmin", FMax "fmax",
    }
    UnaryOp {
        CtPop "ctpop", CtLz "ctlz", CtTz "cttz", BSwap "bswap", BitReverse "bitreverse",
        FNeg "fneg", FAbs "fabs", FSqrt "fsqrt", FFloor "ffloor", FCeil "fceil", FTrunc "ftrunc",
        FRound "fround", FRint "frint",
    }
    CompareOp {
        Eq "eq", Ne "ne", Ult "ult", Ule "ule", Slt "slt", Sle "sle",
        FOeq "foeq", FOlt "folt", FOle "fole", FOne "fone", FOrd "ford",
        FUeq "fueq", FUlt "fult", FUle "fule", FUne "fune", FUno "funo",
    }
    OverflowOp {
        UAdd "uadd_overflow", SAdd "sadd_overflow", USub "usub_overflow", SSub "ssub_overflow",
        UMul "umul_overflow", SMul "smul_overflow",
    }
    CastOp {
        ZExt "zext", SExt "sext", Trunc "trunc", FToS "ftos", FToU "ftou", SToF "stof",
        UToF "utof", FToF "ftof", Bits "bits", PtrToInt "ptrtoint", IntToPtr "inttoptr",
    }
    NondetKind { Input "input", Extern "extern", Approx "approx", Uninit "uninit", Undef "undef" }
    Access { Read "read", Write "write", Look "look", Change "change", Touch "touch", Stray "stray" }
    AllocKind { Stack "stack", Sealed "sealed", Heap "heap" }
    HaltKind { Exit "exit", Abort "abort", Dead "dead" }
    DebugKind { Value "value", Address "address" }
    Show {
        Signed "signed", Unsigned "unsigned", Bool "bool", Char "char", Float "float",
        Pointer "pointer", Bytes "bytes",
    }
}

impl AllocKind {
    /// Does it end with the function's activation?
    pub fn is_stack(self) -> bool {
        match self {
            AllocKind::Stack | AllocKind::Sealed => true,
            AllocKind::Heap => false,
        }
    }
}

impl BinaryOp {
    /// Is it an operation on floats (else on integers)?
    pub fn is_float(self) -> bool {
        match self {
            BinaryOp::Add
            | BinaryOp::Sub
            | BinaryOp::Mul
            | BinaryOp::UDiv
            | BinaryOp::SDiv
            | BinaryOp::URem
            | BinaryOp::SRem
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Xor
            | BinaryOp::Shl
            | BinaryOp::LShr
            | BinaryOp::AShr => false,
            BinaryOp::FAdd
            | BinaryOp::FSub
            | BinaryOp::FMul
            | BinaryOp::FDiv
            | BinaryOp::FRem
            | BinaryOp::FMin
            | BinaryOp::FMax => true,
        }
    }
}

impl UnaryOp {
    /// Is it an operation on floats (else on integers)?
    pub fn is_float(self) -> bool {
        match self {
            UnaryOp::CtPop
            | UnaryOp::CtLz
            | UnaryOp::CtTz
            | UnaryOp::BSwap
            | UnaryOp::BitReverse => false,
            UnaryOp::FNeg
            | UnaryOp::FAbs
            | UnaryOp::FSqrt
            | UnaryOp::FFloor
            | UnaryOp::FCeil
            | UnaryOp::FTrunc
            | UnaryOp::FRound
            | UnaryOp::FRint => true,
        }
    }
}

impl CompareOp {
    /// Does it compare floats (else integers or pointers)?
    pub fn is_float(self) -> bool {
        match self {
            CompareOp::Eq
            | CompareOp::Ne
            | CompareOp::Ult
            | CompareOp::Ule
            | CompareOp::Slt
            | CompareOp::Sle => false,
            CompareOp::FOeq
            | CompareOp::FOlt
            | CompareOp::FOle
            | CompareOp::FOne
            | CompareOp::FOrd
            | CompareOp::FUeq
            | CompareOp::FUlt
            | CompareOp::FUle
            | CompareOp::FUne
            | CompareOp::FUno => true,
        }
    }
}
