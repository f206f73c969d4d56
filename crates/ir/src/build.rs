//! Making IR by hand: constructors for modules, bodies, blocks, instructions and operands.
//!
//! ```
//! use ir::syntax::{BinaryOp, Machine, Module, Op, Operand, Phase, Terminator, Type, Body};
//! let mut module = Module::new(Phase::Raw, Machine { pointer_bits: 64 });
//! let mut body = Body::new(&[Type::Int(32)]);
//! let entry = body.new_block(&[]);
//! let seven = Operand::int(7, 32);
//! let sum = Op::Binary(BinaryOp::Add, body.params[0].into(), seven);
//! let sum = body.append_one(entry, sum, module.machine);
//! body.blocks[entry].terminator = Terminator::Return(vec![sum.into()]);
//! module.define("f", vec![Type::Int(32)], body);
//! assert!(module.to_string().contains("v1 = add.i32 v0, 7\n"));
//! ```

use std::collections::BTreeSet;

use base::{Bv, Map};
use checks::registry::CheckId;

use crate::ops::result_types;
use crate::syntax::{
    Block, BlockData, Body, Const, Def, FloatTy, Func, FuncData, Global, HaltKind, Inst, InstData,
    Machine, Module, Obligation, ObligationData, Op, Operand, Phase, PlaceId, Standing, Target,
    Terminator, Type, Value, ValueData,
};

/// What stands in [`Body::values`] for a number that no text defines. The reader puts it where
/// numbers are missing; nothing may refer to it.
pub const HOLE: ValueData = ValueData {
    ty: Type::Int(1),
    def: Def::Param(u32::MAX),
};

impl From<Value> for Operand {
    fn from(value: Value) -> Operand {
        Operand::Value(value)
    }
}

impl From<Const> for Operand {
    fn from(constant: Const) -> Operand {
        Operand::Const(constant)
    }
}

impl From<Bv> for Operand {
    fn from(bv: Bv) -> Operand {
        Operand::Const(Const::Int(bv))
    }
}

impl Operand {
    /// The null pointer.
    pub const NULL: Operand = Operand::Const(Const::Null);

    /// An integer constant of the width; the value is cut to it.
    pub fn int(value: i64, width: u32) -> Operand {
        Bv::from_i64(value, width).into()
    }

    /// An `i1` constant.
    pub fn bool(value: bool) -> Operand {
        Bv::from_bool(value).into()
    }

    /// A byte count or offset of pointer width.
    pub fn size(value: u64, machine: Machine) -> Operand {
        Bv::from_u64(value, machine.pointer_bits).into()
    }

    /// A floating-point constant by its bits (which are cut to the format's width).
    pub fn float(ty: FloatTy, bits: u128) -> Operand {
        Operand::Const(Const::Float(ty, Bv::from_u128(bits, ty.bits())))
    }

    /// The address of a global.
    pub fn global(global: Global) -> Operand {
        Operand::Const(Const::Global(global, 0))
    }

    /// The address of a function.
    pub fn func(func: Func) -> Operand {
        Operand::Const(Const::Func(func))
    }
}

impl Target {
    /// A target without arguments.
    pub fn new(block: Block) -> Target {
        Target {
            block,
            args: Vec::new(),
        }
    }

    /// A target with arguments.
    pub fn with_args(block: Block, args: Vec<Operand>) -> Target {
        Target { block, args }
    }
}

impl Body {
    /// A body with parameters of these types, and no block yet.
    pub fn new(params: &[Type]) -> Body {
        let mut body = Body {
            values: Map::new(),
            insts: Map::new(),
            blocks: Map::new(),
            regions: Map::new(),
            params: Vec::new(),
        };
        for &ty in params {
            body.new_param(ty);
        }
        body
    }

    /// Appends a function parameter. The function's signature must follow suit.
    pub fn new_param(&mut self, ty: Type) -> Value {
        let def = Def::Param(self.params.len() as u32);
        let value = self.values.push(ValueData { ty, def });
        self.params.push(value);
        value
    }

    /// Appends a block with parameters of these types. It ends in `halt dead` until it gets a
    /// terminator.
    pub fn new_block(&mut self, params: &[Type]) -> Block {
        let block = self.blocks.push(BlockData {
            params: Vec::new(),
            insts: Vec::new(),
            terminator: Terminator::Halt(HaltKind::Dead),
            place: None,
        });
        for &ty in params {
            self.new_block_param(block, ty);
        }
        block
    }

    /// Appends a parameter to a block. Every jump to it must follow suit.
    pub fn new_block_param(&mut self, block: Block, ty: Type) -> Value {
        let def = Def::BlockParam(block, self.blocks[block].params.len() as u32);
        let value = self.values.push(ValueData { ty, def });
        self.blocks[block].params.push(value);
        value
    }

    /// Makes an instruction with results of the types that the operation has, and puts it into
    /// no block: for passes that rebuild a block's list.
    pub fn new_inst(
        &mut self,
        op: Op,
        mems: Vec<Value>,
        place: Option<PlaceId>,
        machine: Machine,
    ) -> Inst {
        let types = result_types(&op, &mems, self, machine);
        let inst = self.insts.next_id();
        let results = types
            .into_iter()
            .enumerate()
            .map(|(index, ty)| {
                let def = Def::Result(inst, index as u32);
                self.values.push(ValueData { ty, def })
            })
            .collect();
        self.insts.push(InstData {
            results,
            op,
            mems,
            place,
        })
    }

    /// Appends an instruction to a block, with fresh results of the types that the operation has.
    pub fn append(
        &mut self,
        block: Block,
        op: Op,
        mems: Vec<Value>,
        place: Option<PlaceId>,
        machine: Machine,
    ) -> Inst {
        let inst = self.new_inst(op, mems, place, machine);
        self.blocks[block].insts.push(inst);
        inst
    }

    /// Appends an instruction without memories that has exactly one result, and returns that.
    /// Panics for other operations.
    pub fn append_one(&mut self, block: Block, op: Op, machine: Machine) -> Value {
        let inst = self.append(block, op, Vec::new(), None, machine);
        self.insts[inst]
            .result()
            .expect("the operation has one result")
    }

    /// Gives the instruction's results their definition again after `results` was changed.
    pub fn redefine(&mut self, inst: Inst) {
        for (index, &result) in self.insts[inst].results.iter().enumerate() {
            self.values[result].def = Def::Result(inst, index as u32);
        }
    }
}

impl Module {
    /// The files of the library's models: what is written there is not the user's.
    pub fn model_files(&self) -> BTreeSet<&str> {
        let models = self.funcs.values().filter(|func| func.model);
        let places = models.filter_map(|func| self.places.get(func.place?));
        places.map(|data| &*data.place.file).collect()
    }

    /// An empty module.
    pub fn new(phase: Phase, machine: Machine) -> Module {
        Module {
            phase,
            machine,
            funcs: Map::new(),
            globals: Map::new(),
            obligations: Map::new(),
            places: Map::new(),
            vars: Map::new(),
            facts: Map::new(),
            mmio: Vec::new(),
            entry: None,
            notes: Vec::new(),
        }
    }

    /// Appends a function with a body; its parameters are the body's.
    pub fn define(&mut self, name: impl Into<String>, results: Vec<Type>, body: Body) -> Func {
        let params = body.params.iter().map(|&param| body.values[param].ty);
        self.funcs.push(FuncData {
            name: name.into(),
            params: params.collect(),
            results,
            body: Some(body),
            place: None,
            model: false,
            external: false,
        })
    }

    /// Appends a function without a body.
    pub fn declare(
        &mut self,
        name: impl Into<String>,
        params: Vec<Type>,
        results: Vec<Type>,
    ) -> Func {
        self.funcs.push(FuncData {
            name: name.into(),
            params,
            results,
            body: None,
            place: None,
            model: false,
            external: false,
        })
    }

    /// Appends an obligation whose ordinal is the next one of its function and check. Takes time
    /// linear in the number of obligations; whoever adds many counts for himself.
    pub fn new_obligation(
        &mut self,
        func: &str,
        check: CheckId,
        text: impl Into<String>,
        place: Option<PlaceId>,
    ) -> Obligation {
        let last = self
            .obligations
            .values()
            .filter(|other| other.func == func && other.check == check)
            .map(|other| other.ordinal)
            .max();
        self.obligations.push(ObligationData {
            func: func.to_owned(),
            check,
            ordinal: last.unwrap_or(0) + 1,
            text: text.into(),
            place,
            standing: Standing::Plain,
        })
    }

    /// The function of this name. Linear: whoever asks often builds a table.
    pub fn func_named(&self, name: &str) -> Option<Func> {
        let found = self.funcs.iter().find(|(_, func)| func.name == name);
        found.map(|(func, _)| func)
    }

    /// The global of this name. Linear: whoever asks often builds a table.
    pub fn global_named(&self, name: &str) -> Option<Global> {
        let found = self.globals.iter().find(|(_, global)| global.name == name);
        found.map(|(global, _)| global)
    }

    /// The function's body. Panics if it has none.
    pub fn body(&self, func: Func) -> &Body {
        self.funcs[func]
            .body
            .as_ref()
            .unwrap_or_else(|| panic!("{func} has a body"))
    }

    /// The function's body, to be changed. Panics if it has none.
    pub fn body_mut(&mut self, func: Func) -> &mut Body {
        self.funcs[func]
            .body
            .as_mut()
            .unwrap_or_else(|| panic!("{func} has a body"))
    }

    /// The type of an operand in a function. Panics if the register is none of its body.
    pub fn type_of(&self, func: Func, operand: &Operand) -> Type {
        match operand {
            Operand::Value(value) => self.body(func).values[*value].ty,
            Operand::Const(constant) => constant.ty(),
        }
    }
}
