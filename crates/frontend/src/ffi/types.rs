//! Types and the data layout.

use llvm_sys::LLVMTypeKind;
use llvm_sys::prelude::LLVMTypeRef;
use llvm_sys::target::LLVMTargetDataRef;

use super::{Context, Of, copy_text, llvm, take_message};

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ty<'c> {
    pub(super) raw: LLVMTypeRef,
    pub(super) of: Of<'c>,
}

/// What a type is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind<'c> {
    /// No value.
    Void,
    /// IEEE half, float, double, fp128 and x87's format.
    Half,
    /// Single precision.
    Float,
    /// Double precision.
    Double,
    /// x87 double extended.
    Fp80,
    /// IEEE quadruple precision.
    Fp128,
    /// An integer of this width.
    Int(u32),
    /// A pointer in this address space.
    Ptr(u32),
    /// A function type.
    Function,
    /// A structure with this many fields.
    Struct(u32),
    /// An array.
    Array(Ty<'c>, u64),
    /// A vector.
    Vector(Ty<'c>, u32),
    /// Metadata as an argument of a debug or rounding-mode intrinsic.
    Metadata,
    /// The type of blocks as operands.
    Label,
    /// Anything else: bfloat, tokens, scalable vectors, target types …
    Other,
}

impl<'c> Ty<'c> {
    pub(super) fn new(raw: LLVMTypeRef) -> Ty<'c> {
        assert!(!raw.is_null(), "LLVM gave no type");
        Ty {
            raw,
            of: Of::default(),
        }
    }

    /// An integer type.
    pub fn int(ctx: &'c Context, bits: u32) -> Ty<'c> {
        Ty::new(llvm!(core::LLVMIntTypeInContext(ctx.raw, bits)))
    }

    /// The pointer type.
    pub fn ptr(ctx: &'c Context) -> Ty<'c> {
        Ty::new(llvm!(core::LLVMPointerTypeInContext(ctx.raw, 0)))
    }

    /// The type without values.
    pub fn void(ctx: &'c Context) -> Ty<'c> {
        Ty::new(llvm!(core::LLVMVoidTypeInContext(ctx.raw)))
    }

    /// A function type.
    pub fn function(result: Ty<'c>, params: &[Ty<'c>]) -> Ty<'c> {
        let mut raw: Vec<LLVMTypeRef> = params.iter().map(|ty| ty.raw).collect();
        Ty::new(llvm!(core::LLVMFunctionType(
            result.raw,
            raw.as_mut_ptr(),
            raw.len() as u32,
            0
        )))
    }

    /// What it is made of.
    pub fn kind(self) -> Kind<'c> {
        match llvm!(core::LLVMGetTypeKind(self.raw)) {
            LLVMTypeKind::LLVMVoidTypeKind => Kind::Void,
            LLVMTypeKind::LLVMHalfTypeKind => Kind::Half,
            LLVMTypeKind::LLVMFloatTypeKind => Kind::Float,
            LLVMTypeKind::LLVMDoubleTypeKind => Kind::Double,
            LLVMTypeKind::LLVMX86_FP80TypeKind => Kind::Fp80,
            LLVMTypeKind::LLVMFP128TypeKind => Kind::Fp128,
            LLVMTypeKind::LLVMIntegerTypeKind => {
                Kind::Int(llvm!(core::LLVMGetIntTypeWidth(self.raw)))
            }
            LLVMTypeKind::LLVMPointerTypeKind => {
                Kind::Ptr(llvm!(core::LLVMGetPointerAddressSpace(self.raw)))
            }
            LLVMTypeKind::LLVMFunctionTypeKind => Kind::Function,
            LLVMTypeKind::LLVMStructTypeKind => {
                Kind::Struct(llvm!(core::LLVMCountStructElementTypes(self.raw)))
            }
            LLVMTypeKind::LLVMArrayTypeKind => Kind::Array(
                Ty::new(llvm!(core::LLVMGetElementType(self.raw))),
                llvm!(core::LLVMGetArrayLength2(self.raw)),
            ),
            LLVMTypeKind::LLVMVectorTypeKind => Kind::Vector(
                Ty::new(llvm!(core::LLVMGetElementType(self.raw))),
                llvm!(core::LLVMGetVectorSize(self.raw)),
            ),
            LLVMTypeKind::LLVMMetadataTypeKind => Kind::Metadata,
            LLVMTypeKind::LLVMLabelTypeKind => Kind::Label,
            LLVMTypeKind::LLVMPPC_FP128TypeKind
            | LLVMTypeKind::LLVMTokenTypeKind
            | LLVMTypeKind::LLVMScalableVectorTypeKind
            | LLVMTypeKind::LLVMBFloatTypeKind
            | LLVMTypeKind::LLVMX86_AMXTypeKind
            | LLVMTypeKind::LLVMTargetExtTypeKind => Kind::Other,
        }
    }

    /// Is it an integer, or a vector of integers? Its width then.
    pub fn int_width(self) -> Option<u32> {
        match self.kind() {
            Kind::Int(bits) => Some(bits),
            _ => None,
        }
    }

    /// A structure's n-th field type; n must be less than its count.
    pub fn field(self, index: u32) -> Ty<'c> {
        match self.kind() {
            Kind::Struct(count) if index < count => {
                Ty::new(llvm!(core::LLVMStructGetTypeAtIndex(self.raw, index)))
            }
            other => panic!("field {index} of {other:?}"),
        }
    }

    /// Has it a size?
    pub fn is_sized(self) -> bool {
        llvm!(core::LLVMTypeIsSized(self.raw)) != 0
    }

    /// A function type's result.
    pub fn result(self) -> Ty<'c> {
        assert_eq!(self.kind(), Kind::Function);
        Ty::new(llvm!(core::LLVMGetReturnType(self.raw)))
    }

    /// A function type's parameters.
    pub fn params(self) -> Vec<Ty<'c>> {
        assert_eq!(self.kind(), Kind::Function);
        let count = llvm!(core::LLVMCountParamTypes(self.raw)) as usize;
        let mut raw: Vec<LLVMTypeRef> = vec![std::ptr::null_mut(); count];
        llvm!(core::LLVMGetParamTypes(self.raw, raw.as_mut_ptr()));
        raw.into_iter().map(Ty::new).collect()
    }

    /// Does a function type end in `...`?
    pub fn is_vararg(self) -> bool {
        assert_eq!(self.kind(), Kind::Function);
        llvm!(core::LLVMIsFunctionVarArg(self.raw)) != 0
    }

    /// As LLVM writes it.
    pub fn text(self) -> String {
        take_message(llvm!(core::LLVMPrintTypeToString(self.raw)))
    }
}

/// Sizes and offsets, by a data-layout string.
pub struct Layout {
    raw: LLVMTargetDataRef,
    text: String,
}

impl Layout {
    /// The layout that a module's string describes.
    pub fn of(module: &super::Module<'_>) -> Layout {
        let raw = llvm!(core::LLVMGetDataLayoutStr(module.raw()));
        // SAFETY: the module keeps a NUL-terminated string.
        let len = unsafe { std::ffi::CStr::from_ptr(raw) }.count_bytes();
        Layout {
            raw: llvm!(target::LLVMCreateTargetData(raw)),
            text: copy_text(raw, len),
        }
    }

    /// The string.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Width of a pointer in bits.
    pub fn pointer_bits(&self) -> u32 {
        llvm!(target::LLVMPointerSize(self.raw)) * 8
    }

    /// Bytes from one element of an array of the type to the next.
    pub fn size(&self, ty: Ty<'_>) -> u64 {
        assert!(ty.is_sized(), "the size of {}", ty.text());
        llvm!(target::LLVMABISizeOfType(self.raw, ty.raw))
    }

    /// Bytes that a store of the type may write.
    pub fn store_size(&self, ty: Ty<'_>) -> u64 {
        assert!(ty.is_sized(), "the size of {}", ty.text());
        llvm!(target::LLVMStoreSizeOfType(self.raw, ty.raw))
    }

    /// Alignment in bytes.
    pub fn align(&self, ty: Ty<'_>) -> u64 {
        assert!(ty.is_sized(), "the alignment of {}", ty.text());
        u64::from(llvm!(target::LLVMABIAlignmentOfType(self.raw, ty.raw)))
    }

    /// The byte offset of a structure's field.
    pub fn offset(&self, ty: Ty<'_>, field: u32) -> u64 {
        match ty.kind() {
            Kind::Struct(count) if field < count && ty.is_sized() => {
                llvm!(target::LLVMOffsetOfElement(self.raw, ty.raw, field))
            }
            other => panic!("the offset of field {field} of {other:?}"),
        }
    }
}

impl Drop for Layout {
    fn drop(&mut self) {
        llvm!(target::LLVMDisposeTargetData(self.raw));
    }
}
