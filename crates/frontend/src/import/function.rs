//! A function's body: blocks in order, phis as parameters.

use rustc_hash::{FxHashMap, FxHashSet};

use base::Bv;
use ir::syntax::{Block, Body, Func, PlaceId, Type, Value, Var};

use crate::ffi::{self, Opcode, Val, ValKind};
use crate::order::reverse_postorder;

use super::emit::{Operands, one};
use super::{Importer, tidy};

/// The work on one function.
pub struct FuncImporter<'m, 'a, 'c> {
    /// The module.
    pub importer: &'m mut Importer<'a, 'c>,
    /// LLVM's function.
    pub llvm: Val<'c>,
    /// Its name in the source.
    pub name: String,
    /// What is made.
    pub body: Body,
    /// The block that is filled.
    pub current: Block,
    /// Has it no end yet?
    pub open: bool,
    /// Is it certain that the rest of LLVM's block is not reached?
    pub dead: bool,
    /// The place of the current instruction.
    pub place: Option<PlaceId>,
    /// Operands by LLVM value.
    pub values: FxHashMap<Val<'c>, Operands>,
    /// Blocks by LLVM block.
    pub blocks: FxHashMap<ffi::Block<'c>, Block>,
    /// Which blocks have been jumped to.
    pub entered: Vec<ffi::Block<'c>>,
    /// The hidden pointer to the further arguments.
    pub further: Option<Value>,
    /// Blocks whose address is taken.
    pub labels: Vec<(u64, ffi::Block<'c>)>,
    /// Instructions that change nothing.
    pub skipped: FxHashSet<Val<'c>>,
    /// The source variables that live in local objects.
    pub homes: FxHashMap<Val<'c>, Var>,
}

/// Imports a function's body.
pub fn import_body<'c>(importer: &mut Importer<'_, 'c>, llvm: Val<'c>, func: Func) {
    let params = importer.out.funcs[func].params.clone();
    let name = importer.out.funcs[func].name.clone();
    let labels = importer.label_blocks(llvm);
    let mut body = Body::new(&params);
    let entry = body.new_block(&[]);
    let mut work = FuncImporter {
        importer,
        llvm,
        name,
        body,
        current: entry,
        open: true,
        dead: false,
        place: None,
        values: FxHashMap::default(),
        blocks: FxHashMap::default(),
        entered: Vec::new(),
        further: None,
        labels,
        skipped: FxHashSet::default(),
        homes: FxHashMap::default(),
    };
    work.find_homes();
    work.bind_params();
    work.run();
    let mut body = work.body;
    tidy::tidy(&mut body);
    importer.out.funcs[func].body = Some(body);
}

impl<'c> FuncImporter<'_, '_, 'c> {
    /// Names the parameters. What is passed by copying is copied here, so that the copy lives as
    /// long as the callee's activation.
    fn bind_params(&mut self) {
        let mut next = self.body.params.clone().into_iter();
        for (index, param) in self.llvm.params().into_iter().enumerate() {
            let shape = self.importer.shape(param.ty());
            let operands: Operands = shape
                .leaves
                .iter()
                .map(|_| next.next().expect("a parameter for each scalar").into())
                .collect();
            let byval = self
                .llvm
                .attribute(index as u32 + 1, self.importer.byval_kind());
            let operands = match byval.and_then(ffi::Attr::ty) {
                Some(ty) => {
                    let var = self.homes.get(&param).copied();
                    one(self.private_copy(ty, operands[0].clone(), var))
                }
                None => operands,
            };
            self.values.insert(param, operands);
        }
        if self.llvm.content_type().is_vararg() {
            self.further = next.next();
        }
    }

    fn run(&mut self) {
        let order = reverse_postorder(self.llvm);
        let Some(&first) = order.first() else {
            return;
        };
        // The entry has no parameters, and LLVM's has no predecessors.
        self.blocks.insert(first, self.current);
        for &block in &order[1..] {
            let mut params: Vec<Type> = Vec::new();
            let mut phis = Vec::new();
            for inst in block.instructions() {
                if inst.opcode() != Some(Opcode::LLVMPHI) {
                    break;
                }
                let shape = self.importer.shape(inst.ty());
                params.extend(shape.leaves.iter().map(|leaf| leaf.ty));
                phis.push((inst, shape.leaves.len()));
            }
            let ours = self.new_block(&params);
            let mut values = self.body.blocks[ours].params.clone().into_iter();
            for (phi, count) in phis {
                let operands = values.by_ref().take(count).map(Into::into).collect();
                self.values.insert(phi, operands);
            }
            self.blocks.insert(block, ours);
        }
        let mut done = vec![false; order.len()];
        let position: FxHashMap<ffi::Block<'c>, usize> = order
            .iter()
            .enumerate()
            .map(|(index, &block)| (block, index))
            .collect();
        let mut entered = vec![false; order.len()];
        entered[0] = true;
        // In reverse postorder a block's dominators come first; a second round is needed only
        // if a block is entered from behind alone.
        loop {
            let mut changed = false;
            for index in 0..order.len() {
                if !entered[index] || done[index] {
                    continue;
                }
                done[index] = true;
                changed = true;
                self.switch_to(self.blocks[&order[index]]);
                self.dead = false;
                self.import_block(order[index]);
                for next in self.entered.drain(..) {
                    entered[position[&next]] = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn import_block(&mut self, block: ffi::Block<'c>) {
        let mut next = block.first();
        while let Some(inst) = next {
            next = inst.next();
            self.set_place(inst);
            self.debug_records(inst);
            if inst.opcode() == Some(Opcode::LLVMPHI) || self.skipped.contains(&inst) {
                continue;
            }
            self.instruction(inst);
            if self.dead {
                return;
            }
        }
    }

    fn set_place(&mut self, inst: Val<'c>) {
        if let Some(location) = inst.location() {
            self.place = self.importer.place(location);
        }
    }

    /// The scalars of an operand. An undefined value is chosen anew at each use.
    pub fn operands(&mut self, value: Val<'c>) -> Operands {
        match value.value_kind() {
            ValKind::Instruction | ValKind::Argument => match self.values.get(&value) {
                Some(operands) => operands.clone(),
                None => {
                    // Only in code that is dead already.
                    let shape = self.importer.shape(value.ty());
                    let types: Vec<Type> = shape.leaves.iter().map(|leaf| leaf.ty).collect();
                    self.arbitrary(&types, ir::syntax::NondetKind::Undef)
                }
            },
            _ => self.constant(value),
        }
    }

    /// An operand that is one scalar.
    pub fn operand(&mut self, value: Val<'c>) -> ir::syntax::Operand {
        let mut operands = self.operands(value);
        assert_eq!(
            operands.len(),
            1,
            "{}: one scalar of {}",
            self.name,
            value.ty().text()
        );
        operands.pop().expect("one scalar")
    }

    /// Names the scalars of an instruction's result.
    pub fn define(&mut self, inst: Val<'c>, operands: Operands) {
        self.values.insert(inst, operands);
    }

    /// Names the only scalar of an instruction's result.
    pub fn define_one(&mut self, inst: Val<'c>, operand: ir::syntax::Operand) {
        self.values.insert(inst, one(operand));
    }
}

impl<'c> Importer<'_, 'c> {
    /// Numbers the blocks of a function whose addresses are taken.
    pub fn label_blocks(&mut self, llvm: Val<'c>) -> Vec<(u64, ffi::Block<'c>)> {
        let mut labels = Vec::new();
        for block in llvm.blocks() {
            for user in block.as_value().users() {
                if user.value_kind() == ValKind::BlockAddress {
                    labels.push((self.label(block), block));
                    break;
                }
            }
        }
        labels
    }

    /// The number of a block whose address is taken.
    pub fn label(&mut self, block: ffi::Block<'c>) -> u64 {
        let next = self.labels.len() as u64 + 1;
        *self.labels.entry(block).or_insert(next)
    }

    /// A block's number as the bits of a pointer.
    pub fn label_bits(&mut self, block: ffi::Block<'c>) -> Bv {
        Bv::from_u64(self.label(block), self.pointer_bits())
    }
}
