//! Which functions' addresses unknown code may hold, and which pointers may come from it.
//!
//! A unification in the manner of Steensgaard: every register, global and function has a class, and
//! each class has one for what is stored where its pointers lead. Whatever flows from one to the
//! other makes them one. The class of unknown code holds the arguments of calls of functions without
//! a body, their results, external globals, pointers made from integers, and all that these lead to.
//!
//! For the second question it holds results of unknown code, and what memory holds that unknown code can
//! reach, but not what the program itself gives away: an address that the program made up, asked for or
//! left uninitialised is its own.

use std::collections::{BTreeMap, BTreeSet};

use ir::syntax::{
    Body, Callee, CastOp, Const, Func, Global, InitPiece, Module, NondetKind, Op, Operand,
    Terminator, Type, Value,
};

use crate::lower::call_back::CALLED_BACK;

/// The functions with a body whose addresses unknown code may hold, in the order of the module.
/// `anything` says that calls through pointers may be calls of unknown code.
pub(crate) fn handed_over(module: &Module, taken: &[Func], anything: bool) -> Vec<Func> {
    let mut classes = Classes::new(Question::HandedOver);
    let unknown = classes.unknown;
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

/// The registers that may hold a pointer, or a part of one, that comes from unknown code. Functions without
/// a body have got their meaning, and calls name their functions.
pub(crate) fn from_unknown(module: &Module) -> BTreeSet<(Func, Value)> {
    let mut classes = Classes::new(Question::Comes);
    let unknown = classes.unknown;
    let bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    let mut insts = bodies.flat_map(|body| body.insts.values());
    let changes = insts.any(|inst| matches!(inst.op, Op::Clobber(_)));
    for (global, data) in module.globals.iter() {
        let address = classes.of(Key::Global(global));
        let contents = classes.contents(address);
        let any = |piece: &InitPiece| matches!(piece, InitPiece::Any(_));
        if data.external && (changes || data.init.iter().any(any)) {
            classes.unite(contents, unknown);
        }
        for piece in &data.init {
            if let InitPiece::Pointer(constant) = piece
                && let Some(value) = classes.constant(constant)
            {
                classes.unite(contents, value);
            }
        }
    }
    for (func, data) in module.funcs.iter() {
        if let Some(body) = &data.body {
            classes.body(module, func, body, &[], false);
        }
    }
    let mut found = BTreeSet::new();
    for (key, class) in classes.keys.clone() {
        if let Key::Value(func, value) = key
            && classes.find(class) == classes.find(unknown)
        {
            found.insert((func, value));
        }
    }
    found
}

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    /// What may unknown code hold?
    HandedOver,
    /// What may come from unknown code?
    Comes,
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

struct Classes {
    question: Question,
    parent: Vec<usize>,
    contents: Vec<Option<usize>>,
    keys: BTreeMap<Key, usize>,
    unknown: usize,
}

impl Classes {
    fn new(question: Question) -> Classes {
        let mut classes = Classes {
            question,
            parent: Vec::new(),
            contents: Vec::new(),
            keys: BTreeMap::new(),
            unknown: 0,
        };
        classes.unknown = classes.fresh();
        classes.contents[classes.unknown] = Some(classes.unknown);
        classes
    }

    /// May a register of this type hold an address, or a part of one where that counts?
    fn carries(&self, module: &Module, ty: Type) -> bool {
        match ty {
            Type::Ptr => true,
            Type::Int(bits) => match self.question {
                Question::HandedOver => bits >= module.machine.pointer_bits,
                Question::Comes => bits > 1,
            },
            Type::Float(_) | Type::Mem(_) => false,
        }
    }

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
                let carries = self.carries(module, body.values[*value].ty);
                carries.then(|| self.of(Key::Value(func, *value)))
            }
        }
    }

    fn body(&mut self, module: &Module, func: Func, body: &Body, taken: &[Func], anything: bool) {
        for (_, inst) in body.insts_in_order() {
            let data = &body.insts[inst];
            let results: Vec<usize> = data
                .results
                .iter()
                .filter(|&&result| self.carries(module, body.values[result].ty))
                .copied()
                .collect::<Vec<Value>>()
                .into_iter()
                .map(|result| self.of(Key::Value(func, result)))
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
                Op::Clobber(_) if self.question == Question::Comes => {
                    for &class in &operands {
                        let contents = self.contents(class);
                        self.unite(contents, unknown);
                    }
                }
                Op::Nondet(_, kind) if self.question == Question::Comes => {
                    // Whoever calls back chooses the arguments.
                    if *kind == NondetKind::Extern || module.funcs[func].name == CALLED_BACK {
                        for &class in &results {
                            self.unite(class, unknown);
                        }
                    }
                }
                // Numbers do not make a pointer another one's.
                Op::Offset(base, ..) if self.question == Question::Comes => {
                    if let Some(base) = class(self, base) {
                        for &result in &results {
                            self.unite(result, base);
                        }
                    }
                }
                Op::Alloc { .. } | Op::ObjectSize(_) | Op::ObjectOffset(_) | Op::StackSave
                    if self.question == Question::Comes => {}
                // It writes nothing.
                Op::Show(_) if self.question == Question::Comes => {}
                Op::Clobber(_) | Op::Show(_) | Op::Nondet(..) => {
                    for &class in operands.iter().chain(&results) {
                        self.unite(class, unknown);
                    }
                }
                Op::Cast(CastOp::PtrToInt | CastOp::IntToPtr, ..)
                    if self.question == Question::HandedOver =>
                {
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
            if self.carries(module, body.values[result].ty) {
                let result = self.of(Key::Value(func, result));
                let returned = self.of(Key::Result(target, index));
                self.unite(result, returned);
            }
        }
    }
}
