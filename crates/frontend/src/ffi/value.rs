//! Values: constants, globals, functions, blocks; what they are and what they are made of.

use llvm_sys::LLVMValueKind;
use llvm_sys::prelude::{LLVMBasicBlockRef, LLVMValueRef};

use super::{Linkage, Meta, Of, Opcode, Ty, copy_bytes, copy_text, llvm, take_message};

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Val<'c> {
    pub(super) raw: LLVMValueRef,
    pub(super) of: Of<'c>,
}

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block<'c> {
    pub(super) raw: LLVMBasicBlockRef,
    pub(super) of: Of<'c>,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValKind {
    /// A function's parameter.
    Argument,
    /// A function.
    Function,
    /// An alias.
    Alias,
    /// A function chosen when the program is loaded.
    IFunc,
    /// A global variable.
    Global,
    /// The address of a block.
    BlockAddress,
    /// A constant expression.
    Expr,
    /// An array, structure or vector of constants.
    Aggregate,
    /// An array or vector of numbers.
    Data,
    /// An aggregate of zeros.
    Zero,
    /// An undefined value or poison.
    Undef,
    /// An integer.
    Int,
    /// A floating-point number.
    Float,
    /// The null pointer.
    Null,
    /// Inline assembly.
    Asm,
    /// An instruction.
    Instruction,
    /// Metadata, a block, or something that C does not have.
    Other,
}

impl<'c> Val<'c> {
    pub(super) fn new(raw: LLVMValueRef) -> Val<'c> {
        assert!(!raw.is_null(), "LLVM gave no value");
        Val {
            raw,
            of: Of::default(),
        }
    }

    pub(super) fn maybe(raw: LLVMValueRef) -> Option<Val<'c>> {
        (!raw.is_null()).then(|| Val::new(raw))
    }

    /// What it is.
    pub fn value_kind(self) -> ValKind {
        match llvm!(core::LLVMGetValueKind(self.raw)) {
            LLVMValueKind::LLVMArgumentValueKind => ValKind::Argument,
            LLVMValueKind::LLVMFunctionValueKind => ValKind::Function,
            LLVMValueKind::LLVMGlobalAliasValueKind => ValKind::Alias,
            LLVMValueKind::LLVMGlobalIFuncValueKind => ValKind::IFunc,
            LLVMValueKind::LLVMGlobalVariableValueKind => ValKind::Global,
            LLVMValueKind::LLVMBlockAddressValueKind => ValKind::BlockAddress,
            LLVMValueKind::LLVMConstantExprValueKind => ValKind::Expr,
            LLVMValueKind::LLVMConstantArrayValueKind
            | LLVMValueKind::LLVMConstantStructValueKind
            | LLVMValueKind::LLVMConstantVectorValueKind => ValKind::Aggregate,
            LLVMValueKind::LLVMConstantDataArrayValueKind
            | LLVMValueKind::LLVMConstantDataVectorValueKind => ValKind::Data,
            LLVMValueKind::LLVMConstantAggregateZeroValueKind => ValKind::Zero,
            LLVMValueKind::LLVMUndefValueValueKind | LLVMValueKind::LLVMPoisonValueKind => {
                ValKind::Undef
            }
            // A constant of vector type may be an integer or a float that stands for all lanes.
            LLVMValueKind::LLVMConstantIntValueKind => ValKind::Int,
            LLVMValueKind::LLVMConstantFPValueKind => ValKind::Float,
            LLVMValueKind::LLVMConstantPointerNullValueKind => ValKind::Null,
            LLVMValueKind::LLVMInlineAsmValueKind => ValKind::Asm,
            LLVMValueKind::LLVMInstructionValueKind => ValKind::Instruction,
            LLVMValueKind::LLVMBasicBlockValueKind
            | LLVMValueKind::LLVMMemoryUseValueKind
            | LLVMValueKind::LLVMMemoryDefValueKind
            | LLVMValueKind::LLVMMemoryPhiValueKind
            | LLVMValueKind::LLVMConstantTokenNoneValueKind
            | LLVMValueKind::LLVMMetadataAsValueValueKind
            | LLVMValueKind::LLVMConstantTargetNoneValueKind
            | LLVMValueKind::LLVMConstantPtrAuthValueKind => ValKind::Other,
        }
    }

    fn is_global_value(self) -> bool {
        matches!(
            self.value_kind(),
            ValKind::Function | ValKind::Alias | ValKind::IFunc | ValKind::Global
        )
    }

    /// Its type.
    pub fn ty(self) -> Ty<'c> {
        Ty::new(llvm!(core::LLVMTypeOf(self.raw)))
    }

    /// Its name, without the mark that forbids mangling.
    pub fn name(self) -> String {
        let mut len = 0;
        let text = llvm!(core::LLVMGetValueName2(self.raw, &mut len));
        let name = copy_text(text, len);
        match name.strip_prefix('\u{1}') {
            Some(rest) => rest.to_owned(),
            None => name,
        }
    }

    /// Renames it. LLVM adds a number if the name is taken.
    pub fn set_name(self, name: &str) {
        llvm!(core::LLVMSetValueName2(
            self.raw,
            name.as_ptr().cast(),
            name.len()
        ));
    }

    /// As LLVM writes it. Slow for instructions of large modules.
    pub fn text(self) -> String {
        take_message(llvm!(core::LLVMPrintValueToString(self.raw)))
    }

    /// Is it a constant (globals and functions included)?
    pub fn is_constant(self) -> bool {
        llvm!(core::LLVMIsConstant(self.raw)) != 0
    }

    /// Is something using it?
    pub fn is_used(self) -> bool {
        !llvm!(core::LLVMGetFirstUse(self.raw)).is_null()
    }

    /// Who uses it, once for each use.
    pub fn users(self) -> Vec<Val<'c>> {
        let mut list = Vec::new();
        let mut next = llvm!(core::LLVMGetFirstUse(self.raw));
        while !next.is_null() {
            list.push(Val::new(llvm!(core::LLVMGetUser(next))));
            next = llvm!(core::LLVMGetNextUse(next));
        }
        list
    }

    /// Puts another value of the same type in its place everywhere.
    pub fn replace_with(self, other: Val<'c>) {
        assert_eq!(
            self.ty(),
            other.ty(),
            "a value is replaced by one of its type"
        );
        llvm!(core::LLVMReplaceAllUsesWith(self.raw, other.raw));
    }

    fn is_user(self) -> bool {
        matches!(
            self.value_kind(),
            ValKind::Instruction
                | ValKind::Expr
                | ValKind::Aggregate
                | ValKind::Function
                | ValKind::Global
                | ValKind::Alias
                | ValKind::IFunc
        )
    }

    /// How many operands a user has (blocks among them).
    pub fn operand_count(self) -> u32 {
        if !self.is_user() {
            return 0;
        }
        llvm!(core::LLVMGetNumOperands(self.raw)) as u32
    }

    /// An instruction's or constant expression's n-th operand.
    pub fn operand(self, index: u32) -> Val<'c> {
        assert!(index < self.operand_count(), "operand {index}");
        Val::new(llvm!(core::LLVMGetOperand(self.raw, index)))
    }

    /// Changes an operand.
    pub fn set_operand(self, index: u32, value: Val<'c>) {
        assert!(index < self.operand_count(), "operand {index}");
        llvm!(core::LLVMSetOperand(self.raw, index, value.raw));
    }

    /// All operands of an instruction or constant.
    pub fn operands(self) -> impl Iterator<Item = Val<'c>> {
        (0..self.operand_count())
            .filter_map(move |index| Val::maybe(llvm!(core::LLVMGetOperand(self.raw, index))))
    }

    // Constants.

    /// An integer constant up to 64 bits wide, zero-extended.
    pub fn as_u64(self) -> Option<u64> {
        let bits = self.ty().int_width()?;
        if self.value_kind() != ValKind::Int || bits > 64 {
            return None;
        }
        Some(llvm!(core::LLVMConstIntGetZExtValue(self.raw)))
    }

    /// An integer constant up to 64 bits wide, sign-extended.
    pub fn as_i64(self) -> Option<i64> {
        let bits = self.ty().int_width()?;
        if self.value_kind() != ValKind::Int || bits > 64 {
            return None;
        }
        Some(llvm!(core::LLVMConstIntGetSExtValue(self.raw)))
    }

    /// An integer constant of the type.
    pub fn int(ty: Ty<'c>, value: u64) -> Val<'c> {
        assert!(ty.int_width().is_some(), "an integer of {}", ty.text());
        Val::new(llvm!(core::LLVMConstInt(ty.raw, value, 0)))
    }

    /// The constant whose bits are all ones.
    pub fn ones(ty: Ty<'c>) -> Val<'c> {
        assert!(ty.int_width().is_some(), "an integer of {}", ty.text());
        Val::new(llvm!(core::LLVMConstAllOnes(ty.raw)))
    }

    /// The constant of integers, or of lanes of integers, whose bits are all ones.
    pub fn ones_of(ty: Ty<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMConstAllOnes(ty.raw)))
    }

    /// A vector of constants.
    pub fn vector(lanes: &[Val<'c>]) -> Val<'c> {
        assert!(!lanes.is_empty() && lanes.iter().all(|lane| lane.is_constant()));
        let mut raw: Vec<LLVMValueRef> = lanes.iter().map(|lane| lane.raw).collect();
        Val::new(llvm!(core::LLVMConstVector(
            raw.as_mut_ptr(),
            raw.len() as u32
        )))
    }

    /// The type's zero.
    pub fn zero(ty: Ty<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMConstNull(ty.raw)))
    }

    /// A poison value of the type.
    pub fn poison(ty: Ty<'c>) -> Val<'c> {
        Val::new(llvm!(core::LLVMGetPoison(ty.raw)))
    }

    /// The n-th element of a constant aggregate or vector.
    pub fn element(self, index: u32) -> Option<Val<'c>> {
        if !self.is_constant() || self.is_global_value() {
            return None;
        }
        Val::maybe(llvm!(core::LLVMGetAggregateElement(self.raw, index)))
    }

    /// The bytes of an array or vector of numbers, in the host's (little endian) order.
    pub fn data(self) -> Option<Vec<u8>> {
        if self.value_kind() != ValKind::Data {
            return None;
        }
        let mut len = 0usize;
        // The binding declares the length as a number; the header, as a pointer to one.
        let text = llvm!(core::LLVMGetRawDataValues(
            self.raw,
            (&raw mut len) as usize
        ));
        Some(copy_bytes(text, len).to_vec())
    }

    /// The opcode of a constant expression.
    pub fn expr_opcode(self) -> Option<Opcode> {
        (self.value_kind() == ValKind::Expr).then(|| llvm!(core::LLVMGetConstOpcode(self.raw)))
    }

    /// Which block a block address names, and of which function.
    pub fn block_address(self) -> Option<(Val<'c>, Block<'c>)> {
        if self.value_kind() != ValKind::BlockAddress {
            return None;
        }
        let func = Val::new(llvm!(core::LLVMGetBlockAddressFunction(self.raw)));
        let block = Block::new(llvm!(core::LLVMGetBlockAddressBasicBlock(self.raw)));
        Some((func, block))
    }

    // Globals and functions.

    /// Is a global only declared?
    pub fn is_declaration(self) -> bool {
        assert!(self.is_global_value(), "a global");
        llvm!(core::LLVMIsDeclaration(self.raw)) != 0
    }

    /// Linkage of a global.
    pub fn linkage(self) -> Linkage {
        assert!(self.is_global_value(), "a global");
        llvm!(core::LLVMGetLinkage(self.raw))
    }

    /// Changes the linkage of a global.
    pub fn set_linkage(self, linkage: Linkage) {
        assert!(self.is_global_value(), "a global");
        llvm!(core::LLVMSetLinkage(self.raw, linkage));
    }

    /// The type of what a global holds; a function's type.
    pub fn content_type(self) -> Ty<'c> {
        assert!(self.is_global_value(), "a global");
        Ty::new(llvm!(core::LLVMGlobalGetValueType(self.raw)))
    }

    /// A global variable's initial value.
    pub fn initializer(self) -> Option<Val<'c>> {
        if self.value_kind() != ValKind::Global {
            return None;
        }
        Val::maybe(llvm!(core::LLVMGetInitializer(self.raw)))
    }

    /// Is a global variable constant?
    pub fn is_global_constant(self) -> bool {
        self.value_kind() == ValKind::Global && llvm!(core::LLVMIsGlobalConstant(self.raw)) != 0
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Option<Val<'c>> {
        if self.value_kind() != ValKind::Alias {
            return None;
        }
        Val::maybe(llvm!(core::LLVMAliasGetAliasee(self.raw)))
    }

    /// The function that chooses a function when the program is loaded.
    pub fn resolver(self) -> Option<Val<'c>> {
        if self.value_kind() != ValKind::IFunc {
            return None;
        }
        Val::maybe(llvm!(core::LLVMGetGlobalIFuncResolver(self.raw)))
    }

    /// The debug description attached to a global variable.
    pub fn global_debug(self, kind: u32) -> Option<Meta<'c>> {
        if self.value_kind() != ValKind::Global {
            return None;
        }
        let mut len = 0;
        let entries = llvm!(core::LLVMGlobalCopyAllMetadata(self.raw, &mut len));
        let mut found = None;
        for index in 0..len as u32 {
            if llvm!(core::LLVMValueMetadataEntriesGetKind(entries, index)) == kind {
                let meta = llvm!(core::LLVMValueMetadataEntriesGetMetadata(entries, index));
                found = found.or(Some(Meta::new(meta)));
            }
        }
        llvm!(core::LLVMDisposeValueMetadataEntries(entries));
        found
    }

    /// A function's parameters.
    pub fn params(self) -> Vec<Val<'c>> {
        assert_eq!(self.value_kind(), ValKind::Function);
        let count = llvm!(core::LLVMCountParams(self.raw));
        (0..count)
            .map(|index| Val::new(llvm!(core::LLVMGetParam(self.raw, index))))
            .collect()
    }

    /// A function's blocks.
    pub fn blocks(self) -> Vec<Block<'c>> {
        assert_eq!(self.value_kind(), ValKind::Function);
        let mut list = Vec::new();
        let mut next = Block::maybe(llvm!(core::LLVMGetFirstBasicBlock(self.raw)));
        while let Some(block) = next {
            list.push(block);
            next = Block::maybe(llvm!(core::LLVMGetNextBasicBlock(block.raw)));
        }
        list
    }

    /// Is a function an intrinsic?
    pub fn is_intrinsic(self) -> bool {
        self.value_kind() == ValKind::Function && llvm!(core::LLVMGetIntrinsicID(self.raw)) != 0
    }

    /// The function's body is taken away.
    pub fn delete_body(self, builder: &super::Builder<'c>) {
        for block in self.blocks() {
            for inst in block.instructions() {
                if inst.is_used() {
                    inst.replace_with(Val::poison(inst.ty()));
                }
            }
        }
        for block in self.blocks() {
            // A block that loses its end keeps the debug records that stood before it, and LLVM
            // would give them to the next block at the same address: so never without an end.
            if let Some(end) = block.terminator() {
                builder.at_end(block);
                builder.unreachable();
                end.erase();
            }
        }
        for block in self.blocks() {
            block.delete();
        }
        llvm!(debuginfo::LLVMSetSubprogram(self.raw, std::ptr::null_mut()));
        // A declaration has no handler of exceptions, and may not belong to a group that the linker
        // keeps or drops as a whole.
        llvm!(core::LLVMSetPersonalityFn(self.raw, std::ptr::null_mut()));
        llvm!(comdat::LLVMSetComdat(self.raw, std::ptr::null_mut()));
        self.set_linkage(Linkage::LLVMExternalLinkage);
    }

    /// The text and constraints of inline assembly, and whether it has side effects.
    pub fn asm(self) -> Option<(String, String)> {
        if self.value_kind() != ValKind::Asm {
            return None;
        }
        let mut len = 0;
        let text = llvm!(core::LLVMGetInlineAsmAsmString(self.raw, &mut len));
        let text = copy_text(text, len);
        let mut len = 0;
        let constraints = llvm!(core::LLVMGetInlineAsmConstraintString(self.raw, &mut len));
        Some((text, copy_text(constraints, len)))
    }

    /// Is inline assembly written as AT&T does, the source first?
    pub fn asm_has_source_first(self) -> bool {
        llvm!(core::LLVMGetInlineAsmDialect(self.raw))
            == llvm_sys::LLVMInlineAsmDialect::LLVMInlineAsmDialectATT
    }
}

impl<'c> Block<'c> {
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Block<'c> {
        assert!(!raw.is_null(), "LLVM gave no block");
        Block {
            raw,
            of: Of::default(),
        }
    }

    pub(super) fn maybe(raw: LLVMBasicBlockRef) -> Option<Block<'c>> {
        (!raw.is_null()).then(|| Block::new(raw))
    }

    /// The instructions in order.
    pub fn instructions(self) -> Vec<Val<'c>> {
        let mut list = Vec::new();
        let mut next = self.first();
        while let Some(inst) = next {
            list.push(inst);
            next = inst.next();
        }
        list
    }

    /// The first instruction.
    pub fn first(self) -> Option<Val<'c>> {
        Val::maybe(llvm!(core::LLVMGetFirstInstruction(self.raw)))
    }

    /// The terminator.
    pub fn terminator(self) -> Option<Val<'c>> {
        Val::maybe(llvm!(core::LLVMGetBasicBlockTerminator(self.raw)))
    }

    /// The function it is in.
    pub fn function(self) -> Val<'c> {
        Val::new(llvm!(core::LLVMGetBasicBlockParent(self.raw)))
    }

    /// The blocks that may follow, with repetitions.
    pub fn successors(self) -> Vec<Block<'c>> {
        self.terminator().map_or(Vec::new(), Val::successors)
    }

    /// Removes the block, which nothing may use.
    pub fn delete(self) {
        llvm!(core::LLVMDeleteBasicBlock(self.raw));
    }

    /// The block as an operand.
    pub fn as_value(self) -> Val<'c> {
        Val::new(llvm!(core::LLVMBasicBlockAsValue(self.raw)))
    }
}
