//! Calls of functions without a body get a meaning: the one that `--extern` chose.
//!
//! | mode | results | memory |
//! |---|---|---|
//! | havoc | any | any change to what unknown code can reach (`clobber`), and what `call_back` says |
//! | pure | any | unchanged, but what unknown code can reach has been seen (`show`); nothing is called back |
//! | error | the obligation `unsupported` fails here | |
//!
//! Whatever is chosen, the ledger names the function. `prune` runs before, so that functions which
//! the entry never mentions are not named.

use checks::registry::CheckId;
use ir::syntax::{
    BinaryOp, Block, Body, Callee, CastOp, Func, HaltKind, Inst, InstData, Machine, Module,
    NondetKind, Op, Operand, Terminator, Type,
};

use super::call_back::CALLED_BACK;
use super::dispatch_calls::UNKNOWN_CODE;
use crate::edit::{self, Obligations};
use crate::pass::{Config, Error, ExternMode, Pass};

/// See the module.
pub struct ResolveExterns;

impl Pass for ResolveExterns {
    fn name(&self) -> &'static str {
        "resolve-externs"
    }

    fn about(&self) -> &'static str {
        "Gives calls of functions without a body the meaning chosen for them, and notes it."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        let mut obligations = Obligations::new(module);
        for func in module.funcs.keys() {
            let Some(mut body) = module.funcs[func].body.take() else {
                continue;
            };
            resolve(module, func, &mut body, config, &mut obligations);
            module.funcs[func].body = Some(body);
        }
        Ok(())
    }
}

fn resolve(
    module: &mut Module,
    func: Func,
    body: &mut Body,
    config: &Config,
    obligations: &mut Obligations,
) {
    let blocks: Vec<Block> = body.blocks.keys().collect();
    let mut changed = false;
    for block in blocks {
        if !body.blocks[block]
            .insts
            .iter()
            .any(|&inst| extern_callee(module, func, body, inst).is_some())
        {
            continue;
        }
        changed = true;
        for inst in edit::take_insts(body, block) {
            let Some(callee) = extern_callee(module, func, body, inst) else {
                body.blocks[block].insts.push(inst);
                continue;
            };
            note(module, callee, config.extern_mode);
            if config.extern_mode == ExternMode::Error {
                let place = body.insts[inst].place;
                let text = format!("unsupported: call of {}", module.funcs[callee].name);
                let name = module.funcs[func].name.clone();
                let obligation = obligations.add(module, &name, CheckId::Unsupported, text, place);
                let op = Op::Check(obligation, Operand::bool(false));
                body.append(block, op, Vec::new(), place, module.machine);
                body.blocks[block].terminator = Terminator::Halt(HaltKind::Dead);
                break;
            }
            let kind = result_kind(module, callee);
            unknown_call(body, block, inst, (config.extern_mode, kind), module);
        }
    }
    if changed {
        edit::tidy_in_place(body);
    }
}

/// The function without a body that the instruction calls, if it does. `func` is the function
/// whose body has been taken out of the module.
fn extern_callee(module: &Module, func: Func, body: &Body, inst: Inst) -> Option<Func> {
    match &body.insts[inst].op {
        Op::Call {
            callee: Callee::Direct(callee),
            ..
        } if *callee != func && module.funcs[*callee].body.is_none() => Some(*callee),
        _ => None, // Only direct calls name a function.
    }
}

/// Headers of ISO C and POSIX, without `.h`.
const STANDARD: &[&str] = &[
    "aio",
    "arpa/inet",
    "assert",
    "complex",
    "ctype",
    "dirent",
    "dlfcn",
    "errno",
    "fcntl",
    "fenv",
    "float",
    "fmtmsg",
    "fnmatch",
    "ftw",
    "glob",
    "grp",
    "iconv",
    "inttypes",
    "langinfo",
    "libgen",
    "limits",
    "locale",
    "math",
    "monetary",
    "mqueue",
    "net/if",
    "netdb",
    "netinet/in",
    "nl_types",
    "poll",
    "pthread",
    "pwd",
    "regex",
    "sched",
    "search",
    "semaphore",
    "setjmp",
    "signal",
    "spawn",
    "stdio",
    "stdlib",
    "string",
    "strings",
    "stropts",
    "sys/ipc",
    "sys/mman",
    "sys/msg",
    "sys/resource",
    "sys/select",
    "sys/sem",
    "sys/shm",
    "sys/socket",
    "sys/stat",
    "sys/statvfs",
    "sys/time",
    "sys/times",
    "sys/types",
    "sys/uio",
    "sys/un",
    "sys/utsname",
    "sys/wait",
    "syslog",
    "tar",
    "termios",
    "tgmath",
    "time",
    "trace",
    "uchar",
    "ulimit",
    "unistd",
    "utime",
    "utmpx",
    "wchar",
    "wctype",
    "wordexp",
];

/// What the numbers are that a function without a body returns. Those of the standard library are not free to be anything: what they
/// are is not known, and no violation rests on it.
fn result_kind(module: &Module, callee: Func) -> NondetKind {
    let place = module.funcs[callee].place;
    let file = place.map(|place| module.places[place].place.file.to_string());
    let header = file.as_deref().and_then(|file| {
        let name = file.strip_prefix("/usr/include/")?;
        let name = name.strip_prefix("x86_64-linux-gnu/").unwrap_or(name);
        let name = name.strip_prefix("bits/").unwrap_or(name);
        name.strip_suffix(".h")
    });
    match header.is_some_and(|name| STANDARD.contains(&name)) {
        true => NondetKind::Approx,
        false => NondetKind::Extern,
    }
}

/// The sentence for the ledger.
fn note(module: &mut Module, callee: Func, mode: ExternMode) {
    let name = &module.funcs[callee].name;
    let who = if name.starts_with(UNKNOWN_CODE) {
        "a pointer that is called and points to nothing known is that of unknown code".to_owned()
    } else {
        format!("function {name} has no body")
    };
    let what = match mode {
        ExternMode::Havoc => {
            "a call returns any value and may change all memory that unknown code can reach"
        }
        ExternMode::Pure => {
            "a call returns any value and is assumed to change no memory, to free nothing and to call nothing back"
        }
        ExternMode::Error => "the verdict is unknown if a call is reached",
    };
    let sentence = format!("{who}: {what}");
    edit::note(module, sentence);
}

/// The parts of an integer that are as wide as a pointer; none if it is narrower.
fn words_of(
    body: &mut Body,
    block: Block,
    value: &Operand,
    bits: u32,
    machine: Machine,
) -> Vec<Operand> {
    let width = machine.pointer_bits;
    if bits == width {
        return vec![value.clone()];
    }
    let mut words = Vec::new();
    for start in (0..bits / width).map(|index| index * width) {
        let amount = Operand::int(i64::from(start), bits);
        let shifted = Op::Binary(BinaryOp::LShr, value.clone(), amount);
        let shifted = body.append_one(block, shifted, machine).into();
        let word = Op::Cast(CastOp::Trunc, shifted, Type::Int(width));
        words.push(body.append_one(block, word, machine).into());
    }
    words
}

/// The addresses that a call hands over.
fn pointers_among(
    body: &mut Body,
    block: Block,
    args: Vec<Operand>,
    machine: Machine,
) -> Vec<Operand> {
    let mut pointers = Vec::new();
    for arg in args {
        match body.type_of(&arg) {
            Type::Ptr => pointers.push(arg),
            // Each of its words may be an address: in a union, or cast by the program.
            Type::Int(bits) => {
                for word in words_of(body, block, &arg, bits, machine) {
                    let op = Op::Cast(CastOp::IntToPtr, word, Type::Ptr);
                    pointers.push(body.append_one(block, op, machine).into());
                }
            }
            Type::Float(_) | Type::Mem(_) => {}
        }
    }
    pointers
}

/// Puts the meaning of a call of unknown code at the end of the block.
fn unknown_call(
    body: &mut Body,
    block: Block,
    inst: Inst,
    (mode, kind): (ExternMode, NondetKind),
    module: &Module,
) {
    let data = std::mem::replace(
        &mut body.insts[inst],
        InstData {
            results: Vec::new(),
            op: Op::Leave,
            mems: Vec::new(),
            place: None,
        },
    );
    let Op::Call { args, .. } = data.op else {
        unreachable!("only calls are resolved");
    };
    let pointers = pointers_among(body, block, args, module.machine);
    let op = match mode {
        ExternMode::Havoc => Op::Clobber(pointers),
        ExternMode::Pure | ExternMode::Error => Op::Show(pointers),
    };
    body.append(block, op, Vec::new(), data.place, module.machine);
    if mode == ExternMode::Havoc
        && let Some(func) = module.func_named(CALLED_BACK)
    {
        let op = Op::Call {
            callee: Callee::Direct(func),
            args: Vec::new(),
            results: Vec::new(),
            regions: Vec::new(),
        };
        body.append(block, op, Vec::new(), data.place, module.machine);
    }
    for result in data.results {
        let ty = body.values[result].ty;
        let kind = match ty {
            Type::Ptr | Type::Mem(_) => NondetKind::Extern,
            Type::Int(_) | Type::Float(_) => kind,
        };
        let inst = body.insts.push(InstData {
            results: vec![result],
            op: Op::Nondet(ty, kind),
            mems: Vec::new(),
            place: data.place,
        });
        body.redefine(inst);
        body.blocks[block].insts.push(inst);
    }
}
