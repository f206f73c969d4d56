//! Instructions without memory: arithmetic, comparisons, casts, aggregates, vectors.

use ir::syntax::{BinaryOp, CastOp, CompareOp, NondetKind, Op, Operand, Type, UnaryOp};

use crate::ffi::{IntPredicate, Kind, Opcode, RealPredicate, Ty, Val};

use super::emit::{Operands, constant};
use super::function::FuncImporter;

impl<'c> FuncImporter<'_, '_, 'c> {
    /// One instruction.
    pub fn instruction(&mut self, inst: Val<'c>) {
        use Opcode as O;
        if let Some(what) = self.odd_type(inst) {
            self.unsupported(&what);
            return;
        }
        match inst.opcode().expect("an instruction") {
            O::LLVMRet => self.ret(inst),
            O::LLVMBr => self.branch(inst),
            O::LLVMSwitch => self.switch(inst),
            O::LLVMIndirectBr => self.indirect_branch(inst),
            O::LLVMInvoke => self.invoke(inst),
            O::LLVMUnreachable => self.unreachable(),
            O::LLVMCallBr => self.unsupported("assembly that jumps (asm goto)"),
            O::LLVMFNeg => self.lanes1(inst, |work, a| work.value(Op::Unary(UnaryOp::FNeg, a))),
            O::LLVMAdd => self.arithmetic(inst, BinaryOp::Add),
            O::LLVMFAdd => self.arithmetic(inst, BinaryOp::FAdd),
            O::LLVMSub => self.arithmetic(inst, BinaryOp::Sub),
            O::LLVMFSub => self.arithmetic(inst, BinaryOp::FSub),
            O::LLVMMul => self.arithmetic(inst, BinaryOp::Mul),
            O::LLVMFMul => self.arithmetic(inst, BinaryOp::FMul),
            O::LLVMUDiv => self.arithmetic(inst, BinaryOp::UDiv),
            O::LLVMSDiv => self.arithmetic(inst, BinaryOp::SDiv),
            O::LLVMFDiv => self.arithmetic(inst, BinaryOp::FDiv),
            O::LLVMURem => self.arithmetic(inst, BinaryOp::URem),
            O::LLVMSRem => self.arithmetic(inst, BinaryOp::SRem),
            O::LLVMFRem => self.arithmetic(inst, BinaryOp::FRem),
            O::LLVMShl => self.arithmetic(inst, BinaryOp::Shl),
            O::LLVMLShr => self.arithmetic(inst, BinaryOp::LShr),
            O::LLVMAShr => self.arithmetic(inst, BinaryOp::AShr),
            O::LLVMAnd => self.arithmetic(inst, BinaryOp::And),
            O::LLVMOr => self.arithmetic(inst, BinaryOp::Or),
            O::LLVMXor => self.arithmetic(inst, BinaryOp::Xor),
            O::LLVMAlloca => self.alloca(inst),
            O::LLVMLoad => self.load(inst),
            O::LLVMStore => self.store(inst),
            O::LLVMGetElementPtr => self.gep(inst),
            O::LLVMTrunc => self.conversion(inst, CastOp::Trunc),
            O::LLVMZExt => self.conversion(inst, CastOp::ZExt),
            O::LLVMSExt => self.conversion(inst, CastOp::SExt),
            O::LLVMFPToUI => self.conversion(inst, CastOp::FToU),
            O::LLVMFPToSI => self.conversion(inst, CastOp::FToS),
            O::LLVMUIToFP => self.conversion(inst, CastOp::UToF),
            O::LLVMSIToFP => self.conversion(inst, CastOp::SToF),
            O::LLVMFPTrunc | O::LLVMFPExt => self.conversion(inst, CastOp::FToF),
            O::LLVMPtrToInt | O::LLVMPtrToAddr => self.conversion(inst, CastOp::PtrToInt),
            O::LLVMIntToPtr => self.conversion(inst, CastOp::IntToPtr),
            O::LLVMBitCast => self.bit_cast(inst),
            O::LLVMAddrSpaceCast => self.define_unsupported(inst),
            O::LLVMICmp => self.int_compare(inst),
            O::LLVMFCmp => self.float_compare(inst),
            O::LLVMPHI => {}
            O::LLVMCall => self.call(inst),
            O::LLVMSelect => self.choice(inst),
            O::LLVMVAArg => self.va_arg(inst),
            O::LLVMExtractElement => self.extract_element(inst),
            O::LLVMInsertElement => self.insert_element(inst),
            O::LLVMShuffleVector => self.shuffle(inst),
            O::LLVMExtractValue => self.extract_value(inst),
            O::LLVMInsertValue => self.insert_value(inst),
            O::LLVMFreeze => {
                let operands = self.operands(inst.operand(0));
                self.define(inst, operands);
            }
            O::LLVMFence => {}
            O::LLVMAtomicCmpXchg => self.compare_exchange(inst),
            O::LLVMAtomicRMW => self.atomic_update(inst),
            O::LLVMResume
            | O::LLVMLandingPad
            | O::LLVMCleanupRet
            | O::LLVMCatchRet
            | O::LLVMCatchPad
            | O::LLVMCleanupPad
            | O::LLVMCatchSwitch => self.unsupported("exceptions"),
            O::LLVMUserOp1 | O::LLVMUserOp2 => self.unsupported("an unknown instruction"),
        }
    }

    /// A type that is not supported, if the instruction has one.
    fn odd_type(&mut self, inst: Val<'c>) -> Option<String> {
        let mut types = vec![inst.ty()];
        types.extend(inst.operands().map(Val::ty));
        types
            .into_iter()
            .find_map(|ty| self.importer.shape(ty).unsupported.clone())
    }

    /// The result types of an instruction.
    pub fn result_types(&mut self, ty: Ty<'c>) -> Vec<Type> {
        let shape = self.importer.shape(ty);
        shape.leaves.iter().map(|leaf| leaf.ty).collect()
    }

    /// What has no counterpart.
    pub fn define_unsupported(&mut self, inst: Val<'c>) {
        let opcode = format!("{:?}", inst.opcode().expect("an instruction"));
        let name = opcode.trim_start_matches("LLVM").to_lowercase();
        let shape = self.importer.shape(inst.ty());
        let what = match &shape.unsupported {
            Some(what) => what.clone(),
            None => format!("{name} of {}", inst.operand(0).ty().text()),
        };
        self.unsupported(&what);
    }

    /// Applies an operation to each lane of one operand.
    pub fn lanes1(&mut self, inst: Val<'c>, mut apply: impl FnMut(&mut Self, Operand) -> Operand) {
        let operands = self.operands(inst.operand(0));
        let results = operands
            .into_iter()
            .map(|operand| apply(self, operand))
            .collect();
        self.define(inst, results);
    }

    /// Applies an operation to each pair of lanes.
    pub fn lanes2(
        &mut self,
        inst: Val<'c>,
        mut apply: impl FnMut(&mut Self, Operand, Operand) -> Operand,
    ) {
        let left = self.operands(inst.operand(0));
        let right = self.operands(inst.operand(1));
        let results = left
            .into_iter()
            .zip(right)
            .map(|(a, b)| apply(self, a, b))
            .collect();
        self.define(inst, results);
    }

    fn arithmetic(&mut self, inst: Val<'c>, op: BinaryOp) {
        self.lanes2(inst, |work, a, b| work.binary(op, a, b));
    }

    fn conversion(&mut self, inst: Val<'c>, op: CastOp) {
        let types = self.result_types(inst.ty());
        let operands = self.operands(inst.operand(0));
        let results = operands
            .into_iter()
            .zip(types)
            .map(|(operand, ty)| self.cast(op, operand, ty))
            .collect();
        self.define(inst, results);
    }

    /// The same bits as another type: between scalars and vectors of one size.
    fn bit_cast(&mut self, inst: Val<'c>) {
        let operands = self.operands(inst.operand(0));
        let types = self.result_types(inst.ty());
        let results = self.reinterpret(operands, &types);
        self.define(inst, results);
    }

    /// The bits of some lanes as lanes of other types.
    pub fn reinterpret(&mut self, operands: Operands, types: &[Type]) -> Operands {
        let machine = self.importer.machine();
        let from: Vec<Type> = operands
            .iter()
            .map(|operand| self.type_of(operand))
            .collect();
        if from == types {
            return operands;
        }
        if operands.len() == types.len() {
            return operands
                .into_iter()
                .zip(types)
                .map(|(operand, &ty)| {
                    let bits = self.bits_of(operand);
                    self.value_of_bits(bits, ty)
                })
                .collect();
        }
        let lane = from.first().and_then(|ty| ty.bits(machine)).unwrap_or(1);
        let whole = self.join_lanes(&operands, lane);
        let out = types.first().and_then(|ty| ty.bits(machine)).unwrap_or(1);
        if types.len() == 1 {
            return super::emit::one(self.value_of_bits(whole, types[0]));
        }
        self.split_lanes(whole, out, types.len() as u32, types[0])
    }

    fn int_compare(&mut self, inst: Val<'c>) {
        use IntPredicate as P;
        let (op, swapped) = match inst.int_predicate() {
            P::LLVMIntEQ => (CompareOp::Eq, false),
            P::LLVMIntNE => (CompareOp::Ne, false),
            P::LLVMIntUGT => (CompareOp::Ult, true),
            P::LLVMIntUGE => (CompareOp::Ule, true),
            P::LLVMIntULT => (CompareOp::Ult, false),
            P::LLVMIntULE => (CompareOp::Ule, false),
            P::LLVMIntSGT => (CompareOp::Slt, true),
            P::LLVMIntSGE => (CompareOp::Sle, true),
            P::LLVMIntSLT => (CompareOp::Slt, false),
            P::LLVMIntSLE => (CompareOp::Sle, false),
        };
        self.lanes2(inst, |work, a, b| {
            if swapped {
                work.compare(op, b, a)
            } else {
                work.compare(op, a, b)
            }
        });
    }

    fn float_compare(&mut self, inst: Val<'c>) {
        use RealPredicate as P;
        let (op, swapped) = match inst.real_predicate() {
            P::LLVMRealPredicateFalse | P::LLVMRealPredicateTrue => {
                let value = inst.real_predicate() == P::LLVMRealPredicateTrue;
                let results = self
                    .result_types(inst.ty())
                    .iter()
                    .map(|_| Operand::bool(value))
                    .collect();
                self.define(inst, results);
                return;
            }
            P::LLVMRealOEQ => (CompareOp::FOeq, false),
            P::LLVMRealOGT => (CompareOp::FOlt, true),
            P::LLVMRealOGE => (CompareOp::FOle, true),
            P::LLVMRealOLT => (CompareOp::FOlt, false),
            P::LLVMRealOLE => (CompareOp::FOle, false),
            P::LLVMRealONE => (CompareOp::FOne, false),
            P::LLVMRealORD => (CompareOp::FOrd, false),
            P::LLVMRealUNO => (CompareOp::FUno, false),
            P::LLVMRealUEQ => (CompareOp::FUeq, false),
            P::LLVMRealUGT => (CompareOp::FUlt, true),
            P::LLVMRealUGE => (CompareOp::FUle, true),
            P::LLVMRealULT => (CompareOp::FUlt, false),
            P::LLVMRealULE => (CompareOp::FUle, false),
            P::LLVMRealUNE => (CompareOp::FUne, false),
        };
        self.lanes2(inst, |work, a, b| {
            if swapped {
                work.compare(op, b, a)
            } else {
                work.compare(op, a, b)
            }
        });
    }

    /// `select`, by one condition or one for each lane.
    fn choice(&mut self, inst: Val<'c>) {
        let conditions = self.operands(inst.operand(0));
        let yes = self.operands(inst.operand(1));
        let no = self.operands(inst.operand(2));
        let by_lane = matches!(inst.operand(0).ty().kind(), Kind::Vector(..));
        let results = yes
            .into_iter()
            .zip(no)
            .enumerate()
            .map(|(lane, (a, b))| {
                let condition = if by_lane {
                    conditions[lane].clone()
                } else {
                    conditions[0].clone()
                };
                self.select(condition, a, b)
            })
            .collect();
        self.define(inst, results);
    }

    /// Which scalars of an aggregate a path names: first and count.
    fn leaf_range(&mut self, ty: Ty<'c>, path: &[u32]) -> (usize, usize) {
        let mut ty = ty;
        let mut first = 0;
        for &index in path {
            match ty.kind() {
                Kind::Struct(_) => {
                    for before in 0..index {
                        first += self.importer.shape(ty.field(before)).leaves.len();
                    }
                    ty = ty.field(index);
                }
                Kind::Array(element, _) => {
                    first += index as usize * self.importer.shape(element).leaves.len();
                    ty = element;
                }
                other => panic!("a path into {other:?}"),
            }
        }
        (first, self.importer.shape(ty).leaves.len())
    }

    fn extract_value(&mut self, inst: Val<'c>) {
        let aggregate = inst.operand(0);
        let operands = self.operands(aggregate);
        let (first, count) = self.leaf_range(aggregate.ty(), &inst.indices());
        if operands.len() < first + count {
            self.define_unsupported(inst);
            return;
        }
        let results = operands[first..first + count].iter().cloned().collect();
        self.define(inst, results);
    }

    fn insert_value(&mut self, inst: Val<'c>) {
        let aggregate = inst.operand(0);
        let mut operands = self.operands(aggregate);
        let part = self.operands(inst.operand(1));
        let (first, count) = self.leaf_range(aggregate.ty(), &inst.indices());
        if operands.len() < first + count || part.len() != count {
            self.define_unsupported(inst);
            return;
        }
        for (index, operand) in part.into_iter().enumerate() {
            operands[first + index] = operand;
        }
        self.define(inst, operands);
    }

    /// A lane; any value from outside of the vector.
    pub fn extract_element(&mut self, inst: Val<'c>) {
        let lanes = self.operands(inst.operand(0));
        let index = self.operand(inst.operand(1));
        if let Some(number) = constant(&index).and_then(base::Bv::to_u64) {
            let result = match lanes.get(number as usize) {
                Some(lane) => lane.clone(),
                None => {
                    let ty = self.result_types(inst.ty())[0];
                    self.nondet(ty, NondetKind::Undef)
                }
            };
            self.define_one(inst, result);
            return;
        }
        // Outside the vector: any value.
        let ty = self.type_of(&lanes[0]);
        let mut result = self.nondet(ty, NondetKind::Undef);
        for (number, lane) in lanes.into_iter().enumerate() {
            let here = self.is_lane(&index, number);
            result = self.select(here, lane, result);
        }
        self.define_one(inst, result);
    }

    fn is_lane(&mut self, index: &Operand, number: usize) -> Operand {
        let bits = match self.type_of(index) {
            Type::Int(bits) => bits,
            other => panic!("an index, not {other:?}"),
        };
        let number = Operand::int(number as i64, bits);
        self.compare(CompareOp::Eq, index.clone(), number)
    }

    /// Another value for a lane; outside of the vector nothing changes.
    pub fn insert_element(&mut self, inst: Val<'c>) {
        let mut lanes = self.operands(inst.operand(0));
        let new = self.operand(inst.operand(1));
        let index = self.operand(inst.operand(2));
        if let Some(number) = constant(&index).and_then(base::Bv::to_u64) {
            if let Some(lane) = lanes.get_mut(number as usize) {
                *lane = new;
            }
        } else {
            for number in 0..lanes.len() {
                let here = self.is_lane(&index, number);
                lanes[number] = self.select(here, new.clone(), lanes[number].clone());
            }
        }
        self.define(inst, lanes);
    }

    fn shuffle(&mut self, inst: Val<'c>) {
        let mut lanes = self.operands(inst.operand(0));
        lanes.extend(self.operands(inst.operand(1)));
        let ty = self.type_of(&lanes[0]);
        let results = inst
            .shuffle_mask()
            .into_iter()
            .map(|lane| match lane {
                Some(lane) => lanes[lane as usize].clone(),
                None => self.nondet(ty, NondetKind::Undef),
            })
            .collect();
        self.define(inst, results);
    }
}
