//! Random programs: the food of the tests in which engines, passes and the interpreter are
//! each other's referees.
//!
//! [`module`] makes a wellformed module of phase Raw or Lowered from a seed. Every execution of it
//! ends: loops count up to small bounds, calls lead to functions made before, and
//! [`Options::steps`] limits how often anything is executed in all. Its text is tidy, so that
//! reading what was written gives the module back.
//!
//! An execution is determined by the free choices that the trace of `checks` lists (`nondet`,
//! contents of new objects, havoc, volatile reads). It depends on nothing else that differs
//! between faithful readers of the IR:
//!
//! - Addresses are never turned into data: pointers are compared within one object, and cast to
//!   an integer only to be cast back or subtracted.
//! - A NaN is replaced by one NaN before its bits can be seen, and so is the sign of a zero from
//!   `fmin` and `fmax`. Bits of `f80` come from arithmetic only, hence are always canonical.
//! - Loads and stores stay inside live objects, or stand behind a `check` of `is_deref` that
//!   fails (see [`Options::failures`]).
//!
//! With `failures`, some obligations can fail. Without, none does, whatever the choices.

mod flow;
mod func;
mod memory;
mod scalar;
mod wild;
mod witness;

use base::Place;
use checks::registry::CheckId;
use ir::syntax::{
    Body, Callee, Const, Func, GlobalData, InitPiece, Machine, Module, Op, Operand, Phase,
    PlaceData, Show, Terminator, Type, VarData,
};

pub use crate::random::witness::nowhere;

use crate::random::func::{Callable, Gen, Object, ObjectKind, Param, Ret};
use crate::rng::Rng;

/// Whether a program may contain something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Never.
    No,
    /// Now and then.
    Yes,
}

/// Which floating-point formats occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Floats {
    /// None.
    No,
    /// `f32` and `f64`.
    Common,
    /// All of them.
    All,
}

/// What the programs are like.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where the random numbers start. Equal options make equal programs.
    pub seed: u64,
    /// About how many instructions there are.
    pub size: usize,
    /// Raw or Lowered.
    pub phase: Phase,
    /// Width of pointers, 32 or 64.
    pub pointer_bits: u32,
    /// The widest integers.
    pub max_width: u32,
    /// Floating-point numbers.
    pub floats: Floats,
    /// Objects, pointers and everything that touches memory.
    pub memory: Use,
    /// Obligations that can fail, out-of-bounds accesses among them.
    pub failures: Use,
    /// Freely chosen scalars inside the program; the arguments of `@main` are free anyway.
    pub nondet: Use,
    /// Calls of functions without a body (Raw only). What such a call does to memory is up to
    /// the one who executes it, so that executions are comparable only after `lower`.
    pub externs: Use,
    /// Functions that call themselves, up to a small depth.
    pub recursion: Use,
    /// Loops with two entries.
    pub irreducible: Use,
    /// Addresses as data, pointers that are merged, left in memory and made of numbers, loops that go
    /// round as often as a free choice says, unknown bytes in globals. Only for those who execute with
    /// the addresses of the other side; an execution may take more than [`Options::steps`].
    pub wild: Use,
    /// At most so many instructions are executed.
    pub steps: u64,
}

impl Options {
    /// Everything of phase Raw but failures, external functions and recursion.
    pub fn new(seed: u64, size: usize) -> Options {
        Options {
            seed,
            size,
            phase: Phase::Raw,
            pointer_bits: 64,
            max_width: 129,
            floats: Floats::All,
            memory: Use::Yes,
            failures: Use::No,
            nondet: Use::Yes,
            externs: Use::No,
            recursion: Use::No,
            irreducible: Use::Yes,
            wild: Use::No,
            steps: 50_000,
        }
    }
}

/// A random module. Its entry `@selkie.start` calls `@main` with free arguments.
pub fn module(options: &Options) -> Module {
    assert!(
        options.phase <= Phase::Lowered,
        "random programs are Raw or Lowered"
    );
    let mut rng = Rng::new(options.seed);
    let machine = Machine {
        pointer_bits: options.pointer_bits,
    };
    let mut module = Module::new(options.phase, machine);
    add_tables(&mut module, &mut rng);
    let globals = match options.memory {
        Use::Yes => add_globals(options, &mut module, &mut rng),
        Use::No => Vec::new(),
    };
    let mut callables: Vec<Callable> = Vec::new();
    if options.externs == Use::Yes && options.phase == Phase::Raw {
        let results = vec![Type::Int(32)];
        let func = module.declare("ext", vec![Type::Int(32)], results.clone());
        callables.push(Callable {
            func,
            params: vec![Param::Scalar(Type::Int(32))],
            ret: Ret::Scalars(results),
            cost: 1,
        });
    }
    let count = (1 + options.size / 80).min(6);
    for number in 0..count {
        let name = match number + 1 == count {
            true => "main".to_owned(),
            false => format!("f{number}"),
        };
        let generator = Gen::new(options, &mut rng, &mut module, &callables, &globals, name);
        let callable = generator.function(options.size / count);
        callables.push(callable);
    }
    let main = callables.pop().expect("there is at least one function");
    add_entry(options, &mut rng, &mut module, &main);
    ir::tidy::tidy(&mut module);
    module
}

fn add_tables(module: &mut Module, rng: &mut Rng) {
    for number in 0..rng.between(1, 4) as u32 {
        let place = module.places.push(PlaceData {
            place: Place::new("random.c", number + 1, rng.below(40) as u32),
            func: "main".to_owned(),
            inlined_at: None,
        });
        if number > 0 && rng.one_in(2) {
            let above = module.places.keys().next();
            module.places[place].inlined_at = above;
        }
    }
    for number in 0..rng.between(1, 4) {
        let place = module.places.keys().next();
        module.vars.push(VarData {
            name: format!("x{number}"),
            ty: "int".to_owned(),
            show: *rng.pick(Show::ALL),
            bits: 32,
            func: rng.one_in(2).then(|| "main".to_owned()),
            place,
        });
    }
    if rng.one_in(4) {
        module.notes.push("a \"random\" program".to_owned());
    }
}

/// Adds globals with data, and a table of pointers to them. The table is last.
fn add_globals(options: &Options, module: &mut Module, rng: &mut Rng) -> Vec<Object> {
    let mut objects = Vec::new();
    for number in 0..rng.below(4) {
        let bytes: Vec<u8> = (0..rng.between(1, 12))
            .map(|_| rng.next_u64() as u8)
            .collect();
        let zeros = rng.below(9);
        let size = bytes.len() as u64 + zeros;
        let constant = rng.one_in(3);
        let mut init = vec![InitPiece::Bytes(bytes)];
        if zeros > 0 {
            init.push(match options.wild == Use::Yes && rng.one_in(3) {
                true => InitPiece::Any(zeros),
                false => InitPiece::Zero(zeros),
            });
        }
        let global = module.globals.push(GlobalData {
            name: format!("g{number}"),
            size,
            align: 1 << rng.below(5),
            constant,
            external: rng.one_in(2),
            init,
            var: module.vars.keys().next().filter(|_| rng.one_in(2)),
        });
        objects.push(Object {
            ptr: Operand::global(global),
            size,
            kind: match constant {
                true => ObjectKind::ConstData,
                false => ObjectKind::Data,
            },
            heap: false,
            scoped: false,
        });
    }
    let pointer_bytes = u64::from(module.machine.pointer_bits / 8);
    if options.wild == Use::Yes {
        // Outlives whatever its pointers point to.
        let size = pointer_bytes * rng.between(1, 3);
        let global = module.globals.push(GlobalData {
            name: "slots".to_owned(),
            size,
            align: pointer_bytes,
            constant: false,
            external: false,
            init: vec![InitPiece::Zero(size)],
            var: None,
        });
        objects.push(Object {
            ptr: Operand::global(global),
            size,
            kind: ObjectKind::Pointers,
            heap: false,
            scoped: false,
        });
    }
    let globals: Vec<_> = module.globals.keys().collect();
    if !globals.is_empty() && rng.one_in(2) {
        let mut init = Vec::new();
        for &global in &globals {
            let offset = rng.below(module.globals[global].size) as i64;
            init.push(InitPiece::Pointer(Const::Global(global, offset)));
        }
        let size = pointer_bytes * globals.len() as u64;
        let table = module.globals.push(GlobalData {
            name: "table".to_owned(),
            size,
            align: pointer_bytes,
            constant: true,
            external: false,
            init,
            var: None,
        });
        objects.push(Object {
            ptr: Operand::global(table),
            size,
            kind: ObjectKind::GlobalTable,
            heap: false,
            scoped: false,
        });
    }
    objects
}

/// Adds `@selkie.start`.
fn add_entry(options: &Options, rng: &mut Rng, module: &mut Module, main: &Callable) -> Func {
    let mut generator = Gen::new(options, rng, module, &[], &[], "selkie.start".to_owned());
    let args = generator.free_args(&main.params);
    let op = Op::Call {
        callee: Callee::Direct(main.func),
        args,
        results: main.ret.types(),
        regions: Vec::new(),
    };
    generator.emit(op);
    if options.memory == Use::Yes && options.failures == Use::Yes {
        // Bytes of addresses may look like other addresses.
        if options.wild == Use::No {
            let tracked = generator.value(Op::AllTracked);
            generator.check(CheckId::Leak, tracked);
        }
        let freed = generator.value(Op::AllFreed);
        generator.check(CheckId::Cleanup, freed);
    }
    let block = generator.block;
    generator.body.blocks[block].terminator = Terminator::Return(Vec::new());
    let body = std::mem::replace(&mut generator.body, Body::new(&[]));
    let entry = module.define("selkie.start", Vec::new(), body);
    module.entry = Some(entry);
    entry
}
