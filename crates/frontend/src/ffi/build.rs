//! Making instructions.

use llvm_sys::prelude::{LLVMBuilderRef, LLVMValueRef};

use super::{Block, Context, IntPredicate, Meta, Of, Opcode, Ty, Val, llvm};

/// LLVM wants a name for each instruction; ours have none.
const NAME: *const std::ffi::c_char = c"".as_ptr();

/// Puts instructions somewhere, with a debug location.
pub struct Builder<'c> {
    raw: LLVMBuilderRef,
    ctx: &'c Context,
    of: Of<'c>,
}

impl<'c> Builder<'c> {
    /// A builder that stands nowhere yet.
    pub fn new(ctx: &'c Context) -> Builder<'c> {
        Builder {
            raw: llvm!(core::LLVMCreateBuilderInContext(ctx.raw)),
            ctx,
            of: Of::default(),
        }
    }

    /// What follows stands before the instruction, and has its location.
    pub fn before(&self, inst: Val<'c>) {
        assert!(inst.opcode().is_some(), "an instruction");
        llvm!(core::LLVMPositionBuilderBefore(self.raw, inst.raw));
        self.at(inst.location());
    }

    /// What follows stands at the end of the block.
    pub fn at_end(&self, block: Block<'c>) {
        llvm!(core::LLVMPositionBuilderAtEnd(self.raw, block.raw));
    }

    /// What follows has this location.
    pub fn at(&self, location: Option<Meta<'c>>) {
        let raw = location.map_or(std::ptr::null_mut(), |meta| meta.raw);
        llvm!(core::LLVMSetCurrentDebugLocation2(self.raw, raw));
    }

    /// A new block at the end of the function.
    pub fn new_block(&self, func: Val<'c>) -> Block<'c> {
        Block::new(llvm!(core::LLVMAppendBasicBlockInContext(
            self.ctx.raw,
            func.raw,
            NAME
        )))
    }

    /// A call.
    pub fn call(&self, ty: Ty<'c>, callee: Val<'c>, args: &[Val<'c>]) -> Val<'c> {
        assert_eq!(
            ty.params().len(),
            args.len(),
            "a call has its function's arguments"
        );
        let mut raw: Vec<LLVMValueRef> = args.iter().map(|arg| arg.raw).collect();
        Val::new(llvm!(core::LLVMBuildCall2(
            self.raw,
            ty.raw,
            callee.raw,
            raw.as_mut_ptr(),
            raw.len() as u32,
            NAME
        )))
    }

    /// A binary operation on operands of one type.
    pub fn binary(&self, opcode: Opcode, left: Val<'c>, right: Val<'c>) -> Val<'c> {
        assert_eq!(left.ty(), right.ty(), "operands of one type");
        Val::new(llvm!(core::LLVMBuildBinOp(
            self.raw, opcode, left.raw, right.raw, NAME
        )))
    }

    /// An integer or pointer comparison.
    pub fn compare(&self, predicate: IntPredicate, left: Val<'c>, right: Val<'c>) -> Val<'c> {
        assert_eq!(left.ty(), right.ty(), "operands of one type");
        Val::new(llvm!(core::LLVMBuildICmp(
            self.raw, predicate, left.raw, right.raw, NAME
        )))
    }

    /// An integer cut or zero-extended to the type.
    pub fn resize(&self, value: Val<'c>, ty: Ty<'c>) -> Val<'c> {
        let (from, to) = (value.ty().int_width(), ty.int_width());
        assert!(from.is_some() && to.is_some(), "integers");
        if from == to {
            return value;
        }
        let opcode = if from < to {
            Opcode::LLVMZExt
        } else {
            Opcode::LLVMTrunc
        };
        Val::new(llvm!(core::LLVMBuildCast(
            self.raw, opcode, value.raw, ty.raw, NAME
        )))
    }

    /// A conversion.
    pub fn cast(&self, opcode: Opcode, value: Val<'c>, ty: Ty<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildCast(
            self.raw, opcode, value.raw, ty.raw, NAME
        )))
    }

    /// One of two values of one type.
    pub fn select(&self, condition: Val<'c>, yes: Val<'c>, no: Val<'c>) -> Val<'c> {
        assert_eq!(yes.ty(), no.ty(), "operands of one type");
        Val::new(llvm!(core::LLVMBuildSelect(
            self.raw,
            condition.raw,
            yes.raw,
            no.raw,
            NAME
        )))
    }

    /// A phi without incoming values yet.
    pub fn phi(&self, ty: Ty<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildPhi(self.raw, ty.raw, NAME)))
    }

    /// A local object.
    pub fn alloca(&self, ty: Ty<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildAlloca(self.raw, ty.raw, NAME)))
    }

    /// A load.
    pub fn load(&self, ty: Ty<'c>, pointer: Val<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildLoad2(
            self.raw,
            ty.raw,
            pointer.raw,
            NAME
        )))
    }

    /// A store.
    pub fn store(&self, value: Val<'c>, pointer: Val<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildStore(
            self.raw,
            value.raw,
            pointer.raw
        )))
    }

    /// A field of a structure in a register.
    pub fn extract(&self, value: Val<'c>, index: u32) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildExtractValue(
            self.raw, value.raw, index, NAME
        )))
    }

    /// A structure in a register with another field.
    pub fn insert(&self, whole: Val<'c>, part: Val<'c>, index: u32) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildInsertValue(
            self.raw, whole.raw, part.raw, index, NAME
        )))
    }

    /// A lane of a vector.
    pub fn extract_element(&self, vector: Val<'c>, index: Val<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildExtractElement(
            self.raw, vector.raw, index.raw, NAME
        )))
    }

    /// A vector with another lane.
    pub fn insert_element(&self, vector: Val<'c>, lane: Val<'c>, index: Val<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildInsertElement(
            self.raw, vector.raw, lane.raw, index.raw, NAME
        )))
    }

    /// A pointer some bytes further.
    pub fn step(&self, pointer: Val<'c>, bytes: Val<'c>) -> Val<'c> {
        let byte = Ty::int(self.ctx, 8);
        let mut index = bytes.raw;
        Val::new(llvm!(core::LLVMBuildGEP2(
            self.raw,
            byte.raw,
            pointer.raw,
            &mut index,
            1,
            NAME
        )))
    }

    /// A jump.
    pub fn br(&self, to: Block<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildBr(self.raw, to.raw)))
    }

    /// A branch.
    pub fn cond_br(&self, condition: Val<'c>, yes: Block<'c>, no: Block<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildCondBr(
            self.raw,
            condition.raw,
            yes.raw,
            no.raw
        )))
    }

    /// A return, with a value if the function has one.
    pub fn ret(&self, value: Option<Val<'c>>) -> Val<'c> {
        Val::new(match value {
            Some(value) => llvm!(core::LLVMBuildRet(self.raw, value.raw)),
            None => llvm!(core::LLVMBuildRetVoid(self.raw)),
        })
    }

    /// `unreachable`.
    pub fn unreachable(&self) -> Val<'c> {
        Val::new(llvm!(core::LLVMBuildUnreachable(self.raw)))
    }
}

impl Drop for Builder<'_> {
    fn drop(&mut self) {
        llvm!(core::LLVMDisposeBuilder(self.raw));
    }
}
