//! Which functions' addresses unknown code may hold.
//!
//! A unification in the manner of Steensgaard: every register, global and function has a class, and
//! each class has one for what is stored where its pointers lead. Whatever flows from one to the
//! other makes them one. The class of unknown code holds the arguments of calls of functions without
//! a body, their results, external globals, pointers made from integers, and all that these lead to.

use std::collections::BTreeMap;

use ir::syntax::{
    Body, Callee, CastOp, Const, Func, Global, InitPiece, Module, Op, Operand, Terminator, Type,
    Value,
};

/// The functions with a body whose addresses unknown code may hold, in the order of the module.
/// `anything` says that calls through pointers may be calls of unknown code.
pub(crate) fn handed_over(module: &Module, taken: &[Func], anything: bool) -> Vec<Func> {
    let mut classes = Classes::default();
    classes.unknown = classes.fresh();
    let unknown = classes.unknown;
    classes.contents[unknown] = Some(unknown);
    for (global, data) in module.globals.iter() {
        let address = classes.of(Key::Global(global));
        if data.external {
            classes.unite(address, unknown);
        }
        for piece in &data.init {
            if let InitPiece::Pointer(constant) = piece
                && let Some(value) = classes.constant(constant)
            {
                let contents = classes.contents(address);
                classes.unite(contents, value);
            }
        }
    }
    for (func, data) in module.funcs.iter() {
        if let Some(body) = &data.body {
            classes.body(module, func, body, taken, anything);
        }
    }
    let with_body = taken
        .iter()
        .copied()
        .filter(|&func| module.funcs[func].body.is_some());
    with_body
        .filter(|&func| {
            let class = classes.of(Key::Func(func));
            classes.find(class) == classes.find(unknown)
        })
        .collect()
}

/// What has a class of its own.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Value(Func, Value),
    Global(Global),
    Func(Func),
    /// The n-th result of a function.
    Result(Func, usize),
}

#[derive(Default)]
struct Classes {
    parent: Vec<usize>,
    contents: Vec<Option<usize>>,
    keys: BTreeMap<Key, usize>,
    unknown: usize,
}

impl Classes {
    fn fresh(&mut self) -> usize {
        self.parent.push(self.parent.len());
        self.contents.push(None);
        self.parent.len() - 1
    }

    fn find(&mut self, class: usize) -> usize {
        let mut root = class;
        while self.parent[root] != root {
            self.parent[root] = self.parent[self.parent[root]];
            root = self.parent[root];
        }
        root
    }

    fn of(&mut self, key: Key) -> usize {
        if let Some(&class) = self.keys.get(&key) {
            return class;
        }
        let class = self.fresh();
        self.keys.insert(key, class);
        class
    }

    /// What is stored where the pointers of a class lead.
    fn contents(&mut self, class: usize) -> usize {
        let root = self.find(class);
        if let Some(contents) = self.contents[root] {
            return contents;
        }
        let contents = self.fresh();
        self.contents[root] = Some(contents);
        contents
    }

    fn unite(&mut self, a: usize, b: usize) {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            self.parent[a] = b;
            match (self.contents[a], self.contents[b]) {
                (Some(left), Some(right)) => work.push((left, right)),
                (Some(contents), None) => self.contents[b] = Some(contents),
                (None, _) => {}
            }
        }
    }

    fn constant(&mut self, constant: &Const) -> Option<usize> {
        match constant {
            Const::Global(global, _) => Some(self.of(Key::Global(*global))),
            Const::Func(func) => Some(self.of(Key::Func(*func))),
            Const::Int(_) | Const::Float(..) | Const::Null => None,
        }
    }

    /// The class of an operand that may carry a pointer.
    fn operand(
        &mut self,
        module: &Module,
        func: Func,
        body: &Body,
        operand: &Operand,
    ) -> Option<usize> {
        match operand {
            Operand::Const(constant) => self.constant(constant),
            Operand::Value(value) => {
                carries(module, body.values[*value].ty).then(|| self.of(Key::Value(func, *value)))
            }
        }
    }

    fn body(&mut self, module: &Module, func: Func, body: &Body, taken: &[Func], anything: bool) {
        for (_, inst) in body.insts_in_order() {
            let data = &body.insts[inst];
            let results: Vec<usize> = data
                .results
                .iter()
                .filter(|&&result| carries(module, body.values[result].ty))
                .map(|&result| self.of(Key::Value(func, result)))
                .collect();
            let operands: Vec<usize> = data
                .op
                .operands()
                .into_iter()
                .filter_map(|operand| self.operand(module, func, body, operand))
                .collect();
            let unknown = self.unknown;
            let class = |classes: &mut Classes, operand: &Operand| {
                classes.operand(module, func, body, operand)
            };
            match &data.op {
                Op::Load { ptr, .. } | Op::LoadShadow { ptr, .. } => {
                    if let Some(pointer) = class(self, ptr) {
                        let contents = self.contents(pointer);
                        for &result in &results {
                            self.unite(result, contents);
                        }
                    }
                }
                Op::Store { ptr, value, .. } => {
                    if let (Some(pointer), Some(value)) = (class(self, ptr), class(self, value)) {
                        let contents = self.contents(pointer);
                        self.unite(contents, value);
                    }
                }
                Op::MemCopy { dst, src, .. } => {
                    if let (Some(dst), Some(src)) = (class(self, dst), class(self, src)) {
                        let (to, from) = (self.contents(dst), self.contents(src));
                        self.unite(to, from);
                    }
                }
                Op::Clobber(_)
                | Op::Cast(CastOp::PtrToInt | CastOp::IntToPtr, ..)
                | Op::Nondet(..) => {
                    for &class in operands.iter().chain(&results) {
                        self.unite(class, unknown);
                    }
                }
                Op::Call { callee, args, .. } => {
                    let args: Vec<Option<usize>> =
                        args.iter().map(|arg| class(self, arg)).collect();
                    let all = data.results.clone();
                    let targets: Vec<Func> = match callee {
                        Callee::Direct(callee) => vec![*callee],
                        Callee::Indirect(_) => taken.to_vec(),
                    };
                    let unknown_too = anything && matches!(callee, Callee::Indirect(_));
                    for target in targets {
                        if module.funcs[target].body.is_some() {
                            self.call(module, func, body, target, &args, &all);
                        } else {
                            self.leaves(&args, &results);
                        }
                    }
                    if unknown_too {
                        self.leaves(&args, &results);
                    }
                }
                // Everything else yields what it was given, if it is a pointer at all.
                _ => {
                    for pair in operands
                        .iter()
                        .chain(&results)
                        .collect::<Vec<_>>()
                        .windows(2)
                    {
                        if !results.is_empty() {
                            self.unite(*pair[0], *pair[1]);
                        }
                    }
                }
            }
        }
        for data in body.blocks.values() {
            for target in data.terminator.targets() {
                for (&param, arg) in body.blocks[target.block].params.iter().zip(&target.args) {
                    if let Some(arg) = self.operand(module, func, body, arg) {
                        let param = self.of(Key::Value(func, param));
                        self.unite(param, arg);
                    }
                }
            }
            if let Terminator::Return(operands) = &data.terminator {
                for (index, operand) in operands.iter().enumerate() {
                    if let Some(value) = self.operand(module, func, body, operand) {
                        let result = self.of(Key::Result(func, index));
                        self.unite(result, value);
                    }
                }
            }
        }
    }

    /// Arguments and results of a call of unknown code.
    fn leaves(&mut self, args: &[Option<usize>], results: &[usize]) {
        let unknown = self.unknown;
        for &class in args.iter().flatten().chain(results) {
            self.unite(class, unknown);
        }
    }

    fn call(
        &mut self,
        module: &Module,
        func: Func,
        body: &Body,
        target: Func,
        args: &[Option<usize>],
        results: &[Value],
    ) {
        let params = module.body(target).params.clone();
        for (param, arg) in params.into_iter().zip(args) {
            if let Some(arg) = arg {
                let param = self.of(Key::Value(target, param));
                self.unite(param, *arg);
            }
        }
        for (index, &result) in results.iter().enumerate() {
            if carries(module, body.values[result].ty) {
                let result = self.of(Key::Value(func, result));
                let returned = self.of(Key::Result(target, index));
                self.unite(result, returned);
            }
        }
    }
}

/// May a register of this type hold an address?
fn carries(module: &Module, ty: Type) -> bool {
    match ty {
        Type::Ptr => true,
        Type::Int(bits) => bits >= module.machine.pointer_bits,
        Type::Float(_) | Type::Mem(_) => false,
    }
}
