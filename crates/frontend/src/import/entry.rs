//! `@selkie.start`: what runs before and after the user's entry function.
//!
//! It stores the initial values that need computing, runs constructors, makes `argc`, `argv` and
//! `envp`, calls the entry, runs exit handlers and destructors, and judges leaks.

use checks::registry::CheckId;
use rustc_hash::{FxHashMap, FxHashSet};

use ir::syntax::{
    AllocKind, BinaryOp, Body, Callee, CastOp, CompareOp, Func, FuncData, NondetKind, Op, Operand,
    Origin, Target, Terminator, Type,
};

use crate::MAIN;
use crate::error::Error;
use crate::ffi::{Opcode, Val};
use crate::instrument::PREFIX;
use crate::options::Stdio;

use super::function::FuncImporter;
use super::{Importer, tidy};

/// Linux gives a program at most 2 MiB of arguments, and each at most 128 KiB.
const MOST_ARGUMENTS: i64 = 1 << 18;
/// So many strings are made at most: each is an object of its own, and a program that reads them
/// could not be proved if there were no end of them.
const MOST_STRINGS: i64 = 8;
/// See [`MOST_ARGUMENTS`].
const LONGEST_ARGUMENT: i64 = 1 << 17;

/// What the start function calls.
pub struct Plan<'c> {
    entry: Val<'c>,
    constructors: Vec<Val<'c>>,
    destructors: Vec<Val<'c>>,
    handlers: Option<Val<'c>>,
}

/// Makes room for the start function, as the module's first.
pub fn reserve(importer: &mut Importer<'_, '_>) -> Func {
    let start = importer.out.funcs.push(FuncData {
        name: "selkie.start".to_owned(),
        params: Vec::new(),
        results: Vec::new(),
        body: None,
        place: None,
        model: false,
        external: false,
    });
    importer.out.entry = Some(start);
    start
}

/// Finds the functions that run.
pub fn plan<'c>(importer: &mut Importer<'_, 'c>) -> Result<Plan<'c>, Error> {
    let name = &importer.options.entry;
    let entry = importer
        .llvm
        .function(&format!("{PREFIX}{name}"))
        .filter(|func| !func.is_declaration())
        .ok_or_else(|| {
            let message = format!("no function {name} with a body in the input");
            // `main` is what programs have; another name is what the caller asked for.
            if name == MAIN {
                Error::input(message)
            } else {
                Error::usage(message)
            }
        })?;
    let mut constructors = listed(importer, "llvm.global_ctors");
    constructors.sort_by_key(|&(priority, _)| priority);
    let mut destructors = listed(importer, "llvm.global_dtors");
    destructors.sort_by_key(|&(priority, _)| std::cmp::Reverse(priority));
    let strip = |list: Vec<(u64, Val<'c>)>| list.into_iter().map(|(_, func)| func).collect();
    let handlers = importer
        .llvm
        .function(&format!("{PREFIX}__selkie_run_atexit"))
        .filter(|func| !func.is_declaration());
    let plan = Plan {
        entry,
        constructors: strip(constructors),
        destructors: strip(destructors),
        handlers,
    };
    importer.destructors = plan.destructors.clone();
    importer.func(plan.entry);
    for &func in plan.constructors.iter().chain(&plan.destructors) {
        importer.func(func);
    }
    if let Some(func) = plan.handlers {
        importer.func(func);
    }
    Ok(plan)
}

/// The functions of `llvm.global_ctors` or `llvm.global_dtors` with their priorities.
fn listed<'c>(importer: &Importer<'_, 'c>, name: &str) -> Vec<(u64, Val<'c>)> {
    let Some(init) = importer.llvm.global(name).and_then(Val::initializer) else {
        return Vec::new();
    };
    let mut list = Vec::new();
    let mut index = 0;
    while let Some(entry) = init.element(index) {
        index += 1;
        let (Some(priority), Some(func)) = (entry.element(0), entry.element(1)) else {
            continue;
        };
        let func = importer.resolve(func);
        if func.value_kind() == crate::ffi::ValKind::Function && !func.is_declaration() {
            list.push((priority.as_u64().unwrap_or(65535), func));
        }
    }
    list
}

/// Makes the start function's body.
pub fn build<'c>(
    importer: &mut Importer<'_, 'c>,
    start: Func,
    plan: &Plan<'c>,
) -> Result<(), Error> {
    let mut body = Body::new(&[]);
    let entry_block = body.new_block(&[]);
    let name = importer.options.entry.clone();
    let mut work = FuncImporter {
        importer,
        llvm: plan.entry,
        name,
        body,
        current: entry_block,
        open: true,
        dead: false,
        place: None,
        values: FxHashMap::default(),
        blocks: FxHashMap::default(),
        entered: Vec::new(),
        further: None,
        labels: Vec::new(),
        skipped: FxHashSet::default(),
        homes: FxHashMap::default(),
    };
    let stored = work.late_contents();
    if !work.importer.llvm.inline_asm().trim().is_empty() {
        work.unsupported("assembly at file scope");
    }
    for &func in &plan.constructors {
        work.call_plainly(func, Vec::new());
    }
    let func = work.importer.func(plan.entry);
    let args = if work.importer.options.entry == MAIN {
        let args = work.entry_arguments(plan.entry);
        work.place = work.importer.out.funcs[func].place;
        args
    } else {
        work.place = work.importer.out.funcs[func].place;
        let written = stored || !plan.constructors.is_empty();
        work.unknown_arguments(plan.entry, written)?
    };
    let watched = work.watch();
    let results = work.call_plainly(plan.entry, args);
    work.compare_watched(watched);
    if let Some(handlers) = plan.handlers {
        let status = match results.first() {
            Some(status) if work.type_of(status) == Type::Int(32) => status.clone(),
            _ => Operand::int(0, 32),
        };
        work.call_plainly(handlers, vec![status]);
    }
    for &func in &plan.destructors {
        work.call_plainly(func, Vec::new());
    }
    work.leak_checks();
    work.tell_status(results.into_iter().next());
    work.end(Terminator::Return(Vec::new()));
    let mut body = work.body;
    tidy::tidy(&mut body);
    importer.out.funcs[start].body = Some(body);
    Ok(())
}

impl<'c> FuncImporter<'_, '_, 'c> {
    /// Stores the contents of globals that no piece can say; true if there are some.
    fn late_contents(&mut self) -> bool {
        let mut stored = false;
        loop {
            let late = std::mem::take(&mut self.importer.late);
            if late.is_empty() {
                return stored;
            }
            stored = true;
            for item in late {
                let operands = self.operands(item.value);
                let base = Operand::global(item.global);
                let at = self.offset_by(base, item.offset);
                self.store_to(item.value.ty(), at, &operands, 1);
            }
            self.importer.drain();
        }
    }

    /// Calls a function with exactly these arguments.
    fn call_plainly(&mut self, value: Val<'c>, args: Vec<Operand>) -> Vec<Operand> {
        let func = self.importer.func(value);
        let results = self.importer.out.funcs[func].results.clone();
        let wanted = self.importer.out.funcs[func].params.clone();
        let mut args = args;
        args.truncate(wanted.len());
        while args.len() < wanted.len() {
            let ty = wanted[args.len()];
            args.push(super::consts::zero(ty));
        }
        self.emit(Op::Call {
            callee: Callee::Direct(func),
            args,
            results,
            regions: Vec::new(),
        })
        .into_iter()
        .map(Operand::from)
        .collect()
    }

    /// The obligations about memory that is still allocated when the program ends.
    pub fn leak_checks(&mut self) {
        let (name, place) = (self.name.clone(), self.place);
        if self.importer.options.has(CheckId::Leak) {
            let text = "memory leak: an object is neither freed nor reachable";
            let number = self.importer.obligation(&name, CheckId::Leak, text, place);
            let tracked = self.value(Op::AllTracked);
            self.act(Op::Check(number, tracked));
        }
        self.cleanup_check();
    }

    /// The obligation that nothing is allocated when the program ends, whatever ends it.
    pub fn cleanup_check(&mut self) {
        let (name, place) = (self.name.clone(), self.place);
        if self.importer.options.has(CheckId::Cleanup) {
            let text = "memory is not freed at the end";
            let number = self
                .importer
                .obligation(&name, CheckId::Cleanup, text, place);
            let freed = self.value(Op::AllFreed);
            self.act(Op::Check(number, freed));
        }
    }

    /// Tells the host, if there is one, how the program ends. It does not return.
    pub fn tell_status(&mut self, status: Option<Operand>) {
        if self.importer.options.stdio != Stdio::Host {
            return;
        }
        let status = match status {
            Some(status) if matches!(self.type_of(&status), Type::Int(_)) => {
                self.resize(status, 32, CastOp::SExt)
            }
            _ => Operand::int(0, 32),
        };
        let name = "__selkie_host_exit";
        let known = self.importer.host_exit;
        let func = known.unwrap_or_else(|| {
            self.importer.out.funcs.push(FuncData {
                name: name.to_owned(),
                params: vec![Type::Int(32)],
                results: Vec::new(),
                body: None,
                place: None,
                model: false,
                external: false,
            })
        });
        self.importer.host_exit = Some(func);
        self.act(Op::Call {
            callee: Callee::Direct(func),
            args: vec![status],
            results: Vec::new(),
            regions: Vec::new(),
        });
    }

    /// Runs the destructors, at `exit`.
    pub fn run_destructors(&mut self) {
        for func in self.importer.destructors.clone() {
            self.call_plainly(func, Vec::new());
        }
    }

    /// Values for the parameters of `main`.
    fn entry_arguments(&mut self, entry: Val<'c>) -> Vec<Operand> {
        let func = self.importer.func(entry);
        let types = self.importer.out.funcs[func].params.clone();
        let params = entry.params();
        if types.len() == params.len() {
            match types.as_slice() {
                [] => return Vec::new(),
                [Type::Int(bits)] => return vec![self.argument_count(*bits)],
                [Type::Int(bits), Type::Ptr] | [Type::Int(bits), Type::Ptr, Type::Ptr] => {
                    let count = self.argument_count(*bits);
                    let strings = if is_needed(params[1]) {
                        self.strings(count.clone())
                    } else {
                        Operand::NULL
                    };
                    let mut args = vec![count, strings];
                    if let Some(&environment) = params.get(2) {
                        let strings = if is_needed(environment) {
                            let count = self.argument_count(*bits);
                            self.strings(count)
                        } else {
                            Operand::NULL
                        };
                        args.push(strings);
                    }
                    return args;
                }
                _ => {}
            }
        }
        let mut args = Vec::new();
        for ty in types {
            if ty == Type::Ptr {
                self.importer
                    .note("pointer parameters of the entry function point to no object");
            }
            args.push(self.nondet(ty, NondetKind::Input));
        }
        args
    }

    fn argument_count(&mut self, bits: u32) -> Operand {
        // One more than a choice, so that the choice 0 is a program without arguments.
        let more = self.nondet(Type::Int(bits), NondetKind::Input);
        let most = Operand::int(MOST_ARGUMENTS, bits);
        let few = self.compare(CompareOp::Ult, more.clone(), most);
        self.act(Op::Assume(few, Origin::Model));
        let count = self.binary(BinaryOp::Add, more, Operand::int(1, bits));
        self.importer.note("the program has at most 2^18 arguments");
        count
    }

    /// An array of that many arbitrary strings, and null after them.
    fn strings(&mut self, count: Operand) -> Operand {
        let bits = self.importer.pointer_bits();
        let word = i64::from(bits / 8);
        let count = self.resize(count, bits, CastOp::SExt);
        let most = Operand::int(MOST_STRINGS, bits);
        let few = self.compare(CompareOp::Ule, count.clone(), most);
        self.act(Op::Assume(few, Origin::Model));
        self.importer.note(&format!(
            "the program has at most {MOST_STRINGS} arguments (its name is one), each shorter than 2^17 bytes"
        ));
        let more = self.binary(BinaryOp::Add, count.clone(), Operand::int(1, bits));
        let size = self.binary(BinaryOp::Mul, more, Operand::int(word, bits));
        let array = self.stack_object(size);
        let header = self.new_block(&[Type::Int(bits)]);
        let round = self.new_block(&[]);
        let after = self.new_block(&[]);
        self.end(Terminator::Jump(Target::with_args(
            header,
            vec![Operand::int(0, bits)],
        )));
        self.switch_to(header);
        let index: Operand = self.body.blocks[header].params[0].into();
        let inside = self.compare(CompareOp::Ult, index.clone(), count.clone());
        self.end(Terminator::Branch(
            inside,
            Target::new(round),
            Target::new(after),
        ));
        self.switch_to(round);
        let length = self.nondet(Type::Int(bits), NondetKind::Input);
        let limit = Operand::int(LONGEST_ARGUMENT, bits);
        let short = self.compare(CompareOp::Ult, length.clone(), limit);
        self.act(Op::Assume(short, Origin::Model));
        let size = self.binary(BinaryOp::Add, length.clone(), Operand::int(1, bits));
        let string = self.stack_object(size);
        let end = self.offset(string.clone(), length);
        self.store_scalar(end, Operand::int(0, 8), 1);
        let step = self.binary(BinaryOp::Mul, index.clone(), Operand::int(word, bits));
        let at = self.offset(array.clone(), step);
        self.store_scalar(at, string, word as u64);
        let next = self.binary(BinaryOp::Add, index, Operand::int(1, bits));
        self.end(Terminator::Jump(Target::with_args(header, vec![next])));
        self.switch_to(after);
        let step = self.binary(BinaryOp::Mul, count, Operand::int(word, bits));
        let last = self.offset(array.clone(), step);
        self.store_scalar(last, Operand::NULL, word as u64);
        array
    }

    pub fn stack_object(&mut self, size: Operand) -> Operand {
        self.value(Op::Alloc {
            kind: AllocKind::Stack,
            size,
            align: 16,
            zeroed: false,
            var: None,
        })
    }
}

/// Is a parameter used for more than being kept in a variable that nobody reads?
fn is_needed(param: Val<'_>) -> bool {
    param.users().into_iter().any(|user| {
        if user.opcode() != Some(Opcode::LLVMStore) || user.operand(0) != param {
            return true;
        }
        let home = user.operand(1);
        home.opcode() != Some(Opcode::LLVMAlloca)
            || home.users().into_iter().any(|other| other != user)
    })
}
