//! One function of a random program, statement by statement.

use checks::registry::CheckId;
use ir::syntax::{
    Block, Body, Callee, DebugKind, Func, Module, NondetKind, Op, Operand, Phase, PlaceId,
    Terminator, Type, Value,
};

use crate::random::{Options, Use};
use crate::rng::Rng;

/// What a function of a random program wants as an argument.
#[derive(Clone, Debug)]
pub(super) enum Param {
    /// Any value of the type.
    Scalar(Type),
    /// A pointer to at least so many bytes that may be read and written.
    Data(u64),
    /// How often the function may call itself yet: at most 3.
    Depth,
}

/// The width of [`Param::Depth`].
pub(super) const DEPTH: Type = Type::Int(8);

impl Param {
    fn ty(&self) -> Type {
        match self {
            Param::Scalar(ty) => *ty,
            Param::Data(_) => Type::Ptr,
            Param::Depth => DEPTH,
        }
    }
}

/// What a function of a random program returns.
#[derive(Clone, Debug)]
pub(super) enum Ret {
    /// Values.
    Scalars(Vec<Type>),
    /// Its parameter of this number, a pointer to data.
    Same(usize),
    /// A new heap object of so many bytes, to be freed by the caller.
    Fresh(u64),
}

impl Ret {
    pub fn types(&self) -> Vec<Type> {
        match self {
            Ret::Scalars(types) => types.clone(),
            Ret::Same(_) | Ret::Fresh(_) => vec![Type::Ptr],
        }
    }
}

/// A function that can be called.
#[derive(Clone, Debug)]
pub(super) struct Callable {
    pub func: Func,
    pub params: Vec<Param>,
    pub ret: Ret,
    /// At most so many instructions are executed by a call.
    pub cost: u64,
}

/// What an object holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ObjectKind {
    /// Bytes.
    Data,
    /// Bytes that may not be written.
    ConstData,
    /// Pointers.
    Pointers,
    /// The constant table of pointers into the globals before it.
    GlobalTable,
}

/// An object that is alive where the generator stands.
#[derive(Clone, Debug)]
pub(super) struct Object {
    pub ptr: Operand,
    /// It has at least so many bytes.
    pub size: u64,
    pub kind: ObjectKind,
    /// Is it to be freed, and this pointer its base?
    pub heap: bool,
    /// Was its life perhaps started by a marker?
    pub scoped: bool,
}

/// A function in the making.
pub(super) struct Gen<'a> {
    pub options: &'a Options,
    pub rng: &'a mut Rng,
    pub module: &'a mut Module,
    pub callables: &'a [Callable],
    pub body: Body,
    /// Where the next instruction goes.
    pub block: Block,
    pub name: String,
    /// Scalars that are defined here.
    pub values: Vec<(Type, Value)>,
    /// Objects that are alive here.
    pub objects: Vec<Object>,
    /// Instructions that may still be made.
    pub budget: usize,
    /// How often this place is executed by one call, at most.
    pub times: u64,
    /// How many instructions one call executes, at most.
    pub cost: u64,
    /// How many branches and loops are around this place.
    pub depth: u32,
    pub ret: Ret,
    /// How many obligations of each check the function has.
    ordinals: Vec<(CheckId, u32)>,
}

impl<'a> Gen<'a> {
    /// A function without parameters that stands at its beginning.
    pub fn new(
        options: &'a Options,
        rng: &'a mut Rng,
        module: &'a mut Module,
        callables: &'a [Callable],
        globals: &[Object],
        name: String,
    ) -> Gen<'a> {
        let mut body = Body::new(&[]);
        let block = body.new_block(&[]);
        Gen {
            options,
            rng,
            module,
            callables,
            body,
            block,
            name,
            values: Vec::new(),
            objects: globals.to_vec(),
            budget: 0,
            times: 1,
            cost: 0,
            depth: 0,
            ret: Ret::Scalars(Vec::new()),
            ordinals: Vec::new(),
        }
    }

    /// Makes a function of about so many instructions and adds it to the module.
    pub fn function(mut self, size: usize) -> Callable {
        self.budget = size.max(1);
        let mut params: Vec<Param> = Vec::new();
        let recursive =
            self.options.recursion == Use::Yes && self.name != "main" && self.rng.one_in(2);
        if recursive {
            params.push(Param::Depth);
        }
        for _ in 0..self.rng.below(4) {
            let param = match self.options.memory == Use::Yes && self.rng.one_in(3) {
                true => Param::Data(self.rng.between(1, 16)),
                false => Param::Scalar(self.any_type()),
            };
            params.push(param);
        }
        self.ret = self.any_ret(&params);
        for param in &params {
            let value = self.body.new_param(param.ty());
            match param {
                Param::Scalar(ty) => self.values.push((*ty, value)),
                Param::Depth => {}
                Param::Data(size) => self.objects.push(Object {
                    ptr: value.into(),
                    size: *size,
                    kind: ObjectKind::Data,
                    heap: false,
                    // The caller may have started its life.
                    scoped: true,
                }),
            }
        }
        if recursive {
            self.call_itself(&params);
        }
        let globals_and_params = self.objects.len();
        while self.budget > 0 {
            self.statement();
        }
        if self.options.memory == Use::Yes && self.options.wild == Use::Yes {
            for _ in 0..3 {
                self.look();
            }
        }
        self.end_scope(globals_and_params);
        self.emit_return();
        if recursive {
            // Four activations, each of which calls itself once.
            self.cost = self.cost.saturating_mul(4);
        }
        let func = self.module.define(&*self.name, self.ret.types(), self.body);
        Callable {
            func,
            params,
            ret: self.ret,
            cost: self.cost + 1,
        }
    }

    fn any_ret(&mut self, params: &[Param]) -> Ret {
        let data = params
            .iter()
            .position(|param| matches!(param, Param::Data(_)));
        match (self.rng.below(6), data) {
            (0, Some(number)) => Ret::Same(number),
            (1, _) if self.options.memory == Use::Yes && self.name != "main" => {
                Ret::Fresh(self.rng.between(1, 16))
            }
            _ => {
                let count = self.rng.below(3);
                Ret::Scalars((0..count).map(|_| self.any_type()).collect())
            }
        }
    }

    /// Begins a recursive function: unless the depth is 0, it calls itself with less.
    fn call_itself(&mut self, params: &[Param]) {
        // The function gets the next number of the table when it is done.
        let func = self.module.funcs.next_id();
        let depth: Operand = self.body.params[0].into();
        let again = self.body.new_block(&[]);
        let rest = self.body.new_block(&[]);
        let done = Op::Compare(ir::syntax::CompareOp::Eq, depth.clone(), Operand::int(0, 8));
        let done = self.value(done);
        self.branch_to(done.into(), rest, again);
        self.block = again;
        let less = Op::Binary(ir::syntax::BinaryOp::Sub, depth, Operand::int(1, 8));
        let less = self.value(less);
        let args: Vec<Operand> = (0..params.len())
            .map(|number| match number {
                0 => less.into(),
                number => self.body.params[number].into(),
            })
            .collect();
        let results = self.ret.types();
        self.emit(Op::Call {
            callee: Callee::Direct(func),
            args,
            results,
            regions: Vec::new(),
        });
        self.body.blocks[again].terminator = Terminator::Jump(ir::syntax::Target::new(rest));
        self.block = rest;
        self.values.retain(|&(_, value)| value != less);
    }

    /// Makes one statement.
    pub fn statement(&mut self) {
        if self.cost > self.options.steps / 4 {
            self.budget = 0;
            return;
        }
        let memory = self.options.memory == Use::Yes;
        if memory && self.options.wild == Use::Yes && self.rng.one_in(5) {
            return self.wild_statement();
        }
        match self.rng.below(100) {
            0..40 => self.scalar_statement(),
            40..65 if memory => self.memory_statement(),
            65..69 => self.check_statement(),
            69..70 => self.assume_statement(),
            70..72 => self.debug_statement(),
            72..80 => self.call_statement(),
            80..97 => self.flow_statement(),
            _ => self.scalar_statement(),
        }
    }

    /// Appends an instruction; returns its first result.
    pub fn emit(&mut self, op: Op) -> Option<Value> {
        self.budget = self.budget.saturating_sub(1);
        self.cost = self.cost.saturating_add(self.times);
        let place = self.any_place();
        let machine = self.module.machine;
        let inst = self.body.append(self.block, op, Vec::new(), place, machine);
        self.body.insts[inst].results.first().copied()
    }

    /// Appends an instruction with a result, which later instructions may use.
    pub fn value(&mut self, op: Op) -> Value {
        let value = self.emit(op).expect("the operation has a result");
        let ty = self.body.values[value].ty;
        if ty != Type::Ptr {
            self.values.push((ty, value));
        }
        value
    }

    pub fn any_place(&mut self) -> Option<PlaceId> {
        let count = self.module.places.len();
        let place = PlaceId::from_index(self.rng.index(count));
        self.rng.one_in(2).then_some(place)
    }

    /// A check at this point. Without failures the condition is one that always holds.
    pub fn check(&mut self, check: CheckId, cond: impl Into<Operand>) {
        let ordinal = match self.ordinals.iter_mut().find(|(name, _)| *name == check) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                self.ordinals.push((check, 1));
                1
            }
        };
        let place = self.any_place();
        let obligation = self.module.obligations.push(ir::syntax::ObligationData {
            func: self.name.clone(),
            check,
            ordinal,
            text: format!("{check} holds"),
            place,
            standing: ir::syntax::Standing::Plain,
        });
        self.emit(Op::Check(obligation, cond.into()));
    }

    fn check_statement(&mut self) {
        let cond = match self.options.failures == Use::Yes && self.rng.one_in(3) {
            true => {
                let cond = self.pick(Type::BOOL);
                self.value(Op::Copy(cond))
            }
            false => self.tautology(),
        };
        self.check(CheckId::Assert, cond);
    }

    fn assume_statement(&mut self) {
        let cond = match self.rng.one_in(2) {
            true => self.tautology().into(),
            false => {
                let ty = Type::Int(32);
                let (left, right) = (self.pick(ty), self.constant(ty));
                self.value(Op::Compare(ir::syntax::CompareOp::Ne, left, right))
                    .into()
            }
        };
        self.emit(Op::Assume(cond, ir::syntax::Origin::Program));
    }

    fn debug_statement(&mut self) {
        let vars = self.module.vars.len();
        let var = ir::syntax::Var::from_index(self.rng.index(vars));
        let ty = self.any_type();
        let value = self.pick(ty);
        let (value, kind) = match self.objects.first() {
            Some(object) if self.rng.one_in(3) => (object.ptr.clone(), DebugKind::Address),
            Some(_) | None => (value, DebugKind::Value),
        };
        self.emit(Op::Debug { var, value, kind });
    }

    fn call_statement(&mut self) {
        let left = (self.options.steps / 4).saturating_sub(self.cost);
        let fits = |callable: &&Callable| callable.cost.saturating_mul(self.times) < left;
        let callables: Vec<Callable> = self.callables.iter().filter(fits).cloned().collect();
        if callables.is_empty() {
            return self.scalar_statement();
        }
        let callable = self.rng.pick(&callables).clone();
        let Some(args) = self.args(&callable.params) else {
            return self.scalar_statement();
        };
        self.cost += callable.cost * self.times;
        let has_body = self.module.funcs[callable.func].body.is_some();
        let indirect = self.options.phase == Phase::Raw && has_body && self.rng.one_in(4);
        let callee = match indirect {
            true => {
                let pointer = Op::Copy(Operand::func(callable.func));
                Callee::Indirect(self.value(pointer).into())
            }
            false => Callee::Direct(callable.func),
        };
        let same = match callable.ret {
            Ret::Same(number) => Some(args[number].clone()),
            Ret::Scalars(_) | Ret::Fresh(_) => None,
        };
        let op = Op::Call {
            callee,
            args,
            results: callable.ret.types(),
            regions: Vec::new(),
        };
        self.emit(op);
        let inst = *self.body.blocks[self.block].insts.last().expect("the call");
        let results = self.body.insts[inst].results.clone();
        match &callable.ret {
            Ret::Scalars(types) => {
                for (&ty, value) in types.iter().zip(results) {
                    self.receive(ty, value);
                }
            }
            Ret::Same(_) => {
                let source = same.expect("the argument is known");
                let source = self.objects.iter().find(|object| object.ptr == source);
                let source = source.expect("the argument is an object").clone();
                self.objects.push(Object {
                    ptr: results[0].into(),
                    heap: false,
                    ..source
                });
            }
            Ret::Fresh(size) => self.objects.push(Object {
                ptr: results[0].into(),
                size: *size,
                kind: ObjectKind::Data,
                heap: true,
                scoped: false,
            }),
        }
    }

    /// Arguments for a call; none if an object is missing.
    fn args(&mut self, params: &[Param]) -> Option<Vec<Operand>> {
        let mut args = Vec::new();
        for param in params {
            args.push(match param {
                Param::Scalar(ty) => self.pick(*ty),
                Param::Depth => Operand::int(self.rng.below(4) as i64, 8),
                Param::Data(size) => {
                    let fits =
                        |object: &&Object| object.kind == ObjectKind::Data && object.size >= *size;
                    let objects: Vec<_> = self.objects.iter().filter(fits).collect();
                    if objects.is_empty() {
                        return None;
                    }
                    self.rng.pick(&objects).ptr.clone()
                }
            });
        }
        Some(args)
    }

    /// Free arguments, and new objects for pointers: what the entry passes to `@main`.
    pub fn free_args(&mut self, params: &[Param]) -> Vec<Operand> {
        let mut args = Vec::new();
        for param in params {
            args.push(match param {
                Param::Scalar(ty) => self.free(*ty, NondetKind::Input).into(),
                Param::Depth => Operand::int(3, 8),
                Param::Data(size) => self.new_object(*size).ptr,
            });
        }
        args
    }

    /// Ends the function here.
    pub fn emit_return(&mut self) {
        let results = match self.ret.clone() {
            Ret::Scalars(types) => types.iter().map(|&ty| self.pick(ty)).collect(),
            Ret::Same(number) => vec![self.body.params[number].into()],
            Ret::Fresh(size) => vec![self.fresh(size)],
        };
        let place = self.any_place();
        let data = &mut self.body.blocks[self.block];
        data.terminator = Terminator::Return(results);
        data.place = place;
    }
}
