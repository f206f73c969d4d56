//! Instructions: what they say, and small changes to them.

use super::{
    Block, IntPredicate, Meta, Opcode, RealPredicate, Record, RmwOp, Ty, Val, ValKind, llvm,
};

impl<'c> Val<'c> {
    /// An instruction's opcode; none for other values.
    pub fn opcode(self) -> Option<Opcode> {
        (self.value_kind() == ValKind::Instruction)
            .then(|| llvm!(core::LLVMGetInstructionOpcode(self.raw)))
    }

    fn is(self, opcode: Opcode) -> bool {
        self.opcode() == Some(opcode)
    }

    fn expect(self, opcode: Opcode) {
        assert_eq!(self.opcode(), Some(opcode));
    }

    fn expect_inst(self) {
        assert_eq!(self.value_kind(), ValKind::Instruction);
    }

    /// The next instruction of the block.
    pub fn next(self) -> Option<Val<'c>> {
        self.expect_inst();
        Val::maybe(llvm!(core::LLVMGetNextInstruction(self.raw)))
    }

    /// The instruction before it in the block.
    pub fn previous(self) -> Option<Val<'c>> {
        self.expect_inst();
        Val::maybe(llvm!(core::LLVMGetPreviousInstruction(self.raw)))
    }

    /// The block it is in.
    pub fn block(self) -> Block<'c> {
        self.expect_inst();
        Block::new(llvm!(core::LLVMGetInstructionParent(self.raw)))
    }

    /// Removes the instruction, which nothing may use.
    pub fn erase(self) {
        self.expect_inst();
        assert!(!self.is_used(), "an erased instruction is not used");
        llvm!(core::LLVMInstructionEraseFromParent(self.raw));
    }

    /// Its debug location.
    pub fn location(self) -> Option<Meta<'c>> {
        self.expect_inst();
        Meta::maybe(llvm!(debuginfo::LLVMInstructionGetDebugLoc(self.raw)))
    }

    /// The debug records in front of it.
    pub fn records(self) -> Vec<Record<'c>> {
        self.expect_inst();
        let mut list = Vec::new();
        let mut next = llvm!(core::LLVMGetFirstDbgRecord(self.raw));
        while !next.is_null() {
            list.push(Record::new(next));
            next = llvm!(core::LLVMGetNextDbgRecord(next));
        }
        list
    }

    /// Has it metadata of this kind?
    pub fn has_metadata(self, kind: u32) -> bool {
        self.expect_inst();
        llvm!(core::LLVMHasMetadata(self.raw)) != 0
            && !llvm!(core::LLVMGetMetadata(self.raw, kind)).is_null()
    }

    /// Marks it by empty metadata of this kind.
    pub fn mark(self, ctx: &'c super::Context, kind: u32) {
        self.expect_inst();
        let node = llvm!(core::LLVMMDNodeInContext2(ctx.raw, std::ptr::null_mut(), 0));
        let node = llvm!(core::LLVMMetadataAsValue(ctx.raw, node));
        llvm!(core::LLVMSetMetadata(self.raw, kind, node));
    }

    /// Takes away all metadata but the debug location.
    pub fn drop_metadata(self) {
        self.expect_inst();
        if llvm!(core::LLVMHasMetadata(self.raw)) == 0 {
            return;
        }
        let mut len = 0;
        let entries = llvm!(core::LLVMInstructionGetAllMetadataOtherThanDebugLoc(
            self.raw, &mut len
        ));
        let kinds: Vec<u32> = (0..len as u32)
            .map(|index| llvm!(core::LLVMValueMetadataEntriesGetKind(entries, index)))
            .collect();
        llvm!(core::LLVMDisposeValueMetadataEntries(entries));
        // In spite of its name, the list contains the debug location, whose kind is 0.
        for kind in kinds.into_iter().filter(|&kind| kind != 0) {
            llvm!(core::LLVMSetMetadata(self.raw, kind, std::ptr::null_mut()));
        }
    }

    // Flags.

    /// Is `nsw` set?
    pub fn nsw(self) -> bool {
        self.may_wrap() && llvm!(core::LLVMGetNSW(self.raw)) != 0
    }

    /// Is `nuw` set?
    pub fn nuw(self) -> bool {
        self.may_wrap() && llvm!(core::LLVMGetNUW(self.raw)) != 0
    }

    /// Is `exact` set?
    pub fn exact(self) -> bool {
        self.may_be_exact() && llvm!(core::LLVMGetExact(self.raw)) != 0
    }

    fn may_wrap(self) -> bool {
        matches!(
            self.opcode(),
            Some(
                Opcode::LLVMAdd
                    | Opcode::LLVMSub
                    | Opcode::LLVMMul
                    | Opcode::LLVMShl
                    | Opcode::LLVMTrunc
            )
        )
    }

    fn may_be_exact(self) -> bool {
        matches!(
            self.opcode(),
            Some(Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMLShr | Opcode::LLVMAShr)
        )
    }

    /// Takes away every promise that an instruction's flags make.
    pub fn drop_flags(self) {
        let Some(opcode) = self.opcode() else { return };
        if self.may_wrap() {
            llvm!(core::LLVMSetNSW(self.raw, 0));
            llvm!(core::LLVMSetNUW(self.raw, 0));
        } else if self.may_be_exact() {
            llvm!(core::LLVMSetExact(self.raw, 0));
        } else if matches!(opcode, Opcode::LLVMZExt | Opcode::LLVMUIToFP) {
            llvm!(core::LLVMSetNNeg(self.raw, 0));
        } else if opcode == Opcode::LLVMOr {
            llvm!(core::LLVMSetIsDisjoint(self.raw, 0));
        } else if opcode == Opcode::LLVMICmp {
            llvm!(core::LLVMSetICmpSameSign(self.raw, 0));
        } else if opcode == Opcode::LLVMGetElementPtr {
            llvm!(core::LLVMGEPSetNoWrapFlags(self.raw, 0));
        }
        if llvm!(core::LLVMCanValueUseFastMathFlags(self.raw)) != 0 {
            llvm!(core::LLVMSetFastMathFlags(self.raw, 0));
        }
    }

    // Control flow.

    /// The targets of a terminator.
    pub fn successors(self) -> Vec<Block<'c>> {
        self.expect_inst();
        if llvm!(core::LLVMIsATerminatorInst(self.raw)).is_null() {
            return Vec::new();
        }
        let count = llvm!(core::LLVMGetNumSuccessors(self.raw));
        (0..count)
            .map(|index| Block::new(llvm!(core::LLVMGetSuccessor(self.raw, index))))
            .collect()
    }

    /// Changes a target of a terminator.
    pub fn set_successor(self, index: u32, block: Block<'c>) {
        assert!((index as usize) < self.successors().len(), "a target");
        llvm!(core::LLVMSetSuccessor(self.raw, index, block.raw));
    }

    /// The condition of a conditional branch.
    pub fn branch_condition(self) -> Option<Val<'c>> {
        if !self.is(Opcode::LLVMBr) || llvm!(core::LLVMIsConditional(self.raw)) == 0 {
            return None;
        }
        Some(Val::new(llvm!(core::LLVMGetCondition(self.raw))))
    }

    /// Changes the condition of a conditional branch.
    pub fn set_branch_condition(self, condition: Val<'c>) {
        assert!(self.branch_condition().is_some(), "a conditional branch");
        llvm!(core::LLVMSetCondition(self.raw, condition.raw));
    }

    /// The value of a switch's n-th target; the first target is the default and has none.
    pub fn switch_case(self, index: u32) -> Val<'c> {
        self.expect(Opcode::LLVMSwitch);
        assert!(index > 0 && (index as usize) < self.successors().len());
        Val::new(llvm!(core::LLVMGetSwitchCaseValue(self.raw, index)))
    }

    /// A further value of a phi, for an edge from a block.
    pub fn add_incoming(self, value: Val<'c>, block: Block<'c>) {
        assert_eq!(self.opcode(), Some(Opcode::LLVMPHI), "a phi");
        let (mut value, mut block) = (value.raw, block.raw);
        llvm!(core::LLVMAddIncoming(self.raw, &mut value, &mut block, 1));
    }

    /// The values of a phi and the blocks they come from.
    pub fn incoming(self) -> Vec<(Val<'c>, Block<'c>)> {
        self.expect(Opcode::LLVMPHI);
        let count = llvm!(core::LLVMCountIncoming(self.raw));
        (0..count)
            .map(|index| {
                let value = Val::new(llvm!(core::LLVMGetIncomingValue(self.raw, index)));
                let block = Block::new(llvm!(core::LLVMGetIncomingBlock(self.raw, index)));
                (value, block)
            })
            .collect()
    }

    // Comparisons.

    /// An integer comparison's predicate.
    pub fn int_predicate(self) -> IntPredicate {
        self.expect(Opcode::LLVMICmp);
        llvm!(core::LLVMGetICmpPredicate(self.raw))
    }

    /// A floating-point comparison's predicate.
    pub fn real_predicate(self) -> RealPredicate {
        self.expect(Opcode::LLVMFCmp);
        llvm!(core::LLVMGetFCmpPredicate(self.raw))
    }

    // Memory.

    /// The type of the object that an `alloca` makes (its element, for an array).
    pub fn allocated_type(self) -> Ty<'c> {
        self.expect(Opcode::LLVMAlloca);
        Ty::new(llvm!(core::LLVMGetAllocatedType(self.raw)))
    }

    /// Alignment of an access, an `alloca` or a global, in bytes; 0 if not stated.
    pub fn alignment(self) -> u64 {
        let has = matches!(
            self.opcode(),
            Some(
                Opcode::LLVMAlloca
                    | Opcode::LLVMLoad
                    | Opcode::LLVMStore
                    | Opcode::LLVMAtomicRMW
                    | Opcode::LLVMAtomicCmpXchg
            )
        ) || self.value_kind() == ValKind::Global;
        assert!(has, "something aligned");
        u64::from(llvm!(core::LLVMGetAlignment(self.raw)))
    }

    /// Is an access volatile?
    pub fn is_volatile(self) -> bool {
        matches!(
            self.opcode(),
            Some(
                Opcode::LLVMLoad
                    | Opcode::LLVMStore
                    | Opcode::LLVMAtomicRMW
                    | Opcode::LLVMAtomicCmpXchg
            )
        ) && llvm!(core::LLVMGetVolatile(self.raw)) != 0
    }

    /// Makes a store or an atomic update volatile.
    pub fn set_volatile(self) {
        let stores = matches!(
            self.opcode(),
            Some(Opcode::LLVMStore | Opcode::LLVMAtomicRMW | Opcode::LLVMAtomicCmpXchg)
        );
        assert!(stores, "{:?} is not made volatile", self.opcode());
        llvm!(core::LLVMSetVolatile(self.raw, 1));
    }

    /// What an `atomicrmw` does.
    pub fn rmw_op(self) -> RmwOp {
        self.expect(Opcode::LLVMAtomicRMW);
        llvm!(core::LLVMGetAtomicRMWBinOp(self.raw))
    }

    /// The type that the first index of a `getelementptr` counts in.
    pub fn gep_type(self) -> Ty<'c> {
        assert!(
            self.is(Opcode::LLVMGetElementPtr)
                || self.expr_opcode() == Some(Opcode::LLVMGetElementPtr)
        );
        Ty::new(llvm!(core::LLVMGetGEPSourceElementType(self.raw)))
    }

    // Aggregates and vectors.

    /// The path of an `extractvalue` or `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        assert!(self.is(Opcode::LLVMExtractValue) || self.is(Opcode::LLVMInsertValue));
        let count = llvm!(core::LLVMGetNumIndices(self.raw));
        let first = llvm!(core::LLVMGetIndices(self.raw));
        // SAFETY: LLVM keeps `count` numbers there as long as the instruction lives.
        unsafe { std::slice::from_raw_parts(first, count as usize) }.to_vec()
    }

    /// The lanes that a `shufflevector` takes; none for an undefined one.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        self.expect(Opcode::LLVMShuffleVector);
        let count = llvm!(core::LLVMGetNumMaskElements(self.raw));
        (0..count)
            .map(|index| {
                let lane = llvm!(core::LLVMGetMaskValue(self.raw, index));
                u32::try_from(lane).ok()
            })
            .collect()
    }

    // Calls.

    /// Is it a call, also one that may unwind or jump?
    pub fn is_any_call(self) -> bool {
        matches!(
            self.opcode(),
            Some(Opcode::LLVMCall | Opcode::LLVMInvoke | Opcode::LLVMCallBr)
        )
    }

    /// Whom a call calls.
    pub fn callee(self) -> Val<'c> {
        assert!(self.is_any_call(), "a call");
        Val::new(llvm!(core::LLVMGetCalledValue(self.raw)))
    }

    /// The function type that a call was made for.
    pub fn callee_type(self) -> Ty<'c> {
        assert!(self.is_any_call(), "a call");
        Ty::new(llvm!(core::LLVMGetCalledFunctionType(self.raw)))
    }

    /// A call's arguments.
    pub fn args(self) -> Vec<Val<'c>> {
        assert!(self.is_any_call(), "a call");
        let count = llvm!(core::LLVMGetNumArgOperands(self.raw));
        (0..count)
            .map(|index| Val::new(llvm!(core::LLVMGetOperand(self.raw, index))))
            .collect()
    }

    /// The function that a call names directly, if it does.
    pub fn called_function(self) -> Option<Val<'c>> {
        if !self.is_any_call() {
            return None;
        }
        let callee = self.callee();
        (callee.value_kind() == ValKind::Function).then_some(callee)
    }

    /// The block in which an `invoke` goes on when nothing is thrown.
    pub fn normal_target(self) -> Block<'c> {
        self.expect(Opcode::LLVMInvoke);
        Block::new(llvm!(core::LLVMGetNormalDest(self.raw)))
    }
}
