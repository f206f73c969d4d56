//! What holds of every module between passes, and a check that it does.
//!
//! The check is the contract between the crates: whoever makes IR calls it in tests and after each
//! pass, and whoever reads IR may rely on it without looking again. It takes time linear in the
//! size of the module, apart from the dominator trees, and complains about everything it finds up
//! to a limit.
//!
//! - *Tables.* Every id has an entry; names are unique among functions and globals; obligations
//!   are unique; a global's pieces add up to its size; inlined-at chains end.
//! - *Bodies.* Each value has one definition, which knows its value, and every use is dominated by
//!   it. A use in an unreachable block only needs a definition that is in the text.
//! - *Types.* Operands, results, arguments and returned values have the types that the operation,
//!   the callee, the block or the function asks for.
//! - *Phases.* Nothing occurs that the module's phase forbids. Memories occur in Pure and Unrolled
//!   only, and there each memory operation has exactly its versions.
//! - *Regions.* A region that is not local comes in by one parameter; a call binds each region
//!   that its callee takes, each once, and no two of them to one region of the caller.

mod body;
mod call;
mod op;

use std::collections::HashMap;
use std::fmt;

use base::bv::MAX_WIDTH;

use crate::syntax::{Const, FuncData, GlobalData, Ground, InitPiece, Module, Phase, PlaceId, Type};
use crate::text::lexis::Symbol;

/// How many complaints are made at most.
const LIMIT: usize = 100;

/// A rule that a module breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// Where: a declaration, or function, block and instruction.
    pub at: String,
    /// Which rule, lower case, without full stop.
    pub message: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.message)
    }
}

impl std::error::Error for Complaint {}

/// Checks every rule.
pub fn check(module: &Module) -> Result<(), Vec<Complaint>> {
    let mut complaints = Complaints(Vec::new());
    check_tables(module, &mut complaints);
    check_names(module, &mut complaints);
    for global in module.globals.values() {
        check_global(module, global, &mut complaints);
    }
    for func in module.funcs.values() {
        check_signature(module, func, &mut complaints);
        if let Some(body) = &func.body {
            body::check(module, func, body, &mut complaints);
        }
    }
    match complaints.0.is_empty() {
        true => Ok(()),
        false => Err(complaints.0),
    }
}

/// All complaints, one on a line; for messages of tests and of internal errors.
pub fn explain(complaints: &[Complaint]) -> String {
    let lines: Vec<String> = complaints.iter().map(Complaint::to_string).collect();
    lines.join("\n")
}

/// The complaints so far.
struct Complaints(Vec<Complaint>);

impl Complaints {
    fn add(&mut self, at: impl fmt::Display, message: impl Into<String>) {
        if self.0.len() < LIMIT {
            self.0.push(Complaint {
                at: at.to_string(),
                message: message.into(),
            });
        }
    }

    fn is_full(&self) -> bool {
        self.0.len() >= LIMIT
    }
}

fn check_tables(module: &Module, complaints: &mut Complaints) {
    if !matches!(module.machine.pointer_bits, 32 | 64) {
        let bits = module.machine.pointer_bits;
        complaints.add("module", format!("pointers have {bits} bits, not 32 or 64"));
    }
    let known = |place: Option<PlaceId>| place.is_none_or(|place| module.places.contains(place));
    for (id, place) in module.places.iter() {
        if !known(place.inlined_at) {
            complaints.add(id, "the place where it is inlined is not in the table");
        }
    }
    if let Some(place) = endless_place(module) {
        complaints.add(place, "it is inlined into itself");
    }
    for (id, var) in module.vars.iter() {
        if !known(var.place) {
            complaints.add(id, "its place is not in the table");
        }
    }
    let mut seen = HashMap::new();
    for (id, data) in module.facts.iter() {
        let named = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if data.engine.is_empty() || !data.engine.chars().all(named) {
            complaints.add(id, "its engine's name needs letters, digits or dashes");
        }
        for ground in &data.rests {
            match *ground {
                Ground::Obligation(ground) if !module.obligations.contains(ground) => {
                    complaints.add(id, format!("{ground} is not in the table"));
                }
                Ground::Fact(ground) if ground >= id => {
                    complaints.add(id, format!("{ground} is no earlier fact"));
                }
                Ground::Obligation(_) | Ground::Fact(_) => {}
            }
        }
    }
    for (id, data) in module.obligations.iter() {
        if !known(data.place) {
            complaints.add(id, "its place is not in the table");
        }
        if data.ordinal == 0 {
            complaints.add(id, "its name needs a number from 1 on");
        }
        let name = (&*data.func, data.check, data.ordinal);
        if let Some(other) = seen.insert(name, id) {
            complaints.add(id, format!("{other} has the same name"));
        }
    }
    if let Some(entry) = module.entry {
        match module.funcs.get(entry) {
            None => complaints.add("entry", "it is not in the table"),
            Some(func) => {
                let scalar = |types: &[Type]| types.iter().any(|ty| !ty.is_mem());
                if func.body.is_none() {
                    complaints.add("entry", "it has no body");
                }
                if scalar(&func.params) || scalar(&func.results) {
                    complaints.add("entry", "it has parameters or results besides memories");
                }
            }
        }
    }
}

/// A place whose inlined-at chain never ends.
fn endless_place(module: &Module) -> Option<PlaceId> {
    // The number of the walk that met the place; chains that met an earlier walk end.
    let mut met = vec![0; module.places.len()];
    for (number, start) in (1u32..).zip(module.places.keys()) {
        let mut next = Some(start);
        while let Some(place) = next.filter(|&place| module.places.contains(place)) {
            match met[place.index()] {
                0 => met[place.index()] = number,
                walk if walk == number => return Some(place),
                _ => break,
            }
            next = module.places[place].inlined_at;
        }
    }
    None
}

fn check_names(module: &Module, complaints: &mut Complaints) {
    let funcs = module.funcs.values().map(|func| &func.name);
    let globals = module.globals.values().map(|global| &global.name);
    let mut seen = HashMap::new();
    for name in funcs.chain(globals) {
        if seen.insert(name, ()).is_some() {
            complaints.add(Symbol(name), "the name is not unique");
        }
    }
}

fn check_global(module: &Module, global: &GlobalData, complaints: &mut Complaints) {
    let at = Symbol(&global.name);
    if !global.align.is_power_of_two() {
        complaints.add(&at, "the alignment is no power of two");
    }
    if global.var.is_some_and(|var| !module.vars.contains(var)) {
        complaints.add(&at, "its variable is not in the table");
    }
    let mut sum = Some(0u64);
    for piece in &global.init {
        let bytes = match piece {
            InitPiece::Bytes(bytes) => bytes.len() as u64,
            InitPiece::Zero(count) | InitPiece::Any(count) => *count,
            InitPiece::Pointer(constant) => {
                if let Err(message) = check_const(module, constant) {
                    complaints.add(&at, message);
                } else if constant.ty() != Type::Ptr {
                    complaints.add(&at, "a pointer in its contents is none");
                }
                u64::from(module.machine.pointer_bits / 8)
            }
        };
        sum = sum.and_then(|sum| sum.checked_add(bytes));
    }
    if sum != Some(global.size) {
        let sum = sum.map_or("too many".to_owned(), |sum| sum.to_string());
        let message = format!("its contents have {sum} bytes, not {}", global.size);
        complaints.add(&at, message);
    }
}

/// Is the constant one of this module?
fn check_const(module: &Module, constant: &Const) -> Result<(), String> {
    match constant {
        Const::Int(_) | Const::Null => Ok(()),
        Const::Float(float, bits) if bits.width() == float.bits() => Ok(()),
        Const::Float(float, bits) => Err(format!("a {float} has {} bits", bits.width())),
        Const::Global(global, _) if module.globals.contains(*global) => Ok(()),
        Const::Global(global, _) => Err(format!("{global} is not in the table")),
        Const::Func(func) if module.funcs.contains(*func) => Ok(()),
        Const::Func(func) => Err(format!("{func} is not in the table")),
    }
}

/// Can a register of this phase have this type?
fn check_type(phase: Phase, ty: Type) -> Result<(), String> {
    match ty {
        Type::Int(width) if (1..=MAX_WIDTH).contains(&width) => Ok(()),
        Type::Int(width) => Err(format!("i{width} is no type")),
        Type::Float(_) | Type::Ptr => Ok(()),
        Type::Mem(_) if phase >= Phase::Pure => Ok(()),
        Type::Mem(_) => Err(format!("{ty} in phase {phase}")),
    }
}

fn check_signature(module: &Module, func: &FuncData, complaints: &mut Complaints) {
    let at = Symbol(&func.name);
    if func
        .place
        .is_some_and(|place| !module.places.contains(place))
    {
        complaints.add(&at, "its place is not in the table");
    }
    for &ty in func.params.iter().chain(&func.results) {
        if let Err(message) = check_type(module.phase, ty) {
            complaints.add(&at, message);
        }
    }
    for types in [&func.params, &func.results] {
        let first = types.iter().position(|ty| ty.is_mem());
        let memories = &types[first.unwrap_or(types.len())..];
        if memories.iter().any(|ty| !ty.is_mem()) {
            complaints.add(&at, "memories come last in its signature");
        }
        let mut sorted = memories.to_vec();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            complaints.add(&at, "a region occurs twice among its parameters or results");
        }
    }
    let mut taken: Vec<Type> = func
        .params
        .iter()
        .copied()
        .filter(|ty| ty.is_mem())
        .collect();
    taken.sort_unstable();
    for ty in func.results.iter().filter(|ty| ty.is_mem()) {
        if taken.binary_search(ty).is_err() {
            complaints.add(&at, format!("it yields {ty} and does not take it"));
        }
    }
    if func.body.is_none() && !taken.is_empty() {
        complaints.add(&at, "it takes memories and has no body");
    }
}
