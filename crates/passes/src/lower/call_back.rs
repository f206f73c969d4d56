//! Unknown code may call back and free (`--extern havoc`).
//!
//! It can call the functions that it can name (`external` ones) and those whose address it holds
//! ([`handed_over`]). What it does beyond changing the memory that it reaches stands in one function,
//! which `resolve-externs` calls after each call of unknown code:
//!
//! ```text
//! fn @selkie.called_back() {
//!     if (nondet extern) {
//!         one of the functions whose address it holds is called, with rough arguments
//!     } else if (nondet extern && nondet approx) {
//!         clobber what those functions may change         ; any number of calls so far
//!         a heap object that unknown code reaches may be freed
//!         one of the functions whose address it holds is called, with any arguments
//!         clobber what those functions may change         ; any number of calls after it
//!     }
//! }
//! ```
//!
//! The first part is what unknown code can do at once; only the arguments are invented. In the second,
//! the state before the k-th call back is one of those after the first `clobber`, so one call stands for
//! all; while one is going on, there is no other. One object that is freed stands for all: an
//! obligation fails for one. Both are more than any code does, so they begin with a rough choice:
//! a violation counts only if it needs none of it. Obligations of functions that are `external` and no
//! more are not asked. What these functions give away (addresses of objects and functions that they mention, and what
//! initialisers of such objects hold) counts as theirs. Unknown code also calls the library: what models keep
//! for others to change has a name of its own (`SHARED`), and is clobbered too.

use checks::registry::CheckId;
use std::collections::BTreeSet;

use base::Map;
use ir::names::SHARED;
use ir::syntax::{
    AllocKind, Block, Body, Callee, CompareOp, Const, Func, Global, GlobalData, InitPiece, Machine,
    Module, NondetKind, Obligation, Op, Operand, Target, Terminator, Type,
};

use crate::edit;
use crate::handed_over::handed_over;
use crate::pass::{Config, Error, ExternMode, Pass};
use crate::prune::{Live, Prune};

/// See the module.
pub struct CallBack;

/// The function that says what unknown code does beyond changing what it reaches.
pub(crate) const CALLED_BACK: &str = "selkie.called_back";

impl Pass for CallBack {
    fn name(&self) -> &'static str {
        "call-back"
    }

    fn about(&self) -> &'static str {
        "Says what unknown code may call, change and free by calling back."
    }

    fn run(&self, module: &mut Module, config: &Config) -> Result<(), Error> {
        let Some(entry) = module.entry else {
            return Ok(());
        };
        let live = Live::from(module, entry);
        let anything = !config.checks.contains(&CheckId::Deref);
        let exported: Vec<Func> = match config.extern_mode {
            ExternMode::Havoc if calls_unknown(module, &live, anything) => callable(module),
            ExternMode::Havoc | ExternMode::Pure | ExternMode::Error => {
                forget(module, &live, config)?;
                return Ok(());
            }
        };
        let reached = effects(module, &exported);
        let names: Vec<String> = exported
            .iter()
            .chain(
                reached
                    .given
                    .difference(&exported.iter().copied().collect()),
            )
            .map(|&func| module.funcs[func].name.clone())
            .collect();
        let mut changed: BTreeSet<String> = named(module, &reached.globals);
        forget(module, &live, config)?;
        let taken = addresses_taken(module);
        let held = handed_over(module, &taken, anything);
        changed.extend(named(module, &effects(module, &held).globals));
        let globals: Vec<Global> = module
            .globals
            .iter()
            .filter(|(_, data)| !data.constant)
            .filter(|(_, data)| changed.contains(&data.name) || data.name.contains(SHARED))
            .map(|(global, _)| global)
            .collect();
        let heap = allocates(module);
        note(module, &names, &held);
        if !globals.is_empty() || !held.is_empty() || heap {
            let mut body = build(module, &globals, &held, heap);
            edit::tidy_in_place(&mut body);
            edit::renumber(&mut body);
            module.define(CALLED_BACK, Vec::new(), body);
        }
        Ok(())
    }
}

/// The functions that unknown code can name.
fn callable(module: &Module) -> Vec<Func> {
    let external = module.funcs.iter();
    external
        .filter(|(_, data)| data.external && data.body.is_some())
        .map(|(func, _)| func)
        .collect()
}

/// Is unknown code called by what is live?
fn calls_unknown(module: &Module, live: &Live, anything: bool) -> bool {
    let funcs = module.funcs.iter().filter(|(func, _)| live.funcs[*func]);
    funcs
        .filter_map(|(_, data)| data.body.as_ref())
        .any(|body| {
            body.insts_in_order()
                .any(|(_, inst)| match &body.insts[inst].op {
                    Op::Call {
                        callee: Callee::Direct(callee),
                        ..
                    } => module.funcs[*callee].body.is_none(),
                    Op::Call {
                        callee: Callee::Indirect(_),
                        ..
                    } => {
                        anything
                            || module
                                .funcs
                                .iter()
                                .any(|(func, data)| live.funcs[func] && data.body.is_none())
                    }
                    _ => false, // Nothing else leaves the module.
                })
        })
}

/// Drops what the entry does not reach, with its obligations: they are not asked.
fn forget(module: &mut Module, live: &Live, config: &Config) -> Result<(), Error> {
    let funcs = module.funcs.iter();
    let dead: BTreeSet<String> = funcs
        .filter(|(func, data)| !live.funcs[*func] && data.body.is_some())
        .map(|(_, data)| data.name.clone())
        .collect();
    Prune.run(module, config)?;
    if !module
        .obligations
        .values()
        .any(|row| dead.contains(&row.func))
    {
        return Ok(());
    }
    let mut used: Map<Obligation, bool> = Map::filled(false, module.obligations.len());
    for body in module.funcs.values().filter_map(|func| func.body.as_ref()) {
        for (_, inst) in body.insts_in_order() {
            if let Op::Check(obligation, _) = body.insts[inst].op {
                used[obligation] = true;
            }
        }
    }
    let rows = module.obligations.iter();
    let stays: Map<Obligation, bool> = rows
        .map(|(obligation, row)| used[obligation] || !dead.contains(&row.func))
        .collect();
    edit::keep_obligations(module, &stays);
    Ok(())
}

/// The functions whose address is taken somewhere.
fn addresses_taken(module: &Module) -> Vec<Func> {
    let mut taken: BTreeSet<Func> = BTreeSet::new();
    let mut see = |constant: &Const| {
        if let Const::Func(func) = constant {
            taken.insert(*func);
        }
    };
    for global in module.globals.values() {
        for piece in &global.init {
            match piece {
                InitPiece::Pointer(constant) => see(constant),
                InitPiece::Bytes(_) | InitPiece::Zero(_) | InitPiece::Any(_) => {}
            }
        }
    }
    for body in module.funcs.values().filter_map(|func| func.body.as_ref()) {
        mentioned(body).for_each(&mut see);
    }
    taken.into_iter().collect()
}

/// All constants of a body.
fn mentioned(body: &Body) -> impl Iterator<Item = &Const> {
    let insts = body.insts_in_order();
    let operands = insts.flat_map(|(_, inst)| body.insts[inst].op.operands());
    let ends = body.blocks.values();
    let ends = ends.flat_map(|block| block.terminator.operands());
    operands.chain(ends).filter_map(Operand::as_const)
}

/// What unknown code gets at by calling functions.
#[derive(Default)]
struct Effects {
    /// From these something may be changed.
    globals: BTreeSet<Global>,
    /// The addresses of these may be given away.
    given: BTreeSet<Func>,
}

impl Effects {
    fn note(&mut self, constant: &Const) {
        match constant {
            Const::Global(global, _) => _ = self.globals.insert(*global),
            Const::Func(func) => _ = self.given.insert(*func),
            Const::Int(_) | Const::Float(..) | Const::Null => {}
        }
    }
}

/// What may be changed or given away by these functions, what they call, and what they give away: all that they mention
/// but for globals of which they read numbers only, and all that the initialisers of these lead to.
fn effects(module: &Module, funcs: &[Func]) -> Effects {
    let mut seen: BTreeSet<Func> = BTreeSet::new();
    let mut followed: BTreeSet<Global> = BTreeSet::new();
    let mut work = funcs.to_vec();
    let mut found = Effects::default();
    let mut through_pointers = false;
    loop {
        let Some(func) = work.pop() else {
            let new: Vec<Global> = found.globals.difference(&followed).copied().collect();
            for global in new {
                followed.insert(global);
                for piece in &module.globals[global].init {
                    match piece {
                        InitPiece::Pointer(constant) => found.note(constant),
                        InitPiece::Bytes(_) | InitPiece::Zero(_) | InitPiece::Any(_) => {}
                    }
                }
            }
            work.extend(found.given.difference(&seen));
            if work.is_empty() && found.globals.len() == followed.len() {
                return found;
            }
            continue;
        };
        if !seen.insert(func) {
            continue;
        }
        let Some(body) = &module.funcs[func].body else {
            continue;
        };
        for (_, inst) in body.insts_in_order() {
            let op = &body.insts[inst].op;
            match op {
                Op::Load {
                    ty,
                    ptr: Operand::Const(_),
                    ..
                } if !may_be_address(module, *ty) => continue,
                Op::Call {
                    callee: Callee::Direct(callee),
                    ..
                } => work.push(*callee),
                Op::Call {
                    callee: Callee::Indirect(_),
                    ..
                } if !through_pointers => {
                    through_pointers = true;
                    work.extend(addresses_taken(module));
                }
                _ => {} // Operands are looked at below.
            }
            let constants = op.operands().into_iter().filter_map(Operand::as_const);
            constants.for_each(|constant| found.note(constant));
        }
        for block in body.blocks.values() {
            let operands = block.terminator.operands().into_iter();
            let constants = operands.filter_map(Operand::as_const);
            constants.for_each(|constant| found.note(constant));
        }
    }
}

fn may_be_address(module: &Module, ty: Type) -> bool {
    match ty {
        Type::Ptr | Type::Mem(_) => true,
        Type::Int(bits) => bits >= module.machine.pointer_bits,
        Type::Float(_) => false,
    }
}

fn named(module: &Module, globals: &BTreeSet<Global>) -> BTreeSet<String> {
    let names = globals.iter();
    names
        .map(|&global| module.globals[global].name.clone())
        .collect()
}

fn allocates(module: &Module) -> bool {
    let mut bodies = module.funcs.values().filter_map(|func| func.body.as_ref());
    bodies.any(|body| {
        body.insts_in_order().any(|(_, inst)| {
            matches!(
                body.insts[inst].op,
                Op::Alloc {
                    kind: AllocKind::Heap,
                    ..
                }
            )
        })
    })
}

fn note(module: &mut Module, exported: &[String], held: &[Func]) {
    let sentence = "unknown code does not call the entry function";
    edit::note(module, sentence.to_owned());
    if !exported.is_empty() {
        let names = exported.join(", ");
        edit::note(
            module,
            format!(
                "unknown code may call {names}: what they change is then arbitrary, and their obligations are not asked there"
            ),
        );
    }
    if !held.is_empty() {
        let names: Vec<&str> = held
            .iter()
            .map(|&func| module.funcs[func].name.as_str())
            .collect();
        let names = names.join(", ");
        edit::note(
            module,
            format!("unknown code that holds their addresses calls {names} with any arguments"),
        );
    }
}

/// A body under construction.
struct Builder {
    body: Body,
    at: Block,
    machine: Machine,
}

impl Builder {
    fn act(&mut self, op: Op) {
        self.body
            .append(self.at, op, Vec::new(), None, self.machine);
    }

    fn value(&mut self, op: Op) -> Operand {
        self.body.append_one(self.at, op, self.machine).into()
    }

    fn any(&mut self, ty: Type) -> Operand {
        self.value(Op::Nondet(ty, NondetKind::Extern))
    }

    /// Goes on in a new block if the condition holds, and to `otherwise` if not.
    fn only_if(&mut self, condition: Operand, otherwise: Block) {
        let yes = self.body.new_block(&[]);
        self.end(Terminator::Branch(
            condition,
            Target::new(yes),
            Target::new(otherwise),
        ));
        self.at = yes;
    }

    fn end(&mut self, terminator: Terminator) {
        self.body.blocks[self.at].terminator = terminator;
    }

    fn go_on_at(&mut self, block: Block) {
        self.end(Terminator::Jump(Target::new(block)));
        self.at = block;
    }
}

fn build(module: &mut Module, globals: &[Global], held: &[Func], heap: bool) -> Body {
    let mut body = Body::new(&[]);
    let first = body.new_block(&[]);
    let last = body.new_block(&[]);
    body.blocks[last].terminator = Terminator::Return(Vec::new());
    let mut work = Builder {
        body,
        at: first,
        machine: module.machine,
    };
    let flag = (!held.is_empty()).then(|| flag(module));
    if let Some(flag) = flag {
        let rest = work.body.new_block(&[]);
        let at_once = work.any(Type::BOOL);
        work.only_if(at_once, rest);
        call_one(module, &mut work, held, NondetKind::Approx, (flag, last));
        work.end(Terminator::Jump(Target::new(last)));
        work.at = rest;
    }
    let something = work.any(Type::BOOL);
    work.only_if(something, last);
    let roughly = work.value(Op::Nondet(Type::BOOL, NondetKind::Approx));
    work.only_if(roughly, last);
    let changed: Vec<Operand> = globals
        .iter()
        .map(|&global| Operand::global(global))
        .collect();
    work.act(Op::Clobber(changed.clone()));
    if heap {
        let object = work.any(Type::Ptr);
        let freeable = work.value(Op::IsFreeable(object.clone()));
        let after = work.body.new_block(&[]);
        work.only_if(freeable, after);
        work.act(Op::Free(object));
        work.go_on_at(after);
    }
    if let Some(flag) = flag {
        call_one(module, &mut work, held, NondetKind::Extern, (flag, last));
        work.act(Op::Clobber(changed));
    }
    work.end(Terminator::Jump(Target::new(last)));
    work.body
}

/// Says whether a function is being called back.
fn flag(module: &mut Module) -> Global {
    module.globals.push(GlobalData {
        name: "selkie.calling_back".to_owned(),
        size: 1,
        align: 1,
        constant: false,
        external: false,
        init: vec![InitPiece::Bytes(vec![0])],
        var: None,
    })
}

/// Calls one of the functions with arbitrary arguments; goes to the last block if one is being called.
fn call_one(
    module: &Module,
    work: &mut Builder,
    held: &[Func],
    kind: NondetKind,
    (flag, last): (Global, Block),
) {
    let set = |work: &mut Builder, value: i64| {
        work.act(Op::Store {
            ty: Type::Int(8),
            ptr: Operand::global(flag),
            value: Operand::int(value, 8),
            align: 1,
        });
    };
    let inside = work.value(Op::Load {
        ty: Type::Int(8),
        ptr: Operand::global(flag),
        align: 1,
        volatile: false,
    });
    let free = work.value(Op::Compare(CompareOp::Eq, inside, Operand::int(0, 8)));
    work.only_if(free, last);
    set(work, 1);
    let chosen = work.any(Type::Int(32));
    let after = work.body.new_block(&[]);
    for (number, &func) in held.iter().enumerate() {
        let other = work.body.new_block(&[]);
        let this = Operand::int(number as i64, 32);
        let this = work.value(Op::Compare(CompareOp::Eq, chosen.clone(), this));
        work.only_if(this, other);
        let data = &module.funcs[func];
        let (params, results) = (data.params.clone(), data.results.clone());
        let args = params
            .into_iter()
            .map(|ty| work.value(Op::Nondet(ty, kind)))
            .collect();
        work.act(Op::Call {
            callee: Callee::Direct(func),
            args,
            results,
            regions: Vec::new(),
        });
        work.end(Terminator::Jump(Target::new(after)));
        work.at = other;
    }
    work.go_on_at(after);
    set(work, 0);
}
